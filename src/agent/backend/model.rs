//! Answers for the agents with language models: prompt, call, answer, and once more if the answer
//! cannot be used.
//!
//! Everything that is paid for goes through the journal, so a run that goes on asks only what was
//! not answered. When an agent has failed for good its rule answers, and the report says so; when
//! the models have failed altogether the stage stops, and can be resumed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use backon::{BackoffBuilder, ExponentialBuilder};
use serde_json::json;

use super::super::answer::schema;
use super::super::definition::{AgentInfo, DepthShape, ModelAgent, expected_calls};
use super::prompts::Prompts;
use super::session_budget::{SessionBudget, amount, most_of_request};
use crate::model::{
    Amount, BudgetExhausted, Call, FailedTry, Forecast, Journal, Lookup, Message, Model,
    ModelError, Models, Phase, RecordedReply, Rejection, Replay, Reply, Request, Reservation, Role,
    Usage, lenient,
};
use crate::pipeline::{Stage, Workspace};

/// How often an agent is asked: once, and once more with the problem named.
const ATTEMPTS: u32 = 2;

/// How often a rate limit is waited for before the call counts as failed.
const RATE_LIMITS: u32 = 20;

/// The longest time that a provider may want to be left alone.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// Calls that fail for good one after another, and then the models have failed altogether.
const OUTAGE: u32 = 3;

/// Characters of an unusable reply that are shown to the model again.
const SHOWN: usize = 4000;

/// Who answers with models in one session.
pub struct ModelBackend {
    /// The models.
    pub models: Arc<Models>,
    /// What they are told.
    pub prompts: Arc<Prompts>,
    /// The day of the session, as the prompts say it.
    pub date: String,
    /// The table of the agents that it answers for.
    pub agents: &'static [AgentInfo],
    /// How much is done at most.
    pub shape: DepthShape,
    /// What may be spent.
    pub budget: SessionBudget,
    /// Another session's answers, instead of asking.
    pub replay: Option<Replay>,
    /// Calls that failed since one was answered.
    pub failed: AtomicU32,
}

impl ModelBackend {
    /// A panel for a session.
    pub fn new(
        models: Arc<Models>,
        prompts: Arc<Prompts>,
        agents: &'static [AgentInfo],
        shape: DepthShape,
        date: String,
        budget: SessionBudget,
        replay: Option<Replay>,
    ) -> Self {
        Self {
            models,
            prompts,
            agents,
            shape,
            date,
            budget,
            replay,
            failed: AtomicU32::new(0),
        }
    }

    /// What is recorded as having answered for these tiers.
    pub fn name(&self) -> String {
        self.models
            .distinct()
            .into_keys()
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// `Ok` if the budget allows this many more calls of an agent; else why it does not.
    ///
    /// # Errors
    /// When the amount spent so far cannot be read.
    pub(super) fn can_afford<A: ModelAgent>(
        &self,
        workspace: &Workspace,
        calls: usize,
    ) -> Result<Result<(), BudgetExhausted>> {
        self.begin(workspace)?;
        let most = most_of::<A>(self, calls);
        Ok(self.budget.purse().can_afford(most))
    }

    /// Sets aside what searching the web may cost.
    ///
    /// # Errors
    /// When that is more than may be spent, or what was spent cannot be read.
    pub(super) fn reserve_search(
        &self,
        workspace: &Workspace,
        usd: f64,
    ) -> Result<Reservation<'_>> {
        self.begin(workspace)?;
        self.budget.reserve_search(usd)
    }

    /// Tells the purse what earlier runs of the session spent, once.
    fn begin(&self, workspace: &Workspace) -> Result<()> {
        let reserve = || Forecast::reserve(&expected_calls(self.agents, self.shape), &self.models);
        let models = self.models.distinct();
        self.budget.begin(workspace, reserve, |model| {
            models.get(model).map(|(it, _)| it.price)
        })
    }

    /// Asks an agent.
    pub(super) async fn ask<A: ModelAgent>(
        &self,
        workspace: &Workspace,
        stage: &dyn Stage,
        input: &A::Input,
    ) -> Result<A::Output> {
        if !A::is_question(input) {
            return Ok(A::rule(input));
        }
        self.begin(workspace)?;
        let Some(model) = self.models.for_tier(A::TIER) else {
            bail!("no model serves the {}", A::NAME);
        };
        let asking = Asking {
            panel: self,
            model,
            journal: Journal::new(workspace, stage),
            workspace,
            phase: A::PHASE,
            about: A::about(input),
        };
        asking.answer::<A>(input).await
    }
}

/// The most that a step can come to, as the budget counts.
fn most_of<A: ModelAgent>(panel: &ModelBackend, times: usize) -> Amount {
    let Some(model) = panel.models.for_tier(A::TIER) else {
        return Amount::default();
    };
    let usage = Usage {
        input: (times * A::expected(panel.shape).input_tokens) as u64,
        output: times as u64 * u64::from(A::OUTPUT_TOKENS + model.price.thinking_tokens),
        ..Usage::default()
    };
    amount(&usage, Some(model.price.cost(&usage)))
}

/// One question to one agent.
struct Asking<'a> {
    panel: &'a ModelBackend,
    model: &'a Model,
    journal: Journal<'a>,
    workspace: &'a Workspace,
    phase: Phase,
    about: String,
}

/// How a call ended.
enum Called {
    Replied(Call),
    Failed(Call, ModelError),
}

impl Asking<'_> {
    async fn answer<A: ModelAgent>(&self, input: &A::Input) -> Result<A::Output> {
        let mut items = A::items(input);
        let mut request = self.fitting::<A>(input, &mut items)?;
        let mut attempt = 1;
        loop {
            let (mut call, problem) = match self.call(&request, attempt).await? {
                Called::Replied(call) => {
                    let (call, answered) = self.read::<A>(input, items, call)?;
                    match answered {
                        Ok(output) => return Ok(output),
                        Err(problem) => (call, problem),
                    }
                }
                Called::Failed(_, ModelError::ContextTooLong(_)) if items > 0 => {
                    items /= 2;
                    request = self.request::<A>(input, items)?;
                    continue;
                }
                Called::Failed(call, fault) => (self.failed(call, &fault)?, fault.to_string()),
            };
            let given_up = call.reply.is_none() || attempt == ATTEMPTS;
            if let Some(reply) = call.reply.as_ref().filter(|_| !given_up) {
                request = self.again(&request, reply, &problem);
                attempt += 1;
            }
            self.slip(&mut call, problem, given_up)?;
            if given_up {
                return Ok(A::rule(input));
            }
        }
    }

    /// Reads the answer out of a reply, and writes down what had to be done for it.
    fn read<A: ModelAgent>(
        &self,
        input: &A::Input,
        items: usize,
        mut call: Call,
    ) -> Result<(Call, Result<A::Output, String>)> {
        let Some(reply) = &call.reply else {
            bail!("a call without a reply was read");
        };
        let mut repairs = Vec::new();
        let answered = match reply.truncated {
            true => Err("the reply was cut off at its length limit".to_owned()),
            false => lenient::parse::<A::Answer>(&reply.text).and_then(|parsed| {
                repairs = parsed.repairs;
                A::validate(input, items, parsed.answer, &mut repairs)
            }),
        };
        if call.repairs != repairs {
            call.repairs = repairs;
            self.journal.write(&call)?;
        }
        Ok((call, answered))
    }

    /// Writes down why an answer cannot be used.
    fn slip(&self, call: &mut Call, problem: String, given_up: bool) -> Result<()> {
        let slip = Some(Rejection { problem, given_up });
        if call.rejection != slip {
            call.rejection = slip;
            self.journal.write(call)?;
        }
        Ok(())
    }

    /// What is asked first: as many passages as fit into the model's context window.
    fn fitting<A: ModelAgent>(&self, input: &A::Input, items: &mut usize) -> Result<Request> {
        let request = self.request::<A>(input, *items)?;
        let window = self.model.price.context_tokens;
        let fits = |request: &Request| request.max_tokens() <= window;
        if fits(&request) {
            return Ok(request);
        }
        let (mut fitting, mut too_many) = (0, *items);
        while too_many - fitting > 1 {
            let middle = fitting.midpoint(too_many);
            match fits(&self.request::<A>(input, middle)?) {
                true => fitting = middle,
                false => too_many = middle,
            }
        }
        *items = fitting;
        self.request::<A>(input, fitting)
    }

    fn request<A: ModelAgent>(&self, input: &A::Input, items: usize) -> Result<Request> {
        let prompts = &self.panel.prompts;
        let system = prompts.render("workflow", json!({ "date": self.panel.date }))?;
        let mut user = prompts.render(A::NAME, A::context(input, items))?;
        let schema = schema::<A::Answer>();
        if self.model.schema.is_in_text() {
            user.push_str("\n\nAnswer with one JSON object that fits this JSON Schema, and with nothing else:\n");
            user.push_str(&schema.to_string());
        }
        let message = |role, text| Message { role, text };
        let price = &self.model.price;
        let most = A::OUTPUT_TOKENS.saturating_add(price.thinking_tokens);
        let half = u32::try_from(price.context_tokens / 2).unwrap_or(u32::MAX);
        let temperature = self.panel.models.settings().temperature;
        Ok(Request {
            model: self.model.name.clone(),
            messages: vec![message(Role::System, system), message(Role::User, user)],
            schema: self.model.schema.is_beside().then_some(schema),
            schema_name: A::NAME.to_owned(),
            max_output_tokens: most.min(half),
            temperature: (temperature >= 0.0).then_some(temperature),
        })
    }

    /// The same question with the problem named.
    fn again(&self, request: &Request, reply: &RecordedReply, problem: &str) -> Request {
        let mut request = request.clone();
        let message = |role, text| Message { role, text };
        if reply.truncated {
            let text = "Your last reply was longer than allowed and was cut off. Answer again with one JSON object of \
                the same shape, but much shorter: fewer entries, shorter texts.";
            request.messages.push(message(Role::User, text.to_owned()));
            return request;
        }
        let said: String = reply.text.chars().take(SHOWN).collect();
        let said = if said.trim().is_empty() {
            "(nothing)".to_owned()
        } else {
            said
        };
        request.messages.push(message(Role::Assistant, said));
        let text = format!(
            "This answer cannot be used: {problem}. Answer again with one JSON object that fits, and with nothing else."
        );
        request.messages.push(message(Role::User, text));
        request
    }

    /// The reply to a request: from the journal, from the session that is replayed, or from the
    /// model.
    async fn call(&self, request: &Request, attempt: u32) -> Result<Called> {
        let mut call = match self.journal.lookup(request)? {
            Lookup::Answered(call) => return Ok(Called::Replied(call)),
            Lookup::Unanswered(mut call) => {
                if call.rejection.is_none() && self.panel.replay.is_none() {
                    self.workspace.tell_lost(call.file());
                }
                call.rejection = None;
                call
            }
            Lookup::New => self.journal.new_call(request),
        };
        call.attempt = attempt;
        call.about.clone_from(&self.about);
        if let Some(replies) = &self.panel.replay {
            let known = replies.answer(&call)?;
            call.reply = known.reply;
            self.journal.write(&call)?;
            return Ok(Called::Replied(call));
        }
        self.send(request, call).await
    }

    /// Sends a request until it is answered, or cannot be. Its intent is on disk before, its reply
    /// at once after.
    async fn send(&self, request: &Request, mut call: Call) -> Result<Called> {
        let models = &self.panel.models;
        let settings = models.settings();
        let mut waits = ExponentialBuilder::default()
            .with_min_delay(Duration::from_secs_f64(settings.first_wait_seconds))
            .with_max_delay(Duration::from_secs_f64(settings.longest_wait_seconds))
            .with_jitter()
            .without_max_times()
            .build();
        let most = most_of_request(request, Some(&self.model.price));
        let (mut tries, mut limits) = (0, 0);
        loop {
            self.workspace.pause()?;
            let held = self.panel.budget.purse().reserve(most, self.phase)?;
            self.journal.write(&call)?;
            let watch = self.workspace.stopwatch();
            let sent = models.send(self.model, request).await;
            held.commit(self.came_to(&sent, most));
            let fault = match sent {
                Ok(reply) => {
                    let price = &self.model.price;
                    let cost = price.is_known.then(|| price.cost(&reply.usage));
                    let latency = u64::try_from(watch.elapsed().as_millis()).unwrap_or(u64::MAX);
                    call.set_reply(reply, self.workspace.now(), latency, cost);
                    self.journal.write(&call)?;
                    self.panel.failed.store(0, Ordering::Relaxed);
                    return Ok(Called::Replied(call));
                }
                Err(fault) => fault,
            };
            call.failed_tries.push(FailedTry {
                at: self.workspace.now(),
                problem: fault.to_string(),
                possibly_billed: fault.may_be_billed(),
            });
            match fault {
                ModelError::RateLimited { .. } => limits += 1,
                _ => tries += 1,
            }
            let wait = fault.retry_after();
            let too_long = wait.is_some_and(|wait| wait > LONGEST_WAIT);
            if !fault.is_transient() || tries >= settings.tries || limits >= RATE_LIMITS || too_long
            {
                self.journal.write(&call)?;
                return Ok(Called::Failed(call, fault));
            }
            let own = waits.next().unwrap_or_default();
            models
                .sleep(wait.map_or(own, |wait| wait.max(own.min(wait))))
                .await;
        }
    }

    /// What a try is counted as: a reply by what was counted, a try that may have been billed by
    /// the most it can have been.
    fn came_to(&self, sent: &Result<Reply, ModelError>, most: Amount) -> Amount {
        match sent {
            Ok(reply) => amount(&reply.usage, Some(self.model.price.cost(&reply.usage))),
            Err(fault) if fault.may_be_billed() => most,
            Err(_) => Amount::default(),
        }
    }

    /// Whether a call that failed for good may fail alone; else the stage stops.
    fn failed(&self, call: Call, fault: &ModelError) -> Result<Call> {
        let failed = self.panel.failed.fetch_add(1, Ordering::Relaxed) + 1;
        // Who takes no request will not take the next, unless it took another; who only stumbled
        // may.
        let may_recover = match fault {
            ModelError::QuotaExceeded(_) => false,
            ModelError::Refused(_)
            | ModelError::Unreachable(_)
            | ModelError::Unavailable { .. } => self.panel.models.have_answered(),
            _ => true,
        };
        let alone = may_recover && failed < OUTAGE;
        if alone {
            return Ok(call);
        }
        // An intent that certainly failed is not taken for one that was lost.
        let mut call = call;
        self.slip(&mut call, fault.to_string(), false)?;
        Err(fault.clone())
            .with_context(|| format!("{} does not answer the {}", self.model.name, call.agent))
    }
}
