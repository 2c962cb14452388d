//! A disk in memory that can be stopped, refused or raced at any operation, and cut off from power.
//!
//! Every operation of [`Disk`] counts as one, in the order in which they are asked for. What a person or another
//! program does to the tree (`someone.rs`) counts as nothing.

use super::model::{Files, Luck, Node};
use super::{Disk, Kind, Seen, not_a_file};
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use super::model::{Ino, Model};

/// What happens at an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The process dies before it.
    Before,
    /// The process dies in it: a file being written is left half.
    Within,
    /// It fails with this error number, once.
    Once(i32),
    /// It and every later one fails with this error number.
    Forever(i32),
    /// A write stops half-way with this error number, once.
    Short(i32),
}

type Act = Box<dyn FnOnce(&SimDisk) + Send>;

/// A vault in memory.
pub struct SimDisk {
    files: Mutex<Files>,
    script: Mutex<Script>,
}

#[derive(Default)]
struct Script {
    n_ops: usize,
    n_syncs: usize,
    stop: Option<(usize, Stop)>,
    is_dead: bool,
    is_without_exchange: bool,
    ignored_sync: Option<usize>,
    denied: BTreeSet<String>,
    acts: Vec<(usize, Act)>,
    log: Vec<String>,
    free: Option<u64>,
}

/// What the script says about one operation.
enum Turn {
    Go,
    Half(io::Error),
    Fail(io::Error),
}

impl SimDisk {
    /// An empty vault.
    pub fn new(model: Model) -> Self {
        SimDisk { files: Mutex::new(Files::new(model)), script: Mutex::default() }
    }

    /// A vault that holds these files, all durable.
    pub fn holding(model: Model, tree: &BTreeMap<String, Vec<u8>>) -> Self {
        let disk = SimDisk::new(model);
        for (path, bytes) in tree {
            disk.put(path, bytes);
        }
        disk.files().settle();
        disk
    }

    /// Something happens at the `at`th operation, counted from 0.
    pub fn stop(self, at: usize, stop: Stop) -> Self {
        self.script().stop = Some((at, stop));
        self
    }

    /// Files cannot be exchanged here.
    pub fn without_exchange(self) -> Self {
        self.script().is_without_exchange = true;
        self
    }

    /// The `n`th sync, counted from 0, does nothing and says that it did.
    pub fn ignoring_sync(self, n: usize) -> Self {
        self.script().ignored_sync = Some(n);
        self
    }

    /// Nothing may be put in the place of `path`.
    pub fn denying(self, path: &str) -> Self {
        self.script().denied.insert(path.to_owned());
        self
    }

    /// The disk says that it has room for so many bytes.
    pub fn with_free(self, bytes: u64) -> Self {
        self.script().free = Some(bytes);
        self
    }

    /// Somebody acts just before the `at`th operation.
    pub fn acting(self, at: usize, act: impl FnOnce(&SimDisk) + Send + 'static) -> Self {
        self.script().acts.push((at, Box::new(act)));
        self
    }

    /// Operations so far.
    pub fn n_ops(&self) -> usize {
        self.script().n_ops
    }

    /// Syncs so far.
    pub fn n_syncs(&self) -> usize {
        self.script().n_syncs
    }

    /// The operations so far, one line each.
    pub fn log(&self) -> Vec<String> {
        self.script().log.clone()
    }

    /// The disk as the next process finds it after a kill: all that was written, durable or not.
    pub fn after_kill(&self) -> SimDisk {
        self.next(self.files().clone())
    }

    /// How many operations are not durable.
    pub fn n_pending(&self) -> usize {
        self.files().n_pending()
    }

    /// The disk after a power cut: for each pending operation 0 drops it, 1 tears it, everything else keeps it.
    pub fn after_power_cut(&self, luck: &dyn Fn(usize) -> u8) -> SimDisk {
        let luck = |n| match luck(n) {
            0 => Luck::Dropped,
            1 => Luck::Torn,
            _ => Luck::Kept,
        };
        self.next(self.files().after_power_cut(&luck))
    }

    fn next(&self, files: Files) -> SimDisk {
        let old = self.script();
        let script = Script {
            is_without_exchange: old.is_without_exchange,
            denied: old.denied.clone(),
            ..Script::default()
        };
        SimDisk { files: Mutex::new(files), script: Mutex::new(script) }
    }

    pub(super) fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self, what: &str, paths: &[&str]) -> Turn {
        let acts = self.due(what, paths);
        for act in acts {
            act(self);
        }
        let mut script = self.script();
        let n = script.n_ops - 1;
        let dead = || io::Error::other("the process is dead");
        match script.stop {
            _ if script.is_dead => Turn::Fail(dead()),
            Some((at, Stop::Before)) if at == n => {
                script.is_dead = true;
                Turn::Fail(dead())
            }
            Some((at, Stop::Within)) if at == n => {
                script.is_dead = true;
                Turn::Half(dead())
            }
            Some((at, Stop::Once(errno))) if at == n => Turn::Fail(io::Error::from_raw_os_error(errno)),
            Some((at, Stop::Short(errno))) if at == n => Turn::Half(io::Error::from_raw_os_error(errno)),
            Some((at, Stop::Forever(errno))) if at <= n => Turn::Fail(io::Error::from_raw_os_error(errno)),
            _ => Turn::Go,
        }
    }

    fn due(&self, what: &str, paths: &[&str]) -> Vec<Act> {
        let mut script = self.script();
        let n = script.n_ops;
        script.n_ops += 1;
        script.log.push(format!("{what} {}", paths.join(" ")));
        let (due, later) = std::mem::take(&mut script.acts).into_iter().partition(|(at, _)| *at == n);
        script.acts = later;
        due.into_iter().map(|(_, act)| act).collect()
    }

    /// For operations that are never half done.
    fn step(&self, what: &str, paths: &[&str]) -> io::Result<MutexGuard<'_, Files>> {
        match self.turn(what, paths) {
            Turn::Go => Ok(self.files()),
            Turn::Half(error) | Turn::Fail(error) => Err(error),
        }
    }

    fn allow(&self, paths: &[&str]) -> io::Result<()> {
        let is_denied = paths.iter().any(|path| self.script().denied.contains(*path));
        if is_denied { Err(Errno::ACCESS.into()) } else { Ok(()) }
    }

    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        let mut files = self.files();
        let (dir, name) = files.parent(path)?;
        if files.find(path).is_ok() {
            return Err(Errno::EXIST.into());
        }
        let ino = files.make(Node::File(Vec::new()), mode);
        files.set_names(vec![(dir, name.to_owned(), Some(ino))]);
        files.write(ino, bytes.to_vec());
        Ok(())
    }
}

impl Disk for SimDisk {
    fn walk(&self, enter: &(dyn Fn(&str) -> bool + Sync)) -> Vec<Seen> {
        let mut seen = Vec::new();
        let mut todo = vec![String::new()];
        while let Some(dir) = todo.pop() {
            let mut inside = self.list(&dir).unwrap_or_default();
            todo.extend(
                inside.iter().filter(|s| s.kind == Kind::Dir && enter(&s.path)).map(|s| s.path.clone()),
            );
            inside.retain(|s| s.kind != Kind::Dir || enter(&s.path));
            seen.extend(inside);
        }
        seen.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
        seen
    }

    fn list(&self, dir: &str) -> io::Result<Vec<Seen>> {
        let files = self.step("list", &[dir])?;
        match files.node(files.find(dir)?) {
            Node::Dir(names) => {
                Ok(names.iter().map(|(name, ino)| files.seen(&join(dir, name), *ino)).collect())
            }
            _ => Err(Errno::NOTDIR.into()),
        }
    }

    fn stat(&self, path: &str) -> io::Result<Seen> {
        let files = self.step("stat", &[path])?;
        Ok(files.seen(path, files.find(path)?))
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let files = self.step("read", &[path])?;
        match files.node(files.find(path)?) {
            Node::File(bytes) => Ok(bytes.clone()),
            _ => Err(not_a_file()),
        }
    }

    fn create(&self, path: &str, bytes: &[u8], like: Option<&str>) -> io::Result<()> {
        let turn = self.turn("create", &[path]);
        let mode = like.and_then(|like| {
            let files = self.files();
            files.find(like).ok().map(|ino| files.mode(ino))
        });
        match turn {
            Turn::Go => self.write_new(path, bytes, mode.unwrap_or(0o644)),
            Turn::Half(error) => {
                self.write_new(path, bytes.get(..bytes.len() / 2).unwrap_or_default(), 0o600)?;
                Err(error)
            }
            Turn::Fail(error) => Err(error),
        }
    }

    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let (bytes, done) = match self.turn("append", &[path]) {
            Turn::Go => (bytes, Ok(())),
            Turn::Half(error) => (bytes.get(..bytes.len() / 2).unwrap_or_default(), Err(error)),
            Turn::Fail(error) => return Err(error),
        };
        let found = self.files().find(path);
        match found {
            Ok(ino) => self.add_to_held(ino, bytes),
            Err(_) => self.write_new(path, bytes, 0o644)?,
        }
        done
    }

    fn make_dir(&self, path: &str, mode: u32) -> io::Result<()> {
        let mut files = self.step("make_dir", &[path])?;
        let (dir, name) = files.parent(path)?;
        if files.find(path).is_ok() {
            return Err(Errno::EXIST.into());
        }
        let ino = files.make(Node::Dir(BTreeMap::new()), mode);
        files.set_names(vec![(dir, name.to_owned(), Some(ino))]);
        Ok(())
    }

    fn exchange(&self, a: &str, b: &str) -> io::Result<()> {
        let mut files = self.step("exchange", &[a, b])?;
        if self.script().is_without_exchange {
            return Err(Errno::INVAL.into());
        }
        self.allow(&[a, b])?;
        let ((a_dir, a_name), (b_dir, b_name)) = (files.parent(a)?, files.parent(b)?);
        let (a_ino, b_ino) = (files.find(a)?, files.find(b)?);
        files.set_names(vec![
            (a_dir, a_name.to_owned(), Some(b_ino)),
            (b_dir, b_name.to_owned(), Some(a_ino)),
        ]);
        Ok(())
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        let files = self.step("rename_new", &[from, to])?;
        if files.find(to).is_ok() {
            return Err(Errno::EXIST.into());
        }
        self.move_name(files, from, to)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let files = self.step("rename", &[from, to])?;
        self.move_name(files, from, to)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        let mut files = self.step("link", &[from, to])?;
        let ino = files.find(from)?;
        let (dir, name) = files.parent(to)?;
        if files.find(to).is_ok() {
            return Err(Errno::EXIST.into());
        }
        files.set_names(vec![(dir, name.to_owned(), Some(ino))]);
        Ok(())
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let mut files = self.step("remove", &[path])?;
        let ino = files.find(path)?;
        if matches!(files.node(ino), Node::Dir(_)) {
            return Err(Errno::ISDIR.into());
        }
        let (dir, name) = files.parent(path)?;
        files.set_names(vec![(dir, name.to_owned(), None)]);
        Ok(())
    }

    fn remove_dir(&self, path: &str) -> io::Result<()> {
        let mut files = self.step("remove_dir", &[path])?;
        match files.node(files.find(path)?) {
            Node::Dir(names) if names.is_empty() => {}
            Node::Dir(_) => return Err(Errno::NOTEMPTY.into()),
            _ => return Err(Errno::NOTDIR.into()),
        }
        let (dir, name) = files.parent(path)?;
        files.set_names(vec![(dir, name.to_owned(), None)]);
        Ok(())
    }

    fn sync(&self, paths: &[&str]) -> io::Result<()> {
        let mut files = self.step("sync", paths)?;
        let is_ignored = {
            let mut script = self.script();
            script.n_syncs += 1;
            script.ignored_sync == Some(script.n_syncs - 1)
        };
        if is_ignored {
            return Ok(());
        }
        for path in paths {
            if let Ok(ino) = files.find(path) {
                files.sync(ino);
            }
            if let Ok((dir, _)) = files.parent(path) {
                files.sync(dir);
            }
        }
        Ok(())
    }

    fn free_bytes(&self) -> io::Result<Option<u64>> {
        drop(self.step("free_bytes", &[])?);
        Ok(self.script().free)
    }
}

impl SimDisk {
    fn move_name(&self, mut files: MutexGuard<'_, Files>, from: &str, to: &str) -> io::Result<()> {
        self.allow(&[from, to])?;
        let ino = files.find(from)?;
        let ((from_dir, from), (to_dir, to)) = (files.parent(from)?, files.parent(to)?);
        files.set_names(vec![(from_dir, from.to_owned(), None), (to_dir, to.to_owned(), Some(ino))]);
        Ok(())
    }
}

pub(super) fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}
