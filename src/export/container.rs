//! What a document was published in, in the citation styles: a journal with volume, issue and
//! pages, or a publisher, and the DOI.

use super::authors::affiliation;
use super::segment::{Segment, with_full_stop};
use crate::artifact::report::Reference;
use crate::artifact::source::Publication;
use crate::text::{fold, one_line, words};

/// Words of the titles of reports, folded, in English and German.
const REPORTS: &[&str] = &[
    "assessment",
    "bericht",
    "gutachten",
    "report",
    "studie",
    "study",
    "survey",
];

/// The kind of a work by what it was published in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// An article in a journal.
    Article,
    /// A report of an institution.
    Report,
    /// Any other.
    Other,
}

impl Work {
    /// The kind of work that a reference is.
    pub(super) fn of(reference: &Reference) -> Self {
        let is_report = || {
            let mut words = words(&reference.title).map(|word| fold(word.text));
            words.any(|word| REPORTS.contains(&word.as_str()))
        };
        match &reference.publication {
            Publication {
                journal: Some(_), ..
            } => Self::Article,
            Publication {
                institution: Some(_),
                ..
            } if is_report() => Self::Report,
            _ => Self::Other,
        }
    }
}

/// The address of a DOI, in which every style writes it.
pub(super) fn doi_address(doi: &str) -> String {
    format!("https://doi.org/{}", one_line(doi))
}

/// The DOI as an address, unless the locator is that already.
fn doi(reference: &Reference) -> Option<String> {
    let address = doi_address(reference.publication.doi.as_deref()?);
    (!reference.locator.eq_ignore_ascii_case(&address)).then_some(address)
}

/// A range with an en dash between its numbers.
fn range(pages: &str) -> String {
    one_line(pages).replace('-', "–")
}

/// The publisher, else the institution, where it is not the author already.
fn publisher(reference: &Reference) -> Option<String> {
    let own = &reference.publication;
    let author_field = reference.author.as_deref().unwrap_or_default();
    let named = own.publisher.as_deref().or_else(|| {
        let has_author = !author_field.is_empty();
        let institution = own.institution.as_deref();
        institution
            .or_else(|| affiliation(author_field))
            .filter(|_| has_author)
    })?;
    let author = reference.author.as_deref().or(own.institution.as_deref());
    (author != Some(named)).then(|| one_line(named))
}

/// `*Journal*, *274*(3), 106–118. https://doi.org/… `, or `Publisher. `
pub(super) fn apa(reference: &Reference) -> Vec<Segment> {
    let own = &reference.publication;
    let mut segments = Vec::new();
    if let Some(journal) = &own.journal {
        segments.push(Segment::Italic(one_line(journal)));
        if let Some(volume) = &own.volume {
            segments.push(Segment::Plain(", ".to_owned()));
            segments.push(Segment::Italic(one_line(volume)));
        }
        let issue = own
            .issue
            .as_ref()
            .map(|issue| format!("({})", one_line(issue)));
        let pages = own
            .pages
            .as_ref()
            .map(|pages| format!(", {}", range(pages)));
        let parts: String = [issue, pages].into_iter().flatten().collect();
        segments.push(Segment::Plain(format!("{parts}. ")));
    } else if let Some(publisher) = publisher(reference) {
        segments.push(Segment::Plain(format!("{} ", with_full_stop(&publisher))));
    }
    segments.extend(doi(reference).map(|doi| Segment::Plain(format!("{doi} "))));
    segments
}

/// `*Journal*, vol. 274, no. 3, 2024, pp. 106–118, https://doi.org/…, `, or `Publisher, 2024, `
/// with the day of the publication.
pub(super) fn mla(reference: &Reference, day: &str) -> Vec<Segment> {
    let own = &reference.publication;
    let part = |name: &str, value: &Option<String>| {
        let value = value.as_deref().map(range);
        value.map_or(String::new(), |value| format!("{name} {value}, "))
    };
    let doi = doi(reference).map_or(String::new(), |doi| format!("{doi}, "));
    let Some(journal) = &own.journal else {
        let publisher = publisher(reference).map_or(String::new(), |own| format!("{own}, "));
        return vec![Segment::Plain(format!("{publisher}{day}{doi}"))];
    };
    let (volume, issue) = (part("vol.", &own.volume), part("no.", &own.issue));
    let pages = part("pp.", &own.pages);
    vec![
        Segment::Italic(one_line(journal)),
        Segment::Plain(format!(", {volume}{issue}{day}{pages}{doi}")),
    ]
}

/// `*Journal* 274 (3): 106–118. https://doi.org/… `, or `Publisher. `
pub(super) fn chicago(reference: &Reference) -> Vec<Segment> {
    let own = &reference.publication;
    let mut segments = Vec::new();
    if let Some(journal) = &own.journal {
        let volume = own.volume.as_ref().map(|own| format!(" {}", one_line(own)));
        let issue = own
            .issue
            .as_ref()
            .map(|own| format!(" ({})", one_line(own)));
        let pages = own.pages.as_ref().map(|own| format!(": {}", range(own)));
        let parts: String = [volume, issue, pages].into_iter().flatten().collect();
        segments.push(Segment::Italic(one_line(journal)));
        segments.push(Segment::Plain(format!("{parts}. ")));
    } else if let Some(publisher) = publisher(reference) {
        segments.push(Segment::Plain(format!("{} ", with_full_stop(&publisher))));
    }
    segments.extend(doi(reference).map(|doi| Segment::Plain(format!("{doi}. "))));
    segments
}
