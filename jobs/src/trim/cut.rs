//! Taking blocks out of a memory: which lines go with them, and what is put there instead. The result is read
//! again: where anything but the removed blocks would read differently, nothing is cut.

use super::archive;
use super::budget::Size;
use super::crumb::crumbs;
use super::gap::removals;
use super::sheet::Sheet;
use crate::{
    change::Why,
    vault::{
        NotePath, Span,
        date::NaiveDate,
        entry::{Crumb, title},
        markdown::{Block, BlockKind, Markdown},
    },
};

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
    cut.pointer = leavers.first().and_then(|_| cut.pointer_to(sheet, &sheet.archives.first));
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
        let line = archive::pointer(archive);
        let title = title(&sheet.markdown.blocks).map(|at| sheet.markdown.blocks[at].span);
        let title = title.filter(|title| stays(*title));
        Some(archive::below_title(sheet.text, sheet.body, title, &line, sheet.note.line_end()))
    }
}

/// Blocks one by one, lists as their items.
fn pieces(blocks: &[Block]) -> impl Iterator<Item = &Block> {
    blocks.iter().flat_map(|block| match block.kind {
        BlockKind::List { .. } => block.children.as_slice(),
        _ => std::slice::from_ref(block),
    })
}
