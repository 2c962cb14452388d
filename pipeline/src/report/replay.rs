//! Applies the changes of a report to the old texts: whoever keeps a JSON report can check, without
//! memkeep, that it tells all that happened. This is that check, written once; the laws use it.

use super::trace::Trace;
use jobs::{
    fold::{Kind, Step},
    vault::{Hash, NotePath},
};
use std::collections::BTreeMap;

/// The vault after `changes`, which are taken in their order; notes that no change names stay as they
/// are. An error says which change does not fit: other bytes than its `before`, or another `base_hash`.
/// Changes of held notes were not made: leave them out ([`super::Report::made`]).
pub fn replay<'a>(
    old: &BTreeMap<NotePath, String>,
    changes: impl IntoIterator<Item = &'a Step>,
) -> Result<BTreeMap<NotePath, String>, String> {
    let mut by_note: BTreeMap<&NotePath, Vec<&Step>> = BTreeMap::new();
    for step in changes {
        by_note.entry(&step.path).or_default().push(step);
    }
    let mut new = old.clone();
    for (path, mut steps) in by_note {
        steps.sort_by_key(|step| step.seq);
        let text = after(path, old.get(path).map(String::as_str), &steps)?;
        match steps.last().map(|step| step.kind) {
            Some(Kind::Remove) => new.remove(path),
            _ => new.insert(path.clone(), text),
        };
    }
    Ok(new)
}

fn after(path: &NotePath, old: Option<&str>, steps: &[&Step]) -> Result<String, String> {
    let base = old.map(|text| Hash::of(text.as_bytes()));
    if let Some(step) = steps.iter().find(|step| step.base_hash != base) {
        return Err(format!("change {} of {path} is for another version of the note", step.seq));
    }
    let trace = Trace::of(old.unwrap_or_default(), steps);
    trace.map(|trace| trace.after()).ok_or_else(|| format!("a change of {path} expects other bytes"))
}
