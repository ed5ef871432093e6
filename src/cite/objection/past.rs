//! The past: what a claim says of now, and its source of a time that is over. "The kiosk sold
//! newspapers until 1998" does not say that it sells them, and what was abolished is not in force.

use super::super::alignment::{SAME_WORD, has_word, similarity};
use super::super::coverage::Coverage;
use super::super::restatement::{Difference, Objection};
use super::super::statement::figure::Figure;
use super::super::statement::lexicon::BE;
use super::super::statement::subject::{Subject, predicate_of};
use super::super::statement::verb::{is_auxiliary, is_past_auxiliary, is_past_form};
use super::super::statement::{ContentWord, Statement};

/// Words by which a claim says that something is there now.
const CURRENT: &[&str] = &[
    "still", "exists", "exist", "force", "valid", "applies", "apply", "remains", "remain",
];

/// What ends a thing.
const ENDED: &[&str] = &[
    "abolished",
    "removed",
    "scrapped",
    "withdrawn",
    "discontinued",
    "repealed",
    "deleted",
    "demolished",
    "cancelled",
    "canceled",
    "dissolved",
    "revoked",
];

/// Verbs by which somebody gives up a post.
const RESIGNS: &[&str] = &["resigns", "resigned", "retires", "retired", "resigning"];

/// Auxiliaries of the present.
const NOW: &[&str] = &["is", "are", "has", "have", "still"];

/// Words that say that the past is meant, or the future.
const NOT_NOW: &[&str] = &[
    "was", "were", "had", "did", "will", "would", "until", "formerly",
];

/// The least number of words of a claim that a sentence says before it takes them back.
const TOLD: usize = 2;

/// The number of words that are shown of a time with an end: "until last week".
const UNTIL_WORDS: usize = 3;

/// Decades of a century.
const DECADES: &[&str] = &[
    "twenties",
    "thirties",
    "forties",
    "fifties",
    "sixties",
    "seventies",
    "eighties",
    "nineties",
];

/// The objection to a claim of now by what a clause says was ended, or was so for a time.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let tokens: Vec<&str> = claim.normal.split(' ').collect();
    let has_auxiliary = tokens
        .iter()
        .any(|token| BE.contains(token) || is_auxiliary(token));
    let is_present = tokens.iter().any(|token| NOW.contains(token))
        || predicate_of(claim).is_some_and(|own| {
            own.folded.ends_with('s') || !has_auxiliary && !is_past_form(&own.folded)
        });
    let is_now = is_present && !tokens.iter().any(|token| NOT_NOW.contains(token));
    if !is_now || claim.is_question || claim.negations > 0 {
        return None;
    }
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    chosen.find_map(|own| {
        ended(claim, &tokens, own)
            .or_else(|| undone(claim, own))
            .or_else(|| resigned(claim, own))
            .or_else(|| over(claim, own))
            .or_else(|| changed(coverage, claim, own))
    })
}

/// Words by which what a sentence tells was undone: "and rolled back the same day".
const UNDONE: &[&str] = &["reversed", "reverted", "undone"];

/// What is so, where the sentence that tells it goes on to say that it was undone.
fn undone(claim: &Statement, own: &Statement) -> Option<Objection> {
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let is_undone = |tokens: &[&str], at: usize| {
        UNDONE.contains(&tokens[at])
            || tokens[at] == "back" && matches!(tokens[..at].last(), Some(&("rolled" | "taken")))
    };
    let end = (0..tokens.len()).find(|at| is_undone(&tokens, *at))?;
    let claimed: Vec<&str> = claim.normal.split(' ').collect();
    let is_told = (0..claimed.len()).any(|at| is_undone(&claimed, at));
    let is_before = |word: &ContentWord| word.position < end && has_word(&claim.words, word);
    let is_passive = tokens[..end].iter().any(|token| is_past_auxiliary(token));
    let said = own.words.iter().filter(|word| is_before(word)).count();
    (is_passive && !is_told && said >= TOLD && own.negations == 0).then(|| {
        let difference = Difference::Opposite("is".to_owned(), tokens[end].to_owned());
        Objection::contradiction(difference)
    })
}

/// Who is something, where a clause says that he resigns as that.
fn resigned(claim: &Statement, own: &Statement) -> Option<Objection> {
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let at = tokens.iter().position(|token| RESIGNS.contains(token))?;
    let is_as = tokens.get(at + 1) == Some(&"as");
    let is_claimed = |word: &ContentWord| has_word(&claim.words, word);
    let (before, behind): (Vec<&ContentWord>, Vec<&ContentWord>) =
        own.words.iter().partition(|word| word.position < at);
    let mut behind = behind.into_iter().filter(|word| word.position > at);
    let is_post = behind.next().is_some_and(is_claimed);
    let is_same = !before.is_empty() && before.into_iter().all(is_claimed);
    let is_held = claim
        .normal
        .split(' ')
        .any(|token| matches!(token, "is" | "are"));
    let is_told = claim
        .normal
        .split(' ')
        .any(|token| RESIGNS.contains(&token));
    (is_as && is_post && is_same && is_held && !is_told && own.negations == 0).then(|| {
        let difference = Difference::Opposite("is".to_owned(), tokens[at].to_owned());
        Objection::contradiction(difference)
    })
}

/// What is still there, where a clause says that it was ended.
fn ended(claim: &Statement, tokens: &[&str], own: &Statement) -> Option<Objection> {
    let current = tokens.iter().find(|token| CURRENT.contains(token))?;
    let end = own.normal.split(' ').find(|token| ENDED.contains(token))?;
    let (claimed, ended) = (Subject::of(claim)?, Subject::of(own)?);
    let (thing, other) = (&claimed.words[claimed.head()?], &ended.words[ended.head()?]);
    let is_same = similarity(thing, other) >= SAME_WORD && claimed.missing_in(&ended).is_none();
    let is_negated = own
        .words
        .iter()
        .any(|word| word.folded == end && word.is_negated);
    (is_same && !is_negated).then(|| {
        let difference = Difference::Opposite((*current).to_owned(), end.to_owned());
        Objection::contradiction(difference)
    })
}

/// What is so, where a clause says it of a time with an end: "until 1998", "from 2004 to 2011", "in
/// the nineties".
fn over(claim: &Statement, own: &Statement) -> Option<Objection> {
    let predicate = predicate_of(claim)?;
    let mut words = own.words.iter();
    let same = words.find(|word| similarity(predicate, word) >= SAME_WORD)?;
    let tokens: Vec<&str> = own.normal.split(' ').collect();
    let before = &tokens[..same.position.min(tokens.len())];
    let is_past = before.iter().any(|token| is_past_auxiliary(token))
        || is_past_form(&same.folded) && !is_past_form(&predicate.folded);
    // "Was a prison until 1921 and is a school" is of two times.
    let behind = tokens.iter().skip(same.position);
    let is_over = !behind
        .clone()
        .any(|token| matches!(*token, "is" | "are" | "today" | "now"));
    let has = |word: &str| tokens.contains(&word);
    let years = own
        .figures
        .iter()
        .filter(|figure| figure.unit == "year")
        .count();
    let is_decade = |token: &&&str| DECADES.contains(*token) || token.ends_with("0s");
    let is_end = |token: &&str| matches!(*token, "until" | "formerly");
    let end = if let Some(at) = tokens.iter().position(is_end) {
        let words = tokens.iter().skip(at).take(UNTIL_WORDS);
        words.copied().collect::<Vec<_>>().join(" ")
    } else if has("from") && has("to") && years > 1 {
        "from … to".to_owned()
    } else {
        (*tokens.iter().find(is_decade)?).to_owned()
    };
    (is_past && is_over).then(|| Objection::doubt(Difference::Restriction(end)))
}

/// What is so by a number, where a sentence says that it was, and another one that it is by another
/// number: "The loggers recorded at 10 Hz. From May they record at 1 Hz."
fn changed(coverage: &Coverage<'_>, claim: &Statement, own: &Statement) -> Option<Objection> {
    let predicate = predicate_of(claim).filter(|own| !is_past_form(&own.folded))?;
    let verb = |statement: &Statement, is_past: bool| {
        let mut words = statement.words.iter();
        words.any(|word| {
            similarity(predicate, word) >= SAME_WORD && is_past_form(&word.folded) == is_past
        })
    };
    let has = |statement: &Statement, figure: &Figure| {
        let mut figures = statement.figures.iter();
        figures.any(|own| own.equals(figure))
    };
    let is_other = |statement: &Statement, figure: &Figure| {
        let mut figures = statement.figures.iter();
        figures.any(|own| own.unit == figure.unit && !own.equals(figure))
    };
    let is_so = |figure: &Figure| {
        let mut now = coverage.sentences().filter(|one| verb(one, false));
        now.any(|one| is_other(one, figure) && !has(one, figure))
    };
    let mut figures = claim.figures.iter();
    let figure = figures.find(|figure| {
        !figure.unit.is_empty() && verb(own, true) && has(own, figure) && is_so(figure)
    })?;
    let number = figure.written.trim().to_owned();
    Some(Objection::contradiction(Difference::Former(number)))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn what_was_undone_or_was_so_before_is_not_so() {
        let hooks = "The webhooks queue was moved to Postgres on 29 August and rolled back the \
                     same day.";
        let points = "FMSY is 0.21 (formerly 0.26).";
        let result = "The result of November (9,200 jobs with batch 50) was wrong: the load was \
                      on the host. Release 2.0 reaches 7,900 jobs with batch 50.";
        let lease = "The default lease is now 15 minutes (was 30 minutes).";
        assert_supported(&[
            (
                "The webhooks queue has been on Postgres since 29 August.",
                hooks,
                false,
            ),
            (
                "The webhooks queue was moved to Postgres on 29 August.",
                hooks,
                true,
            ),
            (
                "Die Gebühr beträgt 9 Euro.",
                "Die Gebühr beträgt 12 Euro (früher 9 Euro).",
                false,
            ),
            ("FMSY is 0.26.", points, false),
            ("FMSY is 0.21.", points, true),
            ("FMSY was formerly 0.26.", points, true),
            ("The default lease is 30 minutes.", lease, false),
            (
                "Release 2.0 reaches 9,200 jobs with batch 50.",
                result,
                false,
            ),
            (
                "Release 2.0 reaches 7,900 jobs with batch 50.",
                result,
                true,
            ),
            ("The default lease is 15 minutes.", lease, true),
        ]);
    }

    #[test]
    fn what_was_so_for_a_time_is_not_so_now() {
        let kiosk = "In the nineties the kiosk sold newspapers and cigarettes.";
        let petrov = "Mr Petrov led the chess section from 2004 to 2011, and donated the clocks.";
        let heating = "The heating in the gym worked until last week; since Monday it is broken.";
        let resigns = "Helga Brandt resigns as chair for reasons of health.";
        let code = "The dress code was abolished in 2016.";
        let loggers =
            "The loggers recorded at 10 Hz. From 15 September the loggers record at 1 Hz.";
        let shop = "The shop opened at 9:00. Since May it opens at 10:00.";
        assert_supported(&[
            ("The kiosk sells newspapers.", kiosk, false),
            ("The loggers record at 10 Hz.", loggers, false),
            ("The loggers recorded at 10 Hz.", loggers, true),
            ("The loggers record at 1 Hz.", loggers, true),
            ("The shop opens at 9:00.", shop, false),
            ("The shop opens at 10:00.", shop, true),
            ("In the nineties the kiosk sold newspapers.", kiosk, true),
            ("Mr Petrov leads the chess section.", petrov, false),
            ("Mr Petrov led the chess section.", petrov, true),
            ("The heating in the gym works.", heating, false),
            ("The dress code is still in force.", code, false),
            ("The dress code was abolished in 2016.", code, true),
            ("Helga Brandt is chair of the board.", resigns, false),
            ("Helga Brandt resigns as chair.", resigns, true),
            (
                "The kiosk is open until six.",
                "The kiosk is open until six.",
                true,
            ),
        ]);
    }
}
