//! What counts of a memory, and when it is too much. Loaders differ in whether they count frontmatter
//! and comments, so both are settings.

use crate::vault::{
    Span,
    markdown::{BlockKind, Markdown},
};
use config::Trim;

/// Lines and bytes that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub lines: usize,
    pub bytes: usize,
}

impl Size {
    /// What a piece of whole lines adds.
    pub fn of(text: &str) -> Size {
        Size { lines: text.bytes().filter(|byte| *byte == b'\n').count(), bytes: text.len() }
    }

    pub fn fits(self, lines: usize, bytes: usize) -> bool {
        self.lines <= lines && self.bytes <= bytes
    }

    pub fn plus(self, other: Size) -> Size {
        Size { lines: self.lines + other.lines, bytes: self.bytes + other.bytes }
    }
}

/// The rule of counting for one note.
pub(super) struct Budget {
    /// What does not count: sorted, apart.
    ignored: Vec<Span>,
}

impl Budget {
    pub fn new(settings: &Trim, body: usize, markdown: &Markdown) -> Budget {
        let mut ignored = Vec::new();
        if !settings.count_frontmatter && body > 0 {
            ignored.push(Span::new(0, body));
        }
        if !settings.count_comments {
            let comments = markdown.blocks.iter().filter(|block| block.kind == BlockKind::HtmlComment);
            ignored.extend(comments.map(|block| block.span));
        }
        Budget { ignored }
    }

    /// What counts of `text` once `removed` (sorted, apart) is gone. A last line without a line end is a line.
    pub fn size(&self, text: &str, removed: &[Span]) -> Size {
        let mut gone: Vec<Span> = self.ignored.iter().chain(removed).copied().collect();
        gone.sort_unstable();
        let (mut size, mut done, mut last) = (Size::default(), 0, "");
        for span in gone.into_iter().chain([Span::at(text.len())]) {
            let kept = Span::new(done, span.start).of(text);
            size = size.plus(Size::of(kept));
            last = if kept.is_empty() { last } else { kept };
            done = done.max(span.end);
        }
        size.lines += usize::from(!last.is_empty() && !last.ends_with('\n'));
        size
    }
}
