//! A lossless view of a note's frontmatter: which line holds which key, where its value starts and ends,
//! and its text as written. Values are never retyped (`no` stays `no`, a date stays its characters), and
//! a block that is not YAML has no keys and one problem.

mod cause;
mod correct;
mod edit;
mod guard;
mod insert;
mod list;
mod problem;
mod read;
mod row;
mod scalar;
mod simple;
#[cfg(test)]
mod tests;
mod typed;

use super::{Span, line};
pub use edit::{Operation, Patch, Refusal};
pub use granit_parser::{ScalarStyle, StructureStyle};
pub use problem::Problem;
pub use typed::is_typed;

/// Largest block that is read, in bytes; real ones have a few hundred.
pub const MAX_BYTES: usize = 64 * 1024;

/// Keys by which a block behind the first one is told from a rule and some text.
const USUAL: [&str; 14] = [
    "name",
    "title",
    "description",
    "type",
    "status",
    "tags",
    "tag",
    "aliases",
    "created",
    "updated",
    "date",
    "date created",
    "publish",
    "id",
];

/// The block between the fences at the start of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontmatter {
    /// From the first fence to the line end of the last; a BOM lies before it.
    pub span: Span,
    /// The lines between the fences.
    pub inner: Span,
    /// The top-level keys in order, doubles included; none where there is a problem.
    pub keys: Vec<Key>,
    /// Why the block cannot be read.
    pub problem: Option<Problem>,
}

/// One top-level key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key without quotes.
    pub name: String,
    /// The key as written.
    pub span: Span,
    /// The value as written, quotes and block header included; where there is none, the place behind the
    /// colon and its blanks.
    pub value_span: Span,
    /// The whole lines of key and value, without the blank lines and comments after them.
    pub lines: Span,
    /// What the value says.
    pub value: Value,
    /// Its bytes are not ours to change: an anchor, alias, tag or merge key is in it, or it is written with
    /// a `?` before it.
    pub is_tied: bool,
}

/// A value, its scalars as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, or only a comment.
    None,
    /// A scalar and how it is quoted.
    Text(String, ScalarStyle),
    /// A list of scalars on one line each, and how it is written.
    List(Vec<Item>, StructureStyle),
    /// A map of such scalars, as keys and values in order.
    Map(Vec<(String, String)>),
    /// Anything else: deeper nesting, an alias.
    Other,
}

/// One scalar in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it says; empty where there is nothing, or only a comment.
    pub text: String,
    /// How it is quoted.
    pub style: ScalarStyle,
    /// As written; empty where there is nothing.
    pub span: Span,
}

impl Frontmatter {
    /// The frontmatter of a note. A block without an end is none, and so is a rule further down.
    pub fn find(text: &str) -> Option<Frontmatter> {
        Frontmatter::find_within(text, MAX_BYTES)
    }

    /// As `find`; a block of more than `max_bytes` is found but not read.
    pub fn find_within(text: &str, max_bytes: usize) -> Option<Frontmatter> {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut lines = line::each(text, Span::new(start, text.len()));
        let opening = lines.next().filter(|line| is_fence(line.of(text), &["---"]))?;
        let closing = lines.find(|line| is_fence(line.of(text), &["---", "..."]))?;
        let inner = Span::new(opening.end, closing.start);
        let (keys, problem) = match read::keys(text, inner, max_bytes) {
            Ok(keys) => (keys, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        Some(Frontmatter { span: Span::new(start, closing.end), inner, keys, problem })
    }

    /// A second block behind the first, fences included: what a tool leaves that did not find the first one.
    /// It has one of the usual keys, since a rule in the text is none; or it starts in the very next line, and
    /// its keys are plain words in small letters, as no sentence with a colon starts.
    pub fn second(&self, text: &str) -> Option<Span> {
        let rest = Span::new(self.span.end, text.len());
        let opening = line::each(text, rest).find(|line| !line::is_blank(line.of(text)))?;
        if !opening.of(text).starts_with("---") {
            return None;
        }
        let second = Frontmatter::find(&text[opening.start..])?;
        let is_usual = second.keys.iter().any(|key| USUAL.contains(&key.name.as_str()));
        let is_plain = |key: &Key| {
            let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
            key.name.starts_with(|c: char| c.is_ascii_lowercase()) && key.name.chars().all(is_part)
        };
        let is_next = opening.start == self.span.end && !second.keys.is_empty();
        (is_usual || is_next && second.keys.iter().all(is_plain))
            .then(|| Span::new(opening.start, opening.start + second.span.end))
    }

    /// Where the body of `text` starts: after BOM and frontmatter, a second block included.
    pub fn body(text: &str, frontmatter: Option<&Frontmatter>) -> usize {
        let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let end = |found: &Frontmatter| found.second(text).map_or(found.span.end, |second| second.end);
        frontmatter.map_or(bom, end)
    }

    /// Where the body of a text starts whose frontmatter nobody needs.
    pub fn body_of(text: &str) -> usize {
        Frontmatter::body(text, Frontmatter::find(text).as_ref())
    }

    /// The text of the first key of that name, where its value is a scalar.
    pub fn get(&self, name: &str) -> Option<&str> {
        match &self.key(name)?.value {
            Value::Text(text, _) => Some(text),
            _ => None,
        }
    }

    /// The items of a list of scalars; one scalar is a list of one.
    pub fn list(&self, name: &str) -> Vec<&str> {
        match self.key(name).map(|key| &key.value) {
            Some(Value::Text(text, _)) => vec![text],
            Some(Value::List(items, _)) => items.iter().map(|item| item.text.as_str()).collect(),
            _ => Vec::new(),
        }
    }

    /// The first key of that name.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Value {
    /// True where nothing is said: no value, an empty text, or the word of YAML for that (`null`, `~`).
    pub fn is_nothing(&self) -> bool {
        match self {
            Value::None => true,
            Value::Text(text, ScalarStyle::Plain) => {
                matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
            }
            Value::Text(text, _) => text.is_empty(),
            _ => false,
        }
    }
}

impl Key {
    /// The text of an entry of the map that is the value.
    pub fn entry(&self, name: &str) -> Option<&str> {
        let Value::Map(entries) = &self.value else { return None };
        entries.iter().find(|(key, _)| key == name).map(|(_, text)| text.as_str())
    }
}

fn is_fence(line: &str, fences: &[&str]) -> bool {
    fences.contains(&line.trim_end_matches([' ', '\t', '\n', '\r']))
}
