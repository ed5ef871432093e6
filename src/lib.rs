//! x
pub mod agent;
pub mod artifact;
pub mod cite;
pub mod cli;
pub mod config;
pub mod export;
pub mod pipeline;
pub mod read;
pub mod run;
pub mod search;
pub mod session;
pub mod stage;
pub mod text;
