//! Whether reports read well, by what can be counted: twenty questions to design documents and ten
//! that they do not answer, and as many to abstracts of another kind, in lower case and without
//! headings.
//!
//! `RESEARCH_BENCH_DATA=<folder> cargo bench --bench reports`. The folder holds `corpus_rust_rfcs/`
//! (Markdown files, or `corpus_rust_rfcs.tar.xz` of them) and `cranfield/documents.jsonl`; what is
//! missing is left out. Each question is asked of the built program. `--print FOLDER` keeps the
//! reports there, to be read.
//!
//! The checks are those that went with a reader's judgement on 53 reports of a prototype: the share
//! of claims from documents whose title names the subject, documents for each claim, beginnings
//! that lean on what is not there, repetitions. What must hold ends the benchmark with an error.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use research::text;
use serde_json::Value;

/// Two claims with this cosine of their terms repeat each other.
const SAME: f64 = 0.9;
/// Repetitions that a report may hold, as a share of its claims (the prototype's gate).
const MOST_REPETITIONS: f64 = 0.05;
/// The share of a topic's terms that its summary and the titles of its sources hold at least, on
/// the average.
const LEAST_PREDICATES: f64 = 0.75;

/// First words that lean on a sentence before; kept apart from the program's own list, which is
/// longer.
const LEANING: [&str; 16] = [
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
/// Words that say what a demonstrative before them means.
const RESOLVING: [&str; 15] = [
    "study", "as", "who", "that", "which", "of", "whose", "with", "in", "rfc", "proposal",
    "document", "paper", "article", "report",
];

/// A corpus, questions to it, and questions that it does not answer besides those of [`ELSEWHERE`].
struct Corpus {
    name: &'static str,
    lay_out: fn(&Path, &Path) -> Result<bool>,
    asked: &'static [&'static str],
    /// Further ones, near the subject.
    near: &'static [&'static str],
}

/// Questions that neither corpus answers.
const ELSEWHERE: [&str; 6] = [
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
        asked: &[
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
        asked: &[
            "what similarity laws must be obeyed when constructing aeroelastic models of heated high speed aircraft",
            "what problems of heat conduction in composite slabs have been solved so far",
            "what is the basic mechanism of the transonic aileron buzz",
            "why does the compressibility transformation fail to correlate the high speed data for helium and air",
            "what is the effect of cross sectional shape on the flow over simple delta wings with sharp leading edges",
            "how can one detect transition phenomena in boundary layers",
            "what are the existing solutions for hypersonic viscous interactions over an insulated flat plate",
            "does the boundary layer on a flat plate in a shear flow induce a pressure gradient",
            "How is base pressure predicted?",
            "Which progress was made in unsteady aerodynamics?",
            "what size of end plate can be safely used to simulate two-dimensional flow conditions over a bluff cylindrical body of finite aspect ratio",
            "are there any theoretical methods for predicting base pressure",
            "has anyone investigated the effect of surface mass transfer on hypersonic viscous interactions",
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
            "RESEARCH_BENCH_DATA names no folder of collections; see the head of benches/reports.rs",
        );
        return Ok(());
    };
    let arguments: Vec<String> = std::env::args().collect();
    let kept = arguments.iter().position(|argument| argument == "--print");
    let kept = kept.and_then(|at| arguments.get(at + 1)).map(PathBuf::from);
    let mut failures = Vec::new();
    for corpus in &CORPORA {
        let scratch = tempfile::tempdir()?;
        let documents = scratch.path().join("documents");
        fs::create_dir(&documents)?;
        if (corpus.lay_out)(&data, &documents)? {
            let desk = Desk {
                folder: scratch.path(),
                kept: kept.as_deref().map(|folder| folder.join(corpus.name)),
            };
            failures.extend(desk.read_all(corpus)?);
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    bail!("{}", failures.join("\n"))
}

/// Where the questions of a corpus are asked.
struct Desk<'a> {
    folder: &'a Path,
    kept: Option<PathBuf>,
}

impl Desk<'_> {
    fn read_all(&self, corpus: &Corpus) -> Result<Vec<String>> {
        print(&format!(
            "{}\n  claims documents named-after leaning repeated predicates seconds",
            corpus.name
        ));
        let mut failures = Vec::new();
        let mut predicates = Vec::new();
        for (place, topic) in corpus.asked.iter().enumerate() {
            let start = Instant::now();
            let session = self.ask(topic, &format!("q{}", place + 1))?;
            let seconds = start.elapsed().as_secs_f64();
            let figures = Figures::of(&session)?;
            print(&format!("  {} {seconds:7.2}  {topic}", figures.line()));
            predicates.push(figures.predicates);
            failures.extend(figures.failures().map(|what| format!("{topic} {what}")));
            let verified = self.program(&["verify", &format!("q{}", place + 1)])?;
            if verified.0 != 0 {
                failures.push(format!("{topic} does not verify: {}", verified.1));
            }
        }
        let mean = predicates.iter().sum::<f64>() / predicates.len() as f64;
        print(&format!(
            "  terms of the topic in brief: {mean:.2} (at least {LEAST_PREDICATES})"
        ));
        if mean < LEAST_PREDICATES {
            failures.push(format!("{}: summaries miss the topic", corpus.name));
        }
        let mut silent = 0;
        for (place, topic) in ELSEWHERE.iter().chain(corpus.near).enumerate() {
            let report = self.ask(topic, &format!("o{}", place + 1))?.report;
            let is_silent = report["outcome"] == "no_evidence";
            silent += usize::from(is_silent);
            if !is_silent && report["unanswered"].as_array().is_none_or(Vec::is_empty) {
                failures.push(format!(
                    "{topic} is answered as if the documents spoke of it"
                ));
            }
        }
        print(&format!(
            "  of {} questions beside the subject {silent} abstain, the others say so first",
            ELSEWHERE.len() + corpus.near.len()
        ));
        Ok(failures)
    }

    fn ask(&self, topic: &str, name: &str) -> Result<Asked> {
        let arguments = ["run", topic, "--docs", "documents", "--session", name];
        let (code, text) = self.program(&arguments)?;
        ensure!([0, 5].contains(&code), "{topic}: exit code {code}");
        if let Some(kept) = &self.kept {
            fs::create_dir_all(kept)?;
            fs::write(kept.join(format!("{name}.md")), text)?;
        }
        let session = self.folder.join("research-output").join(name);
        let content = |file: &str| -> Result<Value> {
            let bytes = fs::read(session.join(file)).with_context(|| file.to_owned())?;
            Ok(serde_json::from_slice::<Value>(&bytes)?["content"].take())
        };
        Ok(Asked {
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

/// What came of a question.
struct Asked {
    report: Value,
    research: Value,
}

/// What can be counted of a report.
struct Figures {
    claims: usize,
    documents: usize,
    /// Claims from documents whose title holds a term of the topic.
    named: f64,
    leaning: Vec<String>,
    repeated: f64,
    /// The share of the topic's terms that the summary and the titles of its sources hold.
    predicates: f64,
}

impl Figures {
    fn of(asked: &Asked) -> Result<Self> {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let claims = list(&asked.report["claims"]);
        ensure!(
            !claims.is_empty(),
            "{} has no answer",
            asked.report["topic"]
        );
        let terms: Vec<String> = list(&asked.research["classification"]["terms"])
            .iter()
            .map(&string)
            .collect();
        let title = |claim: &Value| {
            let source = &claim["citations"][0]["source"];
            let references = list(&asked.report["references"]);
            let found = references.iter().find(|one| one["source"] == *source);
            found.map(|one| string(&one["title"])).unwrap_or_default()
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
        let brief = match list(&asked.report["executive_summary"]) {
            ids if ids.is_empty() => list(&asked.report["sections"][0]["claims"]),
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
            leaning: texts.iter().filter(|one| leans(one)).cloned().collect(),
            repeated: repetitions(&texts) as f64 / claims.len() as f64,
            predicates: holds(&brief.join(" ")) as f64 / terms.len().max(1) as f64,
        })
    }

    fn line(&self) -> String {
        format!(
            "{:5} {:9} {:11.2} {:7} {:8.2} {:10.2}",
            self.claims,
            self.documents,
            self.named,
            self.leaning.len(),
            self.repeated,
            self.predicates
        )
    }

    fn failures(&self) -> impl Iterator<Item = String> {
        let leaning = self.leaning.iter();
        let leaning = leaning.map(|claim| format!("quotes what leans on other words: {claim}"));
        let repeats = (self.repeated > MOST_REPETITIONS).then(|| "repeats itself".to_owned());
        leaning.chain(repeats)
    }
}

/// Whether a claim begins with a word that leans, or has a demonstrative among its first ten words
/// that nothing resolves.
fn leans(claim: &str) -> bool {
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
    let ends = |place: usize| {
        let raw: Vec<&str> = claim.split_whitespace().collect();
        place > 0 && raw[place - 1].ends_with(['.', '!', '?', ',', ';', ':', '-', '–', '—'])
    };
    let resolved =
        |next: Option<&String>| next.is_some_and(|next| RESOLVING.contains(&next.as_str()));
    let begins = words
        .first()
        .is_some_and(|first| LEANING.contains(&first.as_str()));
    let demonstrative = words.iter().take(10).enumerate().any(|(place, word)| {
        ["this", "these", "those"].contains(&word.as_str())
            && !resolved(words.get(place + 1))
            && !ends(place)
    });
    begins && !resolved(words.get(1)) || demonstrative
}

/// Claims that say what one before them says.
fn repetitions(texts: &[String]) -> usize {
    let terms: Vec<Vec<String>> = texts.iter().map(|one| text::terms(one)).collect();
    (1..terms.len())
        .filter(|place| {
            let mut earlier = terms[..*place].iter();
            earlier.any(|other| text::cosine(other, &terms[*place]) >= SAME)
        })
        .count()
}

/// Puts the design documents into a folder, if they are there.
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

/// Writes each abstract as a file of its own, its title first, if they are there.
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
