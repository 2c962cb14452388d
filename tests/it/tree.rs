//! Vaults to throw away: a folder of fixtures copied to a temporary place, looked at as all its bytes.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// The folder `tests` of the project.
pub fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

/// Every file of a vault but what memkeep keeps for itself, with its bytes.
pub type Bytes = BTreeMap<String, Vec<u8>>;

/// A vault of its own, gone when dropped.
pub struct Tree {
    _home: TempDir,
    /// Its top folder; files may be put beside it.
    pub root: PathBuf,
}

impl Tree {
    pub fn empty() -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        let root = home.path().join("vault");
        fs::create_dir(&root).expect("a vault");
        Tree { _home: home, root }
    }

    /// A copy of `folder`, byte for byte.
    pub fn copy(folder: &Path) -> Self {
        let tree = Tree::empty();
        for (path, bytes) in bytes_under(folder, &|_| true) {
            tree.write(&path, &bytes);
        }
        tree
    }

    pub fn of(bytes: &Bytes) -> Self {
        let tree = Tree::empty();
        bytes.iter().for_each(|(path, bytes)| tree.write(path, bytes));
        tree
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("its folder");
        fs::write(path, bytes).expect("a file");
    }

    pub fn read(&self, path: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&fs::read(self.path(path)).ok()?).into_owned())
    }

    /// All its files but those of `.memkeep`.
    pub fn bytes(&self) -> Bytes {
        bytes_under(&self.root, &|path| path != ".memkeep" && !path.starts_with(".memkeep/"))
    }
}

/// All plain files under `folder` for which `wanted` holds, folders included in the asking; none where
/// there is no such folder.
pub fn bytes_under(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Bytes {
    let mut found = Bytes::new();
    if !folder.is_dir() {
        return found;
    }
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).expect("a folder").map(|entry| entry.expect("an entry")) {
            let path = entry.path();
            let name = path.strip_prefix(folder).expect("inside").to_string_lossy().into_owned();
            match entry.file_type().expect("a type") {
                _ if !wanted(&name) => {}
                kind if kind.is_dir() => folders.push(path),
                kind if kind.is_file() => {
                    found.insert(name, fs::read(path).expect("its bytes"));
                }
                _ => {}
            }
        }
    }
    found
}

/// The folders in `folder`, by name.
pub fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// Says in which files, and in which lines, two trees differ; empty where they are equal.
pub fn differences(old: &Bytes, new: &Bytes) -> String {
    let mut says = String::new();
    let paths: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for path in paths {
        match (old.get(path), new.get(path)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => {
                let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
                let diff = similar::TextDiff::from_lines(&*a, &*b);
                says.push_str(&diff.unified_diff().header(path, path).to_string());
            }
            (Some(_), None) => says.push_str(&format!("{path}: gone\n")),
            (None, _) => says.push_str(&format!("{path}: new\n")),
        }
    }
    says
}
