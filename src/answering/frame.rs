//! Frame words: words of a question that say what kind of answer is wanted, and that no sentence
//! that answers needs to contain.

use std::borrow::Cow;
use std::ops::Range;

use super::vocabulary::is_number_word;
use crate::text::{self, folded};

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
pub(super) fn is_title(folded: &str) -> bool {
    TITLES.contains(&folded)
}

/// Words with which a question for something begins; "is" is often contracted with them: "Who's".
pub(super) const QUESTION_WORDS: &[&str] = &["who", "what", "where", "when", "how", "why", "which"];

/// A question with "who is" for "who's".
pub(super) fn without_contractions(question: &str) -> Cow<'_, str> {
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
pub(super) fn without_politeness(question: &str) -> &str {
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
    "kind", "kinds", "type", "types", "sort", "sorts", "name", "names", "care", "charge",
];

/// Words for what is read, which frame a question before what it is on: "the article on radiators".
const BEFORE_SUBJECT: &[&str] = &[
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

/// The words between the two.
const OF_SUBJECT: &[&str] = &["on", "about", "of", "titled", "entitled", "called"];

/// `true` if a folded word of a question, with the word after it, only frames it.
pub(super) fn is_frame_word(folded: &str, next: Option<&str>) -> bool {
    FRAME.contains(&folded)
        || next == Some("of") && BEFORE_OF.contains(&folded)
        || next == Some("about") && matches!(folded, "agreed" | "decided" | "discussed")
        || next == Some("after") && matches!(folded, "look" | "looks" | "looked")
        || next == Some("part") && matches!(folded, "take" | "takes" | "taking" | "took")
        || next == Some("in") && folded == "part"
        || next == Some("for") && folded == "considered"
        || next == Some("about") && matches!(folded, "said" | "say" | "says" | "written")
        || next == Some("with") && folded == "wrong"
        || next.is_some() && matches!(folded, "inside" | "current")
        || folded == "information"
            && next.is_some_and(|next| OF_SUBJECT.contains(&next) || FRAME.contains(&next))
        || next.is_some_and(|next| OF_SUBJECT.contains(&next)) && BEFORE_SUBJECT.contains(&folded)
}

/// `true` if a question is on a document that it names: "the article on radiators".
pub(super) fn cites_document(question: &str) -> bool {
    let words = folded(question);
    words.windows(2).any(|pair| {
        BEFORE_SUBJECT.contains(&pair[0].as_str()) && OF_SUBJECT.contains(&pair[1].as_str())
    })
}

/// `true` for "minus" before a number, and "degrees" behind one: a text has signs for them.
pub(super) fn is_sign_word(folded: &str, question: &str) -> bool {
    let words = self::folded(question);
    let is_number =
        |word: &String| word.starts_with(|c: char| c.is_ascii_digit()) || is_number_word(word);
    words.windows(2).any(|pair| match folded {
        "minus" => pair[0] == folded && is_number(&pair[1]),
        "degree" | "degrees" => pair[1] == folded && is_number(&pair[0]),
        _ => false,
    })
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

/// The word for those whom the documents are on at the end of a question for somebody: "society" in
/// "Who is the chair of the society now?"
pub(super) fn owner(question: &str) -> Option<String> {
    let words = folded(question);
    let is_time = |word: &&String| matches!(word.as_str(), "currently" | "now" | "today");
    let mut words = words.iter().rev().skip_while(is_time);
    let owner = words
        .next()
        .filter(|word| OWNERS.contains(&word.as_str()))?;
    let is_article = words
        .next()
        .is_some_and(|word| matches!(word.as_str(), "the" | "our"));
    (is_article && words.next().is_some_and(|word| word == "of")).then(|| owner.clone())
}

/// Nouns of a measure behind a preposition and "what": "At what gas level must one leave?" What
/// answers gives the measure, and needs no word for it.
const THRESHOLDS: &[&str] = &["amount", "level", "value"];

/// The measure in a question for a threshold; `None` of any other.
pub(super) fn threshold(question: &str) -> Option<String> {
    let words = folded(question);
    let what = words.iter().position(|word| word == "what")?;
    let before = words.get(what.checked_sub(1)?)?;
    let is_bound = matches!(
        before.as_str(),
        "above" | "at" | "below" | "from" | "over" | "to" | "under"
    );
    let phrase = words[what + 1..].iter();
    let last = phrase.take_while(|word| !text::is_stop_word(word)).last()?;
    (is_bound && THRESHOLDS.contains(&last.as_str())).then(|| last.clone())
}

/// Auxiliaries before the subject of a question.
pub(super) const AUXILIARIES: &[&str] = &[
    "can", "could", "did", "do", "does", "has", "may", "must", "shall", "should", "will",
];

/// The subject of a question that says nothing: "people" for anybody, "When must people leave?", or
/// a word for those whom the documents are on, "What margin does the company expect?"
pub(super) fn empty_subject(question: &str) -> Option<String> {
    let words = folded(question);
    let is_auxiliary = |word: &String| AUXILIARIES.contains(&word.as_str());
    let at = words.iter().position(is_auxiliary)?;
    let subject = match &words[at + 1..] {
        [people, ..] if people == "people" => people,
        [the, owner, ..] if the == "the" && OWNERS.contains(&owner.as_str()) => owner,
        _ => return None,
    };
    Some(subject.clone())
}

/// Verbs that say nothing of a thing by themselves: "What does it bring?"
const EMPTY_VERBS: &[&str] = &[
    "bring", "brings", "brought", "give", "gives", "offer", "offers", "achieve", "achieves",
    "provide", "provides", "entail", "entails", "involve", "involves", "mean", "means", "say",
    "says", "tell",
];

/// Verbs of a question for the place where one gets something.
const GETTING: &[&str] = &["buy", "find", "get", "obtain", "purchase"];

/// The verb of a question for the place where one gets something, "Where can I buy tickets?": where
/// it is sold or given out, it is got.
pub(super) fn verb_of_getting(question: &str) -> Option<String> {
    let words = folded(question);
    match words.as_slice() {
        [place, may, person, verb, ..] => {
            let asks = place == "where"
                && matches!(may.as_str(), "can" | "could" | "do")
                && matches!(person.as_str(), "i" | "we" | "you" | "one")
                && GETTING.contains(&verb.as_str());
            asks.then(|| verb.clone())
        }
        _ => None,
    }
}

/// Verbs of what is done with any thing.
const DOING: &[&str] = &["get", "have", "need", "put", "take", "use"];

/// The verb of a question for what is done with a thing, "What dose do we use for the rinse?": what
/// answers names the thing alone.
pub(super) fn verb_of_use(question: &str) -> Option<String> {
    let words = folded(question);
    let mut triples = words.windows(3).skip(1);
    let verb = triples.find(|own| {
        matches!(own[0].as_str(), "do" | "must" | "should")
            && matches!(own[1].as_str(), "i" | "we" | "you" | "they" | "one")
            && DOING.contains(&own[2].as_str())
    });
    verb.map(|own| own[2].clone())
}

/// The verb of a question for the time or the place at which one may use a thing, "When can I use a
/// hose?": where it is allowed, it is used.
pub(super) fn verb_of_permitted_use(question: &str) -> Option<String> {
    let words = folded(question);
    let [when, may, person, verb, ..] = words.as_slice() else {
        return None;
    };
    let asks = matches!(when.as_str(), "when" | "where")
        && matches!(may.as_str(), "can" | "could" | "may")
        && matches!(person.as_str(), "i" | "we" | "you" | "one");
    (asks && verb == "use").then(|| verb.clone())
}

/// The verb at the end of a question for how much a thing needs, "How much power does a heat pump
/// need?": what it draws or takes is told in other words.
pub(super) fn verb_of_need(question: &str) -> Option<String> {
    let words = folded(question);
    let asks = words
        .windows(2)
        .any(|own| own[0] == "how" && matches!(own[1].as_str(), "many" | "much"));
    let last = words.last().filter(|_| asks)?;
    matches!(last.as_str(), "need" | "require").then(|| last.clone())
}

/// The verb of a question for the beginning or the end of doing something, "stop" in "Why did they
/// stop using it?": what answers says what was done, or in its place.
pub(super) fn verb_of_phase(question: &str) -> Option<String> {
    const PHASES: [&str; 7] = [
        "begin", "cease", "continue", "keep", "start", "stop", "stopped",
    ];
    let words = folded(question);
    let mut pairs = words.windows(2);
    let phase = pairs.find(|own| PHASES.contains(&own[0].as_str()) && own[1].ends_with("ing"));
    phase.map(|own| own[0].clone())
}

/// `true` if a question asks for a number of days or other units of time in which something is to
/// be paid, and not for an amount of money: "How many days do we have to pay?"
pub(super) fn counts_time_to_pay(question: &str) -> bool {
    const UNITS: [&str; 6] = ["minutes", "hours", "days", "weeks", "months", "years"];
    let words = folded(question);
    let is_time =
        |own: &[String]| own[0] == "how" && own[1] == "many" && UNITS.contains(&own[2].as_str());
    words.windows(3).any(is_time)
        && words
            .windows(2)
            .any(|own| own[0] == "to" && own[1] == "pay")
}

/// The verb at the end of a question for what a thing does or is, "What does balancing bring?", or
/// "new" in "What is new in it?": what answers says so in words of its own.
pub(super) fn empty_word(question: &str) -> Option<String> {
    let words = folded(question);
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["what", "is" | "was" | "s", "new", ..] | ["what's", "new", ..] => Some("new".to_owned()),
        // Only what went wrong is told of it.
        ["what", "went" | "goes" | "is", "wrong", ..] => Some("wrong".to_owned()),
        // A "notice period" is told by a time: "with three months' notice".
        ["what" | "which", "notice" | "waiting", "period", ..] => Some("period".to_owned()),
        ["what", "is", "the", "notice" | "waiting", "period", ..]
        | [
            "how",
            "long",
            "is",
            "the",
            "notice" | "waiting",
            "period",
            ..,
        ] => Some("period".to_owned()),
        [
            "what",
            "do" | "does" | "did" | "will" | "would" | "can",
            ..,
            last,
        ] if EMPTY_VERBS.contains(&last) => Some(last.to_owned()),
        _ => None,
    }
}

/// `true` if a question asks "how" with an adjective: "How old is it?"
pub(super) fn asks_how(question: &str, adjective: &str) -> bool {
    let mut words = text::words(question).map(|word| text::fold(word.text));
    words.next().is_some_and(|word| word == "how")
        && words.next().is_some_and(|word| word == adjective)
}

/// `true` if a question asks from which age on one may do something: "How old do you have to be to
/// vote?"
pub(super) fn asks_for_least_age(question: &str) -> bool {
    let mut words = text::words(question).map(|word| text::fold(word.text));
    asks_how(question, "old") && words.any(|word| word == "be")
}

/// `true` if a question asks how old somebody or something is.
pub(super) fn asks_for_age(question: &str) -> bool {
    asks_how(question, "old")
}

/// The verb of a question for how many of a thing one may have: "borrow" in "How many books can I
/// borrow?" `None` of any other.
pub(super) fn verb_of_what_one_may(question: &str) -> Option<String> {
    let words = folded(question);
    let asks = |window: &&[String]| {
        matches!(window[0].as_str(), "can" | "could" | "may")
            && matches!(window[1].as_str(), "i" | "we" | "you" | "one")
    };
    let window = words.windows(3).find(asks)?;
    asks_how(question, "many").then(|| window[2].clone())
}

/// Prepositions before the place or the time of what is asked.
const CIRCUMSTANCES: &[&str] = &[
    "in", "at", "on", "for", "from", "during", "by", "since", "per",
];

/// The verb of a question for how many things somebody does something with: "deliver" in "How many
/// buses did Lark deliver in May?" `None` of any other.
pub(super) fn verb_of_count(question: &str) -> Option<String> {
    let words = folded(question);
    let auxiliary = words
        .iter()
        .position(|word| matches!(word.as_str(), "do" | "does" | "did"))?;
    let behind = words[auxiliary + 1..].iter();
    let clause: Vec<&String> = behind
        .take_while(|word| !CIRCUMSTANCES.contains(&word.as_str()))
        .collect();
    let has_subject = clause.len() > 1;
    let verb = clause
        .last()
        .filter(|_| asks_how(question, "many") && has_subject)?;
    Some((*verb).clone())
}

/// `true` if a question asks how many of a thing a group or a place has: "How many members does the
/// club have?"
pub(super) fn asks_how_many_there_are(question: &str) -> bool {
    let words = folded(question);
    asks_how(question, "many")
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "do" | "does"))
        && words.last().is_some_and(|last| last == "have")
}

/// First words of a question about the present.
const PRESENT: &[&str] = &["is", "are", "do", "does", "should", "can", "must", "may"];

/// The year at the end of a question about the present, "Is it worth it in 2026?": it only says
/// when the question is asked.
pub(super) fn year_of_asking(question: &str) -> Option<String> {
    let words = folded(question);
    let is_present = PRESENT.contains(&words.first()?.as_str());
    let [.., before, year] = words.as_slice() else {
        return None;
    };
    let is_year = year.len() == 4 && year.starts_with("20") && year.parse::<u16>().is_ok();
    (is_present && before == "in" && is_year).then(|| year.clone())
}

/// Words with which one asks whether something may or must be done.
const RULED: &[&str] = &[
    "allowed",
    "banned",
    "compulsory",
    "forbidden",
    "illegal",
    "legal",
    "mandatory",
    "obligatory",
    "permitted",
    "prohibited",
    "required",
];

/// `true` if a question asks where something may be done: "Where are dogs allowed?"
pub(super) fn asks_where_ruled(question: &str) -> bool {
    let words = folded(question);
    words.first().is_some_and(|word| word == "where")
        && words.iter().any(|word| RULED.contains(&word.as_str()))
}

/// Verbs of what one may do with a thing, which a rule on it does without: "May I bring my dog?"
const BROUGHT: &[&str] = &["bring", "have", "keep", "take", "use"];

/// The word with which a question asks whether something may or must be done, "Are dogs allowed?",
/// "Does it require a permit?": a rule has words of its own for it, "Dogs must be kept on a lead".
pub(super) fn rule_word(question: &str) -> Option<String> {
    let words = folded(question);
    match words.first()?.as_str() {
        "is" | "are" | "was" | "were" => {
            let mut words = words.into_iter();
            words.find(|word| RULED.contains(&word.as_str()))
        }
        "do" | "does" => words.into_iter().find(|word| word == "require"),
        "may" | "can" | "could" => {
            let is_person = matches!(words.get(1)?.as_str(), "i" | "we" | "you" | "one");
            let verb = words.into_iter().nth(2)?;
            (is_person && BROUGHT.contains(&verb.as_str())).then_some(verb)
        }
        _ => None,
    }
}

/// The verb of a question for what somebody may do: "grill" in "May I grill in November?"; `None`
/// of any other.
pub(super) fn verb_of_permission(question: &str) -> Option<String> {
    let words = folded(question);
    let [may, person, verb, ..] = words.as_slice() else {
        return None;
    };
    let asks = matches!(may.as_str(), "may" | "can" | "must")
        && matches!(person.as_str(), "i" | "we" | "you" | "one");
    // "Can we get out of it?" asks for no permission.
    (asks && verb != "get").then(|| verb.clone())
}

/// Words with which a clause begins that says when or on which condition something is.
const SUBORDINATING: &[&str] = &["after", "before", "if", "until", "when", "while"];

/// The folded words of a question before a clause that says when or on which condition it is: "who
/// was hurt" of "Who was hurt when the risers fell over?"; `None` without such a clause.
pub(super) fn main_clause(question: &str) -> Option<Vec<String>> {
    let mut words = folded(question);
    let is_beginning = |word: &String| SUBORDINATING.contains(&word.as_str());
    let at = words.iter().skip(1).position(is_beginning)? + 1;
    words.truncate(at);
    Some(words)
}

/// `true` if a question asks how much something is now, "How high is the reserve fund?", and not
/// for a time, "How long is the notice period?"
pub(super) fn asks_for_state(question: &str) -> bool {
    let words = folded(question);
    let is_year = |word: &String| word.len() == 4 && word.parse::<u16>().is_ok();
    words.first().is_some_and(|word| word == "how")
        && words.get(1).is_some_and(|word| word != "long")
        && words
            .get(2)
            .is_some_and(|word| matches!(word.as_str(), "is" | "are"))
        && !words.iter().any(is_year)
}

/// `true` if a question asks for a number that names something: "What is the phone number?"
pub(super) fn asks_for_number(question: &str) -> bool {
    let words = folded(question);
    let [what, is, _, rest @ ..] = words.as_slice() else {
        return false;
    };
    let asks = what == "what" && is == "is";
    // "The number of members" is a count.
    let at = rest.iter().position(|word| word == "number");
    asks && at.is_some_and(|at| at > 0)
}

/// `true` if a question asks for the next time of something that happens again and again.
pub(super) fn asks_for_next(question: &str) -> bool {
    let mut words = text::words(question).map(|word| text::fold(word.text));
    words.any(|word| matches!(word.as_str(), "next" | "upcoming"))
}

/// `true` if a question asks who is in a group: "Who is on the committee?", "List the members".
pub(super) fn asks_for_members(question: &str) -> bool {
    let words = folded(question);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [
            "who",
            "is" | "are" | "was" | "were" | "sits" | "sat",
            "in" | "on",
            ..,
        ]
        | ["who", "belongs" | "belonged", "to", ..]
        | ["who", "are" | "were", "the", "members", ..] => true,
        ["list" | "name", ..] => words.contains(&"members"),
        _ => false,
    }
}

/// `true` for "When was …", "When did …": a day in the past.
pub(super) fn asks_when_it_was(question: &str) -> bool {
    let words = folded(question);
    let [when, was, ..] = words.as_slice() else {
        return false;
    };
    when == "when" && matches!(was.as_str(), "was" | "were" | "did")
}

/// `true` if a question asks at what time a place opens or closes: a year is no answer.
pub(super) fn asks_for_hours(question: &str) -> bool {
    let words = folded(question);
    let [when, does, .., last] = words.as_slice() else {
        return false;
    };
    when == "when"
        && matches!(does.as_str(), "do" | "does")
        && matches!(last.as_str(), "open" | "close" | "shut")
}

/// The age in a question, and the words that say it: "12-year-old", "16 years old".
pub(super) fn age(question: &str) -> Option<(u32, Range<usize>)> {
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
pub(super) fn is_document_word(folded: &str) -> bool {
    DOCUMENT_WORDS.contains(&folded)
}
