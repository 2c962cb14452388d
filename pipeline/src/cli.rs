//! The command line: what can be asked for. Only the words are here; [`act`] and [`look`] do what they
//! say. Scripts rely on this surface, so that it grows and does not change.

pub mod act;
pub mod choose;
mod help;
mod history;
mod links;
pub mod look;
pub mod sink;
pub mod table;

use chrono::NaiveDate;
use clap::{Args, Parser, Subcommand, ValueEnum};
use jobs::Severity;
use sink::Sink;
use std::path::PathBuf;

/// Keeps a coding agent's memory vault in order: trims, loses nothing, reports every change, undoes any run.
#[derive(Debug, Parser)]
#[command(name = "memkeep", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = help::PROGRAM, disable_help_subcommand = true, disable_help_flag = true)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub everywhere: Everywhere,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes.
#[derive(Args, Debug)]
pub struct Everywhere {
    /// The vault [default: the folder at or above this one that holds memkeep.yaml, .memkeep or
    /// .obsidian, else `vault:` of your own settings]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Everywhere")]
    pub vault: Option<PathBuf>,
    /// The day to work for, as 2026-11-30 [default: today, in local time]
    #[arg(long, global = true, value_name = "DATE", help_heading = "Everywhere")]
    #[arg(env = "MEMKEEP_TODAY", hide_env_values = true)]
    pub today: Option<NaiveDate>,
    /// Set one value, over every file and variable; may be repeated
    #[arg(long, global = true, value_name = "KEY=VALUE", help_heading = "Everywhere", value_parser = pair)]
    pub set: Vec<(String, String)>,
    /// How diagnostics are written to standard error; MEMKEEP_LOG=info shows more of them
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Everywhere", default_value = "text")]
    pub log_format: Format,
    /// When to use colours; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", help_heading = "Everywhere", default_value = "auto")]
    pub color: Colour,
    /// Print help
    // One form for -h and --help: there is no longer one.
    #[arg(long, short, global = true, help_heading = "Everywhere", action = clap::ArgAction::HelpShort)]
    help: Option<bool>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what the jobs would change, as a diff; --apply makes the changes
    #[command(after_help = help::RUN)]
    Run(Run),
    /// Look the vault and the journal over, for people and for CI
    #[command(after_help = help::CHECK)]
    Check(Check),
    /// Reverse a run, by a new run that can be undone as well
    #[command(after_help = help::UNDO)]
    Undo(Undo),
    /// List the runs so far
    #[command(after_help = help::RUNS)]
    Runs(Runs),
    /// Show the report of a run again, in any format
    #[command(after_help = help::SHOW)]
    Show(Show),
    /// Look at the links that memkeep made, ask why, and take them back
    #[command(subcommand, after_help = help::LINKS)]
    Links(Links),
    /// List the jobs
    Jobs,
    /// Say what a job does, why, and what it leaves alone
    #[command(after_help = help::EXPLAIN)]
    Explain {
        /// A job, as `memkeep jobs` lists it
        job: String,
    },
    /// Show every setting, its value and where that came from
    #[command(after_help = help::CONFIG)]
    Config(Config),
}

/// `memkeep run`
#[derive(Args, Debug)]
pub struct Run {
    /// Make the changes; without it nothing is written
    #[arg(long)]
    pub apply: bool,
    /// Run these jobs only
    #[arg(long, value_name = "JOB,..", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Leave these jobs out
    #[arg(long, value_name = "JOB,..", value_delimiter = ',')]
    pub skip: Vec<String>,
    /// Let notes that someone else wrote just now wait for the next run, as a timer should
    #[arg(long)]
    pub due: bool,
    /// Make likely changes too: `likely` for all of them, `shrink` for large losses of derived rows, or
    /// the rules to accept
    #[arg(long, value_name = "likely|shrink|RULE", value_delimiter = ',')]
    pub accept: Vec<String>,
    /// How its report is told.
    #[command(flatten)]
    pub telling: Telling,
}

/// How a report is told.
#[derive(Args, Debug)]
pub struct Telling {
    /// Write the report as text, markdown or json, to a file or in place of the text; may be repeated
    #[arg(long, value_name = "FORMAT[=PATH]")]
    pub report: Vec<Sink>,
    /// One line for each note in place of its diff
    #[arg(long, conflicts_with = "quiet")]
    pub stat: bool,
    /// Say nothing but what a person must know, and nothing at all where there is no such thing
    #[arg(long, short)]
    pub quiet: bool,
}

/// `memkeep check`
#[derive(Args, Debug)]
pub struct Check {
    /// The least severity of a finding that makes the exit code 1
    #[arg(long, value_name = "LEVEL", default_value = "warning")]
    pub level: Level,
    /// How the findings are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// `memkeep undo`
#[derive(Args, Debug)]
pub struct Undo {
    /// The run, or the start of its id [default: the last run that changed something]
    pub run: Option<String>,
    /// Show what would be restored, and write nothing
    #[arg(long)]
    pub preview: bool,
    /// Restore the notes that can be restored, where others were edited since
    #[arg(long)]
    pub partial: bool,
    /// How its report is told.
    #[command(flatten)]
    pub telling: Telling,
}

/// `memkeep runs`
#[derive(Args, Debug)]
pub struct Runs {
    /// How the runs are listed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// `memkeep show`
#[derive(Args, Debug)]
pub struct Show {
    /// The run, or the start of its id
    pub run: String,
    /// How its report is told.
    #[command(flatten)]
    pub telling: Telling,
}

/// `memkeep links`
#[derive(Debug, Subcommand)]
pub enum Links {
    /// List the links that memkeep made, and those that people took away
    List {
        /// Those of one note: its path, or its file name
        note: Option<String>,
        /// How they are listed
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: Format,
    },
    /// Say why some words in a note are a link or none, and what weighs for and against it
    Explain {
        /// The note: its path, or its file name
        note: String,
        /// The words, as they stand there
        words: String,
        /// How it is said
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: Format,
    },
    /// Show the links that memkeep made to a note as text again; --apply makes them so, for good
    Remove {
        /// The note they lead to: its path, or its file name
        target: String,
        /// How it is done.
        #[command(flatten)]
        doing: Doing,
    },
    /// Show what would be linked if memkeep had linked nothing so far; --apply makes it so
    Rederive {
        /// How it is done.
        #[command(flatten)]
        doing: Doing,
    },
}

/// How a command about links writes and tells.
#[derive(Args, Debug)]
pub struct Doing {
    /// Make the changes; without it nothing is written
    #[arg(long)]
    pub apply: bool,
    /// Make likely changes too: `likely`, `shrink`, or rules
    #[arg(long, value_name = "likely|shrink|RULE", value_delimiter = ',')]
    pub accept: Vec<String>,
    /// How its report is told.
    #[command(flatten)]
    pub telling: Telling,
}

/// `memkeep config`
#[derive(Args, Debug)]
pub struct Config {
    /// Print the JSON schema of memkeep.yaml, for editors
    #[arg(long, conflicts_with_all = ["reference", "defaults"])]
    pub schema: bool,
    /// Print every setting with what it does and what it may be
    #[arg(long, conflicts_with = "defaults")]
    pub reference: bool,
    /// Print the defaults as a file with a comment above each setting, to copy from
    #[arg(long)]
    pub defaults: bool,
}

/// Text for people or JSON for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal.
    Auto,
    /// In any case.
    Always,
    /// In no case.
    Never,
}

/// A severity to fail at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Anything found.
    Note,
    /// Something to look at.
    Warning,
    /// Something wrong.
    Error,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Note => Severity::Note,
            Level::Warning => Severity::Warning,
            Level::Error => Severity::Error,
        }
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as key=value")?;
    Ok((key.trim().to_owned(), value.to_owned()))
}

/// What a command came to: text for standard output, and how to end.
#[derive(Debug, PartialEq, Eq)]
pub struct Output {
    /// What is printed, whole.
    pub text: String,
    /// The code to end with.
    pub exit: crate::exit::Exit,
}
