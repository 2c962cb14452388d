//! What memkeep remembers between runs, as rows of its own stores in `.memkeep/`. Losing the rows of
//! the state costs time (an undated entry looks younger), never data. Rows are hardly ever dropped:
//! one is some 80 bytes, and 100,000 load in 0.14 s.

use super::{Hash, NotePath};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// One row of memkeep's own memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "kebab-case")]
pub enum Row {
    /// An undated entry was first seen on `day`; `key` is the entry's folded text, hashed.
    Seen {
        /// [`crate::vault::entry::key`] of the entry.
        key: String,
        /// The day of the first run that saw it.
        day: NaiveDate,
    },
    /// A person undid this change: it is not made again until the note or the job's settings change.
    Refused {
        /// The job that made it.
        job: String,
        /// The note it was made in.
        path: NotePath,
        /// [`state_key`] of the note as the undo left it.
        note: String,
        /// [`piece_key`] of the piece it changed.
        piece: String,
        /// The fingerprint of the job's settings at the time.
        config: String,
    },
    /// memkeep made a link. It counts as text while it stands; where it is gone, a person took it away.
    Linked(Linked),
}

/// A link that memkeep made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Linked {
    /// The note it stands in.
    pub note: NotePath,
    /// The note it leads to.
    pub target: NotePath,
    /// The words that were there before, and are shown.
    pub words: String,
    /// Its bytes.
    pub link: String,
    /// [`crate::vault::entry::key`] of the entry it was made in; empty in a note without entries.
    pub unit: String,
    /// Names the words on both sides of it, so that it is found again among equal ones.
    pub near: String,
    /// How many others of the same bytes in the same place there are before it: of equal entries each has its own row.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub copy: usize,
    /// The rule that made it.
    pub rule: String,
    /// The run that made it; empty until there is one.
    pub run: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What a run does to memkeep's own memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Memo {
    /// A row joins.
    Add(Row),
    /// A row leaves.
    Drop(Row),
}

/// Names one piece of a change: the bytes it takes away and the bytes it puts there, blank ends aside,
/// since the blank lines that leave with a block depend on its neighbours.
pub fn piece_key(before: &str, after: &str) -> String {
    Hash::of([before.trim(), after.trim()].join("\0").as_bytes()).short()
}

/// Names the bytes of a note, or that there is none.
pub fn state_key(note: Option<Hash>) -> String {
    note.map_or_else(|| "absent".to_owned(), |hash| hash.short())
}

/// The rows in the form jobs ask for.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    seen: BTreeMap<String, NaiveDate>,
    links: BTreeMap<NotePath, BTreeSet<Linked>>,
    refused: HashSet<Row>,
    /// Job, note and piece of each refused change whose settings are those of today.
    refused_pieces: HashSet<(String, NotePath, String)>,
    /// Job, note and state of each refused change whose settings are those of today.
    refused_notes: HashSet<(String, NotePath, String)>,
    settings: BTreeMap<String, String>,
}

impl Ledger {
    /// A ledger of these rows, and of the fingerprint of each job's settings, by job. Of two days for
    /// one entry the earlier counts.
    pub fn new(rows: impl IntoIterator<Item = Row>, settings: BTreeMap<String, String>) -> Self {
        let mut ledger = Ledger { settings, ..Ledger::default() };
        for row in rows {
            ledger.add(row);
        }
        ledger
    }

    /// Adds one row, as a run does with what its jobs remember.
    pub fn add(&mut self, row: Row) {
        match row {
            Row::Seen { key, day } => {
                let first = self.seen.entry(key).or_insert(day);
                *first = day.min(*first);
            }
            Row::Refused { ref job, ref path, ref note, ref piece, ref config } => {
                if self.settings.get(job).is_some_and(|today| today == config) {
                    self.refused_notes.insert((job.clone(), path.clone(), note.clone()));
                    self.refused_pieces.insert((job.clone(), path.clone(), piece.clone()));
                    self.refused.insert(row);
                }
            }
            Row::Linked(linked) => {
                self.links.entry(linked.note.clone()).or_default().insert(linked);
            }
        }
    }

    /// Does what a run noted. Only links are ever dropped.
    pub fn note(&mut self, memo: Memo) {
        match memo {
            Memo::Add(row) => self.add(row),
            Memo::Drop(Row::Linked(linked)) => {
                if let Some(links) = self.links.get_mut(&linked.note) {
                    links.remove(&linked);
                }
            }
            Memo::Drop(_) => {}
        }
    }

    /// The links that memkeep made in a note, in a fixed order.
    pub fn links_in(&self, note: &NotePath) -> impl Iterator<Item = &Linked> {
        self.links.get(note).into_iter().flatten()
    }

    /// All links that memkeep made, by note.
    pub fn links(&self) -> impl Iterator<Item = (&NotePath, &BTreeSet<Linked>)> {
        self.links.iter().filter(|(_, links)| !links.is_empty())
    }

    /// True where a person undid this piece of an edit in the note at `path`, and the job's settings have not
    /// changed since: it is refused wherever in the note it comes up again.
    pub fn is_piece_refused(&self, job: &str, path: &NotePath, piece: &str) -> bool {
        let key = || (job.to_owned(), path.clone(), piece.to_owned());
        !self.refused_pieces.is_empty() && self.refused_pieces.contains(&key())
    }

    /// True where any change is refused: most often none is, and nothing need be asked.
    pub fn has_refusals(&self) -> bool {
        !self.refused.is_empty()
    }

    /// The day on which the entry of this key was first seen.
    pub fn first_seen(&self, key: &str) -> Option<NaiveDate> {
        self.seen.get(key).copied()
    }

    /// True where a person undid this change (see [`piece_key`]), and neither the note nor the job's
    /// settings have changed since.
    pub fn is_refused(&self, job: &str, path: &NotePath, state: Option<Hash>, piece: &str) -> bool {
        let config = self.settings.get(job).cloned().unwrap_or_default();
        let (job, path, note) = (job.to_owned(), path.clone(), state_key(state));
        let row = Row::Refused { job, path, note, piece: piece.to_owned(), config };
        !self.refused.is_empty() && self.refused.contains(&row)
    }

    /// True where a person undid any change of the job in this note, and neither the note nor the job's
    /// settings have changed since.
    pub fn is_note_refused(&self, job: &str, path: &NotePath, state: Option<Hash>) -> bool {
        let key = || (job.to_owned(), path.clone(), state_key(state));
        !self.refused_notes.is_empty() && self.refused_notes.contains(&key())
    }
}
