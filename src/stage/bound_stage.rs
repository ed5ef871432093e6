//! A stage of the table, bound to the context of a run: this is what the engine carries out.

use std::sync::Arc;

use anyhow::Result;
use futures::future::BoxFuture;

use super::context::Context;
use super::definition::StageInfo;
use super::stage_run::StageRun;
use crate::pipeline::{ExternalFile, Header, PastRound, Recipe, Stage, Workspace};

/// The definition of a stage and the context that it works with.
pub(super) struct BoundStage {
    pub(super) info: StageInfo,
    pub(super) context: Arc<Context>,
}

impl Stage for BoundStage {
    fn name(&self) -> &'static str {
        self.info.name
    }

    fn gate(&self) -> &'static str {
        self.info.gate
    }

    fn intermediates(&self) -> &'static [&'static str] {
        self.info.intermediates
    }

    fn renderings(&self) -> &'static [&'static str] {
        self.info.renderings
    }

    fn inputs(&self, past: &[PastRound]) -> Vec<String> {
        (self.info.inputs)(past)
    }

    fn external_files(&self) -> Result<Option<Vec<ExternalFile>>> {
        (self.info.external_files)(&self.context)
    }

    fn recipe(&self) -> Recipe {
        let configuration = (self.info.configuration)(&self.context);
        self.context.backend.recipe(self.info.agents, configuration)
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        (self.info.check)(bytes)
    }

    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, Result<()>> {
        (self.info.run)(StageRun {
            stage: self,
            context: &self.context,
            workspace,
        })
    }

    fn render(&self, workspace: &Workspace) -> Result<()> {
        (self.info.render)(workspace)
    }
}
