//! A YAML text as a tree in which every key and value knows its place.
//!
//! Nothing is interpreted: scalars stay text. Aliases, anchors, tags and second documents are refused,
//! since in a configuration each of them is an unquoted pattern or an accident; so there is no bomb.

use std::collections::BTreeSet;

use granit_parser::{Event, Parser, ScalarStyle, Span, StrInput, StructureStyle};

use crate::error::{Mark, Problem, clean};
use crate::syntax;

/// The largest text that is read, in bytes.
pub(crate) const MAX_BYTES: usize = 1 << 20;
/// How deep lists and mappings may nest; our own keys need eight levels.
pub(crate) const MAX_DEPTH: usize = 16;

/// A value and where it starts; a block list starts where its key does.
#[derive(Debug)]
pub(crate) struct Node {
    pub at: Mark,
    pub data: Data,
}

#[derive(Debug)]
pub(crate) enum Data {
    /// Nothing where a value was expected; `hidden` is a comment that may have been meant as one.
    Nothing {
        hidden: Option<String>,
    },
    Scalar {
        text: String,
        is_quoted: bool,
    },
    List(Vec<Node>),
    Map(Vec<Field>),
}

#[derive(Debug)]
pub(crate) struct Field {
    pub key: String,
    pub at: Mark,
    pub value: Node,
}

/// Reads one document; a text without any is `None`. Line ends and a byte-order mark do not matter.
pub(crate) fn read(bytes: &[u8]) -> Result<Option<Node>, Problem> {
    if bytes.len() > MAX_BYTES {
        return Err(Problem::new(Mark { line: 1, column: 1 }, "larger than 1 MB"));
    }
    let text = syntax::utf8(bytes)?;
    Reader::new(text).document()
}

/// Turns the events of the parser into a tree; one event is always looked at ahead.
struct Reader<'t> {
    text: &'t str,
    events: Parser<'t, StrInput<'t>>,
    next: (Event<'t>, Span),
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        let options = granit_parser::options! {
            emit_unresolved_aliases: true,
            emit_anchor_events: true,
            emit_comments: false,
            disallow_directives: true,
            block_nesting_limit: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
        };
        let events = Parser::new_from_str_with_options(text, options);
        Self { text, events, next: (Event::StreamStart, Span::default()) }
    }

    fn document(&mut self) -> Result<Option<Node>, Problem> {
        while matches!(self.next.0, Event::StreamStart | Event::DocumentStart(..)) {
            self.advance()?;
        }
        if self.next.0 == Event::StreamEnd {
            return Ok(None);
        }
        let root = self.node()?;
        self.advance()?;
        match self.next.0 {
            Event::StreamEnd => Ok(Some(root)),
            _ => Err(Problem::new(mark(&self.next.1), "a second document starts here")
                .hint("take the line '---' away")),
        }
    }

    /// Takes the event that is next, and looks at the one behind it.
    fn advance(&mut self) -> Result<(Event<'t>, Span), Problem> {
        let next = match self.events.next() {
            Some(Ok(next)) => next,
            Some(Err(error)) => return Err(syntax::explain(self.text, &error)),
            None => (Event::StreamEnd, self.next.1),
        };
        self.refuse(&next)?;
        Ok(std::mem::replace(&mut self.next, next))
    }

    /// Refuses what a pattern turns into when its quotes are forgotten.
    fn refuse(&self, (event, span): &(Event<'t>, Span)) -> Result<(), Problem> {
        let (what, span) = match (event, span.tag_span()) {
            (Event::Anchor(..), _) => ("anchor", *span),
            (Event::Alias(_) | Event::UnresolvedAlias(_), _) => ("alias", *span),
            (_, Some(tag)) if event.tag().is_some() => ("tag", tag),
            _ => return Ok(()),
        };
        let shown = clean(span.slice(self.text).unwrap_or_default());
        Err(Problem::new(mark(&span), format!("{what} '{shown}' is not allowed"))
            .hint(format!("quote a text that starts with '{}'", shown.chars().next().unwrap_or('*'))))
    }

    fn node(&mut self) -> Result<Node, Problem> {
        let (event, span) = self.advance()?;
        let at = mark(&span);
        let data = match event {
            Event::Scalar(text, style, ..) => return Ok(self.scalar(&text, style, &span)),
            Event::SequenceStart(..) => self.list()?,
            Event::MappingStart(..) => self.map()?,
            _ => Data::Nothing { hidden: None },
        };
        Ok(Node { at, data })
    }

    fn scalar(&self, text: &str, style: ScalarStyle, span: &Span) -> Node {
        let is_quoted = style != ScalarStyle::Plain;
        if is_quoted || !span.is_empty() {
            return Node { at: mark(span), data: Data::Scalar { text: text.to_owned(), is_quoted } };
        }
        let (at, hidden) =
            syntax::hidden_comment(self.text, mark(span), span.start.byte_offset().unwrap_or(0));
        Node { at, data: Data::Nothing { hidden } }
    }

    fn list(&mut self) -> Result<Data, Problem> {
        let mut items = Vec::new();
        while self.next.0 != Event::SequenceEnd {
            items.push(self.node()?);
        }
        self.advance()?;
        Ok(Data::List(items))
    }

    fn map(&mut self) -> Result<Data, Problem> {
        let mut fields: Vec<Field> = Vec::new();
        let mut seen = BTreeSet::new();
        while self.next.0 != Event::MappingEnd {
            let key = self.node()?;
            let at = key.at;
            let Data::Scalar { text: key, .. } = key.data else {
                return Err(Problem::new(at, "a key must be a text"));
            };
            if !seen.insert(key.clone()) {
                let first = fields.iter().find(|field| field.key == key).map_or(at, |field| field.at);
                return Err(Problem::new(at, format!("key '{}' stands here twice", clean(&key)))
                    .hint(format!("it stands in line {} too", first.line)));
            }
            let starts_late = matches!(self.next.0, Event::SequenceStart(StructureStyle::Block, ..));
            let mut value = self.node()?;
            if starts_late || matches!(value.data, Data::Nothing { .. }) {
                value.at = at;
            }
            fields.push(Field { key, at, value });
        }
        self.advance()?;
        Ok(Data::Map(fields))
    }
}

fn mark(span: &Span) -> Mark {
    Mark { line: span.start.line().max(1), column: span.start.col() + 1 }
}
