//! The whole vault as relink sees it: its names, its units with their mentions and links.

use super::{
    find::Finder,
    judge::features::Facts,
    lexicon::Lexicon,
    near::near,
    own::{Ground, Kept},
    page::{Page, Source},
    sheet::{Pair, Reading, Sheet},
};
use crate::vault::{
    Access, Note, NotePath, Reason, Span, Vault,
    archive::origin_of,
    entry::{Outline, folded, key},
    frontmatter::Frontmatter,
    markdown::{BlockKind, Markdown},
    names::{Name, Resolver, fold, names_in, token::hash_of},
};
use config::{Config, Globs};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

/// Which notes and names play which part.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Notes that no link may lead to.
    pub no_targets: Globs,
    /// Notes that a link may lead to only where people made one that does, such as templates.
    pub shy_targets: Globs,
    /// Notes that are never edited.
    pub no_sources: Globs,
    /// Notes whose links teach nothing.
    pub no_evidence: Globs,
    /// Notes whose entries are the units: boards, and all from which a trim moves entries.
    pub entries: Vec<Globs>,
    /// Headings of zones that only grow, folded.
    pub zones: HashSet<String>,
    /// Names that are never linked, folded.
    pub ignore: HashSet<String>,
    /// Headings are prose.
    pub headings: bool,
    /// A name matches its English plural.
    pub plurals: bool,
}

impl Parts {
    /// The parts as a vault wants them.
    pub fn new(config: &Config) -> Parts {
        let own = config.relink.clone();
        Parts {
            no_targets: own.no_targets,
            shy_targets: own.shy_targets,
            no_sources: own.no_sources,
            no_evidence: own.no_evidence,
            entries: vec![config.memory.clone(), config.boards.clone(), config.trim.projects.clone()],
            zones: config.trim.zones.iter().map(|zone| folded(zone)).collect(),
            ignore: own.ignore.iter().map(|name| fold(name.trim())).collect(),
            headings: own.headings,
            plurals: own.plurals,
        }
    }

    /// True where the units of a note are its entries.
    pub fn has_entries(&self, path: &NotePath) -> bool {
        self.entries.iter().any(|globs| globs.matches(path.as_str()))
    }

    /// True for a note into which no link may be put.
    pub fn is_closed(&self, note: &Note) -> bool {
        let is_read_only = matches!(note.access, Access::ReadOnly(_));
        is_read_only || self.no_sources.matches(note.path.as_str())
    }
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

/// What is needed to read a note.
struct Desk<'a> {
    ground: &'a Ground,
    source: Source<'a>,
    lexicon: &'a Lexicon,
    bodies: &'a [usize],
    facts: &'a [Facts],
    is_target: &'a [bool],
    homes: &'a [usize],
}

impl Survey {
    /// Surveys a vault.
    pub fn of(ground: &Ground, parts: &Parts) -> Survey {
        let vault = &ground.vault;
        let heads: Vec<Head> = vault.notes().par_iter().map(|note| Head::of(note, parts)).collect();
        let (mut names, mut bodies, mut facts) = (Vec::new(), Vec::new(), Vec::new());
        for head in heads {
            names.push(head.names);
            bodies.push(head.body);
            facts.push(head.facts);
        }
        let resolver = Resolver::of(vault, &names);
        let targets = vault.notes().iter().zip(&facts);
        let is_target: Vec<bool> = targets.map(|(note, facts)| is_target(note, facts, parts)).collect();
        let lexicon = lexicon(vault, parts, &resolver, names, &is_target);
        let source = Source { vault, resolver: &resolver, parts };
        let homes = homes(vault);
        let desk = Desk {
            ground,
            source,
            lexicon: &lexicon,
            bodies: &bodies,
            facts: &facts,
            is_target: &is_target,
            homes: &homes,
        };
        let all: Vec<(Vec<Sheet>, Vec<usize>)> =
            (0..vault.notes().len()).into_par_iter().map(|at| desk.read(at)).collect();
        let mut survey = Survey { lexicon, sheets: Vec::new(), facts, ambiguous: BTreeMap::new() };
        for (sheets, ambiguous) in all {
            survey.sheets.extend(sheets);
            for words in ambiguous {
                *survey.ambiguous.entry(words).or_default() += 1;
            }
        }
        survey.choose_teachers();
        survey.mark_echoes();
        survey
    }

    /// Two machines, or a trim that was interrupted, may have put one block into a memory and its archive.
    fn mark_echoes(&mut self) {
        let mut seen: HashSet<(usize, u64)> = HashSet::new();
        for sheet in self.sheets.iter_mut().filter(|sheet| sheet.block.is_some()) {
            sheet.is_echo |= !seen.insert((sheet.note, sheet.text));
        }
    }

    /// All that shares one link to a target with a sheet: the note, or the entry.
    pub fn unit_of<'a>(&'a self, sheet: &Sheet) -> impl Iterator<Item = &'a Sheet> + use<'a> {
        let entry = sheet.entry;
        self.of_note(sheet.own_note).iter().filter(move |other| other.entry == entry)
    }

    /// The sheets of the note at that index.
    pub fn of_note(&self, at: usize) -> &[Sheet] {
        let first = self.sheets.partition_point(|sheet| sheet.own_note < at);
        let last = self.sheets.partition_point(|sheet| sheet.own_note <= at);
        self.sheets.get(first..last).unwrap_or_default()
    }

    /// A unit teaches that holds a link as people here make them: what they left out there is left out on
    /// purpose. Where most link by `[[wikilink]]`, units with Markdown links alone are imports or written for other
    /// readers, and what they name without a link was not weighed.
    fn choose_teachers(&mut self) {
        let speaking = || self.sheets.iter().filter(|sheet| sheet.is_evidence);
        let n_units = speaking().filter(|sheet| !sheet.links.is_empty()).count();
        let n_wiki = speaking().filter(|sheet| sheet.has_wikilink).count();
        let by_wikilink = 2 * n_wiki >= n_units;
        for sheet in &mut self.sheets {
            let is_linking = if by_wikilink { sheet.has_wikilink } else { !sheet.links.is_empty() };
            sheet.teaches = sheet.is_evidence && is_linking;
        }
    }
}

impl Desk<'_> {
    /// The units of the note at that index, and its mentions of words of several notes. An archive is read as a
    /// part of the note it belongs to.
    fn read(&self, at: usize) -> (Vec<Sheet>, Vec<usize>) {
        let (vault, parts) = (self.source.vault, self.source.parts);
        let Some(note) = vault.notes().get(at) else { return Default::default() };
        let own = self.homes.get(at).copied().unwrap_or(at);
        let is_archive = own != at;
        if vault.notes().get(own).is_some_and(|own| parts.no_sources.matches(own.path.as_str())) {
            return Default::default();
        }
        let body = self.bodies.get(at).copied().unwrap_or_default();
        let markdown = Markdown::parse(&note.text, body);
        let page = Page::read(&self.source, at, body, &markdown);
        let has_entries = vault.notes().get(own).is_some_and(|own| parts.has_entries(&own.path));
        let blocks = if has_entries { blocks(&note.text, &markdown) } else { Vec::new() };
        let owns = self.owns(at);
        let reading = Reading {
            at,
            origin: own,
            note,
            page: &page,
            has_entries,
            blocks: &blocks,
            is_target: self.is_target,
            homes: self.homes,
            owns: &owns,
        };
        let mut finder = Finder::default();
        let mut sheets = reading.sheets(&mut finder, self.lexicon);
        let is_silent = parts.no_evidence.matches(note.path.as_str());
        let is_mute = self.facts.get(at).is_some_and(|facts| facts.autolink == Some(false));
        for sheet in &mut sheets {
            sheet.is_open = !is_archive && !is_mute && !parts.is_closed(note);
            sheet.is_evidence = !is_silent;
        }
        refuse(vault, note, &mut sheets, self.ground.kept(at));
        (sheets, if !is_archive { finder.ambiguous } else { Vec::new() })
    }

    /// Where in the plain note memkeep's links were, and where they lead.
    fn owns(&self, at: usize) -> Vec<(Span, Option<usize>)> {
        let index = |path: &NotePath| self.source.vault.notes().binary_search_by(|note| note.path.cmp(path));
        self.ground.kept(at).owns.iter().map(|own| (own.plain, index(&own.row.target).ok())).collect()
    }
}

/// For each note the one it is a part of: that whose archive it is, or itself.
fn homes(vault: &Vault) -> Vec<usize> {
    let index = |path: NotePath| vault.notes().binary_search_by(|note| note.path.cmp(&path)).ok();
    let home = |(at, note): (usize, &Arc<Note>)| origin_of(&note.path).and_then(index).unwrap_or(at);
    vault.notes().iter().enumerate().map(home).collect()
}

/// Marks the pairs of which a person took away the link: in the same block; where that was edited, the only one between
/// the same words. A mention that is linked is none of them.
fn refuse(vault: &Vault, note: &Note, sheets: &mut [Sheet], kept: &Kept) {
    for row in &kept.refused {
        let is_target =
            |pair: &Pair| vault.notes().get(pair.target()).is_some_and(|note| note.path == row.target);
        let mut exact = Vec::new();
        let mut beside = Vec::new();
        for (n, sheet) in sheets.iter().enumerate() {
            for (at, pair) in sheet.pairs.iter().enumerate().filter(|(_, pair)| is_target(pair)) {
                if sheet.held.iter().any(|held| held.pair == at) {
                    continue;
                }
                if unit_key(&note.text, sheet) == row.unit {
                    exact.push((n, at));
                } else if near(&note.text, pair.span()) == row.near {
                    beside.push((n, at));
                }
            }
        }
        let found = if exact.is_empty() && beside.len() == 1 { beside } else { exact };
        for (n, at) in found {
            if let Some(pair) = sheets.get_mut(n).and_then(|sheet| sheet.pairs.get_mut(at)) {
                pair.is_refused = true;
            }
        }
    }
}

/// The key of what a sheet is of, as the ledger has it.
pub fn unit_key(text: &str, sheet: &Sheet) -> String {
    sheet.block.map_or_else(String::new, |block| key(block.of(text)))
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

fn lexicon(
    vault: &Vault,
    parts: &Parts,
    resolver: &Resolver,
    names: Vec<Vec<Name>>,
    is_target: &[bool],
) -> Lexicon {
    let is_shared =
        |at: usize| vault.notes().get(at).is_some_and(|note| resolver.notes_of_stem(note.path.stem()) > 1);
    let is_named = |at: usize| is_target.get(at) == Some(&true);
    let is_wanted = |name: &Name| !parts.ignore.contains(&*fold(&name.text));
    let named = names.into_iter().enumerate().filter(|(at, _)| is_named(*at)).flat_map(|(at, names)| {
        let is_shared = is_shared(at);
        let names = names.into_iter().filter(|name| parts.ignore.is_empty() || is_wanted(name));
        let names: Vec<Name> = match parts.plurals {
            true => names.flat_map(|name| [plural(&name), Some(name)]).flatten().collect(),
            false => names.collect(),
        };
        names.into_iter().map(move |name| (at, name, is_shared))
    });
    Lexicon::of(named)
}

/// The English plural of a name that ends in a letter of English.
fn plural(name: &Name) -> Option<Name> {
    let text = &name.text;
    let last = text.chars().next_back().filter(char::is_ascii_alphabetic)?;
    let before = text.chars().rev().nth(1);
    let is_consonant = before.is_some_and(|c| !matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u'));
    let ends = |end: &str| text.to_lowercase().ends_with(end);
    let text = match last {
        'y' if is_consonant => format!("{}ies", &text[..text.len() - 1]),
        _ if ["s", "x", "z", "ch", "sh"].into_iter().any(ends) => format!("{text}es"),
        _ => format!("{text}s"),
    };
    Some(Name { text, source: name.source })
}

/// True where the note is one to lead to, and a link can name it.
fn is_target(note: &Note, facts: &Facts, parts: &Parts) -> bool {
    let is_there = !matches!(note.access, Access::ReadOnly(Reason::ConflictCopy | Reason::LinkOut));
    let stem = note.path.stem();
    let is_plain = !stem.contains(['[', ']', '|', '#', '^', '\\']) && !stem.contains("%%");
    is_there && is_plain && facts.autolink != Some(false) && !parts.no_targets.matches(note.path.as_str())
}

/// The blocks of a board or memory, items of lists each for itself, with the entry in which they lie, from 1. What lies in
/// none is one of its own: when entries leave, others may grow together, and none falls apart.
pub fn blocks(text: &str, markdown: &Markdown) -> Vec<(Span, usize)> {
    let entries: Vec<Span> = Outline::of(markdown, text).entries.iter().map(|entry| entry.span).collect();
    let entry_of = |block: Span| {
        let next = entries.partition_point(|entry| entry.end <= block.start);
        entries.get(next).filter(|entry| entry.start <= block.start).map(|_| next + 1)
    };
    let mut blocks = Vec::new();
    for block in &markdown.blocks {
        match block.kind {
            BlockKind::Heading(_) => {}
            BlockKind::List { .. } => blocks.extend(block.children.iter().map(|item| item.span)),
            _ => blocks.push(block.span),
        }
    }
    let numbered = blocks.into_iter().enumerate();
    numbered.map(|(at, block)| (block, entry_of(block).unwrap_or(entries.len() + 1 + at))).collect()
}

fn facts(note: &Note, frontmatter: Option<&Frontmatter>, parts: &Parts) -> Facts {
    let tags = frontmatter.map(|found| found.list("tags")).unwrap_or_default();
    let mut tags: Vec<u64> =
        tags.into_iter().map(|tag| hash_of(&tag.trim_start_matches('#').to_lowercase())).collect();
    tags.sort_unstable();
    tags.dedup();
    let branch = note.path.folder().split('/').map(hash_of).collect();
    let autolink = frontmatter.and_then(|found| found.get("autolink")).and_then(truth);
    let path = hash_of(note.path.as_str());
    Facts { path, branch, tags, is_shy: parts.shy_targets.matches(note.path.as_str()), autolink }
}

/// What a person means by a switch, in any of the spellings of YAML.
fn truth(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}
