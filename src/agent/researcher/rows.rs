//! Rows of a table: the one that has all that a question names, "the p95 of rates in Frankfurt",
//! the one with the most or the least of something, "Which month had the most complaints?", those
//! with a value beyond a number, "Which months had more than 20 complaints?", and those with one
//! that the question names, "Which houses are heated with gas?"

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::Candidate;
use super::context::FEWEST;
use crate::answering::{AnswerType, Question, QuestionTerm, number_of_value};
use crate::text;
use crate::text::tables::{is_record, record_fields};

/// The number of rows that make a table.
const ROWS: usize = 2;

/// The maximum number of words of a value that names what its row is of: "GET /v2/rates",
/// "eu-west-2", "Day ticket, adult". A longer one tells something.
const NAME_WORDS: usize = 4;

/// Values that say that a row has not what its column is on, and those that say that it has.
const DENIED: &[&str] = &["no", "none", "false", "never"];
const AFFIRMED: &[&str] = &["yes", "true", "always"];

/// A row that is read as a record, "Month: 2025-05; Complaints: 7."
struct Row<'a> {
    /// Its number among the candidates.
    index: usize,
    text: &'a str,
    /// The terms of the question that it has, in its values or in the names of its columns.
    met: BTreeSet<&'a str>,
    /// Its columns that name things, each with the terms that its value has.
    names: Vec<(&'a str, BTreeSet<&'a str>)>,
    /// Whether a number of the question is in its interval, "30 to 59", or the time of the question
    /// in its tenure, "from 1988 to 1996", if it has one.
    is_in: Option<bool>,
}

impl<'a> Row<'a> {
    fn new(index: usize, text: &'a str, question: &'a Question) -> Self {
        let stems = |text: &str| -> BTreeSet<&'a str> {
            let terms = question.named_in(text).into_iter();
            terms.map(|term| term.stem.as_str()).collect()
        };
        let fields = record_fields(text);
        // In the same words only: a synonym tells no row from another, "done" none that is "open".
        let named = fields.filter(|(_, value)| text::words(value).count() <= NAME_WORDS);
        let name = |(label, value)| (label, stems(month_of(label, value).unwrap_or(value)));
        let names: Vec<_> = named.map(name).collect();
        // The number of "within 24h" is that of its column, and no bare 24 elsewhere.
        let amounts = |label: &str| -> BTreeSet<&'a str> {
            let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
            let met = question.met(label).into_iter();
            let met = met.filter(|term| is_number(&term.word));
            met.map(|term| term.stem.as_str()).collect()
        };
        let labels = record_fields(text);
        let labels = labels.flat_map(|(label, _)| stems(label).into_iter().chain(amounts(label)));
        let values = names.iter().flat_map(|(_, met)| met).copied();
        Self {
            index,
            text,
            met: values.chain(labels).collect(),
            names,
            is_in: question
                .is_in_interval_of(text)
                .or_else(|| question.is_in_tenure_of(text)),
        }
    }
}

/// The month of the number under a label for months: "Month: 2".
fn month_of(label: &str, value: &str) -> Option<&'static str> {
    let number: usize = value.trim_end_matches('.').parse().ok()?;
    let is_month = text::fold(label) == "month";
    let month = text::MONTHS.get(number.checked_sub(1)?)?;
    is_month.then_some(*month)
}

/// Values in the place of a name that make a row the sum of the others; a closed list, written by
/// hand.
const SUMS: &[&str] = &["total", "sum", "overall", "grand total", "gesamt", "summe"];

/// The table of a row, with what its rows have of a question.
struct Table<'a> {
    question: &'a Question,
    rows: Vec<Row<'a>>,
    /// By column, what the values of some row have of the question: few sets, however many rows.
    columns: BTreeMap<&'a str, BTreeSet<BTreeSet<&'a str>>>,
}

impl<'a> Table<'a> {
    /// The rows of the document of a row that begin with the same label; `None` if it is no row.
    fn of(candidates: &'a [Candidate], question: &'a Question, row: usize) -> Option<Self> {
        let label = |own: &'a Candidate| record_fields(&own.sentence).next().map(|own| own.0);
        let (document, first) = (candidates[row].document, label(&candidates[row])?);
        let own = candidates.iter().enumerate().filter(|(_, own)| {
            own.document == document && label(own) == Some(first) && is_record(&own.sentence)
        });
        let rows: Vec<Row<'a>> = own
            .map(|(index, own)| Row::new(index, &own.sentence, question))
            .collect();
        let mut columns: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (label, met) in rows.iter().flat_map(|row| &row.names) {
            // What no row has outdoes nothing.
            if !met.is_empty() {
                columns.entry(*label).or_default().insert(met.clone());
            }
        }
        let is_table = rows.len() >= ROWS && rows.iter().any(|own| own.index == row);
        is_table.then_some(Self {
            question,
            rows,
            columns,
        })
    }

    /// `true` if another row has more of what the question names in one of the columns that name
    /// things: "eu-west-2" where this one has "eu-central-1". What this one has elsewhere counts.
    /// Or if this one says "no" to what it asks for, and another one "yes".
    fn outdoes(&self, row: &Row<'_>) -> bool {
        let is_in = |own: &Row<'_>| own.is_in == Some(true);
        if row.is_in == Some(false) && self.rows.iter().any(is_in) {
            return true;
        }
        let mut others = self.rows.iter();
        if others.any(|other| is_denied(self.question, row.text, other.text)) {
            return true;
        }
        row.names.iter().any(|(label, less)| {
            let mut others = self.columns.get(label).into_iter().flatten();
            // A row that has something else in this column is another thing, not a better match:
            // "Family" where "Adult" is named as well.
            others.any(|met| met.is_superset(less) && !met.is_subset(&row.met))
        })
    }

    /// The rows that have all that the question names of such rows.
    fn complete(&self) -> impl Iterator<Item = &Row<'a>> {
        self.rows.iter().filter(|row| !self.outdoes(row))
    }
}

/// `true` if a row says "no" in a column that a question names, "Wakes on-call: no", and another
/// one "yes".
pub(super) fn is_denied(question: &Question, row: &str, other: &str) -> bool {
    let says = |value: &str, list: &[&str]| list.contains(&text::fold(value.trim()).as_str());
    let affirms = |label: &str| {
        let mut fields = record_fields(other);
        fields.any(|(own, value)| own == label && says(value.trim_end_matches('.'), AFFIRMED))
    };
    let mut fields = record_fields(row);
    fields.any(|(label, value)| {
        says(value.trim_end_matches('.'), DENIED)
            && !question.named_in(label).is_empty()
            && affirms(label)
        // Asked last: few rows deny anything, and many are compared.
    }) && !is_negated(question)
}

/// `true` if a question has a word that negates.
fn is_negated(question: &Question) -> bool {
    has_negation(&question.text)
}

/// `true` if a text has a word that negates.
fn has_negation(text: &str) -> bool {
    let words = text::folded(text);
    let mut words = words.iter().map(String::as_str);
    words.any(|word| matches!(word, "not" | "no" | "without" | "never"))
}

/// `true` if a question has all words of a value.
fn is_named(question: &Question, value: &str) -> bool {
    let mut words = text::words(value).peekable();
    words.peek().is_some() && words.all(|word| !question.named_in(word.text).is_empty())
}

/// `true` if a column of two rows has a value that a question names, "open" for what is still open,
/// in the first and another one in the second.
pub(super) fn has_other_value(question: &Question, first: &str, second: &str) -> bool {
    record_fields(first).any(|(label, value)| {
        let mut others = record_fields(second);
        let other = others.find(|(own, _)| *own == label);
        let is_other = |(_, other): (&str, &str)| question.named_in(other).is_empty();
        is_named(question, value) && other.is_some_and(is_other)
    })
}

/// The row of a table that answers, if the best answer is a row: the first that has all that the
/// question names of such rows, if the best has not; or, if it asks for the most or the least, the
/// one of these with the largest or the smallest value, of equal ones the first.
pub(super) fn leading_row(
    candidates: &[Candidate],
    question: &Question,
    scored: &[(usize, f64)],
) -> Option<usize> {
    let row = |index: usize| &*candidates[index].sentence;
    let mut indices = scored.iter().map(|(index, _)| *index);
    let Some(is_most) = question.asks_for_most() else {
        let best = indices.next()?;
        let is_wanting = is_outdone(candidates, question, best);
        let table = Table::of(candidates, question, best).filter(|_| is_wanting)?;
        return table.complete().next().map(|row| row.index);
    };
    let has_degree = |index: &usize| question.label_of_degree(row(*index)).is_some();
    // The row may have no word of the question but that for its column.
    let beside = |document: usize| {
        let is_beside = |index: &usize| {
            let own = &candidates[*index];
            own.document == document && is_record(&own.sentence)
        };
        (0..candidates.len()).find(|index| is_beside(index) && has_degree(index))
    };
    let with_value = |index: &usize| question.label_of_value(row(*index)).is_some();
    let mut all = 0..candidates.len();
    let of_kind = all.find(|index| is_of_kind(question, row(*index)) && with_value(index));
    let mut first = scored.iter().take(FEWEST);
    let beside = || first.find_map(|(index, _)| beside(candidates[*index].document));
    let best = of_kind
        .or_else(beside)
        .or_else(|| indices.find(with_value))?;
    let label = question
        .label_of_degree(row(best))
        .or_else(|| question.label_of_value(row(best)))?;
    let label = Some(label).filter(|label| !question.limits_another(label))?;
    let table = Table::of(candidates, question, best)?;
    let values = table.complete().filter_map(|row| {
        let (_, value) = record_fields(row.text).find(|(own, _)| *own == label)?;
        let value = number_of_value(value)?.value;
        Some((row.index, if is_most { value } else { -value }))
    });
    let best = values.reduce(|best, row| if row.1 > best.1 { row } else { best });
    best.map(|(index, _)| index)
}

/// `true` for a row that begins with the name of one of the things that a question asks for: of
/// "Which schools", a table of schools comes before one of kinds of schools.
fn is_of_kind(question: &Question, row: &str) -> bool {
    let label = record_fields(row).next();
    let label = label.map(|(label, _)| text::stem(&text::fold(label)));
    label.is_some_and(|label| {
        let mut terms = question.terms.iter();
        terms.any(|term| text::stem(&term.word) == label)
    })
}

/// The row with the sum of a table, if an amount is asked for and the best is a row with a part of
/// it, or a sentence with no more of the question: "Month: TOTAL" for "How much was landed?"
pub(super) fn sum(
    candidates: &[Candidate],
    question: &Question,
    scored: &[(usize, f64)],
) -> Option<usize> {
    let row = |index: usize| &*candidates[index].sentence;
    let (best, _) = scored.first()?;
    if question.answer_type != AnswerType::Quantity || question.asks_for_most().is_some() {
        return None;
    }
    let has_value =
        |index: &usize| is_record(row(*index)) && question.label_of_value(row(*index)).is_some();
    let mut indices = scored.iter().map(|(index, _)| *index);
    let first = if is_record(row(*best)) {
        Some(*best)
    } else {
        indices.find(has_value)
    };
    let table = Table::of(candidates, question, first?)?;
    let is_sum = |own: &&Row<'_>| {
        let mut fields = record_fields(own.text);
        fields.any(|(_, value)| SUMS.contains(&text::fold(value.trim()).as_str()))
    };
    let sum = table.complete().find(is_sum)?;
    let [own, other] = [sum.text, row(*best)].map(|text| question.share_met(text));
    // "3 containers were damaged" is not how many there are.
    let counts_some = question.counts_all() && !question.is_of_all(row(*best));
    let is_open = is_record(row(*best)) || own >= other && (other < 1.0 || counts_some);
    is_open.then_some(sum.index)
}

/// The rows of a table that a question asks for, in their order: those with a value within its
/// bound, or with one that it names.
pub(super) fn wanted(
    candidates: &[Candidate],
    question: &Question,
    scored: &[(usize, f64)],
) -> Vec<usize> {
    if question.has_bound() {
        return within_bound(candidates, question, scored);
    }
    let by_form = [over_time, of_all, with_named_value, with_denied_value]
        .into_iter()
        .map(|rows| rows(candidates, question));
    let first = by_form.into_iter().find(|rows| !rows.is_empty());
    first.unwrap_or_else(|| in_tenure(candidates, question, scored))
}

/// Words with which a question asks whether something is so of all; a closed list, written by hand.
const ALL: &[&str] = &[
    "all",
    "both",
    "each",
    "every",
    "alle",
    "allen",
    "aller",
    "beide",
    "jede",
    "jeder",
    "jedes",
    "samtliche",
];

/// The rows of the first table of such things as a question asks about, "Did all containers pass?",
/// in which some have what it asks: those that have it not come first, since one is enough for a
/// "no".
fn of_all(candidates: &[Candidate], question: &Question) -> Vec<usize> {
    let words = text::folded(&question.text);
    let is_of_all = words.iter().any(|word| ALL.contains(&word.as_str()));
    if question.answer_type != AnswerType::YesNo || !is_of_all || is_negated(question) {
        return Vec::new();
    }
    let row = |index: usize| candidates[index].sentence.trim_end_matches('.');
    let named_column = |index: usize| {
        let mut fields = record_fields(row(index));
        let (kind, _) = fields.next().filter(|_| is_record(row(index)))?;
        let is_kind = !question.named_in(kind).is_empty();
        let (label, _) = fields.find(|(_, value)| is_named(question, value))?;
        is_kind.then_some(label)
    };
    let mut indices = 0..candidates.len();
    let first = indices.find_map(|index| Some((index, named_column(index)?)));
    let Some((table, label)) =
        first.and_then(|(index, label)| Some((Table::of(candidates, question, index)?, label)))
    else {
        return Vec::new();
    };
    let has_it = |own: &&Row<'_>| {
        let mut fields = record_fields(own.text.trim_end_matches('.'));
        fields.any(|(own, value)| own == label && is_named(question, value))
    };
    let (those, others): (Vec<_>, Vec<_>) = table.rows.iter().partition(has_it);
    others
        .into_iter()
        .chain(those)
        .map(|own| own.index)
        .collect()
}

/// `true` if a row shows whether what a question asks is so of all, or how it changed, or has the
/// time of the question in its tenure.
pub(super) fn is_by_form(candidates: &[Candidate], question: &Question, row: usize) -> bool {
    let sentence = &*candidates[row].sentence;
    let is_in_tenure = question.is_in_tenure_of(sentence) == Some(true);
    is_in_tenure && !question.met(sentence).is_empty()
        || of_all(candidates, question).first() == Some(&row)
        || over_time(candidates, question).contains(&row)
}

/// The rows of the first table with the values of a thing at several times, if a question asks how
/// it changed: one of them alone tells of no change.
fn over_time(candidates: &[Candidate], question: &Question) -> Vec<usize> {
    if !question.asks_over_time() {
        return Vec::new();
    }
    let time = |index: &usize| {
        let sentence = &candidates[*index].sentence;
        question
            .time_in_series(sentence)
            .filter(|_| is_record(sentence))
    };
    let rows: Vec<usize> = (0..candidates.len())
        .filter(|index| time(index).is_some())
        .collect();
    let document = rows.first().map(|first| candidates[*first].document);
    let rows = rows.into_iter();
    let rows: Vec<usize> = rows
        .filter(|index| Some(candidates[*index].document) == document)
        .collect();
    let times: BTreeSet<_> = rows.iter().filter_map(time).collect();
    if times.len() < ROWS { Vec::new() } else { rows }
}

/// The rows of the first table of such things as a question asks for that have one of its words as
/// a value: "gas" for "Which houses are heated with gas?"
fn with_named_value(candidates: &[Candidate], question: &Question) -> Vec<usize> {
    let mut terms = question.terms.iter();
    let class = terms.find(|term| question.is_class(term));
    let Some(class) = class.filter(|_| question.asks_for_items() && !is_negated(question)) else {
        return Vec::new();
    };
    let has_value = |row: &str| {
        let mut fields = record_fields(row);
        let kind = fields.next().map_or("", |(label, _)| label);
        let is_wanted = |(label, value): (&str, &str)| {
            // A number is that of its column alone.
            let is_of_column =
                number_of_value(value).is_none() || !question.named_in(label).is_empty();
            is_of_column && is_named(question, value)
        };
        question.named_in(kind).contains(&class) && fields.any(is_wanted)
    };
    let mut rows = candidates.iter().enumerate().filter(|(_, own)| {
        is_record(&own.sentence) && has_value(own.sentence.trim_end_matches('.'))
    });
    let first = rows.next();
    let document = first.map(|(_, own)| own.document);
    let rest = rows.filter(|(_, own)| Some(own.document) == document);
    first
        .into_iter()
        .chain(rest)
        .map(|(index, _)| index)
        .collect()
}

/// The rows of the first table of such things as a question asks for that say "no" in a column
/// which it names, "Suitable: no" for "Which houses are not suitable?", and then the sentences that
/// deny all its words.
fn with_denied_value(candidates: &[Candidate], question: &Question) -> Vec<usize> {
    let mut terms = question.terms.iter();
    let class = terms.find(|term| question.is_class(term));
    let Some(class) = class.filter(|_| question.asks_for_items() && is_negated(question)) else {
        return Vec::new();
    };
    let is_denied = |row: &str| {
        let mut fields = record_fields(row.trim_end_matches('.'));
        let kind = fields.next().map_or("", |(label, _)| label);
        let denies = |(label, value): (&str, &str)| {
            let mut named = question.named_in(label).into_iter();
            DENIED.contains(&text::fold(value.trim()).as_str()) && named.any(|term| term != class)
        };
        question.named_in(kind).contains(&class) && fields.any(denies)
    };
    let mut rows = (0..candidates.len()).filter(|index| {
        let sentence = &candidates[*index].sentence;
        is_record(sentence) && is_denied(sentence)
    });
    let Some(first) = rows.next() else {
        return Vec::new();
    };
    let document = candidates[first].document;
    let rest = rows.filter(|index| candidates[*index].document == document);
    let denies = |index: &usize| {
        let sentence = &candidates[*index].sentence;
        !is_record(sentence) && has_negation(sentence) && question.share_met(sentence) == 1.0
    };
    let sentences = (0..candidates.len()).filter(denies);
    std::iter::once(first)
        .chain(rest)
        .chain(sentences)
        .collect()
}

/// The rows of the first table whose tenure has the time of a question for somebody, "Who was mayor
/// in 1990?", under headings and labels with all that it names besides; none if a sentence has all
/// its words.
fn in_tenure(candidates: &[Candidate], question: &Question, scored: &[(usize, f64)]) -> Vec<usize> {
    let is_time = |term: &&QuestionTerm| question.is_of_time(term);
    let has_all = |(index, _): &(usize, f64)| {
        let sentence = &candidates[*index].sentence;
        // The 28 of "Week: 28" is not that of a day in another week.
        let is_of_other_time = question.is_in_tenure_of(sentence) == Some(false);
        !is_of_other_time && question.share_met(sentence) == 1.0
    };
    if question.answer_type != AnswerType::Person
        || !question.terms.iter().any(|term| is_time(&term))
        || scored.iter().any(has_all)
    {
        return Vec::new();
    }
    let is_in = |own: &Candidate| {
        let above = own.headings.iter().map(String::as_str);
        let all: Vec<&str> = above.chain([&*own.sentence]).collect();
        is_record(&own.sentence) && question.is_in_tenure_of(&own.sentence) == Some(true) && {
            let met = question.met(&all.join("\n"));
            let mut named = question
                .terms
                .iter()
                .filter(|term| !is_time(term))
                .peekable();
            named.peek().is_some() && named.all(|term| met.contains(&term))
        }
    };
    let rows: Vec<usize> = (0..candidates.len())
        .filter(|index| is_in(&candidates[*index]))
        .collect();
    let document = rows.first().map(|index| candidates[*index].document);
    let of_first = |index: &usize| Some(candidates[*index].document) == document;
    rows.into_iter().filter(of_first).collect()
}

/// The rows of a table with a value within the bound of a question, in their order: of the table of
/// the best sentence that has such a value, those that have all that the question names of them.
fn within_bound(
    candidates: &[Candidate],
    question: &Question,
    scored: &[(usize, f64)],
) -> Vec<usize> {
    let row = |index: usize| &*candidates[index].sentence;
    // A row need have no word of the question: "Which items cost more than £20?"
    let indices = scored.iter().map(|(index, _)| *index);
    let indices = indices.chain(0..candidates.len());
    let mut compared = indices.filter(|index| question.is_within_bound(row(*index)).is_some());
    let mut of_kind = compared.clone();
    let of_kind = of_kind.find(|index| is_of_kind(question, row(*index)));
    let first = of_kind.or_else(|| compared.next());
    // A row with the number itself is no better match than those beyond it.
    let rest = question.without_limit();
    let table = first.and_then(|first| Table::of(candidates, &rest, first));
    table.map_or_else(Vec::new, |table| {
        let complete = table.complete();
        let within = complete.filter(|own| question.is_within_bound(own.text) == Some(true));
        within.map(|own| own.index).collect()
    })
}

/// The maximum number of rows that a comparison sets side by side.
const COMPARED: usize = 4;

/// The rows of a table that a question for a comparison names, if they have the value that it asks
/// for: "Compare the prices of the Lark and the Ister".
pub(super) fn compared<'a>(
    candidates: &'a [Candidate],
    question: &'a Question,
    scored: &[(usize, f64)],
) -> Vec<usize> {
    let mut indices = scored.iter().map(|(index, _)| *index);
    let has_value = |index: &usize| {
        question
            .label_of_value(&candidates[*index].sentence)
            .is_some()
    };
    let best = indices.find(|index| is_record(&candidates[*index].sentence) && has_value(index));
    let table = best.and_then(|best| Table::of(candidates, question, best));
    let rows = table.map(|table| {
        let name = |row: &Row<'a>| -> BTreeSet<&'a str> {
            row.names.iter().flat_map(|(_, met)| met).copied().collect()
        };
        let named: Vec<(usize, BTreeSet<&str>)> = table
            .rows
            .iter()
            .map(|row| (row.index, name(row)))
            .filter(|(_, name)| !name.is_empty())
            .collect();
        // Each is told from the others by a word of the question.
        let is_distinct = |one: usize| {
            let mut others = (0..named.len()).filter(|other| *other != one);
            others.all(|other| !named[one].1.is_subset(&named[other].1))
        };
        let are_distinct = (0..named.len()).all(is_distinct);
        let indices = named.iter().filter(|_| are_distinct);
        indices.map(|(index, _)| *index).collect::<Vec<_>>()
    });
    rows.filter(|rows| (ROWS..=COMPARED).contains(&rows.len()))
        .unwrap_or_default()
}

/// `true` if a sentence is a row, and another row of its table has more of what a question names.
pub(super) fn is_outdone(candidates: &[Candidate], question: &Question, index: usize) -> bool {
    let table = Table::of(candidates, question, index);
    table.is_some_and(|table| {
        let own = table.rows.iter().find(|row| row.index == index);
        own.is_some_and(|row| table.outdoes(row))
    })
}

/// `true` for a row with a number of what a question counts, of a table with other such rows.
pub(super) fn is_one_of_several(
    candidates: &[Candidate],
    question: &Question,
    index: usize,
) -> bool {
    let has_value = question
        .label_of_value(&candidates[index].sentence)
        .is_some();
    has_value && Table::of(candidates, question, index).is_some()
}

/// The least number of columns whose values a question names, so that they single out a row.
const KEYS: usize = 2;

/// `true` if a sentence is the only row of its table with all that a question names of such rows,
/// and has a value under a label that it names, or has the most of it that is asked for: what else
/// is asked needs no word in a table.
pub(super) fn is_singled_out(candidates: &[Candidate], question: &Question, index: usize) -> bool {
    if question.has_bound() {
        return within_bound(candidates, question, &[(index, 1.0)]).contains(&index);
    }
    if question.asks_for_most().is_some() {
        return leading_row(candidates, question, &[(index, 1.0)]) == Some(index);
    }
    let Some(table) = Table::of(candidates, question, index) else {
        return false;
    };
    let mut complete = table.complete();
    let only = complete.next().filter(|_| complete.next().is_none());
    let keys = |row: &Row<'_>| row.names.iter().filter(|(_, met)| !met.is_empty()).count();
    let is_told = |row: &Row<'_>| keys(row) >= KEYS || row.is_in == Some(true);
    only.is_some_and(|row| row.index == index && is_told(row))
        && question
            .label_of_value(&candidates[index].sentence)
            .is_some()
}
