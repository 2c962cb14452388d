//! The words on both sides of a place, as a name for it that outlives what is done elsewhere in the note.

use crate::vault::{
    Span, line,
    names::{
        fold,
        token::{Class, short, tokens},
    },
};

/// Names what stands before and after `span` on its line: two hashes in hexadecimal with a hyphen between; a side
/// on which nothing stands has 0.
pub fn near(text: &str, span: Span) -> String {
    let own = line::whole(text, span);
    let before = word(Span::new(own.start, span.start).of(text), true);
    let after = word(line::content(Span::new(span.end, own.end).of(text)), false);
    format!("{before:08x}-{after:08x}")
}

/// The outermost word, hashed; of one without end, so many bytes are enough.
const REACH: usize = 200;

fn word(text: &str, is_last: bool) -> u32 {
    let folded = fold(if is_last { last_piece(text) } else { first_piece(text) });
    let mut found = Vec::new();
    tokens(&folded, &mut found);
    found.retain(|token| token.class != Class::Blank);
    let one = if is_last { found.last() } else { found.first() };
    one.map_or(0, |token| short(token.hash))
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
    }
}
