//! Cases of peers as data: each comes out as the peer says, or stands in the table of `tests/README.md`
//! with the reason why memkeep differs. The table is checked both ways.

use crate::{
    figure::Figure,
    frontmatter::patched,
    laws::{after, renamed},
    session::{only, settings, vault_of},
    tree::tests,
};
use jobs::vault::frontmatter::{Frontmatter, Key, Operation, ScalarStyle, Value};
use pipeline::plan::{Plan, accepting, plan};
use serde::Deserialize;
use serde_json::Value as Json;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// A case and how it came out: `Err` says how memkeep differs from the peer.
struct Outcome {
    id: String,
    result: Result<(), String>,
    /// The report says something of the note.
    is_told: bool,
    /// The note is called otherwise than before.
    renamed: Option<String>,
}

impl Outcome {
    /// What `normalise` makes of a note with the default settings, likely changes accepted.
    fn of(id: String, before: &str, wanted: &str) -> Self {
        let plan = planned(before, &["likely"]);
        let got = made(&plan, before);
        let vault = vault_of(before);
        let diff = similar::TextDiff::from_lines(wanted, &got).unified_diff().to_string();
        Outcome {
            id,
            result: if got == wanted { Ok(()) } else { Err(diff) },
            is_told: !plan.findings.is_empty(),
            renamed: renamed(&vault, &after(&vault, &plan)),
        }
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(tests().join("peers/linter").join(path)).expect("a case")
}

fn planned(text: &str, accepts: &[&str]) -> Plan {
    let accepts = accepts.iter().map(|&rule| rule.to_owned()).collect();
    plan(&vault_of(text), &only(&settings(""), "normalise"), &accepting(accepts))
}

fn made(plan: &Plan, before: &str) -> String {
    plan.files.first().map_or(before.to_owned(), |file| file.text.to_string())
}

#[derive(Deserialize)]
struct Example {
    rule: String,
    before: String,
    after: String,
}

/// The pairs of the linter's manual, numbered within their rule: `yaml-title 2`.
fn documented() -> Vec<Outcome> {
    let examples: Vec<Example> = serde_json::from_str(&read("documented-examples.json")).expect("JSON");
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let outcome = |Example { rule, before, after }: Example| {
        let number = numbers.entry(rule.clone()).or_default();
        *number += 1;
        Outcome::of(format!("{rule} {number}"), &before, &after)
    };
    examples.into_iter().map(outcome).collect()
}

/// The notes of the linter's own test vault, by their names.
fn test_vault() -> Vec<Outcome> {
    let files = crate::tree::bytes_under(&tests().join("peers/linter/test-vault"), &|_| true);
    let text = |path: &str| String::from_utf8(files[path].clone()).expect("text");
    let notes = files.keys().filter_map(|path| Some((path, path.strip_suffix(".linted.md")?)));
    let outcome = |(linted, stem): (&String, &str)| {
        let name = stem.rsplit('/').next().unwrap_or_default().to_owned();
        Outcome::of(name, &text(&format!("{stem}.md")), &text(linted))
    };
    notes.map(outcome).collect()
}

#[derive(Deserialize)]
struct Restated {
    id: String,
    why: String,
    op: Json,
    before: String,
    after: String,
}

fn restated() -> Vec<Outcome> {
    let cases: Vec<Restated> = serde_json::from_str(&read("yaml-cases.json")).expect("JSON");
    cases.iter().map(|case| if case.op == "noop" { left_alone(case) } else { edited(case) }).collect()
}

/// Nothing changes, whatever a person accepts; and what is to be reported is.
fn left_alone(case: &Restated) -> Outcome {
    let mut outcome = Outcome::of(case.id.clone(), &case.before, &case.after);
    if made(&planned(&case.before, &[]), &case.before) != case.after {
        outcome.result = Err("it changes without being asked".to_owned());
    }
    if case.why.contains("report") && !outcome.is_told {
        outcome.result = Err("nothing is reported".to_owned());
    }
    outcome
}

/// One edit of the block, if there is a block and memkeep knows the edit.
fn edited(case: &Restated) -> Outcome {
    let (op, given) = case.op.as_object().and_then(|op| op.iter().next()).expect("an operation");
    let done = Frontmatter::find(&case.before).ok_or("there is no block".to_owned()).and_then(|front| {
        let operations = operations(&front, op, given).ok_or(format!("no edit does `{op}`"))?;
        let patches = front.edit(&case.before, &operations).map_err(|refusal| refusal.0)?;
        Ok(patched(&case.before, &patches))
    });
    let result = done.and_then(|new| match op.as_str() {
        "set_many" => misquoted(&new, given).map_or(Ok(()), Err),
        // Any correct quotes will do.
        _ if new.replace('\'', "\"") == case.after.replace('\'', "\"") => Ok(()),
        _ => Err(format!("{new:?} is not {:?}", case.after)),
    });
    Outcome { id: case.id.clone(), result, is_told: false, renamed: None }
}

fn operations(front: &Frontmatter, op: &str, given: &Json) -> Option<Vec<Operation>> {
    let insert = |name: &str, value: &str| Operation::Insert {
        name: name.to_owned(),
        value: value.to_owned(),
        order: Vec::new(),
    };
    let at = |at: usize| given.get(at).and_then(Json::as_str).unwrap_or_default();
    let key = || front.keys.iter().position(|key| key.name == at(0));
    let value = at(1).to_owned();
    match op {
        "add" => Some(vec![insert(at(0), at(1))]),
        "set" => Some(vec![Operation::Set { key: key()?, value }]),
        "append" => Some(vec![Operation::AddItem { key: key()?, value }]),
        "set_many" => {
            given.as_object()?.iter().map(|(name, value)| Some(insert(name, value.as_str()?))).collect()
        }
        _ => None,
    }
}

/// The values that are not there as one text under YAML 1.1 and 1.2, and why that is so of dates alone.
fn misquoted(text: &str, given: &Json) -> Option<String> {
    let front = Frontmatter::find(text)?;
    let wrong = given.as_object()?.iter().filter_map(|(name, value)| {
        let (key, value) = (front.key(name)?, value.as_str()?);
        (!is_one_text(key, key.value_span.of(text), value)).then_some((key.value_span.of(text), value))
    });
    let wrong: Vec<(&str, &str)> = wrong.collect();
    assert_eq!(wrong, [("2024-01-01", "2024-01-01")], "{text}");
    Some(format!("{wrong:?} is a date to YAML"))
}

/// In quotes that hold the value, or plain where no reader takes it for anything but a text.
fn is_one_text(key: &Key, written: &str, value: &str) -> bool {
    match &key.value {
        Value::Text(_, ScalarStyle::SingleQuoted) => written == format!("'{}'", value.replace('\'', "''")),
        Value::Text(_, ScalarStyle::DoubleQuoted) => {
            written == format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
        }
        _ => {
            let is_word = value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.contains([' ', '\'']);
            written == value && is_word && !value.contains([':', '#']) && !value.ends_with(' ')
        }
    }
}

/// A row of the table: the cases it is about, how many it says they are, and whether it says that they are
/// reported.
struct Row {
    cases: Vec<String>,
    count: usize,
    is_told: bool,
}

const HEADING: &str = "## Where memkeep differs from a peer";

/// Its table: cases stand in backquotes, their numbers behind them (`yaml-title` 1-5).
fn table() -> Vec<Row> {
    section().lines().filter(|line| line.starts_with("| `")).map(row).collect()
}

/// The part of `tests/README.md` that is about these cases.
fn section() -> String {
    let text = fs::read_to_string(tests().join("README.md")).expect("README.md");
    let (_, section) = text.split_once(HEADING).expect("the part about peers' cases");
    section.split("\n## ").next().unwrap_or_default().to_owned()
}

fn row(line: &str) -> Row {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [cases, count, peer, why] = cells.as_slice() else { panic!("not four cells: {line}") };
    assert!(peer.len() > 5 && why.len() > 5, "no reason: {line}");
    let cases = cases.split(", ").flat_map(named).collect();
    Row { cases, count: count.parse().expect("a number"), is_told: why.contains("reported") }
}

/// `` `a` `` is a case; `` `a` 2 `` and `` `a` 2-4 `` are numbered ones.
fn named(cell: &str) -> Vec<String> {
    let (name, numbers) = cell.trim_start_matches('`').split_once('`').expect("a name in backquotes");
    let number = |text: &str| text.trim().parse::<usize>().expect("a number");
    match (numbers.trim(), numbers.split_once('-')) {
        ("", _) => vec![name.to_owned()],
        (_, Some((from, to))) => (number(from)..=number(to)).map(|n| format!("{name} {n}")).collect(),
        (one, None) => vec![format!("{name} {}", number(one))],
    }
}

/// What is wrong between the cases and the table, one line each.
fn mismatches(outcomes: &[Outcome], table: &[Row]) -> Vec<String> {
    let listed: Vec<&String> = table.iter().flat_map(|row| &row.cases).collect();
    let is_listed: BTreeSet<&String> = listed.iter().copied().collect();
    let known: BTreeSet<&String> = outcomes.iter().map(|outcome| &outcome.id).collect();
    let mut wrong = Vec::new();
    for Outcome { id, result, renamed, .. } in outcomes {
        wrong.extend(renamed.iter().map(|says| format!("{id} changes a name: {says}")));
        match (result, is_listed.contains(id)) {
            (Err(says), false) => wrong.push(format!("{id} differs and is not in the table: {says}")),
            (Ok(()), true) => wrong.push(format!("{id} agrees and is in the table")),
            _ => {}
        }
    }
    wrong.extend(listed.iter().filter(|id| !known.contains(**id)).map(|id| format!("there is no case {id}")));
    if listed.len() > is_listed.len() {
        wrong.push("a case stands in the table twice".to_owned());
    }
    let told: BTreeSet<&String> = outcomes.iter().filter(|own| own.is_told).map(|own| &own.id).collect();
    for id in table.iter().filter(|row| row.is_told).flat_map(|row| &row.cases) {
        if !told.contains(id) {
            wrong.push(format!("{id} is not reported"));
        }
    }
    let miscounted = table.iter().filter(|row| row.count != row.cases.len());
    wrong.extend(miscounted.map(|row| format!("{:?} are {}, not {}", row.cases, row.cases.len(), row.count)));
    wrong
}

#[test]
fn a_case_of_a_peer_comes_out_as_it_says_or_stands_in_the_table() {
    let mut figure = Figure::of("peers' cases");
    let groups =
        [("documented", documented(), 53), ("test vault", test_vault(), 9), ("restated", restated(), 47)];
    for (name, outcomes, count) in &groups {
        let agree = outcomes.iter().filter(|outcome| outcome.result.is_ok()).count();
        println!("    {name}: {agree} of {} agree", outcomes.len());
        assert_eq!(outcomes.len(), *count, "{name}");
    }
    let outcomes: Vec<Outcome> = groups.into_iter().flat_map(|(_, outcomes, _)| outcomes).collect();
    outcomes.iter().for_each(|_| figure.trial(Ok(())));
    let agree = outcomes.iter().filter(|outcome| outcome.result.is_ok()).count();
    let said = format!("{agree} of the {} cases agree", outcomes.len());
    let mut wrong = mismatches(&outcomes, &table());
    wrong.extend((!section().contains(&said)).then(|| format!("the section does not say that {said}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    figure.done();
}

#[test]
fn a_table_that_is_not_true_is_noticed() {
    let outcomes = || {
        let of = |id: &str, result| Outcome { id: id.to_owned(), result, is_told: id == "b", renamed: None };
        vec![of("a 1", Ok(())), of("a 2", Err(String::new())), of("b", Err(String::new()))]
    };
    let told =
        |lines: &[&str]| mismatches(&outcomes(), &lines.iter().map(|line| row(line)).collect::<Vec<_>>());
    assert_eq!(told(&["| `a` 2, `b` | 2 | it sorts | memkeep never does |"]), Vec::<String>::new());
    for (wrong, says) in [
        ("| `a` 2 | 1 | it sorts | memkeep never does |", "b differs"),
        ("| `a` 1-2, `b` | 3 | it sorts | memkeep never does |", "a 1 agrees"),
        ("| `a` 2, `b`, `c` | 3 | it sorts | memkeep never does |", "no case c"),
        ("| `a` 2, `b` | 3 | it sorts | memkeep never does |", "are 2, not 3"),
        ("| `a` 2, `b` | 2 | it sorts | both are reported |", "a 2 is not reported"),
        ("| `a` 2, `b`, `b` | 3 | it sorts | memkeep never does |", "twice"),
    ] {
        assert!(told(&[wrong]).join("\n").contains(says), "{says}");
    }
    let mut outcomes = outcomes();
    outcomes[0].renamed = Some("x before, y after".to_owned());
    let table = [row("| `a` 2, `b` | 2 | it sorts | memkeep never does |")];
    assert_eq!(mismatches(&outcomes, &table), ["a 1 changes a name: x before, y after"]);
}
