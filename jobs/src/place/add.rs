//! What a note gains, before it is text: parts, and branches of headings that the note lacks. Nothing
//! here knows where in the note it goes.

use crate::{change::Moved, vault::Span};
use std::{cmp::Reverse, collections::BTreeMap};

/// One block on its way.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    /// Where it stood, to see which parts stood side by side.
    span: Span,
    source: &'a str,
    /// Its lines, without the last line end.
    pub text: &'a str,
}

impl<'a> Part<'a> {
    pub fn of(source: &'a str, moved: &Moved) -> Self {
        Part { span: moved.block, source, text: moved.block.of(source).trim_end_matches(['\n', '\r']) }
    }

    /// The part without its first line, the heading that is there already, and the blanks below it.
    pub fn body(mut self, heading: &str) -> Self {
        let rest = self.text.get(heading.len()..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start_matches(['\r', '\n', ' ', '\t']).len();
        let indent = rest.get(..blank).map_or(0, |gap| gap.len() - gap.rfind('\n').map_or(0, |at| at + 1));
        self.text = rest.get(blank - indent..).unwrap_or_default();
        self
    }

    /// True for an item of a list, which joins other items without a blank line.
    pub fn is_item(&self) -> bool {
        let text = self.text.trim_start();
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let marked = |rest: &str, marks: &[char]| rest.strip_prefix(marks).is_some_and(starts_blank);
        match rest.len() == text.len() {
            true => marked(text, &['-', '*', '+']),
            false => marked(rest, &['.', ')']),
        }
    }

    /// What stood between this part and `next`: blank lines where they were neighbours.
    fn gap_to(&self, next: &Part<'_>, eol: &str) -> String {
        let between = Span::new(self.span.end, next.span.start);
        let gap = between.of(self.source);
        let neighbours = next.span.start >= self.span.end && gap.trim().is_empty();
        match neighbours {
            true => gap.to_owned(),
            false if self.is_item() && next.is_item() => String::new(),
            false => eol.to_owned(),
        }
    }
}

fn starts_blank(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r'])
}

/// What one place of a note gains: blocks and branches in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Addition<'a> {
    kids: Vec<Kid<'a>>,
}

#[derive(Debug)]
struct Kid<'a> {
    head: Head<'a>,
    /// What a line gains below it; a part gains nothing.
    below: Addition<'a>,
}

#[derive(Debug)]
enum Head<'a> {
    Part(Part<'a>),
    /// A heading or lead line that is not there yet.
    Line(String),
}

/// Where in a place something belongs, in the order of the note. Below one heading no deeper heading may follow a
/// shallower one, or it would stand in that one's section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Among its own blocks.
    Own,
    /// After its lead lines.
    Leads,
    /// Among its sections, with no heading of its own.
    Bare,
    /// Among its sections, by the level of its heading, 6 first.
    Section(Reverse<u8>),
}

impl Kid<'_> {
    fn rank(&self) -> Rank {
        let section = |text: &str| heading_level(text).map(|level| Rank::Section(Reverse(level)));
        match &self.head {
            Head::Part(part) if part.is_item() => Rank::Own,
            Head::Part(part) => section(part.text).unwrap_or(Rank::Bare),
            Head::Line(line) => section(line).unwrap_or(Rank::Leads),
        }
    }
}

impl<'a> Addition<'a> {
    pub fn push(&mut self, part: Part<'a>) {
        self.kids.push(Kid { head: Head::Part(part), below: Addition::default() });
    }

    /// The addition below these lines, which are made where they are missing.
    pub fn branch(&mut self, under: &[String]) -> &mut Addition<'a> {
        let Some((first, rest)) = under.split_first() else { return self };
        let is_it = |kid: &Kid<'_>| matches!(&kid.head, Head::Line(line) if line == first);
        // Parts come in order: the line is one of the last.
        let at = self.kids.iter().rposition(is_it).unwrap_or_else(|| {
            self.kids.push(Kid { head: Head::Line(first.clone()), below: Addition::default() });
            self.kids.len() - 1
        });
        self.kids[at].below.branch(rest)
    }

    /// Parts in it, at any depth.
    pub fn count(&self) -> usize {
        let count = |kid: &Kid<'_>| usize::from(matches!(kid.head, Head::Part(_))) + kid.below.count();
        self.kids.iter().map(count).sum()
    }

    /// The same as one addition for each rank, in their order.
    pub fn by_rank(self) -> BTreeMap<Rank, Addition<'a>> {
        let mut ranks: BTreeMap<Rank, Addition<'a>> = BTreeMap::new();
        for kid in self.kids {
            ranks.entry(kid.rank()).or_default().kids.push(kid);
        }
        ranks
    }

    /// Its text by rank, a blank line between any two but neighbouring items; ends with one line end, or is empty.
    pub fn render(&self, eol: &str) -> String {
        let mut kids: Vec<&Kid<'_>> = self.kids.iter().collect();
        kids.sort_by_key(|kid| kid.rank());
        let mut text = String::new();
        let mut before = None;
        for kid in kids {
            text.push_str(&gap(before, kid, eol));
            match &kid.head {
                Head::Part(part) => {
                    text.push_str(part.text);
                    text.push_str(eol);
                }
                // A blank line also below a lead line: a list that counts from 3 would be its text without it.
                Head::Line(line) => {
                    text.extend([line, eol, eol, &*kid.below.render(eol)]);
                }
            }
            before = Some(kid);
        }
        text
    }
}

fn gap(before: Option<&Kid<'_>>, next: &Kid<'_>, eol: &str) -> String {
    match (before.map(|before| &before.head), &next.head) {
        (None, _) => String::new(),
        (Some(Head::Part(before)), Head::Part(next)) => before.gap_to(next, eol),
        _ => eol.to_owned(),
    }
}

/// The level of the heading, of either form, that a text starts with.
pub(super) fn heading_level(text: &str) -> Option<u8> {
    let first = text.trim_start();
    let n_hashes = first.len() - first.trim_start_matches('#').len();
    if (1..=6).contains(&n_hashes) && starts_blank(&first[n_hashes..]) {
        return u8::try_from(n_hashes).ok();
    }
    underlined(text)
}

/// The level of a heading whose last line is its rule: it runs to the first such line, and holds no blank line.
fn underlined(text: &str) -> Option<u8> {
    let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    lines.skip(1).find_map(|line| match line {
        _ if line.bytes().all(|byte| byte == b'=') => Some(1),
        _ if line.bytes().all(|byte| byte == b'-') => Some(2),
        _ => None,
    })
}
