//! What single words and days mean, and that the job does as it says; what becomes of whole notes stands in
//! `tests/cases/normalise`.

use super::{
    Normalise, changes,
    dates::{self, Reading, day_of, is_iso_day},
    doubles,
    kinds::{Field, folded, is_spelt},
    lists, missing, named, near, quotes, spelling, unread, values,
};
use crate::{
    Job,
    fold::fold,
    vault::{Ledger, Note, NotePath, Vault, date::NaiveDate, frontmatter::ScalarStyle},
};
use std::{collections::HashSet, sync::Arc};

fn field() -> Field {
    let word = |word: &str, value: &str| (word.to_owned(), value.to_owned());
    Field::new(&config::Field {
        name: "status".to_owned(),
        kind: config::Kind::Text,
        one_of: vec!["active".to_owned(), "on-hold".to_owned()],
        words: vec![word("wip", "active"), word("🟢", "active"), word("⏸\u{fe0f}", "on-hold")],
        also: Vec::new(),
        required: false,
        fill: None,
        under: Vec::new(),
    })
}

#[test]
fn a_word_means_a_value_whatever_its_case_blanks_and_signs() {
    let field = field();
    for (text, value) in [
        ("active", Some("active")),
        (" Active ", Some("active")),
        ("WIP", Some("active")),
        ("on hold", Some("on-hold")),
        ("On_Hold", Some("on-hold")),
        ("🟢", Some("active")),
        ("🟢 wip", Some("active")),
        ("🟢 🟢", Some("active")),
        ("🚀 wip", None),
        ("❌ wip", None),
        ("~ wip", None),
        ("⏸", Some("on-hold")),
        ("🟢 on hold", None),
        ("wip wip", None),
        ("not active", None),
        ("", None),
    ] {
        assert_eq!(field.meaning(text), value, "{text:?}");
    }
}

#[test]
fn a_key_is_spelt_as_it_is_folded() {
    let words = [
        "type",
        "Type",
        "TYPE ",
        "date created",
        "date-created",
        "Date__Created",
        "dates",
        "",
        "-",
        "Über",
        "über",
    ];
    for (key, name) in words.iter().flat_map(|key| words.iter().map(move |name| (key, name))) {
        assert_eq!(is_spelt(key, name), folded(key) == folded(name), "{key:?} {name:?}");
    }
}

#[test]
fn no_name_that_is_near_is_taken_for_a_far_one_at_first_sight() {
    let names = ["type", "types", "tpye", "typ", "Tape", "created", "date created", "creaetd", "statuses"];
    let more = ["status", "descripton", "description", "decsriptoin", "desc", "aliases", "alias", "", "t"];
    let words: Vec<&str> = names.into_iter().chain(more).collect();
    let mut n_near = 0;
    for (key, name) in words.iter().flat_map(|key| words.iter().map(move |name| (key, name))) {
        let (a, b) = (folded(key), folded(name));
        let allowed = if b.chars().count() >= 9 { 2 } else { 1 };
        let is_near = config::slips(&a, &b) <= allowed || a == b.clone() + "s" || a == b.clone() + "es";
        assert!(near::is_near(key, name) || !is_near, "{key:?} {name:?}");
        n_near += usize::from(is_near);
    }
    assert!(n_near > 2 * words.len(), "{n_near}");
    assert!(!near::is_near("title", "type") && !near::is_near("state", "status"));
}

#[test]
fn the_target_of_a_link_ends_where_another_starts() {
    let targets: Vec<&str> = named::targets("[[a [[b|c]] [[d#e]] [[[[").collect();
    assert_eq!(targets, ["a ", "b", "d", "", ""]);
}

#[test]
fn a_day_is_read_where_only_one_can_be_meant() {
    let day = |text: &str| match day_of(text) {
        Some(Reading::Day(day)) => day.to_string(),
        Some(Reading::Two(..)) => "two".to_owned(),
        None => String::new(),
    };
    for (text, read) in [
        ("2026-3-6", "2026-03-06"),
        ("2026/03/16", "2026-03-16"),
        ("2026.03.16", "2026-03-16"),
        ("2026年3月16日", "2026-03-16"),
        ("16.03.2026", "2026-03-16"),
        ("3/16/2026", "2026-03-16"),
        ("04/04/2026", "2026-04-04"),
        ("March 16, 2026", "2026-03-16"),
        ("16 March 2026", "2026-03-16"),
        ("03/04/2026", "two"),
        ("3.4.2026", "two"),
        ("16/03/26", ""),
        ("2026-13-01", ""),
        ("31/04/2026", ""),
        ("2026/03/16 10:00", ""),
        ("about March 16, 2026", ""),
        ("2026-03", ""),
        ("1.2.3", ""),
        ("20260316", ""),
        ("yesterday", ""),
    ] {
        assert_eq!(day(text), read, "{text:?}");
    }
    assert_eq!(
        day_of("03/04/2026"),
        Some(Reading::Two(
            NaiveDate::from_ymd_opt(2026, 4, 3).unwrap_or_default(),
            NaiveDate::from_ymd_opt(2026, 3, 4).unwrap_or_default()
        ))
    );
    assert!(is_iso_day("2026-03-16") && !is_iso_day("2026-02-30") && !is_iso_day("2026-3-16"));
}

fn read(reading: lists::Reading) -> String {
    match reading {
        lists::Reading::Items(items) => items.join("|"),
        lists::Reading::Doubtful(items) => format!("or {}", items.join("|")),
        lists::Reading::Unknown => String::new(),
    }
}

#[test]
fn tags_are_split_only_where_every_part_is_a_tag() {
    for (text, split) in [
        ("a/b", "a/b"),
        ("a b c", "or a|b|c"),
        ("machine learning", "or machine|learning"),
        ("#a b", "or a|b"),
        ("a, b,c", "a|b|c"),
        ("machine learning, b", ""),
        ("#writing #acme-crm", "writing|acme-crm"),
        ("季節, тест", "季節|тест"),
        ("Note, note", "Note|note"),
        ("2024", ""),
        ("a (b)", ""),
        ("https://x.org", ""),
        ("[[a]]", ""),
        (" , ", ""),
    ] {
        assert_eq!(read(lists::tags(text)), split, "{text:?}");
    }
}

#[test]
fn texts_are_split_only_where_they_are_a_list_of_words() {
    for (text, split) in [
        ("One", "One"),
        ("Two words", "Two words"),
        ("One,", "One"),
        ("10,000 Hours", "10,000 Hours"),
        ("1,2,3", "1,2,3"),
        ("One, Two", "or One|Two"),
        ("Paris, France", "or Paris|France"),
        ("Dr. Smith, Jr.", "or Dr. Smith|Jr."),
        ("The Good, the Bad and the Ugly", "or The Good|the Bad and the Ugly"),
        ("One, Two words, Three", "or One|Two words|Three"),
        ("One, Two, 10,000", "One|Two|10,000"),
        ("\"One\", Two", ""),
        ("[[One]]", ""),
        (",", ""),
    ] {
        assert_eq!(read(lists::texts(text, ScalarStyle::Plain)), split, "{text:?}");
    }
    assert_eq!(read(lists::texts("Doe, John", ScalarStyle::DoubleQuoted)), "");
    assert_eq!(read(lists::texts("John Doe", ScalarStyle::DoubleQuoted)), "John Doe");
}

/// The block of that name in what the job says of itself.
fn block(name: &str) -> String {
    let about = super::CARD.about;
    let start = about.find(&format!("```{name}\n")).map_or(0, |at| at + name.len() + 4);
    about[start..].split("```").next().unwrap_or_default().to_owned()
}

#[test]
fn the_example_is_what_the_job_does() {
    let path = NotePath::new("memory/project_quotes.md").unwrap();
    let note = Arc::new(Note::of_text(path.clone(), block("before")));
    let day = NaiveDate::from_ymd_opt(2026, 11, 30).unwrap();
    let vault = Vault::new(vec![note], Ledger::default(), day);
    let proposal = Normalise::new(&config::Config::default()).plan(&vault);
    let folded = fold(&vault, &super::CARD, proposal, 1, &|_| true);
    assert_eq!(&*folded.vault.note(&path).unwrap().text, block("after"));
    assert_eq!(folded.findings, []);
}

/// Every rule that is told to a person can be switched off, and every one that can be is told.
#[test]
fn the_rules_are_those_of_the_settings() {
    let switches = config::reference().into_iter().find(|row| row.key == "normalise.off").unwrap().shape;
    let known: HashSet<&str> = switches.trim_start_matches("some of ").split(", ").collect();
    let used = [
        changes::REFUSED,
        dates::DATE,
        doubles::DUPLICATE,
        lists::DUPLICATE_ITEM,
        lists::TAGS,
        missing::FILL,
        missing::MISSING,
        named::NAME,
        quotes::QUOTE,
        spelling::KEY,
        unread::TEMPLATE,
        unread::TWO_BLOCKS,
        unread::UNREADABLE,
        values::ARCHIVED,
        values::LIST,
        values::TYPE,
        values::VALUE,
    ];
    assert_eq!(used.iter().map(|rule| rule.trim_start_matches("normalise/")).collect::<HashSet<_>>(), known);
    let (changing, _) = super::CARD.about.split_once("It tells, and changes nothing").unwrap();
    for id in &known {
        let is_told_to_change = changing.contains(&format!("`normalise/{id}`"));
        assert_eq!(super::RULES.contains(id), is_told_to_change, "{id}");
    }
    for id in known {
        assert!(super::CARD.about.contains(&format!("`normalise/{id}`")), "{id} is not told");
    }
}
