//! Tests of the segmentation into sentences.

use super::*;

#[test]
fn windows_of_long_words_have_the_same_boundaries() {
    let marks = "<!>".repeat(20_000);
    let text = format!("It rained. {marks} It snowed.");
    assert!(sentences(&text, 0..text.len()).len() >= 2);
    let ideographs = "今天下雨了。明天会下雪。".repeat(2_000);
    assert_eq!(sentences(&ideographs, 0..ideographs.len()).len(), 4_000);
}

fn split(text: &str) -> Vec<&str> {
    sentences(text, 0..text.len())
        .into_iter()
        .map(|range| &text[range])
        .collect()
}

#[test]
fn segmentation_follows_full_stops_of_all_scripts() {
    assert_eq!(
        split(" One is\nwrapped. Two!  Three? "),
        ["One is\nwrapped.", "Two!", "Three?"]
    );
    assert_eq!(
        split("最初の文です。次の文です。"),
        ["最初の文です。", "次の文です。"]
    );
    assert_eq!(
        split("他于1030年到来。1047年（即位。）他说：“好。”他走了。"),
        [
            "他于1030年到来。",
            "1047年（即位。）他说：“好。”",
            "他走了。"
        ]
    );
    assert_eq!(
        split("هذه جملة. هل هذا سؤال؟ نعم."),
        ["هذه جملة.", "هل هذا سؤال؟", "نعم."]
    );
    assert_eq!(
        split("He said \"No way.\" Then he left."),
        ["He said \"No way.\"", "Then he left."]
    );
    assert_eq!(
        split("It works (see A. B). Next one."),
        ["It works (see A. B).", "Next one."]
    );
}

#[test]
fn a_line_of_a_log_ends_before_the_time_of_the_next() {
    assert_eq!(
        split("[02:44] bot: RESOLVED\n[02:46] dev: no jobs\nlost"),
        ["[02:44] bot: RESOLVED", "[02:46] dev: no jobs\nlost"]
    );
}

#[test]
fn abbreviations_names_and_code_end_no_sentence() {
    for sentence in [
        "Use e.g. The Book for that.",
        "Dr. Smith measured 3.5 kW at noon.",
        "Call `a. B. c! D` now.",
        "Call ``a ` b. C`` now.",
        "The `?` operator and the `..` pattern are new.",
        "See https://example.com/a.B?c=1.2 for more.",
        "The std::fmt.Display type of foo.Bar is used.",
        "Versions 1.2.3 and v0.9 are old.",
        "Guest flat; Price: 40; Remark: max. 14 nights per resident.",
        "Moisture max. 5.0 % and ash min. 2 %.",
        "A finding of *E. coli* in drinking water is reported on the same day.",
        "Both **_E. coli_** and (*L. pneumophila*) are looked for by *Dr. Brandt*.",
        "A finding of \"E. coli\" is one of [E. coli](https://example.com/e).",
        "Sie begann im 16. und 19. Jahrhundert unter Ludwig XIV. von Bayern.",
        "In der Niederschrift der 8. Sitzung ist die Zahl falsch.",
        "Nun hat die 7. Kammer für Recht erkannt.",
        "Die 3. Linie wird im 2. Quartal gebaut.",
        "Minutes no. 61 (2024), 2. Mill Lane: it is closed.",
    ] {
        assert_eq!(split(sentence), [sentence]);
    }
}

#[test]
fn a_unit_of_one_letter_ends_a_sentence_behind_a_number() {
    for first in [
        "The weight limit is 24 t.",
        "New lanes are at least 1.50 m.",
        "The tank holds 300 l.",
        "Doors close after 30s.",
        "The dose is 8 g.",
        "The bus must not be charged below -5 C.",
        "The water leaves at 35 °C.",
        "The hall has 1,200 m².",
        "The speed is at most 30 km/h.",
        "The wind limit for lorries is 2.6 m/s.",
        "The load is 8 kN/m.",
        "The pump gives 12 l/s.",
        "The price is in EUR/t.",
    ] {
        let text = format!("{first} High-pressure washing is permitted.");
        let expected = [first, "High-pressure washing is permitted."];
        assert_eq!(split(&text), expected);
    }
    let bold = "It is closed at 3.80 m. **Decision:** it is lowered.";
    let expected = ["It is closed at 3.80 m.", "**Decision:** it is lowered."];
    assert_eq!(split(bold), expected);
    let log = "Limit: 24 t.\n2024-09-20 Signs.";
    assert_eq!(split(log), ["Limit: 24 t.", "2024-09-20 Signs."]);
    let name = "It was found in 1905 C. Smith and others report.";
    assert_eq!(split(name), [name]);
}

#[test]
fn number_at_the_end_of_a_german_sentence_ends_it() {
    for (first, second) in [
        ("Sie war im Jahr 2023.", "Die Sitzung begann."),
        ("Nun sind es 8.", "Der Rat tagt."),
        ("Das Fest ist am 8.", "Die Sitzung ist danach."),
        ("I am 8.", "The dog is old."),
    ] {
        let text = format!("{first} {second}");
        assert_eq!(split(&text), [first, second]);
    }
}

#[test]
fn line_with_the_day_of_a_text_is_no_part_of_its_first_sentence() {
    let text = "Interview with B. Oster, 20 September 2024\nRecorded in the canteen.";
    assert_eq!(split(text)[1..], ["Recorded in the canteen."]);
}

#[test]
fn letter_of_a_thing_ends_a_sentence_and_an_initial_does_not() {
    for (first, second) in [
        ("We hold ten days of category A.", "All drugs are counted."),
        (
            "It is for patients with hepatitis B.",
            "Vancomycin is given.",
        ),
        ("Bring them to Ward C.", "Meals are at noon."),
        ("The current is 16 A.", "The fuse is in the cellar."),
        ("Her blood has the factor X.", "It clots."),
        ("We hold ten days of category B.", "(superseded in May)"),
    ] {
        let text = format!("{first} {second}");
        assert_eq!(split(&text), [first, second]);
    }
    for sentence in [
        "The survey was made by the engineer J. Smith in May.",
        "زار م. علي المدينة في الصيف.",
        "In 2003 George W. Bush and W. A. Mozart met.",
        "A note was read to the team by T. May in June.",
        "A vote for plan A.B. Smith was lost.",
        "Annex B. Costs of the plan",
    ] {
        assert_eq!(split(sentence), [sentence]);
    }
}

#[test]
fn mark_of_an_item_in_a_plain_text_is_no_part_of_its_sentence() {
    assert_eq!(
        split("Talked to him.\n- Glass is not insured.\n- He wants - 5 days on - the invoice."),
        [
            "Talked to him.",
            "Glass is not insured.",
            "He wants - 5 days on - the invoice."
        ]
    );
}

#[test]
fn the_month_of_may_ends_a_sentence() {
    assert_eq!(
        split("Status: accepted\nDate: 2024-05-21\nDecided by: Ann, who\nleft later"),
        [
            "Status: accepted",
            "Date: 2024-05-21",
            "Decided by: Ann, who\nleft later"
        ]
    );
    assert_eq!(
        split("The p99 was 3120 ms. We stay. It took 5 min. Then Ms. Brandt came."),
        [
            "The p99 was 3120 ms.",
            "We stay.",
            "It took 5 min.",
            "Then Ms. Brandt came."
        ]
    );
    assert_eq!(
        split("It is on 17 May, not on 10 May. Registration ends on 10 May.\nAll may come."),
        [
            "It is on 17 May, not on 10 May.",
            "Registration ends on 10 May.",
            "All may come."
        ]
    );
}

#[test]
fn segmentation_of_text_without_capitals() {
    assert_eq!(
        split("a heat pump of no. 9 moves heat . it needs power, i.e. current . done ."),
        [
            "a heat pump of no. 9 moves heat .",
            "it needs power, i.e. current .",
            "done ."
        ]
    );
}

#[test]
fn only_the_range_is_read_and_odd_ranges_are_cut_to_characters() {
    let text = "Äb. Cd. Éf.";
    assert_eq!(sentences(text, 5..8).first(), Some(&(5..8)));
    assert_eq!(sentences(text, 1..900).first(), Some(&(0..4)));
    assert!(sentences(text, 4..4).is_empty());
    assert!(sentences("", 0..0).is_empty());
}

#[test]
fn long_and_hostile_blocks_are_covered_in_order() {
    for text in [
        "A sentence here. ".repeat(5_000),
        "word ".repeat(20_000),
        "a".repeat(200_000),
        "。".repeat(10_000),
        "(".repeat(20_000),
        "\"a. ".repeat(5_000),
        "`".repeat(10_000),
        "` `` ``` ".repeat(2_000),
        "'A. B' ".repeat(10_000),
        "1. a ".repeat(10_000),
        ". . . ".repeat(20_000),
    ] {
        let mut end = 0;
        for range in sentences(&text, 0..text.len()) {
            assert!(range.start >= end && !text[range.clone()].trim().is_empty());
            end = range.end;
        }
    }
    assert_eq!(split(&"A sentence here. ".repeat(5_000)).len(), 5_000);
}

#[test]
fn marks_of_a_text_without_space_are_looked_at_in_linear_time() {
    // Quadratic time would be minutes.
    let text = "<!>".repeat(300_000);
    assert_eq!(sentences(&text, 0..text.len()).len(), 1);
}
