//! Substitutions: a sentence that says what a claim says, but for one word, with another one in its
//! place. "Barbecues are prohibited in the courtyard" says nothing of the park.

use super::super::alignment::{Alignment, has_word};
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon::BE;
use super::super::statement::verb::is_carrier;
use super::super::statement::{ContentWord, Statement};
use super::stand_in;
use super::superlative;
use super::venue;

/// The largest number of content words of a claim, chosen by hand: a longer one that differs in one
/// word is mostly a paraphrase.
const SHORT: usize = 8;

/// The same for one of whose nouns only the word before it differs.
const SIMPLE: usize = 12;

/// Words beside a content word that make it no other: articles, and auxiliaries.
const FILLERS: &[&str] = &["a", "an", "the", "has", "have", "had", "will"];

/// Words with which the object of a verb begins.
const OBJECTS: &[&str] = &["a", "an", "the", "its", "their", "his", "her"];

/// Words right before a noun: what is beside a verb may be another way to say the same.
const BEFORE_NOUNS: &[&str] = &[
    "a", "an", "the", "my", "our", "your", "his", "her", "its", "their", "at", "by", "for", "from",
    "in", "into", "of", "on", "to", "with",
];

/// The doubt of a claim that has another word, another one of a kind or another place in the place
/// of that of a sentence, or what that says only of an absence.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    of_word(coverage, claim)
        .or_else(|| of_kind(coverage, claim))
        .or_else(|| venue::objection(coverage, claim))
        .or_else(|| stand_in::objection(coverage, claim))
}

/// The doubt of a claim on one of a kind, "the quality manager", all other words of which a
/// sentence says of another one, "the technical manager", where the first is named elsewhere.
fn of_kind(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    if claim.words.len() + claim.figures.len() > SIMPLE {
        return None;
    }
    let word = pairs(claim).find_map(|[word, kind]| {
        let is_of_kind = |pair: &[&ContentWord; 2]| pair[1].stem == kind.stem;
        let is_instead = |own: &Statement| {
            let mut kinds = pairs(own).filter(is_of_kind);
            kinds.any(|[other, _]| {
                let is_same = share_attribute((claim, word), (own, other));
                !has_word(&claim.words, other) && !is_same
            })
        };
        let says_rest = |own: &Statement| {
            let mut rest = claim.words.iter().filter(|one| one.stem != word.stem);
            rest.all(|one| one.is_light() || has_word(&own.words, one))
        };
        let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
        let is_of_other =
            chosen.any(|own| !has_word(&own.words, word) && is_instead(own) && says_rest(own));
        let mut sentences = coverage.sentences();
        let is_named = sentences.any(|own| {
            let mut kinds = pairs(own).filter(is_of_kind);
            kinds.any(|[own, _]| own.stem == word.stem)
        });
        (is_of_other && is_named).then_some(word)
    })?;
    Some(Objection::doubt(Difference::Binding(word.folded.clone())))
}

/// `true` if the same word stands right before two others: "private employee unions" are no other
/// kind than "private sector unions".
fn share_attribute(
    (claim, word): (&Statement, &ContentWord),
    (own, other): (&Statement, &ContentWord),
) -> bool {
    let attribute = |statement: &Statement, word: &ContentWord| {
        let mut pairs = pairs(statement);
        let pair = pairs.find(|pair| pair[1].range == word.range)?;
        Some(pair[0].stem.clone())
    };
    let attributes = (attribute(claim, word), attribute(own, other));
    attributes.0.is_some() && attributes.0 == attributes.1
}

/// The words right before another one, with that: "quality" and "manager".
fn pairs(statement: &Statement) -> impl Iterator<Item = [&ContentWord; 2]> {
    statement.words.windows(2).filter_map(|pair| {
        let [word, kind] = pair else {
            return None;
        };
        let is_next = word.range.end + 1 == kind.range.start;
        (is_next && !word.is_name && !kind.is_name).then_some([word, kind])
    })
}

/// The doubt of a short claim of which the sources lack a single word, if a sentence has another
/// one in the place of that: behind the same word and preposition, or before the same word.
fn of_word(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    if claim.words.len() > SHORT {
        return None;
    }
    let is_said = |word: &ContentWord| {
        let mut sentences = coverage.sentences();
        word.is_light() || sentences.any(|own| has_word(&own.words, word))
    };
    let mut missing = (0..claim.words.len()).filter(|at| !is_said(&claim.words[*at]));
    let (index, None) = (missing.next()?, missing.next()) else {
        return None;
    };
    let word = &claim.words[index];
    let rest = [&claim.words[..index], &claim.words[index + 1..]].concat();
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let has_another = chosen.any(|own| {
        let says = |word: &ContentWord| word.is_light() || has_word(&own.words, word);
        rest.iter().all(says)
            && is_replaced(&Alignment::of(claim, own), index)
            && !superlative::is_extreme(claim, word, own)
    });
    let is_judged = is_noun(claim, word) || is_deed(claim, index);
    (is_judged && has_another).then(|| Objection::doubt(Difference::Word(word.folded.clone())))
}

/// `true` if a word stands where a verb does between its subject, right before it, and its object:
/// "walls absorb the sound"; not for a verb that carries what the words beside it say.
fn is_deed(statement: &Statement, index: usize) -> bool {
    let word = &statement.words[index];
    let before = index.checked_sub(1).map(|before| &statement.words[before]);
    let follows_subject = before.is_some_and(|own| own.position + 1 == word.position);
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let after = tokens.get(word.position + 1);
    let has_object = after.is_some_and(|after| OBJECTS.contains(after));
    follows_subject
        && has_object
        && !word.follows_mark
        && !word.is_name
        && !is_carrier(&word.folded)
}

/// `true` if an article or a preposition stands right before a word.
fn is_noun(statement: &Statement, word: &ContentWord) -> bool {
    let before = word.position.checked_sub(1);
    let before = before.and_then(|before| statement.normal.split(' ').nth(before));
    before.is_some_and(|before| BEFORE_NOUNS.contains(&before))
}

/// `true` if a sentence has a word that the claim lacks where the claim has the word of an index.
fn is_replaced(there: &Alignment<'_>, index: usize) -> bool {
    let (claim, own) = (there.one, there.other);
    let place_of = |index: usize| {
        let mut pairs = there.pairs();
        pairs.find(|(one, _)| *one == index).map(|pair| pair.1)
    };
    let is_other = |at: usize| {
        let other = &own.words[at];
        !has_word(&claim.words, other) && other.is_name == claim.words[index].is_name
    };
    let before = || {
        let before = index.checked_sub(1)?;
        let at = place_of(before)?;
        let is_same = gap(claim, before)? == gap(own, at)?;
        Some(is_same && is_other(at + 1))
    };
    let after = || {
        let at = place_of(index + 1)?.checked_sub(1)?;
        let is_same = gap(claim, index)? == gap(own, at)?;
        Some(is_same && is_other(at))
    };
    before().unwrap_or(false) || after().unwrap_or(false)
}

/// The words between a content word and the next one that say how they belong together; `None` if a
/// mark is between them, or there is no next one.
fn gap(statement: &Statement, index: usize) -> Option<Vec<&str>> {
    let (word, next) = (statement.words.get(index)?, statement.words.get(index + 1)?);
    let between = statement.normal.split(' ').take(next.position);
    let between = between.skip(word.position + 1);
    let words = between.filter(|own| !FILLERS.contains(own) && !BE.contains(own));
    (!next.follows_mark).then(|| words.collect())
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_one_of_a_kind_does_is_not_done_by_another() {
        let rule = "Results are released by the technical manager, and in her absence by the \
                    laboratory head. The quality manager decides in cases of doubt.";
        assert_supported(&[
            ("Results are released by the quality manager.", rule, false),
            ("The quality manager releases results.", rule, false),
            (
                "The technical manager decides in cases of doubt.",
                rule,
                false,
            ),
            ("Results are released by the technical manager.", rule, true),
            ("The quality manager decides in cases of doubt.", rule, true),
        ]);
    }

    #[test]
    fn two_nouns_with_one_attribute_are_of_one_kind() {
        let law = "The law applies to public and private sector unions. An older law applied to \
                   government employee unions.";
        assert_supported(&[
            (
                "The law applies to private employee unions as well as public.",
                law,
                true,
            ),
            (
                "The older law applied to government employee unions.",
                law,
                true,
            ),
        ]);
    }

    #[test]
    fn another_word_in_the_place_of_the_only_one_that_is_missing_is_not_said() {
        let courtyard = "Barbecues and open fires are prohibited in the courtyard, including on \
                         the terraces of the ground-floor flats.";
        let bath = "The steam bath has been open again since 1 June.";
        assert_supported(&[
            ("Barbecues are prohibited in the park.", courtyard, false),
            (
                "Barbecues are prohibited in the courtyard.",
                courtyard,
                true,
            ),
            ("The sauna has been open again since 1 June.", bath, false),
            (
                "The sauna closes on 1 June.",
                "The steam bath closes on 1 June.",
                false,
            ),
            ("The steam bath has been open since 1 June.", bath, true),
            (
                "The pump is installed in the cellar.",
                "The pump is installed in the garden shed behind the house.",
                false,
            ),
            (
                "The pump is installed in the old cellar.",
                "The pump is installed in the cellar.",
                true,
            ),
        ]);
    }
}
