//! What the README shows is what the program says: its console blocks are run on the example vault, and
//! its table of jobs is that of the cards. `MEMKEEP_BLESS=1` writes the blocks anew.

use crate::{
    program::{memkeep, redacted},
    tree::{Tree, tests},
};
use config::Config;
use std::fs;

const OPEN: &str = "```console\n$ memkeep ";

#[test]
fn the_console_blocks_of_the_readme_are_what_the_program_says() {
    let path = tests().join("../README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let mut parts = readme.split(OPEN);
    let mut written = parts.next().unwrap().to_owned();
    let mut count = 0;
    for part in parts {
        let (block, rest) = part.split_once("```\n").unwrap();
        let (args, _) = block.split_once('\n').unwrap();
        let tree = Tree::copy(&tests().join("vaults/example"));
        let args: Vec<&str> = args.split(' ').collect();
        let output = memkeep(&tree, "2026-11-30", &args);
        written += &format!("{OPEN}{}\n{}```\n{rest}", args.join(" "), redacted(&output.out));
        count += 1;
    }
    assert!(count > 0, "the README shows no run");
    if std::env::var_os("MEMKEEP_BLESS").is_some() {
        fs::write(&path, &written).unwrap();
    }
    assert_eq!(readme, written, "MEMKEEP_BLESS=1 writes the README anew");
}

#[test]
fn the_readme_lists_every_job_as_its_card_says() {
    let readme = fs::read_to_string(tests().join("../README.md")).unwrap();
    for job in jobs::all(&Config::default()) {
        let row = format!("| {} | {} |", job.card().id, job.card().summary);
        assert!(readme.contains(&row), "the README lacks the row\n{row}");
    }
}

#[test]
fn every_path_that_the_readme_names_is_there() {
    let readme = fs::read_to_string(tests().join("../README.md")).unwrap();
    for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(tests().join("..").join(link).exists(), "{link} is not there");
    }
}
