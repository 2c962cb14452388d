//! A run with a real commit and journal, told afterwards by the real binary: `runs`, `show`, `undo`. The
//! job is made up, so that these tests do not change with the rules of any real one.

use crate::{
    program::memkeep,
    session::{settings, with_jobs},
    tree::Tree,
};
use jobs::{
    Certainty, Change, End, Job, Move, Moved, Place, Proposal, Stage, Touches, Why,
    job::Card,
    vault::{NotePath, Span, Vault},
};
use pipeline::{disk::RealDisk, report::replay::replay, run::apply};
use std::collections::BTreeMap;

const TODAY: &str = "2026-11-30";
const MEMORY: &str = "# acme\n\n## Log\n\n- new\n- old\n- older\n";

/// Moves the items that begin with `old` to `archive.md`.
struct Shelve;

static CARD: Card = Card {
    id: "shelve",
    stage: Stage::Trim,
    summary: "",
    touches: Touches::Blocks,
    certainty: Certainty::Sure,
    about: "",
};

impl Job for Shelve {
    fn card(&self) -> &'static Card {
        &CARD
    }
    fn plan(&self, vault: &Vault) -> Proposal {
        let [from, to] = ["memory.md", "archive.md"].map(|path| NotePath::new(path).expect("a path"));
        let Some(note) = vault.note(&from).filter(|note| note.text.contains("- old")) else {
            return Proposal::default();
        };
        let moved = |line: &str| {
            let at = note.text.find(line).expect("the line");
            let block = Span::new(at, at + line.len());
            let why = Why::sure("shelve/old", format!("`{}` is old", line.trim()));
            Moved { block, removal: block, under: vec!["## Log".to_owned()], once: false, why }
        };
        let blocks = ["- old\n", "- older\n"].map(moved).into();
        let why = Why::sure("shelve/archive", "there is no archive yet");
        let place = Place { head: "# Archive\n".to_owned(), end: End::Bottom, why };
        let change = Change::Move(Move { from, blocks, left: vec![], to, place, repairs: vec![] });
        Proposal { changes: vec![change], ..Proposal::default() }
    }
}

/// A vault after one run of the job, and the id of that run.
fn ran() -> (Tree, String) {
    let tree = Tree::empty();
    tree.write("memory.md", MEMORY.as_bytes());
    let disk = RealDisk::open(&tree.root).expect("a disk");
    let config = settings("{}\n");
    let report = apply(&with_jobs(&disk, &config, vec![Box::new(Shelve)])).expect("a run").report;
    (tree, report.run.expect("it changed something"))
}

#[test]
fn a_run_is_shown_again_with_its_diff() {
    let (tree, run) = ran();
    let shown = memkeep(&tree, TODAY, &["show", &run[..15]]);
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""));
    let expected = [
        "memory.md\n  2 entries to archive.md\n",
        "  line 6: `- old` is old [shelve/old]\n",
        "@@ -3,5 +3,3 @@\n ## Log\n \n - new\n-- old\n-- older\n",
        "archive.md  (new)\n  2 entries from memory.md\n",
        "+## Log\n+\n+- old\n+- older\n",
    ];
    for part in expected {
        assert!(shown.out.contains(part), "{part:?} in {}", shown.out);
    }
    let last = format!("run {run} (undo: memkeep undo {run})\n");
    assert!(shown.out.ends_with(&last), "{}", shown.out);
}

#[test]
fn its_report_replayed_on_the_old_vault_gives_the_new_one() {
    let (tree, run) = ran();
    let json = memkeep(&tree, TODAY, &["show", &run, "--report", "json"]).out;
    let report = pipeline::report::json::parse(&json).expect("a report");
    let path = |text: &str| NotePath::new(text).expect("a path");
    let old = BTreeMap::from([(path("memory.md"), MEMORY.to_owned())]);
    let new: BTreeMap<NotePath, String> = tree
        .bytes()
        .into_iter()
        .map(|(name, bytes)| (path(&name), String::from_utf8(bytes).expect("text")))
        .collect();
    assert_eq!(replay(&old, report.made()), Ok(new.clone()));
    let undone = memkeep(&tree, TODAY, &["undo", "--report", "json"]).out;
    let undone = pipeline::report::json::parse(&undone).expect("a report");
    assert_eq!(replay(&new, undone.made()), Ok(old), "and back");
}

#[test]
fn an_undo_is_previewed_made_and_listed() {
    let (tree, run) = ran();
    let after = tree.bytes();
    let preview = memkeep(&tree, TODAY, &["undo", "--preview"]);
    assert!(preview.out.contains("archive.md  (taken away)\n"), "{}", preview.out);
    assert!(
        preview
            .out
            .contains(&format!("preview: without run {run} 1 note would be restored, 1 would be taken away"))
    );
    assert_eq!(tree.bytes(), after, "a preview writes nothing");
    let undone = memkeep(&tree, TODAY, &["undo", &run, "--stat"]);
    assert_eq!(undone.code, Some(0), "{}{}", undone.out, undone.err);
    assert!(
        undone.out.contains(&format!("undid run {run}: 1 note restored, 1 taken away")),
        "{}",
        undone.out
    );
    assert_eq!(tree.read("memory.md").as_deref(), Some(MEMORY));
    let runs = memkeep(&tree, TODAY, &["runs"]).out;
    let lines: Vec<&str> = runs.lines().collect();
    assert_eq!(lines.len(), 2, "{runs}");
    let made = lines.iter().find(|line| line.starts_with(&run)).expect("the run");
    assert!(made.contains("  done  ") && made.ends_with("1 changed, 1 made"), "{runs}");
    let undo = lines.iter().find(|line| line.contains(&format!("undid {run}"))).expect("the undo");
    assert!(undo.ends_with("1 changed, 1 taken away"), "{runs}");
}

#[test]
fn an_undo_that_would_lose_an_edit_says_so_and_exits_1() {
    let (tree, run) = ran();
    tree.write("memory.md", b"# acme\n\nrewritten\n");
    let before = tree.bytes();
    let undone = memkeep(&tree, TODAY, &["undo"]);
    assert_eq!(undone.code, Some(1), "{}{}", undone.out, undone.err);
    assert!(undone.out.contains("memory.md: someone edited it since the run\n"), "{}", undone.out);
    assert!(
        undone.out.contains(&format!("nothing undone of run {run}, 2 notes held back")),
        "{}",
        undone.out
    );
    assert_eq!(tree.bytes(), before);
}

/// The run of [`ran`] as a crash right before its end leaves it.
fn interrupted() -> (Tree, String) {
    let (tree, run) = ran();
    for name in ["outcome.json", "report.json"] {
        std::fs::remove_file(tree.path(&format!(".memkeep/journal/{run}/{name}"))).expect("a file");
    }
    (tree, run)
}

#[test]
fn an_undo_finishes_the_only_run_there_is_and_then_undoes_it() {
    let (tree, run) = interrupted();
    let preview = memkeep(&tree, TODAY, &["undo", "--preview", &run]).out;
    assert!(preview.contains(&format!("run {run} was interrupted; the next run that writes")), "{preview}");
    let undone = memkeep(&tree, TODAY, &["undo"]);
    assert_eq!(undone.code, Some(0), "{}{}", undone.out, undone.err);
    assert!(undone.out.contains("had been interrupted and is finished now\n"), "{}", undone.out);
    assert_eq!(tree.read("memory.md").as_deref(), Some(MEMORY));
}

#[test]
fn a_run_that_was_finished_later_names_what_it_held_back() {
    let (tree, run) = interrupted();
    let stage = tree.path(&format!(".memkeep/journal/{run}/stage"));
    let manifest = tree.read(&format!(".memkeep/journal/{run}/manifest.json")).expect("a manifest");
    // Neither note is exchanged yet, and someone writes one of them.
    let archive_first = manifest.find("\"archive.md\"") < manifest.find("\"memory.md\"");
    let (archive, memory) = if archive_first { ("0", "1") } else { ("1", "0") };
    std::fs::rename(tree.path("archive.md"), stage.join(archive)).expect("a rename");
    std::fs::rename(tree.path("memory.md"), stage.join(memory)).expect("a rename");
    tree.write("memory.md", b"# acme\n\nrewritten\n");
    let next = memkeep(&tree, TODAY, &["run", "--apply", "--quiet"]);
    assert_eq!(next.code, Some(0), "{}{}", next.out, next.err);
    assert!(next.out.contains("but held back: "), "{}", next.out);
    assert!(next.out.contains("`memory.md` (someone wrote it during the run)"), "{}", next.out);
    let shown = memkeep(&tree, TODAY, &["show", &run]).out;
    assert!(shown.contains("nothing changed, 2 notes held back"), "{shown}");
    assert!(shown.contains(" planned = 0 made + "), "{shown}");
    assert!(!shown.contains("memkeep undo"), "there is nothing to undo: {shown}");
}

#[test]
fn a_damaged_journal_is_for_a_person_and_a_foreign_one_is_no_news_each_night() {
    let (tree, run) = interrupted();
    let manifest = format!(".memkeep/journal/{run}/manifest.json");
    let whole = tree.read(&manifest).expect("a manifest");
    tree.write(&manifest, whole.get(..whole.len() / 2).expect("half").as_bytes());
    let next = memkeep(&tree, TODAY, &["run", "--apply", "--quiet"]);
    assert_eq!(next.code, Some(1), "{}{}", next.out, next.err);
    assert!(next.out.contains("its journal is damaged: "), "{}", next.out);
    assert_eq!(memkeep(&tree, TODAY, &["run", "--apply", "--quiet"]).code, Some(0));

    let (tree, run) = interrupted();
    let place = format!(".memkeep/journal/{run}/manifest.json");
    let sealed = tree.read(&place).expect("a manifest");
    let mut manifest: serde_json::Value =
        serde_json::from_str(sealed.lines().next().expect("a line")).expect("JSON");
    manifest["machine"] = "another".into();
    tree.write(&place, &pipeline::journal::seal(&manifest).expect("a seal"));
    let nights = [0, 1].map(|_| memkeep(&tree, TODAY, &["run", "--apply", "--quiet"]));
    assert_eq!(nights.each_ref().map(|night| night.code), [Some(0); 2]);
    assert!(nights[0].out.contains("was interrupted on another machine"), "{}", nights[0].out);
    assert_eq!(nights[1].out, "", "the second night has nothing new to say");
}

#[test]
fn an_undo_of_a_run_names_the_later_run_that_stands_in_its_way() {
    let (tree, first) = ran();
    let undone = memkeep(&tree, TODAY, &["undo", &first, "--report", "json"]).out;
    let later = pipeline::report::json::parse(&undone).expect("a report").run.expect("an id");
    let again = memkeep(&tree, TODAY, &["undo", &first]);
    assert_eq!(again.code, Some(1), "{}{}", again.out, again.err);
    let says = format!("memory.md: run {later} changed it since the run; undo that one first\n");
    assert!(again.out.contains(&says), "{}", again.out);
}

#[test]
fn a_run_that_was_taken_back_is_not_listed_as_done() {
    let (tree, run) = ran();
    let place = format!(".memkeep/journal/{run}/outcome.json");
    let sealed = tree.read(&place).expect("an outcome");
    let mut outcome: serde_json::Value =
        serde_json::from_str(sealed.lines().next().expect("a line")).expect("JSON");
    outcome["stopped"] = "the disk failed".into();
    tree.write(&place, &pipeline::journal::seal(&outcome).expect("a seal"));
    let runs = memkeep(&tree, TODAY, &["runs"]).out;
    assert!(runs.contains("  taken back  ") && !runs.contains("  done  "), "{runs}");
}
