//! The few steps that touch a note. Each either leaves the bytes it found somewhere under a name, or does nothing.
//!
//! A note is exchanged with its image in the journal, and what came back is looked at. Where it is not what was
//! planned on, someone wrote in that moment: it gets a second name and is given back. A file is created without
//! replacing, and removed by a rename into its slot. Nothing here deletes or overwrites a note.

use super::error::{At, Trouble};
use super::sight::{State, There, judge, refusal, refused, see};
use crate::disk::{Disk, is_unsupported};
use crate::journal::{FileChange, Hash, Held, Manifest, RunPlace, folder, inodes};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::io;

/// How often an edit is given back while others keep writing; from then on the newest stays in the journal.
const ROUNDS: usize = 16;

/// One run's hold on the vault.
pub(super) struct Hand<'a> {
    pub(super) disk: &'a dyn Disk,
    pub(super) manifest: &'a Manifest,
    pub(super) place: RunPlace,
    pub(super) is_strong: bool,
    own_inodes: OnceCell<HashSet<u64>>,
}

/// How far a change came, and where that of its two images lies that is not in the note.
pub(super) struct Look {
    pub(super) state: State,
    pub(super) image: String,
}

impl<'a> Hand<'a> {
    pub(super) fn new(disk: &'a dyn Disk, manifest: &'a Manifest) -> Result<Self, Trouble> {
        let place = folder(&manifest.run);
        let is_strong = disk.supports_exchange(place.dir()).at("try exchanging files in", place.dir())?;
        Ok(Hand { disk, manifest, place, is_strong, own_inodes: OnceCell::new() })
    }

    pub(super) fn change(&self, n: usize) -> &'a FileChange {
        &self.manifest.files[n]
    }

    /// How far the `n`th change came.
    pub(super) fn look(&self, n: usize) -> Result<Look, Trouble> {
        let change = self.change(n);
        let note = see(self.disk, &change.path)?;
        let (mut image, mut there) = (self.place.slot(n), see(self.disk, &self.place.slot(n))?);
        let is_edit = change.before.is_some() && change.after.is_some();
        // Where files cannot be exchanged, what a note was is set aside, and the slot is empty or a second name.
        if is_edit && (there == There::Absent || (there.is(change.after) && note.is(change.after))) {
            let aside = see(self.disk, &self.place.aside(n))?;
            if aside != There::Absent {
                (image, there) = (self.place.aside(n), aside);
            }
        }
        let state = match judge(change, &note, &there) {
            State::Old => self.obstacle(&note)?.map_or(State::Old, held),
            other => other,
        };
        Ok(Look { state, image })
    }

    /// What forbids changing a note that is as planned.
    fn obstacle(&self, note: &There) -> Result<Option<Held>, Trouble> {
        let There::File { seen, .. } = note else { return Ok(None) };
        if seen.mode & 0o222 == 0 {
            return Ok(Some(refused("it is read-only")));
        }
        let is_shared = seen.links > 1 && !self.own_inodes()?.contains(&seen.inode);
        Ok(is_shared.then(|| Held::OddFile { what: "a file of several names".to_owned() }))
    }

    fn own_inodes(&self) -> Result<&HashSet<u64>, Trouble> {
        if let Some(own) = self.own_inodes.get() {
            return Ok(own);
        }
        let own = inodes(self.disk).at("look through", self.place.dir())?;
        Ok(self.own_inodes.get_or_init(|| own))
    }

    /// Makes the `n`th change, whose state was `Old` a moment ago.
    pub(super) fn advance(&self, n: usize) -> Result<Look, Trouble> {
        let change = self.change(n);
        let slot = self.place.slot(n);
        let done = match (change.before, change.after) {
            (None, _) => self.disk.rename_new(&slot, &change.path).map(|()| slot.clone()),
            (_, None) => self.disk.rename_new(&change.path, &slot).map(|()| slot.clone()),
            _ => self.swap(n, &slot),
        };
        let image = match done {
            Ok(image) => image,
            Err(error) => match refusal(&error) {
                Some(why) => return Ok(Look { state: held(why), image: slot }),
                None => return Err(error).at("put in place", &change.path),
            },
        };
        let is_clean = change.before.is_none() || see(self.disk, &image)?.is(change.before);
        Ok(Look { state: if is_clean { State::New } else { State::Caught }, image })
    }

    /// Gives an edit that the `n`th change displaced, and that lies at `image`, back to its note. The newest edit
    /// ends in place, and every one that was displaced has a name in the journal; these are returned.
    pub(super) fn give_back(&self, n: usize, image: String) -> Result<Option<String>, Trouble> {
        match self.change(n).after {
            Some(after) => self.give_back_edit(n, image, after),
            None => self.give_back_removed(n),
        }
    }

    fn give_back_edit(&self, n: usize, mut image: String, mut laid: Hash) -> Result<Option<String>, Trouble> {
        let path = &self.change(n).path;
        let mut kept = Vec::new();
        for _ in 0..ROUNDS {
            let edit = see(self.disk, &image)?.hash();
            kept.extend(self.keep(n, &image)?);
            image = match self.swap(n, &image) {
                Err(error) if refusal(&error).is_some() => break,
                swapped => swapped.at("give back", path)?,
            };
            if see(self.disk, &image)?.is(Some(laid)) {
                return Ok((!kept.is_empty()).then(|| kept.join(", ")));
            }
            // What came back is neither ours nor what we laid there: newer still.
            let Some(edit) = edit else { break };
            laid = edit;
        }
        kept.push(image);
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

    /// Takes the `n`th change back, which was made and displaced what lies at `image`; true where the note is as
    /// before it. A note that someone has edited since is left to them.
    pub(super) fn revert(&self, n: usize, image: &str) -> Result<bool, Trouble> {
        let change = self.change(n);
        let path = &change.path;
        match (change.before, change.after) {
            (_, None) => is_done(self.disk.rename_new(image, path)).at("put back", path),
            (_, after) if !see(self.disk, path)?.is(after) => Ok(false),
            (None, after) => self.revert_created(n, after),
            (Some(before), after) => match self.swap(n, image) {
                Err(error) if refusal(&error).is_some() => Ok(false),
                swapped => {
                    let ours = swapped.at("put back", path)?;
                    let is_clean = see(self.disk, &ours)?.is(after);
                    if !is_clean {
                        self.give_back_edit(n, ours, before)?;
                    }
                    Ok(is_clean)
                }
            },
        }
    }

    fn revert_created(&self, n: usize, after: Option<Hash>) -> Result<bool, Trouble> {
        let (path, aside) = (&self.change(n).path, self.place.aside(n));
        self.make_dir(&self.place.aside_dir())?;
        if !is_done(self.disk.rename_new(path, &aside)).at("take back", path)? {
            return Ok(false);
        }
        self.settle_created(n, after)
    }

    /// A created note on its way back into its slot: an edit of someone's goes back to where it was.
    fn settle_created(&self, n: usize, after: Option<Hash>) -> Result<bool, Trouble> {
        let (path, aside) = (&self.change(n).path, self.place.aside(n));
        let is_ours = see(self.disk, &aside)?.is(after);
        if !is_ours {
            self.keep(n, &aside)?;
        }
        let target = if is_ours { &self.place.slot(n) } else { path };
        is_done(self.disk.rename_new(&aside, target)).at("take back", path)?;
        Ok(is_ours)
    }

    /// Created notes that a crash left on their way back go where they belong.
    pub(super) fn tidy(&self) -> Result<(), Trouble> {
        for (n, change) in
            self.manifest.files.iter().enumerate().filter(|(_, change)| change.before.is_none())
        {
            let is_on_its_way = see(self.disk, &self.place.aside(n))? != There::Absent
                && see(self.disk, &self.place.slot(n))? == There::Absent;
            if is_on_its_way {
                self.settle_created(n, change.after)?;
            }
        }
        Ok(())
    }

    /// Removes the staged name of a created note that has both.
    pub(super) fn drop_second_name(&self, n: usize) -> Result<(), Trouble> {
        let slot = self.place.slot(n);
        self.disk.remove(&slot).at("remove", &slot)
    }

    /// The note and the file at `image` change places; returns where what the note was lies now. Where files cannot
    /// be exchanged, the note is given a second name and the image renamed over it: an edit in between that
    /// replaces the note is lost, which is the weaker promise.
    fn swap(&self, n: usize, image: &str) -> io::Result<String> {
        let path = &self.change(n).path;
        if self.is_strong {
            return self.disk.exchange(image, path).map(|()| image.to_owned());
        }
        let slot = self.place.slot(n);
        let other = if image == slot { self.place.aside(n) } else { slot };
        self.second_name(n, &other)?;
        self.disk.rename(image, path).map(|()| other)
    }

    /// A second name for the note, where it has none yet. That of the staging is durable, so a power cut cannot
    /// leave the new note without the old one; a note replaced since by the same bytes makes no difference.
    pub(super) fn second_name(&self, n: usize, to: &str) -> io::Result<()> {
        match link_or_copy(self.disk, &self.change(n).path, to) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    }

    /// One more name for displaced bytes; `None` where the disk has no room even for that.
    fn keep(&self, n: usize, from: &str) -> Result<Option<String>, Trouble> {
        self.make_dir(&self.place.kept_dir())?;
        for k in 0..4 * ROUNDS {
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
    State::Held { why, is_image_foreign: false }
}

/// False where the step is refused for a reason of this note's own.
fn is_done(done: io::Result<()>) -> io::Result<bool> {
    match done {
        Err(error) if refusal(&error).is_some() => Ok(false),
        done => done.map(|()| true),
    }
}

fn link_or_copy(disk: &dyn Disk, from: &str, to: &str) -> io::Result<()> {
    match disk.link(from, to) {
        // FAT and some FUSE file systems refuse a link as if it were forbidden.
        Err(error)
            if is_unsupported(&error)
                || matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::TooManyLinks) =>
        {
            disk.create(to, &disk.read(from)?, Some(from))
        }
        done => done,
    }
}
