//! The disk becomes a [`Vault`]: one walk, one read of each note, over more threads than cores (a cold
//! disk answers many at once). Reads only; what cannot be read or must not be written becomes a
//! read-only note with its reason, never an error, and odd files are never opened.

use crate::{
    disk::{Disk, Kind, Seen},
    report,
};
use chrono::NaiveDate;
use config::Config;
use jobs::{
    Finding, Severity,
    vault::{Access, Hash, Ledger, Note, NotePath, Reason, Vault, path::CLOSED_FOLDERS},
};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::{Arc, LazyLock},
};

/// Threads that read notes. Cold disks answer eight threads six times as fast as one; warm ones do
/// not care.
const READERS: usize = 16;

/// What is given to a load beside the disk.
pub struct Wanted<'a> {
    /// What the user set.
    pub config: &'a Config,
    /// The day of the run.
    pub today: NaiveDate,
    /// What memkeep remembers.
    pub ledger: Ledger,
    /// Inodes to which the journal holds a second name: no hard links of a person's.
    pub journal_inodes: HashSet<u64>,
    /// Notes written after this moment wait, unless memkeep wrote them; none: no note waits.
    pub settle: Option<Settle<'a>>,
}

/// Which notes are too fresh to touch.
pub struct Settle<'a> {
    /// Nanoseconds since 1970, UTC: notes modified later wait. A time in the future is later, too.
    pub since: i128,
    /// Hashes of what memkeep itself wrote, looked up once there is a note written later: most nights have none.
    pub own: LazyLock<HashSet<Hash>, Box<dyn FnOnce() -> HashSet<Hash> + Send + 'a>>,
}

/// A loaded vault, with what the report says of it.
pub struct Loaded {
    /// The snapshot.
    pub vault: Vault,
    /// Counts for the report.
    pub seen: report::Seen,
    /// Read-only notes, odd files, names that collide.
    pub findings: Vec<Finding>,
}

/// Loads the vault. Nothing is written, nothing outside the vault is read.
pub fn load(disk: &dyn Disk, wanted: Wanted<'_>) -> Loaded {
    let config = wanted.config;
    let tree = disk.walk(&|dir| !is_closed(dir) && !config.exclude.matches_dir(dir));
    let mut sorted = Sorted::default();
    for seen in tree {
        sorted.add(seen, config);
    }
    let mut notes = read_all(disk, &sorted.readable, &wanted);
    mark_copies(&mut notes);
    notes.extend(sorted.unread);
    let mut findings = sorted.findings;
    findings.extend(notes.iter().filter_map(read_only_finding));
    let waiting: Vec<NotePath> =
        notes.iter().filter(|note| note.access == Access::Waiting).map(|note| note.path.clone()).collect();
    let seen = report::Seen {
        notes: notes.len(),
        private: sorted.private,
        read_only: notes.iter().filter(|note| matches!(note.access, Access::ReadOnly(_))).count(),
        waiting,
    };
    let vault = Vault::new(notes.into_iter().map(Arc::new).collect(), wanted.ledger, wanted.today);
    findings.extend(twins(&vault));
    Loaded { vault, seen, findings }
}

fn is_closed(dir: &str) -> bool {
    let name = dir.rsplit('/').next().unwrap_or(dir);
    CLOSED_FOLDERS.iter().any(|closed| name.eq_ignore_ascii_case(closed))
}

/// True where a file name is that of a note.
pub fn is_note_name(path: &str) -> bool {
    path.len() > 3 && path.get(path.len() - 3..).is_some_and(|end| end.eq_ignore_ascii_case(".md"))
}

/// What the walk found, by what is done with it.
#[derive(Default)]
struct Sorted {
    readable: Vec<(NotePath, Seen)>,
    unread: Vec<Note>,
    private: usize,
    findings: Vec<Finding>,
}

impl Sorted {
    fn add(&mut self, seen: Seen, config: &Config) {
        let passed_over = config.exclude.matches(&seen.path) || config.temporary.matches(&seen.path);
        if seen.kind == Kind::Dir || passed_over || !is_note_name(&seen.path) {
            self.add_other(&seen);
            return;
        }
        let Ok(path) = NotePath::new(&seen.path) else { return };
        if config.private.matches(&seen.path) {
            self.private += 1;
        } else if config.conflicts.matches(&seen.path) {
            self.unread.push(Note::unread(path, Reason::ConflictCopy));
        } else {
            self.add_note(path, seen, config);
        }
    }

    fn add_note(&mut self, path: NotePath, seen: Seen, config: &Config) {
        let reason = match seen.kind {
            Kind::File if seen.len > config.limits.note_bytes as u64 => Reason::TooLarge,
            Kind::File => {
                self.readable.push((path, seen));
                return;
            }
            // The note is there once, under its own path, which the walk meets by itself.
            Kind::Symlink { target: Some(_) } => return,
            Kind::Symlink { target: None } => Reason::LinkOut,
            Kind::Dir | Kind::Other | Kind::Unreadable { .. } => Reason::Unreadable,
        };
        self.unread.push(Note::unread(path, reason));
    }

    /// Only what a person may miss is worth a word: a folder that could not be listed.
    fn add_other(&mut self, seen: &Seen) {
        let Kind::Unreadable { error } = &seen.kind else { return };
        let message = format!("cannot read `{}`: {error}", seen.path);
        let hint = "What lies in it was not looked at; memkeep takes nothing for gone because of it.";
        self.findings.push(Finding::of_vault(Severity::Warning, "vault/unreadable", message).hint(hint));
    }
}

fn read_all(disk: &dyn Disk, files: &[(NotePath, Seen)], wanted: &Wanted<'_>) -> Vec<Note> {
    let read = || files.par_iter().map(|(path, seen)| read_note(disk, path, seen, wanted)).collect();
    match rayon::ThreadPoolBuilder::new().num_threads(READERS).build() {
        Ok(pool) => pool.install(read),
        Err(_) => read(),
    }
}

fn read_note(disk: &dyn Disk, path: &NotePath, seen: &Seen, wanted: &Wanted<'_>) -> Note {
    let Ok(bytes) = disk.read(path.as_str()) else { return Note::unread(path.clone(), Reason::Unreadable) };
    let mut note = Note::from_bytes(path.clone(), bytes);
    if note.access == Access::Open && seen.mode & 0o222 == 0 {
        note.access = Access::ReadOnly(Reason::WriteProtected);
    }
    if note.access == Access::Open && seen.links > 1 && !wanted.journal_inodes.contains(&seen.inode) {
        note.access = Access::ReadOnly(Reason::HardLinks);
    }
    if note.access == Access::Open && wanted.settle.as_ref().is_some_and(|settle| settle.holds(seen, &note)) {
        note.access = Access::Waiting;
    }
    note
}

impl Settle<'_> {
    fn holds(&self, seen: &Seen, note: &Note) -> bool {
        seen.modified > self.since && !note.hash.is_some_and(|hash| self.own.contains(&hash))
    }
}

/// `X 2.md` beside `X.md` may be a copy that a sync tool made or the second of two notes. It is taken
/// for a copy where most of its lines stand in the other.
fn mark_copies(notes: &mut [Note]) {
    let at: BTreeMap<&NotePath, usize> = notes.iter().enumerate().map(|(n, note)| (&note.path, n)).collect();
    let copies: Vec<usize> = (0..notes.len()).filter(|n| is_copy(notes, &at, *n)).collect();
    for n in copies {
        if let Some(note) = notes.get_mut(n) {
            note.access = Access::ReadOnly(Reason::ConflictCopy);
        }
    }
}

fn is_copy(notes: &[Note], at: &BTreeMap<&NotePath, usize>, n: usize) -> bool {
    let original = |note: &Note| -> Option<usize> {
        let path = note.path.beside(&config::duplicate_of(note.path.name())?).ok()?;
        at.get(&path).copied()
    };
    let Some(note) = notes.get(n) else { return false };
    let Some(original) = original(note).and_then(|n| notes.get(n)) else { return false };
    let lines: HashSet<&str> = text_lines(original).collect();
    let (shared, all) = text_lines(note)
        .fold((0, 0), |(shared, all), line| (shared + usize::from(lines.contains(line)), all + 1));
    shared * 2 > all
}

fn text_lines(note: &Note) -> impl Iterator<Item = &str> {
    note.text.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn read_only_finding(note: &Note) -> Option<Finding> {
    let Access::ReadOnly(reason) = note.access else { return None };
    let finding =
        Finding::about(&note.path, Severity::Warning, "vault/read-only", format!("left alone: {reason}"));
    Some(finding.hint(match reason {
        Reason::NotUtf8 => "Save it as UTF-8 to have it kept.",
        Reason::TooLarge => "Split it, or raise `limits.note_bytes`.",
        Reason::MergeMarkers => "Finish the merge.",
        Reason::ConflictCopy => "Merge it into the note it was copied from, then delete it.",
        Reason::LinkOut => "memkeep never writes through a link; exclude it, or put the note into the vault.",
        Reason::HardLinks => "Replacing it would part it from its other names; remove them, or exclude it.",
        Reason::WriteProtected => "`chmod u+w` lets memkeep keep it, `exclude` keeps it out of the report.",
        Reason::Unreadable => "It is no plain file, or its permissions keep memkeep out.",
    }))
}

/// Notes that would be one note on a file system that folds case or form.
fn twins(vault: &Vault) -> Vec<Finding> {
    let mut told: BTreeSet<&NotePath> = BTreeSet::new();
    let mut findings = Vec::new();
    for note in vault.notes() {
        let twins = vault.twins(&note.path);
        if twins.len() > 1 && told.insert(twins.first().unwrap_or(&note.path)) {
            let names: Vec<String> = twins.iter().map(|twin| format!("`{twin}`")).collect();
            let message = format!("{} are one name on some file systems", names.join(" and "));
            let finding = Finding::about(&note.path, Severity::Warning, "vault/twins", message);
            findings.push(finding.hint("Rename one before the vault is synced to macOS or Windows."));
        }
    }
    findings
}
