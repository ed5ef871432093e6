//! How well documents are found: this program's ranking beside plain BM25, on collections with known answers.
//!
//! `RESEARCH_BENCH_DATA=<folder> cargo bench --bench retrieval`. The folder holds `cranfield/` (`documents.jsonl`,
//! `queries.jsonl`), `2wiki/` (`passages.json`, `questions.json`) and `wice/dev.jsonl`; what is missing is left out. Each
//! collection is written out as files and opened as the program opens a folder.

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

/// Measures on one collection, in its folder.
type Bench = fn(&Path) -> Result<()>;

const BENCHES: [(&str, Bench); 3] = [
    ("cranfield", cranfield),
    ("2wiki", two_wiki),
    ("wice", wice),
];

fn main() -> Result<()> {
    let Some(data) = std::env::var_os("RESEARCH_BENCH_DATA").map(PathBuf::from) else {
        print("set RESEARCH_BENCH_DATA to a folder with cranfield/, 2wiki/ or wice/");
        return Ok(());
    };
    for (name, bench) in BENCHES {
        if data.join(name).is_dir() {
            bench(&data.join(name))?;
        }
    }
    Ok(())
}

/// The documents of a query, best first, by place in the collection.
type Answer = Vec<usize>;

/// A collection as files in a folder, and opened.
struct Collection {
    library: Library,
    /// The collection's own numbers, by place in the library.
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
        let library = Library::open(&[docs], &Reader::new("none"), None)?;
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

    /// The documents in the order of their best passages.
    fn by_passage(&self, query: &str, limit: usize, times: &mut Times) -> Result<Answer> {
        let start = Instant::now();
        let hits = self.library.search(query, 2 * limit)?;
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
    fn told(mut self) -> String {
        self.0.sort_unstable();
        let at = |share: usize| self.0.get(self.0.len() * share / 100).copied().unwrap_or(0);
        format!("median {} µs, p95 {} µs", at(50), at(95))
    }
}

fn cranfield(data: &Path) -> Result<()> {
    let documents = lines(&data.join("documents.jsonl"))?;
    let places = documents.iter().enumerate();
    let places: BTreeMap<&str, usize> = places
        .map(|(place, one)| (string(one, "id"), place))
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
            if let (Some(place), Some(grade @ 1..=4)) = (
                judgement[0].as_str().and_then(|id| places.get(id)),
                judgement[1].as_i64(),
            ) {
                gains.insert(*place, (5 - grade) as f64);
            }
        }
        plain.push(ndcg(&gains, &collection.plain(text, CRANFIELD_DEPTH)));
        ours.push(ndcg(
            &gains,
            &collection.ranked(text, CRANFIELD_DEPTH, &mut times)?,
        ));
        let found = collection.by_passage(text, CRANFIELD_DEPTH, &mut passage_times)?;
        passages.push(ndcg(&gains, &found));
    }
    print(&format!(
        "cranfield nDCG@10: plain {:.3}, ours {:.3}; documents {}; by passages {:.3}, {}",
        mean(&plain),
        mean(&ours),
        times.told(),
        mean(&passages),
        passage_times.told()
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
    for (place, passage) in passages.iter().enumerate() {
        titles
            .entry(string(passage, "title"))
            .or_default()
            .push(place);
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
        let share = |found: &[usize]| {
            found.iter().filter(|place| gold.contains(place)).count() as f64 / gold.len() as f64
        };
        plain.push(share(&collection.plain(text, DEPTH)));
        let found = share(&collection.ranked(text, DEPTH, &mut times)?);
        ours.push(found);
        passages.push(share(&collection.by_passage(
            text,
            DEPTH,
            &mut passage_times,
        )?));
        whole.push(f64::from(u8::from(found >= 1.0)));
    }
    print(&format!(
        "{name} recall@5: plain {:.3}, ours {:.3} (all of it for {:.3}); documents {}; by passages {:.3}, {}",
        mean(&plain),
        mean(&ours),
        mean(&whole),
        times.told(),
        mean(&passages),
        passage_times.told()
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
            .filter_map(|place| usize::try_from(place.as_u64()?).ok())
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
        let share = |found: &[usize]| {
            found.iter().filter(|place| gold.contains(place)).count() as f64
                / gold.len().min(DEPTH) as f64
        };
        plain.push(share(&collection.plain(text, DEPTH)));
        ours.push(share(&collection.ranked(text, DEPTH, &mut times)?));
    }
    print(&format!(
        "wice evidence recall@5: plain {:.3}, ours {:.3}; {}",
        mean(&plain),
        mean(&ours),
        times.told()
    ));
    Ok(())
}

/// The discounted gain of the first ten, as a share of what the best order would have.
fn ndcg(gains: &BTreeMap<usize, f64>, found: &[usize]) -> f64 {
    let discounted = |gains: &[f64]| -> f64 {
        let places = gains.iter().zip(2_u32..);
        places
            .map(|(gain, place)| gain / f64::from(place).log2())
            .sum()
    };
    let mut best: Vec<f64> = gains.values().copied().collect();
    best.sort_by(|a, b| b.total_cmp(a));
    best.truncate(CRANFIELD_DEPTH);
    let got: Vec<f64> = found
        .iter()
        .map(|place| gains.get(place).copied().unwrap_or(0.0))
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
