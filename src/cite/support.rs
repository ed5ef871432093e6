//! The support check: does a passage support a claim? A score by words alone, without a model.
//!
//! The three sentences of the passage that together cover most of the claim are chosen greedily; a
//! logistic model over what they cover gives the score. Its weights are learnt by
//! `benches/claims.rs` on the development halves of WiCE and Factcheck-GPT (AUROC 0.86 and 0.80 by
//! five-fold cross-validation, balanced accuracy 0.77 and 0.71). A claim is contradicted only for a
//! reason that can be named.

use std::ops::Range;

use super::coverage::{Coverage, MEASURES, Match, Sentence, sentences};
use super::objection::attribution::Clauses;
use super::objection::binding::is_scattered;
use super::objection::clause::clauses;
use super::objection::objection;
use super::objection::predicate::is_subject_alone_said;
use super::repetition::is_repeated;
use super::restatement::{Difference, Objection, Statements};
use super::statement::inner_question::{inner_questions, without_questions};
use crate::artifact::verification::Verdict;

/// The maximum number of sentences of a passage that are read: the choice is quadratic.
const READ: usize = 400;

/// The maximum number of passages that support a claim together, and of the best ones by
/// themselves among which they are looked for.
const JOINED: usize = 3;
const CANDIDATES: usize = 8;

/// The least gain in the score of a claim by a further passage. Chosen by hand.
const GAIN: f64 = 0.05;

/// The logistic model, learnt with classes of equal weight: the intercept, and the weight of each
/// measure.
const INTERCEPT: f64 = -1.28;
const MODEL: [f64; MEASURES] = [1.16, 2.08, 1.19, -0.80, -1.16, -0.82];

/// The least score of a supported claim, chosen for trust. Of the claims with less, from 0.5, the
/// score of the best balanced accuracy, 168 of 218 of Factcheck-GPT are not supported, and 21 of 29
/// of WiCE.
const SUPPORTED: f64 = 0.6;

/// The factor of the score of a claim that is contradicted.
const CONTRADICTED: f64 = 0.5;

/// The score from which a claim that a rule doubts scores more by a part alone: it is not
/// supported, whatever its words, but people call more of those with the words of their evidence
/// supported than of those without. The part keeps the score of each below [`SUPPORTED`].
const DOUBTED: f64 = 0.48;
const BEYOND_DOUBT: f64 = 0.22;

/// The least share of a claim that is covered if it is supported in part: that of the best
/// three-way F1 on WiCE.
const PARTIAL: f64 = 0.42;

/// The support of a claim by a passage, or by several passages together.
#[derive(Debug, Clone, PartialEq)]
pub struct Support {
    /// The verdict.
    pub verdict: Verdict,
    /// The score, 0 to 1.
    pub score: f64,
    /// `true` if a rule keeps the claim from being supported, whatever its words: the first reason
    /// names it.
    pub is_refuted: bool,
    /// `true` if it is contradicted by another number in the place of one of the claim.
    pub has_other_number: bool,
    /// `true` if the claim is short, and no sentence says all of it: each may speak of something
    /// else.
    pub is_scattered: bool,
    /// The measures that the score is of: the share of the claim that the best three sentences
    /// cover; the same, each word by how much of the rest is near it; the share of the half that is
    /// covered less; the share of its rare words; the weights of the numbers and of the names that
    /// are missing.
    pub measures: [f64; MEASURES],
    /// What is missing or different, in words.
    pub reasons: Vec<String>,
    /// The sentences that support the claim together, best first.
    pub matches: Vec<Match>,
    /// The byte ranges of the claim that nothing supports, in order: what a reader is to doubt.
    pub unsupported: Vec<Range<usize>>,
}

impl Support {
    /// The reasons in one sentence.
    pub fn reason(&self) -> String {
        if self.reasons.is_empty() {
            return match self.verdict {
                Verdict::Supported => "the passages say it".to_owned(),
                _ => "the passages say too little of it".to_owned(),
            };
        }
        self.reasons.join("; ")
    }
}

/// The indices of the passages that together support a claim best, at most three, the best first;
/// empty if none says any of it.
pub fn best_passages(claim: &str, passages: &[&str]) -> Vec<usize> {
    Passages::parse(passages).best(claim)
}

/// The indices of the passages that together support a claim best, if they support it; empty if
/// nothing that any of them says does.
pub fn supporting_passages(claim: &str, passages: &[&str]) -> Vec<usize> {
    let plain: Vec<String> = passages
        .iter()
        .map(|own| without_questions(own, &inner_questions(own)))
        .collect();
    let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
    let parsed = Passages::parse(&plain);
    let best = parsed.best(claim);
    let support = parsed.support_by(claim, &Statements::parse(claim), &best);
    if support.verdict == Verdict::Supported {
        best
    } else {
        Vec::new()
    }
}

/// Passages, parsed once for many claims.
#[derive(Debug, Clone)]
pub struct Passages {
    passages: Vec<Statements>,
}

impl Passages {
    /// Parses passages.
    pub fn parse(passages: &[&str]) -> Self {
        let passages = passages
            .iter()
            .map(|passage| Statements::parse_passage(passage));
        Self {
            passages: passages.collect(),
        }
    }

    /// The support of a claim by all passages together.
    pub fn support(&self, claim: &str) -> Support {
        let all: Vec<usize> = (0..self.passages.len()).collect();
        self.support_by(claim, &Statements::parse(claim), &all)
    }

    /// The indices of the passages that together support a claim best, at most three, the best
    /// first; empty if none says any of it.
    pub fn best(&self, claim: &str) -> Vec<usize> {
        let parsed = Statements::parse(claim);
        let rank = |support: &Support| {
            let is_sound = support.verdict != Verdict::Contradicted;
            (is_sound, score(support.measures))
        };
        let mut ranked: Vec<(usize, Support)> = (0..self.passages.len())
            .map(|index| (index, self.support_by(claim, &parsed, &[index])))
            .filter(|(_, support)| !support.matches.is_empty())
            .collect();
        ranked.sort_by(|(_, a), (_, b)| {
            let (a, b) = (rank(a), rank(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        let Some((first, best)) = ranked.first() else {
            return Vec::new();
        };
        let (mut chosen, mut score) = (vec![*first], best.score);
        while chosen.len() < JOINED {
            let joined = |index: usize| {
                let together: Vec<usize> = chosen.iter().copied().chain([index]).collect();
                self.support_by(claim, &parsed, &together)
            };
            let others = ranked.iter().take(CANDIDATES).map(|(index, _)| *index);
            let others = others.filter(|index| !chosen.contains(index));
            let gains = others.map(|index| (joined(index).score, index));
            let best = gains.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let Some((gained, index)) = best.filter(|(gained, _)| *gained >= score + GAIN) else {
                break;
            };
            chosen.push(index);
            score = gained;
        }
        chosen
    }

    /// The indices of the first passages in the order in which a reader needs them: by what each
    /// adds to those before it, and by what it says itself.
    pub fn ranked(&self, claim: &str, count: usize) -> Vec<usize> {
        let claim = Statements::parse(claim);
        let all: Vec<usize> = (0..self.passages.len()).collect();
        let sentences = self.sentences(&all);
        Coverage::of(&claim, &sentences).ranked(count)
    }

    /// The sentences of some of the passages.
    fn sentences(&self, passages: &[usize]) -> Vec<Sentence<'_>> {
        let passages = passages.iter();
        let passages =
            passages.filter_map(|passage| Some((*passage, self.passages.get(*passage)?)));
        sentences(passages).take(READ).collect()
    }

    /// What some of the passages say of something else than the claim does, by their clauses; and
    /// whether the claim is of several of them.
    fn misattribution(
        &self,
        text: &str,
        claim: &Statements,
        passages: &[usize],
    ) -> (Option<Objection>, bool) {
        let passages = passages.iter().filter_map(|at| self.passages.get(*at));
        Clauses::of(claim, &passages.collect::<Vec<_>>()).judge(text)
    }

    /// The support of a claim by some of the passages together.
    fn support_by(&self, text: &str, claim: &Statements, passages: &[usize]) -> Support {
        let sentences = self.sentences(passages);
        let coverage = Coverage::of(claim, &sentences);
        let written = |own: Difference| own.written(text, claim, &sentences).to_string();
        let reason = |own: Objection| (written(own.difference), own.is_contradiction);
        let contrast = coverage.contrast().map(|own| (written(own), true));
        let (mut has_other_number, mut opposite) = (false, None);
        let mut objection = contrast.or_else(|| {
            let objection = objection(text, &coverage).or_else(|| of_clause(text, &sentences));
            let refuted = objection.as_ref();
            has_other_number = refuted.is_some_and(Objection::is_of_other_number);
            opposite = refuted.and_then(Objection::opposite);
            objection.map(reason)
        });
        let (mut is_scattered, mut is_restricted) = (is_scattered(&coverage), false);
        let is_repeated = is_repeated(claim, &sentences);
        // Only what is said enough of may be said of something else.
        let is_sound = objection.as_ref().is_none_or(|own| !own.1) || is_repeated;
        if is_sound && score(coverage.measures()) >= SUPPORTED {
            let (misattributed, is_divided) = self.misattribution(text, claim, passages);
            is_scattered |= is_divided;
            if let Some(misattributed) = misattributed {
                is_restricted = misattributed.is_restriction();
                // A contradiction says more than a doubt.
                let doubt = objection.filter(|_| !misattributed.is_contradiction);
                objection = doubt.or(Some(reason(misattributed)));
            }
        }
        let mut support = Support {
            verdict: Verdict::Supported,
            score: 1.0,
            is_refuted: false,
            has_other_number,
            is_scattered,
            measures: coverage.measures(),
            reasons: Vec::new(),
            matches: with_joined(text, coverage.matches(opposite.as_deref())),
            unsupported: Vec::new(),
        };
        // A sentence supports itself, whatever it refers to.
        if is_repeated && !is_restricted {
            return support;
        }
        // Nothing is missing of a claim without words, and nothing says it.
        if !coverage.has_items() {
            (support.verdict, support.score) = (Verdict::Unsupported, 0.0);
            support.reasons = vec!["the claim has no words that could be checked".to_owned()];
            return support;
        }
        support.score = score(support.measures);
        support.is_refuted = objection.is_some();
        support.score = match &objection {
            Some((_, true)) => support.score * CONTRADICTED,
            Some(_) => doubted(support.score),
            None => support.score,
        };
        support.verdict = match &objection {
            Some((_, true)) => Verdict::Contradicted,
            None if support.score >= SUPPORTED => Verdict::Supported,
            _ if is_subject_alone_said(&coverage) => Verdict::Unsupported,
            _ if support.measures[0] >= PARTIAL => Verdict::Partial,
            _ => Verdict::Unsupported,
        };
        let reasons: Vec<String> = objection.into_iter().map(|(reason, _)| reason).collect();
        let missing = coverage.missing().into_iter().map(written);
        let missing = missing.filter(|reason| !reasons.contains(reason));
        support.reasons = reasons.clone().into_iter().chain(missing).collect();
        support.unsupported = joined(text, coverage.unsupported());
        support
    }
}

/// The doubt about a clause of a claim by itself: "Ann takes the bookings" in "While Bea is away,
/// Ann takes the bookings", though the sources have all these words.
fn of_clause(claim: &str, sentences: &[Sentence<'_>]) -> Option<Objection> {
    clauses(claim).into_iter().find_map(|clause| {
        let parsed = Statements::parse(clause);
        let objection = objection(clause, &Coverage::of(&parsed, sentences))?;
        Some(Objection::doubt(objection.difference))
    })
}

/// The logistic model.
fn score(measures: [f64; MEASURES]) -> f64 {
    let sum: f64 = measures.iter().zip(MODEL).map(|(a, b)| a * b).sum();
    1.0 / (1.0 + (-INTERCEPT - sum).exp())
}

/// The score of a claim that a rule doubts, below that of a supported one, in the same order.
pub fn doubted(score: f64) -> f64 {
    score.min(DOUBTED) + BEYOND_DOUBT * (score - DOUBTED).max(0.0)
}

/// Matches whose ranges of the claim are joined.
fn with_joined(claim: &str, mut matches: Vec<Match>) -> Vec<Match> {
    for part in &mut matches {
        part.claim = joined(claim, std::mem::take(&mut part.claim));
    }
    matches
}

/// Sorted ranges of a text; those with no word between them as one.
fn joined(text: &str, mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        let gap = |last: &Range<usize>| text.get(last.end..range.start).unwrap_or_default();
        match joined.last_mut() {
            Some(last) if !gap(last).contains(char::is_alphanumeric) => {
                last.end = last.end.max(range.end);
            }
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cite::{support, support_by};

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
    fn nothing_supports_a_claim_without_words() {
        for claim in ["", "x", "—", "The."] {
            for passages in [&["Bees make honey."][..], &[]] {
                let support = support_by(claim, passages);
                assert_eq!(support.verdict, Verdict::Unsupported, "{claim}");
                assert_eq!(support.score, 0.0, "{claim}");
                assert!(support.reason().contains("no words"), "{claim}");
            }
        }
    }

    #[test]
    fn a_number_that_is_denied_for_another_one_is_not_said() {
        let price = "The Business plan costs 229 euros a month, not 249.";
        let team = "The team has not 12 but 14 members.";
        let launch = "The launch is on 4 June, not on 28 May.";
        for (claim, passage, verdict) in [
            (
                "The Business plan costs 249 euros.",
                price,
                Verdict::Contradicted,
            ),
            (
                "The Business plan is priced at 229 euros a month.",
                price,
                Verdict::Supported,
            ),
            ("The team has 12 members.", team, Verdict::Contradicted),
            ("The team has 14 members.", team, Verdict::Supported),
            ("The launch is on 28 May.", launch, Verdict::Contradicted),
            ("The launch is on 4 June.", launch, Verdict::Supported),
            (
                "The limit of the pump is 12 bar.",
                "The limit of the pump is not 12 bar.",
                Verdict::Contradicted,
            ),
            (
                "In 2019 the limit of this pump was not 12 bar.",
                "In 2019 the limit of the pump was not 12 bar.",
                Verdict::Supported,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }

    #[test]
    fn an_opposite_is_not_said_unless_its_condition_is_turned_too() {
        for (claim, passage, is_supported) in [
            (
                "Receipts without a date are accepted.",
                "Receipts without a date are refused.",
                false,
            ),
            (
                "Late receipts are accepted if the employee was ill.",
                "Late receipts are refused, unless the employee was ill.",
                true,
            ),
            (
                "Late receipts are accepted if the employee was ill.",
                "Late receipts are refused if the employee was ill.",
                false,
            ),
            (
                "The launch was delayed to 28 May.",
                "The launch was brought forward to 28 May.",
                false,
            ),
        ] {
            let support = support(claim, passage);
            let is_accepted = support.verdict == Verdict::Supported;
            assert_eq!(is_accepted, is_supported, "{claim} {support:?}");
        }
    }

    #[test]
    fn another_word_in_the_place_of_one_is_not_said() {
        let queue = "We use RabbitMQ as the message queue.";
        for (claim, passage, is_supported) in [
            (
                "We use Kafka as the message queue.",
                format!("{queue} Kafka is used for logs."),
                false,
            ),
            (
                "We use RabbitMQ as the message queue.",
                format!("{queue} Kafka is used for logs."),
                true,
            ),
            (
                "We use Kafka as the message queue.",
                "Kafka won the comparison. We use it as the message queue.".to_owned(),
                true,
            ),
            (
                "Marta Quinn is chief executive officer.",
                "Marta Quinn, chief financial officer".to_owned(),
                false,
            ),
            (
                "Marta Quinn is chief financial officer.",
                "Marta Quinn, chief financial officer".to_owned(),
                true,
            ),
        ] {
            let support = support(claim, &passage);
            let is_accepted = support.verdict == Verdict::Supported;
            assert_eq!(is_accepted, is_supported, "{claim} {support:?}");
        }
    }

    #[test]
    fn never_is_not_supported_by_what_happened() {
        let passage = "The pump failed twice in 2025, and only one person could repair it.";
        for (claim, passage) in [
            ("The pump never failed.", passage),
            (
                "The pump never leaked.",
                "The pump leaked twice in 2025, and nobody could repair it.",
            ),
        ] {
            let support = support(claim, passage);
            assert_ne!(support.verdict, Verdict::Supported, "{}", support.reason());
        }
        for (claim, passage) in [
            (
                "The pump never failed.",
                "Since 2020 the pump has never failed, not even in winter.",
            ),
            (
                "The pump never stopped.",
                "Until today the pump did not stop.",
            ),
            ("The pump never stopped.", "The pump didn't stop once."),
        ] {
            let support = support(claim, passage);
            assert_eq!(
                support.verdict,
                Verdict::Supported,
                "{claim}: {}",
                support.reason()
            );
        }
    }

    #[test]
    fn the_opposite_and_what_is_said_of_another_thing_is_not_supported() {
        for (claim, passage) in [
            (
                "Dogs are not allowed on the second floor.",
                "Dogs are allowed in the Harbour Street office on the second floor.",
            ),
            (
                "The refrigerant R290 is not flammable.",
                "The refrigerant R290 is highly flammable, so an outdoor unit with R290 needs a \
                 safety distance from cellar windows, light wells and drains.",
            ),
            (
                "Insulation must come before a heat pump.",
                "Insulation does not have to come before a heat pump in an old house.",
            ),
            (
                "Heat pumps are cheaper than boilers.",
                "Boilers are cheaper than heat pumps.",
            ),
            (
                "Air-source heat pumps are cheaper to run than ground-source heat pumps.",
                "A ground-source heat pump is usually cheaper to run than an air-source heat pump.",
            ),
            (
                "The refrigerant R32 is highly flammable.",
                "The refrigerant R32 has a potential of 675 and is mildly flammable.",
            ),
            (
                "The refrigerant R32 is propane.",
                "The refrigerant R32 has a global warming potential of 675. The refrigerant R290 \
                 is propane, with a potential of about 3.",
            ),
            (
                "Ground-source heat pumps reached 3.1 in the field measurements.",
                "In the field measurements in 56 old houses, air-source heat pumps reached a mean \
                 factor of 3.1 over one year. Ground-source heat pumps reached a mean factor of \
                 3.9 in the field measurements.",
            ),
            (
                "Ground-source heat pumps are quiet.",
                "Ground-source heat pumps reached a mean factor of 3.9. Air-source heat pumps are \
                 quiet at night.",
            ),
            (
                "Air-source heat pumps are cheaper than ground-source heat pumps.",
                "An air-source heat pump costs 25,000 euros. Ground-source heat pumps are cheaper \
                 today.",
            ),
        ] {
            let support = support(claim, passage);
            assert_ne!(support.verdict, Verdict::Supported, "{claim} {support:?}");
        }
    }

    #[test]
    fn what_is_put_into_a_repeated_sentence_is_not_supported() {
        // The sentences have another absolute or the same number elsewhere.
        for (claim, passage) in [
            (
                "The time that every deterministic machine needs is the total number of steps \
                 that it makes before it halts.",
                "The time that a deterministic machine needs is the total number of steps that it \
                 makes before it halts.",
            ),
            (
                "The cooperative was only made up of volunteers, and only two of them were paid \
                 for their work.",
                "The cooperative was made up of volunteers, and only two of them were paid for \
                 their work.",
            ),
            (
                "The office will always be closed when all the meters are read.",
                "The office will be closed when all the meters are read.",
            ),
            (
                "The defender had 9 seasons behind him and won 9 duels in the last match of the \
                 year.",
                "The defender had 5 seasons behind him and won 9 duels in the last match of the \
                 year.",
            ),
        ] {
            let support = support(claim, passage);
            assert_ne!(support.verdict, Verdict::Supported, "{claim} {support:?}");
        }
    }

    #[test]
    fn a_sentence_repeated_with_another_sign_is_not_supported() {
        for (claim, passage) in [
            (
                "The palace cost £50 in 1990.",
                "The palace cost $50 in 1990.",
            ),
            (
                "The firm made 12 billion € in sales.",
                "The firm made 12 billion $ in sales.",
            ),
            (
                "The water freezes at 5 °C in the pipe.",
                "The water freezes at -5 °C in the pipe.",
            ),
            (
                "The pump runs at −7 °C outside.",
                "The pump runs at 7 °C outside.",
            ),
            (
                "The load was > 11 kW in winter.",
                "The load was < 11 kW in winter.",
            ),
            (
                "The tariff rose by 12 in a year.",
                "The tariff rose by 12 % in a year.",
            ),
            (
                "The library is written in C++ alone.",
                "The library is written in C alone.",
            ),
        ] {
            let support = support(claim, passage);
            assert_ne!(support.verdict, Verdict::Supported, "{claim} {support:?}");
        }
        // Marks of the layout say nothing.
        for passage in [
            "> The palace\n> cost $50 in 1990.",
            "# The palace cost $50 in 1990.",
            "+ The palace cost *$50*\n  in 1990.",
            "The palace cost $ 50 in 1990!",
        ] {
            let support = support("The palace cost $50 in 1990.", passage);
            assert_eq!(
                (support.verdict, support.score),
                (Verdict::Supported, 1.0),
                "{passage}"
            );
        }
    }

    #[test]
    fn what_a_passage_says_in_other_words_is_supported() {
        for (claim, passage) in [
            (
                "Dogs are allowed on the second floor.",
                "Dogs are allowed in the Harbour Street office on the second floor, but not on the \
                 third.",
            ),
            (
                "The refrigerant R32 is mildly flammable.",
                "The refrigerant R290 is highly flammable. The refrigerant R32 has a global \
                 warming potential of 675 and is mildly flammable.",
            ),
            (
                "Insulation does not have to come before a heat pump.",
                "Insulation need not come before a heat pump in an old house.",
            ),
            (
                "Ground-source heat pumps reached 3.9 in the field measurements.",
                "In the field measurements in 56 old houses, air-source heat pumps reached a mean \
                 factor of 3.1 over one year. Ground-source heat pumps reached a mean factor of \
                 3.9 in the field measurements.",
            ),
            (
                "A ground-source heat pump is cheaper to run than an air-source heat pump.",
                "Ground-source heat pumps are usually cheaper to run than air-source heat pumps.",
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, Verdict::Supported, "{claim} {support:?}");
        }
    }

    #[test]
    fn the_verdict_names_what_is_missing_and_where_the_rest_is() {
        let claim = "Air-source heat pumps in 56 old houses reached a seasonal performance factor \
                     of 3.1 over one year.";
        let outcome = support(claim, PASSAGE);
        assert_eq!(outcome.verdict, Verdict::Supported, "{outcome:?}");
        let best = &outcome.matches[0];
        assert!(PASSAGE[best.range.clone()].starts_with("In 56"));
        assert_eq!(&claim[best.claim[0].clone()], "Air-source heat pumps");
        assert!(outcome.unsupported.is_empty());
        let outcome = support("Bees make honey in summer.", PASSAGE);
        assert_eq!(outcome.verdict, Verdict::Unsupported, "{outcome:?}");
        let other = PASSAGE.replace("3.1", "4.2");
        let own = crate::text::sentences(PASSAGE, 0..PASSAGE.len())[1].clone();
        let outcome = support(&PASSAGE[own], &other);
        assert_eq!(outcome.verdict, Verdict::Contradicted, "{outcome:?}");
        assert_eq!(outcome.reasons[0], "3.1 against 4.2");
        assert_eq!(outcome.reasons[1], "the number 3.1 is not in the passage");
    }

    #[test]
    fn what_is_added_to_a_true_sentence_is_not_supported() {
        let sentence = "In 56 old houses, air-source heat pumps reached a mean seasonal \
                        performance factor of 3.1 over one year";
        for (added, words) in [
            (" without any subsidy", "subsidy"),
            (
                ", which a ministry copied for its offices",
                "ministry copied for its offices",
            ),
            (
                ". Their owners sold them at a profit",
                "owners sold them at a profit",
            ),
        ] {
            let support = support(&format!("{sentence}{added}."), PASSAGE);
            assert_eq!(support.verdict, Verdict::Partial, "{added}: {support:?}");
            assert_eq!(support.reasons[0], format!("nothing says {words:?}"));
        }
        let other = sentence
            .replace("reached", "attained")
            .replace("houses", "dwellings");
        assert_eq!(support(&other, PASSAGE).verdict, Verdict::Supported);
    }

    #[test]
    fn a_true_sentence_made_absolute_is_not_supported() {
        let sentence = "In 56 old houses, air-source heat pumps reached a mean seasonal \
                        performance factor of 3.1 over one year.";
        for (from, to, word) in [
            ("reached", "always reached", "always"),
            ("In 56", "Only in 56", "only"),
            ("air-source", "all air-source", "all"),
            ("reached", "must reach", "must"),
        ] {
            let claim = sentence.replace(from, to);
            let support = support(&claim, PASSAGE);
            assert_eq!(support.verdict, Verdict::Partial, "{claim}: {support:?}");
            assert_eq!(support.reasons[0], format!("nothing says {word:?}"));
        }
        for (claim, passage) in [
            (
                "All owners of houses have to pay the tax.",
                "Every owner of a house must pay the tax.",
            ),
            (
                "Only owners of houses pay the tax.",
                "The tax is paid by owners of houses alone.",
            ),
            (
                "The owners of houses pay the tax every year.",
                "Owners of houses pay the tax yearly, which is due each year.",
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, Verdict::Supported, "{claim}: {support:?}");
        }
    }

    #[test]
    fn passages_support_a_claim_together_and_each_part_is_named() {
        let passages = [
            "Bees make honey in summer.",
            "Insulating the attic halves the losses.",
            "The council of Bern pays a third of the costs since 2019.",
            "Insulation of an attic costs 9,000 francs in Bern.",
        ];
        let claim = "Insulating an attic in Bern costs nine thousand francs, of which the council \
                     pays a third by cheque.";
        assert_eq!(best_passages(claim, &passages), [3, 2]);
        let support = support_by(claim, &passages);
        assert_eq!(support.matches[0].passage, 3, "{support:?}");
        assert_eq!(support.matches[1].passage, 2);
        let parts: Vec<&str> = support.matches[1]
            .claim
            .iter()
            .map(|range| &claim[range.clone()])
            .collect();
        assert_eq!(parts, ["council pays a third"]);
        let words: Vec<&str> = support
            .unsupported
            .iter()
            .map(|range| &claim[range.clone()])
            .collect();
        assert_eq!(words, ["cheque"]);
        assert!(best_passages("Bees make honey.", &[]).is_empty());
    }
}
