//! What a text that is no YAML most likely has wrong, in a person's words.

use granit_parser::{ErrorKind, ScanError};

use crate::error::{Mark, Problem, steers};
use crate::tree::MAX_DEPTH;

/// The text without its byte-order mark.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Problem> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let good = good.strip_prefix('\u{feff}').unwrap_or(&good);
            let last = good.rsplit('\n').next().unwrap_or_default();
            let line = good.matches('\n').count() + 1;
            Err(Problem::new(Mark { line, column: last.chars().count() + 1 }, "not UTF-8"))
        }
    }
}

/// How far back a comment is looked for, in bytes; more would cost time on hostile lines.
const LOOK_BACK: usize = 200;

/// The comment that stands where a value is missing, and ends at `offset`: a bare `#pinned`, most likely.
pub(crate) fn hidden_comment(text: &str, at: Mark, offset: usize) -> (Mark, Option<String>) {
    let from = (offset.saturating_sub(LOOK_BACK)..=offset).find(|i| text.is_char_boundary(*i));
    let before = from.and_then(|from| text.get(from..offset)).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let Some(hash) = line.find(" #") else { return (at, None) };
    let comment = &line[hash + 1..];
    let column = at.column.saturating_sub(comment.chars().count()).max(1);
    (Mark { column, ..at }, Some(comment.trim_end().to_owned()))
}

/// The error of the parser, at the place where a person would look for it.
pub(crate) fn explain(text: &str, error: &ScanError) -> Problem {
    let marker = error.marker();
    let at = Mark { line: marker.line().max(1), column: marker.col() + 1 };
    match error.kind() {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar => {
            Problem::new(first_tab(text, at), "a tab cannot indent a line").hint("use blanks")
        }
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => {
            Problem::new(at, "a ':' is not allowed here")
                .hint("check the indentation, and quote a text that holds ': '")
        }
        ErrorKind::ExpectedBlockMappingKey => Problem::new(at, "expected a key here")
            .hint("check the indentation, and quote a text that starts with '[' or '{'"),
        ErrorKind::UnexpectedCharacter { character } => unexpected(at, *character),
        ErrorKind::MissingAnchorOrAliasName => unexpected(at, char_at(text, at).unwrap_or('*')),
        ErrorKind::DirectiveDisallowed => Problem::new(at, "a line cannot start with '%'"),
        ErrorKind::UnclosedQuotedScalar => Problem::new(at, "the quote is never closed"),
        ErrorKind::UnclosedFlowCollection { open } => unclosed(text, at, *open),
        ErrorKind::UnexpectedEof
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping => {
            Problem::new(at, "the text ends too early").hint("close every '[' and '{'")
        }
        ErrorKind::RecursionLimitExceeded => {
            Problem::new(at, format!("nested deeper than {MAX_DEPTH} levels"))
        }
        kind => Problem::new(at, plain(&kind.to_string())),
    }
}

fn unexpected(at: Mark, c: char) -> Problem {
    if steers(c) {
        return Problem::new(at, format!("the character U+{:04X} is not allowed", u32::from(c)));
    }
    Problem::new(at, format!("a text cannot start with '{c}'")).hint("quote the text")
}

fn unclosed(text: &str, at: Mark, open: char) -> Problem {
    let problem = Problem::new(at, format!("the bracket '{open}' is never closed"));
    match line(text, at.line).contains(" #") {
        true => problem.hint("a '#' behind a blank starts a comment: quote it"),
        false => problem,
    }
}

/// The parser's own words as a fragment.
fn plain(message: &str) -> String {
    let message = message.trim_end_matches('.');
    let mut chars = message.chars();
    let first = chars.next().into_iter().flat_map(char::to_lowercase);
    first.chain(chars.map(|c| if steers(c) { ' ' } else { c })).collect()
}

/// The first tab from that line on, as far as the parser can have got.
fn first_tab(text: &str, from: Mark) -> Mark {
    let lines = text.lines().enumerate().skip(from.line - 1);
    let tab = lines.map(|(i, line)| (i + 1, line.chars().position(|c| c == '\t')));
    let found = tab.take(2 + MAX_DEPTH).find_map(|(line, at)| at.map(|i| Mark { line, column: i + 1 }));
    found.unwrap_or(from)
}

fn char_at(text: &str, at: Mark) -> Option<char> {
    line(text, at.line).chars().nth(at.column - 1)
}

fn line(text: &str, number: usize) -> &str {
    text.lines().nth(number - 1).unwrap_or_default()
}
