//! What is an entry, under which lines it stands and which date it has.

use super::*;
use proptest::prelude::*;

fn outline(text: &str) -> Outline {
    Outline::of(&Markdown::parse(text, 0), text)
}

/// The entries as `first line | date | path`, dates and paths left out where there are none.
fn entries(text: &str) -> Vec<String> {
    let outline = outline(text);
    let show = |entry: &Entry| {
        let first = entry.span.of(text).lines().next().unwrap_or_default();
        let day = entry.date.map_or(String::new(), |day| format!(" | {day}"));
        let path: Vec<_> = entry.path.iter().map(|crumb| crumb.span.of(text).trim_end()).collect();
        let path = if path.is_empty() { String::new() } else { format!(" | {}", path.join(" / ")) };
        format!("{first}{day}{path}")
    };
    outline.entries.iter().map(show).collect()
}

#[test]
fn a_dated_section_is_one_entry_with_all_that_stands_in_it() {
    let text = "# Log\n\nintro\n\n## 2026-06-24 Login\n\nprose\n\n- item\n\n### Detail\n\n```\n## no\n```\n\n## Other (2026-06-01)\n\ntext\n";
    assert_eq!(entries(text), ["## 2026-06-24 Login | 2026-06-24", "## Other (2026-06-01) | 2026-06-01"]);
    let first = outline(text).entries[0].span;
    assert!(first.of(text).ends_with("## no\n```\n"));
}

#[test]
fn a_dated_heading_over_dated_parts_is_only_a_container() {
    let by_section = "# L\n\n## 2026-06-24\n\n- a\n\n### 2026-06-20 part\n\nx\n\n### Rest\n\n- b\n";
    assert_eq!(
        entries(by_section),
        [
            "- a | 2026-06-24 | ## 2026-06-24",
            "### 2026-06-20 part | 2026-06-20 | ## 2026-06-24",
            "- b | 2026-06-24 | ## 2026-06-24 / ### Rest",
        ]
    );
    let by_items = "# L\n\n## Since 2026-06-01\n\n- 2026-06-24 a\n- 2026-06-23 b\n- c\n- d\n";
    assert_eq!(
        entries(by_items),
        [
            "- 2026-06-24 a | 2026-06-24 | ## Since 2026-06-01",
            "- 2026-06-23 b | 2026-06-23 | ## Since 2026-06-01",
            "- c | 2026-06-01 | ## Since 2026-06-01",
            "- d | 2026-06-01 | ## Since 2026-06-01",
        ]
    );
    let mostly_undated = by_items.replace("- d\n", "- d\n- e\n");
    assert_eq!(entries(&mostly_undated), ["## Since 2026-06-01 | 2026-06-01"]);
}

#[test]
fn a_dated_title_dates_nothing_and_is_no_entry() {
    assert_eq!(entries("# Notes 2026-06-24\n\n- a\n\n## B\n\n- b\n"), ["- a", "- b | ## B"]);
    assert_eq!(
        entries("# 2026-06-24\n\nx\n\n# 2026-06-23\n\ny\n"),
        ["# 2026-06-24 | 2026-06-24", "# 2026-06-23 | 2026-06-23"]
    );
}

#[test]
fn elsewhere_items_are_entries_and_the_rest_is_not() {
    let text = "---\n\nintro\n\n- before\n\n# T\n\n- a\n  more\n\n  ```\n  x\n  ```\n- b\n\n|t|\n|-|\n\n> - quoted\n\n```\n- code\n```\n\n## S\n\nprose\n\n1. one\n";
    assert_eq!(entries(text), ["- a", "- b", "1. one | ## S"]);
}

#[test]
fn without_any_heading_bullets_are_entries() {
    assert_eq!(
        entries("some words\n\n- a\n\n  more\n- 2026-06-24 b\n"),
        ["- a", "- 2026-06-24 b | 2026-06-24"]
    );
}

#[test]
fn a_lead_line_is_the_last_crumb_of_its_list() {
    let text = "## S\n\n**Fixed:**\n- a\n\n**Open**\n\n- b\n\nTo do：\n- c\n\nplain words\n- d\n\n- e\n";
    assert_eq!(
        entries(text),
        [
            "- a | ## S / **Fixed:**",
            "- b | ## S / **Open**",
            "- c | ## S / To do：",
            "- d | ## S",
            "- e | ## S",
        ]
    );
    let leads = ["**a** and **b**\n- x\n", "two\nlines:\n- x\n", "# A:\n- x\n"];
    for text in leads {
        assert!(outline(text).entries[0].path.iter().all(|crumb| crumb.kind != CrumbKind::Lead), "{text:?}");
    }
}

#[test]
fn id_comments_say_where_entries_start() {
    let text = "# Memory\n\n<!-- memory: a1 -->\nMet Bob.\n\n## Schedule\n\n- Monday\n\n<!-- memory: a2 -->\n\n## 2026-06-24 Ann\n\ntext\n";
    assert_eq!(entries(text), ["<!-- memory: a1 -->", "<!-- memory: a2 --> | 2026-06-24"]);
    assert!(outline(text).entries[0].span.of(text).ends_with("- Monday\n"));
    assert_eq!(outline(text).sections.len(), 2, "headings inside are text");
}

#[test]
fn headings_right_before_a_mark_belong_to_what_follows() {
    let text = "# M\n\n## Facts\n\n<!-- id: a -->\n- x\n\n<!-- id: b -->\n- y\n\n## Plans\n\n### Soon\n\n<!-- id: c -->\n- z\n";
    assert_eq!(
        entries(text),
        ["<!-- id: a --> | ## Facts", "<!-- id: b --> | ## Facts", "<!-- id: c --> | ## Plans / ### Soon",]
    );
}

#[test]
fn a_mark_in_a_section_may_hold_a_heading_of_its_level() {
    let text = "# M\n\n## Log\n\n<!-- entry: a -->\nx\n\n## Schedule\n\ny\n\n<!-- entry: b -->\nz\n";
    assert_eq!(entries(text), ["<!-- entry: a --> | ## Log", "<!-- entry: b --> | ## Log"]);
    assert!(outline(text).entries[0].span.of(text).ends_with("## Schedule\n\ny\n"));
}

#[test]
fn a_last_mark_without_a_certain_end_is_open() {
    let text =
        "# M\n\n## Log\n\n<!-- id: a -->\nx\n\n<!-- id: b -->\n- y\n\n## Schedule or next section\n\nz\n";
    let kinds = |text: &str| outline(text).entries.iter().map(|entry| entry.kind).collect::<Vec<_>>();
    assert_eq!(kinds(text), [EntryKind::Marked, EntryKind::Open]);
    assert_eq!(kinds(&text.replace("## Schedule or", "# A")), [EntryKind::Marked, EntryKind::Marked]);
}

#[test]
fn of_marked_entries_the_last_one_left_is_still_one() {
    let text = "# M\n\n<!-- id: b -->\n- y\n- z\n";
    let rest = Outline::of_rest(&Markdown::parse(text, 0), text);
    assert_eq!(rest.entries.len(), 1);
    assert_eq!(outline(text).entries.len(), 2);
    assert!(has_marks(text) && !has_marks("# M\n<!-- keep -->\n"));
}

#[test]
fn marks_below_headings_take_their_headings_along() {
    let text = "# M\n\n## One\n<!-- id: a -->\nx\n\n## Two\n<!-- id: b -->\ny\n";
    assert_eq!(entries(text), ["## One", "## Two"]);
}

#[test]
fn one_mark_or_another_comment_marks_nothing() {
    assert_eq!(entries("<!-- id: a -->\nx\n\n- b\n"), ["- b"]);
    assert_eq!(entries("<!-- keep -->\nx\n\n<!-- keep -->\n\n- b\n"), ["- b"]);
}

#[test]
fn entries_know_their_names() {
    let name = |text: &str| outline(text).entries[0].name.map(|name| name.of(text).to_owned());
    assert_eq!(name("# 2026-06-24 Two words\nx\n# B\n"), Some("2026-06-24 Two words".into()));
    assert_eq!(name("- [ ] **Bold lead:** x\n"), Some("Bold lead:".into()));
    assert_eq!(name("- plain **bold**\n"), None);
}

#[test]
fn the_direction_is_that_of_most_neighbours() {
    let run = |text: &str| direction(&outline(text).entries);
    assert_eq!(run("- 2026-06-24 a\n- x\n- 2026-06-23 b\n- 2026-06-23 c\n"), Direction::NewestFirst);
    assert_eq!(
        run("- 2026-06-01 a\n- 2026-06-23 b\n- 2026-06-22 c\n- 2026-06-24 d\n"),
        Direction::NewestLast
    );
    assert_eq!(run("- 2026-06-24 a\n- b\n"), Direction::Unknown);
}

#[test]
fn a_key_outlives_links_ticks_markers_and_pictures() {
    let wanted = key("- [ ] Fix the login of acme\n");
    for text in [
        "- [x] Fix the login of [[acme-crm|acme]]\n",
        "* ✅ Fix the [login](a.md) of acme\n",
        "3. Fix the\n   login of acme\n",
        "Fix **the login** of acme 🎉",
    ] {
        assert_eq!(key(text), wanted, "{text:?}");
    }
    assert_ne!(key("- Fix the logout of acme\n"), wanted);
    assert_ne!(key("- 🎉\n"), key("- 💥\n"));
    assert_eq!(wanted.len(), 16);
}

/// Lines of notes with entries in them.
const LINES: &[&str] = &[
    "# Log",
    "# 2026-06-20",
    "## 2026-06-24",
    "## Open",
    "### Part (2026-06-01)",
    "- item",
    "- 2026-06-22 item",
    "  more",
    "- [x] done ✅ 2026-06-23",
    "1. one",
    "**Fixed:**",
    "prose",
    "```",
    "%%",
    "<!-- id: a -->",
    "<!-- id: b -->",
    "> quote",
    "|a|",
    "|-|",
    "---",
    "[^1]: x",
    "",
    "",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn entries_are_whole_lines_apart_and_inside_their_section(lines in prop::collection::vec(prop::sample::select(LINES), 0..40)) {
        let text = lines.join("\n");
        let outline = outline(&text);
        let mut end = 0;
        for entry in &outline.entries {
            prop_assert!(entry.span.start >= end && !entry.span.is_empty());
            prop_assert_eq!(line::start(&text, entry.span.start), entry.span.start);
            prop_assert_eq!(line::end(&text, entry.span.end - 1), entry.span.end);
            prop_assert!(outline.sections[entry.section].span.holds(entry.span));
            prop_assert!(entry.path.iter().all(|crumb| crumb.span.end <= entry.span.start));
            end = entry.span.end;
        }
        for (at, section) in outline.sections.iter().enumerate().skip(1) {
            let parent = &outline.sections[section.parent.unwrap_or(0)];
            prop_assert!(parent.span.holds(section.span) && section.end > at && section.end <= parent.end);
        }
    }
}

#[test]
fn many_sections_and_marks_are_read_in_linear_time() {
    for piece in [
        "## 2026-06-24\n- a\n\n",
        "<!-- id: a -->\n## x\ny\n\n",
        "- 2026-06-24 a\n",
        "**a:**\n- b\n\n",
        "# a\n###### b\n",
    ] {
        let _ = outline(&piece.repeat(10_000));
    }
}
