//! Roles: who does what to whom. The words of a claim may all be in its sources, and yet be said of
//! another subject, of another object, or of the two in each other's places.
//!
//! There is no parser. A verb is any word that the claim shares with a sentence; its arguments are
//! the words right before and right after it, which a form of "be" before it and "by" after it turn
//! round. So only short claims are judged, and only if the other argument is the same.

use std::ops::Range;

use super::super::alignment::{Alignment, SAME_WORD, has_word, similarity};
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon::{self, BE, Qualifier};
use super::super::statement::verb::{is_auxiliary, is_verb};
use super::super::statement::{ContentWord, Statement};
use super::aside;
use super::copula;
use super::span;
use crate::text;

/// The largest number of words and numbers of a claim whose roles are judged. Chosen by hand.
const SHORT: usize = 10;

/// The words that may stand between a verb and what it is done to.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "its", "their", "his", "her", "all", "every", "each",
];

/// The stems of verbs that say the same of both of their arguments.
const SYMMETRIC: &[&str] = &[
    "marry", "meet", "border", "resembl", "equal", "match", "adjoin", "contact",
];

/// The maximum number of words from a passive verb to who does it, that included.
const BY_WORDS: usize = 4;

/// The objection to a claim of which the sources say a part of someone or something else.
pub(super) fn objection(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Objection> {
    if items.len() > SHORT || claim.has_free_order {
        return None;
    }
    let chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let mut alignments = chosen.map(|own| Alignment::of(claim, own));
    let of_pair = alignments.find_map(|alignment| {
        swapped(&alignment)
            .or_else(|| exchanged(&alignment))
            .or_else(|| another(coverage, &alignment))
            .or_else(|| another_patient(coverage, &alignment))
            .or_else(|| subject(coverage, &alignment))
    });
    of_pair
        .or_else(|| label(coverage, claim))
        .or_else(|| bracket(coverage, claim))
        .or_else(|| opposite(coverage, claim))
        .or_else(|| copula::objection(coverage, claim))
        .or_else(|| aside::objection(coverage, claim))
}

/// `true` if "by" stands right before a word, or before the name that it is a part of.
pub(super) fn is_after_by(statement: &Statement, word: usize) -> bool {
    let first = phrase_before(statement, word).start;
    statement.words.get(first).is_some_and(|first| {
        let before = first.position.checked_sub(1);
        before.and_then(|before| statement.normal.split(' ').nth(before)) == Some("by")
    })
}

/// The words in a row that end with this one.
fn phrase_before(statement: &Statement, last: usize) -> Range<usize> {
    let words = &statement.words;
    let mut start = last;
    while start > 0 && words[start - 1].position + 1 == words[start].position {
        if words[start].follows_mark {
            break;
        }
        start -= 1;
    }
    start..last + 1
}

/// The words in a row that begin with this one.
fn phrase_after(statement: &Statement, first: usize) -> Range<usize> {
    let words = &statement.words;
    let mut end = first + 1;
    while end < words.len()
        && words[end - 1].position + 1 == words[end].position
        && !words[end].follows_mark
    {
        end += 1;
    }
    first..end
}

/// The arguments of a verb: the phrases of who does it, and of what it is done to.
struct Arguments<'a> {
    agent: Option<&'a [ContentWord]>,
    patient: Option<&'a [ContentWord]>,
    /// `true` if a function word stands beside the verb: in "epigenetic changes" there is none.
    is_marked: bool,
}

impl<'a> Arguments<'a> {
    /// The arguments of the verb at a place of [`Statement::normal`].
    fn of(statement: &'a Statement, verb: usize) -> Self {
        let tokens: Vec<&str> = statement.normal.split(' ').collect();
        let words = &statement.words;
        let next = words.partition_point(|word| word.position <= verb);
        let last = words
            .partition_point(|word| word.position < verb)
            .checked_sub(1);
        let follows_mark = words.get(next).is_some_and(|word| word.follows_mark)
            || next.checked_sub(1) != last && words[next - 1].follows_mark;
        let behind = last.and_then(|last| tokens.get(words[last].position + 1..verb));
        let ahead = words.get(next).filter(|_| !follows_mark);
        let ahead = ahead.and_then(|word| tokens.get(verb + 1..word.position));
        // In a field of a record, "filter sand replaced", there is none.
        let has_object = ahead.is_some_and(|gap| gap.iter().all(|own| DETERMINERS.contains(own)));
        let is_participle =
            statement.is_record && !has_object && behind.is_some_and(<[&str]>::is_empty);
        // "Keys are issued by Olga": a form of "be" right before the verb makes it passive, so that
        // what is before is what it is done to, and who does it follows "by".
        // "A lighthouse designed by an engineer."
        let is_by = ahead.is_some_and(|gap| gap.first() == Some(&"by"));
        // "The choir will be joining the trio" is active.
        let is_going_on = tokens.get(verb).is_some_and(|own| own.ends_with("ing"));
        let follows_be = behind.is_some_and(|gap| gap.last().is_some_and(|own| BE.contains(own)));
        let is_passive = is_participle || is_by || follows_be && !is_going_on;
        let before = behind.filter(|gap| {
            let mut gap = gap.iter();
            is_passive || gap.all(|own| is_auxiliary(own) || *own == "also")
        });
        let before = before.and_then(|_| {
            let last = last?;
            let mut phrase = phrase_before(statement, last);
            // "The decision to accept an RFC is made": the noun of a passive verb stands first.
            while is_passive && phrase.start > 0 && !words[phrase.start].follows_mark {
                phrase.start -= 1;
            }
            Some(&words[phrase])
        });
        let after = |preposition: Option<&str>| {
            let own = ahead?;
            let rest = match (preposition, own) {
                (Some(own), [first, rest @ ..]) if *first == own => rest,
                (None, rest) => rest,
                _ => return None,
            };
            let is_direct = rest.iter().all(|own| DETERMINERS.contains(own));
            is_direct.then(|| &words[phrase_after(statement, next)])
        };
        // "Ann was succeeded as secretary by Bob".
        let by_later = || {
            let by = tokens
                .iter()
                .skip(verb + 1)
                .position(|token| *token == "by")?;
            let first = words.partition_point(|word| word.position <= verb + 1 + by);
            let between = words.get(next..=first)?;
            let is_near = between.len() <= BY_WORDS && between.iter().all(|own| !own.follows_mark);
            is_near.then(|| &words[phrase_after(statement, first)])
        };
        let is_marked = [behind, ahead].iter().flatten().any(|gap| !gap.is_empty());
        let (agent, patient) = if is_passive {
            (after(Some("by")).or_else(by_later), before)
        } else {
            (before, after(None))
        };
        Self {
            agent,
            patient,
            is_marked,
        }
    }
}

/// `true` if one of the words has one of the others in any form.
fn share(words: &[ContentWord], others: &[ContentWord]) -> bool {
    words.iter().any(|word| has_word(others, word))
}

/// `true` if each of some words is among others.
fn has_all(words: &[ContentWord], all: &[ContentWord]) -> bool {
    all.iter()
        .all(|one| words.iter().any(|own| own.stem == one.stem))
}

/// A verb that two statements share.
struct Verb<'a> {
    stem: &'a str,
    /// Its places in both.
    positions: [usize; 2],
    arguments: [Arguments<'a>; 2],
}

/// Participles of verbs whose gift and whose receiver may both be the subject: "The week is paid
/// with an allowance", "an allowance is paid for the week".
const GIFTS: &[&str] = &["paid", "given", "awarded", "granted", "offered"];

/// `true` for one of [`GIFTS`] behind a form of "be", of which nothing says who gives it.
fn is_passive_gift(statement: &Statement, verb: usize) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let before = verb.checked_sub(1).and_then(|at| tokens.get(at));
    let is_be =
        before.is_some_and(|word| matches!(*word, "is" | "are" | "was" | "were" | "be" | "been"));
    let is_gift = tokens.get(verb).is_some_and(|word| GIFTS.contains(word));
    is_be && is_gift && !tokens.contains(&"by")
}

/// The verbs that two statements share: content words, and verbs that qualify, "recommends".
fn verbs<'a>(alignment: &Alignment<'a>) -> Vec<Verb<'a>> {
    let (claim, own) = (alignment.one, alignment.other);
    let words = alignment.pairs().map(|(one, other)| {
        let (word, other) = (&claim.words[one], &own.words[other]);
        (
            word.stem.as_str(),
            [word.position, other.position],
            word.is_name,
        )
    });
    let qualifying = claim
        .normal
        .split(' ')
        .enumerate()
        .filter_map(|(position, token)| {
            let is_verb = lexicon::qualifier(token).is_some() && !text::is_stop_word(token);
            let mut others = own.normal.split(' ');
            let other = others.position(|other| is_verb && other == token)?;
            Some((token, [position, other], false))
        });
    let verbs = words.chain(qualifying);
    let verbs = verbs.filter(|(stem, positions, is_name)| {
        let is_given = is_passive_gift(claim, positions[0]) && is_passive_gift(own, positions[1]);
        !is_name && !is_given && !SYMMETRIC.contains(stem)
    });
    verbs
        .map(|(stem, positions, _)| Verb {
            stem,
            positions,
            arguments: [
                Arguments::of(claim, positions[0]),
                Arguments::of(own, positions[1]),
            ],
        })
        .collect()
}

/// `true` if a statement has a verb, in any form.
fn says(statement: &Statement, verb: &Verb<'_>) -> bool {
    let mut tokens = statement.normal.split(' ');
    tokens.any(|token| token == verb.stem)
        || statement.words.iter().any(|word| word.stem == verb.stem)
}

/// The agent of each statement after the verb in the other: "the tenant lets to the landlord" for
/// "the landlord lets to the tenant".
fn swapped(alignment: &Alignment<'_>) -> Option<Objection> {
    if alignment.missing().next().is_some() {
        return None;
    }
    let is_swapped = verbs(alignment).iter().any(|verb| {
        let [Some(agent), Some(other_agent)] = [0, 1].map(|at| verb.arguments[at].agent) else {
            return false;
        };
        let ([claim, own], [position, own_position]) =
            ([alignment.one, alignment.other], verb.positions);
        let (before, after) = parts(claim, position);
        let (own_before, own_after) = parts(own, own_position);
        // Each agent stands behind the verb of the other statement, and not before it as well.
        !share(agent, other_agent)
            && has_all(after, other_agent)
            && has_all(own_after, agent)
            && !has_all(before, other_agent)
            && !has_all(own_before, agent)
    });
    is_swapped.then(|| Objection::contradiction(Difference::Order))
}

/// Who does something is in the sentence to whom it is done; or it is done by the one, or to the
/// one, and both statements name both: "Tom continues and Ann leaves" for "Tom leaves; Ann
/// continues".
fn exchanged(alignment: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (alignment.one, alignment.other);
    let is_name = |phrase: &[ContentWord]| phrase.iter().any(|word| word.is_name);
    let is_exchanged = |verb: &Verb<'_>| {
        let [claimed, said] = &verb.arguments;
        let is_turned = claimed
            .agent
            .zip(said.patient)
            .is_some_and(|(agent, patient)| {
                let others = [said.agent, claimed.patient];
                is_name(agent)
                    && is_name(patient)
                    && has_all(patient, agent)
                    && others.iter().flatten().all(|other| !share(other, agent))
            });
        let roles = [(claimed.agent, said.agent), (claimed.patient, said.patient)];
        let mut roles = roles.into_iter().filter_map(|(one, other)| one.zip(other));
        let is_other = roles.any(|(one, other)| {
            !share(one, other)
                && has_all(&own.words, one)
                && has_all(&claim.words, other)
                && !is_joined(claim, one)
                && !is_joined(own, other)
                && !is_one_phrase(claim, one, own, other)
        });
        let occurrences = own.words.iter().filter(|word| word.stem == verb.stem);
        is_turned || is_other && occurrences.count() == 1
    };
    let verbs = verbs(alignment);
    let is_verb = |verb: &&Verb<'_>| {
        let mut words = claim.words.iter();
        words.any(|word| word.position == verb.positions[0] && is_verb(claim, word))
    };
    let mut verbs = verbs.iter().filter(is_verb);
    verbs
        .any(is_exchanged)
        .then(|| Objection::contradiction(Difference::Order))
}

/// `true` if a phrase of a claim goes on with the other phrase of its sentence, as it does there:
/// "sparks" and "engine" of "sparks from the engine".
fn is_one_phrase(
    claim: &Statement,
    one: &[ContentWord],
    own: &Statement,
    other: &[ContentWord],
) -> bool {
    let Some(first) = one.first() else {
        return false;
    };
    let own = format!(" {} ", own.normal);
    let ends = claim.words.iter().filter(|word| {
        let is_last = other.last().is_some_and(|last| last.stem == word.stem);
        is_last && word.position > first.position
    });
    let mut phrases = ends.map(|end| {
        let tokens = claim.normal.split(' ').take(end.position + 1);
        tokens.skip(first.position).collect::<Vec<_>>().join(" ")
    });
    phrases.any(|phrase| own.contains(&format!(" {phrase} ")))
}

/// `true` if a phrase is one of several that "and" or "or" joins.
fn is_joined(statement: &Statement, phrase: &[ContentWord]) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let [Some(first), Some(last)] = [phrase.first(), phrase.last()] else {
        return false;
    };
    let around = [first.position.checked_sub(1), Some(last.position + 1)];
    let mut around = around.into_iter().flatten().filter_map(|at| tokens.get(at));
    around.any(|token| matches!(*token, "and" | "or" | "nor"))
}

/// The content words before and after a place of [`Statement::normal`].
fn parts(statement: &Statement, position: usize) -> (&[ContentWord], &[ContentWord]) {
    let middle = statement
        .words
        .partition_point(|word| word.position < position);
    statement.words.split_at(middle)
}

/// Another argument in the place of one, beside the same verb and the same other argument.
fn another(coverage: &Coverage<'_>, alignment: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (alignment.one, alignment.other);
    verbs(alignment).iter().find_map(|verb| {
        let [arguments, others] = &verb.arguments;
        let same = |one: Option<&[ContentWord]>, other: Option<&[ContentWord]>| {
            one.zip(other).is_some_and(|(one, other)| share(one, other))
        };
        let pairs = [
            (
                arguments.agent,
                others.agent,
                arguments.patient,
                others.patient,
            ),
            (
                arguments.patient,
                others.patient,
                arguments.agent,
                others.agent,
            ),
        ];
        pairs
            .into_iter()
            .find_map(|(phrase, other, shared, shared_other)| {
                let (phrase, other, shared) = (phrase?, other?, shared?);
                let is_another = arguments.is_marked
                    && others.is_marked
                    && same(Some(shared), shared_other)
                    && !share(phrase, &own.words)
                    && !share(other, &claim.words)
                    && are_distinct(coverage, alignment, phrase, other);
                // Another sentence may say it of this one too.
                let mut sentences = coverage.sentences();
                let is_said = sentences.any(|sentence| {
                    share(phrase, &sentence.words)
                        && says(sentence, verb)
                        && share(shared, &sentence.words)
                });
                let head = phrase.last()?.folded.clone();
                (is_another && !is_said).then(|| Objection::doubt(Difference::Binding(head)))
            })
    })
}

/// Another name to which the same is done, whoever does it: "Ann was appointed as successor of Bob"
/// for "the board appointed Bob as her successor".
fn another_patient(coverage: &Coverage<'_>, alignment: &Alignment<'_>) -> Option<Objection> {
    let is_name = |phrase: &[ContentWord]| phrase.iter().any(|word| word.is_name);
    verbs(alignment).iter().find_map(|verb| {
        let [patient, other] = [0, 1].map(|at| verb.arguments[at].patient);
        let (patient, other) = (patient?, other?);
        let is_another = is_name(patient)
            && is_name(other)
            && !share(patient, &alignment.other.words)
            && !share(other, patient);
        let mut sentences = coverage.sentences();
        let is_said = sentences.any(|own| share(patient, &own.words) && says(own, verb));
        let head = patient.last()?.folded.clone();
        (is_another && !is_said).then(|| Objection::doubt(Difference::Binding(head)))
    })
}

/// Another subject of the same predicate: "the pump is tested in a workshop" for "the fan is tested
/// in a workshop".
fn subject(coverage: &Coverage<'_>, alignment: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (alignment.one, alignment.other);
    let verbs = verbs(alignment);
    let mut verbs = verbs.iter().filter(|verb| {
        let mut words = claim.words.iter();
        words.any(|word| word.position == verb.positions[0] && is_verb(claim, word))
    });
    verbs.find_map(|verb| {
        let ((before, after), (own_before, own_after)) = (
            parts(claim, verb.positions[0]),
            parts(own, verb.positions[1]),
        );
        let (after, own_after) = (after.get(1..)?, own_after.get(1..)?);
        // A mark before the verb would end the subject.
        let is_subject = |words: &[ContentWord], verb: Option<&ContentWord>| {
            let inner = words.iter().skip(1).chain(verb);
            !words.is_empty() && inner.clone().all(|word| !word.follows_mark)
        };
        let [verb_word, own_verb_word] = [(claim, before), (own, own_before)]
            .map(|(statement, before)| statement.words.get(before.len()));
        let is_another = is_subject(before, verb_word)
            && is_subject(own_before, own_verb_word)
            && !after.is_empty()
            && has_all(own_after, after)
            && !share(before, &own.words)
            && !share(own_before, &claim.words);
        let is_said_of_it = coverage.sentences().any(|sentence| {
            share(before, &sentence.words)
                && says(sentence, verb)
                && has_all(&sentence.words, after)
        });
        let is_used = before.iter().any(|word| coverage.says(word));
        let head = before.last()?.folded.clone();
        (is_another && is_used && !is_said_of_it)
            .then(|| Objection::doubt(Difference::Binding(head)))
    })
}

/// `true` if two phrases that share no word mean two things: two names; or words for both of which
/// the sources have a use, or beside which all else is the same. A common noun may stand for a
/// name.
fn are_distinct(
    coverage: &Coverage<'_>,
    alignment: &Alignment<'_>,
    one: &[ContentWord],
    other: &[ContentWord],
) -> bool {
    let is_all = || alignment.missing().all(|word| one.contains(word));
    let is_name = |phrase: &[ContentWord]| phrase.iter().any(|word| word.is_name);
    let mut sentences = coverage.sentences();
    match (is_name(one), is_name(other)) {
        (true, true) => true,
        (false, false) => is_all() || sentences.any(|own| share(one, &own.words)),
        _ => sentences.any(|own| share(one, &own.words) && share(other, &own.words)),
    }
}

/// A name that stands in a line of another label than the one that the claim gives it: "Dana was
/// present" for "Absent: Dana".
fn label(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let labelled = |own: &&Statement| own.label > 0;
    let lines: Vec<&Statement> = coverage.sentences().filter(labelled).collect();
    let names: Vec<&ContentWord> = claim.words.iter().filter(|word| word.is_name).collect();
    let is_named = |own: &&&Statement| {
        names
            .iter()
            .any(|name| has_word(&own.words[own.label..], name))
    };
    let (with_name, others): (Vec<&Statement>, Vec<&Statement>) =
        lines.iter().partition(|own| is_named(own));
    let words = || claim.words.iter().filter(|word| !word.is_name);
    let is_label_of = |lines: &[&Statement], word: &ContentWord| {
        lines
            .iter()
            .any(|own| has_word(&own.words[..own.label], word))
    };
    if with_name.is_empty() || words().any(|word| is_label_of(&with_name, word)) {
        return None;
    }
    // "Date of accident: 22 April" gives nobody a role.
    let is_role = |own: &&Statement| {
        let mut values = own.words[own.label..].iter();
        values.any(|word| word.is_name && !word.is_month())
    };
    let roles: Vec<&Statement> = others.into_iter().filter(|own| is_role(own)).collect();
    let word = words().find(|word| is_label_of(&roles, word))?;
    // Another sentence may say it of the name.
    let mut sentences = coverage.sentences().filter(|own| own.label == 0);
    let is_said = sentences.any(|own| {
        has_word(&own.words, word) && names.iter().any(|name| has_word(&own.words, name))
    });
    let difference = Difference::Binding(word.folded.clone());
    (!is_said).then(|| Objection::contradiction(difference))
}

/// A word that stands only in brackets after other names of a list: "Ann (chair), Bob (cook)" for
/// "Bob chairs the committee".
fn bracket(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    // The claim must be about somebody in the list: "the chair opened the meeting" is not.
    let is_of_list = |sentence: &Statement, own: &ContentWord| {
        let Some(holder) = own.holder.filter(|at| sentence.words[*at].is_name) else {
            return false;
        };
        let name = &sentence.words[phrase_before(sentence, holder)];
        let mut others = sentence.words.iter().filter(|other| other.holder.is_none());
        !share(name, &claim.words)
            && others.any(|other| other.is_name && has_word(&claim.words, other))
    };
    let words = claim.words.iter().filter(|word| !word.is_name);
    let mut words_of_list = words.filter(|word| {
        let occurrences = coverage.sentences().flat_map(|sentence| {
            let same = sentence.words.iter();
            let same = same.filter(|own| similarity(word, own) >= SAME_WORD);
            same.map(move |own| (sentence, own))
        });
        let mut occurrences = occurrences.peekable();
        occurrences.peek().is_some() && occurrences.all(|(sentence, own)| is_of_list(sentence, own))
    });
    let difference = Difference::Binding(words_of_list.next()?.folded.clone());
    Some(Objection::doubt(difference))
}

/// A word that no sentence says, and of which one beside the chosen ones says the opposite of the
/// same thing: "accepted" where the next sentence is "The proposal was rejected."
fn opposite(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let words = || claim.words.iter().filter(|word| !word.is_light());
    let missing = words().filter(|word| !word.is_name && !coverage.says(word));
    let missing: Vec<&ContentWord> = missing.collect();
    // "Refused, unless" is "accepted, if".
    let is_open = |own: &&Statement| {
        !own.qualifiers.contains_key(&Qualifier::Hypothesis)
            && !own.is_timetable()
            && !Alignment::of(claim, own).is_of_others()
    };
    let mut near = coverage.near_chosen().filter(is_open);
    near.find_map(|own| {
        let mut pairs = missing.iter().flat_map(|word| {
            let others = own.words.iter().map(move |other| (*word, other));
            others.filter(|(word, other)| word.is_negated == other.is_negated)
        });
        let (word, other) = pairs.find(|(word, other)| {
            let (one, two) = (
                (word.stem.as_str(), word.entry),
                (other.stem.as_str(), other.entry),
            );
            let are_predicates = word.is_predicate && other.is_predicate;
            are_predicates && lexicon::are_opposite(one, two) && !span::says(claim, own, &word.stem)
        })?;
        // Its subject may be no content word: "the proposal". In the passive it may be the object
        // of the claim: "They accepted the proposal".
        let before: Vec<&str> = own.normal.split(' ').take(other.position).collect();
        let is_passive = before.last().is_some_and(|last| BE.contains(last));
        let end = if is_passive {
            usize::MAX
        } else {
            word.position
        };
        let mut subject = before.iter().filter(|token| !text::is_stop_word(token));
        let is_of_same =
            subject.any(|token| claim.normal.split(' ').take(end).any(|own| own == *token));
        let (word, other) = (word.folded.clone(), other.folded.clone());
        is_of_same.then(|| Objection::contradiction(Difference::Opposite(word, other)))
    })
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    const SITE: &str = "The operator lends the tower cranes to the builder. The builder pays a fee \
                        of 900 euros. The fire was caused by a loose cable that nobody had \
                        checked. The heater was not connected. The board prefers the ramp, \
                        because it needs no power. A lift is faster.";

    #[test]
    fn another_agent_or_object_and_swapped_ones_are_not_supported() {
        assert_supported(&[
            (
                "The builder lends the tower cranes to the operator.",
                SITE,
                false,
            ),
            ("The operator pays a fee of 900 euros.", SITE, false),
            ("The fire was caused by the heater.", SITE, false),
            (
                "The board prefers the lift because it is faster.",
                SITE,
                false,
            ),
            (
                "The operator lends the tower cranes to the builder.",
                SITE,
                true,
            ),
            ("A fee of 900 euros is paid by the builder.", SITE, true),
            ("A loose cable caused the fire.", SITE, true),
            (
                "The board prefers the ramp because it needs no power.",
                SITE,
                true,
            ),
        ]);
    }

    #[test]
    fn a_field_of_a_record_says_what_was_done_and_not_who_did_it() {
        let sand = "Date: 2025-03-04; plant: filter 2; work: filter sand replaced; by: Hydrotec; \
                    hours: 9; cost euros: 6850.";
        let lift =
            "Date: 2025-03-27; plant: lift; work: annual inspection passed; by: TUV; hours: 2.";
        let alarm = "Date: 2025-04-11; plant: chlorine room; work: leak alarm tested and sensor \
                     replaced; by: Osterloh; hours: 2.";
        let swapped = "Plant: filter 2; work: Osterloh replaced Hydrotec; hours: 9; by: nobody.";
        assert_supported(&[
            (
                "Hydrotec replaced the filter sand for 6,850 euros.",
                sand,
                true,
            ),
            (
                "Hydrotec replaced the filter sand for 6,950 euros.",
                sand,
                false,
            ),
            ("The lift passed the annual inspection.", lift, true),
            ("The annual inspection of the lift passed.", lift, true),
            (
                "Osterloh tested the leak alarm and replaced the sensor.",
                alarm,
                true,
            ),
            ("Hydrotec replaced Osterloh.", swapped, false),
        ]);
    }

    #[test]
    fn what_is_paid_and_what_it_is_paid_for_are_both_the_subject() {
        let rota = "An on-call week is paid with an allowance of 320 euros.";
        assert_supported(&[
            (
                "An allowance of 320 euros is paid for an on-call week.",
                rota,
                true,
            ),
            (
                "The members are paid by the staff.",
                "The staff are paid by the members.",
                false,
            ),
        ]);
    }

    #[test]
    fn active_and_passive_and_a_moved_date_are_no_other_order() {
        let passage = "On 3 March 2025 at 07:10, about 60 litres of oil leaked from press 4. Gate \
                       keys are issued by Olga Brandt.";
        assert_supported(&[
            ("Olga Brandt issues the gate keys.", passage, true),
            (
                "About 60 litres of oil leaked on 3 March 2025.",
                passage,
                true,
            ),
        ]);
    }

    #[test]
    fn the_label_of_a_line_is_part_of_what_it_says() {
        let minutes = "Present: Olga Brandt, Ivo Lind\nAbsent: Dana Cole\n\nIt was short.";
        assert_supported(&[
            ("Dana Cole was present at the meeting.", minutes, false),
            ("Dana Cole was absent.", minutes, true),
            ("Olga Brandt was present.", minutes, true),
        ]);
    }

    #[test]
    fn the_opposite_in_the_next_sentence_is_not_supported() {
        let passage = "Dana proposed to paint the hall in two steps. The proposal was rejected.";
        assert_supported(&[
            (
                "The proposal to paint the hall in two steps was accepted.",
                passage,
                false,
            ),
            (
                "The proposal to paint the hall in two steps was rejected.",
                passage,
                true,
            ),
        ]);
        let other = support(
            "Edwin refuses to give his clock to the museum.",
            "The museum accepts no liability for what is left in the lockers.",
        );
        assert_eq!(other.verdict, Verdict::Unsupported, "{other:?}");
    }

    #[test]
    fn a_role_in_brackets_is_that_of_the_name_before() {
        let present = "Present: Ines Falk (secretary, chair), Ralf Amsel (cook), Ada Brandt.";
        assert_supported(&[
            ("Ralf Amsel chairs the meeting.", present, false),
            ("Ada Brandt is the secretary.", present, false),
            ("Ines Falk is the chair.", present, true),
            ("Ines Falk is the secretary.", present, true),
            ("Ralf Amsel is the cook.", present, true),
        ]);
    }

    #[test]
    fn another_subject_of_the_same_predicate_is_not_supported() {
        let passage = "The lead time is calculated from samples. The actual delay is measured in \
                       a real workshop.";
        let rule = "Each request gets a shepherd. The final decision to accept a request is \
                    made by the core team.";
        assert_supported(&[
            (
                "The lead time is measured in a real workshop.",
                passage,
                false,
            ),
            (
                "The actual delay is measured in a real workshop.",
                passage,
                true,
            ),
            ("A shepherd makes the final decision.", rule, false),
            ("The core team makes the final decision.", rule, true),
        ]);
    }

    #[test]
    fn what_happens_beside_something_is_not_caused_by_it() {
        let leak = "The leak was caused by a worn gasket. The level sensor did not report it.";
        let smoke = "Dry peat and gas from the well caused the smoke.";
        let fire = "The fire damaged two machines. The whole production stopped for a day.";
        assert_supported(&[
            ("The leak was caused by the level sensor.", leak, false),
            ("The level sensor caused the leak.", leak, false),
            ("The fire destroyed the whole production.", fire, false),
            ("A worn gasket caused the leak.", leak, true),
            ("The level sensor did not report the leak.", leak, true),
            ("The whole production stopped for a day.", fire, true),
            ("The smoke was caused by gas from the well.", smoke, true),
            ("Gas from the well was caused by the smoke.", smoke, false),
        ]);
    }

    #[test]
    fn what_depends_on_what_is_no_matter_of_words() {
        let passage = "The running costs depend on the demand and the ratio between the prices of \
                       oil and gas.";
        assert_supported(&[
            (
                "The ratio between the prices of oil and gas depends on the running costs.",
                passage,
                false,
            ),
            (
                "The running costs depend on the ratio between the prices of oil and gas.",
                passage,
                true,
            ),
        ]);
    }
}
