//! Citation marks: `[1, 2]`, superscripts, links, footnotes, addresses and names in brackets, cut
//! out of the text of a paragraph, each with its place in what remains.

use std::ops::Range;

use super::designations::{Position, designated};
use super::paragraphs::{Paragraph, Span};
use crate::text;

/// The maximum length of a name in brackets, in bytes; a longer text is a remark. Chosen by hand.
const NAME_BYTES: usize = 200;

/// The maximum number of labels that a range such as `[2–9]` stands for. Chosen by hand.
const RANGE: u32 = 30;

/// The largest number that is a label without an entry in the list of references: `[1998]` is a
/// year.
const LARGEST: u32 = 999;

/// Words before a citation that belong to it.
const LEADS: &[&str] = &[
    "source", "sources", "see", "cf.", "cf", "via", "quelle", "vgl.", "from",
];

/// A citation mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// The offset in the text without marks at which it stood.
    pub(super) at: usize,
    /// The words of a link that stay in the text, as a range of it; empty for all others.
    pub(super) words: Range<usize>,
    /// The mark as written, for messages.
    pub(super) label: String,
    pub(super) target: Target,
    /// `true` if it is words of the text without brackets: "see ADR-0019".
    pub(super) is_in_text: bool,
}

/// The thing that a mark refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// An entry of the list of references, or a footnote.
    Label(String),
    /// An address or a path.
    Address(String),
    /// The name of a document, or an author and a year.
    Name(String),
}

/// A text without its marks.
#[derive(Debug)]
pub(super) struct Marked {
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
    /// Offsets in this text and in that of the paragraph, ascending.
    origins: Vec<(usize, usize)>,
}

impl Marked {
    /// The offset in the paragraph's text of a byte of this text.
    pub(super) fn origin(&self, at: usize) -> usize {
        let piece = self.origins.partition_point(|(own, _)| *own <= at);
        let (own, origin) = self.origins[..piece].last().copied().unwrap_or_default();
        origin + (at - own)
    }
}

/// A piece of a paragraph that is a mark, or a link whose words stay.
struct Cut {
    range: Range<usize>,
    targets: Vec<(String, Target)>,
    keeps_words: bool,
    /// Of words of the text without brackets, where they stand in their sentence.
    position: Option<Position>,
}

/// The text and the marks of a paragraph. `is_known` tells the names of documents and of entries,
/// `labels` the labels of entries.
pub(super) fn marked(
    paragraph: &Paragraph,
    is_label: &dyn Fn(&str) -> bool,
    is_name: &dyn Fn(&str) -> bool,
) -> Marked {
    let mut cuts = spans(paragraph);
    let is_free = |range: &Range<usize>| {
        paragraph.spans.iter().all(|(own, span)| {
            matches!(span, Span::Note(_) | Span::Strong)
                || own.end <= range.start
                || own.start >= range.end
        })
    };
    let text = paragraph.text.as_str();
    let marks = brackets(text, is_label, is_name)
        .into_iter()
        .chain(in_text(text, is_name))
        .chain(superscripts(text))
        .chain(addresses(text));
    cuts.extend(marks.filter(|cut| is_free(&cut.range)));
    cuts.sort_by_key(|cut| (cut.range.start, cut.range.end));
    without(text, &merged(text, cuts))
}

/// The labels of a citation such as `1, 3–5`, `^a` or `4†source`; none if the text is no citation.
pub(super) fn labels(text: &str) -> Vec<String> {
    let text = text.trim();
    let text = text.strip_prefix('^').unwrap_or(text);
    let mut labels = Vec::new();
    for part in text.split([',', ';']).map(str::trim) {
        let part = part.split('†').next().unwrap_or_default();
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let ends = part.split_once(['-', '–', '—']);
        match ends.and_then(|(first, last)| number(first).zip(number(last))) {
            Some((first, last)) if first < last && last - first < RANGE => {
                labels.extend((first..=last).map(|label| label.to_string()));
            }
            _ if is_label(part) => labels.push(part.to_owned()),
            _ => return Vec::new(),
        }
    }
    labels
}

/// `true` for a number, perhaps behind one or two letters: `7`, `S7`.
fn is_label(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    text.len() - digits.len() <= 2
        && (1..=4).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The cuts for links, footnotes and superscripts.
fn spans(paragraph: &Paragraph) -> Vec<Cut> {
    let text = paragraph.text.as_str();
    let mut cuts = Vec::new();
    for (range, span) in &paragraph.spans {
        let words = text[range.clone()].trim();
        let (targets, keeps_words) = match span {
            Span::Note(label) => {
                let target = Target::Label(label.clone());
                (vec![(format!("[{label}]"), target)], false)
            }
            Span::Superscript if !is_power(&text[..range.start]) => {
                (of_labels(&labels(words.trim_matches(['[', ']']))), false)
            }
            Span::Link(address) => {
                let inner = words.trim_matches(['[', ']', '(', ')']);
                let is_label = !labels(inner).is_empty() || inner.starts_with('^');
                if address.starts_with('#') {
                    (of_labels(&labels(inner)), false)
                } else if address.starts_with("mailto:") || words.is_empty() {
                    continue;
                } else {
                    let label = if is_label {
                        format!("[{inner}]")
                    } else {
                        words.to_owned()
                    };
                    let is_whole = words.starts_with('(') && words.ends_with(')');
                    let is_mark = is_label
                        || is_whole
                        || is_address(words)
                        || is_bracketed(text, range)
                        || follows_sentence(text, range)
                            && (names_target(words, address)
                                || leads_to_file(address) && is_beside(text, range));
                    (vec![(label, Target::Address(address.clone()))], !is_mark)
                }
            }
            // "**Costs:** A heat pump costs …" is a sentence with a heading in front.
            Span::Strong if range.start == 0 && is_run_in_heading(text, range) => (vec![], false),
            _ => continue,
        };
        let is_heading = matches!(span, Span::Strong);
        if is_heading || !targets.is_empty() {
            cuts.push(Cut {
                range: range.clone(),
                targets,
                keeps_words,
                position: None,
            });
        }
    }
    cuts
}

/// The maximum number of words of a link that only names what it leads to. Chosen by hand.
const NAME_WORDS: usize = 3;

/// `true` if all words of a link are in the name of the file that it leads to, or say no more than
/// that it is a source: `[minutes](docs/minutes-2025.txt)`.
fn names_target(words: &str, address: &str) -> bool {
    let file = address.rsplit('/').next().unwrap_or_default();
    let folded = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric());
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(text::fold).collect()
    };
    let (own, file) = (folded(words), folded(file));
    let is_name = |word: &String| {
        file.contains(word) || matches!(word.as_str(), "source" | "link" | "ref" | "reference")
    };
    (1..=NAME_WORDS).contains(&own.len()) && own.iter().all(is_name)
}

/// `true` if a link stands behind all words of a sentence, of which the last is no article or
/// preposition that the link would complete: "see the [minutes]".
fn follows_sentence(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].trim_end();
    let last = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let is_open = last.is_empty() || text::is_stop_word(&text::fold(last));
    let behind = text[range.end..].trim_start();
    let is_end = behind.is_empty() || behind.starts_with(['.', '!', '?', ';']);
    is_end && !is_open && last.ends_with(char::is_alphanumeric)
}

/// `true` for a relative path to a file.
fn leads_to_file(address: &str) -> bool {
    let path = address.split(['#', '?']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    !address.contains("://") && !extension.is_empty()
}

/// The words before a participle in which its form of "be" stands: "was finally approved".
const BEFORE_PARTICIPLE: usize = 2;

/// `true` if a link behind a sentence is no object of its verb: it begins like no part of the
/// sentence, "[e-mail of Ann]" and not "[the e-mail]" or "[by Ann]", and the last word before it is
/// no verb that lacks its object, "approved [funds]".
fn is_beside(text: &str, range: &Range<usize>) -> bool {
    let before: Vec<String> = text::words(&text[..range.start])
        .map(|word| text::fold(word.text))
        .collect();
    let first = text::words(&text[range.clone()]).next();
    let begins_alone = first.is_some_and(|word| !text::is_stop_word(&text::fold(word.text)));
    let Some((last, before)) = before.split_last() else {
        return false;
    };
    let is_be = |word: &String| ["is", "are", "was", "were", "be", "been"].contains(&word.as_str());
    let is_passive = || before.iter().rev().take(BEFORE_PARTICIPLE).any(is_be);
    begins_alone && (!last.ends_with("ed") || is_passive())
}

fn of_labels(labels: &[String]) -> Vec<(String, Target)> {
    let target = |label: &String| (format!("[{label}]"), Target::Label(label.clone()));
    labels.iter().map(target).collect()
}

/// `true` if only brackets and separators are around a piece of a text: `([A](a), [B](b))`.
fn is_bracketed(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].trim_end().chars().next_back();
    let after = text[range.end..].trim_start().chars().next();
    let opens = matches!(before, Some('(' | '[' | '【'));
    let closes = matches!(after, Some(')' | ']' | '】'));
    let continues = |c| matches!(c, Some(',' | ';'));
    opens && (closes || continues(after)) || closes && continues(before)
}

/// `true` if a text goes on after words in bold at its beginning that end with a colon.
fn is_run_in_heading(text: &str, range: &Range<usize>) -> bool {
    let (inside, behind) = (
        text[range.clone()].trim_end(),
        text[range.end..].trim_start(),
    );
    inside.ends_with(':') && !behind.is_empty() || behind.starts_with(": ")
}

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// `true` if a superscript after this text is a power or part of a formula: after ten or a digit
/// alone, as in `10⁶` and `2³`, or after one or two letters, as in `m²` and `CO₂`. After any other
/// number it is a mark: nobody writes powers of 2024 or of 14.5.
fn is_power(before: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let number = &before[before.trim_end_matches(is_of_number).len()..];
    if number.ends_with(|c: char| c.is_ascii_digit()) {
        let is_in_name = before[..before.len() - number.len()].ends_with(char::is_alphabetic);
        return number == "10" || number.len() == 1 || is_in_name;
    }
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    let word = word.unwrap_or_default();
    word.ends_with(char::is_numeric) || (1..=2).contains(&word.chars().count())
}

/// The marks in brackets: `[1]`, `【4†source】`, `[costs.md]`, `(Ann, 2020)`.
fn brackets(
    text: &str,
    is_entry: &dyn Fn(&str) -> bool,
    is_name: &dyn Fn(&str) -> bool,
) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find(['[', '【', '(']).map(|at| from + at) {
        let opener = text[open..].chars().next().unwrap_or('[');
        let begin = open + opener.len_utf8();
        from = begin;
        let closer = match opener {
            '[' => ']',
            '【' => '】',
            _ => ')',
        };
        let window = &text[begin..text.floor_char_boundary(text.len().min(begin + NAME_BYTES))];
        let Some(length) = window.find([opener, closer]) else {
            continue;
        };
        let inner = &window[..length];
        if !window[length..].starts_with(closer) {
            continue;
        }
        let is_cited = |label: &String| {
            is_entry(label) || label.parse::<u32>().is_ok_and(|number| number <= LARGEST)
        };
        let mut targets = match opener {
            // `(3)` numbers the items of a sentence.
            '(' => Vec::new(),
            _ => of_labels(&labels(inner)),
        };
        if !targets
            .iter()
            .all(|(_, target)| matches!(target, Target::Label(label) if is_cited(label)))
        {
            continue;
        }
        if targets.is_empty() {
            targets = names(inner, is_name);
        }
        if !targets.is_empty() {
            let end = begin + length + closer.len_utf8();
            from = end;
            cuts.push(Cut {
                range: open..end,
                targets,
                keeps_words: false,
                position: None,
            });
        }
    }
    cuts
}

/// The names in a bracket, if every part of it is one.
fn names(inner: &str, is_name: &dyn Fn(&str) -> bool) -> Vec<(String, Target)> {
    let inner = without_lead(inner);
    let target = |name: &str| (format!("({name})"), Target::Name(name.to_owned()));
    if is_name(inner) {
        return vec![target(inner)];
    }
    let parts: Vec<&str> = inner.split(';').map(str::trim).collect();
    if parts.len() > 1 && parts.iter().all(|part| is_name(part)) {
        return parts.into_iter().map(target).collect();
    }
    Vec::new()
}

/// The documents that the words of a text name as what they are from.
fn in_text(text: &str, is_name: &dyn Fn(&str) -> bool) -> Vec<Cut> {
    let target = |name: String| (name.clone(), Target::Name(name));
    let cuts = designated(text, is_name).into_iter().map(|own| Cut {
        range: own.range,
        targets: own.names.into_iter().map(target).collect(),
        keeps_words: own.position == Position::Within,
        position: Some(own.position),
    });
    cuts.collect()
}

/// A text without "Source:" and the like at its beginning.
fn without_lead(text: &str) -> &str {
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let word = first.trim_end_matches(':').to_lowercase();
    if LEADS.contains(&word.as_str()) {
        rest.trim()
    } else {
        text
    }
}

/// The superscript digits of a text that are no powers: `¹˒²`.
fn superscripts(text: &str) -> Vec<Cut> {
    const DIGITS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let mut cuts: Vec<Cut> = Vec::new();
    for (at, c) in text.char_indices() {
        let Some(digit) = DIGITS.chars().position(|own| own == c) else {
            continue;
        };
        let end = at + c.len_utf8();
        match cuts.last_mut() {
            Some(cut) if cut.range.end == at => {
                cut.range.end = end;
                if let Some((label, target)) = cut.targets.first_mut() {
                    let number = format!("{}{digit}", label.trim_matches(['[', ']']));
                    *label = format!("[{number}]");
                    *target = Target::Label(number);
                }
            }
            _ if is_power(&text[..at]) => {}
            _ => cuts.push(Cut {
                range: at..end,
                targets: of_labels(&[digit.to_string()]),
                keeps_words: false,
                position: None,
            }),
        }
    }
    cuts
}

/// The addresses that are written out.
pub(super) fn addresses_in(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let starts = text.match_indices("http").map(|(at, _)| at);
    for start in starts.filter(|at| is_address(&text[*at..])) {
        if ranges.last().is_some_and(|last| start < last.end) {
            continue;
        }
        let rest = &text[start..];
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | ']'));
        let mut address = &rest[..end.unwrap_or(rest.len())];
        // RFC 3986, appendix C: what ends the sentence or the bracket is not of the address.
        loop {
            let before = address.len();
            address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '\'']);
            let is_open = address.matches(')').count() <= address.matches('(').count();
            address = address
                .strip_suffix(')')
                .filter(|_| !is_open)
                .unwrap_or(address);
            if address.len() == before {
                break;
            }
        }
        ranges.push(start..start + address.len());
    }
    ranges
}

fn addresses(text: &str) -> Vec<Cut> {
    let cut = |range: Range<usize>| {
        let address = text[range.clone()].to_owned();
        Cut {
            range,
            targets: vec![(address.clone(), Target::Address(address))],
            keeps_words: false,
            position: None,
        }
    };
    addresses_in(text).into_iter().map(cut).collect()
}

/// Joins the cuts between which only separators stand, and takes in the brackets around them.
fn merged(text: &str, cuts: Vec<Cut>) -> Vec<Cut> {
    let mut merged: Vec<Cut> = Vec::new();
    for cut in cuts {
        let gap = |last: &Cut| {
            let gap = text.get(last.range.end..cut.range.start);
            gap.is_some_and(|gap| gap.chars().all(|c| matches!(c, ' ' | ',' | ';' | '·')))
        };
        match merged.last_mut() {
            Some(last) if last.range.end > cut.range.start => {}
            Some(last)
                if !last.keeps_words
                    && !cut.keeps_words
                    && last.position == cut.position
                    && gap(last) =>
            {
                last.range.end = cut.range.end;
                last.targets.extend(cut.targets);
            }
            _ => merged.push(cut),
        }
    }
    for cut in merged.iter_mut().filter(|cut| !cut.keeps_words) {
        let (before, after) = (&text[..cut.range.start], &text[cut.range.end..]);
        for (open, close) in [('(', ')'), ('[', ']')] {
            let opened = before.trim_end().strip_suffix(open);
            let closed = after.trim_start().strip_prefix(close);
            if let (Some(opened), Some(closed)) = (opened, closed) {
                cut.range = opened.len()..text.len() - closed.len();
                break;
            }
        }
    }
    merged
}

/// The text without the cuts, and the marks where they were.
fn without(text: &str, cuts: &[Cut]) -> Marked {
    let mut marked = Marked {
        text: String::with_capacity(text.len()),
        marks: Vec::new(),
        origins: Vec::new(),
    };
    let mut from = 0;
    for cut in cuts {
        // Brackets of two neighbours may overlap in malformed text.
        let start = cut.range.start.max(from);
        marked.push(from, &text[from..start]);
        let begin = marked.text.len();
        if cut.keeps_words {
            marked.push(start, &text[start..cut.range.end.max(start)]);
        }
        for (label, target) in &cut.targets {
            // Ahead of its sentence, it would be of the one before.
            let next = text[cut.range.end..].chars().next();
            let next = next.filter(|_| cut.position == Some(Position::Ahead));
            let ahead = next.map_or(0, char::len_utf8);
            marked.marks.push(Mark {
                at: marked.text.len() + ahead,
                words: if cut.position.is_some() {
                    begin..begin
                } else {
                    begin..marked.text.len()
                },
                label: label.clone(),
                target: target.clone(),
                is_in_text: cut.position.is_some(),
            });
        }
        from = cut.range.end.max(from);
        // "warm [1]." is "warm." without its mark.
        let next = text[from..].chars().next();
        if !cut.keeps_words && next.is_none_or(|c| c.is_whitespace() || ".,;:!?)".contains(c)) {
            let trimmed_length = marked.text.trim_end_matches(' ').len();
            marked.text.truncate(trimmed_length);
        }
    }
    marked.push(from, &text[from..]);
    // What was trimmed may have been of a link whose words stay.
    let length = marked.text.len();
    for mark in &mut marked.marks {
        mark.at = mark.at.min(length);
        mark.words = mark.words.start.min(length)..mark.words.end.min(length);
    }
    marked
}

impl Marked {
    fn push(&mut self, origin: usize, piece: &str) {
        if !piece.is_empty() {
            self.origins.push((self.text.len(), origin));
            self.text.push_str(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paragraphs::paragraphs;
    use super::*;

    fn of(markdown: &str) -> (String, Vec<(usize, String)>) {
        let paragraph = paragraphs(markdown).remove(0);
        let is_name = |name: &str| ["costs.md", "Ann, 2020", "Bo, 2021"].contains(&name);
        let marked = marked(&paragraph, &|label| label == "S3", &is_name);
        let marks = marked.marks.into_iter().map(|mark| (mark.at, mark.label));
        (marked.text, marks.collect())
    }

    #[test]
    fn marks_of_every_style_are_cut_out() {
        for (markdown, text, labels) in [
            ("It is warm [1]. Yes.", "It is warm. Yes.", &["[1]"][..]),
            ("Warm.[1][2] Yes.", "Warm. Yes.", &["[1]", "[2]"]),
            ("Warm [1], [2].", "Warm.", &["[1]", "[2]"]),
            ("Warm [1, 3-5].", "Warm.", &["[1]", "[3]", "[4]", "[5]"]),
            ("Warm【4†source】.", "Warm.", &["[4]"]),
            ("Warm [^9].", "Warm.", &["[9]"]),
            ("Warm ([A b](http://a.b/)).", "Warm.", &["A b"]),
            ("Warm ([A](u), [B](v)).", "Warm.", &["A", "B"]),
            ("Warm [[1]](http://a.b/).", "Warm.", &["[1]"]),
            ("Warm [1](http://a.b/).", "Warm.", &["[1]"]),
            ("As [A b](http://a.b/) says.", "As A b says.", &["A b"]),
            ("Warm (https://a.b/c_(d)).", "Warm.", &["https://a.b/c_(d)"]),
            ("Warm.<sup>2,3</sup> Yes.", "Warm. Yes.", &["[2]", "[3]"]),
            ("Warm.¹² 10 m² and CO².", "Warm. 10 m² and CO².", &["[12]"]),
            ("10 m<sup>2</sup> are [S3] it.", "10 m2 are it.", &["[S3]"]),
            (
                "In March 2024<sup>1</sup>. It lost 14.5<sup>2</sup> in 2017³ at 10<sup>6</sup>.",
                "In March 2024. It lost 14.5 in 2017 at 106.",
                &["[1]", "[2]", "[3]"],
            ),
            ("Warm (source: costs.md).", "Warm.", &["(costs.md)"]),
            (
                "Warm (Ann, 2020; Bo, 2021).",
                "Warm.",
                &["(Ann, 2020)", "(Bo, 2021)"],
            ),
            (
                "In [2020] (3) `a[1]` [x](#y) (b).",
                "In [2020] (3) a[1] x (b).",
                &[],
            ),
        ] {
            let (plain, marks) = of(markdown);
            let own: Vec<&str> = marks.iter().map(|(_, label)| label.as_str()).collect();
            assert_eq!(
                (plain.as_str(), own.as_slice()),
                (text, labels),
                "{markdown}"
            );
        }
        assert_eq!(of("Warm.[1] Yes.").1[0].0, "Warm.".len());
    }

    #[test]
    fn hostile_brackets_end() {
        for unit in [
            "[",
            "([",
            "[1](",
            "¹[",
            "http://(",
            "【1",
            "a [b c](d) [1]",
            " **a:** ",
        ] {
            let _ = of(&format!("a {}", unit.repeat(3000)));
        }
    }
}
