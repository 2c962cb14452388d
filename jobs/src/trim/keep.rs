//! Which entries never move, and why. The newest entry and corrections are judged later, when the order is known.

use super::pin::pinned;
use super::sheet::{Reach, Sheet};
use crate::vault::entry::EntryKind;
use std::collections::HashMap;

/// Why an entry stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kept {
    /// Outside of the append-only zones of a project note.
    Outside,
    /// In a zone such as `## NOW`.
    Now,
    /// A person marked it.
    Pinned,
    /// Dated after today.
    Future,
    /// A footnote or reference ties it to text elsewhere.
    Tied,
    /// A comment or template starts in it and ends outside, or the reverse; or nothing tells where it ends.
    Cut,
    /// The newest of all.
    Newest,
    /// It belongs to an older entry that stays: one of them corrects the other.
    Correction,
}

/// For each entry why it stays, where something says so.
pub(super) fn kept(sheet: &Sheet<'_>) -> Vec<Option<Kept>> {
    let mut kept = vec![None; sheet.entries().len()];
    if sheet.reach == Reach::Zones {
        kept.fill(Some(Kept::Outside));
        for zone in sheet.zones(&sheet.settings.zones) {
            kept[sheet.entries_in(zone)].fill(None);
        }
    }
    for (at, entry) in sheet.entries().iter().enumerate() {
        mark(&mut kept, at, entry.kind == EntryKind::Open, Kept::Cut);
    }
    mark_cut(sheet, &mut kept);
    mark_tied(sheet, &mut kept);
    for (at, is_pinned) in pinned(sheet).into_iter().enumerate() {
        mark(&mut kept, at, is_pinned, Kept::Pinned);
        mark(&mut kept, at, sheet.ages[at].day > sheet.today, Kept::Future);
    }
    for zone in sheet.zones(&sheet.settings.now) {
        for at in sheet.entries_in(zone) {
            mark(&mut kept, at, true, Kept::Now);
        }
    }
    kept
}

/// The weightiest reason is told: one a person gave before one that we found.
fn mark(kept: &mut [Option<Kept>], at: usize, is_so: bool, why: Kept) {
    if is_so && kept[at].is_none_or(|known| known > why) {
        kept[at] = Some(why);
    }
}

fn mark_cut(sheet: &Sheet<'_>, kept: &mut [Option<Kept>]) {
    for comment in &sheet.markdown.comments {
        for at in sheet.entries_in(*comment) {
            mark(kept, at, !sheet.entries()[at].span.holds(*comment), Kept::Cut);
        }
    }
}

/// A footnote or reference whose ends lie in two places keeps both where they are.
fn mark_tied(sheet: &Sheet<'_>, kept: &mut [Option<Kept>]) {
    let holder = |label: &crate::vault::markdown::Label| {
        sheet.entries_in(label.span).find(|at| sheet.entries()[*at].span.holds(label.span))
    };
    let mut places = HashMap::new();
    for label in &sheet.markdown.labels {
        let here = holder(label);
        let place = places.entry((label.kind, &*label.name)).or_insert((here, false));
        place.1 |= place.0 != here;
    }
    for label in &sheet.markdown.labels {
        let is_split = places.get(&(label.kind, &*label.name)).is_some_and(|place| place.1);
        if let Some(at) = holder(label) {
            mark(kept, at, is_split, Kept::Tied);
        }
    }
}
