//! A page as Markdown with what it cites: links with their addresses, references to notes as
//! footnotes, and numbers in superscript. For reports that are checked, not for what is quoted.

use std::collections::BTreeMap;

use dom_query::{Document, NodeRef};

use super::{article, formulas};
use crate::text::one_line;

/// Signs from the private use area, which the Markdown writer leaves as they are: the beginning of
/// a link's words, their end, and the end of the address; of a superscript; of a reference to a
/// note.
const LINK: [char; 3] = ['\u{f0001}', '\u{f0002}', '\u{f0003}'];
const SUPERSCRIPT: [char; 2] = ['\u{f0004}', '\u{f0005}'];
const NOTE: [char; 2] = ['\u{f0006}', '\u{f0007}'];

/// The blocks that may be a note.
const BLOCKS: &[&str] = &["li", "p", "div", "dd", "td", "tr", "aside"];

/// The longest words of a link to a note, in characters: `[12]`, `Note 3`.
const MARK_CHARACTERS: usize = 10;

/// A page as Markdown, but for the elements that `no_content` selects.
pub(super) fn to_markdown(document: &Document, no_content: &str) -> String {
    mark_superscripts(document);
    let notes = take_notes(document);
    let addresses = mark_links(document);
    remove_boilerplate(document, no_content);
    formulas::linearize(document);
    let mut markdown = with_links(&article::document_to_markdown(document, 0), &addresses);
    for (label, html) in notes {
        // A note is a page of its own, whose links are marked likewise.
        let note = Document::from(html);
        let addresses = mark_links(&note);
        let text = with_links(&article::document_to_markdown(&note, 0), &addresses);
        let text = one_line(&text);
        let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || "-*^↩.[] ".contains(c));
        markdown += &format!("\n\n[^{label}]: {text}");
    }
    markdown
}

/// Marks the superscripts of digits that are no powers and in no link.
fn mark_superscripts(document: &Document) {
    for node in document.select("sup").nodes() {
        let text = node.text();
        let plain = text.trim_matches(['[', ']', '(', ')', ' ']);
        let is_number = plain.starts_with(|c: char| c.is_ascii_digit())
            && plain
                .chars()
                .all(|c| c.is_ascii_digit() || ", –-;".contains(c));
        if is_number && node.descendants_it().all(|inner| !inner.has_name("a")) {
            node.set_text(format!("{}{plain}{}", SUPERSCRIPT[0], SUPERSCRIPT[1]));
            node.rename("span");
        }
    }
}

/// Takes the notes out of a page: the blocks that links of few characters further up lead to. Their
/// HTML, by label; a mark takes the place of each link.
fn take_notes(document: &Document) -> BTreeMap<String, String> {
    let mut targets: BTreeMap<String, NodeRef<'_>> = BTreeMap::new();
    let mut position: BTreeMap<String, usize> = BTreeMap::new();
    let mut links: Vec<(usize, String, NodeRef<'_>)> = Vec::new();
    for (at, node) in document.root().descendants().into_iter().enumerate() {
        let name = node.attr("id").or_else(|| node.attr("name"));
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let block = std::iter::once(node)
                .chain(node.ancestors_it(Some(4)))
                .find(|node| {
                    node.node_name()
                        .is_some_and(|name| BLOCKS.contains(&&*name))
                });
            if let Some(block) = block {
                position.entry(name.to_string()).or_insert(at);
                targets.entry(name.to_string()).or_insert(block);
            }
        }
        let href = node.attr("href").unwrap_or_default();
        if node.has_name("a")
            && let Some(name) = href.strip_prefix('#')
            && node.text().trim().chars().count() <= MARK_CHARACTERS
        {
            links.push((at, name.to_owned(), node));
        }
    }
    let mut notes = BTreeMap::new();
    let mut blocks: BTreeMap<String, String> = BTreeMap::new();
    for (at, name, link) in links {
        // A link back from the note leads up, and is no citation.
        let is_down = position.get(&name).is_some_and(|target| *target > at);
        let Some(block) = targets.get(&name).filter(|_| is_down) else {
            if position.contains_key(&name) {
                link.remove_from_parent();
            }
            continue;
        };
        let label = blocks.entry(name.clone()).or_insert_with(|| {
            // As the page shows it, unless it shows the same for two notes.
            let shown: String = link
                .text()
                .chars()
                .filter(|c| c.is_alphanumeric())
                .collect();
            let is_taken = shown.is_empty() || notes.contains_key(&shown);
            let slug = name.replace(|c: char| !c.is_alphanumeric(), "-");
            let label = if is_taken { slug } else { shown };
            notes.insert(label.clone(), block.html().to_string());
            label
        });
        link.set_text(format!("{}{label}{}", NOTE[0], NOTE[1]));
        link.rename("span");
    }
    for name in blocks.keys() {
        if let Some(block) = targets.get(name) {
            block.remove_from_parent();
        }
    }
    notes
}

/// Marks the links to other pages and files; their addresses in order.
fn mark_links(document: &Document) -> Vec<String> {
    let mut addresses = Vec::new();
    for link in document.select("a[href]").nodes() {
        let address = link.attr("href").unwrap_or_default();
        let address = address.trim();
        let is_script = address.to_ascii_lowercase().starts_with("javascript:");
        if address.is_empty() || address.starts_with('#') || is_script {
            continue;
        }
        let number = addresses.len();
        let tree = &document.tree;
        link.prepend_child(&tree.new_text(LINK[0].to_string()));
        link.append_child(&tree.new_text(format!("{}{number}{}", LINK[1], LINK[2])));
        addresses.push(address.replace(['<', '>', ' ', '\n'], "%20"));
    }
    addresses
}

/// Removes what is no content on any page; a list of references in a footer or an aside stays.
fn remove_boilerplate(document: &Document, no_content: &str) {
    for node in document.select(no_content).nodes() {
        let is_aside = ["aside", "footer"].iter().any(|name| node.has_name(name));
        let is_list = is_aside && node.descendants_it().any(|inner| inner.has_name("li"));
        if !is_list {
            node.remove_from_parent();
        }
    }
}

/// Markdown with links, superscripts and footnotes for their signs.
fn with_links(marked: &str, addresses: &[String]) -> String {
    let mut text = String::with_capacity(marked.len());
    let mut rest = marked;
    while let Some(at) =
        rest.find(|c| LINK.contains(&c) || SUPERSCRIPT.contains(&c) || NOTE.contains(&c))
    {
        text.push_str(&rest[..at]);
        let sign = rest[at..].chars().next().unwrap_or_default();
        rest = &rest[at + sign.len_utf8()..];
        match sign {
            sign if sign == LINK[0] => text.push('['),
            sign if sign == LINK[1] => {
                let (number, after) = rest.split_once(LINK[2]).unwrap_or((rest, ""));
                let address = number
                    .parse()
                    .ok()
                    .and_then(|number: usize| addresses.get(number));
                text += &format!("](<{}>)", address.map_or("", String::as_str));
                rest = after;
            }
            sign if sign == SUPERSCRIPT[0] => text += "<sup>",
            sign if sign == SUPERSCRIPT[1] => text += "</sup>",
            sign if sign == NOTE[0] => {
                let (label, after) = rest.split_once(NOTE[1]).unwrap_or((rest, ""));
                text += &format!("[^{}]", label.replace('\\', ""));
                rest = after;
            }
            _ => {}
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_notes_and_superscripts_are_kept() {
        let html = "<nav><a href='/'>Home</a></nav><h1>Heat</h1><p>Warm<sup><a href='#cite-1' \
                    id='back'>[1]</a></sup>. Cold<sup>2</sup>, 10 m<sup>2</sup>; see <a \
                    href='http://a.b/c d'>the <b>costs</b></a>.</p><ol><li id='cite-1'><a \
                    href='#back'>^</a> Costs, <a href='costs.md'>a file</a></li></ol>";
        let markdown = to_markdown(&Document::from(html), "nav");
        assert!(
            markdown.contains("Warm[^1]. Cold<sup>2</sup>"),
            "{markdown}"
        );
        assert!(
            markdown.contains("see [the **costs**](<http://a.b/c%20d>)."),
            "{markdown}"
        );
        assert!(
            markdown.contains("[^1]: Costs, [a file](<costs.md>)"),
            "{markdown}"
        );
        assert!(!markdown.contains("Home"), "{markdown}");
    }

    #[test]
    fn hostile_pages_end() {
        for unit in [
            "<a href=#x id=x>",
            "<sup>1",
            "<li id=a><a href=#a>1</a>",
            "\u{f0002}",
        ] {
            let _ = to_markdown(&Document::from(unit.repeat(300)), "nav");
        }
    }
}
