//! Finds every date in a text, in one pass. A date inside a longer number, path, address or version is
//! none, and no text is looked at twice for the same start.

use super::{Dated, NaiveDate, Span};

/// English months by the letters that tell them apart, which are also their usual short forms.
const ENGLISH: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Russian months in the case that dates take.
const RUSSIAN: [&str; 12] = [
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
];

/// The longest month name in bytes, and a little more: longer words are not read.
const MAX_WORD: usize = 24;

/// All dates in `text`, in order, with ranges joined.
pub fn find(text: &str) -> Vec<Dated> {
    let mut found: Vec<Dated> = Vec::new();
    let mut before: Option<char> = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let is_start = c.is_ascii_digit() && may_precede(text, at, before)
            || c.is_alphabetic() && !before.is_some_and(char::is_alphanumeric);
        if let Some(dated) = Some(at).filter(|_| is_start).and_then(|at| date_at(text, at)) {
            at = dated.span.end;
            before = text[..at].chars().next_back();
            push(text, &mut found, dated);
            continue;
        }
        at += if c.is_ascii_digit() { run(&text[at..], |c| c.is_ascii_digit()) } else { c.len_utf8() };
        before = Some(c);
    }
    found
}

/// Adds a date, as the end of a range where only a dash stands between it and the one before.
fn push(text: &str, found: &mut Vec<Dated>, dated: Dated) {
    if let Some(last) = found.last_mut() {
        let between = Span::new(last.span.end, dated.span.start).of(text).trim();
        let is_range = matches!(
            between,
            "-" | "–" | "—" | "~" | "〜" | "～" | ".." | "…" | "→" | "->" | "to" | "until" | "до" | "から"
        );
        if is_range && last.day <= dated.day {
            *last = Dated { span: Span::new(last.span.start, dated.span.end), day: dated.day };
            return;
        }
    }
    found.push(dated);
}

fn may_precede(text: &str, at: usize, before: Option<char>) -> bool {
    match before {
        None => true,
        // Emphasis or a dash, but not the middle of a name.
        Some('_' | '-') => {
            text[..at - 1].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '/')
        }
        Some(c) if c.is_ascii() => !c.is_alphanumeric() && !r"/\.#$%+=&?^".contains(c),
        Some(c) => !c.is_numeric() && !matches!(c, '€' | '£' | '¥'),
    }
}

/// The date that starts at `at`, if nothing after it makes it part of something longer.
fn date_at(text: &str, at: usize) -> Option<Dated> {
    let rest = &text[at..];
    let (n_bytes, day) = if rest.starts_with(|c: char| c.is_ascii_digit()) {
        year_first(rest).or_else(|| day_first(rest)).or_else(|| day_month(rest))?
    } else {
        month_day(rest)?
    };
    let end = at + n_bytes;
    let end = end + time_of_day(&text[end..]);
    may_follow(&text[end..]).then_some(Dated { span: Span::new(at, end), day })
}

fn may_follow(rest: &str) -> bool {
    let mut chars = rest.chars();
    let (next, after) = (chars.next(), chars.next());
    match next {
        Some('.' | '-' | '_') => !after.is_some_and(char::is_alphanumeric),
        Some(':' | ',') => !after.is_some_and(|c| c.is_ascii_digit()),
        Some('/' | '\\' | '%' | '=' | '@') => false,
        // `2026-06-24に`: scripts without blanks go on at once.
        Some(c) => !c.is_ascii_alphanumeric() && !c.is_numeric(),
        None => true,
    }
}

/// `2026-06-24`, `2026/06/24`, `2026.06.24`, `2026年6月24日`, `2026년 6월 24일`.
fn year_first(text: &str) -> Option<(usize, NaiveDate)> {
    let (year, n_year) = number(text, 4, 4)?;
    let mut at = n_year;
    let (first, second, last) = match text[at..].chars().next()? {
        '-' => ("-", "-", ""),
        '/' => ("/", "/", ""),
        '.' => (".", ".", ""),
        '年' => ("年", "月", "日"),
        '년' => ("년", "월", "일"),
        _ => return None,
    };
    let spaced = !last.is_empty();
    at += mark(&text[at..], first, spaced)?;
    let (month, n_month) = number(&text[at..], 1, 2)?;
    at += n_month;
    at += mark(&text[at..], second, spaced)?;
    let (day, n_day) = number(&text[at..], 1, 2)?;
    at += n_day;
    at += mark(&text[at..], last, false)?;
    Some((at, civil(year, month, day)?))
}

/// `24.06.2026`; `24/06/2026` and `24-06-2026` where one part cannot be a month.
fn day_first(text: &str) -> Option<(usize, NaiveDate)> {
    let (first, n_first) = number(text, 1, 2)?;
    let separator = text[n_first..].chars().next().filter(|c| matches!(c, '.' | '/' | '-'))?;
    let mut at = n_first + 1;
    let (second, n_second) = number(&text[at..], 1, 2)?;
    at += n_second;
    let (year, n_year) = number(text[at..].strip_prefix(separator)?, 4, 4)?;
    at += 1 + n_year;
    let day = match separator {
        '.' => civil(year, second, first),
        _ if first > 12 => civil(year, second, first),
        _ if second > 12 => civil(year, first, second),
        _ if first == second => civil(year, first, second),
        _ => None,
    };
    Some((at, day?))
}

/// `24 Jun 2026`, `24th of June, 2026`, `1–7 June 2026`, `24 июня 2026`.
fn day_month(text: &str) -> Option<(usize, NaiveDate)> {
    let (mut day, mut at) = day_number(text)?;
    if let Some((last, n_bytes)) = range_end(&text[at..]) {
        (day, at) = (last, at + n_bytes);
    }
    at += blanks(&text[at..]).filter(|n| *n > 0)?;
    if text[at..].starts_with("of ") {
        at += 3;
    }
    let (month, n_month) = month(&text[at..])?;
    at += n_month;
    at += usize::from(text[at..].starts_with(['.', ',']));
    at += blanks(&text[at..]).filter(|n| *n > 0)?;
    let (year, n_year) = number(&text[at..], 4, 4)?;
    Some((at + n_year, civil(year, month, day)?))
}

/// `June 24, 2026`, `Jun 24 2026`, `June 24th 2026`, `June 1–7, 2026`.
fn month_day(text: &str) -> Option<(usize, NaiveDate)> {
    // Most words are followed by another word: they are never compared with the names.
    let n_word = run(text, char::is_alphabetic);
    let rest = text[n_word..].trim_start_matches(['.', ' ', '\u{a0}', '\u{202f}']);
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (month, mut at) = month(text)?;
    at += usize::from(text[at..].starts_with('.'));
    at += blanks(&text[at..]).filter(|n| *n > 0)?;
    let (mut day, n_day) = day_number(&text[at..])?;
    at += n_day;
    if let Some((last, n_bytes)) = range_end(&text[at..]) {
        (day, at) = (last, at + n_bytes);
    }
    let n_comma = usize::from(text[at..].starts_with(','));
    at += n_comma;
    at += blanks(&text[at..]).filter(|n| n + n_comma > 0)?;
    let (year, n_year) = number(&text[at..], 4, 4)?;
    Some((at + n_year, civil(year, month, day)?))
}

/// A day of the month, as `24` or `24th`.
fn day_number(text: &str) -> Option<(u32, usize)> {
    let (day, n_bytes) = number(text, 1, 2)?;
    let has_ending = ["st", "nd", "rd", "th"].iter().any(|ending| text[n_bytes..].starts_with(ending));
    Some((day, n_bytes + if has_ending { 2 } else { 0 }))
}

/// The `–7` of `1–7 June`.
fn range_end(text: &str) -> Option<(u32, usize)> {
    let rest = text.trim_start_matches(' ');
    let rest = rest.strip_prefix(['-', '–', '—'])?.trim_start_matches(' ');
    let (day, n_bytes) = day_number(rest)?;
    Some((day, text.len() - rest.len() + n_bytes))
}

/// An English or Russian month name, or an English one cut to three letters (or `Sept`).
fn month(text: &str) -> Option<(u32, usize)> {
    let n_bytes = run(text, char::is_alphabetic);
    if n_bytes == 0 || n_bytes > MAX_WORD {
        return None;
    }
    let word = text[..n_bytes].to_lowercase();
    let is_short = word == "sept" || word.len() == 3;
    let is_english = |name: &str| name == word || is_short && name.starts_with(&*word);
    let index = ENGLISH
        .iter()
        .position(|name| is_english(name))
        .or_else(|| RUSSIAN.iter().position(|name| *name == word))?;
    Some((u32::try_from(index).ok()? + 1, n_bytes))
}

/// The bytes of `T10:00`, ` 10:00:59`, with fractions and zone; 0 where none follows.
fn time_of_day(text: &str) -> usize {
    let Some(clock) = text.strip_prefix(['T', 't', ' ']) else { return 0 };
    let Some((hour, n_hour)) = number(clock, 1, 2) else { return 0 };
    let Some(minutes) = clock[n_hour..].strip_prefix(':') else { return 0 };
    if hour > 24 || number(minutes, 2, 2).is_none() {
        return 0;
    }
    let mut at = 1 + n_hour + 3;
    if text[at..].starts_with(':') && number(&text[at + 1..], 2, 2).is_some() {
        at += 3;
        if text[at..].starts_with(['.', ',']) && text[at + 1..].starts_with(|c: char| c.is_ascii_digit()) {
            at += 1 + run(&text[at + 1..], |c| c.is_ascii_digit());
        }
    }
    at + zone(&text[at..])
}

fn zone(text: &str) -> usize {
    if text.starts_with('Z') || text.starts_with('z') {
        return 1;
    }
    let is_offset = |length: usize| {
        text.get(..length).is_some_and(|zone| {
            zone.starts_with(['+', '-'])
                && zone[1..].bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
        })
    };
    [6, 5].into_iter().find(|length| is_offset(*length)).unwrap_or(0)
}

/// A number of `min` to `max` digits that no further digit follows.
fn number(text: &str, min: usize, max: usize) -> Option<(u32, usize)> {
    let n_bytes = text.bytes().take(max + 1).take_while(u8::is_ascii_digit).count();
    if n_bytes < min || n_bytes > max {
        return None;
    }
    Some((text[..n_bytes].parse().ok()?, n_bytes))
}

/// The length of `wanted` at the start of `text`, with one blank after it where dates take one.
fn mark(text: &str, wanted: &str, may_be_spaced: bool) -> Option<usize> {
    let rest = text.strip_prefix(wanted)?;
    Some(wanted.len() + usize::from(may_be_spaced && rest.starts_with(' ')))
}

/// The length of up to two blanks at the start.
fn blanks(text: &str) -> Option<usize> {
    let n_bytes = run(text, |c| matches!(c, ' ' | '\u{a0}' | '\u{202f}'));
    (n_bytes <= 4).then_some(n_bytes)
}

fn run(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// A day that exists, in a year that a note would name.
fn civil(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    let year = i32::try_from(year).ok().filter(|year| (1900..2200).contains(year))?;
    NaiveDate::from_ymd_opt(year, month, day)
}
