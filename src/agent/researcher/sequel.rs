//! The sequel of a sentence: what has to be quoted behind it, since without it the sentence says
//! something else, such as that it is wrong, what is planned instead, or how the vote went.

use super::candidate::Candidate;
use super::quotation::{self, Run};
use crate::text;

/// The number of sentences behind a retraction among which the right value is. Chosen by hand.
const NEAR: usize = 3;

/// A run with its sequel, to at most so many words.
pub(super) fn with_sequel(candidates: &[Candidate], run: Run, words_limit: usize) -> Run {
    let longer = |last: usize| Run { last, ..run };
    let fits = |last: &usize| {
        quotation::is_in_paragraph(candidates, longer(*last))
            && quotation::words(candidates, run.first, *last) <= words_limit
    };
    let sentence = |index: usize| &*candidates[index].sentence;
    let next = run.last + 1;
    if !quotation::is_in_paragraph(candidates, longer(next)) {
        return run;
    }
    // Few sentences have a sequel, and to count words takes longer than to see that.
    let with_next = || if fits(&next) { longer(next) } else { run };
    if (run.first..=run.last).any(|index| text::is_end_notice(sentence(index))) {
        // The notice says why.
        let behind = (next..candidates.len()).take_while(fits);
        return behind.last().map_or(run, longer);
    }
    let is_given_up = text::gives_up_plan(sentence(run.last))
        || text::asks_not_to_use_statement(sentence(run.last));
    if is_given_up && has_new_number(sentence(next), candidates, run) {
        return with_next();
    }
    let both = || [sentence(run.last), sentence(next)].join(" ");
    // "The number was given as 9. The correct number is 4."
    if text::misstated(sentence(run.last)).is_none() && text::misstated(&both()).is_some() {
        return with_next();
    }
    if text::retracts_previous(sentence(next)) && fits(&next) {
        let behind = (next + 1..=next + NEAR).take_while(fits);
        let is_right = |last: &usize| has_new_number(sentence(*last), candidates, run);
        return longer(behind.into_iter().find(is_right).unwrap_or(next));
    }
    let tallies = (next..candidates.len()).take_while(|index| text::is_tally(sentence(*index)));
    let tallies = tallies.take_while(fits);
    tallies.last().map_or(run, longer)
}

/// `true` if a sentence has a number that no sentence of a run has.
fn has_new_number(sentence: &str, candidates: &[Candidate], run: Run) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        let words = text::words(text).map(|word| text::fold(word.text));
        words
            .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .collect()
    };
    let of_run = candidates[run.first..=run.last].iter();
    let of_run: Vec<String> = of_run.flat_map(|own| numbers(&own.sentence)).collect();
    let mut numbers = numbers(sentence).into_iter();
    numbers.any(|number| !of_run.contains(&number))
}
