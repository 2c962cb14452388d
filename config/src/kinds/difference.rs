//! What of the kinds in force is not as shipped: for people as YAML, and for a fingerprint.
//!
//! Words that a change of `one_of` or a new word takes away are not said: they follow from what is. So
//! what is said here does not change when a new version ships more words.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::{Named, find, schemas};
use crate::normalise::{Field, Schema};
use crate::yaml;

/// A difference: laid over what is shipped, it gives what is in force.
enum Piece {
    Off,
    Value(Json),
    Parts(Parts),
}

type Parts = Vec<(String, Piece)>;

/// The kinds as YAML on one line: each by its name with what differs from the shipped one. As a layer
/// it means the same.
pub(crate) fn line(kinds: &Json, shipped: &Json) -> String {
    Piece::Parts(of_kinds(&schemas(kinds), &schemas(shipped))).yaml()
}

/// What differs, in its order and without the kinds that are as shipped; none where all are.
pub(crate) fn changes(kinds: &Json, shipped: &Json) -> Option<Json> {
    let mut parts = of_kinds(&schemas(kinds), &schemas(shipped));
    parts.retain(|(_, piece)| !piece.is_empty());
    (!parts.is_empty()).then(|| Piece::Parts(parts).json())
}

fn of_kinds(own: &[Schema], shipped: &[Schema]) -> Parts {
    of_named(own, shipped, of_kind)
}

fn of_named<T: Named>(own: &[T], shipped: &[T], differ: fn(&T, &T) -> Parts) -> Parts {
    let of_one = |own: &T| {
        let parts = match find(shipped, own.name()) {
            Some(shipped) => differ(own, shipped),
            None => differ(own, &T::blank(own.name())),
        };
        (own.name().to_owned(), Piece::Parts(parts))
    };
    let gone = shipped.iter().filter(|kind| find(own, kind.name()).is_none());
    let gone = gone.map(|kind| (kind.name().to_owned(), Piece::Off));
    own.iter().map(of_one).chain(gone).collect()
}

fn of_kind(own: &Schema, shipped: &Schema) -> Parts {
    let mut parts = Parts::new();
    differing(&mut parts, "notes", json!(own.notes), json!(shipped.notes));
    differing(&mut parts, "holds", json!(own.holds), json!(shipped.holds));
    let mut fields = of_named(&own.fields, &shipped.fields, of_field);
    fields.retain(|(name, piece)| !piece.is_empty() || find(&shipped.fields, name).is_none());
    some(&mut parts, "fields", fields);
    parts
}

fn of_field(own: &Field, shipped: &Field) -> Parts {
    let mut parts = Parts::new();
    differing(&mut parts, "kind", json!(own.kind), json!(shipped.kind));
    differing(&mut parts, "one_of", json!(own.one_of), json!(shipped.one_of));
    some(&mut parts, "words", of_words(own, shipped));
    differing(&mut parts, "also", json!(own.also), json!(shipped.also));
    differing(&mut parts, "required", json!(own.required), json!(shipped.required));
    let fill = |field: &Field| field.fill.map_or_else(|| json!("off"), |fill| json!(fill));
    differing(&mut parts, "fill", fill(own), fill(shipped));
    some(&mut parts, "under", of_under(own, shipped));
    parts
}

fn differing(parts: &mut Parts, name: &str, own: Json, shipped: Json) {
    if own != shipped {
        parts.push((name.to_owned(), Piece::Value(own)));
    }
}

fn some(parts: &mut Parts, name: &str, own: Parts) {
    if !own.is_empty() {
        parts.push((name.to_owned(), Piece::Parts(own)));
    }
}

fn of_words(own: &Field, shipped: &Field) -> Parts {
    let shipped: BTreeSet<&(String, String)> = shipped.words.iter().collect();
    let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
    // The words of one value stand together.
    for pair in own.words.iter().filter(|pair| !shipped.contains(pair)) {
        match parts.last_mut() {
            Some((value, words)) if *value == pair.1 => words.push(&pair.0),
            _ => parts.push((pair.1.clone(), vec![&pair.0])),
        }
    }
    parts.into_iter().map(|(value, words)| (value, Piece::Value(json!(words)))).collect()
}

fn of_under(own: &Field, shipped: &Field) -> Parts {
    let new = own.under.iter().filter(|pair| !shipped.under.contains(pair));
    let new = new.map(|(folder, value)| (folder.clone(), Piece::Value(json!(value))));
    let is_gone = |(folder, value): &&(String, String)| {
        own.one_of.contains(value) && own.under.iter().all(|(other, _)| other != folder)
    };
    let gone = shipped.under.iter().filter(is_gone).map(|(folder, _)| (folder.clone(), Piece::Off));
    new.chain(gone).collect()
}

impl Piece {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Parts(parts) if parts.is_empty())
    }

    fn yaml(&self) -> String {
        match self {
            Self::Off => "off".to_owned(),
            Self::Value(value) => yaml::line(value),
            Self::Parts(parts) => {
                let entry = |(name, piece): &(String, Self)| {
                    format!("{}: {}", yaml::line(&json!(name)), piece.yaml())
                };
                format!("{{{}}}", parts.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Pairs instead of an object, which would lose the order.
    fn json(&self) -> Json {
        match self {
            Self::Off => Json::Bool(false),
            Self::Value(value) => value.clone(),
            Self::Parts(parts) => parts.iter().map(|(name, piece)| json!([name, piece.json()])).collect(),
        }
    }
}
