//! A toy command, registered through public items alone.
