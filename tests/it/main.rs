//! The one integration-test binary.

mod figure;
mod generated;
mod promises;
mod session;
mod together;
mod tree;
mod undo;
