//! The blank lines around what leaves a note: no two blocks are glued, and no gap is doubled.

use crate::vault::{
    Span, line,
    markdown::{Block, BlockKind},
};

/// What is taken out for each of some blocks.
pub(super) struct Removals {
    /// Each block with what is taken out for it, by place; neighbours share their gaps.
    pub spans: Vec<(Span, Span)>,
    /// Places where a blank line must be put, so that what stood around a gap stays two blocks.
    pub blanks: Vec<usize>,
}

/// What is taken out for `blocks` (sorted, apart) of a note. A run of neighbours takes the blank lines after it where a
/// blank line stands before it; at the end of the note, those before it.
pub(super) fn removals(text: &str, body: usize, known: &[Block], blocks: &[Span]) -> Removals {
    let is_neighbour = |a: &Span, b: &Span| line::is_blank(Span::new(a.end, b.start).of(text));
    let mut removals = Removals { spans: Vec::with_capacity(blocks.len()), blanks: Vec::new() };
    for run in blocks.chunk_by(is_neighbour) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let (mut start, mut end) = (first.start, last.end);
        let above = blank_before(text, body, start);
        let below = blank_after(text, end);
        if below == text.len() {
            (start, end) = (above, below);
        } else if above < start || start == body {
            end = below;
        } else if below == end && needs_blank(known, start, end) {
            removals.blanks.push(end);
        }
        let ends = run.iter().skip(1).map(|next| next.start).chain([end]);
        let starts = run.iter().map(|block| if block == first { start } else { block.start });
        let spans = run.iter().zip(starts.zip(ends));
        removals.spans.extend(spans.map(|(block, (from, to))| (*block, Span::new(from, to))));
    }
    removals
}

/// Where the blank lines that end at `at` start; they belong to the body.
fn blank_before(text: &str, body: usize, at: usize) -> usize {
    let mut start = at;
    while start > body {
        let line = line::start(text, start - 1);
        if line < body || !line::is_blank(Span::new(line, start).of(text)) {
            break;
        }
        start = line;
    }
    start
}

/// Where the blank lines that start at `at` end.
fn blank_after(text: &str, at: usize) -> usize {
    let lines = line::each(text, Span::new(at, text.len()));
    lines.take_while(|line| line::is_blank(line.of(text))).last().map_or(at, |line| line.end)
}

/// True where a paragraph that ends at `start` would swallow, or be changed by, what starts at `end`.
fn needs_blank(blocks: &[Block], start: usize, end: usize) -> bool {
    let before = blocks.partition_point(|block| block.span.end < start);
    let ends_here = |block: &&Block| block.kind == BlockKind::Paragraph && block.span.end == start;
    let next = blocks.partition_point(|block| block.span.end <= end);
    let (Some(_), Some(next)) = (blocks.get(before).filter(ends_here), blocks.get(next)) else {
        return false;
    };
    match next.kind {
        BlockKind::List { ordered } => {
            let item = next.children.iter().find(|item| item.span.start >= end);
            ordered || item.is_some_and(|item| item.children.is_empty())
        }
        BlockKind::Heading(_) | BlockKind::Fence | BlockKind::Quote | BlockKind::Callout => false,
        BlockKind::Html | BlockKind::HtmlComment | BlockKind::Comment => false,
        _ => true,
    }
}
