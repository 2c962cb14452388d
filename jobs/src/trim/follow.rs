//! One link, pointed to the archive. It keeps the words it showed; a spelling that is not understood is left alone.

use super::OLDEST;
use super::links::TO;
use crate::{
    change::{Edit, Why},
    finding::{Finding, Severity},
    vault::{
        Access, Note, NotePath, Span,
        markdown::{Block, BlockKind, Link, LinkKind},
    },
};

/// The same link, to the archive, with the words it showed.
pub(super) fn followed(note: &Note, link: &Link, from: &NotePath, to: &NotePath, pipe: &str) -> Option<Edit> {
    if note.access != Access::Open {
        return None;
    }
    let raw = link.span.of(&note.text);
    let put = match link.kind {
        LinkKind::Wiki | LinkKind::Embed => wiki(raw, link.kind, (from.stem(), to.stem()), pipe)?,
        LinkKind::Inline | LinkKind::Image | LinkKind::Auto => {
            let wanted = format!("{}.md#", from.stem());
            let at = raw.rfind(&wanted)?;
            format!("{}{}.md#{}", &raw[..at], to.stem(), &raw[at + wanted.len()..])
        }
    };
    let why = Why::sure(OLDEST, format!("what the link leads to moved to `{}`", to));
    Some(Edit::replace(&note.text, link.span, put, why.with(TO, to)))
}

fn wiki(raw: &str, kind: LinkKind, (old, new): (&str, &str), pipe: &str) -> Option<String> {
    let (target, rest) = raw.split_once('#')?;
    let (bare, ending) = target.strip_suffix(".md").map_or((target, ""), |bare| (bare, ".md"));
    let folder = match bare.ends_with("[[") {
        true => bare,
        false => {
            let length = bare.len().checked_sub(old.len())?;
            bare.get(..length).filter(|_| bare[length..].eq_ignore_ascii_case(old))?
        }
    };
    if kind == LinkKind::Embed || rest.contains('|') {
        return Some(format!("{folder}{new}{ending}#{rest}"));
    }
    // As Obsidian shows a link without words of its own.
    let anchor = rest.strip_suffix("]]")?;
    let name = bare.rsplit(['[', '/']).next().filter(|name| !name.is_empty());
    let shown = name.map_or(String::new(), |name| format!("{name} > ")) + &anchor.replace('#', " > ");
    Some(format!("{folder}{new}{ending}#{anchor}{pipe}{shown}]]"))
}

/// True where the span lies in a table, in which a bare `|` would end the cell.
pub(super) fn is_in_table(blocks: &[Block], span: Span) -> bool {
    let mut blocks = blocks;
    loop {
        let at = blocks.partition_point(|block| block.span.end <= span.start);
        match blocks.get(at).filter(|block| block.span.holds(span)) {
            Some(block) if block.kind == BlockKind::Table => return true,
            Some(block) => blocks = &block.children,
            None => return false,
        }
    }
}

pub(super) fn lost(note: &Note, link: &Link, from: &NotePath, to: &NotePath) -> Finding {
    let shown = link.span.of(&note.text);
    let message = format!("{shown} leads to a part of `{}` that moved to `{}`", from, to);
    Finding::about(&note.path, Severity::Note, "trim/link", message)
        .at(note.line_of(link.span.start))
        .hint("Point it to the archive by hand, if it should still open that part.")
}
