//! Dates in one spelling, `2026-11-30`. A date that can mean two days, and what is no date, is told, never
//! read; one with a time of day keeps its characters.

use super::sheet::{Seat, Sheet, Wish};
use crate::{
    change::Why,
    finding::Severity,
    vault::{
        date::{self, NaiveDate},
        frontmatter::Operation,
    },
};

pub(super) const DATE: &str = "normalise/date";

/// What the rules want of the value of a date field.
pub(super) fn wish(sheet: &Sheet<'_>, seat: &Seat<'_>, text: &str) -> Wish {
    let written = text.trim();
    if !sheet.kinds.is_on(DATE) || starts_iso(written) {
        return Wish::default();
    }
    match day_of(written) {
        Some(Reading::Day(day)) => {
            let why = Why::sure(DATE, format!("`{written}` is {day}, as dates are written here"));
            Wish::of(Operation::Set { key: seat.at, value: day.to_string() }, why)
        }
        Some(Reading::Two(one, other)) => {
            let message = format!("`{}: {written}` can mean {one} or {other}", seat.field.set.name);
            let finding = sheet.finding(seat.key, Severity::Note, DATE, message);
            Wish::tell(finding.hint("Write the day as YYYY-MM-DD."))
        }
        None if is_no_date(written) => {
            let message = format!(
                "`{}: {written}` is no day that there is, or none that is understood",
                seat.field.set.name
            );
            let finding = sheet.finding(seat.key, Severity::Note, DATE, message);
            Wish::tell(finding.hint("Write the day as YYYY-MM-DD."))
        }
        None => Wish::default(),
    }
}

/// True where neither a day stands in the text, nor a part of one (`2026`, `2026-03`, `2026-W12`), nor numbers
/// alone, which may be seconds or an id.
fn is_no_date(text: &str) -> bool {
    let is_part = |text: &str| {
        let (year, rest) = text.split_at_checked(4).unwrap_or((text, ""));
        let rest = rest.strip_prefix(['-', '/', '.']).unwrap_or(rest);
        let number = rest.strip_prefix(['W', 'w', 'Q', 'q']).unwrap_or(rest);
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        year.len() == 4 && is_number(year) && number.len() <= 2 && is_number(number)
    };
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    date::find(text).is_empty() && !is_digits && !is_part(text)
}

/// What a text says as a day.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Day(NaiveDate),
    /// The day first, or the month first.
    Two(NaiveDate, NaiveDate),
}

/// The day that all of the text names, without a time of day.
pub(super) fn day_of(text: &str) -> Option<Reading> {
    if let Some(numbers) = numbers(text) {
        return in_numbers(numbers);
    }
    let found = date::find(text);
    let [dated] = found.as_slice() else { return None };
    let is_all = dated.span.start == 0 && dated.span.end == text.len();
    (is_all && !text.contains(':')).then_some(Reading::Day(dated.day))
}

/// Three numbers with the same sign between them, as written.
fn numbers(text: &str) -> Option<[&str; 3]> {
    let sign = text.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, '/' | '.' | '-'))?;
    let mut parts = text.split(sign);
    let numbers = [parts.next()?, parts.next()?, parts.next()?];
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (parts.next().is_none() && numbers.iter().all(is_number)).then_some(numbers)
}

fn in_numbers([first, second, third]: [&str; 3]) -> Option<Reading> {
    let day = |year: &str, month: &str, day: &str| {
        let is_short = month.len() <= 2 && day.len() <= 2 && year.len() == 4;
        let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
        NaiveDate::from_ymd_opt(year, month, day).filter(|_| is_short)
    };
    if first.len() == 4 {
        return day(first, second, third).map(Reading::Day);
    }
    match (day(third, second, first), day(third, first, second)) {
        (Some(one), Some(other)) if one != other => Some(Reading::Two(one, other)),
        (one, other) => one.or(other).map(Reading::Day),
    }
}

/// `2026-11-30`, alone or before a time of day.
fn starts_iso(text: &str) -> bool {
    let rest = text.get(10..).unwrap_or_default();
    text.get(..10).is_some_and(is_iso_day) && (rest.is_empty() || rest.starts_with(['T', 't', ' ']))
}

/// Exactly `YYYY-MM-DD`, and such a day exists.
pub(super) fn is_iso_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_form = bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-';
    is_form && matches!(numbers(text).and_then(in_numbers), Some(Reading::Day(_)))
}
