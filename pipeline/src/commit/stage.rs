//! Everything before the commit point: the journal of a run is written whole and made durable while the vault stays
//! untouched. Then one rename decides.

use super::error::{At, CommitError, Trouble};
use super::hand::Hand;
use super::order::Order;
use super::sight::refusal;
use crate::disk::{Disk, parent};
use crate::journal::{HOME, IGNORE, JOURNALS, Manifest, RunPlace, Store, VERSION, folder, remove_tree, seal};
use crate::rows;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Room that the journal itself may take beside the images.
const SPARE: u64 = 64 * 1024;

/// What is kept of the staging besides the journal: why some images were not staged.
pub(super) type Refusals = BTreeMap<usize, String>;

/// Makes memkeep's folder where it is missing, with the file that keeps git from all but the shared rows.
pub fn make_home(disk: &dyn Disk) -> io::Result<()> {
    make_dir(disk, HOME, 0o777)?;
    make_dir(disk, JOURNALS, 0o700)?;
    match disk.create(IGNORE, b"*\n!links.jsonl\n", None) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}

/// Refuses what cannot succeed, before anything is written.
pub(super) fn check_room(disk: &dyn Disk, order: &Order) -> Result<(), CommitError> {
    for store in Store::ALL {
        match rows::refuse_newer(disk, store) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                return Err(CommitError::Newer { place: store.path().to_owned(), why: error.to_string() });
            }
            done => done.at("read", store.path()).map_err(CommitError::Stopped)?,
        }
    }
    let images: u64 = order.images.iter().flatten().map(|image| image.len() as u64).sum();
    let rows: u64 = order.manifest.rows.iter().map(|row| row.row.len() as u64).sum();
    // Rows lie in the manifest, in their store and in its draft.
    let need = images + 3 * rows + 512 * order.images.len() as u64 + SPARE;
    match disk.free_bytes().at("measure the room of", HOME).map_err(CommitError::Stopped)? {
        Some(free) if free < need => Err(CommitError::NoRoom { need, free }),
        _ => Ok(()),
    }
}

/// The manifest as it will stand in the journal.
pub(super) fn complete(disk: &dyn Disk, order: &Order) -> Result<Manifest, Trouble> {
    let mut folders = BTreeSet::new();
    for change in order.manifest.files.iter().filter(|change| change.before.is_none()) {
        let mut dir = parent(&change.path);
        while !dir.is_empty() && !folders.contains(dir) && is_missing(disk, dir)? {
            folders.insert(dir.to_owned());
            dir = parent(dir);
        }
    }
    Ok(Manifest { version: VERSION, folders: folders.into_iter().collect(), ..order.manifest.clone() })
}

/// Opens the journal of a run: from here on a crash leaves something to discard, and the draft says whose it is.
pub(super) fn open_journal(disk: &dyn Disk, manifest: &Manifest) -> Result<(), Trouble> {
    let place = folder(&manifest.run);
    make_home(disk).at("make", HOME)?;
    disk.make_dir(place.dir(), 0o700).at("make", place.dir())?;
    disk.make_dir(&place.stage(), 0o700).at("make", &place.stage())?;
    let draft = place.manifest_draft();
    seal(manifest).and_then(|bytes| disk.create(&draft, &bytes, None)).at("write", &draft)
}

/// Stages every image. One that is refused for a reason of its note's own is left out: without it the note is held
/// back, after a crash too.
pub(super) fn stage(hand: &Hand<'_>, order: &Order) -> Result<Refusals, Trouble> {
    let mut refusals = Refusals::new();
    if !hand.is_strong {
        hand.make_dir(&hand.place.aside_dir())?;
    }
    for (n, image) in order.images.iter().enumerate() {
        let Some(image) = image else { continue };
        if let Err(error) = stage_one(hand, n, image) {
            if refusal(&error).is_none() {
                return Err(error).at("stage", &hand.change(n).path);
            }
            refusals.insert(n, error.to_string());
        }
    }
    Ok(refusals)
}

/// The commit point: the journal is durable, then the manifest gets its name.
pub(super) fn decide(hand: &Hand<'_>) -> Result<(), Trouble> {
    let place = &hand.place;
    let draft = place.manifest_draft();
    let files = hand.manifest.files.len();
    let names: Vec<String> = (0..files).flat_map(|n| [place.slot(n), place.aside(n)]).collect();
    let mut all: Vec<&str> = names.iter().map(String::as_str).collect();
    let stage = place.stage();
    all.extend([&draft, stage.as_str(), place.dir(), JOURNALS, HOME]);
    hand.disk.sync(&all).at("sync", place.dir())?;
    hand.disk.rename(&draft, &place.manifest()).at("write", &place.manifest())?;
    hand.disk.sync(&[place.dir()]).at("sync", place.dir())
}

/// Puts a journal that was not to be out of the way, so that no later start takes it for a run.
pub(super) fn discard(disk: &dyn Disk, place: &RunPlace) -> io::Result<()> {
    let dead = format!("{}.old", place.dir());
    disk.rename_new(place.dir(), &dead)?;
    // Durable before anything in it goes: half a journal under its own name would be taken for a run.
    disk.sync(&[JOURNALS])?;
    remove_tree(disk, &dead)
}

/// The folders that created notes need, durable before a note is put in them.
pub(super) fn make_folders(hand: &Hand<'_>) -> Result<(), Trouble> {
    let folders: Vec<&str> = hand.manifest.folders.iter().map(String::as_str).collect();
    for dir in &folders {
        let mode = hand.disk.stat(match parent(dir) {
            "" => HOME,
            above => above,
        });
        let made = make_dir(hand.disk, dir, mode.map_or(0o777, |seen| seen.mode));
        match made {
            // A note that finds no folder is held back for that reason.
            Err(error) if refusal(&error).is_some() => {}
            made => made.at("make", dir)?,
        }
    }
    if folders.is_empty() {
        return Ok(());
    }
    hand.disk.sync(&folders).at("sync", folders.first().copied().unwrap_or_default())
}

fn stage_one(hand: &Hand<'_>, n: usize, image: &[u8]) -> io::Result<()> {
    let change = hand.change(n);
    let slot = hand.place.slot(n);
    if change.before.is_none() {
        return match hand.disk.create(&slot, image, change.like.as_deref()) {
            // A new note has no owner to keep.
            Err(error) if change.like.is_some() && refusal(&error).is_some() => {
                hand.disk.create(&slot, image, None)
            }
            done => done,
        };
    }
    hand.disk.create(&slot, image, Some(&change.path))?;
    if hand.is_strong { Ok(()) } else { hand.second_name(n, &hand.place.aside(n)) }
}

fn is_missing(disk: &dyn Disk, path: &str) -> Result<bool, Trouble> {
    match disk.stat(path) {
        Ok(_) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if refusal(&error).is_some() => Ok(false),
        Err(error) => Err(error).at("look at", path),
    }
}

fn make_dir(disk: &dyn Disk, path: &str, mode: u32) -> io::Result<()> {
    match disk.make_dir(path, mode) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}
