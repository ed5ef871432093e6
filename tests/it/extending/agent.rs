//! A toy agent, registered through public items alone.
