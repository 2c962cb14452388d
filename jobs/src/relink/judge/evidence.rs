//! What the links that people made say: how often words are linked where they stand, who links whom, and
//! how much the place of a mention matters. A unit is always judged by what the others say, its own links
//! taken out, so that what is learnt holds for a unit without links too.

use crate::relink::sheet::{Pair, Sheet};
use crate::vault::{
    Vault,
    names::token::{Hashed, hash_of, mix},
};
use rayon::prelude::*;
use std::collections::HashMap;

/// Of `all` cases, `linked` were linked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases.
    pub all: u32,
    /// Those that people linked.
    pub linked: u32,
}

impl Tally {
    fn add(&mut self, is_linked: bool) {
        self.all += 1;
        self.linked += u32::from(is_linked);
    }

    /// Without the cases of `own`.
    pub fn without(self, own: Tally) -> Tally {
        Tally { all: self.all.saturating_sub(own.all), linked: self.linked.saturating_sub(own.linked) }
    }

    /// The share linked, pulled towards `prior` by as many cases as `weight`.
    pub fn share(self, prior: f64, weight: f64) -> f64 {
        (f64::from(self.linked) + weight * prior) / (f64::from(self.all) + weight)
    }
}

/// The ways in which cases are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By the words.
    Words,
    /// By the note named.
    Target,
    /// By the token before.
    Before,
    /// By the token after.
    After,
    /// By the heading above.
    Heading,
    /// By the folders of both notes.
    Folders,
    /// By the folder of the note they stand in.
    Folder,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 7] =
        [Kind::Words, Kind::Target, Kind::Before, Kind::After, Kind::Heading, Kind::Folders, Kind::Folder];

    fn key(self, folders: &[u64], note: usize, pair: &Pair) -> u64 {
        let folder = |at: usize| folders.get(at).copied().unwrap_or_default();
        let key = match self {
            Kind::Words => u64::from(pair.words),
            Kind::Target => u64::from(pair.target),
            Kind::Before => u64::from(pair.around.before),
            Kind::After => u64::from(pair.around.after),
            Kind::Heading => u64::from(pair.around.heading),
            Kind::Folders => mix(folder(note), folder(pair.target())),
            Kind::Folder => folder(note),
        };
        mix(self as u64 + 1, key)
    }
}

/// The tallies of some units, of one kind or of all.
#[derive(Clone, Debug, Default)]
struct Tallies(HashMap<u64, Tally, Hashed>);

impl Tallies {
    fn add(&mut self, folders: &[u64], sheet: &Sheet, kind: Kind) {
        for pair in sheet.lessons() {
            self.0.entry(kind.key(folders, sheet.note, pair)).or_default().add(pair.is_linked);
        }
    }

    fn get(&self, key: u64) -> Tally {
        self.0.get(&key).copied().unwrap_or_default()
    }
}

/// The evidence of a vault.
#[derive(Debug, Default)]
pub struct Evidence {
    folders: Vec<u64>,
    /// One for each kind, in their order.
    tallies: Vec<Tallies>,
    /// All pairs.
    total: Tally,
    /// Notes that link a note, and notes that it links: sorted, each once.
    inward: Vec<Vec<usize>>,
    outward: Vec<Vec<usize>>,
    /// Units in which some words stand, by the words.
    pub spread: HashMap<u32, usize>,
    /// How many units there are.
    pub n_units: usize,
}

/// How a unit looks to itself: what it added to the evidence.
pub struct Own(Tallies);

impl Evidence {
    /// The evidence of the units in `sheets`.
    pub fn of(vault: &Vault, sheets: &[Sheet]) -> Evidence {
        let n = vault.notes().len();
        let mut evidence = Evidence {
            folders: vault.notes().iter().map(|note| hash_of(note.path.folder())).collect(),
            inward: vec![Vec::new(); n],
            outward: vec![Vec::new(); n],
            n_units: sheets.iter().filter(|sheet| !sheet.is_echo).count(),
            ..Evidence::default()
        };
        let teachers: Vec<&Sheet> = sheets.iter().filter(|sheet| sheet.is_lesson()).collect();
        let of_kind = |kind: &Kind| {
            let mut tallies = Tallies::default();
            teachers.iter().for_each(|sheet| tallies.add(&evidence.folders, sheet, *kind));
            tallies
        };
        evidence.tallies = Kind::ALL.par_iter().map(of_kind).collect();
        for sheet in &teachers {
            sheet.lessons().for_each(|pair| evidence.total.add(pair.is_linked));
        }
        sheets.iter().filter(|sheet| sheet.is_evidence).for_each(|sheet| evidence.add_links(sheet));
        for pair in sheets.iter().filter(|sheet| !sheet.is_echo).flat_map(|sheet| &sheet.pairs) {
            *evidence.spread.entry(pair.words).or_default() += 1;
        }
        for links in evidence.inward.iter_mut().chain(&mut evidence.outward) {
            links.sort_unstable();
            links.dedup();
        }
        evidence
    }

    fn add_links(&mut self, sheet: &Sheet) {
        for target in &sheet.links {
            self.inward[*target].push(sheet.note);
            self.outward[sheet.note].push(*target);
        }
    }

    /// What a unit added itself.
    pub fn own(&self, sheet: &Sheet) -> Own {
        let mut own = Tallies::default();
        if sheet.has_lessons() {
            Kind::ALL.into_iter().for_each(|kind| own.add(&self.folders, sheet, kind));
        }
        Own(own)
    }

    /// How the cases like `pair` in other units went.
    pub fn others(&self, own: &Own, kind: Kind, note: usize, pair: &Pair) -> Tally {
        let key = kind.key(&self.folders, note, pair);
        let all = self.tallies.get(kind as usize).map_or(Tally::default(), |tallies| tallies.get(key));
        all.without(own.0.get(key))
    }

    /// The share of all mentions that are linked.
    pub fn overall(&self) -> f64 {
        self.total.share(0.3, 10.0)
    }

    /// How many other notes than `note` link `target`.
    pub fn in_degree(&self, target: usize, note: usize) -> usize {
        let inward = self.inward.get(target).map_or(&[][..], Vec::as_slice);
        inward.len() - usize::from(inward.binary_search(&note).is_ok())
    }

    /// How many notes `note` links.
    pub fn out_degree(&self, note: usize) -> usize {
        self.outward.get(note).map_or(0, Vec::len)
    }

    /// True where `from` links `to`.
    pub fn links(&self, from: usize, to: usize) -> bool {
        self.outward.get(from).is_some_and(|links| links.binary_search(&to).is_ok())
    }

    /// How near `target` is to the notes of `around`, which are sorted: neighbours in common, from 0 to 1. The
    /// links of `note` itself do not count.
    pub fn nearness(&self, target: usize, around: &[usize], note: usize) -> f64 {
        let lists = [self.inward.get(target), self.outward.get(target)];
        let (mut shared, mut all) = (0, 0);
        for list in lists.into_iter().flatten() {
            all += list.len() - usize::from(list.binary_search(&note).is_ok());
            let (few, many) =
                if list.len() < around.len() { (&list[..], around) } else { (around, &list[..]) };
            shared += few.iter().filter(|one| **one != note && many.binary_search(one).is_ok()).count();
        }
        shared as f64 / ((all + 1) as f64 * (around.len() + 1) as f64).sqrt()
    }

    /// The notes that link `note`, sorted.
    pub fn inward(&self, note: usize) -> &[usize] {
        self.inward.get(note).map_or(&[], Vec::as_slice)
    }
}
