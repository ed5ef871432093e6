//! A run of a stage: writes its gate and its checkpoints, and asks agents.
//!
//! A checkpoint is a file of intermediate work with the digests of its inputs. It is reused while
//! these are unchanged, so that crash recovery repeats nothing that was finished; a stale
//! checkpoint is superseded and made again.

use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::Context;
use crate::agent::ModelAgent;
use crate::artifact::{self, Artifact, Session};
use crate::pipeline::{Event, Header, Stage, Unreadable, Workspace};

/// The file that every session begins with: the topic and the options of the session.
pub(super) const SESSION: &str = Session::FILE;

/// A run of a stage over a session.
#[derive(Clone, Copy)]
pub struct StageRun<'a> {
    /// The stage.
    pub stage: &'a dyn Stage,
    /// The dependencies of the stages.
    pub context: &'a Context,
    /// The session's files.
    pub workspace: &'a Workspace,
}

impl<'a> StageRun<'a> {
    /// Reports an event, and stops here if the run was interrupted.
    ///
    /// # Errors
    /// [`crate::pipeline::Interrupted`].
    pub fn report(&self, event: Event) -> Result<()> {
        self.workspace.stop_if_interrupted()?;
        self.workspace.log(event);
        Ok(())
    }

    /// Reports progress that no other event says, and stops here if the run was interrupted.
    ///
    /// # Errors
    /// [`crate::pipeline::Interrupted`].
    pub fn progress(&self, message: impl Into<String>) -> Result<()> {
        self.workspace.report_progress(self.stage, message)
    }

    /// The workspace, and the moment at which the time for reading documents ends.
    pub(super) fn until(&self) -> (&'a Workspace, Option<Instant>) {
        (self.workspace, self.context.backend.gathering_deadline())
    }

    /// Asks an agent.
    ///
    /// # Errors
    /// When a model fails for good, or the budget is used up.
    pub async fn ask<A: ModelAgent>(&self, input: &A::Input) -> Result<A::Output> {
        self.context
            .backend
            .ask::<A>(self.workspace, self.stage, input)
            .await
    }

    /// Writes the stage's gate.
    ///
    /// # Errors
    /// When it cannot be written, or an input cannot be read.
    pub fn write_gate<T: Serialize>(&self, content: T) -> Result<()> {
        let provenance = self.workspace.provenance(self.stage)?;
        let artifact = Artifact::new(provenance, self.workspace.now(), content);
        self.workspace
            .write(self.stage.gate(), &artifact::to_bytes(&artifact)?)
    }

    /// Returns the content of a fresh checkpoint, else makes it from `inputs` and writes it.
    ///
    /// # Errors
    /// When `make` fails, or a file cannot be read or written.
    pub async fn checkpoint<T, F>(&self, name: &str, inputs: &[String], make: F) -> Result<T>
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

    /// Returns the content of a checkpoint, if it exists and is fresh; supersedes a stale one.
    ///
    /// # Errors
    /// When it cannot be read or parsed.
    pub fn read_checkpoint<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let Some(bytes) = self.workspace.read(name)? else {
            return Ok(None);
        };
        // An unreadable checkpoint is an error, never a cache miss: it may be a user's edit with
        // a syntax error in it.
        let artifact: Artifact<T> =
            artifact::parse(&bytes).map_err(|error| self.unreadable(name, &error))?;
        if self.workspace.is_fresh(&artifact.provenance)? {
            return Ok(Some(artifact.content));
        }
        // Superseded, not deleted: it may have cost money.
        self.workspace
            .supersede(name, &format!("{name}: what it was made from has changed"))?;
        Ok(None)
    }

    /// Writes a checkpoint that was made from `inputs`.
    ///
    /// # Errors
    /// When it cannot be written, or an input cannot be read.
    pub fn write_checkpoint<T: Serialize>(
        &self,
        name: &str,
        inputs: &[String],
        content: &T,
    ) -> Result<()> {
        let provenance = self.workspace.provenance_of(self.stage, inputs)?;
        let artifact = Artifact::new(provenance, self.workspace.now(), content);
        self.workspace.write(name, &artifact::to_bytes(&artifact)?)
    }

    /// The error for a file of this stage that cannot be parsed.
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

/// Parses a gate that holds no decision.
///
/// # Errors
/// When the bytes are not a complete artifact with this content.
pub fn header<T: DeserializeOwned>(bytes: &[u8]) -> Result<Header, serde_json::Error> {
    let artifact: Artifact<T> = artifact::parse(bytes)?;
    Ok(Header {
        provenance: artifact.provenance,
        decision: None,
        score: None,
    })
}
