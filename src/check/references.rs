//! The list of references of a report: its entries, by label, and the paragraphs that belong to it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use super::marks;
use super::paragraphs::{Kind, Paragraph, Span};

/// Headings of lists of references, in lower case.
const HEADINGS: &[&str] = &[
    "references",
    "reference list",
    "sources",
    "source list",
    "works cited",
    "bibliography",
    "citations",
    "literature",
    "literature cited",
    "notes",
    "footnotes",
    "endnotes",
    "links",
    "further reading",
    "quellen",
    "quellenverzeichnis",
    "literatur",
    "références",
    "fuentes",
];

/// The maximum length of the extension of a file's name: that of `.markdown`.
const EXTENSION: usize = 8;

/// An entry of the list of references.
#[derive(Debug, Clone, Default)]
pub(super) struct Entry {
    /// The text, without its label.
    pub(super) text: String,
    /// The addresses in it, in order.
    pub(super) addresses: Vec<String>,
}

/// The entries of a report.
#[derive(Debug, Default)]
pub(super) struct References {
    entries: BTreeMap<String, Entry>,
    /// The entries in order, for author and year.
    pub(super) in_order: Vec<Entry>,
    /// For each paragraph, whether it belongs to the list.
    pub(super) is_listed: Vec<bool>,
}

impl References {
    /// The entries among the paragraphs of a report: those below a heading of such a list,
    /// footnotes, and lines elsewhere that begin with a label and have an address.
    pub(super) fn of(paragraphs: &[Paragraph]) -> Self {
        let mut references = Self::default();
        // The level of the heading of the list in which we are.
        let mut list: Option<usize> = None;
        for (number, paragraph) in paragraphs.iter().enumerate() {
            let mut is_listed = true;
            match paragraph.kind {
                Kind::Heading(level) => {
                    // "Notes" as the title of a text is none of its sections.
                    let is_heading = number > 0 && is_heading(&paragraph.text);
                    let is_below = list.is_some_and(|own| level > own);
                    if is_heading || !is_below {
                        list = is_heading.then_some(level);
                    }
                }
                Kind::Note => references.add(paragraph.label.clone(), entry(paragraph, 0)),
                // "Sources:" as a line of its own is a heading of the lowest level.
                _ if is_heading(&paragraph.text) => list = Some(usize::MAX),
                _ if list.is_some() => references.add_lines(paragraph, 0),
                _ => match trailing_list(paragraph) {
                    Some(from) => references.add_lines(paragraph, from),
                    None => is_listed = false,
                },
            }
            references.is_listed.push(is_listed);
        }
        references
    }

    /// The entry of a label.
    pub(super) fn get(&self, label: &str) -> Option<&Entry> {
        let plain = label.trim_start_matches(|c: char| c.is_ascii_uppercase());
        self.entries.get(label).or_else(|| self.entries.get(plain))
    }

    /// The entry of an author and a year, `Ann, 2020`; none if the text is no such citation.
    pub(super) fn by_author(&self, name: &str) -> Option<&Entry> {
        let (author, year) = author_and_year(name)?;
        self.in_order.iter().find(|entry| {
            let text = entry.text.to_lowercase();
            text.contains(year) && text.contains(&author)
        })
    }

    /// Adds the lines of a paragraph from this byte on, each an entry if it has a label.
    fn add_lines(&mut self, paragraph: &Paragraph, from: usize) {
        let mut start = from;
        let text = &paragraph.text;
        let breaks: Vec<usize> = text[from..]
            .match_indices('\n')
            .map(|(at, _)| from + at + 1)
            .filter(|at| label(&text[*at..]).is_some())
            .chain([text.len()])
            .collect();
        for end in breaks {
            let (own, length) = label(&text[start..end]).unwrap_or_default();
            let label = Some(own)
                .filter(|own| !own.is_empty())
                .or_else(|| paragraph.label.clone());
            self.add(label, entry_in(paragraph, start + length, end));
            start = end;
        }
    }

    fn add(&mut self, label: Option<String>, entry: Entry) {
        if entry.text.trim().is_empty() && entry.addresses.is_empty() {
            return;
        }
        // A list without labels is numbered by its order.
        let label = label.unwrap_or_else(|| (self.in_order.len() + 1).to_string());
        let own = self.entries.entry(label).or_insert_with(|| entry.clone());
        // A footnote of several paragraphs is one entry.
        if own.text != entry.text {
            own.addresses.extend(entry.addresses.iter().cloned());
        }
        self.in_order.push(entry);
    }
}

/// The author in lower case and the year of a citation such as `Ann, 2020`, `“Title” 2020a`.
fn author_and_year(name: &str) -> Option<(String, &str)> {
    let (author, year) = name.trim().rsplit_once([' ', ','])?;
    let digits = year
        .get(..4)
        .filter(|year| year.bytes().all(|b| b.is_ascii_digit()));
    let year = match digits {
        Some(digits) if year.len() <= 5 => digits,
        _ if year == "n.d." => year,
        _ => return None,
    };
    let author = author
        .trim_end_matches([',', ' '])
        .trim_matches(['“', '”', '"']);
    let author = author.split(" et al").next().unwrap_or_default().trim();
    author
        .starts_with(char::is_uppercase)
        .then(|| (author.to_lowercase(), year))
}

/// `true` for the heading of a list of references, whatever stands around its words.
pub(super) fn is_heading(text: &str) -> bool {
    let plain = text
        .trim_matches(|c: char| !c.is_alphabetic())
        .to_lowercase();
    HEADINGS.contains(&plain.as_str())
}

/// The label at the beginning of an entry and its length in bytes: `[1] `, `1. `, `1) `, `^1 `.
fn label(line: &str) -> Option<(String, usize)> {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let (label, length) = if let Some(rest) = text.strip_prefix('[') {
        let end = rest.find(']')?;
        let after = rest[end + 1..].strip_prefix(':').map_or(0, |_| 1);
        (&rest[..end], end + 2 + after)
    } else {
        let end = text.find(|c: char| !c.is_ascii_digit())?;
        let is_numbered = end > 0 && text[end..].starts_with(['.', ')', ':']);
        is_numbered.then_some((&text[..end], end + 1))?
    };
    let label = label.trim_start_matches('^');
    let label = marks::labels(label).into_iter().next()?;
    Some((label, indent + length))
}

/// The beginning of the entries in a paragraph outside of a list: it has a first line such as
/// "Sources:", or all of its lines begin with a label in brackets, and there is an address.
fn trailing_list(paragraph: &Paragraph) -> Option<usize> {
    let text = &paragraph.text;
    let first = text.lines().next().unwrap_or_default();
    if text.len() > first.len() && is_heading(first) {
        return Some(first.len() + 1);
    }
    let has_label = |line: &str| line.trim_start().starts_with('[') && label(line).is_some();
    let has_address = !marks::addresses_in(text).is_empty()
        || paragraph
            .spans
            .iter()
            .any(|(_, span)| matches!(span, Span::Link(_)));
    // After its label, an entry begins as a title or an address does, and a sentence does not.
    let is_list = has_label(first) && text.lines().all(has_label);
    (is_list && (has_address || text.lines().all(names_file))).then_some(0)
}

/// `true` for a line that ends with the name of a file: `[1] The minutes, minutes-2024.md`.
fn names_file(line: &str) -> bool {
    let last = line.split_whitespace().last().unwrap_or_default();
    let last = last.trim_matches(|c: char| !c.is_alphanumeric());
    let extension = Path::new(last).extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| {
        // A sentence may end with a number: "version 2.5".
        extension.starts_with(|c: char| c.is_ascii_lowercase())
            && extension.len() <= EXTENSION
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn entry(paragraph: &Paragraph, from: usize) -> Entry {
    entry_in(paragraph, from, paragraph.text.len())
}

/// The entry in a range of a paragraph.
fn entry_in(paragraph: &Paragraph, start: usize, end: usize) -> Entry {
    let text = &paragraph.text[start..end];
    let links = paragraph
        .spans
        .iter()
        .filter_map(|(range, span)| match span {
            Span::Link(address) if range.start >= start && range.end <= end => {
                Some(address.clone())
            }
            _ => None,
        });
    let written = marks::addresses_in(text);
    let written = written.into_iter().map(|range| text[range].to_owned());
    let mut addresses: Vec<String> = Vec::new();
    for address in links
        .chain(written)
        .filter(|address| !address.starts_with('#'))
    {
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    Entry {
        text: text.trim().to_owned(),
        addresses,
    }
}

#[cfg(test)]
mod tests {
    use super::super::paragraphs::paragraphs;
    use super::*;

    #[test]
    fn lists_of_every_style_are_entries_by_label() {
        for list in [
            "## References\n\n1. Costs: http://a.b/c\n2. On heat, heat.md\n",
            "### Sources\n[1] Costs: http://a.b/c\n[2] On heat, heat.md\n",
            "Sources:\n[1] Costs: http://a.b/c\n[2] On heat, heat.md\n",
            "**Sources:**\n\n- [1] Costs: <http://a.b/c>\n- [2] On heat, heat.md\n",
            "[1] [Costs](http://a.b/c)\n[2] On heat, heat.md\n",
            "# Works cited\n\n- Costs. http://a.b/c.\n- On heat, heat.md\n",
        ] {
            let paragraphs = paragraphs(&format!("# T\n\nWords [1] and [2].\n\n{list}"));
            let references = References::of(&paragraphs);
            let first = references.get("1").unwrap_or_else(|| panic!("{list}"));
            assert_eq!(first.addresses, ["http://a.b/c"], "{list}");
            assert_eq!(references.get("2").unwrap().text, "On heat, heat.md");
            assert!(!references.is_listed[1] && *references.is_listed.last().unwrap());
        }
    }

    #[test]
    fn lines_with_labels_that_end_with_names_of_files_are_a_list() {
        let text = "Pumps move heat [1].\n\n[1] Heat, heat.md\n[2] `notes/costs.txt`\n\n\
                    [1] says that of version 2.5.\n";
        let references = References::of(&paragraphs(text));
        assert_eq!(references.is_listed, [false, true, false]);
        assert_eq!(references.get("2").unwrap().text, "notes/costs.txt");
    }

    #[test]
    fn the_title_of_a_text_is_no_list() {
        let text = "# Notes\n\nPumps move heat [1].\n\n## Notes\n\n[1] heat.md\n";
        let references = References::of(&paragraphs(text));
        assert_eq!(references.is_listed, [true, false, true, true]);
        assert_eq!(references.get("1").unwrap().text, "heat.md");
    }

    #[test]
    fn notes_and_authors_are_entries_and_sections_end_the_list() {
        let text = "A[^x].\n\n[^x]: See [C](c.md).\n\n## References\n\nAnn B. (2020). *Heat*. \
                    heat.md\n\n## More\n\n1. One.\n";
        let references = References::of(&paragraphs(text));
        assert_eq!(references.get("x").unwrap().addresses, ["c.md"]);
        assert!(references.by_author("Ann B., 2020").is_some());
        assert!(references.by_author("Ann B., 2021").is_none());
        assert!(references.by_author("in 2020").is_none());
        assert!(!references.is_listed.last().unwrap());
    }
}
