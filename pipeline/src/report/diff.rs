//! The unified diff of one note. The steps say which lines differ, so that only those are compared:
//! linear in the note, and each hunk knows the steps it comes from. Nothing here escapes or colours.

use super::trace::{Piece, Trace};
use jobs::fold::Step;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// Lines that stand together in a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The lines before, counted from 0.
    pub old: Range<usize>,
    /// The lines after, counted from 0.
    pub new: Range<usize>,
    /// The lines to print.
    pub lines: Vec<Line>,
    /// Places, in the list that was given, of the steps it comes from.
    pub steps: Vec<usize>,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Before, after, or both.
    pub side: Side,
    /// The line without its end.
    pub text: String,
    /// False for a last line that has no end.
    pub is_ended: bool,
}

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before and after.
    Both,
    /// Before only.
    Old,
    /// After only.
    New,
}

impl Side {
    /// The mark at the start of the line.
    pub fn mark(self) -> char {
        match self {
            Side::Both => ' ',
            Side::Old => '-',
            Side::New => '+',
        }
    }
}

impl Hunk {
    /// `@@ -3,7 +3,6 @@`
    pub fn header(&self) -> String {
        format!("@@ -{} +{} @@", range(&self.old), range(&self.new))
    }

    /// How many of its lines stand on one side only, or on both.
    pub fn count(&self, side: Side) -> usize {
        self.lines.iter().filter(|line| line.side == side).count()
    }
}

/// As in every unified diff: an empty range names the line before it, and a length of 1 is not said.
fn range(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        len => format!("{},{len}", lines.start + 1),
    }
}

/// The hunks of a note that stood as `old` before `steps`; none where a step does not fit it.
pub fn hunks(old: &str, steps: &[&Step]) -> Option<Vec<Hunk>> {
    let trace = Trace::of(old, steps)?;
    let new = trace.after();
    let texts = Texts::new(old, &new);
    Some(texts.hunks(regions(&trace)))
}

/// A hunk for each step, from its own bytes alone: for where the text before is not to be had. They may
/// be parts of lines, so that nothing is said of line ends.
pub fn hunks_of_steps(steps: &[&Step]) -> Vec<Hunk> {
    let hunk = |(n, step): (usize, &&Step)| {
        let texts = Texts::new(&step.before, &step.after);
        let at = step.line.saturating_sub(1);
        let (old, new) = (0..texts.old.len(), 0..texts.new.len());
        let mut lines = texts.lines(Side::Old, old.clone());
        lines.extend(texts.lines(Side::New, new.clone()));
        lines.iter_mut().for_each(|line| line.is_ended = true);
        Hunk { old: at..at + old.end, new: at..at + new.end, lines, steps: vec![n] }
    };
    steps.iter().enumerate().map(hunk).collect()
}

/// Whole lines in which the two texts may differ, and the steps that touched them.
struct Region {
    old: Range<usize>,
    new: Range<usize>,
    steps: Vec<usize>,
}

/// The regions of a trace. Between two of them lies at least one line end that stays.
fn regions(trace: &Trace<'_>) -> Vec<Region> {
    let (mut old, mut new) = (0, 0);
    let mut regions: Vec<Region> = Vec::new();
    let mut is_open = false;
    for piece in &trace.pieces {
        let (Piece::Kept(text) | Piece::Gone { text, .. } | Piece::Put { text, .. }) = *piece;
        let ends = text.bytes().filter(|byte| *byte == b'\n').count();
        let (Piece::Gone { by, .. } | Piece::Put { by, .. }) = *piece else {
            is_open &= ends == 0;
            (old, new) = (old + ends, new + ends);
            continue;
        };
        if !is_open {
            regions.push(Region { old: old..old, new: new..new, steps: Vec::new() });
            is_open = true;
        }
        match piece {
            Piece::Gone { .. } => old += ends,
            _ => new += ends,
        }
        if let Some(region) = regions.last_mut() {
            (region.old.end, region.new.end) = (old + 1, new + 1);
            region.steps.push(by);
        }
    }
    regions
}

/// Both texts, cut into lines.
struct Texts<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    /// The end that every line has: said nowhere.
    end: &'static str,
}

/// Lines that differ, with the steps that made them differ.
struct Differing {
    old: Range<usize>,
    new: Range<usize>,
    steps: Vec<usize>,
}

impl<'a> Texts<'a> {
    fn new(old: &'a str, new: &'a str) -> Self {
        let lines = |text: &'a str| text.split_inclusive('\n').collect::<Vec<_>>();
        let (old, new) = (lines(old), lines(new));
        let is_crlf = |line: &&str| line.ends_with("\r\n") || !line.ends_with('\n');
        let end = if old.iter().chain(&new).all(is_crlf) { "\r\n" } else { "\n" };
        Texts { old, new, end }
    }

    fn hunks(&self, regions: Vec<Region>) -> Vec<Hunk> {
        let mut hunks: Vec<Hunk> = Vec::new();
        for next in regions.into_iter().flat_map(|region| self.compare(region)) {
            match hunks.last_mut() {
                Some(hunk) if next.old.start <= hunk.old.end + 2 * CONTEXT => self.extend(hunk, next),
                _ => {
                    hunks.iter_mut().last().into_iter().for_each(|hunk| self.close(hunk));
                    hunks.push(self.open(next));
                }
            }
        }
        hunks.iter_mut().last().into_iter().for_each(|hunk| self.close(hunk));
        hunks
    }

    /// What really differs in a region; its steps go with the first such lines.
    fn compare(&self, region: Region) -> Vec<Differing> {
        let (old_at, new_at) = (region.old.start, region.new.start);
        let old = self.old.get(old_at..region.old.end.min(self.old.len())).unwrap_or_default();
        let new = self.new.get(new_at..region.new.end.min(self.new.len())).unwrap_or_default();
        let mut differing = Vec::new();
        for op in capture_diff_slices(Algorithm::Myers, old, new) {
            if !matches!(op, DiffOp::Equal { .. }) {
                let (old, new) = (moved(op.old_range(), old_at), moved(op.new_range(), new_at));
                differing.push(Differing { old, new, steps: Vec::new() });
            }
        }
        if let Some(first) = differing.first_mut() {
            first.steps = region.steps;
        }
        differing
    }

    fn open(&self, next: Differing) -> Hunk {
        let context = next.old.start.min(CONTEXT);
        let (old, new) = (next.old.start - context, next.new.start.saturating_sub(context));
        let mut hunk = Hunk { old: old..old, new: new..new, lines: Vec::new(), steps: Vec::new() };
        self.extend(&mut hunk, next);
        hunk
    }

    fn extend(&self, hunk: &mut Hunk, next: Differing) {
        hunk.lines.extend(self.lines(Side::Both, hunk.old.end..next.old.start));
        hunk.lines.extend(self.lines(Side::Old, next.old.clone()));
        hunk.lines.extend(self.lines(Side::New, next.new.clone()));
        (hunk.old.end, hunk.new.end) = (next.old.end, next.new.end);
        hunk.steps.extend(next.steps);
    }

    fn close(&self, hunk: &mut Hunk) {
        let end = self.old.len().min(hunk.old.end + CONTEXT);
        hunk.lines.extend(self.lines(Side::Both, hunk.old.end..end));
        hunk.new.end += end - hunk.old.end;
        hunk.old.end = end;
        hunk.steps.sort_unstable();
        hunk.steps.dedup();
    }

    fn lines(&self, side: Side, lines: Range<usize>) -> Vec<Line> {
        let texts = if side == Side::New { &self.new } else { &self.old };
        let line = |text: &&str| match text.strip_suffix(self.end).or(text.strip_suffix('\n')) {
            Some(line) => Line { side, text: line.to_owned(), is_ended: true },
            None => Line { side, text: (*text).to_owned(), is_ended: false },
        };
        texts.get(lines).unwrap_or_default().iter().map(line).collect()
    }
}

fn moved(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}
