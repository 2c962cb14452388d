//! Blocks out of a generator, each known piece by piece: which lines hold which key, what its value says,
//! and which lines are a person's own (comments, blanks). What memkeep reads and edits is held against this,
//! never against its own reading.

use jobs::vault::Span;
use proptest::{collection::vec, prelude::*};

/// A part of a block: the lines of one key, or lines between two.
#[derive(Clone, Debug)]
pub struct Piece {
    pub text: String,
    pub key: Option<Known>,
}

/// What is known of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub name: String,
    pub says: Says,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    Nothing,
    Text(String),
    List(Vec<String>),
    /// What memkeep does not look into, or must not change.
    Other,
}

/// A note with a generated block.
#[derive(Clone, Debug)]
pub struct Generated {
    pub text: String,
    /// The lines of each key, in order.
    pub own: Vec<(Span, Known)>,
}

/// Notes with blocks of every kind of line, with LF, CRLF or both, with and without BOM and final newline.
pub fn note() -> impl Strategy<Value = Generated> {
    let ends = prop_oneof![3 => Just(""), 2 => Just("\r\n"), 1 => Just("mixed")];
    let fences =
        prop_oneof![6 => Just(("---", "---")), 1 => Just(("--- ", "---\t")), 1 => Just(("---", "..."))];
    let body = prop_oneof![
        3 => Just("\nBody.\n\n---\nname: not a key\n---\n"),
        1 => Just("Body #tag"),
        1 => Just("\n"),
        1 => Just(""),
    ];
    (vec(piece(), 1..9), ends, fences, body, any::<[bool; 3]>()).prop_map(
        |(pieces, ends, (open, close), body, [has_bom, has_end, is_double])| {
            let mut pieces = numbered(pieces, is_double);
            pieces.insert(0, between(format!("{open}\n")));
            pieces.push(between(close.to_owned() + if body.is_empty() && !has_end { "" } else { "\n" }));
            pieces.push(between(body.to_owned()));
            if has_bom {
                pieces.insert(0, between("\u{feff}".to_owned()));
            }
            joined(&pieces, ends)
        },
    )
}

fn between(text: String) -> Piece {
    Piece { text, key: None }
}

/// The pieces with a number in each name and comment, so that none is there twice; but a double of the
/// first key stands at the end, if one is wanted.
fn numbered(pieces: Vec<Piece>, is_double: bool) -> Vec<Piece> {
    let mut count = 0;
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        // Blank lines and indented comments below a block of text are part of it.
        if piece.key.is_none()
            && all.last().is_some_and(|last| last.text.contains(": |") || last.text.contains(": >"))
        {
            continue;
        }
        count += 1;
        let number = |text: &str| text.replace('№', &count.to_string());
        let key = piece
            .key
            .map(|known| Known { name: number(&known.name), says: numbered_says(known.says, count) });
        all.push(Piece { text: number(&piece.text), key });
    }
    let double = all.iter().find(|piece| piece.key.is_some()).filter(|_| is_double).cloned();
    // An anchor may not stand there twice.
    all.extend(double.filter(|double| !double.text.contains('&')));
    all
}

fn numbered_says(says: Says, count: usize) -> Says {
    let number = |text: String| text.replace('№', &count.to_string());
    match says {
        Says::Text(text) => Says::Text(number(text)),
        Says::List(items) => Says::List(items.into_iter().map(number).collect()),
        other => other,
    }
}

/// The note, its line ends as wanted.
fn joined(pieces: &[Piece], ends: &str) -> Generated {
    let (mut text, mut own, mut n_lines) = (String::new(), Vec::new(), 0);
    for piece in pieces {
        let start = text.len();
        for line in piece.text.split_inclusive('\n') {
            n_lines += 1;
            let is_crlf = ends == "\r\n" || ends == "mixed" && n_lines % 3 == 0;
            match line.strip_suffix('\n').filter(|_| is_crlf) {
                Some(line) => text.extend([line, "\r\n"]),
                None => text.push_str(line),
            }
        }
        own.extend(piece.key.clone().map(|key| (Span::new(start, text.len()), key)));
    }
    Generated { text, own }
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        4 => scalar(),
        3 => list(),
        2 => block_text(),
        2 => other(),
        2 => prop_oneof![
            Just("# remark №\n"), Just("  # remark №\n"), Just("\n"), Just("# remark №\n\n# name: no key №\n"),
        ].prop_map(|text| between(text.to_owned())),
    ]
}

/// A name as written and as read.
fn name() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop_oneof![
        6 => Just(("key№", "key№")),
        1 => Just(("date created №", "date created №")),
        1 => Just(("Überschrift№", "Überschrift№")),
        1 => Just(("\"quoted №\"", "quoted №")),
        1 => Just(("'it''s №'", "it's №")),
        1 => Just(("a.b-c/№", "a.b-c/№")),
        1 => Just(("№", "№")),
        1 => Just(("k№:", "k№:")),
    ]
}

fn known(name: &str, says: Says, text: String) -> Piece {
    Piece { text, key: Some(Known { name: name.to_owned(), says }) }
}

/// A text on one line as written and as read.
fn text() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop_oneof![
        4 => Just(("some words", "some words")),
        1 => Just(("2019-10-07 22:48:28 +0900", "2019-10-07 22:48:28 +0900")),
        1 => Just(("1.10", "1.10")),
        1 => Just(("no", "no")),
        1 => Just(("https://example.org/a#b", "https://example.org/a#b")),
        1 => Just(("a\tb", "a\tb")),
        1 => Just(("'it''s # no: word'", "it's # no: word")),
        1 => Just(("\"say \\\"hi\\\": \\u00e9\"", "say \"hi\": é")),
        1 => Just(("\"[[Note|A]]\"", "[[Note|A]]")),
        1 => Just(("''", "")),
        1 => Just(("設計 🙂", "設計 🙂")),
        1 => Just(("$1 $& ${x}", "$1 $& ${x}")),
    ]
}

fn after() -> impl Strategy<Value = &'static str> {
    prop_oneof![5 => Just(""), 2 => Just(" # remark №"), 1 => Just("  "), 1 => Just("\t# remark №"), 1 => Just("   # no: key")]
}

fn colon() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just(": "), 1 => Just("   : "), 1 => Just(":   "), 1 => Just(":\t")]
}

fn scalar() -> impl Strategy<Value = Piece> {
    (name(), colon(), text(), after(), 0u8..6).prop_map(|((name, read), colon, (text, says), after, form)| {
        let colon = if name.ends_with(':') { ": " } else { colon };
        match form {
            0 => known(
                read,
                Says::Nothing,
                format!("{name}{}{after}\n", if after.is_empty() { ":" } else { colon }),
            ),
            1 => {
                known(read, Says::Text("one two №".to_owned()), format!("{name}{colon}one\n  two №{after}\n"))
            }
            _ => known(read, Says::Text(says.to_owned()), format!("{name}{colon}{text}{after}\n")),
        }
    })
}

fn list() -> impl Strategy<Value = Piece> {
    let indent = prop_oneof![Just(""), Just("  "), Just("    ")];
    let gap = prop_oneof![5 => Just(""), 1 => Just("  # remark between №\n"), 1 => Just("\n")];
    (name(), indent, vec((text(), after()), 1..4), gap, 0u8..8).prop_map(
        |((name, read), indent, items, gap, form)| {
            let says = items.iter().map(|((_, says), _)| (*says).to_owned()).collect();
            let flow: Vec<&str> = items.iter().map(|((text, _), _)| *text).collect();
            let is_flow = flow.iter().all(|text| !text.contains(['{', '[']) || text.starts_with('"'));
            let after = items[0].1;
            match form {
                0 => known(read, Says::List(Vec::new()), format!("{name}: []{after}\n")),
                1..=3 if is_flow => {
                    known(read, Says::List(says), format!("{name}: [{}]{after}\n", flow.join(", ")))
                }
                4 if is_flow => known(
                    read,
                    Says::List(says),
                    format!("{name}: [ {} ,\n  ]{after}\n", flow.join(",\n    ")),
                ),
                _ => {
                    let lines: Vec<String> =
                        items.iter().map(|((text, _), after)| format!("{indent}- {text}{after}\n")).collect();
                    known(read, Says::List(says), format!("{name}:\n{}", lines.join(gap)))
                }
            }
        },
    )
}

fn block_text() -> impl Strategy<Value = Piece> {
    let forms = prop_oneof![
        Just(("|\n  one: 1\n\n  # two №\n  - three\n", "one: 1\n\n# two №\n- three\n")),
        Just((">-\n  one\n  two: №\n", "one two: №")),
        Just(("|+ # remark №\n  one\n\n", "one\n\n")),
        Just((">2\n   one\n  two\n", " one\ntwo\n")),
        Just(("\"one\n  two: 'x' \\\n  # three №\"\n", "one two: 'x' # three №")),
    ];
    (name(), forms).prop_map(|((name, read), (text, says))| {
        known(read, Says::Text(says.to_owned()), format!("{name}: {text}"))
    })
}

/// Maps, links without quotes, anchors, tags, and other values whose bytes are not ours to change.
fn other() -> impl Strategy<Value = Piece> {
    let forms = prop_oneof![
        3 => Just("metadata№: \n  type: feedback # remark №\n  node_type: memory\n"),
        1 => Just("up№: [[Home]]\n"),
        1 => Just("steps№:\n  - run: a\n    with:\n      - x\n  - run: b\n"),
        1 => Just("base№: &b№ {x: 1}\n"),
        1 => Just("m№:\n  base: &b№ {x: 1}\n  <<: *b№\n"),
        1 => Just("tagged№: !!str 1 # remark №\n"),
        1 => Just("? asked№\n: answered\n"),
        1 => Just("m№: {a: 1,\n  b: [2, 3]}\n"),
    ];
    forms.prop_map(|text| {
        let name = text.trim_start_matches("? ").split([':', '\n']).next().unwrap_or_default();
        let says = match name {
            "tagged№" => Says::Text("1".to_owned()),
            "asked№" => Says::Text("answered".to_owned()),
            _ => Says::Other,
        };
        known(name, says, text.to_owned())
    })
}
