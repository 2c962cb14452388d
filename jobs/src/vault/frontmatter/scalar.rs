//! How a text is written so that it reads back as just that text, by readers of YAML 1.1 and of 1.2: plain
//! where nothing can go wrong, else in quotes.

use super::{ScalarStyle, typed};
use chrono::NaiveDate;

/// Where a scalar stands: commas and brackets end it inside a flow list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// Behind a colon or a dash.
    Block,
    /// Between `[` and `]`.
    Flow,
}

/// `text` as a scalar: in the style wished for where that can hold it, else in double quotes.
pub(super) fn written(text: &str, wish: ScalarStyle, around: Around) -> String {
    match wish {
        ScalarStyle::Plain if is_safe(text, around) => text.to_owned(),
        ScalarStyle::SingleQuoted if !text.chars().any(needs_escape) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        _ => double_quoted(text),
    }
}

/// As [`written`], but a day of the calendar in ISO's spelling stays plain, and so does one with a time: where
/// a date is set, a date is meant.
pub(super) fn value(text: &str, wish: ScalarStyle) -> String {
    match wish {
        ScalarStyle::Plain if is_date(text) => text.to_owned(),
        _ => written(text, wish, Around::Block),
    }
}

fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if needs_escape(c) => quoted.push_str(&escaped(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn escaped(c: char) -> String {
    match u32::from(c) {
        code @ ..=0xff => format!("\\x{code:02X}"),
        code @ ..=0xffff => format!("\\u{code:04X}"),
        code => format!("\\U{code:08X}"),
    }
}

/// Characters that no line of YAML may hold as they are, or that some reader takes as a line break.
fn needs_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// True where a plain scalar reads back as this very text everywhere.
fn is_safe(text: &str, around: Around) -> bool {
    let is_wrong_start = |c: char| "-?:,[]{}#&*!|>'\"%@`=~<".contains(c);
    let is_open = !text.starts_with(is_wrong_start) && !text.starts_with("...");
    let ends = text.trim() != text || text.ends_with(':') || text.is_empty();
    let breaks = [": ", " #", ":\t", "\t#"].iter().any(|mark| text.contains(mark));
    let in_flow = around == Around::Flow && text.contains([',', '[', ']', '{', '}', ':', '?']);
    is_open && !ends && !breaks && !in_flow && !text.chars().any(needs_escape) && !is_retyped(text)
}

/// True where some reader of YAML may take the plain text as something else than a text. Wider than
/// [`is_typed`](super::is_typed): quotes that are not needed harm nobody.
fn is_retyped(text: &str) -> bool {
    let is_in_number = |c: char| c.is_ascii_hexdigit() || "xXoO_.,:+-".contains(c);
    let starts_number =
        text.trim_start_matches(['+', '-', '.', '_']).starts_with(|c: char| c.is_ascii_digit());
    typed::is_word(text) || starts_number && (text.chars().all(is_in_number) || starts_day(text))
}

/// True where a year, a month and a day stand at the start, of one digit or two: so YAML 1.1 takes a time.
fn starts_day(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let mut starts_digits = |n_digits: &[usize]| {
        parts
            .next()
            .is_some_and(|part| n_digits.contains(&part.bytes().take_while(u8::is_ascii_digit).count()))
    };
    starts_digits(&[4]) && starts_digits(&[1, 2]) && starts_digits(&[1, 2])
}

/// A day of the calendar, or one with a time of the day, in the spelling of ISO 8601.
fn is_date(text: &str) -> bool {
    let Some((day, time)) = text.split_at_checked(10) else { return false };
    let is_day = day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        && NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok();
    is_day && (time.is_empty() || time.strip_prefix(['T', 't', ' ']).is_some_and(is_time))
}

/// Hours and minutes, seconds and their parts if wished, and an offset from UTC if wished.
fn is_time(text: &str) -> bool {
    let (clock, offset) = text.split_at(text.find(['Z', 'z', '+', '-', ' ']).unwrap_or(text.len()));
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let is_clock = match clock.len() {
        5 => is_pairs(clock, &[23, 59]),
        _ => is_pairs(clock, &[23, 59, 59]),
    };
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    is_clock && is_fraction && is_offset(offset.strip_prefix(' ').unwrap_or(offset), offset)
}

/// `Z`, hours, or hours and minutes with or without a colon; or nothing at all.
fn is_offset(text: &str, with_blank: &str) -> bool {
    let Some(hours) = text.strip_prefix(['+', '-']) else {
        return matches!(text, "Z" | "z") || with_blank.is_empty();
    };
    match hours.len() {
        2 => is_pairs(hours, &[23]),
        4 => is_pairs(&format!("{}:{}", &hours[..2], &hours[2..]), &[23, 59]),
        _ => is_pairs(hours, &[23, 59]),
    }
}

/// Two digits for each number, no larger than that, with colons between them.
fn is_pairs(text: &str, largest: &[u32]) -> bool {
    let parts: Vec<&str> = text.split(':').collect();
    let is_pair = |(part, largest): (&&str, &u32)| {
        part.len() == 2
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse::<u32>().is_ok_and(|number| number <= *largest)
    };
    parts.len() == largest.len() && parts.iter().zip(largest).all(is_pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_plain_only_where_every_reader_takes_it_as_itself() {
        for plain in ["active", "a b", "it's", "x#y", "a:b", "say \"hi\"", "季節", "v1.2", "5 apples", "C-3"]
        {
            assert_eq!(written(plain, ScalarStyle::Plain, Around::Block), plain);
        }
        for (text, quoted) in [
            ("", "\"\""),
            (" lead", "\" lead\""),
            ("trail ", "\"trail \""),
            ("x: y", "\"x: y\""),
            ("x:", "\"x:\""),
            ("a #b", "\"a #b\""),
            ("# no", "\"# no\""),
            ("- dash", "\"- dash\""),
            ("[[Note]]", "\"[[Note]]\""),
            ("say \\ \"hi\": x", "\"say \\\\ \\\"hi\\\": x\""),
            ("two\nlines", "\"two\\nlines\""),
            ("a\u{2028}b", "\"a\\u2028b\""),
            ("...", "\"...\""),
        ] {
            assert_eq!(written(text, ScalarStyle::Plain, Around::Block), quoted);
        }
        for retyped in [
            "yes",
            "No",
            "ON",
            "y",
            "null",
            "~",
            "true",
            "1",
            "0123",
            "0o17",
            "0x1F",
            "1_000",
            "1e3",
            ".5",
            "-1",
            "12:30",
            "2024-01-01",
            "2024-01-01T10:00:00Z",
            ".inf",
            ".NaN",
            "=",
            "<<",
            "1.10",
            "2001-1-1 1:00:00",
            "2001-12-1T1:00:00Z",
            "2024-01-01 and more",
            "._1",
            "190:20:30",
            "0b1010_0111",
            "+12e03",
        ] {
            assert_eq!(written(retyped, ScalarStyle::Plain, Around::Block), format!("\"{retyped}\""));
        }
    }

    #[test]
    fn a_style_is_kept_where_it_can_hold_the_text() {
        assert_eq!(written("it's", ScalarStyle::SingleQuoted, Around::Block), "'it''s'");
        assert_eq!(written("a\tb", ScalarStyle::SingleQuoted, Around::Block), "\"a\\tb\"");
        assert_eq!(written("x", ScalarStyle::DoubleQuoted, Around::Block), "\"x\"");
    }

    #[test]
    fn in_a_flow_list_commas_brackets_and_colons_need_quotes() {
        for text in ["Denver, Co", "a]b", "{a", "a:b"] {
            assert_eq!(written(text, ScalarStyle::Plain, Around::Flow), format!("\"{text}\""));
        }
    }

    #[test]
    fn a_date_that_is_set_stays_plain() {
        for date in [
            "2026-03-16",
            "2024-02-29",
            "2026-03-16T10:00:00+01:00",
            "2026-03-16 10:00",
            "2019-10-07 22:48:28 +0900",
            "2026-03-16T10:00:00.123Z",
        ] {
            assert_eq!(value(date, ScalarStyle::Plain), date);
        }
        assert_eq!(value("2026-03-16", ScalarStyle::SingleQuoted), "'2026-03-16'");
        for text in [
            "2026-03-16 # x",
            "2026-03-16: x",
            "2026-03-16 :",
            "2026-03-16 10: 30",
            "2026-03-16 25:00",
            "2026-03-16T10:00 ",
            "2026-03-16T10:00+",
            "2026-13-45",
            "2026-02-29",
            "2026-03-1",
            "2026-03-16 ",
        ] {
            assert!(value(text, ScalarStyle::Plain).starts_with('"'), "{text}");
        }
    }

    /// What a block says of its key `k`, as one text or as the first item of a list.
    fn read_back(block: &str) -> Option<String> {
        let found = super::super::Frontmatter::find(&format!("---\n{block}\n---\n"))?;
        found.list("k").first().map(|text| (*text).to_owned())
    }

    /// Texts made of what YAML trips over.
    fn awkward() -> impl proptest::strategy::Strategy<Value = String> {
        let part = proptest::sample::select(vec![
            ":", ": ", " #", "#", "-", "- ", "?", ",", "[", "]", "{", "}", "&", "*", "!", "|", ">", "'",
            "\"", "%", "@", "`", "\\", "\n", "\t", "\r", " ", "~", "null", "yes", "0", "1", ".", "e", "x",
            "_", "T", "=", "<<", "\u{85}", "\u{2028}", "\u{feff}", "\u{7f}", "\0", "é", "季", "🟢", "---",
            "...", "[[", "]]", "word",
        ]);
        proptest::strategy::Strategy::prop_map(proptest::collection::vec(part, 0..8), |parts| parts.concat())
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(2000))]
        #[test]
        fn what_is_written_reads_back(text in awkward(), style in 0..3) {
            let styles = [ScalarStyle::Plain, ScalarStyle::SingleQuoted, ScalarStyle::DoubleQuoted];
            let style = styles[style as usize];
            let in_block = format!("k: {}", written(&text, style, Around::Block));
            proptest::prop_assert_eq!(read_back(&in_block), Some(text.clone()), "{}", in_block);
            let in_flow = format!("k: [{}, z]", written(&text, style, Around::Flow));
            proptest::prop_assert_eq!(read_back(&in_flow), Some(text.clone()), "{}", in_flow);
            let in_item = format!("k:\n  - {}", written(&text, style, Around::Block));
            proptest::prop_assert_eq!(read_back(&in_item), Some(text), "{}", in_item);
        }
    }
}
