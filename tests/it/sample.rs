//! One small vault and one order with every kind of change: edits, creates, a move with its repairs, a removal, rows.

use pipeline::commit::Order;
use pipeline::disk::Disk;
use pipeline::journal::{FileChange, Hash, Manifest, RowChange, RowOp, RunId, RunKind, Store};
use pipeline::rows;
use std::collections::BTreeMap;
use std::sync::Arc;

pub type Tree = BTreeMap<String, Vec<u8>>;

pub const MACHINE: &str = "this-machine";

/// A change of one file, by its texts.
pub struct Wish<'a> {
    pub group: u32,
    pub path: &'a str,
    pub before: Option<&'a str>,
    pub after: Option<&'a str>,
}

pub fn wish<'a>(group: u32, path: &'a str, before: Option<&'a str>, after: Option<&'a str>) -> Wish<'a> {
    Wish { group, path, before, after }
}

pub fn run_id(n: usize) -> RunId {
    RunId::parse(&format!("20261130-031500-r{n:05}")).unwrap()
}

pub fn order(run: RunId, wishes: &[Wish<'_>], rows: Vec<RowChange>) -> Order {
    let hash = |text: Option<&str>| text.map(|text| Hash::of(text.as_bytes()));
    let files = wishes.iter().map(|wish| FileChange {
        path: wish.path.to_owned(),
        before: hash(wish.before),
        after: hash(wish.after),
        group: wish.group,
        like: None,
    });
    let manifest = Manifest {
        version: 1,
        run,
        machine: MACHINE.to_owned(),
        kind: RunKind::Run,
        started: "2026-11-30T03:15:00+01:00".to_owned(),
        files: files.collect(),
        rows,
        folders: Vec::new(),
        about: serde_json::Value::Null,
    };
    let images = wishes.iter().map(|wish| wish.after.map(|text| Arc::from(text.as_bytes())));
    Order { manifest, images: images.collect() }
}

/// The changes of the sample order.
pub fn wishes() -> Vec<Wish<'static>> {
    vec![
        wish(1, "notes/archive/2026/b.md", None, Some("# B, archived\nold line of b\n")),
        wish(1, "notes/b.md", Some("# B\nold line of b\nkept line of b\n"), Some("# B\nkept line of b\n")),
        wish(0, "notes/a.md", Some("# A\nplain line\n"), Some("# A\nplain [[b]] line\n")),
        wish(2, "c.md", Some("c before\n"), Some("c after, longer than before\n")),
        wish(2, "notes/d.md", Some("d before\n"), Some("d after\n")),
        wish(3, "notes/gone.md", Some("made by a run that is undone\n"), None),
        wish(4, "new.md", None, Some("a new note\n")),
    ]
}

pub fn row(n: u32) -> String {
    format!("{{\"row\":{n}}}")
}

/// The rows of the sample order: some go with a group, some with the run.
pub fn row_changes() -> Vec<RowChange> {
    let change = |group, store, op, n| RowChange { group, store, op, row: row(n) };
    vec![
        change(Some(1), Store::Links, RowOp::Remove, 1),
        change(Some(1), Store::Links, RowOp::Add, 2),
        change(Some(2), Store::Links, RowOp::Add, 3),
        change(None, Store::State, RowOp::Add, 4),
    ]
}

pub fn sample() -> Order {
    order(run_id(1), &wishes(), row_changes())
}

/// The vault before the sample order.
pub fn before() -> Tree {
    let wishes = wishes();
    let mut tree = texts(wishes.iter().map(|wish| (wish.path, wish.before)));
    tree.insert("untouched.md".to_owned(), b"untouched\n".to_vec());
    tree.insert(
        ".memkeep/links.jsonl".to_owned(),
        format!("{{\"memkeep\":\"links\",\"version\":1}}\n{}\n", row(1)).into_bytes(),
    );
    tree
}

/// The notes after it.
pub fn after() -> Tree {
    let mut tree = notes(&before());
    let wishes = wishes();
    for wish in &wishes {
        tree.remove(wish.path);
    }
    tree.extend(texts(wishes.iter().map(|wish| (wish.path, wish.after))));
    tree
}

/// All files but memkeep's own.
pub fn notes(tree: &Tree) -> Tree {
    tree.iter()
        .filter(|(path, _)| !path.starts_with(".memkeep/"))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}

/// Whether the vault, rows included, is as before the sample order or as after it.
pub fn old_or_new(disk: &dyn Disk, tree: &Tree) -> Result<&'static str, String> {
    let rows = |store| rows::read(disk, store).0.into_iter().collect::<Vec<_>>();
    let rows = (rows(Store::Links), rows(Store::State));
    let notes = notes(tree);
    if notes == after() {
        let new = (vec![row(2), row(3)], vec![row(4)]);
        return if rows == new {
            Ok("new")
        } else {
            Err(format!("notes are new and rows are not: {rows:?}"))
        };
    }
    if notes == self::notes(&before()) {
        let old = (vec![row(1)], Vec::new());
        return if rows == old {
            Ok("old")
        } else {
            Err(format!("notes are old and rows are not: {rows:?}"))
        };
    }
    Err(format!("half-done: {}", shown(&notes)))
}

pub fn shown(tree: &Tree) -> String {
    let line = |(path, bytes): (&String, &Vec<u8>)| format!("{path}={:?} ", String::from_utf8_lossy(bytes));
    tree.iter().map(line).collect()
}

fn texts<'a>(files: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Tree {
    files.filter_map(|(path, text)| Some((path.to_owned(), text?.as_bytes().to_vec()))).collect()
}
