//! Opposites: words that exclude each other when they are said of the same thing. English;
//! collected by hand, as the lists of [`super::lexicon`].

use std::sync::LazyLock;

use foldhash::HashMap;

use crate::text;

/// Of what the words of a row exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::cite) enum Kind {
    /// Of anything, in any form of them: a direction, an order or a state.
    Any,
    /// Of what a thing is said to be, "is heavier": before a noun they tell one thing from another,
    /// "light jackets", and some have other senses, "works hard".
    Quality,
    /// Of an amount: it is enough, or too little.
    Amount,
    /// Of a thing: who has it, or gives it to somebody else.
    Possession,
}

/// Two sides of which the words of one exclude those of the other; spaces separate the words.
#[derive(Clone, Copy)]
struct Row {
    kind: Kind,
    one: &'static str,
    other: &'static str,
    /// `true` for states or directions of one thing; others, such as "north" and "south", more
    /// often belong to different things.
    is_state: bool,
    /// `true` if one side is the negation of the other: what is not allowed is forbidden, and what
    /// is not cheap need not be expensive.
    is_complement: bool,
}

const fn row(one: &'static str, other: &'static str) -> Row {
    Row {
        kind: Kind::Any,
        one,
        other,
        is_state: false,
        is_complement: false,
    }
}

impl Row {
    const fn of(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    const fn state(self) -> Self {
        Self {
            is_state: true,
            ..self
        }
    }

    const fn complement(self) -> Self {
        Self {
            is_complement: true,
            ..self
        }
    }
}

/// The row of what rises and falls.
pub(in crate::cite) const CHANGE: usize = 0;

const OPPOSITES: &[Row] = &[
    row(
        "increase rise grow climb gain higher more greater exceed improve larger \
         expand accelerate raise surge upward",
        "decrease fall decline drop lose lower less fewer reduce worsen smaller shrink \
         slow sink downward diminish",
    )
    .state(),
    row("recommend advise", "discourage dissuade"),
    row("before precede earlier prior", "after follow later"),
    row("first begin start", "last end finish"),
    row(
        "maximum most highest largest best",
        "minimum least lowest smallest worst",
    ),
    row(
        "accept approve adopt allow permit grant",
        "reject refuse forbid prohibit disallow withdraw deny ban decline",
    )
    .complement()
    .state(),
    row("postpone delay defer", "forward hasten expedite"),
    row("present", "absent").complement(),
    row("better", "worse"),
    row("stable", "unstable").complement().state(),
    row("require mandatory necessary", "optional unnecessary")
        .complement()
        .state(),
    row("enable", "disable").complement().state(),
    row("support", "unsupported").state(),
    row("safe", "unsafe dangerous").complement().state(),
    row("cheap cheaper", "expensive dearer").state(),
    row("fast faster quickly quicker", "slow slower slowly"),
    row("true correct right", "false wrong incorrect")
        .complement()
        .state(),
    row("win victory", "loss lose defeat"),
    row("surplus profit", "deficit shortfall"),
    row(
        "usually often generally typically mostly always all many",
        "rarely seldom hardly few never none",
    ),
    row("open", "close"),
    row("import", "export"),
    row("internal inside inner", "external outside outer"),
    row("north northern", "south southern"),
    row("east eastern", "west western"),
    row("positive", "negative"),
    row("hot warm hotter warmer", "cold cool colder cooler"),
    row("early", "late"),
    row("strong stronger", "weak weaker"),
    row("public", "private"),
    row("male", "female"),
    row("left", "right"),
    row("upper", "lower"),
    row("long longer", "short shorter"),
    row("high", "low"),
    row("highly extremely", "mildly slightly marginally barely"),
    row("suitable", "unsuitable").complement().state(),
    row("laminar", "turbulent"),
    row("subsonic", "supersonic hypersonic"),
    row("resistant immune", "susceptible vulnerable").state(),
    row("legal", "illegal").complement().state(),
    row("active", "inactive").complement(),
    row("mutable", "immutable").complement(),
    row("static", "dynamic"),
    row("explicit explicitly", "implicit implicitly"),
    row("synchronous", "asynchronous"),
    row("signed", "unsigned"),
    row("sized", "unsized"),
    row("full filled", "free empty"),
    row("extend lengthen prolong", "shorten curtail"),
    row("include contain", "exclude lack").complement(),
    row("appear", "disappear"),
    row("add attach", "remove detach"),
    row("pass succeed", "fail"),
    row("widen broaden", "narrow"),
    row("absorb", "reflect"),
    row("hire employ", "dismiss"),
    row("exist remain", "abolish repeal revoke scrap discontinue").state(),
    row("heavy heavier heaviest", "light lighter lightest").of(Kind::Quality),
    row("thick thicker", "thin thinner").of(Kind::Quality),
    row("wide wider", "narrow narrower").of(Kind::Quality),
    row("deep deeper", "shallow shallower").of(Kind::Quality),
    row("hard harder", "soft softer").of(Kind::Quality),
    row("rough rougher", "smooth smoother").of(Kind::Quality),
    row("wet wetter", "dry drier").of(Kind::Quality),
    row("clean cleaner", "dirty dirtier").of(Kind::Quality),
    row("loud louder noisy noisier", "quiet quieter silent").of(Kind::Quality),
    row("difficult hard harder", "easy easier").of(Kind::Quality),
    row("tight tighter", "loose looser").of(Kind::Quality),
    row("rich richer", "poor poorer").of(Kind::Quality),
    row("bright brighter", "dim dimmer").of(Kind::Quality),
    row("permanent", "temporary").of(Kind::Quality),
    row("acid acidic", "alkaline").of(Kind::Quality),
    row("solid", "liquid").of(Kind::Quality),
    row("vertical", "horizontal").of(Kind::Quality),
    row(
        "enough sufficient suffice suffices adequate",
        "insufficient inadequate",
    )
    .of(Kind::Amount),
    row(
        "has have holds hold keeps keep owns",
        "gave given handed passed lent sold returned \
         transferred",
    )
    .of(Kind::Possession),
];

/// The rows that a word belongs to, each with `true` for its first side.
pub(in crate::cite) type Sides = &'static [(usize, bool)];

/// The rows of one kind of a word: of [`Kind::Any`] by its stem, of the others as it is folded.
pub(in crate::cite) fn sides_of(kind: Kind, word: &str) -> Sides {
    type Table = HashMap<String, Vec<(usize, bool)>>;
    static SIDES: LazyLock<HashMap<Kind, Table>> = LazyLock::new(|| {
        let mut tables: HashMap<Kind, Table> = HashMap::default();
        for (number, row) in OPPOSITES.iter().enumerate() {
            for (words, side) in [(row.one, true), (row.other, false)] {
                for word in words.split_whitespace() {
                    let word = match row.kind {
                        Kind::Any => text::stem(word),
                        _ => word.to_owned(),
                    };
                    let table = tables.entry(row.kind).or_default();
                    table.entry(word).or_default().push((number, side));
                }
            }
        }
        tables
    });
    let sides = SIDES.get(&kind).and_then(|table| table.get(word));
    sides.map_or(&[], Vec::as_slice)
}

/// The rows of anything that a stem belongs to.
pub(in crate::cite) fn sides(stem: &str) -> Sides {
    sides_of(Kind::Any, stem)
}

/// The side of a folded word in the one row of a kind; `None` if it is in none.
pub(in crate::cite) fn side(kind: Kind, folded: &str) -> Option<bool> {
    sides_of(kind, folded).first().map(|(_, side)| *side)
}

/// `true` if one of two words stands on the side of a row that excludes the other word, and not on
/// both.
pub(in crate::cite) fn exclude(one: Sides, other: Sides) -> bool {
    one.iter()
        .any(|(row, side)| other.contains(&(*row, !side)) && !other.contains(&(*row, *side)))
}

/// `true` if two folded words are opposite qualities.
pub(in crate::cite) fn are_qualities(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|word| sides_of(Kind::Quality, word));
    exclude(one, other)
}

/// `true` for a word of a quality that has an opposite: what is not said to be hard may be soft.
pub(in crate::cite) fn is_quality(folded: &str) -> bool {
    !sides_of(Kind::Quality, folded).is_empty()
}

/// The quality that an adjective or a comparative says something of, by the first word of its row,
/// and on which side of it: "cheap" and `false` for "expensive"; `None` for any other word.
pub(in crate::cite) fn scale(folded: &str) -> Option<(String, bool)> {
    let of_any = sides(&text::stem(folded)).first();
    let (row, side) = of_any.or_else(|| sides_of(Kind::Quality, folded).first())?;
    let first = OPPOSITES[*row].one.split(' ').next()?;
    Some((first.to_owned(), *side))
}

/// `true` for the stem of a word that says that something rises or falls.
pub(in crate::cite) fn is_change(stem: &str) -> bool {
    sides(stem).iter().any(|(row, _)| *row == CHANGE)
}

/// `true` if a stem is a state that excludes its opposite.
pub(in crate::cite) fn are_states(stem: &str) -> bool {
    sides(stem).iter().any(|(row, _)| OPPOSITES[*row].is_state)
}

/// `true` for a row of which one side is the negation of the other.
pub(in crate::cite) fn are_complements(row: usize) -> bool {
    OPPOSITES[row].is_complement
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
