//! Trust in settings files: the settings that a file found in the working directory may not change.
//!
//! A cloned repository or an unpacked archive brings a `config/` of somebody else. As with git's
//! `safe.directory` and direnv, being found is no reason to be trusted: such a file may not decide
//! where keys and documents are sent, which private addresses are read, where files are written
//! outside the working directory, or which program is started. `RESEARCH_CONFIG` approves one.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Error, Result, anyhow};

use super::Settings;
use super::keys::keys;

/// A file of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    /// The path.
    pub path: PathBuf,
    /// `true` if the user named it, so that it is an error if it does not exist.
    pub must_exist: bool,
    /// `true` unless it was merely found in the working directory.
    pub is_trusted: bool,
}

impl SettingsFile {
    /// The text of the file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self) -> Result<String> {
        std::fs::read_to_string(&self.path)
            .with_context(|| format!("failed to read settings from {}", self.path.display()))
    }

    /// The file of this name in the same directory, which is trusted as much.
    pub(super) fn companion(&self, name: &str) -> Self {
        Self {
            path: self.path.with_file_name(name),
            must_exist: false,
            is_trusted: self.is_trusted,
        }
    }

    /// The first key of an entry whose value is not `known`, unless the file is trusted: an error
    /// that names the file and the line. `known` has the values that are in effect without it.
    ///
    /// # Errors
    /// When there is such a key.
    pub fn check_entry(
        &self,
        text: &str,
        table: &str,
        values: &[(&str, &str)],
        known: &[(&str, &str)],
    ) -> Result<()> {
        let unknown = values.iter().find(|value| !known.contains(value));
        match unknown.filter(|_| !self.is_trusted) {
            Some((key, _)) => Err(self.refusal(text, table, key)),
            None => Ok(()),
        }
    }

    /// Checks the settings with this file, given those without it.
    pub(super) fn check_settings(
        &self,
        text: &str,
        settings: &Settings,
        before: &Settings,
        defaults: &Settings,
    ) -> Result<()> {
        // The defaults too: a copy of the documented file changes nothing.
        let known = [guarded(before), guarded(defaults)].concat();
        for (table, key, value) in guarded(settings) {
            if !self.is_trusted && !known.contains(&(table, key, value)) {
                return Err(self.refusal(text, table, key));
            }
        }
        let others = limits(before).into_iter().zip(limits(defaults));
        for ((table, key, limit), (own, default)) in limits(settings).into_iter().zip(others) {
            if !self.is_trusted && limit > own.2 && limit != default.2 {
                return Err(self.refusal(text, table, key));
            }
        }
        Ok(())
    }

    fn refusal(&self, text: &str, table: &str, key: &str) -> Error {
        let path = &self.path;
        let line = line_of(text, table, key).map_or(String::new(), |line| format!(":{line}"));
        let directory = path.parent().unwrap_or(Path::new("."));
        let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        anyhow!(
            "{}{line}: {key} of [{table}] is not taken from the working directory, whose files may \
             be somebody else's: it could give away keys, documents or files; if you trust this \
             directory, set RESEARCH_CONFIG={directory:?}, or put the entry into research/{} in \
             your configuration directory",
            path.display(),
            path.file_name().unwrap_or_default().display(),
        )
    }
}

/// The settings that a file in the working directory may not change: section, key and value.
fn guarded(settings: &Settings) -> Vec<(&'static str, &'static str, String)> {
    let path = |path: &Path| path.display().to_string();
    // Directories below the working directory are all the same: what is there came with the file.
    let output_dir = Some(&*settings.run.output_dir).filter(|path| !is_below(path));
    let network = &settings.network;
    vec![
        (
            "run",
            "output_dir",
            output_dir.map(path).unwrap_or_default(),
        ),
        // A cache that came with the file could hold pages that their hosts never served.
        ("search", "cache_dir", path(&settings.search.cache_dir)),
        ("models", "prompts_dir", path(&settings.models.prompts_dir)),
        ("network", "allow", network.allow.clone()),
        ("network", "archive", network.archive.clone()),
        ("network", "browser", path(&network.browser)),
        ("queue", "url", settings.queue.url.clone()),
        ("queue", "credentials", settings.queue.credentials.clone()),
        ("store", "url", settings.store.url.clone()),
        // Documents may have come with the file: it may not loosen the limits of their readers.
        (
            "read",
            "memory_mebibytes",
            settings.read.memory_mebibytes.to_string(),
        ),
        (
            "read",
            "timeout_seconds",
            settings.read.timeout_seconds.to_string(),
        ),
        ("server", "listen", settings.server.listen.to_string()),
        ("server", "hosts", settings.server.hosts.clone()),
        ("server", "jwks", settings.server.jwks.clone()),
        ("server", "operators", settings.server.operators.clone()),
        ("server", "audience", settings.server.audience.clone()),
        ("server", "issuer", settings.server.issuer.clone()),
    ]
}

/// The limits that a file in the working directory may lower, but not raise: section, key, value.
fn limits(settings: &Settings) -> Vec<(&'static str, &'static str, f64)> {
    // No limit is the highest.
    let or_none = |limit: f64| if limit > 0.0 { limit } else { f64::INFINITY };
    let (read, network, budget) = (&settings.read, &settings.network, &settings.budget);
    vec![
        ("read", "max_mebibytes", read.max_mebibytes as f64),
        ("network", "max_mebibytes", network.max_mebibytes as f64),
        (
            "network",
            "obey_robots",
            f64::from(u8::from(!network.obey_robots)),
        ),
        ("budget", "max_cost_usd", or_none(budget.max_cost_usd)),
        ("budget", "max_tokens", or_none(budget.max_tokens as f64)),
    ]
}

/// `true` for a relative path that does not lead out of the directory that it starts from, neither
/// by its words nor by a link.
fn is_below(path: &Path) -> bool {
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    path.components().all(is_inside) && !leads_out(path)
}

/// `true` if a link leads the existing part of a relative path out of the working directory, or to
/// nothing.
fn leads_out(path: &Path) -> bool {
    let Ok(own) = Path::new(".").canonicalize() else {
        return true;
    };
    let parts = path.ancestors().filter(|part| !part.as_os_str().is_empty());
    for part in parts {
        match part.canonicalize() {
            Ok(target) => return !target.starts_with(&own),
            Err(_) if part.is_symlink() => return true,
            Err(_) => {}
        }
    }
    false
}

/// The number of the line of a key, or else of its table, from 1.
fn line_of(text: &str, table: &str, key: &str) -> Option<usize> {
    let keys = keys(text);
    let line = |name: &str| keys.iter().find(|key| key.name == name).map(|key| key.line);
    line(&format!("{table}.{key}")).or_else(|| line(table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::layers::Layers;

    #[test]
    fn paths_that_lead_out_are_recognized() {
        assert!(is_below(Path::new("out/sessions")) && is_below(Path::new("./out")));
        assert!(!is_below(Path::new("../out")) && !is_below(Path::new("/out")));
        assert!(!is_below(Path::new("out/../../x")));
    }

    #[test]
    fn found_file_may_repeat_and_tune_but_not_redirect() {
        let untrusted = SettingsFile {
            path: PathBuf::from("config/research.toml"),
            must_exist: false,
            is_trusted: false,
        };
        let add = |file: &SettingsFile, text: &str| Layers::default().add(file, text);
        for text in [
            crate::config::DEFAULTS,
            "[run]\nthreshold = 0.7\noutput_dir = \"reports/all\"\n",
        ] {
            add(&untrusted, text).unwrap();
        }
        let refused = |section: &str, key: &str, value: &str| {
            let text = format!("\n[{section}]\n{key} = {value}\n");
            let message = add(&untrusted, &text).unwrap_err().to_string();
            let prefix = format!("config/research.toml:3: {key} of [{section}]");
            assert!(message.starts_with(&prefix), "{message}");
            assert!(message.contains("RESEARCH_CONFIG="), "{message}");
            let trusted = SettingsFile {
                is_trusted: true,
                ..untrusted.clone()
            };
            add(&trusted, &text).unwrap();
        };
        for (section, key, value) in [
            ("run", "output_dir", "/tmp/x"),
            ("run", "output_dir", "../x"),
            ("search", "cache_dir", "cache"),
            ("models", "prompts_dir", "prompts"),
            ("network", "allow", "0.0.0.0/0"),
            ("network", "archive", "http://evil.test/"),
            ("network", "browser", "./x"),
            ("queue", "url", "nats://evil.test"),
            ("queue", "credentials", "x.creds"),
            ("store", "url", "s3://evil"),
            ("server", "listen", "0.0.0.0:80"),
            ("server", "hosts", "evil.test"),
        ] {
            refused(section, key, &format!("{value:?}"));
        }
        for (section, key, value) in [
            ("read", "max_mebibytes", "9999"),
            ("network", "max_mebibytes", "9999"),
            ("network", "obey_robots", "false"),
        ] {
            refused(section, key, value);
        }
        add(
            &untrusted,
            "[read]\nmax_mebibytes = 1\n[budget]\nmax_cost_usd = 0.5\n",
        )
        .unwrap();
        let budget = SettingsFile {
            is_trusted: true,
            ..untrusted.clone()
        };
        let mut layers = Layers::default();
        layers
            .add(&budget, "[budget]\nmax_cost_usd = 1.0\n")
            .unwrap();
        assert!(
            layers
                .add(&untrusted, "[budget]\nmax_cost_usd = 9.0\n")
                .is_err()
        );
    }
}
