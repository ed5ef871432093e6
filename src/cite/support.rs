//! The support check: does a passage support a claim? A score by words alone, without a model.
//!
//! The three sentences of the passage that together cover most of the claim are chosen greedily; a
//! logistic model over what they cover gives the score. Its weights are learnt by
//! `benches/claims.rs` on the development halves of WiCE and Factcheck-GPT (AUROC 0.79 and 0.77 by
//! five-fold cross-validation, balanced accuracy 0.71 and 0.70). A claim is contradicted only for a
//! reason that can be named.

use std::ops::Range;

use super::alignment::{SAME_WORD, similarity};
use super::restatement::Statements;
use super::statement::{Figure, Statement};
use crate::artifact::analysis::ContradictionKind;
use crate::artifact::verification::Verdict;

/// The number of sentences of a passage that may support a claim together.
const SENTENCES: usize = 3;

/// The maximum number of sentences of a passage that are read: the choice is quadratic.
const READ: usize = 400;

/// The maximum number of missing words that the reasons name.
const NAMED: usize = 3;

/// The weight of a number in the coverage of a claim.
const NUMBER_WEIGHT: f64 = 1.0;

/// The number of measures of the logistic model.
pub const MEASURES: usize = 6;

/// The logistic model, learnt with classes of equal weight: the intercept, and the weight of each
/// measure.
const INTERCEPT: f64 = -4.39;
const MODEL: [f64; MEASURES] = [2.86, 0.14, 1.15, 1.57, 1.04, -0.39];

/// The least score of a supported claim, and of one that is supported in part: those of the best
/// balanced accuracy.
const SUPPORTED: f64 = 0.5;
const PARTIAL: f64 = 0.35;

/// The support of a claim by a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Support {
    /// The verdict.
    pub verdict: Verdict,
    /// The score, 0 to 1.
    pub score: f64,
    /// The measures that the score is of: the share of the claim that the best three sentences
    /// cover together, that the whole passage covers, that the best sentence covers; the shares of
    /// its numbers and of its names that the three cover; the weight of the heaviest missing item.
    pub measures: [f64; MEASURES],
    /// What is missing or different, in words.
    pub reasons: Vec<String>,
    /// The byte range of the sentence of the passage that matches best; `None` if it has none.
    pub sentence: Option<Range<usize>>,
}

/// The support of a claim by a passage.
pub fn support(claim: &str, passage: &str) -> Support {
    let (claim, evidence) = (Statements::parse(claim), Statements::parse(passage));
    let sentences: Vec<&(Range<usize>, Statement)> =
        evidence.statements.iter().take(READ).collect();
    let words: Vec<&str> = sentences
        .iter()
        .map(|(_, own)| own.normal.as_str())
        .collect();
    let words = format!(" {} ", words.join(" "));
    let is_repeated = |own: &Statement| words.contains(&format!(" {} ", own.normal));
    let coverage = Coverage::of(&claim, &sentences);
    let sentence = coverage
        .chosen
        .first()
        .map(|best| sentences[*best].0.clone());
    // A sentence supports itself, whatever it refers to.
    if claim.statements.iter().all(|(_, own)| is_repeated(own)) && !claim.statements.is_empty() {
        return Support {
            verdict: Verdict::Supported,
            score: 1.0,
            measures: coverage.measures(),
            reasons: Vec::new(),
            sentence,
        };
    }
    let score = coverage.score();
    let contrast = coverage.contrast();
    let verdict = match score {
        _ if contrast.is_some() => Verdict::Contradicted,
        score if score >= SUPPORTED => Verdict::Supported,
        score if score >= PARTIAL => Verdict::Partial,
        _ => Verdict::Unsupported,
    };
    Support {
        verdict,
        score,
        measures: coverage.measures(),
        reasons: contrast.into_iter().chain(coverage.missing()).collect(),
        sentence,
    }
}

/// What a claim says, item by item.
enum Item<'a> {
    Word(&'a super::statement::ContentWord),
    Figure(&'a Figure),
}

impl Item<'_> {
    fn weight(&self) -> f64 {
        match self {
            Self::Word(word) => word.weight,
            Self::Figure(_) => NUMBER_WEIGHT,
        }
    }

    fn is_name(&self) -> bool {
        matches!(self, Self::Word(word) if word.is_name)
    }

    /// The degree to which a statement says it.
    fn value(&self, statement: &Statement) -> f64 {
        match self {
            Self::Word(word) => {
                let words = statement.words.iter();
                words
                    .map(|other| similarity(word, other))
                    .fold(0.0, f64::max)
            }
            Self::Figure(figure) => {
                let mut figures = statement.figures.iter();
                f64::from(u8::from(figures.any(|other| figure.equals(other))))
            }
        }
    }

    fn missing(&self) -> String {
        match self {
            Self::Word(word) if word.is_name => format!("the name {:?} is missing", word.folded),
            Self::Word(word) => format!("{:?} is missing", word.folded),
            Self::Figure(figure) => format!("the number {} is missing", figure.written.trim()),
        }
    }
}

/// What the chosen sentences of a passage cover of a claim.
struct Coverage<'a> {
    claim: &'a Statements,
    sentences: Vec<&'a Statement>,
    items: Vec<Item<'a>>,
    /// The indices of the chosen sentences, best first.
    chosen: Vec<usize>,
    /// For each item, the degree to which the chosen sentences say it.
    covered: Vec<f64>,
    /// The same for all sentences.
    anywhere: Vec<f64>,
    /// The share that the best sentence covers by itself.
    best: f64,
}

impl<'a> Coverage<'a> {
    fn of(claim: &'a Statements, sentences: &[&'a (Range<usize>, Statement)]) -> Self {
        let items: Vec<Item<'a>> = claim
            .iter()
            .flat_map(|own| {
                let figures = own.figures.iter().map(Item::Figure);
                own.words.iter().map(Item::Word).chain(figures)
            })
            .collect();
        let sentences: Vec<&Statement> = sentences.iter().map(|(_, own)| own).collect();
        let values: Vec<Vec<f64>> = sentences
            .iter()
            .map(|sentence| items.iter().map(|item| item.value(sentence)).collect())
            .collect();
        let mut coverage = Self {
            claim,
            sentences,
            chosen: Vec::new(),
            covered: vec![0.0; items.len()],
            anywhere: vec![0.0; items.len()],
            best: 0.0,
            items,
        };
        for own in &values {
            raise(&mut coverage.anywhere, own);
        }
        coverage.choose(&values);
        coverage
    }

    /// Chooses sentences greedily by what they add.
    fn choose(&mut self, values: &[Vec<f64>]) {
        for _ in 0..SENTENCES {
            let gain = |index: usize| {
                let mut covered = self.covered.clone();
                raise(&mut covered, &values[index]);
                self.share(&covered, |_| true) - self.share(&self.covered, |_| true)
            };
            let gains = (0..values.len()).map(|index| (gain(index), index));
            let best = gains.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let Some((_, index)) = best.filter(|(gain, _)| *gain > 0.0) else {
                return;
            };
            raise(&mut self.covered, &values[index]);
            self.chosen.push(index);
            if self.chosen.len() == 1 {
                self.best = self.share(&self.covered, |_| true);
            }
        }
    }

    /// The share of the weight of some items that is covered, 1 if there are none of them.
    fn share(&self, covered: &[f64], is_counted: impl Fn(&Item<'_>) -> bool) -> f64 {
        let (mut all, mut sum) = (0.0, 0.0);
        for (item, value) in self.items.iter().zip(covered) {
            if is_counted(item) {
                all += item.weight();
                sum += item.weight() * value;
            }
        }
        if all > 0.0 { sum / all } else { 1.0 }
    }

    /// The measures of the logistic model, as [`Support`] lists them.
    fn measures(&self) -> [f64; MEASURES] {
        let missing = self.items.iter().zip(&self.covered);
        let heaviest = missing
            .filter(|(_, value)| **value < SAME_WORD)
            .map(|(item, _)| item.weight())
            .fold(0.0, f64::max);
        [
            self.share(&self.covered, |_| true),
            self.share(&self.anywhere, |_| true),
            self.best,
            self.share(&self.covered, |item| matches!(item, Item::Figure(_))),
            self.share(&self.covered, |item| item.is_name()),
            heaviest,
        ]
    }

    fn score(&self) -> f64 {
        let measures = self.measures();
        let sum: f64 = measures.iter().zip(MODEL).map(|(a, b)| a * b).sum();
        1.0 / (1.0 + (-INTERCEPT - sum).exp())
    }

    /// The contrast of a claim of one sentence with a chosen sentence, in words.
    fn contrast(&self) -> Option<String> {
        let [(_, claim)] = self.claim.statements.as_slice() else {
            return None;
        };
        let chosen = self
            .chosen
            .iter()
            .filter_map(|index| self.sentences.get(*index));
        let mut chosen = chosen.filter_map(|sentence| claim.contrast(sentence));
        let contrast = chosen.next()?;
        Some(match contrast.kind {
            ContradictionKind::Negation => "only one of the two negates it".to_owned(),
            _ => {
                let text = format!(
                    "{} against {} {}",
                    contrast.one, contrast.other, contrast.unit
                );
                text.trim_end().to_owned()
            }
        })
    }

    /// The heaviest items that are missing, in words.
    fn missing(&self) -> Vec<String> {
        let items = self.items.iter().zip(&self.covered);
        let mut missing: Vec<&Item<'_>> = items
            .filter(|(_, value)| **value < SAME_WORD)
            .map(|(item, _)| item)
            .collect();
        // Stable: of equal weight the first in the claim.
        missing.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
        missing
            .iter()
            .take(NAMED)
            .map(|item| item.missing())
            .collect()
    }
}

/// Raises each value to the other one, if that is higher.
fn raise(values: &mut [f64], others: &[f64]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value = value.max(*other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGE: &str = "Heat pumps are quiet. In 56 old houses, air-source heat pumps reached a \
                           mean seasonal performance factor of 3.1 over one year. It was cold.";

    #[test]
    fn a_sentence_supports_itself() {
        for file in [
            "costs.md",
            "how-heat-pumps-work.md",
            "insulation-first.md",
            "about.md",
        ] {
            let path = format!("{}/examples/heat-pumps/{file}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            let body = text.find("\n# ").unwrap_or_default();
            for range in crate::text::sentences(&text, body..text.len()) {
                let sentence = &text[range];
                for passage in [sentence.to_owned(), format!("No. {sentence}")] {
                    let support = support(sentence, &passage);
                    assert_eq!(support.verdict, Verdict::Supported, "{sentence}");
                    assert!(support.score >= 1.0, "{sentence}");
                }
            }
        }
        for hostile in [
            "",
            "7 ".repeat(3000).as_str(),
            "`".repeat(999).as_str(),
            "\u{301}…",
        ] {
            let support = support(hostile, hostile);
            assert_ne!(support.verdict, Verdict::Contradicted, "{hostile}");
        }
    }

    #[test]
    fn the_verdict_names_what_is_missing_and_where_the_rest_is() {
        let claim = "Air-source heat pumps in 56 old houses reached a seasonal performance factor \
                     of 3.1 over one year.";
        let found = support(claim, PASSAGE);
        assert_eq!(found.verdict, Verdict::Supported, "{found:?}");
        assert!(PASSAGE[found.sentence.unwrap()].starts_with("In 56"));
        let found = support("Bees make honey in summer.", PASSAGE);
        assert_eq!(found.verdict, Verdict::Unsupported, "{found:?}");
        let other = PASSAGE.replace("3.1", "4.2");
        let own = crate::text::sentences(PASSAGE, 0..PASSAGE.len())[1].clone();
        let found = support(&PASSAGE[own], &other);
        assert_eq!(found.verdict, Verdict::Contradicted, "{found:?}");
        assert_eq!(found.reasons[0], "3.1 against 4.2");
        assert_eq!(found.reasons[1], "the number 3.1 is missing");
    }
}
