//! Indexing and warm searches of the whole program over a corpus that is generated here, beside
//! tantivy used bare on the same passages: processor time, memory, size on disk, and their ratios.
//!
//! `cargo bench --bench indexing [-- DOCUMENTS…]`; by default 1,000 and 50,000 documents (117 MB,
//! 400,000 passages). Each figure is of a process of its own. The program walks the folder, looks
//! at every file, and reads, cuts and analyses what is new; tantivy gets passages, which it
//! tokenises, indexes and stores, and in a warm search it returns 1,000 of them and fetches 200.
//! Both use the cores there are as they like; processor time is what counts.

mod measure;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use measure::{children, print};
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{STORED, Schema, TEXT};
use tantivy::{Index, TantivyDocument, doc};

/// The corpora, in documents, unless arguments name others.
const DOCUMENTS: [usize; 2] = [1_000, 50_000];

/// Passages of a document, sentences of a passage, words of a sentence.
const PASSAGES: usize = 8;
const SENTENCES: usize = 3;
const WORDS: usize = 14;

/// Distinct words of the corpus; the frequency of each is inverse to its rank (Zipf's law).
const VOCABULARY: f64 = 60_000.0;

/// Warm searches that are measured, of which the mean counts.
const RUNS: u32 = 10;

/// First indexings that are measured, of which the best counts.
const FIRST_RUNS: u32 = 3;

/// What the program may take over 50,000 documents and over 1,000, in milliseconds of processor
/// time and in MiB.
const WARM_MILLISECONDS: f64 = 250.0;
const WARM_MEBIBYTES: f64 = 80.0;
const SMALL_MILLISECONDS: f64 = 15.0;
const CHANGED_MILLISECONDS: f64 = 400.0;

/// Memory of the bare writer.
const WRITER_BYTES: usize = 50_000_000;

/// Passages that a bare search returns, and those of which it fetches the text.
const RETURNED: usize = 1_000;
const FETCHED: usize = 200;

const QUERIES: [&str; 3] = [
    "rokaten verpe midope lusro",
    "Where is the Tenrosharo of rokaten?",
    "how does mirope change the shalus of kaverdo",
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    match arguments.first().map(String::as_str) {
        Some("bare-index") => return bare_index(&arguments[1], &arguments[2]),
        Some("bare-search") => return bare_search(&arguments[1], &arguments[2]),
        _ => {}
    }
    let named = arguments.iter().map(|number| number.parse::<usize>());
    let named = named.collect::<Result<Vec<_>, _>>()?;
    let sizes = if named.is_empty() {
        DOCUMENTS.to_vec()
    } else {
        named
    };
    for documents in sizes {
        measure(documents)?;
    }
    Ok(())
}

/// What a process took.
struct Cost {
    milliseconds: f64,
    seconds: f64,
    mebibytes: f64,
}

/// Prints the figures of one corpus.
fn measure(documents: usize) -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let (docs, bare) = (scratch.path().join("docs"), scratch.path().join("bare"));
    let cache = scratch.path().join("home/.cache");
    let bytes = generate(&docs, documents)? as f64 / 1e6;
    print(&format!("{documents} documents, {bytes:.1} MB"));

    let search = |query: &str| cost(program(scratch.path(), &docs, query));
    // In turn, and the best of each, since other processes cost the one or the other time.
    let (mut ours, mut theirs) = (None, None);
    for _ in 0..FIRST_RUNS {
        for folder in [&cache, &bare] {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
        }
        ours = Some(better(ours, search(QUERIES[0])?));
        let bare = cost(bare_process("bare-index", &docs, &bare))?;
        theirs = Some(better(theirs, bare));
    }
    let (ours, theirs) = ours.zip(theirs).context("nothing was indexed")?;
    let speed = |cost: &Cost| bytes / cost.seconds;
    let per_second = |cost: &Cost| bytes / cost.milliseconds * 1e3;
    print(&format!(
        "  first indexing: {:.1} MB/s, {:.1} MB a second of processor time, {:.0} MB on disk\n  \
         tantivy bare:   {:.1} MB/s, {:.1} MB a second of processor time, {:.0} MB on disk\n  \
         ratio: {:.2} by time, {:.2} by processor time (at least 0.80)",
        speed(&ours),
        per_second(&ours),
        size(&cache)? as f64 / 1e6,
        speed(&theirs),
        per_second(&theirs),
        size(&bare)? as f64 / 1e6,
        speed(&ours) / speed(&theirs),
        per_second(&ours) / per_second(&theirs),
    ));

    let ours = mean(search)?;
    let theirs = mean(|query| {
        let query = Path::new(query);
        cost(bare_process("bare-search", &bare, query))
    })?;
    let (milliseconds, mebibytes) = if documents <= DOCUMENTS[0] {
        (SMALL_MILLISECONDS, WARM_MEBIBYTES)
    } else {
        (WARM_MILLISECONDS, WARM_MEBIBYTES)
    };
    print(&format!(
        "  warm search: {:.0} ms (at most {milliseconds:.0}), \
         {:.0} MiB (at most {mebibytes:.0})\n  \
         tantivy bare, no file looked at: {:.0} ms, {:.0} MiB",
        ours.milliseconds, ours.mebibytes, theirs.milliseconds, theirs.mebibytes,
    ));

    let changed = docs.join("000/000000.md");
    let text = fs::read_to_string(&changed)?;
    let mut number = 0;
    let one = mean(|query| {
        number += 1;
        fs::write(&changed, format!("{text}\n\nChange {number}.\n"))?;
        // Longer than the clock tick within which a change might not show.
        std::thread::sleep(Duration::from_millis(30));
        search(query)
    })?;
    print(&format!(
        "  one file changed: {:.0} ms (at most {CHANGED_MILLISECONDS:.0})",
        one.milliseconds
    ));
    Ok(())
}

/// Of two costs the less, each figure by itself.
fn better(best: Option<Cost>, cost: Cost) -> Cost {
    let Some(best) = best else {
        return cost;
    };
    Cost {
        milliseconds: best.milliseconds.min(cost.milliseconds),
        seconds: best.seconds.min(cost.seconds),
        mebibytes: best.mebibytes.min(cost.mebibytes),
    }
}

/// The mean over several runs and the queries in turn; of memory, the most.
fn mean(mut run: impl FnMut(&str) -> Result<Cost>) -> Result<Cost> {
    let mut sum = Cost {
        milliseconds: 0.0,
        seconds: 0.0,
        mebibytes: 0.0,
    };
    for number in 0..RUNS {
        let cost = run(QUERIES[number as usize % QUERIES.len()])?;
        sum.milliseconds += cost.milliseconds / f64::from(RUNS);
        sum.seconds += cost.seconds / f64::from(RUNS);
        sum.mebibytes = sum.mebibytes.max(cost.mebibytes);
    }
    Ok(sum)
}

/// Runs a process to its end. Its memory is the last that it was seen to have reached.
fn cost(mut command: Command) -> Result<Cost> {
    let (before, begun) = (children()?.all(), Instant::now());
    let mut child: Child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut mebibytes: f64 = 0.0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        mebibytes = mebibytes.max(peak_mebibytes(child.id()).unwrap_or_default());
        std::thread::sleep(Duration::from_millis(1));
    };
    ensure!(status.success(), "{command:?} failed");
    Ok(Cost {
        milliseconds: children()?.all() - before,
        seconds: begun.elapsed().as_secs_f64(),
        mebibytes,
    })
}

/// The peak of a process's resident memory so far, its mapped files included.
fn peak_mebibytes(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1024.0)
}

fn program(scratch: &Path, docs: &Path, query: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
    command
        .current_dir(scratch)
        .env_clear()
        .env("HOME", scratch.join("home"))
        .args(["search", query, "--docs"])
        .arg(docs);
    command
}

/// This program as the bare user of tantivy.
fn bare_process(job: &str, first: &Path, second: &Path) -> Command {
    let own = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("indexing"));
    let mut command = Command::new(own);
    command.arg(job).arg(first).arg(second);
    command
}

fn bare_index(docs: &str, to: &str) -> Result<()> {
    let mut schema = Schema::builder();
    let (title, body) = (
        schema.add_text_field("title", TEXT | STORED),
        schema.add_text_field("body", TEXT | STORED),
    );
    fs::create_dir_all(to)?;
    let index = Index::create_in_dir(to, schema.build())?;
    let mut writer = index.writer_with_num_threads(1, WRITER_BYTES)?;
    for folder in fs::read_dir(docs)? {
        for file in fs::read_dir(folder?.path())? {
            let text = fs::read_to_string(file?.path())?;
            let mut passages = text.split("\n\n");
            let name = passages.next().context("a document without a title")?;
            for passage in passages {
                writer.add_document(doc!(title => name, body => passage))?;
            }
        }
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(())
}

fn bare_search(index: &str, query: &str) -> Result<()> {
    let index = Index::open_in_dir(index)?;
    let schema = index.schema();
    let fields = vec![schema.get_field("title")?, schema.get_field("body")?];
    let searcher = index.reader()?.searcher();
    let (query, _) = QueryParser::for_index(&index, fields).parse_query_lenient(query);
    let best = searcher.search(&query, &TopDocs::with_limit(RETURNED).order_by_score())?;
    for (_, address) in best.iter().take(FETCHED) {
        let _: TantivyDocument = searcher.doc(*address)?;
    }
    if best.is_empty() {
        bail!("nothing was found");
    }
    Ok(())
}

/// The bytes of all files below a folder.
fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() {
            size(&entry.path())?
        } else {
            entry.metadata()?.len()
        };
    }
    Ok(bytes)
}

/// Writes documents of made-up words in a hundred folders, always the same. Returns their bytes.
fn generate(folder: &Path, documents: usize) -> Result<usize> {
    let mut state: u64 = 1;
    // A linear congruential generator (Knuth's MMIX), so that the corpus is the same everywhere.
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut bytes = 0;
    for number in 0..documents {
        let mut text = String::from("#");
        for _ in 0..3 {
            text += &format!(" {}", capitalised(&word(random())));
        }
        text += &format!(" {number}\n\n");
        for _ in 0..PASSAGES {
            for _ in 0..SENTENCES {
                text += &capitalised(&word(random()));
                for position in 1..WORDS {
                    let word = word(random());
                    // A third of the sentences have a name in the middle.
                    let is_name = position == WORDS / 2 && random() < 0.3;
                    text.push(' ');
                    text += &if is_name { capitalised(&word) } else { word };
                }
                text.push_str(". ");
            }
            text.truncate(text.trim_end().len());
            text += "\n\n";
        }
        let folder = folder.join(format!("{:03}", number % 100));
        if number < 100 {
            fs::create_dir_all(&folder)?;
        }
        bytes += text.len();
        fs::write(folder.join(format!("{number:06}.md")), text)?;
    }
    Ok(bytes)
}

/// The word of a rank that Zipf's law gives for a random number: the most frequent are those of
/// English, any other has a syllable for each digit of its rank.
fn word(random: f64) -> String {
    const FREQUENT: [&str; 40] = [
        "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "as", "was", "with", "be",
        "by", "on", "not", "he", "his", "but", "at", "are", "this", "have", "from", "or", "had",
        "an", "they", "which", "one", "you", "were", "her", "all", "she", "there", "would",
        "their", "we",
    ];
    const SYLLABLES: [&str; 10] = [
        "ka", "ro", "mi", "ten", "lus", "ver", "do", "sha", "pe", "ning",
    ];
    let rank = VOCABULARY.powf(random) as usize;
    if let Some(frequent) = FREQUENT.get(rank - 1) {
        return (*frequent).to_owned();
    }
    rank.to_string()
        .bytes()
        .map(|digit| SYLLABLES[usize::from(digit - b'0')])
        .collect()
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}
