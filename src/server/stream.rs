//! The events of a session as server-sent events, from its event log.
//!
//! The id of an event is the offset of the end of its line in `events.jsonl`: a client that comes
//! back with `Last-Event-ID` goes on there, whatever server it reaches, and none keeps anything for
//! it. One task per session looks whether the log has grown, however many clients follow it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures::stream::{self, Stream};
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::queue::Ended;
use crate::pipeline::{EVENTS_FILE, Event as SessionEvent, LogEntry, open_file};

/// The interval at which a log is looked at while somebody follows it (chosen by hand: a person
/// sees no delay).
const POLL: Duration = Duration::from_millis(200);

/// The interval at which it is looked at whether a run goes on while its log does not grow (chosen
/// by hand: a client that waits for the end notices nothing of it).
const LOOK: Duration = Duration::from_secs(1);

/// `true` while a run of the session waits or lasts, here or in another process.
pub(super) type IsLive = Arc<dyn Fn() -> bool + Send + Sync>;

/// The maximum number of bytes of a log that are read at once, and the longest line.
const CHUNK: u64 = 1 << 20;

/// The logs that are followed, with their lengths.
#[derive(Default)]
pub(super) struct Followed {
    lengths: Mutex<BTreeMap<PathBuf, watch::Sender<u64>>>,
}

impl Followed {
    /// The length of the log of a session, as it grows.
    fn length(self: &Arc<Self>, session: &Path) -> watch::Receiver<u64> {
        let mut lengths = self.lengths.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(length) = lengths.get(session) {
            return length.subscribe();
        }
        let (sender, receiver) = watch::channel(length_of(session));
        lengths.insert(session.to_owned(), sender);
        let (followed, session) = (self.clone(), session.to_owned());
        tokio::spawn(async move {
            while followed.look(&session) {
                tokio::time::sleep(POLL).await;
            }
        });
        receiver
    }

    /// Looks at a log; `false` if nobody follows it any more.
    fn look(&self, session: &Path) -> bool {
        let mut lengths = self.lengths.lock().unwrap_or_else(PoisonError::into_inner);
        let is_followed = lengths.get(session).is_some_and(|sender| {
            let length = length_of(session);
            sender.send_if_modified(|last| std::mem::replace(last, length) != length);
            sender.receiver_count() > 0
        });
        if !is_followed {
            lengths.remove(session);
        }
        is_followed
    }
}

/// The length of the log of a session.
pub(super) fn length_of(session: &Path) -> u64 {
    fs::metadata(session.join(EVENTS_FILE)).map_or(0, |metadata| metadata.len())
}

/// What one client has seen of a log.
pub(super) struct Follower {
    session: PathBuf,
    position: u64,
    length: watch::Receiver<u64>,
    is_ending: watch::Receiver<bool>,
    /// Lines that were read and not sent yet, last first.
    lines: Vec<(u64, String)>,
}

/// The stream of the events of a session after those that a client has seen, until nothing runs
/// there any more or the server ends.
pub(super) fn events(
    follower: Follower,
    is_live: IsLive,
    permit: OwnedSemaphorePermit,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let state = (follower, is_live, permit);
    let events = stream::unfold(state, async |(mut follower, is_live, permit)| {
        let (id, line) = follower.next(&is_live).await?;
        let event = Event::default().id(id.to_string()).data(line);
        Some((Ok(event), (follower, is_live, permit)))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

impl Follower {
    /// A client that has seen the log of the session at `path` up to `position`.
    pub(super) fn new(
        followed: &Arc<Followed>,
        session: PathBuf,
        position: u64,
        is_ending: watch::Receiver<bool>,
    ) -> Self {
        Self {
            length: followed.length(&session),
            session,
            position,
            is_ending,
            lines: Vec::new(),
        }
    }

    /// The next event of a run; `None` after the last one when the run is over.
    pub(super) async fn next_of_run(
        &mut self,
        ended: &mut watch::Receiver<Ended>,
    ) -> Option<SessionEvent> {
        loop {
            while let Some((_, line)) = self.lines.pop() {
                if let Ok(entry) = serde_json::from_str::<LogEntry>(&line) {
                    return Some(entry.event);
                }
            }
            // Looked at before the log: what was written until the end is read after it.
            let is_over = ended.borrow().is_some() || ended.has_changed().is_err();
            self.read().await?;
            if !self.lines.is_empty() {
                continue;
            }
            if is_over {
                return None;
            }
            tokio::select! {
                grown = self.length.changed() => grown.ok()?,
                // An error is the end as well: the run was taken out of the queue.
                _ = ended.wait_for(Option::is_some) => {}
            }
        }
    }

    /// Reads the lines after those that were read.
    async fn read(&mut self) -> Option<()> {
        self.length.mark_unchanged();
        let (session, position) = (self.session.clone(), self.position);
        let read = tokio::task::spawn_blocking(move || lines(&session, position));
        (self.position, self.lines) = read.await.ok()?;
        self.lines.reverse();
        Some(())
    }

    /// The next event; `None` when nothing runs any more, or the server ends.
    async fn next(&mut self, is_live: &IsLive) -> Option<(u64, String)> {
        loop {
            if let Some(line) = self.lines.pop() {
                return Some(line);
            }
            // Looked at before the log: what a run writes until its end is read after it.
            let is_live = is_live.clone();
            let goes_on = tokio::task::spawn_blocking(move || is_live()).await.ok()?;
            self.read().await?;
            if !self.lines.is_empty() {
                continue;
            }
            if !goes_on {
                return None;
            }
            tokio::select! {
                grown = self.length.changed() => grown.ok()?,
                _ = self.is_ending.wait_for(|is_ending| *is_ending) => return None,
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }
}

/// The whole lines of a log after `position` with the offsets of their ends, and the position after
/// the last one. Lines that are no events are left out: the session may be somebody else's.
fn lines(session: &Path, position: u64) -> (u64, Vec<(u64, String)>) {
    let Some((mut end, bytes)) = read(session, position) else {
        return (position, Vec::new());
    };
    let mut lines = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        // A line that is longer than a chunk is no event either.
        if line.last() != Some(&b'\n') && line.len() < CHUNK as usize {
            break;
        }
        end += line.len() as u64;
        let is_entry = serde_json::from_slice::<LogEntry>(line).is_ok();
        if let Some(text) = str::from_utf8(line).ok().filter(|_| is_entry) {
            lines.push((end, text.trim_end().to_owned()));
        }
    }
    (end, lines)
}

/// A part of a log from `position`, or from its beginning if no line begins there.
fn read(session: &Path, position: u64) -> Option<(u64, Vec<u8>)> {
    let mut file = open_file(&session.join(EVENTS_FILE)).ok()?;
    let mut before = [b'\n'];
    if position > 0 {
        let is_there = file.seek(SeekFrom::Start(position - 1)).is_ok();
        if !is_there || file.read(&mut before).ok()? == 0 || before != [b'\n'] {
            before = [0];
        }
    }
    let start = if before == [b'\n'] { position } else { 0 };
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(CHUNK).read_to_end(&mut bytes).ok()?;
    Some((start, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_on_from_any_line_and_anew_from_anywhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let entry =
            |event: &str| format!("{{\"at\":\"2026-11-21T12:00:00Z\",\"event\":{event}}}\n");
        let (one, two) = (entry("\"interrupted\""), entry("\"run_finished\""));
        let log = format!("{one}{{}}\nno event\n{two}{{\"torn");
        fs::write(folder.path().join(EVENTS_FILE), &log).unwrap();
        let end = (log.len() - "{\"torn".len()) as u64;
        let all = vec![
            (one.len() as u64, one.trim_end().to_owned()),
            (end, two.trim_end().to_owned()),
        ];
        assert_eq!(lines(folder.path(), 0), (end, all.clone()));
        assert_eq!(
            lines(folder.path(), one.len() as u64),
            (end, all[1..].to_vec())
        );
        assert_eq!(lines(folder.path(), end), (end, Vec::new()));
        // Another log, or an offset that nobody was given.
        for position in [3, end + 3, u64::MAX] {
            assert_eq!(
                lines(folder.path(), position),
                (end, all.clone()),
                "{position}"
            );
        }
        assert_eq!(lines(Path::new("/nothing"), 7), (7, Vec::new()));
    }
}
