//! The process of a tool: arguments as JSON on its standard input, limits of time and output, a
//! working directory that is removed, and an environment of few variables.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use futures::channel::oneshot;

use crate::platform::{grouped_command, has_exited, kill_process_group};
use crate::text::{one_line, truncate_with_ellipsis};

/// The interval at which a program is polled for its end.
const POLL: Duration = Duration::from_millis(2);

/// The longest wait for the output of a program that has ended: a process that left its group may
/// hold it open.
const OUTPUT_WAIT: Duration = Duration::from_secs(1);

/// The part of standard error that is read, in bytes, and shown, in characters.
pub(super) const ERROR_BYTES: u64 = 64 * 1024;
const ERROR_CHARACTERS: usize = 200;

/// A program with its limits.
pub(super) struct Program {
    /// The absolute path.
    pub(super) program: PathBuf,
    /// Its arguments.
    pub(super) words: Vec<String>,
    /// Its environment.
    pub(super) environment: Vec<(String, OsString)>,
    /// The time limit.
    pub(super) timeout: Duration,
    /// The limit of its output, in bytes.
    pub(super) max_bytes: u64,
}

/// One of the two output streams at its end, or at its limit.
enum Output {
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
}

impl Program {
    /// Runs the program with this text as its standard input, on a thread of its own; returns its
    /// output.
    pub(super) async fn run(self, input: String) -> Result<Vec<u8>, String> {
        let (sender, result) = oneshot::channel();
        thread::spawn(move || sender.send(self.run_blocking(&input)));
        let ended = result.await;
        ended.unwrap_or_else(|_| Err("was abandoned".to_owned()))
    }

    fn run_blocking(&self, input: &str) -> Result<Vec<u8>, String> {
        let unprepared = |error: std::io::Error| format!("could not be prepared: {error}");
        let directory = tempfile::tempdir().map_err(unprepared)?;
        let mut file = tempfile::NamedTempFile::new().map_err(unprepared)?;
        file.write_all(input.as_bytes()).map_err(unprepared)?;
        let mut command = grouped_command(&self.program, file.path().as_os_str());
        let mut child = self
            .prepared(&mut command, directory.path())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("does not start: {error}"))?;
        let outputs = read_outputs(&mut child, self.max_bytes);
        let ended = self.wait(&child, &outputs);
        // Its group too, before it is waited for: nothing that it started outlives the call.
        kill_process_group(child.id());
        let status = child.wait().map_err(|error| format!("was lost: {error}"))?;
        let (stdout, stderr) = collected(ended?, &outputs)?;
        if stdout.len() as u64 > self.max_bytes {
            return Err(self.too_much());
        }
        if status.success() {
            Ok(stdout)
        } else {
            Err(failure(status, &stderr))
        }
    }

    /// Adds its arguments, its environment and its directory to a command, whose input and output
    /// are pipes.
    pub(super) fn prepared<'c>(
        &self,
        command: &'c mut Command,
        directory: &Path,
    ) -> &'c mut Command {
        command
            .args(&self.words)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
    }

    /// Waits for the end of the program, and returns the output that has come so far.
    fn wait(&self, child: &Child, outputs: &Receiver<Output>) -> Result<Vec<Output>, String> {
        let deadline = Instant::now() + self.timeout;
        let mut received = Vec::new();
        while !has_exited(child.id()) {
            if Instant::now() >= deadline {
                let seconds = self.timeout.as_secs();
                return Err(format!("took longer than {seconds} s and was stopped"));
            }
            if let Ok(output) = outputs.recv_timeout(POLL) {
                if matches!(&output, Output::Stdout(bytes) if bytes.len() as u64 > self.max_bytes) {
                    return Err(self.too_much());
                }
                received.push(output);
            } else {
                // Both streams may have ended long before the program: then nothing is waited for.
                thread::sleep(POLL);
            }
        }
        Ok(received)
    }

    fn too_much(&self) -> String {
        let limit = self.max_bytes / 1024;
        format!("said more than {limit} KiB and was stopped")
    }
}

/// Reads both streams, each on a thread: a program that fills one pipe while the other is waited
/// for would never end.
fn read_outputs(child: &mut Child, max_bytes: u64) -> Receiver<Output> {
    let (sender, outputs) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        read_on_thread(stdout, max_bytes + 1, sender.clone(), Output::Stdout);
    }
    if let Some(stderr) = child.stderr.take() {
        read_on_thread(stderr, ERROR_BYTES, sender, Output::Stderr);
    }
    outputs
}

fn read_on_thread(
    mut stream: impl Read + Send + 'static,
    limit: u64,
    sender: Sender<Output>,
    output: fn(Vec<u8>) -> Output,
) {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.by_ref().take(limit).read_to_end(&mut bytes);
        let _ = sender.send(output(bytes));
        // What is beyond the limit is dropped, so that the program is not stuck while it waits.
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    });
}

/// The two outputs of a program that has ended.
fn collected(
    received: Vec<Output>,
    outputs: &Receiver<Output>,
) -> Result<(Vec<u8>, Vec<u8>), String> {
    let (mut stdout, mut stderr) = (None, None);
    let mut received = received.into_iter();
    while stdout.is_none() || stderr.is_none() {
        let next = received.next().map(Ok);
        match next.unwrap_or_else(|| outputs.recv_timeout(OUTPUT_WAIT)) {
            Ok(Output::Stdout(bytes)) => stdout = Some(bytes),
            Ok(Output::Stderr(bytes)) => stderr = Some(bytes),
            Err(_) => return Err("left a process behind that holds its output".to_owned()),
        }
    }
    Ok((stdout.unwrap_or_default(), stderr.unwrap_or_default()))
}

/// The failure of a program: its status, and the last line that it wrote on standard error.
fn failure(status: ExitStatus, stderr: &[u8]) -> String {
    match last_line(stderr) {
        Some(line) => format!("failed ({status}): {line}"),
        None => format!("failed ({status})"),
    }
}

/// The last line that a program wrote on standard error, to be shown.
pub(super) fn last_line(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
    let plain = one_line(&last.replace(|c: char| c.is_control(), " "));
    Some(truncate_with_ellipsis(&plain, ERROR_CHARACTERS).into_owned())
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;

    use super::*;

    fn ran(script: &str, timeout: Duration) -> Result<String, String> {
        let program = Program {
            program: PathBuf::from("/bin/sh"),
            words: vec!["-c".to_owned(), script.to_owned()],
            environment: vec![("LANG".to_owned(), OsString::from("C"))],
            timeout,
            max_bytes: 2048,
        };
        let output = block_on(program.run("{\"text\":\"$(id); `id`\"}".to_owned()))?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn arguments_come_as_data_on_standard_input() {
        assert_eq!(ran("cat", LONG).unwrap(), "{\"text\":\"$(id); `id`\"}");
    }

    #[test]
    fn environment_is_cleared_and_directory_is_its_own() {
        assert_eq!(
            ran("ls; echo \"${HOME-none} $LANG\"", LONG).unwrap(),
            "none C\n"
        );
    }

    #[test]
    fn endless_output_and_endless_time_end_with_the_group() {
        let marker = tempfile::tempdir().unwrap();
        let file = marker.path().join("late").display().to_string();
        let endless = format!("(sleep 2; echo late >{file}) & while :; do echo endless; done");
        assert!(ran(&endless, LONG).unwrap_err().contains("more than 2 KiB"));
        let late = ran("sleep 100 & sleep 100", Duration::from_millis(50));
        assert!(late.unwrap_err().contains("took longer than 0 s"));
        assert!(ran("echo x >&2; yes >&2", Duration::from_millis(50)).is_err());
        assert!(!marker.path().join("late").exists());
    }

    #[test]
    fn failures_are_told_by_status_and_last_line() {
        let failed = ran("echo one >&2; echo two >&2; exit 3", LONG).unwrap_err();
        assert_eq!(failed, "failed (exit status: 3): two");
        assert!(ran("kill -9 $$", LONG).unwrap_err().contains("failed ("));
        // A process that stays behind does not hold up the result, and is killed.
        assert_eq!(ran("sleep 100 & echo done", LONG).unwrap(), "done\n");
    }
}
