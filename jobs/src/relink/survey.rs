//! The whole vault as relink sees it: its names, its units with their mentions and links.

use super::{
    find::Finder,
    judge::features::Facts,
    lexicon::Lexicon,
    page::Page,
    sheet::{Sheet, sheets},
};
use crate::vault::{
    Access, Note, Reason, Span, Vault,
    entry::Outline,
    frontmatter::Frontmatter,
    markdown::Markdown,
    names::{Name, Resolver, names_in, token::hash_of},
};
use config::Globs;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Which notes play which part.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Notes that no link may lead to.
    pub no_targets: Globs,
    /// Notes that a link may lead to only where people made one that does, such as templates.
    pub shy_targets: Globs,
    /// Notes that are never edited and teach nothing.
    pub no_sources: Globs,
    /// Notes whose entries are the units: boards and memories.
    pub entries: Vec<Globs>,
}

/// The vault, surveyed.
pub struct Survey {
    /// All names that may be linked, and those that are in the way.
    pub lexicon: Lexicon,
    /// The units, in the order of the notes.
    pub sheets: Vec<Sheet>,
    /// What else is known of each note.
    pub facts: Vec<Facts>,
    /// Words of several notes, each with how often it is mentioned.
    pub ambiguous: BTreeMap<usize, usize>,
}

impl Survey {
    /// Surveys a vault.
    pub fn of(vault: &Vault, parts: &Parts) -> Survey {
        let heads: Vec<Head> = vault.notes().par_iter().map(|note| Head::of(note, parts)).collect();
        let (mut names, mut bodies, mut facts) = (Vec::new(), Vec::new(), Vec::new());
        for head in heads {
            names.push(head.names);
            bodies.push(head.body);
            facts.push(head.facts);
        }
        let resolver = Resolver::of(vault, &names);
        let lexicon = lexicon(vault, parts, &resolver, names);
        let read = |at: usize, note: &Note| {
            if parts.no_sources.matches(note.path.as_str()) {
                return (Vec::new(), Vec::new());
            }
            let body = bodies.get(at).copied().unwrap_or_default();
            let markdown = Markdown::parse(&note.text, body);
            let page = Page::read(vault, &resolver, at, body, &markdown);
            let has_entries = parts.entries.iter().any(|globs| globs.matches(note.path.as_str()));
            let units = if has_entries { units(note, &markdown) } else { Vec::new() };
            let mut finder = Finder::default();
            let sheets = sheets(&mut finder, &lexicon, &page, note, at, &units);
            (sheets, finder.ambiguous)
        };
        let all: Vec<(Vec<Sheet>, Vec<usize>)> =
            vault.notes().par_iter().enumerate().map(|(at, note)| read(at, note)).collect();
        let mut survey = Survey { lexicon, sheets: Vec::new(), facts, ambiguous: BTreeMap::new() };
        for (sheets, ambiguous) in all {
            survey.sheets.extend(sheets);
            for words in ambiguous {
                *survey.ambiguous.entry(words).or_default() += 1;
            }
        }
        survey.choose_teachers();
        survey
    }

    /// A unit teaches that holds a link as people here make them: what they left out there is left out on
    /// purpose. Where most link by `[[wikilink]]`, units with Markdown links alone are imports or written for other
    /// readers, and what they name without a link was not weighed.
    fn choose_teachers(&mut self) {
        let n_units = self.sheets.iter().filter(|sheet| !sheet.links.is_empty()).count();
        let n_wiki = self.sheets.iter().filter(|sheet| sheet.has_wikilink).count();
        let by_wikilink = 2 * n_wiki >= n_units;
        for sheet in &mut self.sheets {
            sheet.teaches = if by_wikilink { sheet.has_wikilink } else { !sheet.links.is_empty() };
        }
    }
}

/// What the start of a note says.
struct Head {
    names: Vec<Name>,
    body: usize,
    facts: Facts,
}

impl Head {
    fn of(note: &Note, parts: &Parts) -> Head {
        let found = Frontmatter::find(&note.text);
        let body = Frontmatter::body(&note.text, found.as_ref());
        Head { names: names_in(note, found.as_ref()), body, facts: facts(note, found.as_ref(), parts) }
    }
}

fn lexicon(vault: &Vault, parts: &Parts, resolver: &Resolver, names: Vec<Vec<Name>>) -> Lexicon {
    let is_shared =
        |at: usize| vault.notes().get(at).is_some_and(|note| resolver.notes_of_stem(note.path.stem()) > 1);
    let is_named = |at: usize| vault.notes().get(at).is_some_and(|note| is_target(note, parts));
    let named = names.into_iter().enumerate().filter(|(at, _)| is_named(*at)).flat_map(|(at, names)| {
        let is_shared = is_shared(at);
        names.into_iter().map(move |name| (at, name, is_shared))
    });
    Lexicon::of(named)
}

/// True where the note is one to lead to, and a link can name it.
fn is_target(note: &Note, parts: &Parts) -> bool {
    let is_there = !matches!(
        note.access,
        Access::ReadOnly(Reason::ConflictCopy | Reason::LinkOut | Reason::Unreadable | Reason::NotUtf8)
    );
    let stem = note.path.stem();
    let is_plain = !stem.contains(['[', ']', '|', '#', '^', '\\']) && !stem.contains("%%");
    is_there && is_plain && !parts.no_targets.matches(note.path.as_str())
}

fn units(note: &Note, markdown: &Markdown) -> Vec<Span> {
    Outline::of(markdown, &note.text).entries.iter().map(|entry| entry.span).collect()
}

fn facts(note: &Note, frontmatter: Option<&Frontmatter>, parts: &Parts) -> Facts {
    let tags = frontmatter.map(|found| found.list("tags")).unwrap_or_default();
    let mut tags: Vec<u64> =
        tags.into_iter().map(|tag| hash_of(&tag.trim_start_matches('#').to_lowercase())).collect();
    tags.sort_unstable();
    tags.dedup();
    let branch = note.path.folder().split('/').map(hash_of).collect();
    Facts { branch, tags, is_shy: parts.shy_targets.matches(note.path.as_str()) }
}
