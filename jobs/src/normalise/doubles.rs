//! Keys that stand in a block twice. YAML knows no such thing, and readers take the first, the last or
//! neither; so only one that says the very same goes, and any other is told.

use super::sheet::{Sheet, Wish};
use crate::{
    change::Why,
    finding::Severity,
    vault::frontmatter::{Key, Operation},
};

pub(super) const DUPLICATE: &str = "normalise/duplicate";

/// What the rule wants of the keys that are there twice.
pub(super) fn wishes(sheet: &Sheet<'_>) -> Vec<Wish> {
    let keys = &sheet.block.keys;
    let first = |key: &Key| keys.iter().position(|other| other.name == key.name);
    let again =
        keys.iter().enumerate().filter_map(|(at, key)| Some((first(key).filter(|first| *first < at)?, at)));
    again.map(|(first, at)| wish(sheet, first, at)).collect()
}

/// True where no other key has the name, once those that say the same have gone.
pub(super) fn is_alone(sheet: &Sheet<'_>, at: usize) -> bool {
    let keys = &sheet.block.keys;
    let mut others = (0..keys.len()).filter(|other| *other != at && keys[*other].name == keys[at].name);
    let goes = |other: usize| {
        let operation = Operation::RemoveDuplicate { key: other };
        let says_the_same = value(sheet, &keys[other]) == value(sheet, &keys[at]);
        other > at && says_the_same && sheet.block.edit(sheet.text(), &[operation]).is_ok()
    };
    others.all(|other| sheet.kinds.is_on(DUPLICATE) && goes(other))
}

fn value<'a>(sheet: &Sheet<'a>, key: &Key) -> &'a str {
    key.value_span.of(sheet.text())
}

fn wish(sheet: &Sheet<'_>, first: usize, at: usize) -> Wish {
    let (one, other) = (&sheet.block.keys[first], &sheet.block.keys[at]);
    let (name, line) = (&one.name, sheet.note.line_of(one.span.start));
    if value(sheet, one) != value(sheet, other) {
        let message = format!("`{name}` stands here and in line {line}, and says something else");
        let finding = sheet.finding(other, Severity::Warning, DUPLICATE, message);
        return Wish::tell(finding.hint("Keep one of the two; programs differ in which they read."));
    }
    // Where one between them differs, a reader that takes the last one would read another value.
    let all_agree =
        sheet.block.keys.iter().all(|key| key.name != *name || value(sheet, key) == value(sheet, one));
    if !sheet.kinds.is_on(DUPLICATE) || !all_agree {
        return Wish::default();
    }
    let why = Why::sure(DUPLICATE, format!("`{name}` stands in line {line} already, with the same value"));
    Wish::of(Operation::RemoveDuplicate { key: at }, why)
}
