//! What relink knows of one unit of the vault once its text is put away: the pairs of words and notes that are
//! mentioned in it, and the notes that it links. A unit is a note, or an entry of a board or memory, so that
//! an entry that moves takes its links along and finds none waiting.

use super::{
    boundary::Freedom,
    find::{Around, Finder, Mention},
    judge::common::commonness,
    lexicon::Lexicon,
    page::Page,
};
use crate::vault::{
    Note, Span,
    names::{Source, fold, token::script_of},
};
use std::collections::HashMap;

/// All mentions of one note by the same words in one unit. There are millions of them in a large vault, so they
/// are small.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The note that is named.
    pub target: u32,
    /// The words, as an index into the lexicon.
    pub words: u32,
    /// The first mention in prose; that of the first link where all are linked.
    start: u32,
    end: u32,
    /// How many mentions there are.
    pub count: u32,
    /// It lies in a table.
    pub in_table: bool,
    /// The unit links the note already, somewhere.
    pub is_linked: bool,
    /// All its mentions are shown by links.
    pub is_taken: bool,
    /// Any mention fills its line.
    pub fills_line: bool,
    /// How free the first mention stands.
    pub freedom: Freedom,
    /// What stands around the first mention.
    pub around: Around,
    /// What the words are like.
    pub look: Look,
}

/// What written words are like, alone and beside the name that they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Where the name is written.
    pub source: Source,
    /// Every character as in the file name.
    pub is_stem: bool,
    /// Every character as in the name.
    pub is_exact: bool,
    /// Blanks, hyphens and underscores differ.
    pub is_respelt: bool,
    /// They start with a capital.
    pub is_capital: bool,
    /// They start with a small letter.
    pub is_small: bool,
    /// There is a blank, hyphen, underscore or dot in them.
    pub is_several: bool,
    /// There is a digit in them.
    pub has_digits: bool,
    /// Characters.
    pub n_letters: u16,
    /// Characters of scripts without blanks.
    pub n_signs: u16,
    /// See [`commonness`].
    pub common: f32,
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
    /// One of them is a `[[wikilink]]`.
    pub has_wikilink: bool,
    /// What is linked in it and what is not says how people here link.
    pub teaches: bool,
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
        let sheet = &mut sheets[unit_of(link.span.start)];
        sheet.links.push(link.note);
        sheet.has_wikilink |= link.is_wiki;
    }
    for sheet in &mut sheets {
        sheet.links.sort_unstable();
        sheet.links.dedup();
    }
    let mut known: HashMap<(usize, usize, usize), usize> = HashMap::with_capacity(mentions.len());
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
        Pair {
            target: narrow(mention.target),
            words: narrow(mention.words),
            start: narrow(mention.span.start),
            end: narrow(mention.span.end),
            count: 1,
            in_table: page.is_in_table(mention.span),
            is_linked,
            is_taken: mention.is_linked,
            fills_line: mention.around.is_whole_line,
            freedom: mention.freedom,
            around: mention.around,
            look: Look::of(lexicon, mention, mention.span.of(&note.text)),
        }
    }

    fn add(&mut self, lexicon: &Lexicon, page: &Page, note: &Note, mention: &Mention) {
        self.count += 1;
        self.fills_line |= mention.around.is_whole_line;
        if self.is_taken && !mention.is_linked {
            self.is_taken = false;
            (self.start, self.end) = (narrow(mention.span.start), narrow(mention.span.end));
            self.in_table = page.is_in_table(mention.span);
            self.look = Look::of(lexicon, mention, mention.span.of(&note.text));
        }
    }

    /// Where in the note the link goes.
    pub fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// The note that is named, as an index.
    pub fn target(&self) -> usize {
        self.target as usize
    }
}

impl Look {
    fn of(lexicon: &Lexicon, mention: &Mention, written: &str) -> Look {
        let name = lexicon.spelling(mention.spelling);
        let source = name.map_or(Source::Alias, |name| name.source);
        let is_exact = name.is_some_and(|name| *name.text == *written);
        let first = written.chars().next();
        let n_signs = written.chars().filter(|c| script_of(*c).is_some()).count();
        let short = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Look {
            source,
            is_stem: is_exact && source == Source::Stem,
            is_exact,
            is_respelt: !is_exact && name.is_some_and(|name| *name.folded != *fold(written)),
            is_capital: first.is_some_and(char::is_uppercase),
            is_small: first.is_some_and(char::is_lowercase),
            is_several: written.contains(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '.')),
            has_digits: written.contains(char::is_numeric),
            n_letters: short(written.chars().count()),
            n_signs: short(n_signs),
            common: commonness(written) as f32,
        }
    }
}

/// A number that is never so large: notes have at most a gigabyte.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
