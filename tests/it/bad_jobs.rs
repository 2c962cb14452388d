//! Jobs that are known to be bad, one or more for each law: the harness of the laws is shown to notice them.

use crate::laws::broken;
use chrono::NaiveDate;
use jobs::{
    Change, Edit, Job, Stage, Touches, Why,
    job::{Card, Proposal, per_note},
    vault::{Ledger, Note, NotePath, Span, Vault},
};
use std::sync::Arc;

#[test]
fn laws_that_are_not_held_are_named() {
    let vault = Vault::new(
        vec![note("a.md", "# a\n\n- one [[b]]\n- two\n\n```\nfn main() {}\n```\n"), note("b.md", "plain\n")],
        Ledger::default(),
        NaiveDate::from_ymd_opt(2026, 11, 30).expect("a day"),
    );
    for (law, plan) in BAD {
        let shuffles = if *law == "independent" { 40 } else { 0 };
        let found = broken(&vault, &|| vec![Box::new(Bad(*plan))], shuffles);
        let named: Vec<&str> = found.iter().map(|(law, _)| *law).collect();
        assert!(named.contains(law), "{law} is not among {named:?}");
    }
}

fn note(path: &str, text: &str) -> Arc<Note> {
    Arc::new(Note::of_text(NotePath::new(path).expect("a path"), text))
}

/// A job that is known to be bad.
struct Bad(Plans);

type Plans = fn(&Vault) -> Proposal;

static CARD: Card = Card {
    id: "bad",
    stage: Stage::Trim,
    summary: "",
    touches: Touches::Prose,
    certainty: jobs::Certainty::Sure,
    about: "",
};

impl Job for Bad {
    fn card(&self) -> &'static Card {
        &CARD
    }
    fn plan(&self, vault: &Vault) -> Proposal {
        (self.0)(vault)
    }
}

const BAD: &[(&str, Plans)] = &[
    ("idempotent", |vault| edits(vault, |text| Edit::replace(text, Span::at(text.len()), "more\n", why()))),
    ("keeps lines", |vault| edits(vault, |text| Edit::replace(text, Span::new(0, text.len()), "", why()))),
    ("keeps lines", |vault| edits(vault, |text| swapped(text, "one", "two"))),
    ("keeps links", |vault| edits(vault, |text| swapped(text, "[[b]]", "b"))),
    ("keeps links", |vault| edits(vault, |text| swapped(text, "two", "[[b|too]]"))),
    ("respects spans", |vault| {
        edits(vault, |text| {
            let inside = text.find("main").unwrap_or(0);
            Edit::replace(text, Span::at(inside), "x", why())
        })
    }),
    ("keeps names", |vault| {
        edits(vault, |text| Edit::replace(text, Span::at(0), "---\ntitle: x\n---\n", why()))
    }),
    ("independent", |vault| {
        per_note(vault, |note| {
            let says = format!("{:?}", std::thread::current().id());
            let edit = Edit::replace(&note.text, Span::at(0), says, why());
            Proposal {
                changes: vec![Change::Edit { note: note.path.clone(), edits: vec![edit] }],
                ..Proposal::default()
            }
        })
    }),
    ("sound", |vault| {
        edits(vault, |text| Edit { expect: "other".into(), ..Edit::replace(text, Span::at(0), "x", why()) })
    }),
    ("sound", |vault| per_note(vault, |note| panic!("on {}", note.path))),
    ("true card", |vault| {
        let path = NotePath::new("new.md").expect("a path");
        let change = Change::Create { path, text: "new\n".into(), why: why() };
        let is_there = vault.notes().iter().any(|note| note.path.as_str() == "new.md");
        Proposal { changes: if is_there { vec![] } else { vec![change] }, ..Proposal::default() }
    }),
];

/// The first `old` is `new`; nothing where there is none.
fn swapped(text: &str, old: &str, new: &str) -> Edit {
    let at = text.find(old);
    let span = at.map_or(Span::at(0), |at| Span::new(at, at + old.len()));
    Edit::replace(text, span, at.map_or("", |_| new), why())
}

fn why() -> Why {
    Why::sure("bad/rule", "because")
}

fn edits(vault: &Vault, edit: impl Fn(&str) -> Edit + Sync) -> Proposal {
    per_note(vault, |note| {
        let change = Change::Edit { note: note.path.clone(), edits: vec![edit(&note.text)] };
        Proposal { changes: vec![change], ..Proposal::default() }
    })
}
