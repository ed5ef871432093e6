//! Settings files of strangers, in a cloned repository say: they may tune, and give nothing away.

use std::fs;
use std::time::Duration;

use crate::harness::{Ran, Scratch};
use crate::models::server::Server as Models;
use crate::models::{self, RUN_ARGUMENTS};
use crate::online;

const SECRET: &str = "a-secret-of-another-service";

/// A directory whose `config/providers.toml` wants a secret to be sent to this address.
fn with_providers(url: &str) -> Scratch {
    let scratch = Scratch::with_few();
    let models = "simple = \"m\"\nanalytical = \"m\"\ncomplex = \"m\"\n";
    let provider = format!(
        "[mine]\nprotocol = \"openai\"\nbase_url = \"{url}/v1/\"\n\
         key_variable = \"AWS_SECRET_ACCESS_KEY\"\nschema = \"native\"\nfound = true\n{models}"
    );
    scratch.write("config/providers.toml", provider);
    scratch
}

#[test]
fn providers_in_the_working_directory_get_no_secret_until_they_are_approved() {
    let server = Models::sound(Duration::ZERO);
    let scratch = with_providers(&server.url());
    let ran = |arguments: &[&str], approved: Option<&str>| {
        let mut command = models::command(&scratch, &server, arguments);
        command
            .env_remove("OPENAI_BASE_URL")
            .env("AWS_SECRET_ACCESS_KEY", SECRET)
            .envs(approved.map(|directory| ("RESEARCH_CONFIG", directory)));
        Ran::from(command.output().unwrap())
    };
    let location = "config/providers.toml:3: base_url of [mine]";
    let doctor = ran(&["doctor"], None);
    doctor.assert_ended(1, "doctor");
    assert!(doctor.stdout.contains(location), "{}", doctor.stdout);
    assert!(doctor.stdout.contains("then config/providers.toml"));
    let refused = ran(&RUN_ARGUMENTS, None);
    refused.assert_ended(2, "run");
    assert!(refused.stderr.contains(location), "{}", refused.stderr);
    assert!(refused.stderr.contains("RESEARCH_CONFIG=\"/"));
    assert_eq!(server.calls(), 0);

    let approved = ran(&["doctor"], Some("config"));
    approved.assert_ended(0, "approved");
    let host = server.url().replace("http://", "answered by mine:m at ");
    assert!(approved.stdout.contains(&host), "{}", approved.stdout);
    assert_eq!(server.calls(), 1);
}

#[test]
fn built_in_provider_may_be_tuned_but_not_redirected() {
    let server = Models::sound(Duration::ZERO);
    let scratch = Scratch::with_few();
    let built_in = include_str!("../../config/providers.toml");
    let ran = |table: &str| {
        scratch.write("config/providers.toml", table);
        models::run(&scratch, &server, &["doctor"])
    };
    let tuned = built_in.replacen("calls_at_once = 16", "calls_at_once = 1", 1);
    ran(&tuned).assert_ended(0, "tuned");
    let calls = server.calls();
    for (old, new) in [
        ("https://api.openai.com/", "http://127.0.0.1:1/"),
        ("\"OPENAI_BASE_URL\"", "\"OPENAI_API_KEY\""),
        ("\"OPENAI_API_KEY\"", "\"AWS_SECRET_ACCESS_KEY\""),
    ] {
        let refused = ran(&built_in.replacen(old, new, 1));
        refused.assert_ended(1, new);
        assert!(refused.stdout.contains("of [openai] is not taken"));
    }
    assert_eq!(server.calls(), calls);
}

#[test]
fn search_services_in_the_working_directory_get_no_key() {
    let web = online::web();
    let scratch = online::scratch(&web);
    let entry = scratch.read(".config/research/services.toml");
    std::fs::remove_dir_all(scratch.path().join(".config")).unwrap();
    scratch.write("config/services.toml", format!("\n{entry}"));
    let ran = online::onto(&web, &mut scratch.command(&online::ASKING));
    ran.assert_ended(2, "services");
    let location = "config/services.toml:3: base_url of [brave]";
    assert!(ran.stderr.contains(location), "{}", ran.stderr);
    assert_eq!(web.requests.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[test]
fn settings_in_the_working_directory_open_no_private_network() {
    let scratch = Scratch::new();
    scratch.write("config/research.toml", "[network]\nallow = \"0.0.0.0/0\"\n");
    let ran = scratch.expect(2, &["read", "http://127.0.0.1:1/"]);
    assert!(
        ran.stderr
            .contains("config/research.toml:2: allow of [network]"),
        "{}",
        ran.stderr
    );
    let mut command = scratch.command(&["read", "http://127.0.0.1:1/"]);
    let approved = command.env("RESEARCH_CONFIG", "config/research.toml");
    let approved = Ran::from(approved.output().unwrap());
    assert!(
        !approved.stderr.contains("not taken"),
        "{}",
        approved.stderr
    );
    approved.assert_ended(1, "approved");
}

#[test]
fn sessions_are_not_written_through_a_link_of_the_working_directory() {
    let (scratch, outside) = (Scratch::with_few(), Scratch::new());
    let files = fs::read_dir(outside.path()).unwrap().count();
    std::os::unix::fs::symlink(outside.path(), scratch.path().join("link")).unwrap();
    let run = ["run", "heat pump", "--docs", "docs", "--offline"];
    for directory in ["link", "link/new", "link/new/deep"] {
        scratch.write(
            "config/research.toml",
            format!("[run]\noutput_dir = \"{directory}\"\n"),
        );
        let ran = scratch.expect(2, &run);
        let refusal = "config/research.toml:2: output_dir of [run]";
        assert!(ran.stderr.contains(refusal), "{}", ran.stderr);
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), files);
}
