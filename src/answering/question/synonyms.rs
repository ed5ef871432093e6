//! Small tables of synonyms and near-synonyms of everyday questions, by language and stem.
//!
//! WordNet's table was weighed instead: 3 MB in the program and 50 ms at every start, for words
//! that the trigrams of [`super::super::ranking::matching`] mostly unite already.

use std::sync::LazyLock;

use foldhash::HashMap;

use super::arabic;
use crate::text::{self, Language};

/// The groups of synonyms of a language, by stem.
type Table = HashMap<String, Vec<u16>>;

/// The groups of synonyms that a word of a question belongs to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::answering) struct Groups {
    /// None in a language without a table.
    table: Option<&'static Table>,
    numbers: Vec<u16>,
}

impl Groups {
    /// The groups of a stem in the language of a code of ISO 639-1.
    pub(in crate::answering) fn of(stem: &str, code: &str) -> Self {
        let table = table(code);
        let groups = |stem: &str| table.and_then(|table| table.get(stem));
        // "Cheapest" asks for the price as "cheap" does.
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
    static TABLES: [LazyLock<Table>; 6] = [
        LazyLock::new(english),
        LazyLock::new(|| groups("de", include_str!("synonyms/de.txt"))),
        LazyLock::new(|| groups("es", include_str!("synonyms/es.txt"))),
        LazyLock::new(|| groups("ar", include_str!("synonyms/ar.txt"))),
        LazyLock::new(|| groups("zh", include_str!("synonyms/zh.txt"))),
        LazyLock::new(|| by_stem(QUARTERS.into_iter(), english_stem)),
    ];
    let codes = ["en", "de", "es", "ar", "zh", QUARTER];
    let number = codes.iter().position(|own| *own == code)?;
    TABLES.get(number).map(|table| &**table)
}

/// The table of groups that are written one a line.
fn groups(code: &str, lines: &str) -> Table {
    let stem = |word: &str| match code {
        "ar" => arabic::light_stem(word),
        // Words of two ideographs have no inflections.
        "zh" => word.to_owned(),
        _ => Language::of_code(code).stem(word, &text::fold(word)),
    };
    by_stem(lines.lines(), stem)
}

fn english() -> Table {
    by_stem(english_groups(), english_stem)
}

fn english_groups() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().copied().chain(IRREGULAR.split(", "))
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

/// The stem of the adjective of an English superlative: of "cheapest", "heaviest", "hottest".
fn adjective(superlative: &str) -> Option<String> {
    // The French "est" is none.
    let base = superlative.strip_suffix("est")?;
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

/// Words that a question and its answer use for one another. Written by hand from general English,
/// not from any collection.
const GROUPS: &[&str] = &[
    "loud loudness noise noisy sound quiet silent decibel",
    "cost price expensive cheap fee pay expense dear",
    "cost price fee charge",
    "expect expectation forecast outlook guidance predict prediction",
    "pay payment finance funding",
    "move movement relocation",
    "ship shipment delivery distribute distribution",
    "treat treatment",
    "max maximum",
    "min minimum",
    "arrive arrival deliver delivery sent",
    "money saving savings euro dollar pound",
    "buy purchase acquire bought",
    "spend spent expenditure expense",
    "sell sale sold",
    "lifespan lifetime longevity durability life endure",
    "begin start commence launch initiate",
    "end finish stop cease conclude terminate",
    "finish finished done complete completed state status",
    "turn switch shut",
    "keep keeper",
    "keep stay remain",
    "lead leader",
    "own owner",
    "run runner",
    "win winner",
    "keep kept retain retained retention store stored preserve",
    "choose chose chosen pick select selected selection adopt adopted",
    "hit affect affected",
    "acknowledge acknowledgement ack",
    "outage downtime down",
    "rota rotation roster shift",
    "compensation compensate refund reimburse reimbursement credit",
    "percentile p50 p90 p95 p99",
    "50th p50 median",
    "90th p90",
    "95th p95",
    "99th p99",
    "big large huge great size",
    "small little tiny minor",
    "fast quick rapid speed swift",
    "slow slowly sluggish",
    "increase grow growth rise raise",
    "meeting minutes session assembly gathering",
    "accept agree approve adopt choose chosen decide",
    "phone telephone tel mobile",
    "become join apply enrol enroll register",
    "cancel quit resign terminate notice leave",
    "repair fix mend",
    "decide decided decision decisions resolve resolved resolution",
    "attend attendance attendee present participant participate",
    "publish published publication date dated",
    "write author wrote written writer",
    "write record wrote written",
    "full fill",
    "decrease decline reduce reduction fall drop shrink",
    "build construct construction erect built",
    "create make produce found establish creation",
    "destroy demolish ruin destruction",
    "fell toppled overturned tipped",
    "vacation holiday leave",
    "party festival fete celebration",
    "strong strength alcohol",
    "house home dwelling residence building terrace cottage bungalow villa",
    "car vehicle automobile",
    "ship boat vessel",
    "bike bicycle",
    "ride cycle",
    "cut reduce reduction lower decrease",
    "open opening closed closing",
    "neighbour anyone anybody somebody someone",
    "friend anyone anybody somebody someone",
    "colleague anyone anybody somebody someone",
    "wifi wlan",
    "put place install",
    "lab laboratory",
    "morning a.m am",
    "afternoon evening p.m pm",
    "photo photograph picture",
    "fridge refrigerator",
    "exam examination",
    "lorry truck",
    "lift elevator",
    "flat apartment",
    "rubbish garbage trash waste refuse",
    "tap faucet",
    "pavement sidewalk",
    "autumn fall",
    "toilet lavatory restroom",
    "cellar basement",
    "attic loft",
    "sofa couch",
    "cupboard cabinet closet",
    "football soccer",
    "underground subway metro tube",
    "torch flashlight",
    "petrol gasoline",
    "bill invoice",
    "guarantee warranty",
    "shed shelter hut",
    "stuck trapped jammed",
    "defect fault flaw deficiency defective faulty broken",
    "device apparatus machine instrument equipment",
    "germ bacteria bacterium microbe",
    "practise practice drill rehearse rehearsal",
    "evacuate evacuation",
    "inspect inspection examine examination check test",
    "boss manager supervisor",
    "absent excused apology",
    "kid child",
    "staff personnel",
    "wash clean",
    "mistake typo",
    "ad advert advertisement",
    "gym gymnasium",
    "admin administration",
    "hurt injure injured injury wound wounded",
    "accident incident crash",
    "job work occupation employment profession",
    "worker employee staff",
    "teacher instructor lecturer professor",
    "student pupil",
    "doctor physician",
    "illness disease sickness",
    "kill murder slay",
    "die death dead kill",
    "born birth birthplace",
    "marry wife husband spouse married marriage wed",
    "child son daughter offspring",
    "win victory defeat beat won victorious",
    "lose loss lost defeat",
    "leader head chief director",
    "responsible responsibility owner accountable",
    "king monarch ruler",
    "country nation state",
    "city town municipality",
    "area region territory zone",
    "people population inhabitant resident",
    "member belong",
    "famous notable prominent known",
    "important significant major main principal key",
    "job task duty role",
    "help aid assist support",
    "use usage utilize employ",
    "need require requirement necessary must",
    "allow permit enable forbid forbidden prohibit ban",
    "forbid prohibit ban bar",
    "advantage benefit strength merit pro",
    "disadvantage drawback downside weakness con",
    "danger risk hazard dangerous",
    "problem issue difficulty trouble",
    "reason cause",
    "result effect consequence outcome impact",
    "method technique approach way procedure",
    "kind type sort category",
    "part component portion element",
    "show demonstrate display",
    "find discover discovery detect",
    "bid tender",
    "submit submission receive",
    "earn salary wage income pay paid",
    "take bring carry",
    "bus buses vehicle",
    "invent invention inventor develop",
    "speak talk speech say said",
    "name call term title",
    "study research investigate investigation",
    "think believe opinion consider",
    "disagree dispute controversy contradict contradictory disagreement",
    "agree agreement consensus",
    "change modify alter amend alteration",
    "replace substitute substitution replacement exchange",
    "remove delete eliminate removal",
    "add include addition",
    "join unite merge",
    "separate split divide division",
    "move transfer migrate relocate",
    "travel journey trip voyage",
    "eat feed consume food diet prey",
    "drink beverage",
    "rich wealthy wealth",
    "poor poverty",
    "old ancient elderly age",
    "new recent modern",
    "early first initial",
    "earn income salary wage",
    "tax taxation",
    "law legislation act statute",
    "war conflict battle",
    "attack assault invade invasion",
    "army military troop force",
    "church religion religious",
    "picture image photo photograph",
    "movie film",
    "music song",
    "average mean typical",
    "amount quantity number total",
    "long length",
    "tall height high",
    "wide width broad",
    "deep depth",
    "heavy weigh weight",
    "hot heat warm temperature",
    "cold cool winter frost",
    "sensible worthwhile worth suitable reasonable advisable sense",
    "landlord owner tenant lease",
    "error mistake fault bug",
    "fix repair mend",
    "fail failure",
    "safe safety secure security",
    "late delay delayed",
    "expire expiry end terminate",
    "escape escaped spare spared",
    "austria austrian",
    "belgium belgian",
    "britain british",
    "china chinese",
    "czechia czech",
    "denmark danish dane",
    "england english",
    "finland finnish finn",
    "france french",
    "germany german",
    "greece greek",
    "hungary hungarian",
    "iceland icelandic",
    "ireland irish",
    "italy italian",
    "japan japanese",
    "netherlands dutch holland",
    "norway norwegian",
    "poland polish pole",
    "portugal portuguese",
    "scotland scottish",
    "spain spanish",
    "sweden swedish swede",
    "switzerland swiss",
    "turkey turkish",
    "wales welsh",
    "two 2",
    "three 3",
    "four 4",
    "five 5",
    "six 6",
    "seven 7",
    "eight 8",
    "nine 9",
    "ten 10",
    "eleven 11",
    "twelve 12",
    "fifteen 15",
    "twenty 20",
    "thirty 30",
    "hundred 100",
    "fuel petrol",
    "electricity power electric current",
    "efficient efficiency",
];

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
