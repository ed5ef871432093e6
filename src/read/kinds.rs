//! The table of the kinds of documents that can be read, and detection of the kind of a document by
//! file name extension, media type (MIME) and the first bytes.

use std::path::Path;

use serde::{Deserialize, Deserializer, de};

use super::document::{Kind, Signature, SourceKind};
use super::mail::{eml, mbox};
use super::markup::{asciidoc, latex, org, rst};
use super::office::{docx, epub, ods, odt, pptx, xlsx};
use super::records::{csv, json};
use super::{bytes, feed, html, markdown, notebook, pdf, plain};

/// The number of bytes at the beginning of a file that are enough for any signature that is looked
/// for in folders; chosen by hand, for feeds that begin with long comments.
pub(super) const SIGNATURE_BYTES: u64 = 16 * 1024;

/// A table of kinds of documents.
#[derive(Debug, Clone)]
pub struct Kinds(Vec<Kind>);

impl Kinds {
    /// The kinds that this program reads. Where several match, the first one counts.
    pub const BUILT_IN: &'static [Kind] = &[
        &markdown::KIND,
        &plain::KIND,
        &rst::KIND,
        &asciidoc::KIND,
        &org::KIND,
        &latex::KIND,
        &html::KIND,
        &pdf::KIND,
        &epub::KIND,
        &docx::KIND,
        &odt::KIND,
        &pptx::KIND,
        &xlsx::KIND,
        &ods::KIND,
        &csv::KIND,
        &json::KIND,
        &notebook::KIND,
        &eml::KIND,
        &mbox::KIND,
        &feed::KIND,
    ];

    /// The built-in table.
    pub fn built_in() -> Self {
        Self(Self::BUILT_IN.to_vec())
    }

    /// This table with one more kind, which counts before those of before.
    #[must_use]
    pub fn with(mut self, kind: Kind) -> Self {
        // First, so that it can replace a built-in kind of the same extension.
        self.0.insert(0, kind);
        self
    }

    /// The kinds, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Kind> {
        self.0.iter().copied()
    }

    /// The labels of all kinds, as a sentence lists them: `Markdown, HTML or PDF`.
    pub fn labels(&self) -> String {
        let labels: Vec<&str> = self.iter().map(|kind| kind.label).collect();
        match labels.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// The kind of a file by the extension of its name.
    pub fn by_extension(&self, path: &Path) -> Option<Kind> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        self.iter().find(|kind| kind.has_extension(&extension))
    }

    /// The kind of a file that is listed in a folder: by its extension, and by its signature as
    /// well where other formats share that extension.
    pub fn of_listed_file(&self, path: &Path) -> Option<Kind> {
        let kind = self.by_extension(path)?;
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        if kind.extensions.contains(&extension.as_str()) {
            return Some(kind);
        }
        // Only for an extension such as `.xml` is the file opened: a folder may have thousands.
        let start = bytes::prefix(path, SIGNATURE_BYTES)?;
        kind.matches_signature(&start).then_some(kind)
    }

    /// The kind of bytes that were fetched, by content sniffing: a magic number first, then the
    /// media type that the server states, then the way the text begins, then the extension of the
    /// name. Other text is plain text.
    pub fn detect(&self, name: &Path, media_type: &str, bytes: &[u8]) -> Option<Kind> {
        // Parameters such as `charset` do not count, nor does case (RFC 9110, 8.3.1).
        let media_type = media_type.split(';').next().unwrap_or_default();
        let media_type = media_type.trim().to_ascii_lowercase();
        // Servers call PDF and archives anything, but what they call HTML need not begin as HTML.
        let (kind, by) = self
            .by_magic(bytes)
            .map(|kind| (kind, "magic number"))
            .or_else(|| Some((self.by_media_type(&media_type)?, "media type")))
            .or_else(|| Some((self.by_opening(bytes)?, "opening")))
            .or_else(|| Some((self.by_believable_extension(name)?, "extension")))
            .or_else(|| Some((self.of_any_text(&media_type)?, "text")))?;
        tracing::debug!(
            kind = kind.name,
            by,
            media_type,
            "kind of document detected"
        );
        Some(kind)
    }

    fn by_magic(&self, bytes: &[u8]) -> Option<Kind> {
        self.iter().find(|kind| match kind.signature {
            Signature::Magic(is_match) => is_match(bytes),
            _ => false,
        })
    }

    fn by_media_type(&self, media_type: &str) -> Option<Kind> {
        self.iter()
            .find(|kind| kind.media_types.contains(&media_type))
    }

    fn by_opening(&self, bytes: &[u8]) -> Option<Kind> {
        self.iter().find(|kind| match kind.signature {
            Signature::Opening(is_match) | Signature::Root(is_match) => is_match(bytes),
            _ => false,
        })
    }

    /// The kind by extension, unless all documents of that kind begin in a way this one does not.
    fn by_believable_extension(&self, name: &Path) -> Option<Kind> {
        self.by_extension(name)
            .filter(|kind| !matches!(kind.signature, Signature::Root(_)))
    }

    fn of_any_text(&self, media_type: &str) -> Option<Kind> {
        // Without a media type the bytes may be text: the reader refuses binary data.
        let is_text = media_type.starts_with("text/") || media_type.is_empty();
        self.iter()
            .find(|kind| is_text && matches!(kind.signature, Signature::AnyText))
    }
}

impl SourceKind {
    /// Returns `true` if bytes begin as documents of this kind do, or if nothing can be said.
    fn matches_signature(&self, bytes: &[u8]) -> bool {
        match self.signature {
            Signature::Magic(is_match)
            | Signature::Opening(is_match)
            | Signature::Root(is_match) => is_match(bytes),
            Signature::None | Signature::AnyText => true,
        }
    }
}

/// The built-in kind of a name, as it is serialised.
impl<'de> Deserialize<'de> for &'static SourceKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let mut kinds = Kinds::BUILT_IN.iter().copied();
        kinds
            .find(|kind| kind.name == name)
            .ok_or_else(|| de::Error::custom(format!("{name:?} is no kind of document")))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn kinds_are_recognised_by_extension() {
        let kinds = Kinds::built_in();
        for (name, kind) in [
            ("a.md", Some("markdown")),
            ("a.b.TXT", Some("text")),
            ("a.xhtml", Some("html")),
            ("a.pdf", Some("pdf")),
            ("a.docx", Some("docx")),
            ("a.epub", Some("epub")),
            ("a.Atom", Some("feed")),
            ("a.tsv", Some("csv")),
            ("a.json", Some("json")),
            ("a.ipynb", Some("notebook")),
            ("a.eml", Some("email")),
            ("a.rst", Some("rst")),
            ("a.asciidoc", Some("asciidoc")),
            ("a.org", Some("org")),
            ("a.TeX", Some("latex")),
            ("a.doc", None),
            ("README", None),
            (".md", None),
        ] {
            let by_extension = kinds.by_extension(Path::new(name));
            assert_eq!(by_extension.map(|kind| kind.name), kind, "{name}");
        }
    }

    #[test]
    fn no_name_extension_or_media_type_is_registered_twice() {
        let mut seen = BTreeSet::new();
        for kind in Kinds::BUILT_IN {
            assert!(seen.insert(kind.name), "{kind:?}");
            let extensions = kind.extensions.iter().chain(kind.shared_extensions);
            for extension in extensions {
                assert!(seen.insert(&**extension) || *extension == kind.name);
                assert_eq!(*extension, extension.to_lowercase());
            }
            for media_type in kind.media_types {
                assert!(seen.insert(media_type), "{media_type}");
            }
            assert!(!kind.label.is_empty() && !kind.remedy.is_empty());
        }
    }

    #[test]
    fn kinds_are_serialised_by_name() {
        let json = serde_json::to_string(&html::KIND).unwrap();
        assert_eq!(json, "\"html\"");
        let kind: Kind = serde_json::from_str(&json).unwrap();
        assert_eq!(kind, &html::KIND);
        assert!(serde_json::from_str::<Kind>("\"wpd\"").is_err());
    }

    #[test]
    fn detection_weighs_magic_number_media_type_opening_and_extension() {
        const HTML: &str = "Text/HTML; charset=x";
        const RSS: &str = "application/rss+xml; charset=utf-8";
        const BYTES: &str = "application/octet-stream";
        let [word] = docx::KIND.media_types else {
            panic!("one media type")
        };
        for (name, media_type, body, kind) in [
            ("a", HTML, &b"x"[..], Some("html")),
            ("a", HTML, b"%PDF-1.4", Some("pdf")),
            ("a.md", "text/plain", b"# x", Some("markdown")),
            ("a", "", b" <!DOCTYPE html>", Some("html")),
            ("a", "text/plain", b"x", Some("text")),
            ("a", "image/png", b"x", None),
            ("a", word, b"x", Some("docx")),
            ("a", "application/epub+zip", b"x", Some("epub")),
            ("a.epub", BYTES, b"x", Some("epub")),
            ("a", RSS, b"x", Some("feed")),
            ("a", "text/xml", b"<?xml?> <rss>", Some("feed")),
            ("a", BYTES, b"<feed xmlns='x'>", Some("feed")),
            ("a.xml", "text/xml", b"<svg>", Some("text")),
            ("a.rss", BYTES, b"<svg>", None),
            ("a", BYTES, b"PK\x03\x04", None),
            ("a", "text/csv", b"a,b", Some("csv")),
            ("a", "application/json", b"[ {\"a\": 1}]", Some("json")),
            ("a", "application/json", b"{\"a\": 1}", None),
            ("a.jsonl", BYTES, b"{\"a\": 1}", Some("json")),
            ("a", BYTES, b"words <rss>", None),
        ] {
            let detected = Kinds::built_in().detect(Path::new(name), media_type, body);
            let detected = detected.map(|kind| kind.name);
            assert_eq!(detected, kind, "{name} {media_type}");
        }
    }
}
