//! Making a plan true, all or nothing: the only code that writes into a vault.
//!
//! The protocol: write every after-image and the manifest into the journal, make them durable, and give the manifest
//! its name, which is the commit point. Then, group by group, check a note, exchange it with its image, and check
//! what came back; last, the rows and the outcome. A crash before the commit point leaves the vault as it was; one
//! after it is finished by recovery, with the same code. An error of the disk before the commit point throws the
//! journal away; one after it takes every note back. Nothing anyone wrote is ever without a name.
//!
//! Absent on purpose: the lock, which the caller holds, and the clock.

mod error;
mod finish;
mod group;
mod hand;
mod order;
mod sight;
mod stage;

pub use crate::journal::{Fate, Held, Outcome};
pub use error::{CommitError, Trouble};
pub use order::Order;
pub use stage::make_home;

pub(crate) use error::At;

use crate::disk::Disk;
use crate::journal::{Manifest, folder};
use hand::Hand;
use stage::Refusals;

/// Makes `order` true. An `Ok` has every file as planned or held back as its fate says; every `Err` but
/// [`CommitError::Unfinished`] means that the vault is as before.
pub fn commit(disk: &dyn Disk, order: &Order) -> Result<Outcome, CommitError> {
    order.check()?;
    stage::check_room(disk, order)?;
    let manifest = stage::complete(disk, order).map_err(CommitError::Stopped)?;
    let (hand, refusals) = prepare(disk, order, &manifest)?;
    match carry_out(&hand, &refusals) {
        Ok(ending) => seal_off(&hand, ending),
        Err(trouble) => Err(stop(&hand, trouble)),
    }
}

/// Finishes a run that has a manifest and no outcome.
pub(crate) fn resume(disk: &dyn Disk, manifest: &Manifest) -> Result<Outcome, CommitError> {
    let unfinished = |trouble| CommitError::Unfinished { run: manifest.run.clone(), trouble };
    let hand = Hand::new(disk, manifest).map_err(unfinished)?;
    hand.tidy().map_err(unfinished)?;
    let ending = carry_out(&hand, &Refusals::new()).map_err(unfinished)?;
    seal_off(&hand, ending)
}

/// Up to the commit point, or back to nothing.
fn prepare<'a>(
    disk: &'a dyn Disk,
    order: &Order,
    manifest: &'a Manifest,
) -> Result<(Hand<'a>, Refusals), CommitError> {
    let place = folder(&manifest.run);
    let staged = stage::open_journal(disk, manifest)
        .and_then(|()| Hand::new(disk, manifest))
        .and_then(|hand| stage::stage(&hand, order).map(|refusals| (hand, refusals)));
    let (hand, refusals) = staged.map_err(|trouble| {
        // What cannot be discarded has no manifest: the next start does it.
        let _ = stage::discard(disk, &place);
        CommitError::Stopped(trouble)
    })?;
    match stage::decide(&hand) {
        Ok(()) => Ok((hand, refusals)),
        Err(trouble) if stage::discard(disk, &place).is_ok() => Err(CommitError::Stopped(trouble)),
        Err(trouble) => Err(CommitError::Unfinished { run: manifest.run.clone(), trouble }),
    }
}

fn carry_out(hand: &Hand<'_>, refusals: &Refusals) -> Result<(Outcome, finish::Ending), Trouble> {
    stage::make_folders(hand)?;
    let mut files = group::settle(hand)?;
    for (n, error) in refusals {
        if let Some(Fate::HeldBack { why: why @ Held::Refused { .. }, .. }) = files.get_mut(*n) {
            *why = Held::Refused { error: error.clone() };
        }
    }
    let outcome = Outcome { files, strong: hand.is_strong, notes: Vec::new(), stopped: None };
    let ending = finish::prepare(hand, &outcome)?;
    Ok((outcome, ending))
}

fn seal_off(hand: &Hand<'_>, (outcome, ending): (Outcome, finish::Ending)) -> Result<Outcome, CommitError> {
    let unfinished = |trouble| CommitError::Unfinished { run: hand.manifest.run.clone(), trouble };
    finish::seal_off(hand, ending).map_err(unfinished)?;
    Ok(outcome)
}

/// Takes every note back after an error of the disk, and writes down that it did.
fn stop(hand: &Hand<'_>, trouble: Trouble) -> CommitError {
    let reason = trouble.to_string();
    let taken_back = group::take_back(hand, &reason).and_then(|files| {
        let stopped = Some(reason.clone());
        let outcome = Outcome { files, strong: hand.is_strong, notes: Vec::new(), stopped };
        let ending = finish::prepare(hand, &outcome)?;
        finish::seal_off(hand, ending)
    });
    match taken_back {
        Ok(()) => CommitError::Stopped(trouble),
        Err(_) => CommitError::Unfinished { run: hand.manifest.run.clone(), trouble },
    }
}
