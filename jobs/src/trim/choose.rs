//! Which entries leave: the oldest first, as few as bring the memory down to its low-water mark.

use super::correction::{Mention, mentions};
use super::cut::cut;
use super::keep::{Kept, kept};
use super::rounds::blocks;
use super::sheet::Sheet;
use crate::vault::entry::{Direction, direction};
use chrono::NaiveDate;
use config::Order;
use std::collections::HashSet;

/// Which entries of a memory leave.
pub(super) struct Choice {
    /// For each entry how many are older.
    pub ranks: Vec<usize>,
    /// For each entry why it stays, where something says so.
    pub kept: Vec<Option<Kept>>,
    /// Those that leave, by place.
    pub leaving: Vec<usize>,
    pub direction: Direction,
}

/// Chooses what leaves `sheet`.
pub(super) fn choose(sheet: &Sheet<'_>) -> Choice {
    let direction = direction_of(sheet);
    let order = oldest_first(sheet, direction);
    let mut kept = kept(sheet);
    keep_newest(sheet, &order, &mut kept);
    let movable = in_turn(sheet, &order, &mut kept);
    let mut leaving = movable[..fewest(sheet, &movable)].to_vec();
    leaving.sort_unstable();
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(rank, at)| ranks[*at] = rank);
    Choice { ranks, kept, leaving, direction }
}

fn direction_of(sheet: &Sheet<'_>) -> Direction {
    match sheet.settings.order {
        Order::NewestFirst => Direction::NewestFirst,
        Order::NewestLast => Direction::NewestLast,
        Order::Auto => direction(sheet.entries()),
    }
}

/// By age; of one day, from the end of the note at which the oldest stand.
fn oldest_first(sheet: &Sheet<'_>, direction: Direction) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sheet.entries().len()).collect();
    if direction == Direction::NewestFirst {
        order.reverse();
    }
    order.sort_by_key(|at| sheet.ages[*at].day);
    order
}

/// The newest entry stays; what lies in the future or in a zone of its own is not it.
fn keep_newest(sheet: &Sheet<'_>, order: &[usize], kept: &mut [Option<Kept>]) {
    let counts = |at: &&usize| {
        sheet.ages[**at].day <= sheet.today && !matches!(kept[**at], Some(Kept::Now | Kept::Outside))
    };
    if let Some(newest) = order.iter().rev().find(counts).copied() {
        kept[newest].get_or_insert(Kept::Newest);
    }
}

/// The entries that may leave, oldest first. Of a correction and what it corrects the younger leaves only if the older has
/// left, so that no trim stops between them at the wrong one.
fn in_turn(sheet: &Sheet<'_>, order: &[usize], kept: &mut [Option<Kept>]) -> Vec<usize> {
    let mut turn = Turn::new(mentions(sheet));
    let mut movable = Vec::new();
    for at in order.iter().copied() {
        let day = sheet.entries()[at].date;
        if kept[at].is_none() && turn.waits(at, day) {
            kept[at] = Some(Kept::Correction);
        }
        match kept[at] {
            None => movable.push(at),
            Some(_) => turn.stays(at, day),
        }
    }
    movable
}

/// What stays, as far as the walk from the oldest has come.
struct Turn {
    mentions: Vec<Option<Mention>>,
    staying: HashSet<usize>,
    /// Days of entries that stay, and days that corrections speak of that stay.
    days: HashSet<NaiveDate>,
    spoken_days: HashSet<NaiveDate>,
    spoken_entries: HashSet<usize>,
}

impl Turn {
    fn new(mentions: Vec<Option<Mention>>) -> Turn {
        Turn {
            mentions,
            staying: HashSet::new(),
            days: HashSet::new(),
            spoken_days: HashSet::new(),
            spoken_entries: HashSet::new(),
        }
    }

    /// True where an older entry stays that this one corrects, or that speaks of this one as its correction.
    fn waits(&self, at: usize, day: Option<NaiveDate>) -> bool {
        let speaks_of_staying = self.mentions[at].as_ref().is_some_and(|mention| {
            mention.entries.iter().any(|other| self.staying.contains(other))
                || mention.days.iter().any(|day| self.days.contains(day))
        });
        speaks_of_staying
            || self.spoken_entries.contains(&at)
            || day.is_some_and(|day| self.spoken_days.contains(&day))
    }

    fn stays(&mut self, at: usize, day: Option<NaiveDate>) {
        self.staying.insert(at);
        self.days.extend(day);
        if let Some(mention) = &self.mentions[at] {
            self.spoken_entries.extend(&mention.entries);
            self.spoken_days.extend(&mention.days);
        }
    }
}

/// How many of `movable`, from its front, bring the memory down to the mark; all where they do not.
fn fewest(sheet: &Sheet<'_>, movable: &[usize]) -> usize {
    let fits = |n: usize| {
        let after = cut(sheet, &blocks(sheet, &movable[..n])).size(sheet);
        after.fits(sheet.settings.keep_lines, sheet.settings.keep_bytes)
    };
    // More entries never leave a larger memory behind, so the place where it fits can be halved in on.
    let (mut low, mut high) = (1.min(movable.len()), movable.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if fits(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
