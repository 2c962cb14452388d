//! The keys described for people and for editors, out of `defaults.yaml` alone.

use serde_json::{Map, Value as Json, json};

use crate::keys::{self, Key, Shape};
use crate::yaml;

/// One key as a manual shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The path of the key; a table comes before its own keys.
    pub key: String,
    /// What it does, in one sentence.
    pub sentence: String,
    /// What its value may be: `number, 1 to 200`; `table` for a table.
    pub shape: String,
    /// The default as YAML on one line; none for a table.
    pub default: Option<String>,
    /// The environment variable that sets it; none for a table.
    pub variable: Option<String>,
}

/// All keys, in the order in which a person should read them.
pub fn reference() -> Vec<Reference> {
    let described = |key: &Key| Reference {
        key: key.path.clone(),
        sentence: key.sentence.clone(),
        shape: key.shape.words(),
        default: key.is_leaf().then(|| yaml::line(&key.default)),
        variable: key.is_leaf().then(|| key.variable()),
    };
    keys::all().iter().map(described).collect()
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
    let mut own = match &key.shape {
        Shape::Table => return table(&key.sentence, &key.path),
        Shape::Number(from, to) => json!({ "type": "integer", "minimum": from, "maximum": to }),
        Shape::Switch => json!({ "type": "boolean" }),
        Shape::Choice(choices) => json!({ "enum": choices }),
        Shape::Texts | Shape::Globs => json!({ "type": "array", "items": text() }),
        Shape::Rules => {
            json!({ "type": "array", "items": { "type": "string", "pattern": "^[a-z][a-z0-9-]*/([*]|[a-z][a-z0-9-]*)$" } })
        }
        Shape::Folder => json!({ "type": ["string", "null"] }),
    };
    if let Json::Object(own) = &mut own {
        own.insert("description".to_owned(), json!(key.sentence));
        own.insert("default".to_owned(), key.default.clone());
    }
    own
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
        }
    }

    #[test]
    fn the_schema_has_the_keys_of_the_reference_and_no_others() {
        let mut paths = BTreeSet::new();
        each(&schema(), "", &mut |path, _| assert!(paths.insert(path.to_owned())));
        assert_eq!(paths, reference().into_iter().map(|row| row.key).collect());
    }

    #[test]
    fn the_schema_is_closed_at_every_table() {
        let root = schema();
        assert_eq!(root["additionalProperties"], json!(false));
        let mut n_tables = 0;
        each(&root, "", &mut |path, own| {
            let is_table = own.get("properties").is_some();
            n_tables += usize::from(is_table);
            assert_eq!(own.get("additionalProperties").is_some(), is_table, "{path}");
            assert!(!is_table || own["additionalProperties"] == json!(false), "{path}");
        });
        assert_eq!(n_tables, reference().iter().filter(|row| row.shape == "table").count());
    }

    #[test]
    fn the_schema_says_the_sentences_and_defaults_of_the_file() {
        each(&schema(), "", &mut |path, own| {
            let key = keys::find(path);
            assert_eq!(own["description"].as_str(), key.map(|key| key.sentence.as_str()), "{path}");
            assert_eq!(own.get("default"), key.filter(|key| key.is_leaf()).map(|key| &key.default), "{path}");
        });
        assert_eq!(schema()["properties"]["trim"]["properties"]["max_lines"]["default"], json!(200));
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
