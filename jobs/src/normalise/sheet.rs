//! One note under repair: its block, its kind, and which key is which field.

use super::{
    Part, doubles,
    kinds::{Field, Ground, Kind, Kinds},
    spelling,
};
use crate::{
    change::Why,
    finding::{Finding, Severity},
    vault::{
        Note, Span,
        frontmatter::{Frontmatter, Key, Operation},
        line,
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
    /// Why it is of that kind.
    pub ground: Ground,
    pub words: &'a Vocabulary<'a>,
    pub note: &'a Note,
    pub block: &'a Frontmatter,
    /// One for each key that is, or is meant as, a field of the kind. A key that stands there twice has
    /// none, but the first of those whose doubles go has.
    pub seats: Vec<Seat<'a>>,
    /// Keys that are not the only ones meant as their field: nobody knows which is.
    pub doubtful: Vec<Doubt<'a>>,
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

/// A key that may be meant as a field, as may another one.
pub(super) struct Doubt<'a> {
    pub key: &'a Key,
    pub field: &'a Field,
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
        words: &'a Vocabulary<'a>,
        note: &'a Note,
        block: &'a Frontmatter,
    ) -> Self {
        let (kind, ground) = kinds.of(note, block);
        let (seats, doubtful) = (Vec::new(), Vec::new());
        let mut sheet = Sheet { kinds, kind, ground, words, note, block, seats, doubtful };
        let mut seats: Vec<Seat<'a>> = Vec::with_capacity(block.keys.len());
        let mut claims = Vec::new();
        for (at, key) in block.keys.iter().enumerate() {
            if let Some(field) = kind.field(&key.name) {
                seats.extend(doubles::is_alone(&sheet, at).then_some(Seat { at, key, field, rename: None }));
            } else if let Some(claim) = spelling::claim(&sheet, key) {
                let rename = spelling::meant(&sheet, &claim).filter(|_| doubles::is_alone(&sheet, at));
                seats.extend(rename.map(|why| Seat { at, key, field: claim.field, rename: Some(why) }));
                claims.push(claim);
            }
        }
        sheet.doubtful = spelling::doubtful(&sheet, &claims);
        let is_in_doubt =
            |seat: &Seat<'a>| sheet.doubtful.iter().any(|doubt| doubt.field.set.name == seat.field.set.name);
        seats.retain(|seat| !is_in_doubt(seat));
        sheet.seats = seats;
        sheet
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
        let seats = self.seats.iter().map(|seat| seat.field);
        let mut fields = seats.chain(self.doubtful.iter().map(|doubt| doubt.field));
        fields.any(|own| own.set.name == field) || self.block.key(field).is_some()
    }

    pub(super) fn text(&self) -> &'a str {
        &self.note.text
    }

    /// What stands behind a value on its line, without the blanks around it: a comment or nothing.
    pub(super) fn behind(&self, key: &Key) -> &'a str {
        let end = key.value_span.end;
        Span::new(end, line::end(self.text(), end)).of(self.text()).trim()
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
