//! Opening beneath a held folder: whatever others do to the tree meanwhile, no path leads out of it and no
//! symbolic link is followed. A parent is opened once and held while its entries are worked on.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(target_os = "linux")]
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
#[cfg(not(target_os = "linux"))]
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// The vault's own folder, held open.
#[derive(Debug)]
pub struct Root {
    fd: OwnedFd,
    one_by_one: AtomicBool,
}

impl Root {
    /// Holds the folder at `path`, which may itself be reached by links: that is the user's choice.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = openat(CWD, path, flags, Mode::empty())?;
        Ok(Root { fd, one_by_one: AtomicBool::new(cfg!(not(target_os = "linux"))) })
    }

    /// The held folder.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Opens `path`, never through a link; `flags` say for what.
    pub fn open_at(&self, path: &str, flags: OFlags) -> io::Result<OwnedFd> {
        let path = checked(path)?;
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        if !self.one_by_one.load(Ordering::Relaxed) {
            match self.open_at_once(path, flags) {
                // Kernels before 5.6, and sandboxes that do not know the call.
                Err(Errno::NOSYS | Errno::PERM) => self.one_by_one.store(true, Ordering::Relaxed),
                done => return Ok(done?),
            }
        }
        Ok(self.open_one_by_one(path, flags)?)
    }

    /// The folder that holds `path`, held open, and the last name.
    pub fn parent<'a>(&self, path: &'a str) -> io::Result<(OwnedFd, &'a str)> {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        checked(name)?;
        if name.is_empty() {
            return Err(Errno::INVAL.into());
        }
        Ok((self.open_at(dir, FOLDER)?, name))
    }

    #[cfg(target_os = "linux")]
    fn open_at_once(&self, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
        use rustix::fs::ResolveFlags;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        rustix::io::retry_on_intr(|| rustix::fs::openat2(&self.fd, path, flags, Mode::empty(), resolve))
    }

    #[cfg(not(target_os = "linux"))]
    fn open_at_once(&self, _: &str, _: OFlags) -> Result<OwnedFd, Errno> {
        Err(Errno::NOSYS)
    }

    fn open_one_by_one(&self, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
        let mut held = openat(&self.fd, ".", FOLDER | OFlags::CLOEXEC, Mode::empty())?;
        let mut rest = path;
        while let Some((dir, after)) = rest.split_once('/') {
            held = openat(&held, dir, FOLDER | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
            rest = after;
        }
        rustix::io::retry_on_intr(|| openat(&held, rest, flags, Mode::empty()))
    }
}

/// A path that names something beneath the root and nothing else; the empty one becomes `.`.
fn checked(path: &str) -> io::Result<&str> {
    if path.is_empty() {
        return Ok(".");
    }
    let escapes = |name: &str| name.is_empty() || name == "." || name == ".." || name.contains('\0');
    if path.split('/').any(escapes) { Err(Errno::INVAL.into()) } else { Ok(path) }
}
