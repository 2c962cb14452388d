//! Archive and memory change once, and together (P18): a run is killed at every operation of the disk,
//! then the program is started three more times; each entry must be there once, in one of the two.

use crate::{
    figure::Figure,
    session::{session, settings},
    tree::Bytes,
};
use pipeline::{
    disk::{Model, SimDisk, Stop},
    run::apply,
};

const SMALL: &str = "trim: {max_lines: 12, max_bytes: 100000, keep_lines: 8, keep_bytes: 50000}\n";
const ENTRIES: usize = 24;

fn vault() -> Bytes {
    let entry = |n: usize| format!("- 2026-03-{:02}: entry number {n}.\n", n + 1);
    let entries: String = (2..ENTRIES).map(entry).collect();
    let archived: String = (0..2).map(entry).collect();
    let memory = format!("# m\n\n## Log\n\n{entries}");
    let archive = format!("# m (archive)\n\n## Log\n\n{archived}");
    let files = [("memory.md", &memory), ("memory_archive.md", &archive), ("b/memory.md", &memory)];
    files.map(|(path, text)| (path.to_owned(), text.clone().into_bytes())).into()
}

/// The entries that are not there exactly `times` times.
fn wrong(disk: &SimDisk) -> Vec<String> {
    let text: String = disk
        .tree()
        .iter()
        .filter(|(path, _)| !path.starts_with(".memkeep"))
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    let times = |n: usize| if n < 2 { 1 } else { 2 };
    let count = |n: usize| text.matches(&format!("entry number {n}.")).count();
    (0..ENTRIES)
        .filter(|n| count(*n) != times(*n))
        .map(|n| format!("entry {n}: {} times", count(n)))
        .collect()
}

#[test]
fn archive_and_trim_happen_once_and_together() {
    let mut figure = Figure::of("archive and trim happen once, together (P18)");
    let config = settings(SMALL);
    let whole = SimDisk::holding(Model::Ordered, &vault());
    apply(&session(&whole, &config)).expect("a run");
    assert!(wrong(&whole).is_empty(), "{:?}", wrong(&whole));
    let operations = whole.n_ops();
    assert!(operations > 50, "only {operations} operations");
    for at in 0..operations {
        figure.trial(Ok(()));
        let disk = SimDisk::holding(Model::Ordered, &vault()).stop(at, Stop::Within);
        let _ = apply(&session(&disk, &config));
        let disk = disk.after_kill();
        for _ in 0..3 {
            apply(&session(&disk, &config)).expect("a run after a kill");
        }
        assert!(wrong(&disk).is_empty(), "killed at {at}: {:?}", wrong(&disk));
    }
    figure.done();
}

#[test]
fn a_disk_without_exchange_is_said_in_the_report() {
    let disk = SimDisk::holding(Model::Ordered, &vault()).without_exchange();
    let report = apply(&session(&disk, &settings(SMALL))).expect("a run").report;
    assert!(report.remarks.iter().any(|remark| remark.contains("cannot exchange")), "{:?}", report.remarks);
    assert!(wrong(&disk).is_empty());
}
