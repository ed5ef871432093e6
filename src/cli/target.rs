//! The session that `research run` works on: existing, new, a follow-up, or a replay.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use chrono::{DateTime, Utc};
use clap::Args;

use super::Program;
use super::args::TopicArgs;
use super::exit;
use super::help::SESSION;
use crate::artifact::session::Mode;
use crate::pipeline::{Clock, Disk, without_links};
use crate::read;
use crate::run::{self, Overrides, Question};
use crate::session::{self, NewSession, Opened, ReviewTerms, WebScope};

/// The length limit of a topic on standard input, in bytes: more than any question.
const MAX_TOPIC_BYTES: u64 = 10_000;

/// The arguments that name an existing session or describe a new one.
#[derive(Debug, Args)]
pub(super) struct TargetArgs {
    /// Topic or question to research; `-` reads it from standard input
    #[arg(required_unless_present_any = ["resume", "replay"])]
    topic: Option<String>,

    /// Resume this session: its name, the beginning of it, the digits at its end, its
    /// path, or `last`
    #[arg(help_heading = SESSION,
        long,
        value_name = "SESSION",
        conflicts_with_all = ["topic", "docs", "mode", "depth", "session", "search", "domains"]
    )]
    resume: Option<String>,

    /// Replay this session as a new one from its journal alone, without network access; fails at
    /// the first request that the journal does not have
    #[arg(help_heading = SESSION,
        long,
        value_name = "SESSION",
        conflicts_with_all = [
            "topic", "resume", "docs", "mode", "depth", "search", "domains", "model", "offline"
        ]
    )]
    replay: Option<String>,

    /// Follow up on this session: agents see its last messages. A clarification is answered from
    /// its sources and pages; anything else is researched anew as well, over its documents and
    /// services unless --docs or --search name others
    #[arg(
        help_heading = SESSION,
        long,
        value_name = "SESSION",
        conflicts_with_all = ["resume", "replay"]
    )]
    follow: Option<String>,

    /// Name of the new session
    #[arg(help_heading = SESSION, long, value_name = "ID")]
    session: Option<String>,
}

impl TargetArgs {
    /// `true` if the documents are those that a session names.
    pub(super) fn is_from_a_session(&self) -> bool {
        self.resume.is_some() || self.replay.is_some()
    }
}

/// The session to work on.
pub(super) enum Target {
    /// A session that exists.
    Existing(PathBuf),
    /// A session to be created.
    New {
        path: PathBuf,
        session: Box<NewSession>,
        terms: ReviewTerms,
        /// The clock that stamps the start of the session.
        clock: Clock,
        /// The session whose journal is replayed.
        replay: Option<PathBuf>,
    },
}

impl Target {
    /// The session that the arguments name, or describe.
    pub(super) fn new(
        program: &Program<'_>,
        arguments: &TargetArgs,
        topic_args: &TopicArgs,
        overrides: Overrides,
    ) -> Result<Self> {
        let name = arguments.session.as_deref();
        if let Some(reference) = &arguments.resume {
            return program.find(reference).map(Self::Existing);
        }
        if let Some(reference) = &arguments.replay {
            return Self::replay_of(program, reference, name);
        }
        let run = &program.settings.run;
        let topic = topic(arguments)?;
        let follow = arguments.follow.as_deref();
        let question = Question {
            follow: follow.map(|earlier| program.find(earlier)).transpose()?,
            ..topic_args.question(&topic, &program.settings)
        };
        let (session, messages) = question.new_session(&program.settings)?;
        if follow.is_some() && session.topic != topic.trim() {
            let remark = format!("the question is read as: {}", session.topic);
            program.output.remark(&remark);
        }
        if !topic_args.dry_run {
            program.lay_out()?;
        }
        let location =
            session::locate(program.output_dir(), &session, name).map_err(exit::usage)?;
        // The name follows from topic and documents: the same command twice resumes, as in make.
        if location.exists {
            let path = location.path.display();
            let remark = format!("resuming {path}, which has the same topic and documents");
            program.output.remark(&remark);
            return Ok(Self::Existing(location.path));
        }
        // Before anything is written: a session of documents that are not read is of no use.
        let reader = run::reader(&program.settings)?;
        read::require_text(&topic_args.docs, &reader).map_err(|error| exit::usage(error.into()))?;
        Ok(Self::New {
            path: location.path,
            session: Box::new(session),
            terms: ReviewTerms {
                threshold: overrides.threshold.unwrap_or(run.threshold),
                max_rounds: overrides.max_rounds.unwrap_or(run.max_rounds),
                clarify: !topic_args.no_clarify,
                owner: run.owner.clone(),
                first_run: None,
                messages,
            },
            clock: program.clock,
            replay: None,
        })
    }

    /// A copy of a session under a free name, to be answered from the journal of the original.
    fn replay_of(program: &Program<'_>, reference: &str, name: Option<&str>) -> Result<Self> {
        let original = program.find(reference)?;
        let session = session::read(&original)?;
        let path = match name {
            Some(name) => free_path(program, name)
                .with_context(|| format!("session {name} exists already"))
                .map_err(exit::usage)?,
            // The first free name; a session is never overwritten.
            None => (1_u32..)
                .map(|number| match number {
                    1 => format!("{}-replay", session.id),
                    _ => format!("{}-replay-{number}", session.id),
                })
                .find_map(|name| free_path(program, &name))
                .context("no name is left for the replay")?,
        };
        // The prompts contain the date of the start: with the current one, no request would match
        // the journal.
        let started = DateTime::parse_from_rfc3339(&session.started_at)
            .with_context(|| format!("{reference} has no valid start time"))?;
        Ok(Self::New {
            path,
            session: Box::new(NewSession {
                topic: session.topic.clone(),
                mode: session.mode,
                depth: session.depth,
                documents: session::documents(&original, &session),
                follows: session
                    .follows
                    .as_ref()
                    .map(|earlier| original.join(earlier)),
                inherited: session::inherited(&original, &session),
                web: WebScope {
                    search: session.search.clone(),
                    domains: session.domains.clone(),
                },
                style: session.style.clone(),
            }),
            terms: ReviewTerms {
                threshold: session.threshold,
                max_rounds: session.max_rounds,
                clarify: session.clarify,
                owner: session.owner,
                first_run: session.first_run,
                messages: session.messages,
            },
            clock: Clock::fixed(started.with_timezone(&Utc)),
            replay: Some(original),
        })
    }

    /// The directory of the session, which need not exist yet.
    pub(super) fn path(&self) -> &Path {
        let (Self::Existing(path) | Self::New { path, .. }) = self;
        path
    }

    /// Checks that a new session has anything to search, or a model that answers all the same.
    pub(super) fn require_sources(&self, has_model: bool, is_offline: bool) -> Result<()> {
        let Self::New { session, .. } = self else {
            return Ok(());
        };
        session.require_sources(has_model).map_err(exit::usage)?;
        let has_local = !session.documents.is_empty() || session.follows.is_some();
        if is_offline && !has_local && session.mode != Mode::Simple {
            return Err(exit::usage(anyhow!(
                "--offline leaves nothing to search: name documents with --docs PATH, or leave it \
                 out"
            )));
        }
        Ok(())
    }

    /// Refuses to write a report among the documents that it is made of, where the next run would
    /// read it as one of them.
    pub(super) fn require_outside(&self, output: Option<&Path>) -> Result<()> {
        let Some(output) = output else {
            return Ok(());
        };
        let documents = match self {
            Self::New { session, .. } => session.documents.clone(),
            Self::Existing(path) => session::documents(path, &session::read(path)?),
        };
        // As much as the file itself: the one to which links lead, which is written.
        let written = without_links(output)?;
        let holds =
            |root: &&PathBuf| session::holds(root, output) || session::holds(root, &written);
        let Some(root) = documents.iter().find(holds) else {
            return Ok(());
        };
        Err(exit::usage(anyhow!(
            "{} is among the documents that are read ({}): the report would replace one of them, \
             or the next run would take it for one; write it elsewhere, such as -o {}",
            output.display(),
            root.display(),
            Path::new("..")
                .join(output.file_name().unwrap_or_default())
                .display()
        )))
    }

    /// The sessions that name documents which are read although the command line does not name
    /// them: the one that is resumed or replayed, or the one that this one follows.
    pub(super) fn not_named_here(&self, arguments: &TargetArgs) -> Result<Vec<PathBuf>> {
        Ok(match self {
            Self::Existing(path) if arguments.is_from_a_session() => vec![path.clone()],
            Self::Existing(path) => {
                let follows = session::read(path)?.follows;
                follows.iter().map(|earlier| path.join(earlier)).collect()
            }
            Self::New {
                session, replay, ..
            } => replay.iter().chain(&session.follows).cloned().collect(),
        })
    }

    /// Reads the session; a new one is created and stays locked, or in a dry run is only drafted.
    pub(super) fn open(self, dry_run: bool) -> Result<(PathBuf, Opened)> {
        let opened = match &self {
            Self::Existing(path) => session::read(path)?.into(),
            Self::New {
                path,
                session,
                terms,
                clock,
                ..
            } => {
                // A dry run must not even create a directory.
                if dry_run {
                    session::draft(path, session, terms, *clock)?.into()
                } else {
                    session::open_for_run(path, session, terms, &Disk::default(), *clock)?
                }
            }
        };
        let (Self::Existing(path) | Self::New { path, .. }) = self;
        Ok((path, opened))
    }
}

/// The topic, which may be on standard input.
fn topic(arguments: &TargetArgs) -> Result<String> {
    let topic = arguments.topic.as_deref().unwrap_or_default();
    if topic != "-" {
        return Ok(topic.to_owned());
    }
    let mut typed = String::new();
    io::stdin()
        .lock()
        .take(MAX_TOPIC_BYTES)
        .read_to_string(&mut typed)
        .context("failed to read the topic from standard input")?;
    Ok(typed.trim().to_owned())
}

/// The path of a session of this name, unless it exists.
fn free_path(program: &Program<'_>, name: &str) -> Option<PathBuf> {
    Some(session::path(program.output_dir(), name)).filter(|path| !path.exists())
}
