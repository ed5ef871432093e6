//! `session.json`: the parameters of a session; and the state of a session, computed from its
//! files.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pipeline::Version;

/// The parameters of a session, written when it is created and never changed by the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// The version of the file format.
    pub version: Version<1>,
    /// The name of the session's directory.
    pub id: String,
    /// The topic, word for word.
    pub topic: String,
    /// The mode of research.
    pub mode: Mode,
    /// The depth of the research; `auto` leaves it to the coordinator.
    pub depth: Depth,
    /// Files and directories to read: absolute, or relative to the session's directory.
    pub documents: Vec<String>,
    /// The directory of the session that this one follows, in the same form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// The documents of that session, which are searched anew unless the topic only asks it for a
    /// clarification.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inherited: Vec<String>,
    /// The services used to search the web; `auto` leaves the choice to the program. Empty: the web
    /// is not searched.
    // Optional in the file, as all fields with a default here: they were added later, and sessions
    // of older versions must stay readable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub search: Vec<String>,
    /// The hosts that may be fetched, such as `*.gov`, and, with `!` in front, those that may not.
    /// Empty: any host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domains: Vec<String>,
    /// The style of the report.
    #[serde(default, skip_serializing_if = "Style::is_default")]
    pub style: Style,
    /// The score from which a round is accepted, 0 to 1.
    pub threshold: f64,
    /// The largest number of rounds of analysis, writing and review.
    pub max_rounds: u32,
    /// `true` if the coordinator may ask the user questions.
    pub clarify: bool,
    /// The owner of the session.
    pub owner: String,
    /// The terms of its first run, where whoever goes on with it could not know them otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_run: Option<FirstRun>,
    /// The last messages of the session that this one follows, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// The time at which it was created, RFC 3339.
    pub started_at: String,
}

impl Session {
    /// The file, which makes a directory a session.
    pub const FILE: &'static str = "session.json";
}

/// The terms of the first run of a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FirstRun {
    /// `true` if it used no model and no network.
    pub offline: bool,
    /// `true` if it stopped after the first plan, for approval.
    pub approve_plan: bool,
    /// The maximum cost in US dollars, if it had one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost_usd: Option<f64>,
    /// The maximum number of tokens, if it had one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The time limit in seconds, if it had one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u64>,
}

impl Session {
    /// `true` if it names documents, or an earlier session that has sources.
    pub fn has_sources(&self) -> bool {
        !self.documents.is_empty() || self.follows.is_some()
    }
}

/// The style of a report that a model writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    /// `true` for a report in quotations, as without a model.
    pub quote_only: bool,
    /// The kind of report: `detailed`, `summary`, `academic`, `brief` or one of the user's own, by
    /// the name of its prompt in `reports/`.
    pub kind: String,
    /// The language, such as `German`; empty: that of the topic.
    pub language: String,
    /// The maximum number of words; 0 leaves it to the kind and the depth.
    pub words: usize,
    /// The readers, such as `engineers`; empty: anybody.
    pub audience: String,
    /// The tone, such as `formal`; empty: plain.
    pub tone: String,
}

/// The kind of report that nobody asked for by name.
const DEFAULT_KIND: &str = "detailed";

impl Default for Style {
    fn default() -> Self {
        Self {
            quote_only: false,
            kind: DEFAULT_KIND.to_owned(),
            language: String::new(),
            words: 0,
            audience: String::new(),
            tone: String::new(),
        }
    }
}

impl Style {
    /// `true` if nothing was asked for: then older sessions, which have no style, mean the same.
    pub fn is_default(&self) -> bool {
        let Self {
            quote_only,
            kind,
            language,
            words,
            audience,
            tone,
        } = self;
        let others = [language, audience, tone];
        !quote_only
            && kind == DEFAULT_KIND
            && *words == 0
            && others.iter().all(|own| own.is_empty())
    }
}

/// The mode of research: the agents that run at all, whatever the depth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// A direct answer: from the documents or the earlier session, if any, in one step; else from
    /// the model's own knowledge. No time limit.
    Simple,
    /// One step with a quick web search under a time limit of its own, then a direct answer.
    WebSearch,
    /// All of them.
    #[default]
    DeepResearch,
}

impl Mode {
    /// The depth that the mode forces; `None` if it leaves the choice.
    pub fn depth(self) -> Option<Depth> {
        (self != Self::DeepResearch).then_some(Depth::Quick)
    }

    /// `true` if the model may always answer from its own knowledge where no source does.
    pub fn answers_directly(self) -> bool {
        self != Self::DeepResearch
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Simple => "simple",
            Self::WebSearch => "web_search",
            Self::DeepResearch => "deep_research",
        })
    }
}

/// The depth of the research.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
// The order of the variants is the order of the derived `Ord`: deeper is greater.
pub enum Depth {
    /// As the coordinator recommends.
    Auto,
    /// 1–3 steps.
    #[serde(alias = "light")]
    Quick,
    /// 3–6 steps.
    #[serde(alias = "medium")]
    Standard,
    /// 5–10 steps.
    #[serde(alias = "extended")]
    Deep,
}

/// The state of a session, as its files show it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    /// Created, but not started.
    #[default]
    Pending,
    /// `research.json` is being made.
    Researching,
    /// `analysis.json` is being made.
    Analyzing,
    /// `report.json` is being made.
    Writing,
    /// `review.json` is being made.
    Reviewing,
    /// The report is published.
    Complete,
    /// The report is published, and says that the sources are silent on the topic.
    NoEvidence,
    /// A report was published, and what it was made from has changed since.
    Outdated,
    /// The last run ended with a question to the user, or a plan to be approved.
    Waiting,
    /// The last run was interrupted, or its process died.
    Interrupted,
    /// The last run ended as its budget or its time was used up.
    BudgetEnded,
    /// A file of the session cannot be read.
    Broken,
    /// The last run failed. A new run continues from the existing files.
    Failed,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 13] = [
        Self::Pending,
        Self::Researching,
        Self::Analyzing,
        Self::Writing,
        Self::Reviewing,
        Self::Complete,
        Self::NoEvidence,
        Self::Outdated,
        Self::Waiting,
        Self::Interrupted,
        Self::BudgetEnded,
        Self::Broken,
        Self::Failed,
    ];

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Researching => "RESEARCHING",
            Self::Analyzing => "ANALYZING",
            Self::Writing => "WRITING",
            Self::Reviewing => "REVIEWING",
            Self::Complete => "COMPLETE",
            Self::NoEvidence => "NO_EVIDENCE",
            Self::Outdated => "OUTDATED",
            Self::Waiting => "WAITING",
            Self::Interrupted => "INTERRUPTED",
            Self::BudgetEnded => "BUDGET_ENDED",
            Self::Broken => "BROKEN",
            Self::Failed => "FAILED",
        }
    }

    /// `true` if there is a published report that is up to date.
    pub fn is_published(self) -> bool {
        matches!(self, Self::Complete | Self::NoEvidence)
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `pad` applies the width of the format string, which aligns tables.
        formatter.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_in_the_list_of_all() {
        let schema = schemars::schema_for!(State).to_value();
        let variants = schema["oneOf"].as_array().unwrap().iter();
        let names = variants.flat_map(|own| match own["enum"].as_array() {
            Some(names) => names.clone(),
            None => vec![own["const"].clone()],
        });
        let mut names: Vec<String> = names.map(|own| own.as_str().unwrap().to_owned()).collect();
        let mut listed = State::ALL.map(State::name).to_vec();
        names.sort();
        listed.sort_unstable();
        assert_eq!(listed, names);
    }
}
