//! DOCX: an archive, or the XML of its document.

#![no_main]

use libfuzzer_sys::fuzz_target;

const PARTS: &[(&str, &str)] = &[("word/document.xml", "{}")];

fuzz_target!(|bytes: &[u8]| {
    research_fuzz::read("docx", &research_fuzz::archive(bytes, PARTS));
});
