//! The valence of a text: how well or badly it speaks, by the words of VADER (C. J. Hutto and E.
//! Gilbert, ICWSM 2014), of which the frequent ones are here with their published ratings, and by
//! its rules for negation, degree and "but".

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The words that speak well, each with its mean rating of up to 4.
const POSITIVE: &str = "\
    advantage:1 advantages:1.5 agree:1.5 agreed:1.1 agrees:0.8 amazing:2.8 awesome:3.1 \
    beautiful:2.9 beautifully:2.7 benefit:2 benefits:1.6 benefitted:1.7 best:3.2 better:1.9 \
    brilliant:2.8 cheerful:2.5 clean:1.7 cleaner:0.7 comfort:1.5 comfortable:2.3 confident:2.2 \
    convinced:1.7 convincing:1.7 cool:1.3 delighted:2.3 easier:1.8 easily:1.4 easy:1.9 \
    effective:2.1 effectively:1.9 efficient:1.8 efficiently:1.7 enjoy:2.2 enjoyed:2.3 \
    enjoying:2.4 excellent:2.7 fair:1.3 fantastic:2.6 favorite:2 fine:0.8 free:2.3 \
    friendly:2.2 fun:2.3 gain:2.4 glad:2 good:1.9 grateful:2 great:3.1 happier:2.4 happy:2.7 \
    helpful:1.8 hope:1.9 hopeful:2.3 ideal:2.4 important:0.8 impressed:2.1 impressive:2.3 \
    improve:1.9 improved:2.1 improvement:2 improves:1.8 interesting:1.7 joke:1.2 like:1.5 \
    liked:1.8 likes:1.8 love:3.2 loved:2.9 loves:2.7 loving:2.9 nice:1.8 outstanding:3 \
    peace:2.5 peaceful:2.2 perfect:2.7 perfectly:3.2 pleasant:2.3 pleased:1.9 popular:1.8 \
    positive:2.6 praise:2.6 praised:2.2 proud:2.1 recommend:1.5 recommended:0.8 safe:1.9 \
    safer:1.8 safety:1.8 satisfaction:1.9 satisfied:1.8 satisfying:2 secure:1.4 smart:1.7 \
    solid:0.6 splendid:2.8 stable:1.2 strong:2.3 stunning:1.6 success:2.7 successful:2.8 \
    successfully:2.2 superb:3.1 superior:2.5 support:1.7 supported:1.3 sweet:2 thank:1.5 \
    thanks:1.9 thrilled:1.9 trust:2.3 trusted:2.1 useful:1.9 valuable:2.1 value:1.4 vital:1.2 \
    warm:0.9 welcome:2 win:2.8 winner:2.8 wonderful:2.7 worth:0.9 worthwhile:1.4 yay:2.4 \
    yes:1.7";

/// The words that speak badly.
const NEGATIVE: &str = "\
    abuse:-3.2 alarming:-0.5 angry:-2.3 annoy:-1.9 annoyed:-1.6 annoying:-1.7 awful:-2 \
    bad:-2.5 bored:-1.1 boring:-1.3 broke:-1.8 broken:-2.1 complain:-1.5 complained:-1.7 \
    complaining:-0.8 complaint:-1.2 complaints:-1.7 confused:-1.3 confusing:-0.9 crap:-1.6 \
    critic:-1.1 criticism:-1.9 criticized:-1.5 damage:-2.2 damaged:-1.9 damages:-1.9 \
    danger:-2.4 dangerous:-2.1 dead:-3.3 destroy:-2.5 destroyed:-2.2 die:-2.9 difficult:-1.5 \
    difficulty:-1.4 disagree:-1.6 disappointed:-2.1 disappointing:-2.2 disappointment:-2.3 \
    disappoints:-1.6 disaster:-3.1 dislike:-1.6 disliked:-1.7 distrust:-1.8 doubt:-1.5 \
    doubtful:-1.4 doubts:-1.2 dumb:-2.3 evil:-3.4 fail:-2.5 failed:-2.3 failing:-2.3 \
    fails:-1.8 failure:-2.3 failures:-2 fake:-2.1 fear:-2.2 fraud:-2.8 frustrated:-2.4 \
    frustrating:-1.9 frustration:-2.1 harsh:-1.9 hate:-2.7 hated:-3.2 hates:-1.9 hell:-3.6 \
    hopeless:-2 horrible:-2.5 horrid:-2.5 horrific:-3.4 hurt:-2.4 hurts:-2.1 ill:-1.8 \
    inferior:-1.7 insecure:-1.8 kill:-3.7 killed:-3.5 lame:-1.8 lied:-1.6 lies:-1.8 loose:-1.3 \
    lose:-1.7 loses:-1.3 losing:-1.6 loss:-1.3 lost:-1.3 lying:-2.4 mad:-2.2 mess:-1.5 \
    messy:-1.5 miserable:-2.2 mistake:-1.4 mistakes:-1.5 negative:-2.7 no:-1.2 noisy:-0.7 \
    pain:-2.3 painful:-1.9 pathetic:-2.7 pity:-1.2 poor:-2.1 problem:-1.7 problems:-1.7 \
    regret:-1.8 regrets:-1.5 regretted:-1.6 reject:-1.7 rejected:-2.3 ridiculous:-1.5 \
    risk:-1.1 risks:-1.1 risky:-0.8 rotten:-2.3 rude:-2 sad:-2.1 scam:-2.7 scary:-2.2 \
    screwed:-2.2 shit:-2.6 shitty:-2.6 sick:-2.3 skeptical:-1.3 sorry:-0.3 stressful:-2.3 \
    struggle:-1.3 struggled:-1.4 struggling:-1.8 stupid:-2.4 suck:-1.9 sucked:-2 sucks:-1.5 \
    terrible:-2.1 terribly:-2.6 threat:-2.4 tragic:-2 trap:-1.3 trouble:-1.7 troubles:-2 \
    troublesome:-2.3 ugh:-1.8 ugly:-2.3 uncomfortable:-1.6 unfair:-2.1 unfortunate:-2 \
    unfortunately:-1.4 unhappy:-1.8 unstable:-1.5 upset:-1.6 useless:-1.8 violate:-2.2 \
    warning:-1.4 waste:-1.8 wasted:-2.2 wasting:-1.7 weak:-1.9 weakness:-1.8 weird:-0.7 \
    worried:-1.2 worries:-1.8 worry:-1.9 worrying:-1.4 worse:-2.1 worst:-3.1 worthless:-1.9 \
    wrong:-2.1 wtf:-2.8";

/// Words that turn the valence of what follows within three words.
const NEGATIONS: &str = "aint arent cannot cant couldnt didnt doesnt dont hadnt hasnt havent isnt \
    neither never none nope nor not nothing nowhere shouldnt wasnt werent without wont wouldnt \
    rarely seldom despite no";

/// Words that strengthen what follows, and words that weaken it.
const BOOSTERS: &str = "absolutely completely considerably deeply enormously entirely especially \
    exceptionally extremely fully greatly highly hugely incredibly more most particularly quite \
    really remarkably so substantially thoroughly totally tremendously truly utterly very";
const DAMPENERS: &str = "almost barely hardly kinda less little marginally occasionally partly \
    scarcely slightly somewhat sorta";

/// The change by a booster, next to the word and at a distance of two and three words.
const BOOST: [f64; 3] = [0.293, 0.293 * 0.95, 0.293 * 0.9];

/// The factor of a negation.
const NEGATION: f64 = -0.74;

/// The factors of what stands before "but", and after it.
const BUT: (f64, f64) = (0.5, 1.5);

/// The constant of the normalisation to -1 to 1: x / sqrt(x² + 15).
const ALPHA: f64 = 15.0;

/// The least valence of a text that takes a side.
pub(super) const TAKES_SIDE: f64 = 0.05;

static RATINGS: LazyLock<BTreeMap<&str, f64>> = LazyLock::new(|| {
    let entries = POSITIVE.split(' ').chain(NEGATIVE.split(' '));
    entries
        .filter_map(|entry| {
            let (word, rating) = entry.split_once(':')?;
            Some((word, rating.parse().ok()?))
        })
        .collect()
});

/// `true` for a word that has a valence.
pub(super) fn is_rated(word: &str) -> bool {
    RATINGS.contains_key(word)
}

/// The valence of a text, -1 to 1.
pub(super) fn valence(text: &str) -> f64 {
    let words: Vec<String> = text.split_whitespace().map(plain).collect();
    let but = words.iter().position(|word| word == "but");
    let mut sum = 0.0;
    for (at, word) in words.iter().enumerate() {
        let Some(rating) = RATINGS.get(word.as_str()) else {
            continue;
        };
        // "No" before a rated word negates it, and has no valence of its own then.
        let is_negation = word == "no" && words.get(at + 1).is_some_and(|next| is_rated(next));
        if is_negation {
            continue;
        }
        let rating = modified(*rating, &words[..at]);
        sum += rating
            * match but {
                Some(but) if at < but => BUT.0,
                Some(_) => BUT.1,
                None => 1.0,
            };
    }
    sum / (sum * sum + ALPHA).sqrt()
}

/// A rating, strengthened, weakened and negated by the three words before it.
fn modified(rating: f64, before: &[String]) -> f64 {
    let mut rating = rating;
    for (distance, word) in before.iter().rev().take(BOOST.len()).enumerate() {
        let is_among = |list: &str| list.split(' ').any(|own| own == word);
        let boost = BOOST[distance] * rating.signum();
        if is_among(BOOSTERS) {
            rating += boost;
        } else if is_among(DAMPENERS) {
            rating -= boost;
        } else if is_among(NEGATIONS) || word.ends_with("n't") {
            rating *= NEGATION;
        }
    }
    rating
}

/// A word in lower case, without the punctuation around it.
fn plain(word: &str) -> String {
    let word = word.replace('\u{2019}', "'").to_lowercase();
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valence_counts_negation_degree_and_but() {
        for (text, is_positive) in [
            ("I love it, best thing I bought.", true),
            ("It isn't good.", false),
            ("Not bad at all!", true),
            ("Great on paper but a terrible disappointment.", false),
            ("No problems so far.", true),
        ] {
            let valence = valence(text);
            assert!(valence.abs() >= TAKES_SIDE, "{text}: {valence}");
            assert_eq!(valence > 0.0, is_positive, "{text}: {valence}");
        }
        assert!(valence("very good") > valence("good"));
        assert!(valence("slightly good") < valence("good"));
        assert_eq!(valence("It was installed in May."), 0.0);
        // The published example of the authors: "VADER is smart, handsome, and funny." is positive.
        assert!(valence("VADER is smart, handsome, and funny.") > TAKES_SIDE);
    }
}
