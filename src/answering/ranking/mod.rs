//! The ranking of sentences by how well they answer a question.

pub(super) mod collection;
pub(super) mod confidence;
pub(super) mod evidence;
pub(super) mod features;
pub(super) mod matching;

use super::question::Question;
use super::question::identifiers::Identifiers;
use super::vocabulary::{Token, Vocabulary};
use collection::{Collection, DocumentInput, Unit};
use confidence::{SILENCE_THRESHOLD, confidence};
use evidence::{Cover, Evidence, MET, met, raise};
use features::{Features, Signals};

/// The number of sentences, best by words alone, for which all features are computed.
const CANDIDATES: usize = 80;

/// The index of the sentence whose score is compared with that of the best. The dispersion of
/// scores predicts how well a query is answered (Shtok and others, "Predicting Query Performance by
/// Query-Drift Estimation", 2012); of the ranks 2, 4, 10 and 20 this one goes most with the grades
/// of readers.
const MARGIN_RANK: usize = 9;

/// The share of a question that a title has to cover, so that the question names the document.
const NAMED: f64 = 0.5;

/// The length from which a sentence is no better for being longer, in content words.
const FULL_LENGTH: f64 = 20.0;

/// The share of the known terms of a question that a place has to meet, so that it is an answer in
/// part. Chosen by hand.
const MET_SHARE: f64 = 0.8;

/// What a heading gains that asks with the word of the question, "how" or "why". Chosen by hand.
const ASKED_ALIKE: f64 = 1.0;

/// The weight of a sentence of a section beside that of its first. Chosen by hand.
const IN_SECTION: f64 = 0.6;

/// A sentence with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The number of its document.
    pub document: usize,
    /// Its number in the document.
    pub sentence: usize,
    /// Its score; comparable within one question.
    pub score: f64,
}

/// The sentences that answer best.
#[derive(Debug, Clone, Default)]
pub struct Ranking {
    /// The sentences, best first.
    pub ranked: Vec<Ranked>,
    /// The probability that the first answers, 0 to 1.
    pub confidence: f64,
    /// The margin of the first: its score minus that of the tenth, or of the last.
    pub margin: f64,
}

/// Ranks the sentences of documents.
pub struct Ranker<'a> {
    evidence: Evidence<'a>,
    /// The inverse document frequency of a stem.
    idf: &'a dyn Fn(&str) -> f64,
    identifiers: Identifiers,
}

impl<'a> Ranker<'a> {
    /// The ranker of a question over documents whose words are in a vocabulary; `idf` gives the
    /// inverse document frequency of a stem among the paragraphs of all documents.
    pub fn new(
        question: &'a Question,
        vocabulary: &'a Vocabulary,
        idf: &'a dyn Fn(&str) -> f64,
    ) -> Self {
        Self {
            evidence: Evidence::new(question, vocabulary, idf),
            idf,
            identifiers: Identifiers::of(&question.text),
        }
    }

    /// Ranks the sentences of documents, best first, ties by position.
    pub fn rank(mut self, documents: &[DocumentInput<'_>]) -> Ranking {
        let paragraphs = || paragraphs(documents);
        self.evidence.weigh_words(self.idf, paragraphs);
        let collection = Collection::new(documents, &mut self.evidence);
        let mut ranked: Vec<(Ranked, usize)> = self
            .candidates(&collection)
            .into_iter()
            .map(|number| (self.ranked(&collection, number), number))
            .collect();
        ranked.sort_by(|a, b| b.0.score.total_cmp(&a.0.score).then(a.1.cmp(&b.1)));
        let Some((_, best)) = ranked.first().filter(|_| self.evidence.terms() > 0) else {
            return Ranking::default();
        };
        let signals = self.signals(&collection, *best);
        let confidence = confidence(&signals, self.evidence.question.is_ideographic());
        let near = collection.near(*best);
        let confidence = if self.is_partly_met(&collection, *best) {
            confidence.max(SILENCE_THRESHOLD)
        } else {
            confidence
        };
        let last = ranked.get(MARGIN_RANK).or(ranked.last());
        let margin = ranked[0].0.score - last.map_or(0.0, |(last, _)| last.score);
        // What meets less than a third of the terms that the best meets shares a word by chance.
        let most = met(&near);
        ranked.retain(|(_, number)| 3 * met(&collection.near(*number)) >= most);
        Ranking {
            ranked: ranked.into_iter().map(|(ranked, _)| ranked).collect(),
            confidence,
            margin,
        }
    }

    /// The sentences with the best sums of BM25 of sentence, paragraph and document and of the
    /// coverage by the sentence and its heading, each at most 1; and the leads of documents that
    /// the question names by their titles, since a summary need not repeat the title.
    fn candidates(&self, collection: &Collection<'_>) -> Vec<usize> {
        let section = |unit: &Unit| {
            let cover = collection.paragraph(unit).section.as_ref();
            cover.map_or(0.0, |cover| self.evidence.coverage(cover))
        };
        let sentence =
            |unit: &Unit| collection.documents[unit.document].sentences[unit.sentence].text;
        let score = |unit: &Unit| {
            self.identifiers.share_in(sentence(unit))
                + collection.share_of_best(unit)
                + collection.paragraph_share_of_best(unit)
                + collection.documents[unit.document].score
                + self.evidence.coverage(&unit.cover)
                + self.evidence.question.fate(sentence(unit))
                + section(unit)
        };
        let mut order: Vec<(f64, usize)> = collection
            .units
            .iter()
            .enumerate()
            .map(|(number, unit)| (score(unit), number))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let is_lead = |unit: &Unit| {
            collection.documents[unit.document].sentences[unit.sentence].is_lead
                && self.evidence.coverage(&collection.titles[unit.document]) >= NAMED
        };
        let rest = order.split_off(order.len().min(CANDIDATES)).into_iter();
        let leads = rest.filter(|(_, number)| is_lead(&collection.units[*number]));
        order.extend(leads.take(CANDIDATES));
        order.into_iter().map(|(_, number)| number).collect()
    }

    fn ranked(&mut self, collection: &Collection<'_>, number: usize) -> Ranked {
        let unit = &collection.units[number];
        let features = self.features(collection, number);
        Ranked {
            document: unit.document,
            sentence: unit.sentence,
            score: features::score(&features),
        }
    }

    /// The features of a sentence, in the order of their weights.
    fn features(&mut self, collection: &Collection<'_>, number: usize) -> Features {
        let unit = &collection.units[number];
        let document = &collection.documents[unit.document];
        let sentence = &document.sentences[unit.sentence];
        let evidence = &mut self.evidence;
        let question = evidence.question;
        let mut context = collection.titles[unit.document].clone();
        raise(&mut context, &collection.paragraph(unit).cover);
        let is_of_type = question.has_type(sentence.text);
        let has_type = f64::from(is_of_type);
        let has_unit = f64::from(question.has_unit(sentence.text));
        let is_about = f64::from(question.answer_type.is_about_thing());
        let asks_of_subject = f64::from(question.answer_type.asks_of_subject());
        let is_of_kind = question.is_compared_with_itself(sentence.text)
            || question.is_of_narrower_thing(sentence.text);
        let coverage = evidence.coverage(&unit.cover);
        // A summary begins with what the thing is.
        let begins = unit.sentence == 0 || !document.sentences[unit.sentence - 1].is_lead;
        let lead = match (sentence.is_lead, begins) {
            (true, true) => 1.0,
            (true, false) => 0.5,
            (false, _) => 0.0,
        };
        [
            coverage,
            evidence.coverage(&collection.near(number)),
            evidence.coverage(&collection.paragraph(unit).cover),
            evidence.coverage(&collection.covers[unit.document]),
            document.score,
            collection.paragraph_share_of_best(unit),
            collection.share_of_best(unit),
            evidence.pairs(sentence.tokens),
            has_type,
            has_type * coverage,
            (sentence.tokens.len() as f64 / FULL_LENGTH).min(1.0),
            evidence.coverage(&collection.titles[unit.document]),
            evidence.share_of_title(&document.title),
            is_about * evidence.beginning(sentence.tokens),
            is_about * lead,
            has_unit,
            f64::from(evidence.is_under_heading(sentence.headings)),
            asks_of_subject * evidence.pairs(sentence.tokens),
            f64::from(is_of_kind),
            self.section(collection, unit),
            self.evidence
                .coverage_within(&unit.cover, &context, &collection.titles[unit.document]),
            question.outcome(sentence.text, is_of_type),
            self.identifiers.share_in(sentence.text),
            question.fate(sentence.text),
        ]
    }

    /// The degree to which the question names the section of a sentence by its heading, 0 to 1: by
    /// the words that each has of the other. "How does a pump work?" is answered at the beginning
    /// of "How a pump works".
    fn section(&mut self, collection: &Collection<'_>, unit: &Unit) -> f64 {
        let document = &collection.documents[unit.document];
        let cover = &collection.paragraph(unit).section;
        let (Some(section), Some(cover)) = (document.sentences[unit.sentence].section, cover)
        else {
            return 0.0;
        };
        let evidence = &mut self.evidence;
        let words = evidence.share_of_title(section.tokens);
        let is_alike = evidence.question.asks_like(section.heading);
        // A heading with half as much again in it is on something narrower.
        let degree = words * words + f64::from(is_alike) * ASKED_ALIKE;
        let is_first = unit.sentence == 0
            || document.sentences[unit.sentence - 1].paragraph
                != document.sentences[unit.sentence].paragraph;
        let begins = section.paragraphs_before == 0 && is_first;
        let position = if begins { 1.0 } else { IN_SECTION };
        evidence.coverage(cover) * degree * position
    }

    /// The signals of silence, for the best sentence.
    fn signals(&self, collection: &Collection<'_>, best: usize) -> Signals {
        let unit = &collection.units[best];
        let near = collection.near(best);
        let evidence = &self.evidence;
        let most = |covers: &mut dyn Iterator<Item = &Cover>| {
            covers
                .map(|cover| evidence.lenient_coverage(cover))
                .fold(0.0, f64::max)
        };
        Signals {
            sentence: evidence.lenient_coverage(&unit.cover),
            neighbourhood: evidence.lenient_coverage(&near),
            paragraph: most(&mut collection.paragraphs().map(|paragraph| &paragraph.cover)),
            document: most(&mut collection.covers.iter()),
            names: evidence.names(&near),
            bm25: evidence.share_of_idf(unit.bm25),
        }
    }

    /// `true` if the terms that any document has are nearly all near a sentence: then an unknown
    /// word is no reason for silence. There have to be two at least, and twice as many as unknown
    /// ones, or more than unknown ones if two are neighbours in question and sentence.
    fn is_partly_met(&mut self, collection: &Collection<'_>, number: usize) -> bool {
        let unit = &collection.units[number];
        let sentence = &collection.documents[unit.document].sentences[unit.sentence];
        let near = collection.near(number);
        let is_known = |term: &usize| collection.covers.iter().any(|cover| cover[*term] >= MET);
        let known: Vec<usize> = (0..near.len()).filter(is_known).collect();
        let met = known.iter().filter(|term| near[**term] >= MET).count();
        let unknown = near.len() - known.len();
        let enough = if self.evidence.pairs(sentence.tokens) > 0.0 {
            unknown + 1
        } else {
            2 * unknown
        };
        known.len() >= enough.max(2) && met as f64 >= MET_SHARE * known.len() as f64
    }
}

/// The words of the paragraphs of documents.
fn paragraphs(documents: &[DocumentInput<'_>]) -> Vec<Vec<Token>> {
    let of_document = |document: &DocumentInput<'_>| -> Vec<Vec<Token>> {
        let paragraphs = document
            .sentences
            .chunk_by(|a, b| a.paragraph == b.paragraph);
        let words = paragraphs.map(|own| own.iter().flat_map(|own| own.tokens).copied().collect());
        words.collect()
    };
    documents.iter().flat_map(of_document).collect()
}

#[cfg(test)]
mod tests {
    use super::collection::SentenceInput;
    use super::*;
    use crate::text::{self, Language};

    /// The sentences of documents of one paragraph each, in the order of the ranking.
    fn rank<'a>(question: &str, documents: &[(&str, &'a str)]) -> (Vec<&'a str>, f64) {
        let question = Question::parse(question);
        let mut vocabulary = Vocabulary::default();
        let mut tokens = |text: &str| vocabulary.tokens(text, Language::default());
        let sentences: Vec<Vec<(&str, Vec<Token>)>> = documents
            .iter()
            .map(|(_, text)| {
                let ranges = text::sentences(text, 0..text.len()).into_iter();
                ranges
                    .map(|range| (&text[range.clone()], tokens(&text[range])))
                    .collect()
            })
            .collect();
        let titles: Vec<Vec<Token>> = documents.iter().map(|(title, _)| tokens(title)).collect();
        let inputs: Vec<DocumentInput<'_>> = sentences
            .iter()
            .zip(titles)
            .map(|(sentences, title)| DocumentInput {
                title,
                score: 1.0,
                sentences: sentences
                    .iter()
                    .map(|(text, tokens)| SentenceInput {
                        text,
                        tokens,
                        paragraph: 0,
                        headings: &[],
                        section: None,
                        is_lead: false,
                        introduction: None,
                    })
                    .collect(),
            })
            .collect();
        let ranking = Ranker::new(&question, &vocabulary, &|_| 2.0).rank(&inputs);
        let text = |ranked: &Ranked| sentences[ranked.document][ranked.sentence].0;
        (
            ranking.ranked.iter().map(text).collect(),
            ranking.confidence,
        )
    }

    const DOCUMENTS: &[(&str, &str)] = &[
        (
            "The outdoor unit",
            "The outdoor unit stands beside the house. The outdoor unit has a sound power level of \
             55 dB. The unit was moved because the neighbours complained.",
        ),
        (
            "Bees",
            "A bee collects nectar in summer. Bees were first kept in 1851 by Ann Howe.",
        ),
    ];

    #[test]
    fn type_of_the_answer_decides_between_sentences_with_the_same_words() {
        let best = |question: &str| rank(question, DOCUMENTS).0[0];
        assert!(best("How loud is the outdoor unit?").contains("55 dB"));
        assert!(best("Why was the outdoor unit moved?").contains("because"));
        assert!(best("When were bees first kept?").contains("1851"));
        assert!(best("What is a bee?").starts_with("A bee"));
    }

    #[test]
    fn names_need_not_stand_in_the_sentence_that_answers() {
        let documents = &[(
            "Fresno",
            "The West Side of Fresno is also called Southwest Fresno. It lies to the south of the \
             airport. It has long been the centre of the Hmong community.",
        )];
        let (ranked, _) = rank(
            "Of which community is the West Side of Fresno the centre?",
            documents,
        );
        assert!(ranked[0].contains("Hmong"), "{ranked:?}");
    }

    #[test]
    fn unknown_word_lowers_the_confidence_but_does_not_silence() {
        let (_, known) = rank("How loud is the outdoor unit?", DOCUMENTS);
        let (_, partly) = rank("How loud is the outdoor unit in Norway?", DOCUMENTS);
        let (_, unknown) = rank("Who won the football match in Norway?", DOCUMENTS);
        assert!(
            known > partly && partly >= SILENCE_THRESHOLD,
            "{known} {partly}"
        );
        assert!(unknown < SILENCE_THRESHOLD, "{unknown}");
    }

    #[test]
    fn a_sentence_asked_as_a_question_is_found_with_confidence() {
        for (_, text) in DOCUMENTS {
            for range in text::sentences(text, 0..text.len()) {
                let (ranked, confidence) = rank(&text[range.clone()], DOCUMENTS);
                assert_eq!(ranked[0], &text[range]);
                assert!(confidence >= SILENCE_THRESHOLD, "{}", ranked[0]);
            }
        }
    }

    #[test]
    fn question_without_words_and_no_documents_are_ranked() {
        assert_eq!(rank("?", DOCUMENTS).1, 0.0);
        assert!(rank("What is a bee?", &[]).0.is_empty());
    }
}
