//! The quality of the support check, and of the comparison of two statements.
//!
//! `RESEARCH_BENCH_DATA=<folder> cargo bench --bench claims`. The folder holds `wice/dev.jsonl`,
//! `factcheck_gpt/subtask3_claim_evidence_stance.jsonl` and `xquad/en.json`; what is missing is
//! left out. It prints the areas under the curve on both labelled sets, the shares of true claims
//! by verdict and score, the weights of the logistic model learnt on them, and how many sentences
//! that a rule made false, or only rewrote, count as restatements of the original.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use research::artifact::verification::Verdict;
use research::cite::{MEASURES, Statement, support};
use research::text;
use serde_json::Value;

/// The steps of Newton's method; it converges in about six.
const STEPS: usize = 10;

/// The penalty on the square of a weight, relative to the mean loss of an example.
const RIDGE: f64 = 1e-3;

/// The number of parts of the cross-validation.
const FOLDS: usize = 5;

/// A claim with its passage, as measured.
struct Example {
    measures: [f64; MEASURES],
    score: f64,
    is_supported: bool,
    /// `true` if people called it supported at least in part.
    is_partly: bool,
    verdict: Verdict,
    /// The weight by which both sets and both classes count alike.
    weight: f64,
    /// The labelled set that it is of.
    set: &'static str,
    /// The beginning of its page, or its claim: what shares it is in one fold.
    group: String,
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn main() -> Result<()> {
    let Some(data) = std::env::var_os("RESEARCH_BENCH_DATA") else {
        println!("set RESEARCH_BENCH_DATA to measure the support check");
        return Ok(());
    };
    let data = Path::new(&data);
    let mut examples = Vec::new();
    let sets = [
        ("wice/dev.jsonl", "label", "supported"),
        (
            "factcheck_gpt/subtask3_claim_evidence_stance.jsonl",
            "stance",
            "completely-support",
        ),
    ];
    for (file, label, supported) in sets {
        if data.join(file).is_file() {
            let set = labelled(&data.join(file), label, supported)?;
            let scores: Vec<_> = set
                .iter()
                .map(|one| (one.score, one.is_supported))
                .collect();
            println!("{file}: {} claims, AUROC {:.3}", set.len(), auroc(&scores));
            shares(&set);
            examples.extend(set);
        }
    }
    if !examples.is_empty() {
        let all: Vec<&Example> = examples.iter().collect();
        println!("weights {:.2?}", learnt(&all));
        cross_validate(&examples);
    }
    let articles = data.join("xquad/en.json");
    if articles.is_file() {
        changes(&std::fs::read_to_string(articles)?)?;
    }
    Ok(())
}

/// The examples of a labelled set.
fn labelled(file: &Path, label: &'static str, supported: &str) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let line: Value = serde_json::from_str(line)?;
        let claim = line["claim"].as_str().context("no claim")?;
        let evidence = match &line["evidence"] {
            Value::Array(sentences) => {
                let sentences = sentences.iter().filter_map(Value::as_str);
                sentences
                    .map(|sentence| format!("{}.\n", sentence.trim_end_matches('.')))
                    .collect()
            }
            passage => passage.as_str().context("no evidence")?.to_owned(),
        };
        let found = support(claim, &evidence);
        examples.push(Example {
            measures: found.measures,
            score: found.score,
            is_supported: line[label] == supported,
            is_partly: line[label]
                .as_str()
                .is_some_and(|label| label.contains("support"))
                && !line[label]
                    .as_str()
                    .is_some_and(|label| label.starts_with("not")),
            verdict: found.verdict,
            weight: 0.0,
            set: label,
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
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn shares(set: &[Example]) {
    let share = |of: &dyn Fn(&Example) -> bool, is_true: &dyn Fn(&Example) -> bool| {
        let all = set.iter().filter(|example| of(example)).count();
        let both = set
            .iter()
            .filter(|example| of(example) && is_true(example))
            .count();
        both as f64 / all.max(1) as f64
    };
    for verdict in [Verdict::Supported, Verdict::Partial, Verdict::Unsupported] {
        let partly = share(&|one| one.verdict == verdict, &|one| one.is_partly);
        println!("  {verdict:?}: {partly:.2} at least in part");
    }
    for least in [0.5, 0.7, 0.8, 0.9] {
        let wholly = share(&|one| one.score >= least, &|one| one.is_supported);
        println!("  score of {least} and more: {wholly:.2} as a whole");
    }
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

/// Prints the area under the curve and the balanced accuracy of each set by cross-validation: no
/// claim is scored by weights that were learnt on its page.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn cross_validate(examples: &[Example]) {
    let mut folds: BTreeMap<&str, usize> = BTreeMap::new();
    for example in examples {
        let next = folds.len() % FOLDS;
        folds.entry(&example.group).or_insert(next);
    }
    let mut scored: BTreeMap<&str, Vec<(f64, bool)>> = BTreeMap::new();
    for fold in 0..FOLDS {
        let is_held_out = |example: &Example| folds.get(example.group.as_str()) == Some(&fold);
        let others: Vec<&Example> = examples.iter().filter(|one| !is_held_out(one)).collect();
        let weights = learnt(&others);
        for example in examples.iter().filter(|one| is_held_out(one)) {
            let score = (score(&weights, example), example.is_supported);
            scored.entry(example.set).or_default().push(score);
        }
    }
    for (set, scores) in scored {
        let accuracy = |class: bool| {
            let of = scores
                .iter()
                .filter(|(_, is_supported)| *is_supported == class);
            let right = of.clone().filter(|(score, _)| (*score >= 0.5) == class);
            right.count() as f64 / of.count().max(1) as f64
        };
        println!(
            "{set}, cross-validated: AUROC {:.3}, balanced accuracy {:.3}",
            auroc(&scores),
            f64::midpoint(accuracy(true), accuracy(false))
        );
    }
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
fn learnt(examples: &[&Example]) -> Vec<f64> {
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

/// A rule that changes a sentence: its name, the words that it replaces, and whether the sentence
/// stays true.
type Rule = (&'static str, &'static [(&'static str, &'static str)], bool);

/// The rules, of which the first pair of words that a sentence contains is replaced.
const RULES: &[Rule] = &[
    (
        "negation",
        &[
            (" is ", " is not "),
            (" was ", " was not "),
            (" are ", " are not "),
        ],
        false,
    ),
    (
        "modality",
        &[(" is ", " may be "), (" was ", " may have been ")],
        false,
    ),
    (
        "direction",
        &[
            (" increased ", " decreased "),
            (" more ", " less "),
            (" higher ", " lower "),
        ],
        false,
    ),
    (
        "order",
        &[
            (" before ", " after "),
            (" after ", " before "),
            (" first ", " last "),
        ],
        false,
    ),
    (
        "quantifier",
        &[
            (" all ", " some "),
            (" most ", " few "),
            (" every ", " no "),
        ],
        false,
    ),
    (
        "scale",
        &[
            (" million", " billion"),
            (" billion", " million"),
            (" thousand", " million"),
        ],
        false,
    ),
    (
        "unit",
        &[
            ("%", " kg"),
            (" percent", " metres"),
            (" km", " kg"),
            (" miles", " hours"),
        ],
        false,
    ),
    ("currency", &[("$", "£"), ("£", "€"), ("€", "$")], false),
    (
        "number words",
        &[
            (" two ", " 2 "),
            (" three ", " 3 "),
            (" four ", " 4 "),
            (" five ", " 5 "),
        ],
        true,
    ),
    ("per cent", &[(" percent", " %"), ("%", " percent")], true),
    (
        "synonym",
        &[
            (" big ", " large "),
            (" began ", " started "),
            (" show ", " demonstrate "),
        ],
        true,
    ),
    ("layout", &[(" ", "  "), (", ", " , ")], true),
    (
        "adverb",
        &[(" is ", " is currently "), (" was ", " was originally ")],
        true,
    ),
];

/// Prints, for each rule, the share of changed sentences that count as restatements.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn changes(articles: &str) -> Result<()> {
    let articles: Value = serde_json::from_str(articles)?;
    let mut counts: BTreeMap<(bool, String), (usize, usize)> = BTreeMap::new();
    for context in contexts(&articles) {
        for range in text::sentences(context, 0..context.len()) {
            let sentence = &context[range];
            let own = Statement::parse(sentence);
            // Sentences that depend on their context restate nothing.
            if own.difference(&own).is_some() {
                continue;
            }
            for (rule, changed, is_true) in changed(sentence) {
                let count = counts.entry((is_true, rule)).or_default();
                count.0 += usize::from(own.difference(&Statement::parse(&changed)).is_none());
                count.1 += 1;
            }
        }
    }
    for ((is_true, rule), (accepted, all)) in counts {
        let kind = if is_true { "true" } else { "false" };
        let share = accepted as f64 / all as f64;
        println!("{kind} by {rule}: {accepted} of {all} accepted ({share:.3})");
    }
    Ok(())
}

/// All paragraphs of the articles.
fn contexts(articles: &Value) -> Vec<&str> {
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default().len();
    let articles = if articles.is_array() {
        articles
    } else {
        &articles["data"]
    };
    (0..list(articles))
        .flat_map(|article| {
            let paragraphs = &articles[article]["paragraphs"];
            (0..list(paragraphs)).filter_map(move |at| paragraphs[at]["context"].as_str())
        })
        .collect()
}

/// The sentence changed by each rule that applies.
fn changed(sentence: &str) -> Vec<(String, String, bool)> {
    let mut changed = Vec::new();
    for (rule, words, is_true) in RULES {
        let pair = words.iter().find(|(from, _)| sentence.contains(from));
        if let Some((from, to)) = pair {
            let sentence = sentence.replacen(from, to, 1);
            changed.push(((*rule).to_owned(), sentence, *is_true));
        }
    }
    if let Some(quantity) = text::quantities(sentence).first() {
        let digits = &sentence[quantity.range.clone()];
        for (rule, from, to) in [
            ("number", "1", "7"),
            ("number", "2", "9"),
            ("number", "5", "3"),
        ] {
            if digits.contains(from) {
                let other = digits.replacen(from, to, 1);
                changed.push((rule.to_owned(), sentence.replacen(digits, &other, 1), false));
            }
        }
    }
    let mut words = text::words(sentence).skip(1);
    let name = words.find(|word| word.text.len() > 3 && word.text.starts_with(char::is_uppercase));
    if let Some(name) = name {
        let other = sentence.replacen(name.text, "Zanzibar", 1);
        changed.push(("name".to_owned(), other, false));
    }
    changed
}
