//! Fields with a closed set of values: another word for one becomes the value; what means none is told.

use super::{
    missing,
    sheet::{Seat, Sheet, Wish},
};
use crate::{
    change::Why,
    finding::Severity,
    vault::{
        NotePath,
        frontmatter::{Operation, Value},
    },
};

pub(super) const VALUE: &str = "normalise/value";
pub(super) const ARCHIVED: &str = "normalise/archived";
pub(super) const LIST: &str = "normalise/list";
pub(super) const TYPE: &str = "normalise/type";

/// The folder above the note that gives the field a certain value, and the value.
pub(super) fn folder_value<'a>(field: &'a config::Field, path: &NotePath) -> Option<&'a (String, String)> {
    let above = |folder: &str| path.folder().split('/').any(|name| name == folder);
    field.under.iter().find(|(folder, _)| above(folder))
}

/// What a note in such a folder has to say; none where it lies in none.
pub(super) fn by_folder(sheet: &Sheet<'_>, seat: &Seat<'_>) -> Option<Wish> {
    let (folder, value) = folder_value(&seat.field.set, &sheet.note.path)?;
    let text = match &seat.key.value {
        // As where the key is missing: another place or another key may say it.
        nothing if nothing.is_nothing() => return None,
        Value::Text(text, _) if text == value => return Some(Wish::default()),
        Value::Text(text, _) => text,
        // Its item as a text would be the next run's to replace.
        Value::List(items, _) if items.iter().all(|item| item.text != *value) => {
            return Some(unknown(sheet, seat, "a list"));
        }
        _ => return None,
    };
    if !sheet.kinds.is_on(ARCHIVED) {
        return None;
    }
    let name = &seat.field.set.name;
    // A person's own words are not replaced without asking, nor a value that a comment may explain.
    let is_sure = seat.field.meaning(text).is_some() && sheet.behind(seat.key).is_empty();
    let of = if is_sure { Why::sure } else { Why::likely };
    let why = of(ARCHIVED, format!("a note below `{folder}/` has `{name}: {value}`; this one said `{text}`"));
    Some(Wish::of(Operation::Set { key: seat.at, value: value.clone() }, why))
}

/// What the rules want of a value out of a closed set.
pub(super) fn wish(sheet: &Sheet<'_>, seat: &Seat<'_>) -> Wish {
    match &seat.key.value {
        value if value.is_nothing() => missing::at_key(sheet, seat),
        Value::Text(text, _) => of_text(sheet, seat, text),
        Value::List(items, _) => match items.as_slice() {
            [item] if seat.field.set.one_of.contains(&item.text) => of_list(sheet, seat, &item.text),
            _ => unknown(sheet, seat, "a list"),
        },
        Value::None | Value::Map(_) | Value::Other => unknown(sheet, seat, "no text"),
    }
}

fn of_text(sheet: &Sheet<'_>, seat: &Seat<'_>, text: &str) -> Wish {
    let name = &seat.field.set.name;
    match seat.field.meaning(text) {
        Some(value) if value == text => differs_from_name(sheet, seat, value),
        Some(value) if sheet.kinds.is_on(VALUE) => {
            let why = Why::sure(VALUE, format!("`{text}` means `{value}` in `{name}`"));
            Wish::of(Operation::Set { key: seat.at, value: value.to_owned() }, why)
        }
        Some(_) => Wish::default(),
        None => unknown(sheet, seat, &format!("`{text}`")),
    }
}

fn of_list(sheet: &Sheet<'_>, seat: &Seat<'_>, value: &str) -> Wish {
    if !sheet.kinds.is_on(LIST) {
        return Wish::default();
    }
    let why = Why::likely(LIST, format!("`{}` is one text, no list: {value}", seat.field.set.name));
    Wish::of(Operation::ToScalar { key: seat.at }, why)
}

fn unknown(sheet: &Sheet<'_>, seat: &Seat<'_>, said: &str) -> Wish {
    let (name, values) = (&seat.field.set.name, seat.field.set.one_of.join(", "));
    let message = format!("`{name}` is {said}, which is none of its values");
    let finding = sheet.finding(seat.key, Severity::Warning, VALUE, message);
    Wish::tell(
        finding.hint(format!("Write one of {values}, or add the word to the settings of `normalise`.")),
    )
}

/// The file's name says another value than the field does.
fn differs_from_name(sheet: &Sheet<'_>, seat: &Seat<'_>, value: &str) -> Wish {
    match missing::prefix(&seat.field.set, &sheet.note.path) {
        Some(prefix) if prefix != value => {
            let name = &seat.field.set.name;
            let message = format!("`{name}` is `{value}`, and the file's name starts with `{prefix}_`");
            Wish::tell(sheet.finding(seat.key, Severity::Note, TYPE, message))
        }
        _ => Wish::default(),
    }
}
