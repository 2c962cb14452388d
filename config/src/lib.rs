//! What a user of memkeep can set.
mod duplicate;
mod globs;
#[cfg(test)]
mod nearest;
mod pattern;

pub use duplicate::duplicate_of;
pub use globs::{GlobError, Globs};
