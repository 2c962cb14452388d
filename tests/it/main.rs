//! The one integration-test binary.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking, and each promise prints its figure"
)]

mod crash;
mod figure;
mod journal;
mod lock;
mod odd_files;
mod races;
mod sample;
