//! Venues: where something is done. "Everybody gathers on the sports field" says nothing of the car
//! park, though the sentence behind it names that.

use super::super::alignment::{Alignment, SAME_WORD, has_word, similarity};
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::verb::is_past_form;
use super::super::statement::{ContentWord, Statement};
use crate::text;

/// The largest number of words and numbers of a claim that is judged, chosen by hand: longer ones
/// join what several sentences say.
const SIMPLE: usize = 12;

/// The least number of words that a sentence shares with a claim, its verb included.
const SHARED: usize = 3;

/// Prepositions of places, and of who does something.
const PLACES: &[&str] = &[
    "in", "on", "at", "by", "behind", "beside", "near", "under", "inside", "outside", "to", "into",
    "onto",
];

/// The largest number of words between a verb and "from", as in "build the new storage from".
const OBJECT: usize = 4;

/// Words before a noun that say which one it is: a word right behind one is no verb.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "its", "their", "his", "her", "our", "my", "your", "this", "that", "these",
    "those", "of", "in", "on", "at", "for", "with",
];

/// Words of times, which are no places; a closed list, written by hand.
const TIMES: &[&str] = &[
    "day",
    "days",
    "morning",
    "afternoon",
    "evening",
    "night",
    "week",
    "weeks",
    "weekend",
    "month",
    "months",
    "year",
    "years",
    "spring",
    "summer",
    "autumn",
    "winter",
    "time",
    "times",
    "advance",
    "future",
    "past",
    "beginning",
    "end",
];

/// Verbs for where a thing is; a closed list, written by hand.
const LOCATED: &[&str] = &["based", "lies", "located", "situated"];

/// The words of the place or of the source that a statement has to a verb.
type Phrase = for<'a> fn(&'a Statement, &ContentWord) -> Option<&'a [ContentWord]>;

/// The doubt of a claim that has something done in a place, or made from something, of which a
/// sentence with its verb and other words of it names another one, and not this one.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    if claim.words.len() + claim.figures.len() > SIMPLE || claim.negations > 0 {
        return None;
    }
    differing(coverage, claim, venue, SHARED).or_else(|| {
        // Its verb and its object: "the storage is built from".
        differing(coverage, claim, source, SHARED - 1)
    })
}

fn differing(
    coverage: &Coverage<'_>,
    claim: &Statement,
    phrase: Phrase,
    shared: usize,
) -> Option<Objection> {
    let word = claim.words.iter().find_map(|verb| {
        let claimed = phrase(claim, verb)?;
        let names = |own: &Statement| claimed.iter().any(|word| has_word(&own.words, word));
        let has_verb = |own: &&Statement| has_word(&own.words, verb);
        // Where a thing is may be said without a verb: "a town in the north".
        let is_place = LOCATED.contains(&verb.folded.as_str());
        let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
        let mut sentences = coverage.sentences().filter(has_verb);
        if sentences.any(names) || is_place && chosen.any(names) {
            return None;
        }
        let is_same = |word: &&ContentWord| similarity(verb, word) >= SAME_WORD;
        let differs = |own: &&Statement| {
            let mut verbs = own.words.iter().filter(is_same);
            !own.is_record
                && verbs.any(|verb| phrase(own, verb).is_some())
                && Alignment::of(claim, own).pairs().count() >= shared
        };
        let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
        chosen.find(differs)?;
        claimed.last()
    })?;
    Some(Objection::doubt(Difference::Binding(word.folded.clone())))
}

/// The words of the place right behind a verb: "sports", "field" of "gathers on the sports field".
fn venue<'a>(statement: &'a Statement, verb: &ContentWord) -> Option<&'a [ContentWord]> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let before = verb.position.checked_sub(1).map(|before| tokens[before]);
    let is_noun = before.is_none_or(|before| DETERMINERS.contains(&before));
    let behind = tokens.get(verb.position + 1)?;
    // "Waves are ripples in" and "is difficult to" have no verb but the form of "be".
    let is_complement = verb.follows_be && !is_past_form(&verb.folded);
    if verb.is_name || is_noun || is_complement || !PLACES.contains(behind) {
        return None;
    }
    let venue = noun_phrase(statement, &tokens, verb.position + 2)?;
    (!venue.iter().any(ContentWord::is_light)).then_some(venue)
}

/// The words of what something is made or taken from: "new", "bricks" of "build the house from new
/// bricks".
fn source<'a>(statement: &'a Statement, verb: &ContentWord) -> Option<&'a [ContentWord]> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let behind = tokens.iter().skip(verb.position + 1).take(OBJECT + 1);
    let from = behind.into_iter().position(|token| *token == "from")?;
    if verb.is_name {
        return None;
    }
    noun_phrase(statement, &tokens, verb.position + 2 + from)
}

/// The words of a noun from a position on that is neither a name nor a time.
fn noun_phrase<'a>(
    statement: &'a Statement,
    tokens: &[&str],
    start: usize,
) -> Option<&'a [ContentWord]> {
    let mut rest = start..tokens.len();
    let at = rest.find(|at| !DETERMINERS.contains(&tokens[*at]))?;
    let words = &statement.words;
    let first = words.iter().position(|word| word.position == at)?;
    let count = words[first..]
        .windows(2)
        .take_while(|pair| pair[0].position + 1 == pair[1].position && !pair[1].follows_mark);
    let venue = &words[first..=first + count.count()];
    let is_time = |word: &ContentWord| {
        let day = word.folded.trim_end_matches('s');
        TIMES.contains(&&*word.folded) || word.is_month() || text::WEEKDAYS.contains(&day)
    };
    let is_thing = |word: &ContentWord| !word.is_name && !is_time(word);
    let is_meant = !words[first].follows_mark && venue.iter().all(is_thing);
    is_meant.then_some(venue)
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn where_a_place_is_may_be_said_without_a_verb() {
        let village = "Holm Bridge is a village and parish in the North Province of Lund. Holm \
                       Bridge is located at a crossroads of Route 10 and the road to the lake.";
        assert_supported(&[
            (
                "Holm Bridge is a village located in the North Province of Lund.",
                village,
                true,
            ),
            (
                "Holm Bridge is a village located in the South Province of Lund.",
                village,
                false,
            ),
        ]);
    }

    #[test]
    fn what_is_made_from_another_thing_is_not_supported() {
        let storage = "Used packs of the fleet. They are free. We build the storage from new \
                       cells of the type F32.";
        let dinner = "We pay the dinner from the general budget. The travel fund is closed.";
        assert_supported(&[
            (
                "The storage is built from used packs of the fleet.",
                storage,
                false,
            ),
            ("The storage is built from new cells.", storage, true),
            ("The dinner is paid from the travel fund.", dinner, false),
            ("The dinner is paid from the general budget.", dinner, true),
        ]);
    }

    #[test]
    fn what_is_done_in_another_place_is_not_supported() {
        let alarm = "When the alarm sounds, everybody leaves the building by the nearest exit and \
                     gathers on the sports field, by the north goal. The staff car park must stay \
                     clear for the fire brigade.";
        assert_supported(&[
            (
                "When the alarm sounds, everybody gathers on the staff car park.",
                alarm,
                false,
            ),
            (
                "When the alarm sounds, everybody gathers in the gym.",
                alarm,
                false,
            ),
            (
                "If the alarm sounds, everybody gathers in the gym.",
                alarm,
                false,
            ),
            (
                "Everybody leaves the building by the nearest exit and gathers in the gym.",
                alarm,
                false,
            ),
            (
                "When the alarm sounds, everybody gathers on the sports field.",
                alarm,
                true,
            ),
            (
                "If the alarm sounds, everybody gathers at the sports field.",
                alarm,
                true,
            ),
            (
                "When the alarm sounds, everybody leaves the building by the nearest exit.",
                alarm,
                true,
            ),
        ]);
    }

    #[test]
    fn a_noun_behind_a_form_of_be_is_no_verb_with_a_place() {
        assert_supported(&[(
            "The waves that merging stars send out are ripples in the fabric of space.",
            "The waves of merging stars are ripples in air. Merging stars send waves out into the \
             fabric of space.",
            true,
        )]);
    }
}
