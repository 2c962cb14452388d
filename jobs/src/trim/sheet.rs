//! A memory as trim sees it: its blocks, its entries with their ages, and its budget.

use super::age::{self, Age};
use super::archive::Archives;
use super::budget::{Budget, Size};
use super::cut::Leaver;
use crate::vault::{
    Note, Row, Span, Vault,
    entry::{Entry, Outline, folded, has_marks},
    frontmatter::Frontmatter,
    markdown::{BlockKind, Markdown},
};
use chrono::NaiveDate;
use config::Trim;

/// How much of a note may be trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// A memory: all its entries.
    Whole,
    /// A project note: only the entries in its append-only zones.
    Zones,
}

/// One memory, read.
pub(super) struct Sheet<'a> {
    pub settings: &'a Trim,
    pub note: &'a Note,
    pub text: &'a str,
    /// Where the body starts.
    pub body: usize,
    pub reach: Reach,
    pub markdown: Markdown,
    pub outline: Outline,
    pub archives: Archives,
    /// The age of each entry of the outline.
    pub ages: Vec<Age>,
    pub budget: Budget,
    /// What counts of the note as it is.
    pub size: Size,
    pub today: NaiveDate,
}

impl<'a> Sheet<'a> {
    pub fn read(settings: &'a Trim, vault: &Vault, note: &'a Note, reach: Reach) -> Self {
        let archives = Archives::of(settings, vault, &note.path);
        let is_rest = archives.has_marks(vault);
        Sheet::with(settings, vault, note, reach, archives, is_rest)
    }

    /// What is left of this memory after a cut.
    pub fn rest<'b>(&self, vault: &Vault, note: &'b Note, gone: &[Leaver]) -> Sheet<'b>
    where
        'a: 'b,
    {
        let took_marks = gone.iter().any(|leaver| has_marks(leaver.block.of(self.text)));
        let is_rest = took_marks || self.archives.has_marks(vault);
        Sheet::with(self.settings, vault, note, self.reach, self.archives.clone(), is_rest)
    }

    /// `is_rest`: marked entries left it before, so that a single mark counts.
    fn with(
        settings: &'a Trim,
        vault: &Vault,
        note: &'a Note,
        reach: Reach,
        archives: Archives,
        is_rest: bool,
    ) -> Self {
        let text: &str = &note.text;
        let body = Frontmatter::body_of(text);
        let markdown = Markdown::parse(text, body);
        let outline = if is_rest { Outline::of_rest(&markdown, text) } else { Outline::of(&markdown, text) };
        let ages = age::of_all(text, &outline.entries, vault);
        let budget = Budget::new(settings, body, &markdown);
        let size = budget.size(text, &[]);
        let today = vault.today;
        Sheet { settings, note, text, body, reach, markdown, outline, archives, ages, budget, size, today }
    }

    pub fn entries(&self) -> &[Entry] {
        &self.outline.entries
    }

    pub fn is_over(&self) -> bool {
        !self.size.fits(self.settings.max_lines, self.settings.max_bytes)
    }

    /// The first-seen rows that are not remembered yet.
    pub fn unseen(&self, vault: &Vault) -> Vec<Row> {
        let keys = self.ages.iter().filter_map(|age| age.key.as_ref());
        let new = keys.filter(|key| vault.ledger.first_seen(key).is_none());
        new.map(|key| Row::Seen { key: key.clone(), day: vault.today }).collect()
    }

    /// The entries that share a byte with `span`, as indexes.
    pub fn entries_in(&self, span: Span) -> std::ops::Range<usize> {
        let first = self.entries().partition_point(|entry| entry.span.end <= span.start);
        let last = self.entries().partition_point(|entry| entry.span.start < span.end);
        first..last.max(first)
    }

    /// What stands below the headings of these names, markers and case aside: whole sections, and for a heading inside
    /// a marked entry all of that entry.
    pub fn zones(&self, names: &[String]) -> Vec<Span> {
        let names: Vec<String> = names.iter().map(|name| folded(name)).collect();
        let is_named = |words: Span| names.contains(&folded(words.of(self.text)));
        let sections = self.outline.sections.iter();
        let mut zones: Vec<Span> = sections
            .filter(|section| section.words.is_some_and(is_named))
            .map(|section| section.span)
            .collect();
        for block in &self.markdown.blocks {
            if matches!(block.kind, BlockKind::Heading(_)) && is_named(block.text) {
                zones.push(block.span);
            }
        }
        zones
    }
}
