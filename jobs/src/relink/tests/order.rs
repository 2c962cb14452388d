//! The order in which notes come does not matter: what is linked in the end depends on what people wrote.

use crate::{
    Certainty, Job, fold,
    relink::{CARD, Mode, Relink, Settings},
    vault::{Ledger, Note, NotePath, Vault},
};
use chrono::NaiveDate;
use config::Config;
use proptest::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

const NAMES: [&str; 6] = ["redis", "kafka", "nginx", "Sprint Planning", "postgres", "ember"];

/// One sentence: some words, linked by a person or not.
fn sentence() -> impl Strategy<Value = String> {
    let word = (0..NAMES.len(), any::<bool>(), 0..4_usize).prop_map(|(name, is_linked, verb)| {
        let verb = ["runs", "waits for", "was moved to", ""][verb];
        let name = NAMES[name];
        if is_linked { format!("[[{name}]] {verb}") } else { format!("{name} {verb}") }
    });
    let words = (proptest::collection::vec(word, 1..5), any::<bool>());
    words.prop_map(|(words, is_dense)| {
        format!("Today {} it.\n", words.join(if is_dense { " " } else { " and " }))
    })
}

fn notes() -> impl Strategy<Value = Vec<(String, String)>> {
    proptest::collection::vec(proptest::collection::vec(sentence(), 1..4), 4..14).prop_map(|notes| {
        let text = |(n, lines): (usize, Vec<String>)| (format!("n{n}.md"), lines.join("\n"));
        notes.into_iter().enumerate().map(text).collect()
    })
}

/// A vault, and how steady its links are.
struct Nights(Vault, f64);

impl Nights {
    fn new(steady: f64) -> Nights {
        let note =
            |name: &&str| Arc::new(Note::of_text(NotePath::new(&format!("{name}.md")).unwrap(), "-\n"));
        let notes = NAMES.iter().map(note).collect();
        Nights(Vault::new(notes, Ledger::default(), NaiveDate::default()), steady)
    }

    fn import(&mut self, notes: &[(String, String)]) {
        let new =
            |(path, text): &(String, String)| Note::of_text(NotePath::new(path).unwrap(), text.as_str());
        self.0 = self.0.with(notes.iter().map(new).collect(), Vec::new());
    }

    fn run(&mut self, mode: Mode) {
        let settings = Settings { steady: self.1, ..Settings::new(&Config::default()) };
        let job = Relink::new(settings).with(mode);
        let proposal = job.plan(&self.0);
        self.0 = fold::fold(&self.0, &CARD, proposal, 1, &|why| {
            why.certainty == Certainty::Sure || why.is_shrink()
        })
        .vault;
    }

    /// Each note with its text.
    fn texts(&self) -> BTreeMap<String, String> {
        self.0.notes().iter().map(|note| (note.path.to_string(), note.text.to_string())).collect()
    }

    /// Each note with the notes that it links.
    fn graph(&self) -> BTreeSet<(String, String)> {
        let mut graph = BTreeSet::new();
        for (path, text) in self.texts() {
            let targets = text.split("[[").skip(1).filter_map(|rest| rest.split(['|', ']']).next());
            graph.extend(targets.map(|target| (path.clone(), target.to_owned())));
        }
        graph
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A then B, B then A, or both at once: the same links in the end, outside of the band in which links stay.
    #[test]
    fn imports_in_any_order_end_the_same(notes in notes(), part in 1..13_usize) {
        let (one, two) = notes.split_at(part.min(notes.len()));
        let ends = [vec![one, two], vec![two, one], vec![&notes[..]]].map(|parts| {
            let mut nights = Nights::new(0.0);
            for part in parts {
                nights.import(part);
                nights.run(Mode::Steady);
            }
            nights.graph()
        });
        prop_assert_eq!(&ends[0], &ends[1]);
        prop_assert_eq!(&ends[0], &ends[2]);
    }

    /// A second night finds nothing to do, in notes and in a memory.
    #[test]
    fn a_second_night_is_empty(notes in notes(), entries in proptest::collection::vec(sentence(), 1..12)) {
        let mut nights = Nights::new(0.05);
        nights.import(&notes);
        let entries: String = entries.iter().map(|entry| format!("- 2026-01-01: {entry}")).collect();
        nights.import(&[("p/memory.md".to_owned(), format!("# p\n\n{entries}"))]);
        nights.run(Mode::Steady);
        let (once, rows) = (nights.texts(), nights.0.ledger.links().count());
        nights.run(Mode::Steady);
        prop_assert_eq!(nights.texts(), once);
        prop_assert_eq!(nights.0.ledger.links().count(), rows);
    }

    /// A run afresh after any history does what a first run would have done.
    #[test]
    fn a_run_afresh_forgets_what_was_made(notes in notes(), part in 1..13_usize) {
        let (mut slow, mut fast) = (Nights::new(0.05), Nights::new(0.05));
        for note in notes.chunks(part) {
            slow.import(note);
            slow.run(Mode::Steady);
        }
        fast.import(&notes);
        slow.run(Mode::Afresh);
        fast.run(Mode::Afresh);
        prop_assert_eq!(slow.texts(), fast.texts());
        let once = slow.texts();
        slow.run(Mode::Afresh);
        prop_assert_eq!(slow.texts(), once);
    }
}
