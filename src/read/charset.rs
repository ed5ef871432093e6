//! Character encodings: bytes into normalised UTF-8 text, by byte order mark (BOM), declared
//! charset or detection (`chardetng`), with `\n` line ends and without control characters.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

use crate::text::is_deceptive;

/// The number of bytes at the beginning of a page that are searched for its charset declaration.
/// The HTML standard says 1024, but pages do not keep to it; four times that is chosen by hand.
const META_BYTES: usize = 4096;

/// Returns `true` for binary data: bytes with a NUL and without a byte order mark of UTF-16.
pub fn is_binary(bytes: &[u8]) -> bool {
    Encoding::for_bom(bytes).is_none() && bytes.contains(&0)
}

/// Decodes text: by its byte order mark, else as UTF-8 if it is valid, else by the charset that its
/// markup declares, else by detection. Invalid bytes become U+FFFD.
pub fn decode(bytes: &[u8], is_markup: bool) -> Cow<'_, str> {
    // As in the WHATWG Encoding Standard ("decode"), a byte order mark outweighs everything else.
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[length..]).0;
    }
    // Text in another encoding is hardly ever valid UTF-8, so validity outweighs declarations,
    // which are often wrong.
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.into();
    }
    let declared = is_markup.then(|| declared_encoding(bytes)).flatten();
    declared
        .unwrap_or_else(|| detected_encoding(bytes))
        .decode_without_bom_handling(bytes)
        .0
}

/// Bytes in a named character set as UTF-8; none if they are UTF-8 or there is no such set.
pub fn recode(bytes: &[u8], label: &str) -> Option<String> {
    // A byte order mark and valid UTF-8 outweigh the sender's charset, too.
    if Encoding::for_bom(bytes).is_some() || std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let encoding = Encoding::for_label(label.trim().as_bytes())?;
    Some(encoding.decode_without_bom_handling(bytes).0.into_owned())
}

/// The character set that HTML or XML declares at its beginning. UTF-16 cannot be meant, since its
/// declaration would not be readable as ASCII; `output_encoding` makes it UTF-8, as the standard
/// says.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(META_BYTES)]).to_ascii_lowercase();
    let (_, rest) = head
        .split_once("charset=")
        .or_else(|| head.split_once("encoding="))?;
    // The value may be quoted or bare in HTML; in XML it is quoted.
    let label = rest.trim_start_matches(['"', '\'', ' ']);
    let end = label
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':')))
        .unwrap_or(label.len());
    // Labels are those of the WHATWG Encoding Standard: `latin1` means windows-1252.
    Encoding::for_label(&label.as_bytes()[..end]).map(Encoding::output_encoding)
}

fn detected_encoding(bytes: &[u8]) -> &'static Encoding {
    // ISO-2022-JP is of 7-bit bytes, which are valid UTF-8 and never come here: it is denied.
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Allow);
    // The detector rules UTF-8 out at the first invalid byte, but text that is UTF-8 for nine in
    // ten of its other bytes is damaged UTF-8. The share is chosen by hand.
    let damage = String::from_utf8_lossy(bytes).matches('\u{fffd}').count();
    let wide = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if damage * 10 < wide { UTF_8 } else { guess }
}

/// Normalises text: lines ended by `\n` and one at the end, no byte order mark, no control
/// characters but line ends and tabs, and none that reorder or hide text.
pub fn normalise(text: &str) -> String {
    let mut clean = String::with_capacity(text.len() + 1);
    // A fast path: the clean ASCII at the beginning, often all of a text, is copied at once.
    let plain = text
        .bytes()
        .take_while(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~'))
        .count();
    clean.push_str(&text[..plain]);
    let mut after_return = false;
    for c in text[plain..].chars() {
        match c {
            // CR LF is one line end, which was written at its CR.
            '\n' if after_return => {}
            // LINE SEPARATOR, PARAGRAPH SEPARATOR and NEL break a line as CR and LF do (UAX #14).
            '\r' | '\n' | '\u{2028}' | '\u{2029}' | '\u{85}' => clean.push('\n'),
            '\t' => clean.push(c),
            // A byte order mark inside of a text, as joined files have, is no character of it.
            '\u{feff}' => {}
            _ if is_deceptive(c) => {}
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
    fn html_charset_declaration_is_used() {
        let page =
            b"<html><meta http-equiv=Content-Type content='text/html; charset=ISO-8859-2'>\xb1";
        assert!(decode(page, true).ends_with('ą'));
        assert!(decode(b"<meta charset=\"windows-1251\">\xcf\xf0\xe8", true).ends_with("При"));
        assert!(decode(b"<meta charset=\"nonsense\">\xe9", true).contains('>'));
        assert!(decode("<meta charset=latin1>é".as_bytes(), true).ends_with('é'));
    }

    #[test]
    fn binary_data_is_distinguished_from_utf16() {
        assert!(is_binary(b"\x7fELF\0\0"));
        assert!(!is_binary(b"\xff\xfea\0b\0"));
        assert!(!is_binary(b""));
    }

    #[test]
    fn damaged_utf8_is_decoded_as_utf8() {
        let mut bytes = "größer und schöner und länger und höher und kühler "
            .as_bytes()
            .to_vec();
        bytes.extend(b"\xff ende");
        assert!(decode(&bytes, false).starts_with("größer"));
        assert!(!decode(b"\xe2\x82", false).is_empty());
    }

    #[test]
    fn normalising_leaves_no_control_characters_but_lines_and_tabs() {
        assert_eq!(
            normalise("a\r\n\rb\tc\0\u{1b}\u{202e}\u{e0041}\u{85}\u{feff}d"),
            "a\n\nb\tc\nd\n"
        );
        assert_eq!(normalise(""), "");
        assert_eq!(normalise("שלום\n"), "שלום\n");
    }
}
