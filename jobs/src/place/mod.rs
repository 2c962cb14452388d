//! Where moved blocks go: a [`Move`] becomes pieces on both sides. The receiving note has each heading
//! and lead line once, however many runs add below it; blocks arrive whole and verbatim, and what stood
//! there stays where it was. Nothing here decides what moves.

mod add;
mod shelf;
#[cfg(test)]
mod tests;

use crate::{
    change::{Edit, Move, Why},
    fold::{Kind, Piece, piece},
    vault::{NotePath, Span, Vault},
};
use add::{Addition, Part};
use shelf::Shelf;
use std::collections::HashMap;

/// The detail of a step that takes lines away which stand in another note already.
pub const STANDS_IN: &str = "stands in";

/// The pieces of a move, on both sides and wherever it needs repairs.
pub(crate) fn pieces(vault: &Vault, wanted: Move) -> Vec<Piece> {
    let from = vault.note(&wanted.from);
    let (text, eol) = from.map_or(("", "\n"), |note| (&*note.text, note.line_end()));
    let (mut pieces, known) = match vault.note(&wanted.to) {
        Some(note) => received(&note.text, note.line_end(), text, &wanted),
        None => (vec![made(eol, text, &wanted)], HashMap::new()),
    };
    for (n, moved) in wanted.blocks.into_iter().enumerate() {
        let (span, mut why) = (moved.removal, stands_in(&wanted.to, known.contains_key(&n), moved.why));
        if known.get(&n) == Some(&Known::Whole) {
            let name = wanted.to.name();
            why.sentence.push_str(&format!("; it stands in `{name}` already and is not archived again"));
        }
        let before = span.of(text).to_owned();
        pieces.push(Piece {
            kind: Kind::Move,
            path: wanted.from.clone(),
            span,
            before,
            after: String::new(),
            why,
        });
    }
    for edit in wanted.left {
        let why = stands_in(&wanted.to, edit.put.is_empty(), edit.why);
        pieces.push(piece(Kind::Move, &wanted.from, Edit { why, ..edit }));
    }
    pieces.extend(wanted.repairs.into_iter().map(|(path, edit)| piece(Kind::Move, &path, edit)));
    pieces
}

/// What of a block stands in the receiving note already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Whole,
    Heading,
}

/// The reason of a removal, which says where its lines stand, if they stand there already.
fn stands_in(to: &NotePath, is_known: bool, why: Why) -> Why {
    if is_known { why.with(STANDS_IN, to) } else { why }
}

/// The receiving note where it must be made: its head, and the blocks below their headings.
fn made(eol: &str, text: &str, wanted: &Move) -> Piece {
    let mut addition = Addition::default();
    for moved in &wanted.blocks {
        addition.branch(&moved.under).push(Part::of(text, moved));
    }
    let mut after = wanted.place.head.trim_end().to_owned();
    after.push_str(eol);
    let body = addition.render(eol);
    if !body.is_empty() {
        after.push_str(eol);
        after.push_str(&body);
    }
    let (path, why) = (wanted.to.clone(), wanted.place.why.clone());
    Piece { kind: Kind::Create, path, span: Span::at(0), before: String::new(), after, why }
}

/// What the receiving note gains where it stands already, and the blocks of which it has all lines, or
/// the heading, already.
fn received(old: &str, eol: &str, text: &str, wanted: &Move) -> (Vec<Piece>, HashMap<usize, Known>) {
    let shelf = Shelf::of(old);
    let (mut additions, mut known) = (shelf.additions(), HashMap::new());
    for (n, moved) in wanted.blocks.iter().enumerate() {
        let is_there = moved.once && shelf.has(&moved.under, moved.block.of(text));
        if is_there {
            known.insert(n, Known::Whole);
        } else if additions.put(&moved.under, Part::of(text, moved)) {
            known.insert(n, Known::Heading);
        }
    }
    let insertion = |(at, after, count)| Piece {
        kind: Kind::Move,
        path: wanted.to.clone(),
        span: Span::at(at),
        before: String::new(),
        after,
        why: arrival(wanted, count),
    };
    (additions.insertions(wanted.place.end, eol).into_iter().map(insertion).collect(), known)
}

fn arrival(wanted: &Move, count: usize) -> Why {
    let entries = if count == 1 { "entry" } else { "entries" };
    let sentence = format!("{count} {entries} from `{}`, whole", wanted.from);
    Why { sentence, ..wanted.place.why.clone() }
}
