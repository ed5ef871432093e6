//! The authors that a document names.

/// The words of a person's name, at least and at most.
const NAME_WORDS: std::ops::RangeInclusive<usize> = 2..=4;

/// The authors that one field names: "P. Lind, R. Ammann and N. Haddad". What is no list of names
/// of persons is one author, "Ministry of Food, Farming and Forests".
pub(super) fn authors(field: &str) -> Vec<String> {
    let parts = field.split([',', ';']).flat_map(|part| part.split(" and "));
    let parts: Vec<&str> = parts
        .map(|part| part.trim().trim_start_matches("and ").trim())
        .filter(|part| !part.is_empty())
        .collect();
    let is_person = |part: &&str| {
        let mut words = part.split(' ');
        NAME_WORDS.contains(&words.clone().count())
            && words.all(|word| word.starts_with(char::is_uppercase))
    };
    let all = if parts.len() > 1 && parts.iter().all(is_person) {
        parts
    } else {
        vec![field]
    };
    let all = all.into_iter().filter(|author| !author.is_empty());
    all.map(str::to_owned).collect()
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
    /// The names before it, as written.
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
}

/// The persons that one field names; `None` where it may name a group: "World Bank" may be one,
/// "R. Okafor" is none, and neither are the names of a list.
pub(super) fn persons(field: &str) -> Option<Vec<Person>> {
    let names = authors(field);
    let has_initials = |name: &str| {
        let mut given = name.split(' ').rev().skip(1);
        given.all(is_initial) || family_first(name).is_some()
    };
    let are_persons = names.len() > 1 || names.first().is_some_and(|name| has_initials(name));
    let persons = names.iter().map(|name| person(name));
    persons
        .collect::<Option<Vec<Person>>>()
        .filter(|_| are_persons)
}

fn is_initial(word: &str) -> bool {
    word.ends_with('.') && initial(word) == word
}

/// A person whose initials are behind the name: "Tveit M.", "van Dam J. R."
fn family_first(name: &str) -> Option<Person> {
    let words: Vec<&str> = name.split(' ').collect();
    let initials = words
        .iter()
        .rev()
        .take_while(|word| is_initial(word))
        .count();
    let (family, given) = words.split_at(words.len() - initials);
    (!family.is_empty() && !given.is_empty()).then(|| Person {
        family: family.join(" "),
        given: given.join(" "),
    })
}

fn person(name: &str) -> Option<Person> {
    if let Some(person) = family_first(name) {
        return Some(person);
    }
    let (given, family) = name.rsplit_once(' ')?;
    // "Jr." is no name.
    let is_family = family.starts_with(char::is_uppercase) && !family.ends_with('.');
    is_family.then(|| Person {
        family: family.to_owned(),
        given: given.to_owned(),
    })
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
            ("Ann Mary Berg and Jo Lind", Some("Berg, A. M.; Lind, J.")),
            ("World Bank", None),
            ("Ann Berg", None),
            ("Advice desk", None),
            ("Smith", None),
            ("", None),
        ] {
            assert_eq!(of(field).as_deref(), expected, "{field}");
        }
    }
}
