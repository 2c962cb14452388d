//! Folded text as tokens: words of scripts that put blanks between them, single characters of scripts that
//! do not, single marks. Hyphen, underscore and blanks are one and the same token, so that `sprint-planning` is
//! found where `Sprint Planning` is written; who needs the difference compares the texts.

use std::hash::{BuildHasherDefault, Hasher};
use unicode_normalization::char::is_combining_mark;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A whole word of letters and digits.
    Word,
    /// One character of a script that is written without blanks, or of Hangul, with its marks.
    Sign(Script),
    /// Blanks, one hyphen, or one underscore.
    Blank,
    /// Any other single character.
    Mark,
}

/// Scripts with rules of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Chinese characters, in any language.
    Han,
    /// Japanese, rounded.
    Hiragana,
    /// Japanese, angular, with its long mark.
    Katakana,
    /// Korean syllables.
    Hangul,
    /// Thai, Lao, Khmer and Burmese.
    Thai,
}

/// One token of a folded text.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Equal for equal tokens.
    pub hash: u64,
    /// What it is made of.
    pub class: Class,
}

/// For maps whose keys are hashes already.
pub type Hashed = BuildHasherDefault<Same>;

/// A hash that is its key.
#[derive(Clone, Default)]
pub struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Odd, without a pattern in its bits.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of hashing.
pub fn mix(hash: u64, next: u64) -> u64 {
    let product = u128::from(hash.rotate_left(23) ^ next).wrapping_mul(u128::from(MIX));
    // The halves of the product, folded: the cast keeps the low one.
    (product >> 64) as u64 ^ product as u64
}

/// Half of a hash, for what is counted and never looked up alone; never 0.
pub fn short(hash: u64) -> u32 {
    // The upper half: the cast keeps it whole.
    ((hash >> 32) as u32).max(1)
}

/// The hash of some words; 0 for none.
pub fn hash_of(words: &str) -> u64 {
    words.chars().fold(0, |hash, c| mix(hash, u64::from(u32::from(c))))
}

/// The tokens of a folded text, appended to `out` after it was cleared.
pub fn tokens(text: &str, out: &mut Vec<Token>) {
    out.clear();
    let mut at = 0;
    while let Some(token) = next(text, at) {
        at = token.end;
        out.push(token);
    }
}

/// The token that starts at `at`.
fn next(text: &str, at: usize) -> Option<Token> {
    let first = text.get(at..)?.chars().next()?;
    let class = class_of(first);
    let mut hash = mix(0, u64::from(u32::from(first)));
    let mut end = at + first.len_utf8();
    match class {
        Class::Word => {
            let rest = text.as_bytes().get(end..).unwrap_or_default();
            for byte in rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()) {
                hash = mix(hash, u64::from(*byte));
                end += 1;
            }
            for c in text[end..].chars().take_while(|c| goes_on(*c)) {
                hash = mix(hash, u64::from(u32::from(c)));
                end += c.len_utf8();
            }
        }
        Class::Sign(_) => {
            for c in text[end..].chars().take_while(|c| is_mark_of_letter(*c)) {
                hash = mix(hash, u64::from(u32::from(c)));
                end += c.len_utf8();
            }
        }
        Class::Blank => {
            hash = MIX;
            if is_blank(first) {
                end += text[end..].chars().take_while(|c| is_blank(*c)).map(char::len_utf8).sum::<usize>();
            }
        }
        Class::Mark => {}
    }
    Some(Token { start: at, end, hash, class })
}

/// True where two folded texts are the same tokens; nothing is hashed, so this is certain.
pub fn same_words(one: &str, other: &str) -> bool {
    one == other || loosened(one).eq(loosened(other))
}

/// The characters of a text, with one space for a run of blanks, a hyphen or an underscore.
fn loosened(text: &str) -> impl Iterator<Item = char> {
    let mut was_blank = false;
    text.chars().filter_map(move |c| {
        let goes_on = was_blank && is_blank(c);
        was_blank = is_blank(c);
        (!goes_on).then_some(if class_of(c) == Class::Blank { ' ' } else { c })
    })
}

fn goes_on(c: char) -> bool {
    c.is_ascii_alphanumeric() || (!c.is_ascii() && (class_of(c) == Class::Word || is_combining_mark(c)))
}

fn is_mark_of_letter(c: char) -> bool {
    !matches!(c, '\0'..='\u{2ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}') && is_combining_mark(c)
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}' | '\u{3000}') || matches!(c, '\u{2000}'..='\u{200a}' | '\u{202f}')
}

/// What a token that starts with `c` is made of.
pub fn class_of(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Word,
            ' ' | '\t' | '-' | '_' => Class::Blank,
            _ => Class::Mark,
        };
    }
    match script_of(c) {
        // Letters of Latin and Cyrillic, without a look into tables.
        _ if matches!(c, '\u{c0}'..='\u{24f}' | '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}') => match c {
            '×' | '÷' => Class::Mark,
            _ => Class::Word,
        },
        Some(script) => Class::Sign(script),
        None if c.is_alphanumeric() => Class::Word,
        None if is_blank(c) => Class::Blank,
        None => Class::Mark,
    }
}

/// The script of `c`, where it has rules of its own.
pub fn script_of(c: char) -> Option<Script> {
    Some(match c {
        '\0'..='\u{dff}' => return None,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => Script::Thai,
        '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{a960}'..='\u{a97f}' => Script::Hangul,
        '\u{ac00}'..='\u{d7ff}' => Script::Hangul,
        '\u{3041}'..='\u{309f}' => Script::Hiragana,
        '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' => Script::Katakana,
        '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' => Script::Katakana,
        '\u{3005}'..='\u{3007}' | '\u{2e80}'..='\u{2fd5}' => Script::Han,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Script::Han,
        '\u{20000}'..='\u{323af}' => Script::Han,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::names::fold;
    use proptest::prelude::*;

    fn pieces(text: &str) -> Vec<String> {
        let text = fold(text);
        let mut found = Vec::new();
        tokens(&text, &mut found);
        found.iter().map(|token| text[token.start..token.end].to_owned()).collect()
    }

    fn hashes(text: &str) -> Vec<u64> {
        let mut found = Vec::new();
        tokens(&fold(text), &mut found);
        found.iter().map(|token| token.hash).collect()
    }

    #[test]
    fn words_are_whole_and_signs_are_single() {
        assert_eq!(pieces("Node.js 22"), ["node", ".", "js", " ", "22"]);
        assert_eq!(pieces("使用Redis缓存"), ["使", "用", "redis", "缓", "存"]);
        assert_eq!(pieces("Java는  C++"), ["java", "는", "  ", "c", "+", "+"]);
    }

    proptest! {
        #[test]
        fn same_words_have_the_same_tokens(one in "[ab \t\u{a0}_-]{0,6}", other in "[ab \t\u{a0}_-]{0,6}") {
            prop_assert_eq!(same_words(&one, &other), hashes(&one) == hashes(&other));
        }
    }

    #[test]
    fn blanks_hyphen_and_underscore_are_one_token() {
        assert_eq!(hashes("Sprint Planning"), hashes("sprint-planning"));
        assert_eq!(hashes("a  b"), hashes("a_b"));
        assert_ne!(hashes("a - b"), hashes("a b"));
        assert_ne!(hashes("ab"), hashes("ba"));
    }
}
