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

/// Enough of a line to hold its outermost word.
const REACH: usize = 200;

fn word(text: &str, is_last: bool) -> u32 {
    let near: String = match is_last {
        true => text.chars().rev().take(REACH).collect::<Vec<_>>().into_iter().rev().collect(),
        false => text.chars().take(REACH).collect(),
    };
    let folded = fold(&near);
    let mut found = Vec::new();
    tokens(&folded, &mut found);
    found.retain(|token| token.class != Class::Blank);
    let one = if is_last { found.last() } else { found.first() };
    one.map_or(0, |token| short(token.hash))
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
