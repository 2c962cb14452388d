//! Claims about the kinds that are shipped: which notes they take, and that no word of theirs is in doubt.

use std::collections::BTreeMap;

use super::{field, field_names, kind, names};
use crate::globs::Globs;
use crate::normalise::{Fill, Kind, folded};
use crate::settings::Config;

#[test]
fn the_shipped_kinds_are_tried_from_the_narrowest_to_the_widest() {
    let config = Config::default();
    assert_eq!(names(&config), ["chat", "log", "fact", "zettel", "note"]);
    assert_eq!(kind(&config, "chat").holds, ["conversation", "source"]);
    assert_eq!(kind(&config, "fact").holds, ["name", "description", "type"]);
    assert_eq!(kind(&config, "zettel").holds, ["title", "created"]);
    assert!(kind(&config, "log").holds.is_empty() && kind(&config, "note").holds.is_empty());
}

#[test]
fn a_fact_is_called_as_its_file_and_may_have_its_type_below_metadata() {
    let config = Config::default();
    assert_eq!(
        field_names(&config, "fact")[..6],
        ["name", "description", "type", "status", "area", "context"]
    );
    let (name, of_type) = (field(&config, "fact", "name"), field(&config, "fact", "type"));
    assert_eq!((name.fill, name.required), (Some(Fill::Stem), true));
    assert_eq!(of_type.one_of, ["user", "feedback", "project", "reference"]);
    assert_eq!((of_type.fill, of_type.required), (Some(Fill::Prefix), true));
    assert_eq!(of_type.also, ["metadata.type"]);
    let description = field(&config, "fact", "description");
    assert_eq!((description.fill, description.required), (None, true), "it is never invented");
    let status = field(&config, "fact", "status");
    assert_eq!(status.one_of, ["active", "planned", "broken", "resolved", "idea", "archived"]);
    assert_eq!(status.under, [("archive".to_owned(), "archived".to_owned())]);
    assert_eq!(field(&config, "log", "created").fill, Some(Fill::Day));
}

#[test]
fn a_field_of_one_name_is_of_one_sort_in_all_kinds() {
    let mut seen: BTreeMap<String, Kind> = BTreeMap::new();
    for field in Config::default().normalise.schemas.into_iter().flat_map(|kind| kind.fields) {
        let before = *seen.entry(field.name.clone()).or_insert(field.kind);
        assert_eq!(before, field.kind, "{}", field.name);
        assert!(!field.required || field.kind == Kind::Text);
    }
    assert_eq!((seen["tags"], seen["created"], seen["aliases"]), (Kind::Tags, Kind::Date, Kind::List));
}

#[test]
fn every_shipped_word_means_one_value_and_is_none_itself() {
    let mut n_words = 0;
    for field in Config::default().normalise.schemas.iter().flat_map(|kind| &kind.fields) {
        let mut seen = BTreeMap::new();
        for (word, value) in &field.words {
            n_words += 1;
            assert!(field.one_of.contains(value), "{word}");
            assert!(!field.one_of.iter().any(|own| folded(own) == folded(word)), "{word} is a value");
            let before = seen.insert(folded(word), value);
            assert_eq!(before, None, "{word} is {value} and stands there twice");
        }
    }
    assert!(n_words > 100, "{n_words}");
}

#[test]
fn the_common_words_of_a_status_are_known_and_those_in_doubt_are_not() {
    let config = Config::default();
    let status = field(&config, "fact", "status");
    let meaning = |word: &str| {
        let own = status.words.iter().find(|(own, _)| folded(own) == folded(word));
        own.map(|(_, value)| value.as_str())
    };
    for (word, value) in [
        ("WIP", "active"),
        ("in-progress", "active"),
        ("In Progress", "active"),
        ("🟢", "active"),
        ("進行中", "active"),
        ("to do", "planned"),
        ("TODO", "planned"),
        ("🟡", "planned"),
        ("failing", "broken"),
        ("🔴", "broken"),
        ("done", "resolved"),
        ("✔\u{fe0f}", "resolved"),
        ("✅", "resolved"),
        ("erledigt", "resolved"),
        ("terminé", "resolved"),
        ("готово", "resolved"),
        ("完成", "resolved"),
        ("someday", "idea"),
        ("💡", "idea"),
        ("deprecated", "archived"),
        ("📦", "archived"),
    ] {
        assert_eq!(meaning(word), Some(value), "{word}");
    }
    for word in [
        "open",
        "draft",
        "blocked",
        "waiting",
        "paused",
        "on hold",
        "live",
        "ready",
        "cancelled",
        "offen",
        "stable",
        "failed",
        "merged",
        "pending",
        "bug",
        "regression",
    ] {
        assert_eq!(meaning(word), None, "{word}");
    }
}

#[test]
fn notes_are_of_a_kind_by_where_they_lie() {
    let config = Config::default();
    let takes = |path: &str| {
        let taken = |notes: &Globs| notes.matches(path);
        config.normalise.schemas.iter().find(|own| taken(&own.notes)).map(|own| own.name.as_str())
    };
    for (name, paths) in [
        ("chat", &["chats/code/2026-05-03-a.md", "chats/a.md"][..]),
        ("log", &["logs/acme/2026-05-03-a.md", "logs/a.md"]),
        (
            "fact",
            &[
                "memory/user_profile.md",
                "memory/季節.md",
                "memory/agenda_format.md",
                "memory/kanban_limits.md",
                "home/.claude/projects/-x/memory/feedback_a.md",
                "memory/archive/project_a.md",
                "memory/archive/2025/project_a.md",
            ],
        ),
        ("zettel", &["notes/a/b.md", "notes/memory.md", "zettel/a.md", "zettelkasten/202605031200.md"]),
        (
            "note",
            &[
                "a.md",
                "projects/acme/memory.md",
                "x/chats/a.md",
                "x/notes/a.md",
                "archive/a.md",
                "memory/sub/a.md",
                "memory/MEMORY.md",
                "memory/MEMORY-more.md",
                "memory/memory.md",
                "memory/memory_archive.md",
                "memory/memory_archive-2026.md",
                "memory/AGENDA.md",
                "memory/ORCHESTRATION.md",
                "memory/COMMS.md",
                "memory/archive/AGENDA-2026-11.md",
                "memory/archive/COMMS-2026.md",
                "memory/Kanban.md",
                "memory/KANBAN.md",
                "memory/archive/Kanban-2026-11.md",
                "memory/2026-05-03.md",
                "memory/2026-05-03-evening.md",
                "memory/archive/2026-05.md",
                "memory/README.md",
                "memory/_memory_index.md",
                "memory/HEARTBEAT_archive.md",
                "memory/archive/HEARTBEAT_archive-2026.md",
            ],
        ),
    ] {
        for path in paths {
            assert_eq!(takes(path), Some(name), "{path}");
        }
    }
}
