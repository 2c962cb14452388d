//! Cases: `tests/cases/<job>/<case>/` holds a vault before, a claim, and the vault after a run.
//! `MEMKEEP_BLESS=1` writes `after/` and `report.txt` anew; they are read before they are committed.

use crate::{
    program::{Output, memkeep, redacted},
    tree::{Bytes, Tree, bytes_under, differences, folders_in, tests},
};
use std::{fs, path::Path};

/// One case as its `case.md` tells it.
struct Case {
    today: String,
    runs: usize,
    expects: Vec<String>,
}

impl Case {
    fn read(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join("case.md")).expect("case.md");
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key).map(str::trim));
        Case {
            today: value("today:").unwrap_or("2026-11-30").to_owned(),
            runs: value("runs:").map_or(1, |runs| runs.parse().expect("a number of runs")),
            expects: text.lines().filter_map(|line| line.strip_prefix("- ").map(str::to_owned)).collect(),
        }
    }
}

#[test]
fn every_case_comes_out_as_claimed() {
    let mut failures = Vec::new();
    let mut count = 0;
    for job in folders_in(&tests().join("cases")).iter().filter(|job| !job.ends_with("run")) {
        for case in folders_in(job) {
            count += 1;
            let id = job.file_name().expect("a name").to_string_lossy().into_owned();
            let told = check(&id, &case);
            if !told.is_empty() {
                failures.push(format!("=== {}\n{}", case.display(), told.join("\n")));
            }
        }
    }
    assert!(count > 0, "there are no cases");
    assert!(failures.is_empty(), "{} of {count} cases fail\n{}", failures.len(), failures.join("\n"));
}

/// What is wrong with a case, one line each.
fn check(job: &str, folder: &Path) -> Vec<String> {
    let case = Case::read(folder);
    let tree = Tree::copy(&folder.join("before"));
    let before = tree.bytes();
    let run = || memkeep(&tree, &case.today, &["run", "--only", job, "--apply"]);
    let first = run();
    let rest: Vec<Output> = (1..case.runs).map(|_| run()).collect();
    let after = tree.bytes();
    let mut wrong: Vec<String> =
        case.expects.iter().filter_map(|expect| unmet(expect, &before, &after, &first, &rest)).collect();
    if first.code != Some(0) {
        wrong.push(format!("exit code {:?}\n{}{}", first.code, first.out, first.err));
    }
    wrong.extend(unmet_lines(&case.expects, &before, &after));
    wrong.extend(compare(folder, &after, &redacted(&first.out)));
    run();
    let again = differences(&after, &tree.bytes());
    if !again.is_empty() {
        wrong.push(format!("one more run changes more:\n{again}"));
    }
    wrong.extend(undone(&tree, &case.today, &before));
    wrong
}

/// Undoing run after run gives the vault before all of them.
fn undone(tree: &Tree, today: &str, before: &Bytes) -> Option<String> {
    let report = memkeep(tree, today, &["runs", "--format", "json"]);
    let runs: Vec<serde_json::Value> = serde_json::from_str(&report.out).unwrap_or_default();
    let journaled = runs.iter().filter(|run| run["journal"] == true);
    let mut ids: Vec<String> = journaled.filter_map(|run| run["run"].as_str().map(str::to_owned)).collect();
    ids.sort();
    for id in ids.iter().rev() {
        memkeep(tree, today, &["undo", id]);
    }
    let left = differences(before, &tree.bytes());
    (!left.is_empty()).then(|| format!("undo leaves:\n{left}"))
}

fn compare(folder: &Path, after: &Bytes, report: &str) -> Vec<String> {
    if std::env::var_os("MEMKEEP_BLESS").is_some() {
        bless(folder, after, report);
        return Vec::new();
    }
    let mut wrong = Vec::new();
    let wanted = bytes_under(&folder.join("after"), &|_| true);
    let differs = differences(&wanted, after);
    if !differs.is_empty() {
        wrong.push(format!("the vault after differs from after/:\n{differs}"));
    }
    let wanted = fs::read_to_string(folder.join("report.txt")).unwrap_or_default();
    if wanted != report {
        let diff = similar::TextDiff::from_lines(wanted.as_str(), report);
        wrong.push(format!("the report differs:\n{}", diff.unified_diff()));
    }
    wrong
}

fn bless(folder: &Path, after: &Bytes, report: &str) {
    let _ = fs::remove_dir_all(folder.join("after"));
    for (path, bytes) in after {
        let path = folder.join("after").join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("its folder");
        fs::write(path, bytes).expect("a file");
    }
    fs::write(folder.join("report.txt"), report).expect("the report");
}

/// Checks one line under `expect:`; a line of another form is for the eye of a reviewer.
fn unmet(expect: &str, before: &Bytes, after: &Bytes, first: &Output, rest: &[Output]) -> Option<String> {
    let text = |path: &str| {
        after.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    };
    let memory = text("memory.md");
    let archives: String =
        after.keys().filter(|path| path.contains("memory_archive")).map(|path| text(path)).collect();
    let (kind, of) = expect.split_once(':').unwrap_or((expect, ""));
    let file = of.split_whitespace().next().unwrap_or_default();
    let number = || of.rsplit(' ').next().and_then(|n| n.parse::<usize>().ok()).expect("a number");
    let holds = match kind {
        "stays" => quoted(of).iter().all(|words| memory.contains(words) && !archives.contains(words)),
        "leaves" => quoted(of).iter().all(|words| !memory.contains(words) && archives.contains(words)),
        "order" => in_order(&archives, &quoted(of)),
        "count" => quoted(of).first().is_some_and(|words| text(file).matches(words).count() == number()),
        "bytes" => text(file).len() <= number(),
        "lines" => text(file).lines().count() <= number(),
        "untouched" => before == after,
        "the second run changes nothing" => rest.iter().all(|run| run.out.contains("nothing to do")),
        _ if expect.starts_with("the report offers a change to line ") => {
            let line = expect.rsplit(' ').next().unwrap_or_default();
            first.out.contains(&format!(".md:{line}: ")) && first.out.contains("--accept likely")
        }
        _ if expect.starts_with("a finding names ") => {
            expect.split_whitespace().nth(3).is_some_and(|path| first.out.contains(path))
        }
        _ => true,
    };
    (!holds).then(|| format!("not so: {expect}"))
}

/// Checks `becomes`, `adds`, `goes` and `no other line changes` against the lines of both vaults, without a
/// diff of ours: what is left of the old lines after those that go must be what is left of the new ones.
fn unmet_lines(expects: &[String], before: &Bytes, after: &Bytes) -> Vec<String> {
    let (mut old, mut new) = (lines(before), lines(after));
    let mut wrong = Vec::new();
    for expect in expects {
        let (gone, come) = match (expect.split_once(": "), marked(expect).as_slice()) {
            (Some(("becomes", of)), [a, b]) => (Some((of, a.clone())), Some((of, b.clone()))),
            (Some(("adds", of)), [line]) => (None, Some((of, line.clone()))),
            (Some(("goes", of)), [line]) => (Some((of, line.clone())), None),
            (Some(("becomes" | "adds" | "goes", _)), _) => {
                wrong.push(format!("not understood: {expect}"));
                continue;
            }
            _ => continue,
        };
        let takes = |lines: &mut Vec<(String, String)>, wanted: Option<(&str, String)>| {
            let Some((of, line)) = wanted else { return true };
            let path = of.split(" `").next().unwrap_or_default();
            // Of equal lines the last one goes or is new.
            let at = lines.iter().rposition(|(file, own)| file == path && *own == line);
            at.map(|at| lines.remove(at)).is_some()
        };
        if !takes(&mut old, gone) || !takes(&mut new, come) {
            wrong.push(format!("not so: {expect}"));
        }
    }
    if expects.iter().any(|expect| expect == "no other line changes") && old != new {
        wrong.push(format!("other lines change:\n{old:#?}\nare\n{new:#?}"));
    }
    wrong
}

/// Every line of every file, with its path, in order; a carriage return is part of its line.
fn lines(vault: &Bytes) -> Vec<(String, String)> {
    let of = |(path, bytes): (&String, &Vec<u8>)| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let own: Vec<_> = text.split('\n').map(|line| (path.clone(), line.to_owned())).collect();
        own
    };
    vault.iter().flat_map(of).collect()
}

/// The texts between backquotes, in which `\\r` is a carriage return.
fn marked(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(|text| text.replace("\\r", "\r")).collect()
}

/// The texts between double quotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

fn in_order(text: &str, words: &[&str]) -> bool {
    let mut rest = text;
    words.iter().all(|words| match rest.find(words) {
        Some(at) => {
            rest = &rest[at + words.len()..];
            true
        }
        None => false,
    })
}
