//! The kinds of notes and their fields: the one value that is a mapping of mappings.
//!
//! A layer says only what it changes. It is laid over the kinds of the layers below while it is read, so that
//! what contradicts them is told at its own place. Nothing here knows which kinds are shipped.

mod difference;
mod field;
pub(crate) mod parts;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::check;
use crate::error::{Mark, Problem, clean};
use crate::globs::Globs;
use crate::keys::Shape;
use crate::nearest::nearest;
use crate::normalise::{Field, Schema, folded};
use crate::tree::{Data, Field as Entry, Node};
pub(crate) use difference::{changes, line};
use parts::Part;

/// The kinds in force once `node` lies over those of the layers below, or all that is wrong with it. Both
/// the kinds below and the shipped ones may be null, where there are none yet.
pub(crate) fn lay(key: &str, node: &Node, below: &Json, shipped: &Json) -> Result<Json, Vec<Problem>> {
    let mut problems = Vec::new();
    let laid = over(&mut problems, key, node, schemas(below), &schemas(shipped));
    alike(&mut problems, key, node, &laid);
    // New kinds are tried first: what a person adds is narrower than what is shipped.
    let kinds = [laid.new, laid.kept].concat();
    if problems.is_empty() { Ok(serde_json::to_value(kinds).unwrap_or_default()) } else { Err(problems) }
}

fn schemas(kinds: &Json) -> Vec<Schema> {
    serde_json::from_value(kinds.clone()).unwrap_or_default()
}

/// The names of the kinds, as the reference shows a default that is too long for a line.
pub(crate) fn names(kinds: &Json) -> String {
    schemas(kinds).into_iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

/// A kind or a field: what a layer names, changes and takes away.
trait Named: Clone {
    fn name(&self) -> &str;

    /// One of which nothing is said yet.
    fn blank(name: &str) -> Self;

    /// This one with what the entry says of it; `near` is the known name that a new one may have meant.
    fn laid(self, problems: &mut Vec<Problem>, said: &Said<'_, Self>) -> Self;
}

/// What a layer says of one kind or field.
struct Said<'a, T> {
    /// The way to it, as messages show it.
    key: &'a str,
    entry: &'a Entry,
    /// The shipped one of the same name.
    shipped: Option<&'a T>,
    /// For one that is new: the known name it may have been meant to be.
    near: Option<&'a str>,
}

/// Those of the layers below with what was said over them, and those that are new.
struct Laid<T> {
    kept: Vec<T>,
    new: Vec<T>,
}

fn over<T: Named>(
    problems: &mut Vec<Problem>,
    key: &str,
    node: &Node,
    mut kept: Vec<T>,
    shipped: &[T],
) -> Laid<T> {
    let mut new = Vec::new();
    for entry in entries(problems, key, node) {
        let key = format!("{key}.{}", clean(&entry.key));
        if is_off(&entry.value) {
            problems.extend(take_away(&key, entry, &mut kept, shipped));
            continue;
        }
        if let Some(what) = check::unfit(&entry.key) {
            problems.push(Problem::new(entry.at, format!("the name '{key}' {what}")));
            continue;
        }
        let default = find(shipped, &entry.key);
        match position(&mut kept, shipped, &entry.key) {
            Some(at) => {
                let said = Said { key: &key, entry, shipped: default, near: None };
                kept[at] = kept[at].clone().laid(problems, &said);
            }
            None => {
                let near = nearest(&entry.key, kept.iter().map(T::name));
                let said = Said { key: &key, entry, shipped: None, near };
                new.push(T::blank(&entry.key).laid(problems, &said));
            }
        }
    }
    Laid { kept, new }
}

/// The entries of a mapping; nothing, as where all of them are commented out, is an empty one.
fn entries<'n>(problems: &mut Vec<Problem>, key: &str, node: &'n Node) -> &'n [Entry] {
    match &node.data {
        Data::Map(entries) => entries,
        Data::Nothing { .. } => &[],
        _ => {
            let message = format!("'{key}' wants a mapping, not {}", check::found(node));
            problems.push(Problem::new(node.at, message));
            &[]
        }
    }
}

/// Whether that is the word that takes away what is called so; older readers of YAML write `off` as `false`.
fn is_off(node: &Node) -> bool {
    matches!(&node.data, Data::Scalar { text, is_quoted: false } if text == "off" || text == "false")
}

/// Takes away what may be there; to say it twice is no mistake, to misspell it is one.
fn take_away<T: Named>(key: &str, entry: &Entry, kept: &mut Vec<T>, shipped: &[T]) -> Option<Problem> {
    let n_kept = kept.len();
    kept.retain(|own| own.name() != entry.key);
    if kept.len() < n_kept || find(shipped, &entry.key).is_some() {
        return None;
    }
    let near = nearest(&entry.key, kept.iter().map(T::name));
    Some(hinted(Problem::new(entry.at, format!("there is no '{key}' that could be off")), near))
}

/// Where the one of that name is; a shipped one that a layer below took away comes back as it was shipped.
fn position<T: Named>(kept: &mut Vec<T>, shipped: &[T], name: &str) -> Option<usize> {
    if let Some(at) = kept.iter().position(|own| own.name() == name) {
        return Some(at);
    }
    let rank = shipped.iter().position(|own| own.name() == name)?;
    let before = kept.iter().rposition(|own| find(&shipped[..rank], own.name()).is_some());
    let after = || kept.iter().position(|own| find(&shipped[rank..], own.name()).is_some());
    let at = before.map(|at| at + 1).or_else(after).unwrap_or(kept.len());
    kept.insert(at, shipped[rank].clone());
    Some(at)
}

fn find<'a, T: Named>(all: &'a [T], name: &str) -> Option<&'a T> {
    all.iter().find(|own| own.name() == name)
}

fn hinted(problem: Problem, near: Option<&str>) -> Problem {
    match near {
        Some(near) => problem.hint(format!("did you mean '{near}'?")),
        None => problem,
    }
}

/// The entries of one kind or field that are parts of it; the others are told.
fn known<'n>(problems: &mut Vec<Problem>, key: &str, node: &'n Node, known: &[Part]) -> Vec<&'n Entry> {
    if !matches!(node.data, Data::Map(_)) {
        let message = format!("'{key}' wants a mapping, not {}", check::found(node));
        problems.push(Problem::new(node.at, message).hint("to take it away, write off without quotes"));
        return Vec::new();
    }
    let mut own = Vec::new();
    for entry in entries(problems, key, node) {
        if known.iter().any(|part| part.name == entry.key) {
            own.push(entry);
            continue;
        }
        let near = nearest(&entry.key, known.iter().map(|part| part.name));
        let problem = Problem::new(entry.at, format!("unknown key '{key}.{}'", clean(&entry.key)));
        problems.push(match near.is_none() && parts::FIELD.iter().any(|part| part.name == entry.key) {
            true => problem.hint(format!("write '{}' below one of its 'fields:'", entry.key)),
            false => hinted(problem, near),
        });
    }
    own
}

/// Puts a value of that shape where it belongs, or tells what is wrong with it.
fn take<T: DeserializeOwned>(
    problems: &mut Vec<Problem>,
    slot: &mut T,
    key: &str,
    shape: &Shape,
    node: &Node,
) {
    match check::value(key, shape, node).map(serde_json::from_value) {
        Ok(Ok(value)) => *slot = value,
        Ok(Err(_)) => {}
        Err(wrong) => problems.extend(wrong),
    }
}

/// Places are keys of a block, or entries of one, as `metadata.type`: no note is looked into deeper.
fn places(problems: &mut Vec<Problem>, key: &str, node: &Node) {
    for (at, text) in texts(node) {
        if text.split('.').count() > 2 || text.split('.').any(|name| name.trim().is_empty()) {
            let message = format!("'{}' in '{key}' is no place in a block", clean(text));
            problems
                .push(Problem::new(at, message).hint("name a key, or an entry of one as 'metadata.type'"));
        }
    }
}

/// The texts of a list, each with its place.
fn texts(node: &Node) -> impl Iterator<Item = (Mark, &str)> {
    let items: &[Node] = if let Data::List(items) = &node.data { items } else { &[] };
    items.iter().filter_map(|item| match &item.data {
        Data::Scalar { text, .. } => Some((item.at, text.as_str())),
        _ => None,
    })
}

impl Named for Schema {
    fn name(&self) -> &str {
        &self.name
    }

    fn blank(name: &str) -> Self {
        Self { name: name.to_owned(), notes: Globs::default(), holds: Vec::new(), fields: Vec::new() }
    }

    fn laid(mut self, problems: &mut Vec<Problem>, said: &Said<'_, Self>) -> Self {
        let n_before = problems.len();
        for part in known(problems, said.key, &said.entry.value, &parts::KIND) {
            let key = format!("{}.{}", said.key, part.key);
            match part.key.as_str() {
                "notes" => take(problems, &mut self.notes, &key, &Shape::Globs, &part.value),
                "holds" => {
                    take(problems, &mut self.holds, &key, &Shape::Texts, &part.value);
                    places(problems, &key, &part.value);
                }
                _ => self.fields = fields(problems, &key, &part.value, self.fields, said.shipped),
            }
        }
        let is_empty =
            self.holds.is_empty() && self.notes.patterns().iter().all(|text| text.starts_with('!'));
        if is_empty && problems.len() == n_before {
            problems.push(hinted(without_notes(said), said.near));
        }
        self
    }
}

fn without_notes(said: &Said<'_, Schema>) -> Problem {
    let message = format!("no note is of the kind '{}': it has neither 'notes' nor 'holds'", said.key);
    Problem::new(said.entry.at, message).hint("say where its notes lie, as notes: ['people/**']")
}

/// The fields of one kind with what a layer says of them: new ones come last.
fn fields(
    problems: &mut Vec<Problem>,
    key: &str,
    node: &Node,
    own: Vec<Field>,
    shipped: Option<&Schema>,
) -> Vec<Field> {
    let shipped = shipped.map_or(&[][..], |kind| &kind.fields);
    let laid = over(problems, key, node, own, shipped);
    alike(problems, key, node, &laid);
    [laid.kept, laid.new].concat()
}

/// Two keys that differ in case, or in `-`, `_` and blanks, are one key to whoever repairs them, and so are
/// two kinds to whoever reads of them.
fn alike<T: Named>(problems: &mut Vec<Problem>, key: &str, node: &Node, laid: &Laid<T>) {
    let mut names: BTreeMap<String, &str> =
        laid.kept.iter().map(|own| (folded(own.name()), own.name())).collect();
    for own in laid.new.iter().map(T::name) {
        if let Some(other) = names.insert(folded(own), own) {
            let at = entries(&mut Vec::new(), key, node).iter().find(|entry| entry.key == own);
            let message =
                format!("'{}' and '{}' in '{key}' are one name in two spellings", clean(other), clean(own));
            problems.push(Problem::new(at.map_or(node.at, |entry| entry.at), message));
        }
    }
}
