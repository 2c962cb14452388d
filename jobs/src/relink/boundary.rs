//! Where words stand free in a text, so that a link may begin and end there.
//!
//! Scripts with blanks: no letter, digit or mark of a letter on either side, and none of `- / @ # _`; a
//! dot only where it ends a sentence. Other marks part words, `'` and `’` too, unless they tie two words
//! of code together, as in `a:b`, `k=v` and `c+d`.
//!
//! Scripts without: Katakana where its run starts and ends; Hiragana at a run's start, up to its end or
//! a particle; Hangul at a word's start, up to its end or a particle; Han, in notes that hold Hiragana,
//! where its run starts and ends, and in other notes anywhere; Thai between whole letters.

use crate::vault::names::token::{Class, Script, class_of, script_of};

/// Korean particles and endings, longest first where one starts with another.
const KOREAN: [&str; 71] = [
    "으로부터",
    "에서부터",
    "이라고",
    "이라는",
    "이라면",
    "에서는",
    "에서도",
    "에서의",
    "에게서",
    "으로는",
    "으로도",
    "으로써",
    "으로서",
    "이므로",
    "입니다",
    "이지만",
    "까지",
    "까지의",
    "까지는",
    "부터",
    "부터는",
    "처럼",
    "보다",
    "보다는",
    "라고",
    "라는",
    "라면",
    "에는",
    "에도",
    "에서",
    "에게",
    "으로",
    "로는",
    "로도",
    "로서",
    "로써",
    "로의",
    "와의",
    "과의",
    "와는",
    "과는",
    "이나",
    "이란",
    "이며",
    "이고",
    "이다",
    "들은",
    "들이",
    "들을",
    "들의",
    "들",
    "하고",
    "마다",
    "조차",
    "밖에",
    "란",
    "나",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "의",
    "에",
    "로",
    "와",
    "과",
    "도",
    "만",
    "인",
];

/// Japanese particles that may follow a name in Hiragana, or stand before one.
const JAPANESE: [&str; 17] = [
    "から",
    "まで",
    "より",
    "です",
    "だけ",
    "など",
    "という",
    "は",
    "が",
    "を",
    "に",
    "へ",
    "と",
    "も",
    "の",
    "で",
    "や",
];

/// How free some words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freedom {
    /// They do not.
    Bound,
    /// Inside a run of Han or Thai, where no mark tells words apart.
    InRun,
    /// Before a particle.
    BeforeParticle,
    /// On both sides.
    Free,
}

/// How free the words `start..end` of the folded `text` stand; `is_japanese` where Hiragana is about.
pub fn freedom(text: &str, start: usize, end: usize, is_japanese: bool) -> Freedom {
    let (before, inner, after) = (&text[..start], &text[start..end], &text[end..]);
    let (Some(first), Some(last)) = (inner.chars().next(), inner.chars().next_back()) else {
        return Freedom::Bound;
    };
    let at_start = at_start(before, first, is_japanese);
    if at_start == Freedom::Bound {
        return at_start;
    }
    at_start.min(at_end(after, last, is_japanese))
}

fn at_start(before: &str, first: char, is_japanese: bool) -> Freedom {
    let Some(next) = before.chars().next_back() else { return Freedom::Free };
    if next.is_whitespace() {
        return Freedom::Free;
    }
    let second = before[..before.len() - next.len_utf8()].chars().next_back();
    // `![[` would be an embed, `^[` a footnote in the text.
    if is_glue(next) || next == '.' || ties(next, second) || matches!(next, '!' | '^' | '\\' | '[') {
        return Freedom::Bound;
    }
    match (class_of(first), class_of(next)) {
        (Class::Word, Class::Word) => Freedom::Bound,
        (Class::Sign(own), Class::Sign(other)) if own == other => match own {
            Script::Hiragana if ends_with_particle(before) => Freedom::BeforeParticle,
            own => in_run(own, is_japanese),
        },
        _ => Freedom::Free,
    }
}

fn at_end(after: &str, last: char, is_japanese: bool) -> Freedom {
    let Some(next) = after.chars().next() else { return Freedom::Free };
    if next.is_whitespace() {
        return Freedom::Free;
    }
    let rest = &after[next.len_utf8()..];
    let second = rest.chars().next();
    let is_dot = next == '.' && second.is_some_and(|c| c.is_alphanumeric() || is_glue(c));
    let is_call = next == '(' && second == Some(')');
    if is_glue(next) || is_dot || ties(next, second) || is_call || is_joiner(next) || next == ']' {
        return Freedom::Bound;
    }
    match (class_of(last), class_of(next)) {
        (Class::Word, Class::Word) => Freedom::Bound,
        (Class::Sign(Script::Hangul) | Class::Word, Class::Sign(Script::Hangul)) => {
            let run = run_of(after, Script::Hangul);
            if KOREAN.contains(&run) { Freedom::BeforeParticle } else { Freedom::Bound }
        }
        (Class::Sign(own), Class::Sign(other)) if own == other => match own {
            Script::Hiragana if JAPANESE.iter().any(|particle| after.starts_with(particle)) => {
                Freedom::BeforeParticle
            }
            own => in_run(own, is_japanese),
        },
        _ => Freedom::Free,
    }
}

/// What a place inside a run of one script is worth.
fn in_run(script: Script, is_japanese: bool) -> Freedom {
    match script {
        Script::Han if !is_japanese => Freedom::InRun,
        Script::Thai => Freedom::InRun,
        _ => Freedom::Bound,
    }
}

fn run_of(text: &str, script: Script) -> &str {
    let end = text.char_indices().find(|(_, c)| script_of(*c) != Some(script));
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

fn ends_with_particle(before: &str) -> bool {
    JAPANESE.iter().any(|particle| before.ends_with(particle))
}

/// Marks that make one word of what stands on their sides.
fn is_glue(c: char) -> bool {
    matches!(c, '-' | '/' | '@' | '#' | '_' | '\u{2010}' | '\u{2011}')
}

/// Marks that do so only between letters.
fn ties(mark: char, beyond: Option<char>) -> bool {
    matches!(mark, ':' | '=' | '+' | '&' | '~' | '$' | '%' | '\\' | '^')
        && beyond.is_some_and(|c| c.is_ascii_alphanumeric() || c == mark && mark != '~' && mark != '=')
}

/// What changes the look of the sign before it: the sign alone is another one.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(text: &str, words: &str) -> Freedom {
        let is_japanese = text.chars().any(|c| script_of(c) == Some(Script::Hiragana));
        let start = text.find(words).unwrap();
        freedom(text, start, start + words.len(), is_japanese)
    }

    #[test]
    fn letters_and_marks_of_code_bind_words() {
        for text in [
            "redis-cli",
            "my-redis",
            "src/redis/x",
            "@redis",
            "#redis",
            "redis_conf",
            "redis.md",
            "redis2",
            "x.redis",
            "redis::get",
            "k=redis",
            "redis:6379",
            "a+redis",
            "redis()",
            "!redis",
            "\\redis",
            "[redis]",
            "see ^redis",
        ] {
            assert_eq!(free(text, "redis"), Freedom::Bound, "{text}");
        }
        for text in [
            "redis",
            "(redis)",
            "“redis”",
            "redis's",
            "redis’s",
            "**redis**",
            "redis.",
            "redis. next",
            "redis: a store",
            "redis, next",
            "redis—next",
            "redis...",
            "redis? ",
            "==redis==",
            "使用redis缓存",
            "redis\u{1}",
        ] {
            assert_eq!(free(text, "redis"), Freedom::Free, "{text}");
        }
    }

    #[test]
    fn japanese_words_stand_free_where_their_script_changes() {
        for (text, words, expected) in [
            ("データベース設計を", "設計", Freedom::Free),
            ("データベースの", "データ", Freedom::Bound),
            ("京都に", "都", Freedom::Bound),
            ("東京都庁へ", "東京", Freedom::Bound),
            ("サーバーの", "サーバ", Freedom::Bound),
            ("りんごを食べる", "りんご", Freedom::BeforeParticle),
        ] {
            assert_eq!(free(text, words), expected, "{words} in {text}");
        }
    }

    #[test]
    fn korean_words_end_before_particles() {
        assert_eq!(free("한국어는 쉽다", "한국어"), Freedom::BeforeParticle);
        assert_eq!(free("한국어 쉽다", "한국어"), Freedom::Free);
        assert_eq!(free("한국어학당", "한국어"), Freedom::Bound);
        assert_eq!(free("북한국어", "한국어"), Freedom::Bound);
        assert_eq!(free("java에서는", "java"), Freedom::BeforeParticle);
        assert_eq!(free("java스크립트", "java"), Freedom::Bound);
    }

    #[test]
    fn chinese_words_may_stand_anywhere_in_a_run() {
        assert_eq!(free("个人知识管理很重要", "知识管理"), Freedom::InRun);
        assert_eq!(free("（知识管理）", "知识管理"), Freedom::Free);
    }
}
