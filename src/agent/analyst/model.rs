//! The analyst's model side: the model puts the findings into words; each of its statements is
//! checked against the passages that it names, and what can be counted is counted by the rule (the
//! plain code that stands in for a model, in `mod.rs`).

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::{clamped_score, line, rounded};
use super::super::definition::{
    Agent as _, DepthShape, INSTRUCTION_TOKENS, ModelAgent, SessionView,
};
use super::check::{Evidence, Shown, Sides, certainty, sentence};
use super::knowledge::RelationAnswer;
use super::{Analyst, AnalystInput, SUMMARY_INSIGHTS, conclusion, credibility, dropped, knowledge};
use super::{gaps, theme};
use crate::artifact::Research;
use crate::artifact::analysis::{Analysis, Contradiction, Insight};
use crate::artifact::plan::{Facet, PlanStep};
use crate::artifact::source::Passage;
use crate::artifact::step::FoundStatement;
use crate::artifact::verification::Verdict;
use crate::model::CallEstimate;
use crate::text::{self, counted};

/// Tokens of a passage with what the researcher made of it.
const PASSAGE_TOKENS: usize = 75;

/// The share of the passages that the rule has insights on, of which a model has to use as many so
/// that its insights stay alone. Chosen by hand: a strong model leaves out what is off the topic,
/// a small one stops after an insight or two.
const LEAST_USED: f64 = 1.0 / 3.0;

/// The maximum number of gaps.
const GAPS: usize = 6;

/// The maximum number of sentences of the summary, and of the conclusion.
const SENTENCES: usize = 3;

/// The maximum length of a gap, in characters.
const GAP_CHARACTERS: usize = 200;

/// The analysis of the passages.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AnalystAnswer {
    /// The statements, most important for the topic first.
    #[schemars(length(max = 24))]
    insights: Vec<InsightAnswer>,
    #[serde(default)]
    #[schemars(length(max = 8))]
    contradictions: Vec<ContradictionAnswer>,
    /// Names, as the passages write them.
    #[serde(default)]
    #[schemars(length(max = 16))]
    entities: Vec<String>,
    #[serde(default)]
    #[schemars(length(max = 16))]
    relations: Vec<RelationAnswer>,
    #[serde(default)]
    #[schemars(length(max = 6))]
    gaps: Vec<String>,
    /// The findings in short.
    #[serde(default)]
    #[schemars(length(max = 3))]
    summary: Vec<SentenceAnswer>,
    /// The answer to the topic.
    #[serde(default)]
    #[schemars(length(max = 3))]
    conclusion: Vec<SentenceAnswer>,
}

/// One insight.
#[derive(Debug, Deserialize, JsonSchema)]
struct InsightAnswer {
    /// The reason why it matters for the topic, in a few words.
    #[serde(default)]
    #[expect(
        dead_code,
        reason = "written before the statement, so that the model thinks first"
    )]
    reason: String,
    /// The statement, in one sentence.
    text: String,
    /// The ids of those that show it.
    #[schemars(length(min = 1, max = 6))]
    passages: Vec<String>,
    /// The kind of statement.
    #[serde(default)]
    kind: InsightKind,
    /// The confidence in it, from 0 to 1.
    confidence: f64,
}

/// The kind of a statement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum InsightKind {
    How,
    Why,
    Cost,
    Alternative,
    Figure,
    Recommendation,
    OpenQuestion,
    // Last, as serde wants it: whatever else a model writes.
    #[default]
    #[serde(other)]
    Answer,
}

impl InsightKind {
    fn facet(self) -> Facet {
        match self {
            Self::Answer => Facet::Overview,
            Self::How => Facet::How,
            Self::Why => Facet::Why,
            Self::Cost => Facet::Costs,
            Self::Alternative => Facet::Alternatives,
            Self::Figure => Facet::Figures,
            Self::Recommendation => Facet::Recommendations,
            Self::OpenQuestion => Facet::Open,
        }
    }
}

/// One contradiction.
#[derive(Debug, Deserialize, JsonSchema)]
struct ContradictionAnswer {
    /// The subject of both, in words that stand in both.
    subject: String,
    /// One side's passage, by id.
    one: String,
    /// The words of that passage, and of it alone.
    one_says: String,
    /// The same of the other side.
    other: String,
    other_says: String,
}

/// One sentence of the summary or of the conclusion.
#[derive(Debug, Deserialize, JsonSchema)]
struct SentenceAnswer {
    text: String,
    #[schemars(length(min = 1, max = 6))]
    passages: Vec<String>,
}

impl ModelAgent for Analyst {
    type Answer = AnalystAnswer;
    const OUTPUT_TOKENS: u32 = 5000;

    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: 1,
            input_tokens: INSTRUCTION_TOKENS + 500 + PASSAGE_TOKENS * shape.passages(),
            output_tokens: 250 + 60 * shape.passages(),
        }
    }

    fn items(input: &AnalystInput) -> usize {
        input.research.passages.len()
    }

    fn is_question(input: &AnalystInput) -> bool {
        !input.research.passages.is_empty()
    }

    fn context(input: &AnalystInput, items: usize) -> Context {
        let research = &input.research;
        let shown = shown(research, items);
        let passages: Vec<Context> = shown
            .iter()
            .map(|passage| {
                json!({ "id": passage.id, "source": passage.source, "quote": passage.quote })
            })
            .collect();
        let is_shown = |id: &String| shown.iter().any(|passage| passage.id == *id);
        let findings = research.findings.iter();
        let statements: Vec<&FoundStatement> = findings
            .flat_map(|finding| &finding.statements)
            .filter(|statement| statement.passages.iter().any(is_shown))
            .collect();
        json!({
            "research": json!({
                "topic": research.topic,
                "passages": passages,
                "statements": statements,
            }),
            "notes": input.notes,
        })
    }

    fn validate(
        input: &AnalystInput,
        items: usize,
        answer: AnalystAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Analysis, String> {
        let research = &input.research;
        let passages = shown(research, items);
        let shown = Shown::of(research, &passages);
        let contradictions = contradictions(&shown, &answer.contradictions, left_out);
        let (mut insights, recommendations) =
            insights(input, &shown, &contradictions, &answer.insights, left_out);
        if insights.is_empty() && !passages.is_empty() {
            return Err(format!(
                "no insight rests on a passage that is there; the ids are {}",
                shown.ids()
            ));
        }
        complete(input, &mut insights, left_out);
        credibility::corroborate(research, &mut insights, &contradictions);
        let summary = summary(research, &insights);
        let mut conclusion = conclusion(&recommendations, &summary);
        conclusion.statements = sentences(&shown, &answer.conclusion, left_out);
        Ok(Analysis {
            topic: research.topic.clone(),
            gaps: all_gaps(research, &answer.gaps, left_out),
            themes: theme::themes(research, &insights),
            summary_statements: sentences(&shown, &answer.summary, left_out),
            credibility: credibility::credibility(research, &insights, &contradictions),
            knowledge_graph: knowledge::graph_with(
                research,
                &answer.entities,
                &answer.relations,
                left_out,
            ),
            conclusion,
            summary,
            recommendations,
            insights,
            contradictions,
        })
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<AnalystInput>> {
        Ok(Some(AnalystInput {
            research: session.content("research.json")?,
            notes: Vec::new(),
        }))
    }
}

/// The passages in the prompt: the most relevant ones, in their order.
fn shown(research: &Research, items: usize) -> Vec<&Passage> {
    let mut shown: Vec<(usize, &Passage)> = research.passages.iter().enumerate().collect();
    shown.sort_by(|(index, passage), (other_index, other)| {
        other
            .relevance
            .total_cmp(&passage.relevance)
            .then(index.cmp(other_index))
    });
    // Ties go to the earlier passage, so that the same research gives the same prompt.
    shown.truncate(items);
    shown.sort_by_key(|(index, _)| *index);
    shown.into_iter().map(|(_, passage)| passage).collect()
}

/// The first step in which each passage was selected.
fn steps_of(research: &Research) -> BTreeMap<&str, &PlanStep> {
    let mut steps = BTreeMap::new();
    for finding in &research.findings {
        let mut plan = research.plan.steps.iter();
        let Some(step) = plan.find(|step| step.id == finding.step) else {
            continue;
        };
        for passage in &finding.passages {
            steps.entry(passage.as_str()).or_insert(step);
        }
    }
    steps
}

/// The insights that rest on passages of the prompt, and the ids of those that recommend something.
fn insights(
    input: &AnalystInput,
    shown: &Shown<'_>,
    contradictions: &[Contradiction],
    answers: &[InsightAnswer],
    left_out: &mut Vec<String>,
) -> (Vec<Insight>, Vec<String>) {
    let mut reading = Reading {
        shown,
        contradictions,
        steps: steps_of(&input.research),
        used: dropped(&input.notes),
        recommendations: Vec::new(),
    };
    let mut insights: Vec<Insight> = Vec::new();
    for answer in answers {
        let id = format!("I{}", insights.len() + 1);
        insights.extend(reading.insight(id, answer, left_out));
    }
    (insights, reading.recommendations)
}

/// Adds the insights of the rule on passages that a model has left aside, if it has used hardly
/// any: what was gathered is not lost for a report because a small model stops early.
fn complete(input: &AnalystInput, insights: &mut Vec<Insight>, left_out: &mut Vec<String>) {
    let uses = |own: &Insight, passage: &String| {
        own.passage == *passage || own.further.contains(passage) || own.agreeing.contains(passage)
    };
    let by_rule = Analyst::rule(input).insights;
    let (used, aside): (Vec<Insight>, Vec<Insight>) = by_rule
        .into_iter()
        .partition(|own| insights.iter().any(|other| uses(other, &own.passage)));
    let least = LEAST_USED * (used.len() + aside.len()) as f64;
    if used.len() as f64 >= least {
        return;
    }
    let added = aside.len();
    left_out.push(format!(
        "the model used {} of {}: {} of the rule added",
        used.len(),
        counted(used.len() + added, "passage"),
        counted(added, "insight"),
    ));
    for mut own in aside {
        // A passage belongs to one insight at most.
        own.agreeing
            .retain(|passage| !insights.iter().any(|other| uses(other, passage)));
        own.id = format!("I{}", insights.len() + 1);
        insights.push(own);
    }
}

/// The state while insights are read.
struct Reading<'a> {
    shown: &'a Shown<'a>,
    contradictions: &'a [Contradiction],
    steps: BTreeMap<&'a str, &'a PlanStep>,
    /// The passages that belong to an insight, and those that a review wants dropped.
    used: BTreeSet<&'a str>,
    /// The insights that recommend something, by id.
    recommendations: Vec<String>,
}

impl<'a> Reading<'a> {
    /// An insight. Words that its passages contradict are left out, and the passage stands for
    /// itself; without a passage of its own it is left out as a whole.
    fn insight(
        &mut self,
        id: String,
        answer: &InsightAnswer,
        left_out: &mut Vec<String>,
    ) -> Option<Insight> {
        let words = sentence(&answer.text);
        // A passage belongs to one insight at most, as by the rule.
        let mut passages = self.shown.named(&answer.passages, left_out);
        passages.retain(|passage| !self.used.contains(passage.id.as_str()));
        let first = passages.first().copied();
        let step = first.and_then(|first| self.steps.get(first.id.as_str()).copied());
        let (Some(first), Some(step)) = (first, step) else {
            left_out.push(format!("left out {words:?}: it has no passage of its own"));
            return None;
        };
        self.used.insert(&first.id);
        if answer.kind == InsightKind::Recommendation {
            self.recommendations.push(id.clone());
        }
        let evidence = self.evidence(&words, first, &passages[1..], left_out);
        let verdict = evidence.support.verdict;
        let is_said = verdict != Verdict::Contradicted && !words.is_empty();
        if !is_said {
            let (first, reasons) = (&first.id, evidence.support.reasons.join(", "));
            left_out.push(format!("left out the words on {first}: {reasons}"));
        }
        let ids = |passages: &[&Passage]| passages.iter().map(|one| one.id.clone()).collect();
        Some(Insight {
            id,
            step: step.id.clone(),
            // These make sections of their own.
            facet: match step.facet {
                facet @ (Facet::Side | Facet::Question | Facet::Entries | Facet::Aspect) => facet,
                _ => answer.kind.facet(),
            },
            passage: first.id.clone(),
            agreeing: ids(&evidence.agreeing),
            confidence: rounded(clamped_score(answer.confidence) * certainty(verdict)),
            text: is_said.then_some(words),
            further: ids(&evidence.further),
            verdict: is_said.then_some(verdict),
            corroboration: None,
            quote: None,
        })
    }

    /// The evidence for words on a passage and others, with all that restate it.
    fn evidence(
        &mut self,
        words: &str,
        first: &'a Passage,
        others: &[&'a Passage],
        left_out: &mut Vec<String>,
    ) -> Evidence<'a> {
        let contradicts = |other: &Passage| {
            let mut pairs = self.contradictions.iter();
            pairs.any(|pair| pair.is_between(&first.id, &other.id))
        };
        let mut evidence = self.shown.evidence(words, first, others, left_out);
        let restating = self.shown.restating(first);
        let free = restating.filter(|other| !self.used.contains(other.id.as_str()));
        for other in free {
            if evidence.agreeing.iter().all(|known| known.id != other.id) {
                evidence.agreeing.push(other);
            }
        }
        evidence.agreeing.retain(|other| !contradicts(other));
        let all = evidence.agreeing.iter().chain(&evidence.further);
        let ids: Vec<&str> = all.map(|passage| passage.id.as_str()).collect();
        self.used.extend(ids);
        evidence
    }
}

/// The contradictions that the comparison of the passages finds, then those that the model names
/// and that can be shown.
fn contradictions(
    shown: &Shown<'_>,
    answers: &[ContradictionAnswer],
    left_out: &mut Vec<String>,
) -> Vec<Contradiction> {
    let mut contradictions = shown.contradictions();
    for answer in answers {
        let contradiction = shown.contradiction(&Sides {
            subject: &answer.subject,
            one: &answer.one,
            one_says: &answer.one_says,
            other: &answer.other,
            other_says: &answer.other_says,
        });
        let Some(contradiction) = contradiction else {
            let (one, other) = (&answer.one, &answer.other);
            left_out.push(format!(
                "left out a contradiction of {one:?} and {other:?}: it cannot be shown"
            ));
            continue;
        };
        if !contradictions
            .iter()
            .any(|pair| pair.is_between(&contradiction.one, &contradiction.other))
        {
            contradictions.push(contradiction);
        }
    }
    contradictions
}

/// The sentences that their passages support at least in part.
fn sentences(
    shown: &Shown<'_>,
    answers: &[SentenceAnswer],
    left_out: &mut Vec<String>,
) -> Vec<FoundStatement> {
    answers
        .iter()
        .take(SENTENCES)
        .filter_map(|answer| shown.statement(&answer.text, &answer.passages, left_out))
        .collect()
}

/// The gaps: those of the rule, whose steps have no findings, then those of the model that the
/// topic asks for and that no passage speaks of.
fn all_gaps(research: &Research, answers: &[String], left_out: &mut Vec<String>) -> Vec<String> {
    let mut all = gaps(research);
    let terms_of = |passage: &Passage| text::terms(&passage.quote);
    let passages: Vec<Vec<String>> = research.passages.iter().map(terms_of).collect();
    for gap in answers.iter().map(|gap| line(gap, GAP_CHARACTERS)) {
        let terms = text::terms(&gap);
        let has_all = |others: &Vec<String>| terms.iter().all(|term| others.contains(term));
        // An aspect that the plan added by itself is none that the topic asks for.
        let is_added = research.plan.steps.iter().any(|step| {
            !super::is_requested_step(research, step) && has_all(&text::terms(step.heading()))
        });
        if terms.is_empty() || all.contains(&gap) || all.len() >= GAPS {
            continue;
        }
        if is_added || passages.iter().any(has_all) {
            left_out.push(format!(
                "left out the gap {gap:?}: it is none of the topic's"
            ));
            continue;
        }
        all.push(gap);
    }
    all
}

/// The summary: the first insights, each of another source. The prompt asks for the most important
/// ones first.
fn summary(research: &Research, insights: &[Insight]) -> Vec<String> {
    let mut sources = BTreeSet::new();
    insights
        .iter()
        .filter(|insight| {
            let passage = research.passage(&insight.passage);
            passage.is_some_and(|passage| sources.insert(passage.source.as_str()))
        })
        .take(SUMMARY_INSIGHTS)
        .map(|insight| insight.id.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    const THREE: &str =
        "In 56 old houses, pumps reached a mean seasonal performance factor of 3.1.";
    const COSTS: &str = "A ground-source heat pump for an old house costs 40,000 euros.";

    fn input(quotes: &[&str]) -> AnalystInput {
        AnalystInput {
            research: fixture::research(quotes),
            notes: Vec::new(),
        }
    }

    fn validated(input: &AnalystInput, answer: Context) -> (Analysis, Vec<String>) {
        let answer = serde_json::from_value(answer).unwrap();
        let mut left_out = Vec::new();
        let items = Analyst::items(input);
        let analysis = Analyst::validate(input, items, answer, &mut left_out).unwrap();
        (analysis, left_out)
    }

    #[test]
    fn words_are_checked_and_agreement_is_shown_by_the_passages() {
        let same = THREE.replace("pumps", "heat pumps");
        let input = input(&[THREE, &same, COSTS, "Bees make honey in summer."]);
        let insight = |text: &str, passages: &[&str]| {
            let kind = "figure";
            json!({ "text": text, "passages": passages, "kind": kind, "confidence": 0.9 })
        };
        let (analysis, left_out) = validated(
            &input,
            json!({ "insights": [
                insight(THREE, &["P1 of S1, Figures", "P2", "P3", "P77"]),
                insight("A ground-source heat pump for an old house costs 4,000 euros.", &["[P3]"]),
                insight("Tax is high.", &["P4"]),
                insight("It is said again.", &["P1"]),
            ] }),
        );
        let [first, second, third] = analysis.insights.as_slice() else {
            panic!("{:?}", analysis.insights);
        };
        assert_eq!(first.passage, "P1");
        assert_eq!(first.agreeing, ["P2"]);
        assert_eq!(first.text.as_deref(), Some(THREE));
        assert_eq!(first.verdict, Some(Verdict::Supported));
        assert_eq!((first.facet, first.confidence), (Facet::Figures, 0.9));
        assert_eq!(first.corroboration.map(|one| one.sources), Some(2));
        // The words are contradicted; the passage stands for itself.
        assert_eq!((second.passage.as_str(), &second.text), ("P3", &None));
        assert_eq!(third.verdict, Some(Verdict::Unsupported));
        assert!(third.confidence < 0.9, "{third:?}");
        for (index, named) in ["P77", "P3", "P3", "said again"].iter().enumerate() {
            assert!(left_out[index].contains(named), "{left_out:?}");
        }
    }

    #[test]
    fn an_analysis_that_uses_hardly_any_passage_is_completed_by_the_rule() {
        let quotes = [
            THREE,
            COSTS,
            "Radiators of the old house need not be changed for a heat pump.",
            "The noise of a heat pump at night is 35 dB in most old houses.",
        ];
        let input = input(&quotes);
        let insight = |text: &str, passage: &str| {
            let passages = [passage];
            json!({ "text": text, "passages": passages, "kind": "figure", "confidence": 0.9 })
        };
        let one = insight(THREE, "P1");
        let (analysis, left_out) = validated(&input, json!({ "insights": [one] }));
        let passages = analysis.insights.iter().map(|own| own.passage.as_str());
        assert_eq!(passages.collect::<Vec<_>>(), ["P1", "P2", "P3", "P4"]);
        let ids = analysis.insights.iter().map(|own| own.id.as_str());
        assert_eq!(ids.collect::<Vec<_>>(), ["I1", "I2", "I3", "I4"]);
        assert!(
            left_out.iter().any(|own| own.contains("1 of 4 passages")),
            "{left_out:?}"
        );
        // A model that uses half of them has chosen.
        let (one, other) = (insight(THREE, "P1"), insight(COSTS, "P2"));
        let (analysis, _) = validated(&input, json!({ "insights": [one, other] }));
        assert_eq!(analysis.insights.len(), 2);
    }

    #[test]
    fn a_contradiction_that_cannot_be_shown_is_dropped() {
        let input = input(&[
            "Radiators are replaced in most houses before the pump comes.",
            "Radiators stay in most houses when the pump comes.",
            COSTS,
        ]);
        let pair = |subject: &str, one: &str, says: &str, other: &str, other_says: &str| {
            json!({ "subject": subject, "one": one, "one_says": says, "other": other,
                "other_says": other_says })
        };
        let (analysis, left_out) = validated(
            &input,
            json!({
                "insights": [{ "text": "Radiators differ.", "passages": ["P1"], "confidence": 1 }],
                "contradictions": [
                    pair("radiators", "P1", "replaced", "P2 of S2", "stay"),
                    pair("radiators", "P1", "replaced", "P3", "40,000"),
                    pair("radiators", "P1", "houses", "P2", "houses"),
                    pair("radiators", "P1", "replaced", "P1", "stay"),
                ],
            }),
        );
        let differences: Vec<_> = analysis
            .contradictions
            .iter()
            .map(|one| &one.difference)
            .collect();
        assert_eq!(differences, ["radiators: replaced against stay"]);
        assert_eq!(left_out.len(), 3, "{left_out:?}");
    }

    #[test]
    fn sentences_and_gaps_are_checked() {
        let input = input(&[THREE, COSTS]);
        let (analysis, left_out) = validated(
            &input,
            json!({
                "insights": [{ "text": THREE, "passages": ["P1"], "kind": "x", "confidence": 1 }],
                "summary": [{ "text": "Bees make honey.", "passages": ["P1"] }],
                "conclusion": [{ "text": THREE, "passages": ["P1"] }],
                "gaps": ["costs and drawbacks", "the mean factor of pumps", "the noise at night"],
            }),
        );
        assert_eq!(analysis.insights[0].facet, Facet::Overview);
        assert_eq!(analysis.summary_statements, []);
        assert_eq!(analysis.conclusion.insights, ["I1"]);
        assert_eq!(analysis.conclusion.statements[0].text, THREE);
        assert_eq!(analysis.gaps, ["the noise at night"]);
        assert_eq!(left_out.len(), 3, "{left_out:?}");
    }

    #[test]
    fn an_edited_or_older_analysis_reads() {
        let (analysis, _) = validated(
            &input(&[THREE]),
            json!({ "insights": [{ "text": THREE, "passages": ["P1"], "confidence": 1 }] }),
        );
        let mut json = serde_json::to_value(&analysis).unwrap();
        json["knowledge_graph"] = json!({ "nodes": ["S1"], "edges": [] });
        json["insights"][0]["text"] = json!("Edited.");
        for field in ["text", "verdict", "corroboration"] {
            let read: Analysis = serde_json::from_value(json.clone()).unwrap();
            assert_eq!(read.insights.len(), 1, "{field}");
            json["insights"][0].as_object_mut().unwrap().remove(field);
        }
        json.as_object_mut().unwrap().remove("conclusion");
        assert!(serde_json::from_value::<Analysis>(json).is_ok());
    }
}
