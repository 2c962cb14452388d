//! Why a commit or a recovery stopped, and in what state that leaves the vault.

use crate::journal::RunId;
use std::{error, fmt, io};

/// A commit or recovery that did not come to its end. Nothing is lost in any of these cases.
#[derive(Debug)]
pub enum CommitError {
    /// A newer memkeep wrote in this vault; the vault is as before.
    Newer {
        /// The file that says so.
        place: String,
        /// In words.
        why: String,
    },
    /// The disk has no room for what is planned; the vault is as before.
    NoRoom {
        /// Bytes needed.
        need: u64,
        /// Bytes free.
        free: u64,
    },
    /// The order contradicts itself; the vault is as before.
    BadOrder {
        /// In words.
        why: String,
    },
    /// The disk failed; all that had been written is taken back and the vault is as before.
    Stopped(Trouble),
    /// The disk failed, and failed again when all was to be taken back: the next start finishes `run` if it had been
    /// committed, and discards it if not.
    Unfinished {
        /// The run.
        run: RunId,
        /// What failed first.
        trouble: Trouble,
    },
}

impl CommitError {
    /// True where no note differs from what it was before the call.
    pub fn is_vault_as_before(&self) -> bool {
        !matches!(self, CommitError::Unfinished { .. })
    }
}

/// One failed operation.
#[derive(Debug)]
pub struct Trouble {
    /// A verb and what it is done to, `stage`.
    pub doing: &'static str,
    /// Relative to the vault.
    pub path: String,
    /// The system's reason.
    pub source: io::Error,
}

/// Gives an I/O error the place where it happened.
pub(crate) trait At<T> {
    /// The error as trouble with `path` while `doing` something.
    fn at(self, doing: &'static str, path: &str) -> Result<T, Trouble>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, doing: &'static str, path: &str) -> Result<T, Trouble> {
        self.map_err(|source| Trouble { doing, path: path.to_owned(), source })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.doing, self.path, self.source)
    }
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommitError::Newer { place, why } => write!(f, "cannot write beside {place}: {why}"),
            CommitError::NoRoom { need, free } => {
                write!(f, "cannot stage the run: it needs {need} bytes and the disk has {free}")
            }
            CommitError::BadOrder { why } => write!(f, "cannot commit the plan: {why}"),
            CommitError::Stopped(trouble) => write!(f, "commit stopped, the vault is as before: {trouble}"),
            CommitError::Unfinished { run, trouble } => {
                write!(f, "cannot end run {run}, the next run finishes or discards it: {trouble}")
            }
        }
    }
}

impl error::Error for Trouble {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.source)
    }
}

impl error::Error for CommitError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            CommitError::Stopped(trouble) | CommitError::Unfinished { trouble, .. } => Some(trouble),
            _ => None,
        }
    }
}
