//! What people and other programs do to a simulated disk; none of it counts as an operation.

use super::model::{Ino, Node};
use super::sim::{SimDisk, join};
use std::collections::BTreeMap;

impl SimDisk {
    /// All files and their bytes, `.memkeep` included.
    pub fn tree(&self) -> BTreeMap<String, Vec<u8>> {
        let files = self.files();
        let mut tree = BTreeMap::new();
        let mut todo = vec![String::new()];
        while let Some(dir) = todo.pop() {
            let Ok(Node::Dir(names)) = files.find(&dir).map(|ino| files.node(ino)) else { continue };
            for (name, ino) in names {
                let path = join(&dir, name);
                match files.node(*ino) {
                    Node::File(bytes) => {
                        tree.insert(path, bytes.clone());
                    }
                    Node::Dir(_) => todo.push(path),
                    _ => {}
                }
            }
        }
        tree
    }

    /// Someone writes a file in place, or makes it; folders are made as needed.
    pub fn put(&self, path: &str, bytes: &[u8]) {
        self.put_dirs(path);
        let mut files = self.files();
        let Ok((dir, name)) = files.parent(path) else { return };
        let ino = files.find(path).unwrap_or_else(|_| {
            let ino = files.make(Node::File(Vec::new()), 0o644);
            files.set_names(vec![(dir, name.to_owned(), Some(ino))]);
            ino
        });
        files.write(ino, bytes.to_vec());
    }

    /// Someone puts a new file in the place of another, as editors do.
    pub fn replace(&self, path: &str, bytes: &[u8]) {
        let mut files = self.files();
        let Ok((dir, name)) = files.parent(path) else { return };
        let ino = files.make(Node::File(Vec::new()), 0o644);
        files.write(ino, bytes.to_vec());
        files.set_names(vec![(dir, name.to_owned(), Some(ino))]);
    }

    /// Someone deletes a file.
    pub fn delete(&self, path: &str) {
        let mut files = self.files();
        if let Ok((dir, name)) = files.parent(path) {
            files.set_names(vec![(dir, name.to_owned(), None)]);
        }
    }

    /// Someone puts a folder where a file was.
    pub fn retype_as_folder(&self, path: &str) {
        self.delete(path);
        self.put(&join(path, "inside.md"), b"inside\n");
    }

    /// Someone puts a symbolic link where a file was.
    pub fn retype_as_link(&self, path: &str, to: &str) {
        self.put_dirs(path);
        let mut files = self.files();
        if let Ok((dir, name)) = files.parent(path) {
            let ino = files.make(Node::Symlink(to.to_owned()), 0o777);
            files.set_names(vec![(dir, name.to_owned(), Some(ino))]);
        }
    }

    /// Someone changes a file's permission bits.
    pub fn set_mode(&self, path: &str, mode: u32) {
        let mut files = self.files();
        if let Ok(ino) = files.find(path) {
            files.set_mode(ino, mode);
        }
    }

    /// Someone opens a file and keeps it open.
    pub fn hold(&self, path: &str) -> Option<Ino> {
        self.files().find(path).ok()
    }

    /// Someone adds to a file held open, wherever it now lies.
    pub fn add_to_held(&self, ino: Ino, bytes: &[u8]) {
        let mut files = self.files();
        if let Node::File(old) = files.node(ino) {
            let new = [old.as_slice(), bytes].concat();
            files.write(ino, new);
        }
    }

    fn put_dirs(&self, path: &str) {
        let mut files = self.files();
        for (end, _) in path.match_indices('/') {
            let dir = path.get(..end).unwrap_or_default();
            if files.find(dir).is_err()
                && let Ok((parent, name)) = files.parent(dir)
            {
                let ino = files.make(Node::Dir(BTreeMap::new()), 0o755);
                files.set_names(vec![(parent, name.to_owned(), Some(ino))]);
            }
        }
    }
}
