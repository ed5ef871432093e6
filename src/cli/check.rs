//! `research check`: checks the sentences of any report against the sources that they cite, and
//! pairs of claim and passage.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use percent_encoding::percent_decode_str;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde_json::Value;

use super::exit::{self, Exit};
use super::failure::Problem;
use super::help::Group;
use super::words::count;
use super::{Action, Command, Program, arguments};
use crate::check::{
    CheckedPair, CheckedReport, CheckedSentence, Fetch, Finding, Match, Original, Pair, Sources,
    Summary, addresses, check_pair, check_report, links,
};
use crate::read::{Document, Kinds, Reader};
use crate::run::{self, fetching};
use crate::search::Library;
use crate::session;
use crate::text::truncate_with_ellipsis;

/// `research check`.
pub(super) const COMMAND: Command = Command {
    name: "check",
    about: "Check every sentence of any report against the sources that it cites",
    group: Group::Documents,
    examples: &[
        (
            "Check a report against documents",
            "research check report.md --docs notes",
        ),
        (
            "For a program: everything as JSON",
            "research check report.md --docs notes --json",
        ),
    ],
    results: &[
        ("check", || schema_for!(Results<'_>)),
        ("unchecked", || schema_for!(Unchecked<'_>)),
        ("checked_pair", || schema_for!(CheckedPair)),
    ],
    define: |command, _| CheckArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| check(program, &arguments(matches)?)),
};

/// Extensions of files of pairs.
const PAIRS: &[&str] = &["jsonl", "ndjson"];

/// The maximum number of characters of a sentence or quotation that is printed. Chosen by hand.
const SHOWN: usize = 240;

/// The same of what another document says otherwise, whose deciding words may be behind the name of
/// what it changes.
const SHOWN_OTHERWISE: usize = 2 * SHOWN;

#[derive(Debug, Args)]
#[command(
    after_help = "The report may be by any program: numbers in brackets or superscript with a list \
of references, links, footnotes. What it cites is looked for in --docs by path, file name, title, \
or the URL in a document's front matter; other URLs are fetched, unless --offline is given. \
A report of this program finds the sources of its session by its links, and any other, without \
--docs, the files in its folder or below to which its links lead. \
Headings, questions and announcements need no source; a sentence without a citation may share the \
one at the end of its paragraph. A report that cites nothing is checked against all of \
--docs.\n\nPairs are lines such as {\"claim\": \"…\", \"passage\": \
\"…\"}, with \"passages\" for several and an \"id\" if wanted; each gives a line with its \
verdict.\n\nThe exit code is 1 if a verdict is one of --fail-on, and 2 if a \
file cannot be checked, or the result not be written; of several files, the others are checked all \
the same."
)]
struct CheckArgs {
    /// Reports in Markdown, HTML, DOCX or another kind of document, or pairs as JSON lines; - for
    /// standard input
    #[arg(value_name = "FILE|-", required = true)]
    files: Vec<PathBuf>,

    /// File or directory of the documents that the report cites; may be repeated
    #[arg(long, value_name = "PATH")]
    docs: Vec<PathBuf>,

    /// Fetch nothing: only --docs are sources
    #[arg(long)]
    offline: bool,

    /// Print every sentence, not only those that need attention
    #[arg(long)]
    all: bool,

    /// Verdicts for which the exit code is 1: partial includes unsupported, and that includes
    /// contradicted
    #[arg(
        long, value_name = "VERDICT,…", value_enum, value_delimiter = ',',
        default_values_t = [FailOn::Unsupported, FailOn::Unreachable],
    )]
    fail_on: Vec<FailOn>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// The sources say the contrary
    Contradicted,
    /// The sources do not say it, or say the contrary
    Unsupported,
    /// The sources say only a part of it, do not say it, or say the contrary
    Partial,
    /// The sentence has no source
    Uncited,
    /// None of its sources can be read, or it cites what is not in the list of references
    Unreachable,
    /// The source that supports it is superseded, withdrawn, a draft or otherwise not in force
    NotInForce,
    /// Another document says otherwise of what a supported sentence says
    Disputed,
    /// None
    Never,
}

impl FailOn {
    fn includes(self, finding: Finding) -> bool {
        let findings: &[Finding] = match self {
            Self::Contradicted => &[Finding::Contradicted],
            Self::Unsupported => &[Finding::Contradicted, Finding::Unsupported],
            Self::Partial => &[
                Finding::Contradicted,
                Finding::Unsupported,
                Finding::Partial,
            ],
            Self::Uncited => &[Finding::Uncited],
            Self::Unreachable => &[Finding::Unreachable],
            Self::NotInForce | Self::Disputed | Self::Never => &[],
        };
        findings.contains(&finding)
    }

    fn includes_sentence(self, sentence: &CheckedSentence) -> bool {
        match self {
            Self::NotInForce => sentence.status_of_support().is_some(),
            Self::Disputed => sentence.rival.is_some(),
            Self::Unreachable if sentence.unlisted() > 0 => true,
            _ => self.includes(sentence.verdict),
        }
    }
}

/// The outcome for other programs.
#[derive(Serialize, JsonSchema)]
struct Results<'a> {
    report: &'a str,
    /// `true` if the exit code is 0.
    passed: bool,
    summary: &'a Summary,
    sentences: &'a [CheckedSentence],
}

/// One of several files that cannot be checked, for other programs.
#[derive(Serialize, JsonSchema)]
struct Unchecked<'a> {
    report: &'a str,
    error: Problem,
}

fn check(program: &Program<'_>, arguments: &CheckArgs) -> Result<Exit> {
    check_files(program, arguments).map_err(exit::of_finder)
}

/// Checks one file after the other: the exit code is that of the worst.
fn check_files(program: &Program<'_>, arguments: &CheckArgs) -> Result<Exit> {
    crate::read::require_roots(&arguments.docs).map_err(|error| exit::usage(error.into()))?;
    if let [file] = &*arguments.files {
        return check_file(program, arguments, file);
    }
    let mut worst = Exit::Complete;
    for file in &arguments.files {
        let own = match check_file(program, arguments, file) {
            Err(error) if exit::of_error(&error) == Exit::Usage => unchecked(program, file, &error),
            checked => checked,
        }?;
        if own as u8 > worst as u8 {
            worst = own;
        }
    }
    Ok(worst)
}

/// Prints why one of several files cannot be checked.
fn unchecked(program: &Program<'_>, file: &Path, error: &anyhow::Error) -> Result<Exit> {
    let report = &*file.to_string_lossy();
    let mut message = format!("{error:#}");
    if !message.contains(report) {
        message = format!("{report}: {message}");
    }
    program.output.complaint(&message);
    if program.output.json {
        let error = Problem::new(Exit::Usage, message, Vec::new());
        program.output.line(&Unchecked { report, error })?;
    }
    Ok(Exit::Usage)
}

fn check_file(program: &Program<'_>, arguments: &CheckArgs, file: &Path) -> Result<Exit> {
    let reader = Reader {
        keeps_links: true,
        ..run::reader(&program.settings)?
    };
    let bytes = bytes(file, reader.max_bytes).map_err(exit::usage)?;
    let fails = |finding: Finding| arguments.fail_on.iter().any(|on| on.includes(finding));
    if is_of_pairs(file, &bytes) {
        return pairs(program, &bytes, fails);
    }
    let report = read(&reader, file, &bytes).map_err(exit::usage)?;
    remark_omission(program, &report, &file.display().to_string());
    let checked = check_document(program, arguments, (file, &report), &bytes)?;
    if checked.sentences.is_empty() {
        return Err(exit::usage(nothing_checked(file, &checked.summary)));
    }
    let fails =
        |one: &CheckedSentence| arguments.fail_on.iter().any(|on| on.includes_sentence(one));
    let passed = !checked.sentences.iter().any(fails);
    let exit = if passed { Exit::Complete } else { Exit::Failed };
    let name = file.to_string_lossy();
    let is_one = arguments.files.len() == 1;
    if program.output.json {
        let results = Results {
            report: &name,
            passed,
            summary: &checked.summary,
            sentences: &checked.sentences,
        };
        // Of several reports, each is a line.
        let printed = if is_one {
            program.output.value(&results)
        } else {
            program.output.line(&results)
        };
        return printed.map(|_| exit);
    }
    let prefix = if is_one {
        String::new()
    } else {
        format!("{name}: ")
    };
    let text = text(&name, &checked, arguments.all) + &prefix + &totals(&checked.summary);
    program.output.text(&text).map(|_| exit)
}

/// The error of a report in which nothing was checked, which is no success.
fn nothing_checked(file: &Path, summary: &Summary) -> anyhow::Error {
    let exempt = match summary.exempt {
        0 => String::new(),
        exempt => format!(", {} left out", count(exempt, "sentence")),
    };
    anyhow!(
        "no sentence of {} was checked{exempt}: headings, questions, announcements, code and lists \
         of references need no source; write statements in running text, and what they cite as \
         [1], a link or a footnote",
        file.display()
    )
}

/// The bytes of a file, or of standard input, up to a limit.
fn bytes(file: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    ensure!(
        !file.is_dir(),
        "{} is a directory: name the reports in it",
        file.display()
    );
    let failed = || format!("cannot read {}", file.display());
    let read = if file == Path::new("-") {
        std::io::stdin()
            .lock()
            .take(limit + 1)
            .read_to_end(&mut bytes)
    } else {
        let missing = "name a report, or pairs as JSON lines, or - for standard input";
        let opened = std::fs::File::open(file).map_err(|error| exit::of_file(error, missing));
        let file = opened.with_context(failed)?;
        file.take(limit + 1).read_to_end(&mut bytes)
    };
    read.with_context(failed)?;
    ensure!(
        bytes.len() as u64 <= limit,
        "{} is larger than {limit} bytes; read.max_mebibytes sets the limit",
        file.display()
    );
    Ok(bytes)
}

fn is_of_pairs(file: &Path, bytes: &[u8]) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("json") => begins_with_pair(bytes),
        Some(extension) => PAIRS.contains(&extension),
        None => bytes.trim_ascii_start().starts_with(b"{"),
    }
}

/// `true` for JSON whose first object is a pair: any other is read as a document.
fn begins_with_pair(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let array = serde_json::from_str::<Vec<Value>>(text).unwrap_or_default();
    let first = array.first().map(Value::to_string);
    let first = first.as_deref().or_else(|| text.lines().next());
    first.is_some_and(|first| Pair::parse(first).is_ok())
}

/// Pairs as JSON texts, each with where it stands: of a list of lines, or of an array.
fn numbered_pairs(text: &str) -> Result<Vec<(String, Cow<'_, str>)>> {
    if text.trim_start().starts_with('[') {
        let pairs: Vec<Value> = serde_json::from_str(text).context("the array of pairs")?;
        let numbered = (1..).zip(pairs);
        let pairs = numbered.map(|(number, pair)| {
            let at = format!("element {number} of the array");
            (at, Cow::Owned(pair.to_string()))
        });
        return Ok(pairs.collect());
    }
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    Ok(lines
        .map(|(number, line)| (format!("line {number}"), Cow::Borrowed(line)))
        .collect())
}

/// Checks pairs, a line or an element of an array each.
fn pairs(program: &Program<'_>, bytes: &[u8], fails: impl Fn(Finding) -> bool) -> Result<Exit> {
    let text = std::str::from_utf8(bytes).context("the pairs are not UTF-8");
    let pairs = text.and_then(numbered_pairs).map_err(exit::usage)?;
    let mut exit = Exit::Complete;
    for (at, pair) in pairs {
        let pair = Pair::parse(&pair).map_err(|error| {
            exit::usage(anyhow!(
                "{at} is not a pair of claim and passage: {error:#}; write one object a line, such \
                 as {{\"claim\": \"…\", \"passage\": \"…\"}}, or an array of them"
            ))
        })?;
        let checked = check_pair(pair);
        if fails(checked.verdict) {
            exit = Exit::Failed;
        }
        program.output.line(&checked)?;
    }
    Ok(exit)
}

/// Reads the report, with its links.
fn read(reader: &Reader, file: &Path, bytes: &[u8]) -> Result<Document> {
    // Standard input is Markdown unless its bytes say otherwise.
    let name = if file == Path::new("-") {
        Path::new("report.md")
    } else {
        file
    };
    let kind = reader.kinds.detect(name, "", bytes);
    let kind = kind.with_context(|| {
        let kinds = Kinds::built_in().labels();
        format!(
            "{} is no kind of document that can be read ({kinds})",
            file.display()
        )
    })?;
    Ok(reader.read_bytes(name, kind, bytes, None)?)
}

/// Checks a report against its documents and pages.
fn check_document(
    program: &Program<'_>,
    arguments: &CheckArgs,
    (file, report): (&Path, &Document),
    bytes: &[u8],
) -> Result<CheckedReport> {
    let mut links = session_sources(&report.text, file);
    if arguments.docs.is_empty() {
        links.extend(files_beside(&report.text, file));
    }
    let documents: BTreeSet<&PathBuf> = links.values().collect();
    let roots: Vec<PathBuf> = arguments.docs.iter().chain(documents).cloned().collect();
    let markup = String::from_utf8_lossy(bytes);
    let cites_pages = [&*report.text, &*markup]
        .iter()
        .any(|text| text.contains("://"));
    if roots.is_empty() && (arguments.offline || !cites_pages) {
        let problem = anyhow!(
            "there is nothing to check against: name documents with --docs PATH; without it, a \
             report is checked against the files in its folder or below to which its links lead, \
             and one of this program in Markdown against the sources of its session; its other \
             exports have no links to these, and are checked with the documents of the session as \
             --docs"
        );
        return Err(exit::usage(problem));
    }
    let reader = run::reader(&program.settings)?;
    let library = library(program, &reader, &roots)?;
    let copies = without_copies(program, &library, bytes);
    let is_left = roots.is_empty() || copies.len() < library.documents.len();
    if !is_left && (arguments.offline || !cites_pages) {
        let problem = anyhow!(
            "there is nothing to check against: the only document is the report itself; name \
             others with --docs PATH"
        );
        return Err(exit::usage(problem));
    }
    let folder = (!roots.is_empty()).then_some((&library, &reader));
    let fetch = |addresses: &[String]| fetched(program, addresses);
    let fetch: Option<Fetch<'_>> = (!arguments.offline).then_some(&fetch);
    let mut sources = Sources::new(folder, fetch)
        .without(copies)
        .with_links(&links);
    let original = match report.kind.name {
        "html" => Original::Markup(&markup),
        "markdown" | "text" => Original::Text,
        _ => Original::Paragraphs,
    };
    Ok(check_report(&report.text, original, &mut sources))
}

/// The documents below some roots. Prints what could not be read.
fn library(program: &Program<'_>, reader: &Reader, roots: &[PathBuf]) -> Result<Library> {
    let cache = program.settings.cache_dir();
    crate::read::require_roots(roots).map_err(|error| exit::usage(error.into()))?;
    let library = Library::open(roots, reader, cache.as_deref()).map_err(exit::usage)?;
    library
        .require_documents(roots)
        .map_err(|error| exit::usage(error.into()))?;
    for failure in &library.failures {
        program
            .output
            .remark(&format!("skipped: {}", failure.problem));
    }
    Ok(library)
}

/// The numbers of the documents that have the bytes of the report: the report itself and its
/// copies. Prints that they are left out.
fn without_copies(program: &Program<'_>, library: &Library, report: &[u8]) -> BTreeSet<usize> {
    let has_bytes = |path: &Path| {
        let length = path.metadata().map(|own| own.len());
        length.is_ok_and(|length| length == report.len() as u64)
            && std::fs::read(path).is_ok_and(|own| own == report)
    };
    let documents = library.documents.iter().enumerate();
    let mut copies = BTreeSet::new();
    for (number, document) in documents.filter(|(_, own)| has_bytes(own.path())) {
        let name = &document.locator;
        let remark = format!("left out: {name} is the report itself, which is no source of it");
        program.output.remark(&remark);
        copies.insert(number);
    }
    copies
}

/// The directory of the sources of a session.
const SOURCES: &str = "sources";

/// The files in the folder of a report, or below it, that the report names as its sources, by the
/// addresses that it gives. It may be somebody else's report: what is hidden, lies in a session or
/// is reached by a symbolic link or from above the folder, is not read.
fn files_beside(markdown: &str, report: &Path) -> BTreeMap<String, PathBuf> {
    let directory = report.parent().unwrap_or(Path::new(""));
    let is_session = |folder: &Path| directory.join(folder).join(session::FILE).is_file();
    let root = Path::new(".").join(directory).canonicalize();
    let file = |address: &String| {
        let plain = address.split(['#', '?']).next()?;
        let words = percent_decode_str(plain).decode_utf8().ok()?;
        let below = Path::new(&*words);
        let below = below.strip_prefix(".").unwrap_or(below);
        let is_below = below.components().all(|part| match part {
            Component::Normal(name) => !name.as_encoded_bytes().starts_with(b"."),
            _ => false,
        });
        let path = directory.join(below);
        let is_read = is_below
            && path.is_file()
            && path.canonicalize().ok()? == root.as_ref().ok()?.join(below)
            && !below.ancestors().skip(1).any(is_session)
            && Kinds::built_in().of_listed_file(&path).is_some();
        is_read.then_some(path)
    };
    let addresses = addresses(markdown).into_iter();
    addresses
        .filter_map(|address| file(&address).map(|path| (address, path)))
        .collect()
}

/// The links of a report of this program to the stored sources of sessions, with their paths. No
/// link below a session is followed: it may be somebody else's.
fn session_sources(markdown: &str, report: &Path) -> BTreeMap<String, PathBuf> {
    let directory = report.parent().unwrap_or(Path::new(""));
    let source = |address: &String| {
        let words = percent_decode_str(address).decode_utf8().ok()?;
        let path = directory.join(&*words);
        let sources = path.parent()?;
        let session = sources
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let session = session.unwrap_or(Path::new("."));
        let real = session.canonicalize().ok()?.join(SOURCES);
        let is_source = sources.ends_with(SOURCES)
            && session.join(session::FILE).is_file()
            && path.extension()? == "md"
            && path.is_file()
            && path.canonicalize().ok()? == real.join(path.file_name()?);
        is_source.then_some(path)
    };
    let links = links(markdown).into_iter();
    links
        .filter_map(|address| source(&address).map(|path| (address, path)))
        .collect()
}

/// Fetches pages by the guarded client, many at once.
fn fetched(program: &Program<'_>, addresses: &[String]) -> Vec<Result<Document, String>> {
    if addresses.is_empty() {
        return Vec::new();
    }
    let pages = count(addresses.len(), "page");
    program.output.remark(&format!("fetching {pages}"));
    let client = fetching::web_client(&program.settings, program.clock, &program.quotas);
    let client = match client {
        Ok(client) => client,
        Err(error) => return vec![Err(format!("{error:#}")); addresses.len()],
    };
    let results = futures::executor::block_on(client.read(addresses, &[])).into_iter();
    results
        .map(|page| {
            let page = page.map_err(|error| error.to_string())?;
            remark_omission(program, &page.document, page.url.as_str());
            Ok(page.document)
        })
        .collect()
}

/// Prints what is not read of a document that is too long.
fn remark_omission(program: &Program<'_>, document: &Document, name: &str) {
    if let Some(omission) = document.omission(name) {
        program.output.remark(&format!("skipped: {omission}"));
    }
}

/// The outcome as text: a line a sentence, with what it stands on below.
fn text(name: &str, checked: &CheckedReport, all: bool) -> String {
    let mut text = String::new();
    for sentence in &checked.sentences {
        if all || needs_attention(sentence) {
            print(&mut text, name, sentence);
        }
    }
    text
}

/// The numbers of sentences by their verdicts, as a line.
fn totals(summary: &Summary) -> String {
    let findings = Finding::ALL
        .into_iter()
        .filter(|finding| summary.of(*finding) > 0);
    let counts: Vec<String> = findings
        .map(|finding| format!("{} {}", summary.of(finding), finding.label()))
        .collect();
    let sentences = count(summary.sentences, "sentence");
    let remark = |number: usize, words: &str| match number {
        0 => String::new(),
        number => format!("; {number} {words}"),
    };
    let not_in_force = remark(summary.not_in_force, "by a source that is not in force");
    let disputed = remark(summary.disputed, "of which another document says otherwise");
    let citations = count(summary.unlisted, "citation");
    let unlisted = match summary.unlisted {
        0 => String::new(),
        _ => format!("; {citations} not in the list of references"),
    };
    let colon = if counts.is_empty() { "" } else { ": " };
    let need = if summary.exempt == 1 { "needs" } else { "need" };
    let exempt = remark(summary.exempt, &format!("more {need} no source"));
    format!(
        "checked {sentences}{colon}{}{not_in_force}{disputed}{unlisted}{exempt}\n",
        counts.join(", ")
    )
}

/// `true` for a sentence that is printed without `--all`.
fn needs_attention(sentence: &CheckedSentence) -> bool {
    sentence.verdict != Finding::Supported
        || sentence.status_of_support().is_some()
        || sentence.rival.is_some()
        || !dangling(sentence).is_empty()
}

/// The citations of a sentence that do not hold although another one does, and those that are not
/// in the list of references whatever the others say.
fn dangling(sentence: &CheckedSentence) -> Vec<String> {
    // Without any source, the reasons are what is wrong with each.
    if sentence.verdict == Finding::Unreachable {
        return Vec::new();
    }
    let is_supported = sentence.verdict == Finding::Supported;
    let judged = sentence.citations.iter();
    let judged = judged.filter(|citation| is_supported || citation.unlisted);
    let broken = judged.filter_map(|citation| {
        let label = &citation.label;
        match (citation.verdict, &citation.problem) {
            (_, Some(problem)) => Some(format!("{label} does not hold: {problem}")),
            (Finding::Unsupported | Finding::Contradicted, _) => Some(format!(
                "{label} does not hold: it is {}",
                citation.verdict.label()
            )),
            _ => None,
        }
    });
    broken.collect()
}

fn print(text: &mut String, name: &str, sentence: &CheckedSentence) {
    // A file name may contain escape sequences.
    let name = name.replace(char::is_control, "?");
    let labels: Vec<&str> = sentence
        .citations
        .iter()
        .map(|one| one.label.as_str())
        .collect();
    let _ = writeln!(
        text,
        "{name}:{}:{}: {}: {}",
        sentence.line,
        sentence.column,
        sentence.verdict.label(),
        truncate_with_ellipsis(&sentence.text, SHOWN),
    );
    let mut reasons = sentence.reasons.clone();
    reasons.extend(dangling(sentence));
    if !reasons.is_empty() {
        let labels = labels.join("");
        let space = if labels.is_empty() { "" } else { ": " };
        let _ = writeln!(text, "    {labels}{space}{}", reasons.join("; "));
    }
    if let Some(best) = &sentence.best {
        if let Some(status) = &best.status {
            let _ = writeln!(text, "    status of {}: {status}", best.source);
        }
        for words in std::iter::once(best).chain(&sentence.further) {
            let _ = writeln!(text, "    {}", quoted(words, SHOWN));
        }
    }
    if let Some(rival) = &sentence.rival {
        let best = sentence.best.as_ref();
        let is_same = best.is_some_and(|best| best.source == rival.source);
        let by = if is_same {
            "the same document amends it"
        } else {
            "another document says otherwise"
        };
        let _ = writeln!(text, "    {by}: {}", quoted(rival, SHOWN_OTHERWISE));
    }
}

/// The words of a source, after their file, line and bytes.
fn quoted(words: &Match, limit: usize) -> String {
    let Match {
        source,
        line,
        start,
        end,
        text,
        ..
    } = words;
    let text = crate::text::one_line(text);
    let text = truncate_with_ellipsis(&text, limit);
    format!("{source}:{line}: {start}-{end}: {text}")
}
