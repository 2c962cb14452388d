//! Lists of globs in gitignore syntax, matched in memory.
//!
//! Nothing here looks at a disk: the caller says whether a path is a file or a folder.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::pattern::{Component, Entry, Flaw, Pattern};

/// A list of globs in gitignore syntax: the last one that meets a path decides, `!` takes it out again,
/// and a folder that is met takes everything below it along, as in git.
///
/// Case counts; composed and decomposed spellings of a character do not differ.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Globs {
    texts: Vec<String>,
    patterns: Vec<Pattern>,
}

/// A pattern that cannot be read; `index` counts from 0 in the list it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobError {
    /// Where in the list the pattern stands.
    pub index: usize,
    /// What is wrong, as a fragment: `glob 'a[' has a '[' without its ']'`.
    pub message: String,
    /// What to write instead, if that is known.
    pub hint: Option<String>,
}

impl Globs {
    /// Reads a list of patterns; stops at the first that is no glob or could never meet a path.
    pub fn new<T: Into<String>>(patterns: impl IntoIterator<Item = T>) -> Result<Self, GlobError> {
        let texts: Vec<String> = patterns.into_iter().map(Into::into).collect();
        let patterns = texts.iter().enumerate().map(|(index, text)| {
            let named = |flaw: Flaw| GlobError {
                index,
                message: format!("glob '{text}' {}", flaw.message),
                hint: flaw.hint,
            };
            Pattern::parse(&composed(text)).map_err(named)
        });
        Ok(Self { patterns: patterns.collect::<Result<_, _>>()?, texts })
    }

    /// Whether the list takes the file at `path`, relative to the vault and with `/` between names.
    pub fn matches(&self, path: &str) -> bool {
        !self.patterns.is_empty() && on_components(path, |components| self.takes(components, Entry::File))
    }

    /// Whether the list takes the folder at `path`, and with it everything below.
    pub fn matches_dir(&self, path: &str) -> bool {
        !self.patterns.is_empty() && on_components(path, |components| self.takes(components, Entry::Folder))
    }

    /// Asks several lists about one file, which is looked at once: `ask` gets a function that says whether
    /// a list takes it.
    pub fn on_file<R>(path: &str, ask: impl FnOnce(&dyn Fn(&Globs) -> bool) -> R) -> R {
        on_components(path, |components| ask(&|globs| globs.takes(components, Entry::File)))
    }

    /// The patterns as they were written, in order.
    pub fn patterns(&self) -> &[String] {
        &self.texts
    }

    /// From the top down, since a folder that is taken is never entered, whatever its files are called.
    fn takes(&self, components: &[Component<'_>], kind: Entry) -> bool {
        !self.patterns.is_empty()
            && (1..=components.len()).any(|depth| {
                let kind = if depth < components.len() { Entry::Folder } else { kind };
                self.takes_itself(&components[..depth], kind)
            })
    }

    fn takes_itself(&self, path: &[Component<'_>], kind: Entry) -> bool {
        let last = self.patterns.iter().rev().find(|pattern| pattern.matches(path, kind));
        last.is_some_and(|pattern| !pattern.is_negated)
    }
}

/// The names that a path is made of.
fn on_components<R>(path: &str, ask: impl FnOnce(&[Component<'_>]) -> R) -> R {
    let path = composed(path);
    let names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    ask(&names.map(Component::new).collect::<Vec<_>>())
}

/// The text in NFC, which is how all but one file system list names.
fn composed(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        _ if text.is_ascii() => Cow::Borrowed(text),
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

impl PartialEq for Globs {
    fn eq(&self, other: &Self) -> bool {
        self.texts == other.texts
    }
}

impl Eq for Globs {}

impl fmt::Debug for Globs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.texts).finish()
    }
}

impl TryFrom<Vec<String>> for Globs {
    type Error = GlobError;

    fn try_from(patterns: Vec<String>) -> Result<Self, GlobError> {
        Self::new(patterns)
    }
}

impl From<Globs> for Vec<String> {
    fn from(globs: Globs) -> Self {
        globs.texts
    }
}

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for GlobError {}

#[cfg(test)]
mod tests;
