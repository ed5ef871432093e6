//! The parts in which a report is written: all of it in one call if there is little material, else
//! section by section, so that a long report fits into any context window.

use super::input::{Material, ReportPart, SectionInput, WriterInput};
use super::quotation::outline;
use crate::artifact::analysis::Insight;
use crate::artifact::plan::Facet;
use crate::artifact::session::{Depth, Style};
use crate::artifact::source::Passage;
use crate::artifact::{Analysis, Research};
use crate::cite;

/// The maximum number of passages of a section, and of one document in it unless there is no other.
/// (Chosen by hand: more passages than sentences that a section can have.)
const PASSAGES: usize = 6;
const PER_DOCUMENT: usize = 2;

/// The maximum number of passages that are written about in one call.
const WHOLE: usize = 12;

/// The words that a passage is worth; a passage has about 25.
const WORDS_PER_PASSAGE: usize = 40;

/// Returns the number of calls for so many passages.
pub(super) fn calls(passages: usize) -> usize {
    if passages <= WHOLE {
        1
    } else {
        // The sections, and the frame.
        passages.div_ceil(PASSAGES) + 1
    }
}

/// Returns what the writer is asked for: the whole report, or each section. What is in order of
/// date is not written: its entries stand for themselves.
pub fn requests(analysis: &Analysis, research: &Research, style: &Style) -> Vec<WriterInput> {
    let sections: Vec<SectionInput> = outline(analysis, research)
        .into_iter()
        .filter(|(_, insights)| insights.iter().any(|own| own.facet != Facet::Entries))
        .map(|(heading, insights)| SectionInput {
            heading,
            material: material(research, &insights),
        })
        .filter(|section| !section.material.is_empty())
        .collect();
    let passages: usize = sections.iter().map(|own| own.material.len()).sum();
    if passages == 0 {
        return Vec::new();
    }
    let most = longest(style, research.depth);
    let input = |part: ReportPart, sections: Vec<SectionInput>, share: usize| WriterInput {
        topic: analysis.topic.clone(),
        kind: research.classification.kind,
        part,
        words: (share * WORDS_PER_PASSAGE).min(most * share / passages),
        sections,
        style: style.clone(),
    };
    if passages <= WHOLE {
        return vec![input(ReportPart::Whole, sections, passages)];
    }
    let section = |own: SectionInput| {
        let share = own.material.len();
        input(ReportPart::Section, vec![own], share)
    };
    sections.into_iter().map(section).collect()
}

/// Returns the request for a section of checked sentences as one text.
pub fn flow(
    analysis: &Analysis,
    research: &Research,
    style: &Style,
    section: SectionInput,
) -> WriterInput {
    let words = section.material.iter().map(|own| own.text.split(' '));
    WriterInput {
        topic: analysis.topic.clone(),
        kind: research.classification.kind,
        part: ReportPart::Flow,
        words: words.map(Iterator::count).sum(),
        sections: vec![section],
        style: style.clone(),
    }
}

/// Returns the request for the summary and the conclusion of a report with these sentences, by
/// section.
pub fn frame(
    analysis: &Analysis,
    research: &Research,
    style: &Style,
    sections: Vec<SectionInput>,
) -> WriterInput {
    WriterInput {
        topic: analysis.topic.clone(),
        kind: research.classification.kind,
        part: ReportPart::Frame,
        words: longest(style, research.depth) / 8,
        sections,
        style: style.clone(),
    }
}

/// The length of a report in words: the requested one, else that of its kind (chosen by hand: half
/// a page and a page), else that of its depth (those of the public design that the citation checks
/// follow).
fn longest(style: &Style, depth: Depth) -> usize {
    match (style.words, style.kind.as_str(), depth) {
        (0, "brief", _) => 250,
        (0, "summary", _) => 500,
        (0, _, Depth::Auto | Depth::Quick) => 1200,
        (0, _, Depth::Standard) => 2000,
        (0, _, Depth::Deep) => 3200,
        (words, ..) => words,
    }
}

/// The passages of a section, best first.
fn material(research: &Research, insights: &[&Insight]) -> Vec<Material> {
    let mut best: Vec<&&Insight> = insights.iter().collect();
    best.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    let ids = best.iter().flat_map(|own| {
        let others = own.further.iter().chain(&own.agreeing);
        std::iter::once(&own.passage).chain(others)
    });
    let mut passages: Vec<&Passage> = Vec::new();
    for passage in ids.filter_map(|id| research.passage(id)) {
        if passages.iter().all(|other| other.id != passage.id) {
            passages.push(passage);
        }
    }
    let is_single = passages.iter().all(|own| own.source == passages[0].source);
    let mut chosen: Vec<&Passage> = Vec::new();
    for passage in passages {
        let same = chosen.iter().filter(|own| own.source == passage.source);
        if chosen.len() < PASSAGES && (is_single || same.count() < PER_DOCUMENT) {
            chosen.push(passage);
        }
    }
    chosen
        .into_iter()
        .map(|own| of_passage(research, own))
        .collect()
}

/// Returns a passage as the writer is shown it.
pub fn of_passage(research: &Research, passage: &Passage) -> Material {
    let source = research.source(&passage.source);
    let origin = source.map(|own| match &own.date {
        Some(date) => format!("{}, {date}", own.title),
        None => own.title.clone(),
    });
    Material {
        id: passage.id.clone(),
        origin: origin.unwrap_or_default(),
        text: cite::as_sentence(&passage.quote, &passage.columns),
    }
}
