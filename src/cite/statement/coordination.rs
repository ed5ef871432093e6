//! Coordination: the values that a sentence gives one after the other, each to a group of its own:
//! "0.81 in the treated and 1.04 in the placebo arm", "moderate for cost and low for noise".

use super::ContentWord;
use super::figure::Figure;
use super::lexicon::BE;
use super::validity::Validity;

/// Words that join two values, besides a comma or a semicolon.
const JOINS: &[&str] = &[
    "and", "but", "while", "whereas", "against", "compared", "versus", "vs",
];

/// Words that say that what was listed before belongs together pair by pair; folded.
const PAIRWISE: &[&str] = &["respectively", "jeweils", "beziehungsweise", "bzw"];

/// Prepositions that begin a group, in English and German; a closed list, written by hand.
const PREPOSITIONS: &[&str] = &[
    "above", "across", "along", "among", "at", "behind", "below", "beside", "between", "by",
    "during", "for", "from", "in", "inside", "near", "of", "on", "outside", "over", "per", "under",
    "with", "within", "without", "an", "auf", "bei", "fur", "im", "ohne", "uber", "unter", "von",
    "vor", "zu",
];

/// Articles, between which the names of the groups are that belong to values pair by pair.
const ARTICLES: &[&str] = &["a", "an", "the", "der", "die", "das", "den", "dem"];

/// A word or a number of a statement, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cite) enum Part {
    Word(usize),
    Figure(usize),
}

/// A value, and the words and numbers that only its own group has.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::cite) struct Member {
    pub(in crate::cite) value: Part,
    pub(in crate::cite) group: Vec<Part>,
}

/// A token of the sentence outside of brackets, but for a number that stands alone in one.
struct Atom<'a> {
    part: Option<Part>,
    folded: &'a str,
    /// The punctuation mark before it.
    mark: Option<char>,
}

impl Atom<'_> {
    fn is_join(&self) -> bool {
        matches!(self.mark, Some(',' | ';')) || JOINS.contains(&self.folded)
    }

    /// `true` behind a punctuation mark that is no bracket.
    fn ends_clause(&self) -> bool {
        !matches!(self.mark, None | Some('(' | ')' | '[' | ']'))
    }

    fn is_preposition(&self) -> bool {
        PREPOSITIONS.contains(&self.folded)
    }
}

/// On which side of its value a group stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

/// A token of a sentence, with the word or the number that it is or begins.
pub(super) struct TokenPart<'a> {
    pub(super) part: Option<Part>,
    pub(super) folded: &'a str,
    /// The punctuation mark between it and the token before.
    pub(super) mark: Option<char>,
    /// `true` if a bracket opens between the two, and if one closes there.
    pub(super) opens: bool,
    pub(super) closes: bool,
}

/// The coordinated values of a statement, by its words and figures and its tokens: a list for each
/// unit, and one of words.
pub(super) fn coordinations<'a>(
    (words, figures): (&[ContentWord], &[Figure]),
    parts: impl Iterator<Item = TokenPart<'a>>,
) -> Vec<Vec<Member>> {
    let sentence = Sentence {
        words,
        figures,
        atoms: atoms(parts),
    };
    if !sentence.atoms.iter().any(Atom::is_join) {
        return Vec::new();
    }
    let mut units: Vec<&str> = figures.iter().map(|own| &*own.unit).collect();
    units.sort_unstable();
    units.dedup();
    let lists = units.into_iter().filter_map(|unit| {
        let values = sentence.values_of(unit);
        sentence
            .pairwise(&values)
            .or_else(|| sentence.listed(&values))
    });
    lists.chain(sentence.word_values()).collect()
}

/// The atoms of a sentence.
fn atoms<'a>(parts: impl Iterator<Item = TokenPart<'a>>) -> Vec<Atom<'a>> {
    let mut atoms: Vec<Atom<'a>> = Vec::new();
    let (mut bracketed, mut is_inside) = (Vec::new(), false);
    let mut last = None;
    for token in parts {
        if is_inside && (token.closes || token.opens) {
            close(&mut atoms, std::mem::take(&mut bracketed));
        }
        is_inside = token.opens || is_inside && !token.closes;
        let mut part = token.part;
        // The further words of a number.
        if matches!(part, Some(Part::Figure(_))) && part == last {
            continue;
        }
        last = part;
        // The 5 of "4.1 out of 5", and of "4 of 5", is no value.
        let mut before = atoms.iter().rev();
        let is_of = before.next().is_some_and(|own| own.folded == "of");
        let is_share = before
            .next()
            .is_some_and(|own| own.folded == "out" || matches!(own.part, Some(Part::Figure(_))));
        if matches!(part, Some(Part::Figure(_))) && is_of && is_share {
            part = None;
        }
        let atom = Atom {
            part,
            folded: token.folded,
            mark: token.mark,
        };
        if is_inside {
            bracketed.push(atom);
        } else {
            atoms.push(atom);
        }
    }
    close(&mut atoms, bracketed);
    atoms
}

/// Adds what a bracket has, if that is a number and nothing else.
fn close<'a>(atoms: &mut Vec<Atom<'a>>, bracketed: Vec<Atom<'a>>) {
    let parts = bracketed.iter().filter_map(|own| own.part);
    if let [Part::Figure(_)] = parts.collect::<Vec<_>>()[..] {
        atoms.extend(bracketed);
    }
}

struct Sentence<'a> {
    words: &'a [ContentWord],
    figures: &'a [Figure],
    atoms: Vec<Atom<'a>>,
}

impl Sentence<'_> {
    fn word(&self, at: usize) -> Option<&ContentWord> {
        match self.atoms.get(at)?.part? {
            Part::Word(word) => self.words.get(word),
            Part::Figure(_) => None,
        }
    }

    /// The words and numbers of some atoms.
    fn parts(&self, atoms: std::ops::Range<usize>) -> Vec<Part> {
        let atoms = self.atoms.get(atoms).unwrap_or_default();
        let is_own = |own: &&Atom<'_>| !JOINS.contains(&own.folded);
        atoms
            .iter()
            .filter(is_own)
            .filter_map(|own| own.part)
            .collect()
    }

    /// The atoms that are numbers of a unit and may be values, and if there is but one those behind
    /// it without a unit: "14 euros in town, 11 in the suburbs". No dates, and none of the past.
    fn values_of(&self, unit: &str) -> Vec<usize> {
        let is_value = |figure: &Figure| {
            !figure.is_date()
                && !figure.is_denied
                && !figure.is_end
                && figure.validity != Validity::Former
        };
        let figures = self.atoms.iter().enumerate().filter_map(|(at, atom)| {
            let Some(Part::Figure(own)) = atom.part else {
                return None;
            };
            Some((at, &self.figures[own]))
        });
        let figures: Vec<_> = figures.filter(|(_, own)| is_value(own)).collect();
        let of_unit = figures.iter().filter(|(_, own)| own.unit == unit);
        let values: Vec<usize> = of_unit.map(|(at, _)| *at).collect();
        let [first] = values[..] else {
            return self.of_one_noun(values);
        };
        let behind = figures
            .iter()
            .filter(|(at, own)| *at > first && own.unit.is_empty());
        std::iter::once(first)
            .chain(behind.map(|(at, _)| *at))
            .collect()
    }

    /// Those of some numbers that count what the first of them counts, if there are several: "4
    /// beats" and "9 beats", and not the 65 of "older than 65 and".
    fn of_one_noun(&self, values: Vec<usize>) -> Vec<usize> {
        let noun = |at: usize| self.atoms.get(at + 1).map(|own| own.folded);
        let first = values.first().and_then(|first| noun(*first));
        let same = values.iter().filter(|at| noun(**at) == first);
        let same: Vec<usize> = same.copied().collect();
        if same.len() > 1 { same } else { values }
    }

    /// The boundary between two values, and on which side of them their groups are.
    fn boundary(&self, one: usize, other: usize) -> Option<(usize, Side)> {
        let is_empty = |from: usize, to: usize| {
            let said_before = |word: &ContentWord| {
                let before = (0..one).filter_map(|at| self.word(at));
                word.is_light() || before.into_iter().any(|own| own.stem == word.stem)
            };
            (from..to).all(|at| match self.atoms[at].part {
                Some(Part::Figure(_)) => false,
                Some(Part::Word(_)) => {
                    self.atoms[at].is_join() || self.word(at).is_some_and(said_before)
                }
                // "Compared with 9 days".
                None => !self.atoms[at].is_preposition() || self.atoms[at - 1].is_join(),
            })
        };
        let mut joins = (one + 1..=other).filter(|at| self.atoms[*at].is_join());
        let behind = joins.clone().rfind(|at| is_empty(*at, other));
        if let Some(at) = behind.filter(|at| !self.parts(one + 1..*at).is_empty()) {
            return Some((at, Side::Behind));
        }
        let at = joins.next()?;
        (!self.parts(at..other).is_empty()).then_some((at, Side::Before))
    }

    /// Values of which each has its group before or behind it.
    fn listed(&self, values: &[usize]) -> Option<Vec<Member>> {
        let pairs = values.windows(2);
        let bounds: Option<Vec<_>> = pairs.map(|pair| self.boundary(pair[0], pair[1])).collect();
        let bounds = bounds?;
        let (_, side) = bounds.first()?;
        if bounds.iter().any(|(_, own)| own != side) {
            return None;
        }
        let last = *values.last()?;
        let is_end = |at: &usize| {
            let own = &self.atoms[*at];
            own.ends_clause() || own.is_join() && own.folded != "and"
        };
        let end = (last + 1..self.atoms.len())
            .find(is_end)
            .unwrap_or(self.atoms.len());
        let mut first = Vec::new();
        let groups = values.iter().enumerate().map(|(index, value)| {
            let bound = bounds.get(index).map_or(end, |(at, _)| *at);
            Some(match side {
                Side::Behind => self.behind(value + 1, bound),
                Side::Before if index == 0 => {
                    let own = self.first_group(*value, bounds[0].0..values[1])?;
                    let length = self.parts(bounds[0].0..values[1]).len();
                    first = own[..length.min(own.len())].to_vec();
                    own
                }
                Side::Before => self.parts(bounds[index - 1].0..*value),
            })
        });
        let groups = groups.collect::<Option<Vec<_>>>()?;
        let mut members = self.members(values, groups)?;
        // Behind as many words as the second group has is the subject of all: "In small mills the
        // loss was 3 % and in large ones 5 %".
        if *side == Side::Before {
            members[0].group.retain(|part| first.contains(part));
        }
        (!members[0].group.is_empty()).then_some(members)
    }

    /// The group between a value and a boundary, from its preposition on: the noun before it is
    /// that of all values, "482 cars in the old hall and 471 in the new one".
    fn behind(&self, from: usize, to: usize) -> Vec<Part> {
        let is_number = |at: usize| {
            let next = self.atoms.get(at);
            next.is_some_and(|own| own.folded.starts_with(|c: char| c.is_ascii_digit()))
        };
        // "471 of 1,152" is a number.
        let begins = |at: &usize| self.atoms[*at].is_preposition() && !is_number(at + 1);
        let preposition = (from..to).find(begins);
        let own = self.parts(preposition.unwrap_or(from)..to);
        if own.is_empty() {
            self.parts(from..to)
        } else {
            own
        }
    }

    /// The words before the first value, behind the preposition of the second group, or from the
    /// beginning of the clause.
    fn first_group(&self, value: usize, second: std::ops::Range<usize>) -> Option<Vec<Part>> {
        let mut own = self.atoms[second].iter();
        let begins = own.find(|own| own.part.is_some() || own.is_preposition())?;
        let from = if begins.is_preposition() {
            (0..value).rfind(|at| self.atoms[*at].folded == begins.folded)?
        } else {
            (0..value)
                .rfind(|at| self.atoms[*at].mark.is_some())
                .unwrap_or(0)
        };
        Some(self.parts(from..value))
    }

    /// Values and groups that are listed each by themselves, "in A and B, 3 and 5, respectively".
    fn pairwise(&self, values: &[usize]) -> Option<Vec<Member>> {
        let is_pairwise = |own: &Atom<'_>| PAIRWISE.contains(&own.folded);
        let (first, last) = (*values.first()?, *values.last()?);
        let are_listed = values
            .windows(2)
            .all(|pair| self.parts(pair[0] + 1..pair[1]).is_empty());
        if !are_listed || values.len() < 2 || !self.atoms.iter().any(is_pairwise) {
            return None;
        }
        let groups_in = |range: std::ops::Range<usize>| {
            let is_bound = |at: &usize| {
                let own = &self.atoms[*at];
                own.is_join()
                    || own.is_preposition()
                    || ARTICLES.contains(&own.folded)
                    || BE.contains(&own.folded)
                    || is_pairwise(own)
            };
            let mut bounds: Vec<usize> = range.clone().filter(is_bound).collect();
            bounds.insert(0, range.start);
            bounds.push(range.end);
            let groups = bounds.windows(2).map(|pair| self.parts(pair[0]..pair[1]));
            groups.filter(|own| !own.is_empty()).collect::<Vec<_>>()
        };
        let has_join = |range: std::ops::Range<usize>| self.atoms[range].iter().any(Atom::is_join);
        let groups = if has_join(0..first) {
            let groups = groups_in(0..first);
            groups
                .get(groups.len().checked_sub(values.len())?..)?
                .to_vec()
        } else {
            let groups = groups_in(last + 1..self.atoms.len());
            groups.get(..values.len())?.to_vec()
        };
        self.members(values, groups)
    }

    /// Two words before one preposition, of which each has what is behind it.
    fn word_values(&self) -> Option<Vec<Member>> {
        let is_value = |at: usize| {
            let is_before = self.atoms.get(at + 1).is_some_and(Atom::is_preposition);
            self.word(at).is_some_and(|own| !own.is_name) && is_before
        };
        let joins = (1..self.atoms.len()).filter(|at| self.atoms[*at].is_join());
        joins.into_iter().find_map(|join| {
            let mut behind = join..self.atoms.len();
            let other = behind.find(|at| self.word(*at).is_some_and(|own| !own.is_light()))?;
            let is_same = |at: &usize| {
                let next = self.atoms.get(at + 1).map(|own| own.folded);
                is_value(*at) && next == self.atoms.get(other + 1).map(|own| own.folded)
            };
            let is_near = !(join..other).any(|at| self.atoms[at].is_preposition());
            let one = (0..join)
                .rfind(is_same)
                .filter(|_| is_near && is_value(other))?;
            let is_end = |at: &usize| self.atoms[*at].is_join() || self.atoms[*at].mark.is_some();
            let end = (other + 1..self.atoms.len())
                .find(is_end)
                .unwrap_or(self.atoms.len());
            let groups = vec![self.parts(one + 1..join), self.parts(other + 1..end)];
            self.members(&[one, other], groups)
        })
    }

    /// The values with what only their own groups have; `None` unless each is another value and
    /// has such a word or number.
    fn members(&self, values: &[usize], groups: Vec<Vec<Part>>) -> Option<Vec<Member>> {
        let is_shared = |part: &Part, index: usize| {
            let mut others = groups
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            others.any(|(_, group)| group.iter().any(|own| self.are_same(*own, *part)))
        };
        let is_light = |part: &Part| match part {
            Part::Word(word) => self.words[*word].is_light(),
            Part::Figure(_) => false,
        };
        let members = values
            .iter()
            .zip(&groups)
            .enumerate()
            .map(|(index, (value, group))| {
                let own = group
                    .iter()
                    .filter(|part| !is_light(part) && !is_shared(part, index));
                let group: Vec<Part> = own.copied().collect();
                let value = self.atoms[*value].part?;
                (!group.is_empty()).then_some(Member { value, group })
            });
        let members: Vec<Member> = members.collect::<Option<_>>()?;
        let mut pairs = (1..members.len()).flat_map(|at| (0..at).map(move |own| (own, at)));
        let is_repeated =
            pairs.any(|(one, other)| self.are_same(members[one].value, members[other].value));
        (members.len() > 1 && !is_repeated).then_some(members)
    }

    fn are_same(&self, one: Part, other: Part) -> bool {
        match (one, other) {
            (Part::Word(one), Part::Word(other)) => self.words[one].stem == self.words[other].stem,
            (Part::Figure(one), Part::Figure(other)) => {
                let (one, other) = (&self.figures[one], &self.figures[other]);
                one.equals(other) && one.bound == other.bound
            }
            _ => false,
        }
    }
}
