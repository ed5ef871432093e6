//! The verification of claims: each quotation at its byte range, each sentence by the check in
//! plain code, and where that is not sure by a model that sees the claim and its passages alone.
//! Of both verdicts the stricter counts.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use crate::agent::{Agent as _, Verifier, VerifierInput, stricter};
use crate::artifact::claims::Claim;
use crate::artifact::source::Passage;
use crate::artifact::verification::{ClaimVerdict, ModelVerdict, Verdict};
use crate::artifact::{Claims, Research, Verification};
use crate::cite::{self, SourceText, Support};
use crate::model::BudgetExhausted;
use crate::pipeline::Event;
use crate::stage::stage_run::StageRun;
use crate::text;

/// The score from which the check in plain code is sure of a sentence (chosen by hand: nearly all
/// of its words are those of its passages).
const SURE: f64 = 0.9;

/// A sentence that no model has judged may have this many unsupported words, and one in
/// [`PER_UNSUPPORTED`] (chosen by hand: a clause that is added to a sentence has more).
const UNSUPPORTED: usize = 2;
const PER_UNSUPPORTED: usize = 8;

/// A check of sentences.
#[derive(Clone, Copy)]
pub(super) struct Checker<'a> {
    run: StageRun<'a>,
    research: &'a Research,
    /// The number of times that a model is asked about a sentence.
    verifications: usize,
}

/// A sentence that was checked.
pub(super) struct Checked {
    /// The stricter verdict.
    pub(super) verdict: Verdict,
    /// The reason for it.
    pub(super) reason: String,
    /// The score of the check in plain code.
    pub(super) score: f64,
}

impl<'a> Checker<'a> {
    /// The check of a session.
    pub(super) fn new(run: StageRun<'a>, research: &'a Research) -> Self {
        let has_model = run.context.backend.has_model(Verifier::NAME);
        let settings = &run.context.settings;
        let asks_model = has_model && settings.report.verify;
        Self {
            run,
            research,
            verifications: if asks_model {
                settings.limits(research.depth).verifications
            } else {
                0
            },
        }
    }

    /// Checks a sentence against passages.
    pub(super) async fn check(&self, sentence: &str, passages: &[&Passage]) -> Result<Checked> {
        let quotes = passages.iter().map(|own| {
            let printed = cite::as_sentence(&own.quote, &own.columns);
            (own.source.as_str(), printed)
        });
        let (support, model) = self.judge(sentence, &quotes.collect::<Vec<_>>()).await?;
        let score = support.score;
        let (verdict, reason) = combined(support.verdict, support.reason(), model.as_ref());
        Ok(Checked {
            verdict,
            reason,
            score,
        })
    }

    /// Checks a sentence against passages in plain code.
    pub(super) fn support(&self, sentence: &str, passages: &[&Passage]) -> Support {
        let quotes = passages.iter().map(|own| {
            let printed = cite::as_sentence(&own.quote, &own.columns);
            (self.title(&own.source), printed)
        });
        cite::support(sentence, &cite::evidence(quotes))
    }

    /// Checks a sentence in plain code, and by a model where that supports it and is not sure. What
    /// no model has judged is supported only if hardly a word of it is not. The passages are given
    /// by source and quotation, as printed.
    async fn judge(
        &self,
        sentence: &str,
        quotes: &[(&str, String)],
    ) -> Result<(Support, Option<ModelVerdict>)> {
        let titled = quotes
            .iter()
            .map(|(source, quote)| (self.title(source), quote.clone()));
        let evidence = cite::evidence(titled);
        let mut support = cite::support(sentence, &evidence);
        if support.verdict != Verdict::Supported || is_sure(sentence, &support, &evidence) {
            return Ok((support, None));
        }
        let model = self.ask(sentence, quotes).await?;
        if model.is_none() && !is_close(sentence, &support) {
            support.verdict = Verdict::Partial;
        }
        Ok((support, model))
    }

    /// Returns the strictest verdict of a model on a sentence; `None` if none is asked, or nothing
    /// is left for it.
    async fn ask(&self, sentence: &str, quotes: &[(&str, String)]) -> Result<Option<ModelVerdict>> {
        let passages = quotes
            .iter()
            .map(|(source, quote)| (self.title(source).to_owned(), quote.clone()));
        let mut input = VerifierInput {
            claim: sentence.to_owned(),
            passages: passages.collect(),
            claim_first: false,
        };
        let mut strictest: Option<ModelVerdict> = None;
        for claim_first in [false, true].into_iter().take(self.verifications) {
            input.claim_first = claim_first;
            let verdict = match self.run.ask::<Verifier>(&input).await {
                Err(error) if error.is::<BudgetExhausted>() => break,
                answered => answered?,
            };
            strictest = match (strictest, verdict) {
                (Some(one), Some(other)) if stricter(one.verdict, other.verdict) == one.verdict => {
                    Some(one)
                }
                (one, other) => other.or(one),
            };
            if strictest
                .as_ref()
                .is_some_and(|own| own.verdict != Verdict::Supported)
            {
                break;
            }
        }
        Ok(strictest)
    }

    fn title(&self, source: &str) -> &'a str {
        let source = self.research.source(source);
        source.map_or("", |source| source.title.as_str())
    }

    /// Verifies the claims of a draft against the stored texts of its sources.
    pub(super) async fn verify(
        &self,
        draft: &Claims,
        texts: &BTreeMap<String, String>,
    ) -> Result<Verification> {
        let mut verdicts = Vec::new();
        for claim in &draft.claims {
            verdicts.push(self.verify_claim(claim, texts).await?);
        }
        for (verdict, claim) in verdicts.iter().zip(&draft.claims) {
            if claim.is_written() {
                self.run.report(Event::ClaimVerified {
                    claim: claim.id.clone(),
                    verdict: verdict.verdict.name().to_owned(),
                    numeric: !text::quantities(&claim.text).is_empty(),
                })?;
            }
        }
        Ok(Verification::of(verdicts))
    }

    /// Verifies a claim: its quotations at their byte ranges, then what it says. The draft has
    /// asked a model the same: the answer is in the journal, unless a user has edited the claim.
    async fn verify_claim(
        &self,
        claim: &Claim,
        texts: &BTreeMap<String, String>,
    ) -> Result<ClaimVerdict> {
        let source_of = |source: &str| {
            Some(SourceText {
                title: self.title(source),
                text: texts.get(source)?,
            })
        };
        if !claim.is_written() || cite::check_citations(claim, source_of).is_err() {
            return Ok(cite::check_claim(claim, source_of));
        }
        let quotes = claim.citations.iter();
        let quotes = quotes.map(|own| (own.source.as_str(), cite::printed(own)));
        let (support, model) = self.judge(&claim.text, &quotes.collect::<Vec<_>>()).await?;
        let (verdict, reason) = combined(support.verdict, support.reason(), model.as_ref());
        let verdict = ClaimVerdict::of(claim, verdict, reason).with_score(support.score);
        let model = model.map(|model| ModelVerdict {
            sha256: Some(claim.judged()),
            ..model
        });
        Ok(ClaimVerdict { model, ..verdict })
    }
}

/// Returns `true` if no model need be asked about a sentence that the check in plain code supports:
/// its passages have each of its words, also those of a word or two that change what it says.
fn is_sure(sentence: &str, support: &Support, evidence: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        text::words(text)
            .map(|word| text::fold(word.text))
            .collect()
    };
    support.score >= SURE && words(sentence).is_subset(&words(evidence))
}

/// Returns `true` if hardly a word of a sentence is unsupported, and no name or number.
pub(super) fn is_close(sentence: &str, support: &Support) -> bool {
    let unsupported: Vec<&str> = support
        .unsupported
        .iter()
        .filter_map(|range| sentence.get(range.clone()))
        .collect();
    let count = |text: &str| text::words(text).count();
    let words: usize = unsupported.iter().map(|own| count(own)).sum();
    let is_named = |text: &&str| text.contains(|c: char| c.is_uppercase() || c.is_numeric());
    let is_few = words <= UNSUPPORTED && words * PER_UNSUPPORTED <= count(sentence);
    is_few && !unsupported.iter().any(is_named)
}

/// Returns the stricter of two verdicts, with its reason.
fn combined(verdict: Verdict, reason: String, model: Option<&ModelVerdict>) -> (Verdict, String) {
    let Some(model) = model else {
        return (verdict, reason);
    };
    let combined = stricter(verdict, model.verdict);
    if combined == verdict {
        return (verdict, reason);
    }
    let reason = match model.reason.as_str() {
        "" => format!("a model calls it {}", model.verdict.name()),
        own => format!("a model calls it {}: {own}", model.verdict.name()),
    };
    (combined, reason)
}
