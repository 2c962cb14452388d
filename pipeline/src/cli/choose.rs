//! Which jobs take part, by what a person named. A name that no job has stops the program before
//! anything is read, with the nearest name that one has.

use crate::exit::Failure;
use config::nearest;
use jobs::{Job, Stage};

/// The jobs of `all` that `only` names, or all of them, without those that `skip` names. The name of a
/// stage is good even where this version has no job for it, so that one crontab serves many versions.
pub fn jobs(all: Vec<Box<dyn Job>>, only: &[String], skip: &[String]) -> Result<Vec<Box<dyn Job>>, Failure> {
    let ids: Vec<&str> = all.iter().map(|job| job.card().id).collect();
    let stages: Vec<String> = Stage::ALL.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = ids.iter().copied().chain(stages.iter().map(String::as_str)).collect();
    only.iter().chain(skip).try_for_each(|name| known(name, &names, &ids))?;
    let is_in = |names: &[String], id: &str| names.iter().any(|name| name == id);
    let takes_part = |id: &str| (only.is_empty() || is_in(only, id)) && !is_in(skip, id);
    let chosen: Vec<Box<dyn Job>> = all.into_iter().filter(|job| takes_part(job.card().id)).collect();
    if chosen.is_empty() && !(only.is_empty() && skip.is_empty()) {
        let failure = Failure::usage("cannot run: --only and --skip leave no job");
        return Err(failure.hint(format!("The jobs of this version are: {}.", ids.join(", "))));
    }
    Ok(chosen)
}

/// An error where `name` is none of `names`; `ids` are the jobs that there are.
pub fn known(name: &str, names: &[&str], ids: &[&str]) -> Result<(), Failure> {
    if names.contains(&name) {
        return Ok(());
    }
    let failure = Failure::usage(format!("cannot find a job `{name}`"));
    Err(match nearest(name, names.iter().copied()) {
        Some(near) => failure.hint(format!("Did you mean `{near}`?")),
        None => failure.hint(format!("The jobs are: {}.", ids.join(", "))),
    })
}

/// An error where something accepted is neither a word of the program nor a rule of a job that changes
/// anything. As with [`jobs`], this version need not have the job of a stage.
pub fn accepted(accept: &[String], all: &[Box<dyn Job>]) -> Result<(), Failure> {
    let ids: Vec<&str> = all.iter().map(|job| job.card().id).collect();
    let stages: Vec<String> = Stage::ALL.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = ids.iter().copied().chain(stages.iter().map(String::as_str)).collect();
    for own in accept {
        match own.split_once('/') {
            Some((id, rule)) => {
                known(id, &names, &ids)?;
                let job = all.iter().find(|job| job.card().id == id);
                job.map_or(Ok(()), |job| known_rule(job.as_ref(), rule))?;
            }
            None if matches!(own.as_str(), "likely" | "shrink") => {}
            None => {
                let failure = Failure::usage(format!("cannot accept `{own}`: it is no rule"));
                return Err(
                    failure.hint("Accept `likely`, `shrink`, a rule such as `trim/oldest`, or `trim/*`.")
                );
            }
        }
    }
    Ok(())
}

fn known_rule(job: &dyn Job, rule: &str) -> Result<(), Failure> {
    let (id, rules) = (job.card().id, job.rules());
    if rule == "*" || rules.is_empty() || rules.contains(&rule) {
        return Ok(());
    }
    let failure = Failure::usage(format!("cannot accept `{id}/{rule}`: no such rule changes anything"));
    Err(match nearest(rule, rules.iter().copied()) {
        Some(near) => failure.hint(format!("Did you mean `{id}/{near}`?")),
        None => failure.hint(format!("The rules of `{id}` that do are: {}.", rules.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jobs::{Certainty, Proposal, Touches, job::Card, vault::Vault};

    struct Named(Card);

    impl Job for Named {
        fn card(&self) -> &'static Card {
            let Card { id, stage, summary, touches, certainty, about } = &self.0;
            let (stage, touches, certainty) = (*stage, *touches, *certainty);
            Box::leak(Box::new(Card { id, stage, summary, touches, certainty, about }))
        }
        fn plan(&self, _vault: &Vault) -> Proposal {
            Proposal::default()
        }
        fn rules(&self) -> &'static [&'static str] {
            if self.0.id == "trim" { &["oldest", "pointer"] } else { &[] }
        }
    }

    fn all() -> Vec<Box<dyn Job>> {
        let named = |id| {
            let (stage, touches, certainty) = (Stage::Trim, Touches::Blocks, Certainty::Sure);
            Box::new(Named(Card { id, stage, summary: "", touches, certainty, about: "" })) as Box<dyn Job>
        };
        ["relink", "rotate", "trim"].map(named).into()
    }

    fn chosen(only: &[&str], skip: &[&str]) -> Result<Vec<&'static str>, (String, Option<String>)> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let chosen = jobs(all(), &owned(only), &owned(skip));
        chosen
            .map(|jobs| jobs.iter().map(|job| job.card().id).collect())
            .map_err(|failure| (failure.message, failure.hint))
    }

    #[test]
    fn only_and_skip_choose_among_the_jobs() {
        assert_eq!(chosen(&[], &[]), Ok(vec!["relink", "rotate", "trim"]));
        assert_eq!(chosen(&["trim", "relink"], &[]), Ok(vec!["relink", "trim"]));
        assert_eq!(chosen(&[], &["trim"]), Ok(vec!["relink", "rotate"]));
        assert!(chosen(&["trim"], &["trim"]).is_err());
        assert_eq!(chosen(&["trim", "import"], &["index"]), Ok(vec!["trim"]));
    }

    #[test]
    fn a_job_of_another_version_alone_is_told_the_jobs_of_this_one() {
        let hint = chosen(&["import"], &[]).map_err(|(_, hint)| hint);
        assert_eq!(hint, Err(Some("The jobs of this version are: relink, rotate, trim.".to_owned())));
    }

    #[test]
    fn a_mistyped_job_is_told_the_nearest_name() {
        let hint = |only: &[&str]| chosen(only, &[]).map_err(|(_, hint)| hint);
        assert_eq!(hint(&["rotat"]), Err(Some("Did you mean `rotate`?".to_owned())));
        assert_eq!(hint(&["zzz"]), Err(Some("The jobs are: relink, rotate, trim.".to_owned())));
    }

    #[test]
    fn what_is_accepted_must_be_a_rule_of_a_job() {
        let accepts = |rule: &str| accepted(&[rule.to_owned()], &all()).is_ok();
        assert!(accepts("likely") && accepts("shrink") && accepts("relink/mention") && accepts("trim/*"));
        assert!(accepts("trim/oldest") && accepts("import/any"), "a job of another version has any rule");
        assert!(!accepts("all") && !accepts("rename/x") && !accepts("trim/") && !accepts("trim/likely"));
    }

    #[test]
    fn a_mistyped_rule_is_told_the_nearest_one() {
        let hint = |rule: &str| accepted(&[rule.to_owned()], &all()).map_err(|failure| failure.hint);
        assert_eq!(hint("trim/odlest"), Err(Some("Did you mean `trim/oldest`?".to_owned())));
        let rules = "The rules of `trim` that do are: oldest, pointer.".to_owned();
        assert_eq!(hint("trim/zzz"), Err(Some(rules)));
        assert_eq!(hint("trm/oldest"), Err(Some("Did you mean `trim`?".to_owned())));
    }
}
