//! The papers of a dairy plant and of a housing cooperative: set points and decisions that are
//! withdrawn later, minutes on several things, file names with spaces.

use research::artifact::verification::Verdict;
use research::cite;

use crate::answers::first_claim;
use crate::harness::{Ran, Scratch};

const PAPERS: [(&str, &str); 6] = [
    (
        "TR-014 trial dryer 2.md",
        "# Trial report TR-014: outlet temperature, dryer 2, low heat powder\n\nDate of trial: 3 \
         and 4 March 2026\nWritten by: Henrike Vos\n\n## Conclusion\n\nWe recommend 86 °C as the \
         outlet set point for low heat powder on dryer 2. The humidity was low on both days.\n",
    ),
    (
        "minutes 2026-03-12.txt",
        "PRODUCTION MEETING 12 March 2026, 10:00, room 2.14\nMinutes: Brandt\n\n1. Outlet \
         temperature dryer 2\nDecision: outlet set point for low heat powder on dryer 2 goes from \
         83 to 86 °C from Monday 16 March.\n\n2. Bag filter dryer 2\nReiter: differential pressure \
         on the bag filter is at 165 mm WC. He wants to change all 312 bags in the stop in week \
         22.\n",
    ),
    (
        "minutes 2026-05-07.txt",
        "PRODUCTION MEETING 7 May 2026, 10:00, room 2.14\nMinutes: Vos\n\n1. Outlet temperature \
         dryer 2\nSince 16 March three batches had scorched particles (batches 26-0412, 26-0433). \
         The decision of 12 March is withdrawn. The outlet set point for low heat powder on dryer \
         2 is 84 °C with immediate effect.\n\n2. Bag filter dryer 2\nThe change of the bags is \
         moved from week 22 to week 27. Reiter orders 320 bags, PTFE membrane instead of plain \
         polyester.\n",
    ),
    (
        "datasheet WPC80.txt",
        "PRODUCT DATA SHEET, issue 6, 12 January 2026\n\nWHEY PROTEIN CONCENTRATE 80\n\nMoisture  \
         \u{20}                            max. 5.0 %\nPackaging: 15 kg paper bag, or big bag 500 \
         kg.\n",
    ),
    (
        "caking memo.txt",
        "To: H. Vos\nFrom: QA lab, A. Lindqvist\nDate: 27 March 2026\nRe: Caking in big bags\n\nI \
         had the retained samples of four batches on the bench. Moisture was 3.6 to 3.9 %. So the \
         moisture is not the cause of the caking.\n",
    ),
    (
        "results.csv",
        "date,line,batch,moisture_pct,disc\n2026-04-02,dryer 2,26-0426,3.6,A\n2026-04-11,dryer \
         2,26-0433,3.4,C\n",
    ),
];

fn asked(scratch: &Scratch, question: &str) -> Ran {
    scratch.expect(0, &["run", question, "--docs", "docs", "-q"])
}

#[test]
fn set_point_of_now_leads_and_marks_the_one_that_was_recommended_or_decided_before() {
    let scratch = Scratch::with_docs(&PAPERS);
    for question in [
        "What is the outlet set point for low heat powder on dryer 2?",
        "At what outlet temperature do we run dryer 2?",
    ] {
        let ran = asked(&scratch, question);
        assert!(first_claim(&ran).contains("84 °C"), "{}", ran.stdout);
        assert!(first_claim(&ran).contains("12 March is withdrawn"));
        let mut lines = ran.stdout.lines().flat_map(|line| line.split(" […] "));
        let is_marked = |claim: &str| claim.contains("(superseded by [1]");
        assert!(
            lines.all(|claim| !claim.contains(" 86 °C") || is_marked(claim)),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn nothing_is_superseded_by_what_only_shares_a_word_with_it() {
    let scratch = Scratch::with_docs(&PAPERS);
    let ran = asked(&scratch, "How many bags are ordered?");
    assert!(first_claim(&ran).contains("320 bags"), "{}", ran.stdout);
    for part in ran.stdout.split(" […] ").flat_map(str::lines) {
        let is_over = part.contains("312 bags") || !part.contains("(superseded");
        assert!(is_over, "{part}");
    }
    let ran = asked(
        &scratch,
        "When was batch 26-0433 produced and what was its moisture?",
    );
    assert!(!ran.stdout.contains("(superseded"), "{}", ran.stdout);
    let ran = asked(&scratch, "When are the bags of the bag filter changed?");
    for part in ran.stdout.split(" […] ").flat_map(str::lines) {
        let is_over = part.contains("week 22") || !part.contains("(superseded");
        assert!(is_over, "{part}");
    }
}

#[test]
fn abbreviation_before_a_number_ends_no_sentence() {
    let scratch = Scratch::with_docs(&PAPERS);
    let ran = asked(
        &scratch,
        "What is the maximum moisture of whey protein concentrate 80?",
    );
    assert!(ran.stdout.contains("max. 5.0 %"), "{}", ran.stdout);
}

#[test]
fn checked_sources_are_found_by_file_names_with_spaces() {
    let scratch = Scratch::with_docs(&PAPERS);
    scratch.write(
        "report.md",
        "The outlet set point is 84 °C [1]. We recommend 86 °C as the outlet set point [2]. Batch \
         26-0433 had a moisture of 3.4 % [3].\n\n## Sources\n\n[1] minutes 2026-05-07.txt\n[2] \
         `docs/TR-014 trial dryer 2.md`\n[3] results.csv\n",
    );
    let ran = scratch.expect(
        0,
        &["check", "report.md", "--docs", "docs", "--offline", "--all"],
    );
    assert!(ran.stdout.contains("3 supported"), "{}", ran.stdout);
}

const MINUTES: [(&str, &str); 4] = [
    (
        "2024-03-14.md",
        "# Minutes of the board meeting, 14 March 2024\n\n**TOP 1 Lifts.** The contract with Hansa \
         Lift ends on 31 December 2024. The board will decide in June.\n\n**TOP 2 Charging points \
         for electric cars.** The electrician says the main connection carries at most eight \
         charging points of 11 kW. Decision: The cooperative will install four charging points in \
         the underground car park in autumn 2024.\n",
    ),
    (
        "2024-09-19.md",
        "# Minutes of the board meeting, 19 September 2024\n\n**TOP 1 Charging points – change of \
         the decision of 14 March 2024.** The final offer is 31,900 euros. The decision of 14 \
         March is therefore revoked. New decision: Two charging points will be installed in the \
         outdoor car park behind house 7, and none in the underground car park.\n\n**TOP 2 \
         Lifts.** The board signed with Nordaufzug in June.\n",
    ),
    (
        "mail.eml",
        "From: Brunner <service@brunner.example>\nTo: office@lindenhof.example\nSubject: heating \
         cost statement 2024\nDate: Thu, 22 May 2025 15:40:02 +0200\nContent-Type: \
         text/plain\n\nDear Ms Okafor,\n\nthe heating cost statements for 2024 will be sent to \
         the residents by 31 October 2025.\n",
    ),
    (
        "results.txt",
        "RESULTS OF THE GENERAL MEETING, 15 May 2025\n\nElections: Ms Yilmaz was re-elected to the \
         board for three years.\n",
    ),
];

#[test]
fn revoked_decision_comes_second_and_is_marked_and_elections_revoke_none() {
    let scratch = Scratch::with_docs(&MINUTES);
    let question = "Will there be charging points for electric cars in the underground car park?";
    let ran = asked(&scratch, question);
    assert!(first_claim(&ran).contains("New decision"), "{}", ran.stdout);
    for part in ran.stdout.split(" […] ").flat_map(str::lines) {
        let is_revoked = part.contains("will install four");
        assert_eq!(part.contains("(superseded"), is_revoked, "{part}");
    }
    let ran = asked(&scratch, "Who was elected to the board?");
    assert!(!ran.stdout.contains("(superseded"), "{}", ran.stdout);
}

#[test]
fn other_verb_for_all_that_is_asked_brings_no_notice() {
    let scratch = Scratch::with_docs(&MINUTES);
    let ran = asked(
        &scratch,
        "When will the heating cost statement for 2024 arrive?",
    );
    assert!(
        first_claim(&ran).contains("31 October 2025"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("> **"), "{}", ran.stdout);
}

const MAIL: &str = "Voss cannot come on the 11th. New date is Tuesday, 18 March 2025. \
    Cold and hot water will be off in houses 1, 2 and 3 from 8:30 until about 14:00. House 4 is \
    not affected.";
const RENTS: &str = "Rents: The usage fee rises by 0.22 euros per square metre on 1 January 2026. \
    The last rise was on 1 July 2023.";
const RULES: &str = "Section 4: gas grills remain forbidden; a motion to allow them got 22 votes \
    only.";
const BICYCLES: &str = "Bicycles belong in the bicycle cellar, not in the stairwell. The \
    stairwell is an escape route.";
const CAUSTIC: &str = "Caustic step: it takes 45 minutes. (Revision 3: it takes 30 minutes.)";
const AUDIT: &str = "The traceability test took 1 hour 50 minutes; the requirement is four hours.";
const SIEVE: &str = "The sieve behind dryer 1 is inspected once per shift. This replaces the \
    weekly inspection.";

#[test]
fn what_is_denied_asked_for_or_over_supports_nothing() {
    for (claim, passage, is_supported) in [
        ("Gas grills are allowed.", RULES, false),
        ("Gas grills remain forbidden.", RULES, true),
        ("A motion to allow gas grills got 22 votes.", RULES, true),
        (
            "Water will be off in house 4 on 18 March 2025.",
            MAIL,
            false,
        ),
        ("Water will be off in house 2 on 18 March 2025.", MAIL, true),
        ("The usage fee rises on 1 July 2023.", RENTS, false),
        ("The usage fee rises on 1 January 2026.", RENTS, true),
        ("The usage fee was last raised on 1 July 2023.", RENTS, true),
        ("Bicycles may stand in the stairwell.", BICYCLES, false),
        ("The traceability test took 4 hours.", AUDIT, false),
        ("The traceability test took 1 hour 50 minutes.", AUDIT, true),
        (
            "The sieve behind dryer 1 is inspected weekly.",
            SIEVE,
            false,
        ),
        ("The caustic step takes 30 minutes.", CAUSTIC, false),
        ("The caustic step takes 45 minutes.", CAUSTIC, true),
        (
            "The sieve behind dryer 1 is inspected once per shift.",
            SIEVE,
            true,
        ),
    ] {
        let supported = cite::support(claim, passage).verdict == Verdict::Supported;
        assert_eq!(supported, is_supported, "{claim}");
    }
}

#[test]
fn recommendation_with_a_number_needs_a_source() {
    let scratch = Scratch::with_docs(&PAPERS);
    scratch.write(
        "report.md",
        "We recommend 88 °C as the outlet set point for low heat powder on dryer 2. We compare two \
         kinds.\n",
    );
    let ran = scratch.expect(1, &["check", "report.md", "--docs", "docs", "--offline"]);
    assert!(ran.stdout.contains("88 °C"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("1 more needs no source"),
        "{}",
        ran.stdout
    );
}

#[test]
fn own_report_in_another_format_passes_the_check() {
    let scratch = Scratch::with_docs(&PAPERS);
    let question = "What is the maximum moisture of whey protein concentrate 80?";
    scratch.expect(
        0,
        &["run", question, "--docs", "docs", "-q", "--session", "s"],
    );
    scratch.expect(0, &["export", "s", "--format", "docx", "-o", "s.docx"]);
    let ran = scratch.expect(0, &["check", "s.docx", "--docs", "docs", "--offline"]);
    assert!(!ran.stdout.contains("unsupported"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("without a source"), "{}", ran.stdout);
}

const PRICES: [(&str, &str); 4] = [
    (
        "price-list.csv",
        "Item,Price EUR,Unit,Valid from\nCommunity room,60,per day,2025-01-01\nReplacement \
         key,55,each,2025-01-01\nGuest flat final cleaning,25,per stay,2024-05-01\n",
    ),
    (
        "room.md",
        "# Hiring the community room\n\nVersion of 10 October 2023, J. Hensel\n\nThe room costs 50 \
         euros per day. If we have to clean, we charge 30 euros per hour.\n",
    ),
    (
        "contract.txt",
        "MAINTENANCE CONTRACT\n\n1. Subject\nThe contractor maintains the five lifts.\n\n2. \
         Term\nThe contract ends on 31 December 2027.\n",
    ),
    (
        "mail.eml",
        "From: Pieter <p@solvena.example>\nTo: h@dairy.example\nSubject: Lecithin SL-50\n\
         Date: Tue, 14 Apr 2026 09:12:44 +0200\nContent-Type: text/plain\n\nAs promised:\n\n\
         - We recommend a dosage of 0.20 % SL-50 on powder. With that you should reach 15 \
         seconds.\n- Carrier oil: butter oil, spray at 65 °C.\n- The price of SL-50 is 4.85 \
         euros per kg, in drums of 200 kg.\n",
    ),
];

#[test]
fn price_list_that_is_valid_later_leads_and_one_item_of_a_list_is_quoted() {
    let scratch = Scratch::with_docs(&PRICES);
    let question = "What does it cost to hire the community room for a day?";
    let ran = asked(&scratch, question);
    assert!(
        first_claim(&ran).contains("Price EUR: 60"),
        "{}",
        ran.stdout
    );
    let old = ran.stdout.split("The room costs 50 euros").nth(1).unwrap();
    let old = old.split(" […] ").next().unwrap().lines().next().unwrap();
    assert!(old.contains("(superseded by [1]"), "{}", ran.stdout);

    let ran = asked(&scratch, "What does the cleaning of the key cabinet cost?");
    assert!(!ran.stdout.contains("(superseded"), "{}", ran.stdout);

    let ran = asked(&scratch, "What does SL-50 cost per kg?");
    assert!(first_claim(&ran).contains("4.85 euros"), "{}", ran.stdout);
    assert!(!first_claim(&ran).contains("Carrier oil"), "{}", ran.stdout);
    let ran = asked(&scratch, "What does the drum of SL-50 weigh?");
    assert!(!ran.stdout.contains("> **"), "{}", ran.stdout);
}

#[test]
fn number_of_a_heading_or_of_another_contract_disputes_nothing() {
    let (contract, minutes) = (PRICES[2], MINUTES[0]);
    let scratch = Scratch::with_docs(&[contract, minutes]);
    scratch.write(
        "report.md",
        "There are five lifts [1]. The contract ends on 31 December 2027 [1].\n\n## Sources\n\n[1] \
         contract.txt\n",
    );
    let ran = scratch.expect(
        0,
        &["check", "report.md", "--docs", "docs", "--offline", "--all"],
    );
    assert!(ran.stdout.contains("2 supported"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("otherwise"), "{}", ran.stdout);
}

#[test]
fn memo_is_called_by_its_subject() {
    let scratch = Scratch::with_docs(&PAPERS);
    let ran = asked(&scratch, "What is the cause of the caking?");
    assert!(
        ran.stdout.contains("**Caking in big bags"),
        "{}",
        ran.stdout
    );
}

#[test]
fn folder_behind_a_text_is_for_documents_and_the_nearest_command_is_suggested() {
    let scratch = Scratch::with_docs(&PAPERS);
    let ran = scratch.expect(2, &["search", "bags", "docs"]);
    let tip = "research search \"bags\" --docs docs";
    assert!(ran.stderr.contains(tip), "{}", ran.stderr);
    let ran = scratch.expect(2, &["serach", "bags"]);
    assert!(ran.stderr.contains("exists: 'search'"), "{}", ran.stderr);
}

#[test]
fn day_of_a_label_is_no_name_by_which_a_decision_is_revoked() {
    let scratch = Scratch::with_docs(&MINUTES);
    scratch.write(
        "report.md",
        "Minutes of the board meeting, 14 March 2024: The contract with Hansa Lift ends on 31 \
         December 2024 [1]. The decision of 14 March is therefore revoked [2].\n\n## \
         Sources\n\n[1] 2024-03-14.md\n[2] 2024-09-19.md\n",
    );
    let ran = scratch.expect(
        0,
        &["check", "report.md", "--docs", "docs", "--offline", "--all"],
    );
    assert!(!ran.stdout.contains("otherwise"), "{}", ran.stdout);
}

#[test]
fn article_is_no_value_of_a_column() {
    let scratch = Scratch::with_docs(&PAPERS);
    for (claim, code) in [
        ("Batch 26-0433 had a moisture of 3.4 %.", 0),
        ("Batch 26-0433 had disc A.", 1),
    ] {
        scratch.write("report.md", format!("{claim}\n"));
        scratch.expect(code, &["check", "report.md", "--docs", "docs", "--offline"]);
    }
}
