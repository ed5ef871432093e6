//! Tokens, and the sessions of one owner before another.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

use super::{Answer, Serving, request, wait_until};
use crate::harness::{Scratch, TOPIC};

pub(super) const SECRET: &str = "a secret of tests, which is long enough";

/// A time that no test lives to see, and one that is over.
const LATER: u64 = 4_000_000_000;
const OVER: u64 = 1_000_000_000;

pub(super) fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A token with the signature that `sign` makes.
pub(super) fn token_by(header: &Value, claims: &Value, sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
    let message = format!(
        "{}.{}",
        encoded(header.to_string()),
        encoded(claims.to_string())
    );
    let signature = encoded(sign(message.as_bytes()));
    format!("{message}.{signature}")
}

pub(super) fn mac(algorithm: hmac::Algorithm, secret: &[u8]) -> impl Fn(&[u8]) -> Vec<u8> {
    let key = hmac::Key::new(algorithm, secret);
    move |message| hmac::sign(&key, message).as_ref().to_vec()
}

pub(super) fn claims(owner: &str) -> Value {
    json!({"sub": owner, "exp": LATER, "aud": "us"})
}

fn sign(claims: &Value, secret: &str) -> String {
    let header = json!({"alg": "HS256", "typ": "JWT"});
    token_by(&header, claims, mac(hmac::HMAC_SHA256, secret.as_bytes()))
}

pub(super) fn token(owner: &str) -> String {
    sign(&claims(owner), SECRET)
}

pub(super) fn serving(scratch: &Scratch, variables: &[(&str, &str)]) -> Serving {
    let audience = [("RESEARCH_SERVER__AUDIENCE", "us")];
    Serving::start(
        scratch,
        &["--docs", "docs"],
        &[&audience, variables].concat(),
    )
}

pub(super) fn with_secret(scratch: &Scratch) -> Serving {
    serving(scratch, &[("RESEARCH_JWT_SECRET", SECRET)])
}

pub(super) fn get(server: &Serving, token: &str) -> Answer {
    let headers = format!("Authorization: Bearer {token}\r\n");
    server.send(&request("GET", "/v1/sessions", &headers, ""))
}

fn send(server: &Serving, owner: &str, method: &str, path: &str, body: &str) -> Answer {
    let headers = format!(
        "Content-Type: application/json\r\nIf-Match: \"x\"\r\nAuthorization: Bearer {}\r\n",
        token(owner)
    );
    server.send(&request(method, path, &headers, body))
}

#[test]
fn only_valid_tokens_are_taken() {
    let scratch = Scratch::with_few();
    let server = with_secret(&scratch);
    assert_eq!(get(&server, &token("ann")).status, 200);
    let with = |key: &str, value: Value| {
        let mut claims = claims("ann");
        claims[key] = value;
        sign(&claims, SECRET)
    };
    let without = |key: &str| {
        let mut claims = claims("ann");
        claims.as_object_mut().unwrap().remove(key);
        sign(&claims, SECRET)
    };
    let whole = token("ann");
    let body = whole.split('.').nth(1).unwrap();
    let none = |name: &str| format!("{}.{body}.", encoded(format!("{{\"alg\":\"{name}\"}}")));
    let by_512 = mac(hmac::HMAC_SHA512, SECRET.as_bytes());
    for (case, token) in [
        ("no token", String::new()),
        ("garbage", "x.y.z".to_owned()),
        ("a part", whole[..whole.len() - 2].to_owned()),
        ("too long", format!("{whole}{}", "A".repeat(10_000))),
        (
            "another secret",
            sign(&claims("ann"), &SECRET.replace('a', "b")),
        ),
        (
            "another algorithm",
            token_by(&json!({"alg": "HS512"}), &claims("ann"), by_512),
        ),
        ("alg none", none("none")),
        ("alg None", none("None")),
        ("a signature of nothing", none("HS256")),
        ("expired", with("exp", json!(OVER))),
        ("not yet", with("nbf", json!(LATER))),
        ("not yet, as text", with("nbf", json!("later"))),
        ("expiry as text", with("exp", json!("never"))),
        ("without expiry", without("exp")),
        ("without owner", without("sub")),
        ("empty owner", with("sub", json!(""))),
        ("owner with a line break", with("sub", json!("ann\nbob"))),
        ("without audience", without("aud")),
        ("another audience", with("aud", json!("them"))),
    ] {
        let refused = get(&server, &token);
        refused.assert_problem(401, case);
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"), "{case}");
    }
}

#[test]
fn without_a_token_there_is_nothing_but_what_has_to_be_open() {
    const OPEN: [&str; 6] = [
        "/health",
        "/ready",
        "/openapi.json",
        "/sign-in",
        "/assets/style.css",
        "/assets/live.js",
    ];
    let scratch = Scratch::with_few();
    let server = with_secret(&scratch);
    for path in OPEN {
        let open = server.get(path);
        assert_eq!(open.status, 200, "{path}");
        let tells = path == "/ready" && open.body.contains("running");
        assert!(!tells, "{}", open.body);
    }
    let mut expired = claims("ann");
    expired["exp"] = json!(OVER);
    let expired = format!("Authorization: Bearer {}\r\n", sign(&expired, SECRET));
    let paths = research::server::paths().chain(["/nothing", "/mcp"]);
    for path in paths.filter(|path| !OPEN.contains(path)) {
        let path = path
            .replace("{id}", "s")
            .replace("{*name}", "report.json")
            .replace("{source}", "S1")
            .replace("{model}", "research");
        for method in ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"] {
            for headers in ["", &expired] {
                let refused = server.send(&request(method, &path, headers, ""));
                assert_eq!(refused.status, 401, "{method} {path} {headers}");
            }
        }
    }
}

/// An issuer of tokens: its keys by their names, and how often they were fetched.
pub(super) struct Issuer {
    pub(super) url: String,
    pub(super) keys: Arc<Mutex<Value>>,
    pub(super) fetches: Arc<AtomicUsize>,
}

impl Issuer {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/jwks", listener.local_addr().unwrap());
        let (keys, fetches) = (
            Arc::new(Mutex::new(json!([]))),
            Arc::new(AtomicUsize::new(0)),
        );
        let (own, count) = (keys.clone(), fetches.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut read = [0; 4096];
                let _ = stream.read(&mut read).unwrap();
                count.fetch_add(1, Ordering::SeqCst);
                let body = json!({"keys": *own.lock().unwrap()}).to_string();
                let length = body.len();
                write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\
                     Content-Length: {length}\r\n\r\n{body}"
                )
                .unwrap();
            }
        });
        Self { url, keys, fetches }
    }

    fn publish(&self, keys: &[(&str, u8)]) {
        let jwk = |(name, seed): &(&str, u8)| {
            let point = encoded(pair(*seed).public_key());
            json!({"kty": "OKP", "crv": "Ed25519", "kid": name, "x": point, "alg": "EdDSA"})
        };
        *self.keys.lock().unwrap() = keys.iter().map(jwk).collect();
    }
}

fn pair(seed: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap()
}

fn by_key(name: &str, seed: u8) -> String {
    let header = json!({"alg": "EdDSA", "kid": name});
    token_by(&header, &claims("ann"), |message| {
        pair(seed).sign(message).as_ref().to_vec()
    })
}

#[test]
fn published_keys_are_fetched_once_and_again_when_they_are_exchanged() {
    let scratch = Scratch::with_few();
    let issuer = Issuer::start();
    issuer.publish(&[("one", 1)]);
    let server = serving(&scratch, &[("RESEARCH_SERVER__JWKS", &issuer.url)]);
    assert_eq!(issuer.fetches.load(Ordering::SeqCst), 0);
    for _ in 0..3 {
        assert_eq!(get(&server, &by_key("one", 1)).status, 200);
    }
    assert_eq!(issuer.fetches.load(Ordering::SeqCst), 1);
    // Signed with a public key as if it were a secret, or with another key of this name.
    let public = pair(1).public_key().as_ref().to_owned();
    let confused =
        |header: Value| token_by(&header, &claims("ann"), mac(hmac::HMAC_SHA256, &public));
    for (case, token) in [
        (
            "key confusion",
            confused(json!({"alg": "HS256", "kid": "one"})),
        ),
        (
            "a lie on the algorithm",
            confused(json!({"alg": "EdDSA", "kid": "one"})),
        ),
        ("another key", by_key("one", 2)),
        (
            "another algorithm",
            confused(json!({"alg": "ES256", "kid": "one"})),
        ),
        ("a secret that nobody set", token("ann")),
    ] {
        get(&server, &token).assert_problem(401, case);
    }
    // Tokens with invented keys do not become requests to the issuer.
    for number in 0..5 {
        get(&server, &by_key(&format!("none-{number}"), 3)).assert_problem(401, "invented");
    }
    assert_eq!(issuer.fetches.load(Ordering::SeqCst), 1);
    issuer.publish(&[("two", 2)]);
    wait_until("the new key", || {
        get(&server, &by_key("two", 2)).status == 200
    });
    assert_eq!(issuer.fetches.load(Ordering::SeqCst), 2);
    get(&server, &by_key("one", 1)).assert_problem(401, "the old key");
}

#[test]
fn tokens_of_supabase_need_nothing_but_its_address() {
    let scratch = Scratch::with_few();
    let issuer = Issuer::start();
    issuer.publish(&[("one", 1)]);
    let base = issuer.url.trim_end_matches("/jwks").to_owned();
    let variables = [("SUPABASE_URL", base.as_str())];
    let server = Serving::start(&scratch, &["--docs", "docs"], &variables);
    let token = |issuer: String, audience: &str| {
        let header = json!({"alg": "EdDSA", "kid": "one"});
        let claims = json!({
            "sub": "6b1d1c1e-0000-4000-8000-000000000000", "exp": LATER, "aud": audience,
            "iss": issuer, "role": "authenticated",
        });
        token_by(&header, &claims, |message| {
            pair(1).sign(message).as_ref().to_vec()
        })
    };
    let own = || format!("{base}/auth/v1");
    assert_eq!(get(&server, &token(own(), "authenticated")).status, 200);
    get(&server, &token(own(), "anon")).assert_problem(401, "another audience");
    let other = "https://other.supabase.co/auth/v1".to_owned();
    get(&server, &token(other, "authenticated")).assert_problem(401, "another project");
}

#[test]
fn an_owner_sees_nothing_of_the_sessions_of_others() {
    let scratch = Scratch::with_few();
    let server = with_secret(&scratch);
    let question = json!({"topic": TOPIC}).to_string();
    let id = |owner: &str, body: &str| {
        let started = send(&server, owner, "POST", "/v1/sessions", body);
        assert_eq!(started.status, 201, "{}", started.body);
        started.json()["status"]["id"].as_str().unwrap().to_owned()
    };
    let state = |owner: &str, id: &str| {
        let view = send(&server, owner, "GET", &format!("/v1/sessions/{id}"), "").json();
        view["status"]["state"].as_str().unwrap().to_owned()
    };
    // The same question is a session of each, of the same name.
    let same = (id("ann", &question), id("bob", &question));
    assert_eq!(same.0, same.1);
    let private = json!({"topic": format!("{TOPIC} Privately"), "session": "private"});
    let private = id("ann", &private.to_string());
    for (owner, id) in [("ann", &same.0), ("bob", &same.1), ("ann", &private)] {
        wait_until("a report", || state(owner, id) == "COMPLETE");
    }
    let list = send(&server, "bob", "GET", "/v1/sessions", "").json();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 1);
    assert!(!list.to_string().contains("rivate"), "{list}");
    let listed = parsed_owners(&scratch);
    assert_eq!(listed, ["ann", "ann", "bob"]);
    for (method, path) in of_sessions() {
        let of = |id: &str| send_valid(&server, "bob", method, &path.replace("{id}", id));
        let (theirs, none) = (of("private"), of("nothing"));
        let statuses = (theirs.status, none.status);
        assert!(
            [(404, 404), (405, 405)].contains(&statuses),
            "{method} {path}: {statuses:?}"
        );
        // Pages have a nonce of their own.
        assert_eq!(theirs.body.len(), none.body.len(), "{method} {path}");
        let is_same = theirs.body == none.body;
        assert!(is_same || !path.starts_with("/v1"), "{method} {path}");
    }
    let follow = json!({"topic": "And then?", "follow": "private"}).to_string();
    send(&server, "bob", "POST", "/v1/sessions", &follow).assert_problem(404, "follow");
    let with = format!("/v1/sessions/{}/diff?with=private", same.1);
    send(&server, "bob", "GET", &with, "").assert_problem(404, "diff");
    // A name that another owner has taken is free.
    let own = json!({"topic": "heat pumps", "session": "private"}).to_string();
    assert_eq!(
        send(&server, "bob", "POST", "/v1/sessions", &own).status,
        201
    );
    assert!(
        !send(&server, "bob", "GET", "/", "")
            .body
            .contains("Privately")
    );
}

/// Every route of a session with every method, and ways around them.
fn of_sessions() -> impl Iterator<Item = (&'static str, String)> {
    let routes = research::server::paths().filter(|path| path.contains("{id}"));
    let around = [
        "/sessions/../{id}",
        "/v1/sessions/..%2F{id}",
        "/v1/sessions/.owners%2F{id}",
    ];
    let paths: BTreeSet<&str> = routes.chain(around).collect();
    assert!(paths.len() > 25, "{paths:?}");
    let methods = ["GET", "POST", "PUT", "DELETE"];
    paths.into_iter().flat_map(move |path| {
        let path = path
            .replace("{*name}", "report.json")
            .replace("{source}", "S1");
        assert_eq!(path.matches('{').count(), 1, "{path}");
        methods.map(|method| (method, path.clone()))
    })
}

/// Sends a request whose body is what the route wants.
fn send_valid(server: &Serving, owner: &str, method: &str, path: &str) -> Answer {
    if path.starts_with("/v1") {
        let is_answer = path.ends_with("/answer");
        let body = if is_answer { "{\"text\": \"x\"}" } else { "{}" };
        return send(server, owner, method, path, body);
    }
    let headers = format!(
        "Content-Type: application/x-www-form-urlencoded\r\nOrigin: http://HOST\r\n\
         Authorization: Bearer {}\r\n",
        token(owner)
    );
    server.send(&request(
        method,
        path,
        &headers,
        "text=x&seen=x&action=save",
    ))
}

/// The owners of all sessions, sorted.
fn parsed_owners(scratch: &Scratch) -> Vec<String> {
    let mut owners = Vec::new();
    let directories = scratch.path().join("research-output/.owners");
    for directory in directories.read_dir().unwrap() {
        for session in directory.unwrap().path().read_dir().unwrap() {
            let file = session.unwrap().path().join("session.json");
            let session: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
            owners.push(session["owner"].as_str().unwrap().to_owned());
        }
    }
    owners.sort();
    owners
}

#[test]
fn pages_of_one_owner_are_fetched_again_for_another() {
    let web = crate::online::web();
    let scratch = crate::online::scratch(&web);
    let address = web.url("");
    let server = Serving::start(
        &scratch,
        &[],
        &[
            ("RESEARCH_JWT_SECRET", SECRET),
            ("RESEARCH_SEARCH__SERVICES", "searxng"),
            ("SEARXNG_URL", &address),
            ("RESEARCH_NETWORK__ALLOW", "127.0.0.1"),
            ("RESEARCH_NETWORK__GAP_MILLISECONDS", "0"),
        ],
    );
    let requests = |owner: &str, session: &str| {
        let before = web.requests.load(Ordering::SeqCst);
        let ask = json!({"topic": TOPIC, "session": session, "depth": "quick"}).to_string();
        let started = send(&server, owner, "POST", "/v1/sessions", &ask);
        assert_eq!(started.status, 201, "{}", started.body);
        wait_until("a report", || {
            let path = format!("/v1/sessions/{session}");
            let view = send(&server, owner, "GET", &path, "").json();
            view["status"]["state"] == "COMPLETE"
        });
        web.requests.load(Ordering::SeqCst) - before
    };
    let first = requests("ann", "one");
    let again = requests("ann", "two");
    assert!(again < first, "{again} of {first}");
    assert_eq!(requests("bob", "one"), first);
}

#[test]
fn a_browser_signs_in_with_a_token_and_out_again() {
    let scratch = Scratch::with_few();
    let server = with_secret(&scratch);
    let sent = server.send(&request("GET", "/", "Accept: text/html,*/*\r\n", ""));
    assert_eq!(
        (sent.status, sent.header("location")),
        (303, Some("/sign-in"))
    );
    assert!(server.get("/sign-in").body.contains("name=\"token\""));
    let form = |path: &str, origin: &str, body: &str| {
        let headers = format!(
            "Content-Type: application/x-www-form-urlencoded\r\nOrigin: {origin}\r\nCookie: \
             research_token={}\r\n",
            token("ann")
        );
        server.send(&request("POST", path, &headers, body))
    };
    let own = "http://HOST";
    assert_eq!(form("/sign-in", own, "token=x.y.z").status, 401);
    let body = format!("token={}", token("ann"));
    assert_eq!(form("/sign-in", "http://evil.test", &body).status, 403);
    let cookie = |answer: &Answer| answer.header("set-cookie").unwrap().to_owned();
    let signed_in = form("/sign-in", own, &body);
    assert_eq!(signed_in.status, 303, "{}", signed_in.body);
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie(&signed_in).contains(part), "{}", cookie(&signed_in));
    }
    assert!(!cookie(&signed_in).contains("Secure"));
    assert!(cookie(&form("/sign-in", "https://HOST", &body)).ends_with("; Secure"));
    let header = format!(
        "Cookie: {}\r\n",
        cookie(&signed_in).split(';').next().unwrap()
    );
    let home = server.send(&request("GET", "/", &header, ""));
    assert!(
        home.status == 200 && home.body.contains("Sign out"),
        "{}",
        home.body
    );
    // The cookie does not open the server to the pages of others.
    assert_eq!(form("/ask", "http://evil.test", "topic=bees").status, 403);
    assert!(cookie(&form("/sign-out", own, "")).contains("Max-Age=0"));
}

#[test]
fn without_good_keys_a_server_does_not_begin() {
    let scratch = Scratch::new();
    let refused = |address: &str, variables: &[(&str, &str)], problem: &str| {
        let mut command = scratch.command(&["serve", "--listen", address]);
        let ended = command.envs(variables.iter().copied()).output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(problem), "{problem}: {stderr}");
    };
    let local = "127.0.0.1:0";
    refused("0.0.0.0:0", &[], "can be reached from other machines");
    refused(
        local,
        &[("RESEARCH_JWT_SECRET", "short")],
        "could be guessed",
    );
    let jwks = |url: &'static str| ("RESEARCH_SERVER__JWKS", url);
    refused(local, &[jwks("https://id.test/jwks")], "server.audience");
    let audience = ("RESEARCH_SERVER__AUDIENCE", "us");
    refused(local, &[jwks("http://id.test/jwks"), audience], "use https");
    refused(local, &[jwks("nothing"), audience], "no address");
}

#[test]
fn a_client_that_sends_too_much_waits() {
    let scratch = Scratch::with_few();
    let limit = ("RESEARCH_SERVER__MAX_REQUESTS_PER_MINUTE", "3");
    let server = serving(&scratch, &[("RESEARCH_JWT_SECRET", SECRET), limit]);
    for _ in 0..3 {
        assert_eq!(get(&server, &token("ann")).status, 200);
    }
    let refused = get(&server, &token("ann"));
    refused.assert_problem(429, "too many");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(get(&server, &token("bob")).status, 200);
    // Whoever guesses tokens is counted by address.
    let guesses: Vec<u16> = (0..5).map(|_| get(&server, "x.y.z").status).collect();
    assert_eq!(guesses, [401, 401, 401, 429, 429]);
}

#[test]
fn the_runs_of_an_owner_share_a_budget() {
    let scratch = Scratch::with_few();
    let models = crate::models::server::Server::sound(std::time::Duration::ZERO);
    let url = models.url();
    // Enough to begin one: the reserve for writing the report is most of it.
    let limit = 20_000;
    let variables = [
        ("RESEARCH_JWT_SECRET", SECRET),
        ("RESEARCH_MODEL", "openai:fake"),
        ("OPENAI_BASE_URL", &url),
        ("RESEARCH_SERVER__OWNER_MAX_TOKENS", "20000"),
    ];
    let server = serving(&scratch, &variables);
    let tokens = |owner: &str, session: &str| {
        let ask =
            json!({"topic": format!("{TOPIC} {session}"), "session": session, "depth": "quick"});
        let started = send(&server, owner, "POST", "/v1/sessions", &ask.to_string());
        assert_eq!(started.status, 201, "{}", started.body);
        let of = |path: &str| {
            send(
                &server,
                owner,
                "GET",
                &format!("/v1/sessions/{session}{path}"),
                "",
            )
            .json()
        };
        wait_until("the end of the run", || {
            let state = of("")["status"]["state"].as_str().unwrap().to_owned();
            ["COMPLETE", "BUDGET_ENDED", "FAILED"].contains(&state.as_str())
        });
        let total = &of("/calls")["total"];
        total["input_tokens"].as_u64().unwrap() + total["output_tokens"].as_u64().unwrap()
    };
    let (first, second) = (tokens("ann", "one"), tokens("ann", "two"));
    assert!(first > 0 && first + second <= limit, "{first} and {second}");
    assert!(second < first, "{first} and {second}");
    assert!(tokens("bob", "one") > 0);
}
