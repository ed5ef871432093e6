//! Words and what they prove: passages of the documents, of the sources of a session, and claims
//! checked against passages. No model is asked.

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::app::blocking;
use super::extract::{JsonBody, Params};
use super::problem::Problem;
use super::tenant::Tenant;
use crate::artifact::Research;
use crate::artifact::stored::required_text;
use crate::cite;
use crate::run::artifacts::content;
use crate::run::reader;
use crate::search::{Library, Passage};

/// The number of passages that are returned, and the maximum (chosen by hand).
const PASSAGES: usize = 10;
const MAX_PASSAGES: usize = 100;

/// The maximum number of passages that a claim is checked against (chosen by hand).
const MAX_CHECKED: usize = 100;

/// A search of the documents.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    /// A question or keywords.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    query: String,
    /// The maximum number of passages; by default 10.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

/// The passages that answer a query best.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Results {
    /// The query.
    query: String,
    /// The passages, best first.
    passages: Vec<Passage>,
}

/// `GET /v1/search`.
pub(super) async fn search(
    app: Tenant,
    Params(search): Params<Search>,
) -> Result<Json<Results>, Problem> {
    blocking(move || passages(&app, search).map(Json)).await
}

/// The passages of the documents that answer a query best.
///
/// # Errors
/// When there is no query, or the documents cannot be read.
pub(super) fn passages(app: &Tenant, search: Search) -> Result<Results, Problem> {
    let Search { query, limit } = search;
    if query.trim().is_empty() {
        return Err(Problem::of_field("query", "the query is empty"));
    }
    let limit = limit.unwrap_or(PASSAGES);
    if !(1..=MAX_PASSAGES).contains(&limit) {
        let detail = format!("limit has to be between 1 and {MAX_PASSAGES}");
        return Err(Problem::of_field("limit", detail));
    }
    let cache = app.settings.cache_dir();
    let library = Library::open(&app.documents, &reader(&app.settings)?, cache.as_deref())?;
    let passages = library.passages(&query, limit)?;
    Ok(Results { query, passages })
}

/// The range of a passage.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Range {
    /// The offset of its first byte; by default 0.
    start: Option<usize>,
    /// The offset after its last byte; by default the end of the text.
    end: Option<usize>,
}

/// A passage of a source.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SourcePassage {
    /// The source.
    source: String,
    /// Its title.
    title: String,
    /// Its path or address.
    locator: String,
    /// Its credibility, 0 to 1.
    credibility: f64,
    /// The number of bytes of its text.
    bytes: usize,
    /// The offset of the first byte of the passage.
    start: usize,
    /// The offset after its last byte.
    end: usize,
    /// The words.
    text: String,
}

/// `GET /v1/sessions/{id}/sources/{source}`: the words at a range of the stored text of a source.
pub(super) async fn source(
    app: Tenant,
    Path((id, source)): Path<(String, String)>,
    Params(range): Params<Range>,
) -> Result<Json<SourcePassage>, Problem> {
    blocking(move || {
        let (path, _) = app.session(&id)?;
        let missing = || Problem::new(StatusCode::NOT_FOUND, "the session has no such source");
        let research: Research = content(&path, "research.json").ok_or_else(missing)?;
        let mut sources = research.sources.into_iter();
        let own = sources.find(|own| own.id == source).ok_or_else(missing)?;
        let stored = required_text(&path, &source).map_err(|_| missing())?;
        let (start, end) = (range.start.unwrap_or(0), range.end.unwrap_or(stored.len()));
        let text = stored.get(start..end).ok_or_else(|| {
            let bytes = stored.len();
            let detail = format!("{start}..{end} is no range of whole characters in {bytes} bytes");
            Problem::of_field("start", detail)
        })?;
        Ok(Json(SourcePassage {
            text: text.to_owned(),
            bytes: stored.len(),
            start,
            end,
            source,
            title: own.title,
            locator: own.locator,
            credibility: own.credibility.score,
        }))
    })
    .await
}

/// A claim, and the passages that may support it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    /// The sentence to check.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    claim: String,
    /// The passages that may support it together.
    #[schemars(length(max = 100))]
    passages: Vec<String>,
}

/// The verdict on a claim.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Verdict {
    /// `supported`, `partial`, `unsupported` …
    verdict: &'static str,
    /// The score, 0 to 1.
    score: f64,
    /// The reasons.
    reasons: Vec<String>,
    /// The words of the claim that no passage says.
    unsupported: Vec<String>,
}

/// `POST /v1/check`.
pub(super) async fn check(
    // Whoever has no token checks nothing.
    _: Tenant,
    JsonBody(claim): JsonBody<Claim>,
) -> Result<Json<Verdict>, Problem> {
    blocking(move || verdict(&claim).map(Json)).await
}

/// The verdict on a claim by the rules.
///
/// # Errors
/// When there is no claim, or too many passages.
pub(super) fn verdict(claim: &Claim) -> Result<Verdict, Problem> {
    let Claim { claim, passages } = claim;
    if claim.trim().is_empty() {
        return Err(Problem::of_field("claim", "the claim is empty"));
    }
    if passages.len() > MAX_CHECKED {
        let detail = format!("a claim is checked against at most {MAX_CHECKED} passages");
        return Err(Problem::of_field("passages", detail));
    }
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    let support = cite::support_by(claim, &passages);
    let unsupported = support.unsupported.iter();
    let unsupported = unsupported.filter_map(|range| claim.get(range.clone()));
    Ok(Verdict {
        verdict: support.verdict.name(),
        score: (support.score * 1000.0).round() / 1000.0,
        unsupported: unsupported.map(str::to_owned).collect(),
        reasons: support.reasons,
    })
}
