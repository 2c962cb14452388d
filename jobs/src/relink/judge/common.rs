//! How common words are in their language, whatever the vault: a list of some ten thousand words, compiled in. Its
//! source and licence stand in its first lines.

use std::{collections::HashMap, sync::LazyLock};

const LIST: &str = include_str!("common.txt");

/// Ranks from 1, over all languages the best one.
static RANKS: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let mut ranks: HashMap<&str, usize> = HashMap::new();
    for line in LIST.lines().filter(|line| !line.starts_with('#')) {
        let words = line.split_once(": ").map_or("", |(_, words)| words);
        for (at, word) in words.split(' ').enumerate() {
            let rank = ranks.entry(word).or_insert(at + 1);
            *rank = (at + 1).min(*rank);
        }
    }
    ranks
});

/// From 0, for words that are in no list, to about 8, for the commonest word there is; several words are as
/// common as the rarest of them. They are given folded.
pub fn commonness(folded: &str) -> f64 {
    let words = folded.split([' ', '-', '_']).filter(|word| !word.is_empty());
    words.map(of_word).fold(f64::INFINITY, f64::min).min(9.0)
}

fn of_word(word: &str) -> f64 {
    let rank = RANKS.get(word).or_else(|| RANKS.get(word.strip_suffix('s').unwrap_or(word)));
    rank.map_or(0.0, |rank| (8000.0 / *rank as f64).ln().clamp(0.0, 9.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_outrank_rare_ones() {
        assert!(commonness("if") > commonness("tests"));
        assert!(commonness("test") > commonness("harbour"));
        assert!(commonness("zettelkasten") < f64::EPSILON);
        assert!(commonness("the zettelkasten") < f64::EPSILON);
        assert!(commonness("한국어는") < f64::EPSILON);
    }
}
