//! Main content extraction (boilerplate removal): the article of a page as Markdown.
//!
//! The extractor returns plain text without boilerplate, and HTML that still has some. The text
//! selects the lines, by their word shingles, and the HTML gives their layout. Addresses of links
//! and pictures are left out: nobody quotes them.

use std::cell::OnceCell;
use std::hash::BuildHasher as _;

use dom_query::{Document, NodeRef};
use foldhash::HashSet;
use foldhash::fast::RandomState;
use rs_trafilatura::Options;
use rs_trafilatura::page_type::PageType;

/// The length of a shingle in words: that of the article extraction benchmark.
const SHINGLE_WORDS: usize = 4;

/// The share of a line's shingles that must be in the extracted text; chosen by hand, so that
/// inline elements that the extractor dropped do not cost the line.
const LINE_SHARE: f64 = 0.6;

/// The share of the extracted text's words that the laid-out lines must have; below it, the plain
/// text is returned. Chosen by hand.
const LAYOUT_SHARE: f64 = 0.9;

/// The factor by which another extraction must be longer to be the whole of which this is a part.
const MUCH_MORE: f64 = 2.0;

/// The share of letters in lines of prose below which a second extraction is compared. Set with
/// `benches/extraction.rs` on both collections; in single articles the share is nearly 1.
const PROSE_SHARE: f64 = 0.55;

/// The margin by which the share of the second extraction must be larger; set likewise.
const MORE_PROSE: f64 = 0.15;

/// Characters that may follow the end of a sentence.
const CLOSING: &str = "\"'”’»)]*_";

/// The number of heading levels in HTML.
const HEADING_LEVELS: usize = 6;

/// The main content of a page as Markdown; empty if none is found. A page with one `article`
/// element is taken for an article, so that the extractor need not classify it.
///
/// The extractor is `rs-trafilatura`. Measured on the collections of `benches/extraction.rs`, as F1
/// of the bare text on 61 article pages and on the 130 test pages of Readability:
///
/// | extractor | articles | test pages |
/// |---|---|---|
/// | `rs-trafilatura` 0.2.2 | 0.968 | 0.915 |
/// | `trafilatura` 0.6, with its fallback | 0.968 | 0.947 |
/// | `dom_smoothie` | 0.957 | 0.991 |
///
/// A page takes `rs-trafilatura` 38 ms and `trafilatura` 41 ms on the articles, 59 and 36 ms on the
/// test pages. `trafilatura` brings a second HTML stack, too (html5ever 0.39), so that nothing
/// would be gained by it. Where this answer is doubtful, the caller asks `dom_smoothie`.
pub(super) fn of_page(html: &str, is_article: bool) -> String {
    let options = Options {
        page_type: is_article.then_some(PageType::Article),
        ..Options::default()
    };
    let Ok(extracted) = rs_trafilatura::extract_with_options(html, &options) else {
        return String::new();
    };
    // The text is without boilerplate, so it selects; the HTML only gives the layout.
    let chosen = Shingles::of(&extracted.content_text);
    let layout = extracted.content_html.map(|html| to_markdown(&html));
    let selected = layout.map(|layout| select_lines(&layout, &chosen));
    match selected {
        Some(selected)
            if words(&selected).count() as f64 >= LAYOUT_SHARE * chosen.words.len() as f64 =>
        {
            selected
        }
        _ => {
            tracing::debug!("the layout lacks words of the extracted text, which is taken instead");
            escape_plain_text(&extracted.content_text)
        }
    }
}

/// HTML as Markdown without addresses, white space collapsed.
pub(super) fn to_markdown(html: &str) -> String {
    document_to_markdown(&Document::from(html), 0)
}

/// A parsed document as [`to_markdown`], its headings that many levels lower.
pub(super) fn document_to_markdown(document: &Document, lower: usize) -> String {
    lower_headings(document, lower);
    document.select("img, picture, svg, figure > a").remove();
    // The words of a link stay, its address goes.
    for link in document.select("a").nodes() {
        link.rename("span");
    }
    for node in document.root().descendants() {
        if node.is_text() && !is_preformatted(&node) {
            node.set_text(collapse_white_space(&node.text()));
        }
    }
    document.md(None).to_string()
}

fn lower_headings(document: &Document, lower: usize) {
    if lower == 0 {
        return;
    }
    // From the lowest level up, so that no heading is lowered twice.
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

/// Collapses white space as CSS does, also at both ends, where it separates words from those of the
/// next element. No-break spaces stay.
fn collapse_white_space(text: &str) -> String {
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

/// Selects the lines of a layout that are in the extracted text; a fenced code block is one line.
fn select_lines(layout: &str, chosen: &Shingles) -> String {
    let mut out = String::with_capacity(layout.len());
    let mut lines = layout.lines();
    while let Some(line) = lines.next() {
        let mut block = without_indentation(line);
        // A code block is selected as one: half of it would leave its fence open.
        if let Some(fence) = fence(line) {
            for inner in lines.by_ref() {
                block.push('\n');
                block.push_str(inner);
                if inner.trim_start().starts_with(fence) {
                    break;
                }
            }
        }
        // A line without words is a delimiter row of a table or a blank line; it follows the lines
        // around it.
        if words(&block).next().is_none() {
            let gap = block.is_empty() && !out.ends_with("\n\n") && !out.is_empty();
            let rule = block.contains("---") && block.starts_with('|') && out.ends_with("|\n");
            if gap || rule {
                out.push_str(&block);
                out.push('\n');
            }
        } else if chosen.contains(&block) {
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

/// A line without the indentation that would make it a code block, unless it is a list item.
fn without_indentation(line: &str) -> String {
    let bare = line.trim();
    let first = bare.split(' ').next().unwrap_or_default();
    let number = first.strip_suffix('.').unwrap_or_default();
    let item = ["-", "*", "+"].contains(&first)
        || !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // The indentation of an item is its level in a nested list.
    if item {
        line.replace('\t', " ").trim_end().to_owned()
    } else {
        bare.to_owned()
    }
}

/// Plain text as Markdown: every line a paragraph, markup characters at its start escaped.
fn escape_plain_text(text: &str) -> String {
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

/// The number of letters and digits in a text.
pub(super) fn letters(text: &str) -> usize {
    // A fast path: ASCII needs no decoding.
    if text.is_ascii() {
        return text.bytes().filter(u8::is_ascii_alphanumeric).count();
    }
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// The first of two extractions of a page, unless the other one holds most of it and much more, or
/// is prose where the first is not.
pub(super) fn better(first: String, second: String) -> String {
    let (one, other) = (letters(&first) as f64, letters(&second) as f64);
    // Length alone may be boilerplate: the longer one must have the lines of the other, too.
    let is_whole = other >= MUCH_MORE * one && Shingles::of(&second).contains_most_lines(&first);
    if is_whole || prose_share(&first) + MORE_PROSE < prose_share(&second) {
        tracing::debug!(is_whole, "the second extraction is taken");
        return second;
    }
    first
}

/// Returns `true` if so many letters are in lines that end as sentences do that the text is no list
/// of links or teasers.
pub(super) fn is_prose(text: &str) -> bool {
    prose_share(text) >= PROSE_SHARE
}

/// The share of a text's letters that are in lines which end as sentences do.
fn prose_share(text: &str) -> f64 {
    let prose: usize = text
        .lines()
        .filter(|line| ends_sentence(line))
        .map(letters)
        .sum();
    prose as f64 / letters(text).max(1) as f64
}

fn ends_sentence(line: &str) -> bool {
    line.trim_end_matches(|c: char| c.is_whitespace() || CLOSING.contains(c))
        .ends_with(['.', '!', '?', '…', ':', ';', '。', '！', '？'])
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// The word n-grams (shingles) of a text, up to [`SHINGLE_WORDS`] words long, by hash.
struct Shingles {
    /// A random key, so that a page cannot choose words whose hashes collide (hash flooding).
    secret: RandomState,
    words: Vec<u64>,
    /// The sets by length less one, computed on first use: short ones are rarely needed.
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

    /// The set of shingles of a length.
    fn runs(&self, length: usize) -> &HashSet<u64> {
        self.runs[length - 1].get_or_init(|| {
            let runs = self.words.windows(length);
            runs.map(|run| self.secret.hash_one(run)).collect()
        })
    }

    /// Returns `true` if most lines of another text are in this one.
    fn contains_most_lines(&self, text: &str) -> bool {
        let lines: Vec<&str> = text.lines().filter(|line| letters(line) > 0).collect();
        let contained = lines.iter().filter(|line| self.contains(line)).count();
        contained as f64 >= LAYOUT_SHARE * lines.len() as f64
    }

    /// Returns `true` if most shingles of a line are in the text (containment, not Jaccard
    /// similarity: the text is much longer than the line).
    fn contains(&self, line: &str) -> bool {
        let secret = &self.secret;
        let words: Vec<u64> = words(line).map(|word| secret.hash_one(word)).collect();
        // A line of fewer words than a shingle is compared by the whole of it.
        let length = words.len().clamp(1, SHINGLE_WORDS);
        let runs = self.runs(length);
        let shingles = words.windows(length);
        let all = shingles.len() as f64;
        let common = shingles.filter(|run| runs.contains(&secret.hash_one(run)));
        common.count() as f64 >= LINE_SHARE * all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extracted_text_selects_the_lines_of_the_html_layout() {
        let prose = "Heat pumps move heat, and they need less power than a heater does. ".repeat(4);
        let page = format!(
            "<html><head><title>On heat</title></head><body><nav><a href=/>Home</a></nav><article>\
             <h1>On heat</h1>\
             <h2>How \n they\n work</h2><p>{prose}</p><p>See <a href='https://e.org/x'>the \
             list</a>:<img src=x.png></p>\
             <ul><li>quiet <b>one</b></li><li>two<ul><li>nested one</li></ul></li></ul>\
             <pre><code>fn main() {{\n    let x = 1;\n\n    x\n}}</code></pre>\
             <table><tr><th>Name</th><th>Factor</th></tr><tr><td>air</td><td>3</td></tr></table>\
             <h3>Costs</h3><p>{prose}</p></article><div class=share>Share this on Friendface</div>\
             </body></html>"
        );
        let article = of_page(&page, true);
        for part in [
            "## How they work\n",
            "See the list:",
            "- quiet **one**",
            "- nested one",
            "\n    let x = 1;\n\n    x\n",
            "| air",
            "### Costs\n",
        ] {
            assert!(article.contains(part), "{part:?} in {article}");
        }
        for part in ["Home", "Friendface", "e.org", "x.png"] {
            assert!(!article.contains(part), "{part:?} in {article}");
        }
    }

    #[test]
    fn plain_text_is_escaped_as_markdown() {
        assert_eq!(
            escape_plain_text("# a\n\n <b>\nc"),
            "\\# a\n\n\\<b>\n\nc\n\n"
        );
    }

    #[test]
    fn shingles_contain_a_line_by_most_of_its_words() {
        let text = Shingles::of("one two three four five six seven");
        assert!(text.contains("**two** three four five") && text.contains("seven"));
        assert!(!text.contains("five four three two one") && !text.contains("eight"));
    }
}
