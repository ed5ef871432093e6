//! Chooses, among the sentences of the documents that a step read, those that are worth keeping.
//!
//! Documents first: only those that are about the topic are quoted. Then sentences, by their
//! aspect, and each as a run that is understood out of its place.

mod aspect;
mod candidate;
mod model;
mod quotation;

use std::collections::BTreeSet;

use aspect::{Aspect, UNDER_HEADING};
use quotation::Run;

use super::answer::rounded;
use super::definition::Agent;
use super::similarity::{ALIKE, shares};
use crate::artifact::classification::Kind;
use crate::artifact::plan::{Facet, PlanStep};
use crate::model::{Phase, Tier};
use crate::text;
pub use candidate::Candidate;

/// The documents are silent if no document, or no sentence, holds this share of the topic by weight
/// (the figures of a prototype over 648 design documents, which told 36 questions on them from 36
/// others). Of a topic with more terms than these a document or a sentence has to hold but as many.
const SILENT_DOCUMENT: f64 = 0.65;
const SILENT_SENTENCE: f64 = 0.6;
const TERMS_OF_DOCUMENT: f64 = 6.0;
const TERMS_OF_SENTENCE: f64 = 4.0;

/// A document is about the topic from this figure on (a prototype over 648 design documents took
/// 0.45; lower here, for small collections).
const ABOUT: f64 = 0.35;

/// … and from this share of the best document's figure: the more documents, the choosier. 0.5 for a
/// dozen, 0.67 for 648 (the prototype: 0.6 to 0.85).
fn about_share(documents: usize) -> f64 {
    (0.5 + 0.1 * (documents.max(1) as f64 / 12.0).log10()).clamp(0.4, 0.8)
}

/// From this share of the best document's figure on a document is quoted for what it says; one
/// below only for sentences that hold this share of the topic themselves, and if it names as much
/// of the topic as this. (The prototype: 0.85, and a word of the topic's titles.)
const MAIN: f64 = 0.85;
const ANCHOR: f64 = 0.3;
const ELSEWHERE_SAID: f64 = 0.4;

/// Runs of one document in one step at most: of the best document, and of any other. A report
/// should not retell one document, but a narrow question is answered by one.
const OF_BEST: usize = 3;
const OF_OTHER: usize = 2;

/// A chronicle has an entry of each document from this share of the best document's figure on.
const ENTRY_SHARE: f64 = 0.5;

/// Entries of a chronicle, as a multiple of the quotations of another step.
const ENTRIES: usize = 2;

/// Sentences of other documents that are kept beside each chosen one because they say the like.
const CORROBORATING: usize = 3;

/// What a sentence is worth by the way it speaks: to its reader, of its document's making, with
/// hedges, as one of a list, and with a word of the topic at its beginning (a prototype over 648
/// design documents).
const TO_READER: f64 = 0.6;
const ON_PROCESS: f64 = 0.6;
const HEDGED: f64 = 0.85;
const AS_GROUP: f64 = 0.9;
const ANCHORED: f64 = 1.12;

const READER_WORDS: [&str; 3] = ["you", "your", "yourself"];
const GROUP_WORDS: [&str; 3] = ["we", "our", "us"];
const HEDGES: [&str; 7] = [
    "might", "maybe", "perhaps", "possibly", "probably", "seems", "arguably",
];
const PROCESS_WORDS: [&str; 8] = [
    "discussion",
    "thread",
    "comment",
    "comments",
    "author",
    "pr",
    "issue",
    "draft",
];

/// The researcher.
pub struct Researcher;

/// What the researcher sees.
#[derive(Debug, Clone)]
pub struct ResearcherInput {
    /// The step.
    pub step: PlanStep,
    /// What kind of answer the topic asks for.
    pub kind: Kind,
    /// The terms of the subject, and how much each tells.
    pub terms: Vec<TermWeight>,
    /// A term that every quotation must hold.
    pub wanted: Option<String>,
    /// The documents that are most about it, best first.
    pub documents: Vec<FoundDocument>,
    /// Their sentences, by document and place.
    pub candidates: Vec<Candidate>,
    /// The largest share of the subject, by weight, that one document holds.
    pub best_document: f64,
    /// … and that one sentence holds.
    pub best_sentence: f64,
    /// How many quotations to keep, those that corroborate aside.
    pub limit: usize,
    /// How many documents were searched.
    pub searched: usize,
}

/// A term and how much it tells.
#[derive(Debug, Clone, PartialEq)]
pub struct TermWeight {
    /// The term, stemmed.
    pub term: String,
    /// 0 to 1, more for a term that fewer documents hold.
    pub weight: f64,
}

/// A document that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundDocument {
    /// Its place in the library.
    pub place: usize,
    /// Its title.
    pub title: String,
    /// Its date, as far as it is given.
    pub date: Option<String>,
    /// How much it is about the subject, 0 to 1.
    pub about: f64,
    /// How much it says so itself, 0 to 1: the share of the subject that its title holds, or that
    /// of its phrases.
    pub anchor: f64,
}

/// What the researcher decides.
#[derive(Debug, Clone, PartialEq)]
pub struct ResearcherOutput {
    /// What is kept, best first, those that corroborate after what they corroborate.
    pub chosen: Vec<Chosen>,
    /// The finding in one sentence about it.
    pub observation: String,
}

/// Consecutive candidates of one paragraph that are kept as one quotation.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The first one's place among the candidates.
    pub first: usize,
    /// The last one's.
    pub last: usize,
    /// Bytes at the beginning of the first that are left out: a connective.
    pub skip: usize,
    /// How well it fits, 0 to 1, rounded to three places.
    pub relevance: f64,
}

impl Agent for Researcher {
    type Input = ResearcherInput;
    type Output = ResearcherOutput;
    const NAME: &'static str = "researcher";
    const TIER: Tier = Tier::Analytical;
    const PHASE: Phase = Phase::Gathering;
    const PROMPT: &'static str = include_str!("../../../prompts/researcher.md");

    fn rule(input: &ResearcherInput) -> ResearcherOutput {
        let chosen = if is_silent(input) {
            Vec::new()
        } else {
            Choice::of(input).chosen()
        };
        let documents: BTreeSet<_> = chosen
            .iter()
            .map(|one| input.candidates[one.first].document)
            .collect();
        ResearcherOutput {
            observation: observation(chosen.len(), documents.len()),
            chosen,
        }
    }
}

/// Whether the documents have nothing to say on the subject.
fn is_silent(input: &ResearcherInput) -> bool {
    let terms = input.terms.len().max(1) as f64;
    let of_document = SILENT_DOCUMENT * (TERMS_OF_DOCUMENT / terms).min(1.0);
    let of_sentence = SILENT_SENTENCE * (TERMS_OF_SENTENCE / terms).min(1.0);
    input.best_document < of_document || input.best_sentence < of_sentence
}

fn observation(quotations: usize, documents: usize) -> String {
    match quotations {
        0 => "Nothing was found.".to_owned(),
        1 => "One quotation was found, in one document.".to_owned(),
        _ if documents == 1 => format!("{quotations} quotations were found, all in one document."),
        _ => format!("{quotations} quotations were found in {documents} documents."),
    }
}

/// A sentence that could be quoted, with what would be quoted of its paragraph.
struct Scored {
    place: usize,
    run: Run,
    relevance: f64,
}

/// The choice of one step.
struct Choice<'a> {
    input: &'a ResearcherInput,
    aspect: Aspect,
    /// The figure of the document that is most about the subject.
    top: f64,
    /// The figure from which a document is quoted.
    focus: f64,
}

impl<'a> Choice<'a> {
    fn of(input: &'a ResearcherInput) -> Self {
        let about = input.documents.iter().map(|document| document.about);
        let top = about.fold(0.0, f64::max);
        let share = match input.step.facet {
            Facet::Entries => ENTRY_SHARE,
            _ => about_share(input.searched),
        };
        Self {
            aspect: Aspect::of(input.step.facet),
            focus: ABOUT.max(share * top),
            top,
            input,
        }
    }

    fn chosen(&self) -> Vec<Chosen> {
        let mut chosen: Vec<Scored> = Vec::new();
        for lead in self.leads() {
            let beside = self.corroborating(&lead);
            chosen.push(lead);
            let is_new = |other: &Scored| {
                chosen
                    .iter()
                    .all(|one| other.run.last < one.run.first || one.run.last < other.run.first)
            };
            let beside: Vec<Scored> = beside.into_iter().filter(is_new).collect();
            chosen.extend(beside);
        }
        let chosen = chosen.iter().map(|one| Chosen {
            first: one.run.first,
            last: one.run.last,
            skip: one.run.skip,
            relevance: rounded(one.relevance),
        });
        chosen.collect()
    }

    /// What to keep for itself. Only documents that are about the topic are quoted: what merely
    /// shares words with it reads well and answers nothing.
    fn leads(&self) -> Vec<Scored> {
        let document = |one: &Scored| self.input.candidates[one.place].document;
        let terms = |one: &Scored| &self.input.candidates[one.place].terms;
        let mut leads: Vec<Scored> = Vec::new();
        for mut one in self.scored() {
            if leads.len() == self.limit() {
                break;
            }
            let same: Vec<&Scored> = leads
                .iter()
                .filter(|lead| document(lead) == document(&one))
                .collect();
            let says_new = leads
                .iter()
                .all(|lead| text::cosine(terms(lead), terms(&one)) < ALIKE);
            if same.len() >= self.most_of(document(&one)) || !says_new {
                continue;
            }
            one.run = quotation::grown(&self.input.candidates, one.run);
            let joined = |lead: &Scored| {
                let run = quotation::joined(&self.input.candidates, lead.run, one.run)?;
                Some((lead.place, run))
            };
            let overlaps =
                |lead: &Scored| one.run.first <= lead.run.last && lead.run.first <= one.run.last;
            if let Some((place, run)) = leads.iter().find_map(joined) {
                if let Some(lead) = leads.iter_mut().find(|lead| lead.place == place) {
                    lead.run = run;
                }
            } else if !leads.iter().any(overlaps) {
                leads.push(one);
            }
        }
        leads
    }

    fn limit(&self) -> usize {
        match self.input.step.facet {
            Facet::Entries => ENTRIES * self.input.limit,
            _ => self.input.limit,
        }
    }

    /// How many quotations of a document a step may keep.
    fn most_of(&self, document: usize) -> usize {
        match self.input.step.facet {
            Facet::Entries => 1,
            _ if self.input.documents[document].about >= self.top => OF_BEST,
            _ => OF_OTHER,
        }
    }

    /// Every sentence that fits the aspect, best first, ties by place.
    fn scored(&self) -> Vec<Scored> {
        let candidates = &self.input.candidates;
        let mut scored: Vec<Scored> = (0..candidates.len())
            .filter_map(|place| {
                let document = &self.input.documents[candidates[place].document];
                if document.about < self.focus {
                    return None;
                }
                let relevance = self.relevance(&candidates[place])?;
                let run = self.run(place)?;
                Some(Scored {
                    place,
                    run,
                    relevance,
                })
            })
            .collect();
        scored.sort_by(|a, b| {
            b.relevance
                .total_cmp(&a.relevance)
                .then(a.place.cmp(&b.place))
        });
        scored
    }

    fn run(&self, place: usize) -> Option<Run> {
        let candidates = &self.input.candidates;
        let is_question = self.input.step.facet == Facet::Open
            && text::is_self_contained_question(&candidates[place].sentence);
        if is_question {
            return Some(Run {
                first: place,
                last: place,
                skip: 0,
            });
        }
        quotation::around(candidates, place)
    }

    /// How well a sentence fits the step, 0 to 1; none if it does not.
    fn relevance(&self, candidate: &Candidate) -> Option<f64> {
        let headings: Vec<String> = candidate
            .headings
            .iter()
            .flat_map(|heading| text::terms(heading))
            .collect();
        if self.aspect.is_elsewhere(&headings) {
            return None;
        }
        let cue = self
            .aspect
            .cue(&candidate.sentence, &headings, candidate.is_lead);
        let said = share(&self.input.terms, |term| candidate.terms.contains(term));
        let document = &self.input.documents[candidate.document];
        let belongs = match self.input.step.facet {
            _ if self.is_main(document) => true,
            Facet::Entries => self.is_anchored(document),
            Facet::Term => true,
            _ => self.is_anchored(document) && said >= ELSEWHERE_SAID,
        };
        if !belongs || !self.fits(cue, said) || !self.holds_wanted(candidate) {
            return None;
        }
        let near = share(&self.input.terms, |term| headings.contains(term));
        let place = 1.0 / (1.0 + 0.25 * candidate.paragraph_in_section as f64);
        // What is said on the topic itself says so; what stands under "Drawbacks" need not name the
        // topic again.
        let (of_topic, of_aspect) = match self.input.step.facet {
            Facet::Overview if self.input.kind == Kind::Decision => (0.45, 0.05),
            Facet::Figures => (0.45, 0.05),
            Facet::Overview | Facet::Side | Facet::Term | Facet::Entries => (0.25, 0.25),
            _ => (0.15, 0.35),
        };
        let relevance = 0.3 * document.about / self.top
            + 0.1 * candidate.match_score
            + of_topic * said.max(0.7 * near)
            + of_aspect * cue
            + 0.1 * place;
        Some((relevance * self.manner(candidate)).min(1.0))
    }

    fn is_main(&self, document: &FoundDocument) -> bool {
        document.about >= MAIN * self.top
    }

    /// Whether a document names the subject, if a main one does.
    fn is_anchored(&self, document: &FoundDocument) -> bool {
        let mut main = self.input.documents.iter().filter(|one| self.is_main(one));
        document.anchor >= ANCHOR || main.all(|one| one.anchor < ANCHOR)
    }

    /// Whether a sentence holds the word that the step is about, and another one of the topic, if
    /// it is about one.
    fn holds_wanted(&self, candidate: &Candidate) -> bool {
        let Some(wanted) = &self.input.wanted else {
            return true;
        };
        let mut others = self.input.terms.iter().filter(|one| one.term != *wanted);
        candidate.terms.contains(wanted) && others.any(|one| candidate.terms.contains(&one.term))
    }

    /// Whether a sentence with this cue, that says this share of the topic, belongs to the step.
    fn fits(&self, cue: f64, said: f64) -> bool {
        match self.input.step.facet {
            Facet::Overview | Facet::Side => cue >= 1.0 || said >= 0.5,
            Facet::Term => true,
            Facet::Entries => cue >= 1.0 || said >= 0.6,
            Facet::Figures => cue > 0.0 && said >= 0.3,
            _ => cue >= UNDER_HEADING || cue > 0.0 && said >= 0.4,
        }
    }

    /// What a sentence is worth by the way it speaks.
    fn manner(&self, candidate: &Candidate) -> f64 {
        let words: BTreeSet<String> = text::words(&candidate.sentence)
            .map(|word| text::fold(word.text))
            .collect();
        let has = |list: &[&str]| list.iter().any(|word| words.contains(*word));
        let mut worth = 1.0;
        for (list, factor) in [
            (READER_WORDS.as_slice(), TO_READER),
            (&PROCESS_WORDS, ON_PROCESS),
            (&HEDGES, HEDGED),
            (&GROUP_WORDS, AS_GROUP),
        ] {
            if has(list) {
                worth *= factor;
            }
        }
        let mut first = candidate.terms.iter().take(2);
        let wanted = |term: &String| self.input.terms.iter().any(|one| one.term == *term);
        if first.any(wanted) {
            worth *= ANCHORED;
        }
        worth
    }

    /// Quotations of other documents that say the like of this one, the most alike first, one of
    /// each document.
    fn corroborating(&self, lead: &Scored) -> Vec<Scored> {
        let candidates = &self.input.candidates;
        let terms = &candidates[lead.place].terms;
        let mut alike: Vec<(f64, usize)> = (0..candidates.len())
            .filter(|other| candidates[*other].document != candidates[lead.place].document)
            .filter(|other| shares(terms, &candidates[*other].terms, 3))
            .map(|other| (text::cosine(terms, &candidates[other].terms), other))
            .filter(|(cosine, _)| *cosine >= ALIKE)
            .collect();
        alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut seen = BTreeSet::new();
        let alike = alike.into_iter().filter_map(|(_, place)| {
            let run = quotation::around(candidates, place).filter(|run| run.first == run.last)?;
            seen.insert(candidates[place].document).then_some(Scored {
                place,
                run,
                relevance: lead.relevance,
            })
        });
        alike.take(CORROBORATING).collect()
    }
}

/// The share of terms, by weight, that are there.
pub fn share(terms: &[TermWeight], is_there: impl Fn(&String) -> bool) -> f64 {
    let all: f64 = terms.iter().map(|term| term.weight).sum();
    let there = terms.iter().filter(|term| is_there(&term.term));
    if all > 0.0 {
        there.map(|term| term.weight).sum::<f64>() / all
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::planner::{Planner, PlannerInput};
    use super::super::{Coordinator, CoordinatorInput};
    use std::sync::Arc;

    use super::*;

    fn candidate(document: usize, sentence: &str) -> Candidate {
        Candidate {
            document,
            paragraph: 0,
            paragraph_in_section: 0,
            is_caseless: false,
            sentence: sentence.into(),
            terms: text::terms(sentence).into(),
            headings: Arc::from(Vec::new()),
            match_score: 0.5,
            is_lead: false,
            quotability: Arc::default(),
        }
    }

    fn input(topic: &str, sentences: &[&str]) -> ResearcherInput {
        let classification = Coordinator::rule(&CoordinatorInput {
            topic: topic.to_owned(),
            max_questions: 1,
            messages: Vec::new(),
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
            kind: Kind::Explanation,
            terms,
            candidates: candidates
                .map(|(place, one)| candidate(place, one))
                .collect(),
            wanted: None,
            documents: (0..sentences.len())
                .map(|place| FoundDocument {
                    place,
                    title: String::new(),
                    date: None,
                    about: 0.5,
                    anchor: 0.0,
                })
                .collect(),
            best_document: 1.0,
            best_sentence: 1.0,
            limit: 2,
            searched: 3,
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
        let chosen: Vec<_> = output.chosen.iter().map(|one| one.first).collect();
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
