//! The authors that a document names.

use crate::text::{fold, is_organisation};

/// The words of a person's name, at least and at most.
const NAME_WORDS: std::ops::RangeInclusive<usize> = 2..=6;

/// Small words with which family names begin: "van der Berg".
const PARTICLES: &[&str] = &[
    "af", "al", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du",
    "el", "ibn", "la", "le", "ten", "ter", "van", "von", "zu", "zum", "zur",
];

/// Capitals behind a name that are no initials: legal forms, degrees, countries and numerals.
const NO_INITIALS: &[&str] = &[
    "AG", "EU", "HR", "II", "III", "IT", "IV", "KG", "LLC", "MD", "NV", "OY", "PHD", "PLC", "PR",
    "QC", "RN", "SA", "SE", "UK", "UN", "US", "USA",
];

/// What a person is or has a degree of, and no name; folded, a closed list, written by hand.
const ROLES: &[&str] = &[
    "analyst",
    "bsc",
    "chair",
    "consultant",
    "dphil",
    "mba",
    "mph",
    "msc",
    "phd",
    "director",
    "editor",
    "engineer",
    "head",
    "inspector",
    "manager",
    "master",
    "officer",
    "president",
    "secretary",
];

/// The most letters of initials without full stops: "Lind KLM".
const INITIALS: usize = 3;

/// The authors that one field names: "P. Lind, R. Ammann and N. Haddad", "Lind P, Ammann R" or
/// "Lind, Peter; Ammann, Rita". What is no list of names is one author, "Ministry of Food, Farming
/// and Forests".
pub(super) fn authors(field: &str) -> Vec<String> {
    let parts = parts(field);
    let names: Vec<&str> = parts.iter().map(|own| own.1).collect();
    let persons = parts.iter().filter(|own| own.0 == Part::Person).count();
    let first_is_person = parts.first().is_some_and(|own| own.0 == Part::Person);
    let is_list = names.len() > 1 && parts.iter().all(|own| own.0 != Part::Other);
    let all = if is_list && first_is_person {
        // "Ann Lee, Lift Board": where she works, and no second author.
        let mut own = parts;
        own.retain(|own| own.0 == Part::Person);
        own.into_iter().map(|own| own.1).collect()
    } else if is_list && persons == 0 && parts.iter().all(|own| own.0 == Part::Organisation) {
        names
    } else {
        vec![field]
    };
    let all = all.into_iter().filter(|author| !author.is_empty());
    all.map(str::to_owned).collect()
}

/// The organisation behind the names of persons in one field: "Ann Lee, Lift Board".
pub(super) fn affiliation(field: &str) -> Option<&str> {
    let parts = parts(field);
    let is_list = parts.iter().all(|own| own.0 != Part::Other);
    let mut of = parts.iter().filter(|own| own.0 == Part::Organisation);
    let (first, further) = (of.next()?, of.next());
    let is_behind = parts.first().is_some_and(|own| own.0 == Part::Person);
    (is_list && is_behind && further.is_none()).then_some(first.1)
}

/// The kind of one part of a list of authors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Person,
    Organisation,
    Role,
    Other,
}

/// The parts of a field between its commas, or between its semicolons where it has some.
fn parts(field: &str) -> Vec<(Part, &str)> {
    let field = field.trim();
    let is_inverted = |part: &str| inverted(part).is_some();
    let marks: &[char] = if field.contains(';') || field.split(" and ").all(is_inverted) {
        &[';']
    } else {
        &[',']
    };
    let parts = field.split(marks).flat_map(|part| part.split(" and "));
    let parts = parts.flat_map(|part| part.split(" & "));
    let parts = parts.map(|part| part.trim().trim_start_matches("and ").trim());
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(|part| (part_kind(part), part)).collect()
}

fn part_kind(part: &str) -> Part {
    if inverted(part).is_some() || family_first(part).is_some() {
        return Part::Person;
    }
    let mut words = part.split(' ');
    let is_name = NAME_WORDS.contains(&words.clone().count())
        && words.all(|word| word.starts_with(char::is_uppercase) || PARTICLES.contains(&word));
    if is_role(part) {
        Part::Role
    } else if !is_name {
        Part::Other
    } else if is_organisation(part) {
        Part::Organisation
    } else {
        Part::Person
    }
}

/// An author of a document.
pub(super) enum Author {
    Person(Person),
    /// A group, or a name of which it is not known whether it is that of a person, as written.
    Literal(String),
}

/// The authors that one field names, persons by the parts of their names.
pub(super) fn named(field: &str) -> Vec<Author> {
    match persons(field) {
        Some(persons) => persons.into_iter().map(Author::Person).collect(),
        None => authors(field).into_iter().map(Author::Literal).collect(),
    }
}

/// The name of a person in its parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Person {
    pub(super) family: String,
    /// The names before it, as written, and initials with full stops.
    pub(super) given: String,
}

impl Person {
    /// "J. R." or "J.-P.".
    pub(super) fn initials(&self) -> String {
        let initials: Vec<String> = self.given.split(' ').map(initial).collect();
        initials.join(" ")
    }

    /// "Okafor, Ruth".
    pub(super) fn inverted(&self) -> String {
        format!("{}, {}", self.family, self.given)
    }

    /// "Ruth Okafor".
    pub(super) fn in_order(&self) -> String {
        format!("{} {}", self.given, self.family)
    }
}

/// The persons that one field names; `None` where it names a group: "World Bank" does, "Ruth
/// Okafor" does not, and neither do the names of a list.
pub(super) fn persons(field: &str) -> Option<Vec<Person>> {
    let names = authors(field);
    let is_person = |name: &String| part_kind(name) == Part::Person;
    let are_persons = !names.is_empty() && names.iter().all(is_person);
    let persons = names
        .iter()
        .filter(|_| are_persons)
        .map(|name| person(name));
    let persons = persons.collect::<Option<Vec<Person>>>()?;
    Some(persons).filter(|persons| !persons.is_empty())
}

fn is_initial(word: &str) -> bool {
    word.ends_with('.') && initial(word) == word
}

/// The initials of a word of capitals, with their full stops: "K. L." of "KL", "J.-P." of "J-P".
fn bare_initials(word: &str) -> Option<String> {
    let letters = || word.chars().filter(|c| *c != '-');
    let is_bare = letters().all(char::is_uppercase) && (1..=INITIALS).contains(&letters().count());
    if !is_bare || word.starts_with('-') || NO_INITIALS.contains(&word) {
        return None;
    }
    let mut initials = String::new();
    for c in word.chars() {
        match c {
            '-' => initials.push('-'),
            _ if initials.is_empty() || initials.ends_with('-') => initials.extend([c, '.']),
            _ => initials.extend([' ', c, '.']),
        }
    }
    Some(initials)
}

/// A person whose initials are behind the name: "Tveit M.", "van Dam J. R.", "O'Connor P".
fn family_first(name: &str) -> Option<Person> {
    let words: Vec<&str> = name.split(' ').collect();
    let initials = |word: &str| {
        let dotted = is_initial(word).then(|| word.to_owned());
        dotted.or_else(|| bare_initials(word.trim_end_matches('.')))
    };
    let given: Vec<String> = words.iter().rev().map_while(|own| initials(own)).collect();
    let family = &words[..words.len() - given.len()];
    let is_family = |name: &str| !is_organisation(name) && name.contains(char::is_lowercase);
    let begins = family.iter().find(|word| !PARTICLES.contains(word));
    let is_capital = begins.is_some_and(|word| word.contains(char::is_uppercase));
    let (family, given): (_, Vec<String>) = (family.join(" "), given.into_iter().rev().collect());
    (is_capital && is_family(&family) && !given.is_empty()).then(|| Person {
        family,
        given: given.join(" "),
    })
}

/// A person whose given names are behind a comma: "Lind, Peter", "van der Berg, Jan".
fn inverted(name: &str) -> Option<Person> {
    let (family, given) = name.split_once(',')?;
    let (family, given) = (family.trim(), given.trim());
    let is_capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase)
            && word
                .chars()
                .all(|c| c.is_alphabetic() || "-.'’".contains(c))
    };
    let mut names = family.split(' ').skip_while(|own| PARTICLES.contains(own));
    let is_family = names.next().is_some_and(is_capital) && names.next().is_none();
    let mut words = given.split(' ');
    let is_given = words.clone().count() <= 3 && words.all(is_capital);
    let is_group = [family, given].into_iter().any(is_organisation)
        || is_role(given)
        || NO_INITIALS.contains(&given);
    (is_family && is_given && !is_group).then(|| Person {
        family: family.to_owned(),
        given: bare_initials(given).unwrap_or_else(|| given.to_owned()),
    })
}

fn is_role(part: &str) -> bool {
    let mut words = part.split(' ').map(fold);
    words.any(|word| ROLES.contains(&word.as_str()))
}

fn person(name: &str) -> Option<Person> {
    if let Some(person) = inverted(name).or_else(|| family_first(name)) {
        return Some(person);
    }
    let words: Vec<&str> = name.split(' ').collect();
    let particle = words.iter().skip(1).position(|own| PARTICLES.contains(own));
    let at = particle.map_or(words.len() - 1, |at| at + 1);
    let (given, family) = words.split_at(at);
    let (given, family) = (given.join(" "), family.join(" "));
    // "Jr." is no name.
    let is_family = family.contains(char::is_uppercase) && !family.ends_with('.');
    (is_family && !given.is_empty()).then_some(Person { family, given })
}

/// The initial of a name, of each part of one with a hyphen: "J.-P." of "Jean-Pierre".
fn initial(name: &str) -> String {
    let parts = name.split('-').filter_map(|part| part.chars().next());
    let parts: Vec<String> = parts.map(|first| format!("{first}.")).collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_of_persons_is_several_authors_and_a_name_with_a_comma_is_one() {
        let lists = "P. Lind, R. Ammann, N. Haddad";
        assert_eq!(authors(lists), ["P. Lind", "R. Ammann", "N. Haddad"]);
        assert_eq!(authors("Ann Berg and Jo Lind"), ["Ann Berg", "Jo Lind"]);
        assert_eq!(
            authors("Lind, Peter; ter Moe, Jo"),
            ["Lind, Peter", "ter Moe, Jo"]
        );
        for one in [
            "Lind, Peter",
            "Ministry of Food, Farming and Forests",
            "World Bank",
        ] {
            assert_eq!(authors(one), [one]);
        }
        assert_eq!(authors(""), Vec::<String>::new());
    }

    #[test]
    fn organisation_behind_a_person_is_no_author() {
        for (field, names, organisation) in [
            (
                "Ann Berg, Fenwick Consulting",
                &["Ann Berg"][..],
                Some("Fenwick Consulting"),
            ),
            (
                "Ann Berg and Jo Lind, Lift Board",
                &["Ann Berg", "Jo Lind"],
                Some("Lift Board"),
            ),
            ("Ann Berg, Cellar Master", &["Ann Berg"], None),
            ("Ann Berg, PhD", &["Ann Berg"], None),
            (
                "Lift Board, Harbour Office",
                &["Lift Board", "Harbour Office"],
                None,
            ),
            ("Ann Berg", &["Ann Berg"], None),
        ] {
            assert_eq!(authors(field), names, "{field}");
            assert_eq!(affiliation(field), organisation, "{field}");
        }
    }

    #[test]
    fn names_of_persons_have_parts_where_they_are_surely_persons() {
        let of = |field: &str| {
            let persons = persons(field)?.into_iter();
            let names = persons.map(|own| format!("{}, {}", own.family, own.initials()));
            Some(names.collect::<Vec<_>>().join("; "))
        };
        for (field, expected) in [
            ("R. Okafor", Some("Okafor, R.")),
            ("J.-P. Lind", Some("Lind, J.-P.")),
            ("R. Okafor, M. Lindqvist", Some("Okafor, R.; Lindqvist, M.")),
            ("Tveit M., Aune K. L.", Some("Tveit, M.; Aune, K. L.")),
            ("Tveit M.", Some("Tveit, M.")),
            ("Tveit M", Some("Tveit, M.")),
            (
                "Tveit M, D'Aune KL, ter Moe J-P.",
                Some("Tveit, M.; D'Aune, K. L.; ter Moe, J.-P."),
            ),
            ("Lind, Peter; Moe, J.", Some("Lind, P.; Moe, J.")),
            ("Lind, Peter", Some("Lind, P.")),
            ("Lind, Peter and Moe, Jo", Some("Lind, P.; Moe, J.")),
            ("Jan ter Moe", Some("ter Moe, J.")),
            ("Ann Mary Berg and Jo Lind", Some("Berg, A. M.; Lind, J.")),
            ("Ann Berg, Fenwick Consulting", Some("Berg, A.")),
            ("Ann Berg", Some("Berg, A.")),
            ("World Bank", None),
            ("Lindmark AG", None),
            ("Working Group A", None),
            ("Advice desk", None),
            ("Smith", None),
            ("", None),
        ] {
            assert_eq!(of(field).as_deref(), expected, "{field}");
        }
    }
}
