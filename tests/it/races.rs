//! Other writers (P8-P10, P30): what someone else writes before, in and after a commit is kept.
//!
//! On the simulated disk an editor acts before every single operation; on the real one it runs as a thread of its
//! own, and the moment between look and exchange is widened to a millisecond by a wrapper around the disk.

use crate::figure::{Figure, is_nightly};
use crate::sample::{MACHINE, Tree, after, before, notes, order, row, run_id, sample, shown, wish, wishes};
use pipeline::commit::{CommitError, Fate, Held, Outcome, commit};
use pipeline::disk::{Disk, Model, RealDisk, Seen, SimDisk};
use pipeline::journal::{JournalFault, RowChange, RowOp, Store, inspect};
use pipeline::recover::recover;
use pipeline::rows;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

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

/// Lets others in just before an exchange, as a loaded machine might.
struct Widened<'a> {
    disk: &'a RealDisk,
    gap: Duration,
    way: Way,
}

/// How a note is replaced: ours, or writers that are known to be bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Ours,
    /// Looks, then renames over the note.
    Rename,
    /// Looks, then truncates the note and writes it.
    InPlace,
}

impl Disk for Widened<'_> {
    fn exchange(&self, a: &str, b: &str) -> io::Result<()> {
        std::thread::sleep(self.gap);
        match self.way {
            Way::Rename if !a.contains("probe") => self.disk.rename(a, b),
            Way::InPlace if !a.contains("probe") => fs::write(self.disk.path().join(b), self.disk.read(a)?),
            _ => self.disk.exchange(a, b),
        }
    }
    fn walk(&self, enter: &(dyn Fn(&str) -> bool + Sync)) -> Vec<Seen> {
        self.disk.walk(enter)
    }
    fn list(&self, dir: &str) -> io::Result<Vec<Seen>> {
        self.disk.list(dir)
    }
    fn stat(&self, path: &str) -> io::Result<Seen> {
        self.disk.stat(path)
    }
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.disk.read(path)
    }
    fn create(&self, path: &str, bytes: &[u8], like: Option<&str>) -> io::Result<()> {
        self.disk.create(path, bytes, like)
    }
    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.disk.append(path, bytes)
    }
    fn make_dir(&self, path: &str, mode: u32) -> io::Result<()> {
        self.disk.make_dir(path, mode)
    }
    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.rename_new(from, to)
    }
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.rename(from, to)
    }
    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.link(from, to)
    }
    fn remove(&self, path: &str) -> io::Result<()> {
        self.disk.remove(path)
    }
    fn remove_dir(&self, path: &str) -> io::Result<()> {
        self.disk.remove_dir(path)
    }
    fn sync(&self, paths: &[&str]) -> io::Result<()> {
        self.disk.sync(paths)
    }
    fn free_bytes(&self) -> io::Result<Option<u64>> {
        self.disk.free_bytes()
    }
}

const N_NOTES: usize = 6;

/// Between two edits: at full speed every note is edited before any commit comes to it, and none is raced.
const PAUSE: Duration = Duration::from_micros(1500);

/// So many edits go into one vault, since every token stays in it.
const BATCH: usize = 250;

/// Stops the other thread, also when this one fails.
struct AtEnd<'a>(&'a AtomicBool);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// An editor that adds unique tokens in every way editors do. It never takes a line away that it has seen.
fn edit_until(vault: &Path, stop: &AtomicBool, n_edits: &AtomicUsize) {
    let mut n = 0;
    while !stop.load(Ordering::Relaxed) {
        let path = vault.join(format!("{}.md", n % N_NOTES));
        let token = format!("edit-{n}.\n");
        let done = match n / N_NOTES % 4 {
            0 => append(&path, &token, Duration::ZERO),
            1 => replace(vault, &path, &token),
            2 => rewrite(&path, &token),
            _ => append(&path, &token, Duration::from_micros(900)),
        };
        if done.is_ok() {
            n += 1;
            n_edits.store(n, Ordering::Relaxed);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Opens, perhaps waits while it holds the note open, and adds to it.
fn append(path: &Path, token: &str, wait: Duration) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().append(true).open(path)?;
    std::thread::sleep(wait);
    file.write_all(token.as_bytes())
}

/// Writes a new file and renames it over the note.
fn replace(vault: &Path, path: &Path, token: &str) -> io::Result<()> {
    let draft = vault.join(".draft.swp");
    fs::write(&draft, fs::read_to_string(path)? + token)?;
    fs::rename(&draft, path)
}

/// Truncates the note and writes it again.
fn rewrite(path: &Path, token: &str) -> io::Result<()> {
    let text = fs::read_to_string(path)? + token;
    fs::OpenOptions::new().write(true).truncate(true).open(path)?.write_all(text.as_bytes())
}

/// The tokens anywhere under `dir`, notes and journal.
fn tokens(dir: &Path) -> HashSet<usize> {
    let mut found = HashSet::new();
    for entry in walkdir::WalkDir::new(dir) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let text = String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned();
            found.extend(
                text.split("edit-").skip(1).filter_map(|rest| rest.split_once('.')?.0.parse::<usize>().ok()),
            );
        }
    }
    found
}

/// Rewrites notes while the editor edits them; every token must be in the notes or in the journal. Returns how many
/// edits were caught in the very moment of writing.
fn race(figure: &mut Figure, n_wanted: usize, way: Way) -> usize {
    let vault = tempfile::tempdir().unwrap();
    for n in 0..N_NOTES {
        fs::write(vault.path().join(format!("{n}.md")), "start\n").unwrap();
    }
    let disk = RealDisk::open(vault.path()).unwrap();
    let widened = Widened { disk: &disk, gap: Duration::from_millis(1), way };
    let (stop, n_edits) = (AtomicBool::new(false), AtomicUsize::new(0));
    let n_caught = std::thread::scope(|scope| {
        let end = AtEnd(&stop);
        scope.spawn(|| edit_until(vault.path(), &stop, &n_edits));
        let rounds = (0..).take_while(|_| n_edits.load(Ordering::Relaxed) < n_wanted);
        let n_caught = rounds.map(|round| rewrite_all(&disk, &widened, round)).sum();
        drop(end);
        n_caught
    });
    let found = tokens(vault.path());
    for n in 0..n_edits.load(Ordering::Relaxed) {
        figure.trial(if found.contains(&n) { Ok(()) } else { Err(format!("edit {n} is lost")) });
    }
    n_caught
}

fn rewrite_all(disk: &RealDisk, widened: &Widened<'_>, round: usize) -> usize {
    let paths: Vec<String> = (0..N_NOTES).map(|n| format!("{n}.md")).collect();
    let read = |path: &String| String::from_utf8(disk.read(path).ok()?).ok();
    let texts: Vec<(&String, String)> = paths.iter().filter_map(|path| Some((path, read(path)?))).collect();
    let news: Vec<String> = texts.iter().map(|(_, text)| text.replace("run.\n", "") + "run.\n").collect();
    let changed = texts.iter().zip(&news).enumerate().filter(|(_, ((_, old), new))| old != *new);
    let wishes: Vec<_> =
        changed.map(|(n, ((path, old), new))| wish(n as u32, path, Some(old), Some(new))).collect();
    let outcome = commit(widened, &order(run_id(round), &wishes, Vec::new())).unwrap();
    outcome.files.iter().filter(|fate| matches!(fate, Fate::HeldBack { kept: Some(_), .. })).count()
}

#[test]
fn no_edit_made_during_a_commit_is_lost() {
    let n_batches = if is_nightly() { 90 } else { 4 };
    let mut figure = Figure::of("P9 edits by another program during commits (real disk, gap 1 ms): kept");
    let n_caught: usize = (0..n_batches).map(|_| race(&mut figure, BATCH, Way::Ours)).sum();
    println!("P9 caught in the moment of writing: {n_caught}");
    assert!(n_caught > 0, "no edit fell into the moment that was widened");
    figure.done();
}

#[test]
fn the_race_harness_notices_writers_known_to_be_bad() {
    for way in [Way::Rename, Way::InPlace] {
        let mut figure = Figure::of("P9 edits by another program");
        for _ in 0..8 {
            race(&mut figure, BATCH, way);
            if figure.n_failures() > 0 {
                break;
            }
        }
        figure.must_have_failed();
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
