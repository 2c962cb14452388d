//! Blocks put together out of pieces, so that the lines of each key and what they say are known without
//! reading them.

use crate::vault::Span;
use proptest::{collection::vec, prelude::*, sample::select};
use std::collections::BTreeMap;

/// What a value says, as far as an edit may change it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Says {
    Nothing,
    Text(&'static str),
    List(&'static [&'static str]),
    Other,
}

use Says::{List, Nothing, Other, Text};

/// The lines of a key behind its name, and what they say. `№` becomes a number, so that no comment is
/// there twice.
const VALUES: &[(&str, Says)] = &[
    (": word\n", Text("word")),
    (": word # c№\n", Text("word")),
    (":   word\t# c№\n", Text("word")),
    (":\tword  \n", Text("word")),
    (": 'it''s # no' # c№\n", Text("it's # no")),
    (": \"a: \\\"b\\\" \\u00e9\" # c№\n", Text("a: \"b\" é")),
    (": 2019-10-07 22:48:28 +0900\n", Text("2019-10-07 22:48:28 +0900")),
    (": no\n", Text("no")),
    (": 設計 🙂 # c№\n", Text("設計 🙂")),
    (": one\n  two # c№\n", Text("one two")),
    (": \"one\n\n  two\" # c№\n", Text("one\ntwo")),
    (": # c№\n  word # d№\n", Text("word")),
    (":\n  # c№\n  'word'\n", Text("word")),
    (":\n", Nothing),
    (": \n", Nothing),
    (": # c№\n", Nothing),
    (": #c№ #d№\n", Nothing),
    (": |\n  one: 1\n\n  # no comment\n  - two\n", Text("one: 1\n\n# no comment\n- two\n")),
    (": >- # c№\n  one\n  two\n", Text("one two")),
    (": |2-\n   one\n  two\n", Text(" one\ntwo")),
    (": []\n", List(&[])),
    (": [ ] # c№\n", List(&[])),
    (": [ # c№\n  ]\n", List(&[])),
    (": [x, 'y', \"z\"] # c№\n", List(&["x", "y", "z"])),
    (": [x,]\n", List(&["x"])),
    (": [x]  # c№\n", List(&["x"])),
    (": [ # c№\n  x ] # d№\n", List(&["x"])),
    (": [x, # c№\n  y # d№\n  , z]\n", List(&["x", "y", "z"])),
    (": [ x ,\n  'y, #z'\n  ]\n", List(&["x", "y, #z"])),
    (":\n- x # c№\n- 'y'\n- x\n", List(&["x", "y", "x"])),
    (": # c№\n  - x\n  # d№\n  - \"y\" # e№\n", List(&["x", "y"])),
    (":\n    -   no\n", List(&["no"])),
    (":\n-\tx\n-\n- # c№\n", List(&["x", "", ""])),
    (":\n- #c№\n# d№\n- #e№ # f№\n", List(&["", ""])),
    (":\n  - \"\" # c№\n  - '' # d№\n", List(&["", ""])),
    (":\n  -\n    x # c№\n", List(&["x"])),
    (": \n  type: word # c№\n  key1: x\n", Other),
    (":\n  - k: v # c№\n    l:\n      - w\n", Other),
    (": [[Home]] # c№\n", Other),
    (": {a: 1, # c№\n  b: [2]}\n", Other),
    (": &a№ word # c№\n", Text("word")),
    (": !!str 1 # c№\n", Text("1")),
];

const NAMES: &[(&str, &str)] = &[
    ("key№", "key№"),
    ("key№", "key№"),
    ("key№", "key№"),
    ("date created №", "date created №"),
    ("名前№", "名前№"),
    ("\"a: №\"", "a: №"),
    ("'it''s №'", "it's №"),
    ("k№:x", "k№:x"),
    ("key№  ", "key№"),
];

/// Lines of nobody.
const GAPS: &[&str] = &["# c№\n", "\n", "# c№\n\n# name: no key\n", "  \n"];

/// A block, the lines of its keys, and what they say.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) note: String,
    pub(super) keys: Vec<(Span, String, Says)>,
}

/// Root indentation, line ends, doubled key, closing line.
type Shape = (bool, u8, bool, &'static str);

pub(super) fn known() -> impl Strategy<Value = Known> {
    let piece = prop_oneof![
        6 => (select(NAMES), select(VALUES)).prop_map(|(name, value)| (Some(name), value)),
        1 => select(GAPS).prop_map(|gap| (None, (gap, Nothing))),
    ];
    let close = select(vec!["---\nBody.\n\n---\nkey1: no key\n---\n", "---", "...\nBody", "--- \t\n"]);
    let shape = (prop::bool::weighted(0.1), 0_u8..8, prop::bool::weighted(0.3), close);
    (vec(piece, 0..8), shape).prop_map(|(pieces, shape)| built(pieces, shape))
}

type Piece = (Option<(&'static str, &'static str)>, (&'static str, Says));

fn built(pieces: Vec<Piece>, (is_indented, ends, is_double, close): Shape) -> Known {
    let mut known = Known { note: "---\n".to_owned(), keys: Vec::new() };
    let mut double: Option<(String, String, Says)> = None;
    for (number, (name, (lines, says))) in pieces.into_iter().enumerate() {
        let numbered = |text: &str| text.replace('№', &number.to_string());
        let Some((written, name)) = name else {
            // Below a block of text, blank lines are its own.
            if !known.note.trim_end().ends_with("two") {
                known.note.push_str(&numbered(lines));
            }
            continue;
        };
        let (text, name) = (numbered(&format!("{written}{lines}")), numbered(name));
        if !lines.contains(['&', '№']) {
            double.get_or_insert((text.clone(), name.clone(), says.clone()));
        }
        push(&mut known, &text, name, says);
    }
    if let Some((text, name, says)) = double.filter(|_| is_double) {
        push(&mut known, &text, name, says);
    }
    known.note.push_str(close);
    if is_indented {
        known = shifted(&known);
    }
    ended(&known, ends)
}

fn push(known: &mut Known, text: &str, name: String, says: Says) {
    let start = known.note.len();
    known.note.push_str(text);
    known.keys.push((Span::new(start, known.note.len()), name, says));
}

/// The note with each line changed; the keys stay on their lines.
fn relined(known: &Known, change: impl Fn(usize, &str) -> String) -> Known {
    let (mut note, mut moved) = (String::new(), BTreeMap::from([(0, 0)]));
    let mut at = 0;
    for (n, line) in known.note.split_inclusive('\n').enumerate() {
        note.push_str(&change(n, line));
        at += line.len();
        moved.insert(at, note.len());
    }
    let span = |span: Span| Span::new(moved[&span.start], moved[&span.end]);
    let keys = known.keys.iter().map(|(own, name, says)| (span(*own), name.clone(), says.clone())).collect();
    Known { note, keys }
}

/// The block two blanks further in. A text that says how far in it is stands still.
fn shifted(known: &Known) -> Known {
    if known.note.contains("|2-") {
        return known.clone();
    }
    let n_lines = known.note.find("\n---").or(known.note.find("\n..."));
    let n_lines = n_lines.map_or(0, |end| known.note[..=end].matches('\n').count());
    relined(known, |n, line| match n {
        0 => line.to_owned(),
        n if n < n_lines && !line.trim().is_empty() => format!("  {line}"),
        _ => line.to_owned(),
    })
}

fn ended(known: &Known, ends: u8) -> Known {
    relined(known, |n, line| match (ends, line.strip_suffix('\n')) {
        (0, Some(line)) => format!("{line}\r\n"),
        (1, Some(line)) if n % 3 == 1 => format!("{line}\r\n"),
        (2, Some(line)) => format!("{line}\r"),
        _ => line.to_owned(),
    })
}
