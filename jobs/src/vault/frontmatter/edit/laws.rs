//! Any operations with any values on any block are refused, or change nothing but what they were asked for.
//! Neither the guard nor the reader's spans are asked. Editors known to be bad are caught.

mod asked;
mod known;

use super::*;
use asked::wrong;
use known::{Known, Says, Says::*, known};
use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
    test_runner::{TestCaseError, TestRunner},
};
use std::{cell::RefCell, collections::BTreeMap};

/// Values that a writer without care gets wrong.
const HOSTILE: &[&str] = &[
    "",
    " ",
    "word",
    "two words",
    "no",
    "~",
    "0123",
    "1:30",
    "2026-03-16",
    "2026-13-45",
    "2001-1-1 1:00:00",
    "a: b",
    "a:",
    "a #b",
    "#a",
    "- a",
    "-",
    "? a",
    "[a]",
    "[[A|b]]",
    "{a: b}",
    "&a",
    "*a",
    "!a",
    "|",
    ">-",
    "'",
    "it's",
    "\"",
    "say \"x\" \\",
    "%a",
    "@a",
    "`a`",
    ",",
    "a, b",
    "a]",
    "---",
    "...",
    "<<",
    "=",
    "a\nb",
    "\n",
    "a\r\nb: c",
    "\t",
    "a\tb",
    "\u{0}",
    "\u{7f}",
    "\u{85}",
    "a\u{2028}b",
    "\u{feff}",
    "季節",
    "🙂",
    "e\u{301}",
    "\u{a0}",
    " lead",
    "trail ",
    "{{x}}",
    "a\n---\nb: c",
    "x # c1",
];

/// What an operation is made of once the block is known.
type Raw = (u8, [Index; 3], String, Vec<String>);

fn raw() -> impl Strategy<Value = Raw> {
    let text = || prop_oneof![3 => select(HOSTILE).prop_map(str::to_owned), 1 => "[ -~\n\t日]{0,6}"];
    (0_u8..10, any::<[Index; 3]>(), text(), vec(text(), 1..3))
}

/// The keys that an operation may fit; now and then all of them, and all where it fits none.
fn fitting(known: &Known, kind: u8, place: Index) -> Vec<usize> {
    let fits = |says: &Says| match kind {
        0 | 1 | 4 => matches!(says, Nothing | Text(_)),
        5 => matches!(says, List([_])),
        8 => matches!(says, List([_, _, ..])),
        6 | 7 => matches!(says, List(_)),
        _ => true,
    };
    let is_any = place.index(6) == 0;
    let all = 0..known.keys.len();
    let fitting: Vec<usize> = all.clone().filter(|key| is_any || fits(&known.keys[*key].2)).collect();
    if fitting.is_empty() { all.collect() } else { fitting }
}

fn operation(known: &Known, (kind, [key, item, place], value, items): &Raw) -> Operation {
    let fitting = fitting(known, *kind, *place);
    let key = if fitting.is_empty() { 0 } else { fitting[key.index(fitting.len())] };
    let n_items = match known.keys.get(key) {
        Some((_, _, List(items))) => items.len().max(1),
        _ => 1,
    };
    let (item, value) = (item.index(n_items), value.clone());
    let name = |of: &str| format!("{of} {}", value.replace(['\n', '\r'], ""));
    match kind {
        0 => Operation::Set { key, value },
        1 => Operation::Quote { key },
        2 => {
            let mut order: Vec<String> = known.keys.iter().map(|(_, name, _)| name.clone()).collect();
            order.insert(place.index(order.len() + 1), name("inserted"));
            Operation::Insert { name: name("inserted"), value: items[0].clone(), order }
        }
        3 => Operation::Rename { key, name: name("renamed") },
        4 => Operation::ToList { key, items: items.clone() },
        5 => Operation::ToScalar { key },
        6 => Operation::SetItem { key, item, value },
        7 => Operation::AddItem { key, value },
        8 => Operation::RemoveItem { key, item },
        _ => Operation::RemoveDuplicate { key: known.keys.len().saturating_sub(1) },
    }
}

/// One that edits: gives the note after it, or refuses.
type Editor = fn(&str, &[Operation]) -> Result<String, String>;

fn memkeep(note: &str, operations: &[Operation]) -> Result<String, String> {
    let front = Frontmatter::find(note).ok_or("no block")?;
    let patches = front.edit(note, operations).map_err(|refusal| refusal.0)?;
    Ok(with(note, &patches.concat()))
}

/// The note with all patches; those at one place in their order.
fn with(note: &str, patches: &[Patch]) -> String {
    let mut patches: Vec<&Patch> = patches.iter().collect();
    patches.sort_by_key(|patch| patch.span);
    let mut edited = note.to_owned();
    for patch in patches.into_iter().rev() {
        edited.replace_range(patch.span.start..patch.span.end, &patch.put);
    }
    edited
}

/// How often an editor did what it was asked, refused, and did something wrong.
#[derive(Default, Debug)]
struct Count {
    done: usize,
    refused: usize,
    wrong: usize,
    /// What was done alone, by its kind.
    kinds: BTreeMap<String, [usize; 2]>,
}

/// Puts an editor to the test; `on_wrong` says what becomes of a trial that went wrong.
fn tried(editor: Editor, n_cases: u32, max_operations: usize, is_memkeep: Verdict) -> Count {
    let count = RefCell::new(Count::default());
    let config = ProptestConfig { cases: n_cases, failure_persistence: None, ..ProptestConfig::default() };
    let strategy = (known(), vec(raw(), 1..=max_operations));
    let result = TestRunner::new(config).run(&strategy, |(known, raw)| {
        let operations: Vec<Operation> = raw.iter().map(|raw| operation(&known, raw)).collect();
        let mut count = count.borrow_mut();
        let outcome = editor(&known.note, &operations);
        if let [one] = operations.as_slice() {
            let kind = format!("{one:?}").split(' ').next().unwrap().to_owned();
            count.kinds.entry(kind).or_default()[usize::from(outcome.is_err())] += 1;
        }
        match outcome.map(|new| wrong(&known, &operations, &new).map_err(|what| (what, new))) {
            Err(_) => count.refused += 1,
            Ok(Ok(())) => count.done += 1,
            Ok(Err((what, new))) => {
                count.wrong += 1;
                if is_memkeep == Verdict::MustBeRight {
                    return Err(TestCaseError::fail(format!(
                        "{what}\n{operations:?}\n{:?}\n{new:?}",
                        known.note
                    )));
                }
            }
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    count.into_inner()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    MustBeRight,
    IsCounted,
}

#[test]
fn blocks_say_what_is_known_of_them() {
    let config = ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() };
    let result = TestRunner::new(config).run(&known(), |known| {
        wrong(&known, &[], &known.note)
            .map_err(|what| TestCaseError::fail(format!("{what}\n{:?}", known.note)))
    });
    assert_eq!(result.map_err(|error| error.to_string()), Ok(()));
}

#[test]
fn one_operation_is_refused_or_does_just_what_it_says() {
    let count = tried(memkeep, 3_000, 1, Verdict::MustBeRight);
    assert!(count.done * 2 > count.refused, "{count:?}");
    assert!(count.kinds.len() == 10 && count.kinds.values().all(|[done, _]| *done > 10), "{count:?}");
}

#[test]
fn operations_of_one_call_are_refused_or_do_just_what_they_say() {
    let count = tried(memkeep, 4_000, 4, Verdict::MustBeRight);
    assert!(count.done > 600, "{count:?}");
}

#[test]
fn what_is_done_is_not_done_again() {
    let config = ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() };
    let n_done = RefCell::new(0);
    let result = TestRunner::new(config).run(&(known(), raw()), |(known, raw)| {
        let operation = operation(&known, &raw);
        let is_goal = !matches!(
            operation,
            Operation::AddItem { .. } | Operation::RemoveItem { .. } | Operation::RemoveDuplicate { .. }
        );
        let Ok(new) = memkeep(&known.note, std::slice::from_ref(&operation)) else { return Ok(()) };
        if is_goal {
            *n_done.borrow_mut() += 1;
            let again = Frontmatter::find(&new).unwrap().edit(&new, std::slice::from_ref(&operation));
            let is_left = again.as_ref().is_ok_and(|patches| patches.concat().is_empty());
            prop_assert!(again.is_err() || is_left, "{operation:?}\n{new:?}\n{again:?}");
        }
        Ok(())
    });
    assert_eq!(result.map_err(|error| error.to_string()), Ok(()));
    assert!(n_done.into_inner() > 300);
}

/// Editors that are known to be bad, each in its own way.
const BAD: &[(&str, Editor)] = &[
    ("one that does nothing", |note, _| Ok(note.to_owned())),
    ("one that writes without quotes", |note, operations| {
        let front = Frontmatter::find(note).ok_or("")?;
        let [Operation::Set { key, value }] = operations else { return Err(String::new()) };
        let key = front.keys.get(*key).filter(|key| matches!(key.value, Value::Text(..))).ok_or("")?;
        Ok(with(note, &[Patch { span: key.value_span, put: value.clone() }]))
    }),
    ("one that drops a comment", |note, operations| {
        let new = memkeep(note, operations)?;
        let at = new.find(" # c").ok_or("")?;
        Ok(format!("{}{}", &new[..at], &new[at + new[at..].find(['\n', '\r']).ok_or("")?..]))
    }),
    ("one that loses a blank line", |note, operations| {
        let new = memkeep(note, operations)?;
        let at = new.find("\n\n").ok_or("")?;
        Ok(format!("{}{}", &new[..at], &new[at + 1..]))
    }),
    ("one that tidies blanks", |note, operations| Ok(memkeep(note, operations)?.replace(":   ", ": "))),
    ("one that writes LF", |note, operations| Ok(memkeep(note, operations)?.replace("\r\n", "\n"))),
    ("one that ends the note", |note, operations| Ok(memkeep(note, operations)? + "\n")),
    ("one that takes the next key", |note, operations| {
        let [Operation::Set { key, value }] = operations else { return Err(String::new()) };
        memkeep(note, &[Operation::Set { key: key + 1, value: value.clone() }])
    }),
    ("one that takes any double", |note, operations| {
        let [Operation::RemoveDuplicate { key }] = operations else { return Err(String::new()) };
        let key = Frontmatter::find(note)
            .and_then(|front| front.keys.get(key.checked_sub(1)?).cloned())
            .ok_or("")?;
        Ok(with(note, &[Patch { span: key.lines, put: String::new() }]))
    }),
];

#[test]
fn editors_that_are_known_to_be_bad_are_caught() {
    for (name, editor) in BAD {
        let count = tried(*editor, 2_000, 1, Verdict::IsCounted);
        assert!(count.wrong > 0, "{name}: {count:?}");
    }
}
