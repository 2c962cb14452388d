//! Why a mention is linked, in words: the features that weigh most for it.

use super::{
    judge::{
        Judge,
        evidence::Kind,
        features::{NAMES, Unit},
    },
    sheet::Pair,
};

/// Reasons that are named beside what people did.
const MOST: usize = 3;

/// One sentence: what people did with these words, and the strongest reasons for the link. `text` is that of the
/// plain note.
pub fn sentence(judge: &Judge, unit: &Unit<'_>, pair: &Pair, text: &str) -> String {
    if unit.is_meant(pair) {
        return "its note asks for links (`autolink: true`)".to_owned();
    }
    let (tally, words) = (unit.others(Kind::Words, pair), pair.span().of(text));
    let mut parts = vec![match (tally.linked, tally.all) {
        (_, 0) => format!("no other note with links has '{words}'"),
        (0, all) => format!("people link '{words}' in none of {} that have it", notes(all)),
        (linked, all) => format!("people link '{words}' in {linked} of {}", notes(all)),
    }];
    let mut weighed = weighed(judge, unit, pair);
    weighed.sort_by(|one, other| other.0.total_cmp(&one.0));
    let reasons =
        weighed.into_iter().filter(|(part, _)| *part > 0.2).filter_map(|(_, name)| phrase(name, pair));
    parts.extend(reasons.take(MOST));
    parts.join("; ")
}

/// What each feature adds to the log-odds of a link, in the order of the features.
pub fn weighed(judge: &Judge, unit: &Unit<'_>, pair: &Pair) -> Vec<(f64, &'static str)> {
    let values = judge.scale.apply(&unit.values(pair));
    let parts = values.iter().zip(judge.model.weights).map(|(value, weight)| value * weight);
    parts.zip(NAMES).collect()
}

fn notes(count: u32) -> String {
    if count == 1 { "1 note".to_owned() } else { format!("{count} notes") }
}

/// A feature as a reason for a link, where it is one that a reader can see.
fn phrase(feature: &str, pair: &Pair) -> Option<String> {
    let words = match feature {
        "target" => "people often link this note where it is named",
        "in-degree" => "many notes link this one",
        "spread" => "the words are rare",
        "is-stem" => "spelled as the file name",
        "exact" if !pair.look.is_stem => "spelled as the name",
        "capital-inside" => "a capital inside a sentence",
        "several" if pair.look.is_several => "several words",
        "length" | "signs-length" if pair.look.n_letters + pair.look.n_signs >= 8 => "a long name",
        "count" if pair.count > 1 => return Some(format!("mentioned {} times", pair.count)),
        "fills-line" if pair.fills_line => "a line of its own",
        "near" | "near-in" => "both notes have neighbours in common",
        "back" => "it links back",
        "same-folder" | "same-branch" => "the two notes lie near each other",
        "covered" | "mates" => "the line is a list of names",
        "heading" => "people link most of what stands under this heading",
        "folders" | "folder" => "people link much between these folders",
        "before" | "after" => "people link much in such a place",
        "tags" => "both have the same tags",
        _ => return None,
    };
    Some(words.to_owned())
}

/// A feature in words, without saying which way it weighs.
pub fn label(feature: &'static str) -> &'static str {
    LABELS.iter().find(|(name, _)| *name == feature).map_or(feature, |(_, label)| label)
}

const LABELS: &[(&str, &str)] = &[
    ("bias", "what holds for every mention"),
    ("words", "how often people link these words"),
    ("words-known", "in how many notes with links they stand"),
    ("never", "that people never link them, or do"),
    ("target", "how often people link the note where it is named"),
    ("in-degree", "how many notes link it"),
    ("spread", "how common the words are in this vault"),
    ("is-stem", "whether they are the file name to the letter"),
    ("exact", "whether they are the name to the letter"),
    ("respelt", "blanks, hyphens and underscores other than in the name"),
    ("capital", "whether they start with a capital"),
    ("capital-inside", "a capital inside a sentence"),
    ("lower", "whether they start with a small letter"),
    ("length", "how long they are"),
    ("several", "one word, or several"),
    ("digits", "digits in them"),
    ("signs", "their script"),
    ("signs-length", "how many signs of a script without blanks"),
    ("title", "whether they are a title"),
    ("alias", "whether they are an alias"),
    ("in-run", "whether they stand inside of a run of signs"),
    ("particle", "a particle behind them"),
    ("count", "how often they stand in the note"),
    ("place", "how far down in the note"),
    ("opens-line", "whether they open their line"),
    ("fills-line", "whether they fill a line"),
    ("item", "whether they stand in a list"),
    ("table", "whether they stand in a table"),
    ("line-length", "how long their line is"),
    ("marked", "emphasis or quotes around them"),
    ("headword", "a colon or dash behind them"),
    ("mates", "other names on their line"),
    ("covered", "how much of their line is names"),
    ("near", "neighbours of both notes in common"),
    ("near-in", "notes that link both"),
    ("back", "whether it links back"),
    ("same-folder", "whether both lie in one folder"),
    ("same-branch", "how near their folders are"),
    ("common", "how common the words are in their language"),
    ("before", "the word before them"),
    ("after", "the word behind them"),
    ("heading", "the heading above them"),
    ("folders", "how people link between these folders"),
    ("folder", "how people link in this folder"),
    ("out-degree", "how many notes it links"),
    ("density", "how many names the note mentions"),
    ("tags", "tags in common"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_its_words() {
        let labelled: Vec<&str> = LABELS.iter().map(|(name, _)| *name).collect();
        assert_eq!(labelled, NAMES);
    }
}
