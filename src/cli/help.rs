//! Help beyond the arguments: groups of commands and options, examples, variables, files and exit
//! codes. `--help` and the manual pages are made from the same tables.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use clap::builder::StyledStr;
use clap::{Arg, ArgAction};

/// The widest line of help, in columns.
pub(super) const MAX_COLUMNS: usize = 100;

/// The heading of the options of every command.
pub(super) const GLOBAL: &str = "Global options";
/// The heading of options that name what is searched.
pub(super) const SOURCES: &str = "Documents and web";
/// The heading of options of the amount and the kind of work.
pub(super) const WORK: &str = "Work";
/// The heading of options of the model and its limits.
pub(super) const MODEL: &str = "Model and limits";
/// The heading of options of the report.
pub(super) const REPORT: &str = "Report";
/// The heading of options that continue a session, or do parts of it again.
pub(super) const SESSION: &str = "Resume and redo";

/// A group of commands in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Commands that research.
    Research,
    /// Commands on sessions.
    Sessions,
    /// Commands on documents and reports, without a session.
    Documents,
    /// Settings, checks and helpers.
    Setup,
}

impl Group {
    const SHOWN: [(Self, &str); 4] = [
        (Self::Research, "Research"),
        (Self::Sessions, "Sessions"),
        (Self::Documents, "Documents and reports, without a session"),
        (Self::Setup, "Settings and help"),
    ];
}

/// An example in the help: what it does, and the command line.
pub type Example = (&'static str, &'static str);

/// A command in the help: its group, its name, and what it does.
pub(super) type Entry = (Group, &'static str, &'static str);

/// The examples of the program itself.
pub(super) const EXAMPLES: &[Example] = &[
    (
        "Research a question over your documents",
        "research run \"Do heat pumps work in old houses?\" --docs notes",
    ),
    (
        "Research it on the web",
        "research run \"Do heat pumps work in old houses?\"",
    ),
    (
        "Go on after an interruption, or after an edit",
        "research run --resume last",
    ),
    (
        "Check settings, models and search services",
        "research doctor",
    ),
];

/// The environment variables.
pub(super) const VARIABLES: [(&str, &str); 11] = [
    (
        "RESEARCH_SECTION__KEY",
        "A setting, such as RESEARCH_RUN__THRESHOLD=0.7; `research config` lists all of them",
    ),
    (
        "RESEARCH_OUTPUT_DIR",
        "Directory of the sessions, as RESEARCH_RUN__OUTPUT_DIR",
    ),
    ("RESEARCH_MODEL", "Model, as RESEARCH_MODELS__DEFAULT"),
    (
        "RESEARCH_JWT_SECRET",
        "Secret of the bearer tokens that `research serve` then requires (HS256)",
    ),
    (
        "RESEARCH_CONFIG",
        "Settings file, or its directory, which is trusted",
    ),
    (
        "RESEARCH_NOW",
        "Fixed time for reproducible sessions, RFC 3339",
    ),
    (
        "OPENAI_API_KEY, ANTHROPIC_API_KEY, …",
        "Keys of models and search services, as `research doctor` names them",
    ),
    (
        "NO_COLOR, CLICOLOR, CLICOLOR_FORCE",
        "No colors, or colors where no terminal is; --color overrides them",
    ),
    (
        "PAGER",
        "Program that shows reports longer than the terminal; `less` by default",
    ),
    ("RUST_LOG", "Logs on standard error, such as research=debug"),
    (
        "XDG_CONFIG_HOME, XDG_CACHE_HOME",
        "Configuration and cache directories, instead of ~/.config and ~/.cache",
    ),
];

/// The files.
pub(super) const FILES: [(&str, &str); 5] = [
    (
        "~/.config/research/research.toml",
        "Your settings; `research config init` writes it",
    ),
    (
        "config/research.toml",
        "Settings of the project in the working directory, which may not redirect anything",
    ),
    (
        "providers.toml, prices.toml, services.toml",
        "Beside either: providers and prices of models, and search services",
    ),
    (
        "research-output/SESSION/",
        "A session: its files, final_report.md among them",
    ),
    (
        "~/.cache/research/",
        "The index of documents and the cache of the web; it can be deleted",
    ),
];

/// The exit codes.
pub(super) const EXIT_CODES: [(&str, &str); 10] = [
    ("0", "complete"),
    (
        "1",
        "failed, nothing found by `search`, or faults found by `check`",
    ),
    ("2", "invalid usage or settings"),
    (
        "3",
        "complete, but below the threshold or not answered as asked (with --strict)",
    ),
    ("4", "the topic needs clarification, or the plan approval"),
    ("5", "no evidence found"),
    ("6", "budget or time exhausted"),
    ("7", "session in use"),
    ("8", "a report has changed, with `update`"),
    ("130", "interrupted"),
];

/// The options that override a setting: the option's id, the setting, and its default. That the
/// defaults are those of the settings is tested; to read them takes longer than most commands.
const SETTINGS: [(&str, &str, &str); 17] = [
    ("output_dir", "run.output_dir", "research-output"),
    ("search", "search.services", "auto"),
    ("domains", "search.domains", ""),
    ("mode", "run.mode", "deep_research"),
    ("depth", "run.depth", "auto"),
    ("threshold", "run.threshold", "0.6"),
    ("max_rounds", "run.max_rounds", "3"),
    ("model", "models.default", ""),
    ("max_cost", "budget.max_cost_usd", "0.0"),
    ("max_tokens", "budget.max_tokens", "0"),
    ("timeout", "budget.timeout_seconds", "300"),
    ("quote_only", "report.style.quote_only", "false"),
    ("report", "report.style.kind", "detailed"),
    ("lang", "report.style.language", ""),
    ("words", "report.style.words", "0"),
    ("audience", "report.style.audience", ""),
    ("tone", "report.style.tone", ""),
];

/// The definition with the defaults and the variables of options that override settings.
pub(super) fn with_settings(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| {
        let mut settings = SETTINGS.iter();
        let Some((_, key, default)) = settings.find(|(id, ..)| arg.get_id() == id) else {
            return arg;
        };
        let short = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let long = arg.get_long_help().map(ToString::to_string);
        let default = match *default {
            "" | "false" => String::new(),
            value => format!(" [default: {value}]"),
        };
        let variable = key.to_uppercase().replace('.', "__");
        let variable = format!("[env: RESEARCH_{variable}]");
        let long = long.unwrap_or_else(|| short.clone());
        arg.help(format!("{short}{default}"))
            .long_help(format!("{long}{default} {variable}"))
    })
}

/// The option `--help`, which stands with the global options.
pub(super) fn help_option() -> Arg {
    Arg::new("help")
        .short('h')
        .long("help")
        .global(true)
        .action(ArgAction::Help)
        .help("Print help: -h in short, --help in full with examples")
        .help_heading(GLOBAL)
}

/// The exit codes as a paragraph.
pub(super) fn exit_codes() -> String {
    let codes = EXIT_CODES.map(|(code, meaning)| format!("{code} {meaning}"));
    format!("Exit codes: {}.", codes.join("; "))
}

/// The text after the full help of a command: what is after the short one, then examples.
pub(super) fn after_long_help(command: &clap::Command, examples: &[Example]) -> StyledStr {
    let mut text = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(&heading(command, "Examples"));
    for (about, line) in examples {
        let _ = write!(text, "\n  {about}:\n    {line}");
    }
    StyledStr::from(text)
}

/// The text after the full help of the program.
pub(super) fn after_program_help(program: &clap::Command) -> StyledStr {
    let mut text = after_long_help(program, EXAMPLES).ansi().to_string();
    for (title, entries) in [("Variables", &VARIABLES[..]), ("Files", &FILES)] {
        let _ = write!(text, "\n\n{}", heading(program, title));
        for (name, about) in entries {
            let _ = write!(text, "\n  {name}: {about}");
        }
    }
    StyledStr::from(text)
}

/// The template of the program's help: its commands in groups, then the options.
pub(super) fn program_template(program: &clap::Command, commands: &[Entry]) -> StyledStr {
    let width = commands.iter().map(|(_, name, _)| name.len()).max();
    let width = width.unwrap_or(0);
    let mut text = String::from("{before-help}{about-with-newline}\n{usage-heading} {usage}\n");
    let literal = program.get_styles().get_literal();
    let indent = " ".repeat(width + 4);
    let is_terminal = io::stdout().is_terminal();
    let columns = if is_terminal {
        textwrap::termwidth().min(MAX_COLUMNS)
    } else {
        MAX_COLUMNS
    };
    for (group, title) in Group::SHOWN {
        let _ = write!(text, "\n{}\n", heading(program, title));
        for (_, name, about) in commands.iter().filter(|(own, ..)| *own == group) {
            let options = textwrap::Options::new(columns.saturating_sub(indent.len()).max(20));
            let lines = textwrap::wrap(about, options);
            let about = lines.join(&format!("\n{indent}"));
            let _ = writeln!(text, "  {literal}{:<width$}{literal:#}  {about}", name);
        }
    }
    let _ = write!(
        text,
        "\n{}\n{{options}}{{after-help}}",
        heading(program, GLOBAL)
    );
    StyledStr::from(text)
}

/// A heading as clap prints those of options.
fn heading(command: &clap::Command, title: &str) -> String {
    let style = command.get_styles().get_header();
    format!("{style}{title}:{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Loaded;

    #[test]
    fn defaults_in_the_help_are_those_of_the_settings() {
        let settings = Loaded::defaults().unwrap().list().unwrap();
        for (id, key, default) in SETTINGS {
            let setting = settings.iter().find(|setting| setting.key == key).unwrap();
            let value = setting.value.as_str().map(str::to_owned);
            let value = value.unwrap_or_else(|| setting.value.to_string());
            assert_eq!(value, default, "{id}");
        }
    }
}
