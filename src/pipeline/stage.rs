//! What the engine asks of a stage, and the list of them.

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::{Digest, Header, PastRound, Recipe, Version, Workspace};

/// One stage: a gate, what it is made from, and how.
///
/// All paths are relative to the session, with `/` between their parts.
pub trait Stage: Send + Sync {
    /// The stage's name, as it stands in provenance and on the command line.
    fn name(&self) -> &'static str;

    /// The file that this stage writes last, whole; while it exists and is fresh the stage does not
    /// run.
    fn gate(&self) -> &'static str;

    /// Files and directories at the top of the session that hold inner work, upstream first. They
    /// are kept when only the gate is remade, and moved aside with it when a stage before this one
    /// is.
    fn intermediates(&self) -> &'static [&'static str];

    /// Files rendered from the gate alone; one that is missing is rendered again.
    fn renderings(&self) -> &'static [&'static str];

    /// The files that the gate is made from, given the rounds that were sent back.
    fn inputs(&self, past: &[PastRound]) -> Vec<String>;

    /// What it would be made by now.
    fn recipe(&self) -> Recipe;

    /// Reads a gate of this stage.
    ///
    /// # Errors
    /// When the bytes are not a complete artifact of this stage, with line and column.
    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error>;

    /// Does the work and writes the gate, and nothing after the gate.
    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, anyhow::Result<()>>;

    /// Writes the renderings from the gate.
    ///
    /// # Errors
    /// When the gate cannot be read or a file not be written.
    fn render(&self, _workspace: &Workspace) -> anyhow::Result<()> {
        Ok(())
    }
}

/// The round whose work is published.
#[derive(Debug, Clone, PartialEq)]
pub struct BestRound {
    /// Its number, from 1.
    pub round: u32,
    /// Where its files are, relative to the session: empty for the current round, else `rounds/N/`.
    pub directory: String,
    /// Hash of the file that decided on it.
    pub decision: Digest,
    /// Whether no round reached the threshold.
    pub below_threshold: bool,
}

impl BestRound {
    /// What is written down when it is published.
    pub(super) fn published(&self) -> Published {
        Published {
            version: Version,
            round: self.round,
            below_threshold: self.below_threshold,
            decision: self.decision.clone(),
        }
    }
}

/// What was published, written beside the publication: when it no longer holds, the publication is
/// made again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The version of this shape.
    pub version: Version<1>,
    /// The round.
    pub round: u32,
    /// Whether no round reached the threshold.
    pub below_threshold: bool,
    /// Hash of the file that decided on that round.
    pub decision: Digest,
}

impl Published {
    /// Where it is kept in the session.
    pub(super) const NAME: &str = "published.json";
}

/// What writes the publication, given the best round.
pub type Publish = Box<dyn Fn(&Workspace, &BestRound) -> anyhow::Result<()> + Send + Sync>;

/// Stages in order, the last of which judges the round, and what is published in the end.
pub struct Pipeline {
    /// In order; each may read the gates of those before it. The last one's gate carries a
    /// [`super::Decision`].
    pub stages: Vec<Box<dyn Stage>>,
    /// The stage at which a round begins, by its place in `stages`. What changes before it starts
    /// the rounds afresh.
    pub first_stage_of_round: usize,
    /// How many rounds at most, at least 1.
    pub max_rounds: u32,
    /// The file that appears when everything is done.
    pub publication: &'static str,
    /// Writes it.
    pub publish: Publish,
}

impl Pipeline {
    /// The place of the stage of this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.stages.iter().position(|stage| stage.name() == name)
    }

    /// The names of the stages, in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.stages.iter().map(|stage| stage.name()).collect()
    }

    /// The gate of the last stage, which holds the decision.
    pub(super) fn decision_gate(&self) -> &'static str {
        self.stages.last().map_or("", |stage| stage.gate())
    }

    /// Whether a path's first part is something that this pipeline makes, and so may move.
    pub(super) fn makes(&self, path: &str) -> bool {
        let top = path.split('/').next().unwrap_or(path);
        top == "rounds"
            || top == Published::NAME
            || top == self.publication
            || self.stages.iter().any(|stage| {
                stage.gate() == top
                    || stage.intermediates().contains(&top)
                    || stage.renderings().contains(&top)
            })
    }
}
