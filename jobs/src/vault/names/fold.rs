//! Texts as names are compared: NFC, simple case folding, one form of apostrophe. A [`View`] is a folded
//! text put together from pieces of a note, and knows where in the note each of its bytes comes from.
//!
//! Folding is one character to one: `ẞ` is `ß` and every sigma is one, but `ß` is not `ss`, `ﬁ` is not
//! `fi`, and `İ` is only itself. Full-width letters stay what they are.

use crate::vault::Span;
use unicode_normalization::{IsNormalized, UnicodeNormalization, char::is_combining_mark, is_nfc_quick};

/// What stands in a view for the end of a line.
pub const LINE: char = '\n';

/// What stands in a view for something on a line that no name reaches into: code, math, an address.
pub const GAP: char = '\u{1}';

/// The folded form of a name.
pub fn fold(text: &str) -> String {
    let mut view = View::default();
    view.push(text, Span::new(0, text.len()));
    view.text
}

/// A folded text made of pieces of a note.
#[derive(Clone, Debug, Default)]
pub struct View {
    text: String,
    /// Offsets in the view and in the note where the distance between the two changes: at both ends of a
    /// piece, and behind a character whose length folding changed.
    shifts: Vec<(usize, usize)>,
}

impl View {
    /// The folded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds the bytes `span` of the note.
    pub fn push(&mut self, note: &str, span: Span) {
        self.shifts.push((self.text.len(), span.start));
        let mut rest = span.of(note);
        while !rest.is_empty() {
            let n_plain = plain_length(rest);
            if n_plain > 0 {
                let from = self.text.len();
                self.text.push_str(&rest[..n_plain]);
                if let Some(added) = self.text.get_mut(from..) {
                    added.make_ascii_lowercase();
                }
                rest = &rest[n_plain..];
                continue;
            }
            let cluster = &rest[..cluster_length(rest)];
            rest = &rest[cluster.len()..];
            self.push_cluster(cluster, span.end - rest.len());
        }
        self.shifts.push((self.text.len(), span.end));
    }

    /// Adds a character that stands for something left out: [`LINE`] or [`GAP`].
    pub fn push_break(&mut self, mark: char) {
        self.text.push(mark);
    }

    /// Where in the note the byte at `at` of the view comes from.
    pub fn start_in_note(&self, at: usize) -> usize {
        let next = self.shifts.partition_point(|(view, _)| *view <= at);
        self.shifted(next, at)
    }

    /// Where in the note a piece of the view that ends at `at` ends.
    pub fn end_in_note(&self, at: usize) -> usize {
        let next = self.shifts.partition_point(|(view, _)| *view < at);
        match self.shifts.get(next) {
            Some((view, note)) if *view == at => *note,
            _ => self.shifted(next, at),
        }
    }

    fn shifted(&self, next: usize, at: usize) -> usize {
        let shift = next.checked_sub(1).and_then(|known| self.shifts.get(known));
        shift.map_or(at, |(view, note)| note + (at - view))
    }

    fn push_cluster(&mut self, cluster: &str, end_in_note: usize) {
        let from = self.text.len();
        let mut chars = cluster.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) if is_composed(only) => self.text.push(fold_char(only)),
            _ => self.text.extend(cluster.nfc().map(fold_char)),
        }
        if self.text.len() - from != cluster.len() {
            self.shifts.push((self.text.len(), end_in_note));
        }
    }
}

/// How many ASCII bytes stand first, without one that a mark after them may join.
fn plain_length(text: &str) -> usize {
    let n_ascii = text.bytes().take_while(u8::is_ascii).count();
    match text[n_ascii..].chars().next() {
        Some(next) if joins(next) => n_ascii.saturating_sub(1),
        _ => n_ascii,
    }
}

/// The length of one character with the marks that belong to it.
fn cluster_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    chars.find(|(_, c)| !joins(*c)).map_or(text.len(), |(at, _)| at)
}

/// True for what composes with the character before it: marks, and the later letters of a Hangul syllable.
fn joins(c: char) -> bool {
    match c {
        '\0'..='\u{2ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => false,
        '\u{1160}'..='\u{11ff}' => true,
        _ => is_combining_mark(c),
    }
}

fn is_composed(c: char) -> bool {
    matches!(c, '\0'..='\u{2ff}' | '\u{410}'..='\u{44f}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}')
        || matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
        || is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes
}

/// Simple case folding: by way of the upper case, so that letters with two lower forms agree.
fn fold_char(c: char) -> char {
    match c {
        '\u{2019}' | '\u{2bc}' | '\u{ff07}' => '\'',
        // Scripts without case, and the letters of Russian, without a look into tables.
        '\u{131}' | '\u{430}'..='\u{44f}' | '\u{2e80}'..='\u{a63f}' | '\u{ac00}'..='\u{d7a3}' => c,
        '\u{410}'..='\u{42f}' => char::from_u32(u32::from(c) + 0x20).unwrap_or(c),
        _ => {
            let upper = only(c.to_uppercase()).unwrap_or(c);
            only(upper.to_lowercase()).unwrap_or(c)
        }
    }
}

fn only(mut chars: impl Iterator<Item = char>) -> Option<char> {
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letters_that_differ_in_case_alone_agree() {
        for (one, other) in
            [("Ünïcode", "ÜNÏCODE"), ("σίσυφος", "ΣΊΣΥΦΟΣ"), ("STRAẞE", "straße"), ("Don’t", "don't")]
        {
            assert_eq!(fold(one), fold(other));
        }
        for (one, other) in [("STRASSE", "straße"), ("ﬁ", "fi"), ("İ", "i"), ("ı", "i"), ("Ａ", "a")] {
            assert_ne!(fold(one), fold(other));
        }
    }

    #[test]
    fn composed_and_decomposed_forms_agree() {
        for text in ["Ärger über É", "ガギグ", "한국어 각", "Ạ̈"] {
            let (nfc, nfd): (String, String) = (text.nfc().collect(), text.nfd().collect());
            assert_eq!(fold(&nfc), fold(&nfd), "{text}");
        }
    }

    #[test]
    fn offsets_lead_back_over_what_was_left_out() {
        let note = "e\u{301}A [[x|Kelvin \u{212a}]] end";
        let mut view = View::default();
        view.push(note, Span::new(0, 5));
        view.push(note, Span::new(9, 19));
        view.push_break(GAP);
        view.push(note, Span::new(21, note.len()));
        let at = |words: &str| {
            let start = view.text().find(words).unwrap_or_default();
            Span::new(view.start_in_note(start), view.end_in_note(start + words.len())).of(note)
        };
        assert_eq!(view.text(), "\u{e9}a kelvin k\u{1} end");
        assert_eq!(
            (at("\u{e9}"), at("a"), at("kelvin k"), at("end")),
            ("e\u{301}", "A", "Kelvin \u{212a}", "end")
        );
    }

    proptest! {
        #[test]
        fn every_cluster_is_found_again_in_the_note(text in "[aé😀e\u{301}ßK\u{212a}各カ\u{3099}각\u{1100}\u{1161}\u{11a8} ’-]{0,40}") {
            let mut view = View::default();
            view.push(&text, Span::new(0, text.len()));
            prop_assert_eq!(view.end_in_note(view.text().len()), text.len());
            for (at, _) in view.text().char_indices().filter(|(_, c)| !joins(*c)) {
                let start = view.start_in_note(at);
                prop_assert!(text.is_char_boundary(start));
                let head = fold(&text[..start]);
                prop_assert_eq!(head.as_str(), &view.text()[..at]);
            }
        }
    }
}
