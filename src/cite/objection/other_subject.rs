//! Another subject: the words of a claim may all be in its source, and yet be said of something
//! else. "The kiln was bought" is not what "The kiln was rebuilt; the wheel was bought" says, nor
//! "The bakery was sold" what "The oven of the bakery was sold" does, nor "Students pay half" what
//! "Students from the college pay half" does.

use std::ops::Range;

use super::super::alignment::{SAME_WORD, has_word, similarity};
use super::super::coverage::Coverage;
use super::super::restatement::Difference;
use super::super::statement::Statement;
use super::super::statement::subject::{Subject, is_passive, predicate_of};
use super::super::statement::verb::is_past_auxiliary;
use super::necessity::is_of_necessity;

/// The largest number of words and numbers of a claim that is judged, chosen by hand: longer ones
/// join what several clauses say.
const SHORT: usize = 9;

/// The same for a claim of which only the name of its subject is judged.
const LONG: usize = 14;

/// Words of what is possible.
const POSSIBLE: &[&str] = &["can", "could", "might"];

/// What a clause says of something else than a short claim does. `clauses` are the numbers of the
/// sentences of the clauses.
pub(super) fn difference(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
    clauses: &[(usize, usize)],
) -> Option<Difference> {
    if items.len() > LONG || claim.is_question {
        return None;
    }
    let claimed = Subject::of(claim)?;
    let predicate = predicate_of(claim)?;
    // That something is needless is said in several words: "not required", "not necessary".
    if claim.negations > 0 && is_of_necessity(&predicate.folded) {
        return None;
    }
    let chosen = coverage.chosen().iter().copied();
    let is_judged = |at: &usize| {
        let own = coverage.sentence(*at);
        let mut words = own.words.iter();
        let same = words.find(|word| similarity(predicate, word) >= SAME_WORD);
        !own.is_record
            && !own.is_question
            && same.is_some_and(|same| is_passive(own, same) == is_passive(claim, predicate))
    };
    let mut judged = chosen.filter(is_judged);
    judged.find_map(|at| {
        let own = Subject::of_verb(coverage.sentence(at), predicate)?;
        // Another of the same kind may have a sentence of its own: "Sample C … Sample D …"
        let heads = claimed.head().zip(own.head());
        let is_pair = claimed.words.len().max(own.words.len()) <= 2;
        let is_of_kind = heads.is_some_and(|(one, other)| {
            similarity(&claimed.words[one], &own.words[other]) >= SAME_WORD
        }) || is_pair && own.words.iter().any(|word| claimed.has_word(word));
        let is_beside = |beside: &usize| {
            let [one, other] = [clauses.get(*beside), clauses.get(at)];
            let is_of_passage = one.map(|own| own.0) == other.map(|own| own.0);
            *beside != at && (one == other || is_of_kind && is_of_passage)
        };
        // Of a long passage, not all clauses are read.
        let read = clauses.len().min(coverage.sentences().count());
        let others = (0..read).filter(is_beside);
        let beside = others.filter_map(|at| Subject::of(coverage.sentence(at)));
        // "The one costs 2 euros and the other one 3" is of both.
        let is_of_both = own.missing_in(&Subject::whole(claim)).is_none();
        if items.len() > SHORT {
            return of_another_name(&claimed, &own);
        }
        let about = (0..read).filter(|beside| *beside != at);
        let about = about.filter_map(|at| Subject::of(coverage.sentence(at)));
        of_another_name(&claimed, &own)
            .or_else(|| {
                let is_said_to_be = predicate.follows_be;
                of_another_kind(&claimed, &own, about).filter(|_| is_said_to_be)
            })
            .or_else(|| of_another(&claimed, &own, &beside.collect::<Vec<_>>()))
            .filter(|_| !is_of_both)
            .or_else(|| of_a_part(&claimed, &own))
            .or_else(|| of_a_share(&claimed, &own))
            .or_else(|| of_some(claim, &claimed, &own))
    })
}

/// Somebody else: "Petra Lang deputises for Ann" for "Lukas Brandt deputises for Ann".
fn of_another_name(claimed: &Subject<'_>, own: &Subject<'_>) -> Option<Difference> {
    let (name, other) = (&claimed.words[claimed.head()?], &own.words[own.head()?]);
    let is_other = name.is_name && other.is_name && !name.is_month() && !other.is_month();
    let shares = claimed.words.iter().any(|word| has_word(own.words, word));
    (is_other && !shares).then(|| Difference::Binding(name.folded.clone()))
}

/// Another subject, where that of the claim is the one of a clause beside it.
fn of_another(
    claimed: &Subject<'_>,
    own: &Subject<'_>,
    beside: &[Subject<'_>],
) -> Option<Difference> {
    let missing = claimed.missing_in(own)?;
    claimed.head().and(own.head())?;
    own.missing_in(claimed)?;
    let is_named = |other: &Subject<'_>| {
        let mut words = claimed.words.iter().filter(|word| !own.has_word(word));
        let mut numbers = claimed.numbers.iter();
        words.any(|word| has_word(other.words, word))
            || numbers.any(|number| {
                let has = |own: &Subject<'_>| own.numbers.iter().any(|one| one.equals(number));
                has(other) && !has(own)
            })
    };
    beside
        .iter()
        .any(is_named)
        .then_some(Difference::Binding(missing))
}

/// Another thing that the clause names for the first time, without "the" or "this", where that of
/// the claim is the subject of another clause: "Smoking is forbidden" beside "Barbecues are allowed
/// in the yard" says nothing of barbecues.
fn of_another_kind<'a>(
    claimed: &Subject<'_>,
    own: &Subject<'_>,
    mut about: impl Iterator<Item = Subject<'a>>,
) -> Option<Difference> {
    let (name, other) = (&claimed.words[claimed.head()?], &own.words[own.head()?]);
    let is_new = other.position == 0 && !other.is_name && own.tokens.len() == 1;
    let shares = own.words.iter().any(|word| claimed.has_word(word));
    let is_head = |one: &Subject<'_>| {
        let head = one.head().map(|at| &one.words[at]);
        head.is_some_and(|head| similarity(name, head) >= SAME_WORD)
    };
    let is_of_another = is_new && !shares && about.any(|one| is_head(&one));
    is_of_another.then(|| Difference::Binding(name.folded.clone()))
}

/// The whole, where the clause speaks of a part of it, or of what belongs to it.
fn of_a_part(claimed: &Subject<'_>, own: &Subject<'_>) -> Option<Difference> {
    let (whole, part) = (&claimed.words[claimed.head()?], &own.words[own.head()?]);
    let at = own
        .words
        .iter()
        .position(|word| similarity(whole, word) >= SAME_WORD)?;
    let word = &own.words[at];
    let is_owner = word.folded.ends_with("'s") || word.folded.ends_with("s'");
    let is_behind_of = own.tokens[..word.position.min(own.tokens.len())].contains(&"of");
    let is_of = is_behind_of && part.position < word.position;
    let is_whole = similarity(whole, part) >= SAME_WORD;
    let is_part = (is_owner || is_of) && !is_whole && !has_word(claimed.words, part);
    is_part.then(|| Difference::Restriction(own.tokens.join(" ")))
}

/// Words before "of" for a share that is not the whole.
const SHARES: &[&str] = &["few", "half", "most", "one", "part", "several", "some"];

/// The whole, where the clause speaks of a share of it: "half of the windows", "two of the five".
fn of_a_share(claimed: &Subject<'_>, own: &Subject<'_>) -> Option<Difference> {
    // "Members left" is so if half of them did.
    let kind = claimed.head().filter(|at| !claimed.is_generic(*at))?;
    let (whole, head) = (&claimed.words[kind], &own.words[own.head()?]);
    let is_share = |token: &str| {
        let is_number = token.starts_with(|c: char| c.is_ascii_digit());
        is_number || token == "%" || SHARES.contains(&token)
    };
    let is_partitive = |subject: &Subject<'_>| {
        let mut pairs = subject.tokens.windows(2);
        pairs.any(|pair| is_share(pair[0]) && pair[1] == "of")
    };
    let has_number = !claimed.numbers.is_empty() || claimed.tokens.iter().any(|own| is_share(own));
    let is_share_alone = is_partitive(own) && !has_number && similarity(whole, head) >= SAME_WORD;
    is_share_alone.then(|| Difference::Restriction(own.tokens.join(" ")))
}

/// All of a kind, where the clause speaks of some: of those from somewhere, of a number of them.
fn of_some(claim: &Statement, claimed: &Subject<'_>, own: &Subject<'_>) -> Option<Difference> {
    let (kind, head) = (claimed.head()?, own.head()?);
    let is_same = similarity(&claimed.words[kind], &own.words[head]) >= SAME_WORD;
    // "Heat pumps can work in old houses" is true if some can.
    let is_possible = claim
        .normal
        .split(' ')
        .any(|token| POSSIBLE.contains(&token));
    if !is_same || is_possible || !claimed.is_generic(kind) || begins_with_heading(own) {
        return None;
    }
    let is_past = claim.normal.split(' ').any(is_past_auxiliary)
        || predicate_of(claim).is_some_and(|word| word.folded.ends_with("ed"));
    // "Dogs bit three people" is true if some did; "two of the five did" is not of all.
    let is_restricted = if is_past {
        own.tokens.contains(&"of") && own.numbers.len() > claimed.numbers.len()
    } else {
        own.missing_in(claimed).is_some()
    };
    is_restricted.then(|| Difference::Restriction(own.tokens.join(" ")))
}

/// Words for the parts of a document in their headings; a closed list, written by hand.
const PARTS: &[&str] = &[
    "annex",
    "article",
    "chapter",
    "clause",
    "paragraph",
    "part",
    "section",
];

/// `true` for a subject behind the heading of its part of the document: "section 5 payment
/// invoices" restricts no invoices.
fn begins_with_heading(own: &Subject<'_>) -> bool {
    let is_number = |token: &str| token.starts_with(|c: char| c.is_ascii_digit());
    matches!(own.tokens.as_slice(), [part, number, ..] if PARTS.contains(part) && is_number(number))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn the_heading_of_a_section_restricts_nothing() {
        let payment = "Section 5 - Payment Invoices have to be paid within 21 days of receipt.";
        let claim = "Invoices have to be paid within three weeks.";
        assert_supported(&[
            (claim, payment, true),
            (
                "Invoices have to be paid within four weeks.",
                payment,
                false,
            ),
        ]);
    }

    #[test]
    fn what_is_said_of_another_subject_is_not_supported() {
        let deputy = "Excused: Petra Lang, Ann Demir (leave from 1 July 2026). Lukas Brandt \
                      deputises for Ann Demir from 1 July 2026 to 31 January 2027.";
        let kiln = "The kiln was rebuilt last year; the potter's wheel was bought in 2015.";
        let version = "Version 2 was withdrawn in May; version 3 is available.";
        let vicar = "The vicar thanked the donors, and a firm from Leeds repaired the organ.";
        assert_supported(&[
            (
                "Petra Lang deputises for Ann Demir from 1 July 2026.",
                deputy,
                false,
            ),
            (
                "Petra Lang deputises for Ann Demir from 1 July 2026 to 31 January 2027.",
                deputy,
                false,
            ),
            (
                "Lukas Brandt deputises for Ann Demir from 1 July 2026.",
                deputy,
                true,
            ),
            ("The kiln was bought in 2015.", kiln, false),
            ("The potter's wheel was bought in 2015.", kiln, true),
            ("The kiln was rebuilt last year.", kiln, true),
            ("Version 2 is available.", version, false),
            ("Version 3 is available.", version, true),
            ("The vicar repaired the organ.", vicar, false),
            ("A firm from Leeds repaired the organ.", vicar, true),
            (
                "The boathouse was repainted in May.",
                "In May the members repainted the boathouse, while the jetty was left.",
                true,
            ),
            (
                "The library was extended in 2005.",
                "The library opened in 1990, and was extended in 2005.",
                true,
            ),
        ]);
    }

    #[test]
    fn a_passage_of_many_clauses_is_read_to_its_limit() {
        let passage =
            "The grey bin is emptied on Mondays; the green bin stands there. ".repeat(400);
        assert_supported(&[
            ("The green bin is emptied on Mondays.", &passage, false),
            ("The grey bin is emptied on Mondays.", &passage, true),
        ]);
    }

    #[test]
    fn what_is_said_of_a_part_is_not_said_of_the_whole() {
        assert_supported(&[
            (
                "The tractor was replaced.",
                "The tractor's gearbox was replaced in February.",
                false,
            ),
            (
                "The bakery was sold.",
                "The oven of the bakery was sold to a dealer.",
                false,
            ),
            (
                "The oven was sold to a dealer.",
                "The oven of the bakery was sold to a dealer.",
                true,
            ),
            (
                "The pump was replaced.",
                "The pump in the cellar was replaced.",
                true,
            ),
        ]);
    }

    #[test]
    fn what_is_said_of_some_is_not_said_of_all() {
        assert_supported(&[
            (
                "Students pay half price.",
                "Students from the town's own college pay half price.",
                false,
            ),
            (
                "Dogs are welcome at the campsite.",
                "Guide dogs are welcome at the campsite.",
                false,
            ),
            (
                "Metals dissolved in the acid.",
                "Two of the five metals dissolved in the acid.",
                false,
            ),
            (
                "Students from the college pay half price.",
                "Students from the college pay half price.",
                true,
            ),
            (
                "The students pay half price.",
                "The students pay half price on Mondays.",
                true,
            ),
        ]);
    }

    #[test]
    fn what_is_said_of_another_kind_is_not_said_of_that_of_a_clause_beside() {
        let house = "Clause 9 governs the use of the cellar. Barbecues are allowed in the yard. \
                     Smoking is forbidden on the stairs.";
        assert_supported(&[
            ("Barbecues are forbidden under clause 9.", house, false),
            ("Smoking is forbidden on the stairs.", house, true),
            (
                "Subletting is forbidden under clause 9.",
                "Clause 9. Subletting is forbidden. Clause 10. Pets are welcome.",
                true,
            ),
        ]);
    }

    #[test]
    fn what_is_said_of_a_share_is_not_said_of_the_whole() {
        let boilers = "Two of the five boilers were replaced in May.";
        assert_supported(&[
            ("The boilers were replaced.", boilers, false),
            ("Two of the boilers were replaced.", boilers, true),
        ]);
    }
}
