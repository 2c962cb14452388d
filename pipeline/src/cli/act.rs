//! The commands that look at a vault as a run does: `run`, `check` and `undo`. Only here is the lock
//! taken, and only for what writes.

use super::{
    Check, Cli, Command, Doing, Everywhere, Format, Links, Output, Run, Telling, Undo, choose, history,
    links, look, sink::Told,
};
use crate::{
    check::check,
    disk::{Disk, RealDisk},
    exit::{Exit, Failure},
    journal::{RUNS, RunId, interrupted, machine_id, run_ids},
    lock::Lock,
    report::{
        json,
        paint::Paint,
        text::{self, Shape},
    },
    run::{self, Options, Ran, Session},
    settings::{Given, Moment, Settings},
    undo::{self, Ask},
};
use config::{Config, Resolved};
use jobs::{
    Job, Severity,
    relink::{self, Mode, Relink},
};

/// Does what was asked for.
pub fn act(cli: &Cli, paint: Paint) -> Result<Output, Failure> {
    let place = Place { everywhere: &cli.everywhere, settings: settings(&cli.everywhere)?, paint };
    accepted_by(&place.settings.resolved)?;
    match &cli.command {
        Command::Run(wanted) => place.run(wanted),
        Command::Check(wanted) => place.check(wanted),
        Command::Undo(wanted) => place.undo(wanted),
        Command::Runs(wanted) => look::runs(&place.disk()?, wanted.format).map(done),
        Command::Show(wanted) => look::show(&place.disk()?, wanted, paint).map(done),
        Command::Links(wanted) => place.links(wanted),
        Command::Jobs => Ok(done(look::jobs(&place.settings.resolved.config))),
        Command::Explain { job } => look::explain(&place.settings.resolved.config, job).map(done),
        Command::Config(wanted) => Ok(done(look::config(&place.settings, wanted))),
    }
}

fn settings(everywhere: &Everywhere) -> Result<Settings, Failure> {
    Settings::find(&Given { vault: everywhere.vault.clone(), set: everywhere.set.clone() })
}

/// An error where the settings accept a rule that no job has: only the jobs know their rules.
fn accepted_by(resolved: &Resolved) -> Result<(), Failure> {
    let accept = &resolved.config.accept;
    choose::accepted(accept, &jobs::all(&resolved.config)).map_err(|failure| {
        let origin = resolved.values.iter().find(|value| value.key == "accept");
        let origin = origin.map_or_else(String::new, |value| format!("{}: ", value.origin));
        Failure { message: format!("cannot use the settings: {origin}{}", failure.message), ..failure }
    })
}

fn done(text: String) -> Output {
    Output { text, exit: Exit::Done }
}

/// Where a command works, and how it tells.
struct Place<'a> {
    everywhere: &'a Everywhere,
    settings: Settings,
    paint: Paint,
}

impl Place<'_> {
    fn disk(&self) -> Result<RealDisk, Failure> {
        let vault = self.settings.vault()?;
        RealDisk::open(vault)
            .map_err(|error| Failure::usage(format!("cannot open the vault {}: {error}", vault.display())))
    }

    fn session<'d>(&self, disk: &'d RealDisk, asked: Asked) -> Session<'d> {
        let Moment { when, local, system } = Moment::now(self.everywhere.today);
        let Asked { jobs, accept, due } = asked;
        Session {
            disk,
            config: self.settings.resolved.config.clone(),
            when,
            run_id: RunId::new(local.naive_local(), &run_ids(disk)),
            options: Options { jobs, accept, due, now: system },
        }
    }

    fn run(&self, wanted: &Run) -> Result<Output, Failure> {
        let config = self.accepting(&wanted.accept)?;
        let jobs = choose::jobs(jobs::all(&config), &wanted.only, &wanted.skip)?;
        let disk = self.disk()?;
        let asked = Asked { jobs, accept: wanted.accept.clone(), due: wanted.due };
        self.done(&disk, asked, wanted.apply, &wanted.telling)
    }

    /// The settings, with what is accepted in this run alone: a job may decide by it.
    fn accepting(&self, accept: &[String]) -> Result<Config, Failure> {
        let mut config = self.settings.resolved.config.clone();
        choose::accepted(accept, &jobs::all(&config))?;
        config.accept.extend(accept.iter().cloned());
        Ok(config)
    }

    /// A preview, or a run that writes.
    fn done(&self, disk: &RealDisk, asked: Asked, apply: bool, telling: &Telling) -> Result<Output, Failure> {
        telling.check(disk.path())?;
        if !apply {
            let ran = run::preview(&self.session(disk, asked));
            return self.told(&ran, telling, telling.shape());
        }
        let lock = Lock::take(disk, &machine_id())?;
        let before = disk.read(RUNS).unwrap_or_default();
        let mut ran = run::apply(&self.session(disk, asked))?;
        let known = history::known_warnings(&before, &ran.report.jobs);
        ran.report.remarks.extend(lock.remark());
        let is_known = ran.report.warning_keys().iter().all(|key| known.contains(key));
        let shape = match telling.shape() {
            Shape::Quiet if is_known => Shape::News,
            shape => shape,
        };
        self.told(&ran, telling, shape)
    }

    fn links(&self, wanted: &Links) -> Result<Output, Failure> {
        let disk = self.disk()?;
        let vault = || run::read(&self.session(&disk, Asked::default()));
        let config = &self.settings.resolved.config;
        match wanted {
            Links::List { note, format } => links::list(config, &vault(), note.as_deref(), *format).map(done),
            Links::Explain { note, words, format } => {
                links::explain(config, &vault(), note, words, *format).map(done)
            }
            Links::Remove { target, doing } => {
                let target = links::target(config, &vault(), target)?;
                self.relink(&disk, doing, Mode::Without(target))
            }
            Links::Rederive { doing } => self.relink(&disk, doing, Mode::Afresh),
        }
    }

    /// A run of one job that decides in another way than at night.
    fn relink(&self, disk: &RealDisk, doing: &Doing, mode: Mode) -> Result<Output, Failure> {
        let config = self.accepting(&doing.accept)?;
        let job = Relink::new(relink::Settings::new(&config)).with(mode);
        let asked = Asked { jobs: vec![Box::new(job)], accept: doing.accept.clone(), due: false };
        self.done(disk, asked, doing.apply, &doing.telling)
    }

    fn undo(&self, wanted: &Undo) -> Result<Output, Failure> {
        let disk = self.disk()?;
        wanted.telling.check(disk.path())?;
        let ask = Ask { run: wanted.run.as_deref(), partial: wanted.partial, preview: wanted.preview };
        // A mistyped id is told before the lock; an interrupted run is no choice yet, and is one once recovered.
        if interrupted(&disk).is_empty() {
            undo::chosen(&disk, ask.run)?;
        }
        let lock = if wanted.preview { None } else { Some(Lock::take(&disk, &machine_id())?) };
        let mut ran = undo::undo(&self.session(&disk, Asked::default()), ask)?;
        ran.report.remarks.extend(lock.as_ref().and_then(Lock::remark));
        self.told(&ran, &wanted.telling, wanted.telling.shape())
    }

    fn check(&self, wanted: &Check) -> Result<Output, Failure> {
        let disk = self.disk()?;
        let jobs = jobs::all(&self.settings.resolved.config);
        let report = check(&self.session(&disk, Asked { jobs, ..Asked::default() })).report;
        let text = match wanted.format {
            Format::Text => text::render(&report, &|_| None, Shape::Full, self.paint),
            Format::Json => json::render(&report),
        };
        let least = Severity::from(wanted.level);
        let is_bad = report.findings.iter().any(|finding| finding.severity >= least);
        Ok(Output { text, exit: if is_bad { Exit::NeedsAPerson } else { Exit::Done } })
    }

    fn told(&self, ran: &Ran, telling: &Telling, shape: Shape) -> Result<Output, Failure> {
        let texts = |path: &jobs::vault::NotePath| ran.before.note(path).map(|note| note.text.clone());
        let text = telling.tell(&Told { report: &ran.report, texts: &texts, shape, paint: self.paint })?;
        let exit = if ran.report.needs_a_person() { Exit::NeedsAPerson } else { Exit::Done };
        Ok(Output { text, exit })
    }
}

/// What a session is asked for; an undo asks for nothing.
#[derive(Default)]
struct Asked {
    jobs: Vec<Box<dyn Job>>,
    accept: Vec<String>,
    due: bool,
}
