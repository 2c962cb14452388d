//! The world with files in it.
pub mod plan;
pub mod report;
