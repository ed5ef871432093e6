//! The files of `deploy/`: what they start is what the program has.

use std::fs;
use std::path::Path;

use crate::harness::Scratch;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("deploy")
        .join(name);
    fs::read_to_string(path).unwrap()
}

#[test]
fn the_unit_of_systemd_and_the_container_start_what_there_is() {
    let scratch = Scratch::new();
    let help = scratch.expect(0, &["serve", "--help"]).stdout;
    let config = scratch.expect(0, &["config"]).stdout;
    for text in [file("research.service"), file("Containerfile")] {
        let words =
            || text.split(|letter: char| letter.is_whitespace() || "\",[]()".contains(letter));
        let starts = |line: &&str| line.starts_with("ExecStart=") || line.starts_with("CMD ");
        let start = text.lines().find(starts).unwrap();
        assert!(start.contains("serve"), "{start}");
        let flags = start
            .split([' ', '"'])
            .filter(|word| word.starts_with("--"));
        for flag in flags {
            assert!(help.contains(flag), "{flag}");
        }
        let settings = words().filter_map(|word| word.strip_prefix("RESEARCH_")?.split_once("__"));
        for (table, key) in settings {
            let key = key.split('=').next().unwrap().to_lowercase();
            let setting = format!("{}.{key}", table.to_lowercase());
            assert!(config.contains(&setting), "{setting}");
        }
    }
}

#[test]
fn the_array_and_the_indexed_job_run_shards_of_a_batch() {
    let help = Scratch::new().expect(0, &["batch", "--help"]).stdout;
    for name in ["slurm.sh", "kubernetes.yaml"] {
        let text = file(name);
        let (_, arguments) = text.split_once("research batch ").unwrap();
        let mut flags = arguments.split_whitespace();
        assert!(flags.clone().any(|word| word == "--shard"), "{name}");
        let is_unknown = |word: &&str| word.starts_with("--") && !help.contains(word);
        assert_eq!(flags.find(is_unknown), None, "{name}");
    }
}
