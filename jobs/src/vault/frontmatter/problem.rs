//! Why a block cannot be read, with its place and the likely cause.

use crate::vault::{Span, line};
use granit_parser::ScanError;

/// Why a block cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, and the likely cause where one is known.
    pub text: String,
    /// The line in the note, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Problem {
    fn at(note: &str, offset: usize, text: impl Into<String>) -> Self {
        let (line, column) = place(note, offset);
        Problem { text: text.into(), line, column }
    }
}

/// The block has more bytes than are read.
pub(super) fn too_large(bytes: usize, max_bytes: usize) -> Problem {
    let text = format!("the frontmatter has {bytes} bytes, more than the {max_bytes} that are read");
    Problem { text, line: 1, column: 1 }
}

/// The block is YAML, but no list of keys in block style.
pub(super) fn no_keys(note: &str, offset: usize) -> Problem {
    Problem::at(note, offset, "the frontmatter is not a list of `key: value` lines")
}

/// A line in the block starts a second document.
pub(super) fn second_document(note: &str, offset: usize) -> Problem {
    Problem::at(note, offset, "the frontmatter holds a line that starts a second YAML document")
}

/// The parser refused the block `inner`.
pub(super) fn not_yaml(note: &str, inner: Span, error: &ScanError) -> Problem {
    let at = inner.start + error.marker().byte_offset().unwrap_or(0);
    let at = at.min(inner.end);
    let shown = Span::new(line::start(note, at), line::end(note, at));
    let cause = likely_cause(shown.of(note)).map_or(String::new(), |cause| format!(": {cause}"));
    Problem::at(note, at, format!("the frontmatter is not YAML ({}){cause}", error.info()))
}

/// Line and column of a byte in the note, both from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let start = line::start(text, at);
    let n_lines = line::each(text, Span::new(0, start)).count();
    (n_lines + 1, Span::new(start, at).of(text).chars().count() + 1)
}

/// What most often makes a line no YAML.
fn likely_cause(line: &str) -> Option<&'static str> {
    let (key, value) = line.split_once(':')?;
    let value = value.trim();
    if line.starts_with('\t') || line.trim_start_matches(' ').starts_with('\t') {
        return Some("it is indented with a tab");
    }
    if value.starts_with(['@', '`', '%']) {
        return Some("the value starts with a sign that needs quotes around it");
    }
    if value.starts_with(['"', '\'']) && value.len() > 1 {
        return Some("the value holds quotes inside its quotes, or none at its end");
    }
    if value.starts_with("[[") || value.starts_with("![[") {
        return Some("a link needs quotes around it");
    }
    if value.contains(": ") || value.ends_with(':') {
        return Some("the value holds a colon and needs quotes around it");
    }
    (key.contains("<<<<") || key.contains(">>>>")).then_some("it holds a merge conflict")
}
