//! The lock without the kernel's help: everyone who wants it makes a file of their own, then looks for others.
//!
//! Whoever sees a live file of someone else's gives up and takes theirs away. Of two at once at least one sees the
//! other, so never do both hold the lock; both may give up. The rule for taking over: a file of this machine whose
//! process is gone, or whose number now belongs to a process with another start, is removed, which is safe since
//! that process can never come back. A file of another machine is never judged: its holder is named, and a person
//! who knows better removes it.

use super::{Holder, LockError, started};
use crate::disk::{Disk, RealDisk};
use crate::journal::HOME;
use rustix::process::{Pid, test_kill_process};
use std::io;

const PREFIX: &str = "lock.by-";

/// A file that says who holds the lock; removed when dropped.
#[derive(Debug)]
pub(super) struct Claim<'a> {
    disk: &'a RealDisk,
    path: String,
}

impl<'a> Claim<'a> {
    pub(super) fn make(disk: &'a RealDisk, own: Holder) -> Result<Self, LockError> {
        let path = format!("{HOME}/{PREFIX}{}-{}-{}", own.machine, own.pid, own.started.unwrap_or(0));
        let bytes = serde_json::to_vec(&own).map_err(|error| LockError::Io(error.into()))?;
        match disk.create(&path, &bytes, None) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(LockError::Held { by: own.to_string() });
            }
            made => made.map_err(LockError::Io)?,
        }
        let claim = Claim { disk, path };
        match claim.rival().map_err(LockError::Io)? {
            Some(by) => Err(LockError::Held { by }),
            None => Ok(claim),
        }
    }

    /// Someone else who may hold the lock; the files of those who cannot are removed on the way.
    fn rival(&self) -> io::Result<Option<String>> {
        for seen in self.disk.list(HOME)? {
            let is_claim = seen.path.rsplit('/').next().is_some_and(|name| name.starts_with(PREFIX));
            if !is_claim || seen.path == self.path {
                continue;
            }
            match self.disk.read(&seen.path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                read => match serde_json::from_slice::<Holder>(&read?) {
                    Ok(holder) if self.is_gone(&holder) => remove(self.disk, &seen.path)?,
                    Ok(holder) => return Ok(Some(holder.to_string())),
                    // Being written this moment, or cut by a crash: the name says whose it is.
                    Err(_) if self.is_gone_by_name(&seen.path) => remove(self.disk, &seen.path)?,
                    Err(_) => return Ok(Some(seen.path)),
                },
            }
        }
        Ok(None)
    }

    fn is_gone(&self, holder: &Holder) -> bool {
        let is_here = self.path.starts_with(&format!("{HOME}/{PREFIX}{}-", holder.machine));
        is_here && !is_alive(holder)
    }

    fn is_gone_by_name(&self, path: &str) -> bool {
        let mut parts = path.rsplitn(3, '-');
        let started = parts.next().and_then(|n| n.parse().ok()).filter(|n| *n != 0);
        let pid = parts.next().and_then(|n| n.parse().ok());
        let machine = parts.next().and_then(|rest| rest.rsplit(PREFIX).next());
        match (machine, pid) {
            (Some(machine), Some(pid)) => self.is_gone(&Holder { machine: machine.to_owned(), pid, started }),
            _ => false,
        }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        // A claim that stays behind is one of a process that is gone.
        let _ = self.disk.remove(&self.path);
    }
}

fn is_alive(holder: &Holder) -> bool {
    if holder.started.is_some() && started(holder.pid) != holder.started {
        return false;
    }
    let pid = i32::try_from(holder.pid).ok().and_then(Pid::from_raw);
    // A process of another user cannot be signalled, but it is there.
    pid.is_some_and(|pid| test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

fn remove(disk: &RealDisk, path: &str) -> io::Result<()> {
    match disk.remove(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
