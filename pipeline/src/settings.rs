//! Which vault, which settings and which day: everything that a command takes from its surroundings.
//! The only reader of the environment, the user's own file and the clock. Nothing is written here.

use crate::{exit::Failure, report::When};
use chrono::{DateTime, Local, NaiveDate};
use config::{Layers, Resolved};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Variables of the program that are no settings.
pub const RESERVED: [&str; 3] = ["MEMKEEP_CONFIG", "MEMKEEP_LOG", "MEMKEEP_TODAY"];

/// What marks a folder as a vault.
const MARKS: [&str; 3] = ["memkeep.yaml", ".memkeep", ".obsidian"];

/// What a person gave on the command line.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// `--vault`.
    pub vault: Option<PathBuf>,
    /// `--set`, as key and value.
    pub set: Vec<(String, String)>,
}

/// A vault, if there is one, and what is set for it.
#[derive(Debug)]
pub struct Settings {
    /// The folder of the vault, links resolved.
    pub vault: Option<PathBuf>,
    /// Every value, and where it came from.
    pub resolved: Resolved,
}

impl Settings {
    /// Finds the vault and reads the settings: a vault that was named must exist, one that was not may be
    /// missing.
    pub fn find(given: &Given) -> Result<Self, Failure> {
        let user = user_file()?;
        let vault = match &given.vault {
            Some(named) => Some(folder(named, "the vault")?),
            None => match above(&here()?) {
                Some(found) => Some(found),
                None => default_vault(layers(user.as_ref(), None, given).resolve()?, user.as_ref())?,
            },
        };
        let own = match &vault {
            Some(vault) => plain(&vault.join("memkeep.yaml"))?,
            None => None,
        };
        let resolved = layers(user.as_ref(), own.as_ref(), given).resolve()?;
        Ok(Settings { vault, resolved })
    }

    /// The vault; an error says how to name one.
    pub fn vault(&self) -> Result<&Path, Failure> {
        self.vault.as_deref().ok_or_else(|| {
            let marks = MARKS.join(", ");
            Failure::usage(format!("cannot find a vault: neither this folder nor one above holds {marks}"))
                .hint("Name it with --vault DIR, or as `vault:` in your own config.yaml.")
        })
    }
}

/// A file of settings: how messages call it, where it lies, and its bytes.
struct File {
    shown: String,
    path: PathBuf,
    bytes: Vec<u8>,
}

fn layers(user: Option<&File>, vault: Option<&File>, given: &Given) -> Layers {
    let mut layers = Layers::new().reserved(RESERVED).env(env::vars_os());
    if let Some(file) = user {
        layers = layers.user(&file.shown, &file.bytes);
    }
    if let Some(file) = vault {
        layers = layers.vault(&file.shown, &file.bytes);
    }
    given.set.iter().fold(layers, |layers, (key, value)| layers.flag(key, value))
}

/// The user's own file: named by `MEMKEEP_CONFIG`, which must then exist, or where XDG puts it.
fn user_file() -> Result<Option<File>, Failure> {
    if let Some(named) = variable("MEMKEEP_CONFIG") {
        let path = PathBuf::from(named);
        let missing =
            || Failure::usage(format!("cannot read {}: MEMKEEP_CONFIG names no file", path.display()));
        return read(&path)?.ok_or_else(missing).map(Some);
    }
    // A relative XDG folder is to be ignored (XDG base directory specification).
    let xdg = variable("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    match xdg.or_else(|| home().map(|home| home.join(".config"))) {
        Some(folder) => read(&folder.join("memkeep/config.yaml")),
        None => Ok(None),
    }
}

/// A vault may come from anywhere: what would wait for a writer, or never end, is not opened.
fn plain(path: &Path) -> Result<Option<File>, Failure> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            let cannot = format!("cannot read {}: it is no plain file", path.display());
            Err(Failure::usage(cannot).hint("Put a file of settings in its place, or remove it."))
        }
        _ => read(path),
    }
}

fn read(path: &Path) -> Result<Option<File>, Failure> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(File { shown: path.display().to_string(), path: path.to_owned(), bytes })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::usage(format!("cannot read {}: {error}", path.display()))),
    }
}

/// The folder at or above `from` that is marked as a vault.
fn above(from: &Path) -> Option<PathBuf> {
    let is_vault = |dir: &&Path| MARKS.iter().any(|mark| dir.join(mark).exists());
    from.ancestors().find(is_vault).map(Path::to_owned)
}

/// The vault that the settings name: `~` is the home folder, a relative path starts at the user's file.
fn default_vault(resolved: Resolved, user: Option<&File>) -> Result<Option<PathBuf>, Failure> {
    let Some(vault) = resolved.config.vault else { return Ok(None) };
    let from = user.and_then(|file| file.path.parent()).map_or_else(PathBuf::new, Path::to_owned);
    let vault = match (vault.strip_prefix("~"), home()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => from.join(vault),
    };
    folder(&vault, "the vault that `vault:` names").map(Some)
}

fn folder(path: &Path, what: &str) -> Result<PathBuf, Failure> {
    let cannot = |why: String| Failure::usage(format!("cannot open {what} {}: {why}", path.display()));
    let found = path.canonicalize().map_err(|error| cannot(error.to_string()))?;
    if found.is_dir() { Ok(found) } else { Err(cannot("it is no folder".to_owned())) }
}

fn here() -> Result<PathBuf, Failure> {
    env::current_dir().map_err(|error| Failure::usage(format!("cannot tell the current folder: {error}")))
}

fn home() -> Option<PathBuf> {
    variable("HOME").map(PathBuf::from)
}

/// An empty variable counts as not set.
fn variable(name: &str) -> Option<std::ffi::OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// This moment, for a run: `today` where it is given, else the local day.
#[derive(Clone, Debug)]
pub struct Moment {
    /// For the report.
    pub when: When,
    /// For ids.
    pub local: DateTime<Local>,
    /// For the age of files.
    pub system: SystemTime,
}

impl Moment {
    /// Reads the clock, once for each command.
    pub fn now(today: Option<NaiveDate>) -> Self {
        let local = Local::now();
        let when = When {
            started: local.to_rfc3339_opts(chrono::SecondsFormat::Secs, false),
            today: today.unwrap_or_else(|| local.date_naive()),
            zone: zone(&local),
        };
        Moment { when, local, system: SystemTime::now() }
    }
}

/// The zone by name and offset. A wrong `TZ` is taken for UTC without a word by every program: here it
/// is seen, as `Mars/Base (+00:00)`.
fn zone(local: &DateTime<Local>) -> String {
    let offset = local.format("%:z");
    match variable("TZ").map(|tz| tz.to_string_lossy().into_owned()).or_else(system_zone) {
        Some(name) => format!("{name} ({offset})"),
        None => offset.to_string(),
    }
}

/// What the link `/etc/localtime` says; not every system has one.
fn system_zone() -> Option<String> {
    let target = fs::read_link("/etc/localtime").ok()?;
    target.to_str()?.split_once("zoneinfo/").map(|(_, name)| name.to_owned())
}
