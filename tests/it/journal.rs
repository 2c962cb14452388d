//! The journal and memkeep's own rows: damage never reaches a note (P6), a newer format is refused (P7), old runs go.

use crate::figure::{Figure, is_nightly};
use crate::sample::{MACHINE, Tree, before, notes, order, row, run_id, sample, wish};
use chrono::NaiveDate;
use pipeline::commit::{CommitError, Fate, commit};
use pipeline::disk::{Disk, Model, SimDisk, Stop};
use pipeline::journal::{
    JournalFault, RowChange, RowOp, RunId, RunState, Store, inspect, load, note_run, retain, runs,
    save_report,
};
use pipeline::recover::{Recovered, recover};
use pipeline::rows;
use std::fs;
use std::path::Path;

fn holding(tree: &Tree) -> SimDisk {
    SimDisk::holding(Model::Ordered, tree)
}

fn journal_files(tree: &Tree) -> Vec<String> {
    tree.keys().filter(|path| path.starts_with(".memkeep/journal/")).cloned().collect()
}

/// Every way in which one file may be damaged, in steps of `step` bytes.
fn damages(tree: &Tree, path: &str, step: usize) -> Vec<(String, Tree)> {
    let bytes = &tree[path];
    let with = |bytes: Vec<u8>| {
        let mut tree = tree.clone();
        tree.insert(path.to_owned(), bytes);
        tree
    };
    let mut all = Vec::new();
    for at in (0..bytes.len()).step_by(step) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 7);
        all.push((format!("{path} flipped at {at}"), with(flipped)));
        all.push((format!("{path} cut at {at}"), with(bytes[..at].to_vec())));
        let end = (at + 64).min(bytes.len());
        all.push((format!("{path} without {at}..{end}"), with([&bytes[..at], &bytes[end..]].concat())));
    }
    let mut without = tree.clone();
    without.remove(path);
    all.push((format!("{path} deleted"), without));
    all
}

/// A damaged vault is checked, recovered, and written to again.
fn live_on(tree: &Tree, is_noticed: bool) -> Result<(), String> {
    let disk = holding(tree);
    let faults = inspect(&disk, MACHINE);
    if is_noticed && faults.is_empty() {
        return Err("undetected".to_owned());
    }
    recover(&disk, MACHINE).map_err(|error| format!("blocked: {error}"))?;
    if notes(&disk.tree()) != notes(tree) {
        return Err("a note changed".to_owned());
    }
    let next =
        order(run_id(2), &[wish(0, "untouched.md", Some("untouched\n"), Some("touched\n"))], Vec::new());
    match commit(&disk, &next) {
        Ok(outcome) if outcome.files == [Fate::Done] => Ok(()),
        blocked => Err(format!("blocked: {blocked:?}")),
    }
}

#[test]
fn damage_in_the_journal_of_a_finished_run_never_reaches_a_note() {
    let disk = holding(&before());
    commit(&disk, &sample()).unwrap();
    save_report(&disk, &run_id(1), &serde_json::json!({"said": "all"})).unwrap();
    let tree = disk.tree();
    let mut figure =
        Figure::of("P6 damage in the journal of a finished run: no note changed, seen, not blocked");
    for path in journal_files(&tree) {
        for (what, damaged) in damages(&tree, &path, if is_nightly() { 1 } else { 37 }) {
            // A report may be missing: a run that is killed before its account leaves none. Drafts are left-overs.
            let is_noticed =
                !(path.ends_with(".left") || path.ends_with("report.json") && what.ends_with("deleted"));
            figure.trial(live_on(&damaged, is_noticed).map_err(|why| format!("{what}: {why}")));
        }
    }
    figure.done();
}

#[test]
fn damage_in_the_manifest_of_an_interrupted_run_never_reaches_a_note() {
    let mut figure =
        Figure::of("P6 damage in the manifest of an interrupted run: no note changed, seen, not blocked");
    let whole = holding(&before());
    commit(&whole, &sample()).unwrap();
    for k in (0..whole.n_ops()).step_by(if is_nightly() { 1 } else { 5 }) {
        let disk = holding(&before()).stop(k, Stop::Before);
        let _ = commit(&disk, &sample());
        let tree = disk.tree();
        let manifest = ".memkeep/journal/20261130-031500-r00001/manifest.json";
        if !tree.contains_key(manifest) || tree.keys().any(|path| path.ends_with("outcome.json")) {
            continue;
        }
        for (what, damaged) in damages(&tree, manifest, if is_nightly() { 7 } else { 97 }) {
            figure.trial(live_on(&damaged, true).map_err(|why| format!("killed at {k}, {what}: {why}")));
        }
    }
    figure.done();
}

#[test]
fn before_images_outlive_a_lost_manifest() {
    let whole = holding(&before());
    commit(&whole, &sample()).unwrap();
    let mut tree = whole.tree();
    tree.retain(|path, _| !path.ends_with("manifest.json") && !path.ends_with("outcome.json"));
    let disk = holding(&tree);
    assert!(matches!(recover(&disk, MACHINE).unwrap().as_slice(), [Recovered::Discarded { .. }]));
    let texts: Vec<_> = disk.tree().into_values().collect();
    for old in notes(&before()).values() {
        assert!(texts.contains(old), "{:?} is lost", String::from_utf8_lossy(old));
    }
}

/// A vault in a folder of `tests/journals`.
fn fixture(name: &str) -> Tree {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/journals").join(name);
    let mut tree = Tree::new();
    for entry in walkdir::WalkDir::new(&top) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(&top).unwrap().to_str().unwrap();
            tree.insert(path.replace("memkeep-folder", ".memkeep"), fs::read(entry.path()).unwrap());
        }
    }
    assert!(!tree.is_empty(), "{name} is missing");
    tree
}

#[test]
fn a_newer_journal_is_refused_and_older_ones_are_read() {
    let mut figure = Figure::of("P7 journals of other versions: wrong writes");
    for (name, is_newer) in
        [("v1-done", false), ("v1-interrupted", false), ("v2-done", true), ("v2-interrupted", true)]
    {
        let tree = fixture(name);
        let disk = holding(&tree);
        let recovered = recover(&disk, MACHINE);
        let is_refused = matches!(recovered, Err(CommitError::Newer { .. }));
        let is_untouched = disk.tree() == tree;
        let is_right = if is_newer { is_refused && is_untouched } else { recovered.is_ok() };
        figure.trial(if is_right { Ok(()) } else { Err(format!("{name}: {recovered:?}")) });
        let is_old = notes(&disk.tree()).values().any(|text| text == b"before\n");
        let is_finished = name != "v1-interrupted" || !is_old;
        figure.trial(if is_finished { Ok(()) } else { Err(format!("{name} is not finished")) });
    }
    let mut rows_of_tomorrow = before();
    let head = b"{\"memkeep\":\"links\",\"version\":2}\n{\"row\":9}\n".to_vec();
    rows_of_tomorrow.insert(".memkeep/links.jsonl".to_owned(), head);
    let disk = holding(&rows_of_tomorrow);
    let refused = commit(&disk, &sample());
    let is_right = matches!(refused, Err(CommitError::Newer { .. })) && disk.tree() == rows_of_tomorrow;
    figure.trial(if is_right { Ok(()) } else { Err(format!("newer rows: {refused:?}")) });
    figure.done();
}

#[test]
fn a_run_of_another_machine_is_reported_and_left_alone() {
    let whole = holding(&before());
    commit(&whole, &sample()).unwrap();
    for k in 0..whole.n_ops() {
        let disk = holding(&before()).stop(k, Stop::Before);
        let _ = commit(&disk, &sample());
        let next = disk.after_kill();
        let tree = next.tree();
        let recovered = recover(&next, "another-machine").unwrap();
        let is_left =
            recovered.iter().all(|r| matches!(r, Recovered::Foreign { machine, .. } if machine == MACHINE));
        let is_unsigned = !tree.keys().any(|path| path.contains("manifest.json"));
        assert!(is_unsigned || is_left && next.tree() == tree, "{k}: {recovered:?}");
    }
}

#[test]
fn a_finished_run_can_be_read_back_with_its_before_images() {
    for disk in [holding(&before()), holding(&before()).without_exchange()] {
        let outcome = commit(&disk, &sample()).unwrap();
        save_report(&disk, &run_id(1), &serde_json::json!({"said": "all"})).unwrap();
        let run = load(&disk, &run_id(1)).unwrap();
        assert_eq!(run.outcome.as_ref(), Some(&outcome));
        assert_eq!(run.report, Some(serde_json::json!({"said": "all"})));
        for (n, change) in run.manifest.files.iter().enumerate() {
            let image = run.before_image(&disk, n).unwrap();
            assert_eq!(image.as_ref(), before().get(&change.path), "{}", change.path);
        }
        assert_eq!(inspect(&disk, MACHINE), []);
        assert_eq!(runs(&disk).first().map(|run| run.state.clone()), Some(RunState::Done));
    }
}

#[test]
fn retention_keeps_the_newest_the_unfinished_and_those_with_late_bytes() {
    let disk = holding(&before());
    let run = |day: u32| RunId::parse(&format!("202611{day:02}-031500-aaaaaa")).unwrap();
    let mut text = "untouched\n".to_owned();
    for day in 1..=6 {
        let next = format!("untouched\nday {day}\n");
        commit(&disk, &order(run(day), &[wish(0, "untouched.md", Some(&text), Some(&next))], Vec::new()))
            .unwrap();
        text = next;
    }
    disk.put(".memkeep/journal/20261102-031500-aaaaaa/stage/0", b"late bytes\n");
    disk.delete(".memkeep/journal/20261103-031500-aaaaaa/outcome.json");
    let now = NaiveDate::from_ymd_opt(2026, 11, 30).unwrap().and_hms_opt(3, 15, 0).unwrap();
    assert_eq!(retain(&disk, 10, 2, now).unwrap(), [run(1), run(4)]);
    let left: Vec<_> = runs(&disk).into_iter().map(|summary| summary.run).collect();
    assert_eq!(left, [run(2), run(3), run(5), run(6)]);
    assert_eq!(retain(&disk, 0, 0, now).unwrap(), [run(5)]);
}

#[test]
fn retention_killed_at_any_moment_never_looks_like_an_interrupted_run() {
    let fresh = || {
        let disk = holding(&before());
        commit(&disk, &sample()).unwrap();
        commit(
            &disk,
            &order(run_id(2), &[wish(0, "new.md", Some("a new note\n"), Some("newer\n"))], Vec::new()),
        )
        .unwrap();
        disk
    };
    let now = NaiveDate::from_ymd_opt(2027, 11, 30).unwrap().and_hms_opt(3, 15, 0).unwrap();
    let whole = fresh();
    retain(&whole, 10, 1, now).unwrap();
    for k in fresh().n_ops()..whole.n_ops() {
        let disk = fresh().stop(k, Stop::Before);
        let _ = retain(&disk, 10, 1, now);
        let next = disk.after_kill();
        let notes_before = notes(&next.tree());
        assert_eq!(recover(&next, MACHINE).unwrap(), [], "killed at {k}");
        assert_eq!(notes(&next.tree()), notes_before, "killed at {k}");
        assert!(!next.tree().keys().any(|path| path.contains(".old/")), "killed at {k}");
    }
}

#[test]
fn the_history_goes_on_after_a_torn_line() {
    let disk = holding(&Tree::from([(".memkeep/runs.jsonl".to_owned(), b"{\"run\":1}\n{\"ru".to_vec())]));
    note_run(&disk, &serde_json::json!({"run": 2})).unwrap();
    assert_eq!(disk.tree()[".memkeep/runs.jsonl"], b"{\"run\":1}\n{\"ru\n{\"run\":2}\n");
}

fn add(n: u32) -> RowChange {
    RowChange { group: None, store: Store::Links, op: RowOp::Add, row: row(n) }
}

/// The rows read from a file with these bytes, and how many complaints it earned.
fn read(bytes: &[u8]) -> (Vec<String>, usize) {
    let disk = holding(&Tree::from([(".memkeep/links.jsonl".to_owned(), bytes.to_vec())]));
    let (rows, complaints) = rows::read(&disk, Store::Links);
    (rows.into_iter().collect(), complaints.len())
}

#[test]
fn rows_between_conflict_markers_are_the_union_of_both_sides() {
    let merged = b"{\"memkeep\":\"links\",\"version\":1}\n{\"row\":1}\n<<<<<<< ours\n{\"row\":2}\n||||||| base\n{\"row\":9}\n=======\n{\"row\":3}\n>>>>>>> theirs\n";
    assert_eq!(read(merged), (vec![row(1), row(2), row(3)], 0));
}

#[test]
fn the_good_rows_of_a_damaged_file_are_kept() {
    assert_eq!(read(b"{\"row\":1}\n{\"row\":2"), (vec![row(1)], 1));
    assert_eq!(read(b"\0\0\0\0\0\0\0\0"), (vec![], 1));
    assert_eq!(read(b"{\"row\":1}\nnot json\n{\"row\":2}\r\n"), (vec![row(1), row(2)], 1));
    assert_eq!(read(b""), (vec![], 0));
}

#[test]
fn a_damaged_file_of_rows_is_set_aside_at_the_next_write() {
    let damaged = b"{\"row\":1}\n{\"row\":2".to_vec();
    let disk = holding(&Tree::from([(".memkeep/links.jsonl".to_owned(), damaged.clone())]));
    rows::apply(&disk, Store::Links, &[add(1)]).unwrap();
    assert_eq!(disk.tree()[".memkeep/links.jsonl"], damaged, "nothing changes, nothing is written");
    rows::remember(&disk, &[add(3)]).unwrap();
    let text = String::from_utf8(disk.tree()[".memkeep/links.jsonl"].clone()).unwrap();
    assert_eq!(text, format!("{{\"memkeep\":\"links\",\"version\":1}}\n{}\n{}\n", row(1), row(3)));
    let aside: Vec<_> = disk.tree().into_iter().filter(|(path, _)| path.starts_with(rows::DAMAGED)).collect();
    assert!(matches!(aside.as_slice(), [(_, bytes)] if *bytes == damaged));
}

#[test]
fn rows_that_a_sync_tool_brings_during_a_write_stay() {
    let start = Tree::from([(".memkeep/links.jsonl".to_owned(), format!("{}\n", row(1)).into_bytes())]);
    let whole = holding(&start);
    rows::apply(&whole, Store::Links, &[add(2)]).unwrap();
    for k in 0..whole.n_ops() {
        let disk = holding(&start).acting(k, |disk| {
            let old = disk.tree().remove(".memkeep/links.jsonl").unwrap();
            disk.replace(".memkeep/links.jsonl", &[old, format!("{}\n", row(7)).into_bytes()].concat());
        });
        rows::apply(&disk, Store::Links, &[add(2)]).unwrap();
        assert_eq!(
            rows::read(&disk, Store::Links).0.into_iter().collect::<Vec<_>>(),
            [row(1), row(2), row(7)],
            "{k}"
        );
    }
}

#[test]
fn late_bytes_are_named_with_their_place() {
    let disk = holding(&before());
    commit(&disk, &sample()).unwrap();
    let place = ".memkeep/journal/20261130-031500-r00001/stage/2";
    disk.put(place, b"# A\nplain line\nwritten late\n");
    let fault =
        JournalFault::LateBytes { run: run_id(1), path: "notes/a.md".to_owned(), place: place.to_owned() };
    assert_eq!(inspect(&disk, MACHINE), [fault]);
    assert!(load(&disk, &run_id(1)).unwrap().before_image(&disk, 2).is_err());
    assert!(disk.stat(place).is_ok());
}
