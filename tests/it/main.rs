//! The program as its users meet it: one file per behaviour, over a small harness.

mod engine;
mod harness;
