//! What is wrong with a setting, where, and what to write instead.
//!
//! Messages are lower-case fragments on one line without a final dot. Whatever they quote is cleaned of
//! control characters first, so that a configuration cannot colour a terminal.

use std::fmt;

/// A setting that cannot be used; nothing may be written while there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Which text it stands in, and where.
    pub place: Place,
    /// What is wrong: `unknown key 'trim.max_line'`.
    pub message: String,
    /// What to do about it, as a fragment: `did you mean 'trim.max_lines'?`.
    pub hint: Option<String>,
    /// Further errors of the same reading, in order of layer and place; at most twenty.
    pub also: Vec<ConfigError>,
}

/// Where a setting stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file under the name the caller gave it; line and column (in characters) count from 1.
    File {
        /// The path as the caller wants it shown.
        path: String,
        /// The line.
        line: usize,
        /// The column, in characters.
        column: usize,
    },
    /// An environment variable.
    Variable(String),
    /// A `key=value` of the command line, by its key.
    Flag(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line, column } => write!(f, "{}:{line}:{column}", harmless(path)),
            Self::Variable(name) => f.write_str(&harmless(name)),
            Self::Flag(key) => write!(f, "flag {}", harmless(key)),
        }
    }
}

impl fmt::Display for ConfigError {
    /// The place and the message, without the hint.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for ConfigError {}

/// A line and a column, in characters, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub line: usize,
    pub column: usize,
}

/// An error of one text, which does not know what the text is called.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub at: Mark,
    pub message: String,
    pub hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(at: Mark, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The longest quotation in a message, in characters.
const MAX_QUOTED: usize = 60;

/// A text as a message may show it: on one line, cut, and with what steers a terminal spelt out.
pub(crate) fn clean(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        None => harmless(text),
        Some((end, _)) => harmless(&text[..end]) + "…",
    }
}

/// The whole text with what steers a terminal spelt out: for paths, which nobody can use when cut.
pub(crate) fn harmless(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        if steers(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

/// Whether the character moves the cursor, changes the colour or turns the direction of writing.
pub(crate) fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_short_and_steers_nothing() {
        assert_eq!(clean("日本 é 😀"), "日本 é 😀");
        assert_eq!(clean("\u{1b}[31m\n\u{202e}"), "\\u{1b}[31m\\u{a}\\u{202e}");
        let path = "vault\u{1b}[31m/".repeat(20) + "memkeep.yaml";
        let place = Place::File { path: path.clone(), line: 3, column: 5 };
        assert_eq!(place.to_string(), path.replace('\u{1b}', "\\u{1b}") + ":3:5");
        assert_eq!(clean(&"あ".repeat(61)), "あ".repeat(60) + "…");
    }
}
