//! The pure world of memkeep: the vault model, and the jobs that look at it and say what should
//! change.
//!
//! Invariants, each an absence: nothing here opens a file, reads the clock or the environment,
//! prints, or fails. Broken notes give findings. A job never sees another job. The date is a field
//! of the vault, so that the same vault, config and date give the same proposal on any number of
//! threads.
//!
//! Where things are: [`vault`] is the model; [`change`] what a job may want; [`job`] the trait;
//! [`fold`] applies what jobs want to a vault in memory; [`finding`] what a person should know; and
//! one file or folder for each job, named as the job.

pub mod change;
pub mod finding;
pub mod fold;
pub mod job;
pub mod normalise;
pub mod place;
pub mod relink;
pub mod trim;
pub mod vault;

pub use change::{Certainty, Change, Edit, End, Move, Moved, Place, Why};
pub use finding::{Finding, Severity};
pub use job::{Card, Job, Proposal, Stage, Touches, per_note};

/// Every job there is, in the order of stages, with its settings.
pub fn all(config: &config::Config) -> Vec<Box<dyn Job>> {
    vec![
        Box::new(relink::Relink::new(relink::Settings::new(config))),
        Box::new(normalise::Normalise::new(config)),
        Box::new(trim::Trim::new(config)),
    ]
}
