//! A toy stage, registered through public items alone.
