//! Permissions and odd files (P16) on a real disk: nothing hangs, nothing outside is written, mode, owner and
//! attributes stay; and what a full disk leaves (P5).

use crate::figure::{Figure, is_nightly};
use crate::sample::{order, run_id, wish};
use pipeline::commit::{Fate, Held, commit};
use pipeline::disk::{Disk, Kind, RealDisk};
use pipeline::journal::journal_inodes;
use rustix::fs::{CWD, FileType, Mode, XattrFlags, mknodat};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

const OLD: &str = "old text\n";
const NEW: &str = "new text\n";

/// One cell of the matrix: how `note.md` is made odd, and what must become of the change to it.
type Cell = (&'static str, fn(&Path), fn(&Fate) -> bool);

fn is_odd(fate: &Fate) -> bool {
    matches!(fate, Fate::HeldBack { why: Held::OddFile { .. }, .. })
}

fn is_missing(fate: &Fate) -> bool {
    matches!(fate, Fate::HeldBack { why: Held::Missing, .. })
}

fn is_refused(fate: &Fate) -> bool {
    matches!(fate, Fate::HeldBack { why: Held::Refused { .. }, .. })
}

fn is_done(fate: &Fate) -> bool {
    *fate == Fate::Done
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn instead(vault: &Path, make: impl FnOnce(&Path)) {
    let note = vault.join("dir/note.md");
    fs::remove_file(&note).unwrap();
    make(&note);
}

const CELLS: [Cell; 22] = [
    ("a plain note", |_| {}, is_done),
    ("mode 0600", |v| mode(&v.join("dir/note.md"), 0o600), is_done),
    ("mode 0755", |v| mode(&v.join("dir/note.md"), 0o755), is_done),
    ("mode 0666", |v| mode(&v.join("dir/note.md"), 0o666), is_done),
    ("a read-only note", |v| mode(&v.join("dir/note.md"), 0o444), is_refused),
    ("a sticky folder", |v| mode(&v.join("dir"), 0o1777), is_done),
    ("a folder with group id", |v| mode(&v.join("dir"), 0o2775), is_done),
    ("a FIFO", |v| instead(v, |note| node(note, FileType::Fifo)), is_odd),
    ("a socket", |v| instead(v, |note| drop(std::os::unix::net::UnixListener::bind(note).unwrap())), is_odd),
    ("a dangling link", |v| instead(v, |note| symlink("nowhere", note).unwrap()), is_odd),
    ("a looping link", |v| instead(v, |note| symlink("note.md", note).unwrap()), is_odd),
    ("a link in the vault", |v| instead(v, |note| symlink("other.md", note).unwrap()), is_odd),
    (
        "a link out of the vault",
        |v| instead(v, |note| symlink("../../outside/note.md", note).unwrap()),
        is_odd,
    ),
    ("a hard link", |v| fs::hard_link(v.join("dir/note.md"), v.join("dir/second.md")).unwrap(), is_odd),
    (
        "a hard link outside",
        |v| fs::hard_link(v.join("dir/note.md"), v.join("../outside/second.md")).unwrap(),
        is_odd,
    ),
    ("a folder named like the note", |v| instead(v, |note| fs::create_dir(note).unwrap()), is_odd),
    ("no note", |v| instead(v, |_| {}), is_missing),
    ("no folder", |v| fs::remove_dir_all(v.join("dir")).unwrap(), is_missing),
    (
        "a folder that is a file",
        |v| {
            fs::remove_dir_all(v.join("dir")).unwrap();
            fs::write(v.join("dir"), "file\n").unwrap();
        },
        is_odd,
    ),
    (
        "a folder that is a link in the vault",
        |v| {
            fs::rename(v.join("dir"), v.join("real")).unwrap();
            symlink("real", v.join("dir")).unwrap();
        },
        is_odd,
    ),
    (
        "a folder that is a link out",
        |v| {
            fs::remove_dir_all(v.join("dir")).unwrap();
            symlink("../outside", v.join("dir")).unwrap();
        },
        is_odd,
    ),
    (
        "a name of 251 bytes beside it",
        |v| fs::write(v.join("dir").join("x".repeat(251)), "").unwrap(),
        is_done,
    ),
];

fn node(path: &Path, kind: FileType) {
    mknodat(CWD, path, kind, Mode::from_raw_mode(0o644), 0).unwrap();
}

/// A vault with one note to change, and a folder beside it that nothing may touch.
fn vault_beside_outside() -> (tempfile::TempDir, RealDisk) {
    let top = tempfile::tempdir().unwrap();
    for dir in ["vault", "vault/dir", "outside"] {
        fs::create_dir(top.path().join(dir)).unwrap();
    }
    for file in ["vault/dir/note.md", "vault/dir/other.md", "outside/note.md"] {
        fs::write(top.path().join(file), OLD).unwrap();
    }
    let disk = RealDisk::open(&top.path().join("vault")).unwrap();
    (top, disk)
}

/// Path, kind, mode, owner, link and bytes of everything under `dir` but memkeep's own.
fn manifest(dir: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(dir).sort_by_file_name().into_iter().map(Result::unwrap);
    let entries =
        entries.filter(|entry| !entry.path().components().any(|part| part.as_os_str() == ".memkeep"));
    let line = |entry: walkdir::DirEntry| {
        let meta = entry.metadata().unwrap();
        let bytes = if meta.is_file() { fs::read(entry.path()).unwrap() } else { Vec::new() };
        let to = fs::read_link(entry.path()).ok();
        format!("{} {:o} {}:{} {to:?} {bytes:?}", entry.path().display(), meta.mode(), meta.uid(), meta.gid())
    };
    entries.map(line).collect()
}

#[test]
fn odd_files_are_held_back_and_everything_else_keeps_its_mode() {
    let mut figure = Figure::of("P16 permissions and odd files: hangs, writes outside, modes changed");
    for (what, make_odd, is_right) in CELLS {
        let (top, disk) = vault_beside_outside();
        make_odd(disk.path());
        let before = manifest(top.path());
        let wishes =
            [wish(0, "dir/note.md", Some(OLD), Some(NEW)), wish(1, "plain.md", None, Some("made besides\n"))];
        let outcome = commit(&disk, &order(run_id(1), &wishes, Vec::new())).unwrap();
        let text = |text: &str| format!("{:?}", text.as_bytes());
        let mut after = manifest(top.path());
        after.retain(|line| !line.contains("plain.md"));
        let expected: Vec<String> = match &outcome.files[0] {
            Fate::Done => before
                .iter()
                .map(|line| {
                    if line.contains("vault/dir/note.md") {
                        line.replace(&text(OLD), &text(NEW))
                    } else {
                        line.clone()
                    }
                })
                .collect(),
            Fate::HeldBack { .. } => before,
        };
        let result = if !is_right(&outcome.files[0]) || outcome.files[1] != Fate::Done {
            Err(format!("{what}: {outcome:?}"))
        } else if after != expected {
            Err(format!("{what}: {after:#?} instead of {expected:#?}"))
        } else {
            Ok(())
        };
        figure.trial(result);
    }
    figure.done();
}

#[test]
fn owner_and_attributes_of_a_changed_note_are_kept() {
    let mut figure = Figure::of("P16 owner, attributes and access lists kept");
    let (_top, disk) = vault_beside_outside();
    let note = disk.path().join("dir/note.md");
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        std::os::unix::fs::chown(&note, Some(12345), Some(23456)).unwrap();
    } else {
        println!("P16 skipped: another owner (needs root)");
    }
    let has_attributes = rustix::fs::setxattr(&note, "user.mood", b"calm", XattrFlags::empty()).is_ok();
    let has_acl =
        rustix::fs::setxattr(&note, "system.posix_acl_access", &access_list(), XattrFlags::empty()).is_ok();
    for (is_there, what) in [(has_attributes, "attributes"), (has_acl, "access lists")] {
        if !is_there {
            println!("P16 skipped: {what} (not to be had here)");
        }
    }
    mode(&note, 0o664);
    let seen = |path: &Path| {
        let meta = fs::metadata(path).unwrap();
        let attribute = |name: &str| {
            let mut value = vec![0; 256];
            rustix::fs::getxattr(path, name, value.as_mut_slice()).map(|len| value[..len].to_vec()).ok()
        };
        (meta.mode(), meta.uid(), meta.gid(), attribute("user.mood"), attribute("system.posix_acl_access"))
    };
    let before = seen(&note);
    assert_eq!(has_attributes, before.3.is_some());
    let outcome =
        commit(&disk, &order(run_id(1), &[wish(0, "dir/note.md", Some(OLD), Some(NEW))], Vec::new()))
            .unwrap();
    assert_eq!(outcome.files, [Fate::Done]);
    assert_eq!(fs::read_to_string(&note).unwrap(), NEW);
    figure.trial(if seen(&note) == before {
        Ok(())
    } else {
        Err(format!("{:?} became {:?}", before, seen(&note)))
    });
    figure.done();
}

/// One more user than the mode tells of, as the kernel stores it (acl(5), version 2).
fn access_list() -> Vec<u8> {
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, u32::MAX), (2, 6, 4321), (4, 4, u32::MAX), (0x10, 6, u32::MAX), (0x20, 4, u32::MAX)];
    let mut bytes = 2u32.to_le_bytes().to_vec();
    for (tag, may, id) in entries {
        bytes.extend(tag.to_le_bytes().into_iter().chain(may.to_le_bytes()).chain(id.to_le_bytes()));
    }
    bytes
}

const VAULT: &str = "MEMKEEP_TEST_ODD_VAULT";

const NOBODY: u32 = 65534;

fn guarded() -> [crate::sample::Wish<'static>; 4] {
    [
        wish(0, "closed/note.md", Some(OLD), Some(NEW)),
        wish(1, "dir/unreadable.md", Some(OLD), Some(NEW)),
        wish(2, "dir/anothers.md", Some(OLD), Some(NEW)),
        wish(3, "dir/note.md", Some(OLD), Some(NEW)),
    ]
}

#[test]
#[ignore = "the process of another user, for the test below"]
fn commit_as_nobody() {
    let Some(vault) = std::env::var_os(VAULT) else { return };
    let disk = RealDisk::open(Path::new(&vault)).unwrap();
    let outcome = commit(&disk, &order(run_id(1), &guarded(), Vec::new())).unwrap();
    println!("outcome {}", serde_json::to_string(&outcome).unwrap());
}

/// Root may write anything, so this cell starts the test binary again as another user.
#[test]
fn what_may_not_be_written_is_held_back_and_the_rest_goes_on() {
    use std::os::unix::process::CommandExt;
    if !rustix::process::geteuid().is_root() {
        println!("P16 skipped: folders and notes of others (needs root to make them)");
        return;
    }
    let (top, disk) = vault_beside_outside();
    let vault = disk.path();
    fs::create_dir(vault.join("closed")).unwrap();
    for file in ["closed/note.md", "dir/unreadable.md", "dir/anothers.md"] {
        fs::write(vault.join(file), OLD).unwrap();
    }
    for entry in walkdir::WalkDir::new(vault) {
        std::os::unix::fs::lchown(entry.unwrap().path(), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    std::os::unix::fs::chown(vault.join("dir/anothers.md"), Some(0), Some(0)).unwrap();
    for (path, bits) in [("closed", 0o555), ("dir/unreadable.md", 0), ("dir/anothers.md", 0o666)] {
        mode(&vault.join(path), bits);
    }
    mode(top.path(), 0o755);
    let program = top.path().join("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let done = Command::new(&program)
        .args(["--ignored", "--exact", "odd_files::commit_as_nobody", "--nocapture"])
        .env(VAULT, vault)
        .current_dir(vault)
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    let json = said.split("outcome ").nth(1).and_then(|rest| rest.lines().next());
    let Some(json) = json else { panic!("{said} {}", String::from_utf8_lossy(&done.stderr)) };
    let outcome: pipeline::commit::Outcome = serde_json::from_str(json).unwrap();
    let mut figure = Figure::of("P16 not to be written, read or owned by us: held back, the rest goes on");
    for (wish, fate) in guarded().iter().zip(&outcome.files) {
        let is_right = if wish.group < 3 { is_refused(fate) } else { is_done(fate) };
        let text = fs::read_to_string(vault.join(wish.path)).unwrap();
        let is_whole = Some(text.as_str()) == if wish.group < 3 { wish.before } else { wish.after };
        figure.trial(if is_right && is_whole { Ok(()) } else { Err(format!("{}: {fate:?}", wish.path)) });
    }
    figure.done();
}

#[test]
fn a_walk_names_every_odd_thing_and_opens_none() {
    use std::os::unix::ffi::OsStrExt;
    let (_top, disk) = vault_beside_outside();
    let vault = disk.path();
    node(&vault.join("dir/fifo"), FileType::Fifo);
    symlink("other.md", vault.join("dir/inside")).unwrap();
    symlink("../../outside", vault.join("dir/outside")).unwrap();
    symlink("loop", vault.join("dir/loop")).unwrap();
    fs::create_dir(vault.join("hidden")).unwrap();
    fs::write(vault.join("hidden/note.md"), "").unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"odd-\xff.md");
    fs::write(vault.join(odd), "").unwrap();
    let seen: Vec<(String, Kind)> =
        disk.walk(&|path| path != "hidden").into_iter().map(|seen| (seen.path, seen.kind)).collect();
    let link = |target: Option<&str>| Kind::Symlink { target: target.map(str::to_owned) };
    let expected = [
        ("dir", Kind::Dir),
        ("dir/fifo", Kind::Other),
        ("dir/inside", link(Some("dir/other.md"))),
        ("dir/loop", link(None)),
        ("dir/note.md", Kind::File),
        ("dir/other.md", Kind::File),
        ("dir/outside", link(None)),
        ("odd-\u{fffd}.md", Kind::Other),
    ];
    assert_eq!(seen, expected.map(|(path, kind)| (path.to_owned(), kind)));
    assert!(disk.read("dir/fifo").is_err() && disk.read("dir/outside/note.md").is_err());
    for path in ["../outside/note.md", "/etc/hostname", "dir/../dir/note.md", "dir//note.md", "."] {
        assert!(disk.read(path).is_err(), "{path}");
    }
}

#[test]
fn a_second_name_in_the_journal_is_no_hard_link() {
    let (_top, disk) = vault_beside_outside();
    let change =
        |run, old, new| order(run_id(run), &[wish(0, "dir/note.md", Some(old), Some(new))], Vec::new());
    assert_eq!(commit(&disk, &change(1, OLD, NEW)).unwrap().files, [Fate::Done]);
    disk.make_dir(".memkeep/journal/20261130-031500-r00001/kept", 0o700).unwrap();
    disk.link("dir/note.md", ".memkeep/journal/20261130-031500-r00001/kept/0-0").unwrap();
    let seen = disk.stat("dir/note.md").unwrap();
    assert_eq!(seen.links, 2);
    assert!(journal_inodes(&disk).contains(&seen.inode));
    assert_eq!(commit(&disk, &change(2, NEW, "newer\n")).unwrap().files, [Fate::Done]);
}

/// A small disk of its own, unmounted when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(kib: usize) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let size = format!("size={kib}k");
        let done = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(dir.path()).output();
        done.is_ok_and(|done| done.status.success()).then_some(SmallDisk(dir))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

#[test]
fn a_full_disk_leaves_the_vault_as_it_was() {
    if !is_nightly() {
        return;
    }
    let mut figure = Figure::of("P5 a really full disk: notes intact, or as planned");
    let old = "old line\n".repeat(500);
    let new = "new line\n".repeat(600);
    let names: Vec<String> = (0..20).map(|n| format!("{n}.md")).collect();
    for free in (0..400).step_by(4) {
        let Some(small) = SmallDisk::mount(1024) else {
            println!("P5 skipped: no small disk can be mounted here");
            return;
        };
        let disk = RealDisk::open(small.0.path()).unwrap();
        for name in &names {
            fs::write(disk.path().join(name), &old).unwrap();
        }
        let room = disk.free_bytes().unwrap().unwrap() as usize;
        fs::write(disk.path().join("filler"), vec![0; room - (free * 1024).min(room)]).unwrap();
        let wishes: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(n, name)| wish(n as u32 / 4, name, Some(&old), Some(&new)))
            .collect();
        let done = commit(&disk, &order(run_id(1), &wishes, Vec::new()));
        let texts: Vec<String> =
            names.iter().map(|name| fs::read_to_string(disk.path().join(name)).unwrap()).collect();
        let expected = if done.is_ok() { &new } else { &old };
        let is_right = texts.iter().all(|text| text == expected);
        figure.trial(if is_right { Ok(()) } else { Err(format!("{free} KiB free: {done:?}")) });
    }
    figure.done();
}
