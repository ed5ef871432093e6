//! Benchmark of report quality by countable properties, on two corpora: design documents, and
//! abstracts in lower case without headings. Each gets twenty questions that it answers and ten
//! that it does not.
//!
//! `RESEARCH_BENCH_DATA=<folder> cargo bench --bench reports`. The folder holds `corpus_rust_rfcs/`
//! (Markdown files, or `corpus_rust_rfcs.tar.xz` of them) and `cranfield/documents.jsonl`; a
//! missing corpus is skipped. Each question is a run of the built program. `--print FOLDER` writes
//! the reports there, to be read.
//!
//! The measures are those that agreed with a reader's judgement on 53 reports of a prototype: the
//! share of claims from documents whose title names the subject, documents per claim, claims that
//! begin with a reference to a sentence that is not quoted (anaphora), repetitions. A measure
//! beyond its limit ends the benchmark with an error.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use research::text;
use serde_json::Value;

/// The cosine of two claims' terms from which they repeat each other.
const SAME: f64 = 0.9;
/// The limit of repetitions, as a share of the claims of a report (the prototype's limit).
const MAX_REPETITIONS: f64 = 0.05;
/// The least average share of a topic's terms that its summary and the titles of its sources
/// contain.
const MIN_PREDICATES: f64 = 0.75;

/// First words that refer to a sentence before (anaphora). A list of its own, shorter than the
/// program's: the program must not be measured by its own rule.
const ANAPHORA: [&str; 16] = [
    "it",
    "this",
    "that",
    "these",
    "those",
    "they",
    "he",
    "she",
    "but",
    "and",
    "so",
    "however",
    "also",
    "then",
    "therefore",
    "which",
];
/// Words after a demonstrative that resolve it: "this study", "those who".
const RESOLVING: [&str; 15] = [
    "study", "as", "who", "that", "which", "of", "whose", "with", "in", "rfc", "proposal",
    "document", "paper", "article", "report",
];

/// A corpus, the questions that it answers, and some that it does not, besides [`UNRELATED`].
struct Corpus {
    name: &'static str,
    lay_out: fn(&Path, &Path) -> Result<bool>,
    /// The questions that it answers.
    questions: &'static [&'static str],
    /// Questions near its subject that it does not answer.
    near: &'static [&'static str],
}

/// Questions that neither corpus answers.
const UNRELATED: [&str; 6] = [
    "How do volcanoes form?",
    "What is the capital of France?",
    "How to bake sourdough bread?",
    "Who won the world cup in 2014?",
    "What is the best treatment for migraine?",
    "How do I learn Haskell monads?",
];

const CORPORA: [Corpus; 2] = [
    Corpus {
        name: "corpus_rust_rfcs",
        lay_out: design_documents,
        questions: &[
            "Should unsafe functions require unsafe blocks inside their bodies?",
            "Why does Rust have editions?",
            "How does async/await work?",
            "What is the difference between Rc and Arc?",
            "Why was the question mark operator added?",
            "What are the drawbacks of specialization?",
            "How are procedural macros hygienic?",
            "Should the standard library have a never type?",
            "What is two-phase borrowing and why was it needed?",
            "How do const generics work?",
            "Which changes were made to closures over time?",
            "What is non-lexical lifetimes?",
            "Why are trait objects written with dyn?",
            "Should integer overflow panic?",
            "How does cargo resolve features?",
            "What is the policy on minimum supported Rust version?",
            "impl Trait vs generics",
            "How does Rust handle uninitialized memory?",
            "What are the alternatives to global allocators?",
            "When was crate visibility changed and why?",
        ],
        near: &[
            "What is the salary of a Rust developer?",
            "How does garbage collection work in Java?",
            "Is Rust faster than C++ in benchmarks?",
            "How are closures compiled in Swift?",
        ],
    },
    Corpus {
        name: "cranfield",
        lay_out: abstracts,
        questions: &[
            "what similarity laws must be obeyed when constructing aeroelastic models of heated \
             high speed aircraft",
            "what problems of heat conduction in composite slabs have been solved so far",
            "what is the basic mechanism of the transonic aileron buzz",
            "why does the compressibility transformation fail to correlate the high speed data \
             for helium and air",
            "what is the effect of cross sectional shape on the flow over simple delta wings with \
             sharp leading edges",
            "how can one detect transition phenomena in boundary layers",
            "what are the existing solutions for hypersonic viscous interactions over an \
             insulated flat plate",
            "does the boundary layer on a flat plate in a shear flow induce a pressure gradient",
            "How is base pressure predicted?",
            "Which progress was made in unsteady aerodynamics?",
            "what size of end plate can be safely used to simulate two-dimensional flow \
             conditions over a bluff cylindrical body of finite aspect ratio",
            "are there any theoretical methods for predicting base pressure",
            "has anyone investigated the effect of surface mass transfer on hypersonic viscous \
             interactions",
            "what is known regarding asymptotic solutions to the exact boundary layer equations",
            "why is the flow behind a blunt body unsteady?",
            "what are the drawbacks of slender wings?",
            "How does surface roughness affect transition?",
            "turbulent vs laminar boundary layers",
            "Should wings be swept at supersonic speeds?",
            "How was panel flutter studied over time?",
        ],
        near: &[
            "What is the salary of an aircraft engineer?",
            "How does garbage collection work in Java?",
            "Are electric aircraft quieter than helicopters?",
            "How do birds fly?",
        ],
    },
];

fn main() -> Result<()> {
    let Some(data) = std::env::var_os("RESEARCH_BENCH_DATA").map(PathBuf::from) else {
        print(
            "RESEARCH_BENCH_DATA names no folder of collections; \
             see the head of benches/reports.rs",
        );
        return Ok(());
    };
    let arguments: Vec<String> = std::env::args().collect();
    let reports_dir = arguments
        .iter()
        .position(|argument| argument == "--print")
        .and_then(|flag| arguments.get(flag + 1))
        .map(PathBuf::from);
    let mut failures = Vec::new();
    for corpus in &CORPORA {
        let scratch = tempfile::tempdir()?;
        let documents = scratch.path().join("documents");
        fs::create_dir(&documents)?;
        if (corpus.lay_out)(&data, &documents)? {
            let bench = CorpusBench {
                folder: scratch.path(),
                reports_dir: reports_dir
                    .as_deref()
                    .map(|folder| folder.join(corpus.name)),
            };
            failures.extend(bench.measure(corpus)?);
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    bail!("{}", failures.join("\n"))
}

/// The benchmark of one corpus.
struct CorpusBench<'a> {
    /// The working directory, which holds the documents.
    folder: &'a Path,
    /// The directory in which reports are written to be read.
    reports_dir: Option<PathBuf>,
}

impl CorpusBench<'_> {
    fn measure(&self, corpus: &Corpus) -> Result<Vec<String>> {
        print(&format!(
            "{}\n  claims documents named-after anaphoric repeated predicates seconds",
            corpus.name
        ));
        let mut failures = Vec::new();
        let mut predicates = Vec::new();
        for (index, topic) in corpus.questions.iter().enumerate() {
            let start = Instant::now();
            let session = self.ask(topic, &format!("q{}", index + 1))?;
            let seconds = start.elapsed().as_secs_f64();
            let figures = Figures::of(&session)?;
            print(&format!("  {} {seconds:7.2}  {topic}", figures.line()));
            predicates.push(figures.predicates);
            failures.extend(figures.failures().map(|what| format!("{topic} {what}")));
            let verified = self.program(&["verify", &format!("q{}", index + 1)])?;
            if verified.0 != 0 {
                failures.push(format!("{topic} does not verify: {}", verified.1));
            }
        }
        let mean = predicates.iter().sum::<f64>() / predicates.len() as f64;
        print(&format!(
            "  terms of the topic in brief: {mean:.2} (at least {MIN_PREDICATES})"
        ));
        if mean < MIN_PREDICATES {
            failures.push(format!("{}: summaries miss the topic", corpus.name));
        }
        let mut silent = 0;
        for (index, topic) in UNRELATED.iter().chain(corpus.near).enumerate() {
            let report = self.ask(topic, &format!("o{}", index + 1))?.report;
            let is_silent = report["outcome"] == "no_evidence";
            silent += usize::from(is_silent);
            if !is_silent && report["unanswered"].as_array().is_none_or(Vec::is_empty) {
                failures.push(format!(
                    "{topic} is answered as if the documents spoke of it"
                ));
            }
        }
        print(&format!(
            "  of {} unrelated questions {silent} abstain, the others say so first",
            UNRELATED.len() + corpus.near.len()
        ));
        Ok(failures)
    }

    fn ask(&self, topic: &str, name: &str) -> Result<Answer> {
        let arguments = ["run", topic, "--docs", "documents", "--session", name];
        let (code, text) = self.program(&arguments)?;
        ensure!([0, 5].contains(&code), "{topic}: exit code {code}");
        if let Some(directory) = &self.reports_dir {
            fs::create_dir_all(directory)?;
            fs::write(directory.join(format!("{name}.md")), text)?;
        }
        let session = self.folder.join("research-output").join(name);
        let content = |file: &str| -> Result<Value> {
            let bytes = fs::read(session.join(file)).with_context(|| file.to_owned())?;
            Ok(serde_json::from_slice::<Value>(&bytes)?["content"].take())
        };
        Ok(Answer {
            report: content("report.json")?,
            research: content("research.json")?,
        })
    }

    fn program(&self, arguments: &[&str]) -> Result<(i32, String)> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
        command.args(arguments).current_dir(self.folder);
        command.env("XDG_CACHE_HOME", self.folder.join("cache"));
        let output = command.output()?;
        let code = output.status.code().context("ended by a signal")?;
        Ok((code, String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

/// The artifacts of one question.
struct Answer {
    report: Value,
    research: Value,
}

/// The measures of a report.
struct Figures {
    claims: usize,
    documents: usize,
    /// The share of claims from documents whose title contains a term of the topic.
    named: f64,
    /// The claims that begin with unresolved anaphora.
    anaphoric: Vec<String>,
    /// The share of claims that repeat an earlier one.
    repeated: f64,
    /// The share of the topic's terms that the summary and the titles of its sources contain.
    predicates: f64,
}

impl Figures {
    fn of(answer: &Answer) -> Result<Self> {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let claims = list(&answer.report["claims"]);
        ensure!(
            !claims.is_empty(),
            "{} has no answer",
            answer.report["topic"]
        );
        let terms: Vec<String> = list(&answer.research["classification"]["terms"])
            .iter()
            .map(&string)
            .collect();
        let title = |claim: &Value| {
            let source = &claim["citations"][0]["source"];
            let references = list(&answer.report["references"]);
            let reference = references.iter().find(|one| one["source"] == *source);
            reference
                .map(|one| string(&one["title"]))
                .unwrap_or_default()
        };
        let holds = |text: &str| {
            let said = text::terms(text);
            terms.iter().filter(|term| said.contains(term)).count()
        };
        let named = claims.iter().filter(|one| holds(&title(one)) > 0).count();
        let texts: Vec<String> = claims.iter().map(|one| string(&one["text"])).collect();
        let sources: BTreeSet<String> = claims
            .iter()
            .map(|one| string(&one["citations"][0]["source"]))
            .collect();
        let brief = match list(&answer.report["executive_summary"]) {
            ids if ids.is_empty() => list(&answer.report["sections"][0]["claims"]),
            ids => ids,
        };
        let brief: Vec<String> = claims
            .iter()
            .filter(|one| brief.contains(&one["id"]))
            .map(|one| format!("{} {}", title(one), string(&one["text"])))
            .collect();
        Ok(Self {
            claims: claims.len(),
            documents: sources.len(),
            named: named as f64 / claims.len() as f64,
            anaphoric: texts
                .iter()
                .filter(|one| is_anaphoric(one))
                .cloned()
                .collect(),
            repeated: repetitions(&texts) as f64 / claims.len() as f64,
            predicates: holds(&brief.join(" ")) as f64 / terms.len().max(1) as f64,
        })
    }

    fn line(&self) -> String {
        format!(
            "{:5} {:9} {:11.2} {:9} {:8.2} {:10.2}",
            self.claims,
            self.documents,
            self.named,
            self.anaphoric.len(),
            self.repeated,
            self.predicates
        )
    }

    fn failures(&self) -> impl Iterator<Item = String> {
        let repeats = (self.repeated > MAX_REPETITIONS).then(|| "repeats itself".to_owned());
        self.anaphoric
            .iter()
            .map(|claim| format!("quotes a sentence that needs the one before: {claim}"))
            .chain(repeats)
    }
}

/// Returns `true` if a claim begins with anaphora, or has a demonstrative among its first ten words
/// that nothing resolves.
fn is_anaphoric(claim: &str) -> bool {
    if claim.starts_with("[…]") {
        return false;
    }
    let words: Vec<String> = claim
        .split_whitespace()
        .take(11)
        .map(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            word.to_lowercase()
        })
        .collect();
    let follows_a_clause = |position: usize| {
        let raw: Vec<&str> = claim.split_whitespace().collect();
        position > 0 && raw[position - 1].ends_with(['.', '!', '?', ',', ';', ':', '-', '–', '—'])
    };
    let resolved =
        |next: Option<&String>| next.is_some_and(|next| RESOLVING.contains(&next.as_str()));
    let begins = words
        .first()
        .is_some_and(|first| ANAPHORA.contains(&first.as_str()));
    let demonstrative = words.iter().take(10).enumerate().any(|(position, word)| {
        ["this", "these", "those"].contains(&word.as_str())
            && !resolved(words.get(position + 1))
            && !follows_a_clause(position)
    });
    begins && !resolved(words.get(1)) || demonstrative
}

/// The number of claims that repeat an earlier one.
fn repetitions(texts: &[String]) -> usize {
    let terms: Vec<Vec<String>> = texts.iter().map(|one| text::terms(one)).collect();
    (1..terms.len())
        .filter(|position| {
            let mut earlier = terms[..*position].iter();
            earlier.any(|other| text::cosine(other, &terms[*position]) >= SAME)
        })
        .count()
}

/// Unpacks the design documents into a folder; returns `false` if they are missing.
fn design_documents(data: &Path, to: &Path) -> Result<bool> {
    let folder = data.join("corpus_rust_rfcs");
    if !folder.is_dir() {
        return Ok(false);
    }
    let archive = folder.join("corpus_rust_rfcs.tar.xz");
    if archive.is_file() {
        let mut tar = Command::new("tar");
        let done = tar.arg("-xf").arg(&archive).arg("-C").arg(to).status()?;
        ensure!(done.success(), "tar: {done}");
        return Ok(true);
    }
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(true)
}

/// Writes each abstract as a file of its own, its title first; returns `false` if they are missing.
fn abstracts(data: &Path, to: &Path) -> Result<bool> {
    let Ok(lines) = fs::read_to_string(data.join("cranfield/documents.jsonl")) else {
        return Ok(false);
    };
    for line in lines.lines() {
        let document: Value = serde_json::from_str(line)?;
        let field = |name: &str| document[name].as_str().unwrap_or_default().trim();
        let (title, body) = (field("title"), field("text"));
        let body = body.strip_prefix(title).unwrap_or(body).trim();
        let title = title.trim_end_matches(['.', ' ']);
        fs::write(
            to.join(format!("{:0>4}.txt", field("id"))),
            format!("{title}\n\n{body}\n"),
        )?;
    }
    Ok(true)
}

#[expect(
    clippy::print_stdout,
    reason = "a benchmark's result is what it prints"
)]
fn print(text: &str) {
    println!("{text}");
}
