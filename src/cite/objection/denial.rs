//! Denials: a negation turns round which words may be left out. "Coupons are accepted at the bar"
//! is more than "Coupons are accepted", but "Coupons are not accepted at the bar" is less than
//! "Coupons are not accepted" (a negation is downward monotone: van Benthem, *Essays in Logical
//! Semantics*, 1986).

use super::super::alignment::{Alignment, has_word};
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon;
use super::super::statement::verb::is_past_auxiliary;
use super::super::statement::{ContentWord, Statement};
use super::necessity::waiver;
use super::span;

/// The largest number of content words of a claim that is judged, chosen by hand: what a longer one
/// leaves out is mostly known from its context.
const SHORT: usize = 7;

/// Words that begin a restriction: of a place, a time, a case.
const RESTRICTIONS: &[&str] = &[
    "in", "at", "on", "for", "from", "with", "without", "within", "during", "under", "over",
    "near", "outside", "inside", "between", "before", "after", "unless", "except", "to",
];

/// What follows a preposition before a noun: "to the meeting" restricts, "to meet" does not.
const ARTICLES: &[&str] = &["a", "an", "the", "our", "their", "its", "his", "her"];

/// Of what happened once, only this restricts it: "abolished for small farms".
const OF_EVENTS: &[&str] = &["for", "from", "unless", "except"];

/// Words that deny for all time, and words of a period in which something was denied.
const EVER: &[&str] = &["never", "ever", "once", "always", "until", "since"];
const PERIODS: &[&str] = &["last", "this", "yet", "during", "in"];

/// Words that deny by what they mean.
const DENYING: &[&str] = &[
    "abolished",
    "banned",
    "forbidden",
    "prohibited",
    "scrapped",
    "withdrawn",
];

/// Other words by which a sentence denies.
const OTHER_DENIALS: &[&str] = &[
    "only", "unless", "instead", "rather", "hardly", "rarely", "until", "ended", "stopped",
    "closed", "ceased", "missing", "absent", "refused", "rejected", "avoid", "avoids", "prevents",
    "prevent", "exempt", "lost", "false",
];

/// `true` for one of these, or a word for what is excepted: "except", "exception", "excluding".
fn is_other_denial(token: &str) -> bool {
    let excepts = token.starts_with("except") || token.starts_with("exclud");
    excepts || OTHER_DENIALS.contains(&token)
}

/// Of these, the ones that a number may follow: "under 6".
const LIMITS: &[&str] = &["under", "over", "before", "after", "within", "between"];

/// The stems of words behind a preposition that restrict nothing.
const REASONS: &[&str] = &["reason", "caus", "lack", "contrast", "addit", "fact"];

/// What restricts a denial that a short claim makes altogether, if each clause that says all of the
/// claim restricts it.
pub(super) fn difference(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    if claim.words.len() > SHORT || !denies(claim) || claim.is_question {
        return None;
    }
    let says_all = |own: &&Statement| {
        let mut words = claim.words.iter();
        words.all(|word| word.is_light() || has_word(&own.words, word))
    };
    let clauses = coverage.sentences().filter(says_all);
    let mut clauses = clauses.filter(|own| denies(own) && !own.is_record && !own.is_question);
    let first = restriction(claim, clauses.next()?)?;
    let is_restricted = clauses.all(|own| restriction(claim, own).is_some());
    is_restricted.then_some(Difference::Restriction(first))
}

/// A claim of which one clause says every word, and no other word, with a negation that the claim
/// does not have, or without the one that it has: "a refund is not possible; call us" denies that a
/// refund is possible, which its other clause hides.
pub(super) fn turned(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let is_limited = |statement: &Statement| {
        let mut tokens = statement.normal.split(' ');
        tokens.any(|token| TAKING_BACK.contains(&token) || token == "only")
    };
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let is_turned = chosen.any(|own| {
        let there = Alignment::of(claim, own);
        there.excess() <= 0.0
            && !is_limited(own)
            && there.missing().next().is_none()
            && !claim.words.is_empty()
            && !own.is_question
            && there.differ_in_negation()
            && !span::are_one(claim, own)
    });
    let is_plain = !claim.is_question && !is_limited(claim);
    (is_turned && is_plain).then(|| Objection::contradiction(Difference::Negation))
}

/// The least number of words of a claim that a prohibition has.
const FORBIDDEN: usize = 2;

/// A claim with a word that its sentences have in a prohibition alone, with others of its words:
/// "run VACUUM FULL" of "run VACUUM. Do not run VACUUM FULL."
pub(super) fn forbidden(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let chosen = || coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let forbids = |own: &&Statement| {
        let begins = ["do not ", "never ", "don't ", "must not "];
        begins.iter().any(|begin| own.normal.starts_with(begin))
    };
    let is_negated = |own: &Statement, word: &ContentWord| {
        let mut words = own.words.iter();
        words.any(|other| other.is_negated && other.stem == word.stem)
    };
    let (forbidding, others): (Vec<&Statement>, Vec<&Statement>) = chosen().partition(forbids);
    let is_forbidden = forbidding.into_iter().any(|own| {
        let words = claim.words.iter().filter(|word| is_negated(own, word));
        let words: Vec<&ContentWord> = words.collect();
        let is_alone = |word: &&ContentWord| !others.iter().any(|own| has_word(&own.words, word));
        words.len() >= FORBIDDEN && words.iter().any(is_alone)
    });
    let is_plain = claim.negations == 0 && !claim.is_question;
    (is_forbidden && is_plain).then(|| Objection::contradiction(Difference::Negation))
}

/// The denial of a claim of which nothing that says the rest denies anything.
pub(super) fn undenied(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let is_denied = |own: &Statement| {
        let mut tokens = own.normal.split(' ');
        let lacks = |word: &ContentWord| {
            let word = word.folded.as_str();
            word.starts_with("un") || word.ends_with("less") || word.ends_with("free")
        };
        own.negations > 0 && !Alignment::of(claim, own).denies_other_clause_alone()
            || own.words.iter().any(lacks)
            || tokens.any(|token| {
                // "The valve must not be closed" is not denied by "closed".
                let is_claimed = claim.normal.split(' ').any(|own| own == token);
                (DENYING.contains(&token) || is_other_denial(token)) && !is_claimed
            })
            || own.words.iter().any(|word| is_opposed(claim, word))
    };
    // "Without asking the members" denies, too.
    let denies = claim.denials() % 2 == 1 || claim.normal.split(' ').any(|own| own == "without");
    let is_undenied = denies && !chosen.any(is_denied);
    is_undenied.then_some(Difference::Negation)
}

/// `true` if a word is the opposite of one that a claim denies: "shut" of "not open".
fn is_opposed(claim: &Statement, word: &ContentWord) -> bool {
    let mut words = claim.words.iter();
    words.any(|own| lexicon::exclude((&own.stem, own.entry), (&word.stem, word.entry)))
}

/// `true` for a statement that denies something, by a negation or by what a word means. What need
/// not be somewhere, is not necessary at all.
fn denies(statement: &Statement) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    if waiver(&tokens).is_some() {
        return false;
    }
    let mut tokens = tokens.into_iter();
    let denying = tokens.any(|token| DENYING.contains(&token));
    (statement.denials() % 2 == 1) != denying
}

/// Words by which a sentence takes a denial back: "no noise but at night"; a closed list, written
/// by hand.
const TAKING_BACK: &[&str] = &["but", "except", "unless", "until", "without"];

/// `true` if a sentence says that there is none of a thing, "makes no noise", where a claim without
/// any negation has it.
pub(super) fn denies_noun(there: &Alignment<'_>) -> bool {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let is_plain = claim.negations == 0 && !tokens.iter().any(|own| TAKING_BACK.contains(own));
    let mut pairs = there.pairs().filter(|_| is_plain);
    pairs.any(|(one, other)| {
        let (word, denied) = (&claim.words[one], &own.words[other]);
        let before = denied.position.checked_sub(1).map(|at| tokens[at]);
        let mut others = own.words.iter().filter(|own| own.stem == denied.stem);
        before == Some("no") && word.stem == denied.stem && others.all(|own| own.is_negated)
    })
}

/// The words of a restriction that only the sentence has: behind a word of the claim and before the
/// next mark, beginning with a preposition.
fn restriction(claim: &Statement, own: &Statement) -> Option<String> {
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let is_event = tokens.iter().any(|token| is_past_auxiliary(token));
    let prepositions = if is_event { OF_EVENTS } else { RESTRICTIONS };
    let is_shared = |word: &ContentWord| has_word(&claim.words, word);
    let words = own.words.iter();
    let words: Vec<&ContentWord> = words
        .filter(|word| !prepositions.contains(&&*word.folded))
        .collect();
    // "Never" is more than "not last winter".
    let is_claimed = |word: &str| claim.normal.split(' ').any(|token| token == word);
    if is_claimed("never") && !tokens.iter().any(|token| EVER.contains(token)) {
        let at = tokens.iter().position(|token| PERIODS.contains(token));
        let words = at.and_then(|at| tokens.get(at..(at + 2).min(tokens.len())));
        if let Some(words) = words {
            return Some(words.join(" "));
        }
    }
    // "After midnight the tram does not stop."
    if !is_event && prepositions.contains(&tokens[0]) {
        let first = words
            .first()
            .filter(|word| !is_shared(word) && !is_empty(word));
        if let Some(words) = first.and_then(|first| tokens.get(..=first.position)) {
            return Some(words.join(" "));
        }
    }
    let stretches: Vec<usize> = (0..words.len())
        .map(|at| words[..=at].iter().filter(|own| own.follows_mark).count())
        .collect();
    // "The station is at Corve, the village itself has none": between marks stands what is denied.
    let is_denied = |stretch: usize| {
        let mut own = words
            .iter()
            .zip(&stretches)
            .filter(|(_, at)| **at == stretch);
        own.any(|(word, _)| word.is_negated || DENYING.contains(&&*word.folded))
    };
    words.iter().enumerate().find_map(|(index, word)| {
        let next = words.get(index + 1).filter(|_| is_denied(stretches[index]));
        let next = next.filter(|next| !next.follows_mark);
        let end = next.map_or(tokens.len(), |next| next.position);
        let behind = tokens.get(word.position + 1..end)?;
        let is_preposition = |at: &usize| {
            let is_infinitive = behind[*at] == "to"
                && !behind.get(at + 1).is_some_and(|own| ARTICLES.contains(own));
            prepositions.contains(&behind[*at]) && !is_infinitive
        };
        let at = (0..behind.len()).find(is_preposition)?;
        let number = behind[at..].iter().position(|own| is_number(own));
        let last = match (next, number) {
            (_, Some(number)) if LIMITS.contains(&behind[at]) => at + number,
            (Some(next), _) if !is_shared(next) && !is_empty(next) => {
                let row = words[index + 1..].windows(2);
                let row = row.take_while(|pair| pair[0].position + 1 == pair[1].position);
                behind.len() + row.count()
            }
            _ => return None,
        };
        // "In the hall" is "in the town hall", and not "in the hall in winter".
        let count = |tokens: &str| tokens.split(' ').filter(|own| *own == behind[at]).count();
        let is_claimed = count(&claim.normal) >= count(&own.normal);
        let start = word.position + 1;
        let words = tokens.get(start + at..=start + last)?;
        (is_shared(word) && !is_claimed).then(|| words.join(" "))
    })
}

/// `true` for a word behind a preposition that restricts nothing.
fn is_empty(word: &ContentWord) -> bool {
    REASONS.contains(&&*word.stem) || word.is_month() || word.is_light()
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn denial_without_its_time_is_one_of_the_time_before_it() {
        let verdict = |passage| support("Swimming was forbidden in summer 2025.", passage).verdict;
        for (passage, is_of_time) in [
            (
                "In summer 2025 the pond was warm. Swimming was not forbidden.",
                true,
            ),
            (
                "In summer 2024 the pond was warm. Swimming was not forbidden.",
                false,
            ),
            (
                "In summer 2025 the pond was warm. Swimming was not forbidden in 2019.",
                false,
            ),
        ] {
            let is_contradicted = verdict(passage) == Verdict::Contradicted;
            assert_eq!(is_contradicted, is_of_time, "{passage}");
        }
    }

    #[test]
    fn denial_without_its_topic_is_one_of_the_topic() {
        let leak = "Report on the leak\n\nThe valve and the seal are not the cause.";
        let support = support("The valve is the cause of the leak.", leak);
        assert_eq!(support.verdict, Verdict::Contradicted, "{support:?}");
    }

    #[test]
    fn a_phrase_that_joins_sentences_restricts_nothing() {
        let claim = "Glass is not burned in the plant.";
        let plant = "In contrast, glass is not burned in the plant but melted.";
        assert_supported(&[
            (claim, plant, true),
            (claim, &plant.replace("contrast", "winter"), false),
        ]);
    }

    #[test]
    fn what_one_clause_denies_is_not_supported_for_what_another_one_says() {
        let delivery = "Exactly-once delivery is not possible; jobs must be idempotent.";
        let claim = "Exactly-once delivery is possible.";
        assert_eq!(support(claim, delivery).verdict, Verdict::Contradicted);
        assert_supported(&[
            ("Exactly-once delivery is not possible.", delivery, true),
            ("Jobs must be idempotent.", delivery, true),
        ]);
        let bloat = "Above 2 million dead tuples run `VACUUM jobs`. Do not run `VACUUM FULL`; it \
                     stops all workers.";
        assert_supported(&[
            (
                "Above 2 million dead tuples, run VACUUM FULL.",
                bloat,
                false,
            ),
            ("Do not run VACUUM FULL.", bloat, true),
        ]);
        let filter = "Clean the filter every month. Do not rinse the filter with hot water; use a \
                      brush.";
        let refunds = "Refunds are not possible; vouchers are.";
        for (claim, passage) in [
            ("Rinse the filter with hot water.", filter),
            ("Rinse the filter.", filter),
            ("Refunds are possible.", refunds),
            (
                "The bridge is safe.",
                "It is not true that the bridge is safe.",
            ),
        ] {
            assert_eq!(
                support(claim, passage).verdict,
                Verdict::Contradicted,
                "{claim}"
            );
        }
        assert_supported(&[("Clean the filter every month.", filter, true)]);
    }

    #[test]
    fn a_negation_reaches_an_infinitive_and_both_parts_of_nor() {
        let advice = "The auditors recommend to appoint a deputy. They do not recommend to \
                      abolish paper forms.";
        let editions = "Thus editions do not split the market nor do they break old programs.";
        assert_supported(&[
            (
                "The auditors recommend to abolish paper forms.",
                advice,
                false,
            ),
            (
                "Editions split the market and break old programs.",
                editions,
                false,
            ),
            (
                "The auditors do not recommend to abolish paper forms.",
                advice,
                true,
            ),
            ("The auditors recommend to appoint a deputy.", advice, true),
            ("Editions do not split the market.", editions, true),
        ]);
    }

    #[test]
    fn of_several_denials_that_of_the_noun_of_the_claim_counts() {
        let sweep = "A pump needs no chimney sweep and no gas connection, and the fixed charge is \
                     saved when no other appliance uses gas.";
        let cold = "Pumps can heat old houses reliably, because no house in the measurements was \
                    colder than the owners wished.";
        assert_supported(&[
            ("A pump needs no chimney sweep.", sweep, true),
            ("A pump needs a chimney sweep.", sweep, false),
            ("A pump needs no gas connection.", sweep, true),
            ("A pump needs a gas connection.", sweep, false),
            ("No house was colder than its owners wished.", cold, true),
        ]);
    }

    #[test]
    fn what_is_denied_under_a_restriction_is_not_denied_altogether() {
        let bar = "Coupons are not accepted at the snack bar on Sundays.";
        let site = "Dale is no longer the preferred site.";
        let bottles = "Lemonade is no longer sold in glass bottles.";
        assert_supported(&[
            ("Coupons are not accepted.", bar, false),
            ("Coupons are not accepted on Sundays.", bar, false),
            (bar, bar, true),
            ("Dale is the preferred site.", site, false),
            ("Dale is no longer the preferred site.", site, true),
            ("Dale was the preferred site.", site, true),
            ("The mill is open.", "The mill is no longer open.", false),
            (
                "Die Schiene ist nötig.",
                "Die früher übliche Schiene ist nicht mehr nötig.",
                false,
            ),
            ("Lemonade is no longer sold.", bottles, false),
            ("Lemonade is no longer sold in bottles.", bottles, true),
            (
                "The tax was abolished.",
                "The tax was abolished for small farms.",
                false,
            ),
            (
                "The tax was abolished.",
                "The tax was abolished in the spring by the council.",
                true,
            ),
            (
                "Smoking is prohibited.",
                "Smoking is prohibited in the sheds.",
                false,
            ),
            (
                "Smoking is prohibited.",
                "Smoking is prohibited for reasons of safety.",
                true,
            ),
            (
                "Children pay nothing.",
                "Children under 6 pay nothing; older children pay 2 euros.",
                false,
            ),
            (
                "Dogs are not allowed.",
                "Dogs are not allowed in the kiln room. Dogs are not allowed.",
                true,
            ),
            (
                "Coupons are accepted.",
                "Coupons are accepted at the snack bar.",
                true,
            ),
        ]);
    }

    #[test]
    fn a_denial_is_not_supported_by_what_denies_nothing() {
        let roof = "The roof will be renewed in summer. The assembly must agree to the roof.";
        assert_supported(&[
            (
                "The roof will be renewed in summer without the assembly.",
                roof,
                false,
            ),
            ("The roof will not be renewed in summer.", roof, false),
            ("The roof will be renewed in summer.", roof, true),
            (
                "A wash costs 2.50 euros.",
                "A wash costs 3.00 euros instead of 2.50 euros.",
                false,
            ),
            (
                "A wash costs 3.00 euros.",
                "A wash costs 3.00 euros instead of 2.50 euros.",
                true,
            ),
        ]);
    }

    #[test]
    fn advice_against_a_thing_and_what_should_have_happened_deny_it() {
        let bags = "We advise against insulation bags for winter.";
        let limiter = "The limiter, which should have switched off the heater, used the same \
                       thermocouple.";
        assert_supported(&[
            ("Insulation bags for winter are recommended.", bags, false),
            (
                "We do not recommend insulation bags for winter.",
                bags,
                true,
            ),
            ("We advise against insulation bags for winter.", bags, true),
            (
                "We advise against bags.",
                "We recommend insulation bags for winter.",
                false,
            ),
            ("The limiter switched off the heater.", limiter, false),
            (
                "The chamber was repaired.",
                "The chamber ought to have been repaired.",
                false,
            ),
            (
                "The cells were heated.",
                "The cells were supposed to be heated.",
                false,
            ),
            (
                "Bea was recommended.",
                "Ann was recommended; Bea was rejected.",
                false,
            ),
            ("Bea was recommended.", "Bea was there.", false),
            ("We recommend gloves.", "We discourage gloves.", false),
            (
                "Ann was recommended.",
                "Ann was recommended; Bea was rejected.",
                true,
            ),
            ("The limiter used the same thermocouple.", limiter, true),
        ]);
    }
    #[test]
    fn what_another_clause_denies_makes_no_denial_up() {
        let pump = "The pump was not tested, because the power was not available.";
        let trade = "The store is not used for trade, since the licence does not allow it.";
        assert_supported(&[
            ("The pump was tested.", pump, false),
            ("The power was available.", pump, false),
            ("The pump was not tested.", pump, true),
            ("The power was not available.", pump, true),
            ("The store is used for trade.", trade, false),
            ("The store is not used for trade.", trade, true),
        ]);
    }

    #[test]
    fn a_denial_in_another_clause_denies_nothing_of_the_claim() {
        let kiln = "The kiln is fired slowly, because the pipes must not freeze.";
        let valve = "The valve is closed first, because the pump must not run dry.";
        let leak = "The kiln must not be fired, because the pipes are leaking.";
        assert_supported(&[
            ("The kiln must not be fired.", kiln, false),
            ("The pipes must not freeze.", kiln, true),
            ("The valve must not be closed.", valve, false),
            ("The kiln must not be fired.", leak, true),
        ]);
    }
}
