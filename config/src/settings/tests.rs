//! Claims about the typed configuration: every leaf has its field, and fingerprints follow their table.

use super::*;
use crate::keys::{self, Key, Shape};

/// A value of that shape that is not the default.
fn other(key: &Key) -> (String, Json) {
    match &key.shape {
        Shape::Number(from, to) => {
            // Marks below their limits and limits above their marks, whichever is changed.
            let step = if key.name().starts_with("keep_") { -1 } else { 1 };
            let number = key.default.as_u64().unwrap().saturating_add_signed(step);
            assert!((*from..=*to).contains(&number), "{}", key.path);
            (number.to_string(), Json::from(number))
        }
        Shape::Switch => {
            let switch = !key.default.as_bool().unwrap();
            (switch.to_string(), Json::from(switch))
        }
        Shape::Choice(choices) => {
            let choice = choices.iter().find(|choice| key.default != **choice).unwrap();
            (choice.clone(), Json::from(choice.as_str()))
        }
        Shape::Rules => ("job/*".to_owned(), serde_json::json!(["job/*"])),
        Shape::Some(words) => (words[0].clone(), serde_json::json!([words[0]])),
        Shape::Kinds => {
            let mut kinds = json_at(&Config::default(), &key.path);
            kinds.as_array_mut().unwrap().pop();
            ("{note: off}".to_owned(), kinds)
        }
        Shape::Folder => ("/notes".to_owned(), Json::from("/notes")),
        Shape::Table | Shape::Fields | Shape::Words | Shape::Values => {
            unreachable!("{} is no leaf", key.path)
        }
        Shape::Texts | Shape::Globs => ("x".to_owned(), serde_json::json!(["x"])),
    }
}

fn leaves() -> impl Iterator<Item = &'static Key> {
    keys::all().iter().filter(|key| key.is_leaf())
}

fn json_at(config: &Config, path: &str) -> Json {
    let pointer = format!("/{}", path.replace('.', "/"));
    serde_json::to_value(config).unwrap().pointer(&pointer).unwrap().clone()
}

fn n_leaves(json: &Json) -> usize {
    json.as_object().map_or(1, |own| own.values().map(n_leaves).sum())
}

#[test]
fn every_leaf_of_the_defaults_sets_the_field_of_its_name_and_only_that() {
    let default = Config::default();
    for key in leaves() {
        let (text, json) = other(key);
        let config = Layers::new().flag(key.path.as_str(), text).resolve().unwrap().config;
        assert_eq!(json_at(&config, &key.path), json, "{}", key.path);
        let follows = |other: &Key| other.name() == key.name().replace("max_", "keep_");
        for other in leaves().filter(|other| other.path != key.path && !follows(other)) {
            assert_eq!(json_at(&config, &other.path), json_at(&default, &other.path), "{}", key.path);
        }
    }
    assert_eq!(n_leaves(&serde_json::to_value(&default).unwrap()), leaves().count());
}

#[test]
fn a_fingerprint_changes_exactly_with_its_table() {
    let default = Config::default();
    for key in leaves() {
        let config = Layers::new().flag(key.path.as_str(), other(key).0).resolve().unwrap().config;
        for table in ["trim", "normalise", "journal", "limits"] {
            let is_own = key.path.starts_with(&format!("{table}."));
            assert_eq!(
                config.fingerprint(table) != default.fingerprint(table),
                is_own,
                "{table}: {}",
                key.path
            );
        }
    }
    assert_eq!(default.fingerprint("trim"), "{}");
    assert_eq!(default.fingerprint("no such table"), "{}");
    assert_eq!(default.fingerprint("private"), "{}");
}

#[test]
fn a_fingerprint_is_what_was_changed_in_a_fixed_order() {
    let config = Layers::new().vault("v", "trim: {zones: [é], max_lines: 100}").resolve().unwrap().config;
    assert_eq!(config.fingerprint("trim"), r#"{"keep_lines":80,"max_lines":100,"zones":["é"]}"#);
    let same =
        Layers::new().vault("v", "trim: {max_lines: 200, zones: [Chronicle]}").resolve().unwrap().config;
    assert_eq!(same.fingerprint("trim"), "{}", "saying the default again changes nothing");
}

#[test]
fn a_rule_is_accepted_by_its_name_or_with_its_whole_job() {
    let config = Layers::new().flag("accept", "[relink/mention, trim/*]").resolve().unwrap().config;
    assert!(config.accepts("relink/mention") && config.accepts("trim/entry"));
    assert!(!config.accepts("relink/alias") && !config.accepts("trimmed/entry") && !config.accepts("relink"));
    assert!(!Config::default().accepts("relink/mention"));
}

#[test]
fn conflict_copies_of_every_known_program_are_told_by_their_names() {
    let config = Config::default();
    for name in [
        "AGENDA.sync-conflict-20260624-101500-ABCDEF7.md",
        "X (Conflicted copy phone 202606241015).md",
        "X (conflicted copy …).md",
        "X (Remy's conflicted copy 2026-06-24).md",
        "X (conflicted copy 2026-06-24 101500).md",
        "X_conflict-20260624-101500.md",
        "X (Case Conflict 1).md",
        "X (Unicode Encoding Conflict).md",
        "X (SFConflict remy@example.org 2026-06-24-10-15-00).md",
        "X(SFConflict remy 2026-06-24-10-15-00).md",
        "X [conflicted].md",
        "X (conflicted).md",
        "X (In Konflikt stehende Kopie von Remy 2026-06-24).md",
        "X (Remys in Konflikt stehende Kopie 2026-06-24).md",
        "X (Konfliktkopie von Remy).md",
        "X (konfliktkopia 2026).md",
        "X (conflicterende kopie van Remy).md",
        "X (Copie en conflit de Remy 2026-06-24).md",
        "X (Copia en conflicto de Remy 2026-06-24).md",
        "X (Copia in conflitto di Remy 2026-06-24).md",
        "X (Cópia em conflito de Remy 2026-06-24).md",
        "X (kopia powodująca konflikt użytkownika Remy 2026-06-24).md",
        "X (конфликтующая копия пользователя Remy 2026-06-24).md",
        "X (Конфликтующая копия Remy 2026-06-24).md",
        "X (Remy の競合コピー 2026-06-24).md",
        "X (Remy 的冲突副本 2026-06-24).md",
        "X (Remy 的衝突複本 2026-06-24).md",
        "X (Remy의 충돌된 사본 2026-06-24).md",
    ] {
        assert!(config.conflicts.matches(&format!("projects/a/{name}")), "{name}");
        assert!(!config.temporary.matches(name), "{name}");
    }
}

#[test]
fn an_ordinary_name_is_neither_a_conflict_copy_nor_temporary() {
    let config = Config::default();
    for name in [
        "X 2.md",
        "X (2).md",
        "X (copy).md",
        "Conflicts.md",
        "conflicted copy.md",
        "How sync-conflict files arise.md",
        "merge_conflict-notes.md",
        "競合コピー.md",
        "Konflikt (Kopie).md",
        "4913.md",
        "a~b.md",
        ".hidden.md",
        "C# notes.md",
    ] {
        assert!(!config.conflicts.matches(name) && !config.temporary.matches(name), "{name}");
    }
}

#[test]
fn names_that_last_for_a_moment_are_temporary() {
    let config = Config::default();
    for name in [
        ".#note.md",
        "note.md~",
        "4913",
        ".note.md.swp",
        ".note.md.swo",
        ".syncthing.note.md.tmp",
        "~syncthing~note.md.tmp",
    ] {
        assert!(config.temporary.matches(&format!("a/{name}")), "{name}");
        assert!(!config.conflicts.matches(name), "{name}");
    }
}

#[test]
fn the_private_defaults_go_by_exact_case_and_take_folders_along() {
    let private = Config::default().private;
    for path in
        ["private_x.md", "a/journal_2026.md", "credentials", "credentials.json", "private_stuff/deep/x.md"]
    {
        assert!(private.matches(path), "{path}");
    }
    for path in ["my_private_x.md", "Private_x.md", "journal.md", "a/not_credentials.md"] {
        assert!(!private.matches(path), "{path}");
    }
}

#[test]
fn nothing_in_this_crate_reaches_outside() {
    const OUTSIDE: [&str; 8] =
        ["std::fs", "std::env", "std::net", "std::process", "SystemTime", "Instant", "println!", "File::"];
    let sources = [
        include_str!("../budget.rs"),
        include_str!("../check.rs"),
        include_str!("../describe.rs"),
        include_str!("../duplicate.rs"),
        include_str!("../error.rs"),
        include_str!("../globs.rs"),
        include_str!("../keys.rs"),
        include_str!("../kinds.rs"),
        include_str!("../kinds/difference.rs"),
        include_str!("../kinds/field.rs"),
        include_str!("../kinds/parts.rs"),
        include_str!("../layers.rs"),
        include_str!("../lib.rs"),
        include_str!("../nearest.rs"),
        include_str!("../normalise.rs"),
        include_str!("../pattern.rs"),
        include_str!("../reading.rs"),
        include_str!("../relink.rs"),
        include_str!("../settings.rs"),
        include_str!("../syntax.rs"),
        include_str!("../tree.rs"),
        include_str!("../yaml.rs"),
    ];
    let is_module = |line: &&str| line.starts_with("mod ") || line.starts_with("pub(crate) mod ");
    let n_modules = |source: &str| {
        source.lines().filter(is_module).filter(|line| line.ends_with(';') && *line != "mod tests;").count()
    };
    assert_eq!(
        sources.len(),
        sources.iter().map(|source| n_modules(source)).sum::<usize>() + 1,
        "a module is missing from the list"
    );
    for source in sources {
        for word in OUTSIDE {
            assert!(!source.replace("Entry::File", "").replace("Place::File", "").contains(word), "{word}");
        }
    }
}
