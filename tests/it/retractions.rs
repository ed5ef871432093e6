//! Sources that were retracted, preprints that an article replaces, and what a press release gets
//! wrong.

use crate::laboratory::{in_brief, report_on};

const RETRACTED: &str = "\
# RETRACTED: Blue light halves the mould in apple stores

**Retraction notice (3 May 2022):** This article has been retracted by the editor.

Conclusion: Blue light halves the mould in apple stores and should be used in every store.
";

const TRIAL: &str = "\
---
title: Blue light in apple stores, a trial in eight stores
date: 2021-02-01
---
Blue light did not reduce the mould in apple stores.
";

const REVIEW: &str = "\
---
title: Review of light in stores
date: 2023-02-01
---
In five trials blue light had no effect on the mould in apple stores.
";

#[test]
fn a_retracted_source_is_no_answer_in_brief() {
    let documents = [
        ("retracted.md", RETRACTED),
        ("trial.md", TRIAL),
        ("review.md", REVIEW),
    ];
    let report = report_on(
        &documents,
        "Does blue light reduce the mould in apple stores?",
    );
    assert!(!in_brief(&report).contains("halves"), "{report}");
    assert!(in_brief(&report).contains("did not reduce"), "{report}");
    let report = report_on(&documents, "Why was the article on blue light retracted?");
    assert!(
        in_brief(&report).contains("retracted by the editor"),
        "{report}"
    );
    let alone = report_on(
        &[("retracted.md", RETRACTED)],
        "Does blue light halve the mould?",
    );
    assert!(in_brief(&alone).contains("halves"), "{alone}");
}

const PREPRINT: &str = "\
# Two waterings a day for young oaks: the GROVE trial (preprint)

Posted 8 March 2021. This article is a preprint and has not been reviewed.

Two waterings a day substantially increase the growth of young oaks.
";

const ARTICLE: &str = "\
---
title: Two or one watering a day for young oaks (GROVE), a trial
date: 2022-06-01
---
The numbers in the present article replace those of the preprint.

Two waterings a day did not significantly increase the growth of young oaks.
";

#[test]
fn a_preprint_that_an_article_replaces_does_not_come_first() {
    let documents = [("preprint.md", PREPRINT), ("article.md", ARTICLE)];
    let question = "Do two waterings a day substantially increase the growth of young oaks?";
    let report = report_on(&documents, question);
    let first = in_brief(&report)
        .lines()
        .find(|line| line.starts_with("- "));
    assert!(
        first.is_some_and(|line| line.contains("did not")),
        "{report}"
    );
    let mut lines = report.lines();
    let preprint =
        lines.find(|line| line.contains("substantially increase the growth of young oaks."));
    let is_marked = preprint.is_none_or(|line| line.contains("superseded by"));
    assert!(is_marked, "{report}");
}

const RELEASE: &str = "\
# Press release: salt lamps cure hay fever

The DUNE study proved that salt lamps cure hay fever in a week. The DUNE study had 4,000 patients.
";

const STUDY: &str = "\
---
title: Salt lamps against hay fever, the DUNE study
date: 2024-02-01
---
We gave salt lamps to 210 patients. The symptoms did not differ between the groups.
";

#[test]
fn a_press_release_alone_does_not_tell_what_it_gets_wrong() {
    let documents = [("release.md", RELEASE), ("study.md", STUDY)];
    let question = "What does the press release get wrong about the DUNE study?";
    let report = report_on(&documents, question);
    let quotes_study = report.contains("210 patients") || report.contains("did not differ");
    let has_notice = report.contains("Not answered as asked");
    assert!(quotes_study || has_notice, "{report}");
}

const LEAFLET: &str = "\
---
title: Leaflet on the new ferry
date: 2031-05-02
---
The town will pay 40 million euros per year for the ferry. The ferry carries cars.

\"We will halve the noise of the ferry in the old harbour,\" said the mayor.
";

const MAIL: &str = "\
Subject: Correction of the leaflet on the ferry
Date: Mon, 5 May 2031 08:00:00 +0000

the sum for the ferry in our leaflet is wrong. We wrote 40 million euros per year; the correct sum \
is 30 million euros per year.

Please do not use the sentence of the mayor about halving the noise of the ferry. We expect a \
reduction of 10 %.
";

#[test]
fn what_a_mail_takes_back_does_not_come_first() {
    let documents = [("leaflet.md", LEAFLET), ("mail.txt", MAIL)];
    let report = report_on(
        &documents,
        "How much will the town pay for the ferry per year?",
    );
    let first = |report: &str| {
        let mut lines = in_brief(report).lines().map(str::to_owned);
        lines
            .find(|line| line.starts_with("- "))
            .unwrap_or_default()
    };
    assert!(first(&report).contains("the correct sum is 30"), "{report}");
    let mut lines = report.lines();
    let old = lines.find(|line| line.contains("The town will pay 40 million"));
    assert!(
        old.is_none_or(|line| line.contains("superseded by")),
        "{report}"
    );
    let report = report_on(
        &documents,
        "By how much will the noise of the ferry be halved?",
    );
    assert!(!first(&report).contains("We will halve"), "{report}");
    assert!(
        report.contains("We expect a reduction of 10 %."),
        "{report}"
    );
}

const ACT: &str = "\
# Act 2024/12 on dogs in parks

Adopted on 4 May 2024.

## Article 3 Leads

1. Dogs are kept on a lead of at most 2 metres in all parks.
2. No dog may enter a playground in the parks.
3. Bathing of dogs is permitted in the ponds of the parks from May to July.

## Article 4 Fees

The fee for a dog is 40 euros a year. The town may lower the fee to 20 euros for old dogs.
";

const AMENDING: &str = "\
# Act 2031/7 amending Act 2024/12 on dogs in parks

Adopted on 9 June 2031.

## Article 1 Amendments

Act 2024/12 is amended as follows:

1. In Article 3, paragraph 1 is replaced by the following: \"Dogs are kept on a lead of at most \
5 metres in all parks.\"

2. In Article 3, paragraph 3 is deleted. Bathing of dogs is no longer permitted.

3. In Article 4 (Fees), the second sentence is deleted.
";

#[test]
fn a_provision_that_is_amended_is_not_quoted_as_in_force() {
    let documents = [("act.md", ACT), ("amending.md", AMENDING)];
    let replaced = report_on(&documents, "Are dogs kept on a lead in all parks?");
    assert!(in_brief(&replaced).contains("5 metres"), "{replaced}");
    let mut old = replaced.split("at most 2 metres in all parks.").skip(1);
    let is_marked = |rest: &str| {
        rest.lines()
            .next()
            .is_some_and(|own| own.contains("superseded"))
    };
    assert!(old.all(is_marked), "{replaced}");
    let rules = report_on(&documents, "What are the rules on leads in parks?");
    assert!(rules.contains("No dog may enter a playground"), "{rules}");
    assert!(!rules.contains("Bathing of dogs is permitted"), "{rules}");
    let fee = report_on(&documents, "What is the fee for old dogs?");
    assert!(fee.contains("the second sentence is deleted"), "{fee}");
    // The sentence beside it stays.
    assert!(!fee.contains("superseded"), "{fee}");
}
