//! What the help says below the options: examples that can be pasted, and exit codes.

pub const PROGRAM: &str = "\
Examples:
  memkeep run                      show what would change, write nothing
  memkeep run --apply              change it
  memkeep undo                     take the last run back
  memkeep check                    is anything wrong? (for CI)

Exit codes:
    0  done; notes, warnings and notes that wait included
    1  done, but something failed or was refused, or `check` found something
    2  wrong usage or configuration; nothing was done
    3  another run holds the lock; nothing was done
    4  the commit stopped; the vault is as before, or the next run finishes it
    5  an internal error
  130  interrupted; the next run that writes finishes or discards what was begun

Nothing is written without --apply but by `undo`. Every run that changed something can be undone.";

pub const RUN: &str = "\
Examples:
  memkeep run                              preview, as a diff with a reason at each hunk
  memkeep run --stat                       preview, one line for each note
  memkeep run --only trim --apply          make the changes of one job
  memkeep run --apply --due --quiet        for cron: a mail only when there is something to say
  memkeep run --report json=plan.json      keep the plan for a script as well

A change is made whole or not at all. What someone else writes meanwhile is kept, and the change to
that note held back. Likely changes are shown and wait for --accept.
Exit codes: 0 done, 1 something failed, 2 usage, 3 locked, 4 the commit stopped.";

pub const CHECK: &str = "\
Examples:
  memkeep check                            exit 1 at a warning or an error
  memkeep check --level error --format json

Reads only: no lock is taken, nothing is repaired. What a run would change counts as a warning.
Exit codes: 0 nothing at or above the level, 1 something, 2 usage.";

pub const UNDO: &str = "\
Examples:
  memkeep undo --preview                   show what would be restored
  memkeep undo                             restore it, every byte
  memkeep undo 20261130-0315 --partial     restore what can be, where some notes were edited since

A note that someone edited since is never overwritten: it is held back and named. What was undone is
not done again until those lines or the settings of the job change; undoing the undo lifts that.
Exit codes: 0 done, 1 something was held back, 2 no such run, 3 locked, 4 stopped.";

pub const RUNS: &str = "\
Runs that changed nothing are counted together; --format json lists each of them.";

pub const SHOW: &str = "\
Examples:
  memkeep show 20261130-0315               the report with its diff
  memkeep show 20261130-0315 --report json=run.json";

pub const EXPLAIN: &str = "\
Example:
  memkeep explain trim";

pub const LINKS: &str = "\
Examples:
  memkeep links list                               every link, with the run that made it
  memkeep links explain notes/plan.md 'redis'      why it is a link, or why not
  memkeep links remove redis.md --apply            take back all that lead there
  memkeep links rederive                           what a first run would link today

What people linked is never touched. A link that a person or `remove` takes away stays away in that
note; `relink.no_targets` keeps all links from a note.";

pub const CONFIG: &str = "\
Settings come from, each over the one before: the defaults, ~/.config/memkeep/config.yaml (or
$MEMKEEP_CONFIG), memkeep.yaml at the top of the vault, MEMKEEP_ variables, and --set.

Examples:
  memkeep config                           what is set, and where
  memkeep config --reference               what can be set
  memkeep config --defaults                the defaults, to copy from
  memkeep config --schema > memkeep.schema.json";
