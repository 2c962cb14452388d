//! What relink knows of one unit of the vault once its text is put away: the pairs of words and notes that are
//! mentioned in it, and the notes that it links. What is judged for itself is a note, or a block of a board or memory; a note
//! gets one link to a target, and of a board or memory each entry. Entries change their shape when others beside them leave,
//! blocks never do: so a trim changes no judgement, and an entry that moves takes its links along and finds none waiting.

use super::{
    boundary::Freedom,
    find::{Around, Finder, Mention},
    lexicon::Lexicon,
    page::Page,
};
use crate::vault::{
    Note, Span, line,
    names::{
        Source, fold,
        token::{hash_of, script_of},
    },
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
    /// A person took away the link that memkeep made of it.
    pub is_refused: bool,
    /// It lies in a zone that only grows.
    pub in_zone: bool,
}

/// A link that memkeep made and that is a mention still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Which of memkeep's links in the note.
    pub own: usize,
    /// Which pair of the unit it shows.
    pub pair: usize,
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
    /// How common the words of the name are, whatever the vault.
    pub common: f32,
}

/// One unit.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The note, as an index into the vault's.
    pub note: usize,
    /// Pairs in order of place.
    pub pairs: Vec<Pair>,
    /// The note that its text stands in: itself, or an archive of it.
    pub own_note: usize,
    /// The block; none where it is a whole note, or what lies in no block of it.
    pub block: Option<Span>,
    /// Which entry the block lies in; 0 where it is a whole note. All of one note and entry get one link to a target.
    pub entry: usize,
    /// The notes that people link in it, sorted, each once.
    pub links: Vec<usize>,
    /// Links of memkeep in it that it would make again.
    pub held: Vec<Held>,
    /// memkeep may put links into it.
    pub is_open: bool,
    /// Its links were made by people, here.
    pub is_evidence: bool,
    /// One of them is a `[[wikilink]]`.
    pub has_wikilink: bool,
    /// What is linked in it and what is not says how people here link.
    pub teaches: bool,
    /// The words of the block, hashed; 0 where it is none.
    pub text: u64,
    /// The note or its archive has the same block before it, or it only leads from one to the other: it teaches nothing,
    /// since a trim makes such blocks and takes them away.
    pub is_echo: bool,
}

/// What is read of a note.
pub struct Reading<'a> {
    /// The note, as an index into the vault's.
    pub at: usize,
    /// The note it is a part of: itself, or that whose archive it is.
    pub origin: usize,
    /// Its text.
    pub note: &'a Note,
    /// Its prose.
    pub page: &'a Page,
    /// It is a board or a memory, or an archive of one.
    pub has_entries: bool,
    /// Its blocks then, in order, each with the entry it lies in, from 1; what lies in none is one more sheet.
    pub blocks: &'a [(Span, usize)],
    /// For each note of the vault, whether a link may lead to it.
    pub is_target: &'a [bool],
    /// For each note the one it is a part of: a link to an archive is one to its note, as before a trim.
    pub homes: &'a [usize],
    /// Where in it memkeep's links were, and to which notes they lead, in order of place.
    pub owns: &'a [(Span, Option<usize>)],
}

impl Reading<'_> {
    /// The units of the note.
    pub fn sheets(&self, finder: &mut Finder, lexicon: &Lexicon) -> Vec<Sheet> {
        let mentions = finder.find(lexicon, self.page, &self.note.text, self.origin);
        let text = |block: Span| hash_of(block.of(&self.note.text).trim());
        let new = |at: usize| {
            let (block, entry) =
                self.blocks.get(at).map_or((None, 0), |(block, entry)| (Some(*block), *entry));
            let text = block.map_or(0, text);
            Sheet { note: self.origin, own_note: self.at, block, entry, text, ..Sheet::default() }
        };
        let mut sheets: Vec<Sheet> = (0..=self.blocks.len()).map(new).collect();
        self.add_links(&mut sheets);
        let mut known: HashMap<(usize, u32, usize), usize> = HashMap::with_capacity(mentions.len());
        for mention in &mentions {
            let unit = self.unit_of(mention.span.start);
            let sheet = &mut sheets[unit];
            let key = (unit, narrow(mention.target), mention.words);
            let pair = *known.entry(key).or_insert(sheet.pairs.len());
            sheet.add(self, lexicon, mention, pair);
        }
        sheets.retain(|sheet| !sheet.pairs.is_empty() || !sheet.links.is_empty());
        sheets
    }

    /// Links to notes that no link of memkeep may lead to, such as archives, say nothing; nor do those of an archive to
    /// the note it belongs to, or a trim would change what is learnt.
    fn add_links(&self, sheets: &mut [Sheet]) {
        for link in &self.page.links {
            let home = link.note.and_then(|note| self.homes.get(note).copied());
            let sheet = &mut sheets[self.unit_of(link.span.start)];
            let leads = home == Some(self.origin);
            sheet.is_echo |= leads && sheet.block.is_some_and(|block| self.is_paragraph(block));
            let is_other = |note: &usize| self.is_target.get(*note) == Some(&true) && *note != self.origin;
            if let Some(note) = home.filter(is_other) {
                sheet.links.push(note);
                sheet.has_wikilink |= link.is_wiki;
            }
        }
        for sheet in sheets {
            sheet.links.sort_unstable();
            sheet.links.dedup();
            // A line that leads to the archive alone, or back: what a trim wrote teaches nothing.
            sheet.is_echo &= sheet.links.is_empty();
        }
    }

    fn is_paragraph(&self, block: Span) -> bool {
        let text = block.of(&self.note.text).trim_start();
        line::without_marker(text).len() == text.len()
    }

    fn unit_of(&self, place: usize) -> usize {
        let next = self.blocks.partition_point(|(block, _)| block.end <= place);
        self.blocks.get(next).filter(|(block, _)| block.start <= place).map_or(self.blocks.len(), |_| next)
    }

    /// Which of memkeep's links a mention is.
    fn own_of(&self, mention: &Mention) -> Option<usize> {
        let own = self.owns.binary_search_by_key(&mention.span, |(span, _)| *span).ok()?;
        self.owns.get(own).filter(|(_, target)| *target == Some(mention.target)).map(|_| own)
    }
}

impl Sheet {
    /// The pairs that say how people here link: all of a unit that teaches, else what they refused.
    pub fn lessons(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| self.teaches || pair.is_refused)
    }

    /// True where it is counted in what is learnt of links.
    pub fn is_lesson(&self) -> bool {
        !self.is_echo && self.has_lessons()
    }

    /// True where there are any.
    pub fn has_lessons(&self) -> bool {
        self.teaches || self.pairs.iter().any(|pair| pair.is_refused)
    }

    /// Adds a mention as the pair at index `pair`, or to it.
    fn add(&mut self, reading: &Reading<'_>, lexicon: &Lexicon, mention: &Mention, pair: usize) {
        if let Some(own) = reading.own_of(mention) {
            self.held.push(Held { own, pair });
        }
        match self.pairs.get_mut(pair) {
            Some(known) => known.add(lexicon, reading, mention),
            None => {
                let is_linked = self.links.binary_search(&mention.target).is_ok();
                let mut new = Pair::of(lexicon, reading, mention, is_linked);
                if reading.has_entries {
                    // Entries come, and go to the archive: where something stands among them says nothing.
                    (new.around.place, new.around.heading) = (0.5, 0);
                }
                self.pairs.push(new);
            }
        }
    }
}

impl Pair {
    fn of(lexicon: &Lexicon, reading: &Reading<'_>, mention: &Mention, is_linked: bool) -> Pair {
        Pair {
            target: narrow(mention.target),
            words: narrow(mention.words),
            start: narrow(mention.span.start),
            end: narrow(mention.span.end),
            count: 1,
            in_table: reading.page.is_in_table(mention.span),
            is_linked,
            is_taken: mention.is_linked,
            fills_line: mention.around.is_whole_line,
            freedom: mention.freedom,
            around: mention.around,
            look: Look::of(lexicon, mention, mention.span.of(&reading.note.text)),
            is_refused: false,
            in_zone: reading.page.is_in_zone(mention.span),
        }
    }

    fn add(&mut self, lexicon: &Lexicon, reading: &Reading<'_>, mention: &Mention) {
        self.count += 1;
        self.fills_line |= mention.around.is_whole_line;
        if self.is_taken && !mention.is_linked {
            self.is_taken = false;
            (self.start, self.end) = (narrow(mention.span.start), narrow(mention.span.end));
            self.in_table = reading.page.is_in_table(mention.span);
            self.in_zone = reading.page.is_in_zone(mention.span);
            self.look = Look::of(lexicon, mention, mention.span.of(&reading.note.text));
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
            common: name.map_or(0.0, |name| name.common),
        }
    }
}

/// A number that is never so large: notes have at most a gigabyte.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
