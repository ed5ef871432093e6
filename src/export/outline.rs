//! The outline of a report, computed once for every format that people read: its parts in order,
//! the claims in each, the references, and the label under which each source is cited.

use super::citation::{self, Date, Segment, Style};
use super::claim_group::{ClaimGroup, attribution, claim, claim_groups, claims};
use super::headings::{Heading, Headings};
use super::notices::{Warning, not_answered, warnings};
use super::opinion;
use super::{BelowThreshold, Edition, Kind};
use crate::artifact::Report;
use crate::artifact::claims::{Claim, Series};
use crate::artifact::documents::NearestDocument;
use crate::artifact::report::{QuotedTable, Reference, ReportOutcome};
use crate::text::{self, Table, with_full_stop};

/// A report as a sequence of parts.
pub(super) struct Outline<'a> {
    pub(super) title: &'a str,
    /// Round and date, of a part of a report: the whole one is the file of the session, which has
    /// no time of the run.
    pub(super) about: Option<String>,
    pub(super) warnings: Vec<Warning>,
    /// A sentence that names the terms of the topic which no quoted sentence mentions together with
    /// the other terms; `None` if there are none.
    pub(super) unanswered: Option<String>,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) headings: Headings,
    /// The list of references, in the order in which it is printed.
    pub(super) references: Vec<ReferenceEntry<'a>>,
    /// `true` if sources are cited by author instead of by number.
    pub(super) by_author: bool,
    /// The claims with an implausible number, each with the claim that gives the plausible one.
    pub(super) implausible: Vec<(&'a Claim, &'a Claim)>,
}

/// A section of the exported report: a heading and what follows it.
pub(super) struct Part<'a> {
    pub(super) heading: String,
    pub(super) body: Body<'a>,
}

/// The content of a part.
pub(super) enum Body<'a> {
    Claims(Vec<ClaimGroup<'a>>),
    /// Claims as running text.
    Prose(Vec<&'a Claim>),
    Disagreements(Vec<Conflict<'a>>),
    Series(Vec<DatedTable<'a>>),
    /// What people think: sentences on the whole, and each position with the posts that show it.
    Opinion(Vec<String>, Vec<(String, Vec<ClaimGroup<'a>>)>),
    Sentences(Vec<String>),
    Phrases(&'a [String]),
    /// Tables of the sources, as their quotations read.
    Tables(Vec<(&'a QuotedTable, Table)>),
}

/// Claims that contradict each other.
pub(super) struct Conflict<'a> {
    pub(super) difference: String,
    /// Two sides, or one for each value of several.
    pub(super) sides: Vec<ClaimGroup<'a>>,
}

/// The successive values of one thing, a row each, or of several things, a column for each date.
pub(super) struct DatedTable<'a> {
    /// The statement on one thing, without its numbers; empty for several.
    pub(super) statement: &'a str,
    /// The names of the columns.
    pub(super) columns: Vec<&'a str>,
    /// The cells of each row.
    pub(super) rows: Vec<Vec<DatedCell<'a>>>,
}

/// A cell of such a table.
pub(super) struct DatedCell<'a> {
    pub(super) text: String,
    /// The claim that quotes it.
    pub(super) claim: Option<&'a Claim>,
}

impl<'a> DatedCell<'a> {
    fn new(text: impl Into<String>, claim: Option<&'a Claim>) -> Self {
        Self {
            text: text.into(),
            claim,
        }
    }
}

/// An entry of the list of references.
pub(super) struct ReferenceEntry<'a> {
    pub(super) reference: &'a Reference,
    pub(super) number: usize,
    /// The in-text citation: `[1]`, or `(Author, 2024)`.
    pub(super) label: String,
    /// The remark on a source that is not in force, in brackets: `(withdrawn)`. It stands beside
    /// every citation of the source, so that nothing in it is taken for what applies.
    pub(super) remark: Option<String>,
    /// The entry in a citation style, if one is used.
    pub(super) styled: Option<Vec<Segment>>,
}

impl<'a> Outline<'a> {
    /// The outline of the report in the files of a session, with the sentence on the judgements
    /// that rules made in place of a model.
    pub(super) fn of_report(
        report: &'a Report,
        below: Option<&BelowThreshold>,
        by_rules: Option<&str>,
    ) -> Self {
        let warning = below.map(|below| Warning::BestRound(*below));
        Self::new(report, Kind::Detailed, None, warning).with_rules(by_rules)
    }

    /// The outline of an edition.
    pub(super) fn of_edition(edition: &Edition<'a>) -> Self {
        // Only the published round is the best one; any other was sent back by its review.
        let warning = match edition.below {
            Some(below) if edition.is_published => Some(Warning::BestRound(below)),
            below => below.map(Warning::SentBack),
        };
        let about = (edition.kind != Kind::Detailed).then(|| edition.about());
        Self {
            about,
            ..Self::new(edition.report, edition.kind, edition.style, warning)
                .with_rules(edition.by_rules.as_deref())
        }
    }

    /// With the warning that rules answered, before all others: it is on the whole report.
    fn with_rules(mut self, by_rules: Option<&str>) -> Self {
        let warning = by_rules.map(|sentence| Warning::ByRules(sentence.to_owned()));
        self.warnings.splice(0..0, warning);
        self
    }

    fn new(report: &'a Report, kind: Kind, style: Option<Style>, warning: Option<Warning>) -> Self {
        let unanswered = not_answered(report);
        // What does not answer scores low: one line says it.
        let is_said = unanswered.is_some() || report.claims.is_empty();
        let warning = warning.filter(|own| !(is_said && matches!(own, Warning::BestRound(_))));
        let no_evidence = report.outcome == ReportOutcome::NoEvidence;
        let mut parts = match kind {
            Kind::Summary if report.outcome == ReportOutcome::Direct => Vec::new(),
            // A chronicle has no summary of its own: its first section takes that role.
            Kind::Summary if report.executive_summary.is_empty() => {
                sections(report).take(1).collect()
            }
            Kind::Summary => vec![summary(report), disagreements(report)],
            Kind::Detailed => detailed(report),
            Kind::Academic => academic(report),
        };
        if kind == Kind::Summary && no_evidence {
            parts.extend([nearest(report), limits(report)]);
        }
        if kind == Kind::Summary && report.outcome == ReportOutcome::Opinions {
            parts.push(public_opinion(report));
        }
        parts.splice(0..0, direct_answer(report));
        // Empty parts are removed before headings are numbered, so that the numbers have no gaps.
        parts.retain(|part| !part.body.is_empty());
        let style = style.or((kind == Kind::Academic).then_some(Style::Apa));
        let cited: Vec<&str> = parts
            .iter()
            .flat_map(|part| part.body.claims())
            .flat_map(|claim| &claim.citations)
            .map(|citation| citation.source.as_str())
            .collect();
        // A summary lists only the sources that its own claims cite.
        let opinion = report.public_opinion.iter();
        let threads = opinion.flat_map(|opinion| &opinion.references);
        let used: Vec<&Reference> = report
            .references
            .iter()
            .chain(threads)
            .filter(|reference| kind != Kind::Summary || cited.contains(&reference.source.as_str()))
            .collect();
        if kind == Kind::Academic {
            number_headings(report, &mut parts);
        }
        Self {
            unanswered,
            title: &report.title,
            about: None,
            warnings: warnings(report, warning),
            parts,
            headings: Headings::of(&report.language),
            references: entries(&used, kind, style),
            by_author: kind == Kind::Academic,
            implausible: implausible(report),
        }
    }

    /// The entry of a source.
    pub(super) fn entry(&self, source: &str) -> Option<&ReferenceEntry<'a>> {
        self.references
            .iter()
            .find(|entry| entry.reference.source == source)
    }
}

impl<'a> Body<'a> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Claims(groups) => groups.is_empty(),
            Self::Prose(claims) => claims.is_empty(),
            Self::Disagreements(conflicts) => conflicts.is_empty(),
            Self::Series(tables) => tables.is_empty(),
            Self::Opinion(sentences, _) | Self::Sentences(sentences) => sentences.is_empty(),
            Self::Phrases(phrases) => phrases.is_empty(),
            Self::Tables(tables) => tables.is_empty(),
        }
    }

    /// The claims in printed order.
    pub(super) fn claims(&self) -> Vec<&'a Claim> {
        match self {
            Self::Claims(groups) => groups
                .iter()
                .flat_map(|group| &group.claims)
                .copied()
                .collect(),
            Self::Prose(claims) => claims.clone(),
            Self::Disagreements(conflicts) => conflicts
                .iter()
                .flat_map(|conflict| &conflict.sides)
                .flat_map(|side| &side.claims)
                .copied()
                .collect(),
            Self::Series(tables) => tables
                .iter()
                .flat_map(|table| table.rows.iter().flatten())
                .filter_map(|cell| cell.claim)
                .collect(),
            Self::Opinion(_, positions) => positions
                .iter()
                .flat_map(|(_, groups)| groups)
                .flat_map(|group| &group.claims)
                .copied()
                .collect(),
            Self::Sentences(_) | Self::Phrases(_) | Self::Tables(_) => Vec::new(),
        }
    }
}

fn entries<'a>(
    used: &[&'a Reference],
    kind: Kind,
    style: Option<Style>,
) -> Vec<ReferenceEntry<'a>> {
    let labels = style.map(|style| citation::labels(style, used));
    let is_academic = kind == Kind::Academic;
    let mut entries: Vec<ReferenceEntry<'_>> = Vec::new();
    for (index, reference) in used.iter().enumerate() {
        let label = labels.as_ref().and_then(|labels| labels.get(index));
        entries.push(ReferenceEntry {
            reference,
            number: index + 1,
            label: match label {
                Some(label) if is_academic => label.text.clone(),
                _ => format!("[{}]", index + 1),
            },
            remark: reference
                .status
                .remark()
                .map(|remark| format!("({remark})")),
            // Letters after the year belong to citations by author: `[1]` refers to no letter.
            styled: style.map(|style| {
                let suffix = label.and_then(|label| label.suffix).filter(|_| is_academic);
                citation::entry(style, reference, suffix)
            }),
        });
    }
    if is_academic {
        // A bibliography is sorted by its text, in which the author comes first if there is one.
        entries.sort_by_cached_key(|entry| {
            let segments = entry.styled.iter().flatten();
            let text: String = segments.map(Segment::text).collect();
            text.trim_start_matches('“').to_lowercase()
        });
    }
    entries
}

fn detailed(report: &Report) -> Vec<Part<'_>> {
    let mut parts = vec![summary(report), series(report)];
    parts.extend(sections(report));
    parts.push(tables(report));
    parts.push(disagreements(report));
    parts.push(public_opinion(report));
    parts.push(conclusion(report));
    parts.push(open_questions(report));
    parts.push(nearest(report));
    parts.push(Part {
        heading: fixed(report, Heading::Themes),
        body: Body::Phrases(&report.themes),
    });
    parts.push(limits(report));
    parts
}

fn academic(report: &Report) -> Vec<Part<'_>> {
    let mut parts = vec![Part {
        heading: fixed(report, Heading::Abstract),
        body: Body::Prose(claims(report, &report.executive_summary)),
    }];
    parts.extend(sections(report));
    parts.extend([
        tables(report),
        series(report),
        disagreements(report),
        public_opinion(report),
        conclusion(report),
        open_questions(report),
        nearest(report),
        limits(report),
    ]);
    parts
}

/// Numbers the headings, except that of the abstract.
fn number_headings(report: &Report, parts: &mut [Part<'_>]) {
    let abstract_heading = fixed(report, Heading::Abstract);
    let numbered = parts
        .iter_mut()
        .filter(|part| part.heading != abstract_heading);
    for (index, part) in numbered.enumerate() {
        part.heading = format!("{}. {}", index + 1, part.heading);
    }
}

/// The model's answer from its own knowledge.
fn direct_answer(report: &Report) -> Option<Part<'_>> {
    let response = report.direct_response.as_ref()?;
    Some(Part {
        heading: fixed(report, Heading::Answer),
        body: Body::Sentences(vec![response.clone()]),
    })
}

/// A fixed heading in the language of the report.
fn fixed(report: &Report, heading: Heading) -> String {
    Headings::of(&report.language).get(heading).to_owned()
}

/// The executive summary.
fn summary(report: &Report) -> Part<'_> {
    Part {
        heading: fixed(report, Heading::Summary),
        body: body(report, &report.executive_summary),
    }
}

fn sections(report: &Report) -> impl Iterator<Item = Part<'_>> {
    let headings = Headings::of(&report.language);
    report.sections.iter().map(move |section| Part {
        heading: headings.section(&section.heading).to_owned(),
        body: body(report, &section.claims),
    })
}

/// The tables of the sources.
fn tables(report: &Report) -> Part<'_> {
    let read = report.tables.iter().flat_map(|quoted| {
        let tables = text::tables(&quoted.citation.quote).into_iter();
        tables.map(move |table| (quoted, table))
    });
    Part {
        heading: fixed(report, Heading::Tables),
        body: Body::Tables(read.collect()),
    }
}

/// The conclusion, if it was written: that of a report in quotations stands in its sections.
fn conclusion(report: &Report) -> Part<'_> {
    let mut written = claims(report, &report.conclusion);
    written.retain(|own| own.is_written());
    Part {
        heading: fixed(report, Heading::Conclusion),
        body: Body::Prose(written),
    }
}

/// Claims as running text if all are in words of their own, else as a list of quotations.
fn body<'a>(report: &'a Report, ids: &[String]) -> Body<'a> {
    let own = claims(report, ids);
    if own.iter().all(|claim| claim.is_written()) {
        return Body::Prose(own);
    }
    Body::Claims(claim_groups(report, ids))
}

/// The successive values of one thing in the editions of a document: those of several things at the
/// same dates in one table.
fn series(report: &Report) -> Part<'_> {
    let headings = Headings::of(&report.language);
    let groups = report.series.chunk_by(have_one_table);
    let tables = groups.map(|group| match group {
        [one] => table_of_one(report, one),
        several => table_of_several(report, several),
    });
    Part {
        heading: headings.get(Heading::Series).to_owned(),
        body: Body::Series(tables.collect()),
    }
}

/// `true` for things that stand below one another in the tables of the same editions.
fn have_one_table(one: &Series, other: &Series) -> bool {
    let dates = |series: &Series| -> Vec<String> {
        series.values.iter().map(|own| own.date.clone()).collect()
    };
    is_cell(one) && is_cell(other) && dates(one) == dates(other)
}

/// `true` for a thing that is a row of a table, whose value is a cell by itself.
fn is_cell(series: &Series) -> bool {
    series.statement.split(CELLS).any(|cell| cell == ELLIPSIS)
}

/// What stands between the cells of a row of a table, and for its value.
const CELLS: &str = ", ";
const ELLIPSIS: &str = "…";

fn table_of_one<'a>(report: &'a Report, series: &'a Series) -> DatedTable<'a> {
    let headings = Headings::of(&report.language);
    let rows = series.values.iter().filter_map(|own| {
        let claim = claim(report, &own.claim)?;
        let source = attribution(report, claim).unwrap_or_default();
        Some(vec![
            // An edition without a date has a version, which is in its title.
            DatedCell::new(
                if Date::is_date(&own.date) {
                    &own.date
                } else {
                    ""
                },
                None,
            ),
            DatedCell::new(&own.value, None),
            DatedCell::new(source, Some(claim)),
        ])
    });
    let columns = [Heading::Date, Heading::Value, Heading::Source];
    DatedTable {
        statement: &series.statement,
        columns: columns.map(|name| headings.get(name)).to_vec(),
        rows: rows.collect(),
    }
}

fn table_of_several<'a>(report: &'a Report, several: &'a [Series]) -> DatedTable<'a> {
    let dates = several[0].values.iter().map(|own| own.date.as_str());
    let rows = several.iter().map(|series| {
        let cells = series.statement.split(CELLS);
        let label: Vec<&str> = cells.filter(|cell| *cell != ELLIPSIS).collect();
        let values = series.values.iter();
        let values = values.map(|own| DatedCell::new(&own.value, claim(report, &own.claim)));
        let label = DatedCell::new(label.join(CELLS), None);
        std::iter::once(label).chain(values).collect()
    });
    DatedTable {
        statement: "",
        columns: std::iter::once("").chain(dates).collect(),
        rows: rows.collect(),
    }
}

fn disagreements(report: &Report) -> Part<'_> {
    let conflicts = report.disagreements.iter().filter_map(|disagreement| {
        let side = |id: &str| {
            let claim = claim(report, id)?;
            Some(ClaimGroup {
                attribution: attribution(report, claim),
                claims: vec![claim],
            })
        };
        let difference = match disagreement.denied.as_str() {
            "" => capitalized(&disagreement.difference),
            denied => fixed(report, Heading::Denied).replace("{}", denied),
        };
        let sides = disagreement.claims().map(side);
        Some(Conflict {
            difference,
            sides: sides.collect::<Option<_>>()?,
        })
    });
    Part {
        heading: fixed(report, Heading::Disagreements),
        body: Body::Disagreements(conflicts.collect()),
    }
}

/// The claims with an implausible number, each with the claim that gives the plausible one.
fn implausible(report: &Report) -> Vec<(&Claim, &Claim)> {
    let pairs = report.disagreements.iter().filter(|own| own.is_implausible);
    let pairs = pairs.map(|own| Some((claim(report, &own.other)?, claim(report, &own.one)?)));
    pairs.flatten().collect()
}

fn open_questions(report: &Report) -> Part<'_> {
    Part {
        heading: fixed(report, Heading::Questions),
        body: Body::Sentences(
            report
                .open_questions
                .iter()
                .map(|gap| with_full_stop(&format!("Nothing was found on: {gap}")))
                .collect(),
        ),
    }
}

/// What people think, by their posts.
fn public_opinion(report: &Report) -> Part<'_> {
    let opinion = report.public_opinion.as_ref();
    Part {
        heading: fixed(report, Heading::Opinion),
        body: opinion.map_or(Body::Sentences(Vec::new()), |opinion| {
            let positions = opinion::positions(opinion);
            let positions = positions.map(|(label, posts)| {
                let posts = posts.into_iter().map(|post| ClaimGroup {
                    attribution: Some(post.byline.clone()),
                    claims: vec![&post.claim],
                });
                (label, posts.collect())
            });
            Body::Opinion(opinion::sentences(opinion), positions.collect())
        }),
    }
}

/// The documents that come nearest to a topic that none answers.
fn nearest(report: &Report) -> Part<'_> {
    let name = |document: &NearestDocument| {
        let NearestDocument {
            locator,
            title,
            sentence,
        } = document;
        format!("{title} ({locator}): “{sentence}”")
    };
    Part {
        heading: fixed(report, Heading::Nearest),
        body: Body::Sentences(report.nearest.iter().map(name).collect()),
    }
}

fn limits(report: &Report) -> Part<'_> {
    Part {
        heading: fixed(report, Heading::Limits),
        body: Body::Sentences(report.limits.clone()),
    }
}

fn capitalized(text: &str) -> String {
    // The upper case of a letter may be several letters, as for ß.
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}
