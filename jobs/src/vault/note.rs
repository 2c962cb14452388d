//! One note: its exact bytes, and whether memkeep may write into it. Nothing here parses, opens or
//! normalises; a note that cannot be edited says why and stays in the vault as a name.

use super::{Hash, NotePath};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// One Markdown file of the vault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where it lies.
    pub path: NotePath,
    /// Its bytes as text, with BOM, line ends and all; empty where they were not read or are no text.
    pub text: Arc<str>,
    /// The hash of its bytes on disk; none where they were not read.
    pub hash: Option<Hash>,
    /// Whether memkeep may write into it.
    pub access: Access,
}

/// Whether memkeep may write into a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Yes.
    Open,
    /// Not in this run: someone wrote it within the settle window.
    Waiting,
    /// No, for a reason that a person can do something about.
    ReadOnly(Reason),
}

/// Why a note is read-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Its bytes are not UTF-8, or are UTF-16 that passes for it.
    NotUtf8,
    /// It is over `limits.note_bytes`.
    TooLarge,
    /// It holds git's conflict markers.
    MergeMarkers,
    /// It is named as a sync tool names a conflict copy.
    ConflictCopy,
    /// It is a symlink that leaves the vault, loops or dangles.
    LinkOut,
    /// It has more than one hard link, which replacing would part.
    HardLinks,
    /// Nobody may write it.
    WriteProtected,
    /// It could not be read.
    Unreadable,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::NotUtf8 => "not UTF-8",
            Reason::TooLarge => "over the size limit",
            Reason::MergeMarkers => "holds merge-conflict markers",
            Reason::ConflictCopy => "a sync-conflict copy",
            Reason::LinkOut => "a link that leaves the vault, loops or leads nowhere",
            Reason::HardLinks => "more than one hard link",
            Reason::WriteProtected => "write-protected",
            Reason::Unreadable => "cannot be read",
        })
    }
}

impl Note {
    /// A note that was read: text where the bytes are UTF-8, read-only with its reason otherwise.
    pub fn from_bytes(path: NotePath, bytes: Vec<u8>) -> Self {
        let hash = Some(Hash::of(&bytes));
        match String::from_utf8(bytes) {
            Ok(text) if !is_wide(&text) => {
                let access = match has_merge_markers(&text) {
                    true => Access::ReadOnly(Reason::MergeMarkers),
                    false => Access::Open,
                };
                Note { path, text: text.into(), hash, access }
            }
            _ => Note { path, text: "".into(), hash, access: Access::ReadOnly(Reason::NotUtf8) },
        }
    }

    /// A note that was not read.
    pub fn unread(path: NotePath, reason: Reason) -> Self {
        Note { path, text: "".into(), hash: None, access: Access::ReadOnly(reason) }
    }

    /// A note of this text, open: what a fold makes.
    pub fn of_text(path: NotePath, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let hash = Some(Hash::of(text.as_bytes()));
        Note { path, text, hash, access: Access::Open }
    }

    /// The line, from 1, in which byte `offset` lies. A lone CR ends no line, as in editors and git.
    pub fn line_of(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        1 + bytes.iter().take(offset).filter(|byte| **byte == b'\n').count()
    }

    /// The line end that a new line in this note takes: that of its first line, `\n` where it has none.
    pub fn line_end(&self) -> &'static str {
        match self.text.find('\n') {
            Some(at) if self.text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\r') => "\r\n",
            _ => "\n",
        }
    }
}

/// True where a quarter of the bytes and more are NUL: UTF-16 without a mark, which may pass for UTF-8.
fn is_wide(text: &str) -> bool {
    let nuls = text.bytes().filter(|byte| *byte == 0).count();
    nuls > 0 && nuls * 4 >= text.len()
}

/// True where git left an unresolved conflict: the three markers at line starts, in their order. All three
/// inside one block of code are an example of it; where the block ends before the last one, or never, a
/// conflict goes over its fence. Only of fences about which there is no doubt: in quotes, items, HTML and
/// deeper in a line a parser is needed to tell where one ends, and there every marker counts.
fn has_merge_markers(text: &str) -> bool {
    if !text.contains("<<<<<<< ") {
        return false;
    }
    let is_plain = !text.lines().any(is_doubtful);
    let (mut fence, mut n_outside, mut n_inside) = (None, 0, 0);
    for line in text.lines() {
        n_outside += usize::from(is_marker(line, n_outside) && (fence.is_none() || n_outside > 0));
        n_inside += usize::from(fence.is_some() && is_marker(line, n_inside));
        if let Some(open) = fence {
            if !closes(line, open) {
                continue;
            }
            // What began in the block and did not end there counts as if it had begun outside.
            n_outside = if n_inside < MARKERS.len() { n_outside.max(n_inside) } else { n_outside };
            (fence, n_inside) = (None, 0);
        } else if is_plain {
            fence = opened(line);
        }
    }
    n_outside.max(if fence.is_some() { n_inside } else { 0 }) >= MARKERS.len()
}

const MARKERS: [&str; 3] = ["<<<<<<< ", "=======", ">>>>>>> "];

/// The line is the marker that follows so many.
fn is_marker(line: &str, n_before: usize) -> bool {
    MARKERS.get(n_before).is_some_and(|marker| line.starts_with(marker))
}

/// The sign of a fence that opens a block of code, and how many there are (CommonMark 0.31, 4.5).
fn opened(line: &str) -> Option<(char, usize)> {
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let info = line.trim_start_matches(sign);
    let n_signs = line.len() - info.len();
    (n_signs >= 3 && !(sign == '`' && info.contains('`'))).then_some((sign, n_signs))
}

fn closes(line: &str, (sign, n_signs): (char, usize)) -> bool {
    let rest = line.trim_start_matches(sign);
    line.len() - rest.len() >= n_signs && rest.trim().is_empty()
}

/// A fence that does not start its line, or HTML in which one would be none.
fn is_doubtful(line: &str) -> bool {
    let is_before = |c: char| c.is_whitespace() || c.is_ascii_digit() || ">-*+.)".contains(c);
    let text = line.trim_start_matches(is_before);
    let is_fence = text.starts_with("```") || text.starts_with("~~~");
    let html = ["<!--", "<pre", "<script", "<style", "<textarea", "%%", "$$"];
    is_fence && text.len() < line.len() || html.iter().any(|mark| text.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(bytes: &[u8]) -> Option<Note> {
        Some(Note::from_bytes(NotePath::new("a.md").ok()?, bytes.to_vec()))
    }

    #[test]
    fn bytes_that_are_no_text_make_a_note_read_only_but_keep_its_hash() {
        let utf16 = note(b"\xff\xfea\0");
        assert_eq!(utf16.as_ref().map(|note| note.access), Some(Access::ReadOnly(Reason::NotUtf8)));
        assert_eq!(utf16.and_then(|note| note.hash), Some(Hash::of(b"\xff\xfea\0")));
    }

    #[test]
    fn only_the_three_markers_in_order_make_a_conflict() {
        let access = |text: &str| note(text.as_bytes()).map(|note| note.access);
        let conflict = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> theirs\n";
        for code in [
            format!("```\n{conflict}```\n"),
            format!("~~~ diff\n{conflict}\n```\n~~~~\nText.\n=======\n"),
            format!("```\n{conflict}```\n```\n{conflict}```\n"),
            conflict.replace('\n', "\n    "),
        ] {
            assert_eq!(access(&code), Some(Access::Open), "{code}");
        }
        for around in [
            format!("```\n{conflict}"),
            format!("```\n{conflict}```\n{conflict}"),
            format!("`````\ncode\n`````\n{conflict}"),
            "```\na\n<<<<<<< HEAD\nb\n```\nc\n=======\nd\n```\n>>>>>>> x\n".to_owned(),
            "```\na\n<<<<<<< HEAD\nb\n=======\nd\n```\ntext\n>>>>>>> x\n".to_owned(),
            "<<<<<<< HEAD\n```a\n=======\n```b\n>>>>>>> x\ncode\n```\n".to_owned(),
            "<<<<<<< HEAD\ntext\n=======\n```\ncode\n>>>>>>> x\nmore\n```\n".to_owned(),
            format!("``` a`b\n{conflict}```\n"),
            format!("- item\n  ```\n  code\n\n{conflict}```\ncode\n```\n"),
            format!("> ```\n\n{conflict}```\ncode\n```\n"),
            format!("<!--\n```\n-->\n{conflict}```\ncode\n```\n"),
        ] {
            assert_eq!(access(&around), Some(Access::ReadOnly(Reason::MergeMarkers)), "{around}");
        }
        assert_eq!(access(conflict), Some(Access::ReadOnly(Reason::MergeMarkers)));
        assert_eq!(access("Title\n=======\ntext <<<<<<< HEAD\n"), Some(Access::Open));
        assert_eq!(access("<<<<<<< HEAD\nno more\n"), Some(Access::Open));
    }

    #[test]
    fn a_new_line_ends_as_the_first_line_does() {
        let end = |text: &str| note(text.as_bytes()).map(|note| note.line_end());
        assert_eq!(end("a\r\nb\n"), Some("\r\n"));
        assert_eq!(end("a\nb\r\n"), Some("\n"));
        assert_eq!(end("\n"), Some("\n"));
        assert_eq!(end("a"), Some("\n"));
    }

    #[test]
    fn lines_count_from_one() {
        let line = |at| note(b"a\r\nb\nc").map(|note| note.line_of(at));
        assert_eq!([line(0), line(1), line(3), line(5), line(99)], [1, 1, 2, 3, 3].map(Some));
    }
}
