//! The context of a quotation: the text before and after it in the stored text, cut at paragraph or
//! word boundaries.

use std::ops::Range;

/// The number of characters to show on each side. This and the two limits below were chosen by
/// hand.
const TARGET_CHARACTERS: usize = 400;
/// The minimum number of characters to show if the text is cut at a paragraph boundary.
const MIN_CHARACTERS: usize = 250;
/// The maximum number of characters to show if the text is cut at a paragraph boundary.
const MAX_CHARACTERS: usize = 550;

/// A quotation and the text around it. The three texts are adjacent in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context<'a> {
    pub(super) before: &'a str,
    pub(super) quote: &'a str,
    pub(super) after: &'a str,
    /// `true` if the source has more text before `before`.
    pub(super) is_cut_before: bool,
    /// `true` if the source has more text after `after`.
    pub(super) is_cut_after: bool,
}

/// The context of a quotation; `None` if it is not in `range` of the text.
pub(super) fn context<'a>(text: &'a str, range: Range<usize>, quote: &str) -> Option<Context<'a>> {
    // In a damaged session the range may be reversed or split a character: `get` does not panic.
    let quoted = text.get(range.clone()).filter(|text| *text == quote)?;
    // Front matter is left out of the context, unless the quotation is in it.
    let body = Some(front_matter(text)).filter(|front| *front <= range.start);
    let before = text.get(body.unwrap_or(0)..range.start)?;
    let after = text.get(range.end..)?;
    let (start, end) = (context_start(before), context_end(after));
    Some(Context {
        before: before.get(start..)?,
        quote: quoted,
        after: after.get(..end)?,
        is_cut_before: start > 0,
        is_cut_after: !after.get(end..)?.trim().is_empty(),
    })
}

/// The length of the front matter in bytes: the lines between `---` at the top of a text.
fn front_matter(text: &str) -> usize {
    let closed = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.find("\n---\n"));
    closed.map_or(0, |end| "---\n".len() + end + "\n---\n".len())
}

/// The offset in `before` at which the context starts.
fn context_start(before: &str) -> usize {
    // Lengths count characters, so that scripts with several bytes per character get as much
    // context.
    let [Some(max), Some(target), Some(min)] = [MAX_CHARACTERS, TARGET_CHARACTERS, MIN_CHARACTERS]
        .map(|characters| Some(before.char_indices().nth_back(characters)?.0))
    else {
        return 0;
    };
    // The paragraph boundary closest to the target, else a word boundary, else the target itself.
    before[max..min]
        .match_indices("\n\n")
        .map(|(index, gap)| max + index + gap.len())
        .min_by_key(|end| end.abs_diff(target))
        .or_else(|| Some(target + before[target..].find(char::is_whitespace)?))
        .unwrap_or(target)
}

/// The offset in `after` at which the context ends.
fn context_end(after: &str) -> usize {
    let [Some(min), Some(target), Some(max)] = [MIN_CHARACTERS, TARGET_CHARACTERS, MAX_CHARACTERS]
        .map(|characters| Some(after.char_indices().nth(characters)?.0))
    else {
        return after.len();
    };
    after[min..max]
        .match_indices("\n\n")
        .map(|(index, _)| min + index)
        .min_by_key(|end| end.abs_diff(target))
        .or_else(|| after[..target].rfind(char::is_whitespace))
        .unwrap_or(target)
}

/// A paragraph of a context: runs of text, with `true` for those that are quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph<'a> {
    pub(super) runs: Vec<(&'a str, bool)>,
    /// `true` if its line breaks matter: a table, a list, code.
    pub(super) has_lines: bool,
}

impl Paragraph<'_> {
    /// `true` if it starts with a Markdown heading.
    pub(super) fn is_heading(&self) -> bool {
        self.runs.first().is_some_and(|(run, _)| is_heading(run))
    }
}

impl<'a> Context<'a> {
    /// The context as paragraphs; the whole quotation is in one of them.
    pub(super) fn paragraphs(&self) -> Vec<Paragraph<'a>> {
        let mut paragraphs = vec![Vec::new()];
        push_paragraphs(&mut paragraphs, self.before);
        push_run(&mut paragraphs, self.quote, true);
        push_paragraphs(&mut paragraphs, self.after);
        paragraphs
            .into_iter()
            .filter(|runs| runs.iter().any(|(run, _)| !run.trim().is_empty()))
            .map(|runs| Paragraph {
                has_lines: has_lines(&runs),
                runs,
            })
            .collect()
    }
}

/// Adds text around the quotation: its beginning belongs to the last paragraph, every blank line
/// and every heading starts a new paragraph.
fn push_paragraphs<'a>(paragraphs: &mut Vec<Vec<(&'a str, bool)>>, text: &'a str) {
    for (index, part) in text.split("\n\n").enumerate() {
        if index > 0 {
            paragraphs.push(Vec::new());
        }
        let heading = part.split_once('\n').filter(|(line, _)| is_heading(line));
        if let Some((heading, _)) = heading {
            push_run(paragraphs, heading, false);
            paragraphs.push(Vec::new());
        }
        push_run(paragraphs, heading.map_or(part, |(_, rest)| rest), false);
    }
}

/// `true` for a line that is a Markdown heading.
fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
}

fn push_run<'a>(paragraphs: &mut [Vec<(&'a str, bool)>], text: &'a str, is_quoted: bool) {
    if let Some(last) = paragraphs.last_mut()
        && !text.is_empty()
    {
        last.push((text, is_quoted));
    }
}

/// `true` if the line breaks of a paragraph matter; those of wrapped prose do not.
fn has_lines(runs: &[(&str, bool)]) -> bool {
    let text: String = runs.iter().map(|(run, _)| *run).collect();
    let text = text.trim_matches('\n');
    text.contains("\n\n") || (text.contains('\n') && text.lines().any(is_block_line))
}

/// `true` if a line belongs to a Markdown block other than a paragraph.
fn is_block_line(line: &str) -> bool {
    let bare = line.trim_start();
    let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    // Tables, quotations, headings and code fences; lists; ordered lists; indented code.
    bare.starts_with(['|', '>', '#', '`', '~'])
        || ["- ", "* ", "+ "].iter().any(|mark| bare.starts_with(mark))
        || (number.len() < bare.len() && number.starts_with(". "))
        || line.starts_with("    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(text: &str, quote: &str) -> Context<'static> {
        let text: &'static str = text.to_owned().leak();
        let start = text.find(quote).unwrap();
        context(text, start..start + quote.len(), quote).unwrap()
    }

    #[test]
    fn short_text_is_context_without_front_matter() {
        let context = around(
            "---\ntitle: T\n---\n\nÄpfel.\n\nA quote. More.\n",
            "A quote.",
        );
        assert_eq!(
            (context.before, context.after),
            ("\nÄpfel.\n\n", " More.\n")
        );
        assert!(!context.is_cut_before && !context.is_cut_after);
        assert_eq!(context.paragraphs().len(), 2);
        assert_eq!(around("---\ntitle: T\n---\nx", "title: T").before, "---\n");
    }

    #[test]
    fn context_is_cut_at_paragraph_or_word_boundaries() {
        let words = "wärme ".repeat(200);
        let context = around(&format!("{words}QUOTE {words}"), "QUOTE");
        assert!(context.is_cut_before && context.is_cut_after);
        assert!((390..=401).contains(&context.before.chars().count()));
        assert!(context.before.starts_with(" wärme") && context.after.ends_with("wärme"));

        let part = "é".repeat(300);
        let context = around(
            &format!("{words}\n\n{part} QUOTE {part}\n\n{words}"),
            "QUOTE",
        );
        assert_eq!(context.before.trim(), part);
        assert_eq!(context.after.trim(), part);

        let wall = "é".repeat(2000);
        let context = around(&format!("{wall}QUOTE{wall}"), "QUOTE");
        assert_eq!(context.after.chars().count(), 400);
    }

    #[test]
    fn quotation_that_does_not_match_has_no_context() {
        assert_eq!(context("ä quote", 1..4, "x"), None);
        assert_eq!(context("a quote", 2..70, "quote"), None);
        #[expect(clippy::reversed_empty_ranges, reason = "a session may say anything")]
        let reversed = context("a quote", 5..2, "quote");
        assert_eq!(reversed, None);
        assert_eq!(context("a quote", 2..7, "other"), None);
    }

    #[test]
    fn heading_right_above_the_quotation_is_a_paragraph_of_its_own() {
        let context = around(
            "# Trial\n\n## Method\nWe used brine. It is salty.\n",
            "We used brine.",
        );
        let paragraphs = context.paragraphs();
        assert_eq!(paragraphs.len(), 3);
        assert!(paragraphs[1].is_heading());
        assert_eq!(paragraphs[2].runs[0], ("We used brine.", true));
    }

    #[test]
    fn quotation_over_paragraphs_stays_in_one_piece() {
        let context = around("a\n\nb c\n\nd e\n\nf", "c\n\nd");
        let paragraphs = context.paragraphs();
        assert_eq!(paragraphs.len(), 3);
        assert_eq!(
            paragraphs[1].runs,
            [("b ", false), ("c\n\nd", true), (" e", false)]
        );
        assert!(paragraphs[1].has_lines);
    }
}
