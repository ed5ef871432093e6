//! The social agent says what people think: the sentiment of their posts, how far they agree, the
//! positions that they hold with the posts that show them, and how that changed. It judges
//! opinions: nothing that it says is a fact.
//!
//! By rule the side of a post is the valence of its words, and a position is told by the sentence
//! of the post that carries most weight. Shares are always counted by code; each author counts
//! once, by the weights of `weight.rs`.

mod model;
mod opinion;
mod valence;
mod weight;

use super::definition::Agent;
use crate::artifact::social::{Opinion, Post, Stance};
use crate::model::{Phase, Tier};
use valence::{TAKES_SIDE, valence};

/// The words with which an answer agrees with the post that it answers, and with which it does not.
const AGREES: [&str; 9] = [
    "this", "exactly", "same", "agreed", "agree", "seconded", "yes", "yep", "true",
];
const DISAGREES: [&str; 7] = [
    "no", "nope", "wrong", "disagree", "nonsense", "false", "untrue",
];

/// The number of first words of an answer among which these count.
const FIRST_WORDS: usize = 2;

/// The social agent.
pub struct Social;

/// The social agent's input.
#[derive(Debug, Clone)]
pub struct SocialInput {
    /// The topic.
    pub topic: String,
    /// Its terms, stemmed.
    pub terms: Vec<String>,
    /// The posts on it. Their stances are not set yet.
    pub posts: Vec<Post>,
}

/// What the social agent says.
#[derive(Debug, Clone)]
pub struct SocialOutput {
    /// The posts with their stances.
    pub posts: Vec<Post>,
    /// What the people think.
    pub opinion: Opinion,
}

impl Agent for Social {
    type Input = SocialInput;
    type Output = SocialOutput;
    const NAME: &'static str = "social";
    const TIER: Tier = Tier::Analytical;
    const PHASE: Phase = Phase::Gathering;
    const PROMPT: &'static str = include_str!("../../../prompts/social.md");

    fn rule(input: &SocialInput) -> SocialOutput {
        let posts = with_stances(&input.posts);
        let groups = opinion::by_stance(&posts);
        SocialOutput {
            opinion: opinion::opinion(&input.terms, &posts, groups),
            posts,
        }
    }
}

/// The posts with their valences and stances. An answer that only agrees or disagrees takes the
/// side of the post that it answers, or the other.
fn with_stances(posts: &[Post]) -> Vec<Post> {
    let mut judged: Vec<Post> = posts.to_vec();
    for post in &mut judged {
        set_valence(post, valence(&post.quote));
    }
    let mut order: Vec<usize> = (0..judged.len()).collect();
    order.sort_by_key(|index| judged[*index].level);
    for index in order {
        let own = &judged[index];
        let answered = judged.iter().find(|other| {
            own.level > 1
                && other.level + 1 == own.level
                && other.source == own.source
                && other.author == own.reply_to
        });
        let sign = agreement(&own.quote);
        if let (Some(answered), Some(sign)) = (answered, sign)
            && answered.stance != Stance::Neutral
        {
            let valence = sign * answered.valence;
            set_valence(&mut judged[index], valence);
        }
    }
    judged
}

/// 1 for an answer that begins with agreement, -1 for one that begins with disagreement.
fn agreement(words: &str) -> Option<f64> {
    let lower = words.to_lowercase();
    let mut first = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(FIRST_WORDS);
    first.find_map(|word| match word {
        word if AGREES.contains(&word) => Some(1.0),
        word if DISAGREES.contains(&word) => Some(-1.0),
        _ => None,
    })
}

fn set_valence(post: &mut Post, valence: f64) {
    post.valence = super::answer::rounded(valence);
    post.stance = match valence {
        TAKES_SIDE.. => Stance::Positive,
        _ if valence <= -TAKES_SIDE => Stance::Negative,
        _ => Stance::Neutral,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::social::ConsensusBand;

    pub(super) fn post(number: usize, author: &str, words: &str) -> Post {
        Post {
            id: format!("O{number}"),
            source: "T1".to_owned(),
            author: Some(author.to_owned()).filter(|author| !author.is_empty()),
            date: Some(format!("2024-0{}-06", 1 + number % 6)),
            points: Some(3),
            level: 1,
            reply_to: None,
            start: number * 100,
            end: number * 100 + words.len(),
            quote: words.to_owned(),
            stance: Stance::Neutral,
            valence: 0.0,
        }
    }

    fn opinion(posts: &[Post]) -> SocialOutput {
        Social::rule(&SocialInput {
            topic: "Are heat pumps quiet?".to_owned(),
            terms: vec!["heat".to_owned(), "pump".to_owned()],
            posts: posts.to_vec(),
        })
    }

    #[test]
    fn shares_consensus_and_positions_are_counted_by_author() {
        let output = opinion(&[
            post(1, "ann", "I love mine. It was installed in May."),
            post(2, "ann", "Great thing, no problems."),
            post(3, "ben", "Works great in our house."),
            post(4, "cid", "Terrible noise at night, I hate it."),
            post(5, "dan", "Good grants are there too."),
        ]);
        let opinion = output.opinion;
        assert_eq!(opinion.people, 4);
        assert_eq!(
            opinion.consensus.band,
            ConsensusBand::Moderate,
            "{opinion:?}"
        );
        let [first, second] = &opinion.positions[..] else {
            panic!("{opinion:?}");
        };
        assert_eq!((first.stance, first.people), (Stance::Positive, 3));
        assert_eq!((second.stance, second.people), (Stance::Negative, 1));
        assert_eq!(second.statement, "Terrible noise at night, I hate it.");
        let quoted = &second.posts[0];
        assert_eq!((quoted.start, quoted.end), (400, 435));
        assert!(
            (opinion.sentiment.positive - 0.75).abs() < 0.1,
            "{opinion:?}"
        );
    }

    #[test]
    fn an_answer_takes_the_side_of_what_it_agrees_with() {
        let answer = |number, author: &str, words: &str| Post {
            level: 2,
            reply_to: Some("ann".to_owned()),
            ..post(number, author, words)
        };
        let posts = opinion(&[
            post(1, "ann", "Terrible noise, I hate it."),
            answer(2, "ben", "Exactly this."),
            answer(3, "cid", "No way."),
        ])
        .posts;
        let stances: Vec<Stance> = posts.iter().map(|post| post.stance).collect();
        assert_eq!(
            stances,
            [Stance::Negative, Stance::Negative, Stance::Positive]
        );
    }

    #[test]
    fn deleted_accounts_of_a_thread_count_as_one() {
        let output = opinion(&[post(1, "", "I love it."), post(2, "", "I hate it.")]);
        assert_eq!(output.opinion.people, 1);
        let silent = opinion(&[post(1, "ann", "It was installed in May.")]).opinion;
        assert_eq!(silent.consensus.band, ConsensusBand::None);
        assert_eq!(silent.positions[0].stance, Stance::Neutral);
        assert!(silent.direction.is_none());
    }

    #[test]
    fn stance_that_moved_has_a_direction_and_shared_words_are_topics() {
        let dated = |number: usize, year: u32, words: &str| Post {
            date: Some(format!("{year}-05-06")),
            ..post(number, &format!("author{number}"), words)
        };
        let opinion = opinion(&[
            dated(1, 2019, "Terrible noise from the compressor."),
            dated(2, 2020, "I hate the noise of the compressor."),
            dated(3, 2023, "I love it, the grants are great."),
            dated(4, 2024, "Great grants, good thing."),
        ])
        .opinion;
        let periods: Vec<&str> = opinion
            .trends
            .iter()
            .map(|own| own.period.as_str())
            .collect();
        assert_eq!(periods, ["2019", "2020", "2023", "2024"]);
        assert_eq!(
            opinion.direction,
            Some(crate::artifact::social::Direction::Rising)
        );
        let topics: Vec<&str> = opinion
            .topics
            .iter()
            .map(|own| own.phrase.as_str())
            .collect();
        assert!(
            topics.contains(&"grants") && topics.contains(&"compressor"),
            "{topics:?}"
        );
    }
}
