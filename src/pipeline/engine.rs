//! The engine loop: takes the next action of the [`plan()`], then plans again, until nothing is
//! left to do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use tracing::Instrument as _;

use super::look::Looks;
use super::plan::{Next, Plan, Reason, Request, plan};
use super::supersede::{self, MoveIntent};
use super::{
    BestRound, Clock, Digest, DigestCache, Disk, Event, EventLog, ExternalDigests, InputRequired,
    Interrupted, Lock, Manifest, Pipeline, Published, Reporter, RunOptions, Snapshot, Stage,
    Unreadable, Workspace,
};

/// The end of a run that did not fail.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The number of actions taken: 0 when there was nothing to do.
    pub actions: usize,
    /// `true` if the publication exists and everything is fresh.
    pub complete: bool,
    /// The round that is published or being made.
    pub round: u32,
    /// The best round, once the last stage has made its final decision.
    pub best: Option<BestRound>,
    /// The last plan, in which nothing is left to do.
    pub plan: Plan,
}

/// Runs pipelines. Holds everything that a run needs besides the session.
#[derive(Default)]
pub struct Engine {
    /// The writer.
    pub disk: Disk,
    /// The clock.
    pub clock: Clock,
    /// The reporter, which receives each event in addition to the event log.
    pub reporter: Option<Reporter>,
    /// Set this to stop the run at the next opportunity.
    pub interrupted: Arc<AtomicBool>,
    /// The digests of files outside of the sessions, shared with other runs.
    pub external: ExternalDigests,
    /// `true` to wait while another process has the session locked.
    pub wait: bool,
    /// The lock of the session, if whoever made it holds it already.
    pub lock: Option<Lock>,
    /// The options that the log records, for the command that resumes the session.
    pub options: RunOptions,
}

impl Engine {
    /// The plan for `session`. Writes nothing and needs no lock.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn plan(&self, session: &Path, pipeline: &Pipeline, request: &Request) -> Result<Plan> {
        Ok(self.plan_with_dependencies(session, pipeline, request)?.0)
    }

    /// The plan, and the files whose digests it was derived from.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn plan_with_dependencies(
        &self,
        session: &Path,
        pipeline: &Pipeline,
        request: &Request,
    ) -> Result<(Plan, BTreeSet<String>)> {
        let mut digests = DigestCache::load(session).sharing(&self.external);
        let mut snapshot = Snapshot::read(session, pipeline, &mut digests)?;
        if request.fetched_since.is_some() {
            snapshot = snapshot.with_fetched(session, pipeline);
        }
        let plan = checked(session, pipeline, plan(pipeline, &snapshot, request));
        let gates = pipeline.stages.iter().map(|stage| stage.gate().to_owned());
        let past = snapshot.past.into_iter().map(|round| round.decision);
        let files = gates.chain(past).chain(snapshot.inputs.into_keys());
        Ok((plan, files.collect()))
    }

    /// Runs everything that remains to be done in `session`.
    ///
    /// # Errors
    /// [`super::Busy`] when another process has the session locked, [`super::Unreadable`] for a
    /// broken gate, [`Interrupted`], or the error of a stage. Artifacts completed before remain.
    pub async fn run(
        &self,
        session: &Path,
        pipeline: &Pipeline,
        request: &Request,
    ) -> Result<Outcome> {
        // Named, since `_` alone would release the lock at once; it is released when the run ends.
        let _lock = match self.lock {
            Some(_) => None,
            None => Some(self.acquire(session)?),
        };
        if let Some(replica) = self.disk.replica() {
            replica.claim()?;
        }
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
            digests: DigestCache::load(session)
                .sharing(&self.external)
                .with_shared_file(pipeline.digests_outside.clone()),
            looks: Looks::default(),
            frozen: request.frozen,
        };
        let ended = run.run(request.clone()).await;
        // Saved even if the run failed: the digests of the files that it has read stay valid.
        run.digests.save(&self.disk);
        // Also after a failure: who goes on elsewhere then has the events of this run.
        let finished = self.disk.replica().map_or(Ok(()), |own| own.finish());
        ended.and_then(|outcome| finished.map(|()| outcome))
    }

    /// Acquires the lock of `session`, if need be after waiting for it.
    fn acquire(&self, session: &Path) -> Result<Lock> {
        let since = self.clock.timestamp();
        let interrupted = || self.interrupted.load(Ordering::SeqCst);
        if self.wait {
            Ok(Lock::acquire_or_give_up(session, &since, interrupted)?.ok_or(Interrupted)?)
        } else {
            Lock::acquire(session, false, &since)
        }
    }
}

/// One run over one session, under its lock.
struct Run<'a> {
    engine: &'a Engine,
    session: &'a Path,
    pipeline: &'a Pipeline,
    events: EventLog,
    digests: DigestCache,
    looks: Looks,
    /// `true` if the files outside of the session count as unchanged.
    frozen: bool,
}

impl Run<'_> {
    async fn run(&mut self, mut request: Request) -> Result<Outcome> {
        // Approach: read all files, plan, take one action, and begin again. Reading everything anew
        // costs a stat call per file, since the digest cache knows the rest; in exchange, no state
        // in memory can disagree with the files, a user may edit them during the run, and crash
        // recovery takes the same path as a normal run. Only of the files outside of the session,
        // which may be many, a plan may know what a recent one saw, and then is not the last.
        let mut actions = 0;
        loop {
            let begun = Instant::now();
            let mut snapshot = Snapshot::read_with(
                self.session,
                self.pipeline,
                &mut self.digests,
                &mut self.looks,
            )?;
            if request.fetched_since.is_some() {
                snapshot = snapshot.with_fetched(self.session, self.pipeline);
            }
            let plan = plan(self.pipeline, &snapshot, &request);
            let plan = checked(self.session, self.pipeline, plan);
            trace_decisions(&plan);
            if plan.next == Next::Nothing {
                if self.looks.forget_before(begun) {
                    continue;
                }
                return Ok(self.finish(actions, plan));
            }
            // Before the first event: a file that cannot be read is no run that died.
            if let Next::Stop(problem) = &plan.next {
                return Err(problem.clone().into());
            }
            if plan.next == Next::DocumentsGone {
                bail!(
                    "none of the documents that {} was made from is left; bring them back, or \
                     name others in a new session (--frozen goes on with what was read of them)",
                    self.session.display()
                );
            }
            if actions == 0 {
                self.start()?;
            }
            self.take(&snapshot, &plan).await?;
            if matches!(plan.next, Next::Supersede { .. } | Next::RunStage(_)) {
                // `--from` and `--refresh` have taken effect: from here on, the missing files show
                // what is left to do. Applied again, they would supersede the new gates too.
                request.from = None;
                request.refresh = false;
            }
            actions += 1;
            if actions > self.max_steps() {
                bail!(
                    "{} did not finish after {actions} actions; {:?} would be next: \
                     a stage writes a gate that is stale at once",
                    self.session.display(),
                    plan.next
                );
            }
        }
    }

    /// An upper bound of the actions of a run, unless a stage has a bug: in each round a stage is
    /// superseded, run and rendered once. The factors 4 and + 2 (chosen by hand) leave room for a
    /// user's edits.
    fn max_steps(&self) -> usize {
        let rounds = usize::try_from(self.pipeline.max_rounds).unwrap_or(usize::MAX);
        rounds
            .saturating_add(2)
            .saturating_mul(4 * (self.pipeline.stages.len() + 2))
    }

    /// Crash recovery, and the first event. A run with nothing to do skips this, and so writes
    /// nothing.
    fn start(&self) -> Result<()> {
        self.engine.disk.remove_leftovers(self.session)?;
        self.events.repair();
        self.events.log(Event::RunStarted {
            pid: std::process::id(),
            options: self.engine.options.clone(),
        });
        Ok(())
    }

    fn finish(&self, actions: usize, plan: Plan) -> Outcome {
        if actions > 0 {
            self.events.log(Event::RunFinished);
        }
        Outcome {
            actions,
            complete: plan.complete,
            round: plan.best.as_ref().map_or(plan.round, |best| best.round),
            best: plan.best.clone(),
            plan,
        }
    }

    /// Takes the next action of the plan.
    async fn take(&mut self, snapshot: &Snapshot, plan: &Plan) -> Result<()> {
        if self.engine.interrupted.load(Ordering::SeqCst) {
            self.events.log(Event::Interrupted);
            return Err(Interrupted.into());
        }
        match &plan.next {
            Next::FinishMove(intent) => self.supersede(intent, MoveIntent::finish),
            Next::Supersede { files, reason } => {
                let to = supersede::next_superseded(self.session);
                let intent = MoveIntent::new(to, reason.clone(), files.clone());
                self.supersede(&intent, MoveIntent::begin)
            }
            Next::SendBack {
                round,
                files,
                reason,
            } => {
                let to = format!("rounds/{round}");
                let intent = MoveIntent::new(to, reason.clone(), files.clone());
                self.supersede(&intent, MoveIntent::begin)
            }
            Next::RunStage(index) => {
                let stage = self.pipeline.stages[*index].name();
                let span = tracing::info_span!("stage", name = stage, round = plan.round);
                self.run_stage(*index, snapshot, plan)
                    .instrument(span)
                    .await
            }
            Next::Render(index) => self.pipeline.stages[*index].render(&self.workspace(snapshot)),
            Next::Publish(best) => self.publish(best, snapshot),
            Next::Stop(_) | Next::DocumentsGone | Next::Nothing => Ok(()),
        }
    }

    fn supersede(
        &self,
        intent: &MoveIntent,
        how: impl Fn(&MoveIntent, &Path, &Disk, &[&str]) -> Result<()>,
    ) -> Result<()> {
        how(
            intent,
            self.session,
            &self.engine.disk,
            self.pipeline.linked,
        )?;
        self.events.log(Event::Superseded {
            to: intent.to.clone(),
            reason: intent.reason.clone(),
            files: intent.files.clone(),
        });
        Ok(())
    }

    async fn run_stage(&mut self, index: usize, snapshot: &Snapshot, plan: &Plan) -> Result<()> {
        let pipeline = self.pipeline;
        let stage = &pipeline.stages[index];
        let (name, round) = (stage.name().to_owned(), plan.round);
        self.events.log(Event::StageStarted {
            stage: name.clone(),
            round,
            reason: plan.stages[index].reason.to_string(),
            number: index + 1,
            stages: pipeline.stages.len(),
        });
        let workspace = self.workspace(snapshot);
        let recorded = self.record_external_files(stage.as_ref(), &workspace);
        let ran = match recorded {
            Ok(()) => stage.run(&workspace).await,
            Err(error) => Err(error),
        };
        if let Err(error) = ran {
            return Err(self.stage_stopped(stage.as_ref(), error));
        }
        // Read as a gate, so that its digest and header are in the cache for the next plan.
        let gate = stage.gate();
        self.digests.header(gate, |bytes| stage.check(bytes))?;
        let digest = self
            .digests
            .digest(gate)?
            .with_context(|| format!("stage {name} wrote no {gate}"))?;
        self.events.log(Event::StageFinished {
            stage: name,
            round,
            digest,
        });
        Ok(())
    }

    /// Writes the manifest before `stage` reads the files that it names: a change in between makes
    /// its gate stale.
    fn record_external_files(&mut self, stage: &dyn Stage, workspace: &Workspace) -> Result<()> {
        let earlier = Manifest::read(self.session)?;
        if self.frozen && earlier.is_some() {
            return Ok(());
        }
        let look = match self.looks.of(stage, &mut self.digests) {
            Ok(Some(look)) => look,
            Ok(None) => return Ok(()),
            // Out of reach; what was read of them stands.
            Err(_) if earlier.is_some() => return Ok(()),
            Err(error) => return Err(error),
        };
        let manifest = &look.manifest;
        if earlier.as_ref() == Some(manifest) {
            return Ok(());
        }
        if earlier.is_some() {
            workspace.supersede(Manifest::FILE, "the files that it names have changed")?;
        }
        let mut bytes = serde_json::to_vec_pretty(manifest)?;
        bytes.push(b'\n');
        workspace.write(Manifest::FILE, &bytes)
    }

    /// Logs how a stage stopped, and adds the stage's name to a failure. If the log cannot be
    /// written, the error is still returned.
    fn stage_stopped(&self, stage: &dyn Stage, error: anyhow::Error) -> anyhow::Error {
        let name = stage.name();
        let stage_name = name.to_owned();
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
            exhausted: stage.is_exhaustion(&error),
            unreadable: error.is::<Unreadable>(),
        });
        error.context(format!("stage {name} failed"))
    }

    fn publish(&self, best: &BestRound, snapshot: &Snapshot) -> Result<()> {
        let workspace = self.workspace(snapshot);
        let publication = (self.pipeline.publish)(&workspace, best)?;
        let mut published = Published::new(best, &publication);
        let renderings = self.pipeline.stages.iter();
        for name in renderings.flat_map(|stage| stage.renderings()) {
            let digest = Digest::of_file(&self.session.join(name)).ok();
            let digest = digest.map(|digest| ((*name).to_owned(), digest));
            published.renderings.extend(digest);
        }
        let file = self.pipeline.publication;
        let digest = Digest::of(&publication.bytes);
        published.renderings.insert(file.to_owned(), digest);
        let mut record = serde_json::to_vec_pretty(&published)?;
        record.push(b'\n');
        // The record first: if the run dies between the two, the publication is missing, and the
        // next run publishes again.
        workspace.write(Published::FILE, &record)?;
        workspace.write(file, &publication.bytes)?;
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
            digests: Mutex::new(BTreeMap::new()),
        }
    }
}

/// The plan, which stops before it builds on a gate that refers to what does not exist. Only looked
/// at if there is anything to do: the files are parsed for it.
fn checked(session: &Path, pipeline: &Pipeline, plan: Plan) -> Plan {
    if !matches!(plan.next, Next::Supersede { .. } | Next::RunStage(_)) {
        return plan;
    }
    let lines = pipeline.stages.iter().zip(&plan.stages);
    let mut fresh = lines.take_while(|(_, line)| line.reason == Reason::Fresh);
    match fresh.find_map(|(stage, _)| stage.dangling(session)) {
        Some(problem) => Plan {
            next: Next::Stop(problem),
            ..plan
        },
        None => plan,
    }
}

/// Writes the decision on each gate to the diagnostics.
fn trace_decisions(plan: &Plan) {
    if !tracing::enabled!(tracing::Level::DEBUG) {
        return;
    }
    for stage in &plan.stages {
        let gate = stage.gate.as_str();
        match &stage.reason {
            Reason::Fresh => tracing::debug!(gate, "fresh"),
            Reason::Missing => tracing::debug!(gate, "missing"),
            Reason::Stale { .. } | Reason::ExternalChanges(_) => {
                tracing::debug!(gate, reason = %stage.reason, "stale")
            }
            reason => tracing::debug!(gate, %reason, "decided"),
        }
    }
}
