//! The styles and the numbering of a DOCX, which decide whether a paragraph is a heading, an item
//! of a list or a line of the table of contents.

use std::collections::HashMap;

use crate::read::xml::{Element, Piece, Pieces};

/// The limit on the chain of styles that a style is based on, chosen by hand; a longer one is a
/// cycle.
const MAX_CHAIN: usize = 16;

/// The deepest level of a list, from 0, as in a word processor.
pub(super) const MAX_LEVEL: usize = 8;

/// The outline level of body text (ECMA-376, `outlineLvl`): lower ones are headings.
const BODY_LEVEL: usize = 9;

/// The list that a paragraph is in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Listed {
    /// The list's number; `0` takes a paragraph out of the list its style puts it in.
    pub(super) list: Option<String>,
    /// Its level from 0.
    pub(super) level: Option<usize>,
}

/// A style of paragraphs.
#[derive(Debug, Default)]
struct Style {
    /// The name in lower case. It is the same in every language of the word processor, unlike the
    /// id.
    name: String,
    based_on: Option<String>,
    outline: Option<usize>,
    listed: Listed,
}

/// The styles and lists of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    /// The formats of the levels of a list's definition.
    formats: HashMap<String, Vec<String>>,
    /// The definition of each list.
    lists: HashMap<String, String>,
    /// The default language of the document.
    pub(super) language: Option<String>,
}

impl Styles {
    /// Reads `styles.xml`.
    ///
    /// # Errors
    /// When it is no XML, or beyond a limit.
    pub(super) fn read_styles(&mut self, xml: &str) -> Result<(), String> {
        let mut pieces = Pieces::of(xml);
        let mut own = None;
        let mut style = Style::default();
        while let Some(piece) = pieces.next()? {
            let Piece::Open(element) = piece else {
                continue;
            };
            let value = || element.attribute("val");
            match (element.name(), pieces.around(1)) {
                ("style", _) => {
                    // The properties come after the start tag: a style is complete when the next
                    // one begins.
                    let last = std::mem::take(&mut style);
                    self.styles.extend(own.map(|own| (own, last)));
                    own = element.attribute("styleId");
                }
                ("name", "style") => style.name = value().unwrap_or_default().to_lowercase(),
                ("basedOn", "style") => style.based_on = value(),
                ("outlineLvl", "pPr") => style.outline = number(&element),
                ("numId", "numPr") => style.listed.list = value(),
                ("ilvl", "numPr") => style.listed.level = number(&element),
                ("lang", "rPr") if pieces.around(2) == "rPrDefault" => self.language = value(),
                _ => {}
            }
        }
        self.styles.extend(own.map(|own| (own, style)));
        Ok(())
    }

    /// Reads `numbering.xml`.
    ///
    /// # Errors
    /// When it is no XML, or beyond a limit.
    pub(super) fn read_lists(&mut self, xml: &str) -> Result<(), String> {
        let mut pieces = Pieces::of(xml);
        let (mut definition, mut list) = (String::new(), String::new());
        while let Some(piece) = pieces.next()? {
            let Piece::Open(element) = piece else {
                continue;
            };
            let value = || element.attribute("val").unwrap_or_default();
            let own = |name| element.attribute(name).unwrap_or_default();
            match (element.name(), pieces.around(1)) {
                ("abstractNum", _) => definition = own("abstractNumId"),
                ("num", _) => list = own("numId"),
                ("lvl", "abstractNum") => {
                    let formats = self.formats.entry(definition.clone()).or_default();
                    // The levels are taken to come in their order, so that the index is the level.
                    formats.push(String::new());
                }
                ("numFmt", "lvl") if pieces.around(2) == "abstractNum" => {
                    let formats = self.formats.get_mut(&definition);
                    if let Some(last) = formats.and_then(|formats| formats.last_mut()) {
                        *last = value();
                    }
                }
                ("abstractNumId", "num") => {
                    self.lists.insert(list.clone(), value());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The heading level, from 1, of paragraphs of a style; none if they are no headings.
    pub(super) fn heading(&self, style: &str) -> Option<usize> {
        if !self.styles.contains_key(style) {
            return heading_of_id(style);
        }
        self.chain(style).find_map(|style| {
            // Built-in styles are recognised by their names; others by an outline level.
            let by_name = style
                .name
                .strip_prefix("heading ")
                .and_then(|level| level.parse().ok());
            let title = (style.name == "title").then_some(1);
            by_name
                .or(title)
                .or_else(|| style.outline.and_then(outline_heading))
        })
    }

    /// Returns `true` if paragraphs of a style are lines of a table of contents, which repeats the
    /// headings.
    pub(super) fn is_contents(&self, style: &str) -> bool {
        let style = self.styles.get(style);
        style.is_some_and(|style| style.name.starts_with("toc "))
    }

    /// The list that paragraphs of a style are in.
    pub(super) fn listed(&self, style: &str) -> Listed {
        Listed {
            list: self
                .chain(style)
                .find_map(|style| style.listed.list.clone()),
            level: self.chain(style).find_map(|style| style.listed.level),
        }
    }

    /// The mark before the items of a list at a level.
    pub(super) fn mark(&self, list: &str, level: usize) -> Mark {
        let definition = self.lists.get(list);
        let formats = definition.and_then(|definition| self.formats.get(definition));
        let format = formats.and_then(|formats| formats.get(level));
        match format.map(String::as_str) {
            // A list without a definition gets bullets, which claim no order.
            None | Some("bullet") => Mark::Bullet,
            Some("none") => Mark::Nothing,
            Some(_) => Mark::Number,
        }
    }

    /// A style and those that it inherits from (`basedOn`), nearest first.
    fn chain<'a>(&'a self, style: &str) -> impl Iterator<Item = &'a Style> {
        std::iter::successors(self.styles.get(style), |style| {
            self.styles.get(style.based_on.as_ref()?)
        })
        .take(MAX_CHAIN)
    }
}

/// The mark before an item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A bullet.
    Bullet,
    /// A number or letter that counts.
    Number,
    /// Nothing: the paragraph is indented at most.
    Nothing,
}

/// The level of the heading, from 1, at an outline level, from 0.
pub(super) fn outline_heading(outline: usize) -> Option<usize> {
    (outline < BODY_LEVEL).then_some(outline + 1)
}

/// The number in the `val` attribute of an element.
pub(super) fn number(element: &Element<'_>) -> Option<usize> {
    element.attribute("val")?.trim().parse().ok()
}

/// The level of a heading by the id of its style in an English word processor, for a document that
/// does not define its styles.
fn heading_of_id(id: &str) -> Option<usize> {
    if id == "Title" {
        return Some(1);
    }
    let level = id.strip_prefix("Heading")?.parse().ok()?;
    (1..=BODY_LEVEL).contains(&level).then_some(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_inherit_headings_and_lists() {
        let mut styles = Styles::default();
        styles
            .read_styles(
                "<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val='de-DE'/></w:rPr>\
                 </w:rPrDefault></w:docDefaults>\
                 <w:style w:styleId='berschrift2'><w:name w:val='heading 2'/></w:style>\
                 <w:style w:styleId='Own'><w:name w:val='Own'/><w:basedOn w:val='berschrift2'/>\
                 </w:style>\
                 <w:style w:styleId='Outlined'><w:name w:val='x'/><w:pPr><w:outlineLvl w:val='2'/>\
                 </w:pPr></w:style>\
                 <w:style w:styleId='Body'><w:name w:val='y'/><w:pPr><w:outlineLvl w:val='9'/>\
                 </w:pPr></w:style>\
                 <w:style w:styleId='Round'><w:name w:val='z'/><w:basedOn w:val='Round'/></w:style>\
                 <w:style w:styleId='Bullets'><w:name w:val='List'/><w:pPr><w:numPr><w:numId \
                 w:val='7'/></w:numPr></w:pPr></w:style>\
                 <w:style w:styleId='T1'><w:name w:val='toc 1'/></w:style></w:styles>",
            )
            .unwrap();
        for (style, level) in [
            ("berschrift2", Some(2)),
            ("Own", Some(2)),
            ("Outlined", Some(3)),
            ("Body", None),
            ("Round", None),
            ("missing", None),
        ] {
            assert_eq!(styles.heading(style), level, "{style}");
        }
        assert_eq!(styles.listed("Bullets").list.as_deref(), Some("7"));
        assert!(styles.is_contents("T1") && !styles.is_contents("Own"));
        assert_eq!(styles.language.as_deref(), Some("de-DE"));
    }

    #[test]
    fn lists_have_marks_by_level() {
        let mut styles = Styles::default();
        styles
            .read_lists(
                "<w:numbering><w:abstractNum w:abstractNumId='3'><w:lvl w:ilvl='0'><w:numFmt \
                 w:val='decimal'/></w:lvl>\
                 <w:lvl w:ilvl='1'><w:numFmt w:val='bullet'/></w:lvl><w:lvl w:ilvl='2'><w:numFmt \
                 w:val='none'/></w:lvl>\
                 </w:abstractNum><w:num w:numId='7'><w:abstractNumId w:val='3'/></w:num>\
                 </w:numbering>",
            )
            .unwrap();
        let marks = [0, 1, 2, 3].map(|level| styles.mark("7", level));
        use Mark::{Bullet, Nothing, Number};
        assert_eq!(marks, [Number, Bullet, Nothing, Bullet]);
        assert_eq!(styles.mark("missing", 0), Bullet);
    }
}
