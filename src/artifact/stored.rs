//! The stored texts of sources, and the other files of a session that may come from an untrusted
//! source: no file outside of it is read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::{Artifact, Report, Source, parse};
use crate::pipeline::{Digest, open_file, read_file};

/// The largest file of a session that is read here, in bytes: several times the longest text that
/// is read of a document.
const MAX_BYTES: u64 = 32 << 20;

/// The stored text of the source of this id; `None` if it is missing.
///
/// # Errors
/// When the id is none, or the text is outside of the session, or not UTF-8.
pub fn stored_text(session: &Path, source: &str) -> Result<Option<String>> {
    // The id comes from an untrusted file: it must not become part of a path.
    let is_plain = source
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    ensure!(is_plain, "{source:?} is not the id of a source");
    let name = format!("sources/{source}.md");
    let Some(bytes) = read_inside(session, &name)? else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes);
    text.map(Some)
        .with_context(|| format!("{} is not UTF-8", session.join(name).display()))
}

/// The stored text of the source of this id, which must be there.
///
/// # Errors
/// As [`stored_text`], and when it is missing.
pub fn required_text(session: &Path, source: &str) -> Result<String> {
    let folder = session.join("sources");
    let missing = || {
        format!(
            "{} is missing",
            folder.join(format!("{source}.md")).display()
        )
    };
    stored_text(session, source)?.with_context(missing)
}

/// The stored texts of the sources that a report cites, by id, that are still what was read: those
/// of which the digest has changed are left out, and those that are missing.
pub fn unchanged_texts(session: &Path, report: &Report) -> BTreeMap<String, String> {
    let posts = report.public_opinion.iter().flat_map(|own| &own.quoted);
    let claims = report.claims.iter().chain(posts.map(|own| &own.claim));
    let tables = report.tables.iter().map(|table| &table.citation);
    let citations = claims.flat_map(|claim| &claim.citations).chain(tables);
    let ids: BTreeSet<&String> = citations.map(|own| &own.source).collect();
    let texts = ids.into_iter().filter_map(|id| {
        let text = stored_text(session, id).ok().flatten()?;
        is_unchanged(session, id, &text).then(|| (id.clone(), text))
    });
    texts.collect()
}

/// `true` if a stored text of a source is still what was read, by its digest.
pub fn is_unchanged(session: &Path, id: &str, text: &str) -> bool {
    // Sessions of older versions may lack the record.
    let record = read_inside(session, &format!("sources/{id}.json")).ok();
    let record: Option<Artifact<Source>> = parse(&record.flatten().unwrap_or_default()).ok();
    let digest = record.map(|record| record.content.sha256);
    digest.is_none_or(|digest| digest == Digest::of(text))
}

/// The bytes of a file of a session; `None` if it does not exist. Anything but a regular file
/// inside the session is refused.
///
/// # Errors
/// When it is refused, or cannot be read.
pub fn read_inside(session: &Path, name: &str) -> Result<Option<Vec<u8>>> {
    let path = session.join(name);
    let failed = || format!("failed to read {}", path.display());
    // The file itself must not be a link, and with the links in its directories resolved it must
    // lie within the session.
    let Ok(metadata) = fs::symlink_metadata(&path) else {
        return Ok(None);
    };
    ensure!(
        metadata.is_file(),
        "{} is not a regular file",
        path.display()
    );
    // Without a link below the session's own directory nothing leads out of it.
    if !is_below_without_links(session, name) {
        let real = path.canonicalize().with_context(failed)?;
        ensure!(
            real.starts_with(session.canonicalize().with_context(failed)?),
            "{} is a link out of the session",
            path.display()
        );
    }
    let file = open_file(&path).with_context(failed)?;
    // Bounded, so that a huge file in an untrusted session does not exhaust memory.
    let limit = MAX_BYTES >> 20;
    ensure!(
        metadata.len() <= MAX_BYTES,
        "{} is larger than {limit} MiB",
        path.display()
    );
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.take(metadata.len())
        .read_to_end(&mut bytes)
        .with_context(failed)?;
    Ok(Some(bytes))
}

/// `true` if a name leads downwards from a session, and through no symbolic link.
fn is_below_without_links(session: &Path, name: &str) -> bool {
    let is_link = |part: &Path| {
        let metadata = fs::symlink_metadata(session.join(part));
        metadata.is_ok_and(|metadata| metadata.is_symlink())
    };
    let name = Path::new(name);
    let is_downwards = |part| matches!(part, Component::Normal(_));
    // The last ancestor is the session itself.
    let mut folders = name.ancestors().skip(1);
    let has_link = folders.any(|part| part != Path::new("") && is_link(part));
    name.components().all(is_downwards) && !has_link
}

/// The documents that a session searches, of its own and those that it inherited: all but stored
/// texts of documents that are still there. These are read themselves, since they may have changed
/// since an earlier session stored them.
pub fn without_copies(own: &[PathBuf], inherited: &[PathBuf]) -> Vec<PathBuf> {
    let all = || own.iter().chain(inherited);
    let roots: Vec<&Path> = all().map(PathBuf::as_path).collect();
    let searched = all().filter(|path| original(path, &roots).is_none());
    searched.cloned().collect()
}

/// The documents of a session's own, each stored text replaced by its document if that is still
/// there.
pub fn originals(own: &[PathBuf], inherited: &[PathBuf]) -> Vec<PathBuf> {
    let roots: Vec<&Path> = own.iter().chain(inherited).map(PathBuf::as_path).collect();
    let originals = own.iter();
    let originals = originals.map(|path| original(path, &roots).unwrap_or_else(|| path.clone()));
    originals.collect()
}

/// The source whose stored text a file is, as the earlier session recorded it; `None` for any other
/// file.
pub fn stored_source(path: &Path) -> Option<Source> {
    let is_stored = path
        .parent()
        .is_some_and(|parent| parent.ends_with("sources"));
    let bytes = read_file(&path.with_extension("json"))
        .ok()
        .filter(|_| is_stored)?;
    let stored = parse::<Artifact<Source>>(&bytes).ok()?;
    Some(stored.content)
}

/// The document whose stored text a file is, if it is still below one of these roots, or is one.
fn original(path: &Path, roots: &[&Path]) -> Option<PathBuf> {
    let stored = stored_source(path)?;
    let name = Path::new(&stored.locator);
    // The earlier session may be somebody else's: its names lead nowhere else.
    let is_plain = |part| matches!(part, Component::Normal(_));
    if !name.components().all(is_plain) {
        return None;
    }
    roots.iter().find_map(|root| {
        // Below one of several roots, the name begins with that of the root.
        let mut files = [root.join(name), root.with_file_name("").join(name)].into_iter();
        files.find(|file| file.starts_with(root) && file.is_file() && is_inside(file, root))
    })
}

/// `true` if no link leads a file out of its root.
fn is_inside(file: &Path, root: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(file)
        .zip(real(root))
        .is_some_and(|(file, root)| file.starts_with(root))
}
