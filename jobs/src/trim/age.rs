//! How old an entry is: its date, else the day on which memkeep first saw its text.

use crate::vault::{
    Vault,
    entry::{Entry, key},
};
use chrono::NaiveDate;

/// The age of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Age {
    pub day: NaiveDate,
    /// What names an undated entry in the state; dated ones need none.
    pub key: Option<String>,
}

/// The ages of `entries`, in their order. An entry never seen before is seen today; one seen in the future, by
/// a clock that was wrong, too.
pub(super) fn of_all(text: &str, entries: &[Entry], vault: &Vault) -> Vec<Age> {
    let of = |entry: &Entry| match entry.date {
        Some(day) => Age { day, key: None },
        None => {
            let key = key(entry.span.of(text));
            let seen = vault.ledger.first_seen(&key).unwrap_or(vault.today);
            Age { day: seen.min(vault.today), key: Some(key) }
        }
    };
    entries.iter().map(of).collect()
}
