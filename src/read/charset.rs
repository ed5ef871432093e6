//! Bytes into clean UTF-8 text: which character set they are in, which line ends, which characters
//! have no place in text.
//!
//! Refuses to know formats, but for the one place where HTML names its character set.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// How far into a page its character set may be named; the HTML standard says 1024 bytes, pages do
/// not keep to it.
const META_BYTES: usize = 4096;

/// Whether bytes are no text: they hold a NUL without a byte order mark that explains it.
pub fn is_binary(bytes: &[u8]) -> bool {
    Encoding::for_bom(bytes).is_none() && bytes.contains(&0)
}

/// The characters of a text: by its byte order mark, else as UTF-8 if it is that, else by what HTML
/// says of itself, else by a guess. Bytes that are wrong in the set become U+FFFD.
pub fn decode(bytes: &[u8], html: bool) -> String {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding
            .decode_without_bom_handling(&bytes[length..])
            .0
            .into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let declared = html.then(|| declared_encoding(bytes)).flatten();
    declared
        .unwrap_or_else(|| guessed_encoding(bytes))
        .decode_without_bom_handling(bytes)
        .0
        .into_owned()
}

/// Bytes that are in a named character set as UTF-8; nothing where there is no need or no such set.
pub fn recode(bytes: &[u8], label: &str) -> Option<String> {
    if Encoding::for_bom(bytes).is_some() || std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let encoding = Encoding::for_label(label.trim().as_bytes())?;
    Some(encoding.decode_without_bom_handling(bytes).0.into_owned())
}

/// The character set a page names in its head. UTF-16 cannot be meant: the name would not have been
/// readable.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(META_BYTES)]).to_ascii_lowercase();
    let (_, rest) = head
        .split_once("charset=")
        .or_else(|| head.split_once("encoding="))?;
    let label = rest.trim_start_matches(['"', '\'', ' ']);
    let end = label
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':')))
        .unwrap_or(label.len());
    Encoding::for_label(&label.as_bytes()[..end]).map(Encoding::output_encoding)
}

fn guessed_encoding(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Allow);
    // Text that is UTF-8 but for a few bytes is more often damaged UTF-8 than anything else.
    let damage = String::from_utf8_lossy(bytes).matches('\u{fffd}').count();
    let wide = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if damage * 10 < wide { UTF_8 } else { guess }
}

/// Clean text: lines ended by `\n` and one at the end, no byte order mark, no control characters
/// but line ends and tabs.
pub fn normalise(text: &str) -> String {
    let mut clean = String::with_capacity(text.len() + 1);
    // Most texts begin with much that is clean.
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
    let plain = text.bytes().take_while(is_plain).count();
    clean.push_str(&text[..plain]);
    let mut after_return = false;
    for c in text[plain..].chars() {
        match c {
            '\n' if after_return => {}
            '\r' | '\n' | '\u{2028}' | '\u{2029}' | '\u{85}' => clean.push('\n'),
            '\t' => clean.push(c),
            '\u{feff}' => {}
            _ if c.is_control() => {}
            _ => clean.push(c),
        }
        after_return = c == '\r';
    }
    if !clean.is_empty() && !clean.ends_with('\n') {
        clean.push('\n');
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_names_its_character_set() {
        let page =
            b"<html><meta http-equiv=Content-Type content='text/html; charset=ISO-8859-2'>\xb1";
        assert!(decode(page, true).ends_with('ą'));
        assert!(decode(b"<meta charset=\"windows-1251\">\xcf\xf0\xe8", true).ends_with("При"));
        assert!(decode(b"<meta charset=\"nonsense\">\xe9", true).contains('>'));
        assert!(decode("<meta charset=latin1>é".as_bytes(), true).ends_with('é'));
    }

    #[test]
    fn binary_is_told_from_wide_text() {
        assert!(is_binary(b"\x7fELF\0\0"));
        assert!(!is_binary(b"\xff\xfea\0b\0"));
        assert!(!is_binary(b""));
    }

    #[test]
    fn damaged_utf8_stays_utf8() {
        let mut bytes = "größer und schöner und länger und höher und kühler "
            .as_bytes()
            .to_vec();
        bytes.extend(b"\xff ende");
        assert!(decode(&bytes, false).starts_with("größer"));
        assert!(!decode(b"\xe2\x82", false).is_empty());
    }

    #[test]
    fn normalising_leaves_lines_and_tabs_only() {
        assert_eq!(
            normalise("a\r\n\rb\tc\0\u{1b}\u{85}\u{feff}d"),
            "a\n\nb\tc\nd\n"
        );
        assert_eq!(normalise(""), "");
        assert_eq!(normalise("שלום\n"), "שלום\n");
    }
}
