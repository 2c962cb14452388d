//! Where a date says how old an entry is: anywhere in a heading; in an item at its start, in its bold
//! lead, or at its end. A date in the middle of a sentence tells about something else.

use super::{Dated, NaiveDate, find};
use crate::vault::line;

/// Marks of the Tasks plugin that stand before a date, and what the date then means.
const MARKS: [(char, Meaning); 8] = [
    ('✅', Meaning::Done),
    ('❌', Meaning::Done),
    ('➕', Meaning::Made),
    ('📅', Meaning::Planned),
    ('📆', Meaning::Planned),
    ('🗓', Meaning::Planned),
    ('⏳', Meaning::Planned),
    ('🛫', Meaning::Planned),
];

/// The same as inline fields.
const KEYS: [(&str, Meaning); 7] = [
    ("completion", Meaning::Done),
    ("completed", Meaning::Done),
    ("cancelled", Meaning::Done),
    ("created", Meaning::Made),
    ("due", Meaning::Planned),
    ("scheduled", Meaning::Planned),
    ("start", Meaning::Planned),
];

/// Signs that may stand behind the text of a task without a date.
const PRIORITIES: [char; 6] = ['🔺', '⏫', '🔼', '🔽', '⏬', '🔁'];

/// So many words may stand before a date in brackets: `(done on 2026-06-24)`, but not `(41 rooms as of 2026-06-24)`.
const MAX_WORDS: usize = 2;

/// What a date at the end of an item means; the best of them dates it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    Planned,
    Plain,
    Made,
    Done,
}

/// The first date in a heading, or the end of a range of dates.
pub fn in_heading(heading: &str) -> Option<NaiveDate> {
    find(heading).first().map(|dated| dated.day)
}

/// The date that the first paragraph of an item gives it. `text` may start with list marker and checkbox.
pub fn of_item(text: &str) -> Option<NaiveDate> {
    let words = without_markers(text);
    let first_line = words.lines().next().unwrap_or_default();
    at_start(words)
        .or_else(|| in_bold_lead(words))
        .or_else(|| at_end(words))
        .or_else(|| at_end(first_line).filter(|_| ends_marked(first_line)))
}

fn without_markers(text: &str) -> &str {
    let text = line::without_marker(text.trim_start());
    line::checkbox(text).map_or(text, |(_, n_bytes)| &text[n_bytes..])
}

/// `2026-06-24 …`, `**2026-06-24:** …`, `[2026-06-24] …`, `✨ #log [[2026-06-24]] …`.
fn at_start(words: &str) -> Option<NaiveDate> {
    let line = words.lines().next()?;
    let n_lead = lead_length(line);
    let n_lead = n_lead + weekday_length(&line[n_lead..]);
    let dated = find(head(line, n_lead)).into_iter().next().filter(|dated| dated.span.start == n_lead)?;
    let (lead, rest) = (&line[..n_lead], &line[dated.span.end..]);
    // `[[2026-06-24 Meeting]]` names a note, `[[2026-06-24]]` a day.
    let is_name = lead.ends_with("[[") && !rest.starts_with(['|', '#', ']']);
    let is_planned = MARKS.iter().any(|(mark, meaning)| *meaning == Meaning::Planned && lead.contains(*mark));
    (!is_name && !is_planned).then_some(dated.day)
}

/// The bytes before the first word: signs, marks, pictures and whole tags.
fn lead_length(line: &str) -> usize {
    let mut at = 0;
    while let Some(c) = line[at..].chars().next().filter(|c| !c.is_alphanumeric()) {
        at += c.len_utf8();
        let tag = if c == '#' { line[at..].find(char::is_whitespace).unwrap_or(0) } else { 0 };
        at += tag;
    }
    at
}

/// The bytes of a day of the week before a date: `Wed 2026-06-24`, `Wednesday, 24 June 2026`.
fn weekday_length(text: &str) -> usize {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let n_word = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let word = text[..n_word].to_ascii_lowercase();
    let rest = text[n_word..].trim_start_matches(['.', ',', ' ']);
    let is_day =
        n_word >= 3 && DAYS.iter().any(|day| *day == word || word.len() == 3 && day.starts_with(&*word));
    if is_day { text.len() - rest.len() } else { 0 }
}

/// `**Login fixed (2026-06-24)**: …`: a date anywhere in the bold words that open the item.
fn in_bold_lead(words: &str) -> Option<NaiveDate> {
    let start = words.find(|c: char| c.is_alphanumeric() || matches!(c, '*' | '_'))?;
    let mark = ["**", "__"].into_iter().find(|mark| words[start..].starts_with(mark))?;
    let inner = &words[start + 2..];
    let lead = &inner[..inner.find(mark)?];
    find(lead).last().map(|dated| dated.day)
}

fn at_end(words: &str) -> Option<NaiveDate> {
    let mut rest = words;
    let mut best: Option<(Meaning, NaiveDate)> = None;
    loop {
        rest = without_tail(rest);
        let Some((meaning, day, before)) = last_date(rest) else { break };
        if best.is_none_or(|(known, _)| meaning > known) {
            best = Some((meaning, day));
        }
        rest = before;
        if meaning == Meaning::Plain {
            break;
        }
    }
    best.filter(|(meaning, _)| *meaning > Meaning::Planned).map(|(_, day)| day)
}

/// True where the line ends in brackets or behind a mark: then it ends a thought, even if text goes on.
fn ends_marked(line: &str) -> bool {
    let rest = without_tail(line);
    let is_marked = |mark: char| rest.chars().rev().take(16).any(|c| c == mark);
    rest.ends_with([')', ']', '）', '】']) || MARKS.iter().any(|(mark, _)| is_marked(*mark))
}

/// Without the tags, block id, emphasis, stops and priorities at the end.
fn without_tail(text: &str) -> &str {
    let mut rest = text;
    loop {
        let is_sign = |c: char| {
            c.is_whitespace()
                || matches!(c, '*' | '_' | '~' | '=' | '.' | '。' | ';' | ',' | '\u{fe0f}')
                || PRIORITIES.contains(&c)
        };
        let shorter = rest.trim_end_matches(is_sign);
        let last_word = shorter.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let word = shorter.get(last_word..).unwrap_or_default();
        let is_tail = (word.starts_with('#') || word.starts_with('^')) && word.len() > 1;
        let shorter = if is_tail { &shorter[..last_word] } else { shorter };
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

/// The date that ends `text`, what it means, and the text before it and its mark.
fn last_date(text: &str) -> Option<(Meaning, NaiveDate, &str)> {
    if let Some((open, inner)) = bracketed_tail(text) {
        return in_brackets(inner).map(|(meaning, day)| (meaning, day, &text[..open]));
    }
    let dated = ending(text)?;
    let before = text[..dated.span.start].trim_end_matches([' ', '\u{fe0f}', '{', '@', '`']);
    for (mark, meaning) in MARKS {
        if let Some(before) = before.strip_suffix(mark) {
            return Some((meaning, dated.day, before));
        }
    }
    Some((Meaning::Plain, dated.day, before))
}

/// The bytes inside the brackets that end `text`, and where they open.
fn bracketed_tail(text: &str) -> Option<(usize, &str)> {
    let close = text.chars().next_back()?;
    let open = match close {
        ')' => '(',
        ']' => '[',
        '）' => '（',
        '】' => '【',
        _ => return None,
    };
    let inner = &text[..text.len() - close.len_utf8()];
    let at = tail(inner).rfind(open).map(|at| at + inner.len() - tail(inner).len())?;
    Some((at, &inner[at + open.len_utf8()..]))
}

/// `(2026-06-24)`, `[done 2026-06-24]`, `(2026-06-24, Remy)`, `[completion:: 2026-06-24]`.
fn in_brackets(inner: &str) -> Option<(Meaning, NaiveDate)> {
    let inner =
        inner.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '[' | ']' | '~'));
    let found = find(inner);
    if let Some((key, value)) = inner.split_once("::") {
        let meaning = KEYS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(key.trim()))
            .map_or(Meaning::Plain, |(_, m)| *m);
        let day =
            found.first().filter(|dated| dated.span.start >= inner.len() - value.trim_start().len())?.day;
        return Some((meaning, day));
    }
    let at_start = found.first().filter(|dated| dated.span.start == lead_length(inner));
    let ends = |dated: &&Dated| {
        dated.span.end == inner.len() && inner[..dated.span.start].split_whitespace().count() <= MAX_WORDS
    };
    let dated = at_start.or_else(|| found.last().filter(ends))?;
    Some((Meaning::Plain, dated.day))
}

/// The date that ends exactly where `text` ends.
fn ending(text: &str) -> Option<Dated> {
    let text = text.trim_end_matches(['}', '`', ']']);
    let near = tail(text);
    let offset = text.len() - near.len();
    let dated = find(near).into_iter().next_back().filter(|dated| dated.span.end == near.len())?;
    Some(Dated { span: super::Span::new(dated.span.start + offset, dated.span.end + offset), day: dated.day })
}

/// The first hundred bytes or so from `at` on, with all before them: no date, and no range of them, is longer.
fn head(text: &str, at: usize) -> &str {
    let end = (text.len().min(at + 100)..=text.len()).find(|end| text.is_char_boundary(*end));
    end.map_or(text, |end| &text[..end])
}

/// The last hundred bytes or so, cut at a blank so that no number is cut in two.
fn tail(text: &str) -> &str {
    let start =
        (text.len().saturating_sub(100)..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    if start == 0 {
        return text;
    }
    text[start..].find(char::is_whitespace).map_or(&text[text.len()..], |at| &text[start + at..])
}
