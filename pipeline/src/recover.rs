//! Finishing or discarding an interrupted run, by the table of the commit: without a manifest nothing was changed,
//! with one everything can be.
//!
//! Only runs of this machine are touched. A damaged journal never leads to a write into a note.

use crate::commit::{At, CommitError, Trouble, resume};
use crate::disk::{Disk, Kind, Seen};
use crate::journal::{JOURNALS, Manifest, Outcome, RunId, RunPlace, folder, read_sealed, remove_tree};
use crate::report::Held;
use crate::run::held;
use std::io;

/// What recovery did, or did not do, about one interrupted run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// It had been committed: now it is done.
    Finished {
        /// The run.
        run: RunId,
        /// The notes of which it held back its changes.
        held: Vec<Held>,
    },
    /// It had not been committed: the vault was and is untouched by it.
    Discarded {
        /// The run.
        run: RunId,
    },
    /// Its journal is damaged: no note was touched, the journal lies at `place`.
    SetAside {
        /// The run.
        run: RunId,
        /// The folder.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// Another machine's: left alone.
    Foreign {
        /// The run.
        run: RunId,
        /// That machine's id, where it is known.
        machine: String,
    },
}

/// Finishes or discards what an interrupted run of this machine left, oldest first, and removes what retention left.
/// A journal of a newer program stops it before anything is written; a damaged one is set aside and stops nothing.
pub fn recover(disk: &dyn Disk, machine: &str) -> Result<Vec<Recovered>, CommitError> {
    let open = survey(disk)?;
    remove_leftovers(disk).map_err(CommitError::Stopped)?;
    let mut recovered = Vec::new();
    for (run, manifest) in open {
        recovered.push(recover_one(disk, machine, run, manifest)?);
    }
    Ok(recovered)
}

/// Every run without an outcome, with what could be read of its manifest.
type Open = (RunId, Result<Manifest, io::Error>);

fn survey(disk: &dyn Disk) -> Result<Vec<Open>, CommitError> {
    let mut open = Vec::new();
    for run in run_folders(disk)?.iter().filter_map(|seen| RunId::parse(name(seen))) {
        let place = folder(&run);
        match read_sealed::<Outcome>(disk, &place.outcome()) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let manifest = read_sealed::<Manifest>(disk, &place.manifest());
                refuse_newer(&place.manifest(), manifest.as_ref().err())?;
                open.push((run, manifest));
            }
            // A damaged outcome is one all the same: its name came after everything else.
            Err(error) => refuse_newer(&place.outcome(), Some(&error))?,
        }
    }
    Ok(open)
}

/// Only damage may pass: a newer journal stops the program, and so does a disk that fails, which may read it later.
fn refuse_newer(place: &str, error: Option<&io::Error>) -> Result<(), CommitError> {
    match error {
        Some(error) if error.kind() == io::ErrorKind::Unsupported => {
            Err(CommitError::Newer { place: place.to_owned(), why: error.to_string() })
        }
        Some(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => {
            let source = io::Error::new(error.kind(), error.to_string());
            Err(CommitError::Stopped(Trouble { doing: "read", path: place.to_owned(), source }))
        }
        _ => Ok(()),
    }
}

fn recover_one(
    disk: &dyn Disk,
    machine: &str,
    run: RunId,
    manifest: Result<Manifest, io::Error>,
) -> Result<Recovered, CommitError> {
    match manifest {
        Ok(manifest) if manifest.machine != machine => {
            Ok(Recovered::Foreign { run, machine: manifest.machine })
        }
        Ok(manifest) if manifest.run != run => {
            set_aside(disk, run, "it is the journal of another run".to_owned())
        }
        Ok(manifest) => {
            let outcome = resume(disk, &manifest)?;
            Ok(Recovered::Finished { run, held: held(&manifest.files, &outcome.files) })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => discard(disk, machine, run),
        Err(error) => set_aside(disk, run, error.to_string()),
    }
}

/// A run that never reached its commit point. It holds nothing but copies of what was planned, yet it is only put
/// out of the way: if a manifest was lost from it, before-images lie here.
fn discard(disk: &dyn Disk, machine: &str, run: RunId) -> Result<Recovered, CommitError> {
    let place = folder(&run);
    if let Ok(draft) = read_sealed::<Manifest>(disk, &place.manifest_draft())
        && draft.machine != machine
    {
        return Ok(Recovered::Foreign { run, machine: draft.machine });
    }
    put_away(disk, &place, "discarded")?;
    Ok(Recovered::Discarded { run })
}

fn set_aside(disk: &dyn Disk, run: RunId, why: String) -> Result<Recovered, CommitError> {
    let place = put_away(disk, &folder(&run), "damaged")?;
    Ok(Recovered::SetAside { run, place, why })
}

fn put_away(disk: &dyn Disk, place: &RunPlace, how: &str) -> Result<String, CommitError> {
    let away = format!("{}.{how}", place.dir());
    disk.rename_new(place.dir(), &away)
        .and_then(|()| disk.sync(&[JOURNALS]))
        .at("set aside", place.dir())
        .map_err(CommitError::Stopped)?;
    Ok(away)
}

fn remove_leftovers(disk: &dyn Disk) -> Result<(), Trouble> {
    let seen = disk.list(JOURNALS).or_else(none_if_missing).at("list", JOURNALS)?;
    for dead in seen.iter().filter(|seen| seen.path.ends_with(".old")) {
        remove_tree(disk, &dead.path).at("remove", &dead.path)?;
    }
    Ok(())
}

fn run_folders(disk: &dyn Disk) -> Result<Vec<Seen>, CommitError> {
    let seen = disk.list(JOURNALS).or_else(none_if_missing).at("list", JOURNALS);
    let seen = seen.map_err(CommitError::Stopped)?;
    Ok(seen.into_iter().filter(|seen| seen.kind == Kind::Dir).collect())
}

fn none_if_missing(error: io::Error) -> io::Result<Vec<Seen>> {
    if error.kind() == io::ErrorKind::NotFound { Ok(Vec::new()) } else { Err(error) }
}

fn name(seen: &Seen) -> &str {
    seen.path.rsplit('/').next().unwrap_or_default()
}
