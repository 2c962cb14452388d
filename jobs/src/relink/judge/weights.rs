//! The shipped weights.

use super::{features::N, fit::{Model, Scale}};

pub fn scale() -> Scale { Scale { mean: [0.0; N], deviation: [1.0; N] } }
pub fn shipped() -> Model { Model { weights: [0.0; N] } }
