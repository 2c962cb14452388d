//! What a person should know. A finding never stops a run and never changes a note.

use crate::vault::NotePath;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How much a finding matters; ordered, so that a level can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing to do.
    Note,
    /// Something a person should look at.
    Warning,
    /// Something is wrong or did not work.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// One finding: what, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// The note it is about; a finding about the vault as a whole has none.
    pub path: Option<NotePath>,
    /// The line, from 1, where one can be named.
    pub line: Option<usize>,
    /// How much it matters.
    pub severity: Severity,
    /// The rule that speaks, such as `trim/stuck`.
    pub rule: String,
    /// What is so, as a lower-case fragment.
    pub message: String,
    /// What to do, as a sentence; empty where there is nothing to do.
    pub hint: String,
}

impl Finding {
    /// A finding about one note.
    pub fn about(path: &NotePath, severity: Severity, rule: &str, message: impl Into<String>) -> Self {
        Finding { path: Some(path.clone()), ..Finding::of_vault(severity, rule, message) }
    }

    /// A finding about the vault as a whole.
    pub fn of_vault(severity: Severity, rule: &str, message: impl Into<String>) -> Self {
        let (rule, message) = (rule.to_owned(), message.into());
        Finding { path: None, line: None, severity, rule, message, hint: String::new() }
    }

    /// The same, at a line (from 1).
    pub fn at(self, line: usize) -> Self {
        Finding { line: Some(line), ..self }
    }

    /// The same, with what to do.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Finding { hint: hint.into(), ..self }
    }
}
