//! The links that memkeep made, found again in the notes; and the vault as it reads without them. All judgement is
//! over that plain vault, so that no link of memkeep's speaks for another one.
//!
//! A row of the ledger is matched to a link of the same bytes with the same words beside it, in the block in which it
//! was made where there are entries. A row that finds none was taken away by a person, or edited, which makes the link
//! theirs: the row stays, and refuses the link. A link that went to an archive with its entry is found there.

use super::{
    moved::moved,
    near::near,
    survey::{Parts, blocks},
};
use crate::vault::{
    Linked, Memo, Note, NotePath, Row, Span, Vault,
    archive::origin_of,
    entry::key,
    frontmatter::Frontmatter,
    markdown::{Link, LinkKind, Markdown},
};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

/// A link that memkeep made, where it stands.
#[derive(Clone, Debug)]
pub struct Own {
    /// The link, in the note.
    pub span: Span,
    /// Its words, in the plain note.
    pub plain: Span,
    /// What is remembered of it.
    pub row: Linked,
}

/// What is known of memkeep's links in one note.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Those that stand, in order of place.
    pub owns: Vec<Own>,
    /// Those that a person took away.
    pub refused: Vec<Linked>,
}

/// The vault without memkeep's links, and where they are.
pub struct Ground {
    /// The plain vault: the same notes in the same order.
    pub vault: Vault,
    /// By the index of the note, where any link was made in it.
    pub kept: HashMap<usize, Kept>,
    /// Rows of notes that have another path now.
    pub memos: Vec<Memo>,
}

static NOTHING: Kept = Kept { owns: Vec::new(), refused: Vec::new() };

impl Ground {
    /// Finds memkeep's links in a vault.
    pub fn of(vault: &Vault, parts: &Parts) -> Ground {
        let (rows, memos) = rows(vault);
        let families = families(vault, &rows);
        let found: Vec<Vec<(usize, Plain)>> = families
            .par_iter()
            .map(|family| family.plain(vault, parts, rows.get(family.path).map_or(&[], Vec::as_slice)))
            .collect();
        let (mut notes, mut kept) = (Vec::new(), HashMap::new());
        for (at, plain) in found.into_iter().flatten() {
            if let Some(note) = vault.notes().get(at).filter(|_| !plain.kept.owns.is_empty()) {
                notes.push(Note { text: plain.text, ..(**note).clone() });
            }
            kept.insert(at, plain.kept);
        }
        Ground { vault: vault.with(notes, Vec::new()), kept, memos }
    }

    /// What is known of memkeep's links in the note at that index.
    pub fn kept(&self, at: usize) -> &Kept {
        self.kept.get(&at).unwrap_or(&NOTHING)
    }
}

/// The rows of each note; those of renamed notes under the new path, with what is to be remembered of that.
fn rows(vault: &Vault) -> (BTreeMap<NotePath, Vec<Linked>>, Vec<Memo>) {
    let mut rows: BTreeMap<NotePath, Vec<Linked>> = BTreeMap::new();
    let mut memos = Vec::new();
    let moved = moved(vault);
    for (path, links) in vault.ledger.links() {
        let new = moved.get(path);
        for row in links {
            let now = Linked { note: new.unwrap_or(path).clone(), ..row.clone() };
            if new.is_some() {
                memos.push(Memo::Drop(Row::Linked(row.clone())));
                memos.push(Memo::Add(Row::Linked(now.clone())));
            }
            rows.entry(now.note.clone()).or_default().push(now);
        }
    }
    (rows, memos)
}

/// A note with rows, and its archives.
struct Family<'a> {
    path: &'a NotePath,
    notes: Vec<usize>,
}

fn families<'a>(vault: &Vault, rows: &'a BTreeMap<NotePath, Vec<Linked>>) -> Vec<Family<'a>> {
    let mut families: Vec<Family<'a>> = Vec::new();
    let mut at: HashMap<&NotePath, usize> = HashMap::new();
    for path in rows.keys() {
        at.insert(path, families.len());
        let own = vault.notes().binary_search_by(|note| note.path.cmp(path));
        families.push(Family { path, notes: own.into_iter().collect() });
    }
    for (index, note) in vault.notes().iter().enumerate() {
        let origin = origin_of(&note.path);
        if let Some(family) = origin.and_then(|origin| at.get(&origin).copied()) {
            families[family].notes.push(index);
        }
    }
    families
}

impl Family<'_> {
    /// The note and its archives without memkeep's links; what none of them has is refused in the note.
    fn plain(&self, vault: &Vault, parts: &Parts, rows: &[Linked]) -> Vec<(usize, Plain)> {
        let has_entries = parts.has_entries(self.path);
        let notes = self.notes.iter().filter_map(|at| Some((*at, vault.notes().get(*at)?)));
        let mut sought: Vec<(usize, Sought<'_>)> =
            notes.map(|(at, note)| (at, Sought::of(note, has_entries, rows))).collect();
        let mut open: Vec<&Linked> = rows.iter().collect();
        // What is certain comes first in all of them: an entry may have gone to the archive.
        for is_match in [is_exact, is_beside, is_elsewhere] {
            sought.iter_mut().for_each(|(_, sought)| sought.choose(is_match, &mut open));
        }
        // A line above what moved is in the archive as well.
        sought.iter_mut().skip(1).for_each(|(_, sought)| sought.choose_copies(rows));
        let mut found: Vec<(usize, Plain)> =
            sought.iter().map(|(at, sought)| (*at, sought.plain())).collect();
        let is_first = |at: usize| vault.notes().get(at).is_some_and(|note| note.path == *self.path);
        if let Some((_, first)) = found.first_mut().filter(|(at, _)| is_first(*at)) {
            // A row that two machines wrote is one.
            let standing: HashSet<_> = sought.iter().flat_map(|(_, sought)| sought.identities()).collect();
            let is_gone = |row: &&Linked| !standing.contains(&identity(row));
            first.kept.refused = open.into_iter().filter(is_gone).cloned().collect();
        }
        found
    }
}

/// A note without memkeep's links.
struct Plain {
    text: Arc<str>,
    kept: Kept,
}

/// Bytes that are those of a link that memkeep made.
struct Candidate<'a> {
    span: Span,
    words: &'a str,
    link: &'a str,
    place: Place,
    /// It is prose: what is protected was never linked.
    is_free: bool,
    row: Option<&'a Linked>,
}

/// A note in which the links of rows are sought.
struct Sought<'a> {
    text: &'a Arc<str>,
    candidates: Vec<Candidate<'a>>,
}

impl<'a> Sought<'a> {
    fn of(note: &'a Note, has_entries: bool, rows: &'a [Linked]) -> Sought<'a> {
        let mut candidates = candidates(&note.text, rows);
        if !candidates.is_empty() {
            // The same bytes may be a part of an embed, or code: only whole links of the note count.
            let markdown = Markdown::parse(&note.text, Frontmatter::body_of(&note.text));
            let is_link = |link: &&Link| matches!(link.kind, LinkKind::Wiki | LinkKind::Inline);
            let links: HashSet<Span> = markdown.links.iter().filter(is_link).map(|link| link.span).collect();
            candidates.retain(|one| links.contains(&one.span));
        }
        if !candidates.is_empty() {
            let (all, spans) = without(&note.text, candidates.iter().map(|one| (one.span, one.words)));
            let markdown = Markdown::parse(&all, Frontmatter::body_of(&all));
            let blocks = if has_entries { blocks(&all, &markdown) } else { Vec::new() };
            for (one, span) in candidates.iter_mut().zip(spans) {
                one.place = Place::of(&all, &blocks, span);
                one.is_free = !markdown.is_protected(span);
            }
        }
        Sought { text: &note.text, candidates }
    }

    /// Takes from `open` the rows that the note has the links of.
    fn choose(&mut self, is_match: fn(&Linked, &Place) -> bool, open: &mut Vec<&'a Linked>) {
        for one in self.candidates.iter_mut().filter(|one| one.is_free && one.row.is_none()) {
            let row = open.iter().position(|row| row.link == one.link && is_match(row, &one.place));
            one.row = row.map(|row| open.remove(row));
        }
    }

    /// Links of rows that others of the family have already.
    fn choose_copies(&mut self, rows: &'a [Linked]) {
        for one in self.candidates.iter_mut().filter(|one| one.is_free && one.row.is_none()) {
            one.row = rows.iter().find(|row| row.link == one.link && is_exact(row, &one.place));
        }
    }

    fn identities(&self) -> impl Iterator<Item = Identity<'a>> {
        self.candidates.iter().filter_map(|one| one.row.map(identity))
    }

    fn plain(&self) -> Plain {
        let owns = || self.candidates.iter().filter_map(|one| Some((one, one.row?)));
        let (text, plains) = match owns().next() {
            Some(_) => {
                let (text, plains) = without(self.text, owns().map(|(one, _)| (one.span, one.words)));
                (text.into(), plains)
            }
            None => (Arc::clone(self.text), Vec::new()),
        };
        let own = |((one, row), plain): ((&Candidate<'_>, &Linked), Span)| Own {
            span: one.span,
            plain,
            row: row.clone(),
        };
        let owns = owns().zip(plains).map(own).collect();
        Plain { text, kept: Kept { owns, refused: Vec::new() } }
    }
}

/// Where the bytes of rows stand in a text, in order; none meets another.
fn candidates<'a>(text: &str, rows: &'a [Linked]) -> Vec<Candidate<'a>> {
    let mut links: Vec<(&str, &str)> = rows.iter().map(|row| (&*row.link, &*row.words)).collect();
    links.sort_unstable();
    links.dedup_by_key(|(link, _)| *link);
    let mut found: Vec<Candidate<'a>> = Vec::new();
    for (link, words) in links.into_iter().filter(|(link, _)| !link.is_empty()) {
        let finder = memchr::memmem::find_iter(text.as_bytes(), link.as_bytes());
        let new = |at: usize| {
            let span = Span::new(at, at + link.len());
            Candidate { span, words, link, place: Place::default(), is_free: false, row: None }
        };
        found.extend(finder.map(new));
    }
    found.sort_by_key(|one| one.span);
    let mut end = 0;
    found.retain(|one| {
        let is_free = one.span.start >= end;
        end = end.max(one.span.end);
        is_free
    });
    found
}

/// A text with spans replaced by words, and where these are then.
fn without<'a>(text: &str, parts: impl Iterator<Item = (Span, &'a str)>) -> (String, Vec<Span>) {
    let (mut out, mut spans, mut at) = (String::with_capacity(text.len()), Vec::new(), 0);
    for (span, words) in parts {
        out.push_str(Span::new(at, span.start).of(text));
        spans.push(Span::new(out.len(), out.len() + words.len()));
        out.push_str(words);
        at = span.end;
    }
    out.push_str(Span::new(at, text.len()).of(text));
    (out, spans)
}

/// What makes two rows one, whatever run made them.
type Identity<'a> = (&'a NotePath, &'a str, &'a str, &'a str, usize);

fn identity(row: &Linked) -> Identity<'_> {
    (&row.target, &row.link, &row.unit, &row.near, row.copy)
}

/// A side on which nothing stands, as [`near()`] has it.
const NOTHING_BESIDE: &str = "00000000";

/// Where something stands: the key of its block, and the words on both sides.
#[derive(Default)]
struct Place {
    unit: String,
    near: String,
}

impl Place {
    fn of(text: &str, blocks: &[(Span, usize)], span: Span) -> Place {
        let next = blocks.partition_point(|(block, _)| block.end <= span.start);
        let block = blocks.get(next).filter(|(block, _)| block.holds(span));
        Place {
            unit: block.map_or_else(String::new, |(block, _)| key(block.of(text))),
            near: near(text, span),
        }
    }
}

fn is_exact(row: &Linked, place: &Place) -> bool {
    row.unit == place.unit && row.near == place.near
}

/// In its block, and on one side the word is the same.
fn is_beside(row: &Linked, place: &Place) -> bool {
    let sides = || row.near.split('-').zip(place.near.split('-'));
    let is_same = |(one, other): (&str, &str)| one == other && one != NOTHING_BESIDE;
    !row.unit.is_empty() && row.unit == place.unit && sides().any(is_same)
}

/// In a block that was edited: between the same words, where there are any.
fn is_elsewhere(row: &Linked, place: &Place) -> bool {
    !row.unit.is_empty() && row.near == place.near && !row.near.contains(NOTHING_BESIDE)
}
