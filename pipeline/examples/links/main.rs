//! How well relink finds again the links that people made, and where its shipped weights come from.
//!
//! ```text
//! cargo run --release -p pipeline --example links -- measure VAULT..   seeds 1 to 6, one line a vault
//! cargo run --release -p pipeline --example links -- wrong VAULT SEED  what it links and people did not
//! cargo run --release -p pipeline --example links -- dump VAULT..      the cases, for a look with other tools
//! cargo run --release -p pipeline --example links -- fit VAULT..       the shipped weights, and how each vault
//!                                                                      fares with those of the others
//! ```

#![expect(clippy::print_stdout, reason = "a program of figures")]

mod split;
mod trial;

use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["dump", vaults @ ..] => vaults.iter().for_each(|vault| dump(vault)),
        ["measure", vaults @ ..] => vaults.iter().for_each(|vault| measure(vault)),
        ["wrong", vault, seed] => wrong(vault, seed),
        _ => println!("measure VAULT.. | wrong VAULT SEED | dump VAULT.. | fit VAULT.."),
    }
}

fn name(vault: &str) -> String {
    Path::new(vault).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// One line a case: vault, seed, part, linked, linkable, note, target, words, values.
fn dump(vault: &str) {
    let notes = split::read(Path::new(vault));
    for seed in 1..=6 {
        let trial = trial::Trial::new(&notes, &seed.to_string());
        for row in trial.rows() {
            let values: Vec<String> = row.values.iter().map(|value| format!("{value:.5}")).collect();
            println!(
                "{}\t{seed}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                name(vault),
                row.part,
                u8::from(row.is_human),
                u8::from(row.is_left),
                row.note,
                row.target,
                row.written,
                values.join(" ")
            );
        }
        println!("{}\t{seed}\tcount\t{}", name(vault), trial.n_linkable());
        for (note, target) in trial.linkable() {
            println!("{}\t{seed}\tlinkable\t{note}\t{target}", name(vault));
        }
    }
}

fn measure(vault: &str) {
    let notes = split::read(Path::new(vault));
    for threshold in [0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8] {
        let scores: Vec<[f64; 3]> =
            (1..=6).map(|seed| trial::Trial::new(&notes, &seed.to_string()).score(threshold)).collect();
        let mean = |at: usize| scores.iter().map(|score| score[at]).sum::<f64>() / scores.len() as f64;
        println!("{:20} {threshold:.2}  P {:.3}  R {:.3}  F1 {:.3}", name(vault), mean(0), mean(1), mean(2));
    }
}

fn wrong(vault: &str, seed: &str) {
    let notes = split::read(Path::new(vault));
    let trial = trial::Trial::new(&notes, seed);
    for line in trial.wrong() {
        println!("{line}");
    }
}
