//! The walk over the parser's events that makes keys of them. Marks of block collections are not taken
//! from the parser, which puts their end at the next token, behind comments that are not theirs.

use super::{
    Item, Key, Problem, Value,
    problem::{self, Fault},
    simple,
};
use crate::vault::{Span, line};
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, StructureStyle};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 50;

/// The keys of the block `inner` of `text`.
pub(super) fn keys(text: &str, inner: Span, max_bytes: usize) -> Result<Vec<Key>, Problem> {
    if inner.len() > max_bytes {
        return Err(problem::too_large(inner.len(), max_bytes));
    }
    simple::keys(text, inner).map_or_else(|| parsed(text, inner), Ok)
}

/// The keys of the block as the parser reads it.
pub(super) fn parsed(text: &str, inner: Span) -> Result<Vec<Key>, Problem> {
    events(text, inner).map_err(|fault| fault.explain(text, inner))
}

/// True where the lines of a block can be read.
pub(super) fn can_read(lines: &str) -> bool {
    let inner = Span::new(0, lines.len());
    simple::keys(lines, inner).is_some() || events(lines, inner).is_ok()
}

fn events(text: &str, inner: Span) -> Result<Vec<Key>, Fault> {
    let options = granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut reader = Reader {
        text,
        inner,
        keys: Vec::new(),
        depth: 0,
        flow_from: usize::MAX,
        documents: 0,
        pending: None,
        open: None,
    };
    for next in Parser::new_from_str_with_options(inner.of(text), options) {
        let (event, span) = next.map_err(|error| {
            let at = inner.start + error.marker().byte_offset().unwrap_or(0);
            match error.kind() {
                ErrorKind::RecursionLimitExceeded => Fault::TooDeep(at),
                _ => Fault::NotYaml(at, error),
            }
        })?;
        let range = span.byte_range().unwrap_or_default();
        reader.take(event, Span::new(inner.start + range.start, inner.start + range.end))?;
    }
    Ok(reader.keys)
}

struct Reader<'a> {
    text: &'a str,
    inner: Span,
    keys: Vec<Key>,
    /// Collections that are open; 1 is the block itself.
    depth: usize,
    /// From which depth on all is in brackets.
    flow_from: usize,
    documents: usize,
    /// The key whose value comes next.
    pending: Option<Pending>,
    /// The collection that is the value of the last key.
    open: Option<Collection>,
}

struct Pending {
    name: String,
    span: Span,
    is_tied: bool,
}

/// A collection below a key, as far as it has been read.
struct Collection {
    style: StructureStyle,
    /// One past its last byte so far.
    end: usize,
    /// Nodes directly in it: of a map, those with an even number are keys.
    nodes: usize,
    is_list: bool,
    /// Nothing but scalars are in it.
    is_flat: bool,
    items: Vec<Item>,
}

/// What an event says of a node besides its content.
struct Node {
    span: Span,
    /// It has an anchor or a tag, or is an alias.
    is_tied: bool,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        match event {
            Event::DocumentStart(..) => self.document(span)?,
            Event::Scalar(value, style, anchor, tag) => {
                let node = Node { span, is_tied: anchor != 0 || tag.is_some() };
                return self.scalar(&value, style, node);
            }
            Event::MappingStart(style, anchor, tag) => {
                self.start(style, false, Node { span, is_tied: anchor != 0 || tag.is_some() })?;
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.start(style, true, Node { span, is_tied: anchor != 0 || tag.is_some() })?;
            }
            Event::MappingEnd | Event::SequenceEnd => self.close(span),
            Event::Alias(_) => self.alias(span)?,
            Event::UnresolvedAlias(_) => return Err(Fault::NoAnchor(span.start)),
            _ => {}
        }
        Ok(())
    }

    fn document(&mut self, span: Span) -> Result<(), Fault> {
        self.documents += 1;
        match self.documents {
            1 => Ok(()),
            _ => Err(Fault::SecondDocument(span.start)),
        }
    }

    fn start(&mut self, style: StructureStyle, is_list: bool, node: Node) -> Result<(), Fault> {
        if style == StructureStyle::Block {
            self.refuse_tab(node.span)?;
        }
        match self.depth {
            0 if is_list || style == StructureStyle::Flow || node.is_tied => {
                return Err(Fault::NoKeys(node.span.start));
            }
            0 => {}
            1 => self.open_value(style, is_list, node)?,
            depth => {
                self.count_node(depth, node.is_tied, node.span.end);
                self.spoil();
            }
        }
        self.depth += 1;
        if style == StructureStyle::Flow {
            self.flow_from = self.flow_from.min(self.depth);
        }
        Ok(())
    }

    /// The parser lets the first line of a collection be indented with a tab.
    fn refuse_tab(&self, first: Span) -> Result<(), Fault> {
        let start = line::start(self.text, first.start);
        let line = Span::new(start, first.start).of(self.text);
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        match line[..indentation].find('\t') {
            Some(tab) => Err(Fault::Tab(start + tab)),
            None => Ok(()),
        }
    }

    /// A collection is entered at its start and completed at its end.
    fn open_value(&mut self, style: StructureStyle, is_list: bool, node: Node) -> Result<(), Fault> {
        let Some(key) = self.pending.take() else { return Err(Fault::NoKeys(node.span.start)) };
        let start = match style {
            StructureStyle::Flow => node.span.start,
            StructureStyle::Block => {
                first_content(self.text, Span::new(line::end(self.text, key.span.end), self.inner.end))
            }
        };
        let end = node.span.end.max(key.span.end);
        self.open = Some(Collection { style, end, nodes: 0, is_list, is_flat: true, items: Vec::new() });
        self.push(key, Span::at(start), Value::Other, node.is_tied);
        Ok(())
    }

    fn push(&mut self, key: Pending, value_span: Span, value: Value, is_tied: bool) {
        let is_tied = is_tied || key.is_tied || !self.is_simple(key.span) || key.name == "<<";
        let lines = whole(self.text, Span::new(key.span.start, value_span.end.max(key.span.end)));
        self.keys.push(Key { name: key.name, span: key.span, value_span, lines, value, is_tied });
    }

    /// True where a key stands first on its line and its colon on the same line.
    fn is_simple(&self, key: Span) -> bool {
        let before = Span::new(line::start(self.text, key.start), key.start).of(self.text);
        let after = self.text[key.end..].trim_start_matches([' ', '\t']);
        line::is_blank(before) && after.starts_with(':')
    }

    fn spoil(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_flat = false;
        }
    }

    /// A node somewhere in the open collection, `depth` levels down.
    fn count_node(&mut self, depth: usize, is_tied: bool, end: usize) {
        if let Some(open) = &mut self.open {
            open.nodes += usize::from(depth == 2);
            open.end = open.end.max(end);
        }
        if let Some(key) = self.keys.last_mut() {
            key.is_tied |= is_tied;
        }
    }

    /// The end of the open collection once a value follows that is not there.
    fn open_end(&self) -> usize {
        self.open.as_ref().map_or(0, |open| behind_colon(self.text, open.end))
    }

    fn close(&mut self, span: Span) {
        if self.depth == self.flow_from {
            self.flow_from = usize::MAX;
        }
        self.depth -= 1;
        if let Some(open) = &mut self.open {
            // Only a flow collection ends where its end event says.
            open.end = open.end.max(if span.is_empty() { 0 } else { span.end });
        }
        if self.depth != 1 {
            return;
        }
        let (Some(open), Some(key)) = (self.open.take(), self.keys.last_mut()) else { return };
        key.value_span = trimmed(self.text, Span::new(key.value_span.start, open.end));
        key.lines = whole(self.text, Span::new(key.span.start, open.end));
        key.value = match (open.is_list, open.is_flat) {
            (true, true) => Value::List(open.items, open.style),
            (false, true) => Value::Map(pairs(open.items)),
            _ => Value::Other,
        };
    }

    fn scalar(&mut self, value: &str, style: ScalarStyle, node: Node) -> Result<(), Fault> {
        let Node { span, is_tied } = node;
        let is_none = span.is_empty() && style == ScalarStyle::Plain;
        match (self.depth, self.pending.take()) {
            (0, _) if is_none && !is_tied => {}
            (0, _) => return Err(Fault::NoKeys(span.start)),
            (1, None) => {
                // The span of a block of text starts below the `?` that it needs as a key.
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let name = if is_none { String::new() } else { value.to_owned() };
                self.pending = Some(Pending { name, span, is_tied: is_tied || is_none || is_block });
            }
            (1, Some(key)) if is_none => {
                let at = after_colon(self.text, key.span.end).max(behind_colon(self.text, key.span.end));
                self.push(key, Span::at(at), Value::None, is_tied);
            }
            (1, Some(key)) => {
                let value_span = scalar_span(self.text, key.span, span, style);
                self.push(key, value_span, Value::Text(value.to_owned(), style), is_tied);
            }
            (depth, _) => {
                // In brackets there are no markers, and the closing one says where all of it ends.
                let is_below = is_none && depth < self.flow_from;
                let span = if is_below { Span::at(behind_marker(self.text, span.start)) } else { span };
                let end = if is_below { self.open_end().max(span.end) } else { span.end };
                self.count_node(depth, is_tied, end);
                self.item(depth, value, style, is_none, span);
            }
        }
        Ok(())
    }

    fn item(&mut self, depth: usize, value: &str, style: ScalarStyle, is_none: bool, span: Span) {
        let Some(open) = self.open.as_mut().filter(|_| depth == 2) else { return };
        let text = if is_none { String::new() } else { value.to_owned() };
        let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        open.is_flat &= !is_block && !trimmed(self.text, span).of(self.text).contains(['\n', '\r']);
        open.items.push(Item { text, style, span: trimmed(self.text, span) });
    }

    fn alias(&mut self, span: Span) -> Result<(), Fault> {
        if self.depth == 1 {
            let Some(key) = self.pending.take() else { return Err(Fault::NoKeys(span.start)) };
            self.push(key, span, Value::Other, true);
            return Ok(());
        }
        self.count_node(self.depth, true, span.end);
        self.spoil();
        Ok(())
    }
}

/// The keys and values of a flat map.
fn pairs(items: Vec<Item>) -> Vec<(String, String)> {
    let mut items = items.into_iter().map(|item| item.text);
    std::iter::from_fn(|| Some((items.next()?, items.next()?))).collect()
}

/// From where a value is written to its last byte that is not blank: a block scalar starts at its `|` or
/// `>`, and keeps its blank lines where it says `+`.
fn scalar_span(text: &str, key: Span, span: Span, style: ScalarStyle) -> Span {
    if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
        return trimmed(text, span);
    }
    let start = header_start(text, key, span);
    let header = Span::new(start, line::end(text, start)).of(text);
    let keeps = header.split('#').next().is_some_and(|header| header.contains('+'));
    let end = span.end.max(start + line::content(header).len());
    if keeps { Span::new(start, end) } else { trimmed(text, Span::new(start, end)) }
}

/// Where the colon of a key stands, with nothing but blanks between them.
pub(super) fn colon(text: &str, key_end: usize) -> Option<usize> {
    let behind = text[key_end..].trim_start_matches([' ', '\t']);
    behind.starts_with(':').then(|| text.len() - behind.len())
}

/// Where the `|` or `>` of a block scalar is, or what ties it: behind the colon, or on a line below.
fn header_start(text: &str, key: Span, span: Span) -> usize {
    let at = after_colon(text, key.end);
    let rest = Span::new(at, line::end(text, at)).of(text);
    let is_below = line::is_blank(rest) || rest.starts_with('#');
    if is_below { first_content(text, Span::new(at + rest.len(), span.end.max(at))) } else { at }
}

/// Behind the colon of a key and the blanks after it, on the same line; the end of the key where its
/// colon is elsewhere.
pub(super) fn after_colon(text: &str, key_end: usize) -> usize {
    let value = colon(text, key_end).map(|colon| text[colon + 1..].trim_start_matches([' ', '\t']));
    value.map_or(key_end, |value| text.len() - value.len())
}

/// Where an empty item would be written: behind its `-`, and not behind the comment that may follow.
fn behind_marker(text: &str, at: usize) -> usize {
    let start = line::start(text, at);
    let before = Span::new(start, at).of(text).split('#').next().unwrap_or_default();
    let marker = trimmed(text, Span::new(start, start + before.len()));
    if marker.of(text).ends_with('-') { marker.end } else { at }
}

/// Just behind the colon that follows `end`, if only blanks and line ends are between them; else `end`.
fn behind_colon(text: &str, end: usize) -> usize {
    let value = text[end..].trim_start_matches([' ', '\t', '\n', '\r']).strip_prefix(':');
    let value = value.filter(|value| value.is_empty() || value.starts_with([' ', '\t', '\n', '\r']));
    value.map_or(end, |value| text.len() - value.len())
}

/// The first byte of `span` that is neither blank nor in a comment line.
fn first_content(text: &str, span: Span) -> usize {
    let is_content = |line: &Span| {
        let line = line.of(text).trim_start_matches([' ', '\t']);
        !line::is_blank(line) && !line.starts_with('#')
    };
    let found = line::each(text, span).find(is_content).unwrap_or(Span::at(span.start));
    found.start + (found.len() - found.of(text).trim_start_matches([' ', '\t']).len())
}

fn trimmed(text: &str, span: Span) -> Span {
    let kept = span.of(text).trim_end_matches([' ', '\t', '\n', '\r']).len();
    Span::new(span.start, span.start + kept)
}

fn whole(text: &str, span: Span) -> Span {
    let last = span.end.saturating_sub(1).max(span.start);
    Span::new(line::start(text, span.start), line::end(text, last))
}
