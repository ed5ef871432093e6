//! The program as its users meet it: one file per behaviour, over a small harness.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test where it stands"
)]

mod allotments;
mod analysts;
mod answers;
mod batch;
mod batch_outcomes;
mod bathing;
mod batteries;
mod brewery;
mod bridges;
#[cfg(feature = "browser")]
mod browser;
mod check;
mod check_documents;
mod check_several;
mod choir;
mod commands;
mod concurrent;
mod dairy;
mod data;
mod diff;
mod directories;
#[path = "engine/disk_faults.rs"]
#[expect(clippy::duplicate_mod, reason = "the engine's own tests use it too")]
mod disk_faults;
mod dispensary;
mod documents;
mod documents_changed;
mod edited_files;
mod energy;
mod energy_office;
mod engine;
mod engineers;
mod estate;
mod export;
mod extending;
mod fate;
mod faults;
mod features;
mod first_claims;
mod fisheries;
mod further_questions;
mod gates;
mod golden;
mod harness;
mod hostile;
mod interrupted_updates;
mod interruption;
mod isolation;
mod kill;
mod laboratory;
mod layout;
mod leading_answers;
mod make;
mod markup;
mod memory;
mod models;
mod museum;
mod notices;
mod online;
mod operations;
mod pages;
mod paper;
mod papers;
mod paraphrases;
mod pdfs;
mod pharmacy;
mod plain_questions;
mod proposals;
mod providers;
#[cfg(feature = "nats")]
mod queue;
mod readme;
mod recorded;
mod references;
mod retractions;
mod reversals;
mod river;
mod search;
mod serve;
mod server;
mod sessions;
mod social;
mod states;
mod steps;
#[cfg(feature = "s3")]
mod store;
mod tables;
mod topics;
#[cfg(feature = "otel")]
mod traces;
mod trust;
mod web;
mod whole_tables;
