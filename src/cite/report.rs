//! Reports: what was done then, beside a rule of what is done.

use super::statement::verb::is_past_form;
use super::statement::{ContentWord, Statement};

/// Participles that are no other word than their verb.
const UNCHANGED: &[&str] = &["run", "put", "set", "cut", "read", "shut"];

/// `true` if a sentence reports what was done, where a claim says what is done: "The control was
/// run after every 20 samples" is no other rule than "is run after every 10 samples".
pub(super) fn is_report(claim: &Statement, own: &Statement) -> bool {
    let follows = |statement: &Statement, word: &ContentWord, forms: [&str; 2]| {
        let before = word.position.checked_sub(1);
        let before = before.and_then(|at| statement.normal.split(' ').nth(at));
        before.is_some_and(|before| forms.contains(&before))
    };
    let is_participle =
        |word: &&ContentWord| is_past_form(&word.folded) || UNCHANGED.contains(&&*word.folded);
    let done = claim.words.iter().filter(is_participle);
    let mut done = done.filter(|word| follows(claim, word, ["is", "are"]));
    done.any(|word| {
        let mut others = own.words.iter().filter(|other| other.stem == word.stem);
        others.any(|other| follows(own, other, ["was", "were"]))
    })
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn what_was_done_contradicts_no_rule() {
        let run = "The control standard of nitrate was run after every 20 samples.";
        for (claim, passage, is_contradicted) in [
            (
                "The control standard of nitrate is run after every 10 samples.",
                run,
                false,
            ),
            (
                "The control standard of nitrate was run after every 10 samples.",
                run,
                true,
            ),
            (
                "The limit of the pump is 12 bar.",
                "The limit of the pump was 10 bar.",
                true,
            ),
        ] {
            let verdict = support(claim, passage).verdict;
            assert_eq!(verdict == Verdict::Contradicted, is_contradicted, "{claim}");
            assert_ne!(verdict, Verdict::Supported, "{claim}");
        }
    }
}
