//! Citations exchanged between claims, quotations that are searched, and the sentences that people
//! marked as supporting a claim.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use research::artifact::verification::Verdict;
use research::cite::{Passages, best_passages, support};
use serde_json::Value;

/// The number of sentences of a passage of a WiCE page.
const PASSAGE_SENTENCES: usize = 5;

/// The number of other claims' pages among which the right passage is looked for.
const OTHER_PAGES: usize = 4;

/// A claim that people called supported, with its page.
struct Claim {
    text: String,
    page: Vec<String>,
    /// The alternative sets of sentences that support it.
    gold: Vec<BTreeSet<usize>>,
}

impl Claim {
    /// The passages of the page, with the numbers of their sentences.
    fn passages(&self) -> impl Iterator<Item = (BTreeSet<usize>, String)> {
        let parts = self.page.chunks(PASSAGE_SENTENCES).enumerate();
        parts.map(|(part, sentences)| {
            let from = part * PASSAGE_SENTENCES;
            ((from..from + sentences.len()).collect(), text(sentences))
        })
    }

    fn is_gold(&self, sentences: &BTreeSet<usize>) -> bool {
        self.gold.iter().any(|gold| !gold.is_disjoint(sentences))
    }
}

/// The sentences of a page as a text.
pub(crate) fn text(sentences: &[String]) -> String {
    let sentences = sentences.iter();
    sentences
        .map(|sentence| format!("{}.\n", sentence.trim_end_matches('.')))
        .collect()
}

/// The shares of exchanged citations that are noticed, and that are led to the right passage.
#[derive(Default)]
pub(crate) struct Swapped {
    /// The exchanged citations.
    pub(crate) all: usize,
    pub(crate) detected: usize,
    pub(crate) repaired: usize,
    /// The same by shared words: the passage with the most of them.
    pub(crate) repaired_by_overlap: usize,
}

fn claims(wice: &Path) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for line in std::fs::read_to_string(wice)?.lines() {
        let line: Value = serde_json::from_str(line)?;
        if line["label"] == "not_supported" {
            continue;
        }
        let strings = |value: &Value| {
            let values = value.as_array().into_iter().flatten();
            values
                .filter_map(|one| Some(one.as_str()?.to_owned()))
                .collect()
        };
        let set = |value: &Value| {
            let values = value.as_array().into_iter().flatten();
            values
                .filter_map(|one| usize::try_from(one.as_u64()?).ok())
                .collect()
        };
        let sets = line["supporting_sentences"].as_array();
        claims.push(Claim {
            text: line["claim"].as_str().context("no claim")?.to_owned(),
            page: strings(&line["evidence"]),
            gold: sets.into_iter().flatten().map(set).collect(),
        });
    }
    Ok(claims)
}

/// Cites for each claim a passage of the next claim's page, and looks for the right one among the
/// passages of its own page and some others.
pub(crate) fn swapped(wice: &Path) -> Result<Swapped> {
    let claims = claims(wice)?;
    let mut counted = Swapped::default();
    for (number, claim) in claims.iter().enumerate() {
        let others = (1..claims.len()).map(|step| &claims[(number + step) % claims.len()]);
        let others: Vec<&Claim> = others
            .filter(|other| other.page != claim.page)
            .take(OTHER_PAGES)
            .collect();
        let Some(wrong) = others.first().and_then(|other| {
            let mut passages = other.passages();
            passages.find(|(sentences, _)| other.is_gold(sentences))
        }) else {
            continue;
        };
        counted.all += 1;
        let is_detected = support(&claim.text, &wrong.1).verdict != Verdict::Supported;
        counted.detected += usize::from(is_detected);
        let pages = std::iter::once(claim).chain(others.iter().copied());
        let passages: Vec<(bool, String)> = pages
            .enumerate()
            .flat_map(|(page, own)| {
                let passages = own.passages();
                passages.map(move |(sentences, text)| (page == 0 && own.is_gold(&sentences), text))
            })
            .collect();
        let texts: Vec<&str> = passages.iter().map(|(_, text)| text.as_str()).collect();
        let best = best_passages(&claim.text, &texts);
        let is_right = |index: Option<&usize>| index.is_some_and(|index| passages[*index].0);
        counted.repaired += usize::from(is_right(best.first()));
        let overlaps = texts.iter().map(|text| super::overlap(&claim.text, text));
        let most = overlaps
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        counted.repaired_by_overlap += usize::from(is_right(most.map(|(index, _)| index).as_ref()));
    }
    Ok(counted)
}

/// The mean share of a set of supporting sentences that is among the first ones: of the set that is
/// matched best.
pub(crate) fn marked(wice: &Path, depth: usize) -> Result<(f64, f64)> {
    let (mut ours, mut plain, mut count) = (0.0, 0.0, 0.0);
    for claim in claims(wice)? {
        if claim.gold.iter().all(BTreeSet::is_empty) {
            continue;
        }
        let sentences: Vec<String> = claim
            .page
            .iter()
            .map(|one| text(std::slice::from_ref(one)))
            .collect();
        let texts: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let recall = |chosen: &[usize]| {
            let shares = claim.gold.iter().filter(|set| !set.is_empty()).map(|set| {
                let hits = set.iter().filter(|one| chosen.contains(one)).count();
                hits as f64 / set.len() as f64
            });
            shares.fold(0.0, f64::max)
        };
        ours += recall(&Passages::parse(&texts).ranked(&claim.text, depth));
        let mut by_overlap: Vec<usize> = (0..texts.len()).collect();
        let overlaps: Vec<f64> = texts
            .iter()
            .map(|one| super::overlap(&claim.text, one))
            .collect();
        by_overlap.sort_by(|a, b| overlaps[*b].total_cmp(&overlaps[*a]));
        by_overlap.truncate(depth);
        plain += recall(&by_overlap);
        count += 1.0;
    }
    Ok((ours / count, plain / count))
}
