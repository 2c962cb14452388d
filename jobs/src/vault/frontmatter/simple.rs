//! The fast way to the keys of a block of plain lines, which nearly every block is. It says just what the
//! parser would say, or nothing: whatever it is not sure of it leaves to `read`, which knows all of YAML.
//! Deliberately absent: escapes, nesting below one level, texts of several lines, and every sign that has
//! a meaning at the start of a value.

use super::{Item, Key, Value};
use crate::vault::{Span, line};
use granit_parser::{ScalarStyle, StructureStyle};

#[cfg(test)]
mod tests;

/// Longest key in bytes; YAML allows 1,024 characters.
const MAX_KEY: usize = 1000;

/// The keys of the block `inner` of `text`; none where a line of it is not plain.
pub(super) fn keys(text: &str, inner: Span) -> Option<Vec<Key>> {
    if !has_common_characters(inner.of(text).as_bytes()) {
        return None;
    }
    let mut reader = Reader { text, keys: Vec::new(), open: Open::Nothing };
    let mut at = inner.start;
    while at < inner.end {
        let (line, next) = Line::at(text, at, inner.end);
        at = next;
        if !line.is_empty_or_comment(text) {
            reader.take(line)?;
        }
    }
    Some(reader.keys)
}

/// False where there is a tab, a lone CR, another control character, or one that YAML or a reader may take
/// for a line break or a byte order mark.
fn has_common_characters(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(at, &byte)| match byte {
        b'\n' | b' '..=b'~' => true,
        b'\r' => bytes.get(at + 1) == Some(&b'\n'),
        0xC2 => bytes.get(at + 1).is_some_and(|next| *next >= 0xA0),
        0xE2 => !matches!(bytes.get(at + 1..at + 3), Some([0x80, 0xA8 | 0xA9])),
        0xEF => !matches!(bytes.get(at + 1..at + 3), Some([0xBB, 0xBF] | [0xBF, 0xBE | 0xBF])),
        _ => byte >= 0x80,
    })
}

/// A line without its line end.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    /// Where its text starts, behind the spaces.
    content: usize,
    end: usize,
}

impl Line {
    /// The line that starts at `at`, and where the next one starts.
    fn at(text: &str, at: usize, end: usize) -> (Line, usize) {
        let rest = &text.as_bytes()[at..end];
        let length = rest.iter().position(|byte| *byte == b'\n');
        let next = length.map_or(end, |length| at + length + 1);
        let end = length.map_or(end, |length| at + length);
        let end = if end > at && text.as_bytes()[end - 1] == b'\r' { end - 1 } else { end };
        (Line { start: at, content: behind_spaces(text, at, end), end }, next)
    }

    fn is_empty_or_comment(self, text: &str) -> bool {
        self.content == self.end || text.as_bytes()[self.content] == b'#'
    }

    fn indent(self) -> usize {
        self.content - self.start
    }
}

/// What a line that follows may belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// The last key has its value, or there is none.
    Nothing,
    /// The last key has no value yet.
    Key,
    /// A list with items of this indent.
    List(usize),
    /// A map with keys of this indent.
    Map(usize),
}

struct Reader<'a> {
    text: &'a str,
    keys: Vec<Key>,
    open: Open,
}

impl Reader<'_> {
    fn take(&mut self, line: Line) -> Option<()> {
        let is_item = self.text.as_bytes()[line.content..line.end].starts_with(b"- ");
        match (is_item, line.indent()) {
            (true, _) => self.item(line),
            (false, 0) => self.key(line),
            (false, _) => self.entry(line),
        }
    }

    fn key(&mut self, line: Line) -> Option<()> {
        let (span, at) = key(self.text, line)?;
        let value = value(self.text, at, line.end)?;
        self.open = if value.0 == Value::None { Open::Key } else { Open::Nothing };
        self.keys.push(Key {
            name: span.of(self.text).to_owned(),
            span,
            value_span: value.1,
            lines: Span::new(line.start, line::end(self.text, line.end)),
            value: value.0,
            is_tied: false,
        });
        Some(())
    }

    fn item(&mut self, line: Line) -> Option<()> {
        let at = behind_spaces(self.text, line.content + 2, line.end);
        let item = scalar(self.text, at, line.end)?;
        let end = item.span.end;
        if self.open == Open::Key {
            self.open = Open::List(line.indent());
            self.enter(line, Value::List(Vec::new(), StructureStyle::Block));
        }
        if self.open != Open::List(line.indent()) {
            return None;
        }
        if let Value::List(items, _) = &mut self.keys.last_mut()?.value {
            items.push(item);
        }
        self.extend(line, end)
    }

    fn entry(&mut self, line: Line) -> Option<()> {
        let (span, at) = key(self.text, line)?;
        let item = scalar(self.text, at, line.end)?;
        if self.open == Open::Key {
            self.open = Open::Map(line.indent());
            self.enter(line, Value::Map(Vec::new()));
        }
        if self.open != Open::Map(line.indent()) {
            return None;
        }
        if let Value::Map(entries) = &mut self.keys.last_mut()?.value {
            entries.push((span.of(self.text).to_owned(), item.text));
        }
        self.extend(line, item.span.end)
    }

    /// The value of the last key is a collection that starts on `line`.
    fn enter(&mut self, line: Line, value: Value) {
        if let Some(key) = self.keys.last_mut() {
            key.value_span = Span::at(line.content);
            key.value = value;
        }
    }

    fn extend(&mut self, line: Line, value_end: usize) -> Option<()> {
        let key = self.keys.last_mut()?;
        key.value_span.end = value_end;
        key.lines.end = line::end(self.text, line.end);
        Some(())
    }
}

/// The key of a line, and where its value starts, or would start.
fn key(text: &str, line: Line) -> Option<(Span, usize)> {
    let bytes = &text.as_bytes()[..line.end];
    let first = bytes[line.content];
    if !(first.is_ascii_alphanumeric() || first == b'_' || first >= 0x80) {
        return None;
    }
    let length = bytes[line.content..].iter().position(|byte| matches!(byte, b':' | b'#'))?;
    let colon = line.content + length;
    let is_end = bytes[colon] == b':' && matches!(bytes.get(colon + 1), None | Some(b' '));
    let key = without_spaces(text, Span::new(line.content, colon));
    (is_end && key.len() <= MAX_KEY).then(|| (key, behind_spaces(text, colon + 1, line.end)))
}

/// A value that starts at `at` and ends before `end`, and where it is written.
fn value(text: &str, at: usize, end: usize) -> Option<(Value, Span)> {
    match text.as_bytes()[..end].get(at) {
        None => Some((Value::None, Span::at(at))),
        Some(b'#') if text.as_bytes()[at - 1] == b' ' => Some((Value::None, Span::at(at))),
        Some(b'[') => flow_list(text, at, end),
        Some(_) => {
            let item = scalar(text, at, end)?;
            Some((Value::Text(item.text, item.style), item.span))
        }
    }
}

/// The scalar that is written from `at` to `end` or to a comment.
fn scalar(text: &str, at: usize, end: usize) -> Option<Item> {
    match *text.as_bytes()[..end].get(at)? {
        quote @ (b'"' | b'\'') => {
            quoted(text, at, end, quote).filter(|item| is_rest(text, item.span.end, end))
        }
        first if starts_plain(first) => plain(text, at, end),
        _ => None,
    }
}

fn starts_plain(byte: u8) -> bool {
    !matches!(byte, b'-' | b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|')
        && !matches!(byte, b'>' | b'\'' | b'"' | b'%' | b'@' | b'`')
}

/// A text without quotes: up to a comment, and not with what could be a colon behind a key in it.
fn plain(text: &str, at: usize, end: usize) -> Option<Item> {
    let bytes = &text.as_bytes()[..end];
    let mut stop = at;
    while stop < end {
        match bytes[stop] {
            b':' if matches!(bytes.get(stop + 1), None | Some(b' ')) => return None,
            b'#' if bytes[stop - 1] == b' ' => break,
            _ => stop += 1,
        }
    }
    Some(item(text, without_spaces(text, Span::new(at, stop))))
}

/// A text in quotes that end on the same line; no escapes but the doubled single quote.
fn quoted(text: &str, at: usize, end: usize, quote: u8) -> Option<Item> {
    let bytes = &text.as_bytes()[..end];
    let mut stop = at + 1;
    let mut is_doubled = false;
    loop {
        match *bytes.get(stop)? {
            b'\\' if quote == b'"' => return None,
            byte if byte != quote => stop += 1,
            b'\'' if bytes.get(stop + 1) == Some(&b'\'') => {
                is_doubled = true;
                stop += 2;
            }
            _ => break,
        }
    }
    let content = &text[at + 1..stop];
    let content = if is_doubled { content.replace("''", "'") } else { content.to_owned() };
    let style = if quote == b'"' { ScalarStyle::DoubleQuoted } else { ScalarStyle::SingleQuoted };
    Some(Item { text: content, style, span: Span::new(at, stop + 1) })
}

/// A list in brackets on one line, of plain and quoted texts; or one list in another, which is what YAML
/// makes of a link without quotes.
fn flow_list(text: &str, at: usize, end: usize) -> Option<(Value, Span)> {
    let bytes = &text.as_bytes()[..end];
    let inner = behind_spaces(text, at + 1, end);
    let (value, stop) = if bytes.get(inner) == Some(&b'[') {
        let last = behind_spaces(text, flow_items(text, inner, end)?.1, end);
        (Value::Other, (bytes.get(last) == Some(&b']')).then_some(last + 1)?)
    } else {
        let (items, stop) = flow_items(text, at, end)?;
        (Value::List(items, StructureStyle::Flow), stop)
    };
    is_rest(text, stop, end).then(|| (value, Span::new(at, stop)))
}

/// The texts of the list whose bracket is at `at`, and where it ends.
fn flow_items(text: &str, at: usize, end: usize) -> Option<(Vec<Item>, usize)> {
    let bytes = &text.as_bytes()[..end];
    let mut items = Vec::new();
    let mut next = behind_spaces(text, at + 1, end);
    if bytes.get(next) == Some(&b']') {
        return Some((items, next + 1));
    }
    loop {
        let item = match *bytes.get(next)? {
            quote @ (b'"' | b'\'') => quoted(text, next, end, quote)?,
            first if starts_plain(first) => plain_in_flow(text, next, end)?,
            _ => return None,
        };
        next = behind_spaces(text, item.span.end, end);
        items.push(item);
        match bytes.get(next)? {
            b',' => next = behind_spaces(text, next + 1, end),
            b']' => return Some((items, next + 1)),
            _ => return None,
        }
    }
}

fn plain_in_flow(text: &str, at: usize, end: usize) -> Option<Item> {
    let rest = &text.as_bytes()[at..end];
    let stop = rest.iter().position(|byte| matches!(byte, b',' | b']' | b'[' | b'{' | b'}' | b':' | b'#'))?;
    let is_end = matches!(rest[stop], b',' | b']');
    is_end.then(|| item(text, without_spaces(text, Span::new(at, at + stop))))
}

fn item(text: &str, span: Span) -> Item {
    Item { text: span.of(text).to_owned(), style: ScalarStyle::Plain, span }
}

/// True where nothing but spaces, or a comment behind them, is left of a line.
fn is_rest(text: &str, at: usize, end: usize) -> bool {
    let next = behind_spaces(text, at, end);
    next == end || (next > at && text.as_bytes()[next] == b'#')
}

fn behind_spaces(text: &str, at: usize, end: usize) -> usize {
    let is_text = |byte: &u8| *byte != b' ';
    text.as_bytes()[at..end].iter().position(is_text).map_or(end, |spaces| at + spaces)
}

fn without_spaces(text: &str, span: Span) -> Span {
    Span::new(span.start, span.start + span.of(text).trim_end_matches(' ').len())
}
