//! memkeep's own memory: sorted sets of rows, one JSON object a line, under a first line that names the file.
//!
//! Reading never fails for good: lines between conflict markers count (the union of both sides), and of a file that
//! is damaged, cut or full of zeros the good rows are kept. The damaged file is set aside at the next write. Writing
//! is whole or not at all, and rows that another program put in the file meanwhile stay in it.

use crate::disk::{Disk, is_unsupported};
use crate::journal::{HOME, Hash, RowChange, RowOp, Store, write_draft};
use std::collections::BTreeSet;
use std::io;

const VERSION: u64 = 1;

/// Where damaged files of rows are kept.
pub const DAMAGED: &str = ".memkeep/damaged";

impl Store {
    /// Where the rows lie, relative to the vault.
    pub fn path(self) -> &'static str {
        match self {
            Store::Links => ".memkeep/links.jsonl",
            Store::State => ".memkeep/state.jsonl",
        }
    }

    /// Both stores.
    pub const ALL: [Store; 2] = [Store::Links, Store::State];

    fn name(self) -> &'static str {
        match self {
            Store::Links => "links",
            Store::State => "state",
        }
    }
}

/// The rows of a store, and what is wrong with its file, in words. A missing file holds no rows.
pub fn read(disk: &dyn Disk, store: Store) -> (BTreeSet<String>, Vec<String>) {
    match contents(disk, store) {
        Ok(Some(bytes)) => {
            let read = Read::of(&bytes);
            let complaints = read.complaints(store);
            (read.rows, complaints)
        }
        Ok(None) => (BTreeSet::new(), Vec::new()),
        Err(error) => (BTreeSet::new(), vec![format!("cannot read {}: {error}", store.path())]),
    }
}

/// Makes `changes` true of a store, whole or not at all; those for other stores are passed over. Nothing is written
/// where nothing changes.
pub fn apply(disk: &dyn Disk, store: Store, changes: &[RowChange]) -> io::Result<()> {
    match prepare(disk, HOME, store, changes)? {
        Some(draft) => {
            disk.sync(&[draft.path()])?;
            draft.place(disk)?;
            disk.sync(&[HOME])
        }
        None => Ok(()),
    }
}

/// Makes the rows of a run true that changes no note.
pub fn remember(disk: &dyn Disk, changes: &[RowChange]) -> io::Result<()> {
    Store::ALL.iter().try_for_each(|store| apply(disk, *store, changes))
}

/// Refuses a store that a newer program wrote: [`io::ErrorKind::Unsupported`].
pub(crate) fn refuse_newer(disk: &dyn Disk, store: Store) -> io::Result<()> {
    let version = contents(disk, store)?.map_or(0, |bytes| Read::of(&bytes).version);
    if version > VERSION {
        let words = format!("{} was written by a newer memkeep (version {version})", store.path());
        return Err(io::Error::new(io::ErrorKind::Unsupported, words));
    }
    Ok(())
}

/// A store as it will be, written elsewhere; to be made durable, then put in place.
pub(crate) struct Draft {
    store: Store,
    path: String,
    base: Option<Vec<u8>>,
    changes: Vec<RowChange>,
}

/// The draft, in the folder `within`, of a store with `changes` made; `None` where they change nothing.
pub(crate) fn prepare(
    disk: &dyn Disk,
    within: &str,
    store: Store,
    changes: &[RowChange],
) -> io::Result<Option<Draft>> {
    let changes: Vec<RowChange> = changes.iter().filter(|change| change.store == store).cloned().collect();
    if changes.is_empty() {
        return Ok(None);
    }
    refuse_newer(disk, store)?;
    let base = contents(disk, store)?;
    let mut read = base.as_deref().map(Read::of).unwrap_or_default();
    if !read.take(&changes) {
        return Ok(None);
    }
    if let Some(bytes) = base.as_deref().filter(|_| !read.bad.is_empty()) {
        set_aside(disk, store, bytes)?;
    }
    let path = format!("{within}/{}.jsonl.tmp", store.name());
    // A crash may have left a draft that holds what it was exchanged for; a person may want to see that.
    match disk.rename(&path, &format!("{path}.left")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => write_draft(disk, &path, &read.written(store))?,
    }
    Ok(Some(Draft { store, path, base, changes }))
}

impl Draft {
    /// Where the draft lies.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Puts the draft in place. A sync tool may write the store in that moment: what it wrote is looked at, before
    /// and after, and its rows are taken in.
    pub(crate) fn place(mut self, disk: &dyn Disk) -> io::Result<()> {
        const ROUNDS: usize = 16;
        for _ in 0..ROUNDS {
            let now = contents(disk, self.store)?;
            if now != self.base {
                self.redo(disk, now.clone(), now)?;
                continue;
            }
            let Some(displaced) = self.exchange(disk)? else { return Ok(()) };
            let now = contents(disk, self.store)?;
            self.redo(disk, Some(displaced), now)?;
        }
        Err(io::Error::new(io::ErrorKind::ResourceBusy, "another program keeps writing it"))
    }

    /// One try; the bytes that came back where they are not those the draft was made from.
    fn exchange(&self, disk: &dyn Disk) -> io::Result<Option<Vec<u8>>> {
        let store = self.store.path();
        if self.base.is_none() {
            return match disk.rename_new(&self.path, store) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => contents(disk, self.store),
                done => done.map(|()| None),
            };
        }
        match disk.exchange(&self.path, store) {
            Err(error) if is_unsupported(&error) => return disk.rename(&self.path, store).map(|()| None),
            done => done?,
        }
        let displaced = disk.read(&self.path)?;
        if Some(&displaced) == self.base.as_ref() {
            return disk.remove(&self.path).map(|()| None);
        }
        Ok(Some(displaced))
    }

    /// A new draft made from `rows`, to go in the place of `base`.
    fn redo(&mut self, disk: &dyn Disk, rows: Option<Vec<u8>>, base: Option<Vec<u8>>) -> io::Result<()> {
        let mut read = rows.as_deref().map(Read::of).unwrap_or_default();
        read.take(&self.changes);
        write_draft(disk, &self.path, &read.written(self.store))?;
        self.base = base;
        disk.sync(&[&self.path])
    }
}

/// What a file of rows holds.
#[derive(Default)]
struct Read {
    rows: BTreeSet<String>,
    bad: Vec<usize>,
    version: u64,
}

impl Read {
    fn of(bytes: &[u8]) -> Self {
        let mut read = Read::default();
        let mut in_base = false;
        for (n, line) in bytes.split(|b| *b == b'\n').enumerate() {
            let line = line.trim_ascii();
            match line.get(..7) {
                // git's diff3 style shows what both sides began with: no side wants it.
                Some(b"|||||||") => in_base = true,
                Some(b"<<<<<<<" | b"=======" | b">>>>>>>") => in_base = false,
                _ if in_base || line.is_empty() => {}
                _ => read.take_line(n + 1, line),
            }
        }
        read
    }

    fn take_line(&mut self, n: usize, line: &[u8]) {
        let text = std::str::from_utf8(line).ok();
        let value = text.and_then(|text| serde_json::from_str::<serde_json::Map<_, _>>(text).ok());
        match (text, value) {
            (Some(_), Some(head)) if head.contains_key("memkeep") => {
                let version = head.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0);
                self.version = self.version.max(version);
            }
            (Some(text), Some(_)) => {
                self.rows.insert(text.to_owned());
            }
            _ => self.bad.push(n),
        }
    }

    /// Makes the changes; true where any of them changed something.
    fn take(&mut self, changes: &[RowChange]) -> bool {
        let mut changed = false;
        for change in changes {
            changed |= match change.op {
                RowOp::Add => self.rows.insert(change.row.clone()),
                RowOp::Remove => self.rows.remove(&change.row),
            };
        }
        changed
    }

    fn complaints(&self, store: Store) -> Vec<String> {
        let mut complaints = Vec::new();
        if self.version > VERSION {
            complaints.push(format!("{} was written by a newer memkeep", store.path()));
        }
        if let Some(first) = self.bad.first() {
            let n = self.bad.len();
            complaints.push(format!("{}: {n} damaged lines, the first is line {first}", store.path()));
        }
        complaints
    }

    fn written(&self, store: Store) -> Vec<u8> {
        let mut text = format!("{{\"memkeep\":\"{}\",\"version\":{VERSION}}}\n", store.name());
        for row in &self.rows {
            text.push_str(row);
            text.push('\n');
        }
        text.into_bytes()
    }
}

fn contents(disk: &dyn Disk, store: Store) -> io::Result<Option<Vec<u8>>> {
    match disk.read(store.path()) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Keeps the damaged bytes under a name made of them, so that doing it again does nothing.
fn set_aside(disk: &dyn Disk, store: Store, bytes: &[u8]) -> io::Result<()> {
    let exists = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Ok(()),
        _ => Err(error),
    };
    disk.make_dir(DAMAGED, 0o700).or_else(exists)?;
    let hash = Hash::of(bytes).to_string();
    let place = format!("{DAMAGED}/{}-{}", store.name(), hash.get(..12).unwrap_or(&hash));
    disk.create(&place, bytes, None).or_else(exists)?;
    disk.sync(&[&place])
}
