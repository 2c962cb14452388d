//! What Obsidian and its plugins read in plain text: tags, block ids, bare addresses, inline fields,
//! templates, footnote marks without a definition. Only bytes that nothing else protects are
//! looked at, once each.

use super::{Markdown, Span, merge};
use crate::vault::line;

/// Longest key of an inline field, in bytes; longer runs before `::` are prose.
const MAX_KEY: usize = 64;

/// Longest scheme before `://`, and longest name before `@`, in bytes.
const MAX_NAME: usize = 64;

/// Adds to `markdown` what the Markdown reader cannot know.
pub(super) fn add_protected(text: &str, body: usize, markdown: &mut Markdown) {
    let spans = templates(text, body);
    let long = spans.iter().filter(|span| span.of(text).contains(['\n', '\r']));
    markdown.comments = merge(markdown.comments.iter().chain(long).copied().collect());
    let known = merge(markdown.protected.iter().copied().chain(spans).collect());
    let mut scan = Scan { text, found: Vec::new(), ids: Vec::new(), no_close_before: [0; 2] };
    let mut at = body;
    for next in known.iter().copied().chain([Span::at(text.len())]) {
        scan.gap(Span::new(at, next.start));
        at = at.max(next.end);
    }
    markdown.ids = scan.ids;
    let found = scan.found;
    markdown.protected = merge(known.into_iter().chain(found).collect());
}

/// `<% … %>` over lines, `{{ … }}` within one; without an end they stop at their line's end.
fn templates(text: &str, body: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = body;
    let mut may_close = text.contains("%>");
    if !text.contains("<%") && !text.contains("{{") {
        return found;
    }
    while let Some(here) = text.get(at..).and_then(next_template) {
        let start = at + here;
        let is_code = text[start..].starts_with("<%");
        let closed = match is_code {
            true if may_close => text[start..].find("%>").map(|close| start + close + 2),
            true => None,
            false => find_in_line(text, start, "}}").map(|close| close + 2),
        };
        may_close &= !is_code || closed.is_some();
        let end = closed.unwrap_or_else(|| line_end(text, start));
        found.push(Span::new(start, end));
        at = end;
    }
    found
}

fn next_template(text: &str) -> Option<usize> {
    text.as_bytes().windows(2).position(|pair| pair == b"<%" || pair == b"{{")
}

/// Where `wanted` starts, at or after `from` and on the same line.
fn find_in_line(text: &str, from: usize, wanted: &str) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    let is_end =
        |at: &usize| matches!(bytes[*at], b'\n' | b'\r') || bytes[*at..].starts_with(wanted.as_bytes());
    let at = (0..bytes.len()).find(is_end)?;
    bytes[at..].starts_with(wanted.as_bytes()).then_some(from + at)
}

/// Where the line that holds `at` ends, without its line end.
fn line_end(text: &str, at: usize) -> usize {
    at + line::content(&text[at..line::end(text, at)]).len()
}

struct Scan<'a> {
    text: &'a str,
    found: Vec<Span>,
    ids: Vec<Span>,
    /// A search for `]`, for `)` failed up to here: no need to search again.
    no_close_before: [usize; 2],
}

impl Scan<'_> {
    fn gap(&mut self, gap: Span) {
        let mut at = gap.start;
        while at < gap.end {
            let end = self.at(at, gap);
            if end > at {
                at = end;
            } else {
                at += 1;
            }
        }
    }

    /// Where what starts at `at` ends; `at` itself where nothing does.
    fn at(&mut self, at: usize, gap: Span) -> usize {
        let bytes = self.text.as_bytes();
        let span = match bytes[at] {
            b'#' => self.tag(at, gap),
            b'^' => self.block_id(at),
            b'[' => self.footnote_mark(at, gap).or_else(|| self.bracketed_field(at, gap, "]")),
            b'(' => self.bracketed_field(at, gap, ")"),
            b':' => self.address(at, gap).or_else(|| self.line_field(at)),
            b'w' | b'W' => self.www(at, gap),
            b'@' => self.mail(at, gap),
            _ => None,
        };
        match span {
            Some(span) => {
                self.found.push(span);
                span.end
            }
            None => at,
        }
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    fn tag(&self, at: usize, gap: Span) -> Option<Span> {
        let opens =
            self.before(at).is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '#' | '/' | '&' | '_'));
        let rest = self.text.get(at + 1..gap.end).filter(|_| opens)?;
        let name = rest.find(|c: char| !is_tag_char(c)).map_or(rest, |end| &rest[..end]);
        let is_tag = name.chars().any(|c| !c.is_ascii_digit() && c != '/');
        is_tag.then(|| Span::new(at, at + 1 + name.len()))
    }

    fn block_id(&mut self, at: usize) -> Option<Span> {
        if self.before(at).is_some_and(|c| !c.is_whitespace()) {
            return None;
        }
        let bytes = self.text.as_bytes();
        let n_bytes = bytes[at + 1..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
        let end = at + 1 + n_bytes;
        let rest = self.text[end..].trim_start_matches([' ', '\t']);
        let ends_line = rest.is_empty() || rest.starts_with(['\n', '\r']);
        let id = (n_bytes > 0 && ends_line).then(|| Span::new(at, end));
        self.ids.extend(id);
        id
    }

    fn footnote_mark(&self, at: usize, gap: Span) -> Option<Span> {
        let label = self.text.get(at..gap.end)?.strip_prefix("[^")?;
        let n_bytes =
            label.bytes().take(MAX_NAME).take_while(|b| !matches!(b, b']' | b'[' | b' ' | b'\n')).count();
        let is_mark = n_bytes > 0 && label.as_bytes().get(n_bytes) == Some(&b']');
        is_mark.then(|| Span::new(at, at + 2 + n_bytes + 1))
    }

    /// `(key:: value)` and `[key:: value]`, all of it: the value has a type that words in it would change.
    fn bracketed_field(&mut self, at: usize, gap: Span, close: &str) -> Option<Span> {
        let n_key = key_length(self.text.get(at + 1..gap.end)?)?;
        let memo = usize::from(close == ")");
        if at < self.no_close_before[memo] {
            return None;
        }
        match find_in_line(self.text, at + 1 + n_key, close) {
            Some(here) => Some(Span::new(at, here + 1)),
            None => {
                self.no_close_before[memo] = line_end(self.text, at);
                None
            }
        }
    }

    /// `key::` at the start of a line or item, at its first colon.
    fn line_field(&self, at: usize) -> Option<Span> {
        if !self.text[at..].starts_with("::") || self.text[at..].starts_with(":::") {
            return None;
        }
        let mut start = at;
        for (here, c) in self.text[..at].char_indices().rev() {
            if matches!(c, '\n' | '\r') || at - here > MAX_KEY {
                break;
            }
            start = here;
        }
        let key = self.text[start..at].trim_start_matches(|c: char| !c.is_alphanumeric());
        let lead = &self.text[start..at - key.len()];
        let is_at_start = start == 0 || self.text[..start].ends_with(['\n', '\r']);
        let is_key = !key.is_empty() && key.chars().all(is_key_char) && !lead.contains("::");
        (is_at_start && is_key).then(|| Span::new(at - key.len(), at + 2))
    }

    fn address(&self, at: usize, gap: Span) -> Option<Span> {
        if !self.text[at..].starts_with("://") {
            return None;
        }
        let before = &self.text.as_bytes()[gap.start..at];
        let is_scheme = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        let n_scheme = before.iter().rev().take(MAX_NAME).take_while(is_scheme).count();
        let end = self.address_end(at + 3, gap);
        (n_scheme > 0 && end > at + 3).then(|| Span::new(at - n_scheme, end))
    }

    fn www(&self, at: usize, gap: Span) -> Option<Span> {
        let opens = self.before(at).is_none_or(|c| !c.is_alphanumeric());
        let is_www = self.text.get(at..at + 4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
        let end = if opens && is_www { self.address_end(at + 4, gap) } else { at };
        (end > at + 4).then(|| Span::new(at, end))
    }

    fn address_end(&self, from: usize, gap: Span) -> usize {
        let rest = self.text.get(from..gap.end).unwrap_or_default();
        let address = rest.find(ends_address).map_or(rest, |end| &rest[..end]);
        let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '~', '\'', ')', ']']);
        from + address.len()
    }

    fn mail(&self, at: usize, gap: Span) -> Option<Span> {
        let is_local = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'%' | b'+' | b'-');
        let before = &self.text.as_bytes()[gap.start..at];
        let n_local = before.iter().rev().take(MAX_NAME).take_while(is_local).count();
        let is_host = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
        let after = &self.text.as_bytes()[at + 1..gap.end];
        let n_host = after.iter().take_while(is_host).count();
        let host = self.text[at + 1..at + 1 + n_host].trim_end_matches(['.', '-']);
        (n_local > 0 && host.contains('.')).then(|| Span::new(at - n_local, at + 1 + host.len()))
    }
}

/// The length of `key::` at the start of `text`.
fn key_length(text: &str) -> Option<usize> {
    let n_bytes = text.char_indices().find(|(at, c)| !is_key_char(*c) || *at > MAX_KEY).map(|(at, _)| at)?;
    (n_bytes > 0 && text[n_bytes..].starts_with("::")).then_some(n_bytes + 2)
}

fn is_key_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/') || is_emoji_part(c)
}

/// What Obsidian takes into a tag: anything but blanks and marks.
fn is_tag_char(c: char) -> bool {
    let is_mark = c.is_ascii_punctuation() && !matches!(c, '_' | '-' | '/');
    let is_typography = matches!(c, '\u{2000}'..='\u{206f}' | '\u{2e00}'..='\u{2e7f}') && c != '\u{200d}';
    !c.is_whitespace() && !c.is_control() && !is_mark && !is_typography
}

/// Symbols that keys may hold beside letters: pictures, joiners and variation marks.
fn is_emoji_part(c: char) -> bool {
    matches!(c, '\u{200d}' | '\u{fe0f}' | '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

fn ends_address(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '<' | '>'
                | '"'
                | '`'
                | '|'
                | '、'
                | '。'
                | '」'
                | '』'
                | '）'
                | '】'
                | '，'
                | '；'
                | '：'
                | '！'
                | '？'
        )
}
