//! Everything after the notes: memkeep's own rows, then the outcome, whose name says that the run is over.

use super::error::{At, Trouble};
use super::hand::Hand;
use crate::disk::parent;
use crate::journal::{
    Fate, HOME, Manifest, Outcome, RowChange, RunKind, Store, VERSION, folder, read_sealed, seal, write_draft,
};
use crate::rows::{self, Draft};
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};

/// The outcome with the version that a later program looks for.
#[derive(Serialize)]
struct Stamped<'a> {
    version: u32,
    #[serde(flatten)]
    outcome: &'a Outcome,
}

/// What is written and durable but does not count yet.
pub(super) struct Ending {
    rows: Vec<Draft>,
}

/// Writes what ends the run beside the things it will replace, and makes the notes durable. Nothing counts yet, so
/// after a failure here the run can still be taken back.
pub(super) fn prepare(hand: &Hand<'_>, outcome: &Outcome) -> Result<Ending, Trouble> {
    let changes = due_rows(hand.manifest, outcome);
    let mut rows = Vec::new();
    for store in Store::ALL {
        rows.extend(rows::prepare(hand.disk, hand.place.dir(), store, &changes).at("write", store.path())?);
    }
    let draft = hand.place.outcome_draft();
    let stamped = Stamped { version: VERSION, outcome };
    seal(&stamped).and_then(|bytes| write_draft(hand.disk, &draft, &bytes)).at("write", &draft)?;
    drop_empty_folders(hand, outcome);
    sync_all(hand, &rows)?;
    Ok(Ending { rows })
}

/// Makes the end count. After a failure here the notes are as the outcome says, and recovery comes back to this.
pub(super) fn seal_off(hand: &Hand<'_>, ending: Ending) -> Result<(), Trouble> {
    let place = &hand.place;
    if !ending.rows.is_empty() {
        for draft in ending.rows {
            let path = draft.path().to_owned();
            draft.place(hand.disk).at("put in place", &path)?;
        }
        hand.disk.sync(&[HOME]).at("sync", HOME)?;
    }
    hand.disk.rename(&place.outcome_draft(), &place.outcome()).at("write", &place.outcome())?;
    hand.disk.sync(&[place.dir()]).at("sync", place.dir())
}

/// The rows of the run and of those groups that were made whole.
fn due_rows(manifest: &Manifest, outcome: &Outcome) -> Vec<RowChange> {
    if outcome.stopped.is_some() {
        return Vec::new();
    }
    let fates = manifest.files.iter().zip(&outcome.files);
    let held: HashSet<u32> =
        fates.filter(|(_, fate)| **fate != Fate::Done).map(|(change, _)| change.group).collect();
    let is_due = |row: &&RowChange| row.group.is_none_or(|group| !held.contains(&group));
    manifest.rows.iter().filter(is_due).cloned().collect()
}

/// The notes, their slots, and the drafts.
fn sync_all(hand: &Hand<'_>, rows: &[Draft]) -> Result<(), Trouble> {
    let place = &hand.place;
    let mut all: BTreeSet<String> =
        [place.outcome_draft(), place.stage(), place.kept_dir(), place.aside_dir()].into();
    all.extend(hand.manifest.files.iter().map(|change| parent(&change.path).to_owned()));
    all.extend(rows.iter().map(|draft| draft.path().to_owned()));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    hand.disk.sync(&all).at("sync the folders of", place.dir())
}

/// A folder made for a note that was not created, or whose note an undo took away, goes where it is empty. A folder
/// that will not go holds something of someone's.
fn drop_empty_folders(hand: &Hand<'_>, outcome: &Outcome) {
    let mut folders = Vec::new();
    if let RunKind::Undo { of } = &hand.manifest.kind
        && let Ok(undone) = read_sealed::<Manifest>(hand.disk, &folder(of).manifest())
    {
        folders = undone.folders;
    }
    if outcome.files.iter().any(|fate| *fate != Fate::Done) {
        folders.extend(hand.manifest.folders.iter().cloned());
    }
    for dir in folders.iter().rev() {
        let _ = hand.disk.remove_dir(dir);
    }
}
