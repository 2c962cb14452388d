//! What lies at a note's path and as its other image in the journal, and what that says about how far its change came.
//!
//! The two hashes of the manifest are all it takes, so a crash at any point leaves a state that is recognised, and
//! a commit and a recovery are the same code. The table of [`judge`] is the heart of both.

use super::error::{At, Trouble};
use crate::disk::{Disk, Kind, Seen};
use crate::journal::{FileChange, Hash, Held};
use std::io;

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum There {
    Absent,
    File { hash: Hash, seen: Seen },
    Odd(String),
    Refused(String),
}

/// How far one change came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not begun.
    Old,
    /// Made; someone may have edited the note since.
    New,
    /// Made, and what it displaced is not what was planned on: someone wrote in that very moment.
    Caught,
    /// A created note that still has its staged name too.
    TwoNames,
    /// Not to be made.
    Held { why: Held, is_image_foreign: bool },
}

impl There {
    pub(super) fn is(&self, hash: Option<Hash>) -> bool {
        match self {
            There::File { hash: own, .. } => Some(*own) == hash,
            There::Absent => hash.is_none(),
            _ => false,
        }
    }

    pub(super) fn hash(&self) -> Option<Hash> {
        match self {
            There::File { hash, .. } => Some(*hash),
            _ => None,
        }
    }

    /// Why a note that is not as planned is not changed.
    fn why(&self) -> Held {
        match self {
            There::Absent => Held::Missing,
            There::File { .. } => Held::Edited,
            There::Odd(what) => Held::OddFile { what: what.clone() },
            There::Refused(error) => Held::Refused { error: error.clone() },
        }
    }
}

/// Looks at a path without following links or waiting. Only a failing disk is an error.
pub(super) fn see(disk: &dyn Disk, path: &str) -> Result<There, Trouble> {
    let found = disk.stat(path).and_then(|seen| match &seen.kind {
        Kind::File => disk.read(path).map(|bytes| There::File { hash: Hash::of(&bytes), seen }),
        Kind::Dir => Ok(There::Odd("a folder".to_owned())),
        Kind::Symlink { .. } => Ok(There::Odd("a symbolic link".to_owned())),
        _ => Ok(There::Odd("not a regular file".to_owned())),
    });
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(There::Absent),
        Err(error) => match refusal(&error) {
            Some(Held::OddFile { what }) => Ok(There::Odd(what)),
            Some(_) => Ok(There::Refused(error.to_string())),
            None => Err(error).at("read", path),
        },
        Ok(there) => Ok(there),
    }
}

/// The reason to hold one note back, where an error is about that note; `None` where it is about the disk.
pub(super) fn refusal(error: &io::Error) -> Option<Held> {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound => Some(Held::Missing),
        Kind::AlreadyExists => Some(Held::Appeared),
        // A link in place of a file or of a folder on the way has no kind of its own that is stable.
        _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            Some(Held::OddFile { what: "reached through a symbolic link".to_owned() })
        }
        Kind::NotADirectory => Some(Held::OddFile { what: "beneath something that is no folder".to_owned() }),
        Kind::IsADirectory => Some(Held::OddFile { what: "a folder".to_owned() }),
        Kind::InvalidInput if error.raw_os_error().is_none() => {
            Some(Held::OddFile { what: "not a regular file".to_owned() })
        }
        Kind::PermissionDenied
        | Kind::ReadOnlyFilesystem
        | Kind::ResourceBusy
        | Kind::ExecutableFileBusy
        | Kind::CrossesDevices
        | Kind::InvalidFilename
        | Kind::TooManyLinks
        | Kind::InvalidInput
        | Kind::Unsupported => Some(Held::Refused { error: error.to_string() }),
        _ => None,
    }
}

/// Reads off how far a change came.
pub(super) fn judge(change: &FileChange, note: &There, image: &There) -> State {
    match (change.before, change.after) {
        (None, _) => judge_create(change, note, image),
        (_, None) => judge_removal(change, note, image),
        _ => judge_edit(change, note, image),
    }
}

fn judge_edit(change: &FileChange, note: &There, image: &There) -> State {
    let (is_old, is_new) = (note.is(change.before), note.is(change.after));
    match image {
        _ if image.is(change.before) => State::New,
        _ if image.is(change.after) && is_old => State::Old,
        _ if image.is(change.after) => held(note.why()),
        There::Absent if is_old || is_new => held(refused("its staged image is missing")),
        There::Absent => held(note.why()),
        _ if is_new => State::Caught,
        _ if is_old => held(refused("its staged image is damaged")),
        _ => State::Held { why: note.why(), is_image_foreign: true },
    }
}

fn judge_create(change: &FileChange, note: &There, image: &There) -> State {
    match (note, image) {
        (There::File { .. }, There::Absent) => State::New,
        (_, There::Absent) => held(note.why()),
        (There::File { seen: a, .. }, There::File { seen: b, .. }) if a.inode == b.inode => State::TwoNames,
        _ if !image.is(change.after) => held(refused("its staged image is damaged")),
        (There::Absent, _) => State::Old,
        (There::File { .. }, _) => held(Held::Appeared),
        _ => held(note.why()),
    }
}

fn judge_removal(change: &FileChange, note: &There, image: &There) -> State {
    if image.is(change.before) {
        State::New
    } else if *image == There::Absent {
        if note.is(change.before) { State::Old } else { held(note.why()) }
    } else if *note == There::Absent {
        State::Caught
    } else {
        State::Held { why: Held::Edited, is_image_foreign: true }
    }
}

fn held(why: Held) -> State {
    State::Held { why, is_image_foreign: false }
}

pub(super) fn refused(error: &str) -> Held {
    Held::Refused { error: error.to_owned() }
}
