//! The words of a reason as the claim and its passages write them. What is compared is folded, and
//! English for words of other languages; a reader looks for what is on the page.

use super::coverage::Sentence;
use super::restatement::{Difference, Statements};
use super::statement::Statement;
use crate::text;

impl Difference {
    /// The same with the words as they are written in the text of the claim and in its evidence.
    pub(super) fn written(self, text: &str, claim: &Statements, evidence: &[Sentence<'_>]) -> Self {
        let claim = || claim.statements.iter().map(|(_, statement)| statement);
        let own = |words: String| {
            let written = run_of(text, &words).or_else(|| original(&words, claim()));
            // The capital of a first word is that of its sentence, unless it is a name.
            let is_name = !text::is_stop_word(&words) && !text::is_ordinary(&text::stem(&words));
            let written = written.filter(|written| is_name || !text.starts_with(*written));
            let inflected = || inflected(text, &words).map(str::to_lowercase);
            let written = written.map(str::to_owned).or_else(inflected);
            written.unwrap_or(words)
        };
        let name = |words: String| run_of(text, &words).map_or(words, str::to_owned);
        let other = |words: String| {
            let statements = evidence.iter().map(|sentence| sentence.statement);
            let written = original(&words, statements).map(str::to_owned);
            written.unwrap_or(words)
        };
        match self {
            Self::Number(one, two) => Self::Number(own(one), two.map(other)),
            Self::Opposite(one, two) => Self::Opposite(own(one), other(two)),
            Self::Name(words) => Self::Name(name(words)),
            Self::Word(words) => Self::Word(own(words)),
            Self::Addition(words) => Self::Addition(own(words)),
            Self::Binding(words) => Self::Binding(own(words)),
            Self::Former(words) => Self::Former(own(words)),
            Self::Exception(words) => Self::Exception(own(words)),
            Self::Proposal(words) => Self::Proposal(own(words)),
            Self::Restriction(words) => Self::Restriction(other(words)),
            Self::Belief(words) => Self::Belief(other(words)),
            Self::Context
            | Self::Negation
            | Self::Qualifier
            | Self::Alternative
            | Self::Comparison
            | Self::Order
            | Self::Excess => self,
        }
    }
}

/// The first run of words of a text that is the same as some folded ones, but for capitals and
/// accents.
fn run_of<'a>(text: &'a str, folded: &str) -> Option<&'a str> {
    let count = text::words(folded).count();
    let words: Vec<text::Word<'_>> = text::words(text).collect();
    let mut runs = words.windows(count.max(1)).filter_map(|run| {
        let range = run.first()?.range.start..run.last()?.range.end;
        text.get(range)
    });
    // "1.4.2" and "U.S." are compared without their points.
    runs.find(
        |run| matches!(text::fold(run), own if own == *folded || own.replace('.', "") == *folded),
    )
}

/// The word of a text of which only the stem is compared: "square" of "squar".
fn inflected<'a>(text: &'a str, stem: &str) -> Option<&'a str> {
    let mut words = text::words(text).map(|word| word.text);
    words.find(|word| text::stem(&text::fold(word)) == stem)
}

/// The words of another language that are read as these English ones, or as words with them.
fn original<'a>(
    english: &str,
    statements: impl Iterator<Item = &'a Statement> + Clone,
) -> Option<&'a str> {
    let glosses = statements.flat_map(|own| &own.glosses);
    let written = |is_it: &dyn Fn(&str) -> bool| {
        let mut glosses = glosses.clone();
        let (_, written) = glosses.find(|(own, _)| is_it(own))?;
        Some(&**written)
    };
    written(&|own| own == english)
        .or_else(|| written(&|own| own.split(' ').any(|one| one == english)))
}

#[cfg(test)]
mod tests {
    use crate::cite::support;

    #[test]
    fn reasons_have_the_words_of_the_claim_and_its_passage() {
        for (claim, passage, reason) in [
            (
                "Die Stadt wird die Gebühren senken.",
                "Die Stadt wird die Gebühren erhöhen.",
                "senken against erhöhen",
            ),
            (
                "Release 1.4.2 reads FeSO4 data.",
                "Release 2.0.1 reads other data.",
                "the name \"1.4.2\" is not in the passage",
            ),
            (
                "The office is run by Ann Wilk.",
                "The office is run by Ann Berg.",
                "\"Wilk\"",
            ),
            (
                "Ben leads the office of the town.",
                "Ann leads the office of the town.",
                "\"Ben\"",
            ),
        ] {
            let reasons = support(claim, passage).reason();
            assert!(reasons.contains(reason), "{claim} {reasons}");
        }
    }

    #[test]
    fn stem_is_shown_as_the_word_that_the_claim_has() {
        let text = "The square halls measure much.";
        assert_eq!(super::inflected(text, "squar"), Some("square"));
        assert_eq!(super::inflected(text, "hall"), Some("halls"));
        assert_eq!(super::inflected(text, "roof"), None);
    }
}
