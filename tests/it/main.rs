//! The one integration-test binary.

mod cli;
mod figure;
mod generated;
mod program;
mod promises;
mod session;
mod together;
mod tree;
mod undo;
