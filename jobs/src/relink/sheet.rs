//! What relink knows of one unit of the vault once its text is put away: the pairs of words and notes that are
//! mentioned in it, and the notes that it links. A unit is a note, or an entry of a board or memory, so that
//! an entry that moves takes its links along and finds none waiting.

use super::{
    boundary::Freedom,
    find::Around,
    find::{Finder, Mention},
    lexicon::Lexicon,
    page::Page,
};
use crate::vault::{
    Note, Span,
    names::{Source, fold},
};
use std::collections::HashMap;

/// All mentions of one note by the same words in one unit.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The note that is named.
    pub target: usize,
    /// The words, as an index into the lexicon.
    pub words: usize,
    /// The first mention in prose, in the note; that of the first link where all are linked.
    pub span: Span,
    /// The words as written there.
    pub written: Box<str>,
    /// It lies in a table.
    pub in_table: bool,
    /// How many mentions there are.
    pub count: usize,
    /// The unit links the note already, somewhere.
    pub is_linked: bool,
    /// All its mentions are shown by links.
    pub is_taken: bool,
    /// What stands around the first mention.
    pub around: Around,
    /// The words of the heading above, hashed; 0 where none is.
    pub heading: u64,
    /// How free the first mention stands.
    pub freedom: Freedom,
    /// Any mention fills its line.
    pub fills_line: bool,
    /// What its spelling is like.
    pub spelling: Like,
}

/// What written words are like beside the name that they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Like {
    /// Where the name is written.
    pub source: Source,
    /// Every character as in the file name.
    pub is_stem: bool,
    /// Every character as in the name.
    pub is_exact: bool,
    /// Blanks, hyphens and underscores differ.
    pub is_respelt: bool,
}

/// One unit.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The note, as an index into the vault's.
    pub note: usize,
    /// Pairs in order of place.
    pub pairs: Vec<Pair>,
    /// The notes that are linked in it, sorted, each once.
    pub links: Vec<usize>,
}

/// The units of the note at index `at`: `units` are spans of the note, sorted; what lies in none is one more.
pub fn sheets(
    finder: &mut Finder,
    lexicon: &Lexicon,
    page: &Page,
    note: &Note,
    at: usize,
    units: &[Span],
) -> Vec<Sheet> {
    let mentions = finder.find(lexicon, page, &note.text, at);
    let unit_of = |place: usize| {
        let next = units.partition_point(|unit| unit.end <= place);
        units.get(next).filter(|unit| unit.start <= place).map_or(units.len(), |_| next)
    };
    let mut sheets = vec![Sheet { note: at, ..Sheet::default() }; units.len() + 1];
    for link in &page.links {
        sheets[unit_of(link.span.start)].links.push(link.note);
    }
    for sheet in &mut sheets {
        sheet.links.sort_unstable();
        sheet.links.dedup();
    }
    let mut known: HashMap<(usize, usize, usize), usize> = HashMap::new();
    for mention in &mentions {
        let unit = unit_of(mention.span.start);
        let sheet = &mut sheets[unit];
        let next = sheet.pairs.len();
        let pair = *known.entry((unit, mention.target, mention.words)).or_insert(next);
        match sheet.pairs.get_mut(pair) {
            Some(pair) => pair.add(lexicon, page, note, mention),
            None => {
                let is_linked = sheet.links.binary_search(&mention.target).is_ok();
                sheet.pairs.push(Pair::of(lexicon, page, note, mention, is_linked));
            }
        }
    }
    sheets.retain(|sheet| !sheet.pairs.is_empty() || !sheet.links.is_empty());
    sheets
}

impl Pair {
    fn of(lexicon: &Lexicon, page: &Page, note: &Note, mention: &Mention, is_linked: bool) -> Pair {
        let written = mention.span.of(&note.text);
        let heading = mention.around.heading.and_then(|at| page.headings.get(at));
        Pair {
            target: mention.target,
            words: mention.words,
            span: mention.span,
            written: written.into(),
            in_table: page.is_in_table(mention.span),
            count: 1,
            is_linked,
            is_taken: mention.is_linked,
            around: mention.around,
            heading: heading.map_or(0, |heading| hash_of(&heading.words)),
            freedom: mention.freedom,
            fills_line: mention.around.is_whole_line,
            spelling: Like::of(lexicon, mention, written),
        }
    }

    fn add(&mut self, lexicon: &Lexicon, page: &Page, note: &Note, mention: &Mention) {
        self.count += 1;
        self.fills_line |= mention.around.is_whole_line;
        if self.is_taken && !mention.is_linked {
            self.is_taken = false;
            self.span = mention.span;
            self.written = mention.span.of(&note.text).into();
            self.in_table = page.is_in_table(mention.span);
            self.spelling = Like::of(lexicon, mention, &self.written);
        }
    }
}

impl Like {
    fn of(lexicon: &Lexicon, mention: &Mention, written: &str) -> Like {
        let name = lexicon.spelling(mention.spelling);
        let source = name.map_or(Source::Alias, |name| name.source);
        let is_exact = name.is_some_and(|name| *name.text == *written);
        let is_respelt = name.is_some_and(|name| fold(&name.text) != fold(written));
        Like { source, is_stem: is_exact && source == Source::Stem, is_exact, is_respelt }
    }
}

/// Words as a number; 0 for none.
pub fn hash_of(words: &str) -> u64 {
    use crate::vault::names::token::mix;
    words.chars().fold(0, |hash, c| mix(hash, u64::from(u32::from(c))))
}
