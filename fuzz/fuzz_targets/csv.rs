//! Tables of comma- or tab-separated values.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| research_fuzz::read("csv", bytes));
