//! Plain questions over the documents of small associations, as people ask them.

use crate::answers::{assert_answered_first, first_claim, run_topic};
use crate::harness::{Ran, Scratch};

const MINUTES: &str = "\
# Minutes of the general meeting, 16 March 2024

Place: village hall. Present: 41 tenants. Chair: Helen Barrow. Minutes: Priya Nair.

## Rent

The meeting decided to raise the rent of a full plot from £62 to £70, because the water company
raised its charges by 18 %.

## Thefts

In February, two sheds were broken into. A strimmer and a set of hand tools were stolen.
";

const RENTS: &str = "\
# Rents

| Plot | Rent 2023 GBP | Rent 2024 GBP | State |
|---|---|---|---|
| Full plot | 62 | 70 | cultivated |
| Half plot | 33 | 37 | cultivated |

A tenant who does not cultivate the plot by 31 May receives a written warning.
";

#[test]
fn a_rule_in_force_in_other_words_comes_before_an_old_permission() {
    let old = "---\nstatus: superseded\n---\n# Bye-laws 2019\n\n\
               Hosepipes are allowed at any time between April and September.\n";
    let new = "# Water rules\n\nHosepipes must not be used for direct watering of plots.\n";
    let documents = [("old.md", old), ("water.md", new)];
    let ran = run_topic("Are hosepipes allowed?", &documents, 0);
    assert!(first_claim(&ran).contains("must not"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn lines_of_a_header_answer_who_and_how_many() {
    let documents = [("minutes.md", MINUTES), ("rents.md", RENTS)];
    for (question, answer) in [
        (
            "How many tenants were at the general meeting?",
            "41 tenants",
        ),
        ("Who took the minutes of the general meeting?", "Priya Nair"),
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
}

#[test]
fn what_happens_is_told_by_a_sentence_and_not_by_a_row() {
    let documents = [("minutes.md", MINUTES), ("rents.md", RENTS)];
    let ran = run_topic("What happens if I do not cultivate my plot?", &documents, 0);
    assert!(
        first_claim(&ran).contains("written warning"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_row_with_the_new_value_is_not_superseded_by_the_change() {
    let documents = [("minutes.md", MINUTES), ("rents.md", RENTS)];
    let ran = run_topic("How much is the rent of a full plot?", &documents, 0);
    assert!(ran.stdout.contains("Rent 2024 GBP: 70"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("(superseded"), "{}", ran.stdout);
}

#[test]
fn a_month_in_the_sentence_before_is_not_missed() {
    let ran = run_topic(
        "What was stolen in February?",
        &[("minutes.md", MINUTES)],
        0,
    );
    assert!(first_claim(&ran).contains("strimmer"), "{}", ran.stdout);
    assert!(
        !ran.stdout.contains("mentions “February”"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_time_of_the_day_is_no_date() {
    let text = "# Work days 2025\n\nWork days start at 10 am and end at 1 pm.\n\n\
                | Date | Task |\n|---|---|\n| 8 February 2025 | Clear the hedge |\n";
    let ran = run_topic(
        "What is the date of the first work day in 2025?",
        &[("work.md", text)],
        0,
    );
    assert!(first_claim(&ran).contains("8 February"), "{}", ran.stdout);
}

#[test]
fn a_verb_at_the_end_that_no_document_has_is_not_answered() {
    let team = "# Team\n\nHelen Ashworth became senior partner in 1998. She works in Fernley from \
                Monday to Thursday.\n\n**Open day.** Over 260 visitors came to the open day.\n";
    for (question, missing) in [
        ("When was Helen Ashworth born?", "“born”"),
        ("Is Helen Ashworth married?", "“married”"),
    ] {
        let ran = run_topic(question, &[("team.md", team)], 0);
        let warning = format!("No document mentions {missing}");
        let position = ran.stdout.find(&warning).unwrap();
        assert!(
            position < ran.stdout.find("## In brief").unwrap(),
            "{}",
            ran.stdout
        );
    }
    let ran = run_topic(
        "How many people came to the open day?",
        &[("team.md", team)],
        0,
    );
    assert!(first_claim(&ran).contains("260 visitors"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("mentions “people”"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("**Open day.**"), "{}", ran.stdout);
}

#[test]
fn a_place_behind_a_pronoun_and_a_rejection_are_answers() {
    let team = "# Team\n\nThe Oak Veterinary Practice was founded in 1987. It is at 14 Tanner's \
                Lane.\n\nThe charge for parking was rejected by three votes.\n";
    let documents = [("team.md", team), ("minutes.md", MINUTES)];
    for (question, answer) in [
        ("Where is the practice?", "14 Tanner's Lane"),
        ("Was the charge for parking approved?", "rejected"),
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
}

#[test]
fn a_labelled_cause_and_another_spelling_answer_and_another_purpose_does_not() {
    let accident = "# Accident report\n\nPlace: line 7\n\nA member climbed on line 7 without a \
                    rope and fell.\n\nCause: the gate before the line was open.\n\n\
                    Measures: line 7 was closed for two days.\n";
    let questions = "# Questions\n\n## Is there Wi-Fi?\n\nYes. The password is on the board in the \
                     kitchen.\n\nMarek Nowak has set the routes since 2016.\n";
    let documents = [("accident.md", accident), ("questions.md", questions)];
    for (question, answer) in [
        ("What caused the accident on line 7?", "Cause: the gate"),
        ("Where is the wifi password?", "on the board"),
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
    let ran = run_topic(
        "Who sets the routes for the youth competition?",
        &documents,
        0,
    );
    assert!(ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

const OLD_RULES: &str = "\
# Lending rules

Edition 3, May 2022.

The standard loan is 5 days. Up to four items at once.

Hand tools 30p per day, power tools £1 per day. Late fees are capped at £25 per item.
";

const NEW_RULES: &str = "\
# Lending rules

Edition 4, in force from 1 March 2025. Replaces Edition 3 (2022).

The standard loan is 7 days. You can have up to five items at once.

## Late returns

- Hand tools: 50p per item per day
- Power tools: £2 per item per day

Late fees are capped at £40 per item.
";

const SPRING: &str = "\
# The Spanner, spring

The most borrowed tool of 2024 was the carpet cleaner with 143 loans.
";

const SUMMER: &str = "\
# The Spanner, summer

We gave the wrong winner: the most borrowed tool of 2024 was the cordless drill with 151 loans.

The bike carries up to 80 kg, so no cement mixer. Volunteers must be at least 16.
";

const MIXER: &str = "\
# Tool sheet: Cement mixer

Drum 130 litres, 550 W, weight 52 kg. Two people must lift it.
";

#[test]
fn the_edition_in_force_a_list_of_fees_and_a_correction_answer_first() {
    let staff = "Name,Role,Days\nFarida Noor,Volunteer coordinator,Tue\nKit Hay,Bikes,Wed\n";
    let prices = |year: u32| {
        format!(
            "Item,Weekly fee {year}\nJigsaw,£{}.50\nDrill,£4\n",
            year - 2020
        )
    };
    let (old, new) = (prices(2024), prices(2025));
    let documents = [
        ("rules-2022.md", OLD_RULES),
        ("rules-2025.md", NEW_RULES),
        ("spring.md", SPRING),
        ("summer.md", SUMMER),
        ("mixer.md", MIXER),
        ("staff.csv", staff),
        ("prices-2024.csv", &old),
        ("prices-2025.csv", &new),
    ];
    for (question, answer) in [
        ("How long is the standard loan?", "7 days"),
        ("How many items can I borrow at once?", "five items"),
        ("What is the late fee for a power tool?", "£2 per item"),
        ("What was the most borrowed tool of 2024?", "cordless drill"),
        ("How heavy is the cement mixer?", "52 kg"),
        ("Who looks after the volunteers?", "Farida Noor"),
        ("How old do you have to be to volunteer?", "at least 16"),
        ("What is the weekly fee for the jigsaw?", "£5.50"),
        ("What was the weekly fee for the jigsaw in 2024?", "£4.50"),
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
    let ran = run_topic("How long is the standard loan?", &documents, 0);
    let remark = "Lending rules (2022):** The standard loan is 5 days.";
    assert!(ran.stdout.contains(remark), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("(superseded by Edition 4)"),
        "{}",
        ran.stdout
    );
    let ran = run_topic("What is Kit Hay's phone number?", &documents, 0);
    assert!(ran.stdout.contains("Not answered"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Low review score"), "{}", ran.stdout);
}

#[test]
fn a_second_question_on_the_same_thing_is_answered_with_the_first() {
    let questions = "# Questions\n\n**Do you deliver?**\nOn Wednesdays a bike brings things for \
                     £3.50 each way.\n\n**Who may collect?**\nOnly the member may collect.\n";
    let log = "# Log\n\nAfter the incident of 17 May the nail gun is withdrawn.\n\n\
               17 May: the nail gun fired when put down on the bench.\n\n\
               Travel costs are repaid up to £6 per shift.\n";
    let documents = [("questions.md", questions), ("log.md", log)];
    let ran = run_topic("Do you deliver, and what does it cost?", &documents, 0);
    assert!(ran.stdout.contains("£3.50 each way"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("£6 per shift"), "{}", ran.stdout);
    let ran = run_topic("Is the nail gun withdrawn?", &documents, 0);
    assert!(!ran.stdout.contains("superseded"), "{}", ran.stdout);
}

#[test]
fn every_question_of_a_compound_question_is_answered_or_said_not_to_be() {
    let pump = "# The pump\n\nThe noise of the pump is 42 dB at night.\n\n\
                The pump costs 900 euros.\n\nThe garden is watered at night.\n";
    let documents = [("pump.md", pump)];
    let ran = run_topic(
        "How loud is the pump at night, and what does it cost?",
        &documents,
        0,
    );
    let (brief, _) = ran.stdout.split_once("## Limits").unwrap();
    for answer in ["42 dB", "900 euros"] {
        assert!(brief.contains(answer), "{brief}");
    }
    assert!(!brief.contains("Not answered"), "{brief}");
    let ran = run_topic("How loud is the pump? Who may repair it?", &documents, 0);
    assert!(first_claim(&ran).contains("42 dB"), "{}", ran.stdout);
    let remark = "No sentence quoted here clearly answers “Who may repair it?”";
    assert!(ran.stdout.contains(remark), "{}", ran.stdout);
}

#[test]
fn documents_of_one_title_are_told_apart_by_where_they_lie() {
    let documents = [
        ("north.md", "# Rules\n\nThe north gate closes at 20:00.\n"),
        ("south.md", "# Rules\n\nThe south gate closes at 21:00.\n"),
    ];
    let ran = run_topic("When do the gates close?", &documents, 0);
    for name in ["Rules (north.md):**", "Rules (south.md):**"] {
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
}

#[test]
fn list_tells_of_reports_that_do_not_answer() {
    let scratch = Scratch::new();
    scratch.write("docs/minutes.md", MINUTES);
    let question = "When was Helen Barrow born?";
    scratch.expect(0, &["run", question, "--docs", "docs", "--session", "s"]);
    let listed = scratch.expect(0, &["list"]).stdout;
    assert!(
        listed.contains("(not answered as asked) When was"),
        "{listed}"
    );
}

#[test]
fn revoked_listed_and_dated_facts_of_a_swimming_pool_answer_first() {
    let january = "# Minutes of the operations meeting, 14 January 2025\n\n## Water temperature\n\n\
                   It is decided to set the main pool to 26 degrees from 1 February 2025. The \
                   teaching pool stays at 31 degrees.\n";
    let june = "# Minutes of the operations meeting, 10 June 2025\n\n## Water temperature\n\n\
                There were 47 complaints about cold water. It is decided to raise the main pool to \
                27 degrees again from 16 June 2025. The decision of 14 January 2025 is thereby \
                revoked.\n";
    let tariff = "# Tariff decision 2025\n\nThe council decides with 12 votes to 8:\n\n1. \
                  From 1 May 2025 a single admission for adults costs 6.20 euros.\n2. A \
                  season ticket for adults costs 110 euros.\n";
    let log = "date,plant,work,by,hours,cost_euros\n\
               2025-03-04,filter 2,filter sand replaced,Hydrotec,9,6850\n\
               2025-03-27,lift,annual inspection passed,TUV,2,310\n";
    let news = "# News\n\nThe pool is open. The outdoor area will be closed from 1 September to 31 \
                October because a new terrace is being built.\n";
    let documents = [
        ("january.md", january),
        ("june.md", june),
        ("tariff.md", tariff),
        ("log.csv", log),
        ("news.md", news),
    ];
    for (question, answer) in [
        (
            "How warm is the water of the main pool supposed to be?",
            "27 degrees",
        ),
        (
            "How much does a single admission for an adult cost?",
            "6.20 euros",
        ),
        ("What did the replacement of the filter sand cost?", "6850"),
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
    let ran = run_topic("When was the pool built?", &documents, 0);
    assert!(ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn abolished_closed_and_kept_things_of_a_swimming_pool_answer_first() {
    let prices = "Prices valid from 1 April 2024\n\nSingle admission, adults .... 5.50 euros\n\
                  Evening ticket (from 18:00) .... 3.50 euros\n";
    let tariff = "---\ndate: 2025-03-20\n---\n\n# Tariff decision 2025\n\nThe council decides:\n\n\
                  1. A single admission for adults costs 6.20 euros.\n\
                  2. The evening ticket is abolished.\n";
    let questions = "# Questions our guests ask\n\nLast updated: 2 June 2025\n\n\
                     ## When is the pool open?\n\nMonday to Saturday from 08:00 to 21:30. The pool \
                     is closed on 24, 25 and 31 December.\n";
    let july = "# Minutes of the meeting, 25 July 2025\n\nThe purchase of a pool cover is \
                postponed to 2026. The whirlpool was closed for the rest of the day.\n";
    let folder = "# Papers of the pool\n\nThe tenant must keep the kiosk open.\n\n\
                  Keeper of the folder: Ines Halbach, administration, extension 214.\n";
    let documents = [
        ("prices.txt", prices),
        ("tariff.md", tariff),
        ("faq.md", questions),
        ("july.md", july),
        ("README.md", folder),
    ];
    for (question, answer) in [
        ("What does the evening ticket cost?", "is abolished"),
        ("When is the pool closed?", "24, 25 and 31 December"),
        (
            "List the days on which the pool is closed.",
            "24, 25 and 31 December",
        ),
        ("Who keeps the folder?", "Ines Halbach"),
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
        let is_corrected = ran.stdout.contains("December.") && ran.stdout.contains("superseded by");
        assert!(!is_corrected, "{}", ran.stdout);
    }
}

#[test]
fn long_questions_that_are_answered_in_other_words_get_no_notice() {
    let scratch = Scratch::with_docs(&[
        (
            "ferry.md",
            "# The ferry Alma\n\nCaptain Ines Roth was the oldest master on the line; she passed \
             the examination of the lake authority at age 61. The Alma lost 14 passenger days to \
             fog in the season of 2024. The upper deck of the Alma, from which the mail is \
             thrown to the lighthouse keeper, is closed in storms.\n",
        ),
        (
            "pier.md",
            "# The pier\n\nThe pier at Lund has two berths. A lantern of the pier was broken in \
             May.\n",
        ),
    ]);
    let run = |question: &str| scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    assert_answered_first(
        run,
        &[
            (
                "How old was Ines Roth when she passed the examination of the lake authority?",
                "at age 61",
            ),
            (
                "How many passenger days did the Alma lose to fog in 2024?",
                "14 passenger days",
            ),
            (
                "What is the name of the part of the Alma from which the mail is thrown to the \
                 lighthouse keeper?",
                "The upper deck",
            ),
        ],
    );
}

#[test]
fn a_denial_does_not_tell_how_long_something_is_done() {
    let rules = "# Rules of the council\n\n\
                 A removed member may not serve on the council for at least one year.\n\n\
                 The term of a member of the council is three years.\n";
    let question = "How long does a member of the council serve?";
    let ran = run_topic(question, &[("rules.md", rules)], 0);
    assert!(first_claim(&ran).contains("three years"), "{}", ran.stdout);
}

#[test]
fn another_option_than_the_one_that_was_taken_comes_after_it() {
    let design = "# Socket timeouts\n\n\
                  An alternative is to read it as none if I set a timeout of zero.\n\n\
                  A timeout of zero is an error of invalid input.\n";
    let ran = run_topic(
        "What happens if I set a timeout of zero?",
        &[("design.md", design)],
        0,
    );
    assert!(
        first_claim(&ran).contains("invalid input"),
        "{}",
        ran.stdout
    );
}

#[test]
fn words_with_a_hyphen_are_met_by_one_word() {
    let targets = "# Targets\n\nThe 64bit targets were demoted to tier 2.\n\n\
                   The 32bit targets were demoted to tier 3.\n";
    let question = "To which tier were the 32-bit targets demoted?";
    let ran = run_topic(question, &[("targets.md", targets)], 0);
    assert!(first_claim(&ran).contains("tier 3"), "{}", ran.stdout);
}

const GARDEN: &str = "\
# Garden rules

Hoses are allowed before 9 am and after 7 pm only. Chickens may be kept on full plots, at most six
of them. The code of the main gate is changed every January, and tenants get a letter.

The old sheds can stay, as far as they are dry. The pump of the well delivers 15 % more water since
the repair. A petrol pump costs about 400 euros.
";

#[test]
fn words_of_a_question_that_stand_on_something_else_do_not_answer_it() {
    let documents = [("garden.md", GARDEN)];
    for question in [
        "Can I install the pump of the well myself?",
        "Does the pump work at -15 degrees?",
        "Which pump is the quietest?",
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
    for (question, answer) in [
        ("how many chickens can I have", "at most six"),
        ("Can I keep my old shed?", "old sheds can stay"),
        ("What does a petrol pump cost?", "400 euros"),
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
}

#[test]
fn the_price_of_another_document_is_no_repetition() {
    let old = "---\ndate: 2024-03-01\n---\n# Costs of pumps\n\nAn air-source heat pump for an old \
               house costs about 25,000 to 35,000 euros including installation.\n";
    let new = "# New price list\n\nAn air-source heat pump costs 22,000 euros in 2026.\n";
    let documents = [("old.md", old), ("new.md", new)];
    let ran = run_topic("What does an air-source heat pump cost?", &documents, 0);
    for price in ["25,000 to 35,000", "22,000 euros in 2026"] {
        assert!(ran.stdout.contains(price), "{}", ran.stdout);
    }
}

const HEATING: &str = "\
# Heating

A reversible heat pump can cool the house in summer. Brine heat pumps cool the house passively
through the borehole.

Many owners ask about hybrid systems. Hybrid systems cost 12,000 euros on average. The hybrid
system of the town hall was installed in 2021.

A hybrid system combines a boiler with a heat pump.

The first heat pump was built by Peter von Rittinger in 1856. Robert C. Webber built the first
ground source heat pump in the 1940s.
";

const POWER: &str = "\
# Power

A heat pump for a house of 150 m² draws 2 to 3 kW of electric power.

The back-up heater needs 6 kW for a few hours a year.
";

const WINTER: &str = "\
# Heat pumps in winter

Heat pumps in houses need no consent. Defrosting takes 3 % of the energy.
";

/// The first sentence of the first claim in brief.
fn leading(ran: &Ran) -> &str {
    let claim = first_claim(ran);
    claim.split_once(":** ").map_or(claim, |(_, words)| words)
}

/// Fails unless each question is answered first by a sentence that begins so, without a warning.
pub(crate) fn assert_led(documents: &[(&str, &str)], expected: &[(&str, &str)]) {
    for (question, beginning) in expected {
        let ran = run_topic(question, documents, 0);
        let leads = leading(&ran).starts_with(beginning);
        assert!(leads, "{question}\n{}", ran.stdout);
        let is_warned = ran.stdout.contains("Not answered as asked");
        assert!(!is_warned, "{question}\n{}", ran.stdout);
    }
}

#[test]
fn what_can_be_done_what_a_thing_is_and_which_is_the_first_lead() {
    let documents = [
        ("heating.md", HEATING),
        ("power.md", POWER),
        ("winter.md", WINTER),
    ];
    assert_led(
        &documents,
        &[
            ("Can a heat pump cool the house?", "A reversible heat pump"),
            ("Can I cool my house with a heat pump?", "A reversible heat"),
            ("What is a hybrid system?", "A hybrid system combines"),
            ("Who built the first heat pump?", "The first heat pump was"),
        ],
    );
}

#[test]
fn power_is_no_comparative_and_what_it_needs_is_drawn() {
    let documents = [("power.md", POWER), ("winter.md", WINTER)];
    let expected = "A heat pump for a house of 150 m² draws 2 to 3 kW";
    assert_led(
        &documents,
        &[
            ("How much power does a heat pump need?", expected),
            ("How many kW does a heat pump need?", expected),
        ],
    );
    assert_led(
        &[("power.md", POWER)],
        &[("How much power does a heat pump need?", expected)],
    );
}

#[test]
fn what_is_allowed_at_some_time_can_be_used_then() {
    let site = "# Site\n\nA hosepipe ban is in force from 1 June. Watering with a hose is allowed \
                between 18 and 21 h.\n\nWatering cans may be used at any time.\n";
    assert_led(
        &[("site.md", site)],
        &[("When can I use a hose?", "Watering with a hose is allowed")],
    );
}

#[test]
fn a_compound_is_searched_as_the_two_words_of_the_documents() {
    let documents = [("power.md", POWER), ("winter.md", WINTER)];
    let ran = run_topic("How much power does a heatpump need?", &documents, 0);
    assert!(leading(&ran).contains("2 to 3 kW"), "{}", ran.stdout);
    let said = "No document has “heatpump”: “heat pump” was searched for in its place.";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Did you mean"), "{}", ran.stdout);
}

#[test]
fn a_misspelled_word_is_searched_as_the_documents_write_it() {
    let house = "# House\n\nThe heat pump needs 3,000 kWh of electricity a year.\n";
    let documents = [("house.md", house), ("winter.md", WINTER)];
    let question = "How much elecricity does teh heat pump need?";
    let ran = run_topic(question, &documents, 0);
    assert!(leading(&ran).contains("3,000 kWh"), "{}", ran.stdout);
    let said = "No document has “elecricity”: “electricity” was searched for in its place.";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    let read = "“teh” was read as “the”.";
    assert!(ran.stdout.contains(read), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn the_bill_of_another_does_not_lead() {
    let invoices = "# Invoices\n\n## Electrician\n\nThe total of the electrician's bill was \
                    £2,150.\n\n## Plumber\n\nThe plumber's bill came to a total of £480.\n";
    let letter = "# Letter\n\nThe roofer finished in March. His invoice of £1,900 has been paid.\n";
    let documents = [("invoices.md", invoices), ("letter.md", letter)];
    for question in [
        "What was the total of the roofer's bill?",
        "How much was the roofer's bill?",
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(first_claim(&ran).contains("£1,900"), "{}", ran.stdout);
    }
    assert_led(
        &documents,
        &[("What was the electrician's bill?", "The total of the elec")],
    );
}

#[test]
fn plain_synonyms_are_not_missed() {
    let news = "# School news\n\nThe sports day is on 14 June. Athletics is offered on Tuesdays.\n\
                \n\
                The council reduced the budget of the library because visits fell.\n\n\
                The wallet was discovered under the bench by the caretaker.\n\n\
                The club was established in 1961 by Rosa Klein.\n";
    let rides = "# Cycling club\n\nMembers cycle every Sunday from the station.\n";
    let documents = [("news.md", news), ("rides.md", rides)];
    assert_led(
        &documents,
        &[
            ("Which sports are offered?", "Athletics is offered"),
            ("Why was the budget cut?", "The council reduced"),
            ("Who found the wallet?", "The wallet was discovered"),
            ("Where was the wallet found?", "The wallet was discovered"),
            ("When was the club founded?", "The club was established"),
            ("When do members ride?", "Members cycle every Sunday"),
        ],
    );
}

#[test]
fn misspelt_word_is_named_in_the_notice_with_the_word_that_was_meant() {
    let scratch = Scratch::new();
    let minutes = "# Minutes\n\nThe Lindenbad was discussed. The two gas boilers date from 1996 \
                   and used 1,480 MWh in 2023.\n";
    scratch.write("docs/minutes.md", minutes);
    let note = "# Note on the Lindenbad\n\nA gas detector is needed by the gas boilers of the \
                Lindenbad.\n";
    scratch.write("docs/note.md", note);
    scratch.write(
        "docs/schools.md",
        "# Schools\n\nThe school used 690 MWh of gas in 2023.\n",
    );
    let line = |topic: &str| {
        let ran = scratch.run(&["run", topic, "--docs", "docs"]);
        let mut notices = ran.stdout.lines().filter(|line| line.starts_with("> "));
        notices.next().unwrap_or_default().to_owned()
    };
    let meant = "Did you mean “lindenbad”?";
    let question = line("How much gas does the Lindebad use?");
    let expected = format!("No document mentions “Lindebad”. {meant}");
    assert!(question.contains(&expected), "{question}");
    let word = line("Lindebad");
    assert!(word.contains(meant), "{word}");
    let right = line("How much gas does the Lindenbad use?");
    assert!(!right.contains("Did you mean"), "{right}");
}

#[test]
fn a_word_of_another_language_is_none_that_is_misspelt() {
    let text = "# Heat pumps\n\nIn warm water a pump moves heat.\n";
    let documents = [("pumps.md", text)];
    let ran = run_topic("Wie groß ist eine Wärmepumpe?", &documents, 5);
    assert!(!ran.stdout.contains("Did you mean"), "{}", ran.stdout);
    let language = "Documents in another language are searched with words of that language.";
    assert!(ran.stdout.contains(language), "{}", ran.stdout);
}

#[test]
fn a_decision_between_two_things_comes_before_what_is_said_of_both() {
    let decision = "# ADR 7: The job queue\n\n## Context\n\nThe queue may be a database table or a \
                    broker. A database is simple to run.\n\n## Decision\n\nWe chose a broker over \
                    a database table for the queue.\n";
    let notes = "# Notes on queues\n\nA queue in a database is a table that workers poll. Whether \
                 the queue should be a database or a broker has been discussed since 2022.\n";
    let install = "# Installation\n\nThe service requires Postgres 14 or later. Postgres 16 is \
                   what we run in production. The minimum memory is 4 GB.\n";
    let documents = [
        ("adr-7.md", decision),
        ("notes.md", notes),
        ("install.md", install),
    ];
    for (question, answer) in [
        (
            "Should the queue be a database or a broker?",
            "We chose a broker",
        ),
        ("Is the queue a database or a broker?", "We chose a broker"),
        (
            "What is the minimum Postgres version?",
            "requires Postgres 14 or later",
        ),
    ] {
        let ran = run_topic(question, &documents, 0);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
    }
}

#[test]
fn a_thing_that_no_document_mentions_is_named_in_a_question_of_few_words() {
    let pumps = "# Heat pumps\n\nHeat pumps contain a refrigerant. Heat pumps contain a fan.\n";
    let ran = run_topic("Do heat pumps contain asbestos?", &[("pumps.md", pumps)], 0);
    let report = &ran.stdout;
    assert!(
        report.contains("No document mentions “asbestos”"),
        "{report}"
    );
    assert!(!report.contains("ask in English"), "{report}");
}

#[test]
fn words_of_a_topic_are_no_misspelt_or_foreign_stop_words() {
    let lake = (
        "cats.md",
        "# Cats\n\nThe cat is described in the second chapter. Mara Lind \
                 owns three cats, and her own house.\n",
    );
    let scratch = Scratch::with_docs(&[lake]);
    let ask = |topic: &str| scratch.run(&["run", topic, "--docs", "docs", "--offline"]);
    let cat = ask("cat").stdout;
    assert!(cat.contains("The cat is described"), "{cat}");
    let won = ask("Who won the prize for cats?").stdout;
    assert!(won.starts_with("# Who won the prize for cats?"), "{won}");
}

#[test]
fn row_of_another_letter_does_not_answer() {
    let rows = (
        "counts.csv",
        "Station,Date,Depth m,Cells per ml\nA,2026-06-16,1,8200\n\
                 A,2026-06-16,5,6100\nB,2026-06-16,1,11300\nB,2026-06-16,5,7000\n",
    );
    let scratch = Scratch::with_docs(&[rows]);
    let question = "How many cells were counted at station B at 5 m?";
    let ran = scratch.run(&["run", question, "--docs", "docs", "--offline"]);
    let brief = ran.stdout.split("## Tables").next().unwrap();
    assert!(brief.contains("Cells per ml: 7000"), "{brief}");
    assert!(!brief.contains("Station: A"), "{brief}");
}
