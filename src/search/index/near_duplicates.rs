//! Near-duplicate detection: documents that repeat another nearly word for word, which are named as
//! such, and repetitions: documents that say the same in the same words, of which one is enough.
//! Forms and versions differ in a number or a name and are near-duplicates, but no repetitions.
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

/// The lines of a header that a copy may have beside its original, and the share of its words that
/// they are at most. Chosen by hand.
const HEADER_LINES: usize = 3;
const MAX_HEADER_SHARE: f64 = 0.2;

/// The fingerprints of a document: that of the whole, and one for each of those lines.
pub(in crate::search) const FINGERPRINTS: usize = 1 + HEADER_LINES;

/// [`FINGERPRINTS`] values: that of all of its words in order,
/// and those without its first line, its first two and so on; 0 where more than a header is left
/// out.
pub(in crate::search) type Fingerprints = Vec<u64>;

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

/// The fingerprints of a document by the hashes of its words in order and the places at which its
/// second line with words begins, its third and so on.
pub(in crate::search) fn fingerprints(
    words: &[u64],
    lines: impl Iterator<Item = usize>,
) -> Fingerprints {
    let is_header =
        |words_left_out: usize| words_left_out as f64 <= MAX_HEADER_SHARE * words.len() as f64;
    let starts: Vec<usize> = lines.take(HEADER_LINES).collect();
    let mut fingerprints = vec![0; FINGERPRINTS];
    // A polynomial over the words from the last one: its value at a word is that of the rest.
    let mut hash: u64 = 1;
    for (number, word) in words.iter().enumerate().rev() {
        hash = mix(hash.rotate_left(5) ^ *word);
        if number == 0 {
            fingerprints[0] = hash;
        } else if let Ok(line) = starts.binary_search(&number)
            && is_header(number)
        {
            fingerprints[1 + line] = hash;
        }
    }
    fingerprints
}

/// For each document the first one that says the same in the same words, which itself repeats none;
/// one of the two may have a header that the other has not.
pub(in crate::search) fn repeated(documents: &[&[u64]]) -> Vec<Option<usize>> {
    // The originals by all of their words, and by those without a header.
    let mut whole: HashMap<u64, usize> = HashMap::default();
    let mut without_header: HashMap<u64, usize> = HashMap::default();
    let mut originals = Vec::with_capacity(documents.len());
    for (number, document) in documents.iter().enumerate() {
        let Some((all, rests)) = document.split_first().filter(|(all, _)| **all != 0) else {
            originals.push(None);
            continue;
        };
        let rests = || rests.iter().filter(|rest| **rest != 0);
        let of_rest = rests().filter_map(|rest| whole.get(rest)).min();
        let same = whole.get(all).or_else(|| without_header.get(all));
        let original = same.or(of_rest).copied();
        if original.is_none() {
            whole.insert(*all, number);
            rests().for_each(|rest| {
                without_header.entry(*rest).or_insert(number);
            });
        }
        originals.push(original);
    }
    originals
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

    /// The repetitions of texts, by lines.
    fn repeated_texts(texts: &[&str]) -> Vec<Option<usize>> {
        let fingerprints = texts.iter().map(|text| {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let words = || lines.clone().map(|line| line.split_whitespace());
            let hashes: Vec<u64> = words()
                .flatten()
                .map(|word| hash(word.as_bytes()))
                .collect();
            let mut ends = words().scan(0, |end, line| {
                *end += line.count();
                Some(*end)
            });
            super::fingerprints(&hashes, &mut ends)
        });
        let fingerprints: Vec<Fingerprints> = fingerprints.collect();
        let slices: Vec<&[u64]> = fingerprints.iter().map(Vec::as_slice).collect();
        repeated(&slices)
    }

    #[test]
    fn copies_with_a_header_are_repetitions_and_forms_are_none() {
        let form = |interest: &str| {
            format!(
                "Lease of the hall\n\n{}the interest is {interest} a year\n",
                "and ".repeat(40)
            )
        };
        let (four, seven) = (form("4"), form("7"));
        let spaced = four.replace("\n\n", "\n\n\n").replace(' ', "  ");
        let headed = format!("Copy of 3 May\nPage 1\n\n{four}");
        let texts = [&four, &seven, &spaced, &headed].map(String::as_str);
        assert_eq!(repeated_texts(&texts), [None, None, Some(0), Some(0)]);
        let texts = [&headed, &four].map(String::as_str);
        assert_eq!(repeated_texts(&texts), [None, Some(0)]);
        // A text that is mostly its first lines says more than the rest of it.
        assert_eq!(repeated_texts(&["a b c\nd e", "d e"]), [None, None]);
        assert_eq!(repeated_texts(&["", ""]), [None, None]);
    }

    #[test]
    fn short_texts_are_similar_only_if_equal() {
        assert_eq!(of("a b"), of("a b"));
        assert!(similarity(&of("a b"), &of("a c")) < 0.5);
        assert!((similarity(&of("a b"), &of("a b")) - 1.0).abs() < 1e-9);
    }
}
