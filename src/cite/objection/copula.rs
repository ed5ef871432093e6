//! Copulas: what a short claim says somebody to be, "Ann Berg is the treasurer". The words alone do
//! not show it: a list of names has the name, and another line the office.

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon::BE;
use super::super::statement::{ContentWord, Statement};
use super::scope;

/// The words between a form of "be" and the office that it gives to somebody.
const DETERMINERS: &[&str] = &["the", "a", "an", "its", "their", "our"];

/// The objection to a claim that somebody is something: no sentence says that of anybody, or those
/// that do say it of others.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    if let Some(word) = other_complement(coverage, claim) {
        return Some(Objection::doubt(Difference::Binding(word)));
    }
    let (names, office) = parts(claim)?;
    let saying: Vec<&Statement> = coverage
        .sentences()
        .filter(|own| has_word(&own.words, office))
        .collect();
    if saying.is_empty() {
        return Some(Objection::doubt(Difference::Word(office.folded.clone())));
    }
    let is_name = |own: &ContentWord| own.is_name && !own.is_month();
    let is_of_others = saying.iter().all(|own| {
        // One without a name may go on about the name in a sentence before it.
        let mut words = own.words.iter().filter(|own| is_name(own));
        let is_of_another = words.any(|own| !has_word(&claim.words, own));
        is_of_another && !names.iter().any(|name| has_word(&own.words, name))
    });
    let difference = Difference::Binding(office.folded.clone());
    is_of_others.then(|| Objection::doubt(difference))
}

/// `true` if a sentence says of the subject of a claim, and perhaps of others, another word in the
/// place of one behind a form of "be", and nothing else: "Brenta and Monte are susceptible" for
/// "Brenta is resistant to rust".
pub(super) fn are_of_one_subject(
    (claim, word): (&Statement, &ContentWord),
    (own, other): (&Statement, &ContentWord),
) -> bool {
    let behind = claim.normal.split(' ').nth(word.position + 1);
    let is_last = own.words.last() == Some(other) && own.figures.is_empty();
    let is_before = |word: &&ContentWord, end: &ContentWord| word.position < end.position;
    let subject = claim.words.iter().filter(|own| is_before(own, word));
    let mut subject = subject.filter(|own| !own.is_light()).peekable();
    let are_predicates = word.follows_be && other.follows_be;
    are_predicates
        && is_last
        && behind.is_none_or(|behind| behind == "to")
        && subject.peek().is_some()
        && subject.all(|word| has_word(&own.words, word))
}

/// What a claim says its subject to be, where a sentence says the same subject to be something
/// else: "The manager is Tom" for "The manager is Ann, who took over from Tom".
fn other_complement(coverage: &Coverage<'_>, claim: &Statement) -> Option<String> {
    let (subject, complement) = sides(claim)?;
    // "Tom was the first chair" is "the first chair was Tom".
    of_same(coverage, subject, complement)
        .or_else(|| of_same(coverage, complement, subject))
        .or_else(|| of_another_holder(coverage, subject, complement))
        .or_else(|| of_another_holder(coverage, complement, subject))
}

/// Titles between an office and the name of who holds it.
const TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof", "professor", "sir"];

/// The last word of an office, if a claim gives it to a name, and each sentence that has the office
/// has somebody else's name right behind it: "Our new treasurer Jonas Weber followed Ann Lind".
fn of_another_holder(
    coverage: &Coverage<'_>,
    office: &[ContentWord],
    name: &[ContentWord],
) -> Option<String> {
    let is_name = |word: &ContentWord| word.is_name && !word.is_month();
    let last = office.last().filter(|_| !office.iter().any(is_name))?;
    // The first word of a sentence has a capital whatever it is.
    let are_names = name.iter().all(|word| is_name(word) || word.position == 0);
    if !are_names || !name.iter().any(is_name) {
        return None;
    }
    let has_office = |own: &&Statement| office.iter().all(|word| has_word(&own.words, word));
    let mut saying = coverage.sentences().filter(has_office).peekable();
    saying.peek()?;
    let is_of_another = saying.all(|own| {
        own.words.windows(2).any(|pair| {
            let is_behind = pair[0].position + 1 == pair[1].position && !pair[1].follows_mark;
            has_word(&pair[..1], last)
                && is_behind
                && is_name(&pair[1])
                && !TITLES.contains(&pair[1].folded.as_str())
                && !has_word(name, &pair[1])
        })
    });
    is_of_another.then(|| last.folded.clone())
}

/// The first word of a complement, if all sentences on a subject say something else in its place.
fn of_same(
    coverage: &Coverage<'_>,
    subject: &[ContentWord],
    complement: &[ContentWord],
) -> Option<String> {
    let mut verdicts = coverage.sentences().filter_map(|own| {
        let (other_subject, other) = sides(own)?;
        let is_same = subject.iter().all(|word| has_word(other_subject, word));
        // All of it has to be said somewhere, as of something else.
        let is_comparable = complement.iter().all(|word| has_word(&own.words, word));
        let is_kind =
            complement.iter().any(|word| word.is_name) == other.iter().any(|word| word.is_name);
        let is_other = !complement.iter().any(|word| has_word(other, word));
        // What stands before the verb too is said of whatever the rest is.
        let is_apart = !complement.iter().all(|word| has_word(other_subject, word));
        let is_one = !is_list(own, other);
        (is_same && is_comparable && is_kind && is_apart && is_one).then_some(is_other)
    });
    let first = verdicts.next()?;
    let is_other = first && verdicts.all(|is_other| is_other);
    is_other.then(|| complement[0].folded.clone())
}

/// `true` if a complement is the first of several: "California, Georgia and New Jersey".
fn is_list(statement: &Statement, complement: &[ContentWord]) -> bool {
    let Some(last) = complement.last() else {
        return false;
    };
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let behind = statement
        .words
        .iter()
        .filter(|own| own.position > last.position);
    let mut at = last.position;
    for word in behind {
        if tokens
            .get(at + 1..word.position)
            .is_some_and(|own| own == ["and"])
        {
            return true;
        }
        if word.position != at + 1 {
            return false;
        }
        at = word.position;
    }
    false
}

/// The subject and the complement of a statement with "is the" or "is" before a name: the words
/// before the verb, and those in a row behind it.
fn sides(statement: &Statement) -> Option<(&[ContentWord], &[ContentWord])> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let verb = tokens.iter().position(|token| BE.contains(token))?;
    let middle = statement.words.partition_point(|word| word.position < verb);
    let (subject, rest) = statement.words.split_at(middle);
    let first = rest.first()?;
    let has_article = tokens
        .get(verb + 1)
        .is_some_and(|token| DETERMINERS.contains(token));
    let is_next = first.position == verb + 1 + usize::from(has_article);
    // "The largest expense was rent": there is one such thing.
    let is_only = subject
        .iter()
        .any(|word| scope::is_superlative(statement, word));
    let is_named = has_article || first.is_name || is_only;
    if subject.is_empty() || !is_next || !is_named || statement.negations > 0 {
        return None;
    }
    let in_row = rest
        .windows(2)
        .take_while(|pair| pair[0].position + 1 == pair[1].position && !pair[1].follows_mark);
    Some((subject, &rest[..=in_row.count()]))
}

/// The names of a claim that begins with them, and the office that it gives to them: the last word
/// in a row behind "is the".
fn parts(claim: &Statement) -> Option<(&[ContentWord], &ContentWord)> {
    let tokens: Vec<&str> = claim.normal.split(' ').collect();
    let verb = tokens.iter().position(|token| BE.contains(token))?;
    let middle = claim.words.partition_point(|word| word.position < verb);
    let (names, rest) = claim.words.split_at(middle);
    // The first word has a capital in any case.
    let are_names = names.len() == verb && names.iter().skip(1).all(|word| word.is_name);
    let has_name = names.iter().any(|word| word.is_name);
    let is_office = tokens
        .get(verb + 1)
        .is_some_and(|token| DETERMINERS.contains(token));
    if !are_names || !has_name || !is_office || claim.negations > 0 {
        return None;
    }
    let in_row = rest.iter().zip(verb + 2..);
    let office = in_row.take_while(|(word, position)| word.position == *position && !word.is_name);
    Some((names, office.last()?.0))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    const MINUTES: &str = "Present: Ruth Adler (chair), Martin Kessler, Tomasz Wilk (treasurer)\n\
                           Apologies: Gwen Ashby.\n\nThe board appointed Paula Reyes as head \
                           lifeguard. She is the author of the swimming plan.";

    #[test]
    fn an_office_is_of_those_who_have_it() {
        assert_supported(&[
            ("Gwen Ashby is the treasurer.", MINUTES, false),
            ("Martin Kessler is the treasurer.", MINUTES, false),
            ("Tomasz Wilk is the treasurer.", MINUTES, true),
            ("Ruth Adler is the chair.", MINUTES, true),
            ("Paula Reyes is the chair of the board.", MINUTES, false),
            (
                "Paula Reyes is the treasurer.",
                "The board appointed Paula Reyes.",
                false,
            ),
            (
                "Paula Reyes is the author of the swimming plan.",
                MINUTES,
                true,
            ),
        ]);
    }

    #[test]
    fn a_subject_is_what_its_own_sentence_says() {
        let staff = "The workshop manager is Priya Nair; she took over from Tom Eldridge.";
        let cook = "Our new cook Jonas Weber followed Ann Lind, who retired in May.";
        let repairs = "The most frequent repair was the puncture (1,140 cases), followed by the \
                       brakes (805).";
        assert_supported(&[
            ("The workshop manager is Priya Nair.", staff, true),
            ("The workshop manager is Tom Eldridge.", staff, false),
            ("The most frequent repair was the puncture.", repairs, true),
            ("The most frequent repair was the brakes.", repairs, false),
            (
                "The largest expense was wages.",
                "The largest expense was rent, at 132,000 euros, followed by wages.",
                false,
            ),
            ("The test was loud.", "The test was long, and loud.", true),
            ("Priya Nair is the workshop manager.", staff, true),
            ("Tom Eldridge is the workshop manager.", staff, false),
            ("Our new cook is Ann Lind.", cook, false),
            ("Our new cook is Jonas Weber.", cook, true),
            (
                "The director is Anna Berg.",
                "The director Dr Anna Berg opened the hall.",
                true,
            ),
        ]);
    }

    #[test]
    fn one_of_a_list_is_what_the_list_is_said_of() {
        let districts = "The top four districts of the county in apple growing are Arle, South \
                         Halden, Lowe and Marsh. South Halden followed, growing 400 tonnes.";
        let albums = "Next album Night Song River Song is the fourth studio album by the singer \
                      Nora Lind.";
        assert_supported(&[
            (
                "South Halden is a top apple-growing district of the county.",
                districts,
                true,
            ),
            ("River Song is an album by Nora Lind.", albums, true),
        ]);
    }
}
