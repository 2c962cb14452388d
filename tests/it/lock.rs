//! The lock (P11): held by one, dropped with its process, never stolen from one that is only slow.
//!
//! Other processes are this test binary itself, started to run one ignored test that takes the lock and waits.

use crate::figure::Figure;
use pipeline::disk::{Disk, RealDisk};
use pipeline::lock::{Lock, LockError};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const VAULT: &str = "MEMKEEP_TEST_LOCK_VAULT";
const WAY: &str = "MEMKEEP_TEST_LOCK_WAY";
const MACHINE: &str = "here";

/// By the kernel, or by files alone.
#[derive(Clone, Copy, Debug)]
enum Way {
    Kernel,
    Files,
}

const WAYS: [Way; 2] = [Way::Kernel, Way::Files];

impl Way {
    fn take(self, disk: &RealDisk) -> Result<Lock<'_>, LockError> {
        match self {
            Way::Kernel => Lock::take(disk, MACHINE),
            Way::Files => Lock::claim(disk, MACHINE),
        }
    }
}

#[test]
#[ignore = "the other process of the tests below"]
fn holder() {
    let Some(vault) = std::env::var_os(VAULT) else { return };
    let disk = RealDisk::open(Path::new(&vault)).unwrap();
    let way = if std::env::var(WAY).unwrap() == "Files" { Way::Files } else { Way::Kernel };
    match way.take(&disk) {
        Ok(_lock) => {
            println!("holding");
            let _ = std::io::stdin().read(&mut [0]);
        }
        Err(error) => println!("refused: {error}"),
    }
}

/// Another process that tries to take the lock, and the first thing it says of that.
fn start(vault: &Path, way: Way) -> (Child, String) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "lock::holder", "--nocapture"])
        .env(VAULT, vault)
        .env(WAY, format!("{way:?}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let says = lines.map_while(Result::ok).find(|line| line.contains("holding") || line.contains("refused"));
    (child, says.unwrap_or_default())
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
}

fn is_held(taken: &Result<Lock<'_>, LockError>, pid: u32) -> bool {
    matches!(taken, Err(LockError::Held { by }) if by.contains(&format!("process {pid} ")))
}

#[test]
fn a_lock_goes_with_its_process_and_is_never_stolen_from_a_slow_one() {
    let mut figure = Figure::of("P11 holder killed: not blocked; holder stopped: not stolen");
    for way in WAYS {
        let vault = tempfile::tempdir().unwrap();
        let disk = RealDisk::open(vault.path()).unwrap();
        let (mut child, says) = start(vault.path(), way);
        assert!(says.contains("holding"), "{says}");
        let mut expect = |is_right: bool, what: &str| {
            figure.trial(if is_right { Ok(()) } else { Err(format!("{way:?}: {what}")) });
        };
        expect(is_held(&way.take(&disk), child.id()), "taken from a live holder");
        signal(&child, Signal::STOP);
        expect(is_held(&way.take(&disk), child.id()), "taken from a stopped holder");
        signal(&child, Signal::CONT);
        expect(is_held(&way.take(&disk), child.id()), "taken from a holder that went on");
        child.kill().unwrap();
        child.wait().unwrap();
        let taken = way.take(&disk);
        expect(taken.is_ok(), "a dead holder blocks");
        expect(way.take(&disk).is_err(), "held twice in one process");
        drop(taken);
        expect(way.take(&disk).is_ok(), "a lock given back blocks");
    }
    figure.done();
}

#[test]
fn of_many_starts_at_once_at_most_one_holds_the_lock() {
    let mut figure = Figure::of("P10 starts at once: one holds the lock, the others are told at once");
    for way in WAYS {
        let vault = tempfile::tempdir().unwrap();
        std::fs::create_dir(vault.path().join(".memkeep")).unwrap();
        let all: Vec<_> = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..50).map(|_| scope.spawn(|| start(vault.path(), way))).collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        let n_holding = all.iter().filter(|(_, says)| says.contains("holding")).count();
        // By files alone two that meet may both give up; they never both go on.
        let is_right = n_holding == 1 || matches!(way, Way::Files) && n_holding == 0;
        figure.trial(if is_right { Ok(()) } else { Err(format!("{way:?}: {n_holding} hold the lock")) });
        for (mut child, says) in all {
            figure.trial(if says.is_empty() { Err("no answer".to_owned()) } else { Ok(()) });
            let _ = child.kill();
            let _ = child.wait();
        }
    }
    figure.done();
}

#[test]
fn a_claim_is_judged_by_process_and_start_never_by_time() {
    let mut figure =
        Figure::of("P11 claims of others: dead ones removed, live ones and other machines' respected");
    let (child, _) = start(tempfile::tempdir().unwrap().path(), Way::Files);
    let mut dead = Command::new("true").spawn().unwrap();
    dead.wait().unwrap();
    let started = started(child.id());
    let claims = [
        ("a process that is gone", MACHINE, dead.id(), Some(1), true),
        ("a process number used again", MACHINE, child.id(), Some(started + 1), true),
        ("a live process", MACHINE, child.id(), Some(started), false),
        ("a live process of unknown start", MACHINE, child.id(), None, false),
        ("another machine", "elsewhere", dead.id(), Some(1), false),
    ];
    for (what, machine, pid, started, is_free) in claims {
        let vault = tempfile::tempdir().unwrap();
        let disk = RealDisk::open(vault.path()).unwrap();
        drop(Lock::claim(&disk, MACHINE).unwrap());
        let path = format!(".memkeep/lock.by-{machine}-{pid}-{}", started.unwrap_or(0));
        let body = serde_json::json!({"machine": machine, "pid": pid, "started": started}).to_string();
        // Cut short by a crash, the name alone must do.
        for body in [body.as_str(), ""] {
            disk.create(&path, body.as_bytes(), None).unwrap();
            let is_right = Lock::claim(&disk, MACHINE).is_ok() == is_free;
            let _ = disk.remove(&path);
            figure.trial(if is_right { Ok(()) } else { Err(format!("{what}, {body:?}")) });
        }
    }
    let mut child = child;
    child.kill().unwrap();
    child.wait().unwrap();
    figure.done();
}

fn started(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(')').unwrap().1.split_ascii_whitespace().nth(19).unwrap().parse().unwrap()
}

#[test]
fn a_lock_file_that_is_removed_and_made_again_is_still_one_lock() {
    let vault = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(vault.path()).unwrap();
    let lock = Lock::take(&disk, MACHINE).unwrap();
    assert!(Lock::take(&disk, MACHINE).is_err());
    drop(lock);
    disk.remove(".memkeep/lock").unwrap();
    assert!(Lock::take(&disk, MACHINE).is_ok());
}

#[test]
fn a_report_says_where_only_files_keep_other_runs_out() {
    let tree = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(tree.path()).unwrap();
    assert!(Lock::claim(&disk, MACHINE).unwrap().remark().is_some());
    assert!(Lock::take(&disk, MACHINE).unwrap().remark().is_none(), "the kernel holds this one");
}
