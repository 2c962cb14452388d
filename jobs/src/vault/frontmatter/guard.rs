//! The edited block is read again: a key that no operation names must have the very bytes it had, any other
//! one must say what was asked for. What does not is refused, whatever the reason.

use super::{
    Frontmatter, Key, Value,
    edit::{Block, Operation, Patch, Refusal, refuse},
};
use crate::vault::Span;

/// What a key must be after the edit.
struct Expected<'a> {
    name: String,
    says: Says<'a>,
}

enum Says<'a> {
    /// What it said before, in the same lines.
    Same(&'a Key),
    /// The value it had.
    Value(&'a Key),
    Text(String),
    List(Vec<String>),
}

/// Refuses patches whose result does not read as it was asked for.
pub(super) fn check(block: &Block<'_>, patches: &[Vec<Patch>]) -> Result<(), Refusal> {
    let edited = patched(block.text, patches)?;
    // The block was not too large to be read, so that the edited one is not either.
    let found = Frontmatter::find_within(&edited, edited.len()).filter(|found| found.problem.is_none());
    let Some(found) = found else {
        return refuse("the block would not read any more");
    };
    let expected = expected(block, patches);
    let is_as_asked = |(key, wanted): (&Key, &Expected<'_>)| is_met(block.text, &edited, key, wanted);
    let keeps = found.span.len() + block.text.len() == block.front.span.len() + edited.len();
    match keeps && found.keys.len() == expected.len() && found.keys.iter().zip(&expected).all(is_as_asked) {
        true => Ok(()),
        false => refuse("the block would say something else than was meant"),
    }
}

/// The text after all patches; those at one place in the order given.
pub(super) fn patched(text: &str, patches: &[Vec<Patch>]) -> Result<String, Refusal> {
    let mut all: Vec<&Patch> = patches.iter().flatten().collect();
    all.sort_by_key(|patch| patch.span);
    let (mut edited, mut done) = (String::with_capacity(text.len()), 0);
    for patch in all {
        if patch.span.start < done {
            return refuse("two edits of the same bytes");
        }
        edited.push_str(Span::new(done, patch.span.start).of(text));
        edited.push_str(&patch.put);
        done = patch.span.end;
    }
    edited.push_str(Span::new(done, text.len()).of(text));
    Ok(edited)
}

/// The keys that must be there, in order: old ones by where they stood, new ones by where they are put.
fn expected<'a>(block: &Block<'a>, patches: &[Vec<Patch>]) -> Vec<Expected<'a>> {
    let old = block.front.keys.iter().enumerate();
    let mut all: Vec<(usize, bool, Expected<'_>)> = old
        .filter(|(at, _)| !block.operations.contains(&Operation::RemoveDuplicate { key: *at }))
        .map(|(at, key)| (key.lines.start, true, of_key(block, at, key)))
        .collect();
    for (operation, own) in block.operations.iter().zip(patches) {
        if let (Operation::Insert { name, value, .. }, Some(patch)) = (operation, own.first()) {
            let wanted = Expected { name: name.clone(), says: Says::Text(value.clone()) };
            all.push((patch.span.start, false, wanted));
        }
    }
    all.sort_by_key(|(at, is_old, _)| (*at, *is_old));
    all.into_iter().map(|(_, _, wanted)| wanted).collect()
}

fn of_key<'a>(block: &Block<'a>, at: usize, key: &'a Key) -> Expected<'a> {
    let mut wanted = Expected { name: key.name.clone(), says: Says::Same(key) };
    let mut items: Vec<Option<String>> = match &key.value {
        Value::List(items, _) => items.iter().map(|item| Some(item.text.clone())).collect(),
        _ => Vec::new(),
    };
    for operation in block.operations.iter().filter(|operation| operation.key() == Some(at)) {
        match operation {
            Operation::Rename { name, .. } => {
                wanted.name.clone_from(name);
                if matches!(wanted.says, Says::Same(_)) {
                    wanted.says = Says::Value(key);
                }
            }
            Operation::Set { value, .. } => wanted.says = Says::Text(value.clone()),
            Operation::Quote { .. } => {
                wanted.says = Says::Text(block.to_line_end(key).of(block.text).to_owned());
            }
            Operation::ToList { items, .. } => wanted.says = Says::List(items.clone()),
            Operation::ToScalar { .. } => {
                wanted.says = Says::Text(items.first().cloned().flatten().unwrap_or_default());
            }
            Operation::SetItem { item, value, .. } => items[*item] = Some(value.clone()),
            Operation::RemoveItem { item, .. } => items[*item] = None,
            Operation::AddItem { value, .. } => items.push(Some(value.clone())),
            Operation::Insert { .. } | Operation::RemoveDuplicate { .. } => {}
        }
        if operation.is_of_item() {
            wanted.says = Says::List(items.iter().flatten().cloned().collect());
        }
    }
    wanted
}

fn is_met(text: &str, edited: &str, key: &Key, wanted: &Expected<'_>) -> bool {
    let says = match (&wanted.says, &key.value) {
        (Says::Same(old), value) => {
            old.lines.of(text) == key.lines.of(edited)
                && is_equal(&old.value, value)
                && old.is_tied == key.is_tied
        }
        (Says::Value(old), value) => is_equal(&old.value, value),
        (Says::Text(text), Value::Text(own, _)) => text == own,
        (Says::List(texts), Value::List(items, _)) => {
            texts.len() == items.len() && texts.iter().zip(items).all(|(text, item)| *text == item.text)
        }
        _ => false,
    };
    says && key.name == wanted.name
}

/// The same value, wherever it stands.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::List(one, a), Value::List(other, b)) => {
            let is_item = |(a, b): (&super::Item, &super::Item)| a.text == b.text && a.style == b.style;
            a == b && one.len() == other.len() && one.iter().zip(other).all(is_item)
        }
        _ => one == other,
    }
}

impl Operation {
    /// The place of the key that it is about; none where it brings a new one.
    pub fn key(&self) -> Option<usize> {
        match self {
            Operation::Insert { .. } => None,
            Operation::Set { key, .. }
            | Operation::Quote { key }
            | Operation::Rename { key, .. }
            | Operation::ToList { key, .. }
            | Operation::ToScalar { key }
            | Operation::SetItem { key, .. }
            | Operation::AddItem { key, .. }
            | Operation::RemoveItem { key, .. }
            | Operation::RemoveDuplicate { key } => Some(*key),
        }
    }

    fn is_of_item(&self) -> bool {
        matches!(self, Operation::SetItem { .. } | Operation::AddItem { .. } | Operation::RemoveItem { .. })
    }
}
