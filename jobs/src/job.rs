//! What a job is: a card that says what it does, and a pure function from a vault to a proposal. A
//! job never sees another job; a panic in it costs one note, never a run.

use crate::{
    change::{Certainty, Change},
    finding::{Finding, Severity},
    vault::{Memo, Note, NotePath, Vault},
};
use rayon::prelude::*;
use serde::{Serialize, Serializer};
use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// A kind of maintenance: looks at a vault, says what should change, touches nothing.
pub trait Job: Send + Sync {
    /// What it is and what it may touch.
    fn card(&self) -> &'static Card;
    /// What it wants of this vault.
    fn plan(&self, vault: &Vault) -> Proposal;
    /// The rules under which it changes anything, without the job: `oldest`. A person may accept these and no
    /// others; where none is named, any.
    fn rules(&self) -> &'static [&'static str] {
        &[]
    }
}

/// The declared side of a job.
#[derive(Debug, Serialize)]
pub struct Card {
    /// Its name: of its file, its table in the config, its case folder, its heading in the report.
    pub id: &'static str,
    /// When it runs.
    pub stage: Stage,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What it may change.
    pub touches: Touches,
    /// How sure its changes are at most.
    pub certainty: Certainty,
    /// What `explain` prints: what, why, an example, what it leaves alone.
    pub about: &'static str,
}

/// The order of jobs. Canonical names are computed before all of them and written last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// New chats come in.
    Import,
    /// Mentions become links.
    Relink,
    /// Frontmatter is repaired.
    Normalise,
    /// Boards lose what is done.
    Rotate,
    /// Memories lose what is oldest; links added before count.
    Trim,
    /// Indexes describe the result.
    Index,
    /// The map of names is written.
    Canonicalise,
}

/// What a job may change; the laws check it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Touches {
    /// New notes, and its own frontmatter and marked regions in them.
    NewNotes,
    /// Spans of prose.
    Prose,
    /// Spans of frontmatter.
    Frontmatter,
    /// Whole blocks, which it moves.
    Blocks,
    /// Generated files and regions.
    Generated,
}

impl Stage {
    /// All of them, in order; the name of a stage is that of its job.
    pub const ALL: [Stage; 7] = [
        Stage::Import,
        Stage::Relink,
        Stage::Normalise,
        Stage::Rotate,
        Stage::Trim,
        Stage::Index,
        Stage::Canonicalise,
    ];
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Import => "import",
            Stage::Relink => "relink",
            Stage::Normalise => "normalise",
            Stage::Rotate => "rotate",
            Stage::Trim => "trim",
            Stage::Index => "index",
            Stage::Canonicalise => "canonicalise",
        })
    }
}

impl Serialize for Stage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What a job wants.
#[derive(Clone, Debug, Default)]
pub struct Proposal {
    /// Changes of the vault.
    pub changes: Vec<Change>,
    /// What a person should know.
    pub findings: Vec<Finding>,
    /// What memkeep remembers, whatever becomes of the changes; only what it does not know yet.
    pub remember: Vec<Memo>,
}

impl Proposal {
    /// Both, in order.
    pub fn join(mut self, other: Proposal) -> Self {
        self.changes.extend(other.changes);
        self.findings.extend(other.findings);
        self.remember.extend(other.remember);
        self
    }
}

/// Asks `plan` of each note over the cores and joins the answers in the order of notes. A panic
/// becomes an error finding about that note, whose changes are dropped.
pub fn per_note(vault: &Vault, plan: impl Fn(&Arc<Note>) -> Proposal + Sync) -> Proposal {
    per_part(vault.notes(), |note| &note.path, plan)
}

/// As [`per_note`], of parts of notes that were read before; `path` says of which note one is.
pub fn per_part<T: Sync>(
    parts: &[T],
    path: impl Fn(&T) -> &NotePath + Sync,
    plan: impl Fn(&T) -> Proposal + Sync,
) -> Proposal {
    let answers: Vec<Proposal> = parts
        .par_iter()
        .map(|part| guarded(|| plan(part)).unwrap_or_else(|cause| stopped(path(part), &cause)))
        .collect();
    answers.into_iter().fold(Proposal::default(), Proposal::join)
}

/// What `read` finds in each note, over the cores, in the order of notes; and an error finding for each
/// note on which it panics.
pub fn read_notes<T: Send>(
    vault: &Vault,
    read: impl Fn(&Arc<Note>) -> Option<T> + Sync,
) -> (Vec<T>, Vec<Finding>) {
    let answers: Vec<Result<Option<T>, Finding>> = vault
        .notes()
        .par_iter()
        .map(|note| guarded(|| read(note)).map_err(|cause| panicked(&note.path, &cause)))
        .collect();
    let (mut parts, mut findings) = (Vec::new(), Vec::new());
    for answer in answers {
        match answer {
            Ok(part) => parts.extend(part),
            Err(finding) => findings.push(finding),
        }
    }
    (parts, findings)
}

fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause| panic_text(&*cause))
}

fn stopped(path: &NotePath, cause: &str) -> Proposal {
    Proposal { findings: vec![panicked(path, cause)], ..Proposal::default() }
}

fn panicked(path: &NotePath, cause: &str) -> Finding {
    Finding::about(path, Severity::Error, PANIC, format!("a job stopped on this note: {cause}"))
        .hint("This is a defect of memkeep; the note was left alone. Please report it.")
}

/// The rule under which a panic is reported.
pub const PANIC: &str = "internal/panic";

/// What a panic said.
pub fn panic_text(cause: &(dyn std::any::Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
