//! The coverage of a claim by sentences: which of them say which of its words and numbers.

use std::ops::Range;

use foldhash::HashMap;

use super::alignment::{SAME_WORD, SYNONYM, similarity};
use super::carried;
use super::dateline;
use super::grouping;
use super::paraphrase;
use super::report;
use super::restatement::{Difference, Statements};
use super::statement::figure::Figure;
use super::statement::lexicon;
use super::statement::series;
use super::statement::{ContentWord, Statement};
use crate::answering::are_near_synonyms;
use crate::artifact::analysis::ContradictionKind;

/// The number of sentences that may support a claim together.
const SENTENCES: usize = 3;

/// The maximum number of missing words that the reasons name.
const NAMED: usize = 3;

/// The weight of a number in the coverage of a claim, and the least weight of a name.
const NUMBER_WEIGHT: f64 = 1.0;
const NAME_WEIGHT: f64 = 0.6;

/// The agreement of two numbers of equal value and different units.
const OTHER_UNIT: f64 = 0.5;

/// The value of the match of words that say nearly the same: less than that of one word, since the
/// rules are not to take one for the other.
const NEAR: f64 = 0.55;

/// The number of sentences on either side that are the context of a sentence.
const NEIGHBOURS: usize = 2;

/// The weight of what a sentence says of a claim itself, beside what it adds to others: that of the
/// best recall on WiCE.
const OWN_SHARE: f64 = 0.5;

/// A rare item is said by fewer sentences than this, or than this part of them.
const RARE_SENTENCES: usize = 3;
const RARE_PART: usize = 10;

/// Pronouns that stand for the subject of the sentence before.
pub(super) const PRONOUNS: [&str; 6] = ["it", "they", "he", "she", "this", "these"];

/// A sentence of one of the passages.
pub(super) struct Sentence<'a> {
    pub(super) passage: usize,
    pub(super) range: &'a Range<usize>,
    pub(super) statement: &'a Statement,
}

/// The sentences of some passages, each with its number.
pub(super) fn sentences<'a>(
    passages: impl Iterator<Item = (usize, &'a Statements)>,
) -> impl Iterator<Item = Sentence<'a>> {
    passages.flat_map(|(passage, own)| {
        let sentences = own.statements.iter();
        sentences.map(move |(range, statement)| Sentence {
            passage,
            range,
            statement,
        })
    })
}

/// The number of measures of the logistic model.
pub const MEASURES: usize = 6;

/// A sentence of a passage that supports a part of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The index of the passage.
    pub passage: usize,
    /// The byte range of the sentence in the passage.
    pub range: Range<usize>,
    /// The byte ranges of the claim that this sentence says and no better one, in order.
    pub claim: Vec<Range<usize>>,
}

/// What a claim says, item by item.
pub(super) enum Item<'a> {
    Word(&'a ContentWord),
    Figure(&'a Figure),
}

impl Item<'_> {
    fn weight(&self) -> f64 {
        match self {
            Self::Word(word) if word.is_name => lexicon::rarity(&word.stem).max(NAME_WEIGHT),
            Self::Word(word) if is_number(word) => NUMBER_WEIGHT,
            Self::Word(word) => lexicon::rarity(&word.stem),
            Self::Figure(_) => NUMBER_WEIGHT,
        }
    }

    pub(super) fn is_name(&self) -> bool {
        matches!(self, Self::Word(word) if word.is_name)
    }

    /// `true` for what is said of a subject: a number, or a word after a form of "be".
    fn is_predicate(&self) -> bool {
        let is_predicate = matches!(self, Self::Word(word) if word.follows_be && !word.is_name);
        is_predicate || self.is_number()
    }

    fn is_number(&self) -> bool {
        match self {
            Self::Word(word) => is_number(word),
            Self::Figure(_) => true,
        }
    }

    /// The degree to which each sentence says it.
    fn values(&self, sentences: &[Sentence<'_>]) -> Vec<f64> {
        // A word of the sentences is compared once, however often it occurs.
        let mut compared: HashMap<(&str, &str, _), f64> = HashMap::default();
        let statements = sentences.iter().map(|sentence| sentence.statement);
        statements
            .map(|statement| match self {
                Self::Word(word) => {
                    let others = statement.words.iter().map(|other| {
                        let key = (
                            other.stem.as_str(),
                            other.initials.as_str(),
                            (other.is_name, other.is_negated, other.validity),
                        );
                        *compared.entry(key).or_insert_with(|| said(word, other))
                    });
                    let figures = statement.figures.iter();
                    let figures = figures.filter(|figure| is_number(word) && says(figure, word));
                    others.chain(figures.map(|_| 1.0)).fold(0.0, f64::max)
                }
                Self::Figure(figure) => {
                    let figures = statement
                        .figures
                        .iter()
                        .map(|other| agreement(figure, other));
                    let mut words = statement.words.iter();
                    let word = f64::from(u8::from(words.any(|word| says(figure, word))));
                    figures.fold(word, f64::max)
                }
            })
            .collect()
    }

    fn missing(&self) -> Difference {
        match self {
            Self::Word(word) if word.is_name => Difference::Name(word.folded.clone()),
            Self::Word(word) => Difference::Word(word.folded.clone()),
            Self::Figure(figure) => Difference::Number(figure.written.trim().to_owned(), None),
        }
    }
}

/// Raises the values of the dates that sentences name by the day on which they were written.
fn say_by_dateline(
    claim: &Statements,
    sentences: &[Sentence<'_>],
    items: &[Item<'_>],
    values: &mut [Vec<f64>],
) {
    let is_unsaid = |values: &Vec<f64>| values.iter().all(|value| *value < SAME_WORD);
    let is_date = |item: &Item<'_>| matches!(item, Item::Figure(own) if own.is_date());
    let mut unsaid = items
        .iter()
        .zip(values)
        .filter(|(item, values)| is_date(item) && is_unsaid(values))
        .peekable();
    if unsaid.peek().is_none() {
        return;
    }
    let (mut written, mut of) = (None, usize::MAX);
    let days: Vec<_> = sentences
        .iter()
        .map(|own| {
            // The last dateline before a sentence is that of its part of the passage.
            let before = written.filter(|_| of == own.passage);
            (written, of) = (dateline::day_of(own.statement).or(before), own.passage);
            written
        })
        .collect();
    for (item, values) in unsaid {
        let Item::Figure(figure) = item else { continue };
        let mut claims = claim.iter();
        let own = claims.find(|own| own.figures.iter().any(|one| std::ptr::eq(one, *figure)));
        let Some(own) = own else { continue };
        for ((sentence, day), value) in sentences.iter().zip(&days).zip(values) {
            if day.is_some_and(|day| dateline::names(sentence.statement, day, own, figure)) {
                *value = 1.0;
            }
        }
    }
}

/// Raises the values of the words that sentences say by others, several at once, and of the numbers
/// of what they list.
fn say_otherwise(
    claim: &Statements,
    sentences: &[Sentence<'_>],
    items: &[Item<'_>],
    values: &mut [Vec<f64>],
) {
    for (_, statement) in &claim.statements {
        for (at, sentence) in sentences.iter().enumerate() {
            let evidence = sentences.iter().map(|own| own.statement);
            let carried = carried::said(statement, sentence.statement, evidence);
            let said = paraphrase::said(statement, sentence.statement);
            for (word, value) in said.into_iter().chain(carried) {
                let word = &statement.words[word];
                let is_word =
                    |item: &Item<'_>| matches!(item, Item::Word(own) if std::ptr::eq(*own, word));
                if let Some(item) = items.iter().position(is_word) {
                    values[item][at] = values[item][at].max(value);
                }
            }
            let counted = series::counted(statement, sentence.statement);
            for figure in counted.chain(grouping::given(statement, sentence.statement)) {
                let is_own = |own: &Figure| std::ptr::eq(own, figure);
                let is_figure = |item: &Item<'_>| matches!(item, Item::Figure(own) if is_own(own));
                if let Some(item) = items.iter().position(is_figure) {
                    values[item][at] = 1.0;
                }
            }
        }
    }
}

/// The degree to which a word of a claim is said by one of a sentence.
fn said(word: &ContentWord, other: &ContentWord) -> f64 {
    if word.validity.admits(word.is_negated, other.validity) {
        let said = similarity(word, other).max(complement(word, other));
        if said < NEAR {
            said.max(near(word, other))
        } else {
            said
        }
    } else {
        0.0
    }
}

/// The value of the match of a word with one of which it says nearly the same: "important" with
/// "significant".
fn near(one: &ContentWord, other: &ContentWord) -> f64 {
    let is_plain = |word: &ContentWord| !word.is_name && !is_number(word);
    let are_opposite = || {
        let (left, right) = ((&*one.stem, one.entry), (&*other.stem, other.entry));
        lexicon::are_opposite(left, right)
    };
    let is_near = is_plain(one)
        && is_plain(other)
        && are_near_synonyms(&one.stem, &other.stem)
        && !are_opposite();
    f64::from(u8::from(is_near)) * NEAR
}

/// The value of the match of a word with its negated opposite: "forbidden" with "not allowed".
fn complement(one: &ContentWord, other: &ContentWord) -> f64 {
    let (left, right) = (
        (one.stem.as_str(), one.entry),
        (other.stem.as_str(), other.entry),
    );
    let is_complement = one.is_negated != other.is_negated && lexicon::are_complements(left, right);
    f64::from(u8::from(is_complement)) * SYNONYM
}

fn is_number(word: &ContentWord) -> bool {
    word.stem.contains(|c: char| c.is_ascii_digit())
}

/// `true` if a number and a word are written with the same digits: "3" and "third".
fn says(figure: &Figure, word: &ContentWord) -> bool {
    figure.digits.replace(',', "") == word.stem
}

/// The degree to which a number is another one: as a whole if the units are the same, or one has
/// none.
fn agreement(one: &Figure, other: &Figure) -> f64 {
    if one.is_said_by(other) {
        1.0
    } else if one.has_value_of(other) {
        OTHER_UNIT
    } else {
        0.0
    }
}

/// What the chosen sentences cover of a claim.
pub(super) struct Coverage<'a> {
    claim: &'a Statements,
    sentences: &'a [Sentence<'a>],
    items: Vec<Item<'a>>,
    /// The byte range of each item in the claim.
    ranges: Vec<Range<usize>>,
    /// For each sentence, the degree to which it says each item.
    values: Vec<Vec<f64>>,
    /// The indices of the chosen sentences, best first.
    chosen: Vec<usize>,
    /// For each item, the degree to which the chosen sentences say it.
    covered: Vec<f64>,
}

impl<'a> Coverage<'a> {
    pub(super) fn of(claim: &'a Statements, sentences: &'a [Sentence<'a>]) -> Self {
        let mut items: Vec<(Range<usize>, Item<'a>)> = Vec::new();
        for (at, own) in &claim.statements {
            let within = |range: &Range<usize>| at.start + range.start..at.start + range.end;
            let words = own.words.iter();
            let words = words.filter(|word| !lexicon::is_particle(&word.folded));
            items.extend(words.map(|word| (within(&word.range), Item::Word(word))));
            let figures = own.figures.iter();
            items.extend(figures.map(|figure| (within(&figure.range), Item::Figure(figure))));
        }
        items.sort_by_key(|(range, _)| range.start);
        let (ranges, items): (Vec<_>, Vec<_>) = items.into_iter().unzip();
        let mut by_item: Vec<Vec<f64>> = items.iter().map(|item| item.values(sentences)).collect();
        say_otherwise(claim, sentences, &items, &mut by_item);
        say_by_dateline(claim, sentences, &items, &mut by_item);
        let values = (0..sentences.len()).map(|sentence| {
            let values = by_item.iter().map(|own| own[sentence]);
            values.collect()
        });
        let mut coverage = Self {
            claim,
            sentences,
            values: values.collect(),
            chosen: Vec::new(),
            covered: vec![0.0; items.len()],
            items,
            ranges,
        };
        coverage.choose();
        coverage
    }

    /// Chooses sentences greedily by what they add.
    fn choose(&mut self) {
        for _ in 0..SENTENCES {
            let gain = |index: usize| {
                let mut covered = self.covered.clone();
                raise(&mut covered, &self.values[index]);
                self.share(&covered, |_| true) - self.share(&self.covered, |_| true)
            };
            let gains = (0..self.values.len()).map(|index| (gain(index), index));
            let best = gains.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let Some((_, index)) = best.filter(|(gain, _)| *gain > 0.0) else {
                return;
            };
            raise(&mut self.covered, &self.values[index]);
            self.chosen.push(index);
        }
    }

    /// The passages in the order of the gain of their sentences and of their own share.
    pub(super) fn ranked(&self, count: usize) -> Vec<usize> {
        let mut covered = vec![0.0; self.items.len()];
        let mut ranked: Vec<usize> = Vec::new();
        while ranked.len() < count {
            let value = |values: &[f64]| {
                let mut with = covered.clone();
                raise(&mut with, values);
                let gain = self.share(&with, |_| true) - self.share(&covered, |_| true);
                gain + OWN_SHARE * self.share(values, |_| true)
            };
            let sentences = self.sentences.iter().zip(&self.values);
            let others = sentences.filter(|(own, _)| !ranked.contains(&own.passage));
            let gains = others.map(|(own, values)| (value(values), own.passage, values));
            let Some((_, passage, values)) =
                gains.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            else {
                break;
            };
            raise(&mut covered, values);
            ranked.push(passage);
        }
        ranked
    }

    /// The share of the weight of some items that is covered, 1 if there are none of them.
    fn share(&self, covered: &[f64], is_counted: impl Fn(usize) -> bool) -> f64 {
        let (mut all, mut sum) = (0.0, 0.0);
        for (index, (item, value)) in self.items.iter().zip(covered).enumerate() {
            if is_counted(index) {
                all += item.weight();
                sum += item.weight() * value;
            }
        }
        if all > 0.0 { sum / all } else { 1.0 }
    }

    /// The measures of the logistic model.
    pub(super) fn measures(&self) -> [f64; MEASURES] {
        let half = self.items.len() / 2;
        let halves = [
            self.share(&self.covered, |index| index < half),
            self.share(&self.covered, |index| index >= half),
        ];
        let missing = |is_counted: fn(&Item<'_>) -> bool| {
            let items = self.items.iter().zip(&self.covered);
            items
                .filter(|(item, value)| **value < SAME_WORD && is_counted(item))
                .map(|(item, _)| item.weight())
                .sum()
        };
        [
            self.share(&self.covered, |_| true),
            self.share(&self.in_context(), |_| true),
            halves[0].min(halves[1]),
            self.share(&self.covered, |index| self.is_rare(index)),
            missing(|item| item.is_number()),
            missing(|item| item.is_name()),
        ]
    }

    /// `true` if few sentences say an item: what all of them say, such as the name of their
    /// subject, shows little.
    fn is_rare(&self, item: usize) -> bool {
        let saying = self
            .values
            .iter()
            .filter(|own| own[item] >= SAME_WORD)
            .count();
        saying < RARE_SENTENCES.max(self.values.len() / RARE_PART)
    }

    /// For each item the degree to which a sentence says it, by the share of the rest of the claim
    /// that the sentence and its neighbours say.
    fn in_context(&self) -> Vec<f64> {
        let weights: Vec<f64> = self.items.iter().map(Item::weight).collect();
        let all: f64 = weights.iter().sum();
        let mut best = vec![0.0_f64; self.items.len()];
        for (index, own) in self.values.iter().enumerate() {
            let mut context = own.clone();
            let from = index.saturating_sub(NEIGHBOURS);
            let to = (index + NEIGHBOURS + 1).min(self.values.len());
            for near in from..to {
                if self.sentences[near].passage == self.sentences[index].passage {
                    raise(&mut context, &self.values[near]);
                }
            }
            let sum: f64 = context.iter().zip(&weights).map(|(a, b)| a * b).sum();
            for (item, value) in own.iter().enumerate() {
                let rest = all - weights[item];
                let share = if rest > 0.0 {
                    (sum - context[item] * weights[item]) / rest
                } else {
                    1.0
                };
                best[item] = best[item].max(value * share);
            }
        }
        best
    }

    /// `true` if the claim has a word or number that can be looked for.
    pub(super) fn has_items(&self) -> bool {
        !self.items.is_empty()
    }

    /// The statements of the claim, each with the range of its items.
    pub(super) fn statements(&self) -> impl Iterator<Item = (&'a Statement, Range<usize>)> {
        let statements = self.claim.statements.iter();
        statements.map(|(at, statement)| {
            let first = |byte: usize| self.ranges.partition_point(|range| range.start < byte);
            (statement, first(at.start)..first(at.end))
        })
    }

    /// The indices of the sentences that support the claim together, best first.
    pub(super) fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// The sentence of an index.
    pub(super) fn sentence(&self, index: usize) -> &'a Statement {
        self.sentences[index].statement
    }

    /// `true` if a sentence of the evidence has all numbers of the claim, which are several:
    /// another number in another sentence is of something else. "In 2017 it was 14 %" beside "It
    /// is 22 %".
    pub(super) fn has_all_numbers(&self) -> bool {
        let figures = self.items.iter().filter_map(|item| match item {
            Item::Figure(figure) => Some(*figure),
            Item::Word(_) => None,
        });
        let figures: Vec<&Figure> = figures.collect();
        let has =
            |own: &Statement, figure: &Figure| own.figures.iter().any(|other| other.equals(figure));
        let has_all = |own: &Statement| figures.iter().all(|figure| has(own, figure));
        // The sentence that says most of the claim may give the numbers the other way round.
        let best = self.chosen.first().map(|at| self.sentence(*at));
        figures.len() > 1 && !best.is_some_and(has_all) && self.sentences().any(has_all)
    }

    /// All sentences of the evidence.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &'a Statement> + Clone {
        self.sentences.iter().map(|own| own.statement)
    }

    /// The chosen sentences, and those right before and after them in their passage.
    pub(super) fn near_chosen(&self) -> impl Iterator<Item = &'a Statement> {
        let near = self.chosen.iter().flat_map(|at| {
            let around = at.saturating_sub(1)..(at + 2).min(self.sentences.len());
            around.filter(|near| self.sentences[*near].passage == self.sentences[*at].passage)
        });
        near.map(|at| self.sentences[at].statement)
    }

    /// The sentence that says most of some items, the first of equals; `None` if none says any.
    pub(super) fn best_sentence(&self, items: Range<usize>) -> Option<usize> {
        let sentences = self.values.iter().enumerate();
        let shares = sentences.map(|(index, values)| {
            let share = self.share(values, |item| items.contains(&item));
            (share, index)
        });
        let best = shares.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
        (best.0 > 0.0).then_some(best.1)
    }

    /// The share of some items that a sentence says, without those excepted.
    pub(super) fn rest(
        &self,
        sentence: usize,
        items: Range<usize>,
        is_excepted: impl Fn(&Item<'_>) -> bool,
    ) -> f64 {
        self.share(&self.values[sentence], |item| {
            items.contains(&item) && !is_excepted(&self.items[item])
        })
    }

    /// The share of some items that a sentence says, with the sentence before it if it begins with
    /// a pronoun, which stands for a word of that.
    pub(super) fn rest_with_antecedent(&self, sentence: usize, items: &Range<usize>) -> f64 {
        let own = &self.sentences[sentence];
        let first = own.statement.normal.split(' ').next();
        let is_pronoun = first.is_some_and(|first| PRONOUNS.contains(&first));
        let before = sentence.checked_sub(1);
        let before = before.filter(|at| is_pronoun && self.sentences[*at].passage == own.passage);
        let sentences: Vec<usize> = before.into_iter().chain([sentence]).collect();
        self.said(&sentences, items, &(0..0))
    }

    /// The words among some items that a sentence says.
    pub(super) fn words_said_by(&self, sentence: usize, items: &Range<usize>) -> Vec<&ContentWord> {
        self.words(items, |item| self.values[sentence][item] >= SAME_WORD)
    }

    /// The words among some items that of the chosen sentences only one says.
    pub(super) fn words_added_by(
        &self,
        sentence: usize,
        items: &Range<usize>,
    ) -> Vec<&ContentWord> {
        self.words(items, |item| {
            let mut chosen = self.chosen.iter();
            chosen.all(|at| (self.values[*at][item] >= SAME_WORD) == (*at == sentence))
        })
    }

    /// The words and numbers among some items that a sentence says and others do not.
    pub(super) fn added_to(
        &self,
        others: &[usize],
        sentence: usize,
        items: &Range<usize>,
    ) -> Vec<String> {
        let says = |at: usize, item: usize| self.values[at][item] >= SAME_WORD;
        let added = items.clone().filter(|item| {
            says(sentence, *item) && !others.iter().any(|other| says(*other, *item))
        });
        added
            .map(|item| match &self.items[item] {
                Item::Word(word) => word.folded.clone(),
                Item::Figure(figure) => figure.shown(),
            })
            .collect()
    }

    fn words(&self, items: &Range<usize>, is_meant: impl Fn(usize) -> bool) -> Vec<&ContentWord> {
        let items = items.clone().filter(|item| is_meant(*item));
        items
            .filter_map(|item| match self.items[item] {
                Item::Word(word) => Some(word),
                Item::Figure(_) => None,
            })
            .collect()
    }

    /// `true` if two sentences are of one passage.
    pub(super) fn is_beside(&self, one: usize, other: usize) -> bool {
        self.sentences[one].passage == self.sentences[other].passage
    }

    /// `true` if a sentence of the evidence says a word of the claim.
    pub(super) fn says(&self, word: &ContentWord) -> bool {
        let mut items = self.items.iter().zip(0..);
        let is_item = |item: &Item<'_>| matches!(item, Item::Word(own) if own.stem == word.stem);
        let at = items
            .find(|(item, _)| is_item(item))
            .map(|(_, at): (_, usize)| at);
        at.is_some_and(|at| self.values.iter().any(|values| values[at] >= SAME_WORD))
    }

    /// `true` if a sentence of the evidence says an item.
    fn is_said(&self, item: usize) -> bool {
        self.values.iter().any(|values| values[item] >= SAME_WORD)
    }

    /// The first number of the claim that is nowhere in the evidence.
    pub(super) fn missing_number(&self) -> Option<&'a str> {
        let items = self.items.iter().enumerate();
        let mut missing = items.filter(|(at, _)| !self.is_said(*at));
        missing.find_map(|(_, item)| match item {
            Item::Figure(figure) => Some(figure.written.trim()),
            Item::Word(word) if is_number(word) => Some(word.folded.as_str()),
            Item::Word(_) => None,
        })
    }

    /// The names of the claim that no chosen sentence says.
    pub(super) fn missing_names(&self) -> impl Iterator<Item = &'a ContentWord> {
        let items = self.items.iter().enumerate();
        let missing = items.filter(|(at, _)| !self.is_said(*at));
        missing.filter_map(|(_, item)| match item {
            Item::Word(word) if word.is_name => Some(*word),
            _ => None,
        })
    }

    /// A number or predicate of the claim that some sentences say, and others do not.
    pub(super) fn predicate_only_in(
        &self,
        sentences: &[usize],
        others: &[usize],
        items: &Range<usize>,
    ) -> Option<String> {
        let is_said = |sentences: &[usize], item: usize| {
            let mut sentences = sentences.iter();
            sentences.any(|at| self.values[*at][item] >= SAME_WORD)
        };
        let mut items = items
            .clone()
            .filter(|item| self.items[*item].is_predicate());
        let item = items.find(|item| is_said(sentences, *item) && !is_said(others, *item))?;
        Some(match &self.items[item] {
            Item::Word(word) => word.folded.clone(),
            Item::Figure(figure) => figure.shown(),
        })
    }

    /// The longest runs of some items that no sentence of the evidence says.
    pub(super) fn unsaid(&self, items: Range<usize>) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for item in items.filter(|item| !self.is_said(*item)) {
            match runs.last_mut() {
                Some(last) if last.end == item => last.end = item + 1,
                _ => runs.push(item..item + 1),
            }
        }
        runs
    }

    /// The weight of some items.
    pub(super) fn weight(&self, items: Range<usize>) -> f64 {
        items.map(|item| self.items[item].weight()).sum()
    }

    /// The share of the weight of some items that sentences say together, without those excepted.
    pub(super) fn said(
        &self,
        sentences: &[usize],
        items: &Range<usize>,
        excepted: &Range<usize>,
    ) -> f64 {
        let mut covered = vec![0.0; self.items.len()];
        for sentence in sentences {
            raise(&mut covered, &self.values[*sentence]);
        }
        self.share(&covered, |item| {
            items.contains(&item) && !excepted.contains(&item)
        })
    }

    /// The byte range of some items in the claim; empty if there are none.
    pub(super) fn range(&self, items: &Range<usize>) -> Range<usize> {
        match self.ranges.get(items.clone()) {
            Some([first, .., last]) => first.start..last.end,
            Some([only]) => only.clone(),
            _ => 0..0,
        }
    }

    /// The contrast of a claim of one sentence with a chosen sentence, in words.
    pub(super) fn contrast(&self) -> Option<Difference> {
        let [(_, claim)] = self.claim.statements.as_slice() else {
            return None;
        };
        let chosen = self
            .chosen
            .iter()
            .filter_map(|index| self.sentences.get(*index));
        let chosen = chosen.filter(|own| !report::is_report(claim, own.statement));
        let mut chosen = chosen.filter_map(|own| claim.contrast(own.statement));
        let contrast = chosen.next()?;
        Some(match contrast.kind {
            ContradictionKind::Negation => Difference::Negation,
            _ => {
                let other = format!("{} {}", contrast.other, contrast.unit);
                Difference::Number(contrast.one, Some(other.trim_end().to_owned()))
            }
        })
    }

    /// The heaviest items that are missing.
    pub(super) fn missing(&self) -> Vec<Difference> {
        let items = self.items.iter().zip(&self.covered);
        let mut missing: Vec<&Item<'_>> = items
            .filter(|(_, value)| **value < SAME_WORD)
            .map(|(item, _)| item)
            .collect();
        // Stable: of equal weight the first in the claim.
        missing.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
        missing
            .iter()
            .take(NAMED)
            .map(|item| item.missing())
            .collect()
    }

    /// The chosen sentences, each with the ranges of the claim that it says best; one that says the
    /// opposite of a word of the claim before all others, since it is the one to be shown.
    pub(super) fn matches(&self, opposite: Option<&str>) -> Vec<Match> {
        let mut matches: Vec<Match> = Vec::new();
        for index in &self.chosen {
            matches.push(Match {
                passage: self.sentences[*index].passage,
                range: self.sentences[*index].range.clone(),
                claim: Vec::new(),
            });
        }
        for (item, range) in self.ranges.iter().enumerate() {
            let values = self.chosen.iter().map(|index| self.values[*index][item]);
            let best = values
                .enumerate()
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            let Some((position, _)) = best.filter(|(_, value)| *value >= SAME_WORD) else {
                continue;
            };
            matches[position].claim.push(range.clone());
        }
        if let Some(word) = opposite {
            let mut order: Vec<usize> = (0..matches.len()).collect();
            order.sort_by_key(|at| !self.has_word(self.chosen[*at], word));
            matches = order.into_iter().map(|at| matches[at].clone()).collect();
        }
        matches
    }

    /// `true` if a sentence has a word.
    fn has_word(&self, sentence: usize, word: &str) -> bool {
        let mut words = self.sentences[sentence].statement.words.iter();
        words.any(|own| own.folded == word)
    }

    /// The ranges of the items that the chosen sentences do not say.
    pub(super) fn unsupported(&self) -> Vec<Range<usize>> {
        let ranges = self.ranges.iter().zip(&self.covered);
        ranges
            .filter(|(_, value)| **value < SAME_WORD)
            .map(|(range, _)| range.clone())
            .collect()
    }
}

/// Raises each value to the other one, if that is higher.
fn raise(values: &mut [f64], others: &[f64]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value = value.max(*other);
    }
}
