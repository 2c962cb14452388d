//! What `check` asks of the journal: is everything in it still what was written? Reads only; nothing is repaired.

use super::history::{image, read_sealed, run_ids};
use super::place::JOURNALS;
use super::{Fate, FileChange, Manifest, Outcome, RunId, RunPlace, folder};
use crate::disk::{Disk, Kind, Seen};
use std::collections::HashSet;
use std::io;

/// Something in the journal that a person should know of. No variant says that a note is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalFault {
    /// A program that held `path` open wrote to the displaced file at `place` after the run, or that file is damaged.
    LateBytes {
        /// The run that displaced it.
        run: RunId,
        /// The note.
        path: String,
        /// Where its bytes lie.
        place: String,
    },
    /// A file of the journal is missing or not what was written.
    Damaged {
        /// The run.
        run: RunId,
        /// The file.
        place: String,
        /// What is wrong.
        why: String,
    },
    /// Written by a newer program: this one will not write into the vault.
    Newer {
        /// The run.
        run: RunId,
        /// In words.
        why: String,
    },
    /// Interrupted: the next run that writes finishes or discards it.
    Unfinished {
        /// The run.
        run: RunId,
    },
    /// Interrupted on another machine, which alone may finish it.
    Foreign {
        /// The run.
        run: RunId,
        /// The id of that machine.
        machine: String,
    },
    /// A journal that recovery could not use and put out of the way.
    SetAside {
        /// Its folder.
        place: String,
    },
}

/// All faults of the journal, in the order of the runs. `machine` is this machine's id.
pub fn inspect(disk: &dyn Disk, machine: &str) -> Vec<JournalFault> {
    let mut faults = Vec::new();
    for run in run_ids(disk) {
        inspect_run(disk, machine, run, &mut faults);
    }
    for seen in disk.list(JOURNALS).unwrap_or_default() {
        let name = seen.path.rsplit('/').next().unwrap_or_default();
        if seen.kind == Kind::Dir && name.ends_with(".damaged") {
            faults.push(JournalFault::SetAside { place: seen.path });
        }
    }
    faults
}

/// The inodes that have a name in the journal: a note whose other names all lie there is not a hard link.
pub fn journal_inodes(disk: &dyn Disk) -> HashSet<u64> {
    inodes(disk).unwrap_or_default()
}

/// As [`journal_inodes`], for those who must know that they know.
pub(crate) fn inodes(disk: &dyn Disk) -> io::Result<HashSet<u64>> {
    let mut inodes = HashSet::new();
    for run in list(disk, JOURNALS)? {
        for part in ["stage", "aside", "kept"] {
            let files = list(disk, &format!("{}/{part}", run.path))?;
            inodes.extend(files.into_iter().filter(|seen| seen.kind == Kind::File).map(|seen| seen.inode));
        }
    }
    Ok(inodes)
}

fn list(disk: &dyn Disk, dir: &str) -> io::Result<Vec<Seen>> {
    match disk.list(dir) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        listed => listed,
    }
}

/// True where the before-images of a run that is over are all as the manifest has them.
pub(super) fn holds_no_late_bytes(disk: &dyn Disk, run: &RunId) -> bool {
    let place = folder(run);
    let Ok(manifest) = read_sealed::<Manifest>(disk, &place.manifest()) else { return false };
    let Ok(outcome) = read_sealed::<Outcome>(disk, &place.outcome()) else { return false };
    let mut files = manifest.files.iter().zip(&outcome.files).enumerate();
    files.all(|(n, (change, fate))| match fate {
        Fate::HeldBack { kept, .. } => kept.is_none(),
        Fate::Done => {
            change.before.is_none()
                || image(disk, &place, n).is_ok_and(|(_, hash)| Some(hash) == change.before)
        }
    })
}

fn inspect_run(disk: &dyn Disk, machine: &str, run: RunId, faults: &mut Vec<JournalFault>) {
    let place = folder(&run);
    let manifest = match read_sealed::<Manifest>(disk, &place.manifest()) {
        Ok(manifest) => manifest,
        Err(error) => return faults.push(fault_for(disk, run, place.manifest(), &error)),
    };
    let outcome = match read_sealed::<Outcome>(disk, &place.outcome()) {
        Ok(outcome) => outcome,
        Err(error) if error.kind() == io::ErrorKind::NotFound && manifest.machine != machine => {
            return faults.push(JournalFault::Foreign { run, machine: manifest.machine });
        }
        Err(error) => return faults.push(fault_for(disk, run, place.outcome(), &error)),
    };
    if let Err(error) = read_sealed::<serde_json::Value>(disk, &place.report())
        && error.kind() != io::ErrorKind::NotFound
    {
        faults.push(fault_for(disk, run.clone(), place.report(), &error));
    }
    for (n, (change, fate)) in manifest.files.iter().zip(&outcome.files).enumerate() {
        faults.extend(inspect_image(disk, &place, &run, n, change, fate));
    }
}

fn fault_for(disk: &dyn Disk, run: RunId, place: String, error: &io::Error) -> JournalFault {
    match error.kind() {
        // An outcome without a manifest is damage; neither is a run that never reached its commit point.
        io::ErrorKind::NotFound
            if place.ends_with("manifest.json") && disk.stat(&folder(&run).outcome()).is_ok() =>
        {
            JournalFault::Damaged { run, place, why: "missing".to_owned() }
        }
        io::ErrorKind::NotFound => JournalFault::Unfinished { run },
        io::ErrorKind::Unsupported => JournalFault::Newer { run, why: error.to_string() },
        _ => JournalFault::Damaged { run, place, why: error.to_string() },
    }
}

/// A done change must still have its before-image; one that was never put in place has no further use.
fn inspect_image(
    disk: &dyn Disk,
    place: &RunPlace,
    run: &RunId,
    n: usize,
    change: &FileChange,
    fate: &Fate,
) -> Option<JournalFault> {
    let before = change.before.filter(|_| *fate == Fate::Done)?;
    let run = run.clone();
    match image(disk, place, n) {
        Ok((_, hash)) if hash == before => None,
        Ok((place, _)) => Some(JournalFault::LateBytes { run, path: change.path.clone(), place }),
        Err(error) => Some(JournalFault::Damaged { run, place: place.slot(n), why: error.to_string() }),
    }
}
