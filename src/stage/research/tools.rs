//! The tools of a researcher: search, read and open, over the documents and the web alike.
//!
//! A model sees titles, excerpts and passages with numbers; which document or address is meant by a
//! number stands here. A long text is condensed to the passages that answer the step, so that a
//! prompt stays within the context window.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;

use super::corpus::Corpus;
use super::credibility::{SourceFacts, credibility};
use super::retrieval::{Retrieval, SearchResults, Subject};
use super::web::{self, RecordedSearch, WebJournal};
use crate::agent::{
    Candidate, Observation, Selected, ShownHit, ShownPassage, Transcript, TurnsLeft, quotable,
};
use crate::artifact::collected::{Collected, PageRecord};
use crate::artifact::plan::{Facet, PlanStep};
use crate::artifact::step::SearchRecord;
use crate::extension::{Arguments, SubAgent};
use crate::search::SearchableDocument;
use crate::stage::libraries::Open;
use crate::text::{self, counted, one_line};
use crate::web::{WebHit, is_thread, page_identity};

/// The name by which the documents are searched.
pub(super) const DOCUMENTS: &str = "documents";

/// The maximum number of passages that the planned searches show (chosen by hand: about 1,300
/// tokens).
const PLANNED_PASSAGES: usize = 24;

/// The same for a researcher that is only asked for its findings (chosen by hand: three times as
/// many as a step contributes at depth quick).
const CLASSIC_PASSAGES: usize = 12;

/// The maximum number of passages that a search shows.
const SEARCH_PASSAGES: usize = 8;

/// The maximum number of passages that reading a document shows, or reading on in it.
const READ_PASSAGES: usize = 6;

/// The maximum number of passages of one document that a search shows: a single document must not
/// fill the prompt.
const OF_DOCUMENT: usize = 5;

/// The maximum number of new hits that a search shows.
const HITS: usize = 8;

/// The turns in a row that may bring nothing new: searches, and readings of what was read already.
const BARREN_TURNS: usize = 2;

/// The number of good sources after which a step looks no further, and the least credibility of
/// one: that of a page of which nothing is known (both chosen by hand).
const GOOD_SOURCES: usize = 3;
const GOOD_CREDIBILITY: f64 = 0.5;

/// What stands behind the number of a hit.
enum Target {
    /// A document of the library.
    Document(usize),
    /// A page of the web.
    Page(WebHit),
}

/// A retrieval, and the library that it is of.
pub(super) struct Material {
    pub(super) open: Open,
    pub(super) retrieval: Arc<Retrieval>,
    /// Its sentences as candidates.
    candidates: Vec<Candidate>,
}

impl Material {
    pub(super) fn new(open: Open, retrieval: Arc<Retrieval>) -> Self {
        let sentences = retrieval.sentences.iter();
        Self {
            candidates: sentences.map(|own| own.candidate.clone()).collect(),
            open,
            retrieval,
        }
    }

    /// The document of a sentence.
    fn document(&self, sentence: usize) -> &SearchableDocument {
        let candidate = &self.retrieval.sentences[sentence].candidate;
        let document = self.retrieval.documents[candidate.document].index;
        &self.open.library.documents[document]
    }
}

/// The tools of a step, with what they have shown so far.
pub(super) struct Tools<'t, 'a> {
    journal: &'t WebJournal<'a>,
    /// The step's own view of the corpus: what other steps read at the same time is not in it, so
    /// that the result does not depend on which is faster.
    corpus: Corpus<'a>,
    step: PlanStep,
    materials: Vec<Material>,
    transcript: Transcript,
    targets: Vec<Target>,
    /// The passages that were shown, by document, start and end.
    shown: BTreeSet<(String, usize, usize)>,
    /// The documents and pages that were listed or read, by path or identity.
    listed: BTreeSet<String>,
    /// The step's own searches, and the pages that it read.
    searches: Vec<SearchRecord>,
    collected: Collected,
    /// The hits that were read.
    read: BTreeSet<usize>,
    barren: usize,
    /// The sources that the planned searches showed, by path or address.
    planned: BTreeSet<String>,
    /// The good sources that its own turns showed besides.
    good: BTreeSet<String>,
}

impl<'t, 'a> Tools<'t, 'a> {
    /// The tools of a step, with the retrieval of the step itself.
    pub(super) fn new(
        journal: &'t WebJournal<'a>,
        mut corpus: Corpus<'a>,
        step: &PlanStep,
        agent: Option<&SubAgent>,
        retrieval: Arc<Retrieval>,
    ) -> Result<Self> {
        let searches = |name: &str| agent.is_none_or(|agent| agent.searches(name));
        let services = journal.services()?.into_iter();
        let open = corpus.open()?;
        let mut names = Vec::new();
        if !open.library.documents.is_empty() && searches(DOCUMENTS) {
            names.push(DOCUMENTS.to_owned());
        }
        names.extend(services.filter(|name| searches(name)));
        Ok(Self {
            listed: web::identities(corpus.pages()),
            journal,
            corpus,
            step: step.clone(),
            materials: vec![Material::new(open, retrieval)],
            transcript: Transcript {
                services: names,
                ..Transcript::default()
            },
            targets: Vec::new(),
            shown: BTreeSet::new(),
            searches: Vec::new(),
            collected: Collected::default(),
            read: BTreeSet::new(),
            barren: 0,
            planned: BTreeSet::new(),
            good: BTreeSet::new(),
        })
    }

    /// The transcript so far.
    pub(super) fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The retrievals that quotations are of, by number.
    pub(super) fn into_parts(self) -> (Vec<Material>, Vec<SearchRecord>, Collected) {
        (self.materials, self.searches, self.collected)
    }

    /// Shows what the planned searches found: passages of the documents and pages, and the hits
    /// that were not read.
    pub(super) fn show_planned(&mut self, left: TurnsLeft) -> Result<()> {
        let limit = match left.finish_because {
            Some(_) => CLASSIC_PASSAGES,
            None => PLANNED_PASSAGES,
        };
        let queries = self.step.queries.clone();
        let mut materials = BTreeSet::from([0]);
        // The step on the topic itself is shown what answers it, whatever words were planned.
        let topic = &self.journal.session().topic;
        let topic_query = (self.step.facet == Facet::Overview).then_some(topic);
        for query in topic_query.into_iter().chain(&queries) {
            materials.insert(self.retrieve(query)?);
        }
        let ranked = materials
            .into_iter()
            .map(|material| self.runs(material, limit));
        let ranked = interleaved(&ranked.collect::<Vec<_>>());
        let passages = self.show_passages(&ranked, limit)?;
        self.planned = self.documents_shown();
        let mut recorded = Vec::new();
        for service in self.services() {
            for query in &queries {
                recorded.extend(self.journal.recorded_search(service, query)?);
            }
        }
        let hits = self.list_pages(&recorded);
        let outcome = format!(
            "The planned searches ({}) have been made.",
            queries.join("; ")
        );
        self.observe(outcome, hits, passages, left);
        Ok(())
    }

    /// Searches the documents and the services of the web, or one of them; returns the outcome in
    /// words.
    pub(super) async fn search(&mut self, query: &str, service: Option<&str>) -> Result<Shown> {
        let (hits, passages) = (self.targets.len(), self.transcript.passages.len());
        if service.is_none_or(|name| name == DOCUMENTS) && self.has_documents() {
            self.search_documents(query)?;
        }
        let services: Vec<String> = self
            .services()
            .filter(|own| service.is_none_or(|name| name == *own))
            .cloned()
            .collect();
        if !services.is_empty() {
            let queries = [query.to_owned()];
            let searched = self.journal.search(&services, &queries).await?;
            self.collected
                .searches
                .extend(searched.iter().map(web::record));
            self.list_pages(&searched);
        }
        let shown = Shown {
            hits: hits..self.targets.len(),
            ..self.shown_since(passages)
        };
        self.count_barren(&shown, true);
        Ok(shown)
    }

    /// Counts a turn that showed nothing, if it `counts`; one that showed anything begins anew.
    fn count_barren(&mut self, shown: &Shown, counts: bool) {
        if !shown.is_empty() {
            self.barren = 0;
        } else if counts {
            self.barren += 1;
        }
    }

    /// The services of the web that are searched, by name.
    fn services(&self) -> impl Iterator<Item = &String> {
        let names = self.transcript.services.iter();
        names.filter(|name| *name != DOCUMENTS)
    }

    fn has_documents(&self) -> bool {
        self.transcript
            .services
            .iter()
            .any(|name| name == DOCUMENTS)
    }

    fn search_documents(&mut self, query: &str) -> Result<()> {
        let library = self.corpus.library()?;
        let material = self.retrieve(query)?;
        let runs = self.runs(material, SEARCH_PASSAGES * 2);
        self.show_passages(&runs, SEARCH_PASSAGES)?;
        let results = SearchResults::of(&library, &[query.to_owned()])?;
        self.searches.extend(results.records);
        let retrieval = self.materials[material].retrieval.clone();
        let quoted = self.documents_shown();
        for document in &retrieval.documents {
            let record = &library.documents[document.index];
            if self.new_hits_of(DOCUMENTS) >= HITS || quoted.contains(&record.locator) {
                continue;
            }
            if self.listed.insert(record.locator.clone()) {
                self.targets.push(Target::Document(document.index));
                self.transcript.hits.push(ShownHit {
                    title: record.title.clone(),
                    date: record.date.clone(),
                    snippet: None,
                    service: DOCUMENTS.to_owned(),
                });
            }
        }
        Ok(())
    }

    /// The number of hits of a service since the last observation.
    fn new_hits_of(&self, service: &str) -> usize {
        let observations = self.transcript.observations.last();
        let first = observations.map_or(0, |last| last.hits.end);
        self.transcript.hits[first..]
            .iter()
            .filter(|hit| hit.service == service)
            .count()
    }

    /// The locators of the documents of which passages were shown.
    fn documents_shown(&self) -> BTreeSet<String> {
        self.shown
            .iter()
            .map(|(document, ..)| document.clone())
            .collect()
    }

    /// Lists the new hits of searches of the web.
    fn list_pages(&mut self, searched: &[RecordedSearch]) -> std::ops::Range<usize> {
        let first = self.targets.len();
        let rankings: Vec<Vec<WebHit>> =
            searched.iter().map(|search| search.hits.clone()).collect();
        let service_of = |hit: &WebHit| {
            let listed =
                |search: &&RecordedSearch| search.hits.iter().any(|own| own.url == hit.url);
            let search = searched.iter().find(listed);
            search.map_or_else(String::new, |search| search.service.clone())
        };
        let reads_threads = self.corpus.reads_threads();
        for hit in web::new_hits(self.journal.session(), &rankings, &self.listed)
            .into_iter()
            .filter(|hit| reads_threads || !is_thread(&hit.url))
            .take(HITS)
        {
            self.listed.insert(page_identity(&hit.url));
            self.transcript.hits.push(ShownHit {
                title: one_line(&hit.title),
                date: hit.date.clone(),
                snippet: hit.snippet.as_deref().map(one_line),
                service: service_of(&hit),
            });
            self.targets.push(Target::Page(hit));
        }
        first..self.targets.len()
    }

    /// Reads hits, and shows the passages of each that answer the step.
    pub(super) async fn read(&mut self, hits: &[usize]) -> Result<Shown> {
        let passages = self.transcript.passages.len();
        // A page that is gone is no reason to stop; small models read the same hits for ever.
        let is_repeated = hits.iter().all(|hit| self.read.contains(hit));
        self.read.extend(hits);
        let pages: Vec<WebHit> = hits
            .iter()
            .filter_map(|hit| match self.targets.get(*hit) {
                Some(Target::Page(page)) => Some(page.clone()),
                _ => None,
            })
            .collect();
        let read = self.journal.read(&pages).await?;
        for page in self.new_pages(read) {
            if page.file.is_some() && self.corpus.holds(&page) {
                let open = self.corpus.open_page(&page)?;
                self.show_document(&open, 0)?;
            }
            self.collected.pages.push(page);
        }
        for hit in hits {
            if let Some(Target::Document(document)) = self.targets.get(*hit) {
                let (open, document) = (self.corpus.open()?, *document);
                self.show_document(&open, document)?;
            }
        }
        let shown = self.shown_since(passages);
        self.count_barren(&shown, is_repeated);
        Ok(shown)
    }

    /// Runs a tool of the user's, and shows what it said from its beginning.
    pub(super) async fn run(&mut self, name: &str, arguments: &Arguments) -> Result<Shown> {
        let passages = self.transcript.passages.len();
        let page = self.journal.run_tool(name, arguments).await?;
        let problem = page.problem.clone();
        for page in self.new_pages(vec![page]) {
            if page.file.is_some() {
                let open = self.corpus.open_page(&page)?;
                let material = self.read_document(&open, 0)?;
                let sentences = self.materials[material].candidates.len();
                // A bare fact is all that a tool may say: quoted whether or not it is a sentence.
                let runs = (0..sentences.min(READ_PASSAGES)).map(|index| Selected {
                    retrieval: material,
                    first: index,
                    last: index,
                    skip: 0,
                    relevance: 0.0,
                });
                self.show_passages(&Vec::from_iter(runs), READ_PASSAGES)?;
            }
            self.collected.pages.push(page);
        }
        Ok(Shown {
            problem,
            ..self.shown_since(passages)
        })
    }

    /// The title of a hit.
    pub(super) fn title(&self, hit: usize) -> &str {
        let hit = self.transcript.hits.get(hit);
        hit.map_or("", |hit| hit.title.as_str())
    }

    /// The title of the document of a passage.
    pub(super) fn title_of_passage(&self, passage: usize) -> &str {
        let passage = self.transcript.passages.get(passage);
        let title = passage.and_then(|passage| passage.headings.first());
        title.map_or("", String::as_str)
    }

    /// The pages that neither the corpus nor this step has.
    fn new_pages(&self, read: Vec<PageRecord>) -> Vec<PageRecord> {
        let mut known = self.corpus.pages().to_vec();
        known.extend(self.collected.pages.iter().cloned());
        web::distinct(read, &known)
    }

    /// The path or address of a hit.
    pub(super) fn locator(&self, hit: usize) -> String {
        match self.targets.get(hit) {
            Some(Target::Page(page)) => page.url.clone(),
            Some(Target::Document(document)) => self.materials[0].open.library.documents[*document]
                .locator
                .clone(),
            None => String::new(),
        }
    }

    /// The path or address of the document of a passage.
    pub(super) fn locator_of_passage(&self, passage: usize) -> String {
        let Some(passage) = self.transcript.passages.get(passage) else {
            return String::new();
        };
        let material = &self.materials[passage.quotation.retrieval];
        self.locator_in(material, passage.quotation.first)
    }

    fn locator_in(&self, material: &Material, sentence: usize) -> String {
        let document = material.document(sentence);
        let page = self.page_of(document);
        page.map_or_else(|| document.locator.clone(), |page| page.url.clone())
    }

    /// The record of a document that is a web page, of the corpus or of this step.
    fn page_of(&self, document: &SearchableDocument) -> Option<&PageRecord> {
        self.corpus.page_of(document).or_else(|| {
            let mut own = self.collected.pages.iter();
            own.find(|page| self.corpus.is_page(page, document))
        })
    }

    /// Reads on after a passage in its document.
    pub(super) fn open(&mut self, passage: usize) -> Result<Shown> {
        let first = self.transcript.passages.len();
        if let Some(passage) = self.transcript.passages.get(passage) {
            let quotation = passage.quotation.clone();
            let candidates = &self.materials[quotation.retrieval].candidates;
            let document = candidates[quotation.last].document;
            let mut next = quotation.last + 1;
            let mut runs = Vec::new();
            while runs.len() < READ_PASSAGES
                && candidates
                    .get(next)
                    .is_some_and(|candidate| candidate.document == document)
            {
                let run = quotable(candidates, next);
                next = run.as_ref().map_or(next, |run| run.last) + 1;
                runs.extend(run.map(|run| Selected {
                    retrieval: quotation.retrieval,
                    ..run
                }));
            }
            self.show_passages(&runs, READ_PASSAGES)?;
        }
        Ok(self.shown_since(first))
    }

    /// Records what a turn showed, and the answer that led to it.
    pub(super) fn record(
        &mut self,
        answer: String,
        outcome: String,
        shown: Shown,
        left: TurnsLeft,
    ) {
        self.transcript.answers.push(answer);
        let Shown { hits, passages, .. } = shown;
        self.observe(outcome, hits, passages, left);
    }

    fn observe(
        &mut self,
        outcome: String,
        hits: std::ops::Range<usize>,
        passages: std::ops::Range<usize>,
        left: TurnsLeft,
    ) {
        self.transcript.left = left.clone();
        self.transcript.observations.push(Observation {
            outcome,
            hits,
            passages,
            left,
        });
    }

    /// What a turn showed that only thought.
    pub(super) fn nothing(&self) -> Shown {
        self.shown_since(self.transcript.passages.len())
    }

    /// What a turn showed that lists no hits: the passages from this index on.
    fn shown_since(&self, passages: usize) -> Shown {
        let hits = self.targets.len();
        Shown {
            hits: hits..hits,
            passages: passages..self.transcript.passages.len(),
            problem: None,
        }
    }

    /// The reason to look no further, if there is one.
    pub(super) fn stop_reason(&self) -> Option<&'static str> {
        if self.barren >= BARREN_TURNS {
            Some("the last turns brought nothing new")
        } else if self.good.len() >= GOOD_SOURCES {
            Some("three good sources speak of the step")
        } else {
            None
        }
    }

    /// Counts the good sources among those that a turn showed: no worse than a page of which
    /// nothing is known, and a passage of theirs has half of the step's words. Sources of the
    /// planned searches do not count, since a turn is taken for what they miss.
    pub(super) fn count_good_sources(&mut self, shown: &Shown) {
        let first = self.step.queries.first();
        let terms = text::terms(first.unwrap_or(&self.step.title));
        let settings = &self.journal.settings().credibility;
        let mut good = Vec::new();
        for passage in &self.transcript.passages[shown.passages.clone()] {
            let material = &self.materials[passage.quotation.retrieval];
            let document = material.document(passage.quotation.first);
            let page = self.page_of(document);
            let credibility = credibility(&SourceFacts::of(document, page), settings);
            let words = text::terms(&format!("{} {}", passage.headings.join(" "), passage.text));
            let met = terms.iter().filter(|term| words.contains(term)).count();
            let is_thread = page.is_some_and(|page| page.is_thread);
            if !is_thread && credibility.score >= GOOD_CREDIBILITY && 2 * met >= terms.len() {
                good.push(self.locator_in(material, passage.quotation.first));
            }
        }
        good.retain(|locator| !self.planned.contains(locator));
        self.good.extend(good);
    }

    /// Retrieves what there is on a query; returns the number of the material.
    fn retrieve(&mut self, query: &str) -> Result<usize> {
        let open = self.corpus.open()?;
        let subject = Subject::of_query(&open.library, query);
        let retrieval = self.corpus.retrieve(&subject)?;
        let is_same = |own: &Material| Arc::ptr_eq(&own.retrieval, &retrieval);
        if let Some(known) = self.materials.iter().position(is_same) {
            return Ok(known);
        }
        self.materials.push(Material::new(open, retrieval));
        Ok(self.materials.len() - 1)
    }

    /// Shows the passages of a document that answer the step.
    fn show_document(&mut self, open: &Open, document: usize) -> Result<()> {
        let material = self.read_document(open, document)?;
        let runs = self.runs(material, READ_PASSAGES);
        self.show_passages(&runs, READ_PASSAGES)?;
        Ok(())
    }

    /// Retrieves the sentences of a document; returns the number of the material.
    fn read_document(&mut self, open: &Open, document: usize) -> Result<usize> {
        let words = format!("{} {}", self.step.title, self.step.queries.join(" "));
        let subject = Subject::of_query(&open.library, &words);
        let retrieval = Arc::new(Retrieval::of_document(open, &subject, document)?);
        self.materials.push(Material::new(open.clone(), retrieval));
        Ok(self.materials.len() - 1)
    }

    /// The quotations of a material that answer best, of each document at most so many.
    fn runs(&self, material: usize, limit: usize) -> Vec<Selected> {
        let Material {
            retrieval,
            candidates,
            ..
        } = &self.materials[material];
        let mut of_document = vec![0; retrieval.documents.len()];
        let mut runs: Vec<Selected> = Vec::new();
        for (index, _) in &retrieval.answers.ranked {
            if runs.len() >= limit {
                break;
            }
            let Some(run) = quotable(candidates, *index) else {
                continue;
            };
            let document = candidates[*index].document;
            let overlaps = |other: &Selected| run.first <= other.last && other.first <= run.last;
            if of_document[document] >= OF_DOCUMENT || runs.iter().any(overlaps) {
                continue;
            }
            of_document[document] += 1;
            runs.push(Selected {
                retrieval: material,
                ..run
            });
        }
        runs
    }

    /// Shows passages that were not shown before.
    fn show_passages(&mut self, runs: &[Selected], limit: usize) -> Result<std::ops::Range<usize>> {
        let start = self.transcript.passages.len();
        for run in runs {
            if self.transcript.passages.len() - start >= limit {
                break;
            }
            let material = &self.materials[run.retrieval];
            let sentences = &material.retrieval.sentences;
            let (first, last) = (&sentences[run.first], &sentences[run.last]);
            let range = first.range.start + run.skip..last.range.end;
            let key = (self.locator_in(material, run.first), range.start, range.end);
            let is_inside = |(document, start, end): &(String, usize, usize)| {
                *document == key.0 && *start <= key.1 && key.2 <= *end
            };
            if self.shown.iter().any(is_inside) {
                continue;
            }
            let document = material.retrieval.documents[first.candidate.document].index;
            let library = &material.open.library;
            let content = library.content(document)?;
            let Some(words) = content.text.get(range) else {
                continue;
            };
            let title = library.documents[document].title.clone();
            // A document's first heading is often its title.
            let headings = first.candidate.headings.iter();
            let headings = headings.filter(|heading| **heading != title).cloned();
            self.transcript.passages.push(ShownPassage {
                headings: std::iter::once(title.clone()).chain(headings).collect(),
                text: text::one_line(words),
                quotation: run.clone(),
            });
            self.shown.insert(key);
        }
        Ok(start..self.transcript.passages.len())
    }
}

/// The hits and passages that a turn showed, by index.
pub(super) struct Shown {
    pub(super) hits: std::ops::Range<usize>,
    pub(super) passages: std::ops::Range<usize>,
    /// The reason why there are none, if something failed.
    problem: Option<String>,
}

impl Shown {
    fn is_empty(&self) -> bool {
        self.hits.is_empty() && self.passages.is_empty()
    }

    /// What was shown, in words.
    pub(super) fn outcome(&self) -> String {
        if let Some(problem) = &self.problem {
            return format!("{problem}.");
        }
        let (hits, passages) = (self.hits.len(), self.passages.len());
        match (hits, passages) {
            (0, 0) => "Nothing new was found.".to_owned(),
            (0, _) => format!("{} found.", counted_new(passages, "passage")),
            (_, 0) => format!("{} found.", counted_new(hits, "hit")),
            _ => format!(
                "{} and {} found.",
                counted(hits, "new hit"),
                counted_new(passages, "passage")
            ),
        }
    }
}

/// "1 new passage was", "2 new passages were".
fn counted_new(number: usize, thing: &str) -> String {
    let verb = if number == 1 { "was" } else { "were" };
    format!("{} {verb}", counted(number, &format!("new {thing}")))
}

/// The first of each ranking, then the second of each, and so on.
fn interleaved(rankings: &[Vec<Selected>]) -> Vec<Selected> {
    let longest = rankings.iter().map(Vec::len).max().unwrap_or_default();
    (0..longest)
        .flat_map(|rank| rankings.iter().filter_map(move |ranking| ranking.get(rank)))
        .cloned()
        .collect()
}
