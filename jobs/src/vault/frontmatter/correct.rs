//! A value put into quotes as its writer most likely meant it. Quotes that are there already and were
//! meant to hold the whole value stay the outer ones.

use super::row;

/// The value in quotes: single ones where it has none inside, else double ones with escapes.
pub(super) fn quoted(value: &str) -> String {
    match meant_in_quotes(value) {
        Some((b'"', content)) => format!("\"{}\"", escaped(content, is_escape)),
        Some((_, content)) => fresh(&content.replace("''", "'")),
        None => fresh(value),
    }
}

fn fresh(content: &str) -> String {
    match content.contains('\'') {
        false => format!("'{content}'"),
        true => format!("\"{}\"", escaped(content, |_| false)),
    }
}

/// The content without double quotes and backslashes that would end it or mean something else;
/// `stays` says of the text behind a backslash whether the two are kept as an escape.
fn escaped(content: &str, stays: fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(content.len() + 8);
    let mut chars = content.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if stays(&content[at + 1..]) => {
                out.push(c);
                out.extend(chars.next().map(|(_, next)| next));
            }
            '\\' | '"' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// True where a backslash before this text makes an escape of YAML.
pub(super) fn is_escape(behind: &str) -> bool {
    let n_digits = match behind.chars().next() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        Some(c) => return "0abt\tnvfre \"/\\N_LP".contains(c),
        None => return false,
    };
    let digits = behind.as_bytes().get(1..=n_digits);
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// The quote and the content of a value whose first quote was meant to end at its end, or is never closed.
fn meant_in_quotes(value: &str) -> Option<(u8, &str)> {
    let quote = *value.as_bytes().first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let Some(first_end) = row::closing_quote(value, 0, value.len()) else {
        return Some((quote, &value[1..]));
    };
    let is_end_of_a_word = value[first_end + 1..].starts_with([' ', '\t', ',', ';', '.', ')']);
    let is_outer = !is_end_of_a_word && value.as_bytes().last() == Some(&quote);
    is_outer.then(|| (quote, &value[1..value.len() - 1]))
}
