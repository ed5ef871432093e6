//! Attribution: whether what several sentences say together, they say of the same thing. A name, a
//! verb or a number may come from a sentence that says it of something else, or does not say it as
//! a fact.

use std::ops::Range;

use super::super::alignment::Alignment;
use super::super::coverage::{Coverage, Sentence, sentences};
use super::super::restatement::{Difference, Objection, Statements};
use super::super::statement::figure::Figure;
use super::super::statement::lexicon::{self, BE};
use super::super::statement::verb::{is_auxiliary, is_verb};
use super::super::statement::{ContentWord, Statement};
use super::addition;
use super::clause;
use super::date;
use super::decision;
use super::denial;
use super::gapping;
use super::other_subject;
use super::past;
use super::taken;
use super::trend;

/// The maximum number of clauses that are read.
const READ: usize = 400;

/// The least number of words that a sentence adds to a claim, so that its negation counts.
const ADDED: usize = 2;

/// The largest number of words and numbers of a claim of which each sentence has to speak of the
/// same: longer ones join what several sentences say of several. Chosen by hand.
const SIMPLE: usize = 12;

/// The number of clauses between two of which one names somebody else: farther apart, a text may
/// have gone on to speak of another.
const NEAR: usize = 3;

/// The largest number of words and numbers of a claim of which one sentence has to say all, and
/// deny nothing. Chosen by hand.
const BRIEF: usize = 9;

/// The maximum number of words of a heading.
const HEADING: usize = 8;

/// Words that may stand for somebody who is named in the sentence before.
const PRONOUNS: &[&str] = &[
    "he", "she", "it", "they", "him", "her", "them", "his", "its", "their",
];

/// Words by which a claim joins what two sentences may say.
const JOINS: &[&str] = &[
    "as", "because", "although", "though", "if", "when", "since", "so", "whose", "which", "that",
];

/// A claim and the passages that say it, by main clauses: each counts by itself.
pub(in crate::cite) struct Clauses {
    claim: Statements,
    passages: Vec<Statements>,
    /// The sentence of each clause, by passage and number.
    sentences: Vec<(usize, usize)>,
    /// `true` if a sentence of the passages has several clauses.
    is_divided: bool,
}

impl Clauses {
    pub(in crate::cite) fn of(claim: &Statements, passages: &[&Statements]) -> Self {
        let numbers = passages.iter().enumerate().flat_map(|(passage, own)| {
            let numbers = own.numbers_by_clause().into_iter();
            numbers.map(move |number| (passage, number))
        });
        let sentences: Vec<(usize, usize)> = numbers.collect();
        Self {
            claim: claim.by_clause(),
            is_divided: sentences.windows(2).any(|pair| pair[0] == pair[1]),
            passages: passages.iter().map(|own| own.by_clause()).collect(),
            sentences,
        }
    }

    /// The clauses of the passages.
    fn clauses(&self) -> Vec<Sentence<'_>> {
        let passages = self.passages.iter().enumerate();
        sentences(passages).take(READ).collect()
    }

    /// The objection to the claim of this text, if a clause says its words of something else; and
    /// whether a brief claim has a word or a number that only a clause says beside the one that
    /// says most of it, so that each may speak of something else.
    pub(in crate::cite) fn judge(&self, text: &str) -> (Option<Objection>, bool) {
        let clauses = self.clauses();
        let coverage = &Coverage::of(&self.claim, &clauses);
        let mut statements = coverage.statements();
        let is_short = coverage
            .statements()
            .map(|(_, items)| items.len())
            .sum::<usize>()
            <= BRIEF;
        let added = || {
            let words = text.get(addition::of(coverage)?)?.to_owned();
            Some(Difference::Addition(words))
        };
        let difference = statements.find_map(|(claim, items)| {
            if items.len() > SIMPLE || gapping::is_said(coverage, claim) {
                return None;
            }
            number_of_another(coverage, claim, &items)
                .or_else(|| name_of_another(coverage, claim, &items))
                .or_else(|| denied(coverage, claim, &items, self.is_divided))
                .or_else(|| exchanged_with_pronoun(coverage, claim))
                .or_else(|| other_occasion(coverage, claim, &items))
                .or_else(|| decision::decided_otherwise(coverage, claim))
                .or_else(|| unsaid(coverage, claim))
                .or_else(|| other_subject::difference(coverage, claim, &items, &self.sentences))
                .or_else(|| denial::difference(coverage, claim))
                .or_else(|| date::scattered(coverage, claim))
                .or_else(|| date::moved(coverage, claim))
                .or_else(|| date::of_writing(coverage, claim))
                .or_else(|| trend::turned(coverage, claim))
                .or_else(|| trend::as_level(coverage, claim))
                .or_else(|| denial::undenied(coverage, claim))
        });
        let is_scattered = coverage
            .statements()
            .any(|(claim, items)| from_elsewhere(coverage, claim, &items, &self.sentences));
        let is_scattered = is_scattered
            || clause::last_clause(text).is_some_and(|last| {
                let last = Statements::parse(last);
                let coverage = Coverage::of(&last, &clauses);
                coverage
                    .statements()
                    .any(|(own, items)| from_elsewhere(&coverage, own, &items, &self.sentences))
            });
        let mut statements = coverage.statements();
        let past = statements.find_map(|(claim, items)| {
            past::objection(coverage, claim).filter(|_| items.len() <= SIMPLE)
        });
        let mut statements = coverage.statements();
        let taken = statements.find_map(|(claim, items)| {
            taken::objection(coverage, claim).filter(|_| items.len() <= SIMPLE)
        });
        let mut statements = coverage.statements();
        let turned = statements.find_map(|(claim, _)| {
            denial::turned(coverage, claim).or_else(|| denial::forbidden(coverage, claim))
        });
        let past = turned.or(past).or(taken);
        let difference = difference.or_else(|| added().filter(|_| is_short));
        (past.or(difference.map(Objection::doubt)), is_scattered)
    }
}

/// `true` for a name but a month. The first word of a sentence, which has a capital in any case, is
/// one before another, and a rare one before a verb of a single thing: "Airey was brought down".
fn is_name(statement: &Statement, word: &ContentWord) -> bool {
    let is_first_name = || {
        let next = tokens(statement).nth(1).unwrap_or_default();
        let is_verb = matches!(next, "is" | "was" | "has" | "had" | "will") || next.ends_with("ed");
        let mut words = statement.words.iter();
        lexicon::is_rare(&word.stem) && is_verb
            || words.any(|next| next.position == 1 && next.is_name)
    };
    !word.is_month() && (word.is_name || word.position == 0 && is_first_name())
}

fn tokens(statement: &Statement) -> impl Iterator<Item = &str> {
    statement.normal.split(' ')
}

/// A name that only a sentence has which says nothing else of the claim, while the sentence that
/// says most of it names others: "the motion of Tobias" for "Piers moved … Tobias calculated …".
fn name_of_another(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    let is_name = |word: &ContentWord| is_name(claim, word);
    let mut chosen = coverage.chosen().iter();
    let apart = chosen.find(|at| {
        let said = coverage.words_said_by(**at, items);
        let added = coverage.words_added_by(**at, items);
        !added.is_empty() && said.iter().all(|word| is_name(word) || word.is_light())
    })?;
    let added = coverage.words_added_by(*apart, items);
    // A place may stand in another sentence: "in Blackville, New Brunswick".
    let claimed: Vec<&str> = tokens(claim).collect();
    let is_place = |word: &ContentWord| {
        let names = claim.words.iter().filter(|word| is_name(word));
        let names: Vec<usize> = names.map(|word| word.position).collect();
        let mut before = (0..word.position).rev().skip_while(|at| names.contains(at));
        let before = before.next().and_then(|at| claimed.get(at));
        before.is_some_and(|token| matches!(*token, "in" | "at" | "near" | "from"))
    };
    let mut names = added.iter().filter(|word| is_name(word));
    let name = names.find(|word| !is_place(word))?;
    let names_another = |at: &usize| {
        let own = coverage.sentence(*at);
        let said = coverage.words_said_by(*at, items);
        let is_resolved = tokens(own).any(|token| PRONOUNS.contains(&token));
        let is_other = |other: &ContentWord| claim.words.iter().all(|word| word.stem != other.stem);
        // "Members moved that …": whoever the sentence begins with.
        let mut words = own.words.iter();
        let is_of_other =
            words.any(|word| is_other(word) && (word.position == 0 || self::is_name(own, word)));
        coverage.is_beside(*apart, *at)
            && apart.abs_diff(*at) <= NEAR
            && !own.is_record
            && !is_resolved
            && said.iter().filter(|word| !is_name(word)).count() >= ADDED
            && is_of_other
    };
    let mut others = coverage.chosen().iter().filter(|at| *at != apart);
    let is_of_another = others.any(names_another);
    is_of_another.then(|| Difference::Binding(name.folded.clone()))
}

/// A number that only a clause has which says nothing else of the claim, where the clause that says
/// most of it has another one of the unit, "took 1 hour; the requirement is four hours", or where
/// that clause denies what it is on, "House 4 is not affected".
fn number_of_another(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    let best = coverage.sentence(coverage.best_sentence(items.clone())?);
    let says = |own: &Statement, figure: &Figure| {
        let mut figures = own.figures.iter();
        figures.any(|other| figure.is_said_by(other))
    };
    // "This year", of which another sentence says which it is.
    let is_of_writing = |figure: &Figure| figure.unit == "year" && has_year_of_writing(best);
    let figures = claim.figures.iter().filter(|own| !says(best, own));
    let mut figures = figures.filter(|own| !is_of_writing(own));
    figures.find_map(|figure| {
        let sentences = coverage.sentences();
        let lenders: Vec<&Statement> = sentences.filter(|own| says(own, figure)).collect();
        let is_other_thing = |own: &&Statement| {
            let alignment = Alignment::of(claim, own);
            let has_own_words = alignment.added().any(|word| !word.is_light());
            has_own_words && !own.is_record && alignment.pairs().count() < ADDED
        };
        let mut of_unit = best.figures.iter();
        let other = of_unit.find(|other| other.unit == figure.unit && !figure.unit.is_empty());
        let is_of_others = !lenders.is_empty() && lenders.iter().all(is_other_thing);
        let is_denied = lenders.iter().all(|own| own.denials() % 2 == 1);
        match other {
            Some(other) if is_of_others => {
                let rival = Some(other.shown());
                Some(Difference::Number(figure.shown(), rival))
            }
            _ if is_of_others && is_denied => Some(Difference::Binding(figure.shown())),
            _ => None,
        }
    })
}

/// `true` if a statement names a year by the time of its writing: "this year", "last year".
fn has_year_of_writing(statement: &Statement) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let mut pairs = tokens.windows(2);
    pairs.any(|pair| matches!(pair, ["this" | "last" | "next", "year"]))
}

/// The number of content words of the clause with which a sentence begins, if that only says when
/// the rest is so: two of "When she does not teach chemistry, Ann sings".
fn circumstance(own: &Statement) -> usize {
    let first = tokens(own).next();
    let is_circumstance = first.is_some_and(|first| matches!(first, "when" | "whenever" | "while"));
    let mut words = own.words.iter().skip(1);
    let end = words.position(|word| word.follows_mark);
    end.filter(|_| is_circumstance).map_or(0, |end| end + 1)
}

/// Words that only a sentence has which denies them, where the claim denies nothing: "Tobias will
/// put the list up on the board" for "It must not be put up on the board".
fn denied(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
    is_divided: bool,
) -> Option<Difference> {
    if claim.negations > 0 || items.len() > SIMPLE {
        return None;
    }
    let denies = |at: &usize| {
        let own = coverage.sentence(*at);
        let added = coverage.words_added_by(*at, items);
        let is_negated = |word: &&&ContentWord| {
            let mut others = own.words.iter().skip(circumstance(own));
            others.any(|other| other.stem == word.stem && other.is_negated)
        };
        let numbers = claim.figures.iter().filter(|figure| {
            let mut others = own.figures.iter();
            others.any(|other| figure.is_said_by(other))
        });
        // "Have declined" by itself is what the claim says of the rest.
        let is_deed = |word: &ContentWord| {
            let before = word.position.checked_sub(1);
            let before = before.and_then(|before| tokens(claim).nth(before));
            before.is_some_and(|token| BE.contains(&token) || is_auxiliary(token))
        };
        let is_much = added.len() + numbers.count() >= ADDED;
        let mut negated = added.iter().filter(is_negated);
        own.denials() % 2 == 1
            && !own.is_record
            && (negated.any(|word| is_much || is_deed(word))
                || is_much && is_forbidden(claim, own, &added))
    };
    // A whole sentence that says all is compared with the claim elsewhere.
    let is_part = is_divided || coverage.chosen().len() > 1;
    let leaves_out = |at: &usize| is_left_out(coverage, claim, *at, items);
    let is_denied = is_part
        && coverage
            .chosen()
            .iter()
            .any(|at| denies(at) || leaves_out(at));
    is_denied.then_some(Difference::Negation)
}

/// Forms of verbs for what something is about or holds for, in English and German, folded; a closed
/// list, written by hand.
const CONCERNS: &[&str] = &[
    "affect",
    "affected",
    "affects",
    "applies",
    "apply",
    "concern",
    "concerned",
    "concerns",
    "cover",
    "covered",
    "covers",
    "eligible",
    "extends",
    "include",
    "included",
    "includes",
    "involved",
    "involves",
    "betreffen",
    "betrifft",
    "betroffen",
    "erfasst",
    "gelten",
    "gilt",
    "umfasst",
];

/// `true` if a claim says that something holds for what only this sentence names, and it says that
/// this is not affected: "The notice also concerns boilers of 2026" for "Boilers of 2026 are not
/// affected".
fn is_left_out(
    coverage: &Coverage<'_>,
    claim: &Statement,
    at: usize,
    items: &Range<usize>,
) -> bool {
    let own = coverage.sentence(at);
    let concerns = |word: &&ContentWord| CONCERNS.contains(&&*word.folded);
    let mut denied = own.words.iter().filter(concerns);
    let is_denied = denied.any(|word| word.is_negated) && own.denials() % 2 == 1;
    let says = |own: &Statement, figure: &Figure| {
        let mut figures = own.figures.iter();
        figures.any(|other| figure.is_said_by(other))
    };
    let is_own = |figure: &Figure| {
        let mut others = coverage.chosen().iter().filter(|other| **other != at);
        says(own, figure) && !others.any(|other| says(coverage.sentence(*other), figure))
    };
    let names_alone = || {
        let added = coverage.words_added_by(at, items);
        added.iter().any(|word| !word.is_light() && !concerns(word))
            || claim.figures.iter().any(is_own)
    };
    is_denied && claim.words.iter().any(|word| concerns(&word)) && names_alone()
}

/// Auxiliaries by which, with "not", something is forbidden or advised against.
const MODALS: &[&str] = &["must", "may", "shall", "should", "can"];

/// `true` if a claim begins with words of which only this sentence speaks, and it says what must
/// not be done with them: "Membranes are recommended" for "membranes must not be used".
fn is_forbidden(claim: &Statement, own: &Statement, added: &[&ContentWord]) -> bool {
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let forbids = |pair: &[&str]| MODALS.contains(&pair[0]) && pair[1] == "not";
    let Some(at) = tokens.windows(2).position(forbids) else {
        return false;
    };
    let mut subject = claim.words.iter().take(ADDED);
    subject.all(|word| {
        let mut others = own.words.iter();
        let is_before = others.any(|own| own.stem == word.stem && own.position < at);
        is_before && added.iter().any(|added| added.stem == word.stem)
    })
}

/// Words for more than half.
const MOST: &str = " most mostly mainly majority largely usually generally primarily chiefly \
                    predominantly main often ";

/// Words of a claim that say how often or of how many, and those by which a sentence says it.
const AMOUNTS: &[(&str, &str)] = &[
    (" 2 times ", " 2 two second half semi biannual twice "),
    (" mostly ", MOST),
    (" mainly ", MOST),
    (
        " unanimously ",
        " unanimously unanimous unanimity all nobody dissent dissenting 0 zero ",
    ),
    (
        " exclusively ",
        " exclusively exclusive only solely sole alone just nothing no none ",
    ),
    (
        " permanently ",
        " permanently permanent permanence forever always good indefinitely lasting perpetuity ",
    ),
    (
        " all year ",
        " all always throughout whole entire constantly permanently every annual ",
    ),
    (
        " on time ",
        " time punctual punctually schedule deadline prompt promptly ",
    ),
    (" hourly ", " hourly hour hours 60 "),
    (" daily ", " daily day days night nightly 24 "),
    (" weekly ", " weekly week weeks 7 seven "),
    (" monthly ", " monthly month months 30 "),
    (" quarterly ", " quarterly quarter quarters 3 three "),
    (" yearly ", " yearly year years annual annually 12 twelve "),
    (
        " annually ",
        " annually annual year years yearly 12 twelve ",
    ),
    (
        " any ",
        " any all every each no not whatever regardless anybody anyone anything whether either \
         none never without whichever cannot ",
    ),
];

/// A word of a claim that says how often or of how many, where no sentence says that.
fn unsaid(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let (word, _) = AMOUNTS.iter().find(|(word, others)| {
        let has = |own: &Statement| tokens(own).any(|token| others.contains(&format!(" {token} ")));
        // A condition is no assertion: "if there is any".
        let is_plain = claim.negations == 0 && !tokens(claim).any(|token| token == "if");
        let is_stated = format!(" {} ", claim.normal).contains(word);
        let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
        is_plain && is_stated && !chosen.any(has)
    })?;
    Some(Difference::Word(word.trim().to_owned()))
}

/// The number of words behind a verb among which its object is.
const OBJECT: usize = 3;

/// Who does something as the one to whom it is done, where the sentence calls the former "she":
/// "Ruth succeeds Priya" for "Priya becomes director. She succeeds Ruth."
fn exchanged_with_pronoun(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let own = |at: &usize| coverage.sentence(*at);
    let mut sentences = coverage.chosen().iter().map(own).filter(|own| {
        let first = tokens(own).next();
        first.is_some_and(|first| matches!(first, "he" | "she" | "it" | "they"))
    });
    let claimed: Vec<&str> = tokens(claim).collect();
    let is_exchanged = |own: &Statement| {
        own.words.iter().filter(|verb| !verb.is_name).any(|verb| {
            let mut words = claim.words.iter();
            let Some(word) = words.find(|word| word.stem == verb.stem) else {
                return false;
            };
            let behind = verb.position + 1..=verb.position + OBJECT;
            let objects = own.words.iter();
            let objects = objects
                .filter(|own| own.is_name && !own.is_month() && behind.contains(&own.position));
            // "It was won by Ann": who did it stands behind the verb there, too.
            let own_by = tokens(own).nth(verb.position + 1) == Some("by");
            let is_passive = (claimed.get(word.position + 1) == Some(&"by")) != own_by;
            let words = claim.words.iter();
            let (mut agents, mut patients): (Vec<&ContentWord>, Vec<&ContentWord>) =
                words.partition(|own| own.position < word.position);
            if is_passive {
                std::mem::swap(&mut agents, &mut patients);
            }
            let has = |words: &[&ContentWord], name: &ContentWord| {
                words.iter().any(|own| own.stem == name.stem)
            };
            let mut objects = objects.peekable();
            // Behind a comma, a name is that of the noun: "their album, Blue Hills".
            objects.peek().is_some_and(|first| !first.follows_mark)
                && objects.all(|name| has(&agents, name) && !has(&patients, name))
        })
    };
    sentences.any(is_exchanged).then_some(Difference::Order)
}

/// `true` if a word or a number of a brief claim is only in a clause beside the one that says most
/// of it: "The course fees will rise. The membership fee stays" has all words of "The membership
/// fee will rise". Headings and the sentence that a pronoun refers to belong to it.
fn from_elsewhere(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
    sentences: &[(usize, usize)],
) -> bool {
    // "As long as", "because": the claim joins two things by itself.
    let joins = tokens(claim).any(|token| JOINS.contains(&token));
    if items.len() > BRIEF || coverage.chosen().len() < 2 || joins {
        return false;
    }
    let said = |at: &usize| coverage.rest(*at, items.clone(), |_| false);
    let chosen = coverage.chosen().iter();
    let best = chosen.max_by(|one, other| said(one).total_cmp(&said(other)).then(other.cmp(one)));
    let Some(best) = best.copied() else {
        return false;
    };
    let refers = |at: usize| {
        let mut tokens = tokens(coverage.sentence(at));
        tokens.any(|token| PRONOUNS.contains(&token) || matches!(token, "this" | "these"))
    };
    let is_heading = |own: &Statement| {
        let mut words = own.words.iter();
        own.words.len() <= HEADING
            && !tokens(own).any(|token| BE.contains(&token) || is_auxiliary(token))
            && !words.any(|word| is_verb(own, word))
    };
    let belongs = |at: usize| {
        let is_before = at + 1 == best && refers(best);
        let is_after = best + 1 == at && refers(at);
        at == best
            || sentences.get(at) == sentences.get(best)
                && !contrasts(coverage.sentence(at.max(best)))
            || is_heading(coverage.sentence(at))
            || coverage.is_beside(at, best) && (is_before || is_after)
    };
    let others = coverage.chosen().iter().filter(|at| !belongs(**at));
    let own: Vec<usize> = coverage
        .chosen()
        .iter()
        .copied()
        .filter(|at| belongs(*at))
        .collect();
    // What is allowed, and in which year, is said in other words, or in a heading.
    let is_known = |item: &String| {
        let is_year = |figure: &Figure| figure.unit == "year" && figure.shown() == *item;
        matches!(item.as_str(), "allowed" | "permitted" | "possible")
            || claim.figures.iter().any(is_year)
            || claim
                .words
                .iter()
                .any(|word| word.folded == *item && word.is_light())
    };
    let mut items = others.flat_map(|at| coverage.added_to(&own, *at, items));
    items.any(|item| !is_known(&item))
}

/// `true` for a clause about another thing than the one before: "…, but the membership fee stays".
fn contrasts(clause: &Statement) -> bool {
    let first = tokens(clause).next();
    first.is_some_and(|first| matches!(first, "but" | "while" | "whereas"))
}

/// Words that number an occasion.
const ORDINALS: &[&str] = &["first", "second", "third", "fourth", "fifth", "last"];

/// What a sentence adds that speaks of another occasion: "a deduction the first time" for "The
/// second time, three per cent is deducted".
fn other_occasion(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    let occasions = |own: &Statement| {
        let tokens: Vec<String> = tokens(own).map(str::to_owned).collect();
        let pairs = tokens
            .windows(2)
            .filter(|pair| ORDINALS.contains(&pair[0].as_str()));
        pairs
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect::<Vec<_>>()
    };
    let claimed = occasions(claim);
    // "The fifth season, before the fourth season" is of both.
    if claimed.len() > 1 {
        return None;
    }
    let (ordinal, _) = claimed.iter().find(|(ordinal, noun)| {
        coverage.chosen().iter().any(|at| {
            let own = occasions(coverage.sentence(*at));
            let has = |other: &str| own.iter().any(|(own, of)| own == other && of == noun);
            let is_other = own.iter().any(|(own, of)| own != ordinal && of == noun);
            is_other && !has(ordinal) && !coverage.words_added_by(*at, items).is_empty()
        })
    })?;
    Some(Difference::Binding(ordinal.clone()))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn a_pronoun_is_of_the_passive_and_a_name_of_its_noun() {
        let regatta = "The 1993 regatta was the tenth. It was won by Holm, who beat Lund in the \
                       last race.";
        let single = "It was released as the second single from their sixth studio album, Hills \
                      for the Strings, in May. Lund Trio is a band.";
        assert_supported(&[
            ("Holm won the regatta in 1993.", regatta, true),
            (
                "Hills for the Strings is an album from Lund Trio.",
                single,
                true,
            ),
        ]);
    }

    #[test]
    fn a_clause_that_says_when_denies_nothing_else() {
        let choir = "Ann Berg sang three songs with Tom Wilk in May. When she's not teaching at \
                     schools, she paints.";
        assert_supported(&[
            (
                "Ann Berg sang three songs with Tom Wilk and is teaching at schools.",
                choir,
                true,
            ),
            (
                "Ann Berg sang three songs with Tom Wilk and is teaching at schools.",
                &choir.replace("When she's", "She is"),
                false,
            ),
        ]);
    }

    #[test]
    fn what_is_said_of_another_or_denied_is_not_supported() {
        let motion = "Piers moved that milk should be collected every day again. Tobias calculated \
                      the extra cost. The motion was rejected by 4 votes to 2.";
        let list = "Magda had asked for a list of members who are behind with their payments. \
                    Tobias will send it to the board only. It must not be put up on the notice \
                    board.";
        let chair = "Colm Fahey was elected chair with 33 votes; the other candidate, Piers \
                     Whitlock, received 14.";
        let quotation = "Gerda asked for a charging point. The board promised to obtain a \
                         quotation by the autumn.";
        assert_supported(&[
            (
                "The motion of Tobias to collect milk every day was rejected by 4 votes to 2.",
                motion,
                false,
            ),
            (
                "The motion of Piers to collect milk every day was rejected by 4 votes to 2.",
                motion,
                true,
            ),
            (
                "Tobias will put the list of members who are behind with their payments up on the \
                 notice board.",
                list,
                false,
            ),
            (
                "Piers Whitlock was elected chair with 33 votes.",
                chair,
                false,
            ),
            ("Colm Fahey was elected chair with 33 votes.", chair, true),
            ("Piers Whitlock received 14 votes.", chair, true),
            (
                "Airey was brought down on foot by Tom Fearon.",
                "Airey waited at the top. Dugdale was brought down on foot by Tom Fearon.",
                false,
            ),
            (
                "The committee decided by four votes to two to replace the Land Rover.",
                "Colin proposed to replace the Land Rover. The motion was rejected by four votes \
                 to two.",
                false,
            ),
            ("The board has obtained a quotation.", quotation, false),
            ("The board promised to obtain a quotation.", quotation, true),
            (
                "Ingrid will supervise Samir, while Lena goes to the cheese room.",
                "Ingrid will supervise Lena; Samir goes to the cheese room.",
                false,
            ),
        ]);
    }

    #[test]
    fn another_occasion_amount_or_decision_is_not_supported() {
        let cells = "A cell count above 300,000 leads to a written warning the first time. The \
                     second time within twelve months, three per cent is deducted.";
        let surplus = "Edith Corrigan moved that the surplus be paid to the members. Her motion \
                       got 17 votes and failed; the board's proposal was then adopted by 29 votes \
                       to 15.";
        let director = "Priya Nair becomes clinical director from 1 April 2025. She succeeds Ruth \
                        Odell, who stays as a part-time surgeon.";
        assert_supported(&[
            (
                "The board reviews the price twice a year.",
                "The board reviews the price every quarter of the year.",
                false,
            ),
            (
                "Members who sell their herd may leave for any reason.",
                "Members who sell their herd for reasons of health may leave.",
                false,
            ),
            (
                "A cell count above 300,000 leads to a deduction of three per cent the first \
                 time.",
                cells,
                false,
            ),
            (
                "A cell count above 300,000 leads to a written warning the first time.",
                cells,
                true,
            ),
            (
                "The motion of Edith Corrigan to pay the surplus to the members was adopted by 29 \
                 votes to 15.",
                surplus,
                false,
            ),
            (
                "The board's proposal was adopted by 29 votes to 15.",
                surplus,
                true,
            ),
            (
                "Members were paid for their work, but travel costs were not refunded.",
                "They work without pay, but travel costs are refunded.",
                false,
            ),
            ("Ruth Odell succeeds Priya Nair.", director, false),
            ("Priya Nair was succeeded by Ruth Odell.", director, false),
            ("Priya Nair succeeds Ruth Odell.", director, true),
            ("Ruth Odell was succeeded by Priya Nair.", director, true),
            (
                "Of 3,412 animals most are registered, mostly cats.",
                "It had 3,412 registered animals, 1,740 dogs and 1,290 cats.",
                false,
            ),
            (
                "Cheques are accepted.",
                "We accept cards and bank transfer; cheques are no longer accepted.",
                false,
            ),
        ]);
    }

    #[test]
    fn this_year_is_not_the_year_that_its_sentence_compares_it_with() {
        let cup = "Season 2019. The team won the cup this year, after the final of 2018 was lost.";
        assert_supported(&[
            ("The team won the cup in 2019.", cup, true),
            (
                "The team won the cup in 2019.",
                "Season 2019. The team won the cup in 2018.",
                false,
            ),
        ]);
    }

    #[test]
    fn what_is_not_affected_is_not_concerned() {
        let notice = "The warning concerns kettles of 2021. Kettles of 2023 have another switch \
                      and are not affected.";
        assert_supported(&[
            ("The warning concerns kettles of 2021.", notice, true),
            ("The warning also concerns kettles of 2023.", notice, false),
        ]);
    }
}
