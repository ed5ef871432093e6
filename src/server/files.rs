//! The files of a session: listed, read with an entity tag, and edited by whoever has seen them.

use std::path::Path as FilePath;

use axum::Json;
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::utf8_percent_encode;
use schemars::JsonSchema;
use serde::Serialize;
use walkdir::WalkDir;

use super::app::blocking;
use super::extract::body;
use super::problem::Problem;
use super::tenant::Tenant;
use crate::artifact::stored::read_inside;
use crate::export::{FORMATS, LINK_SEGMENT, markdown};
use crate::inspect;
use crate::pipeline::Digest;
use crate::run::{self, EditRefused};

/// The maximum number of files that are listed (chosen by hand, some times those of the largest
/// session seen so far).
const MAX_FILES: usize = 10_000;

/// The files of a session.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Files {
    /// The files, by name.
    files: Vec<ListedFile>,
}

/// A file of a session.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ListedFile {
    /// The name, relative to the session.
    pub(super) name: String,
    /// The size.
    pub(super) bytes: u64,
    /// `true` if it can be edited.
    pub(super) editable: bool,
}

/// `GET /v1/sessions/{id}/files`.
pub(super) async fn list(app: Tenant, Path(id): Path<String>) -> Result<Json<Files>, Problem> {
    blocking(move || {
        let files = files(&app.session(&id)?.0);
        Ok(Json(Files { files }))
    })
    .await
}

/// The regular files of the session at `path`, by name, without hidden ones.
pub(super) fn files(path: &FilePath) -> Vec<ListedFile> {
    let entries = WalkDir::new(path)
        .min_depth(1)
        .max_depth(4)
        .sort_by_file_name();
    let is_shown = |name: &std::ffi::OsStr| !name.as_encoded_bytes().starts_with(b".");
    let entries = entries
        .into_iter()
        .filter_entry(|entry| is_shown(entry.file_name()));
    let file = |entry: walkdir::DirEntry| {
        let name = entry.path().strip_prefix(path).ok()?.to_str()?.to_owned();
        Some(ListedFile {
            bytes: entry.metadata().ok()?.len(),
            editable: run::is_editable(&name),
            name,
        })
    };
    let files = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file());
    files.take(MAX_FILES).filter_map(file).collect()
}

/// `GET /v1/sessions/{id}/files/{name}`.
pub(super) async fn read(
    app: Tenant,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    blocking(move || {
        let (path, _) = app.session(&id)?;
        let bytes = file(&path, &name)?;
        let tag = tag(&Digest::of(&bytes));
        let seen = headers.get(header::IF_NONE_MATCH);
        if seen
            .and_then(|seen| seen.to_str().ok())
            .is_some_and(|seen| lists(seen, &tag))
        {
            return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
        }
        let kind = media_type(&name).to_owned();
        Ok(([(header::ETAG, tag), (header::CONTENT_TYPE, kind)], bytes).into_response())
    })
    .await
}

/// The bytes of a file of the session at `path`.
pub(super) fn file(path: &FilePath, name: &str) -> Result<Vec<u8>, Problem> {
    let missing = || Problem::new(StatusCode::NOT_FOUND, "the session has no such file");
    if !is_inside(name) {
        return Err(missing());
    }
    // Links and whatever else is no file of the session are refused there.
    let bytes = read_inside(path, name).map_err(|_| missing())?;
    bytes.ok_or_else(missing)
}

/// `true` if a name is that of a file inside a session that is not hidden.
fn is_inside(name: &str) -> bool {
    !name.is_empty()
        && name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.'))
}

/// `PUT /v1/sessions/{id}/files/{name}`: replaces a file that its editor has seen.
pub(super) async fn edit(
    app: Tenant,
    Path((id, name)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    // A page of another origin cannot send this method without asking first, and CORS is off.
    let seen = request.headers().get(header::IF_MATCH);
    let seen = seen.and_then(|seen| seen.to_str().ok()).map(str::to_owned);
    let Some(seen) = seen else {
        let detail = "send the etag that the file had when you read it in the header if-match";
        return Err(Problem::new(StatusCode::PRECONDITION_REQUIRED, detail));
    };
    let bytes = body(request, &app).await?;
    blocking(move || {
        let (path, _) = app.session(&id)?;
        let current = Digest::of(file(&path, &name)?);
        if !lists(&seen, &tag(&current)) {
            return Err(changed(&name));
        }
        let digest = replace(&app, &path, &name, &bytes, &current)?;
        Ok((StatusCode::NO_CONTENT, [(header::ETAG, tag(&digest))]).into_response())
    })
    .await
}

/// Replaces a file of the session at `path` whose digest is `seen`.
pub(super) fn replace(
    app: &Tenant,
    path: &FilePath,
    name: &str,
    bytes: &[u8],
    seen: &Digest,
) -> Result<Digest, Problem> {
    run::edit(path, name, bytes, seen, app.clock).map_err(|error| {
        match error.downcast_ref::<EditRefused>() {
            Some(EditRefused::Changed { .. }) => changed(name),
            Some(EditRefused::Invalid(_)) => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{error:#}"))
            }
            Some(EditRefused::NotEditable(_)) => Problem::new(StatusCode::FORBIDDEN, error),
            None => error.into(),
        }
    })
}

fn changed(name: &str) -> Problem {
    let detail = format!("{name} has changed since you read it; read it again and repeat the edit");
    Problem::new(StatusCode::PRECONDITION_FAILED, detail)
}

/// The entity tag of a file with this digest.
fn tag(digest: &Digest) -> String {
    format!("\"{digest}\"")
}

/// `true` if a list of entity tags contains this one.
fn lists(list: &str, tag: &str) -> bool {
    list.split(',')
        .any(|one| one.trim().trim_start_matches("W/") == tag)
}

/// The type of a file, by its name. Nothing is served as a page: a session may be somebody else's.
pub(super) fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("json") => "application/json",
        Some("jsonl") => "application/x-ndjson",
        Some("md") => "text/markdown; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some(extension) if is_text(extension) => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// `true` for the extension of an export format that is text.
fn is_text(extension: &str) -> bool {
    let mut formats = FORMATS.iter().filter(|format| format.is_text());
    formats.any(|format| format.extension == extension)
}

/// The published report of the session at `path`, with links to its files here.
///
/// # Errors
/// When it has none.
pub(super) fn linked_report(path: &FilePath) -> Result<String, Problem> {
    let id = path.file_name().unwrap_or_default().to_string_lossy();
    let base = format!(
        "/v1/sessions/{}/files/",
        utf8_percent_encode(&id, LINK_SEGMENT)
    );
    let report = inspect::published_report(path)?;
    Ok(markdown::with_link_base(&report, &base))
}
