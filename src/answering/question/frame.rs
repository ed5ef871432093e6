//! Frame words: words of a question that say what kind of answer is wanted, and that no sentence
//! that answers needs to contain.

use std::borrow::Cow;
use std::ops::Range;

use crate::text;

/// Words that frame any question, beside stop words. Only words that are seldom the subject: "type"
/// and "question" are not here, for the never type and the question mark.
const FRAME: &[&str] = &[
    "tell",
    "explain",
    "describe",
    "briefly",
    "please",
    "list",
    "called",
    "overview",
    "summarize",
    "summarise",
    "discuss",
    "pros",
    "cons",
    "compare",
    "compared",
    "versus",
    "vs",
    "difference",
    "differences",
    "differ",
    "happen",
    "happened",
    "happens",
    "exist",
    "exists",
    "find",
    "work",
    "works",
    "working",
    "sense",
    "sensible",
    "worth",
    "worthwhile",
    "useful",
    "helpful",
    "beneficial",
    "good",
    "idea",
    "main",
    "according",
    "possible",
    "got",
    "supposed",
    "know",
    "anyone",
    "anybody",
    "somebody",
    "someone",
    "everybody",
    "everyone",
    "nobody",
    "available",
    "likely",
    "concerning",
    "dealing",
    "papers",
    "pertaining",
    "regarding",
    "put",
    "puts",
    "thing",
    "things",
    "stuff",
    "nothing",
    "anything",
    "something",
    "cope",
    "deal",
    "now",
    "currently",
    "nowadays",
    "presently",
    "today",
    "actually",
    "exactly",
    "finally",
    "least",
    "fewest",
    "against",
    "ok",
    "okay",
];

/// Titles before a name, which a text may leave out.
const TITLES: &[&str] = &["mr", "mrs", "ms", "dr"];

/// `true` for a folded title before a name.
pub(in crate::answering) fn is_title(folded: &str) -> bool {
    TITLES.contains(&folded)
}

/// Words with which a question for something begins; "is" is often contracted with them: "Who's".
pub(in crate::answering) const QUESTION_WORDS: &[&str] =
    &["who", "what", "where", "when", "how", "why", "which"];

/// A question with "who is" for "who's".
pub(in crate::answering) fn without_contractions(question: &str) -> Cow<'_, str> {
    let contracted = text::words(question).find(|word| {
        let folded = text::fold(word.text);
        let asking = folded.strip_suffix("'s");
        asking.is_some_and(|word| QUESTION_WORDS.contains(&word))
    });
    let Some(word) = contracted else {
        return Cow::Borrowed(question);
    };
    let (before, after) = (&question[..word.range.start], &question[word.range.end..]);
    let asking = word.text.trim_end_matches(['s', 'S', '\'', '\u{2019}']);
    Cow::Owned(format!("{before}{asking} is{after}"))
}

/// Beginnings of a polite question, folded: what follows is what is asked.
const POLITE: &[&[&str]] = &[
    &["can", "you", "tell", "me"],
    &["could", "you", "tell", "me"],
    &["can", "you", "please", "tell", "me"],
    &["could", "you", "please", "tell", "me"],
    &["please", "tell", "me"],
    &["do", "you", "know"],
    &["does", "anyone", "know"],
    &["i", "would", "like", "to", "know"],
    &["i", "want", "to", "know"],
];

/// A question without a polite beginning: "what it costs?" of "Can you tell me what it costs?"
pub(in crate::answering) fn without_politeness(question: &str) -> &str {
    let words: Vec<text::Word<'_>> = text::words(question).collect();
    let begins = |polite: &&&[&str]| {
        let mut own = words.iter().map(|word| text::fold(word.text));
        polite
            .iter()
            .all(|word| own.next().as_deref() == Some(word))
    };
    let polite = POLITE.iter().find(begins);
    let rest = polite.and_then(|polite| words.get(polite.len()));
    rest.map_or(question, |first| &question[first.range.start..])
}

/// Words that frame a question before "of": "What kind of bird", "Who is in charge of the birds?"
const BEFORE_OF: &[&str] = &[
    "kind", "kinds", "type", "types", "sort", "sorts", "name", "names", "care", "charge", "trend",
];

/// Words for what is read, which frame a question before what it is on: "the article on radiators".
pub(in crate::answering) const BEFORE_SUBJECT: &[&str] = &[
    "article",
    "articles",
    "document",
    "documents",
    "text",
    "texts",
    "paper",
    "chapter",
    "page",
];

/// The words between a word for what is read and what it is on.
pub(in crate::answering) const OF_SUBJECT: &[&str] =
    &["on", "about", "of", "titled", "entitled", "called"];

/// `true` if a folded word of a question, with the word after it, only frames it.
pub(in crate::answering) fn is_frame_word(folded: &str, next: Option<&str>) -> bool {
    FRAME.contains(&folded)
        || next == Some("of") && BEFORE_OF.contains(&folded)
        || next == Some("about") && matches!(folded, "agreed" | "decide" | "decided" | "discussed")
        || next == Some("after") && matches!(folded, "look" | "looks" | "looked")
        || next == Some("part") && matches!(folded, "take" | "takes" | "taking" | "took")
        || next == Some("in") && matches!(folded, "part" | "used")
        || next == Some("for") && folded == "considered"
        || next == Some("about") && matches!(folded, "known" | "said" | "say" | "says" | "written")
        || next == Some("out") && folded == "left"
        || next == Some("with") && folded == "wrong"
        || next.is_some() && matches!(folded, "inside" | "current")
        || folded == "information"
            && next.is_some_and(|next| OF_SUBJECT.contains(&next) || FRAME.contains(&next))
        || next.is_some_and(|next| OF_SUBJECT.contains(&next)) && BEFORE_SUBJECT.contains(&folded)
}

/// Words for what binds, which only frame a question behind what it is on: "the lead rule".
const NORMS: [&str; 4] = ["duty", "obligation", "requirement", "rule"];

/// `true` if a folded word is the head of a compound that says what is bound: "rule" of "the lead
/// rule", between the word before it and the one behind.
pub(in crate::answering) fn is_norm(
    before: Option<&str>,
    folded: &str,
    next: Option<&str>,
) -> bool {
    let is_content = |word: &str| {
        !text::is_stop_word(word) && !FRAME.contains(&word) && word.starts_with(char::is_alphabetic)
    };
    NORMS.contains(&folded) && before.is_some_and(is_content) && !next.is_some_and(is_content)
}

/// Words for those whom documents of their own are on, behind "the": "What margin does the company
/// expect?"
const OWNERS: &[&str] = &[
    "association",
    "business",
    "charity",
    "choir",
    "club",
    "company",
    "cooperative",
    "firm",
    "organisation",
    "organization",
    "society",
];

/// `true` for a folded word for those whom documents of their own are on: "society".
pub fn is_owner(folded: &str) -> bool {
    OWNERS.contains(&folded)
}

/// The age in a question, and the words that say it: "12-year-old", "16 years old".
pub(in crate::answering) fn age(question: &str) -> Option<(u32, Range<usize>)> {
    let words: Vec<text::Word<'_>> = text::words(question).collect();
    words.windows(3).find_map(|words| {
        let [number, years, old] = words else {
            return None;
        };
        let is_age = matches!(text::fold(years.text).as_str(), "year" | "years")
            && matches!(text::fold(old.text).as_str(), "old" | "olds");
        let age = number.text.parse().ok().filter(|_| is_age)?;
        Some((age, number.range.start..old.range.end))
    })
}

/// Words with which one asks for the content of a document as a whole: "What does RFC 7 propose?".
const DOCUMENT_WORDS: &[&str] = &[
    "about",
    "contain",
    "contains",
    "cover",
    "covers",
    "define",
    "defines",
    "document",
    "introduce",
    "introduces",
    "mean",
    "means",
    "propose",
    "proposed",
    "proposes",
    "say",
    "says",
    "specifies",
    "specify",
    "state",
    "states",
    "suggest",
    "suggests",
];

/// `true` if a folded word asks for the content of a document as a whole.
pub(in crate::answering) fn is_document_word(folded: &str) -> bool {
    DOCUMENT_WORDS.contains(&folded)
}
