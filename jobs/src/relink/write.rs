//! From judged pairs to edits: one link a note and unit, at its first mention, and nothing else changed.

use super::sheet::Pair;
use crate::{
    change::{Edit, Why},
    vault::{Note, Span, frontmatter::Frontmatter, markdown::skeleton},
};

/// The edit that makes a pair a link to the note of that stem; the words stay.
pub fn edit(note: &Note, pair: &Pair, stem: &str, why: Why) -> Edit {
    let words = pair.span().of(&note.text);
    let pipe = if pair.in_table { "\\|" } else { "|" };
    let put = if words == stem { format!("[[{stem}]]") } else { format!("[[{stem}{pipe}{words}]]") };
    Edit::replace(&note.text, pair.span(), put, why)
}

/// The edits that change nothing of the note but the words they are at: most often all of them. `edits` are
/// in order of place.
pub fn harmless(note: &Note, edits: Vec<Edit>) -> Vec<Edit> {
    let body = Frontmatter::body_of(&note.text);
    let before = skeleton(&note.text, body);
    let is_harmless = |edits: &[Edit]| {
        let (shapes, n_links) = skeleton(&applied(&note.text, edits), body);
        shapes == before.0 && n_links == before.1 + edits.len()
    };
    if is_harmless(&edits) {
        return edits;
    }
    let alone: Vec<Edit> = edits.into_iter().filter(|edit| is_harmless(std::slice::from_ref(edit))).collect();
    if is_harmless(&alone) { alone } else { Vec::new() }
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len() + 32 * edits.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(Span::new(at, edit.span.start).of(text));
        out.push_str(&edit.put);
        at = edit.span.end;
    }
    out.push_str(Span::new(at, text.len()).of(text));
    out
}
