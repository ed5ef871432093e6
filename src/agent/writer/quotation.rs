//! The report in quotations: the insights in the order of a report. Every sentence is a quotation;
//! only the headings are not.

use super::super::answer::line;
use super::super::succession::{DatedSentence, EarlierAnswer, day_to_come};
use super::draft::Draft;
use super::series::series;
use crate::answering::Question;
use crate::artifact::analysis::Insight;
use crate::artifact::claims::{Claim, DraftSection};
use crate::artifact::classification::Kind;
use crate::artifact::plan::Facet;
use crate::artifact::source::Source;
use crate::artifact::{Analysis, Claims, Research};
use crate::text;

/// The maximum length of a title, in characters: a question is shown whole.
const TITLE: usize = 300;

/// The heading of the section on the topic as a whole.
const OVERVIEW: &str = "What the documents say";

/// Returns the report in quotations: its summary, its sections and the disagreements, each passage
/// quoted once.
pub fn quote(analysis: &Analysis, research: &Research) -> Claims {
    let mut draft = Draft::new(analysis, research);
    // The order decides where a passage is quoted, since each is quoted once: the summary first,
    // then disagreements, and the sections take the rest.
    let summary = summary(&mut draft);
    let disagreements = draft.disagreements();
    let series = series(&mut draft);
    let sections = sections(&mut draft);
    note_corrections(&mut draft);
    Claims {
        title: line(&analysis.topic, TITLE),
        summary,
        sections,
        conclusion: Vec::new(),
        disagreements,
        series,
        sources: Vec::new(),
        passages: Vec::new(),
        corrections: Vec::new(),
        claims: draft.claims,
    }
}

/// Notes which claims the claim of a later source corrects.
fn note_corrections(draft: &mut Draft<'_>) {
    let research = draft.research;
    let question = Question::parse(&research.topic);
    let sources = draft.claims.iter().map(|claim| {
        let citation = claim.citations.first()?;
        research.source(&citation.source)
    });
    let sources: Vec<Option<&Source>> = sources.collect();
    let texts = draft.claims.iter();
    let texts: Vec<String> = texts
        .map(|claim| with_revocation(claim, &draft.claims))
        .collect();
    let headings = draft.claims.iter().map(|claim| {
        let passage = research.passage(&claim.citations.first()?.passage)?;
        passage.headings.last().map(String::as_str)
    });
    let headings: Vec<Option<&str>> = headings.collect();
    let sentences = texts.iter().zip(sources.iter().zip(headings));
    let sentences: Vec<Option<DatedSentence<'_>>> = sentences
        .map(|(text, (source, heading))| Some(dated(text, (*source)?, heading)))
        .collect();
    let id = |number: usize| sources[number].map(|source| &source.id);
    let corrections = sentences.iter().enumerate().map(|(own, earlier)| {
        let earlier = earlier.map(|own| EarlierAnswer::new(&question, own));
        let corrects = |(number, later): (usize, &Option<DatedSentence<'_>>)| {
            let pair = later.zip(earlier);
            // No document is superseded by itself.
            let is_later = id(number) != id(own)
                && pair.is_some_and(|(later, earlier)| earlier.is_superseded_by(&question, later));
            let by = is_later.then(|| id(number).cloned()).flatten()?;
            Some((by, later.and_then(day_to_come)))
        };
        sentences.iter().enumerate().find_map(corrects)
    });
    let corrections: Vec<Option<(String, Option<String>)>> = corrections.collect();
    for (claim, correction) in draft.claims.iter_mut().zip(corrections) {
        (claim.superseded_by, claim.superseded_from) =
            correction.map_or((None, None), |(by, from)| (Some(by), from));
    }
}

/// The number of bytes between two sentences of a paragraph.
const BETWEEN: usize = 2;

/// The text of a claim, with the claim right behind it in its source if that says that an earlier
/// decision is revoked.
fn with_revocation(claim: &Claim, claims: &[Claim]) -> String {
    let is_behind = |other: &&Claim| {
        let places = claim.citations.first().zip(other.citations.first());
        places.is_some_and(|(own, next)| {
            let distance = next.start.checked_sub(own.end);
            own.source == next.source && distance.is_some_and(|distance| distance <= BETWEEN)
        }) && text::ends_decision(&other.text)
    };
    let revocation = claims.iter().find(is_behind);
    let revocation = revocation.map_or("", |other| &other.text);
    format!("{} {revocation}", claim.text)
}

fn dated<'a>(text: &'a str, source: &'a Source, heading: Option<&'a str>) -> DatedSentence<'a> {
    DatedSentence {
        text,
        title: &source.title,
        date: text::tables::valid_from(text)
            .or_else(|| text::day_of_heading(heading?))
            .or(source.date.as_deref()),
        heading,
    }
}

fn summary(draft: &mut Draft<'_>) -> Vec<String> {
    let Analysis {
        summary, insights, ..
    } = draft.analysis;
    summary
        .iter()
        .filter_map(|id| insights.iter().find(|insight| insight.id == *id))
        .filter_map(|insight| add(draft, insight))
        .collect()
}

/// Adds a claim for an insight, with citations of the sources that agree; `None` if its passage is
/// already quoted.
fn add(draft: &mut Draft<'_>, insight: &Insight) -> Option<String> {
    let id = draft.quote(draft.research.passage(&insight.passage)?)?;
    draft.corroborate(&insight.agreeing);
    Some(id)
}

/// The sections, one per aspect. The quotations of a source are next to each other, in the order of
/// its text.
fn sections(draft: &mut Draft<'_>) -> Vec<DraftSection> {
    let research = draft.research;
    let mut sections = Vec::new();
    for (mut heading, insights) in outline(draft.analysis, research) {
        let (mut stated, mut claims) = (Vec::new(), Vec::new());
        for insight in insights {
            if let Some(claim) = add(draft, insight) {
                stated.push(insight);
                claims.push(claim);
            }
        }
        if stated.iter().all(|insight| insight.facet == Facet::Entries) {
            heading.push_str(&extent(research, &stated));
        }
        if !claims.is_empty() {
            sections.push(DraftSection { heading, claims });
        }
    }
    sections
}

/// Returns the outline of a report: a heading for each aspect, with its insights in order.
pub(super) fn outline<'a>(
    analysis: &'a Analysis,
    research: &'a Research,
) -> Vec<(String, Vec<&'a Insight>)> {
    let mut sections: Vec<(String, Vec<&'a Insight>)> = Vec::new();
    for insight in &analysis.insights {
        let heading = heading(research, insight);
        match sections.iter_mut().find(|(other, _)| *other == heading) {
            Some((_, insights)) => insights.push(insight),
            None => sections.push((heading, vec![insight])),
        }
    }
    for (_, insights) in &mut sections {
        *insights = in_order(research, insights);
    }
    sections
}

/// The insights of a section grouped by source: the sources in the order of their first insight, in
/// a chronicle in the order of their dates.
fn in_order<'a>(research: &Research, insights: &[&'a Insight]) -> Vec<&'a Insight> {
    let mut sources: Vec<&str> = Vec::new();
    for insight in insights {
        if let Some(passage) = research.passage(&insight.passage)
            && !sources.contains(&passage.source.as_str())
        {
            sources.push(&passage.source);
        }
    }
    if insights
        .iter()
        .any(|insight| insight.facet == Facet::Entries)
    {
        let date = |id: &str| research.source(id).and_then(|source| source.date.clone());
        // Undated sources come last; the sort is stable, so ties keep the order of the insights.
        sources.sort_by_key(|source| (date(source).is_none(), date(source)));
    }
    let mut ordered: Vec<&Insight> = insights.to_vec();
    ordered.sort_by_key(|insight| {
        let passage = research.passage(&insight.passage)?;
        let source = sources.iter().position(|source| *source == passage.source);
        Some((source, passage.start))
    });
    ordered
}

/// The extent of a chronicle as a suffix of its heading: the number of documents and their years.
fn extent(research: &Research, insights: &[&Insight]) -> String {
    let sources: Vec<_> = insights
        .iter()
        .filter_map(|insight| {
            let passage = research.passage(&insight.passage)?;
            research.source(&passage.source)
        })
        .collect();
    let mut years: Vec<&str> = sources
        .iter()
        // An ISO 8601 date begins with its year, however precise it is.
        .filter_map(|source| source.date.as_ref()?.get(..4))
        .collect();
    years.sort_unstable();
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

fn heading(research: &Research, insight: &Insight) -> String {
    let is_decision = research.classification.kind == Kind::Decision;
    match insight.facet {
        Facet::Overview => OVERVIEW.to_owned(),
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
        Facet::Side => step_title(research, insight)
            .map_or_else(|| OVERVIEW.to_owned(), |side| format!("On {side}")),
        Facet::Question | Facet::Aspect => {
            step_title(research, insight).map_or_else(|| OVERVIEW.to_owned(), str::to_owned)
        }
        // A single word of the topic, stemmed, is no heading.
        Facet::Term => OVERVIEW.to_owned(),
    }
}

/// The title of an insight's step, without the verb.
fn step_title<'a>(research: &'a Research, insight: &Insight) -> Option<&'a str> {
    let mut steps = research.plan.steps.iter();
    let step = steps.find(|step| step.id == insight.step)?;
    Some(step.heading())
}
