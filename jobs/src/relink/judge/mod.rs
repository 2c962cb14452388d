//! Whether people would link a mention: learnt from the links they made in this vault, on top of what vaults
//! have in common.

mod common;
pub mod evidence;
pub mod features;
pub mod fit;
mod table;
pub mod weights;

use super::sheet::{Pair, Sheet};
use evidence::Evidence;
use features::{Facts, Unit, Values};
use fit::{Case, Model, Scale};
use rayon::prelude::*;
use weights::Shipped;

/// Cases beyond this many teach nothing new and cost time; those kept are spread evenly.
const MAX_CASES: usize = 20_000;

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

/// The cases of a vault: what was linked and what was not, in units of people that hold a link.
pub fn cases(
    evidence: &Evidence,
    facts: &[Facts],
    sheets: &[Sheet],
    counts: &(impl Fn(&Sheet) -> bool + Sync),
) -> Vec<(Values, bool)> {
    let of_sheet = |sheet: &Sheet| {
        if !counts(sheet) {
            return Vec::new();
        }
        let unit = Unit::new(evidence, facts, sheet, true);
        sheet.pairs.iter().map(|pair| (unit.values(pair), pair.is_linked)).collect()
    };
    let found: Vec<Vec<(Values, bool)>> = sheets.par_iter().map(of_sheet).collect();
    found.into_iter().flatten().collect()
}

impl Judge {
    /// The judge that the units of a vault make, on top of what is `shipped`.
    pub fn of(
        shipped: &Shipped,
        evidence: Evidence,
        facts: &[Facts],
        sheets: &[Sheet],
        counts: impl Fn(&Sheet) -> bool + Sync,
    ) -> Judge {
        let all = cases(&evidence, facts, sheets, &counts);
        let every = all.len().div_ceil(MAX_CASES).max(1);
        let case = |(values, is_linked): &(Values, bool)| Case {
            values: shipped.scale.apply(values),
            weight: 1.0,
            is_linked: *is_linked,
        };
        let cases: Vec<Case> = all.iter().step_by(every).map(case).collect();
        let prior = shipped.prior(all.iter().filter(|(_, is_linked)| *is_linked).count());
        let model = Model::fitted(&prior, PULL, &cases);
        Judge { evidence, model, scale: shipped.scale.clone() }
    }

    /// How likely people link a pair; 0 where no link may lead to its note.
    pub fn probability(&self, unit: &Unit<'_>, pair: &Pair) -> f64 {
        if unit.is_barred(pair) {
            return 0.0;
        }
        self.model.probability(&self.scale.apply(&unit.values(pair)))
    }
}
