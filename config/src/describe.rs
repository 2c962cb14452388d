//! The keys described for people and for editors, out of `defaults.yaml` alone.

use serde_json::{Map, Value as Json, json};

use crate::keys::{Key, Shape};
use crate::kinds::parts::{self, Part};
use crate::{keys, kinds};

/// One key as a manual shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The path of the key; a table comes before its own keys.
    pub key: String,
    /// What it does, in one sentence.
    pub sentence: String,
    /// What its value may be: `number, 1 to 200`; `table` for a table.
    pub shape: String,
    /// The default as YAML on one line, or what is in it; none for a table and for a part of a value.
    pub default: Option<String>,
    /// The environment variable that sets it; none where there is no default.
    pub variable: Option<String>,
}

/// All keys, in the order in which a person should read them. Where a value is a mapping of names that a
/// person chooses, `*` stands for each of them.
pub fn reference() -> Vec<Reference> {
    keys::all().iter().flat_map(described).collect()
}

fn described(key: &Key) -> Vec<Reference> {
    let own = Reference {
        key: key.path.clone(),
        sentence: key.sentence.clone(),
        shape: key.shape.words(),
        default: key.is_leaf().then(|| default(key)),
        variable: key.is_leaf().then(|| key.variable()),
    };
    let mut all = vec![own];
    if key.shape == Shape::Kinds {
        all.extend(parts::KIND.iter().map(|part| part_of(&format!("{}.*", key.path), part)));
        all.extend(parts::FIELD.iter().map(|part| part_of(&format!("{}.*.fields.*", key.path), part)));
    }
    all
}

/// The default as a manual shows it: of kinds of notes, only their names.
fn default(key: &Key) -> String {
    match key.shape {
        Shape::Kinds => format!("{} (`memkeep config --defaults` shows them)", kinds::names(&key.default)),
        _ => key.line(&key.default),
    }
}

/// A part of a value, which has no default and no variable of its own.
fn part_of(path: &str, part: &Part) -> Reference {
    Reference {
        key: keys::joined(path, part.name),
        sentence: part.sentence.to_owned(),
        shape: (part.shape)().words(),
        default: None,
        variable: None,
    }
}

/// The JSON schema (draft 2020-12) by which an editor checks and completes a `memkeep.yaml`.
pub fn schema() -> Json {
    let mut root = table("What memkeep does in this vault.", "");
    if let Json::Object(root) = &mut root {
        root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        root.insert("title".to_owned(), json!("memkeep.yaml"));
    }
    root
}

/// A table with the keys directly below `path`, and no others.
fn table(sentence: &str, path: &str) -> Json {
    let own =
        keys::all().iter().filter(|key| key.path.rsplit_once('.').map_or("", |(table, _)| table) == path);
    let properties: Map<String, Json> = own.map(|key| (key.name().to_owned(), property(key))).collect();
    // An empty table is what is left when all its keys are commented out.
    let kind = if path.is_empty() { json!("object") } else { json!(["object", "null"]) };
    json!({ "type": kind, "description": sentence, "additionalProperties": false, "properties": properties })
}

fn property(key: &Key) -> Json {
    let default = match &key.shape {
        Shape::Table => return table(&key.sentence, &key.path),
        // Laid over the shipped kinds, nothing leaves them as they are.
        Shape::Kinds => json!({}),
        _ => key.default.clone(),
    };
    let mut own = said(valid(&key.shape), &key.sentence);
    own["default"] = default;
    own
}

fn said(mut schema: Json, sentence: &str) -> Json {
    schema["description"] = json!(sentence);
    schema
}

/// What is valid for a value of that shape.
fn valid(shape: &Shape) -> Json {
    match shape {
        Shape::Table => json!({ "type": "object" }),
        Shape::Number(from, to) => json!({ "type": "integer", "minimum": from, "maximum": to }),
        Shape::Switch => json!({ "type": "boolean" }),
        Shape::Choice(choices) => json!({ "enum": choices }),
        Shape::Texts | Shape::Globs => json!({ "type": "array", "items": text() }),
        Shape::Rules => {
            json!({ "type": "array", "items": { "type": "string", "pattern": "^[a-z][a-z0-9-]*/([*]|[a-z][a-z0-9-]*)$" } })
        }
        Shape::Some(words) => json!({ "type": "array", "items": { "enum": words } }),
        Shape::Kinds => named(or_off(closed(json!("object"), &parts::KIND))),
        Shape::Fields => named(or_off(closed(json!(["object", "null"]), &parts::FIELD))),
        Shape::Words => named(valid(&Shape::Texts)),
        Shape::Values => named(text()),
        Shape::Folder => json!({ "type": ["string", "null"] }),
    }
}

/// A mapping of names that a person chooses; nothing is what is left when all of them are commented out.
fn named(each: Json) -> Json {
    json!({ "type": ["object", "null"], "additionalProperties": each })
}

/// What can be taken away; editors that read YAML as of old take `off` for false.
fn or_off(own: Json) -> Json {
    json!({ "anyOf": [own, { "enum": ["off", false] }] })
}

/// A mapping of these parts and no others.
fn closed(kind: Json, all: &[Part]) -> Json {
    let property = |part: &Part| (part.name.to_owned(), said(valid(&(part.shape)()), part.sentence));
    let properties: Map<String, Json> = all.iter().map(property).collect();
    json!({ "type": kind, "additionalProperties": false, "properties": properties })
}

/// A list item may look like a number or a truth value to an editor; it is read as text all the same.
fn text() -> Json {
    json!({ "type": ["string", "number", "boolean"], "minLength": 1 })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Calls `see` with the path of each property of the schema, and the property.
    fn each(schema: &Json, path: &str, see: &mut impl FnMut(&str, &Json)) {
        for (name, own) in schema["properties"].as_object().into_iter().flatten() {
            let path = keys::joined(path, name);
            see(&path, own);
            each(own, &path, see);
            if let Some(own) = own["additionalProperties"]["anyOf"].get(0) {
                each(own, &format!("{path}.*"), see);
            }
        }
    }

    #[test]
    fn the_schema_has_the_keys_of_the_reference_and_no_others() {
        let mut paths = BTreeSet::new();
        each(&schema(), "", &mut |path, _| assert!(paths.insert(path.to_owned())));
        assert_eq!(paths, reference().into_iter().map(|row| row.key).collect());
        assert!(paths.contains("normalise.schemas.*.fields.*.one_of"));
    }

    #[test]
    fn the_schema_is_closed_wherever_names_are_ours() {
        /// How many mappings there are whose names are ours, and how many with a person's.
        fn count(json: &Json, own: &mut [usize; 2]) {
            let Json::Object(map) = json else {
                json.as_array().into_iter().flatten().for_each(|item| count(item, own));
                return;
            };
            let says_mapping = map.get("type").is_some_and(|kind| kind.to_string().contains("object"));
            // A property may be called as a word of the schema language is; only a mapping is asked.
            if says_mapping {
                let is_ours = map.contains_key("properties");
                assert_eq!(map.get("additionalProperties") == Some(&json!(false)), is_ours, "{json}");
                own[usize::from(!is_ours)] += 1;
            }
            map.values().for_each(|value| count(value, own));
        }
        let mut own = [0, 0];
        count(&schema(), &mut own);
        let n_tables = reference().iter().filter(|row| row.shape == "table").count();
        assert_eq!(own, [n_tables + 3, 4], "the root, a kind, a field; kinds, fields, words, folders");
    }

    #[test]
    fn the_schema_says_the_sentences_and_defaults_of_the_reference() {
        let rows = reference();
        each(&schema(), "", &mut |path, own| {
            let sentence = rows.iter().find(|row| row.key == path).map(|row| row.sentence.as_str());
            assert_eq!(own["description"].as_str(), sentence, "{path}");
            let default = keys::find(path).filter(|key| key.is_leaf()).map(|key| match key.shape {
                Shape::Kinds => json!({}),
                _ => key.default.clone(),
            });
            assert_eq!(own.get("default"), default.as_ref(), "{path}");
        });
        assert_eq!(schema()["properties"]["trim"]["properties"]["max_lines"]["default"], json!(200));
    }

    #[test]
    fn the_parts_of_kinds_are_closed_in_the_schema_too() {
        let schemas = &schema()["properties"]["normalise"]["properties"]["schemas"];
        let kind = &schemas["additionalProperties"]["anyOf"][0];
        let field = &kind["properties"]["fields"]["additionalProperties"]["anyOf"][0];
        assert_eq!(field["properties"]["kind"]["enum"], json!(["text", "tags", "list", "date"]));
        assert_eq!(field["properties"]["fill"]["enum"], json!(["stem", "prefix", "day", "off"]));
        assert_eq!(field["properties"]["words"]["additionalProperties"]["items"], text());
        for own in [schemas, &kind["properties"]["fields"]] {
            assert_eq!(own["additionalProperties"]["anyOf"][1], json!({ "enum": ["off", false] }));
        }
    }

    #[test]
    fn the_reference_shows_a_default_that_can_be_pasted() {
        let rows = reference();
        let row = |key: &str| rows.iter().find(|row| row.key == key).cloned();
        let pins = row("trim.pins").and_then(|row| row.default);
        assert_eq!(pins.as_deref(), Some("['📌', '#pinned', '<!-- keep -->']"));
        let lines = row("trim.max_lines").and_then(|row| row.variable);
        assert_eq!(lines.as_deref(), Some("MEMKEEP_TRIM_MAX_LINES"));
        assert_eq!(row("trim").and_then(|row| row.default), None);
    }
}
