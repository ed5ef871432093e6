// Renews the progress of a session while events come in. The page works without it.
"use strict";
const place = document.getElementById("progress");
if (place.dataset.live) {
  const events = new EventSource(place.dataset.events);
  let timer = 0;
  let isDue = false;
  const renew = async () => {
    isDue = false;
    const reply = await fetch(place.dataset.progress).catch(() => null);
    if (reply && reply.ok) {
      if (reply.headers.get("x-live") === "false") {
        events.close();
        location.reload();
        return;
      }
      // The server escapes every text in it.
      place.innerHTML = await reply.text();
    }
    // Also without an event: a run is over a moment after its last one.
    wait(2000);
  };
  const wait = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(renew, milliseconds);
  };
  events.onmessage = () => {
    if (!isDue) wait(200);
    isDue = true;
  };
  // The stream ends with the run, also if that failed before its first event.
  events.onerror = () => wait(200);
}
