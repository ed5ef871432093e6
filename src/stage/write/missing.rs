//! What a claim lacks of a question: its verb alone, the thing asked about, what is counted; and
//! what its source says by its name and its beginning.

use crate::answering::{Question, QuestionTerm};
use crate::artifact::claims::Claim;
use crate::artifact::documents::LARGE_COLLECTION;
use crate::artifact::plan::Facet;
use crate::artifact::report::ReportOutcome;
use crate::artifact::source::Source;
use crate::artifact::{Claims, Research};
use crate::text::{self, Language};

/// The number of terms of a question that says enough without its verb. Chosen by hand.
const MANY_TERMS: usize = 4;

/// The longest document that is on all that it names, in bytes, and the beginning of a longer one
/// that says what it is on. Chosen by hand.
const SHORT_DOCUMENT: usize = 4_000;
const BEGINNING: usize = 1_000;

/// `true` if a claim answers a question of many terms and lacks none but its verb: "When will the
/// statement for 2024 arrive?" is answered by when it will be sent.
pub(super) fn says_all_else(question: &Question, claim: &Claim, missing: &[&String]) -> bool {
    let [only] = missing else {
        return false;
    };
    question.terms.len() >= MANY_TERMS
        && question.has_type(&claim.text)
        && question.ends_with_verb(only)
}

/// `true` if the missing terms have the thing of which a question asks whether there is one, or who
/// does something to it.
pub(super) fn lacks_thing(question: &Question, missing: &[&String]) -> bool {
    let thing = question.thing_in_question();
    let thing = thing.or_else(|| question.object_of_deed());
    let thing = thing.map(|term| text::stem(&term.word));
    thing.is_some_and(|thing| missing.contains(&&thing))
}

/// `true` if a claim counts other things than a question does, and has no word for those: lorries
/// for "How many jobs?"
pub(super) fn lacks_counted(question: &Question, claim: &Claim, missing: &[&String]) -> bool {
    let counted = text::stem(&text::fold(question.counted_word()));
    missing.contains(&&counted) && !question.is_counted_in(&claim.text)
}

/// The words of a question without which nothing is on it: its names and numbers, and the verb at
/// its end, unless a unit says as much: a weight answers "weigh".
pub(super) fn decisive_words(question: &Question) -> Vec<&str> {
    let is_verb = |term: &&QuestionTerm| {
        !question.is_measure(term) && question.ends_with_verb(&text::stem(&term.word))
    };
    let terms = question.terms.iter();
    let decisive = terms.filter(|term| term.is_name || is_verb(term));
    decisive.map(|term| term.written.as_str()).collect()
}

/// `true` if a text has a folded word, or in German another form of the same verb: "aussetzen" for
/// "ausgesetzt".
pub(super) fn has_word(text: &str, word: &str, language: Language) -> bool {
    let is_german = language.code() == "de";
    text::words(text).any(|own| text::fold(own.text) == word)
        || is_german && text::has_separable_verb(text, word)
}

/// The aspects of which nothing was quoted, of those that the analysis misses: "The main
/// disadvantage is the noise" is on costs and drawbacks, whichever step it was quoted for.
pub(super) fn open_questions(
    research: &Research,
    gaps: &[String],
    claims: &[Claim],
) -> Vec<String> {
    let topic = text::terms(&research.topic);
    let is_named = |gap: &str| {
        let mut steps = research.plan.steps.iter();
        let Some(step) = steps.find(|step| names_by_words(step.facet) && step.heading() == gap)
        else {
            return false;
        };
        // The last query of such a step has the words for its aspect beside the topic.
        let query = step.queries.last().map_or("", String::as_str);
        let mut words = text::terms(query);
        words.extend(text::terms(gap));
        words.retain(|word| !topic.contains(word));
        claims.iter().any(|claim| {
            let own = text::terms(&claim.text);
            words.iter().any(|word| own.contains(word))
        })
    };
    // "What is said on the topic" is no question of its own.
    let is_overview = |gap: &String| {
        let mut steps = research.plan.steps.iter();
        steps.any(|step| step.facet == Facet::Overview && step.heading() == gap)
    };
    let gaps = gaps
        .iter()
        .filter(|gap| !is_named(gap) && !is_overview(gap));
    gaps.cloned().collect()
}

/// Returns the words of a text in lower case.
pub(super) fn word_forms(text: &str) -> impl Iterator<Item = String> {
    text::words(text).map(|word| word.text.to_lowercase())
}

/// `true` if a topic asks where the documents disagree, all of them were compared, and nothing is
/// quoted, since they do not.
pub(super) fn is_without_disagreement(research: &Research, draft: &Claims) -> bool {
    // Of more documents not all are compared, and one has none to be compared with.
    let is_all = (2..LARGE_COLLECTION).contains(&research.documents.searched);
    is_all
        && draft.claims.is_empty()
        && Question::parse(&research.topic).asks_for_all_disagreements()
}

/// The outcome of a report with these claims, perhaps answered without sources.
pub(super) fn outcome(
    research: &Research,
    is_direct: bool,
    claims: &[Claim],
    draft: &Claims,
) -> ReportOutcome {
    if is_direct {
        ReportOutcome::Direct
    } else if claims.is_empty() && research.social.is_some() {
        ReportOutcome::Opinions
    } else if claims.is_empty() && !is_without_disagreement(research, draft) {
        ReportOutcome::NoEvidence
    } else {
        ReportOutcome::Answered
    }
}

/// `true` for an aspect that a sentence names by a word of it: a cost, a benefit, an alternative.
fn names_by_words(facet: Facet) -> bool {
    matches!(facet, Facet::Costs | Facet::Why | Facet::Alternatives)
}

/// The part of a document that says what it is on.
pub(super) fn subject_of(text: &str) -> &str {
    if text.len() <= SHORT_DOCUMENT {
        text
    } else {
        text::truncate(text, BEGINNING)
    }
}

/// Returns the terms of the title of a source and the numbers in the name of its file, which is
/// often the only place that has the number of a document.
pub(super) fn terms_of_name(source: &Source) -> Vec<String> {
    let file = source.locator.rsplit('/').next().unwrap_or_default();
    let numbers = text::words(file)
        .filter(|word| word.text.starts_with(|c: char| c.is_ascii_digit()))
        .flat_map(|word| [word.text, word.text.trim_start_matches('0')])
        .map(str::to_owned);
    // What a mail says is of who wrote it.
    let author = source.author.as_deref().unwrap_or_default();
    text::terms(&source.title)
        .into_iter()
        .chain(text::terms(author))
        .chain(numbers)
        .collect()
}
