//! How the program ends: its exit codes, which scripts and timers rely on, and the errors behind them.
//! Nothing here prints or exits; `main` does.

use crate::{lock::LockError, run::RunError};
use config::ConfigError;
use std::{fmt, process::ExitCode};

/// The exit codes, a promise to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done. Notes, warnings and waiting included: a timer must not fail every night over a name.
    Done = 0,
    /// Done, but something failed or was refused, or `check` found something at or above its level.
    NeedsAPerson = 1,
    /// Wrong usage or configuration; nothing was done.
    Usage = 2,
    /// Another run holds the lock; nothing was done.
    Locked = 3,
    /// The commit stopped: the vault is as before or, as the message then says, the next run finishes it.
    Stopped = 4,
    /// An internal error.
    Internal = 5,
    /// Interrupted: 128 and the number of SIGINT, as shells count.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command did not do what it was asked for.
#[derive(Debug)]
pub struct Failure {
    /// The code to end with.
    pub exit: Exit,
    /// What failed and why, as a lower-case fragment; foreign text in it is escaped by `main`.
    pub message: String,
    /// What to do, as a sentence.
    pub hint: Option<String>,
}

impl Failure {
    /// Wrong usage: exit 2.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure { exit: Exit::Usage, message: message.into(), hint: None }
    }

    /// The same, with what to do.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Failure { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let (exit, hint) = match &error {
            RunError::Usage(_) => (Exit::Usage, "`memkeep runs` lists the runs."),
            RunError::Locked(_) => (Exit::Locked, "Try again when that run is over."),
            RunError::Stopped(_) => (Exit::Stopped, "`memkeep check` looks the vault and its journal over."),
        };
        Failure { exit, message: error.to_string(), hint: Some(hint.to_owned()) }
    }
}

impl From<LockError> for Failure {
    fn from(error: LockError) -> Self {
        let (exit, hint) = match &error {
            LockError::Held { .. } => (Exit::Locked, "Nothing was done; try again when that run is over."),
            LockError::Io(_) => {
                (Exit::Stopped, "Nothing was done; memkeep must be able to write into `.memkeep`.")
            }
        };
        Failure { exit, message: error.to_string(), hint: Some(hint.to_owned()) }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let told = |error: &ConfigError| match &error.hint {
            Some(hint) => format!("{error} ({hint})"),
            None => error.to_string(),
        };
        let mut message = format!("cannot use the settings: {}", told(&error));
        for other in &error.also {
            message += &format!("\n  {}", told(other));
        }
        Failure::usage(message).hint("`memkeep config --reference` lists every setting.")
    }
}
