//! What a promise came to: `promise, trials, failures, seconds`, printed in one line; any failure fails the test.

use std::time::Instant;

/// Counts trials of one promise.
pub struct Figure {
    promise: &'static str,
    n_trials: usize,
    failures: Vec<String>,
    start: Instant,
}

impl Figure {
    pub fn of(promise: &'static str) -> Self {
        Figure { promise, n_trials: 0, failures: Vec::new(), start: Instant::now() }
    }

    /// One trial; `Err` says how it failed.
    pub fn trial(&mut self, result: Result<(), String>) {
        self.n_trials += 1;
        self.failures.extend(result.err());
    }

    /// For harnesses that are to find something: how often they did.
    pub fn n_failures(&self) -> usize {
        self.failures.len()
    }

    /// What the last failure said; empty where there was none.
    pub fn last_failure(&self) -> String {
        self.failures.last().cloned().unwrap_or_default()
    }

    /// Prints the figure and fails the test on any failure, or if nothing was tried.
    pub fn done(self) {
        self.print("");
        assert!(self.n_trials > 0, "{}: nothing was tried", self.promise);
        let first: Vec<&String> = self.failures.iter().take(5).collect();
        assert!(first.is_empty(), "{}: {first:#?}", self.promise);
    }

    /// For a writer that is known to be bad: fails the test if the harness does not notice.
    pub fn must_have_failed(self) {
        self.print(" (known bad, must fail)");
        assert!(!self.failures.is_empty(), "{}: the harness did not notice a bad writer", self.promise);
    }

    fn print(&self, what: &str) {
        let seconds = self.start.elapsed().as_secs_f32();
        println!("{}{what}, {}, {}, {seconds:.2}", self.promise, self.n_trials, self.failures.len());
    }
}

/// True in the nightly run, which tries everything; a push tries a part.
pub fn is_nightly() -> bool {
    std::env::var_os("MEMKEEP_NIGHTLY").is_some()
}
