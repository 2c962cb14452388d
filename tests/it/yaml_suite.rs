//! The YAML test suite as notes: each document between fences. What memkeep reads of one is what the
//! suite's events say, and of one that must fail it reads nothing.

use crate::{figure::Figure, tree::tests};
use jobs::vault::frontmatter::{Frontmatter, Value};
use serde::Deserialize;

/// One document of the suite.
#[derive(Deserialize)]
pub struct Document {
    pub id: String,
    pub fail: bool,
    pub yaml: String,
    pub tree: Vec<String>,
}

pub fn documents() -> Vec<Document> {
    let text = std::fs::read_to_string(tests().join("peers/yaml-test-suite.json")).expect("the suite");
    serde_json::from_str(&text).expect("JSON")
}

impl Document {
    /// The document as the frontmatter of a note. Its own first `---` is the fence.
    pub fn note(&self) -> String {
        let yaml = self.yaml.strip_prefix("---\n").unwrap_or(&self.yaml);
        let end = if yaml.is_empty() || yaml.ends_with('\n') { "" } else { "\n" };
        format!("---\n{yaml}{end}---\nBody.\n")
    }

    /// Its own lines end the block before its end.
    fn is_cut(&self) -> bool {
        let yaml = self.yaml.strip_prefix("---\n").unwrap_or(&self.yaml);
        yaml.lines().any(|line| ["---", "..."].contains(&line.trim_end()))
    }
}

/// A node as the suite's events tell it.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Scalar(String),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
    Alias,
}

/// The keys and values of a document that is one map in block style; none of any other.
fn top(tree: &[String]) -> Option<Vec<(Node, Node)>> {
    let mut events = tree.iter().map(String::as_str).peekable();
    let is_one = tree.iter().filter(|event| event.starts_with("+DOC")).count() == 1;
    let is_block = tree.iter().find(|event| !matches!(&event[..4], "+STR" | "+DOC"));
    if !is_one || is_block.is_none_or(|event| event != "+MAP") {
        return None;
    }
    match node(&mut events.by_ref().skip(2))? {
        Node::Map(entries) => Some(entries),
        _ => None,
    }
}

/// The next node; none at the end of a collection.
fn node(events: &mut dyn Iterator<Item = &str>) -> Option<Node> {
    let event = events.next()?;
    match event.get(..4)? {
        "=VAL" => Some(Node::Scalar(scalar(event))),
        "=ALI" => Some(Node::Alias),
        "+SEQ" => {
            let mut items = Vec::new();
            while let Some(item) = node(events) {
                items.push(item);
            }
            Some(Node::List(items))
        }
        "+MAP" => {
            let mut entries = Vec::new();
            while let Some(key) = node(events) {
                entries.push((key, node(events)?));
            }
            Some(Node::Map(entries))
        }
        _ => None,
    }
}

/// What a scalar says: behind its anchor and tag and the sign of its style, its escapes undone.
fn scalar(event: &str) -> String {
    let mut rest = &event[5..];
    while rest.starts_with(['&', '<']) {
        rest = rest.split_once(' ').map_or("", |(_, rest)| rest);
    }
    let text = rest.get(1..).unwrap_or_default().replace("<SPC>", " ").replace("<TAB>", "\t");
    let mut said = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        said.push(match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => '\n',
            ('\\', Some('t')) => '\t',
            ('\\', Some('r')) => '\r',
            ('\\', Some('b')) => '\u{8}',
            ('\\', Some(other)) => other,
            (c, _) => c,
        });
    }
    said
}

/// How what memkeep reads differs from what the suite says; one line each. A map with a key that is no
/// scalar is not read, and told.
fn misread(found: &Frontmatter, entries: &[(Node, Node)]) -> Vec<String> {
    if entries.iter().any(|(key, _)| !matches!(key, Node::Scalar(_))) {
        let is_told = found.keys.is_empty() && found.problem.is_some();
        return if is_told { Vec::new() } else { vec![format!("reads the keys {:?}", found.keys)] };
    }
    let names: Vec<Node> = found.keys.iter().map(|key| Node::Scalar(key.name.clone())).collect();
    let wanted: Vec<Node> = entries.iter().map(|(key, _)| key.clone()).collect();
    if names != wanted {
        return vec![format!("reads the keys {names:?}, and they are {wanted:?}: {:?}", found.problem)];
    }
    let differs = |(key, (_, node)): (&jobs::vault::frontmatter::Key, &(Node, Node))| {
        (!agrees(&key.value, node)).then(|| format!("{} is {node:?}, read as {:?}", key.name, key.value))
    };
    found.keys.iter().zip(entries).filter_map(differs).collect()
}

/// Collections that memkeep does not look into are of its kind `Other`.
fn agrees(value: &Value, node: &Node) -> bool {
    let is = |text: &str, node: &Node| *node == Node::Scalar(text.to_owned());
    match (value, node) {
        (Value::None, node) => is("", node),
        (Value::Text(text, _), node) => is(text, node),
        (Value::List(items, _), Node::List(nodes)) => {
            items.len() == nodes.len() && items.iter().zip(nodes).all(|(item, node)| is(&item.text, node))
        }
        (Value::Map(entries), Node::Map(nodes)) => {
            let same = |((key, text), (name, node)): (&(String, String), &(Node, Node))| {
                is(key, name) && is(text, node)
            };
            entries.len() == nodes.len() && entries.iter().zip(nodes).all(same)
        }
        (Value::Other, Node::List(_) | Node::Map(_) | Node::Alias) => true,
        _ => false,
    }
}

/// Documents that must fail and are read, and why that does no harm.
const READ_ALL_THE_SAME: &[(&[&str], &str)] = &[
    (
        &["9C9N", "QB6E"],
        "the next lines of `[a,` or `\"a` are not indented: there is one reading, and it is right",
    ),
    (&["DK95-01"], "a tab indents the next line of a quoted text: blanks of any kind are folded there"),
];

/// Checks what is wrong with a document against the exceptions: one that is none must be right, and one
/// that is must be wrong.
fn verdict(document: &Document, wrong: &[String], exceptions: &[(&[&str], &str)]) -> Result<(), String> {
    let is_exception = exceptions.iter().any(|(ids, _)| ids.contains(&document.id.as_str()));
    match (wrong.is_empty(), is_exception) {
        (true, false) | (false, true) => Ok(()),
        (true, true) => Err(format!("{} is right, and is an exception", document.id)),
        (false, false) => Err(format!("{}: {}\n{}", document.id, wrong.join("\n"), document.yaml)),
    }
}

/// A note and the same one with CRLF, which says the same.
fn with_both_line_ends(note: &str) -> [String; 2] {
    [note.to_owned(), note.replace("\r\n", "\n").replace('\n', "\r\n")]
}

#[test]
fn blocks_are_read_as_the_yaml_test_suite_says() {
    let mut figure = Figure::of("reading agrees with the YAML test suite");
    for document in documents().iter().filter(|document| !document.fail && !document.is_cut()) {
        let Some(entries) = top(&document.tree) else { continue };
        for note in with_both_line_ends(&document.note()) {
            let found = Frontmatter::find(&note).expect("a block");
            figure.trial(verdict(document, &misread(&found, &entries), &[]));
        }
    }
    figure.done();
}

#[test]
fn documents_that_must_fail_have_no_keys() {
    let mut figure = Figure::of("what is no YAML has no keys");
    for document in documents().iter().filter(|document| document.fail && !document.is_cut()) {
        for note in with_both_line_ends(&document.note()) {
            let found = Frontmatter::find(&note).expect("a block");
            let read: Vec<String> = found.keys.iter().map(|key| format!("read: {key:?}")).collect();
            figure.trial(verdict(document, &read, READ_ALL_THE_SAME));
        }
    }
    figure.done();
}

#[test]
fn a_wrong_reading_is_noticed() {
    let entries = |text: &str| {
        let tree: Vec<String> = text.split(' ').map(|event| event.replace('_', " ")).collect();
        top(&tree).expect("a map")
    };
    let found = Frontmatter::find("---\na: 1\nb: [x, y]\nc:\n---\n").expect("a block");
    let right =
        "+STR +DOC +MAP =VAL_:a =VAL_:1 =VAL_:b +SEQ_[] =VAL_:x =VAL_:y -SEQ =VAL_:c =VAL_: -MAP -DOC";
    assert_eq!(misread(&found, &entries(right)), Vec::<String>::new());
    for (old, new) in [(":a", ":A"), (":1", ":1.0"), (":x", ":z"), (" =VAL_:y", ""), ("=VAL_: ", "=ALI_*a ")]
    {
        assert_eq!(misread(&found, &entries(&right.replace(old, new))).len(), 1, "{old} as {new}");
    }
}
