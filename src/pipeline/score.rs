//! The score of a review, as it is shown to people.

/// A score to two places, rounded down everywhere: 0.597 is not shown as the threshold of 0.60 that
/// it is below.
pub fn score_text(score: f64) -> String {
    // Of a score such as 0.29 a hundredfold is a little less than 29.
    const ROUNDING_ERROR: f64 = 1e-9;
    format!("{:.2}", (score * 100.0 + ROUNDING_ERROR).floor() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_rounded_down() {
        for (score, shown) in [
            (0.597, "0.59"),
            (0.29, "0.29"),
            (1.0, "1.00"),
            (0.0, "0.00"),
        ] {
            assert_eq!(score_text(score), shown);
        }
    }
}
