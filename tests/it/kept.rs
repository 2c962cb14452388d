//! The example vault after all jobs is `tests/vaults/example-kept`, byte for byte, and there is nothing
//! left to say about it. `MEMKEEP_BLESS=1` writes it anew; it is read before it is committed.

use crate::{
    program::memkeep,
    tree::{Tree, bytes_under, differences, tests},
};
use std::fs;

const TODAY: &str = "2026-11-30";

#[test]
fn the_example_comes_out_as_kept() {
    let tree = Tree::copy(&tests().join("vaults/example"));
    let output = memkeep(&tree, TODAY, &["run", "--apply"]);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    let kept = tests().join("vaults/example-kept");
    if std::env::var_os("MEMKEEP_BLESS").is_some() {
        let _ = fs::remove_dir_all(&kept);
        for (path, bytes) in tree.bytes() {
            let path = kept.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
    assert_eq!(differences(&bytes_under(&kept, &|_| true), &tree.bytes()), "");
}

#[test]
fn there_is_nothing_to_say_about_the_kept_example() {
    let tree = Tree::copy(&tests().join("vaults/example-kept"));
    let output = memkeep(&tree, TODAY, &["check"]);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    let again = memkeep(&tree, TODAY, &["run", "--apply"]);
    assert!(again.out.contains("nothing to do"), "{}", again.out);
}

#[test]
fn there_is_something_to_say_about_the_example_as_it_is() {
    let tree = Tree::copy(&tests().join("vaults/example"));
    assert_eq!(memkeep(&tree, TODAY, &["check"]).code, Some(1));
}

/// Every file of the kept example with its length, hash, line ends and final newline: a text snapshot
/// shows none of the last two.
#[test]
fn the_manifest_of_the_kept_example_is_as_reviewed() {
    let files = bytes_under(&tests().join("vaults/example-kept"), &|_| true);
    assert!(files.len() > 30, "the kept example is gone");
    let lines: Vec<String> = files.iter().map(|(path, bytes)| manifest_line(path, bytes)).collect();
    insta::with_settings!({snapshot_path => "../../snapshots", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("example-kept-manifest", lines.join("\n"));
    });
}

fn manifest_line(path: &str, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let (crlf, lf) = (text.matches("\r\n").count(), text.matches('\n').count());
    let ends = match (crlf, lf) {
        (_, 0) => "none",
        (0, _) => "lf",
        (crlf, lf) if crlf == lf => "crlf",
        _ => "mixed",
    };
    let last = if text.ends_with('\n') { "newline" } else { "no newline" };
    let bom = if text.starts_with('\u{feff}') { ", bom" } else { "" };
    format!("{path}: {} bytes, {}, {ends}, {last}{bom}", bytes.len(), jobs::vault::Hash::of(bytes).short())
}
