//! Whether people would link a mention: learnt from the links they made in this vault, on top of what vaults
//! have in common.

pub mod common;
pub mod evidence;
pub mod features;
pub mod fit;
mod table;
pub mod weights;

use super::sheet::{Pair, Sheet};
use crate::vault::names::token::mix;
use evidence::Evidence;
use features::{Facts, Unit, Values};
use fit::{Case, Model, Scale};
use rayon::prelude::*;
use weights::Shipped;

/// Cases beyond this many teach nothing new and cost time; those kept are chosen by a hash.
const MAX_CASES: usize = 10_000;

/// How strongly a vault holds on to the shipped weights.
const PULL: f64 = 6.0;

/// The judge of one vault.
pub struct Judge {
    /// What it goes by.
    pub evidence: Evidence,
    /// The fitted model.
    pub model: Model,
    /// How its values are scaled.
    pub scale: Scale,
}

/// The cases of some units: what was linked and what was not. Of every `every` cases one is taken, by what it is and not
/// by its place, so that it is the same one when its block moves to an archive.
fn cases(evidence: &Evidence, facts: &[Facts], sheets: &[&Sheet], every: usize) -> Vec<(Values, bool)> {
    let of_sheet = |sheet: &&Sheet| -> Vec<(Values, bool)> {
        let unit = Unit::new(evidence, facts, sheet);
        let place = facts.get(sheet.note).map_or(0, |facts| mix(facts.path, sheet.text));
        let is_taken = |pair: &&Pair| mix(place, u64::from(pair.words)).is_multiple_of(every as u64);
        sheet.lessons().filter(is_taken).map(|pair| (unit.values(pair), pair.is_linked)).collect()
    };
    let found: Vec<Vec<(Values, bool)>> = sheets.par_iter().map(of_sheet).collect();
    found.into_iter().flatten().collect()
}

/// How likely a link is to a note whose names a person wants linked.
const WANTED: f64 = 0.99;

impl Judge {
    /// The judge that the units of a vault make, on top of what is `shipped`.
    pub fn of(shipped: &Shipped, evidence: Evidence, facts: &[Facts], sheets: &[Sheet]) -> Judge {
        let teachers: Vec<&Sheet> = sheets.iter().filter(|sheet| sheet.is_lesson()).collect();
        let pairs = || teachers.iter().flat_map(|sheet| sheet.lessons());
        let every = pairs().count().div_ceil(MAX_CASES).max(1);
        let prior = shipped.prior(pairs().filter(|pair| pair.is_linked).count());
        let all = cases(&evidence, facts, &teachers, every);
        let case = |(values, is_linked): &(Values, bool)| Case {
            values: shipped.scale.apply(values),
            weight: 1.0,
            is_linked: *is_linked,
        };
        let cases: Vec<Case> = all.iter().map(case).collect();
        let model = Model::fitted(&prior, PULL, &cases);
        Judge { evidence, model, scale: shipped.scale.clone() }
    }

    /// How likely people link a pair; 0 where no link may lead to its note.
    pub fn probability(&self, unit: &Unit<'_>, pair: &Pair) -> f64 {
        if unit.is_barred(pair) {
            return 0.0;
        }
        if unit.is_meant(pair) {
            return WANTED;
        }
        self.model.probability(&self.scale.apply(&unit.values(pair)))
    }
}
