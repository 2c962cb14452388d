//! Lists: made of a scalar and back, their items changed, added and taken. A comment never goes with an item.

use super::{
    Item, Key, ScalarStyle, StructureStyle, Value,
    edit::{Block, Patch, Patched, Refusal, refuse},
    read,
    scalar::{self, Around},
};
use crate::vault::{Span, line};

/// The value becomes a list of `items`.
pub(super) fn to_list(block: &Block<'_>, at: usize, items: &[String]) -> Patched {
    let key = block.key(at)?;
    if items.is_empty() {
        return refuse("there is no item for the list");
    }
    match &key.value {
        Value::Text(_, ScalarStyle::Literal | ScalarStyle::Folded) => refuse("its value is a block of text"),
        Value::Text(..) | Value::None => match model(block, key) {
            None => Ok(vec![spaced(block, becoming(block, key), &flow(items))]),
            Some(model) => below(block, key, items, model),
        },
        Value::List(own, StructureStyle::Block) if own.iter().all(|item| item.span.is_empty()) => {
            in_place(block, own, items)
        }
        _ => refuse("its value is no single text"),
    }
}

/// What becomes a list: a text, or words with a `#` in its place.
fn becoming(block: &Block<'_>, key: &Key) -> Span {
    match key.value {
        Value::None => words_with_hash(block, key.value_span.start),
        _ => key.value_span,
    }
}

/// The words at `at` that YAML takes as a comment and that were meant as values: up to a remark, which has a
/// blank behind its `#`, and stays.
fn words_with_hash(block: &Block<'_>, at: usize) -> Span {
    let rest = line::content(Span::new(at, line::end(block.text, at)).of(block.text));
    let is_remark = |hash: &usize| {
        let is_blank = |byte: Option<&u8>| matches!(byte, None | Some(b' ' | b'\t'));
        is_blank(hash.checked_sub(1).map(|before| &rest.as_bytes()[before]))
            && is_blank(rest.as_bytes().get(hash + 1))
    };
    let remark = rest.match_indices('#').map(|(hash, _)| hash).find(is_remark);
    Span::new(at, at + rest[..remark.unwrap_or(rest.len())].trim_end().len())
}

/// `put` in the place of `span`, with a blank where a colon or dash stands before it, or a remark behind it.
fn spaced(block: &Block<'_>, span: Span, put: &str) -> Patch {
    let before = if block.text[..span.start].ends_with([' ', '\t']) { "" } else { " " };
    let after = if block.text[span.end..].starts_with('#') { " " } else { "" };
    Patch { span, put: format!("{before}{put}{after}") }
}

/// A list on the lines below the key, as `model` is; a remark stays on the line of the key.
fn below(block: &Block<'_>, key: &Key, items: &[String], model: &Key) -> Patched {
    let Some(colon) = read::colon(block.text, key.span.end) else {
        return refuse("its colon is elsewhere");
    };
    let end = becoming(block, key).end;
    let rest = line::content(Span::new(end, line::end(block.text, end)).of(block.text));
    let put = lines(items, line_end(block, key), indent_of_items(block, model));
    let span = Span::new(colon + 1, end + rest.len());
    let remark = match (rest.trim().is_empty(), rest.starts_with('#')) {
        (true, _) => String::new(),
        (false, true) => format!(" {rest}"),
        (false, false) => rest.to_owned(),
    };
    Ok(vec![Patch { span, put: format!("{remark}{put}") }])
}

/// In a list of comments the words with a `#` become the item in their place.
fn in_place(block: &Block<'_>, own: &[Item], items: &[String]) -> Patched {
    if own.len() != items.len() {
        return refuse("its list has another number of items");
    }
    let patch = |(own, item): (&Item, &String)| {
        let rest = Span::new(own.span.end, line::end(block.text, own.span.end)).of(block.text);
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let item = scalar::written(item, ScalarStyle::Plain, Around::Block);
        spaced(block, words_with_hash(block, own.span.end + blanks), &item)
    };
    Ok(own.iter().zip(items).map(patch).reduce(|one, next| joined(block, one, &next)).into_iter().collect())
}

/// Two patches as one, with what is between them: an operation is one change to who reads of it.
fn joined(block: &Block<'_>, one: Patch, next: &Patch) -> Patch {
    let between = Span::new(one.span.end, next.span.start).of(block.text);
    Patch { span: Span::new(one.span.start, next.span.end), put: one.put + between + &next.put }
}

/// The first list of the block, if it has an item on each line: the style for new ones.
fn model<'a>(block: &Block<'a>, key: &Key) -> Option<&'a Key> {
    let mut lists = block.front.keys.iter().filter(|own| own.span != key.span && !own.is_tied);
    let is_list = |own: &&Key| matches!(&own.value, Value::List(items, _) if !items.is_empty());
    lists.find(is_list).filter(|own| matches!(own.value, Value::List(_, StructureStyle::Block)))
}

/// The blanks before the dashes of a block list.
fn indent_of_items<'a>(block: &Block<'a>, list: &Key) -> &'a str {
    Span::new(line::start(block.text, list.value_span.start), list.value_span.start).of(block.text)
}

/// The line end of the line on which a key stands.
fn line_end<'a>(block: &Block<'a>, key: &Key) -> &'a str {
    let line = Span::new(key.span.end, line::end(block.text, key.span.end)).of(block.text);
    &line[line::content(line).len()..]
}

/// One line for each item, each behind a line end.
fn lines(items: &[String], line_end: &str, indent: &str) -> String {
    let line = |item: &String| {
        let item = scalar::written(item, ScalarStyle::Plain, Around::Block);
        format!("{line_end}{indent}- {item}")
    };
    items.iter().map(line).collect()
}

fn flow(items: &[String]) -> String {
    let items: Vec<String> =
        items.iter().map(|item| scalar::written(item, ScalarStyle::Plain, Around::Flow)).collect();
    format!("[{}]", items.join(", "))
}

/// A list of one becomes its item.
pub(super) fn to_scalar(block: &Block<'_>, at: usize) -> Patched {
    let key = block.key(at)?;
    let Value::List(items, style) = &key.value else { return refuse("its value is no list of texts") };
    let [item] = items.as_slice() else { return refuse("its list has not just one item") };
    let value = item.span.of(block.text);
    if value.is_empty() {
        return refuse("the item is empty");
    }
    if *style == StructureStyle::Flow {
        return Ok(vec![Patch { span: key.value_span, put: value.to_owned() }]);
    }
    let first = line::end(block.text, key.span.end);
    let own = item_lines(block, item)?;
    if own.start != first {
        return refuse("something stands between the key and its item");
    }
    let behind = read::after_colon(block.text, key.span.end);
    let head = Key { value_span: Span::at(behind), ..key.clone() };
    Ok(vec![block.first_value(&head, value), Patch { span: own, put: String::new() }])
}

/// The whole line of an item in a block list on which nothing else stands.
fn item_lines(block: &Block<'_>, item: &Item) -> Result<Span, Refusal> {
    let (start, end) = (line::start(block.text, item.span.start), line::end(block.text, item.span.end));
    let before = Span::new(start, item.span.start).of(block.text).trim();
    let after = Span::new(item.span.end, end).of(block.text).trim();
    match before == "-" && after.is_empty() {
        true => Ok(Span::new(start, end)),
        false => refuse("something else stands on the line of the item"),
    }
}

fn items<'a>(block: &Block<'a>, at: usize) -> Result<(&'a Key, &'a [Item], Around), Refusal> {
    let key = block.key(at)?;
    match &key.value {
        Value::List(items, StructureStyle::Flow) => Ok((key, items, Around::Flow)),
        Value::List(items, StructureStyle::Block) => Ok((key, items, Around::Block)),
        _ => refuse("its value is no list of texts"),
    }
}

/// The item says `value`.
pub(super) fn set_item(block: &Block<'_>, at: usize, item: usize, value: &str) -> Patched {
    let (_, items, around) = items(block, at)?;
    match items.get(item) {
        Some(item) if !item.span.is_empty() => {
            Ok(vec![Patch { span: item.span, put: scalar::written(value, item.style, around) }])
        }
        Some(_) => refuse("the item is empty"),
        None => refuse("there is no such item"),
    }
}

/// One more item, written as the last one is.
pub(super) fn add_item(block: &Block<'_>, at: usize, value: &str) -> Patched {
    let (key, items, around) = items(block, at)?;
    let style = items.last().map_or(ScalarStyle::Plain, |item| item.style);
    let value = scalar::written(value, style, around);
    let patch = match (items.last(), around) {
        (None, _) => {
            let inside = Span::new(key.value_span.start + 1, key.value_span.end.saturating_sub(1));
            Patch { span: inside, put: value }
        }
        (Some(last), Around::Flow) => Patch { span: Span::at(last.span.end), put: format!(", {value}") },
        (Some(last), Around::Block) => Patch {
            span: Span::at(line::end(block.text, last.span.end)),
            put: format!("{}{value}{}", dash(block, last), end_of_line(block, last)),
        },
    };
    Ok(vec![patch])
}

/// The blanks, the dash and the blanks before an item of a block list.
fn dash(block: &Block<'_>, item: &Item) -> String {
    let start = line::start(block.text, item.span.start);
    let line = Span::new(start, item.span.start).of(block.text);
    let is_empty_item = item.span.is_empty();
    if is_empty_item { format!("{} ", line.trim_end()) } else { line.to_owned() }
}

fn end_of_line<'a>(block: &Block<'a>, item: &Item) -> &'a str {
    let line = Span::new(item.span.end, line::end(block.text, item.span.end)).of(block.text);
    &line[line::content(line).len()..]
}

/// The item goes: with its line, or with the comma before it, or behind it where no item before it stays.
pub(super) fn remove_item(block: &Block<'_>, at: usize, item: usize) -> Patched {
    let (_, items, around) = items(block, at)?;
    let n_gone = block.n_gone(at);
    let Some(own) = items.get(item) else { return refuse("there is no such item") };
    if n_gone >= items.len() {
        return refuse("no item would be left");
    }
    let span = match around {
        Around::Block => item_lines(block, own)?,
        Around::Flow if item < n_gone => Span::new(own.span.start, items[item + 1].span.start),
        Around::Flow => Span::new(items[item - 1].span.end, own.span.end),
    };
    match around == Around::Flow && span.of(block.text).contains(['\n', '\r']) {
        true => refuse("the list goes over lines"),
        false => Ok(vec![Patch { span, put: String::new() }]),
    }
}
