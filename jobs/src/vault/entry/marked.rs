//! Entries that id comments mark. Two or more standalone lines such as `<!-- id: x -->`, `<!-- entry: x -->` or
//! `<!-- memory: x -->` say that entries start there, whatever headings their text holds: a saved note with a
//! `## Schedule` of its own stays one entry.
//!
//! An entry runs to the next such line. Headings right before that line belong to what follows, and a
//! heading above the level of the section in which the first mark stands ends an entry too. After the last mark nothing
//! tells a heading of that same level in the entry from one after it; such an entry is open: it has no
//! certain end, and must not be cut. Where every mark stands right below a heading of one
//! level, each entry starts with that heading.

use super::date_of_item;
use crate::vault::date::{self, NaiveDate};
use crate::vault::markdown::{Block, BlockKind};

/// The blocks of one marked entry, as indexes into the note's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub start: usize,
    pub end: usize,
    /// True where the entry may go on beyond its end.
    pub is_open: bool,
}

/// The marked entries of a note, in order; none where fewer than `least` marks stand.
pub(super) fn find(text: &str, blocks: &[Block], least: usize) -> Vec<Range> {
    let marks: Vec<usize> = (0..blocks.len()).filter(|at| id_of(text, &blocks[*at]).is_some()).collect();
    let Some(first) = marks.first().copied().filter(|_| marks.len() >= least) else { return Vec::new() };
    let above: Vec<Option<u8>> = marks.iter().map(|mark| heading_before(blocks, *mark)).collect();
    let is_headed = marks.len() > 1 && above[0].is_some() && above.iter().all(|level| *level == above[0]);
    let lift = usize::from(is_headed);
    let level = match above[0].filter(|_| is_headed) {
        Some(level) => level - 1,
        None => blocks[..first].iter().rev().find_map(level_of).unwrap_or(0),
    };
    let ends = marks.iter().skip(1).map(|mark| Some(*mark)).chain([None]);
    let range = |(mark, next): (&usize, Option<usize>)| {
        let (end, is_open) = end_of(blocks, *mark, next, level);
        Range { start: mark - lift, end, is_open }
    };
    marks.iter().zip(ends).map(range).collect()
}

/// True where a line of `text` is a mark of an entry.
pub fn has_marks(text: &str) -> bool {
    text.contains("<!--") && text.lines().any(|line| id_in(line).is_some())
}

/// Where the entry of a mark ends, and whether it may go on.
fn end_of(blocks: &[Block], mark: usize, next: Option<usize>, level: u8) -> (usize, bool) {
    let stop = next.unwrap_or(blocks.len());
    let heading = |at: &usize| level_of(&blocks[*at]);
    let closing = (mark + 1..stop).find(|at| heading(at).is_some_and(|heading| heading < level));
    let mut end = closing.unwrap_or(stop);
    if next.is_none() {
        let doubtful = (mark + 1..end).find(|at| level > 0 && heading(at) == Some(level));
        return (doubtful.unwrap_or(end), doubtful.is_some());
    }
    while end > mark + 1 && heading(&(end - 1)).is_some() {
        end -= 1;
    }
    (end, false)
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
    id_in(block.span.of(text)).filter(|_| block.kind == BlockKind::HtmlComment)
}

fn id_in(line: &str) -> Option<&str> {
    let inner = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    let (key, id) = inner.split_once(':')?;
    let is_key = ["id", "entry", "memory"].iter().any(|known| key.trim().eq_ignore_ascii_case(known));
    let id = id.trim();
    (is_key && !id.is_empty() && !id.contains(['\n', '\r'])).then_some(id)
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
