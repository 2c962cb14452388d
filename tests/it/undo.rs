//! Undo, in random chains with runs and edits between (P25), over generated vaults.

use crate::{
    figure::{Figure, is_nightly},
    generated,
    session::session,
    tree::{Bytes, Tree, differences},
};
use config::Config;
use pipeline::{
    disk::RealDisk,
    run::apply,
    undo::{Ask, undo},
};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// What a run did: for each file, its bytes before and after.
type Deed = BTreeMap<String, (Option<Vec<u8>>, Option<Vec<u8>>)>;

/// A vault with its history, as the test itself keeps it.
struct Chain {
    tree: Tree,
    config: Config,
    deeds: Vec<(String, Deed)>,
    edits: usize,
}

impl Chain {
    fn run(&mut self) {
        let disk = RealDisk::open(&self.tree.root).expect("a vault");
        let before = self.tree.bytes();
        let ran = apply(&session(&disk, &self.config)).expect("a run");
        self.note(ran.report.run, &before);
    }

    fn note(&mut self, run: Option<String>, before: &Bytes) {
        let after = self.tree.bytes();
        let paths = before.keys().chain(after.keys());
        let deed: Deed = paths
            .filter(|path| before.get(*path) != after.get(*path))
            .map(|path| (path.clone(), (before.get(path).cloned(), after.get(path).cloned())))
            .collect();
        match run {
            Some(run) => self.deeds.push((run, deed)),
            None => assert!(deed.is_empty(), "a run without an id changed {:?}", deed.keys()),
        }
    }

    /// A person writes into one of the notes.
    fn edit(&mut self, which: usize) {
        let bytes = self.tree.bytes();
        let Some((path, old)) = bytes.iter().nth(which % bytes.len().max(1)) else { return };
        self.edits += 1;
        let line = format!("\nwritten by hand, {}\n", self.edits);
        self.tree.write(path, &[old.as_slice(), line.as_bytes()].concat());
    }

    /// Undoes one of the runs so far and compares with what the test knows.
    fn undo(&mut self, which: usize) {
        let Some((run, deed)) = self.deeds.get(which % self.deeds.len().max(1)).cloned() else { return };
        let disk = RealDisk::open(&self.tree.root).expect("a vault");
        let before = self.tree.bytes();
        let ask = Ask { run: Some(&run), ..Ask::default() };
        let ran = undo(&session(&disk, &self.config), ask).expect("an undo");
        let edited: Vec<&String> = deed
            .iter()
            .filter(|(path, (_, after))| before.get(*path) != after.as_ref())
            .map(|(path, _)| path)
            .collect();
        let mut wanted = before.clone();
        if edited.is_empty() {
            for (path, (old, _)) in &deed {
                match old {
                    Some(bytes) => wanted.insert(path.clone(), bytes.clone()),
                    None => wanted.remove(path),
                };
            }
        }
        for path in &edited {
            let named = ran.report.held.iter().any(|held| held.path.as_str() == *path);
            assert!(named, "{path} was edited since and is not named");
        }
        let wrong = differences(&wanted, &self.tree.bytes());
        assert!(wrong.is_empty(), "undoing {run}:\n{wrong}");
        self.note(ran.report.run, &before);
    }
}

#[test]
fn undo_restores_exactly_in_any_chain() {
    let mut figure = Figure::of("undo restores exactly (P25)");
    let cases = if is_nightly() { 1000 } else { 50 };
    let steps = proptest::collection::vec((0u8..6, any::<usize>()), 3..9);
    let mut undone = 0;
    generated::run(cases, &(generated::vault(), steps), |(notes, steps)| {
        figure.trial(Ok(()));
        let files: Bytes =
            notes.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
        let tree = Tree::of(&files);
        let mut chain = Chain { tree, config: generated::config(), deeds: Vec::new(), edits: 0 };
        chain.run();
        for (step, which) in steps {
            match step {
                0 | 1 => chain.run(),
                2 => chain.edit(*which),
                _ => chain.undo(*which),
            }
        }
        undone += chain.deeds.len();
        Ok(())
    });
    figure.done();
    assert!(undone > cases as usize, "only {undone} runs changed anything");
}
