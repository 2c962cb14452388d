//! The real disk. No operation waits for a FIFO or device, follows a link, or leaves a half-made file behind.

use super::beneath::Root;
use super::{Disk, Kind, Seen, meta, not_a_file, parent};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Above this many files one sync of the whole file system is cheaper than one each.
const MANY: usize = 50;

const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

/// A vault in a folder of this machine.
#[derive(Debug)]
pub struct RealDisk {
    root: Root,
    path: PathBuf,
}

impl RealDisk {
    /// Holds the folder at `path`.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        Ok(RealDisk { root: Root::open(&path)?, path })
    }

    /// Where the vault lies, links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens or makes a file of memkeep's own for reading and writing, as the lock needs it.
    pub(crate) fn open_own(&self, path: &str) -> io::Result<File> {
        let (dir, name) = self.root.parent(path)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(fs::openat(dir, name, flags, Mode::from_raw_mode(0o666))?);
        if file.metadata()?.is_file() { Ok(file) } else { Err(not_a_file()) }
    }

    fn seen(&self, dir: impl AsFd, name: &str, path: String) -> io::Result<Seen> {
        let stat = fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Dir,
            FileType::Symlink => Kind::Symlink { target: self.target(&path) },
            _ => Kind::Other,
        };
        let modified = i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec);
        Ok(Seen {
            path,
            kind,
            len: stat.st_size.cast_unsigned(),
            modified,
            links: stat.st_nlink,
            inode: stat.st_ino,
            mode: stat.st_mode & 0o7777,
        })
    }

    fn target(&self, path: &str) -> Option<String> {
        let end = self.path.join(path).canonicalize().ok()?;
        end.strip_prefix(&self.path).ok()?.to_str().map(str::to_owned)
    }

    fn walked(&self, entry: walkdir::Result<walkdir::DirEntry>) -> Seen {
        let path = match &entry {
            Ok(entry) => Some(entry.path()),
            Err(error) => error.path(),
        };
        let path = path.map_or(Path::new(""), |path| path.strip_prefix(&self.path).unwrap_or(path));
        let lossy = path.to_string_lossy().into_owned();
        let is_text = path.to_str().is_some();
        match entry.and_then(|entry| entry.metadata()) {
            Ok(meta) => self.described(lossy, is_text, &meta),
            Err(error) => Seen {
                path: lossy,
                kind: Kind::Unreadable {
                    error: error.io_error().map_or_else(|| error.to_string(), ToString::to_string),
                },
                len: 0,
                modified: 0,
                links: 0,
                inode: 0,
                mode: 0,
            },
        }
    }

    fn described(&self, path: String, is_text: bool, meta: &std::fs::Metadata) -> Seen {
        let kind = match meta.file_type() {
            _ if !is_text => Kind::Other,
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Dir,
            kind if kind.is_symlink() => Kind::Symlink { target: self.target(&path) },
            _ => Kind::Other,
        };
        Seen {
            path,
            kind,
            len: meta.len(),
            modified: i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()),
            links: meta.nlink(),
            inode: meta.ino(),
            mode: meta.mode() & 0o7777,
        }
    }

    /// A regular file for reading. Looked at before it is opened, for opening a device can do things, and after,
    /// for it may have been swapped.
    fn open_file(&self, path: &str) -> io::Result<File> {
        if self.stat(path)?.kind != Kind::File {
            return Err(not_a_file());
        }
        let file = File::from(self.root.open_at(path, READ)?);
        if file.metadata()?.is_file() { Ok(file) } else { Err(not_a_file()) }
    }

    fn fill(&self, file: &mut File, bytes: &[u8], like: Option<&str>) -> io::Result<()> {
        file.write_all(bytes)?;
        match like.map(|like| self.open_file(like)) {
            Some(Ok(like)) => meta::copy(like.as_fd(), file.as_fd()),
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn rename_with(&self, from: &str, to: &str, flags: RenameFlags) -> io::Result<()> {
        let (from_dir, from) = self.root.parent(from)?;
        let (to_dir, to) = self.root.parent(to)?;
        Ok(fs::renameat_with(from_dir, from, to_dir, to, flags)?)
    }

    fn sync_each(&self, paths: &[&str]) -> io::Result<()> {
        paths.iter().try_for_each(|path| self.sync_one(path))?;
        let dirs: BTreeSet<&str> = paths.iter().map(|path| parent(path)).collect();
        dirs.iter().try_for_each(|dir| self.sync_dir(dir))
    }

    fn sync_one(&self, path: &str) -> io::Result<()> {
        // The vault itself has no name to ask for.
        if path.is_empty() {
            return self.sync_dir(path);
        }
        let kind = match self.stat(path) {
            Ok(seen) => seen.kind,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        match kind {
            Kind::Dir => self.sync_dir(path),
            Kind::File => {
                Ok(rustix::io::retry_on_intr(|| fs::fsync(self.root.open_at(path, READ).map_err(errno)?))?)
            }
            _ => Ok(()),
        }
    }

    fn sync_dir(&self, path: &str) -> io::Result<()> {
        let dir: OwnedFd = match self.root.open_at(path, OFlags::RDONLY | OFlags::DIRECTORY) {
            Ok(dir) => dir,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        match rustix::io::retry_on_intr(|| fs::fsync(&dir)) {
            // Some network file systems know no sync of a folder: its entries are durable when the call returns.
            Err(Errno::INVAL) => Ok(()),
            done => Ok(done?),
        }
    }
}

impl Disk for RealDisk {
    fn walk(&self, enter: &(dyn Fn(&str) -> bool + Sync)) -> Vec<Seen> {
        let relative =
            |path: &Path| path.strip_prefix(&self.path).ok().and_then(Path::to_str).map(str::to_owned);
        walkdir::WalkDir::new(&self.path)
            .min_depth(1)
            .follow_links(false)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| {
                entry.depth() == 0
                    || !entry.file_type().is_dir()
                    || relative(entry.path()).is_some_and(|path| enter(&path))
            })
            .map(|entry| self.walked(entry))
            .collect()
    }

    fn list(&self, dir: &str) -> io::Result<Vec<Seen>> {
        let fd = self.root.open_at(dir, OFlags::RDONLY | OFlags::DIRECTORY)?;
        let mut names = BTreeSet::new();
        for entry in fs::Dir::read_from(&fd)? {
            let entry = entry?;
            match entry.file_name().to_str() {
                Ok("." | "..") | Err(_) => {}
                Ok(name) => {
                    names.insert(name.to_owned());
                }
            }
        }
        let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
        let seen = names.iter().map(|name| self.seen(&fd, name, format!("{prefix}{name}")));
        seen.collect()
    }

    fn stat(&self, path: &str) -> io::Result<Seen> {
        let (dir, name) = self.root.parent(path)?;
        self.seen(dir, name, path.to_owned())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let mut file = self.open_file(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn create(&self, path: &str, bytes: &[u8], like: Option<&str>) -> io::Result<()> {
        let (dir, name) = self.root.parent(path)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(if like.is_some() { 0o600 } else { 0o666 });
        let open = || fs::openat(&dir, name, flags, mode);
        let mut file = File::from(rustix::io::retry_on_intr(open)?);
        self.fill(&mut file, bytes, like).inspect_err(|_| {
            // The name is ours since it was made exclusively; what cannot be removed, recovery discards.
            let _ = fs::unlinkat(&dir, name, AtFlags::empty());
        })
    }

    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let (dir, name) = self.root.parent(path)?;
        let flags = OFlags::WRONLY
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let mut file = File::from(fs::openat(dir, name, flags, Mode::from_raw_mode(0o666))?);
        if file.metadata()?.is_file() { file.write_all(bytes) } else { Err(not_a_file()) }
    }

    fn make_dir(&self, path: &str, mode: u32) -> io::Result<()> {
        let (dir, name) = self.root.parent(path)?;
        Ok(fs::mkdirat(dir, name, Mode::from_raw_mode(mode))?)
    }

    fn exchange(&self, a: &str, b: &str) -> io::Result<()> {
        self.rename_with(a, b, RenameFlags::EXCHANGE)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        match self.rename_with(from, to, RenameFlags::NOREPLACE) {
            // A link never replaces either; a crash between the two steps leaves both names, which recovery knows.
            Err(error) if super::is_unsupported(&error) && self.stat(from)?.kind == Kind::File => {
                self.link(from, to)?;
                self.remove(from)
            }
            done => done,
        }
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.rename_with(from, to, RenameFlags::empty())
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        let (from_dir, from) = self.root.parent(from)?;
        let (to_dir, to) = self.root.parent(to)?;
        Ok(fs::linkat(from_dir, from, to_dir, to, AtFlags::empty())?)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let (dir, name) = self.root.parent(path)?;
        Ok(fs::unlinkat(dir, name, AtFlags::empty())?)
    }

    fn remove_dir(&self, path: &str) -> io::Result<()> {
        let (dir, name) = self.root.parent(path)?;
        Ok(fs::unlinkat(dir, name, AtFlags::REMOVEDIR)?)
    }

    fn sync(&self, paths: &[&str]) -> io::Result<()> {
        if paths.len() > MANY && sync_all(&self.root)? {
            return Ok(());
        }
        match self.sync_each(paths) {
            // Someone put a file or a link where a folder was: what we did in it is wherever they moved it.
            Err(error) if is_swapped(&error) && sync_all(&self.root)? => Ok(()),
            done => done,
        }
    }

    fn free_bytes(&self) -> io::Result<Option<u64>> {
        let stat = fs::fstatvfs(self.root.fd())?;
        Ok((stat.f_blocks > 0).then(|| stat.f_bavail.saturating_mul(stat.f_frsize)))
    }
}

/// One sync of the whole file system; false where that is not to be had, or would not tell of errors.
#[cfg(target_os = "linux")]
fn sync_all(root: &Root) -> io::Result<bool> {
    // Before Linux 5.8 this call swallowed write errors.
    let uname = rustix::system::uname();
    let release = uname.release().to_string_lossy().into_owned();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse::<u32>().unwrap_or(0));
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if version < (5, 8) {
        return Ok(false);
    }
    fs::syncfs(root.fd())?;
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
fn sync_all(_: &Root) -> io::Result<bool> {
    Ok(false)
}

fn is_swapped(error: &io::Error) -> bool {
    [Errno::NOTDIR, Errno::LOOP].iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

fn errno(error: io::Error) -> Errno {
    Errno::from_io_error(&error).unwrap_or(Errno::IO)
}
