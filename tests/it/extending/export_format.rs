//! A toy export format, registered through public items alone.
