//! The walk over the parser's events that makes keys of them. Marks of block collections are not taken
//! from the parser, which puts their end at the next token, behind comments that are not theirs.

use super::{Item, Key, Problem, Value, problem};
use crate::vault::{Span, line};
use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 50;

/// The keys of the block `inner` of `text`.
pub(super) fn keys(text: &str, inner: Span, max_bytes: usize) -> Result<Vec<Key>, Problem> {
    if inner.len() > max_bytes {
        return Err(problem::too_large(inner.len(), max_bytes));
    }
    let options = granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut reader =
        Reader { text, inner, keys: Vec::new(), depth: 0, documents: 0, pending: None, open: None };
    for next in Parser::new_from_str_with_options(inner.of(text), options) {
        let (event, span) = next.map_err(|error| problem::not_yaml(text, inner, &error))?;
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
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Problem> {
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
            Event::Alias(_) | Event::UnresolvedAlias(_) => self.alias(span)?,
            _ => {}
        }
        Ok(())
    }

    fn document(&mut self, span: Span) -> Result<(), Problem> {
        self.documents += 1;
        match self.documents {
            1 => Ok(()),
            _ => Err(problem::second_document(self.text, span.start)),
        }
    }

    fn start(&mut self, style: StructureStyle, is_list: bool, node: Node) -> Result<(), Problem> {
        match self.depth {
            0 if is_list || style == StructureStyle::Flow || node.is_tied => {
                return Err(self.no_keys(node.span));
            }
            0 => {}
            1 => self.open_value(style, is_list, node)?,
            depth => {
                self.count_node(depth, node.is_tied, node.span.end);
                self.spoil();
            }
        }
        self.depth += 1;
        Ok(())
    }

    /// A collection is entered at its start and completed at its end.
    fn open_value(&mut self, style: StructureStyle, is_list: bool, node: Node) -> Result<(), Problem> {
        let Some(key) = self.pending.take() else { return Err(self.no_keys(node.span)) };
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

    fn close(&mut self, span: Span) {
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

    fn scalar(&mut self, value: &str, style: ScalarStyle, node: Node) -> Result<(), Problem> {
        let Node { span, is_tied } = node;
        let is_none = span.is_empty() && style == ScalarStyle::Plain;
        match (self.depth, self.pending.take()) {
            (0, _) if value.is_empty() || is_none => {}
            (0, _) => return Err(self.no_keys(span)),
            (1, None) => self.pending = Some(Pending { name: value.to_owned(), span, is_tied }),
            (1, Some(key)) if is_none => {
                let at = after_colon(self.text, key.span.end);
                self.push(key, Span::at(at), Value::None, is_tied);
            }
            (1, Some(key)) => {
                let value_span = scalar_span(self.text, key.span, span, style);
                self.push(key, value_span, Value::Text(value.to_owned(), style), is_tied);
            }
            (depth, _) => {
                self.count_node(depth, is_tied, span.end);
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

    fn alias(&mut self, span: Span) -> Result<(), Problem> {
        if self.depth == 1 {
            let Some(key) = self.pending.take() else { return Err(self.no_keys(span)) };
            self.push(key, span, Value::Other, true);
            return Ok(());
        }
        self.count_node(self.depth, true, span.end);
        self.spoil();
        Ok(())
    }

    fn no_keys(&self, span: Span) -> Problem {
        problem::no_keys(self.text, span.start)
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
    let start = after_colon(text, key.end);
    let header = Span::new(start, line::end(text, start)).of(text);
    let keeps = header.split('#').next().is_some_and(|header| header.contains('+'));
    let end = span.end.max(start + line::content(header).len());
    if keeps { Span::new(start, end) } else { trimmed(text, Span::new(start, end)) }
}

/// Behind the colon of a key and the blanks after it, on the same line; the end of the key where its
/// colon is elsewhere.
pub(super) fn after_colon(text: &str, key_end: usize) -> usize {
    let rest = &text[key_end..];
    let behind = rest.trim_start_matches([' ', '\t']);
    match behind.strip_prefix(':') {
        Some(value) => text.len() - value.trim_start_matches([' ', '\t']).len(),
        None => key_end,
    }
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
