//! The sentences that sum a run up: the last line of a report, so that a mail from cron is worth
//! reading, and the counts that let a reader check it. Nothing is escaped or
//! coloured here: formats do that.

use super::{Mode, Report, counted};
use jobs::Severity;
use std::collections::BTreeMap;

/// One line: what happened, what to look at, and how to apply or undo it.
pub fn line(report: &Report) -> String {
    let mut parts = vec![deeds(report)];
    parts.extend(look_at(report));
    parts.extend(next(report));
    format!("memkeep: {}", parts.join("; "))
}

/// One line for `check`, which changes nothing and looks at what is there.
pub fn check_line(report: &Report) -> String {
    let found = look_at(report).unwrap_or_else(|| "nothing to report".to_owned());
    format!("memkeep: check of {}: {found}", looked_at(report))
}

/// What was looked at, the counts of changes, and the time each phase took.
pub fn counts(report: &Report) -> String {
    let counts = &report.counts;
    let mut line = format!("looked at {}", looked_at(report));
    if counts.planned > 0 || counts.offered > 0 {
        line +=
            &format!("; changes: {} planned = {} made + {} held", counts.planned, counts.made, counts.held);
    }
    if counts.offered > 0 {
        line += &format!("; {} offered", counts.offered);
    }
    let times: Vec<String> = report.durations.iter().map(|(phase, ms)| format!("{phase} {ms} ms")).collect();
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
    let counts = &report.counts;
    if counts.planned == 0 {
        return idle(report);
    }
    let (is_done, is_undo) = (report.mode != Mode::Preview, report.undoes.is_some());
    let verb = |done: &str, planned: &str| if is_done { done.to_owned() } else { planned.to_owned() };
    let changed =
        if is_undo { verb("restored", "would be restored") } else { verb("changed", "would change") };
    let mut parts = vec![format!("{} {changed}", counted(counts.notes_changed, "note", "notes"))];
    for (n, done) in [(counts.notes_made, "made"), (counts.notes_removed, "taken away")] {
        if n > 0 {
            parts.push(format!("{n} {}", verb(done, &format!("would be {done}"))));
        }
    }
    parts.push(format!("{}{}", counted(counts.made, "change", "changes"), by_job(report)));
    if counts.held > 0 {
        parts.push(format!("{} held back", counted(counts.held, "change", "changes")));
    }
    format!("{}{}", opening(report), parts.join(", "))
}

fn opening(report: &Report) -> String {
    match (report.mode, &report.undoes) {
        (Mode::Preview, Some(run)) => format!("preview: without run {run} "),
        (Mode::Preview, None) => "preview: ".to_owned(),
        (_, Some(run)) => format!("undid run {run}: "),
        (_, None) => String::new(),
    }
}

fn idle(report: &Report) -> String {
    match (&report.undoes, report.counts.offered) {
        (Some(run), _) => format!("nothing to undo of run {run}"),
        (None, 0) => format!("nothing to do in {}", counted(report.counts.notes, "note", "notes")),
        (None, n) => format!("nothing to do without your word on {}", counted(n, "change", "changes")),
    }
}

/// The changes that were made, by job.
fn by_job(report: &Report) -> String {
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

/// What a reader can do next.
fn next(report: &Report) -> Option<String> {
    let offered = (report.counts.offered > 0).then(|| {
        format!("{} with --accept likely", counted(report.counts.offered, "more change", "more changes"))
    });
    let then = match (report.mode, &report.undoes, &report.run) {
        (Mode::Preview, None, _) if report.counts.made > 0 => {
            Some("nothing written yet, --apply does".to_owned())
        }
        (Mode::Preview, Some(_), _) if report.counts.made > 0 => {
            Some("nothing written yet, undo without --preview does".to_owned())
        }
        (Mode::Apply | Mode::Undo, _, Some(run)) => Some(format!("run {run} (undo: memkeep undo {run})")),
        _ => None,
    };
    let parts: Vec<String> = [offered, then].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}
