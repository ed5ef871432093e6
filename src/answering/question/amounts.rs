//! The wording of a question for an amount: how long something lasts, how much it costs, how often
//! it is, how two things differ.

use super::wording::{AUXILIARIES, Wording};
use crate::text::{self, Language};

/// Nouns for what there is much of that end as a comparative does (a closed list, written by hand).
const NOUNS_IN_ER: &[&str] = &[
    "amber", "butter", "cider", "copper", "cover", "fiber", "ginger", "leather", "litter",
    "lumber", "paper", "pepper", "plaster", "powder", "power", "rubber", "silver", "solder",
    "timber", "water",
];

/// Currencies.
pub(in crate::answering) const CURRENCIES: &[&str] = &[
    "dollar", "dollars", "eur", "euro", "euros", "francs", "gbp", "kroner", "pound", "pounds",
    "usd",
];

/// Verbs that say that something becomes more or less.
const CHANGES: &[&str] = &[
    "change", "cut", "cuts", "decrease", "drop", "extend", "fall", "gain", "grow", "improve",
    "increase", "lengthen", "lower", "raise", "reduce", "rise", "save", "shorten", "slow",
];

/// Nouns for what became more or less.
const NOUNS_OF_CHANGE: &[&str] = &[
    "difference",
    "discount",
    "growth",
    "improvement",
    "reduction",
    "saving",
    "savings",
];

impl Wording {
    /// `true` if it asks for how long something is or lasts, or within which time one has to do it:
    /// "How quickly must I answer?"
    pub(in crate::answering) fn asks_for_duration(&self) -> bool {
        matches!(
            self.words()[..],
            ["how", "long", _, ..]
                | ["how", "quickly" | "soon", "must" | "should", ..]
                | ["how", "quickly" | "soon", "do", _, "have" | "need", ..]
        )
    }

    /// `true` if it asks for how long somebody does something, or something is done: "How long does
    /// a member serve?"
    pub(in crate::answering) fn asks_how_long_somebody_does(&self) -> bool {
        match self.words()[..] {
            ["how", "long", auxiliary, _, _, ..] => {
                !matches!(auxiliary, "has" | "have") && AUXILIARIES.contains(&auxiliary)
            }
            _ => false,
        }
    }

    /// `true` if it asks for a price without a word for it: "How much is a day ticket?"
    pub(in crate::answering) fn asks_for_price(&self) -> bool {
        matches!(
            self.words()[..],
            ["how", "much", "is" | "are" | "was" | "were", ..]
        )
    }

    /// `true` if it asks how often something is.
    pub(in crate::answering) fn asks_for_frequency(&self) -> bool {
        let words = self.words();
        let mut pairs = words.windows(2);
        pairs.any(|pair| pair == ["how", "often"]) || self.times().is_some()
    }

    /// The word "times" of a question for how often something is: "How many times a day?"
    pub(in crate::answering) fn times(&self) -> Option<&str> {
        let words = self.words();
        words.windows(4).find_map(|own| match *own {
            ["how", "many", times @ "times", "a" | "an" | "each" | "per"] => Some(times),
            _ => None,
        })
    }

    /// `true` if it asks for how much two things differ: "How much faster is it?", "By what factor
    /// is it faster?"
    pub(in crate::answering) fn asks_for_difference(&self) -> bool {
        self.comparative().is_some() || self.factor().is_some()
    }

    /// The comparative of a question for how much two things differ: "faster" in "How much faster?"
    pub(in crate::answering) fn comparative(&self) -> Option<&str> {
        let words = self.words();
        words.windows(3).find_map(|own| match *own {
            ["how", "much" | "far", word] if is_comparative(word) => Some(word),
            _ => None,
        })
    }

    /// The word "factor" of a question for one: "By what factor does it grow?"
    pub(in crate::answering) fn factor(&self) -> Option<&str> {
        let words = self.words();
        words.windows(3).find_map(|own| match *own {
            ["by", "what" | "which", factor @ "factor"] => Some(factor),
            _ => None,
        })
    }

    /// The adverb of a question for a degree, whose answer has another one: "How well does it
    /// hold?" "It holds very closely."
    pub(in crate::answering) fn degree(&self) -> Option<&str> {
        let words = self.words();
        words.windows(2).find_map(|pair| match *pair {
            ["how", degree @ ("well" | "closely")] => Some(degree),
            _ => None,
        })
    }

    /// The adjective of a question for a measure whose answer does without it: "How high is the
    /// rent?" is answered by an amount. "Loud" and "cold" tell what is measured, and stay.
    pub(in crate::answering) fn measured(&self) -> Option<&str> {
        match self.words()[..] {
            ["how", adjective, verb, ..] if text::is_stop_word(verb) => {
                let is_general = matches!(
                    adjective,
                    "high" | "big" | "large" | "great" | "quickly" | "soon"
                );
                is_general.then_some(adjective)
            }
            _ => None,
        }
    }

    /// `true` if it asks how many of a thing there are, of which it names nothing else: "How many
    /// containers are there?"
    pub(in crate::answering) fn counts_all(&self) -> bool {
        let words = self.words();
        let end = [&["in", "all"][..], &["in", "total"], &["altogether"]];
        let end = end.into_iter().find(|end| words.ends_with(end));
        let words = &words[..words.len() - end.map_or(0, <[&str]>::len)];
        words.starts_with(&["how", "many"])
            && matches!(words, [.., "are" | "were", "there"])
            && !words.contains(&"of")
    }

    /// The currency in which it asks for an amount, "What does it cost in euros?": each amount has
    /// one.
    pub(in crate::answering) fn currency(&self) -> Option<&str> {
        let words = self.words();
        words.windows(2).find_map(|pair| match *pair {
            ["in", currency] if CURRENCIES.contains(&currency) => Some(currency),
            _ => None,
        })
    }

    /// `true` if it asks by how much something becomes more or less: "How much does an afterburner
    /// raise the noise?"
    pub(in crate::answering) fn asks_for_change(&self) -> bool {
        let words = self.words();
        let how = words.iter().position(|word| *word == "how");
        how.is_some_and(|how| match words[how..] {
            [_, "much" | "far", ref rest @ ..] => rest.iter().any(|word| CHANGES.contains(word)),
            _ => false,
        })
    }

    /// `true` if it has a word for a change: "What is the increase?"
    pub(in crate::answering) fn names_change(&self) -> bool {
        let is_change = |word: &str| {
            let stem = Language::default().stem(word, word);
            CHANGES.contains(&word)
                || CHANGES.contains(&stem.as_str())
                || NOUNS_OF_CHANGE.contains(&word)
        };
        self.words().into_iter().any(is_change)
    }
}

/// `true` for a folded word such as "faster" or "less".
fn is_comparative(word: &str) -> bool {
    matches!(word, "less" | "more" | "extra" | "better" | "worse")
        || word.ends_with("er") && word.len() > 4 && !NOUNS_IN_ER.contains(&word)
}
