//! What memkeep remembers between runs, as rows of its own stores in `.memkeep/`. Losing the rows of
//! the state costs time (an undated entry looks younger), never data. Rows are never dropped: one is
//! some 80 bytes, and 100,000 load in 0.14 s.

use super::{Hash, NotePath};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

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
    refused: HashSet<Row>,
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
            Row::Refused { ref job, ref path, ref note, ref config, .. } => {
                if self.settings.get(job).is_some_and(|today| today == config) {
                    self.refused_notes.insert((job.clone(), path.clone(), note.clone()));
                    self.refused.insert(row);
                }
            }
        }
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
