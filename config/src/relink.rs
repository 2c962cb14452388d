//! What `relink` goes by. Its values stand in `defaults.yaml` alone.

use crate::globs::Globs;
use serde::{Deserialize, Serialize};

/// The table of the job `relink`; `steady <= suggested <= linked` holds. Chances are out of a hundred.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Relink {
    /// Notes that no link may lead to.
    pub no_targets: Globs,
    /// Notes that a link may lead to only where people made one that does.
    pub shy_targets: Globs,
    /// Notes that are never edited.
    pub no_sources: Globs,
    /// Notes whose links teach nothing.
    pub no_evidence: Globs,
    /// Names that are never linked, in any case of letters.
    pub ignore: Vec<String>,
    /// From this chance on a mention is linked.
    pub linked: u32,
    /// From this chance on it is suggested.
    pub suggested: u32,
    /// How far below its mark the chance of a link that was made may fall before it goes.
    pub steady: u32,
    /// New links beyond which a name that nobody links is held back.
    pub most: usize,
    /// Whether headings are prose.
    pub headings: bool,
    /// Whether a name matches its English plural.
    pub plurals: bool,
    /// How links are written.
    pub style: LinkStyle,
}

/// The ways to write a link to a note.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkStyle {
    /// `[[target|words]]`.
    #[default]
    Wikilink,
    /// `[words](path/target.md)`.
    Markdown,
}
