//! `research mcp`: a client of the Model Context Protocol goes from a question to a checked report.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::harness::{Scratch, parsed};

/// A client with its server.
struct Client {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
    /// The messages of the progress notifications so far.
    progress: Vec<String>,
}

impl Client {
    fn start(scratch: &Scratch) -> Self {
        let mut server = scratch
            .command(&["mcp", "--docs", "docs"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = server.stdin.take().unwrap();
        let output = BufReader::new(server.stdout.take().unwrap());
        let mut client = Self {
            server,
            input,
            output,
            last: 0,
            progress: Vec::new(),
        };
        let reply = client.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        assert_eq!(reply["result"]["serverInfo"]["name"], "research", "{reply}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server has ended"
            );
            let message = parsed(&line);
            if message["id"] == id {
                return message;
            }
            let text = message["params"]["message"].as_str();
            self.progress.extend(text.map(str::to_owned));
        }
    }

    /// Calls a tool; returns its text, and its value for programs unless it failed.
    fn call(&mut self, tool: &str, arguments: Value) -> Result<(String, Value), String> {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": 1}});
        let reply = self.request("tools/call", params);
        let result = &reply["result"];
        let text = result["content"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{reply}")).to_owned();
        if result["isError"] == true {
            return Err(text);
        }
        Ok((text, result["structuredContent"].clone()))
    }

    /// Ends the input; the server ends too.
    fn end(mut self) {
        drop(self.input);
        assert!(self.server.wait().unwrap().success());
    }
}

const QUESTION: &str = "What does a heat pump cost?";

#[test]
fn a_client_goes_from_a_question_to_a_checked_report() {
    let scratch = Scratch::with_few();
    let mut client = Client::start(&scratch);
    let tools = client.request("tools/list", json!({}));
    for tool in tools["result"]["tools"].as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(
            tool["description"]
                .as_str()
                .is_some_and(|text| text.len() > 20),
            "{tool}"
        );
    }
    let ask = json!({"topic": QUESTION, "session": "s"});
    let (_, plan) = client.call("plan", ask.clone()).unwrap();
    assert_eq!(
        (&plan["session"], &plan["exists"]),
        (&json!("s"), &json!(false))
    );
    assert!(!scratch.session().exists());
    let (report, answered) = client.call("research", ask).unwrap();
    assert!(report.starts_with(&format!("# {QUESTION}")), "{report}");
    assert_eq!(answered["status"]["state"], "COMPLETE", "{answered}");
    assert_eq!(answered["claims"][0], answered["claims"][1], "{answered}");
    // Links of the report are addresses of resources.
    let start = report.find("research://").unwrap();
    let link = report[start..].split([' ', ')']).next().unwrap();
    let source = client.request("resources/read", json!({"uri": link}));
    let source = source["result"]["contents"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(source, scratch.read("research-output/s/sources/S1.md"));
    let listed = client.request("resources/list", json!({}));
    assert_eq!(
        listed["result"]["resources"][0]["title"], QUESTION,
        "{listed}"
    );
    let (_, verified) = client
        .call("verify_session", json!({"session": "s"}))
        .unwrap();
    assert_eq!(verified["problems"], json!([]));
    let (csv, _) = client
        .call("read_report", json!({"session": "s", "format": "csv"}))
        .unwrap();
    assert!(csv.lines().count() > 1, "{csv}");
    client.end();
}

#[test]
fn a_claim_is_checked_and_documents_are_searched_without_a_session() {
    let scratch = Scratch::with_few();
    let mut client = Client::start(&scratch);
    let passages = json!(["A heat pump for a detached house costs 25,000 euros."]);
    for (claim, verdict) in [
        ("A heat pump costs 25,000 euros.", "supported"),
        ("A heat pump costs 52,000 euros.", "partial"),
        (
            "A heat pump costs 25,000 euros, a sum that banks lend gladly.",
            "partial",
        ),
    ] {
        let arguments = json!({"claim": claim, "passages": passages});
        let (_, checked) = client.call("check_claim", arguments).unwrap();
        assert_eq!(checked["verdict"], verdict, "{checked}");
    }
    let search = json!({"query": "insulation of old houses", "limit": 2});
    let (_, hits) = client.call("search_documents", search).unwrap();
    assert_eq!(hits["passages"].as_array().map(Vec::len), Some(2), "{hits}");
    client.end();
}

#[test]
fn wrong_calls_are_refused_in_words_and_lead_out_of_no_session() {
    let scratch = Scratch::with_few();
    let mut client = Client::start(&scratch);
    for (tool, arguments, problem) in [
        ("research", json!({"topic": " "}), "the topic is empty"),
        ("research", json!({"topic": "x", "colour": 1}), "colour"),
        (
            "research",
            json!({"topic": "x", "docs": ["../docs"]}),
            "not among the documents",
        ),
        ("read_report", json!({"session": "../s"}), "no such session"),
        ("resume", json!({}), "session"),
    ] {
        let refused = client.call(tool, arguments).unwrap_err();
        assert!(refused.contains(problem), "{tool}: {refused}");
    }
    let reply = client.request("tools/call", json!({"name": "shell", "arguments": {}}));
    assert!(
        reply["error"]["message"]
            .as_str()
            .unwrap()
            .contains("no tool"),
        "{reply}"
    );
    for uri in [
        "research://sessions/s/files/../../docs/costs.md",
        "file:///etc/passwd",
    ] {
        let reply = client.request("resources/read", json!({"uri": uri}));
        assert!(reply["error"]["message"].is_string(), "{reply}");
    }
    client.end();
}
