//! An installed Chromium, run headless in a child process: renders one page and dumps its DOM.
//!
//! It is started for one page, in an empty home directory, and ends with all of its processes
//! before the page is read; what it wrote is removed. All of its connections go through a
//! [`Proxy`](super::Proxy). It gets nothing of this process's environment.
//!
//! Redirects by scripts are read from Chromium's net-log, which is no stable format: a version that
//! writes another one renders pages as before, but under the address that was fetched.

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

use crate::pipeline::Disk;
use crate::platform;
use crate::web::limits::Limits;

/// The names of the program, in the order of preference.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The value of `network.browser` for no browser.
const NONE: &str = "none";

/// The number of browsers that run at once; each takes hundreds of MiB.
const AT_ONCE: usize = 2;

/// The virtual time after which a page's DOM is dumped, in milliseconds. A page's clock stands
/// while something is being fetched, and else runs as fast as the scripts do. Chosen by hand.
const VIRTUAL_TIME_MILLISECONDS: u32 = 5000;

/// The longest wait for processes that were killed.
const KILL_WAIT: Duration = Duration::from_millis(1000);

/// The interval at which killed processes are polled.
const KILL_POLL: Duration = Duration::from_millis(20);

/// The part of its standard error that is read, in bytes.
const STDERR_BYTES: usize = 64 * 1024;

/// The element in Chromium's own error page, which is no page of the web. As an element, since a
/// page may speak of it.
const ERROR_PAGE: &[u8] = b"<div id=\"main-frame-error\"";

/// The net-log in its home directory, an event a line.
const NET_LOG: &str = "net.json";

/// The size of the largest net-log that is read.
const NET_LOG_BYTES: u64 = 16 * 1024 * 1024;

/// The preferences of its profile: WebRTC does not bypass the proxy (it did with the flags alone),
/// and nothing is downloaded.
const PREFERENCES: &str = r#"{"webrtc":{"ip_handling_policy":"disable_non_proxied_udp"},
"download_restrictions":3,
"safebrowsing":{"enabled":false}}"#;

/// The flags of every run.
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
    // What else would bypass the proxy.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    // What it would fetch for itself: with these, version 156 requests nothing but the page.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--gaia-url=http://127.0.0.1:1",
    "--component-updater=url-source=http://127.0.0.1:1/",
    "--disable-features=OptimizationHints,OptimizationGuideModelDownloading,\
NetworkTimeServiceQuerying,\
MediaRouter,DialMediaRouteProvider",
];

/// A rendered page.
pub(super) struct RenderedPage {
    /// The DOM after the scripts have run, as HTML.
    pub(super) html: Vec<u8>,
    /// The addresses of the navigations of its main frame, in order: several where its scripts or
    /// its server redirect.
    pub(super) navigations: Vec<Url>,
}

/// An installed browser.
#[derive(Debug)]
pub struct Browser {
    program: PathBuf,
    slots: Semaphore,
}

impl Browser {
    /// The browser that a setting names, or for an empty one the first that is installed; `None`
    /// for `none`.
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
            slots: Semaphore::new(AT_ONCE),
        })
    }

    /// The path of the program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// `true` if it runs in its own sandbox, which it does not where this program is run as root.
    pub fn is_sandboxed(&self) -> bool {
        !platform::is_root()
    }

    /// The right to run it, until it is dropped.
    pub(super) async fn acquire(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.slots.acquire().await.ok()
    }

    /// Renders a page that needs no network, as a test.
    ///
    /// # Errors
    /// When it does not render that page, with the remedy.
    pub async fn try_out(&self) -> Result<()> {
        // Port 9 is that of the discard service: nobody listens there.
        let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 9));
        // `<script>document.write('re'+'ady')</script>`. Written out, Chromium 148 takes it for no
        // address.
        let page = "data:text/html;base64,\
                    PHNjcmlwdD5kb2N1bWVudC53cml0ZSgncmUnKydhZHknKTwvc2NyaXB0Pg==";
        let rendered = self.render(page, nowhere, &Limits::default()).await?;
        ensure!(
            rendered.html.windows(5).any(|part| part == b"ready"),
            "{} does not run scripts; name another browser in network.browser",
            self.program.display()
        );
        Ok(())
    }

    /// Renders a page.
    pub(super) async fn render(
        &self,
        address: &str,
        proxy: SocketAddr,
        limits: &Limits,
    ) -> Result<RenderedPage> {
        let program = &self.program;
        ensure!(
            program.is_file(),
            "there is no program {}; name another one in network.browser",
            program.display()
        );
        let home = home().context("failed to make a home for the browser")?;
        let arguments = arguments(home.path(), address, proxy, limits);
        let mut running =
            Running::start(program, arguments, home).context("failed to start the browser")?;
        let output = tokio::time::timeout(limits.timeout, running.output(limits.max_bytes)).await;
        // The net-log is complete once the output is, and gone once the browser has ended.
        let navigations = output.is_ok().then(|| running.navigations());
        running.end().await;
        let Ok(output) = output else {
            bail!(
                "its scripts do not come to an end within {} s, or wait for a person; \
                 raise network.timeout_seconds, or save it from your own browser and give it with \
                 --docs",
                limits.timeout.as_secs_f64()
            );
        };
        let (stdout, stderr) = output?;
        let html = self.checked(stdout, &stderr)?;
        let navigations = navigations
            .unwrap_or_else(|| Ok(Vec::new()))
            .context("failed to read the redirects of the page")?;
        Ok(RenderedPage { html, navigations })
    }

    /// Checks that its output is a complete page of the web.
    fn checked(&self, html: Vec<u8>, stderr: &[u8]) -> Result<Vec<u8>> {
        if !html.trim_ascii_end().ends_with(b"</html>") {
            let program = self.program.display();
            bail!(
                "{program} ends without a page ({}); `research doctor` tries it",
                error_message(stderr)
            );
        }
        let is_error = html
            .windows(ERROR_PAGE.len())
            .any(|part| part == ERROR_PAGE);
        ensure!(
            !is_error,
            "it leads to an address that cannot be fetched; save it from your own browser and give \
             it with --docs"
        );
        Ok(html)
    }
}

/// The first of the known names in `PATH`.
fn installed() -> Option<PathBuf> {
    NAMES.iter().find_map(|name| in_path(Path::new(name)))
}

/// The program of a name in `PATH`.
fn in_path(name: &Path) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|program| program.is_file())
}

/// A home directory that is empty but for the preferences of the profile.
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
    let mut net_log = OsString::from("--log-net-log=");
    net_log.push(home.join(NET_LOG));
    let mut arguments: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    arguments.extend([
        data,
        net_log,
        format!("--proxy-server=http://{proxy}").into(),
        format!("--user-agent={}", limits.user_agent).into(),
        format!("--virtual-time-budget={VIRTUAL_TIME_MILLISECONDS}").into(),
    ]);
    if platform::is_root() {
        // It refuses to start otherwise.
        arguments.push("--no-sandbox".into());
    }
    arguments.push(address.into());
    arguments
}

/// A running browser. When it is dropped, it is killed and its home directory removed.
struct Running {
    child: Child,
    home: TempDir,
}

impl Running {
    fn start(program: &Path, arguments: Vec<OsString>, home: TempDir) -> io::Result<Self> {
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

    /// Its standard output, up to a limit, and the beginning of its standard error.
    async fn output(&mut self, max_bytes: u64) -> io::Result<(Vec<u8>, Vec<u8>)> {
        let (stdout, stderr) = (self.child.stdout.take(), self.child.stderr.take());
        let limit = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        try_join(read_all(stdout, limit), read_start(stderr, STDERR_BYTES)).await
    }

    /// The addresses of the navigations of its main frame.
    fn navigations(&self) -> io::Result<Vec<Url>> {
        let net_log = match File::open(self.home.path().join(NET_LOG)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            opened => opened?,
        };
        if net_log.metadata()?.len() > NET_LOG_BYTES {
            return Err(io::Error::other("it makes too many requests"));
        }
        navigations(BufReader::new(net_log))
    }

    /// Kills it with all of its processes, and removes what it wrote.
    async fn end(mut self) {
        self.kill();
        let _ = tokio::time::timeout(KILL_WAIT, self.child.wait()).await;
        // One of its processes may still be writing.
        let mut left = KILL_WAIT;
        while std::fs::remove_dir_all(self.home.path()).is_err() && !left.is_zero() {
            tokio::time::sleep(KILL_POLL).await;
            left = left.saturating_sub(KILL_POLL);
        }
    }

    /// Kills the process group, which has the id of its first process. As long as that was not
    /// waited for, no other group can have its id.
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

/// Reads a stream to its end; an error as soon as that is beyond the limit.
async fn read_all(stream: Option<impl AsyncRead + Unpin>, limit: usize) -> io::Result<Vec<u8>> {
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

/// Reads the beginning of a stream. The rest is read and dropped, so that its writer does not
/// block.
async fn read_start(stream: Option<impl AsyncRead + Unpin>, limit: usize) -> io::Result<Vec<u8>> {
    let (mut start, mut buffer) = (Vec::new(), vec![0; limit]);
    let Some(mut stream) = stream else {
        return Ok(start);
    };
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Ok(start);
        }
        let room = limit - start.len();
        start.extend_from_slice(&buffer[..count.min(room)]);
    }
}

/// The addresses of the requests for the main frame in a net-log.
fn navigations(net_log: impl BufRead) -> io::Result<Vec<Url>> {
    const KIND: &str = "main frame";
    let mut navigations = Vec::new();
    for line in net_log.split(b'\n') {
        let line = line?;
        if !line.windows(KIND.len()).any(|part| part == KIND.as_bytes()) {
            continue;
        }
        // A line is an event and what separates it from the next. The last may be cut off.
        let end = line
            .iter()
            .rposition(|byte| !matches!(byte, b',' | b']' | b' ' | b'\r'));
        let event = &line[..end.map_or(0, |end| end + 1)];
        let event: Value = serde_json::from_slice(event).unwrap_or_default();
        let request = &event["params"];
        let url = request["url"].as_str().and_then(|url| Url::parse(url).ok());
        navigations.extend(url.filter(|_| request["request_type"] == KIND));
    }
    Ok(navigations)
}

/// The line of standard error that says why it died, among many others.
fn error_message(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let fatal = lines.iter().find(|line| line.contains("FATAL"));
    let message = fatal.or(lines.last()).copied();
    message
        .unwrap_or("it says nothing")
        .chars()
        .filter(|c| !c.is_control())
        .take(300)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn browser() -> Browser {
        Browser::find(Path::new("/nonexistent/chromium")).unwrap()
    }

    #[test]
    fn network_browser_names_a_program_or_none() {
        assert!(Browser::find(Path::new("none")).is_none());
        let named = browser();
        assert_eq!(named.program(), Path::new("/nonexistent/chromium"));
    }

    #[test]
    fn navigations_are_read_from_the_net_log() {
        let net_log = r#"{"constants":{"main frame":1},
"events":[
{"params":{"request_type":"main frame","url":"https://a.example/"},"phase":1,"type":136},
{"params":{"request_type":"subframe","url":"https://b.example/main frame"},"phase":1,"type":136},
{"params":{"request_type":"other","url":"https://c/\",\"request_type\":\"main frame"},"type":136},
{"params":{"request_type":"main frame","url":"https://d.example/x"},"phase":1,"type":136}]
{"params":{"request_type":"main frame","url":"https://e.exa"#;
        let urls = navigations(net_log.as_bytes()).unwrap();
        let urls: Vec<&str> = urls.iter().map(Url::as_str).collect();
        assert_eq!(urls, ["https://a.example/", "https://d.example/x"]);
    }

    #[test]
    fn only_a_complete_page_of_the_web_is_accepted() {
        let checked = |html: &str, stderr: &str| {
            let checked = browser().checked(html.into(), stderr.as_bytes());
            checked.map_err(|error| error.to_string())
        };
        assert!(checked("<html>a</html>\n", "").is_ok());
        let about_errors = "<html>it has id=\"main-frame-error\"</html>";
        assert!(checked(about_errors, "").is_ok());
        let stderr = "[1:ERROR:dbus] x\n[1:FATAL:zygote] No usable sandbox!\n#0 stack";
        for (html, stderr, word) in [
            ("<html>a", "", "it says nothing"),
            ("", stderr, "No usable sandbox!"),
            ("<html><div id=\"main-frame-error\"></html>", "", "--docs"),
        ] {
            let error = checked(html, stderr).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }
}
