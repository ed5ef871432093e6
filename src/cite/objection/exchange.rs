//! Exchanges: a claim has the words of a sentence, and two of them in each other's places, or one
//! in the place of another. It is no matter what the words are, only where they stand: behind
//! "not", "from", "per", "every" or "because".

use std::collections::BTreeSet;

use super::super::alignment::{Alignment, SAME_WORD, has_word, similarity};
use super::super::coverage::{Coverage, Item};
use super::super::restatement::{Difference, Objection};
use super::super::statement::figure::Figure;
use super::super::statement::lexicon::{BE, is_of_now};
use super::super::statement::verb::is_auxiliary;
use super::super::statement::{ContentWord, Statement};
use super::ballot;
use super::exception;
use super::order;
use crate::text;

/// The prepositions whose object is what something comes from, or who does it; and those of German,
/// also for who gets it.
const ORIGINS: &[&str] = &["from", "by"];
const GERMAN_ORIGINS: &[&str] = &["an", "durch", "von"];

/// The largest share of a sentence, by weight, that a claim lacks whose origin is compared. Chosen
/// by hand.
const EXCESS: f64 = 0.5;

/// The number of words behind a preposition among which its object is.
const REACH: usize = 3;

/// The words behind which a sentence names the cause of what stands before them: "because of",
/// "due to"; and those that do with "by" after them.
const CAUSES: &[&str] = &["because", "due", "owing"];
const CAUSED_BY: &[&str] = &["explained", "caused"];

/// The number of words after a "from" among which its "to" stands.
const TO: usize = 5;

/// The largest number of words and numbers of a claim whose order of events is asked for.
const ORDERED: usize = 12;

/// By how many more words the exchanged reading of a cause agrees than the straight one. Chosen by
/// hand.
const TURNED: usize = 2;

/// The objection to a claim that exchanges words of a sentence.
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    polarity(there)
        .or_else(|| origin(there))
        .or_else(|| rate(there))
        .or_else(|| cause(there))
        .or_else(|| dates(there))
        .or_else(|| votes(there))
        .or_else(|| preference(there))
        .or_else(|| exception::objection(there))
        .or_else(|| past(there))
        .or_else(|| before_for_after(there))
        .or_else(|| ruled_out(there))
}

/// "In the workshop but not in the hall" for "in the hall but not in the workshop": a word of each
/// that the other one negates.
fn polarity(there: &Alignment<'_>) -> Option<Objection> {
    let is_turned = |negated: bool| {
        there.pairs().any(|(one, other)| {
            let (one, other) = (&there.one.words[one], &there.other.words[other]);
            are_same(one, other) && one.is_negated == negated && other.is_negated != negated
        })
    };
    let has_both = |statement: &Statement| statement.normal.contains(" but ");
    let is_exchanged = has_both(there.one) && has_both(there.other) && is_turned(true);
    (is_exchanged && is_turned(false)).then(|| Objection::contradiction(Difference::Order))
}

/// "The town has it from the museum" for "on loan from the town".
fn origin(there: &Alignment<'_>) -> Option<Objection> {
    // A sentence that says much besides may have it from elsewhere, too.
    if !there.other.is_record && there.excess() > EXCESS {
        return None;
    }
    let are_german = there.one.has_free_order && there.other.has_free_order;
    let german = GERMAN_ORIGINS.iter().filter(|_| are_german);
    ORIGINS.iter().chain(german).find_map(|preposition| {
        let claimed = object(there.one, preposition)?;
        let own = object(there.other, preposition)?;
        let share = |word: &&ContentWord| own.iter().any(|other| are_same(other, word));
        if claimed.iter().any(share) {
            return None;
        }
        // What something comes from in the sentence stands elsewhere in the claim.
        let (first, other) = (claimed.first()?, own.first()?);
        let is_elsewhere = |words: &[ContentWord], word: &ContentWord, except: &[&ContentWord]| {
            let mut others = words
                .iter()
                .filter(|other| except.iter().all(|own| own.position != other.position));
            others.any(|other| are_same(other, word))
        };
        if !is_elsewhere(&there.one.words, other, &claimed) {
            return None;
        }
        Some(if is_elsewhere(&there.other.words, first, &own) {
            Objection::contradiction(Difference::Order)
        } else {
            Objection::doubt(Difference::Binding(first.folded.clone()))
        })
    })
}

fn are_same(one: &ContentWord, other: &ContentWord) -> bool {
    similarity(one, other) >= SAME_WORD
}

/// The first content words behind the only occurrence of a preposition; `None` without any.
fn object<'a>(statement: &'a Statement, preposition: &str) -> Option<Vec<&'a ContentWord>> {
    let tokens = statement.normal.split(' ').enumerate();
    let mut positions = tokens.filter(|(_, token)| *token == preposition);
    let (position, _) = positions.next()?;
    if positions.next().is_some() {
        return None;
    }
    // "From a range of backgrounds" is from backgrounds.
    let mut behind = statement.normal.split(' ').skip(position + 1);
    let is_measured = behind.next() == Some("a") && behind.nth(1) == Some("of");
    let position = if is_measured { position + 3 } else { position };
    let words = statement.words.iter();
    let words = words.filter(|word| word.position > position && word.position <= position + REACH);
    Some(words.collect())
}

/// "45 euros per person" for "price per tour".
fn rate(there: &Alignment<'_>) -> Option<Objection> {
    let (own, others) = (units(there.one), units(there.other));
    let unit = own.iter().next()?;
    let is_other = !others.is_empty() && own.is_disjoint(&others);
    is_other.then(|| Objection::doubt(Difference::Binding((*unit).to_owned())))
}

/// The stems of the words right behind "per".
fn units(statement: &Statement) -> BTreeSet<&str> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let is_unit =
        |word: &&ContentWord| word.position > 0 && tokens.get(word.position - 1) == Some(&"per");
    let words = statement.words.iter().filter(is_unit);
    words.map(|word| word.stem.as_str()).collect()
}

/// "Every Thursday" for "every second Thursday", or "every second member" for "every fourth".
pub(super) fn interval(there: &Alignment<'_>) -> Option<Objection> {
    let (own, others) = (intervals(there.one), intervals(there.other));
    let mut pairs = others
        .iter()
        .flat_map(|other| own.iter().map(move |own| (own, other)));
    let ((one, _), (other, _)) = pairs.find(|((own, what), (step, day))| {
        what == day && own != step && !others.contains(&(*own, *day))
    })?;
    let is_wider = *other == 0;
    let difference = Difference::Opposite(every(*one), every(*other));
    (!is_wider).then(|| Objection::contradiction(difference))
}

/// `true` for a word for the step of an interval.
pub(super) fn is_step(item: &Item<'_>) -> bool {
    let is_word = |own: &ContentWord| {
        let mut steps = STEPS.iter();
        steps.any(|(one, other)| one.contains(&&*own.folded) || other.contains(&&*own.folded))
    };
    matches!(item, Item::Word(own) if is_word(own))
}

/// "Every" with a step, for display.
fn every(step: usize) -> String {
    let step = step.checked_sub(1).and_then(|at| STEPS.get(at)?.0.first());
    step.map_or_else(|| "every".to_owned(), |step| format!("every {step}"))
}

/// Words for the steps of an interval, in English behind "every", and in German behind "jede",
/// which is read as "all"; folded.
const STEPS: &[(&[&str], &[&str])] = &[
    (
        &["second", "other"],
        &["zweite", "zweiten", "zweiter", "zweites"],
    ),
    (&["third"], &["dritte", "dritten", "dritter", "drittes"]),
    (&["fourth"], &["vierte", "vierten", "vierter", "viertes"]),
    (&["fifth"], &["funfte", "funften", "funfter", "funftes"]),
    (&["tenth"], &["zehnte", "zehnten", "zehnter", "zehntes"]),
];

/// The steps and the days or things behind "every": 1 and "thursday" of "every second Thursday". A
/// step is one more than its index in [`STEPS`], and 0 is none.
fn intervals(statement: &Statement) -> Vec<(usize, &str)> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let mut intervals = Vec::new();
    for (at, word) in tokens.iter().enumerate() {
        let Some(next) = tokens.get(at + 1) else {
            break;
        };
        let step = STEPS.iter().position(|(english, german)| match *word {
            "every" => english.contains(next),
            "all" => german.contains(next),
            _ => false,
        });
        match (step, tokens.get(at + 2)) {
            (Some(step), Some(thing)) => intervals.push((step + 1, *thing)),
            // "Every second" is a second.
            _ if *word == "every" => intervals.push((0, *next)),
            _ => {}
        }
    }
    intervals
}

/// The words that say what begins or ends at a date, by their stems.
const MARKS: &[&str] = &[
    "on", "off", "up", "down", "in", "out", "open", "clos", "begin", "start", "end", "arriv",
    "depart",
];

/// The number of words behind a number of votes among which their side is: "votes were cast in
/// favour".
const SIDE: usize = 5;

/// The number of words before a date among which its mark is.
const BEFORE_DATE: usize = 4;

/// "On on 31 October and off on 1 April" for "on on 1 April and off on 31 October".
fn dates(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (marked_dates(there.one), marked_dates(there.other));
    let is_exchanged = |(date, mark): &(String, String)| {
        let mut others = own.iter().filter(|(other, _)| other == date);
        let other_mark = others.next().map(|(_, other)| other);
        other_mark.is_some_and(|other| {
            other != mark
                && own.iter().any(|(_, own)| own == mark)
                && claim.iter().any(|(_, claimed)| claimed == other)
        })
    };
    let is_turned = claim.len() > 1 && claim.iter().all(is_exchanged);
    is_turned.then(|| Objection::contradiction(Difference::Order))
}

/// The days of a statement, "1 april", each with the stem of the mark before it.
fn marked_dates(statement: &Statement) -> Vec<(String, String)> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let is_month = |word: &str| text::MONTHS.contains(&word);
    let days = (1..tokens.len()).filter(|at| {
        is_month(tokens[*at]) && tokens[at - 1].bytes().all(|byte| byte.is_ascii_digit())
    });
    days.filter_map(|at| {
        // The preposition of the date itself is no mark.
        let end = at.checked_sub(2)?;
        let mut before = (end.saturating_sub(BEFORE_DATE)..end).rev();
        let mark = before.find_map(|at| {
            let stem = text::stem(tokens[at]);
            MARKS.contains(&stem.as_str()).then_some(stem)
        })?;
        Some((format!("{} {}", tokens[at - 1], tokens[at]), mark))
    })
    .collect()
}

/// "33 votes against" for "33 votes for, 6 against".
fn votes(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (sides_of_vote(there.one), sides_of_vote(there.other));
    let (number, claimed) = claim.iter().find(|(number, side)| {
        let is_number = |(other, _): &&(&str, &str)| other == number;
        own.iter().any(|own| is_number(&own)) && !own.contains(&(*number, *side))
    })?;
    let (_, side) = own.iter().find(|(other, _)| other == number)?;
    let difference = Difference::Opposite((*claimed).to_owned(), (*side).to_owned());
    Some(Objection::contradiction(difference))
}

/// `true` for a number with the side that so many took, whose noun need not follow: "6 against".
pub(super) fn is_of_vote(statement: &Statement, figure: &Figure) -> bool {
    let mut sides = sides_of_vote(statement).into_iter();
    sides.any(|(number, _)| number == figure.digits)
}

/// The numbers of a statement with the side that so many took: "for", "against" or "abstained".
fn sides_of_vote(statement: &Statement) -> Vec<(&str, &'static str)> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let is_vote = tokens.iter().any(|token| token.starts_with("vote"));
    let numbers = (0..tokens.len())
        .filter(|at| is_vote && tokens[*at].bytes().all(|byte| byte.is_ascii_digit()));
    numbers
        .filter_map(|at| {
            // "Five votes and one abstention".
            let is_end =
                |token: &str| token == "and" || token.bytes().all(|byte| byte.is_ascii_digit());
            let after = tokens[at + 1..].iter().take(SIDE);
            let mut after = after.take_while(|token| !is_end(token));
            Some((tokens[at], after.find_map(|token| ballot::side(token))?))
        })
        .collect()
}

/// "Before costs" for "after costs".
fn before_for_after(there: &Alignment<'_>) -> Option<Objection> {
    let side = |statement: &Statement, word: &ContentWord| {
        let tokens: Vec<&str> = statement.normal.split(' ').collect();
        let before = tokens[..word.position.min(tokens.len())].iter().rev();
        let mut before = before.skip_while(|token| matches!(**token, "the" | "a" | "an"));
        let is_side = |token: &&&str| matches!(**token, "before" | "after");
        before
            .next()
            .filter(is_side)
            .map(|token| (*token).to_owned())
    };
    let mut pairs = there.pairs();
    let (own, other) = pairs.find_map(|(one, other)| {
        let own = side(there.one, &there.one.words[one])?;
        let other = side(there.other, &there.other.words[other])?;
        (own != other).then_some((own, other))
    })?;
    Some(Objection::contradiction(Difference::Opposite(own, other)))
}

/// The words, besides auxiliary verbs, behind which "not" denies what the sentence says, and does
/// not rule out another.
const DENIABLE: &[&str] = &["need", "if", "or", "and", "but", "whether"];

/// The number of words behind "not" among which is what it rules out.
const RULED_OUT: usize = 3;

/// What a sentence rules out, as if it were so: "because of the weather" for "the reason is a flat
/// battery, not the weather".
fn ruled_out(there: &Alignment<'_>) -> Option<Objection> {
    let tokens: Vec<&str> = there.other.normal.split(' ').collect();
    let mut nots = (1..tokens.len()).filter(|at| tokens[*at] == "not");
    let position = nots.find(|at| {
        let is_article = matches!(
            tokens.get(at + 1),
            Some(&("the" | "a" | "an" | "by" | "in"))
        );
        let before = tokens[at - 1];
        let denies = BE.contains(&before) || is_auxiliary(before) || DENIABLE.contains(&before);
        is_article && !denies
    })?;
    let behind = position + 1..=position + RULED_OUT;
    let mut others = there.other.words.iter();
    let word = others.find(|other| {
        let mut words = there.one.words.iter();
        behind.contains(&other.position) && words.any(|word| word.stem == other.stem)
    });
    let mut claimed = there.one.normal.split(' ');
    let is_told = claimed.any(|token| matches!(token, "not" | "no" | "never" | "rather"));
    let word = word.filter(|_| !is_told)?.folded.clone();
    let difference = Difference::Opposite(word, "not".to_owned());
    Some(Objection::contradiction(difference))
}

/// What was, as what is: "The limit is force 6" for "The limit was force 6".
fn past(there: &Alignment<'_>) -> Option<Objection> {
    let has =
        |own: &Statement, words: &[&str]| own.normal.split(' ').any(|token| words.contains(&token));
    const IS: [&str; 4] = ["is", "are", "has", "must"];
    const WAS: [&str; 3] = ["was", "were", "had"];
    let is_now = has(there.one, &IS) && !has(there.one, &WAS);
    let was_then = has(there.other, &WAS) && !has(there.other, &IS) && !there.other.is_record;
    // "Has been raised" is past, too.
    let is_perfect = has(there.one, &["been", "has", "have"]) && !has(there.one, &["to"]);
    // What is so since a change is so now.
    let is_changed = there.says_result() && there.other.negations == 0 && !there.other.is_over();
    let is_missing = there.missing().any(|word| !is_of_now(&word.folded));
    (is_now && was_then && !is_perfect && !is_changed && !is_missing)
        .then(|| Objection::doubt(Difference::Word("is".to_owned())))
}

/// What is given up as what takes its place: "every quarter instead of every month" for "every
/// month instead of every quarter".
fn preference(there: &Alignment<'_>) -> Option<Objection> {
    let claim = sides_of_preference(there.one)?;
    let own = sides_of_preference(there.other)?;
    let shares = |one: &BTreeSet<String>, other: &BTreeSet<String>| !one.is_disjoint(other);
    let is_turned = shares(&claim[0], &own[1])
        && shares(&claim[1], &own[0])
        && !shares(&claim[0], &own[0])
        && !shares(&claim[1], &own[1]);
    is_turned.then(|| Objection::contradiction(Difference::Order))
}

/// The stems of the words right before "instead of" or "rather than", and of those right behind.
fn sides_of_preference(statement: &Statement) -> Option<[BTreeSet<String>; 2]> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let is_mark = |pair: &[&str]| matches!(pair, ["instead", "of"] | ["rather", "than"]);
    let position = tokens.windows(2).position(is_mark)?;
    let stems = |tokens: &[&str]| -> BTreeSet<String> {
        let words = tokens.iter().filter(|token| {
            let is_word = token.starts_with(char::is_alphabetic) && **token != "every";
            is_word && !text::is_stop_word(token)
        });
        words.map(|word| text::stem(word)).collect()
    };
    let end = tokens.len().min(position + 2 + REACH);
    let sides = [
        stems(&tokens[position.saturating_sub(REACH)..position]),
        stems(&tokens[position + 2..end]),
    ];
    sides.iter().all(|side| !side.is_empty()).then_some(sides)
}

/// A cause as the effect, and its effect as the cause.
fn cause(there: &Alignment<'_>) -> Option<Objection> {
    let [effect, cause] = sides(there.one)?;
    let [own_effect, own_cause] = sides(there.other)?;
    let shared = |one: &[&ContentWord], other: &[&ContentWord]| {
        let is_there = |word: &&&ContentWord| other.iter().any(|own| are_same(own, word));
        one.iter().filter(is_there).count()
    };
    let straight = shared(&effect, &own_effect) + shared(&cause, &own_cause);
    let turned = shared(&effect, &own_cause) + shared(&cause, &own_effect);
    let is_turned = turned >= straight + TURNED;
    is_turned.then(|| Objection::contradiction(Difference::Order))
}

/// The words of the effect and of the cause in a statement that names one of each.
fn sides(statement: &Statement) -> Option<[Vec<&ContentWord>; 2]> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let mut positions = (0..tokens.len()).filter(|position| {
        let is_by = tokens.get(position + 1) == Some(&"by");
        CAUSES.contains(&tokens[*position]) || CAUSED_BY.contains(&tokens[*position]) && is_by
    });
    let position = positions.next()?;
    let sides: (Vec<&ContentWord>, Vec<&ContentWord>) = statement
        .words
        .iter()
        .filter(|word| word.position != position)
        .partition(|word| word.position < position);
    let is_single = positions.next().is_none() && !sides.0.is_empty() && !sides.1.is_empty();
    is_single.then_some([sides.0, sides.1])
}

/// The two sides of "than" in each other's places.
pub(super) fn comparison(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (sides_of_than(there.one)?, sides_of_than(there.other)?);
    let is_shared = |one: &BTreeSet<&str>, other: &BTreeSet<&str>| !one.is_disjoint(other);
    let is_turned = is_shared(&claim[0], &own[1])
        && is_shared(&claim[1], &own[0])
        && is_shared(&claim[0], &own[0])
        && !is_shared(&claim[1], &own[1]);
    let is_same =
        there.one.negations == there.other.negations && there.one.sides == there.other.sides;
    (is_turned && is_same).then(|| Objection::contradiction(Difference::Order))
}

/// "From" one value or word "to" another, in each other's places: also for "131 in 2024, after 139
/// in 2023".
pub(super) fn direction(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, mut own) = (directions(there.one), directions(there.other));
    own.extend(changes(there.other));
    let is_turned = |(from, to): &(&str, &str)| {
        from != to && own.contains(&(*to, *from)) && !own.contains(&(*from, *to))
    };
    let is_turned = claim.iter().any(is_turned);
    is_turned.then(|| Objection::contradiction(Difference::Order))
}

/// `true` if a claim says from one value to another what a sentence gives the other way round: "It
/// fell from 139 to 131" for "131 in 2024, after 139 in 2023".
pub(super) fn is_same_change(there: &Alignment<'_>) -> bool {
    let own = changes(there.other);
    directions(there.one).iter().any(|pair| own.contains(pair))
}

/// What follows each "from" and its "to", without articles.
fn directions(statement: &Statement) -> Vec<(&str, &str)> {
    let words: Vec<&str> = statement.normal.split(' ').collect();
    let after = |at: usize| {
        let mut words = words.iter().skip(at + 1);
        words.find(|word| !matches!(**word, "the" | "a" | "an" | "about" | "over"))
    };
    let froms = words
        .iter()
        .enumerate()
        .filter(|(_, word)| **word == "from");
    let pairs = froms.filter_map(|(at, _)| {
        let mut near = words.iter().enumerate().skip(at + 2).take(TO);
        let (to, _) = near.find(|(_, word)| **word == "to")?;
        Some((*after(at)?, *after(to)?))
    });
    pairs.collect()
}

/// Words between a value and the one that was before it, and the number of words before such a word
/// among which the value is; chosen by hand.
const BEFORE: &[&str] = &["after", "against", "formerly", "originally", "previously"];
const VALUE: usize = 5;

/// The values before and after a change that a sentence gives the other way round, "131 in 2024,
/// after 139 in 2023": what was, and what is.
fn changes(statement: &Statement) -> Vec<(&str, &str)> {
    let words: Vec<&str> = statement.normal.split(' ').collect();
    let is_year = |word: &&str| {
        let number: Option<u16> = word.parse().ok();
        number.is_some_and(|number| (1900..2100).contains(&number))
    };
    let is_value = |word: &&&str| word.starts_with(|c: char| c.is_ascii_digit()) && !is_year(word);
    // "5 minutes (was 30)": without a verb of its own.
    let is_was = |at: usize| words[at] == "was" && words[..at].contains(&"is");
    let markers = (1..words.len()).filter(|at| BEFORE.contains(&words[*at]) || is_was(*at));
    let pairs = markers.filter_map(|at| {
        let is = words[at.saturating_sub(VALUE)..at].iter().rfind(is_value)?;
        let was = words.get(at + 1).filter(|word| is_value(word))?;
        Some((*was, *is))
    });
    pairs.collect()
}

/// The stems of the content words before "than" and of those after it, without those of both.
fn sides_of_than(statement: &Statement) -> Option<[BTreeSet<&str>; 2]> {
    let (before, after) = statement.words.split_at_checked(statement.than?)?;
    let [before, after] = [before, after].map(|words| {
        let stems = words.iter().map(|word| word.stem.as_str());
        stems.collect::<BTreeSet<_>>()
    });
    Some([&before - &after, &after - &before])
}

/// The words that put one event before another, and those by which a sentence shows their order.
const SEQUENCE: &[&str] = &["before", "after", "because"];
const ORDER: &[&str] = &[
    "before",
    "after",
    "then",
    "until",
    "following",
    "followed",
    "later",
    "earlier",
    "since",
    "when",
    "while",
    "prior",
    "previously",
    "subsequently",
    "once",
    "as",
    "upon",
    "first",
    "ago",
    "from",
    "within",
    "during",
    "next",
];

/// The words by which a sentence gives a reason.
const CAUSAL: &[&str] = &[
    "because",
    "since",
    "due",
    "so",
    "therefore",
    "thus",
    "hence",
    "cause",
    "caused",
    "causes",
    "led",
    "leads",
    "thanks",
    "owing",
    "reason",
    "reasons",
    "as",
    "result",
    "results",
    "resulted",
    "explained",
    "for",
    "from",
    "by",
    "why",
    "blame",
    "consequently",
    "to",
];

/// A claim that puts one event before another, or gives one as the reason of another, of which no
/// sentence says anything: "The new bridge was built before the old one fell."
pub(super) fn sequence(coverage: &Coverage<'_>) -> Option<Objection> {
    let has = |statement: &Statement, words: &[&str]| {
        let mut tokens = statement.normal.split(' ');
        tokens.any(|token| words.contains(&token))
    };
    let mut statements = coverage.statements();
    let (claim, _) = statements.find(|(claim, items)| {
        // With a date for each, both show it.
        let dates = claim.figures.iter().filter(|figure| figure.is_date());
        has(claim, SEQUENCE) && items.len() <= ORDERED && dates.count() < 2
    })?;
    let word = SEQUENCE.iter().find(|word| has(claim, &[word]))?;
    // One sentence says both events, or one of them and when it was.
    let position = claim.normal.split(' ').position(|token| token == *word)?;
    let (after, before): (Vec<&ContentWord>, Vec<&ContentWord>) =
        claim.words.iter().partition(|own| own.position > position);
    let says = |own: &Statement, side: &[&ContentWord]| {
        side.is_empty() || side.iter().any(|word| has_word(&own.words, word))
    };
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let cues = if *word == "because" { CAUSAL } else { ORDER };
    let is_shown = chosen.any(|own| {
        let is_told = own.is_record || has(own, cues);
        is_told && says(own, &before) && says(own, &after)
    });
    (!is_shown).then(|| Objection::doubt(Difference::Word((*word).to_owned())))
}

/// `true` if a claim says of two things which is before the other, and the sentence says the same
/// from the other side: "accept before installing", "install after accepting".
pub(super) fn is_same_sequence(there: &Alignment<'_>) -> bool {
    order::are_exchanged(there, "before", "after") || order::are_exchanged(there, "after", "before")
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_was_changed_to_a_value_has_it() {
        let fee = "The fee was raised from 40 euros to 45 euros.";
        let oven = "The oven temperature was lowered to 60 °C.";
        let refused = "The fee was not raised to 45 euros.";
        assert_supported(&[
            ("The fee is 45 euros.", fee, true),
            ("The fee is now 45 euros.", fee, true),
            ("The fee is 40 euros.", fee, false),
            ("The fee is 45 euros.", refused, false),
            ("The fee is now 45 euros.", "The fee was 45 euros.", false),
            ("The oven temperature is now 60 °C.", oven, true),
        ]);
    }

    #[test]
    fn what_is_excepted_past_or_given_up_is_not_so() {
        assert_supported(&[
            (
                "Beatriz can be reached at the office on Wednesdays.",
                "Beatriz is at the office on weekdays except Wednesday.",
                false,
            ),
            (
                "The open day brought 1,130 pounds before costs.",
                "The open day brought 1,130 pounds after costs.",
                false,
            ),
            (
                "The number of visits rose from 131,000 to 139,000.",
                "The number of visits was 131,000 in 2024, after 139,000 in 2023.",
                false,
            ),
            (
                "The number of visits rose from 1200 to 1500.",
                "The number of visits was 1200 in May, after 1500 in April.",
                false,
            ),
            (
                "The number of visits fell from 139,000 to 131,000.",
                "The number of visits was 131,000 in 2024, after 139,000 in 2023.",
                true,
            ),
            (
                "The radio link failed because of the weather.",
                "The radio link failed; the likely reason is a flat battery, not the weather.",
                false,
            ),
            (
                "An overhaul was approved with five votes and one abstention.",
                "The overhaul was approved with five votes in favour and one abstention.",
                true,
            ),
            (
                "The wind limit is force 6 for all boats.",
                "The wind limit was force 6 for all boats.",
                false,
            ),
            (
                "Nordkai was given the order because it was the cheapest.",
                "Nordkai was the cheapest. Dahl was given the order because it could deliver.",
                false,
            ),
            (
                "The petty cash is counted every quarter instead of every month.",
                "The petty cash is counted every month instead of every quarter.",
                false,
            ),
        ]);
    }

    #[test]
    fn words_in_each_others_places_are_not_supported() {
        let dogs = "Dogs on a lead are welcome in the museum hall but not in the workshop.";
        let loan = "Name: Wiesel; type: steam; note: on loan from the municipality of Ostrup.";
        let tour =
            "Ticket: Guided tour; who: up to 20 persons (price per tour); museum eur: 45.00.";
        let votes = "The rules were adopted with 33 votes for, 6 against and 2 abstentions.";
        let roof = "The drop in visitors is explained by the closure of the carriage shed.";
        assert_supported(&[
            (
                "Dogs on a lead are welcome in the workshop but not in the museum hall.",
                dogs,
                false,
            ),
            (
                "Dogs on a lead are welcome in the museum hall but not in the workshop.",
                dogs,
                true,
            ),
            (
                "The municipality of Ostrup has Wiesel on loan from the museum.",
                loan,
                false,
            ),
            (
                "Wiesel is on loan from the municipality of Ostrup.",
                loan,
                true,
            ),
            (
                "Releases happen every Thursday.",
                "Releases happen every second Thursday.",
                false,
            ),
            (
                "Every second member was ill.",
                "About every fourth member was ill.",
                false,
            ),
            (
                "Jede zweite Person war krank.",
                "Etwa jede vierte Person war einige Tage krank.",
                false,
            ),
            (
                "A manager's approval is not required for swaps.",
                "Swaps do not need a manager's approval.",
                true,
            ),
            (
                "The water is turned on on 31 October and turned off on 1 April.",
                "The water is turned on on 1 April and off on 31 October.",
                false,
            ),
            ("33 votes were against the rules.", votes, false),
            ("33 votes were in favour of the rules.", votes, true),
            ("6 votes were against the rules.", votes, true),
            ("A guided tour costs 45 euros per person.", tour, false),
            ("A guided tour costs 45 euros per tour.", tour, true),
            (
                "The carriage shed was closed because of the drop in visitors.",
                roof,
                false,
            ),
            (
                "The drop in visitors is due to the closure of the carriage shed.",
                roof,
                true,
            ),
        ]);
    }

    #[test]
    fn a_range_of_things_is_the_things() {
        let club = "The club takes children from all schools in the valley, whatever their range.";
        let claim = "The club takes children from a range of schools.";
        assert_supported(&[(claim, club, true)]);
    }

    #[test]
    fn who_gets_something_in_german_does_not_give_it() {
        let hall = "Die Gemeinde vermietet den Saal an den Chor.";
        let choir = "Der Chor vermietet den Saal an die Gemeinde.";
        assert_supported(&[(choir, hall, false), (hall, hall, true)]);
    }
}
