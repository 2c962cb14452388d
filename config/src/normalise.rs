//! What `normalise` goes by: kinds of notes and their fields. Which they are stands in `defaults.yaml`
//! alone.

use crate::globs::Globs;
use serde::{Deserialize, Serialize};

/// The table of the job `normalise`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Normalise {
    /// Ids of rules that are off, without the job: `date`.
    pub off: Vec<String>,
    /// Kinds of notes, in the order in which they are tried; a note is of the first that takes it.
    pub schemas: Vec<Schema>,
}

/// A kind of note: which notes are of it, and what their frontmatter should hold.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// What the kind is called: `fact`.
    pub name: String,
    /// Notes that are of it by where they lie, if they hold at least half of `holds`.
    pub notes: Globs,
    /// Fields by which a note elsewhere is of it too, if it holds all of them; of a field with
    /// `one_of`, only with a value that is known. Empty: none is, and notes need hold nothing.
    pub holds: Vec<String>,
    /// The fields, in the order in which a note should hold them.
    pub fields: Vec<Field>,
}

/// One field of a kind of note.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The key.
    pub name: String,
    /// What its value is.
    pub kind: Kind,
    /// The values there are; empty where any will do.
    pub one_of: Vec<String>,
    /// Other words for a value, each with the value it means.
    pub words: Vec<(String, String)>,
    /// Other places where the field may lie, as `metadata.type`: there it is understood, and left.
    pub also: Vec<String>,
    /// Whether a note without it is reported.
    pub required: bool,
    /// Where the value of a missing field comes from, if anything is sure of it.
    pub fill: Option<Fill>,
    /// Folders whose notes have a certain value, at any depth below them: folder and value.
    pub under: Vec<(String, String)>,
}

/// What the value of a field is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One text, of whatever words.
    Text,
    /// Words without blanks: a list, such as tags.
    Tags,
    /// Texts: a list.
    List,
    /// A day, with or without a time.
    Date,
}

/// What is sure of the value of a missing field.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// The name of the file without `.md`.
    Stem,
    /// The word before the first `_` of the file's name, if it is one of the values.
    Prefix,
    /// The day with which the file's name starts (`2026-11-30-slug.md`).
    Day,
}

/// A word as it is compared with another: case, blanks at the ends, the width of blanks and the choice of `-`,
/// `_` and blank do not count, nor does the sign that asks for an emoji's coloured form.
pub fn folded(word: &str) -> String {
    let word = word.replace(['-', '_'], " ").replace('\u{fe0f}', "");
    word.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
