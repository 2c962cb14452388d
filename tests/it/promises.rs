//! Promises that hold of any run, on a real disk: fresh notes wait (P14), encodings survive (P23),
//! budgets hold or are reported (P24), a preview writes nothing and tells the truth (P26), one bad note
//! or job stops nothing else (P28).

use crate::{
    figure::Figure,
    session::{session, settings, with_jobs},
    tree::{Tree, differences},
};
use config::Config;
use jobs::{
    Certainty, Change, Edit, Job, Proposal, Stage, Touches, Why,
    job::{Card, per_note},
    vault::{Span, Vault},
};
use pipeline::{
    disk::{Disk, RealDisk, Seen},
    run::{apply, preview},
    undo::{Ask, undo},
};
use std::{
    fs::File,
    io,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, SystemTime},
};

const SMALL: &str = "trim: {max_lines: 12, max_bytes: 100000, keep_lines: 8, keep_bytes: 50000}\n";

/// A memory of `n` dated entries, oldest first.
fn memory(n: usize) -> String {
    let entry = |day: usize| format!("- 2026-{:02}-{:02}: entry {day}\n", 1 + day / 28, 1 + day % 28);
    format!("# m\n\n## Log\n\n{}", (0..n).map(entry).collect::<String>())
}

fn disk(tree: &Tree) -> RealDisk {
    RealDisk::open(&tree.root).expect("a vault")
}

fn applied(tree: &Tree, config: &Config) -> pipeline::report::Report {
    apply(&session(&disk(tree), config)).expect("a run").report
}

#[test]
fn fresh_notes_wait_and_own_writes_do_not() {
    let mut figure = Figure::of("fresh notes wait (P14)");
    let now = SystemTime::now();
    let ago = |seconds| now - Duration::from_secs(seconds);
    let ahead = |seconds| now + Duration::from_secs(seconds);
    let waits = [ago(0), ago(1), ago(60), ago(298), ahead(2), ahead(3600), ahead(86_400 * 400)];
    let goes = [ago(302), ago(3600), ago(86_400 * 365)];
    for (modified, is_fresh) in waits.map(|at| (at, true)).into_iter().chain(goes.map(|at| (at, false))) {
        figure.trial(Ok(()));
        let tree = Tree::empty();
        tree.write("memory.md", memory(30).as_bytes());
        let file = File::options().write(true).open(tree.path("memory.md")).expect("the memory");
        file.set_modified(modified).expect("a time");
        let before = tree.bytes();
        let disk = disk(&tree);
        let mut due = session(&disk, &settings(SMALL));
        (due.options.due, due.options.now) = (true, now);
        let report = apply(&due).expect("a run").report;
        assert_eq!(before == tree.bytes(), is_fresh, "{modified:?} against {now:?}");
        assert_eq!(report.waiting.len(), usize::from(is_fresh), "{modified:?}");
        assert!(!report.needs_a_person(), "waiting is no failure");
    }
    figure.done();
}

#[test]
fn what_memkeep_wrote_itself_is_not_fresh() {
    let tree = Tree::empty();
    tree.write("memory.md", memory(30).as_bytes());
    applied(&tree, &settings(SMALL));
    let disk = disk(&tree);
    let tighter = settings("trim: {max_lines: 6, keep_lines: 5, max_bytes: 100000, keep_bytes: 50000}\n");
    let mut due = session(&disk, &tighter);
    due.options.due = true;
    let report = apply(&due).expect("a run").report;
    assert!(report.waiting.is_empty(), "{:?}", report.waiting);
    assert!(report.counts.made > 0, "nothing was trimmed");
}

#[test]
fn encodings_survive_a_run_and_its_undo() {
    let mut figure = Figure::of("encodings (P23)");
    let plain = memory(40);
    let long = "x".repeat(70_000);
    let crlf = plain.replace('\n', "\r\n");
    let texts: Vec<(&str, Vec<u8>)> = vec![
        ("CRLF", crlf.clone().into_bytes()),
        ("mixed ends", plain.replacen('\n', "\r\n", 9).into_bytes()),
        ("BOM", format!("\u{feff}{plain}").into_bytes()),
        ("BOM and CRLF", format!("\u{feff}{crlf}").into_bytes()),
        ("no final newline", plain.trim_end().to_owned().into_bytes()),
        ("lone CR", plain.replace("entry 3\n", "entry 3\rstill entry 3\n").into_bytes()),
        ("NUL", plain.replace("entry 3", "entry\0 3").into_bytes()),
        ("emoji", plain.replace("entry 3", "👩‍👩‍👧‍👦 🇯🇵 entry").into_bytes()),
        ("NFD", plain.replace("entry 3", "cafe\u{301}").into_bytes()),
        ("right to left", plain.replace("entry 3", "\u{202e}שלום").into_bytes()),
        ("offsets past 64 KiB", plain.replace("entry 3\n", &format!("{long}é\n")).into_bytes()),
        ("trailing blanks", plain.replace("entry 3", "entry 3  ").into_bytes()),
        (
            "tabs",
            plain.replace("- 2026-01-05: entry 4\n", "-\t2026-01-05: entry 4\n\t- below\n").into_bytes(),
        ),
    ];
    for (name, bytes) in texts {
        figure.trial(Ok(()));
        let tree = Tree::empty();
        tree.write("memory.md", &bytes);
        let config = settings("trim: {max_lines: 12, max_bytes: 90000, keep_lines: 8, keep_bytes: 80000}\n");
        let report = applied(&tree, &config);
        assert!(report.counts.made > 0, "{name}: nothing moved: {:#?}", report.findings);
        let both =
            [tree.read("memory.md"), tree.read("memory_archive.md")].map(Option::unwrap_or_default).concat();
        for line in
            String::from_utf8(bytes.clone()).expect("text").lines().filter(|line| !line.trim().is_empty())
        {
            assert!(both.contains(line.trim_start_matches('\u{feff}')), "{name}: {line:?} is lost");
        }
        let starts = |bytes: &[u8]| bytes.starts_with("\u{feff}".as_bytes());
        assert_eq!(
            starts(&bytes),
            tree.read("memory.md").is_some_and(|text| starts(text.as_bytes())),
            "{name}"
        );
        undo(&session(&disk(&tree), &config), Ask::default()).expect("an undo");
        assert_eq!(tree.bytes().get("memory.md"), Some(&bytes), "{name}");
        assert_eq!(tree.bytes().len(), 1, "{name}");
    }
    figure.done();
}

#[test]
fn what_is_no_text_or_too_large_is_left_alone_with_one_finding() {
    let mut figure = Figure::of("encodings that are no text (P23)");
    let utf16: Vec<u8> = memory(40).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let broken = memory(40).replace("entry 3", "\u{fffd}").into_bytes();
    let broken = [&broken[..60], b"\xff\xfe", &broken[60..]].concat();
    let huge = format!("# m\n\n{}\n", "x".repeat(50_000_000)).into_bytes();
    for bytes in [utf16, broken, huge] {
        figure.trial(Ok(()));
        let tree = Tree::empty();
        tree.write("memory.md", &bytes);
        let report = applied(&tree, &settings(SMALL));
        assert_eq!(tree.bytes().get("memory.md"), Some(&bytes));
        let about: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).collect();
        assert_eq!(about, ["vault/read-only"]);
    }
    figure.done();
}

#[test]
fn budgets_hold_or_are_reported() {
    let mut figure = Figure::of("budgets hold (P24)");
    let config = settings("");
    let of_bytes = |bytes: usize| {
        let mut text = memory(60);
        let missing = bytes.saturating_sub(text.len());
        text = text.replacen("entry 30\n", &format!("{}\n", "é".repeat(missing / 2)), 1);
        text
    };
    let one_huge = format!("# m\n\n## 2026-01-01\n\n{}", "prose\n".repeat(400));
    let prose = format!("# m\n\n{}", "prose\n\n".repeat(300));
    let multi_byte = format!(
        "# m\n\n## 記録\n\n{}",
        (1..29).map(|day| format!("- 2026-03-{day:02}: {}\n", "設計".repeat(170))).collect::<String>()
    );
    let texts = [
        memory(195),
        memory(196),
        memory(197),
        of_bytes(24_900),
        of_bytes(25_000),
        of_bytes(25_100),
        one_huge,
        prose,
        multi_byte,
    ];
    for text in texts {
        figure.trial(Ok(()));
        let tree = Tree::empty();
        tree.write("memory.md", text.as_bytes());
        let report = applied(&tree, &config);
        let left = tree.read("memory.md").expect("the memory");
        let is_over = left.lines().count() > 200 || left.len() > 25_000;
        let is_told = report.findings.iter().any(|finding| finding.rule.starts_with("trim/"));
        assert!(!is_over || is_told, "{} lines, {} bytes, no finding", left.lines().count(), left.len());
        let was_over = text.lines().count() > 200 || text.len() > 25_000;
        assert_eq!(
            text != left,
            was_over && !(text.contains("prose")),
            "trimmed within the budget, or not over it"
        );
    }
    figure.done();
}

/// A disk on which nothing may be written.
struct Watched<'a>(&'a RealDisk, AtomicUsize);

impl Watched<'_> {
    fn wrote<T>(&self) -> io::Result<T> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Err(io::Error::other("a preview writes"))
    }
}

impl Disk for Watched<'_> {
    fn walk(&self, enter: &(dyn Fn(&str) -> bool + Sync)) -> Vec<Seen> {
        self.0.walk(enter)
    }
    fn list(&self, dir: &str) -> io::Result<Vec<Seen>> {
        self.0.list(dir)
    }
    fn stat(&self, path: &str) -> io::Result<Seen> {
        self.0.stat(path)
    }
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }
    fn free_bytes(&self) -> io::Result<Option<u64>> {
        self.0.free_bytes()
    }
    fn create(&self, _: &str, _: &[u8], _: Option<&str>) -> io::Result<()> {
        self.wrote()
    }
    fn append(&self, _: &str, _: &[u8]) -> io::Result<()> {
        self.wrote()
    }
    fn make_dir(&self, _: &str, _: u32) -> io::Result<()> {
        self.wrote()
    }
    fn exchange(&self, _: &str, _: &str) -> io::Result<()> {
        self.wrote()
    }
    fn rename_new(&self, _: &str, _: &str) -> io::Result<()> {
        self.wrote()
    }
    fn rename(&self, _: &str, _: &str) -> io::Result<()> {
        self.wrote()
    }
    fn link(&self, _: &str, _: &str) -> io::Result<()> {
        self.wrote()
    }
    fn remove(&self, _: &str) -> io::Result<()> {
        self.wrote()
    }
    fn remove_dir(&self, _: &str) -> io::Result<()> {
        self.wrote()
    }
    fn sync(&self, _: &[&str]) -> io::Result<()> {
        self.wrote()
    }
}

#[test]
fn a_preview_writes_nothing_and_tells_the_truth() {
    let mut figure = Figure::of("the preview writes nothing and tells the truth (P26)");
    for name in ["example", "corpora/fleet-boards", "corpora/pkm-ja", "corpora/johngrib-wiki"] {
        figure.trial(Ok(()));
        let folder = crate::tree::tests().join("vaults").join(name);
        let tree = Tree::copy(&folder);
        let config = settings(&std::fs::read_to_string(folder.join("memkeep.yaml")).expect("settings"));
        let real = disk(&tree);
        let watched = Watched(&real, AtomicUsize::new(0));
        let before = tree.bytes();
        let shown = preview(&session(&watched, &config)).report;
        assert_eq!(watched.1.load(Ordering::Relaxed), 0, "{name}: writing calls");
        assert_eq!(differences(&before, &tree.bytes()), "");
        assert!(!tree.path(".memkeep").exists());
        let done = applied(&tree, &config);
        assert!(!done.changes.is_empty(), "{name} has nothing to do");
        assert_eq!(shown.changes, done.changes, "{name}");
        assert_eq!(done.counts.planned, done.counts.made + done.counts.held);
    }
    figure.done();
}

/// A job that panics on the note of this name, or as a whole.
struct Panics(Option<&'static str>);

static CARD: Card = Card {
    id: "panics",
    stage: Stage::Relink,
    summary: "",
    touches: Touches::Prose,
    certainty: Certainty::Sure,
    about: "",
};

impl Job for Panics {
    fn card(&self) -> &'static Card {
        &CARD
    }
    fn plan(&self, vault: &Vault) -> Proposal {
        let Some(bad) = self.0 else { panic!("on all of it") };
        per_note(vault, |note| {
            assert!(note.path.as_str() != bad, "on {bad}");
            let edit = Edit::replace(&note.text, Span::at(0), "more ", Why::sure("panics/more", "because"));
            Proposal {
                changes: vec![Change::Edit { note: note.path.clone(), edits: vec![edit] }],
                ..Proposal::default()
            }
        })
    }
}

#[test]
fn one_bad_note_or_job_stops_nothing_else() {
    let mut figure = Figure::of("one bad note or job stops nothing else (P28)");
    let names = ["a.md", "b.md", "c/d.md", "memory.md"];
    for bad in names.into_iter().map(Some).chain([None]) {
        figure.trial(Ok(()));
        let tree = Tree::empty();
        names.iter().for_each(|name| tree.write(name, format!("- text\n{}", "> ".repeat(5000)).as_bytes()));
        tree.write("memory.md", memory(30).as_bytes());
        let disk = disk(&tree);
        let config = settings(SMALL);
        let mut jobs = jobs::all(&config);
        jobs.push(Box::new(Panics(bad)));
        let report = apply(&with_jobs(&disk, &config, jobs)).expect("a run").report;
        assert!(report.needs_a_person());
        assert!(report.findings.iter().any(|finding| finding.rule == "internal/panic"));
        for name in names {
            let is_changed = tree.read(name).expect("a note").contains("more ");
            assert_eq!(is_changed, bad.is_some() && Some(name) != bad, "{name} with {bad:?}");
        }
        assert!(tree.path("memory_archive.md").exists(), "trim did not run with {bad:?}");
    }
    figure.done();
}
