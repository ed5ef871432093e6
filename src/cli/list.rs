//! `research list`: the sessions, one line each, the latest first.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context as _, Result};
use chrono::{DateTime, Utc};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use schemars::schema_for;

use super::age::{age, moment};
use super::help::Group;
use super::terminal::{colored_state, width};
use super::words::truncated;
use super::{Action, Command, Exit, Program, arguments, exit};
use crate::artifact::Session;
use crate::artifact::session::State;
use crate::inspect::{self, Status};
use crate::pipeline::score_text;
use crate::session::{self, Layout};
use crate::text::{self, without_controls};

/// `research list`.
pub(super) const COMMAND: Command = Command {
    name: "list",
    about: "List the sessions, the latest first, and find them by their words",
    group: Group::Sessions,
    examples: &[
        (
            "Find sessions whose topic or name has both words",
            "research list heat pump",
        ),
        (
            "Those to go on with",
            "research list --state failed,interrupted",
        ),
        (
            "The ten with the lowest scores",
            "research list --sort score --limit 10",
        ),
        (
            "This week's, for a script",
            "research list --since 7d --json",
        ),
    ],
    results: &[("list", || schema_for!(Vec<Status>))],
    define: |command, _| {
        ListArgs::augment_args(command)
            .mut_arg("state", |arg| arg.value_parser(state_names()))
            .after_help(HELP)
    },
    action: Action::WithSettings(|program, matches| list(program, &arguments(matches)?)),
};

const HELP: &str = "A session is complete or has no evidence by its own files; whether its \
    documents have changed since is looked at with --state outdated and --state complete, by \
    `research explain SESSION` and by `research update --all --dry-run`.";

/// The longest topic or activity of a line that is not written to a terminal, in characters.
const SHOWN_CHARACTERS: usize = 100;

/// The narrowest column of topics that is worth its place on a line (chosen by hand).
const MIN_TOPIC_CHARACTERS: usize = 10;

/// The number of sessions that are held before those beyond the limit are dropped; chosen by hand.
const MIN_HELD: usize = 1000;

/// The name of a filter for sessions in which a process works now, whatever their state.
const RUNNING: &str = "RUNNING";

/// The name of a filter for sessions whose report does not answer as asked.
const NOT_ANSWERED: &str = "NOT_ANSWERED";

#[derive(Debug, Default, Args)]
struct ListArgs {
    /// Words that a session's topic or name contains, all of them, in upper or lower case
    words: Vec<String>,

    /// Only sessions in these states
    #[arg(long, value_name = "STATE", value_delimiter = ',', ignore_case = true)]
    state: Vec<String>,

    /// Only sessions begun within this time, such as 12h or 30d, or since a day such as 2026-11-21
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// Only sessions begun before that
    #[arg(long, value_name = "TIME")]
    older_than: Option<String>,

    /// What comes first: the latest begun, the oldest, the lowest score, or topics by the alphabet
    #[arg(long, value_name = "ORDER", default_value = "latest")]
    sort: Sort,

    /// Maximum number of sessions
    #[arg(short = 'l', long, value_name = "N")]
    limit: Option<usize>,
}

/// The order of the sessions.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    #[default]
    Latest,
    Oldest,
    Score,
    Topic,
}

impl Sort {
    /// Sorts sessions that are in the order of their ids, which stays where all else is equal.
    fn sort(self, statuses: &mut [Status]) {
        match self {
            Self::Latest => statuses.sort_by(|one, other| other.started_at.cmp(&one.started_at)),
            Self::Oldest => statuses.sort_by(|one, other| one.started_at.cmp(&other.started_at)),
            // Those without a score come last.
            Self::Score => statuses.sort_by(|one, other| {
                let score = |status: &Status| status.score.unwrap_or(f64::INFINITY);
                score(one).total_cmp(&score(other))
            }),
            Self::Topic => statuses.sort_by_cached_key(|status| status.topic.to_lowercase()),
        }
    }
}

/// The names of the states, for `--state`.
fn state_names() -> PossibleValuesParser {
    let names = State::ALL.iter().map(|state| state.name());
    PossibleValuesParser::new(names.chain([RUNNING, NOT_ANSWERED]))
}

fn list(program: &Program<'_>, arguments: &ListArgs) -> Result<Exit> {
    let statuses = statuses(program, &Filter::new(program, arguments)?)?;
    if program.output.json {
        return program.output.value(&statuses);
    }
    let sessions = session::ids(program.output_dir()).map_or(0, |ids| ids.len());
    if statuses.is_empty() && sessions > 0 && arguments.limit != Some(0) {
        let remark = format!("none of {} matches", text::counted(sessions, "session"));
        program.output.remark(&remark);
    }
    program
        .output
        .styled(&lines(&statuses, program.clock.now()))
}

/// The sessions that are listed.
#[derive(Default)]
pub(super) struct Filter {
    /// In lower case.
    words: Vec<String>,
    states: Vec<String>,
    since: Option<DateTime<Utc>>,
    before: Option<DateTime<Utc>>,
    sort: Sort,
    limit: Option<usize>,
}

impl Filter {
    fn new(program: &Program<'_>, arguments: &ListArgs) -> Result<Self> {
        let now = program.clock.now();
        let time = |text: &Option<String>, option: &'static str| {
            let time = text.as_deref().map(|text| moment(text, now)).transpose();
            time.context(option).map_err(exit::usage)
        };
        let words = arguments
            .words
            .iter()
            .flat_map(|word| word.split_whitespace());
        Ok(Self {
            words: words.map(str::to_lowercase).collect(),
            states: arguments.state.clone(),
            since: time(&arguments.since, "--since")?,
            before: time(&arguments.older_than, "--older-than")?,
            sort: arguments.sort,
            limit: arguments.limit,
        })
    }

    /// `true` if the parameters of a session pass; its state is not known yet.
    fn passes(&self, session: &Session) -> bool {
        let text = format!("{} {}", session.id, session.topic).to_lowercase();
        let has_words = self.words.iter().all(|word| text.contains(word));
        if !has_words || self.since.is_none() && self.before.is_none() {
            return has_words;
        }
        // A session without a valid time is in no span of time.
        let started = DateTime::parse_from_rfc3339(&session.started_at);
        started.is_ok_and(|started| {
            self.since.is_none_or(|since| started >= since)
                && self.before.is_none_or(|before| started < before)
        })
    }

    /// `true` if only their documents tell which sessions pass.
    fn compares_documents(&self) -> bool {
        // What looks complete by its own files, may be outdated.
        let compared = [State::Outdated.name(), State::Complete.name()];
        let mut states = self.states.iter();
        states.any(|state| compared.iter().any(|own| state.eq_ignore_ascii_case(own)))
    }

    fn passes_state(&self, status: &Status) -> bool {
        let is = |name: &String| {
            let is = |other| name.eq_ignore_ascii_case(other);
            is(status.state.name())
                || is(RUNNING) && status.running.is_some()
                || is(NOT_ANSWERED) && status.not_answered
        };
        self.states.is_empty() || self.states.iter().any(is)
    }
}

/// The statuses of the sessions that pass, in the order that is chosen. A session that cannot be
/// read is reported, and listed as broken.
pub(super) fn statuses(program: &Program<'_>, filter: &Filter) -> Result<Vec<Status>> {
    let mut statuses = Vec::new();
    let mut is_empty = true;
    let limit = filter.limit.unwrap_or(usize::MAX);
    let first = |statuses: &mut Vec<Status>| {
        filter.sort.sort(statuses);
        statuses.truncate(limit);
    };
    let layout = Layout::of(program.output_dir());
    for id in session::possible_ids(program.output_dir())? {
        let path = layout.path(&id);
        let session = session::read(&path);
        if session.is_err() && !session::is_session(&path) {
            remark_on_remnant(program, &path);
            continue;
        }
        is_empty = false;
        let status = match session {
            Ok(session) if !filter.passes(&session) => continue,
            Ok(session) if filter.compares_documents() => {
                inspect::summary_with_documents(&path, session, &program.settings)
            }
            Ok(session) => inspect::summary(&path, session, &program.settings),
            Err(error) => Err(error),
        };
        // An unreadable session must not hide the others.
        let status = status.unwrap_or_else(|error| {
            let problem = format!("{error:#}");
            program.output.complaint(&problem);
            inspect::unreadable(&path, &id, problem)
        });
        statuses.extend(filter.passes_state(&status).then_some(status));
        // Of a million sessions no more are held than are listed.
        if statuses.len() >= limit.saturating_mul(2).max(MIN_HELD) {
            first(&mut statuses);
        }
    }
    if is_empty && !program.output.json {
        let directory = program.output_dir().display();
        program
            .output
            .remark(&format!("no sessions in {directory} yet"));
    }
    first(&mut statuses);
    Ok(statuses)
}

/// Says that a directory was a session, which could otherwise only be seen by its size.
fn remark_on_remnant(program: &Program<'_>, path: &Path) {
    if session::is_remnant(path) {
        let remark = format!(
            "{0} is no session any more: its session.json was removed; research rm {0} removes \
             the rest",
            path.display()
        );
        program.output.complaint(&remark);
    }
}

/// One line per session, in columns, as wide as the terminal, with colors.
pub(super) fn lines(statuses: &[Status], now: DateTime<Utc>) -> String {
    let rows: Vec<[String; 4]> = statuses
        .iter()
        .map(|status| {
            let score = status.score.map(score_text);
            let age = age(&status.started_at, now);
            let state = status.state.to_string();
            // A name comes from a directory, which may be somebody else's.
            let id = without_controls(&status.id).into_owned();
            [id, state, score.unwrap_or_default(), age]
        })
        .collect();
    let column = |index: usize| rows.iter().map(|row| row[index].len()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(column);
    // Two spaces follow each column.
    let fixed: usize = widths.iter().map(|width| width + 2).sum();
    let topic_characters = match width() {
        None => SHOWN_CHARACTERS,
        Some(width) => width.saturating_sub(fixed),
    };
    let mut text = String::new();
    for ([id, _, score, age], status) in rows.iter().zip(statuses) {
        let [a, b, c, d] = widths;
        let state = colored_state(status.state, b);
        let _ = write!(text, "{id:<a$}  {state}  {score:<c$}  {age:>d$}");
        if topic_characters >= MIN_TOPIC_CHARACTERS {
            let topic = truncated(&about(status), topic_characters);
            let _ = write!(text, "  {topic}");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// The topic of a session, after the activity of a process that works in it, or the remark that the
/// report does not answer.
fn about(status: &Status) -> String {
    let Some(running) = &status.running else {
        let remark = if !status.altered.is_empty() {
            "(changed by hand) "
        } else if status.not_answered {
            "(not answered as asked) "
        } else if status.below_threshold && status.state == State::Complete {
            "(below threshold) "
        } else {
            ""
        };
        return format!("{remark}{}", status.topic);
    };
    // A step says more than the stage that it belongs to.
    let doing = running.step.as_ref().or(running.stage.as_ref());
    let doing = doing.map_or(String::new(), |doing| format!(": {}", doing.what));
    format!("(running{doing}) {}", status.topic)
}
