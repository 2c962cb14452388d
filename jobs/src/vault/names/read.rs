//! What a frontmatter block says about names, whatever shape it is in.

use super::Source;
use crate::vault::{
    Span,
    frontmatter::{Frontmatter, Key, ScalarStyle, Value},
    line,
};

/// The names that the frontmatter of `text` gives, in the order of the block, as written.
pub(super) fn written(text: &str, frontmatter: Option<&Frontmatter>) -> Vec<(String, Source)> {
    match frontmatter {
        Some(found) if found.problem.is_none() => found.keys.iter().flat_map(names_in).collect(),
        Some(found) => salvaged(text, found.inner),
        None => Vec::new(),
    }
}

/// The names in a block that cannot be read as a whole: each key with its lines is read alone.
fn salvaged(text: &str, inner: Span) -> Vec<(String, Source)> {
    let mut pieces: Vec<String> = Vec::new();
    let mut is_ours = false;
    for line in line::each(text, inner).map(|line| line.of(text)) {
        if !line.starts_with([' ', '\t', '-', '#', '\n', '\r']) {
            is_ours = line.split_once(':').is_some_and(|(key, _)| source_of(key.trim_end()).is_some());
            pieces.extend(is_ours.then(String::new));
        }
        if let Some(piece) = pieces.last_mut().filter(|_| is_ours) {
            piece.push_str(line);
        }
    }
    let read = |piece: &String| Frontmatter::find(&format!("---\n{piece}\n---\n"));
    pieces.iter().filter_map(read).flat_map(|found| found.keys).flat_map(|key| names_in(&key)).collect()
}

fn source_of(key: &str) -> Option<Source> {
    let known = [
        ("name", Source::Name),
        ("title", Source::Title),
        ("alias", Source::Alias),
        ("aliases", Source::Alias),
    ];
    known.into_iter().find(|(name, _)| key.eq_ignore_ascii_case(name)).map(|(_, source)| source)
}

fn names_in(key: &Key) -> Vec<(String, Source)> {
    let Some(source) = source_of(&key.name) else { return Vec::new() };
    let texts: Vec<String> = match &key.value {
        Value::Text(text, style) => parts(text, *style, source),
        Value::List(items, _) => {
            let items = items.iter().filter(|item| !is_null(&item.text, item.style));
            items.map(|item| item.text.clone()).collect()
        }
        Value::None | Value::Map(_) | Value::Other => Vec::new(),
    };
    texts.into_iter().map(|text| (text, source)).collect()
}

/// The names in a scalar: aliases may be several, at commas where it has no quotes, or on lines.
fn parts(text: &str, style: ScalarStyle, source: Source) -> Vec<String> {
    match (source, style) {
        _ if is_null(text, style) => Vec::new(),
        (Source::Alias, ScalarStyle::Plain) => line::at_commas(text).map(str::to_owned).collect(),
        (Source::Alias, ScalarStyle::Literal) => text.split('\n').map(str::to_owned).collect(),
        _ => vec![text.to_owned()],
    }
}

fn is_null(text: &str, style: ScalarStyle) -> bool {
    style == ScalarStyle::Plain && matches!(text, "" | "~" | "null" | "Null" | "NULL")
}
