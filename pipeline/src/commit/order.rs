//! What a commit is asked to do.

use crate::journal::Manifest;
use std::sync::Arc;

/// A plan as the commit takes it.
#[derive(Clone, Debug)]
pub struct Order {
    /// What is to change.
    pub manifest: Manifest,
    /// The after-images, with the same index as the manifest's files; `None` where a file goes.
    pub images: Vec<Option<Arc<[u8]>>>,
}
