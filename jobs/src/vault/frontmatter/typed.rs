//! Plain texts that YAML takes as something else: nothing, yes or no, a number, a time, a merge key. Both
//! versions count, 1.2 (its core schema) and 1.1 (<https://yaml.org/type/>), since readers differ.

/// True where a reader of YAML takes the plain text as something else than a text.
pub fn is_typed(text: &str) -> bool {
    is_word(text) || is_number(text) || is_time(text)
}

/// True for the words of either version, in whatever case.
pub(super) fn is_word(text: &str) -> bool {
    const WORDS: [&str; 16] = [
        "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "=", "<<", ".inf", "-.inf",
        "+.inf", ".nan",
    ];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whole numbers of base 2, 8, 10 and 16, fractions, and numbers of base 60 such as `12:30`.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_of = |digits: &str, is_digit: fn(&u8) -> bool| {
        digits.bytes().any(|byte| is_digit(&byte))
            && digits.bytes().all(|byte| byte == b'_' || is_digit(&byte))
    };
    let of_base =
        |mark: &str, is_digit| text.strip_prefix(mark).is_some_and(|digits| is_of(digits, is_digit));
    of_base("0x", u8::is_ascii_hexdigit)
        || of_base("0o", |byte| matches!(byte, b'0'..=b'7'))
        || of_base("0b", |byte| matches!(byte, b'0' | b'1'))
        || is_fraction(text)
        || is_of_base_60(text)
}

/// `1`, `1.10`, `.5`, `1_000`, `1e3`.
fn is_fraction(text: &str) -> bool {
    let (number, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let power = power.strip_prefix(['+', '-']).unwrap_or(power);
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit());
    let has_digit = |digits: &str| digits.bytes().any(|byte| byte.is_ascii_digit());
    let is_start = !whole.starts_with('_') && is_digits(whole) && is_digits(part);
    is_start
        && (has_digit(whole) || has_digit(part))
        && has_digit(power)
        && !power.contains('_')
        && is_digits(power)
}

fn is_of_base_60(text: &str) -> bool {
    let mut parts = text.split(':');
    let is_digits = |part: &str| part.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit());
    let first =
        parts.next().is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()) && is_digits(part));
    let mut rest = parts.map(|part| part.split('.').next().unwrap_or(part)).peekable();
    let is_sixtieth = |part: &str| {
        matches!(part.len(), 1 | 2) && is_digits(part) && part.parse::<u8>().is_ok_and(|number| number < 60)
    };
    first && rest.peek().is_some() && rest.all(is_sixtieth)
}

/// `2026-03-16`, alone or with a time of day: anything else behind the day makes a text of it.
fn is_time(text: &str) -> bool {
    let n_day = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
    let (day, clock) = text.split_at(n_day);
    let parts: Vec<usize> = day.split('-').map(str::len).collect();
    if !matches!(parts.as_slice(), [4, 1 | 2, 1 | 2]) {
        return false;
    }
    let clock = clock.strip_prefix(['T', 't']).unwrap_or_else(|| clock.trim_start_matches([' ', '\t']));
    let is_clock = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | '+' | '-' | 'Z' | ' ' | '\t');
    n_day == text.len()
        || clock.starts_with(|c: char| c.is_ascii_digit())
            && clock.contains(':')
            && clock.chars().all(is_clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_typed_only_where_all_of_it_is() {
        for text in [
            "no",
            "Yes",
            "~",
            "NULL",
            "=",
            "<<",
            ".NaN",
            "-.inf",
            "1",
            "-1",
            "0123",
            "0o17",
            "0x1F",
            "0b1010_0111",
            "1_000",
            "1.10",
            ".5",
            "5.",
            "1e3",
            "+12e03",
            "1.5E-3",
            "12:30",
            "190:20:30",
            "190:20:30.15",
            "2026-01-01",
            "2001-1-1",
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14 21:59:43.10 -5",
            "2026-03-16 10:00:00",
        ] {
            assert!(is_typed(text), "{text:?}");
        }
        for text in [
            "",
            "none",
            "2026-01-01 thing",
            "2026-01-01-thing",
            "2026-01",
            "1.2.3",
            "v1.2",
            "5 apples",
            "1a",
            "0x",
            "0o9",
            ".",
            "e3",
            "1e",
            "-",
            "+",
            "_1",
            "12:",
            "12:75",
            ":30",
            "a:b",
            "2026-01-01 12",
            "10-12",
            "3-4-5",
            "2026/01/01",
        ] {
            assert!(!is_typed(text), "{text:?}");
        }
    }
}
