//! What is taken back: the sentences of a numbered decision that another document says does not
//! hold any more, those that a later one says are no longer so, those of a preprint that an article
//! replaces, those of a clause with a new text, and those with a number that another document or
//! the newer mail above them corrects, each with the sentence that says it.

use std::collections::BTreeMap;

use foldhash::HashSet;

use super::candidate::Candidate;
use super::input::ResearcherInput;
use super::quotation::{self, ANSWER_WORDS, Run};
use super::sequel::with_sequel;
use crate::agent::similarity::shares;
use crate::agent::succession::{
    DatedSentence, NoLonger, is_amendment_of, names_amendment, replaces_clause, replaces_preprint,
    revokes_numbered,
};
use crate::artifact::documents::LARGE_COLLECTION;
use crate::cite;
use crate::text;

/// The candidates that are taken back, by number, each with the number of the one that says so.
pub(super) fn taken_back(input: &ResearcherInput) -> BTreeMap<usize, usize> {
    let mut taken_back = amended(input);
    taken_back.extend(ended(input));
    taken_back.extend(of_preprints(input));
    taken_back.extend(with_new_text(input));
    taken_back.extend(revoked(input));
    taken_back.extend(rectified(input));
    taken_back.extend(corrected(input));
    taken_back.extend(corrected_by_notice(input));
    taken_back
}

/// The sentences of documents that a notice corrects, "Correction to incident 5", of which it says
/// otherwise.
fn corrected_by_notice(input: &ResearcherInput) -> BTreeMap<usize, usize> {
    let title = |number: usize| &*input.documents[number].title;
    let candidates = &input.candidates;
    let is_notice = |number: usize| {
        let mut others = input.documents.iter();
        others.any(|other| text::is_correction_of(title(number), &other.title))
    };
    by_documents(input, is_notice, |by, index| {
        let [new, old] = [&candidates[by], &candidates[index]];
        text::is_correction_of(title(new.document), title(old.document))
            && text::says_otherwise(&with_right_value(candidates, by), &old.sentence)
    })
}

/// A sentence with the one behind it that says what is right: "The number was given as 9. The
/// correct number is 4."
fn with_right_value(candidates: &[Candidate], index: usize) -> String {
    let run = with_sequel(candidates, Run::alone(index), ANSWER_WORDS);
    let said = candidates[index..=run.last].iter();
    said.map(|own| &*own.sentence).collect::<Vec<_>>().join(" ")
}

/// The sentences that a sentence of one of some documents takes back, each with the first that
/// does.
fn by_documents(
    input: &ResearcherInput,
    is_later: impl Fn(usize) -> bool,
    takes_back: impl Fn(usize, usize) -> bool,
) -> BTreeMap<usize, usize> {
    let all = 0..input.candidates.len();
    let later: Vec<bool> = (0..input.documents.len()).map(is_later).collect();
    let is_of_later = |index: &usize| later[input.candidates[*index].document];
    let by: Vec<usize> = all.clone().filter(is_of_later).collect();
    let first = |index: usize| by.iter().copied().find(|by| takes_back(*by, index));
    all.filter_map(|index| Some((index, first(index)?)))
        .collect()
}

/// The provisions that a document which by its title amends theirs replaces or deletes: "In Article
/// 7, the second sentence is deleted."
fn amended(input: &ResearcherInput) -> BTreeMap<usize, usize> {
    let candidates = &input.candidates;
    let title = |number: usize| &*input.documents[number].title;
    let is_amended_by = |own: usize, by: usize| own != by && is_amendment_of(title(by), title(own));
    let documents = 0..input.documents.len();
    let pairs = documents
        .clone()
        .flat_map(|by| documents.clone().map(move |own| (own, by)));
    let pairs: Vec<(usize, usize)> = pairs.filter(|(own, by)| is_amended_by(*own, *by)).collect();
    let of_document = |number: usize| {
        (0..candidates.len()).filter(move |index| candidates[*index].document == number)
    };
    let mut amended = BTreeMap::new();
    for (own, by) in pairs {
        let parts = of_document(by).filter_map(|index| {
            Some((
                index,
                text::ChangedPart::of_any(&candidates[index].sentence)?,
            ))
        });
        for (index, part) in parts {
            let is_of_part = |provision: &usize| {
                let heading = candidates[*provision].headings.last();
                let is_under = |heading: &String| part.is_under(heading, title(own));
                let (paragraph, sentence) = place_in_section(candidates, *provision);
                heading.is_some_and(is_under) && part.has(Some(paragraph), sentence)
            };
            amended.extend(of_document(own).filter(is_of_part).map(|own| (own, index)));
        }
    }
    amended
}

/// The number of the paragraph of a sentence, as it is written or as it is counted in its section,
/// and that of the sentence in it.
fn place_in_section(candidates: &[Candidate], index: usize) -> (usize, usize) {
    let own = &candidates[index];
    let is_beside = |before: &usize| {
        let before = &candidates[*before];
        (before.document, before.paragraph, before.step) == (own.document, own.paragraph, own.step)
    };
    let first = (0..index)
        .rev()
        .take_while(is_beside)
        .last()
        .unwrap_or(index);
    let written = || text::item_number(candidates[first].sentence.trim_start_matches('('));
    let paragraph = own.step.or_else(written);
    let paragraph = paragraph.unwrap_or(own.paragraph_in_section + 1);
    (paragraph, index - first + 1)
}

/// The least number of terms that a sentence shares with the one by which it is no longer so.
const SHARED_TERMS: usize = 2;

/// The candidates that a sentence of a later document says are no longer so; not looked for in a
/// large collection, whose documents say so of much else.
fn ended(input: &ResearcherInput) -> BTreeMap<usize, usize> {
    let candidates = &input.candidates;
    if input.documents_searched >= LARGE_COLLECTION {
        return BTreeMap::new();
    }
    let mut taken_back = BTreeMap::new();
    for by in 0..candidates.len() {
        let Some(said) = NoLonger::of(dated(input, by)) else {
            continue;
        };
        let terms: HashSet<&str> = candidates[by].terms.iter().map(String::as_str).collect();
        let is_ended = |index: &usize| {
            candidates[*index].document != candidates[by].document
                && shares(&terms, &candidates[*index].terms, SHARED_TERMS)
                && said.ends(dated(input, *index), &candidates[*index].terms)
        };
        let ended = (0..candidates.len()).filter(is_ended);
        taken_back.extend(ended.map(|index| (index, by)));
    }
    taken_back
}

/// The sentences of clauses, named by their sign or at their beginning, to which an amendment gives
/// a new text: "§ 2 is replaced by: …"
fn with_new_text(input: &ResearcherInput) -> BTreeMap<usize, usize> {
    let candidates = &input.candidates;
    let amends = |number: usize| names_amendment(&input.documents[number].title);
    by_documents(input, amends, |by, index| {
        candidates[by].document != candidates[index].document
            && replaces_clause(dated(input, by), dated(input, index))
    })
}

/// The sentences of preprints of which another document says that it replaces them.
fn of_preprints(input: &ResearcherInput) -> BTreeMap<usize, usize> {
    let candidates = &input.candidates;
    let of_document = |number: usize| {
        let mut own = (0..candidates.len()).filter(move |own| candidates[*own].document == number);
        let first = own.next()?;
        let replaces = |by: &usize| replaces_preprint(dated(input, *by), dated(input, first));
        let by = (0..candidates.len()).find(replaces)?;
        Some(
            std::iter::once(first)
                .chain(own)
                .map(move |index| (index, by)),
        )
    };
    let is_preprint = |number: &usize| {
        let title = input.documents[*number].title.to_lowercase();
        title.contains("preprint") || title.contains("vorabdruck")
    };
    let preprints = (0..input.documents.len()).filter(is_preprint);
    preprints.filter_map(of_document).flatten().collect()
}

/// The sentences of older mails whose number the text of a newer one above them corrects.
fn corrected(input: &ResearcherInput) -> BTreeMap<usize, usize> {
    let candidates = &input.candidates;
    let older = (0..candidates.len()).filter(|index| candidates[*index].mail_age > 0);
    let by = |index: usize| {
        let own = &candidates[index];
        let corrects = |other: &usize| {
            let newer = &candidates[*other];
            newer.document == own.document
                && newer.mail_age < own.mail_age
                && (text::corrects(&newer.sentence, &own.sentence)
                    || is_taken_back_behind(candidates, *other, &own.sentence))
        };
        (0..candidates.len()).find(corrects)
    };
    older
        .filter_map(|index| Some((index, by(index)?)))
        .collect()
}

/// `true` if a sentence gives all numbers of another one, and the next one says that this is wrong:
/// "I wrote that it costs £86,000. That figure was wrong."
fn is_taken_back_behind(candidates: &[Candidate], index: usize, other: &str) -> bool {
    let own = &candidates[index];
    let next = candidates.get(index + 1);
    let next = next.filter(|next| next.document == own.document);
    let is_taken_back = || next.is_some_and(|next| cite::takes_back(&next.sentence));
    let given = text::quantities(&own.sentence);
    let is_given = |number: &text::Quantity| {
        let mut given = given.iter().filter(|own| own.unit == number.unit);
        given.any(|own| own.value.total_cmp(&number.value).is_eq())
    };
    let stated = text::quantities(other);
    let is_size = |own: &&text::Quantity| !matches!(own.unit.as_str(), "" | "year");
    let mut sizes = stated.iter().filter(is_size).peekable();
    sizes.peek().is_some() && sizes.all(is_given) && is_taken_back()
}

/// The sentences that a sentence of another document, which is not older, says are wrong, most by
/// their number: "The consumption was 421,600 kWh, not 412,000 kWh", "We wrote 18 euros; the right
/// figure is 12 euros"; not looked for in a large collection.
fn rectified(input: &ResearcherInput) -> BTreeMap<usize, usize> {
    let candidates = &input.candidates;
    let may_deny = may_deny_with_sequel(candidates);
    let denies = |by: usize| {
        let newer = if may_deny[by] {
            with_right_value(candidates, by)
        } else {
            candidates[by].sentence.to_string()
        };
        let asks = || text::asks_not_to_use_statement(&candidates[by].sentence);
        (text::denies_number(&newer) || asks()).then_some((by, newer))
    };
    let title = |index: usize| &*input.documents[candidates[index].document].title;
    let mut rectified = BTreeMap::new();
    if input.documents_searched >= LARGE_COLLECTION {
        return rectified;
    }
    for (by, newer) in (0..candidates.len()).filter_map(denies) {
        // "The figure for the roof is wrong. We wrote 18 euros": the sentence before says of what.
        let before = by.checked_sub(1).filter(|before| {
            let run = Run::alone(*before);
            quotation::is_in_paragraph(candidates, Run { last: by, ..run })
        });
        let own = candidates[before.unwrap_or(by)..=by].iter();
        let own = own.flat_map(|own| own.terms.iter());
        let terms: HashSet<&str> = own.map(String::as_str).collect();
        let is_wrong = |index: &usize| {
            let own = &candidates[*index];
            let dates = dated(input, by).date.zip(dated(input, *index).date);
            own.document != candidates[by].document
                && dates.is_none_or(|(by, own)| by >= own)
                && shares(&terms, &own.terms, SHARED_TERMS)
                && !text::corrects_another(title(by), title(*index))
                && text::corrects(&newer, &own.sentence)
        };
        let wrong = (0..candidates.len()).filter(is_wrong);
        rectified.extend(wrong.map(|index| (index, by)));
    }
    rectified
}

/// By candidate: `false` if neither it nor what stands behind it in its paragraph, which may be its
/// sequel, denies a number.
fn may_deny_with_sequel(candidates: &[Candidate]) -> Vec<bool> {
    let mut may_deny = vec![false; candidates.len()];
    for index in (0..candidates.len()).rev() {
        let run = Run {
            last: index + 1,
            ..Run::alone(index)
        };
        let next = quotation::is_in_paragraph(candidates, run) && may_deny[index + 1];
        may_deny[index] = next || text::may_deny_number(&candidates[index].sentence);
    }
    may_deny
}

/// The sentence of another document, which is not older, that says that the number of a sentence is
/// under review.
pub(super) fn revised_by(input: &ResearcherInput, index: usize) -> Option<usize> {
    let candidates = &input.candidates;
    let own = &candidates[index];
    let is_size = |own: &text::Quantity| own.unit != "year";
    let mut stated = text::quantities(&own.sentence);
    stated.retain(is_size);
    let revises = |by: &usize| {
        let other = &candidates[*by];
        let dates = dated(input, *by).date.zip(dated(input, index).date);
        let is_stated = |size: &text::Quantity| {
            let mut stated = stated.iter();
            stated.any(|own| own.unit == size.unit && own.value.total_cmp(&size.value).is_eq())
        };
        other.document != own.document
            && text::announces_revision(&other.sentence)
            && text::quantities(&other.sentence).iter().any(is_stated)
            && dates.is_none_or(|(by, own)| by >= own)
            && text::shared_beside_numbers(&other.sentence, &own.sentence) > 0
    };
    let mut others = (0..candidates.len()).filter(|_| !stated.is_empty());
    others.find(revises)
}

/// The sentences of the numbered decisions that another document takes back.
fn revoked(input: &ResearcherInput) -> BTreeMap<usize, usize> {
    let candidates = &input.candidates;
    let decided = decided(input);
    if decided.is_empty() {
        return BTreeMap::new();
    }
    let revokes = |index: &usize| text::revokes_numbered_decision(&candidates[*index].sentence);
    let revoking: Vec<usize> = (0..candidates.len()).filter(revokes).collect();
    let by = |index: usize, label: &str| {
        let mut others = revoking.iter().copied();
        others.find(|other| {
            let is_of_other = candidates[*other].document != candidates[index].document;
            is_of_other && revokes_numbered(label, dated(input, *other), dated(input, index))
        })
    };
    let revoked = decided.into_iter();
    let revoked = revoked.filter_map(|(index, label)| Some((index, by(index, &label)?)));
    revoked.collect()
}

/// The sentences of numbered decisions, with the labels of these: from the label to the end of its
/// paragraph, or below a heading with it.
fn decided(input: &ResearcherInput) -> Vec<(usize, String)> {
    let candidates = &input.candidates;
    let mut decided: Vec<(usize, String)> = Vec::new();
    for (index, own) in candidates.iter().enumerate() {
        let is_beside = |before: usize| {
            let before = &candidates[before];
            (before.document, before.paragraph) == (own.document, own.paragraph)
        };
        let last = decided
            .last()
            .filter(|(last, _)| last + 1 == index && is_beside(*last));
        let label = text::label_of_decision(&own.sentence)
            .or_else(|| last.map(|(_, label)| label.clone()))
            .or_else(|| text::label_of_decision(own.headings.last()?));
        decided.extend(label.map(|label| (index, label)));
    }
    decided
}

/// A sentence with what is compared of its document.
pub(super) fn dated(input: &ResearcherInput, index: usize) -> DatedSentence<'_> {
    let candidate = &input.candidates[index];
    DatedSentence {
        text: &candidate.sentence,
        title: &input.documents[candidate.document].title,
        date: input.time(index),
        heading: candidate.headings.last().map(String::as_str),
    }
}

/// A run that begins with the label of its decision, which is taken back: what only goes on after
/// it would look as if it holds.
pub(super) fn with_label(candidates: &[Candidate], run: Run, words_limit: usize) -> Run {
    let longer = |first: usize| Run {
        first,
        skip: 0,
        ..run
    };
    let mut before = (0..=run.first).rev().take_while(|first| {
        quotation::is_in_paragraph(candidates, longer(*first))
            && quotation::words(candidates, *first, run.last) <= words_limit
    });
    let is_labelled = |first: &usize| {
        let sentence = &candidates[*first].sentence;
        text::label_of_decision(sentence).is_some()
    };
    let labelled = before.find(is_labelled);
    labelled
        .filter(|first| *first < run.first)
        .map_or(run, longer)
}
