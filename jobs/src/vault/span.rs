//! Byte spans. Every offset in memkeep is a byte offset in one note, made here or by a parser of
//! this crate; there is no other offset type.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A half-open range of bytes in one note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`; `end` is raised to `start` where it lies before it.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end: end.max(start) }
    }

    /// An empty span: a place to insert at.
    pub fn at(place: usize) -> Self {
        Span { start: place, end: place }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// True where the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True where every byte of `other` lies in this span.
    pub fn holds(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// True where the two share a byte, or an insertion point lies strictly inside the other.
    pub fn meets(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The text of this span; empty where the span does not lie on character borders of `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Span::new(range.start, range.end)
    }
}
