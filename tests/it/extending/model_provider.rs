//! A model provider of somebody else: an entry in `providers.toml`, and no code.

use std::process::Command;
use std::time::Duration;

use crate::harness::{Ran, Scratch};
use crate::models::server::Server;
use crate::models::{RUN_ARGUMENTS, command};

const KEY: &str = "a-key-of-a-toy";

/// The value of a key in the provider's protocol.
const AUTHORIZATION: &str = "Bearer a-key-of-a-toy";

/// A working directory whose `config/providers.toml` adds the provider `toy` at this address.
fn with_toy_provider(base_url: &str) -> Scratch {
    let scratch = Scratch::with_few();
    let entry = format!(
        "[toy]\n\
         protocol = \"openai\"\n\
         base_url = \"{base_url}/of-a-toy/\"\n\
         key_variable = \"TOY_KEY_OF_A_TEST\"\n\
         schema = \"prompt\"\n"
    );
    scratch.write(".config/research/providers.toml", entry);
    scratch
}

/// The program with the provider's key, and with no other provider in its environment.
fn with_key(scratch: &Scratch, server: &Server, arguments: &[&str]) -> Command {
    let mut command = command(scratch, server, arguments);
    command
        .env_remove("OPENAI_BASE_URL")
        .env("TOY_KEY_OF_A_TEST", KEY);
    command
}

fn ran(command: &mut Command) -> Ran {
    command.output().unwrap().into()
}

#[test]
fn a_toy_model_provider_answers_a_run() {
    let server = Server::sound(Duration::ZERO);
    let scratch = with_toy_provider(&server.url());
    let arguments = [&RUN_ARGUMENTS[..], &["--model", "toy:name"]].concat();
    let ran = ran(&mut with_key(&scratch, &server, &arguments));
    ran.assert_ended(0, "a provider of the user's own");
    assert!(
        ran.stderr.contains("answered by toy:name"),
        "{}",
        ran.stderr
    );
    let recipe = scratch.json("report.json")["provenance"]["recipe"].clone();
    assert_eq!(recipe["answered_by"], "toy:name");
    // Address, key, model and the way of the schema all are the entry's.
    assert!(server.calls() > 0);
    for (request, _) in server.seen() {
        assert_eq!(request.path, "/of-a-toy/chat/completions");
        assert_eq!(request.headers["authorization"], AUTHORIZATION);
        assert_eq!(request.body["model"], "name");
        assert!(request.body["response_format"].is_null());
        // The writer answers in lines of text: nothing else is asked of it.
        let has_shape = request.body.to_string().contains("of this shape");
        assert_eq!(has_shape, request.agent != "writer");
    }
}

#[test]
fn doctor_calls_a_toy_model_provider() {
    let server = Server::sound(Duration::ZERO);
    let scratch = with_toy_provider(&server.url());
    let mut doctor = with_key(&scratch, &server, &["doctor"]);
    let ran = ran(doctor.env("RESEARCH_MODEL", "toy:name"));
    ran.assert_ended(0, "doctor");
    assert!(
        ran.stdout
            .contains("toy:name (simple, analytical, complex) responded"),
        "{}",
        ran.stdout
    );
    assert_eq!(server.calls(), 1);
}

#[test]
fn the_error_of_an_unknown_model_provider_lists_a_toy_one() {
    let server = Server::sound(Duration::ZERO);
    let scratch = with_toy_provider(&server.url());
    let arguments = [&RUN_ARGUMENTS[..], &["--model", "toi:name"]].concat();
    let ran = ran(&mut with_key(&scratch, &server, &arguments));
    ran.assert_ended(2, "a provider that is not there");
    // The user's entries go before the built-in ones.
    assert!(
        ran.stderr
            .contains("there is no provider \"toi\"; there are toy, openai,"),
        "{}",
        ran.stderr
    );
}
