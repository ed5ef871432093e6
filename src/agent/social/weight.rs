//! The weight of a post and of its author: by the points that readers gave it and by its age. An
//! author counts once, with the heaviest of the posts.

use std::collections::BTreeMap;

use crate::artifact::social::{Post, Stance};

/// The years in which a post loses half of its weight (chosen by hand).
const HALF_LIFE_YEARS: f64 = 3.0;

/// The least share that age leaves of a weight, and the share of a post without a date.
const OLD: f64 = 0.2;
const UNDATED: f64 = 0.5;

/// A person: the author of posts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Person {
    /// The indices of the posts.
    pub(super) posts: Vec<usize>,
    /// The weight: that of the heaviest post.
    pub(super) weight: f64,
    /// The stance: that of most of the posts by weight and valence.
    pub(super) stance: Stance,
}

/// The weights of posts: (1 + log10(1 + points)) × 0.5^(age / half-life), where the age is counted
/// from the newest of them: no decision depends on the clock.
pub(super) fn weights(posts: &[Post]) -> Vec<f64> {
    let newest = posts.iter().filter_map(years).fold(f64::MIN, f64::max);
    let weight = |post: &Post| {
        let points = post.points.unwrap_or_default().max(0) as f64;
        let age = years(post).map(|own| newest - own);
        let recency = age.map_or(UNDATED, |age| 0.5_f64.powf(age / HALF_LIFE_YEARS).max(OLD));
        (1.0 + (1.0 + points).log10()) * recency
    };
    posts.iter().map(weight).collect()
}

/// The date of a post in years.
fn years(post: &Post) -> Option<f64> {
    let date = post.date.as_deref()?;
    let (year, rest) = date.split_once('-')?;
    let (year, month): (f64, f64) = (year.parse().ok()?, rest.get(..2)?.parse().ok()?);
    Some(year + month / 12.0)
}

/// The people who wrote posts, in the order of their first ones. Deleted accounts of a thread
/// cannot be told apart, and count as one.
pub(super) fn people(posts: &[Post], weights: &[f64]) -> Vec<Person> {
    let mut index_of: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let mut people: Vec<Person> = Vec::new();
    for (index, post) in posts.iter().enumerate() {
        let key = match &post.author {
            Some(author) => (author.as_str(), true),
            None => (post.source.as_str(), false),
        };
        let person = *index_of.entry(key).or_insert(people.len());
        if person == people.len() {
            people.push(Person {
                posts: Vec::new(),
                weight: 0.0,
                stance: Stance::Neutral,
            });
        }
        people[person].posts.push(index);
        people[person].weight = people[person].weight.max(weights[index]);
    }
    for person in &mut people {
        person.stance = stance(posts, weights, &person.posts);
    }
    people
}

/// The stance of several posts: the one with the largest sum of weights, in doubt neutral.
fn stance(posts: &[Post], weights: &[f64], of: &[usize]) -> Stance {
    let sum = |stance: Stance| -> f64 {
        let own = of.iter().filter(|index| posts[**index].stance == stance);
        own.map(|index| weights[*index]).sum()
    };
    let (positive, negative) = (sum(Stance::Positive), sum(Stance::Negative));
    match positive.total_cmp(&negative) {
        std::cmp::Ordering::Greater => Stance::Positive,
        std::cmp::Ordering::Less => Stance::Negative,
        std::cmp::Ordering::Equal => Stance::Neutral,
    }
}
