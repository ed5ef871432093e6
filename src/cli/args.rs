//! Arguments that several commands share. Those of a single command are in its file.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args, ValueEnum};

use super::help::{GLOBAL, MODEL, REPORT, SESSION, SOURCES, WORK};
use super::logging::LogFormat;
use super::terminal::Color;
use crate::artifact::session::{Depth, Mode, Style};
use crate::config::{self, Settings};
use crate::pipeline::{Request, RunOptions};
use crate::run::{Overrides, Question};
use crate::stage::{self, STAGES};

/// The options of every command.
#[derive(Debug, Args)]
pub(super) struct GlobalArgs {
    /// Print results as JSON, and errors as one JSON object
    #[arg(help_heading = GLOBAL, long, global = true)]
    pub(super) json: bool,

    /// Print nothing but errors to standard error
    #[arg(help_heading = GLOBAL, short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,

    /// Print more to standard error: progress (-v), debug logs (-vv), traces (-vvv); RUST_LOG
    /// selects logs in detail
    #[arg(help_heading = GLOBAL, short, long, global = true, action = ArgAction::Count)]
    pub(super) verbose: u8,

    /// Format of messages and logs on standard error
    #[arg(help_heading = GLOBAL,
        long,
        global = true,
        value_enum,
        value_name = "FORMAT",
        default_value_t
    )]
    pub(super) log_format: LogFormat,

    /// When to use colors
    #[arg(
        help_heading = GLOBAL,
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t
    )]
    pub(super) color: Color,

    /// Print a long report on a terminal without a pager
    #[arg(help_heading = GLOBAL, long, global = true)]
    pub(super) no_pager: bool,

    /// Change to this directory first
    #[arg(help_heading = GLOBAL, short = 'C', value_name = "DIR", global = true)]
    pub(super) directory: Option<PathBuf>,

    /// Directory of the sessions
    #[arg(help_heading = GLOBAL, long, value_name = "DIR", global = true)]
    pub(super) output_dir: Option<PathBuf>,
}

/// The options of a topic, of a single run or of a batch.
#[derive(Debug, Args)]
pub(super) struct TopicArgs {
    /// File or directory of documents to search; may be repeated
    #[arg(help_heading = SOURCES, long, value_name = "PATH")]
    pub(super) docs: Vec<PathBuf>,

    /// Services to search the web with: auto, none, or names such as wikipedia,arxiv; without
    /// --docs, the default is `search.services` of the settings (the command `research search`
    /// searches local documents only)
    #[arg(help_heading = SOURCES, long, value_name = "SERVICES", value_delimiter = ',')]
    pub(super) search: Option<Vec<String>>,

    /// Read only these hosts of the web, such as "*.gov,example.org"; with ! in front, all but
    /// these
    #[arg(help_heading = SOURCES, long, value_name = "HOSTS", value_delimiter = ',')]
    pub(super) domains: Vec<String>,

    /// Agents that run at all: deep_research (all of them), web_search (one quick search under a
    /// time limit), or simple (a direct answer, from documents or else from the model's own
    /// knowledge)
    #[arg(help_heading = WORK, long, value_enum)]
    pub(super) mode: Option<ModeName>,

    /// Amount of work: quick (at most three steps, the fewest calls), standard (six), deep (ten,
    /// and more of each), or auto, as the topic asks for
    #[arg(help_heading = WORK, long, value_enum)]
    pub(super) depth: Option<DepthName>,

    #[command(flatten)]
    pub(super) model_args: ModelArgs,

    #[command(flatten)]
    pub(super) style_args: StyleArgs,

    /// Accept a round at this review score, 0 to 1
    #[arg(help_heading = WORK, long, value_name = "SCORE")]
    pub(super) threshold: Option<f64>,

    /// Maximum number of rounds of analysis, writing and review
    #[arg(help_heading = WORK, long, value_name = "N")]
    pub(super) max_rounds: Option<u32>,

    /// Stop after this stage
    #[arg(help_heading = SESSION, long, value_name = "STAGE", value_parser = stage_names())]
    pub(super) until: Option<String>,

    /// Rerun all stages; existing files are moved aside
    #[arg(help_heading = SESSION, long)]
    pub(super) force: bool,

    /// Rerun what was made with another prompt, model or configuration
    #[arg(help_heading = SESSION, long)]
    pub(super) refresh: bool,

    /// Keep what was read of documents that have changed since, appeared or vanished
    #[arg(help_heading = SESSION, long)]
    pub(super) frozen: bool,

    #[command(flatten)]
    pub(super) age_args: AgeArgs,

    /// Show what would run, and why, without running it
    #[arg(help_heading = SESSION, short = 'n', long)]
    pub(super) dry_run: bool,

    /// Wait for a session that is in use
    #[arg(help_heading = SESSION, long)]
    pub(super) wait: bool,

    /// Do not ask for clarification of an unclear topic
    #[arg(help_heading = WORK, long)]
    pub(super) no_clarify: bool,

    /// Exit with 3 if no round reaches the threshold, the topic is not answered as asked, or a
    /// claim was changed by hand; `run` also with 1 if no call of the model gave a usable answer
    #[arg(help_heading = WORK, long)]
    pub(super) strict: bool,
}

/// The style of a new session's report.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct StyleArgs {
    /// Quote the sources word for word even with a model, which writes prose otherwise
    #[arg(help_heading = REPORT, long)]
    quote_only: bool,

    /// Kind of the report that a model writes: detailed, summary, academic, brief, or one of your
    /// own, by the name of its prompt in PROMPTS_DIR/reports
    #[arg(help_heading = REPORT, long, value_name = "KIND")]
    report: Option<String>,

    /// Language of the report that a model writes, such as German
    #[arg(help_heading = REPORT, long, value_name = "LANGUAGE")]
    lang: Option<String>,

    /// Maximum number of words of that report; 0: 250 for a brief, 500 for a summary, else 1200 to
    /// 3200 by depth
    #[arg(help_heading = REPORT, long, value_name = "N")]
    words: Option<usize>,

    /// Readers of that report, such as "engineers"
    #[arg(help_heading = REPORT, long, value_name = "READERS")]
    audience: Option<String>,

    /// Tone of that report, such as "formal"
    #[arg(help_heading = REPORT, long, value_name = "TONE")]
    tone: Option<String>,
}

impl StyleArgs {
    /// The names of the options given that style what a model writes.
    pub(super) fn of_prose(&self) -> Vec<&'static str> {
        let options = [
            (self.report.is_some(), "--report"),
            (self.lang.is_some(), "--lang"),
            (self.words.is_some(), "--words"),
            (self.audience.is_some(), "--audience"),
            (self.tone.is_some(), "--tone"),
        ];
        let given = options.into_iter().filter(|(is_given, _)| *is_given);
        given.map(|(_, name)| name).collect()
    }

    /// The style: these options over the settings.
    pub(super) fn style(&self, settings: &Style) -> Style {
        let Style {
            quote_only,
            kind,
            language,
            words,
            audience,
            tone,
        } = settings.clone();
        Style {
            quote_only: self.quote_only || quote_only,
            kind: self.report.clone().unwrap_or(kind),
            language: self.lang.clone().unwrap_or(language),
            words: self.words.unwrap_or(words),
            audience: self.audience.clone().unwrap_or(audience),
            tone: self.tone.clone().unwrap_or(tone),
        }
    }
}

impl TopicArgs {
    /// The options that override the terms of a session.
    ///
    /// # Errors
    /// When an option is out of range.
    pub(super) fn overrides(&self) -> Result<Overrides> {
        // clap parses the numbers; the ranges are checked as for the settings, and exclude NaN.
        if let Some(threshold) = self.threshold {
            config::check_threshold(threshold).context("--threshold")?;
        }
        if let Some(rounds) = self.max_rounds {
            config::check_rounds(rounds).context("--max-rounds")?;
        }
        Ok(Overrides {
            threshold: self.threshold,
            max_rounds: self.max_rounds,
            no_clarify: self.no_clarify,
            approve_plan: false,
        })
    }

    /// The question on `topic` that the options describe, which follows up no session.
    pub(super) fn question(&self, topic: &str, settings: &Settings) -> Question {
        Question {
            topic: topic.to_owned(),
            mode: self.mode.map(Into::into),
            depth: self.depth.map(Into::into),
            documents: self.docs.clone(),
            search: self.search.clone(),
            domains: self.domains.clone(),
            is_offline: self.model_args.offline,
            style: self.style_args.style(&settings.report.style),
            follow: None,
        }
    }

    /// The request to the engine; what was fetched before a time may be stale. `--force` reruns
    /// from the first stage, whatever `from` is.
    pub(super) fn request(&self, from: Option<&str>, fetched_since: Option<String>) -> Request {
        let first = STAGES.first().map(|stage| stage.name);
        // `--force` is `--from` the first stage.
        let from = if self.force { first } else { from };
        Request {
            from: from.map(str::to_owned),
            until: self.until.clone(),
            refresh: self.refresh,
            frozen: self.frozen,
            fetched_since,
        }
    }
}

/// The option of the age of what was read on the web.
#[derive(Debug, Default, Args)]
pub(super) struct AgeArgs {
    /// Read the web anew where a page was read longer ago than this, such as 12h or 30d
    #[arg(help_heading = SESSION, long, value_name = "TIME")]
    pub(super) max_age: Option<String>,
}

/// The options of the model backend and its budget.
#[derive(Debug, Args)]
pub(super) struct ModelArgs {
    /// Use no model and no network; the agents follow their rules (the default if no model is
    /// found)
    #[arg(help_heading = MODEL, long, conflicts_with = "model")]
    pub(super) offline: bool,

    /// Use this model, such as openai:gpt-4o
    #[arg(help_heading = MODEL, long, value_name = "PROVIDER:MODEL")]
    pub(super) model: Option<String>,

    /// Maximum cost in US dollars; 0 for no limit
    #[arg(help_heading = MODEL, long, value_name = "USD")]
    pub(super) max_cost: Option<f64>,

    /// Maximum number of tokens; 0 for no limit
    #[arg(help_heading = MODEL, long, value_name = "N")]
    pub(super) max_tokens: Option<u64>,

    /// Time limit in seconds, which includes writing the report, but in mode web_search only the
    /// search; 0 for no limit, as by default in mode simple
    #[arg(help_heading = MODEL, long, value_name = "SECONDS")]
    pub(super) timeout: Option<u64>,
}

impl ModelArgs {
    /// The options that a command which resumes the session repeats.
    pub(super) fn options(&self) -> RunOptions {
        RunOptions {
            offline: self.offline,
            model: self.model.clone(),
            max_cost_usd: self.max_cost,
            max_tokens: self.max_tokens,
            timeout_seconds: self.timeout,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(super) enum ModeName {
    Simple,
    #[value(alias = "web-search")]
    WebSearch,
    #[value(alias = "deep-research")]
    DeepResearch,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Simple => Self::Simple,
            ModeName::WebSearch => Self::WebSearch,
            ModeName::DeepResearch => Self::DeepResearch,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DepthName {
    Auto,
    #[value(alias = "light")]
    Quick,
    #[value(alias = "medium")]
    Standard,
    #[value(alias = "extended")]
    Deep,
}

impl From<DepthName> for Depth {
    fn from(name: DepthName) -> Self {
        match name {
            DepthName::Auto => Self::Auto,
            DepthName::Quick => Self::Quick,
            DepthName::Standard => Self::Standard,
            DepthName::Deep => Self::Deep,
        }
    }
}

/// The parser of options whose values are the names of stages.
pub(super) fn stage_names() -> PossibleValuesParser {
    PossibleValuesParser::new(stage::names(STAGES))
}

/// A number of jobs, from 1 to `most`.
pub(super) fn jobs(text: &str, most: u16) -> Result<u16, String> {
    let number = text.parse().ok().filter(|jobs| (1..=most).contains(jobs));
    number.ok_or_else(|| format!("not a whole number from 1 to {most}"))
}
