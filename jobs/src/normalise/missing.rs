//! Fields that a note lacks: one whose value is sure is filled in, one that is required is told. Nothing is
//! invented, and nothing that would give the note a new name.

use super::{
    instead,
    kinds::{Field, Found},
    sheet::{Seat, Sheet, Wish},
    values::{ARCHIVED, TYPE, folder_value},
};
use crate::{
    change::{Certainty, Why},
    finding::{Finding, Severity},
    vault::{NotePath, frontmatter::Operation},
};
use config::Fill;

pub(super) const FILL: &str = "normalise/fill";
pub(super) const MISSING: &str = "normalise/missing";

/// What the rules want for a field that no key is.
pub(super) fn wish<'a>(sheet: &Sheet<'a>, field: &'a Field) -> Wish {
    if let Some(found) = field.elsewhere(sheet.block) {
        return nested(sheet, field, &found);
    }
    let sure = sure(sheet, field);
    if let Some(instead) = instead::of(sheet, field) {
        return instead::wish(sheet, field, &instead, sure.is_some());
    }
    match sure {
        Some((value, why)) => {
            let (name, order) = (field.set.name.clone(), sheet.order());
            Wish::of(Operation::Insert { name, value, order }, why)
        }
        None => told(sheet, field),
    }
}

/// What the rules want for a field whose key holds nothing.
pub(super) fn at_key(sheet: &Sheet<'_>, seat: &Seat<'_>) -> Wish {
    if let Some(found) = seat.field.elsewhere(sheet.block) {
        return nested(sheet, seat.field, &found);
    }
    let sure = sure(sheet, seat.field);
    if let Some(instead) = instead::of(sheet, seat.field) {
        return instead::wish(sheet, seat.field, &instead, sure.is_some());
    }
    match sure {
        Some((value, why)) => {
            // A comment in the place of a value may say why there is none.
            let certainty = if sheet.behind(seat.key).is_empty() { why.certainty } else { Certainty::Likely };
            Wish::of(Operation::Set { key: seat.at, value }, Why { certainty, ..why })
        }
        None => told(sheet, seat.field),
    }
}

/// The value of which something is sure, and why.
fn sure(sheet: &Sheet<'_>, field: &Field) -> Option<(String, Why)> {
    let (path, name) = (&sheet.note.path, &field.set.name);
    if let Some((folder, value)) = folder_value(&field.set, path).filter(|_| sheet.kinds.is_on(ARCHIVED)) {
        let why = Why::sure(
            ARCHIVED,
            format!("a note below `{folder}/` has `{name}: {value}`; this one said nothing"),
        );
        return Some((value.clone(), why));
    }
    let (value, reason) = match field.set.fill.filter(|_| sheet.kinds.is_on(FILL))? {
        Fill::Stem => (path.stem().to_owned(), "it is the name of the file".to_owned()),
        Fill::Prefix => {
            let prefix = prefix(&field.set, path)?;
            (prefix.to_owned(), format!("the file's name starts with `{prefix}_`"))
        }
        Fill::Day => {
            let day = day(path)?;
            (day.to_owned(), "the file's name starts with that day".to_owned())
        }
    };
    let gives_new_name = field.is_naming() && value != path.stem();
    let lack = if sheet.block.key(name).is_some() { "has no value" } else { "was missing" };
    let stays = sheet.kinds.stays(sheet.kind, sheet.note, sheet.block, name);
    (!gives_new_name && stays).then(|| (value, Why::sure(FILL, format!("`{name}` {lack}; {reason}"))))
}

/// The value with which the file's name starts (`user_profile.md`), where the field is filled from it.
pub(super) fn prefix<'a>(field: &config::Field, path: &'a NotePath) -> Option<&'a str> {
    let (prefix, rest) = path.stem().split_once('_').filter(|_| field.fill == Some(Fill::Prefix))?;
    (!rest.is_empty() && field.one_of.iter().any(|value| value == prefix)).then_some(prefix)
}

/// The day with which the file's name starts (`2026-11-30-slug.md`).
fn day(path: &NotePath) -> Option<&str> {
    let day = path.stem().get(..10)?;
    let ends = path.stem()[10..].chars().next().is_none_or(|c| !c.is_alphanumeric());
    (ends && super::dates::is_iso_day(day)).then_some(day)
}

/// A required field that is missing is a warning.
pub(super) fn told(sheet: &Sheet<'_>, field: &Field) -> Wish {
    if !field.set.required {
        return Wish::default();
    }
    let (name, kind) = (&field.set.name, &sheet.kind.name);
    let lack = if sheet.block.key(name).is_some() { "has no value" } else { "is missing" };
    let message = format!("`{name}` {lack}; a {kind} has one");
    let finding = Finding::about(&sheet.note.path, Severity::Warning, MISSING, message)
        .at(sheet.note.line_of(sheet.block.span.start))
        .hint(format!("Write `{name}:` into the frontmatter; memkeep does not invent it."));
    Wish::tell(finding)
}

/// A field at another place is understood and left there; only what it says is looked at.
fn nested(sheet: &Sheet<'_>, field: &Field, found: &Found<'_>) -> Wish {
    let Found::Text(text) = found else { return Wish::default() };
    let Some(key) = field.set.also.iter().find_map(|place| sheet.block.key(place.split('.').next()?)) else {
        return Wish::default();
    };
    let place = field.set.also.join(" or ");
    let message = match (field.meaning(text), prefix(&field.set, &sheet.note.path)) {
        (None, _) if !field.set.one_of.is_empty() => {
            format!("`{place}` is `{text}`, which is none of its values: {}", field.set.one_of.join(", "))
        }
        (Some(value), Some(prefix)) if value != prefix => {
            format!("`{place}` is `{text}`, and the file's name starts with `{prefix}_`")
        }
        _ => return Wish::default(),
    };
    Wish::tell(sheet.finding(key, Severity::Note, TYPE, message))
}
