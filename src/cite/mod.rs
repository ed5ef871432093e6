//! Checks quotations and claims against stored texts. Pure: it is given the texts.
//!
//! For now a claim is its quotation, word for word up to white space, and is checked as such: what
//! is said in other words than the source's is not `supported` here.

use crate::artifact::claims::{Citation, Claim};
use crate::artifact::verification::{ClaimVerdict, Verdict, Verification, VerificationSummary};

/// Why a quotation does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misquote {
    /// The range is not in the text, or cuts a character.
    #[error("bytes {start}..{end} are not a part of {source_id}, which has {bytes}")]
    OutOfRange {
        /// The source.
        source_id: String,
        /// First byte.
        start: usize,
        /// One past the last.
        end: usize,
        /// The text's length.
        bytes: usize,
    },
    /// The range holds other words.
    #[error("bytes {start}..{end} of {source_id} read {found:?}, not {quoted:?}")]
    Differs {
        /// The source.
        source_id: String,
        /// First byte.
        start: usize,
        /// One past the last.
        end: usize,
        /// What stands there.
        found: String,
        /// What was quoted.
        quoted: String,
    },
}

/// Checks that `quote` is what stands at `start..end` of the text of a source, byte for byte.
///
/// # Errors
/// When it is not, in which way.
pub fn check_quote(
    source_id: &str,
    text: &str,
    start: usize,
    end: usize,
    quote: &str,
) -> Result<(), Misquote> {
    let Some(found) = text.get(start..end).filter(|found| !found.is_empty()) else {
        return Err(Misquote::OutOfRange {
            source_id: source_id.to_owned(),
            start,
            end,
            bytes: text.len(),
        });
    };
    if found == quote {
        return Ok(());
    }
    let shortened = |text: &str| text.chars().take(80).collect();
    Err(Misquote::Differs {
        source_id: source_id.to_owned(),
        start,
        end,
        found: shortened(found),
        quoted: shortened(quote),
    })
}

/// The verdict on a claim: whether each of its quotations stands where it says, and the first one
/// says the claim. `text_of` gives the stored text of a source.
pub fn check_claim<'a>(claim: &Claim, text_of: impl Fn(&str) -> Option<&'a str>) -> ClaimVerdict {
    let (verdict, reason) = match judge(claim, text_of) {
        Ok(()) => (
            Verdict::Supported,
            "the claim is its quotation, word for word".to_owned(),
        ),
        Err(reason) => (Verdict::Unsupported, reason),
    };
    ClaimVerdict {
        claim: claim.id.clone(),
        verdict,
        reason,
    }
}

fn judge<'a>(claim: &Claim, text_of: impl Fn(&str) -> Option<&'a str>) -> Result<(), String> {
    let Some(first) = claim.citations.first() else {
        return Err("the claim cites nothing".to_owned());
    };
    for Citation {
        source,
        start,
        end,
        quote,
        ..
    } in &claim.citations
    {
        let text = text_of(source).ok_or_else(|| format!("{source} is not among the sources"))?;
        check_quote(source, text, *start, *end, quote).map_err(|error| error.to_string())?;
    }
    if as_sentence(&first.quote) == claim.text {
        Ok(())
    } else {
        Err(format!(
            "the words of {} are not the claim's",
            first.passage
        ))
    }
}

/// Checks every claim of a draft.
pub fn check_claims<'a>(
    claims: &[Claim],
    text_of: impl Fn(&str) -> Option<&'a str>,
) -> Verification {
    let verdicts: Vec<_> = claims
        .iter()
        .map(|claim| check_claim(claim, &text_of))
        .collect();
    let held = |found: &&ClaimVerdict| found.verdict == Verdict::Supported;
    let supported = verdicts.iter().filter(held).count();
    Verification {
        summary: VerificationSummary {
            claims: verdicts.len(),
            supported,
            failed: verdicts.len() - supported,
        },
        verdicts,
    }
}

/// A quotation as it is printed: its lines joined, without the marks of a block quote at their
/// beginnings, and of a Markdown link its words only; one that begins inside a sentence says so
/// with `[…]`.
pub fn as_sentence(quote: &str) -> String {
    let lines = quote.lines().enumerate();
    let words = lines.flat_map(|(number, line)| match number {
        0 => line.split_whitespace(),
        _ => line.trim_start_matches(['>', ' ', '\t']).split_whitespace(),
    });
    // Some texts have no capitals at all.
    let begins_inside = quote.starts_with(char::is_lowercase) && quote.contains(char::is_uppercase);
    let cut = begins_inside.then_some("[…]");
    let words = words.collect::<Vec<_>>().join(" ");
    let words = without_links(&words);
    cut.into_iter()
        .chain([words.as_str()])
        .collect::<Vec<_>>()
        .join(" ")
}

/// A text with `words` for `[words](address)` and `[words][label]`, and without marks of footnotes;
/// code and everything else stays as it is.
fn without_links(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_code = false;
    while let Some(at) = rest.find(['[', '`']) {
        shown.push_str(&rest[..at]);
        rest = &rest[at..];
        let link = if in_code { None } else { link(rest) };
        if let Some((words, length)) = link {
            shown.push_str(words);
            rest = &rest[length..];
        } else {
            in_code ^= rest.starts_with('`');
            shown.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    shown.push_str(rest);
    shown
}

/// The words of a link at the beginning of a text, and the bytes of the whole link.
fn link(text: &str) -> Option<(&str, usize)> {
    let words = text.strip_prefix('[')?;
    let end = words.find(['[', ']']).filter(|end| *end > 0)?;
    if words.starts_with('^') && words[end..].starts_with(']') && !words[..end].contains(' ') {
        return Some(("", end + 2));
    }
    let after = words[end..].strip_prefix(']')?;
    let closer = match after.chars().next()? {
        '(' => ')',
        '[' => ']',
        _ => return None,
    };
    let address = &after[1..];
    let length = address.find(|c: char| c == closer || c.is_whitespace())?;
    address[length..]
        .starts_with(closer)
        .then(|| (&words[..end], text.len() - address.len() + length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Wärme ist gut.\nA heat pump\nmoves heat.";

    fn claim(start: usize, end: usize, quote: &str, text: &str) -> Claim {
        Claim {
            id: "C1".to_owned(),
            text: text.to_owned(),
            citations: vec![Citation {
                source: "S1".to_owned(),
                passage: "P1".to_owned(),
                start,
                end,
                quote: quote.to_owned(),
            }],
            confidence: 1.0,
        }
    }

    fn verdict(claim: &Claim) -> Verdict {
        check_claim(claim, |source| (source == "S1").then_some(TEXT)).verdict
    }

    #[test]
    fn a_quotation_is_printed_on_one_line() {
        assert_eq!(
            as_sentence("A  heat\n> > pump\n    runs"),
            "A heat pump runs"
        );
        assert_eq!(as_sentence("> 5 is more"), "> 5 is more");
        assert_eq!(
            as_sentence("a pump runs. It does."),
            "[…] a pump runs. It does."
        );
        for (quote, shown) in [
            ("A [pump](http://a.b/c) runs.", "A pump runs."),
            (
                "A [pump][label] and [pump] [run].",
                "A pump and [pump] [run].",
            ),
            ("Use `a[b](c)` and [x][].", "Use `a[b](c)` and x."),
            ("An [open (x) one.", "An [open (x) one."),
            ("It is so.[^1] `[^2]`", "It is so. `[^2]`"),
            ("[](x) and [a](b c)", "[](x) and [a](b c)"),
        ] {
            assert_eq!(as_sentence(quote), shown);
        }
    }

    #[test]
    fn a_claim_holds_if_its_words_stand_where_it_says() {
        let quote = "A heat pump\nmoves heat.";
        let start = TEXT.find(quote).unwrap();
        let end = start + quote.len();
        let sentence = "A heat pump moves heat.";
        assert_eq!(
            verdict(&claim(start, end, quote, sentence)),
            Verdict::Supported
        );
        for wrong in [
            claim(start + 1, end, quote, sentence),
            claim(start, end + 1, quote, sentence),
            claim(
                start,
                end,
                "A heat pump\nmoves water.",
                "A heat pump moves water.",
            ),
            claim(start, end, quote, "A heat pump moves mountains."),
            claim(2, 5, quote, sentence),
            claim(end, start, quote, sentence),
            claim(0, 0, "", ""),
        ] {
            assert_eq!(verdict(&wrong), Verdict::Unsupported, "{wrong:?}");
        }
        let mut unknown = claim(start, end, quote, sentence);
        unknown.citations[0].source = "S2".to_owned();
        assert_eq!(verdict(&unknown), Verdict::Unsupported);
        unknown.citations.clear();
        assert_eq!(verdict(&unknown), Verdict::Unsupported);
    }
}
