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
        "# Minutes: Holm Mill project meeting, 12 March 2026\n\nThe silt is thinner than assumed. The \
         amount of gravel is reduced from 240 tonnes to 180 tonnes, and the second riffle is \
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
