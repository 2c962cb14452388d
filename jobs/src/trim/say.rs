//! What trim says: why an entry moves, and what a person must know of a memory that stays too long.

use super::OLDEST;
use super::budget::Size;
use super::choose::Choice;
use super::keep::Kept;
use super::sheet::{Reach, Sheet};
use crate::{
    change::Why,
    finding::{Finding, Severity},
    vault::{NotePath, Reason},
};

/// Why one entry moves: `memory.md has 213 lines, limit 200; this entry is dated 2026-03-01, the oldest of 41`.
/// `rest` is what was left of the memory when the entry was chosen.
pub(super) fn why(sheet: &Sheet<'_>, rest: &Sheet<'_>, choice: &Choice, entry: usize) -> Why {
    let age = match rest.entries()[entry].date {
        Some(day) => format!("is dated {day}"),
        None => format!("has no date and was first seen on {}", rest.ages[entry].day),
    };
    let (rank, of) = (oldest(choice.ranks[entry] + 1), choice.ranks.len());
    let sentence = format!("`{}` {}; this entry {age}, {rank} of {of}", sheet.note.path.name(), over(sheet));
    Why::sure(OLDEST, sentence).with("age", rest.ages[entry].day)
}

/// `the oldest`, `the 2nd oldest`, `the 23rd oldest`.
fn oldest(rank: usize) -> String {
    let ending = match (rank % 10, rank % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    if rank == 1 { "the oldest".to_owned() } else { format!("the {rank}{ending} oldest") }
}

/// `has 213 lines, limit 200`, with the bytes where they are over.
fn over(sheet: &Sheet<'_>) -> String {
    let (lines, bytes) = (sheet.settings.max_lines, sheet.settings.max_bytes);
    let mut says = Vec::new();
    if sheet.size.lines > lines {
        says.push(format!("{} lines, limit {lines}", sheet.size.lines));
    }
    if sheet.size.bytes > bytes {
        says.push(format!("{} bytes, limit {bytes}", sheet.size.bytes));
    }
    format!("has {}", says.join(", and "))
}

/// A note for each entry from the future.
pub(super) fn future(sheet: &Sheet<'_>, choice: &Choice) -> Vec<Finding> {
    let from_future = |at: &usize| choice.kept[*at] == Some(Kept::Future);
    let entries = (0..sheet.entries().len()).filter(from_future);
    entries
        .map(|at| {
            let message = format!("an entry is dated {}, after today ({})", sheet.ages[at].day, sheet.today);
            let finding = Finding::about(&sheet.note.path, Severity::Note, "trim/future", message);
            finding.at(line_of(sheet, at)).hint("It stays until then; correct its date if it is wrong.")
        })
        .collect()
}

fn line_of(sheet: &Sheet<'_>, entry: usize) -> usize {
    sheet.note.line_of(sheet.entries()[entry].span.start)
}

/// A memory over its budget in which nothing may move.
pub(super) fn stuck(sheet: &Sheet<'_>, choice: &Choice) -> Finding {
    let message = format!("{}, and nothing in it may move{}", over(sheet), reasons(sheet, choice));
    finding(sheet, "trim/stuck", message)
}

/// A memory that stays over its budget because of its archive.
pub(super) fn closed(sheet: &Sheet<'_>, archive: &NotePath, reason: Reason) -> Finding {
    let message = format!("{}, and stays so: its archive `{archive}` is left alone ({reason})", over(sheet));
    Finding::about(&sheet.note.path, Severity::Warning, "trim/read-only", message)
}

/// A memory whose trim a person undid, and that is as the undo left it.
pub(super) fn undone(sheet: &Sheet<'_>) -> Finding {
    let message = format!("{}, and is left alone since its trim was undone", over(sheet));
    let finding = Finding::about(&sheet.note.path, Severity::Warning, "trim/undone", message);
    finding.hint("It is trimmed again once it or a setting of `trim` changes: pin what shall stay.")
}

/// A memory that is over its budget even after all moves.
pub(super) fn still_over(sheet: &Sheet<'_>, choice: &Choice, n_moved: usize) -> Option<Finding> {
    if !sheet.is_over() {
        return None;
    }
    let moved = if n_moved == 1 { "1 entry".to_owned() } else { format!("{n_moved} entries") };
    let now = over(sheet);
    let message = format!("still {now}, after {moved} moved{}", reasons(sheet, choice));
    Some(finding(sheet, "trim/over", message))
}

/// A memory that would read differently with its entries taken out.
pub(super) fn unsafe_cut(sheet: &Sheet<'_>) -> Finding {
    let message = format!("{}, but taking entries out would change how the rest of it reads", over(sheet));
    let finding = Finding::about(&sheet.note.path, Severity::Warning, "trim/unsafe", message);
    finding.hint("Put blank lines around its lists and headings, or shorten it by hand.")
}

/// An archive at whose end entries would be a part of something else.
pub(super) fn open_ended(sheet: &Sheet<'_>, archive: &NotePath) -> Finding {
    let message = format!("{}, but `{archive}` ends in code or a comment that is never closed", over(sheet));
    let finding = Finding::about(&sheet.note.path, Severity::Warning, "trim/unsafe", message);
    finding.hint("Close it: what is put behind it would be read as a part of it.")
}

/// Points at the largest entry that stays, which alone may be above the budget.
fn finding(sheet: &Sheet<'_>, rule: &str, message: String) -> Finding {
    let staying = 0..sheet.entries().len();
    let largest = staying.max_by_key(|at| sheet.entries()[*at].span.len());
    let size = largest.map(|at| Size::of(sheet.entries()[at].span.of(sheet.text)));
    let is_alone = size.is_some_and(|size| !size.fits(sheet.settings.max_lines, sheet.settings.max_bytes));
    let hint = match (is_alone, sheet.reach) {
        (true, _) => {
            "One entry alone is above the budget: shorten it, or move parts of it to a note of their own."
        }
        (_, Reach::Zones) => {
            "Only its append-only zones (`trim.zones`) are trimmed: shorten the rest by hand."
        }
        _ => "Shorten its prose, unpin entries, or raise `trim.max_lines` and `trim.max_bytes`.",
    };
    let found = Finding::about(&sheet.note.path, Severity::Warning, rule, message).hint(hint);
    let line = largest.filter(|_| is_alone).map_or(1, |at| line_of(sheet, at));
    found.at(line)
}

/// ` (what stays: 2 pinned, 1 newest)`.
fn reasons(sheet: &Sheet<'_>, choice: &Choice) -> String {
    if sheet.entries().is_empty() {
        return ": it has no entries".to_owned();
    }
    let count = |why: Kept| choice.kept.iter().filter(|kept| **kept == Some(why)).count();
    let named = [
        (Kept::Outside, "outside of its append-only zones"),
        (Kept::Now, "in a zone that stays"),
        (Kept::Pinned, "pinned"),
        (Kept::Future, "from the future"),
        (Kept::Tied, "tied to a footnote or reference elsewhere"),
        (Kept::Cut, "without a clear end, or partly inside a comment"),
        (Kept::Newest, "newest"),
        (Kept::Correction, "bound to an older entry that stays"),
    ];
    let told = named.iter().map(|(why, says)| (count(*why), says)).filter(|(n, _)| *n > 0);
    let told: Vec<String> = told.map(|(n, says)| format!("{n} {says}")).collect();
    if told.is_empty() { String::new() } else { format!(" (what stays: {})", told.join(", ")) }
}
