//! Planning: a pure function from a snapshot to the next action and the reason for it. `run`,
//! `--dry-run`, `explain` and the batch all use it.
//!
//! The staleness rule: a gate is fresh while every input in its provenance still has the recorded
//! digest. A stage runs if its gate is missing, stale or requested, and then all later stages run
//! too; an unreadable gate stops the run, unless it is made again anyway. Unlike in make,
//! modification times play no part.

use std::fmt;

use super::{
    BestRound, Decision, Digest, ExternalChange, GateState, Header, MoveIntent, Pipeline,
    Published, Snapshot, Stage, Unreadable, score_text,
};

/// The options of a run: the stages to run again, and the stage after which to stop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// Run this stage and all later ones again (`--from`).
    pub from: Option<String>,
    /// Stop after this stage (`--until`).
    pub until: Option<String>,
    /// Run the stages whose recipe has changed, and all later ones, again (`--refresh`).
    pub refresh: bool,
    /// Files outside of the session count as unchanged (`--frozen`).
    pub frozen: bool,
    /// What was fetched before this time, RFC 3339 in UTC, is stale (`--max-age`).
    pub fetched_since: Option<String>,
}

/// The reason why a stage runs or does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Its gate exists, and the inputs have not changed.
    Fresh,
    /// Its gate is missing.
    Missing,
    /// An input of its gate has changed.
    Stale {
        /// The input.
        input: String,
        /// Its digest when the gate was made.
        recorded: Digest,
        /// Its digest now; `None` if it is gone.
        current: Option<Digest>,
    },
    /// Files outside of the session have changed, appeared or vanished; at least one.
    ExternalChanges(Vec<ExternalChange>),
    /// Something that it has fetched is too old.
    Aged {
        /// The time of the oldest fetch, RFC 3339.
        oldest: String,
    },
    /// An earlier stage runs.
    Follows {
        /// That stage.
        stage: String,
    },
    /// The user requested it with `--from`.
    Requested,
    /// Its recipe has changed, and the user requested `--refresh`.
    Refreshed,
    /// Its gate cannot be read.
    Unreadable(Unreadable),
    /// It would run without `--until`.
    AfterUntil {
        /// The last stage requested.
        until: String,
    },
}

/// The number of further changed files that a reason names.
const NAMED_CHANGES: usize = 3;

impl Reason {
    /// `true` if the stage does not run.
    pub fn skips(&self) -> bool {
        matches!(self, Self::Fresh | Self::AfterUntil { .. })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fresh => write!(formatter, "up to date"),
            Self::Missing => write!(formatter, "not made yet"),
            Self::Stale {
                input,
                recorded,
                current,
            } => {
                let now = current.as_ref().map_or("gone", Digest::short);
                write!(
                    formatter,
                    "{input} changed: was {}, is {now}",
                    recorded.short()
                )
            }
            Self::ExternalChanges(changes) => {
                // A renamed file is one change, though it has two names.
                let is_other_name =
                    |own: &&ExternalChange| own.is_rename() && own.current.is_some();
                let named = changes.iter().filter(|own| !is_other_name(own));
                let changes: Vec<&ExternalChange> = named.collect();
                let Some((first, others)) = changes.split_first() else {
                    return Ok(());
                };
                write!(formatter, "{first}")?;
                if others.is_empty() {
                    return Ok(());
                }
                let names = others
                    .iter()
                    .take(NAMED_CHANGES)
                    .map(|change| change.name.as_str());
                let names = names.collect::<Vec<_>>().join(", ");
                match others.len().saturating_sub(NAMED_CHANGES) {
                    0 => write!(formatter, " (also {names})"),
                    more => write!(formatter, " (also {names}, and {more} more)"),
                }
            }
            Self::Aged { oldest } => {
                write!(
                    formatter,
                    "the web was read at {oldest}, too long ago for --max-age"
                )
            }
            Self::Follows { stage } => write!(formatter, "follows {stage}"),
            Self::Requested => write!(formatter, "asked for with --from"),
            Self::Refreshed => write!(formatter, "outdated, and --refresh was given"),
            Self::Unreadable(problem) => write!(formatter, "{problem}"),
            Self::AfterUntil { until } => write!(formatter, "not made: --until {until}"),
        }
    }
}

/// The plan for one stage.
#[derive(Debug, Clone, PartialEq)]
pub struct StagePlan {
    /// The stage.
    pub stage: String,
    /// Its gate.
    pub gate: String,
    /// The reason why it runs or does not run.
    pub reason: Reason,
    /// The differences between the recipe of the existing gate and the current one. They are always
    /// reported, and make the stage run only with [`Request::refresh`].
    pub recipe_changes: Vec<String>,
}

/// The next action.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Finish a move that was announced but interrupted.
    FinishMove(MoveIntent),
    /// Move these files to a new directory `superseded/N`.
    Supersede {
        /// The files, upstream first.
        files: Vec<String>,
        /// The reason.
        reason: String,
    },
    /// The last stage sent the round back: move its files to `rounds/N`.
    SendBack {
        /// The round.
        round: u32,
        /// The files, upstream first.
        files: Vec<String>,
        /// The reason.
        reason: String,
    },
    /// Run the stage with this index in the pipeline.
    RunStage(usize),
    /// Render the gate of the stage with this index again.
    Render(usize),
    /// Publish the best round.
    Publish(BestRound),
    /// Stop: a gate that cannot be read is in the way.
    Stop(Unreadable),
    /// Stop: all documents are gone. A run would supersede what was made from them, and have
    /// nothing to make it from again.
    DocumentsGone,
    /// Everything requested exists.
    Nothing,
}

/// The plan for each stage, and the next action.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The round that is being made, from 1.
    pub round: u32,
    /// The stages, in order.
    pub stages: Vec<StagePlan>,
    /// The first action to take.
    pub next: Next,
    /// `true` if the publication exists and nothing is left to do, regardless of `--until`.
    pub complete: bool,
    /// The best round, once the last stage has made its final decision.
    pub best: Option<BestRound>,
    /// The reason if the files outside of the session cannot be listed; they count as unchanged.
    pub unlisted: Option<String>,
}

/// Decides which action comes next. See the module's documentation.
///
/// Approach: each stage, in order, gets a reason to run or not; once a stage runs, all later ones
/// follow. Then the first action that is not done yet, in the order of `Planner::next`, is next.
/// Only one action is planned at a time, since each action changes the files that the following
/// decision depends on.
pub fn plan(pipeline: &Pipeline, snapshot: &Snapshot, request: &Request) -> Plan {
    let planner = Planner {
        pipeline,
        snapshot,
        request,
        last: last_requested(pipeline, request),
    };
    let stages = planner.stages();
    let next = planner.next(&stages);
    let best = planner.best();
    let complete = next == Next::Nothing
        && best.is_some()
        && stages.iter().all(|stage| stage.reason == Reason::Fresh)
        && snapshot.present.contains(pipeline.publication);
    Plan {
        round: snapshot.round(),
        stages,
        next,
        complete,
        best,
        unlisted: snapshot.unlisted.clone(),
    }
}

fn last_requested(pipeline: &Pipeline, request: &Request) -> usize {
    request
        .until
        .as_deref()
        .and_then(|name| pipeline.position(name))
        .unwrap_or(pipeline.stages.len().saturating_sub(1))
}

struct Planner<'a> {
    pipeline: &'a Pipeline,
    snapshot: &'a Snapshot,
    request: &'a Request,
    /// The index of the last stage requested.
    last: usize,
}

impl Planner<'_> {
    fn stages(&self) -> Vec<StagePlan> {
        // The first stage that runs makes all later ones follow: its gate is their input, directly
        // or not.
        let mut first_to_run: Option<&'static str> = None;
        let mut stages = Vec::new();
        for (index, stage) in self.pipeline.stages.iter().enumerate() {
            let state = &self.snapshot.gates[index];
            let recipe_changes = self.recipe_changes(stage.as_ref(), state);
            let mut reason = match first_to_run {
                Some(stage) => Reason::Follows {
                    stage: stage.to_owned(),
                },
                None => self.reason(index, state, &recipe_changes),
            };
            if !reason.skips() && first_to_run.is_none() {
                first_to_run = Some(stage.name());
            }
            // Applied last: `--until` limits what is run, not what is stale.
            if !reason.skips() && index > self.last {
                reason = Reason::AfterUntil {
                    until: self.request.until.clone().unwrap_or_default(),
                };
            }
            stages.push(StagePlan {
                stage: stage.name().to_owned(),
                gate: stage.gate().to_owned(),
                reason,
                recipe_changes,
            });
        }
        stages
    }

    fn recipe_changes(&self, stage: &dyn Stage, state: &GateState) -> Vec<String> {
        match state {
            GateState::Made(header) => header.provenance.recipe.differences(&stage.recipe()),
            _ => Vec::new(),
        }
    }

    fn reason(&self, index: usize, state: &GateState, recipe_changes: &[String]) -> Reason {
        // `--from` overrides the state of the gate, so that an unreadable one is made again.
        if self.requested_from() == Some(index) {
            return Reason::Requested;
        }
        match state {
            GateState::Missing => Reason::Missing,
            GateState::Unreadable(problem) => Reason::Unreadable(problem.clone()),
            GateState::Made(_) if self.request.refresh && !recipe_changes.is_empty() => {
                Reason::Refreshed
            }
            GateState::Made(header) => match self.staleness(header) {
                Reason::Fresh if !self.request.frozen => self.external_staleness(index),
                reason => reason,
            },
        }
    }

    /// The index of the stage of `--from`.
    fn requested_from(&self) -> Option<usize> {
        let name = self.request.from.as_deref()?;
        self.pipeline.position(name)
    }

    /// The staleness rule: the first input whose digest is no longer the recorded one.
    fn staleness(&self, header: &Header) -> Reason {
        header
            .provenance
            .inputs
            .iter()
            .find_map(|(input, recorded)| {
                // By digest, not by time: when an edit is undone, the gate is fresh again.
                let current = self.snapshot.inputs.get(input).cloned().flatten();
                (current.as_ref() != Some(recorded)).then(|| Reason::Stale {
                    input: input.clone(),
                    recorded: recorded.clone(),
                    current,
                })
            })
            .unwrap_or(Reason::Fresh)
    }

    /// The staleness rule for files outside of the session.
    fn external_staleness(&self, index: usize) -> Reason {
        let changes = self.snapshot.external.get(&index).cloned();
        changes.map_or_else(|| self.age(index), Reason::ExternalChanges)
    }

    /// The staleness rule for what was fetched, by its age: only on request.
    fn age(&self, index: usize) -> Reason {
        let (Some(since), Some(fetched)) = (
            &self.request.fetched_since,
            self.snapshot.fetched.get(&index),
        ) else {
            return Reason::Fresh;
        };
        // Both in UTC and in the same format, so that the order of the texts is that of the times.
        let oldest = fetched.oldest.clone();
        if fetched.oldest < *since {
            Reason::Aged { oldest }
        } else {
            Reason::Fresh
        }
    }

    /// The next action. The order matters: an announced move comes before anything else, since
    /// until it is finished its files are split between two directories; renderings of fresh gates
    /// come before the first stage that runs, since that stage may supersede them.
    fn next(&self, stages: &[StagePlan]) -> Next {
        if let Some(intent) = &self.snapshot.pending {
            return Next::FinishMove(intent.clone());
        }
        if let Some(problem) = self.blocking_past_round() {
            return Next::Stop(problem.clone());
        }
        let first = stages
            .iter()
            .position(|stage| stage.reason != Reason::Fresh);
        let fresh_stages = first.unwrap_or(stages.len());
        if let Some(index) = (0..fresh_stages).find(|index| self.lacks_rendering(*index)) {
            return Next::Render(index);
        }
        match first {
            None => self.after_last_stage(),
            Some(index) => match &stages[index].reason {
                Reason::AfterUntil { .. } => Next::Nothing,
                Reason::Unreadable(problem) => Next::Stop(problem.clone()),
                Reason::ExternalChanges(_) if self.snapshot.are_documents_gone => {
                    Next::DocumentsGone
                }
                reason => self.run_or_supersede(index, reason),
            },
        }
    }

    /// The unreadable decision of an earlier round, if any, unless the rounds are about to be
    /// superseded.
    fn blocking_past_round(&self) -> Option<&Unreadable> {
        let restarts_rounds = self
            .requested_from()
            .is_some_and(|index| index <= self.pipeline.first_stage_of_round);
        self.snapshot
            .past_problem
            .as_ref()
            .filter(|_| !restarts_rounds)
    }

    fn lacks_rendering(&self, index: usize) -> bool {
        self.pipeline.stages[index]
            .renderings()
            .iter()
            .any(|name| !self.snapshot.present.contains(*name))
    }

    /// The next action for the stage at `index`: to supersede the files that it would replace, or
    /// to run it if there are none.
    fn run_or_supersede(&self, index: usize, reason: &Reason) -> Next {
        let with_intermediates = matches!(reason, Reason::Requested | Reason::Refreshed);
        let mut files = self.renderings_of_edited(reason);
        // Without the records of its fetches the stage fetches everything again. Its work is not
        // superseded: what follows from unchanged texts is reused.
        if let (Reason::Aged { .. }, Some(fetched)) = (reason, self.snapshot.fetched.get(&index)) {
            files.extend(fetched.files.iter().cloned());
        }
        files.extend(self.superseded(index, with_intermediates));
        if self.restarts_rounds(index, reason) && !self.is_made_from_rounds(index) {
            files.extend(self.existing(&["rounds"]));
        }
        if files.is_empty() {
            return Next::RunStage(index);
        }
        Next::Supersede {
            files,
            reason: format!("{}: {reason}", self.pipeline.stages[index].gate()),
        }
    }

    /// `true` if the rounds start over. They were made from the gates before the first stage of a
    /// round, so a change of those gates supersedes the rounds too.
    fn restarts_rounds(&self, index: usize, reason: &Reason) -> bool {
        let first = self.pipeline.first_stage_of_round;
        match reason {
            Reason::Missing => index < first && !self.is_sent_back_to(index),
            // The notes are the review of an earlier round. The rounds survive an edit of them, but
            // not their loss: a directory in `rounds/` without a readable review is not a round.
            Reason::Stale { input, current, .. } if input.starts_with("rounds/") => {
                current.is_none() || self.snapshot.past_problem.is_some()
            }
            Reason::Stale { input, .. } => {
                let before = &self.pipeline.stages[..first];
                index < first || before.iter().any(|stage| stage.gate() == input)
            }
            _ => index <= first,
        }
    }

    /// `true` if a gate before `index` was made from a round. That gate is not superseded, and
    /// without the rounds it would become stale.
    fn is_made_from_rounds(&self, index: usize) -> bool {
        let of_round = |name: &String| name.starts_with("rounds/");
        self.snapshot.past_problem.is_none()
            && self.snapshot.gates[..index].iter().any(|gate| match gate {
                GateState::Made(header) => header.provenance.inputs.keys().any(of_round),
                _ => false,
            })
    }

    /// The renderings of an edited gate as it was before the edit.
    fn renderings_of_edited(&self, reason: &Reason) -> Vec<String> {
        let Reason::Stale { input, .. } = reason else {
            return Vec::new();
        };
        self.pipeline
            .stages
            .iter()
            .filter(|stage| stage.gate() == input)
            .flat_map(|stage| self.existing(stage.renderings()))
            .collect()
    }

    /// `true` if the last round was sent back to this stage, which explains the missing gate.
    fn is_sent_back_to(&self, index: usize) -> bool {
        let name = self.pipeline.stages[index].name();
        self.snapshot
            .past
            .last()
            .is_some_and(|round| round.from == name)
    }

    /// The files of the stage at `index` and of those after it, upstream first; its own
    /// intermediates only on request, since they may still be fresh.
    fn superseded(&self, index: usize, with_intermediates: bool) -> Vec<String> {
        let mut files = Vec::new();
        for (position, stage) in self.pipeline.stages.iter().enumerate().skip(index) {
            if position > index || with_intermediates {
                files.extend(self.existing(stage.intermediates()));
            }
            files.extend(self.existing(&[stage.gate()]));
            files.extend(self.existing(stage.renderings()));
        }
        // The publication depends on every stage, so it is superseded with any of them.
        files.extend(self.existing(&[Published::FILE, self.pipeline.publication]));
        files
    }

    fn existing(&self, names: &[&str]) -> Vec<String> {
        names
            .iter()
            .filter(|name| self.snapshot.present.contains(**name))
            .map(|name| (*name).to_owned())
            .collect()
    }

    /// The action once every gate is fresh: send the round back, publish the best one, or nothing.
    fn after_last_stage(&self) -> Next {
        let round = self.snapshot.round();
        if let Some((from, score)) = self.sent_back() {
            // With `--until` before the last stage, the round is not sent back.
            let until_the_end = self.last + 1 == self.pipeline.stages.len();
            return match self.pipeline.position(from) {
                Some(index) if until_the_end => Next::SendBack {
                    round,
                    files: self.superseded(index, false),
                    reason: format!(
                        "round {round} scored {} and goes back to {from}",
                        score_text(score)
                    ),
                },
                _ => Next::Nothing,
            };
        }
        let is_published = self.snapshot.present.contains(self.pipeline.publication);
        match self.best() {
            Some(best) if !is_published => Next::Publish(best),
            Some(best) if self.differs_from_published(&best) => Next::Supersede {
                files: self.existing(&[Published::FILE, self.pipeline.publication]),
                reason: format!(
                    "the decision in {} has changed",
                    self.pipeline.decision_gate()
                ),
            },
            _ => Next::Nothing,
        }
    }

    /// `true` if the published round is not `best`, or was published by another decision.
    fn differs_from_published(&self, best: &BestRound) -> bool {
        self.snapshot
            .published
            .as_ref()
            .is_some_and(|published| !published.describes(best))
    }

    /// The stage that the last stage sends the round back to, if it does and the limit of rounds is
    /// not reached.
    fn sent_back(&self) -> Option<(&str, f64)> {
        let header = self.decision_header()?;
        let is_round_left = self.snapshot.round() < self.pipeline.max_rounds;
        match &header.decision {
            Some(Decision::Revise { from })
                if is_round_left && self.pipeline.position(from).is_some() =>
            {
                Some((from, header.score.unwrap_or(0.0)))
            }
            _ => None,
        }
    }

    fn decision_header(&self) -> Option<&Header> {
        match self.snapshot.gates.last()? {
            GateState::Made(header) => Some(header),
            _ => None,
        }
    }

    /// The round to publish, once no further round follows: the current one if it is accepted, else
    /// (the decision is to settle, or all rounds are used up) the round with the best score. On a
    /// tie the latest round wins, since it had the most review notes to work from.
    fn best(&self) -> Option<BestRound> {
        let header = self.decision_header()?;
        if self.sent_back().is_some() {
            return None;
        }
        let is_accepted = header.decision == Some(Decision::Accept);
        let score = header.score.unwrap_or(0.0);
        let round = self.snapshot.round();
        let current = (round, score, self.snapshot.decision.as_ref()?);
        let (best, score, decision) = self
            .snapshot
            .past
            .iter()
            .filter(|_| !is_accepted)
            .map(|past| (past.number, past.score, &past.digest))
            .chain([current])
            // On a tie, `max_by` returns the last element.
            .max_by(|(_, score, _), (_, other, _)| score.total_cmp(other))?;
        let directory = if best == round {
            String::new()
        } else {
            format!("rounds/{best}/")
        };
        Some(BestRound {
            round: best,
            directory,
            decision: decision.clone(),
            below_threshold: !is_accepted,
            score,
        })
    }
}
