//! Where moved blocks go: a [`Move`] becomes pieces on both sides. The receiving note has each heading
//! and lead line once, however many runs add below it; blocks arrive whole and verbatim, and what stood
//! there stays where it was. Nothing here decides what moves.

mod add;
mod shelf;
#[cfg(test)]
mod tests;

use crate::{
    change::{Move, Moved, Why},
    fold::{Kind, Piece, piece},
    vault::{NotePath, Span, Vault},
};
use add::{Addition, Part};
use shelf::Shelf;

/// The pieces of a move, on both sides and wherever it needs repairs.
pub(crate) fn pieces(vault: &Vault, wanted: Move) -> Vec<Piece> {
    let from = vault.note(&wanted.from);
    let (text, eol) = from.map_or(("", "\n"), |note| (&*note.text, note.line_end()));
    let mut pieces = match vault.note(&wanted.to) {
        Some(note) => received(&note.text, note.line_end(), text, &wanted),
        None => vec![made(eol, text, &wanted)],
    };
    pieces.extend(wanted.blocks.iter().map(|moved| removal(&wanted.from, text, moved)));
    pieces.extend(wanted.left.into_iter().map(|edit| piece(Kind::Move, &wanted.from, edit)));
    pieces.extend(wanted.repairs.into_iter().map(|(path, edit)| piece(Kind::Move, &path, edit)));
    pieces
}

fn removal(from: &NotePath, text: &str, moved: &Moved) -> Piece {
    let (span, why) = (moved.removal, moved.why.clone());
    let before = span.of(text).to_owned();
    Piece { kind: Kind::Move, path: from.clone(), span, before, after: String::new(), why }
}

/// The receiving note where it must be made: its head, and the blocks below their headings.
fn made(eol: &str, text: &str, wanted: &Move) -> Piece {
    let mut addition = Addition::default();
    for moved in &wanted.blocks {
        addition.branch(&moved.under).parts.push(Part::of(text, moved));
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

/// What the receiving note gains where it stands already.
fn received(old: &str, eol: &str, text: &str, wanted: &Move) -> Vec<Piece> {
    let shelf = Shelf::of(old);
    let mut additions = shelf.additions();
    for moved in &wanted.blocks {
        if !(moved.once && shelf.has(&moved.under, moved.block.of(text))) {
            additions.put(&moved.under, Part::of(text, moved));
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
    additions.insertions(wanted.place.end, eol).into_iter().map(insertion).collect()
}

fn arrival(wanted: &Move, count: usize) -> Why {
    let entries = if count == 1 { "entry" } else { "entries" };
    let sentence = format!("{count} {entries} from `{}`, whole", wanted.from);
    Why { sentence, ..wanted.place.why.clone() }
}
