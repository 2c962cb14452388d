//! A run reversed: each note it changed goes back to its before-image, by a plan and a commit like any
//! other, with a journal of its own, so that an undo can be undone. A note edited since is never
//! overwritten: it is held back with all that changed together with it.

use crate::{
    commit::Order,
    disk::Disk,
    journal::{self, Fate, FileChange, JournaledRun, RowChange, RowOp, RunId, RunKind, RunState, Store},
    recover::recover,
    report::{Counts, Held, Mode, Report, VERSION},
    run::{
        About, Ran, RunError, Session, commit_and_tell, interrupted, keep_account, manifest, note_recovered,
        row_change, stopped, tell_recovered,
    },
};
use jobs::{
    Why,
    fold::{Kind, Step},
    vault::{
        Hash, Ledger, Note, NotePath, Row, Span, Vault,
        ledger::{piece_key, state_key},
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What to undo, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ask<'a> {
    /// The run, by the start of its id; none for the last one that changed something.
    pub run: Option<&'a str>,
    /// True where the notes that can be restored shall be, though others cannot.
    pub partial: bool,
    /// True where nothing shall be written.
    pub preview: bool,
}

/// Undoes a run. Whoever calls this holds the lock, but for a preview.
pub fn undo(session: &Session<'_>, ask: Ask<'_>) -> Result<Ran, RunError> {
    let disk = session.disk;
    let recovered = if ask.preview { Vec::new() } else { recover(disk, &journal::machine_id())? };
    note_recovered(session, &recovered);
    let run = chosen(disk, ask.run)?;
    let old = journal::load(disk, &run).map_err(|error| stopped(&format!("undo run {run}"), &error))?;
    let reverse = Reverse::of(session, &old);
    let mut report = reverse.report(session, &run);
    tell_recovered(&recovered, &mut report);
    if ask.preview {
        report.remarks.extend(interrupted(disk));
    }
    let stays = !reverse.blocked.is_empty() && !ask.partial;
    if stays {
        report.held.extend(reverse.left_too());
        report.recount();
    }
    if !ask.preview && !stays && !reverse.files.is_empty() {
        let rows = reverse.rows(&old);
        let images = reverse.images();
        let files = reverse.files.iter().map(|file| file.change.clone()).collect();
        let manifest = manifest(session, RunKind::Undo { of: run }, files, rows, &report)?;
        commit_and_tell(session, &Order { manifest, images }, &mut report)?;
        keep_account(session, &mut report);
    }
    Ok(Ran { report, before: reverse.vault(session) })
}

/// The run that `prefix` names, or the last one that changed something. Reads only.
pub fn chosen(disk: &dyn Disk, prefix: Option<&str>) -> Result<RunId, RunError> {
    let runs = journal::runs(disk);
    let Some(prefix) = prefix else {
        let changed = |run: &&journal::RunSummary| {
            run.state == RunState::Done
                && run.outcome.as_ref().is_some_and(|outcome| outcome.files.contains(&Fate::Done))
        };
        let last = runs.iter().rev().find(changed).map(|run| run.run.clone());
        return last.ok_or_else(|| RunError::Usage("there is no run to undo".to_owned()));
    };
    let ids: Vec<RunId> = runs.into_iter().map(|run| run.run).collect();
    RunId::find(&ids, prefix).map_err(|found| {
        RunError::Usage(match found.as_slice() {
            [] => format!("there is no run `{prefix}` with a journal"),
            [first, second, ..] => format!("`{prefix}` may be {first} or {second}: give more of the id"),
            [only] => format!("`{prefix}` is not the whole of {only}"),
        })
    })
}

/// One note on its way back.
struct Back {
    path: NotePath,
    change: FileChange,
    now: Option<Arc<str>>,
    then: Option<Arc<str>>,
}

/// A run seen backwards.
struct Reverse {
    files: Vec<Back>,
    /// Groups of which a note cannot be restored.
    blocked: Vec<Held>,
}

impl Reverse {
    fn of(session: &Session<'_>, old: &JournaledRun) -> Self {
        let fates = old.outcome.as_ref().map(|outcome| outcome.files.as_slice()).unwrap_or_default();
        let (mut files, mut blocked, mut bad) = (Vec::new(), Vec::new(), BTreeMap::new());
        // Backwards: what only gained text then loses it now, so it comes last.
        for (n, file) in old.manifest.files.iter().enumerate().rev() {
            let Ok(path) = NotePath::new(&file.path) else { continue };
            if fates.get(n) != Some(&Fate::Done) {
                continue;
            }
            match back(session, old, n, &path) {
                Ok(back) => files.push(back),
                Err(held) => {
                    bad.insert(file.group, path);
                    blocked.push(held);
                }
            }
        }
        let (gone, files): (Vec<Back>, _) =
            files.into_iter().partition(|file| bad.contains_key(&file.change.group));
        for file in gone {
            if let Some(path) = bad.get(&file.change.group) {
                let reason = format!("it changes together with `{path}`, which was held back");
                blocked.push(Held { path: file.path, reason, edited: false, kept: None });
            }
        }
        Reverse { files, blocked }
    }

    /// What stays as it is because one note of the run was edited, and nobody asked for the rest.
    fn left_too(&self) -> Vec<Held> {
        let reason = "not restored, since another note of the run cannot be; `--partial` restores it";
        let held =
            |file: &Back| Held { path: file.path.clone(), reason: reason.into(), edited: true, kept: None };
        self.files.iter().map(held).collect()
    }

    fn images(&self) -> Vec<Option<Arc<[u8]>>> {
        self.files.iter().map(|file| file.then.as_ref().map(|text| Arc::from(text.as_bytes()))).collect()
    }

    /// The vault of the notes concerned, as they are before the undo.
    fn vault(&self, session: &Session<'_>) -> Vault {
        let note = |file: &Back| {
            let text = file.now.clone()?;
            Some(Arc::new(Note::of_text(file.path.clone(), text)))
        };
        Vault::new(self.files.iter().filter_map(note).collect(), Ledger::default(), session.when.today)
    }

    /// The rows of the run go back, and what its jobs did is refused from now on. First-seen days stay:
    /// they are as true as before.
    fn rows(&self, old: &JournaledRun) -> Vec<RowChange> {
        let groups: BTreeSet<u32> = self.files.iter().map(|file| file.change.group).collect();
        let goes = |row: &&RowChange| {
            row.store == Store::Links && row.group.is_none_or(|group| groups.contains(&group))
        };
        let turned = |row: &RowChange| RowChange {
            op: match row.op {
                RowOp::Add => RowOp::Remove,
                RowOp::Remove => RowOp::Add,
            },
            ..row.clone()
        };
        let mut rows: Vec<RowChange> = old.manifest.rows.iter().filter(goes).map(turned).collect();
        if let (RunKind::Run, Ok(about)) =
            (&old.manifest.kind, serde_json::from_value::<About>(old.manifest.about.clone()))
        {
            rows.extend(self.refusals(&about));
        }
        rows
    }

    fn refusals(&self, about: &About) -> Vec<RowChange> {
        let files: BTreeMap<&NotePath, &FileChange> =
            self.files.iter().map(|file| (&file.path, &file.change)).collect();
        let refusal = |step: &Step| {
            let file = files.get(&step.path)?;
            let row = Row::Refused {
                job: step.job.clone(),
                path: step.path.clone(),
                note: state_key(file.after),
                piece: piece_key(&step.before, &step.after),
                config: about.settings.get(&step.job).cloned().unwrap_or_default(),
            };
            row_change(Some(file.group), RowOp::Add, &row)
        };
        about.report.changes.iter().filter_map(refusal).collect()
    }

    fn report(&self, session: &Session<'_>, run: &RunId) -> Report {
        let steps = self.files.iter().enumerate().map(|(n, file)| step(n + 1, file, run)).collect();
        let when = session.when.clone();
        let mut report = Report {
            version: VERSION,
            mode: Mode::Undo,
            run: None,
            undoes: Some(run.to_string()),
            started: when.started,
            today: when.today,
            zone: when.zone,
            jobs: Vec::new(),
            changes: steps,
            offered: Vec::new(),
            held: self.blocked.clone(),
            findings: Vec::new(),
            waiting: Vec::new(),
            recovered: Vec::new(),
            remarks: Vec::new(),
            counts: Counts { notes: self.files.len() + self.blocked.len(), ..Counts::default() },
            durations: BTreeMap::new(),
        };
        report.recount();
        report
    }
}

/// The `n`th file of a run on its way back, or why it stays.
fn back(session: &Session<'_>, old: &JournaledRun, n: usize, path: &NotePath) -> Result<Back, Held> {
    let stays = |reason: String| Held { path: path.clone(), reason, edited: false, kept: None };
    let file = old.manifest.files.get(n).ok_or_else(|| stays("it is not in the journal".to_owned()))?;
    let now = match session.disk.read(path.as_str()) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(stays(format!("cannot read it: {error}"))),
    };
    let hash = now.as_deref().map(Hash::of);
    if hash != file.after {
        return Err(stays(changed_since(session.disk, &old.manifest.run, &file.path, hash)));
    }
    let then = old
        .before_image(session.disk, n)
        .map_err(|error| stays(format!("its before-image is lost: {error}")))?;
    let change = FileChange {
        path: file.path.clone(),
        before: file.after,
        after: file.before,
        group: file.group,
        like: None,
    };
    let text = |bytes: Vec<u8>| Arc::from(String::from_utf8_lossy(&bytes).as_ref());
    Ok(Back { path: path.clone(), change, now: now.map(text), then: then.map(text) })
}

/// Who changed a note since `run`: a later run that left it as it is now can be undone first.
fn changed_since(disk: &dyn Disk, run: &RunId, path: &str, now: Option<Hash>) -> String {
    let left_it = |later: &&journal::RunSummary| {
        let (Some(manifest), Some(outcome)) = (&later.manifest, &later.outcome) else { return false };
        let mut files = manifest.files.iter().zip(&outcome.files);
        files.any(|(file, fate)| file.path == path && file.after == now && *fate == Fate::Done)
    };
    let runs = journal::runs(disk);
    match runs.iter().rev().filter(|later| later.run > *run).find(left_it) {
        Some(later) => format!("run {} changed it since the run; undo that one first", later.run),
        None if now.is_none() => "someone took it away since the run".to_owned(),
        None => "someone edited it since the run".to_owned(),
    }
}

fn step(seq: usize, file: &Back, run: &RunId) -> Step {
    let (now, then) = (file.now.as_deref().unwrap_or_default(), file.then.as_deref().unwrap_or_default());
    let (before, after) = changed(now, then);
    let kind = match (&file.now, &file.then) {
        (Some(_), Some(_)) => Kind::Restore,
        (None, _) => Kind::Create,
        (Some(_), None) => Kind::Remove,
    };
    Step {
        seq,
        change: file.change.group as usize,
        job: "undo".to_owned(),
        kind,
        path: file.path.clone(),
        line: 1 + now.as_bytes().iter().take(before.start).filter(|byte| **byte == b'\n').count(),
        span: before,
        base_hash: file.change.before,
        why: Why::sure("undo/restore", format!("as it was before run {run}")),
        before: before.of(now).to_owned(),
        after: after.of(then).to_owned(),
    }
}

/// The spans in which two texts differ, on character borders of both.
fn changed(a: &str, b: &str) -> (Span, Span) {
    let head: usize = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum();
    let (rest_a, rest_b) = (a.get(head..).unwrap_or_default(), b.get(head..).unwrap_or_default());
    let pairs = rest_a.chars().rev().zip(rest_b.chars().rev());
    let tail: usize = pairs.take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum();
    (Span::new(head, a.len() - tail), Span::new(head, b.len() - tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_differ_between_what_they_share_at_both_ends() {
        assert_eq!(changed("aXb", "aYYb"), (Span::new(1, 2), Span::new(1, 3)));
        assert_eq!(changed("aa", "aaa"), (Span::new(2, 2), Span::new(2, 3)));
        assert_eq!(changed("é", "è"), (Span::new(0, 2), Span::new(0, 2)));
        assert_eq!(changed("", "x"), (Span::new(0, 0), Span::new(0, 1)));
    }
}
