//! Which addresses may be connected to: those of the public internet, and those that a setting
//! opens.
//!
//! Knows nothing of names' addresses: whoever resolves a name asks here about each result.

use std::net::IpAddr;

use antissrf::CIDRBlock;
use antissrf::ip_address_ranges::RECOMMENDED_LATEST;
use anyhow::{Result, bail};
use url::{Host, Url};

use super::WebError;

/// Decides where may be connected to.
#[derive(Debug, Clone)]
pub struct Guard {
    /// What is not public: IANA's special-purpose registries and the clouds' metadata addresses, as
    /// antissrf lists them.
    refused: Vec<CIDRBlock>,
    open_networks: Vec<CIDRBlock>,
    open_hosts: Vec<String>,
}

impl Guard {
    /// A guard that opens these hosts, addresses and networks besides the public internet.
    ///
    /// # Errors
    /// For an entry that is neither.
    pub fn new(allow: &[String]) -> Result<Self> {
        let mut guard = Self {
            refused: Vec::new(),
            open_networks: Vec::new(),
            open_hosts: Vec::new(),
        };
        for network in RECOMMENDED_LATEST {
            guard.refused.push(CIDRBlock::parse(network)?);
        }
        for entry in allow {
            let entry = entry.trim().trim_matches(['[', ']']);
            if let Ok(address) = entry.parse::<IpAddr>() {
                let bits = if address.is_ipv4() { 32 } else { 128 };
                guard
                    .open_networks
                    .push(CIDRBlock::parse(&format!("{address}/{bits}"))?);
            } else if entry.contains('/') {
                let network = CIDRBlock::parse(entry);
                guard.open_networks.push(network.map_err(|error| {
                    anyhow::anyhow!("network.allow: {entry:?} is not a network: {error}")
                })?);
            } else if let Ok(Host::Domain(host)) = Host::parse(entry) {
                guard.open_hosts.push(host);
            } else {
                bail!(
                    "network.allow: {entry:?} is not a host, an address or a network such as 10.0.0.0/8"
                );
            }
        }
        Ok(guard)
    }

    /// Whether a host may be reached at an address.
    pub fn allows(&self, host: &str, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let within = |networks: &[CIDRBlock]| networks.iter().any(|one| one.contains(address));
        let host = host.trim_end_matches('.');
        self.open_hosts
            .iter()
            .any(|open| open.eq_ignore_ascii_case(host))
            || within(&self.open_networks)
            || !within(&self.refused)
    }

    /// Refuses what is no address of the web, and a host given as a number that may not be reached.
    /// All notations of numbers (`2130706433`, `0x7f.1`, `[::ffff:7f00:1]`) are one here: the
    /// parser of addresses has made them so.
    ///
    /// # Errors
    /// For such an address.
    pub fn check(&self, url: &Url) -> Result<(), WebError> {
        let wrong = |problem: &str| WebError::Address {
            url: url.to_string(),
            problem: problem.to_owned(),
        };
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(&format!("{}: is not of the web", url.scheme())));
        }
        let address: IpAddr = match url.host() {
            None => return Err(wrong("it names no host")),
            Some(Host::Domain(_)) => return Ok(()),
            Some(Host::Ipv4(address)) => address.into(),
            Some(Host::Ipv6(address)) => address.into(),
        };
        if self.allows("", address) {
            return Ok(());
        }
        Err(WebError::Private {
            url: url.to_string(),
            target: address.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(guard: &Guard, address: &str) -> bool {
        guard.check(&Url::parse(address).unwrap()).is_err()
    }

    #[test]
    fn private_numbers_are_refused_in_every_notation() {
        let guard = Guard::new(&[]).unwrap();
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "017700000001",
            "①②⑦.0.0.1",
            "127。0。0。1",
            "0",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "169.254.169.254",
            "168.63.129.16",
            "255.255.255.255",
            "224.0.0.1",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::ffff:a9fe:a9fe]",
            "[64:ff9b::7f00:1]",
            "[fe80::1]",
            "[fc00::1]",
            "[fd00:ec2::254]",
        ] {
            assert!(refused(&guard, &format!("http://{host}/x")), "{host}");
        }
        for host in [
            "93.184.216.34",
            "[2606:2800:220:1:248:1893:25c8:1946]",
            "example.org",
        ] {
            assert!(!refused(&guard, &format!("https://{host}/x")), "{host}");
        }
    }

    #[test]
    fn only_the_web_is_fetched() {
        let guard = Guard::new(&[]).unwrap();
        for address in [
            "file:///etc/passwd",
            "ftp://example.org/",
            "gopher://example.org/",
            "data:text/html,x",
        ] {
            assert!(refused(&guard, address), "{address}");
        }
    }

    #[test]
    fn a_setting_opens_chosen_ones() {
        let allow = ["127.0.0.0/8", "10.0.0.7", "intranet.example"].map(str::to_owned);
        let guard = Guard::new(&allow).unwrap();
        assert!(!refused(&guard, "http://127.0.0.1:8080/"));
        assert!(!refused(&guard, "http://10.0.0.7/") && refused(&guard, "http://10.0.0.8/"));
        let private = IpAddr::from([192, 168, 0, 1]);
        assert!(
            guard.allows("Intranet.example.", private) && !guard.allows("other.example", private)
        );
        assert!(Guard::new(&["10.0.0.0/99".to_owned()]).is_err());
    }
}
