//! The history of runs: those with a journal, which can be shown and undone, and the runs without work
//! that prove that memkeep was there. Lines that cannot be read are passed over.

use super::{Format, table::table};
use crate::{
    disk::Disk,
    exit::Failure,
    journal::{self, RunKind, RunState, RunSummary},
    report::{counted, shown::shown},
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The runs, oldest first.
pub fn runs(disk: &dyn Disk, format: Format) -> Result<String, Failure> {
    let rows = rows(disk);
    Ok(match format {
        Format::Json => format!("{:#}\n", Value::from(rows)),
        Format::Text if rows.is_empty() => "memkeep has not run in this vault\n".to_owned(),
        Format::Text => table(&lines(&rows)),
    })
}

/// [`crate::report::Report::warning_keys`] of the last run of the same jobs in a `runs.jsonl`: a nightly and a weekly run that
/// take turns look at different things.
pub fn known_warnings(history: &[u8], jobs: &[String]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(history);
    let mut lines = text.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let last = lines.find(|line| line["undoes"].is_null() && line["jobs"] == json!(jobs));
    last.and_then(|line| serde_json::from_value(line["warnings"].clone()).ok()).unwrap_or_default()
}

/// The lines of the history, each with the `state` of its journal; a journal without a line has one too.
fn rows(disk: &dyn Disk) -> Vec<Value> {
    let mut journals: BTreeMap<String, RunSummary> =
        journal::runs(disk).into_iter().map(|run| (run.run.to_string(), run)).collect();
    let text = disk.read(journal::RUNS).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut rows: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(Value::is_object).collect();
    for row in &mut rows {
        let id = row["run"].as_str().unwrap_or_default().to_owned();
        let state = match journals.remove(&id) {
            Some(run) => state(&run),
            None if row["journal"] == json!(true) => "forgotten",
            None => "nothing changed",
        };
        row["state"] = json!(state);
    }
    rows.extend(journals.values().map(unlisted));
    rows.sort_by_key(|row| row["run"].as_str().unwrap_or_default().to_owned());
    rows
}

fn state(run: &RunSummary) -> &'static str {
    match run.state {
        RunState::Done if run.outcome.as_ref().is_some_and(|outcome| outcome.stopped.is_some()) => {
            "taken back"
        }
        RunState::Done => "done",
        RunState::Unfinished => "interrupted",
        RunState::Newer(_) => "of a newer memkeep",
        RunState::Damaged(_) => "damaged",
    }
}

/// A run that never came to write its line.
fn unlisted(run: &RunSummary) -> Value {
    let undoes = match run.manifest.as_ref().map(|manifest| &manifest.kind) {
        Some(RunKind::Undo { of }) => json!(of),
        Some(RunKind::Run) | None => Value::Null,
    };
    let started = run.manifest.as_ref().map(|manifest| manifest.started.clone());
    json!({ "run": run.run, "started": started, "undoes": undoes, "journal": true, "state": state(run) })
}

/// A line for each run with a journal, and one for each row of runs without work.
fn lines(rows: &[Value]) -> Vec<Vec<String>> {
    let is_idle =
        |row: &Value| row["state"] == json!("nothing changed") && row["needs_a_person"] != json!(true);
    let mut lines = Vec::new();
    for group in rows.chunk_by(|a, b| is_idle(a) && is_idle(b)) {
        match group {
            [row] if !is_idle(row) => lines.push(line(row)),
            group => lines.extend(group.last().map(|last| idle(group.len(), last))),
        }
    }
    lines
}

fn idle(n: usize, last: &Value) -> Vec<String> {
    let runs = counted(n, "run", "runs");
    vec![
        "-".to_owned(),
        text(last, "started"),
        "nothing to do".to_owned(),
        format!("{runs}, the last one then"),
    ]
}

fn line(row: &Value) -> Vec<String> {
    let what = match row["undoes"].as_str() {
        Some(run) => format!("undid {}", shown(run)),
        None => names(row, "jobs"),
    };
    vec![text(row, "run"), text(row, "started"), text(row, "state"), what, deeds(row)]
}

fn deeds(row: &Value) -> String {
    let counted = |key: &str, what: &str| {
        let n = row[key].as_u64().unwrap_or_default();
        (n > 0).then(|| format!("{n} {what}"))
    };
    let parts = [
        counted("notes_changed", "changed"),
        counted("notes_made", "made"),
        counted("notes_removed", "taken away"),
        counted("held", "held back"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn text(row: &Value, key: &str) -> String {
    shown(row[key].as_str().unwrap_or("?")).into_owned()
}

fn names(row: &Value, key: &str) -> String {
    let names: Vec<&str> = row[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    shown(&names.join(" ")).into_owned()
}
