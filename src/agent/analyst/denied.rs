//! What one passage affirms and another denies: the words that both have, as a reader finds them.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::super::answer::line;
use crate::answering::{AnswerType, Question};
use crate::text::{self, Word};

/// The least number of shared words, besides stop words, that say what is denied. Chosen by hand.
const SHARED_WORDS: usize = 2;

/// The maximum length, in characters.
const CHARACTERS: usize = 200;

/// What stands for the words between those that are shared.
const GAP: &str = " … ";

/// What two passages with these quotations affirm and deny: the words that a sentence of both has,
/// or else the question, if yes or no answers it; empty if neither is there.
pub(super) fn denied(quotes: [&str; 2], question: &Question) -> String {
    let [one, other] = quotes.map(sentences);
    let pairs = one
        .iter()
        .flat_map(|one| other.iter().map(move |other| (one, other)));
    let shared = pairs.map(|(one, other)| shared(one, other));
    // The first of those with the most words: `max_by_key` would return the last.
    let most = shared.reduce(|most, next| if next.0 > most.0 { next } else { most });
    match most {
        Some((count, words)) if count >= SHARED_WORDS => line(&words, CHARACTERS),
        _ if question.answer_type == AnswerType::YesNo => line(&question.text, CHARACTERS),
        _ => String::new(),
    }
}

fn sentences(quote: &str) -> Vec<&str> {
    let ranges = text::sentences(quote, 0..quote.len()).into_iter();
    ranges.map(|range| &quote[range]).collect()
}

/// The words that two sentences share in the same order, as the one has them, with their number
/// besides stop words.
fn shared(one: &str, other: &str) -> (usize, String) {
    let [own, others] = [one, other].map(|sentence| text::words(sentence).collect::<Vec<_>>());
    let [stems, other_stems] = [&own, &others].map(|words| {
        let stems = words.iter().map(|word| text::stem(&text::fold(word.text)));
        stems.collect::<Vec<_>>()
    });
    let changes = capture_diff_slices(Algorithm::Lcs, &stems, &other_stems);
    let same = changes
        .iter()
        .filter(|change| change.tag() == DiffTag::Equal);
    let is_light = |word: &Word<'_>| text::is_stop_word(&text::fold(word.text));
    let (mut count, mut parts) = (0, Vec::new());
    for run in same.map(|change| &own[change.old_range()]) {
        let heavy: Vec<_> = run.iter().filter(|word| !is_light(word)).collect();
        count += heavy.len();
        if let (Some(first), Some(last)) = (heavy.first(), heavy.last()) {
            parts.push(&one[first.range.start..last.range.end]);
        }
    }
    (count, parts.join(GAP))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied_in(one: &str, other: &str, topic: &str) -> String {
        denied([one, other], &Question::parse(topic))
    }

    #[test]
    fn what_is_denied_is_what_both_say() {
        assert_eq!(
            denied_in(
                "Insulation does not have to come before a heat pump in an old house.",
                "It is cold. Insulation must come before a heat pump in an old house.",
                "Do heat pumps work in old houses?",
            ),
            "Insulation … come before a heat pump in an old house"
        );
    }

    #[test]
    fn a_reply_without_words_of_the_rule_denies_the_question() {
        let (one, other) = (
            "Yes, until noon.",
            "Any weekday until 16:00, never on a Friday.",
        );
        let question = "Can I deploy on a Friday?";
        assert_eq!(denied_in(one, other, question), question);
        assert_eq!(denied_in(one, other, "deploys"), "");
    }
}
