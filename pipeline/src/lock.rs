//! One run at a time.
use crate::disk::RealDisk;
use std::{fmt, io};

/// The right to write into a vault, until dropped.
#[derive(Debug)]
pub struct Lock;

/// Why the lock was not taken.
#[derive(Debug)]
pub enum LockError {
    /// Another run holds it.
    Held {
        /// Who, in words.
        by: String,
    },
    /// The disk failed.
    Io(io::Error),
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::Held { by } => write!(f, "another run holds the lock: {by}"),
            LockError::Io(error) => write!(f, "cannot lock the vault: {error}"),
        }
    }
}

impl std::error::Error for LockError {}

impl Lock {
    /// Takes the lock at once or not at all.
    pub fn take(_disk: &RealDisk, _machine: &str) -> Result<Lock, LockError> {
        Ok(Lock)
    }
}
