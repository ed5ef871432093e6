//! The part of a report on what people think, in sentences that never pass it off as fact.

use crate::artifact::report::{PublicOpinion, QuotedPost};
use crate::artifact::social::{ConsensusBand, Direction, Position, Stance};
use crate::text::counted;

/// The maximum number of periods that are named: the newest.
const PERIODS: usize = 8;

/// The positions, each as a heading with the posts that show it.
pub(super) fn positions(
    opinion: &PublicOpinion,
) -> impl Iterator<Item = (String, Vec<&QuotedPost>)> {
    opinion.opinion.positions.iter().map(|position| {
        let posts = position.posts.iter().filter_map(|citation| {
            let mut quoted = opinion.quoted.iter();
            quoted.find(|own| own.claim.id == citation.passage)
        });
        (label(position), posts.collect())
    })
}

/// A position as a heading: its side, its weight, and a model's statement if there is one.
fn label(position: &Position) -> String {
    let side = match position.stance {
        Stance::Positive => "In favour",
        Stance::Neutral => "Undecided",
        Stance::Negative => "Against",
    };
    let people = if position.people == 1 {
        "1 person".to_owned()
    } else {
        format!("{} people", position.people)
    };
    let share = percent(position.share);
    let is_quoted = |statement: &str| position.posts.iter().any(|own| own.quote == statement);
    let statement = match position.statement.as_str() {
        // By rule the statement is a quotation, which follows.
        statement if is_quoted(statement) => String::new(),
        statement => format!(": {statement}"),
    };
    format!("{side}, {share} ({people}){statement}")
}

/// The sentences on the whole.
pub(super) fn sentences(opinion: &PublicOpinion) -> Vec<String> {
    let overall = &opinion.opinion;
    let (posts, threads) = (
        counted(opinion.posts, "post"),
        counted(opinion.references.len(), "thread"),
    );
    let people = match overall.people {
        1 => "1 person".to_owned(),
        people => format!("{people} people"),
    };
    let sentiment = overall.sentiment;
    let mut sentences = vec![
        format!(
            "These are opinions and experiences of people, not facts: {posts} by {people} were \
             read, of which those in {threads} are quoted. Nobody has checked what they say."
        ),
        format!(
            "Sentiment: {} positive, {} neutral, {} negative. Each person counts once, by points \
             and age of the posts.",
            percent(sentiment.positive),
            percent(sentiment.neutral),
            percent(sentiment.negative)
        ),
        match overall.consensus.band {
            ConsensusBand::None => "Consensus: none.".to_owned(),
            band => format!("Consensus: {band} ({:.2}).", overall.consensus.score),
        },
    ];
    sentences.extend(over_time(opinion));
    if !overall.topics.is_empty() {
        let topics = overall.topics.iter();
        let topics: Vec<String> = topics
            .map(|own| format!("“{}” ({} people)", own.phrase, own.people))
            .collect();
        sentences.push(format!("Several speak of: {}.", topics.join(", ")));
    }
    sentences
}

/// The posts over time, if they are of several periods.
fn over_time(opinion: &PublicOpinion) -> Option<String> {
    let trends = &opinion.opinion.trends;
    if trends.len() < 2 {
        return None;
    }
    let newest = trends.iter().skip(trends.len().saturating_sub(PERIODS));
    let periods: Vec<String> = newest
        .map(|own| {
            format!(
                "{}: {} ({:+.2})",
                own.period,
                counted(own.posts, "post"),
                own.balance
            )
        })
        .collect();
    let direction = match opinion.opinion.direction {
        Some(Direction::Rising) => " Later posts are more positive.",
        Some(Direction::Falling) => " Later posts are more negative.",
        Some(Direction::Steady) => " The stance has hardly moved.",
        None => "",
    };
    let periods = periods.join(", ");
    Some(format!(
        "Over time, with the share of positive posts less that of negative ones: \
         {periods}.{direction}"
    ))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
