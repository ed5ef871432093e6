//! `research export`: a session's report as Markdown, HTML or JSON. And the formats that `research
//! run` writes beside it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};

use super::Program;
use super::args::{Export, FormatName};
use super::exit::{self, Exit};
use super::round::Rounds;
use crate::artifact;
use crate::export::markdown::BelowThreshold;
use crate::export::{Edition, Kind, html, json, markdown};
use crate::pipeline::{Disk, Lock};
use crate::session;

/// What `research run --format` writes into the session, beside the published report.
const BESIDE: [(FormatName, &str); 2] = [
    (FormatName::Html, "final_report.html"),
    (FormatName::Json, "final_report.json"),
];

/// Exports a session.
pub(super) fn export(program: &Program<'_>, arguments: &Export) -> Result<Exit> {
    let path = program.find(&arguments.session)?;
    let format = match arguments.format {
        None if program.output.json => FormatName::Json,
        None => FormatName::Md,
        Some(format) => format,
    };
    let target = arguments
        .output
        .as_deref()
        .filter(|target| *target != Path::new("-"));
    if let Some(target) = target {
        check_target(&path, target).map_err(exit::usage)?;
    }
    let wanted = Wanted {
        format,
        kind: arguments.kind.into(),
        style: arguments.citations.map(Into::into),
        round: arguments.round,
        base: target.map_or(Ok(String::new()), |target| base(&path, target))?,
    };
    let bytes = render(program, &path, &wanted)?;
    let Some(target) = target else {
        return program.output.bytes(&bytes);
    };
    Disk::default().write(target, &bytes)?;
    program
        .output
        .remark(&format!("wrote {}", target.display()));
    Ok(Exit::Complete)
}

/// Writes the formats asked for beside the published report of a complete session. If the run did
/// anything, those that are there are written again too: beside a new report, an old one would
/// mislead.
pub(super) fn beside(
    program: &Program<'_>,
    path: &Path,
    asked: &[FormatName],
    is_new: bool,
) -> Result<()> {
    let is_wanted =
        |format: &FormatName, file: &Path| asked.contains(format) || (is_new && file.exists());
    let files = BESIDE.map(|(format, name)| (format, path.join(name)));
    let files = files.into_iter();
    let files: Vec<_> = files
        .filter(|(format, file)| is_wanted(format, file))
        .collect();
    if files.is_empty() {
        return Ok(());
    }
    let _lock = Lock::take(path, true, &program.clock.stamp())?;
    for (format, file) in files {
        let wanted = Wanted {
            format,
            kind: Kind::Detailed,
            style: None,
            round: None,
            base: String::new(),
        };
        let bytes = render(program, path, &wanted)?;
        let is_plain = std::fs::symlink_metadata(&file).is_ok_and(|found| found.is_file());
        if !is_plain || std::fs::read(&file).ok().as_deref() != Some(&bytes) {
            Disk::default().write(&file, &bytes)?;
            program.output.remark(&format!("wrote {}", file.display()));
        }
    }
    Ok(())
}

/// What of a session is wanted, and how.
struct Wanted {
    format: FormatName,
    kind: Kind,
    style: Option<crate::export::citation::Style>,
    round: Option<u32>,
    base: String,
}

fn render(program: &Program<'_>, path: &Path, wanted: &Wanted) -> Result<Vec<u8>> {
    let session = session::read(path)?;
    let rounds = Rounds::of(program, path)?;
    let number = wanted.round.or(rounds.published);
    if number.is_none() {
        program
            .output
            .remark("the session is not complete: this is its last report so far");
    }
    let round = rounds.read(number.unwrap_or_else(|| rounds.last()))?;
    let is_published = rounds.published == Some(round.number);
    let below = round.review.as_ref().map(|review| BelowThreshold {
        score: review.score,
        threshold: review.threshold,
    });
    let is_below = |below: &BelowThreshold| match is_published {
        true => rounds.is_below_threshold,
        false => below.score < below.threshold,
    };
    let texts = match wanted.format {
        FormatName::Html => rounds.texts(program, &round.report),
        FormatName::Md | FormatName::Json => Default::default(),
    };
    let edition = Edition {
        session: &session,
        round: round.number,
        report: &round.report,
        review: round.review.as_ref(),
        is_published,
        below: below.filter(is_below),
        texts: &texts,
        kind: wanted.kind,
        style: wanted.style,
        base: wanted.base.clone(),
    };
    Ok(match wanted.format {
        FormatName::Md => markdown::edition(&edition).into_bytes(),
        FormatName::Html => html::render(&edition).into_bytes(),
        FormatName::Json => artifact::to_bytes(&json::document(&edition))?,
    })
}

/// Refuses to replace what is no plain file, such as a device, and the files that the session lives
/// by.
fn check_target(session: &Path, target: &Path) -> Result<()> {
    let Ok(found) = std::fs::metadata(target) else {
        return Ok(());
    };
    if !found.is_file() {
        return Err(anyhow!(
            "{} is no plain file; leave out -o for standard output",
            target.display()
        ));
    }
    let is_inside = target.canonicalize()?.starts_with(session.canonicalize()?);
    let name = target.file_name().unwrap_or_default();
    if is_inside && !BESIDE.iter().any(|(_, beside)| name == *beside) {
        return Err(anyhow!(
            "{} is a file of the session and is not replaced; choose another name",
            target.display()
        ));
    }
    Ok(())
}

/// What links into the session begin with in a file at `target`.
fn base(session: &Path, target: &Path) -> Result<String> {
    let parent = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let resolved = |path: &Path| -> Result<PathBuf> {
        path.canonicalize()
            .with_context(|| format!("failed to find {}", path.display()))
    };
    let (session, parent) = (resolved(session)?, resolved(parent)?);
    let relative = pathdiff::diff_paths(&session, &parent).unwrap_or(session);
    let mut base = String::new();
    for byte in relative.to_string_lossy().bytes() {
        if byte.is_ascii_alphanumeric() || b"-_./".contains(&byte) {
            base.push(char::from(byte));
        } else {
            base.push_str(&format!("%{byte:02X}"));
        }
    }
    if !base.is_empty() && !base.ends_with('/') {
        base.push('/');
    }
    Ok(base)
}
