//! A finished session as bytes: one file per format. Pure.

pub mod markdown;
