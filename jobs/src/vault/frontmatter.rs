//! A lossless view of a note's frontmatter: which line holds which key, where its value starts and ends,
//! and its text as written. Values are never retyped (`no` stays `no`, a date stays its characters), and
//! nothing here writes: a block that is not YAML has no keys and one problem.

use super::{Span, line};
use granit_parser::{Event, Parser, ScalarStyle, ScanError, StructureStyle};

/// Largest block that is read, in bytes; real ones have a few hundred.
pub const MAX_BYTES: usize = 64 * 1024;

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 50;

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
    /// The value as written, quotes and block header included; empty where there is none.
    pub value_span: Span,
    /// The whole lines of key and value, without the blank lines and comments after them.
    pub lines: Span,
    /// What the value says.
    pub value: Value,
}

/// A value, its scalars as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, or only a comment.
    None,
    /// A scalar and how it is quoted.
    Text(String, ScalarStyle),
    /// A list of scalars and how it is written.
    List(Vec<String>, StructureStyle),
    /// Anything else: a map, a list with maps in it, an alias.
    Other,
}

/// Why a block cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, and the likely cause where one is known.
    pub text: String,
    /// The line in the note, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
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
        let mut found =
            Frontmatter { span: Span::new(start, closing.end), inner, keys: Vec::new(), problem: None };
        match read(text, inner, max_bytes) {
            Ok(keys) => found.keys = keys,
            Err(problem) => found.problem = Some(problem),
        }
        Some(found)
    }

    /// Where the body of `text` starts: after BOM and frontmatter.
    pub fn body(text: &str, frontmatter: Option<&Frontmatter>) -> usize {
        let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        frontmatter.map_or(bom, |found| found.span.end)
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
            Some(Value::List(items, _)) => items.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// The first key of that name.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

fn is_fence(line: &str, fences: &[&str]) -> bool {
    fences.contains(&line.trim_end_matches([' ', '\t', '\n', '\r']))
}

fn read(text: &str, inner: Span, max_bytes: usize) -> Result<Vec<Key>, Problem> {
    if inner.len() > max_bytes {
        let text =
            format!("the frontmatter has {} bytes, more than the {max_bytes} that are read", inner.len());
        return Err(Problem { text, line: 1, column: 1 });
    }
    let options = granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut reader = Reader { text, inner, keys: Vec::new(), depth: 0, pending: None, items: None };
    for next in Parser::new_from_str_with_options(inner.of(text), options) {
        let (event, span) = next.map_err(|error| problem(text, inner, &error))?;
        let range = span.byte_range().unwrap_or_default();
        reader.take(event, Span::new(inner.start + range.start, inner.start + range.end))?;
    }
    Ok(reader.keys)
}

/// A walk over the events of one block.
struct Reader<'a> {
    text: &'a str,
    inner: Span,
    keys: Vec<Key>,
    depth: usize,
    /// The key whose value comes next.
    pending: Option<(String, Span)>,
    /// The list that is the value of the pending key; none once something other than a scalar is in it.
    items: Option<(Vec<String>, StructureStyle, bool)>,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Problem> {
        match event {
            Event::MappingStart(StructureStyle::Block, ..) if self.depth == 0 => self.depth = 1,
            Event::MappingStart(..) | Event::SequenceStart(..) | Event::Scalar(..) if self.depth == 0 => {
                let is_empty = matches!(&event, Event::Scalar(value, ..) if value.is_empty());
                return if is_empty { Ok(()) } else { Err(self.no_keys(span)) };
            }
            Event::MappingStart(..) => self.open(span, None)?,
            Event::SequenceStart(style, ..) => self.open(span, Some(style))?,
            Event::MappingEnd | Event::SequenceEnd => self.close(span),
            Event::Scalar(value, style, ..) => self.scalar(&value, style, span),
            Event::Alias(_) | Event::UnresolvedAlias(_) => self.other(span)?,
            _ => {}
        }
        Ok(())
    }

    fn no_keys(&self, span: Span) -> Problem {
        let (line, column) = place(self.text, span.start);
        Problem { text: "the frontmatter is not a list of `key: value` lines".into(), line, column }
    }

    fn open(&mut self, span: Span, list: Option<StructureStyle>) -> Result<(), Problem> {
        if self.depth == 1 {
            if self.pending.is_none() {
                return Err(self.no_keys(span));
            }
            self.items = list.map(|style| (Vec::new(), style, true));
            self.start_value(span);
        } else {
            self.spoil();
        }
        self.depth += 1;
        Ok(())
    }

    /// A value that spans more than one event is entered at its start and completed at its end.
    fn start_value(&mut self, span: Span) {
        if let Some((name, key)) = self.pending.take() {
            let value_span = Span::at(span.start.max(key.end));
            self.keys.push(Key { name, span: key, value_span, lines: key, value: Value::Other });
        }
    }

    fn spoil(&mut self) {
        if let Some((_, _, is_plain)) = &mut self.items {
            *is_plain = false;
        }
    }

    fn close(&mut self, span: Span) {
        self.depth -= 1;
        if self.depth != 1 {
            return;
        }
        let items = self.items.take();
        let inner = self.inner;
        let text = self.text;
        let Some(key) = self.keys.last_mut() else { return };
        if let Some((items, style, true)) = items {
            key.value = Value::List(items, style);
        }
        let value = Span::new(key.value_span.start, span.end.min(inner.end));
        key.value_span = trimmed(text, value);
        key.lines = whole(text, Span::new(key.span.start, key.value_span.end));
    }

    fn scalar(&mut self, value: &str, style: ScalarStyle, span: Span) {
        match (self.depth, self.pending.take()) {
            (1, None) => self.pending = Some((value.to_owned(), span)),
            (1, Some((name, key))) => {
                let is_none = span.is_empty() && style == ScalarStyle::Plain;
                let value_span =
                    if is_none { Span::at(span.start.max(key.end)) } else { trimmed(self.text, span) };
                let end = if is_none { key.end } else { value_span.end };
                let value = if is_none { Value::None } else { Value::Text(value.to_owned(), style) };
                let lines = whole(self.text, Span::new(key.start, end));
                self.keys.push(Key { name, span: key, value_span, lines, value });
            }
            (2, _) => {
                if let Some((items, _, _)) = &mut self.items {
                    items.push(value.to_owned());
                }
            }
            _ => {}
        }
    }

    fn other(&mut self, span: Span) -> Result<(), Problem> {
        if self.depth != 1 {
            self.spoil();
            return Ok(());
        }
        if self.pending.is_none() {
            return Err(self.no_keys(span));
        }
        self.start_value(span);
        if let Some(key) = self.keys.last_mut() {
            key.value_span = span;
            key.lines = whole(self.text, Span::new(key.span.start, span.end));
        }
        Ok(())
    }
}

fn trimmed(text: &str, span: Span) -> Span {
    let kept = span.of(text).trim_end_matches([' ', '\t', '\n', '\r']).len();
    Span::new(span.start, span.start + kept)
}

fn whole(text: &str, span: Span) -> Span {
    let last = span.end.saturating_sub(1).max(span.start);
    Span::new(line::start(text, span.start), line::end(text, last))
}

/// Line and column of a byte in the note, both from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let start = line::start(text, at);
    let n_lines = line::each(text, Span::new(0, start)).count();
    (n_lines + 1, Span::new(start, at).of(text).chars().count() + 1)
}

fn problem(text: &str, inner: Span, error: &ScanError) -> Problem {
    let at = inner.start + error.marker().byte_offset().unwrap_or(0);
    let at = at.min(inner.end);
    let (line, column) = place(text, at);
    let shown = Span::new(line::start(text, at), line::end(text, at));
    let cause = likely_cause(shown.of(text)).map_or(String::new(), |cause| format!(": {cause}"));
    Problem { text: format!("the frontmatter is not YAML ({}){cause}", error.info()), line, column }
}

/// What most often makes a line no YAML.
fn likely_cause(line: &str) -> Option<&'static str> {
    let (key, value) = line.split_once(':')?;
    let value = value.trim();
    if line.starts_with('\t') || line.trim_start_matches(' ').starts_with('\t') {
        return Some("it is indented with a tab");
    }
    if value.starts_with(['@', '`', '%']) {
        return Some("the value starts with a sign that needs quotes around it");
    }
    if value.starts_with(['"', '\'']) && value.len() > 1 {
        return Some("the value holds quotes inside its quotes, or none at its end");
    }
    if value.starts_with("[[") || value.starts_with("![[") {
        return Some("a link needs quotes around it");
    }
    if value.contains(": ") || value.ends_with(':') {
        return Some("the value holds a colon and needs quotes around it");
    }
    (key.contains("<<<<") || key.contains(">>>>")).then_some("it holds a merge conflict")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Frontmatter {
        Frontmatter::find(text).unwrap()
    }

    #[test]
    fn the_block_is_found_by_its_fences() {
        for (text, body) in [
            ("---\na: b\n---\nx", 13),
            ("\u{feff}---\na: b\n---\nx", 16),
            ("--- \t\na: b\n---  \nx", 17),
            ("---\r\na: b\r\n---\r\nx", 16),
            ("---\na: b\n...\nx", 13),
            ("---\n---\nx", 8),
            ("---\na: b\n---", 12),
            ("---\ra: b\r---\rx", 13),
            ("---\n# only a comment\n---\n", 25),
        ] {
            let found = find(text);
            assert_eq!((found.span.end, found.problem), (body, None), "{text:?}");
        }
        for text in [
            "",
            "x\n---\na: b\n---\n",
            "---\na: b\n",
            "----\na: b\n----\n",
            "# a\n\n---\n\nb: c\n\n---\n",
            " ---\na: b\n---\n",
        ] {
            assert_eq!(Frontmatter::find(text), None, "{text:?}");
        }
    }

    #[test]
    fn values_stay_their_characters() {
        let text = "---\nname: no\ndate: 2026-03-16 # day\nstart: 10:00\nv: '1.10'\nw: \"A: \\\"B\\\"\"\nempty:\nhash: #a #b\nlong: >-\n  one\n  two\n\n# c\nlast: x\n---\n";
        let found = find(text);
        let value = |name| found.get(name);
        assert_eq!(value("name"), Some("no"));
        assert_eq!(value("date"), Some("2026-03-16"));
        assert_eq!(value("start"), Some("10:00"));
        assert_eq!(value("v"), Some("1.10"));
        assert_eq!(value("w"), Some("A: \"B\""));
        assert_eq!(value("long"), Some("one two"));
        assert_eq!(found.key("empty").unwrap().value, Value::None);
        assert_eq!(found.key("hash").unwrap().value, Value::None);
        assert_eq!(found.key("v").unwrap().value_span.of(text), "'1.10'");
        assert_eq!(found.key("date").unwrap().lines.of(text), "date: 2026-03-16 # day\n");
        assert_eq!(found.key("long").unwrap().lines.of(text), "long: >-\n  one\n  two\n");
        assert_eq!(found.key("last").unwrap().span.of(text), "last");
    }

    #[test]
    fn lists_are_read_in_every_style() {
        let text = "---\na: [x, 'y', \"z\"]\nb:\n  - x\n  - y # no\nc:\n- x\n\nd: x\ne:\n  - k: v\nf: {k: v}\ng: [[A]]\nh: []\n---\n";
        let found = find(text);
        assert_eq!(found.problem, None);
        assert_eq!(found.list("a"), ["x", "y", "z"]);
        assert_eq!(found.list("b"), ["x", "y"]);
        assert_eq!(found.list("c"), ["x"]);
        assert_eq!(found.list("d"), ["x"]);
        assert_eq!(found.key("e").unwrap().value, Value::Other);
        assert_eq!(found.key("f").unwrap().value, Value::Other);
        assert_eq!(found.key("g").unwrap().value, Value::Other);
        assert_eq!(found.key("h").unwrap().value, Value::List(vec![], StructureStyle::Flow));
        assert_eq!(found.key("c").unwrap().lines.of(text), "c:\n- x\n");
        assert_eq!(found.key("f").unwrap().value_span.of(text), "{k: v}");
    }

    #[test]
    fn doubles_are_both_there_and_the_first_is_read() {
        let found = find("---\na: 1\na: 2\n---\n");
        assert_eq!((found.get("a"), found.keys.len()), (Some("1"), 2));
    }

    #[test]
    fn what_is_not_yaml_is_one_problem_with_its_place_and_cause() {
        for (text, line, cause) in [
            ("---\na: b\nd: x: y\n---\n", 3, "colon"),
            ("---\na: @me\n---\n", 2, "sign"),
            ("---\na: \"a \"b\" c\"\n---\n", 2, "quotes"),
            ("---\na: [[x]], b\n---\n", 2, "link"),
            ("---\na:\n\tb: c\n---\n", 3, "tab"),
            ("---\njust text\n---\n", 2, "not a list"),
            ("---\n- a\n---\n", 2, "not a list"),
            ("---\n{a: b}\n---\n", 2, "not a list"),
        ] {
            let found = find(text);
            assert!(found.keys.is_empty(), "{text:?}");
            let problem = found.problem.unwrap();
            assert_eq!(problem.line, line, "{text:?}: {problem:?}");
            assert!(problem.text.contains(cause), "{text:?}: {problem:?}");
        }
    }

    #[test]
    fn a_block_too_large_or_deep_is_not_read() {
        let large = format!("---\na: {}\n---\n", "x".repeat(MAX_BYTES));
        assert!(find(&large).problem.unwrap().text.contains("more than"));
        for deep in [
            "[".repeat(30_000),
            "- ".repeat(30_000),
            (0..100).map(|n| format!("{}a:\n", " ".repeat(n))).collect(),
        ] {
            let found = find(&format!("---\na: 1\nb:\n{deep}\n---\n"));
            assert!(found.problem.is_some() && found.keys.is_empty());
        }
    }
}
