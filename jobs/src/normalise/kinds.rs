//! Which kind of note a note is, and what its fields mean: the settings, made ready once for a run.

use super::near;
use crate::{
    finding::Finding,
    vault::{
        Note,
        frontmatter::{Frontmatter, Key, Value},
    },
};
pub(super) use config::folded;

use config::Globs;
use std::collections::{HashMap, HashSet};

/// The keys that give a note its names: none of them gets a value or a key's name that would give it a
/// new one, since links would then lead elsewhere.
pub(super) const NAMING: [&str; 3] = ["name", "title", "aliases"];

/// All kinds of notes of a vault, and the rules that are on.
pub(super) struct Kinds {
    kinds: Vec<Kind>,
    off: HashSet<String>,
    /// Every field of any kind.
    fields: HashSet<String>,
    none: Kind,
}

/// Why a note is of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// It lies where such notes lie, and holds at least half of the fields by which they are known.
    Place,
    /// It lies elsewhere, and holds all of those fields: a page of a site may do so too.
    Holds,
}

/// A kind of note.
pub(super) struct Kind {
    pub name: String,
    notes: Globs,
    holds: Vec<String>,
    /// In the order in which a note should hold them.
    pub fields: Vec<Field>,
    /// Their names, in that order.
    pub order: Vec<String>,
}

/// A field, and what the words in it mean.
pub(super) struct Field {
    pub set: config::Field,
    meanings: HashMap<String, String>,
}

impl Kinds {
    pub(super) fn new(settings: &config::Normalise) -> Self {
        let kinds: Vec<Kind> = settings.schemas.iter().map(Kind::new).collect();
        let fields = kinds.iter().flat_map(|kind| kind.order.iter().cloned()).collect();
        let (notes, order) = (Globs::default(), Vec::new());
        let none = Kind { name: String::new(), notes, holds: Vec::new(), fields: Vec::new(), order };
        Kinds { kinds, off: settings.off.iter().cloned().collect(), fields, none }
    }

    /// The first kind that takes the note; one without fields where none does.
    pub(super) fn of(&self, note: &Note, block: &Frontmatter) -> (&Kind, Ground) {
        self.first(note, block, "").unwrap_or((&self.none, Ground::Place))
    }

    /// The first kind that takes the note if its block had one more key, and by what.
    fn first(&self, note: &Note, block: &Frontmatter, more: &str) -> Option<(&Kind, Ground)> {
        Globs::on_file(note.path.as_str(), |takes| {
            self.kinds.iter().find_map(|kind| {
                let lies_there = takes(&kind.notes) && kind.is_begun(block, more);
                let ground = || kind.is_held_by(block, more).then_some(Ground::Holds);
                Some((kind, if lies_there { Ground::Place } else { ground()? }))
            })
        })
    }

    /// True where the rule with this id (`normalise/date`) is not switched off.
    pub(super) fn is_on(&self, rule: &str) -> bool {
        let id = rule.rsplit('/').next().unwrap_or(rule);
        self.off.is_empty() || !self.off.contains(id)
    }

    /// The findings of rules that are on.
    pub(super) fn wanted(&self, mut findings: Vec<Finding>) -> Vec<Finding> {
        findings.retain(|finding| self.is_on(&finding.rule));
        findings
    }

    /// True where the note stays of its kind if it gets one more key: kinds are tried in order.
    pub(super) fn stays(&self, kind: &Kind, note: &Note, block: &Frontmatter, more: &str) -> bool {
        self.first(note, block, more).is_some_and(|(found, _)| found.name == kind.name)
    }

    /// Tags or texts, where a field of that name is a list in any kind.
    pub(super) fn kind_of_list(&self, name: &str) -> Option<config::Kind> {
        let mut fields = self.kinds.iter().filter_map(|kind| kind.field(name));
        let is_list = |kind: &config::Kind| matches!(kind, config::Kind::Tags | config::Kind::List);
        fields.find_map(|field| Some(field.set.kind).filter(is_list))
    }

    /// True for a field of any kind.
    pub(super) fn knows(&self, key: &str) -> bool {
        self.fields.contains(key)
    }
}

impl Kind {
    fn new(set: &config::Schema) -> Self {
        let fields: Vec<Field> = set.fields.iter().map(Field::new).collect();
        let order = set.fields.iter().map(|field| field.name.clone()).collect();
        Kind { name: set.name.clone(), notes: set.notes.clone(), holds: set.holds.clone(), fields, order }
    }

    /// True where the block holds all by which a note is of this kind, in whatever case, or would with one
    /// more key.
    fn is_held_by(&self, block: &Frontmatter, more: &str) -> bool {
        !self.holds.is_empty() && self.holds.iter().all(|name| name == more || self.is_held(block, name))
    }

    /// True where the block holds at least half of that, misspelt or with nothing in it as it may be: a
    /// folder alone makes no kind, since pages on computers lie in `docs/memory/` too.
    fn is_begun(&self, block: &Frontmatter, more: &str) -> bool {
        let is_meant = |key: &Key, name: &str| {
            near::is_near(&key.name, name) && (key.value.is_nothing() || self.may_be(name, &key.value))
        };
        let is_begun = |name: &String| {
            name == more || self.is_held(block, name) || block.keys.iter().any(|key| is_meant(key, name))
        };
        self.holds.iter().filter(|name| is_begun(name)).count() * 2 >= self.holds.len()
    }

    /// True where the value is one of the field, if there are only so many.
    fn may_be(&self, name: &str, value: &Value) -> bool {
        match self.field(name).filter(|field| !field.set.one_of.is_empty()) {
            Some(field) => matches!(value, Value::Text(text, _) if field.meaning(text).is_some()),
            None => true,
        }
    }

    /// True where the block has something at `name`, and a known value if there are only so many.
    fn is_held(&self, block: &Frontmatter, name: &str) -> bool {
        let is_any = |field: Option<&Field>| field.is_none_or(|field| field.set.one_of.is_empty());
        let field = self.field(name);
        let places =
            std::iter::once(name).chain(field.iter().flat_map(|field| &field.set.also).map(String::as_str));
        places.filter_map(|place| found_in_any_case(block, place)).any(|found| match found {
            Found::Text(text) => is_any(field) || field.is_some_and(|field| field.meaning(text).is_some()),
            Found::Other => is_any(field),
        })
    }

    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.set.name == name)
    }
}

/// What a block has for a field.
pub(super) enum Found<'a> {
    /// A text that is not empty.
    Text(&'a str),
    /// A list, a map.
    Other,
}

impl Field {
    pub(super) fn new(set: &config::Field) -> Self {
        let own = set.one_of.iter().map(|value| (folded(value), value.clone()));
        let words = set.words.iter().map(|(word, value)| (folded(word), value.clone()));
        Field { set: set.clone(), meanings: words.chain(own).collect() }
    }

    /// The value that `text` means: itself, another spelling, a word for it, an emoji of the same
    /// meaning before it.
    pub(super) fn meaning(&self, text: &str) -> Option<&str> {
        let folded = folded(text);
        let known = |text: &str| self.meanings.get(text).map(String::as_str);
        known(&folded).or_else(|| {
            let (sign, word) = folded.split_once(' ')?;
            let is_sign = !sign.chars().any(char::is_alphanumeric);
            // A sign that says something else, or who knows what (`❌ done`, `~ done`), may turn the word round.
            let meant = known(word).filter(|_| is_sign)?;
            (known(sign) == Some(meant)).then_some(meant)
        })
    }

    /// What the block holds for it at another place than its own key.
    pub(super) fn elsewhere<'a>(&self, block: &'a Frontmatter) -> Option<Found<'a>> {
        self.set.also.iter().find_map(|place| at(block, place))
    }

    /// True where its values give a note names.
    pub(super) fn is_naming(&self) -> bool {
        NAMING.contains(&self.set.name.as_str())
    }
}

/// True where a key is that name in whatever case, with `-`, `_` or a blank between its words. Asked of every
/// key of most notes, so that it must not copy them.
pub(super) fn is_spelt(key: &str, name: &str) -> bool {
    if !key.is_ascii() || !name.is_ascii() {
        return folded(key) == folded(name);
    }
    let (mut own, mut others) = (words(key), words(name));
    loop {
        match (own.next(), others.next()) {
            (None, None) => return true,
            (Some(word), Some(other)) if word.eq_ignore_ascii_case(other) => {}
            _ => return false,
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_ascii_whitespace() || matches!(c, '-' | '_')).filter(|word| !word.is_empty())
}

/// As [`at`]; a note is of the same kind before and after its keys are put right.
fn found_in_any_case<'a>(block: &'a Frontmatter, place: &str) -> Option<Found<'a>> {
    at(block, place).or_else(|| {
        let meant = block.keys.iter().find(|key| is_spelt(&key.name, place))?;
        of_value(&meant.value)
    })
}

/// What stands at `key` or `key.entry`; nothing and an empty text are not there.
fn at<'a>(block: &'a Frontmatter, place: &str) -> Option<Found<'a>> {
    if let Some((map, entry)) = place.split_once('.') {
        let key = block.key(map)?;
        // Of a map with more in it than texts nobody knows what it lacks.
        return match key.value {
            Value::Other => Some(Found::Other),
            _ => key.entry(entry).filter(|text| !text.is_empty()).map(Found::Text),
        };
    }
    of_value(&block.key(place)?.value)
}

fn of_value(value: &Value) -> Option<Found<'_>> {
    match value {
        Value::None => None,
        Value::Text(text, _) => (!text.is_empty()).then_some(Found::Text(text)),
        Value::List(items, _) => (!items.is_empty()).then_some(Found::Other),
        Value::Map(_) | Value::Other => Some(Found::Other),
    }
}
