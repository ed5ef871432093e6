//! The credibility of the sources after comparing them, and the corroboration of the insights. A
//! model has no say in either.

use std::collections::BTreeSet;

use url::Url;

use super::super::answer::rounded;
use super::DISPUTED;
use super::category::category;
use super::party::is_of_party;
use crate::artifact::Research;
use crate::artifact::analysis::{
    Contradiction, Corroboration, Insight, Reliability, SourceCredibility,
};
use crate::artifact::source::{Credibility, Source};
use crate::text;

/// The change of a source's credibility for each insight that it shares with another source, and
/// for each contradiction; counted up to [`COUNT`].
const CHANGE: f64 = 0.1;

/// The loss of a press release, a letter or a leaflet. Chosen by hand.
const OF_PARTY_LOSS: f64 = 0.2;

/// The number of shared insights, and of contradictions, that count for a source's credibility.
const COUNT: usize = 3;

/// The credibility of the sources: that of collection, raised for each insight that other sources
/// share, lowered for each contradiction; with their category and reliability.
pub(super) fn credibility(
    research: &Research,
    insights: &[Insight],
    contradictions: &[Contradiction],
) -> Vec<SourceCredibility> {
    let source_of = |id: &str| research.passage(id).map(|passage| passage.source.as_str());
    let mut scored = Vec::new();
    for source in &research.sources {
        let is_shared = |insight: &&Insight| {
            let mut all = std::iter::once(&insight.passage).chain(&insight.agreeing);
            !insight.agreeing.is_empty() && all.any(|id| source_of(id) == Some(&source.id))
        };
        let agreed = insights.iter().filter(is_shared).count();
        let disputed = contradictions
            .iter()
            .flat_map(|pair| [(pair, &pair.one), (pair, &pair.other)])
            .filter(|(pair, id)| pair.disputes(id) && source_of(id) == Some(&source.id))
            .count();
        let mut reasons = source.credibility.reasons.clone();
        if agreed > 0 {
            reasons.push(format!("other sources agree with {agreed} of its passages"));
        }
        if disputed > 0 {
            let times = match disputed {
                1 => "once".to_owned(),
                more => format!("{more} times"),
            };
            reasons.push(format!("another source contradicts it {times}"));
        }
        let is_of_party = is_of_party(source);
        if is_of_party {
            reasons.push("a party publishes it on its own behalf".to_owned());
        }
        let score = source.credibility.score + CHANGE * agreed.min(COUNT) as f64
            - CHANGE * disputed.min(COUNT) as f64
            - f64::from(u8::from(is_of_party)) * OF_PARTY_LOSS;
        let score = rounded(score.clamp(0.0, 1.0));
        scored.push(SourceCredibility {
            source: source.id.clone(),
            credibility: Credibility { score, reasons },
            category: category(source),
            reliability: Some(Reliability::of(score)),
        });
    }
    scored
}

/// Compares the sources behind each insight.
///
/// The strength is the probability that at least one of the independent sources is right, if each
/// is right as often as its credibility says (noisy or); lower if another source contradicts it.
pub(super) fn corroborate(
    research: &Research,
    insights: &mut [Insight],
    contradictions: &[Contradiction],
) {
    for insight in insights {
        let passages: Vec<&String> = std::iter::once(&insight.passage)
            .chain(&insight.agreeing)
            .collect();
        let mut publishers = BTreeSet::new();
        let independent: Vec<&Source> = passages
            .iter()
            .filter_map(|id| research.source(&research.passage(id)?.source))
            .filter(|source| publishers.insert(publisher(source)))
            .collect();
        let doubt: f64 = independent
            .iter()
            .map(|source| 1.0 - source.credibility.score.clamp(0.0, 1.0))
            .product();
        let contradicted = contradictions
            .iter()
            .any(|pair| passages.iter().any(|id| pair.disputes(id)));
        let factor = if contradicted { DISPUTED } else { 1.0 };
        insight.corroboration = Some(Corroboration {
            sources: independent.len(),
            strength: rounded(factor * (1.0 - doubt)),
            contradicted,
        });
    }
}

/// Whoever is behind a source: its author, else its host, else it stands for itself.
fn publisher(source: &Source) -> String {
    let author = source.author.as_deref().map(text::fold);
    let host = || Some(Url::parse(&source.locator).ok()?.host_str()?.to_owned());
    author.or_else(host).unwrap_or_else(|| source.id.clone())
}
