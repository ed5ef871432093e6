//! What a sentence says of several words of a claim at once, in another form: a year says its
//! century, a month its quarter, and initials the words that begin with them.

use super::alignment::SYNONYM;
use super::statement::figure::Figure;
use super::statement::{ContentWord, Statement};
use crate::text;

/// The value of the words whose initials a sentence has.
const INITIALS: f64 = 0.9;

/// The lengths of initials without capitals in the words that they stand for.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=5;

/// The value of the other names of one of which a sentence has the last: too little to say them.
const LAST_NAME: f64 = 0.5;

/// The least length of the parts of a word.
const LEAST_PART: usize = 3;

/// The number of months of a quarter.
const QUARTER_MONTHS: usize = 3;

/// A verb and its particle, and the verbs that say the same; spaces separate their forms.
struct Phrase {
    verb: &'static str,
    particle: &'static str,
    said_by: &'static str,
}

/// A closed list, written by hand.
const PHRASES: &[Phrase] = &[
    Phrase {
        verb: "put puts",
        particle: "off",
        said_by: "postpone postpones postponed defer defers deferred delay delays delayed",
    },
    Phrase {
        verb: "call calls called",
        particle: "off",
        said_by: "cancel cancels cancelled canceled",
    },
    Phrase {
        verb: "carry carries carried",
        particle: "out",
        said_by: "perform performs performed conduct conducts conducted",
    },
    Phrase {
        verb: "turn turns turned",
        particle: "down",
        said_by: "reject rejects rejected refuse refuses refused decline declines declined",
    },
    Phrase {
        verb: "set sets",
        particle: "up",
        said_by: "establish establishes established found founds founded",
    },
];

/// The words of a claim that a sentence says so, by their index, each with the value of the match.
pub(super) fn said(claim: &Statement, own: &Statement) -> Vec<(usize, f64)> {
    let pairs = claim.words.windows(2).enumerate();
    let periods = pairs.filter(|(_, pair)| pair[1].position == pair[0].position + 1);
    let periods = periods.filter(|(_, pair)| says_period(pair, own));
    let periods = periods.flat_map(|(at, _)| [(at, 1.0), (at + 1, 1.0)]);
    let said = periods
        .chain(by_initials(claim, own))
        .chain(by_last_name(claim, own));
    said.chain(written_apart(claim, own))
        .chain(written_as_one(claim, own))
        .chain(by_phrase(claim, own))
        .collect()
}

/// The verbs that a sentence says by a verb and its particle, or the other way round: "postponed"
/// for "put off".
fn by_phrase<'a>(
    claim: &'a Statement,
    own: &'a Statement,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let words = claim.words.iter().enumerate();
    let words = words.filter(|(_, word)| {
        PHRASES.iter().any(|phrase| {
            let says = |own: &Statement| own.words.iter().any(|own| phrase.is_said_by(&own.folded));
            phrase.is_said_by(&word.folded) && phrase.is_in(own)
                || phrase.begins_with(&word.folded) && phrase.is_in(claim) && says(own)
        })
    });
    words.map(|(at, _)| (at, SYNONYM))
}

impl Phrase {
    fn begins_with(&self, folded: &str) -> bool {
        self.verb.split(' ').any(|own| own == folded)
    }

    /// `true` if its words stand in a statement one after the other.
    fn is_in(&self, statement: &Statement) -> bool {
        let tokens: Vec<&str> = statement.normal.split(' ').collect();
        let mut pairs = tokens.windows(2);
        pairs.any(|pair| self.begins_with(pair[0]) && pair[1] == self.particle)
    }

    /// `true` if another verb says it.
    fn is_said_by(&self, folded: &str) -> bool {
        self.said_by.split(' ').any(|own| own == folded)
    }
}

/// The other names of one of which a sentence has the last: "Donald Trump" for "Trump".
fn by_last_name<'a>(
    claim: &'a Statement,
    own: &'a Statement,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let words = &claim.words;
    let is_joined = |at: usize| {
        let [one, next] = [&words[at], &words[at + 1]];
        next.is_name && next.position == one.position + 1 && !next.follows_mark
    };
    let names = (0..words.len().saturating_sub(1)).filter(move |at| {
        // The first word of a sentence has a capital in any case.
        let is_name = words[*at].is_name || words[*at].position == 0;
        let last = (*at..words.len() - 1)
            .take_while(|at| is_joined(*at))
            .last();
        let last = last.map(|last| &words[last + 1]).filter(|_| is_name);
        last.is_some_and(|last| {
            own.words
                .iter()
                .any(|word| word.is_name && word.stem == last.stem)
        })
    });
    names.map(|at| (at, LAST_NAME))
}

/// A word that a sentence writes as two: "spacetime" for "space-time".
fn written_apart<'a>(
    claim: &'a Statement,
    own: &'a Statement,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let words = claim.words.iter().enumerate();
    let words = words.filter(|(_, word)| {
        let mut pairs = own.words.windows(2);
        pairs.any(|pair| are_parts(pair, word))
    });
    words.map(|(at, _)| (at, 1.0))
}

/// Two words that a sentence writes as one.
fn written_as_one<'a>(
    claim: &'a Statement,
    own: &'a Statement,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let pairs = claim.words.windows(2).enumerate();
    let pairs = pairs.filter(|(_, pair)| own.words.iter().any(|word| are_parts(pair, word)));
    pairs.flat_map(|(at, _)| [(at, 1.0), (at + 1, 1.0)])
}

/// `true` if two words in a row are another one written apart.
fn are_parts(pair: &[ContentWord], whole: &ContentWord) -> bool {
    let is_next = pair[1].position == pair[0].position + 1 && !pair[1].follows_mark;
    let rest = whole.stem.strip_prefix(&*pair[0].folded);
    let are_words = pair.iter().all(|word| word.folded.len() >= LEAST_PART);
    is_next && are_words && rest == Some(&*pair[1].stem)
}

/// `true` if a sentence has a year of "16th century" or a month of "third quarter".
fn says_period(pair: &[ContentWord], own: &Statement) -> bool {
    let Ok(ordinal) = pair[0].stem.parse::<usize>() else {
        return false;
    };
    match pair[1].folded.as_str() {
        "century" => own
            .figures
            .iter()
            .any(|year| century(year) == Some(ordinal)),
        "quarter" => {
            let of_quarter = |word: &ContentWord| {
                let mut months = text::MONTHS.iter();
                let month = months.position(|month| month.starts_with(&word.stem));
                month.map(|month| month / QUARTER_MONTHS + 1) == Some(ordinal)
            };
            let mut months = own.words.iter().filter(|word| word.is_month());
            months.any(of_quarter)
        }
        _ => false,
    }
}

/// The century of a year, or of a decade: the 16th for 1562 and for "the 1500s".
fn century(figure: &Figure) -> Option<usize> {
    let year = figure.digits.parse::<usize>().ok();
    let year = year.filter(|year| figure.unit == "year" && (1000..2100).contains(year))?;
    let is_decade = figure.written.ends_with('s');
    Some((year - usize::from(!is_decade)) / 100 + 1)
}

/// The words in a row whose initials a sentence has: "natural language processing" for "NLP".
fn by_initials<'a>(
    claim: &'a Statement,
    own: &'a Statement,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let names = own
        .words
        .iter()
        .filter(|word| word.is_name && LENGTHS.contains(&word.folded.len()));
    names.flat_map(|name| {
        let count = name.folded.len();
        let rows = claim.words.windows(count).enumerate();
        let rows = rows.filter(|(_, row)| {
            let mut pairs = row.windows(2);
            let is_row = pairs.all(|pair| pair[1].position == pair[0].position + 1);
            let initials = row.iter().filter_map(|word| word.folded.chars().next());
            is_row && initials.eq(name.folded.chars())
        });
        rows.flat_map(move |(at, _)| (at..at + count).map(|at| (at, INITIALS)))
    })
}

#[cfg(test)]
mod tests {
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn a_year_says_its_century_and_a_month_its_quarter() {
        let potatoes = "Potatoes came to Arle in 1562.";
        let tour = "The tour began in September 2006.";
        assert_supported(&[
            ("Potatoes came to Arle in the 16th century.", potatoes, true),
            (
                "Potatoes came to Arle in the 15th century.",
                potatoes,
                false,
            ),
            ("The tour began in the third quarter of 2006.", tour, true),
            ("The tour began in the second quarter of 2006.", tour, false),
        ]);
    }

    #[test]
    fn a_verb_with_its_particle_says_another_verb() {
        let purchase = "The purchase of the drone is put off until 2026.";
        assert_supported(&[
            (
                "The purchase of the drone was postponed to 2026.",
                purchase,
                true,
            ),
            (
                "The purchase of the drone was cancelled in 2026.",
                purchase,
                false,
            ),
            (
                "The survey of the bridge was carried out in 2024.",
                "The survey of the bridge was conducted in 2024.",
                true,
            ),
        ]);
    }

    #[test]
    fn initials_say_words_without_capitals() {
        let claim = "The code is used in natural language processing.";
        assert_supported(&[
            (claim, "The code is now used in NLP.", true),
            (claim, "The code is now used in NFP.", false),
        ]);
    }

    #[test]
    fn a_word_is_said_by_its_parts_and_a_name_by_its_last_in_part() {
        for (claim, passage, other) in [
            (
                "The fieldmouse lives in the meadows of Arle.",
                "The field mouse lives in the meadows of Arle.",
                "The small animal lives in the meadows of Arle.",
            ),
            (
                "The choir of the town is led by Anna Lind.",
                "The choir of the town is led by Lind.",
                "The choir of the town is led by Wells.",
            ),
        ] {
            let [said, unsaid] = [passage, other].map(|own| support(claim, own).measures[0]);
            assert!(
                said > 0.85 && unsaid < said - 0.1,
                "{claim} {said} {unsaid}"
            );
        }
    }
}
