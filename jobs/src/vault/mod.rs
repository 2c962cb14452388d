//! The vault model: the immutable snapshot that jobs look at. Offsets are bytes, notes keep their
//! exact bytes, and nothing here reads a file, the clock or the environment.

pub mod archive;
pub mod date;
pub mod entry;
pub mod frontmatter;
pub mod hash;
pub mod ledger;
pub mod line;
pub mod markdown;
pub mod names;
pub mod note;
pub mod path;
pub mod span;

pub use hash::Hash;
pub use ledger::{Ledger, Linked, Memo, Row};
pub use note::{Access, Note, Reason};
pub use path::NotePath;
pub use span::Span;

use chrono::NaiveDate;
use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

/// A snapshot of all notes at one moment. Cloning shares the texts.
#[derive(Clone, Debug)]
pub struct Vault {
    notes: Arc<Vec<Arc<Note>>>,
    keys: OnceLock<Arc<BTreeMap<String, Vec<NotePath>>>>,
    /// What memkeep remembers from earlier runs.
    pub ledger: Arc<Ledger>,
    /// The day of the run, given from outside.
    pub today: NaiveDate,
}

impl Vault {
    /// A vault of these notes, in the order of their paths whatever the order given.
    pub fn new(mut notes: Vec<Arc<Note>>, ledger: Ledger, today: NaiveDate) -> Self {
        notes.sort_by(|a, b| a.path.cmp(&b.path));
        notes.dedup_by(|a, b| a.path == b.path);
        Vault { notes: Arc::new(notes), keys: OnceLock::new(), ledger: Arc::new(ledger), today }
    }

    /// All notes, by path.
    pub fn notes(&self) -> &[Arc<Note>] {
        &self.notes
    }

    /// The note at `path`.
    pub fn note(&self, path: &NotePath) -> Option<&Arc<Note>> {
        let at = self.notes.binary_search_by(|note| note.path.cmp(path)).ok()?;
        self.notes.get(at)
    }

    /// The notes whose paths fall together with `path` on a file system that folds case or form.
    pub fn twins(&self, path: &NotePath) -> &[NotePath] {
        let keys = self.keys.get_or_init(|| Arc::new(keys_of(&self.notes)));
        keys.get(&path.key()).map_or(&[], Vec::as_slice)
    }

    /// The vault after `changed` notes replaced those of the same path or joined; nothing leaves.
    pub fn with(&self, changed: Vec<Note>, memos: Vec<Memo>) -> Self {
        if changed.is_empty() && memos.is_empty() {
            return self.clone();
        }
        let mut notes: BTreeMap<&NotePath, Arc<Note>> =
            self.notes.iter().map(|note| (&note.path, Arc::clone(note))).collect();
        let changed: Vec<Arc<Note>> = changed.into_iter().map(Arc::new).collect();
        for note in &changed {
            notes.insert(&note.path, Arc::clone(note));
        }
        let mut ledger = (*self.ledger).clone();
        memos.into_iter().for_each(|memo| ledger.note(memo));
        Vault::new(notes.into_values().collect(), ledger, self.today)
    }
}

fn keys_of(notes: &[Arc<Note>]) -> BTreeMap<String, Vec<NotePath>> {
    let mut keys: BTreeMap<String, Vec<NotePath>> = BTreeMap::new();
    for note in notes {
        keys.entry(note.path.key()).or_default().push(note.path.clone());
    }
    keys
}
