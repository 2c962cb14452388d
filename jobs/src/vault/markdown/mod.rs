//! A note's Markdown: its blocks, what in it is protected, its links and labels, all as spans of
//! the note. Read with pulldown-cmark plus what Obsidian adds to Markdown. Nothing here changes
//! text or fails: whatever a note holds, it reads as something.

mod build;
mod link;
mod overlay;
mod scan;
mod skeleton;
#[cfg(test)]
mod tests;

use super::Span;
pub use link::{Link, LinkKind};
pub use skeleton::skeleton;

/// Blocks nested deeper than this are bytes of their ancestor, so that no note can exhaust a stack.
pub const MAX_DEPTH: usize = 32;

/// What one note's body says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markdown {
    /// The top-level blocks in order; between them lie only blank lines.
    pub blocks: Vec<Block>,
    /// Bytes that no job edits and no link is put into: sorted and disjoint; two may touch.
    pub protected: Vec<Span>,
    /// Links of any style in order of place; none from code, comments or frontmatter.
    pub links: Vec<Link>,
    /// Footnotes and link references, where defined and where used, in order of place.
    pub labels: Vec<Label>,
    /// HTML and `%%` comments, and templates that run over lines, sorted; one may reach beyond the block
    /// in which it starts.
    pub comments: Vec<Span>,
    /// Code of every shape: fences and code lines whole, code in prose with its marks. Sorted.
    pub code: Vec<Span>,
    /// Block ids (`^id`), each with its caret, in order of place.
    pub ids: Vec<Span>,
}

/// A block: whole lines with the last line end, without the blank lines after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its whole lines, quote markers and indentation included.
    pub span: Span,
    /// The words of a heading or paragraph; of an item, those of its first paragraph after marker and
    /// checkbox. Empty elsewhere. On continued lines it still holds indentation and quote marks.
    pub text: Span,
    /// Items of a list, blocks of an item, quote or footnote.
    pub children: Vec<Block>,
}

/// The kinds of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `# Text` or the underlined form; level 1 to 6.
    Heading(u8),
    /// Text.
    Paragraph,
    /// A list that counts (`1.`) or does not.
    List {
        /// True for `1.` and `1)`.
        ordered: bool,
    },
    /// One item of a list.
    Item {
        /// The character in its checkbox, such as `x`, a space, `/` or `-`.
        task: Option<char>,
    },
    /// Code between fences, or to the end where no fence closes it.
    Fence,
    /// Code by indentation.
    IndentedCode,
    /// A table with its header.
    Table,
    /// Raw HTML, up to a blank line.
    Html,
    /// One HTML comment and nothing else; it may hold blank lines.
    HtmlComment,
    /// An Obsidian comment (`%% … %%`) and nothing else, closed or not.
    Comment,
    /// `$$ … $$`.
    Math,
    /// Quoted lines.
    Quote,
    /// Quoted lines that open with `[!type]`.
    Callout,
    /// A thematic break.
    Rule,
    /// `[^label]: text`.
    Footnote,
    /// `[label]: target`.
    Definition,
}

/// A footnote label or a link reference's label, at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The mark, the link, or the whole definition.
    pub span: Span,
    /// The label folded for comparison: lower case, blanks as one space.
    pub name: String,
    /// Which namespace it lives in.
    pub kind: LabelKind,
    /// Which end of the tie this is.
    pub role: LabelRole,
}

/// The two namespaces of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LabelKind {
    /// `[^label]`.
    Footnote,
    /// `[text][label]`.
    Reference,
}

/// The two ends of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelRole {
    /// Where the label gets its meaning.
    Defines,
    /// Where it is used, and would break without its definition.
    Uses,
}

/// A block on the first line of the body starts there, not at the BOM before it.
fn start_at(blocks: &mut [Block], body: usize) {
    if let Some(first) = blocks.first_mut().filter(|first| first.span.start < body) {
        first.span.start = body;
        start_at(&mut first.children, body);
    }
}

impl Markdown {
    /// Reads the body of `text`, which starts at byte `body` (after BOM and frontmatter). All spans are
    /// offsets into `text`.
    pub fn parse(text: &str, body: usize) -> Markdown {
        let masked = overlay::mask(text, body);
        let mut markdown = build::build(text, body, &masked);
        start_at(&mut markdown.blocks, body);
        scan::add_protected(text, body, &mut markdown);
        markdown
    }

    /// True where `span` shares a byte with a protected span.
    pub fn is_protected(&self, span: Span) -> bool {
        let next = self.protected.partition_point(|known| known.end <= span.start);
        self.protected.get(next).is_some_and(|known| known.meets(span))
    }
}

/// Sorts spans and joins those that overlap.
pub(crate) fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.is_empty());
    spans.sort_unstable();
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}
