//! From what exists to what would happen and why. Pure: the one function that decides, for `run`,
//! `--dry-run`, `explain` and the batch alike.

use std::fmt;

use super::supersede::MoveIntent;
use super::{
    BestRound, Decision, Digest, GateState, Header, Pipeline, Published, Snapshot, Stage,
    Unreadable,
};

/// What the person asked for, beyond going on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// Make this stage and all after it again.
    pub from: Option<String>,
    /// Stop when this stage's gate is there.
    pub until: Option<String>,
    /// Make again what another prompt, model or configuration made, and all after it.
    pub refresh: bool,
}

/// Why a stage would run, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Its gate is there and what it was made from has not changed.
    Fresh,
    /// Its gate is not there.
    Missing,
    /// A file that it was made from has changed since.
    Stale {
        /// The file.
        input: String,
        /// Its hash when the gate was made.
        recorded: Digest,
        /// Its hash now; `None` if it is gone.
        found: Option<Digest>,
    },
    /// A stage before it runs.
    Follows {
        /// That stage.
        stage: String,
    },
    /// The person asked for it with `--from`.
    Requested,
    /// It is outdated, and the person asked for `--refresh`.
    Refreshed,
    /// Its gate cannot be read.
    Unreadable(Unreadable),
    /// It would run, but for `--until`.
    AfterUntil {
        /// The last stage wanted.
        until: String,
    },
}

impl Reason {
    /// Whether the stage would not run.
    pub fn skips(&self) -> bool {
        matches!(self, Self::Fresh | Self::AfterUntil { .. })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fresh => write!(formatter, "up to date"),
            Self::Missing => write!(formatter, "does not exist"),
            Self::Stale {
                input,
                recorded,
                found,
            } => {
                let now = found.as_ref().map_or("gone", Digest::short);
                write!(
                    formatter,
                    "{input} changed: was {}, is {now}",
                    recorded.short()
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

/// What is decided of one stage.
#[derive(Debug, Clone, PartialEq)]
pub struct StagePlan {
    /// The stage.
    pub stage: String,
    /// Its gate.
    pub gate: String,
    /// Why it would run, or not.
    pub reason: Reason,
    /// In what way the gate that is there was made differently from how it would be made now. Only
    /// reported.
    pub recipe_changes: Vec<String>,
}

/// The next thing to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Finish a move that was announced.
    FinishMove(MoveIntent),
    /// Move these files aside; where to is known when it is done.
    Supersede {
        /// Upstream first.
        files: Vec<String>,
        /// Why.
        reason: String,
    },
    /// The last stage sent the round back: move it aside.
    SendBack {
        /// The round.
        round: u32,
        /// Upstream first.
        files: Vec<String>,
        /// Why.
        reason: String,
    },
    /// Run this stage, by its place in the pipeline.
    RunStage(usize),
    /// Render again what this stage's gate renders to.
    Render(usize),
    /// Publish the best round.
    Publish(BestRound),
    /// A gate that cannot be read stands in the way.
    Stop(Unreadable),
    /// Everything asked for is there.
    Nothing,
}

/// What would happen, stage by stage, and what is next.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The round that is being made, from 1.
    pub round: u32,
    /// One line a stage, in order.
    pub stages: Vec<StagePlan>,
    /// What to do first.
    pub next: Next,
    /// Whether the publication is there and nothing is to be done, whatever `--until` says.
    pub complete: bool,
    /// The best round, once the last stage has decided for good.
    pub best: Option<BestRound>,
}

/// Decides. See the module's documentation.
pub fn plan(pipeline: &Pipeline, snapshot: &Snapshot, request: &Request) -> Plan {
    let planner = Planner {
        pipeline,
        snapshot,
        request,
        last: last_wanted(pipeline, request),
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
    }
}

fn last_wanted(pipeline: &Pipeline, request: &Request) -> usize {
    let until = request.until.as_deref();
    until
        .and_then(|name| pipeline.position(name))
        .unwrap_or(pipeline.stages.len().saturating_sub(1))
}

struct Planner<'a> {
    pipeline: &'a Pipeline,
    snapshot: &'a Snapshot,
    request: &'a Request,
    last: usize,
}

impl Planner<'_> {
    fn stages(&self) -> Vec<StagePlan> {
        let mut first_to_run: Option<&'static str> = None;
        let mut lines = Vec::new();
        for (place, stage) in self.pipeline.stages.iter().enumerate() {
            let state = &self.snapshot.gates[place];
            let recipe_changes = self.recipe_changes(stage.as_ref(), state);
            let mut reason = match first_to_run {
                Some(stage) => Reason::Follows {
                    stage: stage.to_owned(),
                },
                None => self.reason(place, state, &recipe_changes),
            };
            if !reason.skips() && first_to_run.is_none() {
                first_to_run = Some(stage.name());
            }
            if !reason.skips() && place > self.last {
                reason = Reason::AfterUntil {
                    until: self.request.until.clone().unwrap_or_default(),
                };
            }
            lines.push(StagePlan {
                stage: stage.name().to_owned(),
                gate: stage.gate().to_owned(),
                reason,
                recipe_changes,
            });
        }
        lines
    }

    fn recipe_changes(&self, stage: &dyn Stage, state: &GateState) -> Vec<String> {
        match state {
            GateState::Made(header) => header.provenance.recipe.differences(&stage.recipe()),
            _ => Vec::new(),
        }
    }

    fn reason(&self, place: usize, state: &GateState, recipe_changes: &[String]) -> Reason {
        let from = self.request.from.as_deref();
        if from.and_then(|name| self.pipeline.position(name)) == Some(place) {
            return Reason::Requested;
        }
        match state {
            GateState::Missing => Reason::Missing,
            GateState::Unreadable(problem) => Reason::Unreadable(problem.clone()),
            GateState::Made(_) if self.request.refresh && !recipe_changes.is_empty() => {
                Reason::Refreshed
            }
            GateState::Made(header) => self.staleness(header),
        }
    }

    fn staleness(&self, header: &Header) -> Reason {
        let moved = header
            .provenance
            .inputs
            .iter()
            .find_map(|(input, recorded)| {
                let found = self.snapshot.inputs.get(input).cloned().flatten();
                (found.as_ref() != Some(recorded)).then(|| Reason::Stale {
                    input: input.clone(),
                    recorded: recorded.clone(),
                    found,
                })
            });
        moved.unwrap_or(Reason::Fresh)
    }

    fn next(&self, lines: &[StagePlan]) -> Next {
        if let Some(aside) = &self.snapshot.pending {
            return Next::FinishMove(aside.clone());
        }
        if let Some(problem) = self.past_in_the_way() {
            return Next::Stop(problem.clone());
        }
        let first = lines.iter().position(|line| line.reason != Reason::Fresh);
        let fresh = first.unwrap_or(lines.len());
        if let Some(place) = (0..fresh).find(|place| self.lacks_rendering(*place)) {
            return Next::Render(place);
        }
        match first {
            None => self.after_the_last_stage(),
            Some(place) => match &lines[place].reason {
                Reason::AfterUntil { .. } => Next::Nothing,
                Reason::Unreadable(problem) => Next::Stop(problem.clone()),
                reason => self.make(place, reason),
            },
        }
    }

    /// An earlier round's decision that cannot be read, unless the rounds are about to be set
    /// aside.
    fn past_in_the_way(&self) -> Option<&Unreadable> {
        let from = self.request.from.as_deref();
        let place = from.and_then(|name| self.pipeline.position(name));
        let afresh = place.is_some_and(|place| place <= self.pipeline.first_stage_of_round);
        self.snapshot.past_problem.as_ref().filter(|_| !afresh)
    }

    fn lacks_rendering(&self, place: usize) -> bool {
        let renderings = self.pipeline.stages[place].renderings();
        renderings
            .iter()
            .any(|name| !self.snapshot.present.contains(*name))
    }

    /// Sets aside what is in the way of the stage at `place`, or runs it if nothing is.
    fn make(&self, place: usize, reason: &Reason) -> Next {
        let whole = matches!(reason, Reason::Requested | Reason::Refreshed);
        let mut files = self.renderings_of_edited(reason);
        files.extend(self.superseded(place, whole));
        if self.starts_rounds_afresh(place, reason) && !self.is_from_rounds(place) {
            files.extend(self.existing(&["rounds"]));
        }
        if files.is_empty() {
            return Next::RunStage(place);
        }
        Next::Supersede {
            files,
            reason: format!("{}: {reason}", self.pipeline.stages[place].gate()),
        }
    }

    /// Rounds belong to what they were made from: a change before the round sets them aside too.
    fn starts_rounds_afresh(&self, place: usize, reason: &Reason) -> bool {
        let first = self.pipeline.first_stage_of_round;
        match reason {
            Reason::Missing => place < first && !self.is_sent_back_to(place),
            // A round's note that a person edited counts as such; one that is gone leaves a round
            // that is none.
            Reason::Stale { input, found, .. } if input.starts_with("rounds/") => {
                found.is_none() || self.snapshot.past_problem.is_some()
            }
            Reason::Stale { input, .. } => {
                let before = &self.pipeline.stages[..first];
                place < first || before.iter().any(|stage| stage.gate() == input)
            }
            _ => place <= first,
        }
    }

    /// Whether a gate before `place`, which is kept, was made from a round: without the rounds it
    /// would be stale itself.
    fn is_from_rounds(&self, place: usize) -> bool {
        let of_round = |name: &String| name.starts_with("rounds/");
        let kept = &self.snapshot.gates[..place];
        self.snapshot.past_problem.is_none()
            && kept.iter().any(|gate| {
                matches!(gate, GateState::Made(header) if header.provenance.inputs.keys().any(of_round))
            })
    }

    /// What the edited gate was rendered to before the edit.
    fn renderings_of_edited(&self, reason: &Reason) -> Vec<String> {
        let Reason::Stale { input, .. } = reason else {
            return Vec::new();
        };
        let edited = self
            .pipeline
            .stages
            .iter()
            .filter(|stage| stage.gate() == input);
        edited
            .flat_map(|stage| self.existing(stage.renderings()))
            .collect()
    }

    /// Whether the last round was sent back to this very stage, so that its gate is missing for
    /// good reason.
    fn is_sent_back_to(&self, place: usize) -> bool {
        let name = self.pipeline.stages[place].name();
        self.snapshot
            .past
            .last()
            .is_some_and(|round| round.from == name)
    }

    /// What the stage at `place` and those after it left, upstream first; its own inner work only
    /// if `whole`.
    fn superseded(&self, place: usize, whole: bool) -> Vec<String> {
        let mut files = Vec::new();
        for (position, stage) in self.pipeline.stages.iter().enumerate().skip(place) {
            if position > place || whole {
                files.extend(self.existing(stage.intermediates()));
            }
            files.extend(self.existing(&[stage.gate()]));
            files.extend(self.existing(stage.renderings()));
        }
        files.extend(self.existing(&[Published::NAME, self.pipeline.publication]));
        files
    }

    fn existing(&self, names: &[&str]) -> Vec<String> {
        let there = names
            .iter()
            .filter(|name| self.snapshot.present.contains(**name));
        there.map(|name| (*name).to_owned()).collect()
    }

    fn after_the_last_stage(&self) -> Next {
        let round = self.snapshot.round();
        if let Some((from, score)) = self.sent_back() {
            let last_stage = self.last + 1 == self.pipeline.stages.len();
            return match self.pipeline.position(from) {
                Some(place) if last_stage => Next::SendBack {
                    round,
                    files: self.superseded(place, false),
                    reason: format!("round {round} scored {score:.2} and goes back to {from}"),
                },
                _ => Next::Nothing,
            };
        }
        let is_published = self.snapshot.present.contains(self.pipeline.publication);
        match self.best() {
            Some(best) if !is_published => Next::Publish(best),
            Some(best) if self.is_other(&best) => Next::Supersede {
                files: self.existing(&[Published::NAME, self.pipeline.publication]),
                reason: format!("{} decided otherwise since", self.pipeline.decision_gate()),
            },
            _ => Next::Nothing,
        }
    }

    /// Whether something else than `best` was published, or on another decision.
    fn is_other(&self, best: &BestRound) -> bool {
        let published = self.snapshot.published.as_ref();
        published.is_some_and(|published| *published != best.published())
    }

    /// The stage to which the last stage sends the round back, if it does and a round is left.
    fn sent_back(&self) -> Option<(&str, f64)> {
        let header = self.judgement()?;
        let left = self.snapshot.round() < self.pipeline.max_rounds;
        match &header.decision {
            Some(Decision::Revise { from }) if left && self.pipeline.position(from).is_some() => {
                Some((from, header.score.unwrap_or(0.0)))
            }
            _ => None,
        }
    }

    fn judgement(&self) -> Option<&Header> {
        match self.snapshot.gates.last()? {
            GateState::Made(header) => Some(header),
            _ => None,
        }
    }

    /// The accepted round, or of exhausted rounds the one with the best score, the latest of
    /// equals.
    fn best(&self) -> Option<BestRound> {
        let header = self.judgement()?;
        if self.sent_back().is_some() {
            return None;
        }
        let is_accepted = header.decision == Some(Decision::Accept);
        let score = header.score.unwrap_or(0.0);
        let current = (
            self.snapshot.round(),
            score,
            self.snapshot.decision.as_ref()?,
        );
        let past = self.snapshot.past.iter().filter(|_| !is_accepted);
        let past = past.map(|round| (round.number, round.score, &round.digest));
        let (round, _, decision) = past.chain([current]).max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(BestRound {
            round,
            directory: match round {
                round if round == current.0 => String::new(),
                round => format!("rounds/{round}/"),
            },
            decision: decision.clone(),
            below_threshold: !is_accepted,
        })
    }
}
