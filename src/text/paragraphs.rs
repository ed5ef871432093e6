//! The blocks of a plain text: its paragraphs, and the lines that are headings of others.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::block::{Block, BlockKind, trimmed};
use super::correspondence::quotation_marks;
use super::questions::{question_line, question_of_turn, reply_label, turn};
use super::sentences::sentences;

/// The blocks of a plain text: paragraphs separated by blank lines, and the headings above them,
/// which are all of one level, since nothing tells their levels.
pub fn paragraphs(text: &str) -> Vec<Block> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut position = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().trim_matches(['>', ' ']).is_empty() {
            ranges.push(trimmed(text, start..position));
            start = position + line.len();
        }
        position += line.len();
    }
    ranges.push(trimmed(text, start..position));
    ranges.retain(|range| !range.is_empty());
    let quoted = ranges.into_iter().flat_map(|range| by_depth(text, range));
    let turns = quoted.flat_map(|range| turns(text, range));
    let parts = turns.map(|range| without_first_heading(text, range));
    let parts: Vec<Vec<Range<usize>>> = parts.collect();
    let parted = parts.iter().filter(|parts| parts.len() > 1);
    let parted: BTreeSet<usize> = parted.map(|parts| parts[0].start).collect();
    let ranges: Vec<Range<usize>> = parts.into_iter().flatten().collect();
    let mut blocks: Vec<Block> = Vec::with_capacity(ranges.len());
    let mut headings: Arc<[String]> = Arc::from(Vec::new());
    // What is above a transcript, and whether its last turn asked something.
    let (mut above, mut is_reply) = (headings.clone(), false);
    let mut section = 0;
    for (number, range) in ranges.iter().enumerate() {
        let own = &text[range.clone()];
        let below = ranges.get(number + 1).map(|next| &text[next.clone()]);
        let in_turn = below.and_then(|below| question_of_turn(own, below));
        let is_heading = below.is_some_and(|below| {
            in_turn.is_some() || is_plain_heading(own, below) || parted.contains(&range.start)
        });
        // A question is above the reply to it alone.
        if turn(own).is_some() && !is_reply && !is_heading {
            headings = above.clone();
        }
        is_reply = in_turn.is_some();
        section += usize::from(is_heading);
        blocks.push(Block {
            kind: if is_heading {
                BlockKind::Heading
            } else if is_attribution(own) {
                BlockKind::Other
            } else if depth_at(text, range.start) > 0 {
                BlockKind::Quote
            } else {
                BlockKind::Paragraph
            },
            range: range.clone(),
            headings: if is_heading {
                Arc::from(Vec::new())
            } else {
                headings.clone()
            },
            section,
        });
        if is_heading {
            let is_turn = in_turn.is_some();
            let question = in_turn.or_else(|| question_line(own).map(|(question, _)| question));
            headings = Arc::from(vec![question.unwrap_or_else(|| own.to_owned())]);
            if !is_turn {
                above = headings.clone();
            }
        }
    }
    blocks
}

/// The depth of the quotation in which a paragraph begins at this byte.
fn depth_at(text: &str, start: usize) -> usize {
    let line = text[..start].rsplit('\n').next().unwrap_or_default();
    quotation_marks(line).matches('>').count()
}

/// The parts of a paragraph in which lines are quoted from e-mails, each of one depth, without the
/// marks before it; a line that names the sender is a part of its own.
fn by_depth(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let own = &text[range.clone()];
    let has_quoted = own.lines().any(|line| !quotation_marks(line).is_empty());
    if !has_quoted {
        return vec![range];
    }
    let mut parts: Vec<(Option<usize>, Range<usize>)> = Vec::new();
    let mut position = range.start;
    for line in own.split_inclusive('\n') {
        let marks = quotation_marks(line);
        let depth = Some(marks.matches('>').count()).filter(|_| !is_attribution(line));
        let end = position + line.len();
        match parts.last_mut() {
            Some((last, part)) if *last == depth && depth.is_some() => part.end = end,
            _ => parts.push((depth, position + marks.len()..end)),
        }
        position = end;
    }
    let parts = parts.into_iter().map(|(_, part)| trimmed(text, part));
    parts.filter(|part| !part.is_empty()).collect()
}

/// The most words of a line that names the sender of what is quoted below it. Chosen by hand.
const ATTRIBUTION_WORDS: usize = 24;

/// `true` for a line by which a mail program names the sender of what is quoted below it: "On Mon,
/// 13 May 2024 at 11:25, Ann Lee wrote:".
fn is_attribution(line: &str) -> bool {
    let line = line[quotation_marks(line).len()..].trim();
    let is_begun = ["On ", "Am "].iter().any(|begin| line.starts_with(begin));
    let is_verb = line.ends_with("wrote:") || line.ends_with(':') && line.contains(" schrieb");
    let has_day = line.contains(|c: char| c.is_ascii_digit());
    is_begun && is_verb && has_day && line.split_whitespace().count() <= ATTRIBUTION_WORDS
}

/// The turns of a paragraph that is a transcript, a line or more each; all of any other.
fn turns(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let own = &text[range.clone()];
    let mut starts = Vec::new();
    let mut speakers = BTreeSet::new();
    let mut position = range.start;
    for line in own.split_inclusive('\n') {
        if let Some((speaker, _)) = turn(line) {
            starts.push(position);
            speakers.insert(speaker);
        }
        position += line.len();
    }
    // "DATE: 5 May" and "PLACE: the hall" are said by nobody.
    let is_talk = speakers.len() > 1 && starts.len() > speakers.len() || own.contains('?');
    if starts.len() < 2 || starts[0] != range.start || !is_talk {
        return vec![range];
    }
    let ends = starts[1..].iter().copied().chain([range.end]);
    let turns = starts.iter().zip(ends);
    turns
        .map(|(start, end)| trimmed(text, *start..end))
        .collect()
}

/// The range of a paragraph of plain text, parted after its first line if that is a heading: with a
/// number, such as "2. Costs" in minutes, above lines that are all indented, or much shorter than
/// the line below it; or if it is a question, "Q: Who can apply?"
fn without_first_heading(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let own = &text[range.clone()];
    let parts = own
        .split_once('\n')
        .map(|(first, rest)| (first.trim_end(), rest))
        .filter(|(first, rest)| {
            let title = first.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let is_numbered = title.len() < first.len() && title.starts_with([' ', ')']);
            let title = title.trim_start_matches([' ', ')']);
            let is_heading = is_numbered && is_plain_heading(title, rest.trim_start())
                || is_above_indented(first, rest)
                || is_above_prose(first, rest);
            is_heading && !goes_on_below(first, title, rest) || question_line(first).is_some()
        });
    match parts {
        Some((first, rest)) => vec![
            range.start..range.start + first.len(),
            range.end - rest.trim_start().len() + reply_label(rest.trim_start())..range.end,
        ],
        None => vec![range],
    }
}

/// Words that need another one behind them: no heading ends with one. A closed list of articles,
/// prepositions and conjunctions in English and German, written by hand.
const OPEN_WORDS: &[&str] = &[
    "a", "als", "am", "an", "and", "at", "auf", "bei", "between", "by", "das", "dem", "den", "der",
    "des", "die", "ein", "eine", "einem", "einen", "einer", "for", "from", "für", "im", "in",
    "into", "is", "mit", "nach", "oder", "of", "on", "or", "per", "than", "that", "the", "to",
    "und", "under", "unless", "vom", "von", "with", "zum", "zur",
];

/// The maximum number of words of a heading that may end with such a word, "Log in", or stand above
/// a number, "1. Bread" above "12 loaves were sold". Chosen by hand.
const LABEL_WORDS: usize = 3;

/// `true` if the first line of a paragraph is the beginning of a sentence that is broken at the
/// margin, and no heading: "1. Heavy goods vehicles of more than" above "5 tonnes may not stop".
fn goes_on_below(line: &str, title: &str, below: &str) -> bool {
    let next = below.trim_start();
    let last = title.rsplit(' ').next().unwrap_or_default();
    let is_label = title.split_whitespace().count() <= LABEL_WORDS;
    let is_open = OPEN_WORDS.contains(&last) || next.starts_with(|c: char| c.is_ascii_digit());
    let has_end = title.contains(['.', '!', '?']) && sentences(title, 0..title.len()).len() > 1;
    let breaks_off = has_end || !is_label && (is_open || is_full(line, below));
    next.starts_with(char::is_lowercase) || breaks_off
}

/// `true` if a line has no room for the first word of the next one, in a paragraph whose lines are
/// broken at its margin.
fn is_full(line: &str, below: &str) -> bool {
    let widths = below.lines().map(|line| line.trim_end().chars().count());
    let widest = widths.clone().max().unwrap_or_default();
    let word = below.split_whitespace().next().unwrap_or_default();
    let needed = line.chars().count() + 1 + word.chars().count();
    // A line alone has no margin.
    widths.count() > 1 && needed > widest
}

/// The maximum number of words of a heading right above its text; chosen by hand.
const SHORT_HEADING_WORDS: usize = 6;

/// The number of times that a heading right above a line of prose is shorter than that at least: no
/// line of a paragraph that is broken at its margin is; chosen by hand.
const TIMES_SHORTER: usize = 2;

/// `true` if a line is the heading of the prose below it, "Section 4 - Price": a short one, where
/// the next would have had room in it.
fn is_above_prose(line: &str, below: &str) -> bool {
    let next = below.trim_start().lines().next().unwrap_or_default();
    is_plain_heading(line, below.trim())
        && line.split_whitespace().count() <= SHORT_HEADING_WORDS
        && line.len() * TIMES_SHORTER <= next.len()
        && next.starts_with(char::is_uppercase)
}

/// `true` if a line is the heading of the lines below it, which are all indented: a short one that
/// no sentence goes on from, as in a paragraph with a hanging indent.
fn is_above_indented(line: &str, below: &str) -> bool {
    let is_new = below.trim_start().starts_with(|c: char| !c.is_lowercase());
    is_new
        && is_heading_line(line)
        && line.split_whitespace().count() <= SHORT_HEADING_WORDS
        && below
            .lines()
            .all(|line| line.starts_with("  ") || line.starts_with('\t'))
}

/// The maximum number of words of a heading of plain text; chosen by hand.
const HEADING_WORDS: usize = 10;

/// `true` if a paragraph of plain text is the heading of the one below: a short line that does not
/// end as a sentence does, above one that does and is longer.
fn is_plain_heading(own: &str, below: &str) -> bool {
    let is_prose = below.ends_with(['.', '!', '?', '。', '！', '？', '"', '”', ')', ':']);
    is_heading_line(own)
        && is_prose
        && own.split_whitespace().count() <= HEADING_WORDS
        && below.len() > own.len()
}

/// `true` if a text is one line that begins as a heading does and does not end as a sentence.
fn is_heading_line(own: &str) -> bool {
    let first = own.chars().next();
    let begins = first.is_some_and(|c| c.is_alphanumeric() && !c.is_lowercase());
    let ends = own.ends_with(|c: char| c.is_alphanumeric() || c == ')');
    let has_columns = own.trim().contains("   ");
    begins && ends && !has_columns && !own.contains('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paragraphs_are_split_at_blank_lines() {
        let text = "\n  one\ntwo\n \t\nthree";
        let texts: Vec<&str> = paragraphs(text)
            .iter()
            .map(|block| &text[block.range.clone()])
            .collect();
        assert_eq!(texts, ["one\ntwo", "three"]);
    }

    #[test]
    fn quoted_mail_is_parted_from_its_marks_and_from_its_sender() {
        let lines = "> It is cold.\n> It is wet. It\n> is late.\n";
        let ranges = sentences(lines, paragraphs(lines)[0].range.clone());
        let parts: Vec<&str> = ranges.iter().map(|range| &lines[range.clone()]).collect();
        assert_eq!(parts, ["It is cold.", "It is wet.", "It\n> is late."]);
        let text = "The limit is 80, not 90.\n\n> On Tue, 14 May 2024 at 08:10, Ann Lee wrote:\n\
                    > Is 90 right? They were kept\n> in bed.\n>\n>> On Mon, 13 May 2024, Jo Roe \
                    wrote:\n>> Please stop below 90.\n\nWith >50 beds it is large.\n";
        let blocks: Vec<(BlockKind, &str)> = paragraphs(text)
            .iter()
            .map(|block| (block.kind, &text[block.range.clone()]))
            .collect();
        assert_eq!(
            blocks,
            [
                (BlockKind::Paragraph, "The limit is 80, not 90."),
                (
                    BlockKind::Other,
                    "On Tue, 14 May 2024 at 08:10, Ann Lee wrote:"
                ),
                (BlockKind::Quote, "Is 90 right? They were kept\n> in bed."),
                (BlockKind::Other, "On Mon, 13 May 2024, Jo Roe wrote:"),
                (BlockKind::Quote, "Please stop below 90."),
                (BlockKind::Paragraph, "With >50 beds it is large."),
            ]
        );
    }

    #[test]
    fn a_numbered_heading_is_not_glued_to_the_sentence_below_it() {
        let text = "Minutes\n\n1. Bread\nThe bakery delivers bread in one crate.\n\n3) Boat \
            house\nIt is closed in winter.\n\n2. buy bread\nand butter for all of us.\n";
        let texts: Vec<&str> = paragraphs(text)
            .iter()
            .filter(|block| block.kind == BlockKind::Paragraph)
            .map(|block| &text[block.range.clone()])
            .collect();
        assert_eq!(
            texts,
            [
                "Minutes",
                "The bakery delivers bread in one crate.",
                "It is closed in winter.",
                "2. buy bread\nand butter for all of us."
            ]
        );
    }

    #[test]
    fn a_line_of_a_clause_that_goes_on_below_is_no_heading() {
        for clause in [
            "1. Heavy goods vehicles of more than\n   5 tonnes may not stop on the bridge. The \
             list of the\n   permits is long.",
            "5. The exemption for lorries is withdrawn. Ambulances of\n   Wexmoor may cross. Fire \
             engines shall use the diversion;\n   they are heavy.",
            "2. The speed limit applies to the staff of Wexmoor\n   Council and to the vehicles \
             of its contractors.\n   All others are banned.",
            "3. Vehicles must be driven by the\n   Bridge Office. It has three drivers.",
        ] {
            let text = format!("ORDER No. 9\n\n{clause}\n");
            let blocks = paragraphs(&text);
            let last = blocks.last().unwrap();
            assert_eq!(&text[last.range.clone()], clause);
        }
        for clause in [
            "1. Bread\n12 loaves were sold on that day.",
            "2. Log in\nEnter the name of it.",
        ] {
            let text = format!("ORDER No. 9\n\n{clause}\n");
            let blocks = paragraphs(&text);
            let below = clause.split_once('\n').unwrap().1;
            assert_eq!(&text[blocks.last().unwrap().range.clone()], below);
        }
    }

    #[test]
    fn a_short_line_above_prose_is_its_heading() {
        let text = "Contract\n\nSection 4 - Price\nThe price is fixed at 68 euros per megawatt \
            hour.\n\nQ: Who pays?\nA: The town.\n\nThe price of the year\nHas been paid.\n";
        let prose: Vec<(String, &str)> = paragraphs(text)
            .iter()
            .filter(|block| block.kind == BlockKind::Paragraph)
            .skip(1)
            .map(|block| (block.headings.join("/"), &text[block.range.clone()]))
            .collect();
        let under = |heading: &str, text| (heading.to_owned(), text);
        assert_eq!(
            prose,
            [
                under(
                    "Section 4 - Price",
                    "The price is fixed at 68 euros per megawatt hour."
                ),
                under("Who pays?", "The town."),
                under("Who pays?", "The price of the year\nHas been paid."),
            ]
        );
    }

    #[test]
    fn a_question_of_a_transcript_stands_above_the_reply_alone() {
        let text = "Interview\n\nBRANDT: That was not true.\nOSTER: No.\nI regret it.\nBRANDT: \
            How many people will\nwork there?\nOSTER: Twenty-two.\nBRANDT: Thank you.\n\n\
            DATE: 5 May\nPLACE: the hall\n";
        let blocks = paragraphs(text);
        let shown: Vec<(String, &str)> = blocks
            .iter()
            .filter(|block| block.kind == BlockKind::Paragraph)
            .map(|block| (block.headings.join("/"), &text[block.range.clone()]))
            .collect();
        let under = |heading: &str, text| (heading.to_owned(), text);
        assert_eq!(
            shown,
            [
                under("Interview", "BRANDT: That was not true."),
                under("Interview", "OSTER: No.\nI regret it."),
                under("How many people will work there?", "OSTER: Twenty-two."),
                under("Interview", "BRANDT: Thank you."),
                under("Interview", "DATE: 5 May\nPLACE: the hall"),
            ]
        );
    }

    #[test]
    fn a_heading_of_plain_text_is_no_paragraph() {
        let text = "Pumps in use\n\nHow it was measured\n\nMeters were installed in each \
            house.\n\nIt took a year.\n\nPump: 55 dB\n\nFan: 40 dB\n\nwith a cover\n\nIt is \
            quiet by night.\n";
        let blocks = paragraphs(text);
        let headings: Vec<&str> = blocks
            .iter()
            .filter(|block| block.kind == BlockKind::Heading)
            .map(|block| &text[block.range.clone()])
            .collect();
        assert_eq!(headings, ["How it was measured"]);
        assert_eq!(blocks[3].headings[..], ["How it was measured".to_owned()]);
        assert_eq!((blocks[0].section, blocks[3].section), (0, 1));
    }

    #[test]
    fn a_line_above_indented_ones_is_their_heading() {
        let text = "Late updates\n\nWhat happened\n  Updates were late.\n  All had one.\n\n\
            Lessons\n  * consumers first\n\nWe have moved to another\n  queue since then.\n";
        let blocks = paragraphs(text);
        let shown: Vec<(BlockKind, &str)> = blocks
            .iter()
            .map(|block| (block.kind, &text[block.range.clone()]))
            .collect();
        let (heading, paragraph) = (BlockKind::Heading, BlockKind::Paragraph);
        assert_eq!(
            shown[1..],
            [
                (heading, "What happened"),
                (paragraph, "Updates were late.\n  All had one."),
                (heading, "Lessons"),
                (paragraph, "* consumers first"),
                (paragraph, "We have moved to another\n  queue since then."),
            ]
        );
    }
}
