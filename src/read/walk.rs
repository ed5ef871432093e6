//! Lists the documents at and below the roots that the user named: every file of a kind that can
//! be read and that is not hidden, sorted by name.
//!
//! Symbolic links below a root are not followed, since one may lead out of it; one to a document
//! elsewhere is named as not read. Ignore files (`.gitignore`) are not heeded: what the user names
//! is read. They only decide which files of other kinds are not worth a mention.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::error::ReadError;
use super::ignored::Ignored;
use super::kinds::Kinds;
use crate::artifact::Session;
use crate::artifact::documents::PassedOver;
use crate::pipeline::EVENTS_FILE;

/// A file of a kind that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The path: the root as named, and the path below it.
    pub path: PathBuf,
    /// The name, unique in its listing: the path below its root with `/` between, or the file's
    /// name if the root is a file. With several roots the label of the root comes before it.
    pub name: String,
}

/// The documents below the roots.
#[derive(Debug, Default)]
pub struct Listing {
    /// The files, sorted by name, each once.
    pub files: Vec<SourceFile>,
    /// The folders that could not be listed, and the links that were not followed.
    pub failures: Vec<ReadError>,
    /// The files of no kind that can be read, but for those that are hidden or that a `.gitignore`
    /// names: files that a user would miss.
    pub passed_over: PassedOver,
}

/// Lists the files of some kinds at and below the roots. A root that does not exist is a failure in
/// the listing: the document is gone. A root that is a file must be of one of the kinds.
///
/// # Errors
/// For a root that cannot be listed, or is a file of no kind that can be read.
pub fn walk(roots: &[PathBuf], kinds: &Kinds) -> Result<Listing, ReadError> {
    let several = roots.len() > 1;
    let mut labels = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut listing = Listing::default();
    for root in roots {
        let real = match canonical(root) {
            // Its label is taken all the same: documents of other roots keep their names.
            Err(error) if error.is_missing() => {
                unique_label(root, &mut labels);
                listing.failures.push(error);
                continue;
            }
            real => real?,
        };
        let label = if several || real.is_file() {
            unique_label(&real, &mut labels)
        } else {
            String::new()
        };
        for path in files_below(root, &label, kinds, &mut listing)? {
            // Roots may overlap. With one root there are no duplicates, as links are not followed.
            if !several || seen.insert(canonical(&path)?) {
                let name = name_below(root, &path, &label);
                listing.files.push(SourceFile { path, name });
            }
        }
    }
    // By bytes, so that the order is the same in every locale.
    listing
        .files
        .sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    tracing::debug!(
        files = listing.files.len(),
        failures = listing.failures.len(),
        "documents listed"
    );
    Ok(listing)
}

fn canonical(path: &Path) -> Result<PathBuf, ReadError> {
    path.canonicalize().map_err(|cause| ReadError::Io {
        path: path.to_owned(),
        cause,
    })
}

fn files_below(
    root: &Path,
    label: &str,
    kinds: &Kinds,
    listing: &mut Listing,
) -> Result<Vec<PathBuf>, ReadError> {
    if root.is_file() {
        return named_file(root, kinds);
    }
    // A device or a pipe would only look like a folder without documents.
    if !root.is_dir() {
        return Err(ReadError::Io {
            path: root.to_owned(),
            cause: std::io::Error::other("it is neither a file nor a directory"),
        });
    }
    let mut files = Vec::new();
    let mut ignored = Ignored::below(root);
    // In the order of the file system: the caller sorts over all roots.
    let entries = WalkDir::new(root).follow_links(false);
    for entry in entries
        .into_iter()
        .filter_entry(|entry| !is_hidden(entry) && !is_session(entry))
    {
        match entry {
            Ok(entry) => {
                let path = entry.path();
                if entry.path_is_symlink() {
                    listing.failures.extend(unfollowed(root, path, kinds));
                }
                if entry.file_type().is_dir() || entry.path_is_symlink() {
                    continue;
                }
                // A pipe or a device is passed over: reading it might never end.
                if entry.file_type().is_file() && kinds.of_listed_file(path).is_some() {
                    files.push(entry.into_path());
                } else if !ignored.holds(path) {
                    // The name of a file may hold escape sequences, and it is printed.
                    let name = name_below(root, path, label).replace(char::is_control, "?");
                    listing.passed_over.add(name);
                }
            }
            // A folder among others is a loss; without the root itself there is nothing to search.
            Err(error) if error.depth() == 0 => return Err(walk_failed(root, &error)),
            Err(error) => listing.failures.push(walk_failed(root, &error)),
        }
    }
    Ok(files)
}

/// A root that is a file. It is read if it would be read in a folder.
fn named_file(root: &Path, kinds: &Kinds) -> Result<Vec<PathBuf>, ReadError> {
    let path = root.to_owned();
    let kind = kinds.by_extension(root).ok_or(ReadError::Unsupported {
        path: path.clone(),
        kinds: kinds.labels(),
    })?;
    // One that cannot be opened is for its reader to report.
    if kinds.of_listed_file(root).is_some() || File::open(root).is_err() {
        return Ok(vec![path]);
    }
    Err(ReadError::OtherContents {
        path,
        label: kind.label,
        remedy: kind.remedy,
    })
}

/// The failure of a link below a root that leads to no document below it: one to a folder or a
/// document elsewhere, to nothing, or in a circle.
fn unfollowed(root: &Path, link: &Path, kinds: &Kinds) -> Option<ReadError> {
    const OUT: &str = "out of its folder and is not followed; name what it leads to itself";
    let problem = match link.canonicalize() {
        Ok(target) if target.starts_with(root.canonicalize().ok()?) => return None,
        Ok(target) if target.is_dir() => OUT,
        Err(error) if !is_lost(&error) => "in a circle",
        _ if kinds.of_listed_file(link).is_none() => return None,
        Ok(_) => OUT,
        Err(_) => "to nothing",
    };
    Some(ReadError::Link {
        path: link.to_owned(),
        problem,
    })
}

/// `true` if what a link leads to is not there, or out of reach.
fn is_lost(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | PermissionDenied)
}

/// Checks that each root exists.
///
/// # Errors
/// For the first that does not.
pub fn require_roots(roots: &[PathBuf]) -> Result<(), ReadError> {
    roots
        .iter()
        .try_for_each(|root| canonical(root).map(|_| ()))
}

/// Checks that there is a document at or below the roots, without reading one.
///
/// # Errors
/// As [`walk`], and when there is none: what the roots hold instead.
pub fn require_documents(roots: &[PathBuf], kinds: &Kinds) -> Result<(), ReadError> {
    let listing = walk(roots, kinds)?;
    if roots.is_empty() || !listing.files.is_empty() {
        return Ok(());
    }
    let failures = listing.failures.iter().map(ToString::to_string);
    Err(ReadError::no_documents(
        roots,
        failures.collect(),
        &listing.passed_over,
    ))
}

/// Returns `true` for a session below a root: what research writes is no source of research, or no
/// session in a folder of documents would ever be up to date.
fn is_session(entry: &DirEntry) -> bool {
    entry.depth() > 0
        && entry.file_type().is_dir()
        && [Session::FILE, EVENTS_FILE]
            .iter()
            .all(|name| entry.path().join(name).is_file())
}

/// Returns `true` for a file or folder below a root whose name begins with a dot, and for the file
/// with which a word processor locks a document that is open, "~$report.docx".
fn is_hidden(entry: &DirEntry) -> bool {
    let name = entry.file_name().as_encoded_bytes();
    entry.depth() > 0 && (name.starts_with(b".") || name.starts_with(b"~$"))
}

/// Returns the root's last name, with a number before it if another root has the same.
fn unique_label(real: &Path, labels: &mut BTreeSet<String>) -> String {
    // The root of the file system has no last name.
    let last = real
        .file_name()
        .map_or("root".into(), |name| name.to_string_lossy());
    let numbered = (2_usize..).map(|number| format!("{number}/{last}"));
    let label = std::iter::once(last.to_string())
        .chain(numbered)
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
    // `/` on every system, so that a document has the same name everywhere.
    label.into_iter().chain(parts).collect::<Vec<_>>().join("/")
}

/// The error of a folder that could not be listed. The text of a walk's error repeats its path, so
/// only the operating system's cause is taken from it.
fn walk_failed(root: &Path, error: &walkdir::Error) -> ReadError {
    ReadError::Io {
        path: error.path().unwrap_or(root).to_owned(),
        cause: match error.io_error() {
            Some(cause) => cause.kind().into(),
            None => std::io::Error::other(error.to_string()),
        },
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
        let listing = walk(roots, &Kinds::built_in()).unwrap();
        listing.files.into_iter().map(|file| file.name).collect()
    }

    #[test]
    fn walk_lists_readable_files_that_are_not_hidden_whatever_gitignore_says() {
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
                "~$d.md",
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
    fn walk_leaves_out_sessions() {
        let folder = tempfile::tempdir().unwrap();
        let session = [
            "out/s/session.json",
            "out/s/events.jsonl",
            "out/s/report.md",
        ];
        write(folder.path(), &session);
        write(folder.path(), &["a.md", "other/session.json", "other/b.md"]);
        assert_eq!(names(&[folder.path().to_owned()]), ["a.md", "other/b.md"]);
        // Unless it is named itself.
        assert_eq!(
            names(&[folder.path().join("out/s")]),
            ["events.jsonl", "report.md"]
        );
    }

    #[test]
    fn walk_does_not_follow_symbolic_links() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &["out/secret.md", "in/a.md"]);
        let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
        std::os::unix::fs::symlink(&outside, inside.join("folder")).unwrap();
        std::os::unix::fs::symlink(outside.join("secret.md"), inside.join("file.md")).unwrap();
        std::os::unix::fs::symlink(&inside, inside.join("loop")).unwrap();
        std::os::unix::fs::symlink(inside.join("a.md"), inside.join("again.md")).unwrap();
        std::os::unix::fs::symlink("gone.md", inside.join("dangling.md")).unwrap();
        std::os::unix::fs::symlink("gone.rs", inside.join("dangling.rs")).unwrap();
        let listing = walk(std::slice::from_ref(&inside), &Kinds::built_in()).unwrap();
        let mut failures: Vec<String> = listing.failures.iter().map(ToString::to_string).collect();
        failures.sort();
        let failure = |name: &str, problem: &str| {
            format!("{} is a link {problem}", inside.join(name).display())
        };
        let out = "out of its folder and is not followed; name what it leads to itself";
        assert_eq!(
            failures,
            [
                failure("dangling.md", "to nothing"),
                failure("file.md", out),
                failure("folder", out),
            ]
        );
        assert_eq!(names(&[inside]), ["a.md"]);
    }

    #[test]
    fn walk_labels_several_roots_and_removes_duplicates() {
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
    fn walk_names_a_root_that_cannot_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let error = require_roots(std::slice::from_ref(&missing))
            .unwrap_err()
            .to_string();
        assert!(error.contains(&missing.display().to_string()), "{error}");
        let roots = [missing, folder.path().to_owned()];
        let listing = walk(&roots, &Kinds::built_in()).unwrap();
        assert_eq!(listing.failures[0].to_string(), error);
        write(folder.path(), &["a.rs"]);
        assert!(matches!(
            walk(&[folder.path().join("a.rs")], &Kinds::built_in()),
            Err(ReadError::Unsupported { .. })
        ));
    }
}
