//! A stage of the table, bound to the context of a run: this is what the engine carries out.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use anyhow::{Error, Result};
use futures::future::BoxFuture;

use super::context::Context;
use super::definition::StageInfo;
use super::references::dangling;
use super::stage_run::StageRun;
use crate::model::BudgetExhausted;
use crate::pipeline::{
    ExternalFile, Fetched, Header, PastRound, Recipe, Stage, Unreadable, Workspace,
};
use crate::web::WebError;

/// The definition of a stage and the context that it works with.
pub(super) struct BoundStage {
    pub(super) info: StageInfo,
    pub(super) context: Arc<Context>,
    /// The recipe of its gate: digests of prompts and settings, which a run does not change.
    pub(super) recipe: OnceLock<Recipe>,
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

    fn fetched(&self, session: &Path) -> Option<Fetched> {
        (self.info.fetched)(session)
    }

    fn recipe(&self) -> Recipe {
        let recipe = self.recipe.get_or_init(|| {
            let configuration = (self.info.configuration)(&self.context);
            self.context.backend.recipe(self.info.agents, configuration)
        });
        recipe.clone()
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

    fn dangling(&self, session: &Path) -> Option<Unreadable> {
        dangling(session, self.info.name, self.info.gate)
    }

    fn is_exhaustion(&self, error: &Error) -> bool {
        is_exhaustion(error)
    }

    fn render(&self, workspace: &Workspace) -> Result<()> {
        (self.info.render)(workspace)
    }
}

/// `true` if `error` means that the budget or the time of a run is used up.
pub fn is_exhaustion(error: &Error) -> bool {
    let is_out_of_time = |error| matches!(error, &WebError::OutOfTime { .. });
    error.is::<BudgetExhausted>() || error.downcast_ref().is_some_and(is_out_of_time)
}
