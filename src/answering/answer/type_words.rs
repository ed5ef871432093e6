//! The words by which a sentence is known to have an answer of a type: closed lists.

/// Words with which a sentence says whether something is worth while.
pub(in crate::answering) const EVALUATIONS: &[&str] = &[
    "worth",
    "worthwhile",
    "sensible",
    "reasonable",
    "suitable",
    "advisable",
    "recommended",
    "makes sense",
    "make sense",
    "good idea",
    "pays off",
    "pay off",
    "pays for itself",
    "not a problem",
    "no problem",
    "cheaper",
    "saves",
    "save",
    "useful",
    "helpful",
    "helps",
    "economical",
    "reliably",
];

/// Words with which a sentence says whether something may or must be done.
pub(in crate::answering) const RULES: &[&str] = &[
    "allowed",
    "banned",
    "cannot",
    "compulsory",
    "consent",
    "forbidden",
    "free to",
    "illegal",
    "legal",
    "mandatory",
    "may",
    "may not",
    "must",
    "obligatory",
    "permission",
    "permitted",
    "prohibited",
    "required",
];

/// Words that compare.
pub(in crate::answering) const COMPARISONS: &[&str] = &[
    "than",
    "whereas",
    "while",
    "compared",
    "unlike",
    "both",
    "versus",
    "instead",
    "difference",
    "differs",
    "different",
    "distinct",
];

/// Words that introduce a manner.
pub(in crate::answering) const MANNERS: &[&str] = &[
    "by",
    "through",
    "using",
    "via",
    "with the help of",
    "method",
    "process",
];

/// Words that introduce a definition.
pub(in crate::answering) const DEFINITIONS: &[&str] = &[
    "is a",
    "is an",
    "is the",
    "are a",
    "are the",
    "was a",
    "was an",
    "was the",
    "means",
    "refers to",
    "called",
    "known as",
    "defined as",
    "is",
    "are",
];

/// Words with which a sentence says what follows: "It will abort", "That results in an error".
pub(in crate::answering) const CONSEQUENCES: &[&str] = &[
    "abort",
    "aborts",
    "aborted",
    "becomes",
    "causes",
    "crashes",
    "expires",
    "fails",
    "is an error",
    "is lost",
    "is undefined",
    "lapses",
    "leads to",
    "panics",
    "raises",
    "result in",
    "results in",
    "returns",
    "stops",
    "terminates",
    "throws",
    "triggers",
    "will",
    "wraps",
];
