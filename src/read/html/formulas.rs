//! Linearizes superscripts, MathML powers and fractions in HTML, so that in plain text they do not
//! run together with what they stand on: `10<sup>6</sup>` becomes `10^6`, and a fraction gets a
//! `/`. Reference marks and ruby annotations (readings of ideographs) are removed.

use dom_query::{Document, NodeRef};

/// The number of nodes of a superscript that are looked at, chosen by hand: marks and powers are
/// short, and superscripts may nest, which would make the walks quadratic.
const MAX_NODES: usize = 100;

/// Linearizes formulas and superscripts in a tree. Returns `true` if anything changed.
pub(super) fn linearize(document: &Document) -> bool {
    let mut is_changed = false;
    for node in document.select("sup, rt, rp, msup, mfrac").nodes() {
        is_changed |= match node.node_name().as_deref() {
            Some("sup") => rewrite_superscript(document, node),
            Some("msup") => join_parts(document, node, "^"),
            Some("mfrac") => join_parts(document, node, fraction_sign(node)),
            _ => {
                node.remove_from_parent();
                true
            }
        };
    }
    is_changed
}

/// Removes a reference mark, or writes a sign before a power. Returns `true` if it did.
fn rewrite_superscript(document: &Document, superscript: &NodeRef<'_>) -> bool {
    let is_linked = is_linked(superscript);
    // A linked superscript that is no number, such as `[3]`, stays as it is.
    let is_mark = is_number(superscript) && (is_linked || is_behind_year(superscript));
    let is_power = !is_linked && is_power(first(superscript), before(superscript));
    if is_mark {
        superscript.remove_from_parent();
    } else if is_power {
        // Before a fraction slash it is a numerator: "2<sup>1</sup>⁄<sub>2</sub>" is two and a
        // half.
        let sign = if is_before_slash(superscript) {
            " "
        } else {
            "^"
        };
        superscript.prepend_child(&document.tree.new_text(sign));
    }
    is_mark || is_power
}

/// Puts a sign between the two parts of a MathML element, and brackets around parts of more than
/// one term. Returns `true` if it did.
fn join_parts(document: &Document, formula: &NodeRef<'_>, sign: &str) -> bool {
    let parts = formula.element_children();
    let [one, other] = parts.as_slice() else {
        return false;
    };
    // A mixed number needs a space: one and a half is not eleven halves.
    let is_mixed_number =
        formula.has_name("mfrac") && before(formula).is_some_and(char::is_numeric);
    for part in [one, other] {
        if is_composite(part) {
            part.prepend_child(&document.tree.new_text("("));
            part.append_child(&document.tree.new_text(")"));
        }
    }
    other.prepend_child(&document.tree.new_text(sign));
    if is_mixed_number {
        one.prepend_child(&document.tree.new_text(" "));
    }
    true
}

/// The sign between the parts of a fraction; one without a line is a binomial coefficient.
fn fraction_sign(fraction: &NodeRef<'_>) -> &'static str {
    match fraction.attr("linethickness").as_deref() {
        Some("0") => " choose ",
        _ => "/",
    }
}

/// Returns `true` if a part of a formula is more than one number or name.
fn is_composite(part: &NodeRef<'_>) -> bool {
    let children = part.element_children();
    match children.as_slice() {
        [] => false,
        [only] => !is_grouping(part) || is_composite(only),
        _ => true,
    }
}

/// Returns `true` for MathML elements that only group what is inside.
fn is_grouping(part: &NodeRef<'_>) -> bool {
    part.has_name("mrow") || part.has_name("mstyle") || part.has_name("mpadded")
}

/// Returns `true` if the node after a superscript begins with a fraction slash.
fn is_before_slash(superscript: &NodeRef<'_>) -> bool {
    let next = superscript.next_sibling();
    next.is_some_and(|next| next.text().trim_start().starts_with(['⁄', '/']))
}

/// Returns `true` if a superscript that begins with one character and follows another is a power:
/// in plain text both would be read as one number or name.
pub(in crate::read) fn is_power(first: Option<char>, before: Option<char>) -> bool {
    // The minus of an exponent is written as a hyphen, as U+2212 or as an en dash.
    first.is_some_and(|c| c.is_numeric() || matches!(c, '-' | '−' | '–'))
        && before.is_some_and(char::is_alphanumeric)
}

/// Returns `true` if a superscript contains a link or is all of a link, as reference marks are:
/// `m<sup>2</sup>` in a link is no mark.
fn is_linked(superscript: &NodeRef<'_>) -> bool {
    let is_alone = superscript.prev_sibling().is_none() && superscript.next_sibling().is_none();
    let around = superscript.parent().filter(|_| is_alone);
    let mut nodes = superscript.descendants_it().take(MAX_NODES).chain(around);
    nodes.any(|node| node.has_name("a"))
}

/// Returns `true` if the text of an element is numbers alone: `3`, `1,2` or `4–6`.
fn is_number(superscript: &NodeRef<'_>) -> bool {
    let is_of_numbers =
        |c: char| c.is_numeric() || c.is_whitespace() || matches!(c, ',' | '-' | '–');
    let is_one = texts(superscript).all(|text| text.chars().all(is_of_numbers));
    is_one && first(superscript).is_some_and(char::is_numeric)
}

/// The first character of an element that is not white space.
fn first(superscript: &NodeRef<'_>) -> Option<char> {
    texts(superscript).find_map(|text| text.trim_start().chars().next())
}

fn texts(superscript: &NodeRef<'_>) -> impl Iterator<Item = String> {
    let nodes = superscript.descendants_it().take(MAX_NODES);
    nodes
        .filter(NodeRef::is_text)
        .map(|node| node.text().to_string())
}

/// The character before a superscript; none after another superscript, which it continues.
fn before(superscript: &NodeRef<'_>) -> Option<char> {
    text_before(superscript)?.chars().next_back()
}

/// The text right before a superscript; none after another superscript.
fn text_before(superscript: &NodeRef<'_>) -> Option<String> {
    let mut node = superscript.prev_sibling()?;
    if node.has_name("sup") {
        return None;
    }
    // The text may be deep inside of the element before: `<i>x</i><sup>2</sup>`.
    while let Some(last) = node.last_child() {
        node = last;
    }
    Some(node.text().to_string())
}

/// `true` for a superscript behind a year, which is no power: "in March 2024<sup>1</sup>".
fn is_behind_year(superscript: &NodeRef<'_>) -> bool {
    let text = text_before(superscript).unwrap_or_default();
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_apart = before.is_empty() || before.ends_with([' ', '(', '\n']);
    matches!(text[before.len()..].parse(), Ok(1900_u16..2100)) && is_apart
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linearized(html: &str) -> (String, bool) {
        let document = Document::from(html);
        let is_changed = linearize(&document);
        (document.text().to_string(), is_changed)
    }

    #[test]
    fn powers_and_fractions_do_not_become_other_numbers() {
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
            assert_eq!(linearized(html), (text.to_owned(), true), "{html}");
        }
        for html in [
            "1<sup>st</sup>",
            "H<sub>2</sub>O",
            "a <sup>2</sup>",
            "<sup>2</sup>",
            "x<sup></sup>",
        ] {
            assert!(!linearized(html).1, "{html}");
        }
    }

    #[test]
    fn reference_marks_and_ruby_annotations_are_removed() {
        for (html, text) in [
            ("warm<sup><a href='#1'>3</a></sup>.", "warm."),
            ("warm<a href='#1'><sup>3</sup></a>.", "warm."),
            ("5<sup><a href='#1'>1</a>, <a href='#2'>2</a></sup>.", "5."),
            ("in March 2024<sup>1</sup>.", "in March 2024."),
            ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", "漢字"),
        ] {
            assert_eq!(linearized(html), (text.to_owned(), true), "{html}");
        }
        let bracketed = "warm<sup><a href='#1'>[3]</a></sup>";
        assert_eq!(linearized(bracketed), ("warm[3]".to_owned(), false));
    }
}
