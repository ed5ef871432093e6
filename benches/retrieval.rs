//! The quality of the ranking: this program's beside plain BM25, on collections with
//! judged answers.
//!
//! `RESEARCH_BENCH_DATA=<folder> cargo bench --bench retrieval`. The folder holds `cranfield/`
//! (`documents.jsonl`, `queries.jsonl`), `2wiki/` (`passages.json`, `questions.json`),
//! `wice/dev.jsonl` and `corpus_rust_rfcs/` (Markdown files, or `corpus_rust_rfcs.tar.xz` of them);
//! what is missing is left out. Each collection is written out as files and opened as the program
//! opens a folder. An argument names the one collection to measure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use research::read::Reader;
use research::search::Library;
use serde_json::Value;

/// Results that count.
const CRANFIELD_DEPTH: usize = 10;
const DEPTH: usize = 5;
const LONG_DEPTH: usize = 50;

/// Measures on one collection, in its folder.
type Bench = fn(&Path) -> Result<()>;

const BENCHES: [(&str, Bench); 4] = [
    ("cranfield", cranfield),
    ("2wiki", two_wiki),
    ("wice", wice),
    ("corpus_rust_rfcs", long_documents),
];

/// Questions in words that the titles mostly do not have, and the numbers of the Rust RFCs that
/// answer each.
const LONG_QUESTIONS: &[(&str, &[&str])] = &[
    (
        "Why was the question mark operator added?",
        &["0243", "1859", "3058"],
    ),
    ("question mark operator", &["0243", "1859", "3058"]),
    (
        "How can an error be returned from the program's entry point?",
        &["1937"],
    ),
    (
        "Which functions can be evaluated at compile time?",
        &["0911"],
    ),
    (
        "Why is integer overflow checked in debug builds only?",
        &["0560"],
    ),
    (
        "How can a borrow end before the end of its block?",
        &["2094"],
    ),
    (
        "How are functions written that wait without blocking a thread?",
        &["2394", "2592"],
    ),
    (
        "Why was garbage collection removed from the language?",
        &["0256"],
    ),
    (
        "Why were green threads removed from the standard library?",
        &["0230"],
    ),
    (
        "Why do closures capture single fields instead of whole structs?",
        &["2229"],
    ),
    (
        "How can a reader fill a buffer that is not initialized?",
        &["2930"],
    ),
    (
        "What happens when a panic crosses a foreign function boundary?",
        &["2945", "2797"],
    ),
    (
        "How does a package declare the oldest compiler that it works with?",
        &["2495", "3537"],
    ),
    (
        "How does the compiler reuse work from an earlier build?",
        &["1298"],
    ),
    (
        "Why can two crates not implement one trait for the same type?",
        &["1023", "2451"],
    ),
    (
        "How are the names of functions encoded for the linker?",
        &["2603"],
    ),
    (
        "Is it safe to leak a value so that its destructor never runs?",
        &["1066"],
    ),
    (
        "What must a trait fulfil to be used as an object?",
        &["0255", "2027"],
    ),
    (
        "When are temporaries at the end of a block dropped?",
        &["3606", "0066"],
    ),
    (
        "How does continuous integration publish a crate without a long-lived token?",
        &["3691"],
    ),
    (
        "How is a value expressed that must not move in memory?",
        &["2349"],
    ),
    (
        "How can threads borrow local variables from the stack of their parent?",
        &["3151"],
    ),
    (
        "Are two pointers with the same address equal in what they may access?",
        &["3559"],
    ),
    ("How often is a new stable version released?", &["0507"]),
    (
        "How can crates opt in to breaking changes of the language?",
        &["2052"],
    ),
    (
        "When do ranges of integers cover all cases of a match?",
        &["2591"],
    ),
    (
        "How do plugins generate code while the compiler runs?",
        &["1566", "1681"],
    ),
    ("How can several packages share one lock file?", &["1525"]),
    (
        "How can a program replace the default memory allocator?",
        &["1974"],
    ),
    (
        "How can a function return a type without naming it?",
        &["1522", "1951"],
    ),
    (
        "How can types be parameterized by array lengths?",
        &["2000"],
    ),
    (
        "How can a more specific implementation override a general one?",
        &["1210"],
    ),
    (
        "How are string literals with a terminating nul byte written?",
        &["3348"],
    ),
    (
        "May names of variables contain letters that are not ASCII?",
        &["2457"],
    ),
    (
        "How do collections report that memory has run out?",
        &["2116"],
    ),
    (
        "How are vector instructions of the processor used?",
        &["2325", "1199", "2977"],
    ),
    (
        "How is assembly code embedded in a function?",
        &["2873", "2843"],
    ),
    ("Can a loop evaluate to a value?", &["1624"]),
    (
        "Who makes decisions in the community, and how are teams formed?",
        &["1068", "3392"],
    ),
    (
        "How is a variable bound by a pattern that may fail, leaving the function otherwise?",
        &["3137"],
    ),
    (
        "How is one warned that types of a private dependency appear in a public interface?",
        &["1977", "3516"],
    ),
    (
        "How does documentation link to other items by their names?",
        &["1946"],
    ),
    (
        "Which guarantees are there for the bits of a NaN?",
        &["3514"],
    ),
    (
        "How is a warning silenced with a reason, and noticed when it is no longer needed?",
        &["2383"],
    ),
];

fn main() -> Result<()> {
    let Some(data) = std::env::var_os("RESEARCH_BENCH_DATA").map(PathBuf::from) else {
        print("set RESEARCH_BENCH_DATA to a folder with cranfield/, 2wiki/ or wice/");
        return Ok(());
    };
    let only = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    for (name, bench) in BENCHES {
        let is_wanted = only.as_ref().is_none_or(|only| only == name);
        if is_wanted && data.join(name).is_dir() {
            bench(&data.join(name))?;
        }
    }
    Ok(())
}

/// The documents of a query, best first, by position in the collection.
type Answer = Vec<usize>;

/// A collection as files in a folder, and opened.
struct Collection {
    library: Library,
    /// The collection's own numbers, by position in the library.
    numbers: Vec<usize>,
    _folder: tempfile::TempDir,
}

/// Times of queries, in microseconds.
#[derive(Default)]
struct Times(Vec<u128>);

impl Collection {
    fn new(texts: impl Iterator<Item = String>) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs)?;
        for (number, text) in texts.enumerate() {
            std::fs::write(docs.join(format!("{number:06}.md")), text)?;
        }
        let library = Library::open(&[docs], &Reader::in_process(), None)?;
        let number = |locator: &str| locator.trim_end_matches(".md").parse();
        let documents = library.documents.iter();
        let numbers = documents.map(|document| number(&document.locator));
        Ok(Self {
            numbers: numbers.collect::<Result<_, _>>()?,
            library,
            _folder: folder,
        })
    }

    fn plain(&self, query: &str, limit: usize) -> Answer {
        let ranked = self.library.rank_plain(query, limit);
        ranked
            .iter()
            .map(|one| self.numbers[one.document])
            .collect()
    }

    fn ranked(&self, query: &str, limit: usize, times: &mut Times) -> Result<Answer> {
        let start = Instant::now();
        let ranked = self.library.rank(query, limit)?;
        times.0.push(start.elapsed().as_micros());
        Ok(ranked
            .iter()
            .map(|one| self.numbers[one.document])
            .collect())
    }

    /// The documents in the order in which `research search` prints their passages.
    fn by_passage(&self, query: &str, limit: usize, times: &mut Times) -> Result<Answer> {
        let start = Instant::now();
        let hits = self.library.results(query, limit)?;
        times.0.push(start.elapsed().as_micros());
        let mut seen = BTreeSet::new();
        let first = hits.iter().filter(|hit| seen.insert(hit.document));
        Ok(first
            .take(limit)
            .map(|hit| self.numbers[hit.document])
            .collect())
    }
}

impl Times {
    fn summary(mut self) -> String {
        self.0.sort_unstable();
        let at = |share: usize| self.0.get(self.0.len() * share / 100).copied().unwrap_or(0);
        format!("median {} µs, p95 {} µs", at(50), at(95))
    }
}

fn cranfield(data: &Path) -> Result<()> {
    let documents = lines(&data.join("documents.jsonl"))?;
    let positions = documents.iter().enumerate();
    let positions: BTreeMap<&str, usize> = positions
        .map(|(position, one)| (string(one, "id"), position))
        .collect();
    let collection = Collection::new(
        documents
            .iter()
            .map(|one| format!("# {}\n\n{}\n", string(one, "title"), string(one, "text"))),
    )?;
    let (mut times, mut passage_times) = (Times::default(), Times::default());
    let (mut plain, mut ours, mut passages) = (Vec::new(), Vec::new(), Vec::new());
    let queries = lines(&data.join("queries.jsonl"))?;
    for query in &queries {
        let text = string(query, "text");
        let mut gains = BTreeMap::new();
        for judgement in query["judgements"].as_array().into_iter().flatten() {
            // 1 is the best grade of four; −1 is none.
            if let (Some(position), Some(grade @ 1..=4)) = (
                judgement[0].as_str().and_then(|id| positions.get(id)),
                judgement[1].as_i64(),
            ) {
                gains.insert(*position, (5 - grade) as f64);
            }
        }
        plain.push(ndcg(&gains, &collection.plain(text, CRANFIELD_DEPTH)));
        ours.push(ndcg(
            &gains,
            &collection.ranked(text, CRANFIELD_DEPTH, &mut times)?,
        ));
        let retrieved = collection.by_passage(text, CRANFIELD_DEPTH, &mut passage_times)?;
        passages.push(ndcg(&gains, &retrieved));
    }
    print(&format!(
        "cranfield nDCG@10: plain {:.3}, ours {:.3}; documents {}; by passages {:.3}, {}",
        mean(&plain),
        mean(&ours),
        times.summary(),
        mean(&passages),
        passage_times.summary()
    ));
    Ok(())
}

fn two_wiki(data: &Path) -> Result<()> {
    let passages: Value = serde_json::from_slice(&std::fs::read(data.join("passages.json"))?)?;
    let passages = passages.as_array().context("passages.json is no list")?;
    let questions: Value = serde_json::from_slice(&std::fs::read(data.join("questions.json"))?)?;
    let questions = questions.as_array().context("questions.json is no list")?;
    let titled = |one: &Value| format!("# {}\n\n{}\n", string(one, "title"), string(one, "text"));
    let untitled = |one: &Value| format!("{}\n", string(one, "text"));
    recall("2wiki", passages, questions, titled)?;
    recall("2wiki, titles hidden", passages, questions, untitled)
}

fn recall(
    name: &str,
    passages: &[Value],
    questions: &[Value],
    text: impl Fn(&Value) -> String,
) -> Result<()> {
    let mut titles: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (position, passage) in passages.iter().enumerate() {
        titles
            .entry(string(passage, "title"))
            .or_default()
            .push(position);
    }
    let collection = Collection::new(passages.iter().map(text))?;
    let mut times = Times::default();
    let (mut plain, mut ours, mut whole, mut passages) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut passage_times = Times::default();
    for question in questions {
        let evidence = question["evidence"].as_array().into_iter().flatten();
        let gold: BTreeSet<usize> = evidence
            .filter_map(|triple| titles.get(triple[0].as_str()?))
            .flatten()
            .copied()
            .collect();
        if gold.is_empty() {
            continue;
        }
        let text = string(question, "question");
        let share = |positions: &[usize]| {
            positions
                .iter()
                .filter(|position| gold.contains(position))
                .count() as f64
                / gold.len() as f64
        };
        plain.push(share(&collection.plain(text, DEPTH)));
        let recall = share(&collection.ranked(text, DEPTH, &mut times)?);
        ours.push(recall);
        passages.push(share(&collection.by_passage(
            text,
            DEPTH,
            &mut passage_times,
        )?));
        whole.push(f64::from(u8::from(recall >= 1.0)));
    }
    print(&format!(
        "{name} recall@5: plain {:.3}, ours {:.3} (all of it for {:.3}); documents {}; \
         by passages {:.3}, {}",
        mean(&plain),
        mean(&ours),
        mean(&whole),
        times.summary(),
        mean(&passages),
        passage_times.summary()
    ));
    Ok(())
}

/// Each claim's own evidence among the sentences of its page, each sentence a document.
fn wice(data: &Path) -> Result<()> {
    let mut times = Times::default();
    let (mut plain, mut ours) = (Vec::new(), Vec::new());
    for claim in lines(&data.join("dev.jsonl"))? {
        let sets = claim["supporting_sentences"]
            .as_array()
            .into_iter()
            .flatten();
        let gold: BTreeSet<usize> = sets
            .flat_map(|set| set.as_array().into_iter().flatten())
            .filter_map(|position| usize::try_from(position.as_u64()?).ok())
            .collect();
        let page = claim["evidence"]
            .as_array()
            .context("a claim without a page")?;
        if gold.is_empty() || gold.len() >= page.len() {
            continue;
        }
        let sentences = page.iter().map(|one| one.as_str().unwrap_or_default());
        let collection = Collection::new(sentences.map(|one| format!("{one}\n")))?;
        let text = string(&claim, "claim");
        let share = |positions: &[usize]| {
            positions
                .iter()
                .filter(|position| gold.contains(position))
                .count() as f64
                / gold.len().min(DEPTH) as f64
        };
        plain.push(share(&collection.plain(text, DEPTH)));
        ours.push(share(&collection.ranked(text, DEPTH, &mut times)?));
    }
    print(&format!(
        "wice evidence recall@5: plain {:.3}, ours {:.3}; {}",
        mean(&plain),
        mean(&ours),
        times.summary()
    ));
    Ok(())
}

/// Known items among long documents, each with many parts on other things.
fn long_documents(data: &Path) -> Result<()> {
    let unpacked = tempfile::tempdir()?;
    let archive = data.join("corpus_rust_rfcs.tar.xz");
    let docs = if archive.is_file() {
        let mut tar = std::process::Command::new("tar");
        let done = tar.arg("-xJf").arg(&archive).arg("-C").arg(unpacked.path());
        anyhow::ensure!(done.status()?.success(), "tar failed");
        unpacked.path().to_owned()
    } else {
        data.to_owned()
    };
    let library = Library::open(&[docs], &Reader::in_process(), None)?;
    let mut sums = [(0.0, 0.0); 3];
    for (question, answers) in LONG_QUESTIONS {
        let mut seen = BTreeSet::new();
        let hits = library.results(question, LONG_DEPTH)?;
        let hits = hits.iter().map(|hit| hit.document);
        let rankings = [
            library
                .rank_plain(question, LONG_DEPTH)
                .iter()
                .map(|one| one.document)
                .collect(),
            library
                .rank(question, LONG_DEPTH)?
                .iter()
                .map(|one| one.document)
                .collect(),
            hits.filter(|one| seen.insert(*one)).collect::<Vec<_>>(),
        ];
        let mut figures = String::new();
        for (sum, ranking) in sums.iter_mut().zip(rankings) {
            let is_answer = |document: &usize| {
                let locator = library.documents[*document].locator.rsplit('/').next();
                locator.is_some_and(|name| answers.iter().any(|answer| name.starts_with(answer)))
            };
            let answer = ranking.iter().position(is_answer);
            let in_depth = ranking
                .iter()
                .take(DEPTH)
                .filter(|one| is_answer(one))
                .count();
            sum.0 += in_depth as f64 / answers.len() as f64;
            sum.1 += answer.map_or(0.0, |position| 1.0 / (position + 1) as f64);
            figures += &answer.map_or("   –".to_owned(), |position| {
                format!("{:4}", position + 1)
            });
        }
        if std::env::args().any(|argument| argument == "--each") {
            print(&format!("{figures}  {question}"));
        }
    }
    let figures = sums.map(|(recall, reciprocal)| {
        let all = LONG_QUESTIONS.len() as f64;
        format!("{:.3} / {:.3}", recall / all, reciprocal / all)
    });
    let [plain, ours, passages] = figures;
    print(&format!(
        "long documents recall@5 / MRR: plain {plain}, ours {ours}; by passages {passages}"
    ));
    Ok(())
}

/// The discounted gain of the first ten, as a share of what the best order would have.
fn ndcg(gains: &BTreeMap<usize, f64>, ranking: &[usize]) -> f64 {
    let discounted = |gains: &[f64]| -> f64 {
        let positions = gains.iter().zip(2_u32..);
        positions
            .map(|(gain, position)| gain / f64::from(position).log2())
            .sum()
    };
    let mut best: Vec<f64> = gains.values().copied().collect();
    best.sort_by(|a, b| b.total_cmp(a));
    best.truncate(CRANFIELD_DEPTH);
    let got: Vec<f64> = ranking
        .iter()
        .map(|position| gains.get(position).copied().unwrap_or(0.0))
        .collect();
    let all = discounted(&best);
    if all > 0.0 {
        discounted(&got) / all
    } else {
        0.0
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn lines(path: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?)
}

fn string<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

#[expect(
    clippy::print_stdout,
    reason = "a benchmark's result is what it prints"
)]
fn print(line: &str) {
    println!("{line}");
}
