//! A name for an entry that outlives what jobs and people do to it every day: linking a word in it,
//! ticking it, giving it another marker or picture.

use crate::vault::hash::Hash;
use crate::vault::markdown::Markdown;
use crate::vault::{Span, line};

/// The key of an entry's text: the short form of a hash. Links count as the words they show; checkboxes, list markers,
/// pictures, punctuation and blanks do not count.
pub fn key(text: &str) -> String {
    let markdown = Markdown::parse(text, 0);
    let mut shown = String::with_capacity(text.len());
    let mut done = 0;
    for link in markdown.links.iter().filter(|link| link.span.start >= link.shown.start.min(link.span.start))
    {
        if link.span.start < done {
            continue;
        }
        shown.push_str(Span::new(done, link.span.start).of(text));
        shown.push_str(link.shown.of(text));
        done = link.span.end;
    }
    shown.push_str(Span::new(done, text.len()).of(text));
    let words = words(&shown);
    let named = if words.is_empty() { shown.trim() } else { &words };
    Hash::of(named.as_bytes()).short()
}

/// Letters and digits, other characters as one blank; the marks that open a line left out.
fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for line in line::each(text, Span::new(0, text.len())) {
        for c in without_marks(line.of(text)).chars() {
            if c.is_alphanumeric() {
                words.push(c);
            } else if !words.ends_with(' ') {
                words.push(' ');
            }
        }
    }
    words.trim().to_owned()
}

fn without_marks(line: &str) -> &str {
    let text = line::without_marker(line.trim_start());
    line::checkbox(text).map_or(text, |(_, n_bytes)| &text[n_bytes..])
}
