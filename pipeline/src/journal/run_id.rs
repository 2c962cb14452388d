//! Run ids: local time for people, a random tail so that two runs of one second differ. Nothing here reads the clock.

use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

const TIME: &str = "%Y%m%d-%H%M%S";
const TAIL: usize = 6;
/// Characters of the tail that count the runs of one second.
const ORDER: usize = 2;
const LENGTH: usize = "20261130-031500-".len() + TAIL;

/// The name of a run, `20261130-031500-k3x9q2`; sorts by local time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

impl RunId {
    /// A fresh id for a run that starts at `now`, in local time, after the `known` ones: of two runs in one
    /// second the later has the greater id.
    pub fn new(now: NaiveDateTime, known: &[RunId]) -> Self {
        let time = now.format(TIME).to_string();
        let of_this_second = known.iter().filter_map(|run| run.0.strip_prefix(&time)?.get(1..1 + ORDER));
        let last = of_this_second.filter_map(|order| u64::from_str_radix(order, 36).ok()).max();
        let order = last.map_or(0, |last| last + 1) % 36u64.pow(ORDER as u32);
        // The keys of a RandomState are the standard library's own randomness.
        let random = RandomState::new().build_hasher().finish();
        RunId(format!("{time}-{}{}", base36(order, ORDER), base36(random, TAIL - ORDER)))
    }

    /// The id that `text` spells in full; `None` for every other name, such as that of a folder set aside.
    pub fn parse(text: &str) -> Option<Self> {
        let (time, tail) = text.split_at_checked(LENGTH - TAIL - 1)?;
        let tail = tail.strip_prefix('-')?;
        let spelt = tail.len() == TAIL && tail.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase());
        let plain = NaiveDateTime::parse_from_str(time, TIME).ok()?.format(TIME).to_string() == time;
        (spelt && plain).then(|| RunId(text.to_owned()))
    }

    /// When the run started, in local time.
    pub fn time(&self) -> Option<NaiveDateTime> {
        NaiveDateTime::parse_from_str(self.0.get(..LENGTH - TAIL - 1)?, TIME).ok()
    }

    /// The one id among `runs` that begins with `prefix`; otherwise all that do.
    pub fn find(runs: &[RunId], prefix: &str) -> Result<RunId, Vec<RunId>> {
        let found: Vec<RunId> = runs.iter().filter(|run| run.0.starts_with(prefix)).cloned().collect();
        match found.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(found),
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<RunId> for String {
    fn from(run: RunId) -> String {
        run.0
    }
}

impl TryFrom<String> for RunId {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        RunId::parse(&text).ok_or_else(|| format!("{text} is not a run id"))
    }
}

/// The last `length` digits of a number.
fn base36(mut number: u64, length: usize) -> String {
    let mut digits: Vec<char> = Vec::new();
    for _ in 0..length {
        digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
    }
    digits.iter().rev().collect()
}
