//! Notices in German sentences, whose verb is at their end: "Dieser Entwurf wurde am 3. November
//! zurückgezogen."

use super::words::lifecycle_of;
use crate::artifact::source::Lifecycle;

/// Words before the noun by which a notice names the document that it stands in.
pub(super) const THIS: &[&str] = &["diese", "dieser", "dieses"];

/// Such nouns, or the last parts of those that are composed: "Hausordnung", "Preisliste".
const NOUNS: &[&str] = &[
    "anleitung",
    "anordnung",
    "artikel",
    "ausgabe",
    "bericht",
    "bescheid",
    "beschluss",
    "dokument",
    "entwurf",
    "fassung",
    "genehmigung",
    "gutachten",
    "handbuch",
    "leitfaden",
    "liste",
    "merkblatt",
    "mitteilung",
    "niederschrift",
    "ordnung",
    "protokoll",
    "regelung",
    "richtlinie",
    "satzung",
    "schreiben",
    "seite",
    "studie",
    "text",
    "version",
    "vertrag",
    "vorschrift",
];

/// The verbs of a notice; not "wird" and "tritt", which mostly say what is to come: "Diese Satzung
/// tritt am 31. Dezember 2030 außer Kraft."
const VERBS: &[&str] = &["gilt", "ist", "trat", "wurde"];

/// The words that may stand between such a verb and the word for the stage.
const FILLERS: &[&str] = &[
    "bereits",
    "ein",
    "eine",
    "inzwischen",
    "noch",
    "nur",
    "als",
    "vorläufiger",
];

/// The number of words of a notice behind "this" and its noun among which the verb is.
const VERB_WORDS: usize = 4;

/// What a document is not any more if it is "nicht mehr" this.
const NO_LONGER: &[&str] = &[
    "aktuell",
    "anwendbar",
    "anzuwenden",
    "gültig",
    "gepflegt",
    "in",
    "maßgeblich",
    "verbindlich",
];

/// `true` for a word in lower case for a document.
pub(super) fn is_document(word: &str) -> bool {
    NOUNS.iter().any(|noun| word.ends_with(noun))
}

/// A word in lower case with a capital.
pub(super) fn with_capital(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}

/// `true` for a line in lower case such as "nicht mehr gültig", "außer Kraft seit 1. Mai".
pub(super) fn is_over(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some("außer" | "ausser"), Some(second), ..) => {
            second.trim_end_matches(['.', ',']) == "kraft"
        }
        // "Nicht mehr gültig ab 1. Januar 2031" mostly says what is to come.
        (Some("nicht"), Some("mehr"), Some(third), fourth) => {
            NO_LONGER.contains(&third.trim_end_matches(['.', ',', '!'])) && fourth != Some("ab")
        }
        _ => false,
    }
}

/// The stage that "dieses Dokument" is said to be in, by the words of a sentence in lower case:
/// behind the verb, or at the end.
pub(super) fn stage_of_subject(words: &[&str], marks: &[&str]) -> Option<Lifecycle> {
    let [this, noun, rest @ ..] = words else {
        return None;
    };
    let verb = rest
        .iter()
        .take(VERB_WORDS)
        .position(|word| VERBS.contains(word))?;
    let is_this = THIS.contains(this) && is_document(noun);
    let behind = &rest[verb + 1..];
    let is_invalid = rest[verb] == "gilt" && behind == ["nicht", "mehr"];
    let past = behind.windows(3).find_map(|run| match run {
        ["nicht", "mehr", word] => Some(NO_LONGER.contains(word)),
        _ => None,
    });
    let is_over = behind
        .windows(2)
        .any(|pair| matches!(pair, ["außer" | "ausser", "kraft"]));
    if !is_this || past == Some(false) {
        return None;
    }
    if past == Some(true) || is_over || is_invalid {
        return Some(Lifecycle::Obsolete);
    }
    let mut first = behind.iter().skip_while(|word| FILLERS.contains(word));
    let mut last = behind.iter().rev().skip_while(|word| **word == "worden");
    // "Dies ist die Fassung, die jene ersetzt" is in the active voice.
    let is_active = rest[verb] == "ist" && !behind.contains(&"durch");
    let is_other = |word: &str| is_active && matches!(word, "abgelöst" | "ersetzt");
    // "Dieses Dokument ist ohne Unterschrift ungültig."
    let is_denied = behind.iter().any(|word| matches!(*word, "nicht" | "ohne"));
    let mut ends = [first.next(), last.next()].into_iter().flatten();
    let mark = ends.find(|word| marks.contains(word) && !is_denied && !is_other(word))?;
    lifecycle_of(mark)
}

#[cfg(test)]
mod tests {
    use super::super::of;

    #[test]
    fn german_headers_notices_and_banners_give_the_status() {
        for (text, expected) in [
            ("Status: Entwurf\n", Some("draft")),
            ("Status: zurückgezogen\n", Some("withdrawn")),
            (
                "Status: Entwurf, zurückgezogen am 3. November 2023\n",
                Some("withdrawn"),
            ),
            ("Status: ungültig\n", Some("obsolete")),
            ("Status: überholt\n", Some("obsolete")),
            ("Status: außer Kraft\n", Some("obsolete")),
            ("Status: nicht mehr gültig\n", Some("obsolete")),
            ("Status: in Kraft, ersetzt Fassung 2\n", None),
            (
                "A\n\nErsetzt durch die Fassung vom 3. Mai 2024.\n",
                Some("superseded by die Fassung vom 3. Mai 2024"),
            ),
            (
                "A\nErsetzt durch: Satzung 2024\n",
                Some("superseded by Satzung 2024"),
            ),
            (
                "A\n\nDiese Satzung wurde durch die Hausordnung von 2024 ersetzt.\n",
                Some("superseded by die Hausordnung von 2024"),
            ),
            ("A\n\nDieses Dokument ist überholt.\n", Some("obsolete")),
            (
                "A\n\nDieser Entwurf wurde am 3. November 2023 zurückgezogen.\n",
                Some("withdrawn"),
            ),
            (
                "A\n\nDiese Hausordnung ist nicht mehr in Kraft.\n",
                Some("obsolete"),
            ),
            ("A\n\nDiese Hausordnung wurde nicht aufgehoben.\n", None),
            ("A\n\nDiese Hausordnung ersetzt die Pumpe.\n", None),
            ("A\n\nDieses Merkblatt gilt nicht mehr.\n", Some("obsolete")),
            (
                "A\n\nDiese Satzung tritt am 31. Dezember 2030 außer Kraft.\n",
                None,
            ),
            (
                "A\n\nDiese Fassung ist die, die den Bericht von 2020 ersetzt.\n",
                None,
            ),
            ("ZURÜCKGEZOGEN\n\nA\n", Some("withdrawn")),
            ("*** ENTWURF - NICHT ZITIEREN ***\n\nA\n", Some("draft")),
            (
                "*** DIESES MERKBLATT IST UNGÜLTIG ***\n\nA\n",
                Some("obsolete"),
            ),
            ("A\n\nAußer Kraft seit 1. Mai 2024\n", Some("obsolete")),
            ("A\n\nDer Entwurf wurde abgelehnt.\n", None),
        ] {
            assert_eq!(of("A", text).remark().as_deref(), expected, "{text}");
        }
        let replaced = of(
            "A",
            "A\n\nDiese Fassung ersetzt die Fassung vom 3. Mai 2024.\n",
        );
        assert_eq!(
            replaced.supersedes.as_deref(),
            Some("die Fassung vom 3. Mai 2024")
        );
    }

    #[test]
    fn what_is_replaced_designed_or_to_come_is_no_status() {
        for line in [
            "Ersetzt: Fassung vom 3. Mai 2022",
            "Entwurf: Architekturbüro Meyer",
            "ENTWURF UND BAU",
            "Dieses Dokument ist ohne Unterschrift ungültig.",
            "Nicht mehr gültig ab 1. Januar 2031",
        ] {
            let text = format!("A\n\n{line}\n\nText.\n");
            assert_eq!(of("A", &text).remark(), None, "{line}");
        }
    }
}
