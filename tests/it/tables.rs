//! Tables of the sources in reports: quoted, checked, and drawn.

use std::sync::LazyLock;

use dom_query::Document;

use crate::harness::Scratch;
use crate::laboratory::report_on;
use crate::plain_questions::assert_led;

const SALES: &str = "# Heat pump sales in Germany\n\nSales of heat pumps in Germany rose until \
    2023.\n\n\
    | Year | Sold <script>alert(1)</script> | Share (%) |\n| --- | ---: | ---: |\n\
    | 2019 | 86,000 | 11.5 |\n| 2021 | 154,000 | 16.6 |\n| 2023 | 356,000 | 27.2 |\n\n\
    | Year | Bees |\n| --- | --- |\n| 1 | few |\n| 2 | some |\n| 3 | many |\n";

const COSTS: &str = "heating system,installation cost (EUR)\nGas boiler,9500\nHeat pump,28000\n\
    Pellet boiler,27000\n";

/// Sessions on a table of Markdown and on one of CSV, made once for the tests that only read them.
static SESSIONS: LazyLock<Scratch> = LazyLock::new(|| {
    let scratch = Scratch::new();
    scratch.write("docs/sales.md", SALES);
    scratch.write("docs/costs.csv", COSTS);
    for (topic, session) in [
        ("How did heat pump sales in Germany develop?", "sales"),
        (
            "What does the installation of heating systems cost?",
            "costs",
        ),
    ] {
        scratch.expect(0, &["run", topic, "--docs", "docs", "--session", session]);
    }
    scratch
});

#[test]
fn numbers_on_the_topic_are_quoted_as_a_table() {
    let sales = SESSIONS.expect(0, &["export", "sales"]).stdout;
    assert!(
        sales.contains("## Tables\n\n**Heat pump sales in Germany** [\\[1\\]]"),
        "{sales}"
    );
    assert!(
        sales.contains("| --- | ---: | ---: |\n| 2019 | 86,000 | 11.5 |\n"),
        "{sales}"
    );
    assert!(
        !sales.contains("Bees") && !sales.contains("<script"),
        "{sales}"
    );
    let costs = SESSIONS.expect(0, &["export", "costs"]).stdout;
    assert!(
        costs.contains("| Gas boiler | 9500 |\n| Heat pump | 28000 |\n"),
        "{costs}"
    );
}

#[test]
fn a_table_of_the_page_is_drawn_and_opens_its_source() {
    let page = SESSIONS
        .expect(0, &["export", "sales", "--format", "html"])
        .stdout;
    let page = Document::from(page);
    let chart = page.select(".chart svg");
    assert_eq!(chart.length(), 1);
    let shapes = chart.select("*");
    let shapes = shapes.nodes().iter().filter_map(|node| node.node_name());
    for shape in shapes {
        let is_still = ["line", "polyline", "circle", "text", "rect"].contains(&&*shape);
        assert!(is_still, "{shape}");
    }
    assert!(chart.text().contains("Sold alert(1)"), "{}", chart.html());
    let opens = page.select(".table .cite").attr("popovertarget").unwrap();
    let passage = page.select(&format!("#{opens} mark")).text();
    assert!(passage.contains("356,000"), "{passage}");
}

#[test]
fn a_table_that_alone_has_changed_is_news() {
    let scratch = SESSIONS.copy();
    scratch.write("docs/sales.md", SALES.replace("16.6", "17.6"));
    let changed = scratch.expect(8, &["update", "sales"]).stdout;
    assert!(
        changed.contains("- **changed table**: Heat pump sales in Germany (sales.md)"),
        "{changed}"
    );
    let difference = scratch.expect(0, &["diff", "sales", "costs"]);
    assert!(
        difference.stdout.contains("tables: 1 added, 1 removed"),
        "{}",
        difference.stdout
    );
    assert_eq!(scratch.expect(0, &["update", "sales"]).stdout, "");
}

#[test]
fn a_table_that_its_source_does_not_say_is_a_problem() {
    let scratch = SESSIONS.copy();
    let before = scratch.expect(0, &["verify", "sales"]).stdout;
    assert!(before.contains("0 problems"), "{before}");
    let report = "research-output/sales/report.json";
    let forged = scratch
        .read(report)
        .replace("| 2023 | 356,000 |", "| 2023 | 400,000 |");
    scratch.write(report, forged);
    let after = scratch.expect(1, &["verify", "sales"]);
    let shown = format!("{}{}", after.stdout, after.stderr);
    assert!(
        shown.contains("the table \"Heat pump sales in Germany\": bytes"),
        "{shown}"
    );
}

#[test]
fn a_row_of_words_is_found_and_quoted_with_the_names_of_its_columns() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/tasks.md",
        "| Who | What | Due |\n| --- | --- | --- |\n| Dana | Call the landlord | 2026-03-31 |\n\
         | Ben | Book the *venue* \\| hall | 2026-04-02 |\n",
    );
    let search = scratch.expect(0, &["search", "call the landlord", "--docs", "docs"]);
    assert!(search.stdout.contains("tasks.md:3"), "{}", search.stdout);
    for (session, question, answer) in [
        (
            "who",
            "Who calls the landlord?",
            "Who: Dana; What: Call the landlord; Due: 2026-03-31.",
        ),
        ("when", "When is the venue due?", "2026-04-02"),
    ] {
        let report = scratch.expect(
            0,
            &["run", question, "--docs", "docs", "--session", session],
        );
        let first = report.stdout.lines().find(|line| line.starts_with("- **"));
        let first = first.unwrap_or_default();
        assert!(first.contains(answer), "{}", report.stdout);
        assert!(first.contains("bytes "), "{first}");
        let verified = scratch.expect(0, &["verify", session]).stdout;
        assert!(verified.contains("0 problems"), "{verified}");
        let page = scratch.expect(0, &["export", session, "--format", "html"]);
        let marked = Document::from(page.stdout).select("table mark").text();
        assert!(marked.contains("2026"), "{marked}");
    }
    // Other columns than those of the table are a problem.
    let report = "research-output/when/report.json";
    let forged = scratch.read(report).replace("\"Due\"", "\"Paid\"");
    scratch.write(report, forged.replace("; Due: ", "; Paid: "));
    let verified = scratch.expect(1, &["verify", "when"]);
    let shown = format!("{}{}", verified.stdout, verified.stderr);
    let reason = "the columns of that row of S1 are not Who, What, Paid";
    assert!(shown.contains(reason), "{shown}");
}

/// The results of a laboratory: columns whose names have a number.
const CYCLING: &str = "\
cell,temperature_C,cycles_to_80_percent,cycles_to_70_percent
Helio H21-50,25,610,840
Helio H21-50,45,405,560
Granite F26-33,25,2150,3100
Granite F26-33,45,1320,1890
";

#[test]
fn a_number_in_the_name_of_a_column_is_no_value_of_the_row() {
    let scratch = Scratch::with_docs(&[("cycling.csv", CYCLING)]);
    let cases = [
        (
            "The Granite F26-33 has 2150 cycles to 80 percent",
            "supported",
        ),
        (
            "The Granite F26-33 has 3100 cycles to 70 percent",
            "supported",
        ),
        (
            "The Granite F26-33 has 1320 cycles to 80 percent at 45 °C",
            "supported",
        ),
        (
            "The Granite F26-33 reaches 2150 cycles to 80 percent at 25 °C",
            "supported",
        ),
        ("Granite F26-33 cycles to 80 percent: 2150", "supported"),
        (
            "The Granite F26-33 has 2160 cycles to 80 percent",
            "contradicted",
        ),
        (
            "The Granite F26-33 has 3100 cycles to 80 percent",
            "contradicted",
        ),
        (
            "The Granite F26-33 has 2150 cycles to 70 percent",
            "contradicted",
        ),
        (
            "The Granite F26-33 has 2150 cycles to 80 percent at 45 °C",
            "contradicted",
        ),
        (
            "The Helio H21-50 has 2150 cycles to 80 percent",
            "contradicted",
        ),
    ];
    let lines = cases.map(|(claim, _)| format!("- {claim} ([results](docs/cycling.csv)).\n"));
    let checked = scratch.checked(&lines.concat());
    for ((claim, verdict), own) in cases.into_iter().zip(checked) {
        assert_eq!(own["verdict"], verdict, "{claim}: {own}");
    }
}

const FEES: &str = "\
# Charges 2026

| Service | Charge | Note |
|---|---|---|
| Stall on the quay, one year | £145 | per stall |
| Hire of the hall, evening | £90 | deposit £100 |
| Search of the archive, per hour | £28 | first half hour free |
";

const OLD_FEES: &str = "\
service,charge_gbp,valid_from,valid_to
Stall on the quay one year,95,2016-04-01,2024-03-31
Hire of the hall evening,60,2016-04-01,2024-03-31
Search of the archive per hour,18,2016-04-01,2024-03-31
";

#[test]
fn a_number_under_the_measure_of_a_question_answers_without_a_unit() {
    let stations = "station,date,temperature_c,oxygen_mg_l\nA,2023-05-02,12.1,9.4\n\
                    B,2023-05-02,14.3,8.1\nB,2023-06-02,17.9,7.0\nC,2023-05-02,11.0,10.2\n";
    let question = "What was the temperature at station B?";
    let scratch = Scratch::with_docs(&[("stations.csv", stations)]);
    let ran = scratch.expect(0, &["run", question, "--docs", "docs"]);
    let brief = ran.stdout.split("## ").nth(1).unwrap_or_default();
    let row = "Station: B; date: 2023-05-02";
    assert!(brief.contains(row), "{}", ran.stdout);
    assert!(!brief.contains("Station: A"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn table_whose_rows_have_ended_or_have_one_word_each_is_left_out() {
    let rules = "# Rules of the quay\n\nThe hours of a stall on the quay are from 7 am to 9 pm.\n";
    let current = FEES.replace("# Charges", "---\ndate: 2026-02-01\n---\n# Charges");
    let documents = [
        ("rules.md", rules),
        ("charges.md", &current),
        ("old-charges.csv", OLD_FEES),
    ];
    let hours = report_on(&documents, "What are the hours of stalls?");
    assert!(hours.contains("7 am to 9 pm"), "{hours}");
    assert!(!hours.contains("## Tables"), "{hours}");
    let charge = report_on(&documents, "What is the charge for a stall on the quay?");
    assert!(charge.contains("| Hire of the hall, evening |"), "{charge}");
    assert!(!charge.contains("| Hire of the hall evening |"), "{charge}");
}

#[test]
fn the_row_that_did_not_pass_answers_whether_all_did() {
    let tests = "# Acceptance test\n\n\
                 | Container | Energy (kWh) | Required | Result |\n|---|---|---|---|\n\
                 | B1 | 3,020 | 3,000 | passed |\n| B2 | 3,011 | 3,000 | passed |\n\
                 | B3 | 2,971 | 3,000 | failed |\n| B4 | 3,004 | 3,000 | passed |\n";
    assert_led(
        &[("test.md", tests)],
        &[
            (
                "Did all containers pass the acceptance test?",
                "Container: B3",
            ),
            ("Did every container pass?", "Container: B3"),
        ],
    );
}

#[test]
fn who_held_an_office_in_a_year_is_the_row_with_that_year() {
    let mayors = "# Mayors of Estmark\n\n| Mayor | From | To |\n|---|---|---|\n\
                  | Harald Tenk | May 1964 | May 1970 |\n| Ronja Twaite | May 1970 | May 1996 |\n\
                  | Vera Gree | May 1996 | May 2004 |\n| Sami Alin | May 2004 | |\n";
    assert_led(
        &[("mayors.md", mayors)],
        &[
            ("Who was mayor in 1990?", "Mayor: Ronja Twaite"),
            ("Who is mayor now?", "Mayor: Sami Alin"),
            ("Who was mayor in 1966?", "Mayor: Harald Tenk"),
        ],
    );
}
