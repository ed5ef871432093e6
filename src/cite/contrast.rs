//! The contrast of two statements: the one value, date, state or negation by which two statements
//! about the same thing exclude each other.
//!
//! Everything else must be the same: the words, the names, the other numbers, the times, the
//! qualifiers. What differs in time is a series, and what differs in a word may be another subject.

use super::alignment::Alignment;
use super::date_contrast::{self, Date};
use super::objection::permission;
use super::statement::figure::{Bound, Figure};
use super::statement::lexicon::{self, Qualifier};
use super::statement::question_subject::QuestionSubject;
use super::statement::verb::is_carrier;
use super::statement::{ContentWord, Statement};
use crate::artifact::analysis::ContradictionKind;

/// The least number of content words that contrasting statements share.
#[derive(Debug, Clone, Copy)]
struct Least {
    /// A subject and a property.
    words: usize,
    /// The same for statements that begin with "the" and name nothing: their subject may be another
    /// one in each document.
    if_definite: usize,
}

/// Of statements that nobody compares: chosen by hand, so that what is shown as a contradiction is
/// one.
const UNASKED: Least = Least {
    words: 4,
    if_definite: 6,
};

/// Of the statements of documents that somebody compares, who wants to see also what may be one.
/// With one word less, "the house has 8 rooms" would contradict what is said of another house.
const COMPARED: Least = Least {
    words: 2,
    if_definite: 3,
};

/// The factor from which a number is implausible beside another of the same thing: a lost decimal
/// point makes ten.
const IMPLAUSIBLE: f64 = 10.0;

/// The qualifiers of statements that assert nothing definite.
pub(super) const INDEFINITE: [Qualifier; 6] = [
    Qualifier::Possibility,
    Qualifier::Hypothesis,
    Qualifier::Some,
    Qualifier::Example,
    Qualifier::Report,
    Qualifier::Proposal,
];

/// The maximum number of words of a name.
const NAME_WORDS: usize = 3;

/// The words before a number that is a label and measures nothing.
const LABELS: &[&str] = &[
    "chapter", "table", "figure", "fig", "step", "version", "rfc", "part", "section", "phase",
    "stage", "level", "volume", "draft", "release", "edition", "type", "class", "option",
    "example", "issue", "no", "round", "season", "episode", "game", "match", "rust", "case",
    "note", "article", "page", "group", "number", "appendix", "equation", "ref", "pep", "revision",
];

/// Words that approve; with "can" they are the same statement.
const APPROVALS: &[&str] = &[
    "suitabl",
    "acceptabl",
    "sensibl",
    "feasibl",
    "permissibl",
    "fine",
    "sufficient",
    "adequat",
    "works",
    "work",
    "reasonabl",
];

/// Words of an upper limit.
const UPPER_LIMITS: &[&str] = &["highest", "maximum", "limit", "max", "largest"];

/// The contrast of two statements.
#[derive(Debug, Clone, PartialEq)]
pub struct Contrast {
    /// The kind of difference.
    pub kind: ContradictionKind,
    /// What the one statement says: `3.1`.
    pub one: String,
    /// What the other says: `31`.
    pub other: String,
    /// The unit of both, "" for none.
    pub unit: String,
}

impl Statement {
    /// The contrast with another statement; `None` if the two can both be true.
    pub fn contrast(&self, other: &Self) -> Option<Contrast> {
        self.contrast_as_answers(other, &QuestionSubject::default())
    }

    /// The contrast with another statement, both perhaps answers to a question. Two answers are
    /// about the same thing, however few words they have.
    pub fn contrast_as_answers(&self, other: &Self, subject: &QuestionSubject) -> Option<Contrast> {
        self.contrast_with(other, subject, UNASKED)
    }

    /// The contrast with a statement of another document, where somebody wants to know what the two
    /// disagree on: fewer words tell that they are about the same thing.
    pub fn contrast_compared(&self, other: &Self, subject: &QuestionSubject) -> Option<Contrast> {
        let contrast = self.contrast_with(other, subject, COMPARED);
        contrast.or_else(|| self.contrast_of_effects(other))
    }

    fn contrast_with(
        &self,
        other: &Self,
        subject: &QuestionSubject,
        least: Least,
    ) -> Option<Contrast> {
        if self.normal == other.normal {
            return None;
        }
        let pair = Pair {
            there: Alignment::of(self, other),
            back: Alignment::of(other, self),
            are_answers: subject.is_answered_by(self, other),
            state_all: subject.is_stated_by(self) && subject.is_stated_by(other),
            least,
        };
        // May what one permits be done at all? The other says that it must not.
        let is_forbidden =
            pair.are_answers && pair.have_same_figures() && permission::is_forbidden(&pair.there);
        if is_forbidden {
            return Some(pair.negated());
        }
        if !pair.are_definite() || permission::agree(&pair.there) {
            return None;
        }
        // From the most certain kind to the least: a number has a unit and a role that must
        // agree, a name only its place.
        pair.number()
            .or_else(|| pair.date())
            .or_else(|| pair.state())
            .or_else(|| pair.negation())
            .or_else(|| pair.limit())
            .or_else(|| pair.frequency())
            .or_else(|| pair.name())
    }
}

/// Two statements, aligned in both directions.
struct Pair<'a> {
    there: Alignment<'a>,
    back: Alignment<'a>,
    /// `true` if both answer one question.
    are_answers: bool,
    /// `true` if both have all words of the question.
    state_all: bool,
    least: Least,
}

impl<'a> Pair<'a> {
    fn one(&self) -> &'a Statement {
        self.there.one
    }

    fn other(&self) -> &'a Statement {
        self.there.other
    }

    /// `true` if both assert something definite. "May" is a permission in two answers alike, of
    /// which only one can be in force.
    fn are_definite(&self) -> bool {
        let is_definite = |statement: &Statement| {
            let mut indefinite = INDEFINITE
                .iter()
                .filter(|qualifier| !(self.are_answers && **qualifier == Qualifier::Possibility));
            !statement.is_deictic
                && (self.are_answers || !statement.is_unresolved)
                && !statement.is_question
                && !statement.has_relative_time
                && indefinite.all(|one| !statement.qualifiers.contains_key(one))
        };
        is_definite(self.one()) && is_definite(self.other())
    }

    /// `true` if each statement has all words of the other, but for light ones and those excepted.
    fn have_same_words(&self, is_excepted: impl Fn(&ContentWord) -> bool) -> bool {
        let is_missing = |word: &&ContentWord| !is_excepted(word) && !word.is_light();
        self.there.missing().filter(is_missing).count() == 0
            && self.back.missing().filter(is_missing).count() == 0
            && self.share_enough()
    }

    fn share_enough(&self) -> bool {
        if self.are_answers {
            return true;
        }
        let names = self.one().words.iter().any(|word| word.is_name);
        let starts = |statement: &Statement| statement.normal.starts_with("the ");
        let is_definite = !names && starts(self.one()) && starts(self.other());
        let least = if is_definite {
            self.least.if_definite
        } else {
            self.least.words
        };
        self.there.pairs().count() >= least
    }

    /// The numbers that only one statement gives, of each side.
    fn own_figures(&self) -> (Vec<&'a Figure>, Vec<&'a Figure>) {
        let own = |one: &'a Statement, other: &Statement| {
            let figures = one.figures.iter();
            figures
                .filter(|figure| !other.figures.iter().any(|other| figure.equals(other)))
                .collect::<Vec<_>>()
        };
        (own(self.one(), self.other()), own(self.other(), self.one()))
    }

    fn have_same_figures(&self) -> bool {
        let (one, other) = self.own_figures();
        one.is_empty() && other.is_empty()
    }

    fn have_same_times(&self) -> bool {
        self.one().times() == self.other().times()
    }

    /// `true` if the times of one are among those of the other, which says why or since when.
    fn have_common_times(&self) -> bool {
        let (one, other) = (self.one().times(), self.other().times());
        one.is_subset(&other) || other.is_subset(&one)
    }

    /// `true` if neither has a name that the other has not, but for months.
    fn have_same_names(&self) -> bool {
        let mut missing = self.there.missing().chain(self.back.missing());
        missing.all(|word| !word.is_name || word.is_month())
    }

    fn have_same_qualifiers(&self) -> bool {
        let without = |statement: &Statement| {
            // "Houses", "every house" and "a house can" are general alike.
            let general = [Qualifier::Ability, Qualifier::All];
            let qualifiers = statement.qualifiers.keys().copied();
            let qualifiers = qualifiers.filter(|one| !general.contains(one));
            (qualifiers.collect::<Vec<_>>(), statement.sides.clone())
        };
        without(self.one()) == without(self.other())
    }

    /// Exactly one number of one unit and one role that differs, and nothing else.
    fn number(&self) -> Option<Contrast> {
        let (mut own, mut others) = self.own_figures();
        if self.state_all {
            // What only one of them measures is something else.
            let units = |figures: &[&'a Figure]| -> Vec<&'a str> {
                figures.iter().map(|figure| figure.unit.as_str()).collect()
            };
            let (own_units, other_units) = (units(&own), units(&others));
            own.retain(|figure| other_units.contains(&figure.unit.as_str()));
            others.retain(|figure| own_units.contains(&figure.unit.as_str()));
        }
        let ([one], [other]) = (own.as_slice(), others.as_slice()) else {
            return None;
        };
        let is_same_property = one.unit == other.unit
            && one.bound == other.bound
            && one.is_denied == other.is_denied
            && self.there.have_one_role(one, other)
            && self.one().negations == self.other().negations
            && self.have_same_qualifiers()
            && (self.state_all && self.have_same_names()
                || self.have_same_words(|word| self.are_answers && is_empty(word)));
        if !is_same_property || one.is_rounded(other) || is_label(self.one(), one) {
            return None;
        }
        let is_date = matches!(one.unit.as_str(), "year" | "day");
        let is_of_time = self.have_same_times() || self.state_all && self.have_common_times();
        if is_date || !is_of_time {
            return None;
        }
        let kind = match one.value / other.value {
            ratio if ratio.is_finite() && is_factor(ratio) => ContradictionKind::Implausible,
            _ => ContradictionKind::Number,
        };
        Some(contrast_of(kind, one, other))
    }

    /// The only date of each, if they exclude each other and the occasion is the same.
    fn date(&self) -> Option<Contrast> {
        let (one, other) = (Date::of(self.one())?, Date::of(self.other())?);
        let is_once = date_contrast::happens_once(self.one());
        let (own, others) = self.own_figures();
        let are_dates = own.iter().chain(&others).all(|figure| figure.is_date());
        // Each may say more of an occasion that a question names in three words at least.
        let mut missing = self.there.missing().chain(self.back.missing());
        let are_of_question =
            self.state_all && missing.all(|word| !word.is_name || date_contrast::is_of_date(word));
        let have_same_words = || {
            self.have_same_words(|word| {
                date_contrast::is_of_date(word) || self.are_answers && is_empty(word)
            })
        };
        let is_same_occasion = (is_once || self.are_answers && !one.is_of_other_year(&other))
            && self.one().negations == self.other().negations
            && self.have_same_qualifiers()
            && (are_of_question || are_dates && have_same_words());
        (is_same_occasion && one.excludes(&other)).then(|| Contrast {
            kind: ContradictionKind::Date,
            one: one.written(),
            other: other.written(),
            unit: String::new(),
        })
    }

    /// Two predicates that exclude each other, with the same words around them.
    fn state(&self) -> Option<Contrast> {
        let (one, other) = self.there.opposites()?;
        let is_excepted = |word: &ContentWord| word.stem == one.stem || word.stem == other.stem;
        let is_state = one.is_predicate && other.is_predicate && lexicon::are_states(&one.stem);
        let is_contrast = is_state
            && self.one().negations == self.other().negations
            && self.have_same_figures()
            && self.have_same_times()
            && self.have_same_qualifiers()
            && self.have_same_words(is_excepted);
        is_contrast.then(|| Contrast {
            kind: ContradictionKind::Status,
            one: one.folded.clone(),
            other: other.folded.clone(),
            unit: String::new(),
        })
    }

    /// A negation of one statement alone.
    fn negation(&self) -> Option<Contrast> {
        let approves = |word: &ContentWord| APPROVALS.contains(&word.stem.as_str());
        let negates_approval = |statement: &Statement| {
            let mut words = statement.words.iter();
            words.any(|word| approves(word) && word.is_negated)
        };
        let is_negated = self.there.is_negated()
            || self.one().negations.abs_diff(self.other().negations) == 1
                && (negates_approval(self.one()) || negates_approval(self.other()));
        let is_contrast = is_negated
            && self.have_same_figures()
            && self.have_same_times()
            && self.have_same_qualifiers()
            && self.have_same_words(approves);
        is_contrast.then(|| self.negated())
    }

    /// The contrast of a statement and its negation.
    fn negated(&self) -> Contrast {
        Contrast {
            kind: ContradictionKind::Negation,
            one: said(self.one()),
            other: said(self.other()),
            unit: String::new(),
        }
    }

    /// An upper limit on one side, and more than it approved on the other: "55 °C is the highest
    /// sensible value", "65 °C is acceptable".
    fn limit(&self) -> Option<Contrast> {
        let ([one], [other]) = (
            self.one().figures.as_slice(),
            self.other().figures.as_slice(),
        ) else {
            return None;
        };
        let limits = |word: &ContentWord| UPPER_LIMITS.contains(&word.stem.as_str());
        let approves = |word: &ContentWord| APPROVALS.contains(&word.stem.as_str());
        let is_excepted = |word: &ContentWord| {
            limits(word) || approves(word) || matches!(word.stem.as_str(), "valu" | "level")
        };
        let exceeds = |limit: &Statement, low: &Figure, approval: &Statement, high: &Figure| {
            limit.words.iter().any(limits)
                && !approval.words.iter().any(limits)
                && approval.words.iter().any(approves)
                && high.value > low.value
        };
        let is_contrast = one.unit == other.unit
            && [one, other]
                .iter()
                .all(|figure| figure.bound == Bound::None)
            && self.one().negations + self.other().negations == 0
            && self.have_same_qualifiers()
            && (exceeds(self.one(), one, self.other(), other)
                || exceeds(self.other(), other, self.one(), one))
            && self.have_same_words(is_excepted);
        is_contrast.then(|| contrast_of(ContradictionKind::Number, one, other))
    }

    /// "Rarely" on one side and "most" or "all" on the other, of the same thing.
    fn frequency(&self) -> Option<Contrast> {
        let few = |statement: &Statement| statement.qualifiers.contains_key(&Qualifier::Few);
        let most = |statement: &Statement| {
            let qualifiers = &statement.qualifiers;
            qualifiers.contains_key(&Qualifier::Most) || qualifiers.contains_key(&Qualifier::All)
        };
        let is_covered = |rare: &Alignment<'_>| {
            few(rare.one)
                && most(rare.other)
                && rare.missing().count() == 0
                && rare.one.figures.is_empty()
        };
        let is_contrast = (is_covered(&self.there) || is_covered(&self.back))
            && self.one().negations + self.other().negations == 0
            && self.share_enough();
        let word = |statement: &Statement| if few(statement) { "rarely" } else { "mostly" };
        is_contrast.then(|| Contrast {
            kind: ContradictionKind::Negation,
            one: word(self.one()).to_owned(),
            other: word(self.other()).to_owned(),
            unit: String::new(),
        })
    }

    /// Two names for one office, each in an answer to one question: "Ann is head of sales".
    fn name(&self) -> Option<Contrast> {
        let own = |alignment: &Alignment<'a>| -> Vec<&'a ContentWord> {
            let missing = alignment.missing();
            missing.filter(|word| !word.is_light()).collect()
        };
        let (one, other) = (own(&self.there), own(&self.back));
        let is_name = |words: &[&ContentWord]| {
            (1..=NAME_WORDS).contains(&words.len()) && words.iter().any(|word| word.is_name)
        };
        // "Is a member" is true of many.
        let is_office = |statement: &Statement| {
            let has = |phrase: &str| statement.normal.contains(phrase);
            (has(" is ") || has(" was "))
                && ![
                    " is a ",
                    " is an ",
                    " is one ",
                    " was a ",
                    " was an ",
                    " was one ",
                ]
                .into_iter()
                .any(has)
        };
        let is_contrast = self.are_answers
            && is_name(&one)
            && is_name(&other)
            && is_office(self.one())
            && is_office(self.other())
            && self.one().negations == self.other().negations
            && self.have_same_figures()
            && self.have_same_times()
            && self.have_same_qualifiers();
        is_contrast.then(|| Contrast {
            kind: ContradictionKind::Name,
            one: written(&one),
            other: written(&other),
            unit: String::new(),
        })
    }
}

/// `true` for a word beside a number that says nothing of it in an answer: "the pool counted 900
/// visitors", "it employs 44 people".
fn is_empty(word: &ContentWord) -> bool {
    !word.is_name
        && (is_carrier(&word.folded) || matches!(word.folded.as_str(), "people" | "persons"))
}

/// A name as it is mostly written.
fn written(words: &[&ContentWord]) -> String {
    let capitalised = words.iter().map(|word| {
        let mut chars = word.folded.chars();
        let first = chars.next().map(char::to_uppercase);
        first.into_iter().flatten().chain(chars).collect::<String>()
    });
    capitalised.collect::<Vec<_>>().join(" ")
}

fn contrast_of(kind: ContradictionKind, one: &Figure, other: &Figure) -> Contrast {
    Contrast {
        kind,
        one: one.digits.clone(),
        other: other.digits.clone(),
        unit: one.written_unit.clone(),
    }
}

/// `true` if a ratio is that of an implausible number.
fn is_factor(ratio: f64) -> bool {
    // A hair below ten, since decimal fractions are rounded: 31 / 3.1.
    let ratio = ratio.abs();
    ratio.max(1.0 / ratio) > IMPLAUSIBLE - 1e-6
}

/// `true` if a number is a label, such as that of a chapter.
fn is_label(statement: &Statement, figure: &Figure) -> bool {
    let before = figure.at.checked_sub(1);
    let word = before.and_then(|before| statement.words.get(before));
    figure.unit.is_empty() && word.is_some_and(|word| LABELS.contains(&word.folded.as_str()))
}

pub(super) fn said(statement: &Statement) -> String {
    if statement.negations.is_multiple_of(2) {
        "yes".to_owned()
    } else {
        "no".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contrast(one: &str, other: &str) -> Option<(ContradictionKind, String, String)> {
        let contrast = Statement::parse(one).contrast(&Statement::parse(other))?;
        Some((contrast.kind, contrast.one, contrast.other))
    }

    #[test]
    fn statements_contrast_by_one_value() {
        use ContradictionKind::{Date, Implausible, Negation, Number, Status};
        for (one, other, kind) in [
            (
                "In 56 old houses, pumps reached a mean seasonal performance factor of 3.1 over a \
                 year.",
                "In 56 old houses, pumps reached a mean seasonal performance factor of 31 over a \
                 year.",
                Implausible,
            ),
            (
                "About 60 % of old radiators have to be replaced in a house.",
                "About 20 % of old radiators have to be replaced in a house.",
                Number,
            ),
            (
                "A flow temperature of 55 °C is the highest sensible value for a heat pump.",
                "A flow temperature of 65 °C is acceptable for a heat pump.",
                Number,
            ),
            (
                "The bridge over the river in Bern has a length of 120 metres.",
                "The bridge over the river in Bern has a length of 1200 metres.",
                Implausible,
            ),
            (
                "The heat pump of the town hall was installed in 2014 by the owner.",
                "The heat pump of the town hall was installed in 2016 by the owner.",
                Date,
            ),
            (
                "The subsidy for heat pumps in old houses was accepted by the council.",
                "The subsidy for heat pumps in old houses was rejected by the council.",
                Status,
            ),
            (
                "Insulation must come before a heat pump in an old house.",
                "Insulation does not have to come before a heat pump in an old house.",
                Negation,
            ),
            (
                "A house with a demand of more than 150 kWh is not suitable for a heat pump.",
                "A house with a demand of more than 150 kWh can be heated with a heat pump.",
                Negation,
            ),
        ] {
            assert_eq!(
                contrast(one, other).map(|contrast| contrast.0),
                Some(kind),
                "{one}"
            );
            assert_eq!(
                contrast(other, one).map(|contrast| contrast.0),
                Some(kind),
                "{one}"
            );
            assert_eq!(contrast(one, one), None);
        }
    }

    /// Words of a question, what it counts, two answers, and the kind of their contrast.
    const ANSWERS: &[(&str, &str, &str, &str, Option<ContradictionKind>)] = &[
        (
            "Lindenbad",
            "employees",
            "The Lindenbad has 31 employees.",
            "The Lindenbad employs 44 people.",
            Some(ContradictionKind::Number),
        ),
        (
            "Lindenbad",
            "visitors",
            "In 2025 the Lindenbad had 118,400 visitors.",
            "The Lindenbad counted 121,700 visitors in 2025.",
            Some(ContradictionKind::Number),
        ),
        (
            "Lindenbad",
            "visitors",
            "In 2024 the Lindenbad had 118,400 visitors.",
            "The Lindenbad counted 121,700 visitors in 2025.",
            None,
        ),
        (
            "Lindenbad",
            "employees",
            "The Lindenbad has 31 employees.",
            "The kitchen of the Lindenbad has 12 employees.",
            None,
        ),
        (
            "daily allowance",
            "",
            "The daily allowance is 28 euros.",
            "The daily allowance is 32 euros.",
            Some(ContradictionKind::Number),
        ),
        (
            "summer party",
            "",
            "The summer party takes place on 12 June 2026.",
            "The summer party takes place on 19 June 2026.",
            Some(ContradictionKind::Date),
        ),
        (
            "summer party",
            "",
            "The summer party takes place on 12 June 2025.",
            "The summer party takes place on 19 June 2026.",
            None,
        ),
        (
            "head sales",
            "",
            "Anna Berg is head of sales.",
            "Peter Holm is head of sales.",
            Some(ContradictionKind::Name),
        ),
        (
            "member board",
            "",
            "Anna Berg is a member of the board.",
            "Peter Holm is a member of the board.",
            None,
        ),
        (
            "company pay monitor",
            "",
            "The company pays for a second monitor.",
            "The company does not pay for a second monitor.",
            Some(ContradictionKind::Negation),
        ),
        (
            "visitors sign",
            "",
            "Visitors must sign in at the reception.",
            "Visitors do not have to sign in at the reception.",
            Some(ContradictionKind::Negation),
        ),
        (
            "remote work",
            "",
            "Remote work is allowed during probation.",
            "Remote work is prohibited during probation.",
            Some(ContradictionKind::Status),
        ),
        (
            "employees home",
            "",
            "Employees may work from home 3 days per week.",
            "Employees may work from home 2 days per week.",
            Some(ContradictionKind::Number),
        ),
        (
            "employees home",
            "",
            "Employees may work from home three days per week.",
            "Employees may work from home two days per week.",
            Some(ContradictionKind::Number),
        ),
        (
            "employees home",
            "",
            "Employees may work from home up to 3 days per week.",
            "Employees may work from home up to 2 days per week.",
            Some(ContradictionKind::Number),
        ),
        (
            "daily allowance",
            "",
            "The daily allowance is 28 euros.",
            "The daily allowance for trainees is 32 euros.",
            None,
        ),
    ];

    #[test]
    fn two_answers_to_a_question_contrast_however_short_they_are() {
        for (subject, counted, one, other, kind) in ANSWERS {
            let [own, others] = [one, other].map(|text| Statement::parse(text));
            let contrast =
                own.contrast_as_answers(&others, &QuestionSubject::parse(subject, counted));
            assert_eq!(
                contrast.map(|contrast| contrast.kind),
                *kind,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn statements_of_compared_documents_contradict_each_other_in_few_words() {
        for (one, other, contradict) in [
            ("Refunds were not affected.", "Refunds were affected.", true),
            (
                "The payment-worker runs with 6 replicas.",
                "The payment-worker runs with 8 replicas.",
                true,
            ),
            (
                "The timeout of the mail gateway is 8 seconds.",
                "The timeout of the mail gateway is 10 seconds.",
                true,
            ),
            ("The house has 8 rooms.", "The house has 6 rooms.", false),
            (
                "The meeting lasted 2 hours.",
                "The meeting lasted 3 hours.",
                false,
            ),
        ] {
            let (own, others) = (Statement::parse(one), Statement::parse(other));
            let contrast = own.contrast_compared(&others, &QuestionSubject::default());
            assert_eq!(contrast.is_some(), contradict, "{one}");
        }
    }

    #[test]
    fn statements_of_other_subjects_times_or_roles_do_not_contrast() {
        for (one, other) in [
            (
                "The population of Bern was 120,000 people in 1990.",
                "The population of Bern was 130,000 people in 2010.",
            ),
            (
                "The population of Bern was 120,000 people in 1990.",
                "The population of Basel was 180,000 people in 1990.",
            ),
            (
                "Version 2 of the library supports async functions in traits.",
                "Version 3 of the library supports async functions in traits.",
            ),
            (
                "About 60 % of old radiators have to be replaced in a house.",
                "About 20 % of old windows have to be replaced in a house.",
            ),
            (
                "Male birds of the species weigh 20 g on average in winter.",
                "Female birds of the species weigh 15 g on average in winter.",
            ),
            (
                "The release has 12 new features for the users.",
                "The release has 15 new features for the users.",
            ),
            (
                "About 60 % of old radiators have to be replaced in a house.",
                "About 62 % of old radiators have to be replaced in a house.",
            ),
            (
                "This RFC adds 3 keywords to the language of the compiler.",
                "This RFC adds 4 keywords to the language of the compiler.",
            ),
            (
                "The price of the model may rise by 10 % in winter.",
                "The price of the model may rise by 20 % in winter.",
            ),
        ] {
            assert_eq!(contrast(one, other), None, "{one} {other}");
        }
    }
}
