//! A sentence, parsed for comparison with another: content words, names, quantities, negations,
//! qualifiers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::digits::Digits;
use super::label::label_end;
use super::lexicon::{self, Qualifier};
use super::time;
use crate::text;

/// The maximum length of a sentence that is compared, in words: more is a table or a list, and the
/// comparison is quadratic.
const MAX_WORDS: usize = 120;

/// The maximum number of content words that a negation applies to, up to the next punctuation mark.
const NEGATION_SCOPE: usize = 4;

/// The factor up to which a number is the one that a lower bound was stated for. Chosen by hand: a
/// larger one is more often that of something else.
const NEAR_BOUND: f64 = 2.0;

/// The weights of a content word: of one that says little, and of all others by their length; a
/// longer word is rarer (Zipf's law of abbreviation).
const LIGHT_WEIGHT: f64 = 0.3;
const SHORT_WEIGHT: f64 = 0.6;
const MEDIUM_WEIGHT: f64 = 0.8;

/// A content word of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ContentWord {
    /// The word as it is compared: folded, or the first letters of a month.
    pub(super) folded: String,
    /// Its stem; a name with digits has none but itself.
    pub(super) stem: String,
    /// Its entry in the lexicon.
    pub(super) entry: lexicon::Entry,
    /// A name: a capitalised word inside a sentence, an acronym, an identifier, code.
    pub(super) is_name: bool,
    /// Its weight in the coverage of a statement, 0 to 1.
    pub(super) weight: f64,
    /// `true` if a negation applies to it.
    pub(super) is_negated: bool,
    /// `true` if it is the first word that a negation applies to.
    pub(super) heads_negation: bool,
    /// `true` if a hyphen joins it to the word before.
    pub(super) follows_hyphen: bool,
    /// Its index among the words and signs of [`Statement::normal`].
    pub(super) place: usize,
    /// `true` if a punctuation mark is between it and the content word before.
    pub(super) follows_mark: bool,
    /// `true` right after a form of "be".
    pub(super) follows_be: bool,
    /// `true` right after a form of "be", or after another content word, as a verb is.
    pub(super) is_predicate: bool,
    /// The initials of the names in a row that it is one of: "us" for "United States".
    pub(super) initials: String,
    /// Its byte range in the sentence.
    pub(super) range: Range<usize>,
}

impl ContentWord {
    /// `true` if a statement means the same without it.
    pub(super) fn is_light(&self) -> bool {
        !self.is_name && lexicon::is_light(&self.folded)
    }
}

/// The bound that a number is given with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value itself.
    None,
    /// "more than", "at least".
    Lower,
    /// "less than", "up to".
    Upper,
}

/// A number of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    /// The value in the base unit.
    pub(super) value: f64,
    /// The value in the unit that it is written with.
    pub(super) count: f64,
    /// The base unit, `year` for a calendar year, "" for none.
    pub(super) unit: String,
    /// The number as it is written, with its unit.
    pub(super) written: String,
    /// The value as it is written, without its unit.
    pub(super) digits: String,
    /// The unit as it is shown, "" for none.
    pub(super) written_unit: String,
    /// The number of content words before it.
    pub(super) at: usize,
    /// The bound.
    pub(super) bound: Bound,
    /// The period of a rate: "hour" for "40,000 orders an hour".
    pub(super) period: Option<&'static str>,
    /// `true` if it is denied in favour of another number: "12" in "not 12 but 14".
    pub(super) is_denied: bool,
    /// `true` for "about".
    pub(super) is_approximate: bool,
    /// The byte range of number and unit in the sentence.
    pub(super) range: Range<usize>,
}

/// A sentence, parsed for comparison.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statement {
    /// Its words, folded, and its signs, separated by spaces: equal for sentences that differ in
    /// layout and punctuation only.
    pub(super) normal: String,
    pub(super) words: Vec<ContentWord>,
    pub(super) figures: Vec<Figure>,
    /// Its qualifiers with the number of their words.
    pub(super) qualifiers: BTreeMap<Qualifier, usize>,
    /// The words that make it absolute, or say as much: "only", "all", "must".
    pub(super) absolutes: Vec<Absolute>,
    /// The sides of the opposites that its stop words name: "before" or "after", "more".
    pub(super) sides: BTreeMap<(usize, bool), usize>,
    /// The number of content words that are the label of its line: 1 in "Absent: Dana Cole".
    pub(super) label: usize,
    /// The number of negations.
    pub(super) negations: usize,
    /// The number of words that add an alternative: "or".
    pub(super) disjunctions: usize,
    /// The number of content words before the "than" of a comparison.
    pub(super) than: Option<usize>,
    /// `true` if it depends on what is before it, or on who says it.
    pub(super) is_deictic: bool,
    /// `true` if it begins with "the" and does not say which.
    pub(super) is_unresolved: bool,
    /// `true` if its time is that of its document: "now", "last".
    pub(super) has_relative_time: bool,
    /// `true` for a question.
    pub(super) is_question: bool,
}

/// A word that makes a statement absolute, or says as much.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Absolute {
    pub(super) class: Qualifier,
    /// The word, folded.
    pub(super) word: String,
    /// `true` if it makes the statement absolute by itself.
    pub(super) makes: bool,
    /// The number of content words before it.
    pub(super) at: usize,
}

/// A word of the sentence with what surrounds it.
struct Token<'a> {
    text: &'a str,
    folded: String,
    /// The signs between it and the word before.
    signs: String,
    start: usize,
    /// `true` if only spaces, hyphens or apostrophes are between it and the word before.
    is_joined: bool,
    in_code: bool,
}

impl Statement {
    /// Parses a sentence.
    pub fn parse(sentence: &str) -> Self {
        let digits = Digits::of(sentence);
        let sentence = digits.text.as_str();
        let tokens = tokens(sentence);
        let mut statement = Self {
            normal: joined(&tokens, sentence),
            is_question: sentence.trim_end().ends_with('?'),
            ..Self::default()
        };
        let quantities = time::durations(sentence, text::quantities(sentence));
        let denied = denied(sentence, &quantities);
        let mut figures = quantities.iter().peekable();
        let is_title = is_title(&tokens);
        let label_end = label_end(sentence);
        let (mut scope, mut place, mut follows_mark) = (0, 0, false);
        for (index, token) in tokens.iter().enumerate() {
            place += usize::from(index > 0) + usize::from(!token.signs.is_empty());
            follows_mark |= !token.is_joined;
            // A quantity whose range begins before this word comes before it.
            while let Some(quantity) = figures.next_if(|next| next.range.start <= token.start) {
                let figure = Figure::of(&digits, quantity, statement.words.len());
                statement.figures.push(figure);
            }
            let is_figure = quantities
                .iter()
                .any(|quantity| quantity.range.contains(&token.start));
            if is_figure {
                continue;
            }
            if !token.is_joined {
                scope = 0;
            }
            statement.note(&tokens, index);
            // "Not 12 but 14" negates nothing but the number.
            if denied.iter().any(|(not, _)| *not == token.start) {
                continue;
            }
            if lexicon::is_negation(&token.folded) && !token.in_code {
                statement.negations += 1;
                scope = NEGATION_SCOPE;
                continue;
            }
            let is_name = token.in_code || is_name(&tokens, index, is_title);
            if let Some(mut word) = content_word(token, is_name) {
                word.is_negated = scope > 0;
                word.heads_negation = scope == NEGATION_SCOPE;
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                word.place = place;
                word.follows_mark = std::mem::take(&mut follows_mark);
                statement.label += usize::from(token.start < label_end);
                word.follows_be = before.is_some_and(|own| BE.contains(&own.folded.as_str()));
                word.follows_hyphen = sentence[..token.start].ends_with('-');
                word.is_predicate = is_predicate(&tokens, index);
                word.range = digits.original(token.start..token.start + token.text.len());
                scope = scope.saturating_sub(1);
                statement.words.push(word);
            }
        }
        for quantity in figures {
            let figure = Figure::of(&digits, quantity, statement.words.len());
            statement.figures.push(figure);
        }
        for figure in &mut statement.figures {
            let is_denied =
                |(_, own): &(usize, usize)| digits.original(*own..*own).start == figure.range.start;
            figure.is_denied = denied.iter().any(is_denied);
        }
        statement.note_initials(digits.original);
        statement
    }

    /// Records what a word says about the whole statement.
    fn note(&mut self, tokens: &[Token<'_>], index: usize) {
        let token = &tokens[index];
        if token.in_code {
            return;
        }
        self.disjunctions += usize::from(lexicon::is_disjunction(&token.folded));
        if token.folded == "than" {
            self.than = Some(self.words.len());
        }
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let after = tokens.get(index + 1);
        let follows_article = before.is_some_and(|before| before.folded == "the");
        let follows_be = before.is_some_and(|before| BE.contains(&before.folded.as_str()));
        self.is_deictic |= lexicon::is_deictic(&token.folded, index, follows_article)
            || follows_be && lexicon::is_reported(&token.folded);
        self.is_unresolved |= index == 0 && token.folded == "the" && !is_resolved(tokens);
        self.has_relative_time |= lexicon::is_relative_time(&token.folded);
        let obliges = matches!(
            token.folded.as_str(),
            "have" | "has" | "had" | "need" | "needs"
        ) && after.is_some_and(|after| after.folded == "to");
        let is_a_few = matches!(token.folded.as_str(), "few" | "little")
            && before.is_some_and(|before| before.folded == "a");
        let is_month = token.text == "May" && index > 0;
        let qualifier = match lexicon::qualifier(&token.folded) {
            _ if obliges => Some(Qualifier::Obligation),
            _ if is_a_few => Some(Qualifier::Some),
            qualifier => qualifier.filter(|_| !is_month),
        };
        if let Some(qualifier) = qualifier {
            *self.qualifiers.entry(qualifier).or_default() += 1;
        }
        self.note_absolute(token, [before, after], obliges);
        if text::is_stop_word(&token.folded) {
            for side in lexicon::sides(&text::stem(&token.folded)) {
                *self.sides.entry(*side).or_default() += 1;
            }
        }
    }

    /// Records a word that makes the statement absolute, or says as much.
    fn note_absolute(&mut self, token: &Token<'_>, near: [Option<&Token<'_>>; 2], obliges: bool) {
        let [before, after] = near;
        let absolute = lexicon::absolute(&token.folded);
        let Some((class, makes)) = absolute.or(obliges.then_some((Qualifier::Obligation, true)))
        else {
            return;
        };
        // "Does not have to" obliges to nothing.
        if obliges && before.is_some_and(|before| lexicon::is_negation(&before.folded)) {
            return;
        }
        // "Not only", "at all", "every day" bound nothing; capitals inside are of a name.
        let is_idiom = before.is_some_and(|before| {
            matches!(before.folded.as_str(), "not" | "at" | "after" | "above")
                || is_capitalised(token.text)
        });
        let is_idiom = is_idiom || after.is_some_and(|after| lexicon::is_time_unit(&after.folded));
        self.absolutes.push(Absolute {
            class,
            word: token.folded.clone(),
            makes: (makes || obliges) && !is_idiom,
            at: self.words.len(),
        });
    }

    /// Records the initials of names in a row: "European Union", "Bank of England".
    fn note_initials(&mut self, sentence: &str) {
        let follows = |one: &ContentWord, other: &ContentWord| {
            let gap = sentence.get(one.range.end..other.range.start);
            let is_gap = gap.is_some_and(|gap| matches!(gap, " " | " of " | " of the " | " and "));
            one.is_name && other.is_name && is_gap
        };
        for run in self.words.chunk_by_mut(follows) {
            if run.len() > 1 {
                let initials = run.iter().filter_map(|word| word.folded.chars().next());
                let initials: String = initials.collect();
                run.iter_mut()
                    .for_each(|word| word.initials.clone_from(&initials));
            }
        }
    }

    /// `true` if it says nothing by itself: it refers to what is before it, or asks.
    pub(super) fn leans_on_context(&self) -> bool {
        self.is_deictic || self.is_unresolved || self.is_question
    }

    /// The years and other times that it names.
    pub(super) fn times(&self) -> BTreeSet<String> {
        let years = self
            .figures
            .iter()
            .filter(|figure| matches!(figure.unit.as_str(), "year" | "day"));
        let months = self.words.iter().filter(|word| {
            word.is_name && lexicon::months().any(|month| month.starts_with(&word.stem))
        });
        years
            .map(|figure| figure.digits.clone())
            .chain(months.map(|word| word.stem.clone()))
            .collect()
    }
}

impl Figure {
    fn of(sentence: &Digits<'_>, quantity: &text::Quantity, at: usize) -> Self {
        let range = sentence.original(quantity.range.clone());
        let sentence = sentence.text.as_str();
        let (unit, factor) = base_unit(&quantity.unit);
        let written = &sentence[quantity.range.clone()];
        let before = &sentence[..quantity.range.start];
        let digits = written.trim_matches(|c: char| !c.is_ascii_digit() && c != '-' && c != '−');
        let after = &sentence[quantity.range.end..];
        let unit = time_unit(digits, unit, before, after).unwrap_or(unit);
        Self {
            value: quantity.value * factor,
            count: quantity.value,
            unit: unit.to_owned(),
            written: written.to_owned(),
            digits: digits.to_owned(),
            written_unit: quantity.unit.clone(),
            at,
            bound: bound(before, after),
            period: time::period(after),
            is_denied: false,
            is_approximate: is_approximate(before),
            range,
        }
    }

    /// `true` if another number has the same value and unit.
    pub(super) fn equals(&self, other: &Self) -> bool {
        // Conversions of units round in the last bits.
        let tolerance = 1e-9 * self.value.abs().max(other.value.abs());
        self.unit == other.unit
            && self.is_denied == other.is_denied
            && (self.value - other.value).abs() <= tolerance
    }

    /// The value with its unit, as a reason shows it.
    pub(super) fn shown(&self) -> String {
        let unit = Some(self.written_unit.as_str()).filter(|unit| *unit != "year");
        let shown = format!("{} {}", self.digits, unit.unwrap_or_default());
        shown.trim_end().to_owned()
    }

    /// The words that it is written with, folded: its unit, "million".
    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        let words = text::words(&self.written).map(|word| text::fold(word.text));
        words.filter(|word| word.starts_with(char::is_alphabetic))
    }

    /// `true` if another number has the same value, as a whole or as written, whatever its unit.
    pub(super) fn has_value_of(&self, other: &Self) -> bool {
        self.value.total_cmp(&other.value).is_eq() || self.count.total_cmp(&other.count).is_eq()
    }

    /// `true` if another number says this one: the same in its unit or in none, or a more precise
    /// one.
    pub(super) fn is_said_by(&self, other: &Self) -> bool {
        // A table gives units in its headings, but a share is no count, and a day no length.
        let is_bare = |figure: &Self| matches!(figure.unit.as_str(), "" | "year");
        let is_kind = |figure: &Self| matches!(figure.unit.as_str(), "%" | "€" | "$" | "£" | "day");
        let is_either_bare = is_bare(self) && !is_kind(other) || is_bare(other) && !is_kind(self);
        self.is_denied == other.is_denied
            && (self.equals(other)
                || self.has_value_of(other) && is_either_bare
                || self.unit == other.unit && (self.rounds(other) || self.is_bound_of(other)))
    }

    /// `true` if this number is a lower bound of another one, and near it: "more than 5 hours" for
    /// 5.5 hours.
    fn is_bound_of(&self, other: &Self) -> bool {
        self.bound == Bound::Lower
            && other.bound == Bound::None
            && !matches!(self.unit.as_str(), "year" | "day")
            && self.value < other.value
            && other.value <= NEAR_BOUND * self.value
    }

    /// `true` if a number is in the range that another one bounds: 20 for "more than 15". It does
    /// not stand in the place of that.
    pub(super) fn is_in_range_of(&self, other: &Self) -> bool {
        self.bound == Bound::None
            && match other.bound {
                Bound::None => false,
                Bound::Lower => self.value > other.value,
                Bound::Upper => self.value < other.value,
            }
    }

    /// `true` if this number is another one rounded: 3.1 or about 3 for 3.14.
    fn rounds(&self, fine: &Self) -> bool {
        let digits = |figure: &Self| {
            let digits = figure.digits.chars().filter(char::is_ascii_digit);
            let digits: String = digits.collect();
            digits.trim_matches('0').len()
        };
        // Chosen by hand: "about 60 %" for 62 %, and 3.1 for 3.14.
        let least = if self.is_approximate { 0.1 } else { 0.02 };
        let difference = (self.value - fine.value).abs();
        !matches!(self.unit.as_str(), "year" | "day")
            && digits(self) < digits(fine)
            && difference <= least * fine.value.abs()
    }

    /// `true` if another number is this one rounded, or the reverse: 3.1 and 3.14.
    pub(super) fn is_rounded(&self, other: &Self) -> bool {
        let larger = self.value.abs().max(other.value.abs());
        let difference = (self.value - other.value).abs();
        let rounds = |rough: &Self, fine: &Self| {
            let decimals = rough
                .digits
                .split_once('.')
                .map_or(0, |(_, tail)| tail.len());
            let places = i32::try_from(decimals).unwrap_or(i32::MAX).min(9);
            let factor = 10_f64.powi(places);
            fine.digits.len() > rough.digits.len()
                && ((fine.value * factor).round() / factor - rough.value).abs() < 1e-9
        };
        rounds(self, other)
            || rounds(other, self)
            // A tenth: what "about" covers, chosen by hand.
            || (self.is_approximate || other.is_approximate) && difference < 0.1 * larger
    }
}

/// The unit `year` or `day` of a number that is part of a date: "in 1530", "the 1960s", "June 23".
fn time_unit(digits: &str, unit: &str, before: &str, after: &str) -> Option<&'static str> {
    const BEFORE_YEARS: [&str; 14] = [
        "in", "since", "from", "until", "by", "before", "after", "during", "to", "till", "circa",
        "of", "the", "and",
    ];
    let near = last_words(before);
    let word = near
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let is_year = digits.len() == 4
        && digits
            .parse()
            .is_ok_and(|year: u16| (1000..=2100).contains(&year));
    let is_decade = unit == "s" && !after.starts_with(' ') && near.ends_with("the");
    let is_dated =
        unit.is_empty() && (BEFORE_YEARS.contains(&word) || near.ends_with(['(', ',', '–', '-']));
    if is_year && (is_decade || is_dated) {
        return Some("year");
    }
    let next = after
        .trim_start()
        .split(|c: char| !c.is_alphabetic())
        .next()?;
    let is_day = unit.is_empty()
        && [word, text::fold(next).as_str()]
            .iter()
            .any(|word| *word == "may" || lexicon::month(word).is_some());
    is_day.then_some("day")
}

/// The numbers that are denied in favour of another one: for each, where its "not" and where the
/// number begins. A number that is denied alone negates its sentence.
fn denied(sentence: &str, quantities: &[text::Quantity]) -> Vec<(usize, usize)> {
    let not = |quantity: &text::Quantity| {
        let before = sentence[..quantity.range.start].trim_end();
        let rest = ["on", "in", "at", "for"]
            .iter()
            .find_map(|preposition| before.strip_suffix(&format!(" {preposition}")));
        let before = rest.unwrap_or(before).trim_end();
        let start = before.len().checked_sub("not".len())?;
        let is_not = before.get(start..)?.eq_ignore_ascii_case("not");
        let is_word = before[..start].ends_with([' ', '\n', '(', ',']) || start == 0;
        (is_not && is_word).then_some((start, quantity.range.start))
    };
    let found: Vec<_> = quantities.iter().map(|own| (own, not(own))).collect();
    let is_in_favour = |denied: &text::Quantity| {
        let mut others = found.iter().filter(|(_, not)| not.is_none());
        others.any(|(own, _)| {
            own.unit == denied.unit
                || own.unit.is_empty()
                || denied.unit.is_empty() && own.unit != "year"
        })
    };
    let denied = found.iter().filter(|(own, _)| is_in_favour(own));
    denied.filter_map(|(_, not)| *not).collect()
}

/// The words of a sentence, at most [`MAX_WORDS`].
fn tokens(sentence: &str) -> Vec<Token<'_>> {
    let mut in_code = false;
    let mut end = 0;
    text::words(sentence)
        .take(MAX_WORDS)
        .map(|word| {
            let gap = &sentence[end..word.range.start];
            in_code ^= !gap.matches('`').count().is_multiple_of(2);
            end = word.range.end;
            Token {
                text: word.text,
                folded: text::fold(word.text),
                signs: signs(gap, word.text),
                start: word.range.start,
                is_joined: gap
                    .chars()
                    .all(|c| matches!(c, ' ' | '-' | '\n' | '*' | '_' | '"')),
                in_code,
            }
        })
        .collect()
}

/// The signs between two words that change what the second says, or the first: of a currency, a
/// share, a comparison, a negative number.
fn signs(gap: &str, word: &str) -> String {
    let is_minus = word.starts_with(|c: char| c.is_ascii_digit())
        && (gap.ends_with('−') || gap.ends_with(" -") || gap.ends_with("(-"));
    let mut lines = gap.split('\n');
    // Elsewhere than in the first line, they may be marks of a list, a heading or a quotation.
    let first = lines.next().unwrap_or_default();
    let rest = lines.map(|line| line.trim_start_matches([' ', '>', '#', '+']));
    let signs = std::iter::once(first).chain(rest).flat_map(str::chars);
    let signs = signs.filter(|c| is_sign(*c));
    signs.chain(is_minus.then_some('−')).collect()
}

/// The signs that are no punctuation, besides the block of currencies.
const SIGNS: &str = "$£€¥¢%‰°<>≤≥=≠±+×÷#";

/// `true` for a sign that is no punctuation.
pub(super) fn is_sign(c: char) -> bool {
    SIGNS.contains(c) || matches!(c, '\u{20a0}'..='\u{20cf}')
}

/// The words and signs of a sentence, between blanks.
fn joined(tokens: &[Token<'_>], sentence: &str) -> String {
    let end = tokens.last().map_or(0, |last| last.start + last.text.len());
    let last = signs(&sentence[end..], "");
    let words = tokens
        .iter()
        .map(|token| [token.signs.as_str(), token.folded.as_str()]);
    let parts = words.flatten().chain([last.as_str()]);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// `true` if most words of a sentence are capitalised, as in a title: there, capitals mark no name.
fn is_title(tokens: &[Token<'_>]) -> bool {
    let long = tokens.iter().filter(|token| token.text.len() > 3);
    let capital = long.clone().filter(|token| is_capitalised(token.text));
    // Chosen by hand: a sentence of names stays below.
    capital.count() * 10 > long.count() * 7
}

fn is_capitalised(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// `true` if a word is a name: with a capital or a digit inside, or capitalised inside a sentence.
fn is_name(tokens: &[Token<'_>], index: usize, is_title: bool) -> bool {
    let word = tokens[index].text;
    let inner = |c: char| c.is_uppercase() || c.is_ascii_digit();
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    let has_inner = word.chars().skip(1).any(inner);
    has_digit || !is_title && (has_inner || index > 0 && is_capitalised(word))
}

/// The content word of a token; `None` for a stop word or a single letter.
fn content_word(token: &Token<'_>, is_name: bool) -> Option<ContentWord> {
    // "U.S." is "US".
    let is_dotted = is_name && token.folded.split('.').all(|part| part.len() == 1);
    let folded = if is_dotted {
        &token.folded.replace('.', "")
    } else {
        &token.folded
    };
    let folded = folded.as_str();
    let is_letter = folded.len() == 1 && folded.is_ascii();
    let is_empty = text::is_stop_word(folded) || lexicon::qualifier(folded).is_some();
    if !is_name && (is_letter || is_empty) {
        return None;
    }
    let has_digit = folded.contains(|c: char| c.is_ascii_digit());
    let stem = match (lexicon::month(folded), lexicon::ordinal(folded)) {
        (Some(month), _) => month.to_owned(),
        (_, Some(digits)) => digits,
        _ if has_digit || token.in_code => folded.to_owned(),
        _ if is_name => text::stem(folded),
        _ => text::stem(lexicon::base(folded).unwrap_or(folded)),
    };
    Some(ContentWord {
        weight: weight(folded, is_name),
        folded: folded.to_owned(),
        entry: lexicon::Entry::of(&stem),
        stem,
        is_name,
        is_negated: false,
        heads_negation: false,
        follows_hyphen: false,
        place: 0,
        follows_mark: false,
        follows_be: false,
        is_predicate: false,
        initials: String::new(),
        range: 0..0,
    })
}

/// `true` if a word is where a predicate is: after a form of "be", after "not", or right after a
/// content word.
fn is_predicate(tokens: &[Token<'_>], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|before| {
        BE.contains(&before.folded.as_str())
            || before.folded == "not"
            || !text::is_stop_word(&before.folded)
    })
}

/// The forms of "be" and "become".
pub(super) const BE: [&str; 9] = [
    "is", "are", "was", "were", "be", "been", "being", "became", "becomes",
];

/// The number of words after "the" among which its noun is followed by what it is of.
const SUBJECT_WORDS: usize = 6;

/// `true` if the subject of a statement that begins with "the" says which one it is: by a name, or
/// by "of", "for", "that".
fn is_resolved(tokens: &[Token<'_>]) -> bool {
    const RESOLVING: [&str; 17] = [
        "of", "for", "in", "on", "that", "which", "with", "from", "between", "whose", "at", "by",
        "to", "over", "under", "near", "across",
    ];
    let subject = tokens.iter().skip(1).take(SUBJECT_WORDS);
    subject
        .clone()
        .find(|token| text::is_stop_word(&token.folded))
        .is_some_and(|token| RESOLVING.contains(&token.folded.as_str()))
        || subject
            .take_while(|token| !text::is_stop_word(&token.folded))
            .any(|token| is_capitalised(token.text) || token.in_code)
}

fn weight(folded: &str, is_name: bool) -> f64 {
    match folded.chars().count() {
        _ if is_name => 1.0,
        _ if lexicon::is_light(folded) => LIGHT_WEIGHT,
        0..=4 => SHORT_WEIGHT,
        5..=7 => MEDIUM_WEIGHT,
        _ => 1.0,
    }
}

/// The bound of a number, from the words around it.
fn bound(before: &str, after: &str) -> Bound {
    const LOWER: [&str; 8] = [
        "more than",
        "at least",
        "over",
        "above",
        "exceeding",
        "greater than",
        "higher than",
        "minimum of",
    ];
    const UPPER: [&str; 9] = [
        "less than",
        "at most",
        "up to",
        "below",
        "under",
        "no more than",
        "fewer than",
        "lower than",
        "maximum of",
    ];
    let before = last_words(before);
    let after = text::truncate(after.trim_start(), 10).to_lowercase();
    let says = |words: &[&str]| {
        words.iter().any(|word| {
            let rest = before.strip_suffix(word);
            rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
        })
    };
    if says(&UPPER) || after.starts_with("or less") {
        Bound::Upper
    } else if says(&LOWER) || after.starts_with("or more") || after.starts_with("and more") {
        Bound::Lower
    } else {
        Bound::None
    }
}

fn is_approximate(before: &str) -> bool {
    const WORDS: [&str; 7] = [
        "about",
        "around",
        "approximately",
        "roughly",
        "nearly",
        "almost",
        "some",
    ];
    let before = last_words(before);
    WORDS.iter().any(|word| before.ends_with(word))
}

/// The last characters before a number, in lower case, without an approximation between a bound and
/// the number.
fn last_words(before: &str) -> String {
    // Longer than any bound; looking further back would make the reading quadratic.
    let from = before.floor_char_boundary(before.len().saturating_sub(30));
    before[from..].trim_end().to_lowercase()
}

/// The base unit of a unit, and the factor to it.
fn base_unit(unit: &str) -> (&str, f64) {
    const UNITS: [(&str, &str, f64); 30] = [
        ("Wh", "Wh", 1.0),
        ("kWh", "Wh", 1e3),
        ("MWh", "Wh", 1e6),
        ("GWh", "Wh", 1e9),
        ("TWh", "Wh", 1e12),
        ("kW", "W", 1e3),
        ("MW", "W", 1e6),
        ("GW", "W", 1e9),
        ("kJ", "J", 1e3),
        ("MJ", "J", 1e6),
        ("kHz", "Hz", 1e3),
        ("MHz", "Hz", 1e6),
        ("GHz", "Hz", 1e9),
        ("nm", "m", 1e-9),
        ("mm", "m", 1e-3),
        ("cm", "m", 1e-2),
        ("km", "m", 1e3),
        ("mg", "g", 1e-3),
        ("kg", "g", 1e3),
        ("t", "g", 1e6),
        ("ml", "l", 1e-3),
        ("ns", "s", 1e-9),
        ("µs", "s", 1e-6),
        ("ms", "s", 1e-3),
        ("min", "s", 60.0),
        ("h", "s", 3600.0),
        ("days", "s", 86_400.0),
        ("weeks", "s", 604_800.0),
        ("years", "months", 12.0),
        ("kPa", "Pa", 1e3),
    ];
    let found = UNITS.iter().find(|(written, _, _)| *written == unit);
    found.map_or((unit, 1.0), |(_, base, factor)| (*base, *factor))
}
