//! `GET /demo`: a run over a WebSocket, state by state. The client sends a question, as for
//! `POST /run`; the server sends `init`, a `state_change` for each stage, and `complete` or
//! `error`.

use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::app::{blocking, wait};
use super::guard::stream_permit;
use super::problem::Problem;
use super::tenant::{Started, Tenant};
use super::workflow::{RunRequest, reply};
use crate::artifact::session::State;
use crate::pipeline::Event;
use crate::stage::STAGES;

/// The largest message of a client.
const MAX_BYTES: usize = 64 << 10;

/// The time that a client has for its question (chosen by hand).
const PATIENCE: Duration = Duration::from_secs(60);

/// Answers with a WebSocket.
pub(super) async fn demo(
    app: Tenant,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let upgrade = upgrade.map_err(|_| {
        let detail = "this route is a WebSocket; POST /run answers without one";
        Problem::new(StatusCode::UPGRADE_REQUIRED, detail)
    })?;
    let permit = stream_permit(&app)?;
    let socket = upgrade
        .max_message_size(MAX_BYTES)
        .on_upgrade(async |mut socket| {
            let _permit = permit;
            if let Err(problem) = converse(app, &mut socket).await {
                let problem = json!({"type": "error", "problem": problem});
                send(&mut socket, &problem).await;
            }
            // The client may be gone already.
            let _ = socket.send(Message::Close(None)).await;
        });
    Ok(socket)
}

/// Reads a question, and tells how its run goes.
async fn converse(app: Tenant, socket: &mut WebSocket) -> Result<(), Problem> {
    let Some(request) = question(socket).await? else {
        return Ok(());
    };
    let ask = request.ask()?;
    let starting = app.clone();
    let started = blocking(move || starting.start(&ask)).await?;
    let states = STAGES.iter().map(|stage| json!(stage.state));
    let states = [json!(State::Pending)].into_iter().chain(states);
    let init = json!({
        "type": "init",
        "task_id": started.id,
        "states": states.chain([json!(State::Complete)]).collect::<Vec<_>>(),
    });
    if !send(socket, &init).await {
        return Ok(());
    }
    let path = started.path.clone();
    follow(&app, socket, started).await?;
    let result = blocking(move || reply(&app, &path)).await?;
    send(socket, &json!({"type": "complete", "result": result})).await;
    Ok(())
}

/// The first message of a client; `None` if it goes away, or says nothing for long.
async fn question(socket: &mut WebSocket) -> Result<Option<RunRequest>, Problem> {
    while let Ok(Some(Ok(message))) = timeout(PATIENCE, socket.recv()).await {
        if let Message::Text(text) = message {
            let request = serde_json::from_str(&text);
            return request
                .map(Some)
                .map_err(|error| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error));
        }
    }
    Ok(None)
}

/// Sends the states of a run until it ends. The run goes on if the client goes away.
async fn follow(app: &Tenant, socket: &mut WebSocket, started: Started) -> Result<(), Problem> {
    let mut follower = app.follower(started.path, started.position);
    let mut ended = started.ended;
    let mut state = State::Pending;
    while let Some(event) = follower.next_of_run(&mut ended).await {
        let Event::StageStarted { stage, round, .. } = event else {
            continue;
        };
        let next = STAGES.iter().find(|own| own.name == stage);
        let next = next.map_or(state, |own| own.state);
        let change = json!({"type": "state_change", "from": state, "state": next, "round": round});
        if !send(socket, &change).await {
            break;
        }
        state = next;
    }
    wait(ended).await
}

/// Sends a message; `false` if the client is gone.
async fn send(socket: &mut WebSocket, message: &Value) -> bool {
    socket
        .send(Message::text(message.to_string()))
        .await
        .is_ok()
}
