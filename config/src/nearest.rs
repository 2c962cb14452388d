//! The known name that a mistyped one was most likely meant to be.
//!
//! Nothing is ever corrected by it: the answer goes into a hint.

/// The longest name, in characters, for which a neighbour is looked for; nobody mistypes more.
const MAX_CHARS: usize = 64;

/// The candidate closest to `name`, or none within a third of its length.
///
/// Of two that are equally close the earlier one is taken, so put siblings first.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = folded(name);
    if name.is_empty() || name.len() > MAX_CHARS {
        return None;
    }
    let allowed = (name.len() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&name, &folded(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many slips of the hand lie between two words: letters too many, missing, wrong, or swapped with the
/// next one (the restricted Damerau-Levenshtein distance).
pub fn slips(a: &str, b: &str) -> usize {
    distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
}

/// Case and the choice between `-`, `_` and a blank are not mistakes worth counting.
fn folded(name: &str) -> Vec<char> {
    let same = |c: char| if matches!(c, '-' | ' ') { '_' } else { c };
    name.chars().take(MAX_CHARS + 1).flat_map(char::to_lowercase).map(same).collect()
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_of_neighbours_counts_once() {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&letters("trim"), &letters("tirm")), 1);
        assert_eq!(distance(&letters("kitten"), &letters("sitting")), 3);
        assert_eq!(distance(&letters(""), &letters("abc")), 3);
    }

    #[test]
    fn the_closest_name_wins_and_a_stranger_has_none() {
        let names = ["max_lines", "max_bytes", "keep_lines"];
        assert_eq!(nearest("max_line", names), Some("max_lines"));
        assert_eq!(nearest("Max-Lines", names), Some("max_lines"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), names), None);
    }
}
