//! The collection in which a question is looked up: sentences, paragraphs and documents with the
//! evidence in them.

use super::super::vocabulary::Token;
use super::evidence::{Cover, Evidence, Occurrences, raise};

/// A document that may answer.
pub struct DocumentInput<'a> {
    /// The words of its title.
    pub title: Vec<Token>,
    /// Its score for the question, as a share of the best document's.
    pub score: f64,
    /// Its sentences in order.
    pub sentences: Vec<SentenceInput<'a>>,
}

/// A sentence of a document.
#[derive(Clone, Copy)]
pub struct SentenceInput<'a> {
    /// The sentence.
    pub text: &'a str,
    /// Its content words.
    pub tokens: &'a [Token],
    /// The number of its paragraph.
    pub paragraph: usize,
    /// The content words of the headings above it.
    pub headings: &'a [Token],
    /// The heading of its section; none directly below the title.
    pub section: Option<Section<'a>>,
    /// `true` if it is in a summary or the first paragraph.
    pub is_lead: bool,
    /// The number of the sentence that introduces the list that it is an item of.
    pub introduction: Option<usize>,
}

/// A section of a document.
#[derive(Clone, Copy)]
pub struct Section<'a> {
    /// The heading.
    pub heading: &'a str,
    /// Its content words.
    pub tokens: &'a [Token],
    /// The number of paragraphs before the sentence in it.
    pub paragraphs_before: usize,
}

/// A sentence with the evidence in it.
pub(in crate::answering) struct Unit {
    /// The number of its document.
    pub(in crate::answering) document: usize,
    /// Its number in the document.
    pub(in crate::answering) sentence: usize,
    /// The number of its paragraph in the collection.
    paragraph: usize,
    /// The coverage of the terms by it.
    pub(in crate::answering) cover: Cover,
    /// Its BM25 score.
    pub(in crate::answering) bm25: f64,
}

/// A paragraph with the evidence in it.
pub(in crate::answering) struct Paragraph {
    /// The coverage of the terms by it and the heading of its section.
    pub(in crate::answering) cover: Cover,
    /// The coverage of the terms by that heading; none without one.
    pub(in crate::answering) section: Option<Cover>,
    bm25: f64,
}

/// Documents, and the evidence of a question in their parts.
pub(in crate::answering) struct Collection<'a> {
    pub(in crate::answering) documents: &'a [DocumentInput<'a>],
    /// By document: the coverage of the terms by the title.
    pub(in crate::answering) titles: Vec<Cover>,
    /// By document: the coverage of the terms by all of it.
    pub(in crate::answering) covers: Vec<Cover>,
    /// The sentences of all documents.
    pub(in crate::answering) units: Vec<Unit>,
    paragraphs: Vec<Paragraph>,
    best_unit: f64,
    best_paragraph: f64,
}

impl<'a> Collection<'a> {
    pub(in crate::answering) fn new(
        documents: &'a [DocumentInput<'a>],
        evidence: &mut Evidence<'_>,
    ) -> Self {
        let titles: Vec<Cover> = documents
            .iter()
            .map(|document| evidence.occurrences(&document.title).cover)
            .collect();
        let mut covers = titles.clone();
        let mut sentences: Vec<(usize, usize, usize, Occurrences)> = Vec::new();
        let mut paragraphs: Vec<(Occurrences, Option<Cover>)> = Vec::new();
        for (number, document) in documents.iter().enumerate() {
            let mut last = None;
            for (at, sentence) in document.sentences.iter().enumerate() {
                if last != Some(sentence.paragraph) {
                    let section = sentence.section.as_ref();
                    let section = section.map(|own| evidence.occurrences(own.tokens).cover);
                    let mut paragraph = Occurrences::none(evidence.terms());
                    if let Some(own) = &section {
                        raise(&mut covers[number], own);
                        raise(&mut paragraph.cover, own);
                    }
                    paragraphs.push((paragraph, section));
                    last = Some(sentence.paragraph);
                }
                let own = evidence.occurrences(sentence.tokens);
                raise(&mut covers[number], &own.cover);
                if let Some((paragraph, _)) = paragraphs.last_mut() {
                    paragraph.add(&own);
                }
                sentences.push((number, at, paragraphs.len() - 1, own));
            }
        }
        let average_sentence = average_length(sentences.iter().map(|(.., own)| own));
        let average_paragraph = average_length(paragraphs.iter().map(|(own, _)| own));
        let units: Vec<Unit> = sentences
            .into_iter()
            .map(|(document, sentence, paragraph, own)| Unit {
                document,
                sentence,
                paragraph,
                bm25: evidence.bm25(&own, average_sentence),
                cover: own.cover,
            })
            .collect();
        let paragraphs: Vec<Paragraph> = paragraphs
            .into_iter()
            .map(|(own, section)| Paragraph {
                bm25: evidence.bm25(&own, average_paragraph),
                cover: own.cover,
                section,
            })
            .collect();
        Self {
            documents,
            titles,
            covers,
            best_unit: largest(units.iter().map(|unit| unit.bm25)),
            best_paragraph: largest(paragraphs.iter().map(|paragraph| paragraph.bm25)),
            units,
            paragraphs,
        }
    }

    /// The paragraphs of all documents.
    pub(in crate::answering) fn paragraphs(&self) -> impl Iterator<Item = &Paragraph> {
        self.paragraphs.iter()
    }

    /// The paragraph of a sentence.
    pub(in crate::answering) fn paragraph(&self, unit: &Unit) -> &Paragraph {
        &self.paragraphs[unit.paragraph]
    }

    /// The BM25 score of a sentence as a share of the best sentence's.
    pub(in crate::answering) fn share_of_best(&self, unit: &Unit) -> f64 {
        unit.bm25 / self.best_unit
    }

    /// The BM25 score of the paragraph of a sentence as a share of the best paragraph's.
    pub(in crate::answering) fn paragraph_share_of_best(&self, unit: &Unit) -> f64 {
        self.paragraph(unit).bm25 / self.best_paragraph
    }

    /// The coverage of the terms by a sentence, the sentences next to it in its paragraph, the
    /// heading of its section, the introduction of its list, and the title.
    pub(in crate::answering) fn near(&self, number: usize) -> Cover {
        let unit = &self.units[number];
        let mut near = self.titles[unit.document].clone();
        if let Some(section) = &self.paragraph(unit).section {
            raise(&mut near, section);
        }
        let sentence = &self.documents[unit.document].sentences[unit.sentence];
        if let Some(introduction) = sentence.introduction {
            // The sentences of a document are units in their order.
            raise(
                &mut near,
                &self.units[number - (unit.sentence - introduction)].cover,
            );
        }
        let range = number.saturating_sub(1)..(number + 2).min(self.units.len());
        for other in &self.units[range] {
            if other.paragraph == unit.paragraph {
                raise(&mut near, &other.cover);
            }
        }
        near
    }
}

/// The average number of content words, at least 1.
fn average_length<'a>(texts: impl Iterator<Item = &'a Occurrences>) -> f64 {
    let (count, sum) = texts.fold((0, 0.0), |(count, sum), text| {
        (count + 1, sum + text.length())
    });
    (sum / f64::from(count.max(1))).max(1.0)
}

/// The largest of some scores, so that each can be divided by it.
fn largest(scores: impl Iterator<Item = f64>) -> f64 {
    scores.fold(f64::MIN_POSITIVE, f64::max)
}
