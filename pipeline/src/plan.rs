//! A vault and its jobs become one [`Plan`]: all changes of a run, resolved, with nothing written.
//! A pure function of the vault, the jobs and what a person accepts; no file, no clock, no lock.

use chrono::NaiveDate;
use jobs::{
    Finding, Job, Proposal, Severity, Why,
    change::Certainty,
    fold::{self, Folded, Remembered, Step},
    job::{PANIC, panic_text},
    vault::{Hash, NotePath, Vault},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// All changes of a run. What the preview prints, what the commit makes true, and what the report of
/// the run is built from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The day it was made for.
    pub today: NaiveDate,
    /// The jobs that took part, in the order of their stages.
    pub jobs: Vec<String>,
    /// Every piece of every change, in the order in which a replay applies them.
    pub steps: Vec<Step>,
    /// Changes that wait for a person's word.
    pub offered: Vec<Step>,
    /// What a person should know.
    pub findings: Vec<Finding>,
    /// The notes that change, in the order in which the commit exchanges them.
    pub files: Vec<PlannedFile>,
    /// What memkeep remembers.
    pub remember: Vec<Remembered>,
}

/// One note of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFile {
    /// Where it lies.
    pub path: NotePath,
    /// Its hash before; none where the run makes it.
    pub before: Option<Hash>,
    /// Its hash after.
    pub after: Hash,
    /// Notes of one group change together or not at all.
    pub group: u32,
    /// The note whose mode and owner a new note takes.
    pub like: Option<NotePath>,
    /// Its text after.
    #[serde(skip, default = "nothing")]
    pub text: Arc<str>,
}

fn nothing() -> Arc<str> {
    "".into()
}

/// Plans a run: each job in the order of its stage, over the vault as the earlier ones left it.
pub fn plan(vault: &Vault, jobs: &[Box<dyn Job>], accepts: &dyn Fn(&Why) -> bool) -> Plan {
    let mut jobs: Vec<&dyn Job> = jobs.iter().map(AsRef::as_ref).collect();
    jobs.sort_by_key(|job| job.card().stage);
    let mut drawn = Drawn::new(vault);
    for job in &jobs {
        drawn.stage(*job, accepts);
    }
    drawn.findings.sort();
    drawn.findings.dedup();
    let files = files(vault, &drawn.now, &drawn.steps);
    number(&mut drawn.steps, vault);
    number(&mut drawn.offered, vault);
    Plan {
        today: vault.today,
        jobs: jobs.iter().map(|job| job.card().id.to_owned()).collect(),
        steps: drawn.steps,
        offered: drawn.offered,
        findings: drawn.findings,
        files,
        remember: drawn.remember,
    }
}

/// Accepts what is sure, and of the likely what `rules` names: a rule id, `job/*`, or `likely` for all. A loss
/// of many at once, a rule `job/shrink`, is accepted by its own name or by `shrink` alone.
pub fn accepting(rules: Vec<String>) -> impl Fn(&Why) -> bool {
    let rules: BTreeSet<String> = rules.into_iter().collect();
    move |why| {
        let job = why.rule.split('/').next().unwrap_or_default();
        let of_job = format!("{job}/*");
        let words = match why.is_shrink() {
            true => [why.rule.as_str(), "shrink", "shrink"],
            false => [why.rule.as_str(), of_job.as_str(), "likely"],
        };
        why.certainty == Certainty::Sure || words.iter().any(|word| rules.contains(*word))
    }
}

/// A plan while it is drawn up.
struct Drawn {
    now: Vault,
    changes: usize,
    steps: Vec<Step>,
    offered: Vec<Step>,
    findings: Vec<Finding>,
    remember: Vec<Remembered>,
}

impl Drawn {
    fn new(vault: &Vault) -> Self {
        let now = vault.clone();
        Drawn { now, changes: 0, steps: vec![], offered: vec![], findings: vec![], remember: vec![] }
    }

    fn stage(&mut self, job: &dyn Job, accepts: &dyn Fn(&Why) -> bool) {
        let proposal = ask(job, &self.now);
        let count = proposal.changes.len();
        let Folded { vault, steps, offered, findings, remember } =
            fold::fold(&self.now, job.card(), proposal, self.changes + 1, accepts);
        self.changes += count;
        self.now = vault;
        self.steps.extend(steps);
        self.offered.extend(offered);
        self.findings.extend(findings);
        self.remember.extend(remember);
    }
}

/// A job that panics proposes nothing, and the other jobs go on.
fn ask(job: &dyn Job, vault: &Vault) -> Proposal {
    catch_unwind(AssertUnwindSafe(|| job.plan(vault))).unwrap_or_else(|cause| {
        let message = format!("the job `{}` stopped: {}", job.card().id, panic_text(&*cause));
        let finding = Finding::of_vault(Severity::Error, PANIC, message)
            .hint("This is a defect of memkeep; the job changed nothing. Please report it.");
        Proposal { findings: vec![finding], ..Proposal::default() }
    })
}

fn number(steps: &mut [Step], vault: &Vault) {
    for (n, step) in steps.iter_mut().enumerate() {
        step.seq = n + 1;
        step.base_hash = vault.note(&step.path).and_then(|note| note.hash);
    }
}

/// The notes that differ, grouped by the changes they share. Within a group notes that only gain text
/// come first: the worst that anyone sees half-way is text twice, never text nowhere.
fn files(before: &Vault, after: &Vault, steps: &[Step]) -> Vec<PlannedFile> {
    let mut groups = Groups::of(steps);
    let givers = givers(before, steps);
    let losing: BTreeSet<&NotePath> =
        steps.iter().filter(|step| !step.before.is_empty()).map(|step| &step.path).collect();
    let mut files: Vec<PlannedFile> = Vec::new();
    for path in groups.paths() {
        let Some(note) = after.note(path) else { continue };
        let (old, Some(new)) = (before.note(path).and_then(|note| note.hash), note.hash) else { continue };
        if old != Some(new) {
            let like = if old.is_none() { givers.get(path).copied().cloned() } else { None };
            let (path, group, text) = (path.clone(), groups.group(path), Arc::clone(&note.text));
            files.push(PlannedFile { path, before: old, after: new, group, like, text });
        }
    }
    files.sort_by_cached_key(|file| (file.group, losing.contains(&file.path), file.path.clone()));
    files
}

/// For each new note, an old one that shares the change which made it.
fn givers<'a>(before: &Vault, steps: &'a [Step]) -> BTreeMap<&'a NotePath, &'a NotePath> {
    let is_old = |step: &&Step| before.note(&step.path).is_some();
    let old: BTreeMap<usize, &NotePath> =
        steps.iter().filter(is_old).map(|step| (step.change, &step.path)).collect();
    let mut givers = BTreeMap::new();
    for step in steps.iter().filter(|step| !is_old(step)) {
        if let Some(giver) = old.get(&step.change) {
            givers.entry(&step.path).or_insert(*giver);
        }
    }
    givers
}

/// Notes that share a change, directly or through others.
struct Groups<'a> {
    parent: BTreeMap<&'a NotePath, &'a NotePath>,
    numbers: BTreeMap<&'a NotePath, u32>,
}

impl<'a> Groups<'a> {
    fn of(steps: &'a [Step]) -> Self {
        let mut groups = Groups { parent: BTreeMap::new(), numbers: BTreeMap::new() };
        let mut first_of_change: BTreeMap<usize, &NotePath> = BTreeMap::new();
        for step in steps {
            groups.parent.entry(&step.path).or_insert(&step.path);
            let first = *first_of_change.entry(step.change).or_insert(&step.path);
            groups.unite(first, &step.path);
        }
        let roots: BTreeSet<&NotePath> = groups.paths().into_iter().map(|path| groups.root(path)).collect();
        groups.numbers = roots.into_iter().zip(1..).collect();
        groups
    }

    /// The smallest path of each group is its root, so that numbers do not depend on the order of steps.
    fn unite(&mut self, a: &'a NotePath, b: &'a NotePath) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent.insert(a.max(b), a.min(b));
    }

    /// Halves the way up as it goes, so that long chains stay cheap.
    fn root(&mut self, path: &'a NotePath) -> &'a NotePath {
        let mut at = path;
        while let Some(up) = self.parent.get(at).copied().filter(|up| *up != at) {
            let above = self.parent.get(up).copied().unwrap_or(up);
            self.parent.insert(at, above);
            at = above;
        }
        at
    }

    fn group(&mut self, path: &'a NotePath) -> u32 {
        let root = self.root(path);
        self.numbers.get(root).copied().unwrap_or_default()
    }

    fn paths(&self) -> Vec<&'a NotePath> {
        self.parent.keys().copied().collect()
    }
}
