//! Kills, power cuts and failing disks (P1-P5): whatever happens, the vault is as before the run or as planned.
//!
//! The simulated disk is stopped at every operation. Writers that are known to be bad go through the same harness
//! and must fail.

use crate::figure::{Figure, is_nightly};
use crate::sample::{MACHINE, after, before, notes, old_or_new, sample};
use pipeline::commit::{CommitError, Outcome, commit};
use pipeline::disk::{Disk, Model, SimDisk, Stop};
use pipeline::journal::{Fate, interrupted};
use pipeline::recover::recover;

type Writer = fn(&dyn Disk) -> Result<Outcome, CommitError>;

const MODELS: [Model; 3] = [Model::Ordered, Model::Unordered, Model::NoImpliedFolder];

fn ours(disk: &dyn Disk) -> Result<Outcome, CommitError> {
    commit(disk, &sample())
}

/// Truncates and writes, as most programs of this kind do.
fn in_place(disk: &dyn Disk) -> Result<Outcome, CommitError> {
    bad_writer(disk, |disk, path, image| {
        let _ = disk.remove(path);
        disk.create(path, image, None)
    })
}

/// A draft, a sync and a rename for each note.
fn rename_each(disk: &dyn Disk) -> Result<Outcome, CommitError> {
    bad_writer(disk, |disk, path, image| {
        disk.create("draft.tmp", image, None)?;
        disk.sync(&["draft.tmp"])?;
        disk.rename("draft.tmp", path)
    })
}

fn bad_writer(
    disk: &dyn Disk,
    put: fn(&dyn Disk, &str, &[u8]) -> std::io::Result<()>,
) -> Result<Outcome, CommitError> {
    let order = sample();
    for dir in ["notes/archive", "notes/archive/2026"] {
        let _ = disk.make_dir(dir, 0o755);
    }
    for (change, image) in order.manifest.files.iter().zip(&order.images) {
        let _ = match image {
            Some(image) => put(disk, &change.path, image),
            None => disk.remove(&change.path),
        };
    }
    let files = vec![Fate::Done; order.images.len()];
    Ok(Outcome { files, strong: true, notes: Vec::new(), stopped: None })
}

fn disk(model: Model) -> SimDisk {
    SimDisk::holding(model, &before())
}

fn weak(model: Model) -> SimDisk {
    disk(model).without_exchange()
}

/// Recovers and judges, twice: a second recovery has nothing to do.
fn recovered(disk: &SimDisk) -> Result<&'static str, String> {
    recover(disk, MACHINE).map_err(|error| format!("recovery failed: {error}"))?;
    let state = old_or_new(disk, &disk.tree())?;
    match recover(disk, MACHINE) {
        Ok(again) if again.is_empty() && interrupted(disk).is_empty() => Ok(state),
        again => Err(format!("recovery has more to do: {again:?}")),
    }
}

fn kill_everywhere(figure: &mut Figure, writer: Writer, fresh: fn(Model) -> SimDisk) {
    let whole = fresh(Model::Ordered);
    writer(&whole).unwrap();
    for k in 0..=whole.n_ops() {
        for stop in [Stop::Before, Stop::Within] {
            let disk = fresh(Model::Ordered).stop(k, stop);
            let _ = writer(&disk);
            let next = disk.after_kill();
            figure.trial(recovered(&next).map(drop).map_err(|why| format!("killed {stop:?} {k}: {why}")));
        }
    }
}

#[test]
fn killed_at_any_moment_the_vault_is_old_or_new() {
    let mut figure = Figure::of("P1 killed at any moment, the vault is old or new");
    kill_everywhere(&mut figure, ours, disk);
    kill_everywhere(&mut figure, ours, weak);
    figure.done();
}

#[test]
fn the_kill_harness_notices_writers_known_to_be_bad() {
    for writer in [in_place as Writer, rename_each] {
        let mut figure = Figure::of("P1 killed at any moment");
        kill_everywhere(&mut figure, writer, disk);
        figure.must_have_failed();
    }
}

#[test]
fn an_undisturbed_commit_is_new_and_leaves_nothing_to_recover() {
    for fresh in [disk as fn(Model) -> SimDisk, weak] {
        let disk = fresh(Model::NoImpliedFolder);
        let outcome = ours(&disk).unwrap();
        assert!(outcome.files.iter().all(|fate| *fate == Fate::Done), "{outcome:?}\n{:#?}", disk.log());
        assert_eq!(old_or_new(&disk, &disk.tree()), Ok("new"));
        assert_eq!(recover(&disk, MACHINE).unwrap(), []);
    }
}

#[test]
fn killed_while_recovering_the_vault_is_old_or_new() {
    let mut figure = Figure::of("P2 killed in commit and again in recovery, the vault is old or new");
    for fresh in [disk as fn(Model) -> SimDisk, weak] {
        let whole = fresh(Model::Ordered);
        ours(&whole).unwrap();
        for k1 in (0..=whole.n_ops()).step_by(if is_nightly() { 1 } else { 3 }) {
            let first = fresh(Model::Ordered).stop(k1, Stop::Within);
            let _ = ours(&first);
            let whole_recovery = first.after_kill();
            recover(&whole_recovery, MACHINE).unwrap();
            for k2 in 0..whole_recovery.n_ops() {
                let second = first.after_kill().stop(k2, Stop::Within);
                let _ = recover(&second, MACHINE);
                let result = recovered(&second.after_kill());
                figure.trial(result.map(drop).map_err(|why| format!("killed at {k1}, then {k2}: {why}")));
            }
        }
    }
    figure.done();
}

/// Small, seeded, good enough to choose subsets.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Cuts the power at `disk`'s state: every subset of what is not durable where there are few, else `n_random` of them.
fn cut_power(
    figure: &mut Figure,
    disk: &SimDisk,
    n_all: usize,
    n_random: usize,
    dice: &mut Dice,
    what: &str,
) {
    let n = disk.n_pending();
    let subsets: Vec<u64> = if n <= n_all {
        (0..1u64 << n).collect()
    } else {
        // None, all, each alone lost, and some at random.
        let lone = (0..n).map(|i| !(1u64 << (i % 64)));
        [0, u64::MAX].into_iter().chain(lone).chain((0..n_random).map(|_| dice.roll())).collect()
    };
    for subset in subsets {
        for lost in [0, 1] {
            let luck = |i: usize| if subset >> (i % 64) & 1 == 1 { 2 } else { lost };
            let result = recovered(&disk.after_power_cut(&luck));
            figure.trial(result.map(drop).map_err(|why| format!("{what}, kept {subset:b}: {why}")));
        }
    }
}

fn cut_power_everywhere(
    figure: &mut Figure,
    writer: Writer,
    fresh: &dyn Fn() -> SimDisk,
    (n_all, n_random): (usize, usize),
) {
    let whole = fresh();
    writer(&whole).unwrap();
    // What was said to be done stays done.
    for lost in [0, 1] {
        let next = whole.after_power_cut(&|_| lost);
        let is_done = interrupted(&next).is_empty() && old_or_new(&next, &next.tree()) == Ok("new");
        figure.trial(if is_done {
            Ok(())
        } else {
            Err("a run that was done is not, after a power cut".to_owned())
        });
    }
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for k in 0..=whole.n_ops() {
        // One failure is enough, for those that must fail too.
        if figure.n_failures() > 0 {
            return;
        }
        let disk = fresh().stop(k, Stop::Before);
        let _ = writer(&disk);
        cut_power(figure, &disk, n_all, n_random, &mut dice, &format!("power cut at {k}"));
    }
}

#[test]
fn after_a_power_cut_the_vault_is_old_or_new() {
    let effort = if is_nightly() { (8, 40) } else { (4, 3) };
    let mut figure = Figure::of("P3 power cut at any moment, the vault is old or new");
    for model in MODELS {
        cut_power_everywhere(&mut figure, ours, &|| disk(model), effort);
        cut_power_everywhere(&mut figure, ours, &|| weak(model), effort);
    }
    figure.done();
}

#[test]
fn after_a_power_cut_in_recovery_the_vault_is_old_or_new() {
    let mut figure = Figure::of("P3 power cut in commit and again in recovery, the vault is old or new");
    let whole = disk(Model::NoImpliedFolder);
    ours(&whole).unwrap();
    let mut dice = Dice(77);
    let step = if is_nightly() { 1 } else { 7 };
    for k1 in (0..=whole.n_ops()).step_by(step) {
        let first = disk(Model::NoImpliedFolder).stop(k1, Stop::Before);
        let _ = ours(&first);
        let seed = dice.roll();
        let cut = || first.after_power_cut(&|i| if seed >> (i % 64) & 1 == 1 { 2 } else { 0 });
        let whole_recovery = cut();
        recover(&whole_recovery, MACHINE).unwrap();
        for k2 in (0..whole_recovery.n_ops()).step_by(step) {
            let second = cut().stop(k2, Stop::Before);
            let _ = recover(&second, MACHINE);
            cut_power(&mut figure, &second, 2, 2, &mut dice, &format!("power cut at {k1}, then {k2}"));
        }
    }
    figure.done();
}

#[test]
fn every_sync_of_the_commit_is_needed() {
    for fresh in [disk as fn(Model) -> SimDisk, weak] {
        let whole = fresh(Model::NoImpliedFolder);
        ours(&whole).unwrap();
        for n in 0..whole.n_syncs() {
            let mut figure = Figure::of("P3 without one sync");
            let fresh = move || fresh(Model::NoImpliedFolder).ignoring_sync(n);
            cut_power_everywhere(&mut figure, ours, &fresh, (4, 8));
            assert!(figure.n_failures() > 0, "sync {n} is not needed: {:?}", whole.log());
            figure.must_have_failed();
        }
    }
}

const ENOSPC: i32 = 28;
const EIO: i32 = 5;
const EDQUOT: i32 = 122;
const EINTR: i32 = 4;

fn fail_everywhere(figure: &mut Figure, writer: Writer, fresh: fn(Model) -> SimDisk) {
    let whole = fresh(Model::Ordered);
    writer(&whole).unwrap();
    for errno in [ENOSPC, EIO, EDQUOT, EINTR] {
        for stop in [Stop::Once(errno), Stop::Forever(errno), Stop::Short(errno)] {
            for k in 0..whole.n_ops() {
                let disk = fresh(Model::Ordered).stop(k, stop);
                let done = writer(&disk);
                let at = whole.log()[k].clone();
                figure
                    .trial(judge_failure(&disk, done).map_err(|why| format!("{stop:?} at {k} {at}: {why}")));
            }
        }
    }
}

fn judge_failure(disk: &SimDisk, done: Result<Outcome, CommitError>) -> Result<(), String> {
    let now = notes(&disk.tree());
    match done {
        Ok(_) if now != after() => return Err("it said done and is not".to_owned()),
        Err(error) if error.is_vault_as_before() && now != notes(&before()) => {
            return Err(format!("it said that the vault is as before and it is not: {error}"));
        }
        _ => {}
    }
    recovered(&disk.after_kill()).map(drop)
}

#[test]
fn an_error_at_any_operation_leaves_the_vault_old_or_new_and_is_never_called_done() {
    let mut figure = Figure::of("P4 an error at any operation, the vault is old or new, never done half-way");
    fail_everywhere(&mut figure, ours, disk);
    fail_everywhere(&mut figure, ours, weak);
    figure.done();
}

#[test]
fn the_error_harness_notices_writers_known_to_be_bad() {
    for writer in [in_place as Writer, rename_each] {
        let mut figure = Figure::of("P4 an error at any operation");
        fail_everywhere(&mut figure, writer, disk);
        figure.must_have_failed();
    }
}
