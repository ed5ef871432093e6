//! Words of a question for an amount: how long something lasts, how much it costs, how often it is,
//! how two things differ. They frame the question, as those of [`super::frame`] do.

use super::frame::AUXILIARIES;
use crate::text::{self, Language, folded};

/// `true` if a question asks for how long something is or lasts, or within which time one has to do
/// it: "How quickly must I answer?"
pub(super) fn asks_for_duration(question: &str) -> bool {
    let words = folded(question);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        words[..],
        ["how", "long", _, ..]
            | ["how", "quickly" | "soon", "must" | "should", ..]
            | ["how", "quickly" | "soon", "do", _, "have" | "need", ..]
    )
}

/// `true` if a question asks for how long somebody does something, or something is done: "How long
/// does a member serve?"
pub(super) fn asks_how_long_somebody_does(question: &str) -> bool {
    let words = folded(question);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["how", "long", auxiliary, _, _, ..] => {
            !matches!(auxiliary, "has" | "have") && AUXILIARIES.contains(&auxiliary)
        }
        _ => false,
    }
}

/// `true` if a question asks for a price without a word for it: "How much is a day ticket?"
pub(super) fn asks_for_price(question: &str) -> bool {
    let mut words = text::words(question).map(|word| text::fold(word.text));
    let mut is = |all: &[&str]| {
        words
            .next()
            .is_some_and(|word| all.contains(&word.as_str()))
    };
    is(&["how"]) && is(&["much"]) && is(&["is", "are", "was", "were"])
}

/// `true` if a question asks how often something is.
pub(super) fn asks_for_frequency(question: &str) -> bool {
    question.to_lowercase().contains("how often ") || times(question).is_some()
}

/// The word "times" of a question for how often something is: "How many times a day?"
pub(super) fn times(question: &str) -> Option<String> {
    let words = folded(question);
    let mut windows = words.windows(4);
    let is_asking = |own: &[String]| {
        own[0] == "how" && own[1] == "many" && matches!(&*own[3], "a" | "an" | "each" | "per")
    };
    windows
        .any(|own| own[2] == "times" && is_asking(own))
        .then(|| "times".to_owned())
}

/// Nouns for what there is much of that end as a comparative does (a closed list, written by hand).
const NOUNS_IN_ER: &[&str] = &[
    "amber", "butter", "cider", "copper", "cover", "fiber", "ginger", "leather", "litter",
    "lumber", "paper", "pepper", "plaster", "powder", "power", "rubber", "silver", "solder",
    "timber", "water",
];

/// `true` for a folded word such as "faster".
fn is_comparative(word: &str) -> bool {
    word.ends_with("er") && word.len() > 4 && !NOUNS_IN_ER.contains(&word)
}

/// `true` if a question asks for how much two things differ: "How much faster is it?", "By what
/// factor is it faster?"
pub(super) fn asks_for_difference(question: &str) -> bool {
    comparative(question).is_some() || factor(question).is_some()
}

/// The comparative of a question for how much two things differ: "faster" in "How much faster?"
pub(super) fn comparative(question: &str) -> Option<String> {
    let words = folded(question);
    let compares = |word: &str| {
        is_comparative(word) || matches!(word, "less" | "more" | "extra" | "better" | "worse")
    };
    let compared = words.windows(3).find(|window| {
        window[0] == "how" && matches!(window[1].as_str(), "much" | "far") && compares(&window[2])
    });
    compared.map(|window| window[2].clone())
}

/// The word "factor" of a question for one: "By what factor does it grow?"
pub(super) fn factor(question: &str) -> Option<String> {
    let mut words = folded(question).into_iter().skip_while(|word| word != "by");
    let asks = matches!(words.nth(1).as_deref(), Some("what" | "which"));
    words.next().filter(|word| asks && word == "factor")
}

/// The adverb of a question for a degree, whose answer has another one: "How well does it hold?"
/// "It holds very closely."
pub(super) fn degree(question: &str) -> Option<String> {
    let words = folded(question);
    let mut pairs = words.windows(2);
    let degree = pairs.find(|pair| pair[0] == "how" && matches!(&*pair[1], "well" | "closely"));
    degree.map(|pair| pair[1].clone())
}

/// The adjective of a question for a measure whose answer does without it: "How high is the rent?"
/// is answered by an amount. "Loud" and "cold" tell what is measured, and stay.
pub(super) fn measured(question: &str) -> Option<String> {
    let words: Vec<String> = text::words(question)
        .map(|word| text::fold(word.text))
        .take(3)
        .collect();
    let [how, adjective, verb] = words.as_slice() else {
        return None;
    };
    let is_general = matches!(
        adjective.as_str(),
        "high" | "big" | "large" | "great" | "quickly" | "soon"
    );
    (how == "how" && is_general && text::is_stop_word(verb)).then(|| adjective.clone())
}

/// Currencies.
const CURRENCIES: &[&str] = &[
    "dollar", "dollars", "eur", "euro", "euros", "gbp", "pound", "pounds", "usd",
];

/// The currency in which a question asks for an amount, "What does it cost in euros?": each amount
/// has one.
pub(super) fn currency(question: &str) -> Option<String> {
    let words = folded(question);
    let mut pairs = words.windows(2);
    let pair = pairs.find(|pair| pair[0] == "in" && CURRENCIES.contains(&pair[1].as_str()));
    pair.map(|pair| pair[1].clone())
}

/// Verbs that say that something becomes more or less.
const CHANGES: &[&str] = &[
    "change", "cut", "cuts", "decrease", "drop", "extend", "fall", "gain", "grow", "improve",
    "increase", "lengthen", "lower", "raise", "reduce", "rise", "save", "shorten", "slow",
];

/// `true` if a question asks by how much something becomes more or less: "How much does an
/// afterburner raise the noise?"
pub(super) fn asks_for_change(question: &str) -> bool {
    let words = folded(question);
    let mut words = words.iter().map(String::as_str);
    let is_quantity = words.any(|word| word == "how")
        && words
            .next()
            .is_some_and(|word| matches!(word, "much" | "far"));
    is_quantity && words.any(|word| CHANGES.contains(&word))
}

/// `true` if a question has a word for a change: "What is the increase?"
pub(super) fn names_change(question: &str) -> bool {
    const NOUNS: &[&str] = &[
        "difference",
        "discount",
        "growth",
        "improvement",
        "reduction",
        "saving",
        "savings",
    ];
    let words = folded(question);
    let is_change = |word: &str| {
        let stem = Language::default().stem(word, word);
        CHANGES.contains(&word) || CHANGES.contains(&stem.as_str()) || NOUNS.contains(&word)
    };
    words.iter().any(|word| is_change(word))
}
