//! No link goes into a protected span (P22): each kind of span with each kind of name inside, kinds in kinds, each
//! between two mentions of other notes that are to become links, so that a job that sleeps fails too. The notes that
//! are named ask for links, so that what is found is linked, whatever the judgement.

use crate::{
    figure::{Figure, is_nightly},
    laws,
    spans::{self, Placed},
};
use chrono::NaiveDate;
use config::Layers;
use jobs::{
    Certainty, Change, Edit, Job, Stage, Touches, Why,
    job::{Card, Proposal, per_note},
    relink::{Relink, Settings},
    vault::{Ledger, Note, NotePath, Span, Vault},
};
use pipeline::plan::{accepting, plan};
use std::sync::Arc;

/// What is named inside of spans: one word, a capital, several words, an acronym, scripts with and without blanks.
const NAMES: [&str; 9] =
    ["redis", "Kafka", "harbour plan", "WHO", "café", "ключ", "知识管理", "サーバ", "한국어"];

/// The mentions beside a span, and their links.
const BESIDE: [(&str, &str); 2] = [("Quay Gate", "[[quay gate|Quay Gate]]"), ("tide mill", "[[tide mill]]")];

/// A note, and what it is to become.
struct Trial {
    says: String,
    before: String,
    after: String,
}

/// Ways in which all else in a note may be written.
#[derive(Clone, Copy)]
enum Dress {
    Plain,
    /// Characters of several bytes and signs, and such that fold to more bytes, before everything.
    Long,
    CarriageReturns,
    Marked,
}

const DRESSES: [Dress; 4] = [Dress::Plain, Dress::Long, Dress::CarriageReturns, Dress::Marked];

impl Dress {
    fn put_on(self, text: &str) -> String {
        match self {
            Dress::Plain => text.to_owned(),
            Dress::Long => {
                format!("é e\u{301} 👩\u{200d}👩\u{200d}👧 İ ẞ ﬁ Ⱥ 🇩🇪 \u{1112}\u{1161}\u{11ab}\n\n{text}")
            }
            Dress::CarriageReturns => text.replace('\n', "\r\n"),
            Dress::Marked => format!("\u{feff}{text}"),
        }
    }
}

/// A span between two mentions, on their line or on lines of its own.
fn trial(placed: &Placed, dress: Dress) -> Trial {
    let with = |[one, other]: [&str; 2]| {
        let text = &placed.text;
        match placed.is_inline {
            true => format!("So {one} and {text} and {other} too.\n\n[ref]: https://x.example\n"),
            false => format!("So {one} opens.\n\n{text}\nThen {other} closes.\n"),
        }
    };
    let [one, other] = BESIDE;
    let (before, after) = (with([one.0, other.0]), with([one.1, other.1]));
    Trial { says: placed.says.clone(), before: dress.put_on(&before), after: dress.put_on(&after) }
}

/// All trials: in a night every name in every pair and some triples, else every name once and pairs of some.
fn trials() -> Vec<Trial> {
    let mut all: Vec<Placed> = NAMES.iter().flat_map(|name| spans::single(name)).collect();
    for name in if is_nightly() { &NAMES[..] } else { &["redis", "harbour plan"] } {
        let pairs = spans::wrapped(&spans::single(name));
        if is_nightly() && *name == "redis" {
            all.extend(spans::wrapped(&pairs));
        }
        all.extend(pairs);
    }
    let dressed = |(n, placed): (usize, &Placed)| match is_nightly() {
        true => DRESSES.map(|dress| trial(placed, dress)).into_iter().collect(),
        false => vec![trial(placed, DRESSES[n % DRESSES.len()])],
    };
    all.iter().enumerate().flat_map(dressed).chain(NAMES.iter().flat_map(|name| to_an_end(name))).collect()
}

/// Kinds that start or end with the note: frontmatter, and what is never closed.
fn to_an_end(name: &str) -> Vec<Trial> {
    let [(words, link), _] = BESIDE;
    let front = format!(
        "---\ndescription: x {name} y\ntags: [{name}]\n{name}: x\nmore: >\n  {name}\n# {name}\n---\n"
    );
    let open = ["```", "~~~sh", "<!--", "<script>", "%%\n```\n%%\n````"];
    let of = |head: &str, tail: &str, says: &str| {
        let with = |words: &str| format!("{head}So {words} opens.\n\n{tail}");
        Trial { says: format!("'{name}' in {says}"), before: with(words), after: with(link) }
    };
    let open = open.iter().map(|mark| of("", &format!("{mark}\nx {name} y\n\n{name}, # {name}\n"), mark));
    std::iter::once(of(&front, "", "frontmatter")).chain(open).collect()
}

/// The vault of these notes, with the notes that they name.
fn vault(trials: &[Trial]) -> Vault {
    let asks = "---\nautolink: true\n---\n";
    let named = NAMES.into_iter().chain(BESIDE.map(|(words, _)| words));
    let mut notes: Vec<Arc<Note>> =
        named.map(|name| note(&format!("{}.md", name.to_lowercase()), asks)).collect();
    notes.extend(trials.iter().enumerate().map(|(n, trial)| note(&path(n), &trial.before)));
    Vault::new(notes, Ledger::default(), NaiveDate::default())
}

fn path(n: usize) -> String {
    format!("trials/{n}.md")
}

fn note(path: &str, text: &str) -> Arc<Note> {
    Arc::new(Note::of_text(NotePath::new(path).unwrap(), text))
}

fn relink() -> Box<dyn Job> {
    let text = "relink: {most: 1000000}\n";
    let config = Layers::new().vault("memkeep.yaml", text).resolve().expect("settings").config;
    Box::new(Relink::new(Settings::new(&config)))
}

/// Holds what a job makes of each trial against what it is to become.
fn hold(figure: &mut Figure, job: Box<dyn Job>, trials: &[Trial]) {
    let vault = vault(trials);
    let planned = plan(&vault, &[job], &accepting(vec!["likely".to_owned()]));
    let after = laws::after(&vault, &planned);
    for (n, trial) in trials.iter().enumerate() {
        let path = NotePath::new(&path(n)).unwrap();
        let text = after.note(&path).map_or("", |note| &*note.text);
        let says = || format!("{}: {:?} became {text:?}", trial.says, trial.before);
        figure.trial(if text == trial.after { Ok(()) } else { Err(says()) });
    }
}

#[test]
fn no_link_goes_into_a_protected_span() {
    let (mut figure, trials) = (Figure::of("links in protected spans (P22)"), trials());
    assert!(trials.len() > 20 * spans::n_kinds(), "only {} trials", trials.len());
    hold(&mut figure, relink(), &trials);
    figure.done();
}

/// Jobs that are known to be bad: one links the first words that are a name, wherever they stand, one links nothing.
struct Bad {
    is_awake: bool,
}

static CARD: Card = Card {
    id: "bad",
    stage: Stage::Relink,
    summary: "",
    touches: Touches::Prose,
    certainty: Certainty::Sure,
    about: "",
};

impl Job for Bad {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn plan(&self, vault: &Vault) -> Proposal {
        let names: Vec<&str> = NAMES.into_iter().chain(BESIDE.map(|(words, _)| words)).collect();
        let edit = |note: &Note, name: &str| {
            let at = note.text.find(name)?;
            let span = Span::new(at, at + name.len());
            Some(Edit::replace(&note.text, span, format!("[[{name}]]"), Why::sure("bad/rule", "because")))
        };
        per_note(vault, |note| {
            let edits = names.iter().filter_map(|name| edit(note, name)).filter(|_| self.is_awake).collect();
            Proposal { changes: vec![Change::Edit { note: note.path.clone(), edits }], ..Proposal::default() }
        })
    }
}

#[test]
fn a_job_that_links_everywhere_or_nowhere_is_noticed_in_every_trial() {
    let trials = trials();
    for is_awake in [true, false] {
        let mut figure = Figure::of("links in protected spans (P22)");
        hold(&mut figure, Box::new(Bad { is_awake }), &trials);
        assert_eq!(figure.n_failures(), trials.len());
        figure.must_have_failed();
    }
}

/// Marks that open something, over and over: a reader that looks for the end of each would never be done.
#[test]
fn forty_thousand_marks_in_a_row_are_read_at_once() {
    let mut figure = Figure::of("forty thousand marks (P22)");
    let [(words, link), _] = BESIDE;
    for mark in
        ["[", "![", "[[", "]", "(", "*", "_", "`", "$", "<", "<!-", "%", "{{", "<%", "#", "> ", "^", "|", "-"]
    {
        let with = |words: &str| format!("So {words} opens.\n\n{} redis\n", mark.repeat(40_000));
        let trial = Trial { says: mark.to_owned(), before: with(words), after: with(link) };
        hold_start(&mut figure, &trial);
    }
    figure.done();
}

/// Only the first line counts: whether a name behind the marks stands free is a matter of the marks.
fn hold_start(figure: &mut Figure, trial: &Trial) {
    let vault = vault(&[Trial { says: String::new(), before: trial.before.clone(), after: String::new() }]);
    let planned = plan(&vault, &[relink()], &accepting(Vec::new()));
    let after = laws::after(&vault, &planned);
    let text = after.note(&NotePath::new(&path(0)).unwrap()).map_or("", |note| &*note.text);
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    figure.trial(if first(text) == first(&trial.after) {
        Ok(())
    } else {
        Err(format!("{}: {}", trial.says, first(text)))
    });
}
