//! The job that makes mentions of other notes links. It judges as the people of the vault would; nothing
//! here remembers what it did before.
//!
#![doc = include_str!("relink/about.md")]

pub mod boundary;
pub mod explain;
pub mod find;
pub mod judge;
pub mod lexicon;
pub mod page;
pub mod sheet;
pub mod survey;
#[cfg(test)]
mod tests;
mod write;

use crate::{
    change::{Certainty, Change, Edit, Why},
    finding::{Finding, Severity},
    job::{Card, Job, Proposal, Stage, Touches},
    vault::{Access, Vault},
};
use config::{Config, Globs};
use judge::{Judge, evidence::Evidence, features::Unit, weights::Shipped};
use rayon::prelude::*;
use sheet::{Pair, Sheet};
use std::collections::{BTreeMap, HashMap};
use survey::{Parts, Survey};

/// What the job is.
pub static CARD: Card = Card {
    id: "relink",
    stage: Stage::Relink,
    summary: "makes the first mention of another note a link",
    touches: Touches::Prose,
    certainty: Certainty::Likely,
    about: include_str!("relink/about.md"),
};

/// The rule under which a mention becomes a link.
pub const MENTION: &str = "relink/mention";

/// The rule that names words of several notes.
pub const AMBIGUOUS: &str = "relink/ambiguous";

/// The rule that names words that would be linked too often.
pub const HELD_BACK: &str = "relink/held-back";

/// What the job goes by.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which notes play which part.
    pub parts: Parts,
    /// From this probability on, a mention is linked.
    pub linked: f64,
    /// From this one on, it is suggested.
    pub suggested: f64,
}

/// The job with its settings.
pub struct Relink {
    settings: Settings,
    shipped: Shipped,
}

/// One mention that is to become a link.
struct Wanted<'a> {
    pair: &'a Pair,
    likely: f64,
    /// People never linked these words.
    is_new: bool,
    sentence: String,
}

impl Settings {
    /// The settings as a vault wants them.
    pub fn new(config: &Config) -> Self {
        let globs = |patterns: &[&str]| Globs::new(patterns.iter().copied()).unwrap_or_default();
        let parts = Parts {
            no_targets: globs(&[
                "chats/",
                "logs/",
                "archive/",
                "*_archive.md",
                "MEMORY.md",
                "_memory_index.md",
            ]),
            shy_targets: globs(&["[Tt]emplates/"]),
            no_sources: globs(&["archive/", "*_archive.md", "_memory_index.md", "MEMORY.md"]),
            entries: vec![config.memory.clone(), config.boards.clone()],
        };
        Settings { parts, linked: 0.8, suggested: 0.5 }
    }
}

impl Relink {
    /// The job as a vault wants it.
    pub fn new(settings: Settings) -> Self {
        Relink { settings, shipped: Shipped::compiled() }
    }

    /// What one unit wants, each note at most once, in order of place.
    fn wanted<'a>(&self, judge: &'a Judge, survey: &'a Survey, sheet: &'a Sheet) -> Vec<Wanted<'a>> {
        let unit = Unit::new(&judge.evidence, &survey.facts, sheet);
        let mut best: BTreeMap<u32, Wanted<'a>> = BTreeMap::new();
        for pair in sheet.pairs.iter().filter(|pair| !pair.is_linked && !pair.is_taken) {
            let likely = judge.probability(&unit, pair);
            let class = |likely: f64| likely >= self.settings.linked;
            // The first mention of the surer class: pairs come in order of place.
            let is_better = best.get(&pair.target).is_none_or(|known| class(likely) && !class(known.likely));
            if likely >= self.settings.suggested && is_better {
                let is_new = unit.others(judge::evidence::Kind::Words, pair).linked == 0;
                let sentence = explain::sentence(judge, &unit, pair);
                best.insert(pair.target, Wanted { pair, likely, is_new, sentence });
            }
        }
        let mut wanted: Vec<Wanted<'a>> = best.into_values().collect();
        wanted.sort_by_key(|wanted| wanted.pair.span());
        wanted
    }

    fn change(&self, vault: &Vault, at: usize, wanted: &[Wanted<'_>]) -> Option<Change> {
        let note = vault.notes().get(at)?;
        let mut edits: Vec<Edit> = wanted.iter().filter_map(|one| self.edit(vault, at, one)).collect();
        edits.sort_by_key(|edit| edit.span);
        let edits = write::harmless(note, edits);
        (!edits.is_empty()).then(|| Change::Edit { note: note.path.clone(), edits })
    }

    fn edit(&self, vault: &Vault, note: usize, wanted: &Wanted<'_>) -> Option<Edit> {
        let (note, target) = (vault.notes().get(note)?, vault.notes().get(wanted.pair.target())?);
        let why = match wanted.likely >= self.settings.linked {
            true => Why::sure(MENTION, wanted.sentence.clone()),
            false => Why::likely(MENTION, wanted.sentence.clone()),
        };
        let why = why.with("to", &target.path).with("probability", format!("{:.2}", wanted.likely));
        Some(write::edit(note, wanted.pair, target.path.stem(), why))
    }
}

impl Job for Relink {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn plan(&self, vault: &Vault) -> Proposal {
        let survey = Survey::of(vault, &self.settings.parts);
        let evidence = Evidence::of(vault, &survey.sheets);
        let judge = Judge::of(&self.shipped, evidence, &survey.facts, &survey.sheets);
        let is_open = |sheet: &&Sheet| {
            vault.notes().get(sheet.note).is_some_and(|note| !matches!(note.access, Access::ReadOnly(_)))
        };
        let open: Vec<&Sheet> = survey.sheets.iter().filter(is_open).collect();
        let mut wanted: Vec<(usize, Vec<Wanted<'_>>)> =
            open.par_iter().map(|sheet| (sheet.note, self.wanted(&judge, &survey, sheet))).collect();
        let mut findings = hold_back(&survey, &mut wanted);
        findings.extend(ambiguous(vault, &survey));
        let mut by_note: BTreeMap<usize, Vec<Wanted<'_>>> = BTreeMap::new();
        for (note, wanted) in wanted.into_iter().filter(|(_, wanted)| !wanted.is_empty()) {
            by_note.entry(note).or_default().extend(wanted);
        }
        let by_note: Vec<(usize, Vec<Wanted<'_>>)> = by_note.into_iter().collect();
        let changes: Vec<Option<Change>> =
            by_note.par_iter().map(|(note, wanted)| self.change(vault, *note, wanted)).collect();
        Proposal { changes: changes.into_iter().flatten().collect(), findings, ..Proposal::default() }
    }
}

/// New links beyond which a name that nobody links is held back: this many, or this share of all new links.
const MOST_LINKS: usize = 25;
const MOST_SHARE: f64 = 0.025;

/// Takes out the words that no person links and that would get too many links, and names them.
fn hold_back(survey: &Survey, wanted: &mut [(usize, Vec<Wanted<'_>>)]) -> Vec<Finding> {
    let mut counts: HashMap<usize, (usize, bool)> = HashMap::new();
    let all = || wanted.iter().flat_map(|(_, wanted)| wanted);
    for one in all() {
        let count = counts.entry(one.pair.words as usize).or_insert((0, true));
        *count = (count.0 + 1, count.1 && one.is_new);
    }
    let most = MOST_LINKS.max((all().count() as f64 * MOST_SHARE) as usize);
    let mut held: Vec<(usize, usize)> = counts
        .iter()
        .filter(|(_, (n, is_new))| *is_new && *n > most)
        .map(|(words, (n, _))| (*words, *n))
        .collect();
    held.sort_unstable();
    for (_, wanted) in wanted.iter_mut() {
        wanted.retain(|one| {
            held.binary_search_by_key(&(one.pair.words as usize), |(words, _)| *words).is_err()
        });
    }
    let finding = |(words, n): &(usize, usize)| {
        let name = survey.lexicon.notes_of(*words).map_or("", |(name, _)| name);
        Finding::of_vault(
            Severity::Warning,
            HELD_BACK,
            format!("'{name}' would get {n} links and has none by people: held back"),
        )
        .hint("Link it by hand once where it should be linked, or give its note another name.")
    };
    held.iter().map(finding).collect()
}

/// Names of several notes that are mentioned, each with its notes.
fn ambiguous(vault: &Vault, survey: &Survey) -> Vec<Finding> {
    let finding = |(words, n): (&usize, &usize)| {
        let (name, notes) = survey.lexicon.notes_of(*words)?;
        let paths: Vec<&str> = notes
            .iter()
            .take(3)
            .filter_map(|at| vault.notes().get(*at))
            .map(|note| note.path.as_str())
            .collect();
        let more = if notes.len() > 3 { format!(" and {} more", notes.len() - 3) } else { String::new() };
        let message = format!("'{name}' names {}{more}: {n} mentions not linked", paths.join(", "));
        Some(Finding::of_vault(Severity::Note, AMBIGUOUS, message))
    };
    survey.ambiguous.iter().filter_map(finding).collect()
}
