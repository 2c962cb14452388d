//! `normalise` changes only lines that its report names, no body, and no name of a note: over real vaults, those
//! of the cases, and generated ones. Held against a diff of the old note and the new one, not against our
//! own replay. `MEMKEEP_CORPORA` names a folder of more vaults.

use crate::{
    figure::{Figure, is_nightly},
    frontmatter::body_start,
    generated,
    laws::{after, loaded, renamed},
    session::{only, settings, vault_of},
    tree::{Tree, folders_in, tests},
};
use config::Config;
use jobs::{fold::Step, vault::Vault};
use pipeline::plan::{accepting, plan};
use similar::{ChangeTag, TextDiff};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// The vaults of this folder, and those in the folder that the environment names.
pub fn folders() -> Vec<PathBuf> {
    let mut folders = folders_in(&tests().join("vaults/corpora"));
    folders.extend(["vaults/example", "vaults/example-kept"].map(|name| tests().join(name)));
    if let Some(more) = std::env::var_os("MEMKEEP_CORPORA") {
        folders.extend(folders_in(&PathBuf::from(more)));
    }
    folders.retain(|folder| !folder.ends_with("LICENSES"));
    folders
}

/// Lines, from 0, of the old note and of the new one.
#[derive(Default)]
struct Named {
    old: BTreeSet<usize>,
    new: BTreeSet<usize>,
}

impl Named {
    /// The lines that steps of one note name: each with the line it begins in and what it takes and puts.
    fn by(steps: &[&Step]) -> Self {
        let (mut named, mut grown) = (Named::default(), 0);
        for step in steps {
            let is_whole =
                [&step.before, &step.after].iter().all(|text| text.is_empty() || text.ends_with('\n'));
            let n_lines = |text: &str| text.matches('\n').count() + usize::from(!is_whole);
            let (old, new) = (n_lines(&step.before), n_lines(&step.after));
            let at = step.line - 1;
            named.old.extend(at..at + old);
            named.new.extend((at..at + new).filter_map(|line| line.checked_add_signed(grown)));
            grown += new as isize - old as isize;
        }
        named
    }
}

/// How the lines that no step names differ: without the named ones old and new note are one text.
fn unnamed(old: &str, new: &str, steps: &[&Step]) -> Vec<String> {
    let named = Named::by(steps);
    let rest = |text: &str, named: &BTreeSet<usize>| -> String {
        let lines = text.split_inclusive('\n').enumerate();
        lines.filter(|(at, _)| !named.contains(at)).map(|(_, line)| line).collect()
    };
    let (old, new) = (rest(old, &named.old), rest(new, &named.new));
    let diff = TextDiff::from_lines(&old, &new);
    let changes = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    changes.map(|change| format!("{}{:?}", change.tag(), change.value())).collect()
}

/// What is wrong with what `normalise` made of a note.
fn wrong(old: &str, new: &str, steps: &[&Step]) -> Vec<String> {
    let body = |text: &str| body_start(text).map(|at| text[at..].to_owned());
    let mut wrong = unnamed(old, new, steps);
    if body(old).is_none() || body(old) != body(new) {
        wrong.push("the body changes".to_owned());
    }
    wrong
}

/// What `normalise` makes of a vault, each file that it changes a trial; gives how many changes these are.
fn try_vault(figure: &mut Figure, name: &str, vault: &Vault, config: &Config) -> usize {
    let planned = plan(vault, &only(config, "normalise"), &accepting(vec!["likely".to_owned()]));
    for file in &planned.files {
        let old = &vault.note(&file.path).expect("a note that was there").text;
        let steps: Vec<&Step> = planned.steps.iter().filter(|step| step.path == file.path).collect();
        let wrong = wrong(old, &file.text, &steps);
        let told = || format!("{name}/{}: {}", file.path, wrong.join("\n"));
        figure.trial(if wrong.is_empty() { Ok(()) } else { Err(told()) });
    }
    let renamed = renamed(vault, &after(vault, &planned));
    figure.trial(renamed.map_or(Ok(()), |says| Err(format!("{name}: another name: {says}"))));
    planned.steps.len()
}

/// The number of notes and of changes, and whether these are as the report says.
fn try_folder(figure: &mut Figure, folder: &Path) -> (usize, usize) {
    // What may not be written is left alone; a copy may.
    let (vault, config) = loaded(&Tree::copy(folder).root);
    let n_steps = try_vault(figure, &folder.display().to_string(), &vault, &config);
    (vault.notes().len(), n_steps)
}

#[test]
fn only_lines_that_the_report_names_differ() {
    let mut figure = Figure::of("normalise changes only lines that its report names, real vaults");
    let mut n_steps = 0;
    for folder in folders() {
        let (n_notes, n_changes) = try_folder(&mut figure, &folder);
        let name = folder.file_name().unwrap_or_default().display();
        println!("    {name}: {n_notes} notes, {n_changes} changes");
        n_steps += n_changes;
    }
    figure.done();
    assert!(n_steps > 5, "only {n_steps} changes: the corpora give normalise nothing to do");
}

#[test]
fn only_lines_that_the_report_names_differ_in_cases() {
    let mut figure = Figure::of("normalise changes only lines that its report names, cases");
    let cases = folders_in(&tests().join("cases/normalise"));
    let n_steps: usize = cases.iter().map(|case| try_folder(&mut figure, &case.join("before")).1).sum();
    figure.done();
    // Many a case is of something that is told, and left alone.
    assert!(2 * n_steps > cases.len(), "only {n_steps} changes in {} cases", cases.len());
}

#[test]
fn only_lines_that_the_report_names_differ_in_generated_vaults() {
    let mut figure = Figure::of("normalise changes only lines that its report names, generated vaults");
    let cases = if is_nightly() { 2000 } else { 150 };
    let mut n_steps = 0;
    generated::each(cases, |vault, config| {
        let before = figure.n_failures();
        n_steps += try_vault(&mut figure, "generated", vault, config);
        if figure.n_failures() == before { Ok(()) } else { Err(figure.last_failure()) }
    });
    figure.done();
    println!("    {n_steps} changes in {cases} vaults");
    assert!(n_steps > cases as usize, "only {n_steps} changes in {cases} vaults");
}

#[test]
fn a_line_that_no_step_names_is_noticed() {
    let old = "---\na: 1\nb: 2\nb: 2\ntags: x\n---\nBody.\n";
    let (vault, config) = (vault_of(old), settings(""));
    let planned = plan(&vault, &only(&config, "normalise"), &accepting(vec!["likely".to_owned()]));
    let steps: Vec<&Step> = planned.steps.iter().collect();
    let new: &str = &planned.files[0].text;
    assert_eq!(wrong(old, new, &steps), Vec::<String>::new());
    assert!(!wrong(old, new, &[]).is_empty());
    for (line, other) in [("a: 1\n", "a: 1 \n"), ("a: 1\n", ""), ("a: 1\n", "c: 3\na: 1\n"), ("Body", "body")]
    {
        assert!(!wrong(old, &new.replace(line, other), &steps).is_empty(), "{line:?} as {other:?}");
    }
}
