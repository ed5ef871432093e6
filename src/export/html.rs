//! A report as one self-contained HTML page: no scripts, images, fonts or network access. Every
//! claim opens the passage that it quotes, marked within its context in the stored text.
//!
//! Documents are hostile input: their text reaches the page only through the escaping writer
//! (`Markup`), and the page's Content-Security-Policy forbids the browser to load or run anything.

use std::collections::BTreeSet;

use super::chart;
use super::citation::{Segment, is_web};
use super::headings::Heading;
use super::inline;
use super::markup::{Attributes, Markup};
use super::notices::NOT_ANSWERED;
use super::outline::{Body, Conflict, DatedTable, Outline, Part, ReferenceEntry};
use super::passage::{self, Context, Rows};
use super::{Edition, Format, Kind};
use crate::artifact::Report;
use crate::artifact::analysis::Corroboration;
use crate::artifact::claims::{Citation, Claim};
use crate::artifact::report::{QuotedTable, Reference};
use crate::artifact::verification::{ClaimVerdict, Verdict};
use crate::text::{self, Table};

const HEAD: &str = concat!(
    "\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ",
    "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta name=\"color-scheme\" content=\"light dark\">\n",
    "<meta name=\"referrer\" content=\"no-referrer\">\n",
    "<meta name=\"generator\" content=\"research ",
    env!("CARGO_PKG_VERSION"),
    "\">\n<style>\n",
    include_str!("html.css"),
    "</style>\n"
);

/// The style of the page.
pub const STYLE: &str = include_str!("html.css");

/// A self-contained HTML page.
pub const FORMAT: Format = Format {
    name: "html",
    extension: "html",
    media_type: "text/html; charset=utf-8",
    about: "One self-contained page; every claim opens the passage it quotes",
    needs_texts: true,
    missing: None,
    render: |edition| Ok(render(edition).into_bytes()),
};

/// Renders the page.
pub fn render(edition: &Edition<'_>) -> String {
    let outline = Outline::of_edition(edition);
    let mut markup = Markup::default();
    markup.raw("<!DOCTYPE html>\n");
    markup.open("html", &[("lang", outline.headings.code)]);
    markup.raw(HEAD);
    markup.element("title", &[], outline.title);
    markup.raw("\n</head>\n<body>\n");
    let mut markup = write_body(edition, markup, ["<main>\n", "</main>\n"]);
    markup.raw("</body>\n</html>\n");
    markup.finish()
}

/// Renders the body of the page alone, for a page with a frame of its own.
pub fn body(edition: &Edition<'_>) -> String {
    write_body(edition, Markup::default(), ["<div>\n", "</div>\n"]).finish()
}

/// Writes the body, with the parts of the report between these tags.
fn write_body(edition: &Edition<'_>, markup: Markup, tags: [&'static str; 2]) -> Markup {
    let outline = Outline::of_edition(edition);
    // The passages come first: references link back to their anchors.
    let mut page = Page {
        edition,
        outline: &outline,
        markup,
        passages: Vec::new(),
        verdict: common_verdict(edition.report),
    };
    page.header();
    page.markup.raw(tags[0]);
    for (index, part) in outline.parts.iter().enumerate() {
        page.part(index, part);
    }
    page.knowledge();
    page.references();
    page.markup.raw(tags[1]);
    page.footer();
    page.markup
}

struct Page<'a> {
    edition: &'a Edition<'a>,
    outline: &'a Outline<'a>,
    markup: Markup,
    /// The citations of the passages on the page so far; `passage-1` is the anchor of the first.
    passages: Vec<&'a Citation>,
    /// The verdict on every claim, which the head says once.
    verdict: Option<&'a ClaimVerdict>,
}

impl<'a> Page<'a> {
    fn header(&mut self) {
        let (edition, markup) = (self.edition, &mut self.markup);
        markup.raw("<header>\n");
        markup.element("h1", &[], self.outline.title);
        if edition.report.topic != edition.report.title {
            markup.element("p", &[("class", "topic")], &edition.report.topic);
        }
        markup.raw("\n");
        markup.element("p", &[("class", "about")], &edition.about());
        let claims = &edition.report.claims;
        if claims.iter().any(|claim| claim.is_written()) {
            markup.raw(
                "\n<p class=\"about hint\">Every sentence was checked against the passages that \
                it cites. Open a number to see them.</p>",
            );
        } else if !claims.is_empty() {
            markup.raw(
                "\n<p class=\"about hint\">Every claim is a quotation. \
                Open it to see it in its context.",
            );
            if let Some(verdict) = self.verdict {
                markup.text(&format!(" Each is {}.", verdict_text(verdict)));
            }
            markup.raw("</p>");
        }
        markup.raw("\n");
        for warning in &self.outline.warnings {
            markup.raw("<p class=\"warning\" role=\"note\">");
            markup.element("strong", &[], warning.title());
            markup.text(&format!(" {}", warning.text()));
            markup.raw("</p>\n");
        }
        if let Some(unanswered) = &self.outline.unanswered {
            let markup = &mut self.markup;
            markup.raw("<p class=\"warning\" role=\"note\">");
            markup.element("strong", &[], NOT_ANSWERED);
            markup.text(&format!(" {unanswered}"));
            markup.raw("</p>\n");
        }
        self.contents();
        self.markup.raw("</header>\n");
    }

    fn contents(&mut self) {
        let outline = self.outline;
        let markup = &mut self.markup;
        markup.raw("<nav aria-label=\"Contents\">\n<ul>\n");
        let mut line = |anchor: &str, heading: &str| {
            markup.raw("<li>");
            markup.element("a", &[("href", anchor)], heading);
            markup.raw("</li>\n");
        };
        for (index, part) in outline.parts.iter().enumerate() {
            line(&format!("#part-{}", index + 1), &part.heading);
        }
        if !outline.references.is_empty() {
            line("#references", outline.headings.get(Heading::References));
        }
        markup.raw("</ul>\n</nav>\n");
    }

    fn part(&mut self, index: usize, part: &Part<'a>) {
        let id = format!("part-{}", index + 1);
        self.markup.open("section", &[("aria-labelledby", &id)]);
        self.markup.element("h2", &[("id", &id)], &part.heading);
        self.markup.raw("\n");
        match &part.body {
            Body::Claims(groups) => self.groups(
                groups
                    .iter()
                    .map(|group| (group.attribution.as_deref(), group.claims.as_slice())),
            ),
            Body::Prose(claims) if claims.iter().all(|claim| claim.is_written()) => {
                self.prose(claims);
            }
            Body::Prose(claims) => self.groups(
                claims
                    .iter()
                    .map(|claim| (None, std::slice::from_ref(claim))),
            ),
            Body::Disagreements(conflicts) => conflicts
                .iter()
                .for_each(|conflict| self.conflict(conflict)),
            Body::Series(tables) => tables.iter().for_each(|table| self.dated_table(table)),
            Body::Opinion(sentences, positions) => {
                self.sentences(sentences);
                for (label, groups) in positions {
                    self.markup.element("h3", &[], label);
                    self.markup.raw("\n");
                    self.groups(
                        groups
                            .iter()
                            .map(|group| (group.attribution.as_deref(), group.claims.as_slice())),
                    );
                }
            }
            Body::Sentences(sentences) => self.sentences(sentences),
            Body::Tables(tables) => {
                for (quoted, table) in tables {
                    self.table(quoted, table);
                }
            }
            Body::Phrases(phrases) => {
                self.markup
                    .element("p", &[], &format!("{}.", phrases.join(", ")));
                self.markup.raw("\n");
            }
        }
        self.markup.raw("</section>\n");
    }

    fn sentences(&mut self, sentences: &[String]) {
        self.markup.raw("<ul>\n");
        for sentence in sentences {
            self.markup.element("li", &[], sentence);
            self.markup.raw("\n");
        }
        self.markup.raw("</ul>\n");
    }

    /// Writes claims as a paragraph, in which each citation opens its passage. A popover opens
    /// without a script, which the Content-Security-Policy forbids; on paper the passages follow.
    fn prose(&mut self, claims: &[&'a Claim]) {
        let outline = self.outline;
        let cited = claims.iter().flat_map(|claim| {
            let citations = claim.citations.iter();
            citations.filter_map(|own| Some((*claim, own, outline.entry(&own.source)?)))
        });
        let mut number = self.passages.len();
        self.markup.raw("<p class=\"text\">");
        for claim in claims {
            self.markup.runs(&inline::runs_of(claim));
            for entry in claim
                .citations
                .iter()
                .filter_map(|own| outline.entry(&own.source))
            {
                number += 1;
                let id = format!("passage-{number}");
                let attributes = [("class", "cite"), ("popovertarget", id.as_str())];
                self.markup.element("button", &attributes, &entry.label);
                self.remark(outline.remark_beside(claim, entry));
            }
            self.remarks(claim);
            self.markup.raw("\n");
        }
        self.markup.raw("</p>\n");
        for (claim, citation, entry) in cited {
            self.passage(Some(claim), citation, entry, &[("popover", "auto")]);
        }
    }

    /// Writes a table with its chart; the number in the caption opens it in its source.
    fn table(&mut self, quoted: &'a QuotedTable, table: &Table) {
        let entry = self.outline.entry(&quoted.citation.source);
        let id = format!("passage-{}", self.passages.len() + 1);
        self.markup.raw("<figure class=\"table\">\n<figcaption>");
        self.markup.element("strong", &[], &quoted.title);
        if let Some(entry) = entry {
            let attributes = [("class", "cite"), ("popovertarget", id.as_str())];
            self.markup.element("button", &attributes, &entry.label);
            self.remark(entry.remark.as_deref());
        }
        self.markup.raw("</figcaption>\n");
        if let Some(chart) = chart::chart(table, &self.edition.report.topic) {
            let label = format!("Chart: {}", quoted.title);
            let attributes = [("class", "chart"), ("role", "img"), ("aria-label", &label)];
            self.markup.open("div", &attributes);
            self.markup.chart(&chart);
            self.markup.raw("</div>\n");
        }
        self.markup
            .raw("<div class=\"cells\" tabindex=\"0\"><table>\n<thead><tr>");
        let numeric: Vec<bool> = (0..table.columns.len())
            .map(|column| table.is_numeric(column))
            .collect();
        let attributes = |column: usize| -> Attributes<'static> {
            let is_numeric = numeric.get(column).copied().unwrap_or_default();
            // A column of labels reads from the left, also of years.
            if is_numeric && column > 0 {
                &[("class", "value")]
            } else {
                &[]
            }
        };
        for (column, name) in table.columns.iter().enumerate() {
            self.markup.element("th", attributes(column), name);
        }
        self.markup.raw("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            self.markup.raw("<tr>");
            for (column, cell) in row.iter().enumerate() {
                self.markup.element("td", attributes(column), cell);
            }
            self.markup.raw("</tr>\n");
        }
        self.markup.raw("</tbody>\n</table></div>\n</figure>\n");
        if let Some(entry) = entry {
            self.passage(None, &quoted.citation, entry, &[("popover", "auto")]);
        }
    }

    /// Writes a table of dates and values, with the claim that quotes each.
    fn dated_table(&mut self, table: &DatedTable<'a>) {
        self.markup.raw("<figure class=\"table\">\n");
        if !table.statement.is_empty() {
            self.markup.raw("<figcaption>");
            self.markup.element("strong", &[], table.statement);
            self.markup.raw("</figcaption>\n");
        }
        self.markup
            .raw("<div class=\"cells\" tabindex=\"0\"><table>\n<thead><tr>");
        for name in &table.columns {
            self.markup.element("th", &[], name);
        }
        self.markup.raw("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            self.markup.raw("<tr>");
            for cell in row {
                match cell.claim {
                    None => self.markup.element("td", &[], &cell.text),
                    Some(claim) => {
                        self.markup.raw("<td>");
                        self.markup.element("p", &[("class", "lead")], &cell.text);
                        self.claim(claim);
                        self.markup.raw("</td>");
                    }
                }
            }
            self.markup.raw("</tr>\n");
        }
        self.markup.raw("</tbody>\n</table></div>\n</figure>\n");
    }

    /// Writes groups of claims, each under the source that it quotes.
    fn groups<'b>(&mut self, groups: impl Iterator<Item = (Option<&'b str>, &'b [&'a Claim])>)
    where
        'a: 'b,
    {
        self.markup.raw("<ul class=\"claims\">\n");
        for (attribution, claims) in groups {
            self.markup.raw("<li>");
            if let Some(source) = attribution {
                self.markup.element("p", &[("class", "lead")], source);
            }
            for claim in claims {
                self.claim(claim);
            }
            self.markup.raw("</li>\n");
        }
        self.markup.raw("</ul>\n");
    }

    fn conflict(&mut self, conflict: &Conflict<'a>) {
        self.markup.raw("<div class=\"conflict\" role=\"group\">\n");
        self.markup.element("h3", &[], &conflict.difference);
        self.markup.raw("\n<div class=\"sides\">\n");
        for side in &conflict.sides {
            self.markup.raw("<div class=\"side\">");
            if let Some(source) = &side.attribution {
                self.markup.element("p", &[("class", "lead")], source);
            }
            for claim in &side.claims {
                self.claim(claim);
            }
            self.markup.raw("</div>\n");
        }
        self.markup.raw("</div>\n</div>\n");
    }

    /// Writes a claim as a disclosure element with the passages that it quotes.
    fn claim(&mut self, claim: &'a Claim) {
        // A `details` element opens without a script, which the Content-Security-Policy forbids.
        let outline = self.outline;
        self.markup
            .raw("<details class=\"claim\"><summary><span class=\"words\">");
        self.markup.runs(&inline::runs_of(claim));
        self.markup.raw("</span>");
        for citation in &claim.citations {
            if let Some(entry) = outline.entry(&citation.source) {
                self.markup.text(" ");
                let range = format!("{}, {}", citation.source, citation.position());
                self.markup.element(
                    "span",
                    &[("class", "number"), ("title", &range)],
                    &entry.label,
                );
                // On paper there are no tooltips, so the range is printed in the text.
                let printed = format!(" {range}");
                self.markup
                    .element("span", &[("class", "printed")], &printed);
                self.remark(outline.remark_beside(claim, entry));
            }
        }
        self.remarks(claim);
        self.markup.raw("</summary>\n");
        for citation in &claim.citations {
            if let Some(entry) = outline.entry(&citation.source) {
                self.passage(Some(claim), citation, entry, &[]);
            }
        }
        self.markup.raw("</details>");
    }

    fn passage(
        &mut self,
        claim: Option<&Claim>,
        citation: &'a Citation,
        entry: &ReferenceEntry<'a>,
        attributes: Attributes<'_>,
    ) {
        self.passages.push(citation);
        let id = format!("passage-{}", self.passages.len());
        let attributes = [&[("class", "passage"), ("id", id.as_str())], attributes].concat();
        self.markup.open("figure", &attributes);
        self.markup.raw("\n<figcaption>");
        self.bibliographic(entry.reference);
        self.remark(entry.remark.as_deref());
        self.markup.raw("</figcaption>\n");
        // The range is checked against the stored text again, since a user may have edited either.
        let text = self.edition.texts.get(&citation.source);
        let range = citation.start..citation.end;
        let stored = text.and_then(|text| text.get(range.clone()));
        let context = text.zip(stored);
        let context = context.and_then(|(text, stored)| passage::context(text, range, stored));
        self.quotation(citation, context);
        if stored.is_some_and(|stored| stored != citation.quote) {
            self.markup.raw(
                "<p class=\"warning\" lang=\"en\"><strong>Changed by hand.</strong> This is what \
                 the stored text says in this place; the session has other words for it.</p>\n",
            );
        }
        self.facts(claim, citation, entry);
        self.markup.raw("</figure>\n");
    }

    /// Writes title, author and date of a source.
    fn bibliographic(&mut self, reference: &Reference) {
        self.markup.element("cite", &[], &reference.title);
        for part in [&reference.author, &reference.date].into_iter().flatten() {
            self.markup.text(&format!(", {part}"));
        }
    }

    fn quotation(&mut self, citation: &Citation, context: Option<Context<'_>>) {
        // The language of a document is unknown: the language of the page must not be assumed.
        self.markup
            .raw("<blockquote lang=\"\" dir=\"auto\" class=\"context\">");
        let Some(context) = context else {
            self.markup.raw("<p><mark>");
            self.markup.text(&citation.quote);
            self.markup
                .raw("</mark></p></blockquote>\n<p class=\"warning\" lang=\"en\">");
            self.markup.raw(
                "<strong>Not found.</strong> \
                The stored text does not contain these words in this place (any more).</p>\n",
            );
            return;
        };
        let paragraphs = context.paragraphs();
        let last = paragraphs.len().saturating_sub(1);
        for (index, paragraph) in paragraphs.iter().enumerate() {
            if let Some(rows) = paragraph.rows() {
                self.rows(&rows);
                continue;
            }
            let class = match paragraph {
                _ if paragraph.has_lines => "lines",
                _ if paragraph.is_heading() => "heading",
                _ => "prose",
            };
            self.markup.open("p", &[("class", class)]);
            if index == 0 && context.is_cut_before {
                self.markup.raw("<span class=\"cut\">… </span>");
            }
            for (number, (run, is_quoted)) in paragraph.runs.iter().enumerate() {
                // The marks of a heading say what its looks say.
                let run = match class {
                    "heading" if number == 0 => {
                        run.trim_start().trim_start_matches('#').trim_start()
                    }
                    _ => run,
                };
                if *is_quoted {
                    self.markup.element("mark", &[], run);
                } else {
                    // Emphasis around the quotation is of no use to its reader.
                    self.markup.text(&run.replace("**", ""));
                }
            }
            if index == last && context.is_cut_after {
                self.markup.raw("<span class=\"cut\"> …</span>");
            }
            self.markup.raw("</p>\n");
        }
        self.markup.raw("</blockquote>\n");
    }

    /// Writes the rows of a table in a passage.
    fn rows(&mut self, table: &Rows) {
        self.markup.raw("<table>\n");
        for (number, row) in table.rows.iter().enumerate() {
            self.markup.raw("<tr>");
            for cell in row {
                let is_head = table.has_head && number == 0;
                let name = if is_head { "th" } else { "td" };
                self.markup.open(name, &[]);
                for (run, is_quoted) in cell {
                    if *is_quoted {
                        self.markup.element("mark", &[], run);
                    } else {
                        self.markup.text(run);
                    }
                }
                self.markup.close(name);
            }
            self.markup.raw("</tr>\n");
        }
        self.markup.raw("</table>\n");
    }

    fn facts(&mut self, claim: Option<&Claim>, citation: &Citation, entry: &ReferenceEntry<'_>) {
        let verdict = claim.and_then(|claim| {
            let mut verdicts = self.edition.report.verdicts.iter();
            let verdict = verdicts.find(|verdict| verdict.claim == claim.id)?;
            Some((claim, verdict))
        });
        let reference = format!("#reference-{}", entry.number);
        let markup = &mut self.markup;
        markup.raw("<dl>\n<div><dt>Source</dt><dd>");
        markup.element("a", &[("href", &reference)], &entry.label);
        markup.text(&format!(" {}, ", citation.source));
        locator(markup, &entry.reference.locator);
        markup.raw("</dd></div>\n");
        let mut fact = |name: &'static str, value: &str| {
            markup.raw("<div>");
            markup.element("dt", &[], name);
            markup.element("dd", &[], value);
            markup.raw("</div>\n");
        };
        fact("Position", &citation.position());
        if let Some((claim, verdict)) = verdict {
            if self.verdict.is_none() {
                fact("Verdict", &verdict_text(verdict));
            }
            // A post has no verdict: it is no statement of this report.
            fact("Confidence", &format!("{:.2}", claim.confidence));
        }
        if let Some(corroboration) = claim.and_then(|claim| self.edition.corroboration(claim)) {
            fact("Sources", &compared(&corroboration));
        }
        markup.raw("</dl>\n");
    }

    /// Writes the relations between entities that quoted passages state, as a table.
    fn knowledge(&mut self) {
        let relations = shown_relations(self.edition, &self.passages);
        if relations.is_empty() || self.edition.kind != Kind::Detailed {
            return;
        }
        self.markup.raw(
            "<section aria-labelledby=\"knowledge\">\
             <h2 id=\"knowledge\">Entities and relations</h2>\n<table>\n",
        );
        for (words, anchors) in relations {
            self.markup.raw("<tr>");
            for word in words {
                self.markup.element("td", &[], word);
            }
            self.markup.raw("<td>");
            for anchor in anchors {
                let source = self.passages.get(anchor - 1).map(|quoted| &quoted.source);
                let entry = source.and_then(|source| self.outline.entry(source));
                let target = format!("#passage-{anchor}");
                if let Some(entry) = entry {
                    self.markup.element("a", &[("href", &target)], &entry.label);
                    self.markup.text(" ");
                }
            }
            self.markup.raw("</td></tr>\n");
        }
        self.markup.raw("</table>\n</section>\n");
    }

    fn references(&mut self) {
        let outline = self.outline;
        if outline.references.is_empty() {
            return;
        }
        self.markup.raw("<section aria-labelledby=\"references\">");
        let heading = outline.headings.get(Heading::References);
        self.markup.element("h2", &[("id", "references")], heading);
        self.markup.raw("\n");
        // Entries that are cited by author have no numbers: a bibliography with hanging indents.
        self.markup.raw(if outline.by_author {
            "<ul class=\"references hanging\">\n"
        } else {
            "<ol class=\"references\">\n"
        });
        for entry in &outline.references {
            let id = format!("reference-{}", entry.number);
            self.markup.open("li", &[("id", &id)]);
            self.reference(entry);
            let printed = format!(" ({})", entry.reference.source);
            self.markup
                .element("span", &[("class", "printed")], &printed);
            self.remark(entry.remark.as_deref());
            self.dead_link(entry.reference);
            self.back_links(&entry.reference.source);
            self.markup.raw("</li>\n");
        }
        self.markup.raw(if outline.by_author {
            "</ul>\n"
        } else {
            "</ol>\n"
        });
        self.markup.raw("</section>\n");
    }

    /// Writes the remarks on a claim: by what it is superseded, beside what it is implausible.
    fn remarks(&mut self, claim: &Claim) {
        for remark in self.outline.remarks(claim) {
            self.remark(Some(&remark));
        }
    }

    /// Writes a remark on a claim, or on a source that is not in force.
    fn remark(&mut self, remark: Option<&str>) {
        if let Some(remark) = remark {
            self.markup.text(" ");
            self.markup.element("span", &[("class", "status")], remark);
        }
    }

    /// Writes that a page is gone, with a link to an archived copy.
    fn dead_link(&mut self, reference: &Reference) {
        let Some(dead) = &reference.dead else {
            return;
        };
        self.markup.raw(" <span class=\"dead\">");
        self.markup.text(&dead.describe());
        if let Some(copy) = &dead.archived {
            locator(&mut self.markup, copy);
        }
        self.markup.raw("</span>");
    }

    fn reference(&mut self, entry: &ReferenceEntry<'_>) {
        let Some(segments) = &entry.styled else {
            self.bibliographic(entry.reference);
            let category = entry.reference.category;
            self.markup
                .text(&category.map_or_else(String::new, |one| format!(", {}", one.name())));
            self.markup.text(", ");
            return locator(&mut self.markup, &entry.reference.locator);
        };
        for segment in segments {
            match segment {
                Segment::Plain(text) => self.markup.text(text),
                Segment::Italic(text) => self.markup.element("cite", &[], text),
                Segment::Locator(text) => locator(&mut self.markup, text),
            }
        }
    }

    /// Writes links from a reference to the passages that quote it. Browsers open the disclosure
    /// element around the target.
    fn back_links(&mut self, source: &str) {
        // Anchors count from 1, in the order in which `passage` has pushed the sources.
        let anchors: Vec<usize> = (1..)
            .zip(&self.passages)
            .filter(|(_, quoted)| quoted.source == source)
            .map(|(anchor, _)| anchor)
            .collect();
        let markup = &mut self.markup;
        markup.raw(" <span class=\"back\">quoted");
        for (count, anchor) in anchors.iter().enumerate() {
            let name = format!("quotation {} of {}", count + 1, anchors.len());
            let target = format!("#passage-{anchor}");
            markup.text(" ");
            let attributes = [("href", target.as_str()), ("aria-label", &name)];
            markup.element("a", &attributes, &(count + 1).to_string());
        }
        markup.raw("</span>");
    }

    fn footer(&mut self) {
        let session = self.edition.session;
        self.markup.raw("<footer>\n<p>");
        self.markup.text(&format!(
            "Made by research {} from session {}. Lines and bytes are those of the texts stored \
             there.",
            env!("CARGO_PKG_VERSION"),
            session.id
        ));
        self.markup.raw("</p>\n</footer>\n");
    }
}

/// Writes the locator of a source: a link if it is a web address, else text.
fn locator(markup: &mut Markup, locator: &str) {
    if is_web(locator) {
        let attributes = [("href", locator), ("rel", "noopener noreferrer nofollow")];
        markup.element("a", &attributes, locator);
    } else {
        markup.element("span", &[("class", "locator")], locator);
    }
}

/// The maximum number of relations in the table: what is taken in at a glance.
const RELATIONS: usize = 12;

/// The first relations that passages on the page state, each with the names of its ends and the
/// numbers of the anchors of these passages.
fn shown_relations<'a>(
    edition: &Edition<'a>,
    passages: &[&Citation],
) -> Vec<([&'a str; 3], Vec<usize>)> {
    let Some(graph) = edition.analysis.map(|analysis| &analysis.knowledge_graph) else {
        return Vec::new();
    };
    let name = |id: &str| {
        let mut entities = graph.entities.iter();
        entities
            .find(|entity| entity.id == id)
            .map(|entity| entity.name.as_str())
    };
    // One passage of each source is enough.
    let anchors = |ids: &[String]| -> Vec<usize> {
        let mut sources = BTreeSet::new();
        let first = |id: &String| passages.iter().position(|quoted| quoted.passage == *id);
        ids.iter()
            .filter_map(first)
            .filter(|index| sources.insert(&passages[*index].source))
            .map(|index| index + 1)
            .collect()
    };
    let stated = graph
        .relations
        .iter()
        .filter(|relation| relation.is_stated());
    let relations = stated.filter_map(|relation| {
        let words = [
            name(&relation.from)?,
            relation.relation.as_str(),
            name(&relation.to)?,
        ];
        let anchors = anchors(&relation.passages);
        (!anchors.is_empty()).then_some((words, anchors))
    });
    relations.take(RELATIONS).collect()
}

/// The comparison of sources in words.
fn compared(corroboration: &Corroboration) -> String {
    let sources = text::counted(corroboration.sources, "independent source");
    let disputed = if corroboration.contradicted {
        "; another source contradicts it"
    } else {
        ""
    };
    format!(
        "{sources}, strength {:.2}{disputed}",
        corroboration.strength
    )
}

/// The verdict on every claim, if all are quotations and have the same one.
fn common_verdict(report: &Report) -> Option<&ClaimVerdict> {
    let first = report.verdicts.first()?;
    let is_same = |claim: &Claim| {
        let mut verdicts = report.verdicts.iter();
        let own = verdicts.find(|own| own.claim == claim.id);
        let own = own.filter(|own| own.verdict == first.verdict && own.reason == first.reason);
        own.is_some() && !claim.is_written()
    };
    report.claims.iter().all(is_same).then_some(first)
}

/// A verdict and its reason in words.
fn verdict_text(verdict: &ClaimVerdict) -> String {
    format!("{}: {}", verdict_name(verdict.verdict), verdict.reason)
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "supported",
        Verdict::Partial => "partly supported",
        Verdict::Unsupported => "not supported",
        Verdict::Contradicted => "contradicted",
        Verdict::Abstained => "undecided",
    }
}
