//! The vault and the journal looked over, for people and for CI. Reads only: takes no lock, repairs
//! nothing.

use crate::{
    journal::{self, JournalFault},
    report::Mode,
    run::{Drawn, Ran, Session, draw},
};
use jobs::{Finding, Severity, fold::Step};
use std::collections::BTreeMap;

/// All findings of load and jobs, what a run would change, and every fault of the journal.
pub fn check(session: &Session<'_>) -> Ran {
    let Drawn { mut report, before, .. } = draw(session);
    report.mode = Mode::Check;
    report.findings.extend(drift(&report.changes));
    report.findings.extend(journal::inspect(session.disk, &journal::machine_id()).iter().map(told));
    report.findings.sort();
    report.changes.clear();
    report.offered.clear();
    report.recount();
    Ran { report, before }
}

/// What a run would change, by job.
fn drift(steps: &[Step]) -> Vec<Finding> {
    let mut by_job: BTreeMap<&str, Vec<&Step>> = BTreeMap::new();
    for step in steps {
        by_job.entry(&step.job).or_default().push(step);
    }
    let finding = |(job, steps): (&str, Vec<&Step>)| {
        let first = steps.first()?;
        let message = match steps.len() {
            1 => format!("`{job}` has 1 change to make, here"),
            n => format!("`{job}` has {n} changes to make, the first of them here"),
        };
        let hint = "`memkeep run` shows them, `memkeep run --apply` makes them.";
        let finding = Finding::about(&first.path, Severity::Warning, "check/drift", message);
        Some(finding.at(first.line).hint(hint))
    };
    by_job.into_iter().filter_map(finding).collect()
}

fn told(fault: &JournalFault) -> Finding {
    let finding = |severity, rule: &str, message: String| Finding::of_vault(severity, rule, message);
    match fault {
        JournalFault::LateBytes { run, path, place } => finding(
            Severity::Warning,
            "journal/late",
            format!("something was written to the old `{path}` after run {run} had replaced it"),
        )
        .hint(format!("Look at `{place}`: a program held the note open. Copy what is new into the note.")),
        JournalFault::Damaged { run, place, why } => {
            finding(Severity::Error, "journal/damaged", format!("`{place}` of run {run} is damaged: {why}"))
                .hint("No note is damaged by it, but the run can no longer be undone in full.")
        }
        JournalFault::Newer { run, why } => {
            finding(Severity::Error, "journal/newer", format!("run {run} cannot be read: {why}"))
                .hint("Use the newer memkeep: this one will not write into the vault.")
        }
        JournalFault::Unfinished { run } => {
            finding(Severity::Warning, "journal/interrupted", format!("run {run} was interrupted"))
                .hint("The next `memkeep run --apply` finishes or discards it.")
        }
        JournalFault::Foreign { run, machine } => finding(
            Severity::Warning,
            "journal/foreign",
            format!("run {run} was interrupted on another machine ({machine})"),
        )
        .hint("That machine alone can finish it: run memkeep there."),
        JournalFault::SetAside { place } => finding(
            Severity::Warning,
            "journal/aside",
            format!("`{place}` is a journal that could not be used"),
        )
        .hint("Its images are whole files: look whether any is wanted, then delete the folder."),
    }
}
