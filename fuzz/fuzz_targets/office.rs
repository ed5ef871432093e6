//! Office documents but DOCX: an archive, or the XML of its main part. The first byte chooses the
//! kind.

#![no_main]

use libfuzzer_sys::fuzz_target;

type Parts = &'static [(&'static str, &'static str)];

const PRESENTATION: &str = "<p:presentation><p:sldIdLst><p:sldId r:id='a'/></p:sldIdLst>\
    </p:presentation>";
const SLIDES: &str = "<Relationships><Relationship Id='a' Type='x/slide' \
    Target='slides/slide1.xml'/></Relationships>";
const WORKBOOK: &str = "<workbook><sheets><sheet name='Pumps' r:id='a'/></sheets></workbook>";
const SHEETS: &str = "<Relationships><Relationship Id='a' Type='x/worksheet' \
    Target='worksheets/sheet1.xml'/></Relationships>";

const KINDS: &[(&str, Parts)] = &[
    (
        "odt",
        &[
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            ("content.xml", "{}"),
        ],
    ),
    (
        "ods",
        &[
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            ("content.xml", "{}"),
        ],
    ),
    (
        "pptx",
        &[
            ("ppt/presentation.xml", PRESENTATION),
            ("ppt/_rels/presentation.xml.rels", SLIDES),
            ("ppt/slides/slide1.xml", "{}"),
        ],
    ),
    (
        "xlsx",
        &[
            ("xl/workbook.xml", WORKBOOK),
            ("xl/_rels/workbook.xml.rels", SHEETS),
            ("xl/sharedStrings.xml", "{}"),
            ("xl/styles.xml", "{}"),
            ("xl/worksheets/sheet1.xml", "{}"),
        ],
    ),
];

fuzz_target!(|bytes: &[u8]| {
    if let Some(((kind, parts), document)) = research_fuzz::choice(bytes, KINDS) {
        research_fuzz::read(kind, &research_fuzz::archive(document, parts));
    }
});
