//! Numbered decisions: the label of one, "Decision 2: …", and a sentence by which it does not hold
//! any more, "Decision 2 of 10 March is reversed".

use super::replacement::OVERRULED;
use super::words::{first_phrase, fold, phrase, words};

/// Nouns of what is decided; a closed list, in English and German, written by hand.
const NOUNS: &[&str] = &["beschluss", "decision", "motion", "resolution"];

/// What is said of a decision that does not hold any more, beside the participles of what is
/// replaced; the same.
const ENDED: &str = "no longer applies, no longer holds, no longer in force, no longer stands, \
    no longer valid, does not apply any more, does not hold any more, is void, aufgehoben, \
    gilt nicht mehr";

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
    let Some(at) = phrase(&folded, label) else {
        return false;
    };
    let behind = &folded[at..];
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
}
