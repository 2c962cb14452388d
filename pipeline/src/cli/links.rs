//! `memkeep links`: what memkeep linked, why, and how to have it otherwise.

use super::{Format, table::table};
use crate::{exit::Failure, report::shown::shown_line};
use config::{Config, nearest};
use jobs::{
    relink::{
        Relink, Settings,
        answer::{Answer, Listed},
    },
    vault::{NotePath, Vault},
};

/// The links that memkeep made, a line each; those of one note where one is named.
pub fn list(config: &Config, vault: &Vault, note: Option<&str>, format: Format) -> Result<String, Failure> {
    let only = note.map(|name| find(vault, name)).transpose()?;
    let only = only.and_then(|at| vault.notes().get(at)).map(|note| &note.path);
    let mut listed = Relink::new(Settings::new(config)).list(vault);
    listed.retain(|one| only.is_none_or(|note| *note == one.note));
    Ok(match format {
        Format::Json => json(&listed),
        Format::Text if listed.is_empty() => "memkeep made no links here\n".to_owned(),
        Format::Text => table(&listed.iter().map(row).collect::<Vec<_>>()),
    })
}

fn row(one: &Listed) -> Vec<String> {
    let place = match one.line {
        Some(line) => format!("{}:{line}", one.note),
        None => format!("{} (taken away)", one.note),
    };
    let to = format!("-> {}", one.target);
    [place, one.link.clone(), to, one.rule.clone(), one.run.clone()]
        .map(|cell| shown_line(&cell).into_owned())
        .to_vec()
}

/// Why words in a note are a link or none.
pub fn explain(
    config: &Config,
    vault: &Vault,
    note: &str,
    words: &str,
    format: Format,
) -> Result<String, Failure> {
    let at = find(vault, note)?;
    let path = vault.notes().get(at).map(|note| note.path.to_string()).unwrap_or_default();
    let answer = Relink::new(Settings::new(config)).explain(vault, at, words.trim());
    Ok(match format {
        Format::Json => json(&answer),
        Format::Text => told(&path, words.trim(), &answer),
    })
}

fn told(path: &str, words: &str, answer: &Answer) -> String {
    let place = answer.line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"));
    let to = answer.target.as_ref().map_or_else(String::new, |target| format!(" -> {target}"));
    let mut text = format!("{}\n", shown_line(&format!("{place}: '{words}'{to}")));
    for sentence in &answer.says {
        text.push_str(&format!("  {}\n", shown_line(sentence)));
    }
    for (name, part) in &answer.parts {
        text.push_str(&format!("    {part:+.2}  {name}\n"));
    }
    text
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).map_or_else(|_| String::new(), |text| text + "\n")
}

/// The note that links lead to, as a person names it; it may be gone.
pub fn target(config: &Config, vault: &Vault, name: &str) -> Result<NotePath, Failure> {
    let listed = Relink::new(Settings::new(config)).list(vault);
    let is_named =
        |one: &&Listed| one.target.as_str().trim_end_matches(".md") == name.trim_end_matches(".md");
    match (find(vault, name), listed.iter().find(is_named)) {
        (_, Some(one)) => Ok(one.target.clone()),
        (Ok(at), None) => vault
            .notes()
            .get(at)
            .map(|note| note.path.clone())
            .ok_or_else(|| Failure::usage(format!("cannot find a note `{name}` in the vault"))),
        (Err(failure), None) => Err(failure),
    }
}

/// The note that a person names: by its path, with or without `.md`, or by a file name that no other note has.
pub fn find(vault: &Vault, name: &str) -> Result<usize, Failure> {
    let wanted = name.trim_start_matches("./");
    let with_end = format!("{wanted}.md");
    let paths = || vault.notes().iter().map(|note| note.path.as_str());
    if let Some(at) = paths().position(|path| path == wanted || path == with_end) {
        return Ok(at);
    }
    let is_so =
        |at: &usize| vault.notes()[*at].path.name() == wanted || vault.notes()[*at].path.stem() == wanted;
    let mut named = (0..vault.notes().len()).filter(is_so);
    match (named.next(), named.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => {
            Err(Failure::usage(format!("cannot tell which note `{name}` is: several have this file name"))
                .hint("Give its path in the vault."))
        }
        (None, _) => {
            let failure = Failure::usage(format!("cannot find a note `{name}` in the vault"));
            let stems = vault.notes().iter().map(|note| note.path.stem());
            Err(match nearest(wanted, paths().chain(stems)) {
                Some(near) => failure.hint(format!("Did you mean `{near}`?")),
                None => failure.hint("Give its path in the vault."),
            })
        }
    }
}
