//! What a block says, in every style, and why one cannot be read.

use super::*;

fn find(text: &str) -> Frontmatter {
    Frontmatter::find(text).unwrap()
}

#[test]
fn the_block_is_found_by_its_fences() {
    for (text, body) in [
        ("---\na: b\n---\nx", 13),
        ("\u{feff}---\na: b\n---\nx", 16),
        ("--- \t\na: b\n---  \nx", 17),
        ("---\r\na: b\r\n---\r\nx", 16),
        ("---\na: b\n...\nx", 13),
        ("---\n---\nx", 8),
        ("---\na: b\n---", 12),
        ("---\ra: b\r---\rx", 13),
        ("---\n# only a comment\n---\n", 25),
    ] {
        let found = find(text);
        assert_eq!((found.span.end, found.problem), (body, None), "{text:?}");
    }
    for text in [
        "",
        "x\n---\na: b\n---\n",
        "---\na: b\n",
        "----\na: b\n----\n",
        "# a\n\n---\n\nb: c\n\n---\n",
        " ---\na: b\n---\n",
    ] {
        assert_eq!(Frontmatter::find(text), None, "{text:?}");
    }
}

#[test]
fn values_stay_their_characters() {
    let text = "---\nname: no\ndate: 2026-03-16 # day\nstart: 10:00\nv: '1.10'\nw: \"A: \\\"B\\\"\"\nempty:\nhash: #a #b\nlong: >-\n  one\n  two\n\n# c\nlast: x\n---\n";
    let found = find(text);
    let value = |name| found.get(name);
    assert_eq!(value("name"), Some("no"));
    assert_eq!(value("date"), Some("2026-03-16"));
    assert_eq!(value("start"), Some("10:00"));
    assert_eq!(value("v"), Some("1.10"));
    assert_eq!(value("w"), Some("A: \"B\""));
    assert_eq!(value("long"), Some("one two"));
    assert_eq!(found.key("empty").unwrap().value, Value::None);
    assert_eq!(found.key("hash").unwrap().value, Value::None);
    assert_eq!(found.key("v").unwrap().value_span.of(text), "'1.10'");
    assert_eq!(found.key("date").unwrap().lines.of(text), "date: 2026-03-16 # day\n");
    assert_eq!(found.key("long").unwrap().lines.of(text), "long: >-\n  one\n  two\n");
    assert_eq!(found.key("last").unwrap().span.of(text), "last");
}

#[test]
fn lists_are_read_in_every_style() {
    let text = "---\na: [x, 'y', \"z\"]\nb:\n  - x\n  - y # no\nc:\n- x\n\nd: x\ne:\n  - k: v\nf: {k: v}\ng: [[A]]\nh: []\n---\n";
    let found = find(text);
    assert_eq!(found.problem, None);
    assert_eq!(found.list("a"), ["x", "y", "z"]);
    assert_eq!(found.list("b"), ["x", "y"]);
    assert_eq!(found.list("c"), ["x"]);
    assert_eq!(found.list("d"), ["x"]);
    assert_eq!(found.key("e").unwrap().value, Value::Other);
    assert_eq!(found.key("f").unwrap().entry("k"), Some("v"));
    assert_eq!(found.key("g").unwrap().value, Value::Other);
    assert_eq!(found.key("h").unwrap().value, Value::List(vec![], StructureStyle::Flow));
    assert_eq!(found.key("c").unwrap().lines.of(text), "c:\n- x\n");
    assert_eq!(found.key("f").unwrap().value_span.of(text), "{k: v}");
    let spans = |name| match &found.key(name).unwrap().value {
        Value::List(items, _) => items.iter().map(|item| item.span.of(text)).collect(),
        _ => Vec::new(),
    };
    assert_eq!((spans("a"), spans("b")), (vec!["x", "'y'", "\"z\""], vec!["x", "y"]));
}

#[test]
fn a_value_ends_before_the_comments_and_blank_lines_after_it() {
    for (text, value) in [
        ("---\na:\n  - x\n# c\n  # d\n\nb: y\n---\n", "- x"),
        ("---\na: # c\n  # d\n  - x # e\n\nb: y\n---\n", "- x"),
        ("---\na:\n  k: v # e\n\n# f\n---\n", "k: v"),
        ("---\na:\n  - x\n  - \n\n# c\nb:\n---\n", "- x\n  -"),
        ("---\na: [x,\n  y] # c\nb:\n---\n", "[x,\n  y]"),
        ("---\na: |  # c\n  x\n\n  # no\n\n# c\nb: y\n---\n", "|  # c\n  x\n\n  # no"),
        ("---\na: |+\n  x\n\nb: y\n---\n", "|+\n  x\n\n"),
        ("---\na: p\n  q # c\nb: y\n---\n", "p\n  q"),
        ("---\na:  # c\nb: y\n---\n", ""),
    ] {
        let found = find(text);
        assert_eq!(found.problem, None, "{text:?}");
        assert_eq!(found.keys[0].value_span.of(text), value, "{text:?}");
        assert!(found.keys.len() == 1 || found.keys[0].lines.end <= text.find("b:").unwrap(), "{text:?}");
    }
}

#[test]
fn a_value_with_an_anchor_alias_tag_or_merge_key_is_tied() {
    let text =
        "---\na: &x 1\nb: *x\nc: !!str 1\nd: {k: *x}\ne: [&y 1]\n<<: *x\n? f\n: 1\n\"g\": 1\nh: 1\n---\n";
    let found = find(text);
    assert_eq!(found.problem, None);
    let tied: Vec<&str> = found.keys.iter().filter(|key| key.is_tied).map(|key| key.name.as_str()).collect();
    assert_eq!(tied, ["a", "b", "c", "d", "e", "<<", "f"]);
}

#[test]
fn the_entries_of_a_flat_map_are_read() {
    let found = find("---\nmetadata: \n  node_type: memory\n  type: feedback\nm:\n  k: [v]\n---\n");
    assert_eq!(found.key("metadata").unwrap().entry("type"), Some("feedback"));
    assert_eq!(found.key("m").unwrap().value, Value::Other);
    assert_eq!(found.get("type"), None);
}

#[test]
fn doubles_are_both_there_and_the_first_is_read() {
    let found = find("---\na: 1\na: 2\n---\n");
    assert_eq!((found.get("a"), found.keys.len()), (Some("1"), 2));
}

#[test]
fn a_block_too_large_or_deep_is_not_read() {
    let large = format!("---\na: {}\n---\n", "x".repeat(MAX_BYTES));
    assert!(find(&large).problem.unwrap().text.contains("more than"));
    for deep in [
        "[".repeat(30_000),
        "- ".repeat(30_000),
        (0..100).map(|n| format!("{}a:\n", " ".repeat(n))).collect(),
    ] {
        let found = find(&format!("---\na: 1\nb:\n{deep}\n---\n"));
        assert!(found.problem.is_some() && found.keys.is_empty());
    }
}

/// Name, value and lines of each key as written.
fn shape(text: &str) -> Vec<(String, &str, &str)> {
    let found = find(text);
    assert_eq!(found.problem, None, "{text:?}");
    found.keys.into_iter().map(|key| (key.name, key.value_span.of(text), key.lines.of(text))).collect()
}

fn is_tied(text: &str) -> Vec<bool> {
    find(text).keys.iter().map(|key| key.is_tied).collect()
}

#[test]
fn a_block_that_is_indented_as_a_whole_is_read() {
    let text = "---\n  a: b\n  c:\n    - d\n---\n";
    assert_eq!(shape(text), [("a".into(), "b", "  a: b\n"), ("c".into(), "- d", "  c:\n    - d\n")]);
}

#[test]
fn a_key_is_named_without_its_quotes() {
    let text = "---\n\"a b\": c\n'd''e' : f\n---\n";
    assert_eq!(shape(text), [("a b".into(), "c", "\"a b\": c\n"), ("d'e".into(), "f", "'d''e' : f\n")]);
    assert_eq!(is_tied(text), [false, false]);
}

#[test]
fn a_key_behind_a_question_mark_is_tied_and_has_its_colon_in_its_lines() {
    let text = "---\n? a\n: b\n? c\n:\nd: e\n---\n";
    let lines: Vec<&str> = find(text).keys.iter().map(|key| key.lines.of(text)).collect();
    assert_eq!(lines, ["? a\n: b\n", "? c\n:\n", "d: e\n"]);
    assert_eq!(is_tied(text), [true, true, false]);
}

#[test]
fn a_key_of_no_characters_has_no_name_and_is_tied() {
    let text = "---\n: x\n---\n";
    assert_eq!((shape(text), is_tied(text)), (vec![(String::new(), "x", ": x\n")], vec![true]));
}

#[test]
fn a_tab_behind_the_colon_is_as_good_as_a_space() {
    let text = "---\na:\tb\t# c\nd:\t\n---\n";
    assert_eq!(shape(text), [("a".into(), "b", "a:\tb\t# c\n"), ("d".into(), "", "d:\t\n")]);
}

#[test]
fn a_lone_cr_ends_a_line() {
    let text = "---\ra: b\rc:\r- d\r---\r";
    assert_eq!(shape(text), [("a".into(), "b", "a: b\r"), ("c".into(), "- d", "c:\r- d\r")]);
}

#[test]
fn a_block_text_keeps_its_indentation_mark_and_blank_lines_where_it_says_so() {
    for (value, said) in [
        ("|2-\n   x\n  y", " x\ny"),
        ("|+\n  x\n\n\n", "x\n\n\n"),
        (">-\n  x\n\n  y", "x\ny"),
        ("|", ""),
        ("|+ # c\n\n", "\n"),
    ] {
        let end = if value.ends_with('\n') { "" } else { "\n" };
        let text = format!("---\na: {value}{end}b: c\n---\n");
        let found = find(&text);
        assert_eq!(found.keys[0].value_span.of(&text), value, "{text:?}");
        assert_eq!(found.get("a"), Some(said), "{text:?}");
        assert_eq!(found.keys[1].lines.of(&text), "b: c\n", "{text:?}");
    }
}

#[test]
fn a_block_text_may_start_below_its_key() {
    for text in ["---\na:\n  |\n  x\nb: c\n---\n", "---\na: # c\n\n  |\n  x\nb: c\n---\n"] {
        assert_eq!(shape(text)[0].1, "|\n  x", "{text:?}");
    }
}

#[test]
fn an_item_may_be_empty_and_stand_behind_a_comment() {
    let text = "---\na:\n  - x\n# c\n\n  -\n  - # c\nb:\n-\n-\n\n# c\nc:\n---\n";
    let found = find(text);
    assert_eq!((found.list("a"), found.list("b")), (vec!["x", "", ""], vec!["", ""]));
    assert_eq!(found.keys[0].value_span.of(text), "- x\n# c\n\n  -\n  -");
    assert_eq!(found.keys[0].lines.of(text), "a:\n  - x\n# c\n\n  -\n  - # c\n");
    let Value::List(items, _) = &found.keys[0].value else { panic!("{found:?}") };
    assert_eq!(&text[items[2].span.start - 1..items[2].span.end + 2], "- #");
    assert_eq!(found.keys[1].lines.of(text), "b:\n-\n-\n");
}

#[test]
fn a_map_that_ends_in_an_empty_entry_ends_behind_its_colon() {
    for (value, text) in [
        ("k:", "---\na:\n  k: # c\n\nb:\n---\n"),
        ("k:\n    l:", "---\na:\n  k:\n    l:\nb:\n---\n"),
        ("- k:", "---\na:\n- k:\nb:\n---\n"),
        ("? k\n  :", "---\na:\n  ? k\n  :\nb:\n---\n"),
    ] {
        assert_eq!(shape(text)[0].1, value, "{text:?}");
    }
}

#[test]
fn blank_lines_at_the_end_belong_to_no_key() {
    let text = "---\na: b\nc:\n  - d\n\n  \n\n---\n";
    assert_eq!(shape(text), [("a".into(), "b", "a: b\n"), ("c".into(), "- d", "c:\n  - d\n")]);
}

#[test]
fn a_block_of_one_text_is_no_list_of_keys() {
    for text in ["---\n''\n---\n", "---\n!!str\n---\n", "---\nnull\n---\n"] {
        assert!(find(text).problem.unwrap().text.contains("not a list"), "{text:?}");
    }
}
