//! EPUB: an archive, or its package document and the chapter it names.

#![no_main]

use libfuzzer_sys::fuzz_target;

const CONTAINER: &str = "<container><rootfiles><rootfile full-path='a.opf' \
    media-type='application/oebps-package+xml'/></rootfiles></container>";

const PARTS: &[(&str, &str)] = &[
    ("META-INF/container.xml", CONTAINER),
    ("a.opf", "{}"),
    ("c.xhtml", "{}"),
];

fuzz_target!(|bytes: &[u8]| {
    research_fuzz::read("epub", &research_fuzz::archive(bytes, PARTS));
});
