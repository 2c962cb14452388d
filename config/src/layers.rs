//! Defaults, the user's file, the vault's file, the environment and the command line, one over the other.
//!
//! Nothing here reads a file or the environment: the caller hands over what it found.

use std::ffi::{OsStr, OsString};
use std::fmt;

use serde_json::{Map, Value as Json};

use crate::budget;
use crate::error::{ConfigError, harmless};
use crate::keys::{self, Key};
use crate::reading::{self, InForce, Layer, Setting, Source};
use crate::settings::Config;

/// The texts and variables a configuration is made of; later layers win over earlier ones.
#[derive(Debug, Default)]
pub struct Layers {
    user: Option<(String, Vec<u8>)>,
    vault: Option<(String, Vec<u8>)>,
    variables: Vec<(OsString, OsString)>,
    reserved: Vec<String>,
    flags: Vec<(String, String)>,
}

/// A configuration with the origin of each of its values.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// What the program uses.
    pub config: Config,
    /// Every key that holds a value, in the order of the reference.
    pub values: Vec<Value>,
}

/// One effective value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The path of the key: `trim.max_lines`.
    pub key: String,
    /// The value as YAML on one line, as it could stand in a file.
    pub value: String,
    /// Which layer it came from.
    pub origin: Origin,
}

/// Which layer a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// The user's file, under the path the caller gave; the line of the key, from 1.
    User {
        /// The path as it is shown.
        path: String,
        /// The line.
        line: usize,
    },
    /// The vault's own file, in the same way.
    Vault {
        /// The path as it is shown.
        path: String,
        /// The line.
        line: usize,
    },
    /// An environment variable, by its name.
    Variable(String),
    /// The command line.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::User { path, line } | Self::Vault { path, line } => write!(f, "{}:{line}", harmless(path)),
            Self::Variable(name) => f.write_str(&harmless(name)),
            Self::Flag => f.write_str("flag"),
        }
    }
}

impl Layers {
    /// The defaults alone.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of the user's own file; `path` is how messages call it.
    pub fn user(mut self, path: impl Into<String>, text: impl AsRef<[u8]>) -> Self {
        self.user = Some((path.into(), text.as_ref().to_vec()));
        self
    }

    /// The text of the vault's `memkeep.yaml`; `path` is how messages call it.
    pub fn vault(mut self, path: impl Into<String>, text: impl AsRef<[u8]>) -> Self {
        self.vault = Some((path.into(), text.as_ref().to_vec()));
        self
    }

    /// Environment variables; those that do not start with `MEMKEEP_` or are empty count as not set.
    pub fn env(
        mut self,
        variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> Self {
        let owned = |(name, value): (_, _)| (owned(name), owned(value));
        self.variables.extend(variables.into_iter().map(owned));
        self
    }

    /// Names of `MEMKEEP_` variables that are not settings, and that the caller reads itself.
    pub fn reserved(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.reserved.extend(names.into_iter().map(Into::into));
        self
    }

    /// One `key=value` of the command line, the value written as in a variable; of two the later wins.
    pub fn flag(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.flags.push((key.into(), value.into()));
        self
    }

    /// Lays the layers over each other: mappings key by key, lists as a whole. The error holds all errors.
    pub fn resolve(self) -> Result<Resolved, ConfigError> {
        let mut stack = Stack::new();
        if let Some((path, text)) = &self.user {
            stack.lay(reading::file(Source::User, path, text, &stack.in_force));
        }
        if let Some((path, text)) = &self.vault {
            stack.lay(reading::file(Source::Vault, path, text, &stack.in_force));
        }
        stack.lay(reading::variables(&self.variables, &self.reserved, &stack.in_force));
        for (key, value) in &self.flags {
            stack.lay(reading::flag(key, value, &stack.in_force));
        }
        let Stack { mut in_force, mut errors } = stack;
        if errors.is_empty() {
            errors = budget::settle(&mut in_force);
        }
        first(errors)?;
        Ok(resolved(&in_force))
    }
}

/// The layers read so far.
struct Stack {
    in_force: InForce,
    errors: Vec<ConfigError>,
}

impl Stack {
    fn new() -> Self {
        let leaves = keys::all().iter().filter(|key| key.is_leaf());
        let in_force = leaves.map(|key| (key.path.as_str(), Setting::of_default(key))).collect();
        Self { in_force, errors: Vec::new() }
    }

    fn lay(&mut self, (settings, errors): Layer) {
        self.in_force.extend(settings.into_iter().map(|setting| (setting.key.path.as_str(), setting)));
        self.errors.extend(errors);
    }
}

fn owned(text: impl AsRef<OsStr>) -> OsString {
    text.as_ref().to_owned()
}

/// How many errors are worth reading at once.
const MAX_ERRORS: usize = 20;

/// The first error with the others in it.
fn first(errors: Vec<ConfigError>) -> Result<(), ConfigError> {
    let mut errors = errors.into_iter();
    match errors.next() {
        None => Ok(()),
        Some(first) => Err(ConfigError { also: errors.take(MAX_ERRORS).collect(), ..first }),
    }
}

#[expect(clippy::expect_used, reason = "every leaf was checked against its shape; a test sets them all")]
fn resolved(in_force: &InForce) -> Resolved {
    let mut tree = Map::new();
    let mut values = Vec::new();
    for key in keys::all() {
        let Some(setting) = in_force.get(key.path.as_str()) else { continue };
        insert(&mut tree, key, setting.value.clone());
        let value = key.line(&setting.value);
        values.push(Value { key: key.path.clone(), value, origin: setting.origin.clone() });
    }
    let config = serde_json::from_value(Json::Object(tree)).expect("every leaf fits its field");
    Resolved { config, values }
}

/// Puts a value where its path leads.
fn insert(tree: &mut Map<String, Json>, key: &Key, value: Json) {
    match key.path.split_once('.') {
        None => {
            tree.insert(key.path.clone(), value);
        }
        Some((table, name)) => {
            let own = tree.entry(table).or_insert_with(|| Json::Object(Map::new()));
            if let Json::Object(own) = own {
                own.insert(name.to_owned(), value);
            }
        }
    }
}

#[cfg(test)]
mod tests;
