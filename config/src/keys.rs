//! The keys there are, read from `defaults.yaml`: there is no second list of them.
//!
//! A key's sentence is the comment above it, the shape of its value the comment beside it.

use std::sync::LazyLock;

use serde_json::Value as Json;

use crate::tree::{self, Data, Field};
use crate::{check, kinds, yaml};

/// The whole configuration as a file, with its comments.
pub const DEFAULTS: &str = include_str!("../defaults.yaml");

/// One key; tables are keys too.
#[derive(Debug)]
pub(crate) struct Key {
    /// The way to it, joined by dots.
    pub path: String,
    pub sentence: String,
    pub shape: Shape,
    /// The default in its JSON form; null for a table.
    pub default: Json,
}

/// What a value may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Table,
    /// A whole number within both ends.
    Number(u64, u64),
    Switch,
    Choice(Vec<String>),
    Texts,
    Globs,
    Rules,
    /// A list of some of these words.
    Some(Vec<String>),
    /// Kinds of notes: see [`crate::kinds`], as of the next three, which stand in it alone.
    Kinds,
    /// A mapping of fields.
    Fields,
    /// A mapping of values to lists of words.
    Words,
    /// A mapping of folders to values.
    Values,
    /// A path, or null; never taken from a vault, which must not name places outside itself.
    Folder,
}

impl Key {
    /// The last word of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }

    /// The environment variable that sets it.
    pub(crate) fn variable(&self) -> String {
        format!("{PREFIX}{}", self.path.replace('.', "_").to_uppercase())
    }

    /// A value of this key as YAML on one line, so that it can be pasted into a file.
    pub(crate) fn line(&self, value: &Json) -> String {
        match self.shape {
            Shape::Kinds => kinds::line(value, &self.default),
            _ => yaml::line(value),
        }
    }

    pub(crate) fn is_leaf(&self) -> bool {
        self.shape != Shape::Table
    }
}

/// What every variable of ours starts with.
pub(crate) const PREFIX: &str = "MEMKEEP_";

/// All keys in the order of the file, each table before its own keys.
#[expect(clippy::expect_used, reason = "the text is compiled in, and a test reads it")]
pub(crate) fn all() -> &'static [Key] {
    static KEYS: LazyLock<Vec<Key>> =
        LazyLock::new(|| parse(DEFAULTS).expect("defaults.yaml is well-formed"));
    &KEYS
}

/// The key at that path.
pub(crate) fn find(path: &str) -> Option<&'static Key> {
    all().iter().find(|key| key.path == path)
}

fn parse(text: &str) -> Result<Vec<Key>, String> {
    let root = tree::read(text.as_bytes()).map_err(|problem| format!("{problem:?}"))?;
    let Some(Data::Map(fields)) = root.map(|node| node.data) else { return Err("not a mapping".to_owned()) };
    let lines: Vec<&str> = text.lines().collect();
    let mut keys = Vec::new();
    collect(&lines, "", &fields, &mut keys)?;
    Ok(keys)
}

fn collect(lines: &[&str], table: &str, fields: &[Field], keys: &mut Vec<Key>) -> Result<(), String> {
    for field in fields {
        let path = joined(table, &field.key);
        let sentence = sentence_above(lines, field.at.line - 1);
        let beside = lines[field.at.line - 1].rsplit_once("  # ").and_then(|(_, shape)| Shape::parse(shape));
        if let (Data::Map(own), None) = (&field.value.data, &beside) {
            keys.push(Key { path: path.clone(), sentence, shape: Shape::Table, default: Json::Null });
            collect(lines, &path, own, keys)?;
            continue;
        }
        let shape = beside.ok_or_else(|| format!("{path} has no shape"))?;
        let mut key = Key { path, sentence, shape, default: Json::Null };
        key.default =
            check::over(&key, &field.value, &Json::Null).map_err(|problems| format!("{problems:?}"))?;
        keys.push(key);
    }
    Ok(())
}

/// A key below a table.
pub(crate) fn joined(table: &str, key: &str) -> String {
    if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") }
}

/// The comment lines directly above the line with that index.
fn sentence_above(lines: &[&str], index: usize) -> String {
    let above = lines[..index].iter().rev().map_while(|line| line.trim().strip_prefix("# "));
    let mut words: Vec<&str> = above.collect();
    words.reverse();
    words.join(" ")
}

impl Shape {
    /// True where a value is a list of texts.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Self::Texts | Self::Globs | Self::Rules | Self::Some(_))
    }

    fn parse(text: &str) -> Option<Self> {
        if let Some(range) = text.strip_prefix("number, ") {
            let (from, to) = range.split_once(" to ")?;
            return Some(Self::Number(from.parse().ok()?, to.parse().ok()?));
        }
        if let Some(choices) = text.strip_prefix("one of ") {
            return Some(Self::Choice(choices.split(", ").map(str::to_owned).collect()));
        }
        if let Some(words) = text.strip_prefix("some of ") {
            return Some(Self::Some(words.split(", ").map(str::to_owned).collect()));
        }
        match text {
            "kinds of notes" => Some(Self::Kinds),
            "true or false" => Some(Self::Switch),
            "list of texts" => Some(Self::Texts),
            "list of globs" => Some(Self::Globs),
            "list of rules" => Some(Self::Rules),
            "folder" => Some(Self::Folder),
            _ => None,
        }
    }

    /// The shape as a person reads it, and as it stands in `defaults.yaml`.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Table => "table".to_owned(),
            Self::Number(from, to) => format!("number, {from} to {to}"),
            Self::Switch => "true or false".to_owned(),
            Self::Choice(choices) => format!("one of {}", choices.join(", ")),
            Self::Texts => "list of texts".to_owned(),
            Self::Globs => "list of globs".to_owned(),
            Self::Rules => "list of rules".to_owned(),
            Self::Some(words) => format!("some of {}", words.join(", ")),
            Self::Kinds => "kinds of notes".to_owned(),
            Self::Fields => "fields by name".to_owned(),
            Self::Words => "lists of texts by value".to_owned(),
            Self::Values => "values by folder".to_owned(),
            Self::Folder => "folder".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_key_has_exactly_one_sentence() {
        for Key { path, sentence, .. } in all() {
            let ends = sentence.matches(['.', '!', '?']).count() - sentence.matches("e.g.").count();
            let inner = sentence.trim_end_matches('.');
            assert!(sentence.ends_with('.') && !inner.contains(". "), "{path}: {sentence}");
            assert!(ends >= 1 && sentence.len() < 130, "{path}: {sentence}");
            assert!(sentence.chars().next().is_some_and(char::is_uppercase), "{path}: {sentence}");
        }
    }

    #[test]
    fn no_two_keys_share_a_variable_or_a_sentence() {
        let leaves = || all().iter().filter(|key| key.is_leaf());
        assert_eq!(leaves().map(Key::variable).collect::<BTreeSet<_>>().len(), leaves().count());
        let sentences: BTreeSet<&str> = all().iter().map(|key| key.sentence.as_str()).collect();
        assert_eq!(sentences.len(), all().len());
        assert!(leaves().count() > 25);
    }

    #[test]
    fn a_key_without_shape_or_with_a_value_outside_of_it_is_found() {
        for text in ["a: 1\n", "a: 1  # nonsense\n", "a: 0  # number, 1 to 2\n", "- a\n", "a: b: c\n"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_shape_is_written_as_it_is_read() {
        for key in all().iter().filter(|key| key.is_leaf()) {
            assert_eq!(Shape::parse(&key.shape.words()).as_ref(), Some(&key.shape), "{}", key.path);
        }
    }
}
