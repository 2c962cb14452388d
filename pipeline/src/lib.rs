//! The world with files in it.
//!
//! ```text
//! settings -> load -> Vault -> plan (the jobs) -> Plan -> commit -> outcome -> Report -> text | Markdown | JSON
//!               |                                   |        |
//!               lock, recover (apply, undo)         |        journal (what undo reads)
//!                                                   preview stops here and reports the same value
//! ```
//!
//! Where things are: [`disk`] is every file operation there is; [`load`] the vault in memory; [`plan`]
//! all changes of a run as one value; [`commit`], [`recover`] and [`journal`] make it true or leave the
//! vault as it was; [`rows`] is memkeep's own memory; [`undo`] reverses a run by another run; [`report`]
//! is the account of it; [`run`] puts them in order.
//!
//! Invariants, each an absence: only [`commit`] and [`recover`] change a note, and only by what a
//! manifest says; nothing writes outside the vault but a report that the user asked for by path;
//! nothing below `main` prints or exits; a preview writes nothing at all.

pub mod check;
pub mod cli;
pub mod commit;
pub mod disk;
pub mod exit;
pub mod journal;
pub mod load;
pub mod lock;
pub mod plan;
pub mod recover;
pub mod report;
pub mod rows;
pub mod run;
pub mod settings;
pub mod undo;
