//! The social agent's model side: the model tells the positions and names the posts that show
//! each; every statement is checked against them, and all shares are counted by code.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::{Numbers, line};
use super::super::definition::{
    Agent, DepthShape, INSTRUCTION_TOKENS, ModelAgent, SENTENCE_TOKENS,
};
use super::opinion::{self, Group, citation};
use super::{Social, SocialInput, SocialOutput, set_valence, with_stances};
use crate::artifact::social::{Post, Stance};
use crate::artifact::verification::Verdict;
use crate::cite::support;
use crate::model::CallEstimate;
use crate::text;

/// The maximum number of posts that are shown (chosen by hand: about 4,000 tokens).
const SHOWN: usize = 60;

/// The maximum length of a shown post, and of a statement, in characters.
const POST: usize = 500;
const STATEMENT: usize = 300;

/// The valence of a post whose side the model sets and the words do not show (chosen by hand).
const SET: f64 = 0.3;

/// What the people think.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SocialAnswer {
    /// What they agree on and what divides them, in one sentence of at most 30 words.
    #[serde(default)]
    #[expect(dead_code, reason = "a reason before a decision improves it")]
    reasoning: String,
    /// The positions, the most common first.
    #[serde(default)]
    #[schemars(length(max = 5))]
    positions: Vec<PositionAnswer>,
}

/// One position.
#[derive(Debug, Deserialize, JsonSchema)]
struct PositionAnswer {
    /// The numbers of the posts that show it.
    #[serde(default)]
    #[schemars(length(max = 20))]
    posts: Numbers,
    /// What these people think, in one sentence with their own words.
    #[serde(default)]
    statement: String,
    /// The side that it takes on the topic.
    stance: Stance,
}

impl ModelAgent for Social {
    type Answer = SocialAnswer;
    const OUTPUT_TOKENS: u32 = 1500;

    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: usize::from(shape.is_social),
            input_tokens: INSTRUCTION_TOKENS + SENTENCE_TOKENS * SHOWN,
            output_tokens: 300,
        }
    }

    fn items(input: &SocialInput) -> usize {
        input.posts.len().min(SHOWN)
    }

    fn is_question(input: &SocialInput) -> bool {
        !input.posts.is_empty()
    }

    fn context(input: &SocialInput, items: usize) -> Context {
        let posts = input.posts.iter().take(items).enumerate();
        let posts: Vec<Context> = posts
            .map(|(index, post)| {
                json!({
                    "number": index + 1,
                    "date": post.date,
                    "points": post.points,
                    "text": line(&post.quote, POST),
                })
            })
            .collect();
        json!({ "topic": input.topic, "posts": posts })
    }

    fn validate(
        input: &SocialInput,
        items: usize,
        answer: SocialAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<SocialOutput, String> {
        let mut posts = with_stances(&input.posts);
        let mut used = BTreeSet::new();
        let mut groups = Vec::new();
        for position in answer.positions {
            let stance = position.stance;
            match group(&input.posts[..items], &used, position) {
                Ok(group) => {
                    for (index, _) in &group.quotations {
                        used.insert(*index);
                        let side = match stance {
                            Stance::Positive => 1.0,
                            Stance::Neutral => 0.0,
                            Stance::Negative => -1.0,
                        };
                        let strength = posts[*index].valence.abs().max(SET);
                        set_valence(&mut posts[*index], side * strength);
                    }
                    groups.push(group);
                }
                Err(problem) => left_out.push(problem),
            }
        }
        if groups.is_empty() {
            left_out.push("no position is shown by posts: what the rule finds is kept".to_owned());
            return Ok(Social::rule(input));
        }
        Ok(SocialOutput {
            opinion: opinion::opinion(&input.terms, &posts, groups),
            posts,
        })
    }
}

/// A position with the posts that show it, each for one position only; or why it is left out.
fn group(
    posts: &[Post],
    used: &BTreeSet<usize>,
    position: PositionAnswer,
) -> Result<Group, String> {
    let statement = line(&position.statement, STATEMENT);
    let mut named: Vec<usize> = Vec::new();
    for number in position.posts.0 {
        let index = number.wrapping_sub(1);
        if index < posts.len() && !used.contains(&index) && !named.contains(&index) {
            named.push(index);
        }
    }
    let evidence: Vec<&str> = named
        .iter()
        .map(|index| posts[*index].quote.as_str())
        .collect();
    let shown = support(&statement, &evidence.join("\n\n"));
    let is_shown = matches!(shown.verdict, Verdict::Supported | Verdict::Partial);
    if named.is_empty() || text::terms(&statement).is_empty() || !is_shown {
        let reason = shown.reasons.into_iter().next();
        let reason = reason.unwrap_or_else(|| "no post shows it".to_owned());
        return Err(format!("left out the position {statement:?}: {reason}"));
    }
    let quotations = named.into_iter().filter_map(|index| {
        let post = &posts[index];
        let best = support(&statement, &post.quote).matches.into_iter().next();
        let sentence = best.map_or(0..post.quote.len(), |best| best.range);
        Some((index, citation(post, sentence)?))
    });
    Ok(Group {
        stance: position.stance,
        quotations: quotations.collect(),
        statement: Some(statement),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::post;
    use super::*;

    fn answered(answer: &str) -> (SocialOutput, Vec<String>) {
        let input = SocialInput {
            topic: "Are heat pumps quiet?".to_owned(),
            terms: Vec::new(),
            posts: vec![
                post(
                    1,
                    "ann",
                    "Installed in May. The unit hums at night in our bedroom.",
                ),
                post(2, "ben", "Ours hums at night too."),
                post(3, "cid", "Ours is quiet."),
            ],
        };
        let mut left_out = Vec::new();
        let answer = serde_json::from_str(answer).unwrap();
        let output = Social::validate(&input, 3, answer, &mut left_out).unwrap();
        (output, left_out)
    }

    #[test]
    fn positions_are_those_that_posts_show() {
        let (output, left_out) = answered(
            r#"{"reasoning": "Noise.", "positions": [
                {"posts": ["post 1", 2, 9], "statement": "The unit hums at night.",
                 "stance": "negative"},
                {"posts": [1, 2], "statement": "It hums at night.", "stance": "negative"},
                {"posts": [3], "statement": "Scientists measured 12 decibels in Paris.",
                 "stance": "positive"}]}"#,
        );
        assert_eq!(left_out.len(), 2, "{left_out:?}");
        let [position] = &output.opinion.positions[..] else {
            panic!("{:?}", output.opinion);
        };
        assert_eq!((position.people, position.stance), (2, Stance::Negative));
        assert_eq!(position.statement, "The unit hums at night.");
        let quoted: Vec<&str> = position
            .posts
            .iter()
            .map(|own| own.quote.as_str())
            .collect();
        assert!(
            quoted.contains(&"The unit hums at night in our bedroom."),
            "{quoted:?}"
        );
        assert_eq!(output.posts[1].stance, Stance::Negative);
    }

    #[test]
    fn the_rule_answers_where_nothing_is_shown() {
        let (output, left_out) = answered(r#"{"positions": []}"#);
        assert_eq!(left_out.len(), 1);
        assert_eq!(output.opinion.people, 3);
    }
}
