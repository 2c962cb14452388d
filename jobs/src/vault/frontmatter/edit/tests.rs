//! What each operation makes of a block, byte for byte, and what it refuses.

use super::{super::MAX_BYTES, *};

/// The note after one operation on its block, or why there is none.
fn edit(text: &str, operations: &[Operation]) -> Result<String, String> {
    let front = Frontmatter::find(text).unwrap();
    let patches = front.edit(text, operations).map_err(|refusal| refusal.0)?;
    Ok(guard::patched(text, &patches).unwrap())
}

fn set(key: usize, value: &str) -> Operation {
    Operation::Set { key, value: value.to_owned() }
}

fn insert(name: &str, value: &str, order: &[&str]) -> Operation {
    let order = order.iter().map(|name| (*name).to_owned()).collect();
    Operation::Insert { name: name.to_owned(), value: value.to_owned(), order }
}

fn rename(key: usize, name: &str) -> Operation {
    Operation::Rename { key, name: name.to_owned() }
}

fn to_list(key: usize, items: &[&str]) -> Operation {
    Operation::ToList { key, items: items.iter().map(|item| (*item).to_owned()).collect() }
}

/// Each block, without its fences, and what becomes of it.
fn all(cases: &[(&str, Operation, &str)]) {
    for (before, operation, after) in cases {
        let note = |block: &str| format!("---\n{block}---\nBody.\n");
        assert_eq!(edit(&note(before), std::slice::from_ref(operation)), Ok(note(after)), "{before:?}");
    }
}

fn refused(cases: &[(&str, Operation)]) {
    for (before, operation) in cases {
        let note = format!("---\n{before}---\nBody.\n");
        assert!(edit(&note, std::slice::from_ref(operation)).is_err(), "{before:?} {operation:?}");
    }
}

#[test]
fn a_value_is_set_in_its_quotes_and_before_its_comment() {
    all(&[
        ("a: x\n", set(0, "new"), "a: new\n"),
        ("a: 'x'   # c\nb: 1\n", set(0, "it's"), "a: 'it''s'   # c\nb: 1\n"),
        ("a   : \"x\"\r\n", set(0, "new"), "a   : \"new\"\r\n"),
        ("a:\n", set(0, "new"), "a: new\n"),
        ("a: \nb:\n", set(0, "new"), "a: new\nb:\n"),
        ("a: # c\n", set(0, "new"), "a: new # c\n"),
        ("a:  # c\n", set(0, "new"), "a:  new # c\n"),
        ("a: x\n", set(0, "y: z"), "a: \"y: z\"\n"),
        ("a: x\n", set(0, "2026-03-16"), "a: 2026-03-16\n"),
        ("a: p\n  q # c\nb: 1\n", set(0, "new"), "a: new # c\nb: 1\n"),
        ("m:\n  a: x\na: x\n", set(1, "new"), "m:\n  a: x\na: new\n"),
    ]);
    refused(&[
        ("a: &x y\nb: *x\n", set(0, "new")),
        ("a: |\n  x\n", set(0, "new")),
        ("a: [x]\n", set(0, "new")),
        ("a: {x: y}\n", set(0, "new")),
        ("a: x\n", set(1, "new")),
        ("a: b: c\n", set(0, "new")),
    ]);
}

#[test]
fn a_new_key_goes_to_its_place_and_looks_like_its_neighbours() {
    let order = ["name", "description", "type", "status"];
    let add = |name: &str| insert(name, "x", &order);
    all(&[
        ("name: a\nstatus: b\n", add("type"), "name: a\ntype: x\nstatus: b\n"),
        ("status: b\n", add("type"), "type: x\nstatus: b\n"),
        (
            "# of all\n\n# of status\nstatus: b\n",
            add("name"),
            "# of all\n\nname: x\n# of status\nstatus: b\n",
        ),
        ("other: b\n\n# end\n", add("type"), "other: b\ntype: x\n\n# end\n"),
        (
            "name: |\n  one\n\n  two\n\nother: b\n",
            add("type"),
            "name: |\n  one\n\n  two\ntype: x\n\nother: b\n",
        ),
        ("name: |+\n  one\n\nother: b\n", add("type"), "name: |+\n  one\n\ntype: x\nother: b\n"),
        (
            "name:\n- a\n  # of a\n# of o\nother: b\n",
            add("type"),
            "name:\n- a\n  # of a\ntype: x\n# of o\nother: b\n",
        ),
        ("text: |\n  x\n  # x\nstatus: b\n", add("name"), "text: |\n  x\n  # x\nname: x\nstatus: b\n"),
        ("name : a\nlonger: b\n", add("type"), "name : a\ntype: x\nlonger: b\n"),
        ("name  : a\nother : b\n", add("type"), "name  : a\ntype  : x\nother : b\n"),
        ("name:   a\nother:  b\n", add("type"), "name:   a\ntype:   x\nother:  b\n"),
        ("  name: a\n  other: b\n", add("type"), "  name: a\n  type: x\n  other: b\n"),
        ("name: a\r\nother: b\n", add("type"), "name: a\r\ntype: x\r\nother: b\n"),
        ("", add("type"), "type: x\n"),
        ("# only\n", add("type"), "# only\ntype: x\n"),
    ]);
    refused(&[("type: a\n", add("type")), ("a: &x {b: c}\n<<: *x\n", add("type"))]);
    let crlf = "\u{feff}---\r\nname: a\r\n---";
    assert_eq!(edit(crlf, &[add("type")]), Ok("\u{feff}---\r\nname: a\r\ntype: x\r\n---".to_owned()));
    assert_eq!(edit("---\r\n---", &[add("type")]), Ok("---\r\ntype: x\r\n---".to_owned()));
    assert_eq!(edit("---\rname: a\r---\r", &[add("type")]), Ok("---\rname: a\rtype: x\r---\r".to_owned()));
}

#[test]
fn two_new_keys_at_one_place_stand_in_the_order_asked_for() {
    let order = ["name", "type", "status"];
    let both = [insert("type", "x", &order), insert("status", "z", &order)];
    assert_eq!(edit("---\nname: a\n---\n", &both), Ok("---\nname: a\ntype: x\nstatus: z\n---\n".to_owned()));
}

#[test]
fn a_key_is_renamed_and_its_value_stays() {
    all(&[
        ("descripton: d # c\n", rename(0, "description"), "description: d # c\n"),
        ("'Type': [a]\n", rename(0, "type"), "'type': [a]\n"),
        ("Tags:\n- a\n# c\nb: 1\n", rename(0, "tags"), "tags:\n- a\n# c\nb: 1\n"),
        ("naem   : a\nother  : b\n", rename(0, "name"), "name   : a\nother  : b\n"),
        ("titel  : a\nother  : b\n", rename(0, "long title"), "long title: a\nother  : b\n"),
        ("a: |\n  x\n", rename(0, "b c"), "b c: |\n  x\n"),
    ]);
    refused(&[("a: 1\nb: 2\n", rename(0, "b")), ("? a\n: 1\n", rename(0, "b"))]);
}

#[test]
fn a_text_becomes_a_list_in_the_style_of_the_block() {
    all(&[
        ("tags: a, b # c\n", to_list(0, &["a", "b"]), "tags: [a, b] # c\n"),
        ("tags: #a #b\n", to_list(0, &["a", "b"]), "tags: [a, b]\n"),
        ("tags: \"#a #b\"\nx:\n  - y\n", to_list(0, &["a", "b"]), "tags:\n  - a\n  - b\nx:\n  - y\n"),
        ("x:\n- y\r\ntags: a # c\n", to_list(1, &["a", "b: c"]), "x:\n- y\r\ntags: # c\n- a\n- \"b: c\"\n"),
        ("x: [y]\nz:\n- y\ntags: a\n", to_list(2, &["a,b"]), "x: [y]\nz:\n- y\ntags: [\"a,b\"]\n"),
        (
            "tags:\n- #a\n# r\n-   #b # c\nx: 1\n",
            to_list(0, &["a", "b"]),
            "tags:\n- a\n# r\n-   b # c\nx: 1\n",
        ),
        ("tags:\n-\n- # c\n", to_list(0, &["a", "b"]), "tags:\n- a\n- b # c\n"),
        ("tags: #a #b  # c\n", to_list(0, &["a", "b"]), "tags: [a, b]  # c\n"),
        ("tags: # c\n", to_list(0, &["a"]), "tags: [a] # c\n"),
        ("x:\n- y\ntags: # c\n", to_list(1, &["a"]), "x:\n- y\ntags: # c\n- a\n"),
        ("x:\n- y\ntags: #a   # c\n", to_list(1, &["a"]), "x:\n- y\ntags:   # c\n- a\n"),
        ("x:\n- y\ntags: a, b\r\n", to_list(1, &["a", "b"]), "x:\n- y\ntags:\r\n- a\r\n- b\r\n"),
        ("tags: a   # c\nx:\n  - y\n", to_list(0, &["a"]), "tags:   # c\n  - a\nx:\n  - y\n"),
        ("tags: # c\n- #a\n- #b\n# d\nx: 1\n", to_list(0, &["a", "b"]), "tags: # c\n- a\n- b\n# d\nx: 1\n"),
        ("tags:\n", to_list(0, &["a"]), "tags: [a]\n"),
    ]);
    refused(&[
        ("tags: |\n  a\n", to_list(0, &["a"])),
        ("tags: a\n", to_list(0, &[])),
        ("tags: {a: b}\n", to_list(0, &["a"])),
        ("tags: [a]\n", to_list(0, &["b"])),
        ("x:\n- y\ntags: # c\n  a\n", to_list(1, &["a"])),
        ("tags:\n- #a\n- #b\n", to_list(0, &["a"])),
        ("tags:\n- \"\" # c\n", to_list(0, &["a"])),
        ("tags:\n  # c\n  a\nx:\n  - y\n", to_list(0, &["a"])),
    ]);
}

#[test]
fn a_list_of_one_becomes_its_item() {
    let to_scalar = |key| Operation::ToScalar { key };
    all(&[
        ("status: [active] # c\n", to_scalar(0), "status: active # c\n"),
        ("status:\n  - 'active'\nx: 1\n", to_scalar(0), "status: 'active'\nx: 1\n"),
        ("status: # c\n- active\n", to_scalar(0), "status: active # c\n"),
        ("day: [2026-03-16]\n", to_scalar(0), "day: 2026-03-16\n"),
        ("done:\n- no\n", to_scalar(0), "done: no\n"),
    ]);
    refused(&[
        ("status: [a, b]\n", to_scalar(0)),
        ("status: a\n", to_scalar(0)),
        ("status:\n  # c\n  - a\n", to_scalar(0)),
        ("status:\n  - a # c\n", to_scalar(0)),
        ("status: [a # c\n  ]\n", to_scalar(0)),
        ("status: [ # c\n  a ]\n", to_scalar(0)),
        ("status:\n  -\n", to_scalar(0)),
    ]);
}

#[test]
fn items_change_come_and_go() {
    let item = |item, value: &str| Operation::SetItem { key: 0, item, value: value.to_owned() };
    let add = |value: &str| Operation::AddItem { key: 0, value: value.to_owned() };
    let remove = |item| Operation::RemoveItem { key: 0, item };
    all(&[
        ("a: [x, '#y'] # c\n", item(1, "y"), "a: [x, 'y'] # c\n"),
        ("a:\n  - \"#x\" # c\n", item(0, "x"), "a:\n  - \"x\" # c\n"),
        ("a: [x]\n", add("Denver, Co"), "a: [x, \"Denver, Co\"]\n"),
        ("a: []\n", add("x"), "a: [x]\n"),
        ("a:\n  - one\nb: 1\n", add("1234"), "a:\n  - one\n  - \"1234\"\nb: 1\n"),
        ("a:\n- one # c\r\n\n# d\nb: 1\n", add("two"), "a:\n- one # c\r\n- two\r\n\n# d\nb: 1\n"),
        ("a: [x, y, z]\n", remove(0), "a: [y, z]\n"),
        ("a: [x, y, z] # c\n", remove(2), "a: [x, y] # c\n"),
        ("a: [x, y, z]\n", remove(1), "a: [x, z]\n"),
        ("a:\n  - x\n  - y\n# c\n", remove(1), "a:\n  - x\n# c\n"),
    ]);
    refused(&[
        ("a: [x]\n", remove(0)),
        ("a: [x,\n  y]\n", remove(1)),
        ("a: [ # c\n  ]\n", add("x")),
        ("a:\n- x\n- y # c\n", remove(1)),
        ("a: [x]\n", item(1, "y")),
        ("a:\n- \n", item(0, "y")),
    ]);
    let both = [remove(0), remove(2), item(1, "Z")];
    assert_eq!(edit("---\na: [x, y, z]\n---\n", &both), Ok("---\na: [Z]\n---\n".to_owned()));
    assert!(edit("---\na: [x, y]\n---\n", &[remove(0), remove(1)]).is_err());
}

#[test]
fn a_key_goes_only_where_an_earlier_one_says_the_same() {
    let remove = |key| Operation::RemoveDuplicate { key };
    all(&[
        ("a: x\nb: 1\na: x\n# c\n", remove(2), "a: x\nb: 1\n# c\n"),
        ("a: x # c\na: x # c\n", remove(1), "a: x # c\n"),
        ("a:\n  - x\na:\n  - x\n", remove(1), "a:\n  - x\n"),
    ]);
    refused(&[
        ("a: x\na: y\n", remove(1)),
        ("a: x\na: 'x'\n", remove(1)),
        ("a: x\na: x # c\n", remove(1)),
        ("a: x\na: x\n", remove(0)),
        ("a: x\na: y\na: x\n", remove(2)),
    ]);
    all(&[("a: y\na: x\na: x\n", remove(2), "a: y\na: x\n")]);
}

#[test]
fn what_yaml_takes_as_a_comment_is_quoted_with_the_value() {
    let quote = |key| Operation::Quote { key };
    all(&[
        ("d: see #7, \"then\"  \n", quote(0), "d: \"see #7, \\\"then\\\"\"  \n"),
        ("d: #a #b\n", quote(0), "d: \"#a #b\"\n"),
        ("t: 'x'\nd: it's #7\n", quote(1), "t: 'x'\nd: 'it''s #7'\n"),
    ]);
    all(&[("d: no\n", quote(0), "d: \"no\"\n")]);
    refused(&[("d: 'x' #7\n", quote(0)), ("d:\n", quote(0)), ("d: x\n  y #7\n", quote(0))]);
}

#[test]
fn edits_of_the_same_bytes_are_refused_and_others_happen_together() {
    assert!(edit("---\na: x\n---\n", &[set(0, "new"), set(0, "z")]).is_err());
    let both = [rename(0, "b"), set(0, "new")];
    assert_eq!(edit("---\na : x # c\n---\n", &both), Ok("---\nb : new # c\n---\n".to_owned()));
}

#[test]
fn a_name_is_brought_once() {
    let twice = [insert("b", "x", &[]), insert("b", "y", &[])];
    assert!(edit("---\na: x\n---\n", &twice).is_err());
    assert!(edit("---\na: x\n---\n", &[rename(0, "b"), insert("b", "y", &[])]).is_err());
    refused(&[("a: x\n", insert("<<", "y", &[])), ("a: x\n", rename(0, ""))]);
}

#[test]
fn what_is_so_already_has_no_patch() {
    let text = "---\na: \"no\"\nb: [x]\n---\n";
    let item = Operation::SetItem { key: 1, item: 0, value: "x".to_owned() };
    let patches = Frontmatter::find(text).unwrap().edit(text, &[set(0, "no"), item]);
    assert_eq!(patches, Ok(vec![vec![], vec![]]));
}

#[test]
fn a_block_does_not_outgrow_what_is_read() {
    let text = format!("---\na: {}\n---\n", "x".repeat(MAX_BYTES - 10));
    assert!(edit(&text, &[set(0, "x")]).is_ok());
    assert!(edit(&text, &[insert("b", "w", &[])]).is_ok());
    assert!(edit(&text, &[insert("b", "long value", &[])]).is_err());
}

/// The cost of removals is that of the list: with that of its cube this would not end in a day.
#[test]
fn thousands_of_items_go_in_one_call() {
    let n_items = 15_000;
    let text = format!("---\na: [{}]\n---\n", vec!["x"; n_items].join(", "));
    let all: Vec<Operation> = (0..n_items - 1).map(|item| Operation::RemoveItem { key: 0, item }).collect();
    assert_eq!(edit(&text, &all), Ok("---\na: [x]\n---\n".to_owned()));
}

#[test]
fn a_patch_that_would_say_something_else_is_caught_by_the_guard() {
    let text = "---\na: x # c\nb: [y]\n---\nBody.\n";
    let front = Frontmatter::find(text).unwrap();
    let operations = [set(0, "z")];
    let block = Block::new(text, &front, &operations);
    let patch =
        |start, end, put: &str| vec![vec![Patch { span: Span::new(start, end), put: put.to_owned() }]];
    assert!(guard::check(&block, &patch(7, 8, "z")).is_ok());
    for (bad, what) in [
        (patch(7, 8, "y"), "another value"),
        (patch(7, 17, "z\nb: [y"), "a comment that goes, and a neighbour that is written anew"),
        (patch(7, 8, "z\nc: d"), "a key that comes along"),
        (patch(7, 21, "z\n"), "a neighbour that goes"),
        (patch(7, 8, "z: z"), "no YAML"),
        (patch(7, 8, "z\n---\nmore"), "a fence in the block"),
        (patch(15, 16, "z"), "the value of a neighbour"),
        (patch(7, 12, "z"), "a comment that goes"),
    ] {
        assert!(guard::check(&block, &bad).is_err(), "{what}");
    }
}
