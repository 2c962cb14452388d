//! Notes that have another path than when links were made in them: known by holding most of those links, between the same
//! words.

use super::near::near;
use crate::vault::{Linked, Note, NotePath, Span, Vault};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// For each path at which no note lies any more, the one note without a memory of its own that holds the same links.
pub fn moved(vault: &Vault) -> BTreeMap<NotePath, NotePath> {
    let gone: Vec<(&NotePath, &BTreeSet<Linked>)> =
        vault.ledger.links().filter(|(path, _)| vault.note(path).is_none()).collect();
    if gone.is_empty() {
        return BTreeMap::new();
    }
    let holders = holders(vault, &gone);
    let mut moved: BTreeMap<NotePath, NotePath> = BTreeMap::new();
    let mut claims: HashMap<NotePath, usize> = HashMap::new();
    for (path, links) in gone {
        let Some(first) = links.first() else { continue };
        let is_whole = |at: &&usize| {
            let n_there = |note: &Arc<Note>| links.iter().filter(|row| stands(&note.text, row)).count();
            vault.notes().get(**at).is_some_and(|note| 2 * n_there(note) >= links.len().max(1))
        };
        let mut whole = holders.get(&*first.link).into_iter().flatten().filter(is_whole);
        if let (Some(only), None) = (whole.next(), whole.next())
            && let Some(note) = vault.notes().get(*only)
        {
            *claims.entry(note.path.clone()).or_default() += 1;
            moved.insert(path.clone(), note.path.clone());
        }
    }
    moved.retain(|_, new| claims.get(new) == Some(&1));
    moved
}

/// True where a text holds the link of a row between the same words.
fn stands(text: &str, row: &Linked) -> bool {
    let mut found = memchr::memmem::find_iter(text.as_bytes(), row.link.as_bytes());
    let is_there = |at: usize| near(text, Span::new(at, at + row.link.len())) == row.near;
    !row.near.starts_with("00000000-0000") && found.any(is_there)
}

/// The notes without rows that hold the first link of each path, by its bytes.
fn holders<'a>(vault: &Vault, gone: &[(&NotePath, &'a BTreeSet<Linked>)]) -> HashMap<&'a str, Vec<usize>> {
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (_, links) in gone {
        links.first().map(|row| holders.entry(&row.link).or_default());
    }
    let patterns: Vec<&str> = holders.keys().copied().collect();
    let Ok(finder) = aho_corasick::AhoCorasick::new(&patterns) else { return HashMap::new() };
    for (at, note) in vault.notes().iter().enumerate() {
        if vault.ledger.links_in(&note.path).next().is_some() {
            continue;
        }
        let found: BTreeSet<usize> =
            finder.find_overlapping_iter(&*note.text).map(|hit| hit.pattern().as_usize()).collect();
        for pattern in found {
            if let Some(notes) = patterns.get(pattern).and_then(|link| holders.get_mut(link)) {
                notes.push(at);
            }
        }
    }
    holders
}
