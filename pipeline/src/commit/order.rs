//! What a commit is asked to do, and whether that makes sense.

use super::CommitError;
use crate::journal::{HOME, Hash, Manifest};
use std::collections::HashSet;
use std::sync::Arc;

/// A plan as the commit takes it.
#[derive(Clone, Debug)]
pub struct Order {
    /// What is to change.
    pub manifest: Manifest,
    /// The after-images, with the same index as the manifest's files; `None` where a file goes.
    pub images: Vec<Option<Arc<[u8]>>>,
}

impl Order {
    /// Refuses an order that contradicts itself, before anything is written.
    pub(super) fn check(&self) -> Result<(), CommitError> {
        let bad = |why: String| Err(CommitError::BadOrder { why });
        let files = &self.manifest.files;
        if files.len() != self.images.len() {
            return bad(format!("{} files and {} images", files.len(), self.images.len()));
        }
        let mut paths = HashSet::new();
        for (change, image) in files.iter().zip(&self.images) {
            let path = &change.path;
            if !paths.insert(path) {
                return bad(format!("{path} is changed twice"));
            }
            if path.split('/').any(|name| name == HOME) {
                return bad(format!("{path} is memkeep's own"));
            }
            if change.before == change.after {
                return bad(format!("{path} does not change"));
            }
            if image.as_deref().map(Hash::of) != change.after {
                return bad(format!("the image of {path} is not the planned one"));
            }
        }
        Ok(())
    }
}
