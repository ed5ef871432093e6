//! Fences of code whose end was forgotten. CommonMark (4.5) takes all that follows as code, up to
//! the next fence without a language or the end of the text; its author did not mean that.

use std::ops::Range;

/// The number of words from which on a paragraph may be prose; chosen by hand.
const PROSE_WORDS: usize = 4;

/// The languages of code that shows Markdown, in which fences stand as they are (a closed list,
/// written by hand).
const MARKUP: [&str; 2] = ["markdown", "md"];

/// A run of the characters of a fence at the beginning of a line, and what is behind it.
struct Fence<'a> {
    mark: char,
    length: usize,
    language: &'a str,
}

impl<'a> Fence<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let line = line.trim_start_matches([' ', '>']);
        let mark = line
            .chars()
            .next()
            .filter(|mark| ['`', '~'].contains(mark))?;
        let rest = line.trim_start_matches(mark);
        let (length, language) = (line.len() - rest.len(), rest.trim());
        (length >= 3 && !language.contains(mark)).then_some(Self {
            mark,
            length,
            language,
        })
    }

    /// `true` if this one may close, or open anew, what the other has opened.
    fn is_like(&self, opening: &Self) -> bool {
        self.mark == opening.mark && self.length >= opening.length
    }
}

/// The offset at which the code of a fenced block of `markdown` ends, if its fence was forgotten:
/// at the first heading or paragraph of prose below an empty line, before another block of code
/// begins. `None` for one that is closed, and where there is no such line.
pub(super) fn forgotten_end(markdown: &str, block: &Range<usize>) -> Option<usize> {
    let text = markdown.get(block.clone())?;
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    let opening = Fence::of(first)?;
    let closes = |line: &&str| {
        let fence = Fence::of(line).filter(|fence| fence.is_like(&opening));
        fence.is_some_and(|fence| fence.language.is_empty())
    };
    let is_last = markdown[block.end..].trim().is_empty();
    let is_closed = !is_last || lines.clone().next_back().as_ref().is_some_and(closes);
    if is_closed && MARKUP.contains(&opening.language) {
        return None;
    }
    let (mut offset, mut end, mut is_below_empty) = (first.len(), None, false);
    for line in lines {
        let fence = Fence::of(line).filter(|fence| fence.is_like(&opening));
        if fence.is_some_and(|fence| !fence.language.is_empty()) {
            return end;
        }
        if is_below_empty && end.is_none() && is_text(&text[offset..]) {
            end = Some(block.start + offset);
        }
        is_below_empty = line.trim().is_empty();
        offset += line.len();
    }
    end.filter(|_| !is_closed)
}

/// `true` if a text begins with a heading, or with a paragraph that reads as prose.
fn is_text(text: &str) -> bool {
    let mut lines = text.lines();
    let first = lines.clone().next().unwrap_or_default();
    let title = first.trim_start_matches('#');
    if title.len() < first.len() && first.len() - title.len() <= 6 && title.starts_with(' ') {
        return true;
    }
    let begins = first.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        || ["- ", "* ", "> "]
            .iter()
            .any(|mark| first.starts_with(mark));
    let paragraph = lines.by_ref().take_while(|line| !line.trim().is_empty());
    let paragraph: Vec<&str> = paragraph.collect();
    let words = paragraph.iter().flat_map(|line| line.split_whitespace());
    let last = paragraph.last().map_or("", |line| line.trim_end());
    begins && words.count() >= PROSE_WORDS && last.ends_with(['.', '!', '?', ':', ')'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_of(markdown: &str) -> Option<&str> {
        let start = markdown.find("```").unwrap();
        let end = forgotten_end(markdown, &(start..markdown.len()))?;
        Some(&markdown[start..end])
    }

    #[test]
    fn a_fence_without_an_end_ends_above_prose_or_a_heading() {
        for (rest, is_forgotten) in [
            ("It goes on without a fence.\n", true),
            ("## Costs\n\nx\n", true),
            ("let b = 2;\n", false),
            ("    Indented is it still code.\n", false),
            ("It goes on.\n\n```\n", false),
            ("It is read as prose.\n\n```rust\nlet b = 2;\n```\n", true),
        ] {
            let text = format!("x\n\n```rust\nlet a = 1;\n\n{rest}");
            let code = is_forgotten.then_some("```rust\nlet a = 1;\n\n");
            assert_eq!(code_of(&text), code, "{rest}");
        }
        let shown = "```markdown\nx\n\nIt is shown as it is.\n\n```rust\na\n```\n";
        assert_eq!(code_of(shown), None);
    }
}
