//! Findings: a claim that a study "shows that" something is so says two things: that it is so, and
//! that the study says it. Each counts by itself, so that a denial of the one is not hidden by the
//! words of the other.

use super::restatement::Difference;
use super::statement::Statement;
use super::statement::lexicon::Qualifier;
use super::support::{Support, doubted};
use crate::artifact::verification::Verdict;
use crate::text;

/// Verbs of what a study or its author finds, in English and German, folded; a closed list, written
/// by hand. "Suggests" and the like leave open whether it is so.
const FINDS: &[&str] = &[
    "concluded",
    "concludes",
    "confirmed",
    "confirms",
    "demonstrated",
    "demonstrates",
    "established",
    "establishes",
    "find",
    "finds",
    "found",
    "proved",
    "proves",
    "reported",
    "reports",
    "revealed",
    "reveals",
    "show",
    "showed",
    "shows",
    "belegt",
    "belegte",
    "beweist",
    "bewies",
    "ergab",
    "fand",
    "zeigt",
    "zeigte",
];

/// The verbs among them that leave no doubt, and the beginnings of words that say as much.
const PROVES: &[&str] = &["proved", "proves", "beweist", "bewies"];
const PROOF: &[&str] = &[
    "prov",
    "proof",
    "conclusive",
    "demonstrat",
    "establish",
    "bewei",
    "bewies",
];

/// Nouns for a study and its authors, which its own text has other words for; a closed list, by
/// hand.
const STUDIES: &[&str] = &[
    "analysis",
    "article",
    "author",
    "authors",
    "cohort",
    "colleagues",
    "data",
    "experiment",
    "meta",
    "paper",
    "report",
    "research",
    "researchers",
    "results",
    "review",
    "study",
    "survey",
    "systematic",
    "team",
    "test",
    "trial",
    "autoren",
    "bericht",
    "studie",
    "untersuchung",
];

/// The maximum number of words before the verb: more are a sentence of their own. Chosen by hand.
const SUBJECT: usize = 10;

/// The least number of words that say something by themselves.
const CONTENT: usize = 3;

/// The largest number of words of what is so of which none may be missing. Chosen by hand.
const BRIEF: usize = 5;

/// A claim of what somebody found.
struct Finding<'a> {
    /// Who found it: "The review by Lee".
    subject: &'a str,
    /// The verb, folded.
    verb: String,
    /// What is so: "the cream helps".
    content: &'a str,
}

impl<'a> Finding<'a> {
    /// "The trial found that the cream helps"; `None` for a claim of another form.
    fn of(claim: &'a str) -> Option<Self> {
        let words: Vec<text::Word<'_>> = text::words(claim).take(SUBJECT + 2).collect();
        let is_that = |word: &text::Word<'_>| matches!(word.text, "that" | "dass");
        let that = words.iter().position(is_that).filter(|that| *that > 1)?;
        let verb = text::fold(words[that - 1].text);
        let subject = &claim[..words[that - 1].range.start];
        let content = claim[words[that].range.end..].trim_start();
        let denies = |word: &text::Word<'_>| matches!(word.text, "not" | "no" | "never" | "nicht");
        let is_finding = FINDS.contains(&verb.as_str())
            && !words[..that].iter().any(denies)
            && !subject.contains(',')
            && text::words(content).count() >= CONTENT;
        is_finding.then_some(Self {
            subject,
            verb,
            content,
        })
    }

    /// `true` if some passages name who found it.
    fn is_named_in(&self, passages: &[&str]) -> bool {
        let said: Vec<String> = passages.iter().flat_map(|own| text::folded(own)).collect();
        let mut words = text::folded(self.subject).into_iter();
        words.all(|word| {
            text::is_stop_word(&word) || STUDIES.contains(&&*word) || said.contains(&word)
        })
    }

    fn is_brief(&self) -> bool {
        let words = text::folded(self.content).into_iter();
        words.filter(|word| !text::is_stop_word(word)).count() <= BRIEF
    }

    /// `true` if the sentence that says most of what is so says only that it may be.
    fn is_hedged(&self, passages: &[&str], support: &Support) -> bool {
        let is_open = |words: &str| {
            let parsed = Statement::parse(words);
            parsed.qualifiers.contains_key(&Qualifier::Possibility)
        };
        let best = support.matches.first();
        let best = best.and_then(|own| passages.get(own.passage)?.get(own.range.clone()));
        best.is_some_and(is_open) && !is_open(self.content)
    }

    /// `true` if it is called proven, and no passage speaks of a proof.
    fn is_overstated(&self, passages: &[&str]) -> bool {
        let mut words = passages.iter().flat_map(|own| text::folded(own));
        let is_proof = |word: String| PROOF.iter().any(|proof| word.starts_with(proof));
        PROVES.contains(&self.verb.as_str()) && !words.any(is_proof)
    }
}

/// The support of a claim by some passages, given the support of any text by them.
pub(super) fn judged(claim: &str, passages: &[&str], support: impl Fn(&str) -> Support) -> Support {
    let whole = support(claim);
    // A sentence supports itself.
    let Some(finding) = Finding::of(claim).filter(|_| whole.score < 1.0) else {
        return whole;
    };
    let content = support(finding.content);
    match (content.verdict, whole.verdict) {
        (Verdict::Contradicted, _) => Support {
            verdict: Verdict::Contradicted,
            score: whole.score.min(content.score),
            is_refuted: true,
            reasons: content.reasons,
            ..whole
        },
        (Verdict::Supported, Verdict::Supported | Verdict::Partial)
            if finding.is_overstated(passages) =>
        {
            let reason = Difference::Addition(finding.verb).to_string();
            doubtful(whole, vec![reason])
        }
        (Verdict::Supported, Verdict::Partial)
            if content.reasons.is_empty() && finding.is_named_in(passages) =>
        {
            Support {
                verdict: Verdict::Supported,
                score: content.score,
                is_refuted: false,
                reasons: Vec::new(),
                ..whole
            }
        }
        (Verdict::Partial | Verdict::Unsupported, Verdict::Supported) => {
            doubtful(whole, content.reasons)
        }
        (Verdict::Supported, Verdict::Supported) if finding.is_hedged(passages, &content) => {
            doubtful(whole, vec![Difference::Qualifier.to_string()])
        }
        // Of few words each counts: "sugar raises the pulse" is not "sugar and its price".
        (Verdict::Supported, Verdict::Supported)
            if finding.is_brief() && !content.reasons.is_empty() =>
        {
            doubtful(whole, content.reasons)
        }
        _ => whole,
    }
}

/// The support of a claim that is doubted for some reasons.
fn doubtful(whole: Support, reasons: Vec<String>) -> Support {
    Support {
        verdict: Verdict::Partial,
        score: doubted(whole.score),
        is_refuted: true,
        reasons,
        ..whole
    }
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support_by;

    #[test]
    fn what_is_found_is_said_and_its_study_is_named() {
        let title = "The HARROW trial of a cream for itching";
        let denied = "The cream did not reduce itching in adults.";
        let hedged = "The cream may slightly reduce itching in adults, with low certainty.";
        let said = "The cream reduced itching in adults.";
        for (claim, passage, verdict) in [
            (
                "HARROW found that the cream reduces itching.",
                denied,
                Verdict::Contradicted,
            ),
            (
                "HARROW found that the cream reduced itching.",
                said,
                Verdict::Supported,
            ),
            (
                "The trial proves that the cream reduces itching.",
                hedged,
                Verdict::Partial,
            ),
            (
                "The trial proves that the cream reduced itching.",
                said,
                Verdict::Partial,
            ),
            (
                "The trial shows that the cream reduced itching.",
                said,
                Verdict::Supported,
            ),
        ] {
            let support = support_by(claim, &[title, passage]);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }

    #[test]
    fn a_sentence_with_the_name_of_an_author_is_no_finding_of_hers() {
        let fees = "A. Brenner received fees from Castor Foods in 2019. Sugar may slightly raise \
                    the pulse of adults; the evidence is of low certainty.";
        let claim = "The review by Brenner shows that sugar raises the pulse of adults.";
        let support = support_by(claim, &["Sugar and the pulse of adults: a review", fees]);
        assert_ne!(support.verdict, Verdict::Supported, "{support:?}");
    }
}
