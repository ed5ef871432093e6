//! The names of organisations, by the words of which they are made, in English and German.

use super::words::{fold, words};

/// Words of the names of organisations, folded; a closed list, written by hand.
const ORGANISATIONS: &[&str] = &[
    "academy",
    "ag",
    "agency",
    "alliance",
    "architects",
    "archive",
    "archives",
    "association",
    "authority",
    "bank",
    "board",
    "bureau",
    "campaign",
    "center",
    "centre",
    "charity",
    "city",
    "clinic",
    "club",
    "college",
    "commission",
    "committee",
    "company",
    "consultancy",
    "consultants",
    "consulting",
    "cooperative",
    "corporation",
    "council",
    "county",
    "data",
    "department",
    "desk",
    "district",
    "division",
    "editors",
    "energy",
    "engineering",
    "estates",
    "federation",
    "forum",
    "foundation",
    "fund",
    "gmbh",
    "government",
    "group",
    "health",
    "holding",
    "hospital",
    "housing",
    "inc",
    "industries",
    "initiative",
    "institute",
    "institution",
    "insurance",
    "international",
    "journal",
    "lab",
    "laboratories",
    "laboratory",
    "labs",
    "library",
    "limited",
    "llc",
    "llp",
    "logistics",
    "ltd",
    "magazine",
    "media",
    "ministry",
    "municipality",
    "museum",
    "network",
    "news",
    "observatory",
    "office",
    "organisation",
    "organization",
    "panel",
    "parish",
    "parliament",
    "partners",
    "pharma",
    "plc",
    "police",
    "press",
    "programme",
    "project",
    "publishers",
    "publishing",
    "railways",
    "reports",
    "research",
    "residents",
    "school",
    "secretariat",
    "service",
    "services",
    "society",
    "software",
    "solutions",
    "staff",
    "statistics",
    "systems",
    "team",
    "technologies",
    "town",
    "trust",
    "union",
    "unit",
    "university",
    "village",
    "volunteers",
    "works",
];

/// The same in German, with which compounds end: "Umweltministerium".
const COMPOUND_ENDS: &[&str] = &[
    "amt",
    "burgerinitiative",
    "gemeinde",
    "genossenschaft",
    "gesellschaft",
    "gruppe",
    "hochschule",
    "institut",
    "klinik",
    "kommission",
    "krankenhaus",
    "landkreis",
    "ministerium",
    "redaktion",
    "schule",
    "stadt",
    "stadtwerke",
    "stiftung",
    "universitat",
    "verband",
    "verein",
    "verlag",
    "werke",
];

/// Words with which the names of organisations begin, folded.
const FIRST_WORDS: &[&str] = &[
    "american",
    "british",
    "european",
    "federal",
    "friends",
    "german",
    "global",
    "international",
    "national",
    "northern",
    "royal",
    "scottish",
    "southern",
    "the",
    "united",
    "welsh",
    "western",
    "world",
];

/// `true` for the name of an organisation that says so: "Harbour Office", "Landesamt".
pub fn is_organisation(name: &str) -> bool {
    let mut words = words(name).map(|word| fold(word.text)).peekable();
    let begins = words
        .peek()
        .is_some_and(|first| FIRST_WORDS.contains(&first.as_str()));
    begins
        || words.any(|word| {
            let ends = COMPOUND_ENDS.iter().any(|end| word.ends_with(end));
            ends || ORGANISATIONS.contains(&word.as_str())
        })
}

/// Small words in the names of organisations.
const SMALL_WORDS: &[&str] = &[
    "&", "and", "der", "des", "die", "e.", "for", "für", "im", "of", "on", "the", "und",
];

/// `true` for the name of an organisation and nothing else: each word has a capital, but for small
/// ones. "New school opens in Lorvik" is none.
pub fn is_name_of_organisation(line: &str) -> bool {
    let is_part = |word: &str| !word.starts_with(char::is_lowercase) || SMALL_WORDS.contains(&word);
    line.split(' ').all(is_part) && is_organisation(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn organisation_is_known_by_its_words() {
        for name in [
            "Harbour Office",
            "World Bank",
            "Nordring Energie GmbH",
            "Umweltministerium",
            "Fenwick Consulting",
            "Stadt Kehrfeld",
        ] {
            assert!(is_organisation(name), "{name}");
        }
        assert!(is_name_of_organisation("Society for the Study of Heat"));
        assert!(!is_name_of_organisation("New school opens in Lorvik"));
        for name in [
            "Ann Howard",
            "Bea Ward",
            "M. Lind",
            "Jan van der Berg",
            "Edward Banks",
        ] {
            assert!(!is_organisation(name), "{name}");
        }
    }
}
