//! The agents, a folder each: a typed judgement, the **rule** that makes it in plain code and
//! stands in for a model (`mod.rs`), and its model side (`model.rs`: prompt context, answer,
//! validation).
//!
//! An agent sees its typed input and nothing else: no file, no network, no clock. Its rule is a
//! pure function, so the same input gives the same output. No rule writes a sentence of a report:
//! it chooses among sentences of the sources. [`Backend`] asks the rules or language models.
//!
//! Agents are registered in [`AGENTS`] alone: model tiers, budget phases, forecasts, prompts
//! and their previews derive from it.

mod analyst;
mod answer;
pub mod backend;
mod background;
mod coordinator;
mod definition;
mod edition;
mod planner;
mod reflector;
mod researcher;
mod reviewer;
mod reviser;
mod similarity;
mod social;
mod succession;
mod table;
mod verifier;
mod writer;

pub use crate::model::{Phase, Tier};

pub use analyst::{Analyst, AnalystInput};
pub use backend::Backend;
pub use background::{Background, BackgroundInput, known_before_plan};
pub use coordinator::{ANSWER_PREFIX, Coordinator, CoordinatorInput, QUESTION_PREFIX, in_full};
pub use definition::{
    Agent, AgentInfo, Context, DepthShape, INSTRUCTION_TOKENS, ModelAgent, SENTENCE_TOKENS,
    SessionView, expected_calls,
};
pub use planner::{Planner, PlannerInput};
pub use reflector::{Reflector, ReflectorInput, StepReport};
pub use researcher::{
    Action, Candidate, ListPart, Observation, Researcher, ResearcherInput, ResearcherOutput,
    Selected, ShownHit, ShownPassage, TermWeight, TopicDocument, Transcript, Turn, TurnsLeft,
    coverage, quotable,
};
pub use reviewer::{Reviewer, ReviewerInput};
pub use reviser::{Reviser, ReviserInput};
pub use social::{Social, SocialInput, SocialOutput};
pub use succession::{is_amendment_of, names_amendment};
pub use table::{AGENTS, agents_of};
pub use verifier::{Verifier, VerifierInput, stricter};
pub use writer::{
    CONCLUSION, Draft, Material, ReportPart, SUMMARY, SectionInput, Writer, WriterInput,
    WrittenSection, WrittenSentence, flow, frame, of_passage, quote, requests, series,
};
