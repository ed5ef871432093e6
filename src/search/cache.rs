//! What was read from documents before, kept outside the session, so that only what has changed is
//! read again.
//!
//! A folder of its own for each list of roots: a catalogue, and the segments that it names. It is a
//! cache: what does not check is thrown away and made again, and where it cannot be written
//! everything works as well, only slower. One process at a time works in it; segments are never
//! changed, and everything is written beside its place and renamed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::reading;
use super::record::{Builder, Places};
use super::store::{self, Part};
use crate::artifact::research::Failure;
use crate::pipeline::{Digest, Disk, Lock, Stamp};
use crate::read::{Listing, ReadError, Reader, SourceFile};

const CATALOGUE: &str = "catalogue";

/// Texts of a segment, in bytes: what is held in memory while documents are indexed.
const SEGMENT_BYTES: usize = 64 << 20;

/// More segments than this are made into one, and so are segments half of whose documents are gone.
const MAX_PARTS: usize = 8;

/// What is known of the files below the roots.
#[derive(Default, Serialize, Deserialize)]
struct Catalogue {
    /// What made it: another build may read or count otherwise.
    maker: String,
    /// Checksums of the segments' heads, by which their files are named.
    segments: Vec<u32>,
    /// By name.
    files: BTreeMap<String, Known>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Known {
    stamp: Stamp,
    outcome: Outcome,
}

/// What reading a file came to.
#[derive(Clone, Serialize, Deserialize)]
enum Outcome {
    /// A document: places of its segment and of its record.
    Document(usize, usize),
    /// A failure that would be the same again.
    Failure(String),
}

/// A document and where it is kept.
pub(super) struct Located {
    pub(super) found: SourceFile,
    pub(super) part: usize,
    pub(super) record: usize,
}

/// All documents below some roots.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) parts: Vec<Part>,
    pub(super) documents: Vec<Located>,
    pub(super) failures: Vec<Failure>,
    /// Documents that were read, not taken from the cache.
    pub(super) read: usize,
    /// Why the cache could not be used.
    pub(super) problem: Option<String>,
}

/// The folder of one list of roots, held by this process.
struct Folder {
    path: PathBuf,
    _lock: Lock,
}

/// Reads what has changed since the last time, and takes the rest from the cache.
pub(super) fn collect(
    roots: &[PathBuf],
    walked: Listing,
    reader: &Reader,
    cache: Option<&Path>,
) -> Collected {
    let (folder, problem) = match cache.map(|cache| Folder::take(cache, roots)) {
        None => (None, None),
        Some(Ok(folder)) => (Some(folder), None),
        Some(Err(error)) => (None, Some(format!("{error:#}"))),
    };
    let maker = maker(reader);
    let (catalogue, parts) = folder
        .as_ref()
        .and_then(|folder| folder.load(&maker).ok())
        .unwrap_or_default();
    let mut work = Work {
        catalogue: Catalogue {
            maker,
            ..Catalogue::default()
        },
        collected: Collected {
            parts,
            problem,
            ..Collected::default()
        },
        reader,
        rewritten: false,
    };
    work.fail(roots, &walked.failures);
    work.all(walked.files, &catalogue);
    if let Some(folder) = &folder
        && (work.rewritten || work.catalogue.files.len() != catalogue.files.len())
        && let Err(error) = folder.save(&mut work)
    {
        work.collected.problem = Some(format!("{error:#}"));
    }
    work.collected
}

/// What is made while documents are collected.
struct Work<'a> {
    catalogue: Catalogue,
    collected: Collected,
    reader: &'a Reader,
    /// Whether something is not as it was.
    rewritten: bool,
}

impl Work<'_> {
    fn all(&mut self, found: Vec<SourceFile>, known: &Catalogue) {
        let mut fresh = Vec::new();
        for file in found {
            let stamp = Stamp::of_file(&file.path).ok();
            let kept = known.files.get(&file.name);
            match kept.filter(|kept| Some(&kept.stamp) == stamp.as_ref()) {
                Some(kept) => {
                    let kept = kept.clone();
                    self.catalogue.files.insert(file.name.clone(), kept.clone());
                    self.place(file, kept.outcome);
                }
                None => fresh.push(file),
            }
        }
        while !fresh.is_empty() {
            let later = fresh.split_off(reading::fitting(&fresh, SEGMENT_BYTES));
            self.read(std::mem::replace(&mut fresh, later));
        }
        let documents = &mut self.collected.documents;
        documents.sort_by(|a, b| a.found.name.cmp(&b.found.name));
        self.collected
            .failures
            .sort_by(|a, b| a.locator.cmp(&b.locator));
        if self.is_scattered() {
            // A damaged text is found out when it is asked for; until then the segments stay apart.
            let _ = self.compact();
        }
    }

    /// Keeps in mind which folders could not be looked into.
    fn fail(&mut self, roots: &[PathBuf], failures: &[ReadError]) {
        for failure in failures {
            let path = failure.path();
            let below = roots.iter().find_map(|root| path.strip_prefix(root).ok());
            let locator = below.unwrap_or(path).display().to_string();
            self.collected.failures.push(Failure {
                problem: reading::without_path(&failure.to_string(), path, &locator),
                locator,
            });
        }
    }

    fn place(&mut self, file: SourceFile, outcome: Outcome) {
        match outcome {
            Outcome::Document(part, record) => {
                self.collected.documents.push(Located {
                    found: file,
                    part,
                    record,
                });
            }
            Outcome::Failure(problem) => self.collected.failures.push(Failure {
                locator: file.name,
                problem,
            }),
        }
    }

    /// Reads files and makes a segment of them.
    fn read(&mut self, files: Vec<SourceFile>) {
        let part = self.collected.parts.len();
        let (builder, taken) = reading::read(self.reader, &files);
        for (file, taken) in files.into_iter().zip(taken) {
            let outcome = match taken.outcome {
                Ok(record) => Outcome::Document(part, record),
                Err(problem) => Outcome::Failure(problem),
            };
            if let Some(stamp) = taken.stamp {
                let outcome = outcome.clone();
                let known = Known { stamp, outcome };
                self.catalogue.files.insert(file.name.clone(), known);
                self.rewritten = true;
            }
            self.place(file, outcome);
        }
        if builder.len() > 0 {
            self.collected.read += builder.len();
            let (segment, texts) = builder.finish();
            self.collected.parts.push(Part::fresh(segment, texts));
        }
    }

    fn is_scattered(&self) -> bool {
        let parts = &self.collected.parts;
        let held: usize = parts.iter().map(|part| part.segment.records.len()).sum();
        parts.len() > MAX_PARTS || held > 2 * self.collected.documents.len()
    }

    /// Makes one segment of all, as far as its texts fit.
    fn compact(&mut self) -> Result<()> {
        let mut parts = Vec::new();
        let mut builder = Builder::default();
        let mut places = Vec::new();
        let parts_before = &self.collected.parts;
        let terms_of = || {
            let terms = parts_before.iter().map(|part| &part.segment.terms);
            terms.map(|terms| Places::new(terms)).collect::<Vec<_>>()
        };
        let mut terms = terms_of();
        for located in &self.collected.documents {
            let part = &self.collected.parts[located.part];
            let record = &part.segment.records[located.record];
            let text = part.text(record.text)?;
            if builder.bytes() >= SEGMENT_BYTES {
                let (segment, texts) = std::mem::take(&mut builder).finish();
                parts.push(Part::fresh(segment, texts));
                terms = terms_of();
            }
            builder.adopt(record, &mut terms[located.part], text.as_bytes());
            places.push((parts.len(), builder.len() - 1));
        }
        if builder.len() > 0 {
            let (segment, texts) = builder.finish();
            parts.push(Part::fresh(segment, texts));
        }
        for (located, (part, record)) in self.collected.documents.iter_mut().zip(places) {
            (located.part, located.record) = (part, record);
            if let Some(known) = self.catalogue.files.get_mut(&located.found.name) {
                known.outcome = Outcome::Document(part, record);
            }
        }
        self.collected.parts = parts;
        self.rewritten = true;
        Ok(())
    }
}

impl Folder {
    /// The folder for these roots, held; waits while another process works in it.
    fn take(cache: &Path, roots: &[PathBuf]) -> Result<Self> {
        let mut key = String::new();
        for root in roots {
            let real = root.canonicalize()?;
            key.push_str(&Digest::of(real.as_os_str().as_encoded_bytes()).to_string());
        }
        let path = cache.join(format!("documents-{}", Digest::of(&key).short()));
        Disk::default().create_cache(&path)?;
        let lock = Lock::acquire(&path, true, "the documents were opened")?;
        Ok(Self { path, _lock: lock })
    }

    fn segment(&self, checksum: u32) -> PathBuf {
        self.path.join(format!("{checksum:08x}.segment"))
    }

    /// What is here, if all of it checks.
    fn load(&self, maker: &str) -> Result<(Catalogue, Vec<Part>)> {
        let mut file = File::open(self.path.join(CATALOGUE))?;
        let (catalogue, _, _): (Catalogue, u32, u64) = store::head(&mut file)?;
        ensure!(catalogue.maker == maker, "another build made it");
        let parts = catalogue.segments.iter();
        let parts = parts.map(|checksum| Part::open(&self.segment(*checksum), *checksum));
        let parts = parts.collect::<Result<Vec<_>>>()?;
        for known in catalogue.files.values() {
            if let Outcome::Document(part, record) = known.outcome {
                let record = parts
                    .get(part)
                    .and_then(|part| part.segment.records.get(record));
                record.context("a document is not where it should be")?;
            }
        }
        Ok((catalogue, parts))
    }

    /// Writes what is new, the catalogue last, and removes what it does not name any more.
    fn save(&self, work: &mut Work<'_>) -> Result<()> {
        let disk = Disk::default();
        let mut segments = Vec::new();
        for part in &mut work.collected.parts {
            segments.push(part.settle(|checksum, bytes| {
                let path = self.segment(checksum);
                disk.write_cache(&path, bytes)
                    .with_context(|| format!("failed to write {}", path.display()))?;
                Ok(path)
            })?);
        }
        work.catalogue.segments = segments;
        let path = self.path.join(CATALOGUE);
        let (bytes, _) = store::framed(&work.catalogue, &[])?;
        disk.write_cache(&path, &bytes)
            .with_context(|| format!("failed to write {}", path.display()))?;
        self.sweep(&work.catalogue);
        Ok(())
    }

    /// Removes segments that the catalogue does not name. One that cannot be removed costs room,
    /// nothing else.
    fn sweep(&self, catalogue: &Catalogue) {
        let named: BTreeSet<PathBuf> = catalogue
            .segments
            .iter()
            .map(|checksum| self.segment(*checksum))
            .collect();
        let Ok(entries) = std::fs::read_dir(&self.path) else {
            return;
        };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.extension().is_some_and(|kind| kind == "segment") && !named.contains(&path) {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

/// What an index depends on besides the documents: this very build and the reader's limits.
fn maker(reader: &Reader) -> String {
    let build = std::env::current_exe().and_then(|program| Stamp::of_file(&program));
    let build = build.map(|stamp| format!("{stamp:?}")).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    format!("{version} {build} {}", reader.max_bytes)
}
