//! `[store]`: the object store of the sessions.

use serde::{Deserialize, Serialize};

/// Settings of the object store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    /// Its address, such as `s3://BUCKET/PREFIX`; empty for none.
    pub url: String,
}
