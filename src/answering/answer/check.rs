//! Checks of a text against a question: its share of the terms, and the type of the answer.

use std::sync::PoisonError;

use super::super::question::answer_type::AnswerType;
use super::super::question::compared::Texts;
use super::super::question::frame;
use super::super::question::synonyms;
use super::super::question::{Question, QuestionTerm};
use super::super::ranking::evidence::{Evidence, MET};
use super::super::vocabulary::{Vocabulary, is_content_word, is_number_word};
use super::thing::is_general;
use crate::text::{self, Language, folded};

/// The share of what is asked that a title has, so that it names the document.
const NAMED: f64 = 0.6;

/// Words before the place, the time or another circumstance of what is asked: prepositions, and the
/// articles after them.
const PREPOSITIONS: &[&str] = &[
    "in", "at", "on", "from", "to", "of", "for", "with", "by", "near", "since", "until", "before",
    "after", "during", "under", "over", "above", "below", "behind", "between", "beside", "inside",
    "outside", "around", "the", "a",
];

/// Words before a noun that belong to it.
const DETERMINERS: &[&str] = &[
    "the", "a", "an", "our", "my", "your", "its", "this", "these",
];

/// Verbs before the subject of a question.
const AUXILIARIES: &[&str] = &[
    "do", "does", "did", "is", "are", "was", "were", "can", "could", "will", "would", "must",
    "may", "might", "should", "has", "have", "had",
];

/// Words of a question on a decision, which any other decision answers: "rejected", "postponed".
const DECIDED: &[&str] = &[
    "accepted",
    "adopted",
    "agreed",
    "allowed",
    "approved",
    "confirmed",
    "decided",
    "granted",
    "passed",
    "permitted",
    "refused",
    "rejected",
];

/// Verbs that say little beside their object: "Who took the minutes?"
const LIGHT_VERBS: &[&str] = &[
    "came", "did", "does", "gave", "gets", "gives", "goes", "got", "had", "has", "held", "holds",
    "keeps", "kept", "leads", "led", "made", "makes", "ran", "runs", "takes", "took", "wants",
    "went",
];

/// Verbs at the end of a question that say little of what it asks for: "How many can we afford?",
/// "Where does the service stand?"
const GENERAL_VERBS: &[&str] = &[
    "afford", "amount", "come", "expect", "fare", "get", "go", "need", "stand", "want",
];

/// Words of a question on the making of a text.
const WRITTEN: &[&str] = &[
    "author",
    "authors",
    "write",
    "wrote",
    "written",
    "writer",
    "published",
    "dated",
];

/// Words of a question on a message itself: who wrote it, when, to whom.
const OF_MAIL: &[&str] = &[
    "address",
    "author",
    "email",
    "letter",
    "mail",
    "message",
    "recipient",
    "send",
    "sender",
    "sends",
    "sent",
    "write",
    "writes",
    "wrote",
    "written",
];

/// The type of the question that a line of a document's header answers; `None` for any other line.
pub fn header_field(line: &str) -> Option<AnswerType> {
    match line.split_once(": ")?.0 {
        "author" | "authors" => Some(AnswerType::Person),
        "date" => Some(AnswerType::Date),
        _ => None,
    }
}

/// Units that stand right behind a number, without a blank.
const ATTACHED_UNITS: [&str; 18] = [
    "cm", "d", "g", "h", "hrs", "kg", "km", "kw", "kwh", "l", "m", "mg", "min", "ml", "mm", "mw",
    "s", "v",
];

/// `true` if a text has an amount whose unit stands right behind its number: "24h" for "24".
fn has_amount(text: &str, number: &str) -> bool {
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        && text.match_indices(number).any(|(at, _)| {
            let behind = &text[at + number.len()..];
            let end = behind.find(|c: char| !c.is_alphanumeric());
            let unit = &behind[..end.unwrap_or(behind.len())];
            !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ','))
                && ATTACHED_UNITS.contains(&unit)
        })
}

impl Question {
    /// The share of its terms that a text meets, 0 to 1; 1 of a question without terms.
    pub fn share_met(&self, text: &str) -> f64 {
        if self.terms.is_empty() {
            1.0
        } else {
            self.met(text).len() as f64 / self.terms.len() as f64
        }
    }

    /// The terms that a text meets by themselves, in another form, or by a synonym.
    pub fn met(&self, text: &str) -> Vec<&QuestionTerm> {
        let texts = self.compared.0.lock();
        let texts = &mut *texts.unwrap_or_else(PoisonError::into_inner);
        if !texts.met.contains_key(text) {
            let met = self.numbers_met(text, texts);
            texts.met.insert(text.into(), met);
        }
        let met = texts.met[text].iter();
        met.map(|number| &self.terms[*number]).collect()
    }

    /// The numbers of the terms that a text meets, in order, given the texts before.
    fn numbers_met(&self, text: &str, texts: &mut Texts) -> Box<[usize]> {
        let tokens = texts.vocabulary.tokens(text, self.language);
        let mut evidence = Evidence::new(self, &texts.vocabulary, &|_| 1.0);
        evidence.resume(std::mem::take(&mut texts.degrees));
        let cover = evidence.occurrences(&tokens).cover;
        texts.degrees = evidence.into_degrees();
        let is_met = |at: &usize| cover[*at] >= MET || has_amount(text, &self.terms[*at].word);
        (0..cover.len()).filter(is_met).collect()
    }

    /// `true` for a word that says nothing of what is asked for: "place" in "take place", "applies"
    /// in "Which limit applies to lakes?"
    pub fn is_framing_word(&self, folded: &str) -> bool {
        let is_of_phrase = matches!(
            folded,
            "place" | "take" | "takes" | "taken" | "taking" | "took"
        );
        is_of_phrase && self.wording.noun_of_taking_place().is_some()
            || self.wording.verb_of_holding() == Some(folded)
    }

    /// The term for the kind of what is asked for, "ozone" in "Which ozone limit applies to
    /// lakes?": the limit of something else is no answer. In English alone.
    pub fn kind_in_question(&self) -> Option<&QuestionTerm> {
        let kind = self.wording.noun_of_kind().filter(|_| self.is_english())?;
        self.terms.iter().find(|term| term.word == kind)
    }

    /// Other words for its terms for which some condition holds, by the table of synonyms; in
    /// English alone.
    pub fn other_words(&self, is_wanted: impl Fn(&QuestionTerm) -> bool) -> Vec<&'static str> {
        let terms = self.terms.iter().filter(|_| self.is_english());
        let terms = terms.filter(|term| is_wanted(term));
        terms
            .flat_map(|term| synonyms::others(&term.stem))
            .collect()
    }

    /// `true` for the word for the class that the answer is one of: "sports" in "Which sports are
    /// offered?"
    pub fn is_class(&self, term: &QuestionTerm) -> bool {
        term.is_focus && self.is_english()
    }

    /// The terms that a text has in the same words, whatever their inflection: no synonyms.
    pub fn named_in(&self, text: &str) -> Vec<&QuestionTerm> {
        let mut vocabulary = Vocabulary::default();
        let tokens = vocabulary.tokens(text, self.language);
        let entries = tokens
            .into_iter()
            .filter_map(|token| vocabulary.entry(token));
        let stems: Vec<&str> = entries.map(|entry| &*entry.stem).collect();
        let terms = self.terms.iter();
        terms
            .filter(|term| stems.contains(&term.stem.as_str()))
            .collect()
    }

    /// The term for what it asks about: the first after an auxiliary verb, "Do winglets save fuel?"
    /// or, after "what is the", the last of a phrase, "What is the yearly salary of a maintainer?"
    /// `None` after a pronoun, if only a frame word is there, and in other languages.
    pub fn subject(&self) -> Option<&QuestionTerm> {
        if self.language != Language::default() {
            return None;
        }
        let words = self.wording.words();
        let verb = words.iter().position(|word| AUXILIARIES.contains(word))?;
        let mut phrase = words[verb + 1..]
            .iter()
            .skip_while(|word| matches!(**word, "the" | "a" | "an"))
            .take_while(|word| !text::is_stop_word(word));
        let asks_what = words[..verb].ends_with(&["what"]);
        let subject = if asks_what {
            phrase.last()
        } else {
            phrase.next()
        };
        self.terms.iter().find(|term| subject == Some(&&*term.word))
    }

    /// The term for what has the property that "what is" asks for: "What is the uncertainty of
    /// lead?" `None` of any other question, and in other languages.
    pub fn holder_of_property(&self) -> Option<&QuestionTerm> {
        let words = self.wording.words();
        let asks = matches!(words[..], ["what", "is" | "was" | "are" | "were", ..]);
        let of = words.iter().position(|word| *word == "of");
        let of = of.filter(|_| asks && self.is_english())?;
        let phrase = words[of + 1..].iter();
        let phrase = phrase.skip_while(|word| DETERMINERS.contains(word));
        let holder = phrase.take_while(|word| !text::is_stop_word(word)).last()?;
        self.terms.iter().find(|term| term.word == *holder)
    }

    /// `true` if a sentence names the property that "what is" asks for, and not its holder but
    /// another one: "The price of apixaban" where that of heparin is asked for.
    pub fn is_property_of_another(&self, sentence: &str) -> bool {
        let words = self.wording.words();
        let property = words.windows(2).find(|pair| pair[1] == "of");
        let Some((property, holder)) = property.zip(self.holder_of_property()) else {
            return false;
        };
        let stated = folded(sentence);
        let of_property =
            |pair: &[String]| pair[1] == "of" && text::stem(&pair[0]) == text::stem(property[0]);
        let mut holders = (2..stated.len()).filter(|at| of_property(&stated[at - 2..*at]));
        !self.met(sentence).contains(&holder)
            && holders.any(|at| {
                let mut named = stated[at..].iter();
                let is_determiner = |word: &str| DETERMINERS.contains(&word);
                let is_noun = |word: &String| {
                    word.starts_with(char::is_alphabetic) && !text::is_stop_word(word)
                };
                // "A dose of 25 mg" is of nothing else.
                named.find(|word| !is_determiner(word)).is_some_and(is_noun)
            })
    }

    /// The terms that an answer cannot do without: what it counts, and the names that it asks
    /// about, which are those that no preposition makes a circumstance: "Does the hospital use
    /// Salesforce?" but not "in Germany".
    pub fn essential_terms(&self) -> impl Iterator<Item = &QuestionTerm> {
        let words: Vec<text::Word<'_>> = text::words(&self.text).collect();
        let is_circumstance = move |term: &QuestionTerm| {
            let at = words.iter().position(|word| word.text == term.written);
            let before = at.map_or(&[][..], |at| &words[..at]);
            let is_name = |word: &&text::Word<'_>| word.text.starts_with(char::is_uppercase);
            let mut before = before.iter().rev().skip_while(is_name);
            before
                .next()
                .is_none_or(|word| PREPOSITIONS.contains(&word.text))
        };
        // A rule has words of its own for it: "No deliveries before 7 a.m."
        let rule = self.wording.rule_word();
        let terms = self.terms.iter();
        let terms = terms.filter(move |term| rule != Some(&term.word));
        let is_telling = |word: &str| !is_adverb(word) && !GENERAL_VERBS.contains(&word);
        let terms = terms.filter(move |term| term.is_name || is_telling(&term.word));
        terms.filter(move |term| {
            // "How many people" is answered by members, visitors or any others.
            let counts = self.counted.as_ref() == Some(&term.stem);
            counts && !matches!(term.stem.as_str(), "peopl" | "person")
                || self.is_object(term)
                || self.is_measured_verb(term)
                || self.is_last(term)
                || self.is_asked_for(term)
                || self.is_part_of_what(term)
                || self.is_deed(term)
                || self.is_in_question(term)
                || term.is_name
                    && term.word.starts_with(char::is_alphabetic)
                    && !is_circumstance(term)
        })
    }

    /// `true` for the thing of a yes-or-no question that no preposition makes a circumstance: "dog"
    /// in "Can I bring my dog?"
    fn is_object(&self, term: &QuestionTerm) -> bool {
        let words: Vec<&str> = text::words(&self.text).map(|word| word.text).collect();
        let at = words.iter().position(|word| *word == term.written);
        let before = at.and_then(|at| Some((words.get(at.checked_sub(2)?)?, words[at - 1])));
        let is_asked =
            self.answer_type == AnswerType::YesNo && self.language == Language::default();
        is_asked
            && before.is_some_and(|(before, article)| {
                matches!(article, "my" | "our" | "your" | "a" | "an")
                    && !PREPOSITIONS.contains(before)
            })
    }

    /// `true` for the verb of which a question asks how much: "earn" in "How much does he earn in
    /// Bergen?", "hold" in "How much can it hold?"
    fn is_measured_verb(&self, term: &QuestionTerm) -> bool {
        let words = self.wording.words();
        let is_auxiliary = |word: &str| matches!(word, "do" | "does" | "did" | "can" | "could");
        let does = words.iter().any(|word| is_auxiliary(word))
            && self.wording.verb_of_what_one_may().is_none();
        // A place or a time behind it is a circumstance.
        let circumstance = words.iter().rposition(|word| matches!(*word, "in" | "at"));
        let written = text::words(&self.text).last();
        let is_name = |word: text::Word<'_>| word.text.starts_with(char::is_uppercase);
        // "How much can the soil in Alba hold?" ends with the verb.
        let ends_with_verb = circumstance.is_some_and(|at| at + 2 < words.len())
            && !written.is_some_and(is_name)
            && words[words.len() - 2..]
                .iter()
                .all(|word| !text::is_stop_word(word));
        let end = circumstance.filter(|_| !ends_with_verb);
        let end = end.unwrap_or(words.len());
        self.answer_type == AnswerType::Quantity
            && self.language == Language::default()
            && does
            && words[..end].last().is_some_and(|last| *last == term.word)
    }

    /// `true` for the word at the end of a question for a fact, behind its subject: "born" in "When
    /// was Ann born?", "married" in "Is Ann married?", "valid" in "How long is the key valid?"
    fn is_last(&self, term: &QuestionTerm) -> bool {
        let words = self.wording.words();
        let is_fact = matches!(
            self.answer_type,
            AnswerType::Date | AnswerType::Location | AnswerType::YesNo
        ) || self.answer_type == AnswerType::Quantity
            && words.starts_with(&["how", "long"]);
        // "How long are the keys valid?" has two words before its verb.
        let mut first = words.iter().take(3);
        is_fact
            && !DECIDED.contains(&term.word.as_str())
            && self.language == Language::default()
            && self.terms.len() > 1
            && first.any(|word| AUXILIARIES.contains(word))
            && words.last().is_some_and(|last| *last == term.word)
    }

    /// `true` if a question for a fact ends with the verb of a stem, or with what stands in its
    /// place: "arrive" in "When will the statement arrive?"
    pub fn ends_with_verb(&self, stem: &str) -> bool {
        let mut terms = self.terms.iter();
        let is_end = |term: &QuestionTerm| {
            !GENERAL_VERBS.contains(&term.word.as_str())
                && (self.is_last(term) || self.is_measured_verb(term))
        };
        terms.any(|term| !term.is_name && text::stem(&term.word) == stem && is_end(term))
    }

    /// `true` for a word of the phrase behind "what is the": "payback" in "What is the payback time
    /// of a heat pump?"
    pub(in crate::answering) fn is_asked_for(&self, term: &QuestionTerm) -> bool {
        let ["what", "is" | "was", "the", ref rest @ ..] = self.wording.words()[..] else {
            return false;
        };
        let mut phrase = rest.iter().take_while(|word| !text::is_stop_word(word));
        self.is_english() && !is_general(&term.word) && phrase.any(|word| *word == term.word)
    }

    /// `true` for the thing behind "of" or "for" in a question for a fact: "porcelain" in "What is
    /// the price of a bag of porcelain?"
    fn is_part_of_what(&self, term: &QuestionTerm) -> bool {
        let words = self.wording.words();
        let is_article = |word: &str| matches!(word, "a" | "an" | "the");
        let at = words.iter().position(|word| *word == term.word);
        let before = at.and_then(|at| words[..at].iter().rev().find(|word| !is_article(word)));
        self.answer_type.is_factual()
            && self.language == Language::default()
            && matches!(before, Some(&("of" | "for")))
    }

    /// The thing of which a question asks a quantity: "enoxaparin" in "What is the dose of
    /// enoxaparin?"
    fn thing_measured(&self) -> Option<&QuestionTerm> {
        let words = self.wording.words();
        let (["what", "is" | "are", "the", _, "of", thing], AnswerType::Quantity) =
            (&words[..], self.answer_type)
        else {
            return None;
        };
        let is_thing = |term: &&QuestionTerm| term.word == *thing && !term.is_name;
        self.terms.iter().find(is_thing)
    }

    /// Whether a text names the thing of which it asks a quantity; `None` if it asks for none.
    pub fn names_thing_measured(&self, text: &str) -> Option<bool> {
        let thing = self.thing_measured()?;
        Some(self.met(text).iter().any(|term| term.stem == thing.stem))
    }

    /// `true` for what a question asks whether there is: "asbestos" in "Is there any asbestos in
    /// the joints?"
    fn is_in_question(&self, term: &QuestionTerm) -> bool {
        let ["is" | "are" | "was" | "were", "there", ref rest @ ..] = self.wording.words()[..]
        else {
            return false;
        };
        let is_outside =
            |word: &&&str| PREPOSITIONS.contains(*word) && !DETERMINERS.contains(*word);
        let mut things = rest.iter().take_while(|word| !is_outside(word));
        things.any(|word| *word == term.word)
    }

    /// The thing of which a question asks whether there is one: "fire" in "Was there a fire under
    /// the bridge?".
    pub fn thing_in_question(&self) -> Option<&QuestionTerm> {
        self.terms.iter().rfind(|term| self.is_in_question(term))
    }

    /// `true` for the verb behind "who": "owns" in "Who owns the flat next door?"
    pub(in crate::answering) fn is_deed(&self, term: &QuestionTerm) -> bool {
        self.answer_type == AnswerType::Person
            && matches!(self.wording.words()[..], ["who", verb, ..] if verb == term.word)
            && !LIGHT_VERBS.contains(&term.word.as_str())
    }

    /// What a question for who does something is on, if it names nothing else: "vans" in "Who
    /// supplies the vans?"
    pub fn object_of_deed(&self) -> Option<&QuestionTerm> {
        match &self.terms[..] {
            [deed, object] if self.is_deed(deed) => Some(object),
            _ => None,
        }
    }

    /// Its terms as written, but for what it counts and the class that the answer is one of.
    pub fn subject_words(&self) -> String {
        let is_of_subject =
            |term: &&QuestionTerm| !term.is_focus && self.counted.as_ref() != Some(&term.stem);
        let terms = self.terms.iter().filter(is_of_subject);
        let words: Vec<&str> = terms.map(|term| term.written.as_str()).collect();
        words.join(" ")
    }

    /// The word for what it counts; empty if it counts nothing.
    pub fn counted_word(&self) -> &str {
        let mut terms = self.terms.iter();
        let counted = terms.find(|term| self.counted.as_ref() == Some(&term.stem));
        counted.map_or("", |term| &term.written)
    }

    /// `true` unless it asks about something that a text does not mention.
    pub fn is_on_subject(&self, text: &str) -> bool {
        let subject = self.subject();
        subject.is_none_or(|subject| self.met(text).contains(&subject))
    }

    /// `true` if a sentence counts what it counts: "There are three tiers of support:" for "How do
    /// the three tiers differ?"
    pub fn is_enumerated_in(&self, sentence: &str) -> bool {
        let words = self.wording.words();
        let Some(at) = words.iter().position(|word| is_number_word(word)) else {
            return false;
        };
        let phrase = words[at + 1..]
            .iter()
            .take_while(|word| !text::is_stop_word(word) && !frame::is_frame_word(word, None));
        let Some(noun) = phrase.last().map(|noun| text::stem(noun)) else {
            return false;
        };
        let counting = folded(sentence);
        counting.iter().any(|word| word == words[at])
            && counting.iter().any(|word| text::stem(word) == noun)
    }

    /// `true` if it asks for the author or the date of a text, which this line of a header names.
    pub fn asks_for_field(&self, line: &str) -> bool {
        let is_of_text = |term: &QuestionTerm| WRITTEN.contains(&term.word.as_str());
        header_field(line) == Some(self.answer_type) && self.terms.iter().any(is_of_text)
    }

    /// The terms before a clause that says when or on which condition something is; `None` without
    /// such a clause or without such terms.
    pub fn terms_of_main_clause(&self) -> Option<Vec<&QuestionTerm>> {
        let words = self.wording.main_clause()?;
        let terms = self.terms.iter().filter(|term| words.contains(&term.word));
        let terms: Vec<&QuestionTerm> = terms.collect();
        (!terms.is_empty()).then_some(terms)
    }

    /// `true` if it asks about a message itself, whose header then answers.
    pub fn asks_about_mail(&self) -> bool {
        let mut words = self.wording.words().into_iter();
        words.any(|word| OF_MAIL.contains(&word) || word == "e-mail")
    }

    /// `true` if a title has most words of what it asks the author or the date of.
    pub fn names_document(&self, title: &str) -> bool {
        let is_of_thing = |term: &&QuestionTerm| !WRITTEN.contains(&term.word.as_str());
        let things = self.terms.iter().filter(is_of_thing).count();
        let met = self.met(title).into_iter().filter(is_of_thing).count();
        met > 0 && met as f64 >= NAMED * things as f64
    }

    /// `true` unless it asks on a document by its title, "the article on radiators", and this is
    /// another one.
    pub fn is_answered_by_document(&self, title: &str) -> bool {
        !self.wording.cites_document() || self.names_document(title)
    }

    /// `true` unless a sentence is a line of a header that it does not ask for.
    pub fn wants(&self, sentence: &str) -> bool {
        header_field(sentence).is_none() || self.asks_for_field(sentence)
    }

    /// `true` if a heading asks "how" or "why", as it does.
    pub(in crate::answering) fn asks_like(&self, heading: &str) -> bool {
        let asks = match self.answer_type {
            AnswerType::Reason => "why",
            AnswerType::Manner => "how",
            _ => return false,
        };
        let first = text::words(heading).next();
        first.is_some_and(|word| text::fold(word.text) == asks)
    }

    /// `true` if it asks for a section by its heading, and perhaps for the document by its title:
    /// "What was decided on 4 March?" for the decisions in the minutes of that day. Heading and
    /// title have all words of the question, and the question has all of the heading.
    pub fn is_named_by(&self, heading: &str, title: &str) -> bool {
        let words = text::words(heading)
            .map(|word| text::fold(word.text))
            .filter(|folded| is_content_word(folded, self.language))
            .count();
        let in_heading = self.met(heading);
        // A name alone, of a person or of a day, names no section.
        let is_named =
            in_heading.len() >= words.max(1) && in_heading.iter().any(|term| !term.is_name);
        if !is_named {
            return false;
        }
        let in_title = self.met(title);
        self.terms
            .iter()
            .all(|term| in_heading.contains(&term) || term.is_name && in_title.contains(&term))
    }

    /// `true` if a sentence has an answer of the type that it asks for, or if it asks for a type
    /// that a sentence cannot be told to have.
    pub fn is_answered_by_type(&self, sentence: &str) -> bool {
        !self.answer_type.is_factual() || self.has_type(sentence)
    }

    /// `true` unless it asks for a comparison that a sentence does not make.
    pub fn is_compared_in(&self, sentence: &str) -> bool {
        self.answer_type != AnswerType::Comparison
            || self.has_type(sentence)
            || self.is_enumerated_in(sentence)
    }
}

/// Nouns that end like adverbs.
const NOUNS_IN_LY: &[&str] = &[
    "ally",
    "anomaly",
    "assembly",
    "butterfly",
    "family",
    "fly",
    "jelly",
    "monopoly",
    "rally",
    "reply",
    "supply",
    "tally",
];

/// `true` for an adverb of English, without which a fact is the same: "officially" in "What is it
/// officially known as?"
fn is_adverb(word: &str) -> bool {
    word.ends_with("ly") && !NOUNS_IN_LY.contains(&word)
}
