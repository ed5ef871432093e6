//! The definition of an agent: its rule ([`Agent`]), its model side ([`ModelAgent`]), and its entry
//! in the table of agents ([`AgentInfo`]).

use std::io;

use anyhow::{Context as _, Result, anyhow};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::artifact::{self, Artifact, Session};
use crate::config::Settings;
use crate::model::lenient::{self, Parsed};
use crate::model::{CallEstimate, ExpectedCalls, Phase, Tier};

/// The values that a prompt is rendered with.
pub use serde_json::Value as Context;

/// Tokens of the instructions of a call with the shape of its answer, where an agent's own number
/// is not known better: three quarters of the upper estimate for the prompts of the shipped
/// example. So are the agents' own numbers.
pub const INSTRUCTION_TOKENS: usize = 700;

/// Tokens of a sentence of a document with its fence and headings; estimated in the same way.
pub const SENTENCE_TOKENS: usize = 55;

/// A typed judgement, with the rule that makes it in plain code.
pub trait Agent {
    /// Everything that the agent may see.
    type Input;
    /// The judgement.
    type Output;
    /// The agent's name: that of its folder and of its prompt.
    const NAME: &'static str;
    /// The tier of the model that answers for it.
    const TIER: Tier;
    /// The budget phase of its calls: those that finish a report may use what gathering left over.
    const PHASE: Phase;
    /// The built-in prompt template.
    const PROMPT: &'static str;

    /// The judgement made by plain code.
    fn rule(input: &Self::Input) -> Self::Output;
}

/// An agent that a language model can answer for.
///
/// A model's answer is never trusted where it can be checked: ids must exist, quotations must be
/// words of their passages, limits are enforced by code. An answer that fails validation is
/// rejected with a reason that the model can act on, and the request is sent again with it.
pub trait ModelAgent: Agent {
    /// The model's answer; its JSON schema, with the doc comments, is part of the request, unless
    /// the answer is plain text.
    type Answer: DeserializeOwned + JsonSchema;
    /// The limit of a reply in tokens, thinking aside: well above the length of a sound answer.
    const OUTPUT_TOKENS: u32;

    /// `true` if the answer is plain text, and not JSON: the simplest format that works for prose.
    const IS_TEXT: bool = false;

    /// The limit of the reply to one input in tokens, up to [`Self::OUTPUT_TOKENS`].
    fn output_tokens(_input: &Self::Input) -> u32 {
        Self::OUTPUT_TOKENS
    }

    /// The estimate of the agent's calls in a round at a depth.
    fn expected(shape: DepthShape) -> CallEstimate;

    /// Parses a reply: JSON, unless the answer is plain text.
    ///
    /// # Errors
    /// The problem, in words that the model can act on.
    fn parse(reply: &str) -> Result<Parsed<Self::Answer>, String> {
        lenient::parse(reply)
    }

    /// The subject of a call, where an agent is called several times in a round.
    fn about(_input: &Self::Input) -> String {
        String::new()
    }

    /// The number of passages in the prompt, before any are dropped to fit the context window.
    fn items(_input: &Self::Input) -> usize {
        0
    }

    /// `true` if there is anything to judge; on an empty input the rule answers.
    fn is_question(_input: &Self::Input) -> bool {
        true
    }

    /// The values that the prompt is rendered with, with this many passages.
    fn context(input: &Self::Input, items: usize) -> Context;

    /// The turns after the prompt, oldest first, for an agent that takes several: what the model
    /// answered, and the values with which the template `observation` says what came of it.
    fn exchanges(_input: &Self::Input, _items: usize) -> Vec<(String, Context)> {
        Vec::new()
    }

    /// Fits the JSON schema of the answer to an input, where that decides which fields there are.
    fn fit_schema(_input: &Self::Input, _schema: &mut Context) {}

    /// Validates an answer and turns it into the output. Parts that were dropped are described in
    /// `left_out`.
    ///
    /// # Errors
    /// The reason for the rejection, in words that the model can act on.
    fn validate(
        input: &Self::Input,
        items: usize,
        answer: Self::Answer,
        left_out: &mut Vec<String>,
    ) -> Result<Self::Output, String>;

    /// The input of the agent's first call, from the files of a session; `None` if it is made from
    /// search results, which no file holds. It serves to show the rendered prompt.
    ///
    /// # Errors
    /// When a file that it is made from does not exist yet.
    fn preview(_session: &SessionView<'_>) -> Result<Option<Self::Input>> {
        Ok(None)
    }
}

/// The entry of an agent in the table of agents: everything about it except its types.
#[derive(Debug, Clone, Copy)]
pub struct AgentInfo {
    /// The agent's name.
    pub name: &'static str,
    /// The tier of the model that answers for it.
    pub tier: Tier,
    /// The budget phase of its calls.
    pub phase: Phase,
    /// The built-in prompt template.
    pub prompt: &'static str,
    /// The limit of a reply in tokens, thinking aside.
    pub output_tokens: u32,
    /// The estimate of the agent's calls in a round at a depth.
    pub expected: fn(DepthShape) -> CallEstimate,
    /// The values that the prompt of its first call is rendered with, from the files of a session;
    /// `None` if no file holds them.
    pub preview: fn(&SessionView<'_>) -> Result<Option<Context>>,
}

impl AgentInfo {
    /// The entry of an agent.
    pub const fn of<A: ModelAgent>() -> Self {
        Self {
            name: A::NAME,
            tier: A::TIER,
            phase: A::PHASE,
            prompt: A::PROMPT,
            output_tokens: A::OUTPUT_TOKENS,
            expected: A::expected,
            preview: preview::<A>,
        }
    }
}

fn preview<A: ModelAgent>(session: &SessionView<'_>) -> Result<Option<Context>> {
    let input = A::preview(session)?;
    Ok(input.map(|input| A::context(&input, A::items(&input))))
}

/// The calls that these agents are expected to make in a round at a depth.
pub fn expected_calls(agents: &[AgentInfo], shape: DepthShape) -> Vec<ExpectedCalls> {
    agents
        .iter()
        .map(|agent| ExpectedCalls {
            agent: agent.name,
            tier: agent.tier,
            phase: agent.phase,
            max_output_tokens: agent.output_tokens,
            estimate: (agent.expected)(shape),
        })
        .collect()
}

/// The figures of a depth that a forecast is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DepthShape {
    /// The maximum number of steps.
    pub steps: usize,
    /// The maximum number of passages that a step contributes.
    pub passages_per_step: usize,
    /// The maximum number of searches before the plan; 0 if there are none.
    pub background_queries: usize,
    /// `true` if the reflector is asked when every step is done.
    pub reflects_at_end: bool,
    /// The number of calls that a researcher is expected to make for a step.
    pub turns_per_step: usize,
    /// The number of times that a model checks a sentence of the report.
    pub verifications: usize,
    /// `true` if people's posts are searched.
    pub is_social: bool,
}

impl DepthShape {
    /// The maximum number of passages of all steps together.
    pub fn passages(self) -> usize {
        self.steps * self.passages_per_step
    }

    /// The estimate of a single call with all passages in its prompt.
    pub fn call_with_all_passages(self, output_tokens: usize) -> CallEstimate {
        CallEstimate {
            calls: 1,
            input_tokens: INSTRUCTION_TOKENS + SENTENCE_TOKENS * self.passages(),
            output_tokens,
        }
    }
}

/// A session's files as far as they are needed to preview a prompt.
pub struct SessionView<'a> {
    /// The session.
    pub session: &'a Session,
    /// All settings.
    pub settings: &'a Settings,
    /// Reads a file of the session by its name.
    pub read: &'a dyn Fn(&str) -> io::Result<Vec<u8>>,
}

impl SessionView<'_> {
    /// The content of an artifact.
    ///
    /// # Errors
    /// When the file is missing or cannot be parsed.
    pub fn content<T: DeserializeOwned>(&self, file: &str) -> Result<T> {
        let bytes = (self.read)(file).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                return anyhow!("{file} is not there yet");
            }
            anyhow!(error).context(format!("{file} cannot be read"))
        })?;
        let artifact: Artifact<T> =
            artifact::parse(&bytes).with_context(|| format!("{file} cannot be read"))?;
        Ok(artifact.content)
    }
}
