//! A quotation in its surroundings: what stands before and after it in the stored text.

use std::ops::Range;

/// Characters shown on each side, if no paragraph ends near.
const WANTED: usize = 400;
/// A paragraph's end counts as near from this many characters …
const NEAR: usize = 250;
/// … to this many.
const FAR: usize = 550;

/// A quotation and what stands around it. The three texts follow each other in the source without a
/// gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context<'a> {
    pub(super) before: &'a str,
    pub(super) quote: &'a str,
    pub(super) after: &'a str,
    /// Whether more stands before `before`.
    pub(super) is_cut_before: bool,
    /// Whether more stands after `after`.
    pub(super) is_cut_after: bool,
}

/// The surroundings of a quotation; `None` if it does not stand there.
pub(super) fn context<'a>(text: &'a str, place: Range<usize>, quote: &str) -> Option<Context<'a>> {
    let found = text.get(place.clone()).filter(|found| *found == quote)?;
    let body = Some(front_matter(text)).filter(|front| *front <= place.start);
    let before = text.get(body.unwrap_or(0)..place.start)?;
    let after = text.get(place.end..)?;
    let (start, end) = (begin(before), finish(after));
    Some(Context {
        before: before.get(start..)?,
        quote: found,
        after: after.get(..end)?,
        is_cut_before: start > 0,
        is_cut_after: !after.get(end..)?.trim().is_empty(),
    })
}

/// Bytes of the lines between `---` at the top of a text, which are about it and not of it.
fn front_matter(text: &str) -> usize {
    let closed = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.find("\n---\n"));
    closed.map_or(0, |found| "---\n".len() + found + "\n---\n".len())
}

/// Where the shown end of `before` begins.
fn begin(before: &str) -> usize {
    let place = |count: usize| {
        before
            .char_indices()
            .nth_back(count)
            .map(|(place, _)| place)
    };
    let (Some(far), Some(wanted), Some(near)) = (place(FAR), place(WANTED), place(NEAR)) else {
        return 0;
    };
    let ends = before[far..near].match_indices("\n\n");
    let ends = ends.map(|(found, ends)| far + found + ends.len());
    let words = || {
        before[wanted..]
            .find(char::is_whitespace)
            .map(|found| wanted + found)
    };
    ends.min_by_key(|end| end.abs_diff(wanted))
        .or_else(words)
        .unwrap_or(wanted)
}

/// Where the shown beginning of `after` ends.
fn finish(after: &str) -> usize {
    let place = |count: usize| after.char_indices().nth(count).map(|(place, _)| place);
    let (Some(near), Some(wanted), Some(far)) = (place(NEAR), place(WANTED), place(FAR)) else {
        return after.len();
    };
    let ends = after[near..far].match_indices("\n\n");
    let words = || after[..wanted].rfind(char::is_whitespace);
    ends.map(|(found, _)| near + found)
        .min_by_key(|end| end.abs_diff(wanted))
        .or_else(words)
        .unwrap_or(wanted)
}

/// A paragraph of a context: runs of text, and whether each is quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph<'a> {
    pub(super) runs: Vec<(&'a str, bool)>,
    /// Whether its lines are to be kept: a table, a list, code.
    pub(super) has_lines: bool,
}

impl Paragraph<'_> {
    /// Whether it is one line that is a heading in Markdown.
    pub(super) fn is_heading(&self) -> bool {
        let first = self.runs.first().map_or("", |(run, _)| run.trim_start());
        first.trim_start_matches('#').starts_with(' ') && first.starts_with('#')
    }
}

impl<'a> Context<'a> {
    /// The context as paragraphs; the quotation is in one of them as a whole.
    pub(super) fn paragraphs(&self) -> Vec<Paragraph<'a>> {
        let mut found = vec![Vec::new()];
        for (place, part) in self.before.split("\n\n").enumerate() {
            if place > 0 {
                found.push(Vec::new());
            }
            push(&mut found, part, false);
        }
        push(&mut found, self.quote, true);
        for (place, part) in self.after.split("\n\n").enumerate() {
            if place > 0 {
                found.push(Vec::new());
            }
            push(&mut found, part, false);
        }
        let is_blank = |runs: &Vec<(&str, bool)>| runs.iter().all(|(run, _)| run.trim().is_empty());
        found.retain(|runs| !is_blank(runs));
        let paragraphs = found.into_iter().map(|runs| Paragraph {
            has_lines: has_lines(&runs),
            runs,
        });
        paragraphs.collect()
    }
}

fn push<'a>(paragraphs: &mut [Vec<(&'a str, bool)>], text: &'a str, is_quoted: bool) {
    if let Some(last) = paragraphs.last_mut()
        && !text.is_empty()
    {
        last.push((text, is_quoted));
    }
}

/// Whether the lines of a paragraph mean something: a paragraph's own breaks do not.
fn has_lines(runs: &[(&str, bool)]) -> bool {
    let text: String = runs.iter().map(|(run, _)| *run).collect();
    let text = text.trim_matches('\n');
    let marked = |line: &str| {
        let bare = line.trim_start();
        let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
        bare.starts_with(['|', '>', '#', '`', '~'])
            || ["- ", "* ", "+ "].iter().any(|mark| bare.starts_with(mark))
            || (number.len() < bare.len() && number.starts_with(". "))
            || line.starts_with("    ")
    };
    text.contains("\n\n") || (text.contains('\n') && text.lines().any(marked))
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
    fn short_texts_are_shown_whole_without_their_front_matter() {
        let found = around(
            "---\ntitle: T\n---\n\nÄpfel.\n\nA quote. More.\n",
            "A quote.",
        );
        assert_eq!((found.before, found.after), ("\nÄpfel.\n\n", " More.\n"));
        assert!(!found.is_cut_before && !found.is_cut_after);
        assert_eq!(found.paragraphs().len(), 2);
        assert_eq!(around("---\ntitle: T\n---\nx", "title: T").before, "---\n");
    }

    #[test]
    fn long_texts_are_cut_between_paragraphs_or_words_and_never_in_a_character() {
        let words = "wärme ".repeat(200);
        let found = around(&format!("{words}QUOTE {words}"), "QUOTE");
        assert!(found.is_cut_before && found.is_cut_after);
        assert!((390..=401).contains(&found.before.chars().count()));
        assert!(found.before.starts_with(" wärme") && found.after.ends_with("wärme"));

        let part = "é".repeat(300);
        let found = around(
            &format!("{words}\n\n{part} QUOTE {part}\n\n{words}"),
            "QUOTE",
        );
        assert_eq!(found.before.trim(), part);
        assert_eq!(found.after.trim(), part);

        let wall = "é".repeat(2000);
        let found = around(&format!("{wall}QUOTE{wall}"), "QUOTE");
        assert_eq!(found.after.chars().count(), 400);
    }

    #[test]
    fn what_does_not_stand_there_has_no_context() {
        assert_eq!(context("ä quote", 1..4, "x"), None);
        assert_eq!(context("a quote", 2..70, "quote"), None);
        #[expect(clippy::reversed_empty_ranges, reason = "a session may say anything")]
        let reversed = context("a quote", 5..2, "quote");
        assert_eq!(reversed, None);
        assert_eq!(context("a quote", 2..7, "other"), None);
    }

    #[test]
    fn quotation_over_paragraphs_stays_in_one_piece() {
        let found = around("a\n\nb c\n\nd e\n\nf", "c\n\nd");
        let paragraphs = found.paragraphs();
        assert_eq!(paragraphs.len(), 3);
        assert_eq!(
            paragraphs[1].runs,
            [("b ", false), ("c\n\nd", true), (" e", false)]
        );
        assert!(paragraphs[1].has_lines);
    }
}
