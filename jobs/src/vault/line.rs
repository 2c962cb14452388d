//! Lines by offset. A line ends with LF, CRLF or a lone CR, and owns its line end. Nothing here
//! copies text, and an offset inside a CRLF belongs to the line it ends.

use super::Span;

/// Where the line that holds byte `at` starts.
pub fn start(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at.min(bytes.len());
    if is_inside_crlf(bytes, at) {
        at -= 1;
    }
    while at > 0 && !matches!(bytes[at - 1], b'\n' | b'\r') {
        at -= 1;
    }
    at
}

/// One past the line end of the line that holds byte `at`; the text's length on the last line.
pub fn end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let at = at.min(bytes.len());
    if is_inside_crlf(bytes, at) {
        return at + 1;
    }
    let rest = &bytes[at..];
    match rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(here) if rest[here] == b'\r' && rest.get(here + 1) == Some(&b'\n') => at + here + 2,
        Some(here) => at + here + 1,
        None => bytes.len(),
    }
}

/// The whole lines that `span` touches, without the blank lines at its end; at least one line.
pub fn whole(text: &str, span: Span) -> Span {
    let inner = span.of(text).trim_end_matches(is_blank_char);
    let from = start(text, span.start);
    if inner.is_empty() {
        return Span::new(from, end(text, span.start));
    }
    // The last byte of the content, which is never part of a line end.
    Span::new(from, end(text, span.start + inner.len() - 1))
}

/// True where the line holds nothing but spaces, tabs and its line end.
pub fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// The parts of a text between its commas; one between two digits, as in `10,000`, parts nothing.
pub fn at_commas(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mut at = Some(0);
    std::iter::from_fn(move || {
        let start = at?;
        let parts = |comma: &usize| {
            bytes[*comma] == b',' && !(is_digit(comma.checked_sub(1)) && is_digit(Some(comma + 1)))
        };
        let end = (start..bytes.len()).find(parts);
        at = end.map(|end| end + 1);
        Some(&text[start..end.unwrap_or(text.len())])
    })
}

/// The line without its line end.
pub fn content(line: &str) -> &str {
    line.trim_end_matches(['\n', '\r'])
}

/// The lines of `span` in order, each with its line end; `span` should start at a line start.
pub fn each(text: &str, span: Span) -> impl Iterator<Item = Span> + '_ {
    let mut at = span.start;
    std::iter::from_fn(move || {
        let line = Span::new(at, end(text, at).min(span.end));
        at = line.end;
        (!line.is_empty()).then_some(line)
    })
}

/// A line or text without the list marker at its start and the blanks after it; as it was where there is none.
pub fn without_marker(text: &str) -> &str {
    let n_digits = text.bytes().take(9).take_while(u8::is_ascii_digit).count();
    let rest = match n_digits {
        0 => text.strip_prefix(['-', '*', '+']),
        n => text[n..].strip_prefix(['.', ')']),
    };
    let ends = |rest: &&str| rest.is_empty() || rest.starts_with(is_blank_char);
    rest.filter(ends).map_or(text, |rest| rest.trim_start_matches([' ', '\t']))
}

/// A checkbox at the start of `text`: its character, and its length with the blanks after it.
pub fn checkbox(text: &str) -> Option<(char, usize)> {
    let inner = text.strip_prefix('[')?;
    let mark = inner.chars().next()?;
    let rest = inner[mark.len_utf8()..].strip_prefix(']')?;
    let is_box = rest.is_empty() || rest.starts_with(is_blank_char);
    let n_bytes = text.len() - rest.trim_start_matches([' ', '\t']).len();
    (is_box && !matches!(mark, '\n' | '\r')).then_some((mark, n_bytes))
}

fn is_blank_char(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_inside_crlf(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes.get(at) == Some(&b'\n') && bytes[at - 1] == b'\r'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_with_lf_crlf_or_a_lone_cr() {
        let text = "a\nbb\r\nc\rd";
        let lines: Vec<_> = each(text, Span::new(0, text.len())).map(|line| line.of(text)).collect();
        assert_eq!(lines, ["a\n", "bb\r\n", "c\r", "d"]);
        assert_eq!((start(text, 5), end(text, 5)), (2, 6), "inside the CRLF");
        assert_eq!((start(text, 6), end(text, 6)), (6, 8));
    }

    #[test]
    fn whole_lines_leave_the_blank_lines_after_them() {
        let text = "a\r\nb c\r\n \t\r\n\r\nd";
        assert_eq!(whole(text, Span::new(3, 14)).of(text), "b c\r\n");
        assert_eq!(whole(text, Span::new(5, 6)).of(text), "b c\r\n");
        assert_eq!(whole(text, Span::new(8, 10)).of(text), " \t\r\n");
    }
}
