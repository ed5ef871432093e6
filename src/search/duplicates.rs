//! Which documents say nearly the same, word for word, so that one source is not counted twice.
//!
//! The likeness of two documents is the share of runs of five words that they have in common,
//! estimated from the smallest hashes of each (Broder, "On the resemblance and containment of
//! documents", 1997).

use foldhash::HashMap;

/// Words of a run.
const RUN: usize = 5;

/// Hashes kept of a document.
const KEPT: usize = 64;

/// Documents that share this much are one source: in a text of a hundred words, three are
/// different.
const ALIKE: f64 = 0.7;

/// A hash that more documents than this share is of a phrase, not of a copy.
const PHRASE: usize = 50;

/// The smallest hashes of a document's runs, ascending.
pub(super) type Sketch = Vec<u32>;

/// FNV-1a, the same on every machine.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let start: u64 = 0xcbf2_9ce4_8422_2325;
    bytes.iter().fold(start, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Spreads a number over all bits (the finaliser of SplitMix64).
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The sketch of a document by the hashes of its words in order.
pub(super) fn sketch(words: &[u64]) -> Sketch {
    let run = |run: &[u64]| {
        let hash = run
            .iter()
            .fold(0, |sum: u64, word| mix(sum.rotate_left(5) ^ word));
        (hash >> 32) as u32
    };
    let mut hashes: Vec<u32> = if words.len() < RUN {
        vec![run(words)]
    } else {
        words.windows(RUN).map(run).collect()
    };
    hashes.sort_unstable();
    hashes.dedup();
    hashes.truncate(KEPT);
    hashes
}

/// The share of runs that two documents have in common.
fn likeness(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut all, mut shared) = (0, 0, 0_u32, 0_u32);
    while all < KEPT as u32 && (i < a.len() || j < b.len()) {
        let (left, right) = (a.get(i), b.get(j));
        let takes_left = right.is_none_or(|right| left.is_some_and(|left| left <= right));
        let takes_right = left.is_none_or(|left| right.is_some_and(|right| right <= left));
        i += usize::from(takes_left);
        j += usize::from(takes_right);
        all += 1;
        shared += u32::from(takes_left && takes_right);
    }
    f64::from(shared) / f64::from(all.max(1))
}

/// For each document the first one that it nearly repeats, which itself repeats none.
pub(super) fn originals(sketches: &[&[u32]]) -> Vec<Option<usize>> {
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::default();
    let mut found = Vec::with_capacity(sketches.len());
    for (place, sketch) in sketches.iter().enumerate() {
        let sharing = sketch.iter().filter_map(|hash| holders.get(hash));
        let mut candidates: Vec<usize> = sharing.flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let original = candidates
            .into_iter()
            .find(|other| likeness(sketches[*other], sketch) >= ALIKE);
        if original.is_none() {
            for hash in *sketch {
                let places = holders.entry(*hash).or_default();
                if places.len() < PHRASE {
                    places.push(place);
                }
            }
        }
        found.push(original);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Sketch {
        let words: Vec<u64> = text.split(' ').map(|word| hash(word.as_bytes())).collect();
        sketch(&words)
    }

    #[test]
    fn a_copy_with_a_few_words_changed_has_an_original() {
        let words: Vec<String> = (0..200).map(|number| format!("w{number}")).collect();
        let original = words.join(" ");
        let near = original
            .replace("w100 ", "other ")
            .replace("w150 ", "another ");
        let half = format!("{} {}", words[..100].join(" "), "x y z ".repeat(40));
        let texts = [
            original.as_str(),
            "quite another text",
            &half,
            &near,
            &original,
        ];
        let sketches: Vec<Sketch> = texts.iter().map(|text| of(text)).collect();
        let sketches: Vec<&[u32]> = sketches.iter().map(Vec::as_slice).collect();
        assert_eq!(originals(&sketches), [None, None, None, Some(0), Some(0)]);
    }

    #[test]
    fn short_texts_are_alike_only_if_they_are_the_same() {
        assert_eq!(of("a b"), of("a b"));
        assert!(likeness(&of("a b"), &of("a c")) < 0.5);
        assert!((likeness(&of("a b"), &of("a b")) - 1.0).abs() < 1e-9);
    }
}
