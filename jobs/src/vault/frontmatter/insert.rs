//! Where a new key goes, and how its line is written: indented, padded and ended as its neighbours are.

use super::{
    Key, ScalarStyle, Value,
    edit::{Block, Patch, Patched},
    read,
    scalar::{self, Around},
};
use crate::vault::{Span, line};

/// A line for the new key at its place in `order`.
pub(super) fn patches(block: &Block<'_>, name: &str, value: &str, order: &[String]) -> Patched {
    block.is_free(name)?;
    let (at, neighbour) = place(block, name, order);
    let value = scalar::value(value, ScalarStyle::Plain);
    let put = format!("{}{}{}", head(block, name, neighbour), value, line_end(block, neighbour));
    Ok(vec![Patch { span: Span::at(at), put }])
}

/// The offset of the new line, and the key whose style it takes.
fn place<'a>(block: &Block<'a>, name: &str, order: &[String]) -> (usize, Option<&'a Key>) {
    let keys = &block.front.keys;
    let rank = order.iter().position(|own| own == name).unwrap_or(order.len());
    let (before, behind) = order.split_at(rank);
    let find = |name: &String| keys.iter().rev().find(|key| key.name == *name);
    if let Some(key) = before.iter().rev().find_map(find) {
        return (end_of(block, key), Some(key));
    }
    let first = |name: &String| keys.iter().find(|key| key.name == *name);
    if let Some(key) = behind.iter().skip(1).find_map(first) {
        return (start_of(block, key), Some(key));
    }
    match keys.last() {
        Some(key) => (end_of(block, key), Some(key)),
        None => (block.front.inner.end, None),
    }
}

/// Behind the lines of a key and the comments that are indented below it.
fn end_of(block: &Block<'_>, key: &Key) -> usize {
    let after = Span::new(key.lines.end, block.front.inner.end);
    let indent = indent(block, key).len();
    let is_its_comment = |line: &Span| {
        let text = line.of(block.text);
        let content = text.trim_start_matches([' ', '\t']);
        content.starts_with('#') && text.len() - content.len() > indent
    };
    line::each(block.text, after).take_while(is_its_comment).last().map_or(key.lines.end, |line| line.end)
}

/// Before the lines of a key and the comments that stand directly above it, but behind the key above.
fn start_of(block: &Block<'_>, key: &Key) -> usize {
    let last = block.front.keys.partition_point(|own| own.span.start < key.span.start).checked_sub(1);
    let from = last.map_or(block.front.inner.start, |last| end_of(block, &block.front.keys[last]));
    let lines: Vec<Span> = line::each(block.text, Span::new(from, key.lines.start)).collect();
    let is_comment = |line: &&Span| line.of(block.text).trim_start_matches([' ', '\t']).starts_with('#');
    lines.iter().rev().take_while(is_comment).last().map_or(key.lines.start, |line| line.start)
}

/// The blanks before a key.
fn indent<'a>(block: &Block<'a>, key: &Key) -> &'a str {
    Span::new(line::start(block.text, key.span.start), key.span.start).of(block.text)
}

/// The new key up to its value: indented as its neighbour, colon and value in the columns of the others.
fn head(block: &Block<'_>, name: &str, neighbour: Option<&Key>) -> String {
    let indent = neighbour.map_or("", |key| indent(block, key));
    let name = scalar::written(name, ScalarStyle::Plain, Around::Block);
    let name = match colon_column(block) {
        Some(column) => padded(&name, column),
        None => name,
    };
    let blanks = value_column(block).map_or(1, |column| column.saturating_sub(width(&name) + 1).max(1));
    format!("{indent}{name}:{}", " ".repeat(blanks))
}

/// `name` with blanks behind it up to that width.
pub(super) fn padded(name: &str, column: usize) -> String {
    format!("{name}{}", " ".repeat(column.saturating_sub(width(name))))
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// The column, counted from the key, in which all colons stand because shorter keys are padded.
pub(super) fn colon_column(block: &Block<'_>) -> Option<usize> {
    let colon = |key: &Key| read::colon(block.text, key.span.end).map(|at| Span::new(key.span.start, at));
    let keys = &block.front.keys;
    let is_padded = keys.iter().any(|key| colon(key).is_some_and(|span| span.len() > key.span.len()));
    same(keys.iter().map(|key| colon(key).map(|span| width(span.of(block.text))))).filter(|_| is_padded)
}

/// The column, counted from the key, in which all values of one line start though their keys differ in length.
fn value_column(block: &Block<'_>) -> Option<usize> {
    let on_line = |key: &&Key| matches!(key.value, Value::Text(..)) && !key.value_span.is_empty();
    let columns = block.front.keys.iter().filter(on_line).map(|key| {
        let to_value = Span::new(key.span.start, key.value_span.start).of(block.text);
        Some(width(to_value))
    });
    let lengths = same(block.front.keys.iter().filter(on_line).map(|key| Some(key.span.len())));
    same(columns).filter(|_| lengths.is_none())
}

/// What all say; none where they differ, or one says nothing.
fn same(mut all: impl Iterator<Item = Option<usize>>) -> Option<usize> {
    let first = all.next()??;
    all.all(|other| other == Some(first)).then_some(first)
}

/// The line end of the neighbour, or of the first fence.
fn line_end<'a>(block: &Block<'a>, neighbour: Option<&Key>) -> &'a str {
    let of = match neighbour {
        Some(key) => key.lines,
        None => Span::new(block.front.span.start, block.front.inner.start),
    };
    let last = Span::new(line::start(block.text, of.end.saturating_sub(1)), of.end).of(block.text);
    &last[line::content(last).len()..]
}
