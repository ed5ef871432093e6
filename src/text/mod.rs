//! Text as text: blocks, sentences, words, quantities, likeness. Everything here is a function of
//! its arguments; nothing here opens a file, knows where a text came from, or knows what a report
//! is.
//!
//! Every range is a range of bytes into the text that was passed in and falls on character
//! boundaries.

pub mod blocks;
pub mod numbers;
pub mod sentences;
pub mod signs;
pub mod similarity;
pub mod words;

pub use blocks::{Block, BlockKind, blocks, first_heading, paragraphs};
pub use numbers::{Quantity, quantities};
pub use sentences::{Standing, asks_alone, prose, sentences, standing, stands_alone};
pub use similarity::{cosine, overlap};
pub use words::{Word, fold, holds_phrase, is_stop_word, same_root, stem, terms, words};
