//! How reports are told, and that nothing foreign in them acts.

use super::{
    diff::{self, Hunk, Side},
    fixture::{Draft, HOSTILE, Part, applied, everything, path},
    json, markdown,
    paint::Paint,
    replay::replay,
    text::{self, Shape},
    trace::Trace,
    *,
};
use jobs::{Finding, Why, fold::Kind, vault::Span};
use proptest::prelude::*;

/// Text snapshots cannot see a final line end, CRLF or an escape: the last line counts them.
fn settled(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let count = |c: char| text.matches(c).count();
    let (bytes, lf, cr, escapes) = (text.len(), count('\n'), count('\r'), count('\u{1b}'));
    let end = if text.ends_with('\n') { "ends in one" } else { "ends in none" };
    let text = text.replace('\u{1b}', "␛");
    let manifest = format!("{text}-- {bytes} bytes, {lf} line ends, {end}; {cr} CR; {escapes} escapes");
    settings.bind(|| insta::assert_snapshot!(name, manifest));
}

fn told(draft: &Draft, report: &Report, shape: Shape) -> String {
    text::render(report, &draft.texts(), shape, Paint::Plain)
}

#[test]
fn a_preview_tells_each_change_with_its_reason_and_ends_in_one_line() {
    let (draft, report) = everything();
    settled("report-preview", &told(&draft, &report, Shape::Full));
    settled("report-preview-stat", &told(&draft, &report, Shape::Stat));
    settled("report-preview-markdown", &markdown::render(&report, &draft.texts()));
    settled("report-preview-json", &json::render(&report));
}

#[test]
fn a_run_tells_what_was_made_what_was_held_back_and_how_to_undo_it() {
    let (draft, report) = applied();
    settled("report-apply-stat", &told(&draft, &report, Shape::Stat));
    settled("report-apply-quiet", &told(&draft, &report, Shape::Quiet));
    settled("report-apply-colour", &text::render(&report, &draft.texts(), Shape::Quiet, Paint::Colour));
    assert_eq!(report.counts.planned, report.counts.made + report.counts.held);
}

#[test]
fn without_the_old_text_each_step_stands_for_itself() {
    let (_, report) = everything();
    settled("report-no-texts", &text::render(&report, &|_| None, Shape::Full, Paint::Plain));
    let other = text::render(&report, &|_| Some("another text".into()), Shape::Full, Paint::Plain);
    assert_eq!(other, text::render(&report, &|_| None, Shape::Full, Paint::Plain));
}

#[test]
fn a_quiet_run_without_work_says_nothing_and_a_loud_one_says_so_in_one_line() {
    let draft = Draft::of(&[("a.md", "a\n")]);
    let mut report = draft.report();
    assert_eq!(told(&draft, &report, Shape::Quiet), "");
    assert_eq!(told(&draft, &report, Shape::Full), "memkeep: nothing to do in 120 notes\n");
    report.findings = vec![Finding::about(&path("a.md"), Severity::Note, "x/y", "small")];
    assert_eq!(told(&draft, &report, Shape::Quiet), "", "a remark is no mail");
    report.findings = vec![Finding::about(&path("a.md"), Severity::Warning, "x/y", "large")];
    assert!(told(&draft, &report, Shape::Quiet).contains("a.md: warning: large [x/y]\n"));
}

#[test]
fn an_undo_is_told_as_one() {
    let mut draft = Draft::of(&[("a.md", "short\n"), ("archive.md", "long\n")]);
    let why = || Why::sure("undo/restore", "as it was before run 20261129-031500-cd34ef");
    draft.step(Part(Kind::Restore, 1), "a.md", ["", "long\n"], why());
    draft.step(Part(Kind::Remove, 1), "archive.md", ["long\n", ""], why());
    let mut report = draft.report();
    report.mode = Mode::Undo;
    report.undoes = Some("20261129-031500-cd34ef".to_owned());
    settled("report-undo-preview", &told(&draft, &report, Shape::Full));
    report.run = Some("20261130-031500-ab12cd".to_owned());
    settled("report-undo", &told(&draft, &report, Shape::Stat));
    let mut expected = draft.new.clone();
    expected.remove(&path("archive.md"));
    assert_eq!(replay(&draft.old, &report.changes).unwrap(), expected, "a note taken away is gone");
    report.run = None;
    report.held = ["a.md", "archive.md"].map(|name| Held { path: path(name), ..edited() }).into();
    report.recount();
    settled("report-undo-held", &told(&draft, &report, Shape::Quiet));
}

fn edited() -> Held {
    Held {
        path: path("x.md"),
        reason: "someone edited it since the run".to_owned(),
        edited: false,
        kept: None,
    }
}

fn hostile_report() -> (Draft, Report) {
    let (_, mut report) = everything();
    let name = format!("{}.md", HOSTILE.replace('/', "\u{2215}"));
    let old = format!("one\n{HOSTILE}\n{HOSTILE}\nlast");
    let mut draft = Draft::of(&[(&name, &old)]);
    let why = Why::sure(&format!("relink/{HOSTILE}"), HOSTILE).with(HOSTILE, HOSTILE);
    draft.step(Part(Kind::Edit, 1), &name, ["one", HOSTILE], why);
    report.changes = draft.steps.clone();
    report.offered = draft.steps.clone();
    report.findings = vec![Finding::about(&path(&name), Severity::Error, HOSTILE, HOSTILE).hint(HOSTILE)];
    report.held =
        vec![Held { path: path(&name), reason: HOSTILE.into(), edited: false, kept: Some(HOSTILE.into()) }];
    report.waiting = vec![path(&name)];
    report.recovered = vec![HOSTILE.into()];
    report.remarks = vec![HOSTILE.into()];
    report.run = Some(HOSTILE.into());
    report.undoes = Some(HOSTILE.into());
    report.zone = HOSTILE.into();
    report.recount();
    (draft, report)
}

#[test]
fn text_from_notes_cannot_act_on_a_terminal() {
    let (draft, report) = hostile_report();
    let raw = |text: &str| text.chars().filter(|c| c.is_control() && !matches!(c, '\n' | '\t')).count();
    let hidden =
        |text: &str| text.matches(['\u{202e}', '\u{2066}', '\u{200b}', '\u{e0041}', '\u{feff}']).count();
    assert!(raw(HOSTILE) > 5 && hidden(HOSTILE) == 5, "the harness sees what it looks for");
    for shape in [Shape::Full, Shape::Stat, Shape::Quiet] {
        let text = told(&draft, &report, shape);
        assert_eq!((raw(&text), hidden(&text)), (0, 0), "{shape:?}");
    }
    let check = Report { mode: Mode::Check, ..report.clone() };
    let text = told(&draft, &check, Shape::Full);
    assert_eq!((raw(&text), hidden(&text)), (0, 0));
    let coloured = text::render(&report, &draft.texts(), Shape::Full, Paint::Colour);
    let ours = ["1", "31", "32", "36", "2", "33", "1;31", "0"].map(|code| format!("\u{1b}[{code}m"));
    let bare = ours.iter().fold(coloured, |text, code| text.replace(code.as_str(), ""));
    assert_eq!((raw(&bare), hidden(&bare)), (0, 0));
}

#[test]
fn text_from_notes_cannot_act_in_markdown() {
    let (draft, report) = hostile_report();
    let note = markdown::render(&report, &draft.texts());
    let (mut fence, mut outside) = (None::<String>, Vec::new());
    for line in note.lines() {
        match &fence {
            Some(ticks) if line == ticks => fence = None,
            Some(_) => assert!(line.starts_with([' ', '+', '-', '@', '\\']), "{line:?} left its fence"),
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("diff").to_owned()),
            None => outside.push(line),
        }
    }
    assert_eq!(fence, None);
    let outside = without_escapes(&outside.join("\n"));
    for live in
        ["<script", "<%", "](", "[[", "k:: ", "https://", "obsidian://", " #tag", "%%c", "`=", "`$", "==h"]
    {
        assert!(HOSTILE.contains(live), "{live} is what the harness looks for");
        assert!(!outside.contains(live), "{live} is live in {outside}");
    }
    assert!(!note.contains("<%"), "not in fences either");
}

/// Markdown without its escaped characters, which are plain text to every reader.
fn without_escapes(text: &str) -> String {
    let mut pieces = text.split('\\');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        text + piece.get(piece.chars().next().map_or(0, char::len_utf8)..).unwrap()
    })
}

#[test]
fn json_is_exact_and_reads_back() {
    let (_, report) = hostile_report();
    assert_eq!(json::parse(&json::render(&report)).unwrap(), report);
    let newer = json::render(&Report { version: 9, ..report });
    assert!(json::parse(&newer).unwrap_err().contains("version 9"));
}

/// The names of all fields, at any depth; those of `counts.findings` and `durations` are no fields.
fn fields(value: &serde_json::Value, found: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                found.insert(name.clone());
                fields(value, found);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| fields(value, found)),
        _ => {}
    }
}

#[test]
fn the_document_of_the_json_form_names_every_field() {
    let (_, report) = applied();
    let mut found = BTreeSet::new();
    fields(&serde_json::to_value(&report).unwrap(), &mut found);
    assert!(found.len() > 50, "the harness sees the fields: {found:?}");
    let document = include_str!("../../../docs/report.md");
    let missing: Vec<_> = found.iter().filter(|name| !document.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_replay_gives_the_new_notes_and_sees_what_does_not_fit() {
    let (draft, report) = everything();
    assert_eq!(replay(&draft.old, &report.changes).unwrap(), draft.new);
    let mut other = draft.old.clone();
    other.get_mut(&path("notes/plan.md")).unwrap().push('!');
    assert!(replay(&other, &report.changes).unwrap_err().contains("another version"));
    let mut changes = report.changes.clone();
    changes[0].before.replace_range(2..3, "9");
    assert!(replay(&draft.old, &changes).unwrap_err().contains("other bytes"));
    changes.clone_from(&report.changes);
    changes[0].span = Span::new(0, 3);
    assert!(replay(&draft.old, &changes).is_err());
}

#[test]
fn a_crlf_note_shows_no_cr_unless_its_line_ends_change() {
    let hunks = |old: &str, before: &str, after: &str| {
        let mut draft = Draft::of(&[("a.md", old)]);
        draft.step(Part(Kind::Edit, 1), "a.md", [before, after], Why::sure("x/y", "z"));
        let steps: Vec<&Step> = draft.steps.iter().collect();
        let hunks = diff::hunks(old, &steps).unwrap();
        hunks.into_iter().flat_map(|hunk| hunk.lines).map(|line| line.text).collect::<Vec<_>>()
    };
    assert_eq!(hunks("a\r\nb\r\n", "b", "c"), ["a", "b", "c"]);
    assert_eq!(hunks("a\r\n", "\r\n", "\n"), ["a\r", "a"]);
}

#[test]
fn a_huge_note_of_which_every_second_line_goes_is_told_in_linear_time() {
    let old: String = (0..60_000).map(|n| format!("line {}\n", n % 7)).collect();
    let steps: Vec<Step> = {
        let mut draft = Draft::of(&[("a.md", "")]);
        draft.step(Part(Kind::Edit, 1), "a.md", ["", "x"], Why::sure("x/y", "z"));
        let step = |n: usize| {
            let (span, before) = (Span::new(n * 7, n * 7 + 7), format!("line {}\n", (2 * n) % 7));
            Step { span, before, after: String::new(), ..draft.steps[0].clone() }
        };
        (0..30_000).map(step).collect()
    };
    // Line by line this would take some 10^9 comparisons, and minutes in a debug build.
    let hunks = diff::hunks(&old, &steps.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!(hunks.iter().map(|hunk| hunk.count(Side::Old)).sum::<usize>(), 30_000);
    assert_eq!(hunks.iter().map(|hunk| hunk.count(Side::New)).sum::<usize>(), 0);
}

/// What `patch` does, written anew: each hunk must find its lines where it says.
fn patched(old: &str, hunks: &[Hunk]) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let (mut new, mut at) = (Vec::<String>::new(), 0);
    for hunk in hunks {
        new.extend(old[at..hunk.old.start].iter().map(|line| (*line).to_owned()));
        assert_eq!(new.len(), hunk.new.start, "{}", hunk.header());
        at = hunk.old.start;
        for line in &hunk.lines {
            let text = format!("{}{}", line.text, if line.is_ended { "\n" } else { "" });
            if line.side != Side::New {
                assert_eq!(old[at], text, "{}", hunk.header());
                at += 1;
            }
            if line.side != Side::Old {
                new.push(text);
            }
        }
        assert_eq!((at, new.len()), (hunk.old.end, hunk.new.end));
    }
    new.extend(old[at..].iter().map(|line| (*line).to_owned()));
    new.concat()
}

proptest! {
    #[test]
    fn the_hunks_of_any_steps_patch_the_old_text_into_the_new(
        old in "[abé\n]{0,60}",
        cuts in proptest::collection::vec((0usize..60, 0usize..8, "[axé\n]{0,6}"), 0..12),
    ) {
        let mut draft = Draft::of(&[("a.md", &old)]);
        draft.step(Part(Kind::Edit, 1), "a.md", ["", ""], Why::sure("x/y", "z"));
        let (model, mut text) = (draft.steps.remove(0), old.clone());
        for (at, len, put) in cuts {
            let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let end = (at..=(at + len).min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let before = text[at..end].to_owned();
            text.replace_range(at..end, &put);
            draft.steps.push(Step { span: Span::new(at, end), before, after: put, ..model.clone() });
        }
        let steps: Vec<&Step> = draft.steps.iter().collect();
        prop_assert_eq!(Trace::of(&old, &steps).unwrap().after(), text.clone());
        let hunks = diff::hunks(&old, &steps).unwrap();
        prop_assert_eq!(patched(&old, &hunks), text);
    }
}
