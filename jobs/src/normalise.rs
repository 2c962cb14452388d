//! The job that repairs frontmatter. Each rule says what a key should become; the edits themselves are
//! those of [`crate::vault::frontmatter`], and nothing here touches a body.
//!
#![doc = include_str!("normalise/about.md")]

mod changes;
mod dates;
mod doubles;
mod fields;
mod instead;
mod kinds;
mod lists;
mod missing;
mod named;
mod near;
mod quotes;
mod sheet;
mod spelling;
#[cfg(test)]
mod tests;
mod unread;
mod values;

use crate::{
    change::Certainty,
    job::{Card, Job, Proposal, Stage, Touches, per_part, read_notes},
    vault::{Access, Note, Reason, Vault, frontmatter::Frontmatter},
};
use config::Config;
use kinds::Kinds;
use sheet::{Sheet, Vocabulary};
use std::sync::Arc;

/// What the job is.
pub static CARD: Card = Card {
    id: "normalise",
    stage: Stage::Normalise,
    summary: "repairs the frontmatter of notes, line by line",
    touches: Touches::Frontmatter,
    certainty: Certainty::Sure,
    about: include_str!("normalise/about.md"),
};

/// The rules that change anything; the others only tell.
const RULES: [&str; 10] =
    ["value", "archived", "fill", "key", "tags", "list", "date", "duplicate", "duplicate-item", "quote"];

/// The job with its settings.
pub struct Normalise {
    kinds: Kinds,
    max_bytes: usize,
}

/// A note and its frontmatter.
struct Part {
    note: Arc<Note>,
    block: Frontmatter,
}

impl Normalise {
    /// The job as a vault wants it.
    pub fn new(config: &Config) -> Self {
        Normalise { kinds: Kinds::new(&config.normalise), max_bytes: config.limits.frontmatter_bytes }
    }

    fn read(&self, note: &Arc<Note>) -> Option<Part> {
        // What cannot be written can still be looked at; what cannot be read as a note cannot.
        if matches!(note.access, Access::ReadOnly(reason) if reason != Reason::WriteProtected) {
            return None;
        }
        let block = Frontmatter::find_within(&note.text, self.max_bytes)?;
        Some(Part { note: Arc::clone(note), block })
    }

    fn look_at(&self, words: &Vocabulary<'_>, Part { note, block }: &Part) -> Proposal {
        if let Some(finding) = unread::reason(&self.kinds, note, block) {
            return Proposal { findings: self.kinds.wanted(vec![finding]), ..Proposal::default() };
        }
        changes::proposal(&Sheet::new(&self.kinds, words, note, block))
    }
}

impl Job for Normalise {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn rules(&self) -> &'static [&'static str] {
        &RULES
    }

    fn plan(&self, vault: &Vault) -> Proposal {
        let (parts, findings) = read_notes(vault, |note| self.read(note));
        let words = Vocabulary::of(&parts);
        let proposal = per_part(&parts, |part| &part.note.path, |part| self.look_at(&words, part));
        let named = named::broken(&self.kinds, vault, &parts);
        let told = Proposal { findings: findings.into_iter().chain(named).collect(), ..Proposal::default() };
        proposal.join(told)
    }
}
