//! An upper bound of how deep a page of HTML nests, computed from its tags before it is parsed.
//! Parsers take time and memory by the number of tags times their depth, and code that walks the
//! tree takes stack by its depth, so a nesting bomb must be refused first.
//!
//! Nothing is built. Where the bound is not exact it is too high: elements that are left open count
//! until the end of the page.

use std::cell::{Cell, RefCell};

use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// The largest product of tags and depth. The longest single-page standards come to about 15
/// million; 100,000 nested elements, which took 44 s to parse, to 10 billion.
const MAX_TAGS_TIMES_DEPTH: usize = 50_000_000;

/// Void elements: without content and without an end tag.
const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Elements whose end tag is implied by the next one of their kind, so that leaving them open does
/// not nest them.
const IMPLIED_END: &[&str] = &[
    "body", "colgroup", "dd", "dt", "head", "html", "li", "optgroup", "option", "p", "rp", "rt",
    "tbody", "td", "tfoot", "th", "thead", "tr",
];

/// Formatting elements, which the tree builder opens again after the element around them has ended
/// (the adoption agency algorithm of the HTML standard).
const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// Elements that bound a scope: an end tag inside closes nothing outside.
const SCOPE_BOUNDARIES: &[&str] = &[
    "applet",
    "button",
    "caption",
    "foreignobject",
    "marquee",
    "math",
    "object",
    "select",
    "svg",
    "table",
    "template",
];

/// Returns `true` if a page nests so deep, for its number of tags, that it must not be parsed.
pub fn is_too_deep(html: &str) -> bool {
    if max_tags_times_depth(html) <= MAX_TAGS_TIMES_DEPTH {
        return false;
    }
    let tokenizer = Tokenizer::new(DepthCounter::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    let _ = tokenizer.feed(&input);
    tokenizer.sink.is_too_deep.get()
}

/// The product of tags and depth if every start tag were nested in all before it. Most pages are
/// cleared by it, at a tenth of the time of tokenizing them.
fn max_tags_times_depth(html: &str) -> usize {
    let bytes = html.as_bytes();
    // A `<` in a comment or in text counts as well, which only raises the bound.
    let (mut tags, mut start_tags) = (0_usize, 0_usize);
    for (at, _) in html.match_indices('<') {
        tags += 1;
        start_tags += usize::from(bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic));
    }
    tags.saturating_mul(start_tags)
}

/// A sink of tokens that keeps the names of the elements that are open, and no tree.
#[derive(Default)]
struct DepthCounter {
    open: RefCell<Vec<LocalName>>,
    tags: Cell<usize>,
    is_too_deep: Cell<bool>,
}

impl TokenSink for DepthCounter {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let Token::TagToken(tag) = token else {
            return TokenSinkResult::Continue;
        };
        let mut open = self.open.borrow_mut();
        let tags = self.tags.get() + 1;
        self.tags.set(tags);
        match tag.kind {
            TagKind::EndTag => close(&mut open, &tag.name),
            TagKind::StartTag => {
                // The tokenizer does not know which elements hold raw text: the tree builder, which
                // this stands in for, switches its state.
                if let Some(raw) = raw_text(&tag.name).filter(|_| !is_in_foreign_content(&open)) {
                    return TokenSinkResult::RawData(raw);
                }
                if nests(&tag, &open) {
                    open.push(tag.name);
                }
            }
        }
        if tags.saturating_mul(open.len()) > MAX_TAGS_TIMES_DEPTH {
            self.is_too_deep.set(true);
            // As after a script's end tag, the tokenizer hands control back: nothing more is read.
            return TokenSinkResult::Script(());
        }
        TokenSinkResult::Continue
    }

    /// CDATA sections exist in SVG and MathML only; in HTML they are comments.
    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        is_in_foreign_content(&self.open.borrow())
    }
}

/// Returns `true` for a void element, which has no content and no end tag.
pub(in crate::read) fn is_void(name: &str) -> bool {
    VOID.contains(&name)
}

/// The state of the tokenizer for the content of an element that holds no elements.
fn raw_text(name: &str) -> Option<RawKind> {
    match name {
        "script" => Some(RawKind::ScriptData),
        "textarea" | "title" => Some(RawKind::Rcdata),
        "iframe" | "noembed" | "noframes" | "style" | "xmp" => Some(RawKind::Rawtext),
        _ => None,
    }
}

fn nests(tag: &Tag, open: &[LocalName]) -> bool {
    let name = &*tag.name;
    !(is_void(name)
        || IMPLIED_END.contains(&name)
        || tag.self_closing && is_in_foreign_content(open))
}

/// Returns `true` inside of SVG or MathML, where `<x/>` is a whole element and no content is raw.
fn is_in_foreign_content(open: &[LocalName]) -> bool {
    // The nearest boundary decides: inside of `foreignobject` there is HTML again.
    let mut names = open.iter().rev().map(|name| &**name);
    matches!(
        names.find(|name| SCOPE_BOUNDARIES.contains(name)),
        Some("svg" | "math")
    )
}

/// Closes the nearest element of a name and what is inside it, but for formatting elements.
fn close(open: &mut Vec<LocalName>, name: &LocalName) {
    // An end tag without its start tag in the same scope is a parse error and closes nothing.
    let reached = open
        .iter()
        .rposition(|other| other == name || SCOPE_BOUNDARIES.contains(&&**other));
    let Some(at) = reached.filter(|at| open[*at] == *name) else {
        return;
    };
    // Formatting elements inside stay open; the end tag of one leaves all elements inside open, so
    // that the bound errs upwards.
    let is_formatting = FORMATTING.contains(&&**name);
    let inside = open.split_off(at).into_iter().skip(1);
    open.extend(inside.filter(|other| is_formatting || FORMATTING.contains(&&**other)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_bombs_are_detected_whatever_hides_their_depth() {
        for unit in [
            "<div>",
            "<ul><li>",
            "<table><tr><td>",
            "<div a='</div>'>",
            "<div><!-- </div> -->",
            "<div><!--></div>",
            "<div><script></div></script>",
            "<div><marquee></div></marquee>",
            "<b><div></b>",
            "<p><font a=1></p>",
            "<div/>",
            "<svg><foreignObject><div/>",
            "<div><script></scriptx></div></script>",
            "<div><script><!--<script></script></div>--></script>",
            "<svg><![CDATA[></svg>]]>",
            "<div></ </div>",
            "<div><!-- ---!>",
        ] {
            let deep = is_too_deep(&unit.repeat(8_000));
            let hidden = unit == "<div><!--></div>";
            assert_eq!(deep, !hidden, "{unit}");
        }
    }

    #[test]
    fn long_pages_are_not_nesting_bombs() {
        for unit in [
            "<p>one<br><li>two",
            "<div><p><b>x</b></p></div>",
            "<div><b><i>crossed</b></i></div>",
            "<svg><path d='1'/><g><path/></g></svg>",
            "<!-- <div> --><script>if (a<b) '<div>'</script>",
            "a < b <",
            "<div><span></div>",
            "<div title=\"a > b\"></div>",
            "<svg><![CDATA[<g>]]></svg>",
        ] {
            assert!(!is_too_deep(&unit.repeat(8_000)), "{unit}");
        }
        assert!(!is_too_deep(&"<".repeat(1_000_000)));
        assert!(!is_too_deep(&"<!--".repeat(250_000)));
    }
}
