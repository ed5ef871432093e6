//! Documents of a series that a sentence refers to by number without brackets: "see ADR-0019", "per
//! ADR 0019", "RFC 2119 says that …", "ADR-0019 supersedes ADR-0012".

use std::ops::Range;

/// Words before a designation that is a citation; at the end of a sentence, or at its beginning.
const LEADS: &[&str] = &[
    "according to",
    "as per",
    "cf.",
    "compare",
    "gemäß",
    "laut",
    "per",
    "see",
    "see also",
    "siehe",
    "under",
    "vgl.",
];

/// Verbs behind a designation of what a document says.
const SAYS: &[&str] = &[
    "explains", "notes", "says", "states", "writes", "besagt", "sagt",
];

/// Verbs behind a designation of what a document is to another one.
const REPLACES: &[&str] = &[
    "amends",
    "obsoletes",
    "replaces",
    "supersedes",
    "updates",
    "ersetzt",
];

/// The fewest and the most letters of the name of a series, and the most digits of a number.
/// Chosen by hand.
const SERIES_LETTERS: std::ops::RangeInclusive<usize> = 2..=6;
const NUMBER_DIGITS: usize = 6;

/// A citation by designation in running text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Designated {
    /// The words of the citation.
    pub(super) range: Range<usize>,
    /// The designations in it, as written.
    pub(super) names: Vec<String>,
    /// The words that stay in the sentence, or its beginning or its end that is cut out.
    pub(super) position: Position,
}

/// Where a citation stands in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// Ahead of what is said: "Per ADR 19, …".
    Ahead,
    /// Behind it: "…, see ADR 19."
    Behind,
    /// It is the subject of the sentence or its object.
    Within,
}

/// The citations by designation in a text, in order. `is_name` tells the names of documents; one
/// next to a designation of which no document is known is none.
pub(super) fn designated(text: &str, is_name: &dyn Fn(&str) -> bool) -> Vec<Designated> {
    let names = designations(text);
    let mut own: Vec<Designated> = Vec::new();
    let mut next = 0;
    while let Some(first) = names.get(next) {
        // "see ADR-0019 and ADR-0020" is one citation.
        let mut last = next;
        while let Some(other) = names.get(last + 1)
            && is_joint(&text[names[last].end..other.start])
        {
            last += 1;
        }
        let run = &names[next..=last];
        next = last + 1;
        let end = run.last().map_or(first.end, |last| last.end);
        let is_known = |run: &[Range<usize>]| run.iter().all(|name| is_name(&text[name.clone()]));
        let written = |run: &[Range<usize>]| {
            let names = run.iter().map(|name| text[name.clone()].to_owned());
            names.collect::<Vec<String>>()
        };
        if !is_known(run) {
            continue;
        }
        let citation = behind(text, first.start, end)
            .or_else(|| ahead(text, first.start, end))
            .map(|(range, position)| (range, position, written(run)));
        if let Some((range, position, names)) = citation {
            own.push(Designated {
                range,
                names,
                position,
            });
        } else if run.len() == 1
            && let Some(object) = names.get(next)
            && is_sentence_start(&text[..first.start])
            && is_relation(&text[end..object.start])
            && is_known(std::slice::from_ref(object))
        {
            own.push(Designated {
                range: first.start..object.end,
                names: written(&[first.clone(), object.clone()]),
                position: Position::Within,
            });
            next += 1;
        }
    }
    own
}

/// The designations in a text: letters in capitals, and a number: "ADR-0019", "RFC 2119".
fn designations(text: &str) -> Vec<Range<usize>> {
    let mut names = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_inside =
            at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || !bytes[at - 1].is_ascii());
        let count = |from: usize, is: fn(&u8) -> bool| {
            bytes[from..].iter().take_while(|byte| is(byte)).count()
        };
        let letters = count(at, u8::is_ascii_uppercase);
        if is_inside || !SERIES_LETTERS.contains(&letters) {
            at += letters.max(1);
            continue;
        }
        let mark = at + letters;
        let number = mark + usize::from(matches!(bytes.get(mark), Some(b' ' | b'-')));
        let digits = count(number, u8::is_ascii_digit);
        let end = number + digits;
        let rest = &text[end..];
        // "ADR-0019.2", "ADR-0019-b" and "RFC 2119bis" are others.
        let part = rest.trim_start_matches(['-', '.', '/', ':', '–']);
        let goes_on = part.starts_with(char::is_alphanumeric);
        if number > mark && (1..=NUMBER_DIGITS).contains(&digits) && !goes_on {
            names.push(at..end);
        }
        at = end.max(mark);
    }
    names
}

/// `true` for what joins two designations of one citation.
fn is_joint(between: &str) -> bool {
    matches!(between, " and " | ", " | ", and " | " & " | " und " | "; ")
}

/// The words of a citation behind what it is for: ", see ADR-0019" at the end of a sentence.
fn behind(text: &str, start: usize, end: usize) -> Option<(Range<usize>, Position)> {
    let lead = lead(&text[..start])?;
    let before = text[..lead].trim_end();
    let rest = &text[end..];
    let is_end = rest.trim_end().is_empty() || rest.starts_with(['.', ';', '!']);
    let is_apart = before.ends_with([',', ';', '–', '—']) || before.ends_with(" -");
    let said = before.trim_end_matches([',', ';', '–', '—', '-', ' ']);
    // "It is done under ADR-0019." is of the world: only what a comma sets apart is a citation.
    let is_whole = is_apart && is_end && !said.is_empty();
    is_whole.then_some((said.len()..end, Position::Behind))
}

/// The words of a citation ahead of what it is for: "Per ADR 0019, ", "RFC 2119 says that ".
fn ahead(text: &str, start: usize, end: usize) -> Option<(Range<usize>, Position)> {
    let rest = &text[end..];
    let by_lead = lead(&text[..start]).filter(|lead| is_sentence_start(&text[..*lead]));
    if let Some(lead) = by_lead
        && let Some(said) = rest.strip_prefix(", ")
    {
        return Some((lead..text.len() - said.len(), Position::Ahead));
    }
    let rest = rest.strip_prefix(' ')?;
    let (verb, said) = rest.split_once([' ', ':', ','])?;
    if !SAYS.contains(&verb) || !is_sentence_start(&text[..start]) {
        return None;
    }
    let said = said.trim_start();
    let said = ["that ", "dass "]
        .iter()
        .find_map(|that| said.strip_prefix(that))
        .unwrap_or(said);
    (!said.is_empty()).then_some((start..text.len() - said.len(), Position::Ahead))
}

/// The position of a word before a designation with which a citation begins.
fn lead(before: &str) -> Option<usize> {
    let before = before.strip_suffix(' ')?;
    let at = |lead: &&str| {
        let at = before.len().checked_sub(lead.len())?;
        let is_lead = before.get(at..)?.to_lowercase() == **lead;
        let is_word = !before[..at].ends_with(char::is_alphanumeric);
        (is_lead && is_word).then_some(at)
    };
    LEADS.iter().filter_map(at).min()
}

fn is_sentence_start(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '\n'])
}

fn is_relation(between: &str) -> bool {
    REPLACES.contains(&between.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn designations_are_citations_where_they_say_what_is_said() {
        let is_name = |name: &str| ["ADR-0019", "ADR 19", "ADR-0012", "RFC 2119"].contains(&name);
        let of = |text: &str| {
            let own = designated(text, &is_name).into_iter();
            let shown = own.map(|one| {
                (
                    text[one.range].to_owned(),
                    one.names.join("+"),
                    one.position,
                )
            });
            shown.collect::<Vec<_>>()
        };
        for (text, range, names, position) in [
            (
                "We use one, see ADR-0019.",
                ", see ADR-0019",
                "ADR-0019",
                Position::Behind,
            ),
            (
                "One is used – see also ADR-0019 and ADR-0012",
                " – see also ADR-0019 and ADR-0012",
                "ADR-0019+ADR-0012",
                Position::Behind,
            ),
            (
                "Per ADR 19, we use one.",
                "Per ADR 19, ",
                "ADR 19",
                Position::Ahead,
            ),
            (
                "RFC 2119 says that it is so.",
                "RFC 2119 says that ",
                "RFC 2119",
                Position::Ahead,
            ),
            (
                "ADR-0019 supersedes ADR-0012.",
                "ADR-0019 supersedes ADR-0012",
                "ADR-0019+ADR-0012",
                Position::Within,
            ),
        ] {
            let own = [(range.to_owned(), names.to_owned(), position)];
            assert_eq!(of(text), own, "{text}");
        }
        for text in [
            "The board accepted ADR-0019 in May.",
            "It was done per ADR-0019 and without a vote.",
            "We use one, see ADR-0019 and ADR-0077.",
            "We use one, see ADR-0019.2.",
            "Whoever wrote ADR-0019 says that it is so.",
            "ADR-0019 does not say that.",
            "Per ADR-0099, we use one.",
            "XADR-0019 says that it is so.",
        ] {
            assert_eq!(of(text), [], "{text}");
        }
    }
}
