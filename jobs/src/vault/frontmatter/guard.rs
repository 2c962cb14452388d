//! The edited block is read again: a key that no operation names must have the very bytes it had, any other
//! one must say what was asked for, and no comment may be gone. What does not is refused, whatever the
//! reason.

use super::{
    Frontmatter, Item, Key, MAX_BYTES, Value,
    edit::{Block, Operation, Patch, Refusal, refuse},
};
use crate::vault::Span;
use std::collections::{HashMap, HashSet};

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
    for (operation, own) in block.operations.iter().zip(patches) {
        in_its_lines(block, operation, own)?;
        keeps_comments(block, operation, own)?;
    }
    has_free_names(block)?;
    let edited = patched(block.text, patches)?;
    // How much is read is the caller's to say; a block that was read must only not outgrow what is usual.
    let found = Frontmatter::find_within(&edited, edited.len()).filter(|found| found.problem.is_none());
    let Some(found) = found else {
        return refuse("the block would not read any more");
    };
    if found.inner.len() > MAX_BYTES.max(block.front.inner.len()) {
        return refuse("the block would be larger than is read");
    }
    let expected = expected(block, patches);
    let is_as_asked = |(key, wanted): (&Key, &Expected<'_>)| is_met(block.text, &edited, key, wanted);
    let keeps = found.span.len() + block.text.len() == block.front.span.len() + edited.len();
    match keeps && found.keys.len() == expected.len() && found.keys.iter().zip(&expected).all(is_as_asked) {
        true => Ok(()),
        false => refuse("the block would say something else than was meant"),
    }
}

/// The lines of its key are all that an operation may touch; a new key goes between lines.
fn in_its_lines(block: &Block<'_>, operation: &Operation, patches: &[Patch]) -> Result<(), Refusal> {
    let keys = &block.front.keys;
    let is_own = |patch: &Patch| match operation.key() {
        Some(key) => keys[key].lines.holds(patch.span),
        None => patch.span.is_empty() && block.front.inner.holds(patch.span),
    };
    if patches.iter().all(is_own) { Ok(()) } else { refuse("it would touch other lines than its own") }
}

/// What goes is values and the signs around them. A comment is in none of these, unless it is put again or
/// was meant as a value; and of a double its own comment stands in the first.
fn keeps_comments(block: &Block<'_>, operation: &Operation, patches: &[Patch]) -> Result<(), Refusal> {
    let is_value = matches!(operation, Operation::Quote { .. } | Operation::RemoveDuplicate { .. });
    let key = operation.key().filter(|_| !is_value).map(|key| &block.front.keys[key]);
    let Some(key) = key.filter(|key| !is_comment(operation, key)) else { return Ok(()) };
    let loses = |patch: &Patch| {
        let mut gaps = between_scalars(key, patch.span).map(|gap| gap.of(block.text).trim());
        gaps.any(|gap| gap.contains('#') && !patch.put.contains(gap))
    };
    if patches.iter().any(loses) { refuse("a comment would go") } else { Ok(()) }
}

/// True where comments were meant as the value that becomes a list.
fn is_comment(operation: &Operation, key: &Key) -> bool {
    let is_nothing = match &key.value {
        Value::None => true,
        Value::List(items, _) => items.iter().all(|item| item.span.is_empty()),
        _ => false,
    };
    is_nothing && matches!(operation, Operation::ToList { .. })
}

/// The parts of `span` that are in no scalar of the key.
fn between_scalars(key: &Key, span: Span) -> impl Iterator<Item = Span> {
    let items: &[Item] = match &key.value {
        Value::List(items, _) => items,
        _ => &[],
    };
    let text = Some(key.value_span).filter(|_| matches!(key.value, Value::Text(..)));
    // Items before the span are passed over, so that many removals do not cost the square of the list.
    let first = items.partition_point(|item| item.span.end <= span.start);
    let items = items[first..].iter().map(|item| item.span).take_while(move |item| item.start < span.end);
    let scalars = [key.span].into_iter().chain(text).chain(items).chain([Span::at(span.end)]);
    scalars.scan(span.start, move |from, scalar| {
        let gap = Span::new(*from, scalar.start.min(span.end));
        *from = (*from).max(scalar.end);
        Some(gap)
    })
}

/// Two operations may not bring the same name.
fn has_free_names(block: &Block<'_>) -> Result<(), Refusal> {
    let name = |operation: &'_ Operation| match operation {
        Operation::Insert { name, .. } | Operation::Rename { name, .. } => Some(name.clone()),
        _ => None,
    };
    let mut brought = HashSet::new();
    match block.operations.iter().filter_map(name).all(|name| brought.insert(name)) {
        true => Ok(()),
        false => refuse("two edits bring a key of the same name"),
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
    let mut asked: HashMap<usize, Vec<&Operation>> = HashMap::new();
    let mut all: Vec<(usize, bool, Expected<'_>)> = Vec::new();
    for (operation, own) in block.operations.iter().zip(patches) {
        if let Some(key) = operation.key() {
            asked.entry(key).or_default().push(operation);
        }
        if let (Operation::Insert { name, value, .. }, Some(patch)) = (operation, own.first()) {
            let wanted = Expected { name: name.clone(), says: Says::Text(value.clone()) };
            all.push((patch.span.start, false, wanted));
        }
    }
    for (at, key) in block.front.keys.iter().enumerate() {
        let of_key = of_key(block, key, asked.get(&at).map_or(&[], Vec::as_slice));
        all.extend(of_key.map(|wanted| (key.lines.start, true, wanted)));
    }
    all.sort_by_key(|(at, is_old, _)| (*at, *is_old));
    all.into_iter().map(|(_, _, wanted)| wanted).collect()
}

/// What must become of a key; none where it goes.
fn of_key<'a>(block: &Block<'a>, key: &'a Key, operations: &[&Operation]) -> Option<Expected<'a>> {
    let mut wanted = Expected { name: key.name.clone(), says: Says::Same(key) };
    let mut items: Vec<Option<String>> = match &key.value {
        Value::List(items, _) if !operations.is_empty() => {
            items.iter().map(|item| Some(item.text.clone())).collect()
        }
        _ => Vec::new(),
    };
    for operation in operations {
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
            Operation::RemoveDuplicate { .. } => return None,
            Operation::Insert { .. } => {}
        }
    }
    if operations.iter().any(|operation| operation.is_of_item()) {
        wanted.says = Says::List(items.into_iter().flatten().collect());
    }
    Some(wanted)
}

fn is_met(text: &str, edited: &str, key: &Key, wanted: &Expected<'_>) -> bool {
    let says = match (&wanted.says, &key.value) {
        (Says::Same(old), value) => {
            old.lines.of(text) == key.lines.of(edited)
                && is_equal(&old.value, value)
                && old.is_tied == key.is_tied
        }
        (Says::Value(old), value) => {
            is_equal(&old.value, value) && behind_name(old, text) == behind_name(key, edited)
        }
        (Says::Text(text), Value::Text(own, _)) => text == own,
        (Says::List(texts), Value::List(items, _)) => {
            texts.len() == items.len() && texts.iter().zip(items).all(|(text, item)| *text == item.text)
        }
        _ => false,
    };
    says && key.name == wanted.name
}

/// The lines of a key from its colon on.
fn behind_name<'a>(key: &Key, text: &'a str) -> &'a str {
    Span::new(key.span.end, key.lines.end).of(text).trim_start_matches([' ', '\t'])
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
