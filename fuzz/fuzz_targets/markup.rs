//! reStructuredText, AsciiDoc, Org and LaTeX: the first byte chooses which.

#![no_main]

use libfuzzer_sys::fuzz_target;

const KINDS: &[&str] = &["rst", "asciidoc", "org", "latex"];

fuzz_target!(|bytes: &[u8]| {
    if let Some((kind, document)) = research_fuzz::choice(bytes, KINDS) {
        research_fuzz::read(kind, document);
    }
});
