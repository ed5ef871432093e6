//! What stands above a line in HTML, written so that in plain text it does not run together with
//! what it stands above: powers with a `^` and fractions with a `/`, while marks of references and
//! the readings of ideographs are left out.
//!
//! Refuses to know what a formula means.

use dom_query::{Document, NodeRef};

/// How many nodes of a raised element are looked at: marks and powers are short, and elements may
/// nest.
const MAX_NODES: usize = 100;

/// Rewrites what is raised in a tree; whether there was anything.
pub(super) fn written_out(document: &Document) -> bool {
    let mut is_changed = false;
    for node in document.select("sup, rt, rp, msup, mfrac").nodes() {
        is_changed |= match node.node_name().as_deref() {
            Some("sup") => rewritten(document, node),
            Some("msup") => joined(document, node, "^"),
            Some("mfrac") => joined(document, node, stroke(node)),
            _ => {
                node.remove_from_parent();
                true
            }
        };
    }
    is_changed
}

/// Rewrites a raised element, if it must not stay as it is; whether it did.
fn rewritten(document: &Document, raised: &NodeRef<'_>) -> bool {
    let is_linked = is_linked(raised);
    let is_mark = is_linked && is_number(raised);
    let is_power = !is_linked && is_power(first(raised), before(raised));
    if is_mark {
        raised.remove_from_parent();
    } else if is_power {
        // Before a stroke it is the upper half of a fraction: two and a half.
        let sign = if is_before_stroke(raised) { " " } else { "^" };
        raised.prepend_child(&document.tree.new_text(sign));
    }
    is_mark || is_power
}

/// Puts a sign between the two parts of a formula in MathML, and brackets around those of more than
/// one term; whether it did.
fn joined(document: &Document, formula: &NodeRef<'_>, sign: &str) -> bool {
    let parts = formula.element_children();
    let [one, other] = parts.as_slice() else {
        return false;
    };
    // One and a half is no eleven halves.
    let is_number = formula.has_name("mfrac") && before(formula).is_some_and(char::is_numeric);
    for part in [one, other] {
        if is_composite(part) {
            part.prepend_child(&document.tree.new_text("("));
            part.append_child(&document.tree.new_text(")"));
        }
    }
    other.prepend_child(&document.tree.new_text(sign));
    if is_number {
        one.prepend_child(&document.tree.new_text(" "));
    }
    true
}

/// What stands between the two parts of a fraction; one without a line is a binomial.
fn stroke(fraction: &NodeRef<'_>) -> &'static str {
    match fraction.attr("linethickness").as_deref() {
        Some("0") => " choose ",
        _ => "/",
    }
}

/// Whether a part of a formula is more than one number or name.
fn is_composite(part: &NodeRef<'_>) -> bool {
    let children = part.element_children();
    match children.as_slice() {
        [] => false,
        [only] => part_is_formula(part) || is_composite(only),
        _ => true,
    }
}

fn part_is_formula(part: &NodeRef<'_>) -> bool {
    !(part.has_name("mrow") || part.has_name("mstyle") || part.has_name("mpadded"))
}

/// Whether what follows a raised element begins with the stroke of a fraction.
fn is_before_stroke(raised: &NodeRef<'_>) -> bool {
    let next = raised.next_sibling();
    next.is_some_and(|next| next.text().trim_start().starts_with(['⁄', '/']))
}

/// Whether raised words that begin with this, after this, would be read as one number or name with
/// what is before them.
pub(in crate::read) fn is_power(first: Option<char>, before: Option<char>) -> bool {
    let is_digit_or_minus = |c: char| c.is_numeric() || matches!(c, '-' | '−' | '–');
    first.is_some_and(is_digit_or_minus) && before.is_some_and(char::is_alphanumeric)
}

/// Whether a raised element holds a link, or is all that a link holds: `m<sup>2</sup>` in a link is
/// no mark.
fn is_linked(raised: &NodeRef<'_>) -> bool {
    let is_alone = raised.prev_sibling().is_none() && raised.next_sibling().is_none();
    let around = raised.parent().filter(|_| is_alone);
    let mut nodes = raised.descendants_it().take(MAX_NODES).chain(around);
    nodes.any(|node| node.has_name("a"))
}

/// Whether all that is written in an element are numbers: `3`, `1,2` or `4–6`.
fn is_number(raised: &NodeRef<'_>) -> bool {
    let is_of_numbers =
        |c: char| c.is_numeric() || c.is_whitespace() || matches!(c, ',' | '-' | '–');
    let is_one = texts(raised).all(|text| text.chars().all(is_of_numbers));
    is_one && first(raised).is_some_and(char::is_numeric)
}

/// The first character of an element that is no space.
fn first(raised: &NodeRef<'_>) -> Option<char> {
    texts(raised).find_map(|text| text.trim_start().chars().next())
}

fn texts(raised: &NodeRef<'_>) -> impl Iterator<Item = String> {
    let nodes = raised.descendants_it().take(MAX_NODES);
    nodes
        .filter(NodeRef::is_text)
        .map(|node| node.text().to_string())
}

/// The character right before a raised element; nothing after another raised one, which it goes on.
fn before(raised: &NodeRef<'_>) -> Option<char> {
    let mut node = raised.prev_sibling()?;
    if node.has_name("sup") {
        return None;
    }
    while let Some(last) = node.last_child() {
        node = last;
    }
    node.text().chars().next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(html: &str) -> (String, bool) {
        let document = Document::from(html);
        let is_changed = written_out(&document);
        (document.text().to_string(), is_changed)
    }

    #[test]
    fn powers_do_not_become_other_numbers() {
        for (html, text) in [
            ("10<sup>6</sup> m<sup>2</sup>", "10^6 m^2"),
            ("s<sup>−1</sup> <i>x</i><sup><b>2</b>n</sup>", "s^−1 x^2n"),
            ("2<sup>2<sup>3</sup></sup>", "2^2^3"),
            ("10<sup>1</sup><sup>2</sup>", "10^12"),
            ("SO<sub>4</sub><sup>2−</sup>", "SO4^2−"),
            ("<a href='/m'>10<sup>6</sup></a>", "10^6"),
            ("<math><msup><mn>10</mn><mn>6</mn></msup></math>", "10^6"),
            (
                "<math><mfrac><mn>1</mn><mrow><mi>x</mi><mo>+</mo><mn>2</mn></mrow></mfrac></math>",
                "1/(x+2)",
            ),
            (
                "<math><mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math>",
                "1 1/2",
            ),
            (
                "<math><msup><mi>x</mi><mfrac><mn>1</mn><mn>2</mn></mfrac></msup></math>",
                "x^(1/2)",
            ),
            (
                "<math><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac></math>",
                "n choose k",
            ),
            ("2<sup>1</sup>⁄<sub>2</sub>", "2 1⁄2"),
        ] {
            assert_eq!(written(html), (text.to_owned(), true), "{html}");
        }
        for html in [
            "1<sup>st</sup>",
            "H<sub>2</sub>O",
            "a <sup>2</sup>",
            "<sup>2</sup>",
            "x<sup></sup>",
        ] {
            assert!(!written(html).1, "{html}");
        }
    }

    #[test]
    fn marks_and_readings_are_left_out() {
        for (html, text) in [
            ("warm<sup><a href='#1'>3</a></sup>.", "warm."),
            ("warm<a href='#1'><sup>3</sup></a>.", "warm."),
            ("5<sup><a href='#1'>1</a>, <a href='#2'>2</a></sup>.", "5."),
            ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", "漢字"),
        ] {
            assert_eq!(written(html), (text.to_owned(), true), "{html}");
        }
        let bracketed = "warm<sup><a href='#1'>[3]</a></sup>";
        assert_eq!(written(bracketed), ("warm[3]".to_owned(), false));
    }
}
