//! Finishing or discarding an interrupted run.

use crate::commit::CommitError;
use crate::disk::Disk;
use crate::journal::{Outcome, RunId};

/// What recovery did, or did not do, about one interrupted run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// It had been committed: now it is done.
    Finished {
        /// The run.
        run: RunId,
        /// What became of it.
        outcome: Outcome,
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

/// Stub.
pub fn recover(_disk: &dyn Disk, _machine: &str) -> Result<Vec<Recovered>, CommitError> {
    Ok(Vec::new())
}
