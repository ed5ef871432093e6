//! Headings: what they tell of the text below them.

use super::questions::reply;
use super::quotability::refers_back;
use super::terms::terms;
use super::words::{is_stop_word, words};

/// The longest heading that is named beside a quotation, in characters. Chosen by hand.
const LONGEST: usize = 60;

/// The maximum number of words of a reply that needs the question above it. Chosen by hand.
const REPLY_WORDS: usize = 6;

/// Words of the headings that the sections of any document have, stemmed when they are compared; a
/// closed list, written by hand.
const USUAL: &str = "abstract addition advantage agenda alternative analysis appendix argument art \
    background basic benefit change changelog conclusion consequence constraint content context \
    cost decision description design detail detailed disadvantage discussion downside drawback \
    evaluation example executive explanation faq feature finding further future general goal guide \
    history idea implementation implication information introduction item key level limitation \
    main material method methodology minutes miscellaneous motivation new note open option other \
    outline overview part possibility prior problem process proposal proposed purpose question \
    rationale readme reason recommendation reference related remark requirement result risk scope \
    section solution specification statement status step strategy summary technical terminology \
    text topic tradeoff unresolved use usage work";

/// `true` if a sentence says too little without the heading above it, beside the title of its
/// document: it is of one of several things, "Batch 413", or refers to what is dealt with there.
pub fn tells_apart(heading: &str, title: &str, sentence: &str) -> bool {
    let known = [title, sentence].map(terms);
    let is_known = |term: &String| known.iter().any(|known| known.contains(term));
    let usual = terms(USUAL);
    let own = terms(heading);
    let is_new = |term: &String| !is_known(term) && !usual.contains(term);
    // "No." and "Four weeks." say nothing without the question.
    if heading.trim_end().ends_with('?') {
        let is_short = sentence.split_whitespace().count() <= REPLY_WORDS;
        return is_short || reply(sentence).is_some();
    }
    heading.chars().count() <= LONGEST
        && (names_one(heading, is_new) || is_about_such(sentence) && own.iter().any(is_new))
}

/// The headings of a changelog by the kind of its entries, in lower case, as keepachangelog.com has
/// them, and two more that are usual.
const OF_CHANGES: [&str; 9] = [
    "added",
    "breaking",
    "breaking changes",
    "changed",
    "deprecated",
    "fixed",
    "known issues",
    "removed",
    "security",
];

/// The heading that an entry of a changelog needs, from the headings above it, outermost first: of
/// which version it is, and that it was "Removed", which it does not say itself.
pub fn heading_of_change(headings: &[String]) -> Option<String> {
    let [.., version, kind] = headings else {
        return None;
    };
    let is_kind = OF_CHANGES.contains(&kind.trim().to_lowercase().as_str());
    let is_version = version.contains(|c: char| c.is_ascii_digit());
    (is_kind && is_version).then(|| format!("{version}, {kind}"))
}

/// The day in brackets at the end of a heading, that of an entry of a feed: "Permit granted
/// (2023-10-13)".
pub fn day_of_heading(heading: &str) -> Option<&str> {
    let (_, day) = heading.strip_suffix(')')?.rsplit_once('(')?;
    let is_in_day = |c: char| c.is_ascii_digit() || c == '-';
    let is_day = day.len() == "2023-10-13".len() && day.chars().all(is_in_day);
    is_day.then_some(day)
}

/// The maximum number of words in bold that are a heading at the beginning of a block: of any, of
/// an item of an agenda, "TOP 2 Charging points for electric cars", and of a question, as in a list
/// of questions and answers. Chosen by hand.
const LABEL_WORDS: usize = 6;
const ITEM_WORDS: usize = 16;
const QUESTION_WORDS: usize = 20;

/// Words before the number of an item of an agenda, in English and German.
const ITEMS: &[&str] = &["agenda", "item", "point", "punkt", "top", "topic"];

/// Words for a part of a document before its number, in English and German.
const PARTS: [&str; 10] = [
    "annex",
    "article",
    "chapter",
    "clause",
    "part",
    "section",
    "abschnitt",
    "artikel",
    "kapitel",
    "§",
];

/// A heading in lower case without its number: "monitoring" of "3. Monitoring", "2.1 Monitoring",
/// "Article 3 Monitoring".
pub fn without_number(heading: &str) -> String {
    let heading = heading.trim().to_lowercase();
    let part = heading.split_once(' ').filter(|(first, rest)| {
        PARTS.contains(first) && rest.starts_with(|c: char| c.is_ascii_digit())
    });
    let name = part.map_or(&*heading, |(_, rest)| rest);
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let name = if part.is_some() {
        name.trim_start_matches([':', '.', ' '])
    } else {
        name
    };
    name.trim().to_owned()
}

/// A sentence that is a heading in bold at the beginning of a block, without its marks, "**Drying
/// room.** Rejected, …"; `None` for any other.
pub fn run_in_heading(sentence: &str) -> Option<&str> {
    let label = sentence.trim().strip_prefix("**")?.strip_suffix("**")?;
    let label = label.trim_end_matches(['.', ':']).trim();
    let words = label.split_whitespace().count();
    let most = if label.ends_with('?') {
        QUESTION_WORDS
    } else if is_item(label) {
        ITEM_WORDS
    } else {
        LABEL_WORDS
    };
    ((1..=most).contains(&words) && !label.contains('*')).then_some(label)
}

/// `true` for a heading that begins with a number: "2. Bag filter", "TOP 2 Lifts".
fn is_item(label: &str) -> bool {
    let mut first = words(label).map(|word| word.text);
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    first.next().is_some_and(|word| {
        let is_named = ITEMS.contains(&word.to_lowercase().as_str());
        is_number(word) || is_named && first.next().is_some_and(is_number)
    })
}

/// `true` if a sentence refers to what was said before: "such a crate".
fn is_about_such(sentence: &str) -> bool {
    refers_back(sentence) || words(sentence).any(|word| word.text == "such")
}

/// `true` if a heading has a number or a name, behind its first word, that is new.
fn names_one(heading: &str, is_new: impl Fn(&String) -> bool) -> bool {
    // "4. Repairs" has the number of a section.
    let all = words(heading).skip_while(|word| !word.text.starts_with(char::is_alphabetic));
    let behind: Vec<&str> = all.skip(1).map(|word| word.text).collect();
    let is_lower = |word: &&&str| word.starts_with(char::is_lowercase) && !is_stop_word(word);
    // "Detailed Design": in a title all words have capitals.
    let is_title = behind.len() > 1 && !behind.iter().any(|word| is_lower(&word));
    let is_name = |word: &&&str| {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        is_number || !is_title && word.starts_with(char::is_uppercase)
    };
    let mut names = behind.iter().filter(is_name);
    names.any(|name| terms(name).iter().any(&is_new))
}

/// The maximum number of words of the name of a document in its title: "ADR 7".
const TITLE_WORDS: usize = 3;

/// `true` if a sentence names a document by the beginning of its title, which has a number: "see
/// ADR 7" of "ADR 7: RabbitMQ".
pub fn refers_to(sentence: &str, title: &str) -> bool {
    let name = title.split(':').next().unwrap_or_default();
    let is_short = name.len() < title.len() && words(name).count() <= TITLE_WORDS;
    let is_name = name.contains(|c: char| c.is_ascii_digit()) && name.contains(char::is_alphabetic);
    let mut places = sentence.match_indices(name);
    let is_whole = |(at, name): (usize, &str)| {
        let (before, behind) = (&sentence[..at], &sentence[at + name.len()..]);
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
    };
    is_short && is_name && places.any(is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_of_a_changelog_has_its_version_and_kind() {
        let of = |headings: &[&str]| {
            let headings: Vec<String> = headings.iter().map(|own| (*own).to_owned()).collect();
            heading_of_change(&headings)
        };
        let removed = of(&["Changelog", "2.0.0 - 2025-01-08", "Removed"]);
        assert_eq!(removed.as_deref(), Some("2.0.0 - 2025-01-08, Removed"));
        assert_eq!(of(&["Changelog", "Removed"]), None);
        assert_eq!(of(&["2.0.0", "Notes"]), None);
    }

    #[test]
    fn heading_of_an_entry_has_its_day() {
        assert_eq!(
            day_of_heading("Permit granted (2023-10-13)"),
            Some("2023-10-13")
        );
        assert_eq!(day_of_heading("Permit granted (in October)"), None);
        assert_eq!(day_of_heading("Permit of 2023-10-13"), None);
    }

    #[test]
    fn heading_tells_apart_what_title_and_sentence_do_not() {
        let title = "Brewing log, April 2026";
        for (heading, sentence, expected) in [
            ("Batch 413", "The batch was sold as beer.", true),
            ("Batch 413", "Batch 413 was sold as beer.", false),
            ("Expatriated crates", "There is only one such crate.", true),
            ("Expatriated crates", "There is only one crate.", false),
            ("Detailed design", "There is only one such crate.", false),
            ("Detailed Design", "The batch was sold.", false),
            ("4. Repairs", "The landlord maintains the roof.", false),
            ("Brewing log, April", "The batch was sold.", false),
            (
                "Is there such a crate?",
                "There is one such crate in the shed.",
                false,
            ),
            (
                "Is there such a crate?",
                "No. There is one crate in the shed.",
                true,
            ),
            ("How long does it take?", "As a rule four weeks.", true),
        ] {
            assert_eq!(tells_apart(heading, title, sentence), expected, "{heading}");
        }
    }
}
