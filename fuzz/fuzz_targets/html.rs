//! HTML.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| research_fuzz::read("html", bytes));
