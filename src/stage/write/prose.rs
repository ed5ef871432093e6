//! The draft of a report in prose: the writer writes from passages, each sentence is checked
//! against those that it names, and one that does not hold is corrected or removed.
//!
//! Nothing of it is stored on the way: calls are in their journal, so that a killed run writes the
//! same draft again without asking anybody.

use anyhow::Result;
use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::correction::{Corrections, Sentence, Sentences};
use super::verification::Checker;
use crate::agent::{
    self, Agent as _, CONCLUSION, Draft, Material, ReportPart, SUMMARY, SectionInput, Writer,
    WriterInput, WrittenSection, WrittenSentence,
};
use crate::artifact::claims::{Change, DraftSection};
use crate::artifact::session::{Session, Style};
use crate::artifact::source::Passage;
use crate::artifact::{Analysis, Claims, Research};
use crate::model::BudgetExhausted;
use crate::pipeline::Event;
use crate::stage::research::again::search_again;
use crate::stage::stage_run::StageRun;
use crate::text::counted;

/// The least number of sentences of a section; one with fewer is written passage by passage, which
/// small models are better at. (Chosen by hand.)
const LEAST_SENTENCES: usize = 2;

/// The maximum number of passages of a section that are written about one by one.
const SINGLE_PASSAGES: usize = 4;

/// Returns the draft of a report: in prose if a model writes it, else in quotations.
pub(super) async fn draft(
    run: StageRun<'_>,
    session: &Session,
    analysis: &Analysis,
    research: &Research,
) -> Result<Claims> {
    let quoted = agent::quote(analysis, research);
    if session.style.quote_only || !run.context.backend.has_model(Writer::NAME) {
        return Ok(quoted);
    }
    let prose = Prose::new(run, &session.style, analysis, research);
    let report = prose.sections().await?;
    let unshown = &report.corrections.unshown;
    let further = search_again(run, session, research, unshown).await?;
    if further.passages.is_empty() {
        return prose.finish(report, quoted).await;
    }
    // The sections once more, now with these passages: their calls are in the journal.
    let mut extended = research.clone();
    extended.sources.extend_from_slice(&further.sources);
    extended.passages.extend_from_slice(&further.passages);
    let prose = Prose::new(run, &session.style, analysis, &extended);
    let report = prose.sections().await?;
    let draft = prose.finish(report, quoted).await?;
    Ok(Claims {
        sources: further.sources,
        passages: further.passages,
        ..draft
    })
}

/// The writing of a report.
struct Prose<'a> {
    run: StageRun<'a>,
    style: &'a Style,
    analysis: &'a Analysis,
    research: &'a Research,
    sentences: Sentences<'a>,
}

/// A report in prose.
#[derive(Default)]
struct Report<'a> {
    summary: Vec<Sentence<'a>>,
    sections: Vec<Section<'a>>,
    conclusion: Vec<Sentence<'a>>,
    corrections: Corrections,
}

/// A section in prose.
struct Section<'a> {
    heading: String,
    sentences: Vec<Sentence<'a>>,
    /// `true` if sentences of it were removed.
    has_gaps: bool,
}

impl<'a> Prose<'a> {
    fn new(
        run: StageRun<'a>,
        style: &'a Style,
        analysis: &'a Analysis,
        research: &'a Research,
    ) -> Self {
        Self {
            run,
            style,
            analysis,
            research,
            sentences: Sentences::new(run, style, research, Checker::new(run, research)),
        }
    }

    /// Writes the sections, and if it is short the whole report.
    async fn sections(&self) -> Result<Report<'a>> {
        let requests = agent::requests(self.analysis, self.research, self.style);
        let at_once = self
            .run
            .context
            .settings
            .agents
            .researcher
            .max_concurrent_research_units;
        let parts: Vec<_> = requests.iter().map(|request| self.part(request)).collect();
        let parts = stream::iter(parts).buffered(at_once.max(1));
        let parts: Vec<Report<'a>> = parts.try_collect().await?;
        let mut report = Report::default();
        for part in parts {
            report.add(part);
        }
        Ok(report)
    }

    /// Returns the draft of a report: its sections read once more where sentences were removed, and
    /// its summary and conclusion, if it lacks them.
    async fn finish(&self, mut report: Report<'a>, quoted: Claims) -> Result<Claims> {
        let sections = std::mem::take(&mut report.sections);
        for mut section in sections {
            if section.has_gaps {
                let corrections = &mut report.corrections;
                section = self.flow(section, corrections).await?;
            }
            report.sections.push(section);
        }
        let requests = agent::requests(self.analysis, self.research, self.style);
        let is_whole = requests.iter().any(|own| own.part == ReportPart::Whole);
        if !is_whole && !report.sections.is_empty() {
            let frame = self.frame(&report).await?;
            report.add(frame);
        }
        for correction in &report.corrections.made {
            self.run.report(Event::CitationCorrected {
                sentence: correction.before.clone(),
                change: correction.change.name().to_owned(),
                reason: correction.reason.clone(),
            })?;
        }
        if report.sections.iter().all(|own| own.sentences.is_empty()) {
            let corrections = report.corrections.made;
            return Ok(Claims {
                corrections,
                ..quoted
            });
        }
        Ok(self.claims(report, quoted))
    }

    /// Writes a part of the report from its passages.
    async fn part(&self, request: &WriterInput) -> Result<Report<'a>> {
        let mut report = Report::default();
        for section in self.ask(request).await? {
            let heading = heading(request, section.heading.as_deref());
            let mut sentences = Vec::new();
            let before = report.corrections.made.len();
            for own in section.sentences {
                // Small models repeat themselves; the summary says again what sections say.
                let is_repeated = report.repeats(&own.text)
                    || sentences
                        .iter()
                        .any(|other: &Sentence<'_>| other.says(&own.text));
                if !is_same(heading, SUMMARY) && is_repeated {
                    continue;
                }
                let passages = self.passages(&own.shown_by);
                let checked = self
                    .sentences
                    .hold(own.text, passages, &mut report.corrections);
                sentences.extend(checked.await?);
            }
            let mut corrections = report.corrections.made.iter().skip(before);
            let has_gaps = corrections.any(|own| own.change == Change::Removed);
            report.add_sentences(heading, sentences, has_gaps);
        }
        for section in &request.sections {
            let written = report
                .sections
                .iter()
                .find(|own| own.heading == section.heading);
            let count = written.map_or(0, |own| own.sentences.len());
            if count < LEAST_SENTENCES.min(section.material.len()) {
                let sentences = self.one_by_one(section, &report).await?;
                report.add_sentences(&section.heading, sentences, false);
            }
        }
        let sentences: usize = report.sections.iter().map(|own| own.sentences.len()).sum();
        self.run.progress(counted(sentences, "sentence"))?;
        Ok(report)
    }

    /// Reads a section once more from which sentences were removed: each that is left is worded so
    /// that all of them read as one text, or stays as it is.
    async fn flow(
        &self,
        section: Section<'a>,
        corrections: &mut Corrections,
    ) -> Result<Section<'a>> {
        if section.sentences.len() < LEAST_SENTENCES {
            return Ok(section);
        }
        let material = section.sentences.iter().enumerate();
        let material = material.map(|(index, own)| material_of(index + 1, &own.text));
        let input = SectionInput {
            heading: section.heading.clone(),
            material: material.collect(),
        };
        let request = agent::flow(self.analysis, self.research, self.style, input);
        let written = self.ask(&request).await?.into_iter();
        let mut written: Vec<WrittenSentence> = written.flat_map(|own| own.sentences).collect();
        let mut sentences = Vec::new();
        for (index, sentence) in section.sentences.into_iter().enumerate() {
            let id = material_of(index + 1, "").id;
            // A line for each sentence: what joins two of them cannot be told from an invention.
            let own = written.iter().position(|own| own.shown_by == [id.as_str()]);
            sentences.push(match own {
                Some(own) => {
                    let text = written.remove(own).text;
                    self.sentences.reword(sentence, text, corrections).await?
                }
                None => sentence,
            });
        }
        Ok(Section {
            sentences,
            ..section
        })
    }

    async fn ask(&self, request: &WriterInput) -> Result<Vec<WrittenSection>> {
        match self.run.ask::<Writer>(request).await {
            // What is written already is not lost when the budget ends: the rest is quoted.
            Err(error) if error.is::<BudgetExhausted>() => Ok(Vec::new()),
            answered => answered,
        }
    }

    /// Writes sentences for a section from one passage at a time, those that are not cited first.
    async fn one_by_one(
        &self,
        section: &SectionInput,
        report: &Report<'a>,
    ) -> Result<Vec<Sentence<'a>>> {
        let is_cited = |id: &str| {
            let sentences = report.sections.iter().flat_map(|own| &own.sentences);
            let mut cited = sentences.flat_map(|own| &own.passages);
            cited.any(|passage| passage.id == id)
        };
        let material = section.material.iter().filter(|own| !is_cited(&own.id));
        let ids: Vec<String> = material.map(|own| own.id.clone()).collect();
        let mut sentences = Vec::new();
        for passage in self.passages(&ids).into_iter().take(SINGLE_PASSAGES) {
            sentences.extend(self.sentences.rewrite(&[passage], None).await?);
        }
        Ok(sentences)
    }

    /// Writes the summary and the conclusion from the sentences of the sections.
    async fn frame(&self, report: &Report<'a>) -> Result<Report<'a>> {
        let all: Vec<&Sentence<'a>> = report
            .sections
            .iter()
            .flat_map(|own| &own.sentences)
            .collect();
        let mut number = 0;
        let sections = report.sections.iter().map(|section| SectionInput {
            heading: section.heading.clone(),
            material: section
                .sentences
                .iter()
                .map(|own| {
                    number += 1;
                    material_of(number, &own.text)
                })
                .collect(),
        });
        let sections = sections.collect();
        let request = agent::frame(self.analysis, self.research, self.style, sections);
        let mut frame = Report::default();
        for section in self.ask(&request).await? {
            let is_conclusion = section
                .heading
                .as_deref()
                .is_some_and(|own| is_same(own, CONCLUSION));
            let mut sentences = Vec::new();
            for own in section.sentences {
                let numbers = own
                    .shown_by
                    .iter()
                    .filter_map(|id| id[1..].parse::<usize>().ok());
                let shown: Vec<&&Sentence<'a>> =
                    numbers.filter_map(|number| all.get(number - 1)).collect();
                let passages = distinct(shown.iter().flat_map(|own| own.passages.iter().copied()));
                let checked = self
                    .sentences
                    .hold(own.text, passages, &mut frame.corrections);
                sentences.extend(checked.await?);
            }
            let heading = if is_conclusion { CONCLUSION } else { SUMMARY };
            frame.add_sentences(heading, sentences, false);
        }
        Ok(frame)
    }

    fn passages(&self, ids: &[String]) -> Vec<&'a Passage> {
        distinct(ids.iter().filter_map(|id| self.research.passage(id)))
    }

    /// Returns the claims of a report: its sentences, and quotations for what was not written.
    fn claims(&self, report: Report<'a>, quoted: Claims) -> Claims {
        let mut draft = Draft::new(self.analysis, self.research);
        let write = |draft: &mut Draft<'_>, sentences: &[Sentence<'a>]| -> Vec<String> {
            let written = sentences.iter();
            written
                .map(|own| draft.write(&own.text, &own.passages))
                .collect()
        };
        let mut summary = write(&mut draft, &report.summary);
        if summary.is_empty() {
            summary = draft.quote_again(&quoted, &quoted.summary);
        }
        let mut sections = Vec::new();
        for section in &report.sections {
            let claims = write(&mut draft, &section.sentences);
            let heading = section.heading.clone();
            sections.push(DraftSection { heading, claims });
        }
        for section in quoted.sections.iter() {
            let is_written = |own: &DraftSection| own.heading == section.heading;
            if !sections.iter().any(is_written) {
                let claims = draft.quote_again(&quoted, &section.claims);
                let heading = section.heading.clone();
                sections.push(DraftSection { heading, claims });
            }
        }
        sections.retain(|own| !own.claims.is_empty());
        // A conclusion that only says again what the summary says is none.
        let is_new = |own: &Sentence<'a>| !report.summary.iter().any(|other| other.says(&own.text));
        let conclusion = report.conclusion.into_iter().filter(is_new);
        let conclusion: Vec<Sentence<'a>> = conclusion.collect();
        let conclusion = write(&mut draft, &conclusion);
        Claims {
            title: quoted.title,
            summary,
            sections,
            conclusion,
            disagreements: draft.disagreements(),
            series: agent::series(&mut draft),
            sources: Vec::new(),
            passages: Vec::new(),
            corrections: report.corrections.made,
            claims: draft.claims,
        }
    }
}

impl<'a> Report<'a> {
    fn add(&mut self, part: Report<'a>) {
        self.summary.extend(part.summary);
        self.conclusion.extend(part.conclusion);
        self.corrections.made.extend(part.corrections.made);
        self.corrections.unshown.extend(part.corrections.unshown);
        for section in part.sections {
            self.add_sentences(&section.heading, section.sentences, section.has_gaps);
        }
    }

    fn add_sentences(&mut self, heading: &str, sentences: Vec<Sentence<'a>>, has_gaps: bool) {
        if sentences.is_empty() {
            return;
        }
        if is_same(heading, SUMMARY) {
            self.summary.extend(sentences);
        } else if is_same(heading, CONCLUSION) {
            self.conclusion.extend(sentences);
        } else if let Some(own) = self.sections.iter_mut().find(|own| own.heading == heading) {
            own.sentences.extend(sentences);
            own.has_gaps |= has_gaps;
        } else {
            self.sections.push(Section {
                heading: heading.to_owned(),
                sentences,
                has_gaps,
            });
        }
    }

    /// Returns `true` if a sentence of a section says the same.
    fn repeats(&self, text: &str) -> bool {
        let mut sentences = self.sections.iter().flat_map(|own| &own.sentences);
        sentences.any(|own| own.says(text))
    }
}

/// A checked sentence as material, by its number.
fn material_of(number: usize, sentence: &str) -> Material {
    Material {
        id: format!("C{number}"),
        origin: String::new(),
        text: sentence.to_owned(),
    }
}

/// Returns the heading under which sentences stand: the requested one that the model means, else
/// the model's own.
fn heading<'a>(request: &'a WriterInput, written: Option<&'a str>) -> &'a str {
    let requested = request.sections.iter().map(|own| own.heading.as_str());
    match (request.part, written) {
        (ReportPart::Section, _) => requested.into_iter().next().unwrap_or_default(),
        (_, None) => SUMMARY,
        (_, Some(written)) => {
            let mut known = requested.chain([SUMMARY, CONCLUSION]);
            known.find(|own| is_same(own, written)).unwrap_or(written)
        }
    }
}

/// `true` for the same heading, but for case and punctuation.
fn is_same(one: &str, other: &str) -> bool {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    letters(one) == letters(other)
}

fn distinct<'a>(passages: impl Iterator<Item = &'a Passage>) -> Vec<&'a Passage> {
    let mut distinct: Vec<&Passage> = Vec::new();
    for passage in passages {
        if distinct.iter().all(|own| own.id != passage.id) {
            distinct.push(passage);
        }
    }
    distinct
}
