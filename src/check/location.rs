//! The place of a sentence: line and column of the file that the user has, whatever it was turned
//! into.

use super::report::Sentence;
use crate::text::line_and_column;

/// The number of letters and digits by which a sentence is looked for in markup. Chosen by hand.
const LETTERS: usize = 32;

/// The file that a report was read from.
#[derive(Debug, Clone, Copy)]
pub enum Original<'a> {
    /// The text itself: places are its lines and columns.
    Text,
    /// Markup, in which each sentence is looked for.
    Markup(&'a str),
    /// A format without lines: places are numbers of paragraphs, and columns in them.
    Paragraphs,
}

/// The places of sentences, asked in their order.
pub(super) struct Locations<'a> {
    markdown: &'a str,
    original: Original<'a>,
    /// The letters and digits of the markup outside of its tags, in lower case, and their offsets.
    letters: String,
    offsets: Vec<usize>,
    /// The byte of `letters` up to which sentences were found.
    from: usize,
}

impl<'a> Locations<'a> {
    pub(super) fn new(markdown: &'a str, original: Original<'a>) -> Self {
        let mut locations = Self {
            markdown,
            original,
            letters: String::new(),
            offsets: Vec::new(),
            from: 0,
        };
        if let Original::Markup(markup) = original {
            locations.project(markup);
        }
        locations
    }

    /// The line and the column of a sentence, from 1.
    pub(super) fn of(&mut self, sentence: &Sentence) -> (usize, usize) {
        match self.original {
            Original::Text => line_and_column(self.markdown, sentence.start),
            Original::Paragraphs => (sentence.paragraph.0, sentence.paragraph.1 + 1),
            Original::Markup(markup) => line_and_column(markup, self.locate(&sentence.text)),
        }
    }

    /// The offset in the markup of a sentence: behind the one before it, or else anywhere.
    fn locate(&mut self, sentence: &str) -> usize {
        let begin: String = letters(sentence).take(LETTERS).collect();
        let behind = self.letters[self.from..].find(&begin);
        let at = behind
            .map(|at| self.from + at)
            .or_else(|| self.letters.find(&begin))
            .unwrap_or(self.from);
        self.from = at;
        self.offsets.get(at).copied().unwrap_or_default()
    }

    /// Fills in the letters and digits outside of tags, with entities decoded.
    fn project(&mut self, markup: &str) {
        let mut at = 0;
        while let Some(c) = markup[at..].chars().next() {
            let rest = &markup[at..];
            let length = match c {
                '<' => rest.find('>').map_or(rest.len(), |end| end + 1),
                '&' => rest
                    .find(';')
                    .filter(|end| *end < 12)
                    .map_or(1, |end| end + 1),
                _ => c.len_utf8(),
            };
            if c != '<' {
                let text = html_escape::decode_html_entities(&rest[..length]);
                for letter in letters(&text) {
                    self.offsets
                        .extend(std::iter::repeat_n(at, letter.len_utf8()));
                    self.letters.push(letter);
                }
            }
            at += length;
        }
    }
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_located_in_markup() {
        let html = "<p>\n<b>Heat</b> pumps &amp; co.\n</p>\n<p>Heat &uuml;ber all.</p>";
        let mut locations = Locations::new("", Original::Markup(html));
        let mut line = |text| line_and_column(html, locations.locate(text));
        assert_eq!(line("Heat pumps & co."), (2, 4));
        assert_eq!(line("Heat über all."), (4, 4));
        assert_eq!(line("Nowhere at all."), (4, 4));
        for hostile in ["<", "&", "&;<>", "&#xfffff;"] {
            let _ = Locations::new("", Original::Markup(hostile));
        }
    }
}
