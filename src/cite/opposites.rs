//! Opposites: words that exclude each other when they are said of the same thing. English;
//! collected by hand, as the lists of [`super::lexicon`].

use std::sync::LazyLock;

use foldhash::HashMap;

use crate::text;

/// Words that exclude each other when they are said of the same thing: of a direction, an order or
/// a state. The words of a side are separated by spaces.
const OPPOSITES: &[(&str, &str)] = &[
    (
        "increase rise grow climb gain higher more greater exceed improve larger \
         expand accelerate raise surge upward",
        "decrease fall decline drop lose lower less fewer reduce worsen smaller shrink \
         slow sink downward diminish",
    ),
    ("before precede earlier prior", "after follow later"),
    ("first begin start", "last end finish"),
    (
        "maximum most highest largest best",
        "minimum least lowest smallest worst",
    ),
    (
        "accept approve adopt allow permit grant",
        "reject refuse forbid prohibit disallow withdraw deny ban decline",
    ),
    ("postpone delay defer", "forward hasten expedite"),
    ("present", "absent"),
    ("better", "worse"),
    ("stable", "unstable"),
    ("require mandatory necessary", "optional unnecessary"),
    ("enable", "disable"),
    ("support", "unsupported"),
    ("safe", "unsafe dangerous"),
    ("cheap cheaper", "expensive dearer"),
    ("fast faster quickly quicker", "slow slower slowly"),
    ("true correct right", "false wrong incorrect"),
    ("win victory", "loss lose defeat"),
    ("surplus profit", "deficit shortfall"),
    (
        "usually often generally typically mostly always all many",
        "rarely seldom hardly few never none",
    ),
    ("open", "close"),
    ("import", "export"),
    ("internal inside inner", "external outside outer"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("positive", "negative"),
    ("hot warm hotter warmer", "cold cool colder cooler"),
    ("early", "late"),
    ("strong stronger", "weak weaker"),
    ("public", "private"),
    ("male", "female"),
    ("left", "right"),
    ("upper", "lower"),
    ("long longer", "short shorter"),
    ("high", "low"),
    ("highly extremely", "mildly slightly marginally barely"),
    ("suitable", "unsuitable"),
    ("laminar", "turbulent"),
    ("subsonic", "supersonic hypersonic"),
    ("legal", "illegal"),
    ("active", "inactive"),
    ("mutable", "immutable"),
    ("static", "dynamic"),
    ("explicit explicitly", "implicit implicitly"),
    ("synchronous", "asynchronous"),
    ("signed", "unsigned"),
    ("sized", "unsized"),
    ("full filled", "free empty"),
    ("extend lengthen prolong", "shorten curtail"),
    ("include contain", "exclude lack"),
    ("appear", "disappear"),
    ("add attach", "remove detach"),
    ("pass succeed", "fail"),
    ("widen broaden", "narrow"),
    ("absorb", "reflect"),
    ("hire employ", "dismiss"),
    ("exist remain", "abolish repeal revoke scrap discontinue"),
];

/// Qualities that exclude each other as what a thing is said to be, "is heavier": before a noun
/// they tell one thing from another, "light jackets", and some have other senses, "works hard".
const QUALITIES: &[(&str, &str)] = &[
    ("heavy heavier heaviest", "light lighter lightest"),
    ("thick thicker", "thin thinner"),
    ("wide wider", "narrow narrower"),
    ("deep deeper", "shallow shallower"),
    ("hard harder", "soft softer"),
    ("rough rougher", "smooth smoother"),
    ("wet wetter", "dry drier"),
    ("clean cleaner", "dirty dirtier"),
    ("loud louder noisy noisier", "quiet quieter silent"),
    ("difficult hard harder", "easy easier"),
    ("tight tighter", "loose looser"),
    ("rich richer", "poor poorer"),
    ("bright brighter", "dim dimmer"),
    ("permanent", "temporary"),
    ("acid acidic", "alkaline"),
    ("solid", "liquid"),
    ("vertical", "horizontal"),
];

/// `true` if two folded words are opposite qualities.
pub(super) fn are_qualities(one: &str, other: &str) -> bool {
    let has = |side: &str, word: &str| side.split(' ').any(|own| own == word);
    let mut rows = QUALITIES.iter();
    rows.any(|(left, right)| {
        has(left, one) && has(right, other) || has(right, one) && has(left, other)
    })
}

/// The quality that an adjective or a comparative says something of, by the first word of its row,
/// and on which side of it: "cheap" and `false` for "expensive"; `None` for any other word.
pub(super) fn scale(folded: &str) -> Option<(String, bool)> {
    let first = |words: &str| words.split(' ').next().map(str::to_owned);
    if let Some((row, side)) = sides(&text::stem(folded)).first() {
        return Some((first(OPPOSITES[*row].0)?, *side));
    }
    let has = |side: &str| side.split(' ').any(|own| own == folded);
    QUALITIES.iter().find_map(|(one, other)| {
        let side = has(one);
        (side || has(other)).then(|| Some((first(one)?, side)))?
    })
}

/// `true` for a word of a quality that has an opposite: what is not said to be hard may be soft.
pub(super) fn is_quality(folded: &str) -> bool {
    let mut sides = QUALITIES.iter().flat_map(|(one, other)| [one, other]);
    sides.any(|side| side.split(' ').any(|own| own == folded))
}

/// The rows and sides of [`OPPOSITES`] that a stem belongs to.
pub(super) fn sides(stem: &str) -> &'static [(usize, bool)] {
    static SIDES: LazyLock<HashMap<String, Vec<(usize, bool)>>> = LazyLock::new(|| {
        let mut sides: HashMap<String, Vec<(usize, bool)>> = HashMap::default();
        for (row, (one, other)) in OPPOSITES.iter().enumerate() {
            for (words, side) in [(one, true), (other, false)] {
                for word in words.split_whitespace() {
                    sides.entry(text::stem(word)).or_default().push((row, side));
                }
            }
        }
        sides
    });
    SIDES.get(stem).map_or(&[], Vec::as_slice)
}

/// `true` for the stem of a word that says that something rises or falls.
pub(super) fn is_change(stem: &str) -> bool {
    sides(stem).iter().any(|(row, _)| *row == 0)
}

/// The first words of the rows of [`OPPOSITES`] that are states or directions of one thing; the
/// others, such as "north" and "south", more often belong to different things.
const STATES: &[&str] = &[
    "increase", "accept", "stable", "require", "enable", "support", "safe", "true", "suitable",
    "legal", "cheap", "exist",
];

/// `true` if a stem is a state that excludes its opposite.
pub(super) fn are_states(stem: &str) -> bool {
    sides(stem).iter().any(|(row, _)| {
        let words = OPPOSITES
            .get(*row)
            .and_then(|(one, _)| one.split(' ').next());
        words.is_some_and(|first| STATES.contains(&first))
    })
}

/// The first words of the rows of [`OPPOSITES`] of which one side is the negation of the other:
/// what is not allowed is forbidden, and what is not cheap need not be expensive.
const COMPLEMENTS: &[&str] = &[
    "accept", "present", "stable", "require", "enable", "safe", "true", "suitable", "legal",
    "active", "mutable", "include",
];

/// `true` for a row of [`OPPOSITES`] of which one side is the negation of the other.
pub(super) fn are_complements(row: usize) -> bool {
    let first = OPPOSITES[row].0.split(' ').next();
    first.is_some_and(|first| COMPLEMENTS.contains(&first))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn an_opposite_state_or_direction_is_not_supported() {
        let hall = "The hall is free of asbestos. Handwritten passes are not allowed.";
        let notice = "The board decided to shorten the notice from 2 weeks to 1 week.";
        let choice = "New editions are opt in for each package.";
        assert_supported(&[
            ("The hall is full of asbestos.", hall, false),
            ("There is asbestos in the hall.", hall, false),
            (
                "The notice was extended from 1 week to 2 weeks.",
                notice,
                false,
            ),
            (
                "The notice was changed from 1 week to 2 weeks.",
                notice,
                false,
            ),
            ("New editions are opt out for each package.", choice, false),
            ("There is no asbestos in the hall.", hall, true),
            ("Handwritten passes are forbidden.", hall, true),
            (
                "The notice was shortened from two weeks to one week.",
                notice,
                true,
            ),
            ("New editions are opt in.", choice, true),
        ]);
    }
}
