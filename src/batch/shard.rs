//! The shards of a list.

use std::fmt;
use std::str::FromStr;

use super::topics::TopicLine;
use crate::pipeline::Digest;

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
    /// Returns `true` if a line belongs to this shard of its list.
    pub(super) fn contains(self, line: &TopicLine) -> bool {
        let topic = match &line.spec {
            Ok(spec) => &spec.topic,
            Err(own) => &own.text,
        };
        // A hash spreads topics evenly; the modulo bias of 64 bits is negligible.
        Digest::of(topic).leading_u64() % self.of == self.part - 1
    }
}

/// As in the names of files: `2-of-4`.
impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-of-{}", self.part, self.of)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::TopicList;

    #[test]
    fn shards_contain_every_topic_exactly_once_and_evenly() {
        let shards: Vec<Shard> = (1..=5)
            .map(|part| format!("{part}/5").parse().unwrap())
            .collect();
        let mut sizes = [0; 5];
        for topic in 0..500 {
            let list = format!("topic {topic}");
            let line = TopicList::new(list.as_bytes()).next_line().unwrap();
            let line = line.unwrap();
            let takers: Vec<usize> = (0..5)
                .filter(|index| shards[*index].contains(&line))
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
