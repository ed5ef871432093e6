//! The wording of a question: its folded words, and what their order says of what is asked.

use super::super::vocabulary::{is_number_word, words_have};
use super::frame::{BEFORE_SUBJECT, OF_SUBJECT, is_owner};
use crate::text;

/// Auxiliaries before the subject of a question.
pub(in crate::answering) const AUXILIARIES: &[&str] = &[
    "can", "could", "did", "do", "does", "has", "may", "must", "shall", "should", "will",
];

/// Verbs that say nothing of a thing by themselves: "What does it bring?"
const EMPTY_VERBS: &[&str] = &[
    "bring", "brings", "brought", "give", "gives", "offer", "offers", "achieve", "achieves",
    "provide", "provides", "entail", "entails", "involve", "involves", "mean", "means", "say",
    "says", "tell",
];

/// Irregular verbs in the past tense, which stand behind what is asked for: "Which author wrote
/// it?" A closed list, written by hand.
const PAST: &[&str] = &[
    "became",
    "began",
    "beat",
    "bought",
    "broke",
    "brought",
    "built",
    "came",
    "caught",
    "chose",
    "cost",
    "drew",
    "drove",
    "fell",
    "felt",
    "fought",
    "gave",
    "gets",
    "goes",
    "grew",
    "heard",
    "held",
    "kept",
    "knew",
    "laid",
    "left",
    "lent",
    "lost",
    "made",
    "meant",
    "paid",
    "rose",
    "sang",
    "sank",
    "sent",
    "shot",
    "showed",
    "sold",
    "spent",
    "spoke",
    "stood",
    "swam",
    "taught",
    "threw",
    "told",
    "took",
    "understood",
    "went",
    "wore",
    "wrote",
];

/// The length up to which a word tells little of what is asked for.
const LEAST_NOUN: usize = 3;

/// Verbs of a question for the place where one gets something.
const GETTING: &[&str] = &["buy", "find", "get", "obtain", "purchase"];

/// Verbs of what is done with any thing.
const DOING: &[&str] = &["get", "have", "need", "put", "take", "use"];

/// Verbs by which something has a largest or smallest value.
const VERBS_OF_MOST: &[&str] = &[
    "achieved", "brought", "gave", "give", "gives", "got", "produced", "reached", "reaches",
    "recorded", "reported", "saw", "showed", "shows",
];

/// Verbs for the beginning or the end of doing something.
const PHASES: &[&str] = &[
    "begin", "cease", "continue", "keep", "start", "stop", "stopped",
];

/// Prepositions before the place or the time of what is asked.
const CIRCUMSTANCES: &[&str] = &[
    "in", "at", "on", "for", "from", "during", "by", "since", "per",
];

/// Units of time, as one counts them.
const UNITS_OF_TIME: &[&str] = &["minutes", "hours", "days", "weeks", "months", "years"];

/// First words of a question about the present.
const PRESENT: &[&str] = &["is", "are", "do", "does", "should", "can", "must", "may"];

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

/// Verbs of what one may do with a thing, which a rule on it does without: "May I bring my dog?"
const BROUGHT: &[&str] = &["bring", "have", "keep", "take", "use"];

/// Words with which a clause begins that says when or on which condition something is.
const SUBORDINATING: &[&str] = &["after", "before", "if", "until", "when", "while"];

/// The folded words of a question, made once for all that is asked of their order.
#[derive(Debug, Clone)]
pub(in crate::answering) struct Wording(Vec<String>);

/// Those who ask.
const ASKERS: &[&str] = &["i", "we", "you", "one"];

impl Wording {
    /// The wording of a question.
    pub(in crate::answering) fn new(question: &str) -> Self {
        Self(text::folded(question))
    }

    /// The folded words, in order.
    pub(in crate::answering) fn words(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }

    /// `true` if it has one of some words or phrases.
    pub(in crate::answering) fn has(&self, phrases: &[&str]) -> bool {
        words_have(&self.0, phrases)
    }

    /// `true` if it is on a document that it names: "the article on radiators".
    pub(in crate::answering) fn cites_document(&self) -> bool {
        let mut pairs = self.0.windows(2);
        pairs.any(|pair| BEFORE_SUBJECT.contains(&&*pair[0]) && OF_SUBJECT.contains(&&*pair[1]))
    }

    /// `true` for "minus" before a number, and "degrees" behind one: a text has signs for them.
    pub(in crate::answering) fn is_sign(&self, folded: &str) -> bool {
        let words = self.words();
        let is_number =
            |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || is_number_word(word);
        words.windows(2).any(|pair| match *pair {
            [sign @ "minus", number] | [number, sign @ ("degree" | "degrees")] => {
                sign == folded && is_number(number)
            }
            _ => false,
        })
    }

    /// The word for those whom the documents are on at the end of a question for somebody:
    /// "society" in "Who is the chair of the society now?"
    pub(in crate::answering) fn owner(&self) -> Option<&str> {
        let mut words = self.words();
        while matches!(words.last(), Some(&("currently" | "now" | "today"))) {
            words.pop();
        }
        match words[..] {
            [.., "of", "the" | "our", owner] if is_owner(owner) => Some(owner),
            _ => None,
        }
    }

    /// The measure in a question for a threshold: "level" in "At what gas level must one leave?"
    pub(in crate::answering) fn threshold(&self) -> Option<&str> {
        let words = self.words();
        let what = words.iter().position(|word| *word == "what")?;
        let is_bound = matches!(
            *words.get(what.checked_sub(1)?)?,
            "above" | "at" | "below" | "from" | "over" | "to" | "under"
        );
        let phrase = words[what + 1..].iter();
        let last = phrase.take_while(|word| !text::is_stop_word(word)).last()?;
        (is_bound && matches!(*last, "amount" | "level" | "value")).then_some(*last)
    }

    /// The subject of a question that says nothing: "people" for anybody, "When must people
    /// leave?", or a word for those whom the documents are on, "What margin does the company
    /// expect?"
    pub(in crate::answering) fn empty_subject(&self) -> Option<&str> {
        let words = self.words();
        let at = words.iter().position(|word| AUXILIARIES.contains(word))?;
        match words[at + 1..] {
            [people @ "people", ..] => Some(people),
            ["the", owner, ..] if is_owner(owner) => Some(owner),
            _ => None,
        }
    }

    /// The verb of a question for the place where one gets something, "Where can I buy tickets?":
    /// where it is sold or given out, it is got.
    pub(in crate::answering) fn verb_of_getting(&self) -> Option<&str> {
        match self.words()[..] {
            ["where", "can" | "could" | "do", person, verb, ..] if is_asker(person) => {
                Some(verb).filter(|verb| GETTING.contains(verb))
            }
            _ => None,
        }
    }

    /// The verb of a question for what is done with a thing, "What dose do we use for the rinse?":
    /// what answers names the thing alone.
    pub(in crate::answering) fn verb_of_use(&self) -> Option<&str> {
        let words = self.words();
        let mut triples = words.windows(3).skip(1);
        triples.find_map(|triple| match *triple {
            ["do" | "must" | "should", person, verb] if is_asker(person) || person == "they" => {
                Some(verb).filter(|verb| DOING.contains(verb))
            }
            _ => None,
        })
    }

    /// The verb by which something has the largest or smallest value: "gave" in "Which plot gave
    /// the highest yield?", which a row of a table does not have.
    pub(in crate::answering) fn verb_of_most(&self) -> Option<&str> {
        let words = self.words();
        let is_which = matches!(words.first(), Some(&("which" | "what")));
        let mut triples = words.windows(3).filter(|_| is_which);
        let verb = triples.find(|triple| {
            VERBS_OF_MOST.contains(&triple[0])
                && triple[1] == "the"
                && text::extreme(triple[2]).is_some()
        });
        verb.map(|triple| triple[0])
    }

    /// The verb of a question for the time or the place at which one may use a thing, "When can I
    /// use a hose?": where it is allowed, it is used.
    pub(in crate::answering) fn verb_of_permitted_use(&self) -> Option<&str> {
        match self.words()[..] {
            [
                "when" | "where",
                "can" | "could" | "may",
                person,
                verb @ "use",
                ..,
            ] => Some(verb).filter(|_| is_asker(person)),
            _ => None,
        }
    }

    /// The verb at the end of a question for how much a thing needs, "How much power does a heat
    /// pump need?": what it draws or takes is told in other words.
    pub(in crate::answering) fn verb_of_need(&self) -> Option<&str> {
        let words = self.words();
        let last = words
            .last()
            .filter(|last| matches!(**last, "need" | "require"))?;
        let mut pairs = words.windows(2);
        let asks = pairs.any(|pair| matches!(*pair, ["how", "many" | "much"]));
        asks.then_some(*last)
    }

    /// The verb of a question for the beginning or the end of doing something, "stop" in "Why did
    /// they stop using it?": what answers says what was done, or in its place.
    pub(in crate::answering) fn verb_of_phase(&self) -> Option<&str> {
        let mut pairs = self.0.windows(2);
        let is_phase = |pair: &&[String]| PHASES.contains(&&*pair[0]) && pair[1].ends_with("ing");
        pairs.find(is_phase).map(|pair| &*pair[0])
    }

    /// `true` if it asks for a number of days or other units of time in which something is to be
    /// paid, and not for an amount of money: "How many days do we have to pay?"
    pub(in crate::answering) fn counts_time_to_pay(&self) -> bool {
        let words = self.words();
        let is_time = |triple: &[&str]| match *triple {
            ["how", "many", unit] => UNITS_OF_TIME.contains(&unit),
            _ => false,
        };
        words.windows(3).any(is_time) && words.windows(2).any(|pair| pair == ["to", "pay"])
    }

    /// The verb at the end of a question for what a thing does or is, "What does balancing bring?",
    /// or "new" in "What is new in it?": what answers says so in words of its own.
    pub(in crate::answering) fn empty_word(&self) -> Option<&str> {
        match self.words()[..] {
            ["what", "is" | "was" | "s", word @ "new", ..]
            | ["what's", word @ "new", ..]
            // Only what went wrong is told of it.
            | ["what", "went" | "goes" | "is", word @ "wrong", ..]
            // A "notice period" is told by a time: "with three months' notice".
            | ["what" | "which", "notice" | "waiting", word @ "period", ..]
            | ["what", "is", "the", "notice" | "waiting", word @ "period", ..]
            | ["how", "long", "is", "the", "notice" | "waiting", word @ "period", ..]
            // "The refrigerant is ammonia" tells which one it uses.
            | ["which", _, "do" | "does" | "did" | "will", .., word @ "use"] => Some(word),
            ["what", "do" | "does" | "did" | "will" | "would" | "can", .., last]
                if EMPTY_VERBS.contains(&last) =>
            {
                Some(last)
            }
            _ => None,
        }
    }

    /// The noun of a verb that says nothing without it: "place" in "When does the fair take place?"
    pub(in crate::answering) fn noun_of_taking_place(&self) -> Option<&str> {
        let mut pairs = self.0.windows(2);
        let takes_place = |pair: &&[String]| {
            matches!(&*pair[0], "take" | "takes" | "taken" | "taking" | "took")
                && pair[1] == "place"
        };
        pairs.find(takes_place).map(|pair| &*pair[1])
    }

    /// The verb of a question for which thing holds for another one: "applies" in "Which limit
    /// applies to lakes?", but not "apply" in "Which students apply for a grant?"
    pub(in crate::answering) fn verb_of_holding(&self) -> Option<&str> {
        let words = self.words();
        let ["which" | "what", ..] = words[..] else {
            return None;
        };
        let is_verb = |word: &str| matches!(word, "apply" | "applies" | "applied");
        let at = words.iter().position(|word| is_verb(word))?;
        let is_for = words.get(at + 1) == Some(&"for");
        (!is_for).then_some(words[at])
    }

    /// The unit of time in which it asks for a number: "minutes" in "How far is it in minutes?"
    pub(in crate::answering) fn unit_of_time(&self) -> Option<&str> {
        let words = self.words();
        let [.., "in", unit] = words[..] else {
            return None;
        };
        (words[0] == "how" && UNITS_OF_TIME.contains(&unit)).then_some(unit)
    }

    /// The first noun of a phrase of two behind "which" or "what": "ozone" in "Which ozone limit
    /// applies to lakes?" A word in the plural, or before a verb, is none.
    pub(in crate::answering) fn noun_of_kind(&self) -> Option<&str> {
        let words = self.words();
        let ["which" | "what", kind, head, ..] = words[..] else {
            return None;
        };
        let is_verb = head.ends_with('s') || head.ends_with("ed") || PAST.contains(&head);
        let is_noun = |word: &str| word.len() > LEAST_NOUN && !text::is_stop_word(word);
        (is_noun(kind) && is_noun(head) && !kind.ends_with('s') && !is_verb).then_some(kind)
    }

    /// The unit in a question for a price of each: "hour" in "What does it cost per hour?"
    pub(in crate::answering) fn rate(&self) -> Option<&str> {
        let words = self.words();
        words.windows(2).find_map(|pair| match *pair {
            ["per", unit] => Some(unit),
            _ => None,
        })
    }

    /// `true` if it asks "how" with an adjective: "How old is it?"
    pub(in crate::answering) fn asks_how(&self, adjective: &str) -> bool {
        matches!(self.words()[..], ["how", own, ..] if own == adjective)
    }

    /// `true` if it asks from which age on one may do something: "How old do you have to be to
    /// vote?"
    pub(in crate::answering) fn asks_for_least_age(&self) -> bool {
        self.asks_how("old") && self.words().contains(&"be")
    }

    /// `true` if it asks how old somebody or something is.
    pub(in crate::answering) fn asks_for_age(&self) -> bool {
        self.asks_how("old")
    }

    /// The verb of a question for how many of a thing one may have: "borrow" in "How many books can
    /// I borrow?"
    pub(in crate::answering) fn verb_of_what_one_may(&self) -> Option<&str> {
        let words = self.words();
        let mut triples = words.windows(3);
        let verb = triples.find_map(|triple| match *triple {
            ["can" | "could" | "may", person, verb] => Some(verb).filter(|_| is_asker(person)),
            _ => None,
        });
        verb.filter(|_| self.asks_how("many"))
    }

    /// The verb of a question for how many things somebody does something with: "deliver" in "How
    /// many buses did Lark deliver in May?"
    pub(in crate::answering) fn verb_of_count(&self) -> Option<&str> {
        let words = self.words();
        let is_auxiliary = |word: &&str| matches!(*word, "do" | "does" | "did");
        let at = words.iter().position(is_auxiliary)?;
        let behind = words[at + 1..].iter().copied();
        let clause = behind.take_while(|word| !CIRCUMSTANCES.contains(word));
        // Behind its subject.
        let verb = clause.skip(1).last();
        verb.filter(|_| self.asks_how("many"))
    }

    /// `true` if it asks how many of a thing a group or a place has: "How many members does the
    /// club have?"
    pub(in crate::answering) fn asks_how_many_there_are(&self) -> bool {
        match self.words()[..] {
            ["how", "many", ref between @ .., "have"] => {
                between.contains(&"do") || between.contains(&"does")
            }
            _ => false,
        }
    }

    /// The year at the end of a question about the present, "Is it worth it in 2026?": it only says
    /// when the question is asked.
    pub(in crate::answering) fn year_of_asking(&self) -> Option<&str> {
        match self.words()[..] {
            [first, .., "in", year] if PRESENT.contains(&first) => {
                (is_year(year) && year.starts_with("20")).then_some(year)
            }
            _ => None,
        }
    }

    /// `true` if it asks where something may be done: "Where are dogs allowed?"
    pub(in crate::answering) fn asks_where_ruled(&self) -> bool {
        match self.words()[..] {
            ["where", ref rest @ ..] => rest.iter().any(|word| RULED.contains(word)),
            _ => false,
        }
    }

    /// `true` if it asks when something may be done: "When may we spray?", "When is it forbidden?"
    pub(in crate::answering) fn asks_when_ruled(&self) -> bool {
        match self.words()[..] {
            ["when", "can" | "may" | "must" | "should", ..] => true,
            ["when", "do" | "does", _, "have" | "need", "to", ..] => true,
            ["when", ref rest @ ..] => rest.iter().any(|word| RULED.contains(word)),
            _ => false,
        }
    }

    /// `true` if it asks in German when something may or must be done: "Wann darf ich aufstehen?"
    pub(in crate::answering) fn asks_when_ruled_in_german(&self) -> bool {
        const MODALS: &[&str] = &[
            "darf", "durfen", "kann", "konnen", "muss", "mussen", "soll", "sollen", "sollte",
        ];
        matches!(self.words()[..], ["wann", modal, ..] if MODALS.contains(&modal))
    }

    /// The word with which it asks whether something may or must be done, "Are dogs allowed?",
    /// "Does it require a permit?": a rule has words of its own for it, "Dogs must be kept on a
    /// lead".
    pub(in crate::answering) fn rule_word(&self) -> Option<&str> {
        match self.words()[..] {
            ["is" | "are" | "was" | "were", ref rest @ ..] => {
                rest.iter().copied().find(|word| RULED.contains(word))
            }
            ["do" | "does", ref rest @ ..] => rest.iter().copied().find(|word| *word == "require"),
            ["may" | "can" | "could", person, verb, ..] if is_asker(person) => {
                Some(verb).filter(|verb| BROUGHT.contains(verb))
            }
            _ => None,
        }
    }

    /// The verb of a question for what somebody may do: "grill" in "May I grill in November?"
    pub(in crate::answering) fn verb_of_permission(&self) -> Option<&str> {
        match self.words()[..] {
            // "Can we get out of it?" asks for no permission.
            ["may" | "can" | "must", person, verb, ..] if is_asker(person) => {
                Some(verb).filter(|verb| *verb != "get")
            }
            _ => None,
        }
    }

    /// The folded words before a clause that says when or on which condition it is: "who was hurt"
    /// of "Who was hurt when the risers fell over?"; `None` without such a clause.
    pub(in crate::answering) fn main_clause(&self) -> Option<&[String]> {
        let is_beginning = |word: &String| SUBORDINATING.contains(&word.as_str());
        let at = self.0.iter().skip(1).position(is_beginning)? + 1;
        Some(&self.0[..at])
    }

    /// `true` if it asks how much something is now, "How high is the reserve fund?", and not for a
    /// time, "How long is the notice period?"
    pub(in crate::answering) fn asks_for_state(&self) -> bool {
        match self.words()[..] {
            ["how", adjective, "is" | "are", ref rest @ ..] => {
                adjective != "long" && !rest.iter().any(|word| is_year(word))
            }
            _ => false,
        }
    }

    /// `true` if it asks for a number that names something: "What is the phone number?"
    pub(in crate::answering) fn asks_for_number(&self) -> bool {
        match self.words()[..] {
            // "The number of members" is a count.
            ["what", "is", _, ref rest @ ..] => {
                let at = rest.iter().position(|word| *word == "number");
                at.is_some_and(|at| at > 0)
            }
            _ => false,
        }
    }

    /// `true` if it asks for the next time of something that happens again and again.
    pub(in crate::answering) fn asks_for_next(&self) -> bool {
        let mut words = self.0.iter();
        words.any(|word| matches!(word.as_str(), "next" | "upcoming"))
    }

    /// `true` if it asks who is in a group: "Who is on the committee?", "List the members".
    pub(in crate::answering) fn asks_for_members(&self) -> bool {
        match self.words()[..] {
            [
                "who",
                "is" | "are" | "was" | "were" | "sits" | "sat",
                "in" | "on",
                ..,
            ]
            | ["who", "belongs" | "belonged", "to", ..]
            | ["who", "are" | "were", "the", "members", ..] => true,
            ["list" | "name", ref rest @ ..] => rest.contains(&"members"),
            _ => false,
        }
    }

    /// `true` for "When was …", "When did …": a day in the past.
    pub(in crate::answering) fn asks_when_it_was(&self) -> bool {
        matches!(self.words()[..], ["when", "was" | "were" | "did", ..])
    }

    /// `true` if it asks at what time a place opens or closes: a year is no answer.
    pub(in crate::answering) fn asks_for_hours(&self) -> bool {
        matches!(
            self.words()[..],
            ["when", "do" | "does", .., "open" | "close" | "shut"]
        )
    }
}

/// `true` for a word for those who ask.
fn is_asker(word: &str) -> bool {
    ASKERS.contains(&word)
}

/// `true` for a word such as "2026".
fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse::<u16>().is_ok()
}
