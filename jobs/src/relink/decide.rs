//! Which links should stand in each unit: those that memkeep made and whose reason holds, and new ones.

use super::{
    LINKED, SUGGESTED, Settings, explain,
    judge::{Judge, evidence::Kind, features::Unit},
    own::Ground,
    sheet::{Held, Pair, Sheet},
    survey::Survey,
};
use crate::vault::{NotePath, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How a run decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// What stands stays until its case is clearly weaker.
    #[default]
    Steady,
    /// As if nothing had been made before: a pure function of what people wrote.
    Afresh,
    /// Nothing but that no link of memkeep's leads to this note.
    Without(NotePath),
}

/// A link that should stand.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// Its unit.
    pub sheet: &'a Sheet,
    /// What it links.
    pub pair: &'a Pair,
    /// Where, in the plain note.
    pub span: Span,
    /// How likely people would link it.
    pub likely: f64,
    /// It is nearly certain; else it waits for a person's word.
    pub is_sure: bool,
    /// People never linked these words, and nobody asked for it.
    pub is_new: bool,
    /// Which of memkeep's links in the note it is; none where it is to be made.
    pub own: Option<usize>,
    /// Why, as a sentence; empty where it stands already.
    pub sentence: String,
}

/// What decisions are made from.
pub struct Decider<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The judge.
    pub judge: &'a Judge,
    /// The units.
    pub survey: &'a Survey,
    /// What memkeep made before.
    pub ground: &'a Ground,
    /// How to decide.
    pub mode: &'a Mode,
}

impl<'a> Decider<'a> {
    /// What one unit wants, which is one sheet or several: each note at most once, in order of place. Links of memkeep
    /// that stand for one note twice, since two entries became one, stay.
    pub fn wanted(&self, sheets: &[&'a Sheet]) -> Vec<Wanted<'a>> {
        let (closed, refused) = closed(sheets);
        let units: Vec<Unit<'a>> =
            sheets.iter().map(|sheet| Unit::new(&self.judge.evidence, &self.survey.facts, sheet)).collect();
        let (mut kept, mut best) = (Vec::new(), BTreeMap::new());
        let chances: Vec<Vec<f64>> = sheets
            .iter()
            .zip(&units)
            .map(|(sheet, unit)| {
                let is_open = |pair: &Pair| !closed.contains(&pair.target);
                let chance = |pair| if is_open(pair) { self.judge.probability(unit, pair) } else { 0.0 };
                sheet.pairs.iter().map(chance).collect()
            })
            .collect();
        for (sheet, chances) in sheets.iter().zip(&chances).filter(|_| *self.mode == Mode::Steady) {
            kept.extend(sheet.held.iter().filter_map(|held| self.kept(sheet, *held, chances)));
        }
        let known: BTreeSet<u32> = kept.iter().map(|one: &Wanted<'_>| one.pair.target).collect();
        for (sheet, chances) in sheets.iter().zip(&chances) {
            for (pair, likely) in sheet
                .pairs
                .iter()
                .zip(chances)
                .filter(|(pair, _)| !known.contains(&pair.target) && !refused.contains(&pair.target))
            {
                self.add(&mut best, sheet, pair, *likely);
            }
        }
        let mut wanted: Vec<Wanted<'a>> = kept.into_iter().chain(best.into_values()).collect();
        wanted.iter_mut().for_each(|one| self.complete(one, sheets, &units));
        wanted.sort_by_key(|wanted| wanted.span);
        wanted
    }

    /// Adds what is asked of chosen ones alone.
    fn complete(&self, one: &mut Wanted<'a>, sheets: &[&'a Sheet], units: &[Unit<'a>]) {
        let Some(at) = sheets.iter().position(|sheet| std::ptr::eq(*sheet, one.sheet)) else { return };
        let Some(unit) = units.get(at) else { return };
        one.own = one.own.or_else(|| self.standing(one));
        one.is_new = unit.others(Kind::Words, one.pair).linked == 0 && !unit.is_meant(one.pair);
        if let Some(note) = self.ground.vault.notes().get(one.sheet.own_note).filter(|_| one.own.is_none()) {
            one.sentence = explain::sentence(self.judge, unit, one.pair, &note.text);
        }
    }

    /// A link of memkeep's whose reason holds.
    fn kept(&self, sheet: &'a Sheet, held: Held, chances: &[f64]) -> Option<Wanted<'a>> {
        let own = self.ground.kept(sheet.own_note).owns.get(held.own)?;
        let (pair, likely) = (sheet.pairs.get(held.pair)?, *chances.get(held.pair)?);
        let is_sure = own.row.rule == LINKED && !self.settings.accepts;
        let least = if is_sure { self.settings.linked } else { self.settings.suggested };
        let kept =
            Wanted { span: own.plain, is_sure, own: Some(held.own), ..self.candidate(sheet, pair, likely) };
        (likely > 0.0 && likely >= least - self.settings.steady).then_some(kept)
    }

    /// The link of memkeep that stands where one is wanted; what was accepted stays accepted.
    fn standing(&self, one: &Wanted<'_>) -> Option<usize> {
        let owns = &self.ground.kept(one.sheet.own_note).owns;
        let at = |held: &&Held| owns.get(held.own).is_some_and(|own| own.plain == one.span);
        let held = one.sheet.held.iter().find(at)?;
        let is_accepted = owns.get(held.own).is_some_and(|own| own.row.rule == SUGGESTED);
        (one.is_sure || is_accepted || self.settings.accepts).then_some(held.own)
    }

    /// The first mention of the surer class counts: pairs come in order of place.
    fn add(&self, best: &mut BTreeMap<u32, Wanted<'a>>, sheet: &'a Sheet, pair: &'a Pair, likely: f64) {
        if likely < self.settings.suggested || likely <= 0.0 || pair.is_taken {
            return;
        }
        let new = self.candidate(sheet, pair, likely);
        match best.get(&pair.target) {
            Some(known) if known.is_sure || !new.is_sure => {}
            _ => drop(best.insert(pair.target, new)),
        }
    }

    fn candidate(&self, sheet: &'a Sheet, pair: &'a Pair, likely: f64) -> Wanted<'a> {
        let is_sure = likely >= self.settings.linked && !pair.in_zone;
        let sentence = String::new();
        Wanted { sheet, pair, span: pair.span(), likely, is_sure, is_new: false, own: None, sentence }
    }
}

/// The notes that get no link in a unit, since people link them there, and those that get no new one, since a person took
/// one away.
fn closed(sheets: &[&Sheet]) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let pairs = || sheets.iter().flat_map(|sheet| &sheet.pairs);
    let linked: BTreeSet<usize> = sheets.iter().flat_map(|sheet| sheet.links.iter().copied()).collect();
    let targets =
        |is_so: &dyn Fn(&Pair) -> bool| pairs().filter(|pair| is_so(pair)).map(|pair| pair.target).collect();
    (targets(&|pair| linked.contains(&pair.target())), targets(&|pair| pair.is_refused))
}

/// A name that would be linked too often: its words as an index into the lexicon, and how often.
pub type HeldBack = (usize, usize);

/// Of the links that memkeep has and would make, one name that nobody links may have this share.
const MOST_SHARE: f64 = 0.025;

/// Takes out the words that no person links and that would get too many links.
pub fn hold_back(most: usize, steady: f64, wanted: &mut [(usize, Vec<Wanted<'_>>)]) -> Vec<HeldBack> {
    let mut counts: HashMap<usize, Count> = HashMap::new();
    let all = || wanted.iter().flat_map(|(_, wanted)| wanted);
    for one in all() {
        let count = counts.entry(one.pair.words as usize).or_default();
        count.all += 1;
        count.is_known |= !one.is_new;
        count.has_own |= one.own.is_some();
    }
    let most = (most as f64).max(all().count() as f64 * MOST_SHARE);
    let is_held = |count: &Count| {
        let slack = if count.has_own { 1.0 + steady } else { 1.0 };
        !count.is_known && count.all as f64 > most * slack
    };
    let held = counts.iter().filter(|(_, count)| is_held(count));
    let mut held: Vec<HeldBack> = held.map(|(words, count)| (*words, count.all)).collect();
    held.sort_unstable();
    for (_, wanted) in wanted.iter_mut() {
        wanted.retain(|one| held.binary_search_by_key(&(one.pair.words as usize), |held| held.0).is_err());
    }
    held
}

/// The links to be of some words.
#[derive(Default)]
struct Count {
    all: usize,
    /// People link the words somewhere.
    is_known: bool,
    /// memkeep links them already.
    has_own: bool,
}
