//! Claims about globs: by hand, and against the matcher of another program on random patterns.

use super::*;

fn globs(patterns: &[&str]) -> Globs {
    Globs::new(patterns.iter().copied()).unwrap()
}

#[test]
fn a_bare_name_is_met_at_any_depth_and_in_that_case_only() {
    let memory = globs(&["memory.md"]);
    assert!(memory.matches("memory.md"));
    assert!(memory.matches("projects/acme-crm/memory.md"));
    assert!(!memory.matches("projects/acme-crm/Memory.md"));
    assert!(!memory.matches("projects/acme-crm/my-memory.md"));
}

#[test]
fn a_slash_ties_a_pattern_to_the_root() {
    let tied = globs(&["a/b.md", "/c.md"]);
    assert!(tied.matches("a/b.md") && tied.matches("c.md"));
    assert!(!tied.matches("x/a/b.md") && !tied.matches("x/c.md"));
}

#[test]
fn a_folder_pattern_takes_the_folder_and_what_lies_below() {
    let folder = globs(&["Templates/"]);
    assert!(folder.matches_dir("Templates"));
    assert!(folder.matches_dir("a/Templates"));
    assert!(folder.matches("a/Templates/deep/x.md"));
    assert!(!folder.matches("a/Templates"));
}

#[test]
fn the_last_pattern_wins_but_not_inside_a_folder_that_is_taken() {
    let list = globs(&["*.md", "!keep.md", "drop/", "!drop/keep.md"]);
    assert!(list.matches("a/b.md"));
    assert!(!list.matches("a/keep.md"));
    assert!(list.matches("drop/keep.md"));
    let contents = globs(&["drop/*", "!drop/keep.md"]);
    assert!(!contents.matches("drop/keep.md") && contents.matches("drop/other.md"));
}

#[test]
fn two_stars_cross_folders_and_one_does_not() {
    let list = globs(&["a/**/z.md", "logs/**", "**/old/x.md", "one/*.md"]);
    for path in ["a/z.md", "a/b/c/z.md", "logs/x", "logs/y/z.md", "old/x.md", "p/q/old/x.md", "one/x.md"] {
        assert!(list.matches(path), "{path}");
    }
    for path in ["b/a/z.md", "logs", "one/two/x.md"] {
        assert!(!list.matches(path), "{path}");
    }
    assert!(!list.matches_dir("logs"));
}

#[test]
fn a_question_mark_and_a_class_meet_one_character_of_any_script() {
    let list = globs(&["日?.md", "[Кк]онфликт*", "[à-ü]x", "😀?"]);
    for path in ["日誌.md", "notes/日記.md", "Конфликт 1", "конфликт", "éx", "😀é"] {
        assert!(list.matches(path), "{path}");
    }
    for path in ["日.md", "日誌誌.md", "онфликт", "ax", "😀"] {
        assert!(!list.matches(path), "{path}");
    }
}

#[test]
fn composed_and_decomposed_names_are_one() {
    let (composed, decomposed) = ("journal_caf\u{e9}/\u{30b8}.md", "journal_cafe\u{301}/\u{30b7}\u{3099}.md");
    assert!(globs(&[composed]).matches(decomposed));
    assert!(globs(&[decomposed]).matches(composed));
}

#[test]
fn brackets_braces_and_escapes_are_read_as_git_reads_them() {
    assert!(globs(&["[!a-c]x"]).matches("dx") && !globs(&["[^a-c]x"]).matches("bx"));
    assert!(globs(&["[]a]"]).matches("]") && globs(&["[a-]"]).matches("-"));
    assert!(globs(&["{a,b}"]).matches("{a,b}") && !globs(&["{a,b}"]).matches("a"));
    assert!(globs(&["\\*x"]).matches("*x") && !globs(&["\\*x"]).matches("yx"));
    assert!(globs(&["\\#tag", "\\!x"]).matches("#tag") && globs(&["\\!x"]).matches("!x"));
}

#[test]
fn a_pattern_that_could_never_do_anything_is_refused() {
    for (pattern, part) in [
        ("", "empty name"),
        ("!", "empty name"),
        ("/", "empty name"),
        ("a//b", "empty name"),
        ("#pinned", "comment"),
        ("a ", "blank"),
        ("../x", "'..'"),
        ("./x", "'.'"),
        ("a[b", "without its ']'"),
        ("a[", "without its ']'"),
        ("[z-a]", "empty range"),
        ("[[:alpha:]]", "named class"),
        ("a\\", "single '\\'"),
        ("[a\\", "single '\\'"),
    ] {
        let error = Globs::new(["fine", pattern]).unwrap_err();
        assert_eq!(error.index, 1);
        assert!(error.message.contains(part), "{pattern}: {error}");
    }
}

#[test]
fn many_stars_cost_pattern_times_path_and_no_more() {
    let pattern = "**/a*".repeat(200) + "/b";
    let path = "aaaa/".repeat(2_000) + "c";
    assert!(!globs(&[&pattern]).matches(&path));
    assert!(!globs(&[&("*a".repeat(200) + "b")]).matches(&"a".repeat(4_000)));
}

#[test]
fn equality_debug_and_json_are_those_of_the_patterns() {
    let list = globs(&["a", "!b"]);
    assert_eq!(list, globs(&["a", "!b"]));
    assert_ne!(list, globs(&["!b", "a"]));
    assert_eq!(format!("{list:?}"), r#"["a", "!b"]"#);
    assert_eq!(serde_json::to_string(&list).unwrap(), r#"["a","!b"]"#);
    assert_eq!(serde_json::from_str::<Globs>(r#"["a","!b"]"#).unwrap(), list);
    assert!(serde_json::from_str::<Globs>(r#"["a["]"#).is_err());
}

/// The same question put to the `ignore` crate, which reads ASCII as git does.
fn oracle(patterns: &[String], path: &str) -> Option<bool> {
    let mut builder = ignore::gitignore::GitignoreBuilder::new("");
    for pattern in patterns {
        builder.add_line(None, pattern).ok()?;
    }
    let list = builder.build().ok()?;
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    Some(ends.into_iter().any(|end| list.matched(&path[..end], end < path.len()).is_ignore()))
}

/// A small generator of our own keeps the cases the same on every machine.
fn random_text(seed: &mut u64, alphabet: &[&str], longest: u64) -> String {
    let mut next = |below: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    };
    (0..=next(longest)).map(|_| alphabet[next(alphabet.len() as u64) as usize]).collect()
}

#[test]
fn random_patterns_are_read_as_another_program_reads_them() {
    let mut seed = 7;
    let (mut compared, mut taken) = (0, 0);
    while compared < 20_000 {
        let mut pattern =
            || random_text(&mut seed, &["a", "b", "*", "**", "/", "?", "[ab]", "[!a]", "!", "."], 6);
        let patterns = vec![pattern(), pattern()];
        let path = random_text(&mut seed, &["a", "b", "ab", ".", "a/", "b/"], 5);
        let is_path = !path.ends_with('/') && !path.split('/').any(|name| matches!(name, "" | "." | ".."));
        // Git reads `a/**b` and `!!a` in ways of its own; a list that we refuse is not compared.
        let is_odd = patterns.iter().any(|p| p.starts_with("!!") || p.contains("***") || has_glued_stars(p));
        let (Ok(list), true, false) = (Globs::new(patterns.clone()), is_path, is_odd) else { continue };
        let Some(expected) = oracle(&patterns, &path) else { continue };
        assert_eq!(list.matches(&path), expected, "{patterns:?} on {path}");
        compared += 1;
        taken += usize::from(expected);
    }
    assert!(taken > 2_000, "only {taken} of {compared} paths were taken");
}

/// Whether `**` stands beside anything but a slash.
fn has_glued_stars(pattern: &str) -> bool {
    let body = pattern.strip_prefix('!').unwrap_or(pattern);
    body.split('/').any(|part| part.contains("**") && part != "**")
}
