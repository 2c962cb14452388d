//! `cron.example`: its units are valid, its crontab lines are lines of a shell, and what they call is a
//! command line that memkeep knows. And many starts at once, as a crontab can bring about (P10).

use crate::{
    figure::Figure,
    program::{command, memkeep},
    tree::{Tree, tests},
};
use std::{
    fs,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

fn example() -> String {
    fs::read_to_string(tests().join("../cron.example")).expect("cron.example")
}

/// A unit as its comment in `cron.example` says to cut it out.
fn unit(name: &str) -> String {
    let text = example();
    let inside = text.split_once(&format!("# >>> {name}\n")).expect("its start").1;
    let inside = inside.split_once(&format!("# <<< {name}")).expect("its end").0;
    inside.lines().filter_map(|line| line.strip_prefix("#| ")).map(|line| format!("{line}\n")).collect()
}

/// The commands of the crontab lines.
fn lines() -> Vec<String> {
    let text = example();
    let is_entry = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit() || c == '*');
    let command = |line: &str| line.split_whitespace().skip(5).collect::<Vec<_>>().join(" ");
    text.lines().filter(is_entry).map(command).collect()
}

/// What the checker of systemd says of the two units, changed by `change`; none where there is no checker.
fn complaints(change: impl Fn(String) -> String) -> Option<String> {
    let home = tempfile::tempdir().expect("a folder");
    let paths = ["memkeep.service", "memkeep.timer"].map(|name| {
        let text = unit(name).replace("%h/.cargo/bin/memkeep", env!("CARGO_BIN_EXE_memkeep"));
        let path = home.path().join(name);
        fs::write(&path, change(text)).expect("a unit");
        path
    });
    let mut checker = Command::new("systemd-analyze");
    checker.args(["--user", "verify"]).args(&paths).env("XDG_RUNTIME_DIR", home.path());
    let Ok(checked) = checker.output() else {
        println!("systemd-analyze verify: not run, there is none here");
        return None;
    };
    let says = String::from_utf8_lossy(&checked.stderr).into_owned();
    let ours: Vec<&str> = says.lines().filter(|line| line.contains("memkeep")).collect();
    let failed = if checked.status.success() { "" } else { "it failed" };
    Some(format!("{}{failed}", ours.join("\n")))
}

#[test]
fn the_units_pass_the_checker_of_systemd() {
    assert!(unit("memkeep.service").starts_with("[Unit]") && unit("memkeep.timer").starts_with("[Unit]"));
    assert_eq!(complaints(|unit| unit).unwrap_or_default(), "");
    let bad = complaints(|unit| unit.replace("OnCalendar=*-*-* 04", "OnCalendar=*-*-* 44"));
    assert!(bad.is_none_or(|says| !says.is_empty()), "a wrong hour is not noticed");
}

#[test]
fn the_service_takes_a_held_lock_for_no_failure_and_the_timer_catches_up() {
    assert!(unit("memkeep.service").contains("SuccessExitStatus=3\n"));
    let timer = unit("memkeep.timer");
    for line in ["Persistent=true\n", "RandomizedDelaySec="] {
        assert!(timer.contains(line), "{line}");
    }
}

#[test]
fn the_lines_are_shell_and_call_a_known_command_line() {
    let lines = lines();
    assert!(lines.len() >= 3, "{lines:?}");
    let tree = Tree::copy(&tests().join("vaults/example"));
    for line in lines {
        let checked = Command::new("sh").args(["-n", "-c", &line]).output().expect("a shell");
        assert!(checked.status.success(), "{line}: {}", String::from_utf8_lossy(&checked.stderr));
        let Some((_, call)) = line.split_once("memkeep run ") else { continue };
        let args = call.split_once(" --vault").expect("a vault").0;
        let args: Vec<&str> = ["run"].into_iter().chain(args.split(' ')).collect();
        let output = memkeep(&tree, "2026-11-30", &args);
        assert_eq!(output.code, Some(0), "{args:?}: {}{}", output.out, output.err);
    }
}

#[test]
fn of_fifty_starts_at_once_one_runs_and_the_others_end_with_3() {
    let mut figure = Figure::of("fifty starts at once (P10)");
    let tree = Tree::copy(&tests().join("vaults/example"));
    let before = tree.bytes();
    let start = || {
        let mut command = command(&tree, "2026-11-30", &["run", "--apply"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        (Instant::now(), command.spawn().expect("memkeep starts"))
    };
    let started: Vec<_> = (0..50).map(|_| start()).collect();
    let mut ran = 0;
    for (at, mut child) in started {
        figure.trial(Ok(()));
        let code = child.wait().expect("it ends").code();
        match code {
            Some(0) => ran += 1,
            Some(3) => assert!(at.elapsed() < Duration::from_secs(60), "a loser waited"),
            other => panic!("exit {other:?}"),
        }
    }
    assert!(ran >= 1, "nobody ran");
    figure.done();
    let lost = |path: &str| {
        let after = tree.read("projects/acme-crm/memory.md").unwrap_or_default()
            + &tree.read("projects/acme-crm/memory_archive.md").unwrap_or_default();
        let text = String::from_utf8_lossy(&before[path]).into_owned();
        text.lines()
            .filter(|line| !line.trim().is_empty() && !after.contains(*line))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(lost("projects/acme-crm/memory.md"), Vec::<String>::new());
    let again = memkeep(&tree, "2026-11-30", &["run", "--apply"]);
    assert_eq!(again.code, Some(0));
}
