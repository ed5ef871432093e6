//! Chooses, among the sentences that a step's searches found, those that are worth keeping.

use std::collections::BTreeSet;

use super::{Agent, Tier, rounded};
use crate::artifact::plan::{Facet, PlanStep};
use crate::text;

/// Two sentences with this cosine of their terms say the like (set on the shipped example; see `examples/`).
pub(super) const ALIKE: f64 = 0.6;

/// A document is about the topic from this figure on (a prototype over 648 design documents took 0.45; lower here, for
/// small collections).
const ABOUT: f64 = 0.35;

/// … and from this share of the best document's figure: the more documents, the choosier. 0.5 for a dozen, 0.67 for 648
/// (the prototype: 0.6 to 0.85).
fn about_share(documents: usize) -> f64 {
    (0.5 + 0.1 * (documents.max(1) as f64 / 12.0).log10()).clamp(0.4, 0.8)
}

/// Sentences of one document in one step at most: a report should not retell one document.
const PER_DOCUMENT: usize = 2;

/// Sentences of other documents that are kept beside each chosen one because they say the like.
const CORROBORATING: usize = 3;

/// Words of a sentence that belong to an aspect, and words of the headings that promise it.
const HOW: &str = "how work mechanism process method step";
const HOW_SECTIONS: &str = "how work design explanation guide detail mechanism";
const WHY: &str = "why because reason benefit advantage help improve save";
const WHY_SECTIONS: &str = "why motivation rationale reason benefit advantage background";
const COSTS: &str = "cost drawback disadvantage risk problem price harder worse expensive";
const COSTS_SECTIONS: &str = "cost drawback disadvantage risk downside limitation concern";
const ALTERNATIVES: &str = "alternative instead option rather replace";
const ALTERNATIVES_SECTIONS: &str = "alternative option";
const RECOMMENDATIONS: &str = "recommend should must advice advise ought";
const RECOMMENDATIONS_SECTIONS: &str = "recommendation advice guideline policy";

/// The researcher.
pub struct Researcher;

/// What the researcher sees.
#[derive(Debug, Clone)]
pub struct ResearcherInput {
    /// The step.
    pub step: PlanStep,
    /// The terms of the topic, and how much each tells.
    pub terms: Vec<TermWeight>,
    /// The sentences found, in any order.
    pub candidates: Vec<Candidate>,
    /// How many to keep, those that corroborate aside.
    pub limit: usize,
    /// How many documents were searched.
    pub documents: usize,
}

/// A term and how much it tells.
#[derive(Debug, Clone, PartialEq)]
pub struct TermWeight {
    /// The term, stemmed.
    pub term: String,
    /// 0 to 1, more for a term that fewer documents hold.
    pub weight: f64,
}

/// A sentence that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Which document it is from.
    pub document: usize,
    /// Where it starts there: documents and places give the order among equals.
    pub start: usize,
    /// The sentence.
    pub sentence: String,
    /// The document's title and the headings above the sentence.
    pub headings: Vec<String>,
    /// How well its paragraph matched the search, 0 to 1.
    pub match_score: f64,
    /// How much its document is about the topic, 0 to 1.
    pub about: f64,
    /// Whether it stands in the document's own summary or its first paragraph.
    pub is_lead: bool,
}

/// What the researcher decides.
#[derive(Debug, Clone, PartialEq)]
pub struct ResearcherOutput {
    /// What is kept, best first, those that corroborate after what they corroborate.
    pub chosen: Vec<Chosen>,
    /// The finding in one sentence about it.
    pub observation: String,
}

/// A candidate that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Its place among the candidates.
    pub candidate: usize,
    /// How well it fits, 0 to 1, rounded to three places.
    pub relevance: f64,
}

impl Agent for Researcher {
    type Input = ResearcherInput;
    type Output = ResearcherOutput;
    const NAME: &'static str = "researcher";
    const TIER: Tier = Tier::Analytical;
    const PROMPT: &'static str = include_str!("../../prompts/researcher.md");

    fn rule(input: &ResearcherInput) -> ResearcherOutput {
        let scored = Scored::all(input);
        let leads = leads(input, &scored);
        let mut chosen: Vec<&Scored> = Vec::new();
        for lead in &leads {
            if chosen.iter().all(|other| other.place != lead.place) {
                chosen.push(lead);
            }
            let fresh = corroborating(lead, &scored, input);
            let fresh = fresh
                .into_iter()
                .filter(|other| chosen.iter().all(|one| one.place != other.place));
            let fresh: Vec<&Scored> = fresh.collect();
            chosen.extend(fresh);
        }
        let documents: BTreeSet<_> = chosen
            .iter()
            .map(|one| input.candidates[one.place].document)
            .collect();
        ResearcherOutput {
            observation: observation(chosen.len(), documents.len()),
            chosen: chosen
                .iter()
                .map(|one| Chosen {
                    candidate: one.place,
                    relevance: rounded(one.relevance),
                })
                .collect(),
        }
    }
}

fn observation(sentences: usize, documents: usize) -> String {
    match sentences {
        0 => "Nothing was found.".to_owned(),
        1 => "One sentence was found, in one document.".to_owned(),
        _ if documents == 1 => format!("{sentences} sentences were found, all in one document."),
        _ => format!("{sentences} sentences were found in {documents} documents."),
    }
}

struct Scored {
    place: usize,
    terms: Vec<String>,
    relevance: f64,
    fits: bool,
}

impl Scored {
    /// Every candidate that can be understood by itself, best first.
    fn all(input: &ResearcherInput) -> Vec<Self> {
        let candidates = input.candidates.iter().enumerate();
        let mut scored: Vec<Self> = candidates
            .filter(|(_, candidate)| text::stands_alone(&candidate.sentence))
            .map(|(place, candidate)| Self::of(place, candidate, input))
            .collect();
        let order = |one: &Self| {
            let candidate = &input.candidates[one.place];
            (candidate.document, candidate.start)
        };
        scored.sort_by(|a, b| {
            let by_relevance = b.relevance.total_cmp(&a.relevance);
            by_relevance.then_with(|| order(a).cmp(&order(b)))
        });
        scored
    }

    fn of(place: usize, candidate: &Candidate, input: &ResearcherInput) -> Self {
        let terms = text::terms(&candidate.sentence);
        let around: Vec<String> = candidate
            .headings
            .iter()
            .flat_map(|h| text::terms(h))
            .collect();
        let said = coverage(&input.terms, &terms);
        let near = coverage(&input.terms, &around);
        let cue = cue(input.step.facet, candidate, &terms, &around);
        let topical = said.max(0.7 * near);
        Self {
            place,
            relevance: 0.25 * candidate.about
                + 0.2 * candidate.match_score
                + 0.35 * topical
                + 0.2 * cue,
            fits: cue > 0.0 && topical >= 0.3 && said > 0.0,
            terms,
        }
    }
}

/// The sentences of other documents that say the like of this one, the most alike first, one of each document.
fn corroborating<'a>(
    lead: &Scored,
    scored: &'a [Scored],
    input: &ResearcherInput,
) -> Vec<&'a Scored> {
    let document = |one: &Scored| input.candidates[one.place].document;
    let others = scored
        .iter()
        .filter(|other| document(other) != document(lead));
    let mut alike: Vec<(f64, &Scored)> = others
        .map(|other| (text::cosine(&lead.terms, &other.terms), other))
        .filter(|(cosine, _)| *cosine >= ALIKE)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut seen = BTreeSet::new();
    alike.retain(|(_, other)| seen.insert(document(other)));
    alike.truncate(CORROBORATING);
    alike.into_iter().map(|(_, other)| other).collect()
}

/// The sentences to keep for themselves. Only documents that are about the topic are quoted: what merely shares words with
/// it reads well and answers nothing.
fn leads<'a>(input: &ResearcherInput, scored: &'a [Scored]) -> Vec<&'a Scored> {
    let document = |one: &Scored| input.candidates[one.place].document;
    let about = |one: &Scored| input.candidates[one.place].about;
    let top = scored.iter().map(about).fold(0.0, f64::max);
    let focus = ABOUT.max(about_share(input.documents) * top);
    let mut leads: Vec<&Scored> = Vec::new();
    for one in scored.iter().filter(|one| one.fits && about(one) >= focus) {
        if leads.len() == input.limit {
            break;
        }
        let same = leads
            .iter()
            .filter(|lead| document(lead) == document(one))
            .count();
        let says_new = leads
            .iter()
            .all(|lead| text::cosine(&lead.terms, &one.terms) < ALIKE);
        if same < PER_DOCUMENT && says_new {
            leads.push(one);
        }
    }
    leads
}

/// The share of the topic, by weight, that stands among these terms.
fn coverage(topic: &[TermWeight], terms: &[String]) -> f64 {
    let all: f64 = topic.iter().map(|term| term.weight).sum();
    let found = topic.iter().filter(|wanted| terms.contains(&wanted.term));
    if all > 0.0 {
        found.map(|term| term.weight).sum::<f64>() / all
    } else {
        0.0
    }
}

/// How much a sentence belongs to an aspect. What an author puts under a heading tells more than a word in the sentence.
fn cue(facet: Facet, candidate: &Candidate, terms: &[String], headings: &[String]) -> f64 {
    let (words, sections) = match facet {
        Facet::Overview => return if candidate.is_lead { 1.0 } else { 0.6 },
        Facet::Side | Facet::Term => return 1.0,
        Facet::Figures => return f64::from(measures(&candidate.sentence)),
        Facet::How => (HOW, HOW_SECTIONS),
        Facet::Why => (WHY, WHY_SECTIONS),
        Facet::Costs => (COSTS, COSTS_SECTIONS),
        Facet::Alternatives => (ALTERNATIVES, ALTERNATIVES_SECTIONS),
        Facet::Recommendations => (RECOMMENDATIONS, RECOMMENDATIONS_SECTIONS),
    };
    let said = text::words(&candidate.sentence).map(|word| text::stem(&text::fold(word.text)));
    let said: BTreeSet<String> = said.chain(terms.iter().cloned()).collect();
    let mut words = words.split(' ').map(text::stem);
    let mut sections = sections.split(' ').map(text::stem);
    let in_sentence = words.any(|word| said.contains(&word));
    let in_headings = sections.any(|word| headings.contains(&word));
    match (in_sentence, in_headings) {
        (true, true) => 1.0,
        (false, true) => 0.8,
        (true, false) => 0.5,
        (false, false) => 0.0,
    }
}

/// Whether a sentence gives a quantity of something, or a decimal number; a year or a bare count is none.
fn measures(sentence: &str) -> bool {
    let mut quantities = text::quantities(sentence).into_iter();
    quantities.any(|found| match found.unit.as_str() {
        "" => found.value.fract() != 0.0,
        unit => unit != "year",
    })
}

#[cfg(test)]
mod tests {
    use super::super::planner::{Planner, PlannerInput};
    use super::super::{Coordinator, CoordinatorInput};
    use super::*;

    fn candidate(document: usize, sentence: &str) -> Candidate {
        Candidate {
            document,
            start: 0,
            sentence: sentence.to_owned(),
            headings: Vec::new(),
            match_score: 0.5,
            about: 0.5,
            is_lead: false,
        }
    }

    fn input(topic: &str, sentences: &[&str]) -> ResearcherInput {
        let classification = Coordinator::rule(&CoordinatorInput {
            topic: topic.to_owned(),
            max_questions: 1,
        });
        let weigh = |term: &String| TermWeight {
            term: term.clone(),
            weight: 1.0,
        };
        let terms = classification.terms.iter().map(weigh).collect();
        let plan = Planner::rule(&PlannerInput {
            topic: topic.to_owned(),
            classification,
            iteration: 1,
            max_steps: 1,
            max_queries: 1,
            completed: Vec::new(),
            wanted: Vec::new(),
        });
        let candidates = sentences.iter().enumerate();
        ResearcherInput {
            step: plan.steps[0].clone(),
            terms,
            candidates: candidates
                .map(|(place, one)| candidate(place, one))
                .collect(),
            limit: 2,
            documents: 3,
        }
    }

    #[test]
    fn what_says_the_like_elsewhere_is_kept_beside() {
        let sentences = [
            "Bees collect nectar from the flowers of the garden in summer.",
            "A heat pump needs large radiators in every old house of stone.",
            "A heat pump needs no large radiators in an old house of stone.",
        ];
        let output = Researcher::rule(&input("heat pump in an old house", &sentences));
        let chosen: Vec<_> = output.chosen.iter().map(|one| one.candidate).collect();
        assert_eq!(chosen, [1, 2]);
    }

    #[test]
    fn nothing_is_chosen_that_is_not_on_the_topic() {
        let sentences = ["Bees collect nectar from the flowers of the garden in summer."];
        let output = Researcher::rule(&input("heat pump in an old house", &sentences));
        assert!(output.chosen.is_empty());
        assert_eq!(output.observation, "Nothing was found.");
    }
}
