//! `GET /v1/sessions/{id}/export`: the report in an export format.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::app::blocking;
use super::extract::Params;
use super::problem::Problem;
use super::tenant::Tenant;
use crate::export::citation::Style;
use crate::export::{FORMATS, Format, Kind};
use crate::inspect::{self, ExportOptions};

/// The formats that this build writes.
pub(super) fn formats() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(|format| format.missing.is_none())
}

/// The format of this name; the first one without a name.
///
/// # Errors
/// When there is none.
pub(super) fn format_of(name: Option<&str>) -> Result<&'static Format, Problem> {
    let name = name.unwrap_or(FORMATS[0].name);
    formats().find(|format| format.name == name).ok_or_else(|| {
        let names: Vec<&str> = formats().map(|format| format.name).collect();
        let detail = format!(
            "there is no format {name:?}; there are {}",
            names.join(", ")
        );
        Problem::of_field("format", detail)
    })
}

/// The parameters of an export.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ExportParams {
    /// The format; by default the first.
    #[schemars(schema_with = "format_names")]
    format: Option<String>,
    /// The part of the report.
    kind: Kind,
    /// The citation style of the references.
    citations: Option<Style>,
    /// The round; by default the published one.
    round: Option<u32>,
}

/// The schema of the name of a format.
fn format_names(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = formats().map(|format| format.name).collect();
    json_schema!({"type": "string", "enum": names})
}

/// `GET /v1/sessions/{id}/export`.
pub(super) async fn export(
    app: Tenant,
    Path(id): Path<String>,
    Params(params): Params<ExportParams>,
) -> Result<Response, Problem> {
    blocking(move || {
        let (path, _) = app.session(&id)?;
        let format = format_of(params.format.as_deref())?;
        let options = ExportOptions {
            kind: params.kind,
            style: params.citations,
            round: params.round,
            base: format!("/v1/sessions/{id}/files/"),
        };
        let exported = inspect::export(&path, &app.settings, format, options)?;
        let headers = [
            (header::CONTENT_TYPE, format.media_type.to_owned()),
            (
                header::CONTENT_DISPOSITION,
                format!(
                    "attachment; filename=\"{}.{}\"",
                    id.replace('"', ""),
                    format.extension
                ),
            ),
        ];
        Ok((headers, exported.bytes).into_response())
    })
    .await
}
