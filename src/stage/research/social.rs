//! Social research: threads of the social services, and what people think by the posts in them.
//!
//! It belongs to research, since only this stage reads pages; what it finds stays apart from the
//! passages, in a field of its own, so that no later stage takes an opinion for a fact. Threads
//! are sources of their own kind, numbered `T1`, `T2`, ….

use anyhow::Result;

use super::classification::Topic;
use super::corpus::Corpus;
use super::credibility::{SourceFacts, Thread, credibility};
use super::evidence::write_source;
use super::web::{self, PAGES, WebJournal};
use crate::agent::{self, Agent as _, SocialInput};
use crate::artifact::collected::{Collected, PageRecord};
use crate::artifact::plan::PlanStep;
use crate::artifact::social::{Post, Stance};
use crate::artifact::source::{DocumentStatus, PageStarts, Publication, Source};
use crate::artifact::{Classification, Social};
use crate::model::BudgetExhausted;
use crate::pipeline::Digest;
use crate::read::thread::{self, ParsedPost};
use crate::stage::stage_run::StageRun;
use crate::text::{self, counted};
use crate::web::{WebHit, detect_prompt_injection, is_social, is_thread};

/// The maximum number of threads that a step reads (chosen by hand: with 40 comments each, more
/// posts than a model is shown).
const THREADS: usize = 8;

/// The maximum number of posts that are counted.
const POSTS: usize = 400;

/// The maximum length of a post's words that are used, in bytes, and the least number of words.
const POST_BYTES: usize = 1200;
const POST_WORDS: usize = 2;

/// Returns the threads that the social services have for a step.
pub(super) async fn search(
    run: StageRun<'_>,
    journal: &WebJournal<'_>,
    step: &PlanStep,
    known: &[PageRecord],
) -> Result<Collected> {
    let mut services = journal.services()?;
    services.retain(|service| is_social(service));
    let searched = journal.search(&services, &step.queries).await?;
    let thread_of = |hit: &WebHit| WebHit {
        url: hit.discussion.clone().unwrap_or_else(|| hit.url.clone()),
        ..hit.clone()
    };
    let rankings: Vec<Vec<WebHit>> = searched
        .iter()
        .map(|search| search.hits.iter().map(thread_of).collect())
        .collect();
    let new = web::new_hits(journal.session(), &rankings, &web::identities(known)).into_iter();
    let threads: Vec<WebHit> = new
        .filter(|hit| is_thread(&hit.url))
        .take(THREADS)
        .collect();
    run.progress(counted(threads.len(), "thread"))?;
    Ok(Collected {
        searches: searched.iter().map(web::record).collect(),
        pages: web::distinct(journal.read(&threads).await?, known),
    })
}

/// Returns the finding of a step in a sentence.
pub(super) fn observation(collected: &Collected) -> String {
    let read = collected.pages.iter().filter(|page| page.file.is_some());
    match read.count() {
        0 => "No thread was found.".to_owned(),
        1 => "1 thread of posts was read.".to_owned(),
        count => format!("{count} threads of posts were read."),
    }
}

/// Returns what people think, by the threads that were read; `None` if there is no post on the
/// topic.
pub(super) async fn opinions(
    run: StageRun<'_>,
    topic: &Topic,
    corpus: &Corpus<'_>,
) -> Result<Option<Social>> {
    let threads: Vec<&PageRecord> = corpus
        .pages()
        .iter()
        .filter(|page| page.is_thread && page.file.is_some())
        .collect();
    if threads.is_empty() {
        return Ok(None);
    }
    if let Some(social) = run.read_checkpoint(Social::FILE)? {
        return Ok(Some(social));
    }
    let mut gathered = Gathered::default();
    for page in threads {
        gathered.add(run, &topic.classification, page)?;
    }
    if gathered.posts.is_empty() {
        return Ok(None);
    }
    run.progress(counted(gathered.posts.len(), "post"))?;
    let input = SocialInput {
        topic: topic.text.clone(),
        terms: topic.classification.terms.clone(),
        posts: gathered.posts,
    };
    let output = match run.ask::<agent::Social>(&input).await {
        Ok(output) => output,
        Err(error) => {
            let BudgetExhausted { limit, .. } = error.downcast()?;
            gathered.limits.push(format!(
                "The posts were judged by rule, since the budget of {limit} was used up."
            ));
            agent::Social::rule(&input)
        }
    };
    let social = Social {
        threads: gathered.threads,
        posts: output.posts,
        opinion: output.opinion,
        limits: gathered.limits,
    };
    run.write_checkpoint(Social::FILE, corpus.page_files(), &social)?;
    Ok(Some(social))
}

/// The threads and posts on a topic.
#[derive(Default)]
struct Gathered {
    threads: Vec<Source>,
    posts: Vec<Post>,
    limits: Vec<String>,
}

impl Gathered {
    /// Adds a thread with its posts, and writes its text, if it is on the topic.
    fn add(
        &mut self,
        run: StageRun<'_>,
        classification: &Classification,
        page: &PageRecord,
    ) -> Result<()> {
        let file = page.file.as_deref().unwrap_or_default();
        let bytes = run.workspace.read(&format!("{PAGES}/{file}"))?;
        let file = String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
        let text = web::text_of(&file);
        let sha256 = Digest::of(text);
        let is_known = self.threads.iter().any(|own| own.sha256 == sha256);
        let Some((title, posts)) = thread::posts(text).filter(|_| !is_known) else {
            return Ok(());
        };
        if !is_on_topic(classification, text) {
            return Ok(());
        }
        let id = format!("T{}", self.threads.len() + 1);
        let added = self.posts.len();
        for post in &posts {
            self.add_post(&id, text, post);
        }
        if self.posts.len() == added {
            return Ok(());
        }
        let opening = posts.first().filter(|post| post.level == 0);
        let date = opening.and_then(|post| post.date.clone());
        let facts = SourceFacts {
            url: Some(&page.url),
            has_author: opening.is_some_and(|post| post.author.is_some()),
            has_date: date.is_some(),
            thread: Thread::of(page, date.as_deref()),
            has_prompt_injection: page.prompt_injection.is_some(),
            status: None,
        };
        let source = Source {
            id,
            locator: page.url.clone(),
            title,
            author: opening.and_then(|post| post.author.clone()),
            date,
            status: DocumentStatus::default(),
            publication: Publication::default(),
            kind: page.kind.clone().unwrap_or_default(),
            bytes: text.len(),
            pages: PageStarts::default(),
            read_at: Some(page.read_at.clone()),
            prompt_injection: page.prompt_injection.clone(),
            credibility: credibility(&facts, &run.context.settings.credibility),
            sha256,
        };
        write_source(run, &source, text)?;
        self.threads.push(source);
        Ok(())
    }

    fn add_post(&mut self, thread: &str, text: &str, post: &ParsedPost) {
        let range = post.range.start..shortened(text, post);
        let quote = &text[range.clone()];
        if text::length_in_words(quote) < POST_WORDS || self.posts.len() >= POSTS {
            return;
        }
        if detect_prompt_injection(quote).is_some() {
            let limit = format!("A post in {thread} gives orders to language models: left out.");
            self.limits.push(limit);
            return;
        }
        self.posts.push(Post {
            id: format!("O{}", self.posts.len() + 1),
            source: thread.to_owned(),
            author: post.author.clone(),
            date: post.date.clone(),
            points: post.points,
            level: post.level,
            reply_to: post.reply_to.clone(),
            start: range.start,
            end: range.end,
            quote: quote.to_owned(),
            stance: Stance::Neutral,
            valence: 0.0,
        });
    }
}

/// Returns the end of a post's words, after the last sentence that is used.
fn shortened(text: &str, post: &ParsedPost) -> usize {
    let limit = post.range.start + POST_BYTES;
    if post.range.end <= limit {
        return post.range.end;
    }
    let sentences = text::sentences::sentences(text, post.range.clone());
    let used = sentences
        .iter()
        .take_while(|sentence| sentence.end <= limit);
    let end = used.last().map(|sentence| sentence.end);
    end.unwrap_or_else(|| text.floor_char_boundary(limit))
}

/// `true` for a text that speaks of at least half of the topic's terms.
fn is_on_topic(classification: &Classification, text: &str) -> bool {
    let words = text::terms(text);
    let terms = &classification.terms;
    let met = terms.iter().filter(|term| words.contains(term)).count();
    met * 2 >= terms.len()
}
