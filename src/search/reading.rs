//! Files into records, several at once. What comes of it does not depend on how many.
//!
//! Refuses to know what was read before.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::record::{Builder, Places};
use crate::pipeline::Stamp;
use crate::read::{ReadError, Reader, SourceFile};

/// Fewer files than this are not worth a thread.
const FILES_OF_THREAD: usize = 16;

/// What reading a file came to.
pub(super) struct Taken {
    /// What the file is known by, if what came of it holds until the file changes.
    pub(super) stamp: Option<Stamp>,
    /// The place of its record, or why there is none.
    pub(super) outcome: Result<usize, String>,
}

/// How many of the first files hold so many bytes, at least one.
pub(super) fn fitting(files: &[SourceFile], bytes: usize) -> usize {
    let mut sum = 0;
    let fits = |file: &&SourceFile| {
        let length = std::fs::metadata(&file.path).map_or(0, |metadata| metadata.len());
        sum += length;
        sum <= bytes as u64
    };
    files
        .iter()
        .take_while(fits)
        .count()
        .max(1)
        .min(files.len())
}

/// Reads files, and makes a record of each that is a document, in their order.
pub(super) fn read(reader: &Reader, files: &[SourceFile]) -> (Builder, Vec<Taken>) {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(files.len() / FILES_OF_THREAD);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut builder = Builder::default();
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(place) else {
                return (builder, done);
            };
            done.push((place, take(reader, file, &mut builder)));
        }
    };
    if threads < 2 {
        let (builder, done) = work();
        return (builder, done.into_iter().map(|(_, taken)| taken).collect());
    }
    merged(thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = vec![work()];
        for other in others {
            let done = other.join();
            all.push(done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    }))
}

/// What the threads did, as if one had done it in the order of the files.
fn merged(all: Vec<(Builder, Vec<(usize, Taken)>)>) -> (Builder, Vec<Taken>) {
    let mut sources = Vec::new();
    let mut done = Vec::new();
    for (thread, (builder, taken)) in all.into_iter().enumerate() {
        sources.push(builder.finish());
        done.extend(
            taken
                .into_iter()
                .map(|(place, taken)| (place, thread, taken)),
        );
    }
    done.sort_unstable_by_key(|(place, _, _)| *place);
    let terms = sources
        .iter()
        .map(|(segment, _)| Places::new(&segment.terms));
    let mut terms: Vec<Places<'_>> = terms.collect();
    let mut builder = Builder::default();
    let mut in_order = Vec::with_capacity(done.len());
    for (_, thread, mut taken) in done {
        if let Ok(record) = &mut taken.outcome {
            let (segment, texts) = &sources[thread];
            let found = &segment.records[*record];
            let text = found.text.start as usize..(found.text.start + found.text.length) as usize;
            builder.adopt(found, &mut terms[thread], &texts[text]);
            *record = builder.len() - 1;
        }
        in_order.push(taken);
    }
    (builder, in_order)
}

fn take(reader: &Reader, file: &SourceFile, builder: &mut Builder) -> Taken {
    let before = Stamp::settled(&file.path);
    let read = reader.read(&file.path);
    let after = Stamp::of_file(&file.path);
    let lasts = !read.as_ref().is_err_and(ReadError::is_transient);
    let stamp = match (before, after) {
        (Ok(before), Ok(after)) if lasts && before == after && !after.is_racy() => Some(after),
        _ => None,
    };
    let outcome = match read {
        Ok(document) => {
            builder.add(document);
            Ok(builder.len() - 1)
        }
        Err(error) => Err(without_path(&error.to_string(), &file.path, &file.name)),
    };
    Taken { stamp, outcome }
}

/// An error without the absolute path in it, so that what is written does not depend on where the
/// documents lie.
pub(super) fn without_path(problem: &str, path: &Path, name: &str) -> String {
    problem.replace(&path.display().to_string(), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_threads_make_what_one_makes() {
        let folder = tempfile::tempdir().unwrap();
        let name = |number: usize| format!("{number:02}.md");
        let files = (0..4 * FILES_OF_THREAD).map(|number| {
            let path = folder.path().join(name(number));
            let other = number * number % 7;
            let text =
                format!("# Pump {number}\n\nA pump {other} moves heat, `?` and water {number}.\n");
            std::fs::write(&path, text).unwrap();
            let name = name(number);
            SourceFile { path, name }
        });
        let mut files: Vec<SourceFile> = files.collect();
        files[5].path = folder.path().join("missing.md");
        let reader = Reader::new("/nonexistent");
        let (builder, taken) = read(&reader, &files);
        let mut alone = Builder::default();
        for (file, taken) in files.iter().zip(taken) {
            assert_eq!(taken.outcome, take(&reader, file, &mut alone).outcome);
        }
        assert_eq!(builder.len(), files.len() - 1);
        assert_eq!(builder.finish(), alone.finish());
    }
}
