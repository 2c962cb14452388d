//! The real binary, with nothing of the machine's own environment.

use crate::tree::Tree;
use std::process::{Command, Stdio};

/// What a run of the binary gave.
pub struct Output {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs memkeep on `tree` as if it were `today`.
pub fn memkeep(tree: &Tree, today: &str, args: &[&str]) -> Output {
    let output = command(tree, today, args).stdin(Stdio::null()).output().expect("memkeep starts");
    Output {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The command, to be started by the caller.
pub fn command(tree: &Tree, today: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memkeep"));
    let home = tree.root.with_file_name("home");
    command.args(args).arg("--vault").arg(&tree.root).args(["--today", today]);
    command.env_clear().env("HOME", &home).env("TZ", "UTC").env("LC_ALL", "C.UTF-8");
    command
}

/// A text without what differs from run to run: run ids, stamps and durations.
pub fn redacted(text: &str) -> String {
    let words: Vec<String> = text.split_inclusive([' ', '\n', ',', ')', ';']).map(redact_word).collect();
    words.concat()
}

fn redact_word(word: &str) -> String {
    let core = word.trim_end_matches([' ', '\n', ',', ')', ';', ':', '.']);
    let rest = &word[core.len()..];
    let inner = core.trim_start_matches(['(', '`']);
    let head = &core[..core.len() - inner.len()];
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_run = inner.len() == 22 && digits(&inner[..8]) && &inner[8..9] == "-" && digits(&inner[9..15]);
    let is_time = inner.strip_suffix("ms").is_some_and(digits);
    match (is_run, is_time) {
        (true, _) => format!("{head}RUN{rest}"),
        (_, true) => format!("{head}N ms{rest}"),
        _ => word.to_owned(),
    }
}
