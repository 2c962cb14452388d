//! What most likely made a block no YAML, and where. The parser knows only where it could not go on: an
//! open quote or bracket, a tab, or a wrong indentation lies before that place, or on the next line.

use super::{
    correct,
    row::{self, Row},
};
use crate::vault::Span;

/// The likely cause of a fault.
pub(super) struct Cause {
    /// A lower-case fragment.
    pub(super) text: String,
    /// The byte of the note to show.
    pub(super) at: usize,
    /// The value that quotes around it may mend.
    pub(super) value: Option<Span>,
}

fn cause(at: usize, text: impl Into<String>) -> Cause {
    Cause { text: text.into(), at, value: None }
}

fn mendable(at: usize, value: Span, text: impl Into<String>) -> Cause {
    Cause { text: text.into(), at, value: Some(value) }
}

/// The cause of a fault that was noticed at byte `at` of the block `inner`.
pub(super) fn find(note: &str, inner: Span, at: usize) -> Option<Cause> {
    let row = Row::at(note, at);
    left_open(note, inner, &row)
        .or_else(|| tab_before(note, &row))
        .or_else(|| of_row(note, &row, at))
        .or_else(|| tab_before(note, &Row::at(note, row.next)).filter(|tab| tab.at < inner.end))
        .or_else(|| indentation(note, inner, &row))
}

/// A tab that indents a line.
pub(super) fn tab(at: usize) -> Cause {
    cause(at, "the line is indented with a tab, and YAML takes only spaces")
}

/// The cause where the block is YAML without keys: it is in the line of byte `at`, which has none.
pub(super) fn of_line_without_key(note: &str, at: usize) -> Option<Cause> {
    let row = Row::at(note, at);
    let is_text =
        !row.has_key && !row.is_item && !row.value.of(note).starts_with(['[', '{', '&', '!', '*', '?']);
    is_text.then(|| without_key(note, &row))
}

/// A quote or bracket in a line before `noticed` that goes on over it.
fn left_open(note: &str, inner: Span, noticed: &Row) -> Option<Cause> {
    let mut from = inner.start;
    for row in row::each(note, inner.start, noticed.span.start) {
        if row.span.start < from {
            continue;
        }
        let value = row.value;
        if row::starts_quoted(note, value.start, value.end) {
            match row::closing_quote(note, value.start, inner.end) {
                Some(end) if end < noticed.span.start => from = end,
                Some(_) if noticed.indent() > row.indent() => return None,
                _ => return Some(open_quote(value)),
            }
        } else if value.of(note).starts_with(['[', '{']) {
            match row::closing_bracket(note, value.start, inner.end) {
                Some(end) if end < noticed.span.start => from = end,
                Some(_) => return None,
                None => return Some(open_bracket(value.start)),
            }
        }
    }
    None
}

fn open_quote(value: Span) -> Cause {
    mendable(value.start, value, "the quote at the start of the value is not closed")
}

fn open_bracket(at: usize) -> Cause {
    cause(at, "the bracket at the start of the value is not closed")
}

fn tab_before(note: &str, row: &Row) -> Option<Cause> {
    let indentation = Span::new(row.span.start, row.content).of(note);
    let at = indentation.find('\t').filter(|_| !row.is_empty(note))?;
    Some(tab(row.span.start + at))
}

/// What is wrong with a line by itself.
fn of_row(note: &str, row: &Row, at: usize) -> Option<Cause> {
    let is_control = |c: char| c.is_control() && c != '\t';
    if let Some(control) = row.span.of(note).find(is_control) {
        return Some(cause(row.span.start + control, "the line holds a control character"));
    }
    let first = Span::new(row.content, row.span.end).of(note).chars().next()?;
    match (row.has_key, row.is_item) {
        (true, false) if matches!(first, '@' | '`' | '%') => Some(cause(
            row.content,
            format!("the key starts with {} and needs quotes around it", shown(first)),
        )),
        (false, false) => Some(without_key(note, row)),
        _ => of_value(note, row.value, at),
    }
}

/// What is wrong with a line that has neither a key nor a list marker.
fn without_key(note: &str, row: &Row) -> Cause {
    let text = Span::new(row.content, row.span.end).of(note);
    let is_conflict = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| text.starts_with(mark));
    if is_conflict {
        return cause(row.content, "the line is left over from a merge conflict");
    }
    if row::starts_quoted(note, row.content, row.span.end)
        && row::closing_quote(note, row.content, row.span.end).is_none()
    {
        return cause(row.content, "the quote at the start of the line is not closed");
    }
    let word = text.find([' ', '\t']).unwrap_or(text.len());
    match (text.find('：'), text[..word].find(':')) {
        (Some(wide), _) => {
            cause(row.content + wide, "the colon is a wide one, and YAML needs `:` and a space")
        }
        (None, Some(colon)) => cause(row.content + colon, "the colon needs a space behind it"),
        (None, None) => cause(row.content, "the line has no colon behind a key"),
    }
}

fn of_value(note: &str, value: Span, at: usize) -> Option<Cause> {
    let text = value.of(note);
    let first = text.chars().next()?;
    let needs = |reading: &str| {
        let text = format!("the value starts with {}{reading} and needs quotes around it", shown(first));
        Some(mendable(value.start, row::uncommented(note, value), text))
    };
    let is_alone = matches!(text.as_bytes().get(1), None | Some(b' ' | b'\t'));
    match first {
        '#' => None,
        '"' | '\'' => of_quoted(note, value),
        '[' | '{' => of_brackets(note, value, at),
        '!' if text.starts_with("![[") => {
            let value = row::uncommented(note, value);
            Some(mendable(value.start, value, "an embed needs quotes around it"))
        }
        '!' => needs(", which YAML takes for a type,"),
        '*' => needs(", which YAML takes for a reference,"),
        '&' => needs(", which YAML takes for an anchor,"),
        '|' | '>' if Row::at(note, value.start).starts_block_text(note) => None,
        '@' | '`' | '%' | '|' | '>' | ',' | ']' | '}' => needs(""),
        '-' | '?' if is_alone => needs(""),
        _ => of_plain(note, row::uncommented(note, value)),
    }
}

fn shown(sign: char) -> String {
    if sign == '`' { "a backtick".to_owned() } else { format!("`{sign}`") }
}

/// A value without quotes may not hold what looks like a colon behind a key.
fn of_plain(note: &str, value: Span) -> Option<Cause> {
    let bytes = value.of(note).as_bytes();
    let is_colon = |at: &usize| bytes[*at] == b':' && matches!(bytes.get(at + 1), None | Some(b' ' | b'\t'));
    let colon = (0..bytes.len()).find(is_colon)?;
    Some(mendable(value.start + colon, value, "the value holds a colon and needs quotes around it"))
}

fn of_quoted(note: &str, value: Span) -> Option<Cause> {
    let Some(closing) = row::closing_quote(note, value.start, value.end) else {
        return Some(open_quote(value));
    };
    let rest = Span::new(closing + 1, value.end).of(note);
    let behind = row::behind_blanks(note, closing + 1, value.end);
    let quote = note.as_bytes()[closing] as char;
    if rest.is_empty()
        || rest.starts_with([' ', '\t']) && rest.trim_start_matches([' ', '\t']).starts_with('#')
    {
        return wrong_escape(note, Span::new(value.start, closing)).map(|at| {
            let text = "a backslash in double quotes stands for itself only when it is doubled";
            mendable(at, Span::new(value.start, closing + 1), text)
        });
    }
    if rest.starts_with('#') {
        return Some(cause(closing + 1, "the comment needs a space before it"));
    }
    if rest.contains(quote) {
        let value = if note[..value.end].ends_with(quote) { value } else { row::uncommented(note, value) };
        return Some(mendable(closing, value, "the value holds quotes inside its quotes"));
    }
    let value = row::uncommented(note, value);
    Some(mendable(behind, value, "the value goes on behind its closing quote"))
}

fn wrong_escape(note: &str, quoted: Span) -> Option<usize> {
    let text = quoted.of(note).strip_prefix('"')?;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && !correct::is_escape(&text[at + 1..]) {
            return Some(quoted.start + 1 + at);
        }
        if c == '\\' {
            chars.next();
        }
    }
    None
}

fn of_brackets(note: &str, value: Span, at: usize) -> Option<Cause> {
    let Some(closing) = row::closing_bracket(note, value.start, value.end) else {
        return Some(open_bracket(value.start));
    };
    let rest = Span::new(closing + 1, value.end).of(note);
    let behind = row::behind_blanks(note, closing + 1, value.end);
    match rest.trim_start_matches([' ', '\t']).chars().next() {
        None => in_brackets(note, value, at),
        Some('#') if behind > closing + 1 => in_brackets(note, value, at),
        Some('#') => Some(cause(behind, "the comment needs a space before it")),
        Some(_) if value.of(note).starts_with("[[") => {
            let value = row::uncommented(note, value);
            Some(mendable(
                value.start,
                value,
                "a link with text beside it needs quotes around the whole value",
            ))
        }
        Some(_) => {
            let value = row::uncommented(note, value);
            Some(mendable(behind, value, "the value goes on behind its closing bracket"))
        }
    }
}

/// What stopped the parser between brackets. To quote the whole value would make a text of a list.
fn in_brackets(note: &str, value: Span, at: usize) -> Option<Cause> {
    let sign = Span::new(at, value.end).of(note).chars().next().filter(|_| at >= value.start)?;
    match sign {
        ':' => Some(cause(at, "an item holds a colon and needs quotes around it")),
        '@' | '`' | '%' | '#' | '*' | '&' | '!' => {
            Some(cause(at, format!("an item starts with {} and needs quotes around it", shown(sign))))
        }
        _ => None,
    }
}

/// A line that stands further in or out than the lines before it let it.
fn indentation(note: &str, inner: Span, row: &Row) -> Option<Cause> {
    let mut before = row::each(note, inner.start, row.span.start);
    let first = before.next()?;
    if row.indent() < first.indent() {
        return Some(cause(first.content, "the line is indented, and the lines after it are not"));
    }
    let last = before.last().unwrap_or(first);
    let is_below_a_value = last.has_key && !last.has_no_value(note);
    match (is_below_a_value, row.is_item, row.indent() > last.indent()) {
        (true, true, _) => {
            Some(cause(row.content, "the list item stands below a key that has its value already"))
        }
        (true, false, true) => {
            Some(cause(row.content, "the line is indented, and the key before it has its value already"))
        }
        _ if row.indent() > 0 => Some(cause(row.content, "the line is indented unlike the lines before it")),
        _ => None,
    }
}
