//! Boundaries of trim that no case folder shows as well: the example in its own text, undo, splits,
//! rounds, blank lines, odd links, and cost.

use super::*;
use crate::{
    fold::fold,
    vault::{
        Hash, Ledger, NotePath, Row,
        entry::key,
        ledger::{piece_key, state_key},
    },
};
use chrono::NaiveDate;
use config::Layers;
use std::{collections::BTreeMap, sync::Arc};

const TODAY: &str = "2026-11-30";

/// A vault of these notes after one run of trim with these settings, and what was found.
fn run(settings: &str, notes: &[(&str, &str)]) -> (BTreeMap<String, String>, Vec<String>) {
    run_on(settings, notes, Ledger::default())
}

fn run_on(settings: &str, notes: &[(&str, &str)], ledger: Ledger) -> (BTreeMap<String, String>, Vec<String>) {
    let vault = vault(notes, ledger);
    let job = trim(settings);
    let folded = fold(&vault, job.card(), job.plan(&vault), 1, &|_| true);
    let again = job.plan(&folded.vault);
    assert!(again.changes.is_empty(), "a second run changes nothing: {:#?}", again.changes);
    assert!(again.remember.is_empty(), "a second run remembers nothing: {:?}", again.remember);
    let text = |note: &Arc<Note>| (note.path.to_string(), note.text.to_string());
    let told = |found: &crate::Finding| format!("{}: {}", found.rule, found.message);
    (folded.vault.notes().iter().map(text).collect(), folded.findings.iter().map(told).collect())
}

fn vault(notes: &[(&str, &str)], ledger: Ledger) -> Vault {
    let note = |(path, text): &(&str, &str)| Arc::new(Note::of_text(NotePath::new(path).unwrap(), *text));
    Vault::new(notes.iter().map(note).collect(), ledger, TODAY.parse().unwrap())
}

fn trim(settings: &str) -> Trim {
    Trim::new(&Layers::new().vault("memkeep.yaml", settings).resolve().unwrap().config)
}

fn lines(max: usize, keep: usize) -> String {
    format!("trim: {{max_lines: {max}, keep_lines: {keep}}}\n")
}

/// A memory with one dated item a day, under `head`.
fn log(head: &str, days: std::ops::RangeInclusive<u32>) -> String {
    let items = days.map(|day| format!("- 2026-03-{day:02}: day {day}\n"));
    format!("{head}{}", items.collect::<String>())
}

#[test]
fn the_example_in_the_text_is_what_the_job_does() {
    let block = |name: &str| {
        let (_, rest) = CARD.about.split_once(&format!("```{name}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    let (after, found) = run(&lines(8, 7), &[("memory.md", block("before"))]);
    assert_eq!(after["memory.md"], block("after"));
    assert_eq!(after["memory_archive.md"], block("archive"));
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_memory_whose_trim_was_undone_is_left_alone_until_it_changes() {
    let memory = log("# m\n\n## Log\n\n", 1..=9);
    let refused = Row::Refused {
        job: "trim".into(),
        path: NotePath::new("memory.md").unwrap(),
        note: state_key(Some(Hash::of(memory.as_bytes()))),
        piece: piece_key("- 2026-03-01: day 1\n", ""),
        config: String::new(),
    };
    let ledger = || Ledger::new([refused.clone()], BTreeMap::from([("trim".into(), String::new())]));
    let moved = |memory: &str| run_on(&lines(12, 10), &[("memory.md", memory)], ledger()).0.len() > 1;
    assert!(!moved(&memory) && moved(&format!("{memory}- one more\n")));
}

#[test]
fn an_undated_entry_ages_from_the_day_it_was_first_seen() {
    let memory = log("# m\n\n## Log\n\n- a rule\n", 1..=8);
    let seen = |day: &str| {
        Ledger::new([Row::Seen { key: key("- a rule"), day: day.parse().unwrap() }], BTreeMap::new())
    };
    let stays =
        |ledger| run_on(&lines(12, 11), &[("memory.md", &memory)], ledger).0["memory.md"].contains("a rule");
    assert!(!stays(seen("2026-01-01")));
    assert!(stays(seen("2026-04-01")) && stays(Ledger::default()));
}

#[test]
fn what_was_never_seen_is_remembered_once() {
    let vault =
        vault(&[("a/memory.md", "# m\n\n- one\n- two\n"), ("b/memory.md", "- one\n")], Ledger::default());
    assert_eq!(trim("").plan(&vault).remember.len(), 2, "a short memory too, and an equal entry once");
}

#[test]
fn a_split_by_year_takes_each_entry_to_its_year() {
    let settings = "trim: {max_lines: 9, keep_lines: 8, archive_bytes: 10, split: year}\n";
    let memory = "# m\n\n## Log\n\n- 2025-12-30: a\n- 2026-01-02: b\n- 2026-03-01: c\n- 2026-04-01: d\n- 2026-05-01: e\n- 2026-06-01: f\n";
    let (after, found) = run(settings, &[("memory.md", memory), ("memory_archive.md", "# m: archive\n")]);
    assert_eq!(
        after["memory_archive.md"],
        "# m: archive\n\nGoes on in: [memory_archive-2025.md](memory_archive-2025.md), [memory_archive-2026.md](memory_archive-2026.md)\n"
    );
    assert!(after["memory_archive-2025.md"].ends_with("## Log\n\n- 2025-12-30: a\n"));
    assert!(after["memory_archive-2026.md"].contains("- 2026-01-02: b\n"));
    assert_eq!(after["memory.md"].matches("Older entries: [memory_archive.md]").count(), 1);
    assert_eq!(found, [""; 0]);
}

#[test]
fn what_is_left_of_a_section_leaves_as_one_when_its_items_are_gone() {
    let memory = "# m\n\n## Week of 2026-03-02\n\nWhat happened.\n\n- 2026-03-02: a\n- 2026-03-03: b\n\nWhat was learnt.\n\n## 2026-06-01\n\nnew\n";
    let (after, _) = run(&lines(10, 7), &[("memory.md", memory)]);
    assert_eq!(
        after["memory.md"],
        "# m\n\nOlder entries: [memory_archive.md](memory_archive.md)\n\n## 2026-06-01\n\nnew\n"
    );
    assert!(after["memory_archive.md"].contains(
        "## Week of 2026-03-02\n\nWhat happened.\n\n- 2026-03-02: a\n- 2026-03-03: b\n\nWhat was learnt.\n"
    ));
}

#[test]
fn a_marked_entry_with_a_heading_of_its_own_moves_whole() {
    let entry =
        |id: u32| format!("<!-- memory: a{id} -->\nSaved 2026-03-0{id}.\n\n## Schedule\n\n- Monday\n\n");
    let memory = format!("# m\n\n{}{}{}", entry(1), entry(2), entry(3));
    let (after, _) = run(&lines(20, 12), &[("memory.md", &memory)]);
    let (kept, archived) = (&after["memory.md"], &after["memory_archive.md"]);
    assert!(
        archived.contains(entry(1).trim_end()) && !kept.contains("a1") && kept.contains(entry(3).trim_end())
    );
    assert_eq!(kept.matches("<!-- memory").count(), kept.matches("## Schedule").count());
}

#[test]
fn the_last_marked_entry_is_not_torn_once_the_others_left() {
    let entry = |id: u32| format!("<!-- id: a{id} -->\n- 2026-03-0{id}: x\n- y{id}\n- z{id}\n\n");
    let memory = format!("# m\n\n{}{}", entry(1), entry(2));
    let (after, found) = run(&lines(6, 2), &[("memory.md", &memory)]);
    assert!(after["memory.md"].contains("<!-- id: a2 -->\n- 2026-03-02: x\n- y2\n- z2\n"));
    assert!(after["memory_archive.md"].contains("<!-- id: a1 -->\n- 2026-03-01: x\n- y1\n- z1\n"));
    assert!(found[0].starts_with("trim/over: still has 9 lines, limit 6"), "{found:?}");
}

#[test]
fn gaps_neither_double_nor_close() {
    for (memory, wanted) in [
        (
            "# m\n\npara\n- 2026-03-01: a\n- 2026-03-02: b\n\nend\n",
            "# m\n\nP\n\npara\n- 2026-03-02: b\n\nend\n",
        ),
        ("# m\n\n**Do:**\n1. 2026-03-01: a\n2. 2026-03-02: b\n", "# m\n\nP\n\n**Do:**\n\n2. 2026-03-02: b\n"),
        ("# m\n## L\n- 2026-03-01: a\n## M\n- 2026-03-02: b\n", "# m\n\nP\n\n## L\n## M\n- 2026-03-02: b\n"),
        ("# m\n\n- 2026-03-01: a\n\n\n- 2026-03-02: b\n\n\n\n- 2026-03-03: c", "# m\n\nP\n\n- 2026-03-03: c"),
        ("# m\n\n- 2026-03-03: c\n\n- 2026-03-01: a\n\n", "# m\n\nP\n\n- 2026-03-03: c\n"),
        ("\n\n- 2026-03-01: a\n- 2026-03-02: b\n", "P\n\n\n- 2026-03-02: b\n"),
    ] {
        let (after, found) = run("trim: {max_lines: 3, keep_lines: 1}\n", &[("memory.md", memory)]);
        let wanted = wanted.replace('P', "Older entries: [memory_archive.md](memory_archive.md)");
        assert_eq!(after["memory.md"], wanted, "{memory:?} {found:?}");
    }
}

#[test]
fn a_comment_over_two_entries_is_not_cut() {
    let html = log("# m\n\n## Log\n\n- 2026-01-01: a\n  <!-- x\n- 2026-01-02: b --> y\n", 1..=8);
    let (after, _) = run(&lines(14, 12), &[("memory.md", &html)]);
    assert!(after["memory.md"].contains("- 2026-01-01: a\n  <!-- x\n- 2026-01-02: b --> y\n"));
    let inline = log("# m\n\n## Log\n\n- 2026-01-01: a %% x\n- 2026-01-02: b %% y\n", 1..=8);
    let (after, _) = run(&lines(12, 11), &[("memory.md", &inline)]);
    assert!(after["memory_archive.md"].contains("- 2026-01-01: a %% x\n- 2026-01-02: b %% y\n"));
}

#[test]
fn a_correction_that_names_a_heading_stays_with_it() {
    let memory = "# m\n\n## 2026-01-01 The port range\n\nfrom 7000 📌\n\n## 2026-02-01\n\nThis corrects the port range: from 7100.\n\n## 2026-02-02\n\nother\n\n## 2026-03-01\n\nnew\n";
    let (after, _) = run(&lines(14, 12), &[("memory.md", memory)]);
    assert!(after["memory.md"].contains("from 7100") && !after["memory.md"].contains("other"));
    let plain = memory.replace(" 📌", "");
    let (after, _) = run(&lines(14, 12), &[("memory.md", &plain)]);
    assert!(!after["memory.md"].contains("from 7000"), "unpinned it leaves first");
}

#[test]
fn an_old_entry_that_names_its_later_correction_keeps_it() {
    let memory = "# m\n\n- 2026-01-01: port 7000, superseded by 2026-02-01 #pinned\n- 2026-02-01: port 7100\n- 2026-02-02: b\n- 2026-02-03: c\n- 2026-02-04: d\n- 2026-02-05: e\n";
    let (after, _) = run(&lines(7, 6), &[("memory.md", memory)]);
    assert!(after["memory.md"].contains("port 7100") && !after["memory.md"].contains("2026-02-02"));
}

#[test]
fn links_follow_what_they_lead_to() {
    let memory = "# m\n\n## 2026-01-01 Ports\n\ntext ^p1\n\n## 2026-02-01 Hosts\n\nsee [[#2026-01-01 Ports]]\n\n## 2026-03-01 New\n\nx\n";
    let other = "[[p/memory#2026-01-01 Ports]] [a](p/memory.md#2026-01-01%20Ports) [[p/memory#^p1|b]] [[memory#2026-01-01 Ports]] ![[p/memory#^p1]]\n\n|t|\n|-|\n|[[p/memory#^p1]]|\n";
    let notes = [("p/memory.md", memory), ("q/memory.md", "# q\n"), ("x.md", other)];
    let (after, found) = run(&lines(12, 11), &notes);
    assert_eq!(
        after["x.md"],
        "[[p/memory_archive#2026-01-01 Ports|memory > 2026-01-01 Ports]] [a](p/memory_archive.md#2026-01-01%20Ports) [[p/memory_archive#^p1|b]] [[memory#2026-01-01 Ports]] ![[p/memory_archive#^p1]]\n\n|t|\n|-|\n|[[p/memory_archive#^p1\\|memory > ^p1]]|\n"
    );
    assert!(after["p/memory.md"].contains("[[memory_archive#2026-01-01 Ports|2026-01-01 Ports]]"));
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_name_with_blanks_makes_a_link_that_works() {
    let (after, _) = run(
        &format!("memory: ['my notes (a).md']\n{}", lines(6, 5)),
        &[("my notes (a).md", &log("# m\n\n", 1..=6))],
    );
    assert!(after["my notes (a).md"].contains("[my notes (a)_archive.md](my%20notes%20%28a%29_archive.md)"));
}

#[test]
fn a_memory_of_crlf_and_bom_keeps_both() {
    let memory = format!("\u{feff}{}", log("# m\n\n", 1..=6).replace('\n', "\r\n"));
    let (after, _) = run(&lines(6, 5), &[("memory.md", &memory)]);
    assert!(after["memory.md"].starts_with("\u{feff}# m\r\n\r\nOlder entries"));
    for text in after.values() {
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
    }
}

#[test]
fn what_keeps_a_memory_too_long_is_told_with_numbers() {
    let memory =
        "# m\n\n## NOW\n\n- a\n- b\n\n## L\n\n- 2025-01-01: c 📌\n- 2027-01-01: d\n- 2026-01-01: e\n";
    let (_, found) = run(&lines(11, 5), &[("memory.md", memory)]);
    assert_eq!(
        found,
        [
            "trim/future: an entry is dated 2027-01-01, after today (2026-11-30)",
            "trim/stuck: has 12 lines, limit 11, and nothing in it may move (what stays: 2 in a zone that stays, 1 pinned, 1 from the future, 1 newest)",
        ]
    );
}

#[test]
fn limits_hold_to_the_line_and_byte() {
    let stays = |max_lines, max_bytes: usize, memory: &str| {
        let settings = format!(
            "trim: {{max_lines: {max_lines}, keep_lines: 3, max_bytes: {max_bytes}, keep_bytes: 30}}\n"
        );
        run(&settings, &[("memory.md", memory)]).0.len() == 1
    };
    let memory = log("# m\n\n", 1..=8);
    let n_bytes = memory.len();
    assert!(stays(10, n_bytes, &memory) && !stays(9, n_bytes, &memory) && !stays(10, n_bytes - 1, &memory));
    let cut = memory.trim_end();
    assert!(stays(10, n_bytes, cut) && !stays(9, n_bytes, cut), "a last line without an end is a line");
}

#[test]
fn a_memory_of_many_entries_is_trimmed_in_near_linear_time() {
    let day = |n: u32| NaiveDate::from_num_days_from_ce_opt(730_000 + i32::try_from(n).unwrap()).unwrap();
    let dated =
        (0..5_000).map(|n| format!("- {}: correction to {} of **the same thing**\n", day(n), day(n / 2)));
    let undated =
        (0..2_000).map(|n| format!("## Part {n}\n\n**Fixed the thing:**\n- item {n} corrects the thing\n\n"));
    let memory = format!("# m\n\n{}{}", dated.collect::<String>(), undated.collect::<String>());
    let (after, _) = run("", &[("memory.md", &memory)]);
    assert!(after["memory_archive.md"].len() > 100_000);
}

#[test]
fn a_section_takes_along_the_items_that_stood_at_its_end() {
    let memory =
        "# Log\n- one\n\n## 2026-11-29 session\n\n- 2026-11-29: two\n\nprose\n\n- 2026-11-28: three\n";
    let (after, _) = run(&lines(5, 3), &[("memory.md", memory)]);
    assert_eq!(after["memory_archive.md"].matches("## 2026-11-29 session").count(), 1);
    assert!(after["memory_archive.md"].ends_with(memory.split_once("## ").unwrap().1));
}
