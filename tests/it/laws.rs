//! The laws, given to every job for free: over every case, the example vault, the corpora and
//! generated vaults. [`broken`] names the laws that a set of jobs breaks on one vault; the harness is
//! itself tested on jobs that are known to be bad.

use crate::{
    figure::{Figure, is_nightly},
    generated, links,
    tree::{bytes_under, folders_in, tests},
};
use chrono::NaiveDate;
use config::{Config, Layers};
use jobs::{
    Job, Touches,
    fold::{Kind, Step},
    job::Card,
    vault::{
        Ledger, Note, NotePath, Span, Vault,
        frontmatter::{Frontmatter, ScalarStyle, Value},
        line,
        markdown::Markdown,
    },
};
use pipeline::{
    disk::RealDisk,
    load::{Wanted, load},
    plan::{Plan, accepting, plan},
    report::replay::replay,
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
    sync::Arc,
};

/// A set of jobs, built anew for each plan, since jobs cannot be cloned.
type Jobs<'a> = dyn Fn() -> Vec<Box<dyn Job>> + Sync + 'a;

/// The laws that `jobs` break on `vault`, each with what was seen.
pub fn broken(vault: &Vault, jobs: &Jobs<'_>, shuffles: u64) -> Vec<(&'static str, String)> {
    let planned = plan_all(vault, jobs);
    let after = after(vault, &planned);
    let mut broken = Vec::new();
    let mut law = |name, says: Option<String>| broken.extend(says.map(|says| (name, says)));
    law("idempotent", unrest(&plan_all(&after, jobs)));
    law("independent", (0..shuffles).find_map(|seed| dependence(vault, jobs, &planned, seed)));
    let all = jobs();
    let that_touch = |touches| -> HashSet<&'static str> {
        all.iter().map(|job| job.card()).filter(|card| card.touches == touches).map(|card| card.id).collect()
    };
    let of_prose = that_touch(Touches::Prose);
    law("keeps lines", lost_line(vault, &after, &planned, &of_prose));
    law("keeps links", lost_link(vault, &planned, &of_prose));
    law("respects spans", intrusion(vault, &planned, &that_touch(Touches::Frontmatter)));
    law("keeps names", renamed(vault, &after));
    law("replays", misreport(vault, &after, &planned));
    law("true card", jobs().iter().find_map(|job| false_card(job.card(), &planned)));
    law(
        "sound",
        planned.findings.iter().find(|found| found.rule.starts_with("internal/")).map(|f| f.message.clone()),
    );
    broken
}

fn plan_all(vault: &Vault, jobs: &Jobs<'_>) -> Plan {
    plan(vault, &jobs(), &accepting(vec!["likely".to_owned()]))
}

/// The vault once a plan is true.
pub fn after(vault: &Vault, planned: &Plan) -> Vault {
    let note = |file: &pipeline::plan::PlannedFile| Note::of_text(file.path.clone(), Arc::clone(&file.text));
    let memos = planned.remember.iter().map(|one| one.memo.clone()).collect();
    vault.with(planned.files.iter().map(note).collect(), memos)
}

/// A run on its own output plans nothing, and remembers nothing new.
fn unrest(second: &Plan) -> Option<String> {
    let first_change =
        second.steps.first().map(|step| format!("{} again in {}:{}", step.why.rule, step.path, step.line));
    first_change.or_else(|| second.remember.first().map(|row| format!("remembers {row:?} again")))
}

/// The order of notes and the number of threads do not show.
fn dependence(vault: &Vault, jobs: &Jobs<'_>, planned: &Plan, seed: u64) -> Option<String> {
    let mut notes = vault.notes().to_vec();
    shuffle(&mut notes, seed);
    let shuffled = Vault::new(notes, (*vault.ledger).clone(), vault.today);
    let threads = [1, 2, 8][seed as usize % 3];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let again = pool.install(|| plan_all(&shuffled, jobs));
    let json = |plan: &Plan| serde_json::to_string(plan).expect("a plan is JSON");
    (json(&again) != json(planned)).then(|| format!("another plan with shuffle {seed} on {threads} threads"))
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for n in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(n, (state % (n as u64 + 1)) as usize);
    }
}

/// No note that was there gets or loses a name by which links may find it.
pub fn renamed(vault: &Vault, after: &Vault) -> Option<String> {
    vault.notes().iter().find_map(|note| {
        // The file's name is a name already, so that a `name` of that text is no new one.
        let own = |text: &str| -> Vec<String> {
            names(text).into_iter().filter(|name| name != note.path.stem()).collect()
        };
        let (had, has) = (own(&note.text), own(&after.note(&note.path)?.text));
        (had != has).then(|| format!("{}: {had:?} before, {has:?} after", note.path))
    })
}

/// What a note's frontmatter calls it, in any case: one `name` and `title`, and its aliases, of which a plain
/// text holds several between commas. The file's own name is its stem in any case.
fn names(text: &str) -> Vec<String> {
    let Some(block) = Frontmatter::find(text) else { return Vec::new() };
    let mut names = Vec::new();
    for key in &block.keys {
        let is_list = matches!(key.name.to_lowercase().as_str(), "aliases" | "alias");
        let is_one = matches!(key.name.to_lowercase().as_str(), "name" | "title");
        match &key.value {
            Value::Text(text, ScalarStyle::Plain) if is_list => {
                let mut parts: Vec<String> = Vec::new();
                for part in text.split(',') {
                    // The comma of `10,000` is none between names.
                    let is_digit = |c: char| c.is_ascii_digit();
                    match parts
                        .last_mut()
                        .filter(|last| last.ends_with(is_digit) && part.starts_with(is_digit))
                    {
                        Some(last) => *last += &format!(",{part}"),
                        None => parts.push(part.to_owned()),
                    }
                }
                names.extend(parts);
            }
            Value::Text(text, _) if is_list || is_one => names.push(text.clone()),
            Value::List(items, _) if is_list => names.extend(items.iter().map(|item| item.text.clone())),
            _ => {}
        }
    }
    let mut names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
    names.retain(|name| !name.is_empty());
    names.sort();
    names.dedup();
    names
}

/// A step and the note as its job saw it.
struct Seen<'a> {
    step: &'a Step,
    text: Arc<str>,
    /// The step's bytes in that text: a step's own span refers to the note as the steps before it left it.
    span: Span,
}

fn seen<'a>(vault: &Vault, planned: &'a Plan) -> Vec<Seen<'a>> {
    let mut texts: BTreeMap<&NotePath, String> = BTreeMap::new();
    let mut all = Vec::new();
    for steps in planned.steps.chunk_by(|a, b| (&a.job, &a.path) == (&b.job, &b.path)) {
        let path = &steps[0].path;
        let old = || vault.note(path).map_or_else(String::new, |note| note.text.to_string());
        let now = texts.entry(path).or_insert_with(old);
        let text: Arc<str> = now.as_str().into();
        for step in steps {
            let grown = now.len() as i64 - text.len() as i64;
            let shift = |at: usize| (at as i64 - grown) as usize;
            let span = Span::new(shift(step.span.start), shift(step.span.end));
            all.push(Seen { step, text: Arc::clone(&text), span });
            now.replace_range(step.span.start..step.span.end, &step.after);
        }
    }
    all
}

/// Every line that holds text is somewhere after, as often as before; but a line that a step says
/// stands in another note already must stand there, a line that a step rewrites is named by it, and of
/// lines that stand in one frontmatter twice one may go. A line is what it shows: to a job of prose, whose steps put
/// and take links and nothing else, no line is forgiven.
fn lost_line(vault: &Vault, after: &Vault, planned: &Plan, of_prose: &HashSet<&str>) -> Option<String> {
    let (mut had, has) = (lines(vault), lines(after));
    let mut gone: HashMap<(NotePath, String), usize> = HashMap::new();
    let mut forgive = |line: &str| {
        had.entry(links::shown(line)).and_modify(|count| *count -= 1);
    };
    for seen in seen(vault, planned) {
        let step = seen.step;
        if !of_prose.contains(step.job.as_str()) {
            seen.rewritten().into_iter().for_each(&mut forgive);
        }
        for (_, note) in step.why.detail.iter().filter(|(name, _)| name == "stands in") {
            let note = NotePath::new(note).ok().and_then(|path| after.note(&path).cloned());
            let there: HashSet<String> =
                note.iter().flat_map(|note| text_lines(&note.text)).map(links::shown).collect();
            for line in text_lines(&step.before) {
                if !there.contains(&links::shown(line)) {
                    return Some(format!("{line:?} is said to stand elsewhere, and does not"));
                }
                forgive(line);
            }
        }
        if step.kind == Kind::Edit && step.after.is_empty() && seen.is_whole_lines() {
            let block = Frontmatter::find(&seen.text).map_or(Span::at(0), |block| block.inner);
            for line in text_lines(&step.before) {
                let copies = text_lines(block.of(&seen.text)).filter(|own| *own == line).count();
                let gone = gone.entry((step.path.clone(), line.to_owned())).or_insert(0);
                *gone += 1;
                if *gone < copies {
                    forgive(line);
                }
            }
        }
    }
    had.into_iter()
        .find(|(line, count)| has.get(line).copied().unwrap_or_default() < *count)
        .map(|(line, count)| format!("{line:?}: {count} before, {} after", has.get(&line).unwrap_or(&0)))
}

/// A job of prose takes no link away but those that memkeep made, and shows the same words as before.
fn lost_link(vault: &Vault, planned: &Plan, of_prose: &HashSet<&str>) -> Option<String> {
    let own = planned.steps.iter().filter(|step| of_prose.contains(step.job.as_str()));
    own.filter(|step| step.kind == Kind::Edit).find_map(|step| {
        if links::shown(&step.before) != links::shown(&step.after) {
            return Some(format!(
                "{}:{} shows {:?}, not {:?}",
                step.path, step.line, step.after, step.before
            ));
        }
        let (had, mut has) = (links::of(&step.before), links::of(&step.after));
        let is_own = |link: &str| vault.ledger.links_in(&step.path).any(|row| row.link == link);
        let lost = had.into_iter().find(|link| match has.iter().position(|other| other == link) {
            Some(at) => {
                has.remove(at);
                false
            }
            None => !is_own(link),
        });
        lost.map(|link| format!("{}:{} loses the link {link}", step.path, step.line))
    })
}

impl Seen<'_> {
    /// True where the step puts or takes whole lines.
    fn is_whole_lines(&self) -> bool {
        let is_lines = |text: &str| text.is_empty() || text.ends_with(['\n', '\r']);
        let is_start = line::start(&self.text, self.span.start) == self.span.start;
        is_start && is_lines(&self.step.before) && is_lines(&self.step.after)
    }

    /// The lines in which the step puts something in the place of something else: the plan names them.
    fn rewritten(&self) -> Vec<&str> {
        let swaps = !self.step.before.is_empty() && !self.step.after.is_empty();
        if self.step.kind == Kind::Create || !swaps && self.is_whole_lines() || self.text.is_empty() {
            return Vec::new();
        }
        let last = if self.span.is_empty() { self.span.end } else { self.span.end - 1 };
        let hull = Span::new(line::start(&self.text, self.span.start), line::end(&self.text, last));
        text_lines(hull.of(&self.text)).collect()
    }
}

fn lines(vault: &Vault) -> HashMap<String, i64> {
    let mut counts = HashMap::new();
    for line in vault.notes().iter().flat_map(|note| text_lines(&note.text)) {
        *counts.entry(links::shown(line)).or_default() += 1;
    }
    counts
}

fn text_lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty())
}

/// No step starts or ends inside a protected span of the note as its job saw it; one may take all of a
/// span along. To a job of frontmatter the block is open, and nothing else.
fn intrusion(vault: &Vault, planned: &Plan, open: &HashSet<&str>) -> Option<String> {
    seen(vault, planned).into_iter().find_map(|Seen { step, text, span }| {
        let block = Frontmatter::find(&text);
        let body = Frontmatter::body(&text, block.as_ref());
        if open.contains(step.job.as_str()) {
            let is_inside = block.is_some_and(|block| block.inner.holds(span));
            return (!is_inside)
                .then(|| format!("{}:{} is outside of the frontmatter", step.path, step.line));
        }
        let protected = Markdown::parse(&text, body).protected;
        let cuts = |own: &&Span| [span.start, span.end].iter().any(|at| own.start < *at && *at < own.end);
        let cut = protected.iter().find(cuts)?;
        Some(format!("{}:{} cuts {:?}", step.path, step.line, cut.of(&text)))
    })
}

/// The report, replayed on the old notes, gives the new ones: no byte changes unreported.
fn misreport(vault: &Vault, after: &Vault, planned: &Plan) -> Option<String> {
    let texts = |vault: &Vault| -> BTreeMap<NotePath, String> {
        let readable = vault.notes().iter().filter(|note| note.hash.is_some());
        readable.map(|note| (note.path.clone(), note.text.to_string())).collect()
    };
    match replay(&texts(vault), &planned.steps) {
        Ok(replayed) => (replayed != texts(after)).then(|| "the replay gives other notes".to_owned()),
        Err(says) => Some(says),
    }
}

/// A job changes what its card says, under rules of its own name.
fn false_card(card: &Card, planned: &Plan) -> Option<String> {
    let fits = |step: &&Step| match card.touches {
        Touches::Blocks => matches!(step.kind, Kind::Move | Kind::Create),
        Touches::NewNotes => matches!(step.kind, Kind::Create | Kind::Edit),
        Touches::Prose | Touches::Frontmatter => step.kind == Kind::Edit,
        Touches::Generated => matches!(step.kind, Kind::Edit | Kind::Create),
    };
    let own = planned.steps.iter().filter(|step| step.job == card.id);
    let wrong = own.clone().find(|step| !fits(step)).map(|step| format!("{:?} by {}", step.kind, card.id));
    let prefix = format!("{}/", card.id);
    let named = own.clone().find(|step| !step.why.rule.starts_with(&prefix));
    wrong.or_else(|| named.map(|step| format!("{} under the rule {}", card.id, step.why.rule)))
}

/// The vault in `folder` with its own settings, and all jobs on it.
pub fn loaded(folder: &Path) -> (Vault, Config) {
    let text = std::fs::read_to_string(folder.join("memkeep.yaml")).unwrap_or_default();
    let config = Layers::new().vault("memkeep.yaml", &text).resolve().expect("settings").config;
    let disk = RealDisk::open(folder).expect("a folder");
    let today = NaiveDate::from_ymd_opt(2026, 11, 30).expect("a day");
    let (ledger, journal_inodes) = (Ledger::default(), HashSet::new());
    let loaded = load(&disk, Wanted { config: &config, today, ledger, journal_inodes, settle: None });
    (loaded.vault, config)
}

/// How many changes the jobs make of a vault on which every law holds.
fn hold_on(vault: &Vault, config: &Config, shuffles: u64) -> Result<usize, String> {
    let broken = broken(vault, &|| jobs::all(config), shuffles);
    match broken.is_empty() {
        true => Ok(plan_all(vault, &|| jobs::all(config)).steps.len()),
        false => Err(format!("{broken:#?}")),
    }
}

#[test]
fn the_laws_hold_over_every_case() {
    let mut figure = Figure::of("laws over cases (P17, P19, P20, P22, P27)");
    for job in folders_in(&tests().join("cases")) {
        for case in folders_in(&job) {
            let Ok(before) = case.join("before").canonicalize() else { continue };
            let Ok(()) = settings_are_right(&before) else { continue };
            let (vault, config) = loaded(&before);
            let held = hold_on(&vault, &config, 6).map(drop);
            figure.trial(held.map_err(|broken| format!("{}: {broken}", case.display())));
        }
    }
    figure.done();
}

/// Some cases are about settings that stop the program.
fn settings_are_right(folder: &Path) -> Result<(), ()> {
    let text = std::fs::read(folder.join("memkeep.yaml")).unwrap_or_default();
    let text = String::from_utf8(text).map_err(drop)?;
    Layers::new().vault("memkeep.yaml", &text).resolve().map(drop).map_err(drop)
}

#[test]
fn the_laws_hold_over_the_example_and_the_corpora() {
    let mut figure = Figure::of("laws over real vaults (P17, P19, P20, P22, P27)");
    let mut moves = 0;
    let mut folders = folders_in(&tests().join("vaults/corpora"));
    folders.push(tests().join("vaults/example"));
    for folder in folders.into_iter().filter(|folder| !folder.ends_with("LICENSES")) {
        let (vault, config) = loaded(&folder);
        let held = hold_on(&vault, &config, 100).map(|count| moves += count);
        figure.trial(held.map_err(|broken| format!("{}: {broken}", folder.display())));
    }
    figure.done();
    assert!(moves > 20, "only {moves} moves: the corpora give trim nothing to do");
}

#[test]
fn the_laws_hold_over_generated_vaults() {
    let mut figure = Figure::of("laws over generated vaults (P17, P19, P20, P22, P27)");
    let cases = if is_nightly() { 1000 } else { 100 };
    let mut steps: BTreeMap<String, usize> = BTreeMap::new();
    generated::each(cases, |vault, config| {
        let held = hold_on(vault, config, 3).map(drop);
        for step in plan_all(vault, &|| jobs::all(config)).steps {
            *steps.entry(step.job).or_default() += 1;
        }
        figure.trial(held.clone());
        held
    });
    figure.done();
    for job in jobs::all(&generated::config()) {
        let count = steps.get(job.card().id).copied().unwrap_or_default();
        assert!(
            count > cases as usize,
            "only {count} steps: the generator gives {} nothing to do",
            job.card().id
        );
    }
}

#[test]
fn every_job_is_wired_everywhere() {
    let config = Layers::new().resolve().expect("the defaults").config;
    let readme = std::fs::read_to_string(tests().join("../README.md")).expect("README.md");
    for job in jobs::all(&config) {
        let id = job.card().id;
        assert!(!config.fingerprint(id).is_empty(), "{id} has no settings");
        assert!(!bytes_under(&tests().join("cases").join(id), &|_| true).is_empty(), "{id} has no cases");
        assert!(readme.contains(&format!("| {id} |")), "{id} is not in the README");
        assert!(id.chars().all(|c| c.is_ascii_lowercase()), "{id} is no plain word");
        assert!(!job.rules().is_empty(), "{id} does not say which rules a person may accept");
    }
}
