//! Applies what a job wants to a vault in memory: resolves each change into pieces, refuses what
//! cannot or must not be done, and gives the next vault with one [`Step`] for each piece. Pure; a
//! change that cannot be folded is a finding, and all of it is left out.

use crate::{
    change::{Certainty, Change, Edit, Why},
    finding::{Finding, Severity},
    job::{Card, Proposal},
    place,
    vault::{Access, Hash, Memo, Note, NotePath, Span, Vault, ledger::piece_key, line},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One resolved piece of a change: what the plan lists, the preview prints and a replay applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its place in the plan, from 1.
    pub seq: usize,
    /// The change it is a piece of; the pieces of one change happen together or not at all.
    pub change: usize,
    /// The job that asks for it.
    pub job: String,
    /// What kind of change it is a piece of.
    pub kind: Kind,
    /// The note.
    pub path: NotePath,
    /// The line, from 1, in the note as the job saw it.
    pub line: usize,
    /// The bytes it replaces, in the note as the earlier steps left it.
    pub span: Span,
    /// The hash of the note on disk before the run; none where the step makes the note.
    pub base_hash: Option<Hash>,
    /// Why.
    #[serde(flatten)]
    pub why: Why,
    /// What stood there.
    pub before: String,
    /// What is put there.
    pub after: String,
}

/// The kind of change a step is a piece of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Spans of one note.
    Edit,
    /// A new note.
    Create,
    /// One side of a move.
    Move,
    /// A note as it was before a run that is undone.
    Restore,
    /// A note that a run made, taken away again: only undo does this.
    Remove,
}

/// What came of folding a proposal.
pub struct Folded {
    /// The vault with the accepted changes in it.
    pub vault: Vault,
    /// The accepted changes, by note and then by place.
    pub steps: Vec<Step>,
    /// Changes that wait for a person's word, in whole lines; their spans refer to the vault as the job saw it.
    pub offered: Vec<Step>,
    /// What could not be done, and why.
    pub findings: Vec<Finding>,
    /// What memkeep remembers.
    pub remember: Vec<Remembered>,
}

/// Something that memkeep remembers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// It is true only if this note changes as planned.
    pub with: Option<NotePath>,
    /// What.
    pub memo: Memo,
}

/// A resolved piece, before its place in the plan is known.
pub(crate) struct Piece {
    pub kind: Kind,
    pub path: NotePath,
    pub span: Span,
    pub before: String,
    pub after: String,
    pub why: Why,
}

/// Folds what the job of `card` wants into `vault`. `first_change` numbers its first change.
pub fn fold(
    vault: &Vault,
    card: &Card,
    proposal: Proposal,
    first_change: usize,
    accepts: &dyn Fn(&Why) -> bool,
) -> Folded {
    let mut desk = Desk { findings: proposal.findings, ..Desk::new(vault, card.id) };
    let mut offered = Vec::new();
    let alone = |memo: &Memo| Remembered { with: None, memo: memo.clone() };
    let mut remember: Vec<Remembered> = proposal.remember.iter().map(alone).collect();
    for (number, change) in proposal.changes.into_iter().enumerate() {
        let (change, noted) = parted(change);
        match desk.resolve(change) {
            Ok(pieces) if pieces.iter().all(|piece| accepts(&piece.why)) => {
                desk.take(first_change + number, pieces);
                remember.extend(noted);
            }
            Ok(pieces) => offered.extend(desk.steps_of(first_change + number, pieces)),
            Err(finding) => desk.findings.push(*finding),
        }
    }
    let (notes, steps) = desk.apply();
    let memos = remember.iter().map(|one| one.memo.clone()).collect();
    Folded { vault: vault.with(notes, memos), steps, offered, findings: desk.findings, remember }
}

/// A change without what is remembered of it, and that.
fn parted(change: Change) -> (Change, Vec<Remembered>) {
    let Change::Noted { note, edits, memos } = change else { return (change, Vec::new()) };
    let with = |memo| Remembered { with: Some(note.clone()), memo };
    let noted = memos.into_iter().map(with).collect();
    (Change::Edit { note, edits }, noted)
}

/// The accepted pieces of one note with the number of their change, by place and then in order.
type Pieces = BTreeMap<(Span, usize), (usize, Piece)>;

/// The work table of one fold.
struct Desk<'a> {
    vault: &'a Vault,
    job: &'static str,
    pieces: BTreeMap<NotePath, Pieces>,
    taken: usize,
    findings: Vec<Finding>,
}

type Resolved = Result<Vec<Piece>, Box<Finding>>;

impl<'a> Desk<'a> {
    fn new(vault: &'a Vault, job: &'static str) -> Self {
        Desk { vault, job, pieces: BTreeMap::new(), taken: 0, findings: Vec::new() }
    }

    /// The pieces of a change, or why it cannot be made.
    fn resolve(&self, change: Change) -> Resolved {
        let pieces = match change {
            Change::Edit { note, edits } | Change::Noted { note, edits, .. } => {
                edits.into_iter().map(|edit| piece(Kind::Edit, &note, edit)).collect()
            }
            Change::Create { path, text, why } => vec![Piece {
                kind: Kind::Create,
                path,
                span: Span::at(0),
                before: String::new(),
                after: text,
                why,
            }],
            Change::Move(wanted) => place::pieces(self.vault, wanted),
        };
        pieces.iter().try_for_each(|piece| self.check(piece))?;
        self.refuse_undone(&pieces)?;
        self.refuse_overlaps(&pieces)?;
        Ok(pieces)
    }

    /// The piece fits the note it is for, and memkeep may write there.
    fn check(&self, piece: &Piece) -> Result<(), Box<Finding>> {
        let path = &piece.path;
        let Some(note) = self.vault.note(path) else { return self.check_new(piece) };
        match note.access {
            Access::Open if piece.kind == Kind::Create => Err(self.internal(path, "the note exists already")),
            Access::Open if piece.span.of(&note.text) != piece.before || piece.span.end > note.text.len() => {
                Err(self.internal(path, "a change expects other bytes than the note holds"))
            }
            Access::Open => Ok(()),
            Access::Waiting => {
                Err(self.finding(path, Severity::Note, "wait", "waits: someone wrote it just now"))
            }
            Access::ReadOnly(reason) => {
                let message = format!("not changed by {}, {reason}: {}", self.job, piece.why.sentence);
                let severity = match piece.why.certainty {
                    Certainty::Sure => Severity::Warning,
                    Certainty::Likely => Severity::Note,
                };
                let finding = self.finding(path, severity, "read-only", &message);
                Err(Box::new(finding.at(note.line_of(piece.span.start))))
            }
        }
    }

    fn check_new(&self, piece: &Piece) -> Result<(), Box<Finding>> {
        let path = &piece.path;
        if !piece.before.is_empty() || !piece.span.is_empty() {
            return Err(self.internal(path, "a change of a note that does not exist"));
        }
        match self.vault.twins(path).first() {
            Some(twin) => {
                let message = format!("not made: `{twin}` has the same name on some file systems");
                Err(self.finding(path, Severity::Warning, "twin", &message))
            }
            None => Ok(()),
        }
    }

    /// A change that a person undid is not made again: one of which every piece that takes bytes away was
    /// undone, or every piece where none takes any. An edit is known by its bytes, wherever in its note they
    /// stand; a move only while the notes are as the undo left them, since a memory must not outgrow what an
    /// agent loads.
    fn refuse_undone(&self, pieces: &[Piece]) -> Result<(), Box<Finding>> {
        if !self.vault.ledger.has_refusals() {
            return Ok(());
        }
        let takes = pieces.iter().any(|piece| !piece.before.is_empty());
        let mut deciding = pieces.iter().filter(|piece| !takes || !piece.before.is_empty());
        let was_undone = |piece: &Piece| {
            let key = piece_key(&piece.before, &piece.after);
            if piece.kind == Kind::Edit {
                return self.vault.ledger.is_piece_refused(self.job, &piece.path, &key);
            }
            let state = self.vault.note(&piece.path).and_then(|note| note.hash);
            self.vault.ledger.is_refused(self.job, &piece.path, state, &key)
        };
        let Some(piece) = pieces.first().filter(|_| deciding.all(was_undone)) else { return Ok(()) };
        let message = format!("not done again, since it was undone: {}", piece.why.sentence);
        let mut finding = self.finding(&piece.path, Severity::Note, "refused", &message);
        let of = if piece.kind == Kind::Edit { "the" } else { "the note or the" };
        finding.hint = format!("It will be once {of} settings of `{}` change.", self.job);
        Err(finding)
    }

    /// Two changes of the same bytes cannot both be made: the job is at fault, the first one stays.
    fn refuse_overlaps(&self, pieces: &[Piece]) -> Result<(), Box<Finding>> {
        let mut own: BTreeMap<&NotePath, BTreeSet<Span>> = BTreeMap::new();
        for piece in pieces {
            let spans = own.entry(&piece.path).or_default();
            if meets_any(spans, piece.span) || self.meets_taken(piece) {
                return Err(self.internal(&piece.path, "two changes of the same bytes"));
            }
            spans.insert(piece.span);
        }
        Ok(())
    }

    /// Accepted spans of a note never meet, so only the last one that starts before the piece ends can.
    fn meets_taken(&self, piece: &Piece) -> bool {
        let Some(taken) = self.pieces.get(&piece.path) else { return false };
        let new_twice = piece.kind == Kind::Create || self.vault.note(&piece.path).is_none();
        let before_end = (Span::at(piece.span.end), 0);
        let last = taken.range(..before_end).next_back();
        new_twice || last.is_some_and(|((span, _), _)| span.meets(piece.span))
    }

    fn take(&mut self, change: usize, pieces: Vec<Piece>) {
        for piece in pieces {
            self.taken += 1;
            let key = (piece.span, self.taken);
            self.pieces.entry(piece.path.clone()).or_default().insert(key, (change, piece));
        }
    }

    /// The notes after the accepted pieces, and a step for each piece.
    fn apply(&mut self) -> (Vec<Note>, Vec<Step>) {
        let (mut notes, mut steps) = (Vec::new(), Vec::new());
        for (path, pieces) in std::mem::take(&mut self.pieces) {
            let old = self.vault.note(&path).map_or("", |note| &note.text);
            let (mut text, mut done) = (String::with_capacity(old.len()), 0);
            let lines = Lines::of(old);
            for ((span, _), (change, piece)) in pieces {
                text.push_str(Span::new(done, span.start).of(old));
                let placed = Span::new(text.len(), text.len() + span.len());
                text.push_str(&piece.after);
                steps.push(self.step(change, piece, placed, lines.line_of(span.start)));
                done = span.end;
            }
            text.push_str(Span::new(done, old.len()).of(old));
            notes.push(Note::of_text(path, text));
        }
        (notes, steps)
    }

    /// What is offered is shown without the rest of its note: so a step holds whole lines, and the pieces
    /// of one line are one.
    fn steps_of(&self, change: usize, mut pieces: Vec<Piece>) -> Vec<Step> {
        pieces.sort_by(|a, b| (&a.path, a.span).cmp(&(&b.path, b.span)));
        let mut groups: Vec<(Span, Vec<Piece>)> = Vec::new();
        for piece in pieces {
            let lines = self.lines_of(&piece);
            match groups.last_mut().filter(|(span, own)| own[0].path == piece.path && span.meets(lines)) {
                Some((span, own)) => {
                    span.end = span.end.max(lines.end);
                    own.push(piece);
                }
                None => groups.push((lines, vec![piece])),
            }
        }
        groups.into_iter().filter_map(|(span, own)| self.joined(change, span, own)).collect()
    }

    /// The whole lines that a piece changes a part of; its own span where it puts or takes whole lines.
    fn lines_of(&self, piece: &Piece) -> Span {
        let Some(note) = self.vault.note(&piece.path) else { return piece.span };
        let is_lines = |text: &str| text.is_empty() || text.ends_with(['\n', '\r']);
        let start = line::start(&note.text, piece.span.start);
        if start == piece.span.start && is_lines(&piece.before) && is_lines(&piece.after) {
            return piece.span;
        }
        let last = if piece.span.is_empty() { piece.span.end } else { piece.span.end - 1 };
        Span::new(start, line::end(&note.text, last))
    }

    /// Pieces of the lines `span` as one step.
    fn joined(&self, change: usize, span: Span, pieces: Vec<Piece>) -> Option<Step> {
        let text = self.vault.note(&pieces.first()?.path).map_or("", |note| &note.text);
        let (mut after, mut done) = (String::new(), span.start);
        for piece in &pieces {
            after.push_str(Span::new(done, piece.span.start).of(text));
            after.push_str(&piece.after);
            done = piece.span.end;
        }
        after.push_str(Span::new(done, span.end).of(text));
        let line = self.vault.note(&pieces[0].path).map_or(1, |note| note.line_of(span.start));
        let mut sentences: Vec<String> = pieces.iter().map(|piece| piece.why.sentence.clone()).collect();
        sentences.dedup();
        let first = pieces.into_iter().next()?;
        let why = Why { sentence: sentences.join("; "), certainty: Certainty::Likely, ..first.why };
        let before = span.of(text).to_owned();
        Some(self.step(change, Piece { span, before, after, why, ..first }, span, line))
    }

    /// `seq` and `base_hash` are the plan's to give.
    fn step(&self, change: usize, piece: Piece, span: Span, line: usize) -> Step {
        let Piece { kind, path, before, after, why, .. } = piece;
        let job = self.job.to_owned();
        Step { seq: 0, change, job, kind, path, line, span, base_hash: None, why, before, after }
    }

    fn finding(&self, path: &NotePath, severity: Severity, rule: &str, message: &str) -> Box<Finding> {
        Box::new(Finding::about(path, severity, &format!("{}/{rule}", self.job), message))
    }

    fn internal(&self, path: &NotePath, message: &str) -> Box<Finding> {
        let message = format!("left out a change by {}: {message}", self.job);
        let finding = Finding::about(path, Severity::Error, INTERNAL, message);
        Box::new(finding.hint("This is a defect of memkeep; nothing was lost. Please report it."))
    }
}

/// The rule under which a change that does not fit the vault is reported.
pub const INTERNAL: &str = "internal/change";

/// True where one of `spans`, none of which meet each other, meets `span`.
fn meets_any(spans: &BTreeSet<Span>, span: Span) -> bool {
    spans.range(..Span::at(span.end)).next_back().is_some_and(|last| last.meets(span))
}

/// An edit as a piece.
pub(crate) fn piece(kind: Kind, path: &NotePath, edit: Edit) -> Piece {
    let Edit { span, expect, put, why } = edit;
    Piece { kind, path: path.clone(), span, before: expect, after: put, why }
}

/// Where the lines of a text start, to name lines in logarithmic time.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Lines(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect())
    }

    /// The line, from 1, of a byte.
    fn line_of(&self, offset: usize) -> usize {
        1 + self.0.partition_point(|end| *end < offset)
    }
}
