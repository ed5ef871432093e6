//! Charts of quoted tables as SVG: a line over years or other whole numbers that rise, else a bar
//! for each row.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::text::{self, Table, truncate_with_ellipsis, without_controls};

/// The width of a chart, and the heights of a line chart, of a bar and of what is around the bars,
/// in pixels.
const WIDTH: u32 = 640;
const LINE_HEIGHT: u32 = 320;
const BAR_HEIGHT: u32 = 26;
const BARS_FRAME: u32 = 86;

/// The rows of a table that is drawn, at least and at most: two points show no course, and more
/// bars do not fit on a page.
const ROWS: Range<usize> = 3..41;

/// The maximum number of columns in one chart, and by how much their largest values may differ, so
/// that none is a flat line.
const COLUMNS: usize = 4;
const MAX_RATIO: f64 = 10.0;

/// The width of the labels of rows, in pixels, and the number of their characters.
const LABELS: u32 = 190;
const LABEL_CHARACTERS: usize = 30;

/// The colours of the columns: the first of the palette of Okabe and Ito, which people with any
/// colour vision tell apart.
const COLOURS: [RGBColor; COLUMNS] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
];

const FONT: (&str, u32) = ("sans-serif", 15);

/// A column of numbers.
struct Series<'a> {
    name: &'a str,
    values: Vec<f64>,
}

impl Series<'_> {
    fn max(&self) -> f64 {
        self.values
            .iter()
            .fold(0.0, |max, value| max.max(value.abs()))
    }
}

/// The SVG of a chart, which its backend escapes.
pub(super) struct Chart(String);

impl Chart {
    /// The SVG.
    pub(super) fn svg(&self) -> &str {
        &self.0
    }
}

/// The chart of a table in a report on a topic; `None` if it has no numbers that one shows.
pub(super) fn chart(table: &Table, topic: &str) -> Option<Chart> {
    if !ROWS.contains(&table.rows.len()) {
        return None;
    }
    let series = series(table, topic);
    let first = series.first()?;
    let mut svg = String::new();
    let drawn = match rising(table) {
        Some(places) => lines(&mut svg, &places, &series),
        None => bars(&mut svg, table, first),
    };
    drawn.ok()?;
    Some(Chart(svg))
}

/// The first column of numbers that the topic names, or the first of all, and others of its unit
/// and size.
fn series<'a>(table: &'a Table, topic: &str) -> Vec<Series<'a>> {
    let columns = table.columns.iter().enumerate().skip(1);
    let mut numeric: Vec<(usize, &String)> = columns
        .filter(|(column, _)| table.is_numeric(*column))
        .collect();
    let topic = text::terms(topic);
    let is_named = |name: &str| text::terms(name).iter().any(|term| topic.contains(term));
    // Stable: the others stay in their order.
    numeric.sort_by_key(|(_, name)| !is_named(name));
    let mut all = numeric.into_iter().map(|(column, name)| Series {
        name,
        values: table.numbers(column).flatten().collect(),
    });
    let Some(first) = all.next() else {
        return Vec::new();
    };
    let others: Vec<Series<'_>> = all
        .filter(|other| {
            let ratio = other.max() / first.max();
            unit(other.name) == unit(first.name) && (1.0 / MAX_RATIO..=MAX_RATIO).contains(&ratio)
        })
        .take(COLUMNS - 1)
        .collect();
    std::iter::once(first).chain(others).collect()
}

/// The unit in the name of a column: "EUR" of "Cost (EUR)".
fn unit(column: &str) -> Option<&str> {
    let (_, unit) = column.strip_suffix(')')?.rsplit_once('(')?;
    Some(unit)
}

/// The labels of the rows, if they are whole numbers that rise.
fn rising(table: &Table) -> Option<Vec<i32>> {
    let labels = table
        .rows
        .iter()
        .map(|row| row.first()?.trim().parse().ok());
    let labels: Vec<i32> = labels.collect::<Option<_>>()?;
    labels
        .is_sorted_by(|one, other| one < other)
        .then_some(labels)
}

/// The values from zero or the least to the greatest, with a little room.
fn extent<'a>(series: impl Iterator<Item = &'a Series<'a>>) -> Range<f64> {
    let values = series.flat_map(|own| &own.values);
    let (min, max) = values.fold((0.0_f64, 0.0_f64), |(min, max), value| {
        (min.min(*value), max.max(*value))
    });
    let room = (max - min).max(f64::MIN_POSITIVE) * 0.05;
    let below = if min < 0.0 { room } else { 0.0 };
    min - below..max + room
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The builder of a chart under the name of its column, if that is the only one.
fn builder<'a, 'b>(
    root: &'a DrawingArea<SVGBackend<'b>, Shift>,
    series: &[Series<'_>],
) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(root);
    builder.margin(12).margin_right(24);
    if let [only] = series {
        builder.caption(without_controls(only.name), FONT);
    }
    builder
}

fn lines(svg: &mut String, places: &[i32], series: &[Series<'_>]) -> Drawn {
    let root = SVGBackend::with_string(svg, (WIDTH, LINE_HEIGHT)).into_drawing_area();
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return Ok(());
    };
    let mut chart = builder(&root, series)
        .x_label_area_size(28)
        .y_label_area_size(76)
        .build_cartesian_2d(*first..*last, extent(series.iter()))?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(10)
        .y_labels(6)
        .x_label_formatter(&|x| x.to_string())
        .y_label_formatter(&|value| shown(*value))
        .label_style(FONT)
        .draw()?;
    for (own, colour) in series.iter().zip(COLOURS) {
        let points = places.iter().copied().zip(own.values.iter().copied());
        let line = LineSeries::new(points, colour.stroke_width(2)).point_size(3);
        let drawn = chart.draw_series(line)?;
        if series.len() > 1 {
            drawn
                .label(without_controls(own.name))
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2))
                });
        }
    }
    if series.len() > 1 {
        let mut legend = chart.configure_series_labels();
        legend
            .label_font(FONT)
            .position(SeriesLabelPosition::UpperLeft)
            .draw()?;
    }
    root.present()?;
    Ok(())
}

fn bars(svg: &mut String, table: &Table, series: &Series<'_>) -> Drawn {
    let count = table.rows.len();
    let height = u32::try_from(count)? * BAR_HEIGHT + BARS_FRAME;
    let root = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    // The first row is at the top, where the axis ends.
    let label = |position: usize| {
        let row = count
            .checked_sub(position + 1)
            .and_then(|row| table.rows.get(row));
        let label = row.and_then(|row| row.first()).map_or("", String::as_str);
        truncate_with_ellipsis(&without_controls(label), LABEL_CHARACTERS).into_owned()
    };
    let mut chart = builder(&root, std::slice::from_ref(series))
        .x_label_area_size(28)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(
            extent([series].into_iter()),
            (0..count - 1).into_segmented(),
        )?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(6)
        .y_labels(count)
        .x_label_formatter(&|value| shown(*value))
        .y_label_formatter(&|segment| match segment {
            SegmentValue::Exact(position) | SegmentValue::CenterOf(position) => label(*position),
            SegmentValue::Last => String::new(),
        })
        .label_style(FONT)
        .draw()?;
    let values = series.values.iter().rev().enumerate();
    chart.draw_series(values.map(|(position, value)| {
        let corners = [
            (0.0, SegmentValue::Exact(position)),
            (*value, SegmentValue::Exact(position + 1)),
        ];
        let mut bar = Rectangle::new(corners, COLOURS[0].filled());
        bar.set_margin(4, 4, 0, 0);
        bar
    }))?;
    root.present()?;
    Ok(())
}

/// A value at an axis, its thousands grouped.
fn shown(value: f64) -> String {
    let rounded = format!("{:.4}", value.abs());
    let (whole, fraction) = rounded.split_once('.').unwrap_or((&rounded, ""));
    let digits: Vec<char> = whole.chars().collect();
    let groups: Vec<String> = digits
        .rchunks(3)
        .rev()
        .map(|group| group.iter().collect())
        .collect();
    let sign = if value < 0.0 { "−" } else { "" };
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", groups.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(markdown: &str) -> Table {
        crate::text::tables(markdown).remove(0)
    }

    #[test]
    fn years_are_drawn_as_a_line_and_names_as_bars() {
        let years = "| Year | Sold | Share (%) | Built |\n|-|-|-|-|\n\
                     | 2015 | 57,000 | 8 | 60,000 |\n\
                     | 2017 | 78,000 | 11 | 70,000 |\n| 2020 | 120,000 | 12 | 90,000 |\n";
        let chart = chart(&table(years), "").unwrap().0;
        for (colour, is_used) in COLOURS.iter().zip([true, true, false]) {
            let RGBColor(red, green, blue) = colour;
            let stroke = format!("stroke=\"#{red:02X}{green:02X}{blue:02X}\"");
            assert_eq!(chart.contains(&stroke), is_used, "{chart}");
        }
        assert!(
            chart.contains("100,000") && chart.contains("2018"),
            "{chart}"
        );
        let names = "| <b>x</b> & | Cost |\n|-|-|\n| &lt;script> | 1 |\n| b | −2.5 |\n| c | 3 |\n";
        let drawn = super::chart(&table(names), "").unwrap().0;
        assert_eq!(drawn.matches("fill=\"#0072B2\"").count(), 3, "{drawn}");
        assert!(
            drawn.contains("&lt;script&gt;") && !drawn.contains("<script"),
            "{drawn}"
        );
        let months = table("| Month | Meals | Complaints |\n|-|-|-|\n| May | 1448 | 11 |\n");
        let selected = series(&months, "Which month had most complaints?");
        assert_eq!(selected[0].name, "Complaints");
        for without in [
            "| a | b |\n|-|-|\n| 1 | 2 |\n",
            "| a | b |\n|-|-|\n| 1 | x |\n| 2 | y |\n| 3 | z |\n",
        ] {
            assert!(super::chart(&table(without), "").is_none());
        }
        assert_eq!(shown(-1_234_567.25), "−1,234,567.25");
    }
}
