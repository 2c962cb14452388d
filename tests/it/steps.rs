//! Whole runs: `tests/cases/run/<case>/` holds a vault before, a claim, and `steps`, a script that is
//! played against the real binary on a copy. The grammar stands in `tests/README.md`; a word that is
//! not in it fails the case.

use crate::{
    program::{Output, memkeep},
    tree::{Bytes, Tree, differences, folders_in, tests},
};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
};

#[test]
fn every_script_plays_as_written() {
    let mut failures = Vec::new();
    let cases = folders_in(&tests().join("cases/run"));
    assert!(!cases.is_empty(), "there are no scripts");
    for folder in &cases {
        let script = fs::read_to_string(folder.join("steps")).expect("steps");
        if let Err(wrong) = Play::new(folder).play(&script) {
            failures.push(format!("=== {}\n{wrong}", folder.display()));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} scripts fail\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

#[test]
fn a_script_that_expects_the_wrong_thing_fails() {
    for bad in [
        "memkeep jobs => 3",
        "memkeep jobs => 0\n  out: no such words",
        "absent memkeep.yaml",
        "frobnicate x",
    ] {
        let folder = tests().join("vaults/example");
        let mut play = Play { tree: Tree::copy(&folder), ..Play::new(&tests().join("cases")) };
        assert!(play.play(bad).is_err(), "{bad}");
    }
}

/// A script being played.
struct Play {
    tree: Tree,
    today: String,
    last: Option<Output>,
    snapshots: BTreeMap<String, Bytes>,
    changes: BTreeMap<String, serde_json::Value>,
    lock: Option<File>,
}

type Played = Result<(), String>;

impl Play {
    fn new(folder: &Path) -> Self {
        let before = folder.join("before");
        let tree = if before.is_dir() { Tree::copy(&before) } else { Tree::empty() };
        let (today, last, lock) = ("2026-11-30".to_owned(), None, None);
        Play { tree, today, last, snapshots: BTreeMap::new(), changes: BTreeMap::new(), lock }
    }

    fn play(&mut self, script: &str) -> Played {
        for (number, line) in script.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if line.starts_with("skip-as-root") && rustix::process::geteuid().is_root() {
                return Ok(());
            }
            self.step(line).map_err(|wrong| format!("step {}: {line}\n  {wrong}", number + 1))?;
        }
        Ok(())
    }

    fn step(&mut self, line: &str) -> Played {
        let (verb, of) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let words = words(of);
        let word = |n: usize| words.get(n).map(String::as_str).unwrap_or_default();
        match verb {
            "today" => self.today = word(0).to_owned(),
            "snapshot" => drop(self.snapshots.insert(word(0).to_owned(), self.tree.bytes())),
            "keep-changes" => drop(self.changes.insert(word(0).to_owned(), self.json("changes")?)),
            "release-lock" => self.lock = None,
            "skip-as-root" => {}
            "memkeep" => return self.run(of),
            "out:" | "err:" | "not:" => return self.said(verb, of),
            "same" => return self.same(word(0)),
            "differs" => return claim(self.same(word(0)).is_err(), "nothing changed"),
            "same-changes" => {
                let (now, then) = (self.json("changes")?, self.changes.get(word(0)).cloned());
                return claim(Some(&now) == then.as_ref(), "the changes differ");
            }
            "no-changes" => {
                return claim(self.json("changes")? == serde_json::json!([]), "there are changes");
            }
            "hold-lock" => return self.hold_lock(),
            _ => return self.file_step(verb, word(0), &words),
        }
        Ok(())
    }

    fn run(&mut self, of: &str) -> Played {
        let (args, code) = of.rsplit_once(" => ").ok_or("no exit code")?;
        let args = words(args);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = memkeep(&self.tree, &self.today, &args);
        let wanted: i32 = code.trim().parse().map_err(|_| "no exit code")?;
        let told = format!("exit {:?}\n{}\n{}", output.code, output.out, output.err);
        let right = output.code == Some(wanted);
        self.last = Some(output);
        claim(right, &told)
    }

    fn said(&self, verb: &str, text: &str) -> Played {
        let last = self.last.as_ref().ok_or("nothing ran")?;
        let holds = match verb {
            "out:" => last.out.contains(text),
            "err:" => last.err.contains(text),
            _ => !last.out.contains(text) && !last.err.contains(text),
        };
        claim(holds, &format!("it said\n{}\n{}", last.out, last.err))
    }

    fn json(&self, key: &str) -> Result<serde_json::Value, String> {
        let last = self.last.as_ref().ok_or("nothing ran")?;
        let report: serde_json::Value =
            serde_json::from_str(&last.out).map_err(|error| format!("no JSON: {error}\n{}", last.out))?;
        Ok(report[key].clone())
    }

    fn same(&self, name: &str) -> Played {
        let differs = differences(self.snapshots.get(name).ok_or("no such snapshot")?, &self.tree.bytes());
        claim(differs.is_empty(), &differs)
    }

    fn hold_lock(&mut self) -> Played {
        fs::create_dir_all(self.tree.path(".memkeep")).map_err(|error| error.to_string())?;
        let file = File::options().create(true).append(true).open(self.tree.path(".memkeep/lock"));
        let file = file.map_err(|error| error.to_string())?;
        file.try_lock().map_err(|error| error.to_string())?;
        self.lock = Some(file);
        Ok(())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.tree.path(path)
    }

    /// Verbs whose first word is a path in the vault, or beside it.
    fn file_step(&self, verb: &str, path: &str, words: &[String]) -> Played {
        let at = self.path(path);
        let word = |n: usize| words.get(n).map(String::as_str).unwrap_or_default();
        let text =
            || fs::read(&at).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let done = match verb {
            "write" => self.put(&at, &unescaped(word(1))),
            "append" => self.put(&at, &[fs::read(&at).unwrap_or_default(), unescaped(word(1))].concat()),
            "outside" => self.put(&self.path("..").join(path), &unescaped(word(1))),
            "remove" if at.is_dir() => fs::remove_dir_all(&at),
            "remove" => fs::remove_file(&at),
            "cut" => cut(&at, word(1)),
            "mkdir" => fs::create_dir_all(&at),
            "link" => symlink(word(1), &at),
            "hardlink" => fs::hard_link(self.path(word(1)), &at),
            "fifo" => rustix::fs::mkfifoat(rustix::fs::CWD, &at, rustix::fs::Mode::RUSR).map_err(Into::into),
            "chmod" => mode(path).and_then(|mode| fs::set_permissions(self.path(word(1)), mode)),
            "absent" => return claim(fs::symlink_metadata(&at).is_err(), "it is there"),
            "exists" => return claim(fs::symlink_metadata(&at).is_ok(), "it is not there"),
            "is-link" => {
                return claim(fs::symlink_metadata(&at).is_ok_and(|seen| seen.is_symlink()), "it is no link");
            }
            "file" if word(1) == "contains" => return claim(text().contains(word(2)), &text()),
            "file" if word(1) == "lacks" => return claim(!text().contains(word(2)), &text()),
            "count" => return claim(text().matches(word(1)).count().to_string() == word(2), &text()),
            "order" => return claim(in_order(&text(), &words[1..]), &text()),
            _ => return Err("not in the grammar".to_owned()),
        };
        done.map_err(|error| error.to_string())
    }

    fn put(&self, at: &Path, bytes: &[u8]) -> std::io::Result<()> {
        fs::create_dir_all(at.parent().expect("a parent"))?;
        fs::write(at, bytes)
    }
}

fn claim(holds: bool, otherwise: &str) -> Played {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}

fn cut(path: &Path, bytes: &str) -> std::io::Result<()> {
    let less: u64 = bytes.parse().expect("a number of bytes");
    let file = File::options().write(true).open(path)?;
    file.set_len(file.metadata()?.size().saturating_sub(less))
}

fn mode(octal: &str) -> std::io::Result<fs::Permissions> {
    Ok(fs::Permissions::from_mode(u32::from_str_radix(octal, 8).expect("an octal mode")))
}

fn in_order(text: &str, words: &[String]) -> bool {
    let mut rest = text;
    words.iter().all(|word| rest.split_once(word.as_str()).map(|(_, after)| rest = after).is_some())
}

/// Splits at blanks outside double quotes; the quotes go, `\"` stays a quote.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut any) = (Vec::new(), String::new(), false, false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => {
                word.push('\\');
                word.extend(chars.next());
            }
            '"' => (quoted, any) = (!quoted, true),
            c if c.is_whitespace() && !quoted => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => word.push(c),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

/// `\n`, `\r`, `\t`, `\"`, `\\` and `\xHH` as the bytes they stand for.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend_from_slice(c.to_string().as_bytes());
            continue;
        }
        match chars.next().expect("something after a backslash") {
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'x' => {
                let hex: String = chars.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&hex, 16).expect("two hexadecimal digits"));
            }
            other => bytes.extend_from_slice(other.to_string().as_bytes()),
        }
    }
    bytes
}
