//! Groups: all files of one group change, or none.
//!
//! Every step is read off the disk, so this finishes a run that was interrupted anywhere as it finishes one that was
//! just staged. A group is made in the order of the manifest, the receiving note first, and taken back in reverse:
//! the worst that anyone can see meanwhile is a text twice.

use super::error::Trouble;
use super::hand::{Hand, Look};
use super::sight::{State, refused};
use crate::journal::{Fate, Held};
use std::collections::HashMap;

/// Where one member of a group stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stand {
    Old,
    New { image: String },
    Held { why: Held, kept: Option<String> },
}

/// Makes every group true or holds it back; one fate for each file.
pub(super) fn settle(hand: &Hand<'_>) -> Result<Vec<Fate>, Trouble> {
    let mut fates = vec![Fate::Done; hand.manifest.files.len()];
    for members in groups(hand) {
        for (n, fate) in settle_group(hand, &members)? {
            fates[n] = fate;
        }
    }
    Ok(fates)
}

/// Takes the whole run back, for the reason given. What someone has edited since is left to them and named.
pub(super) fn take_back(hand: &Hand<'_>, reason: &str) -> Result<Vec<Fate>, Trouble> {
    hand.tidy()?;
    let mut fates = Vec::new();
    for n in (0..hand.manifest.files.len()).rev() {
        let stand = stand(hand, n, hand.look(n)?)?;
        fates.push(withdraw(hand, n, stand, refused(reason))?);
    }
    fates.reverse();
    Ok(fates)
}

/// The files of each group, groups in the order of their first file.
fn groups(hand: &Hand<'_>) -> Vec<Vec<usize>> {
    let mut place = HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (n, change) in hand.manifest.files.iter().enumerate() {
        let at = *place.entry(change.group).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(members) => members.push(n),
            None => groups.push(vec![n]),
        }
    }
    groups
}

fn settle_group(hand: &Hand<'_>, members: &[usize]) -> Result<Vec<(usize, Fate)>, Trouble> {
    let look = |n: &usize| stand(hand, *n, hand.look(*n)?);
    let mut stands = members.iter().map(look).collect::<Result<Vec<_>, _>>()?;
    for (i, n) in members.iter().enumerate() {
        if stands.iter().any(is_held) {
            break;
        }
        // The others took time: look again, so that the moment between look and exchange stays short.
        if i > 0 {
            stands[i] = look(n)?;
        }
        if stands[i] == Stand::Old {
            stands[i] = stand(hand, *n, hand.advance(*n)?)?;
        }
    }
    match stands.iter().position(is_held) {
        None => Ok(members.iter().map(|n| (*n, Fate::Done)).collect()),
        Some(first) => hold_back(hand, members, stands, first),
    }
}

fn hold_back(
    hand: &Hand<'_>,
    members: &[usize],
    stands: Vec<Stand>,
    first: usize,
) -> Result<Vec<(usize, Fate)>, Trouble> {
    let path = hand.change(members[first]).path.clone();
    let mut fates = Vec::new();
    for (n, stand) in members.iter().zip(stands).rev() {
        fates.push((*n, withdraw(hand, *n, stand, Held::WentWithGroup { path: path.clone() })?));
    }
    Ok(fates)
}

/// One file back as it was, or as someone has it now.
fn withdraw(hand: &Hand<'_>, n: usize, stand: Stand, why: Held) -> Result<Fate, Trouble> {
    Ok(match stand {
        Stand::Held { why, kept } => Fate::HeldBack { why, kept },
        Stand::Old => Fate::HeldBack { why, kept: None },
        Stand::New { image } => {
            if hand.revert(n, &image)? {
                Fate::HeldBack { why, kept: None }
            } else {
                Fate::HeldBack { why: Held::Edited, kept: hand.change(n).before.map(|_| image) }
            }
        }
    })
}

fn stand(hand: &Hand<'_>, n: usize, look: Look) -> Result<Stand, Trouble> {
    let Look { state, image } = look;
    Ok(match state {
        State::Old => Stand::Old,
        State::New => Stand::New { image },
        State::TwoNames => {
            hand.drop_second_name(n)?;
            Stand::New { image }
        }
        State::Caught => Stand::Held { why: Held::Edited, kept: hand.give_back(n, image)? },
        State::Held { why, is_image_foreign } => Stand::Held { why, kept: is_image_foreign.then_some(image) },
    })
}

fn is_held(stand: &Stand) -> bool {
    matches!(stand, Stand::Held { .. })
}
