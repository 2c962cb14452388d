//! The whole vault as relink sees it: its names, its units with their mentions and links.

use super::{
    find::Finder,
    judge::features::Facts,
    lexicon::Lexicon,
    page::Page,
    sheet::{Sheet, hash_of, sheets},
};
use crate::vault::{
    Access, Note, Reason, Span, Vault,
    entry::Outline,
    frontmatter::Frontmatter,
    markdown::Markdown,
    names::{Name, Resolver, names_of},
};
use config::Globs;
use rayon::prelude::*;

/// Which notes play which part.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Notes that no link may lead to.
    pub no_targets: Globs,
    /// Notes that are never edited and teach nothing.
    pub no_sources: Globs,
    /// Notes whose entries are the units: boards and memories.
    pub entries: Globs,
}

/// The vault, surveyed.
pub struct Survey {
    /// All names that may be linked, and those that are in the way.
    pub lexicon: Lexicon,
    /// The units, in the order of the notes.
    pub sheets: Vec<Sheet>,
    /// What else is known of each note.
    pub facts: Vec<Facts>,
}

impl Survey {
    /// Surveys a vault.
    pub fn of(vault: &Vault, parts: &Parts) -> Survey {
        let resolver = Resolver::of(vault);
        let lexicon = lexicon(vault, parts, &resolver);
        let read = |at: usize, note: &Note| {
            let found = Frontmatter::find(&note.text);
            let body = Frontmatter::body(&note.text, found.as_ref());
            let facts = facts(note, found.as_ref());
            if parts.no_sources.matches(note.path.as_str()) {
                return (Vec::new(), facts);
            }
            let page = Page::read(vault, &resolver, at, body);
            let units = match parts.entries.matches(note.path.as_str()) {
                true => units(note, body),
                false => Vec::new(),
            };
            (sheets(&mut Finder::default(), &lexicon, &page, note, at, &units), facts)
        };
        let all: Vec<(Vec<Sheet>, Facts)> =
            vault.notes().par_iter().enumerate().map(|(at, note)| read(at, note)).collect();
        let (sheets, facts): (Vec<Vec<Sheet>>, Vec<Facts>) = all.into_iter().unzip();
        Survey { lexicon, sheets: sheets.into_iter().flatten().collect(), facts }
    }
}

fn lexicon(vault: &Vault, parts: &Parts, resolver: &Resolver) -> Lexicon {
    let names: Vec<Vec<Name>> = vault
        .notes()
        .par_iter()
        .map(|note| if is_target(note, parts, resolver) { names_of(note) } else { Vec::new() })
        .collect();
    Lexicon::of(names.into_iter().enumerate().flat_map(|(at, names)| names.into_iter().map(move |name| (at, name))))
}

/// True where a link can lead to the note and to no other.
fn is_target(note: &Note, parts: &Parts, resolver: &Resolver) -> bool {
    let is_there = !matches!(
        note.access,
        Access::ReadOnly(Reason::ConflictCopy | Reason::LinkOut | Reason::Unreadable | Reason::NotUtf8)
    );
    let stem = note.path.stem();
    let is_plain = !stem.contains(['[', ']', '|', '#', '^', '\\']) && !stem.contains("%%");
    is_there && is_plain && resolver.notes_of_stem(stem) == 1 && !parts.no_targets.matches(note.path.as_str())
}

fn units(note: &Note, body: usize) -> Vec<Span> {
    let markdown = Markdown::parse(&note.text, body);
    Outline::of(&markdown, &note.text).entries.iter().map(|entry| entry.span).collect()
}

fn facts(note: &Note, frontmatter: Option<&Frontmatter>) -> Facts {
    let tags = frontmatter.map(|found| found.list("tags")).unwrap_or_default();
    let mut tags: Vec<u64> = tags.into_iter().map(|tag| hash_of(&tag.trim_start_matches('#').to_lowercase())).collect();
    tags.sort_unstable();
    tags.dedup();
    Facts { branch: note.path.folder().split('/').map(hash_of).collect(), tags }
}
