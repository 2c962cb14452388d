//! Letting old journals go. Kept by age and by count; never the newest run, never one that is not over, never one
//! whose before-images someone wrote to after the run.

use super::history::run_ids;
use super::inspect::holds_no_late_bytes;
use super::place::JOURNALS;
use super::{RunId, folder};
use crate::disk::{Disk, Kind};
use chrono::{NaiveDateTime, TimeDelta};
use std::io;

/// Deletes the journals that are both older than `keep_days` and not among the newest `keep_runs`, and tells which.
/// `now` is local time, as in run ids. A folder is renamed first to a name that no one reads, so that a crash
/// half-way never looks like an interrupted run; recovery removes what is left.
pub fn retain(
    disk: &dyn Disk,
    keep_days: u32,
    keep_runs: usize,
    now: NaiveDateTime,
) -> io::Result<Vec<RunId>> {
    let limit = now - TimeDelta::days(i64::from(keep_days));
    let all = run_ids(disk);
    let n_old = all.len().saturating_sub(keep_runs.max(1));
    let mut gone = Vec::new();
    for run in all.into_iter().take(n_old) {
        let is_old = run.time().is_some_and(|time| time < limit);
        if is_old && holds_no_late_bytes(disk, &run) {
            let dead = format!("{}.old", folder(&run).dir());
            disk.rename_new(folder(&run).dir(), &dead)?;
            disk.sync(&[JOURNALS])?;
            remove_tree(disk, &dead)?;
            gone.push(run);
        }
    }
    remove_discarded(disk, limit)?;
    Ok(gone)
}

/// Discarded runs hold only copies of what was planned, but a person may want to look; they go with age.
fn remove_discarded(disk: &dyn Disk, limit: NaiveDateTime) -> io::Result<()> {
    for seen in disk.list(JOURNALS)? {
        let name = seen.path.rsplit('/').next().unwrap_or_default();
        let run = name.strip_suffix(".discarded").and_then(RunId::parse);
        if run.and_then(|run| run.time()).is_some_and(|time| time < limit) {
            remove_tree(disk, &seen.path)?;
        }
    }
    Ok(())
}

/// Removes a folder of the journal with all it holds.
pub(crate) fn remove_tree(disk: &dyn Disk, dir: &str) -> io::Result<()> {
    for seen in disk.list(dir)? {
        match seen.kind {
            Kind::Dir => remove_tree(disk, &seen.path)?,
            _ => disk.remove(&seen.path)?,
        }
    }
    disk.remove_dir(dir)
}
