//! The job that links mentions.

pub mod boundary;
pub mod find;
pub mod judge;
pub mod lexicon;
pub mod page;
pub mod sheet;
pub mod survey;
