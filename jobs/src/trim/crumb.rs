//! The lines that blocks stand under and that leave with the last of them. A heading without a date
//! never does.

use super::cut::Leaver;
use super::sheet::Sheet;
use crate::vault::{NotePath, Span, entry::CrumbKind, line};
use std::collections::BTreeMap;

/// The lead lines and dated headings below which nothing is left, where all that left goes to one archive.
pub(super) fn crumbs(sheet: &Sheet<'_>, leavers: &[Leaver]) -> Vec<(Span, NotePath)> {
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
