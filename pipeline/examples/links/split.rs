//! A vault read for a trial, and its split: in the test notes, chosen by a hash of seed and path, every
//! wikilink to another note becomes text.

use jobs::vault::{
    Ledger, Note, NotePath, Span, Vault,
    frontmatter::Frontmatter,
    line,
    markdown::{Link, LinkKind},
    names::{Name, Resolver, Source, fold, names_of},
};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A pair of notes: the first links the second.
pub type Tie = (usize, usize);

/// A vault with the links of its test notes taken out.
pub struct Split {
    /// The vault.
    pub vault: Vault,
    /// For each note, whether it is a test note.
    pub is_test: Vec<bool>,
    /// The links that people made in test notes.
    pub human: BTreeSet<Tie>,
    /// Those whose words are a name of the target.
    pub linkable: BTreeSet<Tie>,
}

/// The notes of a vault, in order of path.
pub fn read(root: &Path) -> Vault {
    let mut paths = Vec::new();
    walk(root, &mut paths);
    paths.sort();
    let note = |path: &PathBuf| {
        let text = String::from_utf8(fs::read(path).ok()?).ok()?;
        let relative = path.strip_prefix(root).ok()?.to_string_lossy().into_owned();
        Some(Arc::new(Note::of_text(NotePath::new(&relative).ok()?, text)))
    };
    let notes = paths.iter().filter_map(note).collect();
    Vault::new(notes, Ledger::default(), chrono::NaiveDate::default())
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if path.is_dir() && !is_hidden {
            walk(&path, paths);
        } else if path.extension().is_some_and(|end| end == "md") {
            paths.push(path);
        }
    }
}

/// Splits a vault by `seed`; `share` of the notes are test notes.
pub fn split(whole: &Vault, seed: &str, share: f64) -> Split {
    let all: Vec<Vec<Name>> = whole.notes().iter().map(|note| names_of(note)).collect();
    let resolver = Resolver::of(whole, &all);
    let is_test: Vec<bool> =
        whole.notes().iter().map(|note| place_of(seed, note.path.as_str()) < share).collect();
    let names: Vec<Vec<String>> = whole
        .notes()
        .iter()
        .map(|note| {
            let names = names_of(note).into_iter().filter(|name| name.source != Source::Name);
            names.map(|name| fold(&name.text)).collect()
        })
        .collect();
    let (mut human, mut linkable) = (BTreeSet::new(), BTreeSet::new());
    let mut notes = Vec::new();
    for (at, note) in whole.notes().iter().enumerate() {
        if !is_test[at] {
            notes.push(Arc::clone(note));
            continue;
        }
        let text = without_links(&note.text, |link, words| {
            let found = resolver.resolve(whole, &note.path, link).filter(|found| *found != at)?;
            let words =
                if words.is_empty() { link.target.rsplit('/').next().unwrap_or_default() } else { words };
            human.insert((at, found));
            if names[found].contains(&fold(words.trim())) {
                linkable.insert((at, found));
            }
            Some(words.to_owned())
        });
        notes.push(Arc::new(Note::of_text(note.path.clone(), text)));
    }
    Split { vault: Vault::new(notes, Ledger::default(), whole.today), is_test, human, linkable }
}

/// A number from 0 to 1 for each path.
fn place_of(seed: &str, path: &str) -> f64 {
    let hash = Sha256::digest(format!("{seed}{path}").as_bytes());
    let first = u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]);
    f64::from(first) / 2_f64.powi(32)
}

/// The text with wikilinks outside of fences replaced by what `words` makes of link and label, where it
/// makes something.
fn without_links(text: &str, mut words: impl FnMut(&Link, &str) -> Option<String>) -> String {
    let body = Frontmatter::body_of(text);
    let mut out = text[..body].to_owned();
    let mut fence: Option<String> = None;
    for line in line::each(text, Span::new(body, text.len())).map(|line| line.of(text)) {
        let mark = fence_mark(line);
        match (&fence, mark) {
            (Some(open), Some(mark)) => {
                let closes = mark.starts_with(&open[..1]) && mark.len() >= open.len();
                fence = fence.take().filter(|_| !closes);
                out.push_str(line);
            }
            (None, Some(mark)) => {
                fence = Some(mark.to_owned());
                out.push_str(line);
            }
            (Some(_), None) => out.push_str(line),
            (None, None) => without_links_in_line(line, &mut out, &mut words),
        }
    }
    out
}

fn fence_mark(line: &str) -> Option<&str> {
    let inner = line.trim_start_matches([' ', '\t', '>']);
    let first = inner.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let n = inner.chars().take_while(|c| *c == first).count();
    (n >= 3).then(|| &inner[..n])
}

fn without_links_in_line(
    line: &str,
    out: &mut String,
    words: &mut impl FnMut(&Link, &str) -> Option<String>,
) {
    let mut rest = line;
    while let Some(at) = rest.find("[[") {
        let is_embed = rest[..at].ends_with('!');
        let inner = &rest[at + 2..];
        let end = inner.find([']', '[', '\n']).filter(|end| inner[*end..].starts_with("]]"));
        let Some(end) = end.filter(|end| *end > 0 && !is_embed) else {
            out.push_str(&rest[..at + 1]);
            rest = &rest[at + 1..];
            continue;
        };
        let (raw, label) = match inner[..end].split_once('|') {
            Some((raw, label)) => (raw, label),
            None => (&inner[..end], ""),
        };
        let target = raw.split(['#', '^']).next().unwrap_or_default().to_owned();
        let span = Span::new(0, 0);
        let link = Link { span, shown: span, target, fragment: None, kind: LinkKind::Wiki };
        out.push_str(&rest[..at]);
        match words(&link, label).filter(|_| !link.target.is_empty()) {
            Some(text) => out.push_str(&text),
            None => out.push_str(&rest[at..at + 2 + end + 2]),
        }
        rest = &rest[at + 2 + end + 2..];
    }
    out.push_str(rest);
}
