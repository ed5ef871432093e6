//! An exchange between an agent and a model: render the prompt, send the request, validate the
//! answer, and ask once more with a correction if it was rejected.
//!
//! Transient errors are retried with exponential back-off and jitter (the retry policy of a call).
//! A rejected answer is handled differently: the model gets the reason and another attempt; after
//! [`ATTEMPTS`] the agent's rule (the plain code that stands in for a model) answers.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use backon::{BackoffBuilder, ExponentialBuilder};
use serde_json::json;
use tracing::debug;

use super::super::answer::{grammar, schema, shape};
use super::super::definition::ModelAgent;
use super::model::ModelBackend;
use super::session_budget::{amount, upper_bound};
use crate::config::ModelSettings;
use crate::model::{
    Amount, BudgetExhausted, Call, FailedTry, Journal, Lookup, Message, Model, ModelError, Phase,
    RecordedReply, Rejection, Reply, Request, Role, Usage,
};
use crate::pipeline::{Event, Stage, Workspace};
use crate::text::truncate;

/// The number of attempts: the first, and a second with a correction.
const ATTEMPTS: u32 = 2;

/// The number of rate-limit errors after which a call counts as failed.
const RATE_LIMIT_RETRIES: u32 = 20;

/// The longest `Retry-After` that is waited for.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(600);

/// The interval at which a wait looks for an interruption (chosen by hand: a person sees no delay).
const INTERRUPTION_POLL: Duration = Duration::from_millis(200);

/// Characters of a rejected reply that are shown to the model again.
const REJECTED_REPLY: usize = 4000;

/// Asks an agent on behalf of a stage; the model of the agent's tier answers.
pub(super) async fn ask<A: ModelAgent>(
    backend: &ModelBackend,
    workspace: &Workspace,
    stage: &dyn Stage,
    input: &A::Input,
) -> Result<A::Output> {
    // An input without anything to decide on costs no call.
    if !A::is_question(input) {
        return Ok(A::rule(input));
    }
    backend.begin(workspace)?;
    let Some(model) = backend.models.for_tier(A::TIER) else {
        bail!("no model serves the {}", A::NAME);
    };
    let exchange = Exchange {
        backend,
        model,
        journal: Journal::new(workspace, stage),
        workspace,
        phase: A::PHASE,
        about: A::about(input),
    };
    exchange.answer::<A>(input).await
}

/// The calls of an agent for one input: the first, and those that correct a rejected answer.
struct Exchange<'a> {
    backend: &'a ModelBackend,
    model: &'a Model,
    journal: Journal<'a>,
    workspace: &'a Workspace,
    phase: Phase,
    about: String,
}

/// The outcome of a call.
enum CallOutcome {
    Answered(Call),
    Failed(Call, ModelError),
    /// The call was not made, for this reason.
    Refused(Call, String),
    /// The request does not fit into the model's context window, and can be shortened.
    TooLong,
}

impl Exchange<'_> {
    /// The agent's output: a validated answer of the model, else that of the rule.
    async fn answer<A: ModelAgent>(&self, input: &A::Input) -> Result<A::Output> {
        let mut items = A::items(input);
        let mut request = Arc::new(self.fitting_request::<A>(input, &mut items)?);
        let mut attempt = 1;
        loop {
            let (mut call, problem) = match self.call(&request, attempt, items > 0).await? {
                CallOutcome::Answered(call) => {
                    let (call, validated) = self.validate::<A>(input, items, call)?;
                    match validated {
                        Ok(output) => return Ok(output),
                        Err(problem) => {
                            debug!(agent = A::NAME, self.about, attempt, "answer rejected");
                            (call, problem)
                        }
                    }
                }
                // The estimate of tokens was too low, or the window is smaller than stated: halve
                // the number of passages until the provider takes the request.
                CallOutcome::TooLong => {
                    items /= 2;
                    debug!(agent = A::NAME, items, "context too long: fewer passages");
                    request = Arc::new(self.request::<A>(input, items)?);
                    continue;
                }
                CallOutcome::Failed(call, error) => {
                    (self.unless_outage(call, &error)?, error.to_string())
                }
                CallOutcome::Refused(call, problem) => (call, problem),
            };
            let given_up = call.reply.is_none() || attempt == ATTEMPTS;
            if let Some(reply) = call.reply.as_ref().filter(|_| !given_up) {
                request = Arc::new(with_correction::<A>(&request, reply, &problem));
                attempt += 1;
            }
            self.record_rejection(&mut call, problem, given_up)?;
            if given_up {
                debug!(
                    agent = A::NAME,
                    about = self.about,
                    "the rule answers instead"
                );
                return Ok(A::rule(input));
            }
        }
    }

    /// Parses and validates the answer in a reply, and records in the journal what was repaired in
    /// it or left out of it.
    fn validate<A: ModelAgent>(
        &self,
        input: &A::Input,
        items: usize,
        mut call: Call,
    ) -> Result<(Call, Result<A::Output, String>)> {
        let Some(reply) = &call.reply else {
            bail!("a call without a reply cannot be validated");
        };
        let mut repairs = Vec::new();
        let validated = complete_text::<A>(reply, &mut repairs).and_then(|text| {
            let parsed = A::parse(text)?;
            repairs.extend(parsed.repairs);
            A::validate(input, items, parsed.answer, &mut repairs)
        });
        if !repairs.is_empty() {
            debug!(
                agent = A::NAME,
                repairs = repairs.len(),
                "answer repaired, or parts of it left out"
            );
        }
        if call.repairs != repairs {
            call.repairs = repairs;
            self.journal.write(&call)?;
        }
        Ok((call, validated))
    }

    /// Records in the journal why an answer was rejected.
    fn record_rejection(&self, call: &mut Call, problem: String, given_up: bool) -> Result<()> {
        let rejection = Some(Rejection { problem, given_up });
        if call.rejection != rejection {
            call.rejection = rejection;
            self.journal.write(call)?;
        }
        Ok(())
    }

    /// The first request: with as many passages as fit into the model's context window, determined
    /// by bisection. `items` becomes their number.
    fn fitting_request<A: ModelAgent>(
        &self,
        input: &A::Input,
        items: &mut usize,
    ) -> Result<Request> {
        // A request that fits needs no bisection, which renders a prompt at each step.
        let request = self.request::<A>(input, *items)?;
        let window = self.model.price.context_tokens;
        let fits = |request: &Request| request.max_tokens() <= window;
        if fits(&request) {
            return Ok(request);
        }
        // Invariant: `fitting` passages are sent even if they do not fit, `too_many` never fit.
        let (mut fitting, mut too_many) = (0, *items);
        while too_many - fitting > 1 {
            let middle = fitting.midpoint(too_many);
            if fits(&self.request::<A>(input, middle)?) {
                fitting = middle;
            } else {
                too_many = middle;
            }
        }
        debug!(
            agent = A::NAME,
            passages = fitting,
            of = *items,
            "passages dropped to fit the context window"
        );
        *items = fitting;
        self.request::<A>(input, fitting)
    }

    /// The request with this many passages.
    fn request<A: ModelAgent>(&self, input: &A::Input, items: usize) -> Result<Request> {
        let prompts = &self.backend.prompts;
        let mut system = prompts.render("workflow", json!({ "date": self.backend.date }))?;
        let mut schema = schema::<A::Answer>(|schema| A::fit_schema(input, schema));
        // In the first message, which is the same in all calls of an agent: providers cache it.
        if self.model.schema.is_in_text() && !A::IS_TEXT {
            system.push_str(
                "\n\nAnswer with one JSON object of this shape, without its comments, and with \
                 nothing else:\n",
            );
            system.push_str(&shape(&schema));
            // The descriptions are in the shape already, and some providers bill the schema too.
            schema = grammar(schema);
        } else if !A::IS_TEXT {
            system.push_str(
                "\n\nAnswer with one JSON object that fits the requested schema, and with nothing \
                 else.",
            );
        }
        let user = prompts.render(A::NAME, A::context(input, items))?;
        let mut messages = vec![message(Role::System, system), message(Role::User, user)];
        for (answer, context) in A::exchanges(input, items) {
            messages.push(message(Role::Assistant, answer));
            messages.push(message(Role::User, prompts.render("observation", context)?));
        }
        let price = &self.model.price;
        let limit = A::output_tokens(input).saturating_add(price.thinking_tokens);
        // A reply may take half of the window at most, so that a small model can still read.
        let half = u32::try_from(price.context_tokens / 2).unwrap_or(u32::MAX);
        let temperature = self.backend.models.settings().temperature;
        Ok(Request {
            model: self.model.name.clone(),
            messages,
            schema: (self.model.schema.is_beside() && !A::IS_TEXT).then(|| Arc::new(schema)),
            schema_name: A::NAME.to_owned(),
            max_output_tokens: limit.min(half),
            temperature: (temperature >= 0.0).then_some(temperature),
        })
    }

    /// Makes a call: answered from the journal, from the session that is replayed, or by the model.
    async fn call(
        &self,
        request: &Arc<Request>,
        attempt: u32,
        can_shorten: bool,
    ) -> Result<CallOutcome> {
        let mut call = match self.journal.lookup(request)? {
            Lookup::Answered(call) => return Ok(CallOutcome::Answered(call)),
            Lookup::Unanswered(call) if call.is_too_long && can_shorten => {
                return Ok(CallOutcome::TooLong);
            }
            Lookup::Unanswered(mut call) => {
                // A call on disk without a reply or a rejection was in flight when a run died: the
                // provider may have billed it, and bills it again.
                if call.rejection.is_none() && self.backend.replay.is_none() {
                    let file = call.file();
                    self.workspace.log(Event::PossiblyBilled { file });
                }
                call.rejection = None;
                call
            }
            Lookup::New => self.journal.new_call(request),
        };
        call.attempt = attempt;
        call.about.clone_from(&self.about);
        // A replay never sends: a request without a recorded answer is an error.
        if let Some(replay) = &self.backend.replay {
            let recorded = replay.answer(&call)?;
            call.reply = recorded.reply;
            call.is_too_long = recorded.is_too_long;
            if call.is_too_long && can_shorten {
                call.rejection = recorded.rejection;
                self.journal.write(&call)?;
                return Ok(CallOutcome::TooLong);
            }
            self.journal.write(&call)?;
            return Ok(match recorded.rejection.filter(|_| call.reply.is_none()) {
                Some(rejection) => CallOutcome::Refused(call, rejection.problem),
                None => CallOutcome::Answered(call),
            });
        }
        match self.send(request, call).await? {
            CallOutcome::Failed(mut call, ModelError::ContextTooLong(_)) if can_shorten => {
                call.is_too_long = true;
                self.journal.write(&call)?;
                Ok(CallOutcome::TooLong)
            }
            outcome => Ok(outcome),
        }
    }

    /// Sends a request until it is answered, or fails for good.
    async fn send(&self, request: &Arc<Request>, mut call: Call) -> Result<CallOutcome> {
        let settings = self.backend.models.settings();
        let mut backoff = retry_policy(settings).build();
        let bound = upper_bound(request, Some(&self.model.price));
        let (mut tries, mut rate_limited) = (0, 0);
        loop {
            self.workspace.stop_if_interrupted()?;
            let share = match self.backend.budget.reserve_component(&call.agent, bound) {
                Ok(share) => share,
                Err(exhausted) => return Ok(CallOutcome::Refused(call, exhausted.to_string())),
            };
            let sent = self.send_once(request, &mut call, bound).await;
            if sent
                .as_ref()
                .is_err_and(|error| error.is::<BudgetExhausted>())
                && let Some(problem) = self.lack_of_time()
            {
                return Ok(CallOutcome::Refused(call, problem));
            }
            let (sent, time) = sent?;
            share.commit(self.charge(&sent, bound).tokens);
            let error = match sent {
                Ok(reply) => return self.record_reply(call, reply, time),
                Err(error) => error,
            };
            self.record_failed_try(&mut call, &error)?;
            // Rate limits are counted separately: waiting for them is normal operation.
            match error {
                ModelError::RateLimited { .. } => rate_limited += 1,
                _ => tries += 1,
            }
            let retry_after = error.retry_after();
            let is_last = tries >= settings.tries
                || rate_limited >= RATE_LIMIT_RETRIES
                || retry_after.is_some_and(|wait| wait > LONGEST_RETRY_AFTER);
            // The time limit ended the call, or leaves no time for another try: the rule answers.
            if error.is_transient()
                && let Some(problem) = self.lack_of_time()
            {
                return Ok(CallOutcome::Refused(call, problem));
            }
            if !error.is_transient() || is_last {
                return Ok(CallOutcome::Failed(call, error));
            }
            // The provider's `Retry-After` takes precedence over our own back-off.
            let wait = retry_after.or(backoff.next()).unwrap_or_default();
            let left = self.backend.budget.remaining_time(self.phase);
            let wait = wait.min(left.unwrap_or(wait));
            debug!(
                agent = call.agent,
                ?wait,
                tries,
                rate_limited,
                "retry after back-off"
            );
            self.wait(wait).await?;
        }
    }

    /// The reason why a call is not made, or not again, if the time for it is over.
    fn lack_of_time(&self) -> Option<String> {
        let BudgetExhausted { limit, .. } = self.backend.budget.check_time(self.phase).err()?;
        Some(format!(
            "no time was left for it within the budget of {limit}"
        ))
    }

    /// Sends a request once. Its upper bound is reserved before, so that concurrent calls cannot
    /// overdraw the budget together. Write-ahead: the intent is on disk before the request is sent.
    /// Returns the reply, or why there is none, and the time until then.
    async fn send_once(
        &self,
        request: &Arc<Request>,
        call: &mut Call,
        bound: Amount,
    ) -> Result<(Result<Reply, ModelError>, Duration)> {
        let reservation = self.backend.budget.reserve(bound, self.phase)?;
        call.rejection = None;
        self.journal.write(call)?;
        let try_number = call.failed_tries.len() + 1;
        let limit = self.backend.budget.remaining_time(self.phase);
        let attempt_and_try = (call.attempt, try_number);
        let (models, quotas) = (&self.backend.models, self.backend.quotas());
        let watch = self.workspace.stopwatch();
        let sent = models
            .send(self.model, request, attempt_and_try, limit, quotas)
            .await;
        let time = watch.elapsed();
        reservation.commit(self.charge(&sent, bound));
        Ok((sent, time))
    }

    /// Writes a failed try into the journal, before another is made. The error is the rejection: a
    /// run that ends while it waits left no call in flight.
    fn record_failed_try(&self, call: &mut Call, error: &ModelError) -> Result<()> {
        call.failed_tries.push(FailedTry {
            at: self.workspace.now(),
            problem: error.to_string(),
            possibly_billed: error.may_be_billed(),
        });
        self.record_rejection(call, error.to_string(), false)
    }

    /// Waits before another try, unless the run is interrupted.
    async fn wait(&self, mut left: Duration) -> Result<()> {
        while !left.is_zero() {
            self.workspace.stop_if_interrupted()?;
            let slice = left.min(INTERRUPTION_POLL);
            self.backend.models.sleep(slice).await;
            left = left.saturating_sub(slice);
        }
        Ok(())
    }

    /// Writes the reply to a call into the journal, before anything is made of it.
    fn record_reply(&self, mut call: Call, reply: Reply, time: Duration) -> Result<CallOutcome> {
        let price = &self.model.price;
        let usage = reply.usage;
        let cost = price.is_known.then(|| price.cost(&usage));
        let latency = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        call.set_reply(reply, self.workspace.now(), latency, cost);
        self.journal.write(&call)?;
        self.workspace.log(called_event(&call, usage, cost));
        self.backend.count_answer();
        Ok(CallOutcome::Answered(call))
    }

    /// The amount that a try is charged: a reply with its usage, a try that may have been billed
    /// with its upper bound.
    fn charge(&self, sent: &Result<Reply, ModelError>, upper_bound: Amount) -> Amount {
        match sent {
            Ok(reply) => amount(&reply.usage, Some(self.model.price.cost(&reply.usage))),
            Err(error) if error.may_be_billed() => upper_bound,
            Err(_) => Amount::default(),
        }
    }

    /// Returns the call if its agent's rule can answer instead; an error if the models are in an
    /// outage, so that the stage stops.
    fn unless_outage(&self, call: Call, error: &ModelError) -> Result<Call> {
        if !self.backend.count_failure(error) {
            return Ok(call);
        }
        Err(error.clone())
            .with_context(|| format!("{} does not answer the {}", self.model.name, call.agent))
    }
}

/// The retry policy of a call: exponential back-off with jitter. The number of tries is limited by
/// the caller, which counts rate limits separately.
fn retry_policy(settings: &ModelSettings) -> ExponentialBuilder {
    ExponentialBuilder::default()
        .with_min_delay(Duration::from_secs_f64(settings.first_wait_seconds))
        .with_max_delay(Duration::from_secs_f64(settings.longest_wait_seconds))
        .with_jitter()
        .without_max_times()
}

/// The event of a call that was answered.
fn called_event(call: &Call, usage: Usage, cost_usd: Option<f64>) -> Event {
    Event::Called {
        agent: call.agent.clone(),
        about: call.about.clone(),
        input_tokens: usage.input,
        cached_tokens: usage.cached,
        output_tokens: usage.output,
        cost_usd,
    }
}

fn message(role: Role, text: String) -> Message {
    Message { role, text }
}

/// The text of a reply. Of plain text that was cut off at its length limit, all lines but the last
/// are an answer.
fn complete_text<'a, A: ModelAgent>(
    reply: &'a RecordedReply,
    repairs: &mut Vec<String>,
) -> Result<&'a str, String> {
    if !reply.truncated {
        return Ok(&reply.text);
    }
    match reply.text.trim().rsplit_once('\n') {
        Some((lines, _)) if A::IS_TEXT => {
            repairs.push("left out the last line, which was cut off".to_owned());
            Ok(lines)
        }
        _ => Err("the reply was cut off at its length limit".to_owned()),
    }
}

/// The request with the rejected reply and the reason of its rejection appended.
fn with_correction<A: ModelAgent>(
    request: &Request,
    reply: &RecordedReply,
    problem: &str,
) -> Request {
    let mut request = request.clone();
    let form = if A::IS_TEXT {
        "Answer again in plain text, in the form that was requested"
    } else {
        "Answer again with one JSON object that fits"
    };
    // The truncated reply is not shown again: it is long, and the model might continue it.
    if reply.truncated {
        let text = format!(
            "Your last reply was longer than allowed and was cut off. {form}, but much shorter: \
             fewer entries, shorter texts."
        );
        request.messages.push(message(Role::User, text));
        return request;
    }
    let mut rejected = truncate(&reply.text, REJECTED_REPLY).to_owned();
    if rejected.trim().is_empty() {
        "(nothing)".clone_into(&mut rejected);
    }
    request.messages.push(message(Role::Assistant, rejected));
    let text = format!("This answer cannot be used: {problem}. {form}, and with nothing else.");
    request.messages.push(message(Role::User, text));
    request
}
