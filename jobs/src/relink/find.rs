//! The mentions of notes in a note: which words, where, and what stands around them. Nothing here judges.

use super::{
    boundary::{Freedom, freedom},
    lexicon::{Hit, Lexicon, Meaning},
    page::{Page, is_japanese, line_around},
};
use crate::vault::{
    Span, line,
    names::token::{Class, Token, short, tokens},
};

/// Words of a note that are the name of another one.
#[derive(Clone, Debug)]
pub struct Mention {
    /// The words, in the note.
    pub span: Span,
    /// The words, in the view.
    pub view: Span,
    /// Which name they are, as an index into the lexicon's spellings.
    pub spelling: usize,
    /// The words as an index into the lexicon: one for all spellings of one sequence of words.
    pub words: usize,
    /// The note they name.
    pub target: usize,
    /// They are shown by a link.
    pub is_linked: bool,
    /// How free they stand.
    pub freedom: Freedom,
    /// What stands around them.
    pub around: Around,
}

/// What stands around a mention, read from the view alone, so that a link of the same words has the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Around {
    /// Only marks of a list, quote or table stand before it on its line.
    pub opens_line: bool,
    /// Nothing but marks stands before or after it on its line.
    pub is_whole_line: bool,
    /// Its line is a list item.
    pub in_item: bool,
    /// Its line is a row of a table.
    pub in_table: bool,
    /// It starts its sentence.
    pub opens_sentence: bool,
    /// A mark of emphasis or quotation touches it on both sides.
    pub is_marked: bool,
    /// A colon or dash follows.
    pub is_headword: bool,
    /// Bytes of its line.
    pub n_line: u32,
    /// Mentions on its line, itself included.
    pub n_mates: u32,
    /// How much of its line they fill, from 0 to 1.
    pub covered: f32,
    /// Where in the note, from 0 to 1.
    pub place: f32,
    /// The token before it, blanks aside, hashed; 0 where the line starts.
    pub before: u32,
    /// The token after it, blanks aside, hashed; 0 where the line ends.
    pub after: u32,
    /// The words of the heading above it, hashed; 0 where none is.
    pub heading: u32,
}

/// Reads mentions from pages; keeps its buffers from page to page.
#[derive(Default)]
pub struct Finder {
    tokens: Vec<Token>,
    hits: Vec<(Hit, Freedom)>,
    /// Words of several notes that were mentioned in the page read last, each as often as it was.
    pub ambiguous: Vec<usize>,
}

impl Finder {
    /// The mentions in the page of the note at index `own`, in order; none meets another. Names of the note
    /// itself and names of many notes take their words from shorter ones, and are no mentions.
    pub fn find(&mut self, lexicon: &Lexicon, page: &Page, note: &str, own: usize) -> Vec<Mention> {
        let text = page.view.text();
        tokens(text, &mut self.tokens);
        self.hits.clear();
        self.ambiguous.clear();
        let (tokens, hits) = (&self.tokens, &mut self.hits);
        let mut japanese = None;
        lexicon.find(tokens, |hit| {
            let japanese = *japanese.get_or_insert_with(|| is_japanese(text));
            let free = freedom(text, tokens[hit.first].start, tokens[hit.last].end, japanese);
            if free > Freedom::Bound {
                hits.push((hit, free));
            }
        });
        hits.sort_by_key(|(hit, _)| (hit.first, std::cmp::Reverse(hit.last)));
        let mut mentions = Vec::new();
        let (mut free_from, mut line, mut first_of_line) = (0, Span::at(0), 0);
        for (hit, free) in hits.iter() {
            if hit.first < free_from {
                continue;
            }
            let view = Span::new(tokens[hit.first].start, tokens[hit.last].end);
            let span = Span::new(page.view.start_in_note(view.start), page.view.end_in_note(view.end));
            let Some((spelling, target)) = meaning(lexicon, hit, span.of(note), view.of(text)) else {
                continue;
            };
            free_from = hit.last + 1;
            if target == Some(own) {
                continue;
            }
            let Some(target) = target else {
                self.ambiguous.push(hit.words);
                continue;
            };
            let next_line = line_around(text, view.start, line);
            if next_line != line {
                add_mates(&mut mentions, first_of_line);
                first_of_line = mentions.len();
                line = next_line;
            }
            let around = around(page, tokens, hit, view, line);
            let is_linked = page.is_linked(view);
            mentions.push(Mention {
                span,
                view,
                spelling,
                words: hit.words,
                target,
                is_linked,
                freedom: *free,
                around,
            });
        }
        add_mates(&mut mentions, first_of_line);
        mentions
    }
}

/// Tells the mentions from `first` on, which share a line, how many they are and how much of it they fill.
fn add_mates(mentions: &mut [Mention], first: usize) {
    let mates = mentions.get_mut(first..).unwrap_or_default();
    let (n_mates, n_bytes) = (mates.len(), mates.iter().map(|mention| mention.view.len()).sum::<usize>());
    for mention in mates {
        mention.around.n_mates = narrow(n_mates);
        mention.around.covered = n_bytes as f32 / mention.around.n_line.max(1) as f32;
    }
}

/// A number that is never so large in a note.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The spelling and the note that words name; no note where they name many.
fn meaning(lexicon: &Lexicon, hit: &Hit, written: &str, folded: &str) -> Option<(usize, Option<usize>)> {
    match lexicon.meaning(hit.words, written, folded) {
        Meaning::One(spelling) => Some((spelling, lexicon.spelling(spelling).map(|known| known.note))),
        Meaning::Many => Some((0, None)),
        Meaning::Nothing => None,
    }
}

/// Marks before the words of a line: of lists, quotes, tables, boxes, emphasis.
fn is_lead(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '-' | '*' | '+' | '>' | '[' | ']' | '|' | '_' | '=' | '~' | '.' | ')')
        || c.is_ascii_digit()
}

fn around(page: &Page, tokens: &[Token], hit: &Hit, view: Span, line: Span) -> Around {
    let text = page.view.text();
    let whole = line::content(line.of(text));
    let before = &text[line.start..view.start];
    let after = line::content(&text[view.end..line.end]);
    let opens_line = before.chars().all(|c| is_lead(c) || c == 'x');
    let is_end = |c: char| is_lead(c) || matches!(c, ':' | '：' | '。' | ',' | ';');
    let lead = whole.trim_start_matches([' ', '\t', '>']);
    let neighbours =
        |c: Option<char>| c.filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, ',' | '.'));
    let heading = page.headings.partition_point(|heading| heading.at <= view.start);
    Around {
        opens_line,
        is_whole_line: opens_line && after.chars().all(is_end),
        in_item: line::without_marker(lead).len() < lead.len(),
        in_table: lead.starts_with('|'),
        opens_sentence: opens_line || opens_sentence(before),
        is_marked: neighbours(before.chars().next_back()).is_some()
            && neighbours(after.chars().next()).is_some(),
        is_headword: opens_line
            && after.trim_start_matches(['*', '_', ' ']).starts_with([':', '：', '-', '–', '—']),
        n_line: narrow(whole.len()),
        n_mates: 1,
        covered: 0.0,
        place: view.start as f32 / text.len().max(1) as f32,
        before: neighbour(tokens[..hit.first].iter().rev(), text),
        after: neighbour(tokens[hit.last + 1..].iter(), text),
        heading: heading
            .checked_sub(1)
            .and_then(|at| page.headings.get(at))
            .map_or(0, |heading| heading.words),
    }
}

fn opens_sentence(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t', '*', '_', '"', '“', '(', '「']);
    before.ends_with(['.', '!', '?', '。', '！', '？', ':', '：', '…'])
}

/// The next token that is no blank, on the same line.
fn neighbour<'a>(tokens: impl Iterator<Item = &'a Token>, text: &str) -> u32 {
    let mut tokens = tokens.filter(|token| token.class != Class::Blank);
    tokens
        .next()
        .filter(|token| !text[token.start..].starts_with(['\n', '\r']))
        .map_or(0, |token| short(token.hash))
}
