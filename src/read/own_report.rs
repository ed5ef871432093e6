//! A report of this program in Markdown: its citations lead to stored texts, and say which bytes
//! of them they quote: `[\[1\]](…/sources/S1.md "S1, line 3, bytes 32 to 59")`.

use super::document::{Document, Markup};

/// The folder of the stored texts in an address, and what is between an address and its title.
const FOLDER: &str = "sources/";
const BEFORE_TITLE: &str = ".md \"";

/// `true` if a document is a report of this program. It quotes other documents, so that none of
/// its sentences is evidence of its own.
pub fn is_own_report(document: &Document) -> bool {
    document.kind.markup == Markup::Markdown && document.text.split(FOLDER).skip(1).any(is_passage)
}

/// `true` if an address goes on with the name of a stored text, and its title names bytes of that.
fn is_passage(address: &str) -> bool {
    let Some((id, title)) = address.split_once(BEFORE_TITLE) else {
        return false;
    };
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let title = title.split('"').next().unwrap_or_default();
    let position = title.strip_prefix(id).filter(|_| is_id);
    position.is_some_and(|own| own.starts_with(", ") && own.contains(" bytes "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Input;

    #[test]
    fn a_report_is_known_by_its_citations() {
        for (text, expected) in [
            (
                "It is 38 m deep. [\\[1\\]](o/k/sources/S1.md \"S1, line 3, bytes 32 to 59\")",
                true,
            ),
            ("It is 38 m deep. [1](sources/S1.md)", false),
            (
                "It is 38 m deep. [1](sources/S1.md \"S1, the lake\")",
                false,
            ),
        ] {
            let kind = &crate::read::markdown::KIND;
            let input = Input::of_bytes(kind, "lake.md", text.as_bytes(), 1 << 20);
            let document = input.document("Lake".to_owned(), text.to_owned());
            assert_eq!(is_own_report(&document), expected, "{text}");
        }
    }
}
