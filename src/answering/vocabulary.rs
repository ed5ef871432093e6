//! The vocabulary: the content words of texts as numbers, each with its stem.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::HashMap;

use crate::text::{self, Keywords, Language, LazyKeywords, Word};

/// A content word by its number in a [`Vocabulary`].
pub type Token = u32;

/// A content word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The word, folded; two ideographs in Chinese and Japanese.
    pub(super) word: Box<str>,
    /// Its stem.
    pub(super) stem: Box<str>,
}

/// The content words that were met.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// By language and word as written: `None` for a stop word.
    numbers: BTreeMap<Language, HashMap<Box<str>, Option<Token>>>,
    entries: Vec<Entry>,
}

impl Vocabulary {
    /// Returns the content words of a text in order.
    pub fn tokens(&mut self, text: &str, language: Language) -> Vec<Token> {
        self.tokens_of(text::signs::words(text), language)
    }

    /// [`Vocabulary::tokens`] of the words and signs of a text.
    pub fn tokens_of<'a>(
        &mut self,
        words: impl Iterator<Item = Word<'a>>,
        language: Language,
    ) -> Vec<Token> {
        let mut tokens: Vec<(usize, Token)> = Vec::new();
        let mut ideographs = Ideographs::default();
        let mut words = words.peekable();
        let mut before: Option<Word<'a>> = None;
        while let Some(word) = words.next() {
            let at = word.range.start;
            let of_date = part_of_date(before.as_ref(), &word, words.peek());
            before = Some(word.clone());
            if is_ideograph(word.text) && of_date.is_none() {
                for (at, unit) in ideographs.push(&word) {
                    tokens.push((at, self.verbatim(&unit, language)));
                }
                continue;
            }
            if let Some((at, single)) = ideographs.end() {
                tokens.push((at, self.verbatim(&single, language)));
            }
            if let Some(part) = of_date {
                tokens.push((at, self.verbatim_stemmed(part, language)));
                continue;
            }
            if !word.text.contains(char::is_alphanumeric) {
                // The words of a sign's name, just pushed, are replaced by the sign.
                while tokens.last().is_some_and(|(last, _)| *last >= at) {
                    tokens.pop();
                }
                tokens.push((at, self.verbatim(word.text, language)));
                continue;
            }
            let token = self.token(word.text, language);
            tokens.extend(token.map(|token| (at, token)));
            ideographs.begin_with_number(&word);
        }
        let single = ideographs.end();
        tokens.extend(single.map(|(at, single)| (at, self.verbatim(&single, language))));
        tokens.into_iter().map(|(_, token)| token).collect()
    }

    pub(super) fn entry(&self, token: Token) -> Option<&Entry> {
        self.entries.get(token as usize)
    }

    /// The words that were met.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    fn token(&mut self, word: &str, language: Language) -> Option<Token> {
        if let Some(hit) = self.hit(word, language) {
            return hit;
        }
        let folded = text::fold(word);
        let token = is_content_word(&folded, language).then(|| {
            let stem = language.stem(word, &folded);
            self.push(folded, stem)
        });
        self.insert(word, language, token);
        token
    }

    fn verbatim(&mut self, text: &str, language: Language) -> Token {
        if let Some(Some(hit)) = self.hit(text, language) {
            return hit;
        }
        let token = self.push(text.to_owned(), text.to_owned());
        self.insert(text, language, Some(token));
        token
    }

    /// The token of a word of a date, whatever it means elsewhere.
    fn verbatim_stemmed(&mut self, word: &str, language: Language) -> Token {
        // Under a name of its own: "may" is mostly a verb.
        let name = format!("{word}#date");
        if let Some(Some(hit)) = self.hit(&name, language) {
            return hit;
        }
        let stem = language.stem(word, word);
        let token = self.push(word.to_owned(), stem);
        self.insert(&name, language, Some(token));
        token
    }

    fn hit(&self, word: &str, language: Language) -> Option<Option<Token>> {
        self.numbers.get(&language)?.get(word).copied()
    }

    fn insert(&mut self, word: &str, language: Language, token: Option<Token>) {
        let numbers = self.numbers.entry(language).or_default();
        numbers.insert(word.into(), token);
    }

    fn push(&mut self, word: String, stem: String) -> Token {
        let token = Token::try_from(self.entries.len()).unwrap_or(Token::MAX);
        self.entries.push(Entry {
            word: word.into(),
            stem: stem.into(),
        });
        token
    }
}

/// The word of a date as people ask for it, given the words around it: "may" for the month in
/// "2025-05-04", "4" for the day, and "may" in "4 May" or "May 2025", which is a verb elsewhere.
pub(super) fn part_of_date(
    before: Option<&Word<'_>>,
    word: &Word<'_>,
    after: Option<&Word<'_>>,
) -> Option<&'static str> {
    const DAYS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let is_number = |word: &Word<'_>| word.text.bytes().all(|byte| byte.is_ascii_digit());
    if word.text == "May" {
        let is_dated = before.is_some_and(is_number) || after.is_some_and(is_number);
        return is_dated.then_some("may");
    }
    let before = before.filter(|before| {
        let is_beside = before.range.end + 1 == word.range.start;
        is_beside && word.text.len() == 2 && is_number(word) && is_number(before)
    })?;
    let number = word.text.parse::<usize>().ok()?.checked_sub(1)?;
    match before.text.len() {
        4 => text::MONTHS.get(number).copied(),
        // The day of a date without its zero.
        2 => DAYS.get(number).copied(),
        _ => None,
    }
}

/// `true` if a folded word is neither a stop word nor a single letter.
pub(super) fn is_content_word(folded: &str, language: Language) -> bool {
    let is_letter = folded.len() == 1 && folded.bytes().all(|byte| byte.is_ascii_alphabetic());
    !is_letter && !text::is_stop_word(folded) && !language.is_stop_word(folded)
}

/// A run of ideographs that touch, as it is read. Chinese has no spaces: pairs of characters stand
/// for words (bigrams), and a character alone between others for itself.
#[derive(Default)]
struct Ideographs {
    /// The last character.
    last: Option<Ideograph>,
}

/// A character of a run.
struct Ideograph {
    range: Range<usize>,
    character: String,
    /// `true` if it is part of a pair, or a digit, which is a word by itself.
    is_met: bool,
}

impl Ideographs {
    /// The pair of a character and the one before it, or the one before it alone.
    fn push(&mut self, word: &Word<'_>) -> impl Iterator<Item = (usize, String)> {
        // Two of something are written in another way than the number 2.
        let character = if word.text == "两" { "二" } else { word.text };
        let touches = |last: &Ideograph| last.range.end + LINE_END >= word.range.start;
        let are_words = |last: &Ideograph| {
            !is_function_character(&last.character) && !is_function_character(character)
        };
        let pair = self
            .last
            .as_ref()
            .filter(|last| touches(last) && are_words(last))
            .map(|last| (word.range.start, format!("{}{character}", last.character)));
        let single = if pair.is_none() { self.end() } else { None };
        self.last = Some(Ideograph {
            range: word.range.clone(),
            character: character.to_owned(),
            is_met: pair.is_some(),
        });
        pair.into_iter().chain(single)
    }

    /// Ends the run: the last character, if it is in no pair and is a word.
    fn end(&mut self) -> Option<(usize, String)> {
        let last = self.last.take().filter(|last| !last.is_met)?;
        let is_word =
            !is_function_character(&last.character) && !text::is_stop_ideograph(&last.character);
        is_word.then_some((last.range.start, last.character))
    }

    /// Begins a run with a digit as the numeral that it stands for: "5 个" is "五个".
    fn begin_with_number(&mut self, word: &Word<'_>) {
        let number = word.text.parse::<usize>().ok();
        let numeral = number.and_then(|number| NUMERALS.chars().nth(number.checked_sub(1)?));
        self.last = numeral.map(|numeral| Ideograph {
            range: word.range.clone(),
            character: numeral.to_string(),
            is_met: true,
        });
    }
}

/// The bytes between two characters that touch, at most: the end of a line, or a space beside a
/// number.
const LINE_END: usize = 1;

/// The Chinese numerals from 1 to 10.
const NUMERALS: &str = "一二三四五六七八九十";

/// `true` for a Chinese character that is nearly always a particle, a preposition, a conjunction or
/// a pronoun by itself: a pair with it straddles two words.
fn is_function_character(character: &str) -> bool {
    const FUNCTION_CHARACTERS: &str = "的了是在和与及或被把吗呢吧这那";
    FUNCTION_CHARACTERS.contains(character)
}

/// `true` if a word is a single ideograph or kana.
pub(super) fn is_ideograph(word: &str) -> bool {
    let mut characters = word.chars();
    let first = characters.next();
    // Hiragana and katakana, and the ideographs of the basic plane.
    let is_cjk = |c: char| {
        let code = u32::from(c);
        (0x3040..=0x30ff).contains(&code)
            || (0x3400..=0x4dbf).contains(&code)
            || (0x4e00..=0x9fff).contains(&code)
    };
    first.is_some_and(is_cjk) && characters.next().is_none()
}

/// `true` if one of some phrases is among folded words.
pub(super) fn words_have(words: &[String], phrases: &[&str]) -> bool {
    phrases
        .iter()
        .any(|phrase| text::phrase(words, phrase).is_some())
}

/// Number words.
const NUMBER_WORDS: &[&str] = &[
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fifteen",
    "sixteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "billion",
    "half",
    "third",
    "quarter",
    "twice",
    "dozen",
    "dozens",
    "one",
    "none",
    "several",
];

/// `true` for a number word, "ten".
pub(super) fn is_number_word(folded: &str) -> bool {
    NUMBER_WORDS.contains(&folded)
}

static NUMBER_KEYWORDS: LazyKeywords =
    LazyLock::new(|| Keywords::new(NUMBER_WORDS.iter().copied()));

/// `false` for a sentence that has neither a digit nor a word for a number: most have none, and
/// need not be split into words.
pub(super) fn may_have_number(sentence: &str) -> bool {
    sentence.contains(char::is_numeric) || NUMBER_KEYWORDS.are_in(sentence)
}
