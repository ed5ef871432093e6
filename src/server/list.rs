//! `GET /v1/sessions`: the list of sessions, the latest first, page by page.

use std::path::PathBuf;

use axum::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::app::blocking;
use super::extract::Params;
use super::problem::Problem;
use super::sessions::SessionView;
use super::tenant::Tenant;
use crate::artifact::Session;
use crate::artifact::session::State as SessionState;
use crate::inspect::{self, Status};
use crate::session;

/// The number of sessions of a page, unless the request names another (chosen by hand: a screen).
const PAGE: usize = 20;

/// The parameters of the list of sessions.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ListParams {
    /// Only sessions in this state.
    state: Option<SessionState>,
    /// Only sessions whose topic contains this text.
    topic: Option<String>,
    /// Only sessions after this one, as `next` of the page before names it.
    #[schemars(regex(pattern = ","))]
    after: Option<String>,
    /// The maximum number of sessions.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

/// A page of the list of sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SessionList {
    /// The sessions, the latest first, without what they have spent.
    sessions: Vec<SessionView>,
    /// The value of `after` for the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// The sessions that cannot be read, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
}

/// The sessions in the order of their beginnings.
#[derive(Default)]
pub(super) struct Latest {
    /// The sessions that can be read, the latest first.
    pub(super) sessions: Vec<(PathBuf, Session)>,
    /// Those that cannot, and why.
    problems: Vec<String>,
}

impl Latest {
    /// Reads the sessions.
    ///
    /// # Errors
    /// When their directory cannot be listed.
    pub(super) fn read(app: &Tenant) -> Result<Self, Problem> {
        let mut latest = Self::default();
        for id in session::ids(app.output_dir())? {
            match app.session(&id) {
                Ok(session) => latest.sessions.push(session),
                // An unreadable session must not hide the others.
                Err(problem) => latest.problems.push(format!("{id}: {}", problem.detail)),
            }
        }
        // The ids are sorted, and so are sessions begun at the same time.
        let begun = |(_, session): &(PathBuf, Session)| session.started_at.clone();
        latest
            .sessions
            .sort_by_key(|one| std::cmp::Reverse(begun(one)));
        Ok(latest)
    }
}

/// A place in the list: after the session with this beginning and name, whether or not that session
/// is still there, and whatever was begun since.
struct Cursor<'a> {
    begun: &'a str,
    id: &'a str,
}

impl<'a> Cursor<'a> {
    fn parse(text: &'a str) -> Result<Self, Problem> {
        // A name has no comma.
        let (begun, id) = text.rsplit_once(',').ok_or_else(|| {
            let detail = "this is no place in the list; use the `next` of another page";
            Problem::of_field("after", detail)
        })?;
        Ok(Self { begun, id })
    }

    /// The place after a session.
    fn after(session: &Status) -> String {
        format!("{},{}", session.started_at, session.id)
    }

    fn is_before(&self, session: &Session) -> bool {
        let begun = session.started_at.as_str().cmp(self.begun);
        begun.is_lt() || begun.is_eq() && session.id.as_str() > self.id
    }
}

/// Answers with a page of the list.
pub(super) async fn list(
    app: Tenant,
    Params(params): Params<ListParams>,
) -> Result<Json<SessionList>, Problem> {
    blocking(move || page(&app, &params).map(Json)).await
}

/// A page of the list.
///
/// # Errors
/// When the parameters make no sense, or the sessions cannot be listed.
pub(super) fn page(app: &Tenant, params: &ListParams) -> Result<SessionList, Problem> {
    let limit = params.limit.unwrap_or(PAGE);
    if !(1..=100).contains(&limit) {
        return Err(Problem::of_field(
            "limit",
            "limit has to be between 1 and 100",
        ));
    }
    let cursor = params.after.as_deref().map(Cursor::parse).transpose()?;
    let Latest { sessions, problems } = Latest::read(app)?;
    let topic = params.topic.as_deref().unwrap_or_default().to_lowercase();
    let mut rest = sessions.into_iter().filter(|(_, session)| {
        cursor
            .as_ref()
            .is_none_or(|cursor| cursor.is_before(session))
            && session.topic.to_lowercase().contains(&topic)
    });
    let mut list = SessionList {
        sessions: Vec::new(),
        next: None,
        // They have no place in the order.
        problems: if cursor.is_none() {
            problems
        } else {
            Vec::new()
        },
    };
    for (path, session) in rest.by_ref() {
        let id = session.id.clone();
        match inspect::summary(&path, session, &app.settings) {
            Ok(status) if params.state.is_none_or(|state| state == status.state) => {
                list.sessions
                    .push(SessionView::by_status(app, &path, status));
            }
            Ok(_) => {}
            Err(problem) => list.problems.push(format!("{id}: {problem:#}")),
        }
        if list.sessions.len() == limit {
            break;
        }
    }
    if let (Some(last), true) = (list.sessions.last(), rest.next().is_some()) {
        list.next = Some(Cursor::after(&last.status));
    }
    Ok(list)
}
