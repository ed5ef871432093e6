//! An installed Chromium that runs a page's scripts and tells what the page then holds.
//!
//! It is started for one page, as a child of an empty home, without a window, and ends with all of
//! its processes before the page is handed on; what it wrote goes with it. Its connections all go
//! through a [`Proxy`](super::Proxy). It is told nothing of this process's environment. Refuses to
//! judge which pages are worth it.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use futures::future::try_join;
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Child;
use tokio::sync::{Semaphore, SemaphorePermit};
use url::Url;

use super::Limits;
use crate::pipeline::Disk;
use crate::platform;

/// The names under which it is installed.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The setting that means no browser.
const NONE: &str = "none";

/// How many run at once; each takes hundreds of MiB.
const AT_ONCE: usize = 2;

/// The time that a page's own clock may show when its content is taken, in milliseconds. The clock
/// stands while something is being fetched, and else runs as fast as the scripts do.
const PAGE_MILLISECONDS: u32 = 5000;

/// How long it is waited for processes that were killed, and how often it is looked.
const END: Duration = Duration::from_millis(1000);
const END_POLL: Duration = Duration::from_millis(20);

/// What of its complaints is looked at.
const COMPLAINT_BYTES: usize = 64 * 1024;

/// What it shows where a page cannot be had; its own words are no page's. As an element: a page may
/// speak of it.
const ERROR_PAGE: &[u8] = b"<div id=\"main-frame-error\"";

/// Where in its home it writes down what it asks for, an event a line, and how much of that is
/// read.
const RECORD: &str = "net.json";
const RECORD_BYTES: u64 = 16 * 1024 * 1024;

/// How it is set up: WebRTC does not go around the proxy (it did with the flags alone), and nothing
/// is downloaded.
const PREFERENCES: &str = r#"{"webrtc":{"ip_handling_policy":"disable_non_proxied_udp"},"download_restrictions":3,
"safebrowsing":{"enabled":false}}"#;

/// What it is told for every page.
const FLAGS: [&str; 27] = [
    "--headless",
    "--dump-dom",
    "--incognito",
    "--disable-gpu",
    "--block-new-web-contents",
    "--disable-3d-apis",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--mute-audio",
    "--blink-settings=imagesEnabled=false",
    "--js-flags=--max-old-space-size=512",
    // What else would go around the proxy.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    // What it would fetch for itself: with these, version 156 asks for nothing but the page.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--gaia-url=http://127.0.0.1:1",
    "--component-updater=url-source=http://127.0.0.1:1/",
    "--disable-features=OptimizationHints,OptimizationGuideModelDownloading,NetworkTimeServiceQuerying,\
MediaRouter,DialMediaRouteProvider",
];

/// What a browser shows.
pub(super) struct Shown {
    /// The page, as HTML.
    pub(super) html: Vec<u8>,
    /// The addresses that the page itself was asked for at, in order: where its scripts or its
    /// server moved it on, several.
    pub(super) places: Vec<Url>,
}

/// An installed browser.
#[derive(Debug)]
pub struct Browser {
    program: PathBuf,
    turns: Semaphore,
}

impl Browser {
    /// The browser that a setting names, or for an empty one the first that is found; none for
    /// `none`.
    pub fn find(setting: &Path) -> Option<Self> {
        let program = match setting {
            named if named == Path::new(NONE) => return None,
            named if named.as_os_str().is_empty() => installed()?,
            named if named.components().count() == 1 => in_path(named).unwrap_or(named.to_owned()),
            // It is started in another directory.
            named => std::path::absolute(named).unwrap_or(named.to_owned()),
        };
        Some(Self {
            program,
            turns: Semaphore::new(AT_ONCE),
        })
    }

    /// Where it is.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Whether it guards this system against its pages by itself, which it does not where this
    /// program is run as root.
    pub fn is_sandboxed(&self) -> bool {
        !platform::is_root()
    }

    /// The right to run it, until it is dropped.
    pub(super) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.turns.acquire().await.ok()
    }

    /// Tries it with a page that needs no network.
    ///
    /// # Errors
    /// When it does not show that page; the message says what to do.
    pub async fn try_out(&self) -> Result<()> {
        // Nobody listens at the port for nothing.
        let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 9));
        let page = "data:text/html,<script>document.write('re'+'ady')</script>";
        let shown = self.shown(page, nowhere, &Limits::default()).await?;
        ensure!(
            shown.html.windows(5).any(|part| part == b"ready"),
            "{} does not run scripts; name another browser in network.browser",
            self.program.display()
        );
        Ok(())
    }

    /// What a page holds, as HTML, after its scripts have run.
    pub(super) async fn shown(
        &self,
        address: &str,
        proxy: SocketAddr,
        limits: &Limits,
    ) -> Result<Shown> {
        let program = &self.program;
        ensure!(
            program.is_file(),
            "there is no program {}; name another one in network.browser",
            program.display()
        );
        let home = home().context("failed to make a home for the browser")?;
        let arguments = arguments(home.path(), address, proxy, limits);
        let running = Running::begin(program, arguments, home);
        let mut running = running.context("failed to start the browser")?;
        let heard = tokio::time::timeout(limits.timeout, running.hear(limits.max_bytes)).await;
        let places = heard.is_ok().then(|| running.places());
        running.end().await;
        let Ok(heard) = heard else {
            bail!(
                "its scripts do not come to an end within {} s, or wait for an answer of a person; raise network.timeout_seconds, or \
                 save it from your own browser and give it with --docs",
                limits.timeout.as_secs_f64()
            );
        };
        let (shown, complaints) = heard?;
        let html = self.checked(shown, &complaints)?;
        let places = places.unwrap_or_else(|| Ok(Vec::new()));
        let places = places.context("failed to read where the page was moved on to")?;
        Ok(Shown { html, places })
    }

    /// What it printed, if that is a page.
    fn checked(&self, shown: Vec<u8>, complaints: &[u8]) -> Result<Vec<u8>> {
        if !shown.trim_ascii_end().ends_with(b"</html>") {
            let program = self.program.display();
            bail!(
                "{program} ends without a page ({}); `research doctor` tries it",
                complaint(complaints)
            );
        }
        let is_error = shown
            .windows(ERROR_PAGE.len())
            .any(|part| part == ERROR_PAGE);
        ensure!(
            !is_error,
            "it leads to where nothing can be had; save it from your own browser and give it with --docs"
        );
        Ok(shown)
    }
}

/// The first of the known names among the programs of this user.
fn installed() -> Option<PathBuf> {
    NAMES.iter().find_map(|name| in_path(Path::new(name)))
}

/// The program of a name.
fn in_path(name: &Path) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut found = env::split_paths(&path).map(|place| place.join(name));
    found.find(|program| program.is_file())
}

/// An empty home, in which the browser finds how it is set up.
fn home() -> Result<TempDir> {
    let home = tempfile::Builder::new()
        .prefix("research-browser-")
        .tempdir()?;
    let profile = home.path().join("data/Default");
    Disk::default().create_directory(&profile)?;
    Disk::default().write_cache(&profile.join("Preferences"), PREFERENCES.as_bytes())?;
    Ok(home)
}

fn arguments(home: &Path, address: &str, proxy: SocketAddr, limits: &Limits) -> Vec<OsString> {
    let mut data = OsString::from("--user-data-dir=");
    data.push(home.join("data"));
    let mut record = OsString::from("--log-net-log=");
    record.push(home.join(RECORD));
    let mut arguments: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    arguments.extend([
        data,
        record,
        format!("--proxy-server=http://{proxy}").into(),
        format!("--user-agent={}", limits.user_agent).into(),
        format!("--virtual-time-budget={PAGE_MILLISECONDS}").into(),
    ]);
    if platform::is_root() {
        // It refuses to start otherwise.
        arguments.push("--no-sandbox".into());
    }
    arguments.push(address.into());
    arguments
}

/// A browser at work; dropped, it is killed, and its home removed.
struct Running {
    child: Child,
    home: TempDir,
}

impl Running {
    fn begin(program: &Path, arguments: Vec<OsString>, home: TempDir) -> io::Result<Self> {
        let mut command = platform::supervised_command(program);
        command
            .args(arguments)
            .current_dir(home.path())
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", home.path())
            .env("TMPDIR", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let child = command.spawn()?;
        Ok(Self { child, home })
    }

    /// Everything that it prints, if that is not too much, and the beginning of its complaints.
    async fn hear(&mut self, max_bytes: u64) -> io::Result<(Vec<u8>, Vec<u8>)> {
        let (stdout, stderr) = (self.child.stdout.take(), self.child.stderr.take());
        let limit = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        try_join(whole(stdout, limit), beginning(stderr, COMPLAINT_BYTES)).await
    }

    /// The addresses that its page was asked for at.
    fn places(&self) -> io::Result<Vec<Url>> {
        let record = match File::open(self.home.path().join(RECORD)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            opened => opened?,
        };
        if record.metadata()?.len() > RECORD_BYTES {
            return Err(io::Error::other("it asks for too much"));
        }
        places(BufReader::new(record))
    }

    /// Ends it and all of its processes, and removes what it wrote.
    async fn end(mut self) {
        self.kill();
        let _ = tokio::time::timeout(END, self.child.wait()).await;
        // One of its processes may still be writing.
        let mut left = END;
        while std::fs::remove_dir_all(self.home.path()).is_err() && !left.is_zero() {
            tokio::time::sleep(END_POLL).await;
            left = left.saturating_sub(END_POLL);
        }
    }

    /// Kills the whole group, which has the number of its first process. As long as that was not
    /// waited for, no other group can have its number.
    fn kill(&mut self) {
        if let Some(leader) = self.child.id() {
            platform::kill_process_group(leader);
        }
        let _ = self.child.start_kill();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// All of a stream; an error as soon as that is more than the limit.
async fn whole(stream: Option<impl AsyncRead + Unpin>, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let mut stream = stream.take((limit as u64).saturating_add(1));
        stream.read_to_end(&mut bytes).await?;
    }
    if bytes.len() > limit {
        let problem = format!("it grows to more than {limit} bytes; raise network.max_mebibytes");
        return Err(io::Error::other(problem));
    }
    Ok(bytes)
}

/// The beginning of a stream. The rest is read and dropped, so that its writer is not held up.
async fn beginning(stream: Option<impl AsyncRead + Unpin>, limit: usize) -> io::Result<Vec<u8>> {
    let (mut kept, mut buffer) = (Vec::new(), vec![0; limit]);
    let Some(mut stream) = stream else {
        return Ok(kept);
    };
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Ok(kept);
        }
        let room = limit - kept.len();
        kept.extend_from_slice(&buffer[..count.min(room)]);
    }
}

/// The addresses of the requests for a page itself in a record of requests.
fn places(record: impl BufRead) -> io::Result<Vec<Url>> {
    const KIND: &str = "main frame";
    let mut places = Vec::new();
    for line in record.split(b'\n') {
        let line = line?;
        if !line.windows(KIND.len()).any(|part| part == KIND.as_bytes()) {
            continue;
        }
        let is_between = |byte: &u8| matches!(byte, b',' | b']' | b' ' | b'\r');
        let end = line.iter().rposition(|byte| !is_between(byte));
        let event = &line[..end.map_or(0, |end| end + 1)];
        let event: Value = serde_json::from_slice(event).unwrap_or_default();
        let asked = &event["params"];
        let url = asked["url"].as_str().and_then(|url| Url::parse(url).ok());
        places.extend(url.filter(|_| asked["request_type"] == KIND));
    }
    Ok(places)
}

/// What a browser died of, as it says; it says much else.
fn complaint(complaints: &[u8]) -> String {
    let text = String::from_utf8_lossy(complaints);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let fatal = lines().find(|line| line.contains("FATAL"));
    let told = fatal.or_else(|| lines().next_back());
    let told = told.unwrap_or("it says nothing");
    told.chars().filter(|c| !c.is_control()).take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn browser() -> Browser {
        Browser::find(Path::new("/nonexistent/chromium")).unwrap()
    }

    #[test]
    fn a_setting_names_it_or_none() {
        assert!(Browser::find(Path::new("none")).is_none());
        let named = browser();
        assert_eq!(named.program(), Path::new("/nonexistent/chromium"));
    }

    #[test]
    fn the_places_of_a_page_are_read_from_its_requests() {
        let record = r#"{"constants":{"main frame":1},
"events":[
{"params":{"request_type":"main frame","url":"https://a.example/"},"phase":1,"type":136},
{"params":{"request_type":"subframe","url":"https://b.example/main frame"},"phase":1,"type":136},
{"params":{"request_type":"other","url":"https://c.example/\",\"request_type\":\"main frame"},"type":136},
{"params":{"request_type":"main frame","url":"https://d.example/x"},"phase":1,"type":136}]
{"params":{"request_type":"main frame","url":"https://e.exa"#;
        let found = places(record.as_bytes()).unwrap();
        let found: Vec<&str> = found.iter().map(Url::as_str).collect();
        assert_eq!(found, ["https://a.example/", "https://d.example/x"]);
    }

    #[test]
    fn only_a_whole_page_of_the_web_is_taken() {
        let checked = |shown: &str, complaints: &str| {
            let checked = browser().checked(shown.into(), complaints.as_bytes());
            checked.map_err(|error| error.to_string())
        };
        assert!(checked("<html>a</html>\n", "").is_ok());
        let told = "<html>it has id=\"main-frame-error\"</html>";
        assert!(checked(told, "").is_ok());
        let complaints = "[1:ERROR:dbus] x\n[1:FATAL:zygote] No usable sandbox!\n#0 stack";
        for (shown, complaints, word) in [
            ("<html>a", "", "it says nothing"),
            ("", complaints, "No usable sandbox!"),
            ("<html><div id=\"main-frame-error\"></html>", "", "--docs"),
        ] {
            let told = checked(shown, complaints).unwrap_err();
            assert!(told.contains(word), "{told}");
        }
    }
}
