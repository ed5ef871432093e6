//! How fast documents are indexed, beside tantivy used bare on the same texts, and what a second
//! opening costs.
//!
//! `cargo bench --bench indexing`. The documents are those in `corpus/` of the folder that
//! `RESEARCH_BENCH_DATA` names, else they are made up. Opening includes walking the folder and
//! reading the files; tantivy gets the finished texts.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use research::read::{Kinds, Reader};
use research::search::Library;
use tantivy::schema::{STORED, Schema, TEXT};
use tantivy::{Index, doc};

/// Documents made up, and words in each.
const DOCUMENTS: usize = 600;
const WORDS: usize = 2000;

/// The best of so many runs counts: what disturbs only slows.
const RUNS: usize = 5;

const WRITER_BYTES: usize = 50_000_000;

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let docs = scratch.path().join("docs");
    let given =
        std::env::var_os("RESEARCH_BENCH_DATA").map(|data| PathBuf::from(data).join("corpus"));
    match given.filter(|corpus| corpus.is_dir()) {
        Some(corpus) => copy(&corpus, &docs)?,
        None => make_up(&docs)?,
    }
    let cache = scratch.path().join("cache");
    let open = |cache: Option<&Path>| {
        Library::open(std::slice::from_ref(&docs), &Reader::new("none"), cache)
    };

    let library = open(None)?;
    let texts = (0..library.documents.len()).map(|place| library.content(place));
    let texts: Vec<_> = texts.collect::<Result<_>>()?;
    let bytes: usize = texts.iter().map(|content| content.text.len()).sum();
    let first = best(|| {
        let _ = std::fs::remove_dir_all(&cache);
        open(Some(&cache)).map(drop)
    })?;
    let bare = best(|| tantivy(texts.iter().map(|content| content.text.as_str())))?;
    let again = best(|| {
        let library = open(Some(&cache))?;
        ensure!(library.indexed == 0, "something was read again");
        Ok(())
    })?;
    let changed = docs.join(&library.documents[0].locator);
    let text = std::fs::read_to_string(&changed)?;
    let mut number = 0;
    let one = best(|| {
        number += 1;
        std::fs::write(&changed, format!("{text}\n\nChange {number}.\n"))?;
        // Longer than the clock tick within which a change might not show.
        std::thread::sleep(std::time::Duration::from_millis(30));
        let start = Instant::now();
        let library = open(Some(&cache))?;
        ensure!(library.indexed == 1, "{} were read", library.indexed);
        Ok(start.elapsed().as_secs_f64())
    })?;
    let speed = |seconds: f64| bytes as f64 / seconds / 1e6;
    print(&format!(
        "{} documents, {:.1} MB of text",
        library.documents.len(),
        bytes as f64 / 1e6
    ));
    print(&format!(
        "first opening: {:.0} MB/s; tantivy bare: {:.0} MB/s; ratio {:.2}",
        speed(first),
        speed(bare),
        first / bare
    ));
    print(&format!(
        "second opening: {:.1} ms, {:.3} of the first",
        again * 1e3,
        again / first
    ));
    print(&format!(
        "one file changed: {:.1} ms, {:.3} of the first",
        one * 1e3,
        one / first
    ));
    Ok(())
}

/// What a run took: all of it, or what it says itself.
trait Seconds {
    fn or(self, all: f64) -> f64;
}

impl Seconds for () {
    fn or(self, all: f64) -> f64 {
        all
    }
}

impl Seconds for f64 {
    fn or(self, _all: f64) -> f64 {
        self
    }
}

fn best<S: Seconds>(mut run: impl FnMut() -> Result<S>) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        let own = run()?;
        best = best.min(own.or(start.elapsed().as_secs_f64()));
    }
    Ok(best)
}

fn tantivy<'a>(texts: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut schema = Schema::builder();
    let body = schema.add_text_field("body", TEXT | STORED);
    let index = Index::create_in_ram(schema.build());
    let mut writer = index.writer_with_num_threads(1, WRITER_BYTES)?;
    for text in texts {
        writer.add_document(doc!(body => text))?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().context("a path without a name")?);
        if path.is_dir() {
            copy(&path, &target)?;
        } else if Kinds::built_in().by_extension(&path).is_some() {
            std::fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// Documents of words whose frequencies fall off as those of a language do.
fn make_up(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut state: u64 = 1;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    for number in 0..DOCUMENTS {
        let mut text = format!("# Document {number}\n\n");
        for place in 1..=WORDS {
            let rank = (30_000_f64.powf(random())) as u64;
            let syllables = [
                "ka", "ro", "mi", "ten", "lus", "ver", "do", "sha", "pe", "ning",
            ];
            let digits = format!("{rank}");
            let word: String = digits
                .bytes()
                .map(|digit| syllables[usize::from(digit - b'0')])
                .collect();
            text.push_str(&word);
            text.push_str(match place % 60 {
                0 => ".\n\n",
                15 | 30 | 45 => ". ",
                _ => " ",
            });
        }
        std::fs::write(folder.join(format!("{number:04}.md")), text)?;
    }
    Ok(())
}

#[expect(
    clippy::print_stdout,
    reason = "a benchmark's result is what it prints"
)]
fn print(line: &str) {
    println!("{line}");
}
