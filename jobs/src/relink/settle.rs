//! From the links that should stand in a note, and those that memkeep has there, to changes: what stands and should
//! is left, what should not becomes its words again, what is wanted is made. Where a new link meets an old one, both
//! are one change.

use super::{
    LINKED, SHRINK, SUGGESTED, Settings, UNLINKED,
    decide::Wanted,
    near::near,
    own::Own,
    survey::unit_key,
    write::{Style, harmless, link},
};
use crate::{
    change::{Change, Edit, Why},
    vault::{Linked, Memo, Note, NotePath, Row, Span, Vault, ledger::piece_key},
};
use std::collections::{BTreeSet, HashMap};

/// One note to be settled.
pub struct Settling<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The vault as it is.
    pub vault: &'a Vault,
    /// The note as it is.
    pub note: &'a Note,
    /// Its text without memkeep's links.
    pub plain: &'a str,
    /// These links.
    pub owns: &'a [Own],
    /// The notes that would lose too many links at once.
    pub shrinking: &'a BTreeSet<NotePath>,
    /// Why a link goes, by its index.
    pub reason: &'a dyn Fn(usize) -> String,
}

/// What became of a note.
#[derive(Default)]
pub struct Settled {
    /// Its changes, each of one place.
    pub changes: Vec<Change>,
    /// Changes that are not made again, since they were undone.
    pub n_undone: usize,
}

/// What changes at one place: links that go and links that come, which meet.
struct Spot<'a> {
    /// In the plain note.
    plain: Span,
    gone: Vec<usize>,
    new: Vec<&'a Wanted<'a>>,
}

impl<'a> Settling<'a> {
    /// The changes that make the note hold what is `wanted`, which is in order of place.
    pub fn settle(&self, wanted: &'a [Wanted<'a>]) -> Settled {
        let fresh: Vec<&Wanted<'_>> = wanted.iter().filter(|one| one.own.is_none()).collect();
        let standing: BTreeSet<usize> = wanted.iter().filter_map(|one| one.own).collect();
        let gone: Vec<usize> = (0..self.owns.len()).filter(|own| !standing.contains(own)).collect();
        if fresh.is_empty() && gone.is_empty() {
            return Settled::default();
        }
        let fresh = if fresh.is_empty() { fresh } else { self.harmless(wanted) };
        let mut settled = Settled::default();
        for spot in self.spots(gone, fresh) {
            match self.change(&spot) {
                Some(change) if self.is_undone(&change) => settled.n_undone += 1,
                change => settled.changes.extend(change),
            }
        }
        self.number(&standing, &mut settled.changes);
        settled
    }

    /// Tells equal rows apart: those of equal entries.
    fn number(&self, standing: &BTreeSet<usize>, changes: &mut [Change]) {
        let name = |row: &Linked| (row.link.clone(), row.unit.clone(), row.near.clone());
        let mut counts: HashMap<_, usize> = HashMap::new();
        for own in standing.iter().filter_map(|own| self.owns.get(*own)) {
            *counts.entry(name(&own.row)).or_default() += 1;
        }
        for change in changes {
            let Change::Noted { memos, .. } = change else { continue };
            for memo in memos {
                if let Memo::Add(Row::Linked(row)) = memo {
                    let count = counts.entry(name(row)).or_default();
                    row.copy = *count;
                    *count += 1;
                }
            }
        }
    }

    /// The new links that change nothing but their words, beside those that stand.
    fn harmless(&self, wanted: &'a [Wanted<'a>]) -> Vec<&'a Wanted<'a>> {
        let links: Vec<(Span, String)> = wanted.iter().map(|one| (one.span, self.link(one))).collect();
        let good: BTreeSet<Span> = harmless(self.plain, &links).into_iter().collect();
        wanted.iter().filter(|one| one.own.is_none() && good.contains(&one.span)).collect()
    }

    fn spots(&self, gone: Vec<usize>, fresh: Vec<&'a Wanted<'a>>) -> Vec<Spot<'a>> {
        let old =
            gone.into_iter().map(|own| Spot { plain: self.owns[own].plain, gone: vec![own], new: vec![] });
        let new = fresh.into_iter().map(|one| Spot { plain: one.span, gone: vec![], new: vec![one] });
        let mut spots: Vec<Spot<'a>> = old.chain(new).collect();
        spots.sort_by_key(|spot| spot.plain);
        let mut joined: Vec<Spot<'a>> = Vec::new();
        for spot in spots {
            match joined.last_mut().filter(|last| last.plain.meets(spot.plain)) {
                Some(last) => {
                    last.plain.end = last.plain.end.max(spot.plain.end);
                    last.gone.extend(spot.gone);
                    last.new.extend(spot.new);
                }
                None => joined.push(spot),
            }
        }
        joined.iter_mut().for_each(|spot| self.choose(spot));
        joined
    }

    /// Where a link goes and another one is only likely, the first goes and the second waits for the next run.
    fn choose(&self, spot: &mut Spot<'_>) {
        if !spot.gone.is_empty() && !self.settings.accepts {
            spot.new.retain(|one| one.is_sure);
        }
    }

    fn change(&self, spot: &Spot<'_>) -> Option<Change> {
        let span = Span::new(self.in_note(spot.plain.start), self.in_note(spot.plain.end));
        let (mut put, mut at) = (String::new(), spot.plain.start);
        for one in &spot.new {
            put.push_str(Span::new(at, one.span.start).of(self.plain));
            put.push_str(&self.link(one));
            at = one.span.end;
        }
        put.push_str(Span::new(at, spot.plain.end).of(self.plain));
        let edit = Edit::replace(&self.note.text, span, put, self.why(spot)?);
        let drops = spot.gone.iter().map(|own| Memo::Drop(Row::Linked(self.owns[*own].row.clone())));
        let adds = spot.new.iter().filter_map(|one| self.row(one)).map(|row| Memo::Add(Row::Linked(row)));
        let memos = drops.chain(adds).collect();
        Some(Change::Noted { note: self.note.path.clone(), edits: vec![edit], memos })
    }

    /// A place of the plain note in the note as it is; at a border of a link, outside of it.
    fn in_note(&self, at: usize) -> usize {
        let n_before = self.owns.partition_point(|own| own.plain.end <= at);
        let last = n_before.checked_sub(1).and_then(|last| self.owns.get(last));
        last.map_or(at, |own| own.span.end + (at - own.plain.end))
    }

    fn why(&self, spot: &Spot<'_>) -> Option<Why> {
        let is_shrinking = |own: &usize| self.shrinking.contains(&self.owns[*own].row.target);
        let new = spot.new.first().map(|one| self.why_new(one));
        let gone = spot.gone.first().map(|own| self.why_gone(*own));
        if spot.gone.iter().any(is_shrinking) {
            return gone.map(|why| Why { rule: SHRINK.to_owned(), ..Why::likely(SHRINK, why.sentence) });
        }
        match (new, gone) {
            (Some(new), Some(gone)) => Some(new.with("instead", gone.sentence)),
            (new, gone) => new.or(gone),
        }
    }

    fn why_new(&self, one: &Wanted<'_>) -> Why {
        let why = match one.is_sure {
            true => Why::sure(LINKED, one.sentence.clone()),
            false => Why::likely(SUGGESTED, one.sentence.clone()),
        };
        let target = self.vault.notes().get(one.pair.target());
        let to = target.map_or_else(String::new, |target| target.path.to_string());
        why.with("to", to).with("probability", format!("{:.2}", one.likely))
    }

    fn why_gone(&self, own: usize) -> Why {
        Why::sure(UNLINKED, (self.reason)(own)).with("to", &self.owns[own].row.target)
    }

    fn link(&self, one: &Wanted<'_>) -> String {
        if let Some(own) = one.own.and_then(|own| self.owns.get(own)) {
            return own.row.link.clone();
        }
        let words = one.span.of(self.plain);
        let target = self.vault.notes().get(one.pair.target()).map(|target| &target.path);
        let style = Style { is_table: one.pair.in_table, kind: self.settings.style };
        target.map_or_else(|| words.to_owned(), |target| link(&self.note.path, target, words, style))
    }

    fn row(&self, one: &Wanted<'_>) -> Option<Linked> {
        Some(Linked {
            note: self.note.path.clone(),
            target: self.vault.notes().get(one.pair.target())?.path.clone(),
            words: one.span.of(self.plain).to_owned(),
            link: self.link(one),
            unit: unit_key(self.plain, one.sheet),
            near: near(self.plain, one.span),
            copy: 0,
            rule: if one.is_sure { LINKED } else { SUGGESTED }.to_owned(),
            run: String::new(),
        })
    }

    fn is_undone(&self, change: &Change) -> bool {
        let Change::Noted { edits, .. } = change else { return false };
        self.vault.ledger.has_refusals()
            && edits.iter().all(|edit| {
                let key = piece_key(&edit.expect, &edit.put);
                self.vault.ledger.is_piece_refused(super::CARD.id, &self.note.path, &key)
            })
    }
}
