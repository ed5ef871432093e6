//! The texts that a question was compared with so far: many rules ask for the same ones, and the
//! texts of one collection have most of their words in common.

use std::sync::Mutex;

use foldhash::HashMap;

use super::super::vocabulary::Vocabulary;

/// The terms that a word matches, with the degrees, 0 to 1.
pub(in crate::answering) type Degrees = Box<[(usize, f32)]>;

/// A cache of the terms that texts meet. It is no part of the question: a clone, whose terms may be
/// changed, begins with an empty one.
#[derive(Debug, Default)]
pub(in crate::answering) struct ComparedTexts(pub(in crate::answering) Mutex<Texts>);

/// Texts, and their words.
#[derive(Debug, Default)]
pub(in crate::answering) struct Texts {
    pub(in crate::answering) vocabulary: Vocabulary,
    /// By token of the vocabulary: the terms that it matches, once it was compared.
    pub(in crate::answering) degrees: Vec<Option<Degrees>>,
    /// By text: the numbers of the terms that it meets, in order.
    pub(in crate::answering) met: HashMap<Box<str>, Box<[usize]>>,
}

impl Clone for ComparedTexts {
    fn clone(&self) -> Self {
        Self::default()
    }
}
