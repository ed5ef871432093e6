//! The layers of the settings, merged: each setting with the layer that it comes from.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use config::builder::DefaultState;
use config::{Config, ConfigBuilder, ConfigError, File, FileFormat};
use etcetera::{BaseStrategy as _, choose_base_strategy};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use walkdir::WalkDir;

use super::keys::{Key, keys};
use super::{DEFAULTS, Settings, SettingsFile};

/// The project's file, in the working directory.
const PROJECT_FILE: &str = "config/research.toml";

/// The name of a settings file.
const FILE_NAME: &str = "research.toml";

/// The names of the tables that extend the built-in ones, in the directories of the settings files.
const COMPANIONS: [&str; 3] = ["providers.toml", "prices.toml", "services.toml"];

/// The table whose keys are names of agents, and so not known here.
const FREE_TABLE: &str = "budget.components";

/// The beginning of the names of our environment variables.
const PREFIX: &str = "RESEARCH_";

/// The key of the model.
const MODEL: &str = "models.default";

/// The variables with names of their own: short names of settings, and what is no setting.
const SHORT_NAMES: [(&str, &str); 2] = [
    ("RESEARCH_OUTPUT_DIR", "run.output_dir"),
    ("RESEARCH_MODEL", MODEL),
];
const OTHER_VARIABLES: [&str; 5] = [
    "RESEARCH_CONFIG",
    "RESEARCH_JWT_SECRET",
    "RESEARCH_NOW",
    "RESEARCH_BENCH_DATA",
    "RESEARCH_COMPLETE",
];

/// The similarity from which a key is suggested for a misspelled one, as clap has it for options.
const SIMILAR: f64 = 0.7;

/// The layer that a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin {
    /// The built-in defaults.
    Default,
    /// A file.
    File {
        /// The path.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// An environment variable.
    Variable {
        /// The name.
        name: String,
    },
    /// An option of the command line.
    Option {
        /// The name.
        name: String,
    },
}

/// The settings of all layers, with their origins.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The merged settings.
    pub settings: Settings,
    /// The origin of each setting that is not a default, by its key, such as `run.threshold`.
    pub origins: BTreeMap<String, Origin>,
}

impl Loaded {
    /// Reads the layers from defaults to environment. The caller applies flags.
    ///
    /// # Errors
    /// When a layer cannot be read, or has an unknown key or an invalid value; the message names
    /// the layer.
    pub fn read() -> Result<Self> {
        let mut layers = Layers::default();
        for file in files() {
            // A file that was not named and does not exist is a layer without values, not an error.
            if file.must_exist || file.path.is_file() {
                layers.add(&file, &file.read()?)?;
            }
        }
        // Variables come after all files: they are set for one run, files are written for many.
        for variable in variables() {
            layers.add_variable(variable)?;
        }
        layers.loaded()
    }

    /// The built-in defaults, for commands that work where the settings cannot be read.
    ///
    /// # Errors
    /// Never: a test reads them.
    pub fn defaults() -> Result<Self> {
        Layers::default().loaded()
    }

    /// Every setting, in the order of the documented file.
    ///
    /// # Errors
    /// When a value cannot be written as JSON.
    pub fn list(&self) -> Result<Vec<Setting>> {
        let values = serde_json::to_value(&self.settings)?;
        let mut known = keys(DEFAULTS);
        known.retain(|key| !key.is_table || key.name == FREE_TABLE);
        known.sort_by_key(|key| key.line);
        Ok(known
            .into_iter()
            .map(|Key { name: key, .. }| Setting {
                value: values
                    .pointer(&format!("/{}", key.replace('.', "/")))
                    .cloned()
                    .unwrap_or_default(),
                origin: self.origin(&key).clone(),
                key,
            })
            .collect())
    }

    /// Refuses a directory of sessions that nobody named, if a link leads out of the working
    /// directory: the link came with what is there, and may be somebody else's.
    ///
    /// # Errors
    /// When it is such a link, with its target and the way to name it.
    pub fn check_output_dir(&self) -> Result<()> {
        let is_named = match self.origin("run.output_dir") {
            Origin::Default => false,
            Origin::File { path, .. } => files()
                .iter()
                .any(|file| file.is_trusted && file.path == *path),
            Origin::Variable { .. } | Origin::Option { .. } => true,
        };
        let directory = &self.settings.run.output_dir;
        let real = directory.canonicalize().ok();
        let here = Path::new(".").canonicalize().ok();
        if let (false, Some(real), Some(here)) = (is_named, real, here)
            && !real.starts_with(&here)
        {
            let (directory, real) = (directory.display(), real.display());
            bail!(
                "{directory} is a link to {real}, outside of the working directory, and may be \
                 somebody else's; if it is yours, name it: --output-dir {directory}"
            );
        }
        Ok(())
    }

    /// The origin of a setting: for a table of free keys, that of one of them.
    fn origin(&self, key: &str) -> &Origin {
        let below = format!("{key}.");
        let mut origins = self.origins.iter();
        let origin = origins.find(|(name, _)| *name == key || name.starts_with(&below));
        origin.map_or(&Origin::Default, |(_, origin)| origin)
    }
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Setting {
    /// The key, such as `run.threshold`.
    pub key: String,
    /// The value.
    pub value: Value,
    /// The layer that it comes from.
    pub origin: Origin,
}

/// Checks a text as a settings file of the user would be, over the defaults.
///
/// # Errors
/// When it has an unknown key or an invalid value; the message names the line, and `path`.
pub fn check_text(text: &str, path: &Path) -> Result<()> {
    Layers::default().add_file(text, path)
}

/// The user's settings file, which need not exist; `None` without a configuration directory.
pub fn user_file() -> Option<PathBuf> {
    // XDG base directories: `$XDG_CONFIG_HOME`, or `~/.config`.
    let directories = choose_base_strategy().ok()?;
    Some(directories.config_dir().join("research").join(FILE_NAME))
}

/// The settings files in the order of their layers, those that do not exist included.
pub fn files() -> Vec<SettingsFile> {
    let mut files = Vec::new();
    let file = |path: PathBuf, must_exist, is_trusted| SettingsFile {
        path,
        must_exist,
        is_trusted,
    };
    files.extend(user_file().map(|path| file(path, false, true)));
    // An empty variable counts as none, as the others do.
    let named = env::var_os("RESEARCH_CONFIG").filter(|path| !path.is_empty());
    let named = named.map(PathBuf::from).map(|path| {
        if path.is_dir() {
            file(path.join(FILE_NAME), false, true)
        } else {
            file(path, true, true)
        }
    });
    // Naming a file in the project's directory approves that directory.
    let directory = |path: &Path| path.parent().and_then(|path| path.canonicalize().ok());
    let project = Path::new(PROJECT_FILE);
    let is_approved = named.as_ref().is_some_and(|named| {
        directory(&named.path).is_some_and(|named| Some(named) == directory(project))
    });
    files.push(file(project.to_owned(), false, is_approved));
    files.extend(named);
    files
}

/// The existing files of this name in the directories of the settings files, in the order of the
/// layers.
pub fn companions(name: &str) -> Vec<SettingsFile> {
    let mut companions: Vec<SettingsFile> = files()
        .into_iter()
        .map(|file| file.companion(name))
        .filter(|file| file.path.is_file())
        .collect();
    // RESEARCH_CONFIG may name a file in a directory that is already listed.
    companions.dedup();
    companions
}

/// The files `FOLDER/NAME.toml` beside the settings files, in the order of the layers, then by
/// name; only those that are trusted, since they may name programs that are started.
///
/// # Errors
/// When a folder cannot be listed.
pub fn trusted_files(folder: &str) -> Result<Vec<PathBuf>> {
    let mut listed: Vec<PathBuf> = Vec::new();
    for directory in folders(folder, true) {
        for entry in WalkDir::new(&directory).max_depth(1).sort_by_file_name() {
            let entry = entry.with_context(|| format!("failed to list {}", directory.display()))?;
            let path = entry.into_path();
            if path.extension().is_some_and(|own| own == "toml") && !listed.contains(&path) {
                listed.push(path);
            }
        }
    }
    Ok(listed)
}

/// The folders of this name in the working directory that are not trusted, so that nothing in them
/// is used.
pub fn untrusted_folders(folder: &str) -> Vec<PathBuf> {
    folders(folder, false)
}

fn folders(name: &str, is_trusted: bool) -> Vec<PathBuf> {
    let files = files().into_iter();
    let chosen = files.filter(|file| file.is_trusted == is_trusted);
    chosen
        .map(|file| file.path.with_file_name(name))
        .filter(|folder| folder.is_dir())
        .collect()
}

/// The files that are read besides the built-in ones: settings, then the tables beside them.
pub fn existing_files() -> Vec<PathBuf> {
    files()
        .into_iter()
        .filter(|file| file.path.is_file())
        .chain(COMPANIONS.into_iter().flat_map(companions))
        .map(|file| file.path)
        .collect()
}

/// An environment variable that is a setting.
struct Variable {
    name: String,
    key: String,
    value: String,
}

/// The environment variables that are settings, sorted by name: `RESEARCH_SECTION__KEY`, and the
/// short names for two of them.
fn variables() -> Vec<Variable> {
    let mut variables: Vec<_> = our_variables()
        .into_iter()
        .filter_map(|(name, value)| {
            let key = key_of(&name)?;
            Some(Variable { name, key, value })
        })
        .collect();
    // Sorted, so that the outcome does not depend on the order of the environment.
    variables.sort_by(|a, b| (&a.key, &a.name).cmp(&(&b.key, &b.name)));
    variables
}

/// The environment variables that look like ours and are neither settings nor known otherwise,
/// sorted.
pub fn ignored_variables() -> Vec<String> {
    let ours = our_variables().into_iter().map(|(name, _)| name);
    let mut ignored: Vec<String> = ours
        .filter(|name| key_of(name).is_none() && !OTHER_VARIABLES.contains(&name.as_str()))
        .collect();
    ignored.sort();
    ignored
}

/// The variable of the setting that an ignored one may have meant: of that name in any section, or
/// of the most similar one.
pub fn nearest_variable(ignored: &str) -> Option<String> {
    let name = ignored.strip_prefix(PREFIX)?.to_lowercase();
    let known = keys(DEFAULTS);
    let own = |key: &&Key| key.name.rsplit('.').next().unwrap_or_default().to_owned();
    let values = known.iter().filter(|key| !key.is_table);
    let same = values.clone().find(|key| own(key) == name);
    let likeness = |key: &&Key| strsim::jaro_winkler(&own(key), &name);
    let by_likeness = |a: &&Key, b: &&Key| likeness(a).total_cmp(&likeness(b));
    let similar = || values.clone().max_by(by_likeness);
    let similar = || similar().filter(|key| likeness(key) >= SIMILAR);
    same.or_else(similar).map(|key| variable_of(&key.name))
}

/// The variable of a setting.
fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.to_uppercase().replace('.', "__"))
}

fn our_variables() -> Vec<(String, String)> {
    env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with(PREFIX))
        .collect()
}

/// The key of the setting that a variable sets.
fn key_of(variable: &str) -> Option<String> {
    let short = SHORT_NAMES.iter().find(|(short, _)| *short == variable);
    if let Some((_, key)) = short {
        return Some((*key).to_owned());
    }
    // `__` stands between section and key: RESEARCH_NOW, say, is not a setting.
    let name = variable.strip_prefix(PREFIX)?;
    let key = name.to_lowercase().replace("__", ".");
    name.contains("__").then_some(key)
}

/// The layers so far.
pub(super) struct Layers {
    builder: ConfigBuilder<DefaultState>,
    /// `true` while there is no layer above the defaults.
    is_default: bool,
    origins: BTreeMap<String, Origin>,
}

impl Default for Layers {
    fn default() -> Self {
        let defaults = File::from_str(DEFAULTS, FileFormat::Toml);
        Self {
            builder: Config::builder().add_source(defaults),
            is_default: true,
            origins: BTreeMap::new(),
        }
    }
}

impl Layers {
    /// Adds a file, which is refused if it changes what it is not trusted to change.
    pub(super) fn add(&mut self, file: &SettingsFile, text: &str) -> Result<()> {
        let before = self.settings()?;
        self.add_file(text, &file.path)?;
        let defaults = Self::default().settings()?;
        file.check_settings(text, &self.settings()?, &before, &defaults)
    }

    fn add_file(&mut self, text: &str, path: &Path) -> Result<()> {
        let keys = keys(text);
        refuse_unknown(&keys, path)?;
        // A later source overrides an earlier one key by key; sections are merged, not replaced.
        let layer = File::from_str(text, FileFormat::Toml);
        self.builder = self.builder.clone().add_source(layer);
        self.is_default = false;
        self.check(|problem| {
            // The errors of values name their keys, some without the section.
            let own = |key: &Key| key.name.rsplit('.').next().unwrap_or_default().to_owned();
            let mut values = keys.iter().filter(|key| !key.is_table);
            let key = values
                .clone()
                .find(|key| has_word(problem, &key.name))
                .or_else(|| values.find(|key| has_word(problem, &own(key))));
            let line = key.map_or(String::new(), |key| format!(":{}", key.line));
            format!("invalid setting in {}{line}", path.display())
        })?;
        for Key { name, line, .. } in keys.into_iter().filter(|key| !key.is_table) {
            let path = path.to_owned();
            self.origins.insert(name, Origin::File { path, line });
        }
        Ok(())
    }

    fn add_variable(&mut self, variable: Variable) -> Result<()> {
        refuse_unknown_variable(&variable)?;
        let Variable { name, key, value } = variable;
        // A variable is text; `config` parses it into the type of the setting.
        self.builder = self
            .builder
            .clone()
            .set_override(&key, value)
            .with_context(|| format!("the environment variable {name} is not a setting"))?;
        self.is_default = false;
        self.check(|_| format!("invalid setting in the environment variable {name}"))?;
        self.origins.insert(key, Origin::Variable { name });
        Ok(())
    }

    /// Validates the merged settings. Everything before the last layer was valid, so an error is in
    /// that one; `layer` names it, given the error.
    fn check(&self, layer: impl FnOnce(&str) -> String) -> Result<()> {
        let checked = self.settings().and_then(|settings| settings.check());
        checked.map_err(|error| {
            let layer = layer(&format!("{error:#}"));
            error.context(layer)
        })
    }

    fn settings(&self) -> Result<Settings> {
        // Most runs have no layer above the defaults: merging one layer, and reading its comments,
        // costs a tenth of what a finished session does.
        if self.is_default {
            let lines = DEFAULTS.lines().filter(|line| !line.starts_with('#'));
            return Ok(toml::from_str(&lines.collect::<Vec<_>>().join("\n"))?);
        }
        // `deny_unknown_fields` of every section makes a misspelled key an error here.
        let config = self.builder.clone().build()?;
        config
            .clone()
            .try_deserialize()
            .map_err(|error| in_plain_words(config, error))
    }

    fn loaded(self) -> Result<Loaded> {
        let mut settings = self.settings()?;
        if let Some(Origin::Variable { name }) = self.origins.get(MODEL) {
            settings.models.named_by.clone_from(name);
        }
        Ok(Loaded {
            settings,
            origins: self.origins,
        })
    }
}

/// An error of a value. That of one which is none of a few names these, as `toml` does.
fn in_plain_words(config: Config, error: ConfigError) -> anyhow::Error {
    let is_of_choice = error.to_string().contains("variant");
    let value = config.try_deserialize::<toml::Value>().ok();
    let choice = value.filter(|_| is_of_choice);
    let choice = choice.and_then(|value| value.try_into::<Settings>().err());
    match choice {
        Some(choice) => anyhow!("{}", choice.to_string().trim_end().replace('\n', " ")),
        None => anyhow!("{}", error.to_string().replace("floating point", "number")),
    }
}

/// `true` if a text has this name of a key.
fn has_word(text: &str, name: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
    words.any(|word| word == name)
}

/// Refuses a key that no setting has, with its line and the most similar one.
fn refuse_unknown(present: &[Key], path: &Path) -> Result<()> {
    let known = keys(DEFAULTS);
    let unknown = present.iter().find(|key| {
        let is_known = known.iter().any(|known| known.name == key.name);
        !is_known && !key.name.starts_with(&format!("{FREE_TABLE}."))
    });
    let Some(Key { name, line, .. }) = unknown else {
        return Ok(());
    };
    let tip = tip(&known, name, ToOwned::to_owned);
    bail!(
        "invalid setting in {}:{line}: there is no setting {name}{tip}",
        path.display()
    )
}

/// Refuses a variable for a key that no setting has, with the variable of the most similar one.
fn refuse_unknown_variable(variable: &Variable) -> Result<()> {
    let known = keys(DEFAULTS);
    let Variable { name, key, .. } = variable;
    if known.iter().any(|known| known.name == *key) || key.starts_with(FREE_TABLE) {
        return Ok(());
    }
    let tip = tip(&known, key, variable_of);
    bail!("the variable {name} is not a setting{tip}")
}

/// The question whether the most similar key was meant, as it is written; empty if none is.
fn tip(known: &[Key], name: &str, written: impl Fn(&str) -> String) -> String {
    let similarity = |known: &&Key| strsim::jaro_winkler(&known.name, name);
    let best = known
        .iter()
        .max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    best.filter(|best| similarity(best) >= SIMILAR)
        .map_or(String::new(), |best| {
            format!("; did you mean {}?", written(&best.name))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, value: &str) -> Variable {
        Variable {
            name: name.to_owned(),
            key: key_of(name).unwrap(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn default_settings_are_valid() {
        Layers::default().check(|_| String::new()).unwrap();
    }

    #[test]
    fn default_settings_are_the_same_merged_or_alone() {
        let alone = Layers::default().settings().unwrap();
        let mut layers = Layers::default();
        layers.add_file("", Path::new("empty.toml")).unwrap();
        let merged = layers.settings().unwrap();
        let json = |settings| serde_json::to_string(&settings).unwrap();
        assert_eq!(json(alone), json(merged));
    }

    #[test]
    fn later_layer_overrides_earlier_one() {
        let mut layers = Layers::default();
        layers
            .add_file("[run]\nthreshold = 0.7", Path::new("a.toml"))
            .unwrap();
        layers
            .add_variable(variable("RESEARCH_RUN__THRESHOLD", "0.8"))
            .unwrap();
        let settings = layers.settings().unwrap();
        assert!((settings.run.threshold - 0.8).abs() < 1e-9);
        assert_eq!(settings.run.max_rounds, 3);
    }

    #[test]
    fn settings_errors_name_layer_and_key() {
        for (text, expected) in [
            (
                "[run]\nthreshhold = 0.7",
                "a.toml:2: there is no setting run.threshhold; did you mean run.threshold?",
            ),
            (
                "[run]\nthreshold = 7",
                "a.toml:2: run.threshold: a threshold of 7 is not between 0 and 1",
            ),
            (
                "[run]\nthreshold = \"high\"",
                "expected a number for key `run.threshold`",
            ),
            (
                "[run]\nmode = \"fast\"",
                "unknown variant `fast`, expected one of ",
            ),
            ("[run\n", "TOML"),
        ] {
            let error = Layers::default()
                .add_file(text, Path::new("a.toml"))
                .unwrap_err();
            let message = format!("{error:#}");
            assert!(message.contains("a.toml"), "{message}");
            assert!(message.contains(expected), "{message}");
        }
        let error = Layers::default()
            .add_variable(variable("RESEARCH_RUN__MAX_ROUNDS", "many"))
            .unwrap_err();
        assert!(format!("{error:#}").contains("RESEARCH_RUN__MAX_ROUNDS"));
        let error = Layers::default()
            .add_variable(variable("RESEARCH_RUN__THRESHHOLD", "0.5"))
            .unwrap_err();
        let tip = "is not a setting; did you mean RESEARCH_RUN__THRESHOLD?";
        assert!(format!("{error:#}").contains(tip), "{error:#}");
    }
}
