//! Other writers (P8-P10, P30): what someone else writes before, in and after a commit is kept.
//!
//! On the simulated disk an editor acts before every single operation; on the real one two runs race each other, and
//! a thread swaps folders under a run.

use crate::figure::{Figure, is_nightly};
use crate::sample::{MACHINE, Tree, after, before, notes, order, row, run_id, sample, shown, wish, wishes};
use pipeline::commit::{CommitError, Fate, Held, Outcome, commit};
use pipeline::disk::{Disk, Model, RealDisk, SimDisk};
use pipeline::journal::{JournalFault, RowChange, RowOp, Store, inspect};
use pipeline::recover::recover;
use pipeline::rows;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

const TOKEN: &str = "token-7f3a\n";

/// What an editor may do to one note.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Append,
    Rewrite,
    Replace,
    Delete,
    Folder,
    Link,
}

const EDITS: [Edit; 6] = [Edit::Append, Edit::Rewrite, Edit::Replace, Edit::Delete, Edit::Folder, Edit::Link];

impl Edit {
    fn act(self, disk: &SimDisk, path: &str) {
        let old = disk.tree().remove(path).unwrap_or_default();
        match self {
            Edit::Append => disk.put(path, &[old.as_slice(), TOKEN.as_bytes()].concat()),
            Edit::Rewrite => disk.put(path, TOKEN.as_bytes()),
            Edit::Replace => {
                disk.put(path, &old);
                disk.replace(path, &[TOKEN.as_bytes(), old.as_slice()].concat());
            }
            Edit::Delete => disk.delete(path),
            Edit::Folder => disk.retype_as_folder(path),
            Edit::Link => disk.retype_as_link(path, "untouched.md"),
        }
    }

    fn writes_a_token(self) -> bool {
        matches!(self, Edit::Append | Edit::Rewrite | Edit::Replace)
    }
}

fn holds_token(tree: &Tree) -> bool {
    tree.values().any(|bytes| String::from_utf8_lossy(bytes).contains(TOKEN.trim_end()))
}

fn fresh() -> SimDisk {
    SimDisk::holding(Model::Ordered, &before())
}

#[test]
fn a_note_edited_after_planning_is_kept_and_held_back_with_its_group() {
    let mut figure = Figure::of("P8 edited between plan and commit: kept, held back, reported");
    for is_strong in [true, false] {
        for (n, wish) in wishes().iter().enumerate() {
            for edit in EDITS {
                // Where nothing was, only something that appears is an edit.
                if wish.before.is_none() && matches!(edit, Edit::Delete) {
                    continue;
                }
                let disk = if is_strong { fresh() } else { fresh().without_exchange() };
                edit.act(&disk, wish.path);
                let edited = notes(&disk.tree());
                let outcome = commit(&disk, &sample());
                let result = judge_p8(n, &edited, &notes(&disk.tree()), outcome);
                figure.trial(result.map_err(|why| format!("{edit:?} of {}: {why}", wish.path)));
            }
        }
    }
    figure.done();
}

fn judge_p8(
    n: usize,
    edited: &Tree,
    now: &Tree,
    outcome: Result<Outcome, CommitError>,
) -> Result<(), String> {
    let outcome = outcome.map_err(|error| error.to_string())?;
    let wishes = wishes();
    for (wish, fate) in wishes.iter().zip(&outcome.files) {
        let is_held = wish.group == wishes[n].group;
        let planned = after();
        let expected = if is_held { edited.get(wish.path) } else { planned.get(wish.path) };
        if now.get(wish.path) != expected || is_held != (*fate != Fate::Done) {
            return Err(format!("{} is {:?}, {fate:?}", wish.path, now.get(wish.path)));
        }
    }
    let inside = |tree: &Tree| tree.iter().filter(|(path, _)| path.ends_with("inside.md")).count();
    if inside(edited) != inside(now) { Err("a folder lost its files".to_owned()) } else { Ok(()) }
}

#[test]
fn an_edit_before_any_operation_of_a_commit_is_kept() {
    let mut figure = Figure::of("P9 an edit just before each operation of the commit: kept (simulated)");
    let whole = fresh();
    commit(&whole, &sample()).unwrap();
    for k in 0..whole.n_ops() {
        for wish in wishes() {
            for edit in EDITS {
                let path = wish.path.to_owned();
                let disk = fresh().acting(k, move |disk| edit.act(disk, &path));
                let outcome = commit(&disk, &sample());
                let result = judge_p9(&disk, edit, outcome);
                figure.trial(result.map_err(|why| format!("{edit:?} of {} before {k}: {why}", wish.path)));
            }
        }
    }
    figure.done();
}

/// Two edits, so that giving back is raced too.
#[test]
fn two_edits_in_one_commit_are_both_kept() {
    let mut figure = Figure::of("P9 two edits in one commit: kept (simulated)");
    let step = if is_nightly() { 1 } else { 3 };
    let run = || order(run_id(1), &[wish(0, "c.md", Some("c before\n"), Some("c after\n"))], Vec::new());
    let whole = fresh();
    commit(&whole, &run()).unwrap();
    let n_ops = whole.n_ops() + 12;
    for k1 in 0..n_ops {
        for k2 in (k1 + 1..n_ops).step_by(step) {
            for (e1, e2) in
                [(Edit::Replace, Edit::Replace), (Edit::Append, Edit::Replace), (Edit::Replace, Edit::Append)]
            {
                let second = move |disk: &SimDisk| {
                    let old = disk.tree().remove("c.md").unwrap_or_default();
                    let new = [old.as_slice(), b"second\n"].concat();
                    match e2 {
                        Edit::Append => disk.put("c.md", &new),
                        _ => disk.replace("c.md", &new),
                    }
                };
                let disk = fresh().acting(k1, move |disk| e1.act(disk, "c.md")).acting(k2, second);
                let done = commit(&disk, &run());
                let tree = disk.tree();
                let has =
                    |word: &str| tree.values().any(|bytes| String::from_utf8_lossy(bytes).contains(word));
                let acted = disk.n_ops() > k2;
                let is_kept =
                    done.is_ok() && (disk.n_ops() <= k1 || has("token-7f3a")) && (!acted || has("second"));
                figure.trial(if is_kept {
                    Ok(())
                } else {
                    Err(format!("{e1:?} {k1}, {e2:?} {k2}: {done:?} {}", shown(&tree)))
                });
            }
        }
    }
    figure.done();
}

fn judge_p9(disk: &SimDisk, edit: Edit, outcome: Result<Outcome, CommitError>) -> Result<(), String> {
    let outcome = outcome.map_err(|error| error.to_string())?;
    let tree = disk.tree();
    if edit.writes_a_token() && !holds_token(&tree) {
        return Err(format!("lost: {outcome:?} {}", shown(&tree)));
    }
    let wishes = wishes();
    for (wish, fate) in wishes.iter().zip(&outcome.files) {
        let text = tree.get(wish.path).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let is_planned = text.as_deref() == wish.after;
        let is_before = text.as_deref() == wish.before;
        let is_edited = !is_planned && !is_before;
        match fate {
            // Edited after it was done: the edit is in place, on top of ours.
            Fate::Done if is_planned || is_edited || !edit.writes_a_token() => {}
            Fate::HeldBack { .. } if is_before || is_edited => {}
            // Someone else deleted or created it, which is as planned by chance.
            Fate::HeldBack {
                why: Held::Missing | Held::Appeared | Held::OddFile { .. } | Held::Edited,
                ..
            } => {}
            fate => return Err(format!("{} is {text:?} and its fate {fate:?}", wish.path)),
        }
    }
    match recover(disk, MACHINE) {
        Ok(left) if left.is_empty() => Ok(()),
        left => Err(format!("something is left to recover: {left:?}")),
    }
}

#[test]
fn what_a_program_writes_to_a_note_it_held_open_is_found_and_reported() {
    let mut figure = Figure::of("P9 late writes through an open handle: kept and reported (simulated)");
    let whole = fresh();
    commit(&whole, &sample()).unwrap();
    for k in 0..=whole.n_ops() {
        for wish in wishes().iter().filter(|wish| wish.before.is_some()) {
            let disk = fresh();
            let held = disk.hold(wish.path).unwrap();
            let disk = disk.acting(k, move |disk| disk.add_to_held(held, TOKEN.as_bytes()));
            let outcome = commit(&disk, &sample()).unwrap();
            if disk.n_ops() <= k {
                disk.add_to_held(held, TOKEN.as_bytes());
            }
            let in_place = notes(&disk.tree());
            let is_late = |fault: &JournalFault| matches!(fault, JournalFault::LateBytes { path, .. } if path == wish.path);
            let is_reported = holds_token(&in_place) || inspect(&disk, MACHINE).iter().any(is_late);
            let result = if is_reported { Ok(()) } else { Err(format!("{} at {k}: {outcome:?}", wish.path)) };
            figure.trial(result);
        }
    }
    figure.done();
}

/// Stops the other thread, also when this one fails.
pub struct AtEnd<'a>(pub &'a AtomicBool);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Two runs that each move a line of one note to another, and edit a third.
fn rival(n: usize, text: &str) -> pipeline::commit::Order {
    let line = format!("line {n}\n");
    let memory = text.replace(&line, "");
    let archive = format!("archive\n{line}");
    let other = format!("other\nrun {n}\n");
    let wishes = [
        wish(1, "archive.md", Some("archive\n"), Some(&archive)),
        wish(1, "memory.md", Some(text), Some(&memory)),
        wish(2, "other.md", Some("other\n"), Some(&other)),
    ];
    let row = RowChange { group: None, store: Store::Links, op: RowOp::Add, row: row(n as u32) };
    order(run_id(n), &wishes, vec![row])
}

#[test]
fn two_runs_without_a_lock_lose_no_line() {
    let mut figure = Figure::of("P10 two runs at once without the lock: no line and no row lost");
    let text = "memory\nline 1\nline 2\nline 3\n";
    for _ in 0..100 {
        let vault = tempfile::tempdir().unwrap();
        for (name, text) in [("memory.md", text), ("archive.md", "archive\n"), ("other.md", "other\n")] {
            fs::write(vault.path().join(name), text).unwrap();
        }
        let disk = RealDisk::open(vault.path()).unwrap();
        let outcomes = std::thread::scope(|scope| {
            let runs = [1, 2].map(|n| {
                let disk = &disk;
                scope.spawn(move || commit(disk, &rival(n, text)))
            });
            runs.map(|run| run.join().unwrap())
        });
        figure.trial(judge_rivals(&disk, text, &outcomes));
    }
    figure.done();
}

fn judge_rivals(
    disk: &RealDisk,
    text: &str,
    outcomes: &[Result<Outcome, CommitError>; 2],
) -> Result<(), String> {
    let read = |path| String::from_utf8(disk.read(path).unwrap()).unwrap();
    let all = [read("memory.md"), read("archive.md"), read("other.md")].concat();
    let is_lost = |line: &&str| !all.contains(*line);
    if let Some(line) = text.lines().chain(["archive", "other"]).find(is_lost) {
        return Err(format!("{line} is lost: {all:?} {outcomes:?}"));
    }
    let rows = rows::read(disk, Store::Links).0;
    for (n, outcome) in outcomes.iter().enumerate() {
        let outcome = outcome.as_ref().map_err(ToString::to_string)?;
        if !rows.contains(&row(n as u32 + 1)) {
            return Err(format!("a row is lost: {rows:?}"));
        }
        if outcome.files[2] == Fate::Done && !all.contains(&format!("run {}", n + 1)) {
            return Err(format!("run {} is done and is not: {all:?}", n + 1));
        }
    }
    Ok(())
}

/// While a folder of the vault is swapped for a link to one outside and back, `write` rewrites a note in it.
fn swap_parent(figure: &mut Figure, n_trials: usize, mut write: impl FnMut(&RealDisk, usize)) {
    let top = tempfile::tempdir().unwrap();
    let (vault, outside) = (top.path().join("vault"), top.path().join("outside"));
    for dir in [&vault, &outside, &vault.join("dir")] {
        fs::create_dir(dir).unwrap();
    }
    for dir in [&outside, &vault.join("dir")] {
        fs::write(dir.join("note.md"), "note\n").unwrap();
    }
    let link = vault.join("link");
    std::os::unix::fs::symlink(&outside, &link).unwrap();
    let disk = RealDisk::open(&vault).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = AtEnd(&stop);
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                renameat_with(CWD, vault.join("dir"), CWD, &link, RenameFlags::EXCHANGE).unwrap();
            }
        });
        for n in 0..n_trials {
            write(&disk, n);
            let names = fs::read_dir(&outside).unwrap().count();
            let is_clean = names == 1 && fs::read(outside.join("note.md")).unwrap() == b"note\n";
            figure.trial(if is_clean { Ok(()) } else { Err(format!("trial {n} wrote outside")) });
            if !is_clean {
                break;
            }
        }
    });
}

/// True where the note was changed, so that the folder was in its place all the while.
fn write_safely(disk: &RealDisk, n: usize) -> bool {
    // What lies outside has the same bytes at first, so that no check of bytes can save us.
    let new = format!("note\nrun {n}\n");
    let created = format!("dir/new-{n}.md");
    let wishes = [wish(0, "dir/note.md", Some("note\n"), Some(&new)), wish(1, &created, None, Some("new\n"))];
    let done = commit(disk, &order(run_id(n), &wishes, Vec::new()));
    let is_done = matches!(&done, Ok(outcome) if outcome.files[0] == Fate::Done);
    assert!(matches!(done, Ok(_) | Err(CommitError::Stopped(_))), "{done:?}");
    fs::write(disk.path().join(".memkeep/again.md"), "note\n").unwrap();
    let _ = disk.rename(".memkeep/again.md", "dir/note.md");
    is_done
}

fn write_by_path(disk: &RealDisk, n: usize) {
    let path = disk.path().join("dir/note.md");
    if fs::read(&path).is_ok_and(|bytes| bytes == b"note\n") {
        let _ = fs::write(&path, format!("note\nrun {n}\n"));
    }
    let _ = disk.create(".memkeep-again", b"note\n", None);
    let _ = disk.rename(".memkeep-again", "dir/note.md");
}

#[test]
fn a_swapped_parent_cannot_redirect_a_write() {
    let mut figure = Figure::of("P30 a folder swapped for a link out: writes outside");
    let mut n_done = 0;
    let n_trials = if is_nightly() { 1000 } else { 100 };
    swap_parent(&mut figure, n_trials, |disk, n| n_done += usize::from(write_safely(disk, n)));
    assert!(n_done > 0, "the folder was never in its place");
    figure.done();
}

#[test]
fn the_swap_harness_notices_a_writer_known_to_be_bad() {
    let mut figure = Figure::of("P30 a folder swapped for a link out");
    swap_parent(&mut figure, 200_000, write_by_path);
    figure.must_have_failed();
}
