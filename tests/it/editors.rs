//! An editor at work while we commit (P9 on a real disk): no edit is lost.
//!
//! The editor is a thread of its own that adds unique tokens in every way editors do; the moment between look and
//! exchange is widened to a millisecond by a wrapper around the disk.

use crate::figure::{Figure, is_nightly};
use crate::races::AtEnd;
use crate::sample::{order, run_id, wish};
use pipeline::commit::{Fate, commit};
use pipeline::disk::{Disk, RealDisk, Seen};
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

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
