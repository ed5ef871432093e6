//! The category of a source by what is known of it: its address, the kind of its file, its status
//! and its title. The lists are short and chosen by hand; what they do not tell has no category.

use url::Url;

use crate::artifact::Source;
use crate::artifact::analysis::SourceCategory;
use crate::text;

/// Domains of a category, between commas, the more specific ones first; a subdomain belongs to its
/// domain.
const DOMAINS: &[(SourceCategory, &str)] = &[
    (
        SourceCategory::Encyclopaedia,
        "wikipedia.org, wikidata.org, britannica.com, scholarpedia.org",
    ),
    (
        SourceCategory::Discussion,
        "reddit.com, news.ycombinator.com, stackoverflow.com, stackexchange.com,  \
         superuser.com, serverfault.com, askubuntu.com, quora.com, lobste.rs, x.com,  \
         twitter.com, facebook.com, instagram.com, tiktok.com, bsky.app",
    ),
    (
        SourceCategory::Blog,
        "medium.com, substack.com, dev.to, wordpress.com, blogspot.com, hashnode.dev",
    ),
    (
        SourceCategory::Research,
        "arxiv.org, doi.org, nature.com, science.org, sciencedirect.com, springer.com,  \
         wiley.com, ieee.org, acm.org, ncbi.nlm.nih.gov, plos.org, biorxiv.org,  \
         medrxiv.org, semanticscholar.org, openalex.org, jstor.org",
    ),
    (
        SourceCategory::News,
        "reuters.com, apnews.com, bbc.com, bbc.co.uk, nytimes.com, theguardian.com,  \
         economist.com, ft.com, washingtonpost.com, lwn.net, arstechnica.com",
    ),
    (
        SourceCategory::Data,
        "zenodo.org, kaggle.com, figshare.com, ourworldindata.org",
    ),
    (
        SourceCategory::Documentation,
        "docs.rs, readthedocs.io, developer.mozilla.org, man7.org, cppreference.com",
    ),
    (
        SourceCategory::Official,
        "ietf.org, rfc-editor.org, w3.org, iso.org, iec.ch, itu.int, who.int,  \
         europa.eu, peps.python.org, gov, mil, gov.uk",
    ),
];

/// The first label of a host, or a segment of a path, that tells the category of a page.
const LABELS: &[(SourceCategory, &str)] = &[
    (
        SourceCategory::Documentation,
        "docs, doc, documentation, manual, developer, developers, reference",
    ),
    (
        SourceCategory::Discussion,
        "forum, forums, community, discuss, discussions, issues, lists, threads",
    ),
    (SourceCategory::Blog, "blog, blogs, posts"),
    (SourceCategory::News, "news"),
    (SourceCategory::Data, "data, datasets, statistics"),
];

/// Kinds of files of a category.
const KINDS: &[(SourceCategory, &str)] = &[
    (SourceCategory::Data, "csv, json, xlsx, ods"),
    (SourceCategory::Discussion, "email, mbox"),
];

/// Words of a title, or of a file's name, by which a document is official: a standard, or a
/// proposal for one.
const OFFICIAL_WORDS: &str = "rfc, pep, adr, iso, din, ieee";

/// Folders of personal notes.
const NOTE_WORDS: &str = "notes, note, journal, diary, memo, zettel";

/// The category of a source; `None` if nothing tells it.
pub(super) fn category(source: &Source) -> Option<SourceCategory> {
    let of_kind = listed(KINDS, |kind| kind == source.kind);
    match Url::parse(&source.locator).ok().filter(Url::has_host) {
        Some(url) => of_page(&url).or(of_kind),
        None => of_kind.or_else(|| of_document(source)),
    }
}

fn of_page(url: &Url) -> Option<SourceCategory> {
    let host = url
        .host_str()
        .unwrap_or_default()
        .trim_start_matches("www.");
    let is_of = |domain: &str| host.strip_suffix(domain).is_some_and(is_subdomain);
    let first = host.split('.').next().unwrap_or_default();
    let segments: Vec<&str> = url.path().split('/').collect();
    // The file itself is named freely: only the folders above it tell a category.
    let folders = segments
        .split_last()
        .map_or(&[][..], |(_, folders)| folders);
    listed(DOMAINS, is_of)
        .or_else(|| listed(LABELS, |label| label == first))
        .or_else(|| listed(LABELS, |label| folders.contains(&label)))
}

/// `true` for what is before a domain in a host of it: nothing, or labels.
fn is_subdomain(rest: &str) -> bool {
    rest.is_empty() || rest.ends_with('.')
}

fn of_document(source: &Source) -> Option<SourceCategory> {
    let has_word = |text: &str, list: &str| {
        text::words(text).any(|word| is_listed(list, &text::fold(word.text)))
    };
    // A file name such as `pep-0703.rst` is split at its hyphens, and not at its underscores.
    let path = source.locator.replace('_', " ");
    let file = path.rsplit('/').next().unwrap_or_default();
    // A status makes no document official: a price list has one, too.
    if has_word(&source.title, OFFICIAL_WORDS) || has_word(file, OFFICIAL_WORDS) {
        Some(SourceCategory::Official)
    } else {
        has_word(&path, NOTE_WORDS).then_some(SourceCategory::Notes)
    }
}

fn is_listed(list: &str, word: &str) -> bool {
    list.split(", ").any(|entry| entry == word)
}

/// The category of the first list with an entry that matches.
fn listed(
    lists: &[(SourceCategory, &str)],
    matches: impl Fn(&str) -> bool,
) -> Option<SourceCategory> {
    let entry = lists
        .iter()
        .find(|(_, list)| list.split(", ").any(&matches));
    entry.map(|(category, _)| *category)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::source::{
        Credibility, DocumentStatus, Lifecycle, PageStarts, Publication,
    };
    use crate::pipeline::Digest;

    fn source(locator: &str, kind: &str, title: &str) -> Source {
        Source {
            id: "S1".to_owned(),
            locator: locator.to_owned(),
            title: title.to_owned(),
            author: None,
            date: None,
            status: DocumentStatus::default(),
            publication: Publication::default(),
            kind: kind.to_owned(),
            sha256: Digest::of(b""),
            bytes: 0,
            pages: PageStarts::default(),
            read_at: None,
            prompt_injection: None,
            credibility: Credibility {
                score: 0.5,
                reasons: Vec::new(),
            },
        }
    }

    #[test]
    fn address_kind_title_and_status_tell_the_category() {
        use SourceCategory::{
            Blog, Data, Discussion, Documentation, Encyclopaedia, News, Notes, Official, Research,
        };
        for (locator, kind, title, expected) in [
            (
                "https://en.wikipedia.org/wiki/GIL",
                "html",
                "GIL",
                Some(Encyclopaedia),
            ),
            ("https://old.reddit.com/r/a", "html", "A", Some(Discussion)),
            ("https://notreddit.com/r/a", "html", "A", None),
            ("https://www.epa.gov/heat", "html", "A", Some(Official)),
            (
                "https://pmc.ncbi.nlm.nih.gov/1",
                "html",
                "A",
                Some(Research),
            ),
            ("https://www.bbc.co.uk/news/1", "html", "A", Some(News)),
            (
                "https://docs.python.org/3/a.html",
                "html",
                "A",
                Some(Documentation),
            ),
            ("https://e.com/blog/a", "html", "A", Some(Blog)),
            ("https://e.com/blog", "html", "A", None),
            ("https://e.com/a.csv", "csv", "A", Some(Data)),
            (
                "https://github.com/a/b/issues/3",
                "html",
                "A",
                Some(Discussion),
            ),
            (
                "peps/pep-0703.rst",
                "rst",
                "Making the GIL optional",
                Some(Official),
            ),
            ("my_notes/pumps.md", "markdown", "Pumps", Some(Notes)),
            ("mail/2024.mbox", "mbox", "Pumps", Some(Discussion)),
            ("costs.md", "markdown", "Costs", None),
            ("https://", "html", "", None),
        ] {
            assert_eq!(
                category(&source(locator, kind, title)),
                expected,
                "{locator}"
            );
        }
        let mut with_status = source("a.md", "markdown", "A");
        with_status.status.lifecycle = Some(Lifecycle::Withdrawn);
        assert_eq!(category(&with_status), None);
    }
}
