//! Answers for a person: which links memkeep made, and why some words in a note are a link or none.

use super::{
    LINKED, Look, Relink,
    decide::Wanted,
    explain::{self, weighed},
    judge::features::Unit,
    lexicon::Meaning,
    sheet::{Pair, Sheet},
};
use crate::vault::{
    Linked, Note, NotePath, Span, Vault,
    frontmatter::Frontmatter,
    markdown::{BlockKind, Markdown},
    names::{fold, names_of},
};
use serde::Serialize;

/// One link that memkeep made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// The note, as it lies now.
    pub note: NotePath,
    /// The line, from 1; none where a person took the link away or it went with an entry.
    pub line: Option<usize>,
    /// The note it leads to.
    pub target: NotePath,
    /// Its bytes.
    pub link: String,
    /// The rule that made it.
    pub rule: String,
    /// The run that made it.
    pub run: String,
}

/// Why words in a note are a link or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The line of the first mention, from 1, where there is one.
    pub line: Option<usize>,
    /// The note the words name, where they name one.
    pub target: Option<NotePath>,
    /// What is so, in sentences.
    pub says: Vec<String>,
    /// How likely people would link them.
    pub probability: Option<f64>,
    /// What weighs for a link and against it: feature and part of the log-odds, the heaviest first.
    pub parts: Vec<(String, f64)>,
}

/// Parts that are named.
const MOST_PARTS: usize = 8;

impl Relink {
    /// All links that memkeep made, by note and place; those that are gone last.
    pub fn list(&self, vault: &Vault) -> Vec<Listed> {
        let ground = super::Ground::of(vault, &self.settings.parts);
        let mut listed: Vec<Listed> = Vec::new();
        for (at, kept) in &ground.kept {
            let Some(note) = vault.notes().get(*at) else { continue };
            let standing = kept.owns.iter().map(|own| of_row(note, Some(own.span), &own.row));
            listed.extend(standing.chain(kept.refused.iter().map(|row| of_row(note, None, row))));
        }
        listed.sort_by(|a, b| {
            let key = |one: &Listed| (one.note.clone(), one.line.is_none(), one.line, one.target.clone());
            key(a).cmp(&key(b))
        });
        listed
    }

    /// Why `words` in the note at index `at` are a link or none.
    pub fn explain(&self, vault: &Vault, at: usize, words: &str) -> Answer {
        let look = self.look(vault);
        let Some(note) = look.ground.vault.notes().get(at) else { return Answer::default() };
        let spelling = match look.survey.lexicon.meaning_of(words, &fold(words)) {
            Meaning::Nothing => return self.no_name(vault, words),
            Meaning::Many => return several(vault, &look, words),
            Meaning::One(spelling) => spelling,
        };
        let target = look.survey.lexicon.spelling(spelling).map_or(at, |known| known.note);
        let path = vault.notes().get(target).map(|note| note.path.clone());
        if target == at {
            return Answer { target: path, ..says("a note never links itself") };
        }
        let names = |pair: &Pair| pair.target() == target && fold(pair.span().of(&note.text)) == fold(words);
        let mut found =
            look.survey.of_note(at).iter().flat_map(|sheet| {
                sheet.pairs.iter().filter(|pair| names(pair)).map(move |pair| (sheet, pair))
            });
        let answer = match found.next() {
            Some((sheet, pair)) => self.judged(vault, &look, sheet, pair),
            None => unseen(note, words),
        };
        Answer { target: path, ..answer }
    }

    fn judged(&self, vault: &Vault, look: &Look, sheet: &Sheet, pair: &Pair) -> Answer {
        let unit = Unit::new(&look.judge.evidence, &look.survey.facts, sheet);
        let likely = look.judge.probability(&unit, pair);
        let mut answer = says(&self.outcome(look, sheet, pair, likely, unit.is_barred(pair)));
        if let Some(note) = look.ground.vault.notes().get(sheet.own_note) {
            answer.says.push(explain::sentence(&look.judge, &unit, pair, &note.text));
        }
        let mut parts = weighed(&look.judge, &unit, pair);
        parts.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let named = parts.into_iter().filter(|(part, _)| part.abs() >= 0.05).take(MOST_PARTS);
        answer.parts = named.map(|(part, name)| (explain::label(name).to_owned(), part)).collect();
        answer.probability = Some(likely);
        let plain = look.ground.vault.notes().get(sheet.own_note);
        answer.line = plain.map(|note| note.line_of(pair.span().start));
        let is_closed =
            vault.notes().get(sheet.own_note).is_some_and(|note| self.settings.parts.is_closed(note));
        if is_closed {
            answer.says.insert(
                0,
                "nothing is linked in this note: it is read-only or in `relink.no_sources`".to_owned(),
            );
        }
        answer
    }

    /// What becomes of a mention, in one sentence.
    fn outcome(&self, look: &Look, sheet: &Sheet, pair: &Pair, likely: f64, is_barred: bool) -> String {
        let (wanted, held) = self.wanted(look);
        let own = |one: &Wanted<'_>| one.own.and_then(|own| look.ground.kept(sheet.own_note).owns.get(own));
        let here = wanted.get(&sheet.own_note).into_iter().flatten();
        let is_same = |one: &&Wanted<'_>| one.sheet.entry == sheet.entry && one.pair.target == pair.target;
        let chosen = here.into_iter().find(is_same);
        let mut links = look.survey.unit_of(sheet).flat_map(|sheet| &sheet.links);
        let mut pairs = look.survey.unit_of(sheet).flat_map(|sheet| &sheet.pairs);
        let marks = format!(
            "{:.2}: from {:.2} on it is linked, from {:.2} on suggested",
            likely, self.settings.linked, self.settings.suggested
        );
        match chosen {
            _ if links.any(|target| *target == pair.target()) => {
                "people link the note here already".to_owned()
            }
            _ if pairs.any(|other| other.target == pair.target && other.is_refused) => {
                "a person took away the link that memkeep made, so it stays away".to_owned()
            }
            _ if is_barred => {
                "no link leads to such a note (`relink.shy_targets`) before people made one".to_owned()
            }
            _ if held.iter().any(|(words, _)| *words == pair.words as usize) => {
                "held back: the name would get too many links and has none by people".to_owned()
            }
            Some(one) if std::ptr::eq(one.pair, pair) && own(one).is_some() => {
                let by = own(one).map_or_else(String::new, |own| format!(" in run {}", own.row.run));
                format!("linked by memkeep{by}; the chance is {marks}")
            }
            Some(one) if !std::ptr::eq(one.pair, pair) => {
                format!(
                    "another mention of the note is the one to link here; the chance of this one is {marks}"
                )
            }
            Some(one) if one.is_sure => format!("to be linked ({LINKED}); the chance is {marks}"),
            Some(_) => format!("suggested; the chance is {marks}"),
            None => format!("left alone; the chance is {marks}"),
        }
    }

    /// Why words are no name that may be linked.
    fn no_name(&self, vault: &Vault, words: &str) -> Answer {
        let parts = &self.settings.parts;
        if parts.ignore.contains(&fold(words.trim())) {
            return says("the name stands in `relink.ignore`");
        }
        let called = |note: &&std::sync::Arc<Note>| {
            names_of(note).iter().any(|name| fold(&name.text) == fold(words.trim()))
        };
        let Some(note) = vault.notes().iter().find(called) else {
            return says("no note has this name");
        };
        let reason = if parts.no_targets.matches(note.path.as_str()) {
            "no link leads to it (`relink.no_targets`)"
        } else if names_of(note).iter().any(|name| name.text == words) {
            "it is no name for a sentence: too short, no letters, or signs that a link cannot show; or the note says `autolink: false`"
        } else {
            "it is an acronym, which is linked in its own capitals alone"
        };
        says(&format!("`{}` has this name, but {reason}", note.path))
    }
}

fn says(sentence: &str) -> Answer {
    Answer { says: vec![sentence.to_owned()], ..Answer::default() }
}

fn several(vault: &Vault, look: &Look, words: &str) -> Answer {
    let (mut buffer, mut notes) = (Vec::new(), Vec::new());
    let folded = fold(words);
    crate::vault::names::token::tokens(&folded, &mut buffer);
    look.survey.lexicon.find(&buffer, |hit| {
        if hit.first == 0 && hit.last + 1 == buffer.len() {
            notes = look.survey.lexicon.notes_of(hit.words).map_or_else(Vec::new, |(_, notes)| notes);
        }
    });
    let paths = notes.iter().filter_map(|at| vault.notes().get(*at)).map(|note| format!("`{}`", note.path));
    let paths: Vec<String> = paths.collect();
    says(&format!(
        "several notes have this name or its file name, so it is never linked: {}",
        paths.join(", ")
    ))
}

/// Why words that are a name are no mention: where they stand in the note.
fn unseen(note: &Note, words: &str) -> Answer {
    let (text, sought) = (note.text.to_lowercase(), words.to_lowercase());
    let markdown = Markdown::parse(&note.text, Frontmatter::body_of(&note.text));
    let same_length = text.len() == note.text.len();
    let Some(at) = text.find(&sought).filter(|_| same_length) else {
        return says("the words do not stand free in the prose of this note");
    };
    let span = Span::new(at, at + sought.len());
    let is_heading = markdown
        .blocks
        .iter()
        .any(|block| matches!(block.kind, BlockKind::Heading(_)) && block.span.holds(span));
    let place = if at < Frontmatter::body_of(&note.text) {
        "in the frontmatter"
    } else if markdown.is_protected(span) {
        "in something that is never edited: code, a link, a tag, an address, a comment, math"
    } else if is_heading {
        "in a heading (`relink.headings`)"
    } else {
        "as a part of a longer word, path or name"
    };
    Answer { line: Some(note.line_of(at)), ..says(&format!("the words stand {place}")) }
}

fn of_row(note: &Note, span: Option<Span>, row: &Linked) -> Listed {
    Listed {
        note: note.path.clone(),
        line: span.map(|span| note.line_of(span.start)),
        target: row.target.clone(),
        link: row.link.clone(),
        rule: row.rule.clone(),
        run: row.run.clone(),
    }
}
