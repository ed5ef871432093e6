//! The SSRF guard (server-side request forgery): decides which addresses may be connected to, those
//! of the public internet and those that a setting opens.
//!
//! It sees addresses alone. The resolver asks it about each address of a name, so that DNS
//! rebinding does not get around it; the fetcher asks it about each redirect.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Result, bail};
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use url::{Host, Url};

use super::error::WebError;

/// The blocks that are not the public internet: the IPv4 and IPv6 special-purpose address
/// registries of IANA (RFC 6890,
/// <https://www.iana.org/assignments/iana-ipv4-special-registry/> and
/// <https://www.iana.org/assignments/iana-ipv6-special-registry/>), multicast, what is deprecated,
/// and the metadata service of one cloud that has a public address. Blocks that the registries call
/// globally reachable are refused too: they are relays and anycast services, never a page.
const REFUSED: [IpNet; 36] = [
    // This network: RFC 791.
    v4([0, 0, 0, 0], 8),
    // Private use: RFC 1918.
    v4([10, 0, 0, 0], 8),
    // Carrier-grade NAT: RFC 6598.
    v4([100, 64, 0, 0], 10),
    // Loopback: RFC 1122.
    v4([127, 0, 0, 0], 8),
    // Azure's wire server, a public address of its virtual machines' host.
    v4([168, 63, 129, 16], 32),
    // Link local, with the clouds' metadata services: RFC 3927.
    v4([169, 254, 0, 0], 16),
    // Private use: RFC 1918.
    v4([172, 16, 0, 0], 12),
    // IETF protocol assignments: RFC 6890.
    v4([192, 0, 0, 0], 24),
    // Documentation: RFC 5737.
    v4([192, 0, 2, 0], 24),
    // AS112: RFC 7535.
    v4([192, 31, 196, 0], 24),
    // AMT: RFC 7450.
    v4([192, 52, 193, 0], 24),
    // 6to4 relay anycast: RFC 7526.
    v4([192, 88, 99, 0], 24),
    // Private use: RFC 1918.
    v4([192, 168, 0, 0], 16),
    // AS112: RFC 7534.
    v4([192, 175, 48, 0], 24),
    // Benchmarking: RFC 2544.
    v4([198, 18, 0, 0], 15),
    // Documentation: RFC 5737.
    v4([198, 51, 100, 0], 24),
    // Documentation: RFC 5737.
    v4([203, 0, 113, 0], 24),
    // Multicast: RFC 5771.
    v4([224, 0, 0, 0], 4),
    // Reserved, and limited broadcast: RFC 1112, RFC 8190.
    v4([240, 0, 0, 0], 4),
    // Loopback: RFC 4291.
    v6([0, 0, 0, 0, 0, 0, 0, 0x1], 128),
    // Unspecified, and IPv4-compatible: RFC 4291.
    v6([0, 0, 0, 0, 0, 0, 0, 0], 96),
    // Translation to IPv4 (SIIT): RFC 2765.
    v6([0, 0, 0, 0, 0xffff, 0, 0, 0], 96),
    // Translation to IPv4: RFC 6052.
    v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96),
    // Translation to IPv4: RFC 8215.
    v6([0x64, 0xff9b, 0x1, 0, 0, 0, 0, 0], 48),
    // Discard only: RFC 6666.
    v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64),
    // Dummy prefix: RFC 9780.
    v6([0x100, 0, 0, 0x1, 0, 0, 0, 0], 64),
    // IETF protocol assignments: Teredo, ORCHIDv2, AMT and others: RFC 2928.
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
    // Documentation: RFC 3849.
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
    // 6to4: RFC 3056.
    v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),
    // AS112: RFC 7534.
    v6([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48),
    // Documentation: RFC 9637.
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
    // SRv6 segment identifiers: RFC 9602.
    v6([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16),
    // Unique local: RFC 4193.
    v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7),
    // Link local: RFC 4291.
    v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10),
    // Site local, deprecated: RFC 3879.
    v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10),
    // Multicast: RFC 4291.
    v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8),
];

const fn v4([a, b, c, d]: [u8; 4], bits: u8) -> IpNet {
    IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), bits))
}

const fn v6([a, b, c, d, e, f, g, h]: [u16; 8], bits: u8) -> IpNet {
    let address = Ipv6Addr::new(a, b, c, d, e, f, g, h);
    IpNet::V6(Ipv6Net::new_assert(address, bits))
}

/// The SSRF guard.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct SsrfGuard {
    openings: Vec<Opening>,
}

/// A private address that a setting opens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Opening {
    target: Target,
    /// The only port that is open; `None` for all.
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Target {
    Network(IpNet),
    Host(String),
}

impl SsrfGuard {
    /// A guard that allows these hosts, addresses and networks besides the public internet. An
    /// entry may end with a port, `host:8080`; then only that port is allowed.
    ///
    /// # Errors
    /// For an entry that is none of these.
    pub fn new(allow: &[String]) -> Result<Self> {
        let openings = allow.iter().map(|entry| Opening::parse(entry.trim()));
        Ok(Self {
            openings: openings.collect::<Result<_>>()?,
        })
    }

    /// The same guard with the server of an address opened: its host and port.
    #[must_use]
    pub fn with_server(mut self, url: &Url) -> Self {
        let target = match url.host() {
            Some(Host::Domain(host)) => Target::Host(host.to_owned()),
            Some(Host::Ipv4(address)) => Target::Network(IpAddr::from(address).into()),
            Some(Host::Ipv6(address)) => Target::Network(IpAddr::from(address).into()),
            None => return self,
        };
        let port = url.port_or_known_default();
        self.openings.push(Opening { target, port });
        self
    }

    /// The guard of connections to an address: with the openings that apply to its port.
    #[must_use]
    pub fn at(&self, url: &Url) -> Self {
        let port = url.port_or_known_default();
        let applies = |opening: &&Opening| opening.port.is_none() || opening.port == port;
        let openings = self.openings.iter().filter(applies);
        Self {
            openings: openings
                .map(|opening| Opening {
                    port: None,
                    ..opening.clone()
                })
                .collect(),
        }
    }

    /// The guard for a redirect in a response from this address. A page of the public internet must
    /// not lead into the networks that the user allowed: its redirects may only go to the public
    /// internet.
    #[must_use]
    pub fn after(self, responded: Option<IpAddr>) -> Self {
        match responded {
            Some(address) if !Self::default().allows("", address) => self,
            _ => Self::default(),
        }
    }

    /// `true` if a host may be reached at an address, at any port that is open there.
    pub fn allows(&self, host: &str, address: IpAddr) -> bool {
        // An IPv4-mapped IPv6 address (::ffff:127.0.0.1) reaches the IPv4 host itself.
        let address = address.to_canonical();
        let host = host.trim_end_matches('.');
        let is_open = self.openings.iter().any(|opening| match &opening.target {
            Target::Host(open) => open.eq_ignore_ascii_case(host),
            Target::Network(network) => network.contains(&address),
        });
        is_open || !contains(&REFUSED, address)
    }

    /// Checks that a URL is an http or https one, and that its host, if it is an IP address, may be
    /// reached. The URL parser has already normalised all notations of an address (`2130706433`,
    /// `0x7f.1`, `[::ffff:7f00:1]`). Host names are checked when they are resolved.
    ///
    /// # Errors
    /// For any other address.
    pub fn check(&self, url: &Url) -> Result<(), WebError> {
        let wrong = |problem: &str| WebError::Address {
            url: url.to_string(),
            problem: problem.to_owned(),
        };
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(&format!("{}: is not a web protocol", url.scheme())));
        }
        let address: IpAddr = match url.host() {
            None => return Err(wrong("it names no host")),
            Some(Host::Domain(_)) => return Ok(()),
            Some(Host::Ipv4(address)) => address.into(),
            Some(Host::Ipv6(address)) => address.into(),
        };
        if self.at(url).allows("", address) {
            return Ok(());
        }
        tracing::debug!(%address, "SSRF guard refused an address");
        Err(WebError::Private {
            url: url.to_string(),
            target: address.to_string(),
        })
    }
}

impl Opening {
    fn parse(entry: &str) -> Result<Self> {
        let network = |network: IpNet, port| Self {
            target: Target::Network(network),
            port,
        };
        if let Ok(address) = entry.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Ok(network(address.into(), None));
        }
        if let Ok(server) = entry.parse::<SocketAddr>() {
            return Ok(network(server.ip().into(), Some(server.port())));
        }
        if entry.contains('/') {
            let parsed = entry.parse().map_err(|error| {
                anyhow::anyhow!("network.allow: {entry:?} is not a network: {error}")
            })?;
            return Ok(network(parsed, None));
        }
        let (host, port) = match entry.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().ok().map(Some)),
            None => (entry, Some(None)),
        };
        match (Host::parse(host), port) {
            (Ok(Host::Domain(host)), Some(port)) => Ok(Self {
                target: Target::Host(host),
                port,
            }),
            _ => bail!(
                "network.allow: {entry:?} is not a host, an address, either with a port such as \
                 localhost:8080, or a network such as 10.0.0.0/8"
            ),
        }
    }
}

fn contains(networks: &[IpNet], address: IpAddr) -> bool {
    networks.iter().any(|network| network.contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The IANA IPv4 special-purpose address registry, with the documents that define its blocks.
    const IANA_IPV4: [(&str, &str); 26] = [
        ("0.0.0.0/8", "RFC 791"),
        ("0.0.0.0/32", "RFC 1122"),
        ("10.0.0.0/8", "RFC 1918"),
        ("100.64.0.0/10", "RFC 6598"),
        ("127.0.0.0/8", "RFC 1122"),
        ("169.254.0.0/16", "RFC 3927"),
        ("172.16.0.0/12", "RFC 1918"),
        ("192.0.0.0/24", "RFC 6890"),
        ("192.0.0.0/29", "RFC 7335"),
        ("192.0.0.8/32", "RFC 7600"),
        ("192.0.0.9/32", "RFC 7723"),
        ("192.0.0.10/32", "RFC 8155"),
        ("192.0.0.170/32", "RFC 8880"),
        ("192.0.0.171/32", "RFC 7050"),
        ("192.0.2.0/24", "RFC 5737"),
        ("192.31.196.0/24", "RFC 7535"),
        ("192.52.193.0/24", "RFC 7450"),
        ("192.88.99.0/24", "RFC 7526"),
        ("192.88.99.2/32", "RFC 6751"),
        ("192.168.0.0/16", "RFC 1918"),
        ("192.175.48.0/24", "RFC 7534"),
        ("198.18.0.0/15", "RFC 2544"),
        ("198.51.100.0/24", "RFC 5737"),
        ("203.0.113.0/24", "RFC 5737"),
        ("240.0.0.0/4", "RFC 1112"),
        ("255.255.255.255/32", "RFC 8190"),
    ];

    /// The IANA IPv6 special-purpose address registry. Of `::ffff:0:0/96`, the IPv4-mapped
    /// addresses, each is judged as the IPv4 address that it stands for.
    const IANA_IPV6: [(&str, &str); 25] = [
        ("::1/128", "RFC 4291"),
        ("::/128", "RFC 4291"),
        ("::ffff:0:0/96", "RFC 4291"),
        ("64:ff9b::/96", "RFC 6052"),
        ("64:ff9b:1::/48", "RFC 8215"),
        ("100::/64", "RFC 6666"),
        ("100:0:0:1::/64", "RFC 9780"),
        ("2001::/23", "RFC 2928"),
        ("2001::/32", "RFC 4380"),
        ("2001:1::1/128", "RFC 7723"),
        ("2001:1::2/128", "RFC 8155"),
        ("2001:1::3/128", "RFC 9665"),
        ("2001:2::/48", "RFC 5180"),
        ("2001:3::/32", "RFC 7450"),
        ("2001:4:112::/48", "RFC 7535"),
        ("2001:10::/28", "RFC 4843"),
        ("2001:20::/28", "RFC 7343"),
        ("2001:30::/28", "RFC 9374"),
        ("2001:db8::/32", "RFC 3849"),
        ("2002::/16", "RFC 3056"),
        ("2620:4f:8000::/48", "RFC 7534"),
        ("3fff::/20", "RFC 9637"),
        ("5f00::/16", "RFC 9602"),
        ("fc00::/7", "RFC 4193"),
        ("fe80::/10", "RFC 4291"),
    ];

    #[test]
    fn every_block_of_the_iana_special_purpose_registries_is_refused() {
        let guard = SsrfGuard::new(&[]).unwrap();
        for (block, rfc) in IANA_IPV4.iter().chain(&IANA_IPV6) {
            let network: IpNet = block.parse().unwrap();
            // Of the mapped addresses, the last is 255.255.255.255 and the first 0.0.0.0.
            for address in [network.network(), network.broadcast()] {
                assert!(!guard.allows("", address), "{address} of {block} ({rfc})");
            }
        }
        // The neighbours of the blocks are public.
        for address in [
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::",
            "2003::",
            "2606::",
            "::ffff:8.8.8.8",
        ] {
            assert!(guard.allows("", address.parse().unwrap()), "{address}");
        }
    }

    fn refused(guard: &SsrfGuard, address: &str) -> bool {
        guard.check(&Url::parse(address).unwrap()).is_err()
    }

    #[test]
    fn ssrf_guard_refuses_private_addresses_in_every_notation() {
        let guard = SsrfGuard::new(&[]).unwrap();
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
            "[::127.0.0.1]",
            "[::7f00:1]",
            "[::a9fe:a9fe]",
            "[::ffff:0:127.0.0.1]",
            "[::ffff:0:7f00:1]",
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
    fn ssrf_guard_refuses_schemes_other_than_http() {
        let guard = SsrfGuard::new(&[]).unwrap();
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
    fn network_allow_opens_hosts_addresses_and_networks() {
        let allow = ["127.0.0.0/8", "10.0.0.7", "intranet.example"].map(str::to_owned);
        let guard = SsrfGuard::new(&allow).unwrap();
        assert!(!refused(&guard, "http://127.0.0.1:8080/"));
        assert!(!refused(&guard, "http://10.0.0.7/") && refused(&guard, "http://10.0.0.8/"));
        let private = IpAddr::from([192, 168, 0, 1]);
        assert!(
            guard.allows("Intranet.example.", private) && !guard.allows("other.example", private)
        );
        for wrong in ["10.0.0.0/99", "intranet:0x50", "intranet:70000", "a b"] {
            assert!(SsrfGuard::new(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn network_allow_opens_one_port_where_it_names_one() {
        let allow = ["127.0.0.1:9001", "[::1]:9001", "intranet:80"].map(str::to_owned);
        let guard = SsrfGuard::new(&allow).unwrap();
        for (address, is_refused) in [
            ("http://127.0.0.1:9001/", false),
            ("http://[::1]:9001/", false),
            ("http://127.0.0.1:6379/", true),
            ("http://127.0.0.1/", true),
            ("http://[::1]:6379/", true),
        ] {
            assert_eq!(refused(&guard, address), is_refused, "{address}");
        }
        let private = IpAddr::from([192, 168, 0, 1]);
        let at = |address: &str| guard.at(&Url::parse(address).unwrap());
        assert!(at("http://intranet/").allows("intranet", private));
        assert!(!at("https://intranet/").allows("intranet", private));
        // A name of somebody else that resolves to the open address gets at no other port of it.
        let local = IpAddr::from([127, 0, 0, 1]);
        assert!(!at("http://evil.example:6379/").allows("evil.example", local));
    }

    #[test]
    fn openings_end_where_the_public_internet_responds() {
        let guard = SsrfGuard::new(&["10.0.0.7".to_owned()]).unwrap();
        let address = "http://10.0.0.7/";
        let after = |responded: &str| guard.clone().after(responded.parse().ok());
        assert!(!refused(&after("10.0.0.9"), address));
        assert!(refused(&after("93.184.216.34"), address));
        assert!(refused(&after("::ffff:93.184.216.34"), address));
        assert!(refused(&after("unknown"), address));
    }

    #[test]
    fn configured_server_is_open_at_its_port_alone() {
        let searxng = Url::parse("http://127.0.0.1:8888/searxng").unwrap();
        let guard = SsrfGuard::default().with_server(&searxng);
        assert!(!refused(&guard, "http://127.0.0.1:8888/search?q=a"));
        assert!(refused(&guard, "http://127.0.0.1:6379/"));
    }
}
