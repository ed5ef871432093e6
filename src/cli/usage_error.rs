//! Errors of the command line, as clap reports them: with tips for what people type who do not know
//! the commands yet, and as JSON where that is expected.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::failure::Failure;
use super::logging::{self, LogFormat};
use super::{Cli, Exit, Output};
use crate::text::in_plain_words;

/// The commands that only a cargo feature brings, with the feature.
const OPTIONAL_COMMANDS: &[(&str, &str)] = &[
    ("submit", "nats"),
    ("worker", "nats"),
    ("push", "s3"),
    ("pull", "s3"),
];

/// The commands whose first argument is free text, which a shell splits if it is not quoted.
const TEXT_COMMANDS: [&str; 2] = ["run", "search"];

/// The option that names documents, each once.
const DOCUMENTS: &str = "--docs";

/// The number of typing errors, swapped letters included, for which a command is suggested that
/// clap's measure of similarity does not suggest (chosen by hand: `rnu` is `run`).
const MAX_TYPING_ERRORS: usize = 1;

/// The number of typing errors up to which an option is suggested (chosen by hand: `--treshhold` is
/// `--threshold`, `--no-input` is not `--output`).
const MAX_ERRORS_OF_OPTION: usize = 2;

/// Prints a message of clap (help and version to standard output, errors to standard error) and
/// returns the exit code for it.
pub(super) fn print(mut error: clap::Error, arguments: &[OsString], cli: &Cli<'_>) -> Exit {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return match error.print() {
            Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
                let message = format!("failed to write to standard output: {cause}");
                Output::default().complaint(&message);
                Exit::Failed
            }
            _ => Exit::Complete,
        };
    }
    let words = Words::new(arguments);
    add_tips(&mut error, &words, cli);
    let text = in_plain_words(error.render().to_string());
    let output = words.output();
    let message = message(&error, &text);
    if output.log_format == LogFormat::Json {
        // No directive can be invalid here: at worst, the error is not printed twice.
        let _ = logging::install(LogFormat::Json, 0, false);
        output.complaint(&message);
    } else {
        let mut text = in_plain_words(error.render().ansi().to_string());
        // The prefix of all other errors; the help that is printed without a command has none.
        if error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            text = text.replacen("error:", "research:", 1);
        }
        let _ = anstream::stderr().lock().write_all(text.as_bytes());
    }
    if output.json {
        let _ = output.line(&Failure::new(Exit::Usage, message, tips(&error)));
    }
    Exit::Usage
}

/// The first paragraph of the text of an error, without its prefix: the others are tips and usage.
fn message(error: &clap::Error, text: &str) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "no command was given; `research --help` lists them".to_owned();
    }
    let first = text.split("\n\n").next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let words: Vec<&str> = first.split_whitespace().collect();
    words.join(" ")
}

/// The tips of an error, clap's and ours.
fn tips(error: &clap::Error) -> Vec<String> {
    let similar = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let mut tips: Vec<String> = similar
        .into_iter()
        .filter_map(|kind| error.get(kind))
        .map(|value| format!("similar: {value}"))
        .collect();
    if let Some(ContextValue::StyledStrs(own)) = error.get(ContextKind::Suggested) {
        tips.extend(own.iter().map(ToString::to_string));
    }
    tips
}

/// Adds tips to an error.
fn add_tips(error: &mut clap::Error, words: &Words, cli: &Cli<'_>) {
    match error.kind() {
        ErrorKind::InvalidSubcommand => suggest_command(error, words, cli),
        ErrorKind::UnknownArgument => {
            keep_tips_of_commands(error);
            drop_dissimilar_option(error);
            suggest_long_option(error, words, cli);
            let invalid = error.get(ContextKind::InvalidArg).map(ToString::to_string);
            let word = invalid.filter(|invalid| !invalid.starts_with('-'));
            if let Some(first) = word.as_deref().and_then(|word| words.document_before(word)) {
                add_tip(error, documents_tip(first));
                return;
            }
            let command = words.command(&TEXT_COMMANDS).filter(|_| word.is_some());
            let text = command.map(|command| (command, words.after(command)));
            // Behind an option, the text may begin with the value of that.
            if let Some((command, text)) = text.filter(|(_, text)| !text.is_empty()) {
                add_tip(error, quotation_tip(command, &text));
            }
        }
        ErrorKind::ArgumentConflict => explain_resumption(error, words),
        ErrorKind::MissingRequiredArgument if words.command(&["run"]).is_some() => add_tip(
            error,
            "or resume a session: research run --resume last".to_owned(),
        ),
        ErrorKind::MissingRequiredArgument if words.command(&["update"]).is_some() => add_tip(
            error,
            "to update all reports: research update --all".to_owned(),
        ),
        _ => {}
    }
}

/// Says what to do with a topic beside `--resume`, of which the usage names both.
fn explain_resumption(error: &mut clap::Error, words: &Words) {
    let arguments = [ContextKind::InvalidArg, ContextKind::PriorArg].map(|kind| {
        let argument = error.get(kind).map(ToString::to_string);
        argument.unwrap_or_default()
    });
    let names = |name: &str| arguments.iter().any(|argument| argument.contains(name));
    if !names("--resume") || !names("[TOPIC]") {
        return;
    }
    error.remove(ContextKind::Usage);
    let session = words.value("--resume").unwrap_or("SESSION");
    add_tip(
        error,
        format!(
            "a session has its topic; leave it out, or ask a further question: research run \
             \"TOPIC\" --follow {session}"
        ),
    );
}

/// The tip for a text that a shell splits: to quote it, or, if its last word is a path that exists,
/// `research search dogs docs`, to name the documents.
fn quotation_tip(command: &str, text: &str) -> String {
    match text.rsplit_once(' ') {
        Some((text, documents)) if Path::new(documents).exists() => {
            let line = line(command, text);
            format!("documents are named by an option: {line} --docs {documents}")
        }
        _ => format!("quote it as one text: {}", line(command, text)),
    }
}

/// The tip for documents of which only the first follows the option, as a shell makes of
/// `--docs notes/*.md`: to name their folder, or to repeat the option.
fn documents_tip(first: &str) -> String {
    let folder = Path::new(first).parent().and_then(Path::to_str);
    let folder = folder.filter(|folder| !folder.is_empty()).unwrap_or(".");
    format!("name their folder, --docs {folder}, or repeat --docs before each document")
}

/// Leaves of the commands that clap suggests, `batch` and `search` for `serach`, those with the
/// fewest typing errors.
fn keep_nearest(error: &mut clap::Error, typed: &str) {
    if let Some(ContextValue::Strings(mut names)) = error.remove(ContextKind::SuggestedSubcommand) {
        let errors = |name: &String| strsim::damerau_levenshtein(name, typed);
        let fewest = names.iter().map(errors).min();
        names.retain(|name| Some(errors(name)) == fewest);
        error.insert(
            ContextKind::SuggestedSubcommand,
            ContextValue::Strings(names),
        );
    }
}

/// Leaves the tips that name a command with the argument, "'run --offline' exists": "-1" is no
/// value that was meant to follow "--".
fn keep_tips_of_commands(error: &mut clap::Error) {
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| tip.to_string().contains("exists"));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
}

/// Drops the tip for an option of another meaning, `--output` for `--no-input`, and the usage with
/// that option: clap's measure of similarity suggests what shares many letters.
fn drop_dissimilar_option(error: &mut clap::Error) {
    let typed = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    let suggested = error
        .get(ContextKind::SuggestedArg)
        .map(ToString::to_string);
    if let Some((typed, suggested)) = typed.zip(suggested) {
        let is_beginning = suggested.starts_with(&typed) || typed.starts_with(&suggested);
        let errors = strsim::damerau_levenshtein(&typed, &suggested);
        if !is_beginning && errors > MAX_ERRORS_OF_OPTION {
            error.remove(ContextKind::SuggestedArg);
            error.remove(ContextKind::Usage);
        }
    }
}

/// Suggests the option whose name was typed behind a single dash, `--docs` for `-docs`, which clap
/// takes for several options of one letter.
fn suggest_long_option(error: &mut clap::Error, words: &Words, cli: &Cli<'_>) {
    let invalid = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    let letter = invalid.and_then(|invalid| Some(invalid.strip_prefix('-')?.to_owned()));
    let Some(letter) = letter.filter(|letter| letter.chars().count() == 1) else {
        return;
    };
    let names = words.long_options(cli);
    let typed = words.words.iter().filter_map(|word| word.strip_prefix('-'));
    let typed = typed.map(|name| name.split('=').next().unwrap_or_default());
    let mut typed = typed.filter(|name| name.contains(&letter));
    if let Some(name) = typed.find(|name| names.iter().any(|own| own == name)) {
        let option = ContextValue::String(format!("--{name}"));
        error.insert(ContextKind::SuggestedArg, option);
    }
}

/// Suggests a command with a similar name, and to research the words if they may be a topic.
fn suggest_command(error: &mut clap::Error, words: &Words, cli: &Cli<'_>) {
    let Some(typed) = error.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    let typed = typed.to_string();
    // The word after `research config` is no command, and no topic.
    let is_nested = cli
        .commands
        .iter()
        .any(|command| words.command(&[command.name]).is_some());
    let mut optional = OPTIONAL_COMMANDS.iter().filter(|_| !is_nested);
    if let Some((_, feature)) = optional.find(|(name, _)| *name == typed) {
        let build = format!("cargo build --release --locked --features {feature}");
        add_tip(error, format!("this program was built without it: {build}"));
        return;
    }
    keep_nearest(error, &typed);
    let mut is_similar = error.get(ContextKind::SuggestedSubcommand).is_some();
    if !is_similar {
        let similar = cli.commands.iter().map(|command| command.name);
        let mut similar = similar
            .filter(|name| strsim::damerau_levenshtein(name, &typed) <= MAX_TYPING_ERRORS)
            .map(str::to_owned);
        if let Some(name) = similar.next() {
            is_similar = true;
            error.insert(
                ContextKind::SuggestedSubcommand,
                ContextValue::Strings(vec![name]),
            );
        }
    }
    let text = words.since(&typed);
    let is_topic = !text.is_empty() && (!is_similar || text.contains(' '));
    if !is_nested && is_topic {
        add_tip(
            error,
            format!("to research a topic: {}", line("run", &text)),
        );
    }
}

fn add_tip(error: &mut clap::Error, tip: String) {
    let mut tips = match error.remove(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) => tips,
        _ => Vec::new(),
    };
    tips.push(StyledStr::from(tip));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
}

/// The command line that passes `text` as one argument.
fn line(command: &str, text: &str) -> String {
    // Within double quotes, a shell expands these.
    let quoted = if text.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", text.replace('\'', r"'\''"))
    } else {
        format!("\"{text}\"")
    };
    format!("research {command} {quoted}")
}

/// The arguments of the process, before clap has parsed them.
struct Words {
    words: Vec<String>,
}

impl Words {
    fn new(arguments: &[OsString]) -> Self {
        let words = arguments.iter().skip(1);
        let words = words.map(|word| word.to_string_lossy().into_owned());
        Self {
            words: words.take_while(|word| word != "--").collect(),
        }
    }

    /// The output that the options ask for.
    fn output(&self) -> Output {
        let has = |option: &str| self.words.iter().any(|word| word == option);
        let pairs = self.words.windows(2);
        let is_json_log =
            has("--log-format=json") || pairs.clone().any(|pair| pair == ["--log-format", "json"]);
        Output {
            json: has("--json") || has("--events"),
            quiet: false,
            no_pager: true,
            log_format: if is_json_log {
                LogFormat::Json
            } else {
                LogFormat::Text
            },
        }
    }

    /// The value of an option.
    fn value(&self, option: &str) -> Option<&str> {
        let mut words = self.words.iter();
        let word = words.find(|word| word.starts_with(option))?;
        match word.split_once('=') {
            Some((_, value)) => Some(value),
            None => words.next().map(String::as_str),
        }
    }

    /// The command, if it is one of these.
    fn command(&self, names: &[&'static str]) -> Option<&'static str> {
        let first = self.words.iter().find(|word| !word.starts_with('-'))?;
        names.iter().copied().find(|name| name == first)
    }

    /// The names of the long options of the command that the words name, and of all commands.
    fn long_options(&self, cli: &Cli<'_>) -> Vec<String> {
        let root = cli.definition();
        let mut commands = vec![&root];
        let names = self.words.iter().filter(|word| !word.starts_with('-'));
        for name in names {
            let within = commands.last();
            commands.extend(within.and_then(|command| command.find_subcommand(name)));
        }
        let options = commands.iter().flat_map(|command| command.get_arguments());
        options
            .filter_map(|option| option.get_long().map(str::to_owned))
            .collect()
    }

    /// The value of `--docs` if only paths that exist are between it and this word, which is one.
    fn document_before(&self, word: &str) -> Option<&str> {
        let to = self.words.iter().rposition(|other| other == word)?;
        let option = self.words[..to].iter().rposition(|own| own == DOCUMENTS)?;
        let paths = self.words.get(option + 1..=to)?;
        let are_paths = paths.iter().all(|path| Path::new(path).exists());
        paths.first().filter(|_| are_paths).map(String::as_str)
    }

    /// The words after a command, up to an option.
    fn after(&self, command: &str) -> String {
        self.joined(self.position(command) + 1)
    }

    /// The words from this one on, up to an option.
    fn since(&self, word: &str) -> String {
        self.joined(self.position(word))
    }

    fn position(&self, word: &str) -> usize {
        let position = self.words.iter().position(|other| other == word);
        position.unwrap_or(self.words.len())
    }

    fn joined(&self, first: usize) -> String {
        let words = self.words.iter().skip(first);
        let words: Vec<&str> = words
            .take_while(|word| !word.starts_with('-'))
            .map(String::as_str)
            .collect();
        words.join(" ")
    }
}
