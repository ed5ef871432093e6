//! What people think, counted: shares, consensus, positions, trends and topics.

use std::collections::{BTreeMap, BTreeSet};

use super::super::answer::rounded;
use super::valence::{is_rated, valence};
use super::weight::{Person, people, weights};
use crate::artifact::claims::Citation;
use crate::artifact::social::{
    Consensus, Direction, Opinion, Position, Post, Sentiment, Stance, Trend, TrendingTopic,
};
use crate::text;

/// The maximum number of posts that a position quotes.
const QUOTED_POSTS: usize = 3;

/// The maximum number of topics, and the least number of people who speak of one.
const TOPICS: usize = 6;
const SPEAKERS: usize = 2;

/// The number of months from which trends are by year.
const MONTHS: usize = 24;

/// The least number of dated posts that have a direction, and the least difference of the mean
/// valences of both halves (chosen by hand).
const DATED_POSTS: usize = 4;
const MOVED: f64 = 0.1;

/// The posts that show one position.
pub(super) struct Group {
    pub(super) stance: Stance,
    /// The statement of a model; none by rule.
    pub(super) statement: Option<String>,
    /// The sentences that show it, each with the index of its post.
    pub(super) quotations: Vec<(usize, Citation)>,
}

/// The groups of the rule: those who speak well and those who speak badly; if nobody takes a side,
/// all.
pub(super) fn by_stance(posts: &[Post]) -> Vec<Group> {
    let group = |stance: Stance| {
        let own = posts.iter().enumerate();
        let own = own.filter(|(_, post)| post.stance == stance);
        Group {
            stance,
            statement: None,
            quotations: own
                .filter_map(|(index, post)| Some((index, telling_sentence(post)?)))
                .collect(),
        }
    };
    let sides = [group(Stance::Positive), group(Stance::Negative)];
    let mut groups: Vec<Group> = sides
        .into_iter()
        .filter(|group| !group.quotations.is_empty())
        .collect();
    if groups.is_empty() {
        groups.push(group(Stance::Neutral));
    }
    groups
}

/// The sentence of a post that speaks most strongly for its stance.
fn telling_sentence(post: &Post) -> Option<Citation> {
    let strength = |citation: &Citation| {
        let valence = valence(&citation.quote);
        match post.stance {
            Stance::Positive => valence,
            Stance::Negative => -valence,
            Stance::Neutral => 0.0,
        }
    };
    let sentences = sentences(post).into_iter();
    // Of equals the first.
    sentences.reduce(|best, other| {
        if strength(&other) > strength(&best) {
            other
        } else {
            best
        }
    })
}

/// The sentences of a post.
fn sentences(post: &Post) -> Vec<Citation> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for paragraph in post.quote.split("\n\n") {
        let end = start + paragraph.len();
        for range in text::sentences::sentences(&post.quote, start..end) {
            sentences.extend(citation(post, range));
        }
        start = end + 2;
    }
    sentences
}

/// The citation of a range of a post's words.
pub(super) fn citation(post: &Post, range: std::ops::Range<usize>) -> Option<Citation> {
    Some(Citation {
        quote: post.quote.get(range.clone())?.to_owned(),
        source: post.source.clone(),
        passage: post.id.clone(),
        start: post.start + range.start,
        end: post.start + range.end,
        line: None,
        page: None,
        columns: Vec::new(),
    })
}

/// What people think, by their posts and the positions in them.
pub(super) fn opinion(terms: &[String], posts: &[Post], groups: Vec<Group>) -> Opinion {
    let weights = weights(posts);
    let people = people(posts, &weights);
    let total: f64 = people.iter().map(|person| person.weight).sum();
    let share = |stance: Stance| {
        let own = people.iter().filter(|person| person.stance == stance);
        // The sum of no numbers is -0.0.
        let sum = own.fold(0.0, |sum, person| sum + person.weight);
        rounded(sum / total.max(f64::MIN_POSITIVE))
    };
    let positions = positions(posts, &weights, &people, groups);
    let takes_side = |position: &&Position| position.stance != Stance::Neutral;
    let leading = positions.iter().filter(takes_side);
    let leading = leading.map(|position| position.share).fold(0.0, f64::max);
    let mut dated: Vec<&Post> = posts.iter().filter(|post| post.date.is_some()).collect();
    dated.sort_by(|one, other| one.date.cmp(&other.date));
    Opinion {
        people: people.len(),
        sentiment: Sentiment {
            positive: share(Stance::Positive),
            neutral: share(Stance::Neutral),
            negative: share(Stance::Negative),
        },
        consensus: Consensus::of(leading),
        positions,
        trends: trends(&dated),
        direction: direction(&dated),
        topics: topics(terms, posts, &people),
    }
}

/// The positions, by the share of the people who hold them. A person holds the first position that
/// one of the posts shows.
fn positions(
    posts: &[Post],
    weights: &[f64],
    people: &[Person],
    groups: Vec<Group>,
) -> Vec<Position> {
    let total: f64 = people.iter().map(|person| person.weight).sum();
    let mut counted: BTreeSet<usize> = BTreeSet::new();
    let mut positions = Vec::new();
    for mut group in groups {
        // By rule a person is on the side of most of the own posts.
        let is_of = |person: &Person| group.statement.is_some() || person.stance == group.stance;
        let shows = |index: &usize| group.quotations.iter().any(|(own, _)| own == index);
        let holders: Vec<usize> = (0..people.len())
            .filter(|index| is_of(&people[*index]) && people[*index].posts.iter().any(shows))
            .filter(|index| !counted.contains(index))
            .collect();
        if holders.is_empty() {
            continue;
        }
        counted.extend(&holders);
        let weight: f64 = holders.iter().map(|index| people[*index].weight).sum();
        let strength = |index: usize| weights[index] * (1.0 + posts[index].valence.abs());
        // The sort is stable: of equals the first post.
        group
            .quotations
            .sort_by(|(one, _), (other, _)| strength(*other).total_cmp(&strength(*one)));
        let mut authors = BTreeSet::new();
        // One author is quoted once.
        let holder_of = |post: usize| {
            let mut holders = holders.iter();
            holders.find(|index| people[**index].posts.contains(&post))
        };
        group
            .quotations
            .retain(|(post, _)| holder_of(*post).is_some_and(|own| authors.insert(*own)));
        group.quotations.truncate(QUOTED_POSTS);
        let quoted: Vec<Citation> = group.quotations.into_iter().map(|(_, own)| own).collect();
        let first = quoted.first().map(|own| own.quote.clone());
        positions.push(Position {
            stance: group.stance,
            statement: group.statement.or(first).unwrap_or_default(),
            share: rounded(weight / total.max(f64::MIN_POSITIVE)),
            people: holders.len(),
            posts: quoted,
        });
    }
    positions.sort_by(|one, other| other.share.total_cmp(&one.share));
    positions
}

/// The dated posts by month, or by year if that makes too many months.
fn trends(dated: &[&Post]) -> Vec<Trend> {
    let by = |length: usize| {
        let mut periods: BTreeMap<&str, Vec<Stance>> = BTreeMap::new();
        for post in dated {
            let period = post.date.as_deref().and_then(|date| date.get(..length));
            periods
                .entry(period.unwrap_or_default())
                .or_default()
                .push(post.stance);
        }
        periods
    };
    let months = by("2020-05".len());
    let years: BTreeSet<&str> = months.keys().filter_map(|month| month.get(..4)).collect();
    let is_long = years.len() * 12 > MONTHS;
    let periods = if is_long { by("2020".len()) } else { months };
    let trend = |(period, stances): (&str, Vec<Stance>)| {
        let count = |stance: Stance| stances.iter().filter(|own| **own == stance).count() as f64;
        let balance = count(Stance::Positive) - count(Stance::Negative);
        Trend {
            period: period.to_owned(),
            posts: stances.len(),
            balance: rounded(balance / stances.len() as f64),
        }
    };
    periods.into_iter().map(trend).collect()
}

/// The direction from the earlier half of the posts to the later one.
fn direction(dated: &[&Post]) -> Option<Direction> {
    let is_one_day = dated.first()?.date == dated.last()?.date;
    if dated.len() < DATED_POSTS || is_one_day {
        return None;
    }
    let mean = |posts: &[&Post]| -> f64 {
        let sum: f64 = posts.iter().map(|post| post.valence).sum();
        sum / posts.len() as f64
    };
    let (earlier, later) = dated.split_at(dated.len() / 2);
    Some(match mean(later) - mean(earlier) {
        MOVED.. => Direction::Rising,
        change if change <= -MOVED => Direction::Falling,
        _ => Direction::Steady,
    })
}

/// A word that several people use.
#[derive(Default)]
struct Spoken {
    phrase: String,
    people: BTreeSet<usize>,
    posts: BTreeSet<usize>,
}

/// The words that several people use, besides those of the topic and those of praise and blame; by
/// the weight of these people, in which recent posts count most.
fn topics(terms: &[String], posts: &[Post], people: &[Person]) -> Vec<TrendingTopic> {
    let mut spoken: BTreeMap<String, Spoken> = BTreeMap::new();
    for (number, person) in people.iter().enumerate() {
        for index in &person.posts {
            for word in text::words(&posts[*index].quote) {
                let folded = text::fold(word.text);
                let stem = text::stem(&folded);
                let is_subject = folded.chars().count() > 3
                    && !folded.starts_with(|c: char| c.is_ascii_digit())
                    && !text::is_stop_word(&folded)
                    && !is_rated(&folded)
                    && !terms.contains(&stem);
                if is_subject {
                    let own = spoken.entry(stem).or_insert_with(|| Spoken {
                        phrase: word.text.to_owned(),
                        ..Spoken::default()
                    });
                    own.people.insert(number);
                    own.posts.insert(*index);
                }
            }
        }
    }
    let weight = |own: &Spoken| -> f64 {
        let people = own.people.iter().map(|number| people[*number].weight);
        people.sum()
    };
    let mut topics: Vec<Spoken> = spoken.into_values().collect();
    topics.retain(|own| own.people.len() >= SPEAKERS);
    topics.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    topics.truncate(TOPICS);
    let topic = |own: Spoken| TrendingTopic {
        people: own.people.len(),
        posts: own
            .posts
            .iter()
            .map(|index| posts[*index].id.clone())
            .collect(),
        phrase: own.phrase,
    };
    topics.into_iter().map(topic).collect()
}
