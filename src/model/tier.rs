//! The tiers of models.

/// The tier of a judgment by how demanding it is; each tier has a model.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Quick and cheap.
    Simple,
    /// Judgment over many passages.
    Analytical,
    /// The best model there is.
    Complex,
}

impl Tier {
    /// All tiers.
    pub const ALL: [Self; 3] = [Self::Simple, Self::Analytical, Self::Complex];
}
