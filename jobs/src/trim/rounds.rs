//! Trims a memory until it fits or nothing more may move. What is left of a section can itself be an entry once its
//! items are gone, so the memory is read again after each round; all rounds together are one cut of the
//! memory as it is, and the next run finds nothing more to do.

use super::archive;
use super::choose::{Choice, choose};
use super::cut::{Applied, Cut, Leaver, cut};
use super::say;
use super::sheet::Sheet;
use super::{CARD, OLDEST, POINTER};
use crate::{
    change::{Edit, Move, Moved, Place, Why},
    finding::Finding,
    vault::{
        Access, Note, NotePath, Row, Span, Vault, entry::Crumb, frontmatter::Frontmatter, markdown::Markdown,
    },
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rounds after which a memory is as short as it gets; two are common, three rare.
const MAX_ROUNDS: usize = 16;

/// What a trim of one memory comes to.
#[derive(Default)]
pub(super) struct Outcome {
    pub moves: Vec<Move>,
    pub findings: Vec<Finding>,
    /// First-seen rows of what became an entry.
    pub unseen: Vec<Row>,
}

/// Trims `sheet`, which is over its budget.
pub(super) fn trim(sheet: &Sheet<'_>, vault: &Vault) -> Outcome {
    if vault.ledger.is_note_refused(CARD.id, &sheet.note.path, sheet.note.hash) {
        return Outcome { findings: vec![say::undone(sheet)], ..Outcome::default() };
    }
    let first = choose(sheet);
    let mut outcome = Outcome { findings: say::future(sheet, &first), ..Outcome::default() };
    if first.leaving.is_empty() {
        outcome.findings.push(say::stuck(sheet, &first));
        return outcome;
    }
    let direction = first.direction;
    let mut leavers = leavers(sheet, sheet, &first, |span| span);
    for _ in 0..MAX_ROUNDS {
        let done = cut(sheet, &leavers);
        let applied = done.applied(sheet);
        let note = Note::of_text(sheet.note.path.clone(), applied.text.clone());
        let rest = sheet.rest(vault, &note, &leavers);
        let next = choose(&rest);
        if rest.is_over() && !next.leaving.is_empty() {
            leavers = joined(leavers, more(sheet, &rest, &next, &applied));
            continue;
        }
        if !done.is_clean(sheet) {
            outcome.findings.push(say::unsafe_cut(sheet));
            return outcome;
        }
        if let Some(finding) = closed(sheet, vault, &leavers) {
            outcome.findings.push(finding);
            return outcome;
        }
        outcome.unseen = rest.unseen(vault);
        outcome.findings.extend(say::still_over(&rest, &next, leavers.len()));
        let place = |to: &NotePath| archive::place(sheet, vault, to, direction);
        outcome.moves = moves(sheet, &done, &leavers, place);
        lead_onward(sheet, vault, &mut outcome.moves);
        break;
    }
    outcome
}

/// A finding where an archive that takes any of them must not be written.
fn closed(sheet: &Sheet<'_>, vault: &Vault, leavers: &[Leaver]) -> Option<Finding> {
    let archives: BTreeSet<&NotePath> = leavers.iter().map(|leaver| &leaver.to).collect();
    archives.into_iter().find_map(|archive| {
        let note = vault.note(archive)?;
        match note.access {
            Access::ReadOnly(reason) => Some(say::closed(sheet, archive, reason)),
            _ => is_open_ended(&note.text).then(|| say::open_ended(sheet, archive)),
        }
    })
}

/// True where a line at the end of a text would be a part of code, math or a comment that never ends.
fn is_open_ended(text: &str) -> bool {
    let longer = format!("{text}\n\nx\n");
    let last = Span::new(longer.len() - 2, longer.len() - 1);
    Markdown::parse(&longer, Frontmatter::body_of(&longer)).is_protected(last)
}

/// The archives of years are found from the first one.
fn lead_onward(sheet: &Sheet<'_>, vault: &Vault, moves: &mut [Move]) {
    let archives: Vec<NotePath> = moves.iter().map(|wanted| wanted.to.clone()).collect();
    let is_of_year = archives.iter().any(|archive| *archive != sheet.archives.first);
    if let Some(first) = moves.first_mut().filter(|_| is_of_year) {
        first.repairs.extend(archive::onward(sheet, vault, &archives));
    }
}

/// The chosen entries of `rest`, by place, as blocks of the memory.
fn leavers(
    sheet: &Sheet<'_>,
    rest: &Sheet<'_>,
    choice: &Choice,
    origin: impl Fn(Span) -> Span,
) -> Vec<Leaver> {
    let of = |at: &usize| {
        let entry = &rest.entries()[*at];
        let crumb = |crumb: &Crumb| Crumb { span: origin(crumb.span), kind: crumb.kind };
        Leaver {
            block: origin(entry.span),
            path: entry.path.iter().map(crumb).collect(),
            date: entry.date,
            to: rest.archives.target(rest, *at),
            why: say::why(sheet, rest, choice, *at),
        }
    };
    choice.leaving.iter().map(of).collect()
}

fn more(sheet: &Sheet<'_>, rest: &Sheet<'_>, choice: &Choice, applied: &Applied) -> Vec<Leaver> {
    leavers(sheet, rest, choice, |span| applied.origin(span))
}

/// All of them by place. A block takes in those that stood inside it, and those that stood under a line of it: they were
/// its last ones, so that it ends before them now.
fn joined(known: Vec<Leaver>, mut more: Vec<Leaver>) -> Vec<Leaver> {
    let mut apart = Vec::with_capacity(known.len());
    for old in known {
        let lines = old.path.iter().map(|crumb| crumb.span);
        let home = [old.block].into_iter().chain(lines).find_map(|span| {
            let after = more.partition_point(|new| new.block.start <= span.start);
            after.checked_sub(1).filter(|at| more[*at].block.holds(span))
        });
        match home {
            Some(at) => more[at].block.end = more[at].block.end.max(old.block.end),
            None => apart.push(old),
        }
    }
    apart.extend(more);
    apart.sort_by_key(|leaver| leaver.block);
    apart
}

/// The moves of a cut, one for each archive.
fn moves(sheet: &Sheet<'_>, cut: &Cut, leavers: &[Leaver], place: impl Fn(&NotePath) -> Place) -> Vec<Move> {
    let mut moves: BTreeMap<&NotePath, Move> = BTreeMap::new();
    let removal: HashMap<Span, Span> = cut.removals.iter().copied().collect();
    let taken = |block: Span| removal.get(&block).copied().unwrap_or(block);
    for leaver in leavers {
        let line = |crumb: &Crumb| crumb.span.of(sheet.text).trim_end().to_owned();
        let empty = || empty(sheet, &leaver.to, place(&leaver.to));
        moves.entry(&leaver.to).or_insert_with(empty).blocks.push(Moved {
            block: leaver.block,
            removal: taken(leaver.block),
            under: leaver.path.iter().map(line).collect(),
            once: leaver.date.is_some(),
            why: leaver.why.clone(),
        });
    }
    for (crumb, to) in &cut.crumbs {
        let why = Why::sure(OLDEST, format!("its last entry moved to `{}`", to.name()));
        let edit = Edit::replace(sheet.text, taken(*crumb), "", why);
        moves.entry(to).and_modify(|wanted| wanted.left.push(edit));
    }
    let mut moves: Vec<Move> = moves.into_values().collect();
    if let Some(first) = moves.first_mut() {
        first.left.extend(added(sheet, cut, &sheet.archives.first));
    }
    moves
}

fn empty(sheet: &Sheet<'_>, to: &NotePath, place: Place) -> Move {
    let (blocks, left, repairs) = (Vec::new(), Vec::new(), Vec::new());
    Move { from: sheet.note.path.clone(), blocks, left, to: to.clone(), place, repairs }
}

/// What is put into the memory: the pointer, and blank lines where blocks would run together.
fn added(sheet: &Sheet<'_>, cut: &Cut, archive: &NotePath) -> Vec<Edit> {
    let blank = |at: &usize| {
        let why = Why::sure(OLDEST, "a blank line keeps apart what stood around the entries that moved");
        Edit::replace(sheet.text, Span::at(*at), sheet.note.line_end(), why)
    };
    let pointer = cut.pointer.iter().map(|(at, text)| {
        let why = Why::sure(POINTER, format!("the older entries stand in `{}` from now on", archive.name()));
        Edit::replace(sheet.text, Span::at(*at), text.clone(), why)
    });
    cut.blanks.iter().map(blank).chain(pointer).collect()
}

/// The blocks that `leaving` entries of a memory are, for a first look at what is left.
pub(super) fn blocks(sheet: &Sheet<'_>, leaving: &[usize]) -> Vec<Leaver> {
    let mut leaving = leaving.to_vec();
    leaving.sort_unstable();
    let of = |at: usize| {
        let entry = &sheet.entries()[at];
        let (path, to) = (entry.path.clone(), sheet.archives.target(sheet, at));
        Leaver { block: entry.span, path, date: entry.date, to, why: Why::sure(OLDEST, "") }
    };
    leaving.into_iter().map(of).collect()
}
