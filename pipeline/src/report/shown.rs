//! Text that is not ours, made safe for a terminal. Names and lines of notes, and whatever findings
//! quote of them, pass through here before they are printed: what would move the cursor, colour,
//! reorder or hide text becomes a visible escape such as `\u{202e}`. Nothing is dropped, and JSON,
//! which stays exact, does not come here.

use std::{borrow::Cow, fmt::Write as _};

/// One line of foreign text: line ends and tabs are escaped as well.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

/// Foreign text in which tabs may stay, such as a line of a diff.
pub fn shown_line(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\t')
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let acts = |c: char| acts_on_a_terminal(c) && !stays(c);
    let Some(first) = text.find(acts) else { return Cow::Borrowed(text) };
    let (clean, rest) = text.split_at(first);
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(clean);
    for c in rest.chars() {
        match c {
            '\n' if acts(c) => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' if acts(c) => shown.push_str("\\t"),
            c if acts(c) => push_escape(&mut shown, c),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

fn push_escape(shown: &mut String, c: char) {
    // Writing into a string does not fail.
    let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
}

/// True for what a terminal or a renderer acts on, or shows as nothing at all.
fn acts_on_a_terminal(c: char) -> bool {
    c.is_control() || reorders(c) || is_invisible(c)
}

/// Bidirectional marks, embeddings, overrides and isolates (Unicode 16, UAX #9).
fn reorders(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters without a shape of their own in which text can hide. The variation selectors U+FE0E and
/// U+FE0F stay: nearly every emoji of a note ends in one.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_of_any_script_is_not_copied() {
        for text in ["", "naïve café", "日本語のメモ", "Привет", "⚠\u{fe0f} done", "a\\u{202e}b"]
        {
            assert!(matches!(shown(text), Cow::Borrowed(same) if same == text), "{text:?}");
        }
    }

    #[test]
    fn what_acts_on_a_terminal_becomes_visible() {
        assert_eq!(shown("a\u{1b}[31mred\u{7}"), "a\\u{1b}[31mred\\u{7}");
        assert_eq!(shown("x\u{9b}2J\u{7f}"), "x\\u{9b}2J\\u{7f}");
        assert_eq!(shown("gnp.\u{202e}exe"), "gnp.\\u{202e}exe");
        assert_eq!(shown("a\u{200b}b\u{e0041}\u{e0142}\u{feff}"), "a\\u{200b}b\\u{e0041}\\u{e0142}\\u{feff}");
        assert_eq!(shown("two\nlines\r\n\tand\u{2028}"), "two\\nlines\\r\\n\\tand\\u{2028}");
    }

    #[test]
    fn a_line_of_a_diff_keeps_its_tabs_and_nothing_else() {
        assert_eq!(shown_line("\ta\tb"), "\ta\tb");
        assert_eq!(shown_line("a\tb\r\u{1b}c"), "a\tb\\r\\u{1b}c");
    }

    #[test]
    fn no_character_at_all_gets_through_as_a_control() {
        let all: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        let left = |text: &str| text.chars().filter(|c| acts_on_a_terminal(*c)).count();
        assert!(left(&all) > 4000, "the harness sees controls");
        assert_eq!(left(&shown(&all)), 0);
        assert_eq!(left(&shown_line(&all)), 1, "the tab");
    }
}
