//! Pages that are written by scripts, in a real browser: their text is read, the addresses that
//! they may not reach are refused, and nothing of the browser is left.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use research::pipeline::Clock;
use research::read::Reader;
use research::web::{
    Browser, Fetcher, Limits, Lookup, Page, Proxy, Rendering, SystemLookup, WebError, visit,
};
use serde_json::json;
use url::Url;

use crate::harness::{FEW, Ran, Scratch, TOPIC, skipped};
use crate::online;
use crate::server::{self, Server, begin, moved};
use crate::web::{Changing, limits};

/// What a script writes into a page that holds nothing.
const WRITTEN: &str = "Heat pumps move heat; this sentence was written by a script.";

fn installed() -> Option<Browser> {
    let browser = Browser::find(Path::new(""));
    if browser.is_none() {
        skipped("no Chromium is installed");
    }
    browser
}

/// A body with a script.
fn scripted(script: &str) -> String {
    format!(
        "<html><head><title>App</title></head><body><div id=app></div>\
         <script>{script}</script></body></html>"
    )
}

/// A page that writes its text after a while of its own time.
fn application() -> String {
    scripted(&format!(
        "setTimeout(() => app.innerHTML = '<p>{WRITTEN}</p>', 2000)"
    ))
}

fn html(stream: &mut TcpStream, body: &str) -> std::io::Result<()> {
    server::page(stream, "200 OK", "text/html", body.as_bytes())
}

fn of_page(body: String) -> Server {
    Server::new(move |path, stream| match path {
        "/" => html(stream, &body),
        _ => server::page(stream, "404 Not Found", "text/plain", b""),
    })
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime.unwrap().block_on(future)
}

fn fetcher(limits: Limits, lookup: impl Lookup + 'static) -> Fetcher {
    Fetcher::new(limits, Arc::new(lookup), None, Clock::default()).unwrap()
}

/// Everything on loopback is opened, so that what is refused is so for being asked for by a page.
fn open() -> Limits {
    Limits {
        allow: vec!["127.0.0.0/8".to_owned()],
        ..limits()
    }
}

fn seen(browser: Browser, limits: Limits, address: &str) -> Result<Page, WebError> {
    let fetcher = fetcher(limits, SystemLookup).with_browser(Some(browser));
    let reader = Reader::isolated(env!("CARGO_BIN_EXE_research"));
    wait(visit(&fetcher, &reader, address))
}

/// What a proxy answers to some bytes, until it closes or says no more for a while.
fn said(proxy: &Proxy, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    let patience = Some(Duration::from_secs(5));
    stream.set_read_timeout(patience).unwrap();
    let mut answer = Vec::new();
    // It may close before it has heard all.
    let _ = stream.write_all(bytes);
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(proxy: &Proxy, address: &str) -> String {
    let head = format!("GET {address} HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\n\r\n");
    said(proxy, head.as_bytes())
}

fn connect(proxy: &Proxy, target: &str) -> String {
    said(
        proxy,
        format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n").as_bytes(),
    )
}

/// Runs a test beside a proxy for a page.
fn with_proxy(fetcher: &Fetcher, page: &str, test: impl FnOnce(&Proxy)) {
    wait(async {
        let proxy = fetcher.proxy(&Url::parse(page).unwrap()).await.unwrap();
        tokio::task::block_in_place(|| test(&proxy));
    });
}

#[test]
fn browser_proxy_reaches_the_page_and_no_private_address() {
    let (own, other) = (of_page("own".to_owned()), of_page("secret".to_owned()));
    let (port, secret) = (own.port(), other.port());
    with_proxy(&fetcher(open(), SystemLookup), &own.url("/"), |proxy| {
        assert!(get(proxy, &own.url("/")).ends_with("own"));
        let tunnelled = format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n");
        let answer = said(proxy, tunnelled.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("own"));
        for host in [
            format!("127.0.0.1:{secret}"),
            format!("127.1:{secret}"),
            format!("localhost:{secret}"),
            format!("[::1]:{port}"),
            format!("[::ffff:127.0.0.1]:{secret}"),
            format!("127.0.0.2:{port}"),
            format!("2130706434:{port}"),
            "169.254.169.254:80".to_owned(),
            "10.0.0.1:443".to_owned(),
            // A public host, at a port that is not the web's.
            "93.184.216.34:25".to_owned(),
        ] {
            let answer = get(proxy, &format!("http://{host}/"));
            assert!(answer.starts_with("HTTP/1.1 403 "), "{host}: {answer}");
            let answer = connect(proxy, &host);
            assert!(answer.starts_with("HTTP/1.1 403 "), "{host}: {answer}");
        }
        for target in ["file:///etc/passwd", "ftp://127.0.0.1/", "/", "data:,x"] {
            let answer = get(proxy, target);
            assert!(answer.starts_with("HTTP/1.1 400 "), "{target}: {answer}");
        }
    });
    assert_eq!(other.requests.load(Ordering::SeqCst), 0);
}

#[test]
fn browser_proxy_forwards_one_clean_request_and_smuggles_none() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let address = format!("http://127.0.0.1:{port}/a?b=c");
    let serving = std::thread::spawn(move || {
        let mut requests = Vec::new();
        for _ in 0..3 {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut text, mut buffer) = (String::new(), [0; 4096]);
            while !text.contains("body") {
                let count = stream.read(&mut buffer).unwrap();
                assert!(count > 0, "{text}");
                text.push_str(&String::from_utf8_lossy(&buffer[..count]));
            }
            server::page(&mut stream, "200 OK", "text/plain", b"got").unwrap();
            requests.push(text.to_ascii_lowercase());
        }
        requests
    });
    with_proxy(&fetcher(open(), SystemLookup), &address, |proxy| {
        let post = |headers: &str, body: &str| {
            let head = format!("POST {address} HTTP/1.1\r\nHost: other.example\r\n{headers}\r\n");
            said(proxy, format!("{head}{body}").as_bytes())
        };
        for (headers, body) in [
            (
                "Content-Length: 4\r\nProxy-Connection: keep-alive\r\n",
                "body",
            ),
            ("Transfer-Encoding: chunked\r\n", "4\r\nbody\r\n0\r\n\r\n"),
            // The second request is none: it came after the end of the first.
            (
                "Content-Length: 4\r\nConnection: x-hop\r\nX-Hop: 1\r\n",
                "bodyGET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n",
            ),
        ] {
            let answer = post(headers, body);
            assert!(answer.ends_with("got"), "{headers}: {answer}");
        }
        for headers in [
            "Content-Length: 4\r\nContent-Length: 5\r\n",
            "Content-Length: -1\r\n",
            "Transfer-Encoding: chunked, identity\r\n",
            "no header\r\n",
        ] {
            let answer = post(headers, "body");
            assert!(answer.starts_with("HTTP/1.1 400 "), "{headers}: {answer}");
        }
    });
    for request in serving.join().unwrap() {
        assert!(request.starts_with("post /a?b=c http/1.1\r\n"), "{request}");
        assert!(
            request.contains(&format!("host: 127.0.0.1:{port}\r\n")),
            "{request}"
        );
        for other in ["other.example", "proxy-", "x-hop", "get http"] {
            assert!(!request.contains(other), "{other}: {request}");
        }
    }
}

#[test]
fn browser_proxy_resolves_names_once_against_dns_rebinding() {
    let own = of_page("own".to_owned());
    let local = vec![[127, 0, 0, 1]];
    let answers = HashMap::from([
        (
            "page.example".to_owned(),
            vec![[127, 0, 0, 1], [169, 254, 169, 254]],
        ),
        ("other.example".to_owned(), local.clone()),
        ("metadata.example".to_owned(), vec![[169, 254, 169, 254]]),
    ]);
    let lookup = Changing {
        answers: Mutex::new(answers),
    };
    let fetcher = fetcher(open(), lookup);
    let port = own.port();
    with_proxy(&fetcher, &format!("http://page.example:{port}/"), |proxy| {
        for _ in 0..2 {
            assert!(get(proxy, &format!("http://page.example:{port}/")).ends_with("own"));
        }
        for host in ["other.example", "metadata.example"] {
            let answer = get(proxy, &format!("http://{host}:{port}/"));
            assert!(answer.starts_with("HTTP/1.1 403 "), "{host}: {answer}");
        }
    });
    let page = Url::parse("http://metadata.example/").unwrap();
    let error = wait(fetcher.proxy(&page)).unwrap_err();
    assert!(matches!(error, WebError::Private { .. }), "{error}");
}

#[test]
fn browser_proxy_keeps_its_byte_budget() {
    let server = Server::new(|_, stream| {
        begin(stream, "")?;
        loop {
            stream.write_all(&[b'a'; 65536])?;
        }
    });
    with_proxy(&fetcher(open(), SystemLookup), &server.url("/"), |proxy| {
        let taken = get(proxy, &server.url("/")).len();
        assert!((60 << 20..65 << 20).contains(&taken), "{taken}");
        assert_eq!(get(proxy, &server.url("/")), "", "nothing is left");
        let endless = said(proxy, &[b'a'; 80 << 10]);
        assert!(
            endless.is_empty() || endless.starts_with("HTTP/1.1 4"),
            "{endless}"
        );
    });
}

#[test]
fn browser_proxy_ends_with_its_lifetime_and_with_its_page() {
    let server = Server::new(|_, stream| {
        begin(stream, "")?;
        stream.write_all(b"begun")?;
        std::thread::sleep(Duration::from_secs(20));
        Ok(())
    });
    let impatient = Limits {
        timeout: Duration::from_millis(800),
        ..open()
    };
    let mut address = None;
    with_proxy(
        &fetcher(impatient, SystemLookup),
        &server.url("/"),
        |proxy| {
            let began = Instant::now();
            assert!(get(proxy, &server.url("/")).contains("begun"));
            assert_eq!(get(proxy, &server.url("/")), "");
            assert!(began.elapsed() < Duration::from_secs(4));
            address = Some(proxy.address());
        },
    );
    assert!(TcpStream::connect(address.unwrap()).is_err());
}

#[test]
fn a_page_that_cannot_be_shown_is_what_it_was() {
    let nowhere = || Browser::find(Path::new("/nonexistent/chromium")).unwrap();
    let page = of_page(application());
    let error = seen(nowhere(), limits(), &page.url("/")).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("network.browser") && message.contains(&page.url("/")),
        "{message}"
    );
    let page = of_page(format!("<p>Please wait.</p>{}", application()));
    let visited = seen(nowhere(), limits(), &page.url("/")).unwrap();
    assert!(
        matches!(visited.rendering, Rendering::Failed(_)),
        "{:?}",
        visited.rendering
    );
    let text = &visited.document.text;
    assert!(text.starts_with("Please wait."), "{text}");
    // Those with text of their own, and those without scripts, are not even tried.
    let long = format!(
        "<p>{}</p>{}",
        "Words of its own. ".repeat(20),
        application()
    );
    for body in [long, "<p>Few words.".to_owned()] {
        let page = of_page(body);
        let visited = seen(nowhere(), limits(), &page.url("/")).unwrap();
        assert_eq!(visited.rendering, Rendering::None);
    }
}

#[test]
fn text_written_by_a_script_is_rendered_and_read() {
    for before in ["", "<p>You need to enable JavaScript to run this app."] {
        let Some(browser) = installed() else { return };
        let page = of_page(format!("{before}{}", application()));
        let visited = seen(browser, limits(), &page.url("/")).unwrap();
        assert_eq!(visited.rendering, Rendering::Done);
        assert!(
            visited.document.text.contains(WRITTEN),
            "{}",
            visited.document.text
        );
        assert_eq!(visited.url.as_str(), page.url("/"));
    }
}

/// Asks for each address in every way that a page has, and writes how the requests ended.
const ASKING: &str = r#"
const say = words => app.innerHTML += `<p>${words}.</p>`;
const ask = (url, mode) => fetch(url, { mode }).then(
    reply => mode ? say(`${url} opaque`) : reply.text().then(text => say(`${url} says ${text}`)),
    () => say(`${url} failed`));
const embed = (kind, name, url) => {
    const element = document.createElement(kind);
    element[name] = url;
    document.body.append(element)
};
const tried = async work => { try { await work() } catch (error) { say(error) } };
for (const url of [...targets, 'file:///etc/passwd', '/moved']) {
    ask(url); ask(url, 'no-cors');
    embed('iframe', 'src', url); embed('img', 'src', url); embed('script', 'src', url);
    tried(() => navigator.sendBeacon(url, 'x'));
    tried(() => new EventSource(url));
    tried(() => new WebSocket(new URL(url, location).href.replace('http', 'ws')));
    tried(() => window.open(url));
}
tried(async () => {
    const peers = new RTCPeerConnection({ iceServers: [{ urls: `stun:${udp}` },
        { urls: [`turn:${udp}`, `turn:${tcp}?transport=tcp`], username: 'a', credential: 'b' }] });
    peers.createDataChannel('x');
    await peers.setLocalDescription(await peers.createOffer());
});
tried(() => new WebTransport(`https://${udp}/`).ready);
ask('/own');
"#;

#[test]
fn scripts_of_a_page_reach_no_private_address() {
    let Some(browser) = installed() else { return };
    let secret = of_page("secret".to_owned());
    let moving = secret.url("/");
    let page: Arc<Mutex<String>> = Arc::default();
    let body = page.clone();
    let own = Server::new(move |path, stream| match path {
        "/" => html(stream, &body.lock().unwrap()),
        "/own" => server::page(stream, "200 OK", "text/plain", b"mine"),
        _ => moved(stream, &moving),
    });
    // Another host at the page's own port, for which the settings have no say either.
    let neighbour = TcpListener::bind(("127.0.0.2", own.port())).unwrap();
    let datagrams = UdpSocket::bind("127.0.0.2:0").unwrap();
    neighbour.set_nonblocking(true).unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let (tcp, udp) = (
        neighbour.local_addr().unwrap(),
        datagrams.local_addr().unwrap(),
    );
    let targets = json!([
        secret.url("/"),
        format!("http://localhost:{}/", secret.port()),
        format!("http://[::1]:{}/", secret.port()),
        format!("http://{tcp}/"),
        "http://169.254.169.254/latest/meta-data/",
    ]);
    let script = format!("const targets = {targets}, tcp = '{tcp}', udp = '{udp}';{ASKING}");
    *page.lock().unwrap() = scripted(&script);
    let visited = seen(browser, open(), &own.url("/")).unwrap();
    let text = &visited.document.text;
    assert_eq!(visited.rendering, Rendering::Done, "{text}");
    assert!(text.contains("/own says mine"), "{text}");
    assert!(text.contains("file:///etc/passwd failed"), "{text}");
    assert!(
        !text.contains("secret") && !text.contains("root:"),
        "{text}"
    );
    assert_eq!(secret.requests.load(Ordering::SeqCst), 0);
    assert!(neighbour.accept().is_err(), "it got through to {tcp}");
    assert!(
        datagrams.recv_from(&mut [0; 9]).is_err(),
        "it got through to {udp}"
    );
}

#[test]
fn a_script_redirect_to_a_private_address_is_refused() {
    let secret = of_page("secret".to_owned());
    for target in [secret.url("/"), "http://169.254.169.254/".to_owned()] {
        let Some(browser) = installed() else { return };
        let page = of_page(scripted(&format!("location.href = '{target}'")));
        let error = seen(browser, open(), &page.url("/")).unwrap_err();
        assert!(error.to_string().contains("cannot be fetched"), "{error}");
    }
    assert_eq!(secret.requests.load(Ordering::SeqCst), 0);
}

#[test]
fn a_script_redirect_on_the_same_site_gives_the_final_address() {
    let Some(browser) = installed() else { return };
    let page = Server::new(|path, stream| {
        let html = match path {
            "/there" => application(),
            _ => scripted("location.replace('/there#part')"),
        };
        server::page(stream, "200 OK", "text/html", html.as_bytes())
    });
    let visited = seen(browser, limits(), &page.url("/")).unwrap();
    assert!(visited.document.text.contains(WRITTEN));
    assert_eq!(visited.url.as_str(), page.url("/there"));
}

#[test]
fn a_rendered_page_beyond_the_size_limit_is_given_up_at_once() {
    let Some(browser) = installed() else { return };
    let page = of_page(scripted("app.textContent = 'grown '.repeat(1 << 19)"));
    let patient = Limits {
        timeout: Duration::from_secs(120),
        ..limits()
    };
    let began = Instant::now();
    let error = seen(browser, patient, &page.url("/")).unwrap_err();
    assert!(
        error.to_string().contains("network.max_mebibytes"),
        "{error}"
    );
    assert!(began.elapsed() < Duration::from_secs(30), "{error}");
}

/// The program, let onto loopback, with a place of its own for what is temporary.
fn reading(scratch: &Scratch, browser: &Browser, url: &str) -> Command {
    scratch.write("tmp/.keep", "");
    let mut command = scratch.command(&["read", "--json", url]);
    command
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("TMPDIR", scratch.path().join("tmp"))
        .env("RESEARCH_NETWORK__ALLOW", "127.0.0.1")
        .env("RESEARCH_NETWORK__BROWSER", browser.program())
        .env("RESEARCH_NETWORK__TIMEOUT_SECONDS", "6");
    command
}

/// Processes that know of a directory.
fn processes(directory: &Path) -> Vec<String> {
    let mut processes = Vec::new();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        for file in ["cmdline", "environ"] {
            let text = std::fs::read(process.path().join(file)).unwrap_or_default();
            let text = String::from_utf8_lossy(&text).into_owned();
            if text.contains(directory.to_str().unwrap()) {
                processes.push(text);
            }
        }
    }
    processes
}

fn assert_nothing_is_left(scratch: &Scratch) {
    assert_no_process_is_left(scratch);
    let left = std::fs::read_dir(scratch.path().join("tmp")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".keep"]);
}

fn assert_no_process_is_left(scratch: &Scratch) {
    // The watcher of crashes looks up a moment after the last of the others has ended.
    let began = Instant::now();
    while !processes(scratch.path()).is_empty() && began.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(processes(scratch.path()), Vec::<String>::new());
}

#[test]
fn an_endless_script_is_killed_and_nothing_is_left() {
    let Some(browser) = installed() else { return };
    for script in [
        "for (;;) {}",
        "for (;;) document.body.append('x'.repeat(1 << 20))",
    ] {
        let page = of_page(scripted(script));
        let scratch = Scratch::new();
        let began = Instant::now();
        let ran = Ran::from(
            reading(&scratch, &browser, &page.url("/"))
                .output()
                .unwrap(),
        );
        ran.assert_ended(1, script);
        let stderr = &ran.stderr;
        assert!(stderr.contains("could not run its scripts"), "{stderr}");
        assert!(began.elapsed() < Duration::from_secs(15), "{stderr}");
        assert_nothing_is_left(&scratch);
    }
}

#[test]
fn the_browser_of_a_killed_program_is_killed_too() {
    let Some(browser) = installed() else { return };
    let page = of_page(scripted("for (;;) {}"));
    let scratch = Scratch::new();
    let mut command = reading(&scratch, &browser, &page.url("/"));
    command.env("RESEARCH_NETWORK__TIMEOUT_SECONDS", "600");
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let running = || processes(scratch.path()).join(" ");
    let began = Instant::now();
    while !running().contains("--type=renderer") && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(running().contains("--type=renderer"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_no_process_is_left(&scratch);
}

#[test]
fn an_endless_request_delays_rendering_for_half_the_timeout() {
    let Some(browser) = installed() else { return };
    let body = scripted(&format!(
        "app.innerHTML = '<p>{WRITTEN}</p>'; fetch('/never')"
    ));
    let page = Server::new(move |path, stream| match path {
        "/" => html(stream, &body),
        _ => {
            std::thread::sleep(Duration::from_secs(20));
            Ok(())
        }
    });
    let scratch = Scratch::new();
    let ran = Ran::from(
        reading(&scratch, &browser, &page.url("/"))
            .output()
            .unwrap(),
    );
    ran.assert_ended(0, "a request without end");
    assert!(ran.stdout.contains(WRITTEN), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stderr.contains("rendered by a browser"),
        "{}",
        ran.stderr
    );
    assert_nothing_is_left(&scratch);
}

#[test]
fn doctor_tries_the_browser() {
    let scratch = Scratch::new();
    let stdout = scratch.expect(0, &["doctor"]).stdout;
    assert!(stdout.contains("browser   none found"), "{stdout}");
    let doctor = |browser: &Path| -> Ran {
        let mut command = scratch.command(&["doctor"]);
        command.env("PATH", std::env::var_os("PATH").unwrap());
        command.env("RESEARCH_NETWORK__BROWSER", browser);
        command.output().unwrap().into()
    };
    let ran = doctor(Path::new("/nonexistent/chromium"));
    ran.assert_ended(1, "no such browser");
    assert!(ran.stdout.contains("network.browser"), "{}", ran.stdout);
    let Some(browser) = installed() else { return };
    let ran = doctor(browser.program());
    ran.assert_ended(0, "doctor");
    assert!(
        ran.stdout.contains("renders pages written by scripts"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_session_records_which_pages_were_rendered() {
    let Some(browser) = installed() else { return };
    let web = Server::new(|path, stream| {
        let host = stream.local_addr()?;
        if path.starts_with("/search") {
            let hit = |name| json!({ "url": format!("http://{host}/pages/{name}"), "title": name });
            let reply = json!({ "results": FEW.map(hit) }).to_string();
            return server::page(stream, "200 OK", "application/json", reply.as_bytes());
        }
        let content = path.strip_prefix("/pages/").and_then(online::html);
        match content {
            Some(content) => {
                let text = json!(content).to_string().replace("</", "<\\/");
                html(stream, &scripted(&format!("app.innerHTML = {text}")))
            }
            None => server::page(stream, "404 Not Found", "text/plain", b"gone"),
        }
    });
    let scratch = Scratch::new();
    let asking = [
        "run",
        TOPIC,
        "--search",
        "searxng",
        "--session",
        "s",
        "--depth",
        "quick",
    ];
    let mut command = scratch.command(&asking);
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.env("RESEARCH_NETWORK__BROWSER", browser.program());
    online::onto(&web, &mut command).assert_ended(0, "rules");
    scratch.expect(0, &["verify", "s"]);
    let collected = scratch.json("research/web-1.json");
    let pages = collected["content"]["pages"].as_array().unwrap();
    assert_eq!(pages.len(), FEW.len());
    for page in pages {
        assert_eq!(page["rendered"], true, "{page}");
        let file = page["file"].as_str().unwrap();
        let text = scratch.read(&format!("research-output/s/research/pages/{file}"));
        assert!(text.contains("\nrendered: \"by a browser\"\n"), "{text}");
    }
}
