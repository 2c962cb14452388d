//! Claims about kinds of notes: how layers lie over each other, and what is said to be changed.

mod mistakes;
mod shipped;

use crate::error::Place;
use crate::layers::{Layers, Resolved};
use crate::normalise::{Field, Fill, Kind, Schema};
use crate::settings::Config;

/// The mapping of kinds as a vault's file says it, on one line from line 3, column 5.
fn file(kinds: &str) -> String {
    format!("normalise:\n  schemas:\n    {kinds}\n")
}

fn resolved(kinds: &str) -> Resolved {
    Layers::new().vault("memkeep.yaml", file(kinds)).resolve().unwrap()
}

fn config(kinds: &str) -> Config {
    resolved(kinds).config
}

/// A user's file, and a vault's over it.
fn both(user: &str, vault: &str) -> Config {
    let layers = Layers::new().user("config.yaml", file(user)).vault("memkeep.yaml", file(vault));
    layers.resolve().unwrap().config
}

fn names(config: &Config) -> Vec<&str> {
    config.normalise.schemas.iter().map(|kind| kind.name.as_str()).collect()
}

fn kind<'c>(config: &'c Config, name: &str) -> &'c Schema {
    config.normalise.schemas.iter().find(|kind| kind.name == name).unwrap()
}

fn field<'c>(config: &'c Config, of: &str, name: &str) -> &'c Field {
    kind(config, of).fields.iter().find(|field| field.name == name).unwrap()
}

fn field_names<'c>(config: &'c Config, of: &str) -> Vec<&'c str> {
    kind(config, of).fields.iter().map(|field| field.name.as_str()).collect()
}

/// The values that a word has: none, one, or by a mistake more.
fn meaning<'c>(field: &'c Field, word: &str) -> Vec<&'c str> {
    field.words.iter().filter(|(own, _)| own == word).map(|(_, value)| value.as_str()).collect()
}

fn value_of(resolved: &Resolved) -> &str {
    resolved
        .values
        .iter()
        .find(|value| value.key == "normalise.schemas")
        .map(|value| value.value.as_str())
        .unwrap()
}

#[test]
fn a_layer_changes_the_parts_it_names_and_no_others() {
    let (default, own) = (Config::default(), config("fact: {fields: {status: {one_of: [active, broken]}}}"));
    assert_eq!(names(&own), names(&default));
    assert_eq!(field_names(&own, "fact"), field_names(&default, "fact"));
    assert_eq!(kind(&own, "fact").notes, kind(&default, "fact").notes);
    assert_eq!(field(&own, "fact", "status").one_of, ["active", "broken"]);
    let others = |config: &Config| {
        let mut kinds = config.normalise.schemas.clone();
        kinds.iter_mut().for_each(|kind| kind.fields.retain(|field| field.name != "status"));
        kinds
    };
    assert_eq!(others(&own), others(&default));
    for text in ["{}", "", "fact: {}", "fact: {fields: }", "fact: {fields: {status: }}", "# zettel: off"] {
        assert_eq!(config(text), default, "{text}");
    }
}

#[test]
fn every_part_of_a_field_can_be_set() {
    let own = config(
        "own: {notes: ['a/*.md', '!a/b.md'], holds: [x, metadata.y], fields: {f: {kind: text, one_of: [p, q], words: {p: [r, 5], q: [no]}, also: [metadata.f], required: true, fill: prefix, under: {old: q}}}}",
    );
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let f = Field {
        name: "f".to_owned(),
        kind: Kind::Text,
        one_of: vec!["p".to_owned(), "q".to_owned()],
        words: vec![pair("r", "p"), pair("5", "p"), pair("no", "q")],
        also: vec!["metadata.f".to_owned()],
        required: true,
        fill: Some(Fill::Prefix),
        under: vec![pair("old", "q")],
    };
    assert_eq!(kind(&own, "own").fields, [f]);
    assert_eq!(kind(&own, "own").holds, ["x", "metadata.y"]);
    assert!(kind(&own, "own").notes.matches("a/c.md") && !kind(&own, "own").notes.matches("a/b.md"));
}

#[test]
fn new_kinds_are_tried_first_and_new_fields_come_last() {
    let own = both(
        "{b: {holds: [x]}, a: {holds: [x]}, fact: {fields: {z: , y: }}}",
        "{d: {holds: [x]}, a: {notes: ['a/**']}, c: {holds: [x]}, fact: {fields: {x: , y: {kind: date}}}}",
    );
    assert_eq!(names(&own), ["d", "c", "b", "a", "chat", "log", "fact", "zettel", "note"]);
    let fields = field_names(&own, "fact");
    assert_eq!(fields[fields.len() - 3..], ["z", "y", "x"]);
    assert_eq!(kind(&own, "a").holds, ["x"], "a later layer adds to a kind of an earlier one");
    assert_eq!(field(&own, "fact", "y").kind, Kind::Date);
}

#[test]
fn off_takes_away_a_kind_a_field_a_filling_and_a_folder() {
    for off in ["off", "false"] {
        let own = config(&format!(
            "{{zettel: {off}, fact: {{fields: {{area: {off}, type: {{fill: off}}, status: {{under: {{archive: {off}}}}}}}}}}}"
        ));
        assert_eq!(names(&own), ["chat", "log", "fact", "note"]);
        assert!(!field_names(&own, "fact").contains(&"area"));
        assert_eq!(field(&own, "fact", "type").fill, None);
        assert_eq!(field(&own, "fact", "status").under, []);
    }
    let quoted = config("fact: {fields: {area: {one_of: ['off'], under: {x: 'off'}}}}");
    assert_eq!(field(&quoted, "fact", "area").under, [("x".to_owned(), "off".to_owned())]);
}

#[test]
fn what_an_earlier_layer_took_away_comes_back_as_it_was_shipped_and_where_it_was() {
    let default = Config::default();
    let own = both("zettel: off", "zettel: {holds: [title]}");
    assert_eq!(names(&own), names(&default));
    assert_eq!(kind(&own, "zettel").holds, ["title"]);
    assert_eq!(kind(&own, "zettel").fields, kind(&default, "zettel").fields);
    let own = both("fact: {fields: {name: off, area: off, z: }}", "fact: {fields: {area: , name: }}");
    let mut fields = field_names(&default, "fact");
    fields.push("z");
    assert_eq!(field_names(&own, "fact"), fields);
    assert_eq!(both("{note: off, chat: off}", "{note: off, chat: off}"), config("{chat: off, note: off}"));
    assert_eq!(both("{chat: off, a: {holds: [x]}}", "chat: {}").normalise.schemas[1].name, "chat");
}

#[test]
fn words_are_added_and_a_new_one_wins_over_the_same_one_below() {
    let own = both(
        "fact: {fields: {status: {words: {active: [abierto], planned: [WIP]}}}}",
        "fact: {fields: {status: {words: {broken: [Abierto]}}}}",
    );
    let status = field(&own, "fact", "status");
    assert_eq!(meaning(status, "doing"), ["active"]);
    assert_eq!((meaning(status, "wip"), meaning(status, "WIP")), (vec![], vec!["planned"]));
    assert_eq!((meaning(status, "abierto"), meaning(status, "Abierto")), (vec![], vec!["broken"]));
}

#[test]
fn a_value_wins_over_a_word_and_what_means_no_value_is_gone() {
    let own = config("fact: {fields: {status: {one_of: [active, doing]}}}");
    let status = field(&own, "fact", "status");
    assert!(meaning(status, "doing").is_empty(), "it is a value now");
    assert_eq!(meaning(status, "wip"), ["active"]);
    assert!(status.words.iter().all(|(_, value)| value == "active") && status.words.len() > 5);
    assert_eq!(status.under, []);
    let open = config("fact: {fields: {status: {one_of: []}}}");
    assert_eq!(
        (&field(&open, "fact", "status").words, &field(&open, "fact", "status").under),
        (&vec![], &vec![])
    );
}

#[test]
fn a_variable_and_a_flag_are_mappings_and_lie_over_the_files() {
    let given = Layers::new()
        .vault("memkeep.yaml", file("zettel: off"))
        .env([("MEMKEEP_NORMALISE_SCHEMAS", "{log: off}")])
        .flag("normalise.schemas", "{note: off}")
        .flag("normalise.schemas", "{fact: {fields: {area: {one_of: [a]}}}}")
        .resolve()
        .unwrap();
    assert_eq!(names(&given.config), ["chat", "fact"]);
    assert_eq!(field(&given.config, "fact", "area").one_of, ["a"]);
    let error = Layers::new().env([("MEMKEEP_NORMALISE_SCHEMAS", "fact")]).resolve().unwrap_err();
    assert_eq!(error.place, Place::Variable("MEMKEEP_NORMALISE_SCHEMAS".to_owned()));
    assert_eq!(error.message, "'normalise.schemas' wants a mapping, not 'fact'");
}

#[test]
fn the_value_says_all_kinds_and_what_differs_and_where_that_came_from() {
    let default = Layers::new().resolve().unwrap();
    assert_eq!(value_of(&default), "{chat: {}, log: {}, fact: {}, zettel: {}, note: {}}");
    let own = resolved(
        "{zettel: off, own: {holds: [x], fields: {a: , b: {kind: date}}}, fact: {fields: {area: off, context: {one_of: ['no']}, status: {words: {active: [läuft]}, under: {archive: off}}, type: {fill: off}}}}",
    );
    assert_eq!(
        value_of(&own),
        "{own: {holds: [x], fields: {a: {}, b: {kind: date}}}, chat: {}, log: {}, fact: {fields: {type: {fill: 'off'}, status: {words: {active: [läuft]}, under: {archive: off}}, context: {one_of: ['no']}, area: off}}, note: {}, zettel: off}"
    );
    let origin = own
        .values
        .iter()
        .find(|value| value.key == "normalise.schemas")
        .map(|value| value.origin.to_string());
    assert_eq!(origin.as_deref(), Some("memkeep.yaml:2"));
    assert_eq!(config(value_of(&own)), own.config);
}

#[test]
fn what_is_said_to_differ_means_the_same_again() {
    for (user, vault) in [
        (
            "fact: {fields: {status: {one_of: [active, doing, 'off']}}}",
            "fact: {fields: {status: {words: {doing: [wip]}}}}",
        ),
        (
            "fact: {fields: {status: {words: {active: [b], idea: [c]}}}}",
            "fact: {fields: {status: {words: {planned: [b], idea: [d]}}}}",
        ),
        (
            "{a: {holds: [x], fields: {f: {one_of: [p], words: {p: [q]}, under: {x: p}}}}}",
            "{b: {holds: [x]}, a: {fields: {f: {fill: prefix}, g: }}}",
        ),
        (
            "{fact: off, chat: {fields: {title: off, status: {one_of: []}}}}",
            "{fact: {notes: ['*.md']}, chat: {fields: {title: }}}",
        ),
        (
            "fact: {fields: {status: {under: {old: archived, archive: off}}}}",
            "fact: {fields: {status: {under: {archive: idea}}}}",
        ),
    ] {
        let layers = Layers::new().user("config.yaml", file(user)).vault("memkeep.yaml", file(vault));
        let first = layers.resolve().unwrap();
        assert_eq!(config(value_of(&first)), first.config, "{}", value_of(&first));
        assert_ne!(first.config, Config::default());
    }
}

#[test]
fn a_fingerprint_is_what_a_person_changed_in_its_order() {
    let print = |kinds: &str| config(kinds).fingerprint("normalise");
    let area = "{zettel: off, fact: {fields: {area: {one_of: [a]}}}}";
    assert_eq!(
        print(area),
        r#"{"schemas":[["fact",[["fields",[["area",[["one_of",["a"]]]]]]]],["zettel",false]]}"#
    );
    for same in [
        "{}",
        "fact: {fields: {area: {}}}",
        "log: {notes: ['logs/**']}",
        "fact: {fields: {status: {words: {active: [wip]}}}}",
    ] {
        assert_eq!(print(same), "{}", "{same}");
    }
    assert_ne!(print(area), print(&area.replace("[a]", "[b]")));
    assert_ne!(print("{a: {holds: [x]}, b: {holds: [x]}}"), print("{b: {holds: [x]}, a: {holds: [x]}}"));
    assert_ne!(print("a: {holds: [x], fields: {p: , q: }}"), print("a: {holds: [x], fields: {q: , p: }}"));
}

#[test]
fn a_fingerprint_stays_when_a_new_version_ships_more() {
    let shipped = |text: &str| {
        let node = crate::tree::read(text.as_bytes()).unwrap().unwrap();
        super::lay("kinds", &node, &serde_json::Value::Null, &serde_json::Value::Null).unwrap()
    };
    let old = shipped(
        "{k: {holds: [x], fields: {s: {one_of: [a, b], words: {a: [w, v], b: [u]}, under: {o: a}}}}}",
    );
    let new = shipped(
        "{n: {holds: [y]}, k: {holds: [x, y], fields: {t: , s: {one_of: [a, b], words: {a: [w, v, z], b: [u, y]}, under: {p: b, o: a}, required: true}}}}",
    );
    for said in [
        "{k: {fields: {s: {words: {b: [w]}}}}}",
        "{k: {fields: {s: {one_of: [a, u]}}}}",
        "{k: {fields: {s: {one_of: []}}}}",
        "{k: {fields: {s: {under: {o: off}}}}}",
        "{k: {fields: {s: off, r: {kind: date}}}}",
        "{k: off, m: {notes: [q]}}",
    ] {
        let node = crate::tree::read(said.as_bytes()).unwrap().unwrap();
        let changes = |default: &serde_json::Value| {
            super::changes(&super::lay("kinds", &node, default, default).unwrap(), default).unwrap()
        };
        assert_eq!(changes(&old), changes(&new), "{said}");
    }
}
