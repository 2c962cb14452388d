//! The real binary, killed at every file call it makes, one call a trial (P1), and killed again while
//! it recovers (P2); a nightly set, since it needs `strace` and some minutes. What a kill leaves must be,
//! once the next start has recovered, the vault before the run or the vault after it.

use crate::{
    figure::{Figure, is_nightly},
    program::{command, memkeep},
    tree::{Bytes, Tree, differences},
};
use std::{
    collections::BTreeSet,
    os::unix::process::ExitStatusExt,
    process::{Command, Stdio},
};

/// The calls at which a run can be killed: all that touch a file.
const CALLS: [&str; 18] = [
    "openat",
    "openat2",
    "read",
    "write",
    "pwrite64",
    "close",
    "fstat",
    "newfstatat",
    "statx",
    "mkdirat",
    "renameat2",
    "linkat",
    "unlinkat",
    "fsync",
    "syncfs",
    "flock",
    "fchmod",
    "getdents64",
];

const TODAY: &str = "2026-11-30";

/// Four memories, two of them with an archive: edits, new notes and moves in one plan.
fn vault() -> Tree {
    let tree = Tree::empty();
    tree.write("memkeep.yaml", b"trim: {max_lines: 12, keep_lines: 8}\n");
    for (n, folder) in ["", "a/", "b/", "c/d/"].into_iter().enumerate() {
        let entries: String =
            (1..20).map(|day| format!("- 2026-03-{day:02}: entry {day} of {n}\n")).collect();
        tree.write(&format!("{folder}memory.md"), format!("# m\n\n## Log\n\n{entries}").as_bytes());
        if n % 2 == 0 {
            tree.write(
                &format!("{folder}memory_archive.md"),
                b"# m (archive)\n\n## Log\n\n- 2026-02-01: older\n",
            );
        }
    }
    tree
}

fn apply(tree: &Tree) -> Bytes {
    let output = memkeep(tree, TODAY, &["run", "--apply"]);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    tree.bytes()
}

/// Runs memkeep and kills it at the `n`th call of one kind; false where it makes fewer.
fn killed(tree: &Tree, args: &[&str], call: &str, n: usize) -> bool {
    let program = command(tree, TODAY, args);
    let inject = format!("inject={call}:signal=KILL:when={n}");
    let trace = format!("trace={call}");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject]).arg(program.get_program());
    strace.args(program.get_args()).env_clear();
    strace.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let status = strace.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.expect("strace starts");
    status.signal().is_some() || status.code() == Some(137)
}

/// A start that recovers and finds nothing else to do, since no memory is over its budget.
const RECOVER: [&str; 6] = ["run", "--apply", "--set", "trim.max_lines=9999", "--set", "trim.keep_lines=999"];

fn recovered(tree: &Tree) -> Bytes {
    let output = memkeep(tree, TODAY, &RECOVER);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    tree.bytes()
}

/// True where there is a strace that can kill here; says so where there is none.
fn can_kill() -> bool {
    let works = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .status()
        .is_ok_and(|status| status.success());
    if !works {
        println!("P1, P2 on the real binary: not run, there is no strace here");
    }
    works && is_nightly()
}

#[test]
fn killed_at_any_file_call_the_vault_is_old_or_new() {
    if !can_kill() {
        return;
    }
    let mut figure = Figure::of("killed at any file call: old or new (P1, real binary)");
    let old = vault().bytes();
    let new = apply(&vault());
    let mut seen = BTreeSet::new();
    for call in CALLS {
        for n in 1.. {
            let tree = vault();
            if !killed(&tree, &["run", "--apply"], call, n) {
                break;
            }
            figure.trial(Ok(()));
            let after = recovered(&tree);
            assert!(after == old || after == new, "{call} {n}: {}", differences(&old, &after));
            seen.insert(after == new);
        }
    }
    figure.done();
    assert_eq!(seen.len(), 2, "the kills were all on one side of the commit point");
}

#[test]
fn killed_while_recovering_the_vault_is_old_or_new() {
    if !can_kill() {
        return;
    }
    let mut figure = Figure::of("killed in commit and again in recovery (P2, real binary)");
    let old = vault().bytes();
    let new = apply(&vault());
    for call in ["renameat2", "linkat", "unlinkat", "fsync", "write"] {
        for n in 1.. {
            let probe = vault();
            if !killed(&probe, &["run", "--apply"], call, n) {
                break;
            }
            for again in ["renameat2", "unlinkat", "fsync", "write"] {
                for m in [1, 2, 3, 5, 8] {
                    let tree = vault();
                    killed(&tree, &["run", "--apply"], call, n);
                    if !killed(&tree, &RECOVER, again, m) {
                        break;
                    }
                    figure.trial(Ok(()));
                    let after = recovered(&tree);
                    assert!(
                        after == old || after == new,
                        "{call} {n}, {again} {m}: {}",
                        differences(&old, &after)
                    );
                }
            }
        }
    }
    figure.done();
}
