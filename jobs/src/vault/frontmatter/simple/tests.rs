//! Where the fast way answers, the parser answers the same: on awkward lines, changed real blocks, the
//! blocks of all vaults and cases, and the documents of the YAML test suite where it is there.

use super::super::{Frontmatter, read};
use super::*;
use proptest::{prelude::*, sample::Index};
use std::{fs, path::Path, sync::LazyLock};

/// Reads the block both ways; whether the fast way answers.
fn agrees(text: &str, inner: Span) -> bool {
    let fast = keys(text, inner);
    if let Some(fast) = &fast {
        assert_eq!(Ok(fast), read::parsed(text, inner).as_ref(), "{:?}", inner.of(text));
    }
    fast.is_some()
}

fn agrees_alone(block: &str) -> bool {
    agrees(block, Span::new(0, block.len()))
}

/// The notes of all vaults and cases that have frontmatter.
static REAL: LazyLock<Vec<String>> =
    LazyLock::new(|| ["vaults", "cases", "peers"].into_iter().flat_map(notes_below).collect());

fn notes_below(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests").join(folder);
    let mut notes = Vec::new();
    if folder.is_dir() {
        collect(&folder, &mut notes);
    }
    notes
}

fn collect(folder: &Path, notes: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, notes);
        } else if let Ok(text) = fs::read_to_string(&path) {
            notes.extend(Some(text).filter(|text| Frontmatter::find(text).is_some()));
        }
    }
}

fn is_answered(text: &&String) -> bool {
    agrees(text, Frontmatter::find(text).unwrap().inner)
}

#[test]
fn four_of_five_real_blocks_are_read_the_fast_way() {
    let notes = notes_below("vaults");
    let answered = notes.iter().filter(is_answered).count();
    assert!(notes.len() >= 50, "{}", notes.len());
    assert!(answered * 5 >= notes.len() * 4, "{answered} of {}", notes.len());
}

#[test]
fn every_block_of_a_case_is_read_alike() {
    assert!(REAL.iter().filter(is_answered).count() > 0);
}

#[test]
fn the_documents_of_the_yaml_test_suite_are_read_alike() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/peers/yaml-test-suite.json");
    let Ok(suite) = fs::read_to_string(path) else { return };
    let suite: Vec<serde_json::Value> = serde_json::from_str(&suite).unwrap();
    let answered = suite.iter().filter(|case| agrees_alone(case["yaml"].as_str().unwrap())).count();
    assert!(answered > 0);
}

#[test]
fn plain_blocks_are_read_the_fast_way() {
    for block in [
        "",
        "# only a comment\n\n  # and one more\n",
        "a: b\nc: 2019-10-07 22:48:28 +0900\nd: http://a.b/c#frag\ne: it's \"so\" # why\n",
        "date created: x\n是否已备份: 是\ntitle   : x\na: 1\na: 2\n",
        "a: 'it''s'\nb: \"x\" # c\nc: ''\nd: \"\"\n",
        "a:\nb: \nc: # none\nd:  \t\n".trim_end_matches("\t\n"),
        "a: [x, 'y, z', \"z\" ] # c\nb: []\nc: [ ]\n",
        "a: [[/cmd]]\nb: [ [x, 'y'] ] # c\nc: [[]]\n",
        "a:\n- x\n# c\n- 'y'  # c\n\nb: # c\n    # c\n    - x\n",
        "metadata: \n  type: x\n  b c : \"y\"\nd: e\n",
        "a: b\r\nc:\r\n  - d\r\n\r\n",
        "a: \u{a0}x\u{3000}\nb: “x” — 😀\n",
    ] {
        assert!(agrees_alone(block), "{block:?}");
    }
}

#[test]
fn what_is_not_plain_is_left_to_the_parser() {
    for block in [
        "a:\tb\n",
        "a: b\rc: d\r",
        " a: b\n",
        "a: b: c\n",
        "a: b:\n",
        "a: x\n  y\n",
        "a: |\n  x\n",
        "a: &x y\n",
        "a: *x\n",
        "a: !x y\n",
        "? a\n",
        "<<: x\n",
        "\"a\": b\n",
        "a: \"x\n  y\"\n",
        "a: \"x\\n\"\n",
        "- a\n",
        "a\n",
        "a: [[[b]]]\n",
        "a: [[b], c]\n",
        "a: [[b]] c\n",
        "a: [[b|c]]d\n",
        "a: [b, ]\n",
        "a: [b: c]\n",
        "a: {b: c}\n",
        "a: [b,\n  c]\n",
        "a: [b]# c\n",
        "a: \"b\"# c\n",
        "a: 'b' c\n",
        "a:\n  - b\n - c\n",
        "a:\n  - b\n  c: d\n",
        "a: b\n- c\n",
        "a:\n  - b: c\n",
        "a:\n  b:\n    c: d\n",
        "a:b\n",
        "a #b: c\n",
        "a: b\n--- # c\n",
        "%YAML 1.2\n",
        "a: \u{85}b\n",
        "a: \u{2028}b\n",
        "a: b\u{feff}\n",
        "a: \u{7}\n",
        "a: b\n...\n",
    ] {
        assert_eq!(keys(block, Span::new(0, block.len())), None, "{block:?}");
    }
}

/// Pieces of lines that are near the edge of what is plain.
const PIECES: &[&str] = &[
    "a",
    "b c",
    "名前",
    "a: b",
    "a:",
    "a: ",
    "k:",
    "k: v",
    "title   : x",
    "k:: [[A]]",
    "- x",
    "- ",
    "-",
    "--",
    "---",
    "...",
    ": ",
    ":",
    " #",
    "#",
    "# c",
    " # c",
    " ",
    "  ",
    "    ",
    "'",
    "''",
    "\"",
    "\"x\"",
    "'it''s'",
    "[",
    "]",
    "[]",
    "[a, b]",
    "[\"a\", 'b']",
    "[[A]]",
    "[[a, 'b'] ]",
    ",",
    ", ",
    "{",
    "}",
    "{a: b}",
    "{{x}}",
    "<% y %>",
    "&x",
    "*x",
    "!x",
    "|",
    "|+\n",
    ">-",
    "%",
    "@",
    "`",
    "?",
    "? ",
    "<<",
    "<<: x",
    "\\",
    "~",
    "=",
    "null",
    "no",
    "10:00",
    "http://a.b/c#d",
    "x#y",
    "\t",
    "\r",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{3000}",
    "\u{feff}",
    "\u{0}",
    "\u{7f}",
    "😀",
    "e\u{301}",
    "“x”",
    "metadata: ",
    "  type: x",
    "  - x",
    "- a: b",
    "tags:",
    "0",
    "-1",
    "+1",
    ".5",
    "/x",
    "(y)",
    "$z",
    "^",
    ";",
];

const ENDS: &[&str] =
    &["", "", "", " ", "\n", "\n", "\n", "\r\n", "\n\n", "\n  ", "\n    ", "\n- ", "\n  - "];

const LINES: &[&str] = &[
    "a: b\n",
    "b c: 'd'\n",
    "名: \"x\"\n",
    "t : 2019-10-07 22:48:28 +0900\n",
    "k:\n",
    "k: \n",
    "k: # c\n",
    "- x\n",
    "- 'y' # c\n",
    "  - x\n",
    "  - \"y, z\"\n",
    "    - x\n",
    "  k: v\n",
    "  l: 'v' # c\n",
    "    k: v\n",
    "  k:\n",
    "\n",
    "  \n",
    "# c\n",
    "  # c\n",
    "l: [a, 'b', \"c\"] # c\n",
    "l: [ ]\n",
    "l: [a b, ]\n",
    "u: http://a.b/c#d # e\n",
    "  more\n",
    "a: b\r\n",
    "k:\r\n",
    "  - x\r\n",
    "\r\n",
    "x\n",
    "-\n",
    "  -\n",
    "a: \"x\\ty\"\n",
    "a: it's\n",
    "a: x'\n",
    "a: \"x\" y\n",
    "- k: v\n",
];

fn from_pieces() -> impl Strategy<Value = String> {
    let piece = (prop::sample::select(PIECES), prop::sample::select(ENDS));
    prop::collection::vec(piece, 0..12)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, end)| format!("{piece}{end}")).collect())
}

fn from_lines() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(LINES), 0..12).prop_map(|lines| lines.concat())
}

/// One change of a text: where, what goes, what comes.
fn change() -> impl Strategy<Value = (Index, usize, &'static str)> {
    (any::<Index>(), 0_usize..3, prop::sample::select(PIECES))
}

fn changed(mut text: String, changes: &[(Index, usize, &str)]) -> String {
    for (at, gone, put) in changes {
        let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        places.push(text.len());
        let at = at.index(places.len());
        let end = places[(at + gone).min(places.len() - 1)];
        text.replace_range(places[at]..end, put);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_pieces_are_read_alike(block in from_pieces()) {
        agrees_alone(&block);
    }

    #[test]
    fn any_lines_are_read_alike(block in from_lines(), changes in prop::collection::vec(change(), 0..2)) {
        agrees_alone(&changed(block, &changes));
    }

    #[test]
    fn any_characters_are_read_alike(block in "[-#:,&*!|>'\"%@`?\\[\\]{} \r\na日1]{0,30}") {
        agrees_alone(&format!("a: {block}\n"));
        agrees_alone(&block);
    }

    #[test]
    fn changed_real_blocks_are_read_alike(
        note in any::<Index>(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let text = note.get(&REAL);
        let inner = Frontmatter::find(text).unwrap().inner;
        agrees_alone(&changed(inner.of(text).to_owned(), &changes));
    }
}
