//! Headings and keywords as they are compared: by their words alone.

use crate::vault::{Span, date};
use unicode_normalization::UnicodeNormalization;

/// Letters and digits in lower case, other characters as one blank; a date is left out.
pub fn folded(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut done = 0;
    for dated in date::find(text) {
        fold_into(&mut words, Span::new(done, dated.span.start).of(text));
        words.push(' ');
        done = dated.span.end;
    }
    fold_into(&mut words, Span::new(done, text.len()).of(text));
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fold_into(words: &mut String, text: &str) {
    for c in text.nfc() {
        match c.is_alphanumeric() {
            true => words.extend(c.to_lowercase()),
            false => words.push(' '),
        }
    }
}
