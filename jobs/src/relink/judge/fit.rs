//! A logistic model fitted to the links of a vault: a fixed number of Newton steps from shipped weights, which
//! it is pulled towards, so that a vault with few links keeps them and one with many becomes its own. Sums
//! run in the order of the cases: the same cases give the same weights to the last bit.

use super::features::{N, Values};

/// Newton steps at most; most vaults settle after six.
const STEPS: usize = 12;

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
            for (weight, step) in model.weights.iter_mut().zip(&step) {
                *weight -= step;
            }
            if step.iter().all(|step| step.abs() < SETTLED) {
                break;
            }
        }
        model
    }
}

/// Gradient and curvature of the loss.
fn slope(model: &Model, shipped: &Model, pull: f64, cases: &[Case]) -> (Values, Box<[Values; N]>) {
    let mut gradient = [0.0; N];
    let mut curvature = Box::new([[0.0; N]; N]);
    for at in 0..N {
        gradient[at] = pull * (model.weights[at] - shipped.weights[at]);
        curvature[at][at] = pull;
    }
    for case in cases {
        let likely = model.probability(&case.values);
        let error = case.weight * (likely - f64::from(u8::from(case.is_linked)));
        let spread = case.weight * (likely * (1.0 - likely)).max(1e-4);
        for row in 0..N {
            gradient[row] += error * case.values[row];
            let scaled = spread * case.values[row];
            for (slot, value) in curvature[row][..=row].iter_mut().zip(&case.values) {
                *slot += scaled * value;
            }
        }
    }
    (gradient, curvature)
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
