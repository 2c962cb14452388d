//! Fields that are lists: one text becomes a list, `#` before a tag goes, an item that stands there twice
//! goes. Without a reading in which nothing is lost the value is left alone.

use super::{
    sheet::{Seat, Sheet, Wish},
    values::LIST,
};
use crate::{
    change::Why,
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
        // `a, #b`: to YAML the last tag is a comment, and stays one.
        Value::Text(..) if is_tags && hidden_tags(sheet.behind(seat.key)).is_some() => Wish::default(),
        Value::Text(text, style) => {
            let items = if is_tags { tags(text) } else { texts(text, *style) };
            items.map_or_else(Wish::default, |items| to_list(seat, rule, items, "is one text"))
        }
        Value::None if is_tags => {
            let items = hidden_tags(sheet.behind(seat.key));
            items.map_or_else(Wish::default, |items| to_list(seat, rule, items, "is a comment to YAML"))
        }
        _ => Wish::default(),
    }
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
            wish.operations.extend(twice(sheet, seat, at, said));
        } else if said != item.text {
            let why = Why::likely(TAGS, format!("a tag in frontmatter has no `#`: {said}"));
            wish.operations
                .push((Operation::SetItem { key: seat.at, item: at, value: said.to_owned() }, why));
        }
    }
    wish
}

fn twice(sheet: &Sheet<'_>, seat: &Seat<'_>, item: usize, said: &str) -> Option<(Operation, Why)> {
    let why = Why::likely(DUPLICATE_ITEM, format!("`{said}` stands in `{}` twice", seat.field.set.name));
    sheet.kinds.is_on(DUPLICATE_ITEM).then_some((Operation::RemoveItem { key: seat.at, item }, why))
}

/// A switch that somebody set, no item.
fn is_truth(text: &str) -> bool {
    ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The tags of one text, split at commas, or at blanks where it has none; none where a part is no tag:
/// between commas, words with blanks are one tag to their writer.
pub(super) fn tags(text: &str) -> Option<Vec<String>> {
    let has_commas = text.contains(',');
    let parts = text.split(|c: char| if has_commas { c == ',' } else { c.is_whitespace() });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    let tags: Vec<String> = parts.map(|part| part.trim_start_matches('#').to_owned()).collect();
    (!tags.is_empty() && tags.iter().all(|tag| is_tag(tag))).then_some(tags)
}

/// The texts of one text, split at commas. Programs differ in whether a comma parts a text with quotes around
/// it or in it, so that there is no reading of one.
fn texts(text: &str, style: ScalarStyle) -> Option<Vec<String>> {
    let is_doubtful = text.contains(',') && (style != ScalarStyle::Plain || text.contains(['"', '\'']));
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let texts: Vec<String> = parts.map(str::to_owned).collect();
    let is_line = !text.contains(['\n', '\r']) && !text.contains("[[");
    (is_line && !is_doubtful && !texts.is_empty()).then_some(texts)
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
