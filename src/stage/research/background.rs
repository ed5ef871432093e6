//! The first look before the plan: the background agent's searches over documents and web, of which
//! only titles, dates and excerpts are recorded.

use std::path::PathBuf;

use anyhow::Result;

use super::classification::{CLASSIFICATION, Topic};
use super::corpus::Corpus;
use super::tools::DOCUMENTS;
use super::web::WebJournal;
use crate::agent::{Agent as _, Background, BackgroundInput};
use crate::artifact;
use crate::artifact::background::BackgroundResult;
use crate::stage::stage_run::StageRun;
use crate::text::{one_line, truncate_with_ellipsis};

/// The maximum number of results of a query from the documents, and from each service (chosen by
/// hand: three queries of three results are nine lines of a prompt).
const RESULTS: usize = 3;

/// The maximum length of an excerpt, in characters (chosen by hand: a sentence or two).
const SNIPPET: usize = 160;

/// Looks around before the plan of a topic; `None` if no model would see what that shows.
pub(super) async fn look_around(
    run: StageRun<'_>,
    topic: &Topic,
    corpus: &Corpus<'_>,
    journal: &WebJournal<'_>,
) -> Result<Option<artifact::Background>> {
    let settings = &run.context.settings.agents.background;
    let is_wanted = settings.enable && run.context.backend.has_model(Background::NAME);
    if !is_wanted || topic.classification.is_simple_query {
        return Ok(None);
    }
    let input = BackgroundInput {
        topic: topic.text.clone(),
        classification: topic.classification.clone(),
        max_queries: settings.max_queries,
    };
    let make = async || {
        let queries = run.ask::<Background>(&input).await?;
        let mut results = search_documents(run, corpus.roots(), &queries)?;
        results.extend(search_web(journal, &queries).await?);
        Ok(artifact::Background { queries, results })
    };
    let inputs = [CLASSIFICATION.to_owned()];
    let file = artifact::Background::FILE;
    run.checkpoint(file, &inputs, make).await.map(Some)
}

fn search_documents(
    run: StageRun<'_>,
    roots: &[PathBuf],
    queries: &[String],
) -> Result<Vec<BackgroundResult>> {
    let context = run.context;
    if roots.is_empty() {
        return Ok(Vec::new());
    }
    let cache = context.settings.cache_dir();
    let open = context
        .libraries
        .open(run.until(), roots, &context.reader, cache.as_deref())?;
    let library = open.library;
    let mut results = Vec::new();
    for query in queries {
        for hit in library.results(query, RESULTS)? {
            let document = &library.documents[hit.document];
            let content = library.content(hit.document)?;
            let text = content.text.get(hit.start..hit.end).unwrap_or_default();
            let result = BackgroundResult {
                origin: DOCUMENTS.to_owned(),
                title: one_line(&document.title),
                date: document.date.clone(),
                snippet: Some(truncate_with_ellipsis(&one_line(text), SNIPPET).into_owned()),
            };
            if !results.contains(&result) {
                results.push(result);
            }
        }
    }
    Ok(results)
}

/// Searches the web. A service that fails shows nothing: the plan's own search reports it.
async fn search_web(journal: &WebJournal<'_>, queries: &[String]) -> Result<Vec<BackgroundResult>> {
    let searches = journal.search(&journal.services()?, queries).await?;
    let mut results: Vec<BackgroundResult> = Vec::new();
    for search in searches {
        for hit in search.hits.into_iter().take(RESULTS) {
            let shortened =
                |text: &str| truncate_with_ellipsis(&one_line(text), SNIPPET).into_owned();
            let result = BackgroundResult {
                origin: search.service.clone(),
                title: shortened(&hit.title),
                date: hit.date,
                snippet: hit.snippet.as_deref().map(shortened),
            };
            if !result.title.is_empty() && !results.contains(&result) {
                results.push(result);
            }
        }
    }
    Ok(results)
}
