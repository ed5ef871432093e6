//! The command line: every flag, once. Completions and manual pages are made from it.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args, ValueEnum};

use super::logging::LogFormat;
use crate::artifact::session::Depth;
use crate::batch::Shard;
use crate::config;
use crate::pipeline::Request;
use crate::run::Overrides;
use crate::stage::{self, STAGES};

pub(super) const EXIT_CODES: &str = "Exit codes: 0 complete, 1 failed, 2 usage or settings, 3 complete but below the threshold (with \
--strict), 4 needs clarification, 5 no evidence found, 6 budget or time exhausted, 7 session in use, 130 interrupted.";

const BATCH: &str = "A list holds a topic a line; empty lines and lines that begin with # do not count. A line that begins \
with { is JSON: {\"topic\": …, \"docs\": […], \"depth\": …, \"threshold\": …, \"max_rounds\": …, \"session\": …}, where what is \
left out is as the options say. Standard output gets the path of each report, in the order of the list.

Exit codes: 1 if a topic failed; else 4 if one is not clear; else 6 if the budget ended before one; else 7 if one is in use \
by another process; else 3 if one is below the threshold (with --strict); 5 if all are without evidence; else 0. Interrupted: \
130.";

/// The options of every command.
#[derive(Debug, Args)]
pub(super) struct GlobalArgs {
    /// Print results as JSON
    #[arg(long, global = true)]
    pub(super) json: bool,

    /// Print nothing but errors to standard error
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,

    /// Print more to standard error: progress (-v), debug logs (-vv), traces (-vvv); RUST_LOG
    /// selects logs in detail
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(super) verbose: u8,

    /// Format of messages and logs on standard error
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "FORMAT",
        default_value_t
    )]
    pub(super) log_format: LogFormat,

    /// Change to this directory first
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(super) directory: Option<PathBuf>,

    /// Directory of the sessions
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) output_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// What to research.
    #[arg(required_unless_present_any = ["resume", "replay"])]
    pub(super) topic: Option<String>,

    /// Go on with this session: id, unique beginning, path, or `last`.
    #[arg(long, value_name = "SESSION", conflicts_with_all = ["topic", "docs", "depth", "session"])]
    pub(super) resume: Option<String>,

    /// Run this session again as a new one, answered from its journal alone, without any network;
    /// fail at the first request that is not in it.
    #[arg(long, value_name = "SESSION", conflicts_with_all = ["topic", "resume", "docs", "depth", "model", "offline"])]
    pub(super) replay: Option<String>,

    /// Go on from what this session found: its last messages are known, and its sources are
    /// searched too.
    #[arg(long, value_name = "SESSION", conflicts_with_all = ["resume", "replay"])]
    pub(super) follow: Option<String>,

    /// Name the new session.
    #[arg(long, value_name = "ID")]
    pub(super) session: Option<String>,

    #[command(flatten)]
    pub(super) topic_args: TopicArgs,

    /// Make this stage and all after it again; what is there is moved aside.
    #[arg(long, value_name = "STAGE", conflicts_with = "force", value_parser = stage_names())]
    pub(super) from: Option<String>,

    /// Formats to write beside the published report
    #[arg(long, value_delimiter = ',', value_name = "FORMAT")]
    pub(super) format: Vec<String>,
}

/// What may be said of a topic, be it one or one of many.
#[derive(Debug, Args)]
pub(super) struct TopicArgs {
    /// Read these documents: a file or a directory, as often as needed.
    #[arg(long, value_name = "PATH")]
    pub(super) docs: Vec<PathBuf>,

    /// Search the web with these services: auto, none, or names as in wikipedia,arxiv. Without
    /// documents: as the settings say.
    #[arg(long, value_name = "SERVICES", value_delimiter = ',')]
    pub(super) search: Option<Vec<String>>,

    /// Read only these hosts, as in "*.gov,example.org"; with ! in front, not those.
    #[arg(long, value_name = "HOSTS", value_delimiter = ',')]
    pub(super) domains: Vec<String>,

    /// How much to do.
    #[arg(long, value_enum)]
    pub(super) depth: Option<DepthName>,

    #[command(flatten)]
    pub(super) model_args: ModelArgs,

    /// Accept a round from this score, 0 to 1.
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    pub(super) threshold: Option<f64>,

    /// Rounds of analysis, writing and review at most.
    #[arg(long, value_name = "N")]
    pub(super) max_rounds: Option<u32>,

    /// Stop when this stage is done.
    #[arg(long, value_name = "STAGE", value_parser = stage_names())]
    pub(super) until: Option<String>,

    /// Make everything again; what is there is moved aside.
    #[arg(long)]
    pub(super) force: bool,

    /// Make again what another prompt, model or configuration made.
    #[arg(long)]
    pub(super) refresh: bool,

    /// Say what would run and why, and do nothing.
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,

    /// Wait for a session that is in use.
    #[arg(long)]
    pub(super) wait: bool,

    /// Do not ask back when a topic is not clear.
    #[arg(long)]
    pub(super) no_clarify: bool,

    /// Exit with 3 if no round reaches the threshold.
    #[arg(long)]
    pub(super) strict: bool,
}

impl TopicArgs {
    /// What the options change about a session's own terms.
    pub(super) fn overrides(&self) -> Result<Overrides> {
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
        })
    }

    /// What is asked for beyond going on; `from` gives way to `--force`.
    pub(super) fn request(&self, from: Option<&str>) -> Request {
        let first = STAGES.first().map(|stage| stage.name);
        let from = if self.force { first } else { from };
        Request {
            from: from.map(str::to_owned),
            until: self.until.clone(),
            refresh: self.refresh,
        }
    }
}

/// Who answers, and what it may take.
#[derive(Debug, Args)]
pub(super) struct ModelArgs {
    /// Answer by rules only: no model, no network. The default as long as no model is found.
    #[arg(long, conflicts_with = "model")]
    pub(super) offline: bool,

    /// Answer by this model, as in openai:gpt-4o.
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub(super) model: Option<String>,

    /// Spend this much at most, in US dollars; 0 for no limit.
    #[arg(long, value_name = "USD")]
    pub(super) max_cost: Option<f64>,

    /// Use this many tokens at most; 0 for no limit.
    #[arg(long, value_name = "N")]
    pub(super) max_tokens: Option<u64>,

    /// Stop gathering in time to be done after this many seconds; 0 for no limit.
    #[arg(long, value_name = "SECONDS")]
    pub(super) timeout: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = BATCH)]
pub(super) struct BatchArgs {
    /// The list of topics; `-` is standard input.
    pub(super) list: PathBuf,

    /// Topics at once; eight for each processor, but not more than 64, unless given.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) jobs: Option<u16>,

    /// Begin new topics after one has failed.
    #[arg(short, long)]
    pub(super) keep_going: bool,

    /// Take only this part of the list, chosen by the topics' hashes.
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,

    #[command(flatten)]
    pub(super) topic_args: TopicArgs,
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

/// Returns the parser of a stage's name.
fn stage_names() -> PossibleValuesParser {
    PossibleValuesParser::new(stage::names(STAGES))
}
