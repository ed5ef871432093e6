//! What exists in a session, read once, for [`super::plan()`] to decide on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

use super::digest_cache::read_limited;
use super::supersede::exists;
use super::{
    Decision, Digest, DigestCache, Header, MoveIntent, Pipeline, Published, Stage, Unreadable,
};

/// The state of one gate.
#[derive(Debug, Clone, PartialEq)]
pub enum GateState {
    /// There is no such file.
    Missing,
    /// It is complete and readable.
    Made(Header),
    /// It is there, but is no gate of this stage.
    Unreadable(Unreadable),
}

/// A round that was sent back.
#[derive(Debug, Clone, PartialEq)]
pub struct PastRound {
    /// Its number, from 1.
    pub number: u32,
    /// The stage that it was sent back to.
    pub from: String,
    /// Its score, 0 to 1.
    pub score: f64,
    /// The file with the decision and the notes, relative to the session.
    pub decision: String,
    /// Its hash.
    pub digest: Digest,
}

/// What exists in a session.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// A move that was announced and not finished.
    pub pending: Option<MoveIntent>,
    /// The state of each stage's gate, in order.
    pub gates: Vec<GateState>,
    /// The hash of every file that a gate names as its input; `None` if it is gone.
    pub inputs: BTreeMap<String, Option<Digest>>,
    /// The rounds that were sent back, oldest first.
    pub past: Vec<PastRound>,
    /// The decision of an earlier round that cannot be read: the rounds after it are not known.
    pub past_problem: Option<Unreadable>,
    /// The hash of the current round's decision, if there is one.
    pub decision: Option<Digest>,
    /// What was published, as far as that was written down.
    pub published: Option<Published>,
    /// Of everything that can be moved aside, what is there.
    pub present: BTreeSet<String>,
}

impl Snapshot {
    /// Reads what exists. Names are known, so nothing is found by listing.
    ///
    /// # Errors
    /// When something is there that cannot be read; an unreadable gate is no error, but a
    /// [`GateState`].
    pub fn read(session: &Path, pipeline: &Pipeline, digests: &mut DigestCache) -> Result<Self> {
        let pending = MoveIntent::pending(session, pipeline)?;
        let (past, past_problem) = past_rounds(session, pipeline, digests);
        let mut gates = Vec::new();
        for stage in &pipeline.stages {
            gates.push(gate_state(session, stage.as_ref(), stage.gate(), digests));
        }
        let problems = gates.iter().filter_map(|gate| match gate {
            GateState::Unreadable(problem) => Some(problem),
            _ => None,
        });
        let problems = problems.chain(&past_problem);
        let unreadable: BTreeSet<_> = problems.map(|problem| problem.path.clone()).collect();
        let mut inputs = BTreeMap::new();
        for gate in &gates {
            let GateState::Made(header) = gate else {
                continue;
            };
            for name in header.provenance.inputs.keys() {
                if !inputs.contains_key(name) {
                    let path = session.join(name);
                    // That it cannot be read is told where it stands as a gate.
                    let found = match unreadable.contains(&path) {
                        true => None,
                        false => input_digest(session, name, digests)?,
                    };
                    inputs.insert(name.clone(), found);
                }
            }
        }
        Ok(Self {
            pending,
            gates,
            inputs,
            past,
            past_problem,
            decision: digests.digest(pipeline.decision_gate()).ok().flatten(),
            published: published(session),
            present: present(session, pipeline),
        })
    }

    /// The round that is being made, from 1.
    pub fn round(&self) -> u32 {
        self.past.last().map_or(1, |round| round.number + 1)
    }
}

/// What was published. If it cannot be read, what is published stands.
fn published(session: &Path) -> Option<Published> {
    let bytes = read_limited(&session.join(Published::NAME)).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn input_digest(session: &Path, name: &str, digests: &mut DigestCache) -> Result<Option<Digest>> {
    if !super::supersede::is_inside(name) {
        return Ok(None);
    }
    digests
        .digest(name)
        .with_context(|| format!("failed to read {}", session.join(name).display()))
}

fn gate_state(
    session: &Path,
    stage: &dyn Stage,
    name: &str,
    digests: &mut DigestCache,
) -> GateState {
    let path = session.join(name);
    let unreadable = |problem: String| {
        GateState::Unreadable(Unreadable {
            path: path.clone(),
            place: String::new(),
            problem,
            stage: stage.name().to_owned(),
        })
    };
    match digests.header(name, |bytes| stage.check(bytes)) {
        Ok(None) => GateState::Missing,
        Ok(Some(Ok(header))) if header.provenance.stage != stage.name() => unreadable(format!(
            "the file says that stage {:?} wrote it, which belongs to {:?}",
            header.provenance.stage,
            stage.name()
        )),
        Ok(Some(Ok(header))) => GateState::Made(header),
        Ok(Some(Err(error))) => {
            GateState::Unreadable(Unreadable::new(path.clone(), stage.name(), &error))
        }
        Err(error) => unreadable(error.to_string()),
    }
}

fn past_rounds(
    session: &Path,
    pipeline: &Pipeline,
    digests: &mut DigestCache,
) -> (Vec<PastRound>, Option<Unreadable>) {
    let mut past = Vec::new();
    let first_stage_of_round = pipeline.names()[pipeline.first_stage_of_round];
    let Some(judge) = pipeline.stages.last() else {
        return (past, None);
    };
    for number in 1.. {
        let decision = format!("rounds/{number}/{}", pipeline.decision_gate());
        let header = match gate_state(session, judge.as_ref(), &decision, digests) {
            GateState::Missing => break,
            GateState::Unreadable(problem) => {
                let stage = first_stage_of_round.to_owned();
                return (past, Some(Unreadable { stage, ..problem }));
            }
            GateState::Made(header) => header,
        };
        let from = match &header.decision {
            Some(Decision::Revise { from }) => from.as_str(),
            _ => first_stage_of_round,
        };
        past.push(PastRound {
            number,
            from: from.to_owned(),
            score: header.score.unwrap_or(0.0),
            digest: digests
                .digest(&decision)
                .ok()
                .flatten()
                .unwrap_or_else(|| Digest::of("")),
            decision,
        });
    }
    (past, None)
}

fn present(session: &Path, pipeline: &Pipeline) -> BTreeSet<String> {
    let stages = pipeline.stages.iter();
    let made = stages.flat_map(|stage| {
        let inner = stage.intermediates().iter().chain(stage.renderings());
        std::iter::once(stage.gate()).chain(inner.copied())
    });
    made.chain(["rounds", Published::NAME, pipeline.publication])
        .filter(|name| exists(&session.join(name)))
        .map(str::to_owned)
        .collect()
}
