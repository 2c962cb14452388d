//! The configuration as the program uses it: typed and complete.
//!
//! There is no default here: values come from `defaults.yaml` alone. A leaf of that file without a field,
//! or a field without a leaf, is refused when the defaults are read.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::globs::Globs;
use crate::keys::{self, Shape};
use crate::kinds;
use crate::layers::Layers;
use crate::normalise::Normalise;
use crate::relink::Relink;

/// Names of folders and files at any depth that are never walked, whatever `exclude` says.
pub const NEVER_WALKED: [&str; 4] = [".git", ".obsidian", ".trash", ".memkeep"];

/// Everything a user can set; what each field means stands in [`crate::reference`].
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// As it was written: the caller resolves `~` and relative paths. Never set by a vault's own file.
    pub vault: Option<PathBuf>,
    /// What is not walked, besides [`NEVER_WALKED`].
    pub exclude: Globs,
    /// What is counted and never opened.
    pub private: Globs,
    /// What is a memory.
    pub memory: Globs,
    /// What is a board.
    pub boards: Globs,
    /// Names of conflict copies; see [`crate::duplicate_of`] for the kind that needs a look at the folder.
    pub conflicts: Globs,
    /// Names that exist for a moment while a file is saved; no finding is due.
    pub temporary: Globs,
    /// Sizes beyond which a note is read-only.
    pub limits: Limits,
    /// Rule ids as `job/rule`, or `job/*`; ask [`Config::accepts`].
    pub accept: Vec<String>,
    /// The settle window of `--due`, in minutes.
    pub settle_minutes: u32,
    /// How long runs are kept.
    pub journal: Retention,
    /// The table of the job `relink`.
    pub relink: Relink,
    /// The table of the job `normalise`.
    pub normalise: Normalise,
    /// The table of the job `trim`.
    pub trim: Trim,
}

/// How much of a file is read.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Bytes of a note.
    pub note_bytes: usize,
    /// Bytes between the fences of a frontmatter block.
    pub frontmatter_bytes: usize,
    /// Levels of lists and quotes.
    pub nesting: usize,
}

/// How long the journal is kept; a run goes when it passes either mark, the newest never.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// Age in days.
    pub keep_days: u32,
    /// Count of runs.
    pub keep_runs: u32,
}

/// What `trim` goes by; `keep_lines < max_lines` and `keep_bytes < max_bytes` hold.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Trim {
    /// The limit in lines: more is too long.
    pub max_lines: usize,
    /// The limit in bytes: more is too long.
    pub max_bytes: usize,
    /// The low-water mark in lines.
    pub keep_lines: usize,
    /// The low-water mark in bytes.
    pub keep_bytes: usize,
    /// Whether the frontmatter block counts, fences included.
    pub count_frontmatter: bool,
    /// Whether block HTML comments count.
    pub count_comments: bool,
    /// Heading texts whose section never moves.
    pub now: Vec<String>,
    /// Texts that pin the entry they stand in.
    pub pins: Vec<String>,
    /// Where undated entries are oldest.
    pub order: Order,
    /// Words that mark a correction, in several languages; compare without regard to case.
    pub corrections: Vec<String>,
    /// Project notes that are trimmed in their zones.
    pub projects: Globs,
    /// Heading texts of those zones.
    pub zones: Vec<String>,
    /// Bytes beyond which an archive is too large.
    pub archive_bytes: usize,
    /// What happens to an archive that is too large.
    pub split: Split,
}

/// In which direction the entries of a memory grow.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As its dated entries run; without any, the top is oldest.
    Auto,
    /// The top is newest.
    NewestFirst,
    /// The end is newest.
    NewestLast,
}

/// Whether a large archive goes on in another file.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// It stays one file.
    None,
    /// It goes on in a file for each year.
    Year,
}

impl Default for Config {
    /// What is in force where nobody set anything.
    #[expect(clippy::expect_used, reason = "the defaults are compiled in, and a test resolves them")]
    fn default() -> Self {
        Layers::new().resolve().expect("the defaults are without error").config
    }
}

impl Config {
    /// Whether likely changes of the rule `job/rule` are applied without being asked for.
    pub fn accepts(&self, rule: &str) -> bool {
        let job = rule.split('/').next().unwrap_or_default();
        self.accept.iter().any(|own| own == rule || own.strip_suffix("/*").is_some_and(|own| own == job))
    }

    /// The settings of one table (`trim`) that differ from the defaults, as one line of JSON.
    ///
    /// It changes exactly when a person changes that table, and not with a new version of the program;
    /// a table that does not exist is `{}`.
    pub fn fingerprint(&self, table: &str) -> String {
        let (own, default) = (table_of(self, table), table_of(&Self::default(), table));
        let changed = |(name, value): (String, Json)| {
            let value = match keys::find(&keys::joined(table, &name)) {
                Some(key) if key.shape == Shape::Kinds => kinds::changes(&value, &key.default)?,
                _ => Some(value).filter(|value| default.get(&name) != Some(value))?,
            };
            Some((name, value))
        };
        own.into_iter().filter_map(changed).collect::<Json>().to_string()
    }
}

/// One table in its JSON form, keys in alphabetical order.
fn table_of(config: &Config, table: &str) -> Map<String, Json> {
    // A path that is no text has no JSON form, and belongs to no table.
    let config = Config { vault: None, ..config.clone() };
    match serde_json::to_value(&config) {
        Ok(Json::Object(mut tables)) => match tables.remove(table) {
            Some(Json::Object(own)) => own,
            _ => Map::new(),
        },
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests;
