//! Which entries correct which: an entry that holds a word such as "correction" and links another one, or
//! names it by its date, its heading or its bold lead. One pass over the words of the note: names are
//! looked up in a tree of words, never one by one.

use super::links;
use super::sheet::Sheet;
use crate::vault::{date, entry::folded};
use aho_corasick::AhoCorasick;
use chrono::NaiveDate;
use std::collections::HashMap;

/// Longest name that is looked up, in words; of a longer one, so many words are enough.
const MAX_WORDS: usize = 12;

/// What one correction speaks of.
#[derive(Clone, Debug, Default)]
pub(super) struct Mention {
    /// Entries it links or names, as indexes, without itself.
    pub entries: Vec<usize>,
    /// Days it names besides its own date.
    pub days: Vec<NaiveDate>,
}

/// For each entry what it corrects or says that it is corrected by; none without such a word.
pub(super) fn mentions(sheet: &Sheet<'_>) -> Vec<Option<Mention>> {
    let n_entries = sheet.entries().len();
    let words = sheet.settings.corrections.iter().map(|word| word.to_lowercase());
    // Only so many or such long words as no one sets are refused; then nothing is a correction.
    let Ok(words) = AhoCorasick::new(words) else { return vec![None; n_entries] };
    let speaks = |at: usize| holds_word(&sheet.entries()[at].span.of(sheet.text).to_lowercase(), &words);
    let speakers: Vec<bool> = (0..n_entries).map(speaks).collect();
    if !speakers.contains(&true) {
        return vec![None; n_entries];
    }
    let (names, anchors) = (Names::of(sheet), anchors(sheet));
    let mention = |at: usize| {
        let mut entries = names.in_text(&folded(sheet.entries()[at].span.of(sheet.text)));
        entries.extend(linked(sheet, at, &anchors));
        entries.sort_unstable();
        entries.dedup();
        entries.retain(|other| *other != at);
        Mention { entries, days: days(sheet, at) }
    };
    (0..n_entries).map(|at| speakers[at].then(|| mention(at))).collect()
}

/// A word of a script with blanks must stand alone; in others it may stand inside a longer run.
fn holds_word(text: &str, words: &AhoCorasick) -> bool {
    let joins = |c: char| c.is_alphanumeric() && !is_dense(c);
    words.find_overlapping_iter(text).any(|found| {
        let (before, after) = (text[..found.start()].chars().next_back(), text[found.end()..].chars().next());
        let hit = &text[found.range()];
        let is_dense = hit.chars().all(is_dense);
        is_dense || !before.is_some_and(joins) && !after.is_some_and(joins)
    })
}

/// Scripts that write words without blanks, or with endings: kana, Han, Hangul.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// The days an entry names; its own date counts where it stands a second time.
fn days(sheet: &Sheet<'_>, at: usize) -> Vec<NaiveDate> {
    let entry = &sheet.entries()[at];
    let mut days: Vec<NaiveDate> =
        date::find(entry.span.of(sheet.text)).iter().map(|dated| dated.day).collect();
    if let Some(own) = days.iter().position(|day| entry.date == Some(*day)) {
        days.remove(own);
    }
    days.sort_unstable();
    days.dedup();
    days
}

/// Block ids and headings by their folded text, and the entries that hold them.
fn anchors(sheet: &Sheet<'_>) -> HashMap<String, usize> {
    let mut anchors = HashMap::new();
    let ids = sheet.markdown.ids.iter().map(|id| (id.of(sheet.text).to_lowercase(), *id));
    let headings = sheet.markdown.blocks.iter().filter(links::is_heading);
    let headings = headings.map(|block| (links::folded(block.text.of(sheet.text)), block.text));
    for (name, span) in ids.chain(headings) {
        if let Some(at) = sheet.entries_in(span).next() {
            anchors.entry(name).or_insert(at);
        }
    }
    anchors
}

fn linked(sheet: &Sheet<'_>, at: usize, anchors: &HashMap<String, usize>) -> Vec<usize> {
    let span = sheet.entries()[at].span;
    let all = &sheet.markdown.links;
    let first = all.partition_point(|link| link.span.start < span.start);
    let own = all[first..].iter().take_while(|link| link.span.start < span.end);
    let stem = sheet.note.path.stem();
    let is_here = |target: &str| {
        let target = target.rsplit('/').next().unwrap_or_default();
        target.is_empty() || target.strip_suffix(".md").unwrap_or(target).eq_ignore_ascii_case(stem)
    };
    let anchor = |fragment: &str| match fragment.strip_prefix('^') {
        Some(_) => anchors.get(&fragment.to_lowercase()).copied(),
        None => anchors.get(&links::folded(fragment.rsplit('#').next().unwrap_or_default())).copied(),
    };
    own.filter(|link| is_here(&link.target)).filter_map(|link| anchor(link.fragment.as_deref()?)).collect()
}

/// The names of entries as a tree of words.
struct Names {
    /// From a node and a word to the next node; the root is 0.
    steps: HashMap<(usize, String), usize>,
    /// The entries whose names end at a node.
    ends: HashMap<usize, Vec<usize>>,
}

impl Names {
    fn of(sheet: &Sheet<'_>) -> Names {
        let mut names = Names { steps: HashMap::new(), ends: HashMap::new() };
        for (at, entry) in sheet.entries().iter().enumerate() {
            let words = entry.name.map(|name| tokens(&folded(name.of(sheet.text)))).unwrap_or_default();
            if is_telling(&words) {
                let mut node = 0;
                for word in words.into_iter().take(MAX_WORDS) {
                    let fresh = names.steps.len() + 1;
                    node = *names.steps.entry((node, word)).or_insert(fresh);
                }
                names.ends.entry(node).or_default().push(at);
            }
        }
        names
    }

    /// The entries named in a folded text.
    fn in_text(&self, text: &str) -> Vec<usize> {
        let words = tokens(text);
        let mut found = Vec::new();
        for start in 0..words.len() {
            let mut node = 0;
            for word in &words[start..] {
                match self.steps.get(&(node, word.clone())) {
                    Some(next) => node = *next,
                    None => break,
                }
                found.extend(self.ends.get(&node).into_iter().flatten());
            }
        }
        found
    }
}

/// Words; characters of dense scripts each count as one.
fn tokens(folded: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in folded.chars() {
        match tokens.last_mut().filter(|_| is_open && !is_dense(c)) {
            Some(last) if c != ' ' => last.push(c),
            _ if c != ' ' => tokens.push(c.to_string()),
            _ => {}
        }
        is_open = c != ' ' && !is_dense(c);
    }
    tokens
}

/// Two words, or four characters of a dense script, tell an entry from common words.
fn is_telling(words: &[String]) -> bool {
    let weight = |word: &String| if word.chars().all(is_dense) { 1 } else { 2 };
    words.iter().map(weight).sum::<usize>() >= 4
}
