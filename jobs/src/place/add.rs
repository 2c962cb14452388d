//! What a note gains, before it is text: parts, and branches of headings that the note lacks. Nothing
//! here knows where in the note it goes.

use crate::{change::Moved, vault::Span};

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

/// What one place of a note gains.
#[derive(Debug, Default)]
pub(super) struct Addition<'a> {
    pub parts: Vec<Part<'a>>,
    /// Headings and lead lines that are not there yet, in order of their first part.
    pub branches: Vec<(String, Addition<'a>)>,
}

impl<'a> Addition<'a> {
    /// The addition below these lines, which are made where they are missing.
    pub fn branch(&mut self, under: &[String]) -> &mut Addition<'a> {
        let Some((first, rest)) = under.split_first() else { return self };
        let at = self.branches.iter().position(|(crumb, _)| crumb == first).unwrap_or_else(|| {
            self.branches.push((first.clone(), Addition::default()));
            self.branches.len() - 1
        });
        self.branches[at].1.branch(rest)
    }

    /// Parts in it, at any depth.
    pub fn count(&self) -> usize {
        self.parts.len() + self.branches.iter().map(|(_, branch)| branch.count()).sum::<usize>()
    }

    /// Its text: blocks, then branches, a blank line between any two but neighbouring items; ends with
    /// one line end, or is empty.
    pub fn render(&self, eol: &str) -> String {
        let mut text = String::new();
        for (n, part) in self.parts.iter().enumerate() {
            if let Some(before) = n.checked_sub(1).and_then(|n| self.parts.get(n)) {
                text.push_str(&before.gap_to(part, eol));
            }
            text.push_str(part.text);
            text.push_str(eol);
        }
        for (crumb, branch) in &self.branches {
            if !text.is_empty() {
                text.push_str(eol);
            }
            text.push_str(crumb);
            text.push_str(eol);
            // Also below a lead line: a list that counts from 3 would be its text without the blank line.
            text.push_str(eol);
            text.push_str(&branch.render(eol));
        }
        text
    }
}

/// True where these lines are a heading, of either form, and no lead line.
pub(super) fn is_heading(crumb: &str) -> bool {
    let hashes = crumb.trim_start().trim_start_matches('#');
    let marked = hashes.len() < crumb.trim_start().len() && starts_blank(hashes);
    marked || crumb.contains('\n')
}
