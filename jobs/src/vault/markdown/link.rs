//! Links as written: where they lead, split from what they show. Nothing here resolves a link to a note.

use super::Span;

/// A link as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// All of it, from the first bracket (or `!`) to the last.
    pub span: Span,
    /// The words a reader sees; empty where there are none.
    pub shown: Span,
    /// Where it leads without the fragment: percent escapes decoded in Markdown links, else verbatim.
    pub target: String,
    /// What follows the first `#`: a heading, or a block id with its caret.
    pub fragment: Option<String>,
    /// Its style.
    pub kind: LinkKind,
}

/// The styles of link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// `[[target]]`.
    Wiki,
    /// `![[target]]`.
    Embed,
    /// `[shown](target)`, or by reference.
    Inline,
    /// `![shown](target)`.
    Image,
    /// `<https://…>`.
    Auto,
}

impl LinkKind {
    /// True for Obsidian's own styles, whose target is a note's name or path.
    pub fn is_wiki(self) -> bool {
        matches!(self, LinkKind::Wiki | LinkKind::Embed)
    }
}

/// A raw destination split at its first `#`.
pub(super) fn split_target(raw: &str, kind: LinkKind) -> (String, Option<String>) {
    let raw = if kind.is_wiki() { raw.strip_suffix('\\').unwrap_or(raw) } else { raw };
    let (path, fragment) = match raw.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (raw, None),
    };
    let decode = |part: &str| if kind.is_wiki() { part.to_owned() } else { percent_decoded(part) };
    (decode(path), fragment.map(decode))
}

/// Percent escapes decoded; as it was where the bytes they stand for are not UTF-8.
fn percent_decoded(raw: &str) -> String {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let is_escape = |hex: &&[u8]| *first == b'%' && hex.iter().all(u8::is_ascii_hexdigit);
        let escape = tail.get(..2).filter(is_escape).and_then(|hex| std::str::from_utf8(hex).ok());
        match escape.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| raw.to_owned())
}
