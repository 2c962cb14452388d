//! Links from other notes to a heading or block that moved: they follow it into the archive with the
//! words they showed. Where a link is spelled in a way that cannot be followed, a note says so.

use super::follow;
use crate::{
    change::{Change, Edit, Move},
    job::{Proposal, per_note},
    vault::{
        Note, NotePath, Span, Vault,
        archive::is_archive,
        frontmatter::Frontmatter,
        markdown::{Block, BlockKind, Link, Markdown},
        path::joined,
    },
};
use std::collections::{HashMap, HashSet};

/// The detail of a reason that names the archive a link follows to.
pub(super) const TO: &str = "to";

/// What stands before the name of a note in a link to it.
const DELIMITERS: [char; 7] = ['[', '(', '<', '/', '|', '\n', '#'];

/// Adds to each move of `proposal` the repairs of links to what it moves.
pub(super) fn repair(vault: &Vault, mut proposal: Proposal) -> Proposal {
    let moved: Vec<Gone> = proposal.changes.iter().filter_map(|change| Gone::of(vault, change)).collect();
    if moved.iter().all(|gone| gone.anchors.is_empty()) {
        return proposal;
    }
    let map = Map::of(vault, moved);
    let found = per_note(vault, |note| map.repairs_in(note));
    let mut repairs: HashMap<String, Vec<(NotePath, Edit)>> = HashMap::new();
    for change in found.changes {
        let Change::Edit { note, edits } = change else { continue };
        for edit in edits {
            let to = edit.why.detail.iter().find(|(name, _)| name == TO).map(|(_, to)| to.clone());
            repairs.entry(to.unwrap_or_default()).or_default().push((note.clone(), edit));
        }
    }
    for change in &mut proposal.changes {
        if let Change::Move(wanted) = change {
            wanted.repairs.extend(repairs.remove(wanted.to.as_str()).unwrap_or_default());
        }
    }
    proposal.findings.extend(found.findings);
    proposal
}

/// True for a heading.
pub(super) fn is_heading(block: &&Block) -> bool {
    matches!(block.kind, BlockKind::Heading(_))
}

/// What a move takes away that links may lead to.
struct Gone {
    from: NotePath,
    to: NotePath,
    /// Headings, folded, and block ids with their carets, that are not left in the memory.
    anchors: HashSet<String>,
    removed: Vec<Span>,
}

impl Gone {
    fn of(vault: &Vault, change: &Change) -> Option<Gone> {
        let Change::Move(wanted) = change else { return None };
        let note = vault.note(&wanted.from)?;
        let removed = removed(wanted);
        let markdown = read(note);
        let is_gone = |span: Span| {
            let at = removed.partition_point(|gone| gone.end <= span.start);
            removed.get(at).is_some_and(|gone| gone.holds(span))
        };
        let (mut anchors, mut left) = (HashSet::new(), HashSet::new());
        let headings = markdown
            .blocks
            .iter()
            .filter(is_heading)
            .map(|block| (block.text, folded(block.text.of(&note.text))));
        let ids = markdown.ids.iter().map(|id| (*id, id.of(&note.text).to_lowercase()));
        for (span, name) in headings.chain(ids) {
            if is_gone(span) {
                anchors.insert(name)
            } else {
                left.insert(name)
            };
        }
        anchors.retain(|anchor| !left.contains(anchor));
        Some(Gone { from: wanted.from.clone(), to: wanted.to.clone(), anchors, removed })
    }
}

fn removed(wanted: &Move) -> Vec<Span> {
    let lines = wanted.left.iter().map(|edit| edit.span).filter(|span| !span.is_empty());
    let mut removed: Vec<Span> = wanted.blocks.iter().map(|moved| moved.removal).chain(lines).collect();
    removed.sort_unstable();
    removed
}

/// True where one of the spans, which are sorted and do not meet, meets `span`.
fn meets_any(sorted: &[Span], span: Span) -> bool {
    let at = sorted.partition_point(|known| known.end <= span.start);
    sorted.get(at).is_some_and(|known| known.meets(span))
}

fn read(note: &Note) -> Markdown {
    Markdown::parse(&note.text, Frontmatter::body_of(&note.text))
}

/// A heading as links name it: case and marks do not count.
pub(super) fn folded(heading: &str) -> String {
    let words: String = heading.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    words.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All that moves, by memory, and which stems name one note only.
struct Map {
    gone: Vec<Gone>,
    /// What moves of the memories of a stem in lower case.
    by_stem: HashMap<String, Vec<usize>>,
    /// What any move takes out of a note, by place.
    removed: HashMap<NotePath, Vec<Span>>,
    stems: HashMap<String, usize>,
}

impl Map {
    fn of(vault: &Vault, gone: Vec<Gone>) -> Map {
        let (mut stems, mut by_stem) = (HashMap::new(), HashMap::<String, Vec<usize>>::new());
        let mut removed: HashMap<NotePath, Vec<Span>> = HashMap::new();
        for note in vault.notes() {
            *stems.entry(note.path.stem().to_lowercase()).or_default() += 1;
        }
        for (n, gone) in gone.iter().enumerate() {
            by_stem.entry(gone.from.stem().to_lowercase()).or_default().push(n);
            removed.entry(gone.from.clone()).or_default().extend(&gone.removed);
        }
        removed.values_mut().for_each(|spans| spans.sort_unstable());
        Map { gone, by_stem, removed, stems }
    }

    fn repairs_in(&self, note: &Note) -> Proposal {
        if is_archive(&note.path) || !self.may_be_led_to(note) {
            return Proposal::default();
        }
        let markdown = read(note);
        let (mut edits, mut findings) = (Vec::new(), Vec::new());
        for link in &markdown.links {
            let Some(gone) = self.leads_to(note, link) else { continue };
            let pipe = if follow::is_in_table(&markdown.blocks, link.span) { "\\|" } else { "|" };
            // A link that moves itself moves verbatim.
            let follows = if self.moves(&note.path, link.span) { None } else { Some(pipe) };
            match follows.and_then(|pipe| follow::followed(note, link, &gone.from, &gone.to, pipe)) {
                Some(edit) => edits.push(edit),
                None => findings.push(follow::lost(note, link, &gone.from, &gone.to)),
            }
        }
        let changes = match edits.is_empty() {
            true => Vec::new(),
            false => vec![Change::Edit { note: note.path.clone(), edits }],
        };
        Proposal { changes, findings, ..Proposal::default() }
    }

    /// False where no `name#` in the text can name a memory from which something moves: most notes are
    /// spared the reading of their Markdown.
    fn may_be_led_to(&self, note: &Note) -> bool {
        let is_odd = self.by_stem.keys().any(|stem| stem.contains(DELIMITERS));
        let text = &note.text;
        is_odd
            || text.match_indices('#').any(|(at, _)| {
                let before = text.get(..at).unwrap_or_default();
                let name = before.rfind(DELIMITERS).map_or(before, |from| &before[from..]);
                let name = name.trim_start_matches(DELIMITERS);
                match name.is_empty() {
                    true => before.ends_with(['[', '(', '<']) && self.removed.contains_key(&note.path),
                    false => name.contains('%') || self.by_stem.contains_key(&stem_of(note, name)),
                }
            })
    }

    /// The move that took away what a link leads to. A link that moves along with its heading is not cut off.
    fn leads_to(&self, note: &Note, link: &Link) -> Option<&Gone> {
        let fragment = link.fragment.as_deref()?;
        let last = fragment.rsplit('#').next().unwrap_or_default();
        let anchor = if last.starts_with('^') { last.to_lowercase() } else { folded(last) };
        let mut gone =
            self.by_stem.get(&stem_of(note, &link.target))?.iter().filter_map(|n| self.gone.get(*n));
        gone.find(|gone| {
            let goes_along = gone.from == note.path && meets_any(&gone.removed, link.span);
            gone.anchors.contains(&anchor) && !goes_along && self.is_target(note, &link.target, &gone.from)
        })
    }

    /// True where a move takes the span out of its note.
    fn moves(&self, path: &NotePath, span: Span) -> bool {
        self.removed.get(path).is_some_and(|removed| meets_any(removed, span))
    }

    /// True where a target names `memory` and nothing else.
    fn is_target(&self, note: &Note, target: &str, memory: &NotePath) -> bool {
        if target.is_empty() {
            return note.path == *memory;
        }
        let name = target.rsplit('/').next().unwrap_or_default();
        let is_only = self.stems.get(&memory.stem().to_lowercase()) == Some(&1);
        let is_beside = note.path.folder() == memory.folder() && name.ends_with(".md");
        match name == target {
            true => is_only || is_beside,
            false => {
                target.trim_start_matches('/').strip_suffix(name).map(|folder| folder.trim_end_matches('/'))
                    == Some(memory.folder())
                    || folder_of(target, &note.path).as_deref() == Some(memory.folder())
            }
        }
    }
}

/// The stem in lower case that a target names; that of its own note where it names none.
fn stem_of(note: &Note, target: &str) -> String {
    let name = target.rsplit('/').next().unwrap_or_default();
    let stem = if target.is_empty() { note.path.stem() } else { name.strip_suffix(".md").unwrap_or(name) };
    stem.to_lowercase()
}

/// The folder that a target with slashes names, read from the folder of the note it stands in.
pub(super) fn folder_of(target: &str, note: &NotePath) -> Option<String> {
    let (path, _) = target.rsplit_once('/')?;
    // A target such as `/x` lies at the top.
    joined(note.folder(), if path.is_empty() { "/" } else { path })
}
