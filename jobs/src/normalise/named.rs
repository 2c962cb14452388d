//! A `name` may differ from the file's name: memkeep follows both. Obsidian follows the file's name alone, so
//! a link that only the `name` explains is broken there, and that is told.

use super::{Part, kinds::Kinds};
use crate::{
    finding::{Finding, Severity},
    job::read_notes,
    vault::{Note, NotePath, Vault, frontmatter::Frontmatter, markdown::Markdown},
};
use memchr::memmem;
use std::collections::{HashMap, HashSet};

pub(super) const NAME: &str = "normalise/name";

/// Links to the `name` of a note whose file is called otherwise, where no file is called so.
pub(super) fn broken(kinds: &Kinds, vault: &Vault, parts: &[Part]) -> Vec<Finding> {
    let names = own_names(vault, parts);
    if names.is_empty() || !kinds.is_on(NAME) {
        return Vec::new();
    }
    let (told, panics) = read_notes(vault, |note| Some(told(note, &names)));
    told.into_iter().flatten().chain(panics).collect()
}

/// The names, in small letters, that differ from the names of all files, and the note that has each.
fn own_names<'a>(vault: &Vault, parts: &'a [Part]) -> HashMap<String, &'a NotePath> {
    let differing = parts.iter().filter_map(|part| {
        let name =
            part.block.get("name").filter(|name| !name.is_empty() && *name != part.note.path.stem())?;
        Some((name.to_lowercase(), &part.note.path))
    });
    let mut names: HashMap<String, &NotePath> = differing.collect();
    if !names.is_empty() {
        let stems: HashSet<String> =
            vault.notes().iter().map(|note| note.path.stem().to_lowercase()).collect();
        names.retain(|name, _| !stems.contains(name));
    }
    names
}

fn told(note: &Note, names: &HashMap<String, &NotePath>) -> Vec<Finding> {
    // Few notes link so, and only those are read as Markdown.
    if !targets(&note.text).any(|target| names.contains_key(&target.trim().to_lowercase())) {
        return Vec::new();
    }
    let markdown = Markdown::parse(&note.text, Frontmatter::body_of(&note.text));
    let links = markdown.links.iter().filter(|link| link.kind.is_wiki());
    let broken = links.filter_map(|link| Some((link, names.get(&link.target.trim().to_lowercase())?)));
    let finding = |(link, path): (&crate::vault::markdown::Link, &&NotePath)| {
        let message =
            format!("`[[{}]]` leads nowhere in Obsidian: it is the `name` of `{path}`", link.target);
        Finding::about(&note.path, Severity::Note, NAME, message)
            .at(note.line_of(link.span.start))
            .hint(format!("Write `[[{}|{}]]`, or name the file so.", path.stem(), link.target))
    };
    broken.map(finding).collect()
}

/// What follows each `[[`, up to a sign that ends the target of a link, or to another bracket: a text of
/// nothing but brackets is looked at once.
pub(super) fn targets(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| matches!(c, '[' | ']' | '|' | '#' | '\\' | '\n');
    memmem::find_iter(text.as_bytes(), "[[").filter_map(move |at| text[at + 2..].split(ends).next())
}
