//! The job that moves the oldest entries of a memory to its archive. Nothing here writes, and nothing
//! here knows how an archive is laid out: that is [`crate::place`].
//!
#![doc = include_str!("trim/about.md")]

mod age;
mod archive;
mod budget;
mod choose;
mod correction;
mod crumb;
mod cut;
mod follow;
mod gap;
mod keep;
mod links;
mod pin;
mod rounds;
mod say;
mod sheet;
#[cfg(test)]
mod tests;

use crate::{
    change::{Certainty, Change},
    job::{Card, Job, Proposal, Stage, Touches, per_note},
    vault::{Access, Memo, Note, Row, Vault, archive::is_archive},
};
use config::{Config, Globs};
use sheet::{Reach, Sheet};

/// What the job is.
pub static CARD: Card = Card {
    id: "trim",
    stage: Stage::Trim,
    summary: "moves the oldest entries of long memories to their archives",
    touches: Touches::Blocks,
    certainty: Certainty::Sure,
    about: include_str!("trim/about.md"),
};

/// The rule under which entries move.
const OLDEST: &str = "trim/oldest";

/// The rule under which the line to the archive is written.
const POINTER: &str = "trim/pointer";

/// The rules that change anything; the others only tell.
const RULES: [&str; 2] = ["oldest", "pointer"];

/// The job with its settings.
pub struct Trim {
    settings: config::Trim,
    memories: Globs,
}

impl Trim {
    /// The job as a vault wants it.
    pub fn new(config: &Config) -> Self {
        Trim { settings: config.trim.clone(), memories: config.memory.clone() }
    }

    /// How much of a note the job may trim; an archive is never trimmed, whatever the patterns say.
    fn reach(&self, note: &Note) -> Option<Reach> {
        let path = note.path.as_str();
        if matches!(note.access, Access::ReadOnly(_)) || is_archive(&note.path) {
            return None;
        }
        if self.memories.matches(path) {
            return Some(Reach::Whole);
        }
        self.settings.projects.matches(path).then_some(Reach::Zones)
    }

    fn look_at(&self, vault: &Vault, note: &Note) -> Proposal {
        let Some(reach) = self.reach(note) else { return Proposal::default() };
        let sheet = Sheet::read(&self.settings, vault, note, reach);
        let mut proposal = Proposal { remember: added(sheet.unseen(vault)), ..Proposal::default() };
        let outcome = if sheet.is_over() { rounds::trim(&sheet, vault) } else { rounds::Outcome::default() };
        proposal.findings.extend(archive::too_large(&sheet, vault, &outcome.moves));
        proposal.changes.extend(outcome.moves.into_iter().map(Change::Move));
        proposal.findings.extend(outcome.findings);
        proposal.remember.extend(added(outcome.unseen));
        proposal
    }
}

fn added(rows: Vec<Row>) -> Vec<Memo> {
    rows.into_iter().map(Memo::Add).collect()
}

impl Job for Trim {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn rules(&self) -> &'static [&'static str] {
        &RULES
    }

    fn plan(&self, vault: &Vault) -> Proposal {
        let mut proposal = per_note(vault, |note| self.look_at(vault, note));
        proposal.remember.sort();
        proposal.remember.dedup();
        links::repair(vault, proposal)
    }
}
