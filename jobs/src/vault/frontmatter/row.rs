//! One line of a block that need not be YAML, taken apart as its writer saw it: indentation, list markers,
//! key, value. Nothing here decides what is right.

use crate::vault::{Span, line};

/// A line of a block.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// The line without its line end.
    pub(super) span: Span,
    /// Where the next line starts.
    pub(super) next: usize,
    /// Where its text starts, behind spaces and tabs.
    pub(super) content: usize,
    pub(super) is_item: bool,
    pub(super) has_key: bool,
    /// What stands behind list markers and key, with a comment at its end.
    pub(super) value: Span,
}

impl Row {
    /// The line that holds byte `at`.
    pub(super) fn at(note: &str, at: usize) -> Row {
        let (start, next) = (line::start(note, at), line::end(note, at));
        let content = line::content(Span::new(start, next).of(note));
        let span = Span::new(start, start + content.len());
        let content = behind_blanks(note, start, span.end);
        let mut value = content;
        while is_marker(note, value, span.end) {
            value = behind_blanks(note, value + 1, span.end);
        }
        let is_item = value > content;
        let colon = colon(note, value, span.end);
        let value = colon.map_or(value, |colon| behind_blanks(note, colon + 1, span.end));
        let value = trimmed(note, Span::new(value, span.end));
        Row { span, next, content, is_item, has_key: colon.is_some(), value }
    }

    pub(super) fn indent(&self) -> usize {
        self.content - self.span.start
    }

    /// True where the line is blank or a comment.
    pub(super) fn is_empty(&self, note: &str) -> bool {
        self.content == self.span.end || note.as_bytes()[self.content] == b'#'
    }

    /// True where its value is the text of the lines below it.
    pub(super) fn starts_block_text(&self, note: &str) -> bool {
        let value = uncommented(note, self.value).of(note);
        let header = value.strip_prefix(['|', '>']);
        header.is_some_and(|header| {
            header.len() <= 2 && header.bytes().all(|byte| b"+-123456789".contains(&byte))
        })
    }

    /// True where nothing but a comment stands behind its key or marker.
    pub(super) fn has_no_value(&self, note: &str) -> bool {
        let value = self.value.of(note);
        value.is_empty() || value.starts_with('#')
    }
}

/// The lines from `from` to `to`, without blank ones, comments and the texts of block scalars.
pub(super) fn each(note: &str, from: usize, to: usize) -> impl Iterator<Item = Row> + '_ {
    let mut at = from;
    let mut text_below = None;
    std::iter::from_fn(move || {
        while at < to {
            let row = Row::at(note, at);
            at = row.next;
            if row.is_empty(note) || text_below.is_some_and(|indent| row.indent() > indent) {
                continue;
            }
            text_below = row.starts_block_text(note).then(|| row.indent());
            return Some(row);
        }
        None
    })
}

/// The colon behind a key that starts at `at`.
fn colon(note: &str, at: usize, end: usize) -> Option<usize> {
    let bytes = note.as_bytes();
    let is_colon =
        |at: usize| at < end && bytes[at] == b':' && (at + 1 == end || matches!(bytes[at + 1], b' ' | b'\t'));
    if starts_quoted(note, at, end) {
        let behind = behind_blanks(note, closing_quote(note, at, end)? + 1, end);
        return is_colon(behind).then_some(behind);
    }
    (at..end).find(|at| is_colon(*at))
}

/// The quote that closes the one at `at`, before `end`.
pub(super) fn closing_quote(text: &str, at: usize, end: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[..end];
    let quote = *bytes.get(at)?;
    let mut at = at + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' if quote == b'"' => at += 2,
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 2,
            byte if byte == quote => return Some(at),
            _ => at += 1,
        }
    }
}

/// The bracket that closes the one at `at`, before `end`.
pub(super) fn closing_bracket(text: &str, at: usize, end: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[..end];
    let (mut depth, mut at) = (0_usize, at);
    loop {
        match *bytes.get(at)? {
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth == 1 => return Some(at),
            b']' | b'}' => depth -= 1,
            b'"' | b'\'' if matches!(bytes[at - 1], b'[' | b'{' | b',' | b':' | b' ') => {
                at = closing_quote(text, at, end)?;
            }
            _ => {}
        }
        at += 1;
    }
}

/// The span without a comment at its end.
pub(super) fn uncommented(text: &str, span: Span) -> Span {
    let comment = [" #", "\t#"].iter().filter_map(|mark| span.of(text).find(mark)).min();
    trimmed(text, comment.map_or(span, |at| Span::new(span.start, span.start + at)))
}

pub(super) fn behind_blanks(text: &str, at: usize, end: usize) -> usize {
    end - Span::new(at, end).of(text).trim_start_matches([' ', '\t']).len()
}

fn trimmed(text: &str, span: Span) -> Span {
    Span::new(span.start, span.start + span.of(text).trim_end_matches([' ', '\t']).len())
}

fn is_marker(text: &str, at: usize, end: usize) -> bool {
    let rest = Span::new(at, end).of(text);
    rest == "-" || rest.starts_with("- ")
}

pub(super) fn starts_quoted(text: &str, at: usize, end: usize) -> bool {
    Span::new(at, end).of(text).starts_with(['"', '\''])
}
