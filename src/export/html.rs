//! A report as one HTML file that needs nothing else: no script, no picture, no font, no network.
//! Every claim opens its passage, marked, in what stands around it in the stored text.
//!
//! Documents are hostile: what they say gets onto the page only as text (`Markup`), and a policy in
//! the page's head forbids the browser to load or run anything whatever.

use super::citation::Segment;
use super::markup::Markup;
use super::outline::{Body, Entry, Outline, Pair, Part};
use super::passage::{self, Context};
use super::{Edition, Format};
use crate::artifact::claims::{Citation, Claim};
use crate::artifact::report::Reference;
use crate::artifact::verification::Verdict;

const HEAD: &str = concat!(
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; ",
    "base-uri 'none'; form-action 'none'\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta name=\"color-scheme\" content=\"light dark\">\n",
    "<meta name=\"referrer\" content=\"no-referrer\">\n",
    "<meta name=\"generator\" content=\"research ",
    env!("CARGO_PKG_VERSION"),
    "\">\n<style>\n",
    include_str!("html.css"),
    "</style>\n"
);

/// A self-contained HTML page.
pub const FORMAT: Format = Format {
    name: "html",
    extension: "html",
    about: "One self-contained page; every claim opens the passage it quotes",
    needs_texts: true,
    render: |edition| Ok(render(edition).into_bytes()),
};

/// Renders the page.
pub fn render(edition: &Edition<'_>) -> String {
    let outline = Outline::of_edition(edition);
    let mut page = Page {
        edition,
        outline: &outline,
        markup: Markup::default(),
        opened: Vec::new(),
    };
    page.markup.own(HEAD);
    page.markup.element("title", &[], outline.title);
    page.markup.own("\n</head>\n<body>\n");
    page.header();
    page.markup.own("<main>\n");
    for (place, part) in outline.parts.iter().enumerate() {
        page.part(place, part);
    }
    page.references();
    page.markup.own("</main>\n");
    page.footer();
    page.markup.own("</body>\n</html>\n");
    page.markup.finish()
}

struct Page<'a> {
    edition: &'a Edition<'a>,
    outline: &'a Outline<'a>,
    markup: Markup,
    /// The sources of the passages on the page so far, by the passages' anchors: `passage-1` is the
    /// first.
    opened: Vec<&'a str>,
}

impl<'a> Page<'a> {
    fn header(&mut self) {
        let (edition, markup) = (self.edition, &mut self.markup);
        markup.own("<header>\n");
        markup.element("h1", &[], self.outline.title);
        if edition.report.topic != edition.report.title {
            markup.element("p", &[("class", "topic")], &edition.report.topic);
        }
        let mut about = format!("Round {}", edition.round);
        if let Some(review) = edition.review {
            about.push_str(&format!(", review score {:.2}", review.score));
        }
        let started = &edition.session.started_at;
        let day = started.split('T').next().unwrap_or(started);
        about.push_str(&format!(", asked {day}"));
        markup.own("\n");
        markup.element("p", &[("class", "about")], &about);
        if !edition.report.claims.is_empty() {
            markup.own(
                "\n<p class=\"about hint\">Every claim is a quotation. Open it to see where it stands.</p>",
            );
        }
        markup.own("\n");
        if let Some(warning) = self.outline.warning {
            markup.own("<p class=\"warning\" role=\"note\">");
            markup.element("strong", &[], warning.title());
            markup.text(&format!(" {}", warning.text()));
            markup.own("</p>\n");
        }
        if let Some(unanswered) = &self.outline.unanswered {
            let markup = &mut self.markup;
            markup
                .own("<p class=\"warning\" role=\"note\"><strong>Not answered as asked.</strong>");
            markup.text(&format!(" {unanswered}"));
            markup.own("</p>\n");
        }
        self.contents();
        self.markup.own("</header>\n");
    }

    fn contents(&mut self) {
        let outline = self.outline;
        let markup = &mut self.markup;
        markup.own("<nav aria-label=\"Contents\">\n<ul>\n");
        let mut line = |anchor: &str, heading: &str| {
            markup.own("<li>");
            markup.element("a", &[("href", anchor)], heading);
            markup.own("</li>\n");
        };
        for (place, part) in outline.parts.iter().enumerate() {
            line(&format!("#part-{}", place + 1), &part.heading);
        }
        if !outline.references.is_empty() {
            line("#references", "References");
        }
        markup.own("</ul>\n</nav>\n");
    }

    fn part(&mut self, place: usize, part: &Part<'a>) {
        let id = format!("part-{}", place + 1);
        self.markup.open("section", &[("aria-labelledby", &id)]);
        self.markup.element("h2", &[("id", &id)], &part.heading);
        self.markup.own("\n");
        match &part.body {
            Body::Claims(voices) => self.voices(
                voices
                    .iter()
                    .map(|voice| (voice.lead.as_deref(), voice.claims.as_slice())),
            ),
            Body::Abstract(claims) => self.voices(
                claims
                    .iter()
                    .map(|claim| (None, std::slice::from_ref(claim))),
            ),
            Body::Disagreements(pairs) => pairs.iter().for_each(|pair| self.pair(pair)),
            Body::Sentences(sentences) => {
                self.markup.own("<ul>\n");
                for sentence in sentences {
                    self.markup.element("li", &[], sentence);
                    self.markup.own("\n");
                }
                self.markup.own("</ul>\n");
            }
            Body::Phrases(phrases) => {
                self.markup
                    .element("p", &[], &format!("{}.", phrases.join(", ")));
                self.markup.own("\n");
            }
        }
        self.markup.own("</section>\n");
    }

    /// Claims by whose words they are.
    fn voices<'b>(&mut self, voices: impl Iterator<Item = (Option<&'b str>, &'b [&'a Claim])>)
    where
        'a: 'b,
    {
        self.markup.own("<ul class=\"claims\">\n");
        for (lead, claims) in voices {
            self.markup.own("<li>");
            if let Some(lead) = lead {
                self.markup.element("p", &[("class", "lead")], lead);
            }
            for claim in claims {
                self.claim(claim);
            }
            self.markup.own("</li>\n");
        }
        self.markup.own("</ul>\n");
    }

    fn pair(&mut self, pair: &Pair<'a>) {
        self.markup.own("<div class=\"pair\" role=\"group\">\n");
        self.markup.element("h3", &[], &pair.difference);
        self.markup.own("\n<div class=\"sides\">\n");
        for side in &pair.sides {
            self.markup.own("<div class=\"side\">");
            if let Some(lead) = &side.lead {
                self.markup.element("p", &[("class", "lead")], lead);
            }
            for claim in &side.claims {
                self.claim(claim);
            }
            self.markup.own("</div>\n");
        }
        self.markup.own("</div>\n</div>\n");
    }

    /// A claim, which opens its passages.
    fn claim(&mut self, claim: &'a Claim) {
        let outline = self.outline;
        self.markup
            .own("<details class=\"claim\"><summary><span class=\"words\">");
        self.markup.sentence(&claim.text);
        self.markup.own("</span>");
        for citation in &claim.citations {
            if let Some(entry) = outline.entry(&citation.source) {
                self.markup.text(" ");
                let place = format!(
                    "{}, bytes {} to {}",
                    citation.source, citation.start, citation.end
                );
                self.markup.element(
                    "span",
                    &[("class", "number"), ("title", &place)],
                    &entry.label,
                );
                let printed = format!(" {place}");
                self.markup
                    .element("span", &[("class", "printed")], &printed);
            }
        }
        self.markup.own("</summary>\n");
        for citation in &claim.citations {
            if let Some(entry) = outline.entry(&citation.source) {
                self.passage(claim, citation, entry);
            }
        }
        self.markup.own("</details>");
    }

    fn passage(&mut self, claim: &Claim, citation: &'a Citation, entry: &Entry<'a>) {
        self.opened.push(&citation.source);
        let id = format!("passage-{}", self.opened.len());
        self.markup
            .open("figure", &[("class", "passage"), ("id", &id)]);
        self.markup.own("\n<figcaption>");
        self.described(entry.reference);
        self.markup.own("</figcaption>\n");
        let text = self.edition.texts.get(&citation.source);
        let place = citation.start..citation.end;
        let context = text.and_then(|text| passage::context(text, place, &citation.quote));
        self.quotation(citation, context);
        self.facts(claim, citation, entry);
        self.markup.own("</figure>\n");
    }

    /// The title, author and date of a source.
    fn described(&mut self, reference: &Reference) {
        self.markup.element("cite", &[], &reference.title);
        for part in [&reference.author, &reference.date].into_iter().flatten() {
            self.markup.text(&format!(", {part}"));
        }
    }

    fn quotation(&mut self, citation: &Citation, context: Option<Context<'_>>) {
        // Nobody knows in which language a document is.
        self.markup
            .own("<blockquote lang=\"\" dir=\"auto\" class=\"context\">");
        let Some(context) = context else {
            self.markup.own("<p><mark>");
            self.markup.text(&citation.quote);
            self.markup
                .own("</mark></p></blockquote>\n<p class=\"warning\" lang=\"en\">");
            self.markup.own("<strong>Not found.</strong> The stored text does not hold these words at this place (any more).</p>\n");
            return;
        };
        let paragraphs = context.paragraphs();
        let last = paragraphs.len().saturating_sub(1);
        for (place, paragraph) in paragraphs.iter().enumerate() {
            let class = match paragraph {
                _ if paragraph.has_lines => "lines",
                _ if paragraph.is_heading() => "heading",
                _ => "prose",
            };
            self.markup.open("p", &[("class", class)]);
            if place == 0 && context.is_cut_before {
                self.markup.own("<span class=\"cut\">… </span>");
            }
            for (run, is_quoted) in &paragraph.runs {
                if *is_quoted {
                    self.markup.element("mark", &[], run);
                } else {
                    self.markup.text(run);
                }
            }
            if place == last && context.is_cut_after {
                self.markup.own("<span class=\"cut\"> …</span>");
            }
            self.markup.own("</p>\n");
        }
        self.markup.own("</blockquote>\n");
    }

    fn facts(&mut self, claim: &Claim, citation: &Citation, entry: &Entry<'_>) {
        let mut verdicts = self.edition.report.verdicts.iter();
        let verdict = verdicts.find(|verdict| verdict.claim == claim.id);
        let reference = format!("#reference-{}", entry.number);
        let markup = &mut self.markup;
        markup.own("<dl>\n<div><dt>Source</dt><dd>");
        markup.element("a", &[("href", &reference)], &entry.label);
        markup.text(&format!(" {}, ", citation.source));
        locator(markup, &entry.reference.locator);
        markup.own("</dd></div>\n");
        let mut fact = |name: &'static str, value: &str| {
            markup.own("<div>");
            markup.element("dt", &[], name);
            markup.element("dd", &[], value);
            markup.own("</div>\n");
        };
        fact("Bytes", &format!("{} to {}", citation.start, citation.end));
        if let Some(verdict) = verdict {
            let found = name(verdict.verdict);
            fact("Verdict", &format!("{found}: {}", verdict.reason));
        }
        fact("Confidence", &format!("{:.2}", claim.confidence));
        markup.own("</dl>\n");
    }

    fn references(&mut self) {
        let outline = self.outline;
        if outline.references.is_empty() {
            return;
        }
        self.markup
            .own("<section aria-labelledby=\"references\"><h2 id=\"references\">References</h2>\n");
        self.markup.own(if outline.by_author {
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
            self.dead(entry.reference);
            self.back(&entry.reference.source);
            self.markup.own("</li>\n");
        }
        self.markup.own(if outline.by_author {
            "</ul>\n"
        } else {
            "</ol>\n"
        });
        self.markup.own("</section>\n");
    }

    /// That a page is gone, and where a copy is.
    fn dead(&mut self, reference: &Reference) {
        let Some(dead) = &reference.dead else {
            return;
        };
        self.markup.own(" <span class=\"dead\">");
        self.markup.text(&dead.told());
        if let Some(copy) = &dead.archived {
            locator(&mut self.markup, copy);
        }
        self.markup.own("</span>");
    }

    fn reference(&mut self, entry: &Entry<'_>) {
        let Some(segments) = &entry.styled else {
            self.described(entry.reference);
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

    /// Links from a reference to the passages that quote it: a browser opens them on the way.
    fn back(&mut self, source: &str) {
        let quoting = self.opened.iter().enumerate();
        let quoting = quoting.filter(|(_, quoted)| **quoted == source);
        let anchors: Vec<usize> = quoting.map(|(place, _)| place + 1).collect();
        let markup = &mut self.markup;
        markup.own(" <span class=\"back\">quoted");
        for (count, anchor) in anchors.iter().enumerate() {
            let name = format!("quotation {} of {}", count + 1, anchors.len());
            let target = format!("#passage-{anchor}");
            markup.text(" ");
            let attributes = [("href", target.as_str()), ("aria-label", &name)];
            markup.element("a", &attributes, &(count + 1).to_string());
        }
        markup.own("</span>");
    }

    fn footer(&mut self) {
        let session = self.edition.session;
        self.markup.own("<footer>\n<p>");
        self.markup.text(&format!(
            "Made by research {} from session {}. Bytes count in the text stored there.",
            env!("CARGO_PKG_VERSION"),
            session.id
        ));
        self.markup.own("</p>\n</footer>\n");
    }
}

/// Where a source is: a link if it is on the web, else text.
fn locator(markup: &mut Markup, place: &str) {
    let is_web = ["https://", "http://"]
        .iter()
        .any(|scheme| place.starts_with(scheme));
    if is_web {
        let attributes = [("href", place), ("rel", "noopener noreferrer nofollow")];
        markup.element("a", &attributes, place);
    } else {
        markup.element("span", &[("class", "locator")], place);
    }
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "supported",
        Verdict::Partial => "partly supported",
        Verdict::Unsupported => "not supported",
        Verdict::Contradicted => "contradicted",
        Verdict::Abstained => "not decided",
    }
}
