//! Forecasts: what is expected, and what changes that.

use std::sync::LazyLock;

use super::keywords::{Keywords, LazyKeywords};
use super::words::{fold, folded, words};

/// Verbs with which a forecast is changed, what is forecast, and words of what is expected; closed
/// lists, written by hand.
const REVISIONS: &str = "cut, cuts, lift, lifted, lifts, lower, lowered, lowering, lowers, raise, \
    raised, raises, raising, reduce, reduced, reduces, revise, revised, revises, trim, trimmed";
const FORECASTS: &str = "estimate, estimates, expectation, expectations, forecast, forecasts, \
    guidance, outlook, prediction, projection, target, targets";
const EXPECTED: &str = "aim, aims, anticipate, estimate, expect, expected, expects, forecast, \
    forecasts, guidance, outlook, plan, predict, projection, target, targets";

static FORECAST_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(FORECASTS.split(", ")));

/// The number of words behind a verb among which the forecast is: "lower our full-year forecast".
const FORECAST_WORDS: usize = 4;

/// `true` if a sentence changes a forecast: "We lower our forecast to 5 %".
pub fn revises_forecast(sentence: &str) -> bool {
    if !FORECAST_KEYWORDS.are_in(sentence) {
        return false;
    }
    let folded = folded(sentence);
    let is_one_of = |list: &str, word: &String| list.split(", ").any(|own| own == word);
    let at = folded.iter().position(|word| is_one_of(REVISIONS, word));
    at.is_some_and(|at| {
        let mut behind = folded[at + 1..].iter().take(FORECAST_WORDS);
        behind.any(|word| is_one_of(FORECASTS, word))
    })
}

/// `true` if a sentence has a word of what is expected.
pub fn is_forecast(sentence: &str) -> bool {
    let mut words = words(sentence).map(|word| fold(word.text));
    words.any(|word| EXPECTED.split(", ").any(|own| own == word))
}
