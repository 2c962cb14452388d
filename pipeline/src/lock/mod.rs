//! One run at a time: a lock that the kernel holds and drops with the process, at `.memkeep/lock`.
//!
//! Where the file system refuses such locks, each process puts a file of its own beside it and then looks for those
//! of others (see [`claim`]). Neither judges by any clock, so a machine that slept or a process that was stopped for
//! an hour still holds what it held. Nothing here waits.

mod claim;

use crate::commit::make_home;
use crate::disk::{Disk, RealDisk};
use claim::Claim;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::{fmt, io};

const LOCK: &str = ".memkeep/lock";

/// The right to write into a vault, until dropped.
#[derive(Debug)]
pub struct Lock<'a> {
    /// Closing it is what gives the lock back.
    _file: Option<File>,
    claim: Option<Claim<'a>>,
}

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

/// Who holds a lock. The start of a process tells it from a later one of the same number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Holder {
    machine: String,
    pid: u32,
    started: Option<u64>,
}

impl<'a> Lock<'a> {
    /// Takes the lock at once or not at all; makes `.memkeep` where it is missing.
    pub fn take(disk: &'a RealDisk, machine: &str) -> Result<Self, LockError> {
        make_home(disk).map_err(LockError::Io)?;
        match take_kernel_lock(disk, &Holder::here(machine)) {
            Err(LockError::Io(error)) if is_without_locks(&error) => Self::claim(disk, machine),
            taken => taken.map(|file| Lock { _file: Some(file), claim: None }),
        }
    }

    /// Takes the lock by a file of its own, as [`take`](Self::take) does where the kernel cannot help.
    pub fn claim(disk: &'a RealDisk, machine: &str) -> Result<Self, LockError> {
        make_home(disk).map_err(LockError::Io)?;
        let claim = Claim::make(disk, Holder::here(machine))?;
        Ok(Lock { _file: None, claim: Some(claim) })
    }

    /// What the report says where the lock rests on files alone; none for a lock that the kernel holds.
    pub fn remark(&self) -> Option<String> {
        let says = "this disk has no locks: a file beside `.memkeep/lock` keeps other runs out, and one that a machine \
                    leaves behind has to be removed by a person";
        self.claim.as_ref().map(|_| says.to_owned())
    }
}

impl Holder {
    pub(crate) fn here(machine: &str) -> Self {
        let pid = std::process::id();
        Holder { machine: machine.to_owned(), pid, started: started(pid) }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on machine {}", self.pid, self.machine)
    }
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

/// When a process of this machine started, in ticks since boot; `None` where that is not told.
pub(crate) fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in brackets and may hold anything, so count from its end (proc(5), field 22).
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(19)?.parse().ok()
}

fn take_kernel_lock(disk: &RealDisk, own: &Holder) -> Result<File, LockError> {
    loop {
        let mut file = disk.open_own(LOCK).map_err(LockError::Io)?;
        match file.try_lock() {
            Ok(()) if is_still_there(disk, &file).map_err(LockError::Io)? => {
                sign(&mut file, own).map_err(LockError::Io)?;
                return Ok(file);
            }
            // Someone removed the file between its opening and its locking: the lock is on nothing.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Held { by: signature(&mut file) }),
            Err(TryLockError::Error(error)) => return Err(LockError::Io(error)),
        }
    }
}

fn is_still_there(disk: &RealDisk, file: &File) -> io::Result<bool> {
    match disk.stat(LOCK) {
        Ok(seen) => Ok(seen.inode == file.metadata()?.ino()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// For people and for messages; the lock itself is the kernel's.
fn sign(file: &mut File, own: &Holder) -> io::Result<()> {
    let bytes = serde_json::to_vec(own)?;
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(&bytes)
}

fn signature(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.read_to_string(&mut text);
    let holder = read.ok().and_then(|_| serde_json::from_str::<Holder>(&text).ok());
    holder.map_or_else(|| "a process that did not sign".to_owned(), |holder| holder.to_string())
}

fn is_without_locks(error: &io::Error) -> bool {
    let no_locks = rustix::io::Errno::NOLCK.raw_os_error();
    crate::disk::is_unsupported(error) || error.raw_os_error() == Some(no_locks)
}
