//! Amendments: documents that change another one, which they name by its title or by its number,
//! and their sentences that give a value of it anew: "The contract is extended to 30 June".

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::outcome::Match;
use super::sources::Source;
use crate::artifact::verification::Verdict;
use crate::cite;
use crate::text;

/// Words of the title of a document that changes another one; a closed list, written by hand.
const CHANGES: [&str; 6] = [
    "amendment",
    "addendum",
    "amending",
    "amends",
    "change",
    "changes",
];

/// The number of characters at the beginning of a document in which its number is.
const HEAD: usize = 400;

/// The least number of words by which a title names another document: "contract with Ann Lee".
const NAMING: usize = 2;

/// The least number of characters of a number of a document: "SB-2024-07".
const NUMBER: usize = 4;

/// Participles of a change to another value, and words before the end of a time; closed lists,
/// written by hand.
const CHANGED: [&str; 11] = [
    "changed",
    "extended",
    "increased",
    "limited",
    "lowered",
    "moved",
    "postponed",
    "prolonged",
    "raised",
    "reduced",
    "shortened",
];
const OF_TIME: [&str; 5] = ["extended", "moved", "postponed", "prolonged", "shortened"];
const ENDS: [&str; 8] = [
    "to", "until", "till", "end", "ends", "expire", "expires", "up",
];

/// `true` if a document by its title changes another one: "Amendment 2 to the cleaning contract",
/// "Amendment 1 to contract SB-2024-07" of the contract that has this number in its head.
pub(super) fn changes_document(own: &Source, other: &Source) -> bool {
    let (title, changed) = (folded(&other.title), folded(&own.title));
    if !CHANGES.iter().any(|word| title.contains(*word)) {
        return false;
    }
    let is_naming = |word: &&String| !text::is_stop_word(word) && !is_of_edition(word);
    let mut words = changed.iter().filter(is_naming).peekable();
    let is_whole = words.peek().is_some() && words.all(|word| title.contains(word));
    is_whole || has_number_of(own, &other.title) || names(&other.title, &changed)
}

/// `true` if all words behind "to" in a title are in that of another document.
fn names(title: &str, changed: &BTreeSet<String>) -> bool {
    let words = text::words(title).map(|word| text::fold(word.text));
    let mut behind = words.skip_while(|word| word != "to").skip(1);
    let behind: Vec<String> = behind
        .by_ref()
        .filter(|word| !text::is_stop_word(word) && !is_of_edition(word))
        .collect();
    behind.len() >= NAMING && behind.iter().all(|word| changed.contains(word))
}

/// `true` if a title has a number, with letters, that a document has at its beginning.
fn has_number_of(own: &Source, title: &str) -> bool {
    let head = text::truncate(&own.text, HEAD);
    let numbers = |text: &str| -> BTreeSet<String> {
        let words = text.split_whitespace();
        let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let is_number = |word: &&str| {
            // "SB-2024-07", "2019/412"
            let is_name = word.contains(char::is_alphabetic) || word.contains('/');
            word.len() >= NUMBER && is_number(word) && is_name
        };
        words.filter(is_number).map(text::fold).collect()
    };
    let own = &numbers(&own.title) | &numbers(head);
    !numbers(title).is_disjoint(&own)
}

fn is_number(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// Words by which the titles of two editions differ, beside numbers.
const EDITIONS: &str = "spring summer autumn fall winter january february march april may june \
                        july august september october november december";

/// `true` for a number, a month or a season.
pub(super) fn is_of_edition(word: &str) -> bool {
    is_number(word) || EDITIONS.split(' ').any(|own| own == word)
}

fn folded(text: &str) -> BTreeSet<String> {
    let words = text::words(text);
    words.map(|word| text::fold(word.text)).collect()
}

/// The sentence of a document that changes another one by which a value of what a claim is on is
/// another one than the claim says.
pub(super) fn change_of_value(claim: &str, own: &Source, other: &Rc<Source>) -> Option<Match> {
    if !changes_document(own, other) {
        return None;
    }
    sentence_of_change(claim, claim, other)
}

/// The sentence of a later document by which a value of what a claim is on is another one, whatever
/// else this document says of the old one. What the claim is on may be named by the line at a byte
/// that supports it, and by what is above that: "Closing levels".
pub(super) fn decided_value(
    claim: &str,
    (own, byte): (&Source, usize),
    other: &Rc<Source>,
) -> Option<Match> {
    let start = own.text.get(..byte)?.rfind('\n').map_or(0, |at| at + 1);
    let line = own.text[start..].lines().next().unwrap_or_default();
    let above = own.passages.at(byte).map(|own| own.context.join(" "));
    let named = [claim, line, &own.title, &above.unwrap_or_default()].join(" ");
    sentence_of_change(claim, &named, other)
}

/// The sentence of a document by which a day that a claim names does not stand any more:
/// "2024-12-15 cannot be held".
pub(super) fn given_up_date(claim: &str, other: &Rc<Source>) -> Option<Match> {
    let day = text::first_date(claim)?;
    let passages = other.passages.best(claim, PASSAGES).into_iter();
    let mut sentences =
        passages.flat_map(|passage| text::sentences(&other.text, passage.range.clone()));
    let gives_up = |range: &Range<usize>| {
        let words = &other.text[range.clone()];
        text::gives_up_plan(words) && text::names_day(words, &day)
    };
    other.matching(&sentences.find(gives_up)?)
}

/// The sentence of a document that changes what a claim is on, named by these words, to another
/// value.
fn sentence_of_change(claim: &str, named: &str, other: &Rc<Source>) -> Option<Match> {
    let passages = other.passages.best(claim, PASSAGES).into_iter();
    let mut sentences =
        passages.flat_map(|passage| text::sentences(&other.text, passage.range.clone()));
    let changes = |range: &Range<usize>| is_other_value(claim, named, &other.text[range.clone()]);
    let sentence = sentences.find(changes)?;
    other.matching(&sentence)
}

/// Words behind the number of a clause that is changed; a closed list, written by hand.
const AMENDED: [&str; 6] = [
    " is amended",
    " is changed",
    " is replaced",
    " is deleted",
    " is repealed",
    " now reads",
];

/// The sentence further below in a document that amends the clause with what supports a claim, and
/// does not say the claim itself: "Paragraph 5.3 is amended: within 24 hours."
pub(super) fn amended_below(claim: &str, own: &Rc<Source>, byte: usize) -> Option<Match> {
    let above = own.text.get(..byte)?.lines().rev().take(CLAUSE_LINES);
    let line = own.text[byte..].lines().next().unwrap_or_default();
    let mut lines = std::iter::once(line).chain(above);
    let number = lines.find_map(clause_number)?;
    let claimed = folded(claim);
    let clause = own.text[byte..].split("\n\n").next().unwrap_or_default();
    let clause = folded(clause);
    let amends = |range: &Range<usize>| {
        let words = &own.text[range.clone()];
        let named = AMENDED.iter().find_map(|amended| words.split_once(amended));
        let is_clause = named.is_some_and(|(before, _)| {
            let last = before.split_whitespace().next_back();
            last.is_some_and(|last| last.trim_matches(['§', '.', ')']) == number)
        });
        let said = folded(words);
        let shared = said.intersection(&claimed);
        let shared = shared.filter(|word| !is_number(word) && !text::is_stop_word(word));
        // A clause on floods and strikes is amended for strikes alone.
        let (claim_alone, said_alone) = (
            own_words(&clause, &claimed, &said),
            own_words(&clause, &said, &claimed),
        );
        let is_of_other = claim_alone && said_alone;
        let says_claim = || cite::support(claim, words).verdict == Verdict::Supported;
        is_clause && shared.count() >= NAMING && !is_of_other && !says_claim()
    };
    let sentences = text::sentences(&own.text, byte..own.text.len());
    own.matching(&sentences.into_iter().rfind(amends)?)
}

/// Words in brackets before what a consolidated text has instead of the clause above it.
const REPLACED: [&str; 4] = ["replaced", "substituted", "as replaced", "as substituted"];

/// The clause right below the one with what supports a claim that a consolidated text has in its
/// place, and that does not say the claim: "(2) [replaced by 2024/1377] …".
pub(super) fn replaced_below(claim: &str, own: &Rc<Source>, byte: usize) -> Option<Match> {
    let end = byte + own.text.get(byte..)?.find('\n')?;
    let (below, start) = (own.text.get(end + 1..)?.lines().next()?, end + 1);
    let (mark, words) = below.split_once(']')?;
    // The clause may have a number.
    let (number, mark) = mark.split_once('[')?;
    let is_numbered = number.chars().all(|c| !c.is_alphabetic());
    let is_replaced = REPLACED.iter().any(|word| mark.trim().starts_with(word));
    let claimed = folded(claim);
    let said = folded(words);
    let shared = said.intersection(&claimed);
    let shared = shared.filter(|word| !is_number(word) && !text::is_stop_word(word));
    let is_instead = is_numbered && is_replaced && shared.count() >= NAMING;
    let says_claim = || cite::support(claim, words).verdict == Verdict::Supported;
    let range = start..start + below.len();
    own.matching(&range).filter(|_| is_instead && !says_claim())
}

/// `true` if some words have one of a clause that means something and that others lack.
fn own_words(clause: &BTreeSet<String>, own: &BTreeSet<String>, others: &BTreeSet<String>) -> bool {
    let stems: BTreeSet<String> = others.iter().map(|word| text::stem(word)).collect();
    let mut alone = own.intersection(clause);
    alone.any(|word| {
        !text::is_stop_word(word) && !is_number(word) && !stems.contains(&text::stem(word))
    })
}

/// The number of lines above a sentence among which is the number of its clause. Chosen by hand.
const CLAUSE_LINES: usize = 12;

/// The number with which a clause begins: "5.3" of "5.3 A special inspection is made".
fn clause_number(line: &str) -> Option<&str> {
    let (first, rest) = line.trim_start().split_once(char::is_whitespace)?;
    let number = first.trim_matches(['§', '.', ')', '*', '#']);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let begins = rest.trim_start().starts_with(char::is_uppercase);
    (is_number && begins).then_some(number)
}

/// The number of passages of a document that are looked at. Chosen by hand.
const PASSAGES: usize = 3;

/// `true` if a sentence changes what a claim is on, named by these words, to another value than the
/// claim has.
fn is_other_value(claim: &str, named: &str, sentence: &str) -> bool {
    let words: Vec<text::Word<'_>> = text::words(sentence).collect();
    let folded: Vec<String> = words.iter().map(|word| text::fold(word.text)).collect();
    let is_change = |at: &usize| {
        let next = folded.get(at + 1).is_some_and(|word| word == "to");
        CHANGED.contains(&folded[*at].as_str()) && next
    };
    let Some(at) = (1..folded.len()).find(is_change) else {
        return false;
    };
    let claimed = text::folded(claim);
    let stems = |words: &[String]| -> BTreeSet<String> {
        words.iter().map(|word| text::stem(word)).collect()
    };
    let (named, of_claim) = (stems(&text::folded(named)), stems(&claimed));
    // "Decision: the fee is raised to 50 pounds."
    let label = sentence[..words[at].range.start].rfind(':').unwrap_or(0);
    let first = words.partition_point(|word| word.range.start < label);
    let (numbers, subject): (Vec<&String>, Vec<&String>) = folded[first..at]
        .iter()
        .filter(|word| !text::is_stop_word(word))
        .partition(|word| is_number(word));
    let subject: Vec<String> = subject.iter().map(|word| text::stem(word)).collect();
    let shared = subject.iter().filter(|word| of_claim.contains(*word));
    // A number is a name: "the closing level for B-088".
    let least = if numbers.is_empty() {
        NAMING.min(subject.len().max(1))
    } else {
        1
    };
    let is_on_claim = shared.count() >= least
        && numbers.iter().all(|word| named.contains(&text::stem(word)))
        && subject.iter().all(|word| named.contains(word));
    let is_of_time = OF_TIME.contains(&folded[at].as_str());
    let has_end = || claimed.iter().any(|word| ENDS.contains(&word.as_str()));
    let value = value_in(&sentence[words[at].range.end..]);
    is_on_claim && (!is_of_time || has_end()) && differs(claim, value)
}

/// The words behind a change up to those that say why: "to 60 °C, since 58 °C was too low".
fn value_in(words: &str) -> &str {
    const REASONS: [&str; 3] = [" because ", " since ", ", as "];
    let end = REASONS.iter().filter_map(|own| words.find(own)).min();
    &words[..end.unwrap_or(words.len())]
}

/// `true` if a claim has a quantity of the unit of a value, and none that equals it.
fn differs(claim: &str, value: &str) -> bool {
    let quantities = |text: &str| text::quantities(&cite::with_digits(text));
    let claimed = quantities(claim);
    let last = quantities(value).into_iter().next_back();
    last.is_some_and(|value| {
        let mut of_unit = claimed
            .iter()
            .filter(|own| own.unit == value.unit)
            .peekable();
        of_unit.peek().is_some() && of_unit.all(|own| own.value.total_cmp(&value.value).is_ne())
    })
}

/// The positions, among the sentences of a passage, of those that say how a part is changed: the
/// one before the sentence that names it, itself, and those behind it up to the next part.
pub(super) fn around(amending: usize, parts: &[bool], is_of_change: bool) -> Range<usize> {
    let behind = (amending + 1..parts.len()).find(|at| parts[*at]);
    let end = behind.unwrap_or(parts.len());
    let end = if is_of_change { end } else { amending + 1 };
    amending.saturating_sub(1)..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_value_is_that_of_the_thing_of_the_claim() {
        let contract = "The contract is extended to 30 June 2027.";
        for (claim, sentence, expected) in [
            ("The Holm contract runs to 30 June 2026.", contract, true),
            ("The Holm contract runs to 30 June 2027.", contract, false),
            ("The contract is dated 18 June 2024.", contract, false),
            ("The lease runs to 30 June 2026.", contract, false),
            (
                "The fee is 40 pounds.",
                "The fee is raised to 50 pounds, since 40 pounds was too little.",
                true,
            ),
            (
                "The fee is 40 pounds.",
                "The fee is raised to 50 pounds.",
                true,
            ),
            (
                "The fee is due in 30 days.",
                "The fee is raised to 50 pounds.",
                false,
            ),
        ] {
            assert_eq!(is_other_value(claim, claim, sentence), expected, "{claim}");
        }
    }
}
