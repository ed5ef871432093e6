//! The references as BibTeX, for LaTeX with BibTeX or BibLaTeX, and for JabRef and Zotero.
//!
//! Text is escaped here and not by the `biblatex` crate: that writes `\~` and `\\`, which its own
//! parser reads as the characters, and LaTeX as an accent and a new line.

use std::fmt::Write;

use super::Format;
use super::authors::Author;
use super::bibliography::{self, Entry, Location};
use super::container::Work;

/// The names of the months that every BibTeX style defines.
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// The references as BibTeX.
pub const FORMAT: Format = Format {
    name: "bibtex",
    extension: "bib",
    media_type: "application/x-bibtex; charset=utf-8",
    about: "The references as BibTeX, for LaTeX",
    needs_texts: false,
    missing: None,
    render: |edition| {
        let entries = bibliography::entries(edition);
        let entries: Vec<String> = entries.iter().map(entry).collect();
        Ok(entries.join("\n").into_bytes())
    },
};

/// An article, a report or a `@misc`: classic BibTeX has no type for pages on the web.
fn entry(entry: &Entry) -> String {
    let kind = match entry.work {
        Work::Article => "article",
        Work::Report => "techreport",
        Work::Other => "misc",
    };
    let mut text = format!("@{kind}{{{},\n", entry.key);
    let mut field = |name: &str, value: &str| {
        // To a string, which cannot fail.
        let _ = writeln!(text, "  {name} = {value},");
    };
    // Inner braces: styles would change the case of a title, and divide a name into its parts.
    let literal = |value: &str| format!("{{{{{}}}}}", escaped(value));
    if !entry.authors.is_empty() {
        let authors: Vec<String> = entry.authors.iter().map(author).collect();
        field("author", &format!("{{{}}}", authors.join(" and ")));
    }
    field("title", &literal(&entry.title));
    for (name, value) in published(entry) {
        field(name, &literal(value));
    }
    if let Some(doi) = &entry.publication.doi {
        field("doi", &format!("{{{}}}", escaped(doi)));
    }
    if let Some(year) = &entry.year {
        field("year", &format!("{{{}}}", escaped(year)));
    }
    if let Some(month) = entry.month.and_then(|month| MONTHS.get(month - 1)) {
        field("month", month);
    }
    match &entry.location {
        // In BibLaTeX this field is verbatim: it is percent-encoded and needs no escapes.
        Location::Url(url) => field("url", &format!("{{{url}}}")),
        Location::Path(path) => field("howpublished", &literal(path)),
    }
    if let Some([year, month, day]) = entry.accessed {
        field("urldate", &format!("{{{year:04}-{month:02}-{day:02}}}"));
    }
    if let Some(note) = &entry.note {
        field("note", &format!("{{{}}}", escaped(note)));
    }
    text.push_str("}\n");
    text
}

/// The fields on the journal, the publisher and the institution.
fn published(entry: &Entry) -> impl Iterator<Item = (&'static str, &str)> {
    let own = &entry.publication;
    let institution = match entry.work {
        Work::Report => "institution",
        Work::Article | Work::Other => "organization",
    };
    let fields = [
        ("journal", &own.journal),
        ("volume", &own.volume),
        ("number", &own.issue),
        ("pages", &own.pages),
        ("publisher", &own.publisher),
        (institution, &own.institution),
    ];
    let fields = fields.into_iter();
    fields.filter_map(|(name, value)| Some((name, value.as_deref()?)))
}

/// The name of an author, which braces keep from being divided if it may be that of a group.
fn author(author: &Author) -> String {
    match author {
        Author::Person(person) => escaped(&person.inverted()),
        Author::Literal(name) => format!("{{{}}}", escaped(name)),
    }
}

/// Text of a document as text for LaTeX in UTF-8.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '$' | '&' | '%' | '#' | '_' => {
                escaped.push('\\');
                escaped.push(c);
            }
            // By name: BibTeX counts braces even behind a backslash.
            '{' => escaped.push_str("{\\textbraceleft}"),
            '}' => escaped.push_str("{\\textbraceright}"),
            '\\' => escaped.push_str("{\\textbackslash}"),
            '~' => escaped.push_str("{\\textasciitilde}"),
            '^' => escaped.push_str("{\\textasciicircum}"),
            // In LaTeX's oldest font encoding these keys hold other characters.
            '<' => escaped.push_str("{\\textless}"),
            '>' => escaped.push_str("{\\textgreater}"),
            '|' => escaped.push_str("{\\textbar}"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_is_escaped() {
        assert_eq!(escaped("50 % of $x_1 & #2"), "50 \\% of \\$x\\_1 \\& \\#2");
        assert_eq!(
            escaped("}\\input{x}"),
            "{\\textbraceright}{\\textbackslash}input{\\textbraceleft}x{\\textbraceright}"
        );
    }
}
