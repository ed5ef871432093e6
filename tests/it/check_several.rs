//! `research check`: several files, whatever becomes of one, pointers, rows in thousands, what is
//! amended or lowered later, and languages.

use crate::harness::{Ran, Scratch, parsed};

const CHECK: [&str; 4] = ["check", "--docs", "docs", "--offline"];

fn scratch() -> Scratch {
    let scratch = Scratch::with_docs(&[("prices.md", "The urea costs 185 euros a tonne.\n")]);
    scratch.write("good.md", "The urea costs 185 euros a tonne [prices.md].\n");
    scratch.write("bad.md", "The urea costs 999 euros a tonne [prices.md].\n");
    scratch.write("headings.md", "# Urea\n\n## Prices\n");
    scratch.write("empty.md", "");
    scratch
}

fn check(scratch: &Scratch, code: i32, arguments: &[&str]) -> Ran {
    scratch.expect(code, &[&CHECK[..], arguments].concat())
}

#[test]
fn several_files_are_checked_after_one_that_cannot_be() {
    let scratch = scratch();
    let files = ["headings.md", "missing.md", "good.md", "bad.md", "empty.md"];
    let ran = check(&scratch, 2, &files);
    assert!(
        ran.stdout.contains("good.md: checked 1 sentence"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("bad.md:1:1: contradicted"),
        "{}",
        ran.stdout
    );
    for file in ["headings.md", "missing.md", "empty.md"] {
        let named = ran.stderr.lines().filter(|line| line.contains(file));
        assert_eq!(named.count(), 1, "{}", ran.stderr);
    }
    check(&scratch, 1, &["bad.md", "good.md"]);
    check(&scratch, 1, &["good.md", "bad.md"]);
    check(&scratch, 2, &["good.md", "headings.md"]);
    check(&scratch, 0, &["good.md", "good.md"]);
    // What is wrong with all of them is said once.
    let refused = scratch.expect(2, &["check", "good.md", "bad.md", "--docs", "nowhere"]);
    assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    assert!(
        refused.stderr.contains("nowhere does not exist"),
        "{}",
        refused.stderr
    );
    let folder = check(&scratch, 2, &["docs"]);
    assert!(
        folder.stderr.contains("docs is a directory"),
        "{}",
        folder.stderr
    );
}

#[test]
fn a_file_that_cannot_be_checked_is_a_line_of_json() {
    let scratch = scratch();
    let files = ["missing.md", "bad.md", "headings.md", "--json"];
    let ran = check(&scratch, 2, &files);
    let lines: Vec<_> = ran.stdout.lines().map(parsed).collect();
    let reports: Vec<_> = lines.iter().map(|line| &line["report"]).collect();
    assert_eq!(reports, ["missing.md", "bad.md", "headings.md"]);
    assert_eq!(lines[0]["error"]["kind"], "usage");
    assert_eq!(lines[0]["error"]["exit_code"], 2);
    assert_eq!(lines[1]["passed"], false);
    let schema = parsed(&scratch.expect(0, &["schema", "unchecked"]).stdout);
    assert!(jsonschema::is_valid(&schema, &lines[2]), "{}", lines[2]);
}

#[test]
fn the_sentences_that_were_left_out_are_counted_if_there_are_any() {
    let scratch = scratch();
    let ran = check(&scratch, 2, &["empty.md"]);
    assert!(!ran.stderr.contains("0 sentences"), "{}", ran.stderr);
}

#[test]
fn a_pointer_is_no_claim_and_one_citation_has_the_verdict_of_its_sentence() {
    let scratch = Scratch::new();
    let trial = "# Trial\n\nThe use of salt was 8 g per square metre with brine.\n";
    scratch.write("docs/trial.md", trial);
    let report = "With brine the use of salt was 8 g per square metre. See [trial](trial.md).\n\n\
                  See [trial](trial.md).\n\n\
                  With brine the use of salt was 9 g per square metre ([trial](trial.md)).\n";
    let sentences = scratch.checked(report);
    assert_eq!(sentences.len(), 2, "{sentences:#?}");
    assert_eq!(sentences[0]["verdict"], "supported");
    for sentence in sentences {
        assert_eq!(sentence["citations"][0]["verdict"], sentence["verdict"]);
    }
}

#[test]
fn a_number_below_a_column_of_thousands_belongs_to_that_column() {
    let scratch = Scratch::new();
    let budget = "# Budget\n\n| Item | 2024 actual thousand EUR | Plan thousand EUR |\n\
                  |---|---:|---:|\n| Salt and grit | 390 | 460 |\n";
    scratch.write("docs/budget.md", budget);
    for (amount, verdict) in [("460,000", "supported"), ("390,000", "partial")] {
        let report = format!("The plan for salt and grit is EUR {amount} ([b](budget.md)).\n");
        let sentences = scratch.checked(&report);
        assert_eq!(sentences[0]["verdict"], verdict, "{sentences:#?}");
    }
}

/// What `check` prints of one sentence against documents.
fn printed(documents: &[(&str, &str)], sentence: &str) -> String {
    let scratch = Scratch::with_docs(documents);
    scratch.write("one.md", sentence);
    let arguments = [&CHECK[..], &["one.md", "--all", "--fail-on", "never"]].concat();
    scratch.expect(0, &arguments).stdout
}

#[test]
fn a_clause_that_the_same_document_amends_further_below_is_named() {
    let rules = "Inspection rules\n\n5.2 The depot keeps a list.\n\n5.3 After a vehicle strike a \
                 special inspection is made within three working days.\n\nAMENDMENT 2\n\nParagraph \
                 5.3 is amended: after a vehicle strike the special inspection is made within 24 \
                 hours.\n";
    let documents = [("rules.txt", rules)];
    let of = |period: &str| {
        let claim = "After a vehicle strike a special inspection is made within";
        printed(&documents, &format!("{claim} {period} [rules.txt].\n"))
    };
    let amended = of("three working days");
    assert!(
        amended.contains("the same document amends it: rules.txt:"),
        "{amended}"
    );
    assert!(!of("24 hours").contains("amends it"));
}

#[test]
fn the_clause_of_a_consolidated_text_and_the_day_that_is_given_up_are_named() {
    let rules = "Section 3. Allocation\n(1) Of the catch, 11 per cent is allocated to coastal \
                 vessels.\n(2) [replaced by 2024/1377] Of the catch, 14 per cent is allocated to \
                 coastal vessels.\n";
    let documents = [("rules.txt", rules)];
    let of = |share: &str| {
        let claim = format!("{share} per cent of the catch is allocated to coastal vessels");
        printed(&documents, &format!("{claim} [rules.txt].\n"))
    };
    let replaced = of("11");
    assert!(
        replaced.contains("the same document amends it: rules.txt:3"),
        "{replaced}"
    );
    assert!(!of("14").contains("amends it"));
    let decision = "---\ndate: 2024-06-18\n---\n# ADR 19\n\nThe migration must be finished by \
                    2024-12-15.\n";
    let notes = "---\ndate: 2024-09-05\n---\n# Platform notes\n\nOlu says 2024-12-15 cannot be \
                 held for the migration. The new date is 2025-02-28.\n";
    let documents = [("adr-19.md", decision), ("notes.md", notes)];
    // A document of a series is cited by its number.
    for cited in ["[adr-19.md]", "(ADR 19)", "(see ADR-0019)"] {
        let claim = format!("The migration must be finished by 2024-12-15 {cited}.\n");
        let checked = printed(&documents, &claim);
        let said = "another document says otherwise: notes.md:";
        assert!(checked.contains(said), "{cited} {checked}");
    }
}

#[test]
fn a_later_decision_that_says_why_the_old_value_was_wrong_is_named() {
    let protocol = "---\ndate: 2026-03-04\n---\n# Protocol for the oven\n\nThe baking \
                    temperature is 58 °C. We bake for 35 minutes.\n";
    let minutes = "# Minutes of the meeting, 12 May 2026\n\nThe baking temperature was raised to \
                   60 °C, since 58 °C was too low.\n";
    let documents = [("protocol.md", protocol), ("minutes.md", minutes)];
    let checked = printed(
        &documents,
        "The baking temperature is 58 °C [protocol.md].\n",
    );
    let said = "another document says otherwise: minutes.md:3: ";
    assert!(checked.contains(said), "{checked}");
    let raised = printed(
        &documents,
        "The baking temperature is 60 °C [minutes.md].\n",
    );
    assert!(raised.contains("1 supported"), "{raised}");
    assert!(!raised.contains("says otherwise"), "{raised}");
}

#[test]
fn a_later_decision_on_a_value_is_named_though_it_names_the_old_one() {
    let procedure = "---\ndate: 2021-11-02\n---\n# Closing levels\n\n| Bridge | Warning | Closing \
                     level |\n|---|---|---|\n| B-088 Halden Bridge | 3.30 m | 3.80 m |\n";
    let minutes = "---\ndate: 2024-02-14\n---\n# Minutes\n\nAt B-088 Halden Bridge water came \
                   high, although the procedure closes the bridge only at 3.80 m. Decision: the \
                   closing level for B-088 is lowered to 3.40 m.\n";
    let documents = [("procedure.md", procedure), ("minutes.md", minutes)];
    let claim = "The closing level of B-088 is 3.80 m [procedure.md].\n";
    let checked = printed(&documents, claim);
    let said = "another document says otherwise: minutes.md:";
    assert!(checked.contains(said), "{checked}");
}

#[test]
fn german_bounds_units_and_changes_are_compared_as_english_ones() {
    for (source, claim, verdict) in [
        (
            "Die Gebühr steigt von 148 auf 157 Euro.",
            "Die Gebühr steigt um 157 Euro",
            "partial",
        ),
        (
            "Der Beschluss ist unwirksam, weil Stadtrat Demmer befangen war. Die Abstimmung muss \
             wiederholt werden.",
            "Die Abstimmung musste wiederholt werden, weil Stadträtin Lohse befangen war",
            "partial",
        ),
        (
            "Die dritte Linie darf gebaut, aber noch nicht betrieben werden.",
            "Die dritte Linie darf gebaut und betrieben werden",
            "contradicted",
        ),
        (
            "Der Grenzwert beträgt höchstens 80 mg.",
            "Der Grenzwert beträgt mindestens 80 mg",
            "contradicted",
        ),
        (
            "Die Investition beträgt 118 Millionen Euro.",
            "Die Investition beträgt 118 Milliarden Euro",
            "contradicted",
        ),
        (
            "Zwei Linien sind in Betrieb.",
            "Drei Linien sind in Betrieb",
            "contradicted",
        ),
        (
            "Am 18. April 2024 stimmte der Rat zu.",
            "Der Rat stimmte am 18. April 2024 zu",
            "supported",
        ),
        (
            "Der Rat hat die Gebühr erhöht.",
            "Der Rat hat die Gebühr gesenkt",
            "contradicted",
        ),
    ] {
        let documents = [("a.md", source)];
        let checked = printed(&documents, &format!("{claim} [a.md].\n"));
        let verdict = match verdict {
            "partial" => "supported in part: ",
            verdict => &format!("{verdict}: "),
        };
        assert!(checked.contains(&format!("1:1: {verdict}")), "{checked}");
    }
}

#[test]
fn what_an_interviewer_asks_is_not_said() {
    let interview = "BRANDT: Can you rule out that the filter was switched off at night?\n\nOSTER: \
                     I have seen no record of it.\n";
    let claim = "Oster could rule out that the filter was switched off at night [talk.txt].\n";
    let checked = printed(&[("talk.txt", interview)], claim);
    assert!(!checked.contains("1:1: supported:"), "{checked}");
}

#[test]
fn what_a_later_document_reverses_is_disputed() {
    let march = "# Minutes of the site group, 10 March 2026\n\n**Decision 1:** Dale is the \
                 preferred site.\n\n**Decision 2:** The automated store is rejected.\n\n\
                 **Decision 3:** Holm stays on the shortlist.\n";
    let april = "# Minutes of the site group, 21 April 2026\n\nThe survey was presented. Dale is \
                 no longer the preferred site. Holm is removed from the shortlist.\n\n\
                 **Decision 4:** A smaller store is approved. Decision 2 of 10 March no longer \
                 applies.\n";
    let documents = [("march.md", march), ("april.md", april)];
    for (claim, reversal) in [
        (
            "Dale is the preferred site.",
            "Dale is no longer the preferred",
        ),
        (
            "Dale is the preferred site for the store.",
            "Dale is no longer the preferred",
        ),
        ("Holm stays on the shortlist.", "Holm is removed"),
        (
            "The automated store is rejected.",
            "Decision 2 of 10 March no longer",
        ),
    ] {
        let checked = printed(&documents, &format!("{claim}\n"));
        assert!(
            checked.contains("another document says otherwise"),
            "{checked}"
        );
        assert!(checked.contains(reversal), "{checked}");
    }
    let checked = printed(&documents, "A smaller store is approved.\n");
    assert!(!checked.contains("says otherwise"), "{checked}");
    // The second decision of another day is another one.
    let other = april.replace("Decision 2 of 10 March", "Decision 2 of 3 February");
    let documents = [("march.md", march), ("april.md", &other)];
    let checked = printed(&documents, "The automated store is rejected.\n");
    assert!(!checked.contains("says otherwise"), "{checked}");
}

#[test]
fn number_that_a_reply_corrects_is_disputed() {
    let mail = "Subject: the haemoglobin threshold\n\nA correction to my mail of Monday: the \
                threshold is 80 g/l, not 90.\n\n> Please remember: no standing if haemoglobin is \
                below 90 g/l.\n";
    let of = |value: &str| {
        let claim = format!("No standing if haemoglobin is below {value} g/l.\n");
        printed(&[("mail.txt", mail)], &claim)
    };
    assert!(of("90").contains("80 g/l, not 90"), "{}", of("90"));
    assert!(!of("80").contains("1:1: supported:"), "{}", of("80"));
    let survey = "Subject: the flood survey at Dale\n\nThe chance of a flood at Dale is 1 in 75. \
                  The figure of 1 in 200 that I sent you was wrong.\n\n> The chance of a flood is \
                  1 in 200.\n";
    let claim = "The chance of a flood at Dale is 1 in 200.\n";
    let checked = printed(&[("survey.txt", survey)], claim);
    assert!(checked.contains("that I sent you was wrong"), "{checked}");
}

#[test]
fn a_document_of_a_series_is_cited_without_brackets() {
    let broker = "# ADR 19: The broker\n\nJobs wait in a broker. The broker has 3 nodes.\n";
    let queue = "# ADR-0012: The queue\n\nJobs wait in a table. The table has 5 columns.\n";
    let scratch = Scratch::with_docs(&[("broker.md", broker), ("0012.md", queue)]);
    let checked = |report: &str| {
        scratch.write("one.md", report);
        let arguments = [&CHECK[..], &["one.md", "--json", "--fail-on", "never"]].concat();
        parsed(&scratch.expect(0, &arguments).stdout)
    };
    for (claim, verdict) in [
        ("The broker has 3 nodes, see ADR-0019.", "supported"),
        ("Per ADR 0019, the broker has 3 nodes.", "supported"),
        ("ADR 19 says that the broker has 3 nodes.", "supported"),
        ("The broker has 4 nodes, see ADR-0019.", "contradicted"),
        // That of another document does not support it.
        ("The table has 5 columns, see ADR-0019.", "unsupported"),
        // A document as a thing of the world is cited for nothing.
        (
            "The board accepted ADR-0019 and the table has 5 columns.",
            "uncited",
        ),
    ] {
        let report = format!("Jobs wait in a broker [broker.md].\n\n{claim}\n");
        let checked = checked(&report);
        let sentences = checked["sentences"].as_array().unwrap();
        assert_eq!(sentences[1]["verdict"], verdict, "{claim} {checked}");
    }
    // A report that cites nothing else is compared with all documents.
    let report = "The broker has 3 nodes, see ADR-0019. The table has 5 columns.\n";
    let checked = checked(report);
    for sentence in checked["sentences"].as_array().unwrap() {
        assert_eq!(sentence["verdict"], "supported", "{checked}");
    }
}

#[test]
fn what_is_no_longer_so_is_not_contradicted_by_the_change() {
    for (claim, source) in [
        (
            "Swindon is no longer on the shortlist",
            "Swindon is removed from the shortlist.",
        ),
        (
            "The fee is no longer 5 euros",
            "The fee is raised from 5 to 6 euros.",
        ),
        (
            "Ann is no longer treasurer",
            "Ann resigned as treasurer in May.",
        ),
    ] {
        let checked = printed(&[("a.md", source)], &format!("{claim} [a.md].\n"));
        assert!(!checked.contains("1:1: contradicted"), "{checked}");
    }
    let open = [("a.md", "The mill is open.")];
    let checked = printed(&open, "The mill is no longer open [a.md].\n");
    assert!(checked.contains("1:1: contradicted"), "{checked}");
    let later = "Mortality was no longer significant in those who went home later.\n";
    let documents = [
        ("a.md", "Patients went home almost a week earlier.\n"),
        ("b.md", later),
    ];
    let checked = printed(&documents, "Patients went home almost a week earlier.\n");
    assert!(!checked.contains("says otherwise"), "{checked}");
}

#[test]
fn a_number_and_a_statement_that_a_mail_takes_back_are_disputed() {
    let leaflet = "---\ntitle: Leaflet on the new ferry\ndate: 2031-05-02\n---\nThe town will \
                   pay 40 million euros per year for the ferry. We will halve the noise of the \
                   ferry in the old harbour.\n";
    let mail = "Subject: Correction of the leaflet\nDate: Mon, 5 May 2031 08:00:00 +0000\n\nThe \
                sum for the ferry in our leaflet is wrong. We wrote 40 million euros per year; the \
                correct sum is 30 million euros per year.\n\nPlease do not use the sentence about \
                halving the noise of the ferry. We expect a reduction of 10 %.\n";
    let documents = [("leaflet.md", leaflet), ("mail.txt", mail)];
    let of = |claim: &str| printed(&documents, claim);
    let old = of("The town will pay 40 million euros per year for the ferry.\n");
    assert!(
        old.contains("otherwise: mail.txt") && old.contains("the correct sum"),
        "{old}"
    );
    let noise = of("The noise of the ferry will be halved in the old harbour.\n");
    assert!(noise.contains("otherwise: mail.txt"), "{noise}");
    let new = of("The town will pay 30 million euros per year for the ferry.\n");
    assert!(!new.contains("otherwise"), "{new}");
}

#[test]
fn a_table_states_the_value_of_a_lettered_column_and_the_trend_of_two_rows() {
    let plans = "# Plans\n\n| Item | Plan B | Plan C |\n|---|---|---|\n\
                 | Water saved (tonnes per year) | 520 | 710 |\n| Pumps | 30 | 45 |\n";
    let years = "Year,Wells,Mean chloride (mg/l)\n2030,41,19.8\n2032,38,18.9\n2034,35,18.2\n";
    let documents = [("plans.md", plans), ("years.csv", years)];
    for (claim, verdict) in [
        (
            "Plan B would save 520 tonnes of water per year.",
            "supported",
        ),
        ("Plan B has 30 pumps.", "supported"),
        ("Plan B has 45 pumps.", "contradicted"),
        (
            "Mean chloride fell from 19.8 mg/l in 2030 to 18.2 mg/l in 2034.",
            "supported",
        ),
        ("The number of wells fell from 41 to 35.", "supported"),
        (
            "Mean chloride fell from 19.8 mg/l in 2030 to 18.9 mg/l in 2034.",
            "contradicted",
        ),
        (
            "The number of wells rose from 41 in 2030 to 35 in 2034.",
            "contradicted",
        ),
    ] {
        let checked = printed(&documents, &format!("{claim}\n"));
        assert!(
            checked.contains(&format!("1:1: {verdict}:")),
            "{claim} {checked}"
        );
    }
}

#[test]
fn a_provision_that_an_amending_act_changes_by_its_number_is_disputed() {
    let act = "# Act 2024/12 on dogs in parks\n\nAdopted on 4 May 2024.\n\n## Article 3 Leads\n\n\
               1. Dogs are kept on a lead of at most 2 metres in all parks.\n\
               2. No dog may enter a playground.\n\
               3. Bathing of dogs is permitted in the pond from May to July.\n\n\
               ## Article 4 Fees\n\nThe fee for a dog is 40 euros a year. The town may lower the \
               fee to 20 euros for old dogs.\n";
    let amending = "# Act 2031/7 amending Act 2024/12 on dogs in parks\n\nAdopted on 9 June \
                    2031.\n\n## Article 1 Amendments\n\nAct 2024/12 is amended as follows:\n\n\
                    1. In Article 3, paragraph 1 is replaced by the following: \"Dogs are kept on \
                    a lead of at most 5 metres in all parks.\"\n\n\
                    2. In Article 3, paragraph 3 is deleted.\n\n\
                    3. In Article 4, the second sentence is deleted.\n";
    let documents = [("act.md", act), ("amending.md", amending)];
    for (claim, by) in [
        (
            "Dogs are kept on a lead of at most 2 metres in all parks.",
            Some("paragraph 1 is"),
        ),
        ("No dog may enter a playground.", None),
        (
            "Bathing of dogs is permitted in the pond.",
            Some("paragraph 3 is deleted"),
        ),
        ("The fee for a dog is 40 euros a year.", None),
        (
            "The town may lower the fee to 20 euros for old dogs.",
            Some("second sentence is"),
        ),
        (
            "Dogs are kept on a lead of at most 5 metres in all parks.",
            None,
        ),
    ] {
        let checked = printed(&documents, &format!("{claim}\n"));
        let otherwise = checked
            .lines()
            .find(|line| line.contains("says otherwise:"));
        let is_by = |by: &str| otherwise.is_some_and(|line| line.contains(by));
        assert!(by.map_or(otherwise.is_none(), is_by), "{claim} {checked}");
    }
}

#[test]
fn the_author_of_the_cited_source_need_not_be_in_its_words() {
    let trial = "Clover under apple trees: a three-year trial\n\nAsh M, Quist K\n\nJournal of \
                 Orchards 2031;4(2):11-19.\n\nMethods: We mowed 12 orchards.\n\nResults: Clover \
                 lowered the loss of apples by 31 %.\n";
    let documents = [("trial.txt", trial)];
    for (end, verdict) in [
        ("in the trial of Quist", "supported"),
        ("in the trial of Brown", "unsupported"),
    ] {
        let claim = format!("Clover lowered the loss of apples by 31 % {end} [trial.txt].\n");
        let checked = printed(&documents, &claim);
        assert!(checked.contains(&format!("1:1: {verdict}:")), "{checked}");
    }
}

#[test]
fn the_name_of_a_study_stands_in_its_title_alone() {
    let trial = "# HARROW, a trial of pruning\n\nIn 2031 we pruned 640 trees in Norfolk and \
                 Kent. Survival was 93%.\n";
    let documents = [("trial.md", trial)];
    for (claim, verdict) in [
        ("In HARROW, 640 trees were pruned", "supported"),
        ("HARROW pruned 640 trees in Norfolk", "supported"),
        ("Survival in HARROW was 93%", "supported"),
        ("In HARROW, 460 trees were pruned", "unsupported"),
    ] {
        let checked = printed(&documents, &format!("{claim} [trial.md].\n"));
        assert!(checked.contains(&format!(": {verdict}")), "{checked}");
        let is_clean = !checked.contains("in part");
        assert!(is_clean, "{checked}");
    }
}

#[test]
fn what_a_correction_says_is_not_contradicted_by_what_it_corrects() {
    let release = "# A record year\n\nKiln, 10 March 2031\n\nAcme sold 412,000 tiles in 2030, 14 \
                   percent more than in the year before.\n";
    let correction = "# Correction to the press release of 10 March 2031\n\nKiln, 24 March \
                      2031\n\nAcme sold 381,000 tiles in 2030, not 412,000. Growth was \
                      therefore 5 percent, not 14 percent.\n";
    let documents = [("release.md", release), ("correction.md", correction)];
    let claim = "Acme sold 381,000 tiles in 2030, 5 percent more than in the year before.\n";
    let checked = printed(&documents, claim);
    assert!(!checked.contains("contradicted"), "{checked}");
}

#[test]
fn a_number_that_the_documents_give_otherwise_is_not_without_a_source() {
    let documents = [(
        "contract.md",
        "# Contract\n\nThe contract can be terminated with nine months' notice to the end of the \
         term.\n",
    )];
    let claim = "The contract can be terminated with six months' notice to the end of the term.\n";
    let checked = printed(&documents, claim);
    assert!(!checked.contains("without a source"), "{checked}");
    assert!(checked.contains("nine months"), "{checked}");
}
