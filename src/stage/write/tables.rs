//! The tables of a report: those of its sources that give numbers on its topic.

use std::collections::BTreeMap;

use crate::artifact::Research;
use crate::artifact::claims::Citation;
use crate::artifact::report::{QuotedTable, Reference};
use crate::read::dates;
use crate::text::{self, BlockKind, Table};

/// The maximum number of tables in a report.
const TABLES: usize = 3;

/// The rows and the columns of a quoted table, at least and at most: what a reader takes in at a
/// glance.
const ROWS: std::ops::RangeInclusive<usize> = 3..=40;
const COLUMNS: std::ops::RangeInclusive<usize> = 2..=8;

/// The least share of the topic, by weight, that a table with its headings and its source's title
/// mentions. Chosen by hand.
const RELEVANT: f64 = 0.6;

/// The number of words of the topic that a table mentions itself, not only what it stands under.
const OWN_TERMS: usize = 2;

/// The tables of cited sources with a column of values that mention the topic, in the order of the
/// references. The texts are those of the sources, by id.
pub(super) fn tables(
    research: &Research,
    references: &[Reference],
    texts: &BTreeMap<String, String>,
) -> Vec<QuotedTable> {
    let cited = references.iter().filter_map(|reference| {
        let text = texts.get(&reference.source)?;
        Some((reference, text))
    });
    let quoted = cited.flat_map(|(reference, text)| {
        let tables = text::tables(text).into_iter();
        let readable = tables.filter(is_readable);
        let own = readable.map(|table| without_foreign_heading(text, table));
        let relevant = own.filter(|table| is_relevant(research, reference, table));
        let relevant =
            relevant.filter(|table| !has_expired(research, references, reference, table));
        relevant.filter_map(|table| quoted(research, reference, text, &table))
    });
    quoted.take(TABLES).collect()
}

/// `true` if a table fits on a page, and has values beside its labels.
fn is_readable(table: &Table) -> bool {
    let columns = table.columns.len();
    ROWS.contains(&table.rows.len())
        && COLUMNS.contains(&columns)
        && table.rows.iter().all(|row| row.len() == columns)
        && table.has_values()
}

/// The names of the first column of a list of actions; a closed list, written by hand.
const ACTIONS: &[&str] = &[
    "action",
    "action item",
    "action point",
    "actions",
    "task",
    "tasks",
    "to do",
    "todo",
];

/// A table without the heading above it if it is a list of actions on other subjects, such as that
/// of a meeting below the last item of its minutes.
fn without_foreign_heading(text: &str, mut table: Table) -> Table {
    let first = table.columns.first().map(|name| text::fold(name.trim()));
    let lists_actions = first.is_some_and(|name| ACTIONS.contains(&name.as_str()));
    let cells = table.rows.iter().flatten().chain(&table.columns);
    let cells: Vec<String> = cells.flat_map(|cell| text::terms(cell)).collect();
    let is_named = |heading: &String| {
        let mut terms = text::terms(heading).into_iter();
        terms.any(|term| cells.iter().any(|own| text::same_root(own, &term)))
    };
    let foreign = table.headings.last().filter(|heading| !is_named(heading));
    if lists_actions && foreign.is_some() && follows_prose(text, &table) {
        table.headings.pop();
    }
    table
}

/// `true` if there is prose between a table and the heading above it.
fn follows_prose(text: &str, table: &Table) -> bool {
    let above = text::blocks(text).into_iter();
    let mut above = above.filter(|block| block.range.end <= table.range.start);
    above.any(|block| {
        let is_prose = matches!(block.kind, BlockKind::Paragraph | BlockKind::Item);
        is_prose && *block.headings == *table.headings
    })
}

/// `true` for the table of a source that is not in force, or all of whose rows ended before the day
/// of another source: the rows that matter are quoted by themselves. A topic that names a year asks
/// for what was in force then.
fn has_expired(
    research: &Research,
    references: &[Reference],
    own: &Reference,
    table: &Table,
) -> bool {
    let names_year = text::words(&research.topic).any(|word| text::is_year(word.text));
    let mut others = references.iter().filter(|other| other.source != own.source);
    if names_year {
        return false;
    }
    if own.status.is_not_in_force() {
        // Of documents none of which is in force, the table is all that there is.
        return others.any(|other| !other.status.is_not_in_force());
    }
    let Some(column) = table.columns.iter().position(|name| is_end(name)) else {
        return false;
    };
    let latest = others.filter_map(|other| other.date.as_deref()).max();
    let ends = table
        .rows
        .iter()
        .map(|row| dates::written_date(row.get(column)?));
    let last: Option<Vec<String>> = ends.collect();
    let last = last.and_then(|ends| ends.into_iter().max());
    last.zip(latest)
        .is_some_and(|(last, latest)| *last < *latest)
}

/// `true` for the name of a column of the days up to which its rows are valid: "valid_to".
fn is_end(column: &str) -> bool {
    let words = text::folded(&column.replace('_', " "));
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let is_validity = has(&["valid", "validity", "force", "gultig", "gultigkeit"]);
    is_validity && has(&["to", "till", "until", "end", "bis", "ende"])
        || has(&["expires", "expiry", "expiration"])
}

/// `true` if a table mentions most of the topic, with its columns, its heading and the label of one
/// row more than a word of it: a word of one row and one of another are of two things.
fn is_relevant(research: &Research, reference: &Reference, table: &Table) -> bool {
    let labels = || table.rows.iter().filter_map(|row| row.first());
    let of_all = || table.columns.iter().chain(table.headings.last());
    let own = of_all().chain(labels());
    let own: Vec<String> = own.flat_map(|text| text::terms(text)).collect();
    let around = table.headings.iter().chain([&reference.title]);
    let around: Vec<String> = around.flat_map(|text| text::terms(text)).collect();
    let says = |terms: &[String], term: &str| terms.iter().any(|own| text::same_root(own, term));
    let terms = &research.classification.terms;
    let (mut all, mut said) = (0.0, 0.0);
    for term in terms {
        let weight = research.documents.weight(term);
        all += weight;
        if says(&own, term) || says(&around, term) {
            said += weight;
        }
    }
    let of_all: Vec<String> = of_all().flat_map(|text| text::terms(text)).collect();
    let own_terms = labels().map(|label| {
        let label = text::terms(label);
        let said = terms
            .iter()
            .filter(|term| says(&of_all, term) || says(&label, term));
        said.count()
    });
    let own_terms = own_terms.max().unwrap_or(0);
    own_terms >= OWN_TERMS.min(terms.len()).max(1) && said >= RELEVANT * all
}

/// The quotation of a table.
fn quoted(
    research: &Research,
    reference: &Reference,
    text: &str,
    table: &Table,
) -> Option<QuotedTable> {
    let source = research.source(&reference.source);
    let title = table.headings.last().unwrap_or(&reference.title);
    Some(QuotedTable {
        title: title.clone(),
        citation: Citation {
            source: reference.source.clone(),
            passage: String::new(),
            start: table.range.start,
            end: table.range.end,
            line: Some(text::line_number(text, table.range.start)),
            page: source.and_then(|source| source.pages.page(table.range.start)),
            quote: text.get(table.range.clone())?.to_owned(),
            columns: Vec::new(),
        },
    })
}
