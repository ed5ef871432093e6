//! Sentence segmentation: the segmenter of a library (`sentencex`), corrected for Markdown, code
//! spans, abbreviations and text without capitals.

use std::ops::Range;

use super::block::trimmed;
use super::correspondence::{is_dateline, is_header_line, quotation_marks};
use super::ordinals::is_ordinal;
use super::truncate::truncate;
use super::words::{fold, is_stop_word};

/// The number of bytes handed to the segmenter at once. Its running time is superlinear in its
/// input, so a longer block is cut at the last sentence boundary of each window (size chosen by
/// hand).
const WINDOW_BYTES: usize = 8 * 1024;

/// The same for a text with a word of more bytes than that, as ideographs or signs without white
/// space are one: at every mark the segmenter looks back to the beginning of the word.
const WINDOW_OF_LONG_WORDS: usize = 1024;

/// The language of the abbreviations that the segmenter uses; it recognizes the full stops of all
/// scripts in any case.
const LANGUAGE: &str = "en";

/// The sentences within a range of a text, which should be one block: ranges into `text`, without
/// surrounding white space, none of them empty. A sentence may span lines, and no sentence ends
/// inside a code span.
pub fn sentences(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    // Moved to character boundaries, since slicing elsewhere panics.
    let end = text.floor_char_boundary(within.end);
    let within = text.floor_char_boundary(within.start).min(end)..end;
    let code = code_spans(text, within.clone());
    let mut sentences = Vec::new();
    let mut start = within.start;
    // The segmenter and the two passes for Markdown and lower-case text over-generate boundaries;
    // those inside code spans, after abbreviations and inside words are filtered out here.
    for boundary in boundaries(text, within.clone()) {
        // Binary search: code spans are sorted and disjoint.
        let inside = code.partition_point(|span| span.end <= boundary);
        let in_code = code.get(inside).is_some_and(|span| span.start < boundary);
        if !in_code && ends_sentence(&text[start..boundary], &text[boundary..within.end]) {
            sentences.push(unlisted(text, start..boundary));
            start = boundary;
        }
    }
    sentences.push(unlisted(text, start..within.end));
    sentences.retain(|range| !range.is_empty());
    sentences
}

/// The marks before the items of a list in a plain text.
const BULLETS: [&str; 4] = ["- ", "* ", "• ", "– "];

/// A range without the space around it, nor the marks of a quotation or an item of a list at its
/// beginning, if that begins a line.
fn unlisted(text: &str, range: Range<usize>) -> Range<usize> {
    let range = trimmed(text, range);
    let begins_line = text[..range.start]
        .trim_end_matches([' ', '\t'])
        .ends_with('\n');
    let quoted = quotation_marks(&text[range.clone()]).len() * usize::from(begins_line);
    let range = range.start + quoted..range.end;
    let mut marks = BULLETS.iter();
    let mark = marks.find(|mark| begins_line && text[range.clone()].starts_with(**mark));
    mark.map_or(range.clone(), |mark| {
        trimmed(text, range.start + mark.len()..range.end)
    })
}

/// The candidate boundaries inside a range: each byte at which a new sentence may begin, sorted.
fn boundaries(text: &str, within: Range<usize>) -> Vec<usize> {
    let mut boundaries = Vec::new();
    let mut start = within.start;
    while start < within.end {
        let end = window_end(text, start..within.end);
        // Nothing ends within: see `ends_sentence`. The segmenter takes long to say so.
        if is_one_word(&text[start..end]) && !text[end..].starts_with(char::is_whitespace) {
            start = end;
            continue;
        }
        let starts: Vec<usize> = sentencex::get_sentence_boundaries(LANGUAGE, &text[start..end])
            .iter()
            .map(|sentence| start + sentence.start_byte)
            .filter(|at| *at > start && text.is_char_boundary(*at))
            .collect();
        boundaries.extend(&starts);
        // The window may cut off its last sentence, so the next window begins with that sentence.
        start = match starts.last() {
            Some(last) if end < within.end => *last,
            _ => end,
        };
    }
    boundaries.extend(emphasis_ends(text, within.clone()));
    boundaries.extend(ideographic_ends(text, within.clone()));
    boundaries.extend(month_ends(text, within.clone()));
    boundaries.extend(unit_ends(text, within.clone()));
    boundaries.extend(letter_ends(text, within.clone()));
    boundaries.extend(field_ends(text, within.clone()));
    boundaries.extend(clause_ends(text, within.clone()));
    boundaries.extend(dateline_end(text, within.clone()));
    boundaries.extend(column_ends(text, within.clone()));
    boundaries.extend(log_line_ends(text, within.clone()));
    boundaries.extend(caseless_ends(text, within));
    boundaries.sort_unstable();
    boundaries.dedup();
    boundaries
}

/// The boundaries after emphasis that ends with its sentence, as in `**Costs.** They`; the
/// segmenter does not support Markdown.
fn emphasis_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let slice = &text[within.clone()];
    slice
        .match_indices(char::is_whitespace)
        .filter_map(move |(at, space)| {
            let before = &slice[..at];
            let inner = before.trim_end_matches(['*', '_']);
            let after = at + space.len();
            let ends = inner.len() < before.len() && inner.ends_with(['.', '!', '?']);
            let begins = slice[after..].starts_with(|c: char| c.is_uppercase() || c == '`');
            (ends && begins).then_some(within.start + after)
        })
}

/// The boundaries before the lines of a log or a transcript, each of which begins with its time in
/// square brackets, "[02:26] ann: yes": a message need not end with a full stop.
fn log_line_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let slice = &text[within.clone()];
    let begins_line = |line: &str| {
        let stamp = line
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'))
            .map(|(stamp, _)| stamp);
        stamp.is_some_and(|stamp| {
            stamp.contains(':') && stamp.chars().all(|c| c.is_ascii_digit() || c == ':')
        })
    };
    slice
        .match_indices('\n')
        .map(|(at, _)| at + 1)
        .filter(move |at| begins_line(&slice[*at..]))
        .map(move |at| within.start + at)
}

/// The boundaries after "May.", which the segmenter takes for an abbreviation, as "Mar." is one.
fn month_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let slice = &text[within.clone()];
    slice.match_indices("May.").filter_map(move |(at, month)| {
        let after = &slice[at + month.len()..];
        let next = after.trim_start();
        let is_word = slice[..at].ends_with(char::is_whitespace);
        let begins = next.len() < after.len() && next.starts_with(char::is_uppercase);
        (is_word && begins).then_some(within.end - next.len())
    })
}

/// Nouns whose things are told apart by a letter; a closed list, written by hand.
const LETTERED: &[&str] = &[
    "annex",
    "appendix",
    "area",
    "band",
    "bay",
    "block",
    "building",
    "category",
    "class",
    "clause",
    "column",
    "exhibit",
    "factor",
    "figure",
    "form",
    "gate",
    "grade",
    "group",
    "hall",
    "hepatitis",
    "influenza",
    "item",
    "level",
    "line",
    "list",
    "lot",
    "model",
    "option",
    "panel",
    "part",
    "phase",
    "plan",
    "platform",
    "point",
    "room",
    "row",
    "schedule",
    "section",
    "series",
    "side",
    "site",
    "stage",
    "step",
    "table",
    "team",
    "tier",
    "type",
    "unit",
    "variant",
    "vitamin",
    "ward",
    "wing",
    "zone",
];

/// Stop words that are also surnames: "by T. May".
const SURNAMES: &[&str] = &["do", "may", "so", "will"];

/// The boundaries after a capital letter that is no initial of a name, as in "stock of category A.
/// Controlled drugs": the letter of a thing, or one behind a word in lower case and before a word
/// with which a sentence begins.
fn letter_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let slice = &text[within.clone()];
    slice.match_indices('.').filter_map(move |(at, stop)| {
        let after = &slice[at + stop.len()..];
        let next = after.trim_start();
        // "Category B. (superseded by another one)" has a remark of its own.
        let begins = next.starts_with(|c: char| c.is_uppercase() || c == '(');
        let is_apart = next.len() < after.len() && begins;
        let letter = slice[..at].chars().next_back().filter(|c| c.is_uppercase());
        let before = slice[..at].strip_suffix(letter.filter(|_| is_apart)?)?;
        let noun = before.trim_end();
        let is_word = |c: char| c.is_alphanumeric() || c == '-';
        let noun_at = noun.trim_end_matches(is_word).len();
        // "Annex B. Costs" is a heading.
        let lead = noun[..noun_at].trim_end();
        let is_label = lead.is_empty() || lead.ends_with(['.', '!', '?', ':', '#', '*', '|']);
        let (noun, spaced) = (&noun[noun_at..], noun.len() < before.len());
        let word = next.trim_start_matches('(').split(|c: char| !is_word(c));
        let word = word.into_iter().next().unwrap_or_default();
        let (noun, word) = (noun, fold(word));
        // "W. A. Mozart" has a second initial.
        let is_long = word.chars().count() > 1;
        let begins = is_stop_word(&word) && !SURNAMES.contains(&word.as_str());
        let is_plain = noun.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
        let is_thing = LETTERED.contains(&fold(noun).as_str());
        let ends = spaced && is_long && !is_label && (is_thing || is_plain && begins);
        ends.then_some(within.end - next.len())
    })
}

/// The boundaries between two lines of a header, each a label with its value: "Status: accepted"
/// above "Date: 2024-05-21".
fn field_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let slice = &text[within.clone()];
    slice.match_indices('\n').filter_map(move |(at, newline)| {
        let (above, below) = (&slice[..at], &slice[at + newline.len()..]);
        let above = above.rsplit('\n').next().unwrap_or_default();
        // One labelled line may begin a sentence that goes on below; two are a header.
        let below = below.lines().next().unwrap_or_default();
        let is_header = is_field(above) && is_field(below);
        // The title of a plain text stands right above its header.
        let is_titled = is_header_line(below) && !above.ends_with([',', ';', ':']);
        (is_header || is_titled).then_some(within.start + at + newline.len())
    })
}

/// The number of spaces between two columns of a plain text.
const COLUMN_GAP: &str = "   ";

/// The boundaries between two lines of a table in a plain text: "Ammonia      8.75 per sample".
fn column_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let slice = &text[within.clone()];
    let has_columns = |line: &str| line.trim().contains(COLUMN_GAP) || line.trim().contains('\t');
    slice.match_indices('\n').filter_map(move |(at, newline)| {
        let below_at = at + newline.len();
        let above = slice[..at].rsplit('\n').next().unwrap_or_default();
        let below = slice[below_at..].lines().next().unwrap_or_default();
        (has_columns(above) && has_columns(below)).then_some(within.start + below_at)
    })
}

/// The boundary behind a first line that says when a text was published, above its first sentence.
fn dateline_end(text: &str, within: Range<usize>) -> Option<usize> {
    let (first, rest) = text[within.clone()].split_once('\n')?;
    let begins = rest.trim_start().starts_with(char::is_uppercase);
    let end = within.start + first.len() + 1;
    (begins && is_dateline(first)).then_some(end)
}

/// The number of characters of a line that tell whether it is a numbered clause.
const CLAUSE_BEGINNING: usize = 16;

/// The boundaries before the lines of numbered clauses: "3.6 Heaters are not permitted."
fn clause_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let slice = &text[within.clone()];
    let newlines = slice
        .match_indices('\n')
        .map(|(at, newline)| at + newline.len());
    let is_clause = |at: &usize| {
        // A sentence that goes on below may do so with a number: "It costs\n2.50 EUR."
        let above = slice[..*at].trim_end();
        let line = slice[*at..].lines().next().unwrap_or_default();
        let line = truncate(line, CLAUSE_BEGINNING);
        let (number, rest) = line.split_once(' ').unwrap_or_default();
        let number = number.strip_suffix('.').unwrap_or(number);
        let is_part = |part: &str| {
            matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        above.ends_with(['.', ';', ':'])
            && number.contains('.')
            && number.split('.').all(is_part)
            && rest.starts_with(char::is_uppercase)
    };
    newlines.filter(is_clause).map(move |at| within.start + at)
}

/// The maximum number of words of the label of a line; chosen by hand.
const LABEL_WORDS: usize = 3;

/// `true` for a line of a label with a capital and its value.
fn is_field(line: &str) -> bool {
    let line = line.trim_start_matches(['*', '_', ' ']);
    line.split_once(": ").is_some_and(|(label, value)| {
        label.starts_with(char::is_uppercase)
            && label.split_whitespace().count() <= LABEL_WORDS
            && !label.contains(['.', ',', ';'])
            && !value.trim().is_empty()
    })
}

/// The units with which a sentence ends, though the segmenter takes them for abbreviations, "ms."
/// for a title, or for initials: those of the SI of one letter, and hours, litres and degrees.
const LAST_UNITS: &[&str] = &[
    "A", "C", "F", "J", "K", "L", "N", "T", "V", "W", "g", "h", "hr", "hrs", "l", "m", "min", "ms",
    "s", "sec", "t",
];

/// The boundaries after units of a number, as in "It took 94 ms. The next".
fn unit_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let slice = &text[within.clone()];
    slice.match_indices('.').filter_map(move |(at, stop)| {
        let (before, after) = slice.split_at(at + stop.len());
        let next = after.trim_start();
        let is_line = after.starts_with('\n') && next.starts_with(|c: char| c.is_ascii_digit());
        let word = next.trim_start_matches(['*', '_', '"', '“', '„']);
        let begins = next.len() < after.len() && word.starts_with(char::is_uppercase);
        let ends = (begins || is_line) && ends_with_unit(before);
        ends.then_some(within.end - next.len())
    })
}

/// `true` if a text ends with such a unit behind a number and a full stop.
fn ends_with_unit(text: &str) -> bool {
    let text = text.strip_suffix('.').unwrap_or_default();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &text[number.len()..];
    if let Some(numerator) = number.strip_suffix('/') {
        return is_ratio(numerator, unit);
    }
    if !LAST_UNITS.contains(&unit) {
        return false;
    }
    let number = number
        .trim_end()
        .trim_end_matches(['°', '²', '³'])
        .trim_end();
    let before = number.trim_end_matches(|c: char| c.is_ascii_digit());
    // "In 1950 C. Smith" begins a name behind a year.
    let is_year = number.len() - before.len() == 4 && !before.ends_with(['.', ',']);
    before.len() < number.len() && !(is_year && unit.starts_with(char::is_uppercase))
}

/// The longest part of a unit with a slash, in letters: "kWh/a", "EUR/t".
const RATIO_LETTERS: usize = 4;

/// `true` for the two parts of a unit with a slash, of which the first ends a text: "20 km" and
/// "h". Its last letter is no initial, whether or not a number is before it.
fn is_ratio(before: &str, denominator: &str) -> bool {
    let is_of_unit = |c: char| c.is_alphanumeric() || matches!(c, '°' | '€');
    let numerator = &before[before.trim_end_matches(is_of_unit).len()..];
    let is_short = |part: &str| (1..=RATIO_LETTERS).contains(&part.chars().count());
    is_short(numerator) && is_short(denominator) && numerator.contains(|c: char| !c.is_numeric())
}

/// The boundaries after each full stop of a text without capital letters, in which the segmenter
/// does not detect any.
fn caseless_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let slice = &text[within.clone()];
    let is_caseless = !slice.contains(char::is_uppercase);
    slice
        .match_indices(". ")
        .chain(slice.match_indices(".\n"))
        .filter(move |(at, _)| is_caseless && !splits_a_number(&slice[..*at], &slice[at + 1..]))
        .map(move |(at, stop)| within.start + at + stop.len())
}

/// The boundaries after ideographic full stops outside of quotations; the segmenter misses those
/// before a number or a name in Latin letters.
fn ideographic_ends(text: &str, within: Range<usize>) -> Vec<usize> {
    let slice = &text[within.clone()];
    if !slice.contains('。') {
        return Vec::new();
    }
    let mut depth = 0_usize;
    let mut ends = Vec::new();
    for (at, c) in slice.char_indices() {
        match c {
            '“' | '「' | '『' | '（' | '《' => depth += 1,
            '”' | '」' | '』' | '）' | '》' => depth = depth.saturating_sub(1),
            '。' if depth == 0 => ends.push(within.start + at + c.len_utf8()),
            _ => {}
        }
    }
    ends
}

/// `true` if a full stop between two texts is that of a decimal number set apart, or of an
/// abbreviation before a number, as in "mach 1. 91" and "report no. 479".
fn splits_a_number(before: &str, after: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric())
        && after.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// `true` for ASCII characters without white space, such as encoded data.
fn is_one_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The end of the window that begins a range: after white space where there is some.
fn window_end(text: &str, range: Range<usize>) -> usize {
    let limit = text.floor_char_boundary(range.start + WINDOW_BYTES.min(range.len()));
    let mut words = text[range.start..limit].split(char::is_whitespace);
    if words.any(|word| word.len() > WINDOW_OF_LONG_WORDS) {
        return text.floor_char_boundary(range.start + WINDOW_OF_LONG_WORDS.min(range.len()));
    }
    if limit == range.end {
        return limit;
    }
    text[range.start..limit]
        .rfind(char::is_whitespace)
        .map_or(limit, |at| text.ceil_char_boundary(range.start + at + 1))
}

/// `true` if the boundary between two texts ends a sentence: it is not after an abbreviation or a
/// code span ("the `?` operator"), and not inside a word, a name or a URL.
fn ends_sentence(before: &str, after: &str) -> bool {
    let last = before.trim_end();
    if last.ends_with('`') {
        return false;
    }
    let spaced = last.len() < before.len() || after.starts_with(char::is_whitespace);
    let closed = last.trim_end_matches(is_closer);
    // Scripts such as Chinese put no space after a full stop. Decided first: of a long text without
    // space each mark is looked at, and the word before it is all of the text.
    if !spaced && !closed.ends_with(|c: char| !c.is_ascii()) {
        return false;
    }
    let written = last
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '['))
        .next()
        .unwrap_or_default();
    let word = written.trim_start_matches(['*', '_', '~', '"', '“', '\'', '‘']);
    // The segmenter sees no initial behind a mark, "*E. coli*", or without capitals.
    if (word.len() < written.len() || !word.is_ascii()) && is_initial(word) {
        return false;
    }
    // UAX #29 leaves abbreviations to a tailoring, since no rule tells them from sentence ends.
    let word_lower = word.to_lowercase();
    let is_before_number = after.trim_start().starts_with(|c: char| c.is_ascii_digit())
        && BEFORE_NUMBERS.contains(&word_lower.as_str());
    let is_abbreviation = is_before_number || ABBREVIATIONS.contains(&word_lower.as_str());
    if is_abbreviation && !ends_with_unit(last) {
        return false;
    }
    !is_ordinal(before, word, after) && !is_number_of_heading(last)
}

/// `true` for an initial with its full stop, as in "E. coli", also in Arabic.
fn is_initial(word: &str) -> bool {
    let mut letters = word.strip_suffix('.').unwrap_or_default().chars();
    let is_letter = |c: char| c.is_uppercase() || ('\u{620}'..='\u{64a}').contains(&c);
    letters.next().is_some_and(is_letter) && letters.next().is_none()
}

/// `true` for the number of a heading in bold, "**2. Purchases.**", which is no sentence.
fn is_number_of_heading(text: &str) -> bool {
    let number = text
        .strip_prefix("**")
        .and_then(|own| own.strip_suffix('.'));
    number.is_some_and(|own| !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Abbreviations that do not end a sentence even before a capital letter, in addition to those of
/// the segmenter.
const ABBREVIATIONS: &[&str] = &[
    "e.g.", "i.e.", "cf.", "vs.", "approx.", "viz.", "resp.", "dr.", "mr.", "mrs.", "ms.", "prof.",
    "fig.", "eq.", "sec.", "ch.", "vol.", "st.", "al.", "attn.", "excl.", "incl.", "inv.",
];

/// Abbreviations that end no sentence before a number: "max. 14 nights", "Moisture: max. 5.0 %".
const BEFORE_NUMBERS: &[&str] = &[
    "art.", "avg.", "ca.", "ext.", "max.", "min.", "no.", "nos.", "nr.", "para.", "tel.",
];

pub(super) fn is_closer(c: char) -> bool {
    matches!(
        c,
        ')' | ']' | '}' | '"' | '\'' | '”' | '’' | '»' | '」' | '』' | '）' | '*' | '_' | '~'
    )
}

/// The code spans of a range, as CommonMark defines them: between two backtick runs of equal
/// length.
pub(crate) fn code_spans(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let runs = backtick_runs(text, within);
    let mut spans = Vec::new();
    // Lengths of runs without a closing run, recorded so that the scan stays linear on hostile
    // text.
    let mut unclosed: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(open) = runs.get(at) {
        at += 1;
        if unclosed.contains(&open.len()) {
            continue;
        }
        match runs[at..].iter().position(|run| run.len() == open.len()) {
            Some(next) => {
                spans.push(open.start..runs[at + next].end);
                at += next + 1;
            }
            None => unclosed.push(open.len()),
        }
    }
    spans
}

fn backtick_runs(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in text[within.clone()].match_indices('`') {
        let at = within.start + at;
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// A sentence without its code spans.
pub fn prose(sentence: &str) -> String {
    without(sentence, &code_spans(sentence, 0..sentence.len()))
}

/// The sentence without the code spans at these ranges.
pub(super) fn without(sentence: &str, code: &[Range<usize>]) -> String {
    let mut prose = String::with_capacity(sentence.len());
    let mut start = 0;
    for span in code {
        prose.push_str(&sentence[start..span.start]);
        start = span.end;
    }
    prose.push_str(&sentence[start..]);
    prose
}

/// A text as a sentence: with a full stop, unless it ends in a mark of its own.
pub fn with_full_stop(text: &str) -> String {
    let text = text.trim_end();
    let stop = if text.ends_with(['.', '?', '!', '…', '。', '？', '！']) {
        ""
    } else {
        "."
    };
    format!("{text}{stop}")
}

#[cfg(test)]
mod tests;
