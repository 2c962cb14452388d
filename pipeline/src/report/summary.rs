//! The sentences that sum a run up: the last line of a report, so that a mail from cron is worth
//! reading, and the counts that let a reader check it. Nothing is escaped or
//! coloured here: formats do that.

use super::{Mode, Report, counted};
use jobs::Severity;
use std::collections::BTreeMap;

/// One line: what happened, what to look at, and how to apply or undo it.
pub fn line(report: &Report) -> String {
    let parts = match report.mode {
        Mode::Check => {
            let found = look_at(report).unwrap_or_else(|| "nothing to report".to_owned());
            vec![format!("check of {}: {found}", looked_at(report))]
        }
        Mode::Preview | Mode::Apply | Mode::Undo => {
            [Some(deeds(report)), look_at(report), offered(report), next(report)]
                .into_iter()
                .flatten()
                .collect()
        }
    };
    format!("memkeep: {}", parts.join("; "))
}

/// What was looked at, the counts of changes, and the time each phase took.
pub fn counts(report: &Report) -> String {
    let counts = &report.counts;
    let mut line = format!("looked at {}", looked_at(report));
    if counts.planned > 0 || counts.offered > 0 {
        let made = if report.mode == Mode::Preview { "to make" } else { "made" };
        line +=
            &format!("; changes: {} planned = {} {made} + {} held", counts.planned, counts.made, counts.held);
    }
    if counts.offered > 0 {
        line += &format!("; {} offered", counts.offered);
    }
    let times: Vec<String> = report.durations.iter().map(|(phase, ms)| format!("{phase} {ms}ms")).collect();
    if !times.is_empty() {
        line += &format!("; {}", times.join(", "));
    }
    format!("{line}; day {} in {}", report.today, report.zone)
}

fn looked_at(report: &Report) -> String {
    let counts = &report.counts;
    let kinds = [(counts.read_only, "read-only"), (counts.private, "private, not opened")];
    let kinds: Vec<String> =
        kinds.iter().filter(|(n, _)| *n > 0).map(|(n, kind)| format!("{n} {kind}")).collect();
    let notes = counted(counts.notes, "note", "notes");
    if kinds.is_empty() { notes } else { format!("{notes} ({})", kinds.join("; ")) }
}

fn deeds(report: &Report) -> String {
    if report.counts.made == 0 {
        return idle(report);
    }
    let counts = &report.counts;
    let changed = if report.undoes.is_some() { "restored" } else { "changed" };
    let mut parts =
        vec![format!("{} {}", counted(counts.notes_changed, "note", "notes"), verb(report, changed))];
    for (n, done) in [(counts.notes_made, "made"), (counts.notes_removed, "taken away")] {
        if n > 0 {
            parts.push(format!("{n} {}", verb(report, done)));
        }
    }
    parts.push(format!("{}{}", counted(counts.made, "change", "changes"), by_job(report)));
    parts.extend(held(report));
    format!("{}{}", opening(report), parts.join(", "))
}

/// A run that wrote something has an id.
fn verb(report: &Report, done: &str) -> String {
    match (report.run.is_some(), done) {
        (true, _) => done.to_owned(),
        (false, "changed") => "would change".to_owned(),
        (false, _) => format!("would be {done}"),
    }
}

fn held(report: &Report) -> Option<String> {
    let n = report.held.len();
    (n > 0).then(|| format!("{} held back", counted(n, "note", "notes")))
}

fn opening(report: &Report) -> String {
    match (report.run.is_some(), &report.undoes) {
        (false, Some(run)) => format!("preview: without run {run} "),
        (false, None) => "preview: ".to_owned(),
        (true, Some(run)) => format!("undid run {run}: "),
        (true, None) => String::new(),
    }
}

fn idle(report: &Report) -> String {
    match (&report.undoes, held(report)) {
        (Some(run), Some(held)) => format!("nothing undone of run {run}, {held}"),
        (Some(run), None) => format!("nothing to undo of run {run}"),
        (None, Some(held)) => format!("nothing changed, {held}"),
        (None, None) => format!("nothing to do in {}", counted(report.counts.notes, "note", "notes")),
    }
}

/// The changes that were made, by job.
fn by_job(report: &Report) -> String {
    if report.undoes.is_some() {
        return String::new();
    }
    let mut jobs: BTreeMap<&str, usize> = BTreeMap::new();
    for step in report.made() {
        *jobs.entry(&step.job).or_default() += 1;
    }
    let jobs: Vec<String> = jobs.iter().map(|(job, n)| format!("{job} {n}")).collect();
    if jobs.is_empty() { String::new() } else { format!(" ({})", jobs.join(", ")) }
}

/// How many of what a person should look at.
fn look_at(report: &Report) -> Option<String> {
    let found = |severity: Severity, one: &str, many: &str| {
        let n = report.findings.iter().filter(|finding| finding.severity == severity).count();
        (n > 0).then(|| counted(n, one, many))
    };
    let waiting = report.waiting.len();
    let parts = [
        found(Severity::Error, "error", "errors"),
        found(Severity::Warning, "warning", "warnings"),
        found(Severity::Note, "minor finding", "minor findings"),
        (waiting > 0).then(|| format!("{} waiting", counted(waiting, "note", "notes"))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn offered(report: &Report) -> Option<String> {
    let n_losses = report.offered.iter().filter(|step| step.why.is_shrink()).count();
    let n_likely = report.counts.offered.saturating_sub(n_losses);
    let says = |n, word: &str| {
        (n > 0).then(|| format!("{} with --accept {word}", counted(n, "more change", "more changes")))
    };
    let parts: Vec<String> =
        [says(n_likely, "likely"), says(n_losses, "shrink")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What a reader can do next.
fn next(report: &Report) -> Option<String> {
    match (&report.run, &report.undoes) {
        (Some(run), _) if report.counts.made == 0 => Some(format!("run {run}")),
        (Some(run), _) => Some(format!("run {run} (undo: memkeep undo {run})")),
        (None, _) if report.counts.made == 0 => None,
        (None, None) => Some("nothing written yet, --apply does".to_owned()),
        (None, Some(_)) => Some("nothing written yet, undo without --preview does".to_owned()),
    }
}
