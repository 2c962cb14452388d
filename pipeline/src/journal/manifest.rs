//! What a run writes down: the manifest before it touches a note, the outcome after. Versioned; an older program
//! refuses a newer journal.

use super::{Hash, RunId};
use serde::{Deserialize, Serialize};

/// The version of the journal that this program writes, and the newest it reads.
pub const VERSION: u32 = 1;

/// Everything needed to finish or reverse a run, but for the bytes, which lie beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`VERSION`] of the program that wrote it.
    pub version: u32,
    /// The run.
    pub run: RunId,
    /// [`machine_id`](super::machine_id) of the machine that may recover it.
    pub machine: String,
    /// Whether it reverses another run.
    pub kind: RunKind,
    /// RFC 3339, with offset.
    pub started: String,
    /// In the order of exchange: within a group the receiving note comes first.
    pub files: Vec<FileChange>,
    /// Rows for memkeep's own memory.
    pub rows: Vec<RowChange>,
    /// Folders that the commit makes, outermost first; filled in by the commit, whatever the caller gives.
    #[serde(default)]
    pub folders: Vec<String>,
    /// The caller's own data.
    #[serde(default)]
    pub about: serde_json::Value,
}

/// Whether a run does something new or takes something back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum RunKind {
    /// The jobs ran.
    Run,
    /// The reverse of another run.
    Undo {
        /// The run reversed.
        of: RunId,
    },
}

/// One file from one state to another; `None` is "no file here".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Relative to the vault; each path occurs once in a manifest.
    pub path: String,
    /// What the plan was made from.
    pub before: Option<Hash>,
    /// What the plan makes of it.
    pub after: Option<Hash>,
    /// All files of one group change, or none.
    pub group: u32,
    /// The file whose mode, owner and attributes a created note takes; a changed note keeps its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
}

/// One row of memkeep's own memory that comes or goes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RowChange {
    /// Applied only when this group was; `None`: applied with the run.
    pub group: Option<u32>,
    /// Where it lies.
    pub store: Store,
    /// Which way.
    pub op: RowOp,
    /// One JSON object on one line, in the spelling in which it is stored.
    pub row: String,
}

/// One of memkeep's own files of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Store {
    /// `links.jsonl`: synced with the vault.
    Links,
    /// `state.jsonl`: this machine's own.
    State,
}

/// Whether a row comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowOp {
    /// There is nothing to do where it is there already.
    Add,
    /// There is nothing to do where it is gone already.
    Remove,
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// One fate for each file of the manifest, in its order.
    pub files: Vec<Fate>,
    /// False where files cannot be exchanged on this disk, so that an edit in the very moment of writing might be lost.
    pub strong: bool,
    /// What a reader of the report should know besides.
    pub notes: Vec<String>,
    /// Why the run was taken back whole; then the vault is as before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub enum Fate {
    /// As planned.
    Done,
    /// Left, or given back, as whoever wrote it last wanted it.
    HeldBack {
        /// The reason.
        why: Held,
        /// Where displaced bytes lie, relative to the vault.
        kept: Option<String>,
    },
}

/// Why a file was held back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Held {
    /// Someone else wrote it since it was read.
    Edited,
    /// It is gone.
    Missing,
    /// A file stands where one was to be created.
    Appeared,
    /// Another file of its group was held back.
    WentWithGroup {
        /// That file.
        path: String,
    },
    /// The system said no, or the whole run was stopped.
    Refused {
        /// In words.
        error: String,
    },
    /// A folder, link or other thing that is not a plain note of one name.
    OddFile {
        /// What it is.
        what: String,
    },
}
