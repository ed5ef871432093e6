//! Strength: a claim that says more surely, more often or of more than its sentence does.

use std::collections::BTreeMap;

use super::super::alignment::{SAME_WORD, similarity};
use super::super::coverage::Item;
use super::super::restatement::{Difference, Objection};
use super::super::statement::figure::Figure;
use super::super::statement::lexicon::{self, Qualifier};
use super::super::statement::subject::predicate_of;
use super::super::statement::verb::is_past_form;
use super::super::statement::{Absolute, ContentWord, Statement};
use super::addition;
use super::comparison::Comparison;
use super::counted;
use super::scope;

/// The largest number of words and numbers of a claim that a condition or a proposal of its
/// sentence weakens: longer ones join what several sentences say. Chosen by hand.
const BRIEF: usize = 7;

impl Comparison<'_> {
    /// A condition or a proposal of the sentence that a brief claim drops.
    pub(super) fn weakened(&self) -> Option<Objection> {
        let (claim, own) = (&self.claim().qualifiers, &self.own().qualifiers);
        let drops = |one: Qualifier| own.contains_key(&one) && !claim.contains_key(&one);
        let hedged = [Qualifier::Report, Qualifier::Ability];
        // "Proposed by" may be the name of a field.
        let is_proposal = !self.own().is_record
            && drops(Qualifier::Proposal)
            && !hedged.iter().any(|one| claim.contains_key(one));
        let is_conditional = drops(Qualifier::Hypothesis) && !self.is_future_in_the_past();
        let is_weakened =
            is_proposal && self.says_most() || is_conditional && self.says_rest(|_| false);
        (is_weakened && self.items.len() <= BRIEF).then(|| Objection::doubt(Difference::Qualifier))
    }

    /// `true` if the sentence reports what would be done on a date that the claim gives, and under
    /// no condition: "The band said that the album would appear on 2 October 2020".
    pub(super) fn is_future_in_the_past(&self) -> bool {
        let tokens: Vec<&str> = self.own().normal.split(' ').collect();
        let is_condition = |token: &&str| matches!(*token, "if" | "unless" | "were" | "provided");
        let reports = tokens
            .windows(2)
            .any(|pair| pair[1] == "that" && is_past_form(pair[0]));
        let mut dates = self.claim().figures.iter().filter(|own| own.is_date());
        let says = |date: &Figure| self.own().figures.iter().any(|own| date.is_said_by(own));
        reports && !tokens.iter().any(is_condition) && dates.any(says)
    }

    /// "Rarely" for "usually"; or a claim that is stronger than what the sentence says.
    pub(super) fn quantifier(&self) -> Option<Objection> {
        let (claim, own) = (&self.claim().qualifiers, &self.own().qualifiers);
        let has = |one: &BTreeMap<Qualifier, usize>, qualifiers: &[Qualifier]| {
            qualifiers
                .iter()
                .any(|qualifier| one.contains_key(qualifier))
        };
        let (many, few) = ([Qualifier::Most, Qualifier::All], [Qualifier::Few]);
        let is_turned =
            has(claim, &many) && !has(claim, &few) && has(own, &few) && !has(own, &many)
                || has(claim, &few) && !has(claim, &many) && has(own, &many) && !has(own, &few);
        let weak = [Qualifier::Possibility, Qualifier::Proposal];
        let hedged = [Qualifier::Report, Qualifier::Ability];
        let is_unhedged = has(own, &weak) && !has(claim, &weak) && !has(claim, &hedged);
        let is_stronger = is_unhedged && self.is_short();
        if !is_turned && !is_stronger || !self.says_rest(|_| false) {
            return None;
        }
        let often = |is_often: bool| if is_often { "mostly" } else { "rarely" }.to_owned();
        let (one, other) = (often(has(claim, &many)), often(has(own, &many)));
        Some(if is_turned {
            Objection::contradiction(Difference::Opposite(one, other))
        } else {
            Objection::doubt(Difference::Qualifier)
        })
    }

    /// All of a kind, of which the sentence says it of a share.
    pub(super) fn share_of_all(&self) -> Option<Objection> {
        let (all, share) = counted::share_of_all(self.claim(), self.own())?;
        let is_turned = self.claim().negations % 2 != self.own().negations % 2;
        (!is_turned && self.says_rest(|_| false))
            .then(|| Objection::contradiction(Difference::Opposite(all, share)))
    }

    /// Each of a kind, of which the sentence says it of most or of some: "every winter" for "most
    /// winters".
    pub(super) fn part_of_all(&self) -> Option<Objection> {
        let before = |statement: &Statement, word: &ContentWord| {
            let tokens = statement.normal.split(' ').take(word.position);
            let tokens: Vec<String> = tokens.map(str::to_owned).collect();
            let tokens = match tokens.as_slice() {
                [rest @ .., of, the] if of == "of" && the == "the" => rest,
                [rest @ .., one] if one == "of" || one == "the" => rest,
                all => all,
            };
            // "At most" is a bound, and "the most" a superlative.
            let is_bound = tokens.iter().rev().nth(1);
            let is_bound = is_bound.is_some_and(|word| word == "at" || word == "the");
            tokens.last().filter(|_| !is_bound).cloned()
        };
        let all = self.there.pairs().find_map(|(one, other)| {
            let all = before(self.claim(), &self.claim().words[one])?;
            let part = before(self.own(), &self.own().words[other])?;
            let is_part = matches!(
                lexicon::qualifier(&part),
                Some(Qualifier::Most | Qualifier::Some | Qualifier::Few)
            );
            (is_part && lexicon::qualifier(&all) == Some(Qualifier::All)).then_some(all)
        })?;
        self.says_rest(|_| false)
            .then(|| Objection::doubt(Difference::Addition(all)))
    }

    /// "Only", "all" or "must", where the sentences that say the rest of the claim have no such
    /// word.
    pub(super) fn absolute(&self) -> Option<Objection> {
        let absolutes = &self.claim().absolutes;
        let mut makers = absolutes.iter().filter(|own| own.makes).peekable();
        makers.peek()?;
        let put_in = self.edited(|edits| edits.absolute().map(str::to_owned));
        if let Some(word) = put_in.filter(|word| makers.clone().any(|own| own.word == *word)) {
            return Some(Objection::doubt(Difference::Addition(word)));
        }
        let is_absolute = |item: &Item<'_>| {
            let mut words = absolutes.iter().map(|own| &own.word);
            matches!(item, Item::Word(own) if words.any(|word| *word == own.folded))
        };
        // What one sentence says as a whole, others do not qualify.
        let sentences = if self.says_rest(is_absolute) {
            std::slice::from_ref(&self.sentence)
        } else {
            self.coverage.chosen()
        };
        if self.coverage.said(sentences, &self.items, &(0..0)) < addition::ADDED_TO {
            return None;
        }
        let is_backed = |own: &&Absolute| {
            let near = own.near(self.claim());
            let negated = own.negated(self.claim());
            let negated = if negated.is_empty() { &near } else { &negated };
            let mut statements = sentences.iter().map(|at| self.coverage.sentence(*at));
            statements.any(|statement| {
                let is_ordered =
                    own.class == Qualifier::Obligation && orders(statement, self.claim());
                if is_ordered
                    || own.class == Qualifier::Only && excepts_one(statement, self.claim())
                {
                    return true;
                }
                let mut others = statement.absolutes.iter();
                let is_near = |other: &Absolute| {
                    // "Not" and "nobody" may negate something else of the same thing.
                    if own.class == Qualifier::Never && !other.makes {
                        return !other.negated(statement).is_disjoint(negated);
                    }
                    !other.near(statement).is_disjoint(&near)
                        && !scope::is_restricted(other, statement, self.claim())
                };
                others.any(|other| other.class == own.class && is_near(other))
            })
        };
        // What never happens may be said of the thing elsewhere, by its verb.
        let is_said_elsewhere = |own: &Absolute| {
            let negated = own.negated(self.claim());
            own.class == Qualifier::Never
                && self.coverage.sentences().any(|other| {
                    let mut others = other.absolutes.iter();
                    others.any(|one| {
                        one.word == own.word && !one.negated(other).is_disjoint(&negated)
                    })
                })
        };
        let word = makers
            .find(|own| !is_backed(own) && !is_said_elsewhere(own))?
            .word
            .clone();
        Some(Objection::doubt(Difference::Addition(word)))
    }
}

/// `true` if a sentence says of all but one what the claim denies: "the only one who voted against
/// it" for "all voted in favour except one".
fn excepts_one(sentence: &Statement, claim: &Statement) -> bool {
    let tokens: Vec<&str> = sentence.normal.split(' ').collect();
    let mut pairs = tokens.windows(2);
    let leaves_one = pairs.any(|pair| matches!(pair, ["except" | "but" | "save", "one" | "1"]));
    let opposes = |own: &Statement| {
        let mut tokens = own.normal.split(' ');
        tokens.any(|token| token == "against") != (own.denials() % 2 == 1)
    };
    let is_of_all = sentence.qualifiers.contains_key(&Qualifier::All);
    leaves_one && is_of_all && opposes(sentence) != opposes(claim)
}

/// `true` if a sentence is an order to do what the claim says, and so obliges to it: "Pull the grey
/// plug first."
fn orders(sentence: &Statement, claim: &Statement) -> bool {
    // A step may have a number before it.
    let is_number = |token: &str| token.starts_with(|c: char| c.is_ascii_digit());
    let start = usize::from(sentence.normal.split(' ').next().is_some_and(is_number));
    let verb = sentence.words.first().filter(|word| word.position == start);
    verb.zip(predicate_of(claim))
        .is_some_and(|(verb, predicate)| {
            !is_past_form(&verb.folded)
                && !verb.folded.ends_with('s')
                && similarity(verb, predicate) >= SAME_WORD
        })
}

#[cfg(test)]
mod tests {
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn all_but_one_leave_the_only_one() {
        let vote = "Ann Berg is a member of the council. All members voted in favour of the new \
                    fee except one.";
        let some = vote.replace("except one", "except Tom Wilk and Eva Lind");
        let claim = "Ann Berg was the only member who voted against the new fee.";
        assert_supported(&[(claim, vote, true), (claim, &some, false)]);
    }

    #[test]
    fn most_of_a_kind_are_not_all() {
        let river = "The river floods in most springs.";
        let keys = "Some of the pupils have a key.";
        let all = "All the pupils have a key, and many pupils lose it.";
        let dear = "The most expensive pumps need a filter.";
        assert_supported(&[
            ("The river floods in every spring.", river, false),
            ("The river floods every spring.", river, false),
            ("The river floods in most springs.", river, true),
            ("Each pupil has a key.", keys, false),
            ("Each pupil has a key.", all, true),
            ("All pupils have a key.", all, true),
            (dear, "All expensive pumps need a filter.", true),
        ]);
    }

    #[test]
    fn what_was_said_to_be_done_on_a_date_was_done() {
        let said = "In July the band said that the album would be released on 2 October 2020.";
        let agreed = said.replace("2020.", "2020 if the label agreed.");
        let claim = "The album was released in 2020.";
        assert_supported(&[(claim, said, true), (claim, &agreed, false)]);
    }

    #[test]
    fn never_may_be_said_by_any_sentence() {
        let man = "A man was in the river at Lund in March 2018. Police want to identify him. The \
                   case of Ann Berg remains open. These three men have never been identified.";
        let claim = "The man in the river at Lund in March 2018 has never been identified, and the \
                     police case of Ann Berg remains open.";
        assert_ne!(support(claim, man).reasons[0], "nothing says \"never\"");
        let known = man.replace("never", "recently");
        assert_eq!(support(claim, &known).reasons[0], "nothing says \"never\"");
    }
}
