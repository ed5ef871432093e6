//! The sentences of documents, as candidates for quotation: split once and cached.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::Result;

use crate::agent::{Candidate, ListPart};
use crate::answering::{Token, Vocabulary, header_field};
use crate::search::{Content, Library};
use crate::text::{self, Block, BlockKind, Language, Quotability, TermCache, Word};

/// The largest library whose sentences sessions share, in bytes of text (chosen by hand).
const SHARED_BYTES: u64 = 1 << 20;

/// The sentences of documents that are cached. A document that does not fit empties the cache.
/// Chosen by hand: some 60 MiB.
const CACHED_SENTENCES: usize = 100_000;

/// The maximum number of bytes of a candidate: many times what may be quoted, and little enough for
/// all rules to read, which see no deadline within a sentence. Chosen by hand.
const CANDIDATE_BYTES: usize = 16 << 10;

/// A sentence, and its range of bytes in the document.
#[derive(Clone)]
pub(super) struct Sentence {
    /// The sentence as the researcher sees it.
    pub(super) candidate: Candidate,
    /// The range of the sentence in its document.
    pub(super) range: Range<usize>,
    /// Its content words.
    pub(super) tokens: Arc<[Token]>,
    /// The content words of the headings above it.
    pub(super) heading_tokens: Arc<[Token]>,
    /// Those of the innermost of them.
    pub(super) section_tokens: Arc<[Token]>,
}

/// The sentences of a library's documents, split once: for all sessions if the library is small,
/// else for each session, which holds what it retrieves as long anyway.
#[derive(Default)]
pub(super) struct Sentences {
    cache: Mutex<SplitDocuments>,
}

/// Documents that are split into sentences, and the vocabulary of their words.
#[derive(Default)]
pub(super) struct SplitDocuments {
    pub(super) vocabulary: Vocabulary,
    terms: TermCache,
    documents: BTreeMap<usize, Arc<[Sentence]>>,
}

impl SplitDocuments {
    /// Returns the sentences of a document, split on a cache miss.
    pub(super) fn sentences(
        &mut self,
        library: &Library,
        document: usize,
    ) -> Result<Arc<[Sentence]>> {
        if let Some(hit) = self.documents.get(&document) {
            return Ok(hit.clone());
        }
        let content = library.content(document)?;
        let language = library.language(document);
        let words = (&mut self.vocabulary, &mut self.terms);
        let mut sentences = split(&content, language, words);
        note_ages_of_mails(&content.text, &mut sentences);
        let sentences: Arc<[Sentence]> = sentences.into();
        let cached = self.documents.values().map(|own| own.len());
        if cached.sum::<usize>() + sentences.len() > CACHED_SENTENCES {
            self.documents.clear();
        }
        self.documents.insert(document, sentences.clone());
        Ok(sentences)
    }
}

impl Sentences {
    /// `true` if the sessions of a process share the sentences of a library.
    pub(super) fn are_shared(library: &Library) -> bool {
        let bytes = library.documents.iter().map(|document| document.bytes);
        bytes.sum::<u64>() <= SHARED_BYTES
    }

    /// Returns the result of some work on the split documents, which are locked meanwhile, so that
    /// no two sessions split the same document.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut SplitDocuments) -> R) -> R {
        work(&mut self.cache.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Splits the running text of a document into sentences; headings, code, tables of numbers and the
/// signatures of letters are left out. A row of a table of words is one sentence, worded as a
/// record.
fn split(
    content: &Content,
    language: Language,
    (vocabulary, terms): (&mut Vocabulary, &mut TermCache),
) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    // Decided for the whole document: a single sentence in lower case is more likely a fragment.
    let is_caseless = !content.text.contains(char::is_uppercase);
    let (mut section, mut in_section) = (usize::MAX, 0);
    let (mut list, mut headings) = (List::default(), Headings::default());
    let (signatures, lead) = (text::signatures(&content.text), lead(content));
    let (mut columns, mut labels) = (Vec::new(), Labels::default());
    for (number, block) in content.blocks.iter().enumerate() {
        let text = &content.text[block.range.clone()];
        match block.kind {
            BlockKind::Other => sentences.extend(header(content, number, language, vocabulary)),
            BlockKind::Table => columns = text::tables::columns(text),
            _ => {}
        }
        if !block.kind.is_prose() {
            continue;
        }
        (section, in_section) = if block.section == section {
            (section, in_section + 1)
        } else {
            headings = Headings::of(block.headings.clone(), language, vocabulary);
            labels = Labels::default();
            (block.section, 0)
        };
        let is_item = block.kind == BlockKind::Item;
        list = list.before(text, is_item);
        let first = sentences.len();
        let own = sentences_of(&content.text, block, &columns, &signatures);
        let labelled = labels.next(&own, is_item);
        let labelled = labelled.map(|own| Headings::below(block, own, language, vocabulary));
        let headings = labelled.as_ref().unwrap_or(&headings);
        for (range, sentence) in own {
            let words: Vec<Word<'_>> = text::signs::words(&sentence).collect();
            let tokens = vocabulary.tokens_of(words.iter().cloned(), language);
            sentences.push(Sentence {
                tokens: tokens.into(),
                heading_tokens: headings.tokens.clone(),
                section_tokens: headings.innermost.clone(),
                candidate: Candidate {
                    // Both are set by the retrieval that the sentence becomes part of.
                    document: 0,
                    match_score: 0.0,
                    paragraph: number,
                    paragraph_in_section: if labelled.is_some() { 0 } else { in_section },
                    is_caseless,
                    terms: terms.terms_of(words.into_iter()).into(),
                    quotability: quotability(block.kind, &sentence),
                    stems: Arc::default(),
                    sentence: sentence.into(),
                    headings: headings.names.clone(),
                    heading_terms: headings.terms.clone(),
                    is_lead: lead == Some(number) || is_in_summary(block),
                    list: ListPart::None,
                    step: None,
                    is_condition: is_item && list.has_conditions,
                    mail_age: 0,
                },
                range,
            });
        }
        list.close(text, is_item, &mut sentences, first);
        number_items(&mut sentences[first..], block.number_in(&content.text));
    }
    sentences
}

/// Notes the ages of the mails that sentences of a text are of.
fn note_ages_of_mails(text: &str, sentences: &mut [Sentence]) {
    if text::has_older_mail(text) {
        for sentence in sentences {
            sentence.candidate.mail_age = text::age_of_mail(text, sentence.range.start);
        }
    }
}

/// Numbers the sentences of a block by the items of a numbered list: the number of the block, or of
/// the last line of a plain text that begins with one.
fn number_items(sentences: &mut [Sentence], of_block: Option<usize>) {
    let mut step = of_block;
    for sentence in sentences {
        step = text::item_number(&sentence.candidate.sentence).or(step);
        sentence.candidate.step = step;
    }
}

/// The words of the headings above a block.
#[derive(Default)]
struct Headings {
    /// The headings, outermost first.
    names: Arc<[String]>,
    /// The content words of all.
    tokens: Arc<[Token]>,
    /// Those of the innermost.
    innermost: Arc<[Token]>,
    /// The terms of all.
    terms: Arc<[String]>,
}

impl Headings {
    fn of(names: Arc<[String]>, language: Language, vocabulary: &mut Vocabulary) -> Self {
        let tokens: Vec<Vec<Token>> = names
            .iter()
            .map(|heading| vocabulary.tokens(heading, language))
            .collect();
        Self {
            tokens: tokens.concat().into(),
            innermost: tokens
                .last()
                .map_or_else(Arc::default, |own| own[..].into()),
            terms: names.iter().flat_map(|own| text::terms(own)).collect(),
            names,
        }
    }

    /// The headings of a block below one more heading, which is a line of running text.
    fn below(
        block: &Block,
        label: String,
        language: Language,
        vocabulary: &mut Vocabulary,
    ) -> Self {
        let names = block.headings.iter().cloned().chain([label]).collect();
        Self::of(names, language, vocabulary)
    }
}

/// The lines of running text that stand above others as headings do.
#[derive(Default)]
struct Labels {
    /// The question that the block before asks.
    question: Option<String>,
}

impl Labels {
    /// The label of the next block of a section: its own first line, or the question right before
    /// it, which it replies to. The items of a list do not reply to one another.
    fn next(
        &mut self,
        sentences: &[(Range<usize>, Cow<'_, str>)],
        is_item: bool,
    ) -> Option<String> {
        let question = std::mem::take(&mut self.question);
        self.question = sole_question(sentences).filter(|_| !is_item);
        let first = sentences.first().map(|(_, first)| &**first);
        let own = first.and_then(text::run_in_heading).map(str::to_owned);
        let replies = |_: &String| !is_item && !first.is_some_and(is_evasive);
        own.or(question.filter(replies))
    }
}

/// The maximum number of words of a question that the next block answers, as in a list of questions
/// and answers.
const QUESTION_WORDS: usize = 20;

/// Beginnings of a reply that is none.
const EVASIONS: [&str; 6] = [
    "we do not know",
    "we don't know",
    "i do not know",
    "i don't know",
    "it depends",
    "no comment",
];

/// `true` if a sentence says that a question is not answered.
fn is_evasive(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    EVASIONS.iter().any(|evasion| lower.contains(evasion))
}

/// The maximum number of words of the name of who asks.
const SPEAKER_WORDS: usize = 3;

/// The question that the sentences of a block are, without the name of who asks it, as in an
/// interview: "MK: What breaks most often?"
fn sole_question(sentences: &[(Range<usize>, Cow<'_, str>)]) -> Option<String> {
    let [(_, sentence)] = sentences else {
        return None;
    };
    let is_speaker = |(name, _): &(&str, &str)| name.split_whitespace().count() <= SPEAKER_WORDS;
    let spoken = sentence
        .split_once(": ")
        .or_else(|| sentence.split_once(":** "));
    let question = spoken
        .filter(is_speaker)
        .map_or(&**sentence, |(_, rest)| rest);
    let question = question.trim().trim_matches('*');
    let words = question.split_whitespace().count();
    let is_question = question.ends_with('?') && (1..=QUESTION_WORDS).contains(&words);
    is_question.then(|| question.to_owned())
}

/// The list that follows a block.
#[derive(Default)]
struct List {
    /// The number of the sentence that introduces it.
    introduction: Option<usize>,
    /// `true` if the block announces conditions.
    has_conditions: bool,
}

impl List {
    /// The list that a block is an item of, or else the one that may follow it.
    fn before(self, block: &str, is_item: bool) -> Self {
        if is_item {
            return self;
        }
        Self {
            introduction: None,
            has_conditions: announces_conditions(block),
        }
    }

    /// Notes the sentences of a block from `first` on as items of the list, or the last of them as
    /// its introduction.
    fn close(&mut self, block: &str, is_item: bool, sentences: &mut [Sentence], first: usize) {
        match self.introduction {
            Some(introduction) if is_item => add_to_list(sentences, introduction, first),
            _ if text::introduces(block) && first < sentences.len() => {
                self.introduction = Some(sentences.len() - 1);
            }
            _ => {}
        }
    }
}

/// Notes that the sentences from `first` on are items of the list that another introduces.
fn add_to_list(sentences: &mut [Sentence], introduction: usize, first: usize) {
    for (number, item) in sentences.iter_mut().enumerate().skip(first) {
        item.candidate.list = ListPart::Item(number - introduction);
    }
    let items = sentences.len() - 1 - introduction;
    let candidate = &mut sentences[introduction].candidate;
    candidate.list = ListPart::Introduction(items);
    // Its items end it, however short it is.
    let quotability = if text::refers_back(&candidate.sentence) {
        Quotability::NeedsPrevious
    } else {
        Quotability::SelfContained
    };
    candidate.quotability = Arc::new(quotability.into());
}

/// The sentences of a block outside of signatures, each with its range, without what is far too
/// long to be quoted, such as encoded data; a row of a table with these columns is one, worded as a
/// record.
fn sentences_of<'t>(
    text: &'t str,
    block: &Block,
    columns: &[String],
    signatures: &[Range<usize>],
) -> Vec<(Range<usize>, Cow<'t, str>)> {
    if block.kind == BlockKind::Row {
        if block.range.len() > CANDIDATE_BYTES {
            return Vec::new();
        }
        let record = text::tables::row_as_record(columns, &text[block.range.clone()]);
        return vec![(block.range.clone(), record.into())];
    }
    let is_signed = |start| signatures.iter().any(|own| own.contains(&start));
    let ranges = text::sentences(text, block.range.clone()).into_iter();
    ranges
        .filter(|range| range.len() <= CANDIDATE_BYTES && !is_signed(range.start))
        .map(|range| (range.clone(), text[range].into()))
        .collect()
}

/// The quotability of a sentence of a block, where it is known already: a row of a table is quoted
/// as a whole or not at all, since its words are not at the bytes that are quoted.
fn quotability(kind: BlockKind, sentence: &str) -> Arc<OnceLock<Quotability>> {
    if kind != BlockKind::Row {
        return Arc::default();
    }
    let known = match text::quotability(sentence) {
        Quotability::SelfContained => Quotability::SelfContained,
        _ => Quotability::Unquotable,
    };
    Arc::new(known.into())
}

/// The lines of the front matter that name the author or the date, if a block is front matter.
fn header(
    content: &Content,
    number: usize,
    language: Language,
    vocabulary: &mut Vocabulary,
) -> Vec<Sentence> {
    let block = content.blocks[number].range.clone();
    let text = content.text.get(block.clone()).unwrap_or_default();
    if block.start > 0 || !text.starts_with("---") {
        return Vec::new();
    }
    let mut start = block.start;
    let lines = text.split_inclusive('\n').map(|line| {
        let range = start..start + line.trim_end().len();
        start += line.len();
        range
    });
    lines
        .filter(|range| header_field(&content.text[range.clone()]).is_some())
        .map(|range| field(content, range, number, language, vocabulary))
        .collect()
}

/// A line of the front matter as a sentence.
fn field(
    content: &Content,
    range: Range<usize>,
    paragraph: usize,
    language: Language,
    vocabulary: &mut Vocabulary,
) -> Sentence {
    let line = &content.text[range.clone()];
    Sentence {
        tokens: vocabulary.tokens(line, language).into(),
        heading_tokens: Arc::default(),
        section_tokens: Arc::default(),
        candidate: Candidate {
            document: 0,
            match_score: 0.0,
            paragraph,
            paragraph_in_section: 0,
            is_caseless: false,
            terms: text::terms(line).into(),
            sentence: line.into(),
            headings: Arc::from(Vec::new()),
            heading_terms: Arc::from(Vec::new()),
            is_lead: false,
            list: ListPart::None,
            step: None,
            is_condition: false,
            mail_age: 0,
            quotability: Arc::default(),
            stems: Arc::default(),
        },
        range,
    }
}

/// Returns `true` if a paragraph ends with the announcement of a list of conditions: "It is worth
/// its price when:".
fn announces_conditions(paragraph: &str) -> bool {
    let Some(lead) = paragraph.trim_end().strip_suffix(':') else {
        return false;
    };
    let last = lead.rsplit(['.', '!', '?']).next().unwrap_or_default();
    text::words(last).any(|word| CONDITION_WORDS.contains(&text::fold(word.text).as_str()))
}

/// Words that announce conditions.
const CONDITION_WORDS: &[&str] = &[
    "if",
    "when",
    "where",
    "whenever",
    "unless",
    "provided",
    "case",
    "cases",
    "condition",
    "conditions",
];

/// The number of the document's first paragraph: news and articles begin with what matters most.
fn lead(content: &Content) -> Option<usize> {
    // A first line without a full stop is the title of a plain text, not a paragraph.
    let is_prose = |block: &Block| {
        let text = content.text[block.range.clone()].trim_end();
        block.kind == BlockKind::Paragraph && text.ends_with(|c: char| c.is_ascii_punctuation())
    };
    content.blocks.iter().position(is_prose)
}

/// Returns `true` if a block is under the heading of a summary.
fn is_in_summary(block: &Block) -> bool {
    let heading = block.headings.last();
    heading.is_some_and(|heading| text::is_summary_heading(heading))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_too_long_to_quote_is_no_candidate() {
        let long = "a".repeat(CANDIDATE_BYTES + 1);
        let text = format!("The pump is new. {long} {long}\n\nThe house is old.\n\n{long}");
        let mut blocks = text::blocks(&text);
        let sentences = |block: &Block| sentences_of(&text, block, &[], &[]);
        let own = blocks.iter().flat_map(sentences);
        let own: Vec<Cow<'_, str>> = own.map(|(_, sentence)| sentence).collect();
        assert_eq!(own, ["The pump is new.", "The house is old."]);
        blocks[2].kind = BlockKind::Row;
        assert!(sentences(&blocks[2]).is_empty());
    }
}
