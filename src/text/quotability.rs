//! The quotability of a sentence: the degree to which it can be understood without its neighbors
//! (in the literature: decontextualization).
//!
//! Relevance to a question is not judged here: a self-contained sentence may still be irrelevant.
//! The word lists are English and were collected by hand from sentences of design documents that
//! read badly when quoted; text in another language is judged by punctuation and length alone.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::HashSet;

use super::correspondence::{is_contact_line, is_header_line, is_mail_header};
use super::sentences::{code_spans, is_closer, without};

/// The degree to which a sentence can be quoted without its neighbors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quotability {
    /// Understandable by itself.
    SelfContained,
    /// Understandable from this byte on, after a connective such as "However,".
    SelfContainedFrom(usize),
    /// Complete, but it refers to the sentence before it: a pronoun, a demonstrative, a connective.
    NeedsPrevious,
    /// A fragment, code, a row of a table, a header line, or a reference to another part of the
    /// document.
    Unquotable,
}

/// `true` if a statement can be quoted by itself: it is complete, neither too short nor too long,
/// and refers to nothing outside of itself.
pub fn is_self_contained(sentence: &str) -> bool {
    quotability(sentence) == Quotability::SelfContained
}

/// The quotability of a statement.
pub fn quotability(sentence: &str) -> Quotability {
    let is_of_mail = is_mail_header(sentence);
    if is_record(sentence) && !is_of_mail {
        return Quotability::SelfContained;
    }
    if is_header_line(sentence) || is_of_mail || is_contact_line(sentence) || is_aside(sentence) {
        return Quotability::Unquotable;
    }
    quotability_of(sentence, is_terminated)
}

/// `true` for a complete sentence that refers to nothing before it and needs it only since it is
/// short: "Refunds were not affected."
pub fn is_brief(sentence: &str) -> bool {
    quotability(sentence) == Quotability::NeedsPrevious
        && !starts_anaphoric(sentence)
        && !has_demonstrative(sentence)
}

/// The most words in brackets that state nothing by themselves.
const ASIDE_WORDS: usize = 6;

/// `true` for a few words in brackets alone, which belong to the sentence before: "(Strong)".
pub fn is_aside(sentence: &str) -> bool {
    let inner = sentence.trim().trim_end_matches('.').strip_prefix('(');
    let inner = inner.and_then(|inner| inner.strip_suffix(')'));
    inner.is_some_and(|inner| {
        !inner.contains(['(', ')']) && inner.split_whitespace().count() <= ASIDE_WORDS
    })
}

/// `true` for the fields of a record, `Name: Ann; year: 2020.`, which are understandable however
/// few they are, and whatever their values look like.
fn is_record(sentence: &str) -> bool {
    let fields = sentence.trim().split("; ");
    let named = |field: &&str| {
        let name = field.split_once(": ").map(|(name, _)| name);
        name.is_some_and(|name| {
            let words = name.split_whitespace().count();
            (1..=MAX_NAME_WORDS).contains(&words) && !name.contains(['.', ',', '!', '?', '`'])
        })
    };
    // A value may have semicolons, as lists of authors do.
    let (all, names) = (fields.clone().count(), fields.clone().filter(named).count());
    fields.take(2).filter(named).count() == 2
        && names * 2 > all
        && is_terminated(sentence)
        && !starts_anaphoric(sentence)
        && length_in_words(sentence) <= MAX_WORDS
}

/// `true` if a sentence has more words than one quotation may have.
pub fn is_too_long(sentence: &str) -> bool {
    length_in_words(sentence) > MAX_WORDS
}

/// A text without any capital letter, with one at its beginning: documents without capitals begin
/// their sentences in lower case. Any other text as it is.
pub fn with_capital(text: &str) -> Cow<'_, str> {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if first.is_ascii_lowercase() && !text.contains(char::is_uppercase) => {
            Cow::Owned(format!(
                "{}{}",
                first.to_ascii_uppercase(),
                characters.as_str()
            ))
        }
        _ => Cow::Borrowed(text),
    }
}

/// `true` if a text introduces what follows it: it ends with a colon.
pub fn introduces(text: &str) -> bool {
    text.trim_end().ends_with([':', '：'])
}

/// `true` if a sentence begins with a reference to the one before it, or has a demonstrative near
/// its beginning: "They are as follows".
pub fn refers_back(sentence: &str) -> bool {
    let prose = without(sentence, &code_spans(sentence, 0..sentence.len()));
    starts_anaphoric(sentence) || has_demonstrative(&prose)
}

/// Nouns for what is dealt with, which do not say what it is; a closed list, written by hand.
const KINDS: &[&str] = &[
    "amendment",
    "application",
    "case",
    "decision",
    "item",
    "matter",
    "motion",
    "project",
    "proposal",
    "question",
    "request",
    "rule",
];

/// Verbs right behind such a noun, if nothing says what it is of.
const BEHIND_KINDS: &[&str] = &["is", "was", "has", "had", "will", "must", "may", "can"];

/// `true` if the subject of a sentence names only the kind of what it is on: "The item was
/// postponed again". A heading mostly says which.
pub fn names_only_a_kind(sentence: &str) -> bool {
    let words: Vec<String> = plain_words(sentence).take(3).collect();
    let [article, kind, verb] = words.as_slice() else {
        return false;
    };
    matches!(article.as_str(), "the" | "this")
        && KINDS.contains(&kind.as_str())
        && BEHIND_KINDS.contains(&verb.as_str())
}

/// `true` if a sentence is an exception from the rule before it: "Exception: on Sundays."
pub fn is_exception(sentence: &str) -> bool {
    let mut words = plain_words(sentence);
    words
        .next()
        .is_some_and(|first| matches!(first.as_str(), "exception" | "exceptions"))
}

/// `true` if a sentence begins with another option than the one that was taken: "An alternative
/// would be to …", "Another option is …".
pub fn names_alternative(sentence: &str) -> bool {
    let mut words = plain_words(sentence);
    let (first, second) = (words.next(), words.next());
    matches!(
        (first.as_deref(), second.as_deref()),
        (Some("alternatively"), _)
            | (Some("an" | "one" | "another"), Some("alternative"))
            | (Some("another"), Some("option" | "possibility" | "approach"))
    )
}

/// `true` if a question can be quoted by itself, such as a question that a document leaves open.
pub fn is_self_contained_question(sentence: &str) -> bool {
    let is_question = |sentence: &str| sentence.trim_end_matches(is_closer).ends_with('?');
    quotability_of(sentence, is_question) == Quotability::SelfContained
}

fn quotability_of(sentence: &str, is_ended: impl Fn(&str) -> bool) -> Quotability {
    let sentence = sentence.trim();
    let code = code_spans(sentence, 0..sentence.len());
    let prose = without(sentence, &code);
    let words = length_in_words(sentence);
    // Code is excluded from the checks for brackets, references and markup: it may contain
    // anything.
    let is_complete = (MIN_CONTINUATION_WORDS..=MAX_WORDS).contains(&words)
        && is_ended(sentence)
        && is_balanced(&prose)
        && begins_a_sentence(sentence)
        && !refers_elsewhere(&prose)
        && !only_announces(sentence, words)
        && !is_code(sentence, &code)
        && !has_markup(&prose);
    if !is_complete {
        return Quotability::Unquotable;
    }
    let is_resolved =
        |sentence: &str, prose: &str| !starts_anaphoric(sentence) && !has_demonstrative(prose);
    if words >= MIN_WORDS && is_resolved(sentence, &prose) {
        return Quotability::SelfContained;
    }
    // "However, …" is self-contained once the connective is cut off.
    if let Some(at) = after_connective(sentence).filter(|_| words > MIN_WORDS) {
        let rest = &sentence[at..];
        if is_resolved(rest, &without(rest, &code_spans(rest, 0..rest.len()))) {
            return Quotability::SelfContainedFrom(at);
        }
    }
    Quotability::NeedsPrevious
}

// The limits below were chosen by hand, by reading the quotations from 648 design documents that
// pass them.

/// The minimum number of words of a sentence worth quoting by itself.
const MIN_WORDS: usize = 8;
/// The minimum number of words of a sentence that continues the one before.
const MIN_CONTINUATION_WORDS: usize = 4;
/// The maximum number of words of one quotation.
const MAX_WORDS: usize = 55;
/// The maximum number of words of the name of a field.
const MAX_NAME_WORDS: usize = 5;
/// The maximum share of code in a sentence, in percent of its bytes.
const MAX_CODE_PERCENT: usize = 40;
/// The number of words from the beginning that are searched for a demonstrative.
const DEMONSTRATIVE_WORDS: usize = 10;

/// The number of words before a clause that resolve a demonstrative at its beginning.
const CLAUSE_WORDS: usize = 5;

/// First words that refer to the sentence before (anaphora): pronouns, demonstratives, connectives.
const ANAPHORIC_STARTS: &[&str] = &[
    "accordingly",
    "additionally",
    "again",
    "also",
    "and",
    "as such",
    "because it",
    "because of this",
    "because they",
    "besides",
    "both",
    "but",
    "consequently",
    "conversely",
    "either",
    "else",
    "exception",
    "exceptions",
    "finally",
    "for example",
    "for instance",
    "for that",
    "furthermore",
    "he",
    "hence",
    "her",
    "here",
    "hers",
    "him",
    "his",
    "however",
    "in addition",
    "in contrast",
    "in fact",
    "in other words",
    "in particular",
    "in that",
    "indeed",
    "instead",
    "it",
    "it's",
    "its",
    "likewise",
    "meanwhile",
    "moreover",
    "neither",
    "nevertheless",
    "nonetheless",
    "nor",
    "on the contrary",
    "on the other hand",
    "or",
    "otherwise",
    "overall",
    "rather",
    "secondly",
    "she",
    "similarly",
    "so",
    "still",
    "such",
    "that",
    "that's",
    "the former",
    "the latter",
    "their",
    "them",
    "then",
    "therefore",
    "these",
    "they",
    "they're",
    "third",
    "thirdly",
    "this",
    "those",
    "thus",
    "to this end",
    "which",
    "whom",
    "whose",
    "yet",
];

/// Connectives that can be dropped from the beginning, with their comma, without a change of
/// meaning.
const CONNECTIVES: &[&str] = &[
    "accordingly",
    "additionally",
    "also",
    "as a consequence",
    "as a result",
    "because of this",
    "consequently",
    "finally",
    "for these reasons",
    "for this reason",
    "fourth",
    "furthermore",
    "hence",
    "however",
    "in addition",
    "in fact",
    "in particular",
    "indeed",
    "moreover",
    "nevertheless",
    "nonetheless",
    "of course",
    "overall",
    "secondly",
    "similarly",
    "therefore",
    "third",
    "thirdly",
    "thus",
    "to this end",
];

/// Demonstratives that refer to the preceding text, unless the next word resolves them.
const DEMONSTRATIVES: &[&str] = &["this", "these", "those", "such"];

/// Words after a demonstrative that resolve it: "such as", "those who"; and the words with which a
/// document names itself, since the reader of a quotation knows its source.
const RESOLVING: &[&str] = &[
    "as", "who", "that", "which", "of", "whose", "with", "without", "in", "where", "article",
    "document", "paper", "proposal", "report", "rfc", "study",
];

/// First-person words: the voice of one author instead of a fact about the subject. "We" is not
/// among them, since a group may state a fact.
const FIRST_PERSON: &[&str] = &[
    "i", "i'd", "i'll", "i'm", "i've", "me", "my", "myself", "let's",
];

/// Words that refer to another part of the document, and placeholder names of examples.
const REFERRING_WORDS: &[&str] = &[
    "above",
    "below",
    "aforementioned",
    "foregoing",
    "section",
    "sections",
    "foo",
    "foobar",
];

/// Phrases that refer to another part of the document, in lower case.
const REFERRING_PHRASES: &[&str] = &[
    "see section",
    "see the section",
    "see also",
    "as follows",
    "the following",
    "as described",
    "as discussed",
    "as mentioned",
    "as noted",
    "as shown",
    "described earlier",
    "discussed earlier",
    "mentioned earlier",
    "previous section",
    "next section",
    "this section",
    "motivation section",
    "demonstrated in",
    "described in the",
    "discussed in the",
    "explained in the",
    "mentioned in the",
    "for details",
    "in the first case",
    "in the second case",
    "in this case",
    "later on",
    "see the",
    "see below",
    "(see",
    "http://",
    "https://",
    "www.",
];

/// Returns the number of words separated by white space; in scripts without spaces, two for every
/// three characters, since a Chinese word has one and a half on average.
pub fn length_in_words(sentence: &str) -> usize {
    let letters = sentence.chars().filter(|c| c.is_alphanumeric()).count();
    let unspaced = sentence.chars().filter(|c| is_unspaced(*c)).count();
    // The script of most letters decides, so that a foreign name does not.
    if unspaced * 2 > letters {
        return letters * 2 / 3;
    }
    sentence
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphanumeric))
        .count()
}

/// Scripts written without spaces: Thai, Lao, Khmer, kana, ideographs.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3134f}')
}

/// `true` if the sentence ends like a statement, and not with an ellipsis.
fn is_terminated(sentence: &str) -> bool {
    let mut end = sentence.trim_end_matches(is_closer);
    // Footnote marks (`[^1]`) follow the full stop.
    while let Some(open) = end
        .ends_with(|c: char| c.is_alphanumeric())
        .then(|| end.rfind("[^"))
        .flatten()
    {
        end = end[..open].trim_end_matches(is_closer);
    }
    let statement = end.ends_with(['.', '!', '。', '．', '！', '۔', '।', '።', '။', '។', '։']);
    statement && !end.ends_with("..")
}

/// `true` if brackets nest and quotation marks and backticks come in pairs. Apostrophes are
/// ignored.
fn is_balanced(prose: &str) -> bool {
    let mut open = Vec::new();
    let mut straight = 0_usize;
    for c in prose.chars() {
        match c {
            // German quotations begin with „ and end with what begins an English one.
            '“' | '”' | '"' if open.last() == Some(&'„') => drop(open.pop()),
            '"' => straight += 1,
            // Code spans were removed before, so this backtick has no partner.
            '`' => return false,
            '(' | '[' | '{' | '„' | '“' | '«' | '「' | '『' | '（' | '《' => open.push(c),
            ')' | ']' | '}' | '”' | '»' | '」' | '』' | '）' | '》'
                if open.pop() != Some(opener_of(c)) =>
            {
                return false;
            }
            _ => {}
        }
    }
    open.is_empty() && straight.is_multiple_of(2)
}

fn opener_of(closer: char) -> char {
    match closer {
        ')' => '(',
        ']' => '[',
        '}' => '{',
        '”' => '“',
        '»' => '«',
        '」' => '「',
        '』' => '『',
        '）' => '（',
        _ => '《',
    }
}

/// `true` if the sentence begins with a capital, a number or code; an aside in brackets belongs to
/// the sentence before it.
fn begins_a_sentence(sentence: &str) -> bool {
    let begins_with_code = sentence.starts_with(['`', '*', '_'])
        && sentence.trim_start_matches(['*', '_']).starts_with('`');
    let first = sentence.chars().find(|c| c.is_alphanumeric());
    !sentence.starts_with('(')
        && (begins_with_code || first.is_some_and(|first| !first.is_lowercase()))
}

/// `true` if the first words refer to the sentence before.
fn starts_anaphoric(sentence: &str) -> bool {
    let words: Vec<String> = plain_words(sentence).take(EXPLETIVE_WORDS).collect();
    if is_expletive(&words) {
        return false;
    }
    if sentence.trim_start().starts_with(ANAPHORIC_IDEOGRAPHS) {
        return true;
    }
    let words = &words[..words.len().min(4)];
    // "Those who …" and "This proposal …" are resolved by their second word.
    if let [first, second, ..] = words
        && DEMONSTRATIVES.contains(&first.as_str())
        && RESOLVING.contains(&second.as_str())
    {
        return false;
    }
    (1..=words.len()).any(|count| ANAPHORIC.contains(words[..count].join(" ").as_str()))
}

/// The number of words from the beginning in which an expletive "it" has its clause.
const EXPLETIVE_WORDS: usize = 7;

/// Words after an expletive "it is", before the clause that it stands for.
const EXPLETIVES: &str = "possible impossible necessary unnecessary important essential useful \
    useless easy easier hard harder difficult valid invalid legal illegal permitted allowed \
    forbidden known unknown clear unclear likely unlikely true common rare worth safe unsafe \
    recommended advisable expected estimated required concluded found shown believed thought \
    assumed suggested noted better best reasonable sensible acceptable";

/// Words that begin such a clause.
const CLAUSE_BEGINNINGS: &str = "that to for whether if how why";

/// `true` if these first words begin with an "it" that refers to nothing before it: "It is not
/// possible to …"; in grammars an expletive pronoun.
fn is_expletive(words: &[String]) -> bool {
    let is_in = |list: &str, word: &str| list.split_whitespace().any(|own| own == word);
    words.first().is_some_and(|word| word == "it")
        && words
            .windows(2)
            .any(|pair| is_in(EXPLETIVES, &pair[0]) && is_in(CLAUSE_BEGINNINGS, &pair[1]))
}

/// The first words of a sentence that refer to the sentence before it, in all languages.
static ANAPHORIC: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let other = OTHER_ANAPHORIC_STARTS
        .iter()
        .flat_map(|words| words.split(' '));
    ANAPHORIC_STARTS.iter().copied().chain(other).collect()
});

/// The first ideographs of Chinese pronouns and demonstratives, which no space ends.
const ANAPHORIC_IDEOGRAPHS: [char; 7] = ['该', '这', '此', '其', '它', '他', '她'];

/// Pronouns, demonstratives and connectives that begin a sentence in German, Spanish, French,
/// Italian, Portuguese, Dutch and Arabic; without words that an English sentence may begin
/// with. In Spanish also verbs whose subject is left out.
const OTHER_ANAPHORIC_STARTS: &[&str] = &[
    "er sie es ihr ihre sein seine dies diese dieser dieses diesem diesen dadurch daher deshalb \
     deswegen dabei dafür dagegen damit danach dann darauf daraus darin darüber davon dazu jedoch \
     aber auch außerdem ferner somit folglich trotzdem dennoch und oder",
    "él ella ello ellos ellas esto este esta estos estas eso ese esa esos esas aquel aquella su \
     sus además también así entonces pero y o pues luego es fue eran fueron está están tiene tenía",
    "il elle ils elles ce cette ces cela celui celle leur leurs cependant toutefois ainsi donc \
     mais et ou puis",
    "egli essa essi esse questo questa questi queste ciò quello quella suo sua suoi sue inoltre \
     tuttavia quindi però anche",
    "ele ela eles elas isto este esta isso esse essa seu sua seus suas além também porém portanto \
     assim mas",
    "hij zij ze het dit deze zijn haar hun bovendien ook echter daarom dus maar",
    "هو هي هم هذا هذه ذلك تلك كما لكن ولكن وقد وهو وهي وهذا وهذه هؤلاء وذلك وتلك لذلك ولذلك لكنه \
     لكنها كذلك وكذلك إنه إنها",
];

/// The byte after a connective and its comma with which the sentence begins.
fn after_connective(sentence: &str) -> Option<usize> {
    let comma = sentence.find(',')?;
    let connective = sentence[..comma].to_lowercase();
    let rest = sentence[comma + 1..].trim_start();
    (CONNECTIVES.contains(&connective.as_str()) && !rest.is_empty())
        .then(|| sentence.len() - rest.len())
}

/// `true` if a demonstrative near the beginning is unresolved. One that begins a further clause is
/// resolved by the clause before it: "… lifetimes -- these are …".
fn has_demonstrative(prose: &str) -> bool {
    let raw: Vec<&str> = prose.split_whitespace().collect();
    let plain = |word: &str| plain_words(word).next().unwrap_or_default();
    let begins_clause = |index: usize| {
        index >= CLAUSE_WORDS && raw[index - 1].ends_with([',', ';', ':', '-', '–', '—'])
    };
    raw.windows(2)
        .enumerate()
        .take(DEMONSTRATIVE_WORDS)
        .any(|(index, pair)| {
            DEMONSTRATIVES.contains(&plain(pair[0]).as_str())
                && !RESOLVING.contains(&plain(pair[1]).as_str())
                && !begins_clause(index)
        })
}

/// `true` if the prose refers to another part of the document, or to its author.
fn refers_elsewhere(prose: &str) -> bool {
    let lower = prose.to_lowercase();
    REFERRING_PHRASES
        .iter()
        .any(|phrase| lower.contains(phrase))
        || plain_words(prose).any(|word| {
            FIRST_PERSON.contains(&word.as_str()) || REFERRING_WORDS.contains(&word.as_str())
        })
}

/// The words in lower case, without the punctuation around them.
fn plain_words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace()
        .map(|word| {
            word.trim_matches(|c: char| !c.is_alphanumeric())
                .replace('’', "'")
                .to_lowercase()
        })
        .filter(|word| !word.is_empty())
}

fn is_code(sentence: &str, code: &[Range<usize>]) -> bool {
    code.iter().map(ExactSizeIterator::len).sum::<usize>() * 100 > sentence.len() * MAX_CODE_PERCENT
}

/// `true` if the prose is a row of a table, contains a tag, is all bold, or begins with a bold
/// link, set off like a heading.
fn has_markup(prose: &str) -> bool {
    let is_row = prose.starts_with('|') || prose.matches('|').count() > 1;
    let lower = prose.to_ascii_lowercase();
    let has_tag = LAYOUT_TAGS.iter().any(|tag| lower.contains(tag));
    let is_all_bold = prose.starts_with("**")
        && prose[2..].find("**").is_some_and(|end| {
            let rest = &prose[2 + end..];
            !rest.contains(char::is_alphanumeric)
        });
    is_row || has_tag || is_all_bold || prose.starts_with("[**")
}

/// Layout tags: text that contains one is not a sentence. Other tags may be the subject of a
/// sentence.
const LAYOUT_TAGS: &[&str] = &["<br", "<details", "<summary", "<td", "<tr"];

/// `true` if a short sentence only announces what follows: "There are two drawbacks."
fn only_announces(sentence: &str, words: usize) -> bool {
    let mut start = plain_words(sentence);
    let begins = start.next().as_deref() == Some("there")
        && start
            .next()
            .is_some_and(|word| word == "are" || word == "is");
    let number = start.next();
    words <= ANNOUNCEMENT_WORDS && begins && number.is_some_and(|n| COUNTS.contains(&n.as_str()))
}

/// The maximum number of words of an announcement; chosen by hand.
const ANNOUNCEMENT_WORDS: usize = 16;

/// The quantities with which an announcement counts the items that follow.
const COUNTS: &[&str] = &[
    "a", "one", "two", "three", "four", "five", "six", "several", "some", "various", "multiple",
    "many",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn self_contained_sentences() {
        for good in [
            "Marking a function as `unsafe` is one of Rust's key protections against undefined \
             behavior.",
            "`unsafe {}` blocks are about discharging obligations, not about defining them.",
            "**Bold** claims are made about the heat pump in the report.[^1]",
            "Heat pumps such as those of the first kind need less power.",
            "电动汽车的电池容量每年都在增加并且价格不断下降。",
            "Das Viertel heißt auch „West Side“ und ist eines der ältesten der Stadt.",
            "The committee (which met in \"May\") agreed to all of the proposals.",
        ] {
            assert!(is_self_contained(good), "{good}");
        }
    }

    #[test]
    fn few_words_in_brackets_are_an_aside() {
        assert!(is_aside("(Strong)") && is_aside("(Strength: strong)."));
        assert!(!is_aside("(One) and (two)") && !is_aside("Strong"));
    }

    #[test]
    fn records_are_self_contained_whatever_their_values() {
        for record in [
            "Name: Ann; year: 2020.",
            "Screen: 15\"; site: https://example.com/a; in stock: no.",
            "Title: On wings; by: Lee, A.; Mach, B.; year: 1958.",
        ] {
            assert!(is_self_contained(record), "{record}");
        }
        for other in [
            "Name: Ann.",
            "Name: Ann; year: 2020",
            "It has two of them: one is quiet; the other: loud.",
            "It has two of them; one is quiet.",
            "`type Foo: Debug; impl Bar: Debug { ... }`).",
        ] {
            assert!(!is_self_contained(other), "{other}");
        }
    }

    #[test]
    fn quotability_after_a_connective_and_of_anaphoric_sentences() {
        let however = "However, the language has many of the protections in it already.";
        assert_eq!(
            quotability(however),
            Quotability::SelfContainedFrom("However, ".len())
        );
        for anaphoric in [
            "It is one of the key protections of the whole language.",
            "However, it has many of the protections in it already.",
            "该法令废除了城市居民在当时享有的一切权利。",
            "Es muy variado y tiene también muchos habitantes de otros países.",
            "This is short.",
        ] {
            let expected = if anaphoric.len() < 20 {
                Quotability::Unquotable
            } else {
                Quotability::NeedsPrevious
            };
            assert_eq!(quotability(anaphoric), expected, "{anaphoric}");
        }
        assert!(is_self_contained_question(
            "Does the language have the key protections that a user expects?"
        ));
        assert!(!is_self_contained_question(
            "Does it have the key protections that a user expects of it, and if so"
        ));
    }

    #[test]
    fn expletive_it_refers_to_nothing() {
        for good in [
            "It is perfectly valid for an implementation to return the largest value.",
            "It was found that cooling delays the transition of the layer.",
        ] {
            assert!(is_self_contained(good), "{good}");
        }
        assert!(refers_back(
            "It is used to heat the water of the whole house."
        ));
    }

    #[test]
    fn anaphoric_and_damaged_sentences_are_not_self_contained() {
        for bad in [
            "Too short to quote.",
            "It is one of the key protections of the whole language.",
            "However, the language has many of these protections in it already.",
            "For example, the language has many of the protections in it.",
            "In most cases this function protects against undefined behavior quite well.",
            "The language has the key protections that are listed below in full.",
            "The language has protections that I have listed in another chapter.",
            "The language has protections which are listed at https://example.com in full.",
            "The language has the key protections that a user expects:",
            "Does the language have the key protections that a user expects?",
            "The language has the key protections that a user expects",
            "The language has the key protections that a user expects...",
            "and the language has the key protections that a user expects.",
            "The language (has the key protections that a user expects.",
            "The language has the \"key protections that a user expects.",
            "The language has the `key protections that a user expects.",
            "The `function_with_a_long_name(argument)` and `another_function_name(argument)` are \
             both public in the crate.",
            "| The language | has the key protections | that a user expects. |",
            "",
            "....",
        ] {
            assert!(!is_self_contained(bad), "{bad}");
        }
        assert!(!is_self_contained(&format!("The {}.", "word ".repeat(60))));
    }
}
