//! The pure world of memkeep.
pub mod vault;
