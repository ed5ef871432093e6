//! Near-duplicate detection: documents that repeat another nearly word for word, so that one source
//! is not counted twice.
//!
//! The likeness of two documents is the Jaccard similarity of their shingles (runs of five words),
//! estimated by bottom-k MinHash (Broder, "On the resemblance and containment of documents", 1997).

use foldhash::HashMap;

/// The words of a shingle.
const SHINGLE_WORDS: usize = 5;

/// The hashes of a sketch: the k of bottom-k MinHash. The error of the estimate is about 1/√k.
pub(in crate::search) const SKETCH_HASHES: usize = 64;

/// From this similarity on documents are one source: of a hundred words, three may differ. Chosen
/// by hand.
const MIN_SIMILARITY: f64 = 0.7;

/// A shingle that more documents than this share is a stock phrase and no evidence of a copy.
/// Chosen by hand.
const MAX_HOLDERS: usize = 50;

/// The smallest hashes of a document's shingles, ascending: its MinHash sketch.
pub(in crate::search) type Sketch = Vec<u32>;

/// FNV-1a, the same on every machine.
pub(in crate::search) fn hash(bytes: &[u8]) -> u64 {
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
pub(in crate::search) fn sketch(words: &[u64]) -> Sketch {
    // The words are hashes already, so that one mix for a shingle is enough.
    let shingle = |words: &[u64]| {
        let hash = words
            .iter()
            .fold(0, |sum: u64, word| sum.rotate_left(13).wrapping_add(*word));
        (mix(hash) >> 32) as u32
    };
    let mut hashes: Vec<u32> = if words.len() < SHINGLE_WORDS {
        vec![shingle(words)]
    } else {
        words.windows(SHINGLE_WORDS).map(shingle).collect()
    };
    // Bottom-k: one hash function, its k smallest values over the set of shingles. They are sorted
    // alone but in a text that repeats itself so much that they are not so many.
    let smallest = |hashes: &[u32]| {
        let mut smallest = hashes.to_vec();
        smallest.sort_unstable();
        smallest.dedup();
        smallest.truncate(SKETCH_HASHES);
        smallest
    };
    if hashes.len() > 2 * SKETCH_HASHES {
        let (few, ..) = hashes.select_nth_unstable(2 * SKETCH_HASHES);
        let sketch = smallest(few);
        if sketch.len() == SKETCH_HASHES {
            return sketch;
        }
    }
    smallest(&hashes)
}

/// The estimated Jaccard similarity of two documents: of the k smallest hashes of both together,
/// the share that both have.
fn similarity(a: &[u32], b: &[u32]) -> f64 {
    // A merge of two ascending lists, of which the first k of the union are looked at.
    let (mut i, mut j, mut all, mut shared) = (0, 0, 0_u32, 0_u32);
    while all < SKETCH_HASHES as u32 && (i < a.len() || j < b.len()) {
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

/// Two bits for each hash value, modulo their number: met once, met again. A value that was never
/// met again is surely of one document only.
struct Repeated {
    once: Vec<u64>,
    again: Vec<u64>,
}

impl Repeated {
    /// 2^25 bits, 4 MiB each, for millions of hashes; few documents get fewer.
    fn of(sketches: &[&[u32]]) -> Self {
        let hashes: usize = sketches.iter().map(|sketch| sketch.len()).sum();
        let words = (hashes / 4).next_power_of_two().clamp(1 << 6, 1 << 19);
        let mut repeated = Self {
            once: vec![0; words],
            again: vec![0; words],
        };
        for hash in sketches.iter().copied().flatten() {
            let (word, bit) = repeated.position(*hash);
            repeated.again[word] |= repeated.once[word] & bit;
            repeated.once[word] |= bit;
        }
        repeated
    }

    fn position(&self, hash: u32) -> (usize, u64) {
        let word = (hash >> 6) as usize & (self.once.len() - 1);
        (word, 1 << (hash & 63))
    }

    fn contains(&self, hash: u32) -> bool {
        let (word, bit) = self.position(hash);
        self.again[word] & bit != 0
    }
}

/// The hashes of two or more documents, ascending. Of those that are not surely of one alone most
/// still are.
fn shared_hashes(sketches: &[&[u32]], repeated: &Repeated) -> Vec<u32> {
    let all = sketches.iter().copied().flatten().copied();
    let mut hashes: Vec<u32> = all.filter(|hash| repeated.contains(*hash)).collect();
    hashes.sort_unstable();
    // A sketch has no hash twice.
    let groups = hashes.chunk_by(|one, next| one == next);
    groups
        .filter(|group| group.len() > 1)
        .map(|group| group[0])
        .collect()
}

/// For each document the first one that it nearly repeats, which itself repeats none.
pub(in crate::search) fn originals(sketches: &[&[u32]]) -> Vec<Option<usize>> {
    // Nearly all shingles are of one document only. They lead to no candidate, so they need no
    // entry in the inverted table, which would otherwise take hundreds of megabytes.
    let repeated = Repeated::of(sketches);
    let shared_hashes = shared_hashes(sketches, &repeated);
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::default();
    let mut originals = Vec::with_capacity(sketches.len());
    for (document, sketch) in sketches.iter().enumerate() {
        let is_shared =
            |hash: &&u32| repeated.contains(**hash) && shared_hashes.binary_search(hash).is_ok();
        let shared: Vec<&u32> = sketch.iter().filter(is_shared).collect();
        let mut candidates: Vec<usize> = shared
            .iter()
            .filter_map(|hash| holders.get(*hash))
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        // The first in order, not the most similar, so that all copies have one original.
        let original = candidates
            .into_iter()
            .find(|other| similarity(sketches[*other], sketch) >= MIN_SIMILARITY);
        if original.is_none() {
            for hash in shared {
                let documents = holders.entry(*hash).or_default();
                if documents.len() < MAX_HOLDERS {
                    documents.push(document);
                }
            }
        }
        originals.push(original);
    }
    originals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Sketch {
        let words: Vec<u64> = text.split(' ').map(|word| hash(word.as_bytes())).collect();
        sketch(&words)
    }

    #[test]
    fn near_duplicate_with_a_few_words_changed_has_an_original() {
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
    fn short_texts_are_similar_only_if_equal() {
        assert_eq!(of("a b"), of("a b"));
        assert!(similarity(&of("a b"), &of("a c")) < 0.5);
        assert!((similarity(&of("a b"), &of("a b")) - 1.0).abs() < 1e-9);
    }
}
