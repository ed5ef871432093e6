//! The command line: every flag, once. Completions and manual pages are made from it.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::artifact::session::Depth;
use crate::config;
use crate::export::Kind;
use crate::export::citation::Style;
use crate::pipeline::Request;
use crate::run::Overrides;
use crate::run::batch::Shard;

const EXIT_CODES: &str = "Exit codes: 0 complete, 1 failed, 2 usage or settings, 3 complete but below the threshold (with \
--strict), 4 needs clarification, 5 no evidence found, 6 budget or time exhausted, 7 session in use, 130 interrupted.";

const BATCH: &str = "A list holds a topic a line; empty lines and lines that begin with # do not count. A line that begins \
with { is JSON: {\"topic\": …, \"docs\": […], \"depth\": …, \"threshold\": …, \"max_rounds\": …, \"session\": …}, where what is \
left out is as the options say. Standard output gets the path of each report, in the order of the list.

Exit codes: 1 if a topic failed; else 4 if one is not clear; else 6 if the budget ended before one; else 7 if one is in use \
by another process; else 3 if one is below the threshold (with --strict); 5 if all are without evidence; else 0. Interrupted: \
130.";

/// Make for research: a topic goes in, a report comes out in which every claim can be followed to
/// its words.
#[derive(Debug, Parser)]
#[command(name = "research", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,

    /// Print results as JSON.
    #[arg(long, global = true)]
    pub(super) json: bool,

    /// Say nothing on standard error but errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,

    /// Say more on standard error.
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,

    /// Change to this directory first.
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(super) directory: Option<PathBuf>,

    /// Where sessions are kept.
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) output_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Research a topic, or go on with a session.
    Run(Run),
    /// Research many topics, several at once.
    Batch(Batch),
    /// Say what would run in a session, and why.
    Explain {
        /// Id, unique beginning, path, or `last`.
        session: String,
    },
    /// Say what a session has come to, or all of them.
    Status {
        /// Id, unique beginning, path, or `last`.
        session: Option<String>,
    },
    /// List what models were asked in a session, with sums.
    Calls {
        /// Id, unique beginning, path, or `last`.
        session: String,
    },
    /// List the sessions.
    List,
    /// Print a session's report, or another of its files.
    Show {
        /// Id, unique beginning, path, or `last`.
        session: String,
        /// A file of the session, such as `analysis.json`.
        file: Option<String>,
    },
    /// Check every quotation of a session against its stored texts.
    Verify {
        /// Id, unique beginning, path, or `last`.
        session: String,
    },
    /// Print or write a session's report as Markdown, HTML or JSON.
    Export(Export),
    /// Say what changed between two rounds of a session, or between two sessions.
    Diff(Diff),
    /// Print the pipeline as a graph, with the state of a session if one is named.
    Graph {
        /// Id, unique beginning, path, or `last`.
        session: Option<String>,
        /// How to print it.
        #[arg(long, value_enum, default_value_t = GraphFormat::Mermaid)]
        format: GraphFormat,
    },
    /// Search documents and print the passages that answer best.
    Search(Search),
    /// Print a file or a page of the web as clean text, the one that quotations are taken from.
    Read {
        /// Markdown, text, HTML, PDF, DOCX, EPUB or a feed, or an address.
        #[arg(value_name = "FILE|URL")]
        file: PathBuf,
    },
    /// List what agents are told, print one of these prompts, or render it for a session.
    Prompts {
        /// The prompt, as `planner`.
        name: Option<String>,
        /// Id, unique beginning, path, or `last`.
        session: Option<String>,
    },
    /// Say what was kept of the web.
    Cache {
        /// Remove it.
        #[arg(long)]
        clear: bool,
    },
    /// Check what this program finds and can do here; models are called once each.
    Doctor,
    /// Print the JSON Schema of a session's file, or the names of those that have one.
    Schema {
        /// The file's name without `.json`.
        name: Option<String>,
    },
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page, or write one for every command.
    Man {
        /// Write the pages into this directory.
        #[arg(value_name = "DIR")]
        pages: Option<PathBuf>,
    },
    /// Print the text of a PDF (used by this program on itself).
    #[command(name = "__pdf-text", hide = true)]
    PdfText {
        /// The PDF; `-` for standard input.
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(super) struct Search {
    /// A question, or words.
    pub(super) query: String,

    /// Search these documents: a file or a directory, as often as needed.
    #[arg(long, value_name = "PATH")]
    pub(super) docs: Vec<PathBuf>,

    /// Passages at most.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) limit: usize,
}

#[derive(Debug, Args)]
pub(super) struct Run {
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
    pub(super) terms: Terms,

    /// Make this stage and all after it again; what is there is moved aside.
    #[arg(long, value_name = "STAGE", conflicts_with = "force")]
    pub(super) from: Option<StageName>,

    /// Besides final_report.md, write the report in these formats: final_report.html,
    /// final_report.json.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMAT")]
    pub(super) format: Vec<FormatName>,
}

/// What may be said of a topic, be it one or one of many.
#[derive(Debug, Args)]
pub(super) struct Terms {
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
    pub(super) answering: Answering,

    /// Accept a round from this score, 0 to 1.
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    pub(super) threshold: Option<f64>,

    /// Rounds of analysis, writing and review at most.
    #[arg(long, value_name = "N")]
    pub(super) max_rounds: Option<u32>,

    /// Stop when this stage is done.
    #[arg(long, value_name = "STAGE")]
    pub(super) until: Option<StageName>,

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

impl Terms {
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
    pub(super) fn request(&self, from: Option<StageName>) -> Request {
        let from = match self.force {
            true => Some(StageName::Research),
            false => from,
        };
        Request {
            from: from.map(|stage| stage.name().to_owned()),
            until: self.until.map(|stage| stage.name().to_owned()),
            refresh: self.refresh,
        }
    }
}

/// Who answers, and what it may take.
#[derive(Debug, Args)]
pub(super) struct Answering {
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
pub(super) struct Export {
    /// Id, unique beginning, path, or `last`.
    pub(super) session: String,

    /// The format; `--json` means JSON.
    #[arg(long, value_enum)]
    pub(super) format: Option<FormatName>,

    /// What of the report is wanted.
    #[arg(long, value_enum, default_value_t = KindName::Detailed)]
    pub(super) kind: KindName,

    /// Write the references in this style; APA if the report is academic.
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(super) citations: Option<StyleName>,

    /// Take this round instead of the published one.
    #[arg(long, value_name = "N")]
    pub(super) round: Option<u32>,

    /// Write into this file instead of to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Diff {
    /// Id, unique beginning, path, or `last`.
    pub(super) session: String,

    /// The earlier round, or another session; the last round but one if left out.
    #[arg(value_name = "ROUND|SESSION")]
    pub(super) one: Option<String>,

    /// The later round; the last one if left out.
    #[arg(value_name = "ROUND")]
    pub(super) other: Option<u32>,

    /// Print a unified diff of the two reports.
    #[arg(long, conflicts_with = "json")]
    pub(super) text: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatName {
    /// Markdown, as final_report.md is.
    Md,
    /// One page that needs nothing else; every claim opens its passage.
    Html,
    /// For other programs.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum KindName {
    /// Everything.
    Detailed,
    /// In brief, disagreements, references.
    Summary,
    /// Abstract, numbered parts, references as journals print them.
    Academic,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Detailed => Self::Detailed,
            KindName::Summary => Self::Summary,
            KindName::Academic => Self::Academic,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum StyleName {
    /// American Psychological Association.
    Apa,
    /// Modern Language Association.
    Mla,
    /// The Chicago Manual of Style, author and date.
    Chicago,
}

impl From<StyleName> for Style {
    fn from(name: StyleName) -> Self {
        match name {
            StyleName::Apa => Self::Apa,
            StyleName::Mla => Self::Mla,
            StyleName::Chicago => Self::Chicago,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = BATCH)]
pub(super) struct Batch {
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
    pub(super) terms: Terms,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum StageName {
    Research,
    Analysis,
    Write,
    Review,
}

impl StageName {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Research => "research",
            Self::Analysis => "analysis",
            Self::Write => "write",
            Self::Review => "review",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphFormat {
    /// For Markdown.
    Mermaid,
    /// For Graphviz.
    Dot,
}
