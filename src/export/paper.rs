//! A report as it is set on pages: blocks of runs, which DOCX and PDF have in common. Whatever is
//! in it is plain text by now; how it looks is decided by the formats.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Edition;
use super::citation::{Segment, is_web};
use super::claim_group::ClaimGroup;
use super::headings::Heading;
use super::inline::{self, Inline};
use super::notices::NOT_ANSWERED;
use super::outline::{Body, Conflict, DatedCell, DatedTable, Outline, Part, ReferenceEntry};
use crate::artifact::claims::Claim;
use crate::artifact::report::QuotedTable;
use crate::text::{Language, Table, one_line, without_controls};

/// A report in blocks.
#[derive(Debug, Serialize)]
pub(super) struct Paper {
    pub(super) title: String,
    /// The topic, if the title is another one.
    pub(super) subtitle: Option<String>,
    /// Round, score, date.
    pub(super) about: String,
    /// The code of ISO 639-1.
    pub(super) language: &'static str,
    pub(super) blocks: Vec<Block>,
    /// A line on the origin of the report.
    pub(super) colophon: String,
}

/// A block of a report.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Block {
    /// A warning.
    Note {
        runs: Vec<Run>,
    },
    /// The table of contents: the headings of level 1.
    Contents {
        title: String,
        headings: Vec<String>,
    },
    /// A heading of level 1 or 2.
    Heading {
        level: u8,
        text: String,
    },
    Paragraph {
        runs: Vec<Run>,
    },
    Items {
        items: Vec<Vec<Run>>,
    },
    /// Statements that contradict each other, two side by side.
    Sides {
        sides: Vec<Vec<Run>>,
    },
    /// A table under a head; the widths of its columns are shares of one hundred.
    Table {
        widths: Vec<usize>,
        head: Vec<String>,
        rows: Vec<Vec<Vec<Run>>>,
    },
    /// The list of references: numbered, or by author.
    References {
        numbered: bool,
        entries: Vec<Entry>,
    },
}

/// The number of words from which a report has a table of contents: about five pages (chosen by
/// hand).
const LONG: usize = 2000;

/// The widths of the columns of the evidence.
const EVIDENCE_COLUMNS: [usize; 3] = [38, 46, 16];

/// An entry of the list of references.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    pub(super) number: usize,
    pub(super) runs: Vec<Run>,
}

/// A run of text.
#[derive(Debug, Default, Clone, Serialize)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) code: bool,
    pub(super) superscript: bool,
    /// `true` for the break between two lines, which has no text.
    pub(super) is_break: bool,
    /// The number of the reference that it leads to.
    pub(super) reference: Option<usize>,
    /// The URL that it leads to, which is valid.
    pub(super) url: Option<String>,
}

impl Run {
    /// Text of any origin, in one line. White space at its ends separates it from its neighbors.
    pub(super) fn plain(text: &str) -> Self {
        let line = one_line(text);
        let blank = |is_there: bool| if is_there { " " } else { "" };
        let starts = text.starts_with(char::is_whitespace) && !line.is_empty();
        let ends = blank(text.ends_with(char::is_whitespace));
        let text = format!("{}{}{ends}", blank(starts), without_controls(&line));
        Self {
            text,
            ..Self::default()
        }
    }

    fn bold(text: &str) -> Self {
        Self {
            bold: true,
            ..Self::plain(text)
        }
    }

    fn italic(text: &str) -> Self {
        Self {
            italic: true,
            ..Self::plain(text)
        }
    }

    /// A locator, which is a link if it is a URL that a parser accepts: Word refuses to open a file
    /// with one that is not.
    fn locator(locator: &str) -> Self {
        let url = url::Url::parse(locator).ok();
        let url = url.filter(|url| is_web(locator) && url.has_host());
        Self {
            url: url.map(String::from),
            ..Self::plain(locator)
        }
    }
}

impl From<Inline> for Run {
    fn from(run: Inline) -> Self {
        Self {
            bold: run.is_strong,
            italic: run.is_emphasis,
            code: run.is_code,
            is_break: run.is_break,
            ..Self::plain(&run.text)
        }
    }
}

impl Paper {
    /// The report of an edition.
    pub(super) fn of(edition: &Edition<'_>) -> Self {
        let outline = Outline::of_edition(edition);
        let (report, session) = (edition.report, edition.session);
        let sheet = Sheet {
            edition,
            outline: &outline,
        };
        let plain = |text: &str| Run::plain(text).text;
        Self {
            title: plain(outline.title),
            subtitle: (report.topic != report.title).then(|| plain(&report.topic)),
            about: plain(&edition.about()),
            language: sheet.language().code(),
            blocks: sheet.blocks(),
            colophon: plain(&format!(
                "Made by research {} from session {}.",
                env!("CARGO_PKG_VERSION"),
                session.id
            )),
        }
    }
}

/// The writer of the blocks.
struct Sheet<'a> {
    edition: &'a Edition<'a>,
    outline: &'a Outline<'a>,
}

impl Sheet<'_> {
    /// The language of the sentences, by which a program hyphenates and checks the spelling.
    fn language(&self) -> Language {
        let claims = self.claims();
        let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
        Language::detect(&texts.join(" "))
    }

    /// The claims in printed order, each once.
    fn claims(&self) -> Vec<&Claim> {
        let mut claims: Vec<&Claim> = Vec::new();
        for claim in self
            .outline
            .parts
            .iter()
            .flat_map(|part| part.body.claims())
        {
            if claims.iter().all(|own| own.id != claim.id) {
                claims.push(claim);
            }
        }
        claims
    }

    fn blocks(&self) -> Vec<Block> {
        let outline = self.outline;
        let note = |title: &str, text: &str| Block::Note {
            runs: vec![Run::bold(title), Run::plain(&format!(" {text}"))],
        };
        let mut blocks = Vec::new();
        let warnings = outline.warnings.iter();
        blocks.extend(warnings.map(|own| note(own.title(), &own.text())));
        let unanswered = outline.unanswered.as_deref();
        blocks.extend(unanswered.map(|own| note(NOT_ANSWERED, own)));
        for part in &outline.parts {
            self.part(part, &mut blocks);
        }
        if !outline.references.is_empty() {
            let references = outline.headings.get(Heading::References);
            blocks.push(heading(1, references));
            let entries = outline.references.iter().map(|entry| Entry {
                number: entry.number,
                runs: reference(entry),
            });
            blocks.push(Block::References {
                numbered: !outline.by_author,
                entries: entries.collect(),
            });
        }
        self.evidence(&mut blocks);
        if words(&blocks) >= LONG {
            let at = blocks.iter().take_while(|own| own.is_note()).count();
            blocks.insert(at, self.contents(&blocks));
        }
        blocks
    }

    fn contents(&self, blocks: &[Block]) -> Block {
        let headings = blocks.iter().filter_map(|block| match block {
            Block::Heading { level: 1, text } => Some(text.clone()),
            _ => None,
        });
        Block::Contents {
            title: self.outline.headings.get(Heading::Contents).to_owned(),
            headings: headings.collect(),
        }
    }

    fn part(&self, part: &Part<'_>, blocks: &mut Vec<Block>) {
        blocks.push(heading(1, &part.heading));
        match &part.body {
            Body::Claims(groups) => blocks.push(self.groups(groups)),
            Body::Prose(claims) => blocks.push(Block::Paragraph {
                runs: self.prose(claims),
            }),
            Body::Disagreements(conflicts) => {
                conflicts
                    .iter()
                    .for_each(|conflict| self.conflict(conflict, blocks));
            }
            Body::Series(tables) => {
                for table in tables {
                    self.dated_table(table, blocks);
                }
            }
            Body::Opinion(sentences, positions) => {
                blocks.push(items(sentences));
                for (label, groups) in positions {
                    blocks.extend([heading(2, label), self.groups(groups)]);
                }
            }
            Body::Sentences(sentences) => blocks.push(items(sentences)),
            Body::Tables(tables) => {
                for (quoted, table) in tables {
                    self.table(quoted, table, blocks);
                }
            }
            Body::Phrases(phrases) => blocks.push(Block::Paragraph {
                runs: vec![Run::plain(&format!("{}.", phrases.join(", ")))],
            }),
        }
    }

    fn table(&self, quoted: &QuotedTable, table: &Table, blocks: &mut Vec<Block>) {
        let entry = self.outline.entry(&quoted.citation.source);
        let mark = entry.iter().flat_map(|entry| self.mark(entry));
        let runs = [Run::bold(&quoted.title)].into_iter().chain(mark).collect();
        let cells = |row: &Vec<String>| row.iter().map(|cell| vec![Run::plain(cell)]).collect();
        let head = table.columns.iter().map(|name| Run::plain(name).text);
        let table = Block::Table {
            widths: vec![100 / table.columns.len().max(1); table.columns.len()],
            head: head.collect(),
            rows: table.rows.iter().map(cells).collect(),
        };
        blocks.extend([Block::Paragraph { runs }, table]);
    }

    fn dated_table(&self, table: &DatedTable<'_>, blocks: &mut Vec<Block>) {
        if !table.statement.is_empty() {
            let runs = vec![Run::bold(table.statement)];
            blocks.push(Block::Paragraph { runs });
        }
        let is_of_one = !table.statement.is_empty();
        let cell = |cell: &DatedCell<'_>| match cell.claim {
            Some(claim) => {
                let mut runs = vec![Run::plain(&cell.text)];
                runs.extend(self.marks(claim));
                // The dates of several things tell which values are the earlier ones.
                let remarks = self.outline.remarks(claim).into_iter();
                let remarks = remarks.filter(|_| is_of_one);
                runs.extend(remarks.map(|own| Run::plain(&format!(" {own}"))));
                runs
            }
            None => vec![Run::plain(&cell.text)],
        };
        let rows = table.rows.iter();
        let rows = rows.map(|row| row.iter().map(cell).collect());
        let columns = table.columns.len().max(1);
        blocks.push(Block::Table {
            widths: if is_of_one {
                vec![20, 20, 60]
            } else {
                vec![100 / columns; columns]
            },
            head: table.columns.iter().map(|&name| name.to_owned()).collect(),
            rows: rows.collect(),
        });
    }

    fn groups(&self, groups: &[ClaimGroup<'_>]) -> Block {
        let items = groups.iter().map(|group| self.group(group));
        Block::Items {
            items: items.collect(),
        }
    }

    fn conflict(&self, conflict: &Conflict<'_>, blocks: &mut Vec<Block>) {
        let sides = conflict.sides.iter().map(|side| self.group(side));
        let sides = sides.collect();
        blocks.extend([heading(2, &conflict.difference), Block::Sides { sides }]);
    }

    /// The claims of one source: its name, and the quotations with a mark for what is left out.
    fn group(&self, group: &ClaimGroup<'_>) -> Vec<Run> {
        let attribution = group.attribution.iter();
        let mut runs: Vec<Run> = attribution
            .flat_map(|source| [Run::bold(&format!("{source}:")), Run::plain(" ")])
            .collect();
        for (index, claim) in group.claims.iter().enumerate() {
            if index > 0 {
                let is_marked = claim.text.starts_with("[…]");
                runs.push(Run::plain(if is_marked { " " } else { " […] " }));
            }
            runs.extend(self.claim(claim));
        }
        runs
    }

    fn prose(&self, claims: &[&Claim]) -> Vec<Run> {
        let mut runs = Vec::new();
        for (index, claim) in claims.iter().enumerate() {
            runs.extend((index > 0).then(|| Run::plain(" ")));
            runs.extend(self.claim(claim));
        }
        runs
    }

    /// A claim, and behind it the marks of its sources, each once.
    fn claim(&self, claim: &Claim) -> Vec<Run> {
        let mut runs: Vec<Run> = inline::runs_of(claim).into_iter().map(Run::from).collect();
        runs.extend(self.marks(claim));
        let remarks = self.outline.remarks(claim).into_iter();
        runs.extend(remarks.map(|own| Run::plain(&format!(" {own}"))));
        runs
    }

    /// The marks of the sources of a claim, each once.
    fn marks(&self, claim: &Claim) -> Vec<Run> {
        let (mut runs, mut cited) = (Vec::new(), Vec::<usize>::new());
        for entry in claim
            .citations
            .iter()
            .filter_map(|own| self.outline.entry(&own.source))
        {
            if cited.contains(&entry.number) {
                continue;
            }
            if !self.outline.by_author && !cited.is_empty() {
                runs.push(Run {
                    superscript: true,
                    ..Run::plain(",")
                });
            }
            cited.push(entry.number);
            runs.extend(self.mark(entry));
            runs.extend(self.outline.remark_beside(claim, entry).map(after_blank));
        }
        runs
    }

    /// The mark of a source: a superscript number, or author and year.
    fn mark(&self, entry: &ReferenceEntry<'_>) -> Vec<Run> {
        let reference = Some(entry.number);
        if self.outline.by_author {
            let mark = Run {
                reference,
                ..Run::plain(&entry.label)
            };
            return vec![Run::plain(" "), mark];
        }
        let number = Run::plain(&entry.number.to_string());
        vec![Run {
            superscript: true,
            reference,
            ..number
        }]
    }

    /// A table of the passages behind the sentences that are no quotations: on paper, no click
    /// opens them.
    fn evidence(&self, blocks: &mut Vec<Block>) {
        let mut claims = self.claims();
        claims.retain(|claim| claim.is_written());
        // What the summary says, a section may say again.
        let mut sentences = BTreeSet::new();
        claims.retain(|claim| sentences.insert(&claim.text));
        let rows = claims.iter().flat_map(|claim| self.evidence_rows(claim));
        let rows: Vec<_> = rows.collect();
        if !rows.is_empty() {
            let evidence = self.outline.headings.get(Heading::Evidence);
            blocks.push(heading(1, evidence));
            let head = ["Sentence", "Passage", "Check"].map(str::to_owned).into();
            let widths = EVIDENCE_COLUMNS.to_vec();
            blocks.push(Block::Table { widths, head, rows });
        }
    }

    /// The rows of a claim: the sentence and its verdict stand in the first.
    fn evidence_rows(&self, claim: &Claim) -> Vec<Vec<Vec<Run>>> {
        let mut verdicts = self.edition.report.verdicts.iter();
        let verdict = verdicts.find(|verdict| verdict.claim == claim.id);
        let verdict = verdict.map_or(String::new(), |own| match own.score {
            Some(score) => format!("{}, {score:.2}", own.verdict.name()),
            None => own.verdict.name().to_owned(),
        });
        let entries = claim.citations.iter().filter_map(|citation| {
            let entry = self.outline.entry(&citation.source)?;
            Some((citation, entry))
        });
        let rows = entries.enumerate().map(|(index, (citation, entry))| {
            let is_first = index == 0;
            let sentence = if is_first {
                inline::runs_of(claim)
            } else {
                Vec::new()
            };
            let verdict = if is_first { verdict.as_str() } else { "" };
            let label = Run {
                reference: Some(entry.number),
                ..Run::plain(&entry.label)
            };
            let passage = Run::plain(&format!(" “{}”", citation.quote));
            vec![
                sentence.into_iter().map(Run::from).collect(),
                vec![label, passage],
                vec![Run::plain(verdict)],
            ]
        });
        rows.collect()
    }
}

impl Block {
    fn is_note(&self) -> bool {
        matches!(self, Self::Note { .. })
    }

    /// The runs of text in it, but for headings.
    fn runs(&self) -> Vec<&Run> {
        match self {
            Self::Note { runs } | Self::Paragraph { runs } => runs.iter().collect(),
            Self::Items { items } => items.iter().flatten().collect(),
            Self::Sides { sides } => sides.iter().flatten().collect(),
            Self::Table { rows, .. } => rows.iter().flatten().flatten().collect(),
            Self::References { entries, .. } => entries.iter().flat_map(|own| &own.runs).collect(),
            Self::Contents { .. } | Self::Heading { .. } => Vec::new(),
        }
    }
}

/// The number of words of some blocks.
fn words(blocks: &[Block]) -> usize {
    let runs = blocks.iter().flat_map(Block::runs);
    runs.map(|run| run.text.split_whitespace().count()).sum()
}

fn heading(level: u8, text: &str) -> Block {
    let text = Run::plain(text).text;
    Block::Heading { level, text }
}

fn items(sentences: &[String]) -> Block {
    let items = sentences.iter().map(|sentence| vec![Run::plain(sentence)]);
    Block::Items {
        items: items.collect(),
    }
}

/// The remark on a source that is not in force, after a blank.
fn after_blank(remark: &str) -> Run {
    Run::plain(&format!(" {remark}"))
}

fn reference(entry: &ReferenceEntry<'_>) -> Vec<Run> {
    let reference = entry.reference;
    let mut runs: Vec<Run> = match &entry.styled {
        Some(segments) => segments.iter().map(segment).collect(),
        None => {
            let parts = [&reference.author, &reference.date].into_iter().flatten();
            let mut facts: String = parts.map(|part| format!(", {part}")).collect();
            let category = reference.category.map(|own| format!(", {}", own.name()));
            facts.push_str(&category.unwrap_or_default());
            let facts = Run::plain(&format!("{facts}, "));
            vec![
                Run::italic(&reference.title),
                facts,
                Run::locator(&reference.locator),
            ]
        }
    };
    runs.extend(entry.remark.as_deref().map(after_blank));
    if let Some(dead) = &reference.dead {
        runs.push(Run::plain(&format!(" — {}", dead.describe())));
        runs.extend(dead.archived.as_deref().map(Run::locator));
    }
    runs
}

fn segment(segment: &Segment) -> Run {
    match segment {
        Segment::Plain(text) => Run::plain(text),
        Segment::Italic(text) => Run::italic(text),
        Segment::Locator(text) => Run::locator(text),
    }
}
