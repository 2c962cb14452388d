//! The disk as the program sees it: one small set of operations beneath one folder, the vault.
//!
//! Every path is relative to the vault, UTF-8, with `/` between names. No operation follows a symbolic link and
//! none can reach outside the vault. Nothing here knows of notes, runs or journals, and nothing here ever replaces
//! a file but [`Disk::rename`], which the commit uses inside `.memkeep` and, where files cannot be exchanged, for
//! the weaker commit.

mod beneath;
mod meta;
mod model;
mod real;
mod sim;
mod someone;

use std::io;

pub use real::RealDisk;
pub use sim::{Ino, Model, SimDisk, Stop};

/// One thing that lies in the vault, as `lstat` sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Relative to the vault; lossy where the name is not UTF-8 (then `kind` is [`Kind::Other`]).
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// Length in bytes.
    pub len: u64,
    /// Nanoseconds since 1970, UTC.
    pub modified: i128,
    /// How many names the inode has.
    pub links: u64,
    /// Unique on the vault's file system.
    pub inode: u64,
    /// Permission bits, `0o7777`.
    pub mode: u32,
}

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Dir,
    /// A symbolic link; `target` is the path in the vault where it ends, `None` where it dangles, loops or leaves.
    Symlink {
        /// Fully resolved, relative to the vault.
        target: Option<String>,
    },
    /// A FIFO, socket or device, or a name that is not UTF-8: never opened.
    Other,
    /// Listed by its folder, but the system refused to say more.
    Unreadable {
        /// The system's words.
        error: String,
    },
}

/// The operations the program needs; each is one step at which it may be killed, refused or raced.
pub trait Disk: Sync {
    /// The whole tree in name order; a folder for which `enter` is false is not listed. Errors are entries.
    fn walk(&self, enter: &(dyn Fn(&str) -> bool + Sync)) -> Vec<Seen>;
    /// What one folder holds, in name order.
    fn list(&self, dir: &str) -> io::Result<Vec<Seen>>;
    /// What lies at `path`; [`io::ErrorKind::NotFound`] where nothing does.
    fn stat(&self, path: &str) -> io::Result<Seen>;
    /// The bytes of a regular file; anything else is refused without being waited for.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    /// A new file, never over an existing one; with mode, owner and extended attributes of `like` where that exists.
    /// An owner that cannot be kept is [`io::ErrorKind::PermissionDenied`], and no file is left.
    fn create(&self, path: &str, bytes: &[u8], like: Option<&str>) -> io::Result<()>;
    /// Adds to the end of a file, which is created where it is missing.
    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()>;
    /// A new folder; `mode` is subject to the umask.
    fn make_dir(&self, path: &str, mode: u32) -> io::Result<()>;
    /// Swaps two existing files in one atomic step.
    fn exchange(&self, a: &str, b: &str) -> io::Result<()>;
    /// Renames in one atomic step; [`io::ErrorKind::AlreadyExists`] where `to` exists.
    fn rename_new(&self, from: &str, to: &str) -> io::Result<()>;
    /// Renames in one atomic step and replaces `to`.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Gives a file a second name; never over an existing one.
    fn link(&self, from: &str, to: &str) -> io::Result<()>;
    /// Takes one name of a file away.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// Takes an empty folder away.
    fn remove_dir(&self, path: &str) -> io::Result<()>;
    /// Makes these files and folders, and the folders that hold them, durable. One that is missing stands for the
    /// folder that held it. A failure is final: never sync the same thing again and believe it.
    fn sync(&self, paths: &[&str]) -> io::Result<()>;
    /// Bytes this process may still write; `None` where the file system does not say.
    fn free_bytes(&self) -> io::Result<Option<u64>>;

    /// True where files can be exchanged: really tries it with two small files in the folder `within`.
    fn supports_exchange(&self, within: &str) -> io::Result<bool> {
        let (a, b) = (format!("{within}/probe-a"), format!("{within}/probe-b"));
        for (path, bytes) in [(&a, b"a"), (&b, b"b")] {
            remove_if_there(self, path)?;
            self.create(path, bytes, None)?;
        }
        let answer = match self.exchange(&a, &b) {
            // Some file systems ignore what they do not know and rename.
            Ok(()) => Ok(self.read(&a)? == b"b" && self.stat(&b).is_ok()),
            Err(error) if is_unsupported(&error) => Ok(false),
            Err(error) => Err(error),
        };
        remove_if_there(self, &a)?;
        remove_if_there(self, &b)?;
        answer
    }
}

fn remove_if_there(disk: &(impl Disk + ?Sized), path: &str) -> io::Result<()> {
    match disk.remove(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// True where the file system does not know the operation at all, as opposed to refusing it here and now.
pub fn is_unsupported(error: &io::Error) -> bool {
    use rustix::io::Errno;
    error.kind() == io::ErrorKind::Unsupported
        || [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP]
            .iter()
            .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// The folder that holds `path`; empty for the vault itself.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// Kind `InvalidInput`, without a number of the system's.
fn not_a_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}
