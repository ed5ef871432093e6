//! The accuracy of the support check, on labelled data.
//!
//! `RESEARCH_BENCH_DATA=<folder> cargo bench --bench claims`, or `make eval`. The folder holds
//! `wice/dev.jsonl`, `factcheck_gpt/subtask3_claim_evidence_stance.jsonl` and `xquad/en.json`. It
//! prints the weights of the logistic model learnt on the first two, and writes the figures into
//! `docs/accuracy.md`.

mod changes;
mod citations;
mod page;
mod sets;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use research::cite::support;
use research::text;
use serde_json::Value;

/// The number of pairs that are timed.
const PAIRS: usize = 1000;

fn main() -> Result<()> {
    let Some(data) = std::env::var_os("RESEARCH_BENCH_DATA") else {
        print("nothing is measured: RESEARCH_BENCH_DATA names no folder of labelled data");
        return Ok(());
    };
    let data = Path::new(&data);
    let mut examples = Vec::new();
    for set in sets::SETS {
        let file = data.join(set.0);
        let own = sets::labelled(&file, set)
            .with_context(|| format!("cannot measure {}", file.display()))?;
        print(&format!("{}: {} claims", set.0, own.len()));
        sets::print_shares(&own);
        examples.extend(own);
    }
    print(&format!(
        "weights {:.2?}",
        sets::learnt(&examples.iter().collect::<Vec<_>>())
    ));
    let articles = std::fs::read_to_string(data.join("xquad/en.json"))?;
    let wice = data.join("wice/dev.jsonl");
    let measured = page::Measured {
        sets: sets::cross_validate(&examples),
        changes: changes::measure(&articles)?,
        swapped: citations::swapped(&wice)?,
        marked: [citations::marked(&wice, 3)?, citations::marked(&wice, 5)?],
        seconds: seconds(&data.join(sets::SETS[1].0))?,
    };
    let written = measured.to_string();
    print(&written);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("accuracy.md"), written)?;
    Ok(())
}

/// The seconds that a thousand pairs take.
fn seconds(pairs: &Path) -> Result<f64> {
    let lines = std::fs::read_to_string(pairs)?;
    let pairs: Vec<Value> = lines
        .lines()
        .take(PAIRS)
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let start = Instant::now();
    for pair in &pairs {
        let claim = pair["claim"].as_str().context("no claim")?;
        let passage = pair["evidence"].as_str().context("no evidence")?;
        std::hint::black_box(support(claim, passage));
    }
    Ok(start.elapsed().as_secs_f64() * PAIRS as f64 / pairs.len() as f64)
}

/// The share of the different words of a claim that are in a passage, stop words left out: the
/// baseline.
fn overlap(claim: &str, passage: &str) -> f64 {
    let stems = |text: &str| -> BTreeSet<String> {
        let words = text::words(text).map(|word| text::fold(word.text));
        let words = words.filter(|word| !text::is_stop_word(word));
        words.map(|word| text::stem(&word)).collect()
    };
    let (claim, passage) = (stems(claim), stems(passage));
    claim.intersection(&passage).count() as f64 / claim.len().max(1) as f64
}

/// `true` if `RESEARCH_BENCH_SHOW` is set: what is judged wrongly is printed.
fn shows() -> bool {
    std::env::var_os("RESEARCH_BENCH_SHOW").is_some()
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn print(line: &str) {
    println!("{line}");
}
