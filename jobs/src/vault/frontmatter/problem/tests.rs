//! What is said of each kind of fault, where, and the line that would mend it.

use super::super::{Frontmatter, MAX_BYTES};
use super::*;
use proptest::prelude::*;

const NOT_YAML: &str = "the frontmatter is not YAML: ";

fn problem(block: &str) -> Problem {
    let found = Frontmatter::find(&format!("---\n{block}---\n")).unwrap();
    assert!(found.keys.is_empty(), "{block:?}");
    found.problem.unwrap_or_else(|| panic!("{block:?} reads"))
}

/// Checks line in the block, column, text behind the title, and suggestion.
fn assert_said(block: &str, line: usize, column: usize, text: &str, suggestion: Option<&str>) {
    let found = problem(block);
    let said = found.text.strip_prefix(NOT_YAML).unwrap_or(&found.text);
    assert_eq!(
        (found.line - 1, found.column, said, found.suggestion.as_deref()),
        (line, column, text, suggestion),
        "{block:?}"
    );
}

#[test]
fn a_second_colon_is_told_with_the_line_in_quotes() {
    let text = "the value holds a colon and needs quotes around it";
    assert_said("a: b\nd: x: y\n", 2, 5, text, Some("d: 'x: y'"));
    assert_said("d: x: y # c\r\n", 1, 5, text, Some("d: 'x: y' # c"));
    assert_said("d: it's: y\n", 1, 8, text, Some("d: \"it's: y\""));
    assert_said("d: it's \"x\" \\: y\n", 1, 14, text, Some("d: \"it's \\\"x\\\" \\\\: y\""));
    assert_said("名: x:\nb: c\n", 1, 5, text, Some("名: 'x:'"));
    assert_said("t:\n  - a: b: c\n", 2, 9, text, Some("  - a: 'b: c'"));
    assert_said("t:\n  k: a: b\n", 2, 7, text, Some("  k: 'a: b'"));
    assert_said("key : a : b\n", 1, 9, text, Some("key : 'a : b'"));
}

#[test]
fn a_line_that_mends_only_a_part_of_the_block_is_not_offered() {
    let text = "the value holds a colon and needs quotes around it";
    assert_said("a: x: y\nb: z: w\n", 1, 5, text, None);
    assert_said("a: x: y\n  more\n", 1, 5, text, None);
}

#[test]
fn a_value_that_starts_with_a_sign_of_yaml_is_told() {
    for (sign, shown) in [
        ("@", "`@`"),
        ("`", "a backtick"),
        ("%", "`%`"),
        (",", "`,`"),
        ("}", "`}`"),
        ("]", "`]`"),
        ("- ", "`-`"),
        ("? ", "`?`"),
        (">", "`>`"),
        ("* ", "`*`, which YAML takes for a reference,"),
        ("*", "`*`, which YAML takes for a reference,"),
        ("& ", "`&`, which YAML takes for an anchor,"),
        ("!a!", "`!`, which YAML takes for a type,"),
    ] {
        let text = format!("the value starts with {shown} and needs quotes around it");
        assert_said(&format!("b: c\na: {sign}x\n"), 2, 4, &text, Some(&format!("a: '{sign}x'")));
    }
    let text = "the value starts with `*`, which YAML takes for a reference, and needs quotes around it";
    assert_said("a: *x* and *y*\nb: c\n", 1, 4, text, Some("a: '*x* and *y*'"));
    assert_said("a: **x**\n", 1, 4, text, Some("a: '**x**'"));
}

#[test]
fn a_link_without_quotes_is_told() {
    let text = "a link with text beside it needs quotes around the whole value";
    assert_said("a: [[x]], [[y]]\n", 1, 4, text, Some("a: '[[x]], [[y]]'"));
    assert_said("t:\n  - [[x]] y\n  - z\n", 2, 5, text, Some("  - '[[x]] y'"));
    assert_said("a: ![[x.png]]\nb: c\n", 1, 4, "an embed needs quotes around it", Some("a: '![[x.png]]'"));
    let text = "the value goes on behind its closing bracket";
    assert_said("a: [x](y)\n", 1, 7, text, Some("a: '[x](y)'"));
    assert_said("a: {{x}} y\n", 1, 10, text, Some("a: '{{x}} y'"));
}

#[test]
fn quotes_inside_quotes_are_told_at_the_first_inner_one() {
    let text = "the value holds quotes inside its quotes";
    assert_said("a: \"x \"y\" z\"\nb: c\n", 1, 7, text, Some("a: \"x \\\"y\\\" z\""));
    assert_said("a: \"x \\\"v\\\" \"y\"\"\n", 1, 13, text, Some("a: \"x \\\"v\\\" \\\"y\\\"\""));
    assert_said("a: 'it's'\n", 1, 7, text, Some("a: \"it's\""));
    assert_said("a: 'x' 'y'\n", 1, 6, text, Some("a: \"'x' 'y'\""));
    let text = "the value goes on behind its closing quote";
    assert_said("a: \"x\" y # c\n", 1, 8, text, Some("a: '\"x\" y' # c"));
}

#[test]
fn an_open_quote_or_bracket_is_told_where_it_opens() {
    let text = "the quote at the start of the value is not closed";
    assert_said("a: \"x\nb: c\n", 1, 4, text, Some("a: \"x\""));
    assert_said("k: v\na: \"x\nb: c\nd: \"e\"\nf: \"g\"\n", 2, 4, text, Some("a: \"x\""));
    assert_said("a: 'x\nb: c\nd: 'e'\n", 1, 4, text, Some("a: 'x'"));
    let text = "the bracket at the start of the value is not closed";
    assert_said("k: v\na: [x, y\nb: [z]\nc: d\n", 2, 4, text, None);
    assert_said("a: {x\nb: c\n", 1, 4, text, None);
    assert_said("\"a: b\n", 1, 1, "the quote at the start of the line is not closed", None);
}

#[test]
fn a_backslash_that_is_no_escape_is_told() {
    let text = "a backslash in double quotes stands for itself only when it is doubled";
    assert_said("a: \"\\n C:\\Users\"\n", 1, 10, text, Some("a: \"\\n C:\\\\Users\""));
}

#[test]
fn an_item_in_brackets_is_told_and_the_list_stays_a_list() {
    assert_said("a: [x, @y]\n", 1, 8, "an item starts with `@` and needs quotes around it", None);
    assert_said("a: [#x, #y]\n", 1, 5, "an item starts with `#` and needs quotes around it", None);
    assert_said("a: [x: y: z]\n", 1, 9, "an item holds a colon and needs quotes around it", None);
    assert_said("a: [x]# c\n", 1, 7, "the comment needs a space before it", None);
}

#[test]
fn a_tab_is_told_on_its_own_line() {
    for (block, line, column) in [
        ("a:\n\tb: c\n", 2, 1),
        ("a:\n  b: c\n\td: e\n", 3, 1),
        ("a: x\n\tb: c\n", 2, 1),
        ("\ta: b\n", 1, 1),
        ("a:\n  \tb: c\n", 2, 3),
        ("a:\n\t- b\n", 2, 1),
    ] {
        assert_said(block, line, column, "the line is indented with a tab, and YAML takes only spaces", None);
    }
}

#[test]
fn a_line_that_is_indented_wrongly_is_told() {
    for (block, line, column, text) in [
        ("  a: b\nc: d\n", 1, 3, "the line is indented, and the lines after it are not"),
        ("a: b\n  c: d\n", 2, 3, "the line is indented, and the key before it has its value already"),
        ("a: b\n- c\n", 2, 1, "the list item stands below a key that has its value already"),
        ("a:\n  - x\n - y\n", 3, 2, "the line is indented unlike the lines before it"),
    ] {
        assert_said(block, line, column, text, None);
    }
}

#[test]
fn a_line_without_a_key_is_told() {
    for (block, line, column, text) in [
        ("a: b\njust text\nc: d\n", 2, 1, "the line has no colon behind a key"),
        ("c: d\na:b\n", 2, 2, "the colon needs a space behind it"),
        ("c: d\n名：b\n", 2, 2, "the colon is a wide one, and YAML needs `:` and a space"),
        ("a: b\n<<<<<<< HEAD\nc: d\n", 2, 1, "the line is left over from a merge conflict"),
        ("a: b\n=======\nc: d\n", 2, 1, "the line is left over from a merge conflict"),
        ("@x: c\n", 1, 1, "the key starts with `@` and needs quotes around it"),
        ("a: \u{7}\n", 1, 4, "the line holds a control character"),
    ] {
        assert_said(block, line, column, text, None);
    }
}

#[test]
fn a_block_that_is_no_list_of_keys_is_told() {
    let title = "the frontmatter is not a list of `key: value` lines";
    for block in ["- a\n", "{a: b}\n", "[x]: y\n", "&x\na: b\n"] {
        assert_eq!(problem(block).text, title, "{block:?}");
    }
    assert_eq!(problem("just text\n").text, format!("{title}: the line has no colon behind a key"));
    assert_eq!(
        problem("<<<<<<< HEAD\na: b\n").text,
        format!("{title}: the line is left over from a merge conflict")
    );
    let second = problem("a: b\n--- # c\nd: e\n");
    assert_eq!(
        (second.text.as_str(), second.line),
        ("the frontmatter holds a line that starts a second YAML document", 3)
    );
}

#[test]
fn what_is_not_known_is_told_in_the_words_of_the_parser() {
    let found = problem("a: x # c\n  y\nb: c\n");
    assert_eq!(found.text, "the frontmatter is not YAML (comment intercepting the multiline text)");
}

#[test]
fn nesting_that_is_too_deep_is_told_as_such() {
    let block: String = (0..100).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    assert_eq!(problem(&block).text, "the frontmatter is nested deeper than is read");
}

const PIECES: &[&str] = &[
    "a: ",
    "名: ",
    "k:\n",
    "- ",
    "  - ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "'",
    "\"",
    "\\",
    "[",
    "]",
    "[[x]]",
    "![[",
    "{",
    "}",
    ",",
    ":",
    ": ",
    "：",
    "#",
    " # c",
    "@",
    "`",
    "%",
    "*x",
    "&x",
    "!x",
    "|",
    ">",
    "? ",
    "<<<<<<<",
    "=======",
    "x",
    "é",
    "\u{feff}",
    "\u{85}",
    "\u{7}",
    "...",
    "--- # c\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_problem_has_its_place_in_the_block_and_any_suggestion_mends_it(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..14),
    ) {
        let note = format!("---\n{}\n---\nbody\n", pieces.concat());
        let Some(Frontmatter { inner, problem: Some(problem), .. }) = Frontmatter::find(&note) else {
            return Ok(());
        };
        let lines: Vec<Span> = line::each(&note, Span::new(0, inner.end)).collect();
        prop_assert!(problem.line > 1 && problem.line <= lines.len(), "{note:?}: {problem:?}");
        let shown = lines[problem.line - 1];
        prop_assert!(problem.column <= shown.of(&note).chars().count(), "{note:?}: {problem:?}");
        if let Some(suggestion) = problem.suggestion {
            let mut mended = note.clone();
            mended.replace_range(shown.start..shown.start + line::content(shown.of(&note)).len(), &suggestion);
            let found = Frontmatter::find_within(&mended, MAX_BYTES).unwrap();
            prop_assert_eq!(found.problem, None, "{}", mended);
        }
    }
}
