//! Citation checks: quotations and claims against the stored texts of their sources. Pure
//! functions; the caller supplies the texts.
//!
//! A quoted claim must equal its first quotation word for word, except for white space.
//! [`support()`] scores whether a passage supports a claim in other words.
//! [`Statement::difference`] and [`Statement::contrast`] tell whether two sentences say the same,
//! or exclude each other.
//!
//! `statement/` parses a sentence; `alignment` pairs the words of two, and `coverage` those of a
//! claim with all sentences of its passages. `objection/` has the rules by which a claim whose
//! words are all there is not supported, one file a rule; `support` joins both to a verdict.

mod alignment;
mod carried;
mod contrast;
mod coverage;
mod date_contrast;
mod dateline;
mod effect_contrast;
mod finding;
mod grouping;
mod listing;
mod objection;
mod paraphrase;
mod rectification;
mod repetition;
mod reply;
mod report;
mod restatement;
mod statement;
mod support;
mod wording;

pub use contrast::Contrast;
pub use coverage::{MEASURES, Match};
pub use listing::{ListingLine, listing};
pub use objection::binding::is_short;
pub use objection::clause::main_statements;
pub use objection::trend::rises;
pub use rectification::{gives_right_value, takes_back};
pub use reply::{support, support_as_reply, support_by};
pub use restatement::{Difference, Statements};
pub use statement::Statement;
pub use statement::digits::with_digits;
pub use statement::inner_question::asks_whether;
pub use statement::question_subject::QuestionSubject;
pub use support::{Passages, Support, best_passages, doubted, supporting_passages};

use std::borrow::Cow;

use crate::artifact::claims::{Citation, Claim};
use crate::artifact::verification::{ClaimVerdict, Verdict};
use crate::text::{self, tables};

/// The reason why a quotation is not in its source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misquote {
    /// The range is outside of the text, or splits a character.
    #[error("bytes {start}..{end} are outside of {source_id}, which has {bytes} bytes")]
    OutOfRange {
        /// The source.
        source_id: String,
        /// First byte.
        start: usize,
        /// One past the last.
        end: usize,
        /// The text's length.
        bytes: usize,
    },
    /// The text at the range differs from the quotation.
    #[error("bytes {start}..{end} of {source_id} are {actual:?}, not {quoted:?}")]
    Differs {
        /// The source.
        source_id: String,
        /// First byte.
        start: usize,
        /// One past the last.
        end: usize,
        /// The text at the range, from the first place where it differs to the last.
        actual: String,
        /// The quotation, likewise.
        quoted: String,
    },
}

/// Checks that `quote` equals the bytes `start..end` of the text of a source.
///
/// # Errors
/// The reason, if it does not.
pub fn check_quote(
    source_id: &str,
    text: &str,
    start: usize,
    end: usize,
    quote: &str,
) -> Result<(), Misquote> {
    // Ranges come from files that users may edit: `get` also rejects a range that splits a
    // character.
    let Some(actual) = text.get(start..end).filter(|text| !text.is_empty()) else {
        return Err(Misquote::OutOfRange {
            source_id: source_id.to_owned(),
            start,
            end,
            bytes: text.len(),
        });
    };
    if actual == quote {
        return Ok(());
    }
    let (actual, quoted) = excerpts(actual, quote);
    Err(Misquote::Differs {
        source_id: source_id.to_owned(),
        start,
        end,
        actual,
        quoted,
    })
}

/// The number of bytes of an excerpt on each side of what differs, about five words. Chosen by
/// hand.
const AROUND_DIFFERENCE: usize = 30;

/// The largest number of bytes of what differs that is shown whole; of more, this many at each end.
/// Chosen by hand, for a message of a few lines.
const MAX_DIFFERENCE: usize = 120;

/// Returns the parts of two texts in which they differ, from the first place to the last, with a
/// few words around them, for a message about an edit.
fn excerpts(one: &str, other: &str) -> (String, String) {
    let common = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        let same = pairs.take_while(|(own, other)| own == other);
        same.map(|(own, _)| own.len_utf8()).sum()
    };
    let before = common(&mut one.chars().zip(other.chars()));
    let ends = one[before..]
        .chars()
        .rev()
        .zip(other[before..].chars().rev());
    let after = common(&mut ends.into_iter());
    let excerpt = |text| excerpt(text, before, after);
    (excerpt(one), excerpt(other))
}

/// The part of a text between its first `before` bytes and its last `after` ones.
fn excerpt(text: &str, before: usize, after: usize) -> String {
    let start = text.floor_char_boundary(before.saturating_sub(AROUND_DIFFERENCE));
    let behind = text.len() - after;
    let end = text.ceil_char_boundary((behind + AROUND_DIFFERENCE).min(text.len()));
    let mut middle = text[start..end].to_owned();
    if behind - before > 2 * MAX_DIFFERENCE {
        let first = text.floor_char_boundary(before + MAX_DIFFERENCE);
        let last = text.ceil_char_boundary(behind - MAX_DIFFERENCE);
        middle = format!("{} … {}", &text[start..first], &text[last..end]);
    }
    let mark = |is_cut| if is_cut { "…" } else { "" };
    format!("{}{middle}{}", mark(start > 0), mark(end < text.len()))
}

/// Returns the reason why a claim is not its quotation: where the words of both differ.
pub fn not_printed(citation: &Citation, claim: &str) -> String {
    let (quoted, own) = excerpts(&printed(citation), claim);
    format!(
        "the words of {} are {quoted:?}, not {own:?}",
        citation.passage
    )
}

/// A source as claims are checked against it.
#[derive(Debug, Clone, Copy)]
pub struct SourceText<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its stored text.
    pub text: &'a str,
}

/// The verdict on a claim: each of its quotations must be at its byte range. A quoted claim is
/// supported if it is its first quotation word for word, a written one by the support check
/// ([`support()`]) of all its quotations together. `source_of` returns a source by id.
pub fn check_claim<'a>(
    claim: &Claim,
    source_of: impl Fn(&str) -> Option<SourceText<'a>>,
) -> ClaimVerdict {
    let titles = match check_citations(claim, source_of) {
        Err(reason) => return ClaimVerdict::of(claim, Verdict::Unsupported, reason),
        Ok(titles) => titles,
    };
    if claim.is_written() {
        let quotes = claim.citations.iter().map(printed);
        let checked = support(&claim.text, &evidence(titles.into_iter().zip(quotes)));
        let verdict = ClaimVerdict::of(claim, checked.verdict, checked.reason());
        return verdict.with_score(checked.score);
    }
    let first = claim.citations.first();
    if let Some(first) = first.filter(|first| is_printed(first, &claim.text)) {
        let reason = if first.columns.is_empty() {
            "the claim is its quotation, word for word"
        } else {
            "the claim is a row of its table, with the names of the columns"
        };
        return ClaimVerdict::of(claim, Verdict::Supported, reason.to_owned());
    }
    let reason = first.map_or_else(String::new, |first| not_printed(first, &claim.text));
    ClaimVerdict::of(claim, Verdict::Unsupported, reason)
}

/// Returns the titles of the sources that a claim cites, one per citation, if each quotation is at
/// its byte range.
///
/// # Errors
/// The reason, if one is not.
pub fn check_citations<'a>(
    claim: &Claim,
    source_of: impl Fn(&str) -> Option<SourceText<'a>>,
) -> Result<Vec<&'a str>, String> {
    if claim.citations.is_empty() {
        return Err("the claim cites nothing".to_owned());
    }
    let mut titles = Vec::new();
    for citation in &claim.citations {
        let source = source_of(&citation.source)
            .ok_or_else(|| format!("{} is not among the sources", citation.source))?;
        let Citation {
            start, end, quote, ..
        } = citation;
        check_quote(&citation.source, source.text, *start, *end, quote)
            .map_err(|error| error.to_string())?;
        let columns = || tables::columns_of_row(source.text, *start..*end);
        if !citation.columns.is_empty() && citation.columns != columns() {
            let names = citation.columns.join(", ");
            return Err(format!(
                "the columns of that row of {} are not {names}",
                citation.source
            ));
        }
        titles.push(source.title);
    }
    Ok(titles)
}

/// Returns the evidence for a claim in words of its own: the titles of the documents, which name
/// what their passages speak of, each once, and the passages as printed.
pub fn evidence<'a>(passages: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let (mut titles, mut quotes): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    for (title, quote) in passages {
        if !titles.contains(&title) {
            titles.push(title);
        }
        quotes.push(quote);
    }
    let titles = titles.into_iter().map(str::to_owned);
    titles.chain(quotes).collect::<Vec<_>>().join("\n\n")
}

/// The quotation of a citation as printed, see [`as_sentence`].
pub fn printed(citation: &Citation) -> String {
    as_sentence(&citation.quote, &citation.columns)
}

/// `true` if a claim is the quotation of a citation as printed, perhaps by a version that printed
/// the marks of strong emphasis and the escape of a dash, too.
pub fn is_printed(citation: &Citation, claim: &str) -> bool {
    let printed = printed(citation);
    printed == claim
        || claim.contains(STRONG) && printed == without_strong(claim)
        || claim.contains("\\-") && printed == claim.replace("\\-", "-")
}

/// The mark around words of strong emphasis in Markdown.
const STRONG: &str = "**";

/// A text without the marks around words of strong emphasis: "**Decision 4:** The hall is sold."
fn without_strong(text: &str) -> Cow<'_, str> {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, opened)) = rest.split_once(STRONG) {
        let opens = !is_word(before.chars().next_back()) && !opened.starts_with([' ', '*']);
        let closed = opened.split_once(STRONG).filter(|(words, behind)| {
            let closes = !words.ends_with(' ') && !is_word(behind.chars().next());
            opens && closes && !words.is_empty() && !words.contains(['`', '*'])
        });
        let Some((words, behind)) = closed else {
            let length = before.len() + STRONG.len();
            plain.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        };
        plain.push_str(before);
        plain.push_str(words);
        rest = behind;
    }
    if plain.is_empty() {
        return Cow::Borrowed(text);
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// A text without the mark of an emphasis that begins or ends outside of it, as that of the last
/// sentence in "*Published in May. In force since June.*"
fn without_stray_emphasis(text: &str) -> &str {
    let mut text = text;
    for mark in ["**", "*"] {
        let opened = text
            .strip_prefix(mark)
            .filter(|rest| !rest.contains('*') && !rest.starts_with(' '));
        let closed = text
            .strip_suffix(mark)
            .filter(|rest| !rest.contains('*') && !rest.ends_with(' '));
        text = opened.or(closed).unwrap_or(text);
    }
    text
}

/// A quotation as printed: its lines joined, block-quote markers removed, Markdown links reduced to
/// their text, the mark of an emphasis that it has one end of left out; a quotation that begins
/// inside a sentence is marked with `[…]`. A row of a table is printed as a record, "Who: Dana;
/// Due: 2026-03-31.", or without the names of its columns as its cells, "Dana; 2026-03-31".
pub fn as_sentence(quote: &str, columns: &[String]) -> String {
    if tables::is_row(quote) && !columns.is_empty() {
        return without_links(&tables::row_as_record(columns, quote));
    }
    if tables::is_row(quote) {
        let mut cells = tables::row_cells(quote);
        cells.retain(|cell| !cell.is_empty());
        return without_links(&cells.join("; "));
    }
    let mut words: Vec<&str> = Vec::new();
    let mut is_list = false;
    for (number, line) in quote.lines().enumerate() {
        // The first line begins after its marker: a `>` there is part of the sentence.
        let markers: &[char] = if number == 0 { &[] } else { &['>', ' ', '\t'] };
        let line = line.trim_start_matches(markers);
        // The items of a list after its introduction, "It fits if:".
        let item = item_of(line)
            .filter(|_| is_list || words.last().is_some_and(|last| last.ends_with([':', '：'])));
        is_list |= item.is_some();
        // The number of a step says where in the procedure it is.
        let item = item.filter(|_| !line.starts_with(|c: char| c.is_ascii_digit()));
        words.extend(item.map(|_| "•"));
        words.extend(item.unwrap_or(line).split_whitespace());
    }
    let sentence = number_of_first(quote) + &as_line(&words.join(" "));
    if begins_inside(quote) {
        format!("[…] {sentence}")
    } else {
        sentence
    }
}

/// `true` for a quotation that begins inside a sentence. In a text without any capitals, a
/// lower-case beginning means nothing.
fn begins_inside(quote: &str) -> bool {
    quote.starts_with(char::is_lowercase) && quote.contains(char::is_uppercase)
}

/// A line of a quotation without marks of strong and of stray emphasis and without links.
fn as_line(line: &str) -> String {
    without_links(&without_strong(without_stray_emphasis(line)))
}

/// The largest number of an item of a list; a larger one at the beginning of a line is a year.
const MAX_ITEM: usize = 99;

/// The number of the item with which a quotation begins, "1. ", if the next items of its list are
/// further lines of it: the quotation begins behind that number. Empty for any other.
fn number_of_first(quote: &str) -> String {
    let lines: Vec<&str> = quote.lines().map(str::trim).collect();
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    let next = lines.windows(2).find_map(|pair| {
        let number = text::item_number(pair[1])?;
        // A line that goes on in the next one may break before a number.
        let is_item = pair[0].ends_with(['.', ';', '!', '?', ':', '`']);
        is_item.then(|| (number, pair[0].ends_with(':')))
    });
    let is_numbered = lines
        .first()
        .is_some_and(|first| text::item_number(first).is_some());
    match next {
        // Behind its introduction the whole list is quoted.
        Some((next @ 2..=MAX_ITEM, false)) if !is_numbered => format!("{}. ", next - 1),
        _ => String::new(),
    }
}

/// The text of a line after the marker of an item: `- `, `1. `.
fn item_of(line: &str) -> Option<&str> {
    let after = match line.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None => line
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .strip_prefix(['.', ')'])?,
    };
    after.strip_prefix(' ')
}

/// A text with `words` for `[words](address)` and `[words][label]`, and without footnote
/// references; code and everything else is unchanged.
fn without_links(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_code = false;
    while let Some(at) = rest.find(['[', '`']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let link = if in_code { None } else { link(rest) };
        if let Some((words, length)) = link {
            plain.push_str(words);
            rest = &rest[length..];
        } else {
            // Each backtick toggles: inside a code span, brackets are not links.
            in_code ^= rest.starts_with('`');
            plain.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    plain.push_str(rest);
    plain
}

/// The text of a link at the beginning of a text, and the length of the whole link in bytes.
fn link(text: &str) -> Option<(&str, usize)> {
    let words = text.strip_prefix('[')?;
    // CommonMark, section 6.3: links do not nest, so an inner bracket means no link here.
    let end = words.find(['[', ']']).filter(|end| *end > 0)?;
    // A footnote reference, `[^1]`, is removed with its label.
    if words.starts_with('^') && words[end..].starts_with(']') && !words[..end].contains(' ') {
        return Some(("", end + 2));
    }
    let after = words[end..].strip_prefix(']')?;
    let closer = match after.chars().next()? {
        '(' => ')',
        '[' => ']',
        _ => return None,
    };
    let address = &after[1..];
    let length = address.find(|c: char| c == closer || c.is_whitespace())?;
    address[length..]
        .starts_with(closer)
        .then(|| (&words[..end], text.len() - address.len() + length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::claims::ClaimKind;

    /// Asserts for each claim and passage whether the claim is supported.
    pub(super) fn assert_supported(pairs: &[(&str, &str, bool)]) {
        for (claim, passage, is_supported) in pairs {
            let support = support(claim, passage);
            let is_accepted = support.verdict == Verdict::Supported;
            assert_eq!(is_accepted, *is_supported, "{claim} {support:?}");
        }
    }

    const TEXT: &str = "Wärme ist gut.\nA heat pump\nmoves heat.";

    fn claim(start: usize, end: usize, quote: &str, text: &str) -> Claim {
        Claim {
            id: "C1".to_owned(),
            text: text.to_owned(),
            kind: ClaimKind::Quoted,
            citations: vec![Citation {
                source: "S1".to_owned(),
                passage: "P1".to_owned(),
                start,
                end,
                line: None,
                page: None,
                quote: quote.to_owned(),
                columns: Vec::new(),
            }],
            sha256: None,
            superseded_by: None,
            superseded_from: None,
            heading: None,
            confidence: 1.0,
        }
    }

    fn verdict(claim: &Claim) -> Verdict {
        let source = SourceText {
            title: "Wärme",
            text: TEXT,
        };
        check_claim(claim, |id| (id == "S1").then_some(source)).verdict
    }

    #[test]
    fn a_misquotation_is_shown_where_it_differs() {
        let text = "A cover on the main pool at night would save gas. It costs about 48,000 euros.";
        let quote = text.replace("48", "18");
        let error = check_quote("S1", text, 0, text.len(), &quote).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("about 48,000 euros") && message.contains("about 18,000 euros"));
        assert!(check_quote("S1", text, 0, text.len(), text).is_ok());
        let both = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(excerpts("Wärme", "Wä"), both("Wärme", "Wä"));
        assert_eq!(excerpts("aa", "aaa"), both("aa", "aaa"));
        // The end of a sentence that differs is shown, whatever its beginning is.
        let text = "The motion was carried by 6 votes to 3, with the chair of the board of trade, \
                    the treasurer and both of the members for the harbour voting against.";
        let edited = text
            .replace("6 votes", "8 votes")
            .replace("against", "in favour");
        let (own, other) = excerpts(text, &edited);
        assert!(own.contains("carried by 6 votes") && own.ends_with("voting against."));
        assert!(other.contains("carried by 8 votes") && other.ends_with("voting in favour."));
    }

    #[test]
    fn a_quotation_is_printed_on_one_line() {
        assert_eq!(
            as_sentence("A  heat\n> > pump\n    runs", &[]),
            "A heat pump runs"
        );
        assert_eq!(as_sentence("> 5 is more", &[]), "> 5 is more");
        assert_eq!(
            as_sentence("In force since June.*", &[]),
            "In force since June."
        );
        assert_eq!(as_sentence("**Costs are high.", &[]), "Costs are high.");
        assert_eq!(as_sentence("**Costs.** A * b", &[]), "Costs. A * b");
        assert_eq!(as_sentence("A **b** 2**3 **c", &[]), "A b 2**3 **c");
        assert_eq!(as_sentence("| Dana | | [a](b) |", &[]), "Dana; a");
        let columns = ["Who", "When", "What"].map(str::to_owned);
        let row = as_sentence("| Dana | | [a](b) |", &columns);
        assert_eq!(row, "Who: Dana; What: a.");
        assert_eq!(
            as_sentence("a pump runs. It does.", &[]),
            "[…] a pump runs. It does."
        );
        for (quote, printed) in [
            ("A [pump](http://a.b/c) runs.", "A pump runs."),
            (
                "A [pump][label] and [pump] [run].",
                "A pump and [pump] [run].",
            ),
            ("Use `a[b](c)` and [x][].", "Use `a[b](c)` and x."),
            ("An [open (x) one.", "An [open (x) one."),
            ("It is so.[^1] `[^2]`", "It is so. `[^2]`"),
            ("[](x) and [a](b c)", "[](x) and [a](b c)"),
        ] {
            assert_eq!(as_sentence(quote, &[]), printed);
        }
    }

    #[test]
    fn a_claim_is_supported_only_by_its_exact_quotation() {
        let quote = "A heat pump\nmoves heat.";
        let start = TEXT.find(quote).unwrap();
        let end = start + quote.len();
        let sentence = "A heat pump moves heat.";
        assert_eq!(
            verdict(&claim(start, end, quote, sentence)),
            Verdict::Supported
        );
        for wrong in [
            claim(start + 1, end, quote, sentence),
            claim(start, end + 1, quote, sentence),
            claim(
                start,
                end,
                "A heat pump\nmoves water.",
                "A heat pump moves water.",
            ),
            claim(start, end, quote, "A heat pump moves mountains."),
            claim(2, 5, quote, sentence),
            claim(end, start, quote, sentence),
            claim(0, 0, "", ""),
        ] {
            assert_eq!(verdict(&wrong), Verdict::Unsupported, "{wrong:?}");
        }
        let mut unknown = claim(start, end, quote, sentence);
        unknown.citations[0].source = "S2".to_owned();
        assert_eq!(verdict(&unknown), Verdict::Unsupported);
        unknown.citations.clear();
        assert_eq!(verdict(&unknown), Verdict::Unsupported);
    }
}
