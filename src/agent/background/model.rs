//! The background agent's model side: it chooses the queries.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::definition::{DepthShape, ModelAgent, SessionView};
use super::{Background, BackgroundInput, QUERY};
use crate::model::CallEstimate;
use crate::text;

/// The queries of a first look.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct BackgroundAnswer {
    /// What the planner has to know first, in one sentence of at most 20 words.
    #[serde(default)]
    #[expect(dead_code, reason = "a reason before a decision improves it")]
    reasoning: String,
    /// The search queries: words that a document on it would contain.
    #[schemars(length(max = 3))]
    queries: Vec<String>,
}

impl ModelAgent for Background {
    type Answer = BackgroundAnswer;
    const OUTPUT_TOKENS: u32 = 400;

    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: usize::from(shape.background_queries > 0),
            input_tokens: 420,
            output_tokens: 50,
        }
    }

    fn context(input: &BackgroundInput, _items: usize) -> Context {
        json!({
            "topic": input.topic,
            "kind": input.classification.kind,
            "max_queries": input.max_queries,
        })
    }

    fn validate(
        input: &BackgroundInput,
        _items: usize,
        answer: BackgroundAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Vec<String>, String> {
        let mut queries: Vec<String> = Vec::new();
        for query in answer.queries {
            let query = line(&query, QUERY);
            let is_new = !queries.contains(&query) && !text::terms(&query).is_empty();
            if is_new && queries.len() < input.max_queries {
                queries.push(query);
            } else {
                left_out.push(format!("the query {query:?}"));
            }
        }
        if queries.is_empty() {
            return Err("queries is empty: write at least one".to_owned());
        }
        Ok(queries)
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<BackgroundInput>> {
        Ok(Some(BackgroundInput {
            topic: session.session.topic.clone(),
            classification: session.content("research/classification.json")?,
            max_queries: session.settings.agents.background.max_queries,
        }))
    }
}
