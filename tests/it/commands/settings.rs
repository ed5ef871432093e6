//! `research config`: values with their origins, and a file to begin with.

use std::fs;

use serde_json::Value;

use crate::harness::{Ran, Scratch, parsed, skipped};

/// The user's settings file in the home directory of a test.
const OWN: &str = ".config/research/research.toml";

fn setting(listing: &Value, key: &str) -> Value {
    let settings = listing["settings"].as_array().unwrap();
    let setting = settings.iter().find(|setting| setting["key"] == key);
    setting.unwrap_or_else(|| panic!("no {key}")).clone()
}

#[test]
fn config_shows_each_value_with_the_layer_that_it_comes_from() {
    let scratch = Scratch::new();
    scratch.write(OWN, "# mine\n[run]\nmax_rounds = 5\nthreshold = 0.3\n");
    scratch.write("config/research.toml", "[run]\n\nthreshold = 0.7\n");
    let mut command = scratch.command(&["config", "--json", "--output-dir", "out"]);
    let ran = command
        .env("RESEARCH_BUDGET__MAX_TOKENS", "9")
        .output()
        .unwrap();
    let listing = parsed(&Ran::from(ran).stdout);
    for (key, value, origin) in [
        ("run.depth", "\"auto\"", r#"{"kind":"default"}"#),
        (
            "run.output_dir",
            "\"out\"",
            r#"{"kind":"option","name":"--output-dir"}"#,
        ),
        (
            "models.default",
            "\"rules\"",
            r#"{"kind":"variable","name":"RESEARCH_MODEL"}"#,
        ),
        (
            "budget.max_tokens",
            "9",
            r#"{"kind":"variable","name":"RESEARCH_BUDGET__MAX_TOKENS"}"#,
        ),
        (
            "run.threshold",
            "0.7",
            r#"{"kind":"file","path":"config/research.toml","line":3}"#,
        ),
    ] {
        let setting = setting(&listing, key);
        assert_eq!(setting["value"].to_string(), value, "{key}");
        assert_eq!(setting["origin"], parsed(origin), "{key}");
    }
    assert_eq!(setting(&listing, "run.max_rounds")["origin"]["line"], 3);
    assert_eq!(listing["files"][0]["exists"], true);
    let shown = scratch.expect(0, &["config", "--changed"]).stdout;
    let line = shown.lines().find(|line| line.starts_with("run.threshold"));
    assert!(
        line.unwrap().ends_with("# config/research.toml:3"),
        "{shown}"
    );
    assert!(!shown.contains("run.depth"), "{shown}");
}

#[test]
fn what_is_no_setting_is_named_with_its_line_and_the_likely_one() {
    let scratch = Scratch::new();
    scratch.write("config/research.toml", "[run]\n# x\nthreshhold = 0.7\n");
    let stderr = scratch.expect(2, &["list"]).stderr;
    let words =
        "config/research.toml:3: there is no setting run.threshhold; did you mean run.threshold?";
    assert!(stderr.contains(words), "{stderr}");
    // The doctor names it among its checks, and makes the others.
    let checks = scratch.expect(2, &["doctor"]).stdout;
    assert!(checks.contains("FAIL  settings"), "{checks}");
    assert!(checks.contains("ok    lock"), "{checks}");
    scratch.write("config/research.toml", "[run]\nthreshold = \"high\"\n");
    let stderr = scratch.expect(2, &["config"]).stderr;
    assert!(stderr.contains("config/research.toml:2"), "{stderr}");
    fs::remove_dir_all(scratch.path().join("config")).unwrap();
    scratch.write("research.toml", "");
    let mut command = scratch.command(&["config"]);
    let ran = Ran::from(command.env("RESEARCH_THRESHOLD", "1").output().unwrap());
    ran.assert_ended(0, "config");
    for words in [
        "RESEARCH_THRESHOLD is not a setting",
        "did you mean RESEARCH_RUN__THRESHOLD?",
        "config/research.toml",
    ] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn variable_that_is_no_setting_is_named_by_every_command_that_reads_settings() {
    let scratch = Scratch::new();
    for (name, nearest) in [
        ("RESEARCH_FOO", ""),
        (
            "RESEARCH_THRESHOLD",
            "; did you mean RESEARCH_RUN__THRESHOLD?",
        ),
        (
            "RESEARCH_TRESHOLD",
            "; did you mean RESEARCH_RUN__THRESHOLD?",
        ),
    ] {
        let ran = Ran::from(scratch.command(&["list"]).env(name, "1").output().unwrap());
        ran.assert_ended(0, name);
        let said = format!(
            "research: the variable {name} is not a setting; those are named \
             RESEARCH_SECTION__KEY{nearest}\n"
        );
        assert!(ran.stderr.starts_with(&said), "{}", ran.stderr);
        let mut known = scratch.command(&["list"]);
        let ran = Ran::from(known.env("RESEARCH_JWT_SECRET", "s").output().unwrap());
        assert!(!ran.stderr.contains("is not a setting"), "{}", ran.stderr);
        let mut quiet = scratch.command(&["list", "--quiet"]);
        let ran = Ran::from(quiet.env(name, "1").output().unwrap());
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn init_writes_a_file_of_comments_once() {
    let scratch = Scratch::new();
    let path = scratch.expect(0, &["config", "path"]).stdout;
    assert!(path.trim_end().ends_with(OWN), "{path}");
    let ran = scratch.expect(0, &["config", "init", "--yes"]);
    assert_eq!(ran.stdout, path);
    let text = scratch.read(OWN);
    assert!(text.contains("\n#threshold = 0.6\n"), "{text}");
    let settings = text
        .lines()
        .filter(|line| line.contains(" = ") && !line.starts_with('#'));
    assert_eq!(settings.count(), 0, "{text}");
    let shown = scratch.expect(0, &["config", "--changed"]).stdout;
    assert!(!shown.contains("research.toml:"), "{shown}");
    let refused = scratch.expect(2, &["config", "init"]).stderr;
    assert!(refused.contains("exists already"), "{refused}");
    assert_eq!(scratch.read(OWN), text);
    scratch.expect(0, &["config", "init", "--file", "other/research.toml"]);
    assert_eq!(scratch.read("other/research.toml"), text);
    // Every line that is a comment only for now is a valid setting.
    let all: String = text
        .lines()
        .map(|line| {
            line.strip_prefix('#')
                .filter(|rest| !rest.starts_with(' '))
                .unwrap_or(line)
        })
        .map(|line| format!("{line}\n"))
        .collect();
    scratch.write(OWN, all);
    let listing = parsed(&scratch.expect(0, &["config", "--json"]).stdout);
    assert_eq!(
        setting(&listing, "network.timeout_seconds")["origin"]["kind"],
        "file"
    );
}

#[test]
fn init_asks_on_a_terminal_and_never_takes_a_key() {
    let scratch = Scratch::new();
    let secret = "sk-0123456789abcdefghijklmnop";
    let typed = format!("{secret}\nrules\n\nsessions\n-1\n2.5\n");
    let Some(shown) = scratch.on_terminal(&["config", "init"], &[], &typed) else {
        return skipped("there is no `script`");
    };
    assert!(shown.contains("keys do not belong here"), "{shown}");
    assert!(
        shown.contains("not a finite, non-negative amount"),
        "{shown}"
    );
    let text = scratch.read(OWN);
    for line in [
        "\ndefault = \"rules\"\n",
        "\n#services = \"auto\"\n",
        "\noutput_dir = \"sessions\"\n",
        "\nmax_cost_usd = 2.5\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("sk-"), "{text}");
}

#[test]
fn settings_beside_the_work_that_are_not_read_are_named_by_the_doctor() {
    let scratch = Scratch::new();
    scratch.write("research.toml", "[run]\nthreshold = 0.5\n");
    let checks = scratch.expect(0, &["doctor"]).stdout;
    let words = checks.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("move it to config/research.toml"), "{words}");
    scratch.write("config/research.toml", "[run]\nthreshold = 0.5\n");
    fs::remove_file(scratch.path().join("research.toml")).unwrap();
    let checks = scratch.expect(0, &["doctor"]).stdout;
    assert!(!checks.contains("is not read here"), "{checks}");
}

#[test]
fn doctor_says_once_what_is_wrong_with_the_settings() {
    let scratch = Scratch::new();
    scratch.write(OWN, "[run]\nthreshhold = 0.7\n");
    let ran = scratch.expect(2, &["doctor"]);
    let both = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(both.matches("threshhold").count(), 1, "{both}");
    assert!(ran.stdout.contains("FAIL  settings"), "{both}");
    let ran = scratch.expect(2, &["doctor", "--json"]);
    assert!(ran.stdout.contains("threshhold"), "{}", ran.stdout);
}
