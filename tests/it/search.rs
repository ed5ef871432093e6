//! `research search` and `research read`: what they print, and what they keep between runs.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::harness::{Scratch, parsed};

const QUERY: &str = "How many wheels has a bicycle?";

/// Three documents on different things.
fn three() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "docs/bicycles.md",
        "# Bicycles\n\nA bicycle – für alle – has two wheels.\n\nIt needs no fuel.\n",
    );
    scratch.write("docs/bees.md", "# Bees\n\nBees make honey from nectar.\n");
    scratch.write(
        "docs/pumps.txt",
        "A heat pump moves heat.\n\nIt is driven by a motor with two wheels.\n",
    );
    scratch
}

/// The three documents, and enough besides for an index that is not small.
fn three_and_large() -> Scratch {
    let scratch = three();
    scratch.write("docs/large.md", large());
    scratch
}

/// A large document that is quickly read.
fn large() -> String {
    format!("Nothing of the sort.\n{}", "\n".repeat(200_000))
}

/// What a search says as JSON.
fn search_json(scratch: &Scratch, query: &str) -> Value {
    let ran = scratch.run(&["search", query, "--docs", "docs", "--json"]);
    let response = parsed(&ran.stdout);
    // As with grep, the exit code tells whether there is anything.
    assert_eq!(ran.code, Some(i32::from(files(&response).is_empty())));
    response
}

fn files(response: &Value) -> Vec<&str> {
    let results = response["results"].as_array().unwrap();
    results
        .iter()
        .map(|one| one["file"].as_str().unwrap())
        .collect()
}

/// The files of the index, locks apart.
fn index_files(scratch: &Scratch) -> Vec<PathBuf> {
    let mut open = vec![scratch.path().join(".cache/research")];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if !path.to_str().unwrap().ends_with(".lock") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn results_have_byte_ranges_of_the_clean_text() {
    let scratch = three();
    let response = search_json(&scratch, QUERY);
    assert_eq!(files(&response)[0], "bicycles.md");
    assert_eq!(response["documents"], 3);
    for (index, result) in response["results"].as_array().unwrap().iter().enumerate() {
        assert_eq!(result["rank"], index + 1);
        let file = format!("docs/{}", result["file"].as_str().unwrap());
        let text = scratch.expect(0, &["read", &file]).stdout;
        let at = |key: &str| usize::try_from(result[key].as_u64().unwrap()).unwrap();
        assert_eq!(result["text"], text[at("start")..at("end")]);
    }
    let first = &response["results"][0];
    assert_eq!(first["title"], "Bicycles");
    assert_eq!(first["headings"][0], "Bicycles");
    assert_eq!(first["text"], "A bicycle – für alle – has two wheels.");
    let plain = scratch.expect(0, &["search", QUERY, "--docs", "docs", "--limit", "1"]);
    let lines: Vec<&str> = plain.stdout.lines().collect();
    assert_eq!(lines[0], "1  bicycles.md:3 (bytes 12-55)  Bicycles");
    assert_eq!(lines[1], "    A bicycle – für alle – has two wheels.");
}

/// Many long documents: paragraphs by document and number, one other paragraph in the middle of
/// some.
fn long_documents(
    paragraph: impl Fn(usize, usize) -> String,
    other: impl Fn(usize) -> String,
) -> Scratch {
    let scratch = Scratch::new();
    for document in 0..120 {
        let half = |from: usize| {
            (from..from + 40)
                .map(|number| paragraph(document, number) + "\n\n")
                .collect::<String>()
        };
        let text = format!(
            "# Works {document}\n\n{}{}\n\n{}",
            half(0),
            other(document),
            half(40)
        );
        scratch.write(&format!("docs/{document:03}.md"), text);
    }
    scratch
}

#[test]
fn rm3_expansion_takes_the_best_passages_of_long_documents() {
    let scratch = long_documents(
        |document, number| match document {
            0..20 => format!(
                "Block {number} of quarry {document} is granite: \
                 the crane lifts granite block {number}."
            ),
            20..24 => format!(
                "Sailing {number} of boat {document}: \
                 the harbour master sells tickets for the boat."
            ),
            _ => {
                format!("Part {number} of works {document} tells how clay is dug, washed and sold.")
            }
        },
        |document| match document {
            0..4 => format!(
                "The ferry timetable for winter {document} is kept by the harbour: a boat sails at \
                 noon, the harbour master sells tickets for the boat."
            ),
            4..20 => "In winter the granite waits, and in winter the crane is greased.".to_owned(),
            20..24 => "The ferry is the last boat of the day.".to_owned(),
            _ => String::new(),
        },
    );
    let response = search_json(
        &scratch,
        "When does the ferry run in winter, by the timetable?",
    );
    assert_eq!(
        files(&response)[4..8],
        ["020.md", "021.md", "022.md", "023.md"]
    );
}

#[test]
fn operator_sign_is_searched_by_name_and_by_itself() {
    let scratch = long_documents(
        |document, number| match document {
            0..4 => format!(
                "Result {number} of function {document} is an error that goes back to the caller."
            ),
            4..12 => format!(
                "Mark block {number} of function {document} as unsafe \
                 before the operation is added."
            ),
            _ => format!("Part {number} of function {document} tells how fields are named."),
        },
        |document| match document {
            0..4 => "The `?` operator was added so that errors need no match.".to_owned(),
            _ => "There are no unresolved questions. Mark the operator that was added.".to_owned(),
        },
    );
    for query in [
        "Why was the question mark operator added?",
        "question mark operator",
        "Why is there a ? operator",
        "`?`",
    ] {
        let response = search_json(&scratch, query);
        assert_eq!(
            files(&response)[..4],
            ["000.md", "001.md", "002.md", "003.md"],
            "{query}"
        );
        assert_eq!(
            response["results"][0]["text"],
            "The `?` operator was added so that errors need no match."
        );
    }
}

#[test]
fn no_results_are_reported_and_no_failure() {
    let scratch = three();
    let ran = scratch.expect(1, &["search", "volcanoes", "--docs", "docs"]);
    assert_eq!(ran.stdout, "");
    assert!(
        ran.stderr.contains("nothing found in 3 documents"),
        "{}",
        ran.stderr
    );
    for arguments in [
        &["search", QUERY][..],
        &["search", QUERY, "--docs", "nowhere"],
        &["search", QUERY, "--docs", "docs", "--limit", "0"],
    ] {
        scratch.expect(2, arguments);
    }
}

#[test]
fn a_misspelt_word_is_remarked_on_with_a_similar_one() {
    let scratch = Scratch::new();
    scratch.write("docs/a.md", "# Club\n\nMembership of the club is cheap.\n");
    let found = scratch.expect(0, &["search", "membrship of the club", "--docs", "docs"]);
    let remark = "no document has “membrship”; did you mean “membership”?";
    assert!(found.stderr.contains(remark), "{}", found.stderr);
    assert!(found.stdout.contains("a.md:3"), "{}", found.stdout);
    let sound = scratch.expect(0, &["search", "membership of a zebra", "--docs", "docs"]);
    assert_eq!(sound.stderr, "");
}

#[test]
fn an_ordinary_word_is_no_misspelling_of_one_that_is_near_to_it() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/a.md",
        "# Loggers\n\nThe display shows the charge. Call the workshop and wait for the truck. The \
         Brandt is cheaper. It is near the kiln, in the allocation of the yard.\n",
    );
    for word in ["cable", "slow", "track", "cheapest", "location", "unplug"] {
        let query = format!("{word} of the display");
        let found = scratch.expect(0, &["search", &query, "--docs", "docs"]);
        assert!(!found.stderr.contains("did you mean"), "{}", found.stderr);
    }
    let found = scratch.expect(0, &["search", "klin of the display", "--docs", "docs"]);
    let remark = "no document has “klin”; did you mean “kiln”?";
    assert!(found.stderr.contains(remark), "{}", found.stderr);
}

#[test]
fn document_named_by_number_comes_first() {
    let scratch = three();
    for number in [7, 12, 120] {
        let text = format!(
            "- Feature Name: wheels\n- RFC PR: [a/rfcs#{number}](https://e.org/{number})\n\n\
             # Summary\n\nPart of the wheels of 7 and 12 bicycles is named in this proposal.\n"
        );
        scratch.write(&format!("docs/{number:04}-wheels-{number}.md"), text);
    }
    scratch.write(
        "docs/adr/0031-use-queues.md",
        "# 31. Use queues\n\nQueues are used.\n",
    );
    let title = "PEP: 3105\nTitle: Make print a function\nStatus: Final\n\nPrint is called.\n";
    scratch.write("docs/pep-3105.txt", title);
    for (query, file) in [
        ("RFC 12", "0012-wheels-12.md"),
        ("rfc 0012", "0012-wheels-12.md"),
        ("What does RFC-7 say on 12 bicycles?", "0007-wheels-7.md"),
        ("the wheels of RFC no. 120", "0120-wheels-120.md"),
        ("a/rfcs#7", "0007-wheels-7.md"),
        ("RFC12", "0012-wheels-12.md"),
        ("wheels, ADR-31", "adr/0031-use-queues.md"),
        ("PEP 3105 and bicycles", "pep-3105.txt"),
        ("\"Make print a function\" for a bicycle", "pep-3105.txt"),
    ] {
        let response = search_json(&scratch, query);
        assert_eq!(files(&response)[0], file, "{query}");
    }
    // The number alone names nothing.
    scratch.write("docs/0044-brakes.md", "# Brakes\n\nBrakes stop it.\n");
    assert_eq!(files(&search_json(&scratch, "ADR 44"))[0], "0044-brakes.md");
    assert!(!files(&search_json(&scratch, "44 wheels")).contains(&"0044-brakes.md"));
    let summary = &search_json(&scratch, "RFC 12")["results"][0]["text"];
    assert!(
        summary.as_str().unwrap().starts_with("Part of"),
        "{summary}"
    );
}

#[test]
fn passages_that_say_something_come_before_headings_and_labels() {
    let scratch = three();
    scratch.write(
        "docs/noise.txt",
        "NOISE OF PUMPS\n\nContents\n\n1 Noise ........ 3\n\nNoise\n\n\
         The fan is the main source of noise in every pump.\n\n\
         **The fan is the main source of noise in every pump!**\n",
    );
    scratch.write(
        "docs/fan.md",
        "- Topic: noise\n\nThe fan turns all day long.\n",
    );
    let response = search_json(&scratch, "noise");
    let results = response["results"].as_array().unwrap();
    let texts: Vec<&str> = results
        .iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            "The fan is the main source of noise in every pump.",
            "The fan turns all day long."
        ]
    );
}

#[test]
fn status_of_documents_is_shown() {
    let scratch = three();
    scratch.write(
        "docs/trikes.md",
        "---\nstatus: Superseded\nsuperseded-by: RFC 9\n---\n\n\
         # Trikes\n\nA tricycle has three wheels.\n",
    );
    let ran = scratch.expect(0, &["search", "tricycle", "--docs", "docs"]);
    let first = ran.stdout.lines().next().unwrap();
    assert!(first.ends_with("  Trikes (superseded by RFC 9)"), "{first}");
    // It yields to another that says as much.
    scratch.write("docs/z.md", "# Trikes\n\nA tricycle has 3 wheels.\n");
    assert_eq!(
        files(&search_json(&scratch, "tricycle")),
        ["z.md", "trikes.md"]
    );
    std::fs::remove_file(scratch.path().join("docs/z.md")).unwrap();
    let status = &search_json(&scratch, "tricycle")["results"][0]["status"];
    assert_eq!(status["lifecycle"], "superseded");
    assert_eq!(
        search_json(&scratch, "honey")["results"][0]["status"],
        Value::Null
    );
}

#[test]
fn incremental_index_reads_only_changed_files() {
    let scratch = three();
    assert_eq!(search_json(&scratch, QUERY)["indexed"], 3);
    let before = index_files(&scratch);
    assert_eq!(search_json(&scratch, QUERY)["indexed"], 0);
    assert_eq!(index_files(&scratch), before);

    scratch.write(
        "docs/trikes.md",
        "# Trikes\n\nA tricycle has three wheels.\n",
    );
    let now = search_json(&scratch, "tricycle");
    assert_eq!(
        (&now["indexed"], files(&now)),
        (&1.into(), vec!["trikes.md"])
    );

    // As long as it was: only its times tell.
    scratch.write(
        "docs/trikes.md",
        "# Trikes\n\nA quadcycle had 4 wheels.   \n",
    );
    assert_eq!(
        files(&search_json(&scratch, "tricycle")),
        Vec::<&str>::new()
    );
    let now = search_json(&scratch, "quadcycle");
    assert_eq!(
        (&now["indexed"], files(&now)),
        (&0.into(), vec!["trikes.md"])
    );

    fs::remove_file(scratch.path().join("docs/trikes.md")).unwrap();
    let now = search_json(&scratch, "quadcycle wheels");
    assert_eq!(now["indexed"], 0);
    assert!(!files(&now).contains(&"trikes.md"), "{now}");
    let fresh = three();
    let mut first = search_json(&fresh, "quadcycle wheels");
    first["indexed"] = 0.into();
    assert_eq!(
        now, first,
        "an index that has a history answers as one that has none"
    );
}

#[test]
fn segments_of_many_changes_are_merged() {
    let scratch = three_and_large();
    search_json(&scratch, "honey");
    for number in 0..20 {
        scratch.write(
            "docs/bees.md",
            format!("# Bees\n\nBee number {number} makes honey.\n"),
        );
        assert_eq!(search_json(&scratch, "honey")["indexed"], 1);
    }
    let files = index_files(&scratch);
    assert!(files.len() <= 40, "{files:?}");
    let text = search_json(&scratch, "honey")["results"][0]["text"].clone();
    assert_eq!(text, "Bee number 19 makes honey.");
}

#[test]
fn damaged_index_is_rebuilt() {
    assert_rebuilt_if_damaged(&three_and_large(), 6);
    assert_rebuilt_if_damaged(&three(), 1);
}

#[test]
fn small_index_grows_and_shrinks_without_reading_again() {
    let scratch = three();
    let mut small = search_json(&scratch, QUERY);
    small["indexed"] = 0.into();
    assert_eq!(index_files(&scratch).len(), 1);
    let path = scratch.path().join("docs/large.md");
    fs::write(&path, large()).unwrap();
    let grown = search_json(&scratch, QUERY);
    assert_eq!(grown["indexed"], 1);
    let mut fresh = search_json(&three_and_large(), QUERY);
    fresh["indexed"] = 1.into();
    assert_eq!(grown, fresh);
    assert!(index_files(&scratch).len() > 1);
    fs::remove_file(path).unwrap();
    assert_eq!(search_json(&scratch, QUERY), small);
    assert_eq!(index_files(&scratch).len(), 1);
}

/// Damages each file of the index in several ways.
fn assert_rebuilt_if_damaged(scratch: &Scratch, least_kinds: usize) {
    let good = search_json(scratch, QUERY)["results"].clone();
    // A rebuilt index has other file names, and the same kinds of files.
    let kind = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        name.rsplit_once('.')
            .map_or(name.clone(), |(_, kind)| kind.to_owned())
    };
    let kinds: Vec<String> = index_files(scratch).iter().map(kind).collect();
    assert!(kinds.len() >= least_kinds, "{kinds:?}");
    for damaged in kinds {
        for way in 0..9 {
            let files = index_files(scratch);
            let file = files.iter().find(|path| kind(path) == damaged).unwrap();
            let mut bytes = fs::read(file).unwrap();
            match way {
                0 => bytes = b"something else".to_vec(),
                1 => bytes.truncate(bytes.len() / 2),
                2 => bytes.clear(),
                _ if bytes.is_empty() => {}
                _ => {
                    let offset = bytes.len() * (way - 3) / 6;
                    bytes[offset] ^= 0x41;
                }
            }
            fs::write(file, bytes).unwrap();
            assert_eq!(
                search_json(scratch, QUERY)["results"],
                good,
                "{damaged} {way}"
            );
        }
        let files = index_files(scratch);
        let file = files.iter().find(|path| kind(path) == damaged).unwrap();
        fs::remove_file(file).unwrap();
        assert_eq!(
            search_json(scratch, QUERY)["results"],
            good,
            "{damaged} removed"
        );
    }
}

#[test]
fn unwritable_cache_falls_back_to_an_index_in_memory() {
    let scratch = three();
    scratch.write("taken", "a file");
    let mut command = scratch.command(&["search", QUERY, "--docs", "docs"]);
    let output = command
        .env("XDG_CACHE_HOME", scratch.path().join("taken"))
        .output()
        .unwrap();
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        output.status.success() && stdout.contains("bicycles.md"),
        "{stderr}"
    );
    assert!(stderr.contains("cannot be cached"), "{stderr}");

    let mut command = scratch.command(&["search", QUERY, "--docs", "docs"]);
    let output = command
        .env("RESEARCH_SEARCH__CACHE_DIR", "own")
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(scratch.path().join("own").is_dir());
}

#[test]
fn concurrent_processes_index_each_document_once() {
    let scratch = three();
    let arguments = ["search", QUERY, "--docs", "docs", "--json"];
    let running: Vec<_> = (0..6)
        .map(|_| {
            scratch
                .command(&arguments)
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut read = 0;
    for child in running {
        let output = child.wait_with_output().unwrap();
        let response = parsed(&String::from_utf8(output.stdout).unwrap());
        assert_eq!(files(&response)[0], "bicycles.md");
        read += response["indexed"].as_u64().unwrap();
    }
    assert_eq!(read, 3, "each document is read by one of them");
}

#[test]
fn near_duplicates_name_their_original() {
    let scratch = three();
    let words: Vec<String> = (0..120).map(|number| format!("word{number}")).collect();
    let text = format!("# Wheels\n\n{} wheels.\n", words.join(" "));
    scratch.write("docs/w1.md", &text);
    scratch.write("docs/w2.md", text.replace("word60 ", "another "));
    let response = search_json(&scratch, "word7 word8 wheels");
    let of = |file: &str| {
        let results = response["results"].as_array().unwrap();
        let result = results.iter().find(|one| one["file"] == file).unwrap();
        result["duplicate_of"].clone()
    };
    assert_eq!((of("w1.md"), of("w2.md")), (Value::Null, "w1.md".into()));
}

#[test]
fn every_kind_of_file_is_read() {
    let scratch = Scratch::with_example();
    for (file, kind, words) in [
        ("costs.md", "markdown", "cost"),
        ("the-outdoor-unit.txt", "text", "outdoor"),
        ("hybrid-heating-and-hot-water.html", "html", "hybrid"),
        ("field-measurements.pdf", "pdf", "measure"),
    ] {
        let path = format!("docs/{file}");
        let text = scratch.expect(0, &["read", &path]).stdout;
        assert!(text.to_lowercase().contains(words), "{text}");
        let shown = parsed(&scratch.expect(0, &["read", &path, "--json"]).stdout);
        assert_eq!(
            (&shown["kind"], &shown["text"]),
            (&kind.into(), &text.as_str().into())
        );
        assert_eq!(shown["bytes"], text.len());
        assert!(!shown["title"].as_str().unwrap().is_empty());
    }
    for (file, code, words) in [
        (
            "http://127.0.0.1/a",
            1,
            "refused to fetch http://127.0.0.1/a",
        ),
        ("docs/nothing.md", 2, "docs/nothing.md"),
        ("docs", 2, "it is a directory"),
    ] {
        let ran = scratch.expect(code, &["read", file]);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn missing_file_is_reported_once() {
    let scratch = Scratch::new();
    let ran = scratch.expect(2, &["read", "nope.md"]);
    assert_eq!(
        ran.stderr.matches("no such file").count(),
        1,
        "{}",
        ran.stderr
    );
}
