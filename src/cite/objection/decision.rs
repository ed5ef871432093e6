//! Decisions: a claim says of something as if it were so what its sentence only puts forward, or
//! what its record says was turned down.

use super::super::alignment::Alignment;
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::lexicon::BE;
use super::super::statement::subject::predicate_of;
use super::super::statement::verb::is_past_form;
use super::super::statement::vote::{FAILS, PUT_TO_VOTE, SUCCEEDS};
use super::super::statement::{ContentWord, Statement};
use crate::text;

/// The objection to a claim of something that was not decided.
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    undecided(there)
        .or_else(|| wished(there))
        .or_else(|| failed(there))
        .or_else(|| turned_down(there))
        .or_else(|| revoked(there))
        .or_else(|| put_off(there))
        .or_else(|| refused(there))
}

/// Verbs by which somebody refuses what was put to them; a closed list, written by hand.
const REFUSED: &[&str] = &[
    "declined",
    "denied",
    "dismissed",
    "refused",
    "rejected",
    "vetoed",
];

/// The number of words from such a verb to the noun for what is refused: "rejected the extension".
const TO_NOUN: usize = 3;

/// What a claim says as done, where its sentence says that somebody refused it: "The committee
/// extended the trial" for "The committee rejected the extension of the trial".
fn refused(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let says = |token: &str| REFUSED.contains(&token) || FUTURE.contains(&token);
    let is_open = claim.negations > 0 || own.negations > 0 || claim.normal.split(' ').any(says);
    let at = tokens.iter().position(|token| REFUSED.contains(token))?;
    let mut pairs = there.pairs().filter(|_| !is_open);
    let (deed, _) = pairs.find_map(|(one, other)| {
        let (word, noun) = (&claim.words[one], &own.words[other]);
        let is_past = DONE.contains(&word.folded.as_str()) || word.folded.ends_with("ed");
        let is_object = (at + 1..=at + TO_NOUN).contains(&noun.position);
        (is_past && is_object && word.folded != noun.folded).then_some((word, noun))
    })?;
    let difference = Difference::Opposite(deed.folded.clone(), tokens[at].to_owned());
    Some(Objection::contradiction(difference))
}

/// What may be taken back, and the words for that; closed lists, written by hand.
const REVOCABLE: &[&str] = &[
    "agreement",
    "approval",
    "decision",
    "order",
    "permission",
    "permit",
    "plan",
    "plans",
    "proposal",
    "resolution",
    "rule",
];
const REVOKED: &[&str] = &[
    "abandoned",
    "annulled",
    "cancelled",
    "canceled",
    "dropped",
    "overturned",
    "rescinded",
    "reversed",
    "revoked",
    "scrapped",
    "withdrawn",
];

/// The number of words from "decision" to what was decided: "the decision of 12 May 2025 to buy".
const TO_OBJECT: usize = 6;

/// Words between what was decided and its end by which a sentence goes on to something else.
const GOES_ON: &[&str] = &["after", "and", "but", "that", "while"];

/// What a claim says will be, where its sentence says that the decision to do it was taken back:
/// "The pump will be bought" for "The decision to buy the pump is revoked".
fn revoked(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let noun = tokens.iter().position(|token| REVOCABLE.contains(token))?;
    let behind = tokens.iter().skip(noun + 1).take(TO_OBJECT);
    let deed = noun + 2 + behind.into_iter().position(|token| *token == "to")?;
    let verb = revocation(&tokens, noun, deed)?;
    let mut done = there.pairs().map(|(_, at)| own.words[at].position);
    let says = |words: &[&str]| claim.normal.split(' ').any(|token| words.contains(&token));
    let is_planned = says(FUTURE) || says(DECISIONS) || says(&["going", "to"]);
    let is_told = says(REVOKED) || says(REVOCABLE);
    let is_so = done.any(|position| position == deed) && is_planned && !is_told;
    (is_so && claim.negations == 0).then(|| {
        let difference = Difference::Opposite("will".to_owned(), verb.to_owned());
        Objection::contradiction(difference)
    })
}

/// The verb that takes back a decision, by the positions of the word for it and of what was to be
/// done: "the decision to buy it is revoked", "the board revoked the decision to buy it".
fn revocation<'a>(tokens: &[&'a str], noun: usize, deed: usize) -> Option<&'a str> {
    let is_verb = |at: &usize| REVOKED.contains(&tokens[*at]);
    let is_denied = |token: &&str| matches!(*token, "not" | "never" | "cannot");
    let is_taken_back = |at: &usize| {
        let before = &tokens[deed..*at];
        let near = &before[before.len().saturating_sub(AUXILIARY)..];
        near.iter().any(|token| BE.contains(token))
            && !before
                .iter()
                .any(|token| GOES_ON.contains(token) || is_denied(token))
    };
    let mut behind = (deed + 1..tokens.len()).filter(is_verb);
    let before = (noun.saturating_sub(AUXILIARY)..noun).find(is_verb);
    let active = before.filter(|at| {
        let auxiliary = at.checked_sub(1).map(|before| tokens[before]);
        !auxiliary.is_some_and(|token| is_denied(&token) || BE.contains(&token))
    });
    let at = active.or_else(|| behind.find(is_taken_back))?;
    Some(tokens[at])
}

/// The words of a claim that say that something was decided, and those of a sentence that it was
/// only put forward.
const DECISIONS: &[&str] = &[
    "decided", "resolved", "approved", "agreed", "adopted", "passed", "accepted",
];
const MOTIONS: &[&str] = &[
    "proposed",
    "suggested",
    "moved",
    "recommended",
    "requested",
    "asked",
    "considered",
    "discussed",
    "postponed",
    "rejected",
];

/// "The board decided to raise the price" for "Ann moved to raise the price".
fn undecided(there: &Alignment<'_>) -> Option<Objection> {
    let word = |statement: &Statement, words: &[&str]| {
        let mut tokens = statement.normal.split(' ');
        tokens
            .find(|token| words.contains(token))
            .map(str::to_owned)
    };
    let decision = word(there.one, DECISIONS)?;
    if word(there.other, DECISIONS).is_some() {
        return None;
    }
    let is_put = word(there.other, PUT_TO_VOTE).is_some();
    let failed = word(there.other, FAILS).filter(|_| is_put && there.one.negations == 0);
    let motion = failed.or_else(|| word(there.other, MOTIONS))?;
    Some(Objection::doubt(Difference::Opposite(decision, motion)))
}

/// What a claim says to be so, where its sentence says that a motion for it failed: "Grills are
/// allowed" for "The motion to allow grills was not adopted".
fn failed(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let at = tokens
        .iter()
        .position(|token| PUT_TO_VOTE.contains(token))?;
    let mut behind = tokens.iter().skip(at + 1).take(TO_OBJECT);
    let is_to = behind.any(|token| *token == "to");
    let is_negated = |token: &str| {
        own.words
            .iter()
            .any(|own| own.folded == token && own.is_negated)
    };
    let failed = tokens.iter().skip(at).find(|token| {
        FAILS.contains(token) && !is_negated(token) || SUCCEEDS.contains(token) && is_negated(token)
    })?;
    let tells = |token: &str| {
        let lists = [PUT_TO_VOTE, FAILS, SUCCEEDS, MOTIONS, FUTURE];
        lists.iter().any(|list| list.contains(&token))
    };
    let shared = there
        .pairs()
        .filter(|(_, other)| own.words[*other].position > at);
    let is_so = is_to && claim.negations == 0 && shared.count() >= 2;
    (is_so && !claim.normal.split(' ').any(tells)).then(|| {
        let difference = Difference::Opposite("is".to_owned(), (*failed).to_owned());
        Objection::contradiction(difference)
    })
}

/// Further words by which something is asked for, or still to be decided.
const WISHES: &[&str] = &["urge", "urges", "urged", "wish", "wishes", "vote", "votes"];

/// `true` for a word by which something is asked for, recommended, or still to be decided.
fn is_wish(token: &str) -> bool {
    text::is_proposing(token) || WISHES.contains(&token)
}

/// Words by which a claim gives something as a view; a closed list, written by hand.
const HEDGES: &[&str] = &["thought", "believed", "presumed"];

/// What a claim says as done, where its sentence asks for it, or says that it is to be voted on:
/// "He was warned" for "I ask the board to send him a warning".
fn wished(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let is_open = claim
        .normal
        .split(' ')
        .any(|token| is_wish(token) || FUTURE.contains(&token));
    let predicate = predicate_of(claim)?;
    // Who is thought to have done it is only suggested by the claim, too.
    let is_hedged = claim.normal.split(' ').any(|token| HEDGES.contains(&token));
    // The deed itself stands behind the wish, and is not told as done there.
    let is_told = own.words.iter().any(|word| {
        let before = word.position.checked_sub(1).map(|before| tokens[before]);
        word.stem == predicate.stem
            && before.is_some_and(|own| matches!(own, "was" | "were" | "been"))
    });
    if !is_past_form(&predicate.folded) || is_open || is_hedged || is_told || claim.negations > 0 {
        return None;
    }
    let is_wished = |at: &usize| {
        let is_vote = matches!(tokens[*at], "vote" | "votes");
        let behind = there.pairs();
        let behind = behind.filter(|(_, other)| own.words[*other].position > *at);
        let behind: Vec<(usize, usize)> = behind.collect();
        let is_deed = |(one, _): &(usize, usize)| claim.words[*one].stem == predicate.stem;
        let is_named = if is_vote {
            tokens.get(at + 1) == Some(&"on")
        } else {
            behind.iter().any(is_deed)
        };
        (is_wish(tokens[*at]) || text::moves(&tokens, *at)) && is_named && behind.len() >= 2
    };
    let at = (0..tokens.len()).find(is_wished)?;
    let (deed, wish) = (predicate.folded.clone(), tokens[at].to_owned());
    Some(Objection::doubt(Difference::Opposite(deed, wish)))
}

/// A motion that succeeds in the claim and fails in a clause beside, or the other way round: "The
/// motion was adopted" for "The motion failed; the board's proposal was adopted".
pub(super) fn decided_otherwise(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let has =
        |own: &Statement, words: &[&str]| own.normal.split(' ').any(|token| words.contains(&token));
    // "The committee decided by four votes to two": "The motion was rejected by four votes to two".
    let decided = claim
        .normal
        .split(' ')
        .find(|token| DECISIONS.contains(token));
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let is_lost = |own: &Statement| has(own, PUT_TO_VOTE) && has(own, FAILS) && !has(own, SUCCEEDS);
    if let Some(decided) = decided.filter(|_| claim.negations == 0 && !has(claim, PUT_TO_VOTE))
        && chosen.any(is_lost)
    {
        return Some(Difference::Binding(decided.to_owned()));
    }
    let motion = PUT_TO_VOTE.iter().find(|motion| has(claim, &[motion]))?;
    let (claimed, other) = if has(claim, SUCCEEDS) && claim.negations == 0 {
        (SUCCEEDS, FAILS)
    } else if has(claim, FAILS) {
        (FAILS, SUCCEEDS)
    } else {
        return None;
    };
    let is_told = |words: &[&str]| {
        let mut clauses = coverage.near_chosen();
        clauses.any(|own| has(own, &[motion]) && has(own, words))
    };
    let word = claimed.iter().find(|word| has(claim, &[word]))?;
    (is_told(other) && !is_told(claimed)).then(|| Difference::Binding((*word).to_owned()))
}

/// Words before a verb that put it into the future, and verbs of those who mean to do something.
const FUTURE: &[&str] = &["will", "shall", "would"];
const INTENT: &[&str] = &[
    "promised", "promises", "hope", "hopes", "hoped", "want", "wants", "wanted", "intend",
    "intends", "intended", "plan", "plans", "planned", "wish", "wishes", "offered", "offers",
    "expect", "expects", "expected",
];

/// Irregular past forms of what is done.
const DONE: &[&str] = &[
    "began", "became", "bought", "broke", "built", "came", "chose", "fell", "gave", "grew", "held",
    "kept", "left", "lost", "made", "met", "paid", "rose", "sent", "sold", "spent", "took", "went",
    "won", "wrote",
];

/// German auxiliaries of what is done, and verbs of what is meant to be; closed lists, by hand.
const GERMAN_DONE: &[&str] = &["hat", "haben", "hatte", "hatten", "wurde", "wurden"];
const GERMAN_INTENT: &[&str] = &[
    "beabsichtigt",
    "mochte",
    "mochten",
    "plant",
    "will",
    "wollen",
];

/// The number of words before a verb among which its auxiliary is.
const AUXILIARY: usize = 3;

/// What a claim says as done, and its sentence for the future or as taken back. Of an event whose
/// date the evidence announced before, a claim with the date looks back on it.
pub(super) fn not_so(there: &Alignment<'_>, is_announced: bool) -> Option<Objection> {
    intended(there)
        .filter(|_| !is_announced)
        .or_else(|| revoked(there))
        .or_else(|| put_off(there))
}

/// Verbs by which what was to be done is not done, at least for now: "is postponed", "has been
/// postponed". What "was postponed" may have been done since.
const PUT_OFF: &[&str] = &[
    "abandoned",
    "cancelled",
    "canceled",
    "deferred",
    "postponed",
    "shelved",
];

/// What a claim says as done, where its sentence says that it is put off: "The cover was bought"
/// for "The purchase of the cover is postponed".
fn put_off(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let is_put_off = |at: &usize| {
        let near = &tokens[at.saturating_sub(AUXILIARY)..*at];
        PUT_OFF.contains(&tokens[*at])
            && near
                .iter()
                .any(|token| matches!(*token, "is" | "are" | "been"))
            && !near
                .iter()
                .any(|token| matches!(*token, "not" | "never" | "had"))
    };
    let verb = (1..tokens.len()).find(is_put_off)?;
    let says = |words: &[&str]| claim.normal.split(' ').any(|token| words.contains(&token));
    let is_done = says(&["was", "were", "has", "have", "had"]);
    let is_open = says(PUT_OFF) || says(FUTURE) || claim.negations > 0;
    if !is_done || is_open {
        return None;
    }
    // The deed is a noun there, "purchase", before the verb; what is told as done was done.
    let mut pairs = there.pairs();
    let (deed, noun) = pairs.find_map(|(one, other)| {
        let (word, noun) = (&claim.words[one], &own.words[other]);
        let is_deed = DONE.contains(&word.folded.as_str()) || word.folded.ends_with("ed");
        (is_deed && word.folded != noun.folded && noun.position < verb).then_some((word, noun))
    })?;
    let goes_on = tokens[noun.position..verb]
        .iter()
        .any(|token| GOES_ON.contains(token));
    (!goes_on).then(|| {
        let difference = Difference::Opposite(deed.folded.clone(), tokens[verb].to_owned());
        Objection::contradiction(difference)
    })
}

/// What a claim says as done and its sentence for the future, by a verb that both have: "The board
/// has obtained a quotation" for "The board promised to obtain a quotation".
fn intended(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let before = |statement: &Statement, word: &ContentWord| {
        let tokens = statement.normal.split(' ');
        // In German the verb stands at the end, and its auxiliary anywhere before it.
        let from = if statement.has_free_order {
            0
        } else {
            word.position.saturating_sub(AUXILIARY)
        };
        let near = tokens.take(word.position).skip(from);
        near.map(str::to_owned).collect::<Vec<_>>()
    };
    let has = |tokens: &[String], words: &[&str]| {
        tokens.iter().any(|token| words.contains(&token.as_str()))
    };
    // What was to be on a day was so, if the day is told.
    let mut days = claim.figures.iter().filter(|figure| figure.unit == "day");
    let is_dated = days.any(|day| own.figures.iter().any(|other| day.is_said_by(other)));
    let is_future = claim.normal.split(' ').any(|token| FUTURE.contains(&token));
    if is_dated || is_future {
        return None;
    }
    let pairs = there.pairs();
    let mut verbs = pairs.map(|(one, other)| (&claim.words[one], &own.words[other]));
    let (word, _) = verbs.find(|(word, other)| {
        let (claimed, said) = (before(claim, word), before(own, other));
        let is_passive = has(&claimed, &["is", "are", "be", "being"]);
        // "Exceed" and "need" are no past forms.
        let is_form = word.folded.ends_with("ed") && !word.folded.ends_with("eed");
        let is_past = DONE.contains(&word.folded.as_str())
            || is_form && !is_passive
            || has(&claimed, &["has", "have", "had", "already"])
            || claim.has_free_order && has(&claimed, GERMAN_DONE);
        let is_meant = said.last().is_some_and(|last| last == "to") && has(&said, INTENT);
        let is_open = has(&claimed, INTENT) || has(&claimed, &["to"]);
        let is_wanted = own.has_free_order && has(&said, GERMAN_INTENT);
        !word.is_name && is_past && !is_open && (is_meant || is_wanted || has(&said, FUTURE))
    })?;
    let difference = Difference::Opposite(word.folded.clone(), "will".to_owned());
    Some(Objection::doubt(difference))
}

/// What a record may say of a matter that did not come about, as the value of a field.
const TURNED_DOWN: &[&str] = &[
    "rejected",
    "declined",
    "deferred",
    "postponed",
    "withdrawn",
    "cancelled",
    "canceled",
    "denied",
];

/// What a claim says of something as if it were so, where its record says that it was turned down:
/// "The meeting will be moved" for "Move the meeting; Decision: rejected".
fn turned_down(there: &Alignment<'_>) -> Option<Objection> {
    let (claim, own) = (there.one, there.other);
    let word = own
        .normal
        .split(' ')
        .find(|word| TURNED_DOWN.contains(word))?;
    let asserts = |word: &str| {
        matches!(
            word,
            "will" | "is" | "are" | "was" | "were" | "has" | "have"
        )
    };
    // Any other word for "rejected" is another verdict too.
    let is_plain = !claim
        .normal
        .split(' ')
        .any(|word| TURNED_DOWN.contains(&word))
        && claim.negations == 0
        && claim.normal.split(' ').any(asserts);
    let is_about_it = there.pairs().all(|(_, at)| own.words[at].folded != *word);
    (own.is_record && is_plain && is_about_it)
        .then(|| Objection::doubt(Difference::Opposite("is".to_owned(), word.to_owned())))
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_somebody_moved_was_not_done_by_that() {
        let motion = "Councillor Reed moved that the public baths in Mill Road be closed.";
        let seconded = "Reed moved, Berg seconded, that the ban on night work be brought back.";
        assert_supported(&[
            ("The public baths were closed.", motion, false),
            ("The ban on night work was brought back.", seconded, false),
            (
                "Reed moved that the public baths in Mill Road be closed.",
                motion,
                true,
            ),
            (
                "The office was moved and the baths were closed.",
                "The office was moved and the baths were closed.",
                true,
            ),
        ]);
    }

    #[test]
    fn what_is_thought_may_have_been_proposed() {
        let lake = "In 1969 Ann Berg proposed that the lake is fed by the glacier.";
        assert_supported(&[
            ("The lake is thought to be fed by the glacier.", lake, true),
            ("The lake was fed by the glacier.", lake, false),
        ]);
    }

    #[test]
    fn what_somebody_refused_was_not_done() {
        let trial = "Nevertheless the committee rejected the extension of the night switch-off to \
                     the whole town, because a bus line would run through unlit streets.";
        assert_supported(&[
            (
                "The committee extended the night switch-off to the whole town.",
                trial,
                false,
            ),
            (
                "The committee rejected the extension of the night switch-off to the whole town.",
                trial,
                true,
            ),
        ]);
    }

    #[test]
    fn what_is_left_open_or_cannot_be_is_not_so() {
        let open = "Whether the kiosk is kept was not decided; the board will discuss it again.";
        let loans = "Reference works and newspapers cannot be borrowed.";
        let plan = "The pet plan would start in March 2026 if 200 clients sign up.";
        let cover = "The purchase of a pool cover is postponed to 2026, because no money is left.";
        assert_supported(&[
            ("The kiosk will be kept.", open, false),
            ("The kiosk is kept.", open, false),
            ("Newspapers can be borrowed for a week.", loans, false),
            ("The pet plan began in March 2026.", plan, false),
            ("The pool cover has been bought.", cover, false),
            (
                "The sauna was renovated in April 2025.",
                "The renovation of the sauna was postponed twice and finished in April 2025.",
                true,
            ),
            (
                "The purchase of the pool cover was postponed to 2026.",
                cover,
                true,
            ),
            (
                "The fence was built in February 2025.",
                "The fence will be built in February 2025.",
                false,
            ),
            (
                "The fence will be built in February 2025.",
                "The fence will be built in February 2025 by Greenway.",
                true,
            ),
        ]);
    }

    #[test]
    fn what_was_moved_or_turned_down_is_not_decided() {
        let motion = "Karl Finke moved to raise adult admission from 9 to 10 euros.";
        let row = "Item: D5; Proposal: Move the stand-up to 10:00; Decision: rejected.";
        let minutes = "1. Heating. The decision of 12 May to buy two pumps is revoked. Instead, a \
                       boiler is installed for the garden.\n2. Roof. Nothing new.";
        let active = "The club revoked the decision to buy two pumps for the pool.";
        let denied = "The decision to install a new boiler in the hall was not reversed.";
        let mill = "The old mill belongs to the town. The decision to sell it was reversed.";
        let revoked = "The decision of 12 May to buy two pumps is revoked, because of the noise.";
        assert_supported(&[
            (
                "The board decided to raise adult admission to 10 euros.",
                motion,
                false,
            ),
            (
                "Karl Finke moved to raise adult admission to 10 euros.",
                motion,
                true,
            ),
            ("The stand-up will be moved to 10:00.", row, false),
            ("Two pumps will be bought.", revoked, false),
            ("Two pumps will be bought for the garden.", minutes, false),
            ("The decision to buy two pumps is revoked.", revoked, true),
            ("Two pumps will be bought.", active, false),
            ("A new boiler will be installed in the hall.", denied, true),
            ("The old mill belongs to the town.", mill, true),
        ]);
    }

    #[test]
    fn what_is_asked_for_recommended_or_turned_down_is_not_done() {
        let letter = "I ask the board to send Mr Albrecht a written warning by 15 July.";
        let energy = "We recommend insulating the facade of staircase D.";
        let grills = "A motion to allow electric grills all year round was not adopted.";
        assert_supported(&[
            ("Mr Albrecht was warned in writing.", letter, false),
            (
                "The facade of staircase D has been insulated.",
                energy,
                false,
            ),
            (
                "The facade of staircase D was insulated in May.",
                "We recommend insulating the attic. The facade of staircase D was insulated in \
                 May.",
                true,
            ),
            ("Electric grills are allowed all year round.", grills, false),
            (
                "The motion to allow electric grills was not adopted.",
                grills,
                true,
            ),
        ]);
    }

    #[test]
    fn what_somebody_wants_to_do_in_german_is_not_done() {
        let bridge = "Der Landkreis will die Brücke im Herbst sanieren.";
        assert_supported(&[
            ("Der Landkreis hat die Brücke saniert.", bridge, false),
            ("Der Landkreis will die Brücke sanieren.", bridge, true),
        ]);
    }

    #[test]
    fn what_a_lost_motion_of_somebody_asks_for_is_not_so() {
        let minutes = "The council met in May. The proposal of two residents to raise the speed \
                       limit was rejected. The lamps will be replaced.";
        let support = support("The speed limit was raised.", minutes);
        assert_eq!(support.verdict, Verdict::Contradicted, "{support:?}");
    }
}
