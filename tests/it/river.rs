//! The papers of a river restoration: an amended contract, a permit, the offer of a laboratory.

use crate::answers::first_claim;
use crate::harness::Scratch;

const PAPERS: [(&str, &str); 6] = [
    (
        "amendment.md",
        "# Amendment no. 2 to the consultancy contract\n\nDate: 11 June 2026\n\n1. Term. The \
         contract was to end on 31 December 2026. Because of the later start of the works it now \
         ends on 31 March 2027.\n\n2. Fee. The fixed fee of £48,200 is raised to £53,650 (without \
         VAT).\n\n3. Deliverables. The final report is due on 26 February 2027 instead of 30 \
         November 2026.\n",
    ),
    (
        "method.md",
        "# Method statement, 14 January 2026\n\nTwo riffles of 240 tonnes of washed gravel will \
         be placed at Holm Mill.\n",
    ),
    (
        "minutes.md",
        "# Minutes: Holm Mill project meeting, 12 March 2026\n\nThe silt is thinner than assumed. \
         The amount of gravel is reduced from 240 tonnes to 180 tonnes, and the second riffle is \
         moved 25 m downstream.\n",
    ),
    (
        "offer.txt",
        "HALLIWELL ANALYTICAL LTD\n\nThe laboratory is accredited to ISO/IEC 17025 for all \
         parameters with the exception of eDNA.\n\nAn eDNA kit costs GBP 185.00.\n",
    ),
    (
        "crayfish.md",
        "# Species note\n\nWe searched the Sallow Brook for white-clawed crayfish in 2026. This \
         compares with 71 animals in the survey of September 2022, but since the seasons differ \
         the two numbers should not be read as a decline without more data.\n",
    ),
    (
        "water.csv",
        "date,site,dissolved_oxygen_mg_l,orthophosphate_mg_l,remarks\n\
         2026-04-20,Footbridge,9.1,0.141,none\n2026-05-19,Footbridge,8.2,0.163,algae\n",
    ),
];

#[test]
fn what_was_changed_or_excepted_is_never_supported() {
    let scratch = Scratch::with_docs(&PAPERS);
    for (sentence, verdict) in [
        ("The fixed fee is £48,200.", "contradicted"),
        ("The fixed fee is £53,650.", "supported"),
        ("The contract ends on 31 March 2027.", "supported"),
        ("The final report is due on 26 February 2027.", "supported"),
        ("The laboratory is accredited for eDNA.", "contradicted"),
        ("The laboratory is not accredited for eDNA.", "supported"),
        ("An eDNA kit costs £185.", "supported"),
        (
            "The orthophosphate at Footbridge on 19 May 2026 was 0.163 mg/l.",
            "supported",
        ),
    ] {
        let printed = checked(&scratch, sentence);
        let expected = format!("report.md:1:1: {verdict}: {sentence}");
        assert!(printed.contains(&expected), "{expected}\n{printed}");
    }
    for sentence in [
        "The final report is due on 30 November 2026.",
        "The contract ends on 31 December 2026.",
        "White-clawed crayfish have declined in the Sallow Brook since 2022.",
    ] {
        let printed = checked(&scratch, sentence);
        assert!(!printed.contains(": supported: "), "{printed}");
    }
    let printed = checked(
        &scratch,
        "240 tonnes of gravel will be placed at Holm Mill.",
    );
    assert!(
        printed.contains("another document says otherwise: minutes.md"),
        "{printed}"
    );
}

/// What the check of a report of one sentence prints.
fn checked(scratch: &Scratch, sentence: &str) -> String {
    scratch.write("report.md", format!("{sentence}\n"));
    let args = [
        "check",
        "report.md",
        "--docs",
        "docs",
        "--all",
        "--fail-on",
        "never",
    ];
    scratch.expect(0, &args).stdout
}

#[test]
fn what_is_so_now_leads_what_was_so_before() {
    let mut papers = PAPERS.to_vec();
    papers.push((
        "rule.md",
        "# Field safety rule: lone working\n\nAnyone working alone has to check in by phone. Until \
         May 2026 the interval was two hours. Since the incident the interval is one hour by \
         day.\n",
    ));
    papers.push((
        "permit.md",
        "# Permit for the weir\n\nIssued on 30 March 2026 to the Trust. The application charge of \
         £764 has been paid.\n",
    ));
    let scratch = Scratch::with_docs(&papers);
    for (question, answer) in [
        ("What is our fee now?", "raised to £53,650"),
        (
            "How much gravel are we putting in at Holm Mill?",
            "to 180 tonnes",
        ),
        (
            "When does our contract end?",
            "it now ends on 31 March 2027",
        ),
        (
            "How often must somebody working alone check in?",
            "is one hour by day",
        ),
        (
            "Is the lab accredited for eDNA?",
            "with the exception of eDNA",
        ),
    ] {
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("> **"), "{}", ran.stdout);
    }
}

#[test]
fn other_number_of_another_paper_is_quoted_beside_the_first() {
    let scratch = Scratch::with_docs(&[
        (
            "method.md",
            "# Method statement, 14 January 2026\n\nWork stops if turbidity is more than 80 NTU \
             above the upstream value for longer than 30 minutes.\n",
        ),
        (
            "permit.md",
            "# Flood risk permit\n\nIssued by the Agency on 30 March 2026.\n\n3. Turbidity must \
             not be more than 60 NTU above the upstream value for longer than 30 minutes.\n",
        ),
    ]);
    let question = "At what turbidity do we have to stop work?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    let (brief, _) = ran.stdout.split_once("## Limits").unwrap_or_default();
    for value in ["80 NTU", "60 NTU"] {
        assert!(brief.contains(value), "{}", ran.stdout);
    }
}

#[test]
fn line_of_a_price_list_and_item_of_an_enumeration_are_quoted_by_themselves() {
    let scratch = Scratch::with_docs(&[
        (
            "offer.txt",
            "HALLIWELL ANALYTICAL LTD\n\nWe offer the following (prices without VAT):\n\n  \
             Orthophosphate (filtered)      GBP 9.40 per sample\n  Total phosphorus               \
             GBP 14.20 per sample\n  Nitrate and nitrite            GBP 8.10 per sample\n",
        ),
        (
            "mail.md",
            "# Listed building consent\n\nPlease note three conditions. First, the abutments must \
             be recorded. Second, stone from the crest is to be kept on the mill site and not \
             sold. Third, the footpath over the footbridge may be closed for at most 10 days.\n",
        ),
    ]);
    for (question, answer, other) in [
        (
            "What does an orthophosphate sample cost?",
            "Orthophosphate (filtered) GBP 9.40 per sample",
            "14.20",
        ),
        (
            "How long may the footpath be closed?",
            "at most 10 days",
            "stone",
        ),
    ] {
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        let first = first_claim(&ran);
        let first = first.split(" […] ").find(|own| own.contains(answer));
        assert!(
            first.is_some_and(|own| !own.contains(other)),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn row_with_the_most_answers_without_a_notice() {
    let scratch = Scratch::with_docs(&[
        (
            "water.csv",
            "date,site,dissolved_oxygen_mg_l,orthophosphate_mg_l\n\
             2026-01-20,Upstream,11.9,0.041\n2026-01-20,Footbridge,11.6,0.187\n\
             2026-02-17,Footbridge,11.2,0.152\n",
        ),
        (
            "minutes.md",
            "# Minutes, 12 March 2026\n\nThe January sample showed high orthophosphate. \
             The cause has not been shown.\n",
        ),
    ]);
    let question = "Where was orthophosphate highest?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    let first = first_claim(&ran);
    assert!(
        first.contains("orthophosphate mg l: 0.187"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}
