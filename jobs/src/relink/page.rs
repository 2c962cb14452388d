//! A note as relink reads it: its prose as one folded text in which links to notes are what they show, so that
//! a text reads the same before and after it was linked. Headings, and all that is protected, are gaps.

use crate::vault::{
    Note, Span, Vault, line,
    markdown::{Block, BlockKind, Link, LinkKind, Markdown},
    names::{
        GAP, LINE, Resolver, View, fold,
        token::{hash_of, short},
    },
};

/// One link to a note of the vault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The link as written.
    pub span: Span,
    /// Where it leads, as an index into the vault's notes.
    pub note: usize,
    /// What of the view it shows; empty where it stands in something protected.
    pub view: Span,
    /// It is a `[[wikilink]]`.
    pub is_wiki: bool,
}

/// A heading above some prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Where in the view its section starts.
    pub at: usize,
    /// Its folded words, hashed.
    pub words: u32,
}

/// A note, read.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The prose.
    pub view: View,
    /// Links to other notes, embeds aside, in order of place.
    pub links: Vec<Reached>,
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// Tables, in the note.
    pub tables: Vec<Span>,
    /// What of the view links show, in order.
    shown: Vec<Span>,
}

impl Page {
    /// Reads the note at index `at` of the vault, from its `markdown`.
    pub fn read(vault: &Vault, resolver: &Resolver, at: usize, body: usize, markdown: &Markdown) -> Page {
        let Some(note) = vault.notes().get(at) else { return Page::default() };
        let mut page = Page::default();
        for link in &markdown.links {
            let is_read = matches!(link.kind, LinkKind::Wiki | LinkKind::Inline);
            let found = is_read.then(|| resolver.resolve(vault, &note.path, link)).flatten();
            if let Some(found) = found.filter(|found| *found != at) {
                let (span, is_wiki) = (link.span, link.kind.is_wiki());
                page.links.push(Reached { span, note: found, view: Span::at(0), is_wiki });
            }
        }
        let mut closed = Vec::new();
        page.mark_blocks(&markdown.blocks, &mut closed);
        page.fill(note, body, markdown, &closed);
        page
    }

    fn mark_blocks(&mut self, blocks: &[Block], headings: &mut Vec<(Span, Span)>) {
        for block in blocks {
            match block.kind {
                BlockKind::Heading(_) => headings.push((block.span, block.text)),
                BlockKind::Table => self.tables.push(block.span),
                _ => self.mark_blocks(&block.children, headings),
            }
        }
    }

    /// Puts the view together. `headings` are whole blocks with their words, in order.
    fn fill(&mut self, note: &Note, body: usize, markdown: &Markdown, headings: &[(Span, Span)]) {
        let text = &*note.text;
        let mut pieces: Vec<(Span, Piece<'_>)> =
            markdown.protected.iter().map(|span| (*span, Piece::Gap)).collect();
        pieces.extend(headings.iter().map(|(span, words)| (*span, Piece::Heading(words.of(text)))));
        let shown = markdown.links.iter().map(|link| (link.span, Piece::Link(shown_words(text, link))));
        pieces.extend(shown.filter(|(span, _)| self.index_of(*span).is_some()));
        // A link of the same bytes as a protected span comes before it.
        pieces.sort_by_key(|(span, piece)| {
            (span.start, std::cmp::Reverse(span.end), !matches!(piece, Piece::Link(_)))
        });
        let mut at = body;
        for (span, piece) in pieces {
            if span.start < at {
                self.leave_gap(text, Span::new(at, span.end));
                at = at.max(span.end);
                continue;
            }
            self.view.push(text, Span::new(at, span.start));
            at = span.end;
            self.add_piece(text, span, piece);
        }
        self.view.push(text, Span::new(at, text.len()));
    }

    fn add_piece(&mut self, text: &str, span: Span, piece: Piece<'_>) {
        match piece {
            Piece::Gap => self.leave_gap(text, span),
            Piece::Heading(words) => {
                self.view.push_break(LINE);
                self.headings
                    .push(Heading { at: self.view.text().len(), words: short(hash_of(&fold(words.trim()))) });
            }
            Piece::Link(words) => {
                let start = self.view.text().len();
                self.view.push(text, words);
                let view = Span::new(start, self.view.text().len());
                if let Some(known) = self.index_of(span).and_then(|known| self.links.get_mut(known)) {
                    known.view = view;
                }
                self.shown.push(view);
            }
        }
    }

    fn leave_gap(&mut self, text: &str, span: Span) {
        if span.is_empty() {
            return;
        }
        self.view.push_break(GAP);
        if span.of(text).contains(['\n', '\r']) {
            self.view.push_break(LINE);
        }
    }

    fn index_of(&self, span: Span) -> Option<usize> {
        self.links.binary_search_by_key(&span, |link| link.span).ok()
    }

    /// True where a link shows a piece of the view.
    pub fn is_linked(&self, view: Span) -> bool {
        let next = self.shown.partition_point(|shown| shown.end <= view.start);
        self.shown.get(next).is_some_and(|shown| shown.meets(view))
    }

    /// True where a place in the note lies in a table.
    pub fn is_in_table(&self, span: Span) -> bool {
        let next = self.tables.partition_point(|table| table.end <= span.start);
        self.tables.get(next).is_some_and(|table| table.meets(span))
    }
}

enum Piece<'a> {
    Gap,
    Heading(&'a str),
    Link(Span),
}

/// The words of a link that stay when it is text again: of a bare wikilink, the name without its folder.
fn shown_words(text: &str, link: &Link) -> Span {
    let shown = link.shown;
    let words = shown.of(text);
    let is_bare = link.kind == LinkKind::Wiki && !link.span.of(text).contains('|');
    if !is_bare {
        return shown;
    }
    let start = words.rfind('/').map_or(0, |at| at + 1);
    let end = words[start..].find('#').map_or(words.len(), |at| start + at);
    Span::new(shown.start + start, shown.start + end)
}

/// True where the note holds Hiragana: its Han is Japanese.
pub fn is_japanese(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{3041}'..='\u{309f}'))
}

/// The line of the view that holds `at`, given the line last asked for: places come in order.
pub fn line_around(view: &str, at: usize, last: Span) -> Span {
    if last.start <= at && at < last.end {
        return last;
    }
    let start =
        view[last.end.min(at)..at].rfind(LINE).map_or(last.end.min(at), |here| last.end.min(at) + here + 1);
    Span::new(start, line::end(view, at))
}
