//! Make for research. This page is the architecture document of the project.
//!
//! A topic goes in; a directory of readable files comes out, ending in a report in which every
//! claim can be followed to the words that support it. Each stage reads the files before it and
//! writes its own; a file that exists is not made again. So a run can be killed, resumed,
//! inspected, edited by hand and continued.
//!
//! # Data flows one way
//!
//! ```text
//! topic → session.json → research.json → analysis.json → report.json → review.json → final report
//!                             ▲                ▲                            │
//!                             │                └────── revise ──────────────┤
//!                             └─────────────── needs research ──────────────┘
//! ```
//!
//! The session directory is the only state. What a session has come to, which round it is in, what
//! would run next: all of it is computed from the files, by one pure function,
//! [`pipeline::plan()`]. There is no database and no daemon.
//!
//! # Rooms
//!
//! One crate, in rooms. **A room uses only the rooms above it**; `tests/tidy.rs` reads this table
//! and fails otherwise.
//!
//! | room | its job |
//! |---|---|
//! | [`platform`] | the operating system: all that only Unix has, behind a stated contract |
//! | [`pipeline`] | the engine: gates, staleness, rounds, lock, events, plan |
//! | [`artifact`] | what each file holds: one module per file, named after it |
//! | [`config`] | settings: files, environment and flags into values, once |
//! | [`quota`] | rate limits and budgets, and the seam to those that the processes of a fleet share |
//! | [`text`] | text analysis: blocks, sentences, words, quantities, similarity |
//! | [`answering`] | what a question asks for, and the sentences that answer it |
//! | [`cite`] | citation checks: quotations and claims against stored sources |
//! | [`export`] | a finished session as bytes: one file per format |
//! | [`read`] | a file into clean text: Markdown and other markup, HTML, PDF, office documents, tables, mail, feeds, plain |
//! | [`web`] | HTTP: pages and search services, behind the SSRF guard, rate-limited and cached |
//! | [`search`] | full-text search of local documents: tantivy retrieves, our ranking decides |
//! | [`check`] | reports of any program, and pairs of claim and passage, against their sources |
//! | [`model`] | one request to one language model: providers, rate limits, journal, budget |
//! | [`extension`] | what users add without compiling: tools (programs, MCP servers) and sub-agents |
//! | [`agent`] | the agents: typed judgements, each with its rule |
//! | [`stage`] | the stages: the files they read, the agents they ask, the gate they write |
//! | [`session`] | opens, names, finds and lists sessions |
//! | [`run`] | wires settings into the pipeline of a session |
//! | [`inspect`] | the status of a session: state, spending, processes, verification |
//! | [`store`] | sessions in an object store that machines share (feature `s3`) |
//! | [`batch`] | runs a list of topics: scheduler, workers, record, skip cache |
//! | [`queue`] | topics on NATS JetStream, for workers on many machines (feature `nats`) |
//! | [`server`] | the HTTP server: a thin layer over the sessions |
//! | [`cli`] | flags, terminal, exit codes |
//!
//! # Where to begin reading
//!
//! [`pipeline::Engine::run`] is the heart: take a snapshot, plan, execute the next action, repeat.
//! [`stage::STAGES`] lists the stages, [`agent::AGENTS`] the agents. [`agent::Agent`] is the trait
//! of every judgement, [`artifact::Artifact`] the shape of every file.
//!
//! # What holds everywhere
//!
//! - **An artifact exists if and only if it is complete.** Only [`pipeline::Disk`] writes into a
//!   session.
//! - **Nothing is deleted.** What is superseded moves to `rounds/` or `superseded/`, announced
//!   first, so that a crash in between resumes to the same end.
//! - **A user's edit stands.** An edited file is kept, and what was made from it is made again.
//! - **No claim without words.** A rule agent chooses sentences, it never writes one; a claim whose
//!   quotation does not stand at its byte range in the stored text is left out.
//! - **Nothing is paid for twice.** A call's intent is on disk before it is sent, its reply before
//!   it is parsed (a write-ahead journal); a request that was answered is never sent again. A
//!   model's answer is validated like any other untrusted input.
//! - **Same input, same bytes.** No decision depends on the clock, on randomness or on an absolute
//!   path. The times in artifacts come from [`pipeline::Clock`], and no decision reads them back.
//! - **Nothing here trusts a document, a foreign session or the settings beside it.** Sizes,
//!   depths, links and names are checked; documents of foreign formats are read in child processes
//!   with limits of memory and time, and without files or network; what a document says is printed
//!   as text, never as markup; a settings file in the working directory gives no key, document or
//!   file away.
//! - **Nothing but [`cli`] prints**, and nothing above [`cli`] knows of flags. Diagnostics go
//!   through `tracing` (spans `run`, `stage`, `step`, `call`, `rule`, `fetch`); `events.jsonl` is
//!   the record of what happened. Neither ever contains a secret.
//! - **Only [`platform`] knows the operating system.**
//!
//! # To add
//!
//! Each is one file or folder, declared in its room's `mod.rs`, and one line in one table; all else
//! derives from the table: help, completions, manual pages, the server. `tests/it/extending/` adds
//! a toy one of each that needs code. What is written by hand has a test that fails until the new
//! one is there: `docs/` names every command, format, kind of document and search service,
//! `tests/it/providers.rs` has a reply of every search service, `tests/it/models/answers.rs` an
//! answer of every agent and `tests/it/models/economy.rs` a limit of its tokens. `make golden
//! readme` renews the sessions, descriptions and output that change with the tables.
//!
//! - *an artifact*: a module in [`artifact`] and its line in [`artifact::TABLE`];
//! - *an agent*: a folder in [`agent`] (its rule and its model side), a prompt of the same name in
//!   `prompts/`, and its line in [`agent::AGENTS`]; then the stage that asks it names it in its
//!   `agents`, builds its input and calls `ask`; [`agent::agents_of`] decides in which modes a
//!   model answers for it;
//! - *a tool or a sub-agent*: `tools/NAME.toml` or `agents/NAME.toml` in the user's configuration
//!   directory; no code;
//! - *a provider of models*: an entry in `config/providers.toml`, or in a file of that name in the
//!   user's configuration directory, and prices in `prices.toml` likewise; no code;
//! - *a search service*: a file in [`web::search`] with its [`web::SearchProvider`], and a line in
//!   [`web::PROVIDERS`];
//! - *a stage*: first its gate, an artifact; then a file in [`stage`] with its
//!   [`stage::StageInfo`], and a line in [`stage::STAGES`], where its position is its turn. The
//!   first stage of a round and the one that sends back say so there. Its state may be one that
//!   there is, or a new one in [`artifact::session::State`]. Finished sessions become stale, as
//!   they lack its gate;
//! - *a kind of document*: a file in [`read`] with its [`read::SourceKind`], and a line in
//!   [`read::Kinds::BUILT_IN`];
//! - *an export format*: a file in [`export`] with its [`export::Format`], and a line in
//!   [`export::FORMATS`]. It renders the parts that `outline` decides, the runs of text of `paper`
//!   if it has pages, or the entries of `bibliography` if it lists sources alone;
//! - *a command*: a file in [`cli`] with its [`cli::Command`], and a line in [`cli::COMMANDS`];
//!   with `--json` it prints its result as JSON, for which a test wants a line of arguments.
//!
//! [`queue`]: crate#rooms
//! [`store`]: crate#rooms

pub mod agent;
pub mod answering;
pub mod artifact;
pub mod batch;
pub mod check;
pub mod cite;
pub mod cli;
pub mod config;
pub mod export;
pub mod extension;
pub mod inspect;
pub mod model;
pub mod pipeline;
pub mod platform;
#[cfg(feature = "nats")]
pub mod queue;
pub mod quota;
pub mod read;
pub mod run;
pub mod search;
pub mod server;
pub mod session;
pub mod stage;
#[cfg(feature = "s3")]
pub mod store;
pub mod text;
pub mod web;
