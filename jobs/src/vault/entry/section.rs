//! The sections of a note as a flat tree, and which of them are entries. A heading inside a marked
//! entry is text of that entry and makes no section.

use super::marked::Range;
use super::{date_of_item, is_list};
use crate::vault::Span;
use crate::vault::date::{self, NaiveDate};
use crate::vault::markdown::{Block, BlockKind};

/// A heading with all that stands under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The whole lines of the heading; none for the body as a whole.
    pub heading: Option<Span>,
    /// The words of the heading.
    pub words: Option<Span>,
    /// 1 to 6; 0 for the body as a whole.
    pub level: u8,
    /// From the heading to the last block before the next heading of the same level or above.
    pub span: Span,
    /// The section around it.
    pub parent: Option<usize>,
    /// Its blocks before the first section inside it, without the heading, as indexes into the note's.
    pub own: std::ops::Range<usize>,
    /// The date in its heading.
    pub date: Option<NaiveDate>,
    /// True for the heading that names the note.
    pub is_title: bool,
    /// True where the section as a whole is one entry.
    pub is_entry: bool,
    /// One past the last of the sections inside it.
    pub end: usize,
}

/// The index of the block that is the note's title: its first heading, where that is the only one of level 1.
pub fn title(blocks: &[Block]) -> Option<usize> {
    let first = blocks.iter().position(|block| matches!(block.kind, BlockKind::Heading(_)))?;
    let n_top = blocks.iter().filter(|block| block.kind == BlockKind::Heading(1)).count();
    (blocks.get(first)?.kind == BlockKind::Heading(1) && n_top == 1).then_some(first)
}

/// The innermost section that holds a byte.
pub(super) fn holding(sections: &[Section], at: usize) -> usize {
    sections.partition_point(|section| section.span.start <= at).saturating_sub(1)
}

/// The sections of a note, each before those inside it.
pub(super) fn tree(text: &str, blocks: &[Block], marked: &[Range]) -> Vec<Section> {
    let title = title(blocks);
    let is_inside = |at: usize| {
        let next = marked.partition_point(|range| range.end <= at);
        marked.get(next).is_some_and(|range| range.start <= at)
    };
    let start = blocks.first().map_or(0, |block| block.span.start);
    let mut grower = Grower { sections: vec![Section::new(start)], path: vec![0] };
    for (at, block) in blocks.iter().enumerate() {
        match block.kind {
            BlockKind::Heading(level) if !is_inside(at) => {
                let day = date::in_heading(block.text.of(text));
                grower.open(at, level, block, day, title == Some(at));
            }
            _ => grower.hold(at, block),
        }
    }
    let mut sections = grower.finish();
    find_entries(text, blocks, marked, &mut sections);
    sections
}

struct Grower {
    sections: Vec<Section>,
    /// The open sections, outermost first.
    path: Vec<usize>,
}

impl Grower {
    fn open(&mut self, at: usize, level: u8, block: &Block, date: Option<NaiveDate>, is_title: bool) {
        self.close(level);
        let parent = self.path.last().copied();
        let index = self.sections.len();
        self.sections.push(Section {
            heading: Some(block.span),
            words: Some(block.text),
            level,
            span: block.span,
            parent,
            own: at + 1..at + 1,
            date,
            is_title,
            is_entry: false,
            end: index + 1,
        });
        self.path.push(index);
    }

    fn hold(&mut self, at: usize, block: &Block) {
        if let Some(section) = self.path.last().and_then(|open| self.sections.get_mut(*open)) {
            section.own.end = at + 1;
            section.span.end = block.span.end;
        }
    }

    /// Ends the open sections of `level` and deeper; each lends its end to the one around it.
    fn close(&mut self, level: u8) {
        while let Some(last) =
            self.path.last().copied().filter(|last| *last > 0 && self.sections[*last].level >= level)
        {
            self.path.pop();
            let (span, end) = (self.sections[last].span, self.sections.len());
            self.sections[last].end = end;
            if let Some(parent) = self.path.last().and_then(|open| self.sections.get_mut(*open)) {
                parent.span.end = span.end;
            }
        }
    }

    fn finish(mut self) -> Vec<Section> {
        self.close(0);
        let n_sections = self.sections.len();
        self.sections[0].end = n_sections;
        self.sections
    }
}

impl Section {
    fn new(start: usize) -> Self {
        Section {
            heading: None,
            words: None,
            level: 0,
            span: Span::at(start),
            parent: None,
            own: 0..0,
            date: None,
            is_title: false,
            is_entry: false,
            end: 1,
        }
    }
}

/// Marks the dated sections that are entries: those that are more than a container.
fn find_entries(text: &str, blocks: &[Block], marked: &[Range], sections: &mut [Section]) {
    let items = tallies(blocks.iter().map(|block| items_of(text, block)));
    let dated = tallies(sections.iter().map(|section| (usize::from(section.date.is_some()), 0)));
    for at in 1..sections.len() {
        let last_block = sections.get(sections[at].end - 1).map_or(0, |last| last.own.end);
        let section = &mut sections[at];
        let next = marked.partition_point(|range| range.start < section.own.start);
        let holds_marked = marked.get(next).is_some_and(|range| range.start < last_block);
        let holds_dated = dated[section.end].0 > dated[at + 1].0;
        let (from, to) = (items[section.own.start], items[last_block.max(section.own.start)]);
        let (n_items, n_dated) = (to.0 - from.0, to.1 - from.1);
        let is_container =
            section.is_title || holds_dated || holds_marked || (n_dated >= 2 && 2 * n_dated >= n_items);
        section.is_entry = section.date.is_some() && !is_container;
    }
}

/// The items of a top-level list, and how many of them have a date of their own.
fn items_of(text: &str, block: &Block) -> (usize, usize) {
    let items = || block.children.iter().filter(|_| is_list(block));
    (items().count(), items().filter(|item| date_of_item(text, item).is_some()).count())
}

/// Running sums: what stands before each index, and at the end all of it.
fn tallies(counts: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut sums = vec![(0, 0)];
    let mut sum = (0, 0);
    for count in counts {
        sum = (sum.0 + count.0, sum.1 + count.1);
        sums.push(sum);
    }
    sums
}
