//! The parts of a report in their order, for every format that people read: which there are, what
//! each holds, and under which label a source is cited.

use super::citation::{self, Segment, Style};
use super::{BelowThreshold, Edition, Kind};
use crate::artifact::Report;
use crate::artifact::claims::Claim;
use crate::artifact::report::{Reference, ReportOutcome};
use crate::cite;

/// A report, taken apart.
pub(super) struct Outline<'a> {
    pub(super) title: &'a str,
    pub(super) warning: Option<Warning>,
    /// Words of the topic that nothing quoted speaks of together with the rest.
    pub(super) unanswered: Option<String>,
    pub(super) parts: Vec<Part<'a>>,
    /// The list of references, in the order in which it is printed.
    pub(super) references: Vec<Entry<'a>>,
    /// Whether the references are cited by author instead of by number.
    pub(super) by_author: bool,
}

/// What a reader has to know before anything else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Warning {
    NoEvidence,
    /// The published round, which is the best one.
    Best(BelowThreshold),
    /// A round that was sent back.
    SentBack(BelowThreshold),
}

pub(super) struct Part<'a> {
    pub(super) heading: String,
    pub(super) body: Body<'a>,
}

pub(super) enum Body<'a> {
    Claims(Vec<Voice<'a>>),
    /// Claims as running text.
    Abstract(Vec<&'a Claim>),
    Disagreements(Vec<Pair<'a>>),
    Sentences(Vec<String>),
    Phrases(&'a [String]),
}

/// Claims in a row that are quotations of one source, or one claim by itself.
pub(super) struct Voice<'a> {
    /// Whose words they are: title and year of the source. None for a claim in other words than a
    /// source's.
    pub(super) lead: Option<String>,
    pub(super) claims: Vec<&'a Claim>,
}

/// Two claims that do not go together.
pub(super) struct Pair<'a> {
    pub(super) difference: String,
    pub(super) sides: [Voice<'a>; 2],
}

/// An entry of the list of references.
pub(super) struct Entry<'a> {
    pub(super) reference: &'a Reference,
    pub(super) number: usize,
    /// What stands in the text where it is cited: `[1]`, or `(Author, 2024)`.
    pub(super) label: String,
    /// The entry in a style, if one was asked for.
    pub(super) styled: Option<Vec<Segment>>,
}

impl Warning {
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::NoEvidence => "No evidence was found.",
            Self::Best(_) | Self::SentBack(_) => "Below threshold.",
        }
    }

    pub(super) fn text(self) -> String {
        match self {
            Self::NoEvidence => "Nothing is claimed here.".to_owned(),
            Self::Best(BelowThreshold { score, threshold }) => format!(
                "This is the best round; its review scored {score:.2}, and {threshold:.2} was wanted."
            ),
            Self::SentBack(BelowThreshold { score, threshold }) => {
                format!("This round's review scored {score:.2}, and {threshold:.2} was wanted.")
            }
        }
    }
}

impl<'a> Outline<'a> {
    /// The report as the session's own files show it.
    pub(super) fn of_report(report: &'a Report, below: Option<&BelowThreshold>) -> Self {
        let warning = below.map(|below| Warning::Best(*below));
        Self::new(report, Kind::Detailed, None, warning)
    }

    /// What an edition wants of its report.
    pub(super) fn of_edition(edition: &Edition<'a>) -> Self {
        let warning = match edition.below {
            Some(below) if edition.is_published => Some(Warning::Best(below)),
            below => below.map(Warning::SentBack),
        };
        Self::new(edition.report, edition.kind, edition.style, warning)
    }

    fn new(report: &'a Report, kind: Kind, style: Option<Style>, below: Option<Warning>) -> Self {
        let is_silent = report.outcome == ReportOutcome::NoEvidence;
        let mut parts = match kind {
            Kind::Summary if report.executive_summary.is_empty() => {
                sections(report).take(1).collect()
            }
            Kind::Summary => vec![brief(report), disagreements(report)],
            Kind::Detailed => detailed(report),
            Kind::Academic => academic(report),
        };
        if kind == Kind::Summary && is_silent {
            parts.push(limits(report));
        }
        parts.retain(|part| !part.body.is_empty());
        let style = style.or((kind == Kind::Academic).then_some(Style::Apa));
        let cited = parts.iter().flat_map(|part| part.body.claims());
        let cited = cited.flat_map(|claim| &claim.citations);
        let cited: Vec<&str> = cited.map(|citation| citation.source.as_str()).collect();
        let wanted = |reference: &&Reference| {
            kind != Kind::Summary || cited.contains(&reference.source.as_str())
        };
        let used: Vec<&Reference> = report.references.iter().filter(wanted).collect();
        if kind == Kind::Academic {
            number(&mut parts);
        }
        Self {
            unanswered: unanswered(report),
            title: &report.title,
            warning: if is_silent {
                Some(Warning::NoEvidence)
            } else {
                below
            },
            parts,
            references: entries(&used, kind, style),
            by_author: kind == Kind::Academic,
        }
    }

    /// The entry of a source.
    pub(super) fn entry(&self, source: &str) -> Option<&Entry<'a>> {
        let mut entries = self.references.iter();
        entries.find(|entry| entry.reference.source == source)
    }
}

impl<'a> Body<'a> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Claims(voices) => voices.is_empty(),
            Self::Abstract(claims) => claims.is_empty(),
            Self::Disagreements(pairs) => pairs.is_empty(),
            Self::Sentences(sentences) => sentences.is_empty(),
            Self::Phrases(phrases) => phrases.is_empty(),
        }
    }

    /// The claims in it, in the order in which they are printed.
    pub(super) fn claims(&self) -> Vec<&'a Claim> {
        match self {
            Self::Claims(voices) => {
                let claims = voices.iter().flat_map(|voice| &voice.claims);
                claims.copied().collect()
            }
            Self::Abstract(claims) => claims.clone(),
            Self::Disagreements(pairs) => {
                let sides = pairs.iter().flat_map(|pair| &pair.sides);
                let claims = sides.flat_map(|side| &side.claims);
                claims.copied().collect()
            }
            Self::Sentences(_) | Self::Phrases(_) => Vec::new(),
        }
    }
}

fn entries<'a>(used: &[&'a Reference], kind: Kind, style: Option<Style>) -> Vec<Entry<'a>> {
    let labels = style.map(|style| citation::labels(style, used));
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for (place, reference) in used.iter().enumerate() {
        let label = labels.as_ref().and_then(|labels| labels.get(place));
        let is_academic = kind == Kind::Academic;
        entries.push(Entry {
            reference,
            number: place + 1,
            label: match label {
                Some(label) if is_academic => label.text.clone(),
                _ => format!("[{}]", place + 1),
            },
            styled: style.map(|style| {
                let suffix = label.and_then(|label| label.suffix).filter(|_| is_academic);
                citation::entry(style, reference, suffix)
            }),
        });
    }
    if kind == Kind::Academic {
        entries.sort_by_cached_key(|entry| {
            let segments = entry.styled.iter().flatten();
            let text: String = segments.map(Segment::text).collect();
            text.trim_start_matches('“').to_lowercase()
        });
    }
    entries
}

fn detailed(report: &Report) -> Vec<Part<'_>> {
    let mut parts = vec![brief(report)];
    parts.extend(sections(report));
    parts.push(disagreements(report));
    parts.push(open_questions(report));
    parts.push(Part {
        heading: "Themes".to_owned(),
        body: Body::Phrases(&report.themes),
    });
    parts.push(limits(report));
    parts
}

fn academic(report: &Report) -> Vec<Part<'_>> {
    let mut parts = vec![Part {
        heading: "Abstract".to_owned(),
        body: Body::Abstract(claims(report, &report.executive_summary)),
    }];
    parts.extend(sections(report));
    parts.extend([
        disagreements(report),
        open_questions(report),
        limits(report),
    ]);
    parts
}

/// Numbers the headings, apart from the abstract's.
fn number(parts: &mut [Part<'_>]) {
    let numbered = parts
        .iter_mut()
        .filter(|part| !matches!(part.body, Body::Abstract(_)));
    for (place, part) in numbered.enumerate() {
        part.heading = format!("{}. {}", place + 1, part.heading);
    }
}

/// The summary; a chronicle has none but its entries, which are its first section.
fn brief(report: &Report) -> Part<'_> {
    Part {
        heading: "In brief".to_owned(),
        body: Body::Claims(voices(report, &report.executive_summary)),
    }
}

fn sections(report: &Report) -> impl Iterator<Item = Part<'_>> {
    report.sections.iter().map(|section| Part {
        heading: section.heading.clone(),
        body: Body::Claims(voices(report, &section.claims)),
    })
}

fn disagreements(report: &Report) -> Part<'_> {
    let pairs = report.disagreements.iter().filter_map(|found| {
        let side = |id: &str| {
            let claim = claim(report, id)?;
            Some(Voice {
                lead: lead(report, claim),
                claims: vec![claim],
            })
        };
        Some(Pair {
            difference: capitalised(&found.difference),
            sides: [side(&found.one)?, side(&found.other)?],
        })
    });
    Part {
        heading: "Where the documents disagree".to_owned(),
        body: Body::Disagreements(pairs.collect()),
    }
}

fn open_questions(report: &Report) -> Part<'_> {
    let gaps = report.open_questions.iter();
    let sentences = gaps.map(|gap| format!("Nothing was found on: {gap}."));
    Part {
        heading: "Open questions".to_owned(),
        body: Body::Sentences(sentences.collect()),
    }
}

fn limits(report: &Report) -> Part<'_> {
    Part {
        heading: "Limits of this research".to_owned(),
        body: Body::Sentences(report.limits.clone()),
    }
}

fn claims<'a>(report: &'a Report, ids: &[String]) -> Vec<&'a Claim> {
    ids.iter().filter_map(|id| claim(report, id)).collect()
}

/// That the topic is not answered as it was asked.
fn unanswered(report: &Report) -> Option<String> {
    let words: Vec<String> = report
        .unanswered
        .iter()
        .map(|word| format!("“{word}”"))
        .collect();
    let (last, others) = words.split_last()?;
    let words = if others.is_empty() {
        last.clone()
    } else {
        format!("{} and {last}", others.join(", "))
    };
    Some(format!(
        "No sentence quoted here speaks of {words} together with the rest of the topic."
    ))
}

/// Claims by whose words they are, in their order.
fn voices<'a>(report: &'a Report, ids: &[String]) -> Vec<Voice<'a>> {
    let mut voices: Vec<Voice<'a>> = Vec::new();
    for claim in claims(report, ids) {
        let lead = lead(report, claim);
        match voices.last_mut() {
            Some(last) if lead.is_some() && last.lead == lead => last.claims.push(claim),
            _ => voices.push(Voice {
                lead,
                claims: vec![claim],
            }),
        }
    }
    voices
}

/// Title and year of the source that a claim quotes word for word; further citations say the like.
fn lead(report: &Report, claim: &Claim) -> Option<String> {
    let citation = claim.citations.first()?;
    if cite::as_sentence(&citation.quote) != claim.text {
        return None;
    }
    let mut references = report.references.iter();
    let source = references.find(|reference| reference.source == citation.source)?;
    let year = source.date.as_deref().and_then(|date| date.get(..4));
    Some(match year {
        Some(year) => format!("{} ({year})", source.title),
        None => source.title.clone(),
    })
}

/// The claim of this id, if all that it cites is among the references: nothing is shown that cannot
/// be followed.
fn claim<'a>(report: &'a Report, id: &str) -> Option<&'a Claim> {
    let claim = report.claim(id)?;
    let mut citations = claim.citations.iter();
    citations
        .all(|citation| report.number_of(&citation.source).is_some())
        .then_some(claim)
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}
