//! Small tables of synonyms and near-synonyms of everyday questions, by language and stem.
//!
//! WordNet's table was weighed instead: 3 MB in the program and 50 ms at every start, for words
//! that the trigrams of [`super::super::ranking::matching`] mostly unite already.

use std::ptr;
use std::sync::LazyLock;

use foldhash::HashMap;

use super::arabic;
use crate::text::{self, Language};

/// The groups of synonyms of a language, by stem.
type Table = HashMap<String, Vec<u16>>;

/// The groups of synonyms that a word of a question belongs to.
#[derive(Debug, Clone, Default)]
pub(in crate::answering) struct Groups {
    /// None in a language without a table.
    table: Option<&'static Table>,
    numbers: Vec<u16>,
}

impl PartialEq for Groups {
    fn eq(&self, other: &Self) -> bool {
        // A language has one table, of thousands of words.
        let [own, others] = [self.table, other.table].map(|table| table.map(ptr::from_ref));
        own == others && self.numbers == other.numbers
    }
}

impl Groups {
    /// The groups of a stem in the language of a code of ISO 639-1.
    pub(in crate::answering) fn of(stem: &str, code: &str) -> Self {
        let is_participant = stem == PARTICIPANT && code == Language::default().code();
        let table = table(if is_participant { PARTICIPANTS } else { code });
        let groups = |stem: &str| table.and_then(|table| table.get(stem));
        // "Cheapest" and "cheaper" ask for the price as "cheap" does.
        let adjective = || adjective(stem).filter(|_| code == Language::default().code());
        let numbers = groups(stem).or_else(|| groups(&adjective()?)).cloned();
        Self {
            table,
            numbers: numbers.unwrap_or_default(),
        }
    }

    /// `true` if a stem belongs to one of these groups.
    pub(in crate::answering) fn contain(&self, stem: &str) -> bool {
        !self.numbers.is_empty()
            && self
                .table
                .and_then(|table| table.get(stem))
                .is_some_and(|own| own.iter().any(|number| self.numbers.contains(number)))
    }
}

/// The table of a language, made when it is first used.
fn table(code: &str) -> Option<&'static Table> {
    static TABLES: [LazyLock<Table>; 7] = [
        LazyLock::new(english),
        LazyLock::new(|| groups("de", include_str!("synonyms/de.txt"))),
        LazyLock::new(|| groups("es", include_str!("synonyms/es.txt"))),
        LazyLock::new(|| groups("ar", include_str!("synonyms/ar.txt"))),
        LazyLock::new(|| groups("zh", include_str!("synonyms/zh.txt"))),
        LazyLock::new(|| by_stem(QUARTERS.into_iter(), english_stem)),
        LazyLock::new(|| by_stem(std::iter::once(TAKING_PART), english_stem)),
    ];
    let codes = ["en", "de", "es", "ar", "zh", QUARTER, PARTICIPANTS];
    let number = codes.iter().position(|own| *own == code)?;
    TABLES.get(number).map(|table| &**table)
}

/// The table of groups that are written one a line.
fn groups(code: &str, lines: &str) -> Table {
    let stem = |word: &str| match code {
        "ar" => arabic::verb(&arabic::light_stem(word)).to_owned(),
        // Words of two ideographs have no inflections.
        "zh" => word.to_owned(),
        _ => Language::of_code(code).stem(word, &text::fold(word)),
    };
    by_stem(lines.lines(), stem)
}

fn english() -> Table {
    by_stem(english_groups(), english_stem)
}

/// Words that a question and its answer use for one another, written by hand from general English,
/// not from any collection; and the forms of irregular words.
fn english_groups() -> impl Iterator<Item = &'static str> {
    let groups = include_str!("synonyms/en.txt").lines();
    groups.chain(IRREGULAR.split(", "))
}

/// `true` if two English stems stand in one group: a question and its answer use one for the other.
pub(crate) fn are_near_synonyms(one: &str, other: &str) -> bool {
    let groups = |stem: &str| table(Language::default().code())?.get(stem);
    let own = groups(one).filter(|_| one != other);
    let others = own.and_then(|_| groups(other));
    own.zip(others)
        .is_some_and(|(own, others)| own.iter().any(|group| others.contains(group)))
}

/// The other English words of the groups of a stem.
pub(in crate::answering) fn others(stem: &str) -> Vec<&'static str> {
    let has = |group: &&str| group.split(' ').any(|word| english_stem(word) == stem);
    let words = english_groups()
        .filter(has)
        .flat_map(|group| group.split(' '));
    words.filter(|word| english_stem(word) != stem).collect()
}

/// The least length of an adjective with a comparative, in letters: "manner" is none of "man".
const COMPARED_LETTERS: usize = 4;

/// The stem of the adjective of an English superlative or comparative: of "cheapest", "heaviest",
/// "hottest", "quicker".
fn adjective(degree: &str) -> Option<String> {
    // The French "est" is none.
    let comparative = || {
        let base = degree.strip_suffix("er")?;
        (base.len() >= COMPARED_LETTERS).then_some(base)
    };
    let base = degree.strip_suffix("est").or_else(comparative)?;
    let last = base.chars().next_back()?;
    let single = base.strip_suffix(last)?;
    Some(match base.strip_suffix('i') {
        Some(base) => english_stem(&format!("{base}y")),
        None if single.ends_with(last) => single.to_owned(),
        None => base.to_owned(),
    })
}

fn english_stem(word: &str) -> String {
    Language::default().stem(word, word)
}

/// The stem of the word for those who take part, the code of the table of other words for it, and
/// these. A table of its own: "patients" is not another word for "volunteers" elsewhere.
const PARTICIPANT: &str = "particip";
const PARTICIPANTS: &str = "participants";
const TAKING_PART: &str = "participants participate attend attendance attendee present people \
                           persons patients residents subjects volunteers respondents adults \
                           children women men";

/// The code of the table of quarters, beside those of languages.
const QUARTER: &str = "quarter";

/// The quarters of a year with the months by which reports name them. A table of its own: elsewhere
/// "May" is not another word for "April".
const QUARTERS: [&str; 4] = [
    "q1 first 1st january february march",
    "q2 second 2nd april may june",
    "q3 third 3rd july august september",
    "q4 fourth 4th october november december",
];

/// The months of a quarter by a word for it, "q2" or "second"; none for another word.
pub(in crate::answering) fn of_quarter(word: &str) -> Option<Groups> {
    let groups = Groups::of(&english_stem(word), QUARTER);
    let is_quarter = |line: &str| line.split(' ').take(3).any(|own| own == word);
    QUARTERS
        .iter()
        .any(|line| is_quarter(line))
        .then_some(groups)
}

fn by_stem<'a>(groups: impl Iterator<Item = &'a str>, stem: impl Fn(&str) -> String) -> Table {
    let mut table = Table::default();
    for (number, group) in groups.enumerate() {
        for word in group.split(' ') {
            let numbers = table.entry(stem(word)).or_default();
            numbers.push(u16::try_from(number).unwrap_or(u16::MAX));
        }
    }
    table
}

/// The irregular verbs and nouns of English, whose forms no stemmer unites; those that are in a
/// group above are not repeated.
const IRREGULAR: &str = "eat ate eaten, bear bore borne, become became, bend bent, bind bound, \
    bite bit bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought, \
    begin began begun, build built, burn burnt, buy bought, catch caught, choose chose chosen, \
    come came, creep crept, deal dealt, dig dug, draw drew drawn, drink drank drunk, \
    drive drove driven, fall fell fallen, feed fed, feel felt, fight fought, find found, \
    fly flew flown, forbid forbade forbidden, forget forgot forgotten, freeze froze frozen, \
    get got gotten, give gave given, go went gone, grow grew grown, hang hung, hear heard, \
    hide hid hidden, hold held, keep kept, know knew known, lay laid, lead led, learn learnt, \
    leave left, lend lent, lose lost, make made, mean meant, meet met, pay paid, \
    ride rode ridden, ring rang rung, rise rose risen, run ran, see saw seen, seek sought, \
    sell sold, send sent, shake shook shaken, shoot shot, show shown, shrink shrank shrunk, \
    sing sang sung, sink sank sunk, sit sat, sleep slept, speak spoke spoken, spend spent, \
    stand stood, steal stole stolen, stick stuck, strike struck, swear swore sworn, \
    sweep swept, swim swam swum, take took taken, teach taught, tear tore torn, tell told, \
    think thought, throw threw thrown, understand understood, wake woke woken, wear wore worn, \
    win won, write wrote written, child children, man men, woman women, person people, \
    foot feet, tooth teeth, mouse mice, goose geese, leaf leaves, life lives, knife knives";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_of_a_language_are_met_in_any_inflection() {
        for (code, word, other) in [
            ("en", "loud", "noises"),
            ("en", "eat", "ate"),
            ("en", "speak", "spoke"),
            ("de", "Krankheit", "Erkrankungen"),
            ("es", "nación", "países"),
        ] {
            let language = Language::of_code(code);
            let stem = |word: &str| language.stem(word, &text::fold(word));
            assert!(
                Groups::of(&stem(word), code).contain(&stem(other)),
                "{word}"
            );
        }
        let arabic = Groups::of(&arabic::light_stem("دولة"), "ar");
        assert!(arabic.contain(&arabic::light_stem("البلد")));
        assert!(Groups::of("国家", "zh").contain("各国"));
        assert!(!Groups::of("国家", "zh").contain("城市"));
        assert!(!Groups::of("pays", "fr").contain("nation"));
    }

    #[test]
    fn adjective_of_a_superlative_is_found() {
        for (superlative, expected) in [
            ("cheapest", Some("cheap")),
            ("hottest", Some("hot")),
            ("est", None),
            ("\u{1000}est", Some("\u{1000}")),
        ] {
            assert_eq!(adjective(superlative).as_deref(), expected, "{superlative}");
        }
    }
}
