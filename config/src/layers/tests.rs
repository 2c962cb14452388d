//! Claims about layers: what wins, where it came from, and each error at its exact place.

use std::path::Path;

use super::*;
use crate::error::Place;
use crate::globs::Globs;
use crate::settings::{Order, Split};

fn vault(text: &str) -> Layers {
    Layers::new().vault("memkeep.yaml", text)
}

fn config(text: &str) -> Config {
    vault(text).resolve().unwrap().config
}

/// All errors of a vault's file as `line:column: message (hint)`.
fn errors(text: impl AsRef<[u8]>) -> Vec<String> {
    let error = Layers::new().vault("memkeep.yaml", text).resolve().unwrap_err();
    let shown = |error: &ConfigError| {
        let text = error.to_string().replace("memkeep.yaml:", "");
        error.hint.as_ref().map_or_else(|| text.clone(), |hint| format!("{text} ({hint})"))
    };
    std::iter::once(&error).chain(&error.also).map(shown).collect()
}

fn no_env() -> [(&'static str, &'static str); 0] {
    []
}

#[test]
fn without_any_layer_the_documented_defaults_are_in_force() {
    let config = Config::default();
    assert_eq!(config, Layers::new().env(no_env()).resolve().unwrap().config);
    assert_eq!(
        (config.limits.note_bytes, config.limits.frontmatter_bytes, config.limits.nesting),
        (8_388_608, 65_536, 64)
    );
    assert_eq!((config.trim.max_lines, config.trim.keep_lines), (200, 160));
    assert_eq!((config.trim.max_bytes, config.trim.keep_bytes), (25_000, 20_000));
    assert_eq!((config.trim.order, config.trim.split), (Order::Auto, Split::None));
    assert!(config.trim.count_frontmatter && config.trim.count_comments);
    assert_eq!(config.trim.pins, ["📌", "#pinned", "<!-- keep -->"]);
    assert_eq!((config.settle_minutes, config.journal.keep_days, config.journal.keep_runs), (5, 90, 60));
    assert_eq!(config.vault, None);
    assert!(config.private.matches("notes/private_taxes.md") && config.boards.matches("AGENDA.md"));
}

#[test]
fn each_layer_wins_over_the_one_before_and_is_named() {
    let resolved = Layers::new()
        .flag("settle_minutes", "9")
        .env([("MEMKEEP_TRIM_MAX_LINES", "400"), ("HOME", "/home/remy")])
        .vault("memkeep.yaml", "trim:\n  max_lines: 300\n  zones: [Log]\n")
        .user(
            "config.yaml",
            "# mine\nvault: /notes\ntrim:\n  max_lines: 250\n  zones: [Diary, Old]\n  split: year\n",
        )
        .resolve()
        .unwrap();
    assert_eq!(resolved.config.trim.max_lines, 400);
    assert_eq!(resolved.config.trim.zones, ["Log"], "a list replaces a list");
    assert_eq!(resolved.config.vault.as_deref(), Some(Path::new("/notes")));
    let origin =
        |key: &str| resolved.values.iter().find(|v| v.key == key).map(|v| v.origin.to_string()).unwrap();
    assert_eq!(origin("trim.max_lines"), "MEMKEEP_TRIM_MAX_LINES");
    assert_eq!(origin("trim.zones"), "memkeep.yaml:3");
    assert_eq!(origin("trim.split"), "config.yaml:6");
    assert_eq!(origin("settle_minutes"), "flag");
    assert_eq!(origin("private"), "default");
}

#[test]
fn every_value_can_be_pasted_back_and_means_the_same() {
    let odd = "trim:\n  zones: ['it''s', 'no', '5', ' x', 'x ', '- y', '#z', 'a: b', '\\n', '\"', null, 訂正]\n  order: newest-last\nprivate: ['!a', '*.md', '[ab]']\n";
    let kinds = "normalise:\n  off: [date]\n  schemas:\n    zettel: off\n    fact: {fields: {area: off, 'a: b': {kind: tags}, status: {one_of: [active, 'no']}}}\n    own: {holds: [x], notes: ['*.md', '!y'], fields: {role: {one_of: [a], words: {a: [b, 'c: d']}}}}\n";
    for text in ["", odd, kinds] {
        let first = vault(text).resolve().unwrap();
        let mut pasted = String::new();
        for value in &first.values {
            match value.key.split_once('.') {
                Some((table, _)) if pasted.contains(&format!("\n{table}:\n")) => {}
                Some((table, _)) => pasted += &format!("\n{table}:\n"),
                None => {}
            }
            let indent = if value.key.contains('.') { "  " } else { "" };
            pasted += &format!("{indent}{}: {}\n", value.key.rsplit('.').next().unwrap(), value.value);
        }
        let second = Layers::new().user("config.yaml", &pasted).resolve().unwrap();
        assert_eq!(second.config, first.config, "{pasted}");
        assert!(second.values.iter().all(|value| value.origin != Origin::Default));
    }
}

#[test]
fn nothing_is_retyped() {
    let config = config("trim:\n  zones: [no, on, 5, 1.10, 0x1F, 2026-06-24, true, 'yes', ~]\n");
    assert_eq!(config.trim.zones, ["no", "on", "5", "1.10", "0x1F", "2026-06-24", "true", "yes", "~"]);
}

#[test]
fn empty_texts_marks_and_line_ends_set_nothing() {
    for text in [
        "",
        "\n",
        "# only a comment\n",
        "---\n",
        "--- # x\n...\n",
        "\u{feff}",
        "\u{feff}# c\r\n",
        "trim:\n  # max_lines: 1\n",
        "{}",
    ] {
        assert_eq!(config(text), Config::default(), "{text:?}");
    }
    let windows = config("\u{feff}trim:\r\n  max_lines: 150\r\n  now:\r\n    - NOW\r\n    - LIVE\r\n");
    assert_eq!(windows.trim.max_lines, 150);
    assert_eq!(windows.trim.now, ["NOW", "LIVE"]);
}

#[test]
fn a_low_water_mark_that_nobody_set_follows_its_limit() {
    let trim = config("trim: {max_lines: 100, max_bytes: 12345}").trim;
    assert_eq!((trim.keep_lines, trim.keep_bytes), (80, 9_876));
    assert_eq!(config("trim: {max_lines: 2}").trim.keep_lines, 1);
    assert_eq!(config("trim: {max_lines: 100, keep_lines: 10}").trim.keep_lines, 10);
    assert_eq!(
        errors("trim:\n  max_lines: 100\n  keep_lines: 100\n"),
        ["3:15: 'trim.keep_lines' must be smaller than 'trim.max_lines', which is 100"]
    );
    let error = vault("trim: {keep_bytes: 900}").flag("trim.max_bytes", "900").resolve().unwrap_err();
    assert_eq!(error.place, Place::File { path: "memkeep.yaml".to_owned(), line: 1, column: 20 });
}

#[test]
fn chances_of_links_that_nobody_set_go_down_with_those_above_them() {
    let chances = |text: &str| {
        let relink = config(text).relink;
        (relink.linked, relink.suggested, relink.steady)
    };
    assert_eq!(chances(""), (80, 50, 5));
    assert_eq!(chances("relink: {linked: 40}"), (40, 40, 5));
    assert_eq!(chances("relink: {linked: 3}"), (3, 3, 3));
    assert_eq!(
        errors("relink:\n  linked: 60\n  suggested: 70\n"),
        ["3:14: 'relink.suggested' must be at most 'relink.linked', which is 60"]
    );
}

#[test]
fn an_unknown_key_is_named_with_the_nearest() {
    for (text, expected) in [
        ("trim:\n  max_line: 1\n", "2:3: unknown key 'trim.max_line' (did you mean 'trim.max_lines'?)"),
        ("# c\n\nprivte: []\n", "3:1: unknown key 'privte' (did you mean 'private'?)"),
        ("max_lines: 1\n", "1:1: unknown key 'max_lines' (did you mean 'trim.max_lines'?)"),
        ("trim: {exclude: []}\n", "1:8: unknown key 'trim.exclude' (did you mean 'exclude'?)"),
        ("trim.max_lines: 1\n", "1:1: unknown key 'trim.max_lines' (write 'max_lines' below 'trim:')"),
        ("colour: red\n", "1:1: unknown key 'colour'"),
        ("'日本': 1\n", "1:1: unknown key '日本'"),
        ("\"\\e[31mred\": 1\n", "1:1: unknown key '\\u{1b}[31mred'"),
        ("\u{feff}colour: red\r\n", "1:1: unknown key 'colour'"),
        ("exclude: []\r\n\r\ncolour: red\r\n", "3:1: unknown key 'colour'"),
        ("<<: {a: 1}\n", "1:1: unknown key '<<'"),
    ] {
        assert_eq!(errors(text), [expected]);
    }
}

#[test]
fn a_value_of_the_wrong_shape_is_named_with_what_was_wanted() {
    for (text, expected) in [
        (
            "trim:\n  max_lines: many\n",
            "2:14: 'trim.max_lines' wants a whole number from 2 to 1000000, not 'many'",
        ),
        (
            "trim:\n  max_lines: '5'\n",
            "2:14: 'trim.max_lines' wants a whole number from 2 to 1000000, not the text '5' (take the quotes away)",
        ),
        ("trim:\n  max_lines: 0\n", "2:14: 'trim.max_lines' wants a whole number from 2 to 1000000, not '0'"),
        (
            "trim:\n  max_lines: [5]\n",
            "2:14: 'trim.max_lines' wants a whole number from 2 to 1000000, not a list",
        ),
        (
            "trim:\n  max_lines:\n    - 5\n",
            "2:3: 'trim.max_lines' wants a whole number from 2 to 1000000, not a list",
        ),
        (
            "trim:\n  max_lines:\nexclude: []\n",
            "2:3: 'trim.max_lines' wants a whole number from 2 to 1000000, not nothing",
        ),
        ("settle_minutes: 010\n", "1:17: 'settle_minutes' wants a whole number from 0 to 1440, not '010'"),
        ("settle_minutes: -1\n", "1:17: 'settle_minutes' wants a whole number from 0 to 1440, not '-1'"),
        ("settle_minutes: 5.0\n", "1:17: 'settle_minutes' wants a whole number from 0 to 1440, not '5.0'"),
        ("settle_minutes: +5\n", "1:17: 'settle_minutes' wants a whole number from 0 to 1440, not '+5'"),
        (
            "settle_minutes: 99999999999999999999\n",
            "1:17: 'settle_minutes' wants a whole number from 0 to 1440, not '99999999999999999999'",
        ),
        (
            "trim:\n  count_comments: no\n",
            "2:19: 'trim.count_comments' wants true or false, not 'no' (write false)",
        ),
        (
            "trim:\n  order: newest_first\n",
            "2:10: 'trim.order' wants auto, newest-first or newest-last, not 'newest_first' (did you mean 'newest-first'?)",
        ),
        ("trim:\n  split: month\n", "2:10: 'trim.split' wants none or year, not 'month'"),
        ("exclude: Templates/\n", "1:10: 'exclude' wants a list, not 'Templates/' (write ['Templates/'])"),
        ("exclude:\n", "1:1: 'exclude' wants a list, not nothing (write [] for an empty list)"),
        ("exclude: {a: b}\n", "1:10: 'exclude' wants a list, not a mapping"),
        ("trim: 5\n", "1:7: 'trim' wants a mapping of keys, not '5'"),
        ("trim:\n- a\n", "1:1: 'trim' wants a mapping of keys, not a list"),
        ("- a\n", "1:1: the file must be a mapping of keys, not a list"),
        ("hello\n", "1:1: the file must be a mapping of keys, not 'hello'"),
        ("vault: /elsewhere\n", "1:1: 'vault' can only be set in the user's own file (take the line away)"),
    ] {
        assert_eq!(errors(text), [expected]);
    }
}

#[test]
fn an_item_of_a_list_is_named_at_its_own_place() {
    for (text, expected) in [
        (
            "private:\n  - ok\n  - 'a[b'\n",
            "3:5: glob 'a[b' has a '[' without its ']' (write '\\[' for a bracket)",
        ),
        ("exclude: [a, '']\n", "1:14: an item of 'exclude' is empty"),
        ("exclude: [a, [b]]\n", "1:14: an item of 'exclude' must be a text, not a list"),
        ("exclude: ['#x']\n", "1:11: glob '#x' is a comment in gitignore syntax (write '\\#x')"),
        (
            "trim:\n  pins:\n    - 📌\n    - #pinned\n",
            "4:7: an item of 'trim.pins' is a comment (quote it: '#pinned')",
        ),
        ("trim:\n  pins:\n    -\n    - a\n", "3:6: an item of 'trim.pins' must be a text, not nothing"),
        ("trim:\n  pins: [\"a\\nb\"]\n", "2:10: an item of 'trim.pins' runs over more than one line"),
        ("trim:\n  pins: [\"a\\eb\"]\n", "2:10: an item of 'trim.pins' holds the character U+001B"),
        (
            "accept: [relink]\n",
            "1:10: 'relink' is not the name of a rule (write job/rule, or job/* for all of a job)",
        ),
        (
            "accept: ['relink/*', 'Trim/x']\n",
            "1:22: 'Trim/x' is not the name of a rule (write job/rule, or job/* for all of a job)",
        ),
    ] {
        assert_eq!(errors(text), [expected]);
    }
    let long = format!("exclude: ['{}']", "x".repeat(501));
    assert_eq!(errors(long), ["1:11: an item of 'exclude' is longer than 500 characters"]);
}

#[test]
fn a_text_that_is_no_yaml_is_named_at_the_place_to_look_at() {
    for (text, expected) in [
        ("trim:\n\tmax_lines: 5\n", "2:1: a tab cannot indent a line (use blanks)"),
        ("trim:\n  max_lines: 5\n\tkeep_lines: 5\n", "3:1: a tab cannot indent a line (use blanks)"),
        ("exclude: []\nexclude: [a]\n", "2:1: key 'exclude' stands here twice (it stands in line 1 too)"),
        ("exclude:\n  - *.tmp\n", "2:5: alias '*.tmp' is not allowed (quote a text that starts with '*')"),
        (
            "exclude:\n  - a\n  - !keep.md\n",
            "3:5: tag '!keep.md' is not allowed (quote a text that starts with '!')",
        ),
        ("exclude: &x [a]\n", "1:10: anchor '&x' is not allowed (quote a text that starts with '&')"),
        (
            "exclude: [Cc]red*\n",
            "1:14: expected a key here (check the indentation, and quote a text that starts with '[' or '{')",
        ),
        ("exclude:\n  - @x\n", "2:5: a text cannot start with '@' (quote the text)"),
        ("exclude:\n  - *\n", "2:5: a text cannot start with '*' (quote the text)"),
        ("\u{feff}a: *\n", "1:4: a text cannot start with '*' (quote the text)"),
        ("exclude:\n  - \u{7}\n", "2:5: the character U+0007 is not allowed"),
        (
            "exclude: a: b\n",
            "1:11: a ':' is not allowed here (check the indentation, and quote a text that holds ': ')",
        ),
        ("日本: 'x\n", "1:5: the quote is never closed"),
        (
            "trim:\n  pins: [📌, #pinned]\n",
            "2:9: the bracket '[' is never closed (a '#' behind a blank starts a comment: quote it)",
        ),
        ("exclude: []\n---\nprivate: []\n", "2:1: a second document starts here (take the line '---' away)"),
        ("? [a]\n: b\n", "1:3: a key must be a text"),
        ("exclude: [a]]\n", "1:13: misplaced bracket"),
        ("%YAML 1.2\n---\n", "1:1: a line cannot start with '%'"),
    ] {
        assert_eq!(errors(text), [expected]);
    }
    assert_eq!(errors(b"exclude:\n  - caf\xe9\n"), ["2:8: not UTF-8"]);
}

#[test]
fn hostile_texts_are_refused_at_once() {
    let depth = "nested deeper than 16 levels";
    for (text, part) in [
        ("x".repeat((1 << 20) + 1), "1:1: larger than 1 MB"),
        ("[".repeat(200_000), depth),
        ("{a: ".repeat(200_000), depth),
        ("- ".repeat(200_000), depth),
        ("a:\n".repeat(100_000), "key 'a' stands here twice"),
        ("a: &a [x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n".to_owned(), "anchor '&a' is not allowed"),
        (format!("exclude: [{}, #]", "a,".repeat(1 << 16)), "ends too early"),
        (format!("exclude:\n{}", "- # c\n".repeat(100_000)), "is a comment"),
        (
            format!("exclude: {{{}}}", (0..90_000).map(|n| format!("{n}, ")).collect::<String>()),
            "not a mapping",
        ),
        ((0..50_000).map(|n| format!("trim_max_{n}: 1\n")).collect(), "unknown key 'trim_max_0'"),
    ] {
        let errors = errors(&text);
        assert!(errors[0].contains(part) && errors.len() <= 21, "{part}: {:?}", errors[0]);
    }
}

#[test]
fn all_errors_of_all_layers_come_at_once_in_their_order() {
    let error = Layers::new()
        .flag("trim.max_lines", "x")
        .env([("MEMKEEP_B", "1"), ("MEMKEEP_A", "1")])
        .vault("memkeep.yaml", "a: 1\ntrim:\n  max_lines: x\n")
        .user("config.yaml", "b: 1\n")
        .resolve()
        .unwrap_err();
    let places: Vec<String> =
        std::iter::once(&error).chain(&error.also).map(|e| e.place.to_string()).collect();
    assert_eq!(
        places,
        [
            "config.yaml:1:1",
            "memkeep.yaml:1:1",
            "memkeep.yaml:3:14",
            "MEMKEEP_A",
            "MEMKEEP_B",
            "flag trim.max_lines"
        ]
    );
}

#[test]
fn a_variable_is_read_as_what_its_key_wants() {
    let read = |name: &str, value: &str| Layers::new().env([(name, value)]).resolve();
    let exclude = |value: &str| read("MEMKEEP_EXCLUDE", value).unwrap().config.exclude;
    let globs = |patterns: &[&str]| Globs::new(patterns.iter().copied()).unwrap();
    assert_eq!(exclude("*.tmp"), globs(&["*.tmp"]));
    assert_eq!(exclude("!keep # me"), globs(&["!keep # me"]));
    assert_eq!(exclude("[a, '!b']"), globs(&["a", "!b"]));
    assert_eq!(exclude("'[ab]*'"), globs(&["[ab]*"]));
    assert_eq!(exclude("[]"), globs(&[]));
    assert_eq!(exclude(""), globs(&[]), "an empty variable is not set");
    assert_eq!(
        read("MEMKEEP_VAULT", "~/my notes").unwrap().config.vault.as_deref(),
        Some(Path::new("~/my notes"))
    );
    assert!(!read("MEMKEEP_TRIM_COUNT_COMMENTS", "false").unwrap().config.trim.count_comments);
    assert_eq!(read("MEMKEEP_TRIM_ORDER", " newest-last ").unwrap().config.trim.order, Order::NewestLast);
    assert_eq!(read("MEMKEEP_TRIM_ZONES", "no").unwrap().config.trim.zones, ["no"]);
}

#[test]
fn a_variable_that_cannot_be_meant_stops_the_program() {
    let fails = |name: &str, value: &str| {
        let layers = Layers::new().reserved(["MEMKEEP_TODAY"]).env([(name, value)]);
        let error = layers.resolve().unwrap_err();
        format!("{error} ({})", error.hint.as_deref().unwrap_or_default())
    };
    assert_eq!(
        fails("MEMKEEP_TRIM_MAXLINES", "1"),
        "MEMKEEP_TRIM_MAXLINES: unknown variable 'MEMKEEP_TRIM_MAXLINES' (did you mean 'MEMKEEP_TRIM_MAX_LINES'?)"
    );
    assert_eq!(
        fails("MEMKEEP_TODAYS", ""),
        "MEMKEEP_TODAYS: unknown variable 'MEMKEEP_TODAYS' (did you mean 'MEMKEEP_TODAY'?)"
    );
    assert_eq!(fails("MEMKEEP_TRIM", "{}"), "MEMKEEP_TRIM: unknown variable 'MEMKEEP_TRIM' ()");
    assert_eq!(
        fails("MEMKEEP_SETTLE_MINUTES", "soon"),
        "MEMKEEP_SETTLE_MINUTES: 'settle_minutes' wants a whole number from 0 to 1440, not 'soon' ()"
    );
    assert_eq!(fails("MEMKEEP_EXCLUDE", "[a"), "MEMKEEP_EXCLUDE: the bracket '[' is never closed ()");
    assert_eq!(
        fails("MEMKEEP_EXCLUDE", "a["),
        "MEMKEEP_EXCLUDE: glob 'a[' has a '[' without its ']' (write '\\[' for a bracket)"
    );
    assert!(Layers::new().reserved(["MEMKEEP_TODAY"]).env([("MEMKEEP_TODAY", "x")]).resolve().is_ok());
}

#[test]
fn a_flag_is_read_like_a_variable_and_the_last_one_wins() {
    let config =
        Layers::new().flag("trim.max_lines", "150").flag("trim.max_lines", "140").resolve().unwrap().config;
    assert_eq!((config.trim.max_lines, config.trim.keep_lines), (140, 112));
    let error = Layers::new().flag("trim.max_line", "1").resolve().unwrap_err();
    assert_eq!(error.to_string(), "flag trim.max_line: unknown key 'trim.max_line'");
    assert_eq!(error.hint.as_deref(), Some("did you mean 'trim.max_lines'?"));
    assert!(Layers::new().flag("trim", "{}").resolve().is_err());
}

#[test]
fn a_flag_that_goes_on_into_the_kinds_is_told_the_form_that_works() {
    for (path, value, form) in [
        ("normalise.schemas.zettel", "off", "normalise.schemas={zettel: off}"),
        (
            "normalise.schemas.fact.fields.type.fill",
            "off",
            "normalise.schemas={fact: {fields: {type: {fill: off}}}}",
        ),
    ] {
        let error = Layers::new().flag(path, value).resolve().unwrap_err();
        assert_eq!(error.hint, Some(format!("write '{form}'")));
        let (key, value) = form.split_once('=').unwrap();
        assert!(Layers::new().flag(key, value).resolve().is_ok(), "{form}");
    }
}

#[test]
fn every_message_is_one_line_in_lower_case_without_a_dot() {
    for text in [
        "a: [",
        "a: \"\\q\"",
        "%YAML 1.1\n---\na: 1",
        "a: |1-x\n",
        "a: 'x' y",
        "a: 1\n b: 2",
        "}",
        "a: !<x y",
        "- - -\n a",
    ] {
        for error in errors(text) {
            let message = error.split_once(": ").unwrap().1;
            assert!(!message.contains('\n') && !message.ends_with('.'), "{message}");
            assert!(!message.starts_with(char::is_uppercase), "{message}");
        }
    }
}
