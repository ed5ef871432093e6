//! A prompt as it would be rendered for a session, from what its files hold by now.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::content;
use crate::agent::answers::Answering;
use crate::agent::prompts::Prompts;
use crate::agent::{Agent, Reflector, Researcher};
use crate::agent::{
    Analyst, AnalystInput, Coordinator, CoordinatorInput, Planner, PlannerInput, Reviewer,
    ReviewerInput, Writer, WriterInput,
};
use crate::artifact::{Analysis, Classification, Report, Research, Session};
use crate::config::Settings;
use crate::model::calls;
use crate::session;

/// The prompt `name` for the session at `path`.
///
/// # Errors
/// When the files that it is made from are not there yet.
pub fn rendered(path: &Path, settings: &Settings, prompts: &Prompts, name: &str) -> Result<String> {
    let session = session::read(path)?;
    let context = match name {
        "workflow" => json!({"date": session.started_at.split('T').next()}),
        "delegation" => json!({}),
        Coordinator::NAME => context::<Coordinator>(&coordinator(&session, settings)),
        Planner::NAME => context::<Planner>(&planner(path, &session, settings)?),
        Analyst::NAME => context::<Analyst>(&AnalystInput {
            research: need(path, "research.json")?,
            notes: Vec::new(),
        }),
        Writer::NAME => context::<Writer>(&WriterInput {
            analysis: need::<Analysis>(path, "analysis.json")?,
            research: need(path, "research.json")?,
        }),
        Reviewer::NAME => context::<Reviewer>(&reviewer(path, &session, settings)?),
        Researcher::NAME | Reflector::NAME => return journalled(path, name),
        _ => bail!("there is no such prompt"),
    };
    prompts.render(name, context)
}

fn context<A: Answering>(input: &A::Input) -> Value {
    A::context(input, A::items(input))
}

fn need<T: serde::de::DeserializeOwned>(path: &Path, file: &str) -> Result<T> {
    content(path, file).with_context(|| format!("{file} is not there yet"))
}

fn coordinator(session: &Session, settings: &Settings) -> CoordinatorInput {
    CoordinatorInput {
        topic: session.topic.clone(),
        max_questions: settings.agents.coordinator.max_clarifying_questions,
        messages: session.messages.clone(),
    }
}

fn planner(path: &Path, session: &Session, settings: &Settings) -> Result<PlannerInput> {
    let classification: Classification = need(path, "research/classification.json")?;
    Ok(PlannerInput {
        topic: session.topic.clone(),
        max_steps: settings.limits(session.depth).max_steps,
        max_queries: settings.agents.researcher.max_search_queries,
        classification,
        iteration: 1,
        completed: Vec::new(),
        wanted: Vec::new(),
    })
}

fn reviewer(path: &Path, session: &Session, settings: &Settings) -> Result<ReviewerInput> {
    let research: Research = need(path, "research.json")?;
    let report: Report = need(path, "report.json")?;
    Ok(ReviewerInput {
        wanted_claims: 2 * settings.limits(research.depth).min_steps,
        weights: settings.reviewer.weights,
        threshold: session.threshold,
        may_research: true,
        report,
        research,
    })
}

/// What an agent that sees searches was told first, as the journal keeps it.
fn journalled(path: &Path, name: &str) -> Result<String> {
    let mut calls = calls(path)?.into_iter().filter(|call| call.agent == name);
    let first = calls.next().with_context(|| {
        format!("the {name} is told what searches found, which only the journal of a session keeps that a model answered")
    })?;
    let message = first.messages.into_iter().nth(1);
    Ok(message.map(|message| message.text).unwrap_or_default())
}
