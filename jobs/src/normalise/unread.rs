//! Blocks that are never edited: such as do not read as YAML, templates, and a note with two blocks.

use crate::{
    finding::{Finding, Severity},
    vault::{
        Note,
        frontmatter::{Frontmatter, Problem},
    },
};

pub(super) const UNREADABLE: &str = "normalise/unreadable";
pub(super) const TEMPLATE: &str = "normalise/template";
pub(super) const TWO_BLOCKS: &str = "normalise/two-blocks";

/// No block that a person or an agent keeps has so many; the rules compare keys with each other.
const MAX_KEYS: usize = 500;

/// Why nothing in the block is to be edited, as a finding.
pub(super) fn reason(note: &Note, block: &Frontmatter) -> Option<Finding> {
    if let Some(mark) = template_mark(block.inner.of(&note.text)) {
        let line = note.line_of(block.inner.start + mark);
        let message = "the frontmatter is a template, and is left alone";
        return Some(Finding::about(&note.path, Severity::Note, TEMPLATE, message).at(line));
    }
    if let Some(problem) = &block.problem {
        return Some(unreadable(note, problem));
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

fn unreadable(note: &Note, problem: &Problem) -> Finding {
    let message = format!("{} (column {})", problem.text, problem.column);
    let finding = Finding::about(&note.path, Severity::Warning, UNREADABLE, message).at(problem.line);
    match &problem.suggestion {
        Some(line) => finding.hint(format!("Write `{}`.", line.trim())),
        None => finding.hint("memkeep does not edit a block that it cannot read; mend it by hand."),
    }
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
