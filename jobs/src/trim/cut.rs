//! Taking blocks out of a memory: which lines go with them, and what is put there instead. The result is read
//! again: where anything but the removed blocks would read differently, nothing is cut.

use super::archive;
use super::budget::Size;
use super::gap::removals;
use super::sheet::Sheet;
use crate::{
    change::Why,
    vault::{
        NotePath, Span,
        date::NaiveDate,
        entry::{Crumb, CrumbKind, title},
        line,
        markdown::{Block, BlockKind, Markdown},
    },
};
use std::collections::BTreeMap;

/// One block that leaves.
#[derive(Clone, Debug)]
pub(super) struct Leaver {
    pub block: Span,
    /// The lines it stands under, as spans of the memory.
    pub path: Vec<Crumb>,
    pub date: Option<NaiveDate>,
    /// The archive it goes to.
    pub to: NotePath,
    pub why: Why,
}

/// What a trim takes out of a memory, and puts into it.
pub(super) struct Cut {
    /// Lead lines and dated headings that leave with the last block below them, and where that goes.
    pub crumbs: Vec<(Span, NotePath)>,
    /// All that leaves, blocks and lines, each with what is taken out for it: sorted, apart.
    pub removals: Vec<(Span, Span)>,
    /// Places where a blank line keeps the blocks around a gap apart.
    pub blanks: Vec<usize>,
    /// The line that leads to the archive, where there is none, and its place.
    pub pointer: Option<(usize, String)>,
}

/// A text that came from another one by taking out and putting in.
pub(super) struct Applied {
    pub text: String,
    /// Stretches that stayed: where each starts after, and where it stood before.
    kept: Vec<(usize, Span)>,
}

impl Applied {
    /// Where a span of whole lines that stayed stood before; what was taken out inside it included.
    pub fn origin(&self, span: Span) -> Span {
        let place = |at: usize| {
            let next = self.kept.partition_point(|(start, _)| *start <= at);
            let (start, before) = self.kept.get(next.saturating_sub(1)).copied().unwrap_or((0, Span::at(0)));
            before.start + at.saturating_sub(start).min(before.len())
        };
        Span::new(place(span.start), place(span.end.saturating_sub(1)) + 1)
    }
}

/// The cut that takes `leavers`, sorted by place, out of `sheet`.
pub(super) fn cut(sheet: &Sheet<'_>, leavers: &[Leaver]) -> Cut {
    let crumbs = crumbs(sheet, leavers);
    let lines = crumbs.iter().map(|(span, _)| *span);
    let mut blocks: Vec<Span> = leavers.iter().map(|leaver| leaver.block).chain(lines).collect();
    blocks.sort_unstable();
    let taken = removals(sheet.text, sheet.body, &sheet.markdown.blocks, &blocks);
    let mut cut = Cut { crumbs, removals: taken.spans, blanks: taken.blanks, pointer: None };
    cut.pointer = leavers.first().and_then(|first| cut.pointer_to(sheet, &first.to));
    cut
}

impl Cut {
    /// What counts of the memory after the cut.
    pub fn size(&self, sheet: &Sheet<'_>) -> Size {
        let removed: Vec<Span> = self.removals.iter().map(|(_, removal)| *removal).collect();
        let put = self.pointer.as_ref().map_or(Size::default(), |(_, text)| Size::of(text));
        sheet.budget.size(sheet.text, &removed).plus(put)
    }

    /// The memory after the cut.
    pub fn applied(&self, sheet: &Sheet<'_>) -> Applied {
        let eol = sheet.note.line_end();
        let removed = self.removals.iter().map(|(_, removal)| (*removal, ""));
        let blanks = self.blanks.iter().map(|at| (Span::at(*at), eol));
        let pointer = self.pointer.iter().map(|(at, text)| (Span::at(*at), text.as_str()));
        let mut edits: Vec<(Span, &str)> = removed.chain(blanks).chain(pointer).collect();
        edits.sort_by_key(|(span, _)| *span);
        let mut after = Applied { text: String::with_capacity(sheet.text.len()), kept: Vec::new() };
        let mut done = 0;
        for (span, put) in edits.into_iter().chain([(Span::at(sheet.text.len()), "")]) {
            let kept = Span::new(done, span.start);
            if !kept.is_empty() {
                after.kept.push((after.text.len(), kept));
            }
            after.text.push_str(kept.of(sheet.text));
            after.text.push_str(put);
            done = span.end;
        }
        after
    }

    /// True where all that stays reads as before.
    pub fn is_clean(&self, sheet: &Sheet<'_>) -> bool {
        let after = self.applied(sheet).text;
        let read = Markdown::parse(&after, sheet.body);
        let is_gone = |span: Span| {
            let at = self.removals.partition_point(|(block, _)| block.end <= span.start);
            self.removals.get(at).is_some_and(|(block, _)| block.holds(span))
        };
        let mut stays = pieces(&sheet.markdown.blocks).filter(|block| !is_gone(block.span));
        let pointer = self.pointer.as_ref().map(|(_, text)| text.trim());
        let mut left = pieces(&read.blocks).filter(|block| Some(block.span.of(&after).trim()) != pointer);
        let same = |old: &Block, new: &Block| {
            old.kind == new.kind && old.span.of(sheet.text).trim_end() == new.span.of(&after).trim_end()
        };
        stays.all(|old| left.next().is_some_and(|new| same(old, new))) && left.next().is_none()
    }

    /// The line that leads to `archive`, after the title, where no link that stays leads there.
    fn pointer_to(&self, sheet: &Sheet<'_>, archive: &NotePath) -> Option<(usize, String)> {
        let stays = |span: Span| {
            let at = self.removals.partition_point(|(_, removal)| removal.end <= span.start);
            self.removals.get(at).is_none_or(|(_, removal)| !removal.meets(span))
        };
        if archive::is_linked(sheet, stays) {
            return None;
        }
        let eol = sheet.note.line_end();
        let line = archive::pointer(archive);
        let title = title(&sheet.markdown.blocks).map(|at| sheet.markdown.blocks[at].span);
        let title = title.filter(|title| stays(*title));
        let at = title.map_or(sheet.body, |title| title.end);
        let is_blank_below = line::is_blank(Span::new(at, line::end(sheet.text, at)).of(sheet.text));
        let above = if title.is_some() || (is_blank_below && sheet.body > 0) { eol } else { "" };
        let below = if is_blank_below { "" } else { eol };
        Some((at, format!("{above}{line}{eol}{below}")))
    }
}

/// Blocks one by one, lists as their items.
fn pieces(blocks: &[Block]) -> impl Iterator<Item = &Block> {
    blocks.iter().flat_map(|block| match block.kind {
        BlockKind::List { .. } => block.children.as_slice(),
        _ => std::slice::from_ref(block),
    })
}

/// The lead lines and dated headings below which nothing is left, where all that left goes to one archive.
fn crumbs(sheet: &Sheet<'_>, leavers: &[Leaver]) -> Vec<(Span, NotePath)> {
    let mut homes: BTreeMap<Span, (CrumbKind, Option<&NotePath>)> = BTreeMap::new();
    for leaver in leavers {
        for crumb in &leaver.path {
            let home = homes.entry(crumb.span).or_insert((crumb.kind, Some(&leaver.to)));
            home.1 = home.1.filter(|known| *known == &leaver.to);
        }
    }
    let mut gone = Gone { sheet, spans: leavers.iter().map(|leaver| leaver.block).collect() };
    let leads = homes.iter().filter(|(span, (kind, home))| {
        *kind == CrumbKind::Lead && home.is_some() && is_plain(sheet, **span) && gone.has_next(**span)
    });
    let mut empty: Vec<Span> = leads.map(|(span, _)| *span).collect();
    gone.spans.extend(&empty);
    gone.spans.sort_unstable();
    let has_home =
        |span: Span| homes.get(&span).is_some_and(|(_, home)| home.is_some()) && is_plain(sheet, span);
    empty.extend(gone.empty_headings(has_home));
    let home = |span: Span| homes.get(&span).and_then(|(_, home)| home.cloned());
    empty.into_iter().filter_map(|span| Some((span, home(span)?))).collect()
}

/// The archive has headings and lead lines without blanks at their ends; a line that has some stays as it is.
fn is_plain(sheet: &Sheet<'_>, span: Span) -> bool {
    !line::content(span.of(sheet.text)).ends_with([' ', '\t'])
}

/// What leaves, sorted by place.
struct Gone<'a> {
    sheet: &'a Sheet<'a>,
    spans: Vec<Span>,
}

impl Gone<'_> {
    /// True where nothing but blank lines is left of a block.
    fn has(&self, block: Span) -> bool {
        let first = self.spans.partition_point(|span| span.end <= block.start);
        let mut at = block.start;
        for span in self.spans[first..].iter().take_while(|span| span.start < block.end) {
            if !line::is_blank(Span::new(at, span.start).of(self.sheet.text)) {
                return false;
            }
            at = at.max(span.end);
        }
        line::is_blank(Span::new(at, block.end).of(self.sheet.text))
    }

    /// True where the block after a lead line is gone.
    fn has_next(&self, lead: Span) -> bool {
        let blocks = &self.sheet.markdown.blocks;
        let next = blocks.partition_point(|block| block.span.start < lead.end);
        blocks.get(next).is_some_and(|block| self.has(block.span))
    }

    /// The dated headings with a home of which all blocks and inner sections are gone.
    fn empty_headings(&self, has_home: impl Fn(Span) -> bool) -> Vec<Span> {
        let sections = &self.sheet.outline.sections;
        let mut n_left: Vec<usize> = vec![0; sections.len()];
        let mut empty = Vec::new();
        for (at, section) in sections.iter().enumerate().skip(1).rev() {
            let Some(heading) = section.heading else { continue };
            let own = &self.sheet.markdown.blocks[section.own.clone()];
            let is_empty = n_left[at] == 0 && own.iter().all(|block| self.has(block.span));
            let leaves = is_empty && section.date.is_some() && !section.is_title && has_home(heading);
            if leaves {
                empty.push(heading);
            }
            if let Some(parent) = section.parent.filter(|_| !leaves && !self.has(section.span)) {
                n_left[parent] += 1;
            }
        }
        empty
    }
}
