//! `research calls`: the model calls of a session, with subtotals per agent and a total.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use schemars::schema_for;

use super::help::Group;
use super::words::{count, money, truncated};
use super::{Action, Command, Exit, Program};
use crate::artifact::session::State;
use crate::inspect::{self, CallSummary, Spending, Totals};

/// `research calls`.
pub(super) const COMMAND: Command = Command {
    name: "calls",
    about: "List the model calls of a session with tokens, cost and time",
    group: Group::Sessions,
    examples: &[(
        "List the calls of models with tokens, cost and time",
        "research calls last",
    )],
    results: &[("calls", || schema_for!(Spending))],
    define: Command::no_arguments,
    action: Action::WithSession(|program, path, _| calls(program, path)),
};

/// The longest error that a line shows, in characters.
const SHOWN_CHARACTERS: usize = 80;

fn calls(program: &Program<'_>, path: &Path) -> Result<Exit> {
    let spending = inspect::spending(path)?;
    if program.output.json {
        return program.output.value(&spending);
    }
    if spending.calls.is_empty() {
        let why = why_none(inspect::status(path, &program.settings)?.state);
        let remark = format!("no model was called in {}: {why}", path.display());
        program.output.remark(&remark);
    }
    program.output.text(&text(&spending))
}

/// The reason why no model was called in a session.
fn why_none(state: State) -> &'static str {
    match state {
        State::BudgetEnded => "the budget did not allow the first call",
        State::Pending => "nothing was done yet",
        _ => "the agents followed their rules",
    }
}

fn text(spending: &Spending) -> String {
    let mut text = String::new();
    for sum in &spending.agents {
        let _ = writeln!(text, "{} round {}, {}", sum.stage, sum.round, sum.agent);
        // An agent may be called in several stages and rounds, each with a subtotal.
        let of_sum = spending.calls.iter().filter(|call| {
            (&call.stage, call.round, &call.agent) == (&sum.stage, sum.round, &sum.agent)
        });
        for call in of_sum {
            let _ = writeln!(text, "{}", line(call));
        }
        // The subtotal of a single call would only repeat its line.
        if sum.calls > 1 {
            let _ = writeln!(text, "  {:<22} {}", "subtotal", figures(sum));
        }
    }
    if spending.components.len() < spending.agents.len() {
        text.push_str("all stages and rounds\n");
        for sum in &spending.components {
            let _ = writeln!(text, "  {:<22} {}", sum.agent, figures(sum));
        }
    }
    if spending.total.calls > 0 {
        let calls = format!("total of {}", count(spending.total.calls, "call"));
        let _ = writeln!(text, "{calls:<24} {}", figures(&spending.total));
    }
    if spending.searches_usd > 0.0 {
        let cost = spending.searches_usd;
        let _ = writeln!(text, "web searches cost ${cost:.4} in addition");
    }
    if spending.possibly_billed > 0 {
        let _ = writeln!(
            text,
            "{} more may have been billed: no reply was received",
            count(spending.possibly_billed, "call")
        );
    }
    text
}

fn line(call: &CallSummary) -> String {
    // The calls of agents that are called once per round have no subject.
    let about = if call.about.is_empty() {
        &call.model
    } else {
        &call.about
    };
    let sum = Totals {
        calls: 1,
        input_tokens: call.input_tokens,
        cached_tokens: call.cached_tokens,
        output_tokens: call.output_tokens,
        cost_usd: call.cost_usd,
        latency_milliseconds: call.latency_milliseconds,
        repaired: usize::from(!call.repairs.is_empty()),
        ..Totals::default()
    };
    let figures = if call.answered {
        figures(&sum)
    } else {
        "no reply".to_owned()
    };
    let mut line = format!("  {:<22} {figures}", truncated(about, 22));
    if call.attempt > 1 {
        let _ = write!(line, ", attempt {}", call.attempt);
    }
    if call.tries > 1 {
        let _ = write!(line, ", {} tries", call.tries);
    }
    if let Some(problem) = &call.problem {
        let _ = write!(line, ": {}", truncated(problem, SHOWN_CHARACTERS));
    }
    line
}

/// Tokens, money and time.
pub(super) fn figures(sum: &Totals) -> String {
    let seconds = sum.latency_milliseconds as f64 / 1000.0;
    let mut text = format!(
        "{:>7} in {:>6} out  {}  {seconds:>6.1} s",
        sum.input_tokens,
        sum.output_tokens,
        money(sum.cost_usd)
    );
    if sum.cached_tokens > 0 {
        let _ = write!(text, ", {} cached", sum.cached_tokens);
    }
    if sum.repaired > 0 {
        let _ = write!(text, ", {} repaired", sum.repaired);
    }
    text
}
