//! The definition of a stage: its facts, and the functions that do its work. The pipeline, the
//! graph, the names of `--from` and `--until` and a session's state are derived from it.

use std::path::Path;

use anyhow::Result;
use futures::future::BoxFuture;
use serde::de::DeserializeOwned;

use super::context::Context;
use super::stage_run::{StageRun, load};
use crate::agent::AgentInfo;
use crate::artifact::session::State;
use crate::pipeline::{Digest, ExternalFile, Fetched, Header, PastRound, Plan, Reason, Workspace};

/// The definition of a stage: a line of the table of stages.
#[derive(Clone, Copy)]
pub struct StageInfo {
    /// The name in provenance, in the graph and on the command line.
    pub name: &'static str,
    /// The file that the stage writes last; its stem is the name of its schema.
    pub gate: &'static str,
    /// The files and directories of the stage's checkpoints at the top of the session.
    pub intermediates: &'static [&'static str],
    /// The files that `render` writes.
    pub renderings: &'static [&'static str],
    /// The agents that the stage uses, in order.
    pub agents: &'static [AgentInfo],
    /// The state of a session in which this is the next open stage.
    pub state: State,
    /// `true` for the stage with which a round begins.
    pub starts_round: bool,
    /// The decisions by which the stage sends a session back; for the last stage alone.
    pub sends_back: &'static [SendsBack],
    /// Returns the files that the gate is made from, given the rounds that were sent back.
    pub inputs: fn(&[PastRound]) -> Vec<String>,
    /// Returns the documents that the stage reads, as [`crate::pipeline::Stage::external_files`].
    pub external_files: fn(&Context) -> Result<Option<Vec<ExternalFile>>>,
    /// Returns what the stage has fetched, as [`crate::pipeline::Stage::fetched`].
    pub fetched: fn(&Path) -> Option<Fetched>,
    /// Returns the digest of the settings that the gate depends on.
    pub configuration: fn(&Context) -> Digest,
    /// Parses a gate. For a stage that decides nothing this is [`super::header`] with the type of
    /// its artifact.
    pub check: fn(&[u8]) -> Result<Header, serde_json::Error>,
    /// Does the work and writes the gate, and nothing after the gate.
    pub run: for<'a> fn(StageRun<'a>) -> BoxFuture<'a, Result<()>>,
    /// Writes the renderings from the gate.
    pub render: fn(&Workspace) -> Result<()>,
}

impl StageInfo {
    /// Reads the gate that this stage wrote in the current round.
    pub(super) fn read_gate<T: DeserializeOwned>(&self, workspace: &Workspace) -> Result<T> {
        load(workspace, self.name, self.gate)
    }

    /// `true` if the session at `path` has any checkpoint of this stage.
    fn has_checkpoints(&self, path: &Path) -> bool {
        let mut names = self.intermediates.iter();
        names.any(|name| path.join(name).exists())
    }
}

/// A decision that sends a session back to an earlier stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendsBack {
    /// The stage from which work is done again.
    pub to: &'static str,
    /// The decision, as the graph labels it.
    pub when: &'static str,
}

/// An edge of the graph of stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The stage that is done first.
    pub from: &'static str,
    /// The stage after it, or [`COMPLETE`].
    pub to: &'static str,
    /// The condition; empty if there is none.
    pub when: &'static str,
}

/// The node of the graph at which a session is published.
pub const COMPLETE: &str = "complete";

/// Returns the names of these stages, in order.
pub fn names(stages: &[StageInfo]) -> Vec<&'static str> {
    stages.iter().map(|stage| stage.name).collect()
}

/// Returns the edges of the graph: from each stage to the next, the decisions of the last stage,
/// and the edge to [`COMPLETE`].
///
/// The edges show the order of work, not every file that is read: a stage may read the gates of all
/// stages before it, so its inputs add only edges that the chain implies (the transitive reduction
/// of a total order is its chain).
pub fn edges(stages: &[StageInfo]) -> Vec<Edge> {
    let chain = stages.windows(2).map(|pair| Edge {
        from: pair[0].name,
        to: pair[1].name,
        when: "",
    });
    let decisions = stages.last().into_iter().flat_map(|last| {
        let back = last.sends_back.iter().map(|back| Edge {
            from: last.name,
            to: back.to,
            when: back.when,
        });
        back.chain(std::iter::once(Edge {
            from: last.name,
            to: COMPLETE,
            when: "accept, settle or no round left",
        }))
    });
    chain.chain(decisions).collect()
}

/// Returns the state of the session at `path`, from its files and the plan of what is open. A
/// failed run does not show here: only the event log records it.
pub fn state(stages: &[StageInfo], path: &Path, plan: &Plan) -> State {
    if plan.complete {
        return State::Complete;
    }
    let open = plan.stages.iter().find(|line| line.reason != Reason::Fresh);
    let open = open.and_then(|line| stages.iter().position(|stage| stage.name == line.stage));
    match open.map(|index| (index, &stages[index])) {
        // Without any checkpoint of the first stage, no run has begun the work.
        Some((0, first)) if !first.has_checkpoints(path) => State::Pending,
        Some((_, stage)) => stage.state,
        // Every gate is fresh, and the publication or the next round is still to come.
        None => stages.last().map_or(State::Pending, |last| last.state),
    }
}
