//! Lists: made of a scalar and back, their items changed, added and taken. A comment never goes with an item.

use super::{
    Item, Key, ScalarStyle, StructureStyle, Value,
    edit::{Block, Operation, Patch, Patched, Refusal, refuse},
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
        Value::Text(..) => from_line(block, key, items, block.rest(key)),
        Value::None => from_line(block, key, items, ""),
        Value::List(own, StructureStyle::Block) if own.iter().all(|item| item.text.is_empty()) => {
            let put = lines(items, &indent_of_items(block, key)).trim_start().to_owned();
            // The comments were the items.
            let last = own.last().map_or(key.value_span, |item| item.span);
            let line = Span::new(last.start, line::end(block.text, last.start)).of(block.text);
            let span = Span::new(key.value_span.start, last.start + line.trim_end().len());
            match span.of(block.text).lines().all(is_commented_item) {
                true => Ok(vec![Patch { span, put }]),
                false => refuse("a comment among its items would go with them"),
            }
        }
        _ => refuse("its value is no single text"),
    }
}

/// A line with a dash and one comment, or none: `- #a`.
fn is_commented_item(line: &str) -> bool {
    line.trim_start().strip_prefix('-').is_some_and(|item| item.matches('#').count() <= 1)
}

/// The list in the place of what stands on the line of the key; `comment` stays there.
fn from_line(block: &Block<'_>, key: &Key, items: &[String], comment: &str) -> Patched {
    let end = if comment.is_empty() { block.to_line_end(key).end } else { key.value_span.end };
    match model(block, key) {
        None => {
            let list = flow(items);
            let span = Span::new(key.value_span.start, end);
            let blank = if block.text[..span.start].ends_with([' ', '\t']) { "" } else { " " };
            Ok(vec![Patch { span, put: format!("{blank}{list}") }])
        }
        Some(model) => {
            let Some(colon) = read::colon(block.text, key.span.end) else {
                return refuse("its colon is elsewhere");
            };
            if !Span::new(colon + 1, key.value_span.start).of(block.text).trim().is_empty() {
                return refuse("a comment stands before its value");
            }
            let span = Span::new(colon + 1, block.to_line_end(key).end);
            let comment = if comment.is_empty() { String::new() } else { format!(" {comment}") };
            Ok(vec![Patch {
                span,
                put: format!("{comment}{}", lines(items, &indent_of_items(block, model))),
            }])
        }
    }
}

/// The first list of the block, if it has an item on each line: the style for new ones.
fn model<'a>(block: &Block<'a>, key: &Key) -> Option<&'a Key> {
    let mut lists = block.front.keys.iter().filter(|own| own.span != key.span && !own.is_tied);
    let is_list = |own: &&Key| matches!(&own.value, Value::List(items, _) if !items.is_empty());
    lists.find(is_list).filter(|own| matches!(own.value, Value::List(_, StructureStyle::Block)))
}

/// The line end above the first item of a block list and the blanks before its dash.
fn indent_of_items(block: &Block<'_>, key: &Key) -> String {
    let start = line::start(block.text, key.value_span.start);
    let above = Span::new(line::start(block.text, key.span.start), start).of(block.text);
    let end = above[line::content(above).len()..].chars();
    let end: String = if above.ends_with("\r\n") { "\r\n".to_owned() } else { end.take(1).collect() };
    format!("{end}{}", Span::new(start, key.value_span.start).of(block.text))
}

/// One line for each item, each with `before` (a line end and blanks) before its dash.
fn lines(items: &[String], before: &str) -> String {
    let line =
        |item: &String| format!("{before}- {}", scalar::written(item, ScalarStyle::Plain, Around::Block));
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
    let value = scalar::written(&item.text, item.style, Around::Block);
    if *style == StructureStyle::Flow {
        return Ok(vec![Patch { span: key.value_span, put: value }]);
    }
    let first = line::end(block.text, key.span.end);
    let own = item_lines(block, item)?;
    if own.start != first {
        return refuse("something stands between the key and its item");
    }
    let behind = read::after_colon(block.text, key.span.end);
    let head = Key { value_span: Span::at(behind), ..key.clone() };
    Ok(vec![block.first_value(&head, &value), Patch { span: own, put: String::new() }])
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
    let goes = |item: usize| block.operations.contains(&Operation::RemoveItem { key: at, item });
    let Some(own) = items.get(item) else { return refuse("there is no such item") };
    if (0..items.len()).all(goes) {
        return refuse("no item would be left");
    }
    let span = match around {
        Around::Block => item_lines(block, own)?,
        Around::Flow if (0..item).all(goes) => Span::new(own.span.start, items[item + 1].span.start),
        Around::Flow => Span::new(items[item - 1].span.end, own.span.end),
    };
    match around == Around::Flow && span.of(block.text).contains(['#', '\n', '\r']) {
        true => refuse("the list goes over lines"),
        false => Ok(vec![Patch { span, put: String::new() }]),
    }
}
