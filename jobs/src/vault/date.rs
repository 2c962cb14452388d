//! Dates as people write them in the entries of their notes, and where such a date says how old the
//! entry is. A doubtful date is no date: `03/04/2026` means two days, `2026.06.24.1` is a version.

mod find;
mod lead;
#[cfg(test)]
mod tests;

use super::Span;
pub use chrono::NaiveDate;
pub use find::find;
pub use lead::{in_heading, of_item};

/// A date and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dated {
    /// The date as written, with its time of day; of a range, all of it.
    pub span: Span,
    /// The day; of a range, its last.
    pub day: NaiveDate,
}
