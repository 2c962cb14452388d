//! The one integration-test binary.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking, and each promise prints its figure"
)]

mod bad_jobs;
mod blocks;
mod cases;
mod cli;
mod corpora;
mod crash;
mod editors;
mod figure;
mod frontmatter;
mod generated;
mod journal;
mod kept;
mod kill;
mod laws;
mod links;
mod lock;
mod odd_files;
mod operations;
mod peers;
mod program;
mod promises;
mod protected;
mod races;
mod readme;
mod sample;
mod schedule;
mod session;
mod spans;
mod steps;
mod together;
mod told;
mod topics;
mod tree;
mod undo;
mod yaml_suite;

/// A test file that no line above names would not run.
#[test]
fn every_file_of_tests_is_compiled() {
    let text = std::fs::read_to_string(tree::tests().join("it/main.rs")).unwrap();
    for entry in std::fs::read_dir(tree::tests().join("it")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().replace(".rs", "");
        assert!(name == "main" || text.contains(&format!("mod {name};")), "{name} is left out");
    }
}
