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
