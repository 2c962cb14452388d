//! What the job says beside its changes: why a link goes, which names it passes over.

use super::{
    AMBIGUOUS, CARD, HELD_BACK, Look, SHRINK, UNDONE, decide::HeldBack, lexicon::Meaning, sheet::Sheet,
    survey::Survey,
};
use crate::{
    finding::{Finding, Severity},
    vault::{Vault, names::fold},
};

/// Why a link of memkeep's in the note at index `at` is to be text again.
pub fn reason(vault: &Vault, look: &Look, at: usize, own: usize) -> String {
    let Some(own) = look.ground.kept(at).owns.get(own) else { return String::new() };
    let Some(target) = vault.note(&own.row.target) else {
        return format!("the note it led to, `{}`, is gone", own.row.target);
    };
    let is_target = |index: &usize| vault.notes().get(*index).is_some_and(|note| note.path == target.path);
    let holds = |sheet: &&Sheet| sheet.block.is_none_or(|block| block.holds(own.plain));
    let here = look.survey.of_note(at).iter().find(holds);
    let mut links =
        here.into_iter().flat_map(|sheet| look.survey.unit_of(sheet)).flat_map(|sheet| &sheet.links);
    if links.any(is_target) {
        return "people link the note here themselves now".to_owned();
    }
    match meaning(look, &own.row.words) {
        Meaning::Many => format!("'{}' names several notes now", own.row.words),
        Meaning::Nothing => format!("'{}' is no name to be linked any more", own.row.words),
        Meaning::One(_) => "people would no longer link these words here".to_owned(),
    }
}

fn meaning(look: &Look, words: &str) -> Meaning {
    look.survey.lexicon.meaning_of(words, &fold(words))
}

/// The names that would have too many links.
pub fn held_back(survey: &Survey, held: &[HeldBack]) -> Vec<Finding> {
    let finding = |(words, n): &HeldBack| {
        let name = survey.lexicon.notes_of(*words).map_or("", |(name, _)| name);
        let message = format!("'{name}' would get {n} links and has none by people: held back");
        Finding::of_vault(Severity::Warning, HELD_BACK, message).hint(
            "Link it by hand once where it should be linked, put it into `relink.ignore`, or raise `relink.most`.",
        )
    };
    held.iter().map(finding).collect()
}

/// Names of several notes that are mentioned, each with its notes.
pub fn ambiguous(vault: &Vault, survey: &Survey) -> Vec<Finding> {
    let finding = |(words, n): (&usize, &usize)| {
        let (name, notes) = survey.lexicon.notes_of(*words)?;
        let of = |at: &usize| vault.notes().get(*at).map(|note| format!("`{}`", note.path));
        let paths: Vec<String> = notes.iter().take(3).filter_map(of).collect();
        let mentions = if *n == 1 { "1 mention".to_owned() } else { format!("{n} mentions") };
        let names = match paths.as_slice() {
            [only] => format!("names {only}, and a link to it would lead to another note of that file name"),
            paths => {
                let more = notes.len().saturating_sub(paths.len());
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("names {}{more}", paths.join(" and "))
            }
        };
        let finding =
            Finding::of_vault(Severity::Note, AMBIGUOUS, format!("'{name}' {names}: {mentions} not linked"));
        Some(finding.hint("Give one of the notes another name to have it linked."))
    };
    survey.ambiguous.iter().filter_map(finding).collect()
}

/// Links to so many notes that would all go at once.
pub fn shrinking(n: usize) -> Option<Finding> {
    let message = format!("all links that memkeep made to {n} notes would go at once: they wait");
    let hint = "Is a folder missing, or not synced yet? `--accept shrink` makes them text all the same.";
    (n > 0).then(|| Finding::of_vault(Severity::Warning, SHRINK, message).hint(hint))
}

/// Changes that a person undid.
pub fn undone(n: usize) -> Option<Finding> {
    let message = match n {
        0 => return None,
        1 => "1 change is not made again, since it was undone".to_owned(),
        n => format!("{n} changes are not made again, since they were undone"),
    };
    let hint = format!("They will be once the settings of `{}` change.", CARD.id);
    Some(Finding::of_vault(Severity::Note, UNDONE, message).hint(hint))
}
