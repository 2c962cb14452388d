//! One trial: relink over a vault of which people's links were taken out of some notes.

use super::split::{Split, Tie, split};

use jobs::{
    relink::{
        Settings,
        judge::{
            Judge,
            evidence::{Evidence, Kind},
            features::{NAMES, Unit, Values},
            weights::Shipped,
        },
        own::Ground,
        sheet::Pair,
        survey::{Parts, Survey},
    },
    vault::Vault,
};
use std::collections::BTreeSet;

/// A trial of one vault and seed.
pub struct Trial {
    split: Split,
    survey: Survey,
    judge: Judge,
}

/// One pair that was judged.
pub struct Row {
    /// `train` or `test`.
    pub part: &'static str,
    /// People linked it.
    pub is_human: bool,
    /// The unit links it still.
    pub is_left: bool,
    /// The note.
    pub note: usize,
    /// The note named.
    pub target: usize,
    /// The words.
    pub written: String,
    /// What it is judged by.
    pub values: Values,
}

fn parts() -> Parts {
    Settings::new(&config::Config::default()).parts
}

impl Trial {
    /// Prepares and fits: `share` of the notes are test notes.
    pub fn new(whole: &Vault, seed: &str, share: f64, shipped: &Shipped) -> Trial {
        let split = split(whole, seed, share);
        let ground = Ground::of(&split.vault, &parts());
        let survey = Survey::of(&ground, &parts());
        let evidence = Evidence::of(&split.vault, &survey.sheets);
        let judge = Judge::of(shipped, evidence, &survey.facts, &survey.sheets);
        Trial { split, survey, judge }
    }

    /// The links that could come back.
    pub fn linkable(&self) -> &BTreeSet<Tie> {
        &self.split.linkable
    }

    /// Every pair.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for sheet in &self.survey.sheets {
            let unit = Unit::new(&self.judge.evidence, &self.survey.facts, sheet);
            let is_test = self.split.is_test[sheet.note];
            for pair in &sheet.pairs {
                let is_human = if is_test {
                    self.split.human.contains(&(sheet.note, pair.target()))
                } else {
                    pair.is_linked
                };
                rows.push(Row {
                    part: if is_test {
                        "test"
                    } else if sheet.teaches {
                        "train"
                    } else {
                        "mute"
                    },
                    is_human,
                    is_left: pair.is_linked,
                    note: sheet.note,
                    target: pair.target(),
                    written: self.written(sheet.note, pair).replace(['\t', '\n'], " "),
                    values: unit.values(pair),
                });
            }
        }
        rows
    }

    fn added(&self, threshold: f64) -> BTreeSet<Tie> {
        let mut added = BTreeSet::new();
        for sheet in self.survey.sheets.iter().filter(|sheet| self.split.is_test[sheet.note]) {
            let unit = Unit::new(&self.judge.evidence, &self.survey.facts, sheet);
            for pair in sheet.pairs.iter().filter(|pair| !pair.is_linked) {
                if self.judge.probability(&unit, pair) >= threshold {
                    added.insert((sheet.note, pair.target()));
                }
            }
        }
        added
    }

    /// Precision, recall and F1 of what is linked from `threshold` on.
    pub fn score(&self, threshold: f64) -> [f64; 3] {
        let added = self.added(threshold);
        let share = |part: usize, all: usize| if all == 0 { 0.0 } else { part as f64 / all as f64 };
        let precision = share(added.intersection(&self.split.human).count(), added.len());
        let recall = share(added.intersection(&self.split.linkable).count(), self.split.linkable.len());
        let sum = precision + recall;
        [precision, recall, if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }]
    }

    /// What is linked from one half on and people did not link; and what they linked and was missed.
    pub fn wrong(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let path = |at: usize| self.split.vault.notes()[at].path.to_string();
        let mut seen = BTreeSet::new();
        for sheet in self.survey.sheets.iter().filter(|sheet| self.split.is_test[sheet.note]) {
            let unit = Unit::new(&self.judge.evidence, &self.survey.facts, sheet);
            for pair in sheet.pairs.iter().filter(|pair| !pair.is_linked) {
                let likely = self.judge.probability(&unit, pair);
                let is_human = self.split.human.contains(&(sheet.note, pair.target()));
                seen.insert((sheet.note, pair.target()));
                if (likely >= 0.5) == is_human {
                    continue;
                }
                let text = &self.split.vault.notes()[sheet.note].text;
                let words = self.judge_words(&unit, pair);
                lines.push(format!(
                    "{} {likely:.2} {} -> {} «{}» x{} {words} | {}",
                    if is_human { "missed" } else { "WRONG" },
                    path(sheet.note),
                    path(pair.target()),
                    self.written(sheet.note, pair),
                    pair.count,
                    around(text, pair.span().start, pair.span().end)
                ));
            }
        }
        lines.sort();
        for (note, target) in &self.split.linkable {
            if !seen.contains(&(*note, *target)) {
                lines.push(format!("unseen {} -> {}", path(*note), path(*target)));
            }
        }
        lines
    }

    fn written(&self, note: usize, pair: &Pair) -> &str {
        pair.span().of(&self.split.vault.notes()[note].text)
    }

    fn judge_words(&self, unit: &Unit<'_>, pair: &Pair) -> String {
        let tally = unit.others(Kind::Words, pair);
        let values = self.judge.scale.apply(&unit.values(pair));
        let mut parts: Vec<(f64, &str)> = values
            .iter()
            .zip(self.judge.model.weights)
            .zip(NAMES)
            .map(|((value, weight), name)| (value * weight, name))
            .collect();
        parts.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let parts: Vec<String> =
            parts.iter().take(4).map(|(part, name)| format!("{name} {part:+.1}")).collect();
        format!("{}/{} [{}]", tally.linked, tally.all, parts.join(", "))
    }
}

fn around(text: &str, start: usize, end: usize) -> String {
    let before: String = text[..start].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
    let after: String = text[end..].chars().take(40).collect();
    format!("{before}⟦{}⟧{after}", &text[start..end]).replace('\n', "⏎")
}
