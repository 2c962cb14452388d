//! A logistic model fitted to the links of a vault: a fixed number of Newton steps from shipped weights, which
//! it is pulled towards, so that a vault with few links keeps them and one with many becomes its own. Sums
//! run in the order of the cases, cut at the same places on any number of cores: the same cases give the same weights
//! to the last bit.

use super::features::{N, Values};
use rayon::prelude::*;

/// Newton steps at most; most vaults settle after six.
const STEPS: usize = 12;

/// A step is halved at most this often.
const HALVINGS: i32 = 12;

/// Steps shorter than this change nothing that shows.
const SETTLED: f64 = 1e-6;

/// What the values of a feature are divided by and measured from, and its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// One weight a feature, for scaled values; the first is the bias.
    pub weights: Values,
}

/// The usual value of each feature and how far it strays, over the vaults the shipped weights come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The mean.
    pub mean: Values,
    /// The standard deviation.
    pub deviation: Values,
}

/// One case: scaled values, how much it counts, whether people linked it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Scaled values.
    pub values: Values,
    /// How much it counts.
    pub weight: f64,
    /// Whether people linked it.
    pub is_linked: bool,
}

impl Scale {
    /// Values as the model takes them; the bias stays 1.
    pub fn apply(&self, values: &Values) -> Values {
        let mut scaled = *values;
        for at in 1..N {
            scaled[at] = ((values[at] - self.mean[at]) / self.deviation[at]).clamp(-6.0, 6.0);
        }
        scaled
    }
}

impl Model {
    /// How likely people link a case of these scaled values.
    pub fn probability(&self, values: &Values) -> f64 {
        sigmoid(dot(&self.weights, values))
    }

    /// Fitted to `cases`, pulled towards `shipped` with the strength `pull`, at each weight the same.
    pub fn fitted(shipped: &Model, pull: f64, cases: &[Case]) -> Model {
        let mut model = shipped.clone();
        for _ in 0..STEPS {
            let (gradient, curvature) = slope(&model, shipped, pull, cases);
            let Some(step) = solved(curvature, gradient) else { break };
            model = model.stepped(&step, |trial| loss(trial, shipped, pull, cases));
            if step.iter().all(|step| step.abs() < SETTLED) {
                break;
            }
        }
        model
    }

    /// A step further, or the largest half, quarter or less of one that does not make things worse: a whole one
    /// may land beyond the best weights by more than it came from before them.
    fn stepped(&self, step: &Values, loss: impl Fn(&Model) -> f64) -> Model {
        let now = loss(self);
        let part = |share: f64| {
            let mut trial = self.clone();
            for (weight, step) in trial.weights.iter_mut().zip(step) {
                *weight -= share * step;
            }
            trial
        };
        let shares = (0..HALVINGS).map(|n| 0.5_f64.powi(n));
        shares.map(part).find(|trial| loss(trial) <= now).unwrap_or_else(|| self.clone())
    }
}

/// What is made as small as it can be: how wrong the model is about the cases, and how far from what was shipped.
fn loss(model: &Model, shipped: &Model, pull: f64, cases: &[Case]) -> f64 {
    let strays = model.weights.iter().zip(&shipped.weights).map(|(own, shipped)| (own - shipped).powi(2));
    let wrong = cases.iter().map(|case| {
        let score = dot(&model.weights, &case.values);
        let against = if case.is_linked { -score } else { score };
        // The logarithm of 1 + e^against, without overflow.
        case.weight * (against.max(0.0) + (-against.abs()).exp().ln_1p())
    });
    pull / 2.0 * strays.sum::<f64>() + wrong.sum::<f64>()
}

/// Cases that are summed up together. Sums of floats depend on how they are cut, so the cut is the same on any
/// number of cores.
const CHUNK: usize = 512;

/// Gradient and curvature of the loss.
fn slope(model: &Model, shipped: &Model, pull: f64, cases: &[Case]) -> (Values, Box<[Values; N]>) {
    let parts: Vec<Slope> = cases.par_chunks(CHUNK).map(|cases| Slope::of(model, cases)).collect();
    let mut whole = Slope::default();
    for at in 0..N {
        whole.gradient[at] = pull * (model.weights[at] - shipped.weights[at]);
        whole.curvature[at][at] = pull;
    }
    parts.iter().for_each(|part| whole.add(part));
    (whole.gradient, whole.curvature)
}

/// What some cases add to gradient and curvature; of the latter only the lower half.
struct Slope {
    gradient: Values,
    curvature: Box<[Values; N]>,
}

impl Default for Slope {
    fn default() -> Self {
        Slope { gradient: [0.0; N], curvature: Box::new([[0.0; N]; N]) }
    }
}

impl Slope {
    fn of(model: &Model, cases: &[Case]) -> Slope {
        let mut slope = Slope::default();
        for case in cases {
            let likely = model.probability(&case.values);
            let error = case.weight * (likely - f64::from(u8::from(case.is_linked)));
            let spread = case.weight * (likely * (1.0 - likely)).max(1e-4);
            for row in 0..N {
                slope.gradient[row] += error * case.values[row];
                let scaled = spread * case.values[row];
                for (slot, value) in slope.curvature[row][..=row].iter_mut().zip(&case.values) {
                    *slot += scaled * value;
                }
            }
        }
        slope
    }

    fn add(&mut self, other: &Slope) {
        for row in 0..N {
            self.gradient[row] += other.gradient[row];
            for (slot, value) in self.curvature[row][..=row].iter_mut().zip(&other.curvature[row]) {
                *slot += value;
            }
        }
    }
}

/// Solves `matrix * x = right` by Cholesky; only the lower half of `matrix` is read. None where it is not
/// positive definite.
fn solved(mut matrix: Box<[Values; N]>, right: Values) -> Option<Values> {
    for column in 0..N {
        for row in column..N {
            let (head, rest) = matrix.split_at_mut(row);
            let lower = if row == column { &rest[0] } else { &head[column] };
            let sum: f64 = (0..column).map(|at| rest[0][at] * lower[at]).sum();
            let value = rest[0][column] - sum;
            if row == column && value <= 0.0 {
                return None;
            }
            let divisor = if row == column { value.sqrt() } else { head[column][column] };
            rest[0][column] = if row == column { divisor } else { value / divisor };
        }
    }
    let mut x = right;
    for row in 0..N {
        let sum: f64 = (0..row).map(|at| matrix[row][at] * x[at]).sum();
        x[row] = (x[row] - sum) / matrix[row][row];
    }
    for row in (0..N).rev() {
        let sum: f64 = (row + 1..N).map(|at| matrix[at][row] * x[at]).sum();
        x[row] = (x[row] - sum) / matrix[row][row];
    }
    Some(x)
}

fn dot(one: &Values, other: &Values) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve links where every feature says the same, one of them loudly, and three cases of none.
    fn cases(at: usize, loud: f64) -> Vec<Case> {
        let of = |is_linked: bool, quiet: f64, loud: f64| {
            let mut values = [quiet; N];
            (values[0], values[at]) = (1.0, loud);
            Case { values, weight: 1.0, is_linked }
        };
        let linked = (0..12).map(|_| of(true, 0.9, loud));
        linked.chain((0..3).map(|_| of(false, 0.3, -loud))).collect()
    }

    /// Where the shipped weights are far off, whole steps go back and forth between weights that are all wrong.
    #[test]
    fn the_weights_are_the_best_ones_however_far_they_are() {
        for (at, loud) in [(3, 6.0), (3, -6.0), (10, 4.0)] {
            let (shipped, cases) = (Model { weights: [-1.0; N] }, cases(at, loud));
            let fitted = Model::fitted(&shipped, 6.0, &cases);
            let (gradient, _) = slope(&fitted, &shipped, 6.0, &cases);
            assert!(gradient.iter().all(|part| part.abs() < 1e-3), "{at} {loud}: {gradient:?}");
        }
    }
}
