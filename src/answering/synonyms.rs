//! A small table of English synonyms and near-synonyms of everyday questions, by stem.
//!
//! WordNet's table was weighed instead: 3 MB in the program and 50 ms at every start, for words
//! that the trigrams of [`super::matching`] mostly unite already.

use std::sync::LazyLock;

use foldhash::HashMap;

use crate::text::Language;

/// The numbers of the groups that a stem belongs to.
pub(super) type Groups = Vec<u16>;

/// The groups of a stem.
pub(super) fn groups(stem: &str) -> Groups {
    BY_STEM.get(stem).cloned().unwrap_or_default()
}

/// `true` if a stem belongs to one of these groups.
pub(super) fn are_synonyms(groups: &Groups, stem: &str) -> bool {
    !groups.is_empty()
        && BY_STEM
            .get(stem)
            .is_some_and(|own| own.iter().any(|group| groups.contains(group)))
}

static BY_STEM: LazyLock<HashMap<String, Groups>> = LazyLock::new(|| {
    let english = Language::default();
    let mut by_stem: HashMap<String, Groups> = HashMap::default();
    for (number, group) in GROUPS.iter().enumerate() {
        for word in group.split(' ') {
            let groups = by_stem.entry(english.stem(word, word)).or_default();
            groups.push(u16::try_from(number).unwrap_or(u16::MAX));
        }
    }
    by_stem
});

/// Words that a question and its answer use for one another. Written by hand from general English,
/// not from any collection.
const GROUPS: &[&str] = &[
    "loud loudness noise noisy sound quiet silent decibel",
    "cost price expensive cheap fee charge pay expense dear",
    "money saving savings euro dollar pound",
    "buy purchase acquire bought",
    "sell sale sold",
    "lifespan lifetime longevity durability life endure",
    "begin start commence launch initiate",
    "end finish stop cease conclude terminate",
    "big large huge great size",
    "small little tiny minor",
    "fast quick rapid speed swift",
    "slow slowly sluggish",
    "increase grow growth rise raise",
    "decrease decline reduce reduction fall drop shrink",
    "build construct construction erect built",
    "create make produce found establish creation",
    "destroy demolish ruin destruction",
    "house home dwelling residence building",
    "car vehicle automobile",
    "ship boat vessel",
    "job work occupation employment profession",
    "worker employee staff",
    "teacher instructor lecturer professor",
    "student pupil",
    "doctor physician",
    "illness disease sickness",
    "kill murder slay",
    "die death dead",
    "born birth birthplace",
    "marry wife husband spouse married marriage wed",
    "child son daughter offspring",
    "win victory defeat beat won victorious",
    "lose loss lost defeat",
    "leader head chief director",
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
    "allow permit enable",
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
    "invent invention inventor develop",
    "write author writer wrote written",
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
    "fuel oil gas petrol",
    "electricity power electric current",
    "efficient efficiency",
];
