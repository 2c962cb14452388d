//! Reports for tests, drawn up by hand: no job and no disk is needed to see how one is told.

use super::{Held, Mode, Report, Seen, When};
use crate::plan::Plan;
use chrono::NaiveDate;
use jobs::{
    Finding, Severity, Why,
    fold::{Kind, Step},
    vault::{Hash, NotePath, Span},
};
use std::{collections::BTreeMap, sync::Arc};

/// A vault and the steps that change it, one after the other.
pub(super) struct Draft {
    pub old: BTreeMap<NotePath, String>,
    pub new: BTreeMap<NotePath, String>,
    pub steps: Vec<Step>,
}

/// What a step is a piece of.
#[derive(Clone, Copy)]
pub(super) struct Part(pub Kind, pub usize);

pub(super) fn path(text: &str) -> NotePath {
    NotePath::new(text).unwrap()
}

impl Draft {
    pub fn of(notes: &[(&str, &str)]) -> Self {
        let old: BTreeMap<_, _> = notes.iter().map(|(name, text)| (path(name), (*text).to_owned())).collect();
        Draft { new: old.clone(), old, steps: Vec::new() }
    }

    /// Replaces the first `before` of a note as it stands now; an empty one is its end.
    pub fn step(&mut self, part: Part, note: &str, [before, after]: [&str; 2], why: Why) {
        let path = path(note);
        let text = self.new.entry(path.clone()).or_default();
        let at = if before.is_empty() { text.len() } else { text.find(before).unwrap() };
        let span = Span::new(at, at + before.len());
        let line = 1 + text[..at].matches('\n').count();
        text.replace_range(at..span.end, after);
        let base_hash = self.old.get(&path).map(|text| Hash::of(text.as_bytes()));
        let job = why.rule.split('/').next().unwrap_or_default().to_owned();
        let (before, after) = (before.to_owned(), after.to_owned());
        let (Part(kind, change), seq) = (part, self.steps.len() + 1);
        self.steps.push(Step { seq, change, job, kind, path, line, span, base_hash, why, before, after });
    }

    pub fn texts(&self) -> impl Fn(&NotePath) -> Option<Arc<str>> {
        |path| self.old.get(path).map(|text| text.as_str().into())
    }

    pub fn report(&self) -> Report {
        let plan = Plan {
            today: NaiveDate::from_ymd_opt(2026, 11, 30).unwrap(),
            jobs: vec!["relink".to_owned(), "trim".to_owned()],
            steps: self.steps.clone(),
            offered: vec![],
            findings: vec![],
            files: vec![],
            remember: vec![],
        };
        let seen = Seen { notes: 120, private: 4, read_only: 1, waiting: vec![] };
        let started = "2026-11-30T03:15:00+01:00".to_owned();
        Report::of_plan(
            &plan,
            seen,
            When { started, today: plan.today, zone: "Europe/Berlin (+01:00)".to_owned() },
        )
    }
}

/// Two entries that leave a memory for its archive, a link, and all else that a report can tell.
pub(super) fn everything() -> (Draft, Report) {
    let mut draft = Draft::of(&[
        ("projects/acme/memory.md", MEMORY),
        ("notes/plan.md", "# Plan\r\n\r\nAsk the pixelgarden people.\r\nNo end"),
    ]);
    let age =
        |day: &str| Why::sure("trim/budget", format!("the entry of {day} is the oldest")).with("lines", 214);
    let (gone, archive) = (Part(Kind::Move, 1), "projects/acme/memory_archive.md");
    let memory = "projects/acme/memory.md";
    draft.step(gone, memory, [FIRST, ""], age("2026-01-03"));
    draft.step(gone, memory, [SECOND, ""], age("2026-01-04"));
    let after =
        format!("# acme: archive\n\nOlder entries of [memory](memory.md).\n\n## Log\n\n{FIRST}{SECOND}");
    let made = Why::sure("trim/archive", "the memory has no archive yet");
    draft.step(Part(Kind::Create, 1), archive, ["", &after], made);
    let mention = Why::sure("relink/mention", "the first mention of another note");
    draft.step(Part(Kind::Edit, 2), "notes/plan.md", ["pixelgarden", "[[pixelgarden]]"], mention);
    let mut report = draft.report();
    report.offered = offered();
    report.findings = findings();
    report.waiting = vec![path("boards/AGENDA.md")];
    report.remarks =
        vec!["files are replaced one by one, since this file system cannot exchange them".to_owned()];
    report.durations = BTreeMap::from([("load".to_owned(), 12), ("plan".to_owned(), 3)]);
    report.recount();
    (draft, report)
}

/// The same after it was applied, with one note held back.
pub(super) fn applied() -> (Draft, Report) {
    let (draft, mut report) = everything();
    report.mode = Mode::Apply;
    report.run = Some("20261130-0315-ab12".to_owned());
    let kept = Some(".memkeep/journal/20261130-0315-ab12/kept/0".to_owned());
    let reason = "someone wrote it during the run".to_owned();
    report.held = vec![Held { path: path("notes/plan.md"), reason, edited: true, kept }];
    report.recount();
    (draft, report)
}

fn offered() -> Vec<Step> {
    let mut draft = Draft::of(&[("notes/idea.md", "Like Redis, but small.\n")]);
    let why = Why::likely("relink/mention", "the word is the name of a note").with("note", "redis.md");
    draft.step(Part(Kind::Edit, 3), "notes/idea.md", ["Redis", "[[redis|Redis]]"], why);
    draft.steps
}

fn findings() -> Vec<Finding> {
    vec![
        Finding::about(&path("notes/old.md"), Severity::Note, "load/link", "a link that leads nowhere").at(3),
        Finding::about(&path("projects/x/memory.md"), Severity::Warning, "trim/stuck", "nothing can move")
            .hint("Shorten its `NOW` section, or raise trim.max_lines."),
        Finding::of_vault(Severity::Error, "internal/panic", "the job `index` stopped"),
    ]
}

const FIRST: &str = "- 2026-01-03: chose Postgres\n  because of `jsonb`\n";
const SECOND: &str = "- 2026-01-04: moved to Fly\n";
const MEMORY: &str = "# acme\n\n## Log\n\n- 2026-03-01: third\n- 2026-02-01: between\n\
    - 2026-01-03: chose Postgres\n  because of `jsonb`\n- 2026-01-04: moved to Fly\n\n## NOW\n\n\
    - ship the importer\n";

/// Every kind of text that acts on a terminal, a renderer or a plugin.
pub(super) const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}gpj\u{2066}\u{200b}\u{e0041}\u{feff}\u{7f}\r\u{8}\
    ```dataviewjs\u{b}`= this.x` `$= dv` <%* tp %> <script>x</script> ![](https://e.example/x.png) [[a]] \
    #tag %%c%% k:: v | cell ==h== obsidian://open";
