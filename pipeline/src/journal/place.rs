//! Where things lie in `.memkeep`: every path of memkeep's own is spelt here and nowhere else.

use super::RunId;

/// memkeep's folder at the vault root.
pub const HOME: &str = ".memkeep";

/// The folder of all journals.
pub const JOURNALS: &str = ".memkeep/journal";

/// The history of runs, one line each.
pub const RUNS: &str = ".memkeep/runs.jsonl";

/// Keeps git from all but the rows meant to be shared.
pub const IGNORE: &str = ".memkeep/.gitignore";

/// The folder of `.memkeep` that holds one run, whether or not it exists.
pub fn folder(run: &RunId) -> RunPlace {
    RunPlace { dir: format!("{JOURNALS}/{run}") }
}

/// The paths of one run's journal, relative to the vault.
#[derive(Clone, Debug)]
pub struct RunPlace {
    dir: String,
}

impl RunPlace {
    /// The folder itself.
    pub fn dir(&self) -> &str {
        &self.dir
    }

    /// The record whose presence is the commit point.
    pub fn manifest(&self) -> String {
        format!("{}/manifest.json", self.dir)
    }

    /// The manifest before the commit point: tells a later start whose run this is.
    pub fn manifest_draft(&self) -> String {
        format!("{}/manifest.json.tmp", self.dir)
    }

    /// The record whose presence means that the run is over.
    pub fn outcome(&self) -> String {
        format!("{}/outcome.json", self.dir)
    }

    /// The outcome before it counts.
    pub fn outcome_draft(&self) -> String {
        format!("{}/outcome.json.tmp", self.dir)
    }

    /// The account of the run, for `show`.
    pub fn report(&self) -> String {
        format!("{}/report.json", self.dir)
    }

    /// The folder of [`slot`](Self::slot)s.
    pub fn stage(&self) -> String {
        format!("{}/stage", self.dir)
    }

    /// The `n`th file's after-image until it is exchanged, its before-image from then on.
    pub fn slot(&self, n: usize) -> String {
        format!("{}/stage/{n}", self.dir)
    }

    /// The folder of [`aside`](Self::aside)s.
    pub fn aside_dir(&self) -> String {
        format!("{}/aside", self.dir)
    }

    /// The `n`th file's before-image where files cannot be exchanged; a created note on its way back into its slot.
    pub fn aside(&self, n: usize) -> String {
        format!("{}/aside/{n}", self.dir)
    }

    /// The folder of displaced edits.
    pub fn kept_dir(&self) -> String {
        format!("{}/kept", self.dir)
    }

    /// The `k`th edit of someone else's that the commit displaced from the `n`th file for a moment.
    pub fn kept(&self, n: usize, k: usize) -> String {
        format!("{}/kept/{n}-{k}", self.dir)
    }
}
