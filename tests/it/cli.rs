//! The command line as scripts and people meet it: help, exit codes, where reports go, what is printed
//! and what is not.

use crate::{
    program::{Output, command, memkeep, redacted},
    tree::{Tree, tests},
};
use std::{
    fs,
    process::{Command, Stdio},
};

const TODAY: &str = "2026-11-30";

/// A snapshot in the folder at the top of the project.
fn settled(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A vault with one note, in which no job has anything to do.
fn quiet() -> Tree {
    let tree = Tree::empty();
    tree.write("note.md", b"# A note\n");
    tree
}

fn run(tree: &Tree, args: &[&str]) -> Output {
    memkeep(tree, TODAY, args)
}

/// Without a vault or a day, in the folder of `tree`.
fn bare(tree: &Tree, args: &[&str], env: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memkeep"));
    command.args(args).current_dir(&tree.root).env_clear().env("HOME", tree.root.with_file_name("home"));
    let output = command.envs(env.iter().copied()).stdin(Stdio::null()).output().expect("memkeep starts");
    Output {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn the_help_of_every_command_is_as_reviewed() {
    let tree = quiet();
    let whole = bare(&tree, &["--help"], &[]);
    settled("help", &whole.out);
    let commands = ["run", "check", "undo", "runs", "show", "links", "jobs", "explain", "config"];
    let of_links = ["links list", "links explain", "links remove", "links rederive"];
    for name in commands.into_iter().chain(of_links) {
        let mut args: Vec<&str> = name.split(' ').collect();
        args.push("--help");
        let help = bare(&tree, &args, &[]);
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""), "{name}");
        let (own, _) = help.out.split_once("\nEverywhere:").expect("what every command takes");
        let (_, below) = help.out.split_once("Print help\n").expect("the last option");
        settled(&format!("help-{}", name.replace(' ', "-")), &format!("{own}{below}"));
        let is_listed = whole.out.contains(&format!("\n  {name} "));
        assert!(is_listed || of_links.contains(&name), "{name} is listed");
    }
    let listed = whole.out.lines().skip_while(|line| *line != "Commands:").skip(1);
    assert_eq!(listed.take_while(|line| !line.is_empty()).count(), commands.len(), "each is tested");
}

#[test]
fn wrong_usage_exits_2_and_touches_nothing() {
    let tree = quiet();
    let wrong: [&[&str]; 7] = [
        &[],
        &["rum"],
        &["run", "--appply"],
        &["run", "--only", "trin", "--apply"],
        &["run", "--accept", "everything", "--apply"],
        &["run", "--report", "pdf", "--apply"],
        &["run", "--set", "trim.max_line=3", "--apply"],
    ];
    for args in wrong {
        let output = bare(&tree, args, &[]);
        assert_eq!(output.code, Some(2), "{args:?}: {}", output.err);
        assert!(output.out.is_empty() && !output.err.is_empty(), "{args:?}");
    }
    assert_eq!(run(&tree, &["run", "--today", "tomorrow"]).code, Some(2));
    let shown = run(&tree, &["show", "20990101"]);
    assert_eq!(shown.code, Some(2));
    assert!(shown.err.starts_with("memkeep: cannot find a run `20990101`"), "{}", shown.err);
    assert!(!tree.path(".memkeep").exists());
}

#[test]
fn undo_of_a_run_that_is_not_there_exits_2() {
    let tree = quiet();
    assert_eq!(run(&tree, &["undo"]).code, Some(2));
    let output = run(&tree, &["undo", "20990101"]);
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("there is no run `20990101`") && output.err.contains("`memkeep runs`"));
}

#[test]
fn errors_name_the_place_and_the_nearest_name() {
    let tree = quiet();
    tree.write("memkeep.yaml", b"trim:\n  max_line: 3\n");
    let output = run(&tree, &["run", "--apply"]);
    assert_eq!(output.code, Some(2));
    let first = output.err.lines().next().unwrap_or_default();
    assert!(first.starts_with("memkeep: cannot use the settings: "), "{first}");
    assert!(
        first.contains("memkeep.yaml:2:3: ") && first.contains("did you mean 'trim.max_lines'?"),
        "{first}"
    );
    assert!(!tree.path(".memkeep").exists(), "nothing was written");
}

#[test]
fn settings_that_are_no_plain_file_are_never_opened() {
    let tree = quiet();
    let made = std::process::Command::new("mkfifo").arg(tree.path("memkeep.yaml")).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe that nobody writes to");
    let ran = run(&tree, &["run"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("memkeep.yaml: it is no plain file\n"), "{}", ran.err);
}

#[test]
fn a_folder_that_is_no_vault_is_never_taken_for_one() {
    let tree = quiet();
    let output = bare(&tree, &["run", "--apply"], &[]);
    assert_eq!(output.code, Some(2));
    assert!(output.err.starts_with("memkeep: cannot find a vault"), "{}", output.err);
    let missing = bare(&tree, &["run", "--vault", "nowhere"], &[]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("cannot open the vault nowhere"), "{}", missing.err);
}

#[test]
fn the_vault_is_found_above_and_then_in_the_users_own_settings() {
    let tree = quiet();
    tree.write("deep/er/x.md", b"x\n");
    tree.write(".obsidian/app.json", b"{}");
    let notes = |out: &str| out.trim_end().to_owned();
    let from = |dir: &str, env: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memkeep"));
        command.arg("run").current_dir(dir).env_clear().envs(env.iter().copied());
        let output = command.output().expect("memkeep starts");
        notes(&String::from_utf8_lossy(&output.stdout))
    };
    let deep = tree.path("deep/er").display().to_string();
    assert_eq!(from(&deep, &[]), "memkeep: nothing to do in 2 notes");
    let outside = tree.root.with_file_name("home");
    fs::create_dir_all(outside.join(".config/memkeep")).expect("a folder");
    fs::write(outside.join(".config/memkeep/config.yaml"), "vault: ~/../vault\n").expect("settings");
    let home = outside.display().to_string();
    assert_eq!(from(&home, &[("HOME", &home)]), "memkeep: nothing to do in 2 notes");
    assert_eq!(from(&home, &[]), "", "without a home there is no setting");
    let elsewhere = tree.root.with_file_name("own.yaml").display().to_string();
    assert_eq!(from(&deep, &[("MEMKEEP_CONFIG", &elsewhere)]), "", "a named file must exist");
}

#[test]
fn a_quiet_run_with_nothing_to_say_says_nothing() {
    let tree = quiet();
    for args in [&["run", "--quiet"][..], &["run", "--apply", "--due", "--quiet"]] {
        let output = run(&tree, args);
        assert_eq!((output.code, output.out.as_str(), output.err.as_str()), (Some(0), "", ""), "{args:?}");
    }
    tree.write("bad.md", b"\xff\xfe");
    let output = run(&tree, &["run", "--quiet"]);
    assert_eq!(output.code, Some(0), "a warning is no failure");
    assert!(output.out.contains("bad.md: warning: left alone: not UTF-8"), "{}", output.out);
    assert!(output.out.ends_with("memkeep: nothing to do in 2 notes; 1 warning\n"), "{}", output.out);
}

#[test]
fn a_warning_that_stays_is_no_news_the_next_night() {
    let tree = quiet();
    tree.write("bad.md", b"\xff\xfe");
    let night = || run(&tree, &["run", "--apply", "--due", "--quiet"]).out;
    assert!(night().contains("bad.md: warning"));
    assert_eq!(night(), "", "nothing is new");
    tree.write("worse.md", b"\xff\xfe");
    assert!(night().contains("worse.md: warning"), "a new one is told with the old ones");
    assert_eq!(night(), "");
    assert!(run(&tree, &["run"]).out.contains("bad.md: warning"), "without --quiet all is told");
    tree.write(".memkeep/runs.jsonl", (line(&tree) + "{\"undoes\":\"x\",\"warnings\":\"\"}\n").as_bytes());
    assert_eq!(night(), "", "an undo between looked at no note, so it makes nothing new");
}

fn line(tree: &Tree) -> String {
    tree.read(".memkeep/runs.jsonl").expect("a history")
}

#[test]
fn a_preview_and_a_check_write_nothing_at_all() {
    let tree = quiet();
    for args in [&["run"][..], &["check"], &["runs"], &["jobs"], &["config"], &["undo", "--preview"]] {
        run(&tree, args);
        assert!(!tree.path(".memkeep").exists(), "{args:?}");
    }
    assert_eq!(tree.bytes().len(), 1);
}

#[test]
fn check_fails_at_its_level_and_not_below() {
    let tree = quiet();
    assert_eq!(run(&tree, &["check"]).code, Some(0));
    tree.write("bad.md", b"\xff\xfe");
    let code = |level: &str| run(&tree, &["check", "--level", level]).code;
    assert_eq!((code("note"), code("warning"), code("error")), (Some(1), Some(1), Some(0)));
    settled("check", &redacted(&run(&tree, &["check"]).out));
    let json = run(&tree, &["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!((json.code, &report["mode"]), (Some(1), &"check".into()));
    assert_eq!(report["findings"][0]["path"], "bad.md");
}

#[test]
fn a_report_goes_where_it_is_asked_to() {
    let tree = quiet();
    let beside = tree.root.with_file_name("report.json");
    let sink = format!("json={}", beside.display());
    let output = run(&tree, &["run", "--report", &sink]);
    assert_eq!(output.out, "memkeep: nothing to do in 1 note\n", "the text is printed all the same");
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(&beside).expect("a report")).expect("JSON");
    assert_eq!((&report["version"], &report["today"]), (&1.into(), &TODAY.into()));
    assert_eq!(report["zone"], "UTC (+00:00)");
    let instead = run(&tree, &["run", "--report", "json", "--report", "markdown"]);
    assert!(instead.out.starts_with("{\n") && instead.out.contains("\n# Report of 2026-11-30\n"));
    let names = fs::read_dir(tree.root.parent().expect("home")).expect("files");
    let left = names.filter_map(|name| name.ok()?.file_name().into_string().ok());
    assert_eq!(left.filter(|name| name.contains(".tmp")).count(), 0, "no draft is left");
}

#[test]
fn a_report_never_lands_on_what_could_be_a_note() {
    let tree = quiet();
    tree.write("memkeep.yaml", b"{}\n");
    fs::create_dir(tree.path(".obsidian")).expect("a folder");
    let link = tree.root.with_file_name("link.json");
    std::os::unix::fs::symlink(tree.path("note.md"), &link).expect("a link");
    let paths = ["note.md", "new.MD", "memkeep.yaml", "plain", ".obsidian/x.json", "sub/../note.md"];
    fs::create_dir(tree.path("sub")).expect("a folder");
    let mut wanted: Vec<_> = paths.iter().map(|path| tree.path(path)).collect();
    wanted.push(link);
    let before = tree.bytes();
    for path in wanted {
        let sink = format!("json={}", path.display());
        let output = run(&tree, &["run", "--apply", "--report", &sink]);
        assert_eq!(output.code, Some(2), "{sink}: {}", output.err);
        assert!(output.err.starts_with("memkeep: cannot write the report to "), "{}", output.err);
    }
    assert_eq!(tree.bytes(), before);
    assert!(!tree.path(".memkeep").exists(), "it is refused before the run begins");
    assert_eq!(
        run(&tree, &["run", "--report", &format!("json={}", tree.path("sub/r.json").display())]).code,
        Some(0)
    );
}

#[test]
fn colours_are_for_terminals_and_for_whoever_asks() {
    let tree = quiet();
    tree.write("bad.md", b"\xff\xfe");
    let colours = |args: &[&str], env: &[(&str, &str)]| {
        let output = command(&tree, TODAY, args).envs(env.iter().copied()).output().expect("memkeep starts");
        output.stdout.contains(&0x1b)
    };
    assert!(!colours(&["check"], &[]), "a pipe gets none");
    assert!(colours(&["check", "--color", "always"], &[]));
    assert!(colours(&["check", "--color", "always"], &[("NO_COLOR", "1")]), "the flag is the nearer word");
    assert!(!colours(&["check", "--color", "never"], &[]));
}

/// A name and a note that try to act on a terminal.
#[test]
fn nothing_in_a_vault_reaches_a_terminal_as_a_control() {
    let tree = quiet();
    let name = "\u{1b}[2J\u{202e}\u{9b}31m\u{200b}x.md";
    tree.write(name, b"<<<<<<< \x1b[31m\n=======\n>>>>>>> x\n");
    tree.write("memkeep.yaml", b"{}\n");
    for args in
        [&["run"][..], &["run", "--stat"], &["run", "--quiet"], &["check"], &["run", "--report", "markdown"]]
    {
        let output = run(&tree, args);
        assert!(
            output.out.contains("u{") || output.out.contains("u\\{"),
            "{args:?} tells of it: {}",
            output.out
        );
        let raw = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{200b}');
        assert_eq!(output.out.matches(raw).count(), 0, "{args:?}: {:?}", output.out);
    }
    tree.write("memkeep.yaml", "\u{1b}[31mtrim: 1\n".as_bytes());
    let output = run(&tree, &["run"]);
    assert_eq!(output.err.matches(|c: char| c.is_control() && c != '\n').count(), 0, "{:?}", output.err);
    let output = run(&tree, &["explain", "\u{1b}[31m"]);
    assert_eq!(output.err.matches(|c: char| c.is_control() && c != '\n').count(), 0, "{:?}", output.err);
}

#[test]
fn a_closed_pipe_is_quiet_and_a_full_disk_is_not() {
    let tree = quiet();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let closed = command(&tree, TODAY, &["config"]).stdout(writer).output().expect("memkeep starts");
    assert_eq!((closed.status.code(), closed.stderr.as_slice()), (Some(0), &b""[..]));
    let full = fs::File::options().write(true).open("/dev/full").expect("a full device");
    let full = command(&tree, TODAY, &["config"]).stdout(full).output().expect("memkeep starts");
    assert_eq!(full.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&full.stderr).starts_with("memkeep: cannot write the report: "));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_in_130() {
    use rustix::{
        fs::{CWD, FileType, Mode, mknodat},
        process::{Pid, Signal, kill_process},
    };
    let tree = quiet();
    let fifo = tree.root.with_file_name("fifo");
    mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
    // Nobody reads: the program stands still with its report in hand.
    let sink = format!("json={}", fifo.display());
    let mut child =
        command(&tree, TODAY, &["run", "--report", &sink]).stdout(Stdio::null()).spawn().expect("memkeep");
    let status = format!("/proc/{}/status", child.id());
    let listens = || {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(caught.trim(), 16).ok()? & 0b10 != 0)
    };
    while listens() != Some(true) {
        assert_eq!(child.try_wait().expect("a child"), None, "it is still there");
        std::thread::yield_now();
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("a signal");
    assert_eq!(child.wait().expect("a child").code(), Some(130));
}

#[test]
fn settings_are_shown_with_their_origin() {
    let tree = quiet();
    tree.write("memkeep.yaml", b"trim:\n  max_lines: 50\n  keep_lines: 40\n");
    let output = command(&tree, TODAY, &["config", "--set", "settle_minutes=7"])
        .env("MEMKEEP_TRIM_MAX_BYTES", "9000")
        .output()
        .expect("memkeep starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned();
    assert!(line("trim.max_lines: 50").ends_with("memkeep.yaml:2"), "{text}");
    assert!(line("trim.max_bytes: 9000").ends_with("# MEMKEEP_TRIM_MAX_BYTES"), "{text}");
    assert!(line("settle_minutes: 7").ends_with("# flag"), "{text}");
    assert!(line("trim.zones").ends_with("# default"), "{text}");
    let defaults = run(&tree, &["config", "--defaults"]).out;
    tree.write("memkeep.yaml", defaults.replace("vault: null", "# vault").as_bytes());
    assert_eq!(run(&tree, &["config"]).code, Some(0), "the defaults are a file that can be used");
    settled("config-reference", &run(&tree, &["config", "--reference"]).out);
    let schema = run(&tree, &["config", "--schema"]).out;
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
    assert_eq!(schema["properties"]["trim"]["additionalProperties"], false);
}

#[test]
fn runs_without_work_are_counted_as_proof_that_memkeep_was_there() {
    let tree = quiet();
    assert_eq!(run(&tree, &["runs"]).out, "memkeep has not run in this vault\n");
    for _ in 0..3 {
        run(&tree, &["run", "--apply"]);
    }
    let text = run(&tree, &["runs"]).out;
    assert!(text.contains("nothing to do  3 runs, the last one then\n"), "{text}");
    assert_eq!(text.lines().count(), 1);
    let rows: Vec<serde_json::Value> =
        serde_json::from_str(&run(&tree, &["runs", "--format", "json"]).out).expect("JSON");
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row["state"] == "nothing changed" && row["journal"] == false));
}

#[test]
fn the_example_vault_previews_and_its_report_reads_back() {
    let tree = Tree::copy(&tests().join("vaults/example"));
    let json = run(&tree, &["run", "--report", "json"]).out;
    let report = pipeline::report::json::parse(&json).expect("a report");
    assert_eq!(report.counts.planned, report.changes.len());
    assert_eq!(pipeline::report::json::render(&report), json);
}
