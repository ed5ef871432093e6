//! A format of the user's own, without compiling: a template over the document of the JSON export.

use std::path::Path;

use anyhow::{Result, anyhow};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, UndefinedBehavior};
use serde_json::Value;

use crate::text::without_controls;

/// Renders the template of this file, of which `document` is the context: what the format `json`
/// exports. Values are escaped if the name ends with `.html` or `.xml`, `.jinja` aside.
///
/// # Errors
/// When the template is not valid, or uses a value that the document does not have.
pub fn render(path: &Path, template: &str, document: &[u8]) -> Result<String> {
    let document: Value = serde_json::from_slice(document)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut environment = Environment::new();
    // A misspelt name is an error, not an empty text.
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).build()?);
    let rendered = environment.render_named_str(&name, template, Serde(&document));
    let rendered = rendered.map_err(|error| located(path, &error))?;
    Ok(without_controls(&rendered).into_owned())
}

/// The error of a template, with its file and line.
fn located(path: &Path, error: &Error) -> anyhow::Error {
    let line = error.line().unwrap_or(1);
    let detail = error.detail().map(str::to_owned);
    let problem = detail.unwrap_or_else(|| error.kind().to_string());
    anyhow!(
        "{}:{line}: this template cannot be rendered: {problem}; the names are those of \
         `research schema final_report`",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(name: &str, template: &str) -> Result<String> {
        let document = br#"{"title": "R290 & <b>R32</b>", "claims": [{"text": "One."}]}"#;
        render(Path::new(name), template, document)
    }

    #[test]
    fn values_are_escaped_by_the_name_and_unknown_ones_are_errors_with_their_line() {
        let template = "# {{ title }}\n{% for claim in claims %}\n- {{ claim.text }}\n{% endfor %}";
        let text = rendered("notes.md.jinja", template).unwrap();
        assert_eq!(text, "# R290 & <b>R32</b>\n- One.\n");
        let html = rendered("page.html.jinja", "{{ title }}").unwrap();
        assert_eq!(html, "R290 &amp; &lt;b&gt;R32&lt;&#x2f;b&gt;");
        for (broken, prefix) in [("a\n{{ titel }}", "t.md:2: "), ("{% for %}", "t.md:1: ")] {
            let problem = rendered("t.md", broken).unwrap_err().to_string();
            assert!(problem.starts_with(prefix), "{problem}");
        }
    }
}
