//! The parts of a benchmark that its arguments name.

/// The parts that are measured: those that are named, or all.
pub(crate) struct Parts(Vec<String>);

impl Parts {
    /// The arguments of this program, without cargo's own.
    pub(crate) fn of_arguments() -> Self {
        let arguments = std::env::args().skip(1);
        Self(arguments.filter(|name| !name.starts_with('-')).collect())
    }

    /// `true` if a part is measured.
    pub(crate) fn have(&self, part: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|name| name == part)
    }
}
