//! What becomes of one key that is a field: its name, and then its value by the kind of the field.

use super::{
    dates, lists, quotes,
    sheet::{Seat, Sheet, Wish},
    values,
};
use crate::vault::frontmatter::{Operation, Value};
use config::Kind;

/// What the rules want of a key; renaming and a new value happen together.
pub(super) fn wish(sheet: &Sheet<'_>, seat: &Seat<'_>) -> Wish {
    let mut wish = value(sheet, seat);
    if let Some(why) = seat.rename.clone() {
        let name = seat.field.set.name.clone();
        wish.operations.insert(0, (Operation::Rename { key: seat.at, name }, why));
    }
    wish
}

fn value(sheet: &Sheet<'_>, seat: &Seat<'_>) -> Wish {
    if let Some(wish) = values::by_folder(sheet, seat) {
        return wish;
    }
    match (seat.field.set.kind, &seat.key.value) {
        (Kind::Tags | Kind::List, _) => lists::wish(sheet, seat),
        (Kind::Date, Value::Text(text, _)) => dates::wish(sheet, seat, text),
        (Kind::Text, _) if seat.field.set.one_of.is_empty() => quotes::wish(sheet, seat),
        (Kind::Text, _) => values::wish(sheet, seat),
        _ => Wish::default(),
    }
}
