//! The wishes of all rules for one note become its changes: one for each key, so that what one of them
//! asks for happens together or not at all, and a doubtful key holds no other up.

use super::{
    doubles, fields,
    kinds::Ground,
    missing,
    sheet::{Sheet, Wish},
    spelling,
};
use crate::{
    change::{Certainty, Change, Edit, Why},
    finding::{Finding, Severity},
    job::Proposal,
    vault::frontmatter::{Operation, Refusal},
};
use std::collections::BTreeSet;

pub(super) const REFUSED: &str = "normalise/left";

/// All that the rules want of a note.
pub(super) fn proposal(sheet: &Sheet<'_>) -> Proposal {
    let mut proposal = Proposal::default();
    for mut wish in wishes(sheet) {
        proposal.findings.extend(sheet.kinds.wanted(wish.findings));
        if wish.operations.is_empty() {
            continue;
        }
        tell_together(&mut wish.operations);
        match edits(sheet, &wish.operations) {
            Ok(edits) => proposal.changes.push(Change::Edit { note: sheet.note.path.clone(), edits }),
            Err(Refusal(reason)) => proposal.findings.push(left(sheet, &wish.operations, &reason)),
        }
    }
    proposal
}

/// Doubles, then the keys in the order of the block, then what is missing in the order of the kind.
fn wishes(sheet: &Sheet<'_>) -> Vec<Wish> {
    let mut wishes = doubles::wishes(sheet);
    let lacking = sheet.kind.fields.iter().filter(|field| !sheet.has(&field.set.name));
    let of_keys = sheet.seats.iter().map(|seat| fields::wish(sheet, seat));
    let of_doubtful = sheet.doubtful.iter().map(|doubt| spelling::told(sheet, doubt));
    let of_fields = lacking.map(|field| missing::wish(sheet, field));
    let of_kind = of_keys.chain(of_doubtful).chain(of_fields).filter(|wish| !wish.is_empty());
    wishes.extend(of_kind.map(|wish| as_sure_as(sheet.ground, wish)));
    wishes
}

/// Of a note that is of its kind only by what it holds nothing is sure, and what it says is no fault.
fn as_sure_as(ground: Ground, mut wish: Wish) -> Wish {
    if ground == Ground::Holds {
        wish.operations.iter_mut().for_each(|(_, why)| why.certainty = Certainty::Likely);
        wish.findings.iter_mut().for_each(|finding| finding.severity = Severity::Note);
    }
    wish
}

/// What waits for more than one rule is told so: to accept one of them is not enough.
fn tell_together(wanted: &mut [(Operation, Why)]) {
    let likely = wanted.iter().map(|(_, why)| why).filter(|why| why.certainty == Certainty::Likely);
    let rules: BTreeSet<String> = likely.map(|why| why.rule.clone()).collect();
    if rules.len() > 1 {
        for (_, why) in wanted {
            let others = rules.iter().filter(|rule| **rule != why.rule);
            let others: Vec<&str> = others.map(String::as_str).collect();
            *why = why.clone().with("only with", others.join(", "));
        }
    }
}

fn edits(sheet: &Sheet<'_>, wanted: &[(Operation, Why)]) -> Result<Vec<Edit>, Refusal> {
    let operations: Vec<Operation> = wanted.iter().map(|(operation, _)| operation.clone()).collect();
    let patches = sheet.block.edit(sheet.text(), &operations)?;
    let with_why = patches.into_iter().zip(wanted).flat_map(|(patches, (_, why))| {
        patches.into_iter().map(|patch| Edit::replace(sheet.text(), patch.span, patch.put, why.clone()))
    });
    Ok(with_why.collect())
}

/// The editor does not trust itself with these bytes: said, not done.
fn left(sheet: &Sheet<'_>, wanted: &[(Operation, Why)], reason: &str) -> Finding {
    let because: Vec<&str> = wanted.iter().map(|(_, why)| why.sentence.as_str()).collect();
    let message = format!("left as it is, since {reason}: {}", because.join("; "));
    let key = wanted.iter().find_map(|(operation, _)| sheet.block.keys.get(operation.key()?));
    let at = key.map_or(sheet.block.span.start, |key| key.span.start);
    Finding::about(&sheet.note.path, Severity::Note, REFUSED, message).at(sheet.note.line_of(at))
}
