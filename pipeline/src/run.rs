//! A run from load to report. A preview reads and writes nothing; an applied run recovers what was
//! interrupted, commits the plan and keeps its account. Whoever calls [`apply`] holds the lock.

use crate::{
    commit::{CommitError, Order, commit, make_home},
    disk::Disk,
    journal::{self, Fate, FileChange, Held as Cause, Manifest, RowChange, RowOp, RunId, RunKind, Store},
    load::{Loaded, Settle, Wanted, load},
    plan::{Plan, accepting, plan},
    recover::{Recovered, recover},
    report::{Held, Mode, Report, When},
    rows,
};
use config::Config;
use jobs::{
    Finding, Job, Severity,
    fold::Remembered,
    vault::{Hash, Ledger, Linked, Memo, NotePath, Row, Vault},
};
use std::{
    collections::{BTreeMap, HashSet},
    fmt,
    sync::{Arc, LazyLock},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

/// Everything a run is given.
pub struct Session<'a> {
    /// The vault.
    pub disk: &'a dyn Disk,
    /// What the user set.
    pub config: Config,
    /// The moment and the day.
    pub when: When,
    /// The id it will have if it writes.
    pub run_id: RunId,
    /// What was asked for.
    pub options: Options,
}

/// What was asked for on the command line.
pub struct Options {
    /// The jobs to run.
    pub jobs: Vec<Box<dyn Job>>,
    /// Rules whose likely changes are applied, `job/*`, or `likely` for all.
    pub accept: Vec<String>,
    /// True where notes that someone wrote just now wait for the next run.
    pub due: bool,
    /// The clock, for the age of notes.
    pub now: SystemTime,
}

/// What a run came to.
pub struct Ran {
    /// Its account.
    pub report: Report,
    /// The vault as it was before.
    pub before: Vault,
}

/// Why there is no account. In every case the vault is as it was, or the next start makes it so.
#[derive(Debug)]
pub enum RunError {
    /// Something asked for does not exist or makes no sense: exit 2.
    Usage(String),
    /// Another run holds the lock: exit 3.
    Locked(String),
    /// The commit stopped: exit 4.
    Stopped(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (RunError::Usage(text) | RunError::Locked(text) | RunError::Stopped(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for RunError {}

impl From<CommitError> for RunError {
    fn from(error: CommitError) -> Self {
        RunError::Stopped(error.to_string())
    }
}

/// Says what a run would do. Takes no lock, recovers nothing, writes nothing.
pub fn preview(session: &Session<'_>) -> Ran {
    let drawn = draw(session);
    let mut report = drawn.report;
    report.remarks.extend(interrupted(session.disk));
    Ran { report, before: drawn.before }
}

/// What a command that writes nothing says of runs that did not come to their end.
pub(crate) fn interrupted(disk: &dyn Disk) -> Vec<String> {
    let says = |run| format!("run {run} was interrupted; the next run that writes finishes or discards it");
    journal::interrupted(disk).into_iter().map(says).collect()
}

/// Plans a run and commits it.
pub fn apply(session: &Session<'_>) -> Result<Ran, RunError> {
    make_home(session.disk).map_err(|error| stopped("make `.memkeep`", &error))?;
    let recovered = recover(session.disk, &journal::machine_id())?;
    note_recovered(session, &recovered);
    let Drawn { plan, mut report, before } = draw(session);
    report.mode = Mode::Apply;
    tell_recovered(&recovered, &mut report);
    report.remarks.extend(clock_went_back(session));
    let rows = rows_of(&plan, &session.run_id);
    if plan.files.is_empty() {
        rows::remember(session.disk, &rows).map_err(|error| stopped("remember what was seen", &error))?;
    } else {
        let order = order(session, &plan, rows, &report)?;
        commit_and_tell(session, &order, &mut report)?;
    }
    keep_account(session, &mut report);
    Ok(Ran { report, before })
}

/// A run that was finished now has its place in the history before the one that finished it. What fails
/// here is told when that one is noted.
pub(crate) fn note_recovered(session: &Session<'_>, recovered: &[Recovered]) {
    for recovered in recovered {
        if let Recovered::Finished { run, .. } = recovered {
            let line =
                serde_json::json!({"run": run, "mode": "recovered", "journal": true, "by": session.run_id});
            let _ = journal::note_run(session.disk, &line);
        }
    }
}

/// Commits `order` and writes into `report` what became of each note.
pub(crate) fn commit_and_tell(
    session: &Session<'_>,
    order: &Order,
    report: &mut Report,
) -> Result<(), RunError> {
    let start = Instant::now();
    let outcome = commit(session.disk, order)?;
    report.run = Some(session.run_id.to_string());
    report.held.extend(held(&order.manifest.files, &outcome.files));
    if !outcome.strong {
        let says =
            "this disk cannot exchange files: an edit in the very moment of writing could have been lost";
        report.remarks.push(says.to_owned());
    }
    report.remarks.extend(outcome.notes);
    report.durations.insert("commit".to_owned(), millis(start));
    report.recount();
    Ok(())
}

/// Keeps the account of a run. What fails here changes no note: it is said in the report.
pub(crate) fn keep_account(session: &Session<'_>, report: &mut Report) {
    let disk = session.disk;
    let mut complaints = Vec::new();
    if report.run.is_some() {
        let saved = serde_json::to_value(&*report).map_err(Into::into);
        let saved = saved.and_then(|value| journal::save_report(disk, &session.run_id, &value));
        complaints.extend(saved.err().map(|error| ("keep the report", error)));
    }
    complaints
        .extend(journal::note_run(disk, &line(session, report)).err().map(|error| ("note the run", error)));
    let journal = &session.config.journal;
    if let Some(now) = session.run_id.time() {
        let retained = journal::retain(disk, journal.keep_days, journal.keep_runs as usize, now);
        complaints.extend(retained.err().map(|error| ("remove old journals", error)));
    }
    for (doing, error) in complaints {
        let message = format!("cannot {doing}: {error}");
        report.findings.push(Finding::of_vault(Severity::Error, "run/account", message));
    }
    report.recount();
}

/// The line of a run in `runs.jsonl`.
fn line(session: &Session<'_>, report: &Report) -> serde_json::Value {
    serde_json::json!({
        "run": session.run_id, "mode": report.mode, "journal": report.run.is_some(),
        "undoes": report.undoes, "started": report.started, "today": report.today, "jobs": report.jobs,
        "changes": report.counts.made, "held": report.counts.held,
        "notes_changed": report.counts.notes_changed, "notes_made": report.counts.notes_made,
        "notes_removed": report.counts.notes_removed, "findings": report.counts.findings,
        "warnings": report.warning_keys(), "needs_a_person": report.needs_a_person(),
    })
}

/// A plan with its account, nothing written.
pub(crate) struct Drawn {
    pub plan: Plan,
    pub report: Report,
    pub before: Vault,
}

pub(crate) fn draw(session: &Session<'_>) -> Drawn {
    let start = Instant::now();
    let (loaded, complaints) = loaded(session);
    let loading = millis(start);
    let start = Instant::now();
    let mut accept = session.config.accept.clone();
    accept.extend(session.options.accept.iter().cloned());
    let mut plan = plan(&loaded.vault, &session.options.jobs, &accepting(accept));
    plan.findings.extend(loaded.findings);
    plan.findings.extend(complaints);
    plan.findings.sort();
    let mut report = Report::of_plan(&plan, loaded.seen, session.when.clone());
    report.durations =
        [("load", loading), ("plan", millis(start))].map(|(of, ms)| (of.to_owned(), ms)).into();
    Drawn { plan, report, before: loaded.vault }
}

/// The vault as a run would see it, and nothing more.
pub fn read(session: &Session<'_>) -> Vault {
    loaded(session).0.vault
}

fn loaded(session: &Session<'_>) -> (Loaded, Vec<Finding>) {
    let (ledger, complaints) = ledger(session.disk, &session.config);
    let settle = session.options.due.then(|| settle(session));
    let journal_inodes = journal::journal_inodes(session.disk);
    let (config, today) = (&session.config, session.when.today);
    let loaded = load(session.disk, Wanted { config, today, ledger, journal_inodes, settle });
    (loaded, complaints)
}

/// What memkeep remembers, and what is wrong with the files it lies in.
fn ledger(disk: &dyn Disk, config: &Config) -> (Ledger, Vec<Finding>) {
    let (mut known, mut findings) = (Vec::new(), Vec::new());
    for store in Store::ALL {
        let (rows, complaints) = rows::read(disk, store);
        known.extend(rows.iter().filter_map(|row| serde_json::from_str::<Row>(row).ok()));
        findings.extend(complaints.into_iter().map(|complaint| {
            Finding::of_vault(Severity::Warning, "run/memory", complaint)
                .hint("The good rows were kept; the file is set aside and written anew.")
        }));
    }
    (Ledger::new(known, fingerprints(config)), findings)
}

/// The settings of each job, by job: an undone change is refused for as long as they stay.
pub(crate) fn fingerprints(config: &Config) -> BTreeMap<String, String> {
    jobs::all(config)
        .iter()
        .map(|job| (job.card().id.to_owned(), config.fingerprint(job.card().id)))
        .collect()
}

/// What was written in the settle window waits, unless memkeep itself wrote it.
fn settle<'a>(session: &'a Session<'_>) -> Settle<'a> {
    let window = i128::from(session.config.settle_minutes) * 60_000_000_000;
    let now = session.options.now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as i128);
    Settle { since: now - window, own: LazyLock::new(Box::new(|| own_hashes(session.disk))) }
}

/// Of every note that a run of the journal wrote, its bytes then.
fn own_hashes(disk: &dyn Disk) -> HashSet<Hash> {
    let manifests = journal::runs(disk).into_iter().filter_map(|run| run.manifest);
    manifests.flat_map(|manifest| manifest.files).filter_map(|file| file.after).collect()
}

fn order(
    session: &Session<'_>,
    plan: &Plan,
    rows: Vec<RowChange>,
    report: &Report,
) -> Result<Order, RunError> {
    let file = |file: &crate::plan::PlannedFile| FileChange {
        path: file.path.to_string(),
        before: file.before,
        after: Some(file.after),
        group: file.group,
        like: file.like.as_ref().map(NotePath::to_string),
    };
    let files = plan.files.iter().map(file).collect();
    let images = plan.files.iter().map(|file| Some(Arc::from(file.text.as_bytes()))).collect();
    Ok(Order { manifest: manifest(session, RunKind::Run, files, rows, report)?, images })
}

/// The manifest of a run, which carries the account of what it sets out to do: so a run that is
/// interrupted after its commit point can still be shown and undone.
pub(crate) fn manifest(
    session: &Session<'_>,
    kind: RunKind,
    files: Vec<FileChange>,
    rows: Vec<RowChange>,
    report: &Report,
) -> Result<Manifest, RunError> {
    let about = About { settings: fingerprints(&session.config), report: report.clone() };
    let about = serde_json::to_value(about).map_err(|error| stopped("write the plan", &error))?;
    Ok(Manifest {
        version: journal::VERSION,
        run: session.run_id.clone(),
        machine: journal::machine_id(),
        kind,
        started: session.when.started.clone(),
        files,
        rows,
        folders: Vec::new(),
        about,
    })
}

/// What a manifest carries for memkeep's own use.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct About {
    /// [`fingerprints`] at the time.
    pub settings: BTreeMap<String, String>,
    /// The account before the commit.
    pub report: Report,
}

/// The rows of a plan: those that belong to a note are of its group, so that they are true exactly when it changes.
fn rows_of(plan: &Plan, run: &RunId) -> Vec<RowChange> {
    let groups: BTreeMap<&NotePath, u32> = plan.files.iter().map(|file| (&file.path, file.group)).collect();
    let row = |one: &Remembered| {
        let group = one.with.as_ref().and_then(|note| groups.get(note).copied());
        match &one.memo {
            Memo::Add(row) => row_change(group, RowOp::Add, &signed(row, run)),
            Memo::Drop(row) => row_change(group, RowOp::Remove, row),
        }
    };
    plan.remember.iter().filter_map(row).collect()
}

/// A new link says which run made it.
fn signed(row: &Row, run: &RunId) -> Row {
    match row {
        Row::Linked(linked) if linked.run.is_empty() => {
            Row::Linked(Linked { run: run.to_string(), ..linked.clone() })
        }
        row => row.clone(),
    }
}

/// A row as the journal takes it; first-seen days are this machine's, the rest is synced with the vault.
pub(crate) fn row_change(group: Option<u32>, op: RowOp, row: &Row) -> Option<RowChange> {
    let store = match row {
        Row::Seen { .. } => Store::State,
        Row::Refused { .. } | Row::Linked(_) => Store::Links,
    };
    Some(RowChange { group, store, op, row: serde_json::to_string(row).ok()? })
}

/// The notes of a run that were held back, and why.
pub(crate) fn held(files: &[FileChange], fates: &[Fate]) -> Vec<Held> {
    files.iter().zip(fates).filter_map(|(file, fate)| held_one(file, fate)).collect()
}

fn held_one(file: &FileChange, fate: &Fate) -> Option<Held> {
    let Fate::HeldBack { why, kept } = fate else { return None };
    let path = NotePath::new(&file.path).ok()?;
    let (edited, reason) = match why {
        Cause::Edited => (true, "someone wrote it during the run".to_owned()),
        Cause::Missing => (true, "someone took it away during the run".to_owned()),
        Cause::Appeared => (true, "someone made it during the run".to_owned()),
        Cause::WentWithGroup { path } => {
            (true, format!("it changes together with `{path}`, which was held back"))
        }
        Cause::Refused { error } => (false, error.clone()),
        Cause::OddFile { what } => (false, what.clone()),
    };
    Some(Held { path, reason, edited, kept: kept.clone() })
}

/// Says what became of interrupted runs. One whose journal is damaged may have stopped half-way, which a person has
/// to look at; one of another machine stays as it is, and is no news each night.
pub(crate) fn tell_recovered(recovered: &[Recovered], report: &mut Report) {
    for recovered in recovered {
        match recovered {
            Recovered::Finished { run, held } => report.recovered.push(finished(run, held)),
            Recovered::Discarded { run } => {
                let says = format!("run {run} had been interrupted before it changed anything");
                report.recovered.push(says);
            }
            Recovered::SetAside { run, place, why } => {
                let message = format!("run {run} was interrupted and its journal is damaged: {why}");
                let finding = Finding::of_vault(Severity::Error, "run/damaged", message);
                let hint =
                    format!("Its images lie in `{place}`: compare the notes it meant to change with them.");
                report.findings.push(finding.hint(hint));
            }
            Recovered::Foreign { run, .. } => {
                let message = format!("run {run} was interrupted on another machine");
                let finding = Finding::of_vault(Severity::Warning, "run/foreign", message);
                report.findings.push(finding.hint("That machine alone can finish it: run memkeep there."));
            }
        }
    }
    report.findings.sort();
    report.recount();
}

fn finished(run: &RunId, held: &[Held]) -> String {
    let held: Vec<String> = held.iter().map(|held| format!("`{}` ({})", held.path, held.reason)).collect();
    let held = if held.is_empty() { String::new() } else { format!(", but held back: {}", held.join(", ")) };
    format!("run {run} had been interrupted and is finished now{held}")
}

/// A clock that went back is allowed, and said.
fn clock_went_back(session: &Session<'_>) -> Option<String> {
    let newest = journal::run_ids(session.disk).into_iter().max()?;
    (newest.time()? > session.run_id.time()?).then(|| {
        format!(
            "the clock went back: run {newest} was later than now; ages are counted from today all the same"
        )
    })
}

pub(crate) fn stopped(doing: &str, error: &dyn fmt::Display) -> RunError {
    RunError::Stopped(format!("cannot {doing}: {error}"))
}

fn millis(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}
