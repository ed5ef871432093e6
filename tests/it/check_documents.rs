//! `research check`: the status of the documents that support a sentence, and what others say.

use serde_json::Value;

use crate::harness::{Ran, Scratch, parsed};

const OLD_PRICES: &str = "# Prices from 1 April 2024\n\nStatus: superseded by the list of 1 April \
                          2026\n\n| Item | Price | Unit |\n|---|---:|---|\n\
                          | Full membership | £49 | per month |\n| Day pass | £15 | per day |\n";

/// A directory with documents and a report, `report.md`.
fn scratch(documents: &[(&str, &str)], report: &str) -> Scratch {
    let scratch = Scratch::new();
    for (name, text) in documents {
        scratch.write(&format!("docs/{name}"), text);
    }
    scratch.write("report.md", report);
    scratch
}

fn check(scratch: &Scratch, code: i32, more: &[&str]) -> Ran {
    let arguments = ["check", "report.md", "--docs", "docs", "--offline"];
    scratch.expect(code, &[&arguments, more].concat())
}

fn sentences(scratch: &Scratch, code: i32) -> Vec<Value> {
    let checked = parsed(&check(scratch, code, &["--json"]).stdout);
    checked["sentences"].as_array().unwrap().clone()
}

#[test]
fn a_sentence_that_a_superseded_document_supports_is_marked() {
    let report = "Full membership is £49 per month [old.md].\n\nWork is kept for six weeks \
                  [rules.md].\n";
    let rules = "# Rules\n\nWork is kept for six weeks.\n";
    let scratch = scratch(&[("old.md", OLD_PRICES), ("rules.md", rules)], report);
    let text = check(&scratch, 0, &[]).stdout;
    let status = "superseded by the list of 1 April 2026";
    for words in [
        "report.md:1:1: supported: Full membership",
        &format!("    status of old.md: {status}\n"),
        "2 supported; 1 by a source that is not in force",
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert!(!text.contains("six weeks"), "{text}");
    let sentences = sentences(&scratch, 0);
    assert_eq!(sentences[0]["match"]["status"], status);
    assert_eq!(sentences[1]["match"].get("status"), None);
    check(&scratch, 1, &["--fail-on", "not-in-force"]);
    check(&scratch, 0, &["--fail-on", "partial,unreachable"]);
}

#[test]
fn a_price_of_what_is_abolished_is_disputed() {
    let prices = "# Prices\n\nThe evening ticket costs 3.50 euros.\n";
    let decision = "# Decision\n\nThe council decides:\n\n1. The evening ticket is abolished.\n";
    let report = "The evening ticket costs 3.50 euros.\n\nThe evening ticket is abolished.\n";
    let documents = [("prices.md", prices), ("decision.md", decision)];
    let scratch = scratch(&documents, report);
    let sentences = sentences(&scratch, 0);
    assert_eq!(sentences[0]["verdict"], "supported", "{sentences:?}");
    let rival = sentences[0]["rival"]["text"].as_str().unwrap();
    assert!(rival.contains("is abolished"), "{sentences:?}");
    assert_eq!(sentences[1].get("rival"), None, "{sentences:?}");
}

#[test]
fn a_state_that_is_reversed_is_disputed() {
    let log = "date,plant,work,by,hours,cost_euros\n\
               2025-01-22,slide,crack found in third segment and slide closed,Osterloh,1,0\n\
               2025-03-27,lift,annual inspection passed,TUV,2,310\n\
               2025-05-26,showers men,thermal disinfection,Osterloh,6,0\n";
    let minutes = "# Minutes of the operations meeting, 10 June 2025\n\n## Slide\n\nThe inspection \
                   body approved the slide on 28 May 2025. It has been open again since 30 May.\n";
    let report = "The slide has been closed since January 2025.\n\nThe annual inspection of the \
                  lift passed.\n";
    let scratch = scratch(&[("log.csv", log), ("minutes.md", minutes)], report);
    let sentences = sentences(&scratch, 0);
    assert_eq!(sentences[0]["verdict"], "supported", "{sentences:?}");
    let rival = sentences[0]["rival"]["text"].as_str().unwrap();
    assert!(rival.contains("open again"), "{sentences:?}");
    assert_eq!(sentences[1].get("rival"), None, "{sentences:?}");
}

#[test]
fn a_document_that_gives_another_number_is_named() {
    let new_prices = "# Prices from 1 April 2026\n\n| Item | Price | Unit |\n|---|---:|---|\n\
                      | Full membership | £58 | per month |\n| Day pass | £18 | per day |\n";
    let summary = "# Annual summary\n\nVera holds 180 litres and is the cheaper kiln. The raku day \
                   costs £22 with two pots.\n";
    let history = "# History\n\nVera, the big one, holds 220 litres. A talk costs £5.\n";
    let minutes = |date, next| {
        format!("# Minutes of the committee, {date}\n\nThe next meeting is on {next}.\n")
    };
    let documents = [
        ("old.md", OLD_PRICES),
        ("new.md", new_prices),
        ("summary.md", summary),
        ("history.md", history),
        ("may.md", &minutes("7 May 2026", "9 July")),
        ("march.md", &minutes("5 March 2026", "7 May")),
    ];
    let report = "A day pass costs £15 [old.md].\n\nA day pass costs £18 [new.md].\n\n\
                  Vera holds 180 litres [summary.md].\n\n\
                  The raku day costs £22 with two pots [summary.md].\n\n\
                  The next meeting is on 9 July [may.md].\n";
    let scratch = scratch(&documents, report);
    let sentences = sentences(&scratch, 0);
    let rivals: Vec<Option<&str>> = sentences
        .iter()
        .map(|one| one["rival"]["text"].as_str())
        .collect();
    let expected = [
        Some("| Day pass | £18 | per day |"),
        // A superseded list says nothing against one in force.
        None,
        Some("Vera, the big one, holds 220 litres."),
        None,
        // Minutes of another day are of another meeting.
        None,
    ];
    assert_eq!(rivals, expected, "{sentences:#?}");
    let text = check(&scratch, 0, &[]).stdout;
    for words in [
        "    another document says otherwise: history.md:3: 11-47: Vera",
        "; 2 of which another document says otherwise\n",
    ] {
        assert!(text.contains(words), "{text}");
    }
    check(&scratch, 1, &["--fail-on", "disputed"]);
}

#[test]
fn a_document_that_says_that_it_is_no_longer_so_is_named() {
    let february = "# Minutes, 12 February 2025\n\nPresent: Tom Okafor (treasurer), Jan Willems\n";
    let june = "# Minutes, 18 June 2025\n\nTom Okafor resigned as treasurer, because he moves to \
                Leeds. Nadia Rossi was elected treasurer from 1 July.\n\n\
                Jan Willems was excused.\n";
    let report = "The treasurer is Tom Okafor [february.md].\n\nTom Okafor was treasurer \
                  [february.md].\n\nJan Willems is present [february.md].\n";
    let scratch = scratch(&[("february.md", february), ("june.md", june)], report);
    let sentences = sentences(&scratch, 0);
    let rivals: Vec<Option<&str>> = sentences
        .iter()
        .map(|one| one["rival"]["text"].as_str())
        .collect();
    let resigned = "Tom Okafor resigned as treasurer, because he moves to Leeds.";
    assert_eq!(rivals, [Some(resigned), None, None], "{sentences:#?}");
}

#[test]
fn documents_in_force_go_first_for_a_text_without_citations() {
    let new_prices = "# Prices from 1 April 2026\n\n| Item | Price | Unit |\n|---|---:|---|\n\
                      | Day pass | £18 | per day |\n";
    let documents = [("2024.md", OLD_PRICES), ("2026.md", new_prices)];
    let scratch = scratch(&documents, "A day pass costs £16.\n");
    let sentences = sentences(&scratch, 1);
    assert_eq!(sentences[0]["verdict"], "contradicted");
    assert_eq!(sentences[0]["reasons"][0], "£16 against £18");
    assert_eq!(sentences[0]["match"]["source"], "2026.md");
}

#[test]
fn a_contradiction_is_by_the_same_noun_a_prohibition_or_another_holder_of_a_role() {
    let staff = "# Who is who\n\n| Name | Role |\n|---|---|\n| Helen Marsh | Chair |\n\
                 | Bea Lockwood | Secretary and safeguarding officer |\n";
    let faq = "# Questions\n\n## Can I have a private party?\n\nYes, for six people. We don't \
               allow alcohol, because people are using blades.\n";
    let history = "# History\n\nToday there are 64 members, and two kilns.\n";
    let documents = [
        ("staff.md", staff),
        ("faq.md", faq),
        ("history.md", history),
    ];
    let report = "The chair is Bea Lockwood [staff.md].\n\nThe chair is Helen Marsh [staff.md].\n\n\
                  Members may bring alcohol to private parties [faq.md].\n\n\
                  All six wheels are there today [history.md].\n";
    let scratch = scratch(&documents, report);
    let sentences = sentences(&scratch, 1);
    let verdicts: Vec<&str> = sentences
        .iter()
        .map(|one| one["verdict"].as_str().unwrap())
        .collect();
    let expected = ["contradicted", "supported", "contradicted", "unsupported"];
    assert_eq!(verdicts, expected, "{sentences:#?}");
    let reason = "\"Chair\" is \"Helen Marsh\" in that table";
    assert!(
        sentences[0]["reasons"][0]
            .as_str()
            .unwrap()
            .starts_with(reason)
    );
}

#[test]
fn another_name_is_not_supported_in_part_and_a_surname_more_is() {
    let minutes = "# Minutes, 18 June\n\nNadia Rossi was elected treasurer from 1 July 2025.\n\n\
                   Helen has been chair since 2021.\n";
    let report = "Samira Haddad was elected treasurer from 1 July 2025 [minutes.md].\n\n\
                  Helen Marsh has been chair since 2021 [minutes.md].\n";
    let scratch = scratch(&[("minutes.md", minutes)], report);
    let sentences = sentences(&scratch, 1);
    let verdicts: Vec<&str> = sentences
        .iter()
        .map(|one| one["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["unsupported", "partial"], "{sentences:#?}");
}

#[test]
fn a_timetable_contradicts_no_day_by_another_and_an_admitted_error_disputes() {
    let times = "# Opening times\n\nTuesday 10.00 - 13.00\nWednesday 16.00 - 19.30\n\
                 Saturday 09.30 - 14.00\nSunday, Monday, Friday closed\n";
    let spring = "# News, spring\n\nThe most borrowed tool of 2024 was the carpet cleaner.\n";
    let summer = "# News, summer\n\nWe gave the wrong winner: the most borrowed tool of 2024 was \
                  the cordless drill.\n";
    let report = "The library opens until 19.30 on Wednesdays [times.md].\n\n\
                  The most borrowed tool of 2024 was the carpet cleaner [spring.md].\n";
    let documents = [
        ("times.md", times),
        ("spring.md", spring),
        ("summer.md", summer),
    ];
    let scratch = scratch(&documents, report);
    let sentences = sentences(&scratch, 0);
    let verdicts: Vec<&str> = sentences
        .iter()
        .map(|one| one["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["partial", "supported"], "{sentences:#?}");
    assert_eq!(sentences[1]["rival"]["source"], "summer.md");
}

#[test]
fn parts_of_a_sentence_that_cites_nothing_are_not_gathered_from_several_documents() {
    let board = "# Minutes\n\nThe board decided to renew the roof of the north barn in summer 2026 \
                 with tiles.\n";
    let letter = "# Letter\n\nThe spring dance was held without asking the general assembly of the \
                  members.\n";
    let sentence = "The roof of the north barn will be renewed in summer 2026 without asking the \
                    general assembly";
    let both = "The board decided to renew the roof of the north barn in summer 2026, and the \
                spring dance was held without asking the general assembly";
    let documents = [("board.md", board), ("letter.md", letter)];
    for (report, verdict) in [
        (format!("{sentence}.\n"), "partial"),
        (format!("{both}.\n"), "partial"),
        (format!("{both} [board.md] [letter.md].\n"), "supported"),
    ] {
        let checked = Scratch::with_docs(&documents).checked(&report);
        assert_eq!(checked[0]["verdict"], verdict, "{report}\n{checked:?}");
    }
}

#[test]
fn own_exports_are_read_for_their_sentences() {
    let report = "<!DOCTYPE html><html><head><title>Energy report 2025</title></head><body>\
                  <h1>Ashgrove School: energy report 2025</h1><p>In 2025 the school used 412,000 \
                  kWh of gas and 138,500 kWh of electricity. The water consumption was 2,310 cubic \
                  metres.</p><table><tr><th>Kind</th><th>2024</th><th>2025</th><th>Cost 2025</th>\
                  </tr><tr><td>Gas</td><td>447,300 kWh</td><td>412,000 kWh</td><td>£29,660</td>\
                  </tr><tr><td>Electricity</td><td>141,900 kWh</td><td>138,500 kWh</td>\
                  <td>£36,010</td></tr><tr><td>Water</td><td>2,480 m³</td><td>2,310 m³</td>\
                  <td>£7,850</td></tr></table></body></html>";
    let mail = "From: Ian Prowse <i.prowse@example.org>\nTo: Helen Marsh <h.marsh@example.org>\n\
                Subject: Re: Energy report 2025, gas\nDate: Thu, 26 Feb 2026 09:12:00 +0000\n\n\
                The correct gas consumption for 2025 is 421,600 kWh, not 412,000 kWh. Please use \
                the new figure for the council. Electricity and water are as printed.\n";
    let scratch = Scratch::with_docs(&[("energy.html", report), ("figures.eml", mail)]);
    let topic = "How much gas did the school use in 2025?";
    scratch.expect(0, &["run", topic, "--docs", "docs", "--session", "s"]);
    for kind in ["detailed", "summary", "academic"] {
        for format in ["html", "docx"] {
            let file = format!("{kind}.{format}");
            let export = [
                "export", "s", "--kind", kind, "--format", format, "-o", &file,
            ];
            scratch.expect(0, &export);
            let check = ["check", &file, "--docs", "docs", "--offline", "--json"];
            let checked = parsed(&scratch.expect(0, &check).stdout);
            let summary = &checked["summary"];
            let supported = summary["supported"].as_u64().unwrap();
            let all = checked["sentences"].as_array().unwrap().len();
            assert!(supported >= 3, "{file}: {checked}");
            assert_eq!(supported as usize, all, "{file}: {checked}");
        }
    }
    let html = scratch.read("detailed.html");
    assert!(html.contains("class=\"passage\"") && html.contains("<td>Gas</td>"));
}

/// The verdict, the remark and the rival of each sentence of a report that cites nothing.
fn judged(documents: &[(&str, &str)], report: &[&str]) -> Vec<(String, String, String)> {
    let scratch = scratch(documents, &report.join("\n\n"));
    let checked = scratch.run(&[
        "check",
        "report.md",
        "--docs",
        "docs",
        "--offline",
        "--json",
    ]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let sentences = parsed(&checked.stdout)["sentences"].clone();
    let sentences = sentences.as_array().unwrap().iter();
    let sentences = sentences.map(|one| {
        let remark = text(&one["match"]["status"]);
        (text(&one["verdict"]), remark, text(&one["rival"]["text"]))
    });
    sentences.collect()
}

#[test]
fn a_column_of_an_earlier_edition_is_not_in_force() {
    let procedure = "# SOP-012 Nitrate, edition 4\n\nRun the samples. After every 10 samples, run \
                     the control standard again.\n\n## Changes from edition 3\n\n\
                     | Item | Edition 3 | Edition 4 |\n|---|---|---|\n\
                     | Control standard after | 20 samples | 10 samples |\n\
                     | Tolerance of the control | 10 % | 5 % |\n";
    let audit = "# Audit of 17 June 2025\n\nThe control standard of nitrate was run after every 20 \
                 samples.\n";
    let documents = [("sop.md", procedure), ("audit.md", audit)];
    let report = [
        "The control standard of nitrate is run after every 20 samples.",
        "The control standard of nitrate is run after every 10 samples.",
        "The tolerance of the control is 10 %.",
        "The tolerance of the control is 5 %.",
        "The control standard of nitrate was run after every 20 samples.",
    ];
    let sentences = judged(&documents, &report);
    for (number, remark) in [
        (0, "superseded"),
        (1, ""),
        (2, "superseded"),
        (3, ""),
        (4, ""),
    ] {
        let (verdict, status, rival) = &sentences[number];
        assert_eq!(verdict, "supported", "{sentences:?}");
        assert_eq!(status.split(':').next(), Some(remark), "{sentences:?}");
        assert_eq!(rival, "", "{sentences:?}");
    }
}

#[test]
fn an_interval_of_a_table_is_said_with_every() {
    let manual = "# Maintenance\n\n| Part | Interval | What to do |\n|---|---|---|\n\
                  | Suppressor | 24 months | replace |\n| Pump seals | 12 months | replace |\n";
    let report = [
        "The suppressor is replaced every 24 months.",
        "The pump seals are replaced every 12 months.",
        "The suppressor is replaced every 12 months.",
    ];
    let sentences = judged(&[("manual.md", manual)], &report);
    let verdicts: Vec<&str> = sentences.iter().map(|one| one.0.as_str()).collect();
    let expected = ["supported", "supported", "contradicted"];
    assert_eq!(verdicts, expected, "{sentences:?}");
}

#[test]
fn a_number_that_a_letter_corrects_is_the_right_one() {
    let energy = "# Energy report 2025\n\nDate: 2 February 2026\n\nIn 2025 the school used 412,000 \
                  kWh of gas and 138,500 kWh of electricity.\n";
    let mail = "From: Ian Prowse <ian@school.example>\nTo: Helen Marsh <helen@school.example>\n\
                Date: Thu, 26 Feb 2026 09:12:00 +0000\nSubject: gas figure\n\n\
                The report has a mistake. The correct gas consumption for 2025 is 421,600 kWh, not \
                412,000 kWh. Please use the new figure.\n";
    let documents = [("energy.md", energy), ("energy.eml", mail)];
    let report = [
        "In 2025 the school used 421,600 kWh of gas.",
        "In 2025 the school used 412,000 kWh of gas.",
        "In 2025 the school used 138,500 kWh of electricity.",
        "In 2025 the school used 421,600 kWh of electricity.",
    ];
    let sentences = judged(&documents, &report);
    let verdicts: Vec<&str> = sentences.iter().map(|one| one.0.as_str()).collect();
    assert_eq!(verdicts[..3], ["supported"; 3], "{sentences:?}");
    assert_ne!(verdicts[3], "supported", "{sentences:?}");
    let is_disputed: Vec<bool> = sentences.iter().map(|one| !one.2.is_empty()).collect();
    assert_eq!(is_disputed, [false, true, false, false], "{sentences:?}");
}

const JANUARY: &str = "# Premises committee, minutes of 20 January 2026\n\n## 1. Letting\n\nFrom 1 \
                       February 2026 outside clubs pay £32 per hour for the assembly hall.\n\n## \
                       2. Keys\n\nDaniel Osei holds the second set of master keys.\n";
const JUNE: &str = "# Premises committee, minutes of 9 June 2026\n\n## 1. Letting\n\nThe hourly \
                    rate for outside clubs is therefore set at £36 from 1 July 2026. This replaces \
                    the rate agreed in January.\n\n## 2. Keys\n\nFrom 1 July 2026 Ruth Keane keeps \
                    the second set of master keys.\n";
const CONTRACT: &str = "# Cleaning contract\n\nSigned on 3 June 2024\n\n## 1. Term\n\nThe contract \
                        begins on 1 September 2024.\n\n## 2. What is cleaned\n\nWindows are \
                        cleaned inside and outside twice a year, in the Easter and summer \
                        holidays.\n\n## 5. Staff\n\nThe supervisor is Tomasz Wilk.\n";
const AMENDMENT: &str = "# Amendment no. 2 to the cleaning contract of 3 June 2024\n\nDated: 12 \
                         February 2026\n\n1. Clause 2 is changed as follows: windows are cleaned \
                         three times a year, in the Easter, summer and autumn holidays.\n\n2. \
                         Tomasz Wilk has left. The supervisor on site is Agnes Dorn from 1 March \
                         2026.\n";

#[test]
fn what_a_later_document_changes_is_disputed_and_what_it_says_is_not() {
    let documents = [
        ("january.md", JANUARY),
        ("june.md", JUNE),
        ("contract.md", CONTRACT),
        ("amendment.md", AMENDMENT),
    ];
    let report = [
        "Outside clubs pay £32 per hour for the assembly hall.",
        "Daniel Osei holds the second set of master keys.",
        "The windows are cleaned twice a year.",
        "The supervisor is Tomasz Wilk.",
        "Outside clubs pay £36 per hour for the assembly hall.",
        "Ruth Keane holds the second set of master keys.",
        "The windows are cleaned three times a year.",
        "The supervisor on site is Agnes Dorn.",
    ];
    let sentences = judged(&documents, &report);
    for (number, (verdict, _, rival)) in sentences.iter().enumerate() {
        assert_eq!(verdict, "supported", "{number} {sentences:?}");
        assert_eq!(rival.is_empty(), number >= 4, "{number} {sentences:?}");
    }
}

const TAKEOVER: &str = "# Minutes of 14 January 2026\n\nRobert Haile retires on 31 January 2026. \
                        Ines Falk takes over as quality manager on 1 February 2026.\n";

#[test]
fn the_day_of_a_signature_is_not_that_of_an_office() {
    let deviation = "# Deviation report 3\n\nReported by: Sofia Lindqvist\n\nApproved by: Ines \
                     Falk, quality manager, on 20 February 2026\n";
    let documents = [("minutes.md", TAKEOVER), ("deviation.md", deviation)];
    let report = ["Since 1 February 2026 Ines Falk has been the quality manager."];
    let sentences = judged(&documents, &report);
    let (verdict, _, rival) = &sentences[0];
    assert_eq!(verdict, "supported", "{sentences:?}");
    assert_eq!(rival, "", "{sentences:?}");
}

#[test]
fn who_leaves_and_is_succeeded_does_not_have_the_office() {
    let report = [
        "Robert Haile is the quality manager.",
        "Ines Falk is the quality manager.",
    ];
    let sentences = judged(&[("minutes.md", TAKEOVER)], &report);
    let verdicts: Vec<&str> = sentences.iter().map(|one| one.0.as_str()).collect();
    assert_eq!(verdicts, ["contradicted", "supported"], "{sentences:?}");
}

#[test]
fn a_reply_that_gives_a_condition_excludes_what_is_without_it() {
    let questions = "# Questions\n\n## May pupils use the lift?\n\nOnly with a medical \
                     certificate. The school office issues the lift card.\n";
    let report = [
        "Pupils may use the lift without a medical certificate.",
        "Pupils may use the lift only with a medical certificate.",
    ];
    let sentences = judged(&[("questions.md", questions)], &report);
    let verdicts: Vec<&str> = sentences.iter().map(|one| one.0.as_str()).collect();
    assert_eq!(verdicts, ["contradicted", "supported"], "{sentences:?}");
}

#[test]
fn a_citation_that_is_not_in_the_list_of_references_is_named_and_fails() {
    let costs = "# Costs\n\nThe expected life of a pump is about 20 years.\n";
    let unlisted = "A pump lasts 20 years [9].\n\n## Sources\n\n[1] costs.md\n";
    let beside = "A pump lasts 20 years [1][9].\n\nA pump lasts 30 years [1][9].\n\n\
                  ## Sources\n\n[1] costs.md\n";
    let listed = "A pump lasts 20 years [1].\n\n## Sources\n\n[1] costs.md\n";
    let scratch = scratch(&[("costs.md", costs)], unlisted);
    let text = check(&scratch, 1, &[]).stdout;
    for words in [
        "report.md:1:1: source not reachable: A pump lasts 20 years.\n    [9]: [9] is not in",
        "1 source not reachable; 1 citation not in the list of references",
    ] {
        assert!(text.contains(words), "{text}");
    }
    scratch.write("report.md", beside);
    let text = check(&scratch, 1, &["--fail-on", "unreachable"]).stdout;
    for words in [
        "report.md:1:1: supported: A pump lasts 20 years.\n    [1][9]: [9] does not hold: [9] is",
        "; [9] does not hold: [9] is not in the list of references\n",
        "; 2 citations not in the list of references",
    ] {
        assert!(text.contains(words), "{text}");
    }
    scratch.write("report.md", listed);
    assert!(
        !check(&scratch, 0, &[])
            .stdout
            .contains("list of references")
    );
}

/// The verdicts on sentences that each cite the only document, `source.md` or another one.
fn verdicts(name: &str, document: &str, sentences: &[&str]) -> Vec<(String, String)> {
    let cited: Vec<String> = sentences
        .iter()
        .map(|own| format!("{own} [1].\n"))
        .collect();
    let report = format!("{}\n## Sources\n\n[1] {name}\n", cited.join("\n"));
    let scratch = scratch(&[(name, document)], &report);
    let arguments = ["--fail-on", "never", "--json"];
    let checked = parsed(&check(&scratch, 0, &arguments).stdout);
    let checked = checked["sentences"].as_array().unwrap().clone();
    let verdicts = checked.iter().map(|own| {
        let text = |key: &str| own[key].as_str().unwrap().to_owned();
        (text("text"), text("verdict"))
    });
    verdicts.collect()
}

const MEASUREMENTS: &str = "\
# Measurements

A heat pump is more expensive to buy than a gas boiler and usually cheaper to run. At these prices,
a heat pump is cheaper to run than a gas boiler as soon as the factor is above about 2.3.

A ground-source heat pump has no outdoor fan and makes no noise in the garden. Twelve ground-source
heat pumps are too few for a reliable comparison of different products.

Hard walls close to the outdoor unit reflect the sound. The heating curve was too steep in 15 of the
56 houses. About 20 % of radiators have to be replaced.

A new pump uses 18 % less power than an old pump.
";

#[test]
fn the_opposite_of_a_sentence_in_its_words_is_not_supported() {
    let contradicted = [
        "A heat pump is cheaper to buy than a gas boiler",
        "Running a heat pump is usually more expensive than running a gas boiler",
        "A heat pump is cheaper to run than gas as soon as the factor is below about 2.3",
        "A ground-source heat pump makes noise in the garden",
        "Twelve ground-source heat pumps are enough for a reliable comparison",
        "Hard walls absorb the sound",
        "All radiators must be replaced",
        "A new pump uses 18 % more power than an old pump",
    ];
    for (text, verdict) in verdicts("source.md", MEASUREMENTS, &contradicted) {
        assert_eq!(verdict, "contradicted", "{text}");
    }
    // It costs more to buy and less to run.
    let doubted = [
        "A gas boiler costs more than a heat pump",
        "The heating curve was too steep in 56 houses",
    ];
    for (text, verdict) in verdicts("source.md", MEASUREMENTS, &doubted) {
        assert_eq!(verdict, "partial", "{text}");
    }
}

#[test]
fn a_true_sentence_is_not_contradicted_by_the_whole_of_its_part_or_another_negation() {
    let supported = [
        "The heating curve was too steep in 15 houses",
        "The heating curve was too steep in 15 of the 56 houses",
        "A ground-source heat pump makes no noise in the garden",
        "A gas boiler is cheaper to buy than a heat pump",
        "A heat pump is usually cheaper to run than a gas boiler",
        "Hard walls reflect the sound",
        "A new pump uses 18 % less power than an old pump",
    ];
    for (text, verdict) in verdicts("source.md", MEASUREMENTS, &supported) {
        assert_eq!(verdict, "supported", "{text}");
    }
    let minutes = "# Minutes\n\nThe motion to raise the fee was rejected by 15 votes to 8.\n";
    let lost = [
        "The motion failed by 15 votes to 8",
        "The motion was lost by 15 votes to 8",
        "The motion did not pass",
    ];
    for (text, verdict) in verdicts("minutes.md", minutes, &lost) {
        assert_eq!(verdict, "supported", "{text}");
    }
}

#[test]
fn the_signature_of_a_mail_gives_nobody_what_it_says_was_handed_on() {
    let mail = "From: Henry Walsh <henry@garden.example>\nTo: all@garden.example\nSubject: Shed\n\
                Date: Mon, 4 May 2026 09:12:00 +0000\nMessage-ID: <a1@garden.example>\n\
                MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nDear all,\n\n\
                I have handed the key of the tool shed to Ruth.\n\nBest wishes,\nHenry\n";
    let sentences = [
        "Henry has the key of the tool shed",
        "Ruth has the key of the tool shed",
    ];
    let verdicts = verdicts("mail.eml", mail, &sentences);
    let verdicts: Vec<&str> = verdicts.iter().map(|own| own.1.as_str()).collect();
    assert_eq!(verdicts, ["contradicted", "supported"]);
}

#[test]
fn a_reason_prints_words_as_they_are_written() {
    let source = "# Findings\n\nA low temperature was more important for the factor than the \
                  age.\n";
    let report = "A low temperature mattered less for the factor than the age [1].\n\n\
                  ## Sources\n\n[1] source.md\n";
    let scratch = scratch(&[("source.md", source)], report);
    let text = check(&scratch, 1, &[]).stdout;
    assert!(text.contains("\"less\" against \"more\""), "{text}");
}

const AUTUMN: &str = "\
# Minutes of the trials meeting, 18 September 2024

## Varieties

Tomas Kolar proposed Aurelio, Peter Lind proposed Brenta. Brenta yielded 0.3 t/ha more than Aurelio
in the last two years, but had yellow rust on 35 % of the leaf area in 2024.
Decision: Aurelio is sown on the demonstration field in 2024/25, because it is resistant to yellow
rust and needs one fungicide treatment less.

## Sulphur

Noor Haddad found less than 3 mg/kg sulphate sulphur in Fields 1 to 3.
Decision: 20 kg/ha of sulphur are given with the first nitrogen dressing on Fields 1 to 3. Fields 4
and 5 receive none.
";

const SPRING: &str = "\
# Minutes of the trials meeting, 12 February 2025

Present: Ruth Ammann (chair), Ilse Berger, Peter Lind (minutes). Excused: Tomas Kolar

## Drone

Peter Lind asked for a drone with a multispectral camera, offered at 8,900 euros.
Decision: The purchase is put off until 2026.

## Weather

Ilse Berger took over the weather station from Hans Frey, who retired in May.
";

const LEAFLET: &str = "\
# Leaflet 12: Yellow rust in winter wheat

## Resistant varieties

Aurelio and Tessin are resistant. Brenta and Monte are susceptible.
";

const LIME: &str = "\
# Memo: liming of Field 4

Field 4 needs 4 tonnes of lime per hectare. No more than 3 t/ha should be given at a time, so the
dose is split: 3 t/ha in August 2024 and 1 t/ha in August 2026.
";

/// The verdict on a sentence by the papers of a field station, and the words printed below it.
fn verdict_on(sentence: &str) -> (String, String) {
    let papers = [
        ("autumn.md", AUTUMN),
        ("spring.md", SPRING),
        ("leaflet.md", LEAFLET),
        ("lime.md", LIME),
    ];
    let scratch = scratch(&papers, "");
    let checked = scratch.checked(&format!("{sentence}\n"));
    let verdict = checked[0]["verdict"].as_str().unwrap().to_owned();
    (verdict, checked[0].to_string())
}

#[test]
fn numbered_fields_are_not_those_of_other_numbers() {
    for (sentence, expected) in [
        (
            "Fields 4 and 5 receive 20 kg/ha of sulphur [autumn.md].",
            "contradicted",
        ),
        (
            "Fields 4 and 5 receive 20 kg/ha of sulphur.",
            "contradicted",
        ),
        (
            "20 kg/ha of sulphur are given with the first nitrogen dressing on Fields 1 to 3 \
             [autumn.md].",
            "supported",
        ),
    ] {
        let (verdict, printed) = verdict_on(sentence);
        assert_eq!(verdict, expected, "{sentence}: {printed}");
    }
}

#[test]
fn what_is_susceptible_is_not_resistant() {
    for (sentence, expected) in [
        ("Brenta is resistant to yellow rust.", "contradicted"),
        (
            "Brenta is resistant to yellow rust [leaflet.md].",
            "contradicted",
        ),
        (
            "Brenta and Monte are resistant [leaflet.md].",
            "contradicted",
        ),
        (
            "Aurelio is resistant to yellow rust [autumn.md].",
            "supported",
        ),
        (
            "Aurelio and Tessin are resistant [leaflet.md].",
            "supported",
        ),
    ] {
        let (verdict, printed) = verdict_on(sentence);
        assert_eq!(verdict, expected, "{sentence}: {printed}");
    }
    let (verdict, printed) = verdict_on("Brenta is resistant to yellow rust [autumn.md].");
    assert_ne!(verdict, "supported", "{printed}");
}

#[test]
fn who_has_been_succeeded_is_not_in_charge() {
    for (sentence, expected) in [
        (
            "Hans Frey looks after the weather station [spring.md].",
            "contradicted",
        ),
        ("Peter Lind asked for a drone [spring.md].", "supported"),
    ] {
        let (verdict, printed) = verdict_on(sentence);
        assert_eq!(verdict, expected, "{sentence}: {printed}");
    }
}

#[test]
fn doses_that_a_source_lists_are_counted() {
    let sentence = "Field 4 gets its lime in two doses, 3 t/ha in 2024 and 1 t/ha in 2026";
    for (sentence, expected) in [
        (format!("{sentence} [lime.md]."), "supported"),
        (
            format!("{} [lime.md].", sentence.replace("two", "three")),
            "unsupported",
        ),
    ] {
        let (verdict, printed) = verdict_on(&sentence);
        assert_eq!(verdict, expected, "{sentence}: {printed}");
    }
}

#[test]
fn another_number_of_another_thing_does_not_outweigh_the_sentence_with_the_number() {
    let paper = "# Nitrogen response of wheat\n\nThe economic optimum was 178 kg/ha, at which the \
                 yield was 8.9 t/ha.\n\nNitrate nitrogen in the soil was 28 kg/ha at the optimum, \
                 but 71 kg/ha at 250 kg/ha.\n";
    let report = "The economic optimum of nitrogen was 178 kg/ha [paper.md].\n\nThe economic \
                  optimum was 28 kg/ha [paper.md].\n";
    let scratch = scratch(&[("paper.md", paper)], report);
    let sentences = sentences(&scratch, 1);
    assert_eq!(sentences[0]["verdict"], "supported", "{sentences:#?}");
    assert_ne!(sentences[1]["verdict"], "supported", "{sentences:#?}");
}
