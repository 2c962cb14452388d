//! How an archive is called: `memory_archive.md` is that of `memory.md`, and `memory_archive-2026.md` that of one year.

use super::NotePath;

/// What the stem of an archive adds to that of its note.
pub const ENDING: &str = "_archive";

/// The stem of the note that an archive of this stem belongs to.
pub fn origin_stem(stem: &str) -> Option<&str> {
    stem.strip_suffix(ENDING).or_else(|| {
        let (rest, year) = stem.rsplit_once('-')?;
        let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
        rest.strip_suffix(ENDING).filter(|_| is_year)
    })
}

/// Where the note lies that an archive belongs to: beside it.
pub fn origin_of(path: &NotePath) -> Option<NotePath> {
    path.beside(&format!("{}.md", origin_stem(path.stem())?)).ok()
}

/// True for archives, of a year too.
pub fn is_archive(path: &NotePath) -> bool {
    origin_stem(path.stem()).is_some()
}
