//! Numbers that a passage gives and then takes back: "I said that it was 23.8 million. The right
//! number is 22.8 million." Or only takes back: "That figure is wrong."

use std::ops::Range;
use std::sync::LazyLock;

use super::statement::Statement;
use super::statement::figure::Figure;
use crate::text::{self, Keywords, LazyKeywords};

/// Words for what is right, and words for a number behind them; closed lists, written by hand.
const RIGHT: &[&str] = &[
    "actual", "correct", "right", "true", "korrekt", "korrekte", "richtig", "richtige",
];
const NUMBER: &[&str] = &[
    "amount",
    "count",
    "figure",
    "number",
    "percentage",
    "price",
    "sum",
    "total",
    "value",
    "angabe",
    "anzahl",
    "betrag",
    "menge",
    "preis",
    "summe",
    "wert",
    "zahl",
];

/// Words of the labels of corrections; a closed list, written by hand.
const CORRECTIONS: &[&str] = &[
    "correction",
    "corrigendum",
    "erratum",
    "berichtigung",
    "korrektur",
];

/// The keywords of what is right.
static RIGHT_KEYWORDS: LazyKeywords =
    LazyLock::new(|| Keywords::new(RIGHT.iter().chain(CORRECTIONS).copied()));

/// Verbs behind what is right, before its number.
const IS: &[&str] = &[
    "is", "was", "are", "were", "ist", "war", "sind", "waren", "betragt",
];

/// Words for what is wrong, and for what is: "That figure is a typing error"; closed lists, written
/// by hand.
const WRONG: &[&str] = &[
    "error",
    "false",
    "incorrect",
    "misprint",
    "mistake",
    "mistaken",
    "slip",
    "typo",
    "wrong",
    "falsch",
    "fehler",
    "irrtum",
    "schreibfehler",
    "tippfehler",
    "unrichtig",
    "versehen",
];
const THAT: &[&str] = &["it", "that", "this", "das", "dies", "diese", "dieser"];

/// The number of words of a sentence that says only that what is before it is wrong.
const RETRACTION: usize = 7;

/// The beginnings of a request not to use a number any more.
const REQUESTS: &[&str] = &[
    "do not use ",
    "don't use ",
    "do not quote ",
    "don't quote ",
    "do not cite ",
    "do not rely on ",
];

/// The number of sentences before a correction among which is what it corrects, and the same if one
/// between them says that it was wrong; chosen by hand.
const REACH: usize = 2;
const REACH_OF_ERROR: usize = 4;

/// The factor by which a right number is beside a wrong one at most, so that it is of the same
/// thing; chosen by hand.
const FACTOR: f64 = 10.0;

/// A statement whose number is taken back, and the right number.
pub(super) struct Rectification {
    /// The position of the statement.
    pub(super) of: usize,
    /// The end of the correction in the passage.
    pub(super) end: usize,
    wrong: Figure,
    right: Figure,
}

/// The corrections among the statements of a passage.
pub(super) fn rectifications(statements: &[(Range<usize>, Statement)]) -> Vec<Rectification> {
    let corrections = statements.iter().enumerate();
    let rectifications = corrections.filter_map(|(number, (range, correction))| {
        let right = right_size(correction)?;
        let thing = right_thing(correction)?;
        let has_error = statements[..number].iter().rev().take(REACH);
        let has_error = has_error.into_iter().any(|(_, own)| retracts(own));
        let reach = if has_error { REACH_OF_ERROR } else { REACH };
        let before = number.saturating_sub(reach)..number;
        before.rev().find_map(|of| {
            let earlier = &statements[of].1;
            let wrong = only_of(earlier, |own| are_of_one_thing(own, right))?;
            names(earlier, &thing).then_some(())?;
            Some(Rectification {
                of,
                end: range.end,
                wrong: wrong.clone(),
                right: right.clone(),
            })
        })
    });
    rectifications.collect()
}

/// `true` if a sentence says which number is right of a thing, and another one gives another number
/// of it: "The correct annual mean is 164 mg" for "The annual mean was 146 mg".
pub fn gives_right_value(sentence: &str, other: &str) -> bool {
    if !RIGHT_KEYWORDS.are_in(sentence) {
        return false;
    }
    let (sentence, other) = (Statement::parse(sentence), Statement::parse(other));
    let right = right_size(&sentence).zip(right_thing(&sentence));
    right.is_some_and(|(right, thing)| {
        !thing.is_empty()
            && names(&other, &thing)
            && only_of(&other, |own| are_of_one_thing(own, right)).is_some()
    })
}

impl Rectification {
    /// Puts the right number in the place of the wrong one.
    pub(super) fn apply(&self, statement: &mut Statement) {
        let mut figures = statement.figures.iter_mut();
        // Of several clauses one has it.
        let is_wrong =
            |own: &&mut Figure| own.unit == self.wrong.unit && own.has_value_of(&self.wrong);
        let Some(figure) = figures.find(is_wrong) else {
            return;
        };
        figure.value = self.right.value;
        figure.count = self.right.count;
        figure.digits.clone_from(&self.right.digits);
        figure.written.clone_from(&self.right.written);
        let (wrong, right) = (&self.wrong.digits, &self.right.digits);
        let words = statement.normal.split(' ');
        let words = words.map(|word| if word == wrong { right } else { word });
        statement.normal = words.collect::<Vec<&str>>().join(" ");
    }
}

/// What a statement says the right number of, without words for a number: "annual mean" of "The
/// correct annual mean is 164 mg", nothing of "The correct figure is 164 mg".
fn right_thing(statement: &Statement) -> Option<Vec<&str>> {
    // What stands behind "Correction:" is right of what was said before it.
    let first = statement.normal.split(' ').next();
    if statement.label > 0 && first.is_some_and(|first| CORRECTIONS.contains(&first)) {
        return Some(Vec::new());
    }
    let mut words = statement.normal.split(' ');
    words.find(|word| RIGHT.contains(word))?;
    let words: Vec<&str> = words.collect();
    let end = words.iter().position(|word| IS.contains(word))?;
    if end == 0 {
        // "Correct is 240 tonnes" names its thing behind the number, unless that is a unit.
        let begins = statement.normal.split(' ').next();
        let right = right_size(statement)?;
        let thing = words.iter().skip_while(|word| **word != right.digits);
        let thing = thing.skip(1).take(1).filter(|_| right.unit.is_empty());
        let is_first = begins.is_some_and(|first| RIGHT.contains(&first));
        return is_first.then(|| thing.copied().collect());
    }
    let thing = words[..end].iter().copied();
    let thing = thing.filter(|word| !NUMBER.contains(word) && !text::is_stop_word(word));
    Some(thing.collect())
}

/// `true` if a statement has all these words.
fn names(statement: &Statement, words: &[&str]) -> bool {
    words.iter().all(|word| {
        let mut own = statement.normal.split(' ');
        own.any(|own| own == *word)
    })
}

/// `true` for a statement that says only that what is before it is wrong: "That figure is wrong."
pub(super) fn retracts(statement: &Statement) -> bool {
    let words = statement.with_pronoun.as_ref().unwrap_or(&statement.normal);
    let words: Vec<&str> = words.split(' ').collect();
    let is_wrong = words.iter().any(|word| WRONG.contains(word));
    let is_plain = statement.negations == 0 && words.len() <= RETRACTION;
    // "The" of the German "das" is read before its verb, and "the figure" is that figure.
    let is_that = match words[..] {
        ["the", next, ..] => NUMBER.contains(&next) || IS.contains(&next),
        [first, ..] => THAT.contains(&first),
        [] => false,
    };
    is_wrong && is_plain && is_that
}

/// `true` for a statement that says of a number before it that it is wrong: "That figure is wrong."
pub(super) fn retracts_number(statement: &Statement) -> bool {
    let mut words = statement.normal.split(' ');
    retracts(statement) && words.any(|word| NUMBER.contains(&word))
}

/// `true` if a sentence of a text says only that what is before it is wrong.
pub fn takes_back(text: &str) -> bool {
    let mut sentences = text::sentences(text, 0..text.len()).into_iter();
    sentences.any(|range| retracts(&Statement::parse(&text[range])))
}

/// The length of the beginning of a sentence that asks not to use what follows.
pub(super) fn request_length(sentence: &str) -> Option<usize> {
    let lower = sentence.to_lowercase();
    let polite = lower.strip_prefix("please ").unwrap_or(&lower);
    let mut requests = REQUESTS.iter();
    let request = requests.find(|request| polite.starts_with(**request))?;
    // In lower case a text may be of another length.
    let length = lower.len() - polite.len() + request.len();
    sentence.is_char_boundary(length).then_some(length)
}

/// The only number of a statement that is no date; of several, the only one with a unit: "The
/// correct figure is £68,000; two digits were exchanged".
fn right_size(statement: &Statement) -> Option<&Figure> {
    let is_measured = |own: &Figure| !own.unit.is_empty();
    only_of(statement, |_| true).or_else(|| only_of(statement, is_measured))
}

/// The only such number of a statement that is no date.
fn only_of(statement: &Statement, is: impl Fn(&Figure) -> bool) -> Option<&Figure> {
    let mut sizes = statement
        .figures
        .iter()
        .filter(|own| !own.is_date() && is(own));
    sizes.next().filter(|_| sizes.next().is_none())
}

fn are_of_one_thing(wrong: &Figure, right: &Figure) -> bool {
    let have_unit = wrong.unit == right.unit || right.unit.is_empty();
    let (less, more) = (wrong.value.min(right.value), wrong.value.max(right.value));
    have_unit && less > 0.0 && more <= FACTOR * less && less < more
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn a_number_that_is_taken_back_is_not_said_and_the_right_one_is() {
        let trams = "I said that trams carried 23.8 million people. That was a typing mistake. The \
                     right number is 22.8 million.";
        let tower = "The tower has 10 floors. The correct figure is 12.";
        let other = "The tower has 10 floors. The right number of lifts is 3.";
        let mean = "We gave the annual mean for 2022 as 146 mg. That figure is wrong. It was the \
                    mean for 2021.\n\nThe correct annual mean for 2022 is 164 mg.";
        let web = "Please do not use the web thickness of 9.4 mm for girder G3 from my memo. It is \
                   a typing error. The correct value is 7.4 mm.";
        let retracted = "The tower has 10 floors. That is a mistake.";
        let written = "We wrote that the rent is 85 euros. That figure is wrong.";
        let roof = "I wrote that the roof would cost £86,000. That figure was wrong. The correct \
                    figure is £68,000; two digits were exchanged in the sheet.";
        assert_supported(&[
            ("The roof would cost £68,000.", roof, true),
            ("The roof would cost £86,000.", roof, false),
            // What was said was said, also where the report quotes no more of it.
            ("We wrote that the rent is 85 euros.", written, true),
            ("Trams carried 22.8 million people.", trams, true),
            ("Trams carried 23.8 million people.", trams, false),
            ("The tower has 12 floors.", tower, true),
            ("The tower has 10 floors.", tower, false),
            ("The tower has 10 floors.", other, true),
            ("The annual mean for 2022 was 164 mg.", mean, true),
            ("The annual mean for 2022 was 146 mg.", mean, false),
            ("The web thickness of girder G3 is 7.4 mm.", web, true),
            ("The web thickness of girder G3 is 9.4 mm.", web, false),
            ("The tower has 10 floors.", retracted, false),
            ("The rent is 85 euros.", written, false),
        ]);
    }

    #[test]
    fn a_number_is_taken_back_in_german_too_and_nothing_else_of_its_sentence() {
        let ernte = "Die Ernte betrug 420 Tonnen. Diese Zahl war falsch. Richtig sind 240 Tonnen.";
        let angabe = "Die Ernte betrug 420 Tonnen. Diese Angabe war falsch.";
        let harvest = "The harvest was 420 tonnes. This number was wrong. Correct is 240 tonnes.";
        let mill = "The mill in Ghent ground 420 tonnes of rye. That figure was wrong.";
        assert_supported(&[
            ("Die Ernte betrug 420 Tonnen.", ernte, false),
            ("Die Ernte betrug 240 Tonnen.", ernte, true),
            ("Die Ernte betrug 420 Tonnen.", angabe, false),
            ("The harvest was 420 tonnes.", harvest, false),
            ("The harvest was 240 tonnes.", harvest, true),
            ("The mill in Ghent ground rye.", mill, true),
            ("The mill in Ghent ground 420 tonnes of rye.", mill, false),
        ]);
    }

    #[test]
    fn what_stands_behind_the_label_of_a_correction_is_right() {
        let race = "The race has 240 starters. Correction: 204 runners are starting.";
        let fest = "Das Fest kostet 3400 Euro. Berichtigung: Es sind 4300 Euro.";
        assert_supported(&[
            ("The race has 240 starters.", race, false),
            ("204 runners are starting.", race, true),
            ("Das Fest kostet 3400 Euro.", fest, false),
            ("Das Fest kostet 4300 Euro.", fest, true),
        ]);
    }

    #[test]
    fn what_should_read_otherwise_is_wrong() {
        let notice = "In the recipe, \"2 kg of salt\" should read \"3 kg of salt\".";
        assert_supported(&[
            ("The recipe has 2 kg of salt.", notice, false),
            ("The recipe has 3 kg of salt.", notice, true),
        ]);
    }
}
