//! A toy source kind, registered through public items alone.
