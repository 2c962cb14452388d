//! The changes of a report, note by note, as every format for people tells them: the hunks of each
//! note with the reasons for them, and a move as one thing, at both ends.

use super::{
    Held, Report, counted,
    diff::{self, Hunk, Side},
};
use jobs::{
    fold::{Kind, Step},
    vault::{Hash, NotePath},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Gives the text that a note had before the run; none where it is not to be had or there was none.
pub type Texts<'a> = dyn Fn(&NotePath) -> Option<Arc<str>> + 'a;

/// One note that a run changes.
#[derive(Debug)]
pub struct NoteChanges<'a> {
    /// The note.
    pub path: &'a NotePath,
    /// True where the run makes it.
    pub is_new: bool,
    /// True where an undo takes it away again.
    pub is_gone: bool,
    /// Set where its changes were not made.
    pub held: Option<&'a Held>,
    /// Blocks that it gives away or gets, a sentence for each other note.
    pub moves: Vec<String>,
    /// What differs.
    pub hunks: Vec<Hunk>,
    /// Its steps, which hunks name by their place here.
    pub steps: Vec<&'a Step>,
}

impl<'a> NoteChanges<'a> {
    /// The steps whose reasons belong above a hunk.
    pub fn reasons(&self, hunk: &Hunk) -> Vec<&'a Step> {
        hunk.steps.iter().filter_map(|n| self.steps.get(*n).copied()).collect()
    }

    /// The steps that no hunk shows, since a later step took them back.
    pub fn unseen(&self) -> Vec<&'a Step> {
        let seen: BTreeSet<usize> = self.hunks.iter().flat_map(|hunk| hunk.steps.iter().copied()).collect();
        let unseen = self.steps.iter().enumerate().filter(|(n, _)| !seen.contains(n));
        unseen.map(|(_, step)| *step).collect()
    }

    /// Lines that stand on one side only.
    pub fn lines(&self, side: Side) -> usize {
        self.hunks.iter().map(|hunk| hunk.count(side)).sum()
    }
}

/// The notes that a report changes, by path.
pub fn notes<'a>(report: &'a Report, texts: &Texts<'_>) -> Vec<NoteChanges<'a>> {
    let mut moves = moves(&report.changes);
    let held: BTreeMap<&NotePath, &Held> = report.held.iter().map(|held| (&held.path, held)).collect();
    let mut steps: BTreeMap<&NotePath, Vec<&Step>> = BTreeMap::new();
    for step in &report.changes {
        steps.entry(&step.path).or_default().push(step);
    }
    let note = |(path, steps): (&'a NotePath, Vec<&'a Step>)| NoteChanges {
        path,
        is_new: steps.iter().all(|step| step.base_hash.is_none()),
        is_gone: steps.iter().any(|step| step.kind == Kind::Remove),
        held: held.get(path).copied(),
        moves: moves.remove(path).unwrap_or_default(),
        hunks: hunks(path, &steps, texts),
        steps,
    };
    steps.into_iter().map(note).collect()
}

/// A text that is not the one the run saw gives no diff; then each step stands for itself.
fn hunks(path: &NotePath, steps: &[&Step], texts: &Texts<'_>) -> Vec<Hunk> {
    let base = steps.iter().find_map(|step| step.base_hash);
    let old = match base {
        None => Some("".into()),
        Some(hash) => texts(path).filter(|text| Hash::of(text.as_bytes()) == hash),
    };
    let whole = old.and_then(|old: Arc<str>| diff::hunks(&old, steps));
    whole.unwrap_or_else(|| diff::hunks_of_steps(steps))
}

/// For each note that gives or gets blocks, a sentence for each other one.
fn moves(steps: &[Step]) -> BTreeMap<&NotePath, Vec<String>> {
    let mut receivers: BTreeMap<usize, &NotePath> = BTreeMap::new();
    for step in steps.iter().filter(|step| matches!(step.kind, Kind::Move | Kind::Create)) {
        if step.before.is_empty() && !step.after.is_empty() {
            receivers.entry(step.change).or_insert(&step.path);
        }
    }
    let mut counts: BTreeMap<(&NotePath, &NotePath), usize> = BTreeMap::new();
    for ((from, change), count) in given(steps) {
        if let Some(to) = receivers.get(&change).filter(|to| **to != from) {
            *counts.entry((from, *to)).or_default() += count;
        }
    }
    let mut sentences: BTreeMap<&NotePath, Vec<String>> = BTreeMap::new();
    for ((from, to), count) in counts {
        let entries = counted(count, "entry", "entries");
        sentences.entry(from).or_default().push(format!("{entries} to {to}"));
        sentences.entry(to).or_default().push(format!("{entries} from {from}"));
    }
    sentences
}

/// How many blocks leave a note by a change. A block takes its bytes away and puts none there; lines that
/// only go with it speak under another rule, and are fewer.
fn given(steps: &[Step]) -> BTreeMap<(&NotePath, usize), usize> {
    let mut by_rule: BTreeMap<(&NotePath, usize, &str), usize> = BTreeMap::new();
    for step in steps.iter().filter(|step| step.kind == Kind::Move) {
        if step.after.is_empty() && !step.before.is_empty() {
            *by_rule.entry((&step.path, step.change, &step.why.rule)).or_default() += 1;
        }
    }
    let mut given = BTreeMap::new();
    for ((from, change, _), count) in by_rule {
        let most: &mut usize = given.entry((from, change)).or_default();
        *most = count.max(*most);
    }
    given
}
