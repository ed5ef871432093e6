//! The definition of the command line: the tables of commands and of export formats, and for each
//! command its name, its arguments, what it needs, and the function that runs it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args as _, FromArgMatches};
use schemars::Schema;

use super::args::GlobalArgs;
use super::candidates::with_candidates;
use super::help::{self, Entry, Example, Group};
use super::{Exit, Output, exit};
use crate::config::{Origin, Settings};
use crate::export::Format;
use crate::inspect;
use crate::pipeline::{Clock, Disk};
use crate::quota::SharedQuotas;
use crate::session;

/// The help of every argument that names a session.
pub(super) const SESSION_HELP: &str = "Session: its name, the beginning of it (from 4 characters), \
    the digits at its end, its path, or `last`";

/// The name of the argument that [`Action::WithSession`] adds.
const SESSION: &str = "session";

/// The name of the program.
const PROGRAM: &str = "research";

const ABOUT: &str = "Make for research: a topic goes in, a report comes out in which every claim \
    can be followed to its source";

/// The command line over its tables.
#[derive(Clone, Copy)]
pub struct Cli<'a> {
    /// The commands.
    pub commands: &'a [Command],
    /// The export formats; the first one is the default.
    pub formats: &'a [Format],
}

impl Cli<'_> {
    /// Parses the arguments of the process.
    pub(super) fn parse(&self, arguments: &[OsString]) -> clap::error::Result<ArgMatches> {
        let parsed = self.parser(arguments).try_get_matches_from(arguments);
        // Help, and what is wrong with the arguments, only the whole definition can say.
        parsed.or_else(|_| self.definition().try_get_matches_from(arguments))
    }

    /// The definition without help, and without the commands that do not occur in the arguments: to
    /// build all of it takes longer than most commands.
    fn parser(&self, arguments: &[OsString]) -> clap::Command {
        let mut named = self.commands.to_vec();
        named.retain(|command| arguments.iter().any(|argument| argument == command.name));
        GlobalArgs::augment_args(clap::Command::new(PROGRAM))
            .disable_help_flag(true)
            .subcommand_required(true)
            .subcommands(named.iter().map(|command| command.parser(self)))
    }

    /// The definition of the command line.
    pub fn definition(&self) -> clap::Command {
        let root = GlobalArgs::augment_args(clap::Command::new(PROGRAM))
            .about(ABOUT)
            .long_about(None)
            .version(env!("CARGO_PKG_VERSION"))
            .max_term_width(help::MAX_COLUMNS)
            .disable_help_flag(true)
            .arg(help::help_option())
            .after_help(help::exit_codes())
            .subcommand_required(true)
            .arg_required_else_help(true)
            .mut_args(with_candidates);
        let root = help::with_settings(root);
        let (after, template) = (
            help::after_program_help(&root),
            help::program_template(&root, &self.entries()),
        );
        let root = root.after_long_help(after).help_template(template);
        root.subcommands(self.commands.iter().map(|command| command.definition(self)))
    }

    /// The commands as the help lists them.
    fn entries(&self) -> Vec<Entry> {
        let commands = self.commands.iter();
        commands
            .map(|command| (command.group, command.name, command.about))
            .collect()
    }

    /// The parser of `--format`: the names of the export formats.
    pub(super) fn format_names(&self) -> PossibleValuesParser {
        let names = self.formats.iter();
        PossibleValuesParser::new(
            names.map(|format| PossibleValue::new(format.name).help(format.about)),
        )
    }

    /// The export format of this name, if this build has it.
    pub(super) fn format(&self, name: &str) -> Result<&Format> {
        let format = self.formats.iter().find(|format| format.name == name);
        let format = format.with_context(|| format!("there is no export format {name:?}"));
        format.and_then(built_in).map_err(exit::usage)
    }

    /// The export format of a file, by its extension; the default one without.
    ///
    /// # Errors
    /// A usage error if no format has its extension, or this program was built without it.
    pub(super) fn format_of_file(&self, file: Option<&Path>) -> Result<&Format> {
        let Some(extension) = file.and_then(Path::extension) else {
            return self.formats.first().context("there is no export format");
        };
        let mut formats = self.formats.iter();
        let format = formats.find(|format| extension.eq_ignore_ascii_case(format.extension));
        let known = || {
            let mut known: Vec<_> = self.formats.iter().map(|own| own.extension).collect();
            known.sort_unstable();
            known.dedup();
            format!(
                "no format has the extension .{}: there are .{}; a file without one is Markdown",
                extension.display(),
                known.join(", .")
            )
        };
        let format = format.with_context(known);
        format.and_then(built_in).map_err(exit::usage)
    }
}

/// The format, unless this program was built without it.
fn built_in(format: &Format) -> Result<&Format> {
    match format.missing {
        None => Ok(format),
        Some(missing) => Err(anyhow!("{}", missing.advice(format.name))),
    }
}

/// The name of a JSON Schema and the function that makes it.
pub(super) type NamedSchema = (&'static str, fn() -> Schema);

/// A command: one file in this folder and one line in [`super::COMMANDS`]. The help, the manual
/// pages, the completions and the dispatch derive from it.
#[derive(Clone, Copy)]
pub struct Command {
    /// The name.
    pub name: &'static str,
    /// A sentence in the imperative mood for the help, without a full stop.
    pub about: &'static str,
    /// The group in the help.
    pub group: Group,
    /// Examples for the help and the manual page, in which a command without them is not explained.
    pub examples: &'static [Example],
    /// The JSON Schemas of what it prints with `--json`, by their names in `research schema`: first
    /// its own name, then others, for results of another shape.
    pub results: &'static [NamedSchema],
    /// Adds the command's arguments. The tables are there for arguments whose values are the names
    /// of registered things.
    pub define: fn(clap::Command, &Cli<'_>) -> clap::Command,
    /// The function that runs it, by what it needs.
    pub action: Action,
}

/// The function that runs a command, by what it needs.
#[derive(Clone, Copy)]
pub enum Action {
    /// Needs only its arguments. It works where the settings cannot be read.
    Standalone(fn(&Cli<'_>, &Output, &ArgMatches) -> Result<Exit>),
    /// Needs the settings.
    WithSettings(fn(&Program<'_>, &ArgMatches) -> Result<Exit>),
    /// Needs to know whether the settings can be read, and why not.
    Diagnosis(fn(Result<Program<'_>>, &Output) -> Result<Exit>),
    /// Needs the settings and a session, whose directory it is given. SESSION becomes its first
    /// argument.
    WithSession(fn(&Program<'_>, &Path, &ArgMatches) -> Result<Exit>),
}

/// The environment of a command: settings, clock, output and tables.
pub struct Program<'a> {
    /// The settings, with the global options applied.
    pub settings: Settings,
    /// The origins of the settings that are not defaults, by their keys.
    pub origins: BTreeMap<String, Origin>,
    /// The clock.
    pub clock: Clock,
    /// The quotas that the processes of a fleet share.
    pub quotas: SharedQuotas,
    /// Standard output and standard error.
    pub output: &'a Output,
    /// The tables.
    pub cli: &'a Cli<'a>,
    /// `true` with `--verbose`.
    pub verbose: bool,
}

impl Command {
    /// A `define` for commands without arguments of their own.
    pub fn no_arguments(command: clap::Command, _: &Cli<'_>) -> clap::Command {
        command
    }

    /// The definition for clap.
    fn definition(&self, cli: &Cli<'_>) -> clap::Command {
        // Derived arguments bring the doc comment of their struct along as a description.
        let command = self.parser(cli).about(self.about).long_about(None);
        let after = help::after_long_help(&command, self.examples);
        command.after_long_help(after).mut_args(with_candidates)
    }

    /// The definition without help.
    fn parser(&self, cli: &Cli<'_>) -> clap::Command {
        let mut command = clap::Command::new(self.name);
        if matches!(self.action, Action::WithSession(_)) {
            let session = Arg::new(SESSION).value_name("SESSION").required(true);
            command = command.arg(session.help(SESSION_HELP));
        }
        // `-1` is a value out of range, which is named with its option, not an unknown flag.
        (self.define)(command, cli).mut_args(|arg| {
            let is_option = arg.get_long().is_some() && arg.get_action().takes_values();
            arg.allow_negative_numbers(is_option)
        })
    }

    /// Runs it. `program` reads the settings, for commands that need them.
    pub(super) fn run<'a>(
        &self,
        matches: &ArgMatches,
        cli: &Cli<'_>,
        output: &Output,
        program: impl FnOnce() -> Result<Program<'a>>,
    ) -> Result<Exit> {
        match self.action {
            Action::Standalone(run) => run(cli, output, matches),
            Action::WithSettings(run) => run(&program()?, matches),
            Action::Diagnosis(run) => run(program(), output),
            // The settings first: they name the directory in which the session is looked up.
            Action::WithSession(run) => {
                let program = program()?;
                let reference: Option<&String> = matches.get_one(SESSION);
                let path = program.find(reference.map_or("", String::as_str))?;
                run(&program, &path, matches)
            }
        }
    }
}

impl Program<'_> {
    /// The directory of the sessions.
    pub fn output_dir(&self) -> &Path {
        &self.settings.run.output_dir
    }

    /// The paths of all sessions.
    ///
    /// # Errors
    /// A usage error if the directory of the sessions cannot be read.
    pub(super) fn sessions(&self) -> Result<Vec<PathBuf>> {
        let ids = session::ids(self.output_dir()).map_err(exit::usage)?;
        let layout = session::Layout::of(self.output_dir());
        Ok(ids.iter().map(|id| layout.path(id)).collect())
    }

    /// The paths of all sessions for `--all`, which a job gives that may be started in the wrong
    /// directory.
    ///
    /// # Errors
    /// A usage error if there is no directory of sessions, or it cannot be read.
    pub(super) fn all_sessions(&self) -> Result<Vec<PathBuf>> {
        let directory = self.output_dir();
        if !directory.is_dir() {
            return Err(exit::usage(anyhow!(
                "{} does not exist, so there are no sessions for --all: change to the directory \
                 of your work, or name that of its sessions with --output-dir",
                directory.display()
            )));
        }
        self.sessions()
    }

    /// The paths of all sessions with a published report.
    ///
    /// # Errors
    /// See [`Program::all_sessions`].
    pub(super) fn published(&self) -> Result<Vec<PathBuf>> {
        let mut paths = self.all_sessions()?;
        paths.retain(|path| inspect::is_published(path));
        Ok(paths)
    }

    /// Gives the directory of the sessions the layout of the settings, before the first session.
    ///
    /// # Errors
    /// A usage error if it has another one.
    pub(super) fn lay_out(&self) -> Result<()> {
        if self.settings.run.sharded {
            session::shard(self.output_dir(), &Disk::default()).map_err(exit::usage)?;
        }
        Ok(())
    }

    /// The directory of the session that `reference` names: its name, the beginning of it,
    /// the digits at its end, its path, or `last`.
    ///
    /// # Errors
    /// A usage error if it names no session, or more than one.
    pub fn find(&self, reference: &str) -> Result<PathBuf> {
        session::resolve(self.output_dir(), reference).map_err(exit::usage)
    }
}

/// The arguments of a command, as clap parsed them.
///
/// # Errors
/// When they do not fit the definition.
pub fn arguments<A: FromArgMatches>(matches: &ArgMatches) -> Result<A> {
    Ok(A::from_arg_matches(matches)?)
}
