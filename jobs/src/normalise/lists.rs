//! Fields that are lists: one text becomes a list, `#` before a tag goes, an item that stands there twice
//! goes. Without a reading in which nothing is lost the value is left alone.

use super::{
    sheet::{Seat, Sheet, Wish},
    values::LIST,
};
use crate::{
    change::Why,
    finding::Severity,
    vault::{
        Span,
        frontmatter::{Item, Operation, ScalarStyle, Value},
        line,
    },
};
use config::Kind;
use std::collections::HashSet;

pub(super) const TAGS: &str = "normalise/tags";
pub(super) const DUPLICATE_ITEM: &str = "normalise/duplicate-item";

/// What the rules want of the value of a list field.
pub(super) fn wish(sheet: &Sheet<'_>, seat: &Seat<'_>) -> Wish {
    let is_tags = seat.field.set.kind == Kind::Tags;
    let rule = if is_tags { TAGS } else { LIST };
    match &seat.key.value {
        Value::List(items, _) => of_list(sheet, seat, items),
        _ if !sheet.kinds.is_on(rule) => Wish::default(),
        Value::Text(text, ScalarStyle::Plain) if seat.key.value.is_nothing() || is_truth(text) => {
            Wish::default()
        }
        Value::Text(..) | Value::None if is_tags && goes_on_below(sheet, seat) => {
            let message = format!("`{}` goes on in a line that is a comment to YAML", seat.field.set.name);
            Wish::tell(
                sheet.finding(seat.key, Severity::Note, TAGS, message).hint("Write a list: [one, two]."),
            )
        }
        // `a, #b`: to YAML the last tag is a comment, and stays one.
        Value::Text(..) if is_tags && hidden_tags(sheet.behind(seat.key)).is_some() => Wish::default(),
        Value::Text(text, style) => match if is_tags { tags(text) } else { texts(text, *style) } {
            Reading::Items(items) => to_list(seat, rule, items, "is one text"),
            Reading::Doubtful(items) => doubtful(sheet, seat, rule, (text, items)),
            Reading::Unknown => Wish::default(),
        },
        Value::None if is_tags => {
            let items = hidden_tags(sheet.behind(seat.key));
            items.map_or_else(Wish::default, |items| to_list(seat, rule, items, "is a comment to YAML"))
        }
        _ => Wish::default(),
    }
}

/// One text or several, and nobody knows: told with both readings.
fn doubtful(sheet: &Sheet<'_>, seat: &Seat<'_>, rule: &str, (text, items): (&str, Vec<String>)) -> Wish {
    let (name, n_items) = (&seat.field.set.name, items.len());
    let message = format!("`{name}: {text}` can be one item, or {n_items}: {}", items.join(" | "));
    let finding = sheet.finding(seat.key, Severity::Note, rule, message);
    Wish::tell(finding.hint("Write the list that is meant: programs differ in how they read it."))
}

fn to_list(seat: &Seat<'_>, rule: &str, mut items: Vec<String>, so: &str) -> Wish {
    // Else the next run would find work in what this one wrote.
    let mut seen = HashSet::new();
    items.retain(|item| seen.insert(item.clone()));
    let sentence = format!("`{}` {so}, and should be a list: {}", seat.field.set.name, items.join(", "));
    Wish::of(Operation::ToList { key: seat.at, items }, Why::likely(rule, sentence))
}

fn of_list(sheet: &Sheet<'_>, seat: &Seat<'_>, items: &[Item]) -> Wish {
    let is_tags = seat.field.set.kind == Kind::Tags && sheet.kinds.is_on(TAGS);
    if is_tags && let Some(tags) = commented_tags(sheet, items) {
        return to_list(seat, TAGS, tags, "has items that are comments to YAML");
    }
    let (mut wish, mut seen) = (Wish::default(), HashSet::new());
    for (at, item) in items.iter().enumerate() {
        let bare = Some(item.text.trim_start_matches('#')).filter(|bare| is_tags && is_tag(bare));
        let said = bare.unwrap_or(&item.text);
        if said.is_empty() {
            continue;
        }
        if !seen.insert(said) {
            wish.operations.extend(twice(sheet, seat, at, (item.span.of(sheet.text()), said)));
        } else if said != item.text {
            let why = Why::likely(TAGS, format!("a tag in frontmatter has no `#`: {said}"));
            wish.operations
                .push((Operation::SetItem { key: seat.at, item: at, value: said.to_owned() }, why));
        }
    }
    wish
}

fn twice(
    sheet: &Sheet<'_>,
    seat: &Seat<'_>,
    item: usize,
    (written, said): (&str, &str),
) -> Option<(Operation, Why)> {
    let name = &seat.field.set.name;
    let sentence = match written == said {
        true => format!("`{said}` stands in `{name}` twice"),
        false => format!("`{written}` stands in `{name}` already, as `{said}`"),
    };
    let why = Why::likely(DUPLICATE_ITEM, sentence);
    sheet.kinds.is_on(DUPLICATE_ITEM).then_some((Operation::RemoveItem { key: seat.at, item }, why))
}

/// A switch that somebody set, no item.
fn is_truth(text: &str) -> bool {
    ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// What one text is as a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// These items.
    Items(Vec<String>),
    /// One item, or these.
    Doubtful(Vec<String>),
    /// Nothing that is sure to lose nothing.
    Unknown,
}

/// The tags of one text, split at commas, or at blanks where each begins with `#`; none where a part is no
/// tag: between commas, words with blanks are one tag to their writer, and so they may be without commas.
pub(super) fn tags(text: &str) -> Reading {
    let has_commas = text.contains(',');
    let parts = text.split(|c: char| if has_commas { c == ',' } else { c.is_whitespace() });
    let parts: Vec<&str> = parts.map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_sure = has_commas || parts.len() == 1 || parts.iter().all(|part| part.starts_with('#'));
    let tags: Vec<String> = parts.iter().map(|part| part.trim_start_matches('#').to_owned()).collect();
    match !tags.is_empty() && tags.iter().all(|tag| is_tag(tag)) {
        true if is_sure => Reading::Items(tags),
        true => Reading::Doubtful(tags),
        false => Reading::Unknown,
    }
}

/// From so many parts on, words with commas between them are a list of words.
const WORDS: usize = 3;

/// The texts of one text, split at commas as names are. Programs differ in whether a comma parts a text with
/// quotes around it or in it, so that there is no reading of one; and a name such as `Paris, France` has one too.
pub(super) fn texts(text: &str, style: ScalarStyle) -> Reading {
    let has_quotes = style != ScalarStyle::Plain || text.contains(['"', '\'']);
    let parts = line::at_commas(text).map(str::trim).filter(|part| !part.is_empty());
    let texts: Vec<String> = parts.map(str::to_owned).collect();
    let is_line = !text.contains(['\n', '\r']) && !text.contains("[[");
    let is_word = |text: &String| !text.contains(char::is_whitespace);
    match texts.len() {
        _ if !is_line || has_quotes && text.contains(',') => Reading::Unknown,
        0 => Reading::Unknown,
        1 => Reading::Items(texts),
        n if n >= WORDS && texts.iter().all(is_word) => Reading::Items(texts),
        _ => Reading::Doubtful(texts),
    }
}

/// True where the next line is an indented comment that starts as a tag does: of a list that goes on there
/// only a half would be read.
fn goes_on_below(sheet: &Sheet<'_>, seat: &Seat<'_>) -> bool {
    let rest = Span::new(seat.key.lines.end, sheet.block.inner.end).of(sheet.text());
    let next = &rest[..line::end(rest, 0)];
    let comment = next.trim_start_matches([' ', '\t']);
    let is_tag = comment
        .strip_prefix('#')
        .is_some_and(|tag| tag.starts_with(|c: char| !c.is_whitespace() && c != '#'));
    comment.len() < next.len() && is_tag
}

/// The tags of a comment such as `#a #b`: nothing else may stand in it.
fn hidden_tags(comment: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let tag = |word: &&str| {
        word.trim_end_matches(',').strip_prefix('#').filter(|tag| is_tag(tag)).map(str::to_owned)
    };
    words.iter().map(tag).collect::<Option<Vec<_>>>().filter(|tags| !tags.is_empty())
}

/// The tags of a list in which each item is a comment such as `- #a`.
fn commented_tags(sheet: &Sheet<'_>, items: &[Item]) -> Option<Vec<String>> {
    let text = sheet.text();
    let tag = |item: &Item| {
        let line = Span::new(line::start(text, item.span.start), line::end(text, item.span.start)).of(text);
        let (before, comment) = line.split_at(line.find('#')?);
        let is_item = item.text.is_empty() && before.trim() == "-";
        hidden_tags(comment)
            .filter(|tags| is_item && tags.len() == 1)
            .and_then(|tags| tags.into_iter().next())
    };
    items.iter().map(tag).collect::<Option<Vec<_>>>().filter(|tags| !tags.is_empty())
}

/// What Obsidian takes as a tag: letters, digits, `_`, `-` and `/`, and not digits alone.
fn is_tag(text: &str) -> bool {
    let is_part =
        |c: char| !c.is_whitespace() && (!c.is_ascii() || c.is_ascii_alphanumeric() || "_-/".contains(c));
    !text.is_empty() && text.chars().all(is_part) && !text.chars().all(|c| c.is_ascii_digit())
}
