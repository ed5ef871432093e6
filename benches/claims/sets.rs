//! The sets in which people judged whether evidence supports a claim, and the logistic model
//! learnt on them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use research::artifact::verification::Verdict;
use research::cite::{MEASURES, doubted, support};
use research::text;
use serde_json::Value;

/// The labelled sets: file, the name of the label, the label of a supported claim.
pub(crate) const SETS: [(&str, &str, &str); 2] = [
    ("wice/dev.jsonl", "label", "supported"),
    (
        "factcheck_gpt/subtask3_claim_evidence_stance.jsonl",
        "stance",
        "completely-support",
    ),
];

/// The steps of Newton's method; it converges in about six.
const STEPS: usize = 10;

/// The penalty on the square of a weight, relative to the mean loss of an example.
const RIDGE: f64 = 1e-3;

/// The number of parts of the cross-validation.
const FOLDS: usize = 5;

/// A claim with its passage, as measured.
pub(crate) struct Example {
    measures: [f64; MEASURES],
    score: f64,
    /// The share of the claim's words that are in the evidence: the baseline.
    overlap: f64,
    label: String,
    is_supported: bool,
    verdict: Verdict,
    /// `true` if a rule keeps it from being supported, whatever its score.
    is_vetoed: bool,
    /// The weight by which both sets and both classes count alike.
    weight: f64,
    /// The labelled set that it is of.
    set: &'static str,
    /// The beginning of its page, or its claim: what shares it is in one fold.
    group: String,
}

impl Example {
    /// `true` if people called it supported at least in part.
    fn is_partly(&self) -> bool {
        self.label.contains("support") && !self.label.starts_with("not")
    }
}

/// The figures of one labelled set.
pub(crate) struct Figures {
    pub(crate) set: &'static str,
    pub(crate) claims: usize,
    /// Cross-validated, of this check and of word overlap.
    pub(crate) auroc: [f64; 2],
    pub(crate) balanced_accuracy: [f64; 2],
    /// The mean F1 of the three verdicts as they are, if the labels are three.
    pub(crate) macro_f1: Option<f64>,
    /// The share of the supported claims that a rule vetoes.
    pub(crate) vetoed: f64,
}

/// The examples of a labelled set.
pub(crate) fn labelled(
    file: &Path,
    (set, label, supported): (&'static str, &str, &str),
) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let line: Value = serde_json::from_str(line)?;
        let claim = line["claim"].as_str().context("no claim")?;
        let evidence = match &line["evidence"] {
            Value::Array(sentences) => {
                let sentences = sentences.iter().filter_map(Value::as_str);
                let sentences: Vec<String> = sentences.map(str::to_owned).collect();
                super::citations::text(&sentences)
            }
            passage => passage.as_str().context("no evidence")?.to_owned(),
        };
        let checked = support(claim, &evidence);
        if checked.is_refuted && line[label] == supported && super::shows() {
            super::print(&format!("{set} vetoed: {} {claim:?}", checked.reasons[0]));
        }
        examples.push(Example {
            measures: checked.measures,
            score: checked.score,
            overlap: super::overlap(claim, &evidence),
            label: line[label].as_str().context("no label")?.to_owned(),
            is_supported: line[label] == supported,
            verdict: checked.verdict,
            is_vetoed: checked.is_refuted,
            weight: 0.0,
            set,
            group: if line["evidence"].is_array() {
                text::truncate(&evidence, 200).to_owned()
            } else {
                claim.to_owned()
            },
        });
    }
    for class in [false, true] {
        let is_of_class = |example: &&mut Example| example.is_supported == class;
        let count = examples.iter_mut().filter(is_of_class).count();
        for example in examples.iter_mut().filter(is_of_class) {
            example.weight = 1.0 / count as f64;
        }
    }
    Ok(examples)
}

/// Prints the shares by which the analyst trusts words: of each verdict the share of claims that
/// are supported at least in part, and from each score the share that is supported as a whole.
pub(crate) fn print_shares(set: &[Example]) {
    let share = |of: &dyn Fn(&Example) -> bool, is_true: &dyn Fn(&Example) -> bool| {
        let all = set.iter().filter(|example| of(example)).count();
        let both = set.iter().filter(|one| of(one) && is_true(one)).count();
        both as f64 / all.max(1) as f64
    };
    for verdict in [Verdict::Supported, Verdict::Partial, Verdict::Unsupported] {
        let partly = share(&|one| one.verdict == verdict, &Example::is_partly);
        super::print(&format!("  {verdict:?}: {partly:.2} at least in part"));
    }
    for least in [0.5, 0.7, 0.8, 0.9] {
        let wholly = share(&|one| one.score >= least, &|one| one.is_supported);
        super::print(&format!(
            "  score of {least} and more: {wholly:.2} as a whole"
        ));
    }
}

/// The figures of each set. No claim is scored by weights or a threshold learnt on its page.
pub(crate) fn cross_validate(examples: &[Example]) -> Vec<Figures> {
    let mut folds: BTreeMap<&str, usize> = BTreeMap::new();
    for example in examples {
        let next = folds.len() % FOLDS;
        folds.entry(&example.group).or_insert(next);
    }
    let mut scored: BTreeMap<&'static str, Vec<(&Example, f64, bool)>> = BTreeMap::new();
    for fold in 0..FOLDS {
        let is_held_out = |example: &Example| folds.get(example.group.as_str()) == Some(&fold);
        let others: Vec<&Example> = examples.iter().filter(|one| !is_held_out(one)).collect();
        let weights = learnt(&others);
        for example in examples.iter().filter(|one| is_held_out(one)) {
            let score = match score(&weights, example) {
                score if example.verdict == Verdict::Contradicted => 0.5 * score,
                score if example.is_vetoed => doubted(score),
                score => score,
            };
            let threshold = threshold(others.iter().filter(|one| one.set == example.set));
            let of_set = scored.entry(example.set).or_default();
            of_set.push((example, score, example.overlap >= threshold));
        }
    }
    let sets = scored.into_iter().map(|(set, scored)| {
        let examples = scored.iter().map(|(example, _, _)| *example);
        let area = |score: &dyn Fn(&(&Example, f64, bool)) -> f64| {
            let scores = scored.iter();
            auroc(
                &scores
                    .map(|one| (score(one), one.0.is_supported))
                    .collect::<Vec<_>>(),
            )
        };
        let accuracy = |is_accepted: &dyn Fn(&(&Example, f64, bool)) -> bool| {
            balanced_accuracy(
                scored
                    .iter()
                    .map(|one| (is_accepted(one), one.0.is_supported)),
            )
        };
        let vetoed = examples
            .clone()
            .filter(|one| one.is_supported && one.is_vetoed)
            .count();
        Figures {
            set,
            claims: scored.len(),
            auroc: [area(&|one| one.1), area(&|one| one.0.overlap)],
            balanced_accuracy: [accuracy(&|one| one.1 >= 0.5), accuracy(&|one| one.2)],
            macro_f1: macro_f1(&examples.clone().collect::<Vec<_>>()),
            vetoed: vetoed as f64 / examples.filter(|one| one.is_supported).count().max(1) as f64,
        }
    });
    sets.collect()
}

/// The overlap from which a claim counts as supported with the best balanced accuracy.
fn threshold<'a>(examples: impl Iterator<Item = &'a &'a Example> + Clone) -> f64 {
    let steps = (0..=100).map(|step| f64::from(step) / 100.0);
    let best = steps.max_by(|a, b| {
        let accuracy = |least: f64| {
            let judged = examples.clone();
            balanced_accuracy(judged.map(|one| (one.overlap >= least, one.is_supported)))
        };
        accuracy(*a).total_cmp(&accuracy(*b))
    });
    best.unwrap_or_default()
}

/// The mean of the shares of both classes that are judged right.
fn balanced_accuracy(judged: impl Iterator<Item = (bool, bool)>) -> f64 {
    let mut right = [0.0, 0.0];
    let mut all = [0.0, 0.0];
    for (is_accepted, is_supported) in judged {
        all[usize::from(is_supported)] += 1.0;
        right[usize::from(is_supported)] += f64::from(u8::from(is_accepted == is_supported));
    }
    f64::midpoint(right[0] / all[0], right[1] / all[1])
}

/// The mean F1 of the verdicts over the three labels of WiCE.
fn macro_f1(examples: &[&Example]) -> Option<f64> {
    let classes = [
        ("supported", [Verdict::Supported, Verdict::Supported]),
        ("partially_supported", [Verdict::Partial, Verdict::Partial]),
        (
            "not_supported",
            [Verdict::Unsupported, Verdict::Contradicted],
        ),
    ];
    let is_of_classes = |one: &&Example| classes.iter().any(|(label, _)| *label == one.label);
    let f1 = classes.iter().map(|(label, verdicts)| {
        let judged = examples
            .iter()
            .filter(|one| verdicts.contains(&one.verdict))
            .count();
        let labelled = examples.iter().filter(|one| one.label == *label);
        let right = labelled
            .clone()
            .filter(|one| verdicts.contains(&one.verdict))
            .count();
        2.0 * right as f64 / (judged + labelled.count()).max(1) as f64
    });
    examples
        .iter()
        .all(is_of_classes)
        .then(|| f1.sum::<f64>() / 3.0)
}

/// The probability that a supported claim scores higher than one that is not.
fn auroc(scores: &[(f64, bool)]) -> f64 {
    let (mut wins, mut pairs) = (0.0, 0.0);
    for (one, _) in scores.iter().filter(|(_, is_supported)| *is_supported) {
        for (other, _) in scores.iter().filter(|(_, is_supported)| !is_supported) {
            pairs += 1.0;
            wins += match one.total_cmp(other) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    wins / pairs
}

/// The inputs of the logistic model, the constant of the intercept first.
fn inputs(example: &Example) -> Vec<f64> {
    std::iter::once(1.0).chain(example.measures).collect()
}

fn score(weights: &[f64], example: &Example) -> f64 {
    let inputs = inputs(example);
    let sum: f64 = inputs.iter().zip(weights).map(|(a, b)| a * b).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// The weights of a logistic regression over the measures, the intercept first: Newton's method,
/// with a small ridge so that measures that say the same have finite weights.
pub(crate) fn learnt(examples: &[&Example]) -> Vec<f64> {
    let size = MEASURES + 1;
    let mut weights = vec![0.0; size];
    let total: f64 = examples.iter().map(|example| example.weight).sum();
    for _ in 0..STEPS {
        // The Hessian and, in the last column, the gradient.
        let mut system = vec![vec![0.0; size + 1]; size];
        for (row, weight) in weights.iter().enumerate() {
            system[row][row] = RIDGE;
            system[row][size] = -RIDGE * weight;
        }
        for example in examples {
            let (inputs, score) = (inputs(example), score(&weights, example));
            let own = example.weight / total;
            let error = f64::from(u8::from(example.is_supported)) - score;
            for row in 0..size {
                for column in 0..size {
                    system[row][column] +=
                        own * score * (1.0 - score) * inputs[row] * inputs[column];
                }
                system[row][size] += own * error * inputs[row];
            }
        }
        let steps = solution(system);
        weights
            .iter_mut()
            .zip(steps)
            .for_each(|(weight, step)| *weight += step);
    }
    weights
}

/// The solution of a positive definite system, by Gaussian elimination.
fn solution(mut system: Vec<Vec<f64>>) -> Vec<f64> {
    for pivot in 0..system.len() {
        let own = system[pivot].clone();
        for (row, values) in system.iter_mut().enumerate() {
            if row != pivot {
                let factor = values[pivot] / own[pivot];
                values
                    .iter_mut()
                    .zip(&own)
                    .for_each(|(value, own)| *value -= factor * own);
            }
        }
    }
    let rows = system.iter().enumerate();
    rows.map(|(row, values)| values.last().unwrap_or(&0.0) / values[row])
        .collect()
}
