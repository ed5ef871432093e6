//! Binding: whether what the sources say of the words of a claim, they say of the same thing. The
//! words alone do not show it: they may stand in several sentences, of which one is about another
//! thing of the kind.

use std::ops::Range;

use chrono::Datelike;

use super::super::alignment::{Alignment, SAME_WORD, has_word, similarity};
use super::super::coverage::{Coverage, Item, PRONOUNS};
use super::super::dateline;
use super::super::restatement::{Difference, Statements};
use super::super::statement::figure::Figure;
use super::super::statement::lexicon;
use super::super::statement::subject::{Subject, predicate_of};
use super::super::statement::{ContentWord, Statement};
use crate::text;

/// The largest number of words and numbers of a claim that says one thing: longer ones may join
/// what several passages say. Chosen by hand.
const SHORT: usize = 8;

/// The largest number of words and numbers of a claim that one sentence has to say nearly all of.
/// With five, claims of WiCE that join two sentences are doubted.
const VERY_SHORT: usize = 4;

/// The least share of a short claim, without its names, that one sentence says: the others may name
/// what it calls "it". Chosen by hand, from what joins two things in `tests/it/check.rs`.
const SAID_AT_ONCE: f64 = 0.5;

/// The least share of a claim without its names that a sentence says, so that other names in it
/// stand in their place. Chosen by hand.
const SAID_BUT_NAMES: f64 = 0.75;

/// The least share of a claim that sentences say which are not about something else.
const SAID: f64 = 0.7;

/// The difference between a statement of a claim and the chosen sentences if they say its words of
/// different things.
pub(super) fn difference(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    let of_one_thing = || {
        other_thing(coverage, claim, items)
            .or_else(|| of_pronoun(coverage, claim, items))
            .or_else(|| apart(coverage, claim, items))
    };
    other_record(coverage, claim, items)
        .or_else(|| of_the_others(coverage, claim, items))
        .or_else(|| other_reading(coverage, claim))
        .or_else(|| of_one_thing().filter(|own| !is_of_writing(coverage, claim, own)))
        .or_else(|| other_name(coverage, claim, items))
        .or_else(|| {
            other_value(coverage, claim, items).filter(|own| !is_of_writing(coverage, claim, own))
        })
        .or_else(|| comparison(coverage, claim))
        .or_else(|| predicate(coverage, claim, items))
}

/// `true` if what is said of something else is the year of the dateline of the evidence, of which
/// the sentence that says most of the claim has no other: it is the year of all of it.
fn is_of_writing(coverage: &Coverage<'_>, claim: &Statement, difference: &Difference) -> bool {
    let Difference::Binding(item) = difference else {
        return false;
    };
    let is_own = |figure: &&Figure| figure.unit == "year" && figure.shown() == *item;
    let Some(year) = claim.figures.iter().find(is_own) else {
        return false;
    };
    let mut days = coverage.sentences().filter_map(dateline::day_of);
    let best = coverage.chosen().first().map(|at| coverage.sentence(*at));
    let has_year = best.is_some_and(|own| own.figures.iter().any(|own| own.unit == "year"));
    !has_year && days.any(|day| year.value.total_cmp(&f64::from(day.year())).is_eq())
}

/// A word of a claim that only a sentence on the other things of the kind says: "Mill Road has a
/// lift" for "Mill Road is closed. The other sites have lifts."
fn of_the_others(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    coverage.chosen().iter().find_map(|at| {
        let there = Alignment::of(claim, coverage.sentence(*at));
        let mut missing = there.missing().filter(|word| !word.is_light());
        let is_of_one = missing.any(|word| coverage.says(word));
        let added = coverage.words_added_by(*at, items).into_iter();
        let mut added = added.filter(|word| !word.is_light());
        let word = added.next().filter(|_| there.is_of_others() && is_of_one)?;
        Some(Difference::Binding(word.folded.clone()))
    })
}

/// Words by which a claim with several numbers may compare two rows; a closed list, by hand.
const OF_TWO_ROWS: [&str; 10] = [
    "against", "and", "but", "compared", "from", "instead", "than", "to", "versus", "while",
];

/// A word or a number of the claim that a row of a table has and the row that says most of the
/// claim has not: each row is of another thing.
fn other_record(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    let sizes = claim.figures.iter().filter(|figure| !figure.is_date());
    let chosen = coverage.chosen().iter().copied();
    let (records, prose): (Vec<usize>, Vec<usize>) =
        chosen.partition(|at| coverage.sentence(*at).is_record);
    let mut tokens = claim.normal.split(' ');
    let may_compare = sizes.count() > 1 && tokens.any(|token| OF_TWO_ROWS.contains(&token));
    if records.len() < 2 || may_compare {
        return None;
    }
    let said = |at: usize| coverage.rest(at, items.clone(), |_| false);
    let best = records.iter().copied().max_by(|one, other| {
        let by_words = said(*one).total_cmp(&said(*other));
        by_words.then(other.cmp(one))
    })?;
    let own = [&[best][..], &prose].concat();
    let is_elsewhere = |has: &dyn Fn(&Statement) -> bool| {
        let any = |at: &[usize]| at.iter().any(|at| has(coverage.sentence(*at)));
        any(&records) && !any(&own)
    };
    // "Per 1000" is "per thousand".
    let is_number =
        |word: &ContentWord| word.folded == "thousand" || lexicon::digits(&word.folded).is_some();
    let mut words = claim
        .words
        .iter()
        .filter(|word| !word.is_light() && !is_number(word));
    let word = words.find(|word| is_elsewhere(&|own| has_word(&own.words, word)));
    let mut figures = claim.figures.iter();
    let is_given = |own: &Statement, figure: &Figure| {
        let mut others = own.figures.iter();
        others.any(|other| figure.is_said_by(other))
    };
    let figure = figures.find(|figure| is_elsewhere(&|own| is_given(own, figure)));
    let item = word.map(|word| word.folded.clone());
    let item = item.or_else(|| figure.map(Figure::shown))?;
    Some(Difference::Binding(item))
}

/// A number of the claim that only lines behind other readings give: "At 36 °C it showed 36.3 °C.
/// Correction: -0.3 °C." says nothing of the correction at 44 °C.
fn other_reading(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let sentences: Vec<&Statement> = coverage.sentences().collect();
    let says = |at: usize, figure: &Figure| {
        let mut others = sentences[at].figures.iter();
        others.any(|other| figure.is_said_by(other))
    };
    let is_size = |own: &&Figure| !own.is_date() && !own.unit.is_empty();
    let sizes: Vec<&Figure> = claim.figures.iter().filter(is_size).collect();
    let is_behind_another = |at: usize, other: &Figure| {
        let before = at.checked_sub(1).filter(|own| coverage.is_beside(*own, at));
        before.is_some_and(|before| {
            let mut of_unit = sentences[before].figures.iter();
            let has_unit = of_unit.any(|own| own.unit == other.unit);
            sentences[at].label > 0 && has_unit && !says(before, other) && !says(at, other)
        })
    };
    sizes.iter().find_map(|size| {
        let lines: Vec<usize> = (0..sentences.len()).filter(|at| says(*at, size)).collect();
        let mut others = sizes.iter().filter(|other| !other.equals(size));
        let is_of_another =
            others.any(|other| lines.iter().all(|at| is_behind_another(*at, other)));
        (is_of_another && !lines.is_empty()).then(|| Difference::Binding(size.shown()))
    })
}

/// A word of a very short claim that the sentence which says most of it does not say, or its name,
/// where that sentence names others: each sentence may speak of something else.
fn apart(coverage: &Coverage<'_>, claim: &Statement, items: &Range<usize>) -> Option<Difference> {
    if items.len() > VERY_SHORT {
        return None;
    }
    // A year may stand in a sentence before.
    let is_context = |item: &Item<'_>| {
        item.is_name() || matches!(item, Item::Figure(figure) if figure.unit == "year")
    };
    let said = |at: &usize| coverage.rest(*at, items.clone(), is_context);
    let with_years = |at: &usize| coverage.rest(*at, items.clone(), |item| item.is_name());
    let chosen = coverage.chosen().iter().copied();
    let best = chosen.max_by(|one, other| {
        let by_years = || with_years(one).total_cmp(&with_years(other));
        let by_words = said(one).total_cmp(&said(other));
        // Of those that say the same of it, one that names it is about it.
        let whole = |at: &usize| coverage.rest(*at, items.clone(), |_| false);
        let by_names = || whole(one).total_cmp(&whole(other));
        let by_all = by_words.then_with(by_years).then_with(by_names);
        by_all.then(other.cmp(one))
    })?;
    let own = coverage.sentence(best);
    let is_name = |word: &&ContentWord| word.is_name && !word.is_month();
    let mut others = own.words.iter().filter(is_name);
    let has_others = others.any(|other| !has_word(&claim.words, other));
    let mut names = claim.words.iter().filter(is_name);
    let first = names.clone().next();
    let is_unnamed = has_others && names.all(|name| !has_word(&own.words, name));
    if let Some(name) = first.filter(|name| is_unnamed && !is_said_by_pronoun(coverage, name)) {
        return Some(Difference::Binding(name.folded.clone()));
    }
    // "It" may stand for any word of a sentence before.
    let refers = |token: &str| matches!(token, "it" | "them" | "this" | "that");
    if own.normal.split(' ').any(refers) {
        return None;
    }
    let words = claim.words.iter();
    let mut words = words.filter(|word| !word.is_name && !lexicon::is_particle(&word.folded));
    let said_otherwise = coverage.words_said_by(best, items);
    let word = words.find(|word| {
        let is_said = said_otherwise.iter().any(|own| own.range == word.range);
        !has_word(&own.words, word) && !is_said && coverage.says(word)
    })?;
    if is_said_by_pronoun(coverage, word) {
        return None;
    }
    let whole = said(&best).max(coverage.rest_with_antecedent(best, items));
    (whole < SAID).then(|| Difference::Binding(word.folded.clone()))
}

/// Words before the "it" of a clause that goes on about the subject of its sentence; a closed list,
/// written by hand.
const GOING_ON: &[&str] = &[
    "and", "as", "because", "but", "if", "since", "so", "when", "while",
];

/// The subject of a short claim, where the sentences with what it says of that say it of their own
/// subject by "it": "Aurelio is sown, because it is resistant" says nothing of Brenta.
fn of_pronoun(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    let predicate = predicate_of(claim).filter(|_| items.len() <= SHORT)?;
    let subject = Subject::of(claim)?;
    let name = &subject.words[subject.head()?];
    let mut saying = coverage
        .sentences()
        .filter(|own| has_word(&own.words, predicate))
        .peekable();
    let is_of_own = |own: &Statement| {
        let tokens: Vec<&str> = own.normal.split(' ').collect();
        let mut words = own.words.iter();
        let said = words.find(|own| similarity(predicate, own) >= SAME_WORD);
        let end = said.map_or(0, |said| said.position.min(tokens.len()));
        let it = tokens[..end].iter().rposition(|token| *token == "it");
        let is_clause = it.is_some_and(|it| it > 0 && GOING_ON.contains(&tokens[it - 1]));
        // Behind a label, "Decision: Aurelio is sown".
        let own_subject = own.words.get(own.label).is_some_and(|first| {
            let next = tokens.get(first.position + 1);
            let is_name = first.is_name || first.position == 0;
            is_name && next.is_some_and(|next| lexicon::BE.contains(next))
        });
        is_clause && own_subject && !has_word(&own.words, name)
    };
    (saying.peek().is_some() && saying.all(is_of_own))
        .then(|| Difference::Binding(name.folded.clone()))
}

/// `true` if the chosen sentences that have a word say it of something that they name by a pronoun,
/// which may be what the claim names: "They carry snacks", "It was the only album of the band".
fn is_said_by_pronoun(coverage: &Coverage<'_>, word: &ContentWord) -> bool {
    let chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let mut saying = chosen.filter(|own| has_word(&own.words, word)).peekable();
    let is_before = |own: &Statement| {
        let said = own
            .words
            .iter()
            .find(|own| similarity(word, own) >= SAME_WORD);
        let before = said.map_or(0, |own| own.position);
        let mut tokens = own.normal.split(' ').take(before);
        tokens.any(|token| PRONOUNS.contains(&token))
    };
    saying.peek().is_some() && saying.all(is_before)
}

/// A name in the place of which the sentence that says all the rest has others: "Ann finds the
/// fault" for "Bea finds the fault".
fn other_name(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    let is_name = |word: &&ContentWord| word.is_name && !word.is_month();
    let mut names = claim.words.iter().filter(is_name);
    let name = names.clone().next()?;
    let said = |at: usize| coverage.rest(at, items.clone(), |item| item.is_name());
    let chosen = coverage.chosen().iter().copied();
    // Of those that say the same of it, one that names it is about it.
    let whole = |at: &usize| coverage.rest(*at, items.clone(), |_| false);
    let best = chosen.max_by(|one, other| {
        let by_words = said(*one).total_cmp(&said(*other));
        let by_all = by_words.then_with(|| whole(one).total_cmp(&whole(other)));
        by_all.then(other.cmp(one))
    })?;
    let own = coverage.sentence(best);
    let mut others = own.words.iter().filter(is_name);
    let is_replaced = others.any(|other| !has_word(&claim.words, other))
        && names.all(|name| !has_word(&own.words, name));
    let is_short = items.len() <= SHORT && !own.is_record;
    let is_replaced = is_replaced && !is_said_by_pronoun(coverage, name);
    (is_short && is_replaced && said(best) >= SAID_BUT_NAMES)
        .then(|| Difference::Binding(name.folded.clone()))
}

/// A word or a year of a short claim that the sentence with its number does not say, where another
/// sentence gives another number for it: "The fee rises to 30. That of students stays at 12."
fn other_value(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    if items.len() > SHORT {
        return None;
    }
    let own = coverage.sentence(coverage.best_sentence(items.clone())?);
    let is_said = |figure: &Figure, own: &Statement| {
        let mut others = own.figures.iter();
        others.any(|other| figure.is_said_by(other))
    };
    // A time before or after something is no value of it.
    let is_size = |own: &&Figure| !own.is_date() && !matches!(own.unit.as_str(), "s" | "months");
    let sizes: Vec<&Figure> = claim.figures.iter().filter(is_size).collect();
    if sizes.is_empty() || !sizes.iter().all(|size| is_said(size, own)) {
        return None;
    }
    let gives_another = |other: &Statement| {
        let is_another = |size: &&Figure| {
            let mut figures = other.figures.iter();
            !is_said(size, other) && figures.any(|figure| figure.unit == size.unit)
        };
        sizes.iter().any(is_another) || other.negations % 2 != own.negations % 2
    };
    let mut others = coverage.sentences().filter(|other| gives_another(other));
    others.find_map(|other| {
        let mut words = claim.words.iter().filter(|word| !word.is_light());
        let word = words.find(|word| !has_word(&own.words, word) && has_word(&other.words, word));
        let mut years = claim.figures.iter().filter(|figure| figure.unit == "year");
        let year = years.find(|year| !is_said(year, own) && is_said(year, other));
        let item = word.map(|word| word.folded.clone());
        let item = item.or_else(|| year.map(|year| year.shown()))?;
        Some(Difference::Binding(item))
    })
}

/// What a short claim says its subject to be, if nothing says that of anything.
fn predicate(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    // Of a participle, "was chosen", there are too many other words for the same.
    let is_predicate = |word: &&ContentWord| {
        let is_participle = word.folded.ends_with("ed");
        word.follows_be && !word.is_name && !is_participle && !lexicon::is_of_now(&word.folded)
    };
    let word = claim.words.last().filter(is_predicate)?;
    let is_missing = items.len() <= SHORT && !coverage.says(word);
    is_missing.then(|| Difference::Word(word.folded.clone()))
}

/// `true` if a claim is so short that one passage has to say it.
pub fn is_short(claim: &str) -> bool {
    let statements = Statements::parse(claim);
    let items = statements
        .iter()
        .map(|own| own.words.len() + own.figures.len());
    let figures = statements.iter().map(|own| own.figures.len());
    // Two numbers may be those of two sources.
    items.sum::<usize>() <= SHORT && figures.sum::<usize>() < 2
}

/// `true` if no sentence says most of a short claim: each may speak of something else.
pub(in crate::cite) fn is_scattered(coverage: &Coverage<'_>) -> bool {
    let mut statements = coverage.statements();
    statements.any(|(_, items)| {
        let at_once = |at: &usize| coverage.rest(*at, items.clone(), |item| item.is_name());
        let best = coverage.chosen().iter().map(at_once).fold(0.0, f64::max);
        items.len() <= SHORT && best < SAID_AT_ONCE
    })
}

/// A comparison with something with which no sentence compares anything.
fn comparison(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let (before, after) = claim.words.split_at_checked(claim.than?)?;
    let is_own = |word: &&ContentWord| !before.iter().any(|own| own.stem == word.stem);
    let others: Vec<&ContentWord> = after.iter().filter(is_own).collect();
    let mut sentences = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let is_made = sentences
        .any(|own| own.than.is_some() && others.iter().any(|word| has_word(&own.words, word)));
    (!others.is_empty() && !is_made).then_some(Difference::Comparison)
}

/// Sentences about another thing of the kind, "refrigerant R290" for "refrigerant R32", without
/// which a number, a predicate or too much of the claim is not said.
fn other_thing(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Difference> {
    // Beside a size alone: elsewhere another attribute is mostly another word for the same.
    let is_sized = claim.figures.iter().any(|figure| !figure.is_date());
    let is_short = items.len() <= SHORT && is_sized;
    let mut labels = labels(claim).filter(|label| is_short || !label.is_attribute);
    labels.find_map(|label| {
        let (others, own): (Vec<usize>, Vec<usize>) = coverage
            .chosen()
            .iter()
            .partition(|at| label.is_replaced_in(coverage.sentence(**at), claim));
        if others.is_empty() {
            return None;
        }
        let said_of_others = coverage.predicate_only_in(&others, &own, items);
        let said = coverage.said(&own, items, &(0..0));
        let word = said_of_others.or_else(|| (said < SAID).then(|| label.word.folded.clone()))?;
        Some(Difference::Binding(word))
    })
}

/// A word that tells one thing of a kind from the others: "R32" in "refrigerant R32", "ground" in
/// "ground-source", "outdoor" in "outdoor pool".
struct Label<'a> {
    word: &'a ContentWord,
    kind: &'a ContentWord,
    /// `true` if it stands before the kind.
    is_before: bool,
    /// `true` for a word of its own before the kind.
    is_attribute: bool,
}

/// The labels of a statement: what a hyphen joins to the word after it, codes after a word, and
/// words right before another one.
fn labels(statement: &Statement) -> impl Iterator<Item = Label<'_>> {
    statement.words.windows(2).filter_map(|pair| {
        let [one, other] = pair else {
            return None;
        };
        let is_next = other.range.start == one.range.end + 1;
        let is_after = is_code(other) && !is_code(one) && !other.follows_hyphen;
        let is_attribute = !is_after && !other.follows_hyphen;
        // The first word behind a label has a capital in any case: "Ticket: Adult day ticket".
        let is_common = (!one.is_name || one.follows_mark) && !other.is_name && !other.follows_mark;
        // Superlatives have too many words for the same.
        let is_common = is_common && !text::ends_as_superlative(&one.folded);
        let (word, kind) = if is_after { (other, one) } else { (one, other) };
        (is_next && (!is_attribute || is_common)).then_some(Label {
            word,
            kind,
            is_before: !is_after,
            is_attribute,
        })
    })
}

/// The words that a hyphen joins to the one after them.
pub(super) fn hyphenated(statement: &Statement) -> impl Iterator<Item = &ContentWord> {
    let labels = labels(statement).filter(|label| label.is_before && !label.is_attribute);
    labels.map(|label| label.word)
}

/// `true` for letters with digits, "R32": a name without may be the subject of what follows.
fn is_code(word: &ContentWord) -> bool {
    let has = |is_kind: fn(&u8) -> bool| word.folded.bytes().any(|byte| is_kind(&byte));
    has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

impl Label<'_> {
    /// `true` if a statement has a label for the kind that the claim has not, and nowhere this one.
    fn is_replaced_in(&self, statement: &Statement, claim: &Statement) -> bool {
        let is_instead = |other: Label<'_>| {
            let is_of_kind = other.is_before == self.is_before
                && other.is_attribute == self.is_attribute
                && other.kind.stem == self.kind.stem;
            is_of_kind && !has_word(&claim.words, other.word)
        };
        !has_word(&statement.words, self.word) && labels(statement).any(is_instead)
    }
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::tests::assert_supported;
    use crate::cite::{support, support_by};

    #[test]
    fn the_year_of_the_dateline_is_that_of_the_passage() {
        let news = "Published: 2016-08-25 00:00:00\n\nNew high school opens to 400 pupils.";
        for (claim, is_supported) in [
            (
                "The school opened in autumn 2016 with 400 new pupils.",
                true,
            ),
            (
                "The school opened in autumn 2014 with 400 new pupils.",
                false,
            ),
        ] {
            let support = support(claim, news);
            let is_accepted = support.verdict == Verdict::Supported;
            assert_eq!(is_accepted, is_supported, "{claim} {support:?}");
        }
    }

    #[test]
    fn a_line_behind_another_reading_is_not_of_this_one() {
        let object = "Object: digital thermometer with immersion probe, number T-1188";
        let readings = "At 36.00 °C the thermometer showed 36.3 °C. Correction: -0.3 °C.\n\
                        At 44.00 °C the thermometer showed 44.4 °C. Correction: -0.4 °C.";
        for (claim, is_supported) in [
            (
                "The correction of thermometer T-1188 at 44 °C is -0.3 °C.",
                false,
            ),
            (
                "The correction of thermometer T-1188 at 44 °C is -0.4 °C.",
                true,
            ),
            (
                "The correction of thermometer T-1188 at 36 °C is -0.3 °C.",
                true,
            ),
        ] {
            let support = support_by(claim, &[object, readings]);
            let is_accepted = support.verdict == Verdict::Supported;
            assert_eq!(is_accepted, is_supported, "{claim} {support:?}");
        }
    }

    #[test]
    fn rows_of_two_things_do_not_support_a_claim_together() {
        let rows = [
            "Name: Lena Fischer; Role: Librarian; Works since: 2021.",
            "Name: Omar Haddad; Role: Acquisitions; Works since: 2012.",
        ];
        let support = support_by("Lena Fischer has worked here since 2012.", &rows);
        assert_ne!(support.verdict, Verdict::Supported, "{support:?}");
        let support = support_by("Omar Haddad has worked here since 2012.", &rows);
        assert_eq!(support.verdict, Verdict::Supported, "{support:?}");
    }

    #[test]
    fn what_a_pronoun_says_may_be_said_of_what_the_claim_names() {
        for (claim, passage) in [
            (
                "Silver is an album from Nora Lind.",
                "It was the only Nora Lind album that sold. The album was made by Mark Bell, and \
                 was followed by the Silver tour.",
            ),
            (
                "Halden shops carry snacks.",
                "Halden shops are open at night. Beside newspapers and snacks, they carry food of \
                 all kinds.",
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, Verdict::Supported, "{claim} {support:?}");
        }
    }

    #[test]
    fn what_is_said_of_the_other_things_is_not_said_of_one() {
        let sites = "At Mill Road smoking is banned. The other sites have smoking areas.";
        let shops = "Die Filiale Nord hat sonntags Brot. Die anderen Filialen sind sonntags \
                     geschlossen.";
        assert_supported(&[
            ("Mill Road has a smoking area.", sites, false),
            ("The other sites have smoking areas.", sites, true),
            ("Die Filiale Nord ist sonntags geschlossen.", shops, false),
            ("Die Filiale Nord hat sonntags Brot.", shops, true),
        ]);
    }
}
