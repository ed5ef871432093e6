//! The plain format in which a model writes prose: a line for each sentence, which begins with the
//! numbers of what shows it in brackets; a line that begins with `#` is a heading.
//!
//! It is read leniently: numbers may follow their sentence, lines may be list items, several
//! sentences may share a line, and a sentence may have no number.

use std::ops::Range;

use super::super::answer::{line, number};
use crate::text::{self, truncate};

/// The maximum length of a heading and of a sentence, in characters.
const HEADING: usize = 80;
const SENTENCE: usize = 600;

/// Openings that speak of the material instead of its subject; what follows them is the sentence.
const OPENINGS: [&str; 12] = [
    "the passage ",
    "the passages ",
    "this passage ",
    "these passages ",
    "the source ",
    "the sources ",
    "the document ",
    "the documents ",
    "the text ",
    "the texts ",
    "the author ",
    "the authors ",
];

/// The verbs of such an opening, without the ending of the third person.
const VERBS: [&str; 12] = [
    "say", "state", "explain", "note", "mention", "describe", "report", "argue", "suggest",
    "discuss", "cover", "outline",
];

/// The first words of sentences about the report or its writer.
const ABOUT_ITSELF: [&str; 9] = [
    "i ",
    "we ",
    "this report",
    "this section",
    "the report",
    "in this section",
    "in this report",
    "the hits ",
    "the search results ",
];

/// A line of a reply.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Heading(String),
    Sentence {
        /// The numbers of what shows it; empty if it names none.
        numbers: Vec<usize>,
        text: String,
    },
    /// Words that are no statement on the subject.
    LeftOut(String),
}

/// Parses a reply on so many pieces of material.
pub(super) fn parse(reply: &str, material: usize) -> Vec<Line> {
    let written = reply
        .lines()
        .map(without_bullet)
        .filter(|own| !own.is_empty());
    written.flat_map(|own| parse_line(own, material)).collect()
}

/// The sentence in a reply that should be nothing else; `None` if it has none.
pub(in super::super) fn one_sentence(reply: &str) -> Option<String> {
    let first = reply
        .lines()
        .map(without_bullet)
        .find(|own| !own.is_empty())?;
    let end = markers(first, usize::MAX)
        .first()
        .map_or(0, |(range, _)| range.end);
    let words = if first.starts_with('[') {
        &first[end..]
    } else {
        first
    };
    let words = words.trim().trim_matches('"');
    let sentences = text::sentences(words, 0..words.len());
    on_subject(&words[sentences.first()?.clone()])
}

fn parse_line(own: &str, material: usize) -> Vec<Line> {
    if let Some(heading) = heading(own) {
        return vec![Line::Heading(heading)];
    }
    let mut lines = Vec::new();
    for (numbers, words) in governed(own, material) {
        for range in text::sentences(words, 0..words.len()) {
            let sentence = &words[range];
            lines.push(match on_subject(sentence) {
                Some(text) => Line::Sentence {
                    numbers: numbers.clone(),
                    text,
                },
                None => Line::LeftOut(line(sentence, HEADING)),
            });
        }
    }
    lines
}

/// A heading of Markdown, or a line in bold.
fn heading(own: &str) -> Option<String> {
    let bold = own
        .strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**"));
    let words = own
        .strip_prefix('#')
        .map(|rest| rest.trim_start_matches('#'));
    let words = words.or(bold.filter(|inside| !inside.contains("**")))?;
    let words = line(words.trim_matches(['*', ' ', ':']), HEADING);
    (!words.is_empty()).then_some(words)
}

fn without_bullet(own: &str) -> &str {
    let own = own.trim();
    let rest = own.strip_prefix(['-', '*', '•']);
    rest.filter(|rest| rest.starts_with(' '))
        .map_or(own, str::trim)
}

/// The words of a line with the numbers that govern them: what follows a bracket, if the line
/// begins with one, else what precedes it.
fn governed(own: &str, material: usize) -> Vec<(Vec<usize>, &str)> {
    let mut pieces: Vec<(Vec<usize>, &str)> = Vec::new();
    let markers = markers(own, material);
    let leads = markers.first().is_some_and(|(range, _)| range.start == 0);
    let mut start = 0;
    let mut numbers = Vec::new();
    for (range, shown_by) in markers {
        // The full stop of a sentence may follow its bracket.
        let words = own[start..range.start]
            .trim_start_matches(['.', ',', ';', ' '])
            .trim();
        if is_empty(words) {
            // Several brackets in a row, or one after a sentence that has its numbers in front.
            numbers.extend(shown_by);
        } else {
            let governing = if leads {
                std::mem::replace(&mut numbers, shown_by)
            } else {
                shown_by
            };
            pieces.push((governing, words));
        }
        start = range.end;
    }
    let rest = own[start..].trim();
    if !is_empty(rest) {
        pieces.push((if leads { numbers } else { Vec::new() }, rest));
    } else if let Some((last, _)) = pieces.last_mut() {
        last.extend(numbers);
    }
    pieces
}

fn is_empty(words: &str) -> bool {
    !words.contains(char::is_alphanumeric)
}

/// The brackets that hold numbers of material, with these.
fn markers(own: &str, material: usize) -> Vec<(Range<usize>, Vec<usize>)> {
    let mut markers = Vec::new();
    for (open, _) in own.match_indices('[') {
        let Some(length) = own[open..].find(']') else {
            break;
        };
        let inside = &own[open + 1..open + length];
        // Brackets in one another are one: nothing of them may stay in the sentence.
        if inside.contains('[') && !is_of_numbers(inside, material) {
            continue;
        }
        if markers
            .last()
            .is_some_and(|(last, _): &(Range<usize>, _)| open < last.end)
        {
            continue;
        }
        let mut numbers: Vec<usize> = parts(inside).filter_map(number).collect();
        numbers.retain(|number| (1..=material).contains(number));
        if !numbers.is_empty() {
            let end = open + length + 1;
            // Those that were opened within are closed behind it.
            let closing = own[end..].len() - own[end..].trim_start_matches(']').len();
            let closing = closing.min(inside.matches('[').count());
            markers.push((open..end + closing, numbers));
        }
    }
    markers
}

/// The parts of the text in a bracket.
fn parts(inside: &str) -> impl Iterator<Item = &str> {
    inside.split([',', ';', '|', '&', '[']).map(str::trim)
}

/// `true` if the text in a bracket consists of numbers of material.
fn is_of_numbers(inside: &str, material: usize) -> bool {
    parts(inside)
        .filter(|part| !part.is_empty())
        .all(|part| number(part).is_some_and(|number| (1..=material).contains(&number)))
}

/// A sentence as it is printed; `None` if it states nothing on the subject.
pub(in super::super) fn on_subject(sentence: &str) -> Option<String> {
    let words = text::one_line(sentence);
    let words = without_opening(words.trim_matches([' ', '*', '"']))?;
    let folded = words.to_lowercase();
    let is_about_itself = ABOUT_ITSELF.iter().any(|start| folded.starts_with(start));
    let is_bracketed = words.starts_with('[');
    if words.ends_with('?')
        || is_about_itself
        || is_bracketed
        || is_empty(&words)
        || !words.contains(' ')
    {
        return None;
    }
    let mut words = truncate(&words, SENTENCE).to_owned();
    if words.ends_with(char::is_alphanumeric) {
        words.push('.');
    }
    Some(words)
}

/// The words without "The passage says that"; `None` for "The passage discusses how", which says
/// nothing but what the passage is about.
fn without_opening(words: &str) -> Option<String> {
    let folded = words.to_lowercase();
    let rest = OPENINGS
        .iter()
        .find_map(|opening| folded.strip_prefix(opening));
    let is_verb = |own: &&str| {
        let stem = own.strip_suffix("es").into_iter();
        let mut stems = stem.chain(own.strip_suffix('s')).chain([*own]);
        stems.any(|stem| VERBS.contains(&stem))
    };
    let verb = rest.and_then(|rest| rest.split_whitespace().next());
    let (Some(rest), Some(verb)) = (rest, verb.filter(is_verb)) else {
        return Some(words.to_owned());
    };
    let rest = rest.trim_start()[verb.len()..].trim_start();
    let clause = rest.strip_prefix("that ")?;
    // Lower case may change the length of words, but not from the end to an ASCII word.
    let clause = words.get(words.len() - clause.len()..)?;
    let mut characters = clause.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    Some(first.chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(numbers: &[usize], text: &str) -> Line {
        Line::Sentence {
            numbers: numbers.to_vec(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn sentences_are_read_with_their_numbers_wherever_these_stand() {
        for (reply, expected) in [
            ("[3] It is loud.", vec![sentence(&[3], "It is loud.")]),
            (
                "- [P3, P7] Both are loud",
                vec![sentence(&[3, 7], "Both are loud.")],
            ),
            ("[2 of S1] It is loud.", vec![sentence(&[2], "It is loud.")]),
            ("[3][4] It is loud.", vec![sentence(&[3, 4], "It is loud.")]),
            (
                "It is loud [3, [4].",
                vec![sentence(&[3, 4], "It is loud.")],
            ),
            (
                "It is loud [3, [P4]]. It is cheap [[5]].",
                vec![
                    sentence(&[3, 4], "It is loud."),
                    sentence(&[5], "It is cheap."),
                ],
            ),
            (
                "[3] It is loud [99].",
                vec![sentence(&[3], "It is loud [99].")],
            ),
            ("It is loud. [3]", vec![sentence(&[3], "It is loud.")]),
            (
                "It is loud [3]. It is cheap [4].",
                vec![
                    sentence(&[3], "It is loud."),
                    sentence(&[4], "It is cheap."),
                ],
            ),
            (
                "[1] It is loud. It is cheap. [2] It lasts long.",
                vec![
                    sentence(&[1], "It is loud."),
                    sentence(&[1], "It is cheap."),
                    sentence(&[2], "It lasts long."),
                ],
            ),
            ("It is loud.", vec![sentence(&[], "It is loud.")]),
            (
                "[1] The passage states that noise annoys.",
                vec![sentence(&[1], "Noise annoys.")],
            ),
        ] {
            assert_eq!(parse(reply, 9), expected, "{reply}");
        }
    }

    #[test]
    fn what_is_no_statement_on_the_subject_is_left_out() {
        for reply in [
            "[P1] The passage discusses how loud it is.",
            "[P1] The passages describe the noise.",
            "[P1] Is it loud?",
            "[P1] We looked at the noise.",
            "[P1] This report is about noise.",
            "[P1]",
            "[see above] It is loud.",
        ] {
            let lines = parse(reply, 9);
            let is_left_out = |own: &Line| matches!(own, Line::LeftOut(_));
            assert!(lines.iter().all(is_left_out), "{reply}: {lines:?}");
        }
    }

    #[test]
    fn headings_are_those_of_markdown_or_bold_lines() {
        let lines = parse("## Costs\n[1] It is cheap.\n**Noise**\n[2] It is loud.", 9);
        let heading = |text: &str| Line::Heading(text.to_owned());
        assert_eq!(lines[0], heading("Costs"));
        assert_eq!(lines[2], heading("Noise"));
    }

    #[test]
    fn one_sentence_is_taken_without_its_ids() {
        for (reply, expected) in [
            ("[P1] It is loud. It is cheap.", Some("It is loud.")),
            ("\n\"It is loud.\"", Some("It is loud.")),
            ("DROP", None),
            ("", None),
        ] {
            assert_eq!(one_sentence(reply).as_deref(), expected, "{reply}");
        }
    }

    #[test]
    fn no_reply_breaks_the_parser() {
        for reply in [
            "[",
            "]",
            "[]",
            "[P",
            "[P1",
            "#",
            "**",
            "****",
            "- ",
            "[P1]]",
            "İ the passage says that",
            "It is loud [1, see [2]].",
            "It is loud [1, [2, it is cheap [3].",
        ] {
            parse(reply, 9);
            one_sentence(reply);
        }
    }
}
