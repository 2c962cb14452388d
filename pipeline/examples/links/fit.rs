//! The shipped weights: fitted to all vaults at once, each of them counting the same.

use super::trial::{Row, Trial};
use jobs::{
    relink::judge::{
        features::{N, NAMES, OF_LINKS, Values},
        fit::{Case, Model, Scale},
        weights::Shipped,
    },
    vault::Vault,
};

/// What a vault weighs, in cases.
const WEIGHT: f64 = 1000.0;

/// How strongly weights are pulled towards nothing.
const PULL: f64 = 8.0;

/// Deviations below this are noise of a feature that is the same nearly everywhere.
const LEAST_DEVIATION: f64 = 0.08;

/// What a vault without links takes off the odds, as their logarithm: nothing there corrects a mistake.
const CAUTION: f64 = 1.5;

/// The cases of one vault.
pub struct Lessons {
    warm: Vec<(Values, bool)>,
    cold: Vec<(Values, bool)>,
}

impl Lessons {
    /// The cases of a vault as it is, and as it would look with no link in it.
    pub fn of(notes: &Vault) -> Lessons {
        let (warm, cold) = (Trial::new(notes, "", 0.0, &blank()), Trial::new(notes, "", 1.1, &blank()));
        let pick = |row: Row| (row.values, row.is_human);
        Lessons {
            warm: warm.rows().into_iter().filter(|row| row.part == "train").map(pick).collect(),
            cold: cold.rows().into_iter().map(pick).collect(),
        }
    }
}

fn blank() -> Shipped {
    let zero = Model { weights: [0.0; N] };
    Shipped { scale: Scale { mean: [0.0; N], deviation: [1.0; N] }, cold: zero.clone(), warm: zero }
}

/// The weights that these vaults teach.
pub fn shipped(lessons: &[&Lessons]) -> Shipped {
    let scale = scale(lessons);
    let fitted = |cases: Vec<Case>| Model::fitted(&Model { weights: [0.0; N] }, PULL, &cases);
    let warm = fitted(lessons.iter().flat_map(|one| weighted(&scale, &one.warm)).collect());
    let mut cold_cases: Vec<Case> = lessons.iter().flat_map(|one| weighted(&scale, &one.cold)).collect();
    for case in &mut cold_cases {
        // What speaks of links says the same everywhere in a vault without any: it must not stand in for the bias.
        for (value, name) in case.values.iter_mut().zip(NAMES) {
            if OF_LINKS.contains(&name) {
                *value = 0.0;
            }
        }
    }
    let mut cold = fitted(cold_cases);
    cold.weights[0] -= CAUTION;
    Shipped { scale, cold, warm }
}

fn weighted(scale: &Scale, cases: &[(Values, bool)]) -> Vec<Case> {
    let weight = WEIGHT / cases.len().max(1) as f64;
    let case = |(values, is_linked): &(Values, bool)| Case {
        values: scale.apply(values),
        weight,
        is_linked: *is_linked,
    };
    cases.iter().map(case).collect()
}

/// Mean and deviation over the vaults, each counting the same.
fn scale(lessons: &[&Lessons]) -> Scale {
    let (mut mean, mut square) = ([0.0; N], [0.0; N]);
    for one in lessons {
        for (values, _) in &one.warm {
            for at in 0..N {
                let share = 1.0 / (one.warm.len() * lessons.len()) as f64;
                mean[at] += share * values[at];
                square[at] += share * values[at] * values[at];
            }
        }
    }
    let mut deviation = [1.0; N];
    for at in 1..N {
        deviation[at] = (square[at] - mean[at] * mean[at]).max(0.0).sqrt().max(LEAST_DEVIATION);
    }
    mean[0] = 0.0;
    Scale { mean, deviation }
}
