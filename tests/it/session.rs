//! Runs inside the test process, on any disk, at a given moment.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use config::{Config, Layers};
use jobs::{
    Job,
    vault::{Ledger, Note, NotePath, Vault},
};
use pipeline::{
    disk::Disk,
    journal::RunId,
    report::When,
    run::{Options, Session},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::SystemTime,
};

/// Settings as a vault's `memkeep.yaml` would give them.
pub fn settings(yaml: &str) -> Config {
    Layers::new().vault("memkeep.yaml", yaml).resolve().expect("settings").config
}

/// A vault of one note, `Filename.md`.
pub fn vault_of(text: &str) -> Vault {
    let path = NotePath::new("Filename.md").expect("a path");
    let note = Note::from_bytes(path, text.as_bytes().to_vec());
    Vault::new(vec![Arc::new(note)], Ledger::default(), today())
}

pub fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 30).expect("a day")
}

/// A later moment at each call, so that run ids sort as the runs did.
fn now() -> NaiveDateTime {
    static TICKS: AtomicI64 = AtomicI64::new(0);
    let noon = today().and_hms_opt(12, 0, 0).expect("noon");
    noon + TimeDelta::seconds(TICKS.fetch_add(1, Ordering::Relaxed))
}

/// One job alone, as `--only` runs it.
pub fn only(config: &Config, id: &str) -> Vec<Box<dyn Job>> {
    let jobs: Vec<_> = jobs::all(config).into_iter().filter(|job| job.card().id == id).collect();
    assert_eq!(jobs.len(), 1, "there is no job `{id}`");
    jobs
}

/// A session with all jobs.
pub fn session<'a>(disk: &'a dyn Disk, config: &Config) -> Session<'a> {
    with_jobs(disk, config, jobs::all(config))
}

pub fn with_jobs<'a>(disk: &'a dyn Disk, config: &Config, jobs: Vec<Box<dyn Job>>) -> Session<'a> {
    let now = now();
    let when = When { started: format!("{now}Z"), today: today(), zone: "UTC".to_owned() };
    let options = Options { jobs, accept: Vec::new(), due: false, now: SystemTime::now() };
    Session { disk, config: config.clone(), when, run_id: RunId::new(now, &[]), options }
}
