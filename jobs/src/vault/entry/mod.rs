//! The entries of a note: what may leave it whole. An entry is a dated section, an item of a
//! top-level list, or what stands between two id comments, with everything that belongs to it. Prose, tables, code
//! and quotes outside of entries are none, and nothing here decides what leaves.
//!
//! 1. A heading with a date makes its section one entry, unless it is only a container: it is the
//!    note's title, or holds a dated section or marked entries, or at least half of its items (and two or more) have
//!    dates of their own.
//! 2. Elsewhere each item of a top-level list is an entry. Its date is its own, else that of the nearest
//!    dated container around it (never the title's: that is the date of the note).
//! 3. Where comments such as `<!-- id: x -->` mark entries, they alone say where entries start: see
//!    [`marked`].
//! 4. What stands before the first heading is no entry, unless the note has no heading at all.

mod fold;
mod key;
mod marked;
mod section;
#[cfg(test)]
mod tests;

use super::date::{self, NaiveDate};
use super::markdown::{Block, BlockKind, Markdown};
use super::{Span, line};
pub use fold::folded;
pub use key::key;
pub use marked::has_marks;
pub use section::{Section, title};

/// A note as sections and entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The sections in order, each before those inside it. The first is the whole body and has no heading.
    pub sections: Vec<Section>,
    /// The entries in order; none meets another.
    pub entries: Vec<Entry>,
}

/// What may leave a note whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its whole lines, without the blank lines after them.
    pub span: Span,
    /// What makes it an entry.
    pub kind: EntryKind,
    /// Its own date, or that of the dated heading it stands under.
    pub date: Option<NaiveDate>,
    /// The lines it stands under, outermost first, without the note's title; a lead line comes last.
    pub path: Vec<Crumb>,
    /// The words of its heading or of its bold lead; of a marked entry, those of what it starts with.
    pub name: Option<Span>,
    /// The section it stands in, as an index into the outline's.
    pub section: usize,
}

/// The kinds of entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A dated section.
    Section,
    /// An item of a top-level list.
    Item,
    /// What an id comment starts.
    Marked,
    /// The same, where nothing tells whether it goes on: it must not be cut.
    Open,
}

/// A line that entries stand under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crumb {
    /// The whole lines of the heading or lead line.
    pub span: Span,
    /// Which of the two.
    pub kind: CrumbKind,
}

/// The lines that entries stand under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrumbKind {
    /// A heading, as an index into the outline's sections.
    Heading(usize),
    /// A lead line: a bold line or one with a colon at its end, right before the list.
    Lead,
}

/// In which direction the dated entries of a note run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The newest stands first.
    NewestFirst,
    /// The newest stands last.
    NewestLast,
    /// No two neighbours have different dates, or as many run one way as the other.
    Unknown,
}

impl Outline {
    /// The outline of the note that `markdown` was read from.
    pub fn of(markdown: &Markdown, text: &str) -> Outline {
        Outline::read(markdown, text, 2)
    }

    /// The same, for a note from which marked entries left already: a single id comment is a mark.
    pub fn of_rest(markdown: &Markdown, text: &str) -> Outline {
        Outline::read(markdown, text, 1)
    }

    fn read(markdown: &Markdown, text: &str, least_marks: usize) -> Outline {
        let blocks = &markdown.blocks;
        let marked = marked::find(text, blocks, least_marks);
        let sections = section::tree(text, blocks, &marked);
        let mut finder = Finder { text, blocks, sections: &sections, entries: Vec::new() };
        finder.add_marked(&marked);
        finder.add_sections_and_items(&marked);
        let mut entries = finder.entries;
        entries.sort_by_key(|entry| entry.span);
        Outline { sections, entries }
    }

    /// The date of the nearest dated heading around a section, that of the section included.
    fn date_around(sections: &[Section], section: usize) -> Option<NaiveDate> {
        let mut at = Some(section);
        while let Some(section) = at.and_then(|at| sections.get(at)) {
            if let Some(day) = section.date.filter(|_| !section.is_title) {
                return Some(day);
            }
            at = section.parent;
        }
        None
    }
}

struct Finder<'a> {
    text: &'a str,
    blocks: &'a [Block],
    sections: &'a [Section],
    entries: Vec<Entry>,
}

impl Finder<'_> {
    fn add_marked(&mut self, marked: &[marked::Range]) {
        for range in marked {
            let Some(blocks) = self.blocks.get(range.start..range.end) else { continue };
            let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { continue };
            let section = section::holding(self.sections, first.span.start);
            let content = blocks.iter().find(|block| block.kind != BlockKind::HtmlComment);
            let day =
                marked::date_of(self.text, blocks).or_else(|| Outline::date_around(self.sections, section));
            self.entries.push(Entry {
                span: Span::new(first.span.start, last.span.end),
                kind: if range.is_open { EntryKind::Open } else { EntryKind::Marked },
                date: day,
                path: self.headings_above(section),
                name: content.and_then(|block| name_of(self.text, block)),
                section,
            });
        }
    }

    fn add_sections_and_items(&mut self, marked: &[marked::Range]) {
        let has_headings = self.sections.len() > 1;
        let mut done = 0;
        for (at, section) in self.sections.iter().enumerate() {
            if section.span.start < done {
                continue;
            }
            if section.is_entry {
                done = section.span.end;
                self.add_section(at);
            } else if at > 0 || !has_headings {
                self.add_items(at, marked);
            }
        }
    }

    fn add_section(&mut self, at: usize) {
        let Some(section) = self.sections.get(at) else { return };
        let parent = section.parent.unwrap_or(0);
        self.entries.push(Entry {
            span: section.span,
            kind: EntryKind::Section,
            date: section.date,
            path: self.headings_above(parent),
            name: section.words,
            section: parent,
        });
    }

    fn add_items(&mut self, at: usize, marked: &[marked::Range]) {
        let Some(section) = self.sections.get(at) else { return };
        let around = Outline::date_around(self.sections, at);
        for index in section.own.clone() {
            let Some(list) = self.blocks.get(index).filter(|block| is_list(block)) else { continue };
            let next = marked.partition_point(|range| range.end <= index);
            if marked.get(next).is_some_and(|range| range.start <= index) {
                continue;
            }
            let mut path = self.headings_above(at);
            let before = index.checked_sub(1).filter(|before| section.own.contains(before));
            if let Some(lead) =
                before.and_then(|before| self.blocks.get(before)).filter(|block| is_lead(self.text, block))
            {
                path.push(Crumb { span: lead.span, kind: CrumbKind::Lead });
            }
            for item in &list.children {
                self.entries.push(Entry {
                    span: item.span,
                    kind: EntryKind::Item,
                    date: date_of_item(self.text, item).or(around),
                    path: path.clone(),
                    name: name_of(self.text, item),
                    section: at,
                });
            }
        }
    }

    /// The headings that a section stands under, its own included, without the title.
    fn headings_above(&self, section: usize) -> Vec<Crumb> {
        let mut path = Vec::new();
        let mut at = Some(section);
        while let Some((index, section)) = at.and_then(|at| Some((at, self.sections.get(at)?))) {
            if let Some(span) = section.heading.filter(|_| !section.is_title) {
                path.push(Crumb { span, kind: CrumbKind::Heading(index) });
            }
            at = section.parent;
        }
        path.reverse();
        path
    }
}

fn is_list(block: &Block) -> bool {
    matches!(block.kind, BlockKind::List { .. })
}

/// The date an item gives itself in its first paragraph, or in the heading it starts with.
pub(crate) fn date_of_item(text: &str, item: &Block) -> Option<NaiveDate> {
    match item.children.first() {
        Some(first) if matches!(first.kind, BlockKind::Heading(_)) => date::in_heading(first.text.of(text)),
        _ => date::of_item(item.text.of(text)),
    }
}

/// The words of a heading, or the bold words that open a paragraph, an item, or the first item of a list.
fn name_of(text: &str, block: &Block) -> Option<Span> {
    let block = if is_list(block) { block.children.first()? } else { block };
    if matches!(block.kind, BlockKind::Heading(_)) {
        return Some(block.text);
    }
    let words = block.text.of(text);
    let mark = words.get(..2).filter(|mark| matches!(*mark, "**" | "__"))?;
    let length = words[2..].find(mark).filter(|length| *length > 0)?;
    Some(Span::new(block.text.start + 2, block.text.start + 2 + length))
}

/// True for a paragraph that can lead a list: one line, all bold or with a colon at its end.
pub fn is_lead(text: &str, block: &Block) -> bool {
    if block.kind != BlockKind::Paragraph || line::end(text, block.span.start) < block.span.end {
        return false;
    }
    let words = block.text.of(text).trim_end();
    let bare = words.trim_end_matches(['*', '_']);
    if bare.ends_with([':', '：']) {
        return true;
    }
    let is_bold = |mark: &str| {
        let inner = words.strip_prefix(mark).and_then(|words| words.strip_suffix(mark));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(mark))
    };
    is_bold("**") || is_bold("__")
}

/// In which direction the dated of these entries run, judged from neighbours.
pub fn direction<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Direction {
    let (mut up, mut down) = (0_usize, 0_usize);
    let mut before: Option<NaiveDate> = None;
    for day in entries.into_iter().filter_map(|entry| entry.date) {
        up += usize::from(before.is_some_and(|before| before < day));
        down += usize::from(before.is_some_and(|before| before > day));
        before = Some(day);
    }
    match up.cmp(&down) {
        std::cmp::Ordering::Greater => Direction::NewestLast,
        std::cmp::Ordering::Less => Direction::NewestFirst,
        std::cmp::Ordering::Equal => Direction::Unknown,
    }
}
