//! robots.txt.

#![no_main]

use libfuzzer_sys::fuzz_target;
use research::web::robots::{RobotsResponse, rules};

fuzz_target!(|bytes: &[u8]| {
    let rules = rules(&RobotsResponse::Text(bytes.to_vec()), "research");
    let _ = rules.is_allowed("/a/b?c=d");
    let _ = rules.crawl_delay();
});
