//! How long a run takes, phase by phase, over 1,000 and 10,000 notes: `cargo bench -p pipeline`.
//! Read the ratios of one sitting, never a time: `read` is the floor that the others stand on. What one
//! job costs is a bench of its own (`plan_normalise`, `plan_relink`) over the vault of `load_vault`. Real frontmatter
//! is that of `tests/vaults/corpora`, or of the folder named by `MEMKEEP_CORPORA`.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up has no figure")]

use chrono::{Days, NaiveDate};
use config::{Config, Layers};
use divan::{
    Bencher,
    counter::{BytesCount, ItemsCount},
};
use jobs::{
    Job,
    vault::{Ledger, Vault, frontmatter::Frontmatter},
};
use pipeline::{
    disk::RealDisk,
    journal::RunId,
    load::{Loaded, Wanted, load},
    plan::{accepting, plan},
    report::When,
    run::{Options, Session, apply},
};
use std::{collections::HashSet, fs, path::Path, time::SystemTime};
use tempfile::TempDir;

const SIZES: [usize; 2] = [1_000, 10_000];

fn main() {
    divan::main();
}

/// Entries of a memory over its budget, as in a vault that was never trimmed, and of one within it.
const LONG: u64 = 240;
const SHORT: u64 = 120;

/// Every twentieth note is a memory.
fn vault_of(notes: usize, entries: u64) -> (TempDir, u64) {
    let home = tempfile::tempdir().expect("a temporary folder");
    let mut bytes = 0;
    for n in 0..notes {
        let text = if n % 20 == 0 { memory(n, entries) } else { prose(n) };
        let name = if n % 20 == 0 { "memory.md".to_owned() } else { format!("note-{n}.md") };
        let folder = home.path().join(format!("project-{}", n / 20));
        fs::create_dir_all(&folder).expect("a folder");
        bytes += text.len() as u64;
        fs::write(folder.join(name), text).expect("a note");
    }
    (home, bytes)
}

fn memory(seed: usize, entries: u64) -> String {
    let mut text = format!("# Project {seed}\n\n## NOW\n\nShip it.\n\n## Log\n\n");
    for n in 0..entries {
        let day = today().checked_sub_days(Days::new(entries - n)).unwrap_or_default();
        text.push_str(&format!("- {day}: decided {seed} on item {n} after looking at `src/part_{n}.rs`\n"));
    }
    text
}

fn prose(seed: usize) -> String {
    let mut text = format!("---\ntitle: Note {seed}\ntags: [a, b]\n---\n\n# Note {seed}\n\n");
    for n in 0..40 {
        let line = format!(
            "Paragraph {n} of note {seed} speaks of [[note-{}]], note-{} and **other** things.\n\n",
            n * 7 + seed,
            n * 3 + seed
        );
        text.push_str(&line);
    }
    text
}

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 30).unwrap_or_default()
}

fn config() -> Config {
    Layers::new().resolve().expect("the defaults").config
}

fn loaded(root: &Path) -> Loaded {
    let disk = RealDisk::open(root).expect("a folder");
    let (config, ledger, journal_inodes) = (&config(), Ledger::default(), HashSet::new());
    load(&disk, Wanted { config, today: today(), ledger, journal_inodes, settle: None })
}

/// The floor: every file read, nothing looked at.
#[divan::bench(args = SIZES)]
fn read(bencher: Bencher<'_, '_>, notes: usize) {
    let (home, bytes) = vault_of(notes, LONG);
    let paths: Vec<_> =
        loaded(home.path()).vault.notes().iter().map(|note| home.path().join(note.path.as_str())).collect();
    let read = || paths.iter().map(|path| fs::read(path).map_or(0, |bytes| bytes.len())).sum::<usize>();
    bencher.counter(BytesCount::new(bytes)).counter(ItemsCount::new(notes)).bench_local(read);
}

#[divan::bench(args = SIZES)]
fn load_vault(bencher: Bencher<'_, '_>, notes: usize) {
    let (home, bytes) = vault_of(notes, LONG);
    bencher
        .counter(BytesCount::new(bytes))
        .counter(ItemsCount::new(notes))
        .bench_local(|| loaded(home.path()).seen.notes);
}

/// Every night: no memory is over its budget.
#[divan::bench(args = SIZES)]
fn plan_settled(bencher: Bencher<'_, '_>, notes: usize) {
    plan_vault(bencher, notes, vault_of(notes, SHORT));
}

/// The first night: every memory is.
#[divan::bench(args = SIZES)]
fn plan_untrimmed(bencher: Bencher<'_, '_>, notes: usize) {
    plan_vault(bencher, notes, vault_of(notes, LONG));
}

/// Every night: no block of 10,000 needs a repair.
#[divan::bench(args = SIZES)]
fn plan_normalise(bencher: Bencher<'_, '_>, notes: usize) {
    let (home, bytes) = vault_of(notes, LONG);
    let vault: Vault = loaded(home.path()).vault;
    let jobs = only("normalise");
    let planned = || plan(&vault, &jobs, &accepting(Vec::new())).steps.len();
    bencher.counter(BytesCount::new(bytes)).counter(ItemsCount::new(notes)).bench_local(planned);
}

/// The first night: every note names others, and people link some of them.
#[divan::bench(args = SIZES)]
fn plan_relink(bencher: Bencher<'_, '_>, notes: usize) {
    let (home, bytes) = vault_of(notes, SHORT);
    let vault: Vault = loaded(home.path()).vault;
    let jobs = only("relink");
    let planned = || plan(&vault, &jobs, &accepting(Vec::new())).steps.len();
    bencher.counter(BytesCount::new(bytes)).counter(ItemsCount::new(notes)).bench_local(planned);
}

/// Real notes, of which each block is an item.
#[divan::bench]
fn plan_normalise_corpora(bencher: Bencher<'_, '_>) {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vaults/corpora");
    let root = std::env::var("MEMKEEP_CORPORA").unwrap_or_else(|_| own.to_owned());
    let vault: Vault = loaded(Path::new(&root)).vault;
    let blocks = vault.notes().iter().filter(|note| Frontmatter::find(&note.text).is_some()).count();
    let jobs = only("normalise");
    let planned = || plan(&vault, &jobs, &accepting(Vec::new())).steps.len();
    bencher.counter(ItemsCount::new(blocks)).bench_local(planned);
}

fn only(id: &str) -> Vec<Box<dyn Job>> {
    jobs::all(&config()).into_iter().filter(|job| job.card().id == id).collect()
}

fn plan_vault(bencher: Bencher<'_, '_>, notes: usize, (home, bytes): (TempDir, u64)) {
    let vault: Vault = loaded(home.path()).vault;
    let jobs = jobs::all(&config());
    let planned = || plan(&vault, &jobs, &accepting(Vec::new())).steps.len();
    bencher.counter(BytesCount::new(bytes)).counter(ItemsCount::new(notes)).bench_local(planned);
}

/// Load, plan and commit, on a vault of its own each time; a twentieth of the notes is written, and as
/// many archives are made.
#[divan::bench(args = SIZES, sample_count = 5, sample_size = 1)]
fn apply_run(bencher: Bencher<'_, '_>, notes: usize) {
    let bytes = vault_of(notes, LONG).1;
    let applied = |(home, _): (TempDir, u64)| {
        let disk = RealDisk::open(home.path()).expect("a folder");
        let when = When { started: String::new(), today: today(), zone: String::new() };
        let run_id = RunId::new(today().and_time(chrono::NaiveTime::MIN), &[]);
        let options =
            Options { jobs: jobs::all(&config()), accept: vec![], due: false, now: SystemTime::now() };
        let ran = apply(&Session { disk: &disk, config: config(), when, run_id, options }).expect("a run");
        (ran.report.counts.made, home)
    };
    bencher
        .counter(BytesCount::new(bytes))
        .counter(ItemsCount::new(notes))
        .with_inputs(|| vault_of(notes, LONG))
        .bench_local_values(applied);
}
