//! Numbered decisions: the label of one, "Decision 2: …", and a sentence by which it does not hold
//! any more, "Decision 2 of 10 March is reversed".

use super::correction::OVERRULED;
use super::days::day_of;
use super::words::{first_phrase, fold, phrase, words};

/// Nouns of what is decided; a closed list, in English and German, written by hand.
const NOUNS: &[&str] = &["beschluss", "decision", "motion", "resolution"];

/// What is said of a decision that does not hold any more, beside the participles of what is
/// replaced; the same.
const ENDED: &str = "no longer applies, no longer holds, no longer in force, no longer stands, \
    no longer valid, does not apply any more, does not hold any more, is void, aufgehoben, \
    gilt nicht mehr";

/// Words by which something is no longer so; the same.
const NO_LONGER: [&str; 5] = [
    " no longer ",
    " not any more",
    " removed from ",
    " nicht mehr ",
    " kein ",
];

/// `true` if a sentence has words by which something is no longer so: "The mill is no longer in
/// use."
pub fn says_no_longer(sentence: &str) -> bool {
    NO_LONGER.iter().any(|words| sentence.contains(words))
}

/// A sentence without the words by which something is no longer so, if it has them.
pub fn without_no_longer(sentence: &str) -> Option<String> {
    let ended = NO_LONGER.iter().find(|words| sentence.contains(**words))?;
    Some(sentence.replacen(ended, " ", 1))
}

/// The label of a numbered decision with which a line begins, folded: "decision 2".
pub fn label_of_decision(line: &str) -> Option<String> {
    let start = line.find(char::is_alphanumeric)?;
    let mut words = words(&line[start..]);
    let (noun, number) = (fold(words.next()?.text), words.next()?);
    let is_number = number.text.starts_with(|c: char| c.is_ascii_digit());
    let behind = line[start + number.range.end..].chars().next();
    let is_label = NOUNS.contains(&noun.as_str()) && is_number && behind == Some(':');
    is_label.then(|| format!("{noun} {}", number.text))
}

/// `true` if a sentence says that the decision of a label does not hold any more.
pub fn revokes_decision(sentence: &str, label: &str) -> bool {
    let folded = super::folded(sentence);
    phrase(&folded, label).is_some_and(|at| is_ended(&folded[at..]))
}

/// `true` if a sentence says that some numbered decision does not hold any more.
pub fn revokes_numbered_decision(sentence: &str) -> bool {
    let folded = super::folded(sentence);
    let is_label = |pair: &[String]| {
        let is_number = pair[1].starts_with(|c: char| c.is_ascii_digit());
        is_number && NOUNS.contains(&pair[0].as_str())
    };
    let label = folded.windows(2).position(is_label);
    label.is_some_and(|at| is_ended(&folded[at..]))
}

/// The number of words behind the label of a decision among which its day is. Chosen by hand.
const DAY_WORDS: usize = 8;

/// The month and the day, "03-10", that a sentence gives of the decision of a label: "Decision 2 of
/// 10 March is reversed".
pub fn day_of_decision(sentence: &str, label: &str) -> Option<String> {
    let folded = super::folded(sentence);
    let behind = phrase(&folded, label)? + label.split(' ').count();
    let is_verb = |word: &String| {
        let verbs = ["are", "does", "has", "is", "no", "was", "were"];
        verbs.contains(&word.as_str())
    };
    let behind = folded[behind..].iter().take(DAY_WORDS);
    let behind: Vec<String> = behind.take_while(|word| !is_verb(word)).cloned().collect();
    behind.windows(2).find_map(day_of)
}

/// `true` if the words behind the label of a decision say that it does not hold any more.
fn is_ended(behind: &[String]) -> bool {
    let is_overruled = |pair: &[String]| {
        let be = matches!(
            pair[0].as_str(),
            "is" | "are" | "was" | "were" | "been" | "hereby"
        );
        be && OVERRULED.split(", ").any(|verb| verb == pair[1])
    };
    behind.windows(2).any(is_overruled) || first_phrase(behind, ENDED).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_decision_is_revoked_by_its_label() {
        let label = label_of_decision("**Decision 2:** Dale is the site.").unwrap();
        assert_eq!(label, "decision 2");
        assert_eq!(label_of_decision("Decision makers: two."), None);
        for (sentence, expected) in [
            ("**Decision 4:** Decision 2 of 10 March is reversed.", true),
            ("Decision 2 no longer applies.", true),
            ("Decision 3 of 10 March is reversed.", false),
            ("Decision 2 is confirmed.", false),
            ("Decision 3 is reversed, and decision 2 stays.", false),
        ] {
            assert_eq!(revokes_decision(sentence, &label), expected, "{sentence}");
        }
    }

    #[test]
    fn day_of_a_decision_stands_between_its_label_and_its_verb() {
        for (sentence, day) in [
            ("Decision 2 of 10 March is reversed.", Some("03-10")),
            (
                "Decision 2 of the meeting of March 10 no longer applies.",
                Some("03-10"),
            ),
            ("Decision 2 is reversed from 1 May.", None),
        ] {
            assert!(revokes_numbered_decision(sentence), "{sentence}");
            let named = day_of_decision(sentence, "decision 2");
            assert_eq!(named.as_deref(), day, "{sentence}");
        }
    }
}
