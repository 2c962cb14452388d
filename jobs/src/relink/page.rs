//! A note as relink reads it: its prose as one folded text in which links to notes are what they show, so that
//! a text reads the same before and after it was linked. Headings, and all that is protected, are gaps.

use super::survey::Parts;
use crate::vault::{
    Note, Span, Vault,
    entry::folded,
    line,
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
    /// Where it leads, as an index into the vault's notes; nowhere where that note is not there.
    pub note: Option<usize>,
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
    /// Links to other notes, there or not, embeds aside, in order of place.
    pub links: Vec<Reached>,
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// Tables, in the note.
    pub tables: Vec<Span>,
    /// Sections under the headings asked for, in the note.
    pub zones: Vec<Span>,
    /// What of the view links show, in order.
    shown: Vec<Span>,
}

impl Page {
    /// Reads the note at index `at` of the vault, from its `markdown`.
    pub fn read(source: &Source<'_>, at: usize, body: usize, markdown: &Markdown) -> Page {
        let Some(note) = source.vault.notes().get(at) else { return Page::default() };
        let mut page = Page::default();
        for link in &markdown.links {
            let note = match link.kind {
                LinkKind::Wiki | LinkKind::Inline => source.resolver.resolve(source.vault, &note.path, link),
                _ => continue,
            };
            // Links to places that are no notes are what they are.
            if note != Some(at) && (note.is_some() || link.kind == LinkKind::Wiki) {
                let (span, is_wiki) = (link.span, link.kind.is_wiki());
                page.links.push(Reached { span, note, view: Span::at(0), is_wiki });
            }
        }
        let mut closed = Vec::new();
        page.mark_blocks(&markdown.blocks, &mut closed);
        page.mark_zones(&note.text, &closed, source.parts);
        let is_heading_prose = source.parts.headings;
        page.fill(note, body, markdown, if is_heading_prose { &[] } else { &closed });
        page
    }

    /// `headings` are top-level or not, in order of place.
    fn mark_zones(&mut self, text: &str, headings: &[Titled], parts: &Parts) {
        if parts.zones.is_empty() {
            return;
        }
        for (at, heading) in headings.iter().enumerate() {
            if parts.zones.contains(&folded(heading.words.of(text))) {
                let next = headings[at + 1..].iter().find(|next| next.level <= heading.level);
                let end = next.map_or(text.len(), |next| next.span.start);
                self.zones.push(Span::new(heading.span.start, end));
            }
        }
    }

    /// True where a place in the note lies in one of the zones.
    pub fn is_in_zone(&self, span: Span) -> bool {
        self.zones.iter().any(|zone| zone.holds(span))
    }

    fn mark_blocks(&mut self, blocks: &[Block], headings: &mut Vec<Titled>) {
        for block in blocks {
            match block.kind {
                BlockKind::Heading(level) => {
                    headings.push(Titled { span: block.span, words: block.text, level });
                }
                BlockKind::Table => self.tables.push(block.span),
                _ => self.mark_blocks(&block.children, headings),
            }
        }
    }

    /// Puts the view together. `headings` are left out of it, in order.
    fn fill(&mut self, note: &Note, body: usize, markdown: &Markdown, headings: &[Titled]) {
        let text = &*note.text;
        let mut pieces: Vec<(Span, Piece<'_>)> =
            markdown.protected.iter().map(|span| (*span, Piece::Gap)).collect();
        pieces.extend(headings.iter().map(|one| (one.span, Piece::Heading(one.words.of(text)))));
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

/// A heading: its block, its words, its level.
struct Titled {
    span: Span,
    words: Span,
    level: u8,
}

/// What pages are read from.
pub struct Source<'a> {
    /// The plain vault.
    pub vault: &'a Vault,
    /// Where links lead.
    pub resolver: &'a Resolver,
    /// Which notes play which part.
    pub parts: &'a Parts,
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
