//! What must be so after operations on a known block, said without the editor: lines are compared as
//! lines, comments are looked for, and only what each key says is taken from the reader.

use super::{
    super::*,
    known::{Known, Says::*},
};
use std::collections::BTreeMap;

/// What is wrong with `new` as the outcome of the operations.
pub(super) fn wrong(known: &Known, operations: &[Operation], new: &str) -> Result<(), String> {
    let old = &known.note;
    only_its_lines(known, operations, new)?;
    comments_stay(old, operations, new)?;
    let ends = |text: &str| {
        let crlf = text.matches("\r\n").count();
        [crlf, text.matches('\n').count() - crlf, text.matches('\r').count() - crlf].map(|count| count > 0)
    };
    if ends(new).iter().zip(ends(old)).any(|(has, had)| *has && !had) {
        return Err("a line end of another kind".to_owned());
    }
    let found = Frontmatter::find(new).filter(|found| found.problem.is_none()).ok_or("it does not read")?;
    let read: BTreeMap<String, Vec<Vec<String>>> = found.keys.iter().fold(BTreeMap::new(), |mut all, key| {
        all.entry(key.name.clone()).or_insert_with(Vec::new).push(said(&key.value));
        all
    });
    let asked = asked(known, operations);
    if read == asked { Ok(()) } else { Err(format!("{read:?} is not {asked:?}")) }
}

/// The lines of a text with their ends: LF, CRLF or CR.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = Vec::new();
    for part in text.split_inclusive(['\n', '\r']) {
        match lines.last_mut() {
            Some(last) if part == "\n" && last.ends_with('\r') => {
                let start = last.as_ptr() as usize - text.as_ptr() as usize;
                *last = &text[start..start + last.len() + 1];
            }
            _ => lines.push(part),
        }
    }
    lines
}

/// Without the lines of keys that are named, and without new keys, old and new are the same lines.
fn only_its_lines(known: &Known, operations: &[Operation], new: &str) -> Result<(), String> {
    let is_new = |line: &&str| line.trim_start_matches([' ', '"', '\'']).starts_with("inserted");
    let kept = |text: &str| lines(text).into_iter().filter(|line| !is_new(line)).collect::<String>();
    let new = kept(new);
    let (mut at, mut from) = (0, 0);
    let touched = |key: &usize| operations.iter().any(|operation| operation.key() == Some(*key));
    let own = (0..known.keys.len()).filter(touched).map(|key| known.keys[key].0);
    for (nth, own) in own.chain([Span::at(known.note.len())]).enumerate() {
        let kept = kept(Span::new(from, own.start).of(&known.note));
        let is_last = own.start == known.note.len();
        let found = match (nth, is_last) {
            (0, true) => (new == kept).then_some(0),
            (0, false) => new.starts_with(&kept).then_some(0),
            (_, true) => new.ends_with(&kept).then(|| new.len() - kept.len()).filter(|found| *found >= at),
            (_, false) => new[at..].find(&kept).map(|found| at + found),
        };
        at = found.ok_or_else(|| format!("other lines change: {kept:?}"))? + kept.len();
        from = own.end;
    }
    Ok(())
}

/// Every comment is still there, were it in quotes; but not one that was meant as a list.
fn comments_stay(old: &str, operations: &[Operation], new: &str) -> Result<(), String> {
    let is_list = |operation: &Operation| matches!(operation, Operation::ToList { .. });
    let words = old.split(['#', ' ', '\n', '\r']).filter(|word| {
        let mut chars = word.chars();
        matches!(chars.next(), Some('c'..='f')) && chars.next().is_some_and(|c| c.is_ascii_digit())
    });
    let is_gone = |word: &&str| !new.contains(&format!("#{word}")) && !new.contains(&format!("# {word}"));
    let gone: Vec<&str> = words.filter(is_gone).collect();
    // Words with a `#` were meant as values.
    let is_meant = |word: &&&str| operations.iter().any(is_list) && old.contains(&format!("#{word}"));
    match gone.iter().find(|word| !is_meant(word)) {
        Some(word) => Err(format!("the comment {word} is gone")),
        None => Ok(()),
    }
}

fn said(value: &Value) -> Vec<String> {
    match value {
        Value::None => vec!["nothing".to_owned()],
        Value::Text(text, _) => vec!["text".to_owned(), text.clone()],
        Value::List(items, _) => {
            ["list".to_owned()].into_iter().chain(items.iter().map(|item| item.text.clone())).collect()
        }
        Value::Map(_) | Value::Other => vec!["other".to_owned()],
    }
}

/// What stands behind the colon of a key on a line of its own, comments included, or on the line below.
fn rest(own: &str) -> String {
    let lines: Vec<&str> = own.split(['\n', '\r']).collect();
    let colon = [": ", ":\t"].iter().filter_map(|mark| lines[0].rfind(mark)).max();
    let behind = colon.map_or("", |colon| lines[0][colon + 1..].trim());
    let below =
        lines[1..].iter().map(|line| line.trim()).find(|line| !line.is_empty() && !line.starts_with('#'));
    let is_below = behind.is_empty() || behind.starts_with('#');
    below.filter(|_| is_below).unwrap_or(behind).to_owned()
}

/// A bad editor may be asked for an item that is not there.
fn set(says: &mut [Option<String>], at: usize, value: Option<String>) {
    if let Some(own) = says.get_mut(at) {
        *own = value;
    }
}

/// What each name must say after the operations.
fn asked(known: &Known, operations: &[Operation]) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut all: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for at in 0..known.keys.len() {
        let own = operations.iter().filter(|operation| operation.key() == Some(at));
        if let Some((name, says)) = asked_of(known, at, own) {
            all.entry(name).or_default().push(says);
        }
    }
    for operation in operations {
        if let Operation::Insert { name, value, .. } = operation {
            all.entry(name.clone()).or_default().push(vec!["text".to_owned(), value.clone()]);
        }
    }
    all
}

/// What a key must be called and say after the operations on it; none where it goes.
fn asked_of<'a>(
    known: &Known,
    at: usize,
    operations: impl Iterator<Item = &'a Operation>,
) -> Option<(String, Vec<String>)> {
    let (own, name, says) = &known.keys[at];
    let texts = |kind: &str, texts: Vec<String>| -> Vec<Option<String>> {
        [kind.to_owned()].into_iter().chain(texts).map(Some).collect()
    };
    let mut name = name.clone();
    let mut says = match says {
        Nothing => texts("nothing", Vec::new()),
        Text(text) => texts("text", vec![(*text).to_owned()]),
        List(items) => texts("list", items.iter().map(|item| (*item).to_owned()).collect()),
        Other => texts("other", Vec::new()),
    };
    for operation in operations {
        match operation {
            Operation::Set { value, .. } => says = texts("text", vec![value.clone()]),
            Operation::Quote { .. } => says = texts("text", vec![rest(own.of(&known.note))]),
            Operation::Rename { name: new, .. } => name.clone_from(new),
            Operation::ToList { items, .. } => says = texts("list", items.clone()),
            Operation::ToScalar { .. } => says[0] = Some("text".to_owned()),
            Operation::SetItem { item, value, .. } => set(&mut says, item + 1, Some(value.clone())),
            Operation::AddItem { value, .. } => says.push(Some(value.clone())),
            Operation::RemoveItem { item, .. } => set(&mut says, item + 1, None),
            Operation::RemoveDuplicate { .. } => return None,
            Operation::Insert { .. } => {}
        }
    }
    Some((name, says.into_iter().flatten().collect()))
}
