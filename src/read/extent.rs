//! The extent of a text: how much of a document is read, so that neither its length nor the number
//! of its sentences takes more memory than there is for it.

use super::document::Document;

/// The largest extent of a text that is read, in bytes and what its sentences count for. Chosen by
/// hand: more than a long novel has, and a text of as much takes less than 200 MiB to quote from.
const MAX_EXTENT: usize = 5 << 20;

/// What the end of a sentence, of a line of a list or of a paragraph counts for, in bytes: whatever
/// its length, a sentence takes some kilobytes while it is ranked.
const OF_SENTENCE: usize = 56;

/// A text is cut where a paragraph, a line, a sentence or a word ends among so many last bytes.
/// Chosen by hand.
const LAST_BYTES: usize = 64 << 10;

/// Cuts the text of a document that is beyond the largest extent.
pub(super) fn limit(document: &mut Document) {
    let Some(end) = end(&document.text) else {
        return;
    };
    document.text.truncate(end);
    document.text.truncate(document.text.trim_end().len());
    document.text.push('\n');
    // What was a hundred times as long does not keep its memory.
    document.text.shrink_to_fit();
    let end = document.text.len();
    let pages = document.pages.0.iter().copied();
    document.pages.0 = pages.filter(|start| *start < end).collect();
    document.is_cut = true;
}

/// The end of what is read of a text; `None` if all of it is.
fn end(text: &str) -> Option<usize> {
    if text.len().saturating_mul(1 + OF_SENTENCE) <= MAX_EXTENT {
        return None;
    }
    let mut sentences = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        sentences += usize::from(ends_sentence(c, next));
        if at + sentences * OF_SENTENCE > MAX_EXTENT {
            return Some(boundary(text, at));
        }
    }
    None
}

/// `true` if a sentence, an item or a paragraph may end with a character: a line that goes on with
/// a letter is taken for one of running text.
fn ends_sentence(c: char, next: Option<char>) -> bool {
    match c {
        '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
        '。' | '！' | '？' => true,
        '\n' => next.is_some_and(|next| !next.is_alphabetic() && !next.is_whitespace()),
        _ => false,
    }
}

/// The last end of a paragraph, a line, a sentence or a word before a byte of a text that begins a
/// character; that byte if there is none near it.
fn boundary(text: &str, byte: usize) -> usize {
    let before = &text[..byte];
    let ends = ["\n\n", "\n", ". ", " "].into_iter();
    let mut ends = ends.filter_map(|end| Some(before.rfind(end)? + end.len()));
    let near = ends.find(|end| byte - end < LAST_BYTES);
    near.unwrap_or(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_novels_are_read_whole_and_many_short_sentences_in_part() {
        let wrapped = "It was a day like any other, and the pump in\nthe yard hummed as it always \
            did, since nobody\nhad told it otherwise.\n\n";
        for (text, share) in [
            (wrapped, Some(3_300_000)),
            ("Heat pumps work in old houses. ", None),
            ("Heat pumps work in old houses.\n\n", None),
            ("a;b\n- ", None),
            ("热泵可以在旧房子里使用。", None),
        ] {
            let long = text.repeat(8_000_000 / text.len());
            let end = end(&long).unwrap();
            let pieces = end / text.len();
            assert!(pieces < 95_000, "{pieces} of {text:?}");
            assert!(share.is_none_or(|least| end > least), "{end} of {text:?}");
            assert!(long[..end].ends_with(char::is_whitespace) || !text.contains(' '));
        }
        assert_eq!(end(&"word ".repeat(1_000_000)), None);
        assert_eq!(end(""), None);
    }
}
