//! Dates: whether a day and a month of a claim are of one date, and of the one that holds.

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::dateline;
use super::super::restatement::Difference;
use super::super::statement::figure::Figure;
use super::super::statement::{ContentWord, Statement};

/// The month of a date of which one sentence has the day and another the month: "1 September" for
/// "on 10 September … from 1 November".
pub(super) fn scattered(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let days = claim.figures.iter().filter(|figure| figure.unit == "day");
    let dates = days.filter_map(|day| Some((day, month_of(claim, day)?)));
    let says_day =
        |own: &Statement, day: &Figure| own.figures.iter().any(|one| day.is_said_by(one));
    // A day beside another month is of another date: "from 1 March until 28 February".
    let says_date = |own: &Statement, day: &Figure, month: &ContentWord| {
        let mut days = own.figures.iter().filter(|one| day.is_said_by(one));
        days.any(|one| month_of(own, one).is_none_or(|own| own.stem == month.stem))
    };
    let mut scattered = dates.filter(|(day, month)| {
        let mut sentences = coverage.sentences();
        let has_both = |own: &Statement| {
            let has_month = has_word(&own.words, month) && says_date(own, day, month);
            says_day(own, day) && (own.is_record || has_month)
        };
        coverage.sentences().any(|own| says_day(own, day)) && !sentences.any(has_both)
    });
    let (_, month) = scattered.next()?;
    Some(Difference::Binding(month.folded.clone()))
}

/// The month beside a day of a sentence, behind it or before it.
fn month_of<'a>(own: &'a Statement, day: &Figure) -> Option<&'a ContentWord> {
    let behind = own.words.get(day.at).filter(|word| word.is_month());
    let before = day
        .at
        .checked_sub(1)
        .and_then(|before| own.words.get(before));
    behind.or(before.filter(|word| word.is_month()))
}

/// Words with which a sentence gives something another day, and with which a claim tells that.
const MOVING: &[&str] = &[
    "deferred",
    "delayed",
    "forward",
    "instead",
    "move",
    "moved",
    "moves",
    "postponed",
    "rescheduled",
    "shifted",
];

/// Words of a claim for what was so or was meant to be.
const PAST: &[&str] = &[
    "had",
    "originally",
    "planned",
    "previously",
    "until",
    "was",
    "were",
];

/// The day of a claim from which each sentence that names it moves something to another day: "on 12
/// December" for "It has to move: the church is taken on 12 December, so we sing on 13 December".
pub(super) fn moved(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let has = |own: &Statement, words: &[&str]| {
        let mut tokens = own.normal.split(' ');
        tokens.any(|token| words.contains(&token))
    };
    if has(claim, MOVING) || has(claim, PAST) || claim.negations > 0 {
        return None;
    }
    let is_day = |figure: &&Figure| figure.unit == "day";
    let [day] = claim.figures.iter().filter(is_day).collect::<Vec<_>>()[..] else {
        return None;
    };
    let names = |own: &&Statement| own.figures.iter().any(|other| day.is_said_by(other));
    // The last is the new one: "from 12 to 13 December".
    let new_day = |own: &Statement| {
        let last = own.figures.iter().rfind(is_day)?;
        (has(own, MOVING) && !day.is_said_by(last)).then(|| last.shown())
    };
    let mut naming = coverage.sentences().filter(names).peekable();
    let other = new_day(naming.peek()?)?;
    let is_moved = naming.all(|own| new_day(own).is_some());
    is_moved.then(|| Difference::Number(day.shown(), Some(other)))
}

/// The day of a claim that only the dateline of the evidence has, where the sentence that says most
/// of the claim names another day of the week.
pub(super) fn of_writing(coverage: &Coverage<'_>, claim: &Statement) -> Option<Difference> {
    let mut days = claim.figures.iter().filter(|figure| figure.unit == "day");
    let day = days.next().filter(|_| days.next().is_none())?;
    let written = coverage.sentences().find_map(dateline::day_of)?;
    let says_day = |own: &Statement| own.figures.iter().any(|one| day.is_said_by(one));
    let is_dateline = |own: &Statement| dateline::day_of(own).is_some();
    let mut saying = coverage.sentences().filter(|own| says_day(own));
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let event = chosen.find(|own| !is_dateline(own))?;
    let is_of_another =
        saying.all(is_dateline) && dateline::is_of_another_day(event, written, claim, day);
    is_of_another.then(|| Difference::Binding(day.shown()))
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;
    use crate::cite::tests::assert_supported;

    #[test]
    fn another_day_of_the_month_is_another_one_of_the_week() {
        let passage = "The plumber comes on Thursday, 25 June.";
        let verdict = |claim| support(claim, passage).verdict;
        let other = verdict("The plumber comes on Friday, 26 June.");
        assert_eq!(other, Verdict::Contradicted);
        let same = verdict("The plumber comes on Thursday, 25 June.");
        assert_eq!(same, Verdict::Supported);
    }

    #[test]
    fn a_date_is_not_gathered_from_the_day_of_one_and_the_month_of_another() {
        let mail = "The council discussed the pool on 10 September. It expects the pool to close \
                    on Mondays from 1 November 2026. The sauna may stay open on Mondays.";
        let both = "The market is on 27 June. The fee is 1 euro.";
        assert_supported(&[
            ("The sauna is on Monday from 1 September 2026.", mail, false),
            ("The market is on 27 June.", both, true),
            ("The market is on 1 June.", both, false),
        ]);
    }

    #[test]
    fn a_day_from_which_something_is_moved_is_not_its_day() {
        let mail = "The Christmas concert has to move: St. Anne's is taken on 12 December, so we \
                    sing on Sunday, 13 December 2026, at 17:00.";
        assert_supported(&[
            (
                "The Christmas concert 2026 takes place on 12 December.",
                mail,
                false,
            ),
            (
                "The Christmas concert takes place on 13 December 2026.",
                mail,
                true,
            ),
            (
                "The school fair is on 27 June.",
                "The school fair is on 27 and 28 June.",
                true,
            ),
        ]);
    }

    #[test]
    fn the_day_of_writing_is_not_that_of_another_day_of_the_week() {
        let fair = "Harbour Post, Tuesday 3 March 2026. The fair was opened on Saturday by the \
                    mayor.";
        let same = fair.replace("Saturday", "Tuesday");
        let bridge = "3. März 2026\n\nDie Brücke wurde am Freitag nach einem Sturm gesperrt.";
        assert_supported(&[
            ("The fair was opened on 3 March 2026.", fair, false),
            ("The fair was opened on 3 March 2026.", &same, true),
            ("Die Brücke wurde am 3. März 2026 gesperrt.", bridge, false),
        ]);
    }
}
