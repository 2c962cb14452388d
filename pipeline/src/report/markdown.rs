//! A report as a note that a person can keep: the same content as the text. Born inert: foreign text
//! is escaped, so that it makes no link, tag, query, template or HTML, and fences are `diff` only and
//! longer than what they hold. No frontmatter, no wikilinks: a report is no evidence for anything.

use super::{
    Report, counted,
    diff::{self, Hunk, Side},
    notes::{self, NoteChanges, Texts},
    shown::{shown, shown_line},
    summary,
};
use jobs::{Finding, fold::Step};

/// The report of a run, a preview, a check or an undo.
pub fn render(report: &Report, texts: &Texts<'_>) -> String {
    let notes = notes::notes(report, texts);
    let mut sheet = Sheet(String::new());
    sheet.block(&format!("# {}", title(report)));
    sheet.block(&inert(&summary::line(report)));
    sheet.overview(&notes);
    notes.iter().for_each(|note| sheet.note(note));
    sheet.offered(&report.offered);
    sheet.list(
        "Held back",
        report.held.iter().map(|held| {
            let kept = held.kept.as_deref().map(|kept| format!(" (what was written meanwhile is in {kept})"));
            format!("{}: {}{}", held.path, held.reason, kept.unwrap_or_default())
        }),
    );
    sheet.list("Waiting for the next run", report.waiting.iter().map(ToString::to_string));
    sheet.findings(&report.findings);
    sheet.list("Remarks", report.recovered.iter().chain(&report.remarks).cloned());
    sheet.block(&inert(&summary::counts(report)));
    sheet.0.trim_end().to_owned() + "\n"
}

fn title(report: &Report) -> String {
    match (&report.run, &report.undoes) {
        (Some(run), Some(undone)) => format!("Run {}, which undid {}", inert(run), inert(undone)),
        (Some(run), None) => format!("Run {}", inert(run)),
        (None, Some(undone)) => format!("Preview of an undo of {}", inert(undone)),
        (None, None) => format!("Report of {}", report.today),
    }
}

/// A Markdown text while it is written, in blocks with an empty line between them.
struct Sheet(String);

impl Sheet {
    fn block(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push_str("\n\n");
    }

    fn overview(&mut self, notes: &[NoteChanges<'_>]) {
        if notes.is_empty() {
            return;
        }
        let mut table =
            "| Note | Lines put | Lines gone | Changes |\n| --- | ---: | ---: | ---: |".to_owned();
        for note in notes {
            let (put, gone) = (note.lines(Side::New), note.lines(Side::Old));
            table += &format!("\n| {} | {put} | {gone} | {} |", inert(note.path.as_str()), note.steps.len());
        }
        self.block(&table);
    }

    fn note(&mut self, note: &NoteChanges<'_>) {
        self.block(&format!("## {}", inert(note.path.as_str())));
        match (note.held, note.is_new, note.is_gone) {
            (Some(held), _, _) => self.block(&format!("Held back: {}.", inert(&held.reason))),
            (None, true, _) => self.block("A new note."),
            (None, false, true) => self.block("Taken away."),
            (None, false, false) => {}
        }
        let moves: Vec<String> = note.moves.iter().map(|moved| format!("- {}", inert(moved))).collect();
        self.lines(&moves);
        self.lines(&note.unseen().into_iter().map(reason).collect::<Vec<_>>());
        for hunk in &note.hunks {
            self.lines(&note.reasons(hunk).into_iter().map(reason).collect::<Vec<_>>());
            self.fence(hunk);
        }
    }

    fn lines(&mut self, lines: &[String]) {
        if !lines.is_empty() {
            self.block(&lines.join("\n"));
        }
    }

    fn offered(&mut self, offered: &[Step]) {
        if offered.is_empty() {
            return;
        }
        self.block("## Waiting for your word");
        let n_losses = offered.iter().filter(|step| step.why.is_shrink()).count();
        for (n, word) in [(offered.len() - n_losses, "likely"), (n_losses, "shrink")] {
            if n > 0 {
                self.block(&format!("{}, applied with `--accept {word}`.", counted(n, "change", "changes")));
            }
        }
        for step in offered {
            self.block(&format!("{} in {}", reason(step), inert(step.path.as_str())));
            diff::hunks_of_steps(&[step]).iter().for_each(|hunk| self.fence(hunk));
        }
    }

    fn list(&mut self, heading: &str, items: impl Iterator<Item = String>) {
        let items: Vec<String> = items.map(|item| format!("- {}", inert(&item))).collect();
        if !items.is_empty() {
            self.block(&format!("## {heading}"));
            self.lines(&items);
        }
    }

    fn findings(&mut self, findings: &[Finding]) {
        if findings.is_empty() {
            return;
        }
        self.block("## Findings");
        let mut table =
            "| Severity | Where | What | What to do | Rule |\n| --- | --- | --- | --- | --- |".to_owned();
        let mut findings: Vec<&Finding> = findings.iter().collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        for finding in findings {
            let place = finding.path.as_ref().map(ToString::to_string).unwrap_or_default();
            let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
            let cells = [&format!("{place}{line}"), &finding.message, &finding.hint, &finding.rule];
            let cells: Vec<String> = cells.iter().map(|cell| inert(cell)).collect();
            table += &format!("\n| {} | {} |", finding.severity, cells.join(" | "));
        }
        self.block(&table);
    }

    /// A hunk in a fence that nothing in it can close.
    fn fence(&mut self, hunk: &Hunk) {
        let mut body = hunk.header();
        for line in &hunk.lines {
            body += &format!("\n{}{}", line.side.mark(), shown_line(&line.text));
            if !line.is_ended {
                body += "\n\\ No newline at end of file";
            }
        }
        let ticks = "`".repeat(longest_run(&body, '`').max(2) + 1);
        // A template engine that watches for new notes runs its commands inside fences as well.
        let body = body.replace("<%", "<\\u{25}");
        self.block(&format!("{ticks}diff\n{body}\n{ticks}"));
    }
}

fn reason(step: &Step) -> String {
    let detail: Vec<String> =
        step.why.detail.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let detail = if detail.is_empty() { String::new() } else { format!(" ({})", detail.join(", ")) };
    let sentence = inert(&format!("{}{detail}", step.why.sentence));
    format!("- line {}: {sentence} ({}, rule {})", step.line, inert(&step.job), inert(&step.why.rule))
}

/// Foreign text as one line of plain words: whatever Markdown, Obsidian or its plugins act on is escaped,
/// and no more than that, since people read reports as they lie on disk too.
fn inert(text: &str) -> String {
    let shown = shown(text);
    let mut inert = String::with_capacity(shown.len());
    let (mut before, mut chars) = (' ', shown.chars().peekable());
    while let Some(c) = chars.next() {
        let after = chars.peek().copied().unwrap_or(' ');
        match c {
            '&' => inert.push_str("&amp;"),
            '<' => inert.push_str("&lt;"),
            '>' => inert.push_str("&gt;"),
            // An address, or an inline field of Dataview.
            ':' if matches!(after, ':' | '/') => inert.push_str("&#58;"),
            c if is_active(before, c, after) => inert.extend(['\\', c]),
            c => inert.push(c),
        }
        before = c;
    }
    inert
}

/// True where `c` between its neighbours means something to a renderer.
fn is_active(before: char, c: char, after: char) -> bool {
    match c {
        '\\' | '`' | '*' | '[' | ']' | '{' | '}' | '|' | '$' | '~' | '^' => true,
        '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
        '#' => !after.is_whitespace(),
        '%' | '=' => before == c || after == c,
        _ => false,
    }
}

fn longest_run(text: &str, of: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == of { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
