//! The toy pipeline: `gather` reads a request and makes parts, `draft` joins them with the note of
//! the last review, `polish` converts to upper case, `judge` scores by the request's script. Every
//! text names its inputs, so that a stage that ran on a wrong input shows in the bytes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use futures::future::BoxFuture;
use research::pipeline::{
    BestRound, Decision, Digest, ExternalFile, Header, InputRequired, Manifest, PastRound,
    Pipeline, Provenance, Publication, Recipe, Stage, Version, Workspace,
};
use serde::{Deserialize, Serialize};

/// The content of every file of the toy.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Artifact {
    pub(crate) version: Version<1>,
    pub(crate) provenance: Provenance,
    pub(crate) text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) verdict: Option<Verdict>,
}

/// The decision of the judge.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verdict {
    pub(crate) score: f64,
    pub(crate) decision: Decision,
}

/// The configuration of the pipeline, and the calls of its stages.
#[derive(Clone)]
pub(crate) struct Toy {
    pub(crate) max_rounds: u32,
    /// The prompts of the four stages; their recipes depend on nothing else.
    pub(crate) prompts: [&'static str; 4],
    /// The file outside of the session that `gather` reads.
    pub(crate) document: Option<PathBuf>,
    /// The file that keeps its digest for other sessions.
    pub(crate) digests_outside: Option<PathBuf>,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Toy {
    pub(crate) fn new() -> Self {
        Self {
            max_rounds: 3,
            prompts: ["p"; 4],
            document: None,
            digests_outside: None,
            calls: Arc::default(),
        }
    }

    pub(crate) fn pipeline(&self) -> Pipeline {
        let kinds = [Kind::Gather, Kind::Draft, Kind::Polish, Kind::Judge];
        let stages = kinds.into_iter().zip(self.prompts);
        let stages = stages.map(|(kind, prompt)| {
            let calls = self.calls.clone();
            Box::new(Step {
                kind,
                prompt,
                document: self.document.clone().filter(|_| kind == Kind::Gather),
                calls,
            }) as Box<dyn Stage>
        });
        Pipeline {
            stages: stages.collect(),
            first_stage_of_round: 1,
            max_rounds: self.max_rounds,
            publication: "out.md",
            linked: &[],
            publish: Box::new(publish),
            digests_outside: self.digests_outside.clone(),
        }
    }

    /// Returns the calls since the last call of this function.
    pub(crate) fn calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }
}

fn publish(workspace: &Workspace, best: &BestRound) -> Result<Publication> {
    let polish = format!("{}polish.json", best.directory);
    let text = parse(&workspace.read_required(&polish)?)?.text;
    let below = best.below_threshold;
    let page = format!("{text}\nround {}, below threshold: {below}\n", best.round);
    Ok(Publication {
        bytes: page.into_bytes(),
        outcome: "done".to_owned(),
        altered: false,
    })
}

pub(crate) fn parse(bytes: &[u8]) -> Result<Artifact, serde_json::Error> {
    serde_json::from_slice(bytes)
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Gather,
    Draft,
    Polish,
    Judge,
}

struct Step {
    kind: Kind,
    prompt: &'static str,
    document: Option<PathBuf>,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Stage for Step {
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Gather => "gather",
            Kind::Draft => "draft",
            Kind::Polish => "polish",
            Kind::Judge => "judge",
        }
    }

    fn gate(&self) -> &'static str {
        match self.kind {
            Kind::Gather => "gather.json",
            Kind::Draft => "draft.json",
            Kind::Polish => "polish.json",
            Kind::Judge => "judge.json",
        }
    }

    fn intermediates(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Gather => &["parts"],
            _ => &[],
        }
    }

    fn renderings(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Polish => &["polish.md"],
            _ => &[],
        }
    }

    fn inputs(&self, past: &[PastRound]) -> Vec<String> {
        let decision = |round: &PastRound| round.decision.clone();
        match self.kind {
            Kind::Gather => {
                let sent_back = past.iter().filter(|round| round.from == "gather");
                let request = "request.txt".to_owned();
                let manifest = self.document.iter().map(|_| Manifest::FILE.to_owned());
                std::iter::once(request)
                    .chain(manifest)
                    .chain(sent_back.map(decision))
                    .collect()
            }
            Kind::Draft => {
                let gathered = "gather.json".to_owned();
                std::iter::once(gathered)
                    .chain(past.last().map(decision))
                    .collect()
            }
            Kind::Polish => vec!["draft.json".to_owned()],
            Kind::Judge => vec!["polish.json".to_owned(), "request.txt".to_owned()],
        }
    }

    fn external_files(&self) -> Result<Option<Vec<ExternalFile>>> {
        let document = self.document.clone().map(|path| ExternalFile {
            name: "document".to_owned(),
            path,
        });
        Ok(document.map(|document| vec![document]))
    }

    fn recipe(&self) -> Recipe {
        Recipe {
            agent: self.name().to_owned(),
            answered_by: "rules".to_owned(),
            prompt: Digest::of(self.prompt),
            configuration: Digest::of(""),
        }
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        let artifact = parse(bytes)?;
        let (decision, score) = artifact
            .verdict
            .map(|verdict| (verdict.decision, verdict.score))
            .unzip();
        Ok(Header {
            provenance: artifact.provenance,
            decision,
            score,
        })
    }

    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            self.call(self.name());
            let (text, verdict) = match self.kind {
                Kind::Gather => (self.gather(workspace)?, None),
                Kind::Draft => (self.draft(workspace)?, None),
                Kind::Polish => (text_of(workspace, "draft.json")?.to_uppercase(), None),
                Kind::Judge => self.judge(workspace)?,
            };
            let provenance = workspace.provenance(self)?;
            self.write(workspace, self.gate(), provenance, text, verdict)
        })
    }

    fn render(&self, workspace: &Workspace) -> Result<()> {
        let text = text_of(workspace, "polish.json")?;
        workspace.write("polish.md", format!("# {text}\n").as_bytes())
    }
}

impl Step {
    fn gather(&self, workspace: &Workspace) -> Result<String> {
        let request = request(workspace)?;
        if let Some(question) = lines(&request, "wait: ").first() {
            return Err(InputRequired((*question).to_owned()).into());
        }
        let mut texts = Vec::new();
        for name in lines(&request, "part: ") {
            texts.push(self.part(workspace, name, "request.txt")?);
        }
        for decision in self.inputs(workspace.past()).split_off(1) {
            let name = decision.replace('/', "-").replace(".json", "");
            texts.push(self.part(workspace, &name, &decision)?);
        }
        Ok(texts.join(" "))
    }

    /// A part made from `input`: a checkpoint that is reused while its input is unchanged.
    fn part(&self, workspace: &Workspace, name: &str, input: &str) -> Result<String> {
        workspace.report_progress(self, format!("part {name}"))?;
        let file = format!("parts/{name}.json");
        if let Some(bytes) = workspace.read(&file)? {
            let checkpoint = parse(&bytes)?;
            if workspace.is_fresh(&checkpoint.provenance)? {
                return Ok(checkpoint.text);
            }
            workspace.supersede(&file, "its input changed")?;
        }
        self.call(&format!("part {name}"));
        let digest = Digest::of(workspace.read_required(input)?);
        let text = format!("{name}@{}", &digest.short()[..4]);
        let provenance = workspace.provenance_of(self, &[input.to_owned()])?;
        self.write(workspace, &file, provenance, text.clone(), None)?;
        Ok(text)
    }

    fn draft(&self, workspace: &Workspace) -> Result<String> {
        let gathered = text_of(workspace, "gather.json")?;
        let note = match workspace.past().last() {
            Some(round) => text_of(workspace, &round.decision)?,
            None => "first".to_owned(),
        };
        Ok(format!("({gathered}; {note})"))
    }

    /// Decides by the `judge:` line of this round; the last line is for all further rounds.
    fn judge(&self, workspace: &Workspace) -> Result<(String, Option<Verdict>)> {
        let request = request(workspace)?;
        let polished = Digest::of(workspace.read_required("polish.json")?);
        let script = lines(&request, "judge: ");
        let round = usize::try_from(workspace.round())?.min(script.len());
        let line = round.checked_sub(1).and_then(|index| script.get(index));
        let line = line.context("no judge: line")?;
        let (score, target) = line.split_once(' ').context("no score")?;
        let decision = match target {
            "accept" => Decision::Accept,
            "settle" => Decision::Settle,
            from => Decision::Revise {
                from: from.to_owned(),
            },
        };
        let text = format!("note{} on {}", workspace.round(), &polished.short()[..4]);
        let score = score.parse()?;
        Ok((text, Some(Verdict { score, decision })))
    }

    fn call(&self, name: &str) {
        self.calls.lock().unwrap().push(name.to_owned());
    }

    fn write(
        &self,
        workspace: &Workspace,
        file: &str,
        provenance: Provenance,
        text: String,
        verdict: Option<Verdict>,
    ) -> Result<()> {
        let artifact = Artifact {
            version: Version,
            provenance,
            text,
            verdict,
        };
        workspace.write(file, &serde_json::to_vec_pretty(&artifact)?)
    }
}

fn request(workspace: &Workspace) -> Result<String> {
    Ok(String::from_utf8(workspace.read_required("request.txt")?)?)
}

fn lines<'a>(request: &'a str, key: &str) -> Vec<&'a str> {
    request
        .lines()
        .filter_map(|line| line.strip_prefix(key))
        .collect()
}

fn text_of(workspace: &Workspace, name: &str) -> Result<String> {
    Ok(parse(&workspace.read_required(name)?)?.text)
}
