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

/// Texts are read at most this often to find the edits that do harm; a note that needs more is left alone.
const MAX_READS: usize = 200;

/// The edits that change nothing of the note but the words they are at: most often all of them. `edits` are
/// in order of place.
pub fn harmless(note: &Note, edits: Vec<Edit>) -> Vec<Edit> {
    let body = Frontmatter::body_of(&note.text);
    let mut trial = Trial { text: &note.text, body, before: skeleton(&note.text, body), n_reads: 0 };
    let mut kept = Vec::new();
    trial.keep(&mut kept, &edits);
    if trial.n_reads > MAX_READS { Vec::new() } else { kept }
}

/// A note into which edits are tried.
struct Trial<'a> {
    text: &'a str,
    body: usize,
    before: (u64, usize),
    n_reads: usize,
}

impl Trial<'_> {
    /// Adds those of `edits` to `kept` that do no harm on top of it: all at once where that goes, else by halves.
    fn keep(&mut self, kept: &mut Vec<Edit>, edits: &[Edit]) {
        if edits.is_empty() || self.n_reads > MAX_READS {
            return;
        }
        let n_kept = kept.len();
        kept.extend_from_slice(edits);
        if self.is_harmless(kept) {
            return;
        }
        kept.truncate(n_kept);
        if edits.len() > 1 {
            let (head, tail) = edits.split_at(edits.len() / 2);
            self.keep(kept, head);
            self.keep(kept, tail);
        }
    }

    fn is_harmless(&mut self, edits: &[Edit]) -> bool {
        self.n_reads += 1;
        let (shape, n_links) = skeleton(&applied(self.text, edits), self.body);
        shape == self.before.0 && n_links == self.before.1 + edits.len()
    }
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
