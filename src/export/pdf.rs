//! A report as PDF, set by Typst. The template reads the report as data, so that nothing in a
//! document is markup to it; it reads no other file, and nothing from the web.

use anyhow::Result;

#[cfg(not(feature = "pdf"))]
use super::Missing;
use super::{Edition, Format};

/// A document to print.
pub const FORMAT: Format = Format {
    name: "pdf",
    extension: "pdf",
    media_type: "application/pdf",
    about: if cfg!(feature = "pdf") {
        "A document to print, set by Typst"
    } else {
        "A document to print, in a build with the feature pdf"
    },
    needs_texts: false,
    #[cfg(feature = "pdf")]
    missing: None,
    #[cfg(not(feature = "pdf"))]
    missing: Some(MISSING),
    render,
};

#[cfg(not(feature = "pdf"))]
const MISSING: Missing = Missing {
    feature: "pdf",
    instead: "html, which a browser prints, or docx",
};

#[cfg(feature = "pdf")]
fn render(edition: &Edition<'_>) -> Result<Vec<u8>> {
    use anyhow::anyhow;
    use typst_as_lib::TypstEngine;
    use typst_as_lib::typst_kit_options::TypstKitFontOptions;
    use typst_layout::PagedDocument;

    let paper = serde_json::to_vec(&super::paper::Paper::of(edition))?;
    let engine = TypstEngine::builder()
        .main_file(include_str!("pdf.typ"))
        .with_static_file_resolver([("paper.json", paper)])
        // The fonts of the system only for scripts that those in the program lack.
        .search_fonts_with(TypstKitFontOptions::default())
        .build();
    let document: PagedDocument = engine
        .compile()
        .output
        .map_err(|error| anyhow!("failed to set the report: {error}"))?;
    typst_pdf::pdf(&document, &Default::default())
        .map_err(|errors| anyhow!("failed to write the PDF: {errors:?}"))
}

#[cfg(not(feature = "pdf"))]
fn render(_: &Edition<'_>) -> Result<Vec<u8>> {
    anyhow::bail!("{}", MISSING.advice(FORMAT.name))
}
