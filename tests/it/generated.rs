//! Vaults out of a generator: memories, facts, archives and other notes as people and agents write them, with
//! all that makes a trim, a repair of frontmatter or a link go wrong. proptest prints the seed of a vault that breaks a law, and shrinks it.

use crate::{figure::is_nightly, topics};
use chrono::{Days, NaiveDate};
use config::{Config, Layers};
use jobs::vault::{Ledger, Note, NotePath, Vault};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config as Settings, RngAlgorithm, TestRng, TestRunner},
};
use std::{collections::BTreeMap, sync::Arc};

/// Calls `check` with `cases` vaults and small budgets.
pub fn each(cases: u32, mut check: impl FnMut(&Vault, &Config) -> Result<(), String>) {
    run(cases, &vault(), |notes| {
        let vault = Vault::new(notes.iter().map(built).collect(), Ledger::default(), day(0));
        check(&vault, &config())
    });
}

/// Calls `check` with `cases` values; one that fails is shrunk and shown with its seed.
pub fn run<S: Strategy>(cases: u32, strategy: &S, mut check: impl FnMut(&S::Value) -> Result<(), String>) {
    let settings =
        Settings { cases, failure_persistence: None, max_shrink_iters: 2000, ..Settings::default() };
    let check = std::cell::RefCell::new(&mut check);
    // Every push tries the same vaults, so that a failure is the change's own; a night tries new ones.
    let mut runner = match is_nightly() {
        true => TestRunner::new(settings),
        false => TestRunner::new_with_rng(settings, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    };
    let result = runner.run(strategy, |value| (check.borrow_mut())(&value).map_err(TestCaseError::fail));
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// The settings of generated vaults.
pub fn config() -> Config {
    let text =
        "trim: {max_lines: 14, max_bytes: 900, keep_lines: 9, keep_bytes: 600, projects: ['project_*']}\n";
    Layers::new().vault("memkeep.yaml", text).resolve().expect("settings").config
}

/// Path and text of each note.
pub fn vault() -> impl Strategy<Value = Vec<(String, String)>> {
    let own = vec((name(), note()), 1..6);
    let topics = prop_oneof![1 => Just(Vec::new()), 3 => topics::notes()];
    (own, topics).prop_map(|(own, topics)| {
        topics.into_iter().chain(own).collect::<BTreeMap<_, _>>().into_iter().collect()
    })
}

fn built((path, text): &(String, String)) -> Arc<Note> {
    Arc::new(Note::from_bytes(NotePath::new(path).expect("a path"), text.clone().into_bytes()))
}

fn day(ago: u64) -> NaiveDate {
    let today = NaiveDate::from_ymd_opt(2026, 11, 30).expect("a day");
    today.checked_sub_days(Days::new(ago)).expect("a day")
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("memory.md".to_owned()),
        2 => Just("projects/a/memory.md".to_owned()),
        1 => Just("memory_archive.md".to_owned()),
        1 => Just("projects/a/memory_archive.md".to_owned()),
        1 => Just("project_x.md".to_owned()),
        1 => Just("notes/other.md".to_owned()),
        7 => Just("memory/user_a.md".to_owned()),
        4 => Just("memory/archive/project_b.md".to_owned()),
        1 => Just("memory/2026-11-01.md".to_owned()),
    ]
}

/// A block with what normalise repairs, tells and leaves alone, each line as people write it.
fn front() -> impl Strategy<Value = String> {
    const LINES: [&str; 78] = [
        "name: user_a",
        "name: other name # why",
        "description: plain words",
        "description: see #41, then rest",
        "description: \"A: B\"",
        "description: no",
        "description: >-\n  folded: text\n  and 'more'",
        "descripton: misspelt",
        "Description: in another case",
        "description: a: b",
        "type: project",
        "type: Feedback",
        "Type: Project",
        "type: [user]",
        "type:",
        "Typ: user",
        "types: x",
        "metadata: \n  node_type: memory\n  type: feedback",
        "status: wip",
        "status: ✅ done",
        "status: 'In Progress'   # since May",
        "status: active",
        "status: fixed",
        "status: strange",
        "status:",
        "status: &a done",
        "STATUS : todo",
        "statsu: idea",
        "statuss: wip",
        "Status: done",
        "area: acme",
        "title: Other: note",
        "title: See #4",
        "titel: Other",
        "tags: a b",
        "tags: #a\n  #b",
        "tags: machine learning",
        "tags: a, b",
        "tags: one",
        "tag: a",
        "tags: #a #b",
        "tags: \"#a #b/c\"",
        "tags: [a, '#b', a]",
        "tags:\n- a\n- a\n- b # c",
        "tags:\n  - #a\n  - #b",
        "tags: a, (b)",
        "Tags: [a]",
        "alias: A, B",
        "aliases: A, B",
        "aliases: One, Two, Three",
        "aliases: One",
        "aliases: 10,000 Hours",
        "aliases: 10,000 Hours, B 1,5, C",
        "aliases: Dr. Smith, Jr.",
        "aliases: \"A, B\"",
        "aliases:\n  - A\n  - A",
        "aliases: [[A]]",
        "created: 2026/03/16",
        "created: 2026-03-16T10:00:00+01:00",
        "created: 03/04/2026",
        "created: 2026-13-45",
        "date: 2026-03-16",
        "updated: 2026.03.16",
        "created: \"March 16, 2026\"",
        "updated: 16.03.2026 # c",
        "start: 10:00",
        "version: 1.10",
        "# a comment",
        "",
        "<<: *a",
        "date: {{date}}",
        "quoted: 'it''s'",
        "literal: |+\n  text\n\n  - no item\n",
        "nested:\n  status: wip\n  tags: a b",
        "url: https://x.org/#frag",
        "キー: 値",
        "? odd\n: key",
        "tab:\tvalue",
    ];
    let line = proptest::sample::select(LINES.to_vec());
    let close =
        prop_oneof![8 => Just("---\n"), 1 => Just("...\n"), 1 => Just("---\n\n---\nname: second\n---\n")];
    // Most say what kind of note it is, so that something may be missing; the others may be any page.
    let kind = proptest::sample::select(vec![
        "",
        "name: user_a\n",
        "type: user\ndescription: d\n",
        "name: user_a\ndescription: d\n",
        "name: user_a\ntype: user\nstatus: wip\n",
        "name: user_a\ndescription: d\nstatus: done\n",
        "description: d\nmetadata:\n  type: user\nstatus: todo\n",
    ]);
    (kind, vec(line, 0..6), close).prop_map(|(kind, lines, close)| {
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        format!("---\n{kind}{lines}{close}")
    })
}

fn note() -> impl Strategy<Value = String> {
    let front = prop_oneof![
        3 => Just(String::new()),
        1 => Just("---\nname: x # why\ntags: [a, b]\n---\n".to_owned()),
        1 => Just("---\nbroken: [\n---\n".to_owned()),
        12 => front(),
    ];
    let shape = (any::<bool>(), 0u8..6, any::<bool>());
    (front, vec(block(), 6..30), shape).prop_map(|(front, blocks, (has_bom, ends, has_end))| {
        let mut text = front + &blocks.concat();
        if !has_end {
            text.truncate(text.trim_end_matches('\n').len());
        }
        if ends == 0 {
            text = text.replace('\n', "\r\n");
        }
        if has_bom && ends == 1 { format!("\u{feff}{text}") } else { text }
    })
}

fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => heading(),
        8 => item(),
        1 => words().prop_map(|text| format!("\n{text}\n\n")),
        1 => topics::block(),
        1 => Just("\n**Fixed:**\n\n".to_owned()),
        1 => Just("\nOpen questions:\n".to_owned()),
        1 => Just("\n```rust\n- 2026-01-01: not an item\n\n# not a heading\n```\n\n".to_owned()),
        1 => Just("\n| a | b |\n|---|---|\n| 1 | 2 |\n\n".to_owned()),
        1 => Just("\n<!-- a comment\n\n- 2026-01-02: hidden\n-->\n\n".to_owned()),
        1 => Just("\n%%\n- 2026-01-03: hidden\n\n%%\n\n".to_owned()),
        1 => Just("\n> quoted\n> - item\n\n".to_owned()),
        1 => Just("\n".to_owned()),
        1 => Just("\n[^n]: a footnote\n\n[ref]: https://example.org\n\n".to_owned()),
        1 => Just("\n---\n\n".to_owned()),
        1 => Just("\n```\nnever closed\n".to_owned()),
    ]
}

fn heading() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        Just("Log".to_owned()),
        Just("NOW".to_owned()),
        Just("Decisions".to_owned()),
        Just("Chronicle".to_owned()),
        Just("Rules 📌".to_owned()),
        Just("記録".to_owned()),
        date().prop_map(|date| format!("{date} session")),
        date(),
    ];
    (1usize..5, text, any::<bool>()).prop_map(|(level, text, is_loose)| {
        let gap = if is_loose { "\n" } else { "" };
        format!("\n{} {text}\n{gap}", "#".repeat(level))
    })
}

fn item() -> impl Strategy<Value = String> {
    let marker = prop_oneof![4 => Just("- "), 1 => Just("* "), 1 => Just("1. "), 1 => Just("- [x] "), 1 => Just("- [ ] ")];
    let lead = prop_oneof![
        3 => Just(String::new()),
        4 => date().prop_map(|date| format!("{date}: ")),
        1 => date().prop_map(|date| format!("**{date}** ")),
    ];
    let rest = prop_oneof![
        8 => Just(String::new()),
        1 => Just("\n  - below\n    - deeper".to_owned()),
        1 => Just("\n\n  a paragraph of it".to_owned()),
        1 => Just("\n\n  ```sh\n  make\n\n  # done\n  ```".to_owned()),
        1 => Just(" 📌".to_owned()),
        1 => Just(" [^n]".to_owned()),
        1 => Just(" ^block-1".to_owned()),
        1 => Just(" correction to [[#^block-1]]".to_owned()),
        1 => Just("\nlazy line".to_owned()),
        1 => date().prop_map(|date| format!(" ✅ {date}")),
    ];
    (marker, lead, words(), rest, any::<u8>()).prop_map(|(marker, lead, words, rest, gap)| {
        format!("{marker}{lead}{words}{rest}\n{}", if gap < 30 { "\n" } else { "" })
    })
}

fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        1 => Just("queue"),
        1 => Just("the"),
        1 => Just("retry"),
        1 => Just("[[other|note]]"),
        1 => Just("`code`"),
        1 => Just("ключ"),
        1 => Just("設計"),
        1 => Just("é"),
        1 => Just("🙂"),
        1 => Just("https://example.org/a"),
        1 => Just("#tag"),
        1 => Just("**bold**"),
        4 => topics::mention(),
    ];
    vec(word, 1..9).prop_map(|words| words.join(" "))
}

fn date() -> impl Strategy<Value = String> {
    (0u64..400, 0usize..5).prop_map(|(ago, form)| {
        let forms = ["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%B %d, %Y", "%Y年%-m月%-d日"];
        day(ago).format(forms[form]).to_string()
    })
}
