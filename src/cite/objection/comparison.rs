//! The comparison of a claim with the sentence that says the rest of it: the one value, name,
//! direction or negation in which it says something else.
//!
//! [`Statement::contrast`] compares sentences of any two documents, and so requires everything else
//! to be the same. Here the passage is cited for the claim: what it puts in the place of a word of
//! the claim is what the claim got wrong.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::alignment::Alignment;
use super::super::coverage::{Coverage, Item};
use super::super::date_contrast::is_weekday;
use super::super::dateline;
use super::super::grouping;
use super::super::report;
use super::super::restatement::{Difference, Objection};
use super::super::statement::edit::Edits;
use super::super::statement::figure::{self, Figure, unpaired};
use super::super::statement::final_denial::ends_with_denial;
use super::super::statement::lexicon::{self, Entry};
use super::super::statement::phrase::{adverbial, neighbours, phrase};
use super::super::statement::stems::{Stems, as_written, stems};
use super::super::statement::validity::Validity;
use super::super::statement::{ContentWord, Statement};
use super::belief;
use super::clause;
use super::comparative;
use super::copula;
use super::counted;
use super::decision;
use super::denial;
use super::exchange;
use super::lapse;
use super::mentions::{Mention, Mentions};
use super::necessity;
use super::order;
use super::perception;
use super::permission;
use super::reserved;
use super::span;
use super::sufficiency;
use super::superlative;
use crate::text::{self, is_superlative};

/// The least share of the rest of a claim that a sentence says, if what is left over differs. From
/// below it, rules for negation and direction veto too many supported claims of WiCE.
const REST: f64 = 0.8;

/// The same, if the sentence only proposes what the claim says.
const MOST: f64 = 0.6;

/// The same, if it excepts the word that is left over.
const LESS: f64 = 0.4;

/// The largest number of words and numbers of a claim that says one thing. Chosen by hand.
const SIMPLE: usize = 12;

/// The number of words before a predicate that are its subject.
const SUBJECT: usize = 2;

/// The largest number of words and numbers of a claim that is doubted for a particle alone.
const PHRASAL: usize = 5;

/// The share, by weight, of a sentence that a claim lacks if what qualifies it qualifies the claim.
const EXCESS: f64 = 0.35;

/// The same if the two say the same but for a negation, whatever it negates.
const SAME: f64 = 0.1;

/// By how many more of the words near two numbers or names the swapped reading has to agree.
const SWAPPED: usize = 2;

/// The number of words of a claim that a row lacks if it is on something else. Chosen by hand.
const ANOTHER: usize = 2;

/// A rule for the difference of a claim and its sentence.
type Rule = fn(&Comparison<'_>) -> Option<Objection>;

/// The rules in the order in which they are tried: first numbers, then what was exchanged, denied,
/// weakened or generalised, then names and single words.
const RULES: &[Rule] = &[
    |own| own.lapse(),
    |own| own.number().filter(|_| own.compares_numbers()),
    |own| own.edited_number().filter(|_| own.compares_numbers()),
    |own| own.rate(),
    |own| own.edited_sign(),
    |own| own.compared(),
    |own| own.sufficiency(),
    |own| own.bounded(),
    |own| own.exclusion(),
    |own| clause::exchanged(&own.there),
    |own| exchange::interval(&own.there).filter(|_| own.says_rest(exchange::is_step)),
    |own| exchange::objection(&own.there).filter(|_| own.is_simple()),
    |own| decision::objection(&own.there).filter(|_| own.is_simple()),
    |own| belief::objection(&own.there).filter(|_| own.is_simple()),
    |own| order::objection(&own.there).filter(|_| own.is_simple()),
    |own| order::exchanged(&own.there).filter(|_| own.is_simple()),
    |own| exchange::comparison(&own.there).filter(|_| !own.compares_alike()),
    |own| exchange::direction(&own.there),
    |own| own.particle(),
    |own| reserved::objection(&own.there),
    |own| own.negation().filter(|_| !own.says_it_otherwise()),
    |own| permission::objection(&own.there),
    |own| own.necessity(),
    |own| own.prefix(),
    |own| own.weakened(),
    |own| own.quantifier(),
    |own| own.share_of_all(),
    |own| own.part_of_all(),
    |own| own.absolute(),
    |own| superlative::objection(own.coverage, &own.there).filter(|_| own.is_simple()),
    |own| own.name(),
    |own| own.substitution(),
    |own| own.swap(),
    |own| own.open_question(),
];

/// A statement of a claim and the sentence that says most of it.
pub(super) struct Comparison<'a> {
    pub(super) coverage: &'a Coverage<'a>,
    /// The items of the statement.
    pub(super) items: Range<usize>,
    /// The index of the sentence.
    pub(super) sentence: usize,
    /// The words of the claim in the sentence.
    pub(super) there: Alignment<'a>,
}

impl<'a> Comparison<'a> {
    pub(super) fn of(
        coverage: &'a Coverage<'a>,
        claim: &'a Statement,
        items: Range<usize>,
    ) -> Option<Self> {
        let sentence = coverage.best_sentence(items.clone())?;
        Some(Self {
            coverage,
            items,
            sentence,
            there: Alignment::of(claim, coverage.sentence(sentence)),
        })
    }

    /// The comparison with another sentence.
    pub(super) fn beside(&self, sentence: usize) -> Self {
        Self {
            coverage: self.coverage,
            items: self.items.clone(),
            sentence,
            there: Alignment::of(self.claim(), self.coverage.sentence(sentence)),
        }
    }

    pub(super) fn claim(&self) -> &'a Statement {
        self.there.one
    }

    pub(super) fn own(&self) -> &'a Statement {
        self.there.other
    }

    /// The first objection of the rules.
    pub(super) fn objection(&self) -> Option<Objection> {
        RULES.iter().find_map(|rule| rule(self))
    }

    /// `true` if the sentence reports what was done then: that is no other number than what is to
    /// be done.
    fn is_report(&self) -> bool {
        report::is_report(self.claim(), self.own())
    }

    /// `true` unless the claim reports what the sentence says, or that a number holds no longer.
    fn compares_numbers(&self) -> bool {
        !self.is_report() && !self.there.tells_of_change()
    }

    /// What the sentence says as it was before, or excepts, if it says enough of the rest.
    fn lapse(&self) -> Option<Objection> {
        let objection = lapse::objection(&self.there)?;
        // "In the cellar, not in the stairwell" denies it, whatever the verb.
        let is_denied = matches!(objection.difference, Difference::Exception(_));
        let share = self.coverage.rest(
            self.sentence,
            self.items.clone(),
            |item| matches!(item, Item::Word(word) if lapse::is_lapsed(&self.there, word)),
        );
        let least = if is_denied { LESS } else { MOST };
        (self.items.len() <= SIMPLE && share >= least).then_some(objection)
    }

    /// What the sentence leaves open: "Whether the office moves was not decided."
    fn open_question(&self) -> Option<Objection> {
        let whether = |statement: &Statement| {
            let mut words = statement.normal.split(' ');
            words.position(|word| word == "whether")
        };
        let position = whether(self.own()).filter(|_| whether(self.claim()).is_none())?;
        let mut pairs = self.there.pairs();
        let is_open = pairs.all(|(_, at)| self.own().words[at].position > position);
        (is_open && self.says_rest(|_| false)).then(|| Objection::doubt(Difference::Qualifier))
    }

    /// "Non-" before a word of only one of the two: members and non-members exclude each other.
    fn prefix(&self) -> Option<Objection> {
        let has_prefix =
            |statement: &Statement| statement.normal.split(' ').any(|own| own == "non");
        let is_turned = has_prefix(self.claim()) != has_prefix(self.own());
        let is_prefix = |item: &Item<'_>| matches!(item, Item::Word(word) if word.stem == "non");
        (is_turned && self.is_short() && self.says_rest(is_prefix))
            .then(|| Objection::contradiction(Difference::Negation))
    }

    /// `true` if the sentence says the rest of the claim, without some of its items.
    pub(super) fn says_rest(&self, is_excepted: impl Fn(&Item<'_>) -> bool) -> bool {
        let items = self.items.clone();
        self.coverage.rest(self.sentence, items, is_excepted) >= REST
    }

    /// `true` if the claim says one thing, and the sentence most of it.
    pub(super) fn is_simple(&self) -> bool {
        self.items.len() <= SIMPLE && self.says_most()
    }

    /// What the claim says as done, and the sentence for the future or as taken back.
    pub(super) fn as_decided(&self) -> Option<Objection> {
        let is_announced = self.is_future_in_the_past()
            || dateline::announces(self.coverage.sentences(), self.claim());
        decision::not_so(&self.there, is_announced).filter(|_| self.items.len() <= SIMPLE)
    }

    /// `true` if the sentence says most of the claim.
    pub(super) fn says_most(&self) -> bool {
        let items = self.items.clone();
        self.coverage.rest(self.sentence, items, |_| false) >= MOST
    }

    /// What the edits of the sentence show, if the claim repeats it.
    pub(super) fn edited<T>(&self, shown: impl Fn(&Edits<'_>) -> Option<T>) -> Option<T> {
        let [claim, own] = [self.claim(), self.own()].map(|one| one.normal.split(' '));
        let (claim, own): (Vec<&str>, Vec<&str>) = (claim.collect(), own.collect());
        shown(&Edits::of(&claim, &own)?)
    }

    /// Another number in the place of one of the claim.
    fn number(&self) -> Option<Objection> {
        let (mut missing, free) = unpaired(&self.claim().figures, &self.own().figures);
        let given = grouping::given(self.claim(), self.own());
        missing.retain(|own| !given.is_some_and(|given| std::ptr::eq(given, *own)));
        let is_turned = self.there.turns_denial();
        let (figure, other) = missing.iter().find_map(|figure| {
            let others = free.iter().filter(|other| {
                let are_measured = !figure.unit.is_empty() && !other.unit.is_empty();
                let is_kind =
                    figure.unit == other.unit || are_measured && figure.has_value_of(other);
                is_kind
                    && figure.is_denied == other.is_denied
                    // A rise by 8 is no level of 70.
                    && figure.is_difference == other.is_difference
                    && !counted::count_different_things(
                        (self.claim(), figure),
                        (self.own(), other),
                    )
                    && !figure.is_in_range_of(other)
                    && !(is_turned && figure.is_beyond(other))
                    && self.there.have_one_role(figure, other)
            });
            // Of several the one that is most about the same thing.
            let other = others.min_by(|one, other| {
                let shared = |own: &Figure| self.there.shared_neighbours(figure, own);
                let distance = |own: &Figure| (own.value - figure.value).abs();
                let by_words = shared(other).cmp(&shared(one));
                by_words.then(distance(one).total_cmp(&distance(other)))
            })?;
            Some((*figure, *other))
        })?;
        let says_rest = self.says_rest(|item| match item {
            Item::Figure(own) => missing.iter().any(|figure| std::ptr::eq(*figure, *own)),
            // Another day of the month is another one of the week.
            Item::Word(own) => figure.unit == "day" && is_weekday(own),
        });
        // A row on the 13th of what was done then says nothing of a storm on the 12th.
        let missing = self.there.missing().filter(|word| !word.is_light());
        let is_of_another = self.own().is_record && missing.count() >= ANOTHER;
        let difference = Difference::Number(figure.shown(), Some(other.shown()));
        (says_rest && !is_of_another).then(|| Objection::contradiction(difference))
    }

    /// Another number in its place in a sentence that the claim repeats, whatever the two count.
    fn edited_number(&self) -> Option<Objection> {
        // What the sentence gives to the group that the claim names, is no edit of another number.
        if self.claim().figures.is_empty() || grouping::given(self.claim(), self.own()).is_some() {
            return None;
        }
        let (own, other) = self.edited(|edits| edits.number())?;
        let difference = Difference::Number(own, Some(other));
        Some(Objection::contradiction(difference))
    }

    /// The same number for another period: "an hour" for "a day".
    fn rate(&self) -> Option<Objection> {
        let (own, other) = self.claim().figures.iter().find_map(|figure| {
            let period = figure.period?;
            let mut same = self
                .own()
                .figures
                .iter()
                .filter(|one| figure.is_said_by(one));
            // One without a period may be for any.
            let other = same.next()?.period.filter(|other| *other != period)?;
            same.all(|one| one.period.is_some_and(|other| other != period))
                .then_some((period, other))
        })?;
        let is_period = |item: &Item<'_>| matches!(item, Item::Word(word) if word.stem == own);
        let difference = Difference::Opposite(own.to_owned(), other.to_owned());
        self.says_rest(is_period)
            .then(|| Objection::contradiction(difference))
    }

    /// Another sign in its place in a sentence that the claim repeats, or one of only one of them.
    fn edited_sign(&self) -> Option<Objection> {
        let (own, other) = self.edited(|edits| edits.sign())?;
        if own.is_empty() || other.is_empty() {
            return Some(Objection::doubt(Difference::Word(own + &other)));
        }
        Some(Objection::contradiction(Difference::Opposite(own, other)))
    }

    /// What the claim calls enough, and the sentence too little, or the other way round.
    fn sufficiency(&self) -> Option<Objection> {
        let objection = sufficiency::objection(&self.there)?;
        let is_said = self.says_rest(
            |item| matches!(item, Item::Word(word) if sufficiency::is_sufficiency(&word.folded)),
        );
        is_said.then_some(objection)
    }

    /// A number below which the claim says to be so what the sentence says of more than that.
    fn bounded(&self) -> Option<Objection> {
        let (figure, other) = figure::turned(&self.claim().figures, &self.own().figures)?;
        // "Greater than 2" and "smaller than 2" are the bounds, and turn nothing else.
        let opposites = self.there.opposites().filter(|(word, opposite)| {
            let is_last = |own: &Statement, figure: &Figure, word: &ContentWord| {
                let last = figure.at.checked_sub(1).and_then(|at| own.words.get(at));
                last.is_some_and(|last| last.position == word.position)
            };
            !(is_last(self.claim(), figure, word) && is_last(self.own(), other, opposite))
        });
        // "Must not be more than 300 kg" is "at most 300 kg".
        let is_turned_too = self.there.is_negated()
            || self.there.differ_in_negation()
            || opposites.is_some()
            || self.is_compared_anew();
        let difference = Difference::Opposite(figure.shown_with_bound(), other.shown_with_bound());
        // "Least" of "at least" is no other word that is missing.
        let is_of_bound =
            |item: &Item<'_>| matches!(item, Item::Word(word) if text::is_of_bound(&word.folded));
        (!is_turned_too && self.says_rest(is_of_bound))
            .then(|| Objection::contradiction(difference))
    }

    /// `true` if the sentence makes the comparison of the claim the other way round.
    fn is_compared_anew(&self) -> bool {
        comparative::objection(&self.there).is_some()
    }

    /// A comparison that the sentence makes the other way round.
    fn compared(&self) -> Option<Objection> {
        let objection = comparative::objection(&self.there)?;
        (self.is_simple() && !self.turns_condition()).then_some(objection)
    }

    /// `true` if the sentence makes the comparison of the claim.
    fn compares_alike(&self) -> bool {
        comparative::agree(&self.there)
    }

    /// A word of the sentence that excludes one of the claim: an opposite, or another of a class.
    pub(super) fn exclusion(&self) -> Option<Objection> {
        let is_same = permission::agree(&self.there) || self.compares_alike();
        if self.own().is_timetable() || is_same || self.there.is_of_others() {
            return None;
        }
        let missing: Vec<_> = self.there.missing().collect();
        let says_rest = |stem: &str| {
            self.says_rest(|item| matches!(item, Item::Word(word) if word.stem == stem))
        };
        let is_open = |other: &&ContentWord| other.validity != Validity::Former;
        let pair = self.there.added().filter(is_open).find_map(|other| {
            let mut words = missing.iter();
            let word = words.find(|word| {
                (word.is_negated == other.is_negated) != self.turns_condition()
                    && clause::is_of_claim(&self.there, other)
                    && self.exclude(word, other)
                    && (says_rest(&word.stem)
                        || self.have_one_subject(word, other)
                        || copula::are_of_one_subject((self.claim(), word), (self.own(), other)))
            })?;
            Some((*word, other))
        });
        if let Some((word, other)) = pair {
            let (word, other) = (word.folded.clone(), other.folded.clone());
            return Some(Objection::contradiction(Difference::Opposite(word, other)));
        }
        // "More", "before" and "usually" are no content words, and a word may be there twice.
        let is_negated = self.claim().negations % 2 != self.own().negations % 2;
        let (own, others) = (stems(self.claim()), stems(self.own()));
        let only = |one: &Stems, other: &Stems| -> Vec<String> {
            let more = one
                .iter()
                .filter(|(stem, count)| other.get(*stem) < Some(count));
            more.map(|(stem, _)| stem.clone()).collect()
        };
        let (words, others) = (only(&own, &others), only(&others, &own));
        let (word, other) = words.iter().find_map(|word| {
            let entry = Entry::of(word);
            let mut others = others.iter().filter(|other| {
                let mut words = self.own().words.iter().filter(|own| own.stem == **other);
                let is_elsewhere = |own| !clause::is_of_claim(&self.there, own);
                words.clone().count() == 0 || !words.all(is_elsewhere)
            });
            let other =
                others.find(|other| lexicon::exclude((word, entry), (other, Entry::of(other))))?;
            // What the sentence says as well is not excluded by it.
            if span::says(self.claim(), self.own(), word) {
                return None;
            }
            Some((word.clone(), other.clone()))
        })?;
        let is_turned = is_negated == self.turns_condition()
            && says_rest(&word)
            && !exchange::is_same_sequence(&self.there);
        let (word, other) = (
            as_written(self.claim(), &word),
            as_written(self.own(), &other),
        );
        is_turned.then(|| Objection::contradiction(Difference::Opposite(word, other)))
    }

    fn exclude(&self, word: &ContentWord, other: &ContentWord) -> bool {
        let is_ordinal = |word: &ContentWord| word.folded == "second";
        lexicon::exclude((&word.stem, word.entry), (&other.stem, other.entry))
            && !span::says(self.claim(), self.own(), &word.stem)
            && !is_ordinal(word)
            && !is_ordinal(other)
            || superlative::are_opposed((self.claim(), word), (self.own(), other))
    }

    /// `true` if one of the two holds unless what the other one requires: "refused unless he was
    /// ill", "accepted if he was ill"; "cheap below 2", "expensive above 2".
    fn turns_condition(&self) -> bool {
        let says = |statement: &Statement, word: &str| {
            let mut words = statement.normal.split(' ');
            words.any(|own| own == word)
        };
        let turns = |one: &Statement, other: &Statement| {
            says(one, "unless") && !says(other, "unless") && says(other, "if")
        };
        turns(self.claim(), self.own())
            || turns(self.own(), self.claim())
            || figure::turned(&self.claim().figures, &self.own().figures).is_some()
    }

    /// `true` if another negation of one of the two is made up for by its condition or its words.
    fn says_it_otherwise(&self) -> bool {
        self.turns_condition()
            || permission::agree(&self.there)
            || permission::excepts_the_same(&self.there)
            || lapse::denies_exception(&self.there)
            || sufficiency::agree(&self.there)
            || necessity::is_limit(self.claim(), self.own())
    }

    /// `true` if two predicates follow the same two words: "wall insulation is cheap".
    fn have_one_subject(&self, word: &ContentWord, other: &ContentWord) -> bool {
        let before = |statement: &Statement, word: &ContentWord| {
            let mut words = statement.words.iter();
            let at = words.position(|own| own.range == word.range)?;
            let from = at.checked_sub(SUBJECT)?;
            let words = statement.words[from..at].iter();
            Some(words.map(|word| word.stem.clone()).collect::<Vec<_>>())
        };
        let (one, other_words) = (before(self.claim(), word), before(self.own(), other));
        word.is_predicate && other.is_predicate && one.is_some() && one == other_words
    }

    /// `true` if the sentence says little but the claim: what qualifies it, qualifies the claim.
    pub(super) fn is_short(&self) -> bool {
        self.there.excess() <= EXCESS
    }

    /// A negation of one of the two alone.
    fn negation(&self) -> Option<Objection> {
        // What is so above 25 pounds, may not be so of 20.
        let is_beyond = |own: &Figure| self.own().figures.iter().any(|one| own.is_beyond(one));
        if self.there.turns_denial() && self.claim().figures.iter().any(is_beyond) {
            return None;
        }
        let is_the_same = self.there.excess() <= SAME && self.there.missing().count() == 0;
        let is_odd = self.there.differ_in_negation();
        let says_rest = || {
            let said = self
                .coverage
                .rest_with_antecedent(self.sentence, &self.items);
            said >= REST
        };
        // Whatever is between a verb and the denial at the end of its clause.
        let is_denied_to_end =
            || ends_with_denial(&self.own().normal) && self.there.missing().count() == 0;
        let is_near = self.there.is_negated() && (self.is_short() || is_denied_to_end());
        let is_negated = (is_near || is_odd && is_the_same && self.is_short()) && says_rest();
        if is_negated {
            // Of "it is no problem", the sentence may say as much without a word for the problem.
            let denies_more =
                self.own().negations > 0 && self.there.missing().any(|word| word.heads_negation);
            return Some(Objection {
                difference: Difference::Negation,
                is_contradiction: !denies_more,
            });
        }
        let is_unperceived = || {
            let is_verb = |item: &Item<'_>| {
                let Item::Word(own) = item else { return false };
                perception::is_perception(&own.folded)
            };
            perception::denies(&self.there) && self.says_rest(is_verb)
        };
        if denial::denies_noun(&self.there) && says_rest() || is_unperceived() {
            return Some(Objection::contradiction(Difference::Negation));
        }
        let is_turned = is_odd && self.there.turns_negation();
        if is_turned && says_rest() {
            return Some(Objection {
                difference: Difference::Negation,
                // What the claim says besides may be why it says the opposite.
                is_contradiction: self.there.missing().count() == 0,
            });
        }
        // "Newspapers can be borrowed for a week" says of what cannot be borrowed for how long.
        let is_negated = is_turned || self.there.is_negated() && self.is_short();
        if is_negated && (self.lacks_its_topic_alone() || self.lacks_its_time_alone()) {
            return Some(Objection::contradiction(Difference::Negation));
        }
        // What a record says besides is of other fields: "note: proof required".
        let is_doubtful = self.there.is_negated() && self.adds_attributes_alone()
            || is_negated
                && (self.lacks_its_end_alone()
                    || self.says_most()
                        && (self.lacks_its_beginning_alone() || self.lacks_attributes_alone()))
            || self.own().is_record && self.there.is_negated();
        is_doubtful.then(|| Objection::doubt(Difference::Negation))
    }

    /// `true` if the sentence has all words of the claim, and others only before them: "the usual
    /// splint", where the claim says "the splint".
    fn adds_attributes_alone(&self) -> bool {
        let words = &self.own().words;
        let first = self
            .there
            .pairs()
            .map(|(_, other)| words[other].position)
            .min();
        let mut added = self.there.added().map(|word| Some(word.position));
        self.there.missing().count() == 0 && added.all(|position| position < first)
    }

    /// `true` if the sentence says the claim but for words at its end.
    fn lacks_its_end_alone(&self) -> bool {
        let said = self.there.pairs().map(|(one, _)| one).max();
        let last = said.map(|one| self.claim().words[one].position);
        let mut missing = self.there.missing().map(|word| Some(word.position));
        self.there.pairs().count() > 1 && missing.all(|position| position > last)
    }

    /// `true` if the sentence says the claim but for what stands behind "of" at its end, which
    /// another sentence names: "the cause of the leak".
    fn lacks_its_topic_alone(&self) -> bool {
        let tokens: Vec<&str> = self.claim().normal.split(' ').collect();
        let of = tokens.iter().rposition(|token| *token == "of");
        let is_topic = |word: &ContentWord| {
            of.is_some_and(|of| word.position > of) && self.coverage.says(word)
        };
        let mut missing = self.there.missing().peekable();
        missing.peek().is_some() && missing.all(is_topic)
    }

    /// `true` if the sentence says the claim but for its time, has no other one, and other
    /// sentences have that: "In summer 2025 it was hot. Fires were not forbidden."
    fn lacks_its_time_alone(&self) -> bool {
        let is_time = |word: &ContentWord| {
            let own = word.folded.as_str();
            lexicon::is_time_unit(own) || text::MONTHS.contains(&own)
        };
        let is_said = |word: &ContentWord| is_time(word) && self.coverage.says(word);
        let mut missing = self.there.missing().peekable();
        let mut dates = self.claim().figures.iter().peekable();
        let has_time = missing.peek().is_some() || dates.peek().is_some();
        has_time
            && self.own().figures.is_empty()
            && !self.own().words.iter().any(is_time)
            && missing.all(is_said)
            && dates.all(Figure::is_date)
            && self.coverage.missing_number().is_none()
    }

    /// What the claim requires, and the sentence says to be needless, or the other way round.
    fn necessity(&self) -> Option<Objection> {
        let objection = necessity::objection(self.claim(), self.own())?;
        let items = self.items.clone();
        let rest = self
            .coverage
            .rest(self.sentence, items, necessity::is_modal);
        if rest >= REST {
            return Some(objection);
        }
        (rest >= MOST && self.items.len() <= SIMPLE).then(|| Objection::doubt(Difference::Negation))
    }

    /// `true` if the sentence says the claim but for words before those that it says: "the
    /// replacement bus", where it says "the bus".
    fn lacks_attributes_alone(&self) -> bool {
        let words = &self.claim().words;
        let said: Vec<usize> = self
            .there
            .pairs()
            .map(|(one, _)| words[one].position)
            .collect();
        // What no other is as large as, is the largest.
        let mut missing = self.there.missing();
        missing.all(|word| said.contains(&(word.position + 1)) && !is_superlative(&word.folded))
    }

    /// `true` if the sentence says the claim but for words at its beginning: "The council permits
    /// heaters", where heaters are not permitted.
    fn lacks_its_beginning_alone(&self) -> bool {
        let said = self.there.pairs().map(|(one, _)| one).min();
        let first = said.map(|one| self.claim().words[one].position);
        let mut missing = self.there.missing().map(|word| Some(word.position));
        self.there.pairs().count() > 1 && missing.all(|position| position < first)
    }

    /// The same word with the opposite particle: "opt out" for "opt in".
    fn particle(&self) -> Option<Objection> {
        let [claim, own]: [Vec<&str>; 2] =
            [self.claim(), self.own()].map(|one| one.normal.split(' ').collect());
        let (word, other) = self.there.pairs().find_map(|(one, other)| {
            let word = claim.get(self.claim().words[one].position + 1)?;
            let other = own.get(self.own().words[other].position + 1)?;
            lexicon::are_opposite_particles(word, other).then_some((*word, *other))
        })?;
        // "On in April and off in October", in either order: `exchange` compares their dates.
        let has_both = |tokens: &[&str]| tokens.contains(&word) && tokens.contains(&other);
        if has_both(&own) && (has_both(&claim) || lexicon::side(word).is_some()) {
            return None;
        }
        let difference = Difference::Opposite(word.to_owned(), other.to_owned());
        if self.says_rest(|_| false) {
            return Some(Objection::contradiction(difference));
        }
        (self.items.len() <= PHRASAL).then(|| Objection::doubt(difference))
    }

    /// A name that is nowhere in the evidence, though the sentence says the rest of the claim.
    fn name(&self) -> Option<Objection> {
        let missing = self.there.missing();
        let missing: Vec<&ContentWord> = missing
            .filter(|word| word.is_name && !lexicon::is_particle(&word.folded))
            .filter(|word| !self.coverage.says(word))
            .collect();
        let name = missing.first()?;
        let is_missing = |item: &Item<'_>| {
            let mut names = missing.iter();
            matches!(item, Item::Word(word) if names.any(|name| name.stem == word.stem))
        };
        let objection = Objection::doubt(Difference::Name(name.folded.clone()));
        self.says_rest(is_missing).then_some(objection)
    }

    /// Another name in the place of one, whatever other sentences say of that; or another modifier
    /// of the same noun: "chief financial officer" for "chief executive officer".
    fn substitution(&self) -> Option<Objection> {
        let mut missing = self.there.missing().filter(|word| !word.is_light());
        let word = missing.find(|word| {
            let mut added = self.there.added();
            added.any(|other| match (word.is_name, other.is_name) {
                (true, true) => neighbours(self.claim(), word) == neighbours(self.own(), other),
                (false, false) if self.coverage.says(word) => {
                    let claimed = adverbial(self.claim(), word);
                    claimed.is_some() && claimed == adverbial(self.own(), other)
                }
                (false, false) => {
                    let noun = phrase(self.claim(), word);
                    noun.is_some() && noun == phrase(self.own(), other)
                }
                _ => false,
            })
        })?;
        let is_word = |item: &Item<'_>| matches!(item, Item::Word(own) if own.stem == word.stem);
        let difference = if word.is_name || self.coverage.says(word) {
            Difference::Binding(word.folded.clone())
        } else {
            Difference::Word(word.folded.clone())
        };
        self.says_rest(is_word)
            .then(|| Objection::doubt(difference))
    }

    /// Two numbers or two names in each other's places.
    fn swap(&self) -> Option<Objection> {
        // The first word of a sentence is no name by itself.
        let words = self.claim().words.iter().chain(&self.own().words);
        let names: BTreeSet<&str> = words
            .filter(|word| word.is_name)
            .map(|word| word.stem.as_str())
            .collect();
        let claim = Mentions::of(self.claim(), &names);
        let own = Mentions::of(self.own(), &names);
        let is_swapped = |(one, other): (&Mention<'_>, &Mention<'_>)| {
            // In a record each number is beside its label, whatever their order.
            if one.is_number && self.own().is_record {
                return None;
            }
            let (there, back) = (own.only(one)?, own.only(other)?);
            let straight = one.shared(there) + other.shared(back);
            let swapped = one.shared(back) + other.shared(there);
            // "Beaten by" turns the places round.
            let is_passive = one.is_agent ^ there.is_agent || other.is_agent ^ back.is_agent;
            let is_turned = (one.at < other.at) != (there.at < back.at);
            let margin = if is_turned && one.is_number {
                0
            } else {
                SWAPPED
            };
            Some(!is_passive && swapped >= straight + margin)
        };
        let is_swapped = claim.pairs().any(|pair| is_swapped(pair) == Some(true));
        let is_same_change = exchange::is_same_change(&self.there);
        // Where the order is free, what is swapped may say the same.
        let objection = if self.claim().has_free_order {
            Objection::doubt
        } else {
            Objection::contradiction
        };
        (is_swapped && !is_same_change && self.is_short() && self.says_rest(|_| false))
            .then(|| objection(Difference::Order))
    }
}
