//! What a pair of words and note is judged by: one number for each feature, all of about the same size.
//! Nothing here looks at whether the pair is linked.

use super::evidence::{Evidence, Kind, Own};
use crate::relink::{
    boundary::Freedom,
    sheet::{Pair, Sheet},
};
use crate::vault::names::Source;

/// How many features there are.
pub const N: usize = NAMES.len();

/// Their names, in the order of the values.
pub const NAMES: [&str; 47] = [
    "bias",
    "words",
    "words-known",
    "never",
    "target",
    "in-degree",
    "spread",
    "is-stem",
    "exact",
    "respelt",
    "capital",
    "capital-inside",
    "lower",
    "length",
    "several",
    "digits",
    "signs",
    "signs-length",
    "title",
    "alias",
    "in-run",
    "particle",
    "count",
    "place",
    "opens-line",
    "fills-line",
    "item",
    "table",
    "line-length",
    "marked",
    "headword",
    "mates",
    "covered",
    "near",
    "near-in",
    "back",
    "same-folder",
    "same-branch",
    "common",
    "before",
    "after",
    "heading",
    "folders",
    "folder",
    "out-degree",
    "density",
    "tags",
];

/// The features that say nothing where nothing is linked.
pub const OF_LINKS: [&str; 14] = [
    "words",
    "words-known",
    "never",
    "target",
    "in-degree",
    "near",
    "near-in",
    "back",
    "before",
    "after",
    "heading",
    "folders",
    "folder",
    "out-degree",
];

/// The values of one pair.
pub type Values = [f64; N];

/// What all pairs of a unit share.
pub struct Unit<'a> {
    evidence: &'a Evidence,
    facts: &'a [Facts],
    sheet: &'a Sheet,
    own: Own,
    /// The notes mentioned, sorted.
    around: Vec<usize>,
}

/// What relink knows of a note besides its text.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Its path, hashed.
    pub path: u64,
    /// Folders from the top down, hashed.
    pub branch: Vec<u64>,
    /// Tags of the frontmatter, hashed, sorted.
    pub tags: Vec<u64>,
    /// No link leads to it unless people made one that does.
    pub is_shy: bool,
    /// What it says under `autolink:`: that its names are to be linked, or that it has no part in this.
    pub autolink: Option<bool>,
}

/// Mentions beyond this many say little about what a note is about.
const MAX_AROUND: usize = 256;

impl<'a> Unit<'a> {
    /// The unit `sheet`.
    pub fn new(evidence: &'a Evidence, facts: &'a [Facts], sheet: &'a Sheet) -> Self {
        let mut around: Vec<usize> = sheet.pairs.iter().map(Pair::target).take(MAX_AROUND).collect();
        around.sort_unstable();
        around.dedup();
        Unit { evidence, facts, sheet, own: evidence.own(sheet), around }
    }

    /// How the cases like `pair` in other units went.
    pub fn others(&self, kind: Kind, pair: &Pair) -> super::evidence::Tally {
        self.evidence.others(&self.own, kind, self.sheet.note, pair)
    }

    /// True where no link may lead to the note that a pair names: from a template to another one may.
    pub fn is_barred(&self, pair: &Pair) -> bool {
        let is_shy = |at: usize| self.facts.get(at).is_some_and(|facts| facts.is_shy);
        is_shy(pair.target())
            && !is_shy(self.sheet.note)
            && self.evidence.in_degree(pair.target(), self.sheet.note) == 0
    }

    /// True where the note that a pair names asks for links: `autolink: true`.
    pub fn is_meant(&self, pair: &Pair) -> bool {
        self.facts.get(pair.target()).is_some_and(|facts| facts.autolink == Some(true))
    }

    /// The values of a pair of the unit.
    pub fn values(&self, pair: &Pair) -> Values {
        let mut values = [0.0; N];
        let parts = self
            .links(pair)
            .into_iter()
            .chain(self.words(pair))
            .chain(self.place(pair))
            .chain(self.ties(pair));
        for (slot, value) in values.iter_mut().zip(parts) {
            *slot = value;
        }
        values
    }

    /// How people treat these words and this note.
    fn links(&self, pair: &Pair) -> [f64; 7] {
        let overall = self.evidence.overall();
        let words = self.others(Kind::Words, pair);
        let target = self.others(Kind::Target, pair);
        let spread = self.evidence.spread.get(&pair.words).copied().unwrap_or(1) as f64;
        [
            1.0,
            logit(words.share(overall, 2.0)) - logit(overall),
            f64::from(words.all).ln_1p(),
            flag(words.all >= 3 && words.linked == 0),
            logit(target.share(overall, 2.0)) - logit(overall),
            (self.evidence.in_degree(pair.target(), self.sheet.note) as f64).ln_1p(),
            (spread / self.evidence.n_units.max(1) as f64).ln(),
        ]
    }

    /// What the words are like.
    fn words(&self, pair: &Pair) -> [f64; 15] {
        let look = &pair.look;
        let (letters, signs) = (f64::from(look.n_letters), f64::from(look.n_signs));
        [
            flag(look.is_stem),
            flag(look.is_exact),
            flag(look.is_respelt),
            flag(look.is_capital),
            flag(look.is_capital && !pair.around.opens_sentence),
            flag(look.is_small),
            (letters + signs).ln(),
            flag(look.is_several),
            flag(look.has_digits),
            flag(look.n_signs > 0),
            if look.n_signs > 0 { signs.ln() } else { 0.0 },
            flag(matches!(look.source, Source::Title | Source::Name)),
            flag(look.source == Source::Alias),
            flag(pair.freedom == Freedom::InRun),
            flag(pair.freedom == Freedom::BeforeParticle),
        ]
    }

    /// Where they stand.
    fn place(&self, pair: &Pair) -> [f64; 11] {
        let around = &pair.around;
        [
            f64::from(pair.count).ln(),
            f64::from(around.place),
            flag(around.opens_line),
            flag(pair.fills_line),
            flag(around.in_item),
            flag(around.in_table),
            f64::from(around.n_line).ln_1p() - 4.0,
            flag(around.is_marked),
            flag(around.is_headword),
            f64::from(around.n_mates).ln(),
            f64::from(around.covered),
        ]
    }

    /// What ties the two notes together, and how people treat places like this.
    fn ties(&self, pair: &Pair) -> [f64; 14] {
        let (note, target, evidence) = (self.sheet.note, pair.target(), self.evidence);
        let overall = evidence.overall();
        let context = |kind| logit(self.others(kind, pair).share(overall, 4.0)) - logit(overall);
        let (own, other) = (self.facts.get(note), self.facts.get(target));
        let branch = |facts: Option<&'a Facts>| facts.map_or(&[][..], |facts| &facts.branch);
        let (own_branch, other_branch) = (branch(own), branch(other));
        let n_shared = own_branch.iter().zip(other_branch).take_while(|(one, other)| one == other).count();
        let n_deepest = own_branch.len().max(other_branch.len());
        let is_shared = |tag: &&u64| other.is_some_and(|other| other.tags.binary_search(tag).is_ok());
        let n_tags = own.map_or(0, |own| own.tags.iter().filter(is_shared).count());
        [
            evidence.nearness(target, &self.around, note),
            evidence.nearness(target, evidence.inward(note), note),
            flag(evidence.links(target, note)),
            flag(own_branch == other_branch),
            if n_deepest == 0 { 1.0 } else { n_shared as f64 / n_deepest as f64 },
            f64::from(pair.look.common),
            context(Kind::Before),
            context(Kind::After),
            context(Kind::Heading),
            context(Kind::Folders),
            context(Kind::Folder),
            (evidence.out_degree(target) as f64).ln_1p(),
            (self.sheet.pairs.len() as f64).ln(),
            (n_tags as f64).ln_1p(),
        ]
    }
}

fn flag(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

fn logit(share: f64) -> f64 {
    let share = share.clamp(0.001, 0.999);
    (share / (1.0 - share)).ln()
}
