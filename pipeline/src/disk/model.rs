//! A file system in memory, as strict as the worst real one: what was not synced may be there after a power cut, or
//! not, each piece by itself.
//!
//! Two states are kept: what programs see, and what is on the platter; between them lies the list of operations not
//! yet durable. A rename or exchange is one operation and never half there.

use super::{Kind, Seen};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::io;

/// The number of an inode.
pub type Ino = usize;

const ROOT: Ino = 0;

/// How a file system orders what it was not told to sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Changes of names reach the disk in order, all earlier ones with any sync (a journaling file system).
    Ordered,
    /// In any order; a sync of a file makes its name durable too.
    Unordered,
    /// In any order; names become durable only by a sync of their folder.
    NoImpliedFolder,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    File(Vec<u8>),
    Dir(BTreeMap<String, Ino>),
    Symlink(String),
    Odd,
}

/// What may become of an operation that was not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Luck {
    Kept,
    Torn,
    Dropped,
}

#[derive(Clone, Debug)]
enum Pending {
    Data(Ino, Vec<u8>),
    Names(Vec<(Ino, String, Option<Ino>)>),
}

/// The state of one simulated disk.
#[derive(Clone, Debug)]
pub(super) struct Files {
    model: Model,
    live: Vec<Node>,
    modes: Vec<u32>,
    durable: Vec<Node>,
    pending: Vec<Pending>,
}

impl Files {
    pub(super) fn new(model: Model) -> Self {
        let root = vec![Node::Dir(BTreeMap::new())];
        Files { model, live: root.clone(), modes: vec![0o755], durable: root, pending: Vec::new() }
    }

    /// Everything on the platter.
    pub(super) fn settle(&mut self) {
        self.pending.clear();
        self.durable.clone_from(&self.live);
    }

    pub(super) fn n_pending(&self) -> usize {
        self.pending.len()
    }

    /// The disk after a power cut; `luck` says what became of each pending operation, by its place in the list.
    /// On an ordered disk names are kept up to the first that is not.
    pub(super) fn after_power_cut(&self, luck: &dyn Fn(usize) -> Luck) -> Files {
        let mut next = Files { live: Vec::new(), pending: Vec::new(), ..self.clone() };
        let mut is_cut = false;
        for (n, pending) in self.pending.iter().enumerate() {
            let mut luck = luck(n);
            if matches!(pending, Pending::Names(_)) && self.model == Model::Ordered {
                is_cut |= luck == Luck::Dropped;
                luck = if is_cut { Luck::Dropped } else { Luck::Kept };
            }
            apply(&mut next.durable, pending, luck);
        }
        next.live.clone_from(&next.durable);
        next
    }

    pub(super) fn find(&self, path: &str) -> io::Result<Ino> {
        if path.is_empty() {
            return Ok(ROOT);
        }
        path.split('/').try_fold(ROOT, |ino, name| match self.live.get(ino) {
            Some(Node::Dir(names)) => names.get(name).copied().ok_or_else(|| Errno::NOENT.into()),
            Some(Node::Symlink(_)) => Err(Errno::LOOP.into()),
            _ => Err(Errno::NOTDIR.into()),
        })
    }

    pub(super) fn parent<'a>(&self, path: &'a str) -> io::Result<(Ino, &'a str)> {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let dir = self.find(dir)?;
        match self.live.get(dir) {
            Some(Node::Dir(_)) => Ok((dir, name)),
            Some(Node::Symlink(_)) => Err(Errno::LOOP.into()),
            _ => Err(Errno::NOTDIR.into()),
        }
    }

    pub(super) fn node(&self, ino: Ino) -> &Node {
        self.live.get(ino).unwrap_or(&Node::Odd)
    }

    pub(super) fn mode(&self, ino: Ino) -> u32 {
        self.modes.get(ino).copied().unwrap_or(0)
    }

    pub(super) fn set_mode(&mut self, ino: Ino, mode: u32) {
        if let Some(old) = self.modes.get_mut(ino) {
            *old = mode;
        }
    }

    /// A new inode without a name.
    pub(super) fn make(&mut self, node: Node, mode: u32) -> Ino {
        let empty = match &node {
            Node::File(_) => Node::File(Vec::new()),
            Node::Dir(_) => Node::Dir(BTreeMap::new()),
            other => other.clone(),
        };
        self.live.push(node);
        self.modes.push(mode);
        self.durable.push(empty);
        self.live.len() - 1
    }

    pub(super) fn write(&mut self, ino: Ino, bytes: Vec<u8>) {
        if let Some(Node::File(data)) = self.live.get_mut(ino) {
            data.clone_from(&bytes);
            self.pending.push(Pending::Data(ino, bytes));
        }
    }

    /// One atomic change of names.
    pub(super) fn set_names(&mut self, sets: Vec<(Ino, String, Option<Ino>)>) {
        let pending = Pending::Names(sets);
        apply(&mut self.live, &pending, Luck::Kept);
        self.pending.push(pending);
    }

    pub(super) fn sync(&mut self, ino: Ino) {
        let model = self.model;
        let is_dir = matches!(self.node(ino), Node::Dir(_));
        let (done, rest): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.pending).into_iter().partition(|pending| match pending {
                Pending::Data(of, _) => *of == ino,
                Pending::Names(_) if model == Model::Ordered => true,
                Pending::Names(sets) => sets.iter().any(|(dir, _, named)| {
                    (is_dir && *dir == ino) || (model == Model::Unordered && !is_dir && *named == Some(ino))
                }),
            });
        self.pending = rest;
        for pending in done {
            apply(&mut self.durable, &pending, Luck::Kept);
            self.supersede(&pending);
        }
    }

    /// An earlier change of a name that has since become durable in a later state cannot come back.
    fn supersede(&mut self, done: &Pending) {
        let Pending::Names(done) = done else { return };
        for pending in &mut self.pending {
            if let Pending::Names(sets) = pending {
                sets.retain(|(dir, name, _)| !done.iter().any(|(d, n, _)| d == dir && n == name));
            }
        }
    }

    pub(super) fn seen(&self, path: &str, ino: Ino) -> Seen {
        let (kind, len) = match self.node(ino) {
            Node::File(data) => (Kind::File, data.len()),
            Node::Dir(_) => (Kind::Dir, 0),
            Node::Symlink(to) => (Kind::Symlink { target: self.find(to).ok().map(|_| to.clone()) }, 0),
            Node::Odd => (Kind::Other, 0),
        };
        let named = |node: &Node| match node {
            Node::Dir(names) => names.values().filter(|named| **named == ino).count(),
            _ => 0,
        };
        let links = self.live.iter().map(named).sum::<usize>() as u64;
        Seen {
            path: path.to_owned(),
            kind,
            len: len as u64,
            modified: 0,
            links,
            inode: ino as u64,
            mode: self.mode(ino),
        }
    }
}

fn apply(nodes: &mut [Node], pending: &Pending, luck: Luck) {
    match (pending, luck) {
        (_, Luck::Dropped) => {}
        (Pending::Data(ino, bytes), luck) => {
            if let Some(Node::File(data)) = nodes.get_mut(*ino) {
                let len = if luck == Luck::Torn { bytes.len() / 2 } else { bytes.len() };
                *data = bytes.get(..len).unwrap_or_default().to_vec();
            }
        }
        (Pending::Names(sets), _) => {
            for (dir, name, ino) in sets {
                if let Some(Node::Dir(names)) = nodes.get_mut(*dir) {
                    match ino {
                        Some(ino) => names.insert(name.clone(), *ino),
                        None => names.remove(name),
                    };
                }
            }
        }
    }
}
