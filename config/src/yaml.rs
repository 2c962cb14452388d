//! Values written as YAML on one line, so that they can be pasted into a file.

use serde_json::Value as Json;

use crate::error::steers;

/// The value in flow style; a text gets quotes unless it reads as itself without.
pub(crate) fn line(value: &Json) -> String {
    match value {
        Json::String(text) => scalar(text),
        Json::Array(items) => format!("[{}]", items.iter().map(line).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn scalar(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    if !text.contains(steers) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if steers(c) => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// Whether no reader of YAML, of any version, takes the bare text for anything but itself.
fn is_plain(text: &str) -> bool {
    const TAKEN: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "none"];
    let is_word = |c: char| c.is_alphabetic() || c.is_ascii_digit() || matches!(c, '_' | '-' | '.' | '/');
    text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| is_word(c) || c == ' ')
        && !text.ends_with(' ')
        && (text == "none" || !TAKEN.contains(&text.to_lowercase().as_str()))
}
