//! Which entries a person pinned: those that hold a mark such as `📌`, stand under a heading or lead line with
//! one, or follow a comment that is one. A mark inside code is a word about marks.

use super::sheet::Sheet;
use crate::vault::{
    Span,
    entry::is_lead,
    markdown::{Block, BlockKind},
};

/// For each entry whether it is pinned.
pub(super) fn pinned(sheet: &Sheet<'_>) -> Vec<bool> {
    let mut pinned = vec![false; sheet.entries().len()];
    let mut sections = vec![false; sheet.outline.sections.len()];
    for mark in marks(sheet) {
        let inside = sheet.entries_in(mark);
        if !inside.is_empty() {
            pinned[inside].fill(true);
        }
        pin_below(sheet, mark, &mut pinned, &mut sections);
    }
    for (at, entry) in sheet.entries().iter().enumerate() {
        let mut section = Some(entry.section);
        while let Some(index) = section {
            pinned[at] |= sections[index];
            section = sheet.outline.sections[index].parent;
        }
    }
    pinned
}

/// Pins what stands below a mark in a heading, a lead line, or a comment of its own.
fn pin_below(sheet: &Sheet<'_>, mark: Span, pinned: &mut [bool], sections: &mut [bool]) {
    let blocks = &sheet.markdown.blocks;
    let at = blocks.partition_point(|block| block.span.end <= mark.start);
    let Some(block) = blocks.get(at) else { return };
    match block.kind {
        BlockKind::Heading(_) => pin_section(sheet, block, sections),
        BlockKind::HtmlComment | BlockKind::Comment => pin_next(sheet, blocks.get(at + 1), pinned, sections),
        BlockKind::Paragraph if is_lead(sheet.text, block) => {
            pin_next(sheet, blocks.get(at + 1), pinned, sections);
        }
        _ => {}
    }
}

fn pin_next(sheet: &Sheet<'_>, next: Option<&Block>, pinned: &mut [bool], sections: &mut [bool]) {
    let Some(next) = next else { return };
    match next.kind {
        BlockKind::Heading(_) => {
            pin_section(sheet, next, sections);
            pinned[sheet.entries_in(next.span)].fill(true);
        }
        _ => pinned[sheet.entries_in(next.span)].fill(true),
    }
}

fn pin_section(sheet: &Sheet<'_>, heading: &Block, sections: &mut [bool]) {
    let known = &sheet.outline.sections;
    let at = known.partition_point(|section| section.span.start <= heading.span.start).saturating_sub(1);
    if known[at].heading == Some(heading.span) {
        sections[at] = true;
    }
}

/// Where marks stand, code aside.
fn marks(sheet: &Sheet<'_>) -> Vec<Span> {
    let body = sheet.text.to_ascii_lowercase();
    let mut found = Vec::new();
    for pin in &sheet.settings.pins {
        let pin = pin.trim().to_ascii_lowercase();
        if let Some(inner) = comment_words(&pin) {
            let is_pin = |comment: &&Span| {
                comment_words(&comment.of(sheet.text).to_ascii_lowercase()).as_ref() == Some(&inner)
            };
            found.extend(sheet.markdown.comments.iter().filter(is_pin));
        } else if !pin.is_empty() {
            let hits = body.match_indices(&pin).map(|(at, hit)| Span::new(at, at + hit.len()));
            found.extend(hits.filter(|hit| is_whole(&body, *hit)));
        }
    }
    let code = &sheet.markdown.code;
    found.retain(|mark| {
        let next = code.partition_point(|span| span.end <= mark.start);
        mark.start >= sheet.body && code.get(next).is_none_or(|span| !span.meets(*mark))
    });
    found
}

/// The words of an HTML comment.
fn comment_words(text: &str) -> Option<String> {
    let inner = text.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    Some(inner.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// True where a mark is not a part of a longer word: `#pinned` is no `#pinnedto`.
fn is_whole(text: &str, mark: Span) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let (first, last) = (mark.of(text).chars().next(), mark.of(text).chars().next_back());
    let before = text[..mark.start].chars().next_back();
    let after = text[mark.end..].chars().next();
    let opens = !before.is_some_and(is_word) || !first.is_some_and(|c| is_word(c) || c == '#');
    let closes = !after.is_some_and(is_word) || !last.is_some_and(is_word);
    opens && closes
}
