//! Blocks that are never edited: such as do not read as YAML, templates, and a note with two blocks.

use super::{kinds::Kinds, lists};
use crate::{
    finding::{Finding, Severity},
    vault::{
        Note, Span,
        frontmatter::{Frontmatter, Problem, ScalarStyle},
        line,
    },
};
use config::Kind;

pub(super) const UNREADABLE: &str = "normalise/unreadable";
pub(super) const TEMPLATE: &str = "normalise/template";
pub(super) const TWO_BLOCKS: &str = "normalise/two-blocks";

/// No block that a person or an agent keeps has so many; the rules compare keys with each other.
const MAX_KEYS: usize = 500;

/// Why nothing in the block is to be edited, as a finding.
pub(super) fn reason(kinds: &Kinds, note: &Note, block: &Frontmatter) -> Option<Finding> {
    if let Some(mark) = template_mark(block.inner.of(&note.text)) {
        let line = note.line_of(block.inner.start + mark);
        let message = "the frontmatter is a template, and is left alone";
        return Some(Finding::about(&note.path, Severity::Note, TEMPLATE, message).at(line));
    }
    if let Some(problem) = &block.problem {
        return Some(unreadable(kinds, note, problem));
    }
    if block.keys.len() > MAX_KEYS {
        let message = format!("the frontmatter has {} keys, more than {MAX_KEYS}", block.keys.len());
        return Some(Finding::about(&note.path, Severity::Warning, UNREADABLE, message).at(1));
    }
    let second = block.second(&note.text)?;
    let message =
        "a second frontmatter block follows the first; only the first one is read by other programs";
    let finding = Finding::about(&note.path, Severity::Warning, TWO_BLOCKS, message);
    Some(finding.at(note.line_of(second.start)).hint("Put what both say into one block."))
}

fn unreadable(kinds: &Kinds, note: &Note, problem: &Problem) -> Finding {
    let advice = advice(kinds, note, problem);
    // Quotes are named only where they are the way out.
    let are_quotes_right = advice.is_some() && advice == problem.suggestion || problem.suggestion.is_none();
    let cause = match are_quotes_right {
        true => problem.text.clone(),
        false => problem.text.replace(" and needs quotes around it", ""),
    };
    let message = format!("{cause} (column {})", problem.column);
    let finding = Finding::about(&note.path, Severity::Warning, UNREADABLE, message).at(problem.line);
    match advice {
        Some(line) => finding.hint(format!("Write `{}`.", line.trim())),
        None => finding.hint("memkeep does not edit a block that it cannot read; mend it by hand."),
    }
}

/// The line as it could be written, where the value stays what the key is for: quotes make one text of it,
/// which no list is, nor what another key stands for.
fn advice(kinds: &Kinds, note: &Note, problem: &Problem) -> Option<String> {
    let whole = Span::new(0, note.text.len());
    let span = line::each(&note.text, whole).nth(problem.line.checked_sub(1)?)?;
    let row = line::content(span.of(&note.text));
    let Some((key, value)) = row.split_once(':').filter(|_| !row.starts_with([' ', '\t', '-'])) else {
        return problem.suggestion.clone();
    };
    let (name, value) = (key.trim().trim_matches(['"', '\'']), value.trim());
    let is_reference = value.strip_prefix('*').is_some_and(|name| !name.contains([' ', '*']));
    match kinds.kind_of_list(name) {
        _ if name == "<<" || is_reference => None,
        None => problem.suggestion.clone(),
        Some(kind) => {
            let items = items(kind, value)?;
            let row = format!("{key}: [{}]", items.join(", "));
            let before = Span::new(0, span.start).of(&note.text);
            let rest = Span::new(span.start + line::content(span.of(&note.text)).len(), note.text.len());
            let text = [before, &row, rest.of(&note.text)].concat();
            let found = Frontmatter::find(&text).filter(|found| found.list(name) == items);
            found.map(|_| row)
        }
    }
}

/// The items that the value of a list was most likely meant to have.
fn items(kind: Kind, value: &str) -> Option<Vec<String>> {
    let inner = match value.strip_prefix('[') {
        Some(inner) => inner.strip_suffix(']').unwrap_or(inner),
        None => value.strip_prefix("- ").unwrap_or(value),
    };
    let reading = match kind {
        Kind::Tags => lists::tags(inner),
        _ => lists::texts(inner, ScalarStyle::Plain),
    };
    if let lists::Reading::Items(items) = reading { Some(items) } else { None }
}

/// Where a line holds the marks of a template: `{{ }}` or `<% %>`.
fn template_mark(block: &str) -> Option<usize> {
    let mark = |open: &str, close: &str| {
        let at = block.find(open)?;
        let rest = block[at..].lines().next()?;
        rest.contains(close).then_some(at)
    };
    // Hardly any block holds either sign.
    let may_hold = block.bytes().any(|byte| matches!(byte, b'{' | b'<'));
    if may_hold { mark("{{", "}}").or_else(|| mark("<%", "%>")) } else { None }
}
