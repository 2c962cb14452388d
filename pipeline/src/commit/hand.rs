//! The few steps that touch a note. Each either leaves the bytes it found somewhere under a name, or does nothing.
//!
//! A note is exchanged with its slot in the journal, and what came back is looked at. Where it is not what was
//! planned on, someone wrote in that moment: it gets a second name and is given back. A file is created without
//! replacing, and removed by a rename into its slot. Nothing here deletes or overwrites a note.

use super::error::{At, Trouble};
use super::sight::{State, There, judge, refusal, refused, see};
use crate::disk::{Disk, is_unsupported};
use crate::journal::{FileChange, Hash, Held, Manifest, RunPlace, folder, journal_inodes};
use std::io;

/// How often an edit is given back while others keep writing; from then on the newest stays in the journal.
const ROUNDS: usize = 16;

/// One run's hold on the vault.
pub(super) struct Hand<'a> {
    pub(super) disk: &'a dyn Disk,
    pub(super) manifest: &'a Manifest,
    pub(super) place: RunPlace,
    pub(super) is_strong: bool,
}

/// What a step came to.
pub(super) type Step = Result<State, Trouble>;

impl<'a> Hand<'a> {
    pub(super) fn new(disk: &'a dyn Disk, manifest: &'a Manifest) -> Result<Self, Trouble> {
        let place = folder(&manifest.run);
        let is_strong = disk.supports_exchange(place.dir()).at("try exchanging files in", place.dir())?;
        Ok(Hand { disk, manifest, place, is_strong })
    }

    pub(super) fn change(&self, n: usize) -> &'a FileChange {
        &self.manifest.files[n]
    }

    /// How far the `n`th change came.
    pub(super) fn state(&self, n: usize) -> Step {
        let change = self.change(n);
        let note = see(self.disk, &change.path)?;
        let slot = see(self.disk, &self.place.slot(n))?;
        Ok(match judge(change, &note, &slot) {
            State::Old => self.obstacle(&note).map_or(State::Old, held),
            other => other,
        })
    }

    /// What forbids changing a note that is as planned.
    fn obstacle(&self, note: &There) -> Option<Held> {
        let There::File { seen, .. } = note else { return None };
        if seen.mode & 0o222 == 0 {
            return Some(refused("it is read-only"));
        }
        let is_shared = seen.links > 1 && !journal_inodes(self.disk).contains(&seen.inode);
        is_shared.then(|| Held::OddFile { what: "a file of several names".to_owned() })
    }

    /// Makes the `n`th change, whose state was `Old` a moment ago.
    pub(super) fn advance(&self, n: usize) -> Step {
        let change = self.change(n);
        let slot = self.place.slot(n);
        let done = match (change.before, change.after) {
            (None, _) => self.disk.rename_new(&slot, &change.path),
            (_, None) => self.disk.rename_new(&change.path, &slot),
            _ => self.swap(n),
        };
        match done {
            Ok(()) if change.before.is_none() => Ok(State::New),
            Ok(()) if see(self.disk, &slot)?.is(change.before) => Ok(State::New),
            Ok(()) => Ok(State::Caught),
            Err(error) => {
                refusal(&error).map(held).map_or_else(|| Err(error).at("put in place", &change.path), Ok)
            }
        }
    }

    /// Gives an edit that the `n`th change displaced back to its note. The newest edit ends in place, and every one
    /// that was displaced has a name in the journal; these are returned.
    pub(super) fn give_back(&self, n: usize) -> Result<Option<String>, Trouble> {
        match self.change(n).after {
            Some(after) => self.give_back_edit(n, after),
            None => self.give_back_removed(n),
        }
    }

    fn give_back_edit(&self, n: usize, mut laid: Hash) -> Result<Option<String>, Trouble> {
        let (path, slot) = (&self.change(n).path, self.place.slot(n));
        let mut kept = Vec::new();
        for _ in 0..ROUNDS {
            let edit = see(self.disk, &slot)?.hash();
            kept.extend(self.keep(n, &slot)?);
            match self.swap(n) {
                Err(error) if refusal(&error).is_some() => break,
                swapped => swapped.at("give back", path)?,
            }
            if see(self.disk, &slot)?.is(Some(laid)) {
                return Ok((!kept.is_empty()).then(|| kept.join(", ")));
            }
            // What came back is neither ours nor what we laid there: newer still.
            let Some(edit) = edit else { break };
            laid = edit;
        }
        kept.push(slot);
        Ok(Some(kept.join(", ")))
    }

    fn give_back_removed(&self, n: usize) -> Result<Option<String>, Trouble> {
        let (path, slot) = (&self.change(n).path, self.place.slot(n));
        let kept = self.keep(n, &slot)?;
        match self.disk.rename_new(&slot, path) {
            Err(error) if refusal(&error).is_some() => Ok(kept.or(Some(slot))),
            given => given.at("give back", path).map(|()| kept),
        }
    }

    /// Takes the `n`th change, which was made, back; true where the note is as before it. A note that someone has
    /// edited since is left to them.
    pub(super) fn revert(&self, n: usize) -> Result<bool, Trouble> {
        let change = self.change(n);
        let (path, slot) = (&change.path, self.place.slot(n));
        match (change.before, change.after) {
            (_, None) => done_or_refused(self.disk.rename_new(&slot, path)).at("put back", path),
            (_, after) if !see(self.disk, path)?.is(after) => Ok(false),
            (None, after) => self.revert_created(n, after),
            (Some(before), after) => {
                if !done_or_refused(self.swap(n)).at("put back", path)? {
                    return Ok(false);
                }
                let is_clean = see(self.disk, &slot)?.is(after);
                if !is_clean {
                    self.give_back_edit(n, before)?;
                }
                Ok(is_clean)
            }
        }
    }

    fn revert_created(&self, n: usize, after: Option<Hash>) -> Result<bool, Trouble> {
        let (path, aside) = (&self.change(n).path, self.place.aside(n));
        self.make_dir(&self.place.aside_dir())?;
        if !done_or_refused(self.disk.rename_new(path, &aside)).at("take back", path)? {
            return Ok(false);
        }
        self.settle_created_aside(n, after)
    }

    /// A created note on its way back into its slot: an edit of someone's goes back to where it was.
    fn settle_created_aside(&self, n: usize, after: Option<Hash>) -> Result<bool, Trouble> {
        let (path, aside) = (&self.change(n).path, self.place.aside(n));
        let is_ours = see(self.disk, &aside)?.is(after);
        if !is_ours {
            self.keep(n, &aside)?;
        }
        let target = if is_ours { &self.place.slot(n) } else { path };
        done_or_refused(self.disk.rename_new(&aside, target)).at("take back", path)?;
        Ok(is_ours)
    }

    /// Puts what a crash left on its way into a slot where it belongs.
    pub(super) fn tidy(&self) -> Result<(), Trouble> {
        for n in 0..self.manifest.files.len() {
            let is_on_its_way = see(self.disk, &self.place.aside(n))? != There::Absent
                && see(self.disk, &self.place.slot(n))? == There::Absent;
            if !is_on_its_way {
                continue;
            }
            match self.change(n).before {
                None => drop(self.settle_created_aside(n, self.change(n).after)?),
                Some(_) => self.pocket(n).at("keep", &self.place.aside(n))?,
            }
        }
        Ok(())
    }

    /// Removes the staged name of a created note that has both.
    pub(super) fn drop_second_name(&self, n: usize) -> Result<(), Trouble> {
        let slot = self.place.slot(n);
        self.disk.remove(&slot).at("remove", &slot)
    }

    /// Note and slot change places. Where files cannot be exchanged, the note has a second name by now, and the slot
    /// is renamed over it: an edit in that moment that replaces the note is lost, which is the weaker promise.
    fn swap(&self, n: usize) -> io::Result<()> {
        let (path, slot) = (&self.change(n).path, self.place.slot(n));
        if self.is_strong {
            return self.disk.exchange(&slot, path);
        }
        self.second_name(n)?;
        self.disk.rename(&slot, path)?;
        // The note is new by now: whatever goes wrong here is no reason to call it held back.
        self.pocket(n).map_err(io::Error::other)
    }

    fn pocket(&self, n: usize) -> io::Result<()> {
        self.disk.rename_new(&self.place.aside(n), &self.place.slot(n))
    }

    /// The note's second name in the journal. That of the staging is durable, so a power cut cannot leave the new
    /// note without the old one; a note replaced since by the same bytes makes no difference.
    pub(super) fn second_name(&self, n: usize) -> io::Result<()> {
        match link_or_copy(self.disk, &self.change(n).path, &self.place.aside(n)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    }

    /// One more name for displaced bytes; `None` where the disk has no room even for that.
    fn keep(&self, n: usize, from: &str) -> Result<Option<String>, Trouble> {
        self.make_dir(&self.place.kept_dir())?;
        for k in 0..64 {
            let kept = self.place.kept(n, k);
            match link_or_copy(self.disk, from, &kept) {
                Ok(()) => return Ok(Some(kept)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                // Giving back matters more than a second name.
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    pub(super) fn make_dir(&self, dir: &str) -> Result<(), Trouble> {
        match self.disk.make_dir(dir, 0o700) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error).at("make", dir),
            _ => Ok(()),
        }
    }
}

fn held(why: Held) -> State {
    State::Held { why, is_slot_foreign: false }
}

/// False where the step is refused for a reason of this note's own.
fn done_or_refused(done: io::Result<()>) -> io::Result<bool> {
    match done {
        Err(error) if refusal(&error).is_some() => Ok(false),
        done => done.map(|()| true),
    }
}

fn link_or_copy(disk: &dyn Disk, from: &str, to: &str) -> io::Result<()> {
    match disk.link(from, to) {
        Err(error) if is_unsupported(&error) || refusal_to_link(&error) => {
            disk.create(to, &disk.read(from)?, Some(from))
        }
        done => done,
    }
}

/// FAT and some FUSE file systems answer so where there are no hard links at all.
fn refusal_to_link(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::TooManyLinks)
}
