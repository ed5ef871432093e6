//! Puts the insights into the order of a report. Every sentence is a quotation; headings are the
//! writer's own.

mod model;

use super::answer::line;
use super::definition::Agent;
use crate::artifact::analysis::{Contradiction, Insight};
use crate::artifact::claims::{Citation, Claim, Disagreement, DraftSection};
use crate::artifact::classification::Kind;
use crate::artifact::plan::Facet;
use crate::artifact::source::Passage;
use crate::artifact::{Analysis, Claims, Research};
use crate::cite;
use crate::model::{Phase, Tier};

/// Disagreements at most: the first ones found are those of the best passages.
const DISAGREEMENTS: usize = 8;

/// Characters of a title.
const TITLE: usize = 120;

/// The writer.
pub struct Writer;

/// What the writer sees.
#[derive(Debug, Clone)]
pub struct WriterInput {
    /// What the findings add up to.
    pub analysis: Analysis,
    /// The passages and their sources.
    pub research: Research,
}

impl Agent for Writer {
    type Input = WriterInput;
    type Output = Claims;
    const NAME: &'static str = "writer";
    const TIER: Tier = Tier::Complex;
    const PHASE: Phase = Phase::Finishing;
    const PROMPT: &'static str = include_str!("../../../prompts/writer.md");

    fn rule(input: &WriterInput) -> Claims {
        let mut draft = Draft {
            research: &input.research,
            claims: Vec::new(),
            placed: Vec::new(),
        };
        let summary = draft.summary(&input.analysis);
        let disagreements = draft.disagreements(&input.analysis);
        let sections = draft.sections(&input.analysis);
        Claims {
            title: line(&input.analysis.topic, TITLE),
            summary,
            sections,
            disagreements,
            claims: draft.claims,
        }
    }
}

struct Draft<'a> {
    research: &'a Research,
    claims: Vec<Claim>,
    /// Passages that stand somewhere in the report already: nothing is said twice.
    placed: Vec<&'a Passage>,
}

impl<'a> Draft<'a> {
    fn summary(&mut self, analysis: &'a Analysis) -> Vec<String> {
        let wanted = analysis.summary.iter();
        let insights =
            wanted.filter_map(|id| analysis.insights.iter().find(|insight| insight.id == *id));
        insights.filter_map(|insight| self.place(insight)).collect()
    }

    fn disagreements(&mut self, analysis: &'a Analysis) -> Vec<Disagreement> {
        let mut found = Vec::new();
        for contradiction in analysis.contradictions.iter().take(DISAGREEMENTS) {
            let Contradiction {
                difference,
                one,
                other,
                ..
            } = contradiction;
            let sides = [one, other].map(|passage| self.side(analysis, passage));
            if let [Some(one), Some(other)] = sides {
                found.push(Disagreement {
                    difference: difference.clone(),
                    one,
                    other,
                });
            }
        }
        found
    }

    /// The claim for one side of a disagreement: a side may have been stated already, and then is
    /// the same claim.
    fn side(&mut self, analysis: &'a Analysis, passage: &'a str) -> Option<String> {
        let stated = self.claims.iter().find(|claim| {
            claim
                .citations
                .iter()
                .any(|citation| citation.passage == passage)
        });
        if let Some(claim) = stated {
            return Some(claim.id.clone());
        }
        let insight = analysis
            .insights
            .iter()
            .find(|insight| insight.passage == passage);
        let confidence = insight.map_or(0.0, |insight| insight.confidence);
        self.claim(passage, confidence)
    }

    /// One section for each aspect. In a section each source speaks once, in the order of its text:
    /// what is quoted side by side was written side by side.
    fn sections(&mut self, analysis: &'a Analysis) -> Vec<DraftSection> {
        let mut sections: Vec<(String, Vec<&Insight>)> = Vec::new();
        for insight in &analysis.insights {
            let heading = self.heading(insight);
            match sections.iter_mut().find(|(known, _)| *known == heading) {
                Some((_, insights)) => insights.push(insight),
                None => sections.push((heading, vec![insight])),
            }
        }
        let mut drafted = Vec::new();
        for (mut heading, insights) in sections {
            let (mut told, mut claims) = (Vec::new(), Vec::new());
            for insight in self.in_order(&insights) {
                if let Some(claim) = self.place(insight) {
                    told.push(insight);
                    claims.push(claim);
                }
            }
            if told.iter().all(|one| one.facet == Facet::Entries) {
                heading.push_str(&self.extent(&told));
            }
            if !claims.is_empty() {
                drafted.push(DraftSection { heading, claims });
            }
        }
        drafted
    }

    /// The insights of a section by source, the sources in the order of their first insight, or of
    /// their dates in a chronicle.
    fn in_order<'b>(&self, insights: &[&'b Insight]) -> Vec<&'b Insight> {
        let mut sources: Vec<&str> = Vec::new();
        for passage in insights
            .iter()
            .filter_map(|insight| self.research.passage(&insight.passage))
        {
            if !sources.contains(&passage.source.as_str()) {
                sources.push(&passage.source);
            }
        }
        if insights.iter().any(|one| one.facet == Facet::Entries) {
            let date = |id: &&str| self.research.source(id).and_then(|one| one.date.clone());
            sources.sort_by_key(|source| (date(source).is_none(), date(source)));
        }
        let mut ordered: Vec<&Insight> = insights.to_vec();
        ordered.sort_by_key(|insight| {
            let passage = self.research.passage(&insight.passage);
            passage.map(|passage| {
                let source = sources.iter().position(|one| *one == passage.source);
                (source, passage.start)
            })
        });
        ordered
    }

    /// How many documents a chronicle has entries of, and over which years.
    fn extent(&self, insights: &[&Insight]) -> String {
        let sources = insights.iter().filter_map(|insight| {
            let passage = self.research.passage(&insight.passage)?;
            self.research.source(&passage.source)
        });
        let sources: Vec<_> = sources.collect();
        let year = |date: &String| date.get(..4).map(str::to_owned);
        let mut years: Vec<String> = sources
            .iter()
            .filter_map(|source| source.date.as_ref().and_then(year))
            .collect();
        years.sort();
        let documents = match sources.len() {
            1 => "1 document".to_owned(),
            more => format!("{more} documents"),
        };
        match (years.first(), years.last()) {
            (Some(first), Some(last)) if first != last => {
                format!(": {documents}, {first} to {last}")
            }
            (Some(year), _) => format!(": {documents}, {year}"),
            _ => format!(": {documents}"),
        }
    }

    fn heading(&self, insight: &Insight) -> String {
        let step = self
            .research
            .plan
            .steps
            .iter()
            .find(|step| step.id == insight.step);
        let is_decision = self.research.classification.kind == Kind::Decision;
        match insight.facet {
            Facet::Overview => "What the documents say".to_owned(),
            Facet::How => "How it works".to_owned(),
            Facet::Why if is_decision => "Arguments in favour".to_owned(),
            Facet::Why => "Reasons and benefits".to_owned(),
            Facet::Costs if is_decision => "Arguments against, and costs".to_owned(),
            Facet::Costs => "Costs and drawbacks".to_owned(),
            Facet::Alternatives => "Other options".to_owned(),
            Facet::Figures => "Figures".to_owned(),
            Facet::Recommendations => "Recommendations in the documents".to_owned(),
            Facet::Entries => "In order of date".to_owned(),
            Facet::Open => "Left open in the documents".to_owned(),
            Facet::Side | Facet::Term => step.map_or_else(String::new, |step| {
                let about = step.title.trim_start_matches("Research ");
                format!("On {about}")
            }),
        }
    }

    /// A claim for an insight, with what other sources say alike for further citations, unless its
    /// passage stands somewhere already.
    fn place(&mut self, insight: &'a Insight) -> Option<String> {
        let id = self.claim(&insight.passage, insight.confidence)?;
        let mut agreeing: Vec<Citation> = Vec::new();
        for passage in insight
            .agreeing
            .iter()
            .filter_map(|id| self.research.passage(id))
        {
            if agreeing.iter().all(|known| known.source != passage.source) {
                agreeing.push(citation(passage));
            }
        }
        let claim = self.claims.last_mut().filter(|claim| claim.id == id)?;
        claim.citations.extend(agreeing);
        Some(id)
    }

    fn claim(&mut self, passage: &'a str, confidence: f64) -> Option<String> {
        let found = self.research.passage(passage)?;
        let overlaps = |other: &&Passage| {
            other.source == found.source && other.start < found.end && found.start < other.end
        };
        if self.placed.iter().any(overlaps) {
            return None;
        }
        self.placed.push(found);
        let id = format!("C{}", self.claims.len() + 1);
        self.claims.push(Claim {
            id: id.clone(),
            text: cite::as_sentence(&found.quote),
            citations: vec![citation(found)],
            confidence,
        });
        Some(id)
    }
}

fn citation(passage: &Passage) -> Citation {
    Citation {
        source: passage.source.clone(),
        passage: passage.id.clone(),
        start: passage.start,
        end: passage.end,
        quote: passage.quote.clone(),
    }
}
