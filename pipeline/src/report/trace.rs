//! One note through the steps of a run: which bytes stay, which go and which come, and by which step.
//! Linear in the note and its steps for each job. A step that does not fit the text makes no trace.

use jobs::{fold::Step, vault::Span};
use std::collections::VecDeque;

/// The text of a note before a run, cut into what its steps keep and change.
#[derive(Debug)]
pub struct Trace<'a> {
    /// The pieces, in order: those that are not put in give the text before, those that are not gone
    /// the text after.
    pub pieces: Vec<Piece<'a>>,
}

/// One piece of a trace. `by` is the place of a step in the list it was traced through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Stands before and after.
    Kept(&'a str),
    /// Stood before only; empty where a step took away what an earlier one had put.
    Gone {
        /// The bytes.
        text: &'a str,
        /// The step that took them away.
        by: usize,
    },
    /// Stands after only.
    Put {
        /// The bytes.
        text: &'a str,
        /// The step that put them there.
        by: usize,
    },
}

impl<'a> Piece<'a> {
    /// What the piece holds of the text after.
    fn after(self) -> &'a str {
        match self {
            Piece::Kept(text) | Piece::Put { text, .. } => text,
            Piece::Gone { .. } => "",
        }
    }

    /// The piece cut in two at byte `at` of [`Piece::after`]; none within a character.
    fn cut(self, at: usize) -> Option<(Self, Self)> {
        let (head, tail) = self.after().split_at_checked(at)?;
        Some(match self {
            Piece::Put { by, .. } => (Piece::Put { text: head, by }, Piece::Put { text: tail, by }),
            Piece::Kept(_) | Piece::Gone { .. } => (Piece::Kept(head), Piece::Kept(tail)),
        })
    }

    /// What is left of the piece once step `by` took it away.
    fn taken(self, by: usize) -> Self {
        match self {
            Piece::Kept(text) => Piece::Gone { text, by },
            Piece::Put { .. } => Piece::Gone { text: "", by },
            Piece::Gone { .. } => self,
        }
    }
}

impl<'a> Trace<'a> {
    /// Takes `old` through `steps`, all of one note and in the order of the plan. None where a step
    /// expects other bytes than it finds.
    pub fn of(old: &'a str, steps: &[&'a Step]) -> Option<Self> {
        let mut desk = Desk { ahead: VecDeque::from([Piece::Kept(old)]), done: Vec::new(), at: 0 };
        for (by, step) in steps.iter().enumerate() {
            if step.span.start < desk.at {
                desk.rewind();
            }
            desk.walk_to(step.span.start)?;
            desk.take(step.span, &step.before, by)?;
            desk.put(&step.after, by);
        }
        desk.rewind();
        Some(Trace { pieces: desk.ahead.into() })
    }

    /// The text after the steps.
    pub fn after(&self) -> String {
        self.pieces.iter().map(|piece| piece.after()).collect()
    }
}

/// A trace while it is made: what lies before and after the place that was reached.
struct Desk<'a> {
    ahead: VecDeque<Piece<'a>>,
    done: Vec<Piece<'a>>,
    /// Bytes of the text after in `done`.
    at: usize,
}

impl<'a> Desk<'a> {
    /// Back to the top, as each job starts there.
    fn rewind(&mut self) {
        self.done.extend(self.ahead.drain(..));
        self.ahead = std::mem::take(&mut self.done).into();
        self.at = 0;
    }

    fn walk_to(&mut self, start: usize) -> Option<()> {
        while self.at < start {
            let piece = self.next(start - self.at)?;
            self.at += piece.after().len();
            self.done.push(piece);
        }
        Some(())
    }

    fn take(&mut self, span: Span, before: &str, by: usize) -> Option<()> {
        let mut expected = before;
        while !expected.is_empty() {
            let piece = self.next(expected.len())?;
            expected = expected.strip_prefix(piece.after())?;
            self.done.push(piece.taken(by));
        }
        (span.len() == before.len()).then_some(())
    }

    fn put(&mut self, text: &'a str, by: usize) {
        self.done.push(Piece::Put { text, by });
        self.at += text.len();
    }

    /// The next piece, cut to at most `most` bytes.
    fn next(&mut self, most: usize) -> Option<Piece<'a>> {
        let piece = self.ahead.pop_front()?;
        if piece.after().len() <= most {
            return Some(piece);
        }
        let (head, tail) = piece.cut(most)?;
        self.ahead.push_front(tail);
        Some(head)
    }
}
