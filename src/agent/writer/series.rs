//! Series: what the editions of one document, such as yearly reports, give for one thing.

use super::super::edition;
use super::draft::Draft;
use crate::answering::{AnswerType, Question};
use crate::artifact::claims::{DatedValue, Series};
use crate::artifact::source::{Passage, Source};
use crate::text;

/// The maximum number of series in a report: of sentences, and of rows of a table, which are read
/// below one another.
const SENTENCES: usize = 5;
const ROWS: usize = 30;

/// The least share of a question that a statement meets with its title. Chosen by hand.
const WANTED: f64 = 0.5;

/// A sentence of a passage, with the source that it is of.
struct Statement<'a> {
    passage: &'a Passage,
    source: &'a Source,
    text: &'a str,
}

impl Statement<'_> {
    /// `true` if another edition states the same with other numbers.
    fn is_restated_by(&self, other: &Self) -> bool {
        edition::are_editions(self.source, other.source)
            && text::differing_numbers(&[self.text, other.text]).is_some()
            && is_of_one_thing(self.text, self.section(), other.section())
    }

    /// The heading of its section; `None` if it has none below the title of its document.
    fn section(&self) -> Option<&str> {
        let heading = self.passage.headings.last()?;
        (*heading != self.source.title).then_some(heading)
    }
}

/// `true` if the same sentence with another number is on the same thing in another edition, by the
/// headings of both sections. The votes on a motion are those of one decision, whatever its date.
fn is_of_one_thing(sentence: &str, own: Option<&str>, other: Option<&str>) -> bool {
    let words = |heading: &str| -> Vec<String> {
        let mut words = text::folded(heading);
        words.retain(|word| {
            !word.contains(|c: char| c.is_ascii_digit()) && !text::is_stop_word(word)
        });
        words
    };
    // "The motion" is another one in the section on another matter.
    let is_kin = || {
        own.zip(other).is_none_or(|(own, other)| {
            let (own, other) = (words(own), words(other));
            own == other || own.iter().any(|word| other.contains(word))
        })
    };
    !is_ballot(sentence) && (!has_bare_subject(sentence) || is_kin())
}

/// `true` for the result of a ballot: "carried by 7 votes to 2", "mit 7 zu 2 Stimmen".
fn is_ballot(sentence: &str) -> bool {
    let words = text::folded(sentence);
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_votes = |word: &str| matches!(word, "vote" | "votes" | "stimme" | "stimmen");
    let mut rest: Vec<&str> = words.iter().map(String::as_str).collect();
    let has_votes = rest.iter().any(|word| is_votes(word));
    rest.retain(|word| !is_votes(word));
    let mut triples = rest.windows(3);
    has_votes
        && triples.any(|triple| {
            let is_against = matches!(triple[1], "to" | "against" | "zu" | "gegen");
            is_number(triple[0]) && is_against && is_number(triple[2])
        })
}

/// Words with which a subject begins that the text before it names.
const DEFINITE: &[&str] = &[
    "that", "the", "these", "this", "those", "das", "der", "die", "diese", "dieser", "dieses",
];

/// Words behind a noun that say which one it is: "the price of a ticket".
const DETERMINING: &[&str] = &[
    "at", "between", "by", "for", "from", "in", "of", "on", "per", "to", "with", "am", "auf",
    "aus", "bei", "fur", "im", "je", "mit", "pro", "von", "zum", "zur",
];

/// `true` for a sentence that does not say which thing it is about: "The motion was defeated", "It
/// costs 3 euros".
fn has_bare_subject(sentence: &str) -> bool {
    let words = text::folded(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["it" | "they" | "es" | "sie", ..] => true,
        [first, _, third, ..] => DEFINITE.contains(first) && !DETERMINING.contains(third),
        _ => false,
    }
}

/// The series in the passages of a research, in their order.
pub fn series(draft: &mut Draft<'_>) -> Vec<Series> {
    let mut rest = statements(draft);
    let mut all = Vec::new();
    let (mut sentences, mut rows) = (0, 0);
    while !rest.is_empty() {
        let first = rest.remove(0);
        let (count, limit) = if text::tables::is_row(first.text) {
            (&mut rows, ROWS)
        } else {
            (&mut sentences, SENTENCES)
        };
        if *count == limit {
            continue;
        }
        let (mut group, others): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|other| first.is_restated_by(other));
        rest = others;
        group.insert(0, first);
        // The sentence of an edition that is quoted twice counts once.
        group.sort_by_key(|own| edition::time(own.source));
        group.dedup_by_key(|own| edition::time(own.source));
        let texts: Vec<&str> = group.iter().map(|own| own.text).collect();
        let Some(positions) = text::differing_numbers(&texts) else {
            continue;
        };
        let values = group.iter().filter_map(|own| {
            Some(DatedValue {
                date: edition::time(own.source)?.to_owned(),
                value: text::words_at(own.text, &positions),
                claim: draft.side(&own.passage.id, &[])?,
            })
        });
        let values: Vec<DatedValue> = values.collect();
        if values.len() > 1 {
            let statement = text::without_words_at(texts[0], &positions);
            let statement = if text::tables::is_row(&statement) {
                text::tables::row_cells(&statement).join(", ")
            } else {
                statement
            };
            *count += 1;
            all.push(Series { statement, values });
        }
    }
    all
}

/// The sentences with a number of all passages that are on the question.
fn statements<'a>(draft: &Draft<'a>) -> Vec<Statement<'a>> {
    let research = draft.research;
    let has_number = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    let passages = research.passages.iter();
    let passages = passages.filter_map(|own| Some((own, research.source(&own.source)?)));
    let statements = passages.flat_map(|(passage, source)| {
        let ranges = text::sentences(&passage.quote, 0..passage.quote.len()).into_iter();
        ranges.map(move |range| Statement {
            passage,
            source,
            text: &passage.quote[range],
        })
    });
    let question = Question::parse(&research.topic);
    // A question is on less than a topic: what is beside it does not answer.
    let is_wanted = |own: &Statement<'_>| {
        question.answer_type == AnswerType::Topic
            || question.share_met(&[own.text, &own.source.title].join("\n")) >= WANTED
    };
    statements
        .filter(|own| has_number(own.text) && is_wanted(own))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_two_things_are_no_series() {
        let [hall, ferry] = ["12/25 The hall", "7/26 The ferry"].map(Some);
        for (sentence, own, other, expected) in [
            ("The motion was carried by 7 votes to 2.", hall, hall, false),
            (
                "Der Antrag wurde mit 7 zu 2 Stimmen angenommen.",
                hall,
                hall,
                false,
            ),
            ("The list won 700 votes in the harbour.", hall, hall, true),
            ("The grant is 400 euros.", hall, ferry, false),
            (
                "The grant is 400 euros.",
                hall,
                Some("8/26 Roof of the hall"),
                true,
            ),
            ("The grant is 400 euros.", hall, None, true),
            ("It costs 400 euros.", hall, ferry, false),
            ("The price of a ticket is 3 euros.", hall, ferry, true),
            ("A ticket costs 3 euros.", hall, ferry, true),
        ] {
            let is_of_one = is_of_one_thing(sentence, own, other);
            assert_eq!(is_of_one, expected, "{sentence}");
        }
    }
}
