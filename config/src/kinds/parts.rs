//! The parts of a kind of notes and of its fields, each with its sentence and its shape.
//!
//! `defaults.yaml` cannot say them beside a key, since each stands there many times; here is their one list.

use crate::keys::Shape;

/// One part.
pub(crate) struct Part {
    pub name: &'static str,
    pub sentence: &'static str,
    pub shape: fn() -> Shape,
}

/// What a layer may say of a kind.
pub(crate) const KIND: [Part; 3] = [
    Part {
        name: "notes",
        sentence: "Notes that are of the kind by where they lie, if they hold at least half of what stands in holds.",
        shape: || Shape::Globs,
    },
    Part {
        name: "holds",
        sentence: "Fields by which a note elsewhere is of the kind too, if it holds all of them, though nothing is sure of it; a field with one_of counts only with a known value.",
        shape: || Shape::Texts,
    },
    Part {
        name: "fields",
        sentence: "The fields in the order in which a note should hold them; new ones come last, and off takes one away.",
        shape: || Shape::Fields,
    },
];

/// What a layer may say of a field.
pub(crate) const FIELD: [Part; 7] = [
    Part {
        name: "kind",
        sentence: "What its value is: text, unless set.",
        shape: || choice("text, tags, list, date"),
    },
    Part {
        name: "one_of",
        sentence: "The values there are; any will do where the list is empty.",
        shape: || Shape::Texts,
    },
    Part {
        name: "words",
        sentence: "Other words for a value, besides those of the layers below.",
        shape: || Shape::Words,
    },
    Part {
        name: "also",
        sentence: "Other places where the field may lie, as metadata.type: there it is understood, and left.",
        shape: || Shape::Texts,
    },
    Part {
        name: "required",
        sentence: "Whether a note without it is reported: not, unless set.",
        shape: || Shape::Switch,
    },
    Part {
        name: "fill",
        sentence: "Where a missing value comes from: the file's name, what stands in it before the first _, or the day it starts with.",
        shape: || choice("stem, prefix, day, off"),
    },
    Part {
        name: "under",
        sentence: "Names of folders whose notes, at any depth, have a certain value; off takes a folder away.",
        shape: || Shape::Values,
    },
];

fn choice(words: &str) -> Shape {
    Shape::Choice(words.split(", ").map(str::to_owned).collect())
}
