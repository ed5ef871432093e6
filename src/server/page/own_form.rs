//! The body of a form, which is taken from pages of this server alone.

use axum::extract::{Form, FromRequest, Request};
use axum::http::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::super::guard::tells_origin;
use super::super::problem::Problem;
use super::template::PageProblem;

/// A form that a page of this server sent, as the browser tells.
pub(crate) struct OwnForm<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for OwnForm<T> {
    type Rejection = PageProblem;

    async fn from_request(request: Request, state: &S) -> Result<Self, PageProblem> {
        // Any page can send a form. The guard has refused those of other origins, if the browser
        // told the origin; one that does not is too old.
        if !tells_origin(request.headers()) {
            let detail = "forms are taken from browsers that tell where they come from; programs \
                          use the routes under /v1";
            return Err(PageProblem(Problem::new(StatusCode::FORBIDDEN, detail)));
        }
        let form = Form::from_request(request, state).await;
        let form =
            form.map_err(|rejection| Problem::new(rejection.status(), rejection.body_text()));
        Ok(Self(form.map_err(PageProblem)?.0))
    }
}

/// A form without fields.
#[derive(Debug, Deserialize)]
pub(crate) struct Press {}
