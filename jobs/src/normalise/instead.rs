//! What a note may already have in the place of a field that it seems to lack: a key that is nearly called
//! so, or a day under another name. Beside such a key nothing is filled in. Here a name may be further off
//! than where a key is renamed ([`super::spelling`]): to hold back wrongly costs nothing.

use super::{
    kinds::{Field, folded},
    missing,
    near::is_near,
    sheet::{Sheet, Wish},
    spelling::KEY,
};
use crate::{
    finding::Severity,
    vault::{
        date,
        frontmatter::{Key, Value},
    },
};
use config::Kind;

/// Names of keys that hold the day of a note.
const DAYS: [&str; 16] = [
    "date",
    "day",
    "time",
    "datetime",
    "timestamp",
    "ctime",
    "birthtime",
    "datum",
    "fecha",
    "data",
    "дата",
    "日期",
    "日付",
    "날짜",
    "written",
    "published",
];

/// Words, or parts of words, by which the name of a key says when its note was made.
const MADE: [&str; 13] = [
    "creation",
    "create",
    "added",
    "erstellt",
    "angelegt",
    "créé",
    "création",
    "creado",
    "criado",
    "создан",
    "作成",
    "创建",
    "생성",
];

/// What stands in the place of a field.
pub(super) enum Instead<'a> {
    /// A key that may be meant as the field.
    Near(&'a Key),
    /// A key that may be meant as another place of the field, or as the map in which that lies.
    Place(&'a Key, &'a str),
    /// A day under another name: nothing is wrong with it.
    Day,
}

/// What the block has in the place of the field.
pub(super) fn of<'a>(sheet: &Sheet<'a>, field: &'a Field) -> Option<Instead<'a>> {
    let others = || sheet.block.keys.iter().filter(|key| sheet.kind.field(&key.name).is_none());
    if let Some(key) = others().find(|key| is_near(&key.name, &field.set.name)) {
        return Some(Instead::Near(key));
    }
    let at_place = |key: &'a Key| Some(Instead::Place(key, near_place(key, field)?));
    if let Some(place) = others().find_map(at_place) {
        return Some(place);
    }
    let is_day = |key: &Key| field.set.kind == Kind::Date && has_day(key);
    others().any(is_day).then_some(Instead::Day)
}

/// What a person must know of it; `fillable` where the field would have been filled in.
pub(super) fn wish(sheet: &Sheet<'_>, field: &Field, instead: &Instead<'_>, fillable: bool) -> Wish {
    let (key, meant) = match instead {
        Instead::Near(key) => (*key, field.set.name.as_str()),
        Instead::Place(key, map) => (*key, *map),
        Instead::Day => return Wish::default(),
    };
    if !sheet.kinds.is_on(KEY) {
        return missing::told(sheet, field);
    }
    if !fillable && !field.set.required {
        return Wish::default();
    }
    let (own, field) = (&key.name, &field.set.name);
    let message = format!("`{own}` may be meant as `{meant}`, so that no `{field}` is put beside it");
    let finding = sheet.finding(key, Severity::Note, KEY, message);
    Wish::tell(finding.hint(format!("Call it `{meant}`, or write a `{field}:` of its own.")))
}

/// One of the other places of the field, nearly called so.
fn near_place<'a>(key: &Key, field: &'a Field) -> Option<&'a str> {
    let is_meant = |place: &&String| match (place.split_once('.'), &key.value) {
        (None, _) => is_near(&key.name, place),
        (Some((map, entry)), Value::Map(entries)) => {
            is_near(&key.name, map) && entries.iter().any(|(own, _)| is_near(own, entry))
        }
        (Some((map, _)), value) => is_near(&key.name, map) && matches!(value, Value::Other),
    };
    let place = field.set.also.iter().find(is_meant)?;
    let map = place.split('.').next().unwrap_or(place);
    Some(if map == key.name { place } else { map })
}

/// The key, or an entry of it, says when its note was made, or simply a day.
fn has_day(key: &Key) -> bool {
    match &key.value {
        Value::Text(text, _) => is_of_day(&key.name) && reads_as_day(text),
        Value::Map(entries) => entries.iter().any(|(name, text)| is_of_day(name) && reads_as_day(text)),
        _ => false,
    }
}

fn is_of_day(name: &str) -> bool {
    let name = folded(name);
    DAYS.contains(&name.as_str()) || MADE.iter().any(|word| name.contains(word))
}

/// A date in whatever spelling, or a number of seconds.
fn reads_as_day(text: &str) -> bool {
    !date::find(text).is_empty() || text.chars().filter(char::is_ascii_digit).count() >= 4
}
