//! The account of a run, as one value: built from the plan and from what the commit did, and turned
//! into text, Markdown or JSON elsewhere. Nothing here prints, and no format knows more than another.

pub mod diff;
pub mod json;
pub mod markdown;
pub mod notes;
pub mod paint;
pub mod replay;
pub mod shown;
pub mod summary;
pub mod text;
pub mod trace;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;

use crate::plan::Plan;
use chrono::NaiveDate;
use jobs::{
    Finding, Severity,
    fold::{Kind, Step},
    vault::{Hash, NotePath},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the JSON form. It grows when a reader of the old form would misread the new one.
pub const VERSION: u32 = 1;

/// The account of one run or preview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`VERSION`] of the program that wrote it.
    pub version: u32,
    /// What kind of run it was.
    pub mode: Mode,
    /// The id of the run; none for a preview and for a run that changed nothing.
    pub run: Option<String>,
    /// The run it reversed.
    pub undoes: Option<String>,
    /// When it started, RFC 3339 with offset.
    pub started: String,
    /// The day it worked for.
    pub today: NaiveDate,
    /// The zone in which that day was taken.
    pub zone: String,
    /// The jobs that took part.
    pub jobs: Vec<String>,
    /// Every piece of every change that was planned, in the order in which a replay applies them.
    pub changes: Vec<Step>,
    /// Changes that wait for a person's word.
    pub offered: Vec<Step>,
    /// Planned changes that were not made, by note.
    pub held: Vec<Held>,
    /// What a person should know.
    pub findings: Vec<Finding>,
    /// Notes that wait for the next run, since someone wrote them just now.
    pub waiting: Vec<NotePath>,
    /// Interrupted runs that this one finished or discarded, a sentence each.
    pub recovered: Vec<String>,
    /// What else is to be said of the run as a whole, a sentence each: a weaker promise, a clock that
    /// went back, …
    pub remarks: Vec<String>,
    /// How many of each.
    pub counts: Counts,
    /// Milliseconds by phase: load, plan, commit.
    pub durations: BTreeMap<String, u64>,
}

/// What kind of run a report is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nothing was written.
    Preview,
    /// The plan was committed.
    Apply,
    /// An earlier run was reversed.
    Undo,
    /// The vault and the journal were looked over.
    Check,
}

/// A note whose planned changes were not made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The note.
    pub path: NotePath,
    /// Why, as a lower-case fragment.
    pub reason: String,
    /// True where a person or another program edited it, which is no failure of the run.
    pub edited: bool,
    /// Where bytes that someone wrote meanwhile are kept, from the top of the vault.
    pub kept: Option<String>,
}

/// The counts of a run. `planned` is always `made + held`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Notes that jobs looked at.
    pub notes: usize,
    /// Private notes, which no job opens.
    pub private: usize,
    /// Notes that are read-only for a reason.
    pub read_only: usize,
    /// Pieces of changes that were planned.
    pub planned: usize,
    /// … and made (for a preview: that would be made).
    pub made: usize,
    /// … and held back.
    pub held: usize,
    /// Pieces of changes that wait for a person's word.
    pub offered: usize,
    /// Notes changed.
    pub notes_changed: usize,
    /// Notes made.
    pub notes_made: usize,
    /// Notes taken away again by an undo.
    pub notes_removed: usize,
    /// Findings by severity.
    pub findings: BTreeMap<String, usize>,
    /// Rows that memkeep noted for itself.
    pub remembered: usize,
}

/// What `load` knows that a report tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Notes in the vault.
    pub notes: usize,
    /// Private notes, counted only.
    pub private: usize,
    /// Read-only notes.
    pub read_only: usize,
    /// Notes that wait.
    pub waiting: Vec<NotePath>,
}

/// When, and for which day, a run works. Given by the caller: nothing below reads a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When {
    /// RFC 3339 with offset.
    pub started: String,
    /// The day.
    pub today: NaiveDate,
    /// The zone of that day.
    pub zone: String,
}

impl Report {
    /// The report of a plan of which nothing is written yet.
    pub fn of_plan(plan: &Plan, seen: Seen, when: When) -> Self {
        let mut report = Report {
            version: VERSION,
            mode: Mode::Preview,
            run: None,
            undoes: None,
            started: when.started,
            today: when.today,
            zone: when.zone,
            jobs: plan.jobs.clone(),
            changes: plan.steps.clone(),
            offered: plan.offered.clone(),
            held: Vec::new(),
            findings: plan.findings.clone(),
            waiting: seen.waiting,
            recovered: Vec::new(),
            remarks: Vec::new(),
            counts: Counts {
                notes: seen.notes,
                private: seen.private,
                read_only: seen.read_only,
                ..Counts::default()
            },
            durations: BTreeMap::new(),
        };
        report.counts.remembered = plan.remember.len();
        report.recount();
        report
    }

    /// Counts again, after held notes or findings joined.
    pub fn recount(&mut self) {
        let held: BTreeSet<&NotePath> = self.held.iter().map(|held| &held.path).collect();
        let (kept_back, made): (Vec<&Step>, Vec<&Step>) =
            self.changes.iter().partition(|step| held.contains(&step.path));
        let notes = |wanted: fn(&Step) -> bool| {
            made.iter().filter(|step| wanted(step)).map(|step| &step.path).collect::<BTreeSet<_>>().len()
        };
        self.counts.planned = self.changes.len();
        self.counts.held = kept_back.len();
        self.counts.made = made.len();
        self.counts.offered = self.offered.len();
        self.counts.notes_made = notes(|step| step.base_hash.is_none());
        self.counts.notes_changed = notes(|step| step.base_hash.is_some() && step.kind != Kind::Remove);
        self.counts.notes_removed = notes(|step| step.kind == Kind::Remove);
        self.counts.findings = BTreeMap::new();
        for finding in &self.findings {
            *self.counts.findings.entry(finding.severity.to_string()).or_default() += 1;
        }
    }

    /// The changes that were made, or for a preview would be: all but those of held notes.
    pub fn made(&self) -> impl Iterator<Item = &Step> {
        let held: BTreeSet<&NotePath> = self.held.iter().map(|held| &held.path).collect();
        self.changes.iter().filter(move |step| !held.contains(&step.path))
    }

    /// True where a person has to look: something failed, was refused or is a defect. Warnings,
    /// waiting notes and notes that someone edited meanwhile are no failure.
    pub fn needs_a_person(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
            || self.held.iter().any(|held| !held.edited)
    }

    /// Names each warning and error of a run by a key that stays from run to run.
    pub fn warning_keys(&self) -> Vec<String> {
        let grave = self.findings.iter().filter(|finding| finding.severity >= Severity::Warning);
        let key = |finding: &Finding| {
            let path = finding.path.as_ref().map(NotePath::as_str).unwrap_or_default();
            Hash::of([path, &finding.rule, &finding.message].join("\0").as_bytes()).short()
        };
        grave.map(key).collect()
    }

    /// True where there is nothing to say: nothing changed, offered, held, waiting or found.
    pub fn is_silent(&self) -> bool {
        self.changes.is_empty()
            && self.offered.is_empty()
            && self.held.is_empty()
            && self.findings.is_empty()
            && self.recovered.is_empty()
            && self.remarks.is_empty()
    }
}

/// `1 note`, `2 notes`.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
