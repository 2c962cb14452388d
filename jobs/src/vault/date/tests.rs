//! Which dates are read, and which of them date an entry.

use super::*;
use proptest::prelude::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn days(text: &str) -> Vec<String> {
    find(text).iter().map(|dated| dated.day.to_string()).collect()
}

#[test]
fn dates_are_read_as_people_write_them() {
    for text in [
        "2026-06-24",
        "2026-6-24",
        "2026/06/24",
        "2026.06.24",
        "2026年6月24日",
        "2026年06月24日",
        "2026년 6월 24일",
        "24.06.2026",
        "24.6.2026",
        "June 24, 2026",
        "Jun 24 2026",
        "june 24th, 2026",
        "Jun. 24, 2026",
        "24 Jun 2026",
        "24 June 2026",
        "24th of June 2026",
        "24 июня 2026",
        "24 июня 2026 г.",
        "06/24/2026",
        "24/06/2026",
        "24-06-2026",
        "2026-06-24T10:00",
        "2026-06-24T10:00:59.123+02:00",
        "2026-06-24 10:00",
        "2026-06-24T10:00:59Z",
        "(2026-06-24)",
        "**2026-06-24:**",
        "_2026-06-24_",
        "[[2026-06-24]]",
        "2026-06-24: x",
        "2026-06-24, x",
        "更新2026-06-24に",
        "2026-06-01 – 2026-06-24",
        "2026-06-01 to 2026-06-24",
        "June 1–24, 2026",
        "1-24 June 2026",
        "2026-06-01→2026-06-24",
    ] {
        assert_eq!(days(text), ["2026-06-24"], "{text}");
    }
}

#[test]
fn a_doubtful_or_impossible_date_is_none() {
    for text in [
        "03/04/2026",
        "2026-02-30",
        "2026-13-01",
        "31.04.2026",
        "June 31, 2026",
        "v2026.06.24",
        "2026.06.24.1",
        "2026-06-24.md",
        "2026-06-24-standup",
        "logs/2026-06-24",
        "2026-06-24/notes",
        "12026-06-24",
        "2026-06-245",
        "2026-06",
        "June 2026",
        "0226-06-24",
        "a_2026-06-24",
        "#2026-06-24",
        "id=2026-06-24",
        "Maybe 24, 2026",
        "1.2.3.2026",
        "2026年6月",
    ] {
        assert_eq!(days(text), [""; 0], "{text}");
    }
}

#[test]
fn a_heading_is_dated_anywhere() {
    assert_eq!(in_heading("Session Progress (2026-05-06) 🔨 ACTIVE"), Some(day("2026-05-06")));
    assert_eq!(in_heading("2026-06-24 fix of the 2026-05-20 outage"), Some(day("2026-06-24")));
    assert_eq!(in_heading("Week 2026-06-01 – 2026-06-07"), Some(day("2026-06-07")));
    assert_eq!(in_heading("Notes"), None);
}

#[test]
fn an_item_is_dated_at_its_start_in_its_lead_or_at_its_end() {
    for text in [
        "2026-06-24 fixed",
        "- 2026-06-24: fixed",
        "- [x] 2026-06-24 fixed",
        "3. 2026-06-24 fixed",
        "**2026-06-24** fixed",
        "**2026-06-24: fixed** more",
        "✨ 2026-06-24 fixed",
        "[2026-06-24] fixed",
        "(2026-06-24) fixed",
        "#log 2026-06-24 fixed",
        "[[2026-06-24]] fixed",
        "[[2026-06-24|today]] fixed",
        "**Login fixed (2026-06-24)**: text",
        "~~2026-06-24 gone~~",
        "fixed ✅ 2026-06-24",
        "fixed ➕ 2026-06-01 📅 2026-07-01 ✅ 2026-06-24 ^id",
        "fixed (2026-06-24)",
        "fixed 2026-06-24.",
        "fixed (2026-06-24) #tag #two ^id",
        "fixed [completion:: 2026-06-24]",
        "fixed (done 2026-06-24)",
        "fixed (2026-06-24, Remy)",
        "fixed [due:: 2026-07-01] [completion:: 2026-06-24]",
        "fixed *2026-06-24*",
        "fixed [[2026-06-24]]",
        "`2026-06-24` fixed",
        "2026-06-20 – 2026-06-24: week",
        "fixed (2026-06-24)\n  and more of it",
        "fixed ✅ 2026-06-24 ⏫\n  more",
        "24 июня 2026: готово",
        "2026年6月24日 修正",
        "修正（2026年6月24日）",
        "2026-06-24 fixed, was 2026-01-01",
        "@{2026-06-24} fixed",
    ] {
        assert_eq!(of_item(text), Some(day("2026-06-24")), "{text}");
    }
}

#[test]
fn a_date_inside_a_sentence_dates_nothing() {
    for text in [
        "fixed on 2026-06-24 by Remy",
        "see [[2026-06-24 Meeting]] for it",
        "[[2026-06-24 Meeting]]: notes",
        "ship 📅 2026-06-24",
        "ship [due:: 2026-06-24]",
        "the plan of\n2026-06-24 was\nbad",
        "x 2026-06-24\ny",
        "[a](2026-06-24.md)",
        "no date",
        "",
        "⏳ 2026-06-24 wait",
        "list them (41 rooms as of 2026-06-24)",
    ] {
        assert_eq!(of_item(text), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_dates_in_order_on_character_borders(text in "[0-9]{0,4}([-/. 年月日:T✅(\\[*#^,]{0,3}([0-9]{0,4}|June|мая|é|\n)){0,12}") {
        let mut end = 0;
        for dated in find(&text) {
            prop_assert!(dated.span.start >= end && text.get(dated.span.start..dated.span.end).is_some());
            end = dated.span.end;
        }
        let _ = (of_item(&text), in_heading(&text));
    }

    #[test]
    fn every_day_is_read_back(n in 0..73_000_i32) {
        let date = NaiveDate::from_num_days_from_ce_opt(693_961 + n).unwrap();
        prop_assert_eq!(of_item(&date.format("- %Y-%m-%d x").to_string()), Some(date));
        prop_assert_eq!(in_heading(&date.format("x %B %e, %Y").to_string()), Some(date));
    }
}

#[test]
fn a_line_of_numbers_is_read_in_linear_time() {
    for piece in ["2026-06-24 ", "1 ", "2026-", "June ", "(2026-06-24) #a "] {
        let text = piece.repeat(50_000);
        let _ = (find(&text), of_item(&text));
    }
}
