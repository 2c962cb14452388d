//! What memkeep remembers of its links: they count as text, come back where they were, and stay away where a person
//! took them away.

use super::eager;
use crate::{
    Job, Proposal, fold,
    relink::{CARD, LINKED, Mode, Relink, SHRINK, Settings, UNLINKED},
    vault::{Linked, Memo, Note, NotePath, Row, Vault},
};
use config::Layers;
use std::sync::Arc;

/// A vault that is kept night after night.
struct Nights {
    vault: Vault,
    job: Relink,
}

impl Nights {
    fn new(notes: &[(&str, &str)]) -> Nights {
        Nights { vault: super::vault(notes), job: eager() }
    }

    /// One night; the rules under which something changed, in order.
    fn run(&mut self) -> Vec<String> {
        let proposal: Proposal = self.job.plan(&self.vault);
        let folded = fold::fold(&self.vault, &CARD, proposal, 1, &|why| why.rule != SHRINK);
        assert!(
            folded.findings.iter().all(|finding| finding.rule != fold::INTERNAL),
            "{:?}",
            folded.findings
        );
        self.vault = folded.vault;
        folded.steps.into_iter().map(|step| step.why.rule).collect()
    }

    /// Runs until the text of a note is settled, and gives it: one run must do.
    fn settled(&mut self, path: &str) -> String {
        self.run();
        assert_eq!(self.run(), [""; 0], "a second run is empty");
        self.text(path)
    }

    fn text(&self, path: &str) -> String {
        self.vault.note(&NotePath::new(path).unwrap()).map_or_else(String::new, |note| note.text.to_string())
    }

    /// A person, or another program, writes a note; no text takes it away.
    fn write(&mut self, path: &str, text: &str) {
        let path = NotePath::new(path).unwrap();
        let mut notes: Vec<Arc<Note>> =
            self.vault.notes().iter().filter(|note| note.path != path).cloned().collect();
        if !text.is_empty() {
            notes.push(Arc::new(Note::of_text(path, text)));
        }
        self.vault = Vault::new(notes, (*self.vault.ledger).clone(), self.vault.today);
    }

    fn edit(&mut self, path: &str, from: &str, to: &str) {
        let text = self.text(path);
        assert!(text.contains(from), "{text:?} has no {from:?}");
        self.write(path, &text.replacen(from, to, 1));
    }
}

const TARGETS: [(&str, &str); 2] = [("redis.md", "-\n"), ("kafka.md", "-\n")];

fn nights(text: &str) -> Nights {
    let [one, two] = TARGETS;
    Nights::new(&[("a.md", text), one, two])
}

#[test]
fn a_second_night_finds_nothing_to_do() {
    let mut nights = nights("Redis and kafka, redis.\n");
    assert_eq!(nights.run(), [LINKED, LINKED]);
    assert_eq!(nights.text("a.md"), "[[redis|Redis]] and [[kafka]], redis.\n");
    assert_eq!(nights.run(), [""; 0]);
    assert_eq!(nights.vault.ledger.links_in(&NotePath::new("a.md").unwrap()).count(), 2);
}

#[test]
fn a_run_afresh_makes_nothing_that_stands_and_puts_a_link_where_a_first_run_would() {
    let mut nights = nights("Late redis.\n");
    nights.run();
    nights.job = eager().with(Mode::Afresh);
    assert_eq!(nights.run(), [""; 0]);
    nights.edit("a.md", "Late", "Early Redis.\n\nLate");
    nights.job = eager();
    assert_eq!(nights.run(), [""; 0], "a link stays where it is");
    nights.job = eager().with(Mode::Afresh);
    assert_eq!(nights.settled("a.md"), "Early [[redis|Redis]].\n\nLate redis.\n");
}

#[test]
fn a_link_that_a_person_took_away_stays_away() {
    let mut nights = nights("We use Redis here.\n\nAnd redis there.\n");
    nights.run();
    nights.edit("a.md", "[[redis|Redis]]", "Redis");
    assert_eq!(nights.settled("a.md"), "We use Redis here.\n\nAnd redis there.\n");
    nights.edit("a.md", "here", "now, with kafka");
    assert_eq!(nights.settled("a.md"), "We use Redis now, with [[kafka]].\n\nAnd redis there.\n");
}

#[test]
fn a_link_that_a_person_edited_is_theirs() {
    let mut nights = nights("We use Redis here.\n");
    nights.run();
    nights.edit("a.md", "[[redis|Redis]]", "[[redis|the store]]");
    assert_eq!(nights.settled("a.md"), "We use [[redis|the store]] here.\n");
    nights.write("redis.md", "");
    assert_eq!(nights.settled("a.md"), "We use [[redis|the store]] here.\n");
}

#[test]
fn links_to_a_note_that_is_gone_are_text_again_and_those_of_people_stay() {
    let mut nights = nights("Redis and kafka.\n");
    nights.write("b.md", "My [[redis]].\n");
    nights.run();
    nights.write("redis.md", "");
    assert_eq!(nights.run(), [UNLINKED]);
    assert_eq!(nights.text("a.md"), "Redis and [[kafka]].\n");
    assert_eq!(nights.text("b.md"), "My [[redis]].\n");
    nights.write("redis.md", "back\n");
    assert_eq!(nights.run(), [LINKED], "what went for a reason comes back with it");
}

#[test]
fn a_link_of_a_person_s_takes_the_place_of_ours() {
    let mut nights = nights("Redis one.\n\nMore.\n");
    nights.run();
    nights.edit("a.md", "More", "[[redis]]");
    assert_eq!(nights.settled("a.md"), "Redis one.\n\n[[redis]].\n");
}

#[test]
fn a_longer_name_takes_the_place_of_a_shorter_one_in_one_run() {
    let mut nights = nights("The Redis cache is warm.\n");
    nights.run();
    nights.write("redis cache.md", "-\n");
    assert_eq!(nights.settled("a.md"), "The [[redis cache|Redis cache]] is warm.\n");
    nights.write("redis cache.md", "");
    assert_eq!(nights.settled("a.md"), "The [[redis|Redis]] cache is warm.\n");
}

#[test]
fn an_entry_that_was_unlinked_stays_so_when_it_is_edited_elsewhere_and_others_are_linked() {
    let mut nights = Nights::new(&[
        ("memory.md", "# m\n\n- 2026-01-01: redis fell\n- 2026-01-02: redis rose\n"),
        TARGETS[0],
    ]);
    nights.run();
    nights.edit("memory.md", "[[redis]] fell", "redis fell");
    let expected = "# m\n\n- 2026-01-01: redis fell\n- 2026-01-02: [[redis]] rose\n";
    assert_eq!(nights.settled("memory.md"), expected);
    nights.edit("memory.md", "redis fell", "redis fell hard");
    nights.edit("memory.md", "rose\n", "rose\n- 2026-01-03: redis slept\n");
    let expected =
        "# m\n\n- 2026-01-01: redis fell hard\n- 2026-01-02: [[redis]] rose\n- 2026-01-03: [[redis]] slept\n";
    assert_eq!(nights.settled("memory.md"), expected);
}

#[test]
fn an_entry_that_went_to_the_archive_took_its_link_along() {
    let mut nights =
        Nights::new(&[("memory.md", "# m\n\n- 2026-01-01: redis fell\n- 2026-01-02: a redis\n"), TARGETS[0]]);
    nights.run();
    nights.edit("memory.md", "- 2026-01-01: [[redis]] fell\n", "");
    nights.write("memory_archive.md", "# a\n\n- 2026-01-01: [[redis]] fell\n");
    nights.edit("memory.md", "a [[redis]]\n", "a [[redis]]\n- 2026-01-05: redis fell\n");
    let expected = "# m\n\n- 2026-01-02: a [[redis]]\n- 2026-01-05: [[redis]] fell\n";
    assert_eq!(nights.settled("memory.md"), expected);
    assert_eq!(nights.text("memory_archive.md"), "# a\n\n- 2026-01-01: [[redis]] fell\n");
}

#[test]
fn an_equal_link_of_a_person_s_is_not_taken_for_one_that_went_to_the_archive() {
    let entries = "- 2026-01-01: redis fell again\n- 2026-01-02: [[redis]] fell once\n";
    let mut nights = Nights::new(&[("memory.md", &format!("# m\n\n{entries}")), TARGETS[0]]);
    nights.run();
    nights.write("memory_archive.md", "# a\n\n- 2026-01-01: [[redis]] fell again\n");
    nights.edit("memory.md", "- 2026-01-01: [[redis]] fell again\n", "");
    nights.run();
    nights.write("redis.md", "");
    assert_eq!(nights.settled("memory.md"), "# m\n\n- 2026-01-02: [[redis]] fell once\n");
}

#[test]
fn an_embed_of_the_same_bytes_is_a_person_s() {
    let mut nights = nights("We like redis\n");
    nights.run();
    nights.write("a.md", "We like this:\n\n![[redis]]\n");
    assert_eq!(nights.settled("a.md"), "We like this:\n\n![[redis]]\n");
}

#[test]
fn a_note_that_holds_an_equal_link_of_a_person_s_is_no_renamed_one() {
    let mut nights = nights("- we like redis\n");
    nights.write("b.md", "- see [[redis]]\n");
    nights.run();
    nights.write("a.md", "");
    nights.write("redis.md", "");
    assert_eq!(nights.settled("b.md"), "- see [[redis]]\n");
}

#[test]
fn another_link_of_a_person_s_in_the_note_is_theirs() {
    let mut nights = nights("redis is fine.\n\nredis rocks, they say.\n");
    nights.run();
    nights.write("a.md", "[[redis]] rocks, they say.\n");
    nights.write("redis.md", "");
    assert_eq!(nights.settled("a.md"), "[[redis]] rocks, they say.\n");
}

#[test]
fn an_entry_that_is_deleted_takes_no_link_from_others_between_the_same_words() {
    let lines = [
        "- 2026-01-02: we use redis for queues\n",
        "- 2026-01-03: they use redis for sessions\n",
        "- 2026-01-04: all use redis for locks\n",
    ];
    let mut nights = Nights::new(&[("memory.md", &format!("# m\n\n{}", lines.concat())), TARGETS[0]]);
    nights.run();
    nights.edit("memory.md", "- 2026-01-02: we use [[redis]] for queues\n", "");
    let left = nights.text("memory.md");
    assert_eq!(nights.settled("memory.md"), left);
    nights.edit("memory.md", "they use [[redis]]", "they use redis");
    let left = nights.text("memory.md");
    assert_eq!(nights.settled("memory.md"), left, "one removal takes one link");
}

#[test]
fn a_row_that_two_machines_wrote_is_one() {
    let mut nights = nights("We use redis here.\n");
    nights.run();
    let row = nights.vault.ledger.links_in(&NotePath::new("a.md").unwrap()).next().unwrap().clone();
    let twin = Row::Linked(Linked { run: "another".to_owned(), ..row });
    nights.vault = nights.vault.with(Vec::new(), vec![Memo::Add(twin)]);
    assert_eq!(nights.settled("a.md"), "We use [[redis]] here.\n");
}

#[test]
fn names_that_mean_something_to_markdown_are_never_linked() {
    let target = (
        "setup-one.md",
        "---\naliases: ['1. Setup', '**bold name**', '- plan b', '# top']\nautolink: true\n---\n",
    );
    let text = "1. Setup\n2. Run\n\n**bold name** here\n\n- plan b\n";
    let mut nights = Nights::new(&[("a.md", text), target]);
    assert_eq!(nights.settled("a.md"), text);
}

#[test]
fn equal_entries_have_a_row_each() {
    let mut nights =
        Nights::new(&[("memory.md", "# m\n\n- a redis\n\n- a redis\n\n- a redis\n"), TARGETS[0]]);
    assert_eq!(nights.run(), [LINKED; 3]);
    assert_eq!(nights.run(), [""; 0]);
    nights.write("redis.md", "");
    assert_eq!(nights.settled("memory.md"), "# m\n\n- a redis\n\n- a redis\n\n- a redis\n");
}

#[test]
fn a_note_that_was_renamed_keeps_what_is_known_of_its_links() {
    let mut nights = nights("Redis and kafka.\n");
    nights.run();
    let text = nights.text("a.md");
    nights.write("a.md", "");
    nights.write("new/b.md", &text);
    assert_eq!(nights.settled("new/b.md"), text);
    nights.write("redis.md", "");
    assert_eq!(nights.settled("new/b.md"), "Redis and [[kafka]].\n");
}

#[test]
fn many_targets_gone_at_once_wait() {
    let names = ["redis", "kafka", "nginx", "mysql", "rabbit"];
    let text = names.join(", ") + "\n";
    let paths: Vec<String> = names.iter().map(|name| format!("{name}.md")).collect();
    let mut notes: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "-\n")).collect();
    notes.push(("a.md", &text));
    let mut nights = Nights::new(&notes);
    nights.run();
    let linked = nights.text("a.md");
    for path in &paths[..3] {
        nights.write(path, "");
    }
    assert_eq!(nights.run(), [UNLINKED; 3], "three are few");
    for path in &paths[..3] {
        nights.write(path, "-\n");
    }
    nights.run();
    assert_eq!(nights.text("a.md"), linked);
    for path in &paths[..4] {
        nights.write(path, "");
    }
    assert_eq!(nights.run(), [""; 0], "four of five wait");
    assert_eq!(nights.text("a.md"), linked);
}

#[test]
fn links_in_the_markdown_style_are_found_again() {
    let config = Layers::new().vault("memkeep.yaml", "relink: {style: markdown}\n").resolve().unwrap().config;
    let settings = Settings { linked: 0.0, suggested: 0.0, ..Settings::new(&config) };
    let mut nights = Nights { job: Relink::new(settings), ..nights("We use Redis.\n") };
    nights.write("x/b.md", "See kafka.\n");
    assert_eq!(nights.settled("a.md"), "We use [Redis](redis.md).\n");
    assert_eq!(nights.text("x/b.md"), "See [kafka](../kafka.md).\n");
    nights.write("redis.md", "");
    assert_eq!(nights.settled("a.md"), "We use Redis.\n");
}

#[test]
fn a_vault_says_what_is_never_linked_and_what_always() {
    let one = |text: &str, settings: &str, target: (&str, &str)| {
        let config = Layers::new().vault("memkeep.yaml", settings).resolve().unwrap().config;
        let job = Relink::new(Settings::new(&config));
        let mut nights = Nights { job, ..Nights::new(&[("a.md", text), target]) };
        nights.run();
        nights.text("a.md")
    };
    let meant = ("zk.md", "---\nautolink: true\n---\n");
    assert_eq!(one("a zk b\n", "", meant), "a [[zk]] b\n");
    assert_eq!(one("a zk b\n", "relink: {ignore: [ZK]}", meant), "a zk b\n");
    assert_eq!(one("a zk b\n", "relink: {no_targets: [zk.md]}", meant), "a zk b\n");
    assert_eq!(one("a zk b\n", "relink: {no_sources: [a.md]}", meant), "a zk b\n");
    assert_eq!(one("# zk\n", "", meant), "# zk\n");
    assert_eq!(one("# zk\n", "relink: {headings: true}", meant), "# [[zk]]\n");
    assert_eq!(one("two zks\n", "relink: {plurals: true}", meant), "two [[zk|zks]]\n");
    assert_eq!(one("two zks\n", "", meant), "two zks\n");
    assert_eq!(one("---\nautolink: false\n---\na zk\n", "", meant), "---\nautolink: false\n---\na zk\n");
    assert_eq!(one("## Chronicle\n\na zk\n", "", meant), "## Chronicle\n\na [[zk]]\n", "a test accepts all");
}

#[test]
fn what_is_in_a_zone_that_only_grows_is_never_sure() {
    let notes = [
        ("p.md", "a redis\n\n## Chronicle\n\n### May\n\na kafka\n\n## More\n\na nginx\n"),
        TARGETS[0],
        TARGETS[1],
        ("nginx.md", "-\n"),
    ];
    let proposal = eager().plan(&super::vault(&notes));
    let folded =
        fold::fold(&super::vault(&notes), &CARD, proposal, 1, &|why| why.certainty == crate::Certainty::Sure);
    assert_eq!(folded.steps.len(), 2);
    assert!(folded.offered[0].after.contains("[[kafka]]"));
}
