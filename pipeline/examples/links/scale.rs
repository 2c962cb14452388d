//! How the table of names grows and slows with the names in it, on made-up words: the same text each time.

use jobs::{
    relink::lexicon::Lexicon,
    vault::{
        Note, Vault,
        names::{
            Name, Source, fold,
            token::{Token, tokens},
        },
    },
};
use rayon::prelude::*;
use std::{sync::Arc, time::Instant};

/// Words in the text, some 9 bytes each.
const N_WORDS: u64 = 2_000_000;

/// Counts of names.
const SIZES: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// One line for each size.
pub fn print() {
    let text: String = (0..N_WORDS).map(|at| word(at.wrapping_mul(0x2545_f491_4f6c_dd1d)) + " ").collect();
    for size in SIZES {
        let names = (0..size).map(|at| (at as usize, name(at), false));
        let before = resident();
        let from = Instant::now();
        let lexicon = Lexicon::of(names);
        let build = from.elapsed().as_secs_f64();
        let grown = resident().saturating_sub(before) as f64 / 1e6;
        let from = Instant::now();
        let (mut buffer, mut n_hits): (Vec<Token>, usize) = (Vec::new(), 0);
        for piece in text.as_bytes().chunks(4096).filter_map(|piece| std::str::from_utf8(piece).ok()) {
            tokens(piece, &mut buffer);
            lexicon.find(&buffer, |_| n_hits += 1);
        }
        let speed = text.len() as f64 / 1e6 / from.elapsed().as_secs_f64();
        println!(
            "{size:9} names: built in {build:.2} s, {grown:.0} MB; {speed:.0} MB/s, {n_hits} names found"
        );
    }
}

/// How often any name of the lexicon stands in the notes, words parted at blanks and signs alone.
pub fn names_in(vault: &Vault, lexicon: &Lexicon) -> usize {
    let count = |note: &Arc<Note>| {
        let (folded, mut buffer, mut n) = (fold(&note.text), Vec::new(), 0);
        tokens(&folded, &mut buffer);
        lexicon.find(&buffer, |_| n += 1);
        n
    };
    vault.notes().par_iter().map(count).sum()
}

/// Two words; the first ones of few names are those of many.
fn name(at: u64) -> Name {
    let text = format!("{} {}", word(at.wrapping_mul(0x2545_f491_4f6c_dd1d)), word(at / 7));
    Name { text, source: Source::Stem }
}

/// A word for each number up to some 300,000.
fn word(number: u64) -> String {
    let mut rest = number % 300_007;
    let mut word = String::new();
    for _ in 0..4 {
        word.push(char::from(b"bdfgklmnprstvz"[(rest % 14) as usize]));
        word.push(char::from(b"aeiou"[(rest / 14 % 5) as usize]));
        rest /= 70;
    }
    word
}

/// Bytes of memory in use; 0 where the system does not say.
fn resident() -> usize {
    let stat = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    stat.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}
