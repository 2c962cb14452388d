//! Reading what runs wrote down, and the history of all runs.

use super::place::{JOURNALS, RUNS};
use super::sealed::{seal, unseal, write_durably};
use super::{Fate, FileChange, Hash, Held, Manifest, Outcome, RunId, RunPlace, Unread, folder};
use crate::disk::{Disk, Kind};
use std::{collections::HashMap, io};

/// How far a run came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It has an outcome.
    Done,
    /// It was interrupted: the next run on its machine finishes or discards it.
    Unfinished,
    /// Its journal is of a newer program: in words.
    Newer(String),
    /// A file of its journal is not what was written: in words.
    Damaged(String),
}

/// One run, for a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// The run.
    pub run: RunId,
    /// How far it came.
    pub state: RunState,
    /// What it set out to do; `None` where that cannot be read.
    pub manifest: Option<Manifest>,
    /// What became of it.
    pub outcome: Option<Outcome>,
}

/// One run with all it wrote down.
#[derive(Clone, Debug)]
pub struct JournaledRun {
    /// What it set out to do.
    pub manifest: Manifest,
    /// What became of it; worked out from the images where the record is damaged, `None` where the run is unfinished.
    pub outcome: Option<Outcome>,
    /// The account given of it, as saved.
    pub report: Option<serde_json::Value>,
}

impl JournaledRun {
    /// The bytes of the `n`th file before the run; `None` where there was no file or the run did not change it.
    /// Bytes that are not those of the manifest are an error: someone wrote to them later.
    pub fn before_image(&self, disk: &dyn Disk, n: usize) -> io::Result<Option<Vec<u8>>> {
        let done = self.outcome.as_ref().is_some_and(|o| o.files.get(n) == Some(&Fate::Done));
        let Some(before) = self.manifest.files.get(n).and_then(|change| change.before).filter(|_| done)
        else {
            return Ok(None);
        };
        let (place, bytes) = image_bytes(disk, &folder(&self.manifest.run), n)?;
        if Hash::of(&bytes) != before {
            let words = format!("{place} is not the note as the run found it");
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        Ok(Some(bytes))
    }
}

/// All runs that left a journal, in the order in which they ran. Reads only.
pub fn runs(disk: &dyn Disk) -> Vec<RunSummary> {
    run_ids(disk).into_iter().map(|run| summary(disk, run)).collect()
}

/// The runs without an outcome, of any machine. Reads only.
pub fn interrupted(disk: &dyn Disk) -> Vec<RunId> {
    run_ids(disk).into_iter().filter(|run| disk.stat(&folder(run).outcome()).is_err()).collect()
}

/// One run in full. A damaged manifest is an error of kind `InvalidData`, one of a newer program `Unsupported`.
pub fn load(disk: &dyn Disk, run: &RunId) -> io::Result<JournaledRun> {
    let place = folder(run);
    let manifest: Manifest = read_sealed(disk, &place.manifest())?;
    let outcome = match read_sealed(disk, &place.outcome()) {
        Ok(outcome) => Some(outcome),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Some(work_out(disk, &manifest)),
        Err(error) => return Err(error),
    };
    let report = read_sealed(disk, &place.report()).ok();
    Ok(JournaledRun { manifest, outcome, report })
}

/// Adds a line to the history; also for runs without changes.
pub fn note_run(disk: &dyn Disk, line: &serde_json::Value) -> io::Result<()> {
    let torn = disk.read(RUNS).is_ok_and(|old| old.last().is_some_and(|last| *last != b'\n'));
    let start = if torn { "\n" } else { "" };
    disk.append(RUNS, format!("{start}{line}\n").as_bytes())?;
    disk.sync(&[RUNS])
}

/// Keeps the account of a run beside its journal.
pub fn save_report(disk: &dyn Disk, run: &RunId, report: &serde_json::Value) -> io::Result<()> {
    write_durably(disk, &folder(run).report(), &seal(report)?)
}

/// The folders that are runs, in the order in which they ran: that of the history, since ids follow a
/// clock that may go back. One without a line there was interrupted, and comes last. Folders set aside
/// or half deleted have names that are no ids.
pub(crate) fn run_ids(disk: &dyn Disk) -> Vec<RunId> {
    let seen = disk.list(JOURNALS).unwrap_or_default();
    let dirs = seen.into_iter().filter(|seen| seen.kind == Kind::Dir);
    let mut ids: Vec<RunId> = dirs.filter_map(|seen| RunId::parse(seen.path.rsplit('/').next()?)).collect();
    let lines = disk.read(RUNS).unwrap_or_default();
    let place = |(n, line): (usize, &[u8])| {
        let line: serde_json::Value = serde_json::from_slice(line).ok()?;
        Some((line.get("run")?.as_str()?.to_owned(), n))
    };
    let places: HashMap<String, usize> =
        lines.split(|byte| *byte == b'\n').enumerate().filter_map(place).collect();
    ids.sort_by_key(|id| (places.get(id.as_str()).copied().unwrap_or(usize::MAX), id.clone()));
    ids
}

/// A sealed file, with what is wrong with it as the kind of the error.
pub(crate) fn read_sealed<T: serde::de::DeserializeOwned>(disk: &dyn Disk, path: &str) -> io::Result<T> {
    unseal(&disk.read(path)?).map_err(|unread| match unread {
        Unread::Newer(version) => io::Error::new(
            io::ErrorKind::Unsupported,
            format!("{path} was written by a newer memkeep (journal version {version})"),
        ),
        Unread::Damaged(why) => {
            io::Error::new(io::ErrorKind::InvalidData, format!("{path} is damaged: {why}"))
        }
    })
}

/// What the `n`th file was before a run changed it, and where that lies: where files cannot be exchanged it was set
/// aside, and the slot may hold a second name of the new note.
fn image_bytes(disk: &dyn Disk, place: &RunPlace, n: usize) -> io::Result<(String, Vec<u8>)> {
    let aside = place.aside(n);
    match disk.read(&aside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let slot = place.slot(n);
            disk.read(&slot).map(|bytes| (slot, bytes))
        }
        read => read.map(|bytes| (aside, bytes)),
    }
}

/// As [`image_bytes`], its hash.
pub(super) fn image(disk: &dyn Disk, place: &RunPlace, n: usize) -> io::Result<(String, Hash)> {
    image_bytes(disk, place, n).map(|(place, bytes)| (place, Hash::of(&bytes)))
}

fn summary(disk: &dyn Disk, run: RunId) -> RunSummary {
    let place = folder(&run);
    let manifest = read_sealed::<Manifest>(disk, &place.manifest());
    let outcome = read_sealed::<Outcome>(disk, &place.outcome());
    let state = match (&manifest, &outcome) {
        (Ok(_), Ok(_)) => RunState::Done,
        (Err(error), _) | (_, Err(error)) => state_for(error),
    };
    RunSummary { run, state, manifest: manifest.ok(), outcome: outcome.ok() }
}

fn state_for(error: &io::Error) -> RunState {
    match error.kind() {
        io::ErrorKind::NotFound => RunState::Unfinished,
        io::ErrorKind::Unsupported => RunState::Newer(error.to_string()),
        _ => RunState::Damaged(error.to_string()),
    }
}

/// Fates read off the images, for a run whose outcome is damaged: what is not plainly done counts as held back.
fn work_out(disk: &dyn Disk, manifest: &Manifest) -> Outcome {
    let place = folder(&manifest.run);
    let fate = |(n, change): (usize, &FileChange)| {
        let image = image(disk, &place, n).ok();
        if image.as_ref().map(|(_, hash)| *hash) == change.before {
            return Fate::Done;
        }
        let error = "the record of this run is damaged".to_owned();
        Fate::HeldBack { why: Held::Refused { error }, kept: image.map(|(place, _)| place) }
    };
    let files = manifest.files.iter().enumerate().map(fate).collect();
    let notes = vec![format!("{} is damaged: fates worked out from the images", place.outcome())];
    Outcome { files, strong: true, notes, stopped: None }
}
