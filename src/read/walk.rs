//! Which files lie below the folders that were named: every readable one that is not hidden, in an
//! order that is always the same.
//!
//! Refuses to follow symbolic links below a root, since one may lead out of it, and to heed
//! `.gitignore`: what a user names is read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::{ReadError, Reader};

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is: the root as named, and the way down from it.
    pub path: PathBuf,
    /// Its name among all that was found: the way down from its root with `/` between, or the
    /// file's name if the root is a file. The root's own name comes before it if there are several
    /// roots.
    pub name: String,
}

/// What lies below the roots.
#[derive(Debug, Default)]
pub struct Walked {
    /// The readable files, sorted by name, each once.
    pub found: Vec<Found>,
    /// The folders that could not be looked into.
    pub failures: Vec<ReadError>,
}

/// The readable files at and below some roots. A root must exist, and be readable if it is a file.
///
/// # Errors
/// For a root that is not there, or is a file of no kind that can be read.
pub fn walk(roots: &[PathBuf]) -> Result<Walked, ReadError> {
    let several = roots.len() > 1;
    let mut labels = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut failures = Vec::new();
    for root in roots {
        let real = root.canonicalize().map_err(|source| failed(root, source))?;
        let label = if several || real.is_file() {
            unique_label(&real, &mut labels)
        } else {
            String::new()
        };
        for path in files_below(root, &mut failures)? {
            let again = several
                && !seen.insert(
                    path.canonicalize()
                        .map_err(|source| failed(&path, source))?,
                );
            if !again {
                found.push(Found {
                    name: name_below(root, &path, &label),
                    path,
                });
            }
        }
    }
    found.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    Ok(Walked { found, failures })
}

fn files_below(root: &Path, failures: &mut Vec<ReadError>) -> Result<Vec<PathBuf>, ReadError> {
    if root.is_file() {
        let readable = Reader::reads(root).then(|| vec![root.to_owned()]);
        return readable.ok_or_else(|| ReadError::Unsupported {
            path: root.to_owned(),
        });
    }
    let mut files = Vec::new();
    let entries = WalkBuilder::new(root)
        .standard_filters(false)
        .hidden(true)
        .follow_links(false)
        .build();
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                failures.push(walk_failed(root, error));
                continue;
            }
        };
        if entry.file_type().is_some_and(|kind| kind.is_file()) && Reader::finds(entry.path()) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// The root's own last name, with a number before it if another root has the same.
fn unique_label(real: &Path, labels: &mut BTreeSet<String>) -> String {
    let last = real
        .file_name()
        .map_or("root".into(), |name| name.to_string_lossy());
    let numbered = (2_usize..).map(|number| format!("{number}/{last}"));
    let mut candidates = std::iter::once(last.to_string()).chain(numbered);
    let label = candidates
        .find(|label| !labels.contains(label))
        .unwrap_or_default();
    labels.insert(label.clone());
    label
}

fn name_below(root: &Path, path: &Path, label: &str) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts = below
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    let label = (!label.is_empty()).then(|| label.to_owned());
    label.into_iter().chain(parts).collect::<Vec<_>>().join("/")
}

fn failed(path: &Path, source: std::io::Error) -> ReadError {
    ReadError::Io {
        path: path.to_owned(),
        cause: source,
    }
}

/// The error of a walk repeats its path in its own text: only what the system said is kept. A walk
/// that does not name a path failed at its root.
fn walk_failed(root: &Path, error: ignore::Error) -> ReadError {
    let path = match &error {
        ignore::Error::WithPath { path, .. } => path.clone(),
        ignore::Error::WithDepth { err, .. } => match err.as_ref() {
            ignore::Error::WithPath { path, .. } => path.clone(),
            _ => root.to_owned(),
        },
        _ => root.to_owned(),
    };
    let kind = error.io_error().map(std::io::Error::kind);
    let source = kind.map_or_else(|| std::io::Error::other(error), std::io::Error::from);
    ReadError::Io {
        path,
        cause: source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, names: &[&str]) {
        for name in names {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "text").unwrap();
        }
    }

    fn names(roots: &[PathBuf]) -> Vec<String> {
        walk(roots)
            .unwrap()
            .found
            .into_iter()
            .map(|found| found.name)
            .collect()
    }

    #[test]
    fn finds_what_can_be_read_and_is_not_hidden() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("docs");
        write(
            &root,
            &[
                "b.md",
                "a/z.txt",
                "a.md",
                "B.md",
                "x.rs",
                ".hidden/c.md",
                ".c.md",
                "target/d.md",
            ],
        );
        std::fs::write(root.join(".gitignore"), "target\n").unwrap();
        assert_eq!(
            names(std::slice::from_ref(&root)),
            ["B.md", "a.md", "a/z.txt", "b.md", "target/d.md"]
        );
        assert_eq!(names(&[root.join("a.md")]), ["a.md"]);
        assert!(names(&[]).is_empty());
    }

    #[test]
    fn never_follows_a_link() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &["out/secret.md", "in/a.md"]);
        let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
        std::os::unix::fs::symlink(&outside, inside.join("folder")).unwrap();
        std::os::unix::fs::symlink(outside.join("secret.md"), inside.join("file.md")).unwrap();
        std::os::unix::fs::symlink(&inside, inside.join("loop")).unwrap();
        assert_eq!(names(&[inside]), ["a.md"]);
    }

    #[test]
    fn several_roots_stay_apart_and_a_file_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &["one/x/a.md", "two/x/a.md", "three/a.md"]);
        let root = |name: &str| folder.path().join(name);
        assert_eq!(
            names(&[root("one"), root("two")]),
            ["one/x/a.md", "two/x/a.md"]
        );
        assert_eq!(
            names(&[root("one/x"), root("two/x")]),
            ["2/x/a.md", "x/a.md"]
        );
        assert_eq!(
            names(&[root("one"), root("one/x"), root("one")]),
            ["one/x/a.md"]
        );
        assert_eq!(
            names(&[root("one/x/a.md"), root("two/x/a.md")]),
            ["2/a.md", "a.md"]
        );
    }

    #[test]
    fn a_root_that_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let error = walk(std::slice::from_ref(&missing))
            .unwrap_err()
            .to_string();
        assert!(error.contains(&missing.display().to_string()), "{error}");
        write(folder.path(), &["a.rs"]);
        assert!(matches!(
            walk(&[folder.path().join("a.rs")]),
            Err(ReadError::Unsupported { .. })
        ));
    }
}
