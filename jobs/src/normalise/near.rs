//! How far the name of a key is from that of a field. Asked of every key of every note, so that most pairs
//! are told apart without a copy.

use super::kinds::folded;

/// From so many characters on, two slips leave a name near another; below, one.
const TWO_SLIPS: usize = 9;

/// Letters too many or missing between two names that are near each other.
const MAX_MORE: usize = 2;

/// A key and the name of a field as they are compared; none where they are far from each other at first sight.
pub(super) struct Pair {
    key: String,
    name: String,
}

impl Pair {
    pub(super) fn of(key: &str, name: &str) -> Option<Pair> {
        may_be_near(key, name).then(|| Pair { key: folded(key), name: folded(name) })
    }

    /// Without what [`folded`] takes away, the key is at most so many slips of the hand away from the name
    /// as are believed; of none too.
    pub(super) fn is_slip(&self) -> bool {
        let allowed = allowed(self.name.chars().count());
        config::slips(&self.key, &self.name) <= allowed
    }

    /// One is the other with an ending of the plural.
    pub(super) fn is_plural(&self) -> bool {
        let (a, b) = (&self.key, &self.name);
        let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
        matches!(long.strip_prefix(short.as_str()), Some("s" | "es"))
    }

    /// The key as compared.
    pub(super) fn key(&self) -> &str {
        &self.key
    }
}

/// The names are one in another spelling or number, or a slip of the hand apart.
pub(super) fn is_near(key: &str, name: &str) -> bool {
    Pair::of(key, name).is_some_and(|pair| pair.is_plural() || pair.is_slip())
}

fn allowed(n_chars: usize) -> usize {
    if n_chars >= TWO_SLIPS { 2 } else { 1 }
}

/// By number and choice of letters alone: a slip changes at most two letters that are there.
fn may_be_near(key: &str, name: &str) -> bool {
    if !key.is_ascii() || !name.is_ascii() {
        return true;
    }
    let ((n_key, of_key), (n_name, of_name)) = (letters(key), letters(name));
    let n_changed = (of_key ^ of_name).count_ones() as usize;
    n_key.abs_diff(n_name) <= MAX_MORE && n_changed <= 2 * allowed(name.len())
}

/// How many bytes that count an ASCII text has, and which letters of either case are among them.
fn letters(text: &str) -> (usize, u32) {
    let counts = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'-' | b'_');
    text.bytes().filter(counts).fold((0, 0), |(n, seen), byte| {
        let letter = byte.to_ascii_lowercase().wrapping_sub(b'a');
        (n + 1, if letter < 26 { seen | 1 << letter } else { seen })
    })
}
