//! Does what [`plan()`] says, one thing at a time, and looks again after each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};

use super::plan::{Next, Plan, Request, plan};
use super::supersede::{self, MoveIntent};
use super::{
    BestRound, Clock, DigestCache, Disk, Event, EventLog, Lock, Pipeline, Published, Reporter,
    Snapshot, Workspace,
};

/// The person, or the system, asked the run to stop. Everything gathered is kept.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; everything so far is kept")]
pub struct Interrupted;

/// A stage cannot go on before a person has done something. Everything gathered is kept.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InputRequired(pub String);

/// How a run ended that did not fail.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How many things were done: 0 when there was nothing to do.
    pub done: usize,
    /// Whether the publication is there and everything is fresh.
    pub complete: bool,
    /// The round that is published or being made.
    pub round: u32,
    /// The best round, once the last stage has decided for good.
    pub best: Option<BestRound>,
    /// The last plan, in which nothing is left to do.
    pub plan: Plan,
}

/// Runs pipelines. Holds what a run needs besides the session.
#[derive(Clone, Default)]
pub struct Engine {
    /// The writer.
    pub disk: Disk,
    /// The clock.
    pub clock: Clock,
    /// Who else sees the events.
    pub reporter: Option<Reporter>,
    /// Set when the run should stop at the next opportunity.
    pub interrupted: Arc<AtomicBool>,
    /// Whether to wait for a session that another process holds.
    pub wait: bool,
}

impl Engine {
    /// What would happen in `session`. Writes nothing and needs no lock.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn plan(&self, session: &Path, pipeline: &Pipeline, request: &Request) -> Result<Plan> {
        Ok(self.plan_with_dependencies(session, pipeline, request)?.0)
    }

    /// The same, and the files by whose hashes it was decided.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn plan_with_dependencies(
        &self,
        session: &Path,
        pipeline: &Pipeline,
        request: &Request,
    ) -> Result<(Plan, BTreeSet<String>)> {
        let snapshot = Snapshot::read(session, pipeline, &mut DigestCache::load(session))?;
        let plan = plan(pipeline, &snapshot, request);
        let gates = pipeline.stages.iter().map(|stage| stage.gate().to_owned());
        let past = snapshot.past.into_iter().map(|round| round.decision);
        let files = gates.chain(past).chain(snapshot.inputs.into_keys());
        Ok((plan, files.collect()))
    }

    /// Does everything that is to be done in `session`.
    ///
    /// # Errors
    /// [`super::Busy`] when another process holds the session, [`super::Unreadable`] for a broken
    /// gate, [`Interrupted`], or what a stage failed with. What was complete by then stays.
    pub async fn run(
        &self,
        session: &Path,
        pipeline: &Pipeline,
        request: &Request,
    ) -> Result<Outcome> {
        let since = self.clock.timestamp();
        let interrupted = || self.interrupted.load(Ordering::SeqCst);
        let _lock = match self.wait {
            false => Lock::acquire(session, false, &since)?,
            true => Lock::acquire_or_give_up(session, &since, interrupted)?.ok_or(Interrupted)?,
        };
        let mut run = Run {
            engine: self,
            session,
            pipeline,
            events: EventLog::new(
                session,
                self.disk.clone(),
                self.clock,
                self.reporter.clone(),
            ),
            digests: DigestCache::load(session),
        };
        let ended = run.all(request.clone()).await;
        run.digests.save(&self.disk);
        ended
    }
}

struct Run<'a> {
    engine: &'a Engine,
    session: &'a Path,
    pipeline: &'a Pipeline,
    events: EventLog,
    digests: DigestCache,
}

impl Run<'_> {
    async fn all(&mut self, mut request: Request) -> Result<Outcome> {
        let mut done = 0;
        loop {
            let snapshot = Snapshot::read(self.session, self.pipeline, &mut self.digests)?;
            let plan = plan(self.pipeline, &snapshot, &request);
            if plan.next == Next::Nothing {
                return Ok(self.finish(done, plan));
            }
            if done == 0 {
                self.start()?;
            }
            self.step(&snapshot, &plan).await?;
            if matches!(plan.next, Next::Supersede { .. } | Next::RunStage(_)) {
                // What was asked for has been set in motion; from here on the files say what is
                // missing.
                request.from = None;
                request.refresh = false;
            }
            done += 1;
            if done > self.most() {
                bail!(
                    "{} is never done: after {done} things, {:?} would be next; a stage writes what is stale at once",
                    self.session.display(),
                    plan.next
                );
            }
        }
    }

    /// More things than any run of sound stages can have to do: in each round a stage is moved
    /// aside, made and rendered once, and a person may edit a few things meanwhile.
    fn most(&self) -> usize {
        let rounds = usize::try_from(self.pipeline.max_rounds).unwrap_or(usize::MAX);
        rounds
            .saturating_add(2)
            .saturating_mul(4 * (self.pipeline.stages.len() + 2))
    }

    fn start(&self) -> Result<()> {
        self.engine.disk.remove_leftovers(self.session)?;
        self.events.repair();
        self.events.log(Event::RunStarted {
            pid: std::process::id(),
        });
        Ok(())
    }

    fn finish(&self, done: usize, plan: Plan) -> Outcome {
        if done > 0 {
            self.events.log(Event::RunFinished);
        }
        Outcome {
            done,
            complete: plan.complete,
            round: plan.best.as_ref().map_or(plan.round, |best| best.round),
            best: plan.best.clone(),
            plan,
        }
    }

    /// Logs how a stage stopped, and says which one failed. What cannot be logged must not hide
    /// what happened.
    fn stopped(&self, stage: &str, error: anyhow::Error) -> anyhow::Error {
        let stage_name = stage.to_owned();
        if error.is::<Interrupted>() {
            self.events.log(Event::Interrupted);
            return error;
        }
        if error.is::<InputRequired>() {
            self.events.log(Event::StageWaits {
                stage: stage_name,
                message: error.to_string(),
            });
            return error;
        }
        self.events.log(Event::StageFailed {
            stage: stage_name,
            problem: format!("{error:#}"),
        });
        error.context(format!("stage {stage} failed"))
    }

    async fn step(&mut self, snapshot: &Snapshot, plan: &Plan) -> Result<()> {
        if self.engine.interrupted.load(Ordering::SeqCst) {
            self.events.log(Event::Interrupted);
            return Err(Interrupted.into());
        }
        match &plan.next {
            Next::FinishMove(aside) => self.move_aside(aside, MoveIntent::finish),
            Next::Supersede { files, reason } => {
                let to = supersede::next_superseded(self.session);
                self.move_aside(
                    &MoveIntent::new(to, reason.clone(), files.clone()),
                    MoveIntent::begin,
                )
            }
            Next::SendBack {
                round,
                files,
                reason,
            } => {
                let to = format!("rounds/{round}");
                self.move_aside(
                    &MoveIntent::new(to, reason.clone(), files.clone()),
                    MoveIntent::begin,
                )
            }
            Next::RunStage(place) => self.make(*place, snapshot, plan).await,
            Next::Render(place) => self.pipeline.stages[*place].render(&self.workspace(snapshot)),
            Next::Publish(best) => self.publish(best, snapshot),
            Next::Stop(problem) => Err(problem.clone().into()),
            Next::Nothing => Ok(()),
        }
    }

    fn move_aside(
        &self,
        aside: &MoveIntent,
        how: impl Fn(&MoveIntent, &Path, &Disk) -> Result<()>,
    ) -> Result<()> {
        how(aside, self.session, &self.engine.disk)?;
        self.events.log(Event::Superseded {
            to: aside.to.clone(),
            reason: aside.reason.clone(),
            files: aside.files.clone(),
        });
        Ok(())
    }

    async fn make(&mut self, place: usize, snapshot: &Snapshot, plan: &Plan) -> Result<()> {
        let stage = &self.pipeline.stages[place];
        let (name, round) = (stage.name().to_owned(), plan.round);
        self.events.log(Event::StageStarted {
            stage: name.clone(),
            round,
            reason: plan.stages[place].reason.to_string(),
        });
        let workspace = self.workspace(snapshot);
        if let Err(error) = stage.run(&workspace).await {
            return Err(self.stopped(&name, error));
        }
        // Looked at as a gate, so that it is read once for its hash, its check and the next plan.
        let gate = stage.gate();
        self.digests.header(gate, |bytes| stage.check(bytes))?;
        let written = self.digests.digest(gate)?;
        let digest = written.with_context(|| format!("stage {name} wrote no {gate}"))?;
        self.events.log(Event::StageFinished {
            stage: name,
            round,
            digest,
        });
        Ok(())
    }

    fn publish(&self, best: &BestRound, snapshot: &Snapshot) -> Result<()> {
        let workspace = self.workspace(snapshot);
        let mut record = serde_json::to_vec_pretty(&best.published())?;
        record.push(b'\n');
        workspace.write(Published::NAME, &record)?;
        (self.pipeline.publish)(&workspace, best)?;
        self.events.log(Event::Published {
            file: self.pipeline.publication.to_owned(),
            round: best.round,
            below_threshold: best.below_threshold,
        });
        Ok(())
    }

    fn workspace(&self, snapshot: &Snapshot) -> Workspace {
        Workspace {
            root: self.session.to_owned(),
            disk: self.engine.disk.clone(),
            clock: self.engine.clock,
            events: self.events.clone(),
            interrupted: self.engine.interrupted.clone(),
            past: snapshot.past.clone(),
            read: Mutex::new(BTreeMap::new()),
        }
    }
}
