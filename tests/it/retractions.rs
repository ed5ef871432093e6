//! Sources that were retracted, preprints that an article replaces, and what a press release gets
//! wrong.

use crate::harness::Scratch;
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

const TEA: &str = "\
# Black tea prevents colds in old gardeners: a randomised trial

Lind A, Moe KL. *Annals of Gardens* 2016;12(1):20-29. doi:10.5555/ag.2016.0201

Conclusion: Strong black tea prevents colds in old gardeners and should be given to all of them.
";

#[test]
fn a_paper_is_retracted_by_a_notice_in_a_file_of_its_own() {
    let title = "Black tea prevents colds in old gardeners: a randomised trial";
    let cited = "Lind A, Moe KL. Annals of Gardens 2016; 12: 20-29. doi:10.5555/ag.2016.0201";
    for notice in [
        format!(
            "# Retraction notice to: {title}\n\n4 June 2019. This article has been retracted.\n"
        ),
        format!("# Retraction: {title}\n\nThe records of ten gardeners were copied.\n"),
        format!("RETRACTION NOTICE\n\n{cited}\n\nThe editors have retracted this article.\n"),
        format!("# News of June\n\nThe article “{title}” has been retracted by its editors.\n"),
    ] {
        let documents = [("tea.md", TEA), ("notice.txt", &*notice)];
        let report = report_on(&documents, "Does strong black tea prevent colds?");
        let quoted = report
            .lines()
            .filter(|line| line.contains("Strong black tea"));
        let quoted: Vec<&str> = quoted.collect();
        assert!(!quoted.is_empty(), "{report}");
        let is_marked = |line: &&str| line.contains("(retracted)");
        assert!(quoted.iter().all(is_marked), "{notice}{report}");
        let mut others = report.lines().filter(|line| line.contains("notice.txt"));
        assert!(!others.any(|line| is_marked(&line)), "{notice}{report}");
        let scratch = Scratch::with_docs(&documents);
        let found = scratch.checked("Strong black tea prevents colds in old gardeners [tea.md].\n");
        let printed = found[0].to_string();
        assert!(printed.contains("retracted"), "{printed}");
    }
}

const SURVEY: &str = "\
---
title: Tea in the gardens of Ghent, a survey
date: 2018-03-01
---
Gardeners in the first group drank 4,000 ml of tea daily for a year.

Falls occurred in 9 gardeners of the tea group, and in 2 of the other group.
";

const ERRATUM: &str = "\
# Erratum: Tea in the gardens of Ghent, a survey

Published 11 October 2018

In the Methods, 4,000 ml should read 1,000 ml. The number of gardeners of the tea group with falls
was given as 9. The correct number is 4.
";

#[test]
fn an_old_value_is_marked_where_an_erratum_gives_another() {
    let documents = [("survey.md", SURVEY), ("erratum.md", ERRATUM)];
    for (question, old, right) in [
        (
            "How much tea did gardeners drink daily?",
            "drank 4,000 ml",
            "should read 1,000 ml",
        ),
        (
            "How many gardeners had falls?",
            "occurred in 9",
            "correct number is 4",
        ),
    ] {
        let report = report_on(&documents, question);
        let old = report.lines().find(|line| line.contains(old));
        assert!(
            old.is_none_or(|line| line.contains("(superseded by")),
            "{report}"
        );
        assert!(report.contains(right), "{report}");
    }
}

const SALES: &str = "\
# Lind sells more bicycles than ever

10 March 2026

Lind Bicycles sold 41,200 bicycles in the financial year 2025, more than in the year before. For
2026, Lind expects to sell 45,000 bicycles.
";

const CORRECTED_SALES: &str = "\
# Correction to the press release of 10 March 2026

24 March 2026

Lind sold 38,100 bicycles in the financial year 2025, not 41,200. The forecast of 45,000 bicycles
for 2026 is under review.
";

#[test]
fn a_number_that_is_corrected_is_marked_and_shown_as_a_disagreement() {
    let documents = [("sales.md", SALES), ("correction.md", CORRECTED_SALES)];
    let report = report_on(&documents, "How many bicycles did Lind sell in 2025?");
    let mut old = report.lines().filter(|line| line.contains("sold 41,200"));
    assert!(old.all(|line| line.contains("(superseded by")), "{report}");
    assert!(report.contains("38,100 against 41,200"), "{report}");
    let report = report_on(
        &documents,
        "How many bicycles does Lind expect to sell in 2026?",
    );
    assert!(report.contains("expects to sell 45,000"), "{report}");
    assert!(report.contains("is under review"), "{report}");
    let report = report_on(&documents, "Where do the documents disagree?");
    assert!(
        report.contains("38,100 against 41,200") || report.contains("41,200 against 38,100"),
        "{report}"
    );
}

#[test]
fn a_price_supersedes_no_cost_of_something_else() {
    let prices =
        "Model,Price EUR,Valid from\nLind City 3,2799,2026-01-01\nLind City 3,2649,2026-06-01\n";
    let recall = "# Recall of the Lind City 3\n\nWe expect it to cost 410,000 euros.\n";
    let contract =
        "# Contract of Lind and Moe\n\n## 3 Prices\n\nLind pays 312 euros for each motor.\n";
    let documents = [
        ("prices.csv", prices),
        ("recall.md", recall),
        ("contract.md", contract),
    ];
    let report = report_on(&documents, "What does the Lind City 3 cost?");
    for sum in ["410,000", "312 euros"] {
        let mut lines = report.lines().filter(|line| line.contains(sum));
        assert!(!lines.any(|line| line.contains("superseded")), "{report}");
    }
}

#[test]
fn results_of_trials_that_exclude_each_other_are_shown() {
    let yes =
        "# The first trial of tea\n\nDaily black tea reduced severe joint pain in old residents.\n";
    let no = "# The second trial of tea\n\n**Conclusions.** Black tea did not reduce severe joint \
              pain among residents of homes.\n";
    let documents = [("first.md", yes), ("second.md", no)];
    for question in [
        "Does black tea reduce severe joint pain?",
        "Where do the documents disagree?",
    ] {
        let report = report_on(&documents, question);
        let (_, section) = report
            .split_once("## Where the documents disagree")
            .unwrap_or_default();
        assert!(section.contains("did not reduce"), "{report}");
    }
}

#[test]
fn documents_that_do_not_disagree_are_an_answer() {
    let documents = [
        ("first.md", "# Tea\n\nTea is grown on hills.\n"),
        ("second.md", "# Rye\n\nRye is milled in Ghent.\n"),
    ];
    let scratch = Scratch::with_docs(&documents);
    let question = "Where do the documents disagree?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "--session", "s"]);
    let first = ran.stdout.lines().skip(1).find(|line| !line.is_empty());
    assert!(
        first.is_some_and(|own| own.contains("No disagreement was found")),
        "{first:?}"
    );
    assert!(!ran.stdout.contains("No evidence") && !ran.stdout.contains("Nearest"));
}
