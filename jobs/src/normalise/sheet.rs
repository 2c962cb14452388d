//! One note under repair: its block, its kind, and which key is which field.

use super::{
    Part, doubles,
    kinds::{Field, Kind, Kinds},
    spelling,
};
use crate::{
    change::Why,
    finding::{Finding, Severity},
    vault::{
        Note,
        frontmatter::{Frontmatter, Key, Operation},
    },
};
use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};

/// One note under repair.
pub(super) struct Sheet<'a> {
    pub kinds: &'a Kinds,
    pub kind: &'a Kind,
    pub words: &'a Vocabulary<'a>,
    pub note: &'a Note,
    pub block: &'a Frontmatter,
    /// One for each key that is, or is meant as, a field of the kind. A key that stands there twice has
    /// none, but the first of those whose doubles go has.
    pub seats: Vec<Seat<'a>>,
    /// Keys of which more than one is meant as the same field: nobody knows which.
    pub doubtful: Vec<Seat<'a>>,
}

/// A key and the field it is.
pub(super) struct Seat<'a> {
    /// Its place in the block.
    pub at: usize,
    pub key: &'a Key,
    pub field: &'a Field,
    /// Why the key is to be called as its field is; none where it is already.
    pub rename: Option<Why>,
}

/// What a rule wants: operations that happen together or not at all, and what a person should know.
#[derive(Default)]
pub(super) struct Wish {
    pub operations: Vec<(Operation, Why)>,
    pub findings: Vec<Finding>,
}

impl Wish {
    pub(super) fn of(operation: Operation, why: Why) -> Self {
        Wish { operations: vec![(operation, why)], findings: Vec::new() }
    }

    /// True where the rule wants nothing and tells nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.operations.is_empty() && self.findings.is_empty()
    }

    pub(super) fn tell(finding: Finding) -> Self {
        Wish { operations: Vec::new(), findings: vec![finding] }
    }
}

impl<'a> Sheet<'a> {
    pub(super) fn new(
        kinds: &'a Kinds,
        kind: &'a Kind,
        words: &'a Vocabulary<'a>,
        note: &'a Note,
        block: &'a Frontmatter,
    ) -> Self {
        let mut sheet = Sheet { kinds, kind, words, note, block, seats: Vec::new(), doubtful: Vec::new() };
        let mut seats: Vec<Seat<'a>> = Vec::with_capacity(block.keys.len());
        seats.extend((0..block.keys.len()).filter_map(|at| sheet.seat(at)));
        if seats.iter().any(|seat| seat.rename.is_some()) {
            let name = |seat: &Seat<'a>| seat.field.set.name.as_str();
            let meant_by: Vec<&str> = seats.iter().map(name).collect();
            let is_doubtful =
                |seat: &mut Seat<'a>| meant_by.iter().filter(|own| **own == name(seat)).count() > 1;
            sheet.doubtful = seats.extract_if(.., is_doubtful).collect();
        }
        sheet.seats = seats;
        sheet
    }

    fn seat(&self, at: usize) -> Option<Seat<'a>> {
        let key = &self.block.keys[at];
        if !doubles::is_alone(self, at) {
            return None;
        }
        match self.kind.field(&key.name) {
            Some(field) => Some(Seat { at, key, field, rename: None }),
            None => {
                let (field, why) = spelling::meant(self, key)?;
                Some(Seat { at, key, field, rename: Some(why) })
            }
        }
    }

    /// The order of the fields, where a key that is meant as one stands for it.
    pub(super) fn order(&self) -> Vec<String> {
        let meant = |field: &String| self.seats.iter().find(|seat| seat.field.set.name == *field);
        let keys = |field: &String| {
            let misspelt =
                meant(field).filter(|seat| seat.rename.is_some()).map(|seat| seat.key.name.clone());
            [Some(field.clone()), misspelt].into_iter().flatten()
        };
        self.kind.order.iter().flat_map(|field| keys(field).collect::<Vec<_>>()).collect()
    }

    /// True where a key is that field, or is meant as it.
    pub(super) fn has(&self, field: &str) -> bool {
        let mut seats = self.seats.iter().chain(&self.doubtful);
        seats.any(|seat| seat.field.set.name == field) || self.block.key(field).is_some()
    }

    /// True where the note has one of the fields by which its kind is known. A note without any only lies
    /// where such notes lie, as a page on computers in `docs/memory/`: nothing is missing in it.
    pub(super) fn is_of_kind(&self) -> bool {
        let elsewhere = |field: &Field| field.elsewhere(self.block).is_some();
        let holds = |name: &String| self.has(name) || self.kind.field(name).is_some_and(elsewhere);
        self.kind.holds.is_empty() || self.kind.holds.iter().any(holds)
    }

    pub(super) fn text(&self) -> &'a str {
        &self.note.text
    }

    /// A finding at the line of a key.
    pub(super) fn finding(&self, key: &Key, severity: Severity, rule: &str, message: String) -> Finding {
        Finding::about(&self.note.path, severity, rule, message).at(self.note.line_of(key.span.start))
    }
}

/// In how many notes of the vault each key stands; counted when first asked for, since a vault without a
/// doubtful key never asks.
pub(super) struct Vocabulary<'a> {
    parts: &'a [Part],
    counts: OnceLock<HashMap<String, usize>>,
}

impl<'a> Vocabulary<'a> {
    pub(super) fn of(parts: &'a [Part]) -> Self {
        Vocabulary { parts, counts: OnceLock::new() }
    }

    pub(super) fn count(&self, key: &str) -> usize {
        let counts = self.counts.get_or_init(|| {
            let mut counts = HashMap::new();
            for part in self.parts {
                let names: HashSet<&str> = part.block.keys.iter().map(|key| key.name.as_str()).collect();
                for name in names {
                    *counts.entry(name.to_owned()).or_default() += 1;
                }
            }
            counts
        });
        counts.get(key).copied().unwrap_or_default()
    }
}
