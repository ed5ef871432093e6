//! Languages: detection, stemming by Snowball's algorithms, and stop words, for the languages that
//! have a stemmer.

use std::sync::{Mutex, OnceLock, PoisonError};

use foldhash::HashSet;
use frostem::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};
use whatlang::Lang;

use super::words::{self, fold};

/// The number of first bytes of a text that the language detector is given.
const SAMPLE_BYTES: usize = 2000;

/// The number of questions whose languages are cached, and the maximum length of one in bytes.
const CACHED_QUESTIONS: usize = 16;
const CACHED_BYTES: usize = 1000;

/// Words of a question from which its language is told.
const COUNTED_WORDS: usize = 100;

/// First words of an English question that begin none of another language.
const BEGINNINGS: &[&str] = &[
    "can", "could", "did", "do", "does", "how", "should", "what", "when", "where", "which", "who",
    "why", "would",
];

/// The number of words of a topic that has no other than the thing itself. Chosen by hand.
const TOPIC_WORDS: usize = 2;

/// The languages that have a stemmer, with their codes of ISO 639-1. The first is the default. New
/// ones go to the end: indexes store the position.
const LANGUAGES: &[(Lang, Algorithm, &str)] = &[
    (Lang::Eng, Algorithm::English, "en"),
    (Lang::Deu, Algorithm::German, "de"),
    (Lang::Fra, Algorithm::French, "fr"),
    (Lang::Spa, Algorithm::Spanish, "es"),
    (Lang::Por, Algorithm::Portuguese, "pt"),
    (Lang::Ita, Algorithm::Italian, "it"),
    (Lang::Nld, Algorithm::Dutch, "nl"),
    (Lang::Swe, Algorithm::Swedish, "sv"),
    (Lang::Dan, Algorithm::Danish, "da"),
    (Lang::Nob, Algorithm::Norwegian, "no"),
    (Lang::Fin, Algorithm::Finnish, "fi"),
    (Lang::Hun, Algorithm::Hungarian, "hu"),
    (Lang::Ron, Algorithm::Romanian, "ro"),
    (Lang::Rus, Algorithm::Russian, "ru"),
    (Lang::Tur, Algorithm::Turkish, "tr"),
    (Lang::Ara, Algorithm::Arabic, "ar"),
    (Lang::Pol, Algorithm::Polish, "pl"),
    (Lang::Ces, Algorithm::Czech, "cs"),
    (Lang::Ell, Algorithm::Greek, "el"),
    (Lang::Ind, Algorithm::Indonesian, "id"),
    (Lang::Hin, Algorithm::Hindi, "hi"),
];

/// A language with a stemmer; one without counts as English, whose rules leave other scripts alone.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Language(u8);

impl Language {
    /// The language of a text, if the detector is sure of it and it has a stemmer.
    pub fn detect(text: &str) -> Self {
        let sample = &text[..text.floor_char_boundary(SAMPLE_BYTES)];
        whatlang::detect(sample)
            .filter(whatlang::Info::is_reliable)
            .and_then(|detected| Self::of(detected.lang()))
            .unwrap_or_default()
    }

    /// The language of a question: the one with most of its stop words, English among equals. A
    /// question is too short for [`Language::detect`]. That of the last questions is cached: it
    /// takes a look at every list of stop words, and every agent parses the question of its topic.
    pub fn of_question(question: &str) -> Self {
        static RECENT: Mutex<Vec<(Box<str>, Language)>> = Mutex::new(Vec::new());
        let recent = || RECENT.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = recent()
            .iter()
            .find(|(own, _)| **own == *question)
            .map(|(_, language)| *language);
        if let Some(language) = cached {
            return language;
        }
        let language = Self::of_new_question(question);
        let mut recent = recent();
        if question.len() <= CACHED_BYTES {
            if recent.len() == CACHED_QUESTIONS {
                recent.remove(0);
            }
            recent.push((question.into(), language));
        }
        language
    }

    fn of_new_question(question: &str) -> Self {
        // Chosen by hand: the first words tell as much as all of them, and each is compared with
        // every stop word of every language.
        let folded: Vec<String> = words::words(question)
            .take(COUNTED_WORDS)
            .map(|word| fold(word.text))
            .collect();
        let counts: Vec<(usize, Self)> = Self::all()
            .map(|language| (language.count_stop_words(&folded), language))
            .collect();
        let most = counts.iter().map(|(count, _)| *count).max();
        // "Cat" and "dog" are stop words in Romanian and Danish, but no topic is one alone.
        if question.is_ascii() && folded.len() <= TOPIC_WORDS && most == Some(folded.len()) {
            return Self::default();
        }
        let mut equals = counts
            .into_iter()
            .filter(|(count, _)| Some(*count) == most)
            .map(|(_, language)| language);
        let first = equals.next().unwrap_or_default();
        let others: Vec<Self> = equals.collect();
        // The detector is slow, so that it only decides between equals.
        let is_english = first == Self::default()
            && folded
                .first()
                .is_some_and(|first| BEGINNINGS.contains(&first.as_str()));
        if others.is_empty() || is_english {
            return first;
        }
        let detected = whatlang::detect_lang(question).and_then(Self::of);
        detected
            .filter(|language| others.contains(language))
            .unwrap_or(first)
    }

    /// The language of a code of ISO 639-1.
    pub fn of_code(code: &str) -> Self {
        Self::all()
            .find(|language| LANGUAGES[usize::from(language.0)].2 == code)
            .unwrap_or_default()
    }

    /// Its code of ISO 639-1.
    pub fn code(self) -> &'static str {
        let own = LANGUAGES.get(usize::from(self.0));
        own.map_or("en", |(.., code)| code)
    }

    /// Its name in English.
    pub fn name(self) -> &'static str {
        let own = LANGUAGES.get(usize::from(self.0));
        own.map_or(Lang::Eng, |(lang, ..)| *lang).eng_name()
    }

    fn of(lang: Lang) -> Option<Self> {
        let number = LANGUAGES.iter().position(|(own, ..)| *own == lang)?;
        u8::try_from(number).ok().map(Self)
    }

    fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..LANGUAGES.len() as u8).map(Self)
    }

    /// `true` if a folded word is a stop word of this language.
    pub fn is_stop_word(self, folded: &str) -> bool {
        static LISTS: [OnceLock<HashSet<String>>; LANGUAGES.len()] =
            [const { OnceLock::new() }; LANGUAGES.len()];
        if self == Self::default() {
            return words::is_stop_word(folded);
        }
        let number = usize::from(self.0);
        let (Some(list), Some((.., code))) = (LISTS.get(number), LANGUAGES.get(number)) else {
            return false;
        };
        list.get_or_init(|| {
            let words = stop_words::lookup(code).unwrap_or_default().iter();
            let words = words.filter(|word| !is_content_word(word));
            words.map(|word| fold(word)).collect()
        })
        .contains(folded)
    }

    /// The number of the folded words of a question that are stop words of this language. No set
    /// of them is made for it: a question has a few words, and the languages thousands.
    fn count_stop_words(self, folded: &[String]) -> usize {
        let is_stop_word = |word: &&String| {
            if self == Self::default() {
                return words::is_stop_word(word);
            }
            let list = stop_words::lookup(self.code()).unwrap_or_default();
            let is_same = |own: &&str| folds_to(own, word) && !is_content_word(own);
            list.iter().any(is_same)
        };
        folded.iter().filter(is_stop_word).count()
    }

    /// The term that a word counts as in an index; `None` for an English stop word or a single
    /// letter.
    pub fn term(self, word: &str) -> Option<String> {
        self.term_of(word, &fold(word))
    }

    /// [`Language::term`] of a word that is folded already.
    pub fn term_of(self, word: &str, folded: &str) -> Option<String> {
        let is_letter =
            folded.len() == 1 && folded.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if words::is_stop_word(folded) || is_letter {
            return None;
        }
        Some(self.stem(word, folded))
    }

    /// The stem of a word.
    pub fn stem(self, word: &str, folded: &str) -> String {
        match LANGUAGES.get(usize::from(self.0)) {
            // Stemmers of other languages need the accents, which folding removes.
            Some((_, algorithm, _)) if self != Self::default() => {
                fold(&Stemmer::new(*algorithm).stem(&word.to_lowercase()))
            }
            _ => Stemmer::new(Algorithm::English).stem(folded).into_owned(),
        }
    }

    /// The terms of all words whose stem by [`super::stem`] is this one. That takes plural,
    /// participle and final -e, so the word itself is one of them, with -e or without.
    pub fn terms_of(self, stem: &str) -> impl Iterator<Item = String> {
        // The light stemmer drops a final -e, which Snowball needs to see.
        let with_e = stem
            .ends_with(|c: char| c.is_ascii_lowercase())
            .then(|| format!("{stem}e"));
        let words = [Some(stem.to_owned()), with_e].into_iter().flatten();
        words.map(move |word| self.stem(&word, &word))
    }
}

/// Words of the lists of stop words that say something: the Arabic list has numerals, ordinals,
/// months, currencies, and verbs that take two objects.
const CONTENT_WORDS: &str = "\
    واحد اثنان اثنين ثلاثة ثلاث أربعة أربع خمسة خمس ستة ست سبعة سبع ثمانية ثماني تسعة تسع \
    عشرة عشر عشرون عشرين ثلاثون ثلاثين أربعون أربعين خمسون خمسين ستون ستين سبعون سبعين \
    ثمانون ثمانين تسعون تسعين مئة مائة ألف أول ثان ثاني ثالث رابع خامس سادس سابع ثامن تاسع \
    عاشر يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر دولار \
    دينار ريال درهم ليرة جنيه يورو ين سبت اثنين ثلاثاء أربعاء خميس جمعة ترك علم غادر ذهب وجد \
    ورد وهب أسكن أطعم أعطى رزق زود سقى كسا أخبر أرى أعلم أنبأ رأى صبر صباح مساء يمين شمال \
    عين";

fn is_content_word(word: &str) -> bool {
    CONTENT_WORDS.split(' ').any(|own| own == word)
}

/// `true` for an ideograph that is a stop word by itself: a particle, a preposition, a pronoun.
pub fn is_stop_ideograph(character: &str) -> bool {
    stop_words::lookup("zh").is_some_and(|words| words.contains(&character))
}

/// `true` if a word folds to another one, which is folded already.
fn folds_to(word: &str, folded: &str) -> bool {
    if word.is_ascii() {
        return word.eq_ignore_ascii_case(folded);
    }
    // Beyond Latin no letter folds to one of ASCII.
    let is_latin = |text: &str| text.starts_with(|c: char| c < LATIN_END);
    let first = |text: &str| text.chars().next().filter(char::is_ascii);
    let begins = first(word).is_none_or(|own| folded.starts_with(own.to_ascii_lowercase()));
    begins && is_latin(word) == is_latin(folded) && fold(word) == folded
}

/// The first letter after those of Latin with their accents.
const LATIN_END: char = '\u{250}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_questions_with_an_english_beginning_are_english() {
        for (question, code) in [
            ("Do heat pumps contain asbestos?", "en"),
            ("Do heat pumps contain PFAS?", "en"),
            ("cat", "en"),
            ("Cat care", "en"),
            ("Was kostet eine Pumpe?", "de"),
            ("Wo sind die Protokolle?", "de"),
            ("¿Cuándo abre el museo?", "es"),
        ] {
            assert_eq!(Language::of_question(question).code(), code, "{question}");
        }
    }

    #[test]
    fn stop_words_of_a_question_are_those_of_the_sets() {
        for language in Language::all() {
            let list = stop_words::lookup(language.code()).unwrap_or_default();
            let some = list.iter().step_by(9);
            let folded: Vec<String> = some.map(|word| fold(word)).collect();
            for other in Language::all() {
                let is_stop_word = |word: &&String| other.is_stop_word(word);
                let expected = folded.iter().filter(is_stop_word).count();
                assert_eq!(other.count_stop_words(&folded), expected, "{language:?}");
            }
        }
    }
}
