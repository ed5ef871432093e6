//! Faults planted by rule in the prose of a capable model, in some hundred known places: invented,
//! exaggerated, negated, with other numbers and names, of two sources mixed up, cited wrongly. Of
//! the faults at most 5 % may be published, and of the sound sentences at most 3 % be lost, even
//! with a verifier that agrees to everything. With `RESEARCH_BENCH_DATA`, a folder that holds
//! `corpus_rust_rfcs/`, they are also planted in reports on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use super::answers::{fences, text};
use super::server::{Act, ChatRequest, Server};
use super::{RUN_ARGUMENTS, command, run};
use crate::harness::{Ran, Scratch};

/// Topics that documents of the example answer.
const EXAMPLE_TOPICS: [&str; 12] = [
    "Do heat pumps work in old houses?",
    "What does a heat pump cost, and which subsidies are there?",
    "Must old radiators be replaced for a heat pump?",
    "Should a house be insulated before a heat pump is installed?",
    "How loud is the outdoor unit of a heat pump?",
    "How does a heat pump heat water?",
    "What is a hybrid heating system?",
    "Which flow temperature does a heat pump need?",
    "What are the advantages of induction cooking?",
    "What do weather compensation and balancing change?",
    "What do field measurements of heat pumps show?",
    "What does the running of a heat pump cost per year?",
];

/// The least number of faults that are planted in reports on the example.
const PLACES: usize = 200;

/// Topics that documents of the corpus answer.
const TOPICS: [&str; 8] = [
    "How does async/await desugar to generators in Rust?",
    "Why were green threads removed from the Rust runtime?",
    "How do procedural macros work, and what are their limits?",
    "What are non-lexical lifetimes and which problems do they solve?",
    "How does Cargo resolve features and dependencies of a workspace?",
    "What is the pinning API and why is it needed?",
    "How are editions of Rust defined and what may they change?",
    "What guarantees does unsafe code have to uphold?",
];

/// What a written line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Plant {
    Sound,
    Number,
    Name,
    Negated,
    Exaggerated,
    Generalised,
    Invented,
    Concluded,
    Mixed,
    Miscited,
}

/// What is written on a passage.
const MISCITED: [Plant; 1] = [Plant::Miscited];
const FAULTS: [Plant; 9] = [
    Plant::Number,
    Plant::Name,
    Plant::Negated,
    Plant::Exaggerated,
    Plant::Generalised,
    Plant::Invented,
    Plant::Concluded,
    Plant::Mixed,
    Plant::Sound,
];

/// A line that the model wrote.
#[derive(Debug, Clone)]
struct Planted {
    plant: Plant,
    /// The passages that the sentence is made from, its own first.
    passages: Vec<String>,
}

/// The written lines by their sentences.
type Lines = Arc<Mutex<BTreeMap<String, Planted>>>;

/// The changes of a sentence by which it says more, with the words that they replace.
const HEDGES: [(&str, &str); 6] = [
    (" may ", " must always "),
    (" can ", " always "),
    (" often ", " always "),
    (" some ", " all "),
    (" usually ", " always "),
    (" most ", " all "),
];

/// The same by a word that is added.
const ABSOLUTES: [(&str, &str); 6] = [
    (" is ", " is always "),
    (" are ", " are only "),
    (" has ", " always has "),
    (" for ", " only for "),
    (" in ", " only in "),
    (" with ", " solely with "),
];

/// Clauses that no document has, to add to a sentence.
const INVENTED: [&str; 4] = [
    ", which the ministry of Norway adopted for all its offices.",
    ", as a survey of 4,711 households in Portugal confirmed.",
    ", and insurers reward it with lower premiums.",
    " thanks to a patent of Doctor Lindqvist.",
];

/// Conclusions that nobody drew.
const CONCLUDED: [&str; 3] = [
    ", so that fossil fuels will vanish within a decade.",
    ", because manufacturers were forced to it by a court.",
    ", which makes every other choice a waste of money.",
];

/// Names to put in the place of others.
const NAMES: [&str; 3] = ["Zanzibar", "Montevideo", "Okonkwo"];

/// The changes of a sentence by which it says the opposite.
const NEGATIONS: [(&str, &str); 8] = [
    (" is not ", " is "),
    (" does not ", " does "),
    (" cannot ", " can "),
    (" is ", " is not "),
    (" are ", " are not "),
    (" will ", " will not "),
    (" should ", " should not "),
    (" can ", " cannot "),
];

fn replaced(sentence: &str, changes: &[(&str, &str)]) -> Option<String> {
    let (from, to) = changes.iter().find(|(from, _)| sentence.contains(from))?;
    Some(sentence.replacen(from, to, 1))
}

/// The sentence with another name for the first one in it, which stands behind a word in small
/// letters.
fn renamed(sentence: &str) -> Option<String> {
    let mut words: Vec<&str> = sentence.split(' ').collect();
    let is_name = |word: &str| {
        word.len() > 3
            && word.starts_with(char::is_uppercase)
            && word.chars().all(char::is_alphabetic)
    };
    let at = (1..words.len())
        .find(|at| is_name(words[*at]) && words[at - 1].chars().all(|c| c.is_ascii_lowercase()))?;
    words[at] = NAMES[sentence.len() % NAMES.len()];
    Some(words.join(" "))
}

/// A sentence with this fault, if it can be planted there; the next passage is another document's.
fn faulty(plant: Plant, sentence: &str, next: &str) -> Option<String> {
    let with = |clauses: &[&str]| {
        let clause = clauses[sentence.len() % clauses.len()];
        Some(format!("{}{clause}", sentence.trim_end_matches('.')))
    };
    match plant {
        Plant::Sound | Plant::Miscited => Some(sentence.to_owned()),
        Plant::Number => {
            let start = sentence.find(|c: char| c.is_ascii_digit())?;
            let rest = &sentence[start..];
            let end = rest.find(|c: char| !c.is_ascii_digit());
            let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
            let number: u64 = number.parse().ok()?;
            Some(format!("{}{}{after}", &sentence[..start], number * 3 + 7))
        }
        Plant::Negated => replaced(sentence, &NEGATIONS),
        Plant::Exaggerated => replaced(sentence, &HEDGES),
        Plant::Name => renamed(sentence),
        Plant::Generalised => replaced(sentence, &ABSOLUTES),
        Plant::Invented => with(&INVENTED),
        Plant::Concluded => with(&CONCLUDED),
        Plant::Mixed => Some(format!("{}; {next}", sentence.trim_end_matches('.'))),
    }
}

/// A report with faults in known places, which are remembered.
fn planted(prompt: &str, lines: &Lines) -> String {
    // Summary and conclusion are written from checked sentences; only sections get faults.
    if prompt.starts_with("You write the summary") {
        return text("writer", prompt);
    }
    // What holds is spoilt once more when it is read for its flow: it is to stay as it was. The
    // last two are no faults here.
    if prompt.starts_with("You write one section of a report again") {
        let shown = fences(prompt).into_iter();
        let shown = shown.filter(|(name, ..)| name.parse::<u32>().is_ok());
        let spoilt = shown.filter_map(|(number, _, text)| {
            let plant = FAULTS[text.len() % (FAULTS.len() - 2)];
            let sentence = faulty(plant, &text, &text)?;
            let passages = vec![text];
            let own = Planted { plant, passages };
            let is_new = lines
                .lock()
                .unwrap()
                .insert(sentence.clone(), own)
                .is_none();
            is_new.then(|| format!("[{number}] {sentence}\n"))
        });
        return spoilt.collect();
    }
    let shown: Vec<(String, String)> = fences(prompt)
        .into_iter()
        .filter(|(name, ..)| name.parse::<u32>().is_ok())
        .map(|(name, _, text)| (name, text))
        .collect();
    let mut written = lines.lock().unwrap();
    let mut report = String::from("# What the documents say\n");
    for (index, (number, passage)) in shown.iter().enumerate() {
        let known = written.values().any(|own| own.passages[0] == *passage);
        // A line is one whole sentence.
        if known || !passage.starts_with(char::is_uppercase) || passage.contains(". ") {
            continue;
        }
        let (other, next) = &shown[(index + 1) % shown.len()];
        // A third of the passages is cited wrongly; of the others each fault precedes the sound
        // sentence, which would be left out as said already if one were published.
        let plants = if index % 3 == 2 {
            &MISCITED[..]
        } else {
            &FAULTS
        };
        for plant in plants {
            let cited = if *plant == Plant::Miscited {
                other
            } else {
                number
            };
            if let Some(sentence) = faulty(*plant, passage, next) {
                report.push_str(&format!("[{cited}] {sentence}\n"));
                let plant = *plant;
                let mut passages = vec![passage.clone()];
                passages.extend((plant == Plant::Mixed).then(|| next.clone()));
                written.insert(sentence, Planted { plant, passages });
            }
        }
    }
    report
}

/// The verdict of a verifier that agrees to everything.
fn agreed(prompt: &str) -> Value {
    let fences = fences(prompt);
    let names = fences.iter().filter_map(|(name, ..)| name.parse().ok());
    let first: Vec<u32> = names.take(1).collect();
    json!({"shown_by": first, "difference": "", "verdict": "supported"})
}

/// The verdict of a verifier that reads well.
fn judged(prompt: &str, lines: &Lines) -> Value {
    let fences = fences(prompt);
    let claim = fences.iter().find(|(name, ..)| name == "claim");
    let claim = claim.map(|(_, _, text)| text.as_str()).unwrap_or_default();
    let shown: Vec<&str> = fences
        .iter()
        .filter(|(name, ..)| name.parse::<u32>().is_ok())
        .map(|(_, _, text)| text.as_str())
        .collect();
    let holds = match lines.lock().unwrap().get(claim) {
        Some(own) if own.plant == Plant::Sound || own.plant == Plant::Miscited => {
            shown.iter().any(|text| own.passages[0].contains(text))
        }
        Some(_) => false,
        None => true,
    };
    let (numbers, verdict) = if holds {
        (vec![1], "supported")
    } else {
        (vec![], "unsupported")
    };
    json!({"shown_by": numbers, "difference": "", "verdict": verdict})
}

fn server(lines: &Lines, reads: bool) -> Server {
    let lines = lines.clone();
    let plan = move |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "writer" => Act::Say(planted(&request.prompt, &lines), false),
        "verifier" if reads => Act::Say(judged(&request.prompt, &lines).to_string(), false),
        "verifier" => Act::Say(agreed(&request.prompt).to_string(), false),
        // A sentence that is rejected is lost: none is mended by the model.
        "reviser" => Act::Say("DROP".to_owned(), false),
        _ => Act::Answer,
    };
    Server::start(Duration::ZERO, Box::new(plan))
}

/// What became of the lines.
#[derive(Debug, Default)]
struct Counts {
    faults: usize,
    published: Vec<String>,
    sound: usize,
    lost: Vec<String>,
}

impl Counts {
    fn assert_few(&self) {
        let (published, lost) = (self.published.len(), self.lost.len());
        assert!(
            published * 20 <= self.faults && lost * 33 <= self.sound,
            "{published} of {} faults published, {lost} of {} sound sentences lost: {self:#?}",
            self.faults,
            self.sound
        );
    }

    /// Adds the lines of a report. What is cited wrongly is a fault as long as its passages are not
    /// cited.
    fn add(&mut self, lines: &Lines, draft: &Value) {
        let claims = draft["claims"].as_array().unwrap();
        for (sentence, own) in lines.lock().unwrap().iter() {
            let mut same = claims
                .iter()
                .filter(|claim| letters(claim["text"].as_str().unwrap()) == letters(sentence));
            let cites = |claim: &Value| {
                let quotes = claim["citations"].as_array().unwrap().iter();
                let quotes: String = quotes
                    .map(|own| letters(own["quote"].as_str().unwrap()))
                    .collect();
                own.passages
                    .iter()
                    .all(|passage| quotes.contains(&letters(passage)))
            };
            if own.plant == Plant::Sound {
                self.sound += 1;
                // A part of a longer sentence is not lost.
                let is_there = |claim: &Value| {
                    letters(claim["text"].as_str().unwrap()).contains(&letters(sentence))
                };
                if !claims.iter().any(is_there) {
                    let mut corrections = draft["corrections"].as_array().into_iter().flatten();
                    let of = corrections.find(|one| one["before"] == sentence.as_str());
                    self.lost.push(format!("{sentence} ({of:?})"));
                }
            } else {
                self.faults += 1;
                let is_cited = own.plant == Plant::Miscited || own.plant == Plant::Mixed;
                let is_mended = |claim: &Value| is_cited && cites(claim);
                if same.any(|claim| !is_mended(claim)) {
                    self.published.push(format!("{:?}: {sentence}", own.plant));
                }
            }
        }
    }
}

/// The letters and digits of a text, without case: what remains of it when it is rendered.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[test]
fn planted_faults_of_every_kind_are_removed_and_sound_sentences_stay() {
    let (scratch, lines) = (Scratch::with_example(), Lines::default());
    let server = server(&lines, true);
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "planted");
    let mut counts = Counts::default();
    counts.add(&lines, &scratch.json("claims.json")["content"]);
    assert!(counts.faults >= 8 && counts.sound >= 3, "{counts:#?}");
    assert!(
        counts.published.is_empty() && counts.lost.is_empty(),
        "{counts:#?}"
    );
}

#[test]
fn of_planted_faults_few_are_published_though_the_verifier_agrees_to_all() {
    let docs = Scratch::with_example();
    let counts = planted_in(&docs.path().join("docs"), &EXAMPLE_TOPICS, false);
    assert!(counts.faults >= PLACES, "{} faults", counts.faults);
    counts.assert_few();
}

#[test]
fn planted_faults_in_reports_on_a_collection_are_counted() {
    let Some(data) = std::env::var_os("RESEARCH_BENCH_DATA") else {
        return;
    };
    let unpacked = Scratch::new();
    let archive = PathBuf::from(data).join("corpus_rust_rfcs/corpus_rust_rfcs.tar.xz");
    let mut tar = Command::new("tar");
    tar.arg("-xf").arg(archive).arg("-C").arg(unpacked.path());
    assert!(tar.status().unwrap().success());
    planted_in(unpacked.path(), &TOPICS, true).assert_few();
}

/// What becomes of the lines of reports on these topics.
fn planted_in(documents: &Path, topics: &[&str], reads: bool) -> Counts {
    let mut counts = Counts::default();
    for topic in topics {
        let (scratch, lines) = (Scratch::new(), Lines::default());
        let server = server(&lines, reads);
        let documents = documents.to_str().unwrap();
        let arguments = ["run", topic, "--docs", documents, "--session", "s"];
        let mut ran = command(&scratch, &server, &arguments);
        ran.args(["--depth", "standard", "--timeout", "0"]);
        Ran::from(ran.output().unwrap()).assert_ended(0, topic);
        counts.add(&lines, &scratch.json("claims.json")["content"]);
    }
    counts
}
