//! A report as text for a terminal, a pipe or a mail: the changes note by note as a unified diff with
//! a reason at each hunk, then what waits, what was held back, what was found, and one line that sums
//! it up, last. Whatever comes from a note passes through [`super::shown`]. Nothing here prints.

use super::{
    Held, Report,
    diff::{self, Hunk, Line, Side},
    notes::{self, NoteChanges, Texts},
    paint::{Paint, Tone},
    shown::{shown, shown_line},
    summary,
};
use jobs::{Finding, Severity, fold::Step};
use std::collections::{BTreeMap, HashMap};

/// How much of a report is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All of it.
    Full,
    /// A line for each note in place of its diff.
    Stat,
    /// Only what a person must know, and nothing at all where there is no such thing: for cron, which
    /// sends a mail for every output.
    Quiet,
    /// The same, where the last run told the same warnings already: they alone are no news.
    News,
}

/// The report of a run, a preview, an undo or a check. Ends in a line end unless it is empty.
pub fn render(report: &Report, texts: &Texts<'_>, shape: Shape, paint: Paint) -> String {
    let mut page = Page { out: String::new(), paint };
    match shape {
        Shape::Quiet | Shape::News if !is_worth_a_mail(report, shape) => return String::new(),
        Shape::Quiet | Shape::News => {
            page.held(report);
            page.findings(report, Severity::Warning);
            page.sentences(&report.recovered);
        }
        Shape::Full | Shape::Stat => page.whole(report, texts, shape),
    }
    page.line(&shown(&summary::line(report)));
    page.out
}

/// Something changed, failed, or wants to be looked at.
fn is_worth_a_mail(report: &Report, shape: Shape) -> bool {
    let least = if shape == Shape::News { Severity::Error } else { Severity::Warning };
    !report.changes.is_empty()
        || !report.held.is_empty()
        || !report.recovered.is_empty()
        || report.findings.iter().any(|finding| finding.severity >= least)
}

/// A text while it is written.
struct Page {
    out: String,
    paint: Paint,
}

impl Page {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn toned(&mut self, tone: Tone, text: &str) {
        let text = self.paint.dress(tone, text);
        self.line(&text);
    }

    fn whole(&mut self, report: &Report, texts: &Texts<'_>, shape: Shape) {
        let notes = notes::notes(report, texts);
        match shape {
            Shape::Stat => self.stat(&notes),
            Shape::Full | Shape::Quiet | Shape::News => notes.iter().for_each(|note| self.note(note)),
        }
        self.offered(report, shape);
        self.held(report);
        self.waiting(report);
        self.findings(report, Severity::Note);
        self.sentences(&report.recovered);
        self.sentences(&report.remarks);
        if !report.is_silent() {
            self.toned(Tone::Faint, &shown(&summary::counts(report)));
        }
    }

    fn stat(&mut self, notes: &[NoteChanges<'_>]) {
        let names: Vec<_> = notes.iter().map(|note| shown(note.path.as_str())).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        for (note, name) in notes.iter().zip(names) {
            let put = self.paint.dress(Tone::Put, &format!("+{}", note.lines(Side::New)));
            let gone = self.paint.dress(Tone::Gone, &format!("-{}", note.lines(Side::Old)));
            self.line(&format!("{name:width$} | {put} {gone}{}", marks(note)));
        }
        if !notes.is_empty() {
            self.line("");
        }
    }

    fn note(&mut self, note: &NoteChanges<'_>) {
        let heading = self.paint.dress(Tone::Heading, &shown(note.path.as_str()));
        self.line(&format!("{heading}{}", marks(note)));
        for moved in &note.moves {
            self.line(&format!("  {}", shown(moved)));
        }
        for step in note.unseen() {
            self.reason(step);
        }
        for hunk in &note.hunks {
            note.reasons(hunk).into_iter().for_each(|step| self.reason(step));
            self.hunk(hunk);
        }
        self.line("");
    }

    fn reason(&mut self, step: &Step) {
        self.toned(Tone::Faint, &format!("  {}", reason(step)));
    }

    fn hunk(&mut self, hunk: &Hunk) {
        self.toned(Tone::Place, &hunk.header());
        hunk.lines.iter().for_each(|line| self.diff_line(line));
    }

    fn diff_line(&mut self, line: &Line) {
        let text = format!("{}{}", line.side.mark(), shown_line(&line.text));
        match line.side {
            Side::Both => self.line(&text),
            Side::Old => self.toned(Tone::Gone, &text),
            Side::New => self.toned(Tone::Put, &text),
        }
        if !line.is_ended {
            self.line("\\ No newline at end of file");
        }
    }

    fn offered(&mut self, report: &Report, shape: Shape) {
        let (losses, likely): (Vec<&Step>, Vec<&Step>) =
            report.offered.iter().partition(|step| step.why.is_shrink());
        for (word, steps) in [("likely", likely), ("shrink", losses)] {
            self.section(&format!("Waiting for your word (--accept {word})"), &steps, |page, step| {
                page.line(&format!("{}:{}: {}", shown(step.path.as_str()), step.line, sentence(step)));
                if shape == Shape::Full {
                    diff::hunks_of_steps(&[step]).iter().for_each(|hunk| page.hunk(hunk));
                }
            });
        }
    }

    fn held(&mut self, report: &Report) {
        self.section("Held back", &report.held, |page, held| page.line(&held_line(held)));
    }

    fn waiting(&mut self, report: &Report) {
        self.section(
            "Waiting for the next run, since someone wrote them just now",
            &report.waiting,
            |page, path| {
                page.line(&shown(path.as_str()));
            },
        );
    }

    fn section<T>(&mut self, title: &str, items: &[T], each: impl Fn(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.toned(Tone::Heading, title);
        items.iter().for_each(|item| each(self, item));
        self.line("");
    }

    /// The findings at or above a severity, the gravest first.
    fn findings(&mut self, report: &Report, least: Severity) {
        let mut by_severity: BTreeMap<Severity, Vec<&Finding>> = BTreeMap::new();
        for finding in report.findings.iter().filter(|finding| finding.severity >= least) {
            by_severity.entry(finding.severity).or_default().push(finding);
        }
        for (_, findings) in by_severity.iter().rev() {
            alike(findings).iter().for_each(|alike| self.alike(alike));
            self.line("");
        }
    }

    /// Findings that say the same of several notes: the first ones, how many more there are, and the hint once.
    fn alike(&mut self, findings: &[&Finding]) {
        let n_shown = if findings.len() > MAX_ALIKE + 1 { MAX_ALIKE } else { findings.len() };
        findings.iter().take(n_shown).for_each(|finding| self.finding(finding));
        if findings.len() > n_shown {
            let more =
                format!("  … and of {} more; `--report json` names all of them", findings.len() - n_shown);
            self.toned(Tone::Faint, &more);
        }
        let hint = findings.first().map_or("", |finding| &finding.hint);
        if !hint.is_empty() {
            self.toned(Tone::Faint, &format!("  {}", shown(hint)));
        }
    }

    fn finding(&mut self, finding: &Finding) {
        let severity = self.paint.dress(tone(finding.severity), &finding.severity.to_string());
        let (message, rule) = (shown(&finding.message), shown(&finding.rule));
        self.line(&format!("{}{severity}: {message} [{rule}]", place(finding)));
    }

    fn sentences(&mut self, sentences: &[String]) {
        sentences.iter().for_each(|sentence| self.line(&shown(sentence)));
        if !sentences.is_empty() {
            self.line("");
        }
    }
}

/// So many findings that say the same are shown one by one.
const MAX_ALIKE: usize = 3;

/// Findings in groups that say the same, each in the place of its first.
fn alike<'f>(findings: &[&'f Finding]) -> Vec<Vec<&'f Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    let mut places: HashMap<(&str, &str, &str), usize> = HashMap::new();
    for finding in findings {
        let says = (finding.rule.as_str(), finding.message.as_str(), finding.hint.as_str());
        let at = *places.entry(says).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

fn reason(step: &Step) -> String {
    format!("line {}: {}", step.line, sentence(step))
}

/// `the entry of 2026-01-03 is the oldest (lines: 214) [trim/budget]`
fn sentence(step: &Step) -> String {
    let detail: Vec<String> =
        step.why.detail.iter().map(|(name, value)| format!("{}: {}", shown(name), shown(value))).collect();
    let detail = if detail.is_empty() { String::new() } else { format!(" ({})", detail.join(", ")) };
    let rule = shown(&step.why.rule);
    let is_own = rule.split('/').next() == Some(&step.job);
    let job = if is_own { String::new() } else { format!("{}: ", shown(&step.job)) };
    format!("{}{detail} [{job}{rule}]", shown(&step.why.sentence))
}

fn held_line(held: &Held) -> String {
    let kept =
        held.kept.as_deref().map(|kept| format!(" (what was written meanwhile is in {})", shown(kept)));
    format!("{}: {}{}", shown(held.path.as_str()), shown(&held.reason), kept.unwrap_or_default())
}

fn marks(note: &NoteChanges<'_>) -> &'static str {
    match (note.held, note.is_new, note.is_gone) {
        (Some(_), _, _) => "  (held back)",
        (None, true, _) => "  (new)",
        (None, false, true) => "  (taken away)",
        (None, false, false) => "",
    }
}

/// `notes/a.md:12: `, as compilers write it, so that editors find it.
fn place(finding: &Finding) -> String {
    match (&finding.path, finding.line) {
        (Some(path), Some(line)) => format!("{}:{line}: ", shown(path.as_str())),
        (Some(path), None) => format!("{}: ", shown(path.as_str())),
        (None, _) => String::new(),
    }
}

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Note => Tone::Faint,
        Severity::Warning => Tone::Warning,
        Severity::Error => Tone::Error,
    }
}
