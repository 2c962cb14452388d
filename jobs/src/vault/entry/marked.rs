//! Entries that id comments mark. Two or more standalone lines such as `<!-- id: x -->`, `<!-- entry: x -->` or
//! `<!-- memory: x -->` say that entries start there, whatever headings their text holds: a saved note with a
//! `## Schedule` of its own stays one entry.
//!
//! An entry runs to the next such line. Headings right before that line belong to what follows, and a
//! heading above the level of the section in which the first mark stands ends an entry too. After the last mark nothing
//! tells a heading of that same level in the entry from one after it; such an entry has no
//! certain end and is none, for it must not be cut. Where every mark stands right below a heading of one
//! level, each entry starts with that heading.

use super::date_of_item;
use crate::vault::date::{self, NaiveDate};
use crate::vault::markdown::{Block, BlockKind};

/// The blocks of one marked entry, as indexes into the note's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub start: usize,
    pub end: usize,
}

/// The marked entries of a note, in order.
pub(super) fn find(text: &str, blocks: &[Block]) -> Vec<Range> {
    let marks: Vec<usize> = (0..blocks.len()).filter(|at| id_of(text, &blocks[*at]).is_some()).collect();
    if marks.len() < 2 {
        return Vec::new();
    }
    let above: Vec<Option<u8>> = marks.iter().map(|mark| heading_before(blocks, *mark)).collect();
    let is_headed = above[0].is_some() && above.iter().all(|level| *level == above[0]);
    let lift = usize::from(is_headed);
    let level = match above[0].filter(|_| is_headed) {
        Some(level) => level - 1,
        None => blocks[..marks[0]].iter().rev().find_map(level_of).unwrap_or(0),
    };
    let ends = marks.iter().skip(1).map(|mark| Some(*mark)).chain([None]);
    marks
        .iter()
        .zip(ends)
        .filter_map(|(mark, next)| {
            Some(Range { start: mark - lift, end: end_of(blocks, *mark, next, level)? })
        })
        .collect()
}

/// Where the entry of a mark ends; none where that cannot be told.
fn end_of(blocks: &[Block], mark: usize, next: Option<usize>, level: u8) -> Option<usize> {
    let stop = next.unwrap_or(blocks.len());
    let closing = (mark + 1..stop).find(|at| level_of(&blocks[*at]).is_some_and(|heading| heading < level));
    let mut end = closing.unwrap_or(stop);
    if next.is_none() {
        let is_doubtful = |at: usize| level > 0 && level_of(&blocks[at]) == Some(level);
        return (!(mark + 1..end).any(is_doubtful)).then_some(end);
    }
    while end > mark + 1 && level_of(&blocks[end - 1]).is_some() {
        end -= 1;
    }
    Some(end)
}

fn level_of(block: &Block) -> Option<u8> {
    match block.kind {
        BlockKind::Heading(level) => Some(level),
        _ => None,
    }
}

fn heading_before(blocks: &[Block], at: usize) -> Option<u8> {
    at.checked_sub(1).and_then(|before| blocks.get(before)).and_then(level_of)
}

/// The id in a standalone mark.
fn id_of<'a>(text: &'a str, block: &Block) -> Option<&'a str> {
    let inner = block.span.of(text).trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    let (key, id) = inner.split_once(':')?;
    let is_key = ["id", "entry", "memory"].iter().any(|known| key.trim().eq_ignore_ascii_case(known));
    let id = id.trim();
    (block.kind == BlockKind::HtmlComment && is_key && !id.is_empty() && !id.contains(['\n', '\r']))
        .then_some(id)
}

/// The date of a marked entry: in its heading, its first words, or its id.
pub(super) fn date_of(text: &str, blocks: &[Block]) -> Option<NaiveDate> {
    let mut content = blocks.iter().filter(|block| block.kind != BlockKind::HtmlComment);
    let in_content = content.next().and_then(|first| match first.kind {
        BlockKind::Heading(_) => date::in_heading(first.text.of(text)),
        BlockKind::List { .. } => first.children.first().and_then(|item| date_of_item(text, item)),
        _ => date::of_item(first.text.of(text)),
    });
    in_content.or_else(|| blocks.iter().find_map(|block| date::of_item(id_of(text, block)?)))
}
