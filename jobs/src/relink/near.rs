//! The words on both sides of a place, as a name for it that outlives what is done elsewhere in the note.

use crate::vault::{
    Span, line,
    names::{
        fold,
        token::{Class, short, tokens},
    },
};

/// Names what stands before and after `span` on its line: two hashes in hexadecimal with a hyphen between; a side
/// on which nothing stands has 0. A link beside it counts as the words it shows, whoever made it.
pub fn near(text: &str, span: Span) -> String {
    let own = line::whole(text, span);
    let before = word(Span::new(own.start, span.start).of(text), true);
    let after = word(line::content(Span::new(span.end, own.end).of(text)), false);
    format!("{before:08x}-{after:08x}")
}

/// The outermost word, hashed; of one without end, so many bytes are enough.
const REACH: usize = 200;

fn word(text: &str, is_last: bool) -> u32 {
    let folded =
        fold(if is_last { last_piece(unlinked_end(text)) } else { first_piece(unlinked_start(text)) });
    let mut found = Vec::new();
    tokens(&folded, &mut found);
    found.retain(|token| token.class != Class::Blank);
    let one = if is_last { found.last() } else { found.first() };
    one.map_or(0, |token| short(token.hash))
}

/// The text, or the words of the link that ends it.
fn unlinked_end(text: &str) -> &str {
    let text = text.trim_end();
    if let Some(link) = text.strip_suffix("]]") {
        return link.rfind(['[', '|']).map_or(text, |at| &link[at + 1..]);
    }
    let link = text.strip_suffix(')').and_then(|link| link.rsplit_once("]("));
    link.filter(|(_, address)| !address.contains(char::is_whitespace)).map_or(text, |(words, _)| words)
}

/// The text, or the words of the link that starts it.
fn unlinked_start(text: &str) -> &str {
    let text = text.trim_start();
    if let Some((link, _)) = text.strip_prefix("[[").and_then(|link| link.split_once("]]")) {
        return link.rsplit_once('|').map_or(link, |(_, words)| words);
    }
    let link = text.strip_prefix('[').and_then(|link| link.split_once("]("));
    link.map_or(text, |(words, _)| words)
}

/// The first run of characters that are no blanks.
fn first_piece(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.char_indices().find(|(at, c)| c.is_whitespace() || *at > REACH);
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// The last one.
fn last_piece(text: &str) -> &str {
    let text = text.trim_end();
    let is_start = |(at, c): &(usize, char)| c.is_whitespace() || text.len() - at > REACH;
    let before = text.char_indices().rev().find(is_start);
    &text[before.map_or(0, |(at, c)| at + c.len_utf8())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let at = text.find("X").unwrap_or(0);
        near(text, Span::new(at, at + 1))
    }

    #[test]
    fn a_place_is_named_by_its_neighbours_on_the_line() {
        assert_eq!(of("one two X three four\n"), of("- TWO  X  Three\nmore"));
        assert_ne!(of("two X three"), of("two X four"));
        assert_eq!(of("a\nX\r\nb"), "00000000-00000000");
        assert_eq!(of("- X"), of("-  X\n"));
        assert_eq!(of("one two X three four"), of("[[it|one two]] X [[three]] four"));
        assert_eq!(of("one two X three four"), of("[one two](a.md) X [three](b.md) four"));
    }
}
