//! Reads the list of a batch and hands on what is not finished.

use std::collections::HashSet;
use std::io::BufRead;
use std::path::PathBuf;

use anyhow::{Error, Result};

use super::Overrides;
use super::batch::{Entry, Item, List, Wish, number, session_pipeline};
use super::finished::Key;
use super::record::Ending;
use super::work::{Job, Work, ending_of, entry, files_of_rounds, lock};
use crate::pipeline::{Digest, Tree};
use crate::session::{self, Question, Web};

/// Reads the list and hands on what is not finished.
pub(super) struct Feed<'a> {
    work: &'a Work<'a>,
    tree: Option<Tree>,
    seen: HashSet<u64>,
    configuration: Digest,
    /// The documents of the batch, as a session names them.
    named: Vec<String>,
    /// What was worked out for the topic before, which most often holds for the next too.
    documents: (Vec<PathBuf>, Vec<String>),
    terms: (Overrides, u64),
    /// Files of rounds that were sent back.
    rounds: Vec<String>,
}

impl<'a> Feed<'a> {
    pub(super) fn new(work: &'a Work<'a>) -> Result<Self> {
        let batch = work.batch;
        let stages = session_pipeline(batch)?.stages;
        let recipes: Vec<_> = stages.iter().map(|stage| stage.recipe()).collect();
        let configuration = Digest::of_value(&(env!("CARGO_PKG_VERSION"), recipes));
        let named = session::name_documents(&batch.settings.run.output_dir, &batch.documents)?;
        let mut feed = Self {
            work,
            tree: Tree::open(&batch.settings.run.output_dir).ok(),
            seen: HashSet::new(),
            configuration,
            named,
            documents: (Vec::new(), Vec::new()),
            terms: (batch.overrides, 0),
            rounds: Vec::new(),
        };
        feed.terms.1 = feed.configuration_of(batch.overrides);
        Ok(feed)
    }

    /// Whether the whole list was worked through.
    pub(super) fn all(mut self, list: impl BufRead, mut hand: impl FnMut(Job)) -> Result<bool> {
        let mut list = List::new(list);
        let mut place = 0;
        while !self.work.is_stopped() {
            let Some(item) = list.item()? else {
                return Ok(true);
            };
            if !self.work.batch.is_mine(&item) {
                continue;
            }
            self.work.wait_for_turn(place);
            match self.look(place, item) {
                Ok(job) => hand(job),
                Err(entry) => self.work.put(place, None, *entry),
            }
            place += 1;
        }
        Ok(false)
    }

    /// What is to be done for an item; an entry if that is nothing.
    fn look(&mut self, place: u64, item: Item) -> Result<Job, Box<Entry>> {
        let failed = |topic: String, error: &Error| {
            Box::new(Entry {
                reason: Some(format!("{error:#}")),
                ..entry(item.line, topic, Ending::Failed)
            })
        };
        let wish = match item.wish {
            Ok(wish) => wish,
            Err(error) => return Err(failed(item.text, &error)),
        };
        let named = match wish.docs.as_ref() {
            Some(documents) => self.name(documents),
            None => Ok(()),
        };
        if let Err(error) = named {
            return Err(failed(wish.topic, &error));
        }
        let job = self.job(place, item.line, wish);
        if !self.seen.insert(job.key.short()) {
            let topic = job.question.topic;
            return Err(Box::new(entry(item.line, topic, Ending::Duplicate)));
        }
        self.recognise(job)
    }

    /// Works out how a session names these documents.
    fn name(&mut self, documents: &[PathBuf]) -> Result<()> {
        if self.documents.0 != documents {
            let output_dir = &self.work.batch.settings.run.output_dir;
            let named = session::name_documents(output_dir, documents)?;
            self.documents = (documents.to_vec(), named);
        }
        Ok(())
    }

    fn job(&mut self, place: u64, line: u64, wish: Wish) -> Job {
        let batch = self.work.batch;
        let named = match wish.docs {
            Some(_) => &self.documents.1,
            None => &self.named,
        };
        let question = Question {
            topic: wish.topic,
            depth: wish.depth.unwrap_or(batch.depth),
            documents: named.clone(),
            web: match wish.docs {
                Some(_) if !batch.web_for_all => Web::default(),
                _ => batch.web.clone(),
            },
        };
        let overrides = Overrides {
            threshold: wish.threshold.or(batch.overrides.threshold),
            max_rounds: wish.max_rounds.or(batch.overrides.max_rounds),
            ..batch.overrides
        };
        if self.terms.0 != overrides {
            self.terms = (overrides, self.configuration_of(overrides));
        }
        let hash = question.hash();
        let key = match &wish.session {
            Some(name) => Key::of(&Digest::of(format!("{hash} {name}"))),
            None => Key::of(&hash),
        };
        Job {
            place,
            line,
            documents: wish.docs,
            name: wish.session,
            question,
            overrides,
            key,
            configuration: self.terms.1,
            id: None,
        }
    }

    fn configuration_of(&self, overrides: Overrides) -> u64 {
        number(&Digest::of_value(&(&self.configuration, overrides)))
    }

    /// The entry of a session that is known to be finished and did not move, or else the job.
    fn recognise(&mut self, mut job: Job) -> Result<Job, Box<Entry>> {
        let Some(found) = lock(&self.work.finished).find(job.key) else {
            return Ok(job);
        };
        if found.configuration == job.configuration
            && !self.work.batch.looks_again()
            && let Some(tree) = &mut self.tree
            && let Some(ending) = ending_of(found.ending)
        {
            self.rounds.clear();
            self.rounds.extend(files_of_rounds(found.rounds));
            let files = self.work.files.iter().chain(&self.rounds);
            let signature = tree.signature(&found.id, files.map(String::as_str));
            if signature.is_ok_and(|signature| signature.value == found.signature) {
                return Err(Box::new(Entry {
                    session: Some(found.id),
                    score: Some(found.score).filter(|score| score.is_finite()),
                    ..entry(job.line, job.question.topic, ending)
                }));
            }
        }
        job.id = Some(found.id);
        Ok(job)
    }
}
