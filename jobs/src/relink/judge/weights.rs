//! The shipped weights: those for a vault without links, and those that a vault with many starts from. The
//! table is made by `cargo run --release -p pipeline --example links -- fit VAULT..`.

use super::{
    features::{N, NAMES, Values},
    fit::{Model, Scale},
    table::TABLE,
};

/// As many links weigh as much as the weights for a vault without any.
const HALF: f64 = 30.0;

/// What every vault starts from.
#[derive(Clone, Debug)]
pub struct Shipped {
    /// How values are scaled.
    pub scale: Scale,
    /// Where nothing is linked yet.
    pub cold: Model,
    /// Where much is.
    pub warm: Model,
}

impl Shipped {
    /// The compiled-in weights.
    pub fn compiled() -> Shipped {
        let column = |pick: fn(&Row) -> f64| {
            let mut values: Values = [0.0; N];
            for (slot, row) in values.iter_mut().zip(TABLE) {
                *slot = pick(row);
            }
            values
        };
        Shipped {
            scale: Scale { mean: column(|row| row.1), deviation: column(|row| row.2) },
            cold: Model { weights: column(|row| row.3) },
            warm: Model { weights: column(|row| row.4) },
        }
    }

    /// What a vault in which `n_links` mentions are linked starts from.
    pub fn prior(&self, n_links: usize) -> Model {
        let share = n_links as f64 / (n_links as f64 + HALF);
        let mut prior = self.cold.clone();
        for (weight, warm) in prior.weights.iter_mut().zip(&self.warm.weights) {
            *weight += share * (warm - *weight);
        }
        prior
    }

    /// The same as the text of `table.rs`.
    pub fn table(&self) -> String {
        let mut text = TABLE_HEAD.to_owned();
        for (at, name) in NAMES.iter().enumerate() {
            let columns =
                [self.scale.mean[at], self.scale.deviation[at], self.cold.weights[at], self.warm.weights[at]];
            let [mean, deviation, cold, warm] = columns.map(|value| format!("{value:.4}"));
            text.push_str(&format!("    (\"{name}\", {mean}, {deviation}, {cold}, {warm}),\n"));
        }
        text + "];\n"
    }
}

/// A feature: its name, its mean, how far it strays, its weight in a vault without links and in one with many.
pub type Row = (&'static str, f64, f64, f64, f64);

const TABLE_HEAD: &str = "//! Made by `cargo run --release -p pipeline --example links -- fit VAULT..`; do not edit.\n\n\
use super::weights::Row;\n\n/// One row for each feature, in their order.\n#[rustfmt::skip]\npub const TABLE: &[Row] = &[\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_every_feature() {
        let names: Vec<&str> = TABLE.iter().map(|row| row.0).collect();
        assert_eq!(names, NAMES);
        assert!(TABLE.iter().all(|row| row.2 > 0.0));
    }
}
