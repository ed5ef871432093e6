//! The words of a status: the stage of the life cycle that they mean, and the successor that they
//! name.

use crate::artifact::source::Lifecycle;
use crate::read::{dates, metadata};
use crate::text;

/// More stages than these are the choices of a template: `proposed | accepted | rejected | …`.
const MAX_STAGES: usize = 3;

/// The maximum number of words of the name of a successor.
const SUCCESSOR_WORDS: usize = 12;

/// The words of a status and the stages that they mean: those of PEPs, RFCs, RFDs and ADRs, of ISO
/// and W3C, and their synonyms, in English and German.
const WORDS: &[(Lifecycle, &[&str])] = &[
    (
        Lifecycle::Superseded,
        &[
            "superseded",
            "superceded",
            "obsoleted",
            "replaced",
            "abgelöst",
            "ersetzt",
        ],
    ),
    (
        Lifecycle::Withdrawn,
        &[
            "withdrawn",
            "retracted",
            "revoked",
            "repealed",
            "abandoned",
            "cancelled",
            "canceled",
            "aufgehoben",
            "widerrufen",
            "zurückgenommen",
            "zurückgezogen",
        ],
    ),
    (
        Lifecycle::Rejected,
        &["rejected", "declined", "abgelehnt", "verworfen"],
    ),
    (Lifecycle::Deprecated, &["deprecated"]),
    (
        Lifecycle::Obsolete,
        &[
            "obsolete",
            "outdated",
            "historic",
            "historical",
            "archived",
            "retired",
            "expired",
            "abgelaufen",
            "archiviert",
            "außer",
            "ausser",
            "überholt",
            "ungültig",
            "veraltet",
        ],
    ),
    (
        Lifecycle::Deferred,
        &[
            "deferred",
            "postponed",
            "stagnant",
            "hold",
            "vertagt",
            "zurückgestellt",
        ],
    ),
    (
        Lifecycle::Draft,
        &[
            "draft",
            "proposed",
            "provisional",
            "preliminary",
            "incomplete",
            "wip",
            "progress",
            "discussion",
            "review",
            "candidate",
            "pending",
            "preprint",
            "entwurf",
            "vorentwurf",
            "vorgeschlagen",
            "vorläufig",
            "vorschlag",
        ],
    ),
    (
        Lifecycle::InForce,
        &[
            "accepted",
            "active",
            "adopted",
            "agreed",
            "approved",
            "committed",
            "current",
            "decided",
            "effective",
            "final",
            "force",
            "implemented",
            "living",
            "published",
            "ratified",
            "recommendation",
            "stable",
            "standard",
            "valid",
            "aktuell",
            "angenommen",
            "beschlossen",
            "endgültig",
            "genehmigt",
            "gültig",
            "kraft",
            "verabschiedet",
            "veröffentlicht",
        ],
    ),
];

/// The levels of RFCs in force whose names have the word of another stage (RFC 2026, section 4).
const LEVELS: &[&str] = &["proposed standard", "draft standard", "standards track"];

/// The words before which the name of a successor ends, unless a capital follows them.
const CLAUSE_ENDS: &[&str] = &[
    "and", "because", "but", "has", "is", "see", "should", "since", "was", "which", "aber", "ist",
    "seit", "siehe", "sowie", "und", "weil", "wird",
];

/// The words that may be in the name of a successor: it ends before them if it is a number, as in
/// "RFC 12 for mail", or if a number follows, as in "on 2020-01-02", but not in "policy of 2025".
const PREPOSITIONS: &[&str] = &["as", "for", "from", "in", "of", "on"];

/// Abbreviations before the number of a document.
const NUMBER_SIGNS: &[&str] = &["no.", "nos.", "nr."];

/// A status as written, and the stage that it means.
pub(super) struct Statement {
    /// As written.
    pub(super) stated: String,
    pub(super) lifecycle: Option<Lifecycle>,
}

impl Statement {
    /// A status by its words.
    pub(super) fn of_words(stated: String) -> Self {
        Self {
            lifecycle: lifecycle_of(&stated),
            stated,
        }
    }

    /// `true` if it means a stage after which none follows.
    pub(super) fn is_ended(&self) -> bool {
        self.lifecycle.is_some_and(ends)
    }

    /// `true` if it means a stage in which a document does not apply.
    pub(super) fn is_not_in_force(&self) -> bool {
        self.lifecycle
            .is_some_and(|lifecycle| lifecycle != Lifecycle::InForce)
    }
}

/// The stage that a status means by its words.
pub(super) fn lifecycle_of(stated: &str) -> Option<Lifecycle> {
    let lower = stated.to_lowercase();
    if LEVELS.iter().any(|level| lower.contains(level)) {
        return Some(Lifecycle::InForce);
    }
    let words: Vec<&str> = text::words(&lower).map(|word| word.text).collect();
    let stages: Vec<Lifecycle> = (0..words.len())
        .filter_map(|number| stage_of_word(&words, number))
        .collect();
    let mut distinct: Vec<Lifecycle> = Vec::new();
    for stage in &stages {
        if !distinct.contains(stage) {
            distinct.push(*stage);
        }
    }
    if distinct.len() > MAX_STAGES {
        return None;
    }
    // "Accepted, superseded by ADR-12": the end of the life cycle is the latest.
    let end = stages.iter().find(|stage| ends(**stage));
    end.or(stages.first()).copied()
}

/// `true` for the stages after which none follows.
pub(super) fn ends(lifecycle: Lifecycle) -> bool {
    use Lifecycle::{Deprecated, Obsolete, Rejected, Superseded, Withdrawn};
    matches!(
        lifecycle,
        Deprecated | Obsolete | Rejected | Superseded | Withdrawn
    )
}

/// The stage that a word means among its neighbours: what is "not yet approved" is a draft, what is
/// "no longer valid" is obsolete.
fn stage_of_word(words: &[&str], number: usize) -> Option<Lifecycle> {
    let (stage, _) = WORDS
        .iter()
        .find(|(_, names)| names.contains(&words[number]))?;
    let before = &words[number.saturating_sub(3)..number];
    let is_past = before
        .windows(2)
        .any(|pair| matches!(pair, ["no", "longer"] | ["nicht", "mehr"]));
    let is_negated = before
        .iter()
        .any(|word| matches!(*word, "not" | "never" | "non" | "nicht"));
    // "Ersetzt durch Fassung 3" and "ersetzt Fassung 2" differ in what is replaced, and "außer
    // Kraft" is one phrase.
    let next = words.get(number + 1).copied();
    let is_other = match words[number] {
        "ersetzt" => !matches!(next, None | Some("am" | "durch" | "seit" | "worden")),
        "außer" | "ausser" => next != Some("kraft"),
        "kraft" => !before.ends_with(&["in"]),
        _ => false,
    };
    if is_other {
        return None;
    }
    match stage {
        Lifecycle::InForce if is_past => Some(Lifecycle::Obsolete),
        Lifecycle::InForce if is_negated => Some(Lifecycle::Draft),
        stage => (!is_past && !is_negated).then_some(*stage),
    }
}

/// The successor that a status names: `Superseded by ADR-12`, `deprecated in favour of …`.
pub(super) fn successor_in(stated: &str) -> Option<String> {
    const BEFORE: &[&str] = &[
        "superseded by ",
        "superceded by ",
        "obsoleted by ",
        "replaced by ",
        "succeeded by ",
        "in favor of ",
        "in favour of ",
        "abgelöst durch ",
        "aufgehoben durch ",
        "ersetzt durch ",
        "ersetzt worden durch ",
        "zugunsten von ",
    ];
    name_after(stated, BEFORE)
        .or_else(|| successor_behind_date(stated))
        .or_else(|| successor_before_verb(stated))
}

/// The successor in a German sentence, whose verb is at its end: "Diese Fassung wurde durch die
/// Satzung von 2024 ersetzt."
fn successor_before_verb(stated: &str) -> Option<String> {
    let clause = stated.trim_end_matches(|c: char| !c.is_alphanumeric());
    let mut verbs = [" abgelöst", " ersetzt"].iter();
    let clause = verbs.find_map(|verb| clause.strip_suffix(verb))?;
    name_after(clause, &[" durch "])
}

/// The words between the verb and the successor in "replaced on 1 September 2024 by T-8", at most.
const DATE_WORDS: usize = 4;

/// The successor behind the day on which it came.
fn successor_behind_date(stated: &str) -> Option<String> {
    const VERBS: &[&str] = &["superseded ", "superceded ", "obsoleted ", "replaced "];
    let lower = stated.to_ascii_lowercase();
    let verb = VERBS
        .iter()
        .find_map(|verb| Some(lower.find(verb)? + verb.len()))?;
    let by = verb + lower[verb..].find(" by ")?;
    let between = &lower[verb..by];
    let is_date = between.starts_with("on ") && between.split(' ').count() <= DATE_WORDS;
    name_after(&stated[by..], &[" by "]).filter(|_| is_date)
}

/// `true` for words that begin with an edition, which is a part of the name before it: "version 2",
/// "2025 edition".
pub(super) fn begins_with_edition(words: &[&str]) -> bool {
    let [first, second, ..] = words else {
        return false;
    };
    let is_edition = |word: &str| {
        let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        metadata::is_word_for_edition(&word.to_lowercase())
    };
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    is_edition(first) && is_number(second) || is_number(first) && is_edition(second)
}

/// The name that begins after one of some phrases.
pub(super) fn name_after(stated: &str, phrases: &[&str]) -> Option<String> {
    // ASCII letters alone change, so that positions are the same.
    let lower = stated.to_ascii_lowercase();
    let start = phrases
        .iter()
        .find_map(|before| Some(lower.find(before)? + before.len()))?;
    let words: Vec<&str> = stated[start..].split_whitespace().collect();
    let mut name: Vec<&str> = Vec::new();
    for (number, word) in words.iter().take(SUCCESSOR_WORDS).enumerate() {
        let next = words.get(number + 1).copied().unwrap_or_default();
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let is_numbered = name
            .last()
            .is_some_and(|last| last.ends_with(|c: char| c.is_ascii_digit()));
        let is_end = word.starts_with('(')
            || CLAUSE_ENDS.contains(word) && !next.starts_with(char::is_uppercase)
            || PREPOSITIONS.contains(word) && (is_numbered || *word != "of" && is_number(next));
        if number > 0 && is_end {
            break;
        }
        name.push(word);
        // The full stop of `5. Use it` ends nothing, nor does that of "Order No. 2024/03".
        let is_abbreviated = NUMBER_SIGNS.contains(&&*word.to_lowercase()) && is_number(next);
        let is_day = is_number(word) && dates::month(next).is_some();
        let is_ordinal = number == 0 && is_number(word) || is_abbreviated || is_day;
        if word.ends_with(',') && begins_with_edition(&words[number + 1..]) {
            continue;
        }
        if word.ends_with([',', ';', '!']) || word.ends_with('.') && !is_ordinal {
            break;
        }
    }
    let name = name.join(" ");
    let name = name.trim_matches(|c: char| ".,;:!()[]*\"“”".contains(c));
    (!name.is_empty()).then(|| name.to_owned())
}
