//! The options of a batch, and the shards of a list.

use std::io::BufRead;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::topics::{TopicLine, TopicList};
use crate::artifact::session::{Depth, Mode};
use crate::config::Settings;
use crate::pipeline::{Clock, Digest, Disk, Request};
use crate::run::{BackendConfig, Overrides};
use crate::session::WebScope;
use crate::web::WebClient;

/// The options of a batch.
pub struct Batch {
    /// The settings.
    pub settings: Settings,
    /// The clock.
    pub clock: Clock,
    /// The writer of all files.
    pub disk: Disk,
    /// Set by a signal when the batch must stop at the next opportunity.
    pub interrupted: Arc<AtomicBool>,
    /// The number of workers, at least 1.
    pub jobs: usize,
    /// `true` if new topics are started after a failure (`--keep-going`).
    pub keep_going: bool,
    /// The shard of the list to work on; `None` for the whole list.
    pub shard: Option<Shard>,
    /// `true` to wait for sessions that other processes work on, instead of skipping them.
    pub wait: bool,
    /// `true` to report what would run, and run nothing.
    pub dry_run: bool,
    /// The number of topics, if they were counted: for display only.
    pub topics: Option<u64>,
    /// The documents of topics that name none.
    pub documents: Vec<PathBuf>,
    /// The search services and domains for each topic.
    pub web: WebScope,
    /// `true` if the web is searched also for a topic that names documents of its own.
    pub web_for_all: bool,
    /// The web client; `None` where the web must not be used.
    pub web_client: Option<Arc<WebClient>>,
    /// The mode of topics that name none.
    pub mode: Mode,
    /// The depth of topics that name none.
    pub depth: Depth,
    /// The terms of topics that name none.
    pub overrides: Overrides,
    /// The request for each topic: `--from`, `--until`, `--refresh`.
    pub request: Request,
    /// The agents' rules (plain code), or the models that answer for the agents.
    pub backend: BackendConfig,
}

/// A shard of a list. Every topic is in exactly one shard, whatever its position, so machines with
/// copies of a list share the work without communication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, from 1.
    part: u64,
    /// The number of shards.
    of: u64,
}

impl Shard {
    fn contains(self, text: &str) -> bool {
        // A hash spreads topics evenly; the modulo bias of 64 bits is negligible.
        leading_u64(&Digest::of(text)) % self.of == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split_once('/')
            .and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)))
            .filter(|(part, of)| (1..=*of).contains(part))
            .map(|(part, of)| Self { part, of })
            .ok_or_else(|| "expected I/N with 1 ≤ I ≤ N, as in 2/4".to_owned())
    }
}

impl Batch {
    /// The path of the record of outcomes.
    pub fn record(&self) -> PathBuf {
        let name = match self.shard {
            None => "batch.json".to_owned(),
            Some(Shard { part, of }) => format!("batch-{part}-of-{of}.json"),
        };
        self.settings.run.output_dir.join(name)
    }

    /// Counts the topics of a list, or of its shard.
    ///
    /// # Errors
    /// When the list cannot be read; without `keep_going` also for a malformed line, so that the
    /// mistake is reported before the first topic is started.
    pub fn count(&self, list: impl BufRead) -> Result<u64> {
        // Lines need not be parsed to be counted.
        if self.keep_going && self.shard.is_none() {
            return TopicList::new(list).count();
        }
        let (mut list, mut count) = (TopicList::new(list), 0);
        while let Some(line) = list.next_line()? {
            if !self.in_shard(&line) {
                continue;
            }
            if !self.keep_going {
                line.spec?;
            }
            count += 1;
        }
        Ok(count)
    }

    /// Returns `true` if finished sessions must be planned again, since `--from`, `--refresh`
    /// or `--max-age` asks for work in them.
    pub(super) fn replans_finished(&self) -> bool {
        self.request.from.is_some() || self.request.refresh || self.request.fetched_since.is_some()
    }

    /// Returns `true` if a line belongs to this shard of the list.
    pub(super) fn in_shard(&self, line: &TopicLine) -> bool {
        let topic = line.spec.as_ref().map_or(&line.text, |spec| &spec.topic);
        self.shard.is_none_or(|shard| shard.contains(topic))
    }
}

/// The first 64 bits of a digest.
pub(super) fn leading_u64(digest: &Digest) -> u64 {
    u64::from_str_radix(&digest.as_str()[..16], 16).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_contain_every_topic_exactly_once_and_evenly() {
        let shards: Vec<Shard> = (1..=5)
            .map(|part| format!("{part}/5").parse().unwrap())
            .collect();
        let mut sizes = [0; 5];
        for topic in 0..500 {
            let topic = format!("topic {topic}");
            let takers: Vec<usize> = (0..5)
                .filter(|index| shards[*index].contains(&topic))
                .collect();
            assert_eq!(takers.len(), 1);
            sizes[takers[0]] += 1;
        }
        assert!(
            sizes.iter().all(|size| (60..140).contains(size)),
            "{sizes:?}"
        );
    }

    #[test]
    fn shard_is_parsed_from_i_of_n() {
        assert_eq!("2/4".parse(), Ok(Shard { part: 2, of: 4 }));
        for text in ["", "0/4", "5/4", "1/0", "1", "/", "a/b", "-1/4", "1/4/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
