//! Benchmark of main content extraction (boilerplate removal): the text that `research read` gives
//! against the text that it should give.
//!
//! `RESEARCH_BENCH_DATA=<folder> cargo bench --bench extraction`. The folder holds
//! `article_extraction/` (`ground-truth.json` and `html/<id>.html.gz`) and
//! `readability_test_pages/` (folders of `source.html` and `expected.html`, or
//! `readability_test_pages.tar.xz` of them); what is missing is left out. The measure is that of
//! scrapinghub/article-extraction-benchmark: precision and recall over runs of four words, the mean
//! of each over the pages, F1 of the means. An argument names the one collection to measure.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use dom_query::Document;
use flate2::read::GzDecoder;
use research::read::Reader;
use serde_json::Value;

/// F1 of other extractors on all 181 pages, of which the folder holds a part; from the benchmark's
/// own table.
const PUBLISHED_F1: &str = "on all 181 pages: rs_trafilatura 0.970, go_trafilatura 0.960, \
                            trafilatura 0.958, readability.js 0.947, dom_smoothie 0.865";

const SHINGLE_WORDS: usize = 4;
const WORST: usize = 8;

/// A page, and the text that should be extracted from it.
struct Page {
    name: String,
    html: Vec<u8>,
    wanted: String,
}

struct Score {
    name: String,
    precision: f64,
    recall: f64,
    seconds: f64,
    note: String,
}

fn main() -> Result<()> {
    let Some(data) = std::env::var_os("RESEARCH_BENCH_DATA").map(PathBuf::from) else {
        say("RESEARCH_BENCH_DATA names no folder; nothing is measured");
        return Ok(());
    };
    let only: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let sets = ["article_extraction", "readability_test_pages"];
    ensure!(
        sets.iter().any(|name| data.join(name).is_dir()),
        "{} holds neither {}; RESEARCH_BENCH_DATA names the folder that does",
        data.display(),
        sets.join(" nor ")
    );
    let is_selected = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    if is_selected("article_extraction") && data.join("article_extraction").is_dir() {
        measure(
            "article_extraction",
            articles(&data.join("article_extraction"))?,
        )?;
        say(PUBLISHED_F1);
    }
    if is_selected("readability_test_pages") && data.join("readability_test_pages").is_dir() {
        let scratch = tempfile::tempdir()?;
        let pages = readability(&data.join("readability_test_pages"), scratch.path())?;
        measure("readability_test_pages", pages)?;
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn say(line: &str) {
    println!("{line}");
}

fn articles(folder: &Path) -> Result<Vec<Page>> {
    let truth = fs::read_to_string(folder.join("ground-truth.json"))?;
    let truth: Value = serde_json::from_str(&truth)?;
    let mut pages = Vec::new();
    for (id, entry) in truth.as_object().context("the ground truth is no object")? {
        let Ok(file) = File::open(folder.join(format!("html/{id}.html.gz"))) else {
            continue;
        };
        let mut html = Vec::new();
        GzDecoder::new(file).read_to_end(&mut html)?;
        pages.push(Page {
            name: id[..8].to_owned(),
            html,
            wanted: entry["articleBody"].as_str().unwrap_or_default().to_owned(),
        });
    }
    Ok(pages)
}

fn readability(folder: &Path, scratch: &Path) -> Result<Vec<Page>> {
    let archive = folder.join("readability_test_pages.tar.xz");
    let mut root = folder.to_owned();
    if archive.is_file() {
        let unpacked = Command::new("tar")
            .arg("-xJf")
            .arg(&archive)
            .arg("-C")
            .arg(scratch)
            .status()?;
        ensure!(unpacked.success(), "{} does not unpack", archive.display());
        root = scratch.to_owned();
    }
    let mut pages = Vec::new();
    let mut waiting = vec![root];
    while let Some(folder) = waiting.pop() {
        let (source, expected) = (folder.join("source.html"), folder.join("expected.html"));
        if source.is_file() && expected.is_file() {
            let wanted = Document::from(fs::read_to_string(expected)?);
            wanted.select("img").remove();
            // The reader leaves addresses of links and pictures out, so they are not expected.
            for link in wanted.select("a").nodes() {
                link.rename("span");
            }
            pages.push(Page {
                name: folder
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                html: fs::read(source)?,
                wanted: wanted.md(None).to_string(),
            });
            continue;
        }
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            waiting.extend(path.is_dir().then_some(path));
        }
    }
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(pages)
}

fn measure(name: &str, pages: Vec<Page>) -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let mut scores = Vec::new();
    for page in pages {
        let path = scratch.path().join("page.html");
        fs::write(&path, &page.html)?;
        let start = Instant::now();
        let read = Reader::in_process().read(&path);
        let seconds = start.elapsed().as_secs_f64();
        let (text, note) = match read {
            Ok(document) => (document.text, String::new()),
            Err(error) => (String::new(), error.to_string()),
        };
        let (precision, recall) = score(&page.wanted, &text);
        scores.push(Score {
            name: page.name,
            precision,
            recall,
            seconds,
            note,
        });
    }
    let mean = |of: fn(&Score) -> f64| scores.iter().map(of).sum::<f64>() / scores.len() as f64;
    let (precision, recall) = (mean(|score| score.precision), mean(|score| score.recall));
    let slowest = scores.iter().map(|score| score.seconds).fold(0.0, f64::max);
    say(&format!(
        "{name}: {} pages, precision {precision:.4}, recall {recall:.4}, F1 {:.4}; \
         {:.1} ms a page, slowest {:.0} ms",
        scores.len(),
        f1(precision, recall),
        mean(|score| score.seconds) * 1000.0,
        slowest * 1000.0
    ));
    scores.sort_by(|a, b| f1(a.precision, a.recall).total_cmp(&f1(b.precision, b.recall)));
    for score in scores.iter().take(WORST) {
        let Score {
            name,
            precision,
            recall,
            note,
            ..
        } = score;
        say(&format!(
            "  {name}: precision {precision:.2}, recall {recall:.2} {note}"
        ));
    }
    Ok(())
}

fn f1(precision: f64, recall: f64) -> f64 {
    2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE)
}

/// Precision and recall over word shingles; both are 1 where nothing was wanted nor extracted, as
/// in scrapinghub's benchmark.
fn score(wanted: &str, extracted: &str) -> (f64, f64) {
    let (wanted, extracted) = (shingles(wanted), shingles(extracted));
    let count = |of: &HashMap<Vec<&str>, f64>, key: &Vec<&str>| of.get(key).copied().unwrap_or(0.0);
    let both: f64 = wanted
        .iter()
        .map(|(key, n)| n.min(count(&extracted, key)))
        .sum();
    let all_wanted: f64 = wanted.values().sum();
    let all_extracted: f64 = extracted.values().sum();
    if all_wanted == both && all_extracted == both {
        return (1.0, 1.0);
    }
    (both / all_extracted.max(1.0), both / all_wanted.max(1.0))
}

/// The benchmark's words are runs of letters, digits and underscores.
fn shingles(text: &str) -> HashMap<Vec<&str>, f64> {
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let mut counts = HashMap::new();
    let length = words.len().min(SHINGLE_WORDS);
    for run in words.windows(length.max(1)) {
        *counts.entry(run.to_vec()).or_insert(0.0) += 1.0;
    }
    counts
}
