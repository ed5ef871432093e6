//! The snapshot: the files of a session, read once, for [`super::plan()`] to decide on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

use super::look::Looks;
use super::session_files::{Entries, is_inside};
use super::{
    Decision, Digest, DigestCache, ExternalChange, Fetched, Header, Manifest, MoveIntent,
    PastRound, Pipeline, Published, Stage, Unreadable,
};

/// The name of the directory of the rounds that were sent back.
const ROUNDS: &str = "rounds";

/// The state of one gate.
#[derive(Debug, Clone, PartialEq)]
pub enum GateState {
    /// There is no such file.
    Missing,
    /// The file is complete and readable.
    Made(Header),
    /// The file exists, but is not a gate of this stage.
    Unreadable(Unreadable),
}

/// The files of a session.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// A move that was announced but not finished.
    pub pending: Option<MoveIntent>,
    /// The state of each stage's gate, in order.
    pub gates: Vec<GateState>,
    /// The digest of every file that a gate names as its input; `None` if the file is gone.
    pub inputs: BTreeMap<String, Option<Digest>>,
    /// The files outside of the session that are not as they were read, by the index of the stage
    /// that reads them.
    pub external: BTreeMap<usize, Vec<ExternalChange>>,
    /// The reason if the files outside of the session cannot be listed; they count as unchanged.
    pub unlisted: Option<String>,
    /// `true` if none of the files outside of the session is left.
    pub are_documents_gone: bool,
    /// What the stages have fetched, by their index; empty unless its age matters.
    pub fetched: BTreeMap<usize, Fetched>,
    /// The rounds that were sent back, oldest first.
    pub past: Vec<PastRound>,
    /// The decision of an earlier round that cannot be read: the rounds after it are not read.
    pub past_problem: Option<Unreadable>,
    /// The digest of the current round's decision, if there is one.
    pub decision: Option<Digest>,
    /// The record of the publication, if there is one. If it cannot be read, the publication is
    /// left as it is.
    pub published: Option<Published>,
    /// The existing files, among those that can be superseded.
    pub present: BTreeSet<String>,
}

impl Snapshot {
    /// Reads the files of a session. All names come from the pipeline; its directory is listed to
    /// tell which of them are there.
    ///
    /// # Errors
    /// When a file exists but cannot be read. An unreadable gate is not an error, but a
    /// [`GateState`].
    pub fn read(session: &Path, pipeline: &Pipeline, digests: &mut DigestCache) -> Result<Self> {
        Self::read_with(session, pipeline, digests, &mut Looks::default())
    }

    /// [`Snapshot::read`] that may know the files outside of the session by a recent look.
    pub(super) fn read_with(
        session: &Path,
        pipeline: &Pipeline,
        digests: &mut DigestCache,
        looks: &mut Looks,
    ) -> Result<Self> {
        // First, since a broken or foreign intent is an error whatever the other files contain.
        let pending = MoveIntent::pending(session, |file| pipeline.owns(file))?;
        let entries = Entries::of(session);
        let (past, past_problem) = if entries.lacks(ROUNDS) {
            (Vec::new(), None)
        } else {
            past_rounds(session, pipeline, digests)
        };
        let stages = pipeline.stages.iter();
        let gates = stages.map(|stage| match stage.gate() {
            gate if entries.lacks(gate) => GateState::Missing,
            gate => gate_state(session, stage.as_ref(), gate, digests),
        });
        let gates: Vec<GateState> = gates.collect();
        let inputs = input_digests(session, &gates, past_problem.as_ref(), digests)?;
        let mut external = BTreeMap::new();
        let (mut unlisted, mut are_documents_gone) = (None, false);
        for (index, stage) in pipeline.stages.iter().enumerate() {
            match external_changes(session, stage.as_ref(), &gates[index], (digests, looks)) {
                Ok(changes) => {
                    are_documents_gone |= changes.are_documents_gone;
                    let changes = changes.changes;
                    external.extend((!changes.is_empty()).then_some((index, changes)));
                }
                Err(error) => unlisted = Some(format!("{error:#}")),
            }
        }
        Ok(Self {
            external,
            unlisted,
            are_documents_gone,
            fetched: BTreeMap::new(),
            pending,
            gates,
            inputs,
            past,
            past_problem,
            decision: Some(pipeline.decision_gate())
                .filter(|gate| !entries.lacks(gate))
                .and_then(|gate| digests.digest(gate).ok().flatten()),
            published: Published::read(session),
            present: present(&entries, pipeline),
        })
    }

    /// Reads what the stages have fetched, for a request in which its age matters.
    #[must_use]
    pub(super) fn with_fetched(mut self, session: &Path, pipeline: &Pipeline) -> Self {
        let stages = pipeline.stages.iter().enumerate();
        let fetched = stages.filter_map(|(index, stage)| Some((index, stage.fetched(session)?)));
        self.fetched = fetched.collect();
        self
    }

    /// The round that is being made, from 1.
    pub fn round(&self) -> u32 {
        self.past.last().map_or(1, |round| round.number + 1)
    }
}

/// The digests of all files that `gates` name as inputs.
fn input_digests(
    session: &Path,
    gates: &[GateState],
    past_problem: Option<&Unreadable>,
    digests: &mut DigestCache,
) -> Result<BTreeMap<String, Option<Digest>>> {
    let unreadable: BTreeSet<_> = gates
        .iter()
        .filter_map(|gate| match gate {
            GateState::Unreadable(problem) => Some(problem),
            _ => None,
        })
        .chain(past_problem)
        .map(|problem| problem.path.clone())
        .collect();
    let mut inputs = BTreeMap::new();
    for gate in gates {
        let GateState::Made(header) = gate else {
            continue;
        };
        for name in header.provenance.inputs.keys() {
            if inputs.contains_key(name) {
                continue;
            }
            // An unreadable gate has no digest; the plan reports it by its state.
            let digest = if unreadable.contains(&session.join(name)) {
                None
            } else {
                input_digest(session, name, digests)?
            };
            inputs.insert(name.clone(), digest);
        }
    }
    Ok(inputs)
}

/// The files outside of the session that are not as a gate records them.
#[derive(Default)]
struct ExternalChanges {
    changes: Vec<ExternalChange>,
    /// `true` if there were files, and none is left.
    are_documents_gone: bool,
}

/// The files outside of the session that `stage` reads and that are not as its gate records them.
///
/// # Errors
/// When they cannot be listed.
fn external_changes(
    session: &Path,
    stage: &dyn Stage,
    gate: &GateState,
    (digests, looks): (&mut DigestCache, &mut Looks),
) -> Result<ExternalChanges> {
    let GateState::Made(header) = gate else {
        return Ok(ExternalChanges::default());
    };
    // An older session has no manifest, and one that is gone is a stale input.
    if !header.provenance.inputs.contains_key(Manifest::FILE) {
        return Ok(ExternalChanges::default());
    }
    let Some(recorded) = Manifest::read(session)? else {
        return Ok(ExternalChanges::default());
    };
    let look = looks.of(stage, digests)?;
    let (none, look) = (Manifest::default(), look.as_deref());
    Ok(ExternalChanges {
        changes: recorded.changes(look.map_or(&none, |look| &look.manifest)),
        are_documents_gone: look.is_none_or(|look| look.is_empty) && !recorded.files.is_empty(),
    })
}

fn input_digest(session: &Path, name: &str, digests: &mut DigestCache) -> Result<Option<Digest>> {
    // A gate may come from a stranger: a path outside of the session is never opened.
    if !is_inside(name) {
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
            location: String::new(),
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

/// The rounds in `rounds/1`, `rounds/2`, …, up to the first number that is missing or unreadable.
fn past_rounds(
    session: &Path,
    pipeline: &Pipeline,
    digests: &mut DigestCache,
) -> (Vec<PastRound>, Option<Unreadable>) {
    let mut past = Vec::new();
    let first_of_round = pipeline.names()[pipeline.first_stage_of_round];
    let Some(last_stage) = pipeline.stages.last() else {
        return (past, None);
    };
    // Rounds are numbered without gaps, so the first missing number ends the loop.
    for number in 1.. {
        let decision = format!("{ROUNDS}/{number}/{}", pipeline.decision_gate());
        let header = match gate_state(session, last_stage.as_ref(), &decision, digests) {
            GateState::Missing => break,
            GateState::Unreadable(problem) => {
                let stage = first_of_round.to_owned();
                return (past, Some(Unreadable { stage, ..problem }));
            }
            GateState::Made(header) => header,
        };
        let from = match &header.decision {
            Some(Decision::Revise { from }) => from.as_str(),
            // A user may have edited the decision: the round then starts at its first stage.
            _ => first_of_round,
        };
        past.push(PastRound {
            number,
            from: from.to_owned(),
            score: header.score.unwrap_or(0.0),
            digest: digests
                .digest(&decision)
                .ok()
                .flatten()
                // The gate has just been read, so its digest is cached. Should the file vanish in
                // between, this digest matches nothing.
                .unwrap_or_else(|| Digest::of("")),
            decision,
        });
    }
    (past, None)
}

fn present(entries: &Entries<'_>, pipeline: &Pipeline) -> BTreeSet<String> {
    pipeline
        .stages
        .iter()
        .flat_map(|stage| {
            let inner = stage.intermediates().iter().chain(stage.renderings());
            std::iter::once(stage.gate()).chain(inner.copied())
        })
        .chain([ROUNDS, Published::FILE, pipeline.publication])
        .filter(|name| entries.contains(name))
        .map(str::to_owned)
        .collect()
}
