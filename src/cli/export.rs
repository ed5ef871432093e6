//! `research export`: the report of a session in a format of [`crate::export::FORMATS`], and the
//! files that `research run --format` writes beside the published report.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use clap::{Args, ValueEnum};
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde::de::IgnoredAny;

use super::exit::{self, Exit};
use super::help::Group;
use super::links::{link_base, rebased};
use super::target::Target;
use super::{Action, Cli, Command, Program, arguments};
use crate::export::citation::Style;
use crate::export::{Format, Kind, json, markdown, template};
use crate::inspect::{self, ExportOptions};
use crate::pipeline::{Disk, Lock, read_text};
use crate::stage::PUBLICATION;
use crate::text::without_controls;

/// `research export`.
pub(super) const COMMAND: Command = Command {
    name: "export",
    about: "Print or write the report of a session in another format",
    group: Group::Sessions,
    examples: &[
        (
            "Write the report as one HTML file",
            "research export last --format html -o report.html",
        ),
        (
            "References for Zotero",
            "research export last --format csl-json",
        ),
    ],
    results: &[
        ("export", json::schema),
        ("exported", || schema_for!(Exported<'_>)),
    ],
    define,
    action: Action::WithSession(|program, path, matches| {
        export(program, path, &arguments(matches)?)
    }),
};

#[derive(Debug, Args)]
struct ExportArgs {
    /// Format of the report, by default that of the file's extension; `--json` is short for
    /// `--format json`
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,

    /// Format of your own: this template (minijinja), whose values are those of `--format json`
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    template: Option<PathBuf>,

    /// Part of the report to export
    #[arg(long, value_enum, default_value_t = KindName::Detailed)]
    kind: KindName,

    /// Citation style of the references; by default APA if the kind is academic
    #[arg(long, value_enum, value_name = "STYLE")]
    citations: Option<StyleName>,

    /// Export this round instead of the published one
    #[arg(long, value_name = "N")]
    round: Option<u32>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A report in a format that is not JSON, for programs.
#[derive(Debug, Serialize, JsonSchema)]
struct Exported<'a> {
    /// The format, or the file of the template.
    format: &'a str,
    /// The report in it.
    text: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KindName {
    /// The whole report
    Detailed,
    /// Summary, disagreements and their references; brief means the same here
    #[value(alias = "brief")]
    Summary,
    /// Abstract, numbered sections and a bibliography
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
enum StyleName {
    /// American Psychological Association
    Apa,
    /// Modern Language Association
    Mla,
    /// The Chicago Manual of Style, author-date
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

fn define(command: clap::Command, cli: &Cli<'_>) -> clap::Command {
    let command = ExportArgs::augment_args(command);
    command.mut_arg("format", |format| format.value_parser(cli.format_names()))
}

fn export(program: &Program<'_>, path: &Path, arguments: &ExportArgs) -> Result<Exit> {
    let target = output_file(arguments.output.as_deref());
    let own = arguments.template.as_deref().map(read_template);
    let own = own.transpose().map_err(exit::usage)?;
    let format = match &arguments.format {
        Some(name) => program.cli.format(name)?,
        None if program.output.json || own.is_some() => &json::FORMAT,
        None => program.cli.format_of_file(target)?,
    };
    if own.is_none() {
        require_extension(program.cli, format, target)?;
    }
    check_output(program, path, target)?;
    Target::Existing(path.to_owned()).require_outside(target)?;
    let reader = if program.output.json {
        Some("for JSON to hold")
    } else {
        io::stdout()
            .is_terminal()
            .then_some("for a terminal to show")
    };
    if let Some(reader) = reader.filter(|_| target.is_none() && !format.is_text()) {
        return Err(exit::usage(anyhow!(
            "{} is nothing {reader}: name a file, such as -o report.{}",
            format.name,
            format.extension
        )));
    }
    remark_edited(program, path);
    let options = ExportOptions {
        kind: arguments.kind.into(),
        style: arguments.citations.map(Into::into),
        round: arguments.round,
        base: link_base(path, target)?,
    };
    let bytes = render(program, path, format, options)?;
    let (name, bytes) = match own {
        Some((file, template)) => {
            let text = template::render(file, &template, &bytes)?;
            (file.to_string_lossy(), text.into_bytes())
        }
        None => (format.name.into(), bytes),
    };
    let is_json = || serde_json::from_slice::<IgnoredAny>(&bytes).is_ok();
    if target.is_some() || !program.output.json || is_json() {
        return write(program, path, target, &bytes);
    }
    // With `--json` as JSON, whatever its format.
    program.output.value(&Exported {
        format: &name,
        text: &String::from_utf8_lossy(&bytes),
    })
}

/// Refuses a file whose extension is that of another format.
fn require_extension(cli: &Cli<'_>, format: &Format, target: Option<&Path>) -> Result<()> {
    let Some((file, extension)) = target.and_then(|own| Some((own, own.extension()?))) else {
        return Ok(());
    };
    // `csl.json` is JSON as well.
    let is_of = |own: &Format| {
        let last = own.extension.rsplit('.').next();
        last.is_some_and(|last| extension.eq_ignore_ascii_case(last))
    };
    if is_of(format) || !cli.formats.iter().any(is_of) {
        return Ok(());
    }
    Err(exit::usage(anyhow!(
        "{} would hold {}, and its name says otherwise: name it {}, or give the format of its \
         extension",
        file.display(),
        format.name,
        file.with_extension(format.extension).display()
    )))
}

/// The template in a file, and the file.
fn read_template(path: &Path) -> Result<(&Path, String)> {
    let template = read_text(path);
    let template = template.with_context(|| format!("failed to read {}", path.display()))?;
    Ok((path, template))
}

/// Prints the published report of a session, or writes it to a file, in the format of the file's
/// extension.
pub(super) fn write_published(
    program: &Program<'_>,
    path: &Path,
    target: Option<&Path>,
) -> Result<Exit> {
    let format = program.cli.format_of_file(target)?;
    // The published file itself: the user may have edited it.
    if format.name == markdown::FORMAT.name {
        let report = rebased(&inspect::published_report(path)?, path, target)?;
        if target.is_none() {
            return program.output.report(&report);
        }
        return write(program, path, target, without_controls(&report).as_bytes());
    }
    let base = link_base(path, target)?;
    let options = ExportOptions {
        base,
        ..ExportOptions::default()
    };
    let bytes = render(program, path, format, options)?;
    write(program, path, target, &bytes)
}

/// The effect of an edit of a file that is made from others.
const ABOUT_EDITED: &str = "changed by hand; nothing else is made from it, and \
    a run that makes it again moves it to superseded: edit analysis.json or report.json instead";

/// The same of a plan whose steps were carried out.
const ABOUT_EDITED_PLAN: &str = "changed by hand since its steps were carried out, which are as \
    they were; to carry it out, delete research.json and resume";

/// The same of a stored text.
const ABOUT_EDITED_TEXT: &str = "changed by hand, so that what cites it cannot be checked; to make \
    it again as it was read, resume with --from research";

/// The effect of an edit of a file from which nothing else follows.
pub(super) fn about_edited(file: &str) -> &'static str {
    if file.starts_with("sources/") {
        return ABOUT_EDITED_TEXT;
    }
    let is_plan = Path::new(file).extension().is_some_and(|ext| ext == "json");
    if is_plan {
        ABOUT_EDITED_PLAN
    } else {
        ABOUT_EDITED
    }
}

/// Warns of claims and files that were changed by hand, and of stored texts that are lost.
pub(super) fn remark_edited(program: &Program<'_>, path: &Path) {
    for name in inspect::edited_files(path) {
        let (file, effect) = (path.join(&name), about_edited(&name));
        let warning = format!("{}: {effect}", file.display());
        program.output.complaint(&warning);
    }
    if let Some((lost, again)) = inspect::lost_texts(path) {
        let (lost, path) = (lost.join(", "), path.display());
        let warning = format!(
            "{path} lacks {lost}, so that what cites it cannot be checked; to make it again: \
             {again}"
        );
        program.output.complaint(&warning);
    }
    for claim in inspect::edited_claims(path) {
        let claim = format!("{}/{claim}", path.display());
        program
            .output
            .complaint(&format!("changed by hand, not checked: {claim}"));
    }
}

/// The file of `-o`; `None` if it is standard output.
pub(super) fn output_file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|target| *target != Path::new("-"))
}

/// Checks the file of `-o` before anything runs or is rendered.
///
/// # Errors
/// A usage error if the report cannot be written there.
pub(super) fn check_output(
    program: &Program<'_>,
    session: &Path,
    output: Option<&Path>,
) -> Result<()> {
    output_file(output).map_or(Ok(()), |target| {
        check_target(program.cli, session, target).map_err(exit::usage)
    })
}

/// Writes the report of a session to a file, or to standard output.
fn write(
    program: &Program<'_>,
    session: &Path,
    target: Option<&Path>,
    bytes: &[u8],
) -> Result<Exit> {
    let Some(target) = target else {
        return program.output.bytes(bytes);
    };
    let disk = Disk::by_umask();
    // A foreign session may hold links to anything: they are replaced.
    let parent = target.parent().filter(|own| !own.as_os_str().is_empty());
    if is_inside(session, parent.unwrap_or(Path::new("."))) {
        disk.write(target, bytes)?;
    } else {
        disk.write_over(target, bytes)?;
    }
    let remark = format!("wrote {}", target.display());
    program.output.remark(&remark);
    Ok(Exit::Complete)
}

/// The formats that `research run` writes beside the published report, which is in one of its own.
pub(super) fn beside_report<'a>(cli: &Cli<'a>) -> impl Iterator<Item = &'a Format> {
    let formats = cli.formats.iter();
    formats.filter(|format| format.file_name() != PUBLICATION)
}

/// Writes the report of a complete session in the formats of these names, beside the published one.
/// With `is_new`, files of other formats that exist are rewritten too: beside a new report they
/// would be out of date.
pub(super) fn write_beside(
    program: &Program<'_>,
    path: &Path,
    names: &[String],
    is_new: bool,
) -> Result<()> {
    let files: Vec<(&Format, PathBuf)> = beside_report(program.cli)
        .map(|format| (format, path.join(format.file_name())))
        .filter(|(format, file)| {
            names.iter().any(|name| name == format.name) || (is_new && file.exists())
        })
        .collect();
    if files.is_empty() {
        return Ok(());
    }
    // With the lock, no other run publishes a report in between.
    let _lock = Lock::acquire(path, true, &program.clock.timestamp())?;
    for (format, file) in files {
        let bytes = render(program, path, format, ExportOptions::default())?;
        // The same bytes are not written again, so that make sees no new file. A link is replaced.
        let is_plain = std::fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_file());
        if !is_plain || std::fs::read(&file).ok().as_deref() != Some(&bytes) {
            Disk::by_umask().write(&file, &bytes)?;
            program.output.remark(&format!("wrote {}", file.display()));
        }
    }
    Ok(())
}

fn render(
    program: &Program<'_>,
    path: &Path,
    format: &Format,
    options: ExportOptions,
) -> Result<Vec<u8>> {
    let exported = inspect::export(path, &program.settings, format, options)?;
    if exported.is_draft {
        let name = path.file_name().unwrap_or(path.as_os_str());
        program.output.remark(&format!(
            "the session is not complete, or its documents have changed: this is its latest \
             report; research explain {} says why",
            name.to_string_lossy()
        ));
    }
    for problem in &exported.problems {
        program.output.complaint(&format!("{problem:#}"));
    }
    Ok(exported.bytes)
}

/// Refuses to replace anything but a regular file, such as a device, and the files that the session
/// consists of.
fn check_target(cli: &Cli<'_>, session: &Path, target: &Path) -> Result<()> {
    let Ok(metadata) = std::fs::metadata(target) else {
        // Before a run that may take an hour: its report could not be written.
        link_base(Path::new("."), Some(target))?;
        return Ok(());
    };
    if !metadata.is_file() {
        return Err(anyhow!(
            "{} is not a regular file; leave out -o for standard output",
            target.display()
        ));
    }
    let real = target.canonicalize()?;
    let name = real.file_name().unwrap_or_default();
    let is_export = beside_report(cli).any(|format| name == format.file_name().as_str());
    if is_inside(session, &real) && !is_export {
        return Err(anyhow!(
            "{} is a file of the session and cannot be replaced; choose another name",
            target.display()
        ));
    }
    Ok(())
}

/// `true` if a path leads into the directory of a session.
fn is_inside(session: &Path, path: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let both = real(session).zip(real(path));
    both.is_some_and(|(session, path)| path.starts_with(session))
}
