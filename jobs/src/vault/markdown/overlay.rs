//! Obsidian's blocks that CommonMark does not know: `%%` comments and `$$` blocks run over blank
//! lines, and nothing inside them is structure. They are found first and masked in a copy of
//! the body, byte for byte, so that the Markdown reader sees one opaque line where they stand.
//!
//! `%%` inside code is no comment, and code inside a comment is no code: which is which is found by
//! reading, masking, and reading again until nothing changes.

use super::Span;
use super::build::options;
use crate::vault::line;
use pulldown_cmark::{Event, Parser, Tag};
use std::borrow::Cow;
use std::ops::Range;

/// Rounds of reading after which the masks found so far stand. Each round settles at least one more
/// comment that hides a fence; real notes need two.
const MAX_ROUNDS: usize = 4;

/// A body ready to be read, and what was masked in it. Spans are offsets in the body.
pub(super) struct Masked<'a> {
    pub body: Cow<'a, str>,
    pub overlays: Vec<Overlay>,
}

/// One masked stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overlay {
    pub span: Span,
    pub is_math: bool,
    /// Nothing but indentation and markers stands before it, nothing after it on its last line.
    pub is_alone: bool,
}

/// Masks comments and math blocks of the body, and turns lone CRs into LFs, which the reader
/// treats alike everywhere.
pub(super) fn mask(text: &str, body: usize) -> Masked<'_> {
    let raw = text.get(body..).unwrap_or_default();
    let plain = with_line_feeds(raw);
    if !raw.contains("%%") && !raw.contains("$$") {
        return Masked { body: plain, overlays: Vec::new() };
    }
    let mut overlays = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let found = find(raw, &opaque(&masked(&plain, &overlays), &overlays));
        if found == overlays {
            break;
        }
        overlays = found;
    }
    Masked { body: Cow::Owned(masked(&plain, &overlays)), overlays }
}

fn with_line_feeds(raw: &str) -> Cow<'_, str> {
    let bytes = raw.as_bytes();
    let is_lone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    if !(0..bytes.len()).any(is_lone) {
        return Cow::Borrowed(raw);
    }
    let fixed = raw.char_indices().map(|(at, c)| if c == '\r' && is_lone(at) { '\n' } else { c });
    Cow::Owned(fixed.collect())
}

/// What the Markdown reader takes as code, math, HTML or a link: no comment starts in there. The masks
/// themselves do not count.
fn opaque(body: &str, overlays: &[Overlay]) -> Vec<Span> {
    let is_mask = |range: &Range<usize>| {
        overlays.binary_search_by_key(&range.start, |overlay| overlay.span.start).is_ok()
    };
    let mut spans = Vec::new();
    for (event, range) in Parser::new_ext(body, options()).into_offset_iter() {
        let is_opaque = match event {
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => true,
            Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) => !is_mask(&range),
            Event::Start(Tag::CodeBlock(_) | Tag::Link { .. } | Tag::Image { .. }) => true,
            _ => false,
        };
        if is_opaque {
            spans.push(Span::from(range));
        }
    }
    super::merge(spans)
}

fn masked(body: &str, overlays: &[Overlay]) -> String {
    let mut out = String::with_capacity(body.len());
    let mut at = 0;
    for overlay in overlays {
        out.push_str(body.get(at..overlay.span.start).unwrap_or_default());
        let n_bytes = overlay.span.len();
        if overlay.is_alone && n_bytes >= 4 {
            // An HTML declaration: a block that may interrupt a paragraph and ends on its own line.
            out.push_str("<!A");
            out.extend(std::iter::repeat_n('x', n_bytes - 4));
            out.push('>');
        } else {
            out.extend(std::iter::repeat_n('x', n_bytes));
        }
        at = overlay.span.end;
    }
    out.push_str(body.get(at..).unwrap_or_default());
    out
}

fn find(raw: &str, opaque: &[Span]) -> Vec<Overlay> {
    let mut found = Vec::new();
    let mut skips = opaque.iter().peekable();
    let mut marks = Marks { bytes: raw.as_bytes(), at: 0, line: 0 };
    let mut at = 0;
    while let Some(start) = marks.next(at) {
        while skips.next_if(|skip| skip.end <= start).is_some() {}
        if let Some(skip) = skips.peek().filter(|skip| skip.start <= start) {
            at = skip.end;
            continue;
        }
        match overlay_at(raw, start, marks.line) {
            Some(overlay) => {
                at = overlay.span.end;
                found.push(overlay);
            }
            None => at = start + 2,
        }
    }
    found
}

/// A walk over the marks of a body that knows the line it is on.
struct Marks<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl Marks<'_> {
    /// The next `%%` or `$$` at or after `from`.
    fn next(&mut self, from: usize) -> Option<usize> {
        while self.at + 1 < self.bytes.len() {
            let byte = self.bytes[self.at];
            if matches!(byte, b'\n' | b'\r') {
                self.line = self.at + 1;
            } else if self.at >= from && matches!(byte, b'%' | b'$') && self.bytes[self.at + 1] == byte {
                return Some(self.at);
            }
            self.at += 1;
        }
        None
    }
}

fn overlay_at(raw: &str, start: usize, line: usize) -> Option<Overlay> {
    let mark = raw.get(start..start + 2)?;
    let opens_line = is_prefix(raw.get(line..start)?);
    let close = raw[start + 2..].find(mark).map(|here| start + 2 + here + 2);
    let (end, is_alone) = match close {
        Some(end) => (end, opens_line && ends_line(raw, end)),
        None => (start + raw[start..].trim_end_matches(['\n', '\r', ' ', '\t']).len(), opens_line),
    };
    let span = Span::new(start, end);
    let is_accepted = match mark {
        "$$" => close.is_some() && is_alone && span.of(raw).contains(['\n', '\r']),
        _ => opens_line || close.is_some() && !holds_blank_line(span.of(raw)),
    };
    is_accepted.then_some(Overlay { span, is_math: mark == "$$", is_alone })
}

/// True for indentation, quote marks and list markers only. Long prefixes are text: the bound keeps a
/// line of a thousand marks linear.
fn is_prefix(before: &str) -> bool {
    let mut before = before.trim_start_matches([' ', '\t', '>']);
    loop {
        if before.is_empty() || before.len() > 256 {
            return before.is_empty();
        }
        let rest = line::without_marker(before).trim_start_matches([' ', '\t', '>']);
        if rest.len() == before.len() {
            return false;
        }
        before = rest;
    }
}

fn ends_line(raw: &str, at: usize) -> bool {
    let rest = raw[at..].trim_start_matches([' ', '\t']);
    rest.is_empty() || rest.starts_with(['\n', '\r'])
}

fn holds_blank_line(text: &str) -> bool {
    line::each(text, Span::new(0, text.len())).skip(1).any(|line| line::is_blank(line.of(text)))
}
