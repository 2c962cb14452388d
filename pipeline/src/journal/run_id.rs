//! Run ids: local time for people, a random tail so that two runs of one second differ. Nothing here reads the clock.

use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

const TIME: &str = "%Y%m%d-%H%M%S";
const TAIL: usize = 6;
const LENGTH: usize = "20261130-031500-".len() + TAIL;

/// The name of a run, `20261130-031500-k3x9q2`; sorts by local time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

impl RunId {
    /// A fresh id for a run that starts at `now`, in local time.
    pub fn new(now: NaiveDateTime) -> Self {
        // The keys of a RandomState are the standard library's own randomness.
        let mut random = RandomState::new().build_hasher().finish();
        let tail: String = (0..TAIL)
            .map(|_| {
                let digit = (random % 36) as u32;
                random /= 36;
                char::from_digit(digit, 36).unwrap_or('0')
            })
            .collect();
        RunId(format!("{}-{tail}", now.format(TIME)))
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
