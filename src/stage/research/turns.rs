//! The turns of a step: the researcher is asked, its tool is used, and it is shown what came of it,
//! until it finishes or has no turn left.
//!
//! Nothing of it is stored on the way: calls, searches and pages are in their journals, so that a
//! killed step takes the same turns again without asking anybody.

use anyhow::Result;

use super::tools::{Shown, Tools};
use crate::agent::{Action, Agent as _, Researcher, ResearcherInput, ResearcherOutput, TurnsLeft};
use crate::artifact::step::{TurnAction, TurnRecord};
use crate::config::ResearcherMode;
use crate::extension::locator;
use crate::model::BudgetExhausted;
use crate::pipeline::Event;
use crate::stage::event_text::event_text;
use crate::stage::stage_run::StageRun;

/// The limits of the turns of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnLimits {
    /// The way in which the step is researched.
    pub(super) mode: ResearcherMode,
    /// The maximum number of searches, those of the plan included.
    pub(super) searches: usize,
    /// The maximum number of tool calls, those of the plan included.
    pub(super) calls: usize,
}

/// Takes the turns of a step; returns what was found, and the turns.
pub(super) async fn take_turns(
    run: StageRun<'_>,
    input: &mut ResearcherInput,
    tools: &mut Tools<'_, '_>,
    limits: TurnLimits,
) -> Result<(ResearcherOutput, Vec<TurnRecord>)> {
    let mut left = Left::new(limits, input.step.queries.len());
    tools.show_planned(left.turns(tools.stop_reason()))?;
    let mut records = Vec::new();
    loop {
        input.transcript = Some(tools.transcript().clone());
        let turn = match run.ask::<Researcher>(input).await {
            Ok(turn) => turn,
            // What the step has read is not lost when the budget ends: the rule finishes it.
            Err(error) if !records.is_empty() && error.is::<BudgetExhausted>() => {
                return Ok((Researcher::rule(input).output(), records));
            }
            Err(error) => return Err(error),
        };
        let action = recorded(&turn.action, tools)?;
        report_turn(run, &input.step.id, &turn.action, tools)?;
        let shown = match turn.action {
            Action::Finish(output) => {
                if !turn.thought.is_empty() {
                    records.push(record(turn.thought, action, String::new()));
                }
                return Ok((output, records));
            }
            Action::Search { query, service } => {
                left.search();
                Some(tools.search(&query, service.as_deref()).await?)
            }
            Action::Read { hits } => {
                left.call(hits.len());
                Some(tools.read(&hits).await?)
            }
            Action::Open { passage } => {
                left.call(1);
                Some(tools.open(passage)?)
            }
            Action::Tool { name, arguments } => {
                left.call(1);
                Some(tools.run(&name, &arguments).await?)
            }
            Action::Think => {
                left.call(1);
                None
            }
        };
        let outcome = shown.as_ref().map(Shown::outcome).unwrap_or_default();
        records.push(record(turn.thought, action, outcome.clone()));
        let shown = shown.unwrap_or_else(|| tools.nothing());
        run.report(Event::TurnFinished {
            step: input.step.id.clone(),
            hits: shown.hits.len(),
            passages: shown.passages.len(),
        })?;
        tools.count_good_sources(&shown);
        let turns = left.turns(tools.stop_reason());
        tools.record(turn.answer, outcome, shown, turns);
    }
}

/// Reports a turn; that a step finishes is an event of its own.
fn report_turn(
    run: StageRun<'_>,
    step: &str,
    action: &Action,
    tools: &Tools<'_, '_>,
) -> Result<()> {
    let (action, subject) = match action {
        Action::Search { query, .. } => ("search", vec![event_text(query)]),
        Action::Read { hits } => {
            let titles = hits.iter().map(|hit| event_text(tools.title(*hit)));
            ("read", titles.collect())
        }
        Action::Open { passage } => ("open", vec![event_text(tools.title_of_passage(*passage))]),
        Action::Tool { name, arguments } => {
            let values = arguments.values().map(|value| match value.as_str() {
                Some(text) => event_text(text),
                None => value.to_string(),
            });
            (name.as_str(), values.collect())
        }
        Action::Think => ("think", Vec::new()),
        Action::Finish(_) => return Ok(()),
    };
    run.report(Event::Turn {
        step: step.to_owned(),
        action: action.to_owned(),
        subject,
    })
}

fn record(thought: String, action: TurnAction, outcome: String) -> TurnRecord {
    TurnRecord {
        thought,
        action,
        outcome,
    }
}

fn recorded(action: &Action, tools: &Tools<'_, '_>) -> Result<TurnAction> {
    Ok(match action {
        Action::Search { query, service } => TurnAction::Search {
            query: query.clone(),
            service: service.clone(),
        },
        Action::Read { hits } => {
            TurnAction::Read(hits.iter().map(|hit| tools.locator(*hit)).collect())
        }
        Action::Open { passage } => TurnAction::Open(tools.locator_of_passage(*passage)),
        Action::Tool { name, arguments } => TurnAction::Tool(locator(name, arguments)?.into()),
        Action::Think => TurnAction::Think,
        Action::Finish(_) => TurnAction::Finish,
    })
}

/// The turns that are left.
struct Left {
    mode: ResearcherMode,
    searches: usize,
    calls: usize,
}

impl Left {
    /// The turns that are left after the planned searches.
    fn new(limits: TurnLimits, planned: usize) -> Self {
        Self {
            mode: limits.mode,
            searches: limits.searches.saturating_sub(planned),
            calls: limits.calls.saturating_sub(planned),
        }
    }

    fn search(&mut self) {
        self.searches = self.searches.saturating_sub(1);
        self.call(1);
    }

    /// Counts so many tool calls, at least one: every turn brings the end nearer.
    fn call(&mut self, calls: usize) {
        self.calls = self.calls.saturating_sub(calls.max(1));
    }

    /// The turns that are left, given a reason to look no further.
    fn turns(&self, stop: Option<&'static str>) -> TurnsLeft {
        let reason = if self.mode == ResearcherMode::Classic {
            Some("the planned searches are all that this step has")
        } else if self.calls == 0 {
            Some("no turn is left")
        } else {
            stop
        };
        TurnsLeft {
            searches: self.searches.min(self.calls),
            calls: self.calls,
            finish_because: reason.map(str::to_owned),
        }
    }
}
