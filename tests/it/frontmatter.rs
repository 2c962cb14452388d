//! Frontmatter outside an edit is byte-equal (P21): every operation of the closed set on the YAML test
//! suite, on generated blocks and on real notes. Which lines an operation may touch is found here anew;
//! the program's own guard is not asked.

use crate::{
    blocks::{self, Generated},
    corpora::folders,
    figure::{Figure, is_nightly},
    generated,
    operations::{asked, operations, says},
    tree::bytes_under,
    yaml_suite,
};
use jobs::vault::{
    Span,
    frontmatter::{Frontmatter, Key, Operation, Patch, Value},
};
use std::collections::BTreeMap;

/// One that edits: memkeep, or one that is known to be bad. Gives the note after it, or refuses.
type Editor = fn(&str, &Frontmatter, &Operation) -> Result<String, String>;

fn memkeep(text: &str, front: &Frontmatter, operation: &Operation) -> Result<String, String> {
    let patches = front.edit(text, std::slice::from_ref(operation)).map_err(|refusal| refusal.0)?;
    Ok(patched(text, &patches))
}

/// The text with all patches, which do not overlap.
pub fn patched(text: &str, patches: &[Vec<Patch>]) -> String {
    let mut all: Vec<&Patch> = patches.iter().flatten().collect();
    all.sort_by_key(|patch| patch.span);
    let mut text = text.to_owned();
    for patch in all.into_iter().rev() {
        text.replace_range(patch.span.start..patch.span.end, &patch.put);
    }
    text
}

/// Where the body starts, by the lines that are fences; none where there is no block.
pub fn body_start(text: &str) -> Option<usize> {
    let is_fence = |line: &str, fence| line.trim_end_matches([' ', '\t', '\r', '\n']) == fence;
    let mut at = text.len() - text.trim_start_matches('\u{feff}').len();
    for (n, line) in text[at..].split_inclusive('\n').enumerate() {
        at += line.len();
        match n {
            0 if !is_fence(line, "---") => return None,
            0 => {}
            _ if is_fence(line, "---") || is_fence(line, "...") => return Some(at),
            _ => {}
        }
    }
    None
}

/// A note and the lines that hold each of its keys.
struct Subject<'a> {
    text: &'a str,
    front: Frontmatter,
    own: Vec<Span>,
}

impl<'a> Subject<'a> {
    /// A note whose keys lie where its lines are indented less.
    fn scanned(text: &'a str) -> Option<Self> {
        let front = Frontmatter::find(text)?;
        let own = front.keys.iter().map(|key| scanned(text, key)).collect();
        Some(Subject { text, front, own })
    }

    /// A note whose lines are known; or how what is read of it differs from what is known.
    fn known(note: &'a Generated) -> Result<Self, String> {
        let front = Frontmatter::find(&note.text).ok_or("no block")?;
        let read: Vec<_> = front.keys.iter().map(|key| (key.name.clone(), says(&key.value))).collect();
        let known: Vec<_> =
            note.own.iter().map(|(_, known)| (known.name.clone(), known.says.clone())).collect();
        let own = note.own.iter().map(|(span, _)| *span).collect();
        match read == known {
            true => Ok(Subject { text: &note.text, front, own }),
            false => Err(format!("{read:?} is {known:?}, {:?}\n{}", front.problem, note.text)),
        }
    }
}

/// The lines of a key: its own and the ones below that are indented more, or are items; not the blank lines
/// and comments at their end, unless they may be part of a block of text.
fn scanned(text: &str, key: &Key) -> Span {
    let start = text[..key.span.start].rfind('\n').map_or(0, |at| at + 1);
    let column = key.span.start - start;
    let is_text = text[key.span.end..].trim_start_matches([' ', '\t', ':']).starts_with(['|', '>']);
    let mut lines = text[start..].split_inclusive('\n');
    let mut at = start + lines.next().map_or(0, str::len);
    let mut end = at;
    for line in lines {
        let rest = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - rest.len();
        let is_blank = rest.trim().is_empty();
        let is_item = indent == column && (rest.starts_with("- ") || rest.trim_end() == "-");
        if !is_blank && indent <= column && !is_item && !rest.starts_with('#') {
            break;
        }
        at += line.len();
        if is_text || !(is_blank || rest.starts_with('#')) {
            end = at;
        }
    }
    Span::new(start, end)
}

/// How many bytes outside `own` are not those they were.
fn changed_outside(old: &str, new: &str, own: Span) -> usize {
    let (before, after) = (&old.as_bytes()[..own.start], &old.as_bytes()[own.end..]);
    let new = new.as_bytes();
    let same_before = before.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = &new[same_before..];
    let same_after = after.iter().rev().zip(rest.iter().rev()).take_while(|(a, b)| a == b).count();
    before.len() - same_before + after.len() - same_after
}

/// The bytes that changed outside the lines of the key that the operation names; of a new key, outside
/// the best place between two lines.
fn foreign(subject: &Subject<'_>, operation: &Operation, new: &str) -> usize {
    let old = subject.text;
    match operation.key() {
        Some(key) => changed_outside(old, new, subject.own[key]),
        None => {
            let ends = old[..subject.front.span.end].match_indices('\n').map(|(at, _)| at + 1);
            ends.map(|at| changed_outside(old, new, Span::at(at))).min().unwrap_or(old.len())
        }
    }
}

/// A double goes with its comment, and a comment that was meant as a value becomes one.
fn may_take_comments(subject: &Subject<'_>, operation: &Operation) -> bool {
    match operation {
        Operation::RemoveDuplicate { .. } => true,
        Operation::ToList { key, .. } => subject.front.keys[*key].value == Value::None,
        _ => false,
    }
}

/// What is wrong with `new` as the outcome of the operation.
fn wrong(subject: &Subject<'_>, operation: &Operation, new: &str) -> Result<(), String> {
    let old = subject.text;
    let told = |what: String| Err(format!("{what}\n{operation:?}\n{old}\nbecomes\n{new}"));
    let n_foreign = foreign(subject, operation, new);
    if n_foreign > 0 {
        return told(format!("foreign bytes changed {n_foreign}"));
    }
    let body = |text: &str| body_start(text).map(|at| text[at..].to_owned());
    if body(old) != body(new) {
        return told("another body".to_owned());
    }
    let found = Frontmatter::find(new).filter(|found| found.problem.is_none());
    let Some(found) = found else { return told("the block does not read".to_owned()) };
    let keys: Vec<_> = found.keys.iter().map(|key| (key.name.clone(), says(&key.value))).collect();
    let asked = asked(old, &subject.front, operation);
    if keys != asked {
        return told(format!("{keys:?} is not {asked:?}"));
    }
    let count = |text: &str, words: &str| text.matches(words).count();
    if count(old, "remark") > count(new, "remark") && !may_take_comments(subject, operation) {
        return told("a comment is lost".to_owned());
    }
    let ends = |text: &str| (count(text, "\r\n") > 0, count(text, "\n") > count(text, "\r\n"));
    let (had, has) = (ends(old), ends(new));
    if has.0 && !had.0 || has.1 && !had.1 {
        return told("a line end of another kind".to_owned());
    }
    Ok(())
}

/// How often each operation was carried out and refused.
#[derive(Default)]
struct Count(BTreeMap<String, [usize; 2]>);

impl Count {
    /// Carries out each operation that fits the note; on a block that does not read none may be.
    fn try_all(&mut self, figure: &mut Figure, subject: &Subject<'_>, editor: Editor) {
        if subject.front.problem.is_some() {
            let is_left = |operation| editor(subject.text, &subject.front, operation).is_err();
            let are_left = operations(&subject.front).iter().all(is_left);
            figure.trial(if are_left { Ok(()) } else { Err(format!("an edit of {}", subject.text)) });
            return;
        }
        for operation in operations(&subject.front) {
            let outcome = editor(subject.text, &subject.front, &operation);
            let kind = format!("{operation:?}").split(' ').next().unwrap_or_default().to_owned();
            self.0.entry(kind).or_default()[usize::from(outcome.is_err())] += 1;
            if let Ok(new) = outcome {
                figure.trial(wrong(subject, &operation, &new));
            }
        }
    }

    /// Fails where less than `floor` in a hundred were carried out: a refusal proves nothing.
    fn done(&self, figure: Figure, floor: usize) {
        figure.done();
        println!("    carried out, refused: {:?}", self.0);
        let sum = |at: usize| self.0.values().map(|counts| counts[at]).sum::<usize>();
        let (done, refused) = (sum(0), sum(1));
        assert!(done * 100 >= (done + refused) * floor, "{refused} refused, and {done} carried out");
    }
}

#[test]
fn every_operation_leaves_the_other_bytes_of_the_yaml_test_suite() {
    let mut figure = Figure::of("frontmatter outside the edit is byte-equal, YAML test suite (P21)");
    let mut count = Count::default();
    for document in yaml_suite::documents() {
        for note in variants(&document.note()) {
            let Some(mut subject) = Subject::scanned(&note) else { continue };
            if document.fail {
                subject.own = subject.front.keys.iter().map(|key| key.lines).collect();
            }
            count.try_all(&mut figure, &subject, memkeep);
        }
    }
    count.done(figure, 65);
}

/// With LF and with CRLF, with and without final newline and BOM.
fn variants(note: &str) -> Vec<String> {
    let crlf = note.replace("\r\n", "\n").replace('\n', "\r\n");
    let ends = [note.to_owned(), crlf];
    let cut = |note: &String| {
        [note.clone(), note.trim_end().to_owned(), note.replace("Body.", "").trim_end().to_owned()]
    };
    let all: Vec<String> = ends.iter().flat_map(cut).collect();
    all.iter().map(|note| format!("\u{feff}{note}")).chain(all.clone()).collect()
}

#[test]
fn every_operation_leaves_the_other_bytes_of_generated_blocks() {
    let mut figure = Figure::of("frontmatter outside the edit is byte-equal, generated blocks (P21)");
    let mut count = Count::default();
    each_block(|subject| {
        let before = figure.n_failures();
        count.try_all(&mut figure, subject, memkeep);
        if figure.n_failures() == before { Ok(()) } else { Err(figure.last_failure()) }
    });
    count.done(figure, 75);
    let n_tried = count.0.values().filter(|[done, _]| *done > 0).count();
    assert_eq!(n_tried, 10, "operations that were carried out: {:?}", count.0);
}

fn each_block(mut check: impl FnMut(&Subject<'_>) -> Result<(), String>) {
    let cases = if is_nightly() { 1000 } else { 150 };
    generated::run(cases, &blocks::note(), |note| check(&Subject::known(note)?));
}

#[test]
fn every_operation_leaves_the_other_bytes_of_real_notes() {
    let mut figure = Figure::of("frontmatter outside the edit is byte-equal, real notes (P21)");
    let mut count = Count::default();
    for bytes in folders().iter().flat_map(|folder| bytes_under(folder, &|_| true).into_values()) {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if let Some(subject) = Subject::scanned(&text) {
            count.try_all(&mut figure, &subject, memkeep);
        }
    }
    count.done(figure, 95);
}

/// Values set in one call are those set in many: no edit sees another one's bytes. (A new name may change
/// where the colon of the next one stands.)
#[test]
fn values_set_in_one_call_are_those_set_one_by_one() {
    let mut figure = Figure::of("values set in one call are those set one by one");
    each_block(|subject| {
        let mut all: Vec<Operation> = operations(&subject.front);
        all.retain(|operation| {
            let is_alone = matches!(
                operation,
                Operation::Set { .. } | Operation::AddItem { .. } | Operation::SetItem { .. }
            );
            is_alone && memkeep(subject.text, &subject.front, operation).is_ok()
        });
        all.dedup_by_key(|operation| operation.key());
        let one_by_one = all.iter().rev().try_fold(subject.text.to_owned(), |text, operation| {
            let front = Frontmatter::find(&text).ok_or("no block")?;
            memkeep(&text, &front, operation)
        });
        let together = subject.front.edit(subject.text, &all).map(|patches| patched(subject.text, &patches));
        let together = together.map_err(|refusal| refusal.0);
        let result = if one_by_one == together {
            Ok(())
        } else {
            Err(format!("{one_by_one:?}\n{together:?}\n{all:?}"))
        };
        figure.trial(result.clone());
        result
    });
    figure.done();
}

/// Editors that are known to be bad, each in its own way.
const BAD: &[(&str, Editor)] = &[
    ("an editor that does nothing", |text, _, _| Ok(text.to_owned())),
    ("one that tidies other lines", |text, front, operation| {
        memkeep(text, front, operation).map(|new| new.replace("   : ", ": "))
    }),
    ("one that loses comments", |text, front, operation| {
        let key = &front.keys[operation.key().ok_or("")?];
        let mut new = memkeep(text, front, operation)?;
        let line = new[key.span.start..].find('\n').map_or(new.len(), |at| key.span.start + at);
        let comment = new[..line].rfind(" # remark").filter(|at| *at > key.span.start).ok_or("")?;
        new.replace_range(comment..line, "");
        Ok(new)
    }),
    ("one that takes the next key", |text, front, operation| match operation {
        Operation::Set { key, value } => {
            memkeep(text, front, &Operation::Set { key: key + 1, value: value.clone() })
        }
        _ => Err(String::new()),
    }),
    ("one that forgets quotes", |text, front, operation| match operation {
        Operation::Set { key, value } => {
            let span = front.keys[*key].value_span;
            Ok(patched(text, &[vec![Patch { span, put: value.clone() }]]))
        }
        _ => Err(String::new()),
    }),
    ("one that writes LF everywhere", |text, front, operation| {
        let new = memkeep(text, front, operation)?;
        let at = new.find("inserted").ok_or("")?;
        Ok(format!("{}{}", &new[..at], new[at..].replacen("\r\n", "\n", 1)))
    }),
    ("one that ends the note", |text, front, operation| {
        memkeep(text, front, operation).map(|new| new + "\n")
    }),
];

#[test]
fn editors_that_are_known_to_be_bad_are_caught() {
    for (name, editor) in BAD {
        let mut figure = Figure::of(name);
        each_block(|subject| {
            Count::default().try_all(&mut figure, subject, *editor);
            Ok(())
        });
        figure.must_have_failed();
    }
}
