//! Where a note lies. A [`NotePath`] is relative to the vault, uses `/`, and cannot escape: no value
//! of this type names a place outside the vault or inside a folder that belongs to another program.

use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};
use unicode_normalization::UnicodeNormalization;

/// Folders that belong to Obsidian, git or memkeep itself: no note lies in them.
pub const CLOSED_FOLDERS: [&str; 4] = [".git", ".memkeep", ".obsidian", ".trash"];

/// The path of one note, as the file system spells it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NotePath(Arc<str>);

/// Why a text is no [`NotePath`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFault {
    /// Empty, absolute, or with an empty, `.` or `..` part.
    Escapes,
    /// Inside one of [`CLOSED_FOLDERS`], in any case.
    Closed,
    /// A NUL character: no file system takes it.
    Nul,
}

impl fmt::Display for PathFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PathFault::Escapes => "not a path inside the vault",
            PathFault::Closed => "inside a folder that is closed to memkeep",
            PathFault::Nul => "a path cannot hold a NUL character",
        })
    }
}

impl NotePath {
    /// The one constructor.
    pub fn new(text: &str) -> Result<Self, PathFault> {
        if text.contains('\0') {
            return Err(PathFault::Nul);
        }
        for part in text.split('/') {
            if matches!(part, "" | "." | "..") {
                return Err(PathFault::Escapes);
            }
            if CLOSED_FOLDERS.iter().any(|folder| part.eq_ignore_ascii_case(folder)) {
                return Err(PathFault::Closed);
            }
        }
        Ok(NotePath(text.into()))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder it lies in, without a final slash; empty at the top of the vault.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The file name.
    pub fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// The file name without its `.md`.
    pub fn stem(&self) -> &str {
        let name = self.name();
        match name.len().checked_sub(3).and_then(|at| name.split_at_checked(at)) {
            Some((stem, end)) if end.eq_ignore_ascii_case(".md") => stem,
            _ => name,
        }
    }

    /// A note named `name` in the same folder.
    pub fn beside(&self, name: &str) -> Result<Self, PathFault> {
        match self.folder() {
            "" => NotePath::new(name),
            folder => NotePath::new(&format!("{folder}/{name}")),
        }
    }

    /// The form under which two spellings of one file name collide on some file system: NFC, lower case.
    pub fn key(&self) -> String {
        match self.0.is_ascii() {
            true => self.0.to_ascii_lowercase(),
            false => self.0.nfc().flat_map(char::to_lowercase).collect(),
        }
    }
}

impl TryFrom<String> for NotePath {
    type Error = PathFault;
    fn try_from(text: String) -> Result<Self, PathFault> {
        NotePath::new(&text)
    }
}

impl From<NotePath> for String {
    fn from(path: NotePath) -> String {
        path.0.to_string()
    }
}

impl fmt::Display for NotePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for NotePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

/// `target` read from `folder`, as links do; from the top where it starts with a slash. None where it leaves the vault.
pub fn joined(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    if target.starts_with('/') {
        parts.clear();
    }
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leaves_the_vault_cannot_be_built() {
        for text in ["", "/etc/passwd", "../a.md", "a/../b.md", "./a.md", "a//b.md", "a/", "a/.."] {
            assert_eq!(NotePath::new(text), Err(PathFault::Escapes), "{text:?}");
        }
    }

    #[test]
    fn folders_of_other_programs_are_closed_in_any_case() {
        for text in [".git/hooks/a.md", "x/.Obsidian/a.md", ".memkeep/a.md", ".TRASH/a.md"] {
            assert_eq!(NotePath::new(text), Err(PathFault::Closed), "{text:?}");
        }
        assert_eq!(NotePath::new("a\0.md"), Err(PathFault::Nul));
    }

    #[test]
    fn spellings_that_collide_share_a_key() {
        let composed = NotePath::new("Ämter/É.md").map(|path| path.key());
        let decomposed = NotePath::new("a\u{308}mter/e\u{301}.MD").map(|path| path.key());
        assert_eq!(composed, decomposed);
    }

    #[test]
    fn the_stem_loses_only_the_ending_of_a_note() {
        let stem = |text| NotePath::new(text).map(|path| path.stem().to_owned());
        assert_eq!(stem("a/b.c.md"), Ok("b.c".to_owned()));
        assert_eq!(stem("日本.md"), Ok("日本".to_owned()));
        assert_eq!(stem("x"), Ok("x".to_owned()));
    }
}
