//! What a user of memkeep can set.
//!
//! `defaults.yaml` lists every key with one sentence and its default, and is compiled in; the table of keys,
//! the JSON schema and the reference are made from it. [`Layers`] lays the user's file, the vault's file, the
//! environment and the command line over it, and says of every value where it came from.
//!
//! This crate is pure: it opens no file and reads no environment. It knows no job either; a rule id is any
//! word with a slash.

mod budget;
mod check;
mod describe;
mod duplicate;
mod error;
mod globs;
mod keys;
mod kinds;
mod layers;
mod nearest;
mod normalise;
mod pattern;
mod reading;
mod relink;
mod settings;
mod syntax;
mod tree;
mod yaml;

pub use describe::{Reference, reference, schema};
pub use duplicate::duplicate_of;
pub use error::{ConfigError, Place};
pub use globs::{GlobError, Globs};
pub use keys::DEFAULTS;
pub use layers::{Layers, Origin, Resolved, Value};
pub use nearest::{nearest, slips};
pub use normalise::{Field, Fill, Kind, Normalise, Schema, folded};
pub use relink::{LinkStyle, Relink};
pub use settings::{Config, Limits, NEVER_WALKED, Order, Retention, Split, Trim};
