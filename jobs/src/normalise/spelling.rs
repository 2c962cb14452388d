//! Keys in another case or misspelt. A key that this vault uses again and again is no slip, a key whose
//! value would not fit is not meant, and no key is corrected into one that gives a note a new name.

use super::{
    kinds::{Field, is_spelt},
    near::{self, Pair},
    sheet::{Doubt, Sheet, Wish},
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

/// A key that stands in more notes than this is no slip. How many notes have the right key does not count:
/// that number grows with each repair, and a second run would judge otherwise.
const RARE: usize = 3;

/// Words that are one slip from a field, and are words.
const WORDS: [&str; 8] = ["content", "stats", "states", "update", "create", "creates", "updates", "tile"];

/// A key without a field that is called nearly as one, whatever it holds.
pub(super) struct Claim<'a> {
    pub key: &'a Key,
    pub field: &'a Field,
    /// It differs in case, or in `-`, `_` and blanks, alone.
    is_spelt: bool,
}

/// The field as which a key may be meant; none where more than one may be.
pub(super) fn claim<'a>(sheet: &Sheet<'a>, key: &'a Key) -> Option<Claim<'a>> {
    if !sheet.kinds.is_on(KEY) || sheet.kinds.knows(&key.name) {
        return None;
    }
    let mut fields = sheet.kind.fields.iter();
    if let Some(field) = fields.clone().find(|field| is_spelt(&key.name, &field.set.name)) {
        return Some(Claim { key, field, is_spelt: true });
    }
    let mut near = fields.by_ref().filter(|field| is_slip(sheet, &key.name, field));
    let field = near.next().filter(|_| near.next().is_none())?;
    Some(Claim { key, field, is_spelt: false })
}

/// Why the key is to be called as its field is; none where the note has that field, or its value would not
/// be one of the field.
pub(super) fn meant(sheet: &Sheet<'_>, claim: &Claim<'_>) -> Option<Why> {
    let (key, field, own) = (claim.key, claim.field, &claim.field.set.name);
    if key.is_tied || !is_open(sheet, field) || !fits(field, key) {
        return None;
    }
    if claim.is_spelt {
        return Some(Why::likely(KEY, format!("`{}` is `{own}` in another spelling", key.name)));
    }
    let stays = sheet.kinds.stays(sheet.kind, sheet.note, sheet.block, own);
    let sentence = format!("`{}` is most likely `{own}`, which this note lacks", key.name);
    stays.then(|| Why::likely(KEY, sentence))
}

/// The keys that may be meant as a field, where another key is that field or may be meant as it too.
pub(super) fn doubtful<'a>(sheet: &Sheet<'a>, claims: &[Claim<'a>]) -> Vec<Doubt<'a>> {
    let mut doubts: Vec<Doubt<'a>> = Vec::new();
    for Claim { key, field, .. } in claims {
        let name = &field.set.name;
        let rivals = |other: &&Key| {
            let is_claim = || claims.iter().any(|own| own.field.set.name == *name && own.key == *other);
            let is_near = || sheet.kind.field(&other.name).is_none() && near::is_near(&other.name, name);
            other.name != key.name && (is_claim() || is_near())
        };
        let rivals: Vec<&Key> = sheet.block.keys.iter().filter(rivals).collect();
        let is_there = sheet.block.key(name).is_some();
        if is_there || !rivals.is_empty() {
            // Beside the field itself a key of another number (`tag`) is not meant as it.
            let more = rivals.into_iter().filter(|_| !is_there);
            let all = std::iter::once(*key).chain(more).map(|key| Doubt { key, field });
            doubts.extend(all);
        }
    }
    doubts.sort_by_key(|doubt| doubt.key.span.start);
    doubts.dedup_by_key(|doubt| doubt.key.span.start);
    doubts
}

/// What a person must know of a key that is not the only one meant as its field.
pub(super) fn told(sheet: &Sheet<'_>, Doubt { key, field }: &Doubt<'_>) -> Wish {
    let (own, name) = (&key.name, &field.set.name);
    let message = match sheet.block.key(name) {
        Some(_) => format!("`{own}` may be meant as `{name}`, which this note has too"),
        None => format!("`{own}` may be meant as `{name}`, and so may another key of this note"),
    };
    Wish::tell(sheet.finding(key, Severity::Note, KEY, message).hint("Keep one of them."))
}

/// The note has no key of that name, nor the field at another place.
fn is_open(sheet: &Sheet<'_>, field: &Field) -> bool {
    sheet.block.key(&field.set.name).is_none() && field.elsewhere(sheet.block).is_none()
}

fn is_slip(sheet: &Sheet<'_>, key: &str, field: &Field) -> bool {
    let Some(pair) = Pair::of(key, &field.set.name).filter(|_| !field.is_naming()) else { return false };
    if pair.key().chars().count() < MIN_CHARS || WORDS.contains(&pair.key()) {
        return false;
    }
    !pair.is_plural() && pair.is_slip() && sheet.words.count(key) <= RARE
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
