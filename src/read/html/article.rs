//! The main content of a page: chosen by the extraction that measures best, written as Markdown.
//!
//! The extractor gives two answers: text, from which it has left out what is no content, and HTML,
//! in which that still stands. The text decides what is kept, the HTML how it is laid out.
//! Addresses of links and pictures are left out: nobody quotes them. Refuses to know titles, dates
//! and files.

use std::cell::OnceCell;
use std::hash::BuildHasher as _;

use dom_query::{Document, NodeRef};
use foldhash::HashSet;
use foldhash::fast::RandomState;
use rs_trafilatura::Options;
use rs_trafilatura::page_type::PageType;

/// Words that are compared together, as the benchmark of article extraction compares them.
const SHINGLE_WORDS: usize = 4;

/// The share of a line's shingles that must stand in the chosen text.
const LINE_SHARE: f64 = 0.6;

/// The share of the chosen text's words that its layout must hold; of less, the text itself is
/// taken.
const LAYOUT_SHARE: f64 = 0.9;

/// How much longer another extraction must be to be taken for the whole of which this is a part.
const MUCH_MORE: f64 = 2.0;

/// The share of a text's letters that stand in lines of prose, at least; of less, another
/// extraction is looked at, and taken if its share is so much larger. (Set on two sets of pages; of
/// single articles nearly all letters do.)
const PROSE_SHARE: f64 = 0.55;
const MORE_PROSE: f64 = 0.15;

/// What may follow the end of a sentence.
const CLOSING: &str = "\"'”’»)]*_";

/// How many levels of headings there are.
const HEADING_LEVELS: usize = 6;

/// The main content of a page as Markdown; empty if none is found. A page with one `article`
/// element is taken for an article, so that the extractor need not classify it.
///
/// The extractor is `rs-trafilatura` 0.2. Measured on the collections of `benches/extraction.rs`
/// (F1 of the bare text on 61 articles, and on the 130 test pages of Readability):
///
/// | extractor | articles | test pages | packages only for it |
/// |---|---|---|---|
/// | `rs-trafilatura` 0.2.2 | 0.968 | 0.915 | 25 |
/// | `trafilatura` 0.6.0, with its fallback | 0.968 | 0.947 | 20 |
/// | `dom_smoothie` 0.19 | 0.957 | 0.991 | 0 |
///
/// Together with `dom_smoothie`, which the caller asks where this answer is doubtful, both
/// collections come to 0.967. `trafilatura` is no better on articles, is as slow (41 and 38 ms a
/// page) and brings a second HTML parser too (html5ever 0.39 beside 0.40, here 0.36);
/// `dom_smoothie` alone would need none, but its precision on articles is two points lower.
pub(super) fn of_page(html: &str, is_article: bool) -> String {
    let options = Options {
        page_type: is_article.then_some(PageType::Article),
        ..Options::default()
    };
    let Ok(found) = rs_trafilatura::extract_with_options(html, &options) else {
        return String::new();
    };
    let chosen = Shingles::of(&found.content_text);
    let layout = found.content_html.map(|html| markdown(&html));
    let kept = layout.map(|layout| kept(&layout, &chosen));
    match kept {
        Some(kept) if words(&kept).count() as f64 >= LAYOUT_SHARE * chosen.words.len() as f64 => {
            kept
        }
        _ => plain(&found.content_text),
    }
}

/// HTML as Markdown without addresses, each block's white space made single.
pub(super) fn markdown(html: &str) -> String {
    laid_out(&Document::from(html), 0)
}

/// A tree of HTML as [`markdown`], its headings that many levels lower.
pub(super) fn laid_out(document: &Document, lower: usize) -> String {
    lower_headings(document, lower);
    document.select("img, picture, svg, figure > a").remove();
    for link in document.select("a").nodes() {
        link.rename("span");
    }
    for node in document.root().descendants() {
        if node.is_text() && !is_preformatted(&node) {
            node.set_text(single_spaced(&node.text()));
        }
    }
    document.md(None).to_string()
}

fn lower_headings(document: &Document, lower: usize) {
    if lower == 0 {
        return;
    }
    for level in (1..=HEADING_LEVELS).rev() {
        let lowered = format!("h{}", (level + lower).min(HEADING_LEVELS));
        for heading in document.select(&format!("h{level}")).nodes() {
            heading.rename(&lowered);
        }
    }
}

fn is_preformatted(node: &NodeRef<'_>) -> bool {
    let parents = node.ancestors(Some(3));
    parents.iter().any(|parent| {
        let name = parent.node_name();
        name.is_some_and(|name| ["pre", "code", "textarea"].contains(&&*name))
    })
}

/// White space made single, but kept at both ends, where it parts words from those of the next
/// element.
fn single_spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let c = if c.is_whitespace() && c != '\u{a0}' {
            ' '
        } else {
            c
        };
        if !(c == ' ' && out.ends_with(' ')) {
            out.push(c);
        }
    }
    out
}

/// The lines of a layout that stand in the chosen text, blank lines and code blocks kept together.
fn kept(layout: &str, chosen: &Shingles) -> String {
    let mut out = String::with_capacity(layout.len());
    let mut lines = layout.lines();
    while let Some(line) = lines.next() {
        let mut block = tidy(line);
        if let Some(fence) = fence(line) {
            for inner in lines.by_ref() {
                block.push('\n');
                block.push_str(inner);
                if inner.trim_start().starts_with(fence) {
                    break;
                }
            }
        }
        // A line without words is a rule of a table or a gap; it stays with what is around it.
        if words(&block).next().is_none() {
            let gap = block.is_empty() && !out.ends_with("\n\n") && !out.is_empty();
            let rule = block.contains("---") && block.starts_with('|') && out.ends_with("|\n");
            if gap || rule {
                out.push_str(&block);
                out.push('\n');
            }
        } else if chosen.hold(&block) {
            out.push_str(&block);
            out.push('\n');
        }
    }
    out
}

fn fence(line: &str) -> Option<&'static str> {
    let start = line.trim_start();
    ["```", "~~~"]
        .into_iter()
        .find(|fence| start.starts_with(fence))
}

/// A line without the indentation that would make code of it, unless it is an item of a list.
fn tidy(line: &str) -> String {
    let bare = line.trim();
    let first = bare.split(' ').next().unwrap_or_default();
    let number = first.strip_suffix('.').unwrap_or_default();
    let item = ["-", "*", "+"].contains(&first)
        || !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if item {
        line.replace('\t', " ").trim_end().to_owned()
    } else {
        bare.to_owned()
    }
}

/// Plain text as Markdown: every line a paragraph, and what would be a mark made a letter.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with(['#', '>', '<', '=', '`', '~', '|']) {
            out.push('\\');
        }
        out.push_str(line);
        out.push_str("\n\n");
    }
    out
}

/// The letters and digits of a text.
pub(super) fn letters(text: &str) -> usize {
    if text.is_ascii() {
        return text.bytes().filter(u8::is_ascii_alphanumeric).count();
    }
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// The first of two extractions of a page, unless the other one holds most of it and much more, or
/// is prose where the first is not.
pub(super) fn better(first: String, second: String) -> String {
    let (one, other) = (letters(&first) as f64, letters(&second) as f64);
    let is_whole = other >= MUCH_MORE * one && Shingles::of(&second).hold_most(&first);
    if is_whole || prose(&first) + MORE_PROSE < prose(&second) {
        return second;
    }
    first
}

/// Whether so much of a text is lines that end as sentences do that it is no list of what else
/// there is.
pub(super) fn is_prose(text: &str) -> bool {
    prose(text) >= PROSE_SHARE
}

/// The share of a text's letters that stand in lines which end as sentences do.
fn prose(text: &str) -> f64 {
    let ends = |line: &&str| {
        let end = line.trim_end_matches(|c: char| c.is_whitespace() || CLOSING.contains(c));
        end.ends_with(['.', '!', '?', '…', ':', ';', '。', '！', '？'])
    };
    let prose: usize = text.lines().filter(ends).map(letters).sum();
    prose as f64 / letters(text).max(1) as f64
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// The runs of up to [`SHINGLE_WORDS`] words in a text, by hash.
struct Shingles {
    /// Pages cannot know it, and so cannot choose words that fall together.
    secret: RandomState,
    words: Vec<u64>,
    /// By the words of a run, less one; short runs are rarely asked for.
    runs: [OnceCell<HashSet<u64>>; SHINGLE_WORDS],
}

impl Shingles {
    fn of(text: &str) -> Self {
        let secret = RandomState::default();
        Self {
            words: words(text).map(|word| secret.hash_one(word)).collect(),
            secret,
            runs: Default::default(),
        }
    }

    /// The runs of so many words.
    fn runs(&self, length: usize) -> &HashSet<u64> {
        self.runs[length - 1].get_or_init(|| {
            let runs = self.words.windows(length);
            runs.map(|run| self.secret.hash_one(run)).collect()
        })
    }

    /// Whether another text stands in this one, by most of its lines.
    fn hold_most(&self, text: &str) -> bool {
        let lines: Vec<&str> = text.lines().filter(|line| letters(line) > 0).collect();
        let held = lines.iter().filter(|line| self.hold(line)).count();
        held as f64 >= LAYOUT_SHARE * lines.len() as f64
    }

    /// Whether a line stands in the text, by most of its shingles.
    fn hold(&self, line: &str) -> bool {
        let secret = &self.secret;
        let words: Vec<u64> = words(line).map(|word| secret.hash_one(word)).collect();
        let length = words.len().clamp(1, SHINGLE_WORDS);
        let shingles = words.windows(length);
        let all = shingles.len() as f64;
        let runs = self.runs(length);
        let held = shingles.filter(|run| runs.contains(&secret.hash_one(run)));
        held.count() as f64 >= LINE_SHARE * all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_decides_and_the_html_lays_out() {
        let prose = "Heat pumps move heat, and they need less power than a heater does. ".repeat(4);
        let page = format!(
            "<html><head><title>On heat</title></head><body><nav><a href=/>Home</a></nav><article><h1>On heat</h1>\
             <h2>How \n they\n work</h2><p>{prose}</p><p>See <a href='https://e.org/x'>the list</a>:<img src=x.png></p>\
             <ul><li>quiet <b>one</b></li><li>two<ul><li>nested one</li></ul></li></ul>\
             <pre><code>fn main() {{\n    let x = 1;\n\n    x\n}}</code></pre>\
             <table><tr><th>Name</th><th>Factor</th></tr><tr><td>air</td><td>3</td></tr></table>\
             <h3>Costs</h3><p>{prose}</p></article><div class=share>Share this on Friendface</div></body></html>"
        );
        let found = of_page(&page, true);
        for part in [
            "## How they work\n",
            "See the list:",
            "- quiet **one**",
            "- nested one",
            "\n    let x = 1;\n\n    x\n",
            "| air",
            "### Costs\n",
        ] {
            assert!(found.contains(part), "{part:?} in {found}");
        }
        for part in ["Home", "Friendface", "e.org", "x.png"] {
            assert!(!found.contains(part), "{part:?} in {found}");
        }
    }

    #[test]
    fn plain_text_makes_no_marks() {
        assert_eq!(plain("# a\n\n <b>\nc"), "\\# a\n\n\\<b>\n\nc\n\n");
    }

    #[test]
    fn a_line_is_held_by_most_of_its_words() {
        let text = Shingles::of("one two three four five six seven");
        assert!(text.hold("**two** three four five") && text.hold("seven"));
        assert!(!text.hold("five four three two one") && !text.hold("eight"));
    }
}
