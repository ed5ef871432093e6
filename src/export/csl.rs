//! The references as CSL-JSON, for Pandoc, Zotero and every processor of the Citation Style
//! Language.

use serde::Serialize;

use super::Format;
use super::authors::{Author, Person};
use super::bibliography::{self, Entry, Location};
use super::container::Work;
use crate::artifact;
use crate::artifact::analysis::SourceCategory;

/// The references as CSL-JSON.
pub const FORMAT: Format = Format {
    name: "csl-json",
    extension: "csl.json",
    media_type: "application/json",
    about: "The references as CSL-JSON, for Pandoc and Zotero",
    needs_texts: false,
    missing: None,
    render: |edition| {
        let entries = bibliography::entries(edition);
        let items: Vec<Item> = entries.into_iter().map(Item::of).collect();
        Ok(artifact::to_bytes(&items)?)
    },
};

/// An item of CSL 1.0.2: the fields that a reference can fill.
#[derive(Serialize)]
struct Item {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    author: Vec<Name>,
    #[serde(rename = "container-title", skip_serializing_if = "Option::is_none")]
    container_title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issue: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    #[serde(rename = "DOI", skip_serializing_if = "Option::is_none")]
    doi: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    publisher: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued: Option<Issued>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accessed: Option<Issued>,
    #[serde(rename = "URL", skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    archive_location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A name in its parts, or as written.
#[derive(Serialize)]
#[serde(untagged)]
enum Name {
    Person { family: String, given: String },
    Literal { literal: String },
}

impl Name {
    fn of(author: Author) -> Self {
        match author {
            Author::Person(Person { family, given }) => Self::Person { family, given },
            Author::Literal(literal) => Self::Literal { literal },
        }
    }
}

/// A date.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Issued {
    /// Year, month, day.
    DateParts([Vec<usize>; 1]),
    /// A date in words.
    Literal(String),
}

impl Item {
    fn of(entry: Entry) -> Self {
        let (kind, issued) = (kind(&entry), issued(&entry));
        let accessed = entry.accessed.map(|day| Issued::DateParts([day.into()]));
        let (url, path) = match entry.location {
            Location::Url(url) => (Some(url), None),
            Location::Path(path) => (None, Some(path)),
        };
        let own = entry.publication;
        Self {
            id: entry.key,
            kind,
            title: entry.title,
            author: entry.authors.into_iter().map(Name::of).collect(),
            container_title: own.journal,
            volume: own.volume,
            issue: own.issue,
            page: own.pages,
            doi: own.doi,
            publisher: own.publisher.or(own.institution),
            issued,
            accessed,
            url,
            archive_location: path,
            note: entry.note,
        }
    }
}

fn issued(entry: &Entry) -> Option<Issued> {
    let year = entry.year.as_deref()?;
    let Ok(number) = year.parse() else {
        return Some(Issued::Literal(year.to_owned()));
    };
    let parts = [Some(number), entry.month, entry.day];
    Some(Issued::DateParts([parts.into_iter().flatten().collect()]))
}

fn kind(entry: &Entry) -> &'static str {
    match entry.work {
        Work::Article => return "article-journal",
        Work::Report => return "report",
        Work::Other => {}
    }
    match (entry.category, &entry.location) {
        (Some(SourceCategory::News), _) => "article-newspaper",
        (Some(SourceCategory::Encyclopaedia), _) => "entry-encyclopedia",
        (Some(SourceCategory::Discussion), _) => "post",
        (Some(SourceCategory::Blog), _) => "post-weblog",
        (Some(SourceCategory::Data), _) => "dataset",
        (_, Location::Url(_)) => "webpage",
        (_, Location::Path(_)) => "document",
    }
}
