//! Taking entries out of a memory: which lines go with them, which blank lines are left over, and what is put
//! there instead. The result is read again: where anything but the removed blocks would read differently, nothing is cut.

use super::archive::{self, Archives};
use super::budget::Size;
use super::choose::Choice;
use super::say;
use super::sheet::Sheet;
use super::{OLDEST, POINTER};
use crate::{
    change::{Edit, Move, Moved, Why},
    vault::{
        NotePath, Span, Vault,
        entry::{CrumbKind, title},
        line,
        markdown::{Block, BlockKind, Markdown},
    },
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a trim takes out of a memory.
#[derive(Default)]
pub(super) struct Cut {
    /// The entries that leave, by place.
    pub entries: Vec<usize>,
    /// Where each of them goes.
    targets: Vec<NotePath>,
    /// Lead lines and dated headings that leave with their last entry, and where that goes.
    crumbs: Vec<(Span, NotePath)>,
    /// The blocks that leave, entries and lines, each with what is taken out for it: sorted, apart.
    removals: Vec<(Span, Span)>,
    /// Places where a blank line keeps the blocks around a gap apart.
    blanks: Vec<usize>,
    /// The line that leads to the archive, where there is none, and its place.
    pointer: Option<(usize, String)>,
}

/// The cut that takes out `leaving`.
pub(super) fn cut(sheet: &Sheet<'_>, vault: &Vault, leaving: &[usize]) -> Cut {
    let mut entries = leaving.to_vec();
    entries.sort_unstable();
    let archives = Archives::of(sheet, vault);
    let targets: Vec<NotePath> = entries.iter().map(|at| archives.target(sheet, *at)).collect();
    let crumbs = crumbs(sheet, &entries, &targets);
    let own = entries.iter().map(|at| sheet.entries()[*at].span);
    let mut blocks: Vec<Span> = own.chain(crumbs.iter().map(|(span, _)| *span)).collect();
    blocks.sort_unstable();
    let (removals, blanks) = removals(sheet, &blocks);
    let pointer = targets.first().and_then(|first| pointer(sheet, &removals, first));
    Cut { entries, targets, crumbs, removals, blanks, pointer }
}

impl Cut {
    /// What counts of the memory after the cut.
    pub fn size(&self, sheet: &Sheet<'_>) -> Size {
        let removed: Vec<Span> = self.removals.iter().map(|(_, removal)| *removal).collect();
        let put = self.pointer.as_ref().map_or(Size::default(), |(_, text)| Size::of(text));
        sheet.budget.size(sheet.text, &removed).plus(put)
    }

    /// The memory after the cut.
    fn applied(&self, sheet: &Sheet<'_>) -> String {
        let eol = sheet.note.line_end();
        let removed = self.removals.iter().map(|(_, removal)| (*removal, ""));
        let blanks = self.blanks.iter().map(|at| (Span::at(*at), eol));
        let pointer = self.pointer.iter().map(|(at, text)| (Span::at(*at), text.as_str()));
        let mut edits: Vec<(Span, &str)> = removed.chain(blanks).chain(pointer).collect();
        edits.sort_by_key(|(span, _)| *span);
        let (mut text, mut done) = (String::with_capacity(sheet.text.len()), 0);
        for (span, put) in edits {
            text.push_str(Span::new(done, span.start).of(sheet.text));
            text.push_str(put);
            done = span.end;
        }
        text.push_str(Span::new(done, sheet.text.len()).of(sheet.text));
        text
    }

    /// True where all that stays reads as before.
    fn is_clean(&self, sheet: &Sheet<'_>) -> bool {
        let after = self.applied(sheet);
        let read = Markdown::parse(&after, sheet.body);
        let gone: HashSet<Span> = self.removals.iter().map(|(block, _)| *block).collect();
        let is_gone = |span: Span| {
            let at = self.removals.partition_point(|(block, _)| block.end <= span.start);
            gone.contains(&span) || self.removals.get(at).is_some_and(|(block, _)| block.holds(span))
        };
        let stays = pieces(&sheet.markdown.blocks).filter(|block| !is_gone(block.span));
        let pointer = self.pointer.as_ref().map(|(_, text)| text.trim());
        let mut left = pieces(&read.blocks).filter(|block| Some(block.span.of(&after).trim()) != pointer);
        let same = |old: &Block, new: &Block| {
            old.kind == new.kind && old.span.of(sheet.text).trim_end() == new.span.of(&after).trim_end()
        };
        stays.into_iter().all(|old| left.next().is_some_and(|new| same(old, new))) && left.next().is_none()
    }
}

/// Blocks one by one, lists as their items.
fn pieces(blocks: &[Block]) -> impl Iterator<Item = &Block> {
    blocks.iter().flat_map(|block| match block.kind {
        BlockKind::List { .. } => block.children.as_slice(),
        _ => std::slice::from_ref(block),
    })
}

/// The lead lines and dated headings below which nothing is left, where all that left went to one archive.
fn crumbs(sheet: &Sheet<'_>, entries: &[usize], targets: &[NotePath]) -> Vec<(Span, NotePath)> {
    let mut below: HashMap<Span, usize> = HashMap::new();
    let leads = |at: usize| sheet.entries()[at].path.iter().filter(|crumb| crumb.kind == CrumbKind::Lead);
    for lead in (0..sheet.entries().len()).flat_map(leads) {
        *below.entry(lead.span).or_default() += 1;
    }
    let mut homes: BTreeMap<Span, Option<&NotePath>> = BTreeMap::new();
    for (at, target) in entries.iter().zip(targets) {
        for crumb in &sheet.entries()[*at].path {
            let home = homes.entry(crumb.span).or_insert(Some(target));
            *home = home.filter(|known| *known == target);
            below.entry(crumb.span).and_modify(|n_left| *n_left -= 1);
        }
    }
    let mut gone: Vec<Span> = entries.iter().map(|at| sheet.entries()[*at].span).collect();
    gone.extend(homes.keys().filter(|span| below.get(*span) == Some(&0) && homes[*span].is_some()));
    gone.extend(empty_headings(sheet, &homes, &mut gone.clone()));
    // The archive has headings and lead lines without blanks at their ends; a line that has some stays as it is.
    let is_plain = |span: &Span| !line::content(span.of(sheet.text)).ends_with([' ', '\t']);
    let home = |span: &Span| homes.get(span).copied().flatten().cloned();
    gone.into_iter().filter(is_plain).filter_map(|span| Some((span, home(&span)?))).collect()
}

/// The dated headings of which all blocks and inner sections are in `gone`.
fn empty_headings(
    sheet: &Sheet<'_>,
    homes: &BTreeMap<Span, Option<&NotePath>>,
    gone: &mut Vec<Span>,
) -> Vec<Span> {
    gone.sort_unstable();
    let is_gone = |block: &Block| {
        let first = gone.partition_point(|span| span.end <= block.span.start);
        let mut at = block.span.start;
        for span in gone[first..].iter().take_while(|span| span.start < block.span.end) {
            if !line::is_blank(Span::new(at, span.start).of(sheet.text)) {
                return false;
            }
            at = span.end;
        }
        line::is_blank(Span::new(at, block.span.end).of(sheet.text))
    };
    let sections = &sheet.outline.sections;
    let mut n_left: Vec<usize> = vec![0; sections.len()];
    let mut empty = Vec::new();
    for (at, section) in sections.iter().enumerate().skip(1).rev() {
        let is_left = n_left[at] > 0 || !sheet.markdown.blocks[section.own.clone()].iter().all(is_gone);
        let heading = section.heading.unwrap_or(section.span);
        let has_home = homes.get(&heading).is_some_and(Option::is_some);
        let leaves = section.date.is_some() && !section.is_title && has_home && !is_left;
        let is_taken = section.is_entry && gone.binary_search(&section.span).is_ok();
        if leaves {
            empty.push(heading);
        }
        if let Some(parent) = section.parent.filter(|_| !leaves && !is_taken) {
            n_left[parent] += 1;
        }
    }
    empty
}

/// What is taken out for each of `blocks`, and where a blank line must be put. Neighbours share their gaps; the last
/// takes the blank lines after it where a blank line stands before the first, so that neither two meet nor none.
fn removals(sheet: &Sheet<'_>, blocks: &[Span]) -> (Vec<(Span, Span)>, Vec<usize>) {
    let text = sheet.text;
    let is_neighbour = |a: &Span, b: &Span| line::is_blank(Span::new(a.end, b.start).of(text));
    let (mut removals, mut blanks) = (Vec::with_capacity(blocks.len()), Vec::new());
    for run in blocks.chunk_by(is_neighbour) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let (mut start, mut end) = (first.start, last.end);
        let above = blank_before(text, sheet.body, start);
        let below = blank_after(text, end);
        if below == text.len() {
            (start, end) = (above, below);
        } else if above < start || start == sheet.body {
            end = below;
        } else if below == end && needs_blank(&sheet.markdown.blocks, start, end) {
            blanks.push(end);
        }
        let ends = run.iter().skip(1).map(|next| next.start).chain([end]);
        let starts = run.iter().map(|block| if block == first { start } else { block.start });
        removals.extend(
            run.iter().zip(starts.zip(ends)).map(|(block, (from, to))| (*block, Span::new(from, to))),
        );
    }
    (removals, blanks)
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

/// True where a paragraph that ends at `start` would swallow or be changed by what starts at `end`.
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

/// The line that leads to `archive`, after the title, where no link that stays leads there.
fn pointer(sheet: &Sheet<'_>, removals: &[(Span, Span)], archive: &NotePath) -> Option<(usize, String)> {
    let stays = |span: Span| {
        let at = removals.partition_point(|(_, removal)| removal.end <= span.start);
        removals.get(at).is_none_or(|(_, removal)| !removal.meets(span))
    };
    if archive::is_linked(sheet, stays) {
        return None;
    }
    let eol = sheet.note.line_end();
    let line = archive::pointer(archive);
    let title = title(&sheet.markdown.blocks).map(|at| sheet.markdown.blocks[at].span);
    let at = title.map_or(sheet.body, |title| title.end);
    let is_blank_below = line::is_blank(Span::new(at, line::end(sheet.text, at)).of(sheet.text));
    let above = if title.is_some() || (is_blank_below && sheet.body > 0) { eol } else { "" };
    let below = if is_blank_below { "" } else { eol };
    Some((at, format!("{above}{line}{eol}{below}")))
}

/// The moves of a choice, one for each archive; none where the memory would not read as before.
pub(super) fn moves(sheet: &Sheet<'_>, vault: &Vault, choice: &Choice) -> Option<Vec<Move>> {
    let cut = &choice.cut;
    if !cut.is_clean(sheet) {
        return None;
    }
    let mut moves: BTreeMap<&NotePath, Move> = BTreeMap::new();
    let removal: HashMap<Span, Span> = cut.removals.iter().copied().collect();
    for (at, target) in cut.entries.iter().zip(&cut.targets) {
        let entry = &sheet.entries()[*at];
        let place = || archive::place(sheet, vault, target, choice.direction);
        let under = entry.path.iter().map(|crumb| crumb.span.of(sheet.text).trim_end().to_owned());
        moves.entry(target).or_insert_with(|| empty(sheet, target, place())).blocks.push(Moved {
            block: entry.span,
            removal: removal.get(&entry.span).copied().unwrap_or(entry.span),
            under: under.collect(),
            once: entry.date.is_some(),
            why: say::why(sheet, choice, *at),
        });
    }
    for (crumb, target) in &cut.crumbs {
        let why = Why::sure(OLDEST, format!("its last entry moved to `{}`", target.name()));
        let span = removal.get(crumb).copied().unwrap_or(*crumb);
        moves.entry(target).and_modify(|wanted| wanted.left.push(Edit::replace(sheet.text, span, "", why)));
    }
    let mut moves: Vec<Move> = moves.into_values().collect();
    if let Some(first) = moves.first_mut() {
        first.left.extend(added(sheet, cut, &first.to));
    }
    Some(moves)
}

fn empty(sheet: &Sheet<'_>, to: &NotePath, place: crate::change::Place) -> Move {
    let (blocks, left, repairs) = (Vec::new(), Vec::new(), Vec::new());
    Move { from: sheet.note.path.clone(), blocks, left, to: to.clone(), place, repairs }
}

/// What is put into the memory: the pointer, and blank lines where blocks would run together.
fn added(sheet: &Sheet<'_>, cut: &Cut, archive: &NotePath) -> Vec<Edit> {
    let blank = |at: &usize| {
        let why = Why::sure(OLDEST, "a blank line keeps apart what stood around the entries that moved");
        Edit::replace(sheet.text, Span::at(*at), sheet.note.line_end(), why)
    };
    let pointer = cut.pointer.iter().map(|(at, text)| {
        let why = Why::sure(POINTER, format!("the older entries stand in `{}` from now on", archive.name()));
        Edit::replace(sheet.text, Span::at(*at), text.clone(), why)
    });
    cut.blanks.iter().map(blank).chain(pointer).collect()
}
