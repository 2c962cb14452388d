//! Keys in another case or misspelt. A key that this vault uses again and again is no slip, a key whose
//! value would not fit is not meant, and no key is corrected into one that gives a note a new name.

use super::{
    kinds::{Field, folded, is_spelt},
    sheet::{Seat, Sheet, Wish},
};
use crate::{
    change::Why,
    finding::Severity,
    vault::frontmatter::{Key, Value},
};
use config::Kind;

pub(super) const KEY: &str = "normalise/key";

/// Shorter keys are other words more often than slips.
const MIN_CHARS: usize = 5;

/// Two slips change the length by no more characters, each of at most four bytes.
const MAX_MORE: usize = 8;

/// From so many characters on, two slips are believed.
const TWO_SLIPS: usize = 9;

/// A key that stands in more notes than this is no slip. How many notes have the right key does not count:
/// that number grows with each repair, and a second run would judge otherwise.
const RARE: usize = 3;

/// Words that are one slip from a field, and are words.
const WORDS: [&str; 8] = ["content", "stats", "states", "update", "create", "creates", "updates", "tile"];

/// The field that a key without one is meant to be, and why; none where the note has that field, or where
/// more than one may be meant.
pub(super) fn meant<'a>(sheet: &Sheet<'a>, key: &Key) -> Option<(&'a Field, Why)> {
    if !sheet.kinds.is_on(KEY) || key.is_tied || sheet.kinds.knows(&key.name) {
        return None;
    }
    let mut fields = sheet.kind.fields.iter().filter(|field| is_open(sheet, field) && fits(field, key));
    if let Some(field) = fields.clone().find(|field| is_spelt(&key.name, &field.set.name)) {
        let sentence = format!("`{}` is `{}` in another spelling", key.name, field.set.name);
        return Some((field, Why::likely(KEY, sentence)));
    }
    let mut near = fields.by_ref().filter(|field| is_slip(sheet, &key.name, field));
    let field = near.next().filter(|_| near.next().is_none())?;
    if !sheet.kinds.stays(sheet.kind, sheet.block, &field.set.name) {
        return None;
    }
    let sentence = format!("`{}` is most likely `{}`, which this note lacks", key.name, field.set.name);
    Some((field, Why::likely(KEY, sentence)))
}

/// What a person must know of a key that is not the only one meant as its field.
pub(super) fn doubtful(sheet: &Sheet<'_>, seat: &Seat<'_>) -> Wish {
    let (key, field) = (&seat.key.name, &seat.field.set.name);
    let message = format!("`{key}` may be meant as `{field}`, and so may another key of this note");
    Wish::tell(sheet.finding(seat.key, Severity::Note, KEY, message).hint("Keep one of them."))
}

/// The note has no key of that name, nor the field at another place.
fn is_open(sheet: &Sheet<'_>, field: &Field) -> bool {
    sheet.block.key(&field.set.name).is_none() && field.elsewhere(sheet.block).is_none()
}

fn is_slip(sheet: &Sheet<'_>, key: &str, field: &Field) -> bool {
    // Hardly any key comes near a field; lengths alone tell most apart.
    if field.is_naming() || key.len().abs_diff(field.set.name.len()) > MAX_MORE {
        return false;
    }
    let (word, name) = (folded(key), folded(&field.set.name));
    if word.chars().count() < MIN_CHARS || WORDS.contains(&word.as_str()) {
        return false;
    }
    let allowed = if name.chars().count() >= TWO_SLIPS { 2 } else { 1 };
    !is_plural(&word, &name) && config::slips(&word, &name) <= allowed && sheet.words.count(key) <= RARE
}

/// One is the other with an ending of the plural.
fn is_plural(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    matches!(long.strip_prefix(short), Some("s" | "es"))
}

/// The value could be that of the field.
fn fits(field: &Field, key: &Key) -> bool {
    match (field.set.kind, &key.value) {
        (Kind::Tags | Kind::List, value) => matches!(value, Value::List(..) | Value::Text(..)),
        (Kind::Date, Value::Text(text, _)) => super::dates::day_of(text).is_some(),
        (Kind::Text, Value::Text(text, _)) => {
            !text.is_empty() && (field.set.one_of.is_empty() || field.meaning(text).is_some())
        }
        _ => false,
    }
}
