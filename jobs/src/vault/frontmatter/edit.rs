//! The closed set of edits of a block. Each changes text within the lines of one key, in the style found
//! there, or puts one line between two others; everything else stays byte-equal, and the result is read
//! again ([`super::guard`]) before anybody sees it.

use super::{
    Frontmatter, Key, ScalarStyle, Value, guard, insert, list, read,
    scalar::{self, Around},
};
use crate::vault::{Span, line};
use std::collections::{HashMap, HashSet};

/// One edit of a block. A key is named by its place in [`Frontmatter::keys`], since a block may hold
/// doubles; an item by its place in its list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the sentence above each")]
pub enum Operation {
    /// The key gets another scalar, in its quote style where that can hold it; a comment behind it stays.
    /// An ISO date is written plain, since a date is meant; any other value reads back as a text.
    Set { key: usize, value: String },
    /// The value is the rest of its line, with what YAML takes as a comment behind it, as one text in
    /// quotes.
    Quote { key: usize },
    /// A new key with this value, written as by `Set`, at its place in `order` among the keys that are
    /// there: behind the nearest key before it, else before the nearest one behind it, else at the end.
    Insert { name: String, value: String, order: Vec<String> },
    /// The key is called `name`; its value stays, and its colon where all colons stand in one column.
    Rename { key: usize, name: String },
    /// A value that is a scalar, nothing, or a comment that was meant as a value becomes the list of these
    /// items, in the style of the first other list of the block, else in flow style. In a list of nothing
    /// but comments (`- #a`) each comment becomes the item in its place.
    ToList { key: usize, items: Vec<String> },
    /// A list of one item becomes that item, its bytes as they are.
    ToScalar { key: usize },
    /// The item at this place says something else.
    SetItem { key: usize, item: usize, value: String },
    /// One more item at the end.
    AddItem { key: usize, value: String },
    /// The item at this place goes; the last one that is left never does.
    RemoveItem { key: usize, item: usize },
    /// The key goes with its lines: only where the nearest earlier key of its name has the same value bytes,
    /// so that readers of the first one and readers of the last one find what they found before; and not
    /// where a comment stands right above it, which would then stand above another key.
    RemoveDuplicate { key: usize },
}

/// Bytes to put in the place of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// What is replaced, in the note.
    pub span: Span,
    /// What is put there.
    pub put: String,
}

/// Why operations are not carried out, as a lower-case fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

/// The patches of one operation, or why there are none.
pub(super) type Patched = Result<Vec<Patch>, Refusal>;

pub(super) fn refuse<T>(why: &str) -> Result<T, Refusal> {
    Err(Refusal(why.to_owned()))
}

impl Frontmatter {
    /// The patches that carry out all of `operations` on this block of `text`, those of each operation in
    /// order; or why none is carried out. The result has been read again: every key that no operation
    /// names has the bytes it had, every other one says what was asked for, and no comment is gone but one
    /// that was meant as a value. Patches of one call do not overlap; two insertions at one place happen in
    /// the order given. What is so already has no patch. Cost: linear in block and operations.
    pub fn edit(&self, text: &str, operations: &[Operation]) -> Result<Vec<Vec<Patch>>, Refusal> {
        if self.problem.is_some() {
            return refuse("the block does not read");
        }
        let block = Block::new(text, self, operations);
        let mut patches: Vec<Vec<Patch>> =
            operations.iter().map(|operation| block.patches(operation)).collect::<Result<_, _>>()?;
        guard::check(&block, &patches)?;
        for own in &mut patches {
            own.retain(|patch| patch.put != patch.span.of(text));
        }
        Ok(patches)
    }
}

/// A block under edit, with all that is asked of it.
pub(super) struct Block<'a> {
    pub text: &'a str,
    pub front: &'a Frontmatter,
    pub operations: &'a [Operation],
    /// How many items at the start of the list of a key go.
    n_gone: HashMap<usize, usize>,
}

impl<'a> Block<'a> {
    pub(super) fn new(text: &'a str, front: &'a Frontmatter, operations: &'a [Operation]) -> Self {
        let goes = |operation: &Operation| match operation {
            Operation::RemoveItem { key, item } => Some((*key, *item)),
            _ => None,
        };
        let gone: HashSet<(usize, usize)> = operations.iter().filter_map(goes).collect();
        let first = gone.iter().filter(|(_, item)| *item == 0).map(|(key, _)| *key);
        let n_gone =
            first.map(|key| (key, (0..).take_while(|item| gone.contains(&(key, *item))).count())).collect();
        Block { text, front, operations, n_gone }
    }

    /// How many items at the start of the list of that key go.
    pub(super) fn n_gone(&self, key: usize) -> usize {
        self.n_gone.get(&key).copied().unwrap_or_default()
    }

    fn patches(&self, operation: &Operation) -> Patched {
        match operation {
            Operation::Set { key, value } => self.set(*key, value),
            Operation::Quote { key } => self.quote(*key),
            Operation::Insert { name, value, order } => insert::patches(self, name, value, order),
            Operation::Rename { key, name } => self.rename(*key, name),
            Operation::ToList { key, items } => list::to_list(self, *key, items),
            Operation::ToScalar { key } => list::to_scalar(self, *key),
            Operation::SetItem { key, item, value } => list::set_item(self, *key, *item, value),
            Operation::AddItem { key, value } => list::add_item(self, *key, value),
            Operation::RemoveItem { key, item } => list::remove_item(self, *key, *item),
            Operation::RemoveDuplicate { key } => self.remove_duplicate(*key),
        }
    }

    /// The key at that place, if its bytes are ours to change.
    pub(super) fn key(&self, at: usize) -> Result<&'a Key, Refusal> {
        match self.front.keys.get(at) {
            None => refuse("there is no such key"),
            Some(key) if key.is_tied => {
                refuse("an anchor, alias, tag or merge key is in its value, or a `?` before it")
            }
            Some(key) => Ok(key),
        }
    }

    fn set(&self, at: usize, value: &str) -> Patched {
        let key = self.key(at)?;
        match &key.value {
            Value::None => Ok(vec![self.first_value(key, &scalar::value(value, ScalarStyle::Plain))]),
            Value::Text(_, ScalarStyle::Literal | ScalarStyle::Folded) => {
                refuse("its value is a block of text")
            }
            Value::Text(_, style) => {
                Ok(vec![Patch { span: key.value_span, put: scalar::value(value, *style) }])
            }
            _ => refuse("its value is no single text"),
        }
    }

    /// A value behind the colon of a key that has none, before a comment if one is there.
    pub(super) fn first_value(&self, key: &Key, value: &str) -> Patch {
        let at = key.value_span.start;
        let before = if self.text[..at].ends_with([' ', '\t']) { "" } else { " " };
        let after = if self.text[at..].starts_with('#') { " " } else { "" };
        Patch { span: Span::at(at), put: format!("{before}{value}{after}") }
    }

    fn quote(&self, at: usize) -> Patched {
        let key = self.key(at)?;
        let span = self.to_line_end(key);
        let is_open = matches!(key.value, Value::None | Value::Text(_, ScalarStyle::Plain));
        if !is_open || span.is_empty() || key.value_span.of(self.text).contains(['\n', '\r']) {
            return refuse("its value is not plain text on one line");
        }
        Ok(vec![Patch { span, put: scalar::written(span.of(self.text), self.quotes(), Around::Block) }])
    }

    /// What stands behind a value on its line, without the blanks around it: a comment or nothing.
    pub(super) fn rest(&self, key: &Key) -> &'a str {
        let end = key.value_span.end;
        Span::new(end, line::end(self.text, end)).of(self.text).trim()
    }

    /// From the value to the last character of its last line.
    pub(super) fn to_line_end(&self, key: &Key) -> Span {
        let end = key.value_span.end;
        let rest = Span::new(end, line::end(self.text, end)).of(self.text);
        Span::new(key.value_span.start, end + rest.trim_end().len())
    }

    /// The quotes in use in the block; double ones where there are none.
    fn quotes(&self) -> ScalarStyle {
        let style = |key: &Key| match key.value {
            Value::Text(_, style @ (ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)) => Some(style),
            _ => None,
        };
        self.front.keys.iter().find_map(style).unwrap_or(ScalarStyle::DoubleQuoted)
    }

    fn rename(&self, at: usize, name: &str) -> Patched {
        let key = self.key(at)?;
        self.is_free(name)?;
        let style = match key.span.of(self.text).chars().next() {
            Some('"') => ScalarStyle::DoubleQuoted,
            Some('\'') => ScalarStyle::SingleQuoted,
            _ => ScalarStyle::Plain,
        };
        let written = scalar::written(name, style, Around::Block);
        let Some(column) = insert::colon_column(self) else {
            return Ok(vec![Patch { span: key.span, put: written }]);
        };
        let colon = read::colon(self.text, key.span.end).unwrap_or(key.span.end);
        let put = insert::padded(&written, column);
        Ok(vec![Patch { span: Span::new(key.span.start, colon), put }])
    }

    /// No key of that name is there, nor a merge key that may bring one.
    pub(super) fn is_free(&self, name: &str) -> Result<(), Refusal> {
        if matches!(name, "" | "<<") {
            return refuse("that is no name for a key");
        }
        match self.front.keys.iter().find(|key| key.name == name || key.name == "<<") {
            Some(key) if key.name == name => refuse("there is a key of that name"),
            Some(_) => refuse("a merge key may hold a key of that name"),
            None => Ok(()),
        }
    }

    fn remove_duplicate(&self, at: usize) -> Patched {
        let key = self.key(at)?;
        let value = |key: &Key| key.value_span.of(self.text);
        let nearest = self.front.keys[..at].iter().rev().find(|first| first.name == key.name);
        let Some(first) = nearest.filter(|first| value(first) == value(key)) else {
            return refuse("the key of its name before it does not say the same");
        };
        if key.lines.start > self.front.inner.start {
            let above = line::start(self.text, key.lines.start - 1);
            if Span::new(above, key.lines.start).of(self.text).trim_start().starts_with('#') {
                return refuse("the comment right above it would stand above another key");
            }
        }
        let line = |key: &Key| key.lines.of(self.text).trim_end();
        match self.rest(key).is_empty() || line(first) == line(key) {
            true => Ok(vec![Patch { span: key.lines, put: String::new() }]),
            false => refuse("a comment behind it would go with it"),
        }
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
