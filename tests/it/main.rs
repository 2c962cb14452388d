//! The one integration-test binary.

mod figure;
mod generated;
mod promises;
mod session;
mod tree;
mod undo;
