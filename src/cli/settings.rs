//! `research config`: every setting with its origin; the settings files; and a commented file to
//! begin with.

use std::fmt::Write as _;
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, Subcommand};
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde_json::Value;

use super::exit::{self, Exit};
use super::help::Group;
use super::questions;
use super::{Action, Command, Program, arguments};
use crate::config::{self, DEFAULTS, Loaded, Origin, Setting};
use crate::pipeline::Disk;
use crate::text::without_controls;

/// `research config`.
pub(super) const COMMAND: Command = Command {
    name: "config",
    about: "Show every setting and where it comes from, or write a settings file",
    group: Group::Setup,
    examples: &[
        ("Show what is in effect, and from where", "research config"),
        ("Only what is not the default", "research config --changed"),
        (
            "Write a commented file to begin with",
            "research config init",
        ),
    ],
    results: &[("config", || schema_for!(Listing))],
    define: |command, _| ConfigArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| run(program, &arguments(matches)?)),
};

/// The column at which the origin of a setting is shown (chosen by hand: most settings end before).
const ORIGIN_COLUMN: usize = 52;

/// The number of times that a question is repeated whose answer cannot be used.
const TRIES: usize = 3;

/// The least length of a word that may be an API key, in characters.
const KEY_CHARACTERS: usize = 24;

/// The questions of `config init`: a key of the settings, and what is asked.
const QUESTIONS: [(&str, &str); 4] = [
    (
        "models.default",
        "Model, as provider:name; rules for none; empty for the first that is available",
    ),
    (
        "search.services",
        "Services to search the web with: auto, their names, or none",
    ),
    ("run.output_dir", "Directory of the sessions"),
    (
        "budget.max_cost_usd",
        "Maximum cost of a session in US dollars; 0 for no limit",
    ),
];

#[derive(Debug, Args)]
struct ConfigArgs {
    #[command(subcommand)]
    action: Option<ConfigAction>,

    /// Show only settings that are not the default
    #[arg(long)]
    changed: bool,
}

#[derive(Debug, Subcommand)]
enum ConfigAction {
    /// Write a settings file with every setting as a comment; asks for a few on a terminal
    Init(InitArgs),
    /// Print the path of your settings file; with --json, those of all layers
    Path,
}

#[derive(Debug, Args)]
struct InitArgs {
    /// Ask nothing, and keep the defaults
    #[arg(short, long)]
    yes: bool,

    /// Write this file instead of yours
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// The settings, for other programs.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Listing {
    /// The files, a later one over an earlier one.
    files: Vec<Layer>,
    /// The settings.
    settings: Vec<Setting>,
    /// Variables that look like ours and are no settings.
    ignored_variables: Vec<String>,
}

/// A settings file.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Layer {
    /// The path.
    path: PathBuf,
    /// `true` if it exists.
    exists: bool,
    /// `true` unless it was merely found in the working directory: then it may not say where keys,
    /// documents and files go.
    trusted: bool,
}

fn run(program: &Program<'_>, arguments: &ConfigArgs) -> Result<Exit> {
    match &arguments.action {
        None => show(program, arguments.changed),
        Some(ConfigAction::Init(init_args)) => init(program, init_args),
        Some(ConfigAction::Path) => path(program),
    }
}

fn layers() -> Vec<Layer> {
    let files = config::files().into_iter().map(|file| Layer {
        exists: file.path.is_file(),
        trusted: file.is_trusted,
        path: file.path,
    });
    files.collect()
}

fn show(program: &Program<'_>, changed: bool) -> Result<Exit> {
    let loaded = Loaded {
        settings: program.settings.clone(),
        origins: program.origins.clone(),
    };
    let mut settings = loaded.list()?;
    settings.retain(|setting| !changed || setting.origin != Origin::Default);
    let listing = Listing {
        files: layers(),
        settings,
        ignored_variables: config::ignored_variables(),
    };
    warn(program);
    if program.output.json {
        return program.output.value(&listing);
    }
    program.output.text(&text(&listing))
}

/// Warns of what somebody may take for a setting that is none.
fn warn(program: &Program<'_>) {
    if Path::new("research.toml").is_file() {
        let remark = "research.toml is not read here; move it to config/research.toml";
        program.output.complaint(remark);
    }
}

/// The settings as TOML, with the files and the origins as comments.
fn text(listing: &Listing) -> String {
    let mut text = String::from("# The built-in defaults, then in this order:\n");
    for file in &listing.files {
        let remark = match (file.exists, file.trusted) {
            (false, _) => "  (does not exist)",
            (true, false) => "  (found in the working directory: may not redirect anything)",
            (true, true) => "",
        };
        let _ = writeln!(text, "#   {}{remark}", file.path.display());
    }
    text.push_str("#   environment variables, then options\n");
    for Setting { key, value, origin } in &listing.settings {
        let line = format!("{key} = {value}");
        let origin = described(origin);
        let _ = writeln!(text, "{line:<ORIGIN_COLUMN$}  # {origin}");
    }
    text
}

fn described(origin: &Origin) -> String {
    match origin {
        Origin::Default => "default".to_owned(),
        Origin::File { path, line } => format!("{}:{line}", path.display()),
        Origin::Variable { name } | Origin::Option { name } => name.clone(),
    }
}

fn path(program: &Program<'_>) -> Result<Exit> {
    if program.output.json {
        return program.output.value(&layers());
    }
    let path = user_file()?;
    program.output.text(&format!("{}\n", path.display()))
}

fn user_file() -> Result<PathBuf> {
    config::user_file().context("there is no configuration directory: set HOME")
}

/// Writes a settings file, which must not exist yet.
fn init(program: &Program<'_>, arguments: &InitArgs) -> Result<Exit> {
    let path = arguments.file.clone().map_or_else(user_file, Ok)?;
    if path.symlink_metadata().is_ok() {
        return Err(exit::usage(anyhow!(
            "{} exists already, and is not overwritten; `research config` shows what is set",
            path.display()
        )));
    }
    let answers = if !arguments.yes && questions::can_ask(program.output) {
        ask(&path)?
    } else {
        Vec::new()
    };
    let text = file_text(&answers);
    config::check_text(&text, &path)?;
    let disk = Disk::by_umask();
    if let Some(parent) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        disk.create_directory(parent)?;
    }
    disk.write(&path, text.as_bytes())?;
    program.output.remark(
        "API keys are no settings: put them into environment variables, as `research doctor` \
         names them",
    );
    if program.output.json {
        return program.output.value(&path);
    }
    program.output.text(&format!("{}\n", path.display()))
}

/// Asks the questions on the terminal, and returns the answers as keys and TOML values.
fn ask(path: &Path) -> Result<Vec<(&'static str, String)>> {
    let defaults = Loaded::defaults()?.list()?;
    let mut answers = Vec::new();
    for (key, question) in QUESTIONS {
        let default = defaults.iter().find(|setting| setting.key == key);
        let default = default.map_or(String::new(), |setting| setting.value.to_string());
        let is_text = default.starts_with('"');
        for tries_left in (0..TRIES).rev() {
            let typed = answer(&format!("{question} [{default}]"))?;
            if typed.is_empty() {
                break;
            }
            let value = if is_text {
                Value::from(typed.as_str()).to_string()
            } else {
                typed.clone()
            };
            let mut tried = answers.clone();
            tried.push((key, value));
            let problem = checked(key, &typed)
                .and_then(|()| config::check_text(&file_text(&tried), path))
                .err();
            match problem {
                None => {
                    answers = tried;
                    break;
                }
                Some(problem) if tries_left == 0 => return Err(exit::usage(problem)),
                Some(problem) => {
                    let problem = format!("{problem:#}");
                    writeln!(io::stderr(), "{}", without_controls(&problem))?;
                }
            }
        }
    }
    Ok(answers)
}

/// Refuses what would be read as another thing later, and keys above all.
fn checked(key: &str, typed: &str) -> Result<()> {
    let is_long = |word: &str| word.len() >= KEY_CHARACTERS && !word.contains(['/', '.', ' ', ',']);
    if key == "models.default" && typed != "rules" && !typed.contains(':') {
        bail!("a model is named with its provider, such as openai:gpt-4o; keys do not belong here");
    }
    if key != "models.default" && typed.split(':').any(is_long) {
        bail!("this looks like a key; keys do not belong into this file");
    }
    Ok(())
}

/// Asks one question on the terminal.
fn answer(question: &str) -> Result<String> {
    let mut terminal = io::stderr();
    write!(terminal, "{question}\n> ")?;
    terminal.flush()?;
    let mut typed = String::new();
    io::stdin().lock().read_line(&mut typed)?;
    Ok(without_controls(typed.trim()).into_owned())
}

/// The documented file with every setting as a comment, but for the answers.
fn file_text(answers: &[(&str, String)]) -> String {
    let mut text = String::from(
        "# Settings of `research`. Each setting has its default behind #; `research config` shows \
         what is in effect.\n# API keys do not belong here, but into environment variables.\n",
    );
    let documented = DEFAULTS.lines().skip_while(|line| line.starts_with('#'));
    let (mut section, mut is_long_value) = (String::new(), false);
    for line in documented {
        let name = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        if let Some(name) = name.filter(|_| !is_long_value) {
            section = format!("{name}.");
        }
        let is_comment = line.is_empty() || line.starts_with(['#', '[']);
        let key = line.split(" = ").next().unwrap_or_default();
        let answer = answers
            .iter()
            .find(|(name, _)| !is_comment && *name == format!("{section}{key}"));
        match answer {
            Some((_, value)) => {
                let _ = writeln!(text, "{key} = {value}");
            }
            None if is_comment && !is_long_value => {
                let _ = writeln!(text, "{line}");
            }
            None => {
                let _ = writeln!(text, "#{line}");
            }
        }
        // A value in triple quotes goes on over several lines.
        if line.matches("\"\"\"").count() % 2 == 1 {
            is_long_value = !is_long_value;
        }
    }
    text
}
