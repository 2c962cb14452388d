//! Where a link leads: as Obsidian finds it, then by `name:`. A link to a folder, an attachment or a note
//! that is not there leads nowhere.

use super::{Name, Source, fold};
use crate::vault::{NotePath, Vault, markdown::Link, path::joined};
use std::collections::HashMap;

/// The notes of a vault by the ways links name them. Notes are given as indexes into `vault.notes()`.
#[derive(Clone, Debug, Default)]
pub struct Resolver {
    /// Folded paths without `.md`.
    by_path: HashMap<String, usize>,
    /// Folded stems; shortest path first.
    by_stem: HashMap<String, Vec<usize>>,
    /// Folded `name:`; none where two notes have it.
    by_name: HashMap<String, Option<usize>>,
}

impl Resolver {
    /// The resolver of a vault, given the names of each of its notes.
    pub fn of(vault: &Vault, names: &[Vec<Name>]) -> Self {
        let given = |names: &Vec<Name>| {
            let names = names.iter().filter(|name| name.source == Source::Name);
            names.map(|name| fold(&name.text)).collect::<Vec<_>>()
        };
        let names: Vec<Vec<String>> = names.iter().map(given).collect();
        let mut resolver = Resolver::default();
        for (at, (note, names)) in vault.notes().iter().zip(names).enumerate() {
            resolver.by_path.entry(fold(without_end(note.path.as_str()))).or_insert(at);
            resolver.by_stem.entry(fold(note.path.stem())).or_default().push(at);
            for name in names {
                resolver.by_name.entry(name).and_modify(|known| *known = None).or_insert(Some(at));
            }
        }
        let length = |at: &usize| vault.notes().get(*at).map_or(0, |note| note.path.as_str().len());
        resolver.by_stem.values_mut().for_each(|notes| notes.sort_by_key(|at| (length(at), *at)));
        resolver
    }

    /// The note that `link` in the note at `from` leads to.
    pub fn resolve(&self, vault: &Vault, from: &NotePath, link: &Link) -> Option<usize> {
        let target = link.target.trim();
        if target.contains("://") || target.starts_with("mailto:") {
            return None;
        }
        let key = fold(without_end(target));
        if key.is_empty() {
            return self.by_path.get(&fold(without_end(from.as_str()))).copied();
        }
        let rooted = key.trim_start_matches('/');
        let relative = || self.by_path.get(&joined(&fold(from.folder()), &key)?).copied();
        let absolute = || self.by_path.get(rooted).copied();
        let direct = match link.kind.is_wiki() && !key.starts_with('.') {
            true => absolute().or_else(relative),
            false => relative().or_else(absolute),
        };
        direct
            .or_else(|| self.by_end(vault, from, rooted))
            .or_else(|| self.by_name.get(&key).copied().flatten())
    }

    /// How many notes have this stem.
    pub fn notes_of_stem(&self, stem: &str) -> usize {
        self.by_stem.get(&fold(stem)).map_or(0, Vec::len)
    }

    /// By the end of its path: in the folder of the link first, else the shortest.
    fn by_end(&self, vault: &Vault, from: &NotePath, key: &str) -> Option<usize> {
        let stem = key.rsplit('/').next()?;
        let path = |at: usize| vault.notes().get(at).map(|note| &note.path);
        let ends = |at: &usize| {
            stem.len() == key.len()
                || path(*at)
                    .is_some_and(|path| fold(without_end(path.as_str())).ends_with(&format!("/{key}")))
        };
        let found: Vec<usize> = self.by_stem.get(stem)?.iter().copied().filter(ends).collect();
        let beside = found.iter().find(|at| path(**at).is_some_and(|path| path.folder() == from.folder()));
        beside.or_else(|| found.first()).copied()
    }
}

fn without_end(path: &str) -> &str {
    match path.len().checked_sub(3).and_then(|at| path.split_at_checked(at)) {
        Some((stem, end)) if end.eq_ignore_ascii_case(".md") => stem,
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::{Ledger, Note, frontmatter::Frontmatter, markdown::Markdown, names::names_of};
    use chrono::NaiveDate;
    use std::sync::Arc;

    fn resolved(paths: &[&str], from: &str, link: &str) -> Option<String> {
        let note = |path: &&str| {
            let text = if *path == "x/odd.md" { "---\nname: plain name\n---\n" } else { "" };
            Arc::new(Note::of_text(NotePath::new(path).unwrap(), text))
        };
        let vault = Vault::new(paths.iter().map(note).collect(), Ledger::default(), NaiveDate::default());
        let links = Markdown::parse(link, Frontmatter::body_of(link)).links;
        let from = NotePath::new(from).unwrap();
        let names: Vec<Vec<Name>> = vault.notes().iter().map(|note| names_of(note)).collect();
        let at = Resolver::of(&vault, &names).resolve(&vault, &from, links.first()?)?;
        Some(vault.notes()[at].path.to_string())
    }

    #[test]
    fn links_lead_where_obsidian_leads_them() {
        let paths = ["a/apple.md", "b/c/apple.md", "Top.md", "b/Top two.md", "x/odd.md", "b/c/é.md"];
        for (from, link, to) in [
            ("q.md", "[[top]]", Some("Top.md")),
            ("q.md", "[[Top#Head]]", Some("Top.md")),
            ("q.md", "[[TOP|words]]", Some("Top.md")),
            ("q.md", "[[apple]]", Some("a/apple.md")),
            ("b/c/q.md", "[[apple]]", Some("b/c/apple.md")),
            ("q.md", "[[c/apple.md#^id]]", Some("b/c/apple.md")),
            ("a/q.md", "[x](../b/Top%20two.md)", Some("b/Top two.md")),
            ("a/q.md", "[x](apple.md)", Some("a/apple.md")),
            ("a/q.md", "[[../Top]]", Some("Top.md")),
            ("q.md", "[[Plain Name]]", Some("x/odd.md")),
            ("q.md", "[[e\u{301}]]", Some("b/c/é.md")),
            ("q.md", "[[nothing]]", None),
            ("q.md", "[x](https://a.b/Top)", None),
            ("Top.md", "[[#Head]]", Some("Top.md")),
        ] {
            assert_eq!(resolved(&paths, from, link).as_deref(), to, "{link} from {from}");
        }
    }
}
