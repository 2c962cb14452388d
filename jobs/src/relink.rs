//! The job that makes mentions of other notes links, judging as the people of the vault would. What it made is
//! remembered, counts as text when it judges again, and becomes text where its reason is gone.
//!
#![doc = include_str!("relink/about.md")]

pub mod answer;
pub mod boundary;
pub mod decide;
pub mod explain;
pub mod find;
pub mod judge;
pub mod lexicon;
mod moved;
mod near;
pub mod own;
pub mod page;
mod settle;
pub mod sheet;
pub mod survey;
mod tell;
#[cfg(test)]
mod tests;
mod write;

use crate::{
    change::{Certainty, Change, Edit, Why},
    job::{Card, Job, Proposal, Stage, Touches},
    vault::{Note, NotePath, Vault, archive::origin_of},
};
use config::{Config, LinkStyle};
pub use decide::Mode;
use decide::{Decider, HeldBack, Wanted, hold_back};
use judge::{Judge, evidence::Evidence, weights::Shipped};
use own::{Ground, Kept};
use rayon::prelude::*;
use settle::{Settled, Settling};
use sheet::Sheet;
use std::collections::{BTreeMap, BTreeSet};
use survey::{Parts, Survey};

/// What the job is.
pub static CARD: Card = Card {
    id: "relink",
    stage: Stage::Relink,
    summary: "makes the first mention of another note a link",
    touches: Touches::Prose,
    certainty: Certainty::Sure,
    about: include_str!("relink/about.md"),
};

/// The rule under which a mention becomes a link.
pub const LINKED: &str = "relink/linked";

/// The rule under which a likely mention is shown.
pub const SUGGESTED: &str = "relink/suggested";

/// The rule under which a link of memkeep's becomes text.
pub const UNLINKED: &str = "relink/unlinked";

/// The rule under which many do at once.
pub const SHRINK: &str = "relink/shrink";

/// The rule that names words of several notes.
pub const AMBIGUOUS: &str = "relink/ambiguous";

/// The rule that names words that would be linked too often.
pub const HELD_BACK: &str = "relink/held-back";

/// The rule that counts what was undone.
pub const UNDONE: &str = "relink/undone";

/// The rules that change anything; the others only tell.
const RULES: [&str; 4] = ["linked", "suggested", "unlinked", "shrink"];

/// What the job goes by.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which notes and names play which part.
    pub parts: Parts,
    /// From this probability on, a mention is linked.
    pub linked: f64,
    /// From this one on, it is suggested.
    pub suggested: f64,
    /// How far the probability of a link may fall before it goes.
    pub steady: f64,
    /// New links beyond which a name that nobody links is held back.
    pub most: usize,
    /// How links are written.
    pub style: LinkStyle,
    /// What is suggested is accepted in this run: links made so stay.
    pub accepts: bool,
}

/// The job with its settings.
pub struct Relink {
    settings: Settings,
    shipped: Shipped,
    mode: Mode,
}

impl Settings {
    /// The settings as a vault wants them.
    pub fn new(config: &Config) -> Self {
        let own = &config.relink;
        let share = |of_hundred: u32| f64::from(of_hundred) / 100.0;
        Settings {
            parts: Parts::new(config),
            linked: share(own.linked),
            suggested: share(own.suggested),
            steady: share(own.steady),
            most: own.most,
            style: own.style,
            accepts: config.accepts(SUGGESTED) || config.accept.iter().any(|own| own == "likely"),
        }
    }
}

/// What is known of a vault before anything is decided.
pub struct Look {
    /// memkeep's links, and the vault without them.
    pub ground: Ground,
    /// The names and mentions in it.
    pub survey: Survey,
    /// What people would link.
    pub judge: Judge,
}

impl Relink {
    /// The job as a vault wants it.
    pub fn new(settings: Settings) -> Self {
        Relink { settings, shipped: Shipped::compiled(), mode: Mode::Steady }
    }

    /// The same, deciding in another way.
    pub fn with(self, mode: Mode) -> Self {
        Relink { mode, ..self }
    }

    /// All links of memkeep to a note made text. What is remembered of them stays, and keeps them away.
    fn without(&self, vault: &Vault, target: &NotePath) -> Proposal {
        let ground = Ground::of(vault, &self.settings.parts);
        let of_note = |(at, kept): (&usize, &Kept)| {
            let note = vault.notes().get(*at).filter(|_| self.is_open(vault, *at))?;
            let owns = kept.owns.iter().filter(|own| own.row.target == *target);
            let why = || Why::sure(UNLINKED, "asked for by a person").with("to", target);
            let edits: Vec<Edit> =
                owns.map(|own| Edit::replace(&note.text, own.span, own.row.words.clone(), why())).collect();
            (!edits.is_empty()).then(|| Change::Edit { note: note.path.clone(), edits })
        };
        let notes: BTreeMap<&usize, &Kept> = ground.kept.iter().collect();
        Proposal { changes: notes.into_iter().filter_map(of_note).collect(), ..Proposal::default() }
    }

    /// Reads a vault.
    pub fn look(&self, vault: &Vault) -> Look {
        let ground = Ground::of(vault, &self.settings.parts);
        let survey = Survey::of(&ground, &self.settings.parts);
        let evidence = Evidence::of(&ground.vault, &survey.sheets);
        let judge = Judge::of(&self.shipped, evidence, &survey.facts, &survey.sheets);
        Look { ground, survey, judge }
    }

    /// The links that should stand, by note in order of place; and the names that would have too many.
    pub fn wanted<'a>(&'a self, look: &'a Look) -> (BTreeMap<usize, Vec<Wanted<'a>>>, Vec<HeldBack>) {
        let Look { ground, survey, judge } = look;
        let decider = Decider { settings: &self.settings, judge, survey, ground, mode: &self.mode };
        let mut units: BTreeMap<(usize, usize), Vec<&Sheet>> = BTreeMap::new();
        for sheet in survey.sheets.iter().filter(|sheet| sheet.is_open) {
            units.entry((sheet.own_note, sheet.entry)).or_default().push(sheet);
        }
        let units: Vec<(usize, Vec<&Sheet>)> =
            units.into_iter().map(|((note, _), sheets)| (note, sheets)).collect();
        let mut all: Vec<(usize, Vec<Wanted<'_>>)> =
            units.par_iter().map(|(note, sheets)| (*note, decider.wanted(sheets))).collect();
        let held = hold_back(self.settings.most, self.settings.steady, &mut all);
        let mut by_note: BTreeMap<usize, Vec<Wanted<'_>>> = BTreeMap::new();
        for (note, wanted) in all.into_iter().filter(|(_, wanted)| !wanted.is_empty()) {
            by_note.entry(note).or_default().extend(wanted);
        }
        by_note.values_mut().for_each(|wanted| wanted.sort_by_key(|one| one.span));
        (by_note, held)
    }

    /// The changes of every note, in order, and how many notes would lose all links; nothing in notes that no link may
    /// be put into.
    fn settled(
        &self,
        vault: &Vault,
        look: &Look,
        wanted: &BTreeMap<usize, Vec<Wanted<'_>>>,
    ) -> (Vec<Settled>, usize) {
        let notes: BTreeSet<usize> = wanted.keys().chain(look.ground.kept.keys()).copied().collect();
        let notes: Vec<usize> = notes.into_iter().filter(|at| self.is_open(vault, *at)).collect();
        let shrinking = self.shrinking(look, wanted, &notes);
        let of_note = |at: &usize| {
            let (note, plain) = (vault.notes().get(*at)?, look.ground.vault.notes().get(*at)?);
            let owns = &look.ground.kept(*at).owns;
            let reason = |own: usize| tell::reason(vault, look, *at, own);
            let settling = Settling {
                settings: &self.settings,
                vault,
                note,
                plain: &plain.text,
                owns,
                shrinking: &shrinking,
                reason: &reason,
            };
            Some(settling.settle(wanted.get(at).map_or(&[][..], Vec::as_slice)))
        };
        (notes.par_iter().filter_map(of_note).collect(), shrinking.len())
    }

    fn is_open(&self, vault: &Vault, at: usize) -> bool {
        let parts = &self.settings.parts;
        let is_archive =
            |note: &Note| origin_of(&note.path).is_some_and(|origin| vault.note(&origin).is_some());
        vault.notes().get(at).is_some_and(|note| !parts.is_closed(note) && !is_archive(note))
    }

    /// The notes to which memkeep's links lead and would lead no more, where these are many: more than three, and
    /// more than a fifth. Something is wrong with the vault then, more likely than with the links.
    fn shrinking(
        &self,
        look: &Look,
        wanted: &BTreeMap<usize, Vec<Wanted<'_>>>,
        notes: &[usize],
    ) -> BTreeSet<NotePath> {
        let mut stays: BTreeMap<&NotePath, bool> = BTreeMap::new();
        for at in notes {
            let standing: BTreeSet<usize> =
                wanted.get(at).into_iter().flatten().filter_map(|one| one.own).collect();
            for (n, own) in look.ground.kept(*at).owns.iter().enumerate() {
                *stays.entry(&own.row.target).or_default() |= standing.contains(&n);
            }
        }
        let gone: BTreeSet<NotePath> =
            stays.iter().filter(|(_, stays)| !**stays).map(|(target, _)| (*target).clone()).collect();
        let is_many = gone.len() > 3 && gone.len() * 5 > stays.len();
        if is_many { gone } else { BTreeSet::new() }
    }
}

impl Job for Relink {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn rules(&self) -> &'static [&'static str] {
        &RULES
    }

    fn plan(&self, vault: &Vault) -> Proposal {
        if let Mode::Without(target) = &self.mode {
            return self.without(vault, target);
        }
        let look = self.look(vault);
        let (wanted, held) = self.wanted(&look);
        let (settled, n_shrinking) = self.settled(vault, &look, &wanted);
        let mut findings = tell::held_back(&look.survey, &held);
        findings.extend(tell::ambiguous(vault, &look.survey));
        findings.extend(tell::shrinking(n_shrinking));
        findings.extend(tell::undone(settled.iter().map(|one| one.n_undone).sum()));
        let changes: Vec<Change> = settled.into_iter().flat_map(|one| one.changes).collect();
        Proposal { changes, findings, remember: look.ground.memos }
    }
}
