//! The sentences of the retrieved documents, ranked by how well they answer.

use crate::agent::TopicDocument;
use crate::answering::{DocumentInput, Question, Ranker, Section, SentenceInput, Vocabulary};
use crate::search::Library;
use crate::stage::sentences::Sentence;

/// The sentences that answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers {
    /// The sentences by their position among all that were retrieved, with their scores, best
    /// first.
    pub(super) ranked: Vec<(usize, f64)>,
    /// The probability that the first answers, 0 to 1.
    pub(super) confidence: f64,
    /// The margin of the first in the ranking; `None` if they were not ranked.
    pub(super) margin: Option<f64>,
}

/// The maximum number of first sentences of a document that answer what it is about.
const LEADS: usize = 8;

/// Ranks the sentences of documents, which are in the order of the documents.
pub(super) fn rank(
    library: &Library,
    question: &Question,
    documents: &[TopicDocument],
    sentences: &[Sentence],
    vocabulary: &mut Vocabulary,
) -> Answers {
    let titles: Vec<_> = documents
        .iter()
        .map(|document| vocabulary.tokens(&document.title, library.language(document.index)))
        .collect();
    let mut inputs = Vec::with_capacity(documents.len());
    let mut starts = Vec::with_capacity(documents.len());
    let mut rest = sentences;
    for (number, (document, title)) in documents.iter().zip(titles).enumerate() {
        let length = rest.partition_point(|sentence| sentence.candidate.document <= number);
        let (own, others) = rest.split_at(length);
        starts.push(sentences.len() - rest.len());
        rest = others;
        inputs.push(DocumentInput {
            title,
            score: document.score,
            sentences: own
                .iter()
                .enumerate()
                .map(|(at, sentence)| SentenceInput {
                    introduction: sentence.candidate.introduction(at),
                    ..sentence_input(&document.title, sentence, question)
                })
                .collect(),
        });
    }
    let idf = |stem: &str| library.passage_idf(stem);
    let ranking = Ranker::new(question, vocabulary, &idf).rank(&inputs);
    let position = |document: usize, sentence: usize| starts[document] + sentence;
    let ranked = ranking
        .ranked
        .iter()
        .map(|ranked| (position(ranked.document, ranked.sentence), ranked.score));
    let is_wanted = |position: usize| question.wants(&sentences[position].candidate.sentence);
    Answers {
        ranked: ranked
            .filter(|(position, _)| is_wanted(*position))
            .collect(),
        confidence: ranking.confidence,
        margin: Some(ranking.margin),
    }
}

/// The first sentences of the documents that a question for their content cites by number.
pub(super) fn leads(sentences: &[Sentence], is_cited: impl Fn(usize) -> bool) -> Answers {
    let lead = |sentence: &Sentence| {
        let candidate = &sentence.candidate;
        candidate.is_lead && is_cited(candidate.document)
    };
    let positions = (0..sentences.len()).filter(|position| lead(&sentences[*position]));
    let ranked: Vec<(usize, f64)> = positions
        .take(LEADS)
        .enumerate()
        .map(|(rank, position)| (position, LEADS as f64 * 2.0 - rank as f64))
        .collect();
    Answers {
        confidence: f64::from(u8::from(!ranked.is_empty())),
        margin: None,
        ranked,
    }
}

fn sentence_input<'a>(
    title: &str,
    sentence: &'a Sentence,
    question: &Question,
) -> SentenceInput<'a> {
    let heading = sentence.candidate.headings.last();
    let heading = heading.filter(|heading| *heading != title);
    SentenceInput {
        section: heading.map(|heading| Section {
            heading,
            tokens: &sentence.section_tokens,
            paragraphs_before: sentence.candidate.paragraph_in_section,
        }),
        text: &sentence.candidate.sentence,
        // What a header says answers nothing else.
        tokens: if question.wants(&sentence.candidate.sentence) {
            &sentence.tokens
        } else {
            &[]
        },
        paragraph: sentence.candidate.paragraph,
        headings: &sentence.heading_tokens,
        is_lead: sentence.candidate.is_lead,
        introduction: None,
    }
}
