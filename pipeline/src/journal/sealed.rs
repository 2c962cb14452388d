//! Files that are whole or refused: one line of JSON, then a line with its checksum.

use super::Hash;
use super::manifest::VERSION;
use crate::disk::{Disk, parent};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;

#[derive(serde::Deserialize)]
struct Versioned {
    #[serde(default)]
    version: u32,
}

/// Why a sealed file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Written by a newer program: its version.
    Newer(u32),
    /// Not what was written: in words.
    Damaged(String),
}

/// The bytes of a sealed file that holds `value`.
pub fn seal(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    let checksum = checksum_line(&bytes);
    bytes.push(b'\n');
    bytes.extend(checksum.into_bytes());
    Ok(bytes)
}

/// The last line of a sealed file; its spelling counts, so that no single byte may differ unseen.
fn checksum_line(body: &[u8]) -> String {
    format!("{{\"blake3\":\"{}\"}}\n", Hash::of(body))
}

/// The value in a sealed file. A `version` in it that is newer than this program's is refused before anything else
/// in it is looked at.
pub fn unseal<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unread> {
    let damaged = |why: &str| Unread::Damaged(why.to_owned());
    let text = std::str::from_utf8(bytes).map_err(|_| damaged("not UTF-8"))?;
    let (body, rest) = text.split_once('\n').ok_or_else(|| damaged("cut short"))?;
    if rest != checksum_line(body.as_bytes()) {
        return Err(damaged("its checksum differs"));
    }
    if let Ok(Versioned { version }) = serde_json::from_str(body)
        && version > VERSION
    {
        return Err(Unread::Newer(version));
    }
    serde_json::from_str(body).map_err(|error| Unread::Damaged(error.to_string()))
}

/// Writes a file whole or not at all and replaces an earlier one: draft, sync, rename, sync. Only for memkeep's own.
pub fn write_durably(disk: &dyn Disk, path: &str, bytes: &[u8]) -> io::Result<()> {
    let draft = format!("{path}.tmp");
    write_draft(disk, &draft, bytes)?;
    disk.sync(&[&draft])?;
    disk.rename(&draft, path)?;
    disk.sync(&[parent(path)])
}

/// A fresh draft, in place of one that a crash left.
pub(crate) fn write_draft(disk: &dyn Disk, draft: &str, bytes: &[u8]) -> io::Result<()> {
    match disk.create(draft, bytes, None) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            disk.remove(draft)?;
            disk.create(draft, bytes, None)
        }
        done => done,
    }
}
