//! What a job may want: the closed set of changes, each with its reason. There is no delete, and a
//! change without a [`Why`] cannot be built. Nothing here touches a note: [`crate::fold`] applies
//! changes to a vault in memory, and only the commit makes them true on disk.

use crate::vault::{Memo, NotePath, Span};
use serde::{Deserialize, Serialize};

/// How sure a job is of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// A schedule may apply it.
    Sure,
    /// It is shown, and applied where a person accepts it.
    Likely,
}

/// Why a change is made: what the report prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// The rule that asks for it, `<job>/<rule>`.
    pub rule: String,
    /// One sentence for a reader who knows the note, without a final dot.
    #[serde(rename = "why")]
    pub sentence: String,
    /// How sure the rule is.
    pub certainty: Certainty,
    /// What else a reader needs to judge it, as name and value: the age of an entry, a budget, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub detail: Vec<(String, String)>,
}

impl Why {
    /// A reason that a schedule may act on.
    pub fn sure(rule: &str, sentence: impl Into<String>) -> Self {
        let (rule, sentence) = (rule.to_owned(), sentence.into());
        Why { rule, sentence, certainty: Certainty::Sure, detail: Vec::new() }
    }

    /// A reason that waits for a person's word.
    pub fn likely(rule: &str, sentence: impl Into<String>) -> Self {
        Why { certainty: Certainty::Likely, ..Why::sure(rule, sentence) }
    }

    /// True for one of many losses at once, as if part of the vault were missing: it is accepted as `shrink`, never as
    /// merely likely.
    pub fn is_shrink(&self) -> bool {
        self.rule.ends_with("/shrink")
    }

    /// The same, with one more detail.
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.detail.push((name.to_owned(), value.to_string()));
        self
    }
}

/// Replaces one span of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Where, in the note as the job saw it.
    pub span: Span,
    /// The bytes that must stand there.
    pub expect: String,
    /// The bytes to put there instead.
    pub put: String,
    /// Why.
    pub why: Why,
}

impl Edit {
    /// An edit of `span` in `text`, expecting what stands there.
    pub fn replace(text: &str, span: Span, put: impl Into<String>, why: Why) -> Self {
        Edit { span, expect: span.of(text).to_owned(), put: put.into(), why }
    }
}

/// One thing a job wants. All of it happens, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Replace spans of one note.
    Edit {
        /// The note.
        note: NotePath,
        /// What to replace; the spans do not meet.
        edits: Vec<Edit>,
    },
    /// The same, with what memkeep remembers if it is made.
    Noted {
        /// The note.
        note: NotePath,
        /// What to replace; the spans do not meet.
        edits: Vec<Edit>,
        /// What memkeep remembers of it.
        memos: Vec<Memo>,
    },
    /// Make a note that does not exist.
    Create {
        /// Where.
        path: NotePath,
        /// Its whole text.
        text: String,
        /// Why.
        why: Why,
    },
    /// Move blocks to another note, which is made where it does not exist. Both halves, or neither.
    Move(Move),
}

/// Blocks that leave one note for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The note they leave.
    pub from: NotePath,
    /// What leaves, in the order of the note.
    pub blocks: Vec<Moved>,
    /// Other edits in the note they leave: lines that go with the last block below them, and what is
    /// left in their place (a pointer line).
    pub left: Vec<Edit>,
    /// The note they go to.
    pub to: NotePath,
    /// How they are placed there.
    pub place: Place,
    /// Edits in any other note that follow from the move, such as links.
    pub repairs: Vec<(NotePath, Edit)>,
}

/// One block that moves, whole and verbatim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its whole lines.
    pub block: Span,
    /// What is taken out: the block, and the blank lines that would be left over.
    pub removal: Span,
    /// The heading and lead lines it stands under, outermost first, each as its own line(s) without
    /// the line end; the receiving note has each of them once.
    pub under: Vec<String>,
    /// True where an equal block under the same lines of the receiving note means that this one is
    /// there already: a dated one, after a sync between machines or a crash.
    pub once: bool,
    /// Why.
    pub why: Why,
}

/// How a receiving note is made, and where in it blocks go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first lines of the note where it must be made: its title and the pointer back.
    pub head: String,
    /// At which end of their section blocks go.
    pub end: End,
    /// Why the note is made, where it must be.
    pub why: Why,
}

/// An end of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Below its heading: a note whose newest entries stand first.
    Top,
    /// After all it holds.
    Bottom,
}
