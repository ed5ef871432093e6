//! A toy search provider, registered through public items alone.
