//! How well relink finds again the links that people made, and where its shipped weights come from.
//!
//! ```text
//! cargo run --release -p pipeline --example links -- measure VAULT..   the mean of seeds 1 to 6
//! cargo run --release -p pipeline --example links -- wrong VAULT SEED  what it would link and people did not
//! cargo run --release -p pipeline --example links -- fit VAULT..       the shipped weights as `table.rs`, and how
//!                                                                      each vault fares with those of the others
//! cargo run --release -p pipeline --example links -- apply COPY [likely]  writes the links into a vault, with no undo
//! cargo run --release -p pipeline --example links -- time VAULT        how long reading, finding and judging take
//! cargo run --release -p pipeline --example links -- scale             the table of names, from 1,000 names to 1,000,000
//! cargo run --release -p pipeline --example links -- dump VAULT..      every case, for other tools
//! ```

#![expect(clippy::print_stdout, reason = "a program of figures")]

mod fit;
mod scale;
mod split;
mod trial;

use jobs::{
    Certainty, Job, Why,
    fold::fold,
    relink::{
        CARD, Relink, Settings, judge::weights::Shipped, lexicon::Lexicon, own::Ground, survey::Survey,
    },
    vault::{Vault, names::names_of},
};
use std::{path::Path, time::Instant};
use trial::Trial;

/// Which notes are test notes, as a share of all.
const SHARE: f64 = 0.3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["measure", vaults @ ..] => {
            for vault in vaults {
                measure(&name(vault), &split::read(Path::new(vault)), &Shipped::compiled());
            }
        }
        ["wrong", vault, seed] => {
            let trial = Trial::new(&split::read(Path::new(vault)), seed, SHARE, &Shipped::compiled());
            trial.wrong().iter().for_each(|line| println!("{line}"));
        }
        ["apply", vault] | ["apply", vault, "sure"] => apply(Path::new(vault), false),
        ["apply", vault, "likely"] => apply(Path::new(vault), true),
        ["time", vault] => time(Path::new(vault)),
        ["scale"] => scale::print(),
        ["fit", vaults @ ..] => fit_all(vaults),
        ["dump", vaults @ ..] => vaults.iter().for_each(|vault| dump(vault)),
        _ => println!(
            "measure VAULT.. | wrong VAULT SEED | fit VAULT.. | apply COPY | time VAULT | scale | dump VAULT.."
        ),
    }
}

fn name(vault: &str) -> String {
    Path::new(vault).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn measure(name: &str, notes: &Vault, shipped: &Shipped) {
    let trials: Vec<Trial> =
        (1..=6).map(|seed| Trial::new(notes, &seed.to_string(), SHARE, shipped)).collect();
    let cold = [Trial::new(notes, "1", 1.1, shipped)];
    for threshold in [0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9] {
        let [p, r, f] = mean(&trials, threshold);
        let [cold_p, cold_r, cold_f] = mean(&cold, threshold);
        println!(
            "{name:20} {threshold:.2}  P {p:.3}  R {r:.3}  F1 {f:.3}   no link known: P {cold_p:.3}  R {cold_r:.3}  F1 {cold_f:.3}"
        );
    }
}

fn mean(trials: &[Trial], threshold: f64) -> [f64; 3] {
    let scores: Vec<[f64; 3]> = trials.iter().map(|trial| trial.score(threshold)).collect();
    [0, 1, 2].map(|at| scores.iter().map(|score| score[at]).sum::<f64>() / scores.len() as f64)
}

fn fit_all(vaults: &[&str]) {
    let read: Vec<(String, Vault, fit::Lessons)> = vaults
        .iter()
        .map(|vault| {
            let notes = split::read(Path::new(vault));
            let lessons = fit::Lessons::of(&notes);
            (name(vault), notes, lessons)
        })
        .collect();
    for (name, notes, _) in &read {
        let others = read.iter().filter(|(other, ..)| other != name).map(|(.., lessons)| lessons);
        measure(name, notes, &fit::shipped(&others.collect::<Vec<_>>()));
    }
    let all: Vec<&fit::Lessons> = read.iter().map(|(.., lessons)| lessons).collect();
    println!("{}", fit::shipped(&all).table());
}

fn apply(root: &Path, likely_too: bool) {
    let vault = split::read(root);
    let job = Relink::new(Settings::new(&config::Config::default()));
    let accepts = |why: &Why| likely_too || why.certainty == Certainty::Sure;
    let after = fold(&vault, &CARD, job.plan(&vault), 1, &accepts).vault;
    for note in after.notes().iter().filter(|note| vault.note(&note.path) != Some(*note)) {
        if let Err(error) = std::fs::write(root.join(note.path.as_str()), &*note.text) {
            println!("{}: {error}", note.path);
        }
    }
}

fn time(root: &Path) {
    let settings = Settings::new(&config::Config::default());
    let since = |from: Instant| format!("{:.3} s", from.elapsed().as_secs_f64());
    let from = Instant::now();
    let vault = split::read(root);
    println!("read on one thread: {}, {} notes", since(from), vault.notes().len());
    let names: Vec<_> = vault
        .notes()
        .iter()
        .enumerate()
        .flat_map(|(at, note)| names_of(note).into_iter().map(move |name| (at, name, false)))
        .collect();
    let from = Instant::now();
    let lexicon = Lexicon::of(names);
    println!("the table of names: {}, {} names, {} steps", since(from), lexicon.len(), lexicon.n_steps());
    let from = Instant::now();
    let n = scale::names_in(&vault, &lexicon);
    println!("all names in all texts, over the cores: {}, {n} found", since(from));
    let from = Instant::now();
    let ground = Ground::of(&vault, &settings.parts);
    let survey = Survey::of(&ground, &settings.parts);
    let n: usize = survey.sheets.iter().map(|sheet| sheet.pairs.len()).sum();
    println!("names and mentions: {}, {} names, {n} pairs", since(from), survey.lexicon.len());
    let from = Instant::now();
    let proposal = Relink::new(settings).plan(&vault);
    println!("the whole plan: {}, {} notes to change", since(from), proposal.changes.len());
}

/// One line a case: vault, seed, part, linked, linked still, note, target, words, values.
fn dump(vault: &str) {
    let notes = split::read(Path::new(vault));
    for seed in 1..=6 {
        let trial = Trial::new(&notes, &seed.to_string(), SHARE, &Shipped::compiled());
        for row in trial.rows() {
            let values: Vec<String> = row.values.iter().map(|value| format!("{value:.5}")).collect();
            let (human, left) = (u8::from(row.is_human), u8::from(row.is_left));
            let trial::Row { part, note, target, written, .. } = &row;
            println!(
                "{}\t{seed}\t{part}\t{human}\t{left}\t{note}\t{target}\t{written}\t{}",
                name(vault),
                values.join(" ")
            );
        }
        for (note, target) in trial.linkable() {
            println!("{}\t{seed}\tlinkable\t{note}\t{target}", name(vault));
        }
    }
}
