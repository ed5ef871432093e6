//! The README's two commands, and what it says that the first one prints.

use crate::harness::{Scratch, example};

const README: &str = include_str!("../../README.md");

/// The fenced blocks of the README, in order.
fn blocks() -> Vec<&'static str> {
    let parts = README.split("```").collect::<Vec<_>>();
    let fenced = parts.iter().skip(1).step_by(2);
    fenced
        .map(|block| block.split_once('\n').unwrap().1)
        .collect()
}

#[test]
fn the_first_block_holds_two_commands_and_prints_what_the_readme_says() {
    let blocks = blocks();
    let commands: Vec<&str> = blocks[0].lines().collect();
    assert_eq!(commands.len(), 2);
    assert_eq!(commands[1], "cargo test --locked");
    let line = commands[0]
        .strip_prefix("cargo run --release --locked -- run \"")
        .unwrap();
    let (topic, rest) = line.split_once("\" ").unwrap();
    assert_eq!(rest, "--docs examples/heat-pumps");

    let ran = Scratch::new().run(&["run", topic, "--docs", example().to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with(blocks[1]), "{}", ran.stdout);
    assert!(ran.stdout.contains(blocks[2]), "{}", ran.stdout);
}

#[test]
fn ci_runs_the_second_command() {
    let script = include_str!("../../.ci/run");
    assert!(script.lines().any(|line| line == "cargo test --locked"));
}
