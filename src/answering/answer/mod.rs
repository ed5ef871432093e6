//! Answers: whether a sentence has what a question asks for, one file a kind of answer.

pub(super) mod alternatives;
pub(super) mod check;
pub(super) mod column;
pub(super) mod dates;
pub(super) mod doubts;
pub(super) mod effect;
pub(super) mod headings;
pub(super) mod ideographs;
pub(super) mod interval;
pub(super) mod names;
pub(super) mod omission;
pub(super) mod outcome;
pub(super) mod paraphrase;
pub(super) mod permission;
pub(super) mod phrases;
pub(super) mod pieces;
pub(super) mod presence;
pub(super) mod quantity;
pub(super) mod reasons;
pub(super) mod steps;
pub(super) mod tenure;
pub(super) mod thing;
pub(super) mod trend;
pub(super) mod type_words;
pub(super) mod unknowns;
