//! All names of a vault in one table: every prefix of every name, by its tokens, so that a text is read
//! once and a step costs one look-up. The table grows with the tokens of the names; a first test of 32 KB
//! spares most words even that. All names that start at a token are found, not only the longest: which
//! of them stand free is asked before which is longest, or a long one that does not would hide the others.

use super::judge::common::commonness;
use crate::vault::line;
use crate::vault::names::{
    Name, Source, fold,
    token::{Class, Hashed, Token, mix, same_words, tokens},
};
use std::collections::HashMap;

/// Longer names are titles that nobody writes into a sentence, in bytes.
const MAX_NAME: usize = 160;

/// Bits of the test of first tokens.
const FIRST_BITS: u32 = 18;

/// What follows a prefix.
#[derive(Clone, Copy, Default)]
struct Step {
    /// The words that end here, from 1; 0 where none do.
    words: u32,
    /// Names go on from here.
    is_prefix: bool,
}

/// One spelling of one name of one note.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// As written, NFC.
    pub text: Box<str>,
    /// Folded.
    pub folded: Box<str>,
    /// The note, as an index into the vault's.
    pub note: usize,
    /// Where the name is written.
    pub source: Source,
    /// See [`commonness`].
    pub common: f32,
    /// It is one word in capitals: found only in capitals.
    is_acronym: bool,
    /// A link to the note would lead to another one too.
    is_shared: bool,
}

/// What some words in a text name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// This spelling, as an index into the lexicon's.
    One(usize),
    /// More than one note.
    Many,
    /// Nothing: an acronym in other letters.
    Nothing,
}

/// Some words of a text that are a name, as token indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// First token.
    pub first: usize,
    /// Last token.
    pub last: usize,
    /// The words, as an index for [`Lexicon::meaning`].
    pub words: usize,
}

/// All names of a vault.
#[derive(Default)]
pub struct Lexicon {
    steps: HashMap<u64, Step, Hashed>,
    first: Vec<u64>,
    /// The spellings of each sequence of tokens.
    words: Vec<Vec<usize>>,
    spellings: Vec<Spelling>,
}

impl Lexicon {
    /// The lexicon of these names, each with the index of its note and whether another note has its stem, in the
    /// order of the notes.
    pub fn of(names: impl IntoIterator<Item = (usize, Name, bool)>) -> Self {
        let mut lexicon = Lexicon { first: vec![0; 1 << (FIRST_BITS - 6)], ..Lexicon::default() };
        let mut buffer = Vec::new();
        for (note, name, is_shared) in names {
            lexicon.add(note, name, is_shared, &mut buffer);
        }
        lexicon
    }

    fn add(&mut self, note: usize, name: Name, is_shared: bool, buffer: &mut Vec<Token>) {
        let folded = fold(&name.text);
        tokens(&folded, buffer);
        if !is_nameable(&folded, buffer) {
            return;
        }
        let mut key = 0;
        for (at, token) in buffer.iter().enumerate() {
            key = mix(key, token.hash);
            if at == 0 {
                let bit = first_bit(token.hash);
                self.first[bit / 64] |= 1 << (bit % 64);
            }
            let step = self.steps.entry(key).or_default();
            if at + 1 < buffer.len() {
                step.is_prefix = true;
            } else {
                if step.words == 0 {
                    self.words.push(Vec::new());
                    step.words = u32::try_from(self.words.len()).unwrap_or(0);
                }
                let Some(words) = self.words.get_mut((step.words as usize).wrapping_sub(1)) else { return };
                words.push(self.spellings.len());
            }
        }
        let is_acronym = is_acronym(&name.text);
        let common = commonness(&folded) as f32;
        let (text, folded, source) = (name.text.into(), folded.into(), name.source);
        self.spellings.push(Spelling { text, folded, note, source, common, is_acronym, is_shared });
    }

    /// How many spellings there are.
    pub fn len(&self) -> usize {
        self.spellings.len()
    }

    /// How many prefixes of names the table holds: some 20 bytes each.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// True where no name is known.
    pub fn is_empty(&self) -> bool {
        self.spellings.is_empty()
    }

    /// A spelling by its index.
    pub fn spelling(&self, at: usize) -> Option<&Spelling> {
        self.spellings.get(at)
    }

    /// The first spelling of some words, and all notes they name.
    pub fn notes_of(&self, words: usize) -> Option<(&str, Vec<usize>)> {
        let known = |at: &usize| self.spellings.get(*at);
        let all: Vec<&Spelling> = self.words.get(words)?.iter().filter_map(known).collect();
        let mut notes: Vec<usize> = all.iter().map(|spelling| spelling.note).collect();
        notes.sort_unstable();
        notes.dedup();
        Some((&*all.first()?.text, notes))
    }

    /// Calls `take` with each name that starts at one of the tokens.
    pub fn find(&self, tokens: &[Token], mut take: impl FnMut(Hit)) {
        if self.spellings.is_empty() {
            return;
        }
        for (first, token) in tokens.iter().enumerate() {
            let bit = first_bit(token.hash);
            if self.first[bit / 64] & (1 << (bit % 64)) == 0 || token.class == Class::Blank {
                continue;
            }
            let mut key = 0;
            for (last, token) in tokens.iter().enumerate().skip(first) {
                key = mix(key, token.hash);
                let Some(step) = self.steps.get(&key) else { break };
                if step.words > 0 {
                    take(Hit { first, last, words: step.words as usize - 1 });
                }
                if !step.is_prefix {
                    break;
                }
            }
        }
    }

    /// What a whole text names.
    pub fn meaning_of(&self, written: &str, folded: &str) -> Meaning {
        let (mut buffer, mut found) = (Vec::new(), None);
        tokens(folded, &mut buffer);
        self.find(&buffer, |hit| {
            if hit.first == 0 && hit.last + 1 == buffer.len() {
                found = Some(hit.words);
            }
        });
        found.map_or(Meaning::Nothing, |words| self.meaning(words, written, folded))
    }

    /// What words name, written `written` and folded to `folded`: the spelling with the same marks, else
    /// any; a stem beats what another note says of itself.
    pub fn meaning(&self, words: usize, written: &str, folded: &str) -> Meaning {
        let Some(all) = self.words.get(words) else { return Meaning::Nothing };
        // Words are told apart by their hashes up to here: two texts of one hash end here.
        let is_fit = |known: &Spelling| {
            same_words(&known.folded, folded) && (!known.is_acronym || *known.text == *written)
        };
        if let [only] = all[..] {
            let is_fit = self.spellings.get(only).is_some_and(is_fit);
            return if is_fit { self.one_of(all) } else { Meaning::Nothing };
        }
        let fits = |at: &&usize| self.spellings.get(**at).is_some_and(is_fit);
        let is_same = |at: &&usize| self.spellings.get(**at).is_some_and(|known| *known.folded == *folded);
        let fitting: Vec<usize> = all.iter().filter(fits).copied().collect();
        let same: Vec<usize> = fitting.iter().filter(is_same).copied().collect();
        self.one_of(if same.is_empty() { &fitting } else { &same })
    }

    fn one_of(&self, found: &[usize]) -> Meaning {
        let known = |at: usize| self.spellings.get(at);
        let Some(first) = found.first().copied() else { return Meaning::Nothing };
        let one = |at: usize| match known(at).is_some_and(|one| one.is_shared) {
            true => Meaning::Many,
            false => Meaning::One(at),
        };
        if found.iter().all(|at| known(*at).map(|one| one.note) == known(first).map(|one| one.note)) {
            return one(first);
        }
        let mut stems = found.iter().filter(|at| known(**at).is_some_and(|one| one.source == Source::Stem));
        match (stems.next(), stems.next()) {
            (Some(stem), None) => one(*stem),
            _ => Meaning::Many,
        }
    }
}

fn first_bit(hash: u64) -> usize {
    (hash >> (64 - FIRST_BITS)) as usize
}

/// True for one word of two and more capitals, with or without digits.
fn is_acronym(text: &str) -> bool {
    let is_word = text.chars().all(|c| c.is_alphanumeric());
    is_word && text.chars().filter(|c| c.is_uppercase()).count() >= 2 && !text.chars().any(char::is_lowercase)
}

/// True for what can be a name in a sentence: two letters at least, and nothing that a link cannot show.
/// Days and numbers have no letters, or none but that of a week.
fn is_nameable(folded: &str, tokens: &[Token]) -> bool {
    // Marks of emphasis, math and lists mean something to Markdown, and mean something else inside of a link.
    let is_odd = |c: char| {
        matches!(c, '[' | ']' | '|' | '`' | '<' | '>' | '\\' | '*' | '~' | '=' | '$') || c.is_control()
    };
    let is_item = line::without_marker(folded).len() < folded.len() || folded.starts_with('#');
    let letters = folded.chars().filter(|c| c.is_alphabetic()).count();
    let is_signs = tokens.iter().any(|token| matches!(token.class, Class::Sign(_)));
    let digits = folded.chars().filter(char::is_ascii_digit).count();
    let signs = tokens.iter().filter(|token| matches!(token.class, Class::Sign(_))).count();
    let is_long_enough = if is_signs { signs + usize::from(letters > signs) >= 2 } else { letters >= 2 };
    is_long_enough
        && !is_item
        && (is_signs || digits <= 3 * letters)
        && folded.len() <= MAX_NAME
        && !folded.contains(is_odd)
}
