//! Links as they are written, and the proof that a link changes nothing of its note but the words it is at.

use crate::vault::{NotePath, Span, frontmatter::Frontmatter, line, markdown::skeleton};
use config::LinkStyle;

/// How one link is written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// It lies in a table, in which a bare `|` would end a cell.
    pub is_table: bool,
    /// Which kind.
    pub kind: LinkStyle,
}

/// The link from the note `from` to `target` that shows `words`.
pub fn link(from: &NotePath, target: &NotePath, words: &str, style: Style) -> String {
    let stem = target.stem();
    match style.kind {
        LinkStyle::Markdown => format!("[{words}]({})", address(from, target)),
        LinkStyle::Wikilink if words == stem => format!("[[{stem}]]"),
        LinkStyle::Wikilink if style.is_table => format!("[[{stem}\\|{words}]]"),
        LinkStyle::Wikilink => format!("[[{stem}|{words}]]"),
    }
}

/// The way from the folder of one note to another note, as a Markdown link has it.
fn address(from: &NotePath, target: &NotePath) -> String {
    let parts = |path: &NotePath| -> Vec<String> {
        path.folder().split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (own, other) = (parts(from), parts(target));
    let n_shared = own.iter().zip(&other).take_while(|(one, two)| one == two).count();
    let mut way = vec![String::from(".."); own.len() - n_shared];
    way.extend_from_slice(&other[n_shared..]);
    way.push(target.name().to_owned());
    escaped(&way.join("/"))
}

/// A path with all that ends or splits an address in a link as percent escapes (CommonMark 0.31, 6.3).
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '%' | '(' | ')' | '<' | '>' | '#' | '?' | '\\' | '|' | '*' | '_' | '`' | '$' | '~' | '['
            | ']' => {
                out.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c if c.is_whitespace() || c.is_control() => {
                let mut bytes = [0; 4];
                c.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
            }
            c => out.push(c),
        }
    }
    out
}

/// Texts are read at most this often to find the links that do harm; a note that needs more is left alone.
const MAX_READS: usize = 200;

/// The spans of those links that change nothing of the text but the words they are at: most often all. `links`
/// are in order of place, each with its bytes.
pub fn harmless(text: &str, links: &[(Span, String)]) -> Vec<Span> {
    if links.iter().all(|(span, link)| link.starts_with("[[") && is_clear(text, *span)) {
        return links.iter().map(|(span, _)| *span).collect();
    }
    let body = Frontmatter::body_of(text);
    let addresses: Vec<&str> = links.iter().filter_map(|(_, link)| address_of(link)).collect();
    let before = skeleton(text, body, &addresses);
    let mut trial = Trial { text, body, addresses, before, n_reads: 0 };
    let mut kept = Vec::new();
    trial.keep(&mut kept, links);
    if trial.n_reads > MAX_READS { Vec::new() } else { kept.iter().map(|(span, _)| *span).collect() }
}

/// The most bytes that are looked at around a link.
const MAX_AROUND: usize = 4096;

/// True where a wikilink at `span` can change nothing else, since there is nothing around it that it could: within the
/// lines up to blank ones, no mark of code, math, HTML, tables, escapes or comments, no bracket but those of whole
/// wikilinks, and no emphasis right beside it. Most links are clear, and spare two readings of their note.
fn is_clear(text: &str, span: Span) -> bool {
    let start = text[..span.start].rfind("\n\n").map_or(0, |at| at + 2);
    let end = text[span.end..].find("\n\n").map_or(text.len(), |at| span.end + at);
    let is_mark = |c: char| matches!(c, '*' | '_' | '~' | '=' | '!' | '^' | '#' | '&');
    let before = text[..span.start].chars().next_back();
    let after = text[span.end..].chars().next();
    end - start <= MAX_AROUND
        && !before.is_some_and(is_mark)
        && !after.is_some_and(is_mark)
        && !has_stray(Span::new(start, end).of(text))
}

/// True where a text holds what may pair with a bracket, or reach over one. Whole wikilinks and code within one line
/// do neither.
fn has_stray(text: &str) -> bool {
    let is_stray = |c: char| matches!(c, '[' | ']' | '`' | '$' | '<' | '\\' | '|' | '\r' | '{');
    let mut rest = text;
    while let Some(at) = rest.find(is_stray) {
        let (before, from) = rest.split_at(at);
        let past = match from.starts_with('`') {
            true => past_code(from),
            false if before.ends_with('!') => None,
            false => past_link(from),
        };
        let Some(past) = past else { return true };
        rest = &from[past..];
    }
    text.contains("%%") || text.contains("==")
}

/// Where the code ends that a text starts with, if it does on its line.
fn past_code(text: &str) -> Option<usize> {
    let line = line::content(&text[..line::end(text, 0)]);
    let inner = line.trim_start_matches('`');
    let n_marks = line.len() - inner.len();
    let marks = &line[..n_marks];
    let mut at = n_marks;
    loop {
        let next = at + line[at..].find('`')?;
        let end = next + line[next..].bytes().take_while(|byte| *byte == b'`').count();
        if line[next..end] == *marks {
            return Some(end);
        }
        at = end;
    }
}

/// Where the wikilink ends that a text starts with.
fn past_link(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("[[")?;
    let end = inner.find(['[', ']', '\n']).filter(|end| inner[*end..].starts_with("]]"))?;
    (!inner[..end].contains(['`', '$', '<', '\\', '{'])).then_some(end + 4)
}

/// The address of a Markdown link of ours.
fn address_of(link: &str) -> Option<&str> {
    let (_, address) = link.strip_suffix(')')?.rsplit_once("](")?;
    Some(address)
}

/// A note into which links are tried.
struct Trial<'a> {
    text: &'a str,
    body: usize,
    addresses: Vec<&'a str>,
    before: (u64, usize),
    n_reads: usize,
}

impl Trial<'_> {
    /// Adds those of `links` to `kept` that do no harm on top of it: all at once where that goes, else by halves.
    fn keep(&mut self, kept: &mut Vec<(Span, String)>, links: &[(Span, String)]) {
        if links.is_empty() || self.n_reads > MAX_READS {
            return;
        }
        let n_kept = kept.len();
        kept.extend_from_slice(links);
        if self.is_harmless(kept) {
            return;
        }
        kept.truncate(n_kept);
        if links.len() > 1 {
            let (head, tail) = links.split_at(links.len() / 2);
            self.keep(kept, head);
            self.keep(kept, tail);
        }
    }

    fn is_harmless(&mut self, links: &[(Span, String)]) -> bool {
        self.n_reads += 1;
        let (shape, n_links) = skeleton(&applied(self.text, links), self.body, &self.addresses);
        shape == self.before.0 && n_links == self.before.1 + links.len()
    }
}

/// The text with links in it.
pub fn applied(text: &str, links: &[(Span, String)]) -> String {
    let mut out = String::with_capacity(text.len() + 32 * links.len());
    let mut at = 0;
    for (span, link) in links {
        out.push_str(Span::new(at, span.start).of(text));
        out.push_str(link);
        at = span.end;
    }
    out.push_str(Span::new(at, text.len()).of(text));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::markdown::Markdown;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// What is clear is harmless, as reading the text again says.
        #[test]
        fn what_is_clear_does_no_harm(
            before in "([ab .,:#>-]|[*_`|<\\[\\]!~=$%&^{}1]|\\[\\[a\\]\\]|`a`|``|\n|\n\n|- |\\| ){0,14}",
            after in "([ab .,:#>-]|[*_`|<\\[\\]!~=$%&^{}1]|\\[\\[a\\]\\]|`a`|``|\n|\n\n|- |\\| ){0,14}",
        ) {
            let text = format!("{before}redis{after}");
            let span = Span::new(before.len(), before.len() + 5);
            // Only prose is ever linked.
            let is_prose = !Markdown::parse(&text, 0).is_protected(span);
            if is_prose && is_clear(&text, span) {
                let (shape, n) = skeleton(&text, 0, &[]);
                let linked = applied(&text, &[(span, "[[redis]]".to_owned())]);
                prop_assert_eq!(skeleton(&linked, 0, &[]), (shape, n + 1), "{:?}", linked);
            }
        }
    }

    #[test]
    fn an_address_leads_from_one_folder_to_the_other() {
        let way = |from: &str, to: &str| address(&NotePath::new(from).unwrap(), &NotePath::new(to).unwrap());
        assert_eq!(way("a.md", "b.md"), "b.md");
        assert_eq!(way("x/a.md", "x/y/b c.md"), "y/b%20c.md");
        assert_eq!(way("x/y/a.md", "z/b(1).md"), "../../z/b%281%29.md");
        assert_eq!(way("x/y/a.md", "x/Über.md"), "../Über.md");
    }
}
