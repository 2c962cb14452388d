//! Claims of the job as a whole. A vault in which people link some notes teaches it to link the rest.

mod memory;
mod order;

use super::{Relink, Settings};
use crate::{
    Change, Job, Proposal,
    vault::{Ledger, Note, NotePath, Vault},
};
use chrono::NaiveDate;
use config::Config;
use proptest::prelude::*;
use std::sync::Arc;

fn vault(notes: &[(&str, &str)]) -> Vault {
    let note = |(path, text): &(&str, &str)| Arc::new(Note::of_text(NotePath::new(path).unwrap(), *text));
    Vault::new(notes.iter().map(note).collect(), Ledger::default(), NaiveDate::default())
}

/// A job that links whatever is a mention: what is found, whatever the judgement.
fn eager() -> Relink {
    Relink::new(Settings { linked: 0.0, suggested: 0.0, ..Settings::new(&Config::default()) })
}

fn plan(job: &Relink, notes: &[(&str, &str)]) -> Proposal {
    job.plan(&vault(notes))
}

/// The text of note `a.md` after an eager run; `targets` are other notes, each as path and frontmatter.
fn linked(text: &str, targets: &[(&str, &str)]) -> String {
    let mut notes: Vec<(&str, &str)> = targets.to_vec();
    notes.push(("a.md", text));
    after(&plan(&eager(), &notes), "a.md", text)
}

fn after(proposal: &Proposal, path: &str, text: &str) -> String {
    let mut out = text.to_owned();
    for change in proposal.changes.iter().rev() {
        let Change::Noted { note, edits, .. } = change else { continue };
        for edit in edits.iter().rev().filter(|_| note.as_str() == path) {
            assert_eq!(edit.span.of(text), edit.expect);
            out.replace_range(edit.span.start..edit.span.end, &edit.put);
        }
    }
    out
}

fn is_left_alone(text: &str, targets: &[(&str, &str)]) {
    assert_eq!(linked(text, targets), text);
}

const REDIS: &[(&str, &str)] = &[("redis.md", "")];

#[test]
fn the_first_mention_becomes_a_link_and_the_words_stay() {
    assert_eq!(linked("redis, Redis and redis.\n", REDIS), "[[redis]], Redis and redis.\n");
    assert_eq!(linked("Use Redis.\n", REDIS), "Use [[redis|Redis]].\n");
}

#[test]
fn a_note_that_links_the_target_already_gets_no_second_link() {
    for text in [
        "[[redis]] and redis\n",
        "redis, then [[redis|it]]\n",
        "# See [[redis]]\n\nredis\n",
        "redis [x](redis.md)\n",
    ] {
        is_left_alone(text, REDIS);
    }
}

#[test]
fn addresses_links_and_definitions_are_left_alone() {
    is_left_alone(
        "see `x` https://pkg.example.net/v1 and [x](https://a.net)\n",
        &[("net.md", ""), ("v1.md", "")],
    );
    for text in
        ["[the Redis guide](https://x)\n", "[Redis][r]\n\n[r]: https://x/Redis\n", "![[img Redis.png]]\n"]
    {
        is_left_alone(text, REDIS);
    }
}

#[test]
fn code_of_any_shape_is_left_alone() {
    for text in [
        "~~~\nredis\n~~~\n",
        "````\n```\nredis\n```\nredis\n````\n",
        "```\nredis\n",
        "- item\n\n  ```\n  redis\n  ```\n",
        "    redis\n",
        "a `redis` b\n",
        "$redis$ and $$\nredis\n$$\n",
        "<!-- redis -->\n\n%% redis %%\n",
        "{{redis}} <% redis %>\n",
        "redis:: 1\n",
        "# redis\n",
        "---\nuses: redis\n---\n",
        "text[^redis]\n\n[^redis]: note\n",
        "line ^redis\n",
    ] {
        is_left_alone(text, REDIS);
    }
}

#[test]
fn parts_of_words_tags_and_paths_are_left_alone() {
    for text in [
        "#redis",
        "#infra/redis",
        "redis-cli",
        "redis_conf",
        "src/redis/x",
        "@redis",
        "redis.md",
        "predis",
        "a@redis.com",
    ] {
        is_left_alone(&format!("{text}\n"), REDIS);
    }
    is_left_alone("a Notebook\n", &[("Note.md", "")]);
}

#[test]
fn acronyms_match_by_case() {
    let targets = &[("WHO.md", ""), ("IT.md", ""), ("MIA.md", "")];
    is_left_alone("someone who said it is la mia\n", targets);
    assert_eq!(linked("the WHO said\n", targets), "the [[WHO]] said\n");
}

#[test]
fn single_characters_numbers_and_days_are_no_names() {
    is_left_alone(
        "J and 10 in 都 on 2026-02-10, C++, 12\n",
        &[("x.md", "---\naliases: [J, '10', 都, C++]\n---\n"), ("12.md", ""), ("2026-02-10.md", "")],
    );
}

#[test]
fn common_short_words_are_not_even_suggested_where_nobody_links_them() {
    let notes = [
        ("a.md", "In Jan, as we said, if that is so.\n"),
        ("x.md", "---\naliases: [Jan, As, If]\n---\n"),
        ("test.md", ""),
        ("b.md", "We test this, as if in jan.\n"),
    ];
    let job = Relink::new(Settings::new(&Config::default()));
    assert_eq!(plan(&job, &notes).changes, []);
}

#[test]
fn a_note_never_links_itself() {
    let text = "VPN and VPN again\n";
    assert_eq!(plan(&eager(), &[("VPN.md", text)]).changes, []);
}

#[test]
fn lists_quotes_and_tasks_are_prose() {
    for (text, expected) in [
        ("- foo bar\n", "- [[foo bar]]\n"),
        ("1. foo bar\n", "1. [[foo bar]]\n"),
        ("> foo bar\n", "> [[foo bar]]\n"),
        ("- [ ] foo bar\n", "- [ ] [[foo bar]]\n"),
        ("**foo bar**: x\n", "**[[foo bar]]**: x\n"),
    ] {
        assert_eq!(linked(text, &[("foo bar.md", "")]), expected);
    }
}

#[test]
fn notes_of_one_stem_are_skipped_and_listed() {
    let targets =
        &[("x/apple.md", "---\ntitle: Red Apple\n---\n"), ("y/apple.md", "---\ntitle: Green Apple\n---\n")];
    is_left_alone("apple and Red Apple\n", targets);
    let mut notes = targets.to_vec();
    notes.push(("a.md", "an apple\n"));
    let findings = plan(&eager(), &notes).findings;
    assert_eq!(findings.len(), 1);
    assert!(findings[0].message.contains("`x/apple.md` and `y/apple.md`"), "{}", findings[0].message);
}

#[test]
fn a_stem_beats_an_alias_and_two_aliases_beat_nobody() {
    let stem = &[("red.md", ""), ("x.md", "---\naliases: [red]\n---\n")];
    assert_eq!(linked("so red\n", stem), "so [[red]]\n");
    let aliases = &[("y.md", "---\naliases: [red]\n---\n"), ("x.md", "---\naliases: [red]\n---\n")];
    is_left_alone("so red\n", aliases);
}

#[test]
fn in_a_table_the_bar_is_escaped() {
    let text = "| a | b |\n|---|---|\n| Redis | x |\n";
    assert_eq!(linked(text, REDIS), "| a | b |\n|---|---|\n| [[redis\\|Redis]] | x |\n");
}

#[test]
fn a_title_links_to_its_file() {
    let target = &[("sprint-planning.md", "---\ntitle: Sprint Planning\n---\n")];
    let expected = "the [[sprint-planning|Sprint Planning]] meeting\n";
    assert_eq!(linked("the Sprint Planning meeting\n", target), expected);
    assert_eq!(linked("the Sprint Planning meeting\n", &[("sprint-planning.md", "")]), expected);
    is_left_alone("the Sprint\nPlanning meeting\n", target);
}

#[test]
fn composed_and_decomposed_spellings_meet_and_keep_their_bytes() {
    let (nfc, nfd) = ("r\u{e9}sum\u{e9}", "re\u{301}sume\u{301}");
    let (nfc_file, nfd_file) = (format!("{nfc}.md"), format!("{nfd}.md"));
    assert_eq!(linked(&format!("my {nfc}\n"), &[(&nfd_file, "")]), format!("my [[{nfd}|{nfc}]]\n"));
    assert_eq!(linked(&format!("my {nfd}\n"), &[(&nfc_file, "")]), format!("my [[{nfc}|{nfd}]]\n"));
}

#[test]
fn scripts_without_blanks_are_searched_within_their_runs() {
    assert_eq!(linked("ไปเชียงใหม่เมื่อวาน\n", &[("เชียงใหม่.md", "")]), "ไป[[เชียงใหม่]]เมื่อวาน\n");
    is_left_alone("ก ไก่\n", &[("x.md", "---\naliases: [ก]\n---\n")]);
    // A vowel sign belongs to its letter: a name does not end before it.
    is_left_alone("กินดี\n", &[("กินด.md", "")]);
}

#[test]
fn offsets_hold_after_long_characters_and_with_every_line_end() {
    assert_eq!(linked("é 👩‍👩‍👧 Ⱥ ß K redis\r\nx\r\n", REDIS), "é 👩‍👩‍👧 Ⱥ ß K [[redis]]\r\nx\r\n");
    assert_eq!(
        linked("\u{feff}---\r\ntags: redis\r\n---\r\nredis\r", REDIS),
        "\u{feff}---\r\ntags: redis\r\n---\r\n[[redis]]\r"
    );
}

#[test]
fn the_longest_free_name_wins_and_hides_no_shorter_one() {
    let targets = &[("new york cit.md", ""), ("york.md", ""), ("city.md", ""), ("new york.md", "")];
    assert_eq!(linked("new york city\n", targets), "[[new york]] [[city]]\n");
}

#[test]
fn a_link_that_would_change_something_else_is_not_made() {
    is_left_alone("x**redis**y\n", REDIS);
    is_left_alone("\\redis and !redis and [redis]\n", REDIS);
}

#[test]
fn one_link_that_would_do_harm_keeps_none_of_the_others_away() {
    let targets = &[("redis.md", ""), ("kafka.md", ""), ("nginx.md", ""), ("mysql.md", "")];
    let expected = "[[kafka]] x**redis**y [[nginx]]\n\n[[mysql]]\n";
    assert_eq!(linked("kafka x**redis**y nginx\n\nmysql\n", targets), expected);
}

#[test]
fn an_entry_of_a_board_is_a_unit_of_its_own() {
    let text = "# Log\n\n- 2026-01-01: redis\n- 2026-01-02: redis, redis\n";
    let notes = [("p/memory.md", text), ("redis.md", "")];
    let expected = "# Log\n\n- 2026-01-01: [[redis]]\n- 2026-01-02: [[redis]], redis\n";
    assert_eq!(after(&plan(&eager(), &notes), "p/memory.md", text), expected);
}

#[test]
fn archives_and_indexes_are_never_edited() {
    let text = "redis\n";
    let notes =
        [("p/memory_archive.md", text), ("p/MEMORY.md", text), ("archive/x.md", text), ("redis.md", "")];
    assert_eq!(plan(&eager(), &notes).changes, []);
}

#[test]
fn a_name_that_nobody_links_and_everybody_says_is_held_back_and_named() {
    let paths: Vec<String> = (0..40).map(|n| format!("n{n:02}x.md")).collect();
    let mut notes: Vec<(&str, &str)> =
        paths.iter().map(|path| (path.as_str(), "the Workflows run\n")).collect();
    notes.push(("Workflows.md", ""));
    let proposal = plan(&eager(), &notes);
    assert_eq!(proposal.changes, []);
    assert!(proposal.findings.iter().any(|finding| finding.rule == super::HELD_BACK));
}

#[test]
fn forty_thousand_brackets_and_lines_of_names_take_no_time() {
    is_left_alone(&"[".repeat(40_000), REDIS);
    let line = "redis [[x]] ".repeat(20_000);
    assert!(linked(&line, REDIS).starts_with("[[redis]] [[x]] redis"));
    let marks = format!("{}redis", "-".repeat(40_000));
    is_left_alone(&marks, REDIS);
}

#[test]
fn people_s_links_teach_what_to_link() {
    let mut notes: Vec<(String, String)> = (0..30)
        .map(|n| (format!("n{n}.md"), format!("On day {n} we chose [[redis]] for the test of things.\n")))
        .collect();
    notes.push(("redis.md".into(), "A store.\n".into()));
    notes.push(("test.md".into(), "Trials.\n".into()));
    notes.push(("new.md".into(), "On day 99 we chose redis for the test of things.\n".into()));
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let proposal = plan(&Relink::new(Settings::new(&Config::default())), &notes);
    let text = "On day 99 we chose redis for the test of things.\n";
    assert_eq!(after(&proposal, "new.md", text), "On day 99 we chose [[redis]] for the test of things.\n");
    let Change::Noted { edits, .. } = &proposal.changes[0] else { panic!("an edit") };
    assert!(
        edits[0].why.sentence.starts_with("people link 'redis' in 30 of 30 notes"),
        "{}",
        edits[0].why.sentence
    );
}

#[test]
fn what_notes_of_markdown_links_leave_out_counts_only_where_people_link_so() {
    let text = "On day 99 we chose redis for the test of things.\n";
    let taught = |link: &str| {
        let mut notes: Vec<(String, String)> = (0..10)
            .map(|n| (format!("n{n}.md"), format!("On day {n} we chose {link} for the test of things.\n")))
            .collect();
        // Imports: each names redis, and links something else in the Markdown way.
        notes.extend(
            (0..9).map(|n| (format!("m{n}.md"), format!("On day {n} we chose redis. See [t](t.md).\n"))),
        );
        notes.extend([("redis.md".into(), String::new()), ("t.md".into(), String::new())]);
        notes.push(("new.md".into(), text.into()));
        let notes: Vec<(&str, &str)> =
            notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let proposal = plan(&eager(), &notes);
        let edits = proposal.changes.iter().find_map(|change| match change {
            Change::Noted { note, edits, .. } if note.as_str() == "new.md" => Some(edits),
            _ => None,
        });
        edits.unwrap()[0].why.sentence.clone()
    };
    assert!(
        taught("[[redis]]").starts_with("people link 'redis' in 10 of 10 notes"),
        "{}",
        taught("[[redis]]")
    );
    let by_markdown = taught("[redis](redis.md)");
    assert!(by_markdown.starts_with("people link 'redis' in 10 of 19 notes"), "{by_markdown}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Offsets survive whatever stands around the words, and no other byte changes.
    #[test]
    fn words_are_found_where_they_are(parts in proptest::collection::vec("[aé😀e\u{301}ßK\u{212a}カ\u{3099}각\u{1112}\u{1161}\u{11ab} ’*_`\\[\\]\n\r>|-]{0,12}", 2..5)) {
        let text = parts.join(" Redis Cache ");
        let out = linked(&text, &[("redis cache.md", "")]);
        prop_assert_eq!(out.replace("[[redis cache|Redis Cache]]", "Redis Cache").replace("[[redis cache\\|Redis Cache]]", "Redis Cache"), text);
    }

    /// A run on its own output plans nothing.
    #[test]
    fn a_second_run_is_empty(text in "(redis|kafka|[ab]|[*_`|>#\\\\\\[\\]!~=:-]{1,2}|\n|\n\n| |é){1,40}") {
        let targets = [("redis.md", ""), ("kafka.md", "")];
        let once = linked(&text, &targets);
        prop_assert_eq!(linked(&once, &targets), once);
    }
}
