//! Names of copies that only their neighbours give away.
//!
//! Names that are conflict copies by themselves are globs in `defaults.yaml`.

/// The name of which `name` may be the numbered copy that macOS or iCloud makes: `X.md` for `X 2.md`.
///
/// The answer is a question to the folder: only where that file stands beside it is it a copy, since
/// people number notes too. Numbers run from 2 to 99; a year is not one.
pub fn duplicate_of(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    let (original, number) = stem.rsplit_once(' ')?;
    let is_counter = matches!(number.as_bytes(), [b'2'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']);
    let has_name = !original.trim().is_empty() && !original.ends_with(' ') && !extension.is_empty();
    (is_counter && has_name).then(|| format!("{original}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::duplicate_of;

    #[test]
    fn a_numbered_name_asks_for_the_name_without_its_number() {
        assert_eq!(duplicate_of("X 2.md").as_deref(), Some("X.md"));
        assert_eq!(duplicate_of("日誌 12.md").as_deref(), Some("日誌.md"));
        assert_eq!(duplicate_of("a b 3.md").as_deref(), Some("a b.md"));
        assert_eq!(duplicate_of("X 2 2.md").as_deref(), Some("X 2.md"));
    }

    #[test]
    fn a_name_that_no_copy_would_get_is_no_duplicate() {
        for name in ["X.md", "X 1.md", "X 0.md", "X 02.md", "Plan 2026.md", "X2.md", " 2.md", "2.md"] {
            assert_eq!(duplicate_of(name), None, "{name}");
        }
        for name in ["X 2", "X  2.md", "X 2.", "X ２.md", ""] {
            assert_eq!(duplicate_of(name), None, "{name}");
        }
    }
}
