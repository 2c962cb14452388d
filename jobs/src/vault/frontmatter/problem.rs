//! Why a block cannot be read: the likely cause, its place, and the line that would mend it. The place is
//! that of the cause, which the parser often notices only lines later.

use super::{
    cause::{self, Cause},
    correct, read,
};
use crate::vault::{Span, line};
use granit_parser::ScanError;

#[cfg(test)]
mod tests;

/// Why a block cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, and the likely cause where one is known.
    pub text: String,
    /// The line in the note, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The line as it could be written instead, where that alone makes the block read.
    pub suggestion: Option<String>,
}

/// What stopped a reading, and at which byte of the note.
#[derive(Debug)]
pub(super) enum Fault {
    /// The parser refused the block.
    NotYaml(usize, ScanError),
    /// The nesting is deeper than is read.
    TooDeep(usize),
    /// The block is YAML, but no list of keys in block style.
    NoKeys(usize),
    /// A line starts a second document.
    SecondDocument(usize),
    /// The parser let a tab pass as indentation, which YAML forbids and other programs refuse.
    Tab(usize),
    /// An alias of no anchor, which other programs refuse.
    NoAnchor(usize),
}

/// The block has more bytes than are read.
pub(super) fn too_large(bytes: usize, max_bytes: usize) -> Problem {
    let text = format!("the frontmatter has {bytes} bytes, more than the {max_bytes} that are read");
    Problem { text, line: 1, column: 1, suggestion: None }
}

impl Fault {
    /// What to say of a fault in the block `inner`.
    pub(super) fn explain(&self, note: &str, inner: Span) -> Problem {
        // What is noticed at the end of the block has its cause in the last line.
        let noticed = self.place().min(inner.end.saturating_sub(1)).max(inner.start);
        let cause = self.cause(note, inner, noticed);
        let at = cause.as_ref().map_or(noticed, |cause| cause.at);
        let detail = cause.as_ref().map_or_else(|| self.detail(), |cause| format!(": {}", cause.text));
        let (line, column) = place(note, at);
        let suggestion = cause.and_then(|cause| suggestion(note, inner, cause.value?));
        Problem { text: format!("{}{detail}", self.title()), line, column, suggestion }
    }

    fn place(&self) -> usize {
        match self {
            Fault::NotYaml(at, _)
            | Fault::TooDeep(at)
            | Fault::NoKeys(at)
            | Fault::SecondDocument(at)
            | Fault::Tab(at)
            | Fault::NoAnchor(at) => *at,
        }
    }

    fn cause(&self, note: &str, inner: Span, at: usize) -> Option<Cause> {
        match self {
            Fault::NotYaml(..) | Fault::NoAnchor(_) => cause::find(note, inner, at),
            Fault::NoKeys(_) => cause::of_line_without_key(note, at),
            Fault::Tab(_) => Some(cause::tab(at)),
            Fault::SecondDocument(_) | Fault::TooDeep(_) => None,
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Fault::NotYaml(..) | Fault::Tab(_) | Fault::NoAnchor(_) => "the frontmatter is not YAML",
            Fault::TooDeep(_) => "the frontmatter is nested deeper than is read",
            Fault::NoKeys(_) => "the frontmatter is not a list of `key: value` lines",
            Fault::SecondDocument(_) => "the frontmatter holds a line that starts a second YAML document",
        }
    }

    /// What is said where no cause is known.
    fn detail(&self) -> String {
        match self {
            Fault::NotYaml(_, error) => format!(" ({})", error.info()),
            Fault::NoAnchor(_) => ": a `*` refers to a name that is nowhere before it".to_owned(),
            _ => String::new(),
        }
    }
}

/// The line of `value` with the value in quotes, where the block reads with it.
fn suggestion(note: &str, inner: Span, value: Span) -> Option<String> {
    let quoted = correct::quoted(value.of(note));
    let block =
        [Span::new(inner.start, value.start).of(note), &quoted, Span::new(value.end, inner.end).of(note)];
    if !read::can_read(&block.concat()) {
        return None;
    }
    let line = Span::new(line::start(note, value.start), line::end(note, value.start));
    let (before, after) = (Span::new(line.start, value.start), Span::new(value.end, line.end));
    Some([before.of(note), &quoted, line::content(after.of(note))].concat())
}

/// Line and column of a byte in the note, both from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let start = line::start(text, at);
    let n_lines = line::each(text, Span::new(0, start)).count();
    (n_lines + 1, Span::new(start, at).of(text).chars().count() + 1)
}
