//! The second look for sentences that no passage of a session shows: each is searched for once
//! more in all documents of the session, and on the web if the session has it.

use std::sync::Arc;

use anyhow::Result;

use super::corpus::Corpus;
use super::earlier;
use super::evidence::{source_of, write_source};
use super::web::{WebJournal, identities, new_hits};
use crate::artifact::source::{Passage, Source};
use crate::artifact::verification::Verdict;
use crate::artifact::{Research, Session};
use crate::cite;
use crate::pipeline::{Digest, InputRequired, Interrupted};
use crate::search::Library;
use crate::stage::stage_run::StageRun;
use crate::text;

/// The maximum number of sentences that are searched for (that of the public design that the
/// citation checks follow).
const SEARCHES: usize = 2;

/// The maximum number of passages of the documents that are compared with a sentence (chosen by
/// hand).
const HITS: usize = 10;

/// The maximum number of sentences in a row that show a sentence together.
const WINDOW: usize = 2;

/// The passages that show sentences which those of the research do not, with their new sources.
#[derive(Debug, Default)]
pub(crate) struct FurtherEvidence {
    /// The sources, each in the session with its text; without those of the research.
    pub(crate) sources: Vec<Source>,
    /// The passages.
    pub(crate) passages: Vec<Passage>,
}

/// Searches for the first of some sentences. What cannot be read or asked is no reason to fail: the
/// sentences are then left out of the report, as without this.
///
/// # Errors
/// When the run is interrupted, or the session cannot be written.
pub(crate) async fn search_again(
    run: StageRun<'_>,
    session: &Session,
    research: &Research,
    sentences: &[String],
) -> Result<FurtherEvidence> {
    let sentences = &sentences[..sentences.len().min(SEARCHES)];
    let mut further = FurtherEvidence::default();
    if sentences.is_empty() {
        return Ok(further);
    }
    let (corpus, library) = match open(run, session, research, sentences).await {
        Err(error) if error.is::<Interrupted>() || error.is::<InputRequired>() => {
            return Err(error);
        }
        Err(error) => {
            tracing::warn!("nothing was searched for again: {error:#}");
            return Ok(further);
        }
        Ok(open) => open,
    };
    for sentence in sentences {
        let Some((document, passage)) = best(&library, sentence) else {
            continue;
        };
        let source = source(run, &corpus, &library, document, research, &mut further)?;
        let number = further.passages.len() + 1;
        let mut known = research.sources.iter().chain(&further.sources);
        let page = known
            .find(|known| known.id == source)
            .and_then(|known| known.pages.page(passage.start));
        let id = format!("W{}-{number}", run.workspace.round());
        further.passages.push(Passage {
            id,
            source,
            page,
            ..passage
        });
    }
    Ok(further)
}

/// Opens all documents of a session: its own, the pages that it has read, and those that a search
/// for the sentences finds now.
async fn open<'a>(
    run: StageRun<'a>,
    session: &Session,
    research: &Research,
    sentences: &[String],
) -> Result<(Corpus<'a>, Arc<Library>)> {
    let documents = earlier::documents(run, false);
    let mut corpus = Corpus::new(run, &research.topic, &research.classification, documents);
    let read = earlier::recorded(run.workspace.root());
    corpus.add_pages(String::new(), &read);
    if run.context.web_client.is_some() && !session.search.is_empty() {
        let journal = WebJournal::new(run, session.clone());
        let searched = journal.search(&journal.services()?, sentences).await?;
        let settings = &run.context.settings.agents.researcher;
        let rankings: Vec<_> = searched.into_iter().map(|search| search.hits).collect();
        let mut hits = new_hits(session, &rankings, &identities(&read));
        hits.truncate(settings.max_urls_to_crawl);
        corpus.add_pages(String::new(), &journal.read(&hits).await?);
    }
    let library = corpus.library()?;
    Ok((corpus, library))
}

/// The passage that shows a sentence best, with its document; `None` if none does. Its source is
/// left open.
fn best(library: &Library, sentence: &str) -> Option<(usize, Passage)> {
    let hits = library.search(sentence, HITS).ok()?;
    let mut best: Option<(f64, usize, Passage)> = None;
    for hit in hits {
        let content = library.content(hit.document).ok()?;
        let sentences = text::sentences(&content.text, hit.start..hit.end);
        let windows = (1..=WINDOW).flat_map(|length| sentences.windows(length));
        for window in windows {
            let (Some(first), Some(last)) = (window.first(), window.last()) else {
                continue;
            };
            let quote = &content.text[first.start..last.end];
            let title = library.documents[hit.document].title.as_str();
            let columns = text::tables::columns_of_row(&content.text, first.start..last.end);
            let printed = cite::as_sentence(quote, &columns);
            let support = cite::support(sentence, &cite::evidence([(title, printed)]));
            let is_better = best
                .as_ref()
                .is_none_or(|(score, ..)| support.score > *score);
            if support.verdict == Verdict::Supported && is_better {
                let passage = Passage {
                    id: String::new(),
                    source: String::new(),
                    start: first.start,
                    end: last.end,
                    line: Some(text::line_number(&content.text, first.start)),
                    page: None,
                    quote: quote.to_owned(),
                    columns,
                    headings: Vec::new(),
                    relevance: hit.score,
                };
                best = Some((support.score, hit.document, passage));
            }
        }
    }
    best.map(|(_, document, passage)| (document, passage))
}

/// Returns the id of the source of a document, which is written if the session does not have it.
fn source(
    run: StageRun<'_>,
    corpus: &Corpus<'_>,
    library: &Library,
    document: usize,
    research: &Research,
    further: &mut FurtherEvidence,
) -> Result<String> {
    let content = library.content(document)?;
    let (document, text) = (&library.documents[document], &content.text);
    let sha256 = Digest::of(text);
    let mut known = research.sources.iter().chain(&further.sources);
    if let Some(source) = known.find(|source| source.sha256 == sha256) {
        return Ok(source.id.clone());
    }
    // Of the round: a later round gives its own numbers, and keeps the files of this one.
    let id = format!("W{}-{}", run.workspace.round(), further.sources.len() + 1);
    let source = source_of(run, corpus, document, (id, text));
    write_source(run, &source, text)?;
    let id = source.id.clone();
    further.sources.push(source);
    Ok(id)
}
