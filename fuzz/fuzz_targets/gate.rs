//! The files of a session: each is parsed, or refused with its line. The first byte chooses which.

#![no_main]

use libfuzzer_sys::fuzz_target;
use research::artifact::TABLE;

fuzz_target!(|bytes: &[u8]| {
    if let Some((file, content)) = research_fuzz::choice(bytes, TABLE) {
        let _ = (file.check)(content);
    }
});
