//! One field of a kind: its parts, its values, and the words and folders that mean one of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::{Named, Said, entries, hinted, is_off, known, parts, places, take, texts};
use crate::check;
use crate::error::{Mark, Problem, clean};
use crate::keys::Shape;
use crate::nearest::nearest;
use crate::normalise::{Field, Fill, Kind, folded};
use crate::tree::{Data, Field as Entry, Node};

impl Named for Field {
    fn name(&self) -> &str {
        &self.name
    }

    fn blank(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: Kind::Text,
            one_of: Vec::new(),
            words: Vec::new(),
            also: Vec::new(),
            required: false,
            fill: None,
            under: Vec::new(),
        }
    }

    fn laid(mut self, problems: &mut Vec<Problem>, said: &Said<'_, Self>) -> Self {
        if self.name.contains('.') {
            let message =
                format!("a field lies at the top of a block, so '{}' has no dot", clean(&self.name));
            problems.push(Problem::new(said.entry.at, message).hint("name other places in 'also'"));
        }
        // `area:` is a field of any text.
        let parts = match said.entry.value.data {
            Data::Nothing { .. } => Vec::new(),
            _ => known(problems, said.key, &said.entry.value, &parts::FIELD),
        };
        for part in &parts {
            self.simple(problems, &format!("{}.{}", said.key, part.key), part);
        }
        let part = |name: &str| parts.iter().find(|part| part.key == name).map(|part| &part.value);
        self.words(problems, &format!("{}.words", said.key), part("words"));
        self.under(problems, &format!("{}.under", said.key), part("under"), said.shipped);
        self.contradictions(problems, said, &parts);
        if self.fill == Some(Fill::Prefix) && self.one_of.is_empty() {
            let at = part("fill").or_else(|| part("one_of")).map_or(said.entry.at, |node| node.at);
            let message =
                format!("'{}' has 'fill: prefix', and no 'one_of' to find in a file's name", said.key);
            problems.push(Problem::new(at, message));
        }
        self
    }
}

impl Field {
    /// Parts that no value of the kind could satisfy, at the place of the one that a person wrote.
    fn contradictions(&self, problems: &mut Vec<Problem>, said: &Said<'_, Self>, parts: &[&Entry]) {
        let is_list = matches!(self.kind, Kind::Tags | Kind::List);
        let (kind, what) = match self.kind {
            Kind::Date if !self.one_of.is_empty() => ("date", "one_of"),
            Kind::Date if matches!(self.fill, Some(Fill::Stem | Fill::Prefix)) => ("date", "fill"),
            _ if is_list && self.fill.is_some() => ("list", "fill"),
            _ if is_list && !self.under.is_empty() => ("list", "under"),
            _ => return,
        };
        let part = |name: &str| parts.iter().find(|part| part.key == name).map(|part| part.value.at);
        let at = part(what).or_else(|| part("kind")).unwrap_or(said.entry.at);
        let why = match (kind, what) {
            (_, "one_of") => "a date is none of a few values",
            ("date", _) => "only 'fill: day' gives a date",
            _ => "it says one text, and the field is a list",
        };
        let problem = Problem::new(at, format!("'{}' cannot have '{what}': {why}", said.key));
        let is_below = part(what).is_none() && what == "fill";
        problems.push(if is_below { problem.hint("write fill: off too") } else { problem });
    }

    /// Takes a part that is understood by itself.
    fn simple(&mut self, problems: &mut Vec<Problem>, key: &str, part: &Entry) {
        let (name, node) = (part.key.as_str(), &part.value);
        let Some(shape) = parts::FIELD.iter().find(|part| part.name == name).map(|part| (part.shape)())
        else {
            return;
        };
        match name {
            "kind" => take(problems, &mut self.kind, key, &shape, node),
            "one_of" => {
                take(problems, &mut self.one_of, key, &shape, node);
                repeated(problems, key, node);
            }
            "also" => {
                take(problems, &mut self.also, key, &shape, node);
                places(problems, key, node);
            }
            "required" => take(problems, &mut self.required, key, &shape, node),
            "fill" => {
                let mut fill = Json::Null;
                take(problems, &mut fill, key, &shape, node);
                self.fill = serde_json::from_value(fill).ok();
            }
            _ => {}
        }
    }

    /// The values there are, each with its rank.
    fn ranks(&self) -> BTreeMap<String, usize> {
        self.one_of.iter().enumerate().map(|(rank, value)| (value.clone(), rank)).collect()
    }

    /// Lays words over those below: a new word wins over the same one below, a value over every word.
    fn words(&mut self, problems: &mut Vec<Problem>, key: &str, node: Option<&Node>) {
        let ranks = self.ranks();
        let values: BTreeSet<String> = self.one_of.iter().map(|value| folded(value)).collect();
        let mut meanings: BTreeMap<String, &str> = BTreeMap::new();
        let said = node.map(|node| self.said(problems, key, node, &ranks)).unwrap_or_default();
        let mut new = Vec::new();
        for Word { at, word, value } in &said {
            if values.contains(&folded(word)) {
                let message = format!("'{}' in '{key}' is a value itself", clean(word));
                problems.push(Problem::new(*at, message));
                continue;
            }
            match meanings.insert(folded(word), value) {
                None => new.push((word.clone(), value.clone())),
                Some(other) if other == value => {}
                Some(other) => {
                    let (word, other, value) = (clean(word), clean(other), clean(value));
                    let message = format!("'{word}' means both '{other}' and '{value}' in '{key}'");
                    problems.push(Problem::new(*at, message));
                }
            }
        }
        self.words.retain(|(word, value)| {
            let word = folded(word);
            ranks.contains_key(value) && !values.contains(&word) && !meanings.contains_key(&word)
        });
        self.words.extend(new);
        self.words.sort_by_key(|(_, value)| ranks.get(value));
    }

    /// The words a layer says, each with its value.
    fn said(
        &self,
        problems: &mut Vec<Problem>,
        key: &str,
        node: &Node,
        ranks: &BTreeMap<String, usize>,
    ) -> Vec<Word> {
        let mut said = Vec::new();
        for entry in entries(problems, key, node) {
            if !ranks.contains_key(&entry.key) {
                problems.push(self.unknown(key, entry.at, &entry.key));
            }
            let key = format!("{key}.{}", clean(&entry.key));
            match check::value(&key, &Shape::Texts, &entry.value) {
                Ok(_) => said.extend(texts(&entry.value).map(|(at, word)| Word {
                    at,
                    word: word.to_owned(),
                    value: entry.key.clone(),
                })),
                Err(wrong) => problems.extend(wrong),
            }
        }
        said
    }

    /// Lays folders over those below; `off` takes one away.
    fn under(
        &mut self,
        problems: &mut Vec<Problem>,
        key: &str,
        node: Option<&Node>,
        shipped: Option<&Field>,
    ) {
        let (ranks, mut new) = (self.ranks(), Vec::new());
        self.under.retain(|(_, value)| ranks.contains_key(value));
        let rank =
            |folder: &str| shipped.and_then(|field| field.under.iter().position(|own| own.0 == folder));
        for entry in node.map(|node| entries(problems, key, node)).unwrap_or_default() {
            let own = self.under.iter().position(|(folder, _)| *folder == entry.key);
            if is_off(&entry.value) {
                match own {
                    Some(at) => drop(self.under.remove(at)),
                    None if rank(&entry.key).is_some() => {}
                    None => problems.push(no_folder(key, entry, &self.under)),
                }
                continue;
            }
            match (self.folder(key, entry, &ranks), own) {
                (Err(problem), _) => problems.push(problem),
                (Ok(value), Some(at)) => self.under[at].1 = value,
                (Ok(value), None) => new.push((entry.key.clone(), value)),
            }
        }
        self.under.extend(new);
        // Those that are shipped stay first, also where an earlier layer had taken one away.
        self.under.sort_by_key(|(folder, _)| rank(folder).unwrap_or(usize::MAX));
    }

    /// The value of one folder.
    fn folder(&self, key: &str, entry: &Entry, ranks: &BTreeMap<String, usize>) -> Result<String, Problem> {
        if entry.key.contains('/') || check::unfit(&entry.key).is_some() {
            let message = format!("'{}' in '{key}' is not the name of a folder", clean(&entry.key));
            return Err(Problem::new(entry.at, message));
        }
        match &entry.value.data {
            Data::Scalar { text, .. } if ranks.contains_key(text) => Ok(text.clone()),
            Data::Scalar { text, .. } => Err(self.unknown(key, entry.value.at, text)),
            _ => {
                let found = check::found(&entry.value);
                let message = format!("'{key}.{}' wants a text, not {found}", clean(&entry.key));
                Err(Problem::new(entry.value.at, message))
            }
        }
    }

    /// What is wrong with a value that is none of the field's.
    fn unknown(&self, key: &str, at: Mark, value: &str) -> Problem {
        let message = format!("'{}' in '{key}' is none of the values in 'one_of'", clean(value));
        let problem = Problem::new(at, message);
        match self.one_of.is_empty() {
            true => problem.hint("list all values of the field in 'one_of'"),
            // Among very many nobody looks for a neighbour, and each is a pass over all.
            false => hinted(problem, nearest(value, self.one_of.iter().take(MAX_NEAR).map(String::as_str))),
        }
    }
}

/// Among how many values a neighbour of a mistyped one is looked for.
const MAX_NEAR: usize = 100;

/// One more word for a value.
struct Word {
    at: Mark,
    word: String,
    value: String,
}

fn no_folder(key: &str, entry: &Entry, under: &[(String, String)]) -> Problem {
    let message = format!("there is no '{key}.{}' that could be off", clean(&entry.key));
    hinted(
        Problem::new(entry.at, message),
        nearest(&entry.key, under.iter().map(|(folder, _)| folder.as_str())),
    )
}

/// Values that differ in nothing that counts are one, and only one of them could be written.
fn repeated(problems: &mut Vec<Problem>, key: &str, node: &Node) {
    let mut seen = BTreeSet::new();
    for (at, text) in texts(node) {
        if !seen.insert(folded(text)) {
            problems.push(Problem::new(at, format!("'{}' stands in '{key}' twice", clean(text))));
        }
    }
}
