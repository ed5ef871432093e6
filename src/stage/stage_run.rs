//! A run of one stage: reading gates, writing checkpoints, asking agents.
//!
//! A checkpoint is a file of inner work with the digests of what it was made from. It is reused
//! while these are unchanged, so that crash recovery repeats nothing that was finished; a stale one
//! is set aside and made again.

use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::Context;
use super::definition::StageInfo;
use crate::agent::ModelAgent;
use crate::artifact::{self, Artifact};
use crate::pipeline::{Decision, Header, Stage, Unreadable, Workspace};

/// The file with what was asked, which every session begins with.
pub(super) const SESSION: &str = "session.json";

/// A run of one stage over a session.
#[derive(Clone, Copy)]
pub(super) struct StageRun<'a> {
    /// The stage.
    pub(super) stage: &'a dyn Stage,
    /// The dependencies of the stages.
    pub(super) context: &'a Context,
    /// The session's files.
    pub(super) workspace: &'a Workspace,
}

impl<'a> StageRun<'a> {
    /// A run of a stage over a session.
    pub(super) fn new(
        stage: &'a dyn Stage,
        context: &'a Context,
        workspace: &'a Workspace,
    ) -> Self {
        Self {
            stage,
            context,
            workspace,
        }
    }

    /// Reports progress, and stops here if the run was interrupted.
    pub(super) fn progress(&self, message: impl Into<String>) -> Result<()> {
        self.workspace.report_progress(self.stage, message)
    }

    /// Asks an agent.
    pub(super) async fn ask<A: ModelAgent>(&self, input: &A::Input) -> Result<A::Output> {
        self.context
            .backend
            .ask::<A>(self.workspace, self.stage, input)
            .await
    }

    /// Reads the gate of an earlier stage.
    pub(super) fn load_gate<T: DeserializeOwned>(&self, stage: &StageInfo) -> Result<T> {
        load(self.workspace, stage.name, stage.gate)
    }

    /// Writes the stage's gate.
    pub(super) fn write_gate<T: Serialize>(&self, content: T) -> Result<()> {
        let provenance = self.workspace.provenance(self.stage)?;
        let artifact = Artifact::new(provenance, self.workspace.now(), content);
        self.workspace
            .write(self.stage.gate(), &artifact::to_bytes(&artifact)?)
    }

    /// Returns the content of a fresh checkpoint, else makes it from `inputs` and writes it.
    pub(super) async fn checkpoint<T, F>(&self, name: &str, inputs: &[String], make: F) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        F: AsyncFnOnce() -> Result<T>,
    {
        if let Some(content) = self.read_checkpoint(name)? {
            return Ok(content);
        }
        let content = make().await?;
        self.write_checkpoint(name, inputs, &content)?;
        Ok(content)
    }

    /// Returns the content of a checkpoint, if it is there and fresh; sets a stale one aside.
    pub(super) fn read_checkpoint<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let Some(bytes) = self.workspace.read(name)? else {
            return Ok(None);
        };
        // An unreadable checkpoint is an error, never a cache miss: it may be a person's edit with
        // a slip in it.
        let artifact: Artifact<T> =
            artifact::parse(&bytes).map_err(|error| self.unreadable(name, &error))?;
        if self.workspace.is_fresh(&artifact.provenance)? {
            return Ok(Some(artifact.content));
        }
        // Set aside, not deleted: it may have cost money.
        self.workspace
            .supersede(name, &format!("{name}: what it was made from has changed"))?;
        Ok(None)
    }

    /// Writes a checkpoint that was made from `inputs`.
    pub(super) fn write_checkpoint<T: Serialize>(
        &self,
        name: &str,
        inputs: &[String],
        content: &T,
    ) -> Result<()> {
        let provenance = self.workspace.provenance_of(self.stage, inputs)?;
        let artifact = Artifact::new(provenance, self.workspace.now(), content);
        self.workspace.write(name, &artifact::to_bytes(&artifact)?)
    }

    /// The error for a file of this stage that is not what it should be.
    pub(super) fn unreadable(&self, name: &str, error: &serde_json::Error) -> Unreadable {
        Unreadable::new(self.workspace.root().join(name), self.stage.name(), error)
    }
}

/// Reads the content of a file that the stage of this name wrote.
pub(super) fn load<T: DeserializeOwned>(
    workspace: &Workspace,
    stage: &str,
    name: &str,
) -> Result<T> {
    let bytes = workspace.read_required(name)?;
    let artifact: Artifact<T> = artifact::parse(&bytes)
        .map_err(|error| Unreadable::new(workspace.root().join(name), stage, &error))?;
    Ok(artifact.content)
}

/// Reads a gate's header for the engine: its provenance, and the decision and score it holds.
pub(super) fn header<T: DeserializeOwned>(
    bytes: &[u8],
    judgement: impl Fn(&T) -> (Option<Decision>, Option<f64>),
) -> Result<Header, serde_json::Error> {
    let artifact: Artifact<T> = artifact::parse(bytes)?;
    let (decision, score) = judgement(&artifact.content);
    Ok(Header {
        provenance: artifact.provenance,
        decision,
        score,
    })
}
