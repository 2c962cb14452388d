use super::*;
use crate::change::Moved;
use crate::{
    change::{Change, End, Place},
    fold::fold,
    job::{Card, Proposal, Stage, Touches},
    vault::{Ledger, Note},
};
use chrono::NaiveDate;
use std::sync::Arc;

static CARD: Card = Card {
    id: "test",
    stage: Stage::Trim,
    summary: "",
    touches: Touches::Blocks,
    certainty: crate::Certainty::Sure,
    about: "",
};

/// Moves the blocks between `‹` and `›` in `memory`, each under the lines named before a `|`, into
/// `archive`; gives both texts after.
fn moved(memory: &str, archive: Option<&str>, end: End) -> (String, String) {
    let (text, blocks) = marked(memory);
    let (from, to) = (path("memory.md"), path("memory_archive.md"));
    let mut notes = vec![Arc::new(Note::of_text(from.clone(), text))];
    notes.extend(archive.map(|text| Arc::new(Note::of_text(to.clone(), text))));
    let vault = Vault::new(notes, Ledger::default(), NaiveDate::default());
    let place = Place { head: "# memory (archive)\n".into(), end, why: Why::sure("test/move", "made") };
    let change = Change::Move(Move {
        from: from.clone(),
        blocks,
        left: vec![],
        to: to.clone(),
        place,
        repairs: vec![],
    });
    let proposal = Proposal { changes: vec![change], ..Proposal::default() };
    let folded = fold(&vault, &CARD, proposal, 1, &|_| true);
    assert_eq!(folded.findings, vec![]);
    let text = |path| folded.vault.note(&path).map(|note| note.text.to_string()).unwrap_or_default();
    (text(from), text(to))
}

fn path(text: &str) -> NotePath {
    NotePath::new(text).expect("a path")
}

fn marked(text: &str) -> (String, Vec<Moved>) {
    let (mut plain, mut blocks) = (String::new(), Vec::new());
    for (n, part) in text.split(['‹', '›']).enumerate() {
        if n % 2 == 0 {
            plain.push_str(part);
            continue;
        }
        let (under, block) = part.split_once('|').expect("lines and a block");
        let start = plain.len();
        plain.push_str(block);
        let under = under.split('/').filter(|line| !line.is_empty()).map(str::to_owned).collect();
        let block = Span::new(start, plain.len());
        let why = Why::sure("test/move", "old");
        blocks.push(Moved { block, removal: block, under, once: true, why });
    }
    (plain, blocks)
}

fn archived(memory: &str, archive: &str) -> String {
    moved(memory, Some(archive), End::Bottom).1
}

#[test]
fn a_new_archive_has_its_head_each_heading_once_and_a_final_newline() {
    let memory =
        "# m\n\n## Log\n\n‹## Log|- one\n›‹## Log|- two\n›- three\n\n## Other\n\n‹## Other/### Sub|- four›";
    let (left, archive) = moved(memory, None, End::Bottom);
    assert_eq!(left, "# m\n\n## Log\n\n- three\n\n## Other\n\n");
    assert_eq!(archive, "# memory (archive)\n\n## Log\n\n- one\n- two\n\n## Other\n\n### Sub\n\n- four\n");
}

#[test]
fn items_join_the_list_under_their_heading() {
    let archive = "# a\n\n## Log\n\n- zero\n\n## Other\n\ntext\n";
    assert_eq!(archived("‹## Log|- one\n›", archive), "# a\n\n## Log\n\n- zero\n- one\n\n## Other\n\ntext\n");
}

#[test]
fn a_heading_with_nothing_below_takes_its_first_item() {
    assert_eq!(archived("‹## Log|- one\n›", "# a\n\n## Log\n"), "# a\n\n## Log\n\n- one\n");
    assert_eq!(archived("‹## Log|- one\n›", "# a\n## Log\n## B\n"), "# a\n## Log\n\n- one\n\n## B\n");
}

#[test]
fn a_missing_heading_is_made_at_the_end_of_the_one_above() {
    let archive = "# a\n\n## Log\n\n### A\n\n- a\n\n## Other\n";
    assert_eq!(
        archived("‹## Log/### B|- b\n›", archive),
        "# a\n\n## Log\n\n### A\n\n- a\n\n### B\n\n- b\n\n## Other\n"
    );
}

#[test]
fn items_of_a_heading_go_before_its_sections_and_lead_lines() {
    let archive = "# a\n\n## Log\n\n- zero\n\n**Fixed:**\n\n- bug\n\n### Sub\n\n- x\n";
    assert_eq!(
        archived("‹## Log|- one\n›", archive),
        "# a\n\n## Log\n\n- zero\n- one\n\n**Fixed:**\n\n- bug\n\n### Sub\n\n- x\n"
    );
    assert_eq!(
        archived("‹## Log/**Fixed:**|- bug 2\n›", archive),
        "# a\n\n## Log\n\n- zero\n\n**Fixed:**\n\n- bug\n- bug 2\n\n### Sub\n\n- x\n"
    );
    assert_eq!(
        archived("‹## Log/**Broken:**|- bug 2\n›", archive),
        "# a\n\n## Log\n\n- zero\n\n**Fixed:**\n\n- bug\n\n**Broken:**\n\n- bug 2\n\n### Sub\n\n- x\n"
    );
}

#[test]
fn a_section_whose_heading_is_there_joins_it() {
    let archive = "# a\n\n## 2026-03-01\n\nmorning\n\n## 2026-03-02\n\n- x\n";
    assert_eq!(
        archived("‹|## 2026-03-01\n\nevening\n›", archive),
        "# a\n\n## 2026-03-01\n\nmorning\n\nevening\n\n## 2026-03-02\n\n- x\n"
    );
}

#[test]
fn an_equal_dated_block_is_not_archived_twice() {
    let archive = "# a\n\n## Log\n\n- 2026-03-01: one\n  - below\n\n## 2026-03-01\n\nmorning\n";
    let memory = "‹## Log|- 2026-03-01: one\n  - below\n›x\n\n‹|## 2026-03-01\n\nmorning\n›";
    assert_eq!(moved(memory, Some(archive), End::Bottom), ("x\n\n".into(), archive.into()));
    assert!(archived("‹## Other|- 2026-03-01: one\n  - below\n›", archive).contains("## Other"));
}

#[test]
fn newest_first_blocks_go_to_the_top() {
    let archive = "# a\n\n## Log\n\n- two\n- one\n";
    let (_, archive) = moved("‹## Log|- four\n›‹## Log|- three\n›", Some(archive), End::Top);
    assert_eq!(archive, "# a\n\n## Log\n\n- four\n- three\n- two\n- one\n");
    let archive = "# a\n\n## 2026-03-01\n\nold\n";
    let (_, archive) = moved("‹|## 2026-03-02\n\nnew\n›", Some(archive), End::Top);
    assert_eq!(archive, "# a\n\n## 2026-03-02\n\nnew\n\n## 2026-03-01\n\nold\n");
}

#[test]
fn an_archive_without_a_final_newline_is_continued_on_a_new_line() {
    assert_eq!(archived("‹## Log|- one›", "# a\n\n## Log\n\n- zero"), "# a\n\n## Log\n\n- zero\n- one\n");
    assert_eq!(archived("‹## B|- one›", "# a"), "# a\n\n## B\n\n- one\n");
    assert_eq!(archived("‹## B|- one›", ""), "## B\n\n- one\n");
}

#[test]
fn blocks_keep_the_blank_lines_between_them() {
    let memory = "‹## Log|- one\n›\n‹## Log|- two\n›‹## Log|- three\n›";
    assert_eq!(
        moved(memory, None, End::Bottom).1,
        "# memory (archive)\n\n## Log\n\n- one\n\n- two\n- three\n"
    );
}

#[test]
fn a_crlf_archive_gains_crlf_headings() {
    let archive = "# a\r\n\r\n## Log\r\n\r\n- zero\r\n";
    assert_eq!(
        archived("‹## Log|- one\r\n›‹## B|- two\r\n›", archive),
        "# a\r\n\r\n## Log\r\n\r\n- zero\r\n- one\r\n\r\n## B\r\n\r\n- two\r\n"
    );
}

#[test]
fn a_deeper_section_never_lands_in_a_shallower_one() {
    let memory = "‹|## 2026-03-01\n\na\n›‹### Sub|- one\n›";
    let (_, archive) = moved(memory, None, End::Bottom);
    assert_eq!(archive, "# memory (archive)\n\n### Sub\n\n- one\n\n## 2026-03-01\n\na\n");
    let next = "‹### Sub|- two\n›‹### New|- x\n›‹|## 2026-03-02\n\nb\n›";
    assert_eq!(
        archived(next, &archive),
        "# memory (archive)\n\n### Sub\n\n- one\n- two\n\n### New\n\n- x\n\n## 2026-03-01\n\na\n\n## 2026-03-02\n\nb\n"
    );
    let (_, archive) = moved(next, Some(&archive), End::Top);
    assert_eq!(
        archive,
        "# memory (archive)\n\n### New\n\n- x\n\n### Sub\n\n- two\n- one\n\n## 2026-03-02\n\nb\n\n## 2026-03-01\n\na\n"
    );
}

#[test]
fn a_lead_line_never_lands_in_a_section_that_moves_with_it() {
    let memory = "‹## Log|### 2026-03-01\n\na\n›‹## Log/**Fixed:**|- bug\n›";
    let (_, archive) = moved(memory, None, End::Bottom);
    assert_eq!(archive, "# memory (archive)\n\n## Log\n\n**Fixed:**\n\n- bug\n\n### 2026-03-01\n\na\n");
}

#[test]
fn sections_and_headings_of_one_level_keep_their_order() {
    let memory = "‹## Log\n|- one\n›‹|Two\nlines\n---\n\na\n›";
    let (_, archive) = moved(memory, None, End::Bottom);
    assert!(archive.find("## Log") < archive.find("Two"), "{archive}");
}
