//! Claims about mistakes in kinds of notes: each is told at its own place, with what was meant.

use super::{config, file};
use crate::error::ConfigError;
use crate::layers::Layers;
use crate::settings::Config;

/// All errors as `line:column: message (hint)`, with `*` for the way to the kinds.
fn errors(layers: Layers) -> Vec<String> {
    let error = layers.resolve().unwrap_err();
    let shown = |error: &ConfigError| {
        let text = error.to_string().replace("memkeep.yaml:", "").replace("normalise.schemas", "*");
        error.hint.as_ref().map_or_else(|| text.clone(), |hint| format!("{text} ({hint})"))
    };
    std::iter::once(&error).chain(&error.also).map(shown).collect()
}

fn mistakes(kinds: &str) -> Vec<String> {
    errors(Layers::new().vault("memkeep.yaml", file(kinds)))
}

#[test]
fn a_mistake_is_named_at_its_own_place_with_what_was_meant() {
    for (text, expected) in [
        ("fact: {feilds: {}}", "3:12: unknown key '*.fact.feilds' (did you mean 'fields'?)"),
        (
            "fact: {one_of: [a]}",
            "3:12: unknown key '*.fact.one_of' (write 'one_of' below one of its 'fields:')",
        ),
        (
            "fact: {fields: {a: {requred: true}}}",
            "3:25: unknown key '*.fact.fields.a.requred' (did you mean 'required'?)",
        ),
        ("fact: {fields: {a: {notes: []}}}", "3:25: unknown key '*.fact.fields.a.notes'"),
        (
            "fact: {fields: {a: {kind: texts}}}",
            "3:31: '*.fact.fields.a.kind' wants text, tags, list or date, not 'texts' (did you mean 'text'?)",
        ),
        (
            "fact: {fields: {a: {fill: stm}}}",
            "3:31: '*.fact.fields.a.fill' wants stem, prefix, day or off, not 'stm' (did you mean 'stem'?)",
        ),
        (
            "fact: {fields: {a: {required: yes}}}",
            "3:35: '*.fact.fields.a.required' wants true or false, not 'yes' (write true)",
        ),
        (
            "fact: {fields: {a: {one_of: x}}}",
            "3:33: '*.fact.fields.a.one_of' wants a list, not 'x' (write ['x'])",
        ),
        ("fact: {fields: {a: {one_of: [x, y, X]}}}", "3:40: 'X' stands in '*.fact.fields.a.one_of' twice"),
        ("fact: {notes: [a, '[b']}", "3:23: glob '[b' has a '[' without its ']' (write '\\[' for a bracket)"),
        (
            "fact: {holds: [a, b.c.d]}",
            "3:23: 'b.c.d' in '*.fact.holds' is no place in a block (name a key, or an entry of one as 'metadata.type')",
        ),
        (
            "fact: {fields: {a: {also: ['.b']}}}",
            "3:32: '.b' in '*.fact.fields.a.also' is no place in a block (name a key, or an entry of one as 'metadata.type')",
        ),
        ("fact: {fields: [a]}", "3:20: '*.fact.fields' wants a mapping, not a list"),
        (
            "fact: {fields: {a: text}}",
            "3:24: '*.fact.fields.a' wants a mapping, not 'text' (to take it away, write off without quotes)",
        ),
        (
            "fact: {fields: {a.b: }}",
            "3:21: a field lies at the top of a block, so 'a.b' has no dot (name other places in 'also')",
        ),
        (
            "fact: {fields: {Area: }}",
            "3:21: 'area' and 'Area' in '*.fact.fields' are one name in two spellings",
        ),
        (
            "fact: {fields: {a: {kind: date, one_of: [x]}}}",
            "3:45: '*.fact.fields.a' cannot have 'one_of': a date is none of a few values",
        ),
        (
            "fact: {fields: {a: {kind: tags, fill: day}}}",
            "3:43: '*.fact.fields.a' cannot have 'fill': it says one text, and the field is a list",
        ),
        (
            "fact: {fields: {a: {kind: date, fill: stem}}}",
            "3:43: '*.fact.fields.a' cannot have 'fill': only 'fill: day' gives a date",
        ),
        (
            "fact: {fields: {type: {kind: list}}}",
            "3:34: '*.fact.fields.type' cannot have 'fill': it says one text, and the field is a list (write fill: off too)",
        ),
        (
            "fact: {fields: {status: {kind: tags}}}",
            "3:36: '*.fact.fields.status' cannot have 'under': it says one text, and the field is a list",
        ),
        ("Fact: {notes: [x]}", "3:5: 'fact' and 'Fact' in '*' are one name in two spellings"),
        (
            "fact: {fields: {x-y: , X_y: }}",
            "3:28: 'x-y' and 'X_y' in '*.fact.fields' are one name in two spellings",
        ),
        ("fact: {fields: {x: , X: }}", "3:26: 'x' and 'X' in '*.fact.fields' are one name in two spellings"),
        ("fact: {fields: {x: , x: }}", "3:26: key 'x' stands here twice (it stands in line 3 too)"),
        (
            "fact: {fields: {aera: off}}",
            "3:21: there is no '*.fact.fields.aera' that could be off (did you mean 'area'?)",
        ),
        ("zetel: off", "3:5: there is no '*.zetel' that could be off (did you mean 'zettel'?)"),
        ("fact:", "3:5: '*.fact' wants a mapping, not nothing (to take it away, write off without quotes)"),
        (
            "fact: null",
            "3:11: '*.fact' wants a mapping, not 'null' (to take it away, write off without quotes)",
        ),
        (
            "fact: 'off'",
            "3:11: '*.fact' wants a mapping, not the text 'off' (to take it away, write off without quotes)",
        ),
        (
            "facts: {fields: {a: }}",
            "3:5: no note is of the kind '*.facts': it has neither 'notes' nor 'holds' (did you mean 'fact'?)",
        ),
        (
            "own: {notes: ['!a']}",
            "3:5: no note is of the kind '*.own': it has neither 'notes' nor 'holds' (say where its notes lie, as notes: ['people/**'])",
        ),
        (
            "log: {notes: []}",
            "3:5: no note is of the kind '*.log': it has neither 'notes' nor 'holds' (say where its notes lie, as notes: ['people/**'])",
        ),
        ("'': {}", "3:5: the name '*.' is empty"),
        ("[a]", "3:5: '*' wants a mapping, not a list"),
    ] {
        assert_eq!(mistakes(text), [expected], "{text}");
    }
}

#[test]
fn a_word_or_folder_that_means_none_or_two_of_the_values_is_named() {
    let of = "'*.fact.fields";
    for (text, expected) in [
        (
            "a: {one_of: [x], words: {y: [z]}}",
            format!("3:46: 'y' in {of}.a.words' is none of the values in 'one_of' (did you mean 'x'?)"),
        ),
        (
            "a: {one_of: [x, y], words: {x: [z], y: [w, Z]}}",
            format!("3:64: 'Z' means both 'x' and 'y' in {of}.a.words'"),
        ),
        ("a: {one_of: [x, y], words: {x: [Y]}}", format!("3:53: 'Y' in {of}.a.words' is a value itself")),
        (
            "a: {one_of: [x], words: {x: y}}",
            format!("3:49: {of}.a.words.x' wants a list, not 'y' (write ['y'])"),
        ),
        (
            "a: {words: {y: [z]}}",
            format!(
                "3:33: 'y' in {of}.a.words' is none of the values in 'one_of' (list all values of the field in 'one_of')"
            ),
        ),
        (
            "status: {words: {actve: [z]}}",
            format!(
                "3:38: 'actve' in {of}.status.words' is none of the values in 'one_of' (did you mean 'active'?)"
            ),
        ),
        (
            "status: {under: {old: archive}}",
            format!(
                "3:43: 'archive' in {of}.status.under' is none of the values in 'one_of' (did you mean 'archived'?)"
            ),
        ),
        (
            "status: {under: {a/b: archived}}",
            format!("3:38: 'a/b' in {of}.status.under' is not the name of a folder"),
        ),
        (
            "status: {under: {old: [archived]}}",
            format!("3:43: {of}.status.under.old' wants a text, not a list"),
        ),
        (
            "status: {under: {archiv: off}}",
            format!(
                "3:38: there is no {of}.status.under.archiv' that could be off (did you mean 'archive'?)"
            ),
        ),
        (
            "a: {fill: prefix}",
            format!("3:31: {of}.a' has 'fill: prefix', and no 'one_of' to find in a file's name"),
        ),
        (
            "type: {one_of: []}",
            format!("3:36: {of}.type' has 'fill: prefix', and no 'one_of' to find in a file's name"),
        ),
    ] {
        assert_eq!(mistakes(&format!("fact: {{fields: {{{text}}}}}")), [expected], "{text}");
    }
}

#[test]
fn a_rule_that_there_is_not_is_named_with_the_nearest_and_every_one_that_there_is_can_be_off() {
    let off = |rules: &str| Layers::new().vault("memkeep.yaml", format!("normalise:\n  off: [{rules}]\n"));
    let told = errors(off("tags, qoute, normalise/date"));
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("2:15: ") && told[0].ends_with("(did you mean 'quote'?)"), "{told:?}");
    assert!(told[1].starts_with("2:22: ") && told[1].contains("normalise/date"), "{told:?}");
    let ids = "unreadable, template, two-blocks, missing, value, archived, fill, key, tags, list, date, duplicate, duplicate-item, quote, type, name, left";
    let config = off(ids).resolve().unwrap().config;
    assert_eq!(config.normalise.off, ids.split(", ").collect::<Vec<_>>());
}

#[test]
fn all_mistakes_come_at_once_and_a_bad_layer_hides_none_of_the_next() {
    let told = errors(
        Layers::new()
            .user("config.yaml", "normalise:\n  schemas:\n    fact:\n      feilds: {}\n      holds: x\n")
            .vault("memkeep.yaml", file("zetel: off"))
            .flag("normalise.schemas", "{nte: off}"),
    );
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[0].starts_with("config.yaml:4:7: unknown key") && told[1].starts_with("config.yaml:5:14: "));
    assert!(told[2].starts_with("3:5: ") && told[3].starts_with("flag *: there is no '*.nte'"), "{told:?}");
}

#[test]
fn hostile_kinds_are_read_at_once() {
    let many = |n: usize, one: &dyn Fn(usize) -> String| (0..n).map(one).collect::<String>();
    for text in [
        format!("{{{}}}", many(8_000, &|n| format!("k{n}: {{holds: [x]}}, "))),
        format!("fact: {{fields: {{{}}}}}", many(8_000, &|n| format!("f{n}: , "))),
        format!(
            "fact: {{fields: {{status: {{words: {{active: [{}]}}}}}}}}",
            many(30_000, &|n| format!("w{n}, "))
        ),
        format!(
            "fact: {{fields: {{status: {{under: {{{}}}}}}}}}",
            many(20_000, &|n| format!("u{n}: idea, "))
        ),
    ] {
        assert!(config(&text) != Config::default());
    }
}
