//! The options of a run that a command which resumes its session repeats.

use std::fmt;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The options of a run that its session does not record: the model and the limits that were given
/// on the command line. A hint repeats them; no decision reads them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunOptions {
    /// `true` if it uses no model and no network.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub offline: bool,
    /// The model, or `rules`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The maximum cost in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost_usd: Option<f64>,
    /// The maximum number of tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The time limit in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u64>,
}

impl RunOptions {
    /// `true` if no option was given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same options without those of the budget.
    #[must_use]
    pub fn without_budget(self) -> Self {
        Self {
            offline: self.offline,
            model: self.model,
            ..Self::default()
        }
    }

    /// The command that resumes the session at `path` with these options. A model whose name is not
    /// plain is left out: a log may be somebody else's, and the command is to be typed.
    pub fn resumption(&self, path: &Path) -> String {
        format!("research run --resume {}{self}", path.display())
    }
}

/// The options as they are typed, each behind a space.
impl fmt::Display for RunOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.model.as_ref().filter(|name| is_plain(name));
        let options = [
            self.offline.then(|| " --offline".to_owned()),
            model.map(|model| format!(" --model {model}")),
            self.max_cost_usd.map(|usd| format!(" --max-cost {usd}")),
            self.max_tokens
                .map(|tokens| format!(" --max-tokens {tokens}")),
            self.timeout_seconds
                .map(|seconds| format!(" --timeout {seconds}")),
        ];
        let options: String = options.into_iter().flatten().collect();
        formatter.write_str(&options)
    }
}

/// `true` if a shell takes the name of a model as one word.
fn is_plain(name: &str) -> bool {
    name.chars()
        .all(|own| own.is_alphanumeric() || "-_.:/@+".contains(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_repeated_as_they_were_given() {
        let options = RunOptions {
            model: Some("openai:m".to_owned()),
            max_cost_usd: Some(0.5),
            timeout_seconds: Some(30),
            ..RunOptions::default()
        };
        let path = Path::new("s");
        assert_eq!(
            options.resumption(path),
            "research run --resume s --model openai:m --max-cost 0.5 --timeout 30"
        );
        assert_eq!(
            options.without_budget().resumption(path),
            "research run --resume s --model openai:m"
        );
    }

    #[test]
    fn a_model_that_a_shell_would_run_is_left_out() {
        let options = RunOptions {
            model: Some("m;reboot".to_owned()),
            ..RunOptions::default()
        };
        assert_eq!(
            options.resumption(Path::new("s")),
            "research run --resume s"
        );
    }
}
