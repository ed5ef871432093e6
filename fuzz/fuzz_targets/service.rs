//! Replies of search services: lists of hits, and pages that a service gives to programs. The first
//! byte chooses the service.

#![no_main]

use libfuzzer_sys::fuzz_target;
use research::web::PROVIDERS;

fuzz_target!(|bytes: &[u8]| {
    let Some((provider, reply)) = research_fuzz::choice(bytes, PROVIDERS) else {
        return;
    };
    let _ = (provider.parse)(reply);
    if let Some(pages) = &provider.page_api {
        let _ = (pages.parse)(reply);
    }
});
