//! What memkeep writes beside the notes: the layout of `.memkeep`, the format of the journal, and reading it.
//!
//! The journal of a run holds enough to finish it after a crash and to reverse it for as long as it is kept. Files
//! of the journal appear whole or not at all and carry a checksum; a damaged one is a fault to report, never a
//! reason to touch a note. Nothing here writes to a note.

mod history;
mod inspect;
mod manifest;
mod place;
mod retain;
mod run_id;
mod sealed;

pub use history::{JournaledRun, RunState, RunSummary, interrupted, load, note_run, runs, save_report};
pub use inspect::{JournalFault, inspect, journal_inodes};
pub use jobs::vault::Hash;
pub use manifest::{Fate, FileChange, Held, Manifest, Outcome, RowChange, RowOp, RunKind, Store, VERSION};
pub use place::{RunPlace, folder};
pub use retain::retain;
pub use run_id::RunId;
pub use sealed::{Unread, seal, unseal, write_durably};

pub(crate) use history::{read_sealed, run_ids};
pub(crate) use inspect::inodes;
pub(crate) use place::RUNS;
pub(crate) use place::{HOME, IGNORE, JOURNALS};
pub(crate) use retain::remove_tree;
pub(crate) use sealed::write_draft;

use std::fs;

/// The name under which this machine signs its runs: a hash, so that a synced journal does not give the machine's
/// own id away.
pub fn machine_id() -> String {
    let own = fs::read("/etc/machine-id").ok().filter(|id| !id.trim_ascii().is_empty());
    let node = || rustix::system::uname().nodename().to_bytes().to_vec();
    let key = blake3::derive_key("memkeep 2026 machine id", &own.unwrap_or_else(node));
    blake3::Hash::from_bytes(key).to_hex().get(..16).unwrap_or_default().to_owned()
}
