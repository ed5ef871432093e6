//! Patterns of hosts that may be read, such as `*.gov`, `example.org`, `!ads.example.org`.

use anyhow::{Context as _, Result, ensure};
use globset::Glob;
use url::{Host, Url};

/// `true` if the patterns admit an address. A pattern with `!` excludes; if there are others, one
/// of them must match. `*` stands for any characters, and a host without `*` for itself and what is
/// below it.
pub fn matches_domain(patterns: &[String], address: &str) -> bool {
    let url = Url::parse(address).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    // The name that ends with the root is the same host.
    let host = host.trim_end_matches('.');
    let (excluded, included): (Vec<&str>, Vec<&str>) = patterns
        .iter()
        .map(|pattern| pattern.trim())
        .filter(|pattern| !pattern.is_empty())
        .partition(|pattern| pattern.starts_with('!'));
    let is_excluded = excluded.iter().any(|pattern| matches(&pattern[1..], host));
    let is_included = included.is_empty() || included.iter().any(|pattern| matches(pattern, host));
    is_included && !is_excluded
}

/// Checks that a pattern can be used.
///
/// # Errors
/// When it cannot, why.
pub fn check_domain(pattern: &str) -> Result<()> {
    let bare = pattern.trim_start_matches('!');
    ensure!(
        !bare.trim().is_empty() && !bare.contains(['/', ':']),
        "{pattern:?} is not a host; give hosts alone, such as example.org or *.gov"
    );
    Glob::new(bare)
        .with_context(|| format!("{pattern:?} is not a pattern of hosts, such as *.gov"))?;
    Ok(())
}

/// `true` if a host is one of a pattern, whose names may be written as people read them.
fn matches(pattern: &str, host: &str) -> bool {
    let pattern = pattern.trim().trim_end_matches('.');
    // As hosts in addresses are: in lower case, in ASCII. Not what has a set of characters.
    let pattern =
        Host::parse(pattern).map_or_else(|_| pattern.to_ascii_lowercase(), |host| host.to_string());
    if pattern.contains('*') {
        // An invalid pattern matches nothing; `check_domain` has said so.
        return Glob::new(&pattern).is_ok_and(|glob| glob.compile_matcher().is_match(host));
    }
    let below = host.strip_suffix(&pattern);
    below.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_no_pattern_of_hosts() {
        for pattern in ["https://a.org/", "a.org/x", "http://", "", "!", "[a"] {
            assert!(check_domain(pattern).is_err(), "{pattern}");
        }
        for pattern in ["a.org", "*.gov", "!ads.a.org"] {
            assert!(check_domain(pattern).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn hosts_are_included_and_excluded() {
        let wanted = |patterns: &[&str], address: &str| {
            let patterns: Vec<String> = patterns.iter().map(|one| (*one).to_owned()).collect();
            matches_domain(&patterns, address)
        };
        assert!(wanted(&[], "https://a.org/x"));
        assert!(wanted(&["*.gov", "a.org"], "https://www.nih.gov/x"));
        assert!(wanted(&["a.org"], "https://sub.a.org/"));
        assert!(!wanted(&["a.org"], "https://aa.org/"));
        assert!(!wanted(&["*.gov"], "https://a.org/gov"));
        assert!(!wanted(&["!a.org"], "https://www.a.org/"));
        assert!(wanted(&["!a.org"], "https://b.org/"));
        assert!(!wanted(&["*.org", "!bad*.org"], "https://bad-1.org/"));
        assert!(!wanted(&["*.org"], "no address"));
    }

    #[test]
    fn a_host_is_excluded_however_it_is_written() {
        let excludes =
            |pattern: &str, address: &str| !matches_domain(&[pattern.to_owned()], address);
        for (pattern, address) in [
            ("!a.org", "https://a.org./x"),
            ("!a.org", "https://www.A.org./x"),
            ("!A.ORG.", "https://a.org/x"),
            ("!*.org.", "https://a.org./x"),
            ("!bücher.example", "https://bücher.example/"),
            ("!*.bücher.example", "https://www.xn--bcher-kva.example/"),
            ("!127.0.0.1", "http://2130706433/"),
        ] {
            assert!(excludes(pattern, address), "{pattern} {address}");
        }
        assert!(!excludes("!a.org", "https://b.org./"));
        assert!(!excludes("![ab].org", "https://c.org./"));
    }
}
