//! Stages, and the pipeline that lists them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use futures::future::BoxFuture;

use super::{
    BestRound, Event, ExternalFile, Header, Manifest, PastRound, Provenance, Publication,
    Published, Recipe, Unreadable, Workspace,
};

/// One stage: a gate, its inputs, and the work that produces it.
///
/// All paths are relative to the session, with `/` between their parts.
pub trait Stage: Send + Sync {
    /// The stage's name, in provenance and on the command line.
    fn name(&self) -> &'static str;

    /// The file that this stage writes last; while it exists and is fresh, the stage does not run.
    fn gate(&self) -> &'static str;

    /// The intermediates: files and directories at the top of the session, upstream first. They
    /// remain when only the gate is made again, and are superseded together with it when an earlier
    /// stage is.
    fn intermediates(&self) -> &'static [&'static str];

    /// The files rendered from the gate alone; a missing one is rendered again.
    fn renderings(&self) -> &'static [&'static str];

    /// The files that the gate is made from, given the rounds that were sent back.
    fn inputs(&self, past: &[PastRound]) -> Vec<String>;

    /// The files outside of the session that the stage reads; `None` if it never reads any. Where
    /// there are such files, [`Manifest::FILE`] is one of the [`inputs`](Self::inputs).
    ///
    /// # Errors
    /// When they cannot be listed.
    fn external_files(&self) -> anyhow::Result<Option<Vec<ExternalFile>>> {
        Ok(None)
    }

    /// What the stage has fetched for the session; `None` if nothing, or it never fetches any.
    fn fetched(&self, _session: &Path) -> Option<Fetched> {
        None
    }

    /// The current recipe of the gate.
    fn recipe(&self) -> Recipe;

    /// Parses a gate of this stage.
    ///
    /// # Errors
    /// When the bytes are not a complete artifact of this stage, with line and column.
    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error>;

    /// Does the work, and writes the gate last.
    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, anyhow::Result<()>>;

    /// The first reference in the gate to something that does not exist, as an edit by hand may
    /// leave it.
    fn dangling(&self, _session: &Path) -> Option<Unreadable> {
        None
    }

    /// `true` if `error`, with which the stage ended, means that the budget or the time of the run
    /// is used up.
    fn is_exhaustion(&self, _error: &anyhow::Error) -> bool {
        false
    }

    /// Writes the renderings from the gate.
    ///
    /// # Errors
    /// When the gate cannot be read or a file cannot be written.
    fn render(&self, _workspace: &Workspace) -> anyhow::Result<()> {
        Ok(())
    }
}

/// The records of what a stage has fetched for a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The files and directories, all among the intermediates.
    pub files: Vec<String>,
    /// The time of the oldest fetch, RFC 3339.
    pub oldest: String,
}

/// Makes the publication, given the best round.
pub type Publish = Box<dyn Fn(&Workspace, &BestRound) -> anyhow::Result<Publication> + Send + Sync>;

/// Stages in order, the last of which judges the round, and the final publication.
pub struct Pipeline {
    /// The stages; each may read the gates of those before it. The last one's gate carries a
    /// [`super::Decision`].
    pub stages: Vec<Box<dyn Stage>>,
    /// The index of the stage at which a round begins. A change before it makes the rounds start
    /// over.
    pub first_stage_of_round: usize,
    /// The maximum number of rounds, at least 1.
    pub max_rounds: u32,
    /// The file that appears when everything is done.
    pub publication: &'static str,
    /// The folders into which the publication and the renderings link: what they link to is copied
    /// beside them when they are superseded.
    pub linked: &'static [&'static str],
    /// Makes the publication.
    pub publish: Publish,
    /// The cache file that keeps the digests of the files outside of the session, for all sessions
    /// that read the same ones.
    pub digests_outside: Option<PathBuf>,
}

impl Pipeline {
    /// The index of the stage of this name.
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

    /// `true` if the first component of a path is a file or directory of this pipeline, which may
    /// be moved.
    pub(super) fn owns(&self, path: &str) -> bool {
        let top = path.split('/').next().unwrap_or(path);
        top == "rounds"
            || top == Published::FILE
            || top == Manifest::FILE
            || top == self.publication
            || self.stages.iter().any(|stage| {
                stage.gate() == top
                    || stage.intermediates().contains(&top)
                    || stage.renderings().contains(&top)
            })
    }
}

// Here rather than in `workspace.rs`, so that the workspace does not depend on stages.
impl Workspace {
    /// The provenance of a gate of `stage` that is made now, from the stage's inputs as this run
    /// read them.
    ///
    /// # Errors
    /// When an input cannot be read.
    pub fn provenance(&self, stage: &dyn Stage) -> anyhow::Result<Provenance> {
        self.provenance_of(stage, &stage.inputs(self.past()))
    }

    /// The provenance of an intermediate of `stage` that is made from the files `names`.
    ///
    /// # Errors
    /// When an input cannot be read.
    pub fn provenance_of(&self, stage: &dyn Stage, names: &[String]) -> anyhow::Result<Provenance> {
        let mut inputs = BTreeMap::new();
        for name in names {
            inputs.insert(name.clone(), self.digest(name)?);
        }
        Ok(Provenance {
            stage: stage.name().to_owned(),
            round: self.round(),
            recipe: stage.recipe(),
            inputs,
        })
    }

    /// Reports the progress of `stage`, or stops it here if the run was interrupted.
    ///
    /// # Errors
    /// [`super::Interrupted`].
    pub fn report_progress(
        &self,
        stage: &dyn Stage,
        message: impl Into<String>,
    ) -> anyhow::Result<()> {
        self.stop_if_interrupted()?;
        self.events.log(Event::Progress {
            stage: stage.name().to_owned(),
            message: message.into(),
        });
        Ok(())
    }
}
