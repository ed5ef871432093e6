//! A sentence, parsed for comparison with another: content words, names, quantities, negations,
//! qualifiers.

mod against;
mod content_word;
pub(super) mod coordination;
pub(super) mod digits;
pub(super) mod edit;
pub(super) mod figure;
pub(super) mod final_denial;
mod gloss;
mod grouped;
pub(super) mod inner_question;
pub(super) mod label;
pub(super) mod lexicon;
pub(super) mod opposites;
pub(super) mod parts;
pub(super) mod phrase;
pub(super) mod pronoun;
pub(super) mod question_subject;
pub(super) mod series;
pub(super) mod stems;
pub(super) mod subject;
pub(super) mod tense;
pub(super) mod time;
mod title;
pub(super) mod validity;
pub(super) mod verb;
pub(super) mod vote;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(super) use content_word::ContentWord;

use crate::text;
use against::{advises_against, is_against_guidance};
use coordination::{Member, Part, TokenPart};
use digits::Digits;
use figure::{Figure, denied};
use label::label_end;
use lexicon::{BE, Qualifier};
use validity::{Part as Span, Validity, is_over, spans};

/// The maximum length of a sentence that is compared, in words: more is a table or a list, and the
/// comparison is quadratic.
const MAX_WORDS: usize = 120;

/// The maximum number of content words that a negation applies to, up to the next punctuation mark.
const NEGATION_SCOPE: usize = 4;

/// The weights of a content word: of one that says little, and of all others by their length; a
/// longer word is rarer (Zipf's law of abbreviation).
const LIGHT_WEIGHT: f64 = 0.3;
const SHORT_WEIGHT: f64 = 0.6;
const MEDIUM_WEIGHT: f64 = 0.8;

/// A sentence, parsed for comparison.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statement {
    /// Its words, folded, and its signs, separated by spaces: equal for sentences that differ in
    /// layout and punctuation only.
    pub(super) normal: String,
    /// The English for its words of another language, and these as they are written.
    pub(super) glosses: Vec<(&'static str, Box<str>)>,
    pub(super) words: Vec<ContentWord>,
    pub(super) figures: Vec<Figure>,
    /// The values that it gives to several groups.
    pub(super) coordinations: Vec<Vec<Member>>,
    /// Its qualifiers with the number of their words.
    pub(super) qualifiers: BTreeMap<Qualifier, usize>,
    /// The words that make it absolute, or say as much: "only", "all", "must".
    pub(super) absolutes: Vec<Absolute>,
    /// The sides of the opposites that its stop words name: "before" or "after", "more".
    pub(super) sides: BTreeMap<(usize, bool), usize>,
    /// The number of content words that are the label of its line: 1 in "Absent: Dana Cole".
    pub(super) label: usize,
    /// `true` for a record: "Item: lost card; Fee EUR: 5.00."
    pub(super) is_record: bool,
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
    /// `true` if it tells what was so or was meant to be, and not what is so instead.
    pub(super) is_over: bool,
    /// `true` for a question.
    pub(super) is_question: bool,
    /// `true` if who does something may stand behind the verb, as in German.
    pub(super) has_free_order: bool,
    /// `true` if what comes after it in its passage says that it is wrong.
    pub(super) is_retracted: bool,
    /// Its words as they stand, if a pronoun was read as what it stands for.
    pub(super) with_pronoun: Option<String>,
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
    /// The punctuation mark between it and the word before.
    mark: Option<char>,
    /// `true` if only spaces, hyphens or apostrophes are between it and the word before.
    is_joined: bool,
    /// `true` if a bracket opens between it and the word before, and if one closes there.
    opens: bool,
    closes: bool,
    /// `true` for the month of May, which is no modal verb.
    is_may: bool,
    in_code: bool,
}

impl Token<'_> {
    /// The index of the word before the bracket in which it stands, from that of the word before it
    /// and the number of content words before it.
    fn holder(&self, holder: Option<usize>, words: usize) -> Option<usize> {
        match (self.opens, self.closes) {
            (true, _) => words.checked_sub(1),
            (false, true) => None,
            (false, false) => holder,
        }
    }
}

/// The number of words of "no more than about 300".
const BOUND: usize = 5;

/// The least number of days of a timetable.
const TIMETABLE_DAYS: usize = 3;

impl Statement {
    /// `true` for a sentence on several days, of which each word is said of some: "Tuesday 10 to
    /// 13, Wednesday 16 to 19, Sunday closed".
    pub(super) fn is_timetable(&self) -> bool {
        let words = self.normal.split(' ');
        let days = words.filter(|word| text::WEEKDAYS.contains(word));
        days.collect::<BTreeSet<_>>().len() >= TIMETABLE_DAYS
    }

    /// The number of negations but "without", which denies what it stands before and nothing else.
    pub(super) fn denials(&self) -> usize {
        let conditions = self.normal.split(' ').filter(|word| *word == "without");
        self.negations.saturating_sub(conditions.count())
    }

    /// The content words before the first of some words; all if it has none.
    pub(super) fn words_before(&self, ends: &[&str]) -> impl Iterator<Item = &ContentWord> {
        let mut words = self.normal.split(' ');
        let end = words.position(|word| ends.contains(&word));
        let end = end.unwrap_or(usize::MAX);
        self.words
            .iter()
            .take_while(move |word| word.position < end)
    }

    /// Parses a sentence.
    pub fn parse(sentence: &str) -> Self {
        let digits = Digits::of(sentence);
        let (sentence, tokens) = (digits.text.as_str(), tokens(&digits.text));
        let mut statement = Self {
            normal: joined(&tokens, sentence),
            is_question: sentence.trim_end().ends_with('?'),
            is_record: text::tables::is_record(sentence),
            has_free_order: gloss::has_free_order(digits.original),
            glosses: digits.glosses(),
            ..Self::default()
        };
        let quantities = time::of_day(sentence, text::quantities(sentence));
        let quantities = time::durations(sentence, quantities);
        let denied = denied(sentence, &quantities);
        let mut figures = quantities.iter().peekable();
        let label_end = label_end(sentence);
        // A list of names behind a label is no title: "Present: Ann Berg, Tom Wilk".
        let is_title = is_title(&tokens) && !(label_end > 0 && sentence.contains(','));
        let (mut scope, mut position, mut follows_mark, mut holder) = (0, 0, false, None);
        for (index, token) in tokens.iter().enumerate() {
            position += usize::from(index > 0) + usize::from(!token.signs.is_empty());
            follows_mark |= !token.is_joined;
            holder = token.holder(holder, statement.words.len());
            // A quantity whose range begins before this word comes before it.
            while let Some(quantity) = figures.next_if(|next| next.range.start <= token.start) {
                let figure = Figure::of(&digits, quantity, statement.words.len());
                statement.figures.push(figure);
            }
            if is_in_figure(&quantities, token.start) {
                continue;
            }
            if !token.is_joined {
                scope = 0;
            }
            statement.note(&tokens, index);
            // "Not 12 but 14" negates nothing but the number, and "no more than 300" bounds it.
            let is_of_number = denied.iter().any(|(not, _)| *not == token.start);
            if is_of_number || is_bound(&tokens[index..]) || ends_time(&tokens[..=index]) {
                continue;
            }
            if statement.note_denial(&tokens, index) {
                scope = NEGATION_SCOPE;
                continue;
            }
            let is_name = token.in_code || is_name(&tokens, index, is_title) || token.is_may;
            if let Some(mut word) = content_word(token, is_name) {
                word.holder = holder;
                word.is_negated = scope > 0;
                word.heads_negation = scope == NEGATION_SCOPE;
                word.position = position;
                word.follows_mark = std::mem::take(&mut follows_mark);
                statement.label += usize::from(token.start < label_end);
                word.follows_hyphen = sentence[..token.start].ends_with('-');
                (word.follows_be, word.is_predicate) = behind(&tokens, index);
                word.range = digits.original(token.start..token.start + token.text.len());
                scope = scope.saturating_sub(1);
                statement.words.push(word);
            }
            if denies_behind(&tokens, index) {
                statement.negations += 1;
                scope = NEGATION_SCOPE;
            }
        }
        for quantity in figures {
            let figure = Figure::of(&digits, quantity, statement.words.len());
            statement.figures.push(figure);
        }
        statement.note_whole(&tokens, &digits, &denied);
        statement
    }

    /// Records what only the whole sentence tells of its words and figures.
    fn note_whole(&mut self, tokens: &[Token<'_>], digits: &Digits<'_>, denied: &[(usize, usize)]) {
        self.note_denied(digits, denied);
        self.note_final_denial(tokens, digits);
        self.note_votes();
        self.note_initials(digits.original);
        self.note_validity(tokens, digits);
        self.coordinations = self.coordinations(tokens, digits);
    }

    /// The values that it gives to several groups.
    fn coordinations(&self, tokens: &[Token<'_>], digits: &Digits<'_>) -> Vec<Vec<Member>> {
        if self.is_record || self.is_question {
            return Vec::new();
        }
        let places = tokens.iter().map(|token| {
            let end = token.start + token.text.len();
            let start = digits.original(token.start..end).start;
            let is_in = |own: &Figure| own.range.contains(&start);
            let figure = self.figures.iter().position(is_in);
            let word = || self.words.iter().position(|own| own.range.start == start);
            TokenPart {
                part: figure.map(Part::Figure).or_else(|| word().map(Part::Word)),
                folded: &token.folded,
                mark: token.mark,
                opens: token.opens,
                closes: token.closes,
            }
        });
        coordination::coordinations((&self.words, &self.figures), places)
    }

    /// Reads what became of a motion in one way for all words that say it.
    fn note_votes(&mut self) {
        let names_motion = |word: &ContentWord| vote::PUT_TO_VOTE.contains(&&*word.folded);
        if !self.words.iter().any(names_motion) {
            return;
        }
        for word in &mut self.words {
            if let Some(reading) = vote::reading(&word.folded).filter(|_| !word.is_name) {
                word.stem = text::stem(reading);
                word.entry = lexicon::Entry::of(&word.stem);
            }
        }
    }

    /// `true` if it says that a motion was carried.
    pub(super) fn carries_motion(&self) -> bool {
        let tokens: Vec<&str> = self.normal.split(' ').collect();
        let marked = self.words.iter().filter(|word| word.follows_mark);
        let follows_mark = |at: usize| marked.clone().any(|word| word.position == at);
        self.negations == 0 && vote::is_carried(&tokens, follows_mark)
    }

    /// Records which words and figures are of the time before a change, which are excepted, and
    /// which of them all are said of now.
    fn note_validity(&mut self, tokens: &[Token<'_>], digits: &Digits<'_>) {
        let is_now = self.is_of_now();
        let parts: Vec<Span<'_>> = tokens
            .iter()
            .map(|token| Span {
                word: &token.folded,
                mark: if token.opens { Some('(') } else { token.mark },
            })
            .collect();
        self.is_over = is_over(&parts);
        // Of a sentence that breaks off behind "until was" the range is empty.
        let spans = spans(&parts).into_iter().filter_map(|(range, validity)| {
            let own = tokens.get(range)?;
            let (first, last) = (own.first()?, own.last()?);
            let range = digits.original(first.start..last.start + last.text.len());
            Some((range, validity))
        });
        // What a motion asks for is decided once it is carried.
        let is_carried = self.carries_motion();
        let spans = spans.filter(|(_, own)| !is_carried || *own != Validity::Proposed);
        let spans: Vec<_> = spans.collect();
        let validity = |own: &Range<usize>| {
            let mut spans = spans.iter();
            let span = spans.find(|(range, _)| own.start < range.end && range.start < own.end);
            let open = if is_now {
                Validity::Now
            } else {
                Validity::Open
            };
            span.map_or(open, |(_, validity)| *validity)
        };
        for word in &mut self.words {
            word.validity = validity(&word.range);
        }
        for figure in &mut self.figures {
            figure.validity = validity(&figure.range);
        }
    }

    /// `true` if it tells what was so, or was meant to be, until some time: "Until May the interval
    /// was two hours."
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// `true` if it tells a change from one number to another one: "the fee of 48 euros is raised
    /// to 53".
    pub fn tells_change(&self) -> bool {
        let is_former = |own: &Figure| own.validity == Validity::Former;
        self.figures.iter().any(is_former) && !self.figures.iter().all(is_former)
    }

    /// Records a word that denies what follows it; `false` for any other.
    fn note_denial(&mut self, tokens: &[Token<'_>], index: usize) -> bool {
        let (mut is_advice, mut is_against) = (false, false);
        if matches!(tokens[index].folded.as_str(), "against" | "contrary") {
            let words: Vec<&str> = tokens.iter().map(|token| token.folded.as_str()).collect();
            is_advice = advises_against(&words, index);
            is_against = is_advice || is_against_guidance(&words, index);
        }
        let words = || tokens.iter().map(|own| own.text).collect::<Vec<_>>();
        let denies = || denies(&tokens[index..]) && !title::is_inside(&words(), index);
        if !is_against && !denies() {
            return false;
        }
        self.note_negation(&tokens[index].folded);
        // Who advises against a thing does not advise it.
        if let Some(verb) = self.words.last_mut().filter(|_| is_advice) {
            verb.is_negated = true;
        }
        true
    }

    /// Records a negation: "neither … nor" is one of two things.
    fn note_negation(&mut self, folded: &str) {
        let is_second = folded == "nor" && self.negations > 0;
        self.negations += usize::from(!is_second);
    }

    /// Records which figures are denied in favour of another one.
    fn note_denied(&mut self, digits: &Digits<'_>, denied: &[(usize, usize)]) {
        for figure in &mut self.figures {
            let is_denied =
                |(_, own): &(usize, usize)| digits.original(*own..*own).start == figure.range.start;
            figure.is_denied = denied.iter().any(is_denied);
        }
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
        let qualifier = match lexicon::qualifier(&token.folded) {
            _ if obliges => Some(Qualifier::Obligation),
            _ if is_a_few => Some(Qualifier::Some),
            qualifier => qualifier.filter(|_| !token.is_may),
        };
        if let Some(qualifier) = qualifier {
            *self.qualifiers.entry(qualifier).or_default() += 1;
        }
        self.note_absolute(token, [before, after], obliges);
        if text::is_stop_word(&token.folded) {
            for side in opposites::sides(&text::stem(&token.folded)) {
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
        // "Every 24 months" is an interval.
        let is_interval = |after: &Token<'_>| {
            let is_number = after.folded.starts_with(|c: char| c.is_ascii_digit());
            is_number && matches!(token.folded.as_str(), "every" | "each")
        };
        let is_of_time =
            |after: &Token<'_>| lexicon::is_time_unit(&after.folded) || is_interval(after);
        let is_idiom = is_idiom || after.is_some_and(is_of_time);
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
        let months = self.words.iter().filter(|word| word.is_month());
        years
            .map(|figure| figure.digits.clone())
            .chain(months.map(|word| word.stem.clone()))
            .collect()
    }
}

/// `true` if a word that begins at this byte is part of a number or of its unit.
fn is_in_figure(quantities: &[text::Quantity], start: usize) -> bool {
    let mut ranges = quantities.iter().map(|quantity| &quantity.range);
    ranges.any(|range| range.contains(&start))
}

/// The words of a sentence, at most [`MAX_WORDS`].
fn tokens(sentence: &str) -> Vec<Token<'_>> {
    let mut in_code = false;
    let mut end = 0;
    let mut tokens: Vec<Token<'_>> = text::words(sentence)
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
                mark: gap.chars().find(|c| PUNCTUATION.contains(*c)),
                is_joined: gap
                    .chars()
                    .all(|c| matches!(c, ' ' | '-' | '\n' | '*' | '_' | '"' | '`')),
                opens: gap.rfind('(') > gap.rfind(')'),
                closes: gap.contains(')'),
                is_may: false,
                in_code,
            }
        })
        .collect();
    for index in 0..tokens.len() {
        tokens[index].is_may = is_may(&tokens, index);
    }
    tokens
}

/// `true` for the name of the month: with a capital inside a sentence, or before a year.
fn is_may(tokens: &[Token<'_>], index: usize) -> bool {
    let is_year = |token: &Token<'_>| {
        token.text.len() == 4 && token.text.bytes().all(|byte| byte.is_ascii_digit())
    };
    tokens[index].text == "May" && (index > 0 || tokens.get(index + 1).is_some_and(is_year))
}

/// `true` for a word right behind a form of "be", and `true` for one that stands where a verb does.
fn behind(tokens: &[Token<'_>], index: usize) -> (bool, bool) {
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    let follows_be = before.is_some_and(|own| BE.contains(&own.folded.as_str()));
    (follows_be, is_predicate(tokens, index))
}

/// `true` if the first of some words negates what follows it.
fn denies(tokens: &[Token<'_>]) -> bool {
    let [first, rest @ ..] = tokens else {
        return false;
    };
    let next = rest.first().map(|next| next.folded.as_str());
    let is_negation = lexicon::is_negation(&first.folded) && !first.in_code;
    is_negation && !vote::is_failure(&first.folded, next)
}

/// `true` for words that begin with "no more than" or the like, and a number.
fn is_bound(tokens: &[Token<'_>]) -> bool {
    let words: Vec<&str> = tokens.iter().take(BOUND).map(|own| &*own.folded).collect();
    let is_number =
        |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) || **word == *"half";
    match words.as_slice() {
        ["no" | "not", "more" | "less" | "fewer", "than", rest @ ..] => rest.iter().any(is_number),
        _ => false,
    }
}

/// `true` if tokens end with "no longer" or "nicht mehr", whose second word names nothing.
fn ends_time(tokens: &[Token<'_>]) -> bool {
    let [.., no, longer] = tokens else {
        return false;
    };
    matches!(
        (&*no.folded, &*longer.folded),
        ("no", "longer") | ("nicht", "mehr")
    )
}

/// `true` for a word behind which a thing is denied without a negation.
fn denies_behind(tokens: &[Token<'_>], index: usize) -> bool {
    is_free_of(tokens, index) || is_refusal(tokens, index) || is_unreal(tokens, index)
}

/// `true` for the last word of "should have", "would have" and "ought to have" before a participle
/// and of "was supposed to", "was meant to" and "was intended to": it did not happen. What could
/// have happened is open.
fn is_unreal(tokens: &[Token<'_>], index: usize) -> bool {
    let first = index.saturating_sub(2);
    let words: Vec<&str> = tokens[first..=index]
        .iter()
        .map(|own| &*own.folded)
        .collect();
    let next = tokens.get(index + 1).filter(|next| next.is_joined);
    match words[..] {
        // "Would not have been" denies that it did not happen.
        [.., "should" | "would", "have" | "ve"]
        | ["would", "not", "have"]
        | ["ought", "to", "have"] => {
            next.is_some_and(|next| next.folded == "been" || lexicon::is_past_form(&next.folded))
        }
        ["was" | "were", "supposed" | "meant" | "intended", "to"] => next.is_some(),
        _ => false,
    }
}

/// `true` for "free" in "free of nuts", which says that there are none.
fn is_free_of(tokens: &[Token<'_>], index: usize) -> bool {
    let after = tokens.get(index + 1);
    tokens[index].folded == "free"
        && after.is_some_and(|after| matches!(after.folded.as_str(), "of" | "from"))
}

/// `true` for "refused" in "refused to approve", which says that it was not done.
fn is_refusal(tokens: &[Token<'_>], index: usize) -> bool {
    const REFUSALS: &[&str] = &[
        "refused", "refuses", "refuse", "declined", "declines", "forgot",
    ];
    let after = tokens.get(index + 1);
    REFUSALS.contains(&tokens[index].folded.as_str())
        && after.is_some_and(|after| after.folded == "to")
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

/// The marks that end a phrase.
const PUNCTUATION: &str = ",;:.!?()—–";

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
    let is_qualifier = lexicon::qualifier(folded).is_some() && !lexicon::is_advice(folded);
    let is_empty = text::is_stop_word(folded) || is_qualifier;
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
        validity: Validity::Open,
        follows_hyphen: false,
        position: 0,
        follows_mark: false,
        follows_be: false,
        is_predicate: false,
        holder: None,
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
