//! The figure of a promise: `promise, trials, failures, seconds`, printed in one line whatever the
//! outcome, so that a passing test says how much it tried.

use std::time::Instant;

/// True in the nightly set, which tries more.
pub fn nightly() -> bool {
    std::env::var_os("MEMKEEP_NIGHTLY").is_some()
}

/// A figure while its trials run.
pub struct Figure {
    promise: &'static str,
    start: Instant,
    trials: usize,
    ended: bool,
}

impl Figure {
    pub fn start(promise: &'static str) -> Self {
        Figure { promise, start: Instant::now(), trials: 0, ended: false }
    }

    pub fn trial(&mut self) {
        self.trials += 1;
    }

    /// All trials passed.
    pub fn end(mut self) {
        self.ended = true;
        self.print(0);
    }

    fn print(&self, failures: usize) {
        println!("{}, {}, {failures}, {:.1}", self.promise, self.trials, self.start.elapsed().as_secs_f64());
    }
}

impl Drop for Figure {
    fn drop(&mut self) {
        if !self.ended {
            self.print(1);
        }
    }
}
