//! The world with files in it.
pub mod commit;
pub mod disk;
pub mod journal;
pub mod lock;
pub mod recover;
pub mod rows;
