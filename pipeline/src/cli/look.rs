//! The commands that only look: at past runs, at the jobs, at the settings. They take no lock and write
//! nothing.

use super::{Config as Wanted, Show, choose, sink::Told, table::table};
use crate::{
    disk::Disk,
    exit::{Exit, Failure},
    journal::{self, JournaledRun, RunId},
    report::{
        Report,
        paint::Paint,
        shown::{shown, shown_line},
    },
    run::{About, held},
    settings::Settings,
};
use config::Config;
use jobs::{job::Card, vault::NotePath};
use std::{collections::BTreeMap, sync::Arc};

pub use super::history::runs;

/// The report of a run, as it was told then.
pub fn show(disk: &dyn Disk, wanted: &Show, paint: Paint) -> Result<String, Failure> {
    let runs: Vec<RunId> = journal::runs(disk).into_iter().map(|run| run.run).collect();
    let run = RunId::find(&runs, &wanted.run).map_err(|found| unknown(&wanted.run, &found))?;
    let cannot = |why: String| Failure {
        exit: Exit::NeedsAPerson,
        message: format!("cannot show run {run}: {why}"),
        hint: Some("`memkeep check` looks the journal over.".to_owned()),
    };
    let journaled = journal::load(disk, &run).map_err(|error| cannot(error.to_string()))?;
    let report = report(&journaled).map_err(cannot)?;
    let images = images(disk, &journaled);
    let texts = |path: &NotePath| images.get(path).cloned();
    let shape = wanted.telling.shape();
    wanted.telling.tell(&Told { report: &report, texts: &texts, shape, paint })
}

fn unknown(prefix: &str, found: &[RunId]) -> Failure {
    let failure = match found {
        [] => Failure::usage(format!("cannot find a run `{prefix}` with a journal")),
        [first, ..] => {
            Failure::usage(format!("cannot tell which run `{prefix}` is: {first} and others begin so"))
        }
    };
    failure.hint("`memkeep runs` lists the runs.")
}

/// The account that was saved after the run, or the plan where the run never came so far.
fn report(journaled: &JournaledRun) -> Result<Report, String> {
    let saved = journaled.report.clone().map(serde_json::from_value::<Report>);
    let planned =
        || serde_json::from_value::<About>(journaled.manifest.about.clone()).map(|about| about.report);
    match saved {
        Some(report) => report.map_err(|error| format!("its report cannot be read: {error}")),
        None => {
            let planned = planned().map_err(|error| format!("it has no report: {error}"))?;
            Ok(made_up(journaled, planned))
        }
    }
}

/// The account of a run that was interrupted: its plan, and what became of it if that was decided since.
fn made_up(journaled: &JournaledRun, planned: Report) -> Report {
    let mut report = planned;
    match &journaled.outcome {
        Some(outcome) => {
            report.run = Some(journaled.manifest.run.to_string());
            report.held = held(&journaled.manifest.files, &outcome.files);
            report
                .remarks
                .push("This run was interrupted: the account is of its plan and its outcome.".to_owned());
        }
        None => report.remarks.push("This is the plan of the run, which was interrupted.".to_owned()),
    }
    report.recount();
    report
}

/// The notes as they were before the run, for the diff; what cannot be read is left out.
fn images(disk: &dyn Disk, journaled: &JournaledRun) -> BTreeMap<NotePath, Arc<str>> {
    let image = |(n, file): (usize, &journal::FileChange)| {
        let bytes = journaled.before_image(disk, n).ok().flatten()?;
        Some((NotePath::new(&file.path).ok()?, String::from_utf8(bytes).ok()?.into()))
    };
    journaled.manifest.files.iter().enumerate().filter_map(image).collect()
}

/// The jobs, a line each.
pub fn jobs(config: &Config) -> String {
    let row = |card: &Card| vec![card.id.to_owned(), card.summary.to_owned()];
    table(&jobs::all(config).iter().map(|job| row(job.card())).collect::<Vec<_>>())
}

/// What a job says of itself.
pub fn explain(config: &Config, name: &str) -> Result<String, Failure> {
    let all = jobs::all(config);
    let ids: Vec<&str> = all.iter().map(|job| job.card().id).collect();
    choose::known(name, &ids, &ids)?;
    let about = all.iter().map(|job| job.card()).find(|card| card.id == name).map(|card| card.about);
    Ok(format!("{}\n", about.unwrap_or_default().trim_end()))
}

/// The settings: what is set, what can be set, or the schema of both.
pub fn config(settings: &Settings, wanted: &Wanted) -> String {
    if wanted.schema {
        return format!("{:#}\n", config::schema());
    }
    if wanted.reference {
        return reference();
    }
    if wanted.defaults {
        return config::DEFAULTS.to_owned();
    }
    let vault = match &settings.vault {
        Some(vault) => format!("# the vault: {}\n", shown(&vault.to_string_lossy())),
        None => "# no vault here: the defaults and your own settings\n".to_owned(),
    };
    let line = |value: &config::Value| {
        let (setting, origin) = (format!("{}: {}", value.key, value.value), value.origin.to_string());
        format!("{}  # {}\n", shown_line(&setting), shown(&origin))
    };
    vault + &settings.resolved.values.iter().map(line).collect::<String>()
}

fn reference() -> String {
    let entry = |row: config::Reference| {
        let facts = match (row.default, row.variable) {
            (Some(default), Some(variable)) => format!("\n    {}; default {default}; {variable}", row.shape),
            _ if row.shape == "table" => String::new(),
            _ => format!("\n    {}", row.shape),
        };
        format!("{}\n    {}{facts}\n", row.key, row.sentence)
    };
    config::reference().into_iter().map(entry).collect::<Vec<_>>().join("\n")
}
