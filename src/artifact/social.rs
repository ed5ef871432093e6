//! `research/social.json`: the posts of people in the threads that were read, and what they think.
//! A post shows an opinion and never a fact: nothing of it is a passage of `research.json`, unless
//! the topic itself asks for opinions.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::claims::Citation;
use super::source::Source;

/// The threads that were read, and the opinions in them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Social {
    /// The threads; their texts are in `sources/`.
    pub threads: Vec<Source>,
    /// The posts on the topic.
    pub posts: Vec<Post>,
    /// What the people think.
    pub opinion: Opinion,
    /// The reasons why posts were left out, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
}

impl Social {
    /// Its file.
    pub const FILE: &'static str = "research/social.json";

    /// The post of this id.
    pub fn post(&self, id: &str) -> Option<&Post> {
        self.posts.iter().find(|post| post.id == id)
    }
}

/// A post of a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Post {
    /// `O1`, `O2`, … in the order of the threads.
    pub id: String,
    /// The thread.
    pub source: String,
    /// The author; `None` for a deleted account.
    pub author: Option<String>,
    /// The date, as `2020-05-06`.
    pub date: Option<String>,
    /// The points that readers gave it.
    pub points: Option<i64>,
    /// 0 for the post that opens the thread, 1 for one that answers it, and so on.
    pub level: usize,
    /// The author whom it answers, if that is not the opening's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    /// First byte in the text of the thread, from 0.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text of that range, exactly.
    pub quote: String,
    /// The side that it takes.
    pub stance: Stance,
    /// Its valence, -1 to 1, as a rule measures it.
    pub valence: f64,
}

impl Post {
    /// Author, date and points, as a heading.
    pub fn byline(&self) -> String {
        let author = self.author.as_deref().unwrap_or("somebody").to_owned();
        let points = self.points.map(|points| match points {
            1 => "1 point".to_owned(),
            _ => format!("{points} points"),
        });
        let parts = [Some(author), self.date.clone(), points];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The side that a post or a position takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// It speaks well of the topic, or agrees.
    Positive,
    /// It takes no side.
    Neutral,
    /// It speaks badly of the topic, or disagrees.
    Negative,
}

/// What the people think. Shares are weighted by points and age; each author counts once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    /// The number of different authors; those of deleted accounts count as one a thread.
    pub people: usize,
    /// The shares of the stances.
    pub sentiment: Sentiment,
    /// The agreement.
    pub consensus: Consensus,
    /// The positions, the one of most weight first.
    pub positions: Vec<Position>,
    /// The posts by month, or by year if they are of more than two years; oldest first.
    pub trends: Vec<Trend>,
    /// The direction in which the stance moved; `None` if too few posts are dated.
    pub direction: Option<Direction>,
    /// What several people speak of, most first.
    pub topics: Vec<TrendingTopic>,
}

/// The shares of the stances, which add up to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sentiment {
    /// 0 to 1.
    pub positive: f64,
    /// 0 to 1.
    pub neutral: f64,
    /// 0 to 1.
    pub negative: f64,
}

/// The agreement of the people.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Consensus {
    /// The share of the people who hold the leading position, 0 to 1.
    pub score: f64,
    /// The band of the score.
    pub band: ConsensusBand,
}

/// The band of a consensus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConsensusBand {
    /// From 0.8.
    Strong,
    /// From 0.6.
    Moderate,
    /// From 0.4.
    Mixed,
    /// From 0.2.
    Low,
    /// Below.
    None,
}

impl Consensus {
    /// The consensus of a score.
    pub fn of(score: f64) -> Self {
        let band = match score {
            0.8.. => ConsensusBand::Strong,
            0.6.. => ConsensusBand::Moderate,
            0.4.. => ConsensusBand::Mixed,
            0.2.. => ConsensusBand::Low,
            _ => ConsensusBand::None,
        };
        Self { score, band }
    }
}

impl fmt::Display for ConsensusBand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Strong => "strong",
            Self::Moderate => "moderate",
            Self::Mixed => "mixed",
            Self::Low => "low",
            Self::None => "none",
        })
    }
}

/// A position that people hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The side that it takes.
    pub stance: Stance,
    /// The position in one sentence; by rule that of the post of most weight.
    pub statement: String,
    /// The share of the people who hold it, 0 to 1.
    pub share: f64,
    /// The number of these people.
    pub people: usize,
    /// The sentences of posts that show it, the one of most weight first.
    pub posts: Vec<Citation>,
}

/// The posts of a period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trend {
    /// A month, as `2020-05`, or a year.
    pub period: String,
    /// The number of posts.
    pub posts: usize,
    /// The share of positive posts less that of negative ones, -1 to 1.
    pub balance: f64,
}

/// The direction in which the stance moved from the earlier to the later half of the posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The later posts are more positive.
    Rising,
    /// They differ little.
    Steady,
    /// The later posts are more negative.
    Falling,
}

/// What several people speak of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrendingTopic {
    /// The word or the pair of words, as it is written first.
    pub phrase: String,
    /// The number of people.
    pub people: usize,
    /// Their posts, by id.
    pub posts: Vec<String>,
}
