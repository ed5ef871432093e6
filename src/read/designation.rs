//! The names of documents within series that are cited by number, such as RFC 2119.

use super::metadata::{TOP_LINES, labelled};

/// The series of documents that are cited by number, as in `RFC 2119`: of standards, of proposals
/// and of decisions. A word that also stands before other numbers, such as "step", is not one.
const SERIES: &[&str] = &[
    "adr", "bcp", "bep", "bip", "cep", "eep", "eip", "erc", "fips", "gep", "glep", "iep", "jep",
    "jsr", "kep", "nep", "pep", "rfc", "rfd", "srfi", "tep", "xep",
];

/// The name of a document within a series: `RFC 2119`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Designation {
    /// The series, in lower case.
    pub series: &'static str,
    /// The number.
    pub number: u64,
}

/// The series that a word names, in any case and also in the plural.
pub fn series(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    let mut series = SERIES.iter().copied();
    series.find(|series| *series == lower || *series == singular)
}

/// The designation that a name begins with, such as `PEP 3105 – Make print a function`,
/// `pep-3105.rst` or `rfc2119.txt`, and what follows it.
pub fn leading_designation(name: &str) -> Option<(Designation, &str)> {
    let letters = name.find(|c: char| !c.is_ascii_alphabetic())?;
    let series = series(&name[..letters])?;
    let rest = name[letters..].trim_start_matches([' ', '-', '_', '#', ':']);
    let (number, rest) = leading_number(rest)?;
    Some((Designation { series, number }, rest))
}

/// The number that a name begins with, and what follows it; none for the year of a date.
pub fn leading_number(name: &str) -> Option<(u64, &str)> {
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = name.split_at(digits);
    let next = rest.trim_start_matches(['-', '_', '.', ' ']);
    let is_date = next.len() < rest.len() && next.starts_with(|c: char| c.is_ascii_digit());
    let is_word = rest.starts_with(char::is_alphanumeric);
    let number = number.parse().ok()?;
    (!is_date && !is_word).then_some((number, rest))
}

/// The designation in the header of a text: `PEP: 3105`, `Request for Comments: 2119`, or a pull
/// request of the series, as in `RFC PR: rust-lang/rfcs#2094`.
pub fn designation(text: &str) -> Option<Designation> {
    text.lines()
        .take(TOP_LINES)
        .filter_map(labelled)
        .find_map(|(label, value)| {
            let is_spelled_out = label.eq_ignore_ascii_case("request for comments");
            let series = if is_spelled_out {
                "rfc"
            } else {
                let (name, rest) = label.split_once(' ').unwrap_or((label, ""));
                let is_number = ["", "#", "pr", "pr #", "no", "number"]
                    .iter()
                    .any(|one| rest.eq_ignore_ascii_case(one));
                SERIES
                    .iter()
                    .copied()
                    .find(|series| is_number && series.eq_ignore_ascii_case(name))?
            };
            // The number stands alone, or after the `#` or the `/` of a reference.
            let numbers = value.split(['#', '/', '[', ' ', '(']);
            let number = numbers.filter_map(|part| {
                let end = part.find(|c: char| !c.is_ascii_digit());
                let (number, rest) = part.split_at(end.unwrap_or(part.len()));
                let is_whole = !rest.starts_with(char::is_alphanumeric);
                number.parse().ok().filter(|_| is_whole)
            });
            let number = number.into_iter().next()?;
            Some(Designation { series, number })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn designations_are_read_from_names_and_headers() {
        for (name, expected) in [
            ("PEP 3105 – Make print a function", Some(("pep", 3105))),
            ("pep-0008", Some(("pep", 8))),
            ("rfc2119", Some(("rfc", 2119))),
            ("ADR-12: Queues", Some(("adr", 12))),
            ("adr-2020-01-02", None),
            ("RFC process", None),
            ("Works 7", None),
            ("0002-rfc-process", None),
            ("rfc99999999999999999999999", None),
        ] {
            let designation = leading_designation(name).map(|(one, _)| (one.series, one.number));
            assert_eq!(designation, expected, "{name}");
        }
        for (text, expected) in [
            (
                "- RFC PR: [rust-lang/rfcs#2094](https://e.org/rfcs/pull/2094)\n",
                Some(("rfc", 2094)),
            ),
            ("- RFC PR #: [26](https://e.org/26)\n", Some(("rfc", 26))),
            ("PEP: 3105\n", Some(("pep", 3105))),
            ("Request for Comments: 2119   S. B\n", Some(("rfc", 2119))),
            ("RFC PR: (leave this empty)\n", None),
            ("RFC 2119 says: 12 things\n", None),
        ] {
            let designation = designation(text).map(|one| (one.series, one.number));
            assert_eq!(designation, expected, "{text}");
        }
        assert_eq!(leading_number("0012-queues"), Some((12, "-queues")));
        assert_eq!(leading_number("2020-01-02"), None);
        assert_eq!(leading_number("3d-printing"), None);
    }
}
